"""Magie: an eighth board, for cards of any type, whose winners move pieces on other boards."""

from __future__ import annotations

import random
from functools import cache
from math import floor

from games.engine import IllegalMove, Move
from games.isolde.cards import TYPES
from games.isolde.state import Board, BoardStep, Due, Facts, IsoldeState, Rules, due_for
from games.isolde.steps import DECLINE, ColourChoice


class Magic(BoardStep, ColourChoice):
    """A winner moves its piece on one board after another, ``magic:GRAL+4``, or stops, ``magic:-``.

    Each board can be chosen once. The neutral colour uses all its fields.
    """

    name = "magic"
    verb = "magic"

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """Return moves by any number of the remaining fields, on any board not chosen yet."""
        due = state.agenda[-1]
        rest, *used = due.data
        moves: list[Move] = []
        for target, by_fields in _moves_elsewhere(state.rules, self.board):
            if target not in used:
                moves += by_fields[:rest]
        if state.rules.seating.may_decline(due.colour):
            moves.append(_DECLINED)
        return moves

    def random_move(self, state: IsoldeState, seat: int, rng: random.Random) -> Move:
        """Return one of the moves, all equally likely."""
        due = state.agenda[-1]
        rest, *used = due.data
        targets = [
            by_fields
            for target, by_fields in _moves_elsewhere(state.rules, self.board)
            if target not in used
        ]
        moves = len(targets) * rest
        chosen = floor(rng.random() * (moves + state.rules.seating.may_decline(due.colour)))
        return _DECLINED if chosen == moves else targets[chosen // rest][chosen % rest]

    def several(self, state: IsoldeState, due: Due) -> bool:
        """Return whether at least two other boards have not been chosen."""
        _, *used = due.data
        return len(state.rules.boards) - 1 - len(used) > 1

    def choose(self, state: IsoldeState, due: Due, choice: str, fx: Facts) -> None:
        """Move, and continue while there are fields left."""
        if choice == DECLINE:
            self.decline(due.colour, fx)
            return
        rest, *used = due.data
        target, _, fields = choice.partition("+")
        self.board.bonus_move(state, due.colour, target, int(fields), fx)
        if int(fields) < rest:
            left = (rest - int(fields), *used, target)
            state.agenda.append(due_for("magic", due.colour, left))

    def refusal(self, state: IsoldeState, seat: int, argument: str) -> IllegalMove:
        """Refuse a board, or a number of fields, that is not possible."""
        rest, *used = state.agenda[-1].data
        target = argument.partition("+")[0]
        if argument == DECLINE:
            return IllegalMove("neutral_moves")
        if target in used:
            return IllegalMove("board_used", board=target)
        if target not in state.rules.board or target == self.board.id:
            return state.rules.no_target(target)
        return IllegalMove("fields_needed", board=target, most=rest)


_DECLINED = f"{Magic.verb}:{DECLINE}"


@cache
def _moves_elsewhere(rules: Rules, board: Board) -> tuple[tuple[str, tuple[Move, ...]], ...]:
    """For each other board, return the moves there: by one field, by two, and so on up to the
    highest prize.
    """
    fields = range(1, max(board.prizes) + 1)
    return tuple(
        (other.id, tuple(f"{Magic.verb}:{other.id}+{number}" for number in fields))
        for other in rules.boards
        if other is not board
    )


class Magie(Board):
    """The colour in third place moves first, the one in first place last. Cards played here have no
    other effect.
    """

    id = "MAGIE"
    place = 20
    terms = "magic"
    card_types = TYPES
    scores = False
    step_kinds = (Magic,)

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """Let the current winners choose."""
        for colour, fields in self.winners(state):  # the last on the agenda is the first to act
            state.agenda.append(due_for("magic", colour, (fields,)))
