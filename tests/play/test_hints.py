"""Hints: which moves are worth a word, what surely comes of them, and how they are counted."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from data.store import Store
from games import GAMES
from games.engine import Match
from games.players import Advice, Ranked
from play import hints
from play.hints import Verdict
from tests.data.samples import started

LANCELOT = GAMES["lancelot"]


def verdicts(*values: tuple[float, int], choices: int = 64) -> Sequence[tuple[str, Verdict]]:
    """What is told of moves with these values and visits, in a new match of Lancelot."""
    match = Match(LANCELOT, LANCELOT.setup(2, {"starter": "1"}, "5eed"))
    legal = match.game.legal(match.state, 0)
    ranked = [Ranked(move, *value) for move, value in zip(legal, values, strict=False)]
    told = hints.suggestions(LANCELOT, match.view(0), Advice(tuple(ranked)), choices)
    return [(suggestion.move, suggestion.verdict) for suggestion in told]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([(0.5, 100)], [Verdict.BEST]),
        ([(0.5, 100), (0.35, 50)], [Verdict.CLEAR, Verdict.WEAKER]),
        ([(0.5, 100), (0.1, 50)], [Verdict.CLEAR]),
        ([(0.5, 100), (0.45, 90)], [Verdict.BEST, Verdict.CLOSE]),
        ([(0.5, 100), (0.49, 90), (0.52, 80), (0.5, 70)], ["best", "equal", "equal"]),
        ([(0.5, 100), (0.5, 1)], [Verdict.BEST]),
        ([(1.0, 0)], [Verdict.BEST]),
    ],
)
def test_moves_are_judged_beside_each_other(
    values: list[tuple[float, int]], told: list[str]
) -> None:
    """Three at most; what is much weaker, or was hardly looked at, is no advice."""
    assert [verdict for _, verdict in verdicts(*values)] == told


def test_the_only_move_is_called_so() -> None:
    """Where there is nothing to choose, nothing is judged."""
    assert [verdict for _, verdict in verdicts((0.0, 0), choices=1)] == [Verdict.ONLY]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game_id", GAMES)
def test_what_a_hint_tells_comes_true(game_id: str, seed: int) -> None:
    """Whatever others hide, each fact that is told of a move happens when it is played, and is one
    that the person then learns.
    """
    game = GAMES[game_id]
    rng = random.Random(seed)
    match = Match(game, game.setup(game.info.players[-1], {}, str(seed)))
    match.advance()
    told = 0
    for _ in range(30):
        if match.outcome is not None:
            break
        seat = rng.choice(match.actors)
        move = game.random_move(match.state, seat, rng)
        certain, _ = hints.certainties(game, match.view(seat), move)
        happened = match.play(seat, [move])[0].facts
        for fact in certain:
            assert fact in happened, f"{game_id}, seed {seed}, {move}"
            assert fact.known_to(seat), f"{game_id}, seed {seed}, {move}"
        told += len(certain)
    assert told, "nothing was told of any move"


async def test_hints_are_counted_by_seat_and_decision(store: Store) -> None:
    """The same decision counts once; the same ply in another course of events counts again."""
    table = await started(store)
    decisions = [(0, 4, 0), (0, 4, 0), (0, 4, 1), (1, 5, 0), (0, 6, 1)]
    counts = [await store.hints.add(table.id, *decision) for decision in decisions]
    assert counts == [1, 1, 2, 1, 3]
    assert await store.hints.of_table(table.id) == {0: 3, 1: 1}
    assert await store.hints.of_table(table.id + 1) == {}
