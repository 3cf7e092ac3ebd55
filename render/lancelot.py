"""The pictures of Lancelot: a woven field, round shields for stones, Excalibur in its rock."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from data.texts import N_
from render.canvas import Canvas, Sprite, layer
from render.geometry import Box, Point, trace
from render.names import SEAT_LOOKS, printed_names, spoken_names
from render.plates import Plate, caption, card, draw_plate, title, token
from render.scene import Painter, Picture, Scene, first_fitting
from render.theme import (
    GOLD,
    GRID,
    HOUSE,
    INK,
    LIGHT,
    LINE,
    MARGIN,
    PANEL,
    PARCHMENT,
    SEATS,
    SOFT,
    WIDTH,
    Palette,
    Type,
    mix,
)

HEIGHT = 896
RIM = 40
"""Width of the strip around the field that bears the coordinates."""
BOARD = Box(MARGIN, MARGIN, MARGIN + 780, MARGIN + 780)
SIDE = Box(BOARD.right + 3 * GRID, MARGIN, WIDTH - MARGIN, HEIGHT - MARGIN)
CAPTION_AT = BOARD.left, BOARD.bottom + 28

COLUMNS = "ABCDEFGHIJKLMN"
PLAN = len(COLUMNS)
LARGE_FIELD = 12
"""From this size on the coordinates stand on all four sides."""

COORDINATE = Type("strong", 26)
COUNT = Type("strong", 28)
LABEL = Type("text", 24)

# -- colours of the cloth, the sword and its rock
WEFT, WARP = "#EEDFBA", "#E3D09F"
WEFT_THREAD, WARP_THREAD = "#E4D3A8", "#D8C38D"
SEAM = "#CDB77F"
BLADE, BLADE_SHADE = "#E9EDF0", "#AEB8C0"
ROCK, ROCK_SHADE, ROCK_LIGHT = "#9A9286", "#6F675D", "#B9B2A5"
GHOSTS = [mix(cloth, seat.colour, 0.35) for seat in SEATS for cloth in (WEFT, WARP)]
SHADES = [mix(seat.colour, INK, 0.22) for seat in SEATS]

PALETTE = Palette(
    [
        PARCHMENT,
        INK,
        WEFT,
        WARP,
        *(seat.colour for seat in SEATS),
        LIGHT,
        GOLD,
        *HOUSE,
        WEFT_THREAD,
        WARP_THREAD,
        SEAM,
        *SHADES,
        *GHOSTS,
        BLADE,
        BLADE_SHADE,
        ROCK,
        ROCK_SHADE,
        ROCK_LIGHT,
    ]
)


# ---------------------------------------------------------------------------- the field
@dataclass(frozen=True)
class Field:
    """Where the squares of the field in use lie in the picture.

    :param column: index of its first column on the plan, 0 for A.
    :param row: index of its first row, 0 for row 1.
    :param size: squares along one side.
    """

    column: int
    row: int
    size: int

    @classmethod
    def of(cls, public: Mapping[str, Any]) -> Field:
        """The field that a view describes."""
        corner = public["corners"][0]
        return cls(COLUMNS.index(corner[0]), int(corner[1:]) - 1, public["size"])

    @cached_property
    def cell(self) -> int:
        """Side of a square."""
        return int((BOARD.width - 2 * RIM) // self.size)

    @cached_property
    def box(self) -> Box:
        """The field in use."""
        return Box.at(BOARD.centre, self.cell * self.size)

    def square(self, column: int, row: int) -> Box:
        """A square of the plan, also of its part beyond the field."""
        left = self.box.left + (column - self.column) * self.cell
        bottom = self.box.bottom - (row - self.row) * self.cell
        return Box(left, bottom - self.cell, left + self.cell, bottom)

    def centre(self, name: str) -> Point:
        """The middle of a square by its name."""
        return self.square(COLUMNS.index(name[0]), int(name[1:]) - 1).centre

    @property
    def stone(self) -> int:
        """Diameter of a stone."""
        return round(self.cell * 0.84)


@layer
def _ground(field: Field, heading: str) -> Canvas:
    """All that does not change during a match."""
    canvas = card(HEIGHT)
    _weave(canvas, field)
    _coordinates(canvas, field)
    title(canvas, Box(SIDE.left, SIDE.top, SIDE.right, SIDE.top + 40), heading)
    return canvas


def _weave(canvas: Canvas, field: Field) -> None:
    """The plan as far as the board shows it, of which only the field stays bright."""
    cloth = Canvas(int(BOARD.width), int(BOARD.height), PARCHMENT)
    reach = range(-1, field.size + 1)
    for column in (field.column + step for step in reach):
        for row in (field.row + step for step in reach):
            if column in range(PLAN) and row in range(PLAN):
                square = field.square(column, row).moved(-BOARD.left, -BOARD.top)
                _square(cloth, square, weft=(column + row) % 2 == 0)
    _fade(cloth, field.box.moved(-BOARD.left, -BOARD.top))
    canvas.stamp(cloth.sprite(), BOARD.centre)
    canvas.rect(field.box.inset(-3), None, INK, 3, radius=3)


def _square(canvas: Canvas, box: Box, weft: bool) -> None:
    canvas.rect(box, WEFT if weft else WARP)
    threads = 5
    step = box.width / threads
    for n in range(threads):
        at = (n + 0.5) * step
        thread = (
            Box(box.left + 3, box.top + at - 1, box.right - 3, box.top + at + 1)
            if weft
            else Box(box.left + at - 1, box.top + 3, box.left + at + 1, box.bottom - 3)
        )
        canvas.rect(thread, WEFT_THREAD if weft else WARP_THREAD)
    canvas.rect(box, None, SEAM, 1)


def _fade(canvas: Canvas, field: Box) -> None:
    """Let the plan beyond the field sink into the parchment, a little more with every step."""
    steps = 5
    for step in range(steps):
        hole, edge = field.inset(-RIM * step / steps), canvas.box
        for strip in (
            Box(edge.left, edge.top, edge.right, hole.top),
            Box(edge.left, hole.bottom, edge.right, edge.bottom),
            Box(edge.left, hole.top, hole.left, hole.bottom),
            Box(hole.right, hole.top, edge.right, hole.bottom),
        ):
            canvas.rect(strip, PARCHMENT, opacity=0.42)


def _coordinates(canvas: Canvas, field: Field) -> None:
    """Letters below and numbers on the left; on a large field all round."""
    all_round = field.size >= LARGE_FIELD
    gap, height = 10, RIM / 2 + 3
    for n in range(field.size):
        x, y = field.square(field.column + n, field.row + n).centre
        letter, number = COLUMNS[field.column + n], str(field.row + n + 1)
        canvas.text((x, field.box.bottom + height), letter, COORDINATE, SOFT)
        canvas.text((field.box.left - gap, y), number, COORDINATE, SOFT, "rm")
        if all_round:
            canvas.text((x, field.box.top - height), letter, COORDINATE, SOFT)
            canvas.text((field.box.right + gap, y), number, COORDINATE, SOFT, "lm")


# --------------------------------------------------------------------------- the pieces
@lru_cache(maxsize=16)
def _excalibur(size: int) -> Sprite:
    """An upright sword in a rock, drawn in a square of 100 by 100."""
    canvas = Canvas(size, size)
    scale = size / 100

    def part(path: str, fill: str, width: float = 0) -> None:
        outline = INK if width else None
        canvas.path(trace(path), fill, outline, width * scale, scale=scale)

    part("M 8 92 C 8 72 22 62 38 60 C 46 54 66 55 72 62 C 86 66 94 78 92 92 Z", ROCK, 5)
    part("M 44 92 L 56 74 L 74 70 C 84 74 90 82 89 90 L 89 92 Z", ROCK_SHADE)
    part("M 18 78 C 22 70 30 66 38 65 L 32 74 Z", ROCK_LIGHT)
    part("M 43 30 L 57 30 L 57 70 L 50 74 L 43 70 Z", BLADE, 4.5)
    part("M 50 30 L 56 30 L 56 69 L 50 72 Z", BLADE_SHADE)
    part("M 26 24 L 74 24 L 74 33 L 26 33 Z", GOLD, 4.5)
    part("M 46 10 L 54 10 L 54 24 L 46 24 Z", INK, 3)
    canvas.circle((50 * scale, 9 * scale), 6.5 * scale, GOLD, INK, 3 * scale)
    return canvas.sprite()


@lru_cache(maxsize=64)
def _trophy(seat: int | None, size: int) -> Sprite:
    """A small shield: taken, or an empty place for one."""
    canvas = Canvas(size, size)
    outline = trace("M 12 10 H 88 V 50 C 88 72 70 84 50 93 C 30 84 12 72 12 50 Z")
    scale = size / 100
    if seat is None:
        canvas.path(outline, PANEL, LINE, 1.5, scale=scale)
    else:
        canvas.path(outline, SEATS[seat].colour, INK, 2, scale=scale)
    return canvas.sprite()


# ------------------------------------------------------------------------- what happened
@dataclass(frozen=True, slots=True)
class News:
    """What the picture marks: the moves since the last one."""

    placed: tuple[str, ...]
    taken: tuple[tuple[str, int], ...]
    sword_from: str | None
    sword_to: str | None

    @classmethod
    def of(cls, scene: Scene) -> News:
        """Gathered from the facts."""
        placed: list[str] = []
        taken: dict[str, int] = {}
        sword_from = sword_to = None
        for fact in scene.facts:
            data = fact.data
            if fact.kind == "placed":
                placed.append(data["square"])
                taken.pop(data["square"], None)
            elif fact.kind == "captured":
                taken.update(zip(data["squares"], data["owners"], strict=True))
            elif fact.kind in ("sword_set", "sword_moved"):
                sword_from, sword_to = data.get("origin"), data["square"]
        return cls(tuple(placed), tuple(taken.items()), sword_from, sword_to)


# ---------------------------------------------------------------------------- the painter
class LancelotPainter(Painter):
    """Draws the table; nothing in Lancelot is hidden, so there are no hands."""

    def board(self, scene: Scene) -> Picture:
        """The field, the plates and the last moves."""
        public = scene.view.public
        field = Field.of(public)
        canvas = _ground(field, "Lancelot")
        _draw_pieces(canvas, field, public, News.of(scene))
        _draw_targets(canvas, field, scene)
        _draw_plates(canvas, scene)
        caption(canvas, CAPTION_AT, _caption(scene), BOARD.width)
        return Picture("lancelot.png", canvas.png(PALETTE), _description(scene))

    def text(self, scene: Scene) -> str:
        """The field as a grid, then all that stands beside it."""
        return "\n".join([*_grid(scene), "", *_lists(scene)])


def _draw_pieces(canvas: Canvas, field: Field, public: Mapping[str, Any], news: News) -> None:
    board = public["board"]
    for square, owner in news.taken:
        if square not in board and square != public["excalibur"]:
            canvas.ghost(token(owner, field.stone), field.centre(square))
    if news.sword_from and news.sword_to:
        way = [field.centre(news.sword_from), field.centre(news.sword_to)]
        canvas.dots(way, GOLD, radius=4, spacing=14)
    for square, seat in board.items():
        canvas.stamp(token(seat, field.stone), field.centre(square))
    if public["excalibur"]:
        canvas.stamp(_excalibur(round(field.cell * 0.9)), field.centre(public["excalibur"]))
    for square in news.placed:
        if square in board:
            canvas.ring(field.centre(square), field.stone / 2)


def _draw_targets(canvas: Canvas, field: Field, scene: Scene) -> None:
    seat = scene.view.public["turn"]
    if seat is None:
        return
    for square in _targets(scene):
        radius = max(7.0, field.cell * 0.14)
        canvas.circle(field.centre(square), radius, SEATS[seat].colour, INK, 2)


def _targets(scene: Scene) -> list[str]:
    """The squares that ``scene.legal`` names: Excalibur's if the focus or nothing else asks so."""
    wanted = [move for move in scene.legal if move.startswith(scene.focus)]
    swords = [move[2:] for move in wanted if move.startswith("X:")]
    stones = [move for move in wanted if move[0] in COLUMNS and move[1:].isdigit()]
    return stones or swords


