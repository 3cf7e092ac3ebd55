"""The store remembers what it is told, and refuses what does not fit."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from data.store import (
    AlreadyCounted,
    AlreadyMember,
    ChannelTaken,
    Conflict,
    EventRow,
    MemberRow,
    MembersChanged,
    MessageRow,
    NoSuchMember,
    NoSuchTable,
    NotInLobby,
    PersonRow,
    PlyTaken,
    ServerRow,
    Status,
    Store,
    StoreProblem,
    TableFull,
    TableOver,
    TableRow,
)
from tests.data.samples import GUEST, HOST, NOON, THIRD, always, minutes, move, opened, started

NOBODY = 4711


# ------------------------------------------------------------------------------- lobby
async def test_an_opened_table_is_as_it_was_asked_for(store: Store) -> None:
    """Everything given when a table is opened is stored, and nothing has happened yet."""
    table = await opened(store, wanted_players=3, options={"komi": 7, "name": "Gral „ß“"})
    assert table == TableRow(
        id=table.id,
        code=table.code,
        game="lancelot",
        rules=1,
        guild_id=900,
        channel_id=500,
        host_id=HOST,
        language="de",
        status=Status.LOBBY,
        options={"komi": 7, "name": "Gral „ß“"},
        players=None,
        seed="5eed",
        wanted_players=3,
        ply=0,
        announced_ply=-1,
        result=None,
        created_at=NOON,
        moved_at=NOON,
    )
    assert await store.table(table.id) == table
    assert await store.members(table.id) == [
        MemberRow(table.id, 0, HOST, "Ada", level=None, seat=None, resigned=False)
    ]
    assert await store.events(table.id) == []


async def test_codes_are_short_distinct_and_easy_to_read(store: Store) -> None:
    """Each table has its own code of four letters, none of which looks like another."""
    codes = [(await opened(store, channel_id=c)).code for c in range(60)]
    assert len(set(codes)) == 60
    assert all(len(code) == 4 for code in codes)
    assert not set("".join(codes)) & set("0O1IL5S8BZ")


async def test_codes_grow_when_they_run_short(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When all short codes are taken, the next table gets a longer one."""
    monkeypatch.setattr("data.store.CODE_LETTERS", "C")
    codes = [(await opened(store, channel_id=c)).code for c in range(3)]
    assert codes == ["CCCC", "CCCCC", "CCCCCC"]


async def test_a_table_is_found_by_its_code(store: Store) -> None:
    """The code leads to its table, and an unknown one to a refusal."""
    table = await opened(store)
    assert await store.table_by_code(table.code) == table
    with pytest.raises(NoSuchTable):
        await store.table_by_code("OOOO")


async def test_a_channel_holds_one_open_table(store: Store) -> None:
    """A second table in a channel is refused, by naming the first, until that one is over."""
    first = await opened(store)
    with pytest.raises(ChannelTaken) as refusal:
        await opened(store, host_id=THIRD)
    assert refusal.value.table == first
    await store.end(first.id, Status.ENDED, None, NOON)
    assert (await opened(store)).id != first.id


async def test_members_join_in_order(store: Store) -> None:
    """Persons and computer players are numbered in the order in which they join."""
    table = await opened(store)
    ben = await store.add_member(table.id, GUEST, "Ben", None, 4)
    computer = await store.add_member(table.id, None, "Merlin", "strong", 4)
    second = await store.add_member(table.id, None, "Merlin", "strong", 4)
    assert [ben.number, computer.number, second.number] == [1, 2, 3]
    assert (computer.person_id, computer.level) == (None, "strong")
    assert (await store.members(table.id))[1:] == [ben, computer, second]


async def test_the_numbers_of_those_who_stay_do_not_change(store: Store) -> None:
    """When somebody leaves, the others keep their numbers."""
    table = await opened(store)
    for person in (GUEST, THIRD):
        await store.add_member(table.id, person, "name", None, 4)
    await store.remove_member(table.id, 1)
    assert [(m.number, m.person_id) for m in await store.members(table.id)] == [
        (0, HOST),
        (2, THIRD),
    ]
    assert (await store.add_member(table.id, GUEST, "Ben", None, 4)).number == 3


async def test_nobody_joins_twice_or_above_the_limit(store: Store) -> None:
    """A member who joins again and one too many are refused."""
    table = await opened(store)
    with pytest.raises(AlreadyMember):
        await store.add_member(table.id, HOST, "Ada", None, 2)
    await store.add_member(table.id, GUEST, "Ben", None, 2)
    with pytest.raises(TableFull):
        await store.add_member(table.id, THIRD, "Cleo", None, 2)
    with pytest.raises(TableFull):
        await store.add_member(table.id, None, "Merlin", "easy", 2)


