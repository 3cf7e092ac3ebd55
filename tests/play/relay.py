"""A minimal kind of occasion: people meet, play one match after another, and count their wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import ClassVar

from data.store.rows import Status
from play.aggregate import Command
from play.occasions.occasion import Occasion, OccasionKind, OccasionState, PlannedTable, TableNews
from play.table import refuse_if

PATIENCE = timedelta(hours=1)
"""How long a relay that nobody joins stays open."""


@dataclass(frozen=True)
class Relaying(OccasionState):
    """The state of a relay.

    :param legs: how many matches to play.
    :param opened: the slots of tables that exist.
    :param wins: how many matches each person has won.
    """

    legs: int = 1
    opened: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    wins: Mapping[int, int] = field(default_factory=dict)
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Enter(Command[Occasion[Relaying]]):
    person_id: int
    name: str

    def effect(self, occasion: Occasion[Relaying], now: datetime) -> Occasion[Relaying]:
        """:raises Refused: ``already_member``."""
        names = occasion.state.names
        refuse_if(self.person_id in names, "already_member")
        return occasion.add(
            "enter", now, self.person_id, names={**names, self.person_id: self.name}
        )


class Relay(OccasionKind[Relaying]):
    """A relay of two people, which ends if nobody joins within an hour."""

    NAME: ClassVar[str] = "relay"
    STATE = Relaying
    LINES: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ("enter", "begin", "finish", "lapse", "leave", "table", "end"), "What its name says."
    )
    GATHERS = True

    def follow(self, occasion: Occasion[Relaying], now: datetime) -> Occasion[Relaying]:
        """Start the waiting time, or end the relay."""
        state = occasion.state
        if state.since is None:
            return occasion.add("begin", now, since=now)
        if len(state.ended) == state.legs:
            return occasion.add("finish", now, over=True)
        if len(state.names) < 2 and state.since + PATIENCE <= now:
            return occasion.add("lapse", now, over=True)
        return occasion

    def due(self, occasion: Occasion[Relaying]) -> datetime | None:
        """The end of the waiting time; None if nobody is being waited for."""
        state = occasion.state
        waits = len(state.names) < 2 and state.since is not None
        return state.since + PATIENCE if waits and state.since else None

    def leave(
        self, occasion: Occasion[Relaying], person_id: int, now: datetime
    ) -> Occasion[Relaying]:
        """The relay ends when one of its people leaves."""
        return occasion.add("leave", now, person_id, over=True)

    def seatings(self, occasion: Occasion[Relaying]) -> Sequence[PlannedTable]:
        """The next match, once the previous one is over."""
        state = occasion.state
        slot = str(len(state.ended) + 1)
        if occasion.over or len(state.names) < 2 or slot in state.opened:
            return ()
        return [
            PlannedTable(
                slot,
                "lancelot",
                state.names,
                {"seating": "joined", "starter": "1"},
                occasion.guild_id,
                occasion.row.language,
                thread=f"Relay {slot}",
            )
        ]

    def settled(self, occasion: Occasion[Relaying]) -> frozenset[str]:
        return frozenset(occasion.state.ended)

    def told(
        self, occasion: Occasion[Relaying], news: TableNews, now: datetime
    ) -> Occasion[Relaying]:
        state = occasion.state
        if news.slot not in state.opened:
            occasion = occasion.add("table", now, text=news.code, opened=(*state.opened, news.slot))
        over = news.status in (Status.FINISHED, Status.ENDED)
        if not over or news.slot in state.ended:
            return occasion
        winners = [person for person in news.seats if person and person not in news.resigned]
        wins = {person: state.wins.get(person, 0) + 1 for person in winners}
        return occasion.add(
            "end", now, ended=(*state.ended, news.slot), wins={**state.wins, **wins}
        )
