"""The account of a round: what scored and where, and which knights defend the country."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from typing import Any

from data.texts import N_
from games.donquixote.tiles import PIECES
from render.cache import cached
from render.canvas import Canvas, Sprite, write
from render.donquixote.colours import CLAY, TINTS
from render.donquixote.country import PLAY, SKY, backdrop
from render.donquixote.land import Land, Marks, draw_land
from render.donquixote.sheet import CATEGORY_NAMES, DEFENCE, SMALL, category_icon, entries
from render.donquixote.situation import Situation
from render.donquixote.tiles import junction
from render.geometry import Box, Point
from render.light import raised
from render.plates import PAPER, token
from render.theme import INK, LIGHT, LINE, MARGIN, Colour, Type

LAND = Land(88, round(PLAY.top) + 15, 128)
NAME = Type("strong", 40)
SUM = Type("strong", 46)
MARK = Type("strong", 30)
POINTS = Type("strong", 40)
HEADING = Type("strong", 34)
HEIGHT = round(LAND.walled.bottom) + 158
GAP, PAD = 6, 7
"""Gap between the panels of the categories, and padding around a name."""
GROUP_POINTS = Type("strong", 38)
LEGEND = Type("text", 34), Type("text", 30), SMALL
LABELS = Type("text", 32), SMALL

DEFENDS = N_("defends: outer half on the border, with a direct road out")


def draw_account(game: Situation, seat: int, reasons: Mapping[str, Any]) -> Canvas:
    """Draw one principality, and mark everything on it that scored.

    :param reasons: the data of a ``scored`` fact: an account, and the total after it.
    """
    canvas = backdrop(HEIGHT)
    board = _board_then(game.board(seat), reasons["networks"])
    tinted = zip(_counting(reasons, board), cycle(TINTS), strict=False)
    colours = {network: tint for together, tint in tinted for network in together}
    roads = {half: colours[n] for n in colours for half in reasons["networks"][n]}
    squares = frozenset(half for half, _ in _groups(reasons, board))
    draw_land(canvas, LAND, board, Marks(roads=roads, squares=squares, quiet=True), seat)
    _draw_marks(canvas, board, reasons, colours)
    _draw_heading(canvas, game, seat, reasons)
    _draw_entries(canvas, game, reasons)
    _draw_legend(canvas, game)
    return canvas


def _board_then(board: Mapping[str, str], networks: Sequence[Sequence[str]]) -> Mapping[str, str]:
    """Return the board at the time of the scoring, rebuilt from its networks; no tile is missing,
    because every tile has a road.
    """
    then = {half[:-1] for network in networks for half in network}
    return {field: piece for field, piece in board.items() if field in then}


# ------------------------------------------------------------------------------ networks
def _counting(reasons: Mapping[str, Any], board: Mapping[str, str]) -> list[list[int]]:
    """Return the networks that score, each of them once: those with scoring groups, and those that
    connect enough knights to a castle. Networks that count for the same castle are together.
    """
    groups = [*reasons["churches"]["groups"], *reasons["windmills"]["groups"]]
    counting = [[group["network"]] for group in groups if group["points"]]
    for each in reasons["castles"]:
        if not each["points"]:
            continue
        knights = {_half(field, board) for field in each["knights"]}
        networks = reasons["networks"]
        counting.append([n for n in each["networks"] if not knights.isdisjoint(networks[n])])
    if reasons["group"] is not None:
        counting.append([_largest(reasons)["network"]])
    together: list[set[int]] = []
    for numbers in counting:
        joined = set(numbers).union(*(known for known in together if known & set(numbers)))
        together = [known for known in together if not known & joined]
        together += [joined] if joined else []
    return sorted(sorted(numbers) for numbers in together)


def _largest(reasons: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the strongest group of knights."""
    largest: Mapping[str, Any] = max(
        reasons["group"]["groups"], key=lambda group: group["strength"]
    )
    return largest


def _groups(
    reasons: Mapping[str, Any], board: Mapping[str, str]
) -> Iterator[tuple[str, str | None]]:
    """Yield the halves whose symbols belong to scoring groups: the first half of a group with the
    group's points, the others with None.
    """
    scoring = [
        (group["fields"], group["points"])
        for kind in ("churches", "windmills")
        for group in reasons[kind]["groups"]
        if group["points"]
    ]
    if reasons["group"] is not None:
        largest = _largest(reasons)
        scoring.append((largest["fields"], largest["strength"]))
    for fields, points in scoring:
        for place, field in enumerate(fields):
            yield _half(field, board), None if place else str(points)


def _half(field: str, board: Mapping[str, str]) -> str:
    """Return the half of a field that has the symbol."""
    return field + ("u" if PIECES[board[field]].symbol_up else "l")


