"""Lessons: small steps by which a game is learned on its own engine.

A lesson is data, ``data/lessons/<game>.toml``; a step is a position with one idea and one task::

    aim = "…"                           # of the game: what the lesson opens with
    match = {goal = 4}                  # options of the match that it ends with
    [[chapters]]
    title = "The basics"
    [[chapters.steps]]
    key = "taking"                      # never changed: progress is noted by it
    players = 2
    options = {king = true}             # of the game, if any
    log = "start:1 E4 I4 G4 H9"         # the position: one event a word: a draw, or a move
    seat = 0                            # the learner's
    idea = "…"                          # texts in English; the catalogues have the others
    task = "…"
    answers = ["K4"]                    # right moves, several in a row apart by blanks …
    happens = [{kind = "captured"}]     # … or facts that a right answer leads to
    moves = 1                           # of an answer by facts, at most
    also = ["K10"]                      # forbidden moves that are offered beside the legal ones
    misses = [{text = "…"}]             # what a wrong legal answer is told: the first that fits
    right = "…"

A miss may say by ``moves`` (their beginnings) or by ``happens`` when it fits; the last one always
does. A pattern of a fact names its kind and some of its data; of lists, some of their items. A
forbidden answer is told the rule that it breaks, by the engine. Texts call the others at the table
``{Ben}``, ``{Clara}``, ``{David}`` and ``{Emma}``, from the lowest seat on: see ``company``.
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
"""The folder of the lessons of the house."""

NAMES: Final = (("Ben", "Paul"), ("Clara", "Nora"), ("David", "Jakob"), ("Emma", "Lena"))
"""Those at the table beside the learner, from the lowest seat on: the name that texts use, and
another one of the same gender for learners who have that name themselves.
"""

SEED: Final = "lesson"
"""The draws that follow an answer come from it."""

KEY: Final = re.compile(r"[a-z0-9-]{1,20}")
"""The key of a step: it travels in ids."""

TITLED: Final = re.compile(r"\*\*[^*]+\*\*")
"""How an idea begins: with its title, which stands out."""

OWN: Final = re.compile(r"(?P<seat>[0-4])=(?P<move>.+)")
"""An event of a log where several seats are to move: the seat is written before it."""

Pattern = Mapping[str, Any]
"""What a fact is like."""


class AnswerVerdict(Enum):
    """What an answer is."""

    RIGHT = auto()
    WRONG = auto()
    UNFINISHED = auto()
    """Right so far; another move is due."""


def company(learner: str) -> dict[str, str]:
    """What the others at the table are called, by the names that texts use: nobody has a name of
    the learner's.
    """
    own = set(re.findall(r"\w+", learner.casefold()))
    return {name: spare if name.casefold() in own else name for name, spare in NAMES}


def names_with(learner: str, seat: int, players: int) -> tuple[str, ...]:
    """The names at a table, by seat.

    :param seat: the learner's.
    """
    others = iter(company(learner).values())
    return tuple(learner if each == seat else next(others) for each in range(players))


@dataclass(frozen=True, slots=True)
class Miss:
    """What some wrong answers are told."""

    text: str
    moves: tuple[str, ...] = ()
    happens: tuple[Pattern, ...] = ()

    def fits(self, answer: Sequence[Move], facts: Sequence[Fact]) -> bool:
        """Whether it is meant for this answer."""
        if self.moves and not " ".join(answer).startswith(self.moves):
            return False
        return all(any(is_like(fact, pattern) for fact in facts) for pattern in self.happens)


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One position, one idea, one task; see the top of the module."""

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

    @property
    def length(self) -> int:
        """So many moves make an answer, at most."""
        return max([self.moves, *(len(each.split()) for each in self.answers)])

    def match(self) -> Match[Any]:
        """The position, a new one at each call."""
        return self.match_of(GAMES[self.game])

    def match_of(self, game: Game[Any]) -> Match[Any]:
        """The position by the rules of a game that need not be registered.

        :raises EngineError: the rules do not allow it.
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
        """Who sits where, by seat."""
        return names_with(learner, self.seat, self.players)

    def offered(self, answer: Sequence[Move] = ()) -> list[Move]:
        """The moves that the menus hold after the first ones of an answer, in natural order where
        forbidden ones are among them.

        :raises IllegalMove: the first ones are not possible.
        """
        match = self._after(answer)
        if self.seat not in match.actors:
            return []
        legal = match.game.legal(match.state, self.seat)
        if answer or not self.also:
            return legal
        return sorted([*legal, *self.also], key=_natural)

    def solution(self) -> tuple[Move, ...]:
        """The first right answer, in the order of the menus; empty: there is none. One of several
        moves may take a while to find.
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
        """What the learner knows after the first moves of an answer."""
        return self._after(answer).view(self.seat)

    def judge(self, answer: Sequence[Move]) -> JudgedAnswer:
        """What an answer of one or more moves is worth."""
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
    """What an answer is worth, and what it led to.

    :param view: of the learner: the position that it led to; of a forbidden answer, the one before.
    :param facts: what happened, as far as the learner may know.
    :param refusal: which rule forbids it; None: none does.
    :param miss: of a wrong legal one, what it misses.
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
    """Everything by which one game is learned.

    :param aim: of the game, in two or three sentences; may be empty.
    :param options: of the match that it ends with.
    """

    game: str
    chapters: tuple[Chapter, ...]
    options: Mapping[str, Any]
    aim: str = ""

    @property
    def opponents(self) -> int:
        """How many there are in the match that it ends with: as few as can be."""
        return max(2, GAMES[self.game].info.players[0]) - 1

    @property
    def steps(self) -> tuple[LessonStep, ...]:
        """The steps of all chapters."""
        return tuple(step for chapter in self.chapters for step in chapter.steps)

    def step(self, key: str) -> LessonStep | None:
        """The step with a key, if there is one."""
        return next((step for step in self.steps if step.key == key), None)

    def chapter_of(self, step: LessonStep) -> Chapter:
        """The chapter that a step belongs to."""
        return next(chapter for chapter in self.chapters if step in chapter.steps)

    def beside(self, step: LessonStep, by: int) -> LessonStep | None:
        """The step so many places further, or before; None: there is none."""
        place = self.steps.index(step) + by
        return self.steps[place] if 0 <= place < len(self.steps) else None

    def first_of(
        self, solved: frozenset[str], after: LessonStep | None = None
    ) -> LessonStep | None:
        """The first step that is not among the solved ones.

        :param after: those behind it come first.
        """
        at = 0 if after is None else self.steps.index(after) + 1
        ahead = (*self.steps[at:], *self.steps[:at])
        return next((step for step in ahead if step.key not in solved), None)


def is_like(fact: Fact, pattern: Pattern) -> bool:
    """Whether a fact fits a pattern."""
    if fact.kind != pattern["kind"]:
        return False
    return all(_fits(fact.data.get(key), value) for key, value in pattern.items() if key != "kind")


def _fits(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        return isinstance(value, list | tuple) and all(item in value for item in wanted)
    return bool(value == wanted)


def _natural(move: Move) -> list[tuple[int, int, str]]:
    """Sorts numbers by their size."""
    parts = re.findall(r"\d+|\D+", move)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts]


# ------------------------------------------------------------------------------ reading
def lessons() -> Sequence[Lesson]:
    """All lessons, in the order of the games."""
    return [lesson for game_id in GAMES if (lesson := lesson_of(game_id)) is not None]


def lesson_of(game_id: str) -> Lesson | None:
    """The lesson of a game, or None if there is none."""
    return known_lessons().get(game_id)


@cache
def known_lessons() -> dict[str, Lesson]:
    """The lessons by the ids of their games; those of games from outside are put in and taken
    out.
    """
    return {path.stem: read_lesson(path) for path in sorted(LESSONS.glob("*.toml"))}


def read_lesson(path: Path) -> Lesson:
    """The lesson in a file that is called after its game.

    :raises ValueError: it is not written as the top of the module says.
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
        raise ValueError(f"{path}: keys are not all different, of small letters and dashes")
    for step in lesson.steps:
        if not TITLED.match(step.idea):
            raise ValueError(f"{path}: the idea of {step.key} does not begin with its **title**")
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
