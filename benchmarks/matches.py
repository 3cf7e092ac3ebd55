"""Matches between two sides: every deal is played twice, with the seats swapped."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any

from benchmarks.beginners import SCRIPTS, by_script
from games.engine import Match, Move
from games.players import LEVELS, Budget, policy_for, search, search_untaught
from games.players.advice import Countdown
from games.players.policy import Policy, Untaught
from games.players.search import Search
from scripts.matches import new_match

MATCHES_IN_PAIR = {"twilight": 1}
"""How many results a pair of matches has in a game, where that is not two: in Twilight, a deal that
is played both ways has one.
"""

NO_CAP = 10**7
"""A number of iterations that no search reaches, for searches that only the clock ends."""

Chooser = Callable[[Match[Any], int, random.Random], Move]
"""Chooses a move for a seat; computer players see only its view."""


@dataclass(frozen=True)
class Terms:
    """The game that two sides play, and its setup.

    :param players: the number of players; the seats belong to the two sides alternately.
    :param seed: pair ``n`` has the seed ``<seed> <n>``.
    """

    game: str
    players: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: str = "strength"

    @property
    def seats(self) -> int:
        """The given number of players, or the game's smallest for two sides."""
        return self.players or (4 if self.game == "twilight" else 2)


def pair(terms: Terms, number: int, ours: Chooser, theirs: Chooser) -> float:
    """Return what our side scores, from 0 to 1, in two matches with the same seed and the seats
    swapped.

    In Twilight a match is a single deal, and the side with more points over both deals wins.
    """
    leads = [_lead(terms, number, ours, theirs, place) for place in (0, 1)]
    if MATCHES_IN_PAIR.get(terms.game) == 1:
        leads = [sum(leads)]
    return fmean((lead > 0) + (lead == 0) / 2 for lead in leads)


def _lead(terms: Terms, number: int, ours: Chooser, theirs: Chooser, place: int) -> float:
    """Return the final lead of our side: in points after a deal of Twilight, otherwise in utility.
    Our side has every second seat, starting with ``place``.
    """
    match = new_match(terms.game, terms.seats, f"{terms.seed} {number}", terms.options)
    rng = random.Random(f"{terms.seed} {number} {place}")
    while match.outcome is None and not (terms.game == "twilight" and match.state.round > 1):
        seat = match.actors[0]
        chooser = ours if seat % 2 == place else theirs
        match.play(seat, [chooser(match, seat, rng)])
    if match.outcome is None:
        totals = match.view(None).public["totals"]
        return float(totals[place] - totals[1 - place])
    values = match.game.utility(match.outcome)
    return sum(value if seat % 2 == place else -value for seat, value in enumerate(values))


# ---------------------------------------------------------------------------- who plays
class Unhurried(Search[Any]):
    """A search that ends early only if the choice is proven."""

    def _lead(self) -> int:
        return 0


class Sampling(Search[Any]):
    """A search that samples to the end, and never switches to exhaustive search."""

    def _remainder(self, budget: Budget, countdown: Countdown) -> None:
        return None


def by_search(
    policy: Policy[Any], iterations: int, kind: type[Search[Any]] = Search[Any]
) -> Chooser:
    def choose(match: Match[Any], seat: int, rng: random.Random) -> Move:
        return kind(policy, match.view(seat), rng).run(Budget(iterations)).best

    return choose


def at_level(level: str) -> Chooser:
    """Return a computer player of this level without a time limit."""
    chosen = LEVELS[level]

    def choose(match: Match[Any], seat: int, rng: random.Random) -> Move:
        budget = replace(chosen.budget_in(match.game.info.id), seconds=math.inf, patience=math.inf)
        return chosen.player(match.game, match.view(seat), rng, budget).best

    return choose


def budget_of(name: str) -> Budget:
    """Return the budget that a name gives, such as ``60`` (iterations) or ``0.25s`` (CPU seconds).

    :raises ValueError: the name has neither form.
    """
    return Budget(NO_CAP, float(name[:-1])) if name.endswith("s") else Budget(int(name))


def with_budget(name: str) -> Chooser:
    """Return a search with a budget as in ``budget_of`` and with the game's policy; without the
    policy if the name begins with ``untaught``, as in ``untaught60``. Used to tune levels.
    """
    number = name.removeprefix("untaught")
    player = search if number == name else search_untaught
    budget = budget_of(number)

    def choose(match: Match[Any], seat: int, rng: random.Random) -> Move:
        return player(match.game, match.view(seat), rng, budget).best

    return choose


def at_random(match: Match[Any], seat: int, rng: random.Random) -> Move:
    return match.game.random_move(match.state, seat, rng)


def openspiel() -> Chooser:
    """Return OpenSpiel's search with our evaluation of positions and, for each move, the CPU time
    that ``skilled`` has just used for it; needs ``requirements/bench.txt``.
    """
    from benchmarks.search import their_search

    skilled, pace = at_level("skilled"), 0.001

    def choose(match: Match[Any], seat: int, rng: random.Random) -> Move:
        nonlocal pace
        begin = time.thread_time()
        skilled(match, seat, rng)
        middle = time.thread_time()
        simulations = max(2, int((middle - begin) / pace))
        move = their_search(Untaught(policy_for(match.game)), match, seat, simulations)
        pace = (time.thread_time() - middle) / simulations
        return move

    return choose


def chooser(name: str) -> Chooser:
    """Return the player with this name: a level, ``random``, ``openspiel``, one of the simple
    scripts (``benchmarks.beginners``), or a search as in ``with_budget``.
    """
    if name in LEVELS:
        return at_level(name)
    if name in SCRIPTS:
        return by_script(SCRIPTS[name])
    match name:
        case "random":
            return at_random
        case "openspiel":
            return openspiel()
    return with_budget(name)
