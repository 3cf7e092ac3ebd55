"""Lancelot for computer players: on which lines stones can be taken, by whom, and from which
squares.

A line on which a seat has at least two stones and leads by one is *ripe*: one more stone takes all
opposing stones on it. The aim is to make lines ripe and then take stones on them, and to place
pieces on the opponents' lines, because any piece reduces their lead. Stones on lines that are lost
anyway are wasted.

The King's power places two pieces at once. On ripe lines Excalibur alone is enough to take stones;
on *even* lines, where a seat has half of all pieces, both Excalibur and the stone are needed.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from math import floor, tanh
from typing import Any

from games.engine import Fact, Move
from games.lancelot.field import SWORD
from games.lancelot.position import (
    FREE,
    NOWHERE,
    OVER,
    STONE,
    SWORD_SETTING,
    TURN,
    LancelotState,
    keeps_chivalry,
)
from games.players.policy import Policy

Ripe = dict[int, int]
"""Ripe lines, each with the number of opposing stones that would be taken on it."""

TAKING, BLOCKING, BUILDING = 3.0, 1.5, 1.0
"""How interesting a square is: points for each stone that a piece there would take, for each stone
that another seat's piece there would take, and for each of the seat's own stones on a line that
would become ripe.
"""

HOPELESS = 0.5
"""A square's interest is multiplied by this for each line through it on which the seat has fewer
than half of the pieces.
"""

IDLE_SWORD = 0.3
"""The interest shared by all moves of Excalibur that neither take nor save a stone."""

POWER = 1.0
"""The value of the unused King's power, in stones taken."""

WORTH_A_CALL = 2
"""Without a search, the King's power is used only for at least this many stones on one line."""

STEEPNESS = 3.0
"""How steeply the chance of winning rises with the lead in stones taken, measured as a share of the
goal.
"""


