"""The use cases of a table, on a real store, with Lancelot as the game."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from data.store import (
    AlreadyCounted,
    AlreadyMember,
    NoSuchTable,
    NotInLobby,
    Status,
    Store,
    StoreProblem,
)
from games import GAMES
from games.engine import Match
from play.table import Refused, RefusedByRules, Table
from play.tables import Tables, seat_order
from tests.play.conftest import NOON

ANNA, BEN, CLARA, STRANGER = 1, 2, 3, 99
CHANNEL = 500


async def opened(tables: Tables, channel: int = CHANNEL, **options: Any) -> Table:
    """A lobby with Anna as its host."""
    return await tables.open(
        "lancelot",
        guild_id=7,
        channel_id=channel,
        host_id=ANNA,
        host_name="Anna",
        language="en",
        options={"starter": "1", "seating": "joined", **options},
    )


async def started(
    tables: Tables, players: int = 2, channel: int = CHANNEL, **options: Any
) -> Table:
    """A running match; Anna is seat 0 and begins, then Ben, then Clara."""
    table = await opened(tables, channel, **options)
    for person, name in ((BEN, "Ben"), (CLARA, "Clara"))[: players - 1]:
        await tables.join(table.id, person, name)
    return await tables.start(table.id, ANNA)


def code(refusal: pytest.ExceptionInfo[Refused]) -> str:
    return refusal.value.code


# ------------------------------------------------------------------------------- lobby
async def test_a_table_opens_with_its_host(tables: Tables) -> None:
    """The host sits down first and the channel knows the table by its code."""
    table = await opened(tables, goal=3)
    assert [member.person_id for member in table.members] == [ANNA]
    assert table.row.status is Status.LOBBY
    assert (await tables.by_code(f" {table.row.code.lower()} ")).id == table.id
    assert (await tables.in_channel(CHANNEL)).id == table.id


async def test_one_open_table_in_a_channel(tables: Tables) -> None:
    """A second table is refused and names the first; another channel is free."""
    first = await opened(tables)
    with pytest.raises(Refused) as refusal:
        await opened(tables)
    assert code(refusal) == "channel_taken"
    assert refusal.value.data["code"] == first.row.code
    await opened(tables, channel=501)


@pytest.mark.parametrize(
    ("options", "refused_as"),
    [
        ({"goal": 0}, "option_value"),
        ({"goal": 31}, "option_value"),
        ({"goal": "many"}, "option_value"),
        ({"dragons": True}, "unknown_option"),
        ({"seating": "by age"}, "seating"),
    ],
)
async def test_impossible_options_are_refused_at_once(
    tables: Tables, options: dict[str, Any], refused_as: str
) -> None:
    """What could never start is refused when the table is opened."""
    with pytest.raises(Refused) as refusal:
        await opened(tables, **options)
    assert code(refusal) == refused_as
    with pytest.raises(Refused) as nothing:
        await tables.in_channel(CHANNEL)
    assert code(nothing) == "no_table_here"


async def test_nobody_sits_twice_or_beyond_the_limit(tables: Tables) -> None:
    """A person joins once, and the sixth person finds no chair."""
    table = await opened(tables)
    with pytest.raises(AlreadyMember):
        await tables.join(table.id, ANNA, "Anna")
    for person in range(2, 6):
        await tables.join(table.id, person, f"P{person}")
    with pytest.raises(Refused) as refusal:
        await tables.join(table.id, 6, "P6")
    assert (code(refusal), refusal.value.data["limit"]) == ("table_full", 5)


async def test_leaving_and_the_host_leaving(tables: Tables) -> None:
    """A guest stands up alone; with the host the table closes."""
    table = await opened(tables)
    await tables.join(table.id, BEN, "Ben")
    table = await tables.leave_lobby(table.id, BEN)
    assert len(table.members) == 1
    with pytest.raises(Refused) as refusal:
        await tables.leave_lobby(table.id, BEN)
    assert code(refusal) == "not_a_member"
    table = await tables.leave_lobby(table.id, ANNA)
    assert table.row.status is Status.ENDED


async def test_computer_players_come_and_go(tables: Tables) -> None:
    """Only those at the table may call computer players; the last that came goes first."""
    table = await opened(tables)
    with pytest.raises(Refused) as refusal:
        await tables.add_computer(table.id, STRANGER, ["Merlin"], "novice")
    assert code(refusal) == "not_a_member"
    await tables.add_computer(table.id, ANNA, ["Merlin"], "novice")
    await tables.add_computer(table.id, ANNA, ["Morgana"], "novice")
    table = await tables.remove_computer(table.id, ANNA)
    assert [member.name for member in table.members] == ["Anna", "Merlin"]
    table = await tables.remove_computer(table.id, ANNA)
    with pytest.raises(Refused) as empty:
        await tables.remove_computer(table.id, ANNA)
    assert code(empty) == "no_computer"


async def test_computer_players_that_come_at_once_have_names_of_their_own(tables: Tables) -> None:
    """However a person who is there writes hers."""
    table = await opened(tables)
    await tables.join(table.id, BEN, "MERLIN")
    names = ("Merlin", "Morgana", "Gawain")
    await asyncio.gather(*(tables.add_computer(table.id, BEN, names, "novice") for _ in range(2)))
    table = await tables.get(table.id)
    assert [member.name for member in table.members] == ["Anna", "MERLIN", "Morgana", "Gawain"]


async def test_only_the_host_starts_and_only_with_enough_people(tables: Tables) -> None:
    """A guest cannot start; alone nobody can; twice neither."""
    table = await opened(tables)
    with pytest.raises(Refused) as alone:
        await tables.start(table.id, ANNA)
    assert code(alone) == "player_count"
    await tables.join(table.id, BEN, "Ben")
    with pytest.raises(Refused) as guest:
        await tables.start(table.id, BEN)
    assert code(guest) == "only_host"
    table = await tables.start(table.id, ANNA)
    assert table.running
    with pytest.raises(Refused) as twice:
        await tables.start(table.id, ANNA)
    assert code(twice) == "not_in_lobby"


async def test_a_wanted_number_of_players_is_kept(tables: Tables) -> None:
    """Asked for three, a table neither starts with two nor takes a fourth."""
    table = await tables.open(
        "lancelot",
        guild_id=7,
        channel_id=CHANNEL,
        host_id=ANNA,
        host_name="Anna",
        language="en",
        options={},
        wanted_players=3,
    )
    await tables.join(table.id, BEN, "Ben")
    with pytest.raises(Refused) as two:
        await tables.start(table.id, ANNA)
    assert (code(two), two.value.data["allowed"]) == ("player_count", (3,))
    await tables.join(table.id, CLARA, "Clara")
    with pytest.raises(Refused) as four:
        await tables.join(table.id, 4, "David")
    assert code(four) == "table_full"


async def test_options_take_their_defaults_from_the_number_of_players(tables: Tables) -> None:
    """Two players need seven stones, three need eight."""
    two = await started(tables)
    assert two.row.options["goal"] == 7
    await tables.end(two.id, ANNA, may_manage=True)
    three = await started(tables, players=3)
    assert three.row.options["goal"] == 8


async def test_a_starter_beyond_the_table_is_refused_at_the_start(tables: Tables) -> None:
    """Seat 5 may begin with five players, not with two."""
    table = await opened(tables, starter="5")
    await tables.join(table.id, BEN, "Ben")
    with pytest.raises(RefusedByRules) as refusal:
        await tables.start(table.id, ANNA)
    assert (code(refusal), refusal.value.game) == ("starter_seat", "lancelot")
    assert (await tables.get(table.id)).row.status is Status.LOBBY


async def test_seats_by_lot_follow_from_the_seed(tables: Tables) -> None:
    """The same seed seats people alike, and over many seeds everybody sits everywhere."""
    table = await opened(tables)
    await tables.join(table.id, BEN, "Ben")
    members = (await tables.join(table.id, CLARA, "Clara")).members
    assert seat_order(members, {}, "x") == seat_order(members, {}, "x")
    orders = {tuple(seat_order(members, {}, str(seed))) for seed in range(100)}
    assert len(orders) == 6
    assert seat_order(members, {"seating": "joined"}, "x") == [0, 1, 2]


# ------------------------------------------------------------------------------- match
async def test_a_move_is_stored_before_it_is_known(tables: Tables, store: Store) -> None:
    """What a move returns is what another process would read."""
    table = await started(tables)
    played = await tables.move(table.id, ANNA, ["k4"], seen_ply=0, interaction_id=11)
    assert [step.event.move for step in played.steps] == ["K4"]
    others = Tables(store, lambda: NOON)
    again = await others.get(table.id)
    assert again.played.state == played.table.played.state
    event = (await store.events(table.id))[-1]
    assert (event.move, event.person_id, event.interaction_id) == ("K4", ANNA, 11)


@pytest.mark.parametrize(
    ("person", "texts", "seen", "refused_as"),
    [
        (STRANGER, ["K4"], None, "not_a_member"),
        (BEN, ["K4"], None, "not_your_turn"),
        (ANNA, ["Z99"], None, "unknown_square"),
        (ANNA, ["A1"], None, "outside"),
        (ANNA, ["K4", "K5"], None, "turn_is_over"),
        (ANNA, ["X:G6"], None, "no_power_module"),
        (ANNA, ["pass"], None, "must_place"),
    ],
)
async def test_a_refused_move_changes_nothing(
    tables: Tables, person: int, texts: list[str], seen: int | None, refused_as: str
) -> None:
    """Each refusal has its code, and the match is as before."""
    table = await started(tables)
    before = table.played.state.clone()
    with pytest.raises(Refused) as refusal:
        await tables.move(table.id, person, texts, seen_ply=seen)
    assert code(refusal) == refused_as
    assert (await tables.get(table.id)).played.state == before


async def test_a_stale_press_is_refused(tables: Tables) -> None:
    """A button of an earlier board has no effect, though it is that person's turn again."""
    table = await started(tables)
    await tables.move(table.id, ANNA, ["K4"], seen_ply=0)
    await tables.move(table.id, BEN, ["D4"], seen_ply=1)
    with pytest.raises(Refused) as refusal:
        await tables.move(table.id, ANNA, ["K5"], seen_ply=0)
    assert code(refusal) == "stale"


