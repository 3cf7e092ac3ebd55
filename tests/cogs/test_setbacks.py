"""After temporary failures, the bot makes up for the work that failed, and nothing else suffers."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest
from structlog.testing import capture_logs

from cogs.delivery.delivery import Delivery, TableDelivery
from cogs.features.deadlines import LATEST, SOONEST
from data.store.problems import StoreBusy
from data.store.rows import Status
from games import GAMES
from play.aggregate import Command
from play.aggregates import Change
from play.moves import PlayForComputer, PlayMoves
from play.table import Table
from play.votes import open_votes
from render import PAINTERS
from tests.refusals import MISSING_PERMISSIONS, UNAUTHORIZED, UNAVAILABLE, Refusal, refuse
from tests.stage import Stage, answer_to, controls, texts_of

MINUTE, HOUR, DAY = 60, 3600, 24 * 3600


class Failing:
    """Work that fails a number of times before it succeeds."""

    def __init__(self, work: Any, times: int = 1, error: Exception | None = None) -> None:
        self.calls = 0
        self._work, self._times = work, times
        self._error = error or StoreBusy(Path("house"))

    async def __call__(self, *given: Any, **named: Any) -> Any:
        self.calls += 1
        if self.calls <= self._times:
            raise self._error
        return await self._work(*given, **named)


class FailingMoves:
    """Makes the store refuse computer players' first moves."""

    def __init__(self, stage: Stage, times: int = 1) -> None:
        self.tried = 0
        self._act, self._times = stage.bot.tables.act, times
        stage.bot.tables.act = self  # type: ignore[method-assign]

    async def __call__(self, table_id: int, command: Command[Table]) -> Change[Table]:
        if isinstance(command, PlayForComputer):
            self.tried += 1
            if self.tried <= self._times:
                raise StoreBusy(Path("house"))
        return await self._act(table_id, command)


async def alone(stage: Stage) -> None:
    """Start a match of Lancelot between Anna, who begins, and a computer player."""
    await stage.alone(seating="joined", starter=1)


def fault(stage: Stage, method: str = "POST") -> None:
    """Refuse requests about the channel's messages for lack of permission, from now on."""
    path = f"/channels/{stage.channel.id}/messages"
    refuse(stage.env, method, path, MISSING_PERMISSIONS)


# -------------------------------------------------------------------- computer players
async def test_a_computer_player_whose_move_could_not_be_stored_moves_again(stage: Stage) -> None:
    await alone(stage)
    moves = FailingMoves(stage)
    await stage.place("Anna", "K4")
    assert (await stage.table()).awaited_computers
    await stage.wait(MINUTE)
    assert moves.tried == 2
    assert (await stage.table()).awaited_persons == (0,)
    assert "places a stone on K4" in texts_of(stage.boards()[-1])


async def test_the_clock_wakes_computer_players_that_have_given_up(stage: Stage) -> None:
    await alone(stage)
    FailingMoves(stage, times=4)
    await stage.place("Anna", "K4")
    await stage.wait(HOUR)
    assert (await stage.table()).awaited_persons == (0,)


async def test_computer_players_move_though_the_board_cannot_be_posted(stage: Stage) -> None:
    await alone(stage)
    fault(stage)
    await stage.place("Anna", "K4")
    await stage.wait(MINUTE)
    assert (await stage.table()).awaited_persons == (0,)
    assert len(stage.boards()) == 1
    stage.env.backend.faults.clear()
    await stage.wait(15 * MINUTE)
    assert "places a stone on K4" in texts_of(stage.boards()[-1])
    table = await stage.table()
    told, _ = await stage.bot.store.messages.all_of(table.id)
    assert told == table.revision


