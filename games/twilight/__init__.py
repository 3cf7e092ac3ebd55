"""Twilight, by Wolfgang Werner (Bambus Spieleverlag 1997), for three or four players.

Sun and Moon contend for souls in tricks of four cards. The player whose turn it is plays a card of
their own cult, or orders a player who holds such cards to give one. A card that is given counts as
played by the place whose turn it is, not by the giver. The 28 cards and their notation are in
``games.twilight.cards``: cult (``S``, ``M``), kind (``P`` purgatory, ``C`` cleric, ``L`` souls,
``H`` sanctuary) and number.

The table has four *places*, numbered clockwise from 0; places 0 and 2 play for the Moon, 1 and 3
for the Sun. With four players, each place is the seat of the same number. Of three, one plays
alone: in each deal that player sits at place 0 and also moves for place 2, Neumond, whose cards are
open. A *deal* is seven tricks and their scoring; ``View.round`` counts deals.

Moves: ``SL5`` plays or gives a card, ``order:2`` orders the second seat, ``order:N`` orders
Neumond. Forced cards and orders are played at once and reported as ``forced``. CHANCE draws who
leads first (``lead:3``, a seat counted from 1) and deals: ``deal:`` lists, in the order of the
deck, the place that gets each card, counted from 1.

Phases of a view: ``lot``, ``deal``, ``play`` (play or order), ``give`` (the ordered place chooses
a card), ``over``.

``View.public``; lists are indexed by place unless stated otherwise:

=============  ==================================================================================
``places``     seat at each place, None for Neumond; None as a whole before the lot
``dealer``     seat; None before the lot
``lone``       seat that plays alone; None with four players, or before the lot
``moon``       number of Moon cards in each hand, as the backs show; ``sun``: of Sun cards
``open``       Neumond's cards; None with four players
``lead``       place that leads, or has led, the trick; None if no card is due
``turn``       place for which a card is due, or None
``ordered``    place that was ordered to give the card, or None
``table``      the trick so far: ``{"place", "giver", "card"}`` in order of play; the giver is the
               place from whose hand the card came
``pending``    cards of tricks left lying
``tricks``     place that won each trick of this deal, None for those left lying
``last``       the last complete trick, of this deal or the one before, or None: ``laid``, as
               ``table`` but by ``seat`` (None: Neumond), and ``winner``, which of the four cards
               took it, counted from 0 (None: it was left lying)
``totals``     points by seat
``neumond``    points made with Neumond, for display; None with four players
``accounts``   the deals so far: ``{"lone", "moon", "sun"}``, a seat or None and for either cult
               ``{"souls", "factor", "points"}``
=============  ==================================================================================

``View.private`` is ``{"hand": cards, "taken": [Moon's cards, Sun's cards]}`` while cards are being
played. Tricks already taken are face down: they are not shown again, but a seat may remember them.

Facts; ``seat``, ``giver`` and ``target`` are seats or None for Neumond, ``by`` is who decided:

==============  =================================================================================
``dealt``       round, dealer, forehand (leads first), lone
``ordered``     seat (for whom), target, by, cult, forced
``played``      seat (for whom), giver, by, card, forced
``trick_won``   seat, number (from 1), cards, lying (how many cards it takes in all)
``trick_lies``  seat (leads next: the first purgatory was played for it), number, cards, lying
``neutral``     cards that neither side has taken
``scored``      cult, seats, cards (taken, in order of the deck), souls, factor, points
``totals``      round, totals, neumond
``over``        reason (``goal``, ``exact``, ``deals``), winners, totals
==============  =================================================================================

Refusals: the table in ``games.twilight.notation``.
"""

from games.twilight.cards import CARDS, CULTS, CultCard, account
from games.twilight.game import DEALS_MAX, EXACT_GOALS, GOAL, TRICKS, Twilight
from games.twilight.position import TwilightState

__all__ = [
    "CARDS",
    "CULTS",
    "DEALS_MAX",
    "EXACT_GOALS",
    "GOAL",
    "TRICKS",
    "CultCard",
    "Twilight",
    "TwilightState",
    "account",
]