class LancelotPolicy(Policy[LancelotState]):
    """Sees the stones that can be taken in this turn and in the next."""

    playout = 12

    def weights(self, state: LancelotState, seat: int, moves: Sequence[Move]) -> list[float]:
        """Weight moves by the lines that are ripe or could become so, for the seat and for
        others.
        """
        if state.phase == SWORD_SETTING:
            return [1.0] * len(moves)
        interest = _interest(state, seat)
        index = state.field.index
        if not state.power[seat]:
            return [interest[index[move]] for move in moves]
        sword = _interest_in_sword(state, seat)
        called = {
            move: sword[index[move.removeprefix(SWORD)]] for move in moves if move not in index
        }
        idle = IDLE_SWORD / max(1, sum(not worth for worth in called.values()))
        return [
            (called[move] or idle) if move in called else interest[index[move]] for move in moves
        ]

    def decisive(self, state: LancelotState, seat: int) -> Move | None:
        """Return the stone, or the use of the King's power, that reaches the goal at once; None if
        there is none.
        """
        if state.phase == SWORD_SETTING:
            return None
        need = state.goal - state.captured[seat]
        stone = self._winning_stone(state, seat, need)
        if stone is None and state.power[seat]:
            return self._winning_sword(state, seat, need)
        return stone

    def _winning_stone(self, state: LancelotState, seat: int, need: int) -> Move | None:
        held = _held(state, seat)
        lines = ripe(state, seat)
        if held + sum(lines.values()) < need:
            return None
        gains = _by_square(state, lines)
        for square in sorted(range(len(gains)), key=gains.__getitem__, reverse=True):
            if held + gains[square] < need:
                return None
            if _may_stand(state, seat, square) and self._reaches_goal(state, seat, square):
                return state.field.names[square]
        return None

    def _winning_sword(self, state: LancelotState, seat: int, need: int) -> Move | None:
        """Return a winning use of the King's power; None if there is none. Search only if the most
        that Excalibur and a stone could possibly take is enough to win.
        """
        best = max(_by_square(state, _callable(state, seat)))
        if 2 * best < need:
            return None
        for square in state.field.numbers(state.sword_squares(seat)):
            move = state.field.sword_names[square]
            after = state.clone()
            self.game.do(after, seat, move)
            if self._winning_stone(after, seat, need):
                return move
        return None

    def _reaches_goal(self, state: LancelotState, seat: int, square: int) -> bool:
        after = state.clone()
        self.game.do(after, seat, state.field.names[square])
        return after.captured[seat] >= state.goal

    def pick(self, state: LancelotState, seat: int, rng: random.Random) -> Move:
        """Take stones on the line where most can be taken; if there are none to take, place a stone
        anywhere. Use the King's power if it can take at least ``WORTH_A_CALL`` stones, and more
        than a stone alone.
        """
        if state.phase != SWORD_SETTING:
            lines = ripe(state, seat)
            if state.power[seat]:
                call = _call(state, seat, max(lines.values(), default=0), rng)
                if call is not None:
                    return call
            if lines:
                line = max(lines, key=lines.__getitem__)
                squares = list(state.field.squares_of[line])
                while squares:
                    square = squares.pop(floor(rng.random() * len(squares)))
                    if _may_stand(state, seat, square):
                        return state.field.names[square]
        return self.game.random_move(state, seat, rng)

    def values(self, state: LancelotState) -> Sequence[float]:
        """Return each seat's value, computed from its lead in stones taken over the best of the
        others; an unused King's power counts as well. Once the match is over, return the value of
        its result.
        """
        outcome = self.game.outcome(state)
        if outcome is not None:
            return self.game.utility(outcome)
        taken = [
            stones + POWER * power
            for stones, power in zip(state.captured, state.power, strict=True)
        ]
        steepness = STEEPNESS / state.goal
        return [
            tanh(steepness * (mine - max(taken[:seat] + taken[seat + 1 :])))
            for seat, mine in enumerate(taken)
        ]

    def motives(self, state: LancelotState, seat: int, move: Move) -> list[Fact]:
        """Return the motives for a move. ``blocks``: lines on which others could have taken the
        seat's stones on their turn, and no longer can. ``ripens``: lines on which one more stone
        then takes stones. ``safe``: none of the seat's stones can be taken next. ``evens``: lines
        that others no longer lead. ``joins``: how many of the seat's own stones the new one is in
        line with, on lines that the seat leads. ``blocks`` and ``safe`` take into account that
        others may use the King's power.
        """
        if state.phase == SWORD_SETTING:
            return []
        after = state.clone()
        self.game.do(after, seat, move)
        if after.phase == OVER:
            return []
        before = state
        if state.phase == STONE:  # compare with what others could do before the call
            before = state.clone()
            before.count_sword_as_own(seat, -1)
            before.phase = TURN
        square = state.field.index.get(move)
        if square is None:
            return list(_held_back(state, after, seat))
        return [
            *_blocked(before, after, seat),
            *_ripened(before, after, seat),
            *_held_back(state, after, seat),
            *_joined(after, seat, square),
        ]

    def traits(self, state: LancelotState, seat: int, move: Move) -> list[Fact]:
        """Return the traits of a move. ``counters``: the lines on which Excalibur then counts
        against everybody. ``opposes``: the lines on which the stone counts against stones of
        others. ``apart``: it is in line with no other stone. ``backs``: the lines on which
        Excalibur counts as a stone of the seat in this turn.
        """
        lines = state.field.lines_of[state.field.index[move.removeprefix(SWORD)]]
        if state.phase == SWORD_SETTING:
            return [Fact("counters", {"seat": seat, "lines": _names(state, lines)})]
        if move.startswith(SWORD):
            return [Fact("backs", {"seat": seat, "lines": _names(state, lines)})]
        theirs = [ln for ln in lines if any(state.own[o][ln] for o in _others(state, seat))]
        if theirs:
            return [Fact("opposes", {"seat": seat, "lines": _names(state, theirs)})]
        return [] if any(state.own[seat][ln] for ln in lines) else [Fact("apart", {"seat": seat})]

    def tempting(self, state: LancelotState, seat: int) -> Move | None:
        """Return the placement that takes the most stones; None if none takes any."""
        lines = ripe(state, seat)
        if not lines:
            return None
        gains = _by_square(state, lines)
        squares = state.field.numbers(state.open_squares(seat))
        best = max(squares, key=gains.__getitem__, default=NOWHERE)
        return state.field.names[best] if best != NOWHERE and gains[best] else None

    def drawbacks(self, state: LancelotState, seat: int, move: Move) -> list[Fact]:
        """Return the drawbacks of a move. ``exposes``: another seat can then take the seat's stones
        on these lines.
        """
        after = state.clone()
        self.game.do(after, seat, move)
        if after.phase == OVER:
            return []
        lost = {
            other: sorted(_own_stones(after, seat, takeable(after, other)))
            for other in _others(state, seat)
        }
        return [
            Fact("exposes", {"seat": other, "lines": _names(after, lines)})
            for other, lines in lost.items()
            if lines
        ]


