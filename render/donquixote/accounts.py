"""The account of a round: what scored and where, and which knights defend the country."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from typing import Any

from data.texts import N_
from games.donquixote.principality import DEFENDS
from games.donquixote.tiles import CHURCH, PIECES, WINDMILL
from render.cache import cached
from render.canvas import Canvas, Sprite, write
from render.donquixote.colours import CLAY, ROAD, TINTS
from render.donquixote.country import PLAY, SKY, backdrop
from render.donquixote.land import Land, Marks, draw_bare, draw_land
from render.donquixote.sheet import (
    CATEGORY_NAMES,
    DEFENCE,
    GROUP,
    SMALL,
    category_icon,
    entries,
)
from render.donquixote.situation import Situation
from render.donquixote.tiles import junction
from render.geometry import Box, Point
from render.letters import text_width, typeset
from render.light import raised
from render.plates import PAPER, cut_card, token
from render.theme import INK, LIGHT, LINE, MARGIN, Colour, Type

LAND = Land(88, round(PLAY.top) + 15, 128)
NAMES = tuple(Type("strong", size) for size in (50, 44, 38, 32))
SUM = Type("strong", 56)
BELOW = Type("strong", 34)
MARK = Type("strong", 30)
POINTS = Type("strong", 52)
PROGRESS = Type("text", 34)
HEADING = Type("strong", 34)
HEIGHT = round(LAND.walled.bottom) + 172
MEDAL = 76, 50
"""Size of the points of a group."""
GAP, PAD = 6, 7
"""Gap between the panels of the categories, and padding around a name."""
GROUP_POINTS = Type("strong", 38)
LEGEND = Type("text", 34), Type("text", 30), SMALL
LABELS = Type("text", 32), SMALL

DEFENDING = N_("defends: outer half, direct road out")
JOINED = N_("joined to this castle")
LEGEND_SHARE = 0.6
"""How much of the width the first sign's meaning takes."""


def draw_account(game: Situation, seat: int, reasons: Mapping[str, Any]) -> Canvas:
    """Draw one principality, and mark everything on it that scored.

    :param reasons: the data of a ``scored`` fact: an account, and the total after it.
    """
    canvas = backdrop(cut_card(HEIGHT, CLAY))
    board = _board_then(game.board(seat), reasons["networks"])
    colours = _colours(reasons, board)
    roads = {half: colours[n] for n in colours for half in reasons["networks"][n]}
    squares = frozenset(half for _, halves, _ in _groups(reasons, board) for half in halves)
    if reasons["defence"]["points"]:
        guards = [each["field"] for each in _guards(reasons)]
        roads = {_half(field, board): ROAD for field in guards} | roads
    draw_bare(canvas, LAND)
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


def _colours(reasons: Mapping[str, Any], board: Mapping[str, str]) -> dict[int, Colour]:
    """Return the colour of each network that scores; the first colour is that of the largest group
    of knights, in every account.
    """
    best = None if reasons["group"] is None else _largest(reasons)["network"]
    first, others = TINTS[0], cycle(TINTS[1:])
    counting = _counting(reasons, board)
    tinted = [(numbers, first if best in numbers else next(others)) for numbers in counting]
    return {network: tint for numbers, tint in tinted for network in numbers}


