"""What a typed text means, and which rule forbids what it asks for.

==================  =============================================================================
``unknown_tile``    text: it names no tile, or a turning that is none
``wrong_field``     field, due: the position card names another field
``no_sancho``       the match is played without Sancho Pansa
``already_placed``  tile, field: it lies there and stays there
``locked``          tile: in round 3 the last tile dealt is laid last
``left_over``       tile: it left the game for Sancho Pansa
``not_in_hand``     tile: it is not dealt yet
==================  =============================================================================
"""

from __future__ import annotations

import re

from games.donquixote.position import QuixoteState
from games.donquixote.tiles import PIECES, SANCHO, TURNED, WAY_TILES
from games.engine import PLAYER_MOVE_MAX, IllegalMove, Move

SPELLING = re.compile(
    r"(?:(?P<sancho>sancho)(?:\s*pansa)?|(?P<kind>ch|wm|kn)\s*0*(?P<number>[1-9][0-9]?))"
    r"\s*(?P<turned>r|turned|gedreht)?"
    r"(?:\s*[@:]?\s*(?P<field>[a-h][1-3]))?"
)
TILE_NAMED = {(tile.name[:2].casefold(), int(tile.name[2:])): tile.name for tile in WAY_TILES}


def understood(state: QuixoteState, text: str) -> Move:
    """The move that a text means, legal or not.

    :raises IllegalMove: ``unknown_tile`` or ``wrong_field``.
    """
    piece, field = spelled(text)
    if field and field != state.field:
        raise IllegalMove("wrong_field", field=field, due=state.field)
    return piece


def spelled(text: str) -> tuple[Move, str]:
    """The tile, turned or not, and the field that a text names; without a field an empty one.

    :raises IllegalMove: ``unknown_tile``.
    """
    match = SPELLING.fullmatch(text.strip().casefold())
    tile = match and _named_tile(match)
    if not match or not tile:
        raise IllegalMove("unknown_tile", text=text[:PLAYER_MOVE_MAX])
    piece = tile + TURNED if match["turned"] and tile != SANCHO.name else tile
    return piece, (match["field"] or "").upper()


def _named_tile(match: re.Match[str]) -> str | None:
    if match["sancho"]:
        return SANCHO.name
    return TILE_NAMED.get((match["kind"], int(match["number"])))


def refusal(state: QuixoteState, seat: int, move: Move) -> IllegalMove:
    """Which rule forbids a move that is not legal."""
    tile = PIECES[move].tile
    if tile == SANCHO and not state.options["sancho"]:
        return IllegalMove("no_sancho")
    for where, piece in state.lands[seat].board.items():
        if PIECES[piece].tile == tile:
            return IllegalMove("already_placed", tile=tile.name, field=where)
    if tile.name == state.locked(seat):
        return IllegalMove("locked", tile=tile.name)
    if tile.name == state.left_over[seat]:
        return IllegalMove("left_over", tile=tile.name)
    return IllegalMove("not_in_hand", tile=tile.name)
