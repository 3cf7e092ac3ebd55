"""Fair Isolde's two games for two players: with a neutral colour, and with two colours each."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from games.engine import CHANCE, IllegalMove
from games.isolde import IsoldeState
from games.isolde.cards import names
from games.isolde.state import Due
from tests.games.isolde_table import (
    COLOURS,
    GAME,
    asked,
    close,
    dealt,
    decide,
    due,
    give_hand,
    give_shields,
    kinds,
    place,
    played,
    positions,
    score,
    table,
    told,
    won,
)

NEUTRAL = 2
ALL_BUT_CHALLENGE: dict[str, Any] = dict.fromkeys(
    ("galanterie", "magie", "turnier", "kodex", "koenig", "gral", "barm"), True
)


def parzival(round_: int = 1, starter: str = "A", **options: Any) -> IsoldeState:
    """A position with colours A, B and the neutral C."""
    return table(2, round_, starter, duo="parzival", **options)


def lancelot(round_: int = 1, starter: str = "A", **options: Any) -> IsoldeState:
    """A position with colours A and C of seat 0, B and D of seat 1."""
    return table(2, round_, starter, duo="lancelot", **options)


# ------------------------------------------------------------------------------- Parzival


def test_parzival_deals_five_cards_to_the_neutral_colour_too() -> None:
    """There are three packs of five; nobody sees the third."""
    state = parzival()
    due(state, Due("deal"))
    deal = GAME.sample(state, random.Random(1))
    packs = deal.removeprefix("deal:").split("/")
    assert [len(pack) for pack in packs] == [15] * 3
    decide(state, deal)
    assert [len(pack) for pack in state.packs] == [5, 5, 5]
    assert all(names(state.packs[2]) not in GAME.view(state, s).private["seen"] for s in (0, 1))


def test_parzival_neutral_takes_the_highest_card() -> None:
    """The neutral colour keeps the highest card of its pack; of several equally high cards, each
    copy is equally likely.
    """
    state = parzival()
    due(state, Due("deal"), Due("pick", NEUTRAL))
    decide(state, dealt("GRAL2 GRAL3", "BARM2 BARM3", "GRAL5 KAMPF5 KAMPF5 BARM4 STUDIEN3"))
    assert GAME.actors(state) == (CHANCE,)
    assert GAME.chance(state) == [("pick:KAMPF5", 2.0), ("pick:GRAL5", 1.0)]
    seen = [GAME.view(state, seat).private for seat in (0, 1)]
    decide(state, "pick:KAMPF5")
    assert names(state.kept[NEUTRAL]) == ["KAMPF5"]
    assert [GAME.view(state, seat).private for seat in (0, 1)] == seen


def test_parzival_neutral_cards_are_drawn_from_its_pile() -> None:
    """Each card of the pile is equally likely; a card for one board is played at once."""
    state = parzival()
    give_hand(state, "C", "GRAL4 KAMPF5 GRAL4")
    due(state, Due("draw", NEUTRAL))
    assert GAME.chance(state) == [("draw:KAMPF5", 1.0), ("draw:GRAL4", 2.0)]
    facts = decide(state, "draw:GRAL4")
    assert kinds(facts) == ["turned_up", "played"]
    assert positions(state, "GRAL") == "C4 A0 B0"
    assert names(state.hands[NEUTRAL]) == ["KAMPF5", "GRAL4"]


@pytest.mark.rule("isolde", "7.1")
@pytest.mark.parametrize(("starter", "seat"), [("A", 0), ("B", 1)])
def test_parzival_the_starter_decides_for_the_neutral_colour(starter: str, seat: int) -> None:
    state = parzival(starter=starter)
    give_hand(state, "C", "KAMPF5 GRAL4")
    due(state, Due("draw", NEUTRAL))
    decide(state, "draw:KAMPF5")
    assert GAME.actors(state) == (seat,)
    assert GAME.legal(state, seat) == ["play:KAMPF5>LANZE", "play:KAMPF5>TURNIER"]
    decide(state, "play:KAMPF5>TURNIER")
    assert positions(state, "TURNIER") == "C5 A0 B0"

    place(state, "ISOLDE", "C5")
    score(state, "ISOLDE")
    assert GAME.actors(state) == (seat,)
    with pytest.raises(IllegalMove) as refusal:
        GAME.parse(state, seat, "bonus:-")
    assert refusal.value.code == "neutral_moves"
    decide(state, "bonus:GRAL")
    assert positions(state, "GRAL") == "C3 A0 B0"


def test_parzival_the_neutral_colour_cannot_win() -> None:
    state = parzival(round_=6)
    give_shields(state, "C", ("GRAL", 17))
    give_shields(state, "A", ("GRAL", 10))
    (over,) = told(close(state), "over")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.ranks, outcome.scores) == ((1, 2), (10.0, 0.0))
    assert (over["totals"], over["winners"]) == ([10, 0, 17], [0])


def test_parzival_neutral_uses_all_its_magic() -> None:
    state = parzival(round_=2, magie=True)
    place(state, "MAGIE", "C5")
    score(state, "MAGIE")
    assert "magic:-" not in GAME.legal(state, 0)
    decide(state, "magic:GRAL+4", "magic:BARM+2")
    assert (positions(state, "GRAL"), positions(state, "BARM")) == ("C4 A0 B0", "C2 A0 B0")


def test_parzival_neutral_takes_both_bonuses() -> None:
    """With Galanterie, the starter chooses two bonuses for the neutral colour; the next starter
    must be a person.
    """
    state = parzival(galanterie=True)
    place(state, "ISOLDE", "C5 A4")
    give_hand(state, "C", "KAMPF4")
    score(state, "ISOLDE")
    moves = GAME.legal(state, 0)
    assert "bonus:-" not in moves
    assert {"bonus:START>1", "bonus:START>2"} == {m for m in moves if "START" in m}
    decide(state, "bonus:START>2", "bonus:FUENFTE", "play:KAMPF4>LANZE")
    assert (state.appointed, positions(state, "LANZE")) == (1, "C4 A0 B0")
    assert asked(state) == "A"


def test_parzival_no_one_looks_for_the_neutral_colour() -> None:
    """With Kodex, the neutral colour's Studien cards reveal nothing, and when its turn to take a
    shield comes, it takes one at random.
    """
    state = parzival(kodex=True)
    due(state, Due("lay"))
    decide(state, "lay:0,-3,-1")
    give_hand(state, "C", "STUDIEN5 GRAL4")
    due(state, Due("draw", NEUTRAL))
    decide(state, "draw:STUDIEN5")
    assert GAME.actors(state) == ()
    score(state, "STUDIEN")
    assert GAME.actors(state) == (CHANCE,)
    assert GAME.chance(state) == [(f"take:{place}", 1.0) for place in (1, 2, 3)]
    decide(state, "take:2", "take:1")
    assert won(state, "STUDIEN") == {"B": [-1], "C": [-3]}
    known = GAME.view(state, None).public["shields"][NEUTRAL][0]["known_by"]
    assert known == [1]  # B knows it, having the other shield


def test_parzival_charity_for_the_neutral_colour() -> None:
    state = parzival(round_=6, barm=True)
    give_shields(state, "C", ("STUDIEN", -3), ("STUDIEN", -1))
    give_shields(state, "B", ("LANZE", 3), ("LANZE", 2), ("LANZE", 1))
    place(state, "BARM", "C9 A8 B7")
    score(state, "BARM")
    assert GAME.actors(state) == (0,)
    decide(state, "give:-1", "claim:2+1")
    assert won(state, "LANZE") == {"B": [3], "C": [2, 1]}


# ------------------------------------------------------------------------------- Lancelot
SIX = ("GRAL2 GRAL3 GRAL4 BARM2 BARM3 KAMPF5", "KOENIG2 KOENIG3 KOENIG4 STUDIEN3 STUDIEN4 KAMPF4")


def handing(starter: str = "A") -> IsoldeState:
    """A position in which each player has six cards and must split them."""
    state = lancelot(starter=starter)
    due(state, Due("deal"), *state.rules.seating.handing(state.rules.orders[state.starter]))
    decide(state, dealt(*SIX))
    return state


def split(state: IsoldeState) -> None:
    """Separate the Grail cards of the first pack and the King's cards of the second from
    the rest.
    """
    GAME.do(state, 0, GAME.parse(state, 0, "split gral2, gral4, gral3"))
    GAME.do(state, 1, GAME.parse(state, 1, "split:STUDIEN3,STUDIEN4,KAMPF4"))


@pytest.mark.rule("isolde", "7.2")
def test_lancelot_order_of_the_colours() -> None:
    """Each round starts with the next colour, so the two people alternate."""
    state = lancelot()
    orders = ["".join(COLOURS[c] for c in GAME.view(state, None).public["order"])]
    for _ in range(5):
        close(state)
        orders.append("".join(COLOURS[c] for c in GAME.view(state, None).public["order"]))
        state.agenda.clear()
    assert orders == ["ABCD", "BCDA", "CDAB", "DABC", "ABCD", "BCDA"]


@pytest.mark.rule("isolde", "7.2")
def test_lancelot_split_is_hidden_until_both_have() -> None:
    state = handing()
    assert GAME.actors(state) == (0, 1)
    assert len(GAME.legal(state, 0)) == 20
    before = GAME.view(state, 1).public
    GAME.do(state, 0, "split:GRAL2,GRAL3,GRAL4")
    assert GAME.view(state, 1).public == before
    GAME.do(state, 1, "split:STUDIEN3,STUDIEN4,KOENIG2")
    assert GAME.view(state, None).public["piles"] == [
        [["GRAL2", "GRAL3", "GRAL4"], ["KAMPF5", "BARM2", "BARM3"]],
        [["STUDIEN3", "STUDIEN4", "KOENIG2"], ["KAMPF4", "KOENIG3", "KOENIG4"]],
    ]


@pytest.mark.rule("isolde", "7.2")
@pytest.mark.parametrize(
    ("starter", "first", "hands"),
    [
        ("A", 0, ["GRAL KAMPF4 STUDIEN", "BARM KAMPF5 KOENIG"]),
        ("C", 0, ["GRAL KAMPF4 STUDIEN", "BARM KAMPF5 KOENIG"]),
        ("B", 1, ["BARM KAMPF5 KOENIG", "GRAL KAMPF4 STUDIEN"]),
    ],
)
def test_lancelot_the_starter_takes_a_pile_first(
    starter: str, first: int, hands: list[str]
) -> None:
    """Each player takes one of the other's piles and keeps the remaining one of their own."""
    state = handing(starter)
    split(state)
    assert GAME.actors(state) == (first,)
    decide(state, "pile:1")
    assert GAME.actors(state) == (1 - first,)
    decide(state, "pile:2")
    for cards, hand in zip(GAME.view(state, None).public["open"], hands, strict=True):
        assert len(cards) == 6
        assert {card if "KAMPF" in card else card[:-1] for card in cards} == set(hand.split())


