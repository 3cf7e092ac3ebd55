"""Riddles from matches between people."""

from __future__ import annotations

import random

import pytest

from data.store.rows import Status
from data.store.store import Store
from games import GAMES
from games.engine import Match
from play.ending import EndTable
from play.occasions.occasions import Occasions
from play.privacy import Privacy
from play.riddles import played as playing
from play.riddles.played import LATEST, PlayedRiddles
from play.riddles.proving import riddle_at
from play.riddles.riddle import Riddle, event_of
from play.riddles.stock import Search, shipped
from play.tables import Tables
from tests.play.clock import Clock
from tests.play.house import ANNA, BEN, CLARA, name_of
from tests.play.kinds import KINDS
from tests.play.test_tables import moved, started

WON = next(each for each in map(Riddle.from_json, shipped("lancelot")) if each.options["goal"] == 4)
"""A riddle whose log and main line together make a whole match."""

pytestmark = pytest.mark.usefixtures("every_time")


@pytest.fixture
def every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Always look for riddles in matches that were played."""
    monkeypatch.setattr(playing, "SHARE", 1.0)


async def searched(search: Search) -> Riddle | None:
    """Search in this process, without delay; return None if no riddle is found."""
    return search()


async def never(_game: str) -> Riddle | None:
    return None


async def whole_match(tables: Tables) -> int:
    """Play a whole match that Anna or Ben wins; return the table's id."""
    drawn, *events = map(event_of, (*WON.log, *WON.line))
    table = await started(tables, starter=drawn.move[-1], goal=4)
    for event in events:
        table = await moved(tables, table, (ANNA, BEN)[event.seat], event.move)
    assert table.row.status is Status.FINISHED
    return table.id


async def found(tables: Tables) -> Riddle | None:
    """The riddle found in the matches played, or None."""
    return await PlayedRiddles(tables, never, searched, random.Random(0))("lancelot")


async def test_a_match_that_is_over_gives_a_proven_riddle_without_names(tables: Tables) -> None:
    await whole_match(tables)
    riddle = await found(tables)
    assert riddle is not None
    assert riddle_at(riddle.match()) == riddle
    moves = [event_of(text).move for text in (*WON.log, *WON.line)][1:]
    begun = [event_of(text).move for text in riddle.log if not text.startswith("-1")]
    assert moves[: len(begun)] == begun
    assert not any(name_of(person) in riddle.to_json() for person in (ANNA, BEN))


async def test_a_match_without_a_result_gives_no_riddle(tables: Tables) -> None:
    table = await started(tables, goal=4)
    assert await found(tables) is None
    await tables.act(table.id, EndTable(ANNA, sure=True))
    assert await found(tables) is None


async def test_nobody_is_shown_who_hides(tables: Tables, store: Store) -> None:
    """A match is skipped while either player hides their statistics."""
    number = await whole_match(tables)
    for person in (ANNA, BEN):
        await store.standings.set_unlisted(person, True)
        assert await store.riddles.matches("lancelot", LATEST) == []
        assert await found(tables) is None
        await store.standings.set_unlisted(person, False)
    assert await store.riddles.matches("lancelot", LATEST) == [number]
    assert await store.riddles.matches("isis", LATEST) == []


async def test_nobody_is_shown_who_has_left_the_seat_to_another(
    tables: Tables, store: Store
) -> None:
    """A match is also skipped if somebody who hides their statistics has moved in it, even if they
    have no seat at the end.
    """
    number = await whole_match(tables)
    first = "SELECT min(number) FROM journal WHERE table_id = ? AND kind = 'move'"
    await store.database.write(
        lambda db: db.execute(
            f"UPDATE journal SET person_id = ? WHERE table_id = ? AND number = ({first})",  # noqa: S608
            [CLARA, number, number],
        )
    )
    tables.forget(number)
    assert await found(tables) is not None
    await store.standings.set_unlisted(CLARA, True)
    assert await found(tables) is None


async def test_nobody_is_shown_who_is_forgotten(tables: Tables, store: Store, clock: Clock) -> None:
    await whole_match(tables)
    await store.privacy.begin(BEN, "Unknown")
    assert await found(tables) is None
    await Privacy(tables, Occasions(store, clock, KINDS)).carry_on()
    assert await store.privacy.begun() == []
    assert await found(tables) is None


async def test_a_match_of_three_or_four_gives_no_riddle(tables: Tables) -> None:
    game = GAMES["lancelot"]
    for players in (3, 4):
        match = Match(game, game.setup(players, {"goal": 4}, "x"))
        match.advance()
        rng = random.Random(1)
        while match.outcome is None:
            assert riddle_at(match) is None
            seat = match.actors[0]
            match.play(seat, [rng.choice(game.legal(match.state, seat))])
