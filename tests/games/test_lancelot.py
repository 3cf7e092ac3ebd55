"""Lancelot: every rule, the rulebook's examples, the readings of silent cases, and properties."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import (
    CHANCE,
    BadSetup,
    Fact,
    IllegalMove,
    Match,
    Move,
    NotYourTurn,
    Outcome,
)
from games.lancelot import Lancelot, LancelotState
from tests.games.slow_lancelot import COLUMNS, SlowJudge

GAME = Lancelot()
STONES = 30


# ------------------------------------------------------------------- setting up positions
def position(
    own: str = "",
    enemy: str = "",
    *others: str,
    players: int = 2,
    excalibur: str | None = None,
    diagonals: bool = False,
    turn: int = 0,
    **changes: Any,
) -> LancelotState:
    """A position with the stones of seat 0, of seat 1 and so on, squares divided by blanks.

    :param changes: other entries of the public view (``captured``, ``stock``, ``power``, ...).
    """
    options = {"diagonals": diagonals, "king": excalibur is not None, "starter": "1"}
    view = GAME.view(GAME.start(GAME.setup(players, options)), None)
    board = {
        square: seat
        for seat, squares in enumerate((own, enemy, *others))
        for square in squares.split()
    }
    placed = [list(board.values()).count(seat) for seat in range(players)]
    public = {
        **view.public,
        "board": board,
        "excalibur": excalibur,
        "turn": turn,
        "stock": [STONES - count for count in placed],
        **changes,
    }
    return GAME.determinize(replace(view, phase="turn", public=public), random.Random(0))


def played(state: LancelotState, *texts: str) -> list[Fact]:
    """Play the texts, each by the seat whose turn it is, and return the facts."""
    facts: list[Fact] = []
    for text in texts:
        (seat,) = GAME.actors(state)
        GAME.do(state, seat, GAME.parse(state, seat, text), facts)
    return facts


def taken(facts: list[Fact]) -> set[str]:
    """The squares from which stones were taken."""
    return {square for fact in facts if fact.kind == "captured" for square in fact.data["squares"]}


def public(state: LancelotState) -> Mapping[str, Any]:
    """What everyone sees."""
    return GAME.view(state, None).public


def legal(state: LancelotState) -> list[Move]:
    """The moves of the seat whose turn it is."""
    return GAME.legal(state, state.turn)


def refusal(state: LancelotState, text: str) -> IllegalMove:
    """The refusal of a move, which must be refused and must change nothing."""
    before = state.clone()
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(state, state.turn, text)
    assert state == before
    return caught.value


def row(number: int, columns: str = "DEFGHIJK") -> set[str]:
    """The squares of a row of the field for two."""
    return {f"{column}{number}" for column in columns}


def column(letter: str) -> set[str]:
    """The squares of a column of the field for two."""
    return {f"{letter}{number}" for number in range(4, 12)}


# --------------------------------------------------------------------- board and material
@pytest.mark.parametrize(
    ("players", "corners", "size", "goal"),
    [
        (2, ["D4", "K11"], 8, 7),
        (3, ["C3", "L12"], 10, 8),
        (4, ["B2", "M13"], 12, 9),
        (5, ["A1", "N14"], 14, 10),
    ],
)
def test_field_and_goal_grow_with_the_players(
    players: int, corners: list[str], size: int, goal: int
) -> None:
    """Section 1: field, size and goal for each number of players, 30 stones for each."""
    seen = public(GAME.start(GAME.setup(players, {"starter": "1"})))
    assert seen["corners"] == corners
    assert seen["size"] == size
    assert seen["goal"] == goal
    assert seen["stock"] == [30] * players
    assert seen["captured"] == [0] * players
    assert seen["board"] == {}


def test_goal_is_an_option() -> None:
    """Section 1: the goal may be lowered or raised by agreement."""
    assert GAME.setup(2, {"goal": 3}).options["goal"] == 3
    for goal in (0, 31):
        with pytest.raises(BadSetup) as refused:
            GAME.setup(2, {"goal": goal})
        assert refused.value.code == "option_value"


@pytest.mark.parametrize(("players", "lines"), [(2, 34), (3, 46), (4, 58), (5, 70)])
def test_diagonals_of_four_squares_count(players: int, lines: int) -> None:
    """Section 2: with the module every diagonal of at least four squares of the field counts."""
    size = 2 * players + 4
    field = GAME.start(GAME.setup(players, {"diagonals": True})).field
    diagonals = [
        squares
        for (kind, _), squares in zip(field.labels, field.squares_of, strict=True)
        if kind == "diagonal"
    ]
    assert len(field.squares_of) == lines
    assert min(map(len, diagonals)) == 4
    assert max(map(len, diagonals)) == size
    assert len(diagonals) == 2 * (2 * size - 7)


def test_reading_13_diagonals_are_measured_on_the_field() -> None:
    """Reading 13: F4-D6 is a diagonal of three squares of the field for two and does not count."""
    state = position("D6 E5", diagonals=True)
    assert "F4" in legal(state)
    state = position("D7 E6", diagonals=True)
    assert "G4" not in legal(state)


# ---------------------------------------------------------------------------- the starter
def test_the_starter_is_drawn_by_lot() -> None:
    """Section 3: the lot is a draw of CHANCE with equal weights for all seats."""
    state = GAME.start(GAME.setup(3))
    assert GAME.actors(state) == (CHANCE,)
    assert GAME.view(state, None).phase == "lot"
    assert GAME.chance(state) == [("start:1", 1.0), ("start:2", 1.0), ("start:3", 1.0)]
    facts: list[Fact] = []
    GAME.do(state, CHANCE, "start:3", facts)
    assert facts == [Fact("starter", {"seat": 2}, reveals=True)]
    assert GAME.actors(state) == (2,)


def test_the_starter_can_be_fixed() -> None:
    """Reading 18: for a rematch the starter may be named; then no lot is drawn."""
    state = GAME.start(GAME.setup(4, {"starter": "4"}))
    assert GAME.actors(state) == (3,)
    assert public(state)["starter"] == 3


def test_the_starter_must_sit_at_the_table() -> None:
    """A fixed starter beyond the players is a bad setup."""
    with pytest.raises(BadSetup) as refused:
        GAME.setup(2, {"starter": "3"})
    assert refused.value.code == "starter_seat"
    assert refused.value.data == {"starter": 3, "players": 2}


def test_turns_go_clockwise() -> None:
    """Section 3: the others follow in order of their seats."""
    state = GAME.start(GAME.setup(3, {"starter": "2"}))
    order = []
    for square in ("C3", "D4", "E5", "F6"):
        order.append(state.turn)
        played(state, square)
    assert order == [1, 2, 0, 1]


# ------------------------------------------------------------------------- 3.1 placements
def test_every_free_square_of_the_empty_field_may_be_chosen() -> None:
    """Section 3: a stone goes to any free square of the field, listed row by row."""
    moves = legal(position())
    assert len(moves) == 64
    assert moves[:2] == ["D4", "E4"]
    assert moves[-1] == "K11"


def test_l2_chivalry_forbids_a_third_stone_more() -> None:
    """L2, example 1: with leads of two in row 7 and column E all their other squares are taboo."""
    state = position("G7 I7 E5 E9")
    assert {square for square in row(7) | column("E") if square in legal(state)} == set()
    elsewhere = set(state.field.names) - row(7) - column("E")
    assert elsewhere - set(legal(state)) == set()


def test_l3_two_lines_take_at_once() -> None:
    """L3, example 2: K4 takes K9, K7 and I4 in column K and row 4; own stones stay."""
    state = position("K5 K6 K8 E4 G4", "K7 K9 I4")
    facts = played(state, "K4")
    assert facts == [
        Fact("placed", {"seat": 0, "square": "K4"}),
        Fact(
            "captured",
            {
                "seat": 0,
                "squares": ["K7", "K9", "I4"],
                "owners": [1, 1, 1],
                "lines": [
                    {"line": "column", "name": "K", "squares": ["K7", "K9"]},
                    {"line": "row", "name": "4", "squares": ["I4"]},
                ],
            },
        ),
    ]
    seen = public(state)
    assert seen["board"] == dict.fromkeys(["K4", "K5", "K6", "K8", "E4", "G4"], 0)
    assert seen["captured"] == [3, 0]


def test_l4_who_enters_a_line_led_by_more_is_safe() -> None:
    """L4, example 3: after a capture the enemy enters the line unharmed, its owner cannot."""
    state = position("K5 K6 K8 E4 G4", "K7 K9 I4")
    played(state, "K4")
    assert taken(played(state, "K11")) == set()
    assert public(state)["board"]["K11"] == 1
    assert refusal(state, "K10").code == "chivalry"


def test_l4_only_a_line_in_reach_can_be_taken_again() -> None:
    """L4, example 3: once enough enemies have entered, the owner may place and take them."""
    state = position("D4 F4 H4 J4 E9", "E4 G4", turn=1)
    played(state, "I4", "E10")
    facts = played(state, "I10", "K4")
    assert taken(facts) == {"E4", "G4", "I4"}


def test_l5_diagonals_take() -> None:
    """L5, example 4: C6 takes C5 and C2 in column C and D7 on the diagonal (reading 15)."""
    state = position("C3 C8 C11 E8 H11", "C5 C2 D7", players=5, diagonals=True)
    facts = played(state, "C6")
    assert taken(facts) == {"C5", "C2", "D7"}
    (captured,) = [fact for fact in facts if fact.kind == "captured"]
    assert captured.data["lines"] == [
        {"line": "column", "name": "C", "squares": ["C2", "C5"]},
        {"line": "diagonal", "name": "A4-K14", "squares": ["D7"]},
    ]


def test_example_4_chivalry_holds_on_diagonals() -> None:
    """Example 4: a lead of two on the diagonal through L1 and C10 closes all of it (reading 14)."""
    state = position("E8 F7", players=5, diagonals=True)
    diagonal = {"A12", "B11", "C10", "D9", "G6", "H5", "I4", "J3", "K2", "L1"}
    assert diagonal & set(legal(state)) == set()
    error = refusal(state, "C10")
    assert error.code == "chivalry"
    assert error.data["line"] == "diagonal"
    assert error.data["name"] == "A12-L1"


def test_diagonals_count_only_with_their_module() -> None:
    """Section 1: in the basic game a diagonal neither forbids nor takes."""
    assert "G7" in legal(position("E5 F6"))
    assert "G7" not in legal(position("E5 F6", diagonals=True))
    assert taken(played(position("D4 F6 G7", "E5 I9"), "H8")) == set()
    assert taken(played(position("D4 F6 G7", "E5 I9", diagonals=True), "H8")) == {"E5", "I9"}


@pytest.mark.parametrize("square", ["C4", "D3", "A1", "N14", "L4", "D12"])
def test_l9_squares_outside_the_field_do_not_exist(square: str) -> None:
    """L9: with two players only D4 to K11 is in play."""
    error = refusal(position(), square)
    assert error.code == "outside"
    assert error.data == {"square": square, "corners": ["D4", "K11"]}


def test_l10_a_second_stone_without_others_takes_nothing() -> None:
    """L10, reading 4: a lead of two without foreign stones is legal and takes nothing."""
    state = position("D4")
    assert [fact.kind for fact in played(state, "D7")] == ["placed"]
    assert public(state)["captured"] == [0, 0]


def test_l11_the_third_is_illegal_and_the_line_is_named() -> None:
    """L11: column D would be led by three."""
    error = refusal(position("D4 D7 H9 J9", "K9"), "D9")
    assert error.code == "chivalry"
    assert error.data == {
        "piece": "stone",
        "square": "D9",
        "line": "column",
        "name": "D",
        "lead": 3,
    }


def test_l11_a_lead_of_exactly_two_takes() -> None:
    """L11: E9 takes K9 in row 9."""
    assert taken(played(position("D4 D7 H9 J9", "K9"), "E9")) == {"K9"}


def test_foreign_stones_of_all_colours_count_and_are_taken() -> None:
    """Section 2: the lead is over all others together; reading 16: the goal counts all colours."""
    state = position("D4 F4 H4", "E4", "G4", players=3)
    assert "I4" in legal(state)
    assert taken(played(state.clone(), "I4")) == {"E4", "G4"}
    facts = played(state, "I4")
    (captured,) = [fact for fact in facts if fact.kind == "captured"]
    assert captured.data["owners"] == [1, 2]
    assert public(state)["captured"] == [2, 0, 0]


def test_reading_1_a_capture_does_not_excuse_a_breach() -> None:
    """Reading 1: where one line would take, another with a lead of three forbids the stone."""
    state = position("D5 D7 F9 H9", "J9")
    assert refusal(state, "D9").data["name"] == "D"
    assert taken(played(position("D5 F9 H9", "J9"), "D9")) == {"J9"}


def test_reading_2_the_lead_is_counted_before_the_removal() -> None:
    """Reading 2: a capture that leaves a lead of four on its line is legal."""
    state = position("D4 E4 F4", "G4 H4")
    assert taken(played(state, "I4")) == {"G4", "H4"}
    assert state.lead(0, state.field.labels.index(("row", "4"))) == 4


def test_reading_3_both_lines_are_judged_before_anything_is_removed() -> None:
    """Reading 3: two lines of one stone take from the same snapshot."""
    state = position("D5 D6 E4 F4", "D7 G4")
    assert taken(played(state, "D4")) == {"D7", "G4"}


def test_reading_5_a_lead_that_drops_to_two_takes_nothing() -> None:
    """Reading 5: an enemy joining a line led by three is not taken, nor when others are."""
    state = position("D4 E4 F4", "K11")
    state.turn = 1
    assert taken(played(state, "G4")) == set()
    assert public(state)["board"]["G4"] == 1


def test_reading_6_a_lead_that_removals_create_is_tolerated() -> None:
    """Reading 6: where a removal leaves a lead of three on a crossing line, it only closes it."""
    state = position("G5 G7 G8 D9 F9", "G9", "K11 K10", players=3, turn=0)
    facts = played(state, "H9")
    assert taken(facts) == {"G9"}
    assert state.lead(0, state.field.labels.index(("column", "G"))) == 3
    played(state, "C3", "C5")
    assert refusal(state, "G12").data["lead"] == 4


def test_occupied_squares_are_refused_with_their_owner() -> None:
    """Section 3: a stone needs a free square; the refusal says who holds it."""
    state = position("D4", "E5", excalibur="F6")
    owners = {square: refusal(state, square).data["owner"] for square in ("D4", "E5", "F6")}
    assert owners == {"D4": 0, "E5": 1, "F6": None}
    assert refusal(state, "D4").code == "occupied"


def test_placing_is_compulsory() -> None:
    """Section 3: no one passes who can place."""
    assert refusal(position(), "pass").code == "must_place"
    assert refusal(position(excalibur="H7"), "pass").code == "must_place"


# --------------------------------------------------------------------- 3.2 King's power
def test_l21_the_right_neighbour_of_the_starter_sets_excalibur() -> None:
    """L21: with starter 1 of three, seat 0 first sets Excalibur on any square of the field."""
    state = GAME.start(GAME.setup(3, {"king": True, "starter": "2"}))
    assert GAME.view(state, None).phase == "sword"
    assert GAME.actors(state) == (0,)
    assert len(legal(state)) == 100
    assert refusal(state, "D4").code == "sword_due"
    assert refusal(state, "pass").code == "sword_due"
    facts = played(state, "X:D4")
    assert facts == [Fact("sword_set", {"seat": 0, "square": "D4"})]
    assert GAME.actors(state) == (1,)
    assert public(state)["power"] == [True, True, True]


def test_with_two_the_other_one_sets_excalibur() -> None:
    """Section 3: with two players it is the one who does not start."""
    for starter in (0, 1):
        state = GAME.start(GAME.setup(2, {"king": True, "starter": str(starter + 1)}))
        assert GAME.actors(state) == (1 - starter,)


def test_excalibur_is_set_after_the_lot() -> None:
    """Section 3: the lot comes first, as it decides who sets Excalibur."""
    state = GAME.start(GAME.setup(4, {"king": True}))
    GAME.do(state, CHANCE, "start:1")
    assert GAME.actors(state) == (3,)


@pytest.mark.parametrize("square", sorted(row(7, "ACEGJLN") - {"H7"}))
def test_l7_excalibur_counts_as_an_enemy_and_stays(square: str) -> None:
    """L7, example 5: any free square of row 7 takes F7 and M7; Excalibur stays."""
    state = position("B7 D7 I7 K7", "F7 M7", players=5, excalibur="H7")
    assert taken(played(state, square)) == {"F7", "M7"}
    assert public(state)["excalibur"] == "H7"


def test_l8_excalibur_counts_as_an_own_stone_when_moved() -> None:
    """L8, example 6: stone G8 and Excalibur G6 take E6, G3, G4 and G9."""
    state = position("C6 J6 G5 G10 G12", "E6 G3 G4 G9", players=3, excalibur="D11")
    facts = played(state, "X:G6", "G8")
    assert [fact.kind for fact in facts] == ["power_used", "sword_moved", "placed", "captured"]
    assert facts[1].data == {"seat": 0, "origin": "D11", "square": "G6"}
    assert taken(facts) == {"E6", "G3", "G4", "G9"}
    seen = public(state)
    assert seen["power"] == [False, True, True]
    assert seen["captured"] == [4, 0, 0]
    assert seen["excalibur"] == "G6"
    assert seen["lifted"] is None


def test_l8_only_both_together_take_the_column() -> None:
    """L8: the stone alone leaves column G in balance and takes nothing."""
    state = position("C6 J6 G5 G10 G12", "E6 G3 G4 G9", players=3, excalibur="D11")
    assert taken(played(state, "G8")) == set()


def test_excalibur_is_an_enemy_again_after_the_turn() -> None:
    """3.2: from the next turn on Excalibur counts against everyone, the mover included."""
    state = position("C6 J6 G5 G10 G12", "E6 G3 G4 G9", players=3, excalibur="D11")
    column_g = state.field.labels.index(("column", "G"))
    played(state, "X:G6")
    assert [state.lead(seat, column_g) for seat in range(3)] == [1, -1, -7]
    played(state, "G8")
    assert [state.lead(seat, column_g) for seat in range(3)] == [3, -5, -5]


def test_l15_excalibur_counts_for_the_limit_too() -> None:
    """L15, reading 7: three own stones and Excalibur are a lead of two, legal, taking nothing."""
    state = position("D4 F4", excalibur="H4")
    assert taken(played(state, "J4")) == set()
    assert refusal(position("D4 F4 J4", excalibur="H4"), "K4").code == "chivalry"


def test_the_power_is_used_once() -> None:
    """3.2: no one calls on the King twice; the others still may."""
    state = position("D4", "K11", excalibur="H7", power=[False, True])
    assert not [move for move in legal(state) if move.startswith("X:")]
    assert refusal(state, "X:G6").code == "power_used"
    played(state, "E6")
    assert "X:G6" in legal(state)


def test_without_the_module_there_is_no_power() -> None:
    """Section 1: the module is optional."""
    assert refusal(position(), "X:G6").code == "no_power_module"
    assert public(position())["power"] == [False, False]


def test_excalibur_must_move() -> None:
    """3.2: it cannot stay on its square."""
    error = refusal(position(excalibur="H7"), "X:H7")
    assert error.code == "sword_stays"
    assert error.data == {"square": "H7"}


@pytest.mark.parametrize(("text", "code"), [("X:D4", "occupied"), ("X:A1", "outside")])
def test_excalibur_needs_a_free_square_of_the_field(text: str, code: str) -> None:
    """Reading 11: it is neither stacked nor moved outside."""
    assert refusal(position("D4", excalibur="H7"), text).code == code


def test_excalibur_is_never_taken() -> None:
    """Reading 11: a capture leaves Excalibur where it is and does not count it."""
    state = position("D4 E4 F4", "G4", excalibur="H4")
    assert taken(played(state, "I4")) == {"G4"}
    assert public(state)["excalibur"] == "H4"
    assert public(state)["captured"] == [1, 0]


def test_reading_8_the_stone_may_go_to_the_square_that_excalibur_left() -> None:
    """Reading 8: the vacated square is free for the stone of the same turn."""
    state = position(excalibur="H7")
    played(state, "X:D4", "H7")
    assert public(state)["board"] == {"H7": 0}
    assert public(state)["excalibur"] == "D4"


def test_the_stone_cannot_go_under_excalibur() -> None:
    """3.2: stone and Excalibur need two squares."""
    state = position(excalibur="H7")
    played(state, "X:D4")
    assert refusal(state, "D4").code == "occupied"


def test_reading_9_the_limit_binds_the_lines_that_excalibur_enters() -> None:
    """Reading 9: Excalibur may not make a lead of three, as it is an own stone then."""
    error = refusal(position("D4 F4", excalibur="H7"), "X:K4")
    assert error.code == "chivalry"
    assert error.data == {"piece": "sword", "square": "K4", "line": "row", "name": "4", "lead": 3}


def test_reading_9_excalibur_and_stone_count_together_for_the_limit() -> None:
    """3.2: a line that has room for one more cannot take both Excalibur and the stone."""
    state = position("D4", excalibur="H7")
    played(state, "X:K4")
    assert refusal(state, "F4").data == {
        "piece": "stone",
        "square": "F4",
        "line": "row",
        "name": "4",
        "lead": 3,
    }


def test_3_2_lines_that_only_excalibur_enters_take() -> None:
    """3.2: every line through Excalibur's new square is judged, wherever the stone goes."""
    state = position("D4 E4", "F4 G9", excalibur="H7")
    assert taken(played(state, "X:G4", "K11")) == {"F4"}


