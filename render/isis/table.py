"""The table: the board with its stones, what has happened, what may happen, the players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import pairwise

from data.texts import N_, Texts
from games.engine import CHANCE
from games.isis import IsisState, position_of
from games.isis.board import PERSONAL, STONES, TURN, UNDERWORLD, Path
from render.canvas import GHOST, Canvas, Sprite, fitted, text_width
from render.geometry import Box, Point, trace
from render.isis.ground import THRONE, ground
from render.isis.look import (
    CAPTION,
    HEADER,
    NIGHT,
    NUMBER,
    PLATES,
    SAND,
    STAR,
    STEPS,
    STONE,
    WORDS,
    behind,
    berth,
    cell,
    ground_of,
    ink_of,
    number_at,
    stand,
)
from render.isis.pieces import draw_amulet, jar, lotus
from render.isis.words import in_danger, personal
from render.names import printed_names
from render.plates import Plate, Said, caption, draw_plate
from render.scene import Scene
from render.theme import INK, LIGHT, SEATS, Colour
from render.words import TO_MOVE, VICTORY

SMALL_STONE = 44, 54
"""Width and height of a stone on a plate."""

STATUS = 58
"""How far the words on a plate stand from its left edge, behind the stone."""

ROUNDS = 3
"""How often the paths that a picture shows are fitted to each other."""

BADGE = 13
"""Radius of a small sign on a stone."""


def draw_table(scene: Scene) -> Canvas:
    """The whole picture."""
    canvas = ground()
    position = position_of(scene.view)
    news, choice = News.of(scene), Choice.of(scene, position)
    _draw_steps(canvas, position, scene.say)
    _draw_news(canvas, position, news)
    _draw_ways(canvas, position, choice)
    _draw_stones(canvas, position)
    _draw_marks(canvas, position, scene)
    _draw_ends(canvas, position, choice)
    _draw_plates(canvas, position, scene)
    caption(canvas, CAPTION, _caption(scene, position), _status(scene))
    return canvas


# ------------------------------------------------------------------------------- the steps
def _draw_steps(canvas: Canvas, position: IsisState, say: Texts) -> None:
    """How far stones have to go from below and in play: on every picture, above all else."""
    room = Box(HEADER.left + 248, HEADER.top, HEADER.right, HEADER.bottom)
    below, in_play = room.columns(2, gap=20)
    steps = position.steps(UNDERWORLD)
    words = say.plural("step from the underworld", "steps from the underworld", steps)
    _steps_plate(canvas, below, str(steps), words, NIGHT, LIGHT)
    steps = position.in_play
    words = say.plural("step for stones in play", "steps for stones in play", steps)
    _steps_plate(canvas, in_play, str(steps), words, SAND, INK)


def _steps_plate(canvas: Canvas, box: Box, steps: str, words: str, colour: str, ink: str) -> None:
    canvas.rect(box, INK, radius=12)
    canvas.rect(box.inset(2), colour, radius=10)
    y = box.centre[1]
    canvas.text((box.left + 44, y), steps, STEPS, ink)
    canvas.text((box.left + 80, y), words, WORDS, ink, "lm")


# ------------------------------------------------------------------------ what has happened
@dataclass(slots=True)
class News:
    """What the picture marks: what has happened since the last one.

    :param paths: the squares that each stone has touched, the last move last.
    :param turned: squares where a stone was turned over.
    :param locked: squares whose stones were sent below, with their owners (None: neutral).
    """

    paths: list[list[int]] = field(default_factory=list)
    turned: list[int] = field(default_factory=list)
    locked: dict[int, int | None] = field(default_factory=dict)

    @classmethod
    def of(cls, scene: Scene) -> News:
        """Gathered from the facts."""
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


def _draw_news(canvas: Canvas, position: IsisState, news: News) -> None:
    """The ways of the stones that moved, and the ghosts of those that were locked in."""
    for path in news.paths:
        _draw_path(canvas, path, newest=path is news.paths[-1] and not news.turned)
    for square in _latest(news):
        _light(canvas, square)
        canvas.frame(cell(square).inset(5), radius=6)
    for square, owner in news.locked.items():
        if not position.occupied >> square & 1:
            canvas.stamp(_stone(position, owner), stand(square), GHOST)
            canvas.cross(stand(square), 44, LIGHT, 5)


def _draw_path(canvas: Canvas, path: Sequence[int], newest: bool) -> None:
    """A dotted line from square to square; that of the newest move is bolder and has a ring where
    it begins.
    """
    points = _points(path)
    radius = 5.5 if newest else 4.0
    canvas.dots(points, INK, radius, spacing=15)
    canvas.dots(points, STAR, radius - 2, spacing=15)
    _rewrite_numbers(canvas, path)
    if newest:
        canvas.ring(points[0], 8, 4)


def _points(path: Sequence[int]) -> list[Point]:
    """Where a path runs: through the feet of the stones, and through the doors."""
    inner = [stand(square) for square in path if square != UNDERWORLD]
    if path[0] == UNDERWORLD:
        return [behind(path[1]), *inner]
    return [*inner, behind(path[-2])] if path[-1] == UNDERWORLD else inner


def _rewrite_numbers(canvas: Canvas, squares: Sequence[int]) -> None:
    """Lift the numbers out of the lines that cross them."""
    for square in squares:
        if square != UNDERWORLD:
            at = number_at(square)
            canvas.rect(Box.at(at, 46, 28), ground_of(square), radius=8)
            canvas.text(at, str(square), NUMBER, ink_of(square))


# ------------------------------------------------------------------------- what may happen
@dataclass(frozen=True, slots=True)
class Choice:
    """What a person who chooses wants to see.

    :param stones: squares of the stones that may be moved or turned over; the chosen one alone
        once it is chosen.
    :param turnings: squares of those that may be turned over.
    :param paths: one path to each destination of the chosen stone.
    """

    stones: tuple[int, ...] = ()
    turnings: tuple[int, ...] = ()
    paths: tuple[Path, ...] = ()

    @classmethod
    def of(cls, scene: Scene, position: IsisState) -> Choice:
        """The legal moves of the scene that begin with its focus."""
        moves = [move for move in scene.legal if move.startswith(scene.focus)]
        chosen = bool(scene.focus) and not scene.focus.startswith(TURN)
        return cls(
            stones=tuple(dict.fromkeys(map(_origin, moves))),
            turnings=tuple(_origin(move) for move in moves if move.startswith(TURN)),
            paths=_gathered(position, moves) if chosen else (),
        )


def _gathered(position: IsisState, moves: Sequence[str]) -> tuple[Path, ...]:
    """One path for each move, chosen so that together they look like a tree: as far as it can be,
    each square is reached from one side only, and so every destination by one visible way.
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
    """How many of its squares a path reaches from another side than others do, and how many of
    its steps no other way uses.
    """
    own = set(pairwise(path))
    ends = {end for _, end in own - others}
    return sum(end in ends for _, end in others), len(own - others)


