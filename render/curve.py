"""A curve of winning chances or points for each player, over the course of a match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Literal

from data.texts import N_, Texts
from render.canvas import Canvas, write_lines
from render.course import Plot, apart
from render.geometry import Box, Point
from render.letters import text_width
from render.names import printed_names, spoken_names
from render.plates import CROWN, PAPER, band_of, card, title, token
from render.scene import Picture, first_fitting
from render.theme import (
    BRIGHT_GOLD,
    FAINT,
    HOUSE,
    INK,
    LIGHT,
    LINE,
    SEAT_COLOURS,
    SEATS,
    SOFT,
    WIDTH,
    Colour,
    Palette,
    Type,
    mix,
)

HEIGHT = 880
PLOT = Box(146, 172, 760, 708)
"""The smallest area of the curves; the names are to the right of it, where the curves end."""
RIGHT = 1174
WIDEST = 930
"""Right edge of the area of the curves if all names are short."""
BESIDE, NAME_LEFT, BADGE = 44, 116, 56
"""Distances from the right edge of the curves to the names' tokens and to the names, and size of
the tokens.
"""
LABEL = Type("text", 34)
VALUE = Type("strong", 42)
NAME = Type("text", 34), Type("text", 30), Type("text", 28)
MARK = Type("strong", 42)
KEY = Type("strong", 28)
KEY_WORDS = Type("text", 32), Type("text", 28)
NAMES_APART, VALUE_HIGH = 112, 44
"""Minimum distance between two names with their values, and the height of a value."""
MARK_WIDTH, MARK_HEIGHT, MARKS_APART = 144, 56, 152
LEGEND = HEIGHT - 60
"""Vertical position of the legend that explains the marks."""
MARKS = 120
"""Vertical position of the marks, between the title and the curves."""
KEYS = Box(20, LEGEND, WIDTH - 20, LEGEND)
KEY_SIZE, KEY_GAP = 48, 20
LEADER = 4
"""Width of the line from the end of a curve to its name."""
LINE_WIDTH, LEADING_WIDTH, CASING = 9, 12, 3
"""Width of a curve, of the curve that ends highest, and of the margin in paper colour that
separates a curve from those it crosses.
"""
DEVICE, FREE = 44, 40
"""Size of a seat's token on its curve, and its minimum distance from other curves. The tokens make
it possible to tell the curves apart without seeing their colours.
"""

Missed = Literal["win", "rescue", "better"]
"""What the player missed with the marked move."""
SIGNS: dict[Missed, tuple[str, str]] = {
    "win": ("??", N_("missed a win")),
    "rescue": ("?!", N_("missed a saving move")),
    "better": ("?", N_("missed a better move")),
}
"""The sign of each kind of missed move, and its meaning."""

SHADED = 0.22
"""Opacity of the area below the curve that ends highest."""

CHANCES = (0.05, 0.1, 0.25)
STEPS = (1.0, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)
"""Distances between grid lines, in chances or points; the first that gives few enough lines is
used.
"""
ROUND_STEPS, NUMBERS_AT_MOST = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500), 5
"""Possible intervals between the move numbers on the axis, and the maximum number of intervals."""
LINES_AT_MOST = 6
SLACK = 1e-6
"""How far a value may be from a grid line, in steps, and still count as on it."""
_SHEET = [mix(PAPER.material.dark, PAPER.material.light, n / 3) for n in range(4)]
PALETTE = Palette((
    *HOUSE, *SEAT_COLOURS, PAPER.rim, BRIGHT_GOLD, *_SHEET,
    *(mix(INK, each, share) for each in (_SHEET[2], LINE, LIGHT) for share in (0.25, 0.5, 0.75)),
    *(mix(seat.colour, INK, share) for seat in SEATS for share in (0.25, 0.5, 0.75)),
    *(mix(each, seat.colour, SHADED) for seat in SEATS for each in (*_SHEET, LINE)),
    *(mix(_SHEET[2], seat.colour, share) for seat in SEATS for share in (0.5, 0.75)),
    *(mix(seat.device, seat.colour, share) for seat in SEATS for share in (0.25, 0.5, 0.75)),
))  # fmt: skip
"""Paper, letters, seat colours, and the blends at their edges."""

SPOKEN = 6
"""How many values of each curve its description gives if there is room, including the first and the
last.
"""


@dataclass(frozen=True, slots=True)
class Curves:
    """The curves of a match.

    :param values: a number for each seat at each moment: points, or a chance from 0 to 1. At the
        end of a match, the winners share the chance and all others have none.
    :param moves: how many moves had been made at each moment.
    :param marks: the moments to mark, as indices of ``values``.
    :param movers: for each mark, the seat whose move gave something away.
    :param missed: for each mark, what was missed by that move.
    :param points: whether the values are points.
    """

    title: str
    names: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    moves: tuple[int, ...]
    marks: tuple[int, ...]
    movers: tuple[int, ...]
    missed: tuple[Missed, ...]
    points: bool

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won if the last chances are the result of the match; empty if not."""
        last = self.values[-1]
        if self.points or len(self.values) < 3 or len({*last} - {0.0}) > 1:
            return ()
        return tuple(seat for seat, value in enumerate(last) if value)


