"""The lobby: joining, leaving, removing people, and starting a match."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest

from data.store.rows import PersonRow, Status
from games import GAMES
from games.fairness import lucky_word
from play.ending import EndAsManager, EndTable, Resign
from play.lobby import (
    COMPUTER_NAMES,
    AddComputer,
    ChangeOptions,
    DrawLots,
    Follow,
    GiveWord,
    Invite,
    Join,
    Leave,
    MoveHere,
    Mute,
    Park,
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
    CHANNEL,
    CLARA,
    DAVID,
    GUILD,
    MESSAGE,
    SECRET,
    STRANGER,
    House,
    gathered,
    lobby,
    name_of,
    started,
)


def names(house: House) -> list[str]:
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
    with pytest.raises(Refused) as refusal:
        check_options(GAMES["lancelot"], options, None)
    assert refusal.value.code == refused_as


def test_options_of_all_games_are_no_options_of_the_rules() -> None:
    house = {"seating": "joined", "pace": "1d", "strict": True, "advice": False}
    check_options(GAMES["lancelot"], {**house, "goal": 3}, 2)


def test_no_one_sits_twice_or_beyond_the_limit() -> None:
    house = gathered(1)
    assert house.code(Join(ANNA, "Anna")) == "already_member"
    for person in range(2, 6):
        house.do(Join(person, name_of(person)))
    refusal = house.refused(Join(6, "P6"))
    assert (refusal.code, refusal.data["limit"]) == ("table_full", 5)


def test_the_settings_of_people_who_join_are_known() -> None:
    """Clocks and messages depend on these settings."""
    row = PersonRow(BEN, language="de")
    house = gathered(1)
    house.do(Join(BEN, "Ben", settings=row))
    assert house.table.settings(BEN) == row
    house.do(Join(CLARA, "Clara"))
    assert house.table.settings(CLARA) == PersonRow(CLARA)


def test_a_lobby_closes_when_its_host_leaves() -> None:
    house = gathered(2)
    house.do(Leave(BEN))
    assert names(house) == ["Anna"]
    assert house.code(Leave(BEN)) == "not_a_member"
    house.do(Join(CLARA, "Clara"))
    assert house.code(Leave(ANNA)) == "not_sure", "Clara is there, too"
    alone = House(house.table)
    house.do(Leave(ANNA, sure=True))
    assert (house.table.row.status, house.kinds()[-1]) == (Status.ENDED, "close")
    alone.do(Leave(CLARA))
    alone.do(Leave(ANNA))
    assert alone.table.row.status is Status.ENDED, "zero players is refused"


def test_people_at_the_table_add_computer_players_and_remove_the_last() -> None:
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
    house = gathered(1)
    house.do(Join(BEN, "MERLIN"))
    for _ in range(2):
        house.do(AddComputer(BEN, "novice"))
    assert names(house) == ["Anna", "MERLIN", "Morgana", "Gawain"]


def test_there_are_names_enough() -> None:
    """The names suffice even for a full table of people with computer players' names."""
    most = max(max(game.info.players) for game in GAMES.values())
    assert len({name.casefold() for name in COMPUTER_NAMES}) == len(COMPUTER_NAMES) > most
    assert free_name(COMPUTER_NAMES, COMPUTER_NAMES[: most - 1]) == COMPUTER_NAMES[most - 1]


def test_the_host_sends_people_away_for_good() -> None:
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


def test_numbers_of_people_who_left_are_not_given_to_later_members() -> None:
    house = gathered(3)
    house.do(Leave(CLARA))
    house.do(Leave(BEN))
    house.do(Join(DAVID, "David"))
    assert [member.number for member in house.table.members] == [0, 3]


def test_nobody_joins_or_leaves_or_is_sent_away_during_a_match() -> None:
    house = started(2)
    assert house.code(SendAway(ANNA, 1)) == "not_in_lobby"
    for command in (Join(CLARA, "Clara"), AddComputer(ANNA, "novice"), Leave(CLARA)):
        assert house.code(command) == "not_in_lobby"
    assert house.code(Leave(BEN)) == "match_runs"


def test_a_lobby_is_ended_by_host_or_manager() -> None:
    house = gathered(2)
    assert house.code(EndTable(BEN)) == "only_host"
    host, manager = House(house.table), House(house.table)
    assert host.code(EndTable(ANNA)) == "not_sure", "Ben is there, too"
    assert host.do(EndTable(ANNA, sure=True)).row.status is Status.ENDED
    assert manager.do(EndAsManager(STRANGER, True, "Enough.")).row.status is Status.ENDED


def test_nothing_of_a_match_before_its_start() -> None:
    house = gathered(2)
    for command in (PlayMoves(ANNA, ("K4",)), Resign(ANNA, "novice")):
        assert house.code(command) == "not_started"
    with pytest.raises(Refused, match="not_started"):
        _ = house.table.played


# ------------------------------------------------------------------------------- the start
def test_only_the_host_starts_and_only_with_enough_people() -> None:
    house = gathered(1)
    assert house.code(Start(ANNA)) == "player_count"
    house.do(Join(BEN, "Ben"))
    assert house.code(Start(BEN)) == "only_host"
    assert house.start().running
    assert house.code(Start(ANNA)) == "not_in_lobby"


