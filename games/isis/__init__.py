"""Isis, by Horst Alexander Renz (PHARAO-Brettspiele), for two to four players.

Seven stones, neutral at first, are moved from the underworld (square 0) across the earth (squares 1
to 38) into heaven (39 to 50). There each player may turn one of them into a personal stone. The
first player whose personal stone takes a throne (44 or 45) wins.

Moves: ``14-21`` moves a neutral stone, ``P46-44`` the seat's personal stone; ``0-13`` moves a stone
up from the underworld, ``22-0`` a stone down. ``turn:40`` turns over the stone on square 40. A seat
that cannot act is passed over. CHANCE draws one lot, ``start:1``, unless the option ``starter``
names the starter; seats are counted from 1.

Options: ``places`` (three and four players: after a win the others play on for the next place),
``retreat`` (a stone that moves from earth into heaven may go backward there in the same move;
without this option it may not, and so cannot take a throne in that move), ``hints`` (whether
pictures and menus warn about stones in danger; no rule depends on it), ``cap`` (the number of turns
after which the match is a draw), ``starter``.

Where the rulebook is ambiguous, these readings apply:

* The area in which a stone begins its move determines its directions for the whole move.
* A stone may enter the underworld only from earth, and only while an opponent's personal stone is
  in play, that is, not in the underworld itself.
* After every move that takes no throne, all stones in heaven, whoever owns them, are checked: those
  that are locked in leave at the same time. The ban does not matter for this.
* A seat that can neither move nor turn a stone over passes, and after a pass nothing is banned.
* A placed player's stone returns to the underworld as a neutral stone and is not banned.
* A situation that occurs for the third time - stones, ban and player to move - ends the match in a
  draw among those without a place, and so does the turn ``cap``.
* The square on which a stone is turned over determines its amulet; if that one is already in use,
  the next one in ``AMULETS`` is taken.

Phases of a view: ``lot``, ``turn``, ``over``.

``View.public``:

=============  ==================================================================================
``neutral``    squares of the neutral stones in play, ascending
``below``      number of neutral stones in the underworld
``personal``   by seat the square of the personal stone; None if there is none
``turned``     by seat whether it has turned a stone over
``amulets``    by seat the amulet of its stone (see ``AMULETS``); empty if it has none
``ban``        the square whose neutral stone must not be moved or turned over now, 0 for all in
               the underworld; None if there is none
``steps``      the length of a move: ``below`` from the underworld, ``in_play`` from other squares
``placed``     the seats that took a throne, in this order
``turns``      turns so far, passes included
``starter``    seat; None before the lot is drawn
``turn``       seat to decide; None if there is none
``seen``       the situations that may recur, each a list of numbers whose last one says how often
               it has occurred
=============  ==================================================================================

Facts:

============  ===================================================================================
``starter``   seat
``moved``     seat, personal, origin, square, path: all squares that it touches, these two included
``turned``    seat, square, amulet
``locked``    squares, owners (one for each square, None for a neutral stone)
``placed``    seat, square, place: 1 for the winner
``passed``    seat
``over``      reason: ``throne``, ``places``, ``repetition`` or ``cap``
============  ===================================================================================

Refusals of moves: the table in ``games.isis.notation``. Refusals of setups: ``starter_seat``.
"""

from games.isis.danger import Danger, dangers
from games.isis.game import Isis, position_of
from games.isis.position import AMULETS, IsisState

__all__ = ["AMULETS", "Danger", "Isis", "IsisState", "dangers", "position_of"]