def _origin(move: str) -> int:
    return int(move.removeprefix(TURN).removeprefix(PERSONAL).split("-")[0])


def _draw_ways(canvas: Canvas, position: IsisState, choice: Choice) -> None:
    """Light under the stones to choose from; from the chosen one a way to each destination."""
    if not choice.stones:
        return
    colour = SEATS[position.turn].colour
    for square in choice.stones:
        _draw_light(canvas, square, colour)
    pieces = {piece for path in choice.paths for piece in pairwise(_points(path))}
    for width, ink in ((9, LIGHT), (5, colour)):
        for piece in sorted(pieces):
            canvas.line(piece, ink, width)
    _rewrite_numbers(canvas, sorted({square for path in choice.paths for square in path[1:]}))
    if choice.paths:
        _draw_light(canvas, choice.stones[0], colour)


def _draw_light(canvas: Canvas, square: int, colour: Colour) -> None:
    """Bright ground with a frame in the colour of the seat."""
    if square != UNDERWORLD:
        _light(canvas, square)
        canvas.rect(cell(square).inset(3), None, colour, 5, radius=8)
        return
    left, right = berth(0, STONES), berth(STONES - 1, STONES)
    deck = Box(left[0] - 36, left[1] - 46, right[0] + 36, right[1] + 46)
    canvas.rect(deck, None, LIGHT, 8, radius=12)
    canvas.rect(deck.inset(2), None, colour, 4, radius=10)


