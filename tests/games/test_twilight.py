"""Twilight: every rule, the rulebook's examples, the readings of silent cases, and properties."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from games.engine import CHANCE, Event, Fact, IllegalMove, Match, Move, NotYourTurn, Outcome
from games.twilight import CARDS, DEALS_MAX, Twilight, TwilightState, account
from games.twilight.cards import DECK, MOON, SUN
from games.twilight.position import NOBODY, PLAY, seating_for
from tests.games.slow_twilight import SlowDeal, deck, points

GAME = Twilight()
EXAMPLE_PILE = {"SL7", "ML3", "SH3", "MH2", "SC4", "ML4", "SC1", "MC5"}
"""The eight cards of the rulebook's example of scoring."""


# ------------------------------------------------------------------- setting up positions
def position(
    *hands: str,
    lead: int = 0,
    forehand: int = 0,
    played: int = 0,
    lying: str = "",
    totals: list[int] | None = None,
    **options: Any,
) -> TwilightState:
    """A position before a trick, with the hands of places 0, 1, 2 and 3.

    :param forehand: the seat that led first; with three players it plays alone.
    :param played: so many tricks were taken by the Moon, who got nothing with them.
    """
    players = options.pop("players", 4)
    state = GAME.start(GAME.setup(players, options))
    state.seating = seating_for(players, forehand)
    for place, cards in enumerate(hands):
        for card in cards.split():
            state.hands[2 * place + CARDS[card].cult].append(card)
    state.phase, state.lead, state.turn = PLAY, lead, lead
    state.actors = state.seating.controllers[lead]
    state.winners = [0] * played
    state.pending = lying.split()
    state.totals = totals or [0] * players
    return state


def after_deal(
    moon: str, sun: str, players: int = 4, deal: int = 1, **given: Any
) -> tuple[TwilightState, list[Fact]]:
    """A position right after the last card of a deal, in which the sides took these cards."""
    state = position("MH1", "SH1", "MC4", "SC5", played=6, players=players, **given)
    state.piles = [moon.split(), sun.split()]
    state.round = deal
    facts = played(state, "MH1", "SH1")
    return state, facts


def played(state: TwilightState, *texts: str) -> list[Fact]:
    """Play the texts, each by the seat that decides, and return the facts."""
    facts: list[Fact] = []
    for text in texts:
        (seat,) = GAME.actors(state)
        GAME.do(state, seat, GAME.parse(state, seat, text), facts)
    return facts


def kinds(facts: list[Fact]) -> list[str]:
    """What kinds of facts were told."""
    return [fact.kind for fact in facts]


def told(facts: list[Fact], kind: str) -> Mapping[str, Any]:
    """The data of the only fact of a kind."""
    (data,) = (fact.data for fact in facts if fact.kind == kind)
    return data


def public(state: TwilightState) -> Mapping[str, Any]:
    """What everyone sees."""
    return GAME.view(state, None).public


def legal(state: TwilightState) -> list[Move]:
    """The moves of the seat that decides."""
    (seat,) = GAME.actors(state)
    return GAME.legal(state, seat)


def refusal(state: TwilightState, text: str) -> IllegalMove:
    """The refusal of a move, which must be refused and must change nothing."""
    before = state.clone()
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(state, GAME.actors(state)[0], text)
    assert state == before
    return caught.value


def random_states(players: int, seed: int, **options: Any) -> Iterator[TwilightState]:
    """All positions of a random match."""
    rng = random.Random(seed)
    state = GAME.start(GAME.setup(players, options))
    yield state
    while actors := GAME.actors(state):
        draws = actors == (CHANCE,)
        move = GAME.sample(state, rng) if draws else rng.choice(GAME.legal(state, actors[0]))
        GAME.do(state, actors[0], move)
        yield state


# -------------------------------------------------------------------------------- 1 cards
def test_there_are_two_equal_sets_of_fourteen() -> None:
    """Section 1: a purgatory, five clerics, souls 3 to 7 and three sanctuaries for either cult."""
    assert sorted(CARDS) == sorted(deck())
    for cult in (MOON, SUN):
        kinds_of_cult = Counter(card.kind for card in DECK if card.cult == cult)
        assert kinds_of_cult == {"purgatory": 1, "cleric": 5, "souls": 5, "sanctuary": 3}
        assert sorted(c.number for c in DECK if c.cult == cult and c.kind == "souls") == [
            *(3, 4, 5, 6, 7)
        ]


def test_t1_each_cult_has_30_souls_and_a_factor_of_six() -> None:
    """T1: 25 souls on soul cards, five on clerics, and 1 + 2 + 3 of the sanctuaries."""
    for cult in (MOON, SUN):
        own = [card.name for card in DECK if card.cult == cult]
        assert account(own, cult).souls == 30
        assert account(own, cult).factor == 6


def test_t16_all_cards_make_360_points() -> None:
    """T16: no deal is worth more than 60 souls times six."""
    assert account(CARDS, MOON).points == account(CARDS, SUN).points == 360