def test_a_wanted_number_of_players_is_kept() -> None:
    house = House(lobby(wanted_players=3))
    house.do(Join(BEN, "Ben"))
    refusal = house.refused(Start(ANNA))
    assert (refusal.code, refusal.data["allowed"]) == ("player_count", (3,))
    house.do(Join(CLARA, "Clara"))
    assert house.code(Join(DAVID, "David")) == "table_full"
    assert house.start().running


def test_options_take_their_defaults_from_the_number_of_players() -> None:
    assert started(2).table.row.options["goal"] == 7
    assert started(3).table.row.options["goal"] == 8


def test_a_starter_beyond_the_table_is_refused_at_the_start() -> None:
    house = gathered(2, starter="5")
    refusal = house.refused(Start(ANNA))
    assert isinstance(refusal, RefusedByRules)
    assert (refusal.code, refusal.game) == ("starter_seat", "lancelot")
    assert house.table.row.status is Status.LOBBY


def seating(secret: str, **options: Any) -> list[int]:
    """The order in which three people are seated."""
    house = gathered(3, secret=secret, **options)
    table = house.start()
    (start,) = house.lines("start")
    seated: list[int] = json.loads(start.text)["seating"]
    assert [member.number for member in table.members] == seated
    assert [member.seat for member in table.members] == [0, 1, 2]
    return seated


def test_seats_by_lot_follow_from_the_secret() -> None:
    assert seating("x", seating="lot") == seating("x", seating="lot")
    assert len({tuple(seating(str(secret), seating="lot")) for secret in range(60)}) == 6
    assert seating("x") == [0, 1, 2]


@pytest.mark.parametrize("game_id", GAMES)
def test_the_first_draws_are_made_at_once(game_id: str) -> None:
    house = started(max(2, GAMES[game_id].info.players[0]), game_id)
    assert len(house.table.awaited) > 0
    assert house.table.begun == house.lines("start")[0].number
    assert house.calls() == [house.table.awaited_persons]


def test_the_rules_of_the_day_of_the_start_count(monkeypatch: pytest.MonkeyPatch) -> None:
    house = gathered(2)
    kind = type(GAMES["lancelot"])
    monkeypatch.setattr(kind, "info", replace(kind.info, rules=kind.info.rules + 1))
    assert house.start().row.rules == kind.info.rules


# -------------------------------------------------------------------------------- the lots
def seed_after(message_id: int = MESSAGE, secret: str = SECRET, **words: str) -> str:
    """The seed of a match between Anna and Ben with these lucky words."""
    house = gathered(2, secret=secret)
    for person, word in words.items():
        house.do(GiveWord({"anna": ANNA, "ben": BEN}[person], word))
    return house.start(message_id).row.seed


def test_the_seed_depends_on_the_secret_the_message_and_every_word() -> None:
    seeds = [
        seed_after(),
        seed_after(MESSAGE + 1),
        seed_after(secret="5eee"),
        seed_after(anna="dragon"),
        seed_after(ben="dragon"),
        seed_after(anna="dragon", ben="dragon"),
        seed_after(anna="Dragon"),
    ]
    assert len(set(seeds)) == len(seeds)
    assert seeds[0] == seed_after()
    house = started(2)
    assert house.table.drawn_by == MESSAGE
    assert house.table.played.setup.seed == house.table.row.seed == seeds[0]


def test_the_seal_is_known_before_anyone_joins_and_stays() -> None:
    house = House(lobby())
    seal = house.table.seal
    assert seal == hashlib.sha256(SECRET.encode()).hexdigest()
    house.do(Join(BEN, "Ben"))
    house.do(GiveWord(BEN, "dragon"))
    assert house.start().seal == seal


def test_a_lucky_word_is_changed_until_the_start() -> None:
    house = gathered(2, computers=1)
    assert house.code(GiveWord(STRANGER, "dragon")) == "not_a_member"
    house.do(GiveWord(BEN, " dragon\n\tof  fire "))
    house.do(GiveWord(BEN, "dragon of fire"))
    assert [line.text for line in house.lines("word")] == ["dragon of fire"]
    house.do(GiveWord(ANNA, "grail"))
    house.do(GiveWord(ANNA, ""))
    assert [member.word for member in house.table.members] == ["", "dragon of fire", ""]
    house.do(Start(ANNA))
    assert house.code(GiveWord(BEN, "knight")) == "drawing"


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("Scho\u0308n", "Sch\u00f6n"),
        ("x" * 41, "x" * 40),
        ("x" * 39 + " y", "x" * 39),
        ("a\u2028b\u200bc\u00a0d\ud800e", "a b c d e"),
        (" \n ", ""),
    ],
)
def test_a_lucky_word_is_one_line_of_visible_characters(typed: str, word: str) -> None:
    assert lucky_word(typed) == word == lucky_word(word)


