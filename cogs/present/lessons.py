"""Lessons as cards: navigation, a step, and feedback on an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from cogs.gateway.cards import (
    ENTRY_LABEL,
    Button,
    Card,
    Entry,
    Gallery,
    Part,
    Row,
    Select,
    Style,
    rows_of,
)
from cogs.gateway.controls import Control
from cogs.gateway.texts import escape
from cogs.present.choices import menu_rows
from cogs.present.drawings import Drawing, What
from cogs.present.people import figure_names, seat_colour
from cogs.present.refusals import explain
from cogs.present.words import GameWords
from data.texts import Texts
from games import GAMES
from games.engine import Fact, Move, View
from play.lessons import JudgedAnswer, Lesson, LessonStep, lesson_of
from play.table import RefusedByRules
from render.scene import Scene

BAR: Final = 10
"""Number of symbols in a progress bar."""

APART: Final = " "
"""Separates the moves of an answer; no move contains it."""

Solved = Mapping[str, frozenset[str]]
"""The keys of solved steps, by game."""


@dataclass(frozen=True, slots=True)
class Learner:
    """A person taking a lesson.

    :param name: the person's name as typed, unescaped.
    :param say: texts in the person's language.
    """

    name: str
    solved: Solved
    say: Texts


def step_control(step: LessonStep) -> Control:
    """Return the control that opens a step."""
    return Control.apart("learn", f"{step.game}.{step.key}")


def bar(done: int, count: int, say: Texts) -> str:
    """Return a progress bar: ``▰▰▰▱▱▱▱▱▱▱ 3 of 10``."""
    full = BAR * done // count
    return f"{'▰' * full}{'▱' * (BAR - full)} {say('{n} of {count}', n=done, count=count)}"


def progress(lesson: Lesson, solved: Solved, say: Texts) -> str:
    """Return a bar of the person's progress in a lesson."""
    keys = solved.get(lesson.game, frozenset())
    done = sum(step.key in keys for step in lesson.steps)
    return bar(done, len(lesson.steps), say)


# --------------------------------------------------------------------------------- ways
def learn_buttons(game_id: str, say: Texts) -> tuple[Button, ...]:
    """Return a button for a game's lesson; empty if it has no lesson."""
    if lesson_of(game_id) is None:
        return ()
    return (Button(Control.apart("learn", game_id), say("Learn it")),)


def lessons_card(
    lessons: Sequence[Lesson], words: Mapping[str, GameWords], solved: Solved, say: Texts
) -> Card:
    """Return all lessons, with the person's progress in each."""
    lines = [
        say("### Which game would you like to learn?"),
        say("In small steps, on the real board. You can stop at any time and continue later."),
        *(
            f"**{say(words[lesson.game].title)}**\n{progress(lesson, solved, say)}"
            for lesson in lessons
        ),
    ]
    buttons = [
        Button(Control.apart("learn", lesson.game), say(words[lesson.game].title), Style.PRIMARY)
        for lesson in lessons
    ]
    return Card(("\n".join(lines),), rows_of(buttons))


def _navigation(lesson: Lesson, step: LessonStep, learner: Learner) -> list[Row]:
    """Return the navigation: a menu of the steps around this one, and buttons for the previous
    step, the next one, and all lessons.
    """
    keys, say = learner.solved.get(lesson.game, frozenset()), learner.say
    entries = []
    for number, each in enumerate(lesson.steps, 1):
        done = "✓ " if each.key in keys else ""
        label = f"{number} · {done}{title_of(each, say)}"[:ENTRY_LABEL]
        argument = step_control(each).argument
        entries.append(
            Entry(label, argument, say(lesson.chapter_of(each).title), chosen=each == step)
        )
    size = 25
    here = lesson.steps.index(step) // size * size
    shown = tuple(entries[here : here + size])
    rows: list[Row] = [Select(Control.apart("learn", "0"), say("Go to…"), shown)]
    neighbours = ((-1, say("◀ Back")), (1, say("Skip ▶")))
    buttons = [
        Button(step_control(other), label)
        for by, label in neighbours
        if (other := lesson.beside(step, by)) is not None
    ]
    rows.append((*buttons, Button(Control.apart("learn"), say("All lessons"))))
    return rows


def title_of(step: LessonStep, say: Texts) -> str:
    """Return the title of a step: the bold words that its idea starts with."""
    return say(step.idea, **step.values("")).split("**")[1].rstrip(".")


# -------------------------------------------------------------------------------- steps
def step_card(
    lesson: Lesson,
    step: LessonStep,
    words: GameWords,
    learner: Learner,
    answer: Sequence[Move] = (),
    prefix: str = "",
    told: str = "",
) -> Card:
    """Return a step with its task, and the menus for solving it.

    :param answer: the moves chosen so far, if the answer has several.
    :param prefix: the beginning of the next move.
    :param told: feedback on the last answer; empty if there has been none.
    """
    names, say = step.names(learner.name), learner.say
    view = step.view(answer)
    offered = step.offered(answer)
    menu = words.menu(view, offered, prefix, names, say)
    before = f"{step.game}.{step.key}." + "".join(move + APART for move in answer)
    rows = menu_rows(menu, Control.apart("solve"), before)
    if prefix or answer:
        rows.append((_again(step, say("Start over")),))
    parts: list[Part] = [_heading(lesson, words, learner)]
    values = step.values(learner.name)
    if step == lesson.steps[0] and lesson.aim:
        parts.append(say(lesson.aim))
    parts += filter(None, (told, say(step.idea, **values)))
    parts += _pictures(step, view, names, say)
    parts.append(f"**{say('Your task')}{say.colon}** {say(step.task, **values)}\n-# {menu.prompt}")
    return Card(tuple(parts), (*rows, *_navigation(lesson, step, learner)), seat_colour(step.seat))


