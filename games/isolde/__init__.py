"""Die Holde Isolde, by Nicolas Poncin (Schmidt Spiele 2015), for two to five players.

Six rounds: draft a hand, play its cards to move ahead on seven boards, score the boards. Each board
is a class: those of the basic game are in ``boards``, those of the variants in ``variants``.

A *colour*, numbered from 0, is what moves and scores on its own. With three to five players the
colours are the seats. With two, the option ``duo`` chooses: ``parzival`` has colours 0, 1 and the
neutral 2, for which the starter of the round decides; in ``lancelot``, seat 0 has colours 0 and 2,
seat 1 has 1 and 3. Boards: ISOLDE, LANZE (the black knight), TURNIER (the white one), STUDIEN,
KOENIG, GRAL, BARM, and MAGIE if it is chosen. Cards: type and value, such as ``GRAL4``; KAMPF cards
go to LANZE or TURNIER.

Phases of a view and their moves. A colour, pile or place in a move is counted from 1.

=============  ==============================  =====================================================
``lot``        ``start:2``                     CHANCE: who starts
``lay``        ``lay:0,-3,-1``                 CHANCE: the codex, seen by no one
``deal``       ``deal:GR4KO2ST3IS5KA3/...``    CHANCE: packs, types cut to two letters; a
                                               seat sees its own, ``?`` for the others
``bet``        ``bet:GRAL``                    Herausforderung
``pick``       ``pick:GRAL5``                  CHANCE: the neutral colour's card, unseen
``draft``      ``keep:GRAL4``                  all at once, sealed
``split``      ``split:GRAL4,GRAL2,BARM3``     Lancelot: the first pile; both at once, sealed
``pile``       ``pile:2``                      Lancelot: which of the other player's piles to take
``assign``     ``assign:GRAL4,GRAL2,BARM3``    Lancelot: the hand of the first colour; both at
                                               once, sealed
``play``       ``play:GRAL4``,                 a card of the hand; the board is named if the card
               ``play:KAMPF4>LANZE``,          alone does not say it
               ``play:GRAL4>MAGIE``
``draw``       ``draw:KAMPF4``                 CHANCE: the neutral colour's next card
``route``      ``play:KAMPF4>LANZE``           the board of a card that has been turned up
``look``       ``look:2``                      Kodex: at which place
``bonus``      ``bonus:GRAL``, ``bonus:-``     the bonus of the Isolde board, or none
``gallantry``  ``bonus:START>2``,              Galanterie: one of the five bonuses, or none (then
               ``bonus:SCHWERT>LANZE``,        no second one either)
               ``bonus:FUENFTE``,
               ``bonus:KOENIG2``,
               ``bonus:EINS>GRAL``,
               ``bonus:-``
``magic``      ``magic:GRAL+4``, ``magic:-``   Magie: fields on one board after another, or stop
``take``       ``take:2``                      Kodex: from which place; CHANCE for the neutral
``partner``    ``partner:3``                   Barmherzigkeit: which of the colours in last place
``give``       ``give:-3``, ``give:?4``        Barmherzigkeit: which negative shield; ``?4`` is the
                                               one face down since round 4
``claim``      ``claim:3+2``                   Barmherzigkeit: the values of the shields taken
``over``
=============  ==============================  =====================================================

The engine plays forced moves itself, unless that would reveal something about hidden cards.

``View.public``; lists are indexed by colour unless stated otherwise:

=============  ==================================================================================
``owners``     seat of each colour, None for the neutral one
``starter``    colour that starts this round, None before the lot
``appointed``  colour appointed to start the next one, or None
``order``      the colours in this round's order
``direction``  of the packs, ``left`` (to the next seat) or ``right``; None if none are passed
``rounds``     the number of rounds
``colour``     the colour that the due step is for (for the neutral one, CHANCE may act), or None
``last``       the last event if everyone saw it, else None
``agenda``     what is due in this round, the next thing first: [step, colour, details]; a step
               has the name of a phase, or is ``score`` [board] (passed over if the board is not
               due) or ``close``. Details: ``bonus`` [fields],
               ``magic`` [fields, boards used ...], ``route`` [card], ``partner`` [claims,
               candidates ...], ``give`` [partner], ``claim`` [partner, claims]
``boards``     board -> see below
``shields``    lists of ``{"board", "round", "value", "known_by", "giver"}``: value is None if the
               shield lies face down; known_by then lists the seats that know the value, else it is
               None; giver is the colour that won it if it has changed hands, else None
``packs``      sizes of the packs (by seat in the Lancelot game)
``kept``       numbers of cards kept in this round, including those played since
``hands``      numbers of cards still to be played
``played``     lists of [card, board] played in this round, in order
``piles``      Lancelot, by seat: the two open piles; else empty
``open``       by pack: its cards if everyone knows them (Lancelot, from phase ``pile`` on)
=============  ==================================================================================

Each board has ``positions``; ``order``, the colours that have moved, first place first (on the
same field, the upper piece); ``due``, whether it will be scored in this round unless that changes;
``rounds``, in which it is scored, empty if scrolls decide; ``resets``, the rounds after which it is
reset; and ``prizes`` by place. Variants add: ``bets`` (Herausforderung); ``taken``, the bonuses
gone (Galanterie); ``cup`` (positive on TURNIER's side), ``reach``, ``side``, ``victor_prizes``
(Turnier, both boards); ``places``, by place ``{"known_by": seats, "taker": colour or None}``
(Kodex); ``scrolls`` and ``taken``, their fields, and ``points``, pairs of field and points
(Koenig); ``partners`` (Barmherzigkeit).

``View.private``:

=============  ==================================================================================
``pack``       the cards to choose from
``kept``       lists by colour, None for others' colours: the cards in the order they were taken
``hands``      likewise the cards still to be played
``seen``       the packs seen in this round, the earliest first; each but the last was passed on,
               less the card kept. Empty in the Lancelot game
``sealed``     the seat's own sealed move, or None
``codex``      only Kodex: by place the value of the shield if known, else None
``face_down``  only Kodex: known shields that lie face down, ``{"colour", "round", "value"}``
=============  ==================================================================================

Facts; only the seat in brackets, if there is one, may know the fact:

====================  ===========================================================================
``starter``           colour (by lot)
``round``             round, starter, order, direction, scored (boards sure to be scored)
``bet``               colour, board
``chosen``            [seat] move: its own sealed choice is in
``passed_on``         number (of the pass in this round), direction, last (whether none follows)
``piles``             piles, as in the view
``pile_taken``        seat, owner, pile, cards
``assigned``          (both players have divided their cards between their colours)
``turned_up``         colour, card: of the neutral colour, or a fifth card
``played``            colour, by (its seat, None for the neutral one), card, board, origin, field
``forced``            colour, by (the seat that decides for it), move: what follows was the only
                      possibility
``cup``               origin, field
``scroll``            colour, field
``looked``            colour, place
``codex_seen``        [seat] place, value
``scoring``           board, order, unmoved; the facts up to the next ``scoring`` belong to it
``shield``            colour, board, value, why: ``place`` (with place), ``last``, ``second_last``
                      or ``field`` (with field)
``moved``             colour, board, origin, field, by (the board whose prize it is)
``declined``          colour, board (whose prize)
``bonus``             colour, bonus, target or None (Galanterie)
``challenge``         colour, board, cards, fields (in all; Herausforderung)
``codex_taken``       colour, place
``codex_open``        zeros, face_down: colours that took these (Kodex)
``reckoned``          colour, shields, value, why as for ``shield`` (Gralssuche)
``partner``           colour, partner
``given``             colour, partner, round, value (None if face down)
``shield_seen``       [seat] the same with its value
``claimed``           colour, partner, values
``nothing_to_give``   colour, partner
``nothing_to_claim``  colour, partner
``round_over``        round, won: all shields of the round, ``{"colour", "board", "value"}``, value
                      None if face down; standings: positions and order of each board
                      that was scored for points
``reset``             board
``over``              reason (``points``), totals by colour, scores by seat, winners (seats)
====================  ===========================================================================

Refusals of moves: the table in ``games.isolde.notation``. Refusals of setups: ``starter_seat``
(starter, players) and ``variants_exclude`` (first, second).
"""

from games.isolde.game import Isolde
from games.isolde.numbers import NUMBERS, Numbers
from games.isolde.state import IsoldeState

__all__ = ["NUMBERS", "Isolde", "IsoldeState", "Numbers"]
