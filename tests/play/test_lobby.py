"""The lobby: who sits down, who stands up or is sent away, and how a match starts."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from data.store.rows import PersonRow, Status
from games import GAMES
from play.ending import EndTable, Resign
from play.lobby import (
    COMPUTER_NAMES,
    AddComputer,
    Join,
    Leave,
    RemoveComputer,
    SendAway,
    Start,
    check_options,
    free_name,
)
from play.moves import PlayMoves
from play.table import Refused, RefusedByRules
from tests.play.house import (
    ANNA,
    BEN,
    CLARA,
    DAVID,
    STRANGER,
    House,
    gathered,
    lobby,
    name_of,
    started,
)


def names(house: House) -> list[str]:
    """Who is at the table, in order."""
    return [member.name for member in house.table.members]


@pytest.mark.parametrize(
    ("options", "refused_as"),
    [
        ({"goal": 0}, "option_value"),
        ({"goal": 31}, "option_value"),
        ({"goal": "many"}, "option_value"),
        ({"dragons": True}, "unknown_option"),
        ({"seating": "by age"}, "seating"),
        ({"pace": "5 minutes"}, "no_such_pace"),
        ({"pace": "8d"}, "impossible_turn"),
        ({"pace": "1h+1h"}, "impossible_bank"),
    ],
)
def test_impossible_options_are_refused_at_once(options: dict[str, Any], refused_as: str) -> None:
    """What could never start is refused when the table is opened."""
    with pytest.raises(Refused) as refusal:
        check_options(GAMES["lancelot"], options, None)
    assert refusal.value.code == refused_as


def test_options_of_all_games_are_no_options_of_the_rules() -> None:
    """Seating, pace and hints are the table's own."""
    house = {"seating": "joined", "pace": "1d", "strict": True, "advice": False}
    check_options(GAMES["lancelot"], {**house, "goal": 3}, 2)


def test_no_one_sits_twice_or_beyond_the_limit() -> None:
    """A person joins once, and the sixth person finds no chair."""
    house = gathered(1)
    assert house.code(Join(ANNA, "Anna")) == "already_member"
    for person in range(2, 6):
        house.do(Join(person, name_of(person)))
    refusal = house.refused(Join(6, "P6"))
    assert (refusal.code, refusal.data["limit"]) == ("table_full", 5)


def test_who_joins_is_known_with_settings() -> None:
    """Clocks and messages depend on them from the start."""
    row = PersonRow(BEN, language="de")
    house = gathered(1)
    house.do(Join(BEN, "Ben", settings=row))
    assert house.table.settings(BEN) == row
    house.do(Join(CLARA, "Clara"))
    assert house.table.settings(CLARA) == PersonRow(CLARA)


def test_leaving_and_the_host_leaving() -> None:
    """A guest stands up alone; with the host the table closes."""
    house = gathered(2)
    house.do(Leave(BEN))
    assert names(house) == ["Anna"]
    assert house.code(Leave(BEN)) == "not_a_member"
    house.do(Leave(ANNA))
    assert (house.table.row.status, house.kinds()[-1]) == (Status.ENDED, "close")


def test_computer_players_come_and_go() -> None:
    """Only those at the table may call computer players; the last that came goes first."""
    house = gathered(1)
    assert house.code(AddComputer(STRANGER, "novice")) == "not_a_member"
    assert house.code(RemoveComputer(STRANGER)) == "not_a_member"
    house.do(AddComputer(ANNA, "novice"))
    house.do(AddComputer(ANNA, "novice"))
    house.do(RemoveComputer(ANNA))
    assert names(house) == ["Anna", "Merlin"]
    house.do(RemoveComputer(ANNA))
    assert house.code(RemoveComputer(ANNA)) == "no_computer"


def test_computer_players_have_names_of_their_own() -> None:
    """However a person who is there writes hers."""
    house = gathered(1)
    house.do(Join(BEN, "MERLIN"))
    for _ in range(2):
        house.do(AddComputer(BEN, "novice"))
    assert names(house) == ["Anna", "MERLIN", "Morgana", "Gawain"]


def test_there_are_names_enough() -> None:
    """For a full table of people who are all called like computer players."""
    most = max(max(game.info.players) for game in GAMES.values())
    assert len(COMPUTER_NAMES) > most
    assert free_name(COMPUTER_NAMES, COMPUTER_NAMES[: most - 1]) == COMPUTER_NAMES[most - 1]


def test_the_host_sends_people_away_for_good() -> None:
    """A person who was sent away cannot join again; computer players can be sent away, too."""
    house = gathered(2, computers=1)
    for person in (BEN, STRANGER):
        assert house.code(SendAway(person, 2)) == "only_host"
    assert house.code(SendAway(ANNA, 0)) == "host_stays"
    house.do(SendAway(ANNA, 1))
    house.do(SendAway(ANNA, 2))
    assert names(house) == ["Anna"]
    assert house.code(SendAway(ANNA, 2)) == "no_such_member"
    assert house.code(Join(BEN, "Ben")) == "barred"
    house.do(Join(CLARA, "Clara"))


