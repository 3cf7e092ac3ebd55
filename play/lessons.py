"""Lessons: people learn a game in small steps, which run on its engine.

A lesson is data, ``data/lessons/<game>.toml``; a step is a position with one idea and one task::

    aim = "…"                           # the aim of the game, shown first
    match = {goal = 4}                  # options of the match at the end of the lesson
    [[chapters]]
    title = "The basics"
    [[chapters.steps]]
    key = "taking"                      # never changes: progress is stored under it
    players = 2
    options = {king = true}             # of the game, if any
    log = "start:1 E4 I4 G4 H9"         # the position: one draw or move per word
    seat = 0                            # the learner's
    part = 4                            # of the table, if the picture shows only that; see painters
    idea = "…"                          # texts are in English; catalogues translate them
    task = "…"
    answers = ["K4"]                    # right answers; moves of one answer separated by spaces …
    happens = [{kind = "captured"}]     # … or facts that a right answer causes
    moves = 1                           # the most moves of an answer judged by facts
    also = ["K10"]                      # illegal moves offered with the legal ones
    misses = [{text = "…"}]             # replies to wrong but legal answers: the first that fits
    right = "…"

A miss may restrict when it fits, by ``moves`` (prefixes of the answer) or by ``happens``; the last
one always fits. A pattern matches facts of its kind that have all its data; a list in it matches
lists that contain its items. The engine says which rule an illegal answer breaks. Texts call the
others at the table ``{Ben}``, ``{Clara}``, ``{David}`` and ``{Emma}``, in seat order: see
``company``. They may also name options and facts of the step's match: see ``LessonStep.values``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache
from pathlib import Path
from typing import Any, Final

from games import GAMES
from games.engine import Event, Fact, Game, IllegalMove, Match, Move, View

LESSONS: Final = Path(__file__).resolve().parent.parent / "data" / "lessons"
"""The folder with the lessons of the built-in games."""

NAMES: Final = (("Ben", "Paul"), ("Clara", "Nora"), ("David", "Jakob"), ("Emma", "Lena"))
"""The others at the table, in seat order: the name that texts use, and a spare name of the same
gender for learners who have that name themselves.
"""

SEED: Final = "lesson"
"""The seed of the draws that follow an answer."""

KEY: Final = re.compile(r"[a-z0-9-]{1,20}")
"""The form of a step's key, which has to fit into ids."""

TITLED: Final = re.compile(r"\*\*[^*]+\*\*")
"""How the text of an idea begins: with a title in bold."""

OWN: Final = re.compile(r"(?P<seat>[0-4])=(?P<move>.+)")
"""How an event is written in a log when several seats have to move: with the seat in front."""

Pattern = Mapping[str, Any]
"""A description to compare facts with."""


class AnswerVerdict(Enum):
    """The verdict on an answer."""

    RIGHT = auto()
    WRONG = auto()
    UNFINISHED = auto()
    """Not wrong so far; another move is needed."""


def company(learner: str) -> dict[str, str]:
    """Return the names of the others at the table, by the placeholders that texts use for them.
    None of them equals the learner's name.
    """
    own = set(re.findall(r"\w+", learner.casefold()))
    return {name: spare if name.casefold() in own else name for name, spare in NAMES}


def names_with(learner: str, seat: int, players: int) -> tuple[str, ...]:
    """Return the names at a table, by seat.

    :param seat: the learner's seat.
    """
    others = iter(company(learner).values())
    return tuple(learner if each == seat else next(others) for each in range(players))


