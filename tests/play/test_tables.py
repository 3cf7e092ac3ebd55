"""The service loads, decides and commits tables on a real store."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from data.store.problems import AlreadyCounted, NoSuchTable, StoreProblem
from data.store.rows import Loaded, Opening, PersonRow, Status, Stored
from data.store.store import Store
from games.engine import Match
from play.aggregate import Tick
from play.aggregates import TRUSTED, compared
from play.ending import EndTable, Resign
from play.hints import CountHint
from play.ladder import STAND_IN
from play.lobby import AddComputer, DrawLots, Follow, Invite, Join, MoveHere, Park, Start
from play.moves import PlayMoves
from play.plans import Plan
from play.seats import HandOver, TakeSeat
from play.table import Refused, Table, stored_of
from play.tables import WHILE, Tables
from play.together import blocked
from play.undo import TakeBack
from play.votes import Answer
from tests.play.clock import Clock
from tests.play.house import (
    ANNA,
    BEN,
    CHANNEL,
    CLARA,
    GUILD,
    MESSAGE,
    STRANGER,
    check_change,
    check_fold,
    name_of,
)


@pytest.fixture
async def elsewhere(tmp_path: Path, clock: Clock, store: Store) -> AsyncIterator[Tables]:
    """The tables of another process, which shares only the database file."""
    other = await Store.open(tmp_path / "house.sqlite3", alone=False)
    yield Tables(other, clock)
    await other.close()


@pytest.fixture
def loads(elsewhere: Tables, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of the tables that another process, which serves no server, loads."""
    stored = elsewhere.store.tables
    found, load = list[int](), stored.load

    async def noted(number: int, known: Stored | None = None) -> Loaded:
        found.append(number)
        return await load(number, known)

    monkeypatch.setattr(stored, "load", noted)
    monkeypatch.setattr(elsewhere.found, "serves", lambda guild_id: False)
    return found


async def test_a_table_of_another_process_is_loaded_once(
    tables: Tables, elsewhere: Tables, loads: list[int], clock: Clock
) -> None:
    """A press reads the table several times; changes are seen at once, settings after a short
    while.
    """
    table = await opened(tables)
    for _ in range(3):
        assert (await elsewhere.get(table.id)).persons == (ANNA,)
    joined = await elsewhere.act(table.id, Join(BEN, "Ben"))
    assert await elsewhere.get(table.id) is joined.after
    assert loads == [table.id]
    await tables.act(table.id, Join(CLARA, "Clara"))
    assert (await elsewhere.get(table.id)).persons == (ANNA, BEN, CLARA)
    await tables.store.settings.change_person(ANNA, lambda row: replace(row, dm_closed=True))
    clock.now += TRUSTED
    assert (await elsewhere.get(table.id)).settings(ANNA).dm_closed
    assert loads == [table.id] * 3


