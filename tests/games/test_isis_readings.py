"""The interpretation of Isis's rulebook: of 384 readings, its own examples leave two.

Each reading answers six questions that the text alone leaves open. A reading is kept if it gives
exactly the rulebook's results for all worked examples with three stones in play. The two remaining
readings differ in a single point, which is therefore an option of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from games.isis.board import Going, paths
from tests.games.slow_isis import BESIDE, COLUMN, PLACES

HEAVEN = range(39, 51)
ROW = {square: row for (row, _), square in PLACES.items()}
WALLED = {frozenset(pair) for pair in ((40, 44), (41, 45), (43, 44), (44, 45), (45, 46))}
LINKS = {
    "all neighbours": frozenset[frozenset[int]](),
    "no way between 16 and 17": frozenset({frozenset((16, 17))}),
    "no way between 15 and 16 and between 17 and 18": frozenset(
        {frozenset((15, 16)), frozenset((17, 18))}
    ),
    "diagonals": frozenset[frozenset[int]](),
}


@dataclass(frozen=True)
class Reading:
    """One reading of the rules.

    :param links: which squares are joined, a key of LINKS.
    :param walls: whether thrones have walls on three sides, unlike other squares.
    :param earth: which steps a stone that began on earth may make: never backward (``start``),
        not backward except between squares of heaven (``heaven``), not backward from a square
        on earth (``step``), or any (``free``).
    :param heaven: what a stone that began in heaven may do: everything (``free``), everything
        but leave it (``stay``), or leave it but only go sideways or forward from then on
        (``down``).
    :param exact: whether a stone makes exactly its number of steps, rather than up to that many.
    :param once: whether a way must not touch a square twice.
    """

    links: str
    walls: bool
    earth: str
    heaven: str
    exact: bool
    once: bool

    def beside(self, square: int) -> set[int]:
        """The squares connected with a square."""
        near = set(BESIDE[square])
        if self.links == "diagonals":
            near |= {
                other
                for other in COLUMN
                if abs(COLUMN[other] - COLUMN[square]) == 1 == abs(ROW[other] - ROW[square])
            }
        closed = LINKS[self.links] | (WALLED if self.walls else set())
        return {other for other in near if frozenset((square, other)) not in closed}

    def may_step(self, start: int, here: int, to: int) -> bool:
        """Return whether a stone that started on ``start`` may step from ``here`` to ``to``."""
        backward = COLUMN[to] < COLUMN[here]
        if start in HEAVEN:
            if self.heaven == "stay":
                return to in HEAVEN
            return self.heaven == "free" or here in HEAVEN or not backward
        match self.earth:
            case "start":
                return not backward
            case "heaven":
                return not backward or (here in HEAVEN and to in HEAVEN)
            case "step":
                return not backward or here in HEAVEN
            case _:
                return True

    def ends(self, start: int, steps: int, others: set[int]) -> set[int]:
        """The possible destinations of a neutral stone among others."""
        lengths = (steps,) if self.exact else range(1, steps + 1)
        return {end for n in lengths for end in self._ends((start,), n, others)} - {44, 45}

    def _ends(self, path: tuple[int, ...], steps: int, others: set[int]) -> Iterator[int]:
        here = path[-1]
        if steps == 0:
            yield here
            return
        if self.walls and here in (44, 45):
            return
        for to in self.beside(here):
            used = to in path if self.once else False
            if not used and to not in others and self.may_step(path[0], here, to):
                yield from self._ends((*path, to), steps - 1, others)


READINGS = [
    Reading(*answers)
    for answers in product(
        LINKS,
        (True, False),
        ("start", "heaven", "step", "free"),
        ("free", "stay", "down"),
        (True, False),
        (True, False),
    )
]

EXAMPLES = [
    (14, {23, 38}, {16, 21, 26}),
    (23, {14, 38}, {26, 27, 29, 32, 35}),
    (38, {14, 23}, {35, 40, 42, 50}),
    (41, {49, 1}, {29, 32, 34, 35, 37, 40, 42, 43, 50}),
    (49, {41, 1}, {42, 43}),
]
"""The rulebook's lists for three stones in play: a stone, the other two, and its destinations."""


def keeps_the_examples(reading: Reading) -> bool:
    """Return whether a reading fits all examples, including the one of locking in."""
    if any(reading.ends(stone, 3, others) != ends for stone, others, ends in EXAMPLES):
        return False
    free_before = 46 in reading.ends(48, 3, {42, 47})
    locked_after = not reading.ends(48, 3, {49, 47})
    return free_before and locked_after and not reading.ends(48, 4, {42, 47})


def test_i33_two_readings_survive() -> None:
    assert len(READINGS) == 384
    kept = [reading for reading in READINGS if keeps_the_examples(reading)]
    assert kept == [
        Reading("all neighbours", walls=True, earth=earth, heaven="free", exact=True, once=True)
        for earth in ("start", "heaven")
    ]


def test_the_game_offers_the_two_readings_that_are_left() -> None:
    """On an empty board, the engine's destinations of stones that start on earth are those of the
    two readings, by default and by option.
    """
    for going, earth in ((Going.FORWARD, "start"), (Going.RETREAT, "heaven")):
        reading = Reading("all neighbours", True, earth, "free", exact=True, once=True)
        for square in range(1, 39):
            for steps in range(1, 8):
                known = {path[-1] for path in paths(square, steps, going)} - {44, 45}
                assert known == reading.ends(square, steps, set()), (square, steps)


def test_in_heaven_both_readings_agree() -> None:
    """The engine's destinations of stones that start in heaven are those of a reading in which they
    move freely.
    """
    reading = Reading("all neighbours", True, "start", "free", exact=True, once=True)
    for square in set(HEAVEN) - {44, 45}:
        for steps in range(1, 8):
            known = {path[-1] for path in paths(square, steps, Going.FREE)} - {44, 45}
            assert known == reading.ends(square, steps, set()), (square, steps)