def test_reading_10_lines_that_excalibur_leaves_are_not_judged() -> None:
    """Reading 10: on the line it leaves a lead of two or three arises, which takes nothing."""
    state = position("D7 E7 F7 I7", "G7", excalibur="H7")
    facts = played(state, "X:D4", "K11")
    assert taken(facts) == set()
    assert state.lead(0, state.field.labels.index(("row", "7"))) == 3


def test_a_line_that_excalibur_leaves_is_closed_for_the_stone() -> None:
    """3.2: the stone is judged without Excalibur on its old square."""
    state = position("D7 E7 F7", excalibur="H7")
    assert refusal(state, "G7").code == "chivalry"
    state = position("D7 F7", excalibur="H7")
    assert "G7" in legal(state)
    played(state, "X:K11")
    assert refusal(state, "G7").data["lead"] == 3


def test_reading_12_moving_excalibur_is_no_turn() -> None:
    """Reading 12: the move of Excalibur is additional, the stone must follow."""
    state = position(excalibur="H7")
    played(state, "X:D4")
    view = GAME.view(state, None)
    assert view.phase == "stone"
    assert view.actors == (0,)
    assert view.public["lifted"] == "H7"
    assert refusal(state, "X:E5").code == "sword_already_moved"
    assert refusal(state, "pass").code == "must_place"