# --------------------------------------------------------------------------------- marks
def _draw_marks(
    canvas: Canvas, board: Mapping[str, str], reasons: Mapping[str, Any], colours: Mapping[int, str]
) -> None:
    """Draw marks in the corners of halves: those for castles at the top, those for the defence and
    for group points at the bottom; draw on each castle how many knights it has.
    """
    for each in reasons["castles"]:
        for field in each["knights"]:
            corner = _corner(_half(field, board), right=each["castle"] == "CA4", low=False)
            canvas.stamp(category_icon(each["castle"], 44), corner)
        if each["field"] is not None:
            _draw_castle(canvas, each)
    for knight in reasons["defence"]["knights"]:
        if knight["status"] == "defends":
            corner = _corner(_half(knight["field"], board), right=False, low=True)
            canvas.circle(corner, 27, LIGHT, INK, 3)
            canvas.stamp(category_icon(DEFENCE, 38), corner)
    for half, points in _groups(reasons, board):
        if points is not None:
            network = next(n for n in colours if half in reasons["networks"][n])
            canvas.stamp(_medal(points, colours[network]), _corner(half, right=True, low=True))


def _corner(half: str, right: bool, low: bool) -> Point:
    """Return the place for a mark next to a symbol: in a corner of its half, where no road runs."""
    x, y = junction(LAND.tile, upper=half.endswith("u"))
    box = LAND.field(half[:-1])
    return box.left + x + (46 if right else -46), box.top + y + (34 if low else -34)


def _draw_castle(canvas: Canvas, each: Mapping[str, Any]) -> None:
    """Draw how many knights are connected to a castle, and how many it needs."""
    x, y = LAND.field(each["field"]).centre
    box = Box.at((x, y + 56), 84, 42)
    canvas.rect(box, LIGHT, INK, 2, radius=8)
    canvas.text(box.centre, f"{len(each['knights'])}/{each['need']}", HEADING, INK)


@cached
def _medal(points: str, colour: Colour) -> Sprite:
    """Return the points of a group on a disc in the colour of its roads."""
    canvas = Canvas(56, 56)
    canvas.circle((28, 28), 28, INK)
    canvas.circle((28, 28), 25, LIGHT)
    canvas.circle((28, 28), 22, colour)
    canvas.text((28, 28), points, GROUP_POINTS if len(points) == 1 else MARK, INK)
    return raised(canvas.sprite(), 4)


# ----------------------------------------------------------------------- around the land
def _draw_heading(canvas: Canvas, game: Situation, seat: int, reasons: Mapping[str, Any]) -> None:
    """Draw the heading: whose account it is, the round, the table's code, and the total."""
    y = SKY.top + 40
    canvas.stamp(token(seat, 60), (MARGIN + 30, y))
    before = reasons["total"] - reasons["points"]
    total = f"{before} + {reasons['points']} = {reasons['total']}"
    right = PLAY.right - 8
    end = canvas.text((right, y - 15), total, SUM, INK, "rm").left - 36
    canvas.text((right, y + 25), game.say("before + now"), MARK, INK, "rm")
    left = MARGIN + 78
    write(canvas, (left, y - 17), game.names[seat], NAME, end - left, INK, "lm")
    scoring = game.say("Scoring {round}", round=reasons["round"])
    below = " · ".join(filter(None, (scoring, game.scene.code)))
    canvas.text((left, y + 24), below, MARK, INK, "lm")


def _draw_entries(canvas: Canvas, game: Situation, reasons: Mapping[str, Any]) -> None:
    """Draw a panel for each category: name, progress and points."""
    lines = entries(reasons)
    room = Box(PLAY.left, LAND.walled.bottom + 12, PLAY.right, LAND.walled.bottom + 98)
    for column, line in zip(room.columns(len(lines), GAP), lines, strict=True):
        canvas.shadow(column, 3, radius=10)
        canvas.rect(column, LIGHT, LINE, 2, radius=10)
        colour = INK if line.points else PAPER.faint
        at, name = (column.left + PAD, column.top + 23), game.say(CATEGORY_NAMES[line.sign])
        write(canvas, at, name, LABELS, column.width - 2 * PAD, colour, "lm")
        y = column.bottom - 26
        canvas.stamp(category_icon(line.sign, 38), (column.left + 30, y))
        end = canvas.text((column.left + 58, y), line.progress, SMALL, colour, "lm").right
        points, kinds = (column.right - 14, y), (POINTS, HEADING, MARK)
        write(canvas, points, str(line.points), kinds, points[0] - end - 8, colour, "rm")


def _draw_legend(canvas: Canvas, game: Situation) -> None:
    """Draw the meaning of the sign next to the knights."""
    x, y = PLAY.left + 26, LAND.walled.bottom + 124
    canvas.stamp(category_icon(DEFENCE, 38), (x, y))
    write(canvas, (x + 30, y), game.say(DEFENDS), LEGEND, PLAY.right - x - 38, CLAY.ink, "lm")