async def test_a_press_compares_a_table_of_another_process_once(
    tables: Tables, elsewhere: Tables, loads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await opened(tables)
    looks, revision_of = list[int](), elsewhere.found.revision_of

    async def noted(number: int) -> int | None:
        looks.append(number)
        return await revision_of(number)

    monkeypatch.setattr(elsewhere.found, "revision_of", noted)
    await elsewhere.fresh(table.id)
    for press in (1, 2):
        compared.set(set())
        for _ in range(3):
            await elsewhere.get(table.id)
        assert looks == [table.id] * press
    assert loads == [table.id]


async def test_another_process_folds_on_from_what_it_holds(
    tables: Tables, elsewhere: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other process continues its fold until a move is undone; once somebody is forgotten, all
    older state is dropped.
    """
    folds = list[int]()
    retrace = Match.retrace

    def counted(*args: Any, **options: Any) -> Any:
        folds.append(1)
        return retrace(*args, **options)

    table = await started(tables)
    await elsewhere.fresh(table.id)
    monkeypatch.setattr(Match, "retrace", counted)
    for person, move in ((ANNA, "K4"), (BEN, "D4"), (ANNA, "F8")):
        moves = (await moved(tables, table, person, move)).played.log
        assert (await elsewhere.fresh(table.id)).played.log == moves
    assert folds == []
    await tables.act(table.id, TakeBack(ANNA))
    folds.clear()
    assert len((await elsewhere.fresh(table.id)).played.log) == 2
    assert folds == [1]
    await tables.act(table.id, Resign(BEN, STAND_IN))
    table = await elsewhere.fresh(table.id)
    assert any(line.person_id == BEN for line in table.journal)
    await tables.store.privacy.begin(BEN, "Stranger")
    await tables.store.privacy.forget_at(table.id, BEN, STAND_IN)
    forgotten = await elsewhere.fresh(table.id)
    assert not any(line.person_id == BEN for line in forgotten.journal)


async def test_a_move_that_reaches_another_process_costs_few_hops(
    tables: Tables, elsewhere: Tables, loads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A press reads and stores once in its own process, and the other process reads once. The
    commit includes the notification, so only a second ``nudge`` sends another.
    """
    hops = Counter[str]()

    def count(owner: Tables, name: str, what: str) -> None:
        real = getattr(owner.store.database, name)

        async def counted(*given: Any) -> Any:
            hops[what] += 1
            return await real(*given)

        monkeypatch.setattr(owner.store.database, name, counted)

    table = await started(tables)
    await elsewhere.get(table.id)
    for owner, where in ((tables, "here"), (elsewhere, "there")):
        count(owner, "read", f"read {where}")
        count(owner, "write", f"written {where}")
    for person, move in ((ANNA, "K4"), (BEN, "D4")):
        hops.clear()
        compared.set(set())
        for _ in range(3):
            await elsewhere.get(table.id)
        after = (await elsewhere.act(table.id, PlayMoves(person, (move,)))).after
        await elsewhere.nudge(await elsewhere.get(table.id))
        for process in (tables, elsewhere):  # both get the news
            await process.heard(table.id, GUILD)
        assert (await tables.get(table.id)).played.log == after.played.log
        assert hops == {"read there": 1, "written there": 1, "read here": 1}
    hops.clear()
    await elsewhere.nudge(after)
    assert hops == {"written there": 1}
    assert loads == [table.id]


async def opened(
    tables: Tables,
    channel: int = CHANNEL,
    host: int = ANNA,
    guild: int = GUILD,
    game: str = "lancelot",
    **options: Any,
) -> Table:
    """A lobby with its host."""
    fixed = {"starter": "1"} if game == "lancelot" else {}
    opening = Opening(
        game=game,
        guild_id=guild,
        channel_id=channel,
        host_id=host,
        host_name=name_of(host),
        language="en",
        options={"seating": "joined", **fixed, **options},
    )
    return await tables.open(opening)


async def started(
    tables: Tables, players: int = 2, channel: int = CHANNEL, computers: int = 0, **options: Any
) -> Table:
    """A running match: Anna has seat 0 and begins, followed by Ben, Clara and computer players."""
    table = await opened(tables, channel, **options)
    for person in range(2, players + 1):
        await tables.join(table.id, Join(person, name_of(person)))
    for _ in range(computers):
        await tables.act(table.id, AddComputer(ANNA, "novice"))
    return await begun(tables, table.id)


async def begun(tables: Tables, table_id: int) -> Table:
    """A table after its start, once the message that determines the lots is posted."""
    drawing = (await tables.act(table_id, Start(ANNA))).after.drawing
    return (await tables.act(table_id, DrawLots(drawing, MESSAGE))).after


async def moved(tables: Tables, table: Table, person: int, *moves: str) -> Table:
    return (await tables.act(table.id, PlayMoves(person, moves))).after


async def moved_twice(tables: Tables, table: Table) -> Table:
    """The table after two moves each by Anna and Ben, enough for a rated match."""
    for person, move in ((ANNA, "K4"), (BEN, "D4"), (ANNA, "E8"), (BEN, "F8")):
        table = await moved(tables, table, person, move)
    return table


# --------------------------------------------------------------------------------- opening
async def test_a_table_opens_with_its_host(tables: Tables) -> None:
    table = await opened(tables, goal=3)
    assert [member.person_id for member in table.members] == [ANNA]
    assert (table.row.status, table.revision) == (Status.LOBBY, 1)
    assert (await tables.by_code(f" {table.row.code.lower()} ")).id == table.id
    assert (await tables.in_channel(CHANNEL)).id == table.id


async def test_all_tables_of_a_channel_are_listed_oldest_first(tables: Tables) -> None:
    first, second = await opened(tables), await opened(tables)
    await opened(tables, channel=501)
    assert [table.id for table in await tables.open_in(CHANNEL)] == [first.id, second.id]


@pytest.mark.parametrize("options", [{"goal": 0}, {"pace": "8d"}, {"seating": "by age"}])
async def test_impossible_options_open_no_table(tables: Tables, options: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        await opened(tables, **options)
    with pytest.raises(Refused) as nothing:
        await tables.in_channel(CHANNEL)
    assert nothing.value.code == "no_table_here"


async def test_a_server_limits_the_tables_of_a_person(tables: Tables) -> None:
    table = await started(tables)
    await tables.act(table.id, HandOver(ANNA))
    asked = (await tables.get(table.id)).votes[0].asked
    await tables.act(table.id, Answer(asked, BEN, "yes"))
    await tables.store.settings.change_server(GUILD, lambda known: replace(known, tables_limit=1))
    with pytest.raises(Refused) as refusal:
        await opened(tables, 501)
    assert (refusal.value.code, refusal.value.data) == ("too_many_tables", {"limit": 1})
    await opened(tables, 502, guild=GUILD + 1)
    other = await opened(tables, 503, host=STRANGER)
    with pytest.raises(Refused, match="too_many_tables"):
        await tables.join(other.id, Join(BEN, "Ben"))
    with pytest.raises(Refused, match="too_many_tables"):
        await tables.join(table.id, TakeSeat(STRANGER, 0, "Eve"))
    await tables.store.settings.change_server(GUILD, lambda known: replace(known, tables_limit=2))
    change = await tables.join(other.id, Join(BEN, "Ben"))
    assert change.after.member_of(BEN) is not None


async def test_nobody_is_invited_without_end(tables: Tables) -> None:
    """Three invitations are allowed from one host, and ten from all hosts together. Accepted ones
    do not count; undelivered ones count only for their sender, who therefore does not notice. An
    invitation counts for at least a day, even if its table has closed.
    """
    hosts = [200 + number for number in range(6)]
    opened_by = {
        (host, n): await opened(tables, 10 * host + n, host) for host in hosts for n in range(4)
    }

    async def asked(host: int, n: int) -> str:
        try:
            await tables.invite(opened_by[host, n].id, Invite(host, ANNA))
        except Refused as refusal:
            return refusal.code
        return "asked"

    first, second, third, fourth, blocked_host, last = hosts
    await tables.store.settings.change_person(ANNA, lambda known: blocked(known, blocked_host))
    for host in (first, blocked_host):
        assert [await asked(host, n) for n in range(4)] == ["asked"] * 3 + ["invited_enough"]
    assert [await asked(host, n) for host in (second, third) for n in range(3)] == ["asked"] * 6
    assert [await asked(fourth, n) for n in range(2)] == ["asked", "invited_enough"]
    await tables.act(opened_by[first, 0].id, EndTable(first, only_lobby=True))
    assert await asked(first, 3) == await asked(last, 0) == "invited_enough"
    await tables.join(opened_by[second, 0].id, Join(ANNA, "Anna"))
    assert await asked(last, 0) == "asked"
    later = tables.clock() + WHILE + timedelta(hours=1)
    tables.clock = lambda: later
    assert await asked(first, 3) == "asked"
    assert await asked(last, 1) == "invited_enough"


async def test_computer_players_that_come_at_once_have_names_of_their_own(tables: Tables) -> None:
    table = await opened(tables)
    await asyncio.gather(*(tables.act(table.id, AddComputer(ANNA, "novice")) for _ in range(2)))
    table = await tables.get(table.id)
    assert [member.name for member in table.members] == ["Anna", "Merlin", "Morgana"]


# ------------------------------------------------------------------------------- committing
async def test_a_move_is_stored_before_it_is_known(tables: Tables, elsewhere: Tables) -> None:
    table = await started(tables)
    change = await tables.act(table.id, PlayMoves(ANNA, ("k4",), interaction_id=11))
    assert [told.move for told in change.after.told_since(change.before.revision)] == ["K4"]
    again = await elsewhere.get(table.id)
    assert stored_of(again) == stored_of(change.after)
    assert again.played.state == change.after.played.state
    line = again.journal[change.before.revision]
    assert (line.text, line.person_id, line.interaction_id) == ("K4", ANNA, 11)


async def test_an_interaction_counts_once(tables: Tables) -> None:
    """It counts once even if it is also delivered at another table."""
    first, second = await started(tables), await started(tables, channel=501)
    await tables.act(first.id, PlayMoves(ANNA, ("K4",), interaction_id=6))
    with pytest.raises(Refused, match="already_counted"):
        await tables.act(first.id, PlayMoves(ANNA, ("K4",), interaction_id=6))
    with pytest.raises(AlreadyCounted):
        await tables.act(second.id, PlayMoves(ANNA, ("K4",), interaction_id=6))
    assert (await tables.get(second.id)).played.ply == 0
    await tables.act(second.id, PlayMoves(ANNA, ("K4",), interaction_id=7))


async def test_a_hundred_presses_at_once_make_one_move(tables: Tables) -> None:
    table = await started(tables)
    presses = (
        PlayMoves(ANNA, ("K4",), seen=table.revision, interaction_id=1000 + n) for n in range(100)
    )
    results = await asyncio.gather(
        *(tables.act(table.id, press) for press in presses), return_exceptions=True
    )
    failures = [result for result in results if isinstance(result, BaseException)]
    assert len(failures) == 99
    assert all(isinstance(failure, Refused) for failure in failures)
    assert (await tables.get(table.id)).played.ply == 1


async def test_two_processes_cannot_both_move(tables: Tables, elsewhere: Tables) -> None:
    table = await started(tables)
    await elsewhere.get(table.id)
    results = await asyncio.gather(
        moved(tables, table, ANNA, "K4"),
        moved(elsewhere, table, ANNA, "D4"),
        return_exceptions=True,
    )
    assert sum(isinstance(result, Refused) for result in results) == 1
    states = [(await each.fresh(table.id)).played.state for each in (tables, elsewhere)]
    assert states[0] == states[1]
    assert (await tables.fresh(table.id)).played.ply == 1


async def test_a_memory_that_is_old_costs_a_second_try(tables: Tables, elsewhere: Tables) -> None:
    """A move was made in another process, so the decision based on the old copy is made again."""
    table = await started(tables, king=True)
    await elsewhere.get(table.id)
    await moved(tables, table, BEN, "X:G6")
    await moved(tables, table, ANNA, "K4")
    after = await moved(elsewhere, table, BEN, "D4")
    assert [event.move for event in after.played.log] == ["X:G6", "K4", "D4"]
    assert (await tables.get(table.id)).played.ply == 2
    after = await moved(tables, table, ANNA, "K6")
    assert after.played.ply == 4


async def test_a_refusal_rests_on_what_is_stored(tables: Tables, elsewhere: Tables) -> None:
    """A process with an outdated copy refuses nobody whose turn it is."""
    table = await started(tables)
    await elsewhere.get(table.id)
    await moved(tables, table, ANNA, "K4")
    assert (await elsewhere.get(table.id)).awaited == (0,)
    await moved(elsewhere, table, BEN, "D4")
    with pytest.raises(Refused, match="occupied"):
        await moved(tables, table, ANNA, "D4")


async def test_two_processes_cannot_take_back_twice(tables: Tables, elsewhere: Tables) -> None:
    """A process with an outdated copy decides an undo on the current position, so that nothing is
    taken back twice.
    """
    table = await started(tables)
    await moved(tables, table, ANNA, "K4")
    await elsewhere.get(table.id)
    await tables.act(table.id, TakeBack(ANNA))
    await moved(tables, table, ANNA, "D4")
    await moved(tables, table, BEN, "K4")
    change = await elsewhere.act(table.id, TakeBack(ANNA))
    assert [event.move for event in change.after.played.log] == ["D4", "K4"], "Ben is asked"


async def test_another_process_folds_the_new_course(tables: Tables, elsewhere: Tables) -> None:
    """After an undo and a different move, another process does not reuse its old match, although
    the length is the same.
    """
    table = await started(tables)
    await moved(tables, table, ANNA, "K4")
    await moved(tables, table, BEN, "D4")
    assert (await elsewhere.get(table.id)).played.ply == 2
    await tables.act(table.id, TakeBack(BEN))
    await moved(tables, table, BEN, "D11")
    after = await moved(elsewhere, table, ANNA, "K6")
    assert [event.move for event in after.played.log] == ["K4", "D11", "K6"]


async def test_of_many_answers_at_once_exactly_one_decides(
    tables: Tables, elsewhere: Tables
) -> None:
    table = await started(tables, 3)
    await tables.act(table.id, EndTable(ANNA))
    asked = (await tables.get(table.id)).votes[0].asked
    results = await asyncio.gather(
        *(
            each.act(table.id, Answer(asked, person, "yes"))
            for person in (BEN, CLARA)
            for each in (tables, elsewhere)
        ),
        return_exceptions=True,
    )
    assert all(
        not isinstance(result, BaseException) or isinstance(result, Refused) for result in results
    )
    table = await tables.fresh(table.id)
    assert [line.kind for line in table.journal].count("settle") == 1
    assert [line.kind for line in table.journal].count("end") == 1


async def test_a_change_that_is_not_stored_did_not_happen(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    table = await started(tables)
    heard: list[Table] = []
    tables.listen(heard.append)

    async def broken(*_: Any, **__: Any) -> bool:
        raise StoreProblem(tmp_path)

    with monkeypatch.context() as patched:
        patched.setattr(store.tables, "commit", broken)
        with pytest.raises(StoreProblem):
            await moved(tables, table, ANNA, "K4")
    assert (await tables.get(table.id)).played.ply == 0
    assert heard == []
    await moved(tables, table, ANNA, "K4")
    assert [each.played.ply for each in heard] == [1]


async def test_listeners_hear_of_changes_alone(tables: Tables) -> None:
    """Opening a table is a change; a command without effect is not."""
    heard: list[int] = []
    tables.listen(lambda table: heard.append(table.revision))
    table = await started(tables)
    assert heard == [1, 2, 3, table.revision]
    await tables.act(table.id, Tick())
    await tables.tick(table.id)
    assert heard == [1, 2, 3, table.revision]


async def test_a_warm_move_is_one_hop_to_the_database(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await started(tables)
    hops: list[str] = []
    access = store.database
    for name in ("read", "write", "fetch"):
        whole = getattr(access, name)

        def counted(*given: Any, name: str = name, whole: Any = whole) -> Any:
            hops.append(name)
            return whole(*given)

        monkeypatch.setattr(access, name, counted)
    monkeypatch.setattr(Match, "replay", None)
    monkeypatch.setattr(Match, "retrace", None)
    await moved(tables, table, ANNA, "K4")
    assert hops == ["write"]


# ------------------------------------------------------------------------- a whole evening
async def test_everything_that_a_table_holds_comes_back(tables: Tables, clock: Clock) -> None:
    table = await started(tables, 3, pace="1d")
    commands = (
        Follow(STRANGER),
        Plan(BEN, "D4", "K4"),
        Plan(BEN, "D6"),
        EndTable(CLARA),
        CountHint(ANNA, table.begun),
        PlayMoves(ANNA, ("K4",)),
        TakeBack(ANNA),
        PlayMoves(CLARA, ("F6",)),
        HandOver(BEN),
        Tick(),
        Park(CHANNEL),
        MoveHere(BEN, 501, GUILD),
        PlayMoves(ANNA, ("K6",)),
        Resign(BEN, "novice"),
    )
    for command in commands:
        clock.move(timedelta(hours=5, microseconds=7))
        change = await tables.act(table.id, command)
        check_change(change.before, change.after)
        again = await Tables(tables.store, clock).get(table.id)
        assert stored_of(again) == stored_of(change.after), command
        check_fold(again)


async def test_the_settings_of_newcomers_take_effect_at_once(tables: Tables) -> None:
    """Clocks and the language of messages depend on the settings."""
    row = PersonRow(BEN, language="de", zone="UTC", quiet_from=22 * 60, quiet_to=7 * 60)
    for person in (BEN, STRANGER):
        await tables.store.settings.change_person(
            person, lambda known: replace(row, person_id=known.person_id)
        )
    table = await opened(tables, pace="12h")
    joined = (await tables.join(table.id, Join(BEN, "Ben"))).after
    assert joined.settings(BEN) == row
    await begun(tables, table.id)
    followed = (await tables.act(table.id, Follow(STRANGER))).after
    assert followed.settings(STRANGER).language == "de"
    table = await moved(tables, table, ANNA, "K4")
    assert table.until(1) == tables.clock() + timedelta(hours=21)


async def test_new_settings_count_from_the_next_tick(tables: Tables) -> None:
    """New settings apply to all of the person's tables; an error at one does not affect the
    others.
    """
    table = await started(tables, pace="12h")
    row = PersonRow(ANNA, zone="UTC", quiet_from=22 * 60, quiet_to=7 * 60)
    await tables.store.settings.change_person(ANNA, lambda _: row)
    await tables.reckon([4711, table.id])
    again = await tables.get(table.id)
    assert again.until(0) == tables.clock() + timedelta(hours=21)
    assert again.revision == table.revision + 1
    await tables.reckon([table.id])
    assert (await tables.get(table.id)).revision == again.revision


async def test_due_events_are_found_and_applied_once(
    tables: Tables, elsewhere: Tables, clock: Clock
) -> None:
    table = await started(tables, pace="8h")
    assert await tables.store.tables.next_due() == clock.now + timedelta(hours=4)
    assert await tables.store.tables.due(clock.now) == []
    clock.move(timedelta(hours=8))
    assert await tables.store.tables.due(clock.now) == [table.id]
    await asyncio.gather(tables.tick(table.id), elsewhere.tick(table.id))
    again = await tables.fresh(table.id)
    assert [line.kind for line in again.journal].count("miss") == 1
    assert await tables.store.tables.due(clock.now) == []


async def test_a_parked_table_continues_next_to_another(tables: Tables) -> None:
    table = await started(tables)
    await tables.act(table.id, Park(CHANNEL))
    other = await opened(tables, channel=501)
    await tables.act(table.id, MoveHere(BEN, 501, GUILD))
    assert {each.id for each in await tables.open_in(501)} == {table.id, other.id}


# ----------------------------------------------------------------------------- looking
async def test_tables_that_wait_for_me_come_first(tables: Tables) -> None:
    waits = await started(tables, channel=1)
    mine = await started(tables, channel=2)
    await moved(tables, mine, ANNA, "K4")
    assert [table.id for table in await tables.of_person(ANNA)] == [waits.id, mine.id]
    assert [table.id for table in await tables.of_person(BEN)] == [mine.id, waits.id]
    assert await tables.of_person(STRANGER) == []


async def test_tables_are_listed_by_their_deadlines(tables: Tables) -> None:
    """Tables that wait for the person come first, in order of urgency."""
    slow = await started(tables, channel=1, pace="7d")
    idle = await started(tables, channel=2, pace="1d")
    await moved(tables, idle, ANNA, "K4")
    fast = await started(tables, channel=3, pace="1h")
    assert [t.id for t in await tables.of_person(ANNA)] == [fast.id, slow.id, idle.id]


async def test_tables_beyond_the_memory_are_folded_anew(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("play.aggregates.KEPT", 1)
    first = await started(tables, channel=1)
    await moved(tables, first, ANNA, "K4")
    second = await started(tables, channel=2)
    await moved(tables, second, ANNA, "D4")
    again = await tables.get(first.id)
    assert again.played.view(None).public["board"] == {"K4": 0}
    tables.forget(first.id)
    assert stored_of(await tables.get(first.id)) == stored_of(again)


async def test_an_unknown_table_is_found_neither_by_id_nor_by_code(tables: Tables) -> None:
    with pytest.raises(NoSuchTable):
        await tables.get(4711)
    with pytest.raises(NoSuchTable):
        await tables.by_code("XXXX")
