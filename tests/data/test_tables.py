"""Tables load exactly as committed, and an invalid commit changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from data.store.journaled import TRIES, new_code
from data.store.problems import Conflict, NoSuchTable, StoreProblem
from data.store.rows import (
    Alarm,
    Line,
    MemberRow,
    OfferRow,
    PersonRow,
    PlanRow,
    ServerRow,
    Status,
    Stored,
    TableRow,
    TurnRow,
    VoteRow,
)
from data.store.store import Store
from tests.data.samples import (
    GUEST,
    HOST,
    NOON,
    THIRD,
    always,
    at_a_server,
    committed,
    ended,
    grown,
    in_a_file,
    minutes,
    move,
    moved,
    opened,
    started,
)
from tests.examples import examples

STRANGER = 4711


async def stored(store: Store, table: Stored) -> Stored:
    return (await store.tables.load(table.row.id)).stored


# ------------------------------------------------------------------------------- opening
async def test_an_opened_table_has_everything_that_was_requested(store: Store) -> None:
    table = await opened(store, wanted_players=3, options={"komi": 7, "name": "Gral „ß“"})
    assert table == Stored(
        row=TableRow(
            id=table.row.id,
            code=table.row.code,
            game="lancelot",
            rules=1,
            guild_id=900,
            channel_id=500,
            host_id=HOST,
            language="de",
            status=Status.LOBBY,
            options={"komi": 7, "name": "Gral „ß“"},
            players=None,
            seed="",
            wanted_players=3,
            result=None,
            created_at=NOON,
            moved_at=NOON,
            revision=1,
            due_at=None,
            secret="5eed",
        ),
        members=(MemberRow(0, HOST, "Ada"),),
        journal=(Line(1, "open", None, HOST, "", NOON),),
    )
    assert await stored(store, table) == table


def test_codes_are_short_and_easy_to_read() -> None:
    codes = [new_code() for _ in range(60)]
    assert all(len(code) == 4 for code in codes)
    assert not set("".join(codes)) & set("0O1IL5S8BZ")


async def test_codes_grow_when_they_run_short(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once all short codes are taken, the next table gets a longer one after few look-ups."""
    monkeypatch.setattr("data.store.journaled.CODE_LETTERS", "C")
    drawn = Mock(side_effect=new_code)
    monkeypatch.setattr("data.store.journaled.new_code", drawn)
    codes = [(await opened(store, channel_id=c)).row.code for c in range(3)]
    assert codes == ["CCCC", "CCCCC", "CCCCCC"]
    lengths = [given.args[0] for given in drawn.call_args_list]
    assert lengths == [4, *[4] * TRIES, 5, *[4] * TRIES, *[5] * TRIES, 6]
    assert TRIES <= 4


async def test_times_need_a_zone(store: Store) -> None:
    with pytest.raises(ValueError, match="no time zone"):
        await opened(store, at=datetime(2026, 8, 1, 12))  # noqa: DTZ001 - that is the point


# --------------------------------------------------------------------------- committing


async def test_a_commit_for_another_revision_changes_nothing(store: Store) -> None:
    table = await started(store)
    first = await move(store, table)
    late = grown(table, "join", members=(), followers=frozenset({THIRD}), language="en")
    assert not await store.tables.commit(table, late)
    assert await stored(store, table) == first
    assert not await store.tables.commit(
        replace(first, row=replace(first.row, id=99)), moved(first)
    )


async def test_a_journal_only_grows(store: Store) -> None:
    table = await move(store, await started(store))
    longer = moved(table)
    row = replace(table.row, revision=table.row.revision + 1)
    wrong = [
        table,
        replace(table, row=row),
        replace(longer, journal=longer.journal[:-2]),
        replace(longer, journal=(replace(table.journal[0], kind="x"), *longer.journal[1:])),
        replace(longer, row=table.row),
        replace(longer, journal=(*table.journal, replace(longer.journal[-1], number=9))),
    ]
    for after in wrong:
        with pytest.raises(ValueError, match=r"only grows|after revision"):
            await store.tables.commit(table, after)
    assert await stored(store, table) == table


async def test_members_may_change_places(store: Store) -> None:
    table = await started(store)
    ada, ben = table.members
    swapped = (replace(ada, seat=0, person_id=GUEST), replace(ben, seat=1, person_id=HOST))
    after = await committed(store, table, grown(table, "take", members=swapped))
    assert await stored(store, table) == after