def test_a_stone_that_both_lines_take_is_taken_once() -> None:
    """3.2: where a line of the stone crosses one of Excalibur's on an enemy, it counts once."""
    state = position("E9 F9 I5 I6", "I9", excalibur="K11")
    facts = played(state, "X:H9", "I7")
    assert taken(facts) == {"I9"}
    (captured,) = [fact for fact in facts if fact.kind == "captured"]
    assert captured.data["squares"] == ["I9"]
    assert public(state)["captured"] == [1, 0]


def test_excalibur_needs_a_square_beside_which_a_stone_can_stand() -> None:
    """3.2: Excalibur may not be moved where no stone square would be left."""
    # Rows 4 to 10 are closed for seat 0. Without Excalibur row 11 has room for one more only.
    own = " ".join(f"D{number} E{number}" for number in range(4, 12)) + " F11"
    state = position(own, "G11 H11", excalibur="K11")
    assert legal(state) == ["I11", "J11"]
    error = refusal(state, "X:I11")
    assert error.code == "no_stone_square"
    assert error.data == {"square": "I11"}


def test_the_only_open_square_is_for_the_stone() -> None:
    """3.2: where a single square is open, Excalibur cannot take it from the stone."""
    own = " ".join(f"D{number} E{number}" for number in range(4, 12)) + " F4"
    state = position(own, "F11 G11 H11 I11 K11", excalibur="K4")
    assert legal(state) == ["J11"]
    assert refusal(state, "X:J11").code == "no_stone_square"


