"""A table in memory, decided one command at a time; each decision is checked."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

import pytest

from data.store.rows import (
    Line,
    Loaded,
    MemberRow,
    PersonRow,
    ServerRow,
    Status,
    Stored,
    TableRow,
    VoteRow,
)
from games import GAMES
from games.engine import Move
from play.aggregate import Command, Tick
from play.decide import decide
from play.fold import table_of
from play.lobby import AddComputer, DrawLots, Join, Start
from play.moves import PlayForComputer, PlayMoves
from play.table import Refused, Table, stored_of
from play.votes import YES, Answer, open_votes
from tests.play.clock import Clock

ANNA, BEN, CLARA, DAVID, STRANGER = 1, 2, 3, 4, 99
NAMES: Mapping[int, str] = {ANNA: "Anna", BEN: "Ben", CLARA: "Clara", DAVID: "David"}
GUILD, CHANNEL = 7, 500

SECRET = "5eed"
MESSAGE = 1_367_900_000_000_000_123
"""The id of the message that determines the lots."""


def name_of(person_id: int) -> str:
    return NAMES.get(person_id, f"P{person_id}")


def lobby(
    game: str = "lancelot",
    secret: str = SECRET,
    wanted_players: int | None = None,
    **options: Any,
) -> Table:
    """A table that Anna has just opened. Seats are taken in order of joining, and in Lancelot she
    begins, unless the options say otherwise.
    """
    fixed = {"starter": "1"} if game == "lancelot" else {}
    row = TableRow(
        id=1,
        code="K7Q2",
        game=game,
        rules=GAMES[game].info.rules,
        guild_id=GUILD,
        channel_id=CHANNEL,
        host_id=ANNA,
        language="en",
        status=Status.LOBBY,
        options={"seating": "joined", **fixed, **options},
        players=None,
        seed="",
        secret=secret,
        wanted_players=wanted_players,
        result=None,
        created_at=Clock().now,
        moved_at=Clock().now,
        revision=1,
    )
    opening = Line(1, "open", None, ANNA, "", row.created_at)
    stored = Stored(row, (MemberRow(0, ANNA, "Anna"),), (opening,))
    return table_of(Loaded(stored, {}, ServerRow(GUILD)))


class House:
    """One table and the current time.

    :param careful: whether to fold the journal from the start after each change and compare, which
        is slower.
    """

    def __init__(self, table: Table, careful: bool = True) -> None:
        self.table = table
        self.clock = Clock()
        self.careful = careful
        self._interactions = count(1000)

    # -- deciding
    def do(self, command: Command[Table]) -> Table:
        """Decide a command.

        :raises Refused: the command is impossible; the table does not change.
        """
        before = self.table
        self.table = decide(before, command, self.clock())
        check_change(before, self.table, self.careful)
        return self.table

    def wait(self, **time: float) -> Table:
        """Let time pass, as given to ``timedelta``, and apply everything that becomes due."""
        self.clock.move(timedelta(**time))
        return self.do(Tick())

    def play(self, person_id: int, *moves: Move, **seen: Any) -> Table:
        return self.do(PlayMoves(person_id, moves, **seen))

    def moves(self, *moves: Move) -> Table:
        """Make these moves in turn, each for the seat to move."""
        for move in moves:
            self.move_of(self.table.awaited[0], move)
        return self.table

    def move_of(self, seat: int, move: Move) -> Table:
        """Make a move for a seat, whether a person or a computer player holds it."""
        if seat in self.table.awaited_computers:
            return self.do(PlayForComputer(seat, move, self.table.opened(seat)))
        return self.play(self.table.members[seat].person_id or 0, move)

    def moves_at_random(self, number: int, rng: random.Random) -> Table:
        """Play this many random moves, or fewer if the match ends."""
        for _ in range(number):
            if not self.table.awaited:
                break
            self.move_of(*self.random_move(rng))
        return self.table

    def random_move(self, rng: random.Random) -> tuple[int, Move]:
        """A seat that has to move, and one of its legal moves."""
        seat = rng.choice(self.table.awaited)
        return seat, self.table.game.random_move(self.table.played.state, seat, rng)

    def refused(self, command: Command[Table]) -> Refused:
        """The refusal of a command that must be refused."""
        before = self.table
        with pytest.raises(Refused) as refusal:
            self.do(command)
        assert self.table is before
        return refusal.value

    def code(self, command: Command[Table]) -> str:
        """The code of the refusal of a command that must be refused."""
        return self.refused(command).code

    def agree(self, *people: int, choice: str = YES) -> Table:
        """Have people answer the only open vote."""
        asked = self.vote.asked
        for person in people:
            self.do(Answer(asked, person, choice))
        return self.table

    def settings(self, person_id: int, **settings: Any) -> None:
        """Change a person's settings; what follows from them is decided at the next tick."""
        row = replace(self.table.settings(person_id), **settings)
        self.table = replace(self.table, people={**self.table.people, person_id: row})

    def server(self, **settings: Any) -> None:
        self.table = replace(self.table, server=replace(self.table.server, **settings))

    def quiet(self, person_id: int, begins: int = 22, ends: int = 7, zone: str = "UTC") -> None:
        self.settings(person_id, zone=zone, quiet_from=begins * 60, quiet_to=ends * 60)

    def start(self, message_id: int = MESSAGE) -> Table:
        """Have Anna start, and post the message that determines the lots."""
        self.do(Start(ANNA))
        return self.do(DrawLots(self.table.drawing, message_id))

    # -- looking
    @property
    def vote(self) -> VoteRow:
        (vote,) = open_votes(self.table)
        return vote

    @property
    def log(self) -> list[Move]:
        """The moves and draws that have not been undone."""
        return [event.move for event in self.table.played.log]

    def lines(self, *kinds: str) -> list[Line]:
        return [line for line in self.table.journal if not kinds or line.kind in kinds]

    def kinds(self, since: int = 0) -> list[str]:
        """The kinds of the journal lines after the line with this number."""
        return [line.kind for line in self.table.journal[since:]]

    def calls(self) -> list[tuple[int, ...]]:
        """The seats of each call except reminders, oldest first."""
        calls = [call for call in self.table.calls() if not call.reminds]
        return [call.seats for call in reversed(calls)]


