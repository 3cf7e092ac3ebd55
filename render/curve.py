"""A curve for each player over a match: of chances, or of points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from data.texts import Texts
from render.canvas import Canvas, write
from render.course import Plot, apart
from render.geometry import Box
from render.letters import fitted, text_width
from render.names import printed_names, spoken_names
from render.plates import token
from render.scene import Picture, first_fitting
from render.theme import FAINT, INK, LIGHT, LINE, PARCHMENT, SEATS, WIDTH, Type

HEIGHT = 720
PLOT = Box(120, 104, 1136, 560)
LEGEND = Box(48, 632, 1152, 696)
TITLE = Type("title", 34)
LABEL = Type("text", 26)
NAME = Type("strong", 28)
MARK = Type("strong", 26)
SHIELDS_APART = 42

STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)
"""Distances of the lines in points; the first that gives few enough is taken."""
LINES_AT_MOST = 6

SPOKEN = 6
"""So many numbers of each curve are told in words, the first and the last among them."""


@dataclass(frozen=True, slots=True)
class Curves:
    """What is drawn.

    :param values: at each moment, a number for each seat: points, or a chance from 0 to 1.
    :param moves: at each moment, how many moves had been made.
    :param marks: moments to be marked, numbered from 1.
    :param points: whether the values are points.
    """

    title: str
    names: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    moves: tuple[int, ...]
    marks: tuple[int, ...]
    points: bool


def curves_drawn(curves: Curves, say: Texts) -> Picture:
    """The picture of some curves."""
    canvas = Canvas(WIDTH, HEIGHT, PARCHMENT)
    write(canvas, (WIDTH / 2, 56), curves.title, TITLE, WIDTH - 96, INK)
    plot, levels = _plot_of(curves)
    canvas.rect(PLOT, LIGHT)
    _lines(canvas, plot, levels, curves, say)
    marked = [plot.at(moment, plot.high) for moment in curves.marks]
    for x, y in marked:
        canvas.dashes([(x, y), (x, PLOT.bottom)], FAINT, 3)
    ways = [plot.way([at[seat] for at in curves.values]) for seat in range(len(curves.names))]
    # One that lies below others of the same course is wider, so that it shows beside them.
    widths = [5 + 8 * ways[seat + 1 :].count(way) for seat, way in enumerate(ways)]
    for way, width in zip(ways, widths, strict=True):
        canvas.line(way, INK, width + 4)
    for seat, (way, width) in enumerate(zip(ways, widths, strict=True)):
        canvas.line(way, SEATS[seat].colour, width)
    _numbers(canvas, plot, curves, say)
    for number, at in enumerate(marked, 1):
        canvas.circle(at, 20, INK)
        canvas.text(at, str(number), MARK, LIGHT)
    for seat, y in enumerate(apart([way[-1][1] for way in ways], SHIELDS_APART)):
        canvas.stamp(token(seat, 40), (ways[seat][-1][0] + 28, y))
    _legend(canvas, curves, say)
    return Picture("analysis.png", canvas.png(None), curves_in_words(curves, say))


def _plot_of(curves: Curves) -> tuple[Plot, list[float]]:
    """The scale that suits the values, and at which of them there are lines."""
    found = [value for at in curves.values for value in at]
    low, high = (min(0.0, *found), max(found)) if curves.points else (0.0, 1.0)
    step = 0.25
    if curves.points:
        reach = max(high - low, 1.0)
        step = next((s for s in STEPS if reach / s <= LINES_AT_MOST), STEPS[-1])
    low = low // step * step
    high = max(-(-high // step) * step, low + step)
    levels = [low + step * n for n in range(round((high - low) / step) + 1)]
    return Plot(PLOT, low, high, max(1, len(curves.values) - 1)), levels


def _lines(canvas: Canvas, plot: Plot, levels: Sequence[float], curves: Curves, say: Texts) -> None:
    """Lines across with their numbers."""
    for level in levels:
        words = value_in_words(level, curves.points, say)
        plot.draw_level(canvas, level, words, LABEL, INK, INK if not level else LINE)


def _numbers(canvas: Canvas, plot: Plot, curves: Curves, say: Texts) -> None:
    """The numbers of moves below; after the curves, which may be broad at the lower edge."""
    for share in (0, 0.25, 0.5, 0.75, 1):
        moment = round(plot.last * share)
        x, _ = plot.at(moment, plot.low)
        number = str(curves.moves[min(moment, len(curves.moves) - 1)])
        canvas.text((x, PLOT.bottom + 34), number, LABEL, INK)
    canvas.text((PLOT.left - 16, PLOT.bottom + 34), say("Move"), LABEL, INK, "rm")


def _legend(canvas: Canvas, curves: Curves, say: Texts) -> None:
    """The shields with the names."""
    names = printed_names(spoken_names(curves.names, say), say)
    for seat, column in enumerate(LEGEND.columns(len(names), gap=16)):
        x, y = column.left + 24, column.centre[1]
        name = fitted(names[seat], NAME, column.width - 64)
        left = (column.width - 60 - text_width(name, NAME)) / 2
        canvas.stamp(token(seat, 44), (x + left, y))
        canvas.text((x + left + 34, y), name, NAME, INK, "lm")


# --------------------------------------------------------------------------- in words
def value_in_words(value: float, points: bool, say: Texts) -> str:
    """Points, or a chance in per cent."""
    if points:
        return say.number(round(value)).replace("-", "−")
    return say("{n} %", n=round(100 * value))


def curves_in_words(curves: Curves, say: Texts) -> str:
    """What the curves show: a few numbers of each, and the moments that are marked."""
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
    for number, moment in enumerate(curves.marks, 1):
        yield say("Turning point {number}: move {n}.", number=number, n=curves.moves[moment] + 1)