def test_a_line_that_holds_nothing_but_excalibur_is_not_told() -> None:
    """Readings 4 and 11: of two lines led by two only that with foreign stones is named."""
    state = position("D4 D5 F7 G7", "D6", excalibur="H7")
    facts = played(state, "D7")
    (captured,) = [fact for fact in facts if fact.kind == "captured"]
    assert captured.data["lines"] == [{"line": "column", "name": "D", "squares": ["D6"]}]


# -------------------------------------------------------------------------------- the end
def test_l18_the_goal_ends_the_match() -> None:
    """L18: with the seventh stone taken the match is over at once and the captor wins."""
    state = position("E5 H5", "J5", captured=[6, 0])
    facts = played(state, "D5")
    assert facts[-1] == Fact("over", {"reason": "goal", "winners": [0]})
    assert GAME.actors(state) == ()
    assert GAME.outcome(state) == Outcome((1, 2), (7.0, 0.0), "goal")


def test_a_multiple_capture_may_overshoot_the_goal() -> None:
    """Section 4: more than the goal counts as well."""
    state = position("K5 K6 K8 E4 G4", "K7 K9 I4", captured=[6, 5])
    played(state, "K4")
    assert GAME.outcome(state) == Outcome((1, 2), (9.0, 5.0), "goal")