def test_backs_show_the_cult_of_every_card_in_hand() -> None:
    """Section 1: how many cards of either cult a hand holds is public."""
    state = position("MP SC1 SC2", "SP", "MC1 MC2", "ML3 SL3")
    assert public(state)["moon"] == [1, 0, 2, 1]
    assert public(state)["sun"] == [2, 1, 0, 1]


# -------------------------------------------------------------------------------- 2 setup
def test_partners_sit_opposite() -> None:
    """Section 2: seats 0 and 2 play for the Moon, 1 and 3 for the Sun, for the whole match."""
    for forehand in range(4):
        seating = seating_for(4, forehand)
        assert seating.side(MOON) == [0, 2]
        assert seating.side(SUN) == [1, 3]


@pytest.mark.parametrize("players", [3, 4])
def test_who_leads_first_is_drawn_by_lot(players: int) -> None:
    """Section 2: any seat is equally likely to be first dealer of four or lone player of three."""
    state = GAME.start(GAME.setup(players))
    assert GAME.actors(state) == (CHANCE,)
    assert GAME.chance(state) == [(f"lead:{seat + 1}", 1.0) for seat in range(players)]
    GAME.do(state, CHANCE, "lead:3")
    assert public(state)["dealer"] == 1
    assert public(state)["lone"] == (2 if players == 3 else None)


@pytest.mark.parametrize("players", [3, 4])
def test_each_place_is_dealt_seven_cards(players: int) -> None:
    """Section 2: all 28 cards are out, seven at each place, and the forehand is on turn."""
    match = Match(GAME, GAME.setup(players, seed="deal"))
    match.advance()
    seen = public(match.state)
    assert [m + s for m, s in zip(seen["moon"], seen["sun"], strict=True)] == [7] * 4
    assert sum(seen["moon"]) == sum(seen["sun"]) == 14
    (seat,) = match.actors
    assert seat == match.state.seating.forehand
    assert (seen["dealer"] + 1) % players == seat


def test_a_deal_names_the_place_of_each_card_in_the_order_of_the_deck() -> None:
    """Notation: the k-th figure is the place, from 1, that gets the k-th card."""
    state = GAME.start(GAME.setup(4))
    GAME.do(state, CHANCE, "lead:1")
    GAME.do(state, CHANCE, "deal:" + "1234" * 7)
    assert GAME.view(state, 0).private["hand"] == [card.name for card in DECK][0::4]
    assert GAME.view(state, 3).private["hand"] == [card.name for card in DECK][3::4]


def test_the_deal_passes_to_the_left() -> None:
    """Section 2: with four players the next dealer is the left neighbour, who so leads later."""
    state, facts = after_deal("", "", forehand=3)
    assert state.seating.forehand == 0
    assert state.round == 2
    GAME.do(state, CHANCE, "deal:" + "1234" * 7, facts)
    assert told(facts, "dealt") == {"round": 2, "dealer": 3, "forehand": 0, "lone": None}


# ------------------------------------------------------------------------ 4 legal actions
def test_the_place_on_turn_plays_a_card_of_its_own_cult() -> None:
    """Section 4: Moon cards for the Moon; what else is in hand may not be played."""
    state = position("MC1 ML3 SC1", "SP ML4", "SL3", "SL4 MP")
    assert legal(state) == ["MC1", "ML3", "order:2", "order:4"]


def test_partner_and_opponents_may_be_ordered() -> None:
    """Reading 4: everyone else who holds a card of the cult on turn; reading 2: not oneself."""
    state = position("MC1", "MC2 SP", "MC3", "MC4 SL3")
    assert legal(state) == ["MC1", "order:2", "order:3", "order:4"]
    assert refusal(state, "order:1").code == "own_order"


def test_the_ordered_player_chooses_which_card_to_give() -> None:
    """Section 4, reading 3: any card of the cult on turn, purgatory included, and no other."""
    state = position("MC1 SC1", "MP MC2 ML3 SP", "", "SL4")
    facts = played(state, "order:2")
    assert facts == [
        Fact("ordered", {"seat": 0, "target": 1, "by": 0, "cult": "moon", "forced": False}),
    ]
    assert GAME.actors(state) == (1,)
    assert GAME.view(state, None).phase == "give"
    assert legal(state) == ["MP", "MC2", "ML3"]


def test_a_card_counts_for_whom_it_was_given() -> None:
    """Section 4: it lies before the place on turn, and the left neighbour of that one goes on."""
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


def test_a_player_may_be_ordered_again_and_again() -> None:
    """Section 4: hands become unequal; who gave three cards still has a turn."""
    state = position("MC1 SC1", "ML3 ML4 ML5 SL3 SL4", "MC2 SC2", "SC3")
    played(state, "order:2", "ML3", "SL3", "order:2", "ML4")
    assert public(state)["moon"] == [1, 1, 1, 0]
    assert public(state)["sun"] == [1, 1, 1, 1]
    assert public(state)["turn"] == 3


