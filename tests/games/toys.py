"""Auction: a small game with dealt secrets and sealed bids, to test the engine and its laws.

In each round, CHANCE deals every seat a hidden card from 1 to 4 (``deal:3``). Then all bid at once,
no higher than their card (``bid:2``). The highest unique bid scores a point, the cards and bids are
shown, and the next round begins. Whoever has the most points wins.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from games.engine import (
    CHANCE,
    Event,
    Fact,
    Game,
    GameInfo,
    Move,
    Option,
    Outcome,
    Setup,
    View,
)

CARDS = (1, 2, 3, 4)


@dataclass(slots=True)
class AuctionState:
    """A position; ``hands`` holds the cards dealt so far, ``bids`` the committed bids by seat."""

    options: Mapping[str, Any]
    scores: list[int]
    hands: list[int] = field(default_factory=list)
    bids: dict[int, int] = field(default_factory=dict)
    shown: list[list[int]] = field(default_factory=list)
    ply: int = 0
    round: int = 1

    def clone(self) -> AuctionState:
        return AuctionState(
            self.options,
            self.scores[:],
            self.hands[:],
            dict(self.bids),
            [pair[:] for pair in self.shown],
            self.ply,
            self.round,
        )


class Auction(Game[AuctionState]):
    """The correct game; the mutants of the conformance tests derive from it."""

    info = GameInfo(
        id="auction",
        rules=1,
        players=(2, 3),
        options=(
            Option("rounds", "int", 2, lo=1, hi=3, default_for={3: 1}),
            Option("double", "bool", default=False, players=frozenset({3})),
            Option("tie", "choice", "nobody", choices=("nobody", "first")),
        ),
        hidden=True,
        simultaneous=True,
        chance="enumerable",
        max_branching=4,
        max_events=18,
    )

    def start(self, setup: Setup) -> AuctionState:
        return AuctionState(dict(setup.options), [0] * setup.players)

    def actors(self, state: AuctionState) -> tuple[int, ...]:
        players = len(state.scores)
        if state.round > state.options["rounds"]:
            return ()
        if len(state.hands) < players:
            return (CHANCE,)
        return tuple(seat for seat in range(players) if seat not in state.bids)

    def legal(self, state: AuctionState, seat: int) -> list[Move]:
        return [f"bid:{bid}" for bid in CARDS if bid <= state.hands[seat]]

    def chance(self, state: AuctionState) -> list[tuple[Move, float]]:
        return [(f"deal:{card}", 1.0) for card in CARDS]

    def do(self, state: AuctionState, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        facts = [] if fx is None else fx
        state.ply += 1
        number = int(move.partition(":")[2])
        if seat == CHANCE:
            receiver = len(state.hands)
            state.hands.append(number)
            facts.append(Fact("dealt", {"card": number}, to=frozenset({receiver})))
            return
        state.bids[seat] = number
        facts.append(Fact("committed", {"seat": seat}))
        if len(state.bids) == len(state.scores):
            self.score(state, facts)

    def score(self, state: AuctionState, facts: list[Fact]) -> None:
        """Reveal all bids, award the point, and start the next round."""
        bids = [state.bids[seat] for seat in range(len(state.scores))]
        single = [bid for bid in bids if bids.count(bid) == 1]
        winner = None
        if single:
            winner = bids.index(max(single))
        elif state.options["tie"] == "first":
            winner = 0
        if winner is not None:
            state.scores[winner] += 2 if state.options.get("double") else 1
        state.shown = [[card, bid] for card, bid in zip(state.hands, bids, strict=True)]
        facts.append(Fact("sold", {"winner": winner, "bids": bids}, reveals=True))
        state.hands, state.bids = [], {}
        state.round += 1

    def outcome(self, state: AuctionState) -> Outcome | None:
        if self.actors(state):
            return None
        scores = state.scores
        ranks = tuple(1 + sum(other > mine for other in scores) for mine in scores)
        return Outcome(ranks, tuple(map(float, scores)), "rounds")

    def view(self, state: AuctionState, viewer: int | None) -> View:
        return View(
            game=self.info.id,
            players=len(state.scores),
            options=state.options,
            viewer=viewer,
            ply=state.ply,
            round=state.round,
            phase="bid" if len(state.hands) == len(state.scores) else "deal",
            actors=self.actors(state),
            outcome=self.outcome(state),
            public=self.public(state),
            private={} if viewer is None else self.private(state, viewer),
        )

    def public(self, state: AuctionState) -> dict[str, Any]:
        return {
            "scores": state.scores[:],
            "dealt": len(state.hands),
            "committed": sorted(state.bids),
            "shown": [pair[:] for pair in state.shown],
        }

    def private(self, state: AuctionState, viewer: int) -> dict[str, Any]:
        """The viewer's card and bid, if any."""
        known: dict[str, Any] = {}
        if viewer < len(state.hands):
            known["hand"] = state.hands[viewer]
        if viewer in state.bids:
            known["bid"] = state.bids[viewer]
        return known

    def determinize(self, view: View, rng: random.Random) -> AuctionState:
        public, private = view.public, view.private
        state = AuctionState(view.options, list(public["scores"]))
        state.ply, state.round = view.ply, view.round
        state.shown = [list(pair) for pair in public["shown"]]
        for seat in range(public["dealt"]):
            mine = seat == view.viewer
            state.hands.append(private["hand"] if mine else 1 + int(rng.random() * len(CARDS)))
        for seat in public["committed"]:
            mine = seat == view.viewer
            state.bids[seat] = private["bid"] if mine else 1 + int(rng.random() * state.hands[seat])
        return state

    def observed(self, state: AuctionState, event: Event, viewer: int | None) -> Move | None:
        receiver = len(state.hands) if event.seat == CHANCE else event.seat
        return event.move if viewer == receiver else event.move.partition(":")[0] + ":?"