def curves_drawn(curves: Curves, say: Texts) -> Picture:
    """Draw the curves. The result of a match is no part of them, because next to it, all chances
    look small; a crown marks the winners instead.
    """
    canvas = card(HEIGHT)
    title(canvas, Box(40, 28, WIDTH - 40, 88), curves.title)
    names = printed_names(spoken_names(curves.names, say), say)
    longest = max(text_width(name, NAME[0]) for name in names)
    right = max(PLOT.right, min(WIDEST, RIGHT - NAME_LEFT - longest))
    plot, levels = _plot_of(curves, PLOT._replace(right=round(right)))
    played = curves.values[:-1] if curves.winners else curves.values
    ways = [plot.way([at[seat] for at in played]) for seat in range(len(curves.names))]
    leader = max(range(len(ways)), key=lambda seat: curves.values[-1][seat])
    _, ground = plot.at(0, max(0.0, plot.low))
    below = [(ways[leader][-1][0], ground), (plot.box.left, ground)]
    canvas.polygon([*ways[leader], *below], SEATS[leader].colour, opacity=SHADED)
    for level in levels:
        words = value_in_words(level, curves.points, say)
        plot.draw_level(canvas, level, words, LABEL, INK, LINE if level else INK)
    for moment in curves.marks:
        x, _ = plot.at(moment, plot.high)
        canvas.dashes([(x, PLOT.top), (x, PLOT.bottom)], FAINT, 2)
    # A curve that others hide completely is drawn wider, so that it shows on both sides of them.
    widths = [
        (LEADING_WIDTH if seat == leader else LINE_WIDTH) + 8 * ways[seat + 1 :].count(way)
        for seat, way in enumerate(ways)
    ]
    # Curves that others hide are drawn first; among the rest, the leader's is last. Each curve has
    # a margin in paper colour where it crosses those below it.
    for seat in sorted(
        range(len(ways)), key=lambda seat: (-ways[seat + 1 :].count(ways[seat]), seat == leader)
    ):
        if ways.index(ways[seat]) == seat:  # equal curves share one margin
            canvas.line(ways[seat], PAPER.material.light, widths[seat] + 4 + 2 * CASING)
        if seat == leader:
            canvas.line(ways[seat], INK, widths[seat] + 4)
        elif SEATS[seat].device == INK:  # too light for paper without an edge
            canvas.line(ways[seat], edge_of(seat), widths[seat] + 2)
        canvas.line(ways[seat], SEATS[seat].colour, widths[seat])
    _devices(canvas, ways)
    _numbers(canvas, plot, curves, say)
    _marks(canvas, plot, curves)
    _draw_keys(canvas, curves, say)
    _names(canvas, plot.box, ways, names, curves, played[-1], say)
    return Picture("analysis.png", canvas.png(PALETTE), curves_in_words(curves, say))