def test_t4_the_rulebooks_example_of_a_trick() -> None:
    """T4: A orders C, B orders A, C can only order D, and D plays; A has won and leads."""
    state = position("SL5", "SC2", "MC3", "ML6 SL4")
    facts = played(state, "order:3", "order:1", "SL4")
    laid = [fact.data for fact in facts if fact.kind == "played"]
    assert [data["seat"] for data in laid] == [0, 1, 2, 3]
    assert [data["giver"] for data in laid] == [2, 0, 3, 3]
    assert [data["card"] for data in laid] == ["MC3", "SL5", "ML6", "SL4"]
    assert told(facts, "trick_won")["seat"] == 0
    assert state.lead == state.turn == 0


def test_a_forced_card_is_given_at_once() -> None:
    """Section 4: who is ordered and holds one card of the cult does not have to be asked."""
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
    """Without a card of the own cult and with a single holder, that one is asked at once."""
    state = position("SC1", "SC2 SC3", "MC1 SL7", "ML3 ML4 SL4")
    facts = played(state, "order:3", "SC2")
    orders = [fact.data for fact in facts if fact.kind == "ordered"]
    assert orders[-1] == {"seat": 2, "target": 3, "by": 2, "cult": "moon", "forced": True}
    assert GAME.actors(state) == (3,)
    assert legal(state) == ["ML3", "ML4"]


def test_the_last_two_cards_of_a_deal_play_themselves() -> None:
    """In the seventh trick one card of either cult is left when third and fourth hand come."""
    state = position("MC2", "SC2", "ML3", "SL3", played=6)
    facts = played(state, "MC2", "SC2")
    assert [f.data["forced"] for f in facts if f.kind == "played"] == [False, False, True, True]
    assert GAME.view(state, None).phase == "deal"


# ------------------------------------------------------------------------------ 5 tricks
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
    """Sections 1 and 5: purgatory, clerics by rank, souls, sanctuaries; the first of equals."""
    laid = cards.split()
    state = position(*laid)
    facts = played(state, laid[0], laid[1])
    won = told(facts, "trick_won")
    assert won["seat"] == winner, name
    assert won["cards"] == laid
    assert state.piles[winner % 2] == laid
    assert state.piles[1 - winner % 2] == []
    assert state.lead == state.turn == winner


@pytest.mark.parametrize("cards", ["MP SC1 MC1 SC2", "MC1 SC1 MP SC2", "MC1 SC1 MC2 SP"])
def test_a_purgatory_leaves_the_trick_lying(cards: str) -> None:
    """Section 5: no one wins, the cards lie open, and the place it was played for leads."""
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
    """T9: no winner, four cards lie, seat 1 leads."""
    state = position("MC1", "SP", "ML7", "SC1")
    played(state, "MC1", "SP")
    assert public(state)["pending"] == ["MC1", "SP", "ML7", "SC1"]
    assert state.lead == 1


def test_t10_of_two_purgatories_the_first_leads_on() -> None:
    """T10, reading 6: the trick lies, seat 0 leads."""
    state = position("MP", "SP", "ML7", "SC1")
    played(state, "MP", "SP")
    assert public(state)["pending"] == ["MP", "SP", "ML7", "SC1"]
    assert state.lead == 0


def test_t14_a_purgatory_given_by_an_opponent_leads_for_whom_it_was_given() -> None:
    """T14, reading 9: not the giver but the place it lies before has the lead."""
    state = position("MC2 SC3", "MP MC3 SC4", "ML7", "SC1")
    played(state, "order:2", "MP", "SC4", "ML7", "SC1")
    assert public(state)["tricks"] == [None]
    assert state.lead == 0


def test_the_next_winner_takes_what_lies() -> None:
    """Section 5: eight cards go to the pile of the winner's cult."""
    state = position("MC1", "SC2", "ML7", "SL3", lying="MC2 SP ML3 SC1")
    facts = played(state, "MC1", "SC2")
    assert told(facts, "trick_won")["lying"] == 8
    assert set(state.piles[MOON]) == {"MC1", "SC2", "ML7", "SL3", "MC2", "SP", "ML3", "SC1"}
    assert public(state)["pending"] == []


def test_reading_7_tricks_pile_up() -> None:
    """Reading 7: after the second purgatory eight cards lie, and a third trick decides."""
    state = position("MC1 ML4", "SP SL4", "ML7 ML5", "SC1 SL5", lying="MP SC2 MC2 SL3")
    played(state, "MC1", "SP", "ML7", "SC1")
    assert len(public(state)["pending"]) == 8
    facts = played(state, "SL4", "ML5")
    assert told(facts, "trick_won")["lying"] == 12


def test_t12_what_lies_in_the_end_is_neutral() -> None:
    """T12, reading 8: after the seventh trick cards that lie count for no one."""
    state = position("MP", "SL4", "ML5", "SC1", played=6)
    facts = played(state, "MP", "SL4")
    assert told(facts, "neutral") == {"cards": ["MP", "SL4", "ML5", "SC1"]}
    assert state.totals == [0, 0, 0, 0]
    state = position("MC1", "SP", "ML5", "SC1", played=6, lying="MP SL4 MH3 SC2")
    assert len(told(played(state, "MC1", "SP"), "neutral")["cards"]) == 8


def test_a_purgatory_in_the_pile_counts_nothing() -> None:
    """Section 1: purgatories have no souls."""
    assert account(["MP", "SP", "MH1"], MOON).souls == 0


