"""A riddle: a position of a match with one solution, and the points for an answer."""

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
"""The seed of the match; nothing is drawn after a riddle's position."""

TRIES: Final = 2
"""How many answers a person may give."""

HINTS: Final = 2
"""How many hints a person may take: first a few moves that include the solution, then the reasons
for it.
"""

AMONG: Final = 3
"""How many moves the first hint names."""

POINTS: Final = 5
"""Points for a riddle that is solved at the first attempt without hints; each wrong answer and each
hint costs one.
"""


class Task(StrEnum):
    """The task of a riddle."""

    ONE = "one"
    """Win with this move."""
    TWO = "two"
    """Win with the move after this one, whatever the other player does in between."""
    MOST = "most"
    """Get the best result for the seat's side against the best play of all others."""


@dataclass(frozen=True, slots=True)
class Riddle:
    """A position with one solution.

    :param log: all events before it, including those of chance, each as ``seat move``.
    :param seat: the seat for which to find a move.
    :param shown: whether all hands are open; if not, the solution holds in every position that
        agrees with the seat's knowledge.
    :param line: the solution and the moves that follow it, each as ``seat move``.
    :param stars: 1 easy, 2 medium, 3 hard.
    :param gain: for ``Task.MOST``: by how many points the solution is ahead of the next best move;
        if hands are hidden, the smallest such lead over all positions that agree with the seat's
        knowledge.
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
        """The move that solves the riddle."""
        return event_of(self.line[0]).move

    @property
    def united(self) -> bool:
        """Whether all others count as one side against the seat, although the game has no sides.
        The lead is then counted over the best of them.
        """
        return self.game == "isolde" and self.players > 2

    def match(self) -> Match[Any]:
        """Return the position, as a new match at each call."""
        game = GAMES[self.game]
        setup = game.setup(self.players, self.options, SEED)
        return Match.replay(game, setup, [event_of(text) for text in self.log])

    def view(self) -> View:
        """Return the seat's view."""
        return self.match().view(self.seat)

    def offered(self) -> list[Move]:
        """Return the moves to choose from."""
        match = self.match()
        return match.game.legal(match.state, self.seat)

    def among(self) -> list[Move]:
        """Return the moves that the first hint names, in the order of the menus: the solution, and
        moves next to it.
        """
        moves = self.offered()
        at = moves.index(self.solution)
        first = max(0, min(at - at % AMONG, len(moves) - AMONG))
        return moves[first : first + AMONG]

    def reasons(self) -> tuple[Fact, ...]:
        """Return the facts in favour of the solution that do not apply to most other moves."""
        return _reasons(self.to_json())

    def solved(self) -> tuple[Match[Any], list[Fact]]:
        """Return the position after all moves of the line, and the facts that they cause."""
        match, facts = self.match(), list[Fact]()
        for text in self.line:
            event = event_of(text)
            for step in match.play(event.seat, [event.move]):
                facts += step.facts
        return match, facts

    def to_json(self) -> str:
        """Return the stored form; ``from_json`` reads it."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Riddle:
        """Read a stored riddle."""
        plain = json.loads(text)
        plain |= {"log": tuple(plain["log"]), "line": tuple(plain["line"])}
        return cls(**{**plain, "task": Task(plain["task"])})


def event_of(text: str) -> Event:
    """Return the event written as ``seat move``."""
    seat, move = text.split(" ")
    return Event(int(seat), move)


def text_of(event: Event) -> str:
    """Return the text that ``event_of`` reads."""
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
    """A person's progress with a riddle.

    :param wrong: the wrong answers, in order.
    """

    wrong: tuple[Move, ...] = ()
    hints: int = 0
    solved: bool = False

    @property
    def over(self) -> bool:
        """Whether no further answers are accepted."""
        return self.solved or len(self.wrong) >= TRIES

    @property
    def points(self) -> int:
        """The points for the riddle if it is solved, or if the next answer solves it; 0 once it can
        no longer be solved.

        ``POINTS`` minus one for each wrong answer and each hint, so at least two.
        """
        if len(self.wrong) >= TRIES:
            return 0
        return POINTS - len(self.wrong) - self.hints

    def answered(self, riddle: Riddle, move: Move) -> Attempt:
        """Return the attempt after an answer. An answer that was given before, or comes too late,
        changes nothing.

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
        """Return the attempt after asking for a hint. Asking for the same hint again changes
        nothing.

        :param number: 1 is the first hint.
        """
        if self.over or not self.hints < number <= HINTS:
            return self
        return Attempt(self.wrong, number)


def hardest(riddles: Sequence[Riddle]) -> Riddle | None:
    """Return the hardest riddle; if several are equally hard, the one with the longest line, and if
    that is still a tie, the first. None if there are no riddles.
    """
    return max(riddles, key=lambda each: (each.stars, len(each.line)), default=None)