def edge_of(seat: int) -> Colour:
    """Return the colour of the edge around a line whose own colour is too light for paper."""
    return mix(SEATS[seat].colour, INK, 0.6)


def _names(
    canvas: Canvas,
    area: Box,
    ways: Sequence[Sequence[Point]],
    names: Sequence[str],
    curves: Curves,
    last: Sequence[float],
    say: Texts,
) -> None:
    """Write each name as close to the end of its curve as the other names allow, behind the seat's
    token, and connect it with the curve.

    :param last: the value at the end of each curve.
    """
    ends = [way[-1][1] for way in ways]
    for seat, y in enumerate(apart(ends, NAMES_APART, PLOT.bottom - 40)):
        x, left, room = area.right + BESIDE, area.right + NAME_LEFT, NAMES_APART - VALUE_HIGH
        thread = [ways[seat][-1], (x, y)]
        if SEATS[seat].device == INK:
            canvas.line(thread, edge_of(seat), LEADER + 3)
        canvas.line(thread, band_of(seat), LEADER)
        canvas.stamp(token(seat, BADGE), (x + BADGE / 2, y))
        name = y - VALUE_HIGH / 2
        box = write_lines(canvas, (left, name), names[seat], NAME, (RIGHT - left, room), SOFT, "lm")
        value, below = value_in_words(last[seat], curves.points, say), box.bottom + VALUE_HIGH - 12
        end = canvas.text((left, below), value, VALUE, INK, "lm").right
        if seat in curves.winners:
            canvas.path(CROWN, BRIGHT_GOLD, INK, 3, centre=(end + 36, below - 2), scale=22)


def _plot_of(curves: Curves, area: Box) -> tuple[Plot, list[float]]:
    """Return a plot whose scale suits the values, and the values of its grid lines."""
    played = curves.values[:-1] if curves.winners else curves.values
    found = [value for at in played for value in at]
    low, high = (min(0.0, *found), max(found)) if curves.points else (min(found), max(found))
    steps = STEPS if curves.points else CHANCES
    reach = max(high - low, steps[0])
    step = next((s for s in steps if reach / s <= LINES_AT_MOST), steps[-1])
    low = floor(low / step + SLACK) * step
    high = max(ceil(high / step - SLACK) * step, low + step)
    levels = [low + step * n for n in range(round((high - low) / step) + 1)]
    return Plot(area, low, high, max(1, len(curves.values) - 1)), levels


def _devices(canvas: Canvas, ways: Sequence[Sequence[Point]]) -> None:
    """Draw each seat's token once on its curve, where no other curve is near; leave it out if there
    is no such place.
    """
    steps = range(1, len(ways[0]) - 1)
    for seat, way in enumerate(ways):
        wanted = (seat + 1) / (len(ways) + 1) * len(steps)
        for step in sorted(steps, key=lambda step: abs(step - wanted)):
            others = (other[step][1] for other in ways if other is not way)
            if all(abs(way[step][1] - other) >= FREE for other in others):
                canvas.stamp(token(seat, DEVICE), way[step])
                break


def _marks(canvas: Canvas, plot: Plot, curves: Curves) -> None:
    """Draw the marked moments above the curves: mover, number, and the sign of what was missed."""
    wanted = [plot.at(moment, plot.high)[0] for moment in curves.marks]
    least = PLOT.left + MARK_WIDTH / 2 + 8
    places = apart([max(x, least) for x in wanted], MARKS_APART, plot.box.right - MARK_WIDTH / 2)
    marks = zip(wanted, places, curves.movers, curves.missed, strict=True)
    for number, (x, at, seat, missed) in enumerate(marks, 1):
        canvas.line([(at, MARKS + MARK_HEIGHT / 2), (x, PLOT.top)], INK, 3)
        box = Box.at((at, MARKS), MARK_WIDTH, MARK_HEIGHT)
        canvas.rect(box, band_of(seat), INK, 3, radius=MARK_HEIGHT / 2)
        canvas.stamp(token(seat, MARK_HEIGHT - 6), (box.left + MARK_HEIGHT / 2, MARKS))
        canvas.text((box.centre[0], MARKS), str(number), MARK, SEATS[seat].device)
        _sign(canvas, (box.right - MARK_HEIGHT / 2, MARKS), missed)


