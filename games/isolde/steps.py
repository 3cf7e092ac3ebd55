"""The kinds of steps, and the loop that runs them.

The agenda of a position lists what is due. ``proceed`` opens one entry after another until a seat
or CHANCE has to act; a step that needs no actor is finished as soon as it is opened.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from games.engine import CHANCE, Move
from games.house import tell
from games.isolde.state import AgendaStep, Due, Facts, IsoldeState

DECLINE = "-"


class Draw(AgendaStep):
    """A step in which CHANCE draws."""

    def open(self, state: IsoldeState, fx: Facts) -> tuple[int, ...]:
        """Return CHANCE as the only actor."""
        return (CHANCE,)


class ColourChoice(AgendaStep):
    """A colour's choice, made by its decider and seen by everyone.

    Everyone knows whether there is a choice, so a forced move is made without asking.
    """

    def open(self, state: IsoldeState, fx: Facts) -> tuple[int, ...]:
        """Ask the decider if there are two moves or more."""
        due = state.agenda[-1]
        seat = state.decider(due.colour)
        if self.several(state, due):
            return (seat,)
        moves = self.legal(state, seat)
        if len(moves) > 1:
            return (seat,)
        if moves:
            if fx is not None:
                tell(fx, "forced", colour=due.colour, by=seat, move=moves[0])
            self.do(state, seat, moves[0], fx)
        else:
            state.agenda.pop()
            self.nothing(state, due, fx)
        return ()

    def several(self, state: IsoldeState, due: Due) -> bool:
        """Return whether there are certainly two moves or more, without listing them."""
        return False

    def do(self, state: IsoldeState, seat: int, move: Move, fx: Facts) -> None:
        """Take the step off the agenda and apply the choice."""
        due = state.agenda.pop()
        state.actors = ()
        self.choose(state, due, move.partition(":")[2], fx)

    @abstractmethod
    def choose(self, state: IsoldeState, due: Due, choice: str, fx: Facts) -> None:
        """Apply the choice, which is the move without its verb. The step has already been removed
        from the agenda.
        """

    def nothing(self, state: IsoldeState, due: Due, fx: Facts) -> None:
        """React if there is no move to choose; called instead of ``choose``. A hook."""


class Sealed(AgendaStep):
    """A choice that all players make at once; each stays hidden at least until all have chosen."""

    secret = True

    def open(self, state: IsoldeState, fx: Facts) -> tuple[int, ...]:
        """Ask everyone, even those with a single move, because the others must not learn that it is
        forced.
        """
        everyone = state.rules.everyone
        state.sealed = [None] * len(everyone)
        return everyone

    def do(self, state: IsoldeState, seat: int, move: Move, fx: Facts) -> None:
        """Seal the choice; when the last one is made, apply them all."""
        sealed, actors = state.sealed, state.actors
        sealed[seat] = move
        if fx is not None:
            tell(fx, "chosen", to=seat, move=move)
        if len(actors) > 1:
            at = actors.index(seat)
            state.actors = actors[:at] + actors[at + 1 :]
        else:
            state.actors = ()
            state.agenda.pop()
            state.sealed = []
            self.unseal(state, filter(None, sealed), fx)

    @abstractmethod
    def unseal(self, state: IsoldeState, choices: Iterable[Move], fx: Facts) -> None:
        """Apply the choices of all seats, in seat order."""


def proceed(state: IsoldeState, fx: Facts) -> None:
    """Process the agenda until a seat or CHANCE has to act or the match is over."""
    steps, agenda = state.rules.steps, state.agenda
    while agenda:
        actors = steps[agenda[-1].step].open(state, fx)
        if actors:
            state.actors = actors
            return
