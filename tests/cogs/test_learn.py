"""Learning a game in small steps: opening a lesson, answering, leaving and resuming."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

import pytest

from cogs.games import WORDS
from cogs.gateway.cards import Button, Card, Gallery, Select
from cogs.gateway.layouts import layout
from cogs.present.lessons import (
    APART,
    Learner,
    lessons_card,
    right_card,
    step_card,
    wrong_answer_text,
)
from data.texts import LANGUAGES, texts
from play.lessons import (
    AnswerVerdict,
    JudgedAnswer,
    Lesson,
    LessonStep,
    lesson_of,
    lessons,
)
from tests.stage import Stage, alts_of, controls, private, texts_of, use, verb_of

pytestmark = pytest.mark.usefixtures("no_errors")

ANSWERS = 100
"""How many answers to a step are tried, or more until one is right; some have thousands."""


# ------------------------------------------------------------------- every step, in words
@pytest.mark.parametrize("lesson", [*reversed(lessons())], ids=lambda lesson: lesson.game)
def test_a_lesson_is_played_to_its_end(lesson: Lesson, rng: random.Random) -> None:
    """Each step is answered through its menus. In each language, its card has the idea and the
    task, a few wrong answers are explained, and a right one solves the step.
    """
    words, solved = WORDS[lesson.game], dict[str, frozenset[str]]()
    for number, step in enumerate(lesson.steps, 1):
        asked = step_card(lesson, step, words, Learner("Zoë", solved, texts("en")))
        coming = chosen(lesson, step, asked)
        answers = list(islice(coming, ANSWERS))
        rights = (each for each in chain(answers, coming) if each.verdict is AnswerVerdict.RIGHT)
        right = next(rights)
        wrong = [each for each in answers if each.verdict is AnswerVerdict.WRONG]
        before = solved
        solved = {lesson.game: solved.get(lesson.game, frozenset()) | {step.key}}
        for say in map(texts, LANGUAGES):
            asked = step_card(lesson, step, words, Learner("Zoë", before, say))
            assert say(step.task, **step.values("Zoë")) in written(asked)
            assert say(step.idea, **step.values("Zoë")) in written(asked)
            for judged in rng.sample(wrong, min(20, len(wrong))):
                told = wrong_answer_text(step, judged, words, Learner("Zoë", {}, say))
                assert len(told) > 40
            last = right_card(lesson, step, right, words, Learner("Zoë", solved, say))
            after = written(last)
            assert say(step.right, **step.values("Zoë")) in after
            assert re.search(rf"\b{number} \w+ {len(lesson.steps)}\b", after)
    for say in map(texts, LANGUAGES):
        last = right_card(lesson, step, right, words, Learner("Zoë", solved, say))
        assert [b.control.verb for b in last.rows[0]][:2] == ["firstmatch", "gamerules"]  # type: ignore[union-attr]
        computers = re.search("2 (computer|ordinateur|máquina)", written(last).lower())
        assert bool(computers) == (lesson.game == "twilight")
        assert "▱" not in written(lessons_card([lesson], WORDS, solved, say))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.game)
def test_a_lesson_opens_with_the_goal_of_the_game(lesson: Lesson, language: str) -> None:
    say, words = texts(language), WORDS[lesson.game]
    goal = {
        "en": "**Your goal.** ",
        "de": "**Dein Ziel.** ",
        "fr": "**Ton but.** ",
        "es": "**Tu objetivo.** ",
    }[language]
    for step in lesson.steps:
        text = written(step_card(lesson, step, words, Learner("Zoë", {}, say)))
        idea = text.index(say(step.idea, **step.values("Zoë")))
        assert text.count(goal) == text[:idea].count(goal) == (step == lesson.steps[0])
    assert say(lesson.aim).startswith(goal)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("learner", ["Ben", "clara ♟", "David 2", "EMMA"])
def test_nobody_in_a_lesson_has_the_learners_name(learner: str, language: str) -> None:
    say, name = texts(language), re.match(r"\w+", learner)
    assert name is not None
    own = re.compile(rf"\b{name[0]}s?\b", re.IGNORECASE)
    for lesson in lessons():
        for step in lesson.steps:
            names = step.names(learner)
            assert names[step.seat] == learner
            assert [each for each in names if own.search(each)] == [learner]
            others = step.values(learner)
            told = [step.idea, step.task, step.right, *(miss.text for miss in step.misses)]
            assert not any(own.search(say(text, **others)) for text in told), step.key


def chosen(lesson: Lesson, step: LessonStep, card: Card) -> Iterator[JudgedAnswer]:
    """The answers that a card's menus lead to, opening each menu once."""
    say, words = texts("en"), WORDS[lesson.game]
    waiting, seen = [card], set[str]()
    while waiting:
        for argument in arguments(waiting.pop()):
            if argument in seen:
                continue
            seen.add(argument)
            *begun, last = argument.removeprefix(f"{step.game}.{step.key}.").split(APART)
            if last in step.offered(begun):
                judged = step.judge([*begun, last])
                yield judged
                if judged.verdict is not AnswerVerdict.UNFINISHED:
                    continue
                begun, last = [*judged.answer], ""
            last = last.removesuffix("?")
            assert any(move.startswith(last) for move in step.offered(begun)), argument
            waiting.append(step_card(lesson, step, words, Learner("Zoë", {}, say), begun, last))


