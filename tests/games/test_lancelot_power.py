"""Lancelot: the King's power."""

from __future__ import annotations

import pytest

from games.engine import (
    CHANCE,
    Fact,
)
from tests.games.lancelot_table import (
    GAME,
    legal,
    played,
    position,
    public,
    refusal,
    row,
    taken,
)


# --------------------------------------------------------------------- 3.2 King's power
def test_l21_the_right_neighbour_of_the_starter_sets_excalibur() -> None:
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


@pytest.mark.rule("lancelot", "3")
def test_with_two_the_other_one_sets_excalibur() -> None:
    for starter in (0, 1):
        state = GAME.start(GAME.setup(2, {"king": True, "starter": str(starter + 1)}))
        assert GAME.actors(state) == (1 - starter,)


@pytest.mark.rule("lancelot", "3")
def test_excalibur_is_set_after_the_lot() -> None:
    state = GAME.start(GAME.setup(4, {"king": True}))
    GAME.do(state, CHANCE, "start:1")
    assert GAME.actors(state) == (3,)


@pytest.mark.parametrize("square", sorted(row(7, "ACEGJLN") - {"H7"}))
def test_l7_excalibur_counts_as_an_enemy_and_stays(square: str) -> None:
    """L7, example 5: a stone on any free square of row 7 captures F7 and M7; Excalibur stays."""
    state = position("B7 D7 I7 K7", "F7 M7", players=5, excalibur="H7")
    assert taken(played(state, square)) == {"F7", "M7"}
    assert public(state)["excalibur"] == "H7"


@pytest.mark.rule("lancelot", "3.2")
def test_l8_excalibur_counts_as_an_own_stone_when_moved() -> None:
    """L8, example 6: the stone on G8 and Excalibur on G6 capture E6, G3, G4 and G9."""
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
    """L8: the stone alone leaves column G balanced and captures nothing."""
    state = position("C6 J6 G5 G10 G12", "E6 G3 G4 G9", players=3, excalibur="D11")
    assert taken(played(state, "G8")) == set()


@pytest.mark.rule("lancelot", "3.2")
def test_excalibur_is_an_enemy_again_after_the_turn() -> None:
    state = position("C6 J6 G5 G10 G12", "E6 G3 G4 G9", players=3, excalibur="D11")
    column_g = state.field.labels.index(("column", "G"))
    played(state, "X:G6")
    assert [state.lead(seat, column_g) for seat in range(3)] == [1, -1, -7]
    played(state, "G8")
    assert [state.lead(seat, column_g) for seat in range(3)] == [3, -5, -5]


@pytest.mark.rule("lancelot", "5.7")
def test_l15_excalibur_counts_for_the_limit_too() -> None:
    """L15, reading 7: three of the player's stones and Excalibur make a lead of two, which is legal
    and captures nothing.
    """
    state = position("D4 F4", excalibur="H4")
    assert taken(played(state, "J4")) == set()
    assert refusal(position("D4 F4 J4", excalibur="H4"), "K4").code == "chivalry"


@pytest.mark.rule("lancelot", "3.2")
def test_the_power_is_used_once() -> None:
    state = position("D4", "K11", excalibur="H7", power=[False, True])
    assert not [move for move in legal(state) if move.startswith("X:")]
    assert refusal(state, "X:G6").code == "power_used"
    played(state, "E6")
    assert "X:G6" in legal(state)


@pytest.mark.rule("lancelot", "1")
def test_without_the_module_there_is_no_power() -> None:
    assert refusal(position(), "X:G6").code == "no_power_module"
    assert public(position())["power"] == [False, False]


@pytest.mark.rule("lancelot", "3.2")
def test_excalibur_must_move() -> None:
    error = refusal(position(excalibur="H7"), "X:H7")
    assert error.code == "sword_stays"
    assert error.data == {"square": "H7"}


@pytest.mark.rule("lancelot", "5.11")
@pytest.mark.parametrize(("text", "code"), [("X:D4", "occupied"), ("X:A1", "outside")])
def test_excalibur_needs_a_free_square_of_the_field(text: str, code: str) -> None:
    assert refusal(position("D4", excalibur="H7"), text).code == code


@pytest.mark.rule("lancelot", "5.11")
def test_excalibur_is_never_taken() -> None:
    state = position("D4 E4 F4", "G4", excalibur="H4")
    assert taken(played(state, "I4")) == {"G4"}
    assert public(state)["excalibur"] == "H4"
    assert public(state)["captured"] == [1, 0]


@pytest.mark.rule("lancelot", "5.8")
def test_reading_8_the_stone_may_go_to_the_square_that_excalibur_left() -> None:
    state = position(excalibur="H7")
    played(state, "X:D4", "H7")
    assert public(state)["board"] == {"H7": 0}
    assert public(state)["excalibur"] == "D4"


@pytest.mark.rule("lancelot", "3.2")
def test_the_stone_cannot_go_under_excalibur() -> None:
    state = position(excalibur="H7")
    played(state, "X:D4")
    assert refusal(state, "D4").code == "occupied"


