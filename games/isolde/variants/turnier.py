"""Das grosse Turnier: a white and a black knight, and a cup that every card pulls to its side."""

from __future__ import annotations

from typing import Any, ClassVar

from games.engine import View
from games.house import tell
from games.isolde.boards import Lists
from games.isolde.numbers import Numbers
from games.isolde.state import Board, Facts, IsoldeState


class Knight(Lists):
    """Pieces of those who fight for one knight.

    :cvar side: +1 if the cup on a positive field is his.
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
        """Pull the cup to this side; at the last field it stops."""
        reach, slot = self.numbers.cup_reach, cup_keeper(state).slot
        before: int = state.notes[slot]
        after = max(-reach, min(reach, before + self.side * value))
        state.notes[slot] = after
        if fx is not None:
            tell(fx, "cup", origin=before, field=after)

    def winners(self, state: IsoldeState) -> list[tuple[int, int]]:
        """The richer prizes if the cup is on this side; in the middle it is on neither."""
        if cup_field(state) * self.side <= 0:
            return super().winners(state)
        return list(zip(state.order[self.slot], self.victor_prizes, strict=False))

    def open_note(self, state: IsoldeState) -> int:
        """Where the cup stands."""
        return cup_field(state)

    def shown(self, open_note: int) -> dict[str, Any]:
        """``cup``, positive on the white side. How far it can go, which ``side`` is this knight's
        (1 or -1), and the prizes if he wins, are printed.
        """
        return {"cup": open_note}


class BlackKnight(Knight):
    """In the place of Lanzenstechen."""

    id = "LANZE"
    place = 30
    side = -1


class WhiteKnight(Knight):
    """In the place of Turnierkampf; keeps the cup for both."""

    id = "TURNIER"
    place = 40
    side = 1

    blank = 0

    def reset(self, state: IsoldeState, fx: Facts) -> None:
        """The cup starts anew, too."""
        super().reset(state, fx)
        state.notes[self.slot] = self.blank

    def restore(self, state: IsoldeState, view: View) -> None:
        """Set the cup."""
        state.notes[self.slot] = view.public["boards"][self.id]["cup"]


def cup_keeper(state: IsoldeState) -> Board:
    """The board that remembers where the cup stands."""
    return state.rules.board[WhiteKnight.id]


def cup_field(state: IsoldeState) -> int:
    """The field of the cup: 0 in the middle, positive on the white knight's side."""
    field: int = state.notes[cup_keeper(state).slot]
    return field
