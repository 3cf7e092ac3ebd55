"""What a scoring brings, category by category, and what the round asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from data.texts import Texts
from games.donquixote.principality import KNIGHTS_NEEDED, LAST_ROUND, STRENGTH_NEEDED
from games.donquixote.tiles import CHURCH, WINDMILL
from render.canvas import Canvas, Sprite, fitted
from render.donquixote.colours import PALE_STONE, STEEL, WALL
from render.donquixote.tiles import symbol
from render.geometry import Box, Point, trace
from render.theme import FAINT, GOLD, INK, LIGHT, LINE, SOFT, Type

ICON = 34
FIGURE = Type("strong", 28)
NOTE = Type("text", 26)

DEFENCE, GROUP = "defence", "group"
"""Signs of the national defence and of the largest group of knights."""


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
    """The categories of an account, in the order of the rules."""
    lines = [
        Entry(castle["castle"], f"{len(castle['knights'])}/{castle['need']}", castle["points"])
        for castle in reasons["castles"]
    ]
    for sign, kind in ((CHURCH, "churches"), (WINDMILL, "windmills")):
        sizes = [len(group["fields"]) for group in reasons[kind]["groups"] if group["points"]]
        lines.append(Entry(sign, "+".join(map(str, sizes)) or "–", reasons[kind]["points"]))
    defence = reasons["defence"]
    lines.append(Entry(DEFENCE, f"{defence['strength']}/{defence['need']}", defence["points"]))
    if reasons["group"] is not None:
        points = reasons["group"]["points"]
        lines.append(Entry(GROUP, "", points))
    return lines


def draw_entries(
    canvas: Canvas,
    room: Box,
    heading: str,
    lines: Sequence[Entry],
    total: str,
    before: Sequence[Entry] = (),
) -> None:
    """A line for each category with its points at the right, and the sum below a rule.

    :param before: the entries with which to compare these; what differs is shown in gold.
    """
    head, *rows, foot = room.rows(len(lines) + 2)
    canvas.text((head.left, head.centre[1]), fitted(heading, NOTE, room.width), NOTE, SOFT, "lm")
    for row, line in zip(rows, lines, strict=True):
        y = row.centre[1]
        colour = INK if line.points else FAINT
        canvas.stamp(icon(line.sign), (row.left + ICON / 2, y))
        canvas.text((row.left + ICON + 16, y), line.progress, NOTE, colour, "lm")
        canvas.text((row.right, y), str(line.points), FIGURE, colour, "rm")
    for row, line, earlier in zip(rows, lines, before, strict=False):
        change = line.points - earlier.points
        if change:
            canvas.text((row.right - 60, row.centre[1]), f"{change:+d}", FIGURE, GOLD, "rm")
    canvas.rect(Box(foot.left, round(foot.top), foot.right, round(foot.top) + 2), LINE)
    canvas.text((foot.right, foot.centre[1] + 2), total, FIGURE, INK, "rm")


# ---------------------------------------------------------------------- conditions
@dataclass(frozen=True, slots=True)
class Condition:
    """What a category asks for in a round.

    :param signs: names of its icons.
    :param words: the rule in a few words.
    :param short: what has to be reached in this round; empty if it is the same in all.
    """

    signs: tuple[str, ...]
    words: str
    short: str = ""


def conditions(round_: int, say: Texts) -> list[Condition]:
    """What counts in a round, in the order of the rules."""
    knights, strength = KNIGHTS_NEEDED[round_ - 1], STRENGTH_NEEDED[round_ - 1]
    wanted = [
        Condition(
            ("CA6", "CA4"),
            say.plural("from {n} knight: 6, 4", "from {n} knights: 6, 4", knights),
            f"≥ {knights}",
        ),
        Condition((CHURCH, WINDMILL), say("two: 2, from three: 2 each")),
        Condition((DEFENCE,), say("from strength {n}: 5", n=strength), f"≥ {strength}"),
    ]
    if round_ == LAST_ROUND:
        wanted.append(Condition((GROUP,), say("largest group: strength"), "Σ"))
    return wanted


def draw_conditions(canvas: Canvas, room: Box, wanted: Sequence[Condition]) -> None:
    """One below the other, in words."""
    for row, condition in zip(room.rows(len(wanted)), wanted, strict=True):
        x = row.left
        for sign in condition.signs:
            canvas.stamp(icon(sign), (x + ICON / 2, row.centre[1]))
            x += ICON + 8
        words = fitted(condition.words, NOTE, row.right - x - 8)
        canvas.text((x + 8, row.centre[1]), words, NOTE, INK, "lm")


def draw_thresholds(canvas: Canvas, end: Point, wanted: Sequence[Condition]) -> None:
    """Side by side, only what has to be reached, up to ``end`` at the right."""
    x, y = end
    for condition in reversed(wanted):
        if condition.short:
            x = canvas.text((x, y), condition.short, FIGURE, INK, "rm").left - 6
            for sign in reversed(condition.signs):
                canvas.stamp(icon(sign), (x - 4 - ICON / 2, y))
                x -= ICON + 6
            x -= 28


# ------------------------------------------------------------------------------- icons
@lru_cache(maxsize=32)
def icon(sign: str, size: int = ICON) -> Sprite:
    """The sign of a category, ``size`` high."""
    if sign in (CHURCH, WINDMILL):
        return symbol(sign, 0, size)
    canvas = Canvas(size, size)
    draw = {DEFENCE: _gatehouse, GROUP: _shields}.get(sign, _keep)
    draw(canvas, size / 100)
    if draw is _keep:
        canvas.text((size * 0.5, size * 0.6), sign[-1], Type("strong", 24), INK)
    return canvas.sprite()


def _gatehouse(canvas: Canvas, scale: float) -> None:
    path = "M 4 92 V 22 H 22 V 36 H 40 V 22 H 60 V 36 H 78 V 22 H 96 V 92 H 66 V 66 H 34 V 92 Z"
    canvas.path(trace(path), WALL, INK, 6 * scale, scale=scale)


def _shields(canvas: Canvas, scale: float) -> None:
    shield = trace("M -24 -28 H 24 V 2 C 24 16 13 26 0 32 C -13 26 -24 16 -24 2 Z")
    for x, y in ((28, 36), (72, 36), (50, 62)):
        canvas.path(shield, STEEL, LIGHT, 7 * scale, (x * scale, y * scale), scale)


def _keep(canvas: Canvas, scale: float) -> None:
    path = "M 6 96 V 6 H 24 V 18 H 38 V 6 H 62 V 18 H 76 V 6 H 94 V 96 Z"
    canvas.path(trace(path), PALE_STONE, INK, 6 * scale, scale=scale)
