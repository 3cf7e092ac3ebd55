"""Variant "Holde Isolde", with the card Herausforderung: bets on where cards will be played."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine import IllegalMove, Move
from games.house import tell
from games.isolde.boards import IsoldeBoard
from games.isolde.numbers import Numbers
from games.isolde.state import BoardStep, Due, Facts, IsoldeState
from games.isolde.steps import ColourChoice


class Bet(BoardStep, ColourChoice):
    """After seeing the cards dealt, a colour bets on a board: ``bet:KOENIG``."""

    name = "bet"
    verb = "bet"

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """Return the boards that award points."""
        return [f"bet:{board.id}" for board in state.rules.boards if board.scores]

    def several(self, state: IsoldeState, due: Due) -> bool:
        """Return True, because at least two boards award points."""
        return True

    def choose(self, state: IsoldeState, due: Due, choice: str, fx: Facts) -> None:
        """Record the bet."""
        bets = list(state.notes[self.board.slot])
        bets[due.colour] = choice
        state.notes[self.board.slot] = tuple(bets)
        if fx is not None:
            tell(fx, "bet", colour=due.colour, board=choice)

    def refusal(self, state: IsoldeState, seat: int, argument: str) -> IllegalMove:
        """Refuse a board on which nobody can bet."""
        return state.rules.no_target(argument)


class Herausforderung(IsoldeBoard):
    """A winner moves on the board of its bet, by the prize for each card that it played there. The
    note lists the bets by colour, None for a colour without a bet.

    Moving is always an advantage, so nobody is asked.
    """

    terms = "challenge"
    step_kinds = (Bet,)
    noted = "bets"

    def __init__(self, slot: int, colours: int, numbers: Numbers) -> None:
        super().__init__(slot, colours, numbers)
        self.blank = (None,) * colours

    def after_deal(self, order: Sequence[int]) -> list[Due]:
        """Return a bet for each colour, the starter first."""
        return [Due("bet", colour) for colour in order]

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """Move the piece of each winner, from third place up to first; then clear the bets."""
        bets = state.notes[self.slot]
        for colour, fields in reversed(self.winners(state)):
            target = bets[colour]
            slot = state.rules.board[target].slot
            cards = sum(board == slot for _, board in state.played[colour])
            tell(fx, "challenge", colour=colour, board=target, cards=cards, fields=cards * fields)
            if cards:
                self.bonus_move(state, colour, target, cards * fields, fx)
        state.notes[self.slot] = self.blank
