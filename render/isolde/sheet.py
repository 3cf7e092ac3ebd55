"""The sheet of a round: every shield won and why, the sums, and the total points so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine import Fact, View
from render.canvas import Anchor, Canvas, Sprite, write_lines
from render.geometry import Box, Point
from render.isolde.colours import FOIL, STONE
from render.isolde.devices import bold_token, face_down, medallion, shield
from render.isolde.ground import lay_sheet, outside
from render.isolde.standings import ROMAN, signed, winners
from render.isolde.words import board_name, colour_names
from render.letters import lines_of, lines_of_name, text_width
from render.light import raised, relief
from render.names import printed_names
from render.plates import CROWN, TITLE, band_of
from render.scene import Scene
from render.theme import INK, LINE, MARGIN, PANEL, SEATS, SOFT, WIDTH, Colour, Type

NAME = Type("strong", 28)
LARGE_NAMES = Type("strong", 38), Type("strong", 34), NAME
"""The types for names next to a token, and for names that all fit on one line below it."""
WHY = Type("text", 30)
BOARD = Type("text", 30)
HEADLINE = Type("strong", 34)
SUM = Type("strong", 44)
TOTAL = Type("strong", 60)
PLACE = Type("strong", 34)
GAP, BEHIND, SPLIT, SHADE = 8, 8, 16, 7
"""Gaps between points and face-down shields, and between shields and the place; how far right of
the middle of a cell its shields end; width of the shadow beside a shield.
"""
TWO_SHIELDS = 112
"""Minimum room for the shields: a number fits before a negative one."""
SHIELDS = 60, 54, 46, 34
"""Heights of shields; the first that fits is used."""
FEW_SHIELDS = 215
"""In narrower columns no shields are of the largest size, because not all would fit."""
TIMES = Type("strong", 28)
"""The type for how often a cell has the same shield."""

EDGES = 20
"""Room beside the sheet."""
LABELS = 300
DEVICE = 54
"""Size of the device at the left of a row."""
INDENT = DEVICE + 16
NAMES = LABELS - INDENT - 8
"""Where the name of a board starts, and its width, to the right of its device."""
TOP = 104
HEAD, HIGH_HEAD = 128, 164
"""Height of the columns' headings, and of headings with a name on three lines."""
TOKEN, LINE_HEIGHT = 44, 32
WIDE_HEAD = 230
"""In columns of at least this width, the name is next to the token instead of below it."""
UNMOVED = "–"
"""Shown instead of place and field if the piece has not moved."""
ROWS = 80, 112
"""Minimum and maximum height of a row; the fewer boards a round has, the taller its rows."""
LEAST = 760
"""The height to which a short sheet is stretched, as far as ``ROWS`` allows."""
SUMS = 60
TOTALS = 88
FOOT = 28


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """A colour's result on one board.

    :param values: the values of the shields it won; None for a face-down one.
    :param why: its place and field, such as ``2. · 14``, or ``UNMOVED``.
    """

    values: tuple[int | None, ...]
    why: str

    @property
    def place(self) -> str:
        """The place alone."""
        return self.why.partition(" ")[0]


@dataclass(frozen=True, slots=True)
class RoundSheet:
    """The result of a round.

    :param rows: an entry for each colour, by board.
    :param sums: the points of the round and the number of face-down shields, by colour.
    :param totals: the same for the match after this round.
    """

    round: int
    rows: Mapping[str, Sequence[BoardEntry]]
    sums: Sequence[tuple[int, int]]
    totals: Sequence[tuple[int, int]]


# ----------------------------------------------------------------------------- accounts
def accounts(scene: Scene) -> Iterator[RoundSheet]:
    """Yield the rounds that have just ended, the oldest first."""
    for fact in scene.facts:
        if fact.kind == "round_over":
            yield account_of(scene.view, fact)


def account_of(view: View, over: Fact) -> RoundSheet:
    """Return the result of a round, worked out from its fact and the public shields."""
    round_ = over.data["round"]
    won = list(_won(view))
    colours = range(len(view.public["owners"]))
    standings: Mapping[str, Any] = over.data["standings"]
    rows = {
        board: [
            BoardEntry(
                tuple(s["value"] for c, s in won if _of(s, board, round_) and c == colour),
                _why(here, colour),
            )
            for colour in colours
        ]
        for board, here in standings.items()
    }
    if view.options["barm"] and "BARM" in rows:
        rows["BARM"] = [BoardEntry(_swapped(view, c), rows["BARM"][c].why) for c in colours]
    last = round_ == view.public["rounds"]
    sums = [_sum(value for row in rows.values() for value in row[c].values) for c in colours]
    earlier = [(c, s) for c, s in won if s["round"] <= round_]
    totals = [
        _sum(s["value"] for s in view.public["shields"][c])
        if last
        else _sum(s["value"] for owner, s in earlier if owner == c)
        for c in colours
    ]
    return RoundSheet(round_, rows, sums, totals)


