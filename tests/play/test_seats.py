"""Handing over seats, and returning to them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.ending import OfferDraw, Resign
from play.lobby import SendAway
from play.moves import PlayMoves
from play.plans import Hurry, Plan
from play.seats import ComeBack, HandOver, TakeSeat, is_called, seats_held
from play.votes import LAPSED, YES, Answer, Rule
from tests.play.house import ANNA, BEN, CLARA, DAVID, STRANGER, House, gathered, started


def away(people: int, *absent: int) -> House:
    """A match in which computer players keep some people's seats, to which they may return."""
    house = started(people)
    members = tuple(
        replace(member, level="novice") if member.person_id in absent else member
        for member in house.table.members
    )
    house.table = replace(house.table, members=members)
    return house


def test_handing_over_takes_more_than_half_and_someone_who_takes() -> None:
    house = started(2)
    house.play(ANNA, "K4")
    house.do(HandOver(ANNA, newcomer=DAVID))
    vote = house.vote
    assert (dict(vote.answers)[BEN], vote.rule, vote.seat) == (None, Rule.MAJORITY, 0)
    assert house.code(TakeSeat(DAVID, 0, "David")) == "not_offered"
    revision = house.table.revision
    house.agree(BEN)
    assert house.kinds(revision) == ["answer", "settle", "offer"]
    (seat,) = house.table.offers
    assert (house.table.offer_to(DAVID), house.table.offer_to(CLARA)) == (seat, None)
    assert house.code(TakeSeat(CLARA, 0, "Clara")) == "not_offered"
    house.do(TakeSeat(DAVID, 0, "David"))
    assert (house.table.names, house.table.row.host_id) == (("David", "Ben"), DAVID)
    assert house.code(TakeSeat(CLARA, 0, "Clara")) == "not_offered"
    house.play(BEN, "D4")
    assert house.code(PlayMoves(ANNA, ("K6",))) == "not_a_member"
    house.play(DAVID, "K6")
    take = house.lines("offer", "take")[1]
    assert take.text == str(house.lines("offer")[0].number)


def test_own_seats_and_those_of_computer_players_may_be_offered() -> None:
    house = started(3)
    refusal = house.refused(HandOver(ANNA, seat=1))
    assert (refusal.code, refusal.data["name"]) == ("plays_in_person", "Ben")
    assert house.code(HandOver(ANNA, newcomer=CLARA)) == "already_member"
    assert house.code(HandOver(ANNA, seat=3)) == "no_such_member"
    assert house.code(HandOver(STRANGER)) == "not_a_member"
    house.do(Resign(BEN, "novice"))
    house.do(HandOver(ANNA, seat=1))
    assert [person for person, _ in house.vote.answers] == [CLARA, ANNA]


def test_with_no_one_to_ask_a_seat_is_offered_at_once() -> None:
    house = started(1, computers=1)
    house.do(HandOver(ANNA, seat=1))
    house.do(TakeSeat(BEN, 1, "Ben"))
    assert house.table.names == ("Anna", "Ben")
    assert house.table.persons == (ANNA, BEN)


def test_no_one_sits_twice_and_who_was_sent_away_stays_away() -> None:
    house = gathered(4)
    house.do(SendAway(ANNA, 3))
    house.start()
    house.do(HandOver(ANNA))
    house.agree(BEN)
    assert house.code(TakeSeat(BEN, 0, "Ben")) == "already_member"
    assert house.code(TakeSeat(DAVID, 0, "David")) == "barred_seat"
    house.do(TakeSeat(STRANGER, 0, "Kay"))


def test_an_offer_is_replaced_by_a_later_one() -> None:
    house = started(1, computers=1)
    for newcomer in (BEN, CLARA):
        house.do(HandOver(ANNA, seat=1, newcomer=newcomer))
    assert [(offer.seat, offer.person_id) for offer in house.table.offers] == [(1, CLARA)]
    assert house.code(TakeSeat(BEN, 1, "Ben")) == "not_offered"


def test_a_person_is_called_to_a_table_once() -> None:
    """An open offer is not repeated, and later ones do not ping, until the person has taken a
    seat.
    """
    house = started(1, computers=2)

    def offer(seat: int, newcomer: int | None) -> bool:
        house.do(HandOver(ANNA, seat=seat, newcomer=newcomer))
        return is_called(house.table, next(o for o in house.table.offers if o.seat == seat))

    assert offer(1, BEN)
    assert house.code(HandOver(ANNA, seat=1, newcomer=BEN)) == "seat_offered"
    assert house.code(HandOver(ANNA, seat=2, newcomer=BEN)) == "seat_offered"
    assert offer(1, CLARA)
    assert not offer(1, BEN), "a new offer is open, without a second ping"
    assert not offer(1, None), "an open offer names nobody"
    assert not offer(2, CLARA)
    house.do(TakeSeat(CLARA, 2, "Clara"))
    house.do(HandOver(CLARA, newcomer=DAVID))
    house.agree(ANNA)
    house.do(TakeSeat(DAVID, 2, "David"))
    house.do(HandOver(ANNA, seat=1, newcomer=CLARA))
    house.agree(DAVID)
    assert is_called(house.table, house.table.offers[0]), "she has already answered the call"