def test_a_number_tells_a_member_from_all_others() -> None:
    """Those of people who left in between stay free."""
    house = gathered(3)
    house.do(Leave(BEN))
    house.do(Join(DAVID, "David"))
    assert [member.number for member in house.table.members] == [0, 2, 3]


def test_no_one_is_sent_away_from_a_match() -> None:
    """Once the match runs, a seat is given away by agreement only."""
    house = started(2)
    assert house.code(SendAway(ANNA, 1)) == "not_in_lobby"
    for command in (Join(CLARA, "Clara"), AddComputer(ANNA, "novice"), Leave(BEN)):
        assert house.code(command) == "not_in_lobby"


def test_a_lobby_is_ended_by_host_or_manager() -> None:
    """A guest cannot close the lobby; the host can, and so can those who manage the server."""
    house = gathered(2)
    assert house.code(EndTable(BEN)) == "only_host"
    host, manager = House(house.table), House(house.table)
    assert host.do(EndTable(ANNA)).row.status is Status.ENDED
    assert manager.do(EndTable(STRANGER, manages=True)).row.status is Status.ENDED


def test_nothing_of_a_match_before_its_start() -> None:
    """In the lobby there is nothing to move, to resign or to look at."""
    house = gathered(2)
    for command in (PlayMoves(ANNA, ("K4",)), Resign(ANNA, "novice")):
        assert house.code(command) == "not_started"
    with pytest.raises(Refused, match="not_started"):
        _ = house.table.played


# ------------------------------------------------------------------------------- the start
def test_only_the_host_starts_and_only_with_enough_people() -> None:
    """A guest cannot start; alone no one can; twice neither."""
    house = gathered(1)
    assert house.code(Start(ANNA)) == "player_count"
    house.do(Join(BEN, "Ben"))
    assert house.code(Start(BEN)) == "only_host"
    assert house.do(Start(ANNA)).running
    assert house.code(Start(ANNA)) == "not_in_lobby"


def test_a_wanted_number_of_players_is_kept() -> None:
    """Asked for three, a table neither starts with two nor takes a fourth."""
    house = House(lobby(wanted_players=3))
    house.do(Join(BEN, "Ben"))
    refusal = house.refused(Start(ANNA))
    assert (refusal.code, refusal.data["allowed"]) == ("player_count", (3,))
    house.do(Join(CLARA, "Clara"))
    assert house.code(Join(DAVID, "David")) == "table_full"
    assert house.do(Start(ANNA)).running


def test_options_take_their_defaults_from_the_number_of_players() -> None:
    """Two players need seven stones, three need eight."""
    assert started(2).table.row.options["goal"] == 7
    assert started(3).table.row.options["goal"] == 8


def test_a_starter_beyond_the_table_is_refused_at_the_start() -> None:
    """Seat 5 may begin with five players, not with two."""
    house = gathered(2, starter="5")
    refusal = house.refused(Start(ANNA))
    assert isinstance(refusal, RefusedByRules)
    assert (refusal.code, refusal.game) == ("starter_seat", "lancelot")
    assert house.table.row.status is Status.LOBBY


def seating(seed: str, **options: Any) -> list[int]:
    """The order in which three people are seated."""
    house = gathered(3, seed=seed, **options)
    table = house.do(Start(ANNA))
    (start,) = house.lines("start")
    seated: list[int] = json.loads(start.text)["seating"]
    assert [member.number for member in table.members] == seated
    assert [member.seat for member in table.members] == [0, 1, 2]
    return seated


def test_seats_by_lot_follow_from_the_seed() -> None:
    """The same seed seats people alike, and over many seeds everyone sits everywhere."""
    assert seating("x", seating="lot") == seating("x", seating="lot")
    assert len({tuple(seating(str(seed), seating="lot")) for seed in range(60)}) == 6
    assert seating("x") == [0, 1, 2]


@pytest.mark.parametrize("game_id", GAMES)
def test_whatever_chance_decides_first_is_drawn_at_once(game_id: str) -> None:
    """After the start people are awaited, or a computer player, never a draw."""
    house = started(max(2, GAMES[game_id].info.players[0]), game_id)
    assert len(house.table.awaited) > 0
    assert house.table.begun == house.lines("start")[0].number
    assert house.calls() == [house.table.awaited_persons]


def test_the_rules_of_the_day_of_the_start_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lobby that was opened under older ones starts under the present ones."""
    house = gathered(2)
    kind = type(GAMES["lancelot"])
    monkeypatch.setattr(kind, "info", replace(kind.info, rules=kind.info.rules + 1))
    assert house.do(Start(ANNA)).row.rules == kind.info.rules
