"""Nim, a game small enough to solve: the player who takes the last stones wins.

Players take turns to take one, two or three stones from the heap (``take:2``). With a ``poison``,
taking the last stone loses instead, and all others share first place.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from games.engine import Fact, Game, GameInfo, Move, Option, Outcome, Setup, View


@dataclass(slots=True)
class NimState:
    players: int
    heap: int
    poison: bool
    turn: int = 0
    ply: int = 0
    round: int = 1

    def clone(self) -> NimState:
        return NimState(self.players, self.heap, self.poison, self.turn, self.ply, self.round)


class Nim(Game[NimState]):
    info = GameInfo(
        id="nim",
        rules=1,
        players=(2, 3),
        options=(Option("heap", "int", 9, lo=1, hi=30), Option("poison", "bool", default=False)),
    )

    def start(self, setup: Setup) -> NimState:
        return NimState(setup.players, setup.options["heap"], setup.options["poison"])

    def actors(self, state: NimState) -> tuple[int, ...]:
        return (state.turn,) if state.heap else ()

    def legal(self, state: NimState, seat: int) -> list[Move]:
        return [f"take:{n}" for n in (1, 2, 3) if n <= state.heap]

    def do(self, state: NimState, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        state.ply += 1
        state.heap -= int(move.partition(":")[2])
        state.turn = (seat + 1) % state.players

    def outcome(self, state: NimState) -> Outcome | None:
        if state.heap:
            return None
        last = (state.turn - 1) % state.players
        worst = state.players if state.poison else 2
        ranks = tuple(
            worst if (seat == last) == state.poison else 1 for seat in range(state.players)
        )
        return Outcome(ranks, tuple(map(float, ranks)), "empty")

    def view(self, state: NimState, viewer: int | None) -> View:
        return View(
            game="nim",
            players=state.players,
            options={"heap": state.heap, "poison": state.poison},
            viewer=viewer,
            ply=state.ply,
            round=state.round,
            phase="take",
            actors=self.actors(state),
            outcome=self.outcome(state),
            public={"heap": state.heap, "turn": state.turn},
            private={},
        )

    def determinize(self, view: View, rng: random.Random) -> NimState:
        public = view.public
        return NimState(
            view.players, public["heap"], view.options["poison"], public["turn"], view.ply
        )


def utilities(state: NimState) -> set[tuple[float, ...]]:
    """All results of play in which no seat makes a move that is certainly worse for it than
    another.
    """
    game = Nim()
    outcome = game.outcome(state)
    if outcome is not None:
        return {game.utility(outcome)}
    seat = state.turn
    results = []
    for move in game.legal(state, seat):
        after = state.clone()
        game.do(after, seat, move)
        results.append(utilities(after))
    least = max(min(each[seat] for each in found) for found in results)
    return set().union(*(found for found in results if max(e[seat] for e in found) >= least))
