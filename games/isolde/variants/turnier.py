"""Das grosse Turnier: a white and a black knight, and a cup. Each card played for a knight pulls
the cup towards that knight's side.
"""

from __future__ import annotations

from typing import Any, ClassVar

from games.engine import View
from games.house import tell
from games.isolde.boards import Lists
from games.isolde.numbers import Numbers
from games.isolde.state import Board, Facts, IsoldeState


class Knight(Lists):
    """A board whose pieces fight for one knight.

    :cvar side: the sign of the cup's fields on this knight's side.
    """

    side: ClassVar[int]

    terms = "knights"

    def __init__(self, slot: int, colours: int, numbers: Numbers) -> None:
        super().__init__(slot, colours, numbers)
        self.victor_prizes = self.awarded(numbers.knights_won)
        self.printed |= {
            "reach": numbers.cup_reach,
            "side": self.side,
            "victor_prizes": list(self.victor_prizes),
        }

    def card_played(self, state: IsoldeState, colour: int, value: int, fx: Facts) -> None:
        """Pull the cup towards this side, at most to the last field."""
        reach, slot = self.numbers.cup_reach, cup_keeper(state).slot
        before: int = state.notes[slot]
        after = max(-reach, min(reach, before + self.side * value))
        state.notes[slot] = after
        if fx is not None:
            tell(fx, "cup", origin=before, field=after)

    def winners(self, state: IsoldeState) -> list[tuple[int, int]]:
        """Return the winners with their prizes, which are higher if the cup is on this side. In the
        middle it is on neither side.
        """
        if cup_field(state) * self.side <= 0:
            return super().winners(state)
        return list(zip(state.order[self.slot], self.victor_prizes, strict=False))

    def open_note(self, state: IsoldeState) -> int:
        """Return the field of the cup."""
        return cup_field(state)

    def shown(self, open_note: int) -> dict[str, Any]:
        """Return ``cup``: its field, positive on the white side. ``printed`` has its ``reach``, the
        sign of this knight's ``side``, and the ``victor_prizes``.
        """
        return {"cup": open_note}


class BlackKnight(Knight):
    """Replaces Lanzenstechen."""

    id = "LANZE"
    place = 30
    side = -1


class WhiteKnight(Knight):
    """Replaces Turnierkampf, and stores the cup for both boards."""

    id = "TURNIER"
    place = 40
    side = 1

    blank = 0

    def reset(self, state: IsoldeState, fx: Facts) -> None:
        """Reset the cup as well."""
        super().reset(state, fx)
        state.notes[self.slot] = self.blank

    def restore(self, state: IsoldeState, view: View) -> None:
        """Set the cup."""
        state.notes[self.slot] = view.public["boards"][self.id]["cup"]


def cup_keeper(state: IsoldeState) -> Board:
    """Return the board that stores the cup's field."""
    return state.rules.board[WhiteKnight.id]


def cup_field(state: IsoldeState) -> int:
    """Return the field of the cup: 0 in the middle, positive on the white knight's side."""
    field: int = state.notes[cup_keeper(state).slot]
    return field
