"""Don Quixote, by Reinhard Staupe (Pegasus Spiele 2010), for one to four players.

Each player lays the same 22 tiles in a principality of their own, on fields named by shared
position cards. The three rounds, of 9, 7 and 6 placements, each end with a scoring.

Moves: ``KN03`` lays a hand tile on the field of the position card, ``KN03r`` lays it after half a
turn, ``SANCHO`` lays Sancho Pansa instead, which looks the same both ways. Each player makes one
move per placement. It is sealed until everyone has chosen; until then, the player can take it back
with an undo. CHANCE sets the castles (``CA6:A2``, ``CA4:G2``), deals each hand
(``deal:2:KN03,CH1,...`` to the second seat, ``deal:*:...`` the same to all) and turns up position
cards (``field:B3``).

Phases of a view: ``castles``, ``deal``, ``field`` (a position card is due), ``place``, ``over``.

Hands are open, as the rules say, and so is everything else except the choices for a placement,
which are hidden until everyone has chosen. In ``place``, ``View.actors`` are the seats that have
not chosen.
``View.private`` is empty or ``{"choice": "KN03r"}``, the viewer's own sealed choice.

``View.public``; lists are indexed by seat:

=============  ==================================================================================
``boards``     field -> piece (a move, or a castle: ``{"A2": "CA6", "B3": "KN03r"}``)
``hands``      names of the tiles still in hand, in the order dealt, sealed choices included
``locked``     in round 3, the hand tile that must be laid last, while others remain; else None
``stacks``     names of the tiles not dealt yet, in the order of the tile list
``sancho``     whether Sancho Pansa can still be laid
``left_over``  the tile that left the game because Sancho Pansa was laid, or None
``field``      the field to fill; None if there is none
``placed``     placements in this round so far (one number)
``hand_size``  placements in this round altogether (one number: 9, 7 or 6)
``totals``     points so far
``scored``     the scorings so far: a list of ``{"castle6", "castle4", "churches", "windmills",
               "defence", "group"}``, points each
=============  ==================================================================================

Facts:

==============  =================================================================================
``castle``      castle (``CA6``), value, field
``dealt``       seats, tiles, locked (the tile to be laid last, or None), round
``field``       field, round, number (of the placement in this round, from 1), of (9, 7 or 6)
``chosen``      seat (its choice is in, others are awaited)
``placed``      seat, field, tile, turned; one for each seat when all choices are in
``left_over``   seat, tile (the round is over, and Sancho Pansa was laid instead)
``scored``      seat, total (all points so far), and the scoring account (see below)
``over``        reason (``points``), winners, totals, rating (solo play: key of RATINGS, else None)
==============  =================================================================================

``scoring_account(board, round)``, which pictures may also call with a board from a view, explains a
scoring; halves are named ``A1u`` (upper) and ``A1l`` (lower):

``round``, ``points``; ``networks``: a list of lists of halves joined by road (``network`` and
``networks`` below are indices into it); ``castles``: for CA6 and CA4 ``{"castle", "field",
"points", "value", "need", "knights": fields, "networks": touched}``; ``churches`` and
``windmills``: ``{"points", "groups": [{"network", "fields", "points"}]}``; ``defence``:
``{"points", "strength", "need", "knights": [{"field", "strength", "status"}]}``, status being
``defends``, ``not_on_border_field``, ``inner_half`` or ``no_direct_road``; ``group``: None before
round 3, then ``{"points", "groups": [{"network", "fields", "strength"}]}``.

Refusals: the table in ``games.donquixote.notation``.
"""

from games.donquixote.accounts import scoring_account
from games.donquixote.game import RATINGS, DonQuixote, rating
from games.donquixote.position import QuixoteState

__all__ = ["RATINGS", "DonQuixote", "QuixoteState", "rating", "scoring_account"]
