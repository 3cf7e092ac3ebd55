"""Isis: the board, every worked example of the rulebook, the readings of silent cases."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from games.engine import BadSetup, Fact, IllegalMove, Match, Move, NotYourTurn, Outcome
from games.isis import AMULETS, Isis, IsisState, position_of
from games.isis.board import NEIGHBOURS, SQUARES, Going, board_for, column, paths, row

GAME = Isis()
STONES = 7


# ------------------------------------------------------------------- setting up positions
def position(
    neutral: str = "",
    *personal: int | None,
    players: int = 2,
    turn: int = 0,
    ban: int | None = None,
    turned: Sequence[bool] | None = None,
    **options: Any,
) -> IsisState:
    """A position with neutral stones on these squares, all that are not named in the underworld.

    :param personal: the square of each seat's personal stone, None for none.
    """
    own = [*personal, *[None] * (players - len(personal))]
    squares = sorted(map(int, neutral.split()))
    setup = GAME.setup(players, {"starter": "1", **options})
    view = GAME.view(GAME.start(setup), None)
    public = {
        **view.public,
        "neutral": squares,
        "below": STONES - len(squares) - sum(square is not None for square in own),
        "personal": own,
        "turned": turned or [square is not None for square in own],
        "amulets": [AMULETS[seat] if at is not None else "" for seat, at in enumerate(own)],
        "turn": turn,
        "ban": ban,
        "seen": [],
    }
    state = position_of(replace(view, public=public))
    state.seen[state.situation()] = 1
    return state


def legal(state: IsisState) -> list[Move]:
    """The moves of the seat whose turn it is."""
    return GAME.legal(state, state.turn)


def ends(state: IsisState, stone: int | str) -> set[int]:
    """Where a stone may go: ``14``, ``"P46"``."""
    return {int(move.split("-")[1]) for move in legal(state) if move.startswith(f"{stone}-")}


def played(state: IsisState, *texts: str) -> list[Fact]:
    """Play the texts, each by the seat whose turn it is, and return the facts."""
    facts: list[Fact] = []
    for text in texts:
        (seat,) = GAME.actors(state)
        GAME.do(state, seat, GAME.parse(state, seat, text), facts)
    return facts


def kinds(facts: Iterable[Fact]) -> list[str]:
    """What happened, in order."""
    return [fact.kind for fact in facts]


def public(state: IsisState) -> Mapping[str, Any]:
    """What everyone sees."""
    return GAME.view(state, None).public


def on_board(state: IsisState) -> set[int]:
    """The squares in play with a stone."""
    return {square for square in SQUARES if state.occupied >> square & 1}


def refusal(state: IsisState, text: str) -> IllegalMove:
    """The refusal of a move, which must be refused and must change nothing."""
    before = state.clone()
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(state, state.turn, text)
    assert state == before
    return caught.value


# ----------------------------------------------------------------------------- the board
def test_fifty_squares_in_four_rows_of_sixteen() -> None:
    """The fourteen squares of the lanes frame the underworld; all others fill nine columns."""
    places = {(row(square), column(square)): square for square in SQUARES}
    assert len(places) == 50
    drawn = [[places.get((r, c), 0) for c in range(16)] for r in range(4)]
    assert drawn == [
        [1, 3, 5, 7, 9, 11, 13, 15, 19, 23, 27, 31, 35, 39, 43, 47],
        [0, 0, 0, 0, 0, 0, 0, 16, 20, 24, 28, 32, 36, 40, 44, 48],
        [0, 0, 0, 0, 0, 0, 0, 17, 21, 25, 29, 33, 37, 41, 45, 49],
        [2, 4, 6, 8, 10, 12, 14, 18, 22, 26, 30, 34, 38, 42, 46, 50],
    ]


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
def test_neighbours(square: int, neighbours: set[int]) -> None:
    """Squares that touch are joined, except through the walls round the thrones."""
    assert set(NEIGHBOURS[square]) == neighbours


def test_joined_both_ways() -> None:
    """Every step from one square to another can be made in the other direction."""
    for square, others in NEIGHBOURS.items():
        assert all(square in NEIGHBOURS[other] for other in others)


@pytest.mark.parametrize("going", list(Going))
def test_no_path_touches_a_square_twice_or_passes_a_throne(going: Going) -> None:
    """Every path has its exact length, over different squares; thrones are only ends."""
    for square in SQUARES:
        for steps in range(1, STONES + 1):
            for path in paths(square, steps, going):
                assert len(path) == steps + 1 == len(set(path))
                assert not {44, 45} & set(path[1:-1])


def test_the_straightest_path_comes_first() -> None:
    """From 21 to 33 straight along the row, though three other ways are as long."""
    state = position("21 1 2")
    assert state.path("21-33") == (21, 25, 29, 33)
    state = position("21 1 25")
    assert state.path("21-30") == (21, 22, 26, 30)


def test_the_first_table_works_out_no_more_ways_than_it_needs() -> None:
    """Seven stones in the underworld: how one of them goes seven steps is all there is to know."""
    board = board_for.__wrapped__(retreat=False)
    state = replace(position(), board=board)
    assert legal(state) == ["0-13", "0-14"]
    assert [list(ways) for ways in (*board.ways, *board.down)] == [[(0, 7)], [], [], []]


# ------------------------------------------------------------------------- the beginning
@pytest.mark.parametrize("players", [2, 3, 4])
def test_seven_neutral_stones_begin_in_the_underworld(players: int) -> None:
    """No one has a personal stone, and the lot decides who begins."""
    state = GAME.start(GAME.setup(players))
    seen = public(state)
    assert (seen["below"], seen["neutral"]) == (STONES, [])
    assert seen["personal"] == [None] * players
    assert seen["steps"] == {"below": 7, "in_play": 0}
    assert GAME.chance(state) == [(f"start:{seat + 1}", 1.0) for seat in range(players)]


def test_the_starter_may_be_fixed() -> None:
    """The option names a seat, counted from 1; it must be at the table."""
    assert GAME.actors(GAME.start(GAME.setup(3, {"starter": "3"}))) == (2,)
    with pytest.raises(BadSetup, match="starter_seat"):
        GAME.setup(3, {"starter": "4"})


def test_i1_i2_opening() -> None:
    """First to 13 or 14, then to 11 or 12: and the stone just moved stays (I1, I2)."""
    state = GAME.start(GAME.setup(2, {"starter": "1"}))
    assert legal(state) == ["0-13", "0-14"]
    played(state, "0-13")
    assert legal(state) == ["0-11", "0-12"]
    assert public(state)["ban"] == 13


@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_go_clockwise(players: int) -> None:
    """Seat after seat, and round again."""
    state = GAME.start(GAME.setup(players, {"starter": "2"}))
    order = []
    for _ in range(2 * players):
        order.append(state.turn)
        GAME.do(state, state.turn, legal(state)[0])
    assert order == [(1 + n) % players for n in range(2 * players)]


# ----------------------------------------------------------------- the rulebook's examples
def test_steps_below_and_in_play() -> None:
    """Two below go two steps, the five in play five steps each."""
    state = position("11 22 32 41 47")
    assert public(state)["steps"] == {"below": 2, "in_play": 5}
    assert ends(state, 0) == {3, 4}
    onward = [move for move in legal(state) if not move.startswith(("0-", "turn:"))]
    assert {move.split("-")[0] for move in onward} == {"11", "22", "32", "41", "47"}
    assert all(len(state.path(move)) == 1 + 5 for move in onward)


def test_i3_out_of_the_underworld() -> None:
    """Of two ways three steps long the lower one is barred by the stone on 4 (I3)."""
    assert ends(position("4 20 21 22"), 0) == {5}


@pytest.mark.parametrize(
    ("stone", "squares"),
    [
        (14, {16, 21, 26}),
        (23, {26, 27, 29, 32, 35}),
        (38, {35, 40, 42, 50}),
    ],
)
def test_i4_i5_i6_on_earth(stone: int, squares: set[int]) -> None:
    """Forward and sideways, turning corners, exactly three steps (I4 to I6)."""
    assert ends(position("14 23 38"), stone) == squares


@pytest.mark.parametrize(
    ("stone", "squares"),
    [(41, {29, 32, 34, 35, 37, 40, 42, 43, 50}), (49, {42, 43})],
)
@pytest.mark.parametrize("third", [*range(1, 29), 30, 31])
def test_i7_i8_in_heaven(stone: int, squares: set[int], third: int) -> None:
    """Every direction, also down to earth and back, round the walls of the thrones (I7, I8)."""
    assert ends(position(f"41 49 {third}"), stone) == squares


def test_i9_down_into_the_underworld() -> None:
    """From 22, 27 and 33 five steps lead down; from 8 there is no way back (I9)."""
    state = position("22 27 33 8", None, 47)
    assert {stone for stone in (8, 22, 27, 33) if 0 in ends(state, stone)} == {22, 27, 33}


@pytest.mark.parametrize(
    "personal",
    [(None, None), (30, None), (None, 0)],
    ids=["I10: nobody has one", "I11: only one's own", "I12: the opponent's is below"],
)
def test_i10_i11_i12_no_one_goes_down_without_an_opponents_stone_in_play(
    personal: tuple[int | None, int | None],
) -> None:
    """The way down opens with an opponent's personal stone on earth or in heaven (I10 to I12)."""
    state = position("22 27 33 8", *personal)
    assert not any(move.endswith("-0") for move in legal(state))