# ---------------------------------------------------------------------------- the motives
def _blocked(state: LancelotState, after: LancelotState, seat: int) -> Iterator[Fact]:
    for other in _others(state, seat):
        taken = _own_stones(state, seat, takeable(state, other))
        blocked = sorted(taken - takeable(after, other)) if taken else []
        if blocked:
            yield Fact("blocks", {"seat": other, "lines": _names(state, blocked)})


def _ripened(state: LancelotState, after: LancelotState, seat: int) -> Iterator[Fact]:
    new = sorted(_by_a_stone(after, seat) - _by_a_stone(state, seat))
    if new:
        yield Fact("ripens", {"seat": seat, "lines": _names(state, new)})


def _held_back(state: LancelotState, after: LancelotState, seat: int) -> Iterator[Fact]:
    """Yield ``safe`` if no other seat can take stones of the seat next, and the lines that others
    no longer lead.
    """
    others = _others(state, seat)
    if after.turn != seat and not any(_own_stones(after, seat, takeable(after, o)) for o in others):
        yield Fact("safe", {"seat": seat})
    for other in others:
        evened = [
            line
            for line, mine in enumerate(state.own[other])
            if mine > 1 and state.lead(other, line) > 0 >= after.lead(other, line)
        ]
        if evened:
            yield Fact("evens", {"seat": other, "lines": _names(state, evened)})


def _joined(after: LancelotState, seat: int, square: int) -> Iterator[Fact]:
    lines = after.field.lines_of[square]
    joined = sum(after.own[seat][line] - 1 for line in lines if after.lead(seat, line) > 0)
    if joined:
        yield Fact("joins", {"seat": seat, "number": joined})


# ---------------------------------------------------------------------------- the lines
def _callable(state: LancelotState, seat: int) -> Ripe:
    """Return the lines on which the King's power can take stones: those that, not
    counting Excalibur, are ripe or even.
    """
    return {
        line: all_ - mine
        for line, (mine, all_) in enumerate(
            zip(state.own[seat], state.pieces_without_sword(), strict=True)
        )
        if mine and (2 * mine == all_ or (mine >= 2 and 2 * mine - all_ == 1))
    }


def ripe(state: LancelotState, seat: int) -> Ripe:
    """Return the lines on which one more piece of the seat takes stones."""
    lines = {
        line: all_ - mine
        for line, (mine, all_) in enumerate(zip(state.own[seat], state.pieces, strict=True))
        if mine >= 2 and 2 * mine - all_ == 1
    }
    if lines and state.excalibur != NOWHERE and state.phase != STONE:
        for line in state.field.lines_of[state.excalibur]:  # Excalibur cannot be taken
            if lines.get(line) == 1:
                del lines[line]
            elif line in lines:
                lines[line] -= 1
    return lines


def takeable(state: LancelotState, seat: int) -> set[int]:
    """Return the lines on which the seat would take stones if its turn began now: with a stone, or
    with the King's power and a stone.
    """
    lines = _by_a_stone(state, seat)
    if state.power[seat] and state.excalibur != NOWHERE and state.can_place(seat):
        swords = state.sword_squares(seat)
        further = (line for line in _callable(state, seat) if line not in lines)
        lines.update(line for line in further if _falls_to_sword(state, seat, line, swords))
    return lines


def _by_a_stone(state: LancelotState, seat: int) -> set[int]:
    """Return the lines on which a stone alone would take stones."""
    if not state.stock[seat]:
        return set()
    lines = ripe(state, seat)
    stones = state.open_squares(seat) if lines else 0
    return {line for line in lines if stones & ~state.field.elsewhere[line]}