def test_below_the_goal_the_match_goes_on() -> None:
    """Section 4: six of seven do not win."""
    state = position("E5 H5", "J5", captured=[5, 0])
    played(state, "D5")
    assert GAME.outcome(state) is None
    assert GAME.actors(state) == (1,)


def test_l19_when_no_one_can_place_equal_captures_share_the_victory() -> None:
    """L19: after the last stone all pass; three to three is a shared victory."""
    state = position("D4", "K11", stock=[1, 0], captured=[3, 3])
    facts = played(state, "F6")
    assert facts[1:] == [
        Fact("passed", {"seat": 1, "why": "no_stones"}),
        Fact("passed", {"seat": 0, "why": "no_stones"}),
        Fact("over", {"reason": "all_passed", "winners": [0, 1]}),
    ]
    assert GAME.outcome(state) == Outcome((1, 1), (3.0, 3.0), "all_passed")


def test_when_no_one_can_place_the_most_captures_win() -> None:
    """Section 4: short of the goal the most stones taken win, the others are ranked by theirs."""
    state = position(players=4, stock=[1, 0, 0, 0], captured=[2, 5, 2, 0])
    played(state, "F6")
    assert GAME.outcome(state) == Outcome((2, 1, 2, 4), (2.0, 5.0, 2.0, 0.0), "all_passed")


