"""A table as the use cases hand it out: who sits where, and the match that is played there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from data.clocks import TurnRow
from data.store import MemberRow, Status, TableRow
from games import GAMES
from games.engine import CHANCE, EngineError, Game, IllegalMove, Match, Move, Step

HINTS = "advice"
"""An option of every game: hints may be asked for. One of the games has ``hints`` of its own."""


class Refused(Exception):  # noqa: N818 - no error: an answer
    """A use case says no, and nothing was changed.

    ``code`` is a stable key for the texts, ``data`` holds their arguments.
    """

    def __init__(self, code: str, /, **data: Any) -> None:
        super().__init__(code)
        self.code = code
        self.data: dict[str, Any] = data


class RefusedByRules(Refused):
    """The rules of a game say no.

    :param names: by seat, for the sentence that tells it; empty before the start.
    :param legal: what would be legal instead; empty where that is not the point.
    """

    def __init__(
        self, error: EngineError, game: str, names: tuple[str, ...], legal: tuple[Move, ...]
    ) -> None:
        super().__init__(error.code, **error.data)
        self.game = game
        self.names = names
        self.legal = legal


@dataclass(frozen=True, slots=True)
class Table:
    """A table at one moment.

    :param members: in order of seats once the match runs, in order of joining before.
    :param match: None in the lobby.
    :param clocks: those that run, by seat.
    :param hints: how many were given, by seat; known once the match is over.
    :param unreadable: why there is no match although it has started, as the code of a refusal.
    """

    row: TableRow
    members: tuple[MemberRow, ...]
    match: Match[Any] | None
    clocks: Mapping[int, TurnRow] = field(default_factory=dict)
    hints: Mapping[int, int] = field(default_factory=dict)
    unreadable: str = ""

    @property
    def id(self) -> int:
        """The number under which the store knows the table."""
        return self.row.id

    @property
    def game(self) -> Game[Any]:
        """The rules played here."""
        return GAMES[self.row.game]

    @property
    def started(self) -> bool:
        """Whether there is, or was, a match."""
        return self.row.players is not None

    @property
    def running(self) -> bool:
        """Whether moves are still expected."""
        return self.row.status is Status.RUNNING

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody's name, by seat."""
        return tuple(member.name for member in self.members)

    @property
    def played(self) -> Match[Any]:
        """The match.

        :raises Refused: ``not_started`` in the lobby; ``other_rules``, ``unreadable``.
        """
        self.require_readable()
        if self.match is None:
            raise Refused("not_started")
        return self.match

    @property
    def stamp(self) -> str:
        """Names the position among all that the table has had: an undo uses plies again."""
        undos = f"u{self.row.undos}" if self.row.undos else ""
        return f"{self.played.ply}{undos}"

    @property
    def position(self) -> dict[str, int]:
        """The same as plain data."""
        return {"ply": self.row.ply, "undos": self.row.undos}

    @property
    def persons(self) -> tuple[int, ...]:
        """Everybody who plays in person."""
        return tuple(
            m.person_id for m in self.members if m.person_id is not None and m.level is None
        )

    def others(self, person_id: int) -> tuple[int, ...]:
        """Everybody but this one who plays in person: those who may have to consent."""
        return tuple(person for person in self.persons if person != person_id)

    @property
    def covered(self) -> range:
        """The events of the match that nobody may look up, because they lie face down."""
        return self.game.covered(self.match.state) if self.match and self.running else range(0)

    @property
    def gives_hints(self) -> bool:
        """Whether whoever is to move may ask for a hint."""
        return bool(self.row.options.get(HINTS, True))

    def member_of(self, person_id: int) -> MemberRow | None:
        """The person's place at the table, also if a computer player moves for them now."""
        return next((m for m in self.members if m.person_id == person_id), None)

    def seat_of(self, person_id: int) -> int | None:
        """The seat for which the person may move."""
        member = self.member_of(person_id)
        return None if member is None or member.level is not None else member.seat

    def seat_to_move(self, person_id: int) -> int:
        """The seat for which the person may move while the match runs.

        :raises Refused: ``table_over``, ``parked``, or as ``own_seat``.
        """
        self.require_running()
        return self.own_seat(person_id)

    def own_seat(self, person_id: int) -> int:
        """The seat for which the person may move.

        :raises Refused: ``other_rules``, ``unreadable``, or as ``held_seat``.
        """
        self.require_readable()
        return self.held_seat(person_id)

    def held_seat(self, person_id: int) -> int:
        """The seat of a person who plays, whether or not anybody can move.

        :raises Refused: ``not_a_member``; ``not_started``: seats are not given out yet; ``away``:
            a computer player keeps the seat.
        """
        seat = self.seat_of(person_id)
        if seat is not None:
            return seat
        if self.row.status is Status.LOBBY:
            raise Refused("not_started")
        member = self.member_of(person_id)
        kept = member is not None and member.level is not None and not member.resigned
        raise Refused("away" if kept else "not_a_member")

    def computer_at(self, seat: int) -> str | None:
        """The level of the computer player that moves for ``seat``, or None for a person."""
        return self.members[seat].level

    @property
    def awaited(self) -> tuple[int, ...]:
        """Seats that owe a decision, of persons and computer players alike."""
        if self.match is None or not self.running:
            return ()
        return tuple(seat for seat in self.match.actors if seat != CHANCE)

    @property
    def awaited_persons(self) -> tuple[int, ...]:
        """Seats of persons that owe a decision."""
        return tuple(seat for seat in self.awaited if self.computer_at(seat) is None)

    @property
    def awaited_computers(self) -> tuple[int, ...]:
        """Seats of computer players that owe a decision."""
        return tuple(seat for seat in self.awaited if self.computer_at(seat) is not None)

    def until(self, seat: int) -> datetime | None:
        """When the time of a seat is up; None: it has as long as it likes."""
        clock = self.clocks.get(seat)
        return None if clock is None else clock.ends_at

    def require_readable(self) -> None:
        """Go on only if what was played can be followed.

        :raises Refused: ``other_rules``, ``unreadable``.
        """
        if self.unreadable:
            raise Refused(self.unreadable, code=self.row.code)

    def require_lobby(self) -> None:
        """Go on only before the start.

        :raises Refused: ``not_in_lobby``.
        """
        if self.row.status is not Status.LOBBY:
            raise Refused("not_in_lobby")

    def require_running(self) -> None:
        """Go on only while the match runs.

        :raises Refused: ``not_started``, ``table_over``, ``parked``.
        """
        if self.row.status is Status.LOBBY:
            raise Refused("not_started")
        if self.row.status is Status.PARKED:
            raise Refused("parked")
        if not self.running:
            raise Refused("table_over")


@dataclass(frozen=True, slots=True)
class Played:
    """What a move did: the table after it and the applied steps, draws of chance included."""

    table: Table
    steps: tuple[Step, ...]


def refused_move(error: EngineError, table: Table, seat: int) -> RefusedByRules:
    """A refusal of the rules, with what the person could have done."""
    match = table.played
    illegal = isinstance(error, IllegalMove) and seat in match.actors
    legal = tuple(match.game.legal(match.state, seat)) if illegal else ()
    return RefusedByRules(error, table.row.game, table.names, legal)