def _sign(canvas: Canvas, at: Point, missed: Missed) -> None:
    """Draw a disc with the sign of what a move missed."""
    canvas.circle(at, KEY_SIZE / 2, LIGHT, INK, 3)
    canvas.text(at, SIGNS[missed][0], KEY, INK)


def _draw_keys(canvas: Canvas, curves: Curves, say: Texts) -> None:
    """Below the curves, draw a legend of the signs used, all in the same type size."""
    told = [(kind, say(words)) for kind, (_, words) in SIGNS.items() if kind in curves.missed]
    for type_ in KEY_WORDS:
        wide = [KEY_SIZE + 12 + text_width(words, type_) for _, words in told]
        gap = (KEYS.width - sum(wide)) / (len(told) + 1)
        if gap >= KEY_GAP:
            break
    left = KEYS.left + gap
    for (missed, words), width in zip(told, wide, strict=True):
        _sign(canvas, (left + KEY_SIZE / 2, LEGEND), missed)
        canvas.text((left + KEY_SIZE + 12, LEGEND), words, type_, INK, "lm")
        left += width + gap


def _numbers(canvas: Canvas, plot: Plot, curves: Curves, say: Texts) -> None:
    """Write the move numbers below the curves, on top of any curve that overlaps the lower edge."""
    last = len(curves.moves) - 1
    step = next((each for each in ROUND_STEPS if last / each <= NUMBERS_AT_MOST), last)
    for moment in {*range(0, last + 1 - step // 2, step), last}:
        x, _ = plot.at(moment, plot.low)
        number = say.number(curves.moves[moment])
        canvas.text((x, PLOT.bottom + 36), number, LABEL, INK)
    canvas.text((plot.box.right + 40, PLOT.bottom + 36), say("Move"), LABEL, INK, "lm")


# --------------------------------------------------------------------------- in words
def value_in_words(value: float, points: bool, say: Texts) -> str:
    """Return points, or a chance as a percentage."""
    if points:
        return say.number(round(value))
    return say("{n}%", n=round(100 * value))


def curves_in_words(curves: Curves, say: Texts) -> str:
    """Describe the curves: a few values of each, and the marked moments."""
    attempts = (list(_sentences(curves, say, spoken)) for spoken in (SPOKEN, 3, 2))
    return first_fitting(map(" ".join, attempts), say)


def _sentences(curves: Curves, say: Texts, spoken: int) -> Iterator[str]:
    yield f"{curves.title}."
    last = len(curves.values) - 1
    moments = sorted({round(last * n / (spoken - 1)) for n in range(spoken)})
    for seat, name in enumerate(spoken_names(curves.names, say)):
        told = [
            say(
                "{value} after move {n}",
                value=value_in_words(curves.values[moment][seat], curves.points, say),
                n=curves.moves[moment],
            )
            for moment in moments
        ]
        yield say("{name}: {values}.", name=name, values=", ".join(told))
    names = spoken_names(curves.names, say)
    marks = zip(curves.marks, curves.movers, curves.missed, strict=True)
    for number, (moment, seat, missed) in enumerate(marks, 1):
        yield say(
            "Turning point {number}: move {n}, {name}: {missed}.",
            number=number,
            n=curves.moves[moment] + 1,
            name=names[seat],
            missed=say(SIGNS[missed][1]),
        )
