"""Resigning, draws, ending by agreement, and deserted tables."""

from __future__ import annotations

from dataclasses import replace

import pytest

from data.store.rows import Status
from games import GAMES
from play.ending import (
    REASON_LIMIT,
    EndAsManager,
    EndTable,
    OfferDraw,
    Resign,
    Resigning,
    ending_record,
    resigning,
)
from play.lobby import MoveHere, Park, SendAway
from play.moves import PlayForComputer, PlayMoves
from play.plans import Hurry, Plan
from play.seats import HandOver, kept
from play.votes import LAPSED, YES, Rule, open_votes
from tests.play.house import (
    ANNA,
    BEN,
    CHANNEL,
    CLARA,
    DAVID,
    GUILD,
    STRANGER,
    House,
    gathered,
    started,
    timed,
)

PEOPLE = (ANNA, BEN, CLARA, DAVID)


# ------------------------------------------------------------------------------- resigning
def test_resigning_at_a_table_of_two_loses() -> None:
    house = started(2)
    assert resigning(house.table, ANNA) is Resigning.LOSES
    house.do(Resign(ANNA, "novice"))
    assert house.table.row.status is Status.FINISHED
    assert house.table.row.result == {
        "how": "resigned",
        "by": 0,
        "ranks": [2, 1],
        "by_people": True,
        "brief": True,
    }
    assert [line.text for line in house.lines("resign")] == ["loses"]


def test_a_match_is_ended_by_the_person_who_acted() -> None:
    """If somebody's move triggers a planned move that ends the match, the person who moved has
    ended it, not the owner of the plan.
    """
    house = started(2, goal=1)
    for person, move in ((ANNA, "E5"), (BEN, "J5"), (ANNA, "H5")):
        house.play(person, move)
        house.wait(minutes=1)
    house.do(Plan(ANNA, "D5"))
    running = house.table
    assert running.ended_by is None
    house.do(PlayMoves(BEN, ("D11",), interaction_id=1))
    assert house.kinds()[-3:] == ["move", "move", "finish"]
    assert house.table.ended_by == BEN
    house = started(2)
    house.play(ANNA, "K4")
    house.wait(minutes=1)
    house.do(Resign(BEN, "novice"))
    assert house.table.ended_by == BEN


def test_a_match_is_ended_by_the_computer_player_that_moved_last() -> None:
    """The person has not ended it, even by moving in the same second."""
    house = started(1, computers=1, goal=1)
    for move in ("E5", "J5", "H5", "D11"):
        _play_now(house, move)
    house.wait(minutes=1)
    _play_now(house, "D5")
    assert (house.table.over, house.table.ended_by) == (True, ANNA)
    house = started(1, computers=1, goal=1)
    for move in ("K4", "E5", "J5", "H5"):
        _play_now(house, move)
    house.wait(minutes=1)
    _play_now(house, "D11")
    _play_now(house, "D5")
    assert (house.table.over, house.table.ended_by) == (True, None)


def _play_now(house: House, move: str) -> None:
    """Make a move for the seat to move; for a person, by an interaction."""
    (seat,) = house.table.awaited
    if seat:
        house.do(PlayForComputer(seat, move, house.table.opened(seat)))
    else:
        house.do(PlayMoves(ANNA, (move,), interaction_id=house.table.revision))


def test_resigning_against_a_computer_player_is_not_a_match_among_people() -> None:
    house = started(1, computers=1)
    house.do(Resign(ANNA, "novice"))
    assert house.table.row.result is not None
    assert house.table.row.result["by_people"] is False


def test_resigning_at_a_larger_table_leaves_the_seat_to_a_computer() -> None:
    house = started(3)
    house.do(Resign(ANNA, "novice"))
    assert house.table.running
    assert house.table.computer_at(0) == "novice"
    assert house.table.awaited_computers == (0,)
    assert house.code(PlayMoves(ANNA, ("K4",))) == "not_a_member"
    assert house.code(Resign(ANNA, "novice")) == "not_a_member"
    house.do(Resign(BEN, "novice"))
    assert resigning(house.table, CLARA) is Resigning.ENDS
    house.do(Resign(CLARA, "novice"))
    assert house.table.row.status is Status.ENDED
    assert house.table.row.result == {"how": "resigned", "by": 2}
    assert [line.text for line in house.lines("resign")] == ["replaced", "replaced", "ends"]