# ------------------------------------------------------------------------------- scoring
def test_t2_the_rulebooks_example_of_scoring() -> None:
    """T2: 17 souls times the Obelisk; the Temple of the Moon was only kept from the Moon."""
    assert account(EXAMPLE_PILE, SUN) == (17, 3)
    assert account(EXAMPLE_PILE, SUN).points == 51


def test_t3_the_same_cards_for_the_moon() -> None:
    """T3: 17 souls times the Temple."""
    assert account(EXAMPLE_PILE, MOON).points == 34


def test_t15_without_a_sanctuary_of_their_own_all_souls_are_lost() -> None:
    """T15: seven souls and a foreign Obelisk are nothing."""
    assert account(["SL7", "MH3"], SUN) == (7, 0)
    assert account(["SL7", "MH3"], SUN).points == 0


@pytest.mark.parametrize(
    ("sanctuaries", "factor"),
    [("1", 1), ("2", 2), ("3", 3), ("1 2", 3), ("1 3", 4), ("2 3", 5), ("1 2 3", 6)],
)
def test_sanctuaries_add_up(sanctuaries: str, factor: int) -> None:
    """Section 5: Altar once, Temple twice, Obelisk three times, and all that they make together."""
    pile = ["SL5", *(f"SH{n}" for n in sanctuaries.split())]
    assert account(pile, SUN).points == 5 * factor


def test_partners_share_their_points() -> None:
    """Section 5: after the seventh trick both sides count, and each partner gets it all."""
    state, facts = after_deal("SL7 ML3 MC5 MH2", "SC1 SL4 SH3 SH2")
    # The last trick adds two clerics, MC4 and SC5, and both altars to the Moon's pile.
    assert state.totals == [39, 25, 39, 25]
    scored = [fact.data for fact in facts if fact.kind == "scored"]
    assert scored[0] == {
        "cult": "moon",
        "seats": [0, 2],
        "cards": ["MC4", "MC5", "ML3", "MH2", "MH1", "SC5", "SL7", "SH1"],
        "souls": 13,
        "factor": 3,
        "points": 39,
    }
    assert scored[1]["points"] == 25
    assert public(state)["accounts"] == [
        {
            "lone": None,
            "moon": {"souls": 13, "factor": 3, "points": 39},
            "sun": {"souls": 5, "factor": 5, "points": 25},
        }
    ]


# ------------------------------------------------------------------------ 6 end of match
def finished(totals: list[int], **options: Any) -> Outcome | None:
    """The outcome after a deal that changes no total."""
    state, _ = after_deal("", "SL3", totals=totals, **options)
    # The Moon takes the last trick: two souls times its altar.
    return GAME.outcome(state)


def moon_minus_two(moon: int, sun: int) -> list[int]:
    """Totals that become these after the two points of ``after_deal``."""
    return [moon - 2, sun, moon - 2, sun]


def test_a_team_wins_with_a_thousand() -> None:
    """Section 6: the match ends after a deal in which a team has reached 1000 points."""
    assert finished(moon_minus_two(999, 900)) is None
    outcome = finished(moon_minus_two(1000, 900))
    assert outcome == Outcome((1, 2, 1, 2), (1000.0, 900.0, 1000.0, 900.0), "goal")


def test_the_higher_total_wins() -> None:
    """Section 6: it does not matter who was first there."""
    outcome = finished(moon_minus_two(1000, 1040))
    assert outcome is not None
    assert outcome.winners() == (1, 3)


def test_equal_teams_play_one_more_deal() -> None:
    """Section 6: teams that both have exactly as much above the goal go on."""
    assert finished(moon_minus_two(1010, 1010)) is None


def test_reading_13_a_deal_is_played_to_its_end() -> None:
    """Reading 13: points exist only after the seventh trick."""
    state = position("MC1 MH3", "SC1 SL3", "ML7 ML3", "SL7 SH1", totals=[999] * 4)
    played(state, "MC1", "SL3", "ML7", "SL7")
    assert GAME.outcome(state) is None
    assert state.totals == [999] * 4


@pytest.mark.parametrize(
    ("moon", "sun", "winner", "reason"),
    [
        (333, 376, "moon", "exact"),  # T21: how the author's first game ended
        (376, 333, "sun", "exact"),
        (333, 666, "moon", "exact"),
        (999, 666, "sun", "exact"),
        (999, 1200, "moon", "exact"),
        (1200, 333, "sun", "exact"),
        (1001, 1200, "sun", "goal"),
    ],
)
def test_the_variant_with_exact_goals(moon: int, sun: int, winner: str, reason: str) -> None:
    """Section 6: exactly 333 beats exactly 666, that beats 999, and that beats a thousand."""
    outcome = finished(moon_minus_two(moon, sun), exact=True)
    assert outcome is not None
    assert outcome.winners() == ((0, 2) if winner == "moon" else (1, 3))
    assert outcome.reason == reason


def test_exact_goals_count_only_in_the_variant() -> None:
    """Section 6: in the plain game 333 is a total like any other."""
    assert finished(moon_minus_two(333, 376)) is None
    assert finished(moon_minus_two(334, 376), exact=True) is None


