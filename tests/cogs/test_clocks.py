"""Time as people see it: the lobby, the board, reminders, and the question when time is up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

from data.store.rows import MessageRow, Status
from games import GAMES
from play.clock import DAY, HOUR, MINUTE
from tests.refusals import UNAVAILABLE, refuse
from tests.stage import Stage, answer_to, controls, texts_of

pytestmark = pytest.mark.usefixtures("no_errors")


async def timed(stage: Stage, players: int = 2, pace: str = "1d", **options: Any) -> None:
    """Start a table of Lancelot with a pace; Anna begins."""
    await stage.open("lancelot", players, seating="joined", starter=1, pace=pace, **options)


def times_in(message: Any) -> list[int]:
    """The moments that a message names, in seconds since 1970."""
    return [int(stamp) for stamp in re.findall(r"<t:(\d+):R>", texts_of(message))]


async def run_out(stage: Stage, pace: int = DAY) -> None:
    """Let a player's time run out, past any reminders."""
    for part in (pace / 2, pace / 2):
        await stage.wait(part + MINUTE)


async def late(stage: Stage, players: int = 2) -> Any:
    """Let Anna's time run out; return the question to the others."""
    await timed(stage, players)
    await run_out(stage)
    return stage.question()


# ------------------------------------------------------------------------------- lobby
async def test_the_lobby_says_how_much_time_there_is(stage: Stage) -> None:
    await stage.slash("Anna", "lancelot new", pace="3d+6h", strict=True)
    lobby = stage.last()
    assert "Time: 3 days in total, plus 6 hours after each turn" in lobby
    assert "a computer player moves without asking" in lobby


@pytest.mark.parametrize(
    ("chosen", "told", "kept"),
    [
        ({}, "2 days per turn", "2d"),
        ({"pace": "none"}, "no limit", None),
        ({"pace": "12h", "strict": True}, "12 hours per turn", "12h"),
    ],
)
async def test_a_turn_has_two_days_by_default_or_what_the_host_wants(
    stage: Stage, chosen: dict[str, Any], told: str, kept: str | None
) -> None:
    """A rematch keeps the pace."""
    await stage.lobby("Ben", **chosen)
    assert f"Time: {told}" in stage.last()
    await stage.press("Anna", "start")
    assert (await stage.table()).row.options.get("pace") == kept
    await stage.resign("Anna")
    await stage.tap("Anna", stage.channel.last_message, "Rematch")
    assert f"Time: {told}" in stage.last()
    assert ("without asking" in stage.last()) == ("strict" in chosen)


async def test_there_is_no_limit_until_another_person_sits_down(stage: Stage) -> None:
    await stage.slash("Anna", "lancelot new")
    await stage.pick("Anna", "computer", "novice")
    assert "Time: no limit" in stage.last()
    await stage.press("Ben", "join")
    assert "Time: 2 days per turn" in stage.last()


async def test_impossible_paces_are_refused(stage: Stage) -> None:
    for pace, why in (
        ("*soon*", "I do not understand the pace “*soon*”"),
        ("30h+x", "I do not understand the pace"),
        ("9d", "at least one hour and at most seven days"),
        ("1h+1h", "A time bank holds 1 to 30 days"),
    ):
        assert why in await stage.command("Anna", "lancelot new", pace=pace)
    assert stage.channel.history() == []


async def test_paces_are_offered_while_typing(stage: Stage) -> None:
    anna = stage.people["Anna"]

    async def offered(typed: str) -> list[tuple[str, str]]:
        choices = await anna.autocomplete(stage.channel, "lancelot new", "pace", typed)
        return [(choice["name"], choice["value"]) for choice in choices]

    assert (await offered(""))[0] == ("no limit", "none")
    assert ("1 day per turn", "1d") in await offered("")
    assert ("12 hours per turn", "12h") in await offered("12 h")
    assert await offered("36h") == [("36 hours per turn", "36h")]
    assert await offered("nonsense") == []