def _draw_plates(canvas: Canvas, scene: Scene) -> None:
    view, public = scene.view, scene.view.public
    names = printed_names(scene.names, scene.say)
    winners = view.outcome.winners() if view.outcome else ()
    area = Box(SIDE.left, SIDE.top + 56, SIDE.right, SIDE.bottom)
    height = min(160, (area.height - 10 * (view.players - 1)) / view.players)
    for seat in range(view.players):
        top = area.top + seat * (height + 10)
        plate = Plate(
            seat,
            names[seat],
            to_move=seat == public["turn"],
            computer=seat in scene.computers,
            winner=seat in winners,
        )
        room = draw_plate(canvas, Box(area.left, top, area.right, top + height), plate)
        _draw_counters(canvas, room, scene, seat)


def _draw_counters(canvas: Canvas, room: Box, scene: Scene, seat: int) -> None:
    public = scene.view.public
    captured, goal = public["captured"][seat], public["goal"]
    upper, lower = room.rows(2)
    y = upper.centre[1]
    step = min(26.0, (upper.width - 40) / max(goal, captured))
    for n in range(max(goal, captured)):
        shield = _trophy(seat if n < captured else None, 24)
        canvas.stamp(shield, (upper.left + 12 + n * step, y))
    y = lower.centre[1]
    canvas.stamp(token(seat, 26), (lower.left + 13, y))
    canvas.text((lower.left + 36, y), str(public["stock"][seat]), COUNT, anchor="lm")
    canvas.text((lower.right, y), f"{captured}/{goal}", COUNT, anchor="rm")
    if public["power"][seat]:
        canvas.circle((lower.centre[0], y), 13, LIGHT, INK, 2)


