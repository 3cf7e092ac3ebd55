"""Replaying a match: in full once it is over, until then only the part a spectator may see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine import Event, Fact, Game, Move, Setup, View
from play.analysis import Analysis, analysis_of
from play.table import Table


@dataclass(frozen=True, slots=True)
class Moment:
    """A match at one ply.

    :param view: a spectator's view.
    :param hands: each player's view, by seat; empty if hands must stay secret, or there are none.
    :param seat: the actor of the last event: a seat, CHANCE, or None at the start.
    :param seen: the move as spectators saw it; None if they did not, or at the start.
    :param move: the move as it may be shown now.
    :param facts: the public facts of the event.
    """

    ply: int
    view: View
    hands: tuple[View, ...]
    seat: int | None = None
    seen: Move | None = None
    move: Move | None = None
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Replay:
    """A match as a sequence of moments.

    :param table: the short code of its table.
    :param computers: the seats of computer players.
    :param over: whether the match is over, so that everything may be shown.
    :param covered: events that may not be shown again while the match runs.
    :param stood_in: events that a computer player chose in place of a person.
    :param analysis: the analysis of the match, if there is one.
    """

    game: Game[Any]
    setup: Setup
    log: tuple[Event, ...]
    table: str
    names: tuple[str, ...]
    computers: frozenset[int]
    over: bool
    covered: range = range(0)
    stood_in: frozenset[int] = frozenset()
    analysis: Analysis | None = None

    @property
    def last(self) -> int:
        """The ply of the last moment."""
        return len(self.log)

    @property
    def shows_hands(self) -> bool:
        """Whether there are hands that may be seen."""
        return self.over and self.game.info.has_secrets

    def at(self, ply: int) -> Moment:
        """Return the moment at a ply. A ply out of range gives the first or last moment; a ply
        among covered events gives the moment before them.
        """
        ply = self.covered.start if ply in self._hidden else min(max(ply, 0), self.last)
        return next(self.moments([ply]))

    def after(self, ply: int) -> int:
        """Return the ply of the next moment that may be seen."""
        return self.covered.stop if ply + 1 in self._hidden else ply + 1

    def moments(self, plies: Sequence[int]) -> Iterator[Moment]:
        """Yield the moments at some plies, ascending, from one pass over the log."""
        wanted = set(plies).difference(self._hidden)
        state = self.game.start(self.setup)
        if 0 in wanted:
            yield Moment(0, self.game.view(state, None), self._hands(state))
        for ply, event in enumerate(self.log, 1):
            seen = self.game.observed(state, event, None)
            facts: list[Fact] = []
            self.game.do(state, event.seat, event.move, facts)
            if ply in wanted:
                told = tuple(fact for fact in facts if fact.known_to(None))
                move = event.move if self.over else seen
                view = self.game.view(state, None)
                yield Moment(ply, view, self._hands(state), event.seat, seen, move, told)

    @property
    def _hidden(self) -> range:
        """The plies between two covered events."""
        return range(self.covered.start + 1, self.covered.stop)

    def _hands(self, state: Any) -> tuple[View, ...]:
        if not self.shows_hands:
            return ()
        return tuple(self.game.view(state, seat) for seat in range(self.setup.players))


def replay_of(table: Table) -> Replay:
    """Return the replay of a table, which must have been started."""
    match = table.played
    return Replay(
        game=table.game,
        setup=match.setup,
        log=tuple(match.log),
        table=table.row.code,
        names=table.names,
        computers=table.computers,
        over=table.over,
        covered=table.covered,
        stood_in=stood_in(table),
        analysis=analysis_of(table),
    )


def stood_in(table: Table) -> frozenset[int]:
    """Return the indices of the events that a computer player chose in a person's seat: because
    time was up, or before the person joined or after they left.
    """
    by_line = {line.number: line for line in table.journal}
    return frozenset(
        place
        for place, number in enumerate(table.lines)
        if (line := by_line[number]).kind == "move"
        and line.person_id is None
        and table.members[line.seat or 0].person_id is not None
    )
