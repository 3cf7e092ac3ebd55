"""Reads typed moves, and says which rules forbid them.

==================  =============================================================================
``unknown_tile``    text: not the name of a tile, or the words in brackets do not fit it
``which_tile``      text, tiles: it fits several tiles
``wrong_field``     field, due: the position card names another field
``no_sancho``       the match is played without Sancho Pansa
``already_placed``  tile, field: it was placed there and stays
``locked``          tile: in round 3 the last tile dealt has to be laid last
``left_over``       tile: it left the game because Sancho Pansa was laid
``not_in_hand``     tile: it has not been dealt yet
==================  =============================================================================
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.donquixote.position import QuixoteState
from games.donquixote.tiles import KNIGHT, PIECES, SANCHO, TURNED, WAY_TILES
from games.engine import PLAYER_MOVE_MAX, IllegalMove, Move
from games.spelling import plain

KINDS = {
    **dict.fromkeys(("church", "kirche", "eglise", "iglesia"), "ch"),
    **dict.fromkeys(("windmill", "windmuehle", "muehle", "moulin", "molino"), "wm"),
}
KNIGHTS = ("knight", "ritter", "chevalier", "caballero")
TURNINGS = (
    *("r", "turned", "rotated", "flipped", "upside down", "180", "180°"),
    *("gedreht", "umgedreht", "auf dem kopf", "auf den kopf gedreht"),
    *("retournee", "retourne", "tournee", "a l'envers"),
    *("girada", "girado", "del reves"),
)
"""The words for a tile that is turned upside down."""

_KNIGHT = "|".join(KNIGHTS)
_KIND = "|".join(["ch", "wm", "kn", *KINDS])
_TURNED = "|".join(map(re.escape, sorted(TURNINGS, key=len, reverse=True)))
SPELLING = re.compile(
    rf"(?:(?P<sancho>sancho)(?: ?pan[scz]a)?|(?:{_KNIGHT})[ -]*(?P<strength>[1-9])"
    rf"|(?P<kind>{_KIND})[ -]*0*(?P<number>[1-9][0-9]?))"
    rf"(?P<turned>r?(?:[ ,-]+(?:{_TURNED}))*)"
    r"(?P<aside> ?\([^()]*\))?"
    r"(?: ?(?:[@:]|on|auf|en|sur)? ?(?P<field>[a-h] ?-?[1-3]))?"
    r"(?P<behind> ?\([^()]*\))?"
)
SYMBOL = re.compile(r"(?P<kind>[a-z]+)(?: (?P<strength>[1-9]))?")
"""The symbol of a tile, as written in brackets after its name."""

TILE_NAMED = {(tile.name[:2].casefold(), int(tile.name[2:])): tile.name for tile in WAY_TILES}
BY_STRENGTH = {
    strength: tuple(t.name for t in WAY_TILES if t.symbol == KNIGHT and t.worth == strength)
    for strength in {tile.worth for tile in WAY_TILES if tile.symbol == KNIGHT}
}


def understood(state: QuixoteState, seat: int, text: str) -> Move:
    """Return the move that a text means, legal or not. Texts may look like ``kn03r``, ``KN 3 r``,
    ``kn3 turned``, ``KN03r@B3``, ``Sancho Pansa``, ``church 3`` or, if the hand has only one such
    tile, ``knight 2``.

    :raises IllegalMove: ``unknown_tile``, ``which_tile`` or ``wrong_field``.
    """
    piece, field = spelled(text, state.hands[seat])
    if field and field != state.field:
        raise IllegalMove("wrong_field", field=field, due=state.field)
    return piece


def named(state: QuixoteState, seat: int, text: str) -> Move:
    """Return the tile and the orientation that a text names. A field that it names is ignored,
    because before the position card is drawn nobody knows the field to fill.

    :raises IllegalMove: ``unknown_tile`` or ``which_tile``.
    """
    return spelled(text)[0]


def spelled(text: str, hand: Sequence[str] = ()) -> tuple[Move, str]:
    """Return the tile that a text names, with its orientation, and the field, which is empty if the
    text names none.

    :param hand: where to look first for a knight that is named by its strength.
    :raises IllegalMove: ``unknown_tile`` or ``which_tile``.
    """
    match = SPELLING.fullmatch(plain(text))
    tiles = [] if match is None else _named_tiles(match, hand)
    if match is None or not tiles:
        raise IllegalMove("unknown_tile", text=text[:PLAYER_MOVE_MAX])
    if len(tiles) > 1:
        raise IllegalMove("which_tile", text=text[:PLAYER_MOVE_MAX], tiles=tiles)
    aside = _asides(match)
    if not all(each in TURNINGS or _describes(each, tiles[0]) for each in aside):
        raise IllegalMove("unknown_tile", text=text[:PLAYER_MOVE_MAX])
    turned = match["turned"] or any(each in TURNINGS for each in aside)
    piece = tiles[0] + TURNED if turned and tiles[0] != SANCHO.name else tiles[0]
    field = (match["field"] or "").upper()
    return piece, field[:1] + field[-1:]


def _asides(match: re.Match[str]) -> list[str]:
    """Return what the brackets in a text contain, split at commas."""
    brackets = [found.strip()[1:-1] for found in (match["aside"], match["behind"]) if found]
    return [each.strip() for within in brackets for each in within.split(",")]


def _describes(text: str, name: str) -> bool:
    """Return whether a text describes a tile's symbol, in any language: ``knight 2``."""
    tile = PIECES[name].tile
    match = SYMBOL.fullmatch(text)
    if match is None or tile == SANCHO:
        return False
    if tile.symbol == KNIGHT:
        return match["kind"] in KNIGHTS and match["strength"] == str(tile.worth)
    return match["strength"] is None and KINDS.get(match["kind"]) == name[:2].casefold()


def _named_tiles(match: re.Match[str], hand: Sequence[str]) -> list[str]:
    """Return the tiles that may be meant: more than one only if they are knights."""
    if match["sancho"]:
        return [SANCHO.name]
    if match["strength"]:
        knights = BY_STRENGTH.get(int(match["strength"]), ())
        return [tile for tile in knights if tile in hand] or [*knights]
    kind = KINDS.get(match["kind"], match["kind"])
    tile = TILE_NAMED.get((kind, int(match["number"])))
    return [] if tile is None else [tile]


def refusal(state: QuixoteState, seat: int, move: Move) -> IllegalMove:
    """Return the rule that forbids a move, as a refusal."""
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