# ------------------------------------------------------------------------------- board
async def test_the_board_says_until_when(stage: Stage) -> None:
    await timed(stage)
    assert times_in(stage.boards()[-1]) == [int(stage.now().timestamp()) + DAY]
    await stage.wait(HOUR)
    await stage.place("Anna", "K4")
    assert times_in(stage.boards()[-1]) == [int(stage.now().timestamp()) + DAY]
    assert "by <t:" in stage.last()
    assert "until <t:" in await stage.command("Ben", "tables")


async def test_a_deadline_that_everybody_shares_appears_once(stage: Stage) -> None:
    await stage.open("donquixote", 3, pace="12h")
    assert times_in(stage.boards()[-1]) == [int(stage.now().timestamp()) + 12 * HOUR]


# --------------------------------------------------------------------------- reminders
async def test_a_reminder_posts_the_board_again(stage: Stage) -> None:
    """One reminder comes at half time, another shortly before the time runs out; each says so and
    pings its person.
    """
    await timed(stage)
    end = int(stage.now().timestamp()) + DAY
    await stage.wait(12 * HOUR + MINUTE)
    assert "Half of the time is gone." in stage.last()
    assert times_in(stage.channel.last_message) == [end]
    assert len(stage.boards()) == 1
    assert stage.pings()[-1] == [stage.people["Anna"].id]
    await stage.wait(9 * HOUR)
    assert "nearly up" in stage.last()
    assert stage.said("Half of the time") == 0
    await stage.place("Anna", "K4")
    assert stage.said("nearly up") == 0
    assert sum(stage.people["Anna"].id in users for users in stage.pings()) == 3


async def test_no_reminder_in_quiet_hours(stage: Stage) -> None:
    """It is midnight in UTC; Anna sleeps until seven, and her clock is paused."""
    await stage.command("Anna", "preferences zone", zone="UTC")
    await stage.command("Anna", "preferences quiet", since="23:00", until="7:00")
    await timed(stage, pace="6h")
    assert times_in(stage.boards()[-1]) == [int(stage.now().timestamp()) + 13 * HOUR]
    told = len(stage.pings())
    await stage.wait(7 * HOUR - MINUTE)
    assert len(stage.pings()) == told
    await stage.wait(3 * HOUR + 2 * MINUTE)
    assert stage.said("Half of the time") == 1


async def test_new_quiet_hours_change_the_board(stage: Stage) -> None:
    """The deadline is edited in place, and the last events are still shown."""
    await timed(stage, pace="6h")
    await stage.place("Anna", "K4")
    await stage.command("Ben", "preferences zone", zone="UTC")
    told = len(stage.boards())
    await stage.command("Ben", "preferences quiet", since="0", until="5:30")
    assert len(stage.boards()) == told
    begin = int(stage.now().timestamp())
    assert begin + 11 * HOUR < times_in(stage.boards()[-1])[0] <= begin + 11.5 * HOUR
    assert "places a stone on K4" in texts_of(stage.boards()[-1])


async def test_the_hand_says_until_when(stage: Stage) -> None:
    await stage.open("isolde", 2, pace="12h")
    (seat, *_) = (await stage.table()).awaited_persons
    person = (await stage.table()).members[seat].person_id
    hand = await stage.message("hand", person)
    assert times_in(hand) == [int(stage.now().timestamp()) + 12 * HOUR]


async def test_a_person_can_be_called_by_direct_message(stage: Stage) -> None:
    """Nobody is pinged at the table. The direct message also serves as the reminder, and is deleted
    when the turn is over.
    """
    await stage.command("Ben", "preferences calls", where="dm")
    await timed(stage)
    told = len(stage.pings())
    await stage.place("Anna", "K4")
    assert [ping for ping in stage.pings()[told:] if ping] == []
    (call,) = stage.direct("Ben")
    assert "It is your turn in Lancelot" in call
    assert "until <t:" in call
    await stage.wait(12 * HOUR + MINUTE)
    (call,) = stage.direct("Ben")
    assert "Half of the time is gone." in call
    await stage.place("Ben", "D4")
    assert stage.direct("Ben") == []
    assert stage.direct("Anna") == []