@pytest.mark.parametrize("third", [39, 43, 47])
def test_i13_locked_in_by_blocking(third: int) -> None:
    """The stone on 48 has no three steps left when another comes to 49 (I13)."""
    state = position(f"48 42 {third}")
    facts = played(state, "42-49")
    assert kinds(facts) == ["moved", "locked"]
    assert facts[1].data == {"squares": [48], "owners": [None]}
    assert on_board(state) == {49, third}
    assert public(state)["ban"] == 49
    assert public(state)["steps"] == {"below": 5, "in_play": 2}


@pytest.mark.parametrize("third", [39, 43, 47])
@pytest.mark.parametrize("entry", ["0-7", "0-8"])
def test_i14_locked_in_by_more_steps(third: int, entry: str) -> None:
    """A fourth stone in play asks for four steps, which the one on 48 does not have (I14)."""
    state = position(f"48 42 {third}")
    facts = played(state, entry)
    assert [fact.data["squares"] for fact in facts if fact.kind == "locked"] == [[48]]
    assert public(state)["steps"] == {"below": 4, "in_play": 3}


def test_i15_taking_a_throne() -> None:
    """Four steps lead from 46 round to 44, and the match is won (I15)."""
    state = position("2 4 10", 46)
    assert 44 in ends(state, "P46")
    facts = played(state, "P46-44")
    assert facts[0].data["path"] == [46, 50, 49, 48, 44]
    assert kinds(facts) == ["moved", "placed", "over"]
    assert GAME.outcome(state) == Outcome((1, 2), (1.0, 0.0), "throne")
    assert public(state)["personal"] == [44, None]


