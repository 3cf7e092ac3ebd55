"""The picture of a person's ratings over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cogs.present.drawings import Painted
from cogs.present.words import GameWords
from data.texts import Texts
from render.course import Course, course_picture
from render.names import spoken
from render.scene import Picture

WORTH_DRAWING = 2
"""A curve is drawn only if it has more points than this."""


def course_drawing(
    ratings: Mapping[str, Sequence[int]], words: Mapping[str, GameWords], whose: str, say: Texts
) -> Painted | None:
    """Return the picture of a person's ratings; None if too few matches have counted.

    :param ratings: the ratings by game, as returned by ``StandingRepository.course``.
    :param whose: the person's name as typed, unescaped.
    """
    courses = tuple(
        Course(say(words[game].title), tuple(course), game)
        for game, course in ratings.items()
        if len(course) > WORTH_DRAWING and game in words
    )
    return Painted(_courses, (courses, whose), say) if courses else None


def _courses(shown: tuple[Sequence[Course], str], say: Texts) -> Picture:
    courses, whose = shown
    return course_picture(courses, spoken(whose), say)