# ------------------------------------------------------------------- when time is up
async def test_the_other_player_is_asked_and_may_wait_longer(stage: Stage) -> None:
    asked = await late(stage)
    assert "▲ **Anna**'s time is up" in texts_of(asked)
    assert [c.label for c in controls(asked)] == [
        "Wait longer",
        "A computer moves once",
        "A computer plays until they are back",
        "Offer the seat",
        "End without a result",
    ]
    assert stage.pings()[-1] == [stage.people["Ben"].id]
    assert stage.said("nearly up") == 0
    told = len(stage.pings())
    await stage.tap("Ben", asked, "Wait longer")
    assert asked.id not in [message.id for message in stage.channel.history()]
    end = int(stage.now().timestamp()) + DAY
    assert {*times_in(stage.boards()[-1])} == {end}
    assert "We will keep waiting for ▲ **Anna**" in texts_of(stage.boards()[-1])
    assert len(stage.pings()) == told
    await stage.wait(12 * HOUR + MINUTE)
    assert "Half of the time" in stage.last()


async def test_a_wait_is_told_only_while_it_lasts(stage: Stage) -> None:
    waiting = "We will keep waiting for ▲ **Anna**"
    await stage.tap("Ben", await late(stage), "Wait longer")
    await run_out(stage)
    assert waiting not in texts_of(stage.boards()[-1]), "the longer time is up, too"
    await stage.tap("Ben", stage.question(), "Wait longer")
    assert texts_of(stage.boards()[-1]).count(waiting) == 1
    await stage.place("Anna", "K4")
    board = texts_of(stage.boards()[-1])
    assert "▲ **Anna** places a stone on K4" in board
    assert waiting not in board


async def test_a_late_move_settles_the_question(stage: Stage) -> None:
    asked = await late(stage)
    await stage.place("Anna", "K4")
    assert (await stage.table()).awaited == (1,)
    assert asked.id not in [message.id for message in stage.channel.history()]


async def test_a_computer_player_moves_once(stage: Stage) -> None:
    await stage.tap("Ben", await late(stage), "A computer moves once")
    table = await stage.table()
    assert table.awaited == (1,)
    assert table.seat_of(stage.people["Anna"].id) == 0
    assert stage.said("A computer player will move for ▲ **Anna** this once") == 1
    assert stage.pings()[-1] == [stage.people["Ben"].id]


async def test_a_computer_player_keeps_the_seat_until_its_player_is_back(stage: Stage) -> None:
    await stage.tap("Ben", await late(stage), "A computer plays until they are back")
    table = await stage.table()
    assert table.computer_at(0) is not None
    assert table.awaited == (1,)
    assert stage.said("will keep the seat until ▲ **Anna** is back") == 1
    assert times_in(stage.boards()[-1]) == [], "only a computer player waits for Ben"
    await stage.press_more("Anna", "back")
    table = await stage.table()
    assert table.seat_of(stage.people["Anna"].id) == 0
    assert list(table.clocks) == [1]
    assert times_in(stage.boards()[-1]) == [int(stage.now().timestamp()) + DAY]


async def test_the_seat_is_offered(stage: Stage) -> None:
    """The new player has a whole turn's time; until then the table waits."""
    await stage.tap("Ben", await late(stage), "Offer the seat")
    offer = stage.channel.last_message
    assert "is free for anyone who would like to take it over" in texts_of(offer)
    await stage.wait(5 * HOUR)
    await stage.tap("Clara", offer, "Take the seat")
    table = await stage.table()
    assert table.seat_of(stage.people["Clara"].id) == 0
    assert table.until(0) is not None
    assert {*times_in(stage.boards()[-1])} == {int(stage.now().timestamp()) + DAY}


