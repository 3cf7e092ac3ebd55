"""Tables made in memory, and a channel to show them: no store, no Discord."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from cogs.games import WORDS
from cogs.present.surfaces import Presenter, Retire, Surface
from data.store.rows import Loaded, PersonRow, ServerRow, Status, Stored, TableRow
from play.aggregate import Command
from play.decide import decide
from play.fold import table_of
from play.lobby import AddComputer, DrawLots, Join, Start
from play.moves import PlayForComputer, PlayMoves
from play.table import Table

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
NAMES = ("Anna", "Ben", "Clara", "David", "Eva")
ANNA, BEN, CLARA, DAVID, EVA = range(1, 6)
MESSAGE = 1_367_900_000_000_000_123

CODE = re.compile(
    r"\b(?:[SM](?:P|C[1-5]|L[3-7]|H[1-3])|(?:CH|WM)[1-6]r?|KN(?:0[1-9]|10)r?|[A-Z]{4,}[2-5])\b"
)
"""The codes of cards and tiles, as typed."""


def lobby(game: str, language: str = "en", **options: Any) -> Table:
    """A table that no one has joined yet, opened by Anna."""
    row = TableRow(
        id=7,
        code="K7Q2",
        game=game,
        rules=1,
        guild_id=70,
        channel_id=700,
        host_id=ANNA,
        language=language,
        status=Status.LOBBY,
        options={"seating": "joined", **options},
        players=None,
        seed="",
        secret="0" * 64,
        wanted_players=None,
        result=None,
        created_at=NOON,
        moved_at=NOON,
        revision=0,
    )
    people = {number: PersonRow(number) for number in range(1, 6)}
    return table_of(Loaded(Stored(row, ()), people, ServerRow(70)))


def opened(game: str, people: int, computers: int = 0, **options: Any) -> Table:
    """A lobby that people and computer players have joined."""
    table = lobby(game, **options)
    for number in range(people):
        table = decide(table, Join(number + 1, NAMES[number]), NOON)
    for _ in range(computers):
        table = decide(table, AddComputer(ANNA, "novice"), NOON)
    return table


def started(game: str, people: int, computers: int = 0, **options: Any) -> Table:
    """A running match; person n sits in seat n - 1."""
    return begun(opened(game, people, computers, **options))


def begun(table: Table) -> Table:
    """The table after its start, once the message that draws the lots has been posted."""
    drawing = decide(table, Start(ANNA), NOON)
    return decide(drawing, DrawLots(drawing.drawing, MESSAGE), NOON)


def with_settings(table: Table, person: int, **settings: Any) -> Table:
    changed = replace(table.settings(person), **settings)
    return replace(table, people={**table.people, person: changed})


def any_move(table: Table, rng: random.Random) -> Command[Table]:
    """A random legal move for a seat to move."""
    seat = rng.choice(table.awaited)
    move = table.game.random_move(table.played.state, seat, rng)
    person = table.members[seat].person_id
    if table.computer_at(seat) is not None or person is None:
        return PlayForComputer(seat, move, table.opened(seat))
    return PlayMoves(person, (move,))


def one_move(table: Table, seat: int) -> Command[Table]:
    """The first legal move of a person's seat."""
    person = table.members[seat].person_id
    assert person is not None
    return PlayMoves(person, (table.game.legal(table.played.state, seat)[0],))


def text_of(surface: Surface) -> str:
    return "\n".join(part for part in surface.card.parts if isinstance(part, str))


class Channel:
    """Shows a table after each change, as delivery would.

    :ivar noted: the messages that delivery remembers, by key, with their content.
    :ivar stands: the messages that exist, by key.
    :ivar posted: all posts, in order: key, the people pinged, whether it was silent.
    """

    def __init__(self, table: Table) -> None:
        self.presenter = Presenter(WORDS)
        self.table = table
        self.told = 0
        self.noted: dict[str, Surface] = {}
        self.began: dict[str, int] = {}
        self.stands: dict[str, Surface] = {}
        self.posted: list[tuple[str, tuple[int, ...], bool]] = []

    def surfaces(self) -> list[Surface]:
        """The surfaces that the table should have now."""
        return self.presenter.surfaces(
            self.table, self.told, lambda key: self.began.get(key, self.told)
        )

    def hear(self, table: Table | None = None) -> dict[str, Surface]:
        """Post, edit and delete until the channel shows what the table should have.

        :returns: the surfaces, by key.
        """
        self.table = table or self.table
        surfaces = self.surfaces()
        wanted = {surface.key: surface for surface in surfaces}
        assert len(wanted) == len(surfaces), "two messages have the same key"
        for key, surface in wanted.items():
            known = self.noted.get(key)
            if known is None and surface.late:
                assert all(f"<@{person}>" in text_of(surface) for person in surface.pings), key
                self.posted.append((key, surface.pings, surface.silent))
                self.began[key] = self.told
            elif known is None or known.final:
                continue
            self.noted[key] = self.stands[key] = surface
        for key in self.noted.keys() - wanted.keys():
            old = self.noted.pop(key)
            if old.retire is Retire.DELETE:
                del self.stands[key]
                self.began.pop(key)
            elif old.retire is Retire.STRIP:
                self.stands[key] = replace(old, card=replace(old.card, rows=()))
        for key, surface in wanted.items():
            if surface.final and surface.retire is not Retire.DELETE:
                self.noted.pop(key, None)
        self.told = self.table.revision
        return wanted

    def of_kind(self, kind: str) -> list[Surface]:
        """The messages of a kind that exist, in the order in which they were posted."""
        return [s for key, s in self.stands.items() if key.partition(":")[0] == kind]

    def notified(self) -> list[int]:
        """Everybody notified by a post, in order, by a mention or by direct message."""
        found: list[int] = []
        for key, pings, silent in self.posted:
            if not silent:
                found += pings
                if key.startswith(("hand:", "turn:")):
                    found.append(int(key.split(":")[1]))
        return found

    def act(self, *commands: Command[Table], now: datetime = NOON) -> dict[str, Surface]:
        """Carry out commands one after the other, showing each at once.

        :returns: the surfaces after the last one.
        """
        wanted: dict[str, Surface] = {}
        for command in commands:
            wanted = self.hear(decide(self.table, command, now))
        return wanted

    def start(self) -> dict[str, Surface]:
        """Start the match; the lots are drawn once their message has been posted."""
        self.act(Start(ANNA))
        return self.act(DrawLots(self.table.drawing, MESSAGE))

    def play_out(
        self,
        rng: random.Random,
        look: Callable[[Sequence[Surface]], object] = len,
        *,
        share: float = 1,
    ) -> None:
        """Play at random to the end, passing all surfaces to ``look`` after the last move and, on
        average, after this share of the others; the channel shows the table only then.
        """
        while self.table.awaited:
            self.table = decide(self.table, any_move(self.table, rng), NOON)
            if not self.table.awaited or rng.random() < share:
                look(list(self.hear().values()))