async def test_a_table_comes_with_the_settings_that_matter(store: Store) -> None:
    table = await started(store)
    await committed(store, table, grown(table, "follow", followers=frozenset({THIRD})))
    ada, house = PersonRow(HOST, "en", dm_channel=55), ServerRow(900, "de", tables_limit=3)
    await store.settings.change_person(HOST, always(ada))
    await store.settings.change_server(900, always(house))
    loaded = await store.tables.load(table.row.id)
    people = {HOST: ada, GUEST: PersonRow(GUEST), THIRD: PersonRow(THIRD)}
    assert (loaded.people, loaded.server) == (people, house)


async def test_invitations_count_until_they_are_followed(store: Store) -> None:
    """An invitation to a lobby never expires; others do. An invitation records who sent it, and
    whether the guest was notified.
    """
    for channel, text in ((1, "0"), (2, "0 unheard"), (3, "7")):
        table = await opened(store, channel)
        await committed(store, table, grown(table, "invite", person_id=THIRD, text=text))
    running = await started(store, 4)
    asked = grown(running, "invite", person_id=THIRD, text="0", at=minutes(50))
    await committed(store, running, asked)
    came = await opened(store, 5)
    asked = await committed(store, came, grown(came, "invite", person_id=THIRD, text="0"))
    await committed(store, asked, grown(asked, "join", person_id=THIRD, text="1"))
    lobbies = [(0, "7"), (HOST, "0"), (HOST, "0 unheard")]
    assert sorted(await store.tables.invitations_to(THIRD, minutes(51))) == lobbies
    found = await store.tables.invitations_to(THIRD, minutes(50))
    assert sorted(found) == sorted([*lobbies, (HOST, "0")])
    assert await store.tables.invitations_to(HOST, NOON) == []


# ------------------------------------------------------------------------- random tables
people = st.integers(1, 2**63 - 1)
words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
"""Texts; they contain no NUL, because nobody can type it and PostgreSQL cannot store it."""
numbers = st.integers(1, 10_000)
times = st.integers(0, 10**9).map(lambda n: NOON + timedelta(seconds=n))
plain = st.dictionaries(
    words, st.none() | st.integers() | words | st.lists(words, max_size=3), max_size=3
)


def keyed(rows: st.SearchStrategy[Any], *keys: str) -> st.SearchStrategy[tuple[Any, ...]]:
    """Rows with distinct keys, ordered by key."""

    def key(row: Any) -> tuple[Any, ...]:
        return tuple(getattr(row, name) for name in keys)

    return st.lists(rows, max_size=4, unique_by=key).map(lambda some: tuple(sorted(some, key=key)))


def all_different(members: tuple[MemberRow, ...]) -> bool:
    """Return whether no two members share a person or a seat."""
    persons = [m.person_id for m in members if m.person_id is not None]
    seats = [m.seat for m in members if m.seat is not None]
    return len({*persons}) == len(persons) and len({*seats}) == len(seats)


members = keyed(
    st.builds(
        MemberRow, numbers, st.none() | people, words, st.none() | words, st.none() | numbers
    ),
    "number",
).filter(all_different)
votes = keyed(
    st.builds(
        VoteRow,
        asked=numbers,
        kind=words,
        seat=st.none() | numbers,
        subject=plain,
        rule=words,
        choices=st.lists(words, max_size=3).map(tuple),
        fallback=words,
        asked_by=st.none() | people,
        asked_at=times,
        closes_at=st.none() | times,
        answers=st.lists(st.tuples(people, st.none() | words), max_size=3).map(tuple),
        decision=st.none() | words,
        settled=st.none() | numbers,
    ),
    "asked",
)
plans = keyed(st.builds(PlanRow, numbers, people, words, st.none() | words), "number")
offers = keyed(st.builds(OfferRow, numbers, numbers, st.none() | people), "seat")
turns = st.lists(
    st.builds(
        TurnRow,
        seat=numbers,
        decision=numbers,
        person_id=people,
        opened_at=times,
        budget=numbers,
        ends_at=times,
        alarms=st.dictionaries(st.sampled_from(Alarm), times),
        misses=numbers,
        missed_at=st.none() | times,
        time_left=st.none() | numbers,
        helped=st.booleans(),
    ),
    max_size=4,
    unique_by=lambda turn: (turn.seat, turn.decision),
).map(tuple)