def test_lancelot_equal_piles_are_no_choice() -> None:
    state = lancelot()
    due(state, Due("deal"), *state.rules.seating.handing((0, 1, 2, 3)))
    decide(state, dealt("GRAL2 GRAL2 GRAL3 GRAL3 GRAL4 GRAL4", SIX[1]))
    GAME.do(state, 0, "split:GRAL2,GRAL3,GRAL4")
    GAME.do(state, 1, "split:STUDIEN3,STUDIEN4,KOENIG2")
    assert told(decide(state, "pile:1"), "forced") == [{"colour": 1, "by": 1, "move": "pile:1"}]
    assert GAME.view(state, None).phase == "assign"


def test_lancelot_assignment_is_secret() -> None:
    state = handing()
    split(state)
    decide(state, "pile:1", "pile:1")
    assert GAME.actors(state) == (0, 1)
    mine = GAME.view(state, 0).private["pack"]
    GAME.do(state, 0, GAME.legal(state, 0)[0])
    GAME.do(state, 1, GAME.legal(state, 1)[0])
    view = GAME.view(state, 0)
    assert view.public["hands"] == [3, 3, 3, 3]
    assert sorted(view.private["hands"][0] + view.private["hands"][2]) == sorted(mine)
    assert view.private["hands"][1] is view.private["hands"][3] is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("split:GRAL2,GRAL3", "half_needed"),
        ("split:GRAL2,GRAL3,GRAL4,BARM2", "half_needed"),
        ("split:GRAL2,GRAL2,GRAL3", "not_in_pack"),
        ("split:KOENIG2,GRAL2,GRAL3", "not_in_pack"),
        ("split:DRACHE,GRAL2,GRAL3", "unknown_card"),
    ],
)
def test_lancelot_refused_splits(text: str, code: str) -> None:
    state = handing()
    with pytest.raises(IllegalMove) as refusal:
        GAME.parse(state, 0, text)
    assert refusal.value.code == code


