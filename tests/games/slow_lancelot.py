"""A second implementation of Lancelot, written from the rules alone: slow, short and obvious.

It reads the public part of a view and recounts everything. Tests compare the engine with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.engine import View

COLUMNS = "ABCDEFGHIJKLMN"


@dataclass(frozen=True)
class SlowJudge:
    """Judges one seat's turns in a single position."""

    public: Mapping[str, Any]
    diagonals: bool
    seat: int

    @classmethod
    def of(cls, view: View, seat: int) -> SlowJudge:
        return cls(view.public, view.options["diagonals"], seat)

    @property
    def field(self) -> list[str]:
        """All squares of the board in use."""
        (low, bottom), (high, top) = (
            (COLUMNS.index(corner[0]), int(corner[1:])) for corner in self.public["corners"]
        )
        return [f"{COLUMNS[c]}{r}" for r in range(bottom, top + 1) for c in range(low, high + 1)]

    def lines(self) -> Iterator[frozenset[str]]:
        """All lines that count."""
        cells = {square: (COLUMNS.index(square[0]), int(square[1:])) for square in self.field}
        directions = [(1, 0), (0, 1)] + [(1, -1), (1, 1)] * self.diagonals
        for a, b in directions:
            for value in {a * c + b * r for c, r in cells.values()}:
                line = frozenset(s for s, (c, r) in cells.items() if a * c + b * r == value)
                if len(line) >= 4:
                    yield line

    def free(self) -> list[str]:
        """Squares without a stone; Excalibur may be on one of them."""
        return [square for square in self.field if square not in self.public["board"]]

    def turn(self, stone: str, sword: str | None = None) -> set[str] | None:
        """The squares captured by placing ``stone`` and optionally moving Excalibur to ``sword``.

        None if the turn is illegal.
        """
        at = self.public["excalibur"]
        free = set(self.free())
        if sword is None:
            if stone not in free - {at}:
                return None
        elif sword in (at, stone) or not {sword, stone} <= free:
            return None

        owner = dict(self.public["board"])
        owner[stone] = self.seat
        if sword is not None:
            owner[sword] = self.seat  # counts as the mover's stone during this turn
        elif at is not None:
            owner[at] = None  # everyone's opponent

        taken: set[str] = set()
        for line in self.lines():
            if stone not in line and sword not in line:
                continue
            pieces = [owner[square] for square in line if square in owner]
            mine = pieces.count(self.seat)
            lead = mine - (len(pieces) - mine)
            if lead > 2:
                return None
            if lead == 2:
                taken |= {s for s in line if owner.get(s) not in (self.seat, None)}
        return taken