def test_i16_the_other_throne_takes_three_steps() -> None:
    """With four in play the stone on 46 does not reach 45, with three it does."""
    assert 45 not in ends(position("2 4 10", 46), "P46")
    assert 45 in ends(position("2 4", 46), "P46")


# ----------------------------------------------------------------- which way a stone goes
def test_i17_no_throne_for_neutral_stones() -> None:
    """Not even with the exact number of steps (I17)."""
    assert not {44, 45} & ends(position("2 4 46 10"), 46)


def test_i18_a_single_step_is_a_move_like_any_other() -> None:
    """Alone in play, a personal stone on 49 steps onto the throne (I18)."""
    state = position("", 49)
    assert ends(state, "P49") == {45, 48, 50}
    assert "placed" in kinds(played(state, "P49-45"))


def test_i19_the_throne_is_not_reached_from_earth() -> None:
    """A stone that begins on earth does not turn back in heaven (I19, ambiguity 1)."""
    assert 45 not in ends(position("1 3 5 7", 38), "P38")


def test_i19_unless_the_table_allows_to_turn_back_in_heaven() -> None:
    """With the option the same stone wins (I19, reading B)."""
    state = position("1 3 5 7", 38, retreat=True)
    assert 45 in ends(state, "P38")
    facts = played(state, "P38-45")
    assert facts[0].data["path"] == [38, 42, 46, 50, 49, 45]