@pytest.mark.rule("lancelot", "5.9")
def test_reading_9_the_limit_binds_the_lines_that_excalibur_enters() -> None:
    """Reading 9: Excalibur may not make a lead of three, because it counts as the mover's stone."""
    error = refusal(position("D4 F4", excalibur="H7"), "X:K4")
    assert error.code == "chivalry"
    assert error.data == {"piece": "sword", "square": "K4", "line": "row", "name": "4", "lead": 3}


@pytest.mark.rule("lancelot", "3.2")
def test_reading_9_excalibur_and_stone_count_together_for_the_limit() -> None:
    state = position("D4", excalibur="H7")
    played(state, "X:K4")
    assert refusal(state, "F4").data == {
        "piece": "stone",
        "square": "F4",
        "line": "row",
        "name": "4",
        "lead": 3,
    }


@pytest.mark.rule("lancelot", "3.2")
def test_3_2_lines_that_only_excalibur_enters_take() -> None:
    """3.2: every line through Excalibur's new square is judged, wherever the stone goes."""
    state = position("D4 E4", "F4 G9", excalibur="H7")
    assert taken(played(state, "X:G4", "K11")) == {"F4"}


@pytest.mark.rule("lancelot", "5.10")
def test_reading_10_lines_that_excalibur_leaves_are_not_judged() -> None:
    """Reading 10: on the line that Excalibur leaves, a lead of two or three results, which captures
    nothing.
    """
    state = position("D7 E7 F7 I7", "G7", excalibur="H7")
    facts = played(state, "X:D4", "K11")
    assert taken(facts) == set()
    assert state.lead(0, state.field.labels.index(("row", "7"))) == 3


@pytest.mark.rule("lancelot", "3.2")
def test_a_line_that_excalibur_leaves_is_closed_for_the_stone() -> None:
    """3.2: the stone is judged without Excalibur on its old square."""
    state = position("D7 E7 F7", excalibur="H7")
    assert refusal(state, "G7").code == "chivalry"
    state = position("D7 F7", excalibur="H7")
    assert "G7" in legal(state)
    played(state, "X:K11")
    assert refusal(state, "G7").data["lead"] == 3


@pytest.mark.rule("lancelot", "5.12")
def test_reading_12_moving_excalibur_is_no_turn() -> None:
    state = position(excalibur="H7")
    played(state, "X:D4")
    view = GAME.view(state, None)
    assert view.phase == "stone"
    assert view.actors == (0,)
    assert view.public["lifted"] == "H7"
    assert refusal(state, "X:E5").code == "sword_already_moved"
    assert refusal(state, "pass").code == "must_place"


@pytest.mark.rule("lancelot", "3.2")
def test_a_stone_that_both_lines_take_is_taken_once() -> None:
    state = position("E9 F9 I5 I6", "I9", excalibur="K11")
    facts = played(state, "X:H9", "I7")
    assert taken(facts) == {"I9"}
    (captured,) = [fact for fact in facts if fact.kind == "captured"]
    assert captured.data["squares"] == ["I9"]
    assert public(state)["captured"] == [1, 0]


@pytest.mark.rule("lancelot", "3.2")
def test_excalibur_may_not_take_the_last_square_for_a_stone() -> None:
    # Rows 4 to 10 are closed for seat 0. Without Excalibur, row 11 has room for just one more.
    own = " ".join(f"D{number} E{number}" for number in range(4, 12)) + " F11"
    state = position(own, "G11 H11", excalibur="K11")
    assert legal(state) == ["I11", "J11"]
    error = refusal(state, "X:I11")
    assert error.code == "no_stone_square"
    assert error.data == {"square": "I11"}


@pytest.mark.rule("lancelot", "3.2")
def test_the_only_open_square_is_for_the_stone() -> None:
    own = " ".join(f"D{number} E{number}" for number in range(4, 12)) + " F4"
    state = position(own, "F11 G11 H11 I11 K11", excalibur="K4")
    assert legal(state) == ["J11"]
    assert refusal(state, "X:J11").code == "no_stone_square"


@pytest.mark.rule("lancelot", "5.4", "5.11")
def test_a_line_with_nothing_but_excalibur_is_not_named() -> None:
    """Readings 4 and 11: of two lines with a lead of two, only the one with others' stones is
    named.
    """
    state = position("D4 D5 F7 G7", "D6", excalibur="H7")
    facts = played(state, "D7")
    (captured,) = [fact for fact in facts if fact.kind == "captured"]
    assert captured.data["lines"] == [{"line": "column", "name": "D", "squares": ["D6"]}]


def test_even_the_first_move_has_no_more_choices_than_promised() -> None:
    state = GAME.start(GAME.setup(5, {"king": True, "starter": "1"}))
    played(state, "X:H7")
    assert 380 < len(legal(state)) <= GAME.info.max_branching
