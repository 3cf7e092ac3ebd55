"""Lancelot: the field, placements, how a match ends, and notation."""

from __future__ import annotations

import pytest

from games.engine import (
    CHANCE,
    BadSetup,
    Fact,
    Match,
    NotYourTurn,
    Outcome,
)
from tests.games.lancelot_table import (
    GAME,
    column,
    legal,
    played,
    position,
    public,
    refusal,
    row,
    taken,
)


# --------------------------------------------------------------------- board and material
@pytest.mark.rule("lancelot", "1")
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
    seen = public(GAME.start(GAME.setup(players, {"starter": "1"})))
    assert seen["corners"] == corners
    assert seen["size"] == size
    assert seen["goal"] == goal
    assert seen["stock"] == [30] * players
    assert seen["captured"] == [0] * players
    assert seen["board"] == {}


@pytest.mark.rule("lancelot", "1")
def test_goal_is_an_option() -> None:
    assert GAME.setup(2, {"goal": 3}).options["goal"] == 3
    for goal in (0, 31):
        with pytest.raises(BadSetup) as refused:
            GAME.setup(2, {"goal": goal})
        assert refused.value.code == "option_value"


@pytest.mark.rule("lancelot", "2")
@pytest.mark.parametrize(("players", "lines"), [(2, 34), (3, 46), (4, 58), (5, 70)])
def test_diagonals_of_four_squares_count(players: int, lines: int) -> None:
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


@pytest.mark.rule("lancelot", "5.13")
def test_reading_13_diagonals_are_measured_on_the_field() -> None:
    """Reading 13: F4-D6, a diagonal of three squares on the board for two, does not count."""
    state = position("D6 E5", diagonals=True)
    assert "F4" in legal(state)
    state = position("D7 E6", diagonals=True)
    assert "G4" not in legal(state)


# ---------------------------------------------------------------------------- the starter
@pytest.mark.rule("lancelot", "3")
def test_the_starter_is_drawn_by_lot() -> None:
    state = GAME.start(GAME.setup(3))
    assert GAME.actors(state) == (CHANCE,)
    assert GAME.view(state, None).phase == "lot"
    assert GAME.chance(state) == [("start:1", 1.0), ("start:2", 1.0), ("start:3", 1.0)]
    facts: list[Fact] = []
    GAME.do(state, CHANCE, "start:3", facts)
    assert facts == [Fact("starter", {"seat": 2}, reveals=True)]
    assert GAME.actors(state) == (2,)


@pytest.mark.rule("lancelot", "5.18")
def test_the_starter_can_be_fixed() -> None:
    state = GAME.start(GAME.setup(4, {"starter": "4"}))
    assert GAME.actors(state) == (3,)
    assert public(state)["starter"] == 3


def test_the_starter_must_sit_at_the_table() -> None:
    with pytest.raises(BadSetup) as refused:
        GAME.setup(2, {"starter": "3"})
    assert refused.value.code == "starter_seat"
    assert refused.value.data == {"starter": 3, "players": 2}


@pytest.mark.rule("lancelot", "3")
def test_turns_go_clockwise() -> None:
    state = GAME.start(GAME.setup(3, {"starter": "2"}))
    order = []
    for square in ("C3", "D4", "E5", "F6"):
        order.append(state.turn)
        played(state, square)
    assert order == [1, 2, 0, 1]


# ------------------------------------------------------------------------- 3.1 placements
@pytest.mark.rule("lancelot", "3")
def test_every_free_square_of_the_empty_field_may_be_chosen() -> None:
    moves = legal(position())
    assert len(moves) == 64
    assert moves[:2] == ["D4", "E4"]
    assert moves[-1] == "K11"


@pytest.mark.rule("lancelot", "2")
def test_l2_chivalry_forbids_a_third_stone_more() -> None:
    """L2, example 1: leads of two in row 7 and column E close all other squares there."""
    state = position("G7 I7 E5 E9")
    assert {square for square in row(7) | column("E") if square in legal(state)} == set()
    elsewhere = set(state.field.names) - row(7) - column("E")
    assert elsewhere - set(legal(state)) == set()


@pytest.mark.rule("lancelot", "3.1")
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
    """L4, example 3: after a capture, the opponent may enter the line safely; the seat that leads
    it may not enter.
    """
    state = position("K5 K6 K8 E4 G4", "K7 K9 I4")
    played(state, "K4")
    assert taken(played(state, "K11")) == set()
    assert public(state)["board"]["K11"] == 1
    assert refusal(state, "K10").code == "chivalry"


def test_l4_only_a_line_in_reach_can_be_taken_again() -> None:
    """L4, example 3: once opponents have placed enough stones on a line, the seat that leads it may
    place a stone, too, and capture theirs.
    """
    state = position("D4 F4 H4 J4 E9", "E4 G4", turn=1)
    played(state, "I4", "E10")
    facts = played(state, "I10", "K4")
    assert taken(facts) == {"E4", "G4", "I4"}