async def test_a_flood_of_events_costs_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Events of a server are ignored if nothing is waiting to be posted there. Otherwise, all
    events within a few seconds lead to a single attempt, or to none while the bot knows that it may
    not post.
    """
    await stage.lancelot()
    monkeypatch.setattr("cogs.features.waking.PAUSE", 0.05)

    async def flood() -> tuple[int, list[Any]]:
        """Return how many tasks the events started, and the requests that followed."""
        before = len(stage.env.http_requests)
        for _ in range(100):
            stage.env.backend.announce_channel_update(stage.channel.id)
        await asyncio.sleep(0.02)  # less than PAUSE
        started = len(stage.bot.waker.tasks)
        await stage.env.settle()
        return started, stage.env.http_requests[before:]

    assert await flood() == (0, [])
    fault(stage)
    await stage.place("Anna", "K4")
    with monkeypatch.context() as patch:
        looked = Mock(return_value=False)
        patch.setattr("cogs.gateway.client.may_show", looked)
        assert await flood() == (1, [])
        assert 1 <= looked.call_count <= 2
    started, requests = await flood()
    assert (started, len(requests)) == (1, 1)
    stage.env.backend.faults.clear()
    await flood()
    assert "K4" in texts_of(stage.boards()[-1])


async def test_a_server_is_updated_as_soon_as_its_outage_is_over(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.features.waking.PAUSE", 0.05)
    monkeypatch.setattr(stage.bot.table_delivery, "retries", (600.0,))
    await stage.lancelot()
    refuse(stage.env, "POST", f"/channels/{stage.channel.id}/messages", UNAVAILABLE)
    await stage.place("Anna", "K4")
    assert len(stage.boards()) == 1
    assert stage.bot.table_delivery.hindered(stage.guild.id)
    stage.env.backend.faults.clear()
    stage.bot.client.dispatch("guild_available", stage.bot.client.get_guild(stage.guild.id))
    await caught_up(stage)
    assert "K4" in texts_of(stage.boards()[-1])


async def test_a_board_follows_whatever_gives_the_bot_its_permission_back(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A role is changed or deleted, or the channel or the bot's own roles change."""
    monkeypatch.setattr("cogs.features.waking.PAUSE", 0.05)
    monkeypatch.setattr(stage.bot.table_delivery, "retries", (600.0,))
    await stage.lancelot()
    guild: Any = stage.bot.client.get_guild(stage.guild.id)
    channel, role = guild.get_channel(stage.channel.id), guild.default_role
    events = {
        "guild_role_delete": [role],
        "guild_role_update": [role, role],
        "guild_channel_update": [channel, channel],
        "member_update": [guild.me, guild.me],
    }
    moves = (("Anna", "K4"), ("Ben", "D4"), ("Anna", "E9"), ("Ben", "G7"))
    for (event, given), (name, square) in zip(events.items(), moves, strict=True):
        fault(stage)
        await stage.place(name, square)
        assert square not in texts_of(stage.boards()[-1])
        stage.env.backend.faults.clear()
        stage.bot.client.dispatch(event, *given)
        await caught_up(stage)
        assert square in texts_of(stage.boards()[-1]), event


async def caught_up(stage: Stage) -> None:
    """Wait until nothing is left to be posted on the server, for at most ten seconds."""
    for _ in range(200):
        if not stage.bot.table_delivery.hindered(stage.guild.id):
            return
        await asyncio.sleep(0.05)
    raise AssertionError("something has not been posted")


