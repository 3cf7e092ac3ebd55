"""Twilight for computer players: what lies in a trick, who may expect it, and what that costs.

A soul is worth the multipliers that both sides may expect, for who takes it also keeps it from the
others; a sanctuary the souls that its own cult may expect. A card is judged by what the trick then
promises to the cult on turn, less what it will be missed for: that serves whoever plays it, a
partner who gives it, and, the other way round, an opponent who has to.

Of points, what counts is the lead at the end of the deal; the match only where it is over by then.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from math import exp, tanh
from typing import NamedTuple

from games.engine import Fact, Move
from games.players.policy import Policy
from games.twilight.cards import CARDS, MOON, PURGATORY, RANK, SUN
from games.twilight.position import GIVE, NOBODY, PLACES, PLAY, TwilightState

STEEPNESS = 1 / 120
"""How surely each point of the lead in a deal wins the match."""

END = 0.8
"""How much the result counts where the match is over, beside the last deal's points."""

MISSED = (0.0, 0.0, 0.0, 4.0, 6.0, 26.0, 28.0, 30.0, 30.0)
"""What a card will be missed for once it is played, in points by its rank: strength is rare."""

SAFE, CONTESTED, RETURNED, STOPPED, LATE = 0.85, 0.4, 0.5, 0.5, 0.7
"""How likely a cult takes a trick: it leads and the others hold nothing higher; they do; they do,
but then it has something higher still; they hold a purgatory; the others lead, but it has something
higher for the place that is to come.
"""

TO_COME = 0.5
"""How much of an average card each card still to come brings."""

ORDER_OPPONENT, ORDER_PARTNER = 7.0, 0.5
"""What is gained, in points, when the card comes from another hand."""

HESITATION = 2.0
"""How many points are overlooked at a glance."""

PATIENCE = 30.0
"""So many points make a move less likely by the factor e."""

DOUBT = 0.05
"""How likely a move is that looks bad, beside the one that looks best."""

_SOULS = {name: card.souls for name, card in CARDS.items()}
_FACTOR = {name: card.factor for name, card in CARDS.items()}
_CULT = {name: card.cult for name, card in CARDS.items()}
_ALL_SOULS = sum(_SOULS.values())
_ALL_FACTORS = sum(_FACTOR.values()) // 2


class Prospects(NamedTuple):
    """What a deal may bring.

    :param souls: that either cult may expect to have in the end.
    :param factors: likewise, of its own sanctuaries.
    :param left: the points that an average card in no pile is worth.
    """

    souls: tuple[float, float]
    factors: tuple[float, float]
    left: float

    def points(self, cult: int) -> float:
        """What the cult may expect to be accounted."""
        return self.souls[cult] * self.factors[cult]

    def worth(self, card: str) -> float:
        """What it makes out, in points, who takes a card."""
        return _SOULS[card] * sum(self.factors) + _FACTOR[card] * self.souls[_CULT[card]]


class Trick(NamedTuple):
    """The trick as the cult on turn sees it that knows all hands.

    :param played: how many cards lie there.
    :param leads: whether the highest card is its own.
    :param rank: of the highest card.
    :param stake: what it makes out, in points, who takes the trick.
    :param higher: the highest rank that the other cult can still play.
    :param later: the highest rank that it can play itself once more.
    """

    cult: int
    played: int
    leads: bool
    rank: int
    stake: float
    higher: int
    later: int


class TwilightPolicy(Policy[TwilightState]):
    """Has card sense."""

    rounds = 1

    def weights(self, state: TwilightState, seat: int, moves: Sequence[Move]) -> list[float]:
        """By what each move promises in the trick."""
        promises = dict(_promises(state))
        most = max(promises.values())
        return [DOUBT + exp((promises[move] - most) / PATIENCE) for move in moves]

    def pick(self, state: TwilightState, seat: int, rng: random.Random) -> Move:
        """What promises most in the trick, or nearly so."""
        best, most = "", -9e9
        for move, promise in _promises(state):
            liking = promise + HESITATION * rng.random()
            if liking > most:
                best, most = move, liking
        return best

    def values(self, state: TwilightState) -> Sequence[float]:
        """By the lead of one's cult in the deal, made or to be expected, and by the end of the
        match.
        """
        if state.phase in (PLAY, GIVE):
            prospects = _prospects(state)
            lone, moon, sun = state.seating.lone, prospects.points(MOON), prospects.points(SUN)
        elif state.accounts:
            lone, *accounts = state.accounts[-1]
            moon, sun = (float(account.points) for account in accounts)
        else:
            return [0.0] * len(state.totals)
        lead = tanh(STEEPNESS * (moon - sun))
        seats = range(len(state.totals))
        leads = [lead if _is_moon(seat, lone) else -lead for seat in seats]
        outcome = self.game.outcome(state)
        if outcome is None:
            return leads
        return [END * u + (1 - END) * v for u, v in zip(outcome.utility(), leads, strict=True)]

    def motives(self, state: TwilightState, seat: int, move: Move) -> list[Fact]:
        """``secures``: the other side has nothing left against one's own in the trick. ``feeds``:
        it had nothing anyway, and souls or a sanctuary come to it. ``corners``: whoever is ordered
        holds one card only. They rest on the cards that are out, not on who holds them.
        """
        target = state.seating.targets.get(move)
        if target is not None:
            return _corners(state, target)
        side = state.seating.seats.index(seat) % 2
        if not _is_safe(state, [*state.table, move], side):
            return []
        if not _is_safe(state, state.table, side):
            done = len(state.table) == PLACES - 1
            return [] if done else [Fact("secures", {"seat": seat})]
        card = CARDS[move]
        valued = card.kind in ("souls", "sanctuary")
        return [Fact("feeds", {"seat": seat})] if valued else []