@pytest.mark.rule("isolde", "4.1", "7.2")
def test_lancelot_all_twelve_cards_are_played() -> None:
    state, log = played(2, seed=3, until="play", duo="lancelot")
    begin = len(log)
    order = list(GAME.view(state, None).public["order"])
    _, full = played(2, seed=3, duo="lancelot")
    facts: list[Any] = []
    for event in full[begin:]:
        GAME.do(state, event.seat, event.move, facts)
        if told(facts, "round_over"):
            break
    colours = [data["colour"] for data in told(facts, "played")]
    assert colours == order * 3
    spent = Counter(data["card"] for data in told(facts, "played"))
    assert sum(spent.values()) == 12


def test_lancelot_plays_the_last_card_by_itself() -> None:
    """A last card is played at once unless it fits several boards."""
    state = lancelot()
    give_hand(state, "A", "GRAL4")
    facts = due(state, Due("play", 0))
    assert kinds(facts) == ["forced", "played"]
    give_hand(state, "C", "KAMPF4")
    due(state, Due("play", 2))
    assert GAME.actors(state) == (0,)


@pytest.mark.rule("isolde", "5.1", "7.2")
def test_lancelot_bonuses_move_the_colour_that_won_them() -> None:
    state = lancelot()
    place(state, "ISOLDE", "C5 D4 A3")
    score(state, "ISOLDE")
    deciders = []
    for _ in range(3):
        deciders.append(GAME.actors(state))
        decide(state, "bonus:GRAL")
    assert deciders == [(0,), (1,), (0,)]
    assert positions(state, "GRAL") == "C3 D2 A1 B0"


