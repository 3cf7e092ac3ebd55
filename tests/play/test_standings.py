"""Finished matches at tables update the standings of their server."""

from __future__ import annotations

from dataclasses import replace

from data.store.ratings import EVERYWHERE
from play.ending import EndAsManager, Resign
from play.lobby import MoveHere, Park
from play.tables import Tables
from play.undo import TakeBack
from tests.play.house import ANNA, BEN, CHANNEL, CLARA
from tests.play.life import privacy_of
from tests.play.test_tables import moved, moved_twice, started


async def board(tables: Tables, guild_id: int) -> dict[str, list[tuple[int, int | None]]]:
    """People with their ranks, by game."""
    found = await tables.store.standings.leaderboard(guild_id, ["isis", "lancelot"], 20, 0)
    return {game: [(s.row.person_id, s.place) for s in listed] for game, listed in found.items()}


async def test_a_server_has_its_own_standings(tables: Tables) -> None:
    table = await moved_twice(tables, await started(tables))
    await tables.act(table.id, Resign(ANNA, "novice"))
    assert await board(tables, 7) == {"lancelot": [(BEN, 1), (ANNA, 2)]}
    assert await board(tables, 8) == {}
    of_person = tables.store.standings.of_person
    mine = (await of_person(ANNA, 7))["lancelot"]
    assert (mine.row.name, mine.row.matches, mine.row.won, mine.place) == ("Anna", 1, 0, 2)
    assert (await of_person(ANNA))["lancelot"].row == replace(mine.row, guild_id=EVERYWHERE)
    assert await of_person(CLARA, 7) == {}


async def test_hidden_people_are_on_no_leaderboard(tables: Tables) -> None:
    table = await moved_twice(tables, await started(tables))
    await tables.act(table.id, Resign(ANNA, "novice"))
    await tables.store.standings.set_unlisted(BEN, True)
    assert await board(tables, 7) == {"lancelot": [(ANNA, 1)]}
    hidden = (await tables.store.standings.of_person(BEN, 7))["lancelot"]
    assert (hidden.row.won, hidden.place) == (1, None)


async def test_a_match_counts_once_everyone_has_moved_twice(tables: Tables) -> None:
    for resigning_after in range(3):
        table = await started(tables)
        for person, move in ((ANNA, "K4"), (BEN, "D4"), (ANNA, "E8"))[:resigning_after]:
            await moved(tables, table, person, move)
        await tables.act(table.id, Resign(ANNA, "novice"))
    table = await moved_twice(tables, await started(tables))
    await tables.act(table.id, TakeBack(BEN))
    await tables.act(table.id, Resign(ANNA, "novice"))
    assert await board(tables, 7) == {}
    mine = (await tables.store.standings.of_person(ANNA, 7))["lancelot"].row
    assert (mine.matches, mine.uncounted, mine.rating) == (0, 4, 1000)
    assert await tables.store.standings.recompute() == 0


async def test_aborted_games_do_not_count(tables: Tables) -> None:
    table = await started(tables)
    await tables.act(table.id, EndAsManager(99, True, "Enough."))
    assert await board(tables, 7) == {}
    assert await tables.store.standings.of_person(ANNA, 7) == {}


async def test_a_stranger_can_win_by_the_other_resigning(tables: Tables) -> None:
    """Somebody is forgotten at a parked table that later resumes; ratings still follow from the
    matches.
    """
    before = await moved_twice(tables, await started(tables))
    await tables.act(before.id, Resign(BEN, "novice"))
    table = await moved_twice(tables, await started(tables))
    await tables.act(table.id, Park(CHANNEL))
    await privacy_of(tables).forget(ANNA, "Unknown K7Q2")
    await tables.act(table.id, MoveHere(BEN, 777, 7))
    change = await tables.act(table.id, Resign(BEN, "novice"))
    assert (change.after.row.result or {})["by_people"]
    assert (await tables.store.standings.of_person(BEN, 7))["lancelot"].row.matches == 2
    assert await tables.store.standings.recompute() == 0
    assert await board(tables, 7) == {"lancelot": [(BEN, 1)]}
