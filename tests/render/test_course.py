"""Rating curves, however many and however steep."""

from __future__ import annotations

import io
import random
from unittest.mock import patch

import pytest
from PIL import Image

from data.texts import texts
from render.course import (
    COURSES_AT_MOST,
    END,
    HEIGHT,
    PLOT,
    Course,
    Plot,
    _free_place,
    course_picture,
    grid_of,
    plot_of,
)
from render.emblems import game_emblem
from render.scene import ALT_LIMIT

SAY = texts("de")


def walked(name: str, matches: int, rng: random.Random) -> Course:
    """A rating that rises and falls."""
    ratings = [1000]
    for _ in range(matches):
        ratings.append(ratings[-1] + rng.randint(-60, 60))
    return Course(name, tuple(ratings))


@pytest.mark.parametrize("lengths", [(2,), (2, 300), (40, 12, 25, 3, 31), (9, 8, 7, 6, 5, 4)])
def test_every_number_of_curves_is_drawn(lengths: tuple[int, ...], rng: random.Random) -> None:
    courses = [walked(f"Spiel {n}", length, rng) for n, length in enumerate(lengths)]
    picture = course_picture(courses, "Anna", SAY)
    assert Image.open(io.BytesIO(picture.png)).size == (1200, HEIGHT)
    assert len(picture.png) <= 150 * 1024
    assert len(picture.alt) <= ALT_LIMIT
    longest = sorted(courses, key=lambda course: -len(course.ratings))[:COURSES_AT_MOST]
    for course in courses:
        told = f"{course.name}: {SAY.number(course.ratings[-1])} " in picture.alt
        assert told == (course in longest)


def test_another_course_is_another_picture() -> None:
    flat, steep = Course("Isis", (1000, 1000, 1000)), Course("Isis", (1000, 1500, 700))
    pictures = [course_picture([each], "Anna", SAY).png for each in (flat, steep)]
    assert pictures[0] != pictures[1]


def test_the_scale_fits_the_ratings() -> None:
    """The scale does not begin at the next round number far below all ratings."""
    course = Course("Isis", (1000, 850, 690))
    plot = plot_of([course], PLOT)
    assert plot.low > 650
    assert [*grid_of(plot)] == [700, 800, 900, 1000]


def test_the_emblem_of_a_short_curve_is_not_above_its_end() -> None:
    for step in (2, 40):
        end = PLOT.left + step, PLOT.centre[1]
        _, y = _free_place(end, [end], Plot(PLOT, 900, 1100, 40))
        assert y > end[1]


def test_the_emblem_of_a_short_curve_is_not_on_a_grid_line() -> None:
    """There it would seem to have that rating."""
    plot = Plot(PLOT, 840, 1090, 300)
    lines = [plot.at(0, rating)[1] for rating in grid_of(plot)]
    for rating in range(900, 1050):
        end = plot.at(2, rating)
        _, y = _free_place(end, [end], plot)
        assert min(abs(y - line) for line in lines) > END / 2 + 4


def test_an_emblem_is_not_drawn_twice_side_by_side() -> None:
    """A curve that ends next to its name has a dot, unless other names have moved that name."""
    one, other = Course("Isis", (1000, 1010), "isis"), Course("Lancelot", (1000, 1012), "lancelot")
    with patch("render.course.game_emblem", side_effect=game_emblem) as emblem:
        course_picture([one], "Anna", SAY)
        assert emblem.call_count == 1
        course_picture([one, other], "Anna", SAY)
        assert emblem.call_count > 3
