"""Reads typed moves, and says which rules forbid them.

For a move, ``square`` is its origin and ``to`` its destination (0 for the underworld), and
``steps`` its required length.

======================  =========================================================================
``unknown_move``        text: it neither moves a stone nor turns one over
``unknown_square``      square, text: not on the board
``must_move``           passing is not allowed
``no_stone``            square: no stone is there
``own_stone``           square: it is the seat's own stone, so the move needs the prefix ``P``
``foreign_stone``       square, owner: it belongs to another seat
``no_personal``         the seat has no personal stone
``personal_elsewhere``  square: where the seat's personal stone is instead
``banned``              square: the previous player has just moved this stone
``banned_below``        the previous player has just moved a neutral stone down
``occupied``            to: another stone is there
``throne_neutral``      to: a throne is for personal stones
``throne_from_earth``   to: the move that takes a throne must begin in heaven
``steps``               square, to, steps: it takes a different number of steps to get there
``blocked``             square, to, steps: other stones are in the way
``backward``            square, to: stones on earth move forward or sideways
``turned_back``         square, to: a stone from earth may not go backward in heaven, either
``descent_from``        square: stones go down only from earth
``descent_closed``      no opponent has a personal stone in play
``turned_before``       the seat has turned a stone over before
``turn_heaven``         square: stones are turned over in heaven
``turn_neutral``        square: no neutral stone is there
``turn_alone``          square: no other stone is in heaven
======================  =========================================================================
"""

from __future__ import annotations

import re

from games.engine import PLAYER_MOVE_MAX, IllegalMove, Move
from games.isis.board import (
    HEAVEN,
    PERSONAL,
    SQUARES,
    THRONES,
    TURN,
    UNDERWORLD,
    Going,
    move_name,
    paths,
)
from games.isis.position import NOWHERE, IsisState
from games.spelling import plain

_BELOW = r"(?:the |die |der |le |el )?(?:underworld|unterwelt|(?:monde )?souterrain|inframundo)"
_SQUARE = rf"(?:(?:th?ron[eo]?\s*)?\d{{1,2}}|{_BELOW})"
MOVING = re.compile(
    r"(?P<own>p|own|eigene[nrs]?|meine[nrs]?|my|perso|ma|propia|mi)?\s*"
    rf"(?P<origin>{_SQUARE})(?:\s*(?:-+|→|>|to|nach|auf|vers|a)\s*|\s+)(?P<end>{_SQUARE})"
)
SQUARES_ALONE = re.compile(r"(\d{1,2}) ?- ?(\d{1,2})")
"""The usual way to write a move of any stone; in strict notation, it means a neutral stone."""

_TURN = r"turn|convert|drehe?|drehen|umdrehen|wandle|retourner?|voltear?"
TURNING = re.compile(
    rf"(?:{_TURN})[\s:]*(?P<square>\d{{1,2}})(?: over| um)?|(?P<before>\d{{1,2}}) (?:{_TURN})"
)
PASSING = {"pass", "passe", "passen", "aussetzen", "passer", "paso", "pasar"}


def understood(state: IsisState, seat: int, text: str) -> Move:
    """Return the move that a text means, legal or not: ``14-21``, ``14 → 21``, ``p46 - 44``, ``turn
    40``.

    Text in notation is taken literally. In any other spelling, such as ``46 44``, a move means the
    seat's own stone if that is on the origin and no neutral stone is there.

    :raises IllegalMove: ``unknown_move``, ``unknown_square`` or ``must_move``.
    """
    spelling = plain(text)
    if spelling in PASSING:
        raise IllegalMove("must_move")
    if moving := MOVING.fullmatch(spelling):
        origin, end = _square(moving["origin"]), _square(moving["end"])
        own = bool(moving["own"]) or (
            spelling != move_name(origin, end, personal=False) and _only_own(state, seat, origin)
        )
        return move_name(origin, end, own)
    if turning := TURNING.fullmatch(spelling):
        return f"{TURN}{_square(turning['square'] or turning['before'])}"
    raise IllegalMove("unknown_move", text=text[:PLAYER_MOVE_MAX])


named = understood


def of_any_stone(text: str) -> str:
    """Return a move typed as two bare squares with a space in place of the hyphen, so that it can
    mean a stone of any kind; other texts are unchanged.
    """
    alone = SQUARES_ALONE.fullmatch(plain(text))
    return text if alone is None else f"{alone[1]} {alone[2]}"


