"""The kinds of steps, and the loop that takes one after the other.

The agenda of a position lists what is due. ``proceed`` opens one thing after the other until
a seat or CHANCE has to act; a step that needs no actor is done as soon as it is opened.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from games.engine import CHANCE, Move
from games.house import tell
from games.isolde.state import AgendaStep, Due, Facts, IsoldeState

DECLINE = "-"


class Draw(AgendaStep):
    """CHANCE draws."""

    def open(self, state: IsoldeState, fx: Facts) -> tuple[int, ...]:
        """CHANCE alone acts."""
        return (CHANCE,)


class ColourChoice(AgendaStep):
    """One colour's choice, made by its decider and seen by everyone.

    Whether there is a choice at all is public, so what is forced is done without asking.
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
        """Whether it is known without listing them that there are two moves or more."""
        return False

    def do(self, state: IsoldeState, seat: int, move: Move, fx: Facts) -> None:
        """Take the step off the agenda and apply the choice."""
        due = state.agenda.pop()
        state.actors = ()
        self.choose(state, due, move.partition(":")[2], fx)

    @abstractmethod
    def choose(self, state: IsoldeState, due: Due, choice: str, fx: Facts) -> None:
        """Apply the choice, the move less its verb. The step is off the agenda already."""

    def nothing(self, state: IsoldeState, due: Due, fx: Facts) -> None:
        """Called instead if there is nothing to choose from."""


class Sealed(AgendaStep):
    """A choice of all persons at once, hidden until the last one is in."""

    secret = True

    def open(self, state: IsoldeState, fx: Facts) -> tuple[int, ...]:
        """Everyone is asked, even with a single move: others must not learn that."""
        everyone = state.rules.everyone
        state.sealed = [None] * len(everyone)
        return everyone

    def do(self, state: IsoldeState, seat: int, move: Move, fx: Facts) -> None:
        """Seal the choice; the last one opens all."""
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
        """Apply the choices of all seats, in their order."""


def proceed(state: IsoldeState, fx: Facts) -> None:
    """Do what is due until a seat or CHANCE has to act or the match is over."""
    steps, agenda = state.rules.steps, state.agenda
    while agenda:
        actors = steps[agenda[-1].step].open(state, fx)
        if actors:
            state.actors = actors
            return