def _is_moon(seat: int, lone: int) -> bool:
    return seat % 2 == MOON if lone == NOBODY else seat == lone


# ------------------------------------------------------------------- what moves may bring
def _promises(state: TwilightState) -> Iterator[tuple[Move, float]]:
    """All legal moves, each with what it promises, in points, to the side that decides."""
    hands, turn = state.hands, state.turn
    cult = turn % 2
    prospects = _prospects(state)
    trick = _trick(state, prospects)
    if state.ordered != NOBODY:
        sign = 1 if state.ordered % 2 == cult else -1
        for card in hands[2 * state.ordered + cult]:
            yield card, sign * _promise(trick, prospects, card)
        return
    for hand in state.seating.own[turn]:
        for card in hands[hand]:
            yield card, _promise(trick, prospects, card)
    for hand, order in state.seating.orders[turn]:
        promises = [_promise(trick, prospects, card) for card in hands[hand]]
        if not promises:
            continue
        if hand // 2 % 2 == cult:
            yield order, max(promises) + ORDER_PARTNER
        else:
            yield order, min(promises) + ORDER_OPPONENT


def _promise(trick: Trick, prospects: Prospects, card: str) -> float:
    """What a card promises to the cult on turn: what lies, if it can be taken, less the card's
    strength.
    """
    rank = RANK[card]
    beats = rank > trick.rank
    highest = rank if beats else trick.rank
    if highest == PURGATORY:
        chance = 0.5
    elif beats or trick.leads:
        chance = _chance_to_keep(trick, highest)
    else:
        chance = LATE if trick.later > highest else 0.0
    stake = trick.stake + prospects.worth(card)
    return (2 * chance - 1) * stake - MISSED[rank]


def _chance_to_keep(trick: Trick, rank: int) -> float:
    """How likely the cult takes the trick with its card, the highest so far."""
    if trick.played == PLACES - 1:
        return 1.0
    if trick.higher <= rank:
        return SAFE
    if trick.higher == PURGATORY:
        return STOPPED
    return RETURNED if trick.later > trick.higher else CONTESTED


def _trick(state: TwilightState, prospects: Prospects) -> Trick:
    cult, table = state.turn % 2, state.table
    rank, place = 0, NOBODY
    for n, card in enumerate(table):
        if RANK[card] > rank:
            rank, place = RANK[card], state.lead + n
    played = len(table)
    stake = sum(map(prospects.worth, table + state.pending))
    stake += TO_COME * prospects.left * (PLACES - 1 - played)
    return Trick(
        cult=cult,
        played=played,
        leads=place % 2 == cult,
        rank=rank,
        stake=stake,
        higher=_highest(state, 1 - cult) if played < PLACES - 1 else 0,
        later=_highest(state, cult) if played < PLACES - 2 else 0,
    )


def _highest(state: TwilightState, cult: int) -> int:
    """The highest rank of the cult's cards in its own hands, which are in order."""
    hands = (state.hands[2 * place + cult] for place in (cult, cult + 2))
    return max((RANK[cards[0]] for cards in hands if cards), default=0)


def _prospects(state: TwilightState) -> Prospects:
    """From what was taken, and half of what was not."""
    taken = [0, 0]
    own = [0, 0]
    factors = [_ALL_FACTORS, _ALL_FACTORS]
    for side, pile in enumerate(state.piles):
        for card in pile:
            cult = _CULT[card]
            taken[side] += _SOULS[card]
            factors[cult] -= _FACTOR[card]
            if cult == side:
                own[cult] += _FACTOR[card]
    moon, sun = factors
    rest = (_ALL_SOULS - sum(taken)) / 2
    souls = (taken[MOON] + rest, taken[SUN] + rest)
    expected = (own[MOON] + moon / 2, own[SUN] + sun / 2)
    cards = len(CARDS) - len(state.piles[MOON]) - len(state.piles[SUN])
    left = 2 * rest * sum(expected) + moon * souls[MOON] + sun * souls[SUN]
    return Prospects(souls, expected, left / cards)


# ---------------------------------------------------------------------- what is certain
def _corners(state: TwilightState, target: int) -> list[Fact]:
    cult = state.turn % 2
    seat = state.seating.seats[target]
    if seat == NOBODY or len(state.hands[2 * target + cult]) > 1:
        return []
    return [Fact("corners", {"seat": seat})]


def _is_safe(state: TwilightState, table: Sequence[str], side: int) -> bool:
    """Whether the other side can neither take a trick with these cards nor leave it lying,
    whoever holds what is out.
    """
    ranks = [RANK[card] for card in table]
    highest = max(ranks, default=PURGATORY)
    if highest == PURGATORY or (state.lead + ranks.index(highest)) % 2 != side:
        return False
    if all((state.lead + n) % 2 == side for n in range(len(table), PLACES)):
        return True
    out = {card for hand in state.hands[1 - side :: 2] for card in hand}.difference(table)
    return all(RANK[card] <= highest for card in out)
