"""Lancelot, by Roland Siegers (Mattel 1990), for two to five.

Squares are named as on the plan, columns A to N and rows 1 to 14; with fewer than five players
only the middle of it is used. Moves: ``K4`` places a stone, ``X:G6`` sets or moves Excalibur. A
turn with the King's power is two moves of the same seat, ``X:G6`` and then the stone ``G8``. Who
cannot place is passed over. CHANCE draws one lot, ``start:1``: the starter, counted from 1.

Phases of a view: ``lot``, ``sword`` (Excalibur is set for the first time), ``turn``, ``stone``
(the King's power is called, Excalibur has moved, the stone is due), ``over``.

``View.public``:

=============  ==================================================================================
``corners``    lower left and upper right square of the field, ``["D4", "K11"]``
``size``       squares along one side of the field
``board``      square -> seat of the stone on it
``excalibur``  its square; None while it is not on the field
``lifted``     in phase ``stone`` the square that Excalibur left, else None
``stock``      stones left, by seat
``captured``   stones taken, by seat
``power``      whether the King's power is still to be used, by seat
``goal``       stones to take to win
``starter``    seat; None before the lot is drawn
``turn``       seat that decides; None when nobody does
=============  ==================================================================================

Facts: ``starter`` (seat), ``sword_set`` (seat, square), ``power_used`` (seat), ``sword_moved``
(seat, origin, square), ``placed`` (seat, square), ``captured`` (seat, squares, owners: one per
square, lines: a list of ``{"line", "name", "squares"}``), ``passed`` (seat, why: ``no_stones``
or ``no_square``), ``over`` (reason: ``goal`` or ``all_passed``, winners).

Refusals of ``parse``: ``unknown_square``, ``outside``, ``occupied``, ``chivalry``,
``must_place``, ``sword_due``, ``sword_already_moved``, ``no_power_module``, ``power_used``,
``sword_stays``, ``no_stone_square``.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress
from typing import Any

from games.engine import (
    CHANCE,
    PLAYER_MOVE_MAX,
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

STONES = 30
"""Stones of each player at the start."""

LEAD_MAX = 2
"""The commandment of chivalry: nobody may lead a line by more; who leads by exactly that, takes."""

DIAGONAL_MIN = 4
"""Squares of the shortest diagonal that counts."""

SWORD = "X:"
"""What the notation of Excalibur's moves begins with."""

LOT, SWORD_SETTING, TURN, STONE, OVER = "lot", "sword", "turn", "stone", "over"

# What a byte of the board holds: a seat, or one of these.
EXCALIBUR = 0xFE
FREE = 0xFF
FREE_LANES = bytes(piece == FREE for piece in range(256))

NOWHERE = -1

SPELLING = re.compile(
    r"(?P<sword>(?:x|sword|schwert|excalibur)[\s:]*)?(?P<column>[a-z])\s*(?P<row>\d+)"
)
PASSING = {"pass", "passe", "passen"}


# --------------------------------------------------------------------------- the field
PLAN_COLUMNS = "ABCDEFGHIJKLMN"
PLAN_SIZE = len(PLAN_COLUMNS)

Cells = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """The part of the plan in use and its lines. One instance per (players, diagonals).

    Squares and lines are numbers. A set of squares is an int with one byte, a *lane*, for each
    square: such sets are cut by ``&`` and listed by ``compress``.

    :param names: name of each square.
    :param sword_names: the move of Excalibur to each square.
    :param index: square by name.
    :param lines_of: lines through each square.
    :param squares_of: squares on each line.
    :param elsewhere: for each line the set of all squares that are not on it.
    :param labels: kind and name of each line: ``("column", "K")``, ``("diagonal", "D4-K11")``.
    :param reach: the most squares that the lines through one square have, itself included.
    """

    players: int
    diagonals: bool
    size: int
    names: tuple[str, ...]
    sword_names: tuple[str, ...]
    index: dict[str, int]
    lines_of: tuple[tuple[int, ...], ...]
    squares_of: tuple[tuple[int, ...], ...]
    elsewhere: tuple[int, ...]
    labels: tuple[tuple[str, str], ...]
    reach: int

    def __reduce__(self) -> tuple[Any, ...]:
        return field_for, (self.players, self.diagonals)

    def pick(self, names: Sequence[str], squares: int) -> list[str]:
        """The names of a set of squares."""
        return list(compress(names, squares.to_bytes(len(names), "little")))

    def listed(self, squares: int) -> Iterator[int]:
        """The numbers of a set of squares."""
        return compress(range(len(self.names)), squares.to_bytes(len(self.names), "little"))