def _won(view: View) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield all shields, each with the colour that won it."""
    for colour, shields in enumerate(view.public["shields"]):
        for each in shields:
            yield (colour if each["giver"] is None else each["giver"]), each


def _of(each: Mapping[str, Any], board: str, round_: int) -> bool:
    return bool(each["board"] == board and each["round"] == round_)


def _swapped(view: View, colour: int) -> tuple[int | None, ...]:
    """Return the values of the shields that a colour received in exchanges, then those of the
    shields it gave away, with the opposite sign.
    """
    gained = [s["value"] for s in view.public["shields"][colour] if s["giver"] is not None]
    lost = [
        None if s["value"] is None else -s["value"]
        for shields in view.public["shields"]
        for s in shields
        if s["giver"] == colour
    ]
    return (*gained, *lost)


def _why(here: Mapping[str, Any], colour: int) -> str:
    """Return the place and the field, ``2. · 14``; a dash for a piece that has not moved."""
    field = here["positions"][colour]
    if not field:
        return UNMOVED
    return f"{here['order'].index(colour) + 1}. · {field}"


def _sum(values: Any) -> tuple[int, int]:
    known = list(values)
    return sum(v for v in known if v is not None), sum(v is None for v in known)


# ------------------------------------------------------------------------------ drawing
def draw_sheet(scene: Scene, account: RoundSheet) -> Canvas:
    """Draw a row for each board scored and a column for each colour; the leader's total is on
    gold.
    """
    rows, high = len(account.rows), _row_height(len(account.rows))
    names = colour_names(scene.view, printed_names(scene.names, scene.say), scene.say)
    head = _head_height(names)
    area = Box(EDGES, TOP, WIDTH - EDGES, TOP + head + high * rows + SUMS + TOTALS)
    canvas = _ground(tuple(account.rows), area)
    words = scene.say("Round {n}", n=ROMAN[account.round]).upper()
    canvas.text((MARGIN, TOP / 2 - 8), words, TITLE, STONE.ink, "lm")
    columns = Box(area.left + LABELS, area.top, area.right, area.top).columns(len(account.sums))
    _draw_heads(canvas, columns, Box(*area[:3], area.top + head), scene, names)
    for n, (board, entries) in enumerate(account.rows.items()):
        top = area.top + head + n * high
        at = area.left + INDENT, top + high / 2
        lines = lines_of(board_name(board, scene.say), NAMES - 2, 2, BOARD)
        _write_lines(canvas, at, lines, BOARD, INK, "lm")
        for column, entry in zip(columns, entries, strict=True):
            canvas.rect(Box(column.left - 2, top + 10, column.left, top + high - 8), LINE)
            _draw_entry(canvas, Box(column.left, top, column.right, top + high), board, entry)
    top = area.top + head + rows * high
    y = top + SUMS / 2
    canvas.rect(Box(area.left + 2, top, area.right - 2, top + 3), INK)
    canvas.text((area.left + 14, y), scene.say("This round"), BOARD, SOFT, "lm")
    for column, (points, dark) in zip(columns, account.sums, strict=True):
        _draw_sum(canvas, (column.centre[0], y), signed(points), dark, SUM)
    bottom = Box(area.left, top + SUMS, area.right, area.bottom)
    _draw_totals(canvas, bottom, columns, scene, account)
    return canvas


def _head_height(names: Sequence[str]) -> int:
    """Return the height of the headings; a name on three lines makes them taller."""
    width = (WIDTH - 2 * EDGES - LABELS) / len(names) - 6
    if width >= WIDE_HEAD or all(len(_name_lines(name, width - 4)) < 3 for name in names):
        return HEAD
    return HIGH_HEAD


def _name_lines(name: str, width: float) -> list[str]:
    """Break a name into up to three lines; what does not fit then is cut."""
    return lines_of_name(name, width, 3, NAME)


def _row_height(rows: int) -> int:
    low, high = ROWS
    room = LEAST - TOP - HEAD - SUMS - TOTALS - FOOT
    return max(low, min(high, room // max(1, rows)))


def _ground(boards: tuple[str, ...], area: Box) -> Canvas:
    """Return the castle, the sheet, and the device of each board scored."""
    canvas = outside(round(area.bottom) + FOOT, TOP - 20)
    lay_sheet(canvas, area)
    high = _row_height(len(boards))
    bottom = area.bottom - SUMS - TOTALS
    rows = Box(area.left, bottom - high * len(boards), area.right, bottom)
    for n, board in enumerate(boards):
        row = rows.rows(len(boards))[n]
        canvas.rect(Box(row.left + 2, row.top, row.right - 2, row.top + 2), LINE)
        canvas.stamp(medallion(board, DEVICE), (row.left + 8 + DEVICE / 2, row.centre[1] + 1))
    return canvas


def _draw_heads(
    canvas: Canvas, columns: Sequence[Box], area: Box, scene: Scene, names: Sequence[str]
) -> None:
    """Draw the headings of the columns, each on a band in the column's colour."""
    at = area.left + 14, area.centre[1]
    lines = lines_of(scene.say("Shield, place"), LABELS - 24, 2, WHY)
    _write_lines(canvas, at, lines, WHY, SOFT, "lm")
    room = columns[0].width - 20
    fitting = (kind for kind in LARGE_NAMES if all(text_width(n, kind) <= room for n in names))
    kind = next(fitting, NAME)
    for colour, column in enumerate(columns):
        band = Box(column.left + 1, area.top + 6, column.right - 3, area.bottom - 4)
        canvas.rect(band, band_of(colour), INK, 2, radius=8)
        x, wide = band.centre[0], band.width >= WIDE_HEAD
        at = (band.left + 32, band.centre[1]) if wide else (x, band.top + 26)
        canvas.stamp(bold_token(colour, TOKEN), at)
        if colour in winners(scene.view):
            canvas.path(CROWN, FOIL, INK, 2.5, centre=(band.right - 26, band.top + 22), scale=15)
        ink = SEATS[colour].device
        if wide:
            at, size = (band.left + 60, band.centre[1]), (band.width - 116, band.height - 8)
            write_lines(canvas, at, names[colour], LARGE_NAMES, size, ink, "lm")
        else:
            name = names[colour]
            lines = [name] if kind != NAME else _name_lines(name, band.width - 4)
            _write_lines(canvas, (x, band.centre[1] + TOKEN / 2 + 3), lines, kind, ink)


