"""Twilight for computer players: the value of a trick, the chance of taking it, and its cost.

The value of a soul is the sum of the multipliers that both sides may expect, because a soul that is
taken is also kept from the other side. The value of a sanctuary is the number of souls that its own
cult may expect. A card is judged by what the trick promises the cult whose turn it is, minus the
card's later value. The player whose turn it is chooses by this, and so does a partner who gives the
card; an opponent who has to give it wants the opposite.

The value of a position is the lead in points at the end of the deal; all points count equally,
because they add up over the deals. The result of the match counts only if it is over by then.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from games.engine import Fact, Move
from games.house import NOBODY
from games.players.policy import Policy
from games.twilight.cards import CARDS, DECK, MOON, PURGATORY, RANK, SUN
from games.twilight.position import GIVE, PLACES, PLAY, TwilightState

MOST = float(sum(card.souls for card in DECK) * sum(c.factor for c in DECK if c.cult == MOON))
"""The points of a side that takes all cards of a deal, which is the largest possible lead."""

END = 0.8
"""Once the match is over, the share of its result in a seat's value; the rest comes from the last
deal."""

MISSED = (0.0, 0.0, 0.0, 4.0, 6.0, 26.0, 28.0, 30.0, 30.0)
"""The later cost of playing a card, in points, by its rank: strong cards are rare."""

SAFE, CONTESTED, RETURNED, STOPPED, LATE = 0.7, -0.2, 0.0, 0.0, 0.4
"""How certain a cult is to take a trick, from -1 to 1. In order: it leads and the other side has
nothing higher; it leads but the other side has something higher; the same, but the cult has
something higher still; the other side has a purgatory; the other side leads, but the cult can
still play something higher.
"""

TO_COME = 0.5
"""What each card still to be played adds to a trick, as a share of an average card's value."""

ORDER_OPPONENT, ORDER_PARTNER = 7.0, 0.5
"""Points gained when the card comes from another hand."""

HESITATION = 2.0
"""A quick choice may miss the best move by up to this many points."""

_CARD = {card.name: (card.rank, card.souls, card.factor) for card in DECK}
_WORD = 1 << 10
_TALLY = {card.name: card.souls + card.factor * _WORD ** (1 + card.cult) for card in DECK}
"""For each card: its souls and its factor, packed into one number, with separate bits for
sanctuaries of the Moon and of the Sun.
"""


class Prospects(NamedTuple):
    """The expected points of a deal.

    :param soul: the value of each soul: the factors that both sides may expect.
    :param factors: for the Moon and for the Sun, the value of one unit of factor: the souls that
        the cult may expect.
    :param lead: the Moon's expected lead at the end.
    :param card: the value of an average card not taken yet.
    """

    soul: float
    factors: tuple[float, float]
    lead: float
    card: float

    def worth(self, cards: Iterable[str]) -> float:
        """Return the value of taking these cards, in points."""
        souls, moon, sun = _totals(_tally(cards))
        return souls * self.soul + moon * self.factors[MOON] + sun * self.factors[SUN]


