"""Standings and tie-breaks, compared with published tables."""

from __future__ import annotations

from play.pairings.meetings import Meeting, Round, bye
from play.pairings.standings import lots, standings

CROSS = ("-==1111", "=-==111", "==-==11", "0==-111", "00=0-11", "00000-1", "000000-")
"""The example in the German Wikipedia article on tie-breaks: players A to G; ``=`` is a draw. C and
D have four points each; C leads D by 9 to 7¾ in Sonneborn-Berger.
"""

RANKS = {"1": (1, 2), "0": (2, 1), "=": (1, 1)}


def no_lot(place: int) -> int:
    return place


def cross_table() -> list[Round]:
    """One round for each pair; the order of the rounds does not matter."""
    return [(Meeting((a, b), RANKS[CROSS[a][b]]),) for a in range(7) for b in range(a + 1, 7)]


def test_sonneborn_berger_as_in_the_published_example() -> None:
    rows = standings(range(7), cross_table(), 2, no_lot)
    assert "".join("ABCDEFG"[row.place] for row in rows) == "ABCDEFG"
    assert [row.points / 2 for row in rows] == [5, 4.5, 4, 4, 2.5, 1, 0]
    named = {"ABCDEFG"[row.place]: row for row in rows}
    assert (named["C"].sonneborn / 4, named["D"].sonneborn / 4) == (9, 7.75)


def test_buchholz_adds_the_points_of_all_opponents() -> None:
    past: list[Round] = [
        (Meeting((0, 2), (1, 2)), Meeting((1, 3), (1, 2))),
        (Meeting((0, 1), (1, 2)), Meeting((2, 3), (1, 2))),
    ]
    rows = {row.place: row for row in standings(range(4), past, 2, no_lot)}
    assert {place: row.points for place, row in rows.items()} == {0: 4, 1: 2, 2: 2, 3: 0}
    # 1 and 2 both met 0 and 3: they are level and have not met each other.
    assert rows[1].buchholz == rows[2].buchholz == 4
    assert rows[1].sonneborn == rows[2].sonneborn == 0
    assert (rows[1].direct, rows[2].direct) == (0, 0)
    assert rows[1].rank == 2


def test_the_direct_encounter_counts_only_if_all_have_met() -> None:
    ring = [(Meeting(pair, (1, 2)),) for pair in ((0, 1), (1, 2), (2, 0))]
    assert [row.direct for row in standings(range(3), ring, 2, no_lot)] == [2, 2, 2]
    # 3 beats 2, 2 beats 1, 1 beats 0, 0 beats 3: 0 and 1 have met, 0 and 2 have not.
    square = [(Meeting(pair, (1, 2)),) for pair in ((3, 2), (2, 1), (1, 0), (0, 3))]
    rows = standings(range(4), square, 2, no_lot)
    assert {row.direct for row in rows} == {0}


def test_of_two_level_people_the_winner_of_their_match_is_ahead() -> None:
    """The two are otherwise level, and the lot would favour the other one."""
    past = [(Meeting(pair, (1, 2)),) for pair in ((0, 2), (2, 1), (3, 1), (3, 0), (1, 0))]
    rows = {row.place: row for row in standings(range(4), past, 2, no_lot)}
    level = [(row.points, row.buchholz, row.sonneborn) for row in (rows[0], rows[1])]
    assert level[0] == level[1]
    assert (rows[1].direct, rows[0].direct) == (2, 0)
    assert rows[1].rank < rows[0].rank


def test_wins_count_only_if_they_were_played_and_a_bye_counts_as_an_equal() -> None:
    """A bye is not a win at the board; in the tie-breaks it counts as a win against somebody with
    the same points.
    """
    past: list[Round] = [(Meeting((0, 1), (1, 2)), bye(2)), (Meeting((1, 0), (1, 2)), bye(2))]
    rows = {row.place: row for row in standings(range(3), past, 2, lambda place: -place)}
    assert (rows[0].wins, rows[2].wins) == (1, 0)
    assert (rows[2].points, rows[2].buchholz, rows[2].sonneborn) == (4, 8, 16)


def test_at_larger_tables_everyone_beaten_counts_and_empty_seats_do_too() -> None:
    past: list[Round] = [(Meeting((0, 1, 2, 3), (1, 2, 2, 4)), Meeting((4, 5, 6), (1, 2, 3)))]
    points = {row.place: row.points for row in standings(range(7), past, 4, no_lot)}
    assert points == {0: 6, 1: 3, 2: 3, 3: 0, 4: 6, 5: 4, 6: 2}


def test_the_lots_follow_from_the_seed() -> None:
    assert sorted(lots("seed", 9)) == list(range(9))
    assert lots("seed", 9) == lots("seed", 9) != lots("other", 9)
    level = [(Meeting((0, 1), (1, 1)),)]
    for lot in ((0, 1), (1, 0)):
        first = standings(range(2), level, 2, lot.__getitem__)[0]
        assert first.place == lot.index(0)