def _caption(scene: Scene) -> list[str]:
    """Code and the last moves in notation, with the number of stones they took."""
    names = printed_names(scene.names, scene.say)
    parts = [scene.code]
    for seat, events in groupby((event for event in scene.moves if event[0] >= 0), itemgetter(0)):
        taken = sum(
            len(fact.data["squares"])
            for fact in scene.facts
            if fact.kind == "captured" and fact.data["seat"] == seat
        )
        notation = " ".join(move for _, move in events)
        parts.append(f"{names[seat]} {notation}" + (f" ×{taken}" if taken else ""))
    return [parts[0], *parts[1:][-2:]]


# --------------------------------------------------------------------------- description
def _description(scene: Scene) -> str:
    """The position in words: the stones square by square, if need be gathered by columns."""
    names = spoken_names(scene.names, scene.say)
    short = [name if len(name) <= 12 else name[:11] + "…" for name in names]
    return first_fitting(
        " ".join(sentence for sentence in sentences if sentence)
        for sentences in (
            [*_opening(scene, names), *_news(scene, names), *_sides(scene, names, _listed)],
            [*_opening(scene, names), *_news(scene, names), *_sides(scene, names, _gathered)],
            [*_opening(scene, short), *_sides(scene, short, _gathered)],
            [_turn(scene, short), *_bare_sides(scene, short)],
        )
    )


