"""Paths over the board, both of the last moves and of the moves to choose from, and the classes
that collect them: ``News`` and ``ChoiceHighlights``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from games.isis import IsisState
from games.isis.board import HEAVEN, PERSONAL, THRONES, TURN, UNDERWORLD, Path
from render.cache import cached
from render.canvas import GHOST, Canvas, Sprite
from render.geometry import Box, Point, rounded, tapered
from render.isis.ground import number
from render.isis.look import (
    DAWN,
    DUSK,
    GILT_LIGHT,
    NUMBER,
    STAR,
    STONE,
    TALL,
    Way,
    behind,
    berth,
    cell,
    number_at,
    stand,
)
from render.isis.pieces import jar, lotus, throne, turning
from render.plates import corner_ticks, token
from render.scene import Scene
from render.theme import BRIGHT_GOLD, INK, LIGHT, SEATS, Colour


# -------------------------------------------------------------------------------------------- news
@dataclass(slots=True)
class News:
    """The events that a picture marks.

    :param paths: for each move, the squares that the stone touched; the last move comes last.
    :param turned: the squares on which a stone was turned over after the last move.
    :param locked: the squares whose stones were sent to the underworld, with the owners of the
        stones (None: neutral).
    """

    paths: list[list[int]] = field(default_factory=list)
    turned: list[int] = field(default_factory=list)
    locked: dict[int, int | None] = field(default_factory=dict)

    @classmethod
    def of(cls, scene: Scene) -> News:
        """Collect the news from the facts."""
        news = cls()
        for fact in scene.facts:
            match fact.kind:
                case "moved":
                    news.paths.append(fact.data["path"])
                    news.turned.clear()
                case "turned":
                    news.turned.append(fact.data["square"])
                case "locked":
                    squares, owners = fact.data["squares"], fact.data["owners"]
                    news.locked |= dict(zip(squares, owners, strict=True))
        return news

    @property
    def latest(self) -> int | None:
        """The square in play where the last turn moved a stone or turned one over; None if there is
        none.
        """
        if self.turned:
            return self.turned[-1]
        return (self.paths[-1][-1] or None) if self.paths else None

    @property
    def celebrated(self) -> bool:
        """Whether a stone has just reached heaven, has been turned over there, or has taken a
        throne.
        """
        if self.turned:
            return True
        if not self.paths:
            return False
        origin, square = self.paths[-1][0], self.paths[-1][-1]
        return square in THRONES or (square in HEAVEN and origin not in HEAVEN)


# ------------------------------------------------------------------------------------------ choice
ROUNDS = 3
"""How many times each path is chosen again so that it fits the others better."""


@dataclass(frozen=True, slots=True)
class ChoiceHighlights:
    """The highlights for a person who is choosing a move.

    :param stones: the squares of the stones that may be moved or turned over; once a stone has been
        chosen, only the square of that stone.
    :param turnings: squares of the stones that may be turned over.
    :param paths: one path to each destination of the chosen stone.
    """

    stones: tuple[int, ...] = ()
    turnings: tuple[int, ...] = ()
    paths: tuple[Path, ...] = ()

    @classmethod
    def of(cls, scene: Scene, position: IsisState) -> ChoiceHighlights:
        """Collect the legal moves of the scene that begin with what has been chosen so far."""
        moves = [move for move in scene.legal if move.startswith(scene.focus)]
        chosen = bool(scene.focus) and not scene.focus.startswith(TURN)
        return cls(
            stones=tuple(dict.fromkeys(map(_origin, moves))),
            turnings=tuple(_origin(move) for move in moves if move.startswith(TURN)),
            paths=_gathered(position, moves) if chosen else (),
        )


def _gathered(position: IsisState, moves: Sequence[str]) -> tuple[Path, ...]:
    """Return a path for each move, chosen so that the paths together look like a tree: if possible,
    they enter each square from one side only, so that exactly one visible path leads to each
    destination.
    """
    free = {move: list(position.paths(move)) for move in moves}
    chosen = {move: paths[0] for move, paths in free.items()}
    for _ in range(ROUNDS):
        for move in moves:
            del chosen[move]
            others = {step for path in chosen.values() for step in pairwise(path)}
            chosen[move] = min(free[move], key=partial(_untidiness, others))
    return tuple(chosen.values())


def _untidiness(others: set[tuple[int, int]], path: Path) -> tuple[int, int]:
    """Return how many steps of other paths enter a square that this path enters from a different
    side, and how many of its own steps no other path shares.
    """
    own = set(pairwise(path))
    ends = {end for _, end in own - others}
    return sum(end in ends for _, end in others), len(own - others)


def _origin(move: str) -> int:
    return int(move.removeprefix(TURN).removeprefix(PERSONAL).split("-")[0])


# ------------------------------------------------------------------------------- what has happened
CORNERS = 10
"""Thickness of the corner marks on the frame around the last move."""
ROUND = 26
"""How far from a corner a path begins to bend."""
AT_NIGHT = 0.6
"""Opacity of a stone's ghost on the night sky, where a fainter ghost would look like a dark
smudge.
"""
PIECE = 8
"""How many points of a path are drawn at once."""


def draw_news(canvas: Canvas, position: IsisState, news: News) -> None:
    """Draw the path of the last stone that moved, a frame around the latest square, and ghosts of
    stones that were locked in.
    """
    if news.paths:
        _draw_path(canvas, news.paths[-1])
    if news.latest is not None:
        _light(canvas, news.latest)
        box = cell(news.latest).inset(5)
        canvas.frame(box, radius=6)
        canvas.stamp(
            corner_ticks(round(box.width) + 16, round(box.height) + 16, CORNERS), box.centre
        )
        if news.latest in THRONES and not position.occupied >> news.latest & 1:
            # The match goes on for the next place, and the stone is now in the underworld.
            x, y = stand(news.latest)
            canvas.stamp(throne(STONE - 8), (x, y))
            canvas.stamp(token(position.placed[-1], 34), (x + 9, y - 14))
    if news.paths:
        _draw_arrival(canvas, news.paths[-1], BRIGHT_GOLD)
    for square, owner in news.locked.items():
        if not position.occupied >> square & 1:
            stone = lotus(STONE) if owner is None else jar(owner, position.amulets[owner], STONE)
            canvas.stamp(stone, stand(square), AT_NIGHT if square in HEAVEN else GHOST)
            canvas.cross(stand(square), 50, INK, 10)
            canvas.cross(stand(square), 48, LIGHT, 6)


def _draw_path(canvas: Canvas, path: Sequence[int]) -> None:
    """Draw a golden ribbon that widens towards its end, with a ring at its start and a small
    arrowhead on each square in between, except the last, which is beside the large one.
    """
    points = path_points(path)
    for square, point in zip(path[1:], points[1:], strict=True):
        if square in HEAVEN:  # otherwise the ribbon would run into the stars
            canvas.circle(point, 24, DUSK[0].dark)
    way = rounded(points, ROUND)
    _draw_ribbon(canvas, way, 11, 18, INK)
    _draw_ribbon(canvas, way, 6, 12, STAR)
    for before, point, after in zip(points, points[1:], points[2:-1], strict=False):
        if (onward := _towards(before, point)) == _towards(point, after):
            canvas.stamp(arrowhead(onward, 24, GILT_LIGHT), point)
    _lift_numbers(canvas, path)
    canvas.ring(points[0], 11, 6)


REACH = {(1, 0): 36, (-1, 0): 36, (0, 1): 80, (0, -1): 88}
"""How far before the centre of a stone an arrow ends, by its direction, so that it covers neither
the stone's frame nor the number of the square that the arrow comes from.
"""


def _towards(start: Point, end: Point) -> Way:
    """Return the direction from one square to a neighbour of it."""
    return (end[0] > start[0]) - (end[0] < start[0]), (end[1] > start[1]) - (end[1] < start[1])


def _draw_arrival(canvas: Canvas, path: Sequence[int], colour: Colour, edge: Colour = INK) -> None:
    """Draw a large arrowhead where a path reaches its last square."""
    before, end = path_points(path)[-2:]
    right, down = way = _towards(before, end)
    reach = HEAD / 2 + (0 if path[-1] == UNDERWORLD else REACH[way])
    at = end[0] - right * reach, end[1] - down * reach
    canvas.stamp(arrowhead(way, HEAD, colour, edge), at)


HEAD = 34
"""Length of a large arrowhead."""


@cached
def arrowhead(way: Way, length: int, colour: Colour, edge: Colour = INK) -> Sprite:
    """Return an arrowhead that points in a direction, with its tip half its length from the
    middle.
    """
    canvas = Canvas(round(length * 1.6), round(length * 1.6))
    (x, y), (right, down), half, side = canvas.box.centre, way, length / 2, length * 0.62
    tip = x + right * half, y + down * half
    wings = [
        (tip[0] - right * length - down * out, tip[1] - down * length + right * out)
        for out in (-side, side)
    ]
    canvas.line([wings[0], tip, wings[1], wings[0]], edge, 6)
    canvas.polygon([wings[0], tip, wings[1]], colour)
    return canvas.sprite()


def _draw_ribbon(
    canvas: Canvas, way: Sequence[Point], start: float, end: float, colour: Colour
) -> None:
    """Draw a band that widens from one width to another, piece by piece: each piece needs only a
    small mask, while the box around a whole path is large. The pieces overlap, so that no seams
    show.
    """
    outline = tapered(way, start, end)
    left, right = outline[: len(way)], outline[: len(way) - 1 : -1]
    for n in range(0, len(way) - 1, PIECE):
        piece = slice(max(0, n - 1), n + PIECE + 1)
        canvas.polygon([*left[piece], *reversed(right[piece])], colour)


def path_points(path: Sequence[int]) -> list[Point]:
    """Return the points of a path: in each square, the point where a stone is centred; for the
    underworld, the point behind its door.
    """
    inner = [stand(square) for square in path if square != UNDERWORLD]
    if path[0] == UNDERWORLD:
        return [behind(path[1]), *inner]
    return [*inner, behind(path[-2])] if path[-1] == UNDERWORLD else inner


def _lift_numbers(canvas: Canvas, squares: Iterable[int]) -> None:
    """Draw the numbers again, on top of the lines that cross them."""
    for square in squares:
        if square != UNDERWORLD:
            canvas.stamp(number(square), number_at(square))


def _light(canvas: Canvas, square: int) -> None:
    """Draw a bright patch of ground under a stone."""
    canvas.rect(cell(square).inset(3), DAWN, radius=8)
    canvas.text(number_at(square), str(square), NUMBER, INK)


# ------------------------------------------------------------------------- what may happen
def draw_ways(canvas: Canvas, position: IsisState, choice: ChoiceHighlights) -> None:
    """Draw a bright patch under each stone that can be chosen, and paths from the one that has been
    chosen.
    """
    if not choice.stones:
        return
    colour = SEATS[position.turn].colour
    for square in choice.stones:
        _draw_light(canvas, square, colour, position)
    pieces = {piece for path in choice.paths for piece in pairwise(path_points(path))}
    for width, ink in ((17, SEATS[position.turn].device), (11, colour)):
        for piece in sorted(pieces):
            canvas.line(piece, ink, width)
    _lift_numbers(canvas, sorted({square for path in choice.paths for square in path[1:]}))
    if choice.paths:
        _draw_light(canvas, choice.stones[0], colour, position)


def _draw_light(canvas: Canvas, square: int, colour: Colour, position: IsisState) -> None:
    """Draw a bright patch of ground with a frame in the seat's colour; in the underworld, draw only
    the frame, around the neutral stones, which are to the right of the seats' own stones.
    """
    if square != UNDERWORLD:
        _light(canvas, square)
        canvas.rect(cell(square).inset(1), None, INK, 10, radius=9)
        canvas.rect(cell(square).inset(3), None, colour, 6, radius=8)
        return
    own = position.personal.count(UNDERWORLD)
    together = own + position.below
    left, right = berth(own, together), berth(together - 1, together)
    half = STONE * TALL / 2
    deck = Box(left[0] - 31, left[1] - half - 6, right[0] + 31, right[1] + half + 6)
    canvas.rect(deck, None, LIGHT, 8, radius=12)
    canvas.rect(deck.inset(2), None, colour, 4, radius=10)


def draw_ends(canvas: Canvas, position: IsisState, choice: ChoiceHighlights) -> None:
    """Draw an arrowhead on each destination, and a sign on each stone that may be turned over."""
    for square in choice.turnings:
        x, y = stand(square)
        canvas.stamp(turning(), (x + 18, y + 28))
    style = SEATS[position.turn]
    for path in choice.paths:
        if len(choice.paths) > 1 or path[-1] == UNDERWORLD:
            before, end = path_points(path)[-2:]
            way = _towards(before, end)
            canvas.stamp(arrowhead(way, 40, style.colour, style.device), end)
        else:
            _draw_goal(canvas, position, path)


def _draw_goal(canvas: Canvas, position: IsisState, path: Path) -> None:
    """Draw the only destination of a stone: its pale image in a frame, and an arrowhead."""
    origin, square, style = path[0], path[-1], SEATS[position.turn]
    _light(canvas, square)
    canvas.rect(cell(square).inset(1), None, style.device, 9, radius=9)
    canvas.rect(cell(square).inset(3), None, style.colour, 5, radius=8)
    owner = position.personal.index(origin) if origin in position.personal else None
    stone = lotus(STONE) if owner is None else jar(owner, position.amulets[owner], STONE)
    canvas.stamp(stone, stand(square), 0.6)
    _draw_arrival(canvas, path, style.colour, style.device)
