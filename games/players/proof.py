"""Proves the results of positions, working back from the possible ends of the match.

Each seat's result in a position lies between two bounds. At the end of a match they are equal; the
bounds of any other position follow from the positions that its mover can reach. A seat that can
certainly win does so. Otherwise it never chooses a move whose best possible result is worse than
the result that another move guarantees. So the bounds hold whatever sensible moves the others make,
for any number of players.

After Cazenave and Saffidine (2010), for more than two seats.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

Utilities = tuple[float, ...]
"""A result from -1 to 1 for each seat."""


class Bounds(NamedTuple):
    """The proven bounds of a position.

    :param low: the least that each seat gets.
    :param high: the most that each seat gets.
    :param moves: how many moves are left until the match is over, if those who win hurry and the
        others delay.
    """

    low: Utilities
    high: Utilities
    moves: int

    @property
    def exact(self) -> bool:
        """Whether the result is known for every seat."""
        return self.low == self.high


def bounds_of(mover: int, children: Iterable[Bounds | None], *, complete: bool) -> Bounds | None:
    """Work out the bounds of a position from the bounds after each move.

    :param mover: the seat that chooses.
    :param children: the bounds after each move; None where nothing is proven.
    :param complete: whether ``children`` covers all moves.
    :returns: None if nothing is proven.
    """
    known = list(children)
    proven = [bounds for bounds in known if bounds is not None]
    wins = [bounds for bounds in proven if bounds.low[mover] == 1]
    if wins:
        best = min(wins, key=lambda bounds: bounds.moves)
        return best._replace(moves=best.moves + 1)
    if not complete or len(proven) < len(known):
        return None
    least = max(bounds.low[mover] for bounds in proven)
    sensible = [bounds for bounds in proven if bounds.high[mover] >= least]
    low = list(map(min, zip(*(bounds.low for bounds in sensible), strict=True)))
    high = tuple(map(max, zip(*(bounds.high for bounds in sensible), strict=True)))
    low[mover] = least
    return Bounds(tuple(low), high, 1 + max(bounds.moves for bounds in sensible))
