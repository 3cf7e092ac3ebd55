"""Twilight: random matches, compared with the slow rules."""

from __future__ import annotations

import random

import pytest

from games.engine import CHANCE
from games.house import NOBODY
from games.twilight import DEALS_MAX, TwilightState
from games.twilight.cards import MOON, SUN
from games.twilight.position import PLAY
from tests.games.slow_twilight import SlowDeal, points
from tests.games.twilight_table import (
    EXAMPLE_PILE,
    GAME,
    legal,
    random_states,
)


# ------------------------------------------------------------- the second implementation
@pytest.mark.seeds(3)
@pytest.mark.parametrize("players", [3, 4])
def test_matches_agree_with_the_slow_rules(players: int, seed: int) -> None:
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
    """A ``SlowDeal`` with the hands just dealt."""
    hands = [{*state.hands[2 * place], *state.hands[2 * place + 1]} for place in range(4)]
    people = [who for (who,) in state.seating.controllers]
    return SlowDeal(people, hands, state.seating.lone != NOBODY, state.turn)


def test_slow_points_of_the_example() -> None:
    assert points("S", list(EXAMPLE_PILE)) == 51


# ------------------------------------------------------------------------------ statistics
@pytest.mark.rule("twilight", "8.1")
def test_t22_random_deals_have_no_dead_end_and_end_in_time() -> None:
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
