"""Computer players: they get a view and return ranked moves. They never get a full state.

One search serves all games; a game adds its own policy. The levels differ in how far they look.
Novices see the immediate effect of their own move; learners and skilled players also see whether
the next seat could win at once, if nothing is hidden. How often these three search ahead depends on
the game. All higher levels search in every decision.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

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
    "GRANDMASTER",
    "LEVELS",
    "POLICIES",
    "Advice",
    "Budget",
    "Level",
    "Player",
    "Ranked",
    "levels_of",
    "policy_for",
    "search",
    "search_untaught",
]


Player = Callable[[Game[Any], View, random.Random, Budget], Advice]
"""A computer player: ranks the moves of the view's seat, which must be an actor. A top-level
function, so that it can run in another process.
"""


@dataclass(frozen=True, slots=True)
class Level:
    """A strength that people can choose.

    :param iterations: limits by game, where needed to make the steps between levels even. The
        budget's own number applies to all other games and to hints, and is never exceeded.
    :param endgame: ``Budget.endgame`` by game, for games in which the limit in ``iterations`` would
        make a player lose points in the last moves.
    :param left_out: the games that do not offer this level, because it plays no better there than
        the level below. A player of this level still keeps a seat that it already has.
    """

    player: Player
    budget: Budget
    iterations: Mapping[str, int] = field(default_factory=dict)
    endgame: Mapping[str, int] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()

    def budget_in(self, game: str) -> Budget:
        """Return the budget for the game with this id."""
        most = self.budget.iterations
        return replace(
            self.budget,
            iterations=min(most, self.iterations.get(game, most)),
            endgame=self.endgame.get(game, 0),
        )


POLICIES: dict[str, type[Policy[Any]]] = {
    "donquixote": DonQuixotePolicy,
    "isis": IsisPolicy,
    "isolde": IsoldePolicy,
    "lancelot": LancelotPolicy,
    "twilight": TwilightPolicy,
}
"""The knowledge of each game for the search, by the game's id; other games have none."""


def search(game: Game[Any], view: View, rng: random.Random, budget: Budget) -> Advice:
    """Search for the best move of ``view.viewer``."""
    return Search(policy_for(game), view, rng).run(budget)


def novice(game: Game[Any], view: View, rng: random.Random, budget: Budget) -> Advice:
    """Judge moves by their immediate effect; search ahead only now and then."""
    searching = Search(policy_for(game), view, rng)
    return searching.run(budget) if _attends(game, rng, OF_NOVICES) else searching.glance()


def learner(game: Game[Any], view: View, rng: random.Random, budget: Budget) -> Advice:
    """Sometimes search ahead; otherwise avoid moves after which the next seat can win at once, if
    nothing is hidden.
    """
    return _warily(game, view, rng, budget, OF_LEARNERS)


def skilled(game: Game[Any], view: View, rng: random.Random, budget: Budget) -> Advice:
    """Usually search ahead; otherwise play as a learner does."""
    return _warily(game, view, rng, budget, OF_SKILLED)


def _warily(
    game: Game[Any],
    view: View,
    rng: random.Random,
    budget: Budget,
    attention: Mapping[str, float],
) -> Advice:
    searching = Search(policy_for(game), view, rng)
    if _attends(game, rng, attention):
        return searching.run(budget)
    return searching.glance(wary=True)


def _attends(game: Game[Any], rng: random.Random, attention: Mapping[str, float]) -> bool:
    """Return whether a player searches ahead in this decision.

    :param attention: the share of decisions in which it does, by game; ``USUAL`` stands for any
        other game.
    """
    return rng.random() < attention.get(game.info.id, attention[USUAL])


def search_untaught(game: Game[Any], view: View, rng: random.Random, budget: Budget) -> Advice:
    """Search without the policy's knowledge of which moves are good."""
    return Search(Untaught(policy_for(game)), view, rng).run(budget)


def policy_for(game: Game[Any]) -> Policy[Any]:
    """Return the knowledge of a game beyond its rules."""
    return POLICIES.get(game.info.id, Policy)(game)


USUAL = ""
"""The key that stands for all games that are not listed."""

OF_NOVICES: Mapping[str, float] = {
    USUAL: 0.25,
    "isis": 0.25,
    "isolde": 0.0,
    "lancelot": 0.23,
    "twilight": 0.15,
}
OF_LEARNERS: Mapping[str, float] = {
    USUAL: 0.6,
    "donquixote": 0.7,
    "isis": 0.1,
    "isolde": 0.3,
    "lancelot": 0.28,
}
OF_SKILLED: Mapping[str, float] = {USUAL: 1.0, "isolde": 0.52, "lancelot": 0.53}
"""The share of decisions in which novices, learners and skilled players search ahead, by game:
chosen so that novices win 35% to 50% and learners 60% to 75% against simple scripts
(``benchmarks.scripts``), and skilled players 65% to 80% against learners.
"""

LEVELS: dict[str, Level] = {
    "novice": Level(
        novice,
        Budget(iterations=25, seconds=0.2, patience=1.0),
        {"donquixote": 8, "isis": 16, "isolde": 5, "lancelot": 8},
    ),
    "learner": Level(
        learner,
        Budget(iterations=25, seconds=0.2, patience=1.0),
        {"donquixote": 8, "isis": 16, "isolde": 5, "lancelot": 8},
    ),
    "skilled": Level(
        skilled,
        Budget(iterations=75, seconds=0.3, patience=2.0),
        {"donquixote": 12, "isis": 16, "isolde": 6, "lancelot": 8, "twilight": 45},
    ),
    "expert": Level(
        search,
        Budget(iterations=400, seconds=0.5, patience=3.0),
        {"donquixote": 110, "isis": 28, "isolde": 2, "lancelot": 8, "twilight": 150},
    ),
    "master": Level(
        search,
        Budget(iterations=2000, seconds=1.0, patience=5.0),
        {"donquixote": 700, "isis": 55, "isolde": 12, "lancelot": 80, "twilight": 1300},
        {"isolde": 400},
    ),
    "grandmaster": Level(
        search,
        Budget(iterations=10**6, seconds=10.0, patience=30.0),
        left_out=frozenset({"donquixote"}),
    ),
}
"""The strengths by name, the weakest first; the last one only plays where the server allows it. The
iterations by game were chosen, with the results of matches, so that the steps up to masters are
about equal (see ``docs/computer-players.md``).
"""

GRANDMASTER = "grandmaster"


def levels_of(game: str, *, grandmasters: bool = False) -> list[str]:
    """Return the levels that the game with this id offers, the weakest first.

    :param grandmasters: whether to include these, where the game offers them.
    """
    return [
        name
        for name, level in LEVELS.items()
        if game not in level.left_out and (grandmasters or name != GRANDMASTER)
    ]
