"""Histories of occasions: whatever happens, they end as they should."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cogs.delivery import message
from cogs.games import WORDS
from cogs.present.occasions import SURFACES
from cogs.present.seeking import SeekPresenter
from cogs.present.tournaments import TournamentSurfaces
from data.store.rows import PersonRow
from play.matching import Seek
from play.occasions.occasion import KINDS, Act, Kind, News, Occasion, Seating
from play.occasions.occasions import Occasions
from play.occasions.seek import Seeking, SeekMatch, Seeks, StopSeeking, seek_scope
from play.occasions.tournament import Dropouts, Format, Plan, Tournament
from play.occasions.tournament_acts import NAME as TOURNAMENT
from play.occasions.tournament_acts import (
    BeginNow,
    Pause,
    Remove,
    SignUp,
    Tournaments,
    Withdraw,
)
from tests.cogs.test_occasions import surfaces
from tests.play.clock import NOON
from tests.play.relay import Enter, Relay, Relaying
from tests.simulation.company import CHANNEL, GUILD, PEOPLE, Guests, histories
from tests.simulation.history import stub_drawn
from tests.stores import opened

HISTORIES = 12


class Runners:
    """People who come to relays."""

    async def begin(self, occasions: Occasions, rng: random.Random) -> Occasion[Any]:
        """A relay of one leg to three."""
        return await occasions.open(
            Relay.NAME,
            Relaying({PEOPLE: "Anna"}, legs=rng.randint(1, 3)),
            guild_id=GUILD,
            channel_id=CHANNEL,
            language="en",
            host_id=PEOPLE,
        )

    def act(self, occasion: Occasion[Any], rng: random.Random) -> Act[Any] | None:
        """Somebody comes, who may be there already."""
        if len(occasion.state.names) == 2:
            return None
        return Enter(PEOPLE + rng.randrange(2), "Ben")


class Jousters:
    """People who come to tournaments, and go, and their organiser."""

    async def begin(self, occasions: Occasions, rng: random.Random) -> Occasion[Any]:
        """A tournament of three people or four."""
        plan = Plan(
            "Spring cup",
            "lancelot",
            rng.choice([Format.KNOCKOUT, Format.ROBIN, Format.SWISS]),
            rounds=2,
            most=rng.randint(3, 4),
            pace="",
            dropouts=rng.choice([*Dropouts]),
        )
        return await occasions.open(
            TOURNAMENT,
            Tournament(plan=plan, secret=f"{rng.getrandbits(256):064x}"),
            guild_id=GUILD,
            channel_id=CHANNEL,
            language="en",
            host_id=PEOPLE,
        )

    def act(self, occasion: Occasion[Any], rng: random.Random) -> Act[Any] | None:
        """Mostly they sign up."""
        person = PEOPLE + rng.randrange(6)
        acts: list[Act[Any]] = [SignUp(person, f"Person {person}", person)] * 12
        acts += [Withdraw(person), BeginNow(PEOPLE, False), Remove(PEOPLE, False, "", person)]
        acts += [Pause(PEOPLE, False, "Tea."), *[Pause(PEOPLE, False, paused=False)] * 2]
        return rng.choice(acts)


class Seekers:
    """People who seek a match, and some who think better of it."""

    async def begin(self, occasions: Occasions, rng: random.Random) -> Occasion[Any]:
        """The place of one server."""
        scope, closes = seek_scope(GUILD, occasions.clock())
        return await occasions.open(
            Seeking.NAME,
            Seeks(closes=closes),
            guild_id=GUILD,
            channel_id=CHANNEL,
            language="en",
            scope=f"{scope} {rng.random()}",
        )

    def act(self, occasion: Occasion[Any], rng: random.Random) -> Act[Any] | None:
        """They seek one of two games, for two or three."""
        person = PEOPLE + rng.randrange(6)
        if rng.random() < 0.2:
            return StopSeeking(person)
        tables = tuple({(rng.choice(["lancelot", "isis"]), rng.choice([2, 3])) for _ in range(2)})
        seek = Seek(
            number=0,
            person_id=person,
            name=f"Person {person}",
            tables=tables,
            paces=("",),
            near=False,
            language="en",
            guild_id=GUILD,
            abroad=False,
            since=NOON,
            until=NOON,
        )
        return SeekMatch(seek, PersonRow(person), rng.choice([1, 12]), CHANNEL)


GUESTS: dict[type[Kind[Any]], Guests] = {
    Relay: Runners(),
    Tournaments: Jousters(),
    Seeking: Seekers(),
}
"""By kind, who comes."""


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Relays are a kind of occasion here; nothing is drawn."""
    monkeypatch.setitem(KINDS, Relay.NAME, Relay())
    monkeypatch.setitem(SURFACES, Relay.NAME, surfaces)
    monkeypatch.setitem(SURFACES, Tournaments.NAME, TournamentSurfaces(WORDS))
    monkeypatch.setitem(SURFACES, Seeking.NAME, SeekPresenter(WORDS).surfaces)
    monkeypatch.setattr(message, "drawn", stub_drawn)


@pytest.mark.parametrize("kind", GUESTS, ids=lambda kind: kind.NAME)
@pytest.mark.usefixtures("known")
async def test_after_any_history_all_is_as_it_should_be(
    kind: type[Kind[Any]], tmp_path: Path
) -> None:
    """What stands is what should, tables were opened once, and what was told to count counts."""
    store = await opened(tmp_path / "house.sqlite3")
    try:
        await histories(store, GUESTS[kind], range(HISTORIES))
    finally:
        await store.close()


class Forgetful(Relay):
    """Forgets which tables stand, so that each is wanted again."""

    def seatings(self, occasion: Occasion[Relaying]) -> Sequence[Seating]:
        """As if nothing stood."""
        found = super().seatings(occasion.changed(opened=()))
        return [] if occasion.over else found

    def told(self, occasion: Occasion[Relaying], news: News, now: Any) -> Occasion[Relaying]:
        """Hears of a table as often as it is told."""
        return occasion.add("table", now, text=news.code) if not occasion.over else occasion


@pytest.mark.usefixtures("known")
async def test_a_kind_that_wants_what_stands_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the checks can fail."""
    monkeypatch.setitem(KINDS, Relay.NAME, Forgetful())
    store = await opened(tmp_path / "house.sqlite3")
    try:
        with pytest.raises(AssertionError, match="history 0"):
            await histories(store, Runners(), [0])
    finally:
        await store.close()
