"""A person's ratings over time: a curve for each game, over the rated matches."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, dist, inf

from data.texts import Texts
from render.cache import cached
from render.canvas import Canvas, Sprite, write
from render.emblems import GAME_COLOURS, game_emblem
from render.geometry import Box, Point, placed, regular
from render.letters import text_width
from render.names import in_one_face, printable
from render.plates import PAPER, band_of, card
from render.scene import ALT_LIMIT, Picture
from render.theme import BRIGHT_GOLD, SEATS, WIDTH, Colour, Type

# ------------------------------------------------------------------------- the frame of all curves
BESIDE = 16
"""Distance between the labels of levels and the curves."""


@dataclass(frozen=True, slots=True)
class Plot:
    """Maps steps and values to points in a box.

    :param low: the value at the lower edge.
    :param high: the value at the upper edge.
    :param last: the step at the right edge, counted from 0; 0 if there is only one step.
    """

    box: Box
    low: float
    high: float
    last: int

    def at(self, step: int, value: float) -> Point:
        """Return the point of a value at a step."""
        share = (value - self.low) / (self.high - self.low)
        x = self.box.left + self.box.width * step / max(1, self.last)
        return x, self.box.bottom - self.box.height * share

    def draw_level(
        self, canvas: Canvas, value: float, words: str, kind: Type, ink: Colour, line: Colour
    ) -> None:
        """Draw a horizontal line at a value, with a label on its left."""
        _, y = self.at(0, value)
        canvas.line([(self.box.left, y), (self.box.right, y)], line, 2)
        canvas.text((self.box.left - BESIDE, y), words, kind, ink, "rm")

    def way(self, values: Sequence[float]) -> list[Point]:
        """Return the points of a curve with one value per step."""
        return [self.at(step, value) for step, value in enumerate(values)]


def apart(wanted: Sequence[float], gap: float, bottom: float = inf) -> list[float]:
    """Return vertical positions close to the wanted ones, in the same order: at least ``gap``
    apart, and none of them below ``bottom``.
    """
    order = sorted(range(len(wanted)), key=lambda number: wanted[number])
    heights: dict[int, float] = {}
    above = -inf
    for number in order:
        heights[number] = above = max(wanted[number], above + gap)
    below = bottom
    for number in reversed(order):
        heights[number] = min(heights[number], below)
        below = heights[number] - gap
    return [heights[number] for number in range(len(wanted))]


# ----------------------------------------------------------------------------------------- ratings
HEIGHT = 660
PLOT = Box(146, 156, 796, 564)
"""The smallest area of the curves; the names of the games are to the right of it."""
WIDEST, LABEL_LEFT, LABEL_RIGHT = 900, 116, 1172
"""Right edge of the area of the curves if all names are short, distance from there to the names,
and their right edge.
"""
COURSES_AT_MOST = len(SEATS)
STEPS = (50, 100, 200, 250, 500, 1000)
"""Distances between grid lines in rating points; the first that gives few enough lines is used. All
of them divide the rating of a newcomer, so that one line marks it.
"""
LINES_AT_MOST = 5
CALM, SPARE = 200, 0.06
"""Smallest range of the scale in points, so that small changes look small, and how much of the
range is left free above and below the curves.
"""
LABEL_APART = 92

TITLE = tuple(Type("title", size) for size in (44, 38, 32, 28))
OTHER_TITLE = tuple(Type("strong", size) for size in (40, 34, 28))
SCALE = Type("text", 32)
NAME = Type("text", 32), Type("text", 28)
VALUE = Type("strong", 46)
KEY = Type("strong", 34), Type("strong", 28)
LEVEL: Colour = "#B28A3C"
"""The colour of the line at the rating of a newcomer, behind a small curve."""
MANY = 100
"""From this many matches on, all curves are thinner and have no dark edge."""
END, DOT, EMBLEM, LEAST_KEY = 42, 22, 68, 44
"""Diameters of the emblem at the end of a curve, of the dot there if the curve is too short for
it, and of the emblem beside the name, and the smallest diameter at which a number is printed in
large type.
"""
SHORT, ASIDE = 2 * END, (64, 90, 104, 116)
"""Curves that are not longer than this end with a dot, and distances from there to the emblem."""
OFF_LINE, OFF_CURVE = 26, 34
"""Distances of the centre of that emblem from grid lines and, if possible, from the curves."""


@dataclass(frozen=True, slots=True)
class Course:
    """A person's rating in one game over time.

    :param name: the name of the game.
    :param ratings: the rating of a newcomer, then the rating after each rated match.
    :param game: the id of the game, for its colour and emblem; a game without an emblem gets a
        number.
    """

    name: str
    ratings: tuple[int, ...]
    game: str = ""


def course_picture(courses: Sequence[Course], whose: str, say: Texts) -> Picture:
    """Draw a person's ratings over time in the games that they have played most, up to
    ``COURSES_AT_MOST`` games.

    :param whose: the person's name, for the title and the description.
    """
    by_length = sorted(courses, key=lambda course: -len(course.ratings))
    shown = sorted(by_length[:COURSES_AT_MOST], key=lambda course: -course.ratings[-1])
    canvas = card(HEIGHT)
    _draw_title(canvas, printable(whose, "strong") or say("Someone"))
    longest = max(text_width(printable(each.name, "strong"), NAME[0]) for each in shown)
    right = max(PLOT.right, min(WIDEST, LABEL_RIGHT - LABEL_LEFT - longest))
    plot = plot_of(shown, PLOT._replace(right=right))
    ends = [max(PLOT.top, plot.at(0, course.ratings[-1])[1]) for course in shown]
    # Put each name next to the end of its curve, if there is room between the names.
    labels = list(apart(ends, LABEL_APART, PLOT.bottom))
    named = {n for n, (y, end) in enumerate(zip(labels, ends, strict=True)) if abs(y - end) < DOT}
    draw_courses(canvas, plot, shown, say, named)
    for number, y in enumerate(labels):
        _draw_label(canvas, shown[number], number, (plot.box.right, y), say)
    alt = " ".join(_sentences(shown, whose, say))
    return Picture("ratings.png", canvas.png(None), alt[:ALT_LIMIT])


def _draw_title(canvas: Canvas, name: str) -> None:
    """Write the name between two fine lines; in capitals if the face for titles has its letters."""
    capitals = name.upper()
    titled = in_one_face(capitals, "title")
    words, kinds = (capitals, TITLE) if titled else (name, OTHER_TITLE)
    written = write(canvas, (WIDTH / 2, 64), words, kinds, 900)
    for start, end in ((40, written.left - 28), (WIDTH - 40, written.right + 28)):
        canvas.line([(start, 64), (end, 64)], PAPER.line, 2)
        canvas.polygon(placed(regular(4), (end, 64), 6), PAPER.line)


def plot_of(courses: Sequence[Course], box: Box) -> Plot:
    """Return a plot whose scale suits the curves."""
    ratings = [rating for course in courses for rating in course.ratings]
    least, most = min(ratings), max(ratings)
    spare = max((CALM - (most - least)) / 2, SPARE * (most - least))
    return Plot(box, least - spare, most + spare, max(len(each.ratings) for each in courses) - 1)


def grid_of(plot: Plot) -> range:
    """Return the ratings at which grid lines are drawn: as many as there may be."""
    levels = (range(ceil(plot.low / step) * step, ceil(plot.high), step) for step in STEPS)
    return next((each for each in levels if len(each) <= LINES_AT_MOST), range(0))


def draw_courses(
    canvas: Canvas,
    plot: Plot,
    courses: Sequence[Course],
    say: Texts,
    named: Collection[int] = (),
) -> None:
    """Draw the curves with their scale, and an emblem at the end of each curve; at the end of a
    short one, which it would hide, a dot with the emblem near it.

    :param named: the numbers of the curves that have only a dot if they end at the right edge,
        because their emblems are beside it.
    """
    began = courses[0].ratings[0]
    for rating in grid_of(plot):
        line = PAPER.faint if rating == began else PAPER.line
        plot.draw_level(canvas, rating, say.number(rating), SCALE, PAPER.soft, line)
    canvas.text((36, plot.box.top - 34), say("Rating"), SCALE, PAPER.soft, "lm")
    foot = plot.box.bottom + 44
    canvas.text((plot.box.left, foot), "0", SCALE, PAPER.soft)
    matches = say.plural("{n} match", "{n} matches", plot.last)
    canvas.text((plot.box.right, foot), matches, SCALE, PAPER.soft, "rm")
    ways = [plot.way(course.ratings) for course in courses]
    # Longer curves first, because they would hide the shorter ones, and their emblems have fixed
    # places.
    order = sorted(range(len(ways)), key=lambda n: -len(ways[n]))
    many = plot.last >= MANY
    for number in order:
        draw_way(canvas, ways[number], _colour(courses[number], number), many=many)
    taken = [point for way in ways for point in (*way, *map(_between, way, way[1:]))]
    for number in order:
        end = at = ways[number][-1]
        short, last = end[0] <= plot.box.left + SHORT, end[0] >= plot.box.right
        if short:
            at = _free_place(end, taken, plot)
            canvas.dashes([end, at], PAPER.soft, 3, dash=6)  # a line would look like more matches
        if short or (last and number in named):
            canvas.circle(end, DOT / 2, _colour(courses[number], number), PAPER.ink, 3)
        if not (last and number in named):
            canvas.stamp(_emblem(courses[number], number, END), at)
        taken += [at] * 2


def _between(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _free_place(end: Point, taken: Sequence[Point], plot: Plot) -> Point:
    """Return a place for an emblem near the end of a curve that keeps clear of all points, if
    possible straight below; if there is none, the one that is farthest from them. On a grid line,
    the emblem would seem to have that rating, so it keeps clear of those too.
    """
    box, levels = plot.box, [plot.at(0, rating)[1] for rating in grid_of(plot)]
    around = [at for reach in ASIDE for at in placed(regular(12), end, reach)]
    left = box.left - BESIDE + END / 2
    inside = [
        (x, y)
        for x, y in around
        if left < x
        and box.top < y < box.bottom
        and all(abs(y - level) > OFF_LINE for level in levels)
    ]
    # Above the end it would look like a higher rating.
    inside.sort(key=lambda at: (at[1] <= end[1], abs(at[0] - end[0])))
    return max(inside, key=lambda at: min(OFF_CURVE, *(dist(at, point) for point in taken)))


def _colour(course: Course, number: int) -> Colour:
    return GAME_COLOURS.get(course.game, SEATS[number].colour)


def _emblem(course: Course, number: int, size: int) -> Sprite:
    if course.game in GAME_COLOURS:
        return game_emblem(course.game, size)
    return key(number, size)


@cached
def key(number: int, size: int) -> Sprite:
    """Return a disc in the colour of a curve, with its number counted from 1.

    :param number: the number of the curve, counted from 0.
    """
    canvas = Canvas(size, size)
    canvas.circle(canvas.box.centre, size / 2, band_of(number), PAPER.ink, 2.5)
    kind = KEY[size < LEAST_KEY]
    canvas.text(canvas.box.centre, str(number + 1), kind, SEATS[number].device)
    return canvas.sprite()


def draw_way(canvas: Canvas, way: Sequence[Point], colour: Colour, *, many: bool) -> None:
    """Draw one curve, with an outline that separates it from the curves it crosses: in ink, or in
    the colour of the paper if the picture shows very ``many`` matches.
    """
    canvas.line(way, PAPER.material.light if many else PAPER.ink, 11 if many else 13)
    canvas.line(way, colour, 6 if many else 9)


def plot_for(ratings: Sequence[int], box: Box, last: int) -> Plot:
    """Return the plot of one small curve, on a scale that it shares with other curves.

    :param ratings: the ratings of all curves on this scale.
    """
    least, most = min(ratings), max(ratings)
    spare = max(0, CALM - (most - least)) / 2
    return Plot(box, least - spare, most + spare, last)


def draw_small(canvas: Canvas, plot: Plot, ratings: Sequence[int]) -> None:
    """Draw a small curve over a line at the rating of a newcomer, with a dot at its end."""
    (_, level), way = plot.at(0, ratings[0]), plot.way(ratings)
    draw_level(canvas, plot.box.left, plot.box.right, level)
    canvas.line(way, PAPER.soft, 5)
    canvas.circle(way[-1], 10, BRIGHT_GOLD, PAPER.ink, 2.5)


def draw_level(canvas: Canvas, left: float, right: float, y: float) -> None:
    """Draw the line at the rating of a newcomer."""
    canvas.dashes([(left, y), (right, y)], LEVEL, 3, dash=8)


def _draw_label(canvas: Canvas, course: Course, number: int, at: Point, say: Texts) -> None:
    """Draw the emblem, the name and the rating of a game to the right of a point."""
    right, y = at
    left = right + LABEL_LEFT
    width = LABEL_RIGHT - left
    canvas.stamp(_emblem(course, number, EMBLEM), (right + 70, y))
    name = printable(course.name, "strong")
    write(canvas, (left, y - 22), name, NAME, width, PAPER.soft, "lm")
    canvas.text((left, y + 18), say.number(course.ratings[-1]), VALUE, PAPER.ink, "lm")


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
