"""The pictures of Lancelot: a woven field, round shields for stones, Excalibur in its rock."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from data.texts import N_
from games.engine import Fact
from render.canvas import GHOST, Canvas, Sprite, layer
from render.geometry import Box, Point, arc, trace
from render.names import printed_names, spoken_names
from render.plates import (
    CROWN,
    Plate,
    Said,
    caption,
    card,
    draw_plate,
    pointer,
    title,
    token,
)
from render.scene import Painter, Picture, Scene, first_fitting
from render.theme import (
    GOLD,
    GRID,
    HOUSE,
    HOUSE_EDGES,
    INK,
    LIGHT,
    LINE,
    MARGIN,
    PANEL,
    PARCHMENT,
    SEAT_COLOURS,
    SEAT_EDGES,
    SEATS,
    SOFT,
    WIDTH,
    Colour,
    Palette,
    Type,
    mix,
)
from render.words import SEAT_LOOKS, TO_MOVE, VICTORY, standing

HEIGHT = 896
RIM = 40
"""Width of the strip around the field that bears the coordinates."""
BOARD = Box(MARGIN, MARGIN, MARGIN + 780, MARGIN + 780)
SIDE = Box(BOARD.right + 4 * GRID, MARGIN, WIDTH - MARGIN, HEIGHT - MARGIN)
CAPTION = Box(BOARD.left, BOARD.bottom + 8, BOARD.right, HEIGHT - MARGIN)

COLUMNS = "ABCDEFGHIJKLMN"
PLAN = len(COLUMNS)
LARGE_FIELD = 12
"""From this size on the coordinates stand on all four sides."""

ONE_RANK = 12
"""More trophies than this stand in two ranks."""

COORDINATE = Type("strong", 26)
COUNT = Type("strong", 28)

# -- colours of the cloth, the sword and its rock
SINKING = (0.45, 0.6, 0.75, 0.87, 0.95)
"""How far the plan beyond the field has sunk into the parchment, from the field outwards."""

WEFT, WARP = "#EEDFBA", "#E3D09F"
WEFT_THREAD, WARP_THREAD = "#E4D3A8", "#D8C38D"
SEAM = "#CDB77F"


class Metal(NamedTuple):
    """The colours of a sword in its rock."""

    blade: Colour = "#E9EDF0"
    blade_shade: Colour = "#AEB8C0"
    hilt: Colour = GOLD
    rock: Colour = "#9A9286"
    rock_shade: Colour = "#6F675D"
    rock_light: Colour = "#B9B2A5"
    ink: Colour = INK


STEEL = Metal()
WATERMARK = Metal(
    blade=mix(PARCHMENT, PANEL, 0.2),
    blade_shade=mix(PARCHMENT, PANEL, 0.9),
    hilt=mix(PARCHMENT, PANEL, 0.9),
    rock=mix(PARCHMENT, PANEL, 0.7),
    rock_shade=PANEL,
    rock_light=mix(PARCHMENT, PANEL, 0.3),
    ink=mix(PARCHMENT, LINE, 0.9),
)

CLOTHS = (WEFT, WARP)
TRAIL = mix(WARP, GOLD, 0.75)
"""A line that has taken stones."""
SUNK = [
    mix(colour, PARCHMENT, share)
    for share in SINKING
    for colour in (WEFT, WARP, WEFT_THREAD, WARP_THREAD, SEAM)
]
GHOSTS = [mix(cloth, seat.colour, GHOST) for seat in SEATS for cloth in CLOTHS]
PALETTE = Palette(
    [
        *HOUSE,
        *SEAT_COLOURS,
        *(WEFT, WARP, WEFT_THREAD, WARP_THREAD, SEAM),
        *STEEL,
        *WATERMARK,
        TRAIL,
        *GHOSTS,
        *SUNK,
    ],
    [
        *((INK, cloth) for cloth in CLOTHS),
        *HOUSE_EDGES,
        *SEAT_EDGES,
        *((GOLD, cloth) for cloth in CLOTHS),
        *((INK, colour) for colour in STEEL[:5]),
        *((WATERMARK.ink, colour) for colour in (PARCHMENT, WATERMARK.blade, WATERMARK.rock)),
    ],
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

    def holds(self, column: int, row: int) -> bool:
        """Whether a square of the plan belongs to the field in use."""
        return 0 <= column - self.column < self.size and 0 <= row - self.row < self.size

    def named(self, name: str) -> Box:
        """A square by its name."""
        return self.square(COLUMNS.index(name[0]), int(name[1:]) - 1)

    def centre(self, name: str) -> Point:
        """The middle of a square by its name."""
        return self.named(name).centre

    def line(self, kind: str, name: str) -> tuple[Point, Point]:
        """The ends of a line, named as the facts name it: ``K``, ``7`` or ``D4-K11``."""
        last_column, last_row = COLUMNS[self.column + self.size - 1], self.row + self.size
        if kind == "column":
            return self.centre(f"{name}{self.row + 1}"), self.centre(f"{name}{last_row}")
        if kind == "row":
            return self.centre(f"{COLUMNS[self.column]}{name}"), self.centre(f"{last_column}{name}")
        first, last = name.split("-")
        return self.centre(first), self.centre(last)

    @property
    def stone(self) -> int:
        """Diameter of a stone."""
        return round(self.cell * 0.86)


@layer
def _ground(field: Field, players: int) -> Canvas:
    """All that does not change during a match."""
    canvas = card(HEIGHT)
    _weave(canvas, field)
    _coordinates(canvas, field)
    title(canvas, Box(SIDE.left, SIDE.top, SIDE.right, SIDE.top + 40), "Lancelot")
    plates = _plates(players)
    _round_table(canvas, Box(SIDE.left, plates[-1].bottom, SIDE.right, SIDE.bottom))
    return canvas


def _round_table(canvas: Canvas, room: Box) -> None:
    """A watermark where the side has room: the round table with Excalibur on it."""
    radius = min(room.width, room.height) / 2 - 24
    if radius < 80:
        return
    wedges = 24
    for n in range(0, wedges, 2):
        edge = arc(room.centre, radius, n / wedges, (n + 1) / wedges)
        canvas.polygon([room.centre, *edge], WATERMARK.rock_light)
    canvas.circle(room.centre, radius + 6, None, WATERMARK.rock_shade, 3)
    canvas.circle(room.centre, radius, None, WATERMARK.rock_shade, 1.5)
    canvas.circle(room.centre, radius * 0.62, PARCHMENT, WATERMARK.rock_shade, 1.5)
    canvas.stamp(_excalibur(round(radius * 0.86), WATERMARK), room.centre)


def _weave(canvas: Canvas, field: Field) -> None:
    """The plan as far as the board shows it: bright in the field, sinking into the paper beyond."""
    frame = field.box
    for step in range(len(SINKING), -1, -1):
        shown = frame.inset(-RIM * step / len(SINKING))
        cloth = _cloth(field, SINKING[step - 1] if step else 0.0)
        canvas.inlay(cloth, BOARD, shown)
    canvas.rect(frame.inset(-4), None, INK, 4, radius=4)
    canvas.rect(frame, None, GOLD, 1.5)


def _cloth(field: Field, sunk: float) -> Canvas:
    """The field, or the part of the plan around it that has ``sunk`` (0..1) into the parchment."""
    canvas = Canvas(int(BOARD.width), int(BOARD.height), PARCHMENT)
    for column in range(max(0, field.column - 1), min(PLAN, field.column + field.size + 1)):
        for row in range(max(0, field.row - 1), min(PLAN, field.row + field.size + 1)):
            if field.holds(column, row) != bool(sunk):
                box = field.square(column, row).moved(-BOARD.left, -BOARD.top)
                _square(canvas, box, (column + row) % 2 == 0, sunk)
    return canvas


def _square(canvas: Canvas, box: Box, weft: bool, sunk: float) -> None:
    """One square: threads that run across in every other one and upwards in the rest."""
    cloth, thread = (WEFT, WEFT_THREAD) if weft else (WARP, WARP_THREAD)
    canvas.rect(box, mix(cloth, PARCHMENT, sunk))
    threads = 5
    for n in range(threads):
        at = (n + 0.5) * box.width / threads
        strand = (
            Box(box.left + 3, box.top + at - 1, box.right - 3, box.top + at + 1)
            if weft
            else Box(box.left + at - 1, box.top + 3, box.left + at + 1, box.bottom - 3)
        )
        canvas.rect(strand, mix(thread, PARCHMENT, sunk))
    canvas.rect(box, None, mix(SEAM, PARCHMENT, sunk), 1)


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
def _excalibur(size: int, metal: Metal = STEEL) -> Sprite:
    """An upright sword in a rock, drawn in a square of 100 by 100."""
    canvas = Canvas(size, size)
    scale = size / 100

    def part(path: str, fill: Colour, width: float = 0) -> None:
        outline = metal.ink if width else None
        canvas.path(trace(path), fill, outline, width * scale, scale=scale)

    part("M 7 97 C 5 84 17 75 32 74 C 40 67 62 67 70 74 C 84 76 95 84 93 97 Z", metal.rock, 5)
    part("M 46 94 L 56 82 L 74 77 C 84 79 90 85 90 94 Z", metal.rock_shade)
    part("M 16 88 C 19 82 26 78 33 77 L 28 85 Z", metal.rock_light)
    part("M 41 30 H 59 V 78 L 50 82 L 41 78 Z", metal.blade, 5)
    part("M 50 32 H 57 V 77 L 50 80 Z", metal.blade_shade)
    part("M 22 26 Q 50 20 78 26 V 35 Q 50 30 22 35 Z", metal.hilt, 5)
    part("M 45 10 H 55 V 25 H 45 Z", metal.ink, 4)
    canvas.circle((50 * scale, 8.5 * scale), 8 * scale, metal.hilt, metal.ink, 3.5 * scale)
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


@lru_cache(maxsize=2)
def _power(size: int) -> Sprite:
    """The white marker of the King's power, with a crown."""
    canvas = Canvas(size, size)
    centre = size / 2, size / 2
    canvas.circle(centre, size / 2, LIGHT, INK, 2)
    canvas.path(CROWN, GOLD, INK, 1.5, centre, size * 0.27)
    return canvas.sprite()