async def test_an_interaction_counts_once(tables: Tables) -> None:
    """The same interaction delivered twice moves once, also when it would be legal again."""
    table = await started(tables, king=True)
    await tables.move(table.id, BEN, ["X:G6"], interaction_id=5)
    await tables.move(table.id, ANNA, ["K4"], interaction_id=6)
    await tables.move(table.id, BEN, ["D4"], interaction_id=7)
    with pytest.raises(AlreadyCounted):
        await tables.move(table.id, ANNA, ["K6"], interaction_id=6)
    table = await tables.get(table.id)
    assert table.played.ply == 3
    await tables.move(table.id, ANNA, ["K6"], interaction_id=8)


async def test_a_hundred_presses_at_once_make_one_move(tables: Tables) -> None:
    """Of many simultaneous presses exactly one counts."""
    table = await started(tables)
    results = await asyncio.gather(
        *(
            tables.move(table.id, ANNA, ["K4"], seen_ply=0, interaction_id=1000 + n)
            for n in range(100)
        ),
        return_exceptions=True,
    )
    assert sum(not isinstance(result, BaseException) for result in results) == 1
    assert all(
        isinstance(result, Refused) for result in results if isinstance(result, BaseException)
    )
    assert (await tables.get(table.id)).played.ply == 1


async def test_two_processes_cannot_both_move(tables: Tables, store: Store) -> None:
    """Without a common lock, the store still lets only one of two moves in."""
    table = await started(tables)
    other = Tables(store, lambda: NOON)
    results = await asyncio.gather(
        tables.move(table.id, ANNA, ["K4"]),
        other.move(table.id, ANNA, ["D4"]),
        return_exceptions=True,
    )
    assert sum(not isinstance(result, BaseException) for result in results) == 1
    states = [(await t.get(table.id)).played.state for t in (tables, other)]
    assert states[0] == states[1]