def test_the_same_exact_goal_is_shared() -> None:
    """Section 6: both sides at exactly 666 win together."""
    outcome = finished(moon_minus_two(666, 666), exact=True)
    assert outcome == Outcome((1, 1, 1, 1), (666.0,) * 4, "exact")


def test_a_match_ends_after_the_last_allowed_deal() -> None:
    """Section 9: a cap that no match has ever reached; the higher total wins."""
    state, facts = after_deal("", "", totals=moon_minus_two(500, 400), deal=DEALS_MAX)
    assert GAME.outcome(state) == Outcome((1, 2, 1, 2), (500.0, 400.0, 500.0, 400.0), "deals")
    assert told(facts, "over")["winners"] == [0, 2]


def test_after_the_end_no_one_acts() -> None:
    """Section 6: a finished match accepts nothing more."""
    state, _ = after_deal("", "", totals=moon_minus_two(1000, 0))
    assert GAME.actors(state) == ()
    match = Match(GAME, GAME.setup(4))
    match.state = state
    with pytest.raises(NotYourTurn):
        match.play(0, ["MC1"])


# -------------------------------------------------------------------------- three players
def trio(*hands: str, lone: int = 0, **given: Any) -> TwilightState:
    """A position of three players; the hands are those of the lone player, the left neighbour,
    Neumond and the right neighbour.
    """
    return position(*hands, players=3, forehand=lone, **given)


def test_three_players_sit_around_neumond() -> None:
    """Section 2: lone player, left neighbour, Neumond opposite, right neighbour."""
    state = trio(lone=1)
    assert public(state)["places"] == [1, 2, None, 0]
    assert state.seating.side(MOON) == [1]
    assert state.seating.side(SUN) == [2, 0]


def test_neumonds_hand_lies_open_and_no_other() -> None:
    """Section 2: everyone sees Neumond's cards; the lone player's own hand is hidden."""
    state = trio("MC1 SC1", "SC2", "MP SL3", "ML4")
    for viewer in (0, 1, 2, None):
        assert GAME.view(state, viewer).public["open"] == ["MP", "SL3"]
    assert GAME.view(state, 0).private["hand"] == ["MC1", "SC1"]
    assert "MC1" not in GAME.view(state, 1).to_json()


@pytest.mark.parametrize("lead", [0, 2])
def test_the_lone_player_chooses_from_both_hands(lead: int) -> None:
    """Section 4, readings 11 and 12: on their own turn and on Neumond's, any Moon card of either
    hand, or an order to a Sun player.
    """
    state = trio("MC1 SC1", "SC2 ML7", "MP ML3 SL3", "ML4", lead=lead)
    assert GAME.actors(state) == (0,)
    assert legal(state) == ["MC1", "MP", "ML3", "order:2", "order:3"]
    facts = played(state, "MP" if lead == 0 else "MC1")
    assert told(facts, "played")["seat"] == (0 if lead == 0 else None)
    assert told(facts, "played")["giver"] == (None if lead == 0 else 0)
    assert told(facts, "played")["by"] == 0
    assert public(state)["turn"] == lead + 1


def test_playing_an_open_card_reveals_nothing() -> None:
    """A card of Neumond's was known before; a card from a hand was not."""
    state = trio("MC1 SC1", "SC2 ML7", "MP ML3 SL3", "ML4 SL4")
    (from_neumond,) = played(state.clone(), "MP")
    (from_hand,) = played(state, "MC1")
    assert not from_neumond.reveals
    assert from_hand.reveals


def test_the_sun_orders_the_lone_player_and_neumond_apart() -> None:
    """Section 4: the lone player gives from their own hand, or chooses Neumond's Sun card."""
    state = trio("SC1 SC3", "SC2", "SL3 SL4", "SL5", lead=1)
    assert legal(state) == ["SC2", "order:1", "order:N", "order:3"]
    ordered = state.clone()
    played(ordered, "order:1")
    assert GAME.actors(ordered) == (0,)
    assert legal(ordered) == ["SC1", "SC3"]
    played(state, "order:N")
    assert GAME.actors(state) == (0,)
    assert legal(state) == ["SL3", "SL4"]


def test_neumond_can_win_a_trick() -> None:
    """Reading 10: it goes to the Moon's pile, Neumond leads and the lone player decides."""
    state = trio("ML3 SC2", "SL3 SL5", "MC1 MC2", "SL4 ML5")
    facts = played(state, "ML3", "SL3", "MC1", "SL4")
    assert told(facts, "trick_won")["seat"] is None
    assert state.piles[MOON] == ["ML3", "SL3", "MC1", "SL4"]
    assert state.lead == 2
    assert GAME.actors(state) == (0,)


def test_the_trick_before_is_shown_with_those_who_sat_there() -> None:
    """The last trick stays to be seen in the next deal, where people sit elsewhere."""
    state = trio("MC1", "SL3", "ML3", "SL4", lone=2, played=6)
    played(state, "MC1", "SL3")
    last = public(state)["last"]
    assert [each["seat"] for each in last["laid"]] == [2, 0, None, 1]
    assert last["winner"] == 0
    assert public(state)["places"] == [1, 2, None, 0]