@pytest.mark.rule("lancelot", "5.15")
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


@pytest.mark.rule("lancelot", "5.14")
def test_example_4_chivalry_holds_on_diagonals() -> None:
    """Example 4: a lead of two on the diagonal through L1 and C10 closes all of it (reading 14)."""
    state = position("E8 F7", players=5, diagonals=True)
    diagonal = {"A12", "B11", "C10", "D9", "G6", "H5", "I4", "J3", "K2", "L1"}
    assert diagonal & set(legal(state)) == set()
    error = refusal(state, "C10")
    assert error.code == "chivalry"
    assert error.data["line"] == "diagonal"
    assert error.data["name"] == "A12-L1"


@pytest.mark.rule("lancelot", "1")
def test_diagonals_count_only_with_their_module() -> None:
    assert "G7" in legal(position("E5 F6"))
    assert "G7" not in legal(position("E5 F6", diagonals=True))
    assert taken(played(position("D4 F6 G7", "E5 I9"), "H8")) == set()
    assert taken(played(position("D4 F6 G7", "E5 I9", diagonals=True), "H8")) == {"E5", "I9"}


@pytest.mark.parametrize("square", ["C4", "D3", "A1", "N14", "L4", "D12"])
def test_l9_squares_outside_the_field_do_not_exist(square: str) -> None:
    error = refusal(position(), square)
    assert error.code == "outside"
    assert error.data == {"square": square, "corners": ["D4", "K11"]}


@pytest.mark.rule("lancelot", "5.4")
def test_l10_a_second_stone_without_others_takes_nothing() -> None:
    state = position("D4")
    assert [fact.kind for fact in played(state, "D7")] == ["placed"]
    assert public(state)["captured"] == [0, 0]


def test_l11_the_third_is_illegal_and_the_line_is_named() -> None:
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
    assert taken(played(position("D4 D7 H9 J9", "K9"), "E9")) == {"K9"}


@pytest.mark.rule("lancelot", "2", "5.16")
def test_foreign_stones_of_all_colours_count_and_are_taken() -> None:
    """Section 2: the lead is counted over all others together; reading 16: captures of all colours
    count.
    """
    state = position("D4 F4 H4", "E4", "G4", players=3)
    assert "I4" in legal(state)
    assert taken(played(state.clone(), "I4")) == {"E4", "G4"}
    facts = played(state, "I4")
    (captured,) = [fact for fact in facts if fact.kind == "captured"]
    assert captured.data["owners"] == [1, 2]
    assert public(state)["captured"] == [2, 0, 0]


@pytest.mark.rule("lancelot", "5.1")
def test_reading_1_a_capture_does_not_excuse_a_breach() -> None:
    state = position("D5 D7 F9 H9", "J9")
    assert refusal(state, "D9").data["name"] == "D"
    assert taken(played(position("D5 F9 H9", "J9"), "D9")) == {"J9"}


@pytest.mark.rule("lancelot", "5.2")
def test_reading_2_the_lead_is_counted_before_the_removal() -> None:
    """Reading 2: a capture that leaves a lead of four on its line is legal."""
    state = position("D4 E4 F4", "G4 H4")
    assert taken(played(state, "I4")) == {"G4", "H4"}
    assert state.lead(0, state.field.labels.index(("row", "4"))) == 4


@pytest.mark.rule("lancelot", "5.3")
def test_reading_3_both_lines_are_judged_before_anything_is_removed() -> None:
    state = position("D5 D6 E4 F4", "D7 G4")
    assert taken(played(state, "D4")) == {"D7", "G4"}


@pytest.mark.rule("lancelot", "5.5")
def test_reading_5_a_lead_that_drops_to_two_takes_nothing() -> None:
    """Reading 5: an opponent joining a line with a lead of three is not captured, nor are
    others.
    """
    state = position("D4 E4 F4", "K11")
    state.turn = 1
    assert taken(played(state, "G4")) == set()
    assert public(state)["board"]["G4"] == 1


@pytest.mark.rule("lancelot", "5.6")
def test_reading_6_a_lead_that_removals_create_is_tolerated() -> None:
    """Reading 6: a removal that leaves a lead of three on a crossing line only closes that line."""
    state = position("G5 G7 G8 D9 F9", "G9", "K11 K10", players=3, turn=0)
    facts = played(state, "H9")
    assert taken(facts) == {"G9"}
    assert state.lead(0, state.field.labels.index(("column", "G"))) == 3
    played(state, "C3", "C5")
    assert refusal(state, "G12").data["lead"] == 4


@pytest.mark.rule("lancelot", "3")
def test_occupied_squares_are_refused_with_their_owner() -> None:
    state = position("D4", "E5", excalibur="F6")
    owners = {square: refusal(state, square).data["owner"] for square in ("D4", "E5", "F6")}
    assert owners == {"D4": 0, "E5": 1, "F6": None}
    assert refusal(state, "D4").code == "occupied"


