"""A position of Twilight: seating, hands, the trick, cards left lying and cards taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from games.engine import Move
from games.house import NOBODY
from games.twilight.cards import MOON, Account

DEAL, PLAY, GIVE, OVER = "deal", "play", "give", "over"
"""The phases after the lot; see the package."""

PLACES = 4
"""The number of places at the table. They are numbered clockwise from 0; even ones play for the
Moon, odd ones for the Sun.
"""

LONE, NEUMOND = 0, 2
"""With three players: the places of the lone player and of their open hand."""

ORDER = "order:"
"""The prefix of an order; the number of a seat follows, or NEUMOND_SIGN."""

NEUMOND_SIGN = "N"


# ------------------------------------------------------------------------- who sits where
@dataclass(frozen=True, slots=True, eq=False)
class Seating:
    """The places of the seats in a deal. There is one instance per (players, forehand).

    Hands are kept by place and cult, at index ``2 * place + cult``.

    :param forehand: the seat that leads first; its right neighbour deals.
    :param seats: the seat at each place; NOBODY at the place of Neumond.
    :param controllers: the decider for each place, in the form that ``actors`` returns.
    :param own: for each place, the hands from which its controller may play in its turn.
    :param orders: for each place, the orders that it may give, each with the hand from which the
        card comes.
    :param targets: the place that each order names.
    """

    players: int
    forehand: int
    seats: tuple[int, ...]
    controllers: tuple[tuple[int, ...], ...]
    own: tuple[tuple[int, ...], ...]
    orders: tuple[tuple[tuple[int, Move], ...], ...]
    targets: Mapping[Move, int]

    def __reduce__(self) -> tuple[object, tuple[int, int]]:
        """Pickle only the arguments, because the other process can build the same seating from
        them.
        """
        return seating_for, (self.players, self.forehand)

    @property
    def dealer(self) -> int:
        """The seat that deals."""
        return (self.forehand - 1) % self.players

    @property
    def lone(self) -> int:
        """The seat that plays alone; NOBODY with four players."""
        return self.forehand if self.players == 3 else NOBODY

    def side(self, cult: int) -> list[int]:
        """Return the seats that play for a cult."""
        return [seat for seat in self.seats[cult::2] if seat != NOBODY]


@cache
def seating_for(players: int, forehand: int) -> Seating:
    """Return the seating. Four players keep their places; of three, the player who leads first
    plays alone.
    """
    if players == PLACES:
        seats = tuple(range(PLACES))
        controllers = seats
    else:
        left, right = (forehand + 1) % players, (forehand + 2) % players
        seats = (forehand, left, NOBODY, right)
        controllers = (forehand, left, forehand, right)
    names = [ORDER + (NEUMOND_SIGN if seat == NOBODY else str(seat + 1)) for seat in seats]
    return Seating(
        players=players,
        forehand=forehand,
        seats=seats,
        controllers=tuple((seat,) for seat in controllers),
        own=tuple(tuple(_own_hands(players, turn)) for turn in range(PLACES)),
        orders=tuple(
            tuple(
                (_hand(other, turn % 2), names[other])
                for other in range(PLACES)
                if _hand(other, turn % 2) not in _own_hands(players, turn)
            )
            for turn in range(PLACES)
        ),
        targets={name: place for place, name in enumerate(names)},
    )


def _own_hands(players: int, turn: int) -> list[int]:
    """Return a place's own hands: the lone player has two that serve as one for the Moon."""
    if players == 3 and turn % 2 == MOON:
        return [_hand(LONE, MOON), _hand(NEUMOND, MOON)]
    return [_hand(turn, turn % 2)]


def _hand(place: int, cult: int) -> int:
    return 2 * place + cult