def test_nothing_changes_while_the_lots_are_drawn() -> None:
    house = gathered(2, computers=1)
    drawing = house.do(Start(ANNA))
    assert (drawing.running, drawing.row.seed) == (False, "")
    for command in (
        Join(CLARA, "Clara"),
        AddComputer(ANNA, "novice"),
        RemoveComputer(ANNA),
        SendAway(ANNA, 1),
        GiveWord(BEN, "dragon"),
    ):
        assert house.code(command) == "drawing"
    assert house.do(Start(ANNA)) is drawing
    assert house.code(Start(BEN)) == "only_host"
    assert house.code(DrawLots(drawing.drawing + 1, MESSAGE)) == "stale"
    house.do(DrawLots(drawing.drawing, MESSAGE))
    assert house.kinds(drawing.revision) == ["start", "call"]
    assert house.code(DrawLots(drawing.drawing, MESSAGE)) == "not_in_lobby"


def test_leaving_cancels_the_drawing() -> None:
    house = gathered(3)
    off = house.do(Start(ANNA)).drawing
    house.do(Leave(CLARA))
    assert house.table.drawing == 0
    assert house.code(DrawLots(off, MESSAGE)) == "stale"
    house.do(GiveWord(BEN, "dragon"))
    assert len(house.start().members) == 2


def test_the_host_closes_a_table_whose_lots_are_drawn() -> None:
    for close in (Leave(ANNA, sure=True), EndTable(ANNA, only_lobby=True, sure=True)):
        house = gathered(2)
        drawing = house.do(Start(ANNA)).drawing
        house.do(close)
        assert (house.table.row.status, house.table.drawing) == (Status.ENDED, 0)
        assert house.code(DrawLots(drawing, MESSAGE)) == "not_in_lobby"


def test_lots_are_drawn_after_a_move_to_another_channel() -> None:
    house = gathered(2)
    drawing = house.do(Start(ANNA)).drawing
    house.do(Park(CHANNEL))
    assert house.code(DrawLots(drawing, MESSAGE)) == "not_in_lobby"
    house.do(MoveHere(BEN, 501, GUILD))
    assert house.table.drawing == drawing
    assert house.do(DrawLots(drawing, MESSAGE)).running


# ------------------------------------------------------------------- options and guests
def test_the_host_changes_what_is_played() -> None:
    """Options equal to the game's defaults are not stored, and a change without effect adds no
    line.
    """
    house = gathered(2)
    house.do(ChangeOptions(ANNA, {"king": True, "pace": "1d", "players": 3}))
    assert (house.table.row.wanted_players, house.kinds()[-1]) == (3, "options")
    assert json.loads(house.lines("options")[-1].text) == {"king": True, "pace": "1d", "players": 3}
    before = house.table
    house.do(ChangeOptions(ANNA, {"king": True, "diagonals": False}))
    assert house.table is before
    house.do(ChangeOptions(ANNA, {"king": False, "pace": None, "players": None}))
    assert house.table.row.wanted_players is None
    assert not {"king", "pace"} & house.table.row.options.keys()


@pytest.mark.parametrize(
    ("changes", "refused_as"),
    [
        ({"players": 1}, "too_few_seats"),
        ({"players": 7}, "player_count"),
        ({"goal": 99}, "option_value"),
        ({"pace": "soon"}, "no_such_pace"),
        ({"starter": "5", "players": 3}, "starter_seat"),
    ],
)
def test_impossible_changes_are_refused(changes: dict[str, Any], refused_as: str) -> None:
    house = gathered(2)
    assert house.code(ChangeOptions(ANNA, changes)) == refused_as
    assert house.code(ChangeOptions(BEN, {"king": True})) == "only_host"
    house.do(Start(ANNA))
    assert house.code(ChangeOptions(ANNA, {"king": True})) == "drawing"


def test_guests_are_invited_once_and_not_against_the_host() -> None:
    house = gathered(2)
    house.do(Invite(BEN, CLARA))
    assert set(house.table.invitations) == {CLARA}
    assert house.code(Invite(ANNA, CLARA)) == "invited_already"
    assert house.code(Invite(ANNA, BEN)) == "sits_already"
    assert house.code(Invite(STRANGER, DAVID)) == "not_a_member"
    house.do(Join(CLARA, "Clara"))
    house.do(SendAway(ANNA, house.table.member(CLARA).number))
    assert not house.table.invitations
    assert house.code(Invite(BEN, CLARA)) == "was_sent_away"
    house.do(ChangeOptions(ANNA, {"players": 2}))
    assert house.code(Invite(BEN, DAVID)) == "table_full"


def test_players_and_followers_mute_a_table() -> None:
    """Anyone else is refused, because they get no messages from the table."""
    house = gathered(2)
    assert house.code(Mute(STRANGER, wanted=True)) == "nothing_to_mute"
    house.do(Follow(STRANGER))
    for person in (STRANGER, BEN):
        house.do(Mute(person, wanted=True))
    assert house.table.muted == {STRANGER, BEN}
    house.do(Mute(BEN, wanted=False))
    assert house.table.muted == {STRANGER}