def arguments(card: Card) -> Iterator[str]:
    """The arguments of a card's answers, whether buttons or menu entries."""
    for row in card.rows:
        if isinstance(row, Select) and row.control.verb == "solve":
            yield from (entry.value for entry in row.entries)
        elif isinstance(row, tuple):
            buttons = [button for button in row if isinstance(button, Button)]
            yield from (b.control.argument for b in buttons if b.control.verb == "solve")


def written(card: Card) -> str:
    """All the text on a card."""
    return "\n".join(part for part in card.parts if isinstance(part, str))


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.game)
def test_every_position_is_drawn(lesson: Lesson, language: str) -> None:
    say, words = texts(language), WORDS[lesson.game]
    for step in lesson.steps:
        card = step_card(lesson, step, words, Learner("Zoë", {}, say))
        right = next(j for j in chosen(lesson, step, card) if j.verdict is AnswerVerdict.RIGHT)
        for each in (card, right_card(lesson, step, right, words, Learner("Zoë", {}, say))):
            for part in each.parts:
                if isinstance(part, Gallery):
                    (file,) = part.drawings[0].draw()
                    assert file.alt


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.game)
def test_the_menu_of_steps_shows_the_one_that_is_shown(lesson: Lesson) -> None:
    """The menu's id differs on each step, because Discord keeps the previous choice of a menu whose
    id is unchanged.
    """
    ids, numbers = set[str](), set[int | None]()
    for step in lesson.steps:
        card = step_card(lesson, step, WORDS[lesson.game], Learner("Zoë", {}, texts("en")))
        menu = next(r for r in card.rows if isinstance(r, Select) and r.control.verb == "learn")
        assert [e.value for e in menu.entries if e.chosen] == [f"{lesson.game}.{step.key}"]
        (frame,) = layout(Card(("Steps",), (menu,))).to_components()
        (shown,) = frame["components"][-1]["components"]
        ids.add(shown["custom_id"])
        numbers.add(shown["id"])
    assert len(ids) == len(numbers) == len(lesson.steps)


# ---------------------------------------------------------------------------- on the stage
async def go(person: Any, message: Any, verb: str, value: str) -> Any:
    """Press a button with a verb and an argument, or choose it in a menu."""
    for control in controls(message):
        found, argument = verb_of(control.custom_id)
        if found != verb:
            continue
        if not control.options and argument == value:
            return private(await person.click(message, custom_id=control.custom_id))
        if value in [option for option, _ in control.options]:
            chosen = await person.select(message, [value], custom_id=control.custom_id)
            return private(chosen)
    raise AssertionError(f"no {verb}:{value} among {controls(message)}")