def test_reading_17_who_has_no_stones_is_passed_over() -> None:
    """Reading 17: a seat without stones passes without being asked and the others go on."""
    state = position(players=3, stock=[5, 0, 5])
    facts = played(state, "F6")
    assert facts[1:] == [Fact("passed", {"seat": 1, "why": "no_stones"})]
    assert GAME.actors(state) == (2,)


def test_reading_17_who_has_no_stones_can_still_win() -> None:
    """Reading 17: what was taken before counts at the end."""
    state = position(stock=[1, 0], captured=[1, 4])
    played(state, "F6")
    assert GAME.outcome(state) == Outcome((2, 1), (1.0, 4.0), "all_passed")


def test_l24_who_has_stones_but_no_square_is_passed_over() -> None:
    """L24: leading all rows by three, seat 0 passes until the enemy has entered often enough."""
    own = " ".join(f"{letter}{number}" for letter in "DEF" for number in range(4, 12))
    state = position(own, turn=1)
    facts = played(state, "G4")
    assert facts[1:] == [Fact("passed", {"seat": 0, "why": "no_square"})]
    assert GAME.actors(state) == (1,)
    played(state, "H4")
    assert GAME.actors(state) == (0,)
    assert legal(state) == ["I4", "J4", "K4"]


def test_after_the_end_no_one_acts() -> None:
    """Section 4: a finished match accepts nothing more."""
    match = Match(GAME, GAME.setup(2, {"goal": 1, "starter": "1"}))
    for seat, square in enumerate(("D4", "K4", "E4", "K5", "F4")):
        match.play(seat % 2, [square])
    assert match.outcome == Outcome((1, 2), (1.0, 0.0), "goal")
    with pytest.raises(NotYourTurn):
        match.play(1, ["G7"])


# ------------------------------------------------------------------------------- notation
@pytest.mark.parametrize("text", ["K4", "k4", " k 4 ", "K  4", "k04"])
def test_squares_may_be_typed_as_one_likes(text: str) -> None:
    """Case and blanks do not matter."""
    assert GAME.parse(position(), 0, text) == "K4"


@pytest.mark.parametrize(
    "text", ["X:G6", "x:g6", "x g6", "xg6", "X: G 6", "sword g6", "Schwert G6", "excalibur: g6"]
)
def test_excalibur_has_several_names(text: str) -> None:
    """The sword is understood in German and English."""
    assert GAME.parse(position(excalibur="H7"), 0, text) == "X:G6"