@dataclass(frozen=True, slots=True)
class Miss:
    """A reply to certain wrong answers."""

    text: str
    moves: tuple[str, ...] = ()
    happens: tuple[Pattern, ...] = ()

    def fits(self, answer: Sequence[Move], facts: Sequence[Fact]) -> bool:
        """Return whether this reply fits a wrong answer that has caused these facts."""
        if self.moves and not " ".join(answer).startswith(self.moves):
            return False
        return all(any(is_like(fact, pattern) for fact in facts) for pattern in self.happens)


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A position, an idea and a task; the top of the module explains the fields."""

    game: str
    key: str
    idea: str
    task: str
    right: str
    log: str
    seat: int = 0
    players: int = 2
    options: Mapping[str, Any] = field(default_factory=dict)
    answers: tuple[str, ...] = ()
    happens: tuple[Pattern, ...] = ()
    moves: int = 1
    also: tuple[Move, ...] = ()
    misses: tuple[Miss, ...] = ()
    part: int | None = None

    @property
    def length(self) -> int:
        """The most moves that an answer can have."""
        return max([self.moves, *(len(each.split()) for each in self.answers)])

    def match(self) -> Match[Any]:
        """Return the position, as a new match at each call."""
        return self.match_of(GAMES[self.game])

    def match_of(self, game: Game[Any]) -> Match[Any]:
        """Return the position under the rules of ``game``, which need not be registered.

        :raises EngineError: the log is not legal.
        """
        setup = game.setup(self.players, self.options, SEED)
        state, log = game.start(setup), list[Event]()
        for word in self.log.split():
            own = OWN.fullmatch(word)
            seat, move = (int(own["seat"]), own["move"]) if own else (game.actors(state)[0], word)
            log.append(Event(seat, move))
            game.do(state, seat, move)
        return Match.replay(game, setup, log)

    def names(self, learner: str) -> tuple[str, ...]:
        """Return the names at the table, by seat."""
        return names_with(learner, self.seat, self.players)

    def values(self, learner: str) -> dict[str, Any]:
        """Return the values for the braces in its texts: the others' names, and the options and
        facts of the match.
        """
        game = GAMES[self.game]
        options = game.setup(self.players, self.options).options
        return {**options, **game.facts(self.players, options), **company(learner)}

    def offered(self, answer: Sequence[Move] = ()) -> list[Move]:
        """Return the moves to choose from after the first moves of an answer; sorted naturally if
        illegal moves are among them.

        :raises IllegalMove: the first moves are not legal.
        """
        match = self._after(answer)
        if self.seat not in match.actors:
            return []
        legal = match.game.legal(match.state, self.seat)
        if answer or not self.also:
            return legal
        return sorted([*legal, *self.also], key=_natural)

    def solution(self) -> tuple[Move, ...]:
        """Return the shortest right answer, or the first of several in the order of the menus;
        empty if there is none. This is slow for answers of several moves.
        """
        waiting: list[tuple[Move, ...]] = [()]
        for begun in waiting:
            for move in self.offered(begun):
                judged = self.judge((*begun, move))
                if judged.verdict is AnswerVerdict.RIGHT:
                    return judged.answer
                if judged.verdict is AnswerVerdict.UNFINISHED:
                    waiting.append(judged.answer)
        return ()

    def view(self, answer: Sequence[Move] = ()) -> View:
        """Return what the learner knows after the first moves of an answer."""
        return self._after(answer).view(self.seat)

    def judge(self, answer: Sequence[Move]) -> JudgedAnswer:
        """Judge an answer of one or more moves."""
        start = self.match()
        try:
            match, steps = start.played(self.seat, answer)
        except IllegalMove as refusal:
            return JudgedAnswer(
                AnswerVerdict.WRONG, tuple(answer), start.view(self.seat), refusal=refusal
            )
        facts = tuple(fact for step in steps for fact in step.facts if fact.known_to(self.seat))
        verdict = self._verdict(tuple(answer), facts, self.seat in match.actors)
        miss = next((m.text for m in self.misses if m.fits(answer, facts)), "")
        return JudgedAnswer(verdict, tuple(answer), match.view(self.seat), facts, miss=miss)

    def _verdict(
        self, answer: tuple[Move, ...], facts: Sequence[Fact], goes_on: bool
    ) -> AnswerVerdict:
        if self.answers:
            wanted = [tuple(each.split()) for each in self.answers]
            if answer in wanted:
                return AnswerVerdict.RIGHT
            begun = any(each[: len(answer)] == answer for each in wanted)
            return AnswerVerdict.UNFINISHED if begun else AnswerVerdict.WRONG
        if all(any(is_like(fact, pattern) for fact in facts) for pattern in self.happens):
            return AnswerVerdict.RIGHT
        return (
            AnswerVerdict.UNFINISHED
            if goes_on and len(answer) < self.moves
            else AnswerVerdict.WRONG
        )

    def _after(self, answer: Sequence[Move]) -> Match[Any]:
        match = self.match()
        return match.played(self.seat, answer)[0] if answer else match


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """The verdict on an answer, and its effects.

    :param view: the learner's view after the answer; before it if the answer was illegal.
    :param facts: the effects that the learner may know about.
    :param refusal: the rule that forbids the answer; None: it was legal.
    :param miss: the reply if the answer is wrong; empty if it is illegal.
    """

    verdict: AnswerVerdict
    answer: tuple[Move, ...]
    view: View = field(repr=False)
    facts: tuple[Fact, ...] = ()
    refusal: IllegalMove | None = None
    miss: str = ""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Steps about one part of a game."""

    title: str
    steps: tuple[LessonStep, ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    """The lesson of one game.

    :param aim: the aim of the game, in two or three sentences; may be empty.
    :param options: the options of the match at its end.
    """

    game: str
    chapters: tuple[Chapter, ...]
    options: Mapping[str, Any]
    aim: str = ""

    @property
    def opponents(self) -> int:
        """The number of opponents in the match that ends the lesson: as few as the game allows, but
        at least one.
        """
        return max(2, GAMES[self.game].info.players[0]) - 1

    @property
    def steps(self) -> tuple[LessonStep, ...]:
        """The steps of all chapters."""
        return tuple(step for chapter in self.chapters for step in chapter.steps)

    def step(self, key: str) -> LessonStep | None:
        """Return the step with this key; None if there is none."""
        return next((step for step in self.steps if step.key == key), None)

    def chapter_of(self, step: LessonStep) -> Chapter:
        """Return the chapter of a step."""
        return next(chapter for chapter in self.chapters if step in chapter.steps)

    def beside(self, step: LessonStep, by: int) -> LessonStep | None:
        """Return the step ``by`` steps after another (before it, if negative); None if there is
        none.
        """
        place = self.steps.index(step) + by
        return self.steps[place] if 0 <= place < len(self.steps) else None

    def first_of(
        self, solved: frozenset[str], after: LessonStep | None = None
    ) -> LessonStep | None:
        """Return the first unsolved step; None if all are solved.

        :param after: steps after this one are tried first.
        """
        at = 0 if after is None else self.steps.index(after) + 1
        ahead = (*self.steps[at:], *self.steps[:at])
        return next((step for step in ahead if step.key not in solved), None)


def is_like(fact: Fact, pattern: Pattern) -> bool:
    """Return whether a fact matches a pattern."""
    if fact.kind != pattern["kind"]:
        return False
    return all(_fits(fact.data.get(key), value) for key, value in pattern.items() if key != "kind")


def _fits(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        return isinstance(value, list | tuple) and all(item in value for item in wanted)
    return bool(value == wanted)


def _natural(move: Move) -> list[tuple[int, int, str]]:
    """Return a sort key that compares numbers by value."""
    parts = re.findall(r"\d+|\D+", move)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts]


# ------------------------------------------------------------------------------ reading
def lessons() -> Sequence[Lesson]:
    """Return all lessons, in the order of the games."""
    return [lesson for game_id in GAMES if (lesson := lesson_of(game_id)) is not None]


def lesson_of(game_id: str) -> Lesson | None:
    """Return the lesson of a game; None if it has none."""
    return known_lessons().get(game_id)


@cache
def known_lessons() -> dict[str, Lesson]:
    """Return the lessons by game id. The lesson of a game from outside is added to this dict, and
    removed from it, with the game.
    """
    return {path.stem: read_lesson(path) for path in sorted(LESSONS.glob("*.toml"))}


def read_lesson(path: Path) -> Lesson:
    """Read the lesson in a file named after its game.

    :raises ValueError: the file does not have the format at the top of the module.
    :raises KeyError: chapters, a chapter's title or steps, or the text of a miss is missing.
    """
    game = path.stem
    plain = tomllib.loads(path.read_text("utf-8"))
    chapters = tuple(
        Chapter(chapter["title"], tuple(_step(game, step) for step in chapter["steps"]))
        for chapter in plain["chapters"]
    )
    lesson = Lesson(game, chapters, plain.get("match", {}), plain.get("aim", ""))
    keys = [step.key for step in lesson.steps]
    if len(set(keys)) < len(keys) or not all(KEY.fullmatch(key) for key in keys):
        raise ValueError(f"{path}: keys must differ and match {KEY.pattern}")
    for step in lesson.steps:
        if not TITLED.match(step.idea):
            raise ValueError(f"{path}: the idea of {step.key} must begin with a **title**")
    return lesson


def _step(game: str, plain: Mapping[str, Any]) -> LessonStep:
    lists = {key: tuple(plain[key]) for key in ("answers", "happens", "also") if key in plain}
    misses = tuple(
        Miss(miss["text"], tuple(miss.get("moves", ())), tuple(miss.get("happens", ())))
        for miss in plain.get("misses", ())
    )
    try:
        return LessonStep(game, **{**plain, **lists, "misses": misses})
    except TypeError as fault:
        raise ValueError(f"{game}: {plain.get('key')}: {fault}") from None