async def test_what_is_not_stored_did_not_happen(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    """If the disk refuses, the match in memory goes back too."""
    table = await started(tables)

    async def broken(*_: Any, **__: Any) -> None:
        raise StoreProblem(tmp_path)

    with monkeypatch.context() as patched:
        patched.setattr(store, "append", broken)
        with pytest.raises(StoreProblem):
            await tables.move(table.id, ANNA, ["K4"])
    assert (await tables.get(table.id)).played.ply == 0
    await tables.move(table.id, ANNA, ["K4"])


async def test_a_whole_match_ends_with_its_result(tables: Tables) -> None:
    """The move that reaches the goal finishes the table; nothing can be played after it."""
    table = await started(tables, goal=1)
    moves = [(ANNA, "E5"), (BEN, "J5"), (ANNA, "H5"), (BEN, "D11"), (ANNA, "D5")]
    for person, move in moves:
        table = (await tables.move(table.id, person, [move])).table
    assert table.row.status is Status.FINISHED
    assert table.row.result == {
        "how": "played",
        "ranks": [1, 2],
        "scores": [1.0, 0.0],
        "reason": "goal",
    }
    with pytest.raises(Refused) as refusal:
        await tables.move(table.id, BEN, ["K4"])
    assert code(refusal) == "table_over"


async def test_computer_players_move_only_for_their_seats(tables: Tables) -> None:
    """Nobody can use the computer's door to move for a person."""
    table = await opened(tables)
    await tables.add_computer(table.id, ANNA, ["Merlin"], "novice")
    table = await tables.start(table.id, ANNA)
    with pytest.raises(Refused) as refusal:
        await tables.move_for_computer(table.id, 0, "K4", 0)
    assert code(refusal) == "not_a_computer"
    await tables.move(table.id, ANNA, ["K4"])
    played = await tables.move_for_computer(table.id, 1, "D4", 1)
    assert played.table.awaited_persons == (0,)


# ------------------------------------------------------------------------------ ending
async def test_resigning_at_a_table_of_two_loses(tables: Tables) -> None:
    """With two seats the other one wins."""
    table = await started(tables)
    table = await tables.resign(table.id, ANNA, "novice")
    assert table.row.status is Status.FINISHED
    assert table.row.result is not None
    assert table.row.result["ranks"] == [2, 1]


async def test_resigning_at_a_larger_table_leaves_the_seat_to_a_computer(tables: Tables) -> None:
    """With three seats a computer player goes on; the last person who resigns ends the table."""
    table = await started(tables, players=3)
    table = await tables.resign(table.id, ANNA, "novice")
    assert table.running
    assert table.computer_at(0) == "novice"
    assert table.awaited_computers == (0,)
    with pytest.raises(Refused) as refusal:
        await tables.move(table.id, ANNA, ["K4"])
    assert code(refusal) == "not_a_member"
    await tables.resign(table.id, BEN, "novice")
    table = await tables.resign(table.id, CLARA, "novice")
    assert table.row.status is Status.ENDED


async def test_a_lobby_is_ended_by_host_or_manager(tables: Tables) -> None:
    """A guest cannot close the lobby; the host can."""
    table = await opened(tables)
    await tables.join(table.id, BEN, "Ben")
    with pytest.raises(Refused) as refusal:
        await tables.end(table.id, BEN, may_manage=False)
    assert code(refusal) == "only_host"
    table = await tables.end(table.id, ANNA, may_manage=False)
    assert table.row.status is Status.ENDED


async def test_nobody_ends_a_match_of_others_alone(tables: Tables) -> None:
    """Not the host, while others play; somebody who manages the server can, and only once."""
    table = await started(tables)
    for person, refused_as in ((ANNA, "others_play"), (STRANGER, "not_a_member")):
        with pytest.raises(Refused) as refusal:
            await tables.end(table.id, person, may_manage=False)
        assert code(refusal) == refused_as
    table = await tables.end(table.id, STRANGER, may_manage=True)
    assert table.row.status is Status.ENDED
    with pytest.raises(Refused) as over:
        await tables.end(table.id, ANNA, may_manage=False)
    assert code(over) == "table_over"


async def test_nothing_of_a_match_before_its_start(tables: Tables) -> None:
    """In the lobby there is nothing to move, to resign or to look at."""
    table = await opened(tables)
    for attempt in (
        tables.move(table.id, ANNA, ["K4"]),
        tables.resign(table.id, ANNA, "novice"),
    ):
        with pytest.raises(Refused) as refusal:
            await attempt
        assert code(refusal) == "not_started"
    with pytest.raises(Refused):
        assert table.played
    with pytest.raises(NoSuchTable):
        await tables.get(4711)
    running = await started(tables, channel=501)
    with pytest.raises(NotInLobby):
        await tables.join(running.id, CLARA, "Clara")


# ----------------------------------------------------------------------------- looking
async def test_tables_that_wait_for_me_come_first(tables: Tables) -> None:
    """Where I have to move stands above where I wait."""
    waits = await started(tables, channel=1)
    mine = await started(tables, channel=2)
    await tables.move(mine.id, ANNA, ["K4"])
    assert [table.id for table in await tables.of_person(ANNA)] == [waits.id, mine.id]
    assert [table.id for table in await tables.of_person(BEN)] == [mine.id, waits.id]
    assert await tables.of_person(STRANGER) == []


async def test_matches_beyond_the_cache_are_folded_anew(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that was pushed out of memory is the same table."""
    monkeypatch.setattr("play.tables.MATCHES_KEPT", 1)
    first = await started(tables, channel=1)
    await tables.move(first.id, ANNA, ["K4"])
    second = await started(tables, channel=2)
    await tables.move(second.id, ANNA, ["D4"])
    again = (await tables.get(first.id)).played
    assert isinstance(again, Match)
    assert again.view(None).public["board"] == {"K4": 0}


async def test_a_match_of_other_rules_cannot_be_followed(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its table is known, but there is no match; whoever needs one is told why."""
    table = await started(tables)
    kind = type(GAMES["lancelot"])
    monkeypatch.setattr(kind, "info", replace(kind.info, rules=kind.info.rules + 1))
    later = Tables(store, lambda: NOON)
    assert (await later.get(table.id)).match is None
    for person in (ANNA, BEN):
        with pytest.raises(Refused) as refusal:
            await later.move(table.id, person, ["K4"])
        assert code(refusal) == "other_rules"
        assert refusal.value.data == {"code": table.row.code}
    assert (await later.end(table.id, STRANGER, may_manage=True)).row.status is Status.ENDED


async def test_a_table_is_a_snapshot(tables: Tables) -> None:
    """What a use case has handed out does not change under whoever draws or tells it."""
    table = await started(tables)
    earlier = (await tables.move(table.id, ANNA, ["K4"])).table
    await tables.move(table.id, BEN, ["D6"])
    assert earlier.played.ply == 1
    assert earlier.played.view(None).public["board"] == {"K4": 0}
