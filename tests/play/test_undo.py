"""Undo: which moves can be taken back, who is asked, what the journal records, and stale
presses.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from games import GAMES
from games.engine import CHANCE, Fact, Match
from play.ending import EndAsManager, Resign
from play.fold import undo_of_line
from play.moves import PlayForComputer, PlayMoves
from play.table import Refused, Table
from play.undo import TakeBack, can_be_undone, is_free, is_open_choice, undo_of, without_undone
from play.votes import LAPSED, NO, YES, Rule, open_votes
from tests.games.toys import Auction
from tests.play.house import (
    ANNA,
    BEN,
    CLARA,
    STRANGER,
    House,
    check_change,
    started,
    timed,
)

PEOPLE = (ANNA, BEN, CLARA, 4, 5, 6, 7, 8)


def moves_of(house: House, *lines: int) -> list[str]:
    return [house.table.journal[number - 1].text for number in lines]


# ------------------------------------------------------------------------- alone, or asked
def test_my_own_last_move_is_mine_while_no_one_has_moved() -> None:
    house = started(2)
    assert not can_be_undone(house.table)
    house.moves("K4")
    assert can_be_undone(house.table)
    assert is_free(house.table, 0)
    assert not is_free(house.table, 1)
    assert house.code(TakeBack(BEN)) == "nothing_to_undo"
    house.do(TakeBack(ANNA))
    assert (house.log, house.table.awaited) == ([], (0,))
    assert house.table.votes == ()
    house.play(ANNA, "D4")
    assert house.log == ["D4"]


def test_the_moves_of_a_turn_are_undone_one_by_one_from_the_last() -> None:
    house = started(2, king=True)
    house.play(BEN, "X:G6")
    house.play(ANNA, "X:H9", "G8")
    for left in (["X:G6", "X:H9"], ["X:G6"]):
        house.do(TakeBack(ANNA))
        assert house.log == left


@pytest.mark.parametrize("players", [2, 3])
def test_after_others_have_moved_all_of_them_are_asked(players: int) -> None:
    house = started(players)
    house.moves("K4", "D4")
    assert not is_free(house.table, 0)
    house.do(TakeBack(ANNA))
    vote = house.vote
    assert vote.rule == Rule.ALL
    assert dict(vote.answers) == {**dict.fromkeys(PEOPLE[1:players]), ANNA: YES}
    assert vote.subject["moves"] == [[0, "K4"], [1, "D4"]]
    assert house.code(TakeBack(ANNA)) == "already_asked"
    for person in PEOPLE[1:players]:
        assert house.log == ["K4", "D4"]
        house.agree(person)
    assert house.log == []


def test_computer_players_are_not_asked() -> None:
    house = started(1, computers=1)
    house.moves("K4", "D4")
    house.do(TakeBack(ANNA))
    assert house.log == []
    assert open_votes(house.table) == ()


def test_people_who_do_not_play_cannot_undo() -> None:
    house = started(3)
    house.moves("K4", "D4")
    house.do(Resign(BEN, "novice"))
    for person in (BEN, STRANGER):
        assert house.code(TakeBack(person)) == "not_a_member"
    house.do(EndAsManager(STRANGER, True, "Enough."))
    assert house.code(TakeBack(ANNA)) == "table_over"


def test_the_move_that_finished_a_match_stays() -> None:
    house = started(2, goal=1)
    house.moves("E5", "J5", "H5", "D11", "D5")
    assert house.code(TakeBack(ANNA)) == "table_over"


# ----------------------------------------------------------------------------- the question
def test_moving_on_settles_an_undo() -> None:
    house = started(2)
    house.moves("K4", "D4")
    house.do(TakeBack(ANNA))
    revision = house.table.revision
    house.moves("K6")
    assert house.kinds(revision) == ["move", "settle", "call"]
    assert [vote.decision for vote in house.table.votes] == [LAPSED]


def test_another_undo_settles_an_undo() -> None:
    """The course of play has changed, even if its length is the same."""
    house = started(3)
    house.moves("K4", "D4", "F6")
    house.do(TakeBack(ANNA))
    house.do(TakeBack(CLARA))
    assert house.log == ["K4", "D4"]
    assert [vote.decision for vote in house.table.votes] == [LAPSED]
    house.moves("F6")
    house.do(TakeBack(ANNA))


@pytest.mark.parametrize(("answer", "left"), [(YES, []), (NO, ["K4", "D4"])])
def test_the_other_one_decides(answer: str, left: list[str]) -> None:
    house = started(2)
    house.moves("K4", "D4")
    house.do(TakeBack(ANNA))
    revision = house.table.revision
    house.agree(BEN, choice=answer)
    assert house.log == left
    expected = ["answer", "settle"] + (["undo", "call"] if answer == YES else [])
    assert house.kinds(revision) == expected


def test_a_declined_undo_may_be_asked_for_after_another_move() -> None:
    house = started(2)
    house.moves("K4", "D4")
    house.do(TakeBack(ANNA))
    house.agree(BEN, choice=NO)
    assert house.code(TakeBack(ANNA)) == "asked_before"
    house.moves("K6", "D6")
    house.do(TakeBack(ANNA))
    assert house.vote.subject["moves"] == [[0, "K6"], [1, "D6"]]


# ------------------------------------------------------------------------- what is written
def test_an_undo_is_a_line_that_names_what_goes() -> None:
    house = started(2)
    house.moves("K4", "D4")
    gone = house.table.lines
    house.do(TakeBack(ANNA))
    house.wait(hours=1)
    house.agree(BEN)
    (line,) = house.lines("undo")
    assert (line.seat, line.person_id, line.at) == (0, ANNA, house.clock.now)
    assert undo_of_line(line) == {
        "out": list(gone),
        "moves": [[0, "K4"], [1, "D4"]],
        "agreed": [BEN],
        "reopened": [0],
    }
    assert moves_of(house, *gone) == ["K4", "D4"], "nothing is cut from the journal"


def test_an_undo_alone_names_no_one_who_agreed() -> None:
    house = started(2)
    house.moves("K4")
    house.do(TakeBack(ANNA))
    assert "agreed" not in undo_of_line(house.lines("undo")[0])


def test_after_an_undo_by_agreement_those_to_move_are_called() -> None:
    house = started(2)
    house.moves("K4")
    house.do(TakeBack(ANNA))
    assert house.calls() == [(0,), (1,)]
    house.moves("K4", "D4")
    house.do(TakeBack(ANNA))
    house.agree(BEN)
    assert house.calls()[-1] == (0,)


# ------------------------------------------------------------------------------ stale things
def test_a_press_from_the_undone_course_is_refused() -> None:
    house = started(2)
    seen = [house.table.revision]
    for move in ("K4", "D4", "K6"):
        house.moves(move)
        seen.append(house.table.revision)
    house.do(TakeBack(ANNA))
    seen.append(house.table.revision)
    house.do(TakeBack(BEN))
    assert house.log == ["K4"]
    for revision in seen:
        assert house.code(PlayMoves(BEN, ("D6",), seen=revision)) == "stale"
    house.play(BEN, "D6", seen=house.table.revision)


def test_the_same_decision_is_opened_again() -> None:
    """The reopened decision has the same number as before, but new controls."""
    house = started(2)
    decision, opened = house.table.decision(0), house.table.opened(0)
    house.moves("K4")
    house.do(TakeBack(ANNA))
    assert house.table.decision(0) == decision
    assert house.table.opened(0) == house.lines("undo")[0].number > opened


def test_a_move_chosen_before_an_undo_is_void() -> None:
    house = started(3)
    house.do(Resign(BEN, "novice"))
    house.moves("K4")
    opened = house.table.opened(1)
    house.do(TakeBack(ANNA))
    house.moves("D11")
    assert house.code(PlayForComputer(1, "D4", opened)) == "stale"
    house.do(PlayForComputer(1, "D4", house.table.opened(1)))


def test_an_interaction_counts_once_even_if_its_move_was_undone() -> None:
    house = started(2)
    house.do(PlayMoves(ANNA, ("K4",), interaction_id=11))
    house.do(TakeBack(ANNA))
    assert house.code(PlayMoves(ANNA, ("K4",), interaction_id=11)) == "already_counted"
    assert house.log == []


# ------------------------------------------------------------------------ simultaneous choices
@pytest.fixture
def auction(monkeypatch: pytest.MonkeyPatch) -> House:
    """Three people with one card each, bidding at the same time."""
    monkeypatch.setitem(GAMES, "auction", Auction())
    return started(3, "auction", rounds=2)


def test_a_sealed_choice_is_free_until_all_are_in(auction: House) -> None:
    for person in (ANNA, BEN):
        auction.play(person, "bid:1")
    opened = auction.table.opened(2)
    taken = undo_of(auction.table, 0)
    assert (taken.free, taken.first, taken.last) == (True, 3, 3)
    assert taken.moves == ((0, None),)
    assert is_open_choice(auction.table, 3)
    auction.do(TakeBack(ANNA))
    assert auction.table.awaited == (0, 2)
    assert auction.table.opened(2) == opened, "people still choosing are not affected"
    assert undo_of_line(auction.lines("undo")[0])["reopened"] == [0]
    log = auction.table.played.log
    assert [(e.seat, e.move) for e in log[3:]] == [(1, "bid:1")]
    auction.play(CLARA, "bid:1")
    auction.play(ANNA, "bid:1")
    assert auction.table.played.view(None).round == 2


def test_once_all_are_in_nothing_is_taken_back(auction: House) -> None:
    for person in (ANNA, BEN, CLARA):
        auction.play(person, "bid:1")
    for person in (ANNA, BEN, CLARA):
        assert auction.code(TakeBack(person)) == "undo_drawn"
        assert not is_free(auction.table, person - 1)


def test_a_choice_can_be_taken_back_again_and_again(auction: House) -> None:
    for _ in range(3):
        auction.play(ANNA, "bid:1")
        auction.do(TakeBack(ANNA))
    out = [undo_of_line(line)["out"] for line in auction.lines("undo")]
    assert out == [[line.number] for line in auction.lines("move")]
    assert auction.table.awaited == (0, 1, 2)


def test_a_sealed_choice_of_another_leaves_clocks_and_controls() -> None:
    house = timed(3, "donquixote")
    shown = house.table.revision
    legal = [house.table.game.legal(house.table.played.state, seat)[0] for seat in range(3)]
    house.play(ANNA, legal[0])
    clock = house.table.clocks[2]
    house.do(TakeBack(ANNA))
    assert house.table.clocks[2] == clock
    house.play(CLARA, legal[2], seen=shown)
    assert house.code(PlayMoves(ANNA, (legal[0],), seen=shown)) == "stale"


# -------------------------------------------------------------------------- in every game
def follow(match: Match[Any], first: int) -> list[Fact]:
    """All facts from an event on, from a separate fold."""
    state = match.game.start(match.setup)
    told: list[Fact] = []
    for ply, event in enumerate(match.log):
        facts: list[Fact] = []
        match.game.do(state, event.seat, event.move, facts)
        told += facts if ply >= first else []
    return told


@pytest.mark.seeds(3, always=2)
@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_undo_in_every_game(game_id: str, seed: int) -> None:
    """In random play, a seat's last move can be undone unless something was drawn or revealed
    since; the same moves then lead back to the same position.
    """
    rng = random.Random(f"{game_id}/{seed}")
    players = rng.choice([n for n in GAMES[game_id].info.players if n > 1])
    house = started(players, game_id, careful=False, secret=f"undo {seed}")
    allowed = refusals = 0
    for _ in range(60):
        house.move_of(*house.random_move(rng))
        if not house.table.running:
            break
        if undone_as_it_should(house, rng.randrange(players)):
            allowed += 1
        else:
            refusals += 1
    context = f"{game_id}, seed {seed}, {players} players: {allowed} undone, {refusals} refused"
    assert allowed, context


def undone_as_it_should(house: House, seat: int) -> bool:
    """Undo a seat's last move and play on as before; return False if the undo is refused."""
    table = house.table
    match = table.played
    own = [ply for ply, event in enumerate(match.log) if event.seat == seat]
    first = own[-1] if own else len(match.log)
    barred = any(event.seat == CHANCE for event in match.log[first:]) or any(
        fact.reveals for fact in follow(match, first)
    )
    assert is_free(table, seat) == (bool(own) and not barred and undo_of(table, seat).free)
    if barred or not own:
        with pytest.raises(Refused) as refusal:
            undo_of(table, seat)
        assert (refusal.value.code == "nothing_to_undo") == (not own)
        return False
    taken = undo_of(table, seat)
    others = [e for e in match.log[first + 1 :] if e.seat != seat]
    assert taken.free or others, "no consent is needed only if nobody has moved since"
    gone = match.log[taken.first : taken.last + 1]
    after = undone(house, seat)
    assert seat in after.played.actors
    assert after.played.log == match.log[: taken.first] + match.log[taken.last + 1 :]
    fold = Match.replay(match.game, match.setup, after.played.log, verify=True)
    assert (fold.state, fold.actors) == (after.played.state, after.played.actors)
    for event in gone:
        house.move_of(event.seat, event.move)
    assert house.table.played.state == match.state
    return True


def undone(house: House, seat: int) -> Table:
    """Undo a seat's last move, with everyone's consent if needed."""
    house.do(TakeBack(PEOPLE[seat]))
    if open_votes(house.table):
        house.agree(*house.table.others(PEOPLE[seat]))
    return house.table


def test_an_undo_line_says_what_everyone_may_know(auction: House) -> None:
    auction.play(ANNA, "bid:1")
    table = without_undone(auction.table, undo_of(auction.table, 0), auction.clock(), ANNA)
    assert json.loads(table.journal[-1].text)["moves"] == [[0, None]]
    check_change(auction.table, auction.do(TakeBack(ANNA)))