def test_individual_accounts() -> None:
    """Section 6: the lone player gets the Moon's points, either Sun player all of the Sun's."""
    state, facts = after_deal("SL7 ML3 MC5 MH2", "SC1 SL4 SH3 SH2", players=3, forehand=1)
    assert state.totals == [25, 39, 25]
    assert public(state)["neumond"] == 39
    assert told(facts, "totals") == {"round": 1, "totals": [25, 39, 25], "neumond": 39}


def test_neumond_cannot_win() -> None:
    """Section 6: Neumond's account neither ends the match nor counts in its outcome."""
    state = position("MH1", "SH1", "MC4", "SC5", played=6, players=3)
    state.neumond = 1000
    played(state, "MH1", "SH1")
    assert GAME.outcome(state) is None
    assert state.neumond == 1002


def test_t19_the_lone_player_changes_to_the_right() -> None:
    """T19: over six deals the right neighbour is next and the left one deals."""
    lone = []
    state = trio(lone=0)
    for _ in range(6):
        lone.append((state.seating.lone, state.seating.dealer))
        state = _next_deal(state)
    assert lone == [(0, 2), (2, 1), (1, 0)] * 2


def _next_deal(state: TwilightState) -> TwilightState:
    after, _ = after_deal("", "", players=3, forehand=state.seating.forehand)
    return after


def test_single_players_may_share_the_victory() -> None:
    """Section 6: two Sun players with the same points win together."""
    outcome = finished([998, 1000, 1000], players=3, forehand=1)
    assert outcome == Outcome((3, 1, 2), (998.0, 1002.0, 1000.0), "goal")
    outcome = finished([900, 1000, 1000], players=3, forehand=0)
    assert outcome == Outcome((3, 1, 1), (902.0, 1000.0, 1000.0), "goal")


def test_reading_14_three_players_stop_at_once() -> None:
    """Reading 14: whether or not everyone was the lone player as often."""
    assert finished([1000, 0, 0], players=3, deal=4) is not None


@pytest.mark.parametrize(("deal", "over"), [(4, False), (5, False), (6, True)])
def test_option_complete_rounds(deal: int, over: bool) -> None:
    """Reading 14: with complete rounds the match ends only after everyone's turn alone."""
    outcome = finished([1000, 0, 0], players=3, deal=deal, lone="rounds")
    assert (outcome is not None) == over


def test_the_cap_ends_complete_rounds_too() -> None:
    """Section 9: the last allowed deal completes a round."""
    assert DEALS_MAX % 3 == 0


def test_option_fixed_teams() -> None:
    """Reading 15: the lone player stays, and there are two accounts as with four players."""
    state, _ = after_deal("", "", players=3, forehand=2, lone="fixed")
    assert state.seating.forehand == 2
    assert public(state)["lone"] == 2
    assert finished([1008, 1008, 1006], players=3, forehand=2, lone="fixed") is None
    outcome = finished([1008, 1008, 1016], players=3, forehand=2, lone="fixed")
    assert outcome == Outcome((2, 2, 1), (1008.0, 1008.0, 1018.0), "goal")


def test_options_for_three_do_not_exist_for_four() -> None:
    """Who plays alone is no question with four players."""
    assert set(GAME.setup(4).options) == {"exact"}
    assert set(GAME.setup(3).options) == {"exact", "lone"}


# -------------------------------------------------------------------- 7 what who may know
def test_a_hand_is_its_owners_alone() -> None:
    """Section 7: no view of anyone else names a card of a hidden hand."""
    state = position("MC1 SC1", "MC2 SC2", "MC3 SC3", "MC4 SC4")
    for viewer in (0, 1, 2, 3, None):
        seen = GAME.view(state, viewer).to_json()
        for place in range(4):
            for card in (f"MC{place + 1}", f"SC{place + 1}"):
                assert (card in seen) == (viewer == place), (viewer, card)


def test_what_lies_open_is_seen_by_all() -> None:
    """Section 7: the trick with its givers, what lies, and the last trick."""
    state = position("MC1 ML3", "SP SL3", "MC2 ML4", "SC4 SL4", lying="MC5")
    played(state, "MC1", "SP", "MC2", "SC4", "order:4")
    seen = public(state)
    assert seen["table"] == [{"place": 1, "giver": 3, "card": "SL4"}]
    assert set(seen["pending"]) == {"MC5", "MC1", "SP", "MC2", "SC4"}
    assert [each["card"] for each in seen["last"]["laid"]] == ["MC1", "SP", "MC2", "SC4"]


def test_tricks_taken_lie_face_down() -> None:
    """Section 7: a spectator's view names no card of a trick but the last one."""
    state = position("MC1 MC2 ML3", "SL3 SL4 SL5", "ML4 ML5 ML6", "SL6 SL7 SH1")
    played(state, "MC1", "SL3", "ML4", "SL6", "MC2", "SL4", "ML5", "SL7")
    seen = GAME.view(state, None).to_json()
    assert all(card not in seen for card in ("MC1", "SL3", "ML4", "SL6"))
    assert all(card in seen for card in ("MC2", "SL4", "ML5", "SL7"))