# ------------------------------------------------------------------------- what happened
@dataclass(slots=True)
class News:
    """What the picture marks: the moves since the last one.

    :param placed: the squares of new stones, the newest last.
    :param latest: the squares that the last turn changed: its stone, and Excalibur if it moved.
    :param taken: square of each stone taken and its seat.
    :param lines: kind and name of each line that took stones.
    :param sword_way: where Excalibur came from and went to.
    """

    placed: list[str] = field(default_factory=list)
    latest: list[str] = field(default_factory=list)
    taken: dict[str, int] = field(default_factory=dict)
    lines: list[tuple[str, str]] = field(default_factory=list)
    sword_way: tuple[str, str] | None = None

    @classmethod
    def of(cls, scene: Scene) -> News:
        """Gathered from the facts; from the position itself where Excalibur has just moved."""
        news, public = cls(), scene.view.public
        if public["lifted"]:
            news.sword_way = public["lifted"], public["excalibur"]
            news.latest = [public["excalibur"]]
        mover = None
        for fact in scene.facts:
            if fact.kind in ("placed", "sword_set", "sword_moved"):
                if fact.data["seat"] != mover:
                    mover, news.latest = fact.data["seat"], []
                news._add_move(fact)
            elif fact.kind == "captured":
                news._add_capture(fact)
        return news

    def _add_move(self, fact: Fact) -> None:
        square = fact.data["square"]
        self.latest.append(square)
        self.taken.pop(square, None)
        if fact.kind == "placed":
            self.placed.append(square)
        elif fact.kind == "sword_moved":
            self.sword_way = fact.data["origin"], square

    def _add_capture(self, fact: Fact) -> None:
        data = fact.data
        self.taken |= zip(data["squares"], data["owners"], strict=True)
        self.lines += [(line["line"], line["name"]) for line in data["lines"] if line["squares"]]


