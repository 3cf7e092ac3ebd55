"""The rules of Lancelot; the package describes notation, views and facts."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from math import floor
from typing import Any

from games.engine import CHANCE, Fact, GameInfo, Move, Option, Outcome, Setup, View
from games.house import (
    LOT,
    NOBODY,
    TakingTurns,
    or_nobody,
    or_none,
    starter_drawn,
    starter_of,
    starter_option,
    tell,
)
from games.lancelot import notation
from games.lancelot.field import PLAN_SIZE, SWORD, field_for
from games.lancelot.position import (
    EXCALIBUR,
    FREE,
    LEAD_MAX,
    NOWHERE,
    OVER,
    STONE,
    SWORD_SETTING,
    TURN,
    LancelotState,
    keeps_chivalry,
)

STONES = 30
"""Stones of each player at the start."""


class Lancelot(TakingTurns[LancelotState]):
    """Place stones; a lead of exactly two on a line captures all opposing stones on it."""

    info = GameInfo(
        id="lancelot",
        rules=1,
        players=(2, 3, 4, 5),
        options=(
            Option("goal", "int", 7, lo=1, hi=STONES, default_for={3: 8, 4: 9, 5: 10}),
            Option("diagonals", "bool", default=False),
            Option("king", "bool", default=False),
            starter_option(5),
        ),
        places=False,  # the rulebook only names a winner
        chance="enumerable",
        max_branching=2 * PLAN_SIZE**2,
        max_events=1
        + 1
        + 5 * (STONES + 1),  # the lot, the first sword; five players' stones and powers
    )

    notation = notation

    # -- the course of a match
    def start(self, setup: Setup) -> LancelotState:
        """Return the position with an empty field. The lot comes first unless the starter is
        fixed.
        """
        players = setup.players
        field = field_for(players, setup.options["diagonals"])
        state = LancelotState(
            field=field,
            options=dict(setup.options),
            goal=setup.options["goal"],
            phase=LOT,
            turn=NOBODY,
            starter=NOBODY,
            board=bytearray([FREE]) * len(field.names),
            own=[[0] * len(field.labels) for _ in range(players)],
            pieces=[0] * len(field.labels),
            stock=[STONES] * players,
            captured=[0] * players,
            power=[setup.options["king"]] * players,
        )
        starter = starter_of(setup)
        if starter is not None:
            _appoint(state, starter)
        return state

    def legal(self, state: LancelotState, seat: int) -> list[Move]:
        """Return placements row by row, then moves of Excalibur with the King's power; if Excalibur
        has to be set first, return only the squares for it.
        """
        field = state.field
        if state.phase == SWORD_SETTING:
            return field.pick(field.sword_names, state.free_squares())
        stones = field.pick(field.names, state.open_squares(seat))
        if not state.power[seat]:  # the seat never had it, or has used it
            return stones
        return stones + field.pick(field.sword_names, state.sword_squares(seat))

    def do(self, state: LancelotState, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        """Play a move or apply the lot, and pass for seats that cannot place a stone."""
        state.ply += 1
        square = state.field.index.get(move)
        if square is not None:
            _place(state, seat, square, fx)
        elif seat == CHANCE:
            starter = starter_drawn(move)
            tell(fx, "starter", reveals=True, seat=starter)
            _appoint(state, starter)
        elif state.phase == SWORD_SETTING:
            _set_sword(state, seat, move.removeprefix(SWORD), fx)
        else:
            _call_king(state, seat, move.removeprefix(SWORD), fx)

    def outcome(self, state: LancelotState) -> Outcome | None:
        """Return the ranking by stones taken, both after a seat has reached the goal and after all
        have passed.
        """
        if state.phase != OVER:
            return None
        taken = state.captured
        ranks = tuple(1 + sum(other > mine for other in taken) for mine in taken)
        return Outcome(ranks, tuple(map(float, taken)), _reason(state))

    # -- knowledge
    def public(self, state: LancelotState) -> dict[str, Any]:
        """Return the whole position, because nothing is hidden."""
        names = state.field.names
        return {
            "corners": [names[0], names[-1]],
            "size": state.field.size,
            "board": {
                name: piece
                for name, piece in zip(names, state.board, strict=True)
                if piece < EXCALIBUR
            },
            "excalibur": None if state.excalibur == NOWHERE else names[state.excalibur],
            "lifted": None if state.lifted == NOWHERE else names[state.lifted],
            "stock": state.stock[:],
            "captured": state.captured[:],
            "power": state.power[:],
            "goal": state.goal,
            "starter": or_none(state.starter),
            "turn": or_none(state.turn),
        }

    def determinize(self, view: View, rng: random.Random) -> LancelotState:
        """Return the position that the view describes."""
        public = view.public
        state = self.start(Setup(view.players, view.options, seed=""))
        index = state.field.index
        for name, seat in public["board"].items():
            state.add_stone(seat, index[name])
        if public["excalibur"] is not None:
            state.move_sword(index[public["excalibur"]])
        state.phase = view.phase
        state.turn = or_nobody(public["turn"])
        state.starter = or_nobody(public["starter"])
        if public["lifted"] is not None:
            state.lifted = index[public["lifted"]]
            state.count_sword_as_own(state.turn, 1)
        state.stock = list(public["stock"])
        state.captured = list(public["captured"])
        state.power = list(public["power"])
        state.ply = view.ply
        return state

    def facts(self, players: int, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return facts about the field (its corners, the length of its sides, whether it is the
        whole plan), and how many stones each player has.
        """
        field = field_for(players, diagonals=False)
        return {
            **super().facts(players, options),
            "first": field.names[0],
            "last": field.names[-1],
            "size": field.size,
            "whole": field.size == PLAN_SIZE,
            "stones": STONES,
        }

    # -- speed
    def random_move(self, state: LancelotState, seat: int, rng: random.Random) -> Move:
        """Return a random move, found by trial and error. It never uses the King's power, because a
        playout that wastes the power says little about the position.
        """
        if state.phase == SWORD_SETTING:
            return super().random_move(state, seat, rng)
        field, board, own, pieces = state.field, state.board, state.own[seat], state.pieces
        squares = len(board)
        for _ in range(squares):
            square = floor(rng.random() * squares)
            if board[square] == FREE and keeps_chivalry(field, square, own, pieces):
                return field.names[square]
        return field.pick(field.names, state.open_squares(seat))[0]  # few open squares are left