def test_lancelot_bets_for_each_colour() -> None:
    """With Herausforderung, a bet is made for each of the four colours in the order of the round,
    before the split.
    """
    state = lancelot(herausforderung=True)
    close(state)
    decide(state, GAME.sample(state, random.Random(1)))
    bettors = ""
    while GAME.view(state, None).phase == "bet":
        bettors += asked(state)
        decide(state, "bet:GRAL")
    assert bettors == "BCDA"
    assert GAME.view(state, None).phase == "split"


@pytest.mark.rule("isolde", "7.2", "8.2")
def test_lancelot_galanterie_has_four_bonuses() -> None:
    """There is no fifth card; the start bonus may name any colour."""
    state = lancelot(galanterie=True)
    place(state, "ISOLDE", "A5 B4 C3")
    score(state, "ISOLDE")
    assert {f"bonus:START>{n}" for n in (1, 2, 3, 4)} <= set(GAME.legal(state, 0))
    with pytest.raises(IllegalMove) as refusal:
        GAME.parse(state, 0, "FUENFTE")
    assert refusal.value.code == "no_fifth_card"
    decide(state, "bonus:START>4", "bonus:KOENIG2", "bonus:EINS>GRAL", "bonus:SCHWERT>LANZE")
    assert GAME.actors(state) == ()
    close(state)
    assert GAME.view(state, None).public["order"] == [3, 0, 1, 2]


@pytest.mark.rule("isolde", "7.2")
def test_lancelot_example_34_totals() -> None:
    state = lancelot(round_=6)
    give_shields(state, "A", ("GRAL", 17), ("LANZE", 3), ("LANZE", 1))
    give_shields(state, "C", ("KOENIG", 6), ("LANZE", 3))
    give_shields(state, "B", ("KOENIG", 12), ("GRAL", 10), ("LANZE", 3))
    give_shields(state, "D", ("GRAL", 4))
    close(state)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.scores, outcome.ranks) == ((30.0, 29.0), (1, 2))


@pytest.mark.rule("isolde", "7.2")
def test_lancelot_is_scored_as_with_four() -> None:
    """There are three prizes and two penalties, as with four colours."""
    state = lancelot(round_=6)
    place(state, "GRAL", "D9 C8 B7 A6")
    place(state, "BARM", "D9 C8 B7 A6")
    score(state, "GRAL", "BARM")
    assert won(state, "GRAL") == {"D": [17], "C": [10], "B": [4]}
    assert won(state, "BARM") == {"A": [-10], "B": [-5]}


@pytest.mark.rule("isolde", "8.1")
@pytest.mark.parametrize("duo", ["parzival", "lancelot"])
def test_all_variants_together(duo: str) -> None:
    """Both games for two work with all variants at once, except Herausforderung, which excludes
    Galanterie.
    """
    state, _ = played(2, seed=5, duo=duo, **ALL_BUT_CHALLENGE)
    assert GAME.outcome(state) is not None
