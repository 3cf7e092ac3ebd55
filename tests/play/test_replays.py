"""Looking back: any moment of a match, and no more of it than may be seen."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine import CHANCE, Match, Setup
from play.replays import Replay, replay_of
from play.table import Refused
from play.tables import Tables
from tests.games.records import played
from tests.games.toys import Auction
from tests.play.test_tables import ANNA, BEN, opened, started


def replay(match: Match[Any], over: bool) -> Replay:
    """A match to look back at."""
    return Replay(
        game=match.game,
        setup=match.setup,
        log=tuple(match.log),
        table="K7Q2",
        names=("Anna", "Ben", "Clara")[: match.setup.players],
        computers=frozenset(),
        over=over,
    )


@pytest.fixture(scope="module")
def auction() -> Match[Any]:
    """A whole match with hidden cards and sealed bids."""
    return played(Auction(), 3)


def test_every_moment_is_the_position_of_its_ply(auction: Match[Any]) -> None:
    """Whether one asks for one moment or for all of them."""
    whole = replay(auction, over=True)
    moments = list(whole.moments(range(whole.last + 1)))
    assert [moment.ply for moment in moments] == list(range(auction.ply + 1))
    for moment in moments:
        at = Match.replay(auction.game, auction.setup, auction.log[: moment.ply])
        assert moment.view == at.view(None)
        assert moment == whole.at(moment.ply)


def test_before_the_start_and_after_the_end_is_nothing(auction: Match[Any]) -> None:
    """A ply beyond the ends shows the first or the last moment."""
    whole = replay(auction, over=True)
    assert whole.at(-3).ply == 0
    assert whole.at(10**9).ply == whole.last


def test_the_start_has_no_move(auction: Match[Any]) -> None:
    """Nobody has brought it about."""
    start = replay(auction, over=True).at(0)
    assert (start.seat, start.seen, start.move, start.facts) == (None, None, None, ())


def test_everything_is_open_once_a_match_is_over(auction: Match[Any]) -> None:
    """Moves and hands are shown; the picture still gets what all saw at the time."""
    whole = replay(auction, over=True)
    assert whole.shows_hands
    for ply, event in enumerate(auction.log, 1):
        moment = whole.at(ply)
        assert moment.move == event.move
        assert moment.seen == event.move.partition(":")[0] + ":?"
        assert [view.viewer for view in moment.hands] == [0, 1, 2]


def test_nothing_hidden_is_shown_of_a_running_match(auction: Match[Any]) -> None:
    """Two matches that differ only in their secrets look alike to whoever looks back."""
    assert not replay(auction, over=False).shows_hands
    other = Match(auction.game, Setup(3, auction.setup.options, "another seed"))
    other.advance()
    one = Match.replay(auction.game, auction.setup, auction.log[:3])
    assert [e.move for e in one.log] != [e.move for e in other.log], "the seeds deal differently"
    for ply in range(4):
        assert replay(one, over=False).at(ply) == replay(other, over=False).at(ply)


def test_facts_are_those_that_all_could_see(auction: Match[Any]) -> None:
    """Who was dealt which card is told by the hands, not by the story."""
    whole = replay(auction, over=True)
    dealt = [m for m in whole.moments(range(whole.last + 1)) if m.seat == CHANCE]
    assert dealt
    assert all(moment.facts == () for moment in dealt)


async def test_a_table_can_be_looked_back_at(tables: Tables) -> None:
    """From its first move on, closed while it runs and open when it is over, however it ended."""
    table = await started(tables)
    await tables.move(table.id, ANNA, ["K4"])
    running = replay_of(await tables.get(table.id))
    assert (running.last, running.over, running.names) == (1, False, ("Anna", "Ben"))
    over = replay_of(await tables.resign(table.id, BEN, "novice"))
    assert (over.last, over.over, over.computers) == (1, True, frozenset({1}))
    lobby = await opened(tables, channel=501)
    with pytest.raises(Refused) as refusal:
        replay_of(lobby)
    assert refusal.value.code == "not_started"


async def test_it_is_known_which_moves_a_computer_player_chose_for_a_person(
    tables: Tables,
) -> None:
    """Those in a person's place, neither the person's own nor those of a guest from the start."""
    table = await opened(tables)
    await tables.join(table.id, BEN, "Ben")
    await tables.add_computer(table.id, ANNA, ["Merlin"], "novice")
    table = await tables.start(table.id, ANNA)
    await tables.move(table.id, ANNA, ["K4"])
    await tables.move_in_absence(table.id, BEN, "D4", seen_ply=1, seen_undos=0)
    await tables.move_for_computer(table.id, 2, "F6", seen_ply=2, seen_undos=0)
    table = await tables.get(table.id)
    assert await tables.stood_in(table) == {1}
    assert replay_of(table, frozenset({1})).stood_in == {1}