def right_card(
    lesson: Lesson, step: LessonStep, judged: JudgedAnswer, words: GameWords, learner: Learner
) -> Card:
    """Show the result of a right answer, with a button for the next step or, once all steps are
    solved, for a match.
    """
    names, say = step.names(learner.name), learner.say
    story = _story(step, judged, words, names, say)
    parts: list[Part] = [
        _heading(lesson, words, learner),
        _with_story(
            f"✅ **{say('Right!')}** {say(step.right, **step.values(learner.name))}", story
        ),
    ]
    moves = tuple((step.seat, move) for move in judged.answer)
    parts += _pictures(step, judged.view, names, say, judged.facts, moves)
    keys = learner.solved.get(lesson.game, frozenset())
    following = lesson.first_of(keys, step)
    if following is None:
        parts.append(
            say.plural(
                "All steps are done: now you know {game}. How about a match against a computer"
                " player who knows the rules, but no tricks yet? The coach will watch over you: it"
                " asks before a clearly losing move counts. `/preferences coach` turns it off.",
                "All steps are done: now you know {game}. How about a match against {n} computer"
                " players who know the rules, but no tricks yet? The coach will watch over you: it"
                " asks before a clearly losing move counts. `/preferences coach` turns it off.",
                lesson.opponents,
                game=say(words.title),
            )
        )
        return Card(tuple(parts), (_ending(lesson, step, say),), seat_colour(step.seat))
    go_on = Button(step_control(following), say("Next ▶"), Style.SUCCESS)
    again = _again(step, say("Once more"))
    others = Button(Control.apart("learn"), say("All lessons"))
    return Card(tuple(parts), ((go_on, again, others),), seat_colour(step.seat))


def wrong_answer_text(
    step: LessonStep, judged: JudgedAnswer, words: GameWords, learner: Learner
) -> str:
    """Give feedback on a wrong answer: which rule it breaks, or what it overlooks."""
    names, say = step.names(learner.name), learner.say
    moves = [words.move_in_words(move, names, say) for move in judged.answer]
    head = f"❌ **{say('Not quite')}{say.colon} {escape(say.list(moves))}.**"
    if judged.refusal is not None:
        refusal = RefusedByRules(judged.refusal, step.game, names)
        return f"{head} {explain(refusal, {step.game: words}, say)}"
    story = _story(step, judged, words, names, say)
    return _with_story(f"{head} {say(judged.miss, **step.values(learner.name))}", story)


def _ending(lesson: Lesson, step: LessonStep, say: Texts) -> tuple[Button, ...]:
    game = lesson.game
    return (
        Button(Control.apart("firstmatch", game), say("Play a match"), Style.SUCCESS),
        Button(Control.apart("gamerules", game), say("Rules")),
        _again(step, say("Once more")),
        Button(Control.apart("learn"), say("All lessons")),
    )


def _again(step: LessonStep, label: str) -> Button:
    """Return a button that starts a step again. Its id must differ from that of a button with
    ``step_control``, because both may be in one message.
    """
    return Button(Control.apart("learn", f"{step_control(step).argument}."), label)


def _with_story(text: str, story: str) -> str:
    return f"{text}\n-# {story}" if story else text


@cache
def _solution(game_id: str, key: str) -> tuple[Move, ...]:
    """Return the first right answer to a step; answers are cached."""
    lesson = lesson_of(game_id)
    step = lesson and lesson.step(key)
    return step.solution() if step else ()


def example_parts(step: LessonStep, words: GameWords, reader: str, say: Texts) -> list[Part]:
    """Return a step as an example: what its first right answer leads to, and why it is right."""
    judged = step.judge(_solution(step.game, step.key))
    names = step.names(reader)
    moves = tuple((step.seat, move) for move in judged.answer)
    story = _story(step, judged, words, names, say)
    right = say(step.right, **step.values(reader))
    text = _with_story(f"**{say('Example')}{say.colon}** {right}", story)
    return [*_pictures(step, judged.view, names, say, judged.facts, moves), text]


def _heading(lesson: Lesson, words: GameWords, learner: Learner) -> str:
    say = learner.say
    return f"### {say(words.title)}\n-# {progress(lesson, learner.solved, say)}"


def _story(
    step: LessonStep, judged: JudgedAnswer, words: GameWords, names: Sequence[str], say: Texts
) -> str:
    """Describe the consequences of an answer, in sentences."""
    figures = figure_names(names, words.owners(judged.view), say)
    told = (words.tell(fact, figures, say) for fact in judged.facts)
    return " ".join(sentence for sentence in told if sentence)


def _pictures(
    step: LessonStep,
    view: View,
    names: tuple[str, ...],
    say: Texts,
    facts: tuple[Fact, ...] = (),
    moves: tuple[tuple[int, Move], ...] = (),
) -> Iterator[Gallery]:
    """Yield the board, or the part of it that the step is about, and, if the game has hands, the
    learner's hand. If the game has hands but only one person plays in the step, yield the hand
    alone.
    """
    has_hand = GAMES[step.game].info.has_secrets
    scene = Scene(view=view, names=names, say=say, facts=facts, moves=moves)
    if step.players > 1 or not has_hand:
        what: What = "board" if step.part is None else "close_up"
        yield Gallery((Drawing(step.game, what, scene, step.part or 0),))
    if has_hand:
        yield Gallery((Drawing(step.game, "hand", Scene(view=view, names=names, say=say)),))