def test_turning_back_in_heaven_does_not_lead_back_to_earth() -> None:
    """The option frees steps between two squares of heaven, not those onto earth."""
    for steps in range(1, STONES + 1):
        for path in paths(38, steps, Going.RETREAT):
            earth = [square < 39 for square in path]
            assert earth == sorted(earth, reverse=True)


def test_a_stone_from_heaven_walks_freely_on_earth() -> None:
    """Backward, sideways and forward again (ambiguity 2)."""
    state = position("41 49 1")
    assert 29 in ends(state, 41)
    assert state.path("41-37") == (41, 40, 36, 37)


def test_i30_no_one_steps_from_heaven_into_the_underworld() -> None:
    """Not even where seven steps would lead there (I30, ambiguity 3)."""
    state = position("40 1 2 3 4 5", None, 47)
    assert state.steps(40) == 7
    assert 0 not in ends(state, 40)


def test_a_descent_mixes_with_no_step_forward() -> None:
    """Two steps down from 18: sideways to 17, then out. Forward first would be four."""
    state = position("18", None, 47)
    assert ends(state, 18) >= {0}
    assert state.path("18-0") == (18, 17, 0)
    assert 0 not in ends(position("18 1 3", None, 47), 18)


def test_stones_are_neither_jumped_nor_taken() -> None:
    """A lane with a stone in it is closed behind it."""
    state = position("3 13 20")
    assert ends(state, 0) == {8}
    assert ends(state, 3) == {9}
    assert 13 not in ends(position("7 13 20"), 7)


# ------------------------------------------------------------------------ which stone moves
def test_no_one_moves_the_personal_stone_of_another() -> None:
    """Only its owner can move it."""
    state = position("20 21", 30, 33)
    assert ends(state, "P30")
    assert not ends(state, "P33")
    assert not ends(state, 33)


def test_the_ban_lasts_one_turn_and_hits_one_stone() -> None:
    """What the last player moved is free again for the next but one (ambiguity 6)."""
    state = position("14 23 38", players=3)
    played(state, "14-21")
    assert not ends(state, 21)
    assert ends(state, 23)
    played(state, "23-26")
    assert ends(state, 21)
    assert not ends(state, 26)


def test_after_a_personal_stone_nothing_is_banned() -> None:
    """The ban speaks of neutral stones only."""
    state = position("20 21", 30)
    played(state, "P30-42")
    assert public(state)["ban"] is None


def test_i24_after_a_descent_no_neutral_stone_comes_up() -> None:
    """Those below are banned for one turn, all others are free (I24)."""
    state = position("22 27 33 8", None, 47)
    played(state, "22-0")
    assert public(state)["ban"] == 0
    assert not ends(state, 0)
    assert ends(state, 27)
    played(state, "27-43")
    assert ends(state, 0) == {5, 6}


