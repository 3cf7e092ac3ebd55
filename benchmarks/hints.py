"""How often a hint says why: ``python -m benchmarks.hints [game ...]``.

Players of different strength play matches; at every few decisions the strongest one is asked for a
hint. Told are, by game, the verdicts, how many say "about as good" and nothing else, and the share
of hints with a reason among those that are not about equal choices. The seed is printed; the same
one gives the same table.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator

from games import GAMES
from games.players import Budget, search
from play.judgement import Judgement, Verdict, judge
from scripts.matches import new_match

PLAYING, HINTING = Budget(40), Budget(800)
"""How long those who play think, and how long is thought for a hint."""

EVERY = 5
"""A hint for one of so many decisions."""

NO_CHOICE = frozenset({Verdict.ONLY, Verdict.EQUAL})
"""Where there is nothing to give a reason for."""

SAYS_WHY = frozenset({Verdict.WINS, Verdict.FORCES, Verdict.SAVES, Verdict.LOST})
"""Verdicts that are reasons themselves."""


def hints(game_id: str, seed: int, wanted: int) -> Iterator[Judgement]:
    """Hints in matches of all numbers of players in turns."""
    game = GAMES[game_id]
    number = 0
    while True:
        number += 1
        players = game.info.players[number % len(game.info.players)]
        text = f"hints {seed} {number}"
        rng = random.Random(text)
        match = new_match(game_id, players, text)
        while match.outcome is None:
            seat = match.actors[0]
            view = match.view(seat)
            if rng.random() < 1 / EVERY:
                advice = search(game, view, rng, HINTING)
                yield judge(game, view, advice)
                wanted -= 1
                if not wanted:
                    return
            match.play(seat, [search(game, view, rng, PLAYING).best])


def main() -> None:
    """Read the command line, and print a row for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], help="default: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hints", type=int, default=100, help="for each game")
    wanted = parser.parse_args()
    columns = "game | hints | verdicts | equal, no more said | choices | with a reason | reasons"
    print(f"seed {wanted.seed}\n\n| {columns} |\n|---|---|---|---|---|---|---|")
    for game_id in wanted.games or GAMES:
        verdicts, kinds = Counter[Verdict](), Counter[str]()
        choices = told = bare = 0
        for hint in hints(game_id, wanted.seed, wanted.hints):
            best = hint.best
            verdicts[best.verdict] += 1
            if best.verdict in NO_CHOICE:
                said = any(each.reasons for each in hint.recommended)
                bare += best.verdict is Verdict.EQUAL and not said
                continue
            choices += 1
            kinds.update(fact.kind for fact in best.reasons)
            told += bool(best.reasons) or best.verdict in SAYS_WHY
        print(
            f"| {game_id} | {wanted.hints} | {_listed(verdicts)} | {bare} | {choices} "
            f"| {told / max(1, choices):.0%} | {_listed(kinds)} |",
            flush=True,
        )


def _listed(counts: Counter[Verdict] | Counter[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.most_common())


if __name__ == "__main__":
    main()
