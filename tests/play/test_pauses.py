"""The pauses of computer players depend on public information, are limited, and are skipped for
forced moves.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot import Settings
from games import GAMES
from games.engine import Match, View
from games.players import LEVELS, Advice, Budget, Ranked, search
from play.pauses import LONGEST, SHORTEST, pause, pause_seconds

WORLDS = 12


def positions(game_id: str, rng: random.Random) -> list[Match[Any]]:
    """Some positions from a random match."""
    game = GAMES[game_id]
    players = game.info.players[-1]
    match = Match(game, game.setup(players, {}, str(rng.random())))
    found = []
    match.advance()
    while match.outcome is None and match.ply < 100:
        if rng.random() < 0.05:
            found.append(match.copy())
        seat = match.actors[0]
        match.play(seat, [game.random_move(match.state, seat, rng)])
    return found


@pytest.mark.full
@pytest.mark.parametrize("game_id", GAMES)
def test_a_pause_is_the_same_in_every_world(game_id: str, rng: random.Random) -> None:
    """The pause does not depend on the seat's hand, so it reveals nothing about it."""
    game = GAMES[game_id]
    for match in positions(game_id, rng):
        seat = match.actors[0]
        known = match.view(None)
        pauses, hands = set(), set()
        for _ in range(WORLDS):
            world = game.determinize(known, rng)
            view = game.view(world, seat)
            advice = search(game, view, random.Random(1), Budget(8))
            pauses.add(pause(game, view, advice))
            hands.add(str(view.private))
        assert len(pauses) == 1
        assert len(hands) > 1 or not game.info.has_secrets or not game.view(world, seat).private


def lancelot() -> View:
    """The first decision of a match without hidden information."""
    game = GAMES["lancelot"]
    match = Match(game, game.setup(2, {}, "5eed"))
    match.advance()
    return match.view(match.actors[0])


def advice(*visits: int) -> Advice:
    """Moves with these numbers of visits."""
    return Advice(tuple(Ranked(f"K{n}", 0.0, number) for n, number in enumerate(visits)))


def test_a_close_choice_takes_longer() -> None:
    game, view = GAMES["lancelot"], lancelot()
    assert pause(game, view, advice(0)) == 0
    assert pause(game, view, None) == 0
    clear, unclear, even = (pause(game, view, advice(90, n)) for n in (1, 45, 90))
    assert SHORTEST < clear < unclear < even == LONGEST


def test_a_move_that_all_can_see_is_forced_comes_at_once() -> None:
    """In Don Quixote, a computer player pauses if and only if it has a choice."""
    game = GAMES["donquixote"]
    match = Match(game, game.setup(1, {}, "5eed"))
    rng = random.Random(1)
    match.advance()
    pauses = []
    while match.outcome is None:
        view = match.view(0)
        pauses.append((len(game.legal(match.state, 0)) > 1, pause(game, view, None) > 0))
        match.play(0, [game.random_move(match.state, 0, rng)])
    assert all(choice == hesitates for choice, hesitates in pauses)


def test_pauses_last_from_half_a_second_to_six_by_default() -> None:
    default = Settings.model_fields["computer_pause"].default
    assert (SHORTEST * default, LONGEST * default) == (0.5, 6.0)


@pytest.mark.parametrize("level", LEVELS)
def test_no_early_end_of_a_thought_tells_of_a_hand(level: str, rng: random.Random) -> None:
    """With hidden information, a move takes at least the time that its level may think, unless
    everyone can see that it is the only one, or pauses are disabled.
    """
    secret = [game_id for game_id, game in GAMES.items() if game.info.has_secrets]
    for match in (match for game_id in secret for match in positions(game_id, rng)):
        game, view = match.game, match.view(match.actors[0])
        taken = pause_seconds(game, view, None, level, 0.1)
        assert taken >= LEVELS[level].budget.seconds or taken == pause(game, view, None) == 0
        assert pause_seconds(game, view, None, level, 0.0) == 0
    assert pause_seconds(GAMES["lancelot"], lancelot(), advice(90, 90), level, 0.1) == LONGEST * 0.1