@pytest.mark.rule("lancelot", "3")
def test_placing_is_compulsory() -> None:
    assert refusal(position(), "pass").code == "must_place"
    assert refusal(position(excalibur="H7"), "pass").code == "must_place"


# -------------------------------------------------------------------------------- the end
@pytest.mark.rule("lancelot", "4")
def test_l18_the_goal_ends_the_match() -> None:
    state = position("E5 H5", "J5", captured=[6, 0])
    facts = played(state, "D5")
    assert facts[-1] == Fact("over", {"reason": "goal", "winners": [0]})
    assert GAME.actors(state) == ()
    assert GAME.outcome(state) == Outcome((1, 2), (7.0, 0.0), "goal")


@pytest.mark.rule("lancelot", "4")
def test_a_multiple_capture_may_overshoot_the_goal() -> None:
    state = position("K5 K6 K8 E4 G4", "K7 K9 I4", captured=[6, 5])
    played(state, "K4")
    assert GAME.outcome(state) == Outcome((1, 2), (9.0, 5.0), "goal")


@pytest.mark.rule("lancelot", "4")
def test_below_the_goal_the_match_continues() -> None:
    state = position("E5 H5", "J5", captured=[5, 0])
    played(state, "D5")
    assert GAME.outcome(state) is None
    assert GAME.actors(state) == (1,)


def test_l19_when_no_one_can_place_equal_captures_share_the_victory() -> None:
    state = position("D4", "K11", stock=[1, 0], captured=[3, 3])
    facts = played(state, "F6")
    assert facts[1:] == [
        Fact("passed", {"seat": 1, "why": "no_stones"}),
        Fact("passed", {"seat": 0, "why": "no_stones"}),
        Fact("over", {"reason": "all_passed", "winners": [0, 1]}),
    ]
    assert GAME.outcome(state) == Outcome((1, 1), (3.0, 3.0), "all_passed")


@pytest.mark.rule("lancelot", "4")
def test_when_no_one_can_place_the_most_captures_win() -> None:
    state = position(players=4, stock=[1, 0, 0, 0], captured=[2, 5, 2, 0])
    played(state, "F6")
    assert GAME.outcome(state) == Outcome((2, 1, 2, 4), (2.0, 5.0, 2.0, 0.0), "all_passed")


@pytest.mark.rule("lancelot", "5.17")
def test_reading_17_who_has_no_stones_is_passed_over() -> None:
    state = position(players=3, stock=[5, 0, 5])
    facts = played(state, "F6")
    assert facts[1:] == [Fact("passed", {"seat": 1, "why": "no_stones"})]
    assert GAME.actors(state) == (2,)


@pytest.mark.rule("lancelot", "5.17")
def test_reading_17_who_has_no_stones_can_still_win() -> None:
    state = position(stock=[1, 0], captured=[1, 4])
    played(state, "F6")
    assert GAME.outcome(state) == Outcome((2, 1), (1.0, 4.0), "all_passed")


def test_l24_who_has_stones_but_no_square_is_passed_over() -> None:
    """L24: with a lead of three in all rows, seat 0 passes until its opponent has placed
    enough stones on one of them.
    """
    own = " ".join(f"{letter}{number}" for letter in "DEF" for number in range(4, 12))
    state = position(own, turn=1)
    facts = played(state, "G4")
    assert facts[1:] == [Fact("passed", {"seat": 0, "why": "no_square"})]
    assert GAME.actors(state) == (1,)
    played(state, "H4")
    assert GAME.actors(state) == (0,)
    assert legal(state) == ["I4", "J4", "K4"]


@pytest.mark.rule("lancelot", "4")
def test_after_the_end_no_one_acts() -> None:
    match = Match(GAME, GAME.setup(2, {"goal": 1, "starter": "1"}))
    for seat, square in enumerate(("D4", "K4", "E4", "K5", "F4")):
        match.play(seat % 2, [square])
    assert match.outcome == Outcome((1, 2), (1.0, 0.0), "goal")
    with pytest.raises(NotYourTurn):
        match.play(1, ["G7"])


# ------------------------------------------------------------------------------- notation
@pytest.mark.parametrize("text", ["K4", "k4", " k 4 ", "K  4", "k04"])
def test_squares_may_be_typed_as_one_likes(text: str) -> None:
    assert GAME.parse(position(), 0, text) == "K4"


@pytest.mark.parametrize(
    "text", ["X:G6", "x:g6", "x g6", "xg6", "X: G 6", "sword g6", "Schwert G6", "excalibur: g6"]
)
def test_excalibur_has_several_names(text: str) -> None:
    assert GAME.parse(position(excalibur="H7"), 0, text) == "X:G6"


@pytest.mark.parametrize("text", ["", "O4", "K15", "K0", "K", "4", "4K", "K4 K5", "ſ4", "K٤", "x"])
def test_a_text_that_is_not_a_square_is_unknown(text: str) -> None:
    error = refusal(position(), text)
    assert error.code == "unknown_square"
    assert error.data == {"text": text, "corners": ["D4", "K11"]}