def _light(canvas: Canvas, square: int) -> None:
    """Bright ground under a stone."""
    canvas.rect(cell(square).inset(3), LIGHT, radius=8)
    canvas.text(number_at(square), str(square), NUMBER, INK)


def _draw_ends(canvas: Canvas, position: IsisState, choice: Choice) -> None:
    """A dot on each destination, a sign on each stone that may be turned over."""
    for square in choice.turnings:
        x, y = stand(square)
        canvas.stamp(_turning(), (x + 21, y + 26))
    for path in choice.paths:
        end = _points(path)[-1]
        canvas.circle(end, 17, LIGHT)
        canvas.circle(end, 14, SEATS[position.turn].colour, INK, 2.5)


# -------------------------------------------------------------------------- stones and marks
def _stone(position: IsisState, owner: int | None, size: tuple[int, int] = STONE) -> Sprite:
    """A neutral stone, or the personal stone of a seat."""
    return lotus(*size) if owner is None else jar(owner, position.amulets[owner], *size)


def _deck(position: IsisState) -> list[int | None]:
    """The owners of the stones in the underworld, from left to right."""
    own = [seat for seat, square in enumerate(position.personal) if square == UNDERWORLD]
    return [*own, *[None] * position.below]


def _draw_stones(canvas: Canvas, position: IsisState) -> None:
    for square in position.neutral:
        canvas.stamp(_stone(position, None), stand(square))
    for seat, square in enumerate(position.personal):
        if square > UNDERWORLD:
            canvas.stamp(_stone(position, seat), stand(square))
    deck = _deck(position)
    for n, owner in enumerate(deck):
        canvas.stamp(_stone(position, owner), berth(n, len(deck)))


def _draw_marks(canvas: Canvas, position: IsisState, scene: Scene) -> None:
    """Locks on banned stones, warnings of stones in danger."""
    for x, y in _banned(position):
        canvas.stamp(_lock(), (x + 22, y + 26))
    for square in in_danger(scene, position):
        x, y = stand(square)
        canvas.stamp(_warning(), (x - 21, y + 26))


def _latest(news: News) -> list[int]:
    if news.turned:
        return news.turned[-1:]
    return [news.paths[-1][-1]] if news.paths and news.paths[-1][-1] != UNDERWORLD else []


def _banned(position: IsisState) -> list[Point]:
    """Where the stones stand that may not be moved now."""
    if position.ban != UNDERWORLD:
        return [stand(position.ban)] if position.ban in position.neutral else []
    deck = _deck(position)
    return [berth(n, len(deck)) for n, owner in enumerate(deck) if owner is None]


@lru_cache(maxsize=1)
def _lock() -> Sprite:
    """A small padlock: this stone may not be moved now."""
    canvas = Canvas(28, 34)
    shackle = trace("M 7 17 C 5 1 23 1 21 17")[0]
    canvas.line(shackle, INK, 7)
    canvas.line(shackle, LIGHT, 3)
    canvas.rect(Box(1, 13, 27, 33), INK, radius=5)
    canvas.rect(Box(3, 15, 25, 31), STAR, radius=3)
    canvas.circle((14, 21.5), 3, INK)
    canvas.rect(Box(12.8, 21, 15.2, 28), INK)
    return canvas.sprite()


