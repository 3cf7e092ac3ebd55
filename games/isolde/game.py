"""Implements the engine contract for Isolde: methods delegate to the step that is due."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from games.engine import BadSetup, Event, Fact, GameInfo, Move, Option, Outcome, Setup, View
from games.house import NOBODY, HouseGame, starter_of, starter_option
from games.isolde import notation, views
from games.isolde.cards import CARD, play_move
from games.isolde.numbers import NUMBERS, Numbers
from games.isolde.rounds import begin_round, scores
from games.isolde.rules import rules_for
from games.isolde.seatings import LANCELOT, PARZIVAL
from games.isolde.state import IsoldeState, Rules, due_for
from games.isolde.steps import proceed
from games.isolde.variants import VARIANTS
from games.prepared import Prepared

OVER = "over"


class Isolde(HouseGame[IsoldeState]):
    """Draft cards, play them to move ahead on seven boards, and win the most points."""

    info = GameInfo(
        id="isolde",
        rules=1,
        players=(2, 3, 4, 5),
        options=(
            Option(
                "duo",
                "choice",
                PARZIVAL,
                choices=(PARZIVAL, LANCELOT),
                players=frozenset({2}),
            ),
            *(Option(variant.key, "bool", default=False) for variant in VARIANTS),
            starter_option(5),
        ),
        places=False,  # the rulebook only names a winner
        hidden=True,
        simultaneous=True,
        chance="sampled",
        accounts=frozenset({"round_over"}),
        max_branching=64,
        max_events=700,  # five players: 6 rounds of 40 cards, looks, and at most 40 other choices
    )

    notation = notation

    def __init__(self, numbers: Numbers = NUMBERS) -> None:
        self.numbers = numbers
        self._rules_met: dict[tuple[Any, ...], Rules] = {}
        self._known = Prepared(self._knowledge)

    def _knowledge(self, view: View) -> views.Known:
        return views.known(self._rules(view.players, view.options), view)

    def _rules(self, players: int, options: Mapping[str, Any]) -> Rules:
        met = (players, *options.items())
        rules = self._rules_met.get(met)
        if rules is None:
            rules = self._rules_met[met] = rules_for(players, options, self.numbers)
        return rules

    # -- the course of a match
    def check_setup(self, setup: Setup) -> None:
        """Check that the starter has a seat at the table, and that no board is replaced twice.

        :raises BadSetup: ``starter_seat`` or ``variants_exclude``.
        """
        super().check_setup(setup)
        chosen = [variant for variant in VARIANTS if setup.options[variant.key]]
        for first, second in combinations(chosen, 2):
            replaced = {board.id for board in first.boards}
            if any(board.id in replaced for board in second.boards):
                raise BadSetup("variants_exclude", first=first.key, second=second.key)

    def start(self, setup: Setup) -> IsoldeState:
        """Return the position with all pieces at the start. The lot comes first unless the starter
        is fixed.
        """
        rules = self._rules(setup.players, setup.options)
        state = views.new_state(rules, setup.options)
        starter = starter_of(setup)
        if starter is None:
            state.agenda.append(due_for("lot", NOBODY))
        else:
            begin_round(state, starter)
        proceed(state, None)
        return state

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """Return the moves of the step that is due."""
        return state.rules.steps[state.agenda[-1].step].legal(state, seat)

    def do(self, state: IsoldeState, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        """Apply a move or a draw, and everything that follows without a decision."""
        state.ply += 1
        step = state.rules.steps[state.agenda[-1].step]
        state.last = "" if step.secret else move
        step.do(state, seat, move, fx)
        if not state.actors:
            proceed(state, fx)

    def outcome(self, state: IsoldeState) -> Outcome | None:
        """Return the ranking by points; equal points share a place. The neutral colour cannot
        win.
        """
        if state.agenda:
            return None
        points = scores(state)
        ranks = tuple(1 + sum(other > mine for other in points) for mine in points)
        return Outcome(ranks, tuple(map(float, points)), "points")

    # -- chance
    def chance(self, state: IsoldeState) -> Sequence[tuple[Move, float]] | None:
        """Return the draws of the step that is due; None for deals, because there are too many."""
        return state.rules.steps[state.agenda[-1].step].chance(state)

    def sample(self, state: IsoldeState, rng: random.Random) -> Move:
        """Return a draw of the step that is due."""
        move = state.rules.steps[state.agenda[-1].step].sample(state, rng)
        return super().sample(state, rng) if move is None else move

    # -- knowledge
    def phase(self, state: IsoldeState) -> str:
        """Return the step that is due."""
        return state.agenda[-1].step if state.agenda else OVER

    # The package's docstring lists the keys.
    public = staticmethod(views.public_view)
    private = staticmethod(views.private_view)

    def determinize(self, view: View, rng: random.Random) -> IsoldeState:
        """Draw unseen cards and shields, consistent with everything the viewer has seen."""
        return views.imagine(self._known(view), rng)

    def observed(self, state: IsoldeState, event: Event, viewer: int | None) -> Move:
        """Return the move with ``?`` for everything that is hidden from the viewer."""
        return state.rules.steps[state.agenda[-1].step].observed(state, event, viewer)

    def shown(self, fact: Fact) -> tuple[int, Move] | None:
        """Return the seat and the move behind a fact: a card played for a colour of the seat, or a
        move that the engine made for the seat.
        """
        by: int | None = fact.data.get("by")
        if by is None:
            return None
        if fact.kind == "played":
            return by, play_move(CARD[fact.data["card"]], fact.data["board"])
        return (by, fact.data["move"]) if fact.kind == "forced" else None

    def facts(self, players: int, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the number of colours, and the rules that depend on it or on the mode for two
        players, such as prizes for third place, the zeros of the codex and a fifth card.
        """
        usable = (option.key for option in self.info.options if option.usable(players))
        rules = self._rules(players, {key: options[key] for key in usable})
        return {
            **super().facts(players, options),
            "colours": rules.colours,
            "large": rules.boards[0].large,
            "zeros": rules.colours - len(self.numbers.codex),
            "fifth": rules.seating.fifth_card,
            "neutral": None in rules.seating.owners,
            "two_colours": len(rules.owned[0]) > 1,
        }

    # -- speed
    def random_move(self, state: IsoldeState, seat: int, rng: random.Random) -> Move:
        """Return a random move of the step that is due."""
        return state.rules.steps[state.agenda[-1].step].random_move(state, seat, rng)
