"""A position of the game, and the few things that happen to pieces and shields everywhere.

What is moved and scored on its own is called a *colour*. With three to five players colour and
seat are the same; with two there is a neutral colour, or two for each person (``seatings``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from games.engine import Fact
from games.isolde.cards import Card, Hand

if TYPE_CHECKING:
    from games.isolde.rules import Rules

NOBODY = -1

Facts = list[Fact] | None
"""Where facts go; None if nobody listens."""


class Due(NamedTuple):
    """Something still to be done in this round: by which step, for which colour."""

    step: str
    colour: int = NOBODY
    data: tuple[Any, ...] = ()


class Shield(NamedTuple):
    """Points won.

    :param board: its board, which also says what kind of shield it is.
    :param round: in which it was won.
    :param known: the seats that know its value if it lies face down; None if everybody does.
    :param giver: the colour that it was won by, if it has changed hands, or NOBODY.
    """

    board: str
    round: int
    value: int
    known: tuple[int, ...] | None = None
    giver: int = NOBODY

    @property
    def label(self) -> str:
        """What everybody knows of it: its value, or ``?4`` if face down since round 4."""
        return str(self.value) if self.known is None else f"?{self.round}"


@dataclass(slots=True)
class IsoldeState:
    """A position. Lists are by colour unless said otherwise; what they hold never changes.

    :param agenda: what is still to be done in this round, the next thing last.
    :param actors: who has to act, CHANCE included.
    :param starter: the colour that starts this round.
    :param appointed: the colour that was named to start the next round, or NOBODY.
    :param positions: fields that each piece has moved since it last started anew, by board.
    :param order: the colours that have moved there, the first one first, by board. On the same
        field whoever came last is ahead: his piece lies on top.
    :param notes: what a board has to remember besides, by board.
    :param packs: cards to choose from (in the Lancelot game by seat).
    :param kept: cards taken for this round, in that order, those played since included.
    :param hands: cards still to be played, sorted.
    :param played: (card, board) played in this round, in that order.
    :param piles: the two open piles of each seat in the Lancelot game, else empty.
    :param sealed: moves that wait until all are in, by seat.
    :param last: the last event if everybody saw it, else empty. So the views after two different
        open events differ even where the boards start anew at once.
    """

    rules: Rules
    options: dict[str, Any]
    positions: list[list[int]]
    order: list[list[int]]
    notes: list[Any]
    shields: list[tuple[Shield, ...]]
    packs: list[Hand]
    kept: list[Hand]
    hands: list[Hand]
    played: list[tuple[tuple[Card, int], ...]]
    agenda: list[Due] = field(default_factory=list)
    actors: tuple[int, ...] = ()
    sealed: list[str | None] = field(default_factory=list)
    piles: tuple[tuple[Hand, Hand], ...] = ()
    last: str = ""
    starter: int = NOBODY
    appointed: int = NOBODY
    ply: int = 0
    round: int = 1

    def clone(self) -> IsoldeState:
        """A copy that shares nothing mutable but rules and options, which nobody changes."""
        return IsoldeState(
            self.rules,
            self.options,
            [row[:] for row in self.positions],
            [row[:] for row in self.order],
            self.notes[:],
            self.shields[:],
            self.packs[:],
            self.kept[:],
            self.hands[:],
            self.played[:],
            self.agenda[:],
            self.actors,
            self.sealed[:],
            self.piles,
            self.last,
            self.starter,
            self.appointed,
            self.ply,
            self.round,
        )

    def decider(self, colour: int) -> int:
        """The seat that decides for a colour: its owner; for the neutral one the starter."""
        owner = self.rules.seating.owners[colour]
        return self.starter if owner is None else owner

    def then(self, *dues: Due) -> None:
        """Do these things next, in this order."""
        self.agenda.extend(reversed(dues))

    def move_piece(self, board: int, colour: int, fields: int) -> None:
        """Move a piece forward, on top of those that already lie where it lands."""
        row, order = self.positions[board], self.order[board]
        if row[colour]:
            order.remove(colour)
        row[colour] += fields
        reached = row[colour]
        place = 0
        for other in order:
            if row[other] <= reached:
                break
            place += 1
        order.insert(place, colour)

    def award(self, colour: int, shield: Shield) -> None:
        """Give a colour a shield."""
        self.shields[colour] += (shield,)

    def learn(self, seat: int, round_: int) -> None:
        """Let a seat know the shields that lie face down since a round: who knows one of these
        two knows the other.
        """
        for colour, shields in enumerate(self.shields):
            self.shields[colour] = tuple(
                shield._replace(known=tuple(sorted({*shield.known, seat})))
                if shield.known is not None and shield.round == round_
                else shield
                for shield in shields
            )


def or_none(colour: int) -> int | None:
    """A colour as views have it."""
    return None if colour == NOBODY else colour


def or_nobody(colour: int | None) -> int:
    """A colour of a view."""
    return NOBODY if colour is None else colour


def tell(fx: Facts, kind: str, to: int | None = None, reveals: bool = False, **data: Any) -> None:
    """Tell a fact if anybody listens.

    :param to: the only seat that may know; None for everybody.
    """
    if fx is not None:
        fx.append(Fact(kind, data, None if to is None else frozenset({to}), reveals))