@pytest.mark.parametrize("game", ["twilight", "isolde"])
def test_no_one_gets_to_know_two_hands(game: str) -> None:
    """A person who handed over a seat cannot take another one in the match, but may take back their
    own.
    """
    house = started(3, game)
    house.do(HandOver(ANNA))
    house.agree(BEN)
    house.do(TakeSeat(DAVID, 0, "David"))
    house.do(HandOver(BEN))
    house.agree(CLARA)
    assert house.code(TakeSeat(ANNA, 1, "Anna")) == "knows_hand"
    house.do(TakeSeat(STRANGER, 1, "Kay"))
    house.do(HandOver(DAVID))
    house.agree(CLARA)
    assert house.code(TakeSeat(BEN, 0, "Ben")) == "knows_hand"
    house.do(TakeSeat(ANNA, 0, "Anna"))
    house.do(HandOver(STRANGER))
    house.agree(CLARA)
    assert house.code(TakeSeat(DAVID, 1, "David")) == "knows_hand", "not dealt, but taken over"


def test_a_hand_is_known_without_a_join_line() -> None:
    """A person seated when the table opened has no join line in the journal, but their moves show
    that they know the hand.
    """
    house = started(3, "twilight")
    mover = house.table.awaited_persons[0]
    person = house.table.members[mover].person_id or 0
    house.play(person, house.table.game.legal(house.table.played.state, mover)[0])
    known = tuple(replace(line, person_id=None) for line in house.table.journal[:3])
    table = replace(house.table, journal=(*known, *house.table.journal[3:]))
    assert seats_held(table, person) == {mover}


def test_without_hidden_hands_another_seat_may_be_taken() -> None:
    """In a game without hidden hands, the person knows nothing that the others do not know."""
    house = started(3)
    house.do(HandOver(ANNA))
    house.agree(BEN)
    house.do(TakeSeat(DAVID, 0, "David"))
    house.do(HandOver(BEN))
    house.agree(CLARA)
    house.do(TakeSeat(ANNA, 1, "Anna"))
    assert house.table.persons == (DAVID, ANNA, CLARA)


def test_the_owner_may_take_an_offered_seat_back() -> None:
    house = started(2)
    house.do(HandOver(ANNA))
    house.agree(BEN)
    house.do(Hurry(ANNA, wanted=True))
    house.do(TakeSeat(ANNA, 0, "Anna"))
    assert house.table.offers == ()
    assert house.table.row.host_id == ANNA
    assert house.table.hurried == {ANNA}


def test_a_person_who_has_resigned_cannot_return() -> None:
    house = started(3)
    house.do(Resign(ANNA, "novice"))
    house.do(HandOver(BEN, seat=0))
    house.agree(CLARA)
    assert house.code(TakeSeat(ANNA, 0, "Anna")) == "resigned"
    house.do(TakeSeat(DAVID, 0, "David"))


def test_an_agreement_is_overtaken_by_the_return_of_the_owner() -> None:
    house = away(4, BEN)
    house.do(HandOver(ANNA, seat=1))
    assert house.vote.seat == 1
    house.do(ComeBack(BEN))
    assert [vote.decision for vote in house.table.votes] == [LAPSED]
    assert house.code(TakeSeat(STRANGER, 1, "Kay")) == "not_offered"


def test_an_agreement_is_overtaken_by_the_end_of_the_match() -> None:
    house = started(2, "isis")
    house.do(HandOver(ANNA))
    house.do(OfferDraw(ANNA))
    _, draw = house.table.votes
    house.do(Answer(draw.asked, BEN, YES))
    assert house.table.over
    assert [vote.decision for vote in house.table.votes] == [LAPSED, YES]


def test_an_offer_ends_with_the_return_of_the_owner() -> None:
    house = away(3, BEN)
    house.do(HandOver(ANNA, seat=1))
    house.agree(CLARA)
    assert [offer.seat for offer in house.table.offers] == [1]
    house.do(ComeBack(BEN))
    assert house.code(TakeSeat(DAVID, 1, "David")) == "not_offered"


def test_people_return_to_seats_that_computer_players_keep() -> None:
    house = away(3, ANNA)
    assert house.table.awaited_computers == (0,)
    assert house.code(PlayMoves(ANNA, ("K4",))) == "away"
    house.do(ComeBack(ANNA))
    assert house.table.awaited_persons == (0,)
    house.do(Resign(CLARA, "novice"))
    for person, refused_as in (
        (ANNA, "never_left"),
        (CLARA, "resigned"),
        (STRANGER, "not_a_member"),
    ):
        assert house.code(ComeBack(person)) == refused_as


def test_a_seat_that_changes_hands_takes_no_plans_along() -> None:
    house = started(2)
    house.do(Plan(BEN, "D4"))
    house.do(Hurry(BEN, wanted=True))
    house.do(HandOver(BEN))
    house.agree(ANNA)
    house.do(TakeSeat(DAVID, 1, "David"))
    assert house.table.plans == ()
    assert house.table.hurried == frozenset()


@pytest.mark.parametrize("command", [HandOver(ANNA), TakeSeat(DAVID, 0, "D"), ComeBack(ANNA)])
def test_no_seat_changes_hands_after_the_end(command: HandOver | TakeSeat | ComeBack) -> None:
    """No seat changes hands before the start, either."""
    house = gathered(2)
    assert house.code(command) == "not_started"
    house.start()
    house.do(Resign(BEN, "novice"))
    assert house.code(command) == "table_over"