def lane(square: int) -> int:
    """The set of one square."""
    return 1 << 8 * square


@cache
def field_for(players: int, diagonals: bool) -> Field:
    """The field for a number of players: two more squares a side with each."""
    size = 2 * players + 4
    margin = (PLAN_SIZE - size) // 2
    names = tuple(
        f"{PLAN_COLUMNS[margin + column]}{margin + row + 1}"
        for row in range(size)
        for column in range(size)
    )
    squares_of, labels = [], []
    for kind, cells in _all_lines(size, diagonals):
        squares = tuple(row * size + column for column, row in cells)
        first, last = names[squares[0]], names[squares[-1]]
        name = {"column": first[0], "row": first[1:], "diagonal": f"{first}-{last}"}[kind]
        squares_of.append(squares)
        labels.append((kind, name))
    lines_of = tuple(
        tuple(line for line, squares in enumerate(squares_of) if square in squares)
        for square in range(size * size)
    )
    everywhere = sum(map(lane, range(size * size)))
    return Field(
        players=players,
        diagonals=diagonals,
        size=size,
        names=names,
        sword_names=tuple(SWORD + name for name in names),
        index={name: square for square, name in enumerate(names)},
        lines_of=lines_of,
        squares_of=tuple(squares_of),
        elsewhere=tuple(everywhere - sum(map(lane, squares)) for squares in squares_of),
        labels=tuple(labels),
        reach=max(
            len({other for line in lines for other in squares_of[line]}) for lines in lines_of
        ),
    )


def _all_lines(size: int, diagonals: bool) -> Iterator[tuple[str, Cells]]:
    """Kind and (column, row) cells of every line that counts: columns, rows, diagonals."""
    span = range(size)
    for column in span:
        yield "column", tuple((column, row) for row in span)
    for row in span:
        yield "row", tuple((column, row) for column in span)
    if not diagonals:
        return
    for offset in range(DIAGONAL_MIN - size, size - DIAGONAL_MIN + 1):
        yield "diagonal", tuple((c, c - offset) for c in span if c - offset in span)
    for total in range(DIAGONAL_MIN - 1, 2 * size - DIAGONAL_MIN):
        yield "diagonal", tuple((c, total - c) for c in span if total - c in span)


# --------------------------------------------------------------------------- positions
@dataclass(slots=True)
class LancelotState:
    """A position.

    Of each line two counts are kept, so that a seat's lead on it (own stones less all other
    pieces, Excalibur among them) is ``2 * own[seat][line] - pieces[line]``.

    :param board: one byte per square: a seat, EXCALIBUR or FREE.
    :param own: stones of each seat on each line; in phase STONE Excalibur is one of the mover's.
    :param pieces: stones of all and Excalibur on each line.
    :param turn: the seat that decides, or NOWHERE.
    :param lifted: in phase STONE the square that Excalibur left, else NOWHERE.
    """

    field: Field
    options: dict[str, Any]
    goal: int
    phase: str
    turn: int
    starter: int
    board: bytearray
    own: list[list[int]]
    pieces: list[int]
    stock: list[int]
    captured: list[int]
    power: list[bool]
    excalibur: int = NOWHERE
    lifted: int = NOWHERE
    ply: int = 0
    round: int = 1

    def clone(self) -> LancelotState:
        """A copy that shares nothing mutable but the options, which nobody changes."""
        return LancelotState(
            self.field,
            self.options,
            self.goal,
            self.phase,
            self.turn,
            self.starter,
            self.board[:],
            [counts[:] for counts in self.own],
            self.pieces[:],
            self.stock[:],
            self.captured[:],
            self.power[:],
            self.excalibur,
            self.lifted,
            self.ply,
            self.round,
        )

    def lead(self, seat: int, line: int) -> int:
        """Own stones on the line less the pieces of everybody else."""
        return 2 * self.own[seat][line] - self.pieces[line]


