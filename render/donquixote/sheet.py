"""The points of a scoring by category, and the conditions of the round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from data.texts import N_, Texts
from games.donquixote.principality import (
    DEFENCE_POINTS,
    GROUP_POINTS,
    KNIGHTS_NEEDED,
    LAST_ROUND,
    STRENGTH_NEEDED,
)
from games.donquixote.tiles import CASTLES, CHURCH, KNIGHT, WINDMILL
from render.cache import cached
from render.canvas import Canvas, Sprite, write
from render.donquixote.colours import LIVERY, PALE_STONE, STEEL, STONE
from render.donquixote.figures import draw_part, symbol
from render.geometry import Box, trace
from render.letters import text_width
from render.plates import PAPER
from render.theme import BRIGHT_GOLD, INK, LIGHT, LINE, SOFT, Type

ICON, LARGE_ICON = 36, 52
"""Sizes of the signs of conditions, and of categories where a cell has room."""
FIGURE = Type("strong", 50)
NOTES = tuple(Type("text", size) for size in (42, 36, 32, 28))
TOTALS = Type("strong", 60), Type("strong", 52)
EARNED = tuple(Type("text", size) for size in (44, 38, 32, 28))
WIDE, GAP = 380, 28
"""The width from which the sum is in larger type, and the gap between columns of categories."""
CATEGORIES = 6
"""How many categories count in the last round, one more than before."""
SMALL = Type("text", 28)
CONDITION = Type("strong", 34)

DEFENCE, GROUP = "defence", "group"
"""Signs of the national defence and of the largest group of knights."""

CATEGORY_NAMES = {
    "CA6": N_("Castle 6"),
    "CA4": N_("Castle 4"),
    CHURCH: N_("Churches"),
    WINDMILL: N_("Windmills"),
    DEFENCE: N_("Defence"),
    GROUP: N_("Knights"),
}
"""The meaning of each sign."""


@dataclass(frozen=True, slots=True)
class CategoryEntry:
    """A category of a scoring.

    :param sign: name of its icon.
    :param progress: the number reached and the number needed (``2/3``), or the sizes of the groups
        (``4+2``); empty for the largest group of knights.
    """

    sign: str
    progress: str
    points: int


def entries(reasons: Mapping[str, Any]) -> list[CategoryEntry]:
    """Return the categories of an account, in the order of the rules."""
    lines = [
        CategoryEntry(
            castle["castle"], f"{len(castle['knights'])}/{castle['need']}", castle["points"]
        )
        for castle in reasons["castles"]
    ]
    for sign, kind in ((CHURCH, "churches"), (WINDMILL, "windmills")):
        sizes = [len(group["fields"]) for group in reasons[kind]["groups"] if group["points"]]
        lines.append(CategoryEntry(sign, "+".join(map(str, sizes)), reasons[kind]["points"]))
    defence = reasons["defence"]
    lines.append(
        CategoryEntry(DEFENCE, f"{defence['strength']}/{defence['need']}", defence["points"])
    )
    if reasons["group"] is not None:
        points = reasons["group"]["points"]
        lines.append(CategoryEntry(GROUP, "", points))
    return lines


def draw_entries(
    canvas: Canvas, room: Box, lines: Sequence[CategoryEntry], earned: int, *, columns: int
) -> None:
    """Draw each category with its points, in one or two columns, and the sum below a line.

    :param earned: the points of earlier rounds.
    """
    height = CATEGORIES // columns if columns > 1 else len(lines)
    *_, foot = room.rows(height + 1)
    table = room._replace(bottom=foot.top)
    cells = [cell for column in table.columns(columns, GAP) for cell in column.rows(height)]
    for cell, line in zip(cells, lines, strict=False):
        _draw_entry(canvas, cell, line)
    for n in range(1, columns):
        x = round(table.left + n * (table.width + GAP) / columns - GAP / 2)
        canvas.rect(Box(x - 1, round(table.top) + 8, x + 1, round(table.bottom) - 12), LINE)
    canvas.rect(Box(foot.left, round(foot.top), foot.right, round(foot.top) + 2), LINE)
    kinds, y = TOTALS if room.width >= WIDE else TOTALS[1:], foot.centre[1] + 4
    points = sum(line.points for line in lines)
    left = write(canvas, (foot.right, y), str(earned + points), kinds, foot.width, INK, "rm").left
    if earned:
        room = foot._replace(right=left - 12)
        write(canvas, (room.right, y), f"{earned} + {points} =", EARNED, room.width, SOFT, "rm")


def _draw_entry(canvas: Canvas, cell: Box, line: CategoryEntry) -> None:
    entry = _entry(round(cell.width), round(cell.height), line)
    box = entry.box.moved(round(cell.left), round(cell.top))
    canvas.inlay(entry, box, box)


@cached
def _entry(width: int, height: int, line: CategoryEntry) -> Canvas:
    """Return a category on a plate: its sign, its progress, and on the right its points, if there
    are any.
    """
    canvas = Canvas(width, height, LIVERY.sheet.light)
    y, colour = height / 2, INK if line.points else PAPER.faint
    size = min(LARGE_ICON, height - 8)
    canvas.stamp(category_icon(line.sign, size), (size / 2, y))
    left, right = size + 14.0, float(width)
    if line.points:
        right = canvas.text((right, y), str(line.points), FIGURE, INK, "rm").left - 10
    write(canvas, (left, y), line.progress, NOTES, right - left, colour, "lm")
    return canvas


# -------------------------------------------------------------------------- the legend
Condition = tuple[str | int, ...]
"""What a category asks for and gives in a round: names of icons, points, and other words."""
APART = "|"
"""A line between parts of a condition."""


def conditions(round_: int, say: Texts) -> list[list[Condition]]:
    """Return the conditions that count in a round, in two rows."""
    knights, strength = KNIGHTS_NEEDED[round_ - 1], STRENGTH_NEEDED[round_ - 1]
    castles: list[Condition] = [
        (castle.name, *[KNIGHT] * knights, castle.worth) for castle in CASTLES
    ]
    rows: list[list[Condition]] = [
        [*castles, (DEFENCE, f"{strength}+", DEFENCE_POINTS)],
        [
            (
                CHURCH,
                WINDMILL,
                *(part for n in (2, 3, 4) for part in (APART, f"{n}", GROUP_POINTS[n])),
            )
        ],
    ]
    if round_ == LAST_ROUND:
        rows[1].append((GROUP, say("largest group")))
    return rows


def draw_conditions(canvas: Canvas, room: Box, wanted: Sequence[Sequence[Condition]]) -> None:
    """Draw each condition on a slip of paper, in rows."""
    for row, conditions_ in zip(room.rows(len(wanted)), wanted, strict=True):
        left = row.left
        for condition in conditions_:
            slip = _slip(condition, round(row.height) - 6)
            canvas.stamp(slip, (left + slip.size[0] / 2, row.centre[1]))
            left += slip.size[0] + 6


@cached
def _slip(condition: Condition, height: int) -> Sprite:
    """Return a condition on a slip of paper; points are on golden coins."""
    size = height - 8
    parts = [_slip_part(part, size) for part in condition]
    canvas = Canvas(sum(part.size[0] + 4 for part in parts) + 12, height)
    canvas.rect(canvas.box, LINE, radius=10)
    canvas.rect(canvas.box.inset(1.5), LIGHT, radius=9)
    x = 8.0
    for part in parts:
        canvas.stamp(part, (x + part.size[0] / 2, height / 2))
        x += part.size[0] + 4
    return canvas.sprite()


def _slip_part(part: str | int, size: int) -> Sprite:
    if isinstance(part, int):
        return coin(part, size)
    if part in (*CATEGORY_NAMES, KNIGHT):
        return category_icon(part, size - 6 if part == KNIGHT else size)
    if part == APART:
        canvas = Canvas(18, size)
        canvas.rect(Box.at(canvas.box.centre, 2, size - 4), LINE)
        return canvas.sprite()
    canvas = Canvas(round(text_width(part, CONDITION)) + 2, size)
    canvas.text(canvas.box.centre, part, CONDITION, INK)
    return canvas.sprite()


@cached
def coin(points: int, size: int) -> Sprite:
    """Return points on a golden coin."""
    canvas = Canvas(size, size)
    canvas.circle(canvas.box.centre, size / 2, INK)
    canvas.circle(canvas.box.centre, size / 2 - 2, BRIGHT_GOLD)
    canvas.text(canvas.box.centre, str(points), Type("strong", round(size * 0.76)), INK)
    return canvas.sprite()


# ------------------------------------------------------------------------------- icons
@cached
def category_icon(sign: str, size: int = ICON) -> Sprite:
    """Return the icon of a category, ``size`` high."""
    if sign in (CHURCH, WINDMILL, KNIGHT):
        return symbol(sign, 0, size)
    canvas = Canvas(size, size)
    draw = {DEFENCE: _gatehouse, GROUP: _shields}.get(sign, _keep)
    draw(canvas, size / 100)
    if draw is _keep:
        kind = Type("strong", max(28, round(size * 0.6)))
        canvas.text((size * 0.5, size * 0.6), sign[-1], kind, INK)
    return canvas.sprite()


def _gatehouse(canvas: Canvas, scale: float) -> None:
    path = "M 4 92 V 22 H 22 V 36 H 40 V 22 H 60 V 36 H 78 V 22 H 96 V 92 H 66 V 66 H 34 V 92 Z"
    draw_part(canvas, scale, path, STONE, 7, 4)


def _shields(canvas: Canvas, scale: float) -> None:
    shield = trace("M -24 -28 H 24 V 2 C 24 16 13 26 0 32 C -13 26 -24 16 -24 2 Z")
    for x, y in ((28, 36), (72, 36), (50, 62)):
        canvas.path(shield, STEEL, LIGHT, 7 * scale, (x * scale, y * scale), scale)


def _keep(canvas: Canvas, scale: float) -> None:
    path = "M 6 96 V 6 H 24 V 18 H 38 V 6 H 62 V 18 H 76 V 6 H 94 V 96 Z"
    draw_part(canvas, scale, path, PALE_STONE, 6, 3)
