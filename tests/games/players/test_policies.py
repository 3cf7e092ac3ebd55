"""What the search requires of every policy, checked in whole matches of every game with random
options.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from games import GAMES
from games.engine import CHANCE, Fact, Match, Move
from games.players import Budget, policy_for, search
from games.players.policy import Policy
from tafelrunde.testing.laws import random_setup
from tests.games.toys import Auction

TABLES = [(game_id, players) for game_id, game in GAMES.items() for players in game.info.players]


@pytest.mark.seeds(3, always=1)
@pytest.mark.parametrize(("game_id", "players"), TABLES)
def test_asking_a_policy_changes_nothing(game_id: str, players: int, seed: int) -> None:
    """Answers have the right form, decisive moves win, and queries change nothing."""
    game = GAMES[game_id]
    policy = policy_for(game)
    rng = random.Random(f"{game_id} {players} {seed}")
    match = Match(game, random_setup(game, players, rng))
    match.advance()
    while match.outcome is None:
        seat = rng.choice(match.actors)
        before = match.state.clone()
        move = looked_at(policy, match, seat, rng)
        assert match.state == before, f"seed {seed}"
        match.play(seat, [move])
    assert_values_fit(policy, match)


def looked_at(policy: Policy[Any], match: Match[Any], seat: int, rng: random.Random) -> Move:
    """The move picked without a search, after all queries have been made."""
    state, moves = match.state, match.game.legal(match.state, seat)
    weights = policy.weights(state, seat, moves)
    assert len(weights) == len(moves)
    assert min(weights) > 0
    assert_values_fit(policy, match)
    asked = rng.choice(moves)
    told = policy.motives(state, seat, asked)
    assert all(isinstance(fact, Fact) for fact in told)
    world = match.game.determinize(match.view(seat), rng)
    assert policy.motives(world, seat, asked) == told, "not based on the view alone"
    decisive = policy.decisive(state, seat)
    if decisive is not None:
        assert decisive in moves
        # Isis: with this option, a throne gives only the next place
        if not match.setup.options.get("places"):
            assert_wins(match, seat, decisive)
    picked = policy.pick(state, seat, rng)
    assert picked in moves
    return picked


def assert_values_fit(policy: Policy[Any], match: Match[Any]) -> None:
    """Check that there is one value per seat, within the bounds."""
    values = policy.values(match.state)
    assert len(values) == match.setup.players
    assert all(-1 <= value <= 1 for value in values)


def assert_wins(match: Match[Any], seat: int, move: Move) -> None:
    """Check that the seat wins before anyone else moves, with this move or with a further one after
    it.
    """
    game, state = match.game, match.state.clone()
    game.do(state, seat, move)
    if game.outcome(state) is None:
        assert game.actors(state) == (seat,)
        then = policy_for(game).decisive(state, seat)
        assert then is not None
        game.do(state, seat, then)
    outcome = game.outcome(state)
    assert outcome is not None
    assert seat in outcome.winners()
    assert CHANCE not in game.actors(state)


@pytest.mark.parametrize("players", [2, 3])
def test_a_game_without_a_policy_needs_none(players: int) -> None:
    game = Auction()
    policy = Policy(game)
    match = Match(game, game.setup(players, {}, "5eed"))
    match.advance()
    rng = random.Random(1)
    assert list(policy.values(match.state)) == [0.0] * players
    while match.outcome is None:
        seat = match.actors[0]
        match.play(seat, [search(game, match.view(seat), rng, Budget(5)).best])
    assert list(policy.values(match.state)) == list(match.game.utility(match.outcome))