# --------------------------------------------------------------------------- the rules
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
            Option("starter", "choice", "lot", choices=("lot", "1", "2", "3", "4", "5")),
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
        if starter != "lot" and int(starter) > setup.players:
            raise BadSetup("starter_seat", starter=int(starter), players=setup.players)

    def start(self, setup: Setup) -> LancelotState:
        """The empty field, before the lot unless the starter is fixed."""
        players = setup.players
        field = field_for(players, setup.options["diagonals"])
        lines = len(field.squares_of)
        state = LancelotState(
            field=field,
            options=dict(setup.options),
            goal=setup.options["goal"],
            phase=LOT,
            turn=NOWHERE,
            starter=NOWHERE,
            board=bytearray([FREE]) * len(field.names),
            own=[[0] * lines for _ in range(players)],
            pieces=[0] * lines,
            stock=[STONES] * players,
            captured=[0] * players,
            power=[setup.options["king"]] * players,
        )
        if setup.options["starter"] != "lot":
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
        free = _free_squares(state)
        if state.phase == SWORD_SETTING:
            return field.pick(field.sword_names, free)
        placements = field.pick(
            field.names, _open_squares(field, free, state.own[seat], state.pieces)
        )
        if state.phase == STONE or not state.power[seat]:
            return placements
        swords = field.pick(field.sword_names, _sword_squares(state, seat))
        return placements + swords

    def do(self, state: LancelotState, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        """Play a move or draw the lot, and pass for the seats that cannot act."""
        state.ply += 1
        square = state.field.index.get(move)
        if square is not None:
            _place(state, seat, square, fx)
        elif seat == CHANCE:
            starter = int(move.removeprefix("start:")) - 1
            _tell(fx, "starter", reveals=True, seat=starter)
            _appoint(state, starter)
        else:
            square = state.field.index[move.removeprefix(SWORD)]
            if state.phase == SWORD_SETTING:
                _set_sword(state, seat, square, fx)
            else:
                _call_king(state, seat, square, fx)

    def outcome(self, state: LancelotState) -> Outcome | None:
        """Ranked by stones taken, whether the goal was reached or all have passed."""
        if state.phase != OVER:
            return None
        taken = state.captured
        ranks = tuple(1 + sum(other > mine for other in taken) for mine in taken)
        reason = "goal" if max(taken) >= state.goal else "all_passed"
        return Outcome(ranks, tuple(map(float, taken)), reason)

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
            "excalibur": _name(state, state.excalibur),
            "lifted": _name(state, state.lifted),
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
            _put(state, index[name], seat)
            _count_own(state, seat, index[name], 1)
        if public["excalibur"] is not None:
            _move_sword(state, index[public["excalibur"]])
        state.phase = view.phase
        state.turn = NOWHERE if public["turn"] is None else public["turn"]
        state.starter = NOWHERE if public["starter"] is None else public["starter"]
        if public["lifted"] is not None:
            state.lifted = index[public["lifted"]]
            _count_own(state, state.turn, state.excalibur, 1)
        state.stock = list(public["stock"])
        state.captured = list(public["captured"])
        state.power = list(public["power"])
        state.ply = view.ply
        return state

    # -- notation
    def parse(self, state: LancelotState, seat: int, text: str) -> Move:
        """Accepts ``k4``, ``K 4``, ``x g6``, ``X:G6``, ``sword g6``.

        :raises IllegalMove: naming the rule, see the list at the top of this module.
        """
        move = _canonical(state, text)
        if move not in self.legal(state, seat):
            raise _refusal(state, seat, move)
        return move

    # -- speed
    def random_move(self, state: LancelotState, seat: int, rng: random.Random) -> Move:
        """A square by trial and error. Excalibur moves at random only where a stone cannot be
        placed: playouts that throw away the King's power would tell little.
        """
        if state.phase == TURN or state.phase == STONE:
            field = state.field
            squares = len(field.names)
            own, pieces = state.own[seat], state.pieces
            for _ in range(squares):
                square = int(rng.random() * squares)
                if state.board[square] == FREE and _is_open(field, square, own, pieces):
                    return field.names[square]
        return super().random_move(state, seat, rng)


# --------------------------------------------------------------- where a piece may stand
def _is_open(field: Field, square: int, own: list[int], pieces: list[int]) -> bool:
    """Whether one more stone of its own on this free square keeps the commandment of chivalry."""
    for line in field.lines_of[square]:  # noqa: SIM110 (a generator would double the time)
        if 2 * own[line] - pieces[line] >= LEAD_MAX:
            return False
    return True


def _open_squares(field: Field, free: int, own: list[int], pieces: list[int]) -> int:
    """All of the free squares that pass ``_is_open``."""
    for elsewhere, mine, all_ in zip(field.elsewhere, own, pieces, strict=True):
        if 2 * mine - all_ >= LEAD_MAX:
            free &= elsewhere
    return free


def _free_squares(state: LancelotState) -> int:
    return int.from_bytes(state.board.translate(FREE_LANES), "little")


def _sword_squares(state: LancelotState, seat: int) -> int:
    """Where the seat may move Excalibur by the King's power, so that a stone can follow.

    In that moment Excalibur is one of the seat's own stones. So it is as if, on a field without
    Excalibur, two stones were placed at once: each must stand on an open square, and a line
    that has room for one more only cannot take both.
    """
    field, own = state.field, state.own[seat]
    pieces = _pieces_without_sword(state)
    left = lane(state.excalibur)
    stones = _open_squares(field, _free_squares(state) | left, own, pieces)
    swords = stones & ~left
    if stones.bit_count() > field.reach:
        return swords  # wherever Excalibur goes, some open square shares no line with it

    for square in field.listed(swords):
        beside = stones & ~lane(square)
        for line in field.lines_of[square]:
            if 2 * own[line] - pieces[line] == LEAD_MAX - 1:
                beside &= field.elsewhere[line]
        if not beside:
            swords &= ~lane(square)
    return swords


def _pieces_without_sword(state: LancelotState) -> list[int]:
    pieces = state.pieces[:]
    for line in state.field.lines_of[state.excalibur]:
        pieces[line] -= 1
    return pieces


# ---------------------------------------------------------------------- moving the pieces
def _put(state: LancelotState, square: int, piece: int) -> None:
    state.board[square] = piece
    for line in state.field.lines_of[square]:
        state.pieces[line] += 1


def _take_away(state: LancelotState, square: int) -> None:
    state.board[square] = FREE
    for line in state.field.lines_of[square]:
        state.pieces[line] -= 1


def _count_own(state: LancelotState, seat: int, square: int, change: int) -> None:
    own = state.own[seat]
    for line in state.field.lines_of[square]:
        own[line] += change


def _move_sword(state: LancelotState, square: int) -> None:
    if state.excalibur != NOWHERE:
        _take_away(state, state.excalibur)
    state.excalibur = square
    _put(state, square, EXCALIBUR)


# ---------------------------------------------------------------------------- the moves
def _appoint(state: LancelotState, starter: int) -> None:
    """Name the starter. With the King's power her right neighbour first sets Excalibur."""
    state.starter = starter
    if state.options["king"]:
        state.phase, state.turn = SWORD_SETTING, (starter - 1) % len(state.stock)
    else:
        state.phase, state.turn = TURN, starter


def _set_sword(state: LancelotState, seat: int, square: int, fx: list[Fact] | None) -> None:
    _move_sword(state, square)
    state.phase, state.turn = TURN, state.starter
    _tell(fx, "sword_set", seat=seat, square=_name(state, square))


def _call_king(state: LancelotState, seat: int, square: int, fx: list[Fact] | None) -> None:
    """Move Excalibur; until the stone is placed it counts as a stone of the mover."""
    state.power[seat] = False
    state.lifted = state.excalibur
    _move_sword(state, square)
    _count_own(state, seat, square, 1)
    state.phase = STONE
    _tell(fx, "power_used", seat=seat)
    _tell(
        fx,
        "sword_moved",
        seat=seat,
        origin=_name(state, state.lifted),
        square=_name(state, square),
    )


def _place(state: LancelotState, seat: int, square: int, fx: list[Fact] | None) -> None:
    """Place a stone, take what it takes, and pass the turn on."""
    own, pieces = state.own[seat], state.pieces
    judged: Sequence[int] = state.field.lines_of[square]
    state.board[square] = seat
    state.stock[seat] -= 1
    for line in judged:
        own[line] += 1
        pieces[line] += 1
    _tell(fx, "placed", seat=seat, square=state.field.names[square])

    if state.phase == STONE:
        judged = sorted({*judged, *state.field.lines_of[state.excalibur]})
    won = [
        line for line in judged if 2 * own[line] - pieces[line] == LEAD_MAX and own[line] > LEAD_MAX
    ]
    if won:
        _capture(state, seat, won, fx)
    if state.phase == STONE:
        _count_own(state, seat, state.excalibur, -1)
        state.phase, state.lifted = TURN, NOWHERE

    if won and state.captured[seat] >= state.goal:
        _end(state, fx)
    else:
        _pass_the_turn(state, fx)


def _capture(state: LancelotState, seat: int, lines: list[int], fx: list[Fact] | None) -> None:
    """Take all foreign stones from the lines, which have been judged before."""
    field, board = state.field, state.board
    squares: list[str] = []
    owners: list[int] = []
    told: list[dict[str, Any]] = []
    for line in lines:
        taken = [s for s in field.squares_of[line] if board[s] < EXCALIBUR and board[s] != seat]
        names = [field.names[square] for square in taken]
        squares += names
        owners += [board[square] for square in taken]
        kind, name = field.labels[line]
        told.append({"line": kind, "name": name, "squares": names})
        for square in taken:
            _count_own(state, board[square], square, -1)
            _take_away(state, square)
    state.captured[seat] += len(squares)
    if squares:
        _tell(fx, "captured", seat=seat, squares=squares, owners=owners, lines=told)


def _pass_the_turn(state: LancelotState, fx: list[Fact] | None) -> None:
    """Give the turn to the next seat that can place; those before it pass. If all do, it is over.

    The King's power helps nobody who cannot place: Excalibur may only move to squares that are
    open to a stone as well, as it counts as one and leaves its old lines the poorer by an enemy.
    """
    players = len(state.stock)
    for step in range(1, players + 1):
        seat = (state.turn + step) % players
        if state.stock[seat] and _can_place(state, seat):
            state.turn = seat
            return
        _tell(fx, "passed", seat=seat, why="no_square" if state.stock[seat] else "no_stones")
    _end(state, fx)


def _can_place(state: LancelotState, seat: int) -> bool:
    field, board, own, pieces = state.field, state.board, state.own[seat], state.pieces
    square = board.find(FREE)
    while square != NOWHERE:
        if _is_open(field, square, own, pieces):
            return True
        square = board.find(FREE, square + 1)
    return False


def _end(state: LancelotState, fx: list[Fact] | None) -> None:
    state.phase, state.turn = OVER, NOWHERE
    best = max(state.captured)
    winners = [seat for seat, taken in enumerate(state.captured) if taken == best]
    _tell(fx, "over", reason="goal" if best >= state.goal else "all_passed", winners=winners)


def _tell(fx: list[Fact] | None, kind: str, reveals: bool = False, **data: Any) -> None:
    if fx is not None:
        fx.append(Fact(kind, data, reveals=reveals))


def _name(state: LancelotState, square: int) -> str | None:
    return None if square == NOWHERE else state.field.names[square]


# ------------------------------------------------------------------ notation and refusals
def _canonical(state: LancelotState, text: str) -> Move:
    """The move that a text means, legal or not.

    :raises IllegalMove: ``must_place``, ``sword_due``, ``unknown_square`` or ``outside``.
    """
    spelling = text.strip().casefold()
    if spelling in PASSING:
        raise IllegalMove("sword_due" if state.phase == SWORD_SETTING else "must_place")
    match = SPELLING.fullmatch(spelling)
    square = match and match["column"].upper() + match["row"]
    if not match or not square or not _on_plan(square):
        raise IllegalMove("unknown_square", text=text[:PLAYER_MOVE_MAX])
    if square not in state.field.index:
        names = state.field.names
        raise IllegalMove("outside", square=square, corners=[names[0], names[-1]])
    return SWORD + square if match["sword"] else square


def _on_plan(square: str) -> bool:
    return square in field_for(5, diagonals=False).index


def _refusal(state: LancelotState, seat: int, move: Move) -> IllegalMove:
    """Which rule forbids a move that is not legal."""
    if move.startswith(SWORD):
        return _sword_refusal(state, seat, move.removeprefix(SWORD))
    if state.phase == SWORD_SETTING:
        return IllegalMove("sword_due")
    square = state.field.index[move]
    if state.board[square] != FREE:
        return _occupied(state, square)
    return _unchivalrous(state, seat, square, state.pieces, "stone")


def _sword_refusal(state: LancelotState, seat: int, name: str) -> IllegalMove:
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
    pieces = _pieces_without_sword(state)
    if not _is_open(state.field, square, state.own[seat], pieces):
        return _unchivalrous(state, seat, square, pieces, "sword")
    return IllegalMove("no_stone_square", square=name)


def _occupied(state: LancelotState, square: int) -> IllegalMove:
    piece = state.board[square]
    owner = None if piece == EXCALIBUR else piece
    return IllegalMove("occupied", square=state.field.names[square], owner=owner)


def _unchivalrous(
    state: LancelotState, seat: int, square: int, pieces: list[int], piece: str
) -> IllegalMove:
    """Names the first line on which the seat would lead by too much, and by how much."""
    own, field = state.own[seat], state.field
    leads = [(line, 2 * own[line] - pieces[line] + 1) for line in field.lines_of[square]]
    line, lead = next((line, lead) for line, lead in leads if lead > LEAD_MAX)
    kind, name = field.labels[line]
    return IllegalMove(
        "chivalry", piece=piece, square=field.names[square], line=kind, name=name, lead=lead
    )