def test_complete_tricks_of_a_deal_may_not_be_looked_up() -> None:
    """Section 7: what was played from the deal to the end of the last trick is covered; with the
    next deal nothing of it is any more.
    """
    rng = random.Random(3)
    match = Match(GAME, GAME.setup(4))
    match.advance()
    dealt = match.ply
    while match.state.round == 1:
        (seat,) = match.actors
        tricks = len(match.state.winners)
        match.play(seat, [rng.choice(GAME.legal(match.state, seat))])
        covered = GAME.covered(match.state)
        if match.state.round == 1:
            assert covered.start == dealt
            assert bool(covered) == bool(match.state.winners)
            if len(match.state.winners) > tricks:
                assert covered.stop == match.ply
    assert list(covered) == []


def test_a_good_memory_knows_the_piles() -> None:
    """What was seen may be remembered: a seat's view holds it for those who think."""
    state = position("MC1 ML3", "SL3 SL5", "ML4 ML6", "SL6 SH1")
    played(state, "MC1", "SL3", "ML4", "SL6")
    assert GAME.view(state, 3).private["taken"] == [["MC1", "ML4", "SL6", "SL3"], []]
    assert GAME.view(state, None).private == {}


def test_a_deal_is_shown_to_each_as_far_as_it_is_his() -> None:
    """Section 7: of a deal everyone sees the own cards, and all see Neumond's."""
    four, three = (GAME.start(GAME.setup(n)) for n in (4, 3))
    deal = Event(CHANCE, "deal:" + "1234" * 7)
    GAME.do(four, CHANCE, "lead:1")
    GAME.do(three, CHANCE, "lead:2")
    assert GAME.observed(four, deal, 2) == "deal:" + "??3?" * 7
    assert GAME.observed(four, deal, None) == "deal:" + "????" * 7
    assert GAME.observed(three, deal, 1) == "deal:" + "1?3?" * 7
    assert GAME.observed(three, deal, 0) == "deal:" + "??34" * 7
    assert GAME.observed(three, deal, None) == "deal:" + "??3?" * 7


@pytest.mark.parametrize("players", [3, 4])
def test_sampled_worlds_keep_what_is_remembered(players: int) -> None:
    """A world sampled for a seat has its piles, its hand and the right backs; all 28 cards are
    somewhere once.
    """
    rng = random.Random(players)
    for state in random_states(players, seed=players):
        if state.phase not in ("play", "give"):
            continue
        for viewer in (*range(players), None):
            world = GAME.determinize(GAME.view(state, viewer), rng)
            cards = [*state.table, *state.pending]
            for part in (*world.hands, *world.piles):
                cards += part
            assert sorted(cards) == sorted(CARDS)
            assert [len(hand) for hand in world.hands] == [len(hand) for hand in state.hands]
            if viewer is not None:
                assert list(map(sorted, world.piles)) == list(map(sorted, state.piles))


# ------------------------------------------------------------------ refusals and notation
@pytest.mark.parametrize("text", ["MC1", "mc1", " mc1 ", "m c1", "MC 1", "mc-1"])
def test_cards_may_be_typed_as_one_likes(text: str) -> None:
    """Case, blanks and hyphens do not matter."""
    assert GAME.parse(position("MC1 ML3"), 0, text) == "MC1"


@pytest.mark.parametrize("text", ["order:2", "Order 2", "ORDER:2", " order  2 "])
def test_orders_may_be_typed_as_one_likes(text: str) -> None:
    """Case and blanks do not matter."""
    assert GAME.parse(position("MC1", "ML3"), 0, text) == "order:2"


def test_neumond_is_called_by_name() -> None:
    """With three players an order may go to him."""
    state = trio("", "SC1", "SL3", lead=1)
    assert GAME.parse(state, 1, "order neumond") == GAME.parse(state, 1, "order:n") == "order:N"


@pytest.mark.parametrize("text", ["", "C1", "XC1", "MC6", "ML2", "zz", "MC1 SC1"])
def test_what_is_neither_card_nor_order_is_unknown(text: str) -> None:
    """Anything else is refused as unknown."""
    error = refusal(position("MC1", "ML3"), text)
    assert error.code == "unknown_card"
    assert error.data == {"text": text}


@pytest.mark.parametrize("text", ["order", "order 5", "order Anna"])
def test_an_order_goes_to_someone_who_sits_there(text: str) -> None:
    """Seats are numbered from 1; by name people are known only to the table."""
    error = refusal(position("MC1", "ML3"), text)
    assert (error.code, error.data) == ("no_such_place", {"text": text})


def test_the_text_of_a_refusal_is_cut() -> None:
    """A very long text is not quoted in full."""
    assert len(refusal(position("MC1", "ML3"), "K" * 3000).data["text"]) == 40


