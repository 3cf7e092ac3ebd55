"""Clocks follow their tables; what is due is done once, late rather than never."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from data.clocks import CLAIM, Alarm, TurnRow
from data.rows import PersonRow
from data.store import Status, Store
from play import seats, undo
from play.clock import DAY, HOUR
from play.table import Refused, Table
from play.tables import Tables
from play.timekeeping import Timekeeper
from tests.play.clock import Clock

ANNA, BEN, CLARA, STRANGER = 1, 2, 3, 99
GUILD = 7
NAMES = {BEN: "Ben", CLARA: "Clara"}


@pytest.fixture
def clock() -> Clock:
    """Noon, to begin with."""
    return Clock()


@pytest.fixture
def tables(store: Store, clock: Clock) -> Tables:
    """The use cases with that clock."""
    return Tables(store, clock)


@pytest.fixture
def keeper(tables: Tables) -> Timekeeper:
    """The keeper of their time."""
    return Timekeeper(tables)


@pytest.fixture
async def second(tmp_path: Path, clock: Clock, store: Store) -> AsyncIterator[Timekeeper]:
    """A keeper in another process: it shares nothing but the file."""
    other = await Store.open(tmp_path / "house.sqlite3")
    yield Timekeeper(Tables(other, clock))
    await other.close()


async def started(
    tables: Tables,
    players: int = 2,
    game: str = "lancelot",
    computers: int = 0,
    channel: int = 500,
    **options: Any,
) -> Table:
    """A running match; Anna is seat 0 and begins."""
    fixed = {"starter": "1"} if game == "lancelot" else {}
    table = await tables.open(
        game,
        guild_id=GUILD,
        channel_id=channel,
        host_id=ANNA,
        host_name="Anna",
        language="en",
        options={"seating": "joined", "pace": "1d", **fixed, **options},
    )
    for person in (BEN, CLARA)[: players - 1 - computers]:
        await tables.join(table.id, person, NAMES[person])
    for _ in range(computers):
        await tables.add_computer(table.id, ANNA, ["Merlin"], "novice")
    return await Timekeeper(tables).follow((await tables.start(table.id, ANNA)).id)


async def lobby(tables: Tables, host: int, channel: int, guild: int = GUILD) -> Table:
    """A table that has not started."""
    return await tables.open(
        "lancelot",
        guild_id=guild,
        channel_id=channel,
        host_id=host,
        host_name="Host",
        language="en",
        options={},
    )


async def moved(keeper: Timekeeper, tables: Tables, table: Table, person: int, move: str) -> Table:
    """The table after a move and what it means for the clocks."""
    await tables.move(table.id, person, [move])
    return await keeper.follow(table.id)


async def turn_of(tables: Tables, table: Table, seat: int) -> TurnRow:
    """The running clock of a seat."""
    return (await tables.get(table.id)).clocks[seat]


async def due_of(keeper: Timekeeper) -> list[tuple[int, Alarm]]:
    """Claim what is due: seat and alarm of each."""
    return [(due.turn.seat, due.alarm) for due in await keeper.claim()]


async def be_quiet(
    tables: Tables, person: int, begins: int = 22, ends: int = 7, zone: str = "UTC"
) -> None:
    """Let a person have quiet hours."""
    row = PersonRow(person, zone=zone, quiet_from=begins * 60, quiet_to=ends * 60)
    await tables.store.change_person(person, lambda _: row)


# --------------------------------------------------------------------- which clocks run
async def test_the_clock_of_whoever_is_awaited_runs(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """It starts when the turn begins, and tells when the time is up."""
    table = await started(tables)
    assert {seat: turn.ends_at for seat, turn in table.clocks.items()} == {
        0: clock.now + timedelta(days=1)
    }
    clock.now += timedelta(hours=3)
    table = await moved(keeper, tables, table, ANNA, "K4")
    assert list(table.clocks) == [1]
    assert table.until(1) == clock.now + timedelta(days=1)
    assert table.until(0) is None


async def test_without_a_pace_no_clock_runs(keeper: Timekeeper, tables: Tables) -> None:
    """Nobody who plays without a limit has a deadline."""
    table = await started(tables, pace="")
    assert table.clocks == {}
    assert await tables.store.clocks.next_due() is None


async def test_following_again_changes_nothing(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """However often the clocks are brought in line, they run on."""
    before = (await started(tables)).clocks
    for _ in range(3):
        clock.now += timedelta(hours=1)
        table = await keeper.follow(1)
    assert table.clocks == before


async def test_all_who_choose_at_the_same_time_have_clocks(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """Each until the own choice is made."""
    table = await started(tables, 3, "donquixote")
    assert list(table.clocks) == [0, 1, 2]
    clock.now += timedelta(hours=1)
    move = table.game.legal(table.played.state, 1)[0]
    table = await moved(keeper, tables, table, BEN, move)
    assert list(table.clocks) == [0, 2]
    assert table.until(0) == clock.now + timedelta(hours=23)


async def test_who_plays_with_computers_alone_is_not_hurried(
    keeper: Timekeeper, tables: Tables
) -> None:
    """Nobody waits, so no clock runs."""
    table = await started(tables, 2, computers=1)
    assert table.clocks == {}
    assert await tables.store.clocks.next_due() is None


async def test_a_clock_stops_when_the_others_leave_and_goes_on_when_they_are_back(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """While a computer player keeps the only other seat, nobody waits."""
    table = await started(tables)
    clock.now += timedelta(hours=4)
    ben = table.members[1]
    await tables.store.set_member(
        table.id, ben.number, person_id=BEN, name="Ben", level="novice", resigned=False
    )
    assert (await keeper.follow(table.id)).clocks == {}
    clock.now += timedelta(days=9)
    await seats.come_back(tables, table.id, BEN)
    table = await keeper.follow(table.id)
    assert table.until(0) == clock.now + timedelta(hours=20)


async def test_a_table_that_is_over_has_no_clocks(keeper: Timekeeper, tables: Tables) -> None:
    """Nothing is kept of them."""
    table = await started(tables)
    await tables.resign(table.id, ANNA, "novice")
    assert (await keeper.follow(table.id)).clocks == {}
    assert await tables.store.clocks.next_due() is None
    assert await tables.store.clocks.closed_turns(table.id, 0, ANNA) == []


async def test_clocks_of_a_parked_table_stand_still(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """However long the channel is lost, the time that was left is left."""
    table = await started(tables)
    clock.now += timedelta(hours=10)
    await tables.store.end(table.id, Status.PARKED, None, clock.now)
    await keeper.follow(table.id)
    clock.now += timedelta(days=30)
    assert await keeper.claim() == []
    await tables.store.move_table(table.id, 501, GUILD)
    table = await keeper.follow(table.id)
    assert table.until(0) == clock.now + timedelta(hours=14)


async def test_a_seat_that_changes_hands_has_all_its_time(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """Whoever takes a seat in the middle of a turn is not to blame for the time before."""
    table = await started(tables)
    clock.now += timedelta(hours=23)
    await seats.offer(tables, table.id, 0, None)
    await seats.take(tables, table.id, 0, CLARA, "Clara")
    table = await keeper.follow(table.id)
    assert table.until(0) == clock.now + timedelta(days=1)
    assert table.clocks[0].person_id == CLARA


async def test_a_start_repairs_all_clocks(
    keeper: Timekeeper, tables: Tables, clock: Clock, second: Timekeeper
) -> None:
    """What a process that died between a move and its clocks has left, the next one mends."""
    table = await started(tables)
    await tables.move(table.id, ANNA, ["K4"])
    clock.now += timedelta(days=2)
    await second.follow_all()
    table = await tables.get(table.id)
    assert list(table.clocks) == [1]
    assert table.until(1) == clock.now + timedelta(days=1)


async def test_a_table_that_fails_keeps_no_other_from_its_clock(
    keeper: Timekeeper, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a start, whatever is wrong with one table."""
    bad, good = await started(tables), await started(tables, channel=2)
    await tables.move(good.id, ANNA, ["K4"])
    get = tables.get

    async def fail(table_id: int) -> Table:
        if table_id == bad.id:
            raise ZeroDivisionError
        return await get(table_id)

    monkeypatch.setattr(tables, "get", fail)
    await keeper.follow_all()
    assert list((await get(good.id)).clocks) == [1]


