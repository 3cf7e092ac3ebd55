"""L9, the odds: ``determinize`` samples each world with the right probability.

``check_odds`` plays a random match and tracks what one seat can know. ``Worlds`` lists every world
that is consistent with that knowledge, with its exact probability, by trying every draw and every
sealed choice that would have looked the same to the seat. Where there are few worlds, the check
samples them many times with ``determinize`` and compares how often each occurs (Pearson's
chi-squared test). A sampled world that is not on the list is impossible and fails at once.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from statistics import NormalDist
from typing import Any, TypeVar

from games.engine import CHANCE, Event, Game, Move, Setup, View
from tafelrunde.testing.laws import VisitedPosition, random_positions

WORLDS_FOLLOWED = 5000
"""The maximum number of worlds to list; if there are more, the check of this match ends."""

WORLDS_COMPARED = 80
"""A position is compared only if it has at most this many possible worlds."""

POSITIONS = 6
"""The maximum number of positions to compare in one match."""

IMAGINED = 1000
"""The minimum number of worlds to sample in a position."""

EXPECTED = 25
"""The smallest expected count of a bin of the chi-squared test; rarer worlds share a bin."""

FALSE_ALARM = 1e-9
"""The probability that a correct game fails one comparison by accident."""

Draws = Callable[[Any], Sequence[tuple[Move, float]] | None]
"""For a position in which chance acts, returns all draws with their weights; None if there are too
many. It replaces ``Game.chance`` for games whose chance is sampled.
"""

W = TypeVar("W", bound=Hashable)

Secrets = Callable[[Any], Hashable]
"""Returns a value that tells worlds apart: two worlds count as the same if their values are
equal.
"""


class Worlds:
    """All worlds that are consistent with what one seat has seen, and their odds.

    A draw has the probability that ``chance`` gives it. All legal choices of another seat that look
    the same to the viewer are equally likely: for a sealed choice, these are all legal moves of
    that seat; for an open one, only the move made.

    :param draws: returns the draws of a position; by default those that the game lists.
    """

    def __init__(
        self, game: Game[Any], setup: Setup, viewer: int, draws: Draws | None = None
    ) -> None:
        self._game = game
        self._viewer = viewer
        self._draws = draws or game.chance
        self.odds: list[tuple[Any, float]] | None = [(game.start(setup), 1.0)]
        """Positions with their weights; None once there are too many or they cannot be listed."""

    @property
    def _sure(self) -> bool:
        return self.odds is not None and len(self.odds) == 1

    def see(self, event: Event, before: Any, after: Any) -> None:
        """Play an event in all worlds, and keep those that agree with what the viewer sees.

        :param before: the real position before the event.
        :param after: the real position after it.
        """
        if self.odds is None:
            return
        shown = self._game.observed(before, event, self._viewer)
        view = self._game.view(after, self._viewer)
        kept: dict[str, list[tuple[Any, float]]] = {}
        number = 0
        for state, weight in self.odds:
            alternatives = self._alternatives(state, event, shown)
            if alternatives is None:
                self.odds = None
                return
            for move, share in alternatives:
                world = state.clone()
                self._game.do(world, event.seat, move)
                if self._game.view(world, self._viewer) == view:
                    others = what_others_know(self._game, world, view)
                    number += _add(kept, others, world, weight * share)
                if number > WORLDS_FOLLOWED:
                    self.odds = None
                    return
        self.odds = [entry for same in kept.values() for entry in same]

    def _alternatives(
        self, state: Any, event: Event, shown: Move | None
    ) -> list[tuple[Move, float]] | None:
        """Return the moves that may have been made in this world, with their probabilities; None if
        they cannot be listed.

        :param event: the real event.
        :param shown: the move as the viewer sees it.
        """
        game, seat = self._game, event.seat
        if seat not in game.actors(state):
            return []
        if seat == CHANCE:
            table = self._draws(state)
            if (
                table is None
            ):  # without odds, an open draw can be followed only if a single world is possible
                return [(event.move, 1.0)] if self._sure and shown == event.move else None
            total = sum(weight for _, weight in table)
            return [
                (move, weight / total)
                for move, weight in table
                if game.observed(state, Event(CHANCE, move), self._viewer) == shown
            ]
        legal = game.legal(state, seat)
        if seat == self._viewer:
            return [(event.move, 1.0)] if event.move in legal else []
        alike = [
            move for move in legal if game.observed(state, Event(seat, move), self._viewer) == shown
        ]
        return [(move, 1 / len(alike)) for move in alike]


def what_others_know(game: Game[Any], state: Any, view: View) -> str:
    """Return the private parts of all seats except the viewer's, as text."""
    others = [seat for seat in range(view.players) if seat != view.viewer]
    return json.dumps([game.view(state, seat).private for seat in others], sort_keys=True)


