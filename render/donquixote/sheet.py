"""What a scoring brings, category by category, and what the present round asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games.donquixote import account
from games.donquixote.tiles import CASTLE, CHURCH, KNIGHT, WINDMILL
from render.canvas import Canvas, Sprite
from render.donquixote.colours import STEEL, STONE, WALL
from render.donquixote.tiles import castle, symbol
from render.geometry import Box, placed, trace
from render.theme import FAINT, GOLD, INK, LIGHT, LINE, SOFT, Type

ICON = 34
FIGURE = Type("strong", 28)
SUM = Type("strong", 30)
NOTE = Type("text", 26)

ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """One category of a scoring.

    :param sign: name of its icon.
    :param progress: what was reached, and of how much where it has to be enough: ``2/3``, ``4+2``.
    """

    sign: str
    progress: str
    points: int


def entries(reasons: Mapping[str, Any]) -> list[Entry]:
    """The categories of an account in the order of the rules."""
    lines = [
        Entry(castle["castle"], f"{len(castle['knights'])}/{castle['need']}", castle["points"])
        for castle in reasons["castles"]
    ]
    for sign, kind in ((CHURCH, "churches"), (WINDMILL, "windmills")):
        sizes = [len(group["fields"]) for group in reasons[kind]["groups"] if group["points"]]
        lines.append(Entry(sign, "+".join(map(str, sizes)) or "–", reasons[kind]["points"]))
    defence = reasons["defence"]
    lines.append(Entry("defence", f"{defence['strength']}/{defence['need']}", defence["points"]))
    if reasons["group"] is not None:
        points = reasons["group"]["points"]
        lines.append(Entry("group", str(points), points))
    return lines


def draw_entries(canvas: Canvas, room: Box, lines: Sequence[Entry], total: str) -> None:
    """A line for each category with its points at the right, and the sum below a rule."""
    rows = room.rows(len(lines) + 1)
    for row, line in zip(rows, lines, strict=False):
        y = row.centre[1]
        colour = INK if line.points else FAINT
        canvas.stamp(icon(line.sign), (row.left + ICON / 2, y))
        canvas.text((row.left + ICON + 16, y), line.progress, NOTE, colour, "lm")
        canvas.text((row.right, y), str(line.points), FIGURE, colour, "rm")
    foot = rows[-1]
    canvas.line([(foot.left, foot.top + 1), (foot.right, foot.top + 1)], LINE, 2)
    canvas.text((foot.right, foot.centre[1] + 2), total, SUM, INK, "rm")


@lru_cache(maxsize=32)
def icon(sign: str) -> Sprite:
    """The sign of a category, about ``ICON`` high."""
    if sign in ("CA6", "CA4"):
        return _small_castle(sign)
    if sign in (CHURCH, WINDMILL):
        return symbol(sign, 0, ICON)
    canvas = Canvas(ICON, ICON)
    scale = ICON / 100
    if sign == "defence":
        path = "M 4 90 V 24 H 22 V 38 H 40 V 24 H 60 V 38 H 78 V 24 H 96 V 90 H 66 V 66 H 34 V 90 Z"
        canvas.path(trace(path), WALL, INK, 6 * scale, scale=scale)
    else:
        shield = "M -26 -30 H 26 V 2 C 26 18 14 28 0 34 C -14 28 -26 18 -26 2 Z"
        for x, y in ((30, 36), (70, 36), (50, 62)):
            canvas.path(trace(shield), STEEL, LIGHT, 6 * scale, (x * scale, y * scale), scale)
    return canvas.sprite()


def _small_castle(sign: str) -> Sprite:
    canvas = Canvas(ICON, ICON)
    scale = ICON / 100
    path = "M 6 96 V 8 H 24 V 22 H 38 V 8 H 62 V 22 H 76 V 8 H 94 V 96 Z"
    canvas.path(trace(path), STONE, INK, 6 * scale, scale=scale)
    canvas.text((50 * scale, 60 * scale), sign[-1], Type("strong", 24), INK)
    return canvas.sprite()


__all__ = ["CASTLE", "GOLD", "KNIGHT", "SOFT", "account", "castle", "placed"]
