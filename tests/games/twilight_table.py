"""Helpers that set up positions of Twilight."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from games.engine import CHANCE, Fact, IllegalMove, Move, Outcome
from games.twilight import CARDS, Twilight, TwilightState
from games.twilight.position import PLAY, seating_for

GAME = Twilight()
EXAMPLE_PILE = {"SL7", "ML3", "SH3", "MH2", "SC4", "ML4", "SC1", "MC5"}
"""The eight cards of the rulebook's scoring example."""


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

    :param forehand: the seat that led first; with three players, the lone player.
    :param played: the number of worthless tricks taken by the Moon.
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
    """A position right after a deal in which the sides took these cards, and then the Moon took the
    last trick: MH1, SH1, MC4 and SC5.
    """
    state = position("MH1", "SH1", "MC4", "SC5", played=6, players=players, **given)
    state.piles = [moon.split(), sun.split()]
    state.round = deal
    facts = played(state, "MH1", "SH1")
    return state, facts


def played(state: TwilightState, *texts: str) -> list[Fact]:
    """Play the moves, each by the seat to decide, and return the facts."""
    facts: list[Fact] = []
    for text in texts:
        (seat,) = GAME.actors(state)
        GAME.do(state, seat, GAME.parse(state, seat, text), facts)
    return facts


def kinds(facts: list[Fact]) -> list[str]:
    return [fact.kind for fact in facts]


def told(facts: list[Fact], kind: str) -> Mapping[str, Any]:
    """The data of the only fact of a kind."""
    (data,) = (fact.data for fact in facts if fact.kind == kind)
    return data


def public(state: TwilightState) -> Mapping[str, Any]:
    return GAME.view(state, None).public


def legal(state: TwilightState) -> list[Move]:
    """The moves of the seat that decides."""
    (seat,) = GAME.actors(state)
    return GAME.legal(state, seat)


def refusal(state: TwilightState, text: str) -> IllegalMove:
    """The refusal of a move; checks that the refusal changes nothing."""
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


def finished(totals: list[int], **options: Any) -> Outcome | None:
    """The outcome after a deal that gives the Moon two points; None if the match continues."""
    state, _ = after_deal("", "SL3", totals=totals, **options)
    # The Moon takes the last trick: two souls times its altar.
    return GAME.outcome(state)


def trio(*hands: str, lone: int = 0, **given: Any) -> TwilightState:
    """A position for three players with the hands of the lone player, the left neighbour, Neumond
    and the right neighbour.
    """
    return position(*hands, players=3, forehand=lone, **given)