class TwilightPolicy(Policy[TwilightState]):
    """Knows the value of cards and tricks."""

    rounds = 1
    worlds = 400
    boldness = 1.0

    def pick(self, state: TwilightState, seat: int, rng: random.Random) -> Move:
        """Return the move that promises the most in the trick, or nearly the most."""
        best, most = "", -9e9
        for move, promise in _promises(state):
            liking = promise + HESITATION * rng.random()
            if liking > most:
                best, most = move, liking
        return best

    def values(self, state: TwilightState) -> Sequence[float]:
        """Return each seat's value: from the lead of its cult in the deal, expected or final, and
        from the result of the match once it is over.
        """
        leads, outcome = self.prospects(state), self.game.outcome(state)
        if outcome is None:
            return leads
        utilities = self.game.utility(outcome)
        return [END * u + (1 - END) * v for u, v in zip(utilities, leads, strict=True)]

    def prospects(self, state: TwilightState) -> Sequence[float]:
        """Return each seat's value, from the lead of its cult in the deal alone."""
        if state.phase in (PLAY, GIVE):
            lone, lead = state.seating.lone, _prospects(state).lead
        elif state.accounts:
            lone, moon, sun = state.accounts[-1]
            lead = moon.points - sun.points
        else:
            return [0.0] * len(state.totals)
        seats = range(len(state.totals))
        for_moon = [seat % 2 == MOON if lone == NOBODY else seat == lone for seat in seats]
        return [lead / MOST if side else -lead / MOST for side in for_moon]

    def motives(self, state: TwilightState, seat: int, move: Move) -> list[Fact]:
        """Return the motives for a move. ``secures``: the other side has nothing left that could
        win the trick. ``feeds``: the other side could not win the trick anyway, and souls or a
        sanctuary are added to it. These two depend on the cards that are out, not on who holds
        them. ``corners``: the ordered seat has only one card to give. ``overtakes``: the card beats
        the highest one of the trick, which the other side has played. ``stops``: nobody wins the
        trick. ``spares``: a partner gives the card. ``robs``: the other side has to give the card;
        if no seat is named, from its open hand. ``weakest``: the seat keeps all of its higher
        cards.
        """
        target = state.seating.targets.get(move)
        if target is not None:
            return [*_corners(state, target), *_ordered(state, seat, target)]
        return [
            *_taken(state, seat, move),
            *_beaten(state, seat, move),
            *_given(state, seat, move),
        ]

    def traits(self, state: TwilightState, seat: int, move: Move) -> list[Fact]:
        """Return the traits of a move. ``keeps``: how many of the cards that could be played
        instead are stronger; ``strongest``: no other is stronger; ``last``: there is no other card.
        ``brings``: how many souls the card adds to the trick; ``offers``: the factor of the
        sanctuary that it adds. ``among``: from how many cards the ordered seat may choose.
        """
        if move not in RANK:
            return _choosing(state, state.seating.targets[move])
        own = [RANK[each] for each in state.choices() if each in RANK]
        number = sum(rank > RANK[move] for rank in own)
        if number:
            told = [Fact("keeps", {"seat": seat, "number": number})]
        else:
            told = [Fact("strongest" if len(own) > 1 else "last", {"seat": seat})]
        if CARDS[move].souls:
            told.append(Fact("brings", {"number": CARDS[move].souls}))
        if CARDS[move].factor:
            told.append(Fact("offers", {"number": CARDS[move].factor}))
        return told

    def tempting(self, state: TwilightState, seat: int) -> Move | None:
        """Return the seat's highest card if it beats all cards in the trick so far; otherwise
        None.
        """
        own = [move for move in state.choices() if move in CARDS]
        best = max(own, key=RANK.__getitem__, default=None)
        if best is None or any(RANK[best] <= RANK[card] for card in state.table):
            return None
        return best

    def drawbacks(self, state: TwilightState, seat: int, move: Move) -> list[Fact]:
        """Return the drawbacks of a move. ``passable``: the other side plays later in this trick,
        and somebody still holds a higher card of that side's cult, apart from its purgatory.
        ``spends``: the card is higher than all others that the seat could play.
        """
        if move not in CARDS:
            return []
        own = [RANK[each] for each in state.choices() if each in CARDS]
        told = []
        if RANK[move] == max(own) and own.count(max(own)) == 1 < len(own):
            told.append(Fact("spends", {"seat": seat}))
        side = state.turn % 2
        table = [*state.table, move]
        to_come = any((state.lead + n) % 2 != side for n in range(len(table), PLACES))
        out = (card for hand in state.hands[1 - side :: 2] for card in hand)
        if to_come and any(RANK[move] < RANK[card] < PURGATORY for card in out):
            told.append(Fact("passable", {"seat": seat}))
        return told


# ------------------------------------------------------------------- what moves may gain
def _promises(state: TwilightState) -> Iterator[tuple[Move, float]]:
    """Yield all legal moves, each with its promise in points to the side that decides."""
    hands, turn, ordered = state.hands, state.turn, state.ordered
    cult = turn % 2
    prospects = _prospects(state)
    soul, factor = prospects.soul, prospects.factors[cult]
    stake = prospects.worth(state.table + state.pending)
    stake += TO_COME * prospects.card * (PLACES - len(state.table) - 1)
    shares = _shares_in_trick(state)

    def promise(card: str) -> float:
        """Return the points that a card gains for the cult whose turn it is, minus its
        later cost.
        """
        rank, souls, factors = _CARD[card]
        return shares[rank] * (stake + (souls * soul + factors * factor)) - MISSED[rank]

    if ordered != NOBODY:
        sign = 1 if ordered % 2 == cult else -1
        for card in hands[2 * ordered + cult]:
            yield card, sign * promise(card)
        return
    for hand in state.seating.own[turn]:
        for card in hands[hand]:
            yield card, promise(card)
    for hand, order in state.seating.orders[turn]:
        if not hands[hand]:
            continue
        if hand // 2 % 2 == cult:
            yield order, max(map(promise, hands[hand])) + ORDER_PARTNER
        else:
            yield order, min(map(promise, hands[hand])) + ORDER_OPPONENT


def _shares_in_trick(state: TwilightState) -> Sequence[float]:
    """Return ``_shares`` for the present trick and hands."""
    cult, table = state.turn % 2, state.table
    rank, leads = 0, False
    for n, card in enumerate(table):
        if RANK[card] > rank:
            rank, leads = RANK[card], (state.lead + n) % 2 == cult
    rest = PLACES - 1 - len(table)
    higher = _highest(state, 1 - cult) if rest else 0
    later = _highest(state, cult) if rest > 1 else 0
    return _shares(rank, leads, higher, later, rest)


def _highest(state: TwilightState, cult: int) -> int:
    """Return the highest rank of the cult's cards in its own hands, which are sorted."""
    hand, other = state.hands[3 * cult], state.hands[3 * cult + 4]
    return max(RANK[hand[0]] if hand else 0, RANK[other[0]] if other else 0)