# ---------------------------------------------------------------------------- the painter
class LancelotPainter(Painter):
    """Draws the table; nothing in Lancelot is hidden, so there are no hands."""

    def board(self, scene: Scene) -> Picture:
        """The field, the plates and the last moves."""
        public = scene.view.public
        field = Field.of(public)
        canvas = _ground(field, scene.view.players)
        _draw_pieces(canvas, field, public, News.of(scene))
        _draw_targets(canvas, field, scene)
        _draw_plates(canvas, scene)
        caption(canvas, CAPTION, _caption(scene), _status(scene))
        return Picture("lancelot.png", canvas.png(PALETTE), _description(scene))

    def text(self, scene: Scene) -> str:
        """The field as a grid, then all that stands beside it."""
        return "\n".join([*_grid(scene), "", *_lists(scene)])


def _draw_pieces(canvas: Canvas, field: Field, public: Mapping[str, Any], news: News) -> None:
    board = public["board"]
    for square in news.latest:
        canvas.rect(field.named(square).inset(1), LIGHT)
    for kind, name in news.lines:
        canvas.line(field.line(kind, name), TRAIL, 3)
    for square, owner in news.taken.items():
        canvas.ghost(token(owner, field.stone), field.centre(square))
    if news.sword_way:
        canvas.dots([field.centre(square) for square in news.sword_way], GOLD, 4, spacing=14)
    for square, seat in board.items():
        canvas.stamp(token(seat, field.stone), field.centre(square))
        if square in news.placed:
            weight = 4 if square in news.latest else 2
            canvas.ring(field.centre(square), field.stone / 2 - 1, weight)
    if public["excalibur"]:
        canvas.stamp(_excalibur(round(field.cell * 0.94)), field.centre(public["excalibur"]))


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
    view, turn = scene.view, scene.view.public["turn"]
    names = printed_names(scene.names, scene.say)
    winners = view.outcome.winners() if view.outcome else ()
    for seat, box in enumerate(_plates(view.players)):
        computer = seat in scene.computers
        plate = Plate(seat, names[seat], seat == turn, computer, seat in winners)
        room = draw_plate(canvas, box, plate)
        _draw_counters(canvas, room, scene, seat)
        if seat == turn:
            pointer(canvas, (box.left - 20, box.top + 27), seat)


