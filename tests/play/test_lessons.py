"""Lessons: each step has right answers, and each wrong answer has an explanation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from games.engine import CHANCE, Match, Move
from games.isis import position_of
from play.lessons import (
    AnswerVerdict,
    JudgedAnswer,
    Lesson,
    LessonStep,
    lesson_of,
    lessons,
    read_lesson,
)

STEPS = [step for lesson in lessons() for step in lesson.steps]

FEWEST, MOST = 8, 14
"""The minimum number of steps in a lesson, and the maximum in its first chapter."""


def tried(step: LessonStep, answer: tuple[Move, ...] = ()) -> Iterator[JudgedAnswer]:
    """Every answer that the menus allow."""
    for move in step.offered(answer):
        judged = step.judge((*answer, move))
        yield judged
        if judged.verdict is AnswerVerdict.UNFINISHED:
            yield from tried(step, judged.answer)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: f"{step.game}-{step.key}")
def test_every_answer_is_judged(step: LessonStep) -> None:
    """There are right answers, and they change the position. For a forbidden answer the rule is
    named; every other wrong answer has an explanation.
    """
    match = legal_so_far(step)
    assert step.seat in match.actors
    right, wrong = list[JudgedAnswer](), list[JudgedAnswer]()
    for judged in tried(step):
        if judged.verdict is AnswerVerdict.RIGHT:
            right.append(judged)
        elif judged.verdict is AnswerVerdict.WRONG:
            wrong.append(judged)
    assert right
    assert wrong, "there are no wrong answers"
    assert all(judged.view != step.view() for judged in right)
    for judged in wrong:
        assert (judged.refusal is None) == bool(judged.miss), judged.answer
    if step.answers:
        assert {" ".join(judged.answer) for judged in right} == set(step.answers)
    forbidden = {judged.answer[0] for judged in wrong if judged.refusal is not None}
    assert forbidden == set(step.also)


def legal_so_far(step: LessonStep) -> Match[Any]:
    """The position of a step, if the rules allow each of its moves and draws."""
    end = step.match()
    match = Match(end.game, end.setup)
    for event in end.log:
        if event.seat == CHANCE:
            draws = match.game.chance(match.state)
            if draws is not None:
                assert event.move in [move for move, _ in draws]
        else:
            assert event.move in match.game.legal(match.state, event.seat), event
        match = Match.replay(match.game, match.setup, [*match.log, event])
    return match


@pytest.mark.parametrize("step", STEPS, ids=lambda step: f"{step.game}-{step.key}")
def test_every_miss_is_needed(step: LessonStep) -> None:
    told = {judged.miss for judged in tried(step) if judged.verdict is AnswerVerdict.WRONG}
    assert {miss.text for miss in step.misses} == told - {""}


def test_nothing_is_offered_once_it_is_not_the_learners_turn() -> None:
    """In Lancelot, placing a stone ends the turn."""
    step = next(step for step in STEPS if step.game == "lancelot" and step.moves == 1)
    assert step.offered(step.solution()) == []


def test_only_the_learners_stone_is_offered_as_their_own() -> None:
    lesson = lesson_of("isis")
    assert lesson is not None
    for step in lesson.steps:
        own = step.view().public["personal"][step.seat]
        assert {move.split("-")[0] for move in step.offered() if move[0] == "P"} <= {f"P{own}"}


def test_the_way_that_a_miss_names_is_there() -> None:
    """Ben's stone is not trapped as long as the move named in the response is possible."""
    lesson = lesson_of("isis")
    step = lesson and lesson.step("locking")
    assert step
    named = set[str]()
    for judged in [each for each in tried(step) if each.verdict is AnswerVerdict.WRONG]:
        for square in re.findall(r"(?:to|throne) (\d+)\.", judged.miss):
            position = position_of(judged.view)
            assert f"P50-{square}" in position.moves_of(50, personal=True, descending=False)
            named.add(square)
    assert named == {"39", "43", "44"}


def test_a_wrong_move_of_the_sword_is_explained() -> None:
    lesson = lesson_of("lancelot")
    step = lesson and lesson.step("excalibur")
    assert step
    assert "moves the sword" in step.judge(["X:G6"]).miss


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.game)
def test_a_lesson_has_a_fair_length_and_a_possible_match(lesson: Lesson) -> None:
    assert len(lesson.chapters[0].steps) <= MOST
    assert len(lesson.steps) >= FEWEST
    game = lesson.steps[0].match().game
    assert game.setup(max(2, game.info.players[0]), lesson.options).options.items() >= (
        lesson.options.items()
    )


def test_the_first_step_that_is_left() -> None:
    """The first unsolved step is the next one after the current step or, failing that, the first of
    the lesson; there is none if all are solved.
    """
    lesson = lesson_of("lancelot")
    assert lesson is not None
    first, second, third, *_ = lesson.steps
    assert lesson.first_of(frozenset()) is first
    assert lesson.first_of(frozenset({first.key})) is second
    assert lesson.first_of(frozenset({second.key}), second) is third
    last = lesson.steps[-1]
    assert lesson.first_of(frozenset({last.key}), last) is first
    assert lesson.first_of(frozenset(step.key for step in lesson.steps)) is None
    assert lesson.beside(first, -1) is None
    assert lesson.beside(first, 2) is third
    assert lesson.beside(lesson.steps[-1], 1) is None


@pytest.mark.parametrize(
    "keys", [("a", "a"), ("A",), ("a.b",), ("",)], ids=["twice", "capital", "dot", "empty"]
)
def test_unusable_keys_are_refused(keys: Sequence[str], tmp_path: Path) -> None:
    """Keys are distinct and consist of lower-case letters, digits and dashes."""
    with pytest.raises(ValueError, match="keys"):
        read_lesson(written(tmp_path, keys, "answers = ['H7']"))


def test_an_unknown_word_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"lancelot: a: .*answer"):
        read_lesson(written(tmp_path, ["a"], "answer = ['H7']"))


def written(folder: Path, keys: Sequence[str], more: str) -> Path:
    """A lesson with one chapter."""
    texts = "".join(f"{name} = 'x'\n" for name in ("idea", "task", "right", "log"))
    steps = "".join(f"[[chapters.steps]]\nkey = '{key}'\n{texts}{more}\n" for key in keys)
    path = folder / "lancelot.toml"
    path.write_text(f"[[chapters]]\ntitle = 'x'\n{steps}", "utf-8")
    return path
