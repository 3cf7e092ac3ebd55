"""Computer players: a view in, ranked moves out. They never see a full state.

One search serves all games; what a game adds to it is its policy. The strengths differ by how
long they search, and the weakest has not been taught the policy: it knows the rules, not the
tricks.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Protocol

from games.engine import Game, View
from games.players.advice import Advice, Budget, Ranked
from games.players.donquixote import DonQuixotePolicy
from games.players.isis import IsisPolicy
from games.players.isolde import IsoldePolicy
from games.players.lancelot import LancelotPolicy
from games.players.policy import Policy, Untaught
from games.players.search import Search
from games.players.twilight import TwilightPolicy

__all__ = [
    "LEVELS",
    "POLICIES",
    "Advice",
    "Budget",
    "Level",
    "Player",
    "Ranked",
    "policy_for",
    "search",
    "search_untaught",
]


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


POLICIES: dict[str, type[Policy[Any]]] = {
    "donquixote": DonQuixotePolicy,
    "isis": IsisPolicy,
    "isolde": IsoldePolicy,
    "lancelot": LancelotPolicy,
    "twilight": TwilightPolicy,
}
"""What the search is told about a game, by the game's id; any other game does without."""


def search(game: Game[Any], view: View, rng: random.Random, budget: Budget) -> Advice:
    """Search for the best move of ``view.viewer``."""
    return Search(policy_for(game), view, rng).run(budget)


def search_untaught(game: Game[Any], view: View, rng: random.Random, budget: Budget) -> Advice:
    """The same without any knowledge of which moves are good."""
    return Search(Untaught(policy_for(game)), view, rng).run(budget)


def policy_for(game: Game[Any]) -> Policy[Any]:
    """What is known of a game beyond its rules."""
    return POLICIES.get(game.info.id, Policy)(game)


LEVELS: dict[str, Level] = {
    "novice": Level(search_untaught, Budget(iterations=50, seconds=0.1, patience=1.0)),
    "player": Level(search, Budget(iterations=60, seconds=0.3, patience=2.0)),
    "master": Level(search, Budget(iterations=2000, seconds=1.0, patience=5.0)),
}
"""The strengths by name, the weakest first."""