@pytest.mark.parametrize("text", ["", "O4", "K15", "K0", "K", "4", "4K", "K4 K5", "ſ4", "K٤", "x"])
def test_what_is_no_square_of_the_plan_is_unknown(text: str) -> None:
    """Anything else is refused as unknown, foreign digits included."""
    error = refusal(position(), text)
    assert error.code == "unknown_square"
    assert error.data == {"text": text}


def test_the_text_of_a_refusal_is_cut() -> None:
    """A very long text is not quoted in full."""
    assert len(refusal(position(), "K" * 3000).data["text"]) == 40


# ------------------------------------------------------------- the rules once more, slowly
def random_states(
    players: int, seed: int, every: int, **options: bool
) -> Iterator[tuple[LancelotState, random.Random]]:
    """Some positions of a random match in which a stone may be placed or the King called."""
    rng = random.Random(seed)
    state = GAME.start(GAME.setup(players, {"goal": 30, "starter": "1", **options}))
    while actors := GAME.actors(state):
        if state.phase == "turn" and state.ply % every == 0:
            yield state, rng
        moves = GAME.legal(state, actors[0])
        GAME.do(state, actors[0], rng.choice(moves))


@pytest.mark.parametrize("diagonals", [False, True])
@pytest.mark.parametrize("king", [False, True])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_placements_agree_with_the_slow_rules(players: int, king: bool, diagonals: bool) -> None:
    """Legal squares and captures are those of rules written a second time."""
    for state, _ in random_states(players, 1, every=11, king=king, diagonals=diagonals):
        judge = SlowJudge.of(GAME.view(state, None), state.turn)
        verdicts = {square: judge.turn(square) for square in judge.field}
        stones = [move for move in legal(state) if not move.startswith("X:")]
        assert stones == [square for square, loot in verdicts.items() if loot is not None]
        for square in stones:
            assert taken(played(state.clone(), square)) == verdicts[square], square


@pytest.mark.parametrize("diagonals", [False, True])
@pytest.mark.parametrize("players", [2, 3])
def test_turns_with_the_kings_power_agree_with_the_slow_rules(
    players: int, diagonals: bool
) -> None:
    """Squares of Excalibur, stones beside it and captures are those of the slow rules."""
    for state, rng in random_states(players, 2, every=13, king=True, diagonals=diagonals):
        if not state.power[state.turn]:
            continue
        judge = SlowJudge.of(GAME.view(state, None), state.turn)
        moves = legal(state)
        for sword in rng.sample(judge.field, 6):
            verdicts = {square: judge.turn(square, sword) for square in judge.field}
            stones = [square for square, loot in verdicts.items() if loot is not None]
            assert (f"X:{sword}" in moves) == bool(stones), sword
            if not stones:
                continue
            called = state.clone()
            played(called, f"X:{sword}")
            assert legal(called) == stones, sword
            stone = rng.choice(stones)
            assert taken(played(called, stone)) == verdicts[stone], (sword, stone)


@pytest.mark.seeds(4)
def test_crowded_fields_agree_with_the_slow_rules(seed: int) -> None:
    """On a nearly closed board Excalibur goes exactly where a stone can follow."""
    rng = random.Random(seed)
    squares = position().field.names
    refused = 0
    for _ in range(12):
        own = rng.sample(squares, 30)
        enemy = rng.sample([s for s in squares if s not in own], 18)
        sword = rng.choice([s for s in squares if s not in (*own, *enemy)])
        state = position(" ".join(own), " ".join(enemy), excalibur=sword)
        judge = SlowJudge.of(GAME.view(state, None), 0)
        expected = [f"X:{x}" for x in squares if any(judge.turn(s, x) is not None for s in squares)]
        moves = legal(state)
        assert [move for move in moves if move.startswith("X:")] == expected, sword
        assert {move.removeprefix("X:") for move in expected} <= set(moves)
        refused += len(moves) - 2 * len(expected)
    assert refused > 0


# ---------------------------------------------------------------------------- properties
def random_match(players: int, options: Mapping[str, Any], seed: int) -> Match[LancelotState]:
    """A match with random moves, played to its end."""
    match = Match(GAME, GAME.setup(players, options, str(seed)))
    match.advance()
    rng = random.Random(seed)
    while match.actors:
        (seat,) = match.actors
        match.play(seat, [rng.choice(GAME.legal(match.state, seat))])
    return match


MATCHES = st.fixed_dictionaries(
    {
        "players": st.integers(2, 5),
        "seed": st.integers(0, 10**6),
        "options": st.fixed_dictionaries(
            {"king": st.booleans(), "diagonals": st.booleans(), "goal": st.integers(1, 30)}
        ),
    }
)


