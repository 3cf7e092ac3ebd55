"""Moving: which moves count, which are refused, and what they add to the journal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from data.store.rows import Status
from games import GAMES
from play.ending import EndAsManager, EndTable, Resign
from play.moves import PlayForComputer, PlayMoves
from play.table import RefusedByRules
from play.undo import TakeBack
from tests.play.house import ANNA, BEN, STRANGER, House, reloaded, started


def test_a_move_is_a_line_of_the_journal() -> None:
    house = started(2)
    revision = house.table.revision
    table = house.do(PlayMoves(ANNA, ("k4",), interaction_id=11))
    line = table.journal[revision]
    assert (line.kind, line.seat, line.person_id, line.text) == ("move", 0, ANNA, "K4")
    assert (line.interaction_id, line.at) == (11, house.clock.now)
    assert table.lines == (line.number,)
    assert [told.line for told in table.told_since(revision)] == [line.number]
    assert table.row.moved_at == house.clock.now


@pytest.mark.parametrize(
    ("person", "texts", "refused_as"),
    [
        (STRANGER, ("K4",), "not_a_member"),
        (BEN, ("K4",), "not_your_turn"),
        (ANNA, ("Z99",), "unknown_square"),
        (ANNA, ("A1",), "outside"),
        (ANNA, ("K4", "K5"), "turn_is_over"),
        (ANNA, ("X:G6",), "no_power_module"),
        (ANNA, ("pass",), "must_place"),
        (ANNA, (), "no_move"),
    ],
)
def test_a_refused_move_changes_nothing(
    person: int, texts: tuple[str, ...], refused_as: str
) -> None:
    house = started(2)
    before = house.table.played.state.clone()
    assert house.code(PlayMoves(person, texts)) == refused_as
    assert house.table.played.state == before


def test_whoever_has_chosen_waits_for_the_others() -> None:
    house = started(2, "donquixote")
    choices = house.table.game.legal(house.table.played.state, 0)[:2]
    house.do(PlayMoves(ANNA, (choices[0],)))
    for choice in choices:
        assert house.code(PlayMoves(ANNA, (choice,))) == "chosen_already"


def test_a_refusal_of_the_rules_says_what_would_be_legal() -> None:
    house = started(2)
    refusal = house.refused(PlayMoves(ANNA, ("A1",)))
    assert isinstance(refusal, RefusedByRules)
    assert (refusal.game, refusal.names) == ("lancelot", ("Anna", "Ben"))
    assert "K4" in refusal.legal
    other = house.refused(PlayMoves(BEN, ("K4",)))
    assert isinstance(other, RefusedByRules)
    assert other.legal == ()


def test_several_moves_of_a_turn_count_together_or_not_at_all() -> None:
    house = started(2, king=True)
    house.play(BEN, "X:G6")
    assert house.code(PlayMoves(ANNA, ("X:H9", "A1"))) == "outside"
    house.play(ANNA, "X:H9", "G8")
    assert house.log == ["X:G6", "X:H9", "G8"]


# --------------------------------------------------------------------------------- stale presses
def test_a_stale_press_is_refused() -> None:
    house = started(2)
    first = house.table.revision
    house.play(ANNA, "K4", seen=first)
    house.play(BEN, "D4", seen=house.table.revision)
    assert house.code(PlayMoves(ANNA, ("K5",), seen=first)) == "stale"
    house.play(ANNA, "K6", seen=house.table.opened(0))


def test_other_events_do_not_make_controls_stale() -> None:
    house = started(4)
    shown = house.table.revision
    house.do(EndTable(BEN))
    house.do(Resign(BEN, "novice"))
    assert house.table.opened(0) <= shown < house.table.revision
    house.play(ANNA, "K4", seen=shown)


def test_choices_of_others_do_not_make_controls_stale() -> None:
    house = started(3, "donquixote")
    shown = house.table.revision
    for person in (1, 2, 3):
        legal = house.table.game.legal(house.table.played.state, person - 1)
        house.play(person, legal[0], seen=shown)
    assert house.code(PlayMoves(ANNA, ("KN01",), seen=shown)) == "stale"


# ---------------------------------------------------------------------------------- the end
def test_a_whole_match_ends_with_its_result() -> None:
    house = started(2, goal=1)
    for person, move in ((1, "E5"), (2, "J5"), (1, "H5"), (2, "D11"), (1, "D5")):
        house.play(person, move)
    assert house.table.row.status is Status.FINISHED
    assert house.table.row.result == {
        "how": "played",
        "ranks": [1, 2],
        "scores": [1.0, 0.0],
        "reason": "goal",
        "by_people": True,
    }
    assert house.kinds()[-2:] == ["move", "finish"]
    assert house.code(PlayMoves(BEN, ("K4",))) == "table_over"


def decided(house: House) -> bool:
    """Return whether a match that Anna wins counts as a match among people."""
    for seat, move in ((0, "E5"), (1, "J5"), (0, "H5"), (1, "D11"), (0, "D5")):
        house.move_of(seat, move)
    assert house.table.row.result is not None
    by_people: bool = house.table.row.result["by_people"]
    return by_people


def test_with_a_computer_player_a_match_is_not_by_people() -> None:
    assert decided(started(2, goal=1))
    assert not decided(started(1, computers=1, goal=1))
    helped = started(2, goal=1, pace="1d", strict=True)
    helped.wait(days=1)
    assert helped.table.awaited_computers == (0,)
    assert not decided(helped)


def test_an_undone_move_of_a_computer_player_does_not_count() -> None:
    house = started(2, goal=1, pace="1d", strict=True)
    house.wait(days=1)
    house.move_of(0, "K4")
    house.do(TakeBack(ANNA))
    assert house.log == []
    assert decided(house)


# ------------------------------------------------------------------------ computer players
def test_computer_players_move_only_for_their_seats() -> None:
    house = started(1, computers=1)
    assert house.code(PlayForComputer(0, "K4", house.table.opened(0))) == "not_a_computer"
    house.play(ANNA, "K4")
    assert house.table.awaited_computers == (1,)
    table = house.do(PlayForComputer(1, "D4", house.table.opened(1)))
    assert table.awaited_persons == (0,)
    assert house.lines("move")[-1].person_id is None
    assert house.calls() == [(0,), (0,)], "computer players are not called"


def test_a_match_of_other_rules_cannot_be_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    house = started(2)
    kind = type(GAMES["lancelot"])
    monkeypatch.setattr(kind, "info", replace(kind.info, rules=kind.info.rules + 1))
    house = House(reloaded(house.table))
    assert house.table.match is None
    for person in (ANNA, BEN):
        refusal = house.refused(PlayMoves(person, ("K4",)))
        assert (refusal.code, refusal.data) == ("other_rules", {"code": "`K7Q2`"})
    assert house.do(EndAsManager(STRANGER, True, "Enough.")).row.status is Status.ENDED
