"""Twilight: the cards, the legal actions in a turn, and tricks."""

from __future__ import annotations

from collections import Counter

import pytest

from games.engine import CHANCE, Fact, Match
from games.twilight import CARDS, account
from games.twilight.cards import DECK, MOON, SUN
from games.twilight.position import seating_for
from tests.games.slow_twilight import deck
from tests.games.twilight_table import (
    GAME,
    after_deal,
    legal,
    played,
    position,
    public,
    refusal,
    told,
)


# -------------------------------------------------------------------------------- 1 cards
@pytest.mark.rule("twilight", "1")
def test_there_are_two_equal_sets_of_fourteen() -> None:
    assert sorted(CARDS) == sorted(deck())
    for cult in (MOON, SUN):
        kinds_of_cult = Counter(card.kind for card in DECK if card.cult == cult)
        assert kinds_of_cult == {"purgatory": 1, "cleric": 5, "souls": 5, "sanctuary": 3}
        assert sorted(c.number for c in DECK if c.cult == cult and c.kind == "souls") == [
            *(3, 4, 5, 6, 7)
        ]


def test_t1_each_cult_has_30_souls_and_a_factor_of_six() -> None:
    """T1: 25 souls on soul cards, five on clerics, and a factor of 1 + 2 + 3 on sanctuaries."""
    for cult in (MOON, SUN):
        own = [card.name for card in DECK if card.cult == cult]
        assert account(own, cult).souls == 30
        assert account(own, cult).factor == 6


def test_t16_all_cards_make_360_points() -> None:
    """T16: no deal is worth more than 60 souls times six."""
    assert account(CARDS, MOON).points == account(CARDS, SUN).points == 360


@pytest.mark.rule("twilight", "1", "7")
def test_backs_show_the_cult_of_every_card_in_hand() -> None:
    state = position("MP SC1 SC2", "SP", "MC1 MC2", "ML3 SL3")
    assert public(state)["moon"] == [1, 0, 2, 1]
    assert public(state)["sun"] == [2, 1, 0, 1]


# -------------------------------------------------------------------------------- 2 setup
@pytest.mark.rule("twilight", "2", "3")
def test_partners_sit_opposite() -> None:
    for forehand in range(4):
        seating = seating_for(4, forehand)
        assert seating.side(MOON) == [0, 2]
        assert seating.side(SUN) == [1, 3]


@pytest.mark.rule("twilight", "2")
@pytest.mark.parametrize("players", [3, 4])
def test_who_leads_first_is_drawn_by_lot(players: int) -> None:
    """Section 2: each seat is equally likely to lead first; of three players, the first to lead
    plays alone.
    """
    state = GAME.start(GAME.setup(players))
    assert GAME.actors(state) == (CHANCE,)
    assert GAME.chance(state) == [(f"lead:{seat + 1}", 1.0) for seat in range(players)]
    GAME.do(state, CHANCE, "lead:3")
    assert public(state)["dealer"] == 1
    assert public(state)["lone"] == (2 if players == 3 else None)


@pytest.mark.rule("twilight", "2")
@pytest.mark.parametrize("players", [3, 4])
def test_each_place_is_dealt_seven_cards(players: int) -> None:
    match = Match(GAME, GAME.setup(players, seed="deal"))
    match.advance()
    seen = public(match.state)
    assert [m + s for m, s in zip(seen["moon"], seen["sun"], strict=True)] == [7] * 4
    assert sum(seen["moon"]) == sum(seen["sun"]) == 14
    (seat,) = match.actors
    assert seat == match.state.seating.forehand
    assert (seen["dealer"] + 1) % players == seat


def test_a_deal_names_the_place_of_each_card_in_the_order_of_the_deck() -> None:
    state = GAME.start(GAME.setup(4))
    GAME.do(state, CHANCE, "lead:1")
    GAME.do(state, CHANCE, "deal:" + "1234" * 7)
    assert GAME.view(state, 0).private["hand"] == [card.name for card in DECK][0::4]
    assert GAME.view(state, 3).private["hand"] == [card.name for card in DECK][3::4]


@pytest.mark.rule("twilight", "2", "8.5")
def test_the_deal_passes_to_the_left() -> None:
    state, facts = after_deal("", "", forehand=3)
    assert state.seating.forehand == 0
    assert state.round == 2
    GAME.do(state, CHANCE, "deal:" + "1234" * 7, facts)
    assert told(facts, "dealt") == {"round": 2, "dealer": 3, "forehand": 0, "lone": None}


# ------------------------------------------------------------------------ 4 legal actions
@pytest.mark.rule("twilight", "4")
def test_the_place_on_turn_plays_a_card_of_its_own_cult() -> None:
    """Section 4: a place of the Moon plays Moon cards; other cards in hand may not be played."""
    state = position("MC1 ML3 SC1", "SP ML4", "SL3", "SL4 MP")
    assert legal(state) == ["MC1", "ML3", "order:2", "order:4"]