def _falls_to_sword(state: LancelotState, seat: int, line: int, swords: int) -> bool:
    """Return whether the King's power can take stones on a line.

    :param swords: the set of squares to which Excalibur may move.
    """
    field = state.field
    along = swords & ~field.elsewhere[line]
    even = 2 * state.own[seat][line] == state.pieces_without_sword()[line]
    for square in field.numbers(along):
        if not even or state.stones_beside_sword(seat, square) & ~field.elsewhere[line]:
            return True  # on a ripe line, Excalibur is enough and the stone goes elsewhere
    return not even and any(
        state.stones_beside_sword(seat, square) & ~field.elsewhere[line]
        for square in field.numbers(swords & field.elsewhere[line])
    )


def _held(state: LancelotState, seat: int) -> int:
    """Return how many stones Excalibur, which has just moved, will take wherever the stone is
    placed.
    """
    if state.phase != STONE:
        return 0
    own, pieces = state.own[seat], state.pieces
    return sum(
        pieces[line] - own[line]
        for line in state.field.lines_of[state.excalibur]
        if own[line] > 2 and 2 * own[line] - pieces[line] == 2
    )


def _by_square(state: LancelotState, lines: Ripe) -> list[int]:
    """Return, for each square, how many stones a piece placed there takes."""
    gains = [0] * len(state.board)
    for line, stones in lines.items():
        for square in state.field.squares_of[line]:
            gains[square] += stones
    return gains


def _interest(state: LancelotState, seat: int) -> list[float]:
    """Return, for each square, how promising it is to place a stone there."""
    interest = [1.0] * len(state.board)
    squares_of = state.field.squares_of
    for other in range(len(state.stock)):
        worth = TAKING if other == seat else BLOCKING
        for line, stones in ripe(state, other).items():
            for square in squares_of[line]:
                interest[square] += worth * stones
    for line, (mine, all_) in enumerate(zip(state.own[seat], state.pieces, strict=True)):
        if mine and 2 * mine == all_:
            for square in squares_of[line]:
                interest[square] += BUILDING * mine
        elif 2 * mine < all_:
            for square in squares_of[line]:
                interest[square] *= HOPELESS
    return interest


def _interest_in_sword(state: LancelotState, seat: int) -> list[float]:
    """Return, for each square, how promising it is to move Excalibur there; 0: that would neither
    take nor save a stone.
    """
    interest = [TAKING * stones for stones in _by_square(state, _callable(state, seat))]
    for other in range(len(state.stock)):
        if other == seat:
            continue
        lines = ripe(state, other)
        for line in _own_stones(state, seat, lines):
            for square in state.field.squares_of[line]:
                interest[square] += BLOCKING * lines[line]
    return interest


def _call(state: LancelotState, seat: int, otherwise: int, rng: random.Random) -> Move | None:
    """Return a use of the King's power that takes many stones; None if it is not worth it.

    :param otherwise: how many stones can be taken on a line without it.
    """
    lines = _callable(state, seat)
    if not lines:
        return None
    line = max(lines, key=lines.__getitem__)
    if lines[line] < max(WORTH_A_CALL, otherwise + 1):
        return None
    field = state.field
    along = set(field.squares_of[line])
    squares = [square for square in field.numbers(state.sword_squares(seat)) if square in along]
    return field.sword_names[squares[floor(rng.random() * len(squares))]] if squares else None


def _others(state: LancelotState, seat: int) -> list[int]:
    return [other for other in range(len(state.stock)) if other != seat]


def _may_stand(state: LancelotState, seat: int, square: int) -> bool:
    return state.board[square] == FREE and keeps_chivalry(
        state.field, square, state.own[seat], state.pieces
    )


def _own_stones(state: LancelotState, seat: int, lines: Iterable[int]) -> set[int]:
    """Return the lines on which the seat has stones that it could lose."""
    return {line for line in lines if state.own[seat][line]}


def _names(state: LancelotState, lines: Iterable[int]) -> list[dict[str, Any]]:
    labels = state.field.labels
    return [{"line": labels[line][0], "name": labels[line][1]} for line in lines]
