"""The course of someone's ratings: a curve for each game, over the matches that counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from data.texts import Texts
from render.canvas import Canvas, fitted
from render.geometry import Box, Point
from render.names import printable
from render.plates import PAPER, card, token
from render.scene import ALT_LIMIT, Picture
from render.theme import SEATS, Type

HEIGHT = 480
PLOT = Box(128, 56, 860, 396)
"""Where the curves are; their names stand to the right of it."""
COURSES_AT_MOST = len(SEATS)
STEP = 50
"""Ratings at whose multiples the scale begins and ends, in points."""
CALM = 200
"""Points that the scale spans at least, so that a small change looks small."""
LABEL_APART = 64

SCALE = Type("text", 26)
NAME = Type("strong", 28)
VALUE = Type("text", 26)


@dataclass(frozen=True, slots=True)
class Course:
    """How the rating in one game has changed.

    :param name: of the game.
    :param ratings: that of a newcomer, then after each match that counted.
    """

    name: str
    ratings: tuple[int, ...]


def course_picture(courses: Sequence[Course], whose: str, say: Texts) -> Picture:
    """The ratings of a person over time, in at most ``COURSES_AT_MOST`` games: those with the most
    matches.

    :param whose: the person's name, as a description says it.
    """
    by_length = sorted(courses, key=lambda course: -len(course.ratings))
    shown = sorted(by_length[:COURSES_AT_MOST], key=lambda course: -course.ratings[-1])
    canvas = card(HEIGHT)
    scale = _Scale.of(shown)
    _draw_scale(canvas, scale, say)
    for number, course in enumerate(shown):
        _draw_course(canvas, scale, course, number)
    for number, course in enumerate(shown):
        canvas.stamp(token(number, 32), scale.place(len(course.ratings) - 1, course.ratings[-1]))
    for number, (course, y) in enumerate(zip(shown, _label_heights(scale, shown), strict=True)):
        _draw_label(canvas, course, number, y)
    return Picture("ratings.png", canvas.png(None), _described(shown, whose, say)[:ALT_LIMIT])


@dataclass(frozen=True, slots=True)
class _Scale:
    """From matches and ratings to places in ``PLOT``."""

    lowest: int
    highest: int
    matches: int

    @classmethod
    def of(cls, courses: Sequence[Course]) -> _Scale:
        ratings = [rating for course in courses for rating in course.ratings]
        least, most = min(ratings), max(ratings)
        spare = max(0, CALM - (most - least)) // 2
        lowest = (least - spare) // STEP * STEP
        highest = -(-(most + spare) // STEP) * STEP
        return cls(lowest, highest, max(len(course.ratings) for course in courses) - 1)

    def height(self, rating: float) -> float:
        share = (rating - self.lowest) / (self.highest - self.lowest)
        return PLOT.bottom - share * PLOT.height

    def place(self, match: int, rating: float) -> Point:
        return PLOT.left + PLOT.width * match / max(1, self.matches), self.height(rating)


def _draw_scale(canvas: Canvas, scale: _Scale, say: Texts) -> None:
    middle = (scale.lowest + scale.highest) // 2 // STEP * STEP
    for rating in dict.fromkeys((scale.lowest, middle, scale.highest)):
        y = scale.height(rating)
        canvas.line([(PLOT.left, y), (PLOT.right, y)], PAPER.line, 2)
        canvas.text((PLOT.left - 16, y), str(rating), SCALE, PAPER.soft, "rm")
    foot = PLOT.bottom + 36
    canvas.text((PLOT.left, foot), "0", SCALE, PAPER.soft)
    matches = say.plural("{n} match", "{n} matches", scale.matches)
    canvas.text((PLOT.right, foot), matches, SCALE, PAPER.soft, "rm")


def _draw_course(canvas: Canvas, scale: _Scale, course: Course, number: int) -> None:
    points = [scale.place(n, rating) for n, rating in enumerate(course.ratings)]
    canvas.line(points, PAPER.ink, 9)
    canvas.line(points, SEATS[number].colour, 6)


def _label_heights(scale: _Scale, courses: Sequence[Course]) -> list[float]:
    """Where the names stand: beside the ends of their curves, as far as they leave each other room;
    courses from the top down.
    """
    heights: list[float] = []
    for course in courses:
        lowest = heights[-1] + LABEL_APART if heights else PLOT.top
        heights.append(max(lowest, scale.height(course.ratings[-1])))
    below = heights[-1] - PLOT.bottom
    for number in reversed(range(len(heights))):
        room = PLOT.bottom - LABEL_APART * (len(heights) - 1 - number)
        heights[number] = min(heights[number], room) if below > 0 else heights[number]
    return heights


def _draw_label(canvas: Canvas, course: Course, number: int, y: float) -> None:
    left, width = PLOT.right + 76, canvas.box.right - 40 - PLOT.right - 76
    canvas.stamp(token(number, 40), (PLOT.right + 48, y))
    name = fitted(printable(course.name, NAME.face), NAME, width)
    canvas.text((left, y - 15), name, NAME, PAPER.ink, "lm")
    canvas.text((left, y + 17), str(course.ratings[-1]), VALUE, PAPER.soft, "lm")


def _described(courses: Sequence[Course], whose: str, say: Texts) -> str:
    return " ".join(_sentences(courses, whose, say))


def _sentences(courses: Sequence[Course], whose: str, say: Texts) -> Iterator[str]:
    yield say("The ratings of {name}.", name=whose)
    for course in courses:
        matches = say.plural("{n} match", "{n} matches", len(course.ratings) - 1)
        yield say(
            "{game}: {last} after {matches}, between {least} and {most}.",
            game=course.name,
            last=course.ratings[-1],
            matches=matches,
            least=min(course.ratings),
            most=max(course.ratings),
        )