def test_a_personal_stone_comes_up_all_the_same() -> None:
    """The ban after a descent does not hold it (ambiguity 9)."""
    state = position("22 27 33 8", 47, 0, turn=0)
    state.ban = 0
    state.turn = 1
    assert ends(state, "P0") == {3, 4}
    assert not ends(state, 0)


def test_a_personal_descent_bans_nothing() -> None:
    """The neutral stones below may come up at once."""
    state = position("27 33 8", 22, 47)
    played(state, "P22-0")
    assert public(state)["personal"] == [0, 47]
    assert public(state)["ban"] is None
    assert ends(state, 0)


# --------------------------------------------------------------------------- turning over
def test_i21_not_alone_in_heaven() -> None:
    """Another stone must be there, of whatever kind (I21)."""
    assert "turn:40" not in legal(position("40 20"))
    assert {"turn:40", "turn:39"} <= set(legal(position("40 39")))
    assert "turn:40" in legal(position("40", None, 47))


def test_i22_once_for_each_player() -> None:
    """No one turns over a second stone (I22)."""
    assert not any(move.startswith("turn:") for move in legal(position("40 39", 5)))


def test_i22_not_even_if_the_stone_was_sent_below() -> None:
    """The personal stone in the underworld stays the personal stone (ambiguity 20)."""
    state = position("40 39", 0)
    assert not any(move.startswith("turn:") for move in legal(state))
    assert ends(state, "P0")


def test_i23_turning_over_is_a_whole_turn() -> None:
    """The stone is personal, nothing is banned, the next player is to move (I23)."""
    state = position("40 39", ban=39)
    facts = played(state, "turn:40")
    assert kinds(facts) == ["turned"]
    seen = public(state)
    assert (seen["personal"], seen["turned"]) == ([40, None], [True, False])
    assert (seen["neutral"], seen["ban"], seen["turn"]) == ([39], None, 1)
    assert seen["amulets"] == [facts[0].data["amulet"], ""]


def test_the_stone_just_moved_is_not_turned_over() -> None:
    """The ban holds for turning over as well; a round later it is free (ambiguity 19)."""
    state = position("40 39", ban=40)
    assert [move for move in legal(state) if move.startswith("turn:")] == ["turn:39"]


def test_only_in_heaven() -> None:
    """Stones on earth are not turned over."""
    assert {m for m in legal(position("40 39 38 12")) if m.startswith("turn:")} == {
        "turn:39",
        "turn:40",
    }


def test_every_personal_stone_bears_another_amulet() -> None:
    """The square decides which; all seven turn up, and none twice at the same table."""
    shown = {}
    for square in (39, 40, 41, 42, 43, 46, 47, 48, 49, 50):
        other = 43 if square != 43 else 47
        state = position(f"{square} {other}", players=4)
        shown[square] = played(state, f"turn:{square}")[0].data["amulet"]
        state = position(f"{square} {other}", None, 1, players=4)
        state.amulets[1] = shown[square]
        assert played(state, f"turn:{square}")[0].data["amulet"] != shown[square]
    assert set(shown.values()) == set(AMULETS)


# ------------------------------------------------------------------------------ locking in
def test_several_are_locked_in_at_once() -> None:
    """Both leave, though the second would have room once the first is gone (ambiguity 11)."""
    state = position("25 31 36 37 39 50")
    one_by_one = state.clone()
    one_by_one.move_neutral(25, 38)
    assert one_by_one.locked() == [39, 50]
    one_by_one.move_neutral(39, 0)
    assert one_by_one.locked() == []
    facts = played(state, "25-38")
    assert facts[1].data == {"squares": [39, 50], "owners": [None, None]}
    assert on_board(state) == {31, 36, 37, 38}


def test_personal_stones_are_locked_in_and_stay_personal() -> None:
    """They go below and have to walk again."""
    state = position("42 47", None, 48)
    facts = played(state, "42-49")
    assert facts[1].data == {"squares": [48], "owners": [1]}
    seen = public(state)
    assert (seen["personal"], seen["turned"]) == ([None, 0], [False, True])
    assert ends(state, "P0") == {9, 10}


