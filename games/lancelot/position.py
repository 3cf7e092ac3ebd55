"""A position of Lancelot: the pieces, counts for every line, and the squares open to a piece."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.lancelot.field import Field, lane

LEAD_MAX = 2
"""The rule of chivalry: no seat may place a piece that gives it a greater lead on a line. A lead of
exactly this captures.
"""

SWORD_SETTING, TURN, STONE, OVER = "sword", "turn", "stone", "over"
"""The phases after the lot; see the package."""

EXCALIBUR = 0xFE
FREE = 0xFF
"""The values of a board byte other than seats."""

FREE_LANES = bytes(piece == FREE for piece in range(256))

NOWHERE = -1
"""No square."""


@dataclass(slots=True)
class LancelotState:
    """A position.

    Each line has two counts, which give a seat's lead on it (its own stones minus all other pieces,
    including Excalibur) as ``2 * own[seat][line] - pieces[line]``.

    :param board: one byte for each square: a seat, EXCALIBUR or FREE.
    :param own: stones of each seat on each line; in phase STONE Excalibur is one of the mover's.
    :param pieces: stones of all seats, and Excalibur, on each line.
    :param turn: the seat to decide, or NOBODY.
    :param lifted: in phase STONE the square that Excalibur left, otherwise NOWHERE.
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
        """Return a copy that shares nothing mutable except the options, which never change."""
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

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.stock)

    # -- open squares
    def lead(self, seat: int, line: int) -> int:
        """Return the number of the seat's own stones on the line, minus all other pieces."""
        return 2 * self.own[seat][line] - self.pieces[line]

    def free_squares(self) -> int:
        """Return the set of squares without any piece."""
        return int.from_bytes(self.board.translate(FREE_LANES), "little")

    def open_squares(self, seat: int) -> int:
        """Return the set of squares on which the seat may place a stone."""
        return _open_squares(self.field, self.free_squares(), self.own[seat], self.pieces)

    def sword_squares(self, seat: int) -> int:
        """Return the set of squares to which the seat may move Excalibur so that a stone can
        follow.

        At that point Excalibur counts as one of the seat's own stones. So this is like placing two
        stones at once on a field without Excalibur: each needs an open square, and a line with room
        for only one more cannot take both.
        """
        field, own, pieces = self.field, self.own[seat], self.pieces_without_sword()
        left = lane(self.excalibur)
        stones = _open_squares(field, self.free_squares() | left, own, pieces)
        swords = stones & ~left
        if stones.bit_count() > field.reach:
            return swords  # wherever Excalibur goes, at least one open square is not on its lines

        for square in field.numbers(swords):
            beside = stones & ~lane(square)
            for line in field.lines_of[square]:
                if 2 * own[line] - pieces[line] == LEAD_MAX - 1:
                    beside &= field.elsewhere[line]
            if not beside:
                swords &= ~lane(square)
        return swords

    def stones_beside_sword(self, seat: int, sword: int) -> int:
        """Return the set of squares on which the seat may place its stone after moving Excalibur.

        :param sword: the new square of Excalibur; one of ``sword_squares``.
        """
        own, pieces = self.own[seat][:], self.pieces_without_sword()
        for line in self.field.lines_of[sword]:
            own[line] += 1
            pieces[line] += 1
        free = (self.free_squares() | lane(self.excalibur)) & ~lane(sword)
        return _open_squares(self.field, free, own, pieces)

    def pieces_without_sword(self) -> list[int]:
        """Return ``pieces`` without Excalibur."""
        pieces = self.pieces[:]
        for line in self.field.lines_of[self.excalibur]:
            pieces[line] -= 1
        return pieces

    def can_place(self, seat: int) -> bool:
        """Return whether the seat has a stone and a square for it."""
        if not self.stock[seat]:
            return False
        field, board, own, pieces = self.field, self.board, self.own[seat], self.pieces
        square = board.find(FREE)
        while square != NOWHERE:
            if keeps_chivalry(field, square, own, pieces):
                return True
            square = board.find(FREE, square + 1)
        return False

    # -- moving the pieces
    def add_stone(self, seat: int, square: int) -> None:
        """Put a stone of the seat on a free square."""
        self.board[square] = seat
        own, pieces = self.own[seat], self.pieces
        for line in self.field.lines_of[square]:
            own[line] += 1
            pieces[line] += 1

    def remove_stone(self, square: int) -> None:
        """Remove the stone on the square."""
        own, pieces = self.own[self.board[square]], self.pieces
        self.board[square] = FREE
        for line in self.field.lines_of[square]:
            own[line] -= 1
            pieces[line] -= 1

    def move_sword(self, square: int) -> None:
        """Put Excalibur on a free square. If it is already on the field, it leaves its old
        square.
        """
        if self.excalibur != NOWHERE:
            self.board[self.excalibur] = FREE
            self.pieces = self.pieces_without_sword()
        self.excalibur = square
        self.board[square] = EXCALIBUR
        for line in self.field.lines_of[square]:
            self.pieces[line] += 1

    def count_sword_as_own(self, seat: int, change: int) -> None:
        """Count Excalibur among the seat's own pieces (1), or stop counting it (-1)."""
        own = self.own[seat]
        for line in self.field.lines_of[self.excalibur]:
            own[line] += change


def keeps_chivalry(field: Field, square: int, own: list[int], pieces: list[int]) -> bool:
    """Return whether one more stone of the seat on this free square obeys the rule of chivalry."""
    for line in field.lines_of[square]:  # noqa: SIM110 (a generator would double the time)
        if 2 * own[line] - pieces[line] >= LEAD_MAX:
            return False
    return True


def _open_squares(field: Field, free: int, own: list[int], pieces: list[int]) -> int:
    """Return which of the free squares satisfy ``keeps_chivalry``."""
    for elsewhere, mine, all_ in zip(field.elsewhere, own, pieces, strict=True):
        if 2 * mine - all_ >= LEAD_MAX:
            free &= elsewhere
    return free