async def answer(person: Any, message: Any, game: str, key: str, *choices: str) -> Any:
    """Choose the entries in a step's menus one after the other."""
    for choice in choices:
        message = await go(person, message, "solve", f"{game}.{key}.{choice}")
    return message


@pytest.mark.usefixtures("patient")
async def test_a_lesson_is_left_and_continued(stage: Stage) -> None:
    """Solved steps stay solved after a restart, for this person only."""
    anna = stage.people["Anna"]
    page = private(await use(anna, private(await anna.slash(stage.channel, "play")), "game"))
    step = private(await use(anna, page, "learn", "lancelot"))
    assert "Place your first stone on H7." in texts_of(step)
    assert "0 of 12" in texts_of(step)
    assert alts_of(step)
    wrong = await answer(anna, step, "lancelot", "placing", "G", "G7")
    assert "Not quite: G7." in texts_of(wrong)
    assert "this time the square is H7" in texts_of(wrong)
    assert "you place one stone on a free square" in texts_of(wrong), "the idea stays"
    over = await answer(anna, wrong, "lancelot", "placing", "H")
    over = await go(anna, over, "learn", "lancelot.placing.")
    right = await answer(anna, over, "lancelot", "placing", "H", "H7")
    assert "Right!" in texts_of(right)
    assert "1 of 12" in texts_of(right)
    assert stage.channel.history() == []
    await stage.restart()
    step = private(await anna.slash(stage.channel, "learn", game="lancelot"))
    assert "Take Ben's stone on I4." in texts_of(step)
    right = await answer(anna, step, "lancelot", "taking", "K", "K4")
    assert "takes I4 in row 4" in texts_of(right)
    ben = stage.people["Ben"]
    overview = private(await ben.slash(stage.channel, "learn"))
    assert "2 of 12" not in texts_of(overview)
    overview = await go(anna, right, "learn", "")
    assert "2 of 12" in texts_of(overview)


async def test_the_games_to_learn_are_offered(stage: Stage) -> None:
    anna = stage.people["Anna"]
    offered = await anna.autocomplete(stage.channel, "learn", "game", "lanc")
    assert [choice["value"] for choice in offered] == ["lancelot"]


@pytest.mark.usefixtures("patient")
async def test_a_rule_that_is_broken_is_named(stage: Stage) -> None:
    """Illegal moves are offered too."""
    anna = stage.people["Anna"]
    step = private(await anna.slash(stage.channel, "learn", game="lancelot"))
    step = await go(anna, step, "learn", "lancelot.chivalry")
    wrong = await answer(anna, step, "lancelot", "chivalry", "E", "E7")
    assert "Chivalry: " in texts_of(wrong)
    assert "column E" in texts_of(wrong)


@pytest.mark.speaks("de")
@pytest.mark.usefixtures("patient")
async def test_an_answer_of_two_moves_by_direct_message(stage: Stage) -> None:
    """The second move is asked for in the position after the first."""
    anna = stage.people["Anna"].user
    step = private(await anna.slash("learn", game="lancelot"))
    step = await go(anna, step, "learn", "lancelot.power")
    step = await answer(anna, step, "lancelot", "power", "X:", "X:G", "X:G6", "X:G6 G")
    right = await answer(anna, step, "lancelot", "power", "X:G6 G10")
    assert "Beide Linien wurden zusammen beurteilt" in texts_of(right)


@pytest.mark.usefixtures("patient")
async def test_the_last_step_leads_to_a_match(stage: Stage) -> None:
    anna, lesson = stage.people["Anna"], lesson_of("lancelot")
    assert lesson is not None
    for each in lesson.steps[:-1]:
        await stage.bot.store.lessons.solve(anna.id, "lancelot", each.key)
    step = private(await anna.slash(stage.channel, "learn", game="lancelot"))
    right = await answer(anna, step, "lancelot", "winning", "J", "J10")
    assert "`/preferences coach` turns it off" in texts_of(right)
    await go(anna, right, "firstmatch", "lancelot")
    table = await stage.table()
    assert table.settings(anna.id).coach
    assert (table.row.options["goal"], table.running) == (4, True)
    assert {member.level for member in table.members} == {None, "novice"}