# --------------------------------------------------------------------------- the position
class Trick(NamedTuple):
    """Four cards in order of play. Kept until the next trick is complete, which may be in another
    deal, with another seating.

    :param seats: the seat at each place at that time.
    :param lead: the place of the first card; the others follow clockwise.
    :param givers: the place from whose hand each card came.
    :param winner: a place, or NOBODY if the trick was left lying.
    """

    seats: tuple[int, ...]
    lead: int
    cards: list[str]
    givers: list[int]
    winner: int


class DealOutcome(NamedTuple):
    """The result of a deal.

    :param lone: the seat that played alone; NOBODY with four players.
    """

    lone: int
    moon: Account
    sun: Account


@dataclass(slots=True)
class TwilightState:
    """A position.

    :param hands: see ``Seating``; each in the order of the deck.
    :param lead: the place that leads the trick, or has led it.
    :param turn: the place whose turn it is, for which a card is due.
    :param ordered: the place that was ordered to give the card; NOBODY if no order was given.
    :param table: the cards of the trick; their places go clockwise from ``lead``.
    :param givers: for each card of the trick, the place from whose hand it came.
    :param pending: the cards of tricks left lying.
    :param piles: the cards that each cult has taken in this deal.
    :param winners: the place that won each trick of this deal, or NOBODY.
    :param last: the last complete trick.
    :param totals: points by seat.
    :param dealt_at: the ply at which the hands were dealt.
    :param trick_at: the ply at which the current trick began.
    :param neumond: with three players, the points that the Moon made with Neumond; for display
        only, because Neumond cannot win.
    """

    options: dict[str, Any]
    phase: str
    actors: tuple[int, ...]
    seating: Seating
    totals: list[int]
    hands: list[list[str]] = field(default_factory=lambda: [[] for _ in range(2 * PLACES)])
    lead: int = NOBODY
    turn: int = NOBODY
    ordered: int = NOBODY
    table: list[str] = field(default_factory=list)
    givers: list[int] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    piles: list[list[str]] = field(default_factory=lambda: [[], []])
    winners: list[int] = field(default_factory=list)
    last: Trick | None = None
    neumond: int = 0
    accounts: list[DealOutcome] = field(default_factory=list)
    dealt_at: int = 0
    trick_at: int = 0
    ply: int = 0
    round: int = 1

    def clone(self) -> TwilightState:
        """Return a copy that shares only parts that never change: options, seating, the last trick,
        finished deals.
        """
        return TwilightState(
            self.options,
            self.phase,
            self.actors,
            self.seating,
            self.totals[:],
            [cards[:] for cards in self.hands],
            self.lead,
            self.turn,
            self.ordered,
            self.table[:],
            self.givers[:],
            self.pending[:],
            [cards[:] for cards in self.piles],
            self.winners[:],
            self.last,
            self.neumond,
            self.accounts[:],
            self.dealt_at,
            self.trick_at,
            self.ply,
            self.round,
        )

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.totals)

    def choices(self) -> list[Move]:
        """Return the legal moves while cards are being played: if a card was ordered, the cards
        that may be given; otherwise those that may be played, and orders to everyone who holds a
        card of the cult.
        """
        hands, turn, ordered = self.hands, self.turn, self.ordered
        if ordered != NOBODY:
            return hands[2 * ordered + turn % 2][:]
        moves: list[Move] = []
        seating = self.seating
        for hand in seating.own[turn]:
            moves += hands[hand]
        for hand, order in seating.orders[turn]:
            if hands[hand]:
                moves.append(order)
        return moves

    def forced(self) -> Move | None:
        """Return the only possible move; None if there is a choice, or no card is due."""
        hands, turn, ordered = self.hands, self.turn, self.ordered
        if turn == NOBODY:
            return None
        if ordered != NOBODY:
            cards = hands[2 * ordered + turn % 2]
            return cards[0] if len(cards) == 1 else None
        only: Move | None = None
        for hand in self.seating.own[turn]:
            cards = hands[hand]
            if cards:
                if only or len(cards) > 1:
                    return None
                only = cards[0]
        for hand, order in self.seating.orders[turn]:
            if hands[hand]:
                if only:
                    return None
                only = order
        return only
