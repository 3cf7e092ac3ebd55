"""Galanterie: the leaders on the Isolde board choose among five bonuses, each available once per
scoring.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache
from math import floor
from typing import NamedTuple

from games.engine import IllegalMove, Move
from games.house import tell
from games.isolde.boards import IsoldeBoard, Koenig
from games.isolde.cards import KAMPF
from games.isolde.numbers import Numbers
from games.isolde.rounds import turn_up
from games.isolde.state import BoardStep, Due, Facts, IsoldeState, Rules, due_for
from games.isolde.steps import DECLINE, ColourChoice


# ---------------------------------------------------------------------- the five bonuses
class Favour(NamedTuple):
    """One of the bonuses.

    :param targets: returns the texts that may follow ``>``; only an empty text if there is no
        target to choose; none if the match does not have this bonus.
    :param fields: returns how far it moves a piece, on the target or, without a target, on the
        King's board; None: it moves no piece by itself.
    """

    targets: Callable[[Rules], list[str]]
    fields: Callable[[Numbers], int] | None = None


NEXT_STARTER, FIFTH_CARD = "START", "FUENFTE"
"""The bonuses that move no piece by themselves: naming the colour, counted from 1, that starts the
next round; and playing the card that was left over, exactly as on a turn.
"""

FAVOURS: Mapping[str, Favour] = {
    NEXT_STARTER: Favour(lambda rules: [str(colour + 1) for colour in rules.seating.starters]),
    "SCHWERT": Favour(
        lambda rules: [board.id for board in rules.boards if board.card_types == (KAMPF,)],
        lambda numbers: numbers.gallantry_sword,
    ),
    FIFTH_CARD: Favour(lambda rules: [""] if rules.seating.fifth_card else []),
    "KOENIG2": Favour(lambda _: [""], lambda numbers: numbers.gallantry_king),
    "EINS": Favour(
        lambda rules: [board.id for board in rules.boards],
        lambda numbers: numbers.gallantry_any,
    ),
}
"""The bonuses by name, as in moves: ``bonus:EINS>GRAL``."""


# -------------------------------------------------------------------- the step, the board
class Gallantry(BoardStep, ColourChoice):
    """A winner takes a bonus, ``bonus:SCHWERT>LANZE`` or ``bonus:KOENIG2``, or declines,
    ``bonus:-``.

    The neutral colour always takes a bonus.
    """

    name = "gallantry"
    verb = "bonus"
    words = tuple(FAVOURS)

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """Return the remaining bonuses, with their targets, and ``bonus:-`` if it is allowed."""
        moves = list(_moves_left(state.rules, state.notes[self.board.slot]))
        if moves and state.rules.seating.may_decline(state.agenda[-1].colour):
            moves.append(_DECLINED)
        return moves

    def random_move(self, state: IsoldeState, seat: int, rng: random.Random) -> Move:
        """Return one of the moves, all equally likely."""
        moves = _moves_left(state.rules, state.notes[self.board.slot])
        declining = state.rules.seating.may_decline(state.agenda[-1].colour)
        chosen = floor(rng.random() * (len(moves) + declining))
        return _DECLINED if chosen == len(moves) else moves[chosen]

    def several(self, state: IsoldeState, due: Due) -> bool:
        """Return whether two moves or more are left."""
        return len(_moves_left(state.rules, state.notes[self.board.slot])) > 1

    def choose(self, state: IsoldeState, due: Due, choice: str, fx: Facts) -> None:
        """Apply the bonus at once. Whoever declines one bonus gets no second one."""
        if choice == DECLINE:
            self.decline(due.colour, fx)
            while state.agenda[-1:] == [due]:
                state.agenda.pop()
            return
        name, _, target = choice.partition(">")
        state.notes[self.board.slot] += (name,)
        if fx is not None:
            tell(fx, "bonus", colour=due.colour, bonus=name, target=target or None)
        fields = FAVOURS[name].fields
        if fields is not None:
            moved = fields(self.board.numbers)
            self.board.bonus_move(state, due.colour, target or Koenig.id, moved, fx)
        elif name == FIFTH_CARD:
            (card,) = state.hands[due.colour]
            turn_up(state, due.colour, card, fx)
        else:  # has no effect after the last round
            state.appointed = int(target) - 1

    def refusal(self, state: IsoldeState, seat: int, argument: str) -> IllegalMove:
        """Refuse a bonus or target that is not possible, or ``bonus:-`` for the neutral colour."""
        if argument == DECLINE:
            return IllegalMove("neutral_moves")
        name = argument.partition(">")[0]
        if name not in FAVOURS:
            return IllegalMove("unknown_bonus", text=name)
        if name in state.notes[self.board.slot]:
            return IllegalMove("bonus_taken", bonus=name)
        targets = FAVOURS[name].targets(state.rules)
        if not targets:
            return IllegalMove("no_fifth_card")
        return IllegalMove("bonus_target", bonus=name, targets=[text for text in targets if text])


_DECLINED = f"{Gallantry.verb}:{DECLINE}"


@cache
def _moves_left(rules: Rules, taken: tuple[str, ...]) -> tuple[Move, ...]:
    """Return all bonuses with their targets, except those already taken."""
    return tuple(
        f"{Gallantry.verb}:{name}>{target}" if target else f"{Gallantry.verb}:{name}"
        for name, favour in FAVOURS.items()
        if name not in taken
        for target in favour.targets(rules)
    )


class Galanterie(IsoldeBoard):
    """First place chooses first; each winner gets two bonuses, as long as any are left. The note
    lists the bonuses taken in the current or latest scoring.
    """

    terms = "gallantry"
    step_kinds = (Gallantry,)
    noted = "taken"
    blank = ()

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """Let the present leaders choose, even if their bonuses change the order."""
        state.notes[self.slot] = self.blank
        for colour, bonuses in reversed(self.winners(state)):
            state.agenda.extend([due_for("gallantry", colour)] * bonuses)
