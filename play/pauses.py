"""The pause of a computer player before it moves: the harder the decision, the longer.

A pause must not reveal a secret. In games without secrets it depends on how close the two best
moves are to each other. In games with secrets, that could give away a hand or a sealed choice, so
the pause depends on the number of moves that seem possible to someone who sees no hand.
"""

from __future__ import annotations

import random
from dataclasses import replace
from statistics import fmean
from typing import Any

from games.engine import Game, View
from games.players import LEVELS, Advice

SHORTEST, LONGEST = 0.25, 3.0
"""Factors for the configured pause. If everyone can see that a move is forced, it comes at once."""

PUBLIC_WORLDS = 4
"""How many positions consistent with public knowledge are sampled."""


def pause_seconds(
    game: Game[Any], view: View, advice: Advice | None, level: str, setting: float
) -> float:
    """Return the minimum time for a move in seconds, including thinking.

    In games with secrets, unless the configured pause is 0, a move that is not forced takes at
    least as long as ``level`` may think, so that nobody can tell whether a search ended early.

    :param view: see ``pause``.
    :param advice: see ``pause``.
    :param setting: the configured pause, in seconds.
    """
    least = setting * pause(game, view, advice)
    return max(least, LEVELS[level].budget.seconds) if least and game.info.has_secrets else least


def pause(game: Game[Any], view: View, advice: Advice | None) -> float:
    """Return the pause as a multiple of the configured pause; 0: none, for example because the move
    is forced.

    :param view: the view of the seat to move.
    :param advice: the result of its search; None: there was no time for one, or it failed.
    """
    difficulty = (
        _difficulty_in_the_dark(game, view) if game.info.has_secrets else _difficulty(advice)
    )
    return SHORTEST + (LONGEST - SHORTEST) * difficulty if difficulty else 0.0


def _difficulty(advice: Advice | None) -> float:
    """Return how many visits the second-best move got relative to the best one, from 0 to 1."""
    if advice is None or len(advice.moves) < 2:
        return 0.0
    best, second, *_ = advice.moves
    return min(1.0, second.visits / max(1, best.visits))


def _difficulty_in_the_dark(game: Game[Any], view: View) -> float:
    """Convert the number of moves that a spectator would consider possible to a scale: 0 for a
    single one, approaching 1 for many.
    """
    public = replace(view, viewer=None, private={})
    rng = random.Random(public.to_json())
    seat = view.viewer or 0
    worlds = (game.determinize(public, rng) for _ in range(PUBLIC_WORLDS))
    return 1 - 1 / fmean(len(game.legal(world, seat)) for world in worlds)
