"""The search behind all computer players is reproducible, plays legal moves, and knows only the
view.
"""

from __future__ import annotations

import random
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.matches import Unhurried
from games import GAMES
from games.engine import Match, View
from games.players import LEVELS, Advice, Budget, policy_for, search, search_untaught
from games.players.advice import LOOK_AFTER, Stop
from games.players.policy import Policy, Untaught
from tafelrunde.testing.laws import random_setup
from tests.games.toys import Auction


def random_match(game_id: str, players: int, seed: int, moves: int) -> Match[Any]:
    """A match after this many random moves, or fewer if it would end."""
    game = GAMES[game_id]
    rng = random.Random(seed)
    match = Match(game, game.setup(players, {}, str(seed)))
    match.advance()
    for _ in range(moves):
        after = match.copy()
        seat = rng.choice(after.actors)
        after.play(seat, [game.random_move(after.state, seat, rng)])
        if after.outcome is not None:
            break
        match = after
    return match


def thought(match: Match[Any], seat: int, iterations: int, seed: int = 1) -> Advice:
    return search(match.game, match.view(seat), random.Random(seed), Budget(iterations))


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("level", LEVELS)
def test_all_moves_of_a_match_are_legal(game_id: str, level: str) -> None:
    """The number of players and the options are random; the match refuses illegal moves."""
    game = GAMES[game_id]
    rng = random.Random(f"{game_id} {level}")
    match = Match(game, random_setup(game, rng.choice(game.info.players), rng))
    match.advance()
    for number in range(60):
        if match.outcome is not None:
            break
        seat = rng.choice(match.actors)
        move = game.random_move(match.state, seat, rng)
        if number % 3 == 0:
            budget = Budget(6)
            move = LEVELS[level].player(game, match.view(seat), rng, budget).best
        match.play(seat, [move])


@pytest.mark.parametrize("moves", [0, 7])
@pytest.mark.parametrize("game_id", GAMES)
def test_equal_seeds_and_budgets_give_equal_advice(game_id: str, moves: int) -> None:
    match = random_match(game_id, GAMES[game_id].info.players[-1], 3, moves)
    seat = match.actors[0]
    first = thought(match, seat, 40)
    assert thought(match, seat, 40) == first
    assert any(thought(match, seat, 40, seed) != first for seed in range(2, 9))


@pytest.mark.seeds(3)
@pytest.mark.parametrize("game_id", GAMES)
def test_nothing_is_known_but_the_view(game_id: str, seed: int) -> None:
    match = random_match(game_id, GAMES[game_id].info.players[-1], seed, 6)
    seat = match.actors[0]
    view = match.view(seat)
    world = match.game.determinize(view, random.Random(seed))
    elsewhere = match.game.view(world, seat)
    advice = thought(match, seat, 40)
    for same in (elsewhere, View.from_json(view.to_json())):
        assert search(match.game, same, random.Random(1), Budget(40)) == advice


@pytest.mark.parametrize("game_id", GAMES)
def test_advice_is_ranked_by_trials(game_id: str) -> None:
    match = random_match(game_id, GAMES[game_id].info.players[-1], 1, 4)
    seat = match.actors[0]
    advice = thought(match, seat, 50)
    moves = [ranked.move for ranked in advice.moves]
    visits = [ranked.visits for ranked in advice.moves]
    assert set(moves) <= set(match.game.legal(match.state, seat))
    assert len(moves) == len(set(moves))
    assert visits == sorted(visits, reverse=True)
    assert sum(visits) == advice.iterations
    assert advice.iterations == 50 if advice.stop is Stop.SPENT else 0 < advice.iterations < 50
    assert all(-1 <= ranked.value <= 1 for ranked in advice.moves)


def test_only_who_has_to_act_is_advised() -> None:
    match = random_match("lancelot", 2, 1, 3)
    waiting = 1 - match.actors[0]
    for viewer in (waiting, None):
        with pytest.raises(ValueError, match="has to act"):
            search(match.game, match.view(viewer), random.Random(1), Budget(5))


def auction(hand: int) -> View:
    """The view of a seat with this card in the toy game."""
    game = Auction()
    match = Match(game, game.setup(2, {}, "5eed"))
    match.advance()
    match.state.hands[0] = hand
    return match.view(0)


def test_the_only_move_needs_no_thought() -> None:
    advice = search(Auction(), auction(1), random.Random(1), Budget(100))
    assert (advice.iterations, [ranked.move for ranked in advice.moves]) == (0, ["bid:1"])
    assert advice.stop is Stop.ONLY


def test_a_time_limit_ends_a_search() -> None:
    match = random_match("isolde", 4, 1, 0)
    budget = Budget(iterations=3000, seconds=0.0)
    advice = search(match.game, match.view(0), random.Random(1), budget)
    assert (advice.iterations, advice.stop) == (1, Stop.SPENT)


def test_exhaustive_search_leaves_time_for_the_tree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If too much is left to examine, exhaustive search gives up early, even if only the clock
    limits the search.
    """
    clock = SimpleNamespace(thread_time=count().__next__, monotonic=int)
    monkeypatch.setattr("games.players.advice.time", clock)
    match = random_match("twilight", 4, 3, 24)
    thinker = Unhurried(policy_for(match.game), match.view(match.actors[0]), random.Random(1))
    advice = thinker.run(Budget(10**6, seconds=20))
    assert advice.stop is Stop.SPENT
    assert advice.iterations > 15 * LOOK_AFTER


@pytest.mark.full
@pytest.mark.parametrize("game_id", ["isolde", "isis"])
def test_a_search_ends_when_no_other_move_could_catch_up(game_id: str) -> None:
    stopped = 0
    for seed in range(6):
        match = random_match(game_id, GAMES[game_id].info.players[-1], seed, 12)
        advice = thought(match, match.actors[0], 80, seed)
        if advice.stop is not Stop.CLEAR:
            continue
        stopped += 1
        first, *others = (ranked.visits for ranked in advice.moves)
        assert advice.iterations < 80
        assert all(first - visits > 80 - advice.iterations for visits in others)
        unhurried = Unhurried(
            policy_for(match.game), match.view(match.actors[0]), random.Random(seed)
        )
        assert unhurried.run(Budget(80)).best == advice.best
    assert stopped


@pytest.mark.full
def test_a_game_without_policy_is_played_by_its_rules_alone() -> None:
    """With a four in hand, a seat can bid a number that only another four could match."""
    assert type(policy_for(Auction())) is Policy
    for seed in range(5):
        best = search(Auction(), auction(4), random.Random(seed), Budget(800)).best
        assert best == "bid:4"


@pytest.mark.parametrize("game_id", GAMES)
def test_an_untaught_search_does_not_know_which_moves_are_good(game_id: str) -> None:
    """An untaught search knows only the value of a position, which comes from the policy."""
    match = random_match(game_id, GAMES[game_id].info.players[0], 1, 2)
    seat = match.actors[0]
    view = policy_for(match.game).view(match.view(seat))
    state = match.game.determinize(view, random.Random(1))
    moves = match.game.legal(state, view.viewer or 0)
    untaught = Untaught(policy_for(match.game))
    assert len(set(untaught.weights(state, 0, moves))) == 1
    assert untaught.motives(state, 0, moves[0]) == []
    assert untaught.decisive(state, 0) is None
    assert untaught.values(state) == policy_for(match.game).values(state)
    advice = search_untaught(match.game, match.view(seat), random.Random(1), Budget(20))
    assert advice.best in match.game.legal(match.state, seat)
