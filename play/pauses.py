"""How long a computer player hesitates before it moves: as long as the choice is hard.

What a pause tells, everyone may know. Where all lies open, it follows from how close the moves come
to each other. Where there are secrets, that would tell about a hand or a sealed choice; so it
follows from the number of moves there may be, as far as anyone at the table can say.
"""

from __future__ import annotations

import random
from dataclasses import replace
from statistics import fmean
from typing import Any

from games.engine import Game, View
from games.players import LEVELS, Advice

SHORTEST, LONGEST = 0.25, 3.0
"""Of the pause that is set; a move that is forced, for all to see, comes at once."""

PUBLIC_WORLDS = 4
"""How many positions are imagined that agree with what everyone knows."""


def pause_seconds(
    game: Game[Any], view: View, advice: Advice | None, level: str, setting: float
) -> float:
    """How long a move takes at least, thinking included.

    Where there are secrets, it is not less than ``level`` may think, or moves whose thought ends
    early would tell of them.

    :param view: as in ``pause``, as is ``advice``.
    :param setting: seconds that are set for a pause.
    """
    least = setting * pause(game, view, advice)
    return max(least, LEVELS[level].budget.seconds) if least and game.info.has_secrets else least


def pause(game: Game[Any], view: View, advice: Advice | None) -> float:
    """How long to hesitate, in parts of the pause that is set.

    :param view: what the seat knows that is to move.
    :param advice: what it thinks of it; None: there was no time to think.
    """
    difficulty = (
        _difficulty_in_the_dark(game, view) if game.info.has_secrets else _difficulty(advice)
    )
    return SHORTEST + (LONGEST - SHORTEST) * difficulty if difficulty else 0.0


def _difficulty(advice: Advice | None) -> float:
    """How much the search was drawn to the second best move, in parts of the best: from 0 to 1."""
    if advice is None or len(advice.moves) < 2:
        return 0.0
    best, second, *_ = advice.moves
    return min(1.0, second.visits / max(1, best.visits))


def _difficulty_in_the_dark(game: Game[Any], view: View) -> float:
    """How many moves there may be in the worlds that a spectator can imagine: 0 for a single one,
    and towards 1 for many.
    """
    public = replace(view, viewer=None, private={})
    rng = random.Random(public.to_json())
    seat = view.viewer or 0
    worlds = (game.determinize(public, rng) for _ in range(PUBLIC_WORLDS))
    return 1 - 1 / fmean(len(game.legal(world, seat)) for world in worlds)
