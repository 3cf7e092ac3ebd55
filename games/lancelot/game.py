"""The rules of Lancelot; notation, views and facts are described at the package."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import floor
from typing import Any

from games.engine import (
    CHANCE,
    BadSetup,
    Fact,
    Game,
    GameInfo,
    IllegalMove,
    Move,
    Option,
    Outcome,
    Setup,
    View,
)
from games.lancelot.field import PLAN_SIZE, SWORD, field_for
from games.lancelot.notation import refusal, understood
from games.lancelot.position import (
    EXCALIBUR,
    FREE,
    LEAD_MAX,
    LOT,
    NOWHERE,
    OVER,
    STONE,
    SWORD_SETTING,
    TURN,
    LancelotState,
    is_open,
)

STONES = 30
"""Stones of each player at the start."""

BY_LOT = "lot"


class Lancelot(Game[LancelotState]):
    """Place stones; who leads a line by exactly two takes all foreign stones on it."""

    info = GameInfo(
        id="lancelot",
        rules=1,
        players=(2, 3, 4, 5),
        options=(
            Option("goal", "int", 7, lo=1, hi=STONES, default_for={3: 8, 4: 9, 5: 10}),
            Option("diagonals", "bool", default=False),
            Option("king", "bool", default=False),
            Option("starter", "choice", BY_LOT, choices=(BY_LOT, "1", "2", "3", "4", "5")),
        ),
        chance="enumerable",
        max_branching=2 * PLAN_SIZE**2,
        max_events=1 + 1 + 5 * (STONES + 1),  # lot, first sword; stones and powers of five players
    )

    # -- the course of a match
    def check_setup(self, setup: Setup) -> None:
        """The starter must sit at the table.

        :raises BadSetup: ``starter_seat``.
        """
        starter = setup.options["starter"]
        if starter != BY_LOT and int(starter) > setup.players:
            raise BadSetup("starter_seat", starter=int(starter), players=setup.players)

    def start(self, setup: Setup) -> LancelotState:
        """The empty field, before the lot unless the starter is fixed."""
        players = setup.players
        field = field_for(players, setup.options["diagonals"])
        state = LancelotState(
            field=field,
            options=dict(setup.options),
            goal=setup.options["goal"],
            phase=LOT,
            turn=NOWHERE,
            starter=NOWHERE,
            board=bytearray([FREE]) * len(field.names),
            own=[[0] * len(field.labels) for _ in range(players)],
            pieces=[0] * len(field.labels),
            stock=[STONES] * players,
            captured=[0] * players,
            power=[setup.options["king"]] * players,
        )
        if setup.options["starter"] != BY_LOT:
            _appoint(state, int(setup.options["starter"]) - 1)
        return state

    def actors(self, state: LancelotState) -> tuple[int, ...]:
        """One seat at a time."""
        if state.phase == LOT:
            return (CHANCE,)
        return () if state.turn == NOWHERE else (state.turn,)

    def chance(self, state: LancelotState) -> list[tuple[Move, float]]:
        """The lot: every seat is as likely to start."""
        return [(f"start:{seat + 1}", 1.0) for seat in range(len(state.stock))]

    def legal(self, state: LancelotState, seat: int) -> list[Move]:
        """Placements row by row, then the squares to which the King's power may move Excalibur."""
        field = state.field
        if state.phase == SWORD_SETTING:
            return field.pick(field.sword_names, state.free_squares())
        stones = field.pick(field.names, state.open_squares(seat))
        if not state.power[seat]:  # never had, used before, or just called upon
            return stones
        return stones + field.pick(field.sword_names, state.sword_squares(seat))

    def do(self, state: LancelotState, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        """Play a move or draw the lot, and pass for the seats that cannot place."""
        state.ply += 1
        square = state.field.index.get(move)
        if square is not None:
            _place(state, seat, square, fx)
        elif seat == CHANCE:
            starter = int(move.removeprefix("start:")) - 1
            _tell(fx, "starter", reveals=True, seat=starter)
            _appoint(state, starter)
        elif state.phase == SWORD_SETTING:
            _set_sword(state, seat, move.removeprefix(SWORD), fx)
        else:
            _call_king(state, seat, move.removeprefix(SWORD), fx)

    def outcome(self, state: LancelotState) -> Outcome | None:
        """Ranked by stones taken, whether the goal was reached or all have passed."""
        if state.phase != OVER:
            return None
        taken = state.captured
        ranks = tuple(1 + sum(other > mine for other in taken) for mine in taken)
        return Outcome(ranks, tuple(map(float, taken)), _reason(state))

    # -- knowledge
    def view(self, state: LancelotState, viewer: int | None) -> View:
        """Everything is public."""
        names = state.field.names
        public = {
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
            "starter": None if state.starter == NOWHERE else state.starter,
            "turn": None if state.turn == NOWHERE else state.turn,
        }
        return View(
            game=self.info.id,
            players=len(state.stock),
            options=state.options,
            viewer=viewer,
            ply=state.ply,
            round=state.round,
            phase=state.phase,
            actors=self.actors(state),
            outcome=self.outcome(state),
            public=public,
            private={},
        )

    def determinize(self, view: View, rng: random.Random) -> LancelotState:
        """The one position that the view describes."""
        public = view.public
        state = self.start(Setup(view.players, view.options, seed=""))
        index = state.field.index
        for name, seat in public["board"].items():
            state.add_stone(seat, index[name])
        if public["excalibur"] is not None:
            state.move_sword(index[public["excalibur"]])
        state.phase = view.phase
        state.turn = NOWHERE if public["turn"] is None else public["turn"]
        state.starter = NOWHERE if public["starter"] is None else public["starter"]
        if public["lifted"] is not None:
            state.lifted = index[public["lifted"]]
            state.count_sword_as_own(state.turn, 1)
        state.stock = list(public["stock"])
        state.captured = list(public["captured"])
        state.power = list(public["power"])
        state.ply = view.ply
        return state

    # -- notation
    def parse(self, state: LancelotState, seat: int, text: str) -> Move:
        """Accepts ``k4``, ``K 4``, ``K-4``, ``x g6``, ``X:G6``, ``sword g6``, ``Excalibur to G6``.

        :raises IllegalMove: naming the rule, see ``games.lancelot.notation``.
        """
        move = understood(state.field, text)
        if move is None or move not in self.legal(state, seat):
            raise refusal(state, seat, move)
        return move

    def check_notation(self, state: LancelotState, seat: int, text: str) -> None:
        """The field has the square, and it is no pass."""
        if understood(state.field, text) is None:
            raise IllegalMove("must_place")

    def canonical(self, state: LancelotState, seat: int, text: str) -> Move | None:
        """The square, with a sign before it if it is meant for Excalibur."""
        try:
            return understood(state.field, text)
        except IllegalMove:
            return None

    # -- speed
    def random_move(self, state: LancelotState, seat: int, rng: random.Random) -> Move:
        """A square by trial and error.

        The King is never called at random: playouts that throw his power away tell little.
        """
        if state.phase == SWORD_SETTING:
            return super().random_move(state, seat, rng)
        field, board, own, pieces = state.field, state.board, state.own[seat], state.pieces
        squares = len(board)
        for _ in range(squares):
            square = floor(rng.random() * squares)
            if board[square] == FREE and is_open(field, square, own, pieces):
                return field.names[square]
        return field.pick(field.names, state.open_squares(seat))[0]  # almost none is left


# ---------------------------------------------------------------------------- the moves
def _appoint(state: LancelotState, starter: int) -> None:
    """Name the starter. With the King's power the neighbour to the right first sets Excalibur."""
    state.starter = starter
    if state.options["king"]:
        state.phase, state.turn = SWORD_SETTING, (starter - 1) % len(state.stock)
    else:
        state.phase, state.turn = TURN, starter


def _set_sword(state: LancelotState, seat: int, square: str, fx: list[Fact] | None) -> None:
    state.move_sword(state.field.index[square])
    state.phase, state.turn = TURN, state.starter
    _tell(fx, "sword_set", seat=seat, square=square)


def _call_king(state: LancelotState, seat: int, square: str, fx: list[Fact] | None) -> None:
    """Move Excalibur; until the stone is placed it counts as a stone of the mover."""
    state.phase, state.power[seat] = STONE, False
    state.lifted = state.excalibur
    state.move_sword(state.field.index[square])
    state.count_sword_as_own(seat, 1)
    _tell(fx, "power_used", seat=seat)
    origin = state.field.names[state.lifted]
    _tell(fx, "sword_moved", seat=seat, origin=origin, square=square)


def _place(state: LancelotState, seat: int, square: int, fx: list[Fact] | None) -> None:
    """Place a stone, take what it takes, and pass the turn on."""
    state.add_stone(seat, square)
    state.stock[seat] -= 1
    if fx is not None:  # playouts come here a million times
        _tell(fx, "placed", seat=seat, square=state.field.names[square])
    won = _won_lines(state, seat, square)
    if won:
        _take(state, seat, won, fx)
    if state.phase == STONE:  # from now on Excalibur is everyone's enemy again
        state.count_sword_as_own(seat, -1)
        state.phase, state.lifted = TURN, NOWHERE
    if state.captured[seat] >= state.goal:
        _end(state, fx)
    else:
        _pass_the_turn(state, fx)


def _won_lines(state: LancelotState, seat: int, square: int) -> list[int]:
    """The lines on which the stone just placed, or Excalibur moved with it, takes.

    On a line led by two the others have two pieces less than the seat: none if it has only two.
    """
    own, pieces = state.own[seat], state.pieces
    judged: Sequence[int] = state.field.lines_of[square]
    if state.phase == STONE:
        judged = sorted({*judged, *state.field.lines_of[state.excalibur]})
    return [
        line for line in judged if 2 * own[line] - pieces[line] == LEAD_MAX and own[line] > LEAD_MAX
    ]


def _take(state: LancelotState, seat: int, lines: list[int], fx: list[Fact] | None) -> None:
    """Take all foreign stones from the lines; Excalibur stays."""
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
        _tell(fx, "captured", seat=seat, squares=squares, owners=owners, lines=told)


def _pass_the_turn(state: LancelotState, fx: list[Fact] | None) -> None:
    """Give the turn to the next seat that can place; those before it pass. If all do, it is over.

    The King's power does not help a seat that cannot place: Excalibur may only move to squares that
    are open to a stone as well, as it counts as one and leaves its old lines with one enemy less.
    """
    players = len(state.stock)
    for step in range(1, players + 1):
        seat = (state.turn + step) % players
        if state.can_place(seat):
            state.turn = seat
            return
        _tell(fx, "passed", seat=seat, why="no_square" if state.stock[seat] else "no_stones")
    _end(state, fx)


def _end(state: LancelotState, fx: list[Fact] | None) -> None:
    state.phase, state.turn = OVER, NOWHERE
    best = max(state.captured)
    winners = [seat for seat, taken in enumerate(state.captured) if taken == best]
    _tell(fx, "over", reason=_reason(state), winners=winners)


def _reason(state: LancelotState) -> str:
    return "goal" if max(state.captured) >= state.goal else "all_passed"


def _tell(fx: list[Fact] | None, kind: str, reveals: bool = False, **data: Any) -> None:
    if fx is not None:
        fx.append(Fact(kind, data, reveals=reveals))
