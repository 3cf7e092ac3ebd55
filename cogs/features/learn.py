"""``/learn``: lessons that teach the games, with their buttons."""

from __future__ import annotations

import re
from typing import Final

from discord.ext import commands

from cogs.features.acting import Acknowledge, Acting
from cogs.features.feature import Choices, Feature, choices, command, press
from cogs.features.lobby import Lobby
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.gateway.translator import L_, name_
from cogs.present.lessons import (
    APART,
    Learner,
    lessons_card,
    right_card,
    step_card,
    wrong_answer_text,
)
from cogs.present.words import ASK_ON
from games.engine import PLAYER_MOVE_MAX, EngineError, Move
from games.players import LEVELS
from play.lessons import AnswerVerdict, JudgedAnswer, Lesson, LessonStep, lesson_of, lessons
from play.table import Refused

PLACE: Final = re.compile(r"(?P<game>[a-z0-9]+)(?:\.(?P<step>[a-z0-9-]+)(?:\.(?P<rest>.*))?)?")
"""A control's argument in lessons: a game, a step of its lesson, and an answer."""


class LearnCog(Feature, commands.Cog):
    """``/learn``, and the steps of all lessons."""

    def __init__(self, acting: Acting, lobby: Lobby) -> None:
        super().__init__(acting)
        self._lobby = lobby
        self._words = acting.presenter.words
        self._store = acting.tables.store.lessons

    @command(
        name_("learn"),
        L_("Learn a game in small steps, by playing"),
        game=(name_("game"), L_("Which game; default: choose from all")),
    )
    async def learn(self, interaction: Interaction, game: str | None = None) -> None:
        """Show all lessons, or continue one."""
        await self._show(interaction, game or "")

    @learn.autocomplete("game")
    async def _games(self, interaction: Interaction, typed: str) -> Choices:
        """Suggest the games that have a lesson."""
        say = self.say(interaction)
        named = {each.game: say(self._words[each.game].title) for each in lessons()}
        return choices(named, typed)

    @press("learn", Acknowledge.PRIVATELY)
    async def go_to(self, interaction: Interaction, control: Control) -> None:
        """Show all lessons, continue one, or show a step."""
        await self._show(interaction, control.argument)

    @press("solve", Acknowledge.PRIVATELY)
    async def solve(self, interaction: Interaction, control: Control) -> None:
        """Judge an answer, or ask for the rest of an incomplete one."""
        lesson, step, rest = _meant(control.argument)
        if step is None:
            raise Refused("stale")
        *begun, last = rest.split(APART)
        chosen = last.removesuffix(ASK_ON)
        offered = _offered(step, begun)
        ways = [move for move in offered if move.startswith(chosen)]
        if not ways:
            raise Refused("stale")
        if chosen != last or chosen not in ways:
            if not self._words[step.game].asks_on(step.view(begun), offered, chosen):
                raise Refused("stale")
            await self._show_step(interaction, lesson, step, begun, chosen)
            return
        await self._tell(interaction, lesson, step, step.judge([*begun, chosen]))

    @press("firstmatch", Acknowledge.PRIVATELY)
    async def play_first_match(self, interaction: Interaction, control: Control) -> None:
        """Start a match against novices at a new table, with the coach on."""
        lesson, _, _ = _meant(control.argument)
        novice, *_ = LEVELS
        against = [novice] * lesson.opponents
        await self.settings.set_person(interaction.user.id, coach=True)
        await self._lobby.open(interaction, lesson.game, lesson.options, against=against)

    # -- inside
    async def _show(self, interaction: Interaction, argument: str) -> None:
        person = interaction.user.id
        if not argument:
            solved = await self._store.of_person(person)
            card = lessons_card(lessons(), self._words, solved, self.say(interaction))
            await self.replies.show(interaction, card)
            return
        lesson, step, _ = _meant(argument)
        if step is None:
            solved = await self._store.of_person(person)
            step = lesson.first_of(solved.get(lesson.game, frozenset())) or lesson.steps[0]
        await self._show_step(interaction, lesson, step)

    async def _show_step(
        self,
        interaction: Interaction,
        lesson: Lesson,
        step: LessonStep,
        answer: list[Move] | None = None,
        prefix: str = "",
        told: str = "",
    ) -> None:
        words, learner = self._words[step.game], await self._learner(interaction)
        card = step_card(lesson, step, words, learner, answer or (), prefix, told)
        await self.replies.show(interaction, card)

    async def _tell(
        self, interaction: Interaction, lesson: Lesson, step: LessonStep, judged: JudgedAnswer
    ) -> None:
        """Give feedback on an answer."""
        words = self._words[step.game]
        if judged.verdict is AnswerVerdict.UNFINISHED:
            await self._show_step(interaction, lesson, step, list(judged.answer))
        elif judged.verdict is AnswerVerdict.WRONG:
            learner = await self._learner(interaction)
            told = wrong_answer_text(step, judged, words, learner)
            await self._show_step(interaction, lesson, step, told=told)
        else:
            await self._store.solve(interaction.user.id, step.game, step.key)
            card = right_card(lesson, step, judged, words, await self._learner(interaction))
            await self.replies.show(interaction, card)

    async def _learner(self, interaction: Interaction) -> Learner:
        solved = await self._store.of_person(interaction.user.id)
        return Learner(interaction.user.display_name, solved, self.say(interaction))


def _meant(argument: str) -> tuple[Lesson, LessonStep | None, str]:
    """Return the lesson in a control's argument, the step if the argument names one, and the rest
    of the argument.

    :raises Refused: ``no_lesson``, or ``stale``: the step no longer exists.
    """
    place = PLACE.fullmatch(argument)
    lesson = lesson_of(place["game"]) if place else None
    if place is None or lesson is None:
        raise Refused("no_lesson")
    if place["step"] is None:
        return lesson, None, ""
    step = lesson.step(place["step"])
    if step is None:
        raise Refused("stale")
    return lesson, step, place["rest"] or ""


def _offered(step: LessonStep, begun: list[Move]) -> list[Move]:
    """Return the moves that can follow the ones already chosen.

    :raises Refused: ``stale``: no answer can begin like this.
    """
    if len(begun) >= step.length or any(len(move) > PLAYER_MOVE_MAX for move in begun):
        raise Refused("stale")
    try:
        return step.offered(begun)
    except EngineError:
        raise Refused("stale") from None