@cache
def _shares(rank: int, leads: bool, higher: int, later: int, rest: int) -> Sequence[float]:
    """Return the share of a trick that the cult whose turn it is may expect, from -1 (lost) to 1
    (won), by the rank of the card it plays.

    :param rank: the rank of the highest card so far.
    :param leads: whether that card is the cult's own.
    :param higher: the highest rank that the other side can still play.
    :param later: the highest rank that the cult itself can still play after this card.
    :param rest: how many cards are still to come after this one.
    """

    def share(card: int) -> float:
        highest = max(card, rank)
        if highest == PURGATORY:
            return 0.0
        if card <= rank and not leads:
            return LATE if later > highest else -1.0
        if not rest:
            return 1.0
        if higher <= highest:
            return SAFE
        if higher == PURGATORY:
            return STOPPED
        return RETURNED if later > higher else CONTESTED

    return [share(card) for card in range(PURGATORY + 1)]


def _prospects(state: TwilightState) -> Prospects:
    moon, sun = state.piles
    return _expected(_tally(moon), _tally(sun), len(CARDS) - len(moon) - len(sun))


@lru_cache(maxsize=10_000)
def _expected(taken_by_moon: int, taken_by_sun: int, cards: int) -> Prospects:
    """Return the prospects if each side also gets half of the cards not taken yet.

    :param taken_by_moon: the tally of the Moon's cards; see ``_TALLY``.
    :param taken_by_sun: the tally of the Sun's cards.
    :param cards: how many cards are not taken yet.
    """
    moon, sun = _totals(taken_by_moon), _totals(taken_by_sun)
    rest = _totals(_tally(CARDS) - taken_by_moon - taken_by_sun)
    souls = (moon[0] + rest[0] / 2, sun[0] + rest[0] / 2)
    factors = (moon[1] + rest[1] / 2, sun[2] + rest[2] / 2)
    soul = sum(factors)
    return Prospects(
        soul=soul,
        factors=souls,
        lead=souls[MOON] * factors[MOON] - souls[SUN] * factors[SUN],
        card=(rest[0] * soul + rest[1] * souls[MOON] + rest[2] * souls[SUN]) / cards,
    )


def _tally(cards: Iterable[str]) -> int:
    return sum(map(_TALLY.__getitem__, cards))


def _totals(tally: int) -> tuple[int, int, int]:
    """Return the souls, and the factors of the Moon and of the Sun."""
    return tally % _WORD, tally // _WORD % _WORD, tally // _WORD**2


# ---------------------------------------------------------------------- what is certain
def _corners(state: TwilightState, target: int) -> list[Fact]:
    cult = state.turn % 2
    seat = state.seating.seats[target]
    if seat == NOBODY or len(state.hands[2 * target + cult]) > 1:
        return []
    return [Fact("corners", {"seat": seat})]


def _choosing(state: TwilightState, target: int) -> list[Fact]:
    seat, number = state.seating.seats[target], len(state.hands[2 * target + state.turn % 2])
    if seat == NOBODY or number == 1:
        return _corners(state, target)
    return [Fact("among", {"seat": seat, "number": number})]


def _ordered(state: TwilightState, seat: int, target: int) -> Iterator[Fact]:
    giver = state.seating.seats[target]
    if giver != seat:
        against = target % 2 != state.turn % 2
        yield Fact("robs" if against else "spares", {"seat": None if giver == NOBODY else giver})


def _taken(state: TwilightState, seat: int, card: Move) -> Iterator[Fact]:
    side = state.seating.seats.index(seat) % 2
    if not _is_safe(state, [*state.table, card], side):
        return
    if _is_safe(state, state.table, side):
        if CARDS[card].kind in ("souls", "sanctuary"):
            yield Fact("feeds", {"seat": seat})
    elif len(state.table) < PLACES - 1:
        yield Fact("secures", {"seat": seat})


def _beaten(state: TwilightState, seat: int, card: Move) -> Iterator[Fact]:
    ranks = [RANK[each] for each in state.table]
    highest = max(ranks, default=0)
    if RANK[card] == PURGATORY:
        if len(ranks) < PLACES - 1:  # otherwise the engine says so: ``trick_lies``
            yield Fact("stops", {"seat": seat})
    elif ranks and RANK[card] > highest:
        side = state.seating.seats.index(seat) % 2
        if (state.lead + ranks.index(highest)) % 2 != side == state.turn % 2:
            yield Fact("overtakes", {"seat": seat})


def _given(state: TwilightState, seat: int, card: Move) -> Iterator[Fact]:
    own = [RANK[each] for each in state.choices() if each in CARDS]
    if RANK[card] == min(own) < max(own):
        yield Fact("weakest", {"seat": seat})


def _is_safe(state: TwilightState, table: Sequence[str], side: int) -> bool:
    """Return whether the other side can neither take a trick with these cards nor stop it, wherever
    the cards that are out may be.
    """
    ranks = [RANK[card] for card in table]
    highest = max(ranks, default=PURGATORY)
    if highest == PURGATORY or (state.lead + ranks.index(highest)) % 2 != side:
        return False
    if all((state.lead + n) % 2 == side for n in range(len(table), PLACES)):
        return True
    out = {card for hand in state.hands[1 - side :: 2] for card in hand}.difference(table)
    return all(RANK[card] <= highest for card in out)