@lru_cache(maxsize=1)
def _warning() -> Sprite:
    """An arrow down on a disc of night: this stone could be sent below."""
    canvas = Canvas(2 * BADGE + 4, 2 * BADGE + 4)
    centre = BADGE + 2, BADGE + 2
    canvas.circle(centre, BADGE + 2, INK)
    canvas.circle(centre, BADGE, LIGHT)
    canvas.circle(centre, BADGE - 2.5, NIGHT)
    canvas.path(trace("M -2.5 -7 H 2.5 V 0 H 7 L 0 8 L -7 0 H -2.5 Z"), LIGHT, centre=centre)
    return canvas.sprite()


@lru_cache(maxsize=1)
def _turning() -> Sprite:
    """An amulet on a disc of gold: this stone may be turned over."""
    canvas = Canvas(2 * BADGE + 4, 2 * BADGE + 4)
    centre = BADGE + 2, BADGE + 2
    canvas.circle(centre, BADGE + 2, INK)
    canvas.circle(centre, BADGE, STAR)
    draw_amulet(canvas, "ankh", centre, 1.5 * BADGE, INK, STAR)
    return canvas.sprite()


# ----------------------------------------------------------------------------- the players
def _draw_plates(canvas: Canvas, position: IsisState, scene: Scene) -> None:
    view = scene.view
    names = printed_names(scene.names, scene.say)
    winners = view.outcome.winners() if view.outcome and position.placed else ()
    for seat, box in enumerate(PLATES.columns(view.players, gap=14)):
        computer = seat in scene.computers
        plate = Plate(seat, names[seat], seat == position.turn, computer, seat in winners)
        room = draw_plate(canvas, box, plate)
        _draw_standing(canvas, room, position, seat, scene.say)


def _draw_standing(canvas: Canvas, room: Box, position: IsisState, seat: int, say: Texts) -> None:
    """The seat's own stone and where it is; a throne for who has taken one."""
    x, y = room.left + SMALL_STONE[0] / 2, room.centre[1]
    if position.amulets[seat]:
        canvas.stamp(_stone(position, seat, SMALL_STONE), (x, y))
    elif seat in position.placed:
        canvas.path(THRONE, STAR, INK, 2.5, (x, y), 20)
    else:
        canvas.stamp(_stone(position, None, SMALL_STONE), (x, y), GHOST)
    words, width = personal(position, seat, say), room.width - STATUS
    if text_width(words, WORDS) > width:
        words = fitted(_standing(position, seat, say), WORDS, width)
    canvas.text((room.left + STATUS, y), words, WORDS, anchor="lm")


def _standing(position: IsisState, seat: int, say: Texts) -> str:
    """Where the seat's stone is, for a plate without room for more."""
    if not position.turned[seat]:
        return say("no stone yet")
    square = position.personal[seat]
    return say("underworld") if square == UNDERWORLD else say("square {n}", n=square)


# ----------------------------------------------------------------------------- the caption
def _caption(scene: Scene, position: IsisState) -> list[str | Said]:
    """Code, turn, a warning, and the last moves in notation."""
    say, parts = scene.say, [scene.code]
    if not scene.view.outcome:
        cap = scene.view.options["cap"]
        parts.append(say("turn {n} of {cap}", n=position.turns + 1, cap=cap))
    if squares := in_danger(scene, position):
        parts.append(say("in danger: {squares}", squares=", ".join(map(str, squares))))
    moves = [Said(seat, notation(move, say)) for seat, move in scene.moves if seat != CHANCE]
    return [*parts, *moves]


def notation(move: str, say: Texts) -> str:
    """A move as people read it: ``14 → 21``."""
    if move.startswith(TURN):
        return say("turns {square} over", square=move.removeprefix(TURN))
    return move.removeprefix(PERSONAL).replace("-", " → ")


def _status(scene: Scene) -> list[Said]:
    """Who is to move, who has won, or that no one has."""
    view, say = scene.view, scene.say
    if view.outcome:
        if not view.public["placed"]:
            return [Said(None, say(DRAW))]
        return [Said(view.public["placed"][0], say(VICTORY))]
    seat = view.public["turn"]
    return [] if seat is None else [Said(seat, say(TO_MOVE))]


DRAW = N_("draw")
"""Stands in the caption when no one has won."""
