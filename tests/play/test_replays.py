"""Replays show every moment of a match, and only what the viewer may see."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine import CHANCE, Match, Setup
from play.ending import Resign
from play.replays import Replay, replay_of, stood_in
from play.table import Refused
from play.undo import TakeBack
from tests.games.records import played
from tests.games.toys import Auction
from tests.play.house import ANNA, BEN, gathered, started


def replay(match: Match[Any], over: bool) -> Replay:
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
    whole = replay(auction, over=True)
    moments = list(whole.moments(range(whole.last + 1)))
    assert [moment.ply for moment in moments] == list(range(auction.ply + 1))
    for moment in moments:
        at = Match.replay(auction.game, auction.setup, auction.log[: moment.ply])
        assert moment.view == at.view(None)
        assert moment == whole.at(moment.ply)


def test_a_ply_out_of_range_shows_the_first_or_the_last_moment(auction: Match[Any]) -> None:
    whole = replay(auction, over=True)
    assert whole.at(-3).ply == 0
    assert whole.at(10**9).ply == whole.last


def test_the_start_has_no_move(auction: Match[Any]) -> None:
    start = replay(auction, over=True).at(0)
    assert (start.seat, start.seen, start.move, start.facts) == (None, None, None, ())


def test_everything_is_open_once_a_match_is_over(auction: Match[Any]) -> None:
    whole = replay(auction, over=True)
    assert whole.shows_hands
    for ply, event in enumerate(auction.log, 1):
        moment = whole.at(ply)
        assert moment.move == event.move
        assert moment.seen == event.move.partition(":")[0] + ":?"
        assert [view.viewer for view in moment.hands] == [0, 1, 2]


def test_nothing_hidden_is_shown_of_a_running_match(auction: Match[Any]) -> None:
    """Two matches that differ only in their secrets have the same replay."""
    assert not replay(auction, over=False).shows_hands
    other = Match(auction.game, Setup(3, auction.setup.options, "another seed"))
    other.advance()
    one = Match.replay(auction.game, auction.setup, auction.log[:3])
    assert [e.move for e in one.log] != [e.move for e in other.log], "the seeds deal differently"
    for ply in range(4):
        assert replay(one, over=False).at(ply) == replay(other, over=False).at(ply)


def test_only_facts_that_everyone_could_see_are_shown(auction: Match[Any]) -> None:
    whole = replay(auction, over=True)
    dealt = [m for m in whole.moments(range(whole.last + 1)) if m.seat == CHANCE]
    assert dealt
    assert all(moment.facts == () for moment in dealt)


def test_a_table_can_be_looked_back_at() -> None:
    house = started(2)
    house.moves("K4")
    running = replay_of(house.table)
    assert (running.last, running.over, running.names) == (1, False, ("Anna", "Ben"))
    over = replay_of(house.do(Resign(BEN, "novice")))
    assert (over.last, over.over, over.computers) == (1, True, frozenset({1}))
    with pytest.raises(Refused) as refusal:
        replay_of(gathered(2).table)
    assert refusal.value.code == "not_started"


def test_undone_moves_are_not_replayed() -> None:
    house = started(2)
    house.moves("K4", "D4")
    house.do(TakeBack(BEN))
    house.moves("D6")
    assert [event.move for event in replay_of(house.table).log] == ["K4", "D6"]


def test_moves_made_by_a_computer_player_for_a_person_are_marked() -> None:
    """A person's own moves are not marked, nor those of a computer player seated from the start."""
    house = started(2, computers=1, pace="1h", strict=True)
    house.moves("K4")
    house.wait(hours=1)
    assert house.table.awaited_computers == (1,)
    house.moves("D4", "F6")
    assert stood_in(house.table) == replay_of(house.table).stood_in == {1}
    house.moves("K6")
    house.do(TakeBack(ANNA))
    assert stood_in(house.table) == {1}
