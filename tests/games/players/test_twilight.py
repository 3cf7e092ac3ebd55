"""The computer player of Twilight: card sense, values of positions, and motives of moves."""

from __future__ import annotations

import random

import pytest

from benchmarks.regret import expectations, lead_of_moon
from games.engine import Match, Move
from games.players import Advice, Budget
from games.players.advice import Stop
from games.players.search import Search
from games.players.twilight import TwilightPolicy
from games.twilight import CARDS, TRICKS, Twilight, TwilightState
from tests.games.twilight_table import after_deal, position

GAME = Twilight()
POLICY = TwilightPolicy(GAME)


def advice(state: TwilightState, iterations: int = 200, seed: int = 1) -> Advice:
    """The search's advice for the seat to move."""
    view = GAME.view(state, state.actors[0])
    return Search(POLICY, view, random.Random(seed)).run(Budget(iterations))


def glance(state: TwilightState, seed: int = 1) -> Move:
    """The move that the policy plays without a search."""
    return POLICY.pick(state, state.actors[0], random.Random(seed))


def ending(*hands: str, lead: int = 0, table: str = "", ordered: str = "") -> TwilightState:
    """The end of a deal; the Moon has taken all cards not listed.

    :param table: cards played to this trick, each from the hand of its place.
    :param ordered: an order given after these cards.
    """
    held = [cards.split() for cards in hands]
    laid = table.split()
    for n, card in enumerate(laid):
        held[(lead + n) % 4].append(card)
    cards = sum(map(len, held))
    state = position(*map(" ".join, held), lead=lead, played=7 - cards // 4)
    state.piles[0] = [card for card in CARDS if not any(card in hand for hand in held)]
    for move in [*laid, *ordered.split()]:
        GAME.do(state, state.actors[0], move)
    return state


# ----------------------------------------------------------------------------- obvious moves
@pytest.mark.parametrize("iterations", [40, 400])
def test_a_trick_that_can_surely_be_taken_is_taken(iterations: int) -> None:
    """The first of equal cards is higher: only a leading Hierarch cannot be beaten."""
    state = ending("MC1", "SL7", "ML3", "SC1")
    assert advice(state, iterations).best == "MC1"


def test_the_last_trick_is_examined_to_its_end() -> None:
    found = advice(ending("MC1", "SL7", "ML3", "SC1"))
    assert found.stop is Stop.SOLVED
    assert [ranked.move for ranked in found.moves] == ["MC1", "order:3"]


OBVIOUS = [
    pytest.param(
        ending("MC5", "SL4", "ML4", "SC4 SL3", table="ML7 SL5 MH3"), "SC4", id="takes what is free"
    ),
    pytest.param(
        ending("ML5", "SC2", "ML4", "SL4 SH3", table="MC1 SL3 ML3"), "SL4", id="saves a sanctuary"
    ),
    pytest.param(
        ending("MC1", "SC5", "ML4", "SC2 SH3", table="ML3 SC1 MC3"),
        "SH3",
        id="gives to the partner",
    ),
    pytest.param(
        ending("MC5", "SL4", "ML4 MH2", "SL6", lead=1, table="SC1 ML3 SL7", ordered="order:3"),
        "ML4",
        id="saves a sanctuary from a partner's order",
    ),
    pytest.param(
        ending("SL6", "MC4 MH3", "ML4", "SC5 SL5", table="MC2 SL3", ordered="order:2"),
        "MC4",
        id="gives opponents little",
    ),
]


@pytest.mark.parametrize(("state", "move"), OBVIOUS)
def test_obvious_moves_are_found(state: TwilightState, move: Move) -> None:
    assert glance(state) == move
    assert advice(state).best == move


# ------------------------------------------------------------------------ values and weights


def test_before_the_deal_all_moves_are_equal() -> None:
    assert list(POLICY.values(GAME.start(GAME.setup(3)))) == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("players", [3, 4])
def test_values_follow_the_points_of_the_deal(players: int) -> None:
    """Partners share the points; with three players, two play against the lone player."""
    state, _ = after_deal("MH3 SL7", "SH1 ML7", players=players, forehand=1)
    values = POLICY.values(state)
    moon = [seat for seat, value in enumerate(values) if value > 0]
    assert moon == ([1] if players == 3 else [0, 2])
    assert sum(values) == pytest.approx(0 if players == 4 else -values[1])


def test_expected_points_count_during_a_deal() -> None:
    state = position("ML3", "SL3", "ML4", "SL4", played=6)
    state.piles = [["MH3", "SL7"], ["ML7"]]
    assert POLICY.values(state)[0] > POLICY.values(state)[1]


def test_the_match_outweighs_the_deal() -> None:
    """More points in the last deal are worth nothing to a side that loses the match anyway."""
    state, _ = after_deal("MH3 SL7", "SH1 ML7", totals=[0, 999, 0, 999])
    assert GAME.outcome(state) is not None
    values = POLICY.values(state)
    assert values[0] < 0 < values[1]


def test_a_point_is_worth_the_same_however_large_the_lead() -> None:
    """Points add up over deals, so points in a deal that is already won count, too."""

    def value(*souls: str) -> float:
        state, _ = after_deal("MH1 MH2 MH3 " + " ".join(souls), "SL3")
        return POLICY.values(state)[0]

    few, more, many, most = (
        value(*["ML7"]),
        value(*["ML7", "ML3"]),
        value(*["ML7", "SL7", "ML6", "SL6", "ML5"]),
        value(*["ML7", "SL7", "ML6", "SL6", "ML5", "ML3"]),
    )
    assert more - few == pytest.approx(most - many)


LOPSIDED = (("flip 87", 0), ("flip 112", 1))
"""Deals, and the side that plays by the policy while the other plays at random."""


@pytest.mark.full
@pytest.mark.parametrize(("seed", "side"), LOPSIDED)
def test_points_are_not_given_away_when_the_deal_is_won(seed: str, side: int) -> None:
    """With two tricks left and a lead of more than 150 points for either side, every seed gives a
    move that is best with open hands.
    """
    match = Match(GAME, GAME.setup(4, {}, seed))
    rng = random.Random(int(seed.split()[1]))
    rng.randrange(2)
    match.advance()
    while len(match.state.winners) < TRICKS - 2:
        seat = match.actors[0]
        glancing = seat % 2 == side
        state = match.state
        move = POLICY.pick(state, seat, rng) if glancing else GAME.random_move(state, seat, rng)
        match.play(seat, [move])
    assert abs(lead_of_moon(match.state)) > 150
    worth = expectations(match, 20, random.Random(1))
    chosen = {advice(match.state, 1000, seed=n).best for n in range(4)}
    assert {worth[move] for move in chosen} == {max(worth.values())}


# ------------------------------------------------------------------------------- the motives
MOTIVES = [
    (ending("MC1 ML7", "SL7", "ML3", "SC1 SL3 SL4 MC4"), "MC1", ["secures"]),
    (ending("MC1 ML7", "SL7", "ML3", "SC1 SL3 SL4 MC4"), "ML7", ["weakest"]),
    (ending("ML4 ML7", "SL7", "ML3", "SC1 SL3 SL4 MC4"), "ML7", []),
    (ending("MC1 ML7", "SL7", "ML3", "SP SL3 SL4 MC4"), "MC1", []),
    (ending("MC1 MP", "SL7", "ML3", "SC1 SL3 SL4 MC4"), "MP", ["stops"]),
    (ending("MC5", "SL4", "ML4 ML7", "SC5 SL3", table="MC1 SL5"), "ML7", ["feeds"]),
    (ending("MC5", "SL4", "MC4 ML7", "SC5 SL3", table="MC1 SL5"), "MC4", []),
    (ending("MC5", "SL4", "ML4 ML7", "SC5 SL3", table="MC1 SL5"), "order:1", ["corners", "spares"]),
    (ending("MC5 MC4", "SL4", "ML7", "SC5 SL3", table="MC1 SL5"), "order:1", ["spares"]),
]


@pytest.mark.parametrize(("state", "move", "told"), MOTIVES)
def test_motives_are_certain(state: TwilightState, move: Move, told: list[str]) -> None:
    """Motives state only what is certain: no trick is certain as long as an opponent may hold a
    Purgatory.
    """
    facts = POLICY.motives(state, state.actors[0], move)
    assert [fact.kind for fact in facts] == told


OPEN = ending("MC1 ML7", "SL7", "ML3", "SC1 SL3 SL4 MC4")
TRAITS = [
    (OPEN, "MC1", {"strongest": None, "brings": 1}),
    (OPEN, "ML7", {"keeps": 1, "brings": 7}),
    (ending("MC1 MH2", "SL7", "ML3", "SC1 SL3 SL4 MC4"), "MH2", {"keeps": 1, "offers": 2}),
    (ending("MC1", "SL7", "ML3", "SC1 MC4"), "MC1", {"last": None, "brings": 1}),
    (ending("MC5", "SL4", "ML4 ML7", "SC5 SL3", table="MC1 SL5"), "order:1", {"corners": None}),
    (ending("MC5 MC4", "SL4", "ML7", "SC5 SL3", table="MC1 SL5"), "order:1", {"among": 2}),
]


@pytest.mark.parametrize(("state", "move", "told"), TRAITS)
def test_traits_say_what_a_card_or_an_order_is_like(
    state: TwilightState, move: Move, told: dict[str, int | None]
) -> None:
    """The traits are the strength of a card and what it adds, or how free the ordered player is."""
    facts = POLICY.traits(state, state.actors[0], move)
    assert {fact.kind: fact.data.get("number") for fact in facts} == told