@settings(max_examples=30, deadline=None)
@given(MATCHES)
def test_no_stone_is_lost_or_made(drawn: dict[str, Any]) -> None:
    """Of each colour, stock, field and the stones taken by others make thirty in every position."""
    match = random_match(**drawn)
    players = drawn["players"]
    lost = [0] * players
    state = GAME.start(match.setup)
    for event in match.log:
        facts: list[Fact] = []
        GAME.do(state, event.seat, event.move, facts)
        for fact in facts:
            if fact.kind == "captured":
                for owner in fact.data["owners"]:
                    lost[owner] += 1
        seen = public(state)
        placed = [list(seen["board"].values()).count(seat) for seat in range(players)]
        assert [sum(counts) for counts in zip(seen["stock"], placed, lost, strict=True)] == [
            STONES
        ] * players
        assert sum(seen["captured"]) == sum(lost)


@settings(max_examples=30, deadline=None)
@given(MATCHES)
def test_every_match_comes_to_its_end(drawn: dict[str, Any]) -> None:
    """A match ends by the goal or when all have passed, and the facts say so last."""
    match = random_match(**drawn)
    outcome = match.outcome
    assert outcome is not None
    reached = max(outcome.scores) >= drawn["options"]["goal"]
    assert outcome.reason == ("goal" if reached else "all_passed")
    last = match.history(None)[-1][2][-1]
    assert last.kind == "over"
    assert tuple(last.data["winners"]) == outcome.winners()
    assert match.ply <= GAME.info.max_events
    if reached:
        assert len(outcome.winners()) == 1


@settings(max_examples=20, deadline=None)
@given(MATCHES, st.integers(0, 4))
def test_the_names_of_the_seats_do_not_matter(drawn: dict[str, Any], shift: int) -> None:
    """Shifting all seats shifts the result and changes nothing else."""
    match = random_match(**drawn)
    players: int = drawn["players"]

    def moved(seat: int) -> int:
        return (seat + shift) % players

    state = GAME.start(match.setup)
    for event in match.log:
        if event.seat == CHANCE:
            starter = moved(int(event.move.removeprefix("start:")) - 1)
            GAME.do(state, CHANCE, f"start:{starter + 1}")
        else:
            assert GAME.actors(state) == (moved(event.seat),)
            GAME.do(state, moved(event.seat), event.move)
    before, after = public(match.state), public(state)
    assert after["board"] == {square: moved(seat) for square, seat in before["board"].items()}
    for entry in ("captured", "stock", "power"):
        assert [after[entry][moved(seat)] for seat in range(players)] == before[entry]


def turned(square: str, corners: list[str], symmetry: int) -> str:
    """The square's image under one of the eight symmetries of the field."""
    (left, bottom), (right, top) = (
        (COLUMNS.index(corner[0]), int(corner[1:])) for corner in corners
    )
    column_, row_ = COLUMNS.index(square[0]) - left, int(square[1:]) - bottom
    if symmetry & 1:
        column_ = right - left - column_
    if symmetry & 2:
        row_ = top - bottom - row_
    if symmetry & 4:
        column_, row_ = row_, column_
    return f"{COLUMNS[left + column_]}{bottom + row_}"


@settings(max_examples=20, deadline=None)
@given(MATCHES, st.integers(1, 7))
def test_the_sides_of_the_field_do_not_matter(drawn: dict[str, Any], symmetry: int) -> None:
    """A match reflected or turned takes the same stones, reflected or turned."""
    match = random_match(**drawn)
    corners = public(match.state)["corners"]

    def image(move: Move) -> Move:
        prefix = "X:" if move.startswith("X:") else ""
        return prefix + turned(move.removeprefix("X:"), corners, symmetry)

    state, mirrored = GAME.start(match.setup), GAME.start(match.setup)
    for seat, move in ((event.seat, event.move) for event in match.log):
        facts: list[Fact] = []
        mirrored_facts: list[Fact] = []
        GAME.do(state, seat, move, facts)
        GAME.do(mirrored, seat, move if seat == CHANCE else image(move), mirrored_facts)
        assert {image(square) for square in taken(facts)} == taken(mirrored_facts)
    assert GAME.outcome(mirrored) == match.outcome


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_playouts_end_for_every_number_of_players(players: int) -> None:
    """Games by ``random_move`` end, and sometimes reach the goal."""
    reasons = set()
    for seed in range(25):
        rng = random.Random(seed)
        state = GAME.start(GAME.setup(players, {"goal": 3, "diagonals": True, "king": True}))
        GAME.do(state, CHANCE, "start:1")
        while actors := GAME.actors(state):
            GAME.do(state, actors[0], GAME.random_move(state, actors[0], rng))
        outcome = GAME.outcome(state)
        assert outcome is not None
        reasons.add(outcome.reason)
    assert "goal" in reasons


def test_random_moves_keep_the_kings_power() -> None:
    """A playout sets Excalibur when that is due, but does not throw the power away."""
    rng = random.Random(1)
    state = GAME.start(GAME.setup(2, {"king": True, "starter": "1"}))
    assert GAME.random_move(state, 1, rng).startswith("X:")
    GAME.do(state, 1, "X:H7")
    assert not any(GAME.random_move(state, 0, rng).startswith("X:") for _ in range(200))