def test_one_may_lock_in_ones_own_stone() -> None:
    """The test asks for no one's name (ambiguity 10)."""
    state = position("42 47", 48, None)
    played(state, "42-49")
    assert public(state)["personal"] == [0, None]


def test_stones_sent_below_are_not_banned() -> None:
    """The next player may bring them up at once (ambiguity 8)."""
    state = position("48 42 47")
    played(state, "42-49")
    assert ends(state, 0) == {9, 10}


def test_a_way_that_ends_on_a_throne_keeps_a_personal_stone_free() -> None:
    """It can make its steps (ambiguity 14); a neutral one on the same square is locked in."""
    assert ends(position("46 47", 50), "P50") == {44}
    assert position("46 47", 50).locked() == []
    assert position("46 47 50").locked() == [50]


def test_a_way_down_to_earth_keeps_a_stone_free() -> None:
    """Normal movement counts, also outside heaven (ambiguity 13)."""
    state = position("23 25 39 50", 41)
    assert ends(state, 50) == {30, 33, 36}
    assert 50 not in state.locked()


def test_the_ban_locks_no_one_in() -> None:
    """A stone that could go but must not, stays (ambiguity 15)."""
    state = position("42 39 1")
    played(state, "42-49")
    assert public(state)["ban"] == 49
    assert not ends(state, 49)
    assert 49 in on_board(state)


def test_stones_on_earth_are_never_locked_in() -> None:
    """Without a way they simply stay where they are (ambiguity 16)."""
    state = position("1 3 5 7")
    assert not ends(state, 1)
    assert state.locked() == []


# -------------------------------------------------------------------------------- passing
def test_i27_who_can_do_nothing_passes() -> None:
    """With two players too: everything is jammed or banned, and then nothing is (I27)."""
    state = position("3", None, 8, turn=1)
    facts = played(state, "3-7")
    assert kinds(facts) == ["moved", "passed"]
    assert facts[1].data == {"seat": 0}
    seen = public(state)
    assert (seen["turn"], seen["ban"], seen["turns"]) == (1, None, 2)
    assert ends(state, 7)


def test_no_one_passes_at_will() -> None:
    """A player who can do something may not pass."""
    assert refusal(position("14 23 38"), "pass").code == "must_move"


# ------------------------------------------------------------------------------- the end
@pytest.mark.parametrize("players", [3, 4])
def test_the_first_throne_ends_the_match(players: int) -> None:
    """All others share the second place."""
    state = position("2 4 10", 46, players=players)
    played(state, "P46-44")
    outcome = GAME.outcome(state)
    assert outcome == Outcome((1, *[2] * (players - 1)), (1.0, *[0.0] * (players - 1)), "throne")
    assert GAME.actors(state) == ()


def test_playing_on_for_the_places() -> None:
    """The winner's stone returns as a neutral one; the last one left ends the match."""
    state = position("2 4 10", 46, players=3, places=True)
    facts = played(state, "P46-44")
    assert kinds(facts) == ["moved", "placed"]
    seen = public(state)
    assert (seen["placed"], seen["personal"], seen["below"]) == ([0], [None] * 3, 4)
    assert (seen["ban"], seen["turn"]) == (None, 1)
    assert seen["steps"] == {"below": 4, "in_play": 3}
    assert GAME.outcome(state) is None


def test_the_placed_player_is_skipped() -> None:
    """The others take turns among themselves."""
    state = position("2 4 10", 46, players=3, places=True)
    played(state, "P46-44")
    order = []
    for _ in range(4):
        order.append(state.turn)
        played(state, legal(state)[0])
    assert order == [1, 2, 1, 2]


def test_a_placed_players_stone_does_not_open_the_way_down() -> None:
    """It is no opponent's personal stone any more."""
    state = position("20 25 30", 46, players=3, places=True)
    played(state, "P46-44")
    assert not any(move.endswith("-0") for move in legal(state))