# ------------------------------------------------------------------------------- match
async def test_the_start_seats_everybody_and_logs_the_first_draws(store: Store) -> None:
    """Starting sets status, resolved options, seats and the first events at once."""
    table = await opened(store)
    await store.add_member(table.id, GUEST, "Ben", None, 2)
    await store.start(
        table.id,
        rules=1,
        options={"komi": 7},
        players=2,
        seating=[1, 0],
        events=[(-1, "deal:1"), (-1, "deal:2")],
        at=minutes(3),
        interaction_id=71,
    )
    assert await store.table(table.id) == replace(
        table,
        status=Status.RUNNING,
        options={"komi": 7},
        players=2,
        ply=2,
        moved_at=minutes(3),
    )
    assert [(m.person_id, m.seat) for m in await store.members(table.id)] == [(HOST, 1), (GUEST, 0)]
    assert await store.events(table.id) == [
        EventRow(0, -1, "deal:1", minutes(3), None, 71),
        EventRow(1, -1, "deal:2", minutes(3), None, None),
    ]


async def test_a_start_needs_each_member_once(store: Store) -> None:
    """Seats drawn for other members than those present are refused, and nothing starts."""
    table = await opened(store)
    await store.add_member(table.id, GUEST, "Ben", None, 4)
    for seating in ([0], [0, 0], [0, 2], [0, 1, 2]):
        with pytest.raises(MembersChanged):
            await store.start(
                table.id,
                rules=1,
                options={},
                players=len(seating),
                seating=seating,
                events=[],
                at=NOON,
            )
    with pytest.raises(ValueError, match="2 members for 3 seats"):
        await store.start(
            table.id, rules=1, options={}, players=3, seating=[0, 1], events=[], at=NOON
        )
    assert (await store.table(table.id)).status is Status.LOBBY


async def test_a_started_table_is_no_lobby_any_more(store: Store) -> None:
    """After the start nobody joins, leaves or starts again."""
    table = await started(store)
    with pytest.raises(NotInLobby):
        await store.add_member(table.id, THIRD, "Cleo", None, 4)
    with pytest.raises(NotInLobby):
        await store.remove_member(table.id, 1)
    with pytest.raises(NotInLobby):
        await store.start(
            table.id, rules=1, options={}, players=2, seating=[0, 1], events=[], at=NOON
        )
    assert await store.table(table.id) == table


async def test_moves_are_logged_with_what_follows_from_them(store: Store) -> None:
    """A move and its draws lie at consecutive plies; the interaction stands at the first."""
    table = await started(store)
    await store.append(
        table.id,
        0,
        [(0, "K4"), (-1, "draw:3")],
        person_id=GUEST,
        interaction_id=2**63 - 1,
        at=minutes(5),
        finished=None,
    )
    await move(store, table, 2)
    assert await store.events(table.id) == [
        EventRow(0, 0, "K4", minutes(5), GUEST, 2**63 - 1),
        EventRow(1, -1, "draw:3", minutes(5), GUEST, None),
        EventRow(2, 1, "K4", minutes(4), HOST, None),
    ]
    now = await store.table(table.id)
    assert (now.ply, now.moved_at, now.status) == (3, minutes(4), Status.RUNNING)


async def test_the_last_move_finishes_the_match(store: Store) -> None:
    """With a result the table is finished in the same step, and takes no further move."""
    table = await started(store)
    result = {"ranks": [1, 2], "reason": "stones"}
    await store.append(
        table.id,
        0,
        [(0, "K4")],
        person_id=GUEST,
        interaction_id=None,
        at=minutes(5),
        finished=result,
    )
    now = await store.table(table.id)
    assert (now.status, now.result, now.ply) == (Status.FINISHED, result, 1)
    with pytest.raises(PlyTaken):
        await move(store, table, 1)


@pytest.mark.parametrize("ply", [-1, 0, 2, 99])
async def test_a_move_for_another_position_is_refused(store: Store, ply: int) -> None:
    """Only the ply that the match has reached can be filled."""
    table = await started(store)
    await move(store, table, 0)
    before = await store.table(table.id), await store.events(table.id)
    with pytest.raises(PlyTaken):
        await move(store, table, ply)
    assert (await store.table(table.id), await store.events(table.id)) == before


