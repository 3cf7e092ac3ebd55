"""Reads typed moves, and says which rules forbid them.

=======================  ========================================================================
``unknown_square``       text, corners: not a square of the plan
``outside``              square, corners: not on the field for this number of players
``occupied``             square, owner: a seat, or None for Excalibur
``chivalry``             piece (``stone`` or ``sword``), square, line, name, lead: the first line
                         with too great a lead, named as in the facts
``must_place``           passing is not allowed
``sword_due``            Excalibur must be set first
``sword_already_moved``  Excalibur has moved; now the stone is due
``no_power_module``      the match is played without the King's power
``power_used``           the seat has already used the King's power
``sword_stays``          square: Excalibur is there already and must move
``no_stone_square``      square: with Excalibur there, no stone could be placed
=======================  ========================================================================
"""

from __future__ import annotations

import re

from games.engine import PLAYER_MOVE_MAX, IllegalMove, Move
from games.lancelot.field import SWORD, plan
from games.lancelot.position import (
    EXCALIBUR,
    FREE,
    LEAD_MAX,
    STONE,
    SWORD_SETTING,
    LancelotState,
    keeps_chivalry,
)
from games.spelling import plain

SPELLING = re.compile(
    r"(?P<sword>(?:x|sword|schwert|epee|espada|excalibur)[\s:]*"
    r"(?:(?:to|on|auf|nach|en|sur|a)\s+)?)?"
    r"(?P<column>[a-z])[\s-]*0?(?P<row>[1-9][0-9]?)"
)
PASSING = {"pass", "passe", "passen", "passer", "paso", "pasar"}


def understood(state: LancelotState, seat: int, text: str) -> Move:
    """Return the move that a text means, legal or not: ``k4``, ``K 4``, ``K-4``, ``x g6``,
    ``X:G6``, ``sword g6``, ``Excalibur to G6``.

    :raises IllegalMove: ``unknown_square`` or ``outside``; ``sword_due`` or ``must_place`` if the
        person passes.
    """
    spelling, field = plain(text), state.field
    if spelling in PASSING:
        raise IllegalMove("sword_due" if state.phase == SWORD_SETTING else "must_place")
    match = SPELLING.fullmatch(spelling)
    square = match["column"].upper() + match["row"] if match else ""
    corners = [field.names[0], field.names[-1]]
    if not match or square not in plan().index:
        raise IllegalMove("unknown_square", text=text[:PLAYER_MOVE_MAX], corners=corners)
    if square not in field.index:
        raise IllegalMove("outside", square=square, corners=corners)
    return SWORD + square if match["sword"] else square


named = understood


def with_sword(text: str) -> str:
    """Return a typed text as a move of Excalibur, for command options that accept nothing else."""
    match = SPELLING.fullmatch(plain(text))
    return text if match is None or match["sword"] else SWORD + text


def refusal(state: LancelotState, seat: int, move: Move) -> IllegalMove:
    """Return the rule that forbids a move, as a refusal."""
    if move.startswith(SWORD):
        return _refused_sword(state, seat, move.removeprefix(SWORD))
    if state.phase == SWORD_SETTING:
        return IllegalMove("sword_due")
    square = state.field.index[move]
    if state.board[square] != FREE:
        return _occupied(state, square)
    return _unchivalrous(state, seat, square, state.pieces, "stone")


def _refused_sword(state: LancelotState, seat: int, name: str) -> IllegalMove:
    square = state.field.index[name]
    if not state.options["king"]:
        return IllegalMove("no_power_module")
    if state.phase == STONE:
        return IllegalMove("sword_already_moved")
    if not state.power[seat]:
        return IllegalMove("power_used")
    if square == state.excalibur:
        return IllegalMove("sword_stays", square=name)
    if state.board[square] != FREE:
        return _occupied(state, square)
    pieces = state.pieces_without_sword()
    if not keeps_chivalry(state.field, square, state.own[seat], pieces):
        return _unchivalrous(state, seat, square, pieces, "sword")
    return IllegalMove("no_stone_square", square=name)


def _occupied(state: LancelotState, square: int) -> IllegalMove:
    piece = state.board[square]
    owner = None if piece == EXCALIBUR else piece
    return IllegalMove("occupied", square=state.field.names[square], owner=owner)


def _unchivalrous(
    state: LancelotState, seat: int, square: int, pieces: list[int], piece: str
) -> IllegalMove:
    own, field = state.own[seat], state.field
    leads = [(line, 2 * own[line] - pieces[line] + 1) for line in field.lines_of[square]]
    line, lead = next((line, lead) for line, lead in leads if lead > LEAD_MAX)
    kind, name = field.labels[line]
    return IllegalMove(
        "chivalry", piece=piece, square=field.names[square], line=kind, name=name, lead=lead
    )