def test_second_and_last_place() -> None:
    """With three players the second throne ends it."""
    state = position("2 4 10", None, 46, None, players=3, places=True, turn=1)
    state.placed = [2]
    facts = played(state, "P46-44")
    assert facts[-1].data == {"reason": "places"}
    assert GAME.outcome(state) == Outcome((3, 2, 1), (0.0, 1.0, 1.0), "places")


def test_two_players_do_not_play_on() -> None:
    """The option does not exist for them."""
    with pytest.raises(BadSetup, match="option_players"):
        GAME.setup(2, {"places": True})


def test_the_third_repetition_is_a_draw() -> None:
    """Same stones, same ban, same player to move, for the third time."""
    state = position("", 47, 42)
    there_and_back = ["P47-49", "P42-40", "P49-47", "P40-42"]
    assert "over" not in kinds(played(state, *there_and_back, *there_and_back[:3]))
    facts = played(state, there_and_back[3])
    assert facts[-1].data == {"reason": "repetition"}
    assert GAME.outcome(state) == Outcome((1, 1), (0.0, 0.0), "repetition")


def test_another_ban_is_another_situation() -> None:
    """The same stones with another stone banned do not count as a repetition."""
    states = [position("39 42 1", ban=ban) for ban in (None, 39, 42)]
    assert len({state.situation() for state in states}) == 3


def test_the_cap_is_a_draw() -> None:
    """The cap of turns without a throne ends the match."""
    match = Match(GAME, GAME.setup(2, {"starter": "1", "cap": 60, "retreat": True}, "1"))
    rng = random.Random(1)
    while match.actors:
        (seat,) = match.actors
        safe = [m for m in GAME.legal(match.state, seat) if m.split("-")[-1] not in ("44", "45")]
        match.play(seat, [rng.choice(safe)])
    assert match.outcome == Outcome((1, 1), (0.0, 0.0), "cap")
    assert match.state.turns == 60


def test_a_draw_leaves_the_placed_in_front() -> None:
    """Players with a place keep it; the others share the next one."""
    state = position("2 4 10", 46, players=4, places=True, cap=60)
    played(state, "P46-44")
    state.turns = 59
    played(state, legal(state)[0])
    assert GAME.outcome(state) == Outcome((1, 2, 2, 2), (1.0, 0.0, 0.0, 0.0), "cap")


def test_no_one_moves_after_the_end() -> None:
    """The match is over for everyone."""
    match = Match(GAME, GAME.setup(2, {"starter": "1", "cap": 60}, "1"))
    while match.actors:
        match.play(match.actors[0], [GAME.legal(match.state, match.actors[0])[0]])
    with pytest.raises(NotYourTurn):
        match.play(0, ["0-13"])


