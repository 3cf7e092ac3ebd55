"""Whether more thought finds better moves: ``python -m benchmarks.thought [game ...]``.

From each of many matches it takes one position, a random decision that needs some thought, and lets
all players choose. Players are named by their iterations or CPU seconds (``0.25s``), the shortest
thought first. A suffix changes a constant of the policy or leaves out a part of the search that
``benchmarks.trials`` names (``1000:boldness=2:without=remainder``). ``--tricks`` takes only
positions of Twilight with at most this many tricks left.

Where the players disagree, their moves are judged; with ``--every``, all moves are judged wherever
there is a choice, which also shows what all players miss. The judgement is:

* *solved*: the exact result, where the longest thought searched exhaustively;
* *double dummy*: with ``--tricks``, the solution that ``benchmarks.regret`` finds;
* *judge*: otherwise, a search of only these moves, each for ``--judge`` iterations in the same
  worlds. It shares the players' beliefs about positions and other players, so it shows what they
  miss by thinking too little, not where their beliefs are wrong.

The *regret* of a choice is how much less its move is worth than the best judged move, in points or
in per cent of a win. The table shows the mean, how often a player chooses the same move as the
longest thought, and, with 95% intervals, how much smaller its regret is than the regrets of the
player above and of the first player in the same positions. Each position is kept in a file as soon
as it is judged, and a later run with the same players continues from there, one position of each
game in turn.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.intervals import around_mean
from benchmarks.matches import budget_of
from benchmarks.regret import expectations
from benchmarks.trials import WITHOUT
from games import GAMES
from games.engine import Match, Move, View
from games.players import Advice, Budget, policy_for, search
from games.players.advice import Stop
from games.players.donquixote import SPAN
from games.players.policy import Policy
from games.players.search import Branch, Node, Search
from games.players.twilight import MOST
from games.twilight import TRICKS
from scripts.matches import new_match

SETUPS: Mapping[str, Sequence[tuple[int, Mapping[str, Any]]]] = {
    "donquixote": ((1, {}),),
    "isis": ((2, {}),),
    "isolde": ((2, {}),),
    "lancelot": ((2, {}),),
    "twilight": ((4, {}),),
}
"""Numbers of players and options, used in turn; as in the ladder, except for Don Quixote, which is
played alone.
"""

UNITS: Mapping[str, tuple[float, str]] = {
    "donquixote": (SPAN, "points"),
    "twilight": (MOST, "points"),
}
"""How many points a value of 1 stands for."""

PER_CENT = (50.0, "% of a win")
"""The scale and the unit in other games, where -1 is a loss and 1 a win."""

GLANCE = 30
"""Iterations per move in the matches that the positions come from."""

WORLDS = 60
"""How many worlds are solved for *double dummy*."""

Line = dict[str, Any]
"""A stored position: ``game``, ``number``, ``ply``; ``chosen``, each player's move; ``by``, how the
moves were judged; and ``worths``, the value of each move.
"""


class Narrowed(Search[Any]):
    """A search that tries only some moves, in turn, each in the same worlds."""

    def __init__(
        self, policy: Policy[Any], view: View, rng: random.Random, moves: Sequence[Move]
    ) -> None:
        super().__init__(policy, view, rng)
        self._moves = moves
        self._turn = 0

    def worths(self, iterations: int) -> dict[Move, float]:
        """Return what each move is worth to the seat, from -1 to 1.

        :param iterations: the iterations for each move.
        """
        for number in range(iterations * len(self._moves)):
            self._turn = number % len(self._moves)
            self._iterate(self._world(number // len(self._moves)))
            self.root.bounds = None  # some moves alone prove nothing about the position
        return {ranked.move: ranked.value for ranked in self._ranking()}

    def _branch(self, node: Node, state: Any, seat: int) -> Branch:
        if node is not self.root:
            return super()._branch(node, state, seat)
        move = self._moves[self._turn]
        return node.branches.setdefault(move, Branch(move, 1.0))


# ------------------------------------------------------------------------- the positions
def position(game_id: str, number: int, seed: str, tricks: int) -> Match[Any] | None:
    """Return a decision of the match with this number; None if none needs thought.

    :param tricks: the most tricks left in the first deal of Twilight; 0: any decision.
    """
    game = GAMES[game_id]
    players, options = SETUPS[game_id][number % len(SETUPS[game_id])]
    text = f"{seed} {number}"
    match = new_match(game_id, players, text, options)
    rng = random.Random(text)
    found = []
    while match.outcome is None and not (game_id == "twilight" and match.state.round > 1):
        seat = match.actors[0]
        advice = search(game, match.view(seat), rng, Budget(GLANCE))
        late = not tricks or len(match.state.winners) >= TRICKS - tricks
        if late and advice.iterations and len(game.legal(match.state, seat)) > 1:
            found.append(match.copy())
        match.play(seat, [advice.best])
    return rng.choice(found) if found else None


def advised(name: str, match: Match[Any], seed: str) -> Advice:
    length, *changes = name.split(":")
    policy, kind = policy_for(match.game), Search[Any]
    for change in changes:
        attribute, _, value = change.partition("=")
        if attribute == "without":
            kind = WITHOUT[value]
        elif hasattr(policy, attribute):
            setattr(policy, attribute, type(getattr(policy, attribute))(value))
        else:
            raise ValueError(f"no {attribute} in the policy of {match.game.info.id}")
    rng = random.Random(f"{seed} {name}")
    return kind(policy, match.view(match.actors[0]), rng).run(budget_of(length))


def judge(game_id: str, number: int, wanted: argparse.Namespace) -> Line:
    """Have all players choose in a position, and judge their moves."""
    line: Line = {"game": game_id, "number": number}
    match = position(game_id, number, wanted.seed, wanted.tricks)
    if match is None:
        return line
    view = match.view(match.actors[0])
    advice = {name: advised(name, match, f"{wanted.seed} {number}") for name in wanted.players}
    line |= {"ply": match.ply, "chosen": {name: each.best for name, each in advice.items()}}
    chosen = set(line["chosen"].values())
    moves = sorted(match.game.legal(match.state, match.actors[0]) if wanted.every else chosen)
    longest = advice[wanted.players[-1]]
    rng = random.Random(f"{wanted.seed} {number}")
    if len(moves) == 1:
        line |= {"by": "all agree", "worths": {moves[0]: 0.0}}
    elif wanted.tricks:
        found = expectations(match, WORLDS, rng)
        line |= {"by": "double dummy", "worths": {m: v / MOST for m, v in found.items()}}
    elif longest.stop is Stop.SOLVED:
        line |= {"by": "solved", "worths": {each.move: each.value for each in longest.moves}}
    else:
        worths = Narrowed(policy_for(match.game), view, rng, moves).worths(wanted.judge)
        line |= {"by": "judge", "worths": worths}
    return line


# ------------------------------------------------------------------------------ counting
def regrets(line: Line, players: Sequence[str]) -> list[float]:
    worths, chosen = line["worths"], line["chosen"]
    most = max(worths.values())
    return [most - worths[chosen[name]] for name in players]


def table(game_id: str, lines: Sequence[Line], players: Sequence[str]) -> Iterator[str]:
    """Yield a row for each player.

    :param lines: the game's positions with a choice.
    """
    scale, unit = UNITS.get(game_id, PER_CENT)
    by_player = [
        [scale * each for each in column]
        for column in zip(*(regrets(line, players) for line in lines), strict=True)
    ]
    for n, name in enumerate(players):
        same = fmean(line["chosen"][name] == line["chosen"][players[-1]] for line in lines)
        cells = [game_id, name, str(len(lines)), f"{same:.0%}", _mean(by_player[n], unit)]
        for other in (n - 1, 0):
            gains = [a - b for a, b in zip(by_player[other], by_player[n], strict=True)]
            cells.append(_signed(gains) if n else "")
        yield f"| {' | '.join(cells)} |"


def _mean(values: Sequence[float], unit: str) -> str:
    low, high = around_mean(values)
    return f"{fmean(values):.2f} {unit} ({max(0.0, low):.2f} to {high:.2f})"


def _signed(values: Sequence[float]) -> str:
    low, high = around_mean(values)
    return f"{fmean(values):+.2f} ({low:+.2f} to {high:+.2f})"


HEAD = (
    "| game | thought | positions | as the longest | mean regret | better than above | "
    "better than the first |\n|---|---|---|---|---|---|---|"
)


def read(file: Path) -> list[Line]:
    """Read the stored positions; none if there is no file."""
    return (
        [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], help="default: all")
    parser.add_argument("--players", nargs="+", default=["60", "250", "1000", "4000"])
    parser.add_argument("--positions", type=int, default=40, help="of each game")
    parser.add_argument("--judge", type=int, default=10_000, help="iterations for each move")
    parser.add_argument("--every", action="store_true", help="judge moves that no one chose, too")
    parser.add_argument("--tricks", type=int, default=0, help="the most left in Twilight")
    parser.add_argument(
        "--minutes", type=float, default=60, help="after which no position is started"
    )
    parser.add_argument("--results", type=Path, default=Path("benchmarks/positions.jsonl"))
    parser.add_argument("--seed", default="thought")
    wanted = parser.parse_args()
    games = wanted.games or list(GAMES)
    end = time.monotonic() + 60 * wanted.minutes
    done = {(line["game"], line["number"]) for line in read(wanted.results)}
    for number in range(wanted.positions):
        for game_id in games:
            if (game_id, number) in done or time.monotonic() > end:
                continue
            line = judge(game_id, number, wanted)
            with wanted.results.open("a", encoding="utf-8") as results:
                results.write(json.dumps(line) + "\n")
    print(f"seed {wanted.seed!r}, {wanted.judge} iterations for each move that is judged")
    print(HEAD)
    for game_id in games:
        lines = [
            line for line in read(wanted.results) if line["game"] == game_id and "chosen" in line
        ]
        if lines:
            print("\n".join(table(game_id, lines, wanted.players)))


if __name__ == "__main__":
    main()