def _plates(players: int) -> list[Box]:
    """Where the plates lie, one below the other."""
    top, gap = SIDE.top + 56, 10
    height = min(160.0, (SIDE.bottom - top - gap * (players - 1)) / players)
    return Box(SIDE.left, top, SIDE.right, top + players * (height + gap) - gap).rows(players, gap)


def _draw_counters(canvas: Canvas, room: Box, scene: Scene, seat: int) -> None:
    """Trophies won and missing above; stock, King's power and the score below."""
    public = scene.view.public
    captured, goal = public["captured"][seat], public["goal"]
    upper, lower = room.rows(2)
    _draw_trophies(canvas, upper, seat, captured, goal)
    y = lower.centre[1]
    canvas.stamp(token(seat, 28), (lower.left + 14, y))
    stock = canvas.text((lower.left + 36, y), str(public["stock"][seat]), COUNT, anchor="lm")
    if public["power"][seat]:
        canvas.stamp(_power(32), (stock.right + 34, y))
    canvas.text((lower.right, y), f"{captured}/{goal}", COUNT, anchor="rm")


def _draw_trophies(canvas: Canvas, room: Box, seat: int, captured: int, goal: int) -> None:
    """A small shield for each stone taken and an empty place for each that is missing."""
    places = max(captured, goal)
    ranks = room.rows(1 if places <= ONE_RANK else 2)
    per_rank = -(-places // len(ranks))
    step = min(38.0, room.width / per_rank)
    size = round(min(step * 0.86, ranks[0].height * 0.86))
    for n in range(places):
        rank = ranks[n // per_rank]
        centre = rank.left + size / 2 + n % per_rank * step, rank.centre[1]
        canvas.stamp(_trophy(seat if n < captured else None, size), centre)


def _caption(scene: Scene) -> list[str | Said]:
    """Code, modules and the last moves in notation, with the number of stones they took."""
    moves: list[Said] = []
    for seat, events in groupby((event for event in scene.moves if event[0] >= 0), itemgetter(0)):
        taken = sum(
            len(fact.data["squares"])
            for fact in scene.facts
            if fact.kind == "captured" and fact.data["seat"] == seat
        )
        notation = " ".join(move for _, move in events)
        moves.append(Said(seat, notation + (f" ×{taken}" if taken else "")))
    module = scene.say("diagonals") if scene.view.options["diagonals"] else ""
    return [scene.code, module, *moves]


def _status(scene: Scene) -> list[Said]:
    """Who is to move and what is due, or who has won."""
    view, say = scene.view, scene.say
    if view.outcome:
        *others, last = view.outcome.winners()
        return [*(Said(seat, "") for seat in others), Said(last, say(VICTORY))]
    seat = view.public["turn"]
    return [] if seat is None else [Said(seat, say(_STATUS[view.phase]))]


_STATUS = {
    "turn": TO_MOVE,
    "sword": N_("sets Excalibur"),
    "stone": N_("places a stone"),
}


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
        "Field {first} to {last}; {n} stone taken wins.",
        "Field {first} to {last}; {n} stones taken win.",
        public["goal"],
        first=first,
        last=last,
    )
    if public["excalibur"]:
        yield say("Excalibur stands on {square}.", square=public["excalibur"])


def _turn(scene: Scene, names: Sequence[str]) -> str:
    view = scene.view
    if view.phase in _DUE:
        return scene.say(_DUE[view.phase], name=names[view.public["turn"]])
    return standing(view, names, scene.say)


_DUE = {
    "sword": N_("{name} is to set Excalibur."),
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
                yield say("{name} places a stone on {square}.", name=name, square=data["square"])
            case "captured":
                yield say("{name} takes {squares}.", name=name, squares=say.list(data["squares"]))
            case "sword_set":
                yield say("{name} sets Excalibur on {square}.", name=name, square=data["square"])
            case "sword_moved":
                where = {"origin": data["origin"], "square": data["square"]}
                yield say("Excalibur moves from {origin} to {square}.", **where)
            case "passed":
                yield say("{name} passes.", name=name)


def _sides(
    scene: Scene, names: Sequence[str], squares: Callable[[list[str]], str]
) -> Iterator[str]:
    """One sentence per seat: its counters and its stones."""
    say, public = scene.say, scene.view.public
    for seat, name in enumerate(names):
        counters = [
            say("{n} taken", n=public["captured"][seat]),
            say("{n} in stock", n=public["stock"][seat]),
        ]
        if public["power"][seat]:
            counters.append(say("King's power unused"))
        side = {"name": name, "look": say(SEAT_LOOKS[seat]), "counters": ", ".join(counters)}
        if own := _stones(public, seat):
            yield say(
                "{name} ({look}): {counters}; stones {squares}.", **side, squares=squares(own)
            )
        else:
            yield say("{name} ({look}): {counters}; no stones on the field.", **side)


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


PAINTER = LancelotPainter()