# -------------------------------------------------------------------------- telling
async def test_a_move_counts_even_if_the_board_cannot_be_painted(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.lancelot()

    def paint(painter: object, scene: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(type(PAINTERS["lancelot"]), "board", paint)
        told = answer_to(await stage.place("Anna", "K4"))
    assert "Your move counts" in told
    assert "Nothing was changed" not in told
    await stage.wait(15 * MINUTE)
    assert "places a stone on K4" in texts_of(stage.boards()[-1])
    assert controls(stage.boards()[-1])


async def test_a_direct_message_that_fails_is_not_taken_for_the_board(stage: Stage) -> None:
    await stage.open("twilight", 4, seating="joined")
    for person in stage.people.values():
        path = f"/channels/{person.user.dm_channel.id}/messages*"
        refuse(stage.env, "*", path, UNAVAILABLE)
    table = await stage.table()
    (mover,) = await stage.awaited()
    card = table.game.legal(table.played.state, table.awaited[0])[0]
    told = answer_to(await mover.slash(stage.channel, "twilight play", card=card))
    assert "could not post the board" not in told
    table = await stage.table()
    assert stage.boards()[-1].id == (await stage.message("board")).id
    assert (await stage.bot.store.messages.all_of(table.id))[0] < table.revision
    stage.env.backend.faults.clear()
    await stage.wait(2 * MINUTE)
    assert (await stage.bot.store.messages.all_of(table.id))[0] == table.revision


@pytest.mark.speaks("de")
async def test_held_back_messages_are_sent_as_soon_as_possible(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For an hour Discord accepts no board: anyone who moves or looks learns when it will again;
    the bot tries nothing until then, and then posts the board.
    """
    await stage.lancelot()
    tried = AsyncMock(side_effect=discord.RateLimited(HOUR))
    with monkeypatch.context() as patch:
        patch.setattr(discord.PartialMessageable, "send", tried)
        told = answer_to(await stage.place("Anna", "K4"))
        until = f"<t:{int(stage.now().timestamp()) + HOUR}:f>"
        assert f"Discord hält die Nachrichten dieses Tisches bis {until}" in told
        assert until in answer_to(await stage.slash("Ben", "table show"))
        await stage.wait(HOUR / 2)
        await stage.place("Ben", "D4")
    assert tried.await_count == 1
    await stage.wait(HOUR / 2 + MINUTE)
    assert "D4" in texts_of(stage.boards()[-1])
    assert until not in answer_to(await stage.slash("Ben", "table show"))


# ---------------------------------------------------------------------------- the clock
async def test_a_failed_look_is_repeated_soon(stage: Stage) -> None:
    """Otherwise the reminder would come an hour later."""
    await stage.lancelot(pace="12h")
    await stage.wait(6 * HOUR - MINUTE)
    stored = stage.bot.store.tables
    for name in ("due", "next_due"):
        setattr(stored, name, Failing(getattr(stored, name)))
    await stage.wait(2 * MINUTE)
    assert "Half of the time" in texts_of(stage.channel.last_message)


async def test_after_a_kill_messages_are_checked_until_no_late_call_can_come(stage: Stage) -> None:
    """The last process may have sent calls that Discord carries out up to a minute later; until
    then, the table does not count as delivered.
    """
    await stage.lancelot()
    fault(stage)
    await stage.place("Anna", "K4")
    await stage.wait(MINUTE)
    stage.env.backend.faults.clear()
    await stage.restart()
    table = await stage.table()
    assert (await stage.bot.store.messages.all_of(table.id))[0] < table.revision
    await stage.wait(MINUTE + 5)
    assert (await stage.bot.store.messages.all_of(table.id))[0] == table.revision


async def test_what_has_succeeded_is_not_retried_again(stage: Stage) -> None:
    await stage.lancelot()
    stored: Any = stage.bot.store.tables
    stored.due = Failing(stored.due)
    stored.behind = AsyncMock(wraps=stored.behind)
    for _ in range(4):
        await stage.wait(HOUR)
    assert stored.behind.await_count == 1


# ---------------------------------------------------------------------------- votes
async def test_a_process_believes_what_others_recorded_about_messages(stage: Stage) -> None:
    """Another process has deleted the record of the board's message; once this process is notified,
    it posts a new board.
    """
    table = await stage.open("lancelot", 2)
    (old,) = await stage.rows(table.id, "board")
    await stage.bot.store.messages.write(table.id, [], removed=[old.key])
    stage.bot.table_delivery.forget(table.id)
    await stage.bot.table_delivery.look(table.id)
    (new,) = await stage.rows(table.id, "board")
    assert (new.key, new.message_id != old.message_id) == (old.key, True)


async def test_an_answer_that_could_not_be_stored_may_be_given_again(stage: Stage) -> None:
    """An answer and the decision that follows from it are stored together or not at all, so the
    answer can be given again.
    """
    await stage.open("lancelot", 2)
    table = await stage.table()
    await stage.end("Anna")
    stored = stage.bot.store.tables
    stored.commit = Failing(stored.commit)  # type: ignore[method-assign]
    asked = stage.question()
    told = answer_to(await stage.tap("Ben", asked, "Agree"))
    assert "nothing was changed" in told
    assert (await stage.bot.tables.get(table.id)).running
    await stage.tap("Ben", asked, "Agree")
    assert (await stage.bot.tables.get(table.id)).row.status is Status.ENDED
    assert asked.id not in [message.id for message in stage.channel.history()]
    assert "has ended without a result" in texts_of(stage.channel.last_message)


async def test_a_vote_that_fails_keeps_no_other_open(stage: Stage) -> None:
    """Two votes are due to close. Closing the first one fails: the second still closes at once, and
    the first at the next attempt.
    """
    channels = [stage.channel, stage.new_channel("second")]
    for channel in channels:
        stage.channel = channel
        await stage.open("lancelot", 2)
        await stage.end("Anna")
    await stage.wait(2 * DAY)
    tables = stage.bot.tables
    tables.tick = Failing(tables.tick)  # type: ignore[method-assign]

    async def undecided() -> list[int]:
        return [number for number in (1, 2) if open_votes(await tables.get(number))]

    await stage.wait(DAY)
    assert await undecided() == [1]
    await stage.wait(MINUTE)
    assert await undecided() == []


# ------------------------------------------------------------------------- what was done
async def test_a_failure_after_a_change_does_not_deny_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.lancelot()

    async def breaking(delivery: TableDelivery, table_id: int) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(Delivery, "bring", breaking)
        told = answer_to(await stage.place("Anna", "K4"))
    assert told.startswith("That counts, but")
    assert (await stage.table()).played.ply == 1
    refused = answer_to(await stage.place("Anna", "K4"))
    assert "not your turn" in refused


@pytest.mark.parametrize("later", [0, 1])
async def test_a_command_delivered_twice_is_answered_correctly(stage: Stage, later: int) -> None:
    """Discord delivers a command twice. Whichever delivery is held up, even the one whose
    acknowledgement Discord accepted, the person is told that the move counts, and nothing else.
    """
    await stage.lancelot()
    feed, act = stage.env.backend.subscribers[-1], stage.bot.tables.act
    deliveries, counted = itertools.count(), asyncio.Event()

    def twice(event: str, payload: Any) -> None:
        for _ in range(2 if event == "INTERACTION_CREATE" else 1):
            feed(event, payload)

    async def held_up(table_id: int, command: Command[Table]) -> Change[Table]:
        if isinstance(command, PlayMoves) and next(deliveries) == later:
            await counted.wait()
            return await act(table_id, command)
        try:
            return await act(table_id, command)
        finally:
            counted.set()

    stage.env.backend.subscribers[-1] = twice
    stage.bot.tables.act = held_up  # type: ignore[method-assign]
    told = answer_to(await stage.place("Anna", "K4"))
    await stage.env.settle()
    assert told == "Done: K4."
    assert next(deliveries) == 2
    assert (await stage.table()).played.ply == 1


# --------------------------------------------------------- tables that cannot be read
def raise_rules(monkeypatch: pytest.MonkeyPatch, game: str = "lancelot") -> None:
    """Raise the version of a game's rules from now on."""
    kind = type(GAMES[game])
    monkeypatch.setattr(kind, "info", replace(kind.info, rules=kind.info.rules + 1))


async def test_a_table_of_other_rules_is_explained_and_can_be_ended(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    await stage.lancelot(pace="1d")
    table = await stage.table()
    raise_rules(monkeypatch)
    await stage.restart()
    anna = stage.people["Anna"]
    for what in ("table show", "table hand", "table log", "table hint", "table undo"):
        told = answer_to(await anna.slash(stage.channel, what))
        assert f"Table `{table.row.code}` was played under different rules" in told, what
    assert "was played under different rules" in answer_to(await stage.place("Anna", "K4"))
    assert "cannot continue" in answer_to(await anna.slash(stage.channel, "tables"))
    await stage.end("Anna")
    await stage.tap("Ben", stage.question(), "Agree")
    assert (await stage.bot.tables.get(table.id)).row.status is Status.ENDED
    assert "has ended without a result" in texts_of(stage.channel.last_message)
    await stage.lancelot()
    await stage.place("Anna", "K4")
    assert "places a stone on K4" in texts_of(stage.boards()[-1])


async def test_a_lobby_from_before_new_rules_starts_under_them(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    """Nothing has been played yet."""
    await stage.slash("Anna", "lancelot new", seating="joined", starter=1)
    raise_rules(monkeypatch)
    await stage.restart()
    await stage.press("Ben", "join")
    await stage.press("Anna", "start")
    await stage.restart()
    await stage.place("Anna", "K4")
    assert "places a stone on K4" in texts_of(stage.boards()[-1])


async def test_an_unreadable_log_disturbs_no_other_table(stage: Stage) -> None:
    await stage.lancelot(pace="1d")
    bad = await stage.table()
    broken = bad.add("move", stage.bot.tables.clock(), 0, None, "ZZ99")
    assert await stage.bot.store.tables.commit(bad, broken)
    stage.channel = stage.new_channel("second")
    await stage.lancelot(pace="1d")
    code = (await stage.table()).row.code
    await stage.restart()
    await stage.wait(DAY / 2 + MINUTE)
    assert "Half of the time" in texts_of(stage.channel.last_message)
    listed = answer_to(await stage.slash("Anna", "tables"))
    assert code in listed
    assert "cannot continue" in listed
    shown = await stage.slash("Anna", "table show", table=bad.row.code)
    assert "I can no longer replay its moves" in answer_to(shown)


@pytest.mark.parametrize("minutes", [70, -70], ids=["suspended", "set_back"])
async def test_deadlines_fire_within_a_minute_of_a_jump_of_the_clock(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, minutes: int
) -> None:
    """The machine is suspended for 70 minutes of a turn, or its clock is set back by that much: the
    reminder, due after an hour, comes within a minute.
    """
    deadlines: Any = stage.bot.client.get_cog("Deadlines")
    deadlines.latest = LATEST
    jump = timedelta()
    clock = stage.bot.tables.clock
    monkeypatch.setattr(stage.bot.tables, "clock", lambda: clock() + jump)
    if minutes > 0:
        await stage.lancelot(pace="2h")
        await stage.wait(MINUTE)
        jump = timedelta(minutes=minutes)
    else:
        await stage.wait(MINUTE)
        jump = timedelta(minutes=minutes)
        await stage.lancelot(pace="2h")
        await stage.wait(HOUR)
    await stage.wait(MINUTE + SOONEST)
    assert [line for line in (await stage.table()).journal if line.kind == "remind"]


@pytest.mark.parametrize(
    ("refusal", "asked"), [(UNAUTHORIZED, False), (UNAVAILABLE, False), (MISSING_PERMISSIONS, True)]
)
async def test_people_are_only_asked_to_fix_a_missing_permission(
    stage: Stage, refusal: Refusal, asked: bool
) -> None:
    """Players cannot fix any other cause; if Discord rejects the token, the log says what to do."""
    await stage.lancelot()
    refuse(stage.env, "POST", f"/channels/{stage.channel.id}/messages", refusal)
    with capture_logs() as lines:
        told = answer_to(await stage.place("Anna", "K4"))
    assert "Your move counts, but I could not post the board" in told
    assert ("I lack " in told) == asked
    named = [line for line in lines if line["event"] == "token_refused"]
    assert bool(named) == (refusal is UNAUTHORIZED)
    assert all("DISCORD_TOKEN" in line["remedy"] for line in named)
