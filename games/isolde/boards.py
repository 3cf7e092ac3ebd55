"""The seven boards of the basic game.

A variant replaces one of these boards or adds another (``variants``). A round deals with the boards
of the match in the order of their ``place``, and uses only the interface of ``Board``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from games.engine import IllegalMove, Move
from games.isolde.cards import KAMPF
from games.isolde.state import Board, BoardStep, Due, Facts, IsoldeState, Rules, due_for
from games.isolde.steps import DECLINE, ColourChoice


def points_reached(points: Sequence[tuple[int, int]], position: int) -> int:
    """Return the points of the first field in the list that a piece has reached; 0 if it has
    reached none.
    """
    for field, value in points:
        if position >= field:
            return value
    return 0


# -------------------------------------------------------------------------- Holde Isolde
class Bonus(BoardStep, ColourChoice):
    """A winner on the Isolde board may move its piece on another board: ``bonus:GRAL``.

    The neutral colour always moves; the starter only decides where.
    """

    name = "bonus"
    verb = "bonus"

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """Return a move for each other board, and ``bonus:-`` unless the colour is neutral."""
        moves = list(_moves_elsewhere(state.rules, self.board))
        if state.rules.seating.may_decline(state.agenda[-1].colour):
            moves.append(_DECLINED)
        return moves

    def several(self, state: IsoldeState, due: Due) -> bool:
        """Return True, because there are at least two other boards."""
        return True

    def choose(self, state: IsoldeState, due: Due, choice: str, fx: Facts) -> None:
        """Move the piece on the chosen board by the whole bonus, or report that the colour
        declines.
        """
        if choice == DECLINE:
            self.decline(due.colour, fx)
        else:
            (fields,) = due.data
            self.board.bonus_move(state, due.colour, choice, fields, fx)

    def refusal(self, state: IsoldeState, seat: int, argument: str) -> IllegalMove:
        """Refuse ``bonus:-`` for the neutral colour, or a board that is not possible."""
        if argument == DECLINE:
            return IllegalMove("neutral_moves")
        return state.rules.no_target(argument)


_DECLINED = f"{Bonus.verb}:{DECLINE}"


@cache
def _moves_elsewhere(rules: Rules, board: Board) -> tuple[Move, ...]:
    """Return the moves of the bonus that a board gives: one for each other board."""
    return tuple(f"{Bonus.verb}:{other.id}" for other in rules.boards if other is not board)


class IsoldeBoard(Board):
    """The leaders move on other boards, from third place up to first."""

    id = "ISOLDE"
    place = 10
    terms = "isolde"
    card_types = ("ISOLDE",)
    scores = False
    step_kinds: ClassVar[tuple[type[BoardStep], ...]] = (Bonus,)

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """Let the present leaders choose, even if their moves change the order."""
        for colour, fields in self.winners(state):  # the last entry on the agenda acts first
            state.agenda.append(due_for("bonus", colour, (fields,)))


# ------------------------------------------------- Lanzenstechen, Turnierkampf, Studien
class Lists(Board):
    """Prizes for the leaders. There are two boards of this kind, and the same type of card is
    played on both.
    """

    terms = "lists"
    card_types = (KAMPF,)
    positive = True


class Lanzenstechen(Lists):
    """The lists of the Black Knight."""

    id = "LANZE"
    place = 30


class Turnierkampf(Lists):
    """The lists of the White Knight."""

    id = "TURNIER"
    place = 40


class Studien(Board):
    """Negative shields for the last places, every round."""

    id = "STUDIEN"
    place = 50
    terms = "studien"
    card_types = ("STUDIEN",)

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """Give negative shields to the last places; see ``give_penalties``."""
        numbers = self.numbers
        self.give_penalties(state, numbers.studien_last, numbers.studien_second_last, fx)


# ------------------------------------------------------ Koenig, Gralssuche, Barmherzigkeit
class Koenig(Board):
    """Points for fields reached, regardless of the order."""

    id = "KOENIG"
    place = 60
    terms = "koenig"
    card_types = ("KOENIG",)
    positive = True

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """Give a shield to each colour that has come far enough."""
        for colour, position in enumerate(state.positions[self.slot]):
            value = points_reached(self.numbers.koenig_points, position)
            if value:
                self.give_shield(state, colour, value, fx, "field", position)


class Gralssuche(Board):
    """High prizes at the end of the match. Pieces never return to the start."""

    id = "GRAL"
    place = 70
    terms = "gral"
    card_types = ("GRAL",)


class Barmherzigkeit(Board):
    """Heavy penalties at the end of the match. Pieces never return to the start."""

    id = "BARM"
    place = 80
    terms = "barm"
    card_types = ("BARM",)

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """Give negative shields to the last places; see ``give_penalties``."""
        numbers = self.numbers
        self.give_penalties(state, numbers.barm_last, numbers.barm_second_last, fx)


BASIC_BOARDS: tuple[type[Board], ...] = (
    IsoldeBoard,
    Lanzenstechen,
    Turnierkampf,
    Studien,
    Koenig,
    Gralssuche,
    Barmherzigkeit,
)
