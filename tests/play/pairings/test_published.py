"""Whole Swiss tournaments published as examples."""

from __future__ import annotations

import pytest

from play.pairings.meetings import DRAW, Meeting, Round, bye, scored
from play.pairings.standings import standings
from play.pairings.swiss import swiss_round

MASTERING = (
    "1-8 1, 9-2 =, 3-10 1, 11-4 0, 5-12 =, 13-6 1, 7-14 0, 15 free",
    "14-1 0, 15-3 0, 4-13 1, 2-5 1, 12-9 =, 10-7 0, 8-11 1, 6 half",
    "1-4 =, 3-2 =, 13-8 -, 9-14 1, 12-15 1, 6-5 =, 11-10 1, 7 half",
    "4-3 -, 2-1 0, 8-9 0, 7-12 1, 5-13 1, 14-6 0, 15-11 0, 10 free",
    "1-3 =, 9-7 0, 4-5 1, 12-2 =, 6-8 0, 13-11 1, 10-15 1, 14 free",
    "7-1 0, 3-4 1, 8-12 1, 11-9 =, 2-10 1, 5-14 -, 15-6 0, 13 free",
    "3-8 1, 1-9 =, 4-2 1, 6-7 0, 13-14 1, 12-11 1, 5-10 0, 15 half",
    "7-3 =, 1-13 1, 9-4 0, 2-8 1, 10-12 1, 11-6 1, 14-15 0, 5 free",
    "10-1 ?, 9-3 ?, 4-7 ?, 13-2 ?, 8-15 ?, 5-11 ?, 12-14 ?, 6 free",
)
"""Mario Held, *Mastering the Dutch*, 2026: fifteen people, nine rounds. By round, the pairs with
the first seat first, and the result for the first: ``-``, the second wins without a match;
``half``, half a point for somebody who asked for a round off.
"""

SCORES = {
    4: "2.5 2 2.5 2.5 1 1 1.5 2 2 0 1 2 1 1 1",
    5: "3.5 2 3.5 2.5 2 2 2.5 2 3 1 2 2 1 1 1",
    6: "4 2.5 4 3.5 2 2 3.5 3 3 2 2 2.5 2 2 1",
    7: "5 3.5 5 3.5 2 3 3.5 4 3.5 2 2.5 2.5 3 3 1",
    8: "5.5 3.5 6 4.5 2 3 4.5 4 4 3 2.5 3.5 4 3 1.5",
    9: "6.5 4.5 6.5 5.5 3 3 5 4 4 4 3.5 3.5 4 3 2.5",
}
"""The published points of all people before each round."""

EXERCISES = (
    "1-9 1, 3-11 =, 5-13 0, 7-15 1, 10-2 0, 12-4 0, 14-6 1, 16-8 =",
    "2-7 1, 4 half, 6-3 0, 8-14 1, 9-10 0, 11-16 0, 12 free, 13-1 =, 15-5 1",
    "1-2 =, 3-8 1, 4-13 1, 5-11 1, 6 free, 9 half, 10-15 0, 14-12 -, 16-7 1",
    "2-16 1, 4-3 =, 6-10 1, 7-5 =, 8-13 1, 9-11 -, 15-1 0",
    "1-4 =, 3-2 =, 5-10 1, 8-6 0, 9 free, 11-7 1, 13-14 0, 16-15 1",
)
"""Mario Held, *Exercises in Tie-Breaking*, 2024: sixteen people, five rounds."""

POINTS = "3.5 4 3.5 3.5 2.5 3 1.5 2.5 1.5 1 2.5 2 1.5 2 2 3.5"

TIES = {
    2: (4, 13, 9.5, 3),
    3: (3.5, 15.5, 10.5, 2),
    1: (3.5, 12.5, 8, 2),
    16: (3.5, 12.5, 7.25, 3),
    6: (3, 12, 6.5, 2),
    8: (2.5, 13.5, 5.25, 2),
    5: (2.5, 8.5, 4.25, 2),
    15: (2, 12, 3.5, 2),
    7: (1.5, 14.5, 3.25, 1),
    13: (1.5, 14, 4.25, 1),
    10: (1, 13, 1.5, 1),
}
"""Points, Buchholz, Sonneborn-Berger and wins at the board as published, in that order, for
everyone without a half-point bye or an unplayed match.
"""


class RoundOff(Meeting):
    """A meeting that gives half a point for a round off, which the bot's tournaments never do."""

    def points(self, place: int, seats: int) -> int:
        return DRAW


RANKS = {"1": (1, 2), "0": (2, 1), "=": (1, 1)}


def read(line: str) -> tuple[Round, Round]:
    """The pairs of a published round as the pairing code returns them, and the results."""
    paired: list[Meeting] = []
    counts: list[Meeting] = []
    for text in line.split(", "):
        who, result = text.split()
        players = tuple(int(number) - 1 for number in who.split("-"))
        if result == "half":
            counts.append(RoundOff(players, (1,), played=False))
        else:
            paired.append(Meeting(players) if len(players) > 1 else bye(*players))
        if result in ("free", "-"):
            counts.append(bye(players[-1]))
        elif result in RANKS:
            counts.append(Meeting(players, RANKS[result]))
    return tuple(paired), tuple(counts)


@pytest.mark.parametrize("number", range(1, 10))
def test_each_round_of_a_published_tournament_is_paired_as_published(number: int) -> None:
    past = [read(line)[1] for line in MASTERING[: number - 1]]
    if number in SCORES:
        points = [2 * float(text) for text in SCORES[number].split()]
        assert [scored(place, past, 2) for place in range(15)] == points
    paired, counts = read(MASTERING[number - 1])
    off = {each.players[0] for each in counts if isinstance(each, RoundOff)}
    found = swiss_round([place for place in range(15) if place not in off], past)
    assert {each.players for each in found} == {each.players for each in paired}
    assert found[-1].bye == paired[-1].bye


def test_the_ties_of_a_published_tournament_are_broken_as_published() -> None:
    rows = standings(range(16), [read(line)[1] for line in EXERCISES], 2, lambda place: place)
    points = {row.place: row.points / 2 for row in rows}
    assert [points[place] for place in range(16)] == [float(text) for text in POINTS.split()]
    found = {
        row.place + 1: (row.points / 2, row.buchholz / 2, row.sonneborn / 4, row.wins)
        for row in rows
        if row.place + 1 in TIES
    }
    assert [*found.items()] == [*TIES.items()]
