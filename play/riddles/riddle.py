"""A riddle: a position of a match with one solution, and what an answer to it is worth."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

from games import GAMES
from games.engine import Event, Fact, IllegalMove, Match, Move, View
from play.judgement import Reasons

SEED: Final = "riddle"
"""Of the match; nothing is drawn after a riddle's position."""

TRIES: Final = 2
"""Answers that a person has."""

HINTS: Final = 2
"""Hints that a person may take: what speaks for the move, and a few moves among which it is."""

AMONG: Final = 3
"""Moves that the second hint names."""

POINTS: Final = 5
"""For a riddle that is solved at once; each wrong answer and each hint costs one."""


class Task(StrEnum):
    """The task of a riddle."""

    ONE = "one"
    """Win with this move."""
    TWO = "two"
    """Win with the next move, whatever the other one does in between."""
    MOST = "most"
    """Bring the best result for one's side against the best play of all others."""


@dataclass(frozen=True, slots=True)
class Riddle:
    """A position with one solution.

    :param log: all events before it, each ``seat move``; of chance, too.
    :param seat: the seat to find a move for.
    :param shown: all hands lie open; else the solution holds in every position that agrees with
        what the seat knows.
    :param line: the solution and what follows, each ``seat move``.
    :param stars: 1 easy, 2 medium, 3 hard.
    :param gain: for ``Task.MOST``: the least lead in points of the solution over every other move,
        in every position that agrees with what is known.
    """

    game: str
    players: int
    options: Mapping[str, Any]
    log: tuple[str, ...] = field(repr=False)
    seat: int
    task: Task
    shown: bool
    line: tuple[str, ...] = field(repr=False)
    stars: int
    gain: int = 0

    @property
    def solution(self) -> Move:
        """The solution's move."""
        return event_of(self.line[0]).move

    @property
    def united(self) -> bool:
        """Whether all others are taken to play together against the seat, for its lead over the
        best of them, though the game has no sides.
        """
        return self.game == "isolde" and self.players > 2

    def match(self) -> Match[Any]:
        """The position, a new one at each call."""
        game = GAMES[self.game]
        setup = game.setup(self.players, self.options, SEED)
        return Match.replay(game, setup, [event_of(text) for text in self.log])

    def view(self) -> View:
        """What the seat knows."""
        return self.match().view(self.seat)

    def offered(self) -> list[Move]:
        """The moves among which the solution is."""
        match = self.match()
        return match.game.legal(match.state, self.seat)

    def among(self) -> list[Move]:
        """The moves that the second hint names, in the order of the menus: the solution, and those
        beside it.
        """
        moves = self.offered()
        at = moves.index(self.solution)
        first = max(0, min(at - at % AMONG, len(moves) - AMONG))
        return moves[first : first + AMONG]

    def reasons(self) -> tuple[Fact, ...]:
        """What speaks for the solution and not for most other moves."""
        return _reasons(self.to_json())

    def solved(self) -> tuple[Match[Any], list[Fact]]:
        """The position after the whole line, and what happened on the way."""
        match, facts = self.match(), list[Fact]()
        for text in self.line:
            event = event_of(text)
            for step in match.play(event.seat, [event.move]):
                facts += step.facts
        return match, facts

    def to_json(self) -> str:
        """As it is stored; the inverse of ``from_json``."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Riddle:
        """Read a stored riddle."""
        plain = json.loads(text)
        plain |= {"log": tuple(plain["log"]), "line": tuple(plain["line"])}
        return cls(**{**plain, "task": Task(plain["task"])})


def event_of(text: str) -> Event:
    """The event written as ``seat move``."""
    seat, move = text.split(" ")
    return Event(int(seat), move)


def text_of(event: Event) -> str:
    """The inverse of ``event_of``."""
    return f"{event.seat} {event.move}"


@lru_cache(maxsize=16)
def _reasons(text: str) -> tuple[Fact, ...]:
    riddle = Riddle.from_json(text)
    match = riddle.match()
    known = [match.state] if riddle.shown else None
    return Reasons(match.game, match.view(riddle.seat), known).of(riddle.solution)


# ----------------------------------------------------------------------------- solving
@dataclass(frozen=True, slots=True)
class Attempt:
    """How far a person is with a riddle.

    :param wrong: the wrong answers, in order.
    :param hints: taken so far.
    """

    wrong: tuple[Move, ...] = ()
    hints: int = 0
    solved: bool = False

    @property
    def over(self) -> bool:
        """Whether no more answers are accepted."""
        return self.solved or len(self.wrong) >= TRIES

    @property
    def points(self) -> int:
        """For the riddle if it is solved, or were solved by the next answer; none once it is not.

        ``POINTS`` less one for each wrong answer and each hint: two at least.
        """
        if len(self.wrong) >= TRIES:
            return 0
        return POINTS - len(self.wrong) - self.hints

    def answered(self, riddle: Riddle, move: Move) -> Attempt:
        """After an answer. One that was given before, or comes too late, changes nothing.

        :raises IllegalMove: the riddle offers no such move.
        """
        if move not in riddle.offered():
            raise IllegalMove("not_legal", text=move)
        if self.over or move in self.wrong:
            return self
        if move == riddle.solution:
            return Attempt(self.wrong, self.hints, solved=True)
        return Attempt((*self.wrong, move), self.hints)

    def hinted(self, number: int) -> Attempt:
        """After asking for a hint; the one that was asked for before changes nothing.

        :param number: 1 is the first hint.
        """
        if self.over or not self.hints < number <= HINTS:
            return self
        return Attempt(self.wrong, number)


def hardest(riddles: Sequence[Riddle]) -> Riddle | None:
    """The hardest riddle; of several that are as hard, the one with the longest line, then the
    first. None: there is none.
    """
    return max(riddles, key=lambda each: (each.stars, len(each.line)), default=None)
