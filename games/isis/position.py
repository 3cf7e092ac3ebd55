"""A position of Isis: where the stones are, and which moves they have."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from games.engine import Move
from games.isis.board import (
    HEAVEN,
    MEANING,
    PERSONAL,
    STONES,
    THRONES,
    TURN,
    UNDERWORLD,
    Path,
    ReachTable,
)

DUE, OVER = "turn", "over"
"""The phases after the lot; see the package."""

NOWHERE = -1
"""No square."""

COMPANY = 2
"""A stone in heaven may be turned over only if at least this many are there."""

AMULETS = ("ankh", "was", "djed", "scarab", "papyrus", "udjat", "tyet")
"""The motifs on the printed sides of the stones; each stone has a different one."""

Situation = tuple[int, ...]
"""Identifies positions that count as the same: stones of each kind, seat to move, ban."""

_HEAVEN = HEAVEN.start
_FIRST_IN_HEAVEN = 1 << _HEAVEN

_TURNINGS = {square: f"{TURN}{square}" for square in HEAVEN if square not in THRONES}


@dataclass(slots=True)
class IsisState:
    """A position.

    :param turn: the seat to decide, or NOBODY.
    :param neutral: squares of the neutral stones in play, ascending.
    :param below: number of neutral stones in the underworld.
    :param personal: the square of each seat's personal stone, or NOWHERE.
    :param turned: whether each seat has turned over a stone; no seat may do so twice.
    :param amulets: the amulet of each seat's personal stone; empty without a stone.
    :param occupied: the set of squares with a stone, without the underworld.
    :param ban: the square whose neutral stone may not be moved or turned over now, or NOWHERE;
        UNDERWORLD means all neutral stones there.
    :param placed: the seats that took a throne, in this order.
    :param turns: turns so far, including passes.
    :param seen: the situations that may recur, each as a list: the numbers that identify it, then
        how often it has occurred. Views share these lists, so they never change.
    :param reason: how the match ended; empty before the end.
    """

    board: ReachTable = field(repr=False)
    options: dict[str, Any]
    phase: str
    turn: int
    starter: int
    neutral: list[int]
    below: int
    personal: list[int]
    turned: list[bool]
    amulets: list[str]
    occupied: int
    ban: int
    placed: list[int]
    turns: int
    seen: dict[Situation, list[int]]
    reason: str = ""
    ply: int = 0
    round: int = 1

    def clone(self) -> IsisState:
        """Return a copy that shares only the board, the options and the lists in ``seen``, which
        never change.
        """
        return IsisState(
            self.board,
            self.options,
            self.phase,
            self.turn,
            self.starter,
            self.neutral[:],
            self.below,
            self.personal[:],
            self.turned[:],
            self.amulets[:],
            self.occupied,
            self.ban,
            self.placed[:],
            self.turns,
            self.seen.copy(),
            self.reason,
            self.ply,
            self.round,
        )

    # -- counting
    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.personal)

    @property
    def in_play(self) -> int:
        """The number of stones on earth and in heaven, which is also how many steps each of them
        makes.
        """
        return self.occupied.bit_count()

    def steps(self, square: int) -> int:
        """Return how many steps a stone on this square has to make."""
        in_play = self.occupied.bit_count()
        return in_play if square else STONES - in_play

    def owner(self, square: int) -> int | None:
        """Return the seat whose personal stone is on a square in play; None for a neutral stone."""
        return self.personal.index(square) if square in self.personal else None

    def situation(self) -> Situation:
        """Return the part of the position that counts for repetition."""
        return (self.occupied, self.turn, self.ban, *self.personal)

    # -- what a seat may do
    def choices(self, seat: int) -> Iterator[tuple[Move, ...]]:
        """Yield the seat's moves as one tuple for each stone, then the moves that turn a stone
        over.

        All neutral stones in the underworld share one tuple, because they have the same moves. Some
        of the tuples may be empty.
        """
        ban, descending = self.ban, self.may_descend(seat)
        if self.below and ban != UNDERWORLD:
            yield self.moves_of(UNDERWORLD, False, descending)
        for square in self.neutral:
            if square != ban:
                yield self.moves_of(square, False, descending)
        if self.personal[seat] != NOWHERE:
            yield self.moves_of(self.personal[seat], True, descending)
        yield self.turnings(seat)

    def moves_of(self, square: int, personal: bool, descending: bool) -> tuple[Move, ...]:
        """Return the moves of a stone of any owner.

        :param descending: whether moves into the underworld are allowed.
        """
        occupied = self.occupied
        place = square, self.steps(square)
        moves = self.board.ways[personal][place].open(occupied)
        return self.board.down[personal][place].open(occupied) + moves if descending else moves

    def may_descend(self, seat: int) -> bool:
        """Return whether an opponent has a personal stone in play."""
        for other, square in enumerate(self.personal):
            if square > UNDERWORLD and other != seat:
                return True
        return False

    def turnings(self, seat: int) -> tuple[Move, ...]:
        """Return the seat's moves that turn over a neutral stone in heaven."""
        if self.turned[seat] or (self.occupied >> HEAVEN.start).bit_count() < COMPANY:
            return ()
        return tuple(
            _TURNINGS[square]
            for square in self.neutral
            if square >= HEAVEN.start and square != self.ban
        )

    def can_act(self, seat: int) -> bool:
        """Return whether the seat has any legal move."""
        occupied = self.occupied
        steps = occupied.bit_count()
        neutral_ways = self.board.ways[False]
        for square in self.neutral:  # usually the first stone can move
            if square != self.ban and neutral_ways[square, steps].is_open(occupied):
                return True
        return any(self.choices(seat))

    def locked(self) -> list[int]:
        """Return the squares of stones in heaven that have no move, regardless of whose turn
        it is.
        """
        occupied = self.occupied
        if occupied < _FIRST_IN_HEAVEN:
            return []
        steps = occupied.bit_count()
        neutral_ways, personal_ways = self.board.ways
        found = []  # usually nothing is added, so a comprehension would be slower
        for square in self.neutral:
            if square >= _HEAVEN and not neutral_ways[square, steps].is_open(occupied):
                found.append(square)  # noqa: PERF401
        for square in self.personal:
            if square >= _HEAVEN and not personal_ways[square, steps].is_open(occupied):
                found.append(square)  # noqa: PERF401
        return found

    def path(self, move: Move) -> Path:
        """Return the straightest free path of a legal move."""
        return self.paths(move)[0]

    def paths(self, move: Move) -> list[Path]:
        """Return all free paths of a legal move, the straightest first."""
        origin, square = MEANING[move]
        table = self.board.down if square == UNDERWORLD else self.board.ways
        way = table[move.startswith(PERSONAL)][origin, self.steps(origin)]
        return way.free(move, self.occupied)

    # -- moving the stones
    def move_neutral(self, origin: int, square: int) -> None:
        """Move a neutral stone."""
        if origin:
            self.neutral.remove(origin)
            self.occupied ^= 1 << origin
        else:
            self.below -= 1
        if square:
            insort(self.neutral, square)
            self.occupied |= 1 << square
        else:
            self.below += 1

    def move_personal(self, seat: int, square: int) -> None:
        """Move the personal stone of a seat."""
        origin = self.personal[seat]
        if origin:
            self.occupied ^= 1 << origin
        if square:
            self.occupied |= 1 << square
        self.personal[seat] = square

    def turn_over(self, seat: int, square: int) -> None:
        """Make a neutral stone in heaven the personal stone of a seat."""
        self.neutral.remove(square)
        self.personal[seat] = square
        self.turned[seat] = True
        self.amulets[seat] = self._amulet(square)

    def _amulet(self, square: int) -> str:
        # Amulets play no part in the rules. The square determines the motif, so that all seven come
        # up although nothing is drawn.
        first = list(_TURNINGS).index(square)
        in_turn = (AMULETS[(first + n) % len(AMULETS)] for n in range(len(AMULETS)))
        return next(amulet for amulet in in_turn if amulet not in self.amulets)

    def turn_back(self, seat: int) -> None:
        """Turn a seat's personal stone back into a neutral one in the underworld."""
        self.move_personal(seat, UNDERWORLD)
        self.personal[seat] = NOWHERE
        self.amulets[seat] = ""
        self.below += 1
