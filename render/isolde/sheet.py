"""The sheet of a round: every shield that was won, and why; the sums; all points so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine import Fact, View
from render.canvas import Canvas, fitted
from render.geometry import Box
from render.isolde.devices import medallion, shield
from render.isolde.hand import paper
from render.isolde.standings import signed, winners
from render.isolde.words import board_name, colour_names
from render.names import printed_names
from render.plates import CROWN, TITLE, token
from render.scene import Scene
from render.theme import FAINT, GOLD, INK, LINE, MARGIN, PANEL, SOFT, WIDTH, Type

NAME = Type("strong", 26)
WHY = Type("text", 24)
BOARD = Type("text", 26)
SUM = Type("strong", 32)
TOTAL = Type("title", 40)

LABELS = 290
TOP = 96
HEAD = 60
ROW = 62
FOOT = 58


@dataclass(frozen=True, slots=True)
class Entry:
    """What a colour has from one board.

    :param values: of the shields, None for one that lies face down.
    :param why: its place or field in a few characters.
    """

    values: tuple[int | None, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Account:
    """A round that is over.

    :param rows: by board, an entry for each colour.
    :param sums: of the round, and the number of shields face down, by colour.
    :param totals: likewise after it.
    """

    round: int
    rows: Mapping[str, Sequence[Entry]]
    sums: Sequence[tuple[int, int]]
    totals: Sequence[tuple[int, int]]


# ----------------------------------------------------------------------------- accounts
def accounts(scene: Scene) -> Iterator[Account]:
    """The rounds that have just ended, the oldest first."""
    for fact in scene.facts:
        if fact.kind == "round_over":
            yield account_of(scene.view, fact)


def account_of(view: View, over: Fact) -> Account:
    """The account of a round, from its fact and from the shields as everyone sees them."""
    round_ = over.data["round"]
    won = list(_won(view))
    colours = range(len(view.public["owners"]))
    standings: Mapping[str, Any] = over.data["standings"]
    rows = {
        board: [
            Entry(
                tuple(s["value"] for c, s in won if _of(s, board, round_) and c == colour),
                _why(here, colour),
            )
            for colour in colours
        ]
        for board, here in standings.items()
    }
    if view.options["barm"] and "BARM" in rows:
        rows["BARM"] = [Entry(_swapped(view, c), rows["BARM"][c].why) for c in colours]
    last = round_ == view.public["rounds"]
    sums = [_sum(value for row in rows.values() for value in row[c].values) for c in colours]
    earlier = [(c, s) for c, s in won if s["round"] <= round_]
    totals = [
        _sum(s["value"] for s in view.public["shields"][c])
        if last
        else _sum(s["value"] for owner, s in earlier if owner == c)
        for c in colours
    ]
    return Account(round_, rows, sums, totals)


def _won(view: View) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """All shields with the colours that won them."""
    for colour, shields in enumerate(view.public["shields"]):
        for each in shields:
            yield (colour if each["giver"] is None else each["giver"]), each


def _of(each: Mapping[str, Any], board: str, round_: int) -> bool:
    return bool(each["board"] == board and each["round"] == round_)


def _swapped(view: View, colour: int) -> tuple[int | None, ...]:
    """What an exchange has brought and cost a colour."""
    gained = [s["value"] for s in view.public["shields"][colour] if s["giver"] is not None]
    lost = [
        None if s["value"] is None else -s["value"]
        for shields in view.public["shields"]
        for s in shields
        if s["giver"] == colour
    ]
    return (*gained, *lost)


def _why(here: Mapping[str, Any], colour: int) -> str:
    """Place and field, ``2. · 14``; a dash for who has not moved."""
    field = here["positions"][colour]
    if not field:
        return "–"
    return f"{here['order'].index(colour) + 1}. · {field}"


def _sum(values: Any) -> tuple[int, int]:
    known = list(values)
    return sum(v for v in known if v is not None), sum(v is None for v in known)


# ------------------------------------------------------------------------------ drawing
def draw_sheet(scene: Scene, account: Account) -> Canvas:
    """A row for each board that was scored, a column for each colour."""
    rows = len(account.rows)
    canvas = paper(TOP + HEAD + ROW * rows + 2 * FOOT + 28)
    _draw_title(canvas, scene.say("Round {n}", n=account.round))
    area = Box(MARGIN + LABELS, TOP, WIDTH - MARGIN, 0)
    columns = area.columns(len(account.sums))
    _draw_names(canvas, columns, scene)
    for n, (board, entries) in enumerate(account.rows.items()):
        top = TOP + HEAD + n * ROW
        _draw_board(canvas, top, scene, board)
        for column, entry in zip(columns, entries, strict=True):
            _draw_entry(canvas, Box(column.left, top, column.right, top + ROW), board, entry)
    top = TOP + HEAD + rows * ROW
    _draw_sums(canvas, top, columns, scene.say("This round"), account.sums, SUM)
    _draw_sums(canvas, top + FOOT, columns, scene.say("Points"), account.totals, TOTAL)
    return canvas


def _draw_title(canvas: Canvas, words: str) -> None:
    x, y = WIDTH / 2, 54.0
    half = canvas.text((x, y), words.upper(), TITLE).width / 2 + 20
    canvas.line([(MARGIN, y), (x - half, y)], LINE, 2)
    canvas.line([(x + half, y), (WIDTH - MARGIN, y)], LINE, 2)


def _draw_names(canvas: Canvas, columns: Sequence[Box], scene: Scene) -> None:
    names = colour_names(scene.view, printed_names(scene.names, scene.say), scene.say)
    for colour, column in enumerate(columns):
        y = TOP + HEAD / 2 - 4
        canvas.stamp(token(colour, 36), (column.left + 22, y))
        crowned = colour in winners(scene.view)
        left = column.left + 48
        room = column.right - left - (50 if crowned else 8)
        right = canvas.text((left, y), fitted(names[colour], NAME, room), NAME, INK, "lm").right
        if crowned:
            canvas.path(CROWN, GOLD, INK, 2.5, centre=(right + 26, y), scale=15)


def _draw_board(canvas: Canvas, top: int, scene: Scene, board: str) -> None:
    y = top + ROW / 2
    canvas.rect(Box(MARGIN, top, WIDTH - MARGIN, top + 2), LINE)
    canvas.stamp(medallion(board, 42), (MARGIN + 21, y))
    words = board_name(board, scene.say)
    canvas.text((MARGIN + 56, y), fitted(words, BOARD, LABELS - 64), BOARD, INK, "lm")


def _draw_entry(canvas: Canvas, cell: Box, board: str, entry: Entry) -> None:
    """The shields, and why behind them."""
    x, y = cell.left + 6, cell.centre[1]
    for value in entry.values:
        text = "?" if value is None else str(value).replace("-", "−")
        sprite = shield(board, text, 40)
        canvas.stamp(sprite, (x + sprite.size[0] / 2, y))
        x += sprite.size[0] + 4
    left = max(x + 4, cell.left + 62) if len(entry.values) < 2 else x + 4
    colour = SOFT if entry.values else FAINT
    canvas.text((left, y), fitted(entry.why, WHY, cell.right - left - 4), WHY, colour, "lm")


def _draw_sums(
    canvas: Canvas,
    top: int,
    columns: Sequence[Box],
    label: str,
    sums: Sequence[tuple[int, int]],
    kind: Type,
) -> None:
    y = top + FOOT / 2
    if kind is TOTAL:
        canvas.rect(Box(MARGIN, top + 2, WIDTH - MARGIN, top + FOOT), PANEL, radius=8)
    else:
        canvas.rect(Box(MARGIN, top, WIDTH - MARGIN, top + 3), INK)
    canvas.text((MARGIN + 12, y), label, BOARD, SOFT, "lm")
    for column, (points, dark) in zip(columns, sums, strict=True):
        text = signed(points) if kind is SUM else str(points).replace("-", "−")
        right = canvas.text((column.left + 8, y), text, kind, INK, "lm").right
        for n in range(dark):
            canvas.stamp(shield("STUDIEN", "?", 34), (right + 26 + n * 16, y))