async def test_the_other_player_can_end_the_match_and_all_clocks_stop(stage: Stage) -> None:
    await stage.tap("Ben", await late(stage), "End without a result")
    (table,) = [
        await stage.bot.tables.by_code(code)
        for code in re.findall(r"Table `(\w+)` has ended without a result", stage.last())
    ]
    assert table.row.status is Status.ENDED
    assert await stage.bot.store.tables.next_due() is None


async def test_after_three_misses_in_a_row_a_computer_player_takes_the_seat(stage: Stage) -> None:
    """Nobody answers the first two questions."""
    await timed(stage, pace="6h")
    for _ in range(2):
        await run_out(stage, 6 * HOUR)
        await stage.wait(6 * HOUR + MINUTE)
    await run_out(stage, 6 * HOUR)
    assert stage.said("has run out 3 times in a row") == 1
    assert (await stage.table()).computer_at(0) is not None
    await stage.press_more("Anna", "back")
    assert (await stage.table()).computer_at(0) is None


@pytest.mark.parametrize(
    "game",
    [
        "lancelot",
        "donquixote",
        "isolde",
        *(pytest.param(game, marks=pytest.mark.long) for game in ("isis", "twilight")),
    ],
)
async def test_every_game_continues_without_its_people(stage: Stage, game: str) -> None:
    """Everyone is silent at a strict table: computer players first move for people, then take over
    all seats but one, whose player has no time limit.
    """
    players = next(number for number in GAMES[game].info.players if number > 1)
    await stage.open(game, players, pace="1h", strict=True)
    for _ in range(30):
        await stage.wait(HOUR + MINUTE)
        table = await stage.table()
        if len(table.persons) < 2 and not table.awaited_computers:
            break
    assert len(table.persons) == 1
    assert table.clocks == {}
    assert any(line.kind == "move" and line.person_id is None for line in table.journal)
    told = len(stage.channel.history())
    await stage.wait(DAY)
    assert len(stage.channel.history()) == told


# -------------------------------------------------------------------------- restarts
async def test_neither_reminder_nor_question_is_repeated_after_a_restart(stage: Stage) -> None:
    await timed(stage)
    await stage.wait(12 * HOUR + MINUTE)
    assert stage.said("Half of the time") == 1
    await stage.restart()
    assert stage.said("Half of the time") == 1
    await stage.wait(13 * HOUR)
    assert stage.said("▲ **Anna**'s time is up") == 1
    await stage.restart()
    await stage.wait(HOUR)
    assert stage.said("▲ **Anna**'s time is up") == 1
    await stage.tap("Ben", stage.question(), "A computer moves once")
    assert (await stage.table()).awaited == (1,)


async def test_a_question_is_not_posted_again_after_a_crash_before_it_is_recorded(
    stage: Stage,
) -> None:
    await timed(stage)
    await stage.wait(23 * HOUR)
    turn = (await stage.table()).clocks[0]
    messages = stage.bot.store.messages
    write = messages.write

    async def write_before_death(table_id: int, rows: Sequence[MessageRow], *rest: Any) -> None:
        if not any(row.key.startswith("vote") and row.message_id for row in rows):
            await write(table_id, rows, *rest)

    messages.write = write_before_death  # type: ignore[method-assign,assignment]
    await stage.wait(HOUR + MINUTE)
    table = await stage.table()
    assert stage.said("▲ **Anna**'s time is up") == 1
    assert await stage.rows(table.id, "vote") == []
    await stage.wait(10 * MINUTE)
    await stage.restart()
    assert stage.said("▲ **Anna**'s time is up") == 1
    (row,) = await stage.rows(table.id, "vote")
    assert row.message_id == stage.question().id
    after = (await stage.table()).clocks[0]
    assert (after.decision, after.misses) == (turn.decision, 1)