@pytest.mark.parametrize(
    ("text", "code", "data"),
    [
        ("SC1", "wrong_cult", {"card": "SC1", "cult": "moon"}),
        ("SC5", "wrong_cult", {"card": "SC5", "cult": "moon"}),
        ("MC5", "not_in_hand", {"card": "MC5"}),
        ("ML3", "not_in_hand", {"card": "ML3"}),
        ("order:1", "own_order", {"cult": "moon"}),
        ("order:3", "no_such_back", {"target": 2, "cult": "moon"}),
        ("order:N", "no_such_place", {"text": "order:N"}),
    ],
)
def test_a_refusal_names_the_rule(text: str, code: str, data: dict[str, Any]) -> None:
    """Each reason has its code, and a card in someone else's hand is refused like any other."""
    error = refusal(position("MC1 SC1", "ML3", "SL3", "MC4"), text)
    assert (error.code, error.data) == (code, data)


def test_who_was_ordered_cannot_pass_it_on() -> None:
    """Section 4: the ordered player gives a card."""
    state = position("SC1", "MC2 MC3", "MC4", "SL3")
    played(state, "order:2")
    error = refusal(state, "order:3")
    assert (error.code, error.data) == ("already_ordered", {"cult": "moon"})
    assert refusal(state, "SC5").code == "wrong_cult"
    assert refusal(state, "MC4").code == "not_in_hand"


def test_the_two_hands_of_the_lone_player_are_kept_apart_for_the_sun() -> None:
    """Section 4: ordered in person, the lone player cannot give Neumond's card, nor vice versa."""
    state = trio("SC1 SC3", "SC2", "SL3 SL4", "SL5", lead=1)
    ordered = state.clone()
    played(ordered, "order:1")
    assert refusal(ordered, "SL3").code == "lone_gives"
    assert refusal(ordered, "SL5").code == "not_in_hand"
    played(state, "order:N")
    assert refusal(state, "SC1").code == "neumond_gives"
    assert refusal(state, "SL5").code == "neumond_gives"


def test_neumond_is_not_ordered_by_the_lone_player() -> None:
    """Reading 11: the lone player picks Neumond's card."""
    state = trio("MC1", "SC2 ML3", "MC4", "ML5")
    assert refusal(state, "order:N").code == "own_order"
    assert refusal(state, "order:1").code == "own_order"


@pytest.mark.parametrize("players", [3, 4])
def test_refusals_do_not_tell_where_a_card_is(players: int) -> None:
    """In all worlds that a seat cannot tell apart, any text is refused to it in the same way."""
    rng = random.Random(players)
    texts = [*CARDS, "order:1", "order:2", "order:3", "order:4", "order:N", "nonsense"]
    for state in random_states(players, seed=7):
        if state.phase not in ("play", "give") or rng.random() < 0.8:
            continue
        (seat,) = state.actors
        world = GAME.determinize(GAME.view(state, seat), rng)
        for text in texts:
            assert _verdict(state, seat, text) == _verdict(world, seat, text), text


def _verdict(state: TwilightState, seat: int, text: str) -> object:
    try:
        return GAME.parse(state, seat, text)
    except IllegalMove as error:
        return error.code, error.data


# ------------------------------------------------------------- the rules once more, slowly
@pytest.mark.seeds(3)
@pytest.mark.parametrize("players", [3, 4])
def test_matches_agree_with_the_slow_rules(players: int, seed: int) -> None:
    """Legal moves, who decides, forced cards, tricks and points are those of rules written a
    second time, in every position of a match.
    """
    rng = random.Random(seed)
    state = GAME.start(GAME.setup(players))
    slow, totals = None, [0] * players
    while actors := GAME.actors(state):
        if actors == (CHANCE,):
            GAME.do(state, CHANCE, GAME.sample(state, rng))
            slow = _slow_copy(state) if state.phase == "play" else None
            continue
        assert slow is not None
        assert (slow.actor,) == actors
        assert slow.moves() == set(legal(state))
        move = rng.choice(legal(state))
        sides = [state.seating.side(MOON), state.seating.side(SUN)]
        GAME.do(state, actors[0], move)
        slow.play(move)
        if slow.over:
            for side, gained in zip(sides, slow.points(), strict=True):
                for seat in side:
                    totals[seat] += gained
            assert totals == state.totals, seed
        else:
            assert [card for _, card in slow.table] == state.table
            assert slow.lying == state.pending


def _slow_copy(state: TwilightState) -> SlowDeal:
    """A slow deal with the hands just dealt."""
    hands = [{*state.hands[2 * place], *state.hands[2 * place + 1]} for place in range(4)]
    people = [who for (who,) in state.seating.controllers]
    return SlowDeal(people, hands, state.seating.lone != NOBODY, state.turn)


def test_slow_points_of_the_example() -> None:
    """The second judge agrees with the rulebook's example."""
    assert points("S", list(EXAMPLE_PILE)) == 51


# ------------------------------------------------------------------------------ statistics
def test_t22_random_deals_have_no_dead_end_and_end_in_time() -> None:
    """T22, section 9: the place on turn can always get a card; matches stay far below the cap."""
    deals = []
    for seed in range(12):
        state = None
        for state in random_states(3 + seed % 2, seed=seed):
            if state.phase == PLAY:
                assert len(legal(state)) > 1, "a single choice is no decision"
        assert state is not None
        deals.append(state.round)
    assert max(deals) <= DEALS_MAX // 2
    assert 8 <= sum(deals) / len(deals) <= 16
