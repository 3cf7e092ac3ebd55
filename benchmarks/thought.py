"""Does more thought help? ``python -m benchmarks.thought [game ...] --minutes 60``.

The strongest search plays against itself with a quarter of the CPU time and no other limit, in
pairs of matches: the same seed, seats swapped. In Twilight a pair is two deals, in Don Quixote two
matches of one player. After each round of pairs the table of all games is printed: the share of
matches won, or the points ahead, of the one that thinks longer, each with its 95 % interval.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from benchmarks.intervals import around_mean, wilson
from benchmarks.strength import Measure
from games import GAMES
from games.engine import Match
from games.players import Budget, search

SECONDS = ((0.25, 0.0625), (1.0, 0.25), (4.0, 1.0))
"""CPU seconds for a move, of the two that are compared."""

PLAYERS = {"donquixote": 1, "isis": 2, "isolde": 2, "lancelot": 2, "twilight": 4}

MEASURES = {"donquixote": Measure.POINTS, "twilight": Measure.HANDS}
"""What is counted; else matches."""

NO_CAP = 10**7


def pair(game_id: str, longer: float, shorter: float, number: int) -> tuple[list[float], int, int]:
    """Two matches with the same seed.

    :return: the result of the one that thinks longer, its iterations, and its moves.
    """
    if PLAYERS[game_id] == 1:
        first, iterations, moves = play(game_id, (longer,), number)
        second, _, _ = play(game_id, (shorter,), number)
        return [first - second], iterations, moves
    results, iterations, moves = [], 0, 0
    for times in ((longer, shorter), (shorter, longer)):
        result, made, decided = play(game_id, times, number)
        results.append(result)
        iterations += made
        moves += decided
    return results, iterations, moves


def play(game_id: str, times: Sequence[float], number: int) -> tuple[float, int, int]:
    """One match; seats and partners alternate between the times."""
    game = GAMES[game_id]
    match = Match(game, game.setup(PLAYERS[game_id], {}, f"thought {number}"))
    match.advance()
    rng = random.Random(f"{times} {number}")
    best = max(times)
    iterations = moves = 0
    while match.outcome is None and (game_id != "twilight" or match.state.round == 1):
        seat = match.actors[0]
        seconds = times[seat % len(times)]
        advice = search(game, match.view(seat), rng, Budget(NO_CAP, seconds))
        if seconds == best and advice.iterations:
            iterations += advice.iterations
            moves += 1
        match.play(seat, [advice.best])
    return result(game_id, match, times.index(best)), iterations, moves


def result(game_id: str, match: Match[Any], seat: int) -> float:
    """What came of a match for a seat."""
    if game_id == "twilight":
        totals = match.view(None).public["totals"]
        return float(totals[seat] - totals[1 - seat])
    outcome = match.outcome
    assert outcome is not None
    if game_id == "donquixote":
        return outcome.scores[0]
    winners = outcome.winners()
    return (seat in winners) / len(winners)


def row(game_id: str, longer: float, shorter: float, values: Sequence[float], pace: float) -> str:
    """A line of the table."""
    label = f"| {game_id} | {longer:g} s – {shorter:g} s "
    mean, n = fmean(values), len(values)
    if game_id in MEASURES:
        low, high = around_mean(values)
        told = f"| {mean:+.1f} points | {low:+.1f} to {high:+.1f} "
    else:
        low, high = wilson(mean, n)
        told = f"| {mean:.0%} of matches | {low:.0%} to {high:.0%} "
    return f"{label}{told}| {n} | {pace:,.0f} |"


def main() -> None:
    """Read the command line, and play until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], help="default: all")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--up-to", type=float, default=4.0, help="longest thought in seconds")
    wanted = parser.parse_args()
    kinds = [
        (game_id, longer, shorter)
        for longer, shorter in SECONDS
        if longer <= wanted.up_to
        for game_id in wanted.games or GAMES
    ]
    values: dict[tuple[str, float, float], list[float]] = {kind: [] for kind in kinds}
    work = dict.fromkeys(kinds, (0, 0))
    spent = dict.fromkeys(kinds, 0.0)
    end = time.monotonic() + 60 * wanted.minutes
    number = 0
    while time.monotonic() < end:
        # What has had the least time goes next, so that all have their share.
        kind = min(kinds, key=spent.__getitem__)
        begin = time.process_time()
        results, iterations, moves = pair(*kind, number)
        number += 1
        spent[kind] += time.process_time() - begin
        values[kind] += results
        work[kind] = (work[kind][0] + iterations, work[kind][1] + moves)
        print(row(*kind, values[kind], work[kind][0] / max(1, work[kind][1])), flush=True)
    print("\n| game | thought | result | 95 % | matches | iterations a move |")
    print("|---|---|---|---|---|---|")
    for kind in kinds:
        if values[kind]:
            print(row(*kind, values[kind], work[kind][0] / max(1, work[kind][1])))


if __name__ == "__main__":
    main()