async def test_a_lobby_takes_no_move(store: Store) -> None:
    """Before the start nothing can be appended."""
    table = await opened(store)
    with pytest.raises(PlyTaken):
        await move(store, table, 0)


async def test_an_empty_move_is_a_mistake_of_the_caller(store: Store) -> None:
    """Appending nothing is refused, because its interaction could not be counted."""
    table = await started(store)
    with pytest.raises(ValueError, match="nothing to append"):
        await store.append(
            table.id, 0, [], person_id=HOST, interaction_id=1, at=NOON, finished=None
        )


async def test_an_interaction_counts_once(store: Store) -> None:
    """An interaction that has been logged, at whatever table, is not logged again."""
    table, other = await started(store), await started(store, channel_id=501)
    lobby = await opened(store, channel_id=502)
    await move(store, table, 0, interaction_id=7)
    for again, ply in ((table, 0), (table, 1), (other, 0)):
        with pytest.raises(AlreadyCounted):
            await move(store, again, ply, interaction_id=7)
    with pytest.raises(AlreadyCounted):
        await store.start(
            lobby.id,
            rules=1,
            options={},
            players=1,
            seating=[0],
            events=[],
            at=NOON,
            interaction_id=7,
        )
    assert [(await store.table(t.id)).ply for t in (table, other, lobby)] == [1, 0, 0]
    assert (await store.table(lobby.id)).status is Status.LOBBY


async def test_a_computer_player_takes_over(store: Store) -> None:
    """A member's person, name, level and resignation can change; number and seat stay."""
    table = await started(store)
    await store.set_member(table.id, 1, person_id=GUEST, name="Ben", level="strong", resigned=True)
    assert (await store.members(table.id))[1] == MemberRow(
        table.id, 1, GUEST, "Ben", "strong", 0, resigned=True
    )
    with pytest.raises(AlreadyMember):
        await store.set_member(table.id, 1, person_id=HOST, name="", level=None, resigned=False)


@pytest.mark.parametrize("status", [Status.FINISHED, Status.ENDED])
async def test_what_is_over_stays_over(store: Store, status: Status) -> None:
    """A table that is finished or ended is not ended otherwise, nor moved."""
    table = await started(store)
    await store.end(table.id, status, {"how": "agreed"}, minutes(9))
    over = await store.table(table.id)
    assert (over.status, over.result, over.moved_at) == (status, {"how": "agreed"}, minutes(9))
    with pytest.raises(TableOver):
        await store.end(table.id, Status.ENDED, {"how": "ended"}, minutes(10))
    with pytest.raises(TableOver):
        await store.move_table(table.id, 501, 900)
    assert await store.table(table.id) == over


async def test_lost_channels_park_what_is_open_in_them(store: Store) -> None:
    """Tables in their lobby or running are parked; what is over, or stands elsewhere, stays."""
    finished = await started(store)
    await store.end(finished.id, Status.FINISHED, {"how": "agreed"}, minutes(2))
    running = await started(store)
    lobby = await opened(store, channel_id=501)
    elsewhere = await opened(store, channel_id=502)
    parked = await store.park([500, 501, NOBODY], minutes(9))
    assert [(table.id, table.status) for table in parked] == [
        (running.id, Status.PARKED),
        (lobby.id, Status.PARKED),
    ]
    assert (await store.table(finished.id)).status is Status.FINISHED
    assert (await store.table(finished.id)).moved_at == minutes(2)
    assert (await store.table(running.id)).moved_at == minutes(9)
    assert await store.table(elsewhere.id) == elsewhere
    assert await store.park([500, 501], minutes(10)) == []


# ------------------------------------------------------------------- finding, announcing
async def test_a_channel_shows_its_open_table_else_the_last_finished(store: Store) -> None:
    """What a channel shows: the open table, else the latest result, else nothing."""
    assert await store.table_in(500) is None
    shown = []
    for minute in (30, 20):
        table = await started(store)
        await store.end(table.id, Status.FINISHED, {}, minutes(minute))
        shown.append(table.id)
    ended = await started(store)
    await store.end(ended.id, Status.ENDED, None, minutes(40))
    latest = await store.table_in(500)
    assert latest is not None
    assert latest.id == shown[0]
    lobby = await opened(store)
    assert await store.table_in(500) == lobby


