"""Variant "Gralssuche": the board gives points for shields won on other boards."""

from __future__ import annotations

from typing import Any

from games.house import tell
from games.isolde.boards import Gralssuche
from games.isolde.state import Facts, IsoldeState, Shield


class Reckoning(Gralssuche):
    """First place gets a point for each positive shield, second place one for every two; each
    colour in last place loses a point for every two. Colours that have not moved share last place.
    """

    terms = "grail"

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """Award points for shields, rounded down. There are always three colours or more, so none
        is both second and last.
        """
        numbers = self.numbers
        order = state.order[self.slot]
        rewards = zip(order, numbers.grail_shields, strict=False)
        for place, (colour, shields) in enumerate(rewards, 1):
            won = positive_shields(state, colour)
            self._book(state, colour, won, won // shields, fx, why="place", place=place)
        for colour in self.unmoved(state) or order[-1:]:
            won = positive_shields(state, colour)
            self._book(state, colour, won, -(won // numbers.grail_last), fx, why="last")

    def _book(
        self, state: IsoldeState, colour: int, shields: int, points: int, fx: Facts, **why: Any
    ) -> None:
        if points:
            state.award(colour, Shield(self.id, state.round, points))
        tell(fx, "reckoned", colour=colour, shields=shields, value=points, **why)


def positive_shields(state: IsoldeState, colour: int) -> int:
    """Return how many positive shields a colour has, whatever their value."""
    board = state.rules.board
    return sum([board[shield.board].positive for shield in state.shields[colour]])
