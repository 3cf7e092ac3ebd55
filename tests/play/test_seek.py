"""Seeking a match is an occasion: each seek leads to one table, whatever happens in between."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest

from data.store.rows import PersonRow, Status
from data.store.store import Store
from play.ladder import STAND_IN
from play.matching import STEP
from play.occasions.occasion import Hear, LeaveOccasion, Occasion, TableNews
from play.occasions.occasions import Occasions
from play.occasions.seek import (
    NOTICES_LAST,
    Recall,
    Seeking,
    SeekMatch,
    Seeks,
    SitDown,
    StopSeeking,
    seek_scope,
)
from play.table import Refused
from tests.play import test_matching
from tests.play.clock import NOON, Clock
from tests.play.house import ANNA, BEN, CLARA, DAVID
from tests.play.kinds import KINDS

GUILD, CHANNEL = 7, 500


@pytest.fixture
def occasions(store: Store, clock: Clock) -> Occasions:
    return Occasions(store, clock, KINDS)


async def begun(occasions: Occasions) -> Occasion[Seeks]:
    """A place where people seek matches."""
    scope, closes = seek_scope(GUILD, occasions.clock())
    return await occasions.open(
        Seeking.NAME,
        Seeks(closes=closes),
        guild_id=GUILD,
        channel_id=CHANNEL,
        language="en",
        scope=scope,
    )


def wanting(
    person: int, hours: int = 12, settings: PersonRow | None = None, **changes: object
) -> SeekMatch:
    """A person's command to seek a match, by default of Lancelot with two players."""
    seek = test_matching.seek(0, person_id=person, name=f"P{person}", **changes)
    return SeekMatch(seek, settings or PersonRow(person), hours, CHANNEL)


def waiting(place: Occasion[Seeks]) -> list[int]:
    return [seek.person_id for seek in place.state.waiting]


def gathered(place: Occasion[Seeks]) -> list[list[int]]:
    """The people whose tables have not been opened yet."""
    return [[seek.person_id for seek in group.seeks] for group in place.state.gathered]


def told(place: Occasion[Seeks]) -> list[tuple[str, int]]:
    return [(notice.what, notice.seek.person_id) for notice in place.state.notices]


def stands(slot: int, table_id: int = 1) -> Hear:
    """The news that the table of a group is open."""
    return Hear(TableNews(str(slot), table_id, "K7Q2", 600, Status.RUNNING.value))


async def test_a_group_gets_a_table_and_a_notice(occasions: Occasions, clock: Clock) -> None:
    place = await begun(occasions)
    await occasions.act(place.id, wanting(ANNA, paces=("2d", "1d")))
    clock.move(timedelta(minutes=5))
    place = (await occasions.act(place.id, wanting(BEN))).after
    (seating,) = place.kind.seatings(place)
    assert (seating.slot, seating.game, dict(seating.options)) == ("1", "lancelot", {"pace": "1d"})
    assert seating.people == {ANNA: f"P{ANNA}", BEN: f"P{BEN}"}
    place = (await occasions.act(place.id, stands(1))).after
    assert place.kind.seatings(place) == []
    assert place.kind.settled(place) == {"1"}
    assert told(place) == [("seated", ANNA), ("seated", BEN)]
    assert place.state.waits == (("lancelot", 300), ("lancelot", 0))
    assert (await occasions.act(place.id, stands(1))).after == place
    clock.move(NOTICES_LAST)
    place = (await occasions.act(place.id, wanting(CLARA))).after
    assert (told(place), set(place.state.names)) == ([], {CLARA})
    occasions.forget_all()
    assert (await occasions.get(place.id)).state == place.state


async def test_a_newcomers_own_blocks_count(occasions: Occasions) -> None:
    """The blocks count even though the newcomer has never sought a match here before."""
    place = await begun(occasions)
    await occasions.act(place.id, wanting(ANNA))
    angry = PersonRow(BEN, blocked_ids=(ANNA,))
    await occasions.store.settings.change_person(BEN, lambda _: angry)
    place = (await occasions.act(place.id, wanting(BEN, settings=angry))).after
    assert waiting(place) == [ANNA, BEN]
    occasions.forget_all()
    assert waiting(await occasions.tick(place.id)) == [ANNA, BEN]