async def test_a_person_finds_the_own_tables(store: Store) -> None:
    """A person's tables are those that are not over, latest change first."""
    old, new, parked, over, foreign = [
        await started(store, channel_id=channel) for channel in range(1, 6)
    ]
    await move(store, new, 0)
    await store.end(parked.id, Status.PARKED, None, minutes(30))
    await store.end(over.id, Status.FINISHED, {}, minutes(40))
    await store.set_member(foreign.id, 0, person_id=THIRD, name="C", level=None, resigned=False)
    assert [t.id for t in await store.tables_of(HOST)] == [parked.id, new.id, old.id]
    assert [t.id for t in await store.tables_of(THIRD)] == [foreign.id]
    assert await store.tables_of(NOBODY) == []


async def test_open_tables_are_lobbies_and_running_matches(store: Store) -> None:
    """What is finished, ended or parked is not open."""
    lobby = await opened(store, channel_id=1)
    running = await started(store, channel_id=2)
    for channel, status in enumerate((Status.FINISHED, Status.ENDED, Status.PARKED), start=3):
        table = await started(store, channel_id=channel)
        await store.end(table.id, status, None, NOON)
    assert [table.id for table in await store.open_tables()] == [lobby.id, running.id]


async def test_running_tables_with_computer_players_are_found(store: Store) -> None:
    """Whether they came to the lobby or took over later; not once the table is over."""
    await started(store, channel_id=1)
    kept, over = [await started(store, channel_id=channel) for channel in (2, 3)]
    for table in (kept, over):
        await store.set_member(
            table.id, 0, person_id=HOST, name="A", level="player", resigned=False
        )
    await store.end(over.id, Status.FINISHED, {}, NOON)
    assert [table.id for table in await store.with_computers()] == [kept.id]


async def test_what_has_happened_waits_until_it_is_announced(store: Store) -> None:
    """A start, then moves, then a result are unannounced until the channel has heard of them."""

    async def waiting() -> list[int]:
        return [row.id for row in await store.unannounced()]

    await opened(store, channel_id=501)
    table = await started(store)
    assert await waiting() == [table.id]
    await store.set_announced(table.id, 0)
    assert await waiting() == []
    await move(store, table, 0)
    assert await waiting() == [table.id]
    await store.append(
        table.id, 1, [(0, "P")], person_id=GUEST, interaction_id=None, at=NOON, finished={}
    )
    await store.set_announced(table.id, 1)
    assert await waiting() == [table.id]
    await store.set_announced(table.id, 2)
    assert await waiting() == []


async def test_an_announcement_is_not_taken_back(store: Store) -> None:
    """A late, lower announced ply changes nothing."""
    table = await started(store)
    await store.set_announced(table.id, 5)
    await store.set_announced(table.id, 3)
    assert (await store.table(table.id)).announced_ply == 5


# ------------------------------------------------------------------------ lost channels
async def test_a_parked_table_goes_on_in_another_channel(store: Store) -> None:
    """Parking frees the channel; moving brings a lobby or a match back to what it was."""
    match, lobby = await started(store, channel_id=1), await opened(store, channel_id=2)
    for table in (match, lobby):
        await store.end(table.id, Status.PARKED, None, NOON)
        await opened(store, channel_id=table.channel_id)
        with pytest.raises(PlyTaken):
            await move(store, table, 0)
        await store.move_table(table.id, table.channel_id + 10, None)
        moved = await store.table(table.id)
        assert (moved.status, moved.channel_id, moved.guild_id) == (
            table.status,
            table.channel_id + 10,
            None,
        )
    await move(store, match, 0)


async def test_a_table_does_not_move_onto_another(store: Store) -> None:
    """Moving to a channel with an open table is refused; to the own channel it is not."""
    table, other = await started(store, channel_id=1), await opened(store, channel_id=2)
    with pytest.raises(ChannelTaken) as refusal:
        await store.move_table(table.id, 2, 900)
    assert refusal.value.table == other
    await store.move_table(table.id, 1, 900)
    assert await store.table(table.id) == table


# ------------------------------------------------------------------ messages and settings
async def test_messages_are_remembered_by_kind(store: Store) -> None:
    """Messages are found by table and kind, can be noted anew, and forgotten."""
    table, other = await opened(store, channel_id=1), await opened(store, channel_id=2)
    board = MessageRow(table.id, "board", 1, 71, person_id=None, ply=3)
    hand = MessageRow(table.id, "hand", 55, 72, person_id=HOST, ply=3)
    for message in (hand, board, MessageRow(other.id, "board", 2, 73)):
        await store.remember_message(message)
    assert await store.messages(table.id) == [board, hand]
    assert await store.messages(table.id, "hand") == [hand]
    later = replace(board, ply=4)
    await store.remember_message(later)
    await store.forget_message(72)
    await store.forget_message(NOBODY)
    assert await store.messages(table.id) == [later]