# ------------------------------------------------------------------------------- draws
@pytest.fixture
def knows_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lancelot as if its rules included draws."""
    info = replace(GAMES["lancelot"].info, draws=True)
    monkeypatch.setattr(type(GAMES["lancelot"]), "info", info)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.usefixtures("knows_draws")
def test_a_draw_takes_everyone(players: int) -> None:
    house = started(players)
    house.do(OfferDraw(ANNA))
    vote = house.vote
    assert vote.rule == Rule.ALL
    assert dict(vote.answers) == {ANNA: YES, **dict.fromkeys(PEOPLE[1:players])}
    house.agree(*PEOPLE[1:players])
    assert house.table.row.status is Status.FINISHED
    result = {"how": "drawn", "ranks": [1] * players, "by_people": True, "brief": True}
    assert house.table.row.result == result
    assert house.kinds()[-3:] == ["answer", "settle", "finish"]
    assert house.code(OfferDraw(ANNA)) == "table_over"


def test_no_draw_where_the_game_knows_none() -> None:
    """Lancelot's rules always produce a winner."""
    assert started(2).code(OfferDraw(ANNA)) == "no_draws"


@pytest.mark.usefixtures("knows_draws")
def test_no_draw_with_computer_players() -> None:
    house = started(3)
    house.do(Resign(CLARA, "novice"))
    assert house.code(OfferDraw(ANNA)) == "draw_with_computers"


@pytest.mark.usefixtures("knows_draws")
def test_leaving_while_a_draw_is_offered_prevents_it() -> None:
    house = started(3)
    house.do(OfferDraw(ANNA))
    house.agree(BEN)
    house.do(Resign(CLARA, "novice"))
    assert [vote.decision for vote in house.table.votes] == [LAPSED]
    assert house.table.running


@pytest.mark.usefixtures("knows_draws")
def test_a_draw_stands_until_someone_who_was_asked_moves() -> None:
    """The person who offers may move first, as in chess; the others decline by moving."""
    house = started(2)
    house.do(OfferDraw(ANNA))
    house.play(ANNA, "K4")
    assert open_votes(house.table)
    house.play(BEN, "D4")
    assert [vote.decision for vote in house.table.votes] == [LAPSED]
    assert house.table.running


# --------------------------------------------------------------------- ending by agreement
@pytest.mark.parametrize(("players", "needed"), [(2, 2), (3, 2), (4, 3)])
def test_ending_takes_more_than_half(players: int, needed: int) -> None:
    house = started(players)
    house.do(EndTable(ANNA))
    agreed = 1
    for person in PEOPLE[1:players]:
        if house.table.running:
            house.agree(person)
            agreed += 1
    assert agreed == needed
    assert (house.table.row.status, house.table.row.result) == (Status.ENDED, {"how": "ended"})
    assert house.lines("end")[0].person_id is None, "all have ended it"


def test_a_person_against_computers_ends_the_match_alone() -> None:
    house = started(3)
    for person in (BEN, CLARA):
        house.do(Resign(person, "novice"))
    house.do(EndTable(ANNA))
    assert house.table.row.status is Status.ENDED
    assert house.lines("end")[0].person_id == ANNA


def test_no_one_ends_a_match_of_others_alone() -> None:
    house = started(2)
    assert house.code(EndTable(STRANGER)) == "not_a_member"
    asking = House(house.table)
    asking.do(EndTable(ANNA))
    assert asking.table.running
    house.do(EndAsManager(STRANGER, True, "Enough."))
    assert house.table.row.status is Status.ENDED
    assert house.code(EndTable(ANNA)) == "table_over"


def test_half_a_character_in_a_reason_is_replaced() -> None:
    """A form may contain half of a surrogate pair, which no database stores."""
    house = started(2)
    house.do(EndAsManager(STRANGER, True, "\ud83d Enough."))
    assert ending_record(house.table) == (STRANGER, "? Enough.")


