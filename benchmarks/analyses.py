"""Does a second analysis agree with the first? ``python -m benchmarks.analyses [game ...]``.

Players of different strength play matches, and each match is analysed twice with different seeds.
It prints a row for each game: decisions; how often both runs agree, which means that they name the
same best move or both cannot tell; how often at least one of them could not tell; turning points in
the first run; how many of these the second run names as well, and how many it mentions only as
large or possibly large losses; CPU seconds for one analysis plus half a match.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import replace
from typing import Any

from games import GAMES
from games.engine import Game, Match, Setup
from games.players import Budget, search
from play import analysis
from play.analysis import Analysis, iterations_in, looked_at, looked_at_again, planned, told
from scripts.matches import new_match

PLAYING = Budget(15), Budget(150)
"""The budgets of the players, so small that they make mistakes."""


def analysed(match: Match[Any], seed: str, haste: float) -> Analysis:
    """Return the bot's own analysis of a match, leaving out luck."""
    game: Game[Any] = match.game
    game_id, log = game.info.id, tuple(match.log)
    setup: Setup = replace(match.setup, seed=seed)
    plan = replace(planned(game, setup, log), lots=())
    share = analysis.SECONDS / max(1, len(plan.measured))
    seconds = max(analysis.SHORTEST, min(analysis.LONGEST, share)) / haste
    looks = [
        looked_at(game_id, setup, log, place, iterations_in(game_id, seconds))
        for place in plan.measured
    ]
    choices = [choice for _, choice in looks if choice is not None]
    again = iterations_in(game_id, analysis.AGAIN / haste)
    turns = [
        looked_at_again(game_id, setup, log, choice, again) for choice in analysis.worst_of(choices)
    ]
    return told(game, match, plan, [worth for worth, _ in looks], choices, turns, ())


def agree(one: analysis.Decision, other: analysis.Decision) -> bool:
    return one.best == other.best or not (one.sure or other.sure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], help="default: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--matches", type=int, default=4)
    parser.add_argument("--haste", type=float, default=1.0, help="divide thinking times by this")
    wanted = parser.parse_args()
    print(
        f"seed {wanted.seed}\n\n| game | decisions | same | unsure | turns | same | doubted | CPU |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for game_id in wanted.games or GAMES:
        game = GAMES[game_id]
        decisions = same = unsure = turns = same_turns = doubted = 0
        began = time.process_time()
        for number in range(wanted.matches):
            text = f"analyses {wanted.seed} {number}"
            match = new_match(game_id, game.info.players[0], text)
            rng = random.Random(text)
            while match.outcome is None:
                seat = match.actors[0]
                match.play(seat, [search(game, match.view(seat), rng, PLAYING[seat % 2]).best])
            runs = [analysed(match, f"{text} {run}", wanted.haste) for run in (1, 2)]
            for one, other in zip(*(run.choices for run in runs), strict=True):
                decisions += 1
                same += agree(one, other)
                unsure += not (one.sure and other.sure)
            places = [{turn.choice.place for turn in run.turns} for run in runs]
            turns += len(places[0])
            same_turns += len(places[0] & places[1])
            doubted += len(
                (places[0] - places[1]).intersection((*runs[1].others, *runs[1].unclear))
            )
        seconds = (time.process_time() - began) / 2 / wanted.matches
        print(
            f"| {game_id} | {decisions} | {same / max(1, decisions):.0%} "
            f"| {unsure / max(1, decisions):.0%} | {turns} | {same_turns} "
            f"| {doubted} | {seconds:.0f} s |",
            flush=True,
        )


if __name__ == "__main__":
    main()
