"""Isis: turning stones over, locking them in, passing, and the end of a match."""

from __future__ import annotations

import random

import pytest

from games.engine import BadSetup, Fact, Match, Outcome
from games.isis import AMULETS
from tests.games.isis_table import (
    GAME,
    ends,
    kinds,
    legal,
    on_board,
    played,
    position,
    public,
    refusal,
)


# --------------------------------------------------------------------------- turning over
@pytest.mark.rule("isis", "3.4")
def test_i21_not_alone_in_heaven() -> None:
    """A stone can be turned over only if another stone, of either kind, is in heaven (I21)."""
    assert "turn:40" not in legal(position("40 20"))
    assert {"turn:40", "turn:39"} <= set(legal(position("40 39")))
    assert "turn:40" in legal(position("40", None, 47))


@pytest.mark.rule("isis", "3.4", "7.20")
def test_i22_once_for_each_player() -> None:
    assert not any(move.startswith("turn:") for move in legal(position("40 39", 5)))


@pytest.mark.rule("isis", "7.20")
def test_i22_not_even_if_the_stone_was_sent_below() -> None:
    """A personal stone in the underworld stays personal (ambiguity 20)."""
    state = position("40 39", 0)
    assert not any(move.startswith("turn:") for move in legal(state))
    assert ends(state, "P0")


@pytest.mark.rule("isis", "3.4")
def test_i23_turning_over_is_a_whole_turn() -> None:
    """A stone turned over is personal, nothing is banned, and the next player moves (I23)."""
    state = position("40 39", ban=39)
    facts = played(state, "turn:40")
    assert kinds(facts) == ["turned"]
    seen = public(state)
    assert (seen["personal"], seen["turned"]) == ([40, None], [True, False])
    assert (seen["neutral"], seen["ban"], seen["turn"]) == ([39], None, 1)
    assert seen["amulets"] == [facts[0].data["amulet"], ""]


@pytest.mark.rule("isis", "7.19")
def test_the_stone_just_moved_is_not_turned_over() -> None:
    state = position("40 39", ban=40)
    assert [move for move in legal(state) if move.startswith("turn:")] == ["turn:39"]


def test_every_personal_stone_has_another_amulet() -> None:
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
@pytest.mark.rule("isis", "7.11", "7.12")
def test_several_are_locked_in_at_once() -> None:
    """Two stones without a way leave together, though the second would have room once the first
    is gone (ambiguity 11).
    """
    state = position("25 31 36 37 39 50")
    one_by_one = state.clone()
    one_by_one.move_neutral(25, 38)
    assert one_by_one.locked() == [39, 50]
    one_by_one.move_neutral(39, 0)
    assert one_by_one.locked() == []
    facts = played(state, "25-38")
    assert facts[1].data == {"squares": [39, 50], "owners": [None, None]}
    assert on_board(state) == {31, 36, 37, 38}


@pytest.mark.full
@pytest.mark.rule("isis", "7.12")
def test_one_check_is_enough() -> None:
    """Once all locked-in stones have left, no other stone is locked in (ambiguity 12)."""
    rng, left = random.Random(1), 0
    for _ in range(400):
        squares = sorted(rng.sample([s for s in range(31, 51) if s not in (44, 45)], 6))
        before = position(" ".join(map(str, squares)))
        for move in legal(before):
            state, facts = before.clone(), list[Fact]()
            GAME.do(state, 0, move, facts)
            if "locked" in kinds(facts):
                left += 1
                assert state.locked() == [], f"{squares}, {move}"
    assert left > 100


@pytest.mark.rule("isis", "4")
def test_personal_stones_are_locked_in_and_stay_personal() -> None:
    state = position("42 47", None, 48)
    facts = played(state, "42-49")
    assert facts[1].data == {"squares": [48], "owners": [1]}
    seen = public(state)
    assert (seen["personal"], seen["turned"]) == ([None, 0], [False, True])
    assert ends(state, "P0") == {9, 10}


@pytest.mark.rule("isis", "7.10")
def test_a_player_may_lock_in_their_own_stone() -> None:
    state = position("42 47", 48, None)
    played(state, "42-49")
    assert public(state)["personal"] == [0, None]


@pytest.mark.rule("isis", "7.8")
def test_stones_sent_below_are_not_banned() -> None:
    """Stones that were locked in may come up again in the very next turn (ambiguity 8)."""
    state = position("48 42 47")
    played(state, "42-49")
    assert ends(state, 0) == {9, 10}


@pytest.mark.rule("isis", "7.14")
def test_a_way_that_ends_on_a_throne_keeps_a_personal_stone_free() -> None:
    """A neutral stone on the same square is locked in."""
    assert ends(position("46 47", 50), "P50") == {44}
    assert position("46 47", 50).locked() == []
    assert position("46 47 50").locked() == [50]


@pytest.mark.rule("isis", "7.13")
def test_a_way_down_to_earth_keeps_a_stone_free() -> None:
    """All normal moves count, even outside heaven (ambiguity 13)."""
    state = position("23 25 39 50", 41)
    assert ends(state, 50) == {30, 33, 36}
    assert 50 not in state.locked()


@pytest.mark.rule("isis", "7.15")
def test_the_ban_locks_no_one_in() -> None:
    state = position("42 39 1")
    played(state, "42-49")
    assert public(state)["ban"] == 49
    assert not ends(state, 49)
    assert 49 in on_board(state)