def _write_lines(
    canvas: Canvas,
    at: Point,
    lines: Sequence[str],
    kind: Type,
    colour: Colour,
    anchor: Anchor = "mm",
) -> None:
    """Write lines one below the other, vertically centred on a point."""
    for n, line in enumerate(lines):
        y = at[1] + LINE_HEIGHT * (n - (len(lines) - 1) / 2)
        canvas.text((at[0], y), line, kind, colour, anchor)


def _draw_entry(canvas: Canvas, cell: Box, board: str, entry: BoardEntry) -> None:
    """Draw the shields and the place side by side, meeting at the same point in all cells. If the
    shields do not fit, equal ones become one with their number before it; different ones are
    smaller, or in two lines.
    """
    y, split = cell.centre[1], max(cell.centre[0] + SPLIT, cell.left + TWO_SHIELDS)
    values = ["?" if value is None else str(value).replace("-", "−") for value in entry.values]
    canvas.text((split + BEHIND, y), entry.place, PLACE, INK if values else SOFT, "lm")
    times = f"{len(values)}×"
    for height in SHIELDS[cell.width < FEW_SHIELDS :]:
        shields = [shield(board, text, height) for text in values]
        if _across(shields) <= split - cell.left - BEHIND:
            _draw_shields(canvas, shields, split - _across(shields), y)
            return
        left = split - shields[0].size[0]
        if len(set(values)) == 1 and text_width(times, TIMES) <= left - cell.left:
            _draw_shields(canvas, shields[:1], left, y)
            canvas.text((left + 4, y), times, TIMES, INK, "rm")
            return
    half = (len(shields) + 1) // 2
    for line, part in zip((-18, 18), (shields[:half], shields[half:]), strict=True):
        _draw_shields(canvas, part, split - _across(part) + SHADE + 1, y + line)


def _across(shields: Sequence[Sprite]) -> int:
    """Return the total width of shields drawn side by side, with their shadows overlapping."""
    return sum(sprite.size[0] - SHADE for sprite in shields) + (SHADE if shields else 0)


def _draw_shields(canvas: Canvas, shields: Sequence[Sprite], x: float, y: float) -> None:
    for sprite in shields:
        canvas.stamp(sprite, (x + sprite.size[0] / 2, y))
        x += sprite.size[0] - SHADE


def _draw_sum(canvas: Canvas, at: Point, text: str, dark: int, kind: Type) -> None:
    """Draw a score in points, centred on ``at``; if there are face-down shields, a single one
    stands for all of them.
    """
    x, y = at
    if dark:
        back = face_down(dark)
        x -= (back.size[0] + GAP) / 2
    right = canvas.text((x, y), text, kind, INK).right
    if dark:
        canvas.stamp(back, (right + GAP + back.size[0] / 2, y))


def _draw_totals(
    canvas: Canvas, row: Box, columns: Sequence[Box], scene: Scene, account: RoundSheet
) -> None:
    """Draw the total points in large type; the leader's are on gold, unless all are equal."""
    y = row.centre[1]
    owners = scene.view.public["owners"]
    known = [
        points
        for owner, (points, _) in zip(owners, account.totals, strict=True)
        if owner is not None
    ]
    most = max(known)
    canvas.rect(row.inset(2, 2), PANEL, radius=5)
    canvas.text((row.left + 14, y), scene.say("Points"), HEADLINE, INK, "lm")
    for owner, column, (points, dark) in zip(owners, columns, account.totals, strict=True):
        if owner is not None and points == most > min(known):
            plate = Canvas(round(column.width) - 10, round(row.height) - 12)
            plate.rect(plate.box, FOIL, INK, 2, radius=8)
            at = column.centre[0] - 1, y
            canvas.stamp(raised(relief(plate.sprite(), 2.5), 3), at)
        text = scene.say.number(points)
        _draw_sum(canvas, (column.centre[0] - 1, y), text, dark, TOTAL)