VALUES: Mapping[str, st.SearchStrategy[Any]] = {
    "rules": numbers,
    "guild_id": st.none() | people,
    "channel_id": people,
    "host_id": people,
    "language": words,
    "status": st.sampled_from([Status.FINISHED, Status.PARKED, Status.ENDED]),
    "options": plain,
    "players": st.none() | numbers,
    "seed": words,
    "secret": words,
    "wanted_players": st.none() | numbers,
    "result": st.none() | plain,
    "due_at": st.none() | times,
    "members": members,
    "votes": votes,
    "turns": turns,
    "plans": plans,
    "offers": offers,
    "barred": st.frozensets(people, max_size=3),
    "hurried": st.frozensets(people, max_size=3),
    "followers": st.frozensets(people, max_size=3),
}
"""What a table may have, apart from its journal."""


def changes(before: Mapping[str, Any]) -> st.SearchStrategy[Mapping[str, Any]]:
    """Random values of a table of which some are as before."""
    return st.fixed_dictionaries(
        {name: st.just(before[name]) | values for name, values in VALUES.items()}
    )


FREE = count(10**18)
"""A new channel for each example, since all of them share a store."""

SHARING = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
"""Health checks of Hypothesis that do not apply here."""


@pytest.mark.full
@in_a_file
@examples(20, suppress_health_check=SHARING)
@given(data=st.data())
async def test_whatever_is_committed_is_loaded(store: Store, data: st.DataObject) -> None:
    await check_any_table(store, data)


@pytest.mark.full
@at_a_server
@examples(10, suppress_health_check=SHARING)
@given(data=st.data())
async def test_whatever_is_committed_at_a_server_is_loaded(
    store: Store, data: st.DataObject
) -> None:
    await check_any_table(store, data)


@in_a_file
async def test_a_file_keeps_whatever_can_be_written(store: Store) -> None:
    """Even NUL is kept, wherever a table has text."""
    table = await opened(store)
    told = grown(
        table,
        "\0x",
        text="a\0",
        language="\0",
        options={"\0": "b\0"},
        seed="\0c",
        secret="d\0e",
        result={"\0": None},
        members=(MemberRow(0, HOST, "A\0da", "\0"),),
        plans=(PlanRow(1, HOST, "\0", "f\0"),),
        votes=(VoteRow(1, "\0", None, {"\0": 1}, "\0g", ("\0",), "\0", HOST, NOON, NOON, ()),),
    )
    table = await committed(store, table, told)
    assert await stored(store, table) == table


async def check_any_table(store: Store, data: st.DataObject) -> None:
    """Change a table to random values three times; check after the last two changes that it loads
    as committed.
    """
    table = await opened(store, channel_id=next(FREE))
    before: Mapping[str, Any] = data.draw(st.fixed_dictionaries(VALUES))
    table = await committed(store, table, grown(table, "x", **before))
    for _ in range(2):
        after: Mapping[str, Any] = data.draw(changes(before))
        line = (data.draw(words), data.draw(st.none() | numbers), data.draw(st.none() | people))
        kind, seat, person = line
        grew = grown(table, kind, seat=seat, person_id=person, text=data.draw(words), **after)
        table = await committed(store, table, grew)
        assert await stored(store, table) == table
        before = after


# ------------------------------------------------------------------------------- finding
async def test_a_table_is_found_by_its_code(store: Store) -> None:
    table = await opened(store)
    assert await store.tables.id_of(table.row.code) == table.row.id
    with pytest.raises(NoSuchTable):
        await store.tables.id_of("OOOO")
    with pytest.raises(NoSuchTable):
        await store.tables.load(STRANGER)


async def test_a_channel_shows_its_open_table_else_the_last_finished(store: Store) -> None:
    assert await store.tables.in_channel(500) is None
    shown = []
    for minute in (30, 20):
        table = await started(store)
        await ended(store, table, Status.FINISHED, at=minutes(minute), result={})
        shown.append(table.row.id)
    await ended(store, await started(store), Status.ENDED, at=minutes(40))
    assert await store.tables.in_channel(500) == shown[0]
    lobby = await opened(store)
    assert await store.tables.in_channel(500) == lobby.row.id


async def test_a_person_finds_their_own_tables(store: Store) -> None:
    """Tables that are not over are listed, latest change first."""
    old, new, parked, over, foreign = [
        await started(store, channel_id=channel) for channel in range(1, 6)
    ]
    await move(store, new)
    await ended(store, parked, Status.PARKED, at=minutes(30))
    await ended(store, over, Status.FINISHED)
    others = (replace(foreign.members[0], person_id=THIRD), foreign.members[1])
    await committed(store, foreign, grown(foreign, "take", members=others))
    assert await store.tables.of_person(HOST) == [parked.row.id, new.row.id, old.row.id]
    assert await store.tables.of_person(THIRD) == [foreign.row.id]
    assert await store.tables.of_person(STRANGER) == []


