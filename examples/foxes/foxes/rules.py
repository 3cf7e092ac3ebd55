"""The rules. Moves: ``7`` lays a card; CHANCE deals one card to each seat in turn, ``deal:7``."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tafelrunde import engine
from tafelrunde.engine import CHANCE, Fact, Game, Move, Outcome, Setup, View, shuffled

CARDS = range(1, 21)
DEALT = 5


@dataclass(slots=True)
class Table(engine.Position):
    """A position. ``before``: the tricks that everyone had when this hand was dealt."""

    hands: list[list[int]] = field(default_factory=list)
    played: list[int] = field(default_factory=list)
    trick: list[list[int]] = field(default_factory=list)
    last: list[list[int]] = field(default_factory=list)
    won: list[int] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    leader: int = 0


class Foxes(Game[Table]):
    """The highest card takes the trick, unless the card one below it was laid, too."""

    info = engine.GameInfo(
        id="foxes",
        rules=1,
        players=(2, 3, 4),
        options=(engine.Option("hands", "int", 2, lo=1, hi=3),),
        hidden=True,
        chance="enumerable",
        accounts=frozenset({"counted"}),
        max_branching=DEALT,
        max_events=3 * 2 * DEALT * 4,
    )

    def start(self, setup: Setup) -> Table:
        n, hands = setup.players, [list[int]() for _ in range(setup.players)]
        return Table(n, setup.options, hands=hands, won=[0] * n, before=[0] * n)

    def actors(self, state: Table) -> tuple[int, ...]:
        if state.round > state.options["hands"]:
            return ()
        if not state.played and len(state.hands[-1]) < DEALT:
            return (CHANCE,)
        return ((state.leader + len(state.trick)) % state.players,)

    def legal(self, state: Table, seat: int) -> list[Move]:
        return [str(card) for card in state.hands[seat]]

    def chance(self, state: Table) -> list[tuple[Move, float]]:
        return [(f"deal:{card}", 1.0) for card in CARDS if not any(card in h for h in state.hands)]

    def do(self, state: Table, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        state.ply += 1
        if seat == CHANCE:
            hand = state.hands[self._receiver(state)]
            hand.append(int(move.removeprefix("deal:")))
            hand.sort()
            return
        state.hands[seat].remove(int(move))
        state.played.append(int(move))
        state.trick.append([seat, int(move)])
        facts = [Fact("laid", {"seat": seat, "card": int(move)})]
        if len(state.trick) == state.players:
            facts += self._taken(state)
        if fx is not None:
            fx += facts

    def _taken(self, state: Table) -> list[Fact]:
        owners = {card: seat for seat, card in state.trick}
        prey = max(owners)
        card = prey - 1 if prey - 1 in owners else prey
        state.leader = owners[card]
        state.won[state.leader] += 1
        state.last, state.trick = state.trick, []
        told = {"seat": state.leader, "card": card, "prey": prey}
        facts = [Fact("taken" if card == prey else "stolen", told)]
        if not any(state.hands):
            now = [won - before for won, before in zip(state.won, state.before, strict=True)]
            facts.append(Fact("counted", {"now": now, "all": state.won[:]}))
            state.before, state.played, state.round = state.won[:], [], state.round + 1
        return facts

    def outcome(self, state: Table) -> Outcome | None:
        if self.actors(state):
            return None
        ranks = tuple(1 + sum(other > mine for other in state.won) for mine in state.won)
        return Outcome(ranks, tuple(map(float, state.won)), "tricks")

    def public(self, state: Table) -> Mapping[str, Any]:
        parts = state.plain()
        known = {key: parts[key] for key in ("played", "trick", "last", "won", "before", "leader")}
        return {**known, "hands": [len(hand) for hand in state.hands]}

    def private(self, state: Table, seat: int) -> Mapping[str, Any]:
        return {"hand": state.hands[seat][:]}

    def determinize(self, view: View, rng: random.Random) -> Table:
        state = Table(view.players, view.options, view.ply, view.round, **view.public).clone()
        mine = list(view.private.get("hand", ()))
        unseen = shuffled(rng, (c for c in CARDS if c not in mine and c not in state.played))
        for seat, count in enumerate(view.public["hands"]):
            others = sorted(unseen.pop() for _ in range(count)) if seat != view.viewer else mine
            state.hands[seat] = others
        return state

    def observed(self, state: Table, event: engine.Event, viewer: int | None) -> Move | None:
        hidden = event.seat == CHANCE and viewer != self._receiver(state)
        return "deal:?" if hidden else event.move

    @staticmethod
    def _receiver(state: Table) -> int:
        return sum(map(len, state.hands)) % state.players
