"""A second implementation of Isis, written from the rules alone: slow, short and obvious.

It reads the public part of a view and walks every path step by step. Tests compare the engine with
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.engine import View

DRAWN = """
 1  3  5  7  9 11 13 15 19 23 27 31 35 39 43 47
 .  .  .  .  .  .  . 16 20 24 28 32 36 40 44 48
 .  .  .  .  .  .  . 17 21 25 29 33 37 41 45 49
 2  4  6  8 10 12 14 18 22 26 30 34 38 42 46 50
"""

PLACES = {
    (row, column): int(word)
    for row, line in enumerate(DRAWN.strip().splitlines())
    for column, word in enumerate(line.split())
    if word != "."
}
BESIDE: dict[int, set[int]] = {
    square: {
        PLACES[near]
        for near in ((row, column + 1), (row, column - 1), (row + 1, column), (row - 1, column))
        if near in PLACES
    }
    for (row, column), square in PLACES.items()
}
COLUMN = {square: column for (_, column), square in PLACES.items()}


@dataclass(frozen=True)
class SlowJudge:
    """Judges a single position."""

    public: Mapping[str, Any]
    retreat: bool = False

    @classmethod
    def of(cls, view: View) -> SlowJudge:
        return cls(view.public, view.options["retreat"])

    # -- stones
    @property
    def on_board(self) -> dict[int, int | None]:
        """The square of each stone in play, and its owner."""
        stones: dict[int, int | None] = dict.fromkeys(self.public["neutral"])
        stones |= {square: seat for seat, square in enumerate(self.public["personal"]) if square}
        return stones

    @property
    def in_heaven(self) -> list[int]:
        """The squares of stones in heaven."""
        return [square for square in self.on_board if square >= 39]

    # -- walking
    def steps_from(self, start: int, here: int, personal: bool) -> Iterator[int]:
        """Squares to which a stone that started its move on ``start`` may step from ``here``."""
        if here in (44, 45):
            return
        if here == 0:
            yield from (1, 2)
            return
        for to in BESIDE[here]:
            if 44 in (here, to) and (here, to) != (48, 44):
                continue
            if 45 in (here, to) and (here, to) != (49, 45):
                continue
            if to in (44, 45) and not personal:
                continue
            forward = COLUMN[to] - COLUMN[here]
            within_heaven = here >= 39 and to >= 39
            if start >= 39 or forward >= 0 or (self.retreat and within_heaven):
                yield to

    def ends(self, start: int, personal: bool) -> set[int]:
        """All destinations of a stone except the underworld."""
        steps = len(self.on_board) if start else 7 - len(self.on_board)
        return {path[-1] for path in self._paths([start], steps, personal)}

    def _paths(self, path: list[int], steps: int, personal: bool) -> Iterator[list[int]]:
        if steps == 0:
            yield path
            return
        for to in self.steps_from(path[0], path[-1], personal):
            if to not in path and to not in self.on_board:
                yield from self._paths([*path, to], steps - 1, personal)

    def goes_down(self, start: int, seat: int) -> bool:
        """Return whether a stone on earth can move down into the underworld."""
        rivals = [sq for other, sq in enumerate(self.public["personal"]) if other != seat]
        return any(rivals) and 0 < start < 39 and self._down([start], len(self.on_board))

    def _down(self, path: list[int], steps: int) -> bool:
        if steps == 1:
            return path[-1] in (16, 17)
        return any(
            self._down([*path, to], steps - 1)
            for to in BESIDE[path[-1]]
            if COLUMN[to] <= COLUMN[path[-1]] and to not in path and to not in self.on_board
        )

    # -- questions
    def moves(self, seat: int) -> set[str]:
        public = self.public
        may_move = [(square, "") for square in public["neutral"] if square != public["ban"]]
        if public["below"] and public["ban"] != 0:
            may_move.append((0, ""))
        if public["personal"][seat] is not None:
            may_move.append((public["personal"][seat], "P"))
        found = set()
        for start, letter in may_move:
            found |= {f"{letter}{start}-{end}" for end in self.ends(start, letter == "P")}
            if self.goes_down(start, seat):
                found.add(f"{letter}{start}-0")
        return found | self.turnings(seat)

    def turnings(self, seat: int) -> set[str]:
        """The seat's moves that turn over a stone."""
        if self.public["turned"][seat] or len(self.in_heaven) < 2:
            return set()
        free = [square for square in self.in_heaven if square in self.public["neutral"]]
        return {f"turn:{square}" for square in free if square != self.public["ban"]}

    def locked(self) -> set[int]:
        """Stones in heaven that cannot make their full number of steps."""
        return {sq for sq in self.in_heaven if not self.ends(sq, self.on_board[sq] is not None)}
