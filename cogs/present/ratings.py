"""The picture of how someone's ratings have changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cogs.gateway.cards import Attachment, fingerprint_of
from cogs.present.words import GameWords
from data.texts import Texts
from render.course import Course, course_picture
from render.names import spoken

WORTH_DRAWING = 2
"""Matches that make a curve."""


@dataclass(frozen=True, slots=True)
class CourseDrawing:
    """The curves of a person's ratings.

    :param whose: the person's name, as it was typed.
    """

    courses: tuple[Course, ...]
    whose: str
    say: Texts

    @property
    def fingerprint(self) -> str:
        """Changes whenever the picture would."""
        courses = [(course.name, course.ratings) for course in self.courses]
        return fingerprint_of([courses, self.whose, self.say.language])

    def draw(self) -> Sequence[Attachment]:
        """The one picture."""
        picture = course_picture(self.courses, spoken(self.whose), self.say)
        return (Attachment(picture.name, picture.png, picture.alt),)


def course_drawing(
    ratings: Mapping[str, Sequence[int]], words: Mapping[str, GameWords], whose: str, say: Texts
) -> CourseDrawing | None:
    """The picture of ratings; None if too few matches have counted for one.

    :param ratings: by game, as ``Standings.course`` gives them.
    """
    courses = tuple(
        Course(say(words[game].title), tuple(course))
        for game, course in ratings.items()
        if len(course) > WORTH_DRAWING and game in words
    )
    return CourseDrawing(courses, whose, say) if courses else None