async def test_a_reminder_that_cannot_be_posted_is_tried_again(stage: Stage) -> None:
    await timed(stage)
    refuse(stage.env, "POST", f"/channels/{stage.channel.id}/messages", UNAVAILABLE, times=1)
    await stage.wait(12 * HOUR + MINUTE)
    await stage.wait(10 * MINUTE)
    assert stage.said("Half of the time") == 1


async def test_a_question_that_cannot_be_posted_is_asked_as_soon_as_possible(
    stage: Stage,
) -> None:
    await timed(stage)
    await stage.wait(23 * HOUR)
    refuse(stage.env, "POST", f"/channels/{stage.channel.id}/messages", UNAVAILABLE)
    await stage.wait(HOUR + MINUTE)
    assert stage.said("▲ **Anna**'s time is up") == 0
    stage.env.backend.faults.clear()
    await stage.wait(10 * MINUTE)
    assert stage.said("▲ **Anna**'s time is up") == 1
    assert (await stage.table()).clocks[0].misses == 1
    await stage.tap("Ben", stage.question(), "A computer moves once")
    assert (await stage.table()).awaited == (1,)


async def test_a_lost_channel_stops_the_clock(stage: Stage) -> None:
    """The table is parked; once moved elsewhere, it resumes with the remaining time."""
    await timed(stage)
    await stage.wait(HOUR)
    stage.env.backend.delete_channel(stage.channel.id)
    await stage.wait(2 * DAY)
    other = stage.new_channel("elsewhere")
    ben = stage.people["Ben"]
    parked = (await ben.slash(other, "tables")).response
    await ben.click(parked, custom_id=controls(parked)[0].custom_id)
    board = other.last_message
    assert times_in(board)[0] == pytest.approx(stage.now().timestamp() + 23 * HOUR, abs=5 * MINUTE)


# ------------------------------------------------------------------------ preferences
async def test_preferences_are_shown(stage: Stage) -> None:
    told = await stage.command("Anna", "preferences show")
    assert "Time zone: not chosen yet" in told
    assert "Quiet hours: none" in told
    await stage.command("Anna", "preferences zone", zone="Berlin")
    await stage.command("Anna", "preferences quiet", since="22", until="7.30")
    told = await stage.command("Anna", "preferences calls", where="dm")
    assert "Time zone: Berlin, where it is " in told
    assert "Quiet hours: from 22:00 to 07:30" in told
    assert "Your turn is announced: by direct message\n" in f"{told}\n"
    told = await stage.command("Anna", "preferences quiet")
    assert "Quiet hours: none" in told


async def test_unknown_zones_are_refused_with_suggestions(stage: Stage) -> None:
    for typed, told in (
        ("Berln", "Did you mean “Berlin”"),
        ("Mars/Olympus_Mons", "I do not know the time zone “Mars/Olympus"),
        ("", "I do not know the time zone “”"),
        ("@everyone", "Name a large city in your zone"),
        ("x" * 4000, "I do not know the time zone"),
    ):
        answer = await stage.command("Anna", "preferences zone", zone=typed)
        assert told in answer
        assert "@everyone" not in answer
    assert (await stage.bot.store.settings.person(stage.people["Anna"].id)).zone is None


async def test_impossible_quiet_hours_are_refused(stage: Stage) -> None:
    hours = {"since": "22", "until": "7"}
    told = await stage.command("Anna", "preferences quiet", **hours)
    assert "First tell me your time zone" in told
    await stage.command("Anna", "preferences zone", zone="Berlin")
    for times, told in (
        ({"since": "25:00", "until": "7"}, "“25:00” is not a time of day"),
        ({"since": "22:00"}, "both when your quiet hours begin and when they end"),
        ({"since": "7", "until": "7"}, "last 16 hours at most"),
        ({"since": "0", "until": "23"}, "last 16 hours at most"),
    ):
        assert told in await stage.command("Anna", "preferences quiet", **times)
    assert (await stage.bot.store.settings.person(stage.people["Anna"].id)).quiet_from is None


