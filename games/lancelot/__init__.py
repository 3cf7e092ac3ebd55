"""Lancelot, by Roland Siegers (Mattel 1990), for two to five players.

Squares are named as on the plan, columns A to N and rows 1 to 14; fewer than five players use only
its middle. Moves: ``K4`` places a stone, ``X:G6`` sets or moves Excalibur. A turn with the King's
power is two moves of the same seat, ``X:G6`` and then the stone ``G8``. A seat that cannot place a
stone is passed over. CHANCE draws one lot, ``start:1``, unless the option ``starter`` names the
starter; seats are counted from 1.

Phases of a view: ``lot``, ``sword`` (Excalibur is set for the first time), ``turn``, ``stone`` (the
King's power has been used, Excalibur has moved, the stone is due), ``over``.

``View.public``:

=============  ==================================================================================
``corners``    lower left and upper right square of the field, ``["D4", "K11"]``
``size``       squares along one side of the field
``board``      square -> seat of the stone on it
``excalibur``  its square; None while it is not on the field
``lifted``     in phase ``stone`` the square that Excalibur left, else None
``stock``      stones left, by seat
``captured``   stones taken, by seat
``power``      whether the King's power can still be used, by seat
``goal``       how many stones a seat must take to win
``starter``    seat; None before the lot is drawn
``turn``       seat that decides; None if there is none
=============  ==================================================================================

Facts:

===============  ================================================================================
``starter``      seat
``sword_set``    seat, square
``power_used``   seat
``sword_moved``  seat, origin, square
``placed``       seat, square
``captured``     seat, squares, owners (one for each square), lines: a list of
                 ``{"line": "column", "name": "K", "squares": ["K7", "K9"]}``, where ``line`` is
                 ``column``, ``row`` or ``diagonal`` (named by its ends, ``D4-K11``)
``passed``       seat, why: ``no_stones`` or ``no_square``
``over``         reason: ``goal`` or ``all_passed``, winners
===============  ================================================================================

Refusals of moves: the table in ``games.lancelot.notation``. Of setups: ``starter_seat``.
"""

from games.lancelot.game import Lancelot
from games.lancelot.position import LancelotState

__all__ = ["Lancelot", "LancelotState"]