# ---------------------------------------------------------------------------- the moves
def _appoint(state: LancelotState, starter: int) -> None:
    """Set the starter. With the King's power, the neighbour on the right places Excalibur first."""
    state.starter = starter
    if state.options["king"]:
        state.phase, state.turn = SWORD_SETTING, (starter - 1) % len(state.stock)
    else:
        state.phase, state.turn = TURN, starter


def _set_sword(state: LancelotState, seat: int, square: str, fx: list[Fact] | None) -> None:
    state.move_sword(state.field.index[square])
    state.phase, state.turn = TURN, state.starter
    tell(fx, "sword_set", seat=seat, square=square)


def _call_king(state: LancelotState, seat: int, square: str, fx: list[Fact] | None) -> None:
    """Move Excalibur. Until the stone is placed, it counts as a stone of the mover."""
    state.phase, state.power[seat] = STONE, False
    state.lifted = state.excalibur
    state.move_sword(state.field.index[square])
    state.count_sword_as_own(seat, 1)
    tell(fx, "power_used", seat=seat)
    origin = state.field.names[state.lifted]
    tell(fx, "sword_moved", seat=seat, origin=origin, square=square)


def _place(state: LancelotState, seat: int, square: int, fx: list[Fact] | None) -> None:
    state.add_stone(seat, square)
    state.stock[seat] -= 1
    if fx is not None:  # playouts call this a million times, and need no facts
        tell(fx, "placed", seat=seat, square=state.field.names[square])
    won = _won_lines(state, seat, square)
    if won:
        _take(state, seat, won, fx)
    if state.phase == STONE:  # from now on Excalibur counts against everyone again
        state.count_sword_as_own(seat, -1)
        state.phase, state.lifted = TURN, NOWHERE
    if state.captured[seat] >= state.goal:
        _end(state, fx)
    else:
        _pass_the_turn(state, fx)


def _won_lines(state: LancelotState, seat: int, square: int) -> list[int]:
    """Return the lines on which the stone just placed, or Excalibur moved with it, captures.

    With a lead of two, the other pieces on the line are two fewer than the seat's own; if it has
    only two, there is nothing to capture.
    """
    own, pieces = state.own[seat], state.pieces
    judged: Sequence[int] = state.field.lines_of[square]
    if state.phase == STONE:
        judged = sorted({*judged, *state.field.lines_of[state.excalibur]})
    return [
        line for line in judged if 2 * own[line] - pieces[line] == LEAD_MAX and own[line] > LEAD_MAX
    ]


def _take(state: LancelotState, seat: int, lines: list[int], fx: list[Fact] | None) -> None:
    """Capture all opposing stones on the lines; Excalibur stays."""
    field, board = state.field, state.board
    squares: list[str] = []
    owners: list[int] = []
    told: list[dict[str, Any]] = []
    for line in lines:
        taken = [s for s in field.squares_of[line] if board[s] < EXCALIBUR and board[s] != seat]
        if not taken:
            continue
        names = [field.names[square] for square in taken]
        squares += names
        owners += [board[square] for square in taken]
        kind, name = field.labels[line]
        told.append({"line": kind, "name": name, "squares": names})
        for square in taken:
            state.remove_stone(square)
    if squares:
        state.captured[seat] += len(squares)
        tell(fx, "captured", seat=seat, squares=squares, owners=owners, lines=told)


def _pass_the_turn(state: LancelotState, fx: list[Fact] | None) -> None:
    """Give the turn to the next seat that can place a stone; the seats in between pass. If all
    pass, the match is over.

    The King's power does not help a seat that cannot place a stone. Excalibur counts as one of its
    stones, so it may only move to a square that is open to a stone. On the lines that it leaves,
    the seat has one enemy fewer, so its lead grows.
    """
    players = len(state.stock)
    for step in range(1, players + 1):
        seat = (state.turn + step) % players
        if state.can_place(seat):
            state.turn = seat
            return
        tell(fx, "passed", seat=seat, why="no_square" if state.stock[seat] else "no_stones")
    _end(state, fx)


def _end(state: LancelotState, fx: list[Fact] | None) -> None:
    state.phase, state.turn = OVER, NOBODY
    best = max(state.captured)
    winners = [seat for seat, taken in enumerate(state.captured) if taken == best]
    tell(fx, "over", reason=_reason(state), winners=winners)


def _reason(state: LancelotState) -> str:
    return "goal" if max(state.captured) >= state.goal else "all_passed"