async def test_a_servers_tables_are_counted_for_each_person(store: Store) -> None:
    """Only open tables of the server count, except those where a computer player keeps the person's
    seat.
    """
    kept, *_ = [await started(store, channel_id=channel) for channel in (1, 2)]
    await started(store, channel_id=3, guild_id=901)
    await ended(store, await started(store, channel_id=4), Status.PARKED)
    assert [await store.tables.count_of(p, 900) for p in (HOST, GUEST, THIRD)] == [2, 2, 0]
    away = (replace(kept.members[0], level="skilled"), kept.members[1])
    await committed(store, kept, grown(kept, "keep", members=away))
    assert [await store.tables.count_of(p, 900) for p in (HOST, GUEST)] == [1, 2]


async def test_open_tables_are_lobbies_and_running_matches(store: Store) -> None:
    lobby = await opened(store, channel_id=1)
    running = await started(store, channel_id=2, guild_id=901)
    for channel, status in enumerate((Status.FINISHED, Status.ENDED, Status.PARKED), start=3):
        await ended(store, await started(store, channel_id=channel), status)
    ids = [lobby.row.id, running.row.id]
    assert await store.tables.open_ids() == ids
    assert await store.tables.open_in([5, 2, 1, 77]) == ids
    assert await store.tables.open_in([]) == []
    assert await store.tables.open_on(900) == ids[:1]
    assert await store.tables.open_on(901) == ids[1:]


async def test_followed_tables_are_open_ones(store: Store) -> None:
    tables = [await started(store, channel_id=channel) for channel in (1, 2, 3)]
    following = [
        await committed(store, table, grown(table, "follow", followers=frozenset({THIRD})))
        for table in tables[:2]
    ]
    await ended(store, following[0], Status.FINISHED)
    assert await store.tables.followed_by(THIRD) == [tables[1].row.id]
    assert await store.tables.followed_by(HOST) == []


# ------------------------------------------------------------------- due work
async def test_what_is_due_is_found_in_its_order(store: Store) -> None:
    assert await store.tables.next_due() is None
    for channel, due in enumerate((minutes(9), minutes(3), None, minutes(20))):
        table = await started(store, channel_id=channel)
        await committed(store, table, grown(table, "clock", due_at=due))
    first, second, _, _ = await store.tables.open_ids()
    assert await store.tables.due(minutes(10)) == [second, first]
    assert await store.tables.due(minutes(3)) == [second]
    assert await store.tables.due(minutes(2)) == []
    assert await store.tables.next_due() == minutes(3)


async def test_tables_are_behind_until_changes_are_announced(store: Store) -> None:
    """A table is behind as long as a change has not been announced, unless it was over long ago."""
    table = await started(store)
    assert await store.tables.behind(NOON) == [table.row.id]
    await store.messages.write(table.row.id, [], told=table.row.revision)
    assert await store.tables.behind(NOON) == []
    await ended(store, table, Status.FINISHED, at=minutes(30), result={})
    assert await store.tables.behind(minutes(30)) == [table.row.id]
    assert await store.tables.behind(minutes(31)) == []


async def test_tables_at_which_a_computer_thinks_are_found(store: Store) -> None:
    """A computer may keep a seat or help for one turn; tables that are over do not count."""
    _, kept, over, helped = [await started(store, channel_id=channel) for channel in range(4)]
    away = (replace(kept.members[0], level="skilled"), kept.members[1])
    await committed(store, kept, grown(kept, "keep", members=away))
    gone = await committed(store, over, grown(over, "keep", members=away))
    await ended(store, gone, Status.FINISHED)
    turn = TurnRow(0, 3, HOST, NOON, 60, minutes(1), helped=True)
    helping = await committed(store, helped, grown(helped, "miss", turns=(turn,)))
    assert await store.tables.to_think() == [kept.row.id, helped.row.id]
    closed = (replace(turn, time_left=0),)
    await committed(store, helping, grown(helping, "clock", turns=closed))
    assert await store.tables.to_think() == [kept.row.id]


# --------------------------------------------------------------------------------- refusals


def test_each_refusal_has_its_own_key() -> None:
    codes = [kind.code for kind in Conflict.__subclasses__()]
    codes += [kind.code for kind in StoreProblem.__subclasses__()]
    assert len(set(codes)) == len(codes) > 10
