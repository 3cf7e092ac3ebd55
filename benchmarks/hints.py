"""How often a hint says why: ``python -m benchmarks.hints [game ...]``.

Computer players with little thinking time play matches, and every few decisions a search of 800
iterations gives a hint. For each game it prints the verdicts, how many hints say only "about as
good", and how many of the hints about unequal choices give a reason. The seed is printed; the same
seed gives the same table.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from games import GAMES
from games.engine import Match
from games.players import Budget, search
from play.judgement import Judgement, Verdict, judge
from scripts.matches import new_match

PLAYING, HINTING = Budget(40), Budget(800)

NO_CHOICE = frozenset({Verdict.ONLY, Verdict.EQUAL})
"""Verdicts that need no reason."""

SAYS_WHY = frozenset({Verdict.WINS, Verdict.FORCES, Verdict.SAVES, Verdict.LOST})
"""Verdicts that are reasons themselves."""


@dataclass(frozen=True)
class Terms:
    """How hints are obtained.

    :param tables: numbers of players, each with options; matches use them in turn.
        Default: every number of players.
    :param playing: the thinking time of the players.
    :param hinting: the thinking time for a hint.
    :param every: on average, one decision in this many gets a hint.
    """

    tables: Sequence[tuple[int, Mapping[str, Any]]] = ()
    playing: Budget = PLAYING
    hinting: Budget = HINTING
    every: int = 5


USUAL = Terms()


def hints(
    game_id: str, seed: str, wanted: int, terms: Terms = USUAL
) -> Iterator[tuple[Match[Any], int, Judgement]]:
    """Yield hints, each with the match at that moment and the seat that gets it."""
    game = GAMES[game_id]
    tables = terms.tables or [(players, {}) for players in game.info.players]
    for number, (players, options) in enumerate(cycle(tables)):
        text = f"hints {seed} {number}"
        rng = random.Random(text)
        match = new_match(game_id, players, text, options)
        while match.outcome is None:
            if not wanted:
                return
            seat = match.actors[0]
            view = match.view(seat)
            if rng.random() < 1 / terms.every:
                wanted -= 1
                yield match, seat, judge(game, view, search(game, view, rng, terms.hinting))
            match.play(seat, [search(game, view, rng, terms.playing).best])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], help="default: all")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--hints", type=int, default=100, help="for each game")
    wanted = parser.parse_args()
    columns = "game | hints | verdicts | equal, no more said | choices | with a reason | reasons"
    print(f"seed {wanted.seed}\n\n| {columns} |\n|---|---|---|---|---|---|---|")
    for game_id in wanted.games or GAMES:
        verdicts, kinds = Counter[Verdict](), Counter[str]()
        choices = told = bare = 0
        for _, _, hint in hints(game_id, wanted.seed, wanted.hints):
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