@pytest.mark.rule("isis", "7.16")
def test_stones_on_earth_are_never_locked_in() -> None:
    state = position("1 3 5 7")
    assert not ends(state, 1)
    assert state.locked() == []


# -------------------------------------------------------------------------------- passing
@pytest.mark.rule("isis", "3.5", "7.7", "7.18")
def test_i27_who_can_do_nothing_passes() -> None:
    """A player whose stones are all blocked or banned passes, and then nothing is banned; here with
    two players (I27).
    """
    state = position("3", None, 8, turn=1)
    facts = played(state, "3-7")
    assert kinds(facts) == ["moved", "passed"]
    assert facts[1].data == {"seat": 0}
    seen = public(state)
    assert (seen["turn"], seen["ban"], seen["turns"]) == (1, None, 2)
    assert ends(state, 7)


@pytest.mark.rule("isis", "7.17")
def test_no_one_passes_at_will() -> None:
    assert refusal(position("14 23 38"), "pass").code == "must_move"


@pytest.mark.rule("isis", "7.17")
def test_a_player_who_can_only_turn_a_stone_over_must_do_so() -> None:
    """No stone has a way, so there is no other kind of move (ambiguity 17)."""
    state = position("35 36 37 38 40 41 48")
    assert sorted(legal(state)) == ["turn:40", "turn:41", "turn:48"]
    assert refusal(state, "pass").code == "must_move"
    played(state, "turn:40")
    assert public(state)["personal"][0] == 40


# ------------------------------------------------------------------------------- the end
@pytest.mark.rule("isis", "5")
@pytest.mark.parametrize("players", [3, 4])
def test_the_first_throne_ends_the_match(players: int) -> None:
    """The first player to take a throne wins, and all others share second place."""
    state = position("2 4 10", 46, players=players)
    played(state, "P46-44")
    outcome = GAME.outcome(state)
    assert outcome == Outcome((1, *[2] * (players - 1)), (1.0, *[0.0] * (players - 1)), "throne")
    assert GAME.actors(state) == ()


@pytest.mark.rule("isis", "5")
def test_playing_on_for_the_places() -> None:
    """The winner's stone returns as a neutral one, and the match continues."""
    state = position("2 4 10", 46, players=3, places=True)
    facts = played(state, "P46-44")
    assert kinds(facts) == ["moved", "placed"]
    seen = public(state)
    assert (seen["placed"], seen["personal"], seen["below"]) == ([0], [None] * 3, 4)
    assert (seen["ban"], seen["turn"]) == (None, 1)
    assert seen["steps"] == {"below": 4, "in_play": 3}
    assert GAME.outcome(state) is None


@pytest.mark.rule("isis", "5")
def test_the_placed_player_is_skipped() -> None:
    state = position("2 4 10", 46, players=3, places=True)
    played(state, "P46-44")
    order = []
    for _ in range(4):
        order.append(state.turn)
        played(state, legal(state)[0])
    assert order == [1, 2, 1, 2]


def test_a_placed_players_stone_does_not_open_the_way_down() -> None:
    state = position("20 25 30", 46, players=3, places=True)
    played(state, "P46-44")
    assert not any(move.endswith("-0") for move in legal(state))


def test_with_three_players_the_second_throne_ends_the_match() -> None:
    state = position("2 4 10", None, 46, None, players=3, places=True, turn=1)
    state.placed = [2]
    facts = played(state, "P46-44")
    assert facts[-1].data == {"reason": "places"}
    assert GAME.outcome(state) == Outcome((3, 2, 1), (0.0, 1.0, 1.0), "places")


def test_two_players_do_not_play_on() -> None:
    with pytest.raises(BadSetup, match="option_players"):
        GAME.setup(2, {"places": True})


@pytest.mark.rule("isis", "5")
def test_the_third_repetition_is_a_draw() -> None:
    """The same combination of stones, ban and player to move occurs for the third time."""
    state = position("", 47, 42)
    there_and_back = ["P47-49", "P42-40", "P49-47", "P40-42"]
    assert "over" not in kinds(played(state, *there_and_back, *there_and_back[:3]))
    facts = played(state, there_and_back[3])
    assert facts[-1].data == {"reason": "repetition"}
    assert GAME.outcome(state) == Outcome((1, 1), (0.0, 0.0), "repetition")


def test_another_ban_is_another_situation() -> None:
    states = [position("39 42 1", ban=ban) for ban in (None, 39, 42)]
    assert len({state.situation() for state in states}) == 3


@pytest.mark.rule("isis", "5")
def test_the_cap_is_a_draw() -> None:
    match = Match(GAME, GAME.setup(2, {"starter": "1", "cap": 60, "retreat": True}, "1"))
    rng = random.Random(1)
    while match.actors:
        (seat,) = match.actors
        safe = [m for m in GAME.legal(match.state, seat) if m.split("-")[-1] not in ("44", "45")]
        match.play(seat, [rng.choice(safe)])
    assert match.outcome == Outcome((1, 1), (0.0, 0.0), "cap")
    assert match.state.turns == 60


@pytest.mark.rule("isis", "5")
def test_a_draw_leaves_the_placed_in_front() -> None:
    """Players with a place keep it; the others share the next one."""
    state = position("2 4 10", 46, players=4, places=True, cap=60)
    played(state, "P46-44")
    state.turns = 59
    played(state, legal(state)[0])
    assert GAME.outcome(state) == Outcome((1, 2, 2, 2), (1.0, 0.0, 0.0, 0.0), "cap")
