"""What Twilight's players give away late in a deal: ``python -m benchmarks.regret``.

In positions with few tricks left, it samples many worlds that the seat cannot tell apart and solves
each to the end of the deal with all hands open (*double dummy*). The regret of a move is how many
points it loses on average compared with the best. For each number of iterations it prints the mean
over positions and seeds, and how many positions *flip*, which means that the seed makes a clear
difference. ``--sampling`` keeps the search from solving the rest of a deal exhaustively, which
shows what the tree alone is worth.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from itertools import count
from statistics import fmean
from typing import Any

from benchmarks.intervals import around_mean
from benchmarks.matches import Sampling
from games import GAMES
from games.engine import Match, Move
from games.house import NOBODY
from games.players import LEVELS, Budget, policy_for
from games.players.search import Search
from games.twilight import TRICKS, TwilightState
from games.twilight.cards import MOON, SUN, account
from games.twilight.position import GIVE, PLAY
from scripts.matches import new_match

GAME = GAMES["twilight"]

CLEAR = 1.0
"""A difference in expected points greater than this counts as clear."""


def lead_of_moon(state: TwilightState) -> int:
    """Return the Moon's lead in points in this deal so far, or in the last one."""
    if state.phase in (PLAY, GIVE):
        moon, sun = (account(state.piles[cult], cult).points for cult in (MOON, SUN))
        return moon - sun
    return state.accounts[-1].moon.points - state.accounts[-1].sun.points


class DoubleDummy:
    """Solves the end of a deal with all hands open."""

    def __init__(self) -> None:
        self._known: dict[Any, int] = {}

    def value(self, state: TwilightState, round_: int) -> int:
        """Return the Moon's lead if both sides play perfectly."""
        if state.round != round_ or state.phase not in (PLAY, GIVE):
            return lead_of_moon(state)
        key = (
            *(tuple(hand) for hand in state.hands),
            tuple(state.table),
            state.lead,
            state.turn,
            state.ordered,
            tuple(sorted(state.piles[MOON])),
            len(state.pending),
        )
        if key not in self._known:
            values = [value for _, value in self.values(state)]
            self._known[key] = max(values) if self.decides_for(state) == MOON else min(values)
        return self._known[key]

    def values(self, state: TwilightState) -> list[tuple[Move, int]]:
        """Return the moves, each with the Moon's lead if both sides then play perfectly."""
        seat = state.actors[0]
        found = []
        for move in GAME.legal(state, seat):
            after = state.clone()
            GAME.do(after, seat, move)
            found.append((move, self.value(after, state.round)))
        return found

    def decides_for(self, state: TwilightState) -> int:
        """Return the cult of the side that decides next."""
        place = state.turn if state.ordered == NOBODY else state.ordered
        return place % 2


def positions(wanted: argparse.Namespace) -> Iterator[Match[Any]]:
    """Yield late positions, each from a different deal played without a search. With ``--lead``,
    one side plays at random, and only positions with at least that lead count.
    """
    number = 0
    for deal in count():
        if number == wanted.positions:
            return
        match = new_match("twilight", wanted.players, f"{wanted.seed} {deal}")
        rng = random.Random(f"{wanted.seed} {deal}")
        found = []
        while match.state.round == 1:
            seat = match.actors[0]
            if len(match.state.winners) >= TRICKS - wanted.tricks:
                found.append(match.copy())
            careless = wanted.lead and seat % 2 == deal % 2
            pick = GAME.random_move if careless else policy_for(GAME).pick
            match.play(seat, [pick(match.state, seat, rng)])
        found = [each for each in found if abs(lead_of_moon(each.state)) >= wanted.lead]
        if found:
            number += 1
            yield rng.choice(found)


def expectations(match: Match[Any], worlds: int, rng: random.Random) -> dict[Move, float]:
    """Return the expected points of each move for the deciding side, averaged over worlds that the
    seat cannot tell apart.
    """
    view = match.view(match.actors[0])
    found: dict[Move, list[int]] = {}
    for _ in range(worlds):
        world = GAME.determinize(view, rng)
        solver = DoubleDummy()
        sign = 1 if solver.decides_for(world) == MOON else -1
        for move, value in solver.values(world):
            found.setdefault(move, []).append(sign * value)
    return {move: fmean(values) for move, values in found.items()}


def choice(match: Match[Any], kind: type[Search[Any]], budget: Budget, seed: str) -> Move:
    view = match.view(match.actors[0])
    return kind(policy_for(GAME), view, random.Random(seed)).run(budget).best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--tricks", type=int, default=2, help="left in the deal, at most")
    parser.add_argument("--lead", type=int, default=0, help="in points, at least")
    parser.add_argument("--worlds", type=int, default=40, help="for the expectations")
    parser.add_argument("--players", type=int, default=4, choices=(3, 4))
    parser.add_argument("--seeds", type=int, default=4)
    master = LEVELS["master"].budget.iterations
    parser.add_argument("--iterations", type=int, nargs="+", default=[master])
    parser.add_argument("--sampling", action="store_true", help="never solve the rest of a deal")
    parser.add_argument("--seed", default="regret")
    wanted = parser.parse_args()
    kind = Sampling if wanted.sampling else Search[Any]
    print(f"seed {wanted.seed!r}, {wanted.positions} positions, {wanted.seeds} thoughts of each")
    judged = [
        (match, expectations(match, wanted.worlds, random.Random(wanted.seed)))
        for match in positions(wanted)
    ]
    for iterations in wanted.iterations:
        regrets = []
        for match, values in judged:
            most, budget = max(values.values()), Budget(iterations)
            chosen = [choice(match, kind, budget, str(n)) for n in range(wanted.seeds)]
            regrets.append([most - values[move] for move in chosen])
        flips = sum(max(each) - min(each) > CLEAR for each in regrets)
        means = [fmean(each) for each in regrets]
        low, high = around_mean(means)
        print(
            f"{iterations} iterations: mean regret {fmean(means):.2f} points "
            f"({max(0.0, low):.2f} to {high:.2f}), {flips} positions flip",
            flush=True,
        )


if __name__ == "__main__":
    main()
