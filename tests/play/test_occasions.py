"""Occasions carry out commands, are stored, and forget people just as tables do."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from data.store.problems import AlreadyCounted, NoSuchOccasion
from data.store.rows import Opening
from data.store.store import Store
from play.aggregate import Tick
from play.occasions.occasion import Hear, Occasion, TableNews
from play.occasions.occasions import Occasions
from play.table import Refused
from play.tables import Tables
from tests.play.clock import Clock
from tests.play.house import ANNA, BEN
from tests.play.kinds import KINDS
from tests.play.life import NAME, PERSON, privacy_of
from tests.play.relay import PATIENCE, Enter, Relay, Relaying
from tests.stores import cells


@pytest.fixture
def occasions(store: Store, clock: Clock) -> Occasions:
    return Occasions(store, clock, KINDS)


async def begun(occasions: Occasions, **named: Any) -> Occasion[Relaying]:
    """A relay started by Anna."""
    given: dict[str, Any] = {"guild_id": 7, "channel_id": 8, "language": "en", "host_id": ANNA}
    return await occasions.open(Relay.NAME, Relaying({ANNA: "Anna"}), **given | named)


async def test_consequences_of_opening_follow_at_once(occasions: Occasions, clock: Clock) -> None:
    relay = await begun(occasions)
    assert [line.kind for line in relay.journal] == ["open", "begin"]
    assert relay.row.due_at == relay.state.since + PATIENCE if relay.state.since else None
    assert await occasions.found.next_due() == relay.row.due_at


async def test_a_state_is_read_back_as_it_was(occasions: Occasions) -> None:
    relay = await begun(occasions)
    after = (await occasions.act(relay.id, Enter(BEN, "Ben"))).after
    occasions.forget_all()
    assert await occasions.get(relay.id) == after
    assert after.state.names == {ANNA: "Anna", BEN: "Ben"}
    assert [each.id for each in await occasions.of_person(BEN)] == [relay.id]
    assert (await occasions.by_code(relay.row.code.lower())).id == relay.id


async def test_a_press_counts_once(occasions: Occasions) -> None:
    relay, other = await begun(occasions), await begun(occasions)
    press = Enter(BEN, "Ben", interaction_id=5)
    await occasions.act(relay.id, press)
    with pytest.raises(Refused, match="already_counted"):
        await occasions.act(relay.id, press)
    with pytest.raises(AlreadyCounted):
        await occasions.act(other.id, press)
    with pytest.raises(AlreadyCounted):
        await begun(occasions, interaction_id=5)


async def test_a_press_does_not_stand_at_what_only_time_brought_about(
    occasions: Occasions, clock: Clock
) -> None:
    relay = await begun(occasions)
    clock.move(PATIENCE)
    after = (await occasions.act(relay.id, Tick(interaction_id=9))).after
    assert after.journal[-1].kind == "lapse"
    assert {line.interaction_id for line in after.journal} == {None}


async def test_two_processes_lose_nothing(occasions: Occasions, elsewhere: Occasions) -> None:
    relay = await begun(occasions)
    await elsewhere.get(relay.id)
    people = range(100, 110)
    acts = [
        (occasions, elsewhere)[person % 2].act(relay.id, Enter(person, str(person)))
        for person in people
    ]
    await asyncio.gather(*acts)
    assert {*people} < (await occasions.fresh(relay.id)).state.names.keys()


async def test_a_refusal_rests_on_what_is_stored(
    occasions: Occasions, elsewhere: Occasions
) -> None:
    relay = await begun(occasions)
    await occasions.act(relay.id, Enter(BEN, "Ben"))
    with pytest.raises(Refused, match="already_member"):
        await elsewhere.act(relay.id, Enter(BEN, "Ben"))


async def test_a_scope_has_one_occasion(occasions: Occasions, elsewhere: Occasions) -> None:
    both = await asyncio.gather(
        begun(occasions, scope="relay:7"), begun(elsewhere, scope="relay:7")
    )
    assert both[0].id == both[1].id
    assert (await occasions.fresh(both[0].id)).revision == 2
    found = await occasions.of_scope("relay:7")
    assert found is not None
    assert found.id == both[0].id
    assert await occasions.of_scope("relay:8") is None


async def test_a_slot_has_one_table(occasions: Occasions, tables: Tables) -> None:
    """A process that was killed before the occasion knew of the table opens it again."""
    relay = await begun(occasions)
    opening = Opening(
        game="lancelot",
        guild_id=relay.guild_id,
        channel_id=relay.channel_id,
        host_id=ANNA,
        host_name="Anna",
        language="en",
        options={},
        occasion_id=relay.id,
        slot="1",
    )
    first = await tables.open(opening)
    again = await tables.open(opening)
    assert (again.id, again.revision) == (first.id, first.revision)
    assert await tables.store.tables.of_occasion(relay.id) == {"1": first.id}
    other = await tables.open(replace(opening, slot="2"))
    assert other.id != first.id


async def test_time_ends_what_nobody_joins(occasions: Occasions, clock: Clock) -> None:
    relay = await begun(occasions)
    clock.now += PATIENCE - timedelta(seconds=1)
    assert await occasions.found.due(clock()) == []
    clock.now += timedelta(seconds=1)
    assert await occasions.found.due(clock()) == [relay.id]
    after = await occasions.tick(relay.id)
    assert (after.over, after.row.due_at) == (True, None)
    assert await occasions.of_kind(Relay.NAME, 7) == []


async def test_occasions_of_a_kind_are_found_by_server(occasions: Occasions) -> None:
    here, there = await begun(occasions), await begun(occasions, guild_id=9)
    assert [each.id for each in await occasions.of_kind(Relay.NAME, 9)] == [there.id]
    assert [each.id for each in await occasions.of_kind(Relay.NAME)] == [here.id, there.id]


async def test_an_unreadable_occasion_affects_no_other(
    occasions: Occasions, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    relay, other = await begun(occasions), await begun(occasions)
    await store.database.write(
        lambda db: db.execute("UPDATE occasions SET kind = 'joust' WHERE id = ?", [relay.id])
    )
    occasions.forget_all()
    numbers = await occasions.found.open_ids()
    assert [each.id async for each in occasions.each(numbers)] == [other.id]
    with pytest.raises(NoSuchOccasion):
        await occasions.get(99)


async def test_a_match_won_is_counted_once(occasions: Occasions) -> None:
    relay = await begun(occasions)
    await occasions.act(relay.id, Enter(BEN, "Ben"))
    won = TableNews("1", 5, "CODE", 8, "finished", {}, (ANNA, BEN), frozenset({BEN}))
    for _ in range(2):
        after = (await occasions.act(relay.id, Hear(won))).after
    assert after.state.wins == {ANNA: 1}
    assert [line.kind for line in after.journal][-3:] == ["table", "end", "finish"]


async def test_a_forgotten_person_leaves_no_trace(
    occasions: Occasions, tables: Tables, tmp_path: Path
) -> None:
    relay = await begun(occasions, host_id=PERSON)
    await occasions.act(relay.id, Enter(PERSON, NAME, interaction_id=6))
    await privacy_of(tables).forget(PERSON, "Unknown K7Q2")
    place = tmp_path / "house.sqlite3"
    left = [(table, column) for table, column, value in cells(place) if str(PERSON) in str(value)]
    assert left == []
    occasions.forget_all()
    after = await occasions.get(relay.id)
    assert after.over
    (stranger,) = after.state.names.keys() - {ANNA}
    assert (stranger < 0, after.state.names[stranger]) == (True, "Unknown K7Q2")
    assert json.loads(after.row.state)["names"] == {
        str(ANNA): "Anna",
        str(stranger): "Unknown K7Q2",
    }
    assert after.journal[-1].kind == "forget"