@pytest.mark.rule("twilight", "8.2", "8.4")
def test_partner_and_opponents_may_be_ordered() -> None:
    """Reading 4: anyone else who holds a card of the cult may be ordered; reading 2: not
    oneself.
    """
    state = position("MC1", "MC2 SP", "MC3", "MC4 SL3")
    assert legal(state) == ["MC1", "order:2", "order:3", "order:4"]
    assert refusal(state, "order:1").code == "own_order"


@pytest.mark.rule("twilight", "4", "8.3")
def test_the_ordered_player_chooses_which_card_to_give() -> None:
    """Section 4, reading 3: any card of the cult whose turn it is, including a purgatory, and no
    other."""
    state = position("MC1 SC1", "MP MC2 ML3 SP", "", "SL4")
    facts = played(state, "order:2")
    assert facts == [
        Fact("ordered", {"seat": 0, "target": 1, "by": 0, "cult": "moon", "forced": False}),
    ]
    assert GAME.actors(state) == (1,)
    assert GAME.view(state, None).phase == "give"
    assert legal(state) == ["MP", "MC2", "ML3"]


@pytest.mark.rule("twilight", "4")
def test_a_card_counts_for_whom_it_was_given() -> None:
    state = position("MC1 SC1", "MP MC2 SP SL3", "ML5", "SL4")
    facts = played(state, "order:2", "MC2")
    assert told(facts, "played") == {
        "seat": 0,
        "giver": 1,
        "by": 1,
        "card": "MC2",
        "forced": False,
    }
    assert public(state)["table"] == [{"place": 0, "giver": 1, "card": "MC2"}]
    assert public(state)["turn"] == 1


@pytest.mark.rule("twilight", "4")
def test_a_player_may_be_ordered_again_and_again() -> None:
    """Section 4: hands become unequal; here, three cards of one trick come from the same hand."""
    state = position("MC1 SC1", "ML3 ML4 ML5 SL3 SL4", "MC2 SC2", "SC3")
    played(state, "order:2", "ML3", "SL3", "order:2", "ML4")
    assert public(state)["moon"] == [1, 1, 1, 0]
    assert public(state)["sun"] == [1, 1, 1, 1]
    assert public(state)["turn"] == 3


def test_t4_the_rulebooks_example_of_a_trick() -> None:
    """T4: A orders C, B orders A, C can only order D, and D plays a card; A wins the trick and
    leads.
    """
    state = position("SL5", "SC2", "MC3", "ML6 SL4")
    facts = played(state, "order:3", "order:1", "SL4")
    laid = [fact.data for fact in facts if fact.kind == "played"]
    assert [data["seat"] for data in laid] == [0, 1, 2, 3]
    assert [data["giver"] for data in laid] == [2, 0, 3, 3]
    assert [data["card"] for data in laid] == ["MC3", "SL5", "ML6", "SL4"]
    assert told(facts, "trick_won")["seat"] == 0
    assert state.lead == state.turn == 0


@pytest.mark.rule("twilight", "4")
def test_a_forced_card_is_given_at_once() -> None:
    """Section 4: an ordered player with a single card of the cult is not asked."""
    state = position("MC1 SC1", "MC2 SP SL3", "ML5", "SL4")
    facts = played(state, "order:2")
    assert told(facts, "played") == {
        "seat": 0,
        "giver": 1,
        "by": 1,
        "card": "MC2",
        "forced": True,
    }
    assert GAME.actors(state) == (1,)
    assert GAME.view(state, None).phase == "play"


def test_a_forced_order_is_given_at_once() -> None:
    """If only one player has cards of the cult that is due, and it is not their turn, they are
    asked at once.
    """
    state = position("SC1", "SC2 SC3", "MC1 SL7", "ML3 ML4 SL4")
    facts = played(state, "order:3", "SC2")
    orders = [fact.data for fact in facts if fact.kind == "ordered"]
    assert orders[-1] == {"seat": 2, "target": 3, "by": 2, "cult": "moon", "forced": True}
    assert GAME.actors(state) == (3,)
    assert legal(state) == ["ML3", "ML4"]


