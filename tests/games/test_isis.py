"""Isis: the board, the rulebook's examples, and the moves of stones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.engine import BadSetup, Outcome
from games.isis.board import NEIGHBOURS, SQUARES, Going, board_for, column, paths, row
from tests.games.isis_table import (
    GAME,
    STONES,
    ends,
    kinds,
    legal,
    on_board,
    played,
    position,
    public,
)


# ----------------------------------------------------------------------------- the board
def test_fifty_squares_in_four_rows_of_sixteen() -> None:
    places = {(row(square), column(square)): square for square in SQUARES}
    assert len(places) == 50
    drawn = [[places.get((r, c), 0) for c in range(16)] for r in range(4)]
    assert drawn == [
        [1, 3, 5, 7, 9, 11, 13, 15, 19, 23, 27, 31, 35, 39, 43, 47],
        [0, 0, 0, 0, 0, 0, 0, 16, 20, 24, 28, 32, 36, 40, 44, 48],
        [0, 0, 0, 0, 0, 0, 0, 17, 21, 25, 29, 33, 37, 41, 45, 49],
        [2, 4, 6, 8, 10, 12, 14, 18, 22, 26, 30, 34, 38, 42, 46, 50],
    ]


@pytest.mark.rule("isis", "1")
@pytest.mark.parametrize(
    ("square", "neighbours"),
    [
        (1, {3}),
        (2, {4}),
        (13, {11, 15}),
        (14, {12, 18}),
        (15, {13, 16, 19}),
        (16, {15, 17, 20}),
        (17, {16, 18, 21}),
        (18, {14, 17, 22}),
        (19, {15, 20, 23}),
        (40, {36, 39, 41}),
        (41, {37, 40, 42}),
        (43, {39, 47}),
        (44, {48}),
        (45, {49}),
        (46, {42, 50}),
        (48, {44, 47, 49}),
        (49, {45, 48, 50}),
        (50, {46, 49}),
    ],
)
def test_adjacent_squares_are_connected_except_through_walls(
    square: int, neighbours: set[int]
) -> None:
    assert set(NEIGHBOURS[square]) == neighbours


def test_every_connection_works_both_ways() -> None:
    for square, others in NEIGHBOURS.items():
        assert all(square in NEIGHBOURS[other] for other in others)


@pytest.mark.rule("isis", "3.2")
@pytest.mark.parametrize("going", list(Going))
def test_no_path_touches_a_square_twice_or_passes_a_throne(going: Going) -> None:
    for square in SQUARES:
        for steps in range(1, STONES + 1):
            for path in paths(square, steps, going):
                assert len(path) == steps + 1 == len(set(path))
                assert not {44, 45} & set(path[1:-1])


def test_the_straightest_path_comes_first() -> None:
    """From 21 to 33 the path goes straight along the row; a stone on 25 makes the path to 30 go
    round it.
    """
    state = position("21 1 2")
    assert state.path("21-33") == (21, 25, 29, 33)
    state = position("21 1 25")
    assert state.path("21-30") == (21, 22, 26, 30)


def test_the_first_table_works_out_no_more_ways_than_it_needs() -> None:
    """With seven stones in the underworld, only the ways of seven steps are needed."""
    board = board_for.__wrapped__(retreat=False)
    state = replace(position(), board=board)
    assert legal(state) == ["0-13", "0-14"]
    assert [list(ways) for ways in (*board.ways, *board.down)] == [[(0, 7)], [], [], []]


# ------------------------------------------------------------------------- the beginning
@pytest.mark.rule("isis", "2", "7.21")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_seven_neutral_stones_begin_in_the_underworld(players: int) -> None:
    state = GAME.start(GAME.setup(players))
    seen = public(state)
    assert (seen["below"], seen["neutral"]) == (STONES, [])
    assert seen["personal"] == [None] * players
    assert seen["steps"] == {"below": 7, "in_play": 0}
    assert GAME.chance(state) == [(f"start:{seat + 1}", 1.0) for seat in range(players)]


@pytest.mark.rule("isis", "2")
def test_the_starter_may_be_fixed() -> None:
    assert GAME.actors(GAME.start(GAME.setup(3, {"starter": "3"}))) == (2,)
    with pytest.raises(BadSetup, match="starter_seat"):
        GAME.setup(3, {"starter": "4"})


def test_i1_i2_opening() -> None:
    """The first stone goes to 13 or 14 and is then banned; the next goes to 11 or 12 (I1, I2)."""
    state = GAME.start(GAME.setup(2, {"starter": "1"}))
    assert legal(state) == ["0-13", "0-14"]
    played(state, "0-13")
    assert legal(state) == ["0-11", "0-12"]
    assert public(state)["ban"] == 13


@pytest.mark.rule("isis", "2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_go_clockwise(players: int) -> None:
    state = GAME.start(GAME.setup(players, {"starter": "2"}))
    order = []
    for _ in range(2 * players):
        order.append(state.turn)
        GAME.do(state, state.turn, legal(state)[0])
    assert order == [(1 + n) % players for n in range(2 * players)]


# ----------------------------------------------------------------- the rulebook's examples
@pytest.mark.rule("isis", "3.2")
def test_steps_below_and_in_play() -> None:
    """Two stones below take two steps each; the five in play take five each."""
    state = position("11 22 32 41 47")
    assert public(state)["steps"] == {"below": 2, "in_play": 5}
    assert ends(state, 0) == {3, 4}
    onward = [move for move in legal(state) if not move.startswith(("0-", "turn:"))]
    assert {move.split("-")[0] for move in onward} == {"11", "22", "32", "41", "47"}
    assert all(len(state.path(move)) == 1 + 5 for move in onward)


def test_i3_out_of_the_underworld() -> None:
    """Of two ways of three steps, the lower one is blocked by the stone on 4 (I3)."""
    assert ends(position("4 20 21 22"), 0) == {5}


@pytest.mark.rule("isis", "3.3")
@pytest.mark.parametrize(
    ("stone", "squares"),
    [
        (14, {16, 21, 26}),
        (23, {26, 27, 29, 32, 35}),
        (38, {35, 40, 42, 50}),
    ],
)
def test_i4_i5_i6_on_earth(stone: int, squares: set[int]) -> None:
    """Each stone goes exactly three steps forward or sideways, round corners, too (I4 to I6)."""
    assert ends(position("14 23 38"), stone) == squares


@pytest.mark.parametrize(
    ("stone", "squares"),
    [(41, {29, 32, 34, 35, 37, 40, 42, 43, 50}), (49, {42, 43})],
)
@pytest.mark.parametrize("third", [*range(1, 29), 30, 31])
def test_i7_i8_in_heaven(stone: int, squares: set[int], third: int) -> None:
    """Steps go in all directions, even down to earth and back, around the thrones' walls (I7,
    I8).
    """
    assert ends(position(f"41 49 {third}"), stone) == squares


@pytest.mark.rule("isis", "3.3")
def test_i9_down_into_the_underworld() -> None:
    """From 22, 27 and 33, five steps lead down; from 8 there is no way back (I9)."""
    state = position("22 27 33 8", None, 47)
    assert {stone for stone in (8, 22, 27, 33) if 0 in ends(state, stone)} == {22, 27, 33}


@pytest.mark.rule("isis", "7.4", "7.5")
@pytest.mark.parametrize(
    "personal",
    [(None, None), (30, None), (None, 0)],
    ids=["I10: nobody has one", "I11: only one's own", "I12: the opponent's is below"],
)
def test_i10_i11_i12_no_one_goes_down_without_an_opponents_stone_in_play(
    personal: tuple[int | None, int | None],
) -> None:
    state = position("22 27 33 8", *personal)
    assert not any(move.endswith("-0") for move in legal(state))


@pytest.mark.rule("isis", "4")
@pytest.mark.parametrize("third", [39, 43, 47])
def test_i13_locked_in_by_blocking(third: int) -> None:
    """The stone on 48 has no way of three steps once another arrives on 49 (I13)."""
    state = position(f"48 42 {third}")
    facts = played(state, "42-49")
    assert kinds(facts) == ["moved", "locked"]
    assert facts[1].data == {"squares": [48], "owners": [None]}
    assert on_board(state) == {49, third}
    assert public(state)["ban"] == 49
    assert public(state)["steps"] == {"below": 5, "in_play": 2}


@pytest.mark.rule("isis", "4")
@pytest.mark.parametrize("third", [39, 43, 47])
@pytest.mark.parametrize("entry", ["0-7", "0-8"])
def test_i14_locked_in_by_more_steps(third: int, entry: str) -> None:
    """With a fourth stone in play, the stone on 48 cannot make all of its four steps (I14)."""
    state = position(f"48 42 {third}")
    facts = played(state, entry)
    assert [fact.data["squares"] for fact in facts if fact.kind == "locked"] == [[48]]
    assert public(state)["steps"] == {"below": 4, "in_play": 3}


def test_i15_taking_a_throne() -> None:
    """Four steps lead from 46 to 44, and the match is won (I15)."""
    state = position("2 4 10", 46)
    assert 44 in ends(state, "P46")
    facts = played(state, "P46-44")
    assert facts[0].data["path"] == [46, 50, 49, 48, 44]
    assert kinds(facts) == ["moved", "placed", "over"]
    assert GAME.outcome(state) == Outcome((1, 2), (1.0, 0.0), "throne")
    assert public(state)["personal"] == [44, None]


def test_i16_the_other_throne_takes_three_steps() -> None:
    """With four stones in play, the stone on 46 cannot reach 45; with three, it can."""
    assert 45 not in ends(position("2 4 10", 46), "P46")
    assert 45 in ends(position("2 4", 46), "P46")


# ----------------------------------------------------------------- which way a stone goes
@pytest.mark.rule("isis", "3.3")
def test_i17_no_throne_for_neutral_stones() -> None:
    assert not {44, 45} & ends(position("2 4 46 10"), 46)


@pytest.mark.rule("isis", "7.22")
def test_i18_a_single_step_is_a_move_like_any_other() -> None:
    """A personal stone on 49, alone in play, steps onto the throne (I18)."""
    state = position("", 49)
    assert ends(state, "P49") == {45, 48, 50}
    assert "placed" in kinds(played(state, "P49-45"))


@pytest.mark.rule("isis", "7.1")
def test_i19_the_throne_is_not_reached_from_earth() -> None:
    """A stone that starts on earth does not turn back in heaven (I19, ambiguity 1)."""
    assert 45 not in ends(position("1 3 5 7", 38), "P38")


@pytest.mark.rule("isis", "7.1")
def test_i19_unless_the_table_allows_to_turn_back_in_heaven() -> None:
    """With the option, a stone from earth turns back in heaven and wins (I19, reading B)."""
    state = position("1 3 5 7", 38, retreat=True)
    assert 45 in ends(state, "P38")
    facts = played(state, "P38-45")
    assert facts[0].data["path"] == [38, 42, 46, 50, 49, 45]


def test_turning_back_in_heaven_does_not_lead_back_to_earth() -> None:
    for steps in range(1, STONES + 1):
        for path in paths(38, steps, Going.RETREAT):
            earth = [square < 39 for square in path]
            assert earth == sorted(earth, reverse=True)


@pytest.mark.rule("isis", "7.2")
def test_a_stone_from_heaven_walks_freely_on_earth() -> None:
    state = position("41 49 1")
    assert 29 in ends(state, 41)
    assert state.path("41-37") == (41, 40, 36, 37)


@pytest.mark.rule("isis", "7.3")
def test_i30_no_one_steps_from_heaven_into_the_underworld() -> None:
    """A stone in heaven cannot enter the underworld, even if its seven steps would reach it (I30,
    ambiguity 3).
    """
    state = position("40 1 2 3 4 5", None, 47)
    assert state.steps(40) == 7
    assert 0 not in ends(state, 40)


def test_a_descent_mixes_with_no_step_forward() -> None:
    """From 18, two steps lead down: sideways to 17, then out. Four steps would have to include one
    forward, so there is no descent.
    """
    state = position("18", None, 47)
    assert ends(state, 18) >= {0}
    assert state.path("18-0") == (18, 17, 0)
    assert 0 not in ends(position("18 1 3", None, 47), 18)


@pytest.mark.rule("isis", "3.2")
def test_stones_are_neither_jumped_nor_taken() -> None:
    """A stone in a lane blocks the squares behind it."""
    state = position("3 13 20")
    assert ends(state, 0) == {8}
    assert ends(state, 3) == {9}
    assert 13 not in ends(position("7 13 20"), 7)


# ------------------------------------------------------------------------ which stone moves
@pytest.mark.rule("isis", "3.1")
def test_no_one_moves_the_personal_stone_of_another() -> None:
    state = position("20 21", 30, 33)
    assert ends(state, "P30")
    assert not ends(state, "P33")
    assert not ends(state, 33)


@pytest.mark.rule("isis", "3.1", "7.6")
def test_the_ban_lasts_one_turn_and_hits_one_stone() -> None:
    state = position("14 23 38", players=3)
    played(state, "14-21")
    assert not ends(state, 21)
    assert ends(state, 23)
    played(state, "23-26")
    assert ends(state, 21)
    assert not ends(state, 26)


@pytest.mark.rule("isis", "4", "7.6")
def test_after_a_personal_stone_nothing_is_banned() -> None:
    state = position("20 21", 30)
    played(state, "P30-42")
    assert public(state)["ban"] is None


@pytest.mark.rule("isis", "4")
def test_i24_after_a_descent_no_neutral_stone_comes_up() -> None:
    """Neutral stones in the underworld are banned for one turn; all others are free (I24)."""
    state = position("22 27 33 8", None, 47)
    played(state, "22-0")
    assert public(state)["ban"] == 0
    assert not ends(state, 0)
    assert ends(state, 27)
    played(state, "27-43")
    assert ends(state, 0) == {5, 6}


@pytest.mark.rule("isis", "7.9")
def test_a_personal_stone_may_still_come_up() -> None:
    state = position("22 27 33 8", 47, 0, turn=0)
    state.ban = 0
    state.turn = 1
    assert ends(state, "P0") == {3, 4}
    assert not ends(state, 0)


def test_a_personal_descent_bans_nothing() -> None:
    state = position("27 33 8", 22, 47)
    played(state, "P22-0")
    assert public(state)["personal"] == [0, 47]
    assert public(state)["ban"] is None
    assert ends(state, 0)
