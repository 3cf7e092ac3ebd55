"""Critical positions: does a player lose needlessly, or miss a win?

``python -m benchmarks.critical [set ...]`` asks masters, and the hints, to choose in the positions
in ``tests/data/critical`` and prints how often they go wrong. A set is named after a game and a
number of players (``lancelot-4``); without a number, it has the fewest players of the game's sets
in ``SETUPS``. ``--collect`` plays new matches and searches them for critical positions, until each
set has enough.

The columns: positions; in how many a move loses, and in how many one wins; how often a master
loses, a master misses a win, a hint recommends a losing move, and the first move of a hint misses a
win. With ``--players``, other players choose (named as in ``benchmarks.strength``), which shows
whether more thought helps. Their columns: positions; how often they lose, and miss a win; and,
where points count, the mean points given away in a position, averaged over its worlds, with a 95%
interval.

An exhaustive search found the critical decisions:

* **Lancelot, Isis**: a move *loses* if the next player can win before the seat moves again; it
  *wins* if the seat wins with its next turn, whatever the other player does. A position is critical
  if some moves lose and others do not, or if some win and others do not, and none wins at once. A
  turn with the King's power is one turn. With three to five players, the search looks only for
  losses, and leaves out the King's power.
* **Don Quixote**, alone, with two to four tiles left: a move *loses* points if another one gains
  more on average over all draws that can follow. Other people at the table would make no
  difference.
* **Twilight**, in the last tricks of a deal that cannot end the match, and **Fair Isolde**, with
  the last cards of the match and what they move on the boards: the search examines all
  continuations in every world that agrees with the seat's view, as if all cards were open from
  there on and each seat played for its own lead. A move *loses* points if another one gains at
  least as much in every world and more in one. Worlds are sampled until each has come up ten times
  on average; the list then counts as complete. In Fair Isolde, forty worlds are enough.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.intervals import around_mean
from benchmarks.matches import chooser
from games import GAMES
from games.engine import CHANCE, Event, Game, Match, Move, State, View
from games.players import LEVELS, Budget, search
from play.judgement import Judgement, judge
from play.riddles.proving import Unproven, isolde_lead, twilight_lead
from scripts.matches import new_match

DATA = Path(__file__).resolve().parent.parent / "tests" / "data" / "critical"

POSITIONS = 300
"""How many positions of each set are checked, or collected."""

WITHIN_REACH = 5
"""In Lancelot with three or more players, search only positions in which the next player needs at
most this many stones.
"""

A_MATCH = 5
"""The maximum number of positions from one match."""

IN_THE_OPEN, WITH_SECRETS = (30, 120), (2, 8)
"""Iterations of the players who produce the positions: enough to play sensibly, few enough to make
mistakes.
"""

WORLDS_AT_MOST = {"isolde": 40, "twilight": 13}
"""The maximum number of worlds. A position of Twilight that reaches it is skipped; in Fair Isolde,
sampling stops there.
"""

SEEN_EACH = 10
"""How often each world must come up on average before the list counts as complete."""

SIZE = 800
"""The maximum number of positions to search in one world."""

BUDGET = Budget(LEVELS["master"].budget.iterations)
"""The budget of a hint, without a time limit, so that the results are the same on any machine."""

SETUPS: Mapping[str, Sequence[tuple[int, Mapping[str, Any]]]] = {
    "donquixote": ((1, {}), (1, {"sancho": True})),
    "isis": ((2, {}), (2, {"retreat": True})),
    "isis-3": ((3, {}), (3, {"retreat": True})),
    "isis-4": ((4, {}), (4, {"retreat": True})),
    "isolde": ((2, {"duo": "parzival"}), (2, {"duo": "lancelot"})),
    "isolde-3": ((3, {}),),
    "isolde-4": ((4, {}),),
    "lancelot": ((2, {}), (2, {"king": True}), (2, {"diagonals": True}), (2, {"goal": 4})),
    "lancelot-3": ((3, {}), (3, {"goal": 5}), (3, {"diagonals": True})),
    "lancelot-4": ((4, {"goal": 5}), (4, {}), (4, {"goal": 6, "diagonals": True})),
    "lancelot-5": ((5, {"goal": 5}), (5, {"goal": 6, "diagonals": True})),
    "twilight": ((3, {}),),
    "twilight-4": ((4, {}),),
}
"""Numbers of players and options of each set; matches use them in turn."""


@dataclass(frozen=True)
class Position:
    """A critical position.

    :param log: all events before it.
    :param loses: the moves that certainly lose something that another move keeps.
    :param wins: the moves that win by force; empty if none or all do.
    """

    game: str
    players: int
    options: Mapping[str, Any]
    seed: str
    log: Sequence[Event]
    loses: frozenset[Move]
    wins: frozenset[Move]

    def match(self) -> Match[Any]:
        """Return the match up to this position."""
        game = GAMES[self.game]
        setup = game.setup(self.players, self.options, self.seed)
        return Match.replay(game, setup, self.log)

    def faults(self, move: Move) -> Iterator[str]:
        """Yield "loses" if a move is one of ``loses``, and "misses" if it misses a win."""
        if move in self.loses:
            yield "loses"
        if self.wins and move not in self.wins:
            yield "misses"


# ---------------------------------------------------------------------------- the data
def game_of(name: str) -> str:
    return name.partition("-")[0]


def kept(name: str) -> list[Position]:
    """Return the stored positions of a set."""
    return [position for match in _stored(name) for position in _read(game_of(name), match)]


def _stored(name: str) -> list[dict[str, Any]]:
    """Return the stored matches of a set."""
    path = DATA / f"{name}.xz"
    if not path.exists():
        return []
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _read(game_id: str, match: Mapping[str, Any]) -> Iterator[Position]:
    log = [Event(int(seat), move) for seat, move in (e.split(" ") for e in match["log"])]
    for found in match["critical"]:
        yield Position(
            game_id,
            match["players"],
            match["options"],
            match["seed"],
            log[: found["at"]],
            frozenset(found["loses"]),
            frozenset(found["wins"]),
        )


Judged = tuple[frozenset[Move], frozenset[Move]]
"""The moves of a position that lose, and those that win."""


# ---------------------------------------------------------------------- open games
def judged_openly(game: Game[Any], state: Any, seat: int) -> Judged | None:
    """Return the moves that lose and those that win by force; None if the position is not
    critical.
    """
    if _can_win(game, state, seat):
        return None
    after = {move: _after(game, state, seat, move) for move in game.legal(state, seat)}
    loses = frozenset(move for move, then in after.items() if _is_lost(game, then, seat))
    wins = frozenset[Move]()
    if state.players == 2:
        wins = frozenset(move for move, then in after.items() if _is_won(game, then, seat))
    if len(loses) == len(after):
        loses = frozenset()
    if len(wins) == len(after):
        wins = frozenset()
    return (loses, wins) if loses or wins else None


def _after(game: Game[Any], state: Any, seat: int, move: Move) -> Any:
    after = state.clone()
    game.do(after, seat, move)
    return after


def _wins(game: Game[Any], state: Any, seat: int) -> bool:
    outcome = game.outcome(state)
    return outcome is not None and game.utility(outcome)[seat] == 1


def _can_win(game: Game[Any], state: Any, seat: int) -> bool:
    """Return whether the seat to move can win before anyone else moves."""
    for move in game.legal(state, seat):
        after = _after(game, state, seat, move)
        if _wins(game, after, seat):
            return True
        if game.actors(after) == (seat,) and after.phase == "stone" and _can_win(game, after, seat):
            return True
    return False


def _is_lost(game: Game[Any], state: Any, seat: int) -> bool:
    """Return whether the seat has lost or the next player can win at once; if the seat still has to
    place a stone, whether this holds after every placement.
    """
    outcome, actors = game.outcome(state), game.actors(state)
    if outcome is not None:
        return game.utility(outcome)[seat] < 0
    if actors != (seat,):
        return _can_win(game, state, actors[0])
    return state.phase == "stone" and all(
        _is_lost(game, _after(game, state, seat, move), seat) for move in game.legal(state, seat)
    )


def _is_won(game: Game[Any], state: Any, seat: int) -> bool:
    """Return whether the seat wins on its next turn, whatever happens before it."""
    outcome, actors = game.outcome(state), game.actors(state)
    if outcome is not None:
        return game.utility(outcome)[seat] == 1
    if actors == (seat,):
        if state.phase == "stone":  # the seat's turn continues, so one winning move is enough
            return any(
                _is_won(game, _after(game, state, seat, move), seat)
                for move in game.legal(state, seat)
            )
        return _can_win(game, state, seat)
    return all(
        _is_won(game, _after(game, state, actors[0], move), seat)
        for move in game.legal(state, actors[0])
    )


# ------------------------------------------------------------------ points and hidden hands
Worth = Callable[[Any, int], float]


def quixote_points(state: Any, seat: int) -> float:
    return float(state.total(seat))


WORTHS: Mapping[str, Worth] = {
    "donquixote": quixote_points,
    "isolde": isolde_lead,
    "twilight": twilight_lead,
}


class Remains:
    """An exhaustive search of everything that can follow in one world."""

    def __init__(self, game: Game[Any], state: Any, players: int) -> None:
        self._game = game
        self._worth = WORTHS[game.info.id]
        self._round = state.round
        self._players = players
        self._left = SIZE

    def worths(self, state: Any, seat: int) -> dict[Move, float]:
        """Return what each move is worth to the seat.

        :raises Unproven: more than SIZE positions follow, or they cannot be listed.
        """
        return {
            move: self._value(_after(self._game, state, seat, move))[seat]
            for move in self._game.legal(state, seat)
        }

    def _value(self, state: Any) -> list[float]:
        self._left -= 1
        if self._left < 0:
            raise Unproven
        actors = self._game.actors(state)
        if not actors or state.round > self._round:
            return [self._worth(state, seat) for seat in range(self._players)]
        if len(actors) > 1:
            raise Unproven
        if actors[0] == CHANCE:
            draws = self._game.chance(state) or ()
            if not draws:
                raise Unproven
            whole = sum(weight for _, weight in draws)
            found = [
                (weight / whole, self._value(_after(self._game, state, CHANCE, move)))
                for move, weight in draws
            ]
            return [sum(w * each[seat] for w, each in found) for seat in range(self._players)]
        return max(
            (
                self._value(_after(self._game, state, actors[0], move))
                for move in self._game.legal(state, actors[0])
            ),
            key=lambda values: values[actors[0]],
        )


def judged_by_points(match: Match[Any], seat: int, rng: random.Random) -> Judged | None:
    """Return the moves that certainly lose points, and an empty set of winning moves; None if no
    move loses points, or there is too much to search.
    """
    try:
        found = worths_by_world(match, seat, rng)
    except Unproven:
        return None
    moves = list(found[0])
    loses = frozenset(
        move
        for move in moves
        if any(_dominates(found, other, move) for other in moves if other != move)
    )
    return (loses, frozenset()) if loses else None


def worths_by_world(
    match: Match[Any], seat: int, rng: random.Random
) -> Sequence[Mapping[Move, float]]:
    """Return what each move is worth to the seat in each world.

    :raises Unproven: there is too much to search.
    """
    game, view = match.game, match.view(seat)
    worlds = _worlds(match, view, rng)
    return [Remains(game, world, view.players).worths(world, seat) for world in worlds]


def _worlds(match: Match[Any], view: View, rng: random.Random) -> list[State]:
    """Return the worlds that agree with a view.

    :raises Unproven: there are too many.
    """
    if match.game.info.id == "donquixote":
        return [match.state.clone()]
    worlds: list[State] = [match.game.determinize(view, rng)]
    draws = 1
    while draws < SEEN_EACH * len(worlds):
        draws += 1
        world = match.game.determinize(view, rng)
        if world not in worlds:
            worlds.append(world)
        if len(worlds) == WORLDS_AT_MOST[match.game.info.id]:
            if match.game.info.id != "isolde":
                raise Unproven
            return worlds
    return worlds


def _dominates(found: Sequence[Mapping[Move, float]], better: Move, worse: Move) -> bool:
    """Return whether a move is worth at least as much in every world and more in one."""
    gains = [worths[better] - worths[worse] for worths in found]
    return min(gains) >= -1e-9 and max(gains) > 1e-9


# ---------------------------------------------------------------------------- collecting
def is_late(match: Match[Any]) -> bool:
    """Return whether a position is worth searching."""
    state = match.state
    match match.game.info.id:
        case "donquixote":
            return bool(
                state.round == 3 and state.phase == "place" and 2 <= len(state.hands[0]) <= 4
            )
        case "twilight":
            return state.phase in ("play", "give") and sum(map(len, state.hands)) <= 10
        case "isolde":
            return bool(
                state.round == state.rules.numbers.rounds
                and any(state.played)
                and sum(map(len, state.hands)) <= 4
            )
        case "lancelot" if match.setup.players > 2:
            next_ = (match.actors[0] + 1) % match.setup.players
            return bool(state.goal - state.captured[next_] <= WITHIN_REACH)
        case _:
            return bool(match.ply > 8 and state.phase != "sword")


def collect(name: str, seed: int, wanted: int, number: int = 0) -> Iterator[dict[str, Any]]:
    """Play matches and find critical positions in them.

    :param number: the number of the first match.
    """
    game_id, found = game_of(name), 0
    game = GAMES[game_id]
    while found < wanted:
        players, options = SETUPS[name][number % len(SETUPS[name])]
        text = f"critical {seed} {number}"
        number += 1
        match = new_match(game_id, players, text, options)
        rng = random.Random(text)
        critical: list[tuple[int, Judged]] = []
        while match.outcome is None:
            seat = match.actors[0]
            if is_late(match) and len(game.legal(match.state, seat)) > 1:
                judged = (
                    judged_by_points(match, seat, rng)
                    if game_id in WORTHS
                    else judged_openly(game, match.state, seat)
                )
                if judged is not None:
                    critical.append((match.ply, judged))
            thoughts = WITH_SECRETS if game.info.has_secrets else IN_THE_OPEN
            budget = Budget(thoughts[(seat + number) % 2])
            match.play(seat, [search(game, match.view(seat), rng, budget).best])
        critical = sorted(
            rng.sample(critical, min(A_MATCH, len(critical), wanted - found)),
            key=lambda each: each[0],
        )
        found += len(critical)
        print(f"{name}: match {number}, {found} positions", flush=True)
        if critical:
            yield {
                "players": players,
                "options": options,
                "seed": text,
                "log": [f"{event.seat} {event.move}" for event in match.log[: critical[-1][0]]],
                "critical": [
                    {"at": ply, "loses": sorted(loses), "wins": sorted(wins)}
                    for ply, (loses, wins) in critical
                ],
            }


# ------------------------------------------------------------------------------ checking
@dataclass(frozen=True)
class Checked:
    """What went wrong in a position.

    :param faults: faults of the move that the hint names first: ``loses``, ``misses``.
    :param hinted: faults of the moves that the hint recommends.
    :param judgement: the judgement behind the hint.
    """

    position: Position
    move: Move
    faults: Sequence[str]
    hinted: Sequence[str]
    judgement: Judgement


def check(position: Position, budget: Budget, seed: int = 1) -> Checked:
    """Search and prepare a hint as the bot does, and return the faults of the hint's moves."""
    match = position.match()
    view = match.view(match.actors[0])
    advice = search(match.game, view, random.Random(seed), budget)
    judgement = judge(match.game, view, advice)
    hinted = [fault for each in judgement.recommended for fault in position.faults(each.move)]
    faults = list(position.faults(advice.best))
    return Checked(position, advice.best, faults, hinted, judgement)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", choices=[*SETUPS, []], help="default: all")
    parser.add_argument("--collect", action="store_true", help="collect new positions")
    parser.add_argument("--seed", type=int, default=1, help="of matches or choices (default: 1)")
    parser.add_argument("--positions", type=int, default=POSITIONS)
    parser.add_argument("--players", nargs="+", help="players to compare, not the master")
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}")
    for name in wanted.sets or SETUPS:
        if wanted.collect:
            complete(name, wanted.seed, wanted.positions)
        elif wanted.players:
            compare(name, wanted.players, wanted.seed, wanted.positions)
        else:
            report(name, wanted.seed, wanted.positions)