# ------------------------------------------------------------------------------ refusals
REFUSED: list[tuple[IsisState, str, str, dict[str, Any]]] = [
    (position("14"), "fourteen", "unknown_move", {"text": "fourteen"}),
    (position("14"), "14-51", "unknown_square", {"square": 51}),
    (position("14"), "turn 77", "unknown_square", {"square": 77}),
    (position("14"), "pass", "must_move", {}),
    (position("14"), "15-19", "no_stone", {"square": 15}),
    (position("1 3 5 7 9 11 13"), "0-1", "no_stone", {"square": 0}),
    (position("14", 20), "20-21", "own_stone", {"square": 20}),
    (position("14", None, 20), "20-21", "foreign_stone", {"square": 20, "owner": 1}),
    (position("14"), "P14-18", "no_personal", {}),
    (position("14", 20), "P14-18", "personal_elsewhere", {"square": 20}),
    (position("14", 0), "P14-18", "personal_elsewhere", {"square": 0}),
    (position("14 23 38", ban=14), "14-21", "banned", {"square": 14}),
    (position("22 27 33", None, 47, ban=0), "0-5", "banned_below", {}),
    (position("14 16 38"), "14-16", "occupied", {"to": 16}),
    (position("2 4 46 10"), "46-44", "throne_neutral", {"to": 44}),
    (position("1 3 5 7", 38), "P38-45", "throne_from_earth", {"to": 45}),
    (position("14 23 38"), "14-22", "steps", {"square": 14, "to": 22, "steps": 3}),
    (position("4 20 21 22"), "0-7", "steps", {"square": 0, "to": 7, "steps": 3}),
    (position("4 20 21 22"), "0-6", "blocked", {"square": 0, "to": 6, "steps": 3}),
    (position("14 18 38"), "14-21", "blocked", {"square": 14, "to": 21, "steps": 3}),
    (position("14 23 38"), "23-15", "steps", {"square": 23, "to": 15, "steps": 3}),
    (position("14 23 38"), "23-13", "backward", {"square": 23, "to": 13}),
    (position("38 1 2 3"), "38-40", "steps", {"square": 38, "to": 40, "steps": 4}),
    (position("50 38 1 2 3"), "38-46", "steps", {"square": 38, "to": 46, "steps": 5}),
    (position("40 1 2 3 4 5", None, 47), "40-0", "descent_from", {"square": 40}),
    (position("22 27 33 8"), "22-0", "descent_closed", {}),
    (position("22 27 33 8", None, 47), "8-0", "steps", {"square": 8, "to": 0, "steps": 5}),
    (position("22 18 21", None, 47), "22-0", "blocked", {"square": 22, "to": 0, "steps": 4}),
    (position("40 39", 5), "turn 40", "turned_before", {}),
    (position("40 39 38"), "turn 38", "turn_heaven", {"square": 38}),
    (position("40 39"), "turn 41", "turn_neutral", {"square": 41}),
    (position("40 39", None, 41), "turn 41", "turn_neutral", {"square": 41}),
    (position("40 39", ban=40), "turn 40", "banned", {"square": 40}),
    (position("40 20"), "turn 40", "turn_alone", {"square": 40}),
]
"""Positions, what is typed there, and the rule that forbids it."""


@pytest.mark.parametrize(("state", "text", "code", "data"), REFUSED)
def test_refusals_name_the_rule(
    state: IsisState, text: str, code: str, data: dict[str, Any]
) -> None:
    """Each illegal move is refused by the rule that forbids it, and changes nothing."""
    refused = refusal(state, text)
    assert (refused.code, refused.data) == (code, data)


@pytest.mark.parametrize(
    "text",
    ["14-21", " 14 21 ", "14–21", "14 → 21", "14>21", "14 nach 21", "14 to 21", "14 - 21"],
)
def test_spellings_of_a_move(text: str) -> None:
    """Many spellings are understood."""
    assert GAME.parse(position("14 23 38"), 0, text) == "14-21"


@pytest.mark.parametrize("text", ["P46-44", "p46-44", "p 46 44", "P46 → 44"])
def test_spellings_of_a_personal_move(text: str) -> None:
    """With the letter P in either case."""
    assert GAME.parse(position("2 4 10", 46), 0, text) == "P46-44"


def test_the_square_of_ones_own_stone_is_enough() -> None:
    """People may leave out the P unless a neutral stone could be meant."""
    assert GAME.parse(position("2 4 10", 46), 0, "46 44") == "P46-44"
    assert GAME.parse(position("1 3 5 7 9 11", 0), 0, "0 2") == "P0-2"
    assert GAME.parse(position("11", 0), 0, "0 12") == "0-12"


@pytest.mark.parametrize("text", ["turn:40", "turn 40", "Turn 40", "convert 40", "umdrehen 40"])
def test_spellings_of_turning_over(text: str) -> None:
    """In English or German words."""
    assert GAME.parse(position("40 39"), 0, text) == "turn:40"