def gathered(
    people: int = 2,
    game: str = "lancelot",
    computers: int = 0,
    settings: Iterable[PersonRow] = (),
    careful: bool = True,
    **options: Any,
) -> House:
    """A lobby with this many people, including Anna, followed by computer players."""
    house = House(lobby(game, **options), careful)
    for person in range(2, people + 1):
        house.do(Join(person, name_of(person)))
    for _ in range(computers):
        house.do(AddComputer(ANNA, "novice"))
    known = {row.person_id: row for row in settings}
    house.table = replace(house.table, people={**house.table.people, **known})
    return house


def started(people: int = 2, game: str = "lancelot", computers: int = 0, **given: Any) -> House:
    """A running match: person n sits in seat n - 1, followed by computer players."""
    house = gathered(people, game, computers, **given)
    house.start()
    return house


def timed(people: int = 2, game: str = "lancelot", pace: str = "1d", **given: Any) -> House:
    return started(people, game, pace=pace, **given)


# ---------------------------------------------------------------- invariants of every change
def check_change(before: Table, after: Table, careful: bool = True) -> None:
    if after is before:
        return
    known = len(before.journal)
    assert after.journal[:known] == before.journal, "a journal only grows"
    assert len(after.journal) > known, "every change adds a line"
    assert [line.number for line in after.journal] == list(range(1, after.revision + 1))
    assert all(line.at.microsecond == 0 for line in after.journal)
    assert decide(after, Tick(), after.journal[-1].at) is after, "consequences are complete"
    if careful:
        check_fold(after)
        check_fold(after, before)


def check_fold(table: Table, known: Table | None = None) -> None:
    """Check that the stored form of a table folds to exactly the decided table.

    :param known: an earlier state to continue the fold from.
    """
    again = reloaded(table, known)
    assert stored_of(again) == stored_of(table)
    assert again.match is not None or table.match is None
    if again.match is not None and table.match is not None:
        assert again.match.log == table.match.log
        assert again.match.state == table.match.state
        assert again.match.actors == table.match.actors
        opened = {seat: again.opened(seat) for seat in again.match.actors if seat >= 0}
        assert opened == {seat: table.opened(seat) for seat in opened}
        assert again.position == table.position
    for name in ("lines", "begun", "reopened", "tail", "unreadable", "clocks"):
        assert getattr(again, name) == getattr(table, name), name


def reloaded(table: Table, known: Table | None = None) -> Table:
    """The table as another process would load it, perhaps with ``known`` as an earlier state."""
    return table_of(Loaded(Stored(**stored_of(table)), table.people, table.server), known)