def _square(named: str) -> int:
    digits = re.search(r"\d+", named)
    square = UNDERWORLD if digits is None else int(digits[0])
    if square != UNDERWORLD and square not in SQUARES:
        raise IllegalMove("unknown_square", square=square, text=named)
    return square


def _only_own(state: IsisState, seat: int, square: int) -> bool:
    """Return whether the seat's personal stone is on the square, and no neutral stone."""
    return state.personal[seat] == square and not (square == UNDERWORLD and state.below)


def refusal(state: IsisState, seat: int, move: Move) -> IllegalMove:
    """Return the rule that forbids a move, as a refusal."""
    if move.startswith(TURN):
        return _refused_turning(state, seat, int(move.removeprefix(TURN)))
    personal = move.startswith(PERSONAL)
    origin, end = map(int, move.removeprefix(PERSONAL).split("-"))
    wrong_stone = (
        _refused_personal(state, seat, origin)
        if personal
        else _refused_neutral(state, seat, origin)
    )
    return wrong_stone or _refused_way(state, seat, move, origin, end)


# -------------------------------------------------------------------------- which stone
def _refused_personal(state: IsisState, seat: int, origin: int) -> IllegalMove | None:
    own = state.personal[seat]
    if own == NOWHERE:
        return IllegalMove("no_personal")
    return None if own == origin else IllegalMove("personal_elsewhere", square=own)


def _refused_neutral(state: IsisState, seat: int, origin: int) -> IllegalMove | None:
    if origin == UNDERWORLD:
        if state.ban == UNDERWORLD and state.below:
            return IllegalMove("banned_below")
        return None if state.below else IllegalMove("no_stone", square=origin)
    if origin == state.ban:
        return IllegalMove("banned", square=origin)
    owner = state.owner(origin)
    if owner == seat:
        return IllegalMove("own_stone", square=origin)
    if owner is not None:
        return IllegalMove("foreign_stone", square=origin, owner=owner)
    return None if origin in state.neutral else IllegalMove("no_stone", square=origin)


# ---------------------------------------------------------------------------- which way
def _refused_way(state: IsisState, seat: int, move: Move, origin: int, end: int) -> IllegalMove:
    if end == UNDERWORLD:
        return _refused_descent(state, seat, move, origin)
    personal = move.startswith(PERSONAL)
    on_earth = UNDERWORLD < origin < HEAVEN.start
    if end in THRONES and not personal:
        return IllegalMove("throne_neutral", to=end)
    if end in THRONES and on_earth and not state.board.retreat:
        return IllegalMove("throne_from_earth", to=end)
    if end != origin and state.occupied >> end & 1:
        return IllegalMove("occupied", to=end)
    steps = state.steps(origin)
    if move in state.board.ways[personal][origin, steps].paths:
        return IllegalMove("blocked", square=origin, to=end, steps=steps)
    if on_earth and _leads(origin, steps, Going.RETREAT, end):
        return IllegalMove("turned_back", square=origin, to=end)
    if on_earth and _leads(origin, steps, Going.FREE, end):
        return IllegalMove("backward", square=origin, to=end)
    return IllegalMove("steps", square=origin, to=end, steps=steps)


def _refused_descent(state: IsisState, seat: int, move: Move, origin: int) -> IllegalMove:
    if origin == UNDERWORLD or origin in HEAVEN:
        return IllegalMove("descent_from", square=origin)
    if not state.may_descend(seat):
        return IllegalMove("descent_closed")
    steps = state.steps(origin)
    known = state.board.down[move.startswith(PERSONAL)][origin, steps].paths
    code = "blocked" if move in known else "steps"
    return IllegalMove(code, square=origin, to=UNDERWORLD, steps=steps)


def _leads(origin: int, steps: int, going: Going, end: int) -> bool:
    return any(path[-1] == end for path in paths(origin, steps, going))


# ------------------------------------------------------------------------- turning over
def _refused_turning(state: IsisState, seat: int, square: int) -> IllegalMove:
    if state.turned[seat]:
        return IllegalMove("turned_before")
    if square not in HEAVEN:
        return IllegalMove("turn_heaven", square=square)
    if square not in state.neutral:
        return IllegalMove("turn_neutral", square=square)
    if square == state.ban:
        return IllegalMove("banned", square=square)
    return IllegalMove("turn_alone", square=square)