# ---------------------------------------------------------------------------- bank, undo
async def test_a_bank_is_used_up_and_filled(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """A turn takes its time and gives the increment; the bank holds no more than at first."""
    table = await started(tables, pace="2d+6h")
    expected = 2 * DAY
    for hours, own, other in ((30, "K4", "D4"), (1, "E8", "F8"), (10, "G5", "H5")):
        assert table.clocks[0].budget == expected
        clock.now += timedelta(hours=hours)
        await moved(keeper, tables, table, ANNA, own)
        table = await moved(keeper, tables, table, BEN, other)
        expected = min(2 * DAY, expected - hours * HOUR + 6 * HOUR)
    assert table.clocks[0].budget == expected == 25 * HOUR


async def test_an_undo_gives_no_time_back(keeper: Timekeeper, tables: Tables, clock: Clock) -> None:
    """A decision that is opened again goes on with what was left of its time."""
    table = await started(tables)
    clock.now += timedelta(hours=20)
    table = await moved(keeper, tables, table, ANNA, "K4")
    clock.now += timedelta(hours=1)
    await undo.take_back(tables, table.id, ANNA)
    table = await keeper.follow(table.id)
    assert table.until(0) == clock.now + timedelta(hours=4)


async def test_an_undo_leaves_an_hour_at_least(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """Nobody's time is up the moment that a move is taken back."""
    table = await started(tables)
    clock.now += timedelta(hours=23, minutes=59)
    table = await moved(keeper, tables, table, ANNA, "K4")
    await undo.take_back(tables, table.id, ANNA)
    assert (await keeper.follow(table.id)).until(0) == clock.now + timedelta(hours=1)


async def test_after_an_undo_later_turns_are_new(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """A decision at the same ply of another course of events has all its time."""
    table = await started(tables)
    table = await moved(keeper, tables, table, ANNA, "K4")
    clock.now += timedelta(hours=20)
    await undo.take_back(tables, table.id, ANNA)
    await keeper.follow(table.id)
    table = await moved(keeper, tables, table, ANNA, "E8")
    assert table.until(1) == clock.now + timedelta(days=1)


async def test_an_undo_beside_a_choice_leaves_its_clock_running(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """Somebody else's sealed choice is opened again: one's own time goes on as before."""
    table = await started(tables, 2, "donquixote")
    before = table.clocks[1]
    await moved(keeper, tables, table, ANNA, table.game.legal(table.played.state, 0)[0])
    clock.now += timedelta(hours=2)
    await undo.take_back(tables, table.id, ANNA)
    table = await keeper.follow(table.id)
    assert table.clocks[1] == before
    assert table.until(0) == clock.now + timedelta(days=1)


# --------------------------------------------------------------------------- quiet hours
async def test_a_clock_rests_in_the_quiet_hours_of_its_person(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """Nine hours longer over a night; Ben has no quiet hours."""
    await be_quiet(tables, ANNA)
    table = await started(tables, pace="12h")
    assert table.until(0) == clock.now + timedelta(hours=21)
    table = await moved(keeper, tables, table, ANNA, "K4")
    assert table.until(1) == clock.now + timedelta(hours=12)


async def test_the_server_limits_the_rest(tables: Tables, clock: Clock) -> None:
    """As many hours in a turn as it allows."""
    await be_quiet(tables, ANNA)
    await tables.store.change_server(GUILD, lambda known: replace(known, quiet_limit=3))
    table = await started(tables, pace="12h")
    assert table.until(0) == clock.now + timedelta(hours=15)


async def test_new_quiet_hours_move_deadlines(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """At all tables of the person, at once; what was done stays done."""
    table = await started(tables, pace="12h")
    clock.now += timedelta(hours=6)
    assert await due_of(keeper) == [(0, Alarm.HALF)]
    assert await keeper.follow_person(ANNA) == []
    await be_quiet(tables, ANNA)
    assert [t.id for t in await keeper.follow_person(ANNA)] == [table.id]
    assert (await turn_of(tables, table, 0)).ends_at == clock.now + timedelta(hours=15)
    clock.now += timedelta(hours=14)
    assert await due_of(keeper) == [(0, Alarm.SOON)]


async def test_over_the_change_of_the_clocks(tables: Tables, clock: Clock) -> None:
    """In Berlin the night of 25 October 2026 lasts an hour longer."""
    clock.now = datetime(2026, 10, 24, 18, tzinfo=UTC)  # eight in the evening
    await be_quiet(tables, ANNA, 22, 7, "Europe/Berlin")
    table = await started(tables, pace="6h")
    assert table.until(0) == datetime(2026, 10, 25, 10, tzinfo=UTC)  # eleven in the morning


async def test_a_reminder_that_is_late_does_not_wake(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """The bot was away when it was due: it comes after the quiet hours."""
    await be_quiet(tables, ANNA)
    await started(tables, pace="12h")
    clock.now += timedelta(hours=13)  # it was due at six; now it is one at night
    (due,) = await keeper.claim()
    assert due.alarm is Alarm.HALF
    assert await keeper.standing(due) is None
    clock.now += timedelta(hours=6)
    (due,) = await keeper.claim()
    assert await keeper.standing(due) is not None


async def test_a_reminder_that_has_become_useless_is_dropped(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """The time is up before the quiet hours are over: nobody is reminded of that."""
    await tables.store.change_server(GUILD, lambda known: replace(known, quiet_limit=0))
    await be_quiet(tables, ANNA)
    await started(tables, pace="12h")
    clock.now += timedelta(hours=11)
    for due in await keeper.claim():
        assert await keeper.standing(due) is None
    clock.now += timedelta(hours=1)
    (due,) = await keeper.claim()
    assert due.alarm is Alarm.END


# ----------------------------------------------------------------------------- deadlines
async def test_deadlines_come_in_their_order(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """Half, soon, end: each once, at its time."""
    await started(tables, pace="8h")
    begin, told = clock.now, []
    for _ in range(9 * 4):
        clock.now += timedelta(minutes=15)
        for due in await keeper.claim():
            assert await keeper.standing(due) is not None
            await keeper.settle(due)
            told.append((clock.now - begin, due.alarm))
    assert told == [
        (timedelta(hours=4), Alarm.HALF),
        (timedelta(hours=7), Alarm.SOON),
        (timedelta(hours=8), Alarm.END),
    ]
    assert await tables.store.clocks.next_due() is None


async def test_what_was_missed_comes_late_and_once(
    keeper: Timekeeper, tables: Tables, clock: Clock, second: Timekeeper
) -> None:
    """A process dies after the first reminder; days later the next one acts on the end alone."""
    await started(tables, pace="8h")
    clock.now += timedelta(hours=4)
    (half,) = await keeper.claim()
    await keeper.settle(half)
    clock.now += timedelta(days=3)
    (end,) = await second.claim()
    assert end.alarm is Alarm.END
    standing = await second.standing(end)
    assert standing is not None
    await second.settle(end)
    clock.now += timedelta(days=3)
    assert await second.claim() == []


async def test_two_dispatchers_do_not_do_the_same(
    keeper: Timekeeper, tables: Tables, clock: Clock, second: Timekeeper
) -> None:
    """Of two processes on one file, exactly one gets each deadline."""
    await started(tables, 3, "donquixote")
    clock.now += timedelta(hours=12)
    mine, theirs = await keeper.claim(), await second.claim()
    assert sorted(due.turn.seat for due in [*mine, *theirs]) == [0, 1, 2]
    assert theirs == []
    for due in mine:
        await keeper.settle(due)
    clock.now += 2 * CLAIM
    assert await second.claim() == []


async def test_a_claim_that_comes_to_nothing_runs_out(
    keeper: Timekeeper, tables: Tables, clock: Clock, second: Timekeeper
) -> None:
    """Whoever claimed a deadline died: after a while somebody else does it, and that counts."""
    await started(tables)
    clock.now += timedelta(hours=12)
    (dead,) = await keeper.claim()
    assert await second.claim() == []
    clock.now += CLAIM
    (due,) = await second.claim()
    await keeper.settle(dead)  # not dead, only slow: that was not its deadline any more
    clock.now += CLAIM
    (again,) = await keeper.claim()
    assert again.turn == due.turn
    await keeper.settle(again)
    assert await tables.store.clocks.next_due() is not None
    clock.now += CLAIM
    assert await second.claim() == []


async def test_a_deadline_that_was_overtaken_is_no_more(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """Somebody moves while the deadline is claimed, and nobody has followed the table yet."""
    table = await started(tables)
    clock.now += timedelta(days=1)
    (due,) = await keeper.claim()
    await tables.move(table.id, ANNA, ["K4"])
    assert await keeper.standing(due) is None
    assert list((await tables.get(table.id)).clocks) == [1]
    clock.now += CLAIM
    assert await keeper.claim() == []


async def test_the_next_look_is_known(keeper: Timekeeper, tables: Tables, clock: Clock) -> None:
    """When the next deadline is due, or due again after a claim."""
    await started(tables, pace="8h")
    clocks = tables.store.clocks
    assert await clocks.next_due() == clock.now + timedelta(hours=4)
    clock.now += timedelta(hours=4)
    await keeper.claim()
    assert await clocks.next_due() == clock.now + CLAIM


# ------------------------------------------------------------------------ misses and more
async def test_misses_are_counted_once_for_each_end(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """However often a process tries; more time makes a new end."""
    table = await started(tables)
    turn = await turn_of(tables, table, 0)
    assert [await keeper.miss(turn) for _ in range(2)] == [1, 1]
    clock.now += timedelta(days=1)
    await keeper.extend(table, turn)
    assert await keeper.miss(turn) == 2


async def test_more_time_counts_from_now(keeper: Timekeeper, tables: Tables, clock: Clock) -> None:
    """However late it is granted, and with reminders of its own."""
    table = await started(tables)
    clock.now += timedelta(hours=40)
    for due in await keeper.claim():
        await keeper.settle(due)
    await keeper.extend(table, await turn_of(tables, table, 0))
    assert (await turn_of(tables, table, 0)).ends_at == clock.now + timedelta(days=1)
    clock.now += timedelta(hours=23)
    assert await due_of(keeper) == [(0, Alarm.SOON)]


async def test_a_move_in_person_forgets_misses(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """A move of a computer player for the person does not."""
    table = await started(tables)
    await keeper.miss(await turn_of(tables, table, 0))
    await tables.move_in_absence(table.id, ANNA, "K4", 0, 0)
    await keeper.follow(table.id)
    table = await moved(keeper, tables, table, BEN, "D4")
    assert table.clocks[0].misses == 1
    await moved(keeper, tables, table, ANNA, "E8")
    table = await moved(keeper, tables, table, BEN, "F8")
    assert table.clocks[0].misses == 0


# ------------------------------------------------------------------- limits and paces
@pytest.mark.parametrize(
    ("pace", "code"),
    [("5 minutes", "no_such_pace"), ("8d", "impossible_turn"), ("1h+1h", "impossible_bank")],
)
async def test_impossible_paces_open_no_table(tables: Tables, pace: str, code: str) -> None:
    """Refused when the table is opened, and nothing is there."""
    with pytest.raises(Refused) as refusal:
        await started(tables, pace=pace)
    assert refusal.value.code == code
    assert await tables.store.open_tables() == []


async def test_a_server_limits_the_tables_of_a_person(tables: Tables) -> None:
    """Opening, joining and taking a seat are refused beyond it; other servers do not count."""
    table = await started(tables)
    await tables.store.change_server(GUILD, lambda known: replace(known, tables_limit=1))
    with pytest.raises(Refused) as refusal:
        await lobby(tables, ANNA, 501)
    assert (refusal.value.code, refusal.value.data) == ("too_many_tables", {"limit": 1})
    await lobby(tables, ANNA, 502, guild=GUILD + 1)
    other = await lobby(tables, STRANGER, 503)
    with pytest.raises(Refused, match="too_many_tables"):
        await tables.join(other.id, BEN, "Ben")
    await seats.offer(tables, table.id, 0, None)
    with pytest.raises(Refused, match="too_many_tables"):
        await seats.take(tables, table.id, 0, STRANGER, "Eve")
    await tables.store.change_server(GUILD, lambda known: replace(known, tables_limit=2))
    assert (await tables.join(other.id, BEN, "Ben")).member_of(BEN) is not None


async def test_tables_are_listed_by_their_deadlines(
    keeper: Timekeeper, tables: Tables, clock: Clock
) -> None:
    """Those that wait come first, the most urgent before all."""
    slow = await started(tables, pace="7d")
    await tables.store.move_table(slow.id, 501, GUILD)
    idle = await started(tables)
    await tables.move(idle.id, ANNA, ["K4"])
    await tables.store.move_table(idle.id, 502, GUILD)
    fast = await started(tables, pace="1h")
    assert [t.id for t in await tables.of_person(ANNA)] == [fast.id, slow.id, idle.id]
