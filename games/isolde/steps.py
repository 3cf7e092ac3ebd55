"""Steps: the kinds of things that are done in a round, whoever brings them into it.

The agenda of a position lists what is due. ``proceed`` opens one thing after the other until
somebody has to act; a step that needs nobody is done as soon as it is opened.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from games.engine import CHANCE, Event, IllegalMove, Move
from games.isolde.state import Due, Facts, IsoldeState, tell

DECLINE = "-"


class Step(ABC):
    """One kind of thing to do; ``state.agenda[-1]`` says for whom.

    :cvar name: its key on the agenda, and the phase of a view in which somebody acts in it.
    :cvar verb: the beginning of its moves.
    :cvar secret: whether its moves are not for all to see.
    :cvar words: words in its moves that people may shorten, besides boards and types of cards.
    """

    name: ClassVar[str]
    verb: ClassVar[str] = ""
    secret: ClassVar[bool] = False
    words: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def open(self, state: IsoldeState, fx: Facts) -> tuple[int, ...]:
        """Who has to act. Nobody: then it has been done and is off the agenda."""

    def do(self, state: IsoldeState, seat: int, move: Move, fx: Facts) -> None:
        """Apply the move of an actor. Once no more actors are awaited, ``proceed`` goes on."""
        raise TypeError(f"nobody moves in {self.name}")

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """The moves of an acting seat."""
        return []

    def chance(self, state: IsoldeState) -> Sequence[tuple[Move, float]] | None:
        """The draws of CHANCE, if it acts and they can be listed."""
        return None

    def sample(self, state: IsoldeState, rng: random.Random) -> Move | None:
        """A draw of CHANCE, or None to choose from those listed."""
        return None

    def observed(self, state: IsoldeState, event: Event, viewer: int | None) -> Move:
        """How a viewer who did not make the move himself sees it."""
        return f"{self.verb}:?" if self.secret else event.move

    def spelled(self, argument: str) -> str:
        """The canonical spelling of a move after its verb."""
        return argument

    def refusal(self, state: IsoldeState, seat: int, argument: str) -> IllegalMove:
        """Which rule forbids ``verb:argument``, which is not legal."""
        return IllegalMove("no_such_move", text=argument)


class Draw(Step):
    """CHANCE draws."""

    def open(self, state: IsoldeState, fx: Facts) -> tuple[int, ...]:
        """CHANCE alone acts."""
        return (CHANCE,)

    def do(self, state: IsoldeState, seat: int, move: Move, fx: Facts) -> None:
        """Take the step off the agenda and apply the draw."""
        due = state.agenda.pop()
        state.actors = ()
        self.drawn(state, due, move.partition(":")[2], fx)

    @abstractmethod
    def drawn(self, state: IsoldeState, due: Due, draw: str, fx: Facts) -> None:
        """Apply the draw, the move less its verb."""


class Choice(Step):
    """One colour's choice, made by its decider with everybody looking on.

    Whether there is a choice at all is public, so what is forced is done without asking.
    """

    def open(self, state: IsoldeState, fx: Facts) -> tuple[int, ...]:
        """Ask the decider if there are two moves or more."""
        due = state.agenda[-1]
        seat = state.decider(due.colour)
        moves = self.legal(state, seat)
        if len(moves) > 1:
            return (seat,)
        if moves:
            tell(fx, "forced", colour=due.colour, move=moves[0])
            self.do(state, seat, moves[0], fx)
        else:
            state.agenda.pop()
            self.nothing(state, due, fx)
        return ()

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


class Sealed(Step):
    """A choice of all persons at once, hidden until the last one is in."""

    secret = True

    def open(self, state: IsoldeState, fx: Facts) -> tuple[int, ...]:
        """Everybody is asked, even with one move only: others shall not learn that."""
        players = state.rules.players
        state.sealed = [None] * players
        return tuple(range(players))

    def do(self, state: IsoldeState, seat: int, move: Move, fx: Facts) -> None:
        """Seal the choice; the last one opens all."""
        sealed = state.sealed
        sealed[seat] = move
        state.actors = tuple([other for other in state.actors if other != seat])
        if fx is not None:
            tell(fx, "chosen", to=seat, move=move)
        if not state.actors:
            state.agenda.pop()
            state.sealed = []
            self.unseal(state, [choice for choice in sealed if choice], fx)

    @abstractmethod
    def unseal(self, state: IsoldeState, choices: list[Move], fx: Facts) -> None:
        """Apply the choices of all seats, in their order."""


def proceed(state: IsoldeState, fx: Facts) -> None:
    """Do what is due until somebody has to act or the match is over."""
    steps, agenda = state.rules.steps, state.agenda
    while agenda and not state.actors:
        state.actors = steps[agenda[-1].step].open(state, fx)
