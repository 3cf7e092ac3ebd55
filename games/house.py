"""What the built-in games have in common beyond the contract: notation, the lot for the starter,
and reporting facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol, TypeVar

from games.engine import (
    CHANCE,
    BadSetup,
    Fact,
    Game,
    IllegalMove,
    Match,
    Move,
    Option,
    Setup,
    State,
)

STARTER: Final = "starter"
"""The key of the option that says who begins."""

BY_LOT: Final = "lot"
"""The value of the option ``starter`` that leaves the choice to a lot."""

START: Final = "start:"
"""The prefix of the lot's move: ``start:1``; seats are counted from 1."""

LOT: Final = "lot"
"""The phase in which the lot is drawn."""

NOBODY: Final = -1
"""No seat; None in views."""

S = TypeVar("S", bound=State)


class Notation(Protocol):
    """A module that reads typed moves; each built-in game has one."""

    def understood(self, state: Any, seat: int, text: str, /) -> Move:
        """Return the move that a text means now, legal or not.

        :raises IllegalMove: it means no move.
        """
        ...

    def named(self, state: Any, seat: int, text: str, /) -> Move:
        """Return the move that a text means in any phase of the match.

        :raises IllegalMove: it means no move.
        """
        ...

    def refusal(self, state: Any, seat: int, move: Move, /) -> IllegalMove:
        """Return the rule that forbids a move, as a refusal."""
        ...


class HouseGame(Game[S]):
    """A game with a notation module. Its state has ``players``, ``phase`` and, unless a subclass
    overrides the method ``actors``, a field of that name.
    """

    notation: Notation

    def check_setup(self, setup: Setup) -> None:
        """Check that the starter has a seat at the table.

        :raises BadSetup: ``starter_seat``.
        """
        starter = starter_of(setup)
        if starter is not None and starter >= setup.players:
            raise BadSetup("starter_seat", starter=starter + 1, players=setup.players)

    def actors(self, state: Any) -> tuple[int, ...]:
        """Return the actors stored in the state."""
        actors: tuple[int, ...] = state.actors
        return actors

    def phase(self, state: Any) -> str:
        """Return the phase stored in the state."""
        phase: str = state.phase
        return phase

    def facts(self, players: int, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fact ``lot`` (whether a lot decides who begins) in games with an option that
        can name the starter instead.
        """
        return {"lot": options[STARTER] == BY_LOT} if STARTER in options else {}

    def parse(self, state: S, seat: int, text: str) -> Move:
        """Turn a text that the game's ``notation`` understands into a legal move.

        :raises IllegalMove: the text means no move, or one that breaks a rule; the notation module
            lists the codes.
        """
        move = self.notation.understood(state, seat, text)
        if move not in self.legal(state, seat):
            raise self.notation.refusal(state, seat, move)
        return move

    def check_notation(self, state: S, seat: int, text: str) -> None:
        """Refuse a text that names no move of this match."""
        self.notation.named(state, seat, text)

    def canonical(self, state: S, seat: int, text: str) -> Move | None:
        """Return the move that the text names; None if it names no move."""
        try:
            return self.notation.named(state, seat, text)
        except IllegalMove:
            return None


class TakingTurns(HouseGame[S]):
    """A game in which seats act one at a time, after a lot for the starter if needed. Its state has
    ``turn``: the seat that has to decide, or NOBODY.
    """

    def actors(self, state: Any) -> tuple[int, ...]:
        """Return CHANCE for the lot, otherwise the one seat that has to decide, if any."""
        if state.phase == LOT:
            return (CHANCE,)
        return () if state.turn == NOBODY else (state.turn,)

    def chance(self, state: Any) -> list[tuple[Move, float]]:
        """Return the lot, in which every seat is equally likely to begin."""
        return [(f"{START}{seat + 1}", 1.0) for seat in range(state.players)]


def starter_option(most: int) -> Option:
    """Return the option that says who begins.

    :param most: the highest player count.
    """
    return Option(STARTER, "choice", BY_LOT, choices=(BY_LOT, *map(str, range(1, most + 1))))


def starter_of(setup: Setup) -> int | None:
    """Return the seat that begins, according to the options; None if a lot decides."""
    starter = setup.options.get(STARTER, BY_LOT)
    return None if starter == BY_LOT else int(starter) - 1


def starter_drawn(move: Move) -> int:
    """Return the seat that the lot drew."""
    return int(move.removeprefix(START)) - 1


def first_of(match: Match[Any]) -> int | None:
    """Return the seat that began a match; None if its game has no option for that, or if the lot
    has not been drawn yet.
    """
    if not isinstance(match.game, HouseGame) or STARTER not in match.setup.options:
        return None
    lots = (event.move for event in match.log if event.move.startswith(START))
    fixed = starter_of(match.setup)
    return next(map(starter_drawn, lots), None) if fixed is None else fixed


def tell(
    fx: list[Fact] | None, kind: str, to: int | None = None, reveals: bool = False, **data: Any
) -> None:
    """Record a fact, unless ``fx`` is None.

    :param to: the only seat that may know it; None: everyone.
    """
    if fx is not None:
        fx.append(Fact(kind, data, None if to is None else frozenset({to}), reveals))


def or_none(number: int) -> int | None:
    """Return a number as shown in views: None instead of -1."""
    return None if number < 0 else number


def or_nobody(number: int | None) -> int:
    """Undo ``or_none``: return NOBODY for None, otherwise the number."""
    return NOBODY if number is None else number