def _add(kept: dict[str, list[tuple[Any, float]]], key: str, world: Any, weight: float) -> int:
    """Add a world, or add the weight to an equal world that is listed.

    :param key: equal worlds have equal keys.
    :returns: 1 if the world is new, otherwise 0.
    """
    same = kept.setdefault(key, [])
    for at, (other, known) in enumerate(same):
        if other == world:
            same[at] = (other, known + weight)
            return 0
    same.append((world, weight))
    return 1


def check_odds(
    game: Game[Any],
    setup: Setup,
    viewer: int,
    seed: int,
    secrets: Secrets | None = None,
) -> int:
    """Play one random match, and compare the worlds sampled for a seat with their exact odds.

    :param seed: the seed of the random moves.
    :param secrets: distinguishes worlds; by default, what the other seats know.
    :returns: how many positions were compared.
    :raises LawBroken: L9.
    """
    compared = 0
    worlds = Worlds(game, setup, viewer)
    before = game.start(setup)
    for position in random_positions(game, setup, seed):
        if position.log:
            worlds.see(position.log[-1], before, position.state)
        if worlds.odds is None or compared == POSITIONS:
            break
        compared += compare(position, viewer, worlds.odds, secrets)
        before = position.state.clone()
    return compared


def compare(
    at: VisitedPosition,
    viewer: int,
    odds: Sequence[tuple[Any, float]],
    secrets: Secrets | None = None,
) -> bool:
    """Compare the worlds sampled in one position with their exact odds.

    :param odds: all worlds with their weights.
    :param secrets: see ``check_odds``.
    :returns: whether the position could be compared: it has more than one world, but not too many.
    :raises LawBroken: L9.
    """
    view = at.game.view(at.state, viewer)

    def name(state: Any) -> Hashable:
        return what_others_know(at.game, state, view) if secrets is None else secrets(state)

    weights: dict[Hashable, float] = defaultdict(float)
    for state, weight in odds:
        weights[name(state)] += weight
    if not 1 < len(weights) <= WORLDS_COMPARED:
        return False
    number = max(IMAGINED, 2 * EXPECTED * len(weights))
    counts = Counter(name(at.game.determinize(view, at.rng)) for _ in range(number))
    for world in counts.keys() - weights.keys():
        raise at.broken("L9", f"a sampled world of seat {viewer} is impossible: {world!r}")
    total = sum(weights.values())
    expected = {world: number * weight / total for world, weight in weights.items()}
    chance = probability(counts, expected)
    at.require(
        chance >= FALSE_ALARM,
        "L9",
        f"{len(weights)} worlds of seat {viewer} are sampled with the wrong odds (in a correct"
        f" game, the probability of this is {chance:.1g}; {_worst(counts, expected)})",
    )
    return True


def probability(counts: Mapping[W, int], expected: Mapping[W, float]) -> float:
    """Return the probability of counts at least as far from the expected ones as these (the
    p-value).

    This is Pearson's chi-squared test, with Wilson and Hilferty's approximation of the tail.
    """
    bins, pooled = list[tuple[float, float]](), (0.0, 0.0)
    for world in sorted(expected, key=lambda each: expected[each]):
        pooled = pooled[0] + counts[world], pooled[1] + expected[world]
        if pooled[1] >= EXPECTED:
            bins.append(pooled)
            pooled = (0.0, 0.0)
    freedom = len(bins) - 1
    if freedom < 1:
        return 1.0
    chi_squared = sum((count - many) ** 2 / many for count, many in bins)
    spread = 2 / (9 * freedom)
    return NormalDist().cdf(-(math.cbrt(chi_squared / freedom) - (1 - spread)) / math.sqrt(spread))


def _worst(counts: Mapping[W, int], expected: Mapping[W, float]) -> str:
    """Describe the world whose count is farthest from its expected count."""
    worst = max(
        expected, key=lambda world: (counts[world] - expected[world]) ** 2 / expected[world]
    )
    return f"{worst!r} came up {counts[worst]} times instead of {expected[worst]:.0f}"