# ------------------------------------------------------------------------------ 5 tricks
@pytest.mark.rule("twilight", "1", "5")
@pytest.mark.parametrize(
    ("name", "cards", "winner"),
    [
        ("T5 equal clerics: the first", "MC2 SC2 ML3 SL3", 0),
        ("T6 a Novice beats souls", "ML7 SH3 MC5 SL7", 2),
        ("T7 souls are equal: the first", "ML3 SL7 ML7 SL6", 0),
        ("sanctuaries are equal: the first", "MH1 SH3 MH2 SH2", 0),
        ("souls beat sanctuaries", "MH3 SL3 MH1 SL7", 1),
        ("I beats II", "MC2 SC1 ML7 SL7", 1),
        ("II beats III", "MC3 SC2 ML7 SL7", 1),
        ("III beats IV", "MC4 SC3 ML7 SL7", 1),
        ("IV beats V", "MC5 SC4 ML7 SL7", 1),
        ("equal clerics: the first, from the other cult", "ML3 SC2 MC2 SL3", 1),
    ],
)
def test_the_highest_card_takes_the_trick(name: str, cards: str, winner: int) -> None:
    """Sections 1 and 5: clerics, by rank, beat souls, and souls beat sanctuaries; of equal cards,
    the first wins.
    """
    laid = cards.split()
    state = position(*laid)
    facts = played(state, laid[0], laid[1])
    won = told(facts, "trick_won")
    assert won["seat"] == winner, name
    assert won["cards"] == laid
    assert state.piles[winner % 2] == laid
    assert state.piles[1 - winner % 2] == []
    assert state.lead == state.turn == winner


@pytest.mark.rule("twilight", "5")
@pytest.mark.parametrize("cards", ["MP SC1 MC1 SC2", "MC1 SC1 MP SC2", "MC1 SC1 MC2 SP"])
def test_a_purgatory_leaves_the_trick_lying(cards: str) -> None:
    """Section 5: nobody wins, the cards stay, and the place for which the purgatory was played
    leads.
    """
    laid = cards.split()
    state = position(*laid)
    facts = played(state, laid[0], laid[1])
    place = next(place for place, card in enumerate(laid) if card[1] == "P")
    assert told(facts, "trick_lies")["seat"] == place
    assert public(state)["pending"] == laid
    assert public(state)["tricks"] == [None]
    assert public(state)["last"]["winner"] is None
    assert state.piles == [[], []]
    assert state.lead == place


def test_t9_the_purgatory_leads_on() -> None:
    state = position("MC1", "SP", "ML7", "SC1")
    played(state, "MC1", "SP")
    assert public(state)["pending"] == ["MC1", "SP", "ML7", "SC1"]
    assert state.lead == 1


@pytest.mark.rule("twilight", "8.6")
def test_t10_of_two_purgatories_the_first_leads_on() -> None:
    state = position("MP", "SP", "ML7", "SC1")
    played(state, "MP", "SP")
    assert public(state)["pending"] == ["MP", "SP", "ML7", "SC1"]
    assert state.lead == 0


@pytest.mark.rule("twilight", "8.9")
def test_t14_a_purgatory_given_by_an_opponent_leads_for_whom_it_was_given() -> None:
    state = position("MC2 SC3", "MP MC3 SC4", "ML7", "SC1")
    played(state, "order:2", "MP", "SC4", "ML7", "SC1")
    assert public(state)["tricks"] == [None]
    assert state.lead == 0


@pytest.mark.rule("twilight", "5")
def test_the_next_winner_takes_the_cards_left_on_the_table() -> None:
    state = position("MC1", "SC2", "ML7", "SL3", lying="MC2 SP ML3 SC1")
    facts = played(state, "MC1", "SC2")
    assert told(facts, "trick_won")["lying"] == 8
    assert set(state.piles[MOON]) == {"MC1", "SC2", "ML7", "SL3", "MC2", "SP", "ML3", "SC1"}
    assert public(state)["pending"] == []


@pytest.mark.rule("twilight", "8.7")
def test_reading_7_tricks_pile_up() -> None:
    """Reading 7: after the second purgatory there are eight cards, and a third trick decides."""
    state = position("MC1 ML4", "SP SL4", "ML7 ML5", "SC1 SL5", lying="MP SC2 MC2 SL3")
    played(state, "MC1", "SP", "ML7", "SC1")
    assert len(public(state)["pending"]) == 8
    facts = played(state, "SL4", "ML5")
    assert told(facts, "trick_won")["lying"] == 12


@pytest.mark.rule("twilight", "8.8")
def test_t12_cards_left_at_the_end_are_neutral() -> None:
    state = position("MP", "SL4", "ML5", "SC1", played=6)
    facts = played(state, "MP", "SL4")
    assert told(facts, "neutral") == {"cards": ["MP", "SL4", "ML5", "SC1"]}
    assert state.totals == [0, 0, 0, 0]
    state = position("MC1", "SP", "ML5", "SC1", played=6, lying="MP SL4 MH3 SC2")
    assert len(told(played(state, "MC1", "SP"), "neutral")["cards"]) == 8


@pytest.mark.rule("twilight", "1")
def test_a_purgatory_in_the_pile_counts_nothing() -> None:
    assert account(["MP", "SP", "MH1"], MOON).souls == 0
