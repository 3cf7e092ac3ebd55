"""Galanterie: the leaders on the Isolde board choose among five bonuses, each available once."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from functools import cache
from math import floor
from typing import Any, ClassVar

from games.engine import IllegalMove, Move, View
from games.isolde.boards import Isolde, Koenig
from games.isolde.cards import KAMPF
from games.isolde.rounds import turn_up
from games.isolde.state import BoardStep, Due, Facts, IsoldeState, Rules, due_for, tell
from games.isolde.steps import DECLINE, Choice


# ---------------------------------------------------------------------- the five bonuses
class Favour(ABC):
    """One of the bonuses.

    :cvar name: in moves: ``bonus:EINS>GRAL``.
    """

    name: ClassVar[str]

    @abstractmethod
    def targets(self, rules: Rules) -> list[str]:
        """What may stand after ``>``; one empty text if nothing has to be chosen."""

    @abstractmethod
    def take(self, state: IsoldeState, colour: int, target: str, board: Isolde, fx: Facts) -> None:
        """Do what the bonus is for."""


class NextStarter(Favour):
    """Name the colour that starts the next round, counted from 1."""

    name = "START"

    def targets(self, rules: Rules) -> list[str]:
        """All colours but the neutral."""
        return [str(colour + 1) for colour in rules.seating.starters]

    def take(self, state: IsoldeState, colour: int, target: str, board: Isolde, fx: Facts) -> None:
        """Appoint the starter; after the last round that has no effect."""
        state.appointed = int(target) - 1


class Sword(Favour):
    """Move on one of the two boards of the sword."""

    name = "SCHWERT"

    def targets(self, rules: Rules) -> list[str]:
        """The boards of the type for two."""
        return [board.id for board in rules.boards if board.card_types == (KAMPF,)]

    def take(self, state: IsoldeState, colour: int, target: str, board: Isolde, fx: Facts) -> None:
        """Move on one of them."""
        board.bonus_move(state, colour, target, board.numbers.gallantry_sword, fx)


class FifthCard(Favour):
    """Play the card that was left over, in every respect as on a turn."""

    name = "FUENFTE"

    def targets(self, rules: Rules) -> list[str]:
        """Nothing to choose; with two colours each no card is left."""
        return [""] if rules.seating.fifth_card else []

    def take(self, state: IsoldeState, colour: int, target: str, board: Isolde, fx: Facts) -> None:
        """Play it in every respect as on a turn."""
        (card,) = state.hands[colour]
        turn_up(state, colour, card, fx)


class King(Favour):
    """Move on the King's board."""

    name = "KOENIG2"

    def targets(self, rules: Rules) -> list[str]:
        """Nothing to choose."""
        return [""]

    def take(self, state: IsoldeState, colour: int, target: str, board: Isolde, fx: Facts) -> None:
        """Move there."""
        board.bonus_move(state, colour, Koenig.id, board.numbers.gallantry_king, fx)


class AnyBoard(Favour):
    """Move on any board, this one included."""

    name = "EINS"

    def targets(self, rules: Rules) -> list[str]:
        """All boards."""
        return [board.id for board in rules.boards]

    def take(self, state: IsoldeState, colour: int, target: str, board: Isolde, fx: Facts) -> None:
        """Move on one of them."""
        board.bonus_move(state, colour, target, board.numbers.gallantry_any, fx)


FAVOURS: dict[str, Favour] = {
    favour.name: favour for favour in (NextStarter(), Sword(), FifthCard(), King(), AnyBoard())
}


# -------------------------------------------------------------------- the step, the board
class Gallantry(BoardStep, Choice):
    """A winner takes a bonus, ``bonus:SCHWERT>LANZE`` or ``bonus:KOENIG2``, or none, ``bonus:-``.

    The neutral colour leaves none.
    """

    name = "gallantry"
    verb = "bonus"
    words = tuple(FAVOURS)

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """The bonuses that are left, with their targets, and ``bonus:-``."""
        moves = list(_moves_left(state.rules, state.notes[self.board.slot]))
        if moves and state.rules.seating.may_decline(state.agenda[-1].colour):
            moves.append(_DECLINED)
        return moves

    def random_move(self, state: IsoldeState, seat: int, rng: random.Random) -> Move:
        """Any of these."""
        moves = _moves_left(state.rules, state.notes[self.board.slot])
        declining = state.rules.seating.may_decline(state.agenda[-1].colour)
        chosen = floor(rng.random() * (len(moves) + declining))
        return _DECLINED if chosen == len(moves) else moves[chosen]

    def several(self, state: IsoldeState, due: Due) -> bool:
        """Surely if two bonuses or more are left."""
        return len(_moves_left(state.rules, state.notes[self.board.slot])) > 1

    def choose(self, state: IsoldeState, due: Due, choice: str, fx: Facts) -> None:
        """Take the bonus at once; to decline is to decline a second one, too."""
        if choice == DECLINE:
            self.decline(due.colour, fx)
            while state.agenda[-1:] == [due]:
                state.agenda.pop()
            return
        name, _, target = choice.partition(">")
        state.notes[self.board.slot] += (name,)
        if fx is not None:
            tell(fx, "bonus", colour=due.colour, bonus=name, target=target or None)
        FAVOURS[name].take(state, due.colour, target, self.board, fx)

    def refusal(self, state: IsoldeState, seat: int, argument: str) -> IllegalMove:
        """The bonus is gone, or its target will not do."""
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
    """All bonuses with their targets, except those that are gone."""
    return tuple(
        f"{Gallantry.verb}:{name}>{target}" if target else f"{Gallantry.verb}:{name}"
        for name, favour in FAVOURS.items()
        if name not in taken
        for target in favour.targets(rules)
    )


class Galanterie(Isolde):
    """The first chooses first, two bonuses each as long as there are any."""

    terms = "gallantry"
    step_kinds = (Gallantry,)
    blank = ()

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """Ask the winners of this moment, whatever their bonuses change."""
        state.notes[self.slot] = self.blank
        for colour, bonuses in reversed(self.winners(state)):
            state.agenda.extend([due_for("gallantry", colour)] * bonuses)

    def open_note(self, state: IsoldeState) -> tuple[str, ...]:
        """The bonuses gone in this scoring, or the last one."""
        taken: tuple[str, ...] = state.notes[self.slot]
        return taken

    def shown(self, open_note: tuple[str, ...]) -> dict[str, Any]:
        """``taken``."""
        return {"taken": list(open_note)}

    def restore(self, state: IsoldeState, view: View) -> None:
        """Take the bonuses over."""
        state.notes[self.slot] = tuple(view.public["boards"][self.id]["taken"])