def test_a_manager_who_plays_needs_the_others() -> None:
    """A manager with a seat has only the rights of a player, even while a computer player keeps
    the seat.
    """
    house = started(3)
    house.table = kept(house.table, 1, "novice", house.clock.now)
    assert house.code(EndAsManager(ANNA, True, "Enough.")) == "manager_plays"
    assert house.code(EndAsManager(BEN, True, "Enough.")) == "away"
    house.do(Resign(CLARA, "novice"))
    assert House(house.table).code(EndAsManager(ANNA, True, "Enough.")) == "manager_plays"
    house.do(EndAsManager(CLARA, True, "Enough."))
    assert ending_record(house.table) == (CLARA, "Enough.")


def test_a_guest_of_a_lobby_does_not_close_it_as_a_manager() -> None:
    house = gathered(2)
    assert house.code(EndAsManager(BEN, True, "Enough.")) == "only_host"
    assert house.code(EndAsManager(STRANGER, False, "Enough.")) == "not_manager"
    house.do(EndAsManager(STRANGER, True, "Enough."))
    assert [line.kind for line in house.table.journal[-1:]] == ["close"]
    assert ending_record(house.table) == (STRANGER, "Enough.")


@pytest.mark.parametrize(
    ("reason", "kept_as"),
    [
        ("Enough.", "Enough."),
        ("  two\n lines ", "two lines"),
        ("ä" * REASON_LIMIT, "ä" * REASON_LIMIT),
        ("", None),
        (" \n\t", None),
        ("x" * (REASON_LIMIT + 1), None),
    ],
)
def test_a_manager_gives_a_reason(reason: str, kept_as: str | None) -> None:
    house = started(2)
    if kept_as is None:
        assert house.code(EndAsManager(STRANGER, True, reason)) == "no_reason"
    else:
        house.do(EndAsManager(STRANGER, True, reason))
        assert ending_record(house.table) == (STRANGER, kept_as)
        assert house.table.row.result == {"how": "ended"}


def test_a_request_to_close_a_lobby_ends_no_match() -> None:
    house = started(2)
    for late in (
        EndTable(ANNA, only_lobby=True, sure=True),
        EndAsManager(STRANGER, True, "Enough.", only_lobby=True),
    ):
        assert house.code(late) == "not_in_lobby"
    assert house.table.running


def test_plans_and_offers_end_with_the_match() -> None:
    house = gathered(4)
    house.do(SendAway(ANNA, 3))
    house.start()
    house.do(Plan(BEN, "D4"))
    house.do(Hurry(CLARA, wanted=True))
    house.do(HandOver(CLARA))
    house.agree(BEN)
    table = house.table
    assert all((table.plans, table.hurried, table.offers, table.barred))
    house.do(EndAsManager(STRANGER, True, "Enough."))
    table = house.table
    assert not any((table.plans, table.hurried, table.offers, table.barred))


# ------------------------------------------------------------------------------- deserted
def replaced(house: House, *people: int) -> House:
    """The table with computer players in some people's seats."""
    members = tuple(
        replace(member, level="skilled") if member.person_id in people else member
        for member in house.table.members
    )
    return House(replace(house.table, members=members))


def test_computer_players_do_not_play_for_each_other() -> None:
    house = replaced(timed(3, strict=True), BEN, CLARA)
    house.wait(days=9)
    assert house.table.running, "no deadline against computer players alone"
    house = replaced(house, ANNA)
    house.wait(seconds=1)
    assert house.table.row.result == {"how": "deserted"}
    assert house.kinds()[-1] == "end"


def test_a_parked_table_without_people_ends_when_it_is_moved() -> None:
    """People who were forgotten while the table was parked have left their seats to computer
    players.
    """
    house = started(2)
    house.do(Park(CHANNEL))
    house = replaced(house, ANNA, BEN)
    house.do(MoveHere(ANNA, 501, GUILD))
    assert house.kinds()[-2:] == ["unpark", "end"]