def _opening(scene: Scene, names: Sequence[str]) -> Iterator[str]:
    say, public = scene.say, scene.view.public
    yield say("Lancelot, table {code}.", code=scene.code) if scene.code else "Lancelot."
    yield _turn(scene, names)
    first, last = public["corners"]
    yield say.plural(
        "Field {first} to {last}; {n} captured stone wins.",
        "Field {first} to {last}; {n} captured stones win.",
        public["goal"],
        first=first,
        last=last,
    )
    if public["excalibur"]:
        yield say("Excalibur on {square}.", square=public["excalibur"])


def _turn(scene: Scene, names: Sequence[str]) -> str:
    view, say = scene.view, scene.say
    if view.outcome:
        winners = [names[seat] for seat in view.outcome.winners()]
        if len(winners) == 1:
            return say("{name} has won.", name=winners[0])
        return say("Shared victory: {names}.", names=say.list(winners))
    seat = view.public["turn"]
    if seat is None:
        return say("The starting player is being drawn.")
    return say(_TURNS[view.phase], name=names[seat])


_TURNS = {
    "turn": N_("{name} is to move."),
    "sword": N_("{name} is to set Excalibur on the field."),
    "stone": N_("{name} has moved Excalibur and is to place a stone."),
}


def _news(scene: Scene, names: Sequence[str]) -> Iterator[str]:
    """What has happened since the last picture."""
    say = scene.say
    for fact in scene.facts:
        data = fact.data
        name = names[data["seat"]] if "seat" in data else ""
        match fact.kind:
            case "placed":
                yield say("{name} placed a stone on {square}.", name=name, square=data["square"])
            case "captured":
                squares = say.list(data["squares"])
                yield say("{name} captured {squares}.", name=name, squares=squares)
            case "sword_moved" | "sword_set":
                yield say("{name} put Excalibur on {square}.", name=name, square=data["square"])
            case "passed":
                yield say("{name} passed.", name=name)


