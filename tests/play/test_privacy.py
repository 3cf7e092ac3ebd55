"""Being forgotten: the effects on each kind of table, and the data that remains."""

from __future__ import annotations

import pytest

from play.ending import Resign
from play.lobby import Join, Park
from play.privacy import LeavingEffect, Privacy
from play.records import Records
from play.tables import Tables
from tests.play.house import ANNA, BEN
from tests.play.life import privacy_of
from tests.play.test_tables import moved, opened, started


@pytest.fixture
def privacy(tables: Tables) -> Privacy:
    return privacy_of(tables)


async def everywhere(tables: Tables) -> dict[int, LeavingEffect]:
    """Seat Anna at every kind of table that is not over; return the effect of her leaving each."""
    hosted = await opened(tables, channel=1)
    visited = await opened(tables, channel=2, host=BEN)
    await tables.join(visited.id, Join(ANNA, "Anna"))
    two, three, left = [
        await started(tables, players, channel) for players, channel in ((2, 3), (3, 4), (3, 5))
    ]
    await tables.act(left.id, Resign(ANNA, "novice"))
    alone = await started(tables, 1, channel=7, computers=2)
    parked = await started(tables, channel=6)
    await tables.act(parked.id, Park(6))
    return {
        hosted.id: LeavingEffect.CLOSES,
        visited.id: LeavingEffect.LEAVES,
        two.id: LeavingEffect.LOSES,
        three.id: LeavingEffect.REPLACED,
        alone.id: LeavingEffect.ENDS,
        left.id: LeavingEffect.REPLACED,
        parked.id: LeavingEffect.REPLACED,
    }


async def test_the_consequences_are_listed_before(tables: Tables, privacy: Privacy) -> None:
    expected = await everywhere(tables)
    for _ in range(2):
        departures = await privacy.departures(ANNA)
        assert {d.table.id: d.leaving for d in departures} == expected


async def test_a_match_with_a_forgotten_person_stays_provable(
    tables: Tables, privacy: Privacy
) -> None:
    table = await started(tables)
    await moved(tables, table, ANNA, "K4")
    await tables.act(table.id, Resign(BEN, "novice"))
    await privacy.forget(ANNA, "Unknown K7Q2")
    record = await Records(tables).prove(await tables.get(table.id))
    assert record.names == ("Unknown K7Q2", "Ben")


async def test_statistics_are_hidden_and_shown(privacy: Privacy) -> None:
    assert not await privacy.is_unlisted(ANNA)
    await privacy.set_unlisted(ANNA, True)
    assert await privacy.is_unlisted(ANNA)
    assert not await privacy.is_unlisted(BEN)
    await privacy.set_unlisted(ANNA, False)
    assert not await privacy.is_unlisted(ANNA)