async def test_zones_are_offered_while_typing(stage: Stage) -> None:
    anna = stage.people["Anna"]
    choices = await anna.autocomplete(stage.channel, "preferences zone", "zone", "vien")
    assert choices[0]["value"] == "Europe/Vienna"
    assert re.fullmatch(r"Vienna \(Europe/Vienna\) · \d\d:\d\d", choices[0]["name"])
    for typed in ("", "a", "zzzz"):
        choices = await anna.autocomplete(stage.channel, "preferences zone", "zone", typed)
        assert len(choices) <= 25


# ----------------------------------------------------------------------------- server
async def test_a_server_limits_rest_and_tables(stage: Stage) -> None:
    kay = stage.keeper()
    told = answer_to(await kay.slash(stage.channel, "server quiet", hours=4))
    assert "Longest clock pause per turn in quiet hours: 4 hours" in told
    told = answer_to(await kay.slash(stage.channel, "server tables", limit=1))
    assert "Open tables per person: 1" in told
    await timed(stage)
    other = stage.new_channel("other")
    told = answer_to(await stage.people["Ben"].slash(other, "lancelot new"))
    assert "at up to 1 open table" in told
    assert other.history() == []
    told = answer_to(await kay.slash(stage.channel, "server tables"))
    assert "Open tables per person: any number" in told
    await stage.people["Ben"].slash(other, "lancelot new")
    assert other.history() != []


async def test_a_new_limit_of_rest_moves_deadlines(stage: Stage) -> None:
    await stage.command("Anna", "preferences zone", zone="UTC")
    await stage.command("Anna", "preferences quiet", since="23:00", until="7:00")
    await timed(stage, pace="6h")
    begin = int(stage.now().timestamp())
    assert times_in(stage.boards()[-1]) == [begin + 13 * HOUR]
    kay = stage.keeper()
    await kay.slash(stage.channel, "server quiet", hours=4)
    assert times_in(stage.boards()[-1]) == [begin + 10 * HOUR]


async def test_closed_direct_messages_are_pointed_out(stage: Stage) -> None:
    stage.close_dms("Anna")
    told = await stage.command("Anna", "preferences calls", where="dm")
    assert "allow direct messages" in told


# ----------------------------------------------------------------------------- German
@pytest.mark.speaks("de")
async def test_everything_about_time_is_german(stage: Stage) -> None:
    await stage.slash("Anna", "lancelot new", seating="joined", starter=1, pace="1d")
    assert "Bedenkzeit: 1 Tag je Zug" in stage.last()
    await stage.press("Ben", "join")
    await stage.press("Anna", "start")
    assert "ist am Zug, bis <t:" in stage.last()
    await stage.wait(12 * HOUR + MINUTE)
    assert "Die Hälfte der Zeit ist um." in stage.last()
    await stage.wait(9 * HOUR)
    assert "fast um" in stage.last()
    await stage.wait(3 * HOUR)
    asked = stage.question()
    assert "Die Zeit von ▲ **Anna** ist um" in texts_of(asked)
    assert [c.label for c in controls(asked)] == [
        "Länger warten",
        "Computer zieht einmal",
        "Computer bis zur Rückkehr",
        "Platz anbieten",
        "Ohne Ergebnis beenden",
    ]
    await stage.tap("Ben", asked, "Länger warten")
    assert stage.said("Wir warten weiter auf ▲ **Anna**") == 1
    told = await stage.command("Ben", "preferences zone", zone="Wien")
    assert "Zeitzone: Wien, dort ist es jetzt " in told
    told = await stage.command("Ben", "preferences quiet", since="22 Uhr", until="7")
    assert "Ruhezeit: von 22:00 bis 07:00" in told
    told = await stage.command("Ben", "lancelot new", pace="9d")
    assert "mindestens eine Stunde und höchstens sieben Tage" in told
    told = await stage.command("Ben", "preferences zone", zone="Wein")
    assert "Meinst du" in told