def _largest(reasons: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the strongest group of knights."""
    largest: Mapping[str, Any] = max(
        reasons["group"]["groups"], key=lambda group: group["strength"]
    )
    return largest


def _groups(
    reasons: Mapping[str, Any], board: Mapping[str, str]
) -> Iterator[tuple[str, list[str], str]]:
    """Yield the scoring groups: the sign of the category, the halves that have its symbols, and the
    points.
    """
    scoring = [
        (sign, group["fields"], group["points"])
        for sign, kind in ((CHURCH, "churches"), (WINDMILL, "windmills"))
        for group in reasons[kind]["groups"]
        if group["points"]
    ]
    if reasons["group"] is not None:
        largest = _largest(reasons)
        scoring.append((GROUP, largest["fields"], largest["strength"]))
    for sign, fields, points in scoring:
        yield sign, [_half(field, board) for field in fields], str(points)


def _guards(reasons: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the knights that defend the country."""
    return [each for each in reasons["defence"]["knights"] if each["status"] == DEFENDS]


def _half(field: str, board: Mapping[str, str]) -> str:
    """Return the half of a field that has the symbol."""
    return field + ("u" if PIECES[board[field]].symbol_up else "l")


# --------------------------------------------------------------------------------- marks
def _draw_marks(
    canvas: Canvas, board: Mapping[str, str], reasons: Mapping[str, Any], colours: Mapping[int, str]
) -> None:
    """Draw marks in the corners of halves: those for castles at the top, those for the defence at
    the bottom, and the points of each group where they hide none of these; draw on each castle how
    many knights it has.
    """
    taken = []
    for each in reasons["castles"]:
        for field in each["knights"]:
            corner = _corner(_half(field, board), right=each["castle"] == "CA4", low=False)
            canvas.stamp(category_icon(each["castle"], 44), corner)
            taken.append(Box.at(corner, 48))
        if each["field"] is not None:
            _draw_castle(canvas, each)
    for knight in _guards(reasons):
        corner = _corner(_half(knight["field"], board), right=False, low=True)
        canvas.circle(corner, 27, LIGHT, INK, 3)
        canvas.stamp(category_icon(DEFENCE, 38), corner)
        taken.append(Box.at(corner, 56))
    for sign, halves, points in _groups(reasons, board):
        network = next(n for n in colours if halves[0] in reasons["networks"][n])
        worth = group_medal(sign, points, colours[network])
        places = [_beside(half, right) for half in halves for right in (True, False)]
        free = [at for at in places if not any(_meet(Box.at(at, *MEDAL), box) for box in taken)]
        at = (free or places)[0]
        canvas.stamp(worth, at)
        taken.append(Box.at(at, *MEDAL))


def _beside(half: str, right: bool) -> Point:
    """Return the place for the points of a group, below and beside a symbol."""
    x, y = _corner(half, right=right, low=True)
    return x + (4 if right else -4), y + 4


def _meet(one: Box, other: Box) -> bool:
    """Return whether two boxes overlap."""
    across = min(one.right, other.right) - max(one.left, other.left)
    return across > 0 and min(one.bottom, other.bottom) > max(one.top, other.top)


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
def group_medal(sign: str, points: str, colour: Colour) -> Sprite:
    """Return the points of a group next to its category's sign, in the colour of its roads."""
    canvas = Canvas(*MEDAL)
    canvas.rect(canvas.box, INK, radius=25)
    canvas.rect(canvas.box.inset(3), LIGHT, radius=22)
    canvas.rect(canvas.box.inset(6), colour, radius=19)
    canvas.stamp(category_icon(sign, 32), (25, 25))
    canvas.text((54, 25), points, GROUP_POINTS if len(points) == 1 else MARK, INK)
    return raised(canvas.sprite(), 4)


# ----------------------------------------------------------------------- around the land
def _draw_heading(canvas: Canvas, game: Situation, seat: int, reasons: Mapping[str, Any]) -> None:
    """Draw the heading: whose account it is, the round, the table's code, and the total."""
    y = SKY.top + 54
    canvas.stamp(token(seat, 76), (MARGIN + 40, y))
    before = reasons["total"] - reasons["points"]
    total = f"{before} + {reasons['points']} = {reasons['total']}"
    right = PLAY.right - 8
    end = canvas.text((right, y - 20), total, SUM, INK, "rm").left - 36
    canvas.text((right, y + 28), game.say("before + now"), BELOW, INK, "rm")
    left = MARGIN + 96
    write(canvas, (left, y - 20), game.names[seat], NAMES, end - left, INK, "lm")
    scoring = game.say("Scoring {round}", round=reasons["round"])
    below = " · ".join(filter(None, (scoring, game.scene.code)))
    canvas.text((left, y + 28), below, BELOW, INK, "lm")


def _draw_entries(canvas: Canvas, game: Situation, reasons: Mapping[str, Any]) -> None:
    """Draw a panel for each category: name, progress and points."""
    lines = entries(reasons)
    room = Box(PLAY.left, LAND.walled.bottom + 12, PLAY.right, LAND.walled.bottom + 112)
    columns = room.columns(len(lines), GAP)
    names = [game.say(CATEGORY_NAMES[line.sign]) for line in lines]
    width = columns[0].width - 2 * PAD
    # The longest name decides the size of all.
    _, kind = typeset(max(names, key=lambda name: text_width(name, SMALL)), LABELS, width)
    for column, line, name in zip(columns, lines, names, strict=True):
        canvas.shadow(column, 3, radius=10)
        canvas.rect(column, LIGHT, LINE, 2, radius=10)
        colour = INK if line.points else PAPER.faint
        write(canvas, (column.left + PAD, column.top + 24), name, kind, width, colour, "lm")
        y, left = column.bottom - 32, column.left + PAD + 2
        end = canvas.text((left, y), line.progress, PROGRESS, colour, "lm").right
        points, kinds = (column.right - 14, y), (POINTS, HEADING, MARK)
        write(canvas, points, str(line.points), kinds, points[0] - end - 20, colour, "rm")


def _draw_legend(canvas: Canvas, game: Situation) -> None:
    """Draw the meaning of the signs next to the knights."""
    y, left = LAND.walled.bottom + 138, PLAY.left + 8
    middle = left + PLAY.width * LEGEND_SHARE
    for sign, words, right in ((DEFENCE, DEFENDING, middle), ("CA6", JOINED, PLAY.right)):
        canvas.stamp(category_icon(sign, 38), (left + 19, y))
        room = right - left - 66
        write(canvas, (left + 48, y), game.say(words), LEGEND, room, CLAY.ink, "lm")
        left = right