def _sides(
    scene: Scene, names: Sequence[str], squares: Callable[[list[str]], str]
) -> Iterator[str]:
    """One sentence per seat: its counters and its stones."""
    say, public = scene.say, scene.view.public
    for seat, name in enumerate(names):
        counters = [
            say.plural("{n} captured", "{n} captured", public["captured"][seat]),
            say.plural("{n} in stock", "{n} in stock", public["stock"][seat]),
        ]
        if public["power"][seat]:
            counters.append(say("King's power unused"))
        own = _stones(public, seat)
        yield say(
            "{name} ({look}): {counters}; stones {squares}.",
            name=name,
            look=say(SEAT_LOOKS[seat]),
            counters=", ".join(counters),
            squares=squares(own) if own else say("none"),
        )


def _bare_sides(scene: Scene, names: Sequence[str]) -> Iterator[str]:
    public = scene.view.public
    if public["excalibur"]:
        yield f"Excalibur {public['excalibur']}."
    for seat, name in enumerate(names):
        counters = f"{public['captured'][seat]}/{public['goal']}, {public['stock'][seat]}"
        yield f"{name} {counters}: {_gathered(_stones(public, seat))}."


def _stones(public: Mapping[str, Any], seat: int) -> list[str]:
    """The squares of a seat's stones, column by column."""
    own = [square for square, owner in public["board"].items() if owner == seat]
    return sorted(own, key=lambda square: (square[0], int(square[1:])))


def _listed(squares: list[str]) -> str:
    return ", ".join(squares)


def _gathered(squares: list[str]) -> str:
    """``A1,2,5 C3``: the letter of a column once, then its rows."""
    columns = groupby(squares, itemgetter(0))
    return " ".join(letter + ",".join(s[1:] for s in column) for letter, column in columns)


# --------------------------------------------------------------------------------- text
def _grid(scene: Scene) -> Iterator[str]:
    """The field in figures: each stone by the number of its seat, Excalibur as X."""
    public = scene.view.public
    field = Field.of(public)
    letters = COLUMNS[field.column : field.column + field.size]
    header = "    " + " ".join(letters)
    yield header
    for row in range(field.row + field.size, field.row, -1):
        pieces = (_figure(public, f"{letter}{row}") for letter in letters)
        yield f"{row:>3} " + " ".join(pieces) + f" {row}"
    yield header


def _figure(public: Mapping[str, Any], square: str) -> str:
    if square == public["excalibur"]:
        return "X"
    seat = public["board"].get(square)
    return "." if seat is None else str(seat + 1)


def _lists(scene: Scene) -> Iterator[str]:
    names = spoken_names(scene.names, scene.say)
    yield from _opening(scene, names)
    yield from _news(scene, names)
    yield ""
    for seat, side in enumerate(_sides(scene, names, _listed)):
        yield f"{seat + 1} {SEATS[seat].sign} {side}"