async def test_settings_of_servers_last(store: Store) -> None:
    """A server has defaults until its settings are saved, and then exactly those."""
    assert await store.server(900) == ServerRow(900, None, (), None)
    for settings in (ServerRow(900, "de", (1, 2**62), 3), ServerRow(900, None, (), None)):
        await store.change_server(settings.guild_id, always(settings))
        assert await store.server(900) == settings
    assert await store.server(901) == ServerRow(901)


async def test_settings_of_persons_last(store: Store) -> None:
    """A person has defaults until settings are saved, and then exactly those."""
    assert await store.person(HOST) == PersonRow(HOST, None, dm_closed=False)
    for settings in (PersonRow(HOST, "en", dm_closed=True), PersonRow(HOST)):
        await store.change_person(settings.person_id, always(settings))
        assert await store.person(HOST) == settings
    assert await store.person(GUEST) == PersonRow(GUEST)


async def test_no_change_of_settings_is_lost_beside_another(store: Store) -> None:
    """Each change starts from what the one before it left, however many come at once."""
    limits: dict[str, Any] = {
        "quiet_limit": 3,
        "tables_limit": 7,
        "language": "de",
        "opener_role": 5,
    }
    await asyncio.gather(
        *(store.change_server(900, partial(replace, **{key: n})) for key, n in limits.items())
    )
    assert await store.server(900) == ServerRow(900, **limits)
    wishes: dict[str, Any] = {"zone": "UTC", "dm_closed": True, "language": "de", "dm_too": True}
    await asyncio.gather(
        *(store.change_person(HOST, partial(replace, **{key: n})) for key, n in wishes.items())
    )
    assert await store.person(HOST) == PersonRow(HOST, **wishes)


# ----------------------------------------------------------------------------- refusals
async def test_a_table_that_does_not_exist_is_refused_everywhere(store: Store) -> None:
    """Every method that needs a table says that there is none."""
    attempts: list[Any] = [
        store.table(NOBODY),
        store.add_member(NOBODY, HOST, "Ada", None, 2),
        store.remove_member(NOBODY, 0),
        store.start(NOBODY, rules=1, options={}, players=1, seating=[0], events=[], at=NOON),
        store.append(
            NOBODY, 0, [(0, "K4")], person_id=HOST, interaction_id=1, at=NOON, finished=None
        ),
        store.end(NOBODY, Status.ENDED, None, NOON),
        store.set_announced(NOBODY, 0),
        store.move_table(NOBODY, 1, None),
        store.remember_message(MessageRow(NOBODY, "board", 1, 2)),
    ]
    for attempt in attempts:
        with pytest.raises(NoSuchTable):
            await attempt
    assert await store.members(NOBODY) == []
    assert await store.events(NOBODY) == []


async def test_a_member_that_does_not_exist_is_refused(store: Store) -> None:
    """Removing or changing a member that is not there says so."""
    table = await opened(store)
    with pytest.raises(NoSuchMember):
        await store.remove_member(table.id, 1)
    with pytest.raises(NoSuchMember):
        await store.set_member(table.id, 1, person_id=1, name="", level=None, resigned=False)


async def test_times_need_a_zone(store: Store) -> None:
    """A time without its zone is a mistake of the caller."""
    with pytest.raises(ValueError, match="no time zone"):
        await opened(store, at=datetime(2026, 8, 1, 12))  # noqa: DTZ001 - that is the point


async def test_everything_lasts(store: Store, file: Path) -> None:
    """What was stored is there when the file is opened again."""
    table = await started(store)
    await move(store, table, 0, interaction_id=7)
    before = await store.table(table.id), await store.members(table.id)
    events = await store.events(table.id)
    await store.close()
    again = await Store.open(str(file))
    try:
        assert (await again.table(table.id), await again.members(table.id)) == before
        assert await again.events(table.id) == events
    finally:
        await again.close()


def test_each_refusal_has_its_own_key() -> None:
    """The keys of conflicts and problems are distinct, so that texts can be found by them."""
    codes = [kind.code for kind in Conflict.__subclasses__()]
    codes += [kind.code for kind in StoreProblem.__subclasses__()]
    assert len(set(codes)) == len(codes) > 15