def complete(name: str, seed: int, positions: int) -> None:
    """Collect the positions that a set lacks, from matches numbered after the stored ones."""
    stored = _stored(name)
    numbers = [int(match["seed"].split()[-1]) for match in stored]
    stored += collect(name, seed, positions - len(kept(name)), max(numbers, default=-1) + 1)
    DATA.mkdir(exist_ok=True)
    with lzma.open(DATA / f"{name}.xz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(match) + "\n" for match in stored)


def report(name: str, seed: int, positions: int) -> None:
    """Print a row for a set, and below it what went wrong."""
    checked = [check(position, BUDGET, seed) for position in kept(name)[:positions]]
    played = [_played(each.position, f"{seed} {number}") for number, each in enumerate(checked)]
    lost, missed = (sum(fault in faults for _, faults in played) for fault in ("loses", "misses"))
    hinted = sum("loses" in each.hinted for each in checked)
    unseen = sum("misses" in each.faults for each in checked)
    print(
        f"| {name} | {len(checked)} | {sum(bool(each.position.loses) for each in checked)} "
        f"| {sum(bool(each.position.wins) for each in checked)} | {lost} | {missed} "
        f"| {hinted} | {unseen} |",
        flush=True,
    )
    for number, (each, (move, faults)) in enumerate(zip(checked, played, strict=True)):
        if faults or each.faults or "loses" in each.hinted:
            hint = f"hint {each.move} {each.faults}, {each.hinted}"
            print(f"  {number}: master {move} {faults}, {hint}")


def _played(position: Position, seed: str) -> tuple[Move, list[str]]:
    """Return the move that a master without a time limit chooses, and its faults."""
    match = position.match()
    move = chooser("master")(match, match.actors[0], random.Random(seed))
    return move, list(position.faults(move))


def compare(name: str, players: Sequence[str], seed: int, positions: int) -> None:
    chosen = kept(name)[:positions]
    matches = [position.match() for position in chosen]
    counted = game_of(name) in WORTHS
    worths = [expected(match, seed) for match in matches] if counted else []
    for player in players:
        choose = chooser(player)
        moves = [
            choose(match, match.actors[0], random.Random(f"{seed} {number}"))
            for number, match in enumerate(matches)
        ]
        faults = [list(each.faults(move)) for each, move in zip(chosen, moves, strict=True)]
        lost, missed = (sum(fault in each for each in faults) for fault in ("loses", "misses"))
        row = f"| {name} | {player} | {len(chosen)} | {lost} | {missed} |"
        if worths:
            given = [max(w.values()) - w[move] for w, move in zip(worths, moves, strict=True)]
            low, high = around_mean(given)
            row += f" {fmean(given):.2f} | {max(0.0, low):.2f} to {high:.2f} |"
        print(row, flush=True)


def expected(match: Match[Any], seed: int) -> Mapping[Move, float]:
    """Return the expected points of each move, averaged over the worlds."""
    found = worths_by_world(match, match.actors[0], random.Random(seed))
    return {move: fmean(worths[move] for worths in found) for move in found[0]}


if __name__ == "__main__":
    main()
