"""Histories of occasions: whatever happens, they end as they should."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cogs.delivery import message
from cogs.present.occasions import SURFACES
from play.occasions.occasion import KINDS, Act, Kind, News, Occasion, Seating
from play.occasions.occasions import Occasions
from tests.cogs.test_occasions import surfaces
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


GUESTS: dict[type[Kind[Any]], Guests] = {Relay: Runners()}
"""By kind, who comes."""


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Relays are a kind of occasion here; nothing is drawn."""
    monkeypatch.setitem(KINDS, Relay.NAME, Relay())
    monkeypatch.setitem(SURFACES, Relay.NAME, surfaces)
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