async def test_nobody_waits_longer_than_they_want(occasions: Occasions, clock: Clock) -> None:
    place = await begun(occasions)
    closes = place.row.due_at
    place = (await occasions.act(place.id, wanting(ANNA, hours=3))).after
    assert place.row.due_at == clock.now + timedelta(hours=3)
    clock.move(timedelta(hours=3))
    place = await occasions.tick(place.id)
    assert (waiting(place), told(place)) == ([], [("expired", ANNA)])
    assert place.row.due_at == closes
    assert closes is not None
    clock.move(closes - clock.now)
    assert (await occasions.tick(place.id)).over


async def test_the_distance_grows_with_waiting(occasions: Occasions, clock: Clock) -> None:
    """The place becomes due when two people's ratings become close enough for both; people who
    still do not match do not make it due again.
    """
    place = await begun(occasions)
    far = {"lancelot": 1230}
    await occasions.act(place.id, wanting(ANNA, near=True, players=(3,)))
    place = (await occasions.act(place.id, wanting(BEN, players=(3,), ratings=far))).after
    assert place.row.due_at == clock.now + 2 * STEP
    clock.move(2 * STEP)
    place = await occasions.tick(place.id)
    assert place.row.due_at == NOON + timedelta(hours=12)
    place = (await occasions.act(place.id, wanting(CLARA, players=(3,), ratings=far))).after
    assert gathered(place) == [[ANNA, BEN, CLARA]]


async def test_two_processes_seat_nobody_twice(occasions: Occasions, elsewhere: Occasions) -> None:
    """Both processes think that Anna is waiting; the slower one finds that she is not."""
    place = await begun(occasions)
    assert (await begun(elsewhere)).id == place.id
    await occasions.act(place.id, wanting(ANNA))
    await elsewhere.fresh(place.id)
    await occasions.act(place.id, wanting(BEN))
    place = (await elsewhere.act(place.id, wanting(CLARA))).after
    assert (gathered(place), waiting(place)) == ([[ANNA, BEN]], [CLARA])


async def test_a_person_being_seated_can_neither_stop_nor_seek_again(occasions: Occasions) -> None:
    place = await begun(occasions)
    for person in (ANNA, BEN):
        await occasions.act(place.id, wanting(person))
    for act in (wanting(ANNA), StopSeeking(BEN)):
        with pytest.raises(Refused, match="being_seated"):
            await occasions.act(place.id, act)
    await occasions.act(place.id, stands(1))
    with pytest.raises(Refused, match="not_seeking"):
        await occasions.act(place.id, StopSeeking(BEN))
    assert waiting((await occasions.act(place.id, wanting(ANNA))).after) == [ANNA]


async def test_without_a_table_the_others_wait_again(occasions: Occasions) -> None:
    """A host whom no message reaches is removed."""
    place = await begun(occasions)
    for person in (ANNA, BEN):
        await occasions.act(place.id, wanting(person))
    ended = TableNews("1", 0, "", 0, Status.ENDED.value, {"how": "no_direct_messages"})
    place = (await occasions.act(place.id, Hear(ended))).after
    assert (waiting(place), told(place)) == ([BEN], [("failed", ANNA)])
    place = (await occasions.act(place.id, wanting(CLARA))).after
    assert gathered(place) == [[BEN, CLARA]]
    place = (await occasions.act(place.id, Hear(replace(ended, slot="2", table_id=9)))).after
    assert gathered(place) == [[BEN, CLARA]]
    assert [each.slot for each in place.kind.seatings(place)] == ["3"]


async def test_a_person_who_leaves_is_replaced_at_a_table_that_may_exist(
    occasions: Occasions,
) -> None:
    """The table may already exist, so it stays, and a computer player takes the person's place."""
    place = await begun(occasions)
    for person in (ANNA, BEN, CLARA):
        await occasions.act(place.id, wanting(person))
    for person in (CLARA, BEN):
        place = (await occasions.act(place.id, LeaveOccasion(person))).after
    assert waiting(place) == []
    (seating,) = place.kind.seatings(place)
    assert (set(seating.people), seating.computers) == ({ANNA}, (STAND_IN,))
    place = (await occasions.act(place.id, LeaveOccasion(ANNA))).after
    assert (gathered(place), dict(place.state.names)) == ([], {})


