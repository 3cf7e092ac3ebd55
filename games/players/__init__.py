"""Computer players: a view in, ranked moves out. They never see a full state."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Protocol

from games.engine import Game, Move, View


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a player may think; whichever limit comes first.

    :param seconds: CPU seconds; what the bot uses.
    :param iterations: search iterations; what tests use, because it is reproducible.
    """

    seconds: float = 1.0
    iterations: int = 10**9


@dataclass(frozen=True, slots=True)
class Advice:
    """Ranked moves, the best first; the same for a computer player's turn and a person's hint.

    :param moves: (move, value in [-1, 1] for the asking seat, visits).
    """

    moves: tuple[tuple[Move, float, int], ...]

    @property
    def best(self) -> Move:
        """The move to play."""
        return self.moves[0][0]


class Player(Protocol):
    """A computer player: a top-level callable, so that it can run in another process."""

    def __call__(self, game: Game[Any], view: View, rng: random.Random, budget: Budget) -> Advice:
        """Rank the moves of ``view.viewer``, who must be an actor."""
        ...


@dataclass(frozen=True, slots=True)
class Level:
    """A strength that people can choose."""

    player: Player
    budget: Budget


def random_player(game: Game[Any], view: View, rng: random.Random, budget: Budget) -> Advice:
    """Play any legal move."""
    if view.viewer is None:
        raise ValueError("a spectator has no move")
    world = game.determinize(view, rng)
    return Advice(((game.random_move(world, view.viewer, rng), 0.0, 1),))


LEVELS: dict[str, Level] = {"novice": Level(random_player, Budget(seconds=0.1))}
"""The strengths by name, the weakest first."""