async def test_sitting_down_wants_the_same(occasions: Occasions) -> None:
    """Somebody who sits down with a person who is seeking gets that person's wishes and accepts any
    strength. If the other person wants similar strength, both wait.
    """
    place = await begun(occasions)
    newcomer = wanting(BEN, games=("isis",), ratings={"lancelot": 1900})
    await occasions.act(place.id, wanting(ANNA, hours=2, paces=("2d",), near=True))
    sit = SitDown(1, newcomer.seek, newcomer.settings)
    place = (await occasions.act(place.id, sit)).after
    assert waiting(place) == [ANNA, BEN]
    assert place.state.waiting[1].tables == (("lancelot", 2),)
    assert place.state.waiting[1].until == place.state.waiting[0].until
    with pytest.raises(Refused, match="own_seat"):
        await occasions.act(place.id, SitDown(1, wanting(ANNA).seek, PersonRow(ANNA)))
    with pytest.raises(Refused, match="seat_gone"):
        await occasions.act(place.id, SitDown(9, newcomer.seek, newcomer.settings))


async def test_a_server_calls_its_people_back(occasions: Occasions) -> None:
    place = await begun(occasions)
    for person, guild in ((ANNA, 1), (BEN, 2)):
        seek = wanting(person, guild_id=guild, abroad=True, language="en" if guild > 1 else "de")
        await occasions.act(place.id, seek)
    place = (await occasions.act(place.id, Recall(1))).after
    assert (waiting(place), told(place)) == ([BEN], [("recalled", ANNA)])
    assert (await occasions.act(place.id, Recall(1))).after is place


async def test_a_notice_lasts_until_its_reader_leaves(occasions: Occasions) -> None:
    place = await begun(occasions)
    for person, game in ((ANNA, "lancelot"), (BEN, "isis")):
        await occasions.act(place.id, wanting(person, games=(game,), guild_id=1, abroad=True))
    place = (await occasions.act(place.id, Recall(1))).after
    assert told(place) == [("recalled", ANNA), ("recalled", BEN)]
    place = (await occasions.act(place.id, LeaveOccasion(ANNA))).after
    assert told(place) == [("recalled", BEN)]


def test_a_place_lasts_a_month() -> None:
    scope, closes = seek_scope(GUILD, NOON)
    assert seek_scope(GUILD, closes - timedelta(seconds=1)) == (scope, closes)
    assert seek_scope(GUILD, closes)[0] != scope != seek_scope(None, NOON)[0]
    assert closes - NOON <= timedelta(days=30)


async def test_one_seek_leads_to_one_table(
    occasions: Occasions, elsewhere: Occasions, clock: Clock, rng: random.Random
) -> None:
    """Five people seek, stop, wait and leave through two processes that share only the store."""
    place = await begun(occasions)
    people, asked, seated = (ANNA, BEN, CLARA, DAVID, 5), Counter[int](), Counter[int]()
    out = Counter[int]()
    for _ in range(120):
        process = rng.choice((occasions, elsewhere))
        person = rng.choice(people)
        with suppress(Refused):
            match rng.randrange(8):
                case 0:
                    await process.act(place.id, StopSeeking(person))
                    out[person] += 1
                case 1:
                    clock.move(timedelta(minutes=rng.choice((5, 30, 90))))
                    await process.tick(place.id)
                case 2 | 3:
                    known = await process.fresh(place.id)
                    for group in known.state.gathered[:1]:
                        await process.act(place.id, stands(group.slot))
                        seated.update(seek.person_id for seek in group.seeks)
                case _:
                    before = (await occasions.fresh(place.id)).state.of(person)
                    seek = wanting(
                        person,
                        hours=rng.choice((1, 2)),
                        players=rng.choice(((2,), (3,), (2, 3))),
                        near=rng.random() < 0.4,
                        ratings={"lancelot": 800 + 150 * person},
                    )
                    await process.act(place.id, seek)
                    asked[person] += 1
                    out[person] += before is not None and before.until > clock.now
    place = await occasions.fresh(place.id)
    ended = Counter(
        line.person_id for line in place.journal if line.kind == "expire" and line.person_id
    )
    now: Counter[int] = Counter(waiting(place))
    now.update(person for group in gathered(place) for person in group)
    for person in people:
        assert asked[person] == out[person] + ended[person] + seated[person] + now[person]
    assert sum(seated.values()) > 6
    slots = [line.text for line in place.journal if line.kind == "gather"]
    assert len(slots) == place.state.slots
