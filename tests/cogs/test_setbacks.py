"""Setbacks that pass: what failed once is made up for, and nothing else suffers from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from data.store import Status, StoreBusy
from games import GAMES
from play import ending
from render import PAINTERS
from tests.cogs.test_table_life import boards, place
from tests.cogs.test_together import press, question
from tests.stage import Stage, answer_to, controls, texts_of

MINUTE, HOUR, DAY = 60, 3600, 24 * 3600


class Failing:
    """Something that fails so often before it does what it should."""

    def __init__(self, work: Any, times: int = 1, error: Exception | None = None) -> None:
        self.calls = 0
        self._work, self._times = work, times
        self._error = error or StoreBusy(Path("house"))

    async def __call__(self, *given: Any, **named: Any) -> Any:
        """Fail, or do it."""
        self.calls += 1
        if self.calls <= self._times:
            raise self._error
        return await self._work(*given, **named)


async def alone(stage: Stage) -> None:
    """Anna, who begins, against a computer player at Lancelot."""
    await stage.people["Anna"].slash(stage.channel, "lancelot new", seating="joined", starter=1)
    await stage.press("Anna", "computer")
    await stage.press("Anna", "start")


async def wait(stage: Stage, seconds: float) -> None:
    """Let time pass."""
    await stage.env.advance_time(seconds)


def fault(stage: Stage, method: str = "POST") -> None:
    """Let the bot lack its permission in the channel from now on."""
    path = f"/channels/{stage.channel.id}/messages"
    stage.env.inject_error(method, path, status=403, code=50013, times=None)


# -------------------------------------------------------------------- computer players
async def test_a_computer_player_whose_move_could_not_be_stored_moves_again(stage: Stage) -> None:
    """A little later, without anybody doing anything."""
    await alone(stage)
    move = Failing(stage.bot.tables.move_for_computer)
    stage.bot.tables.move_for_computer = move  # type: ignore[method-assign]
    await place(stage, "Anna", "K4")
    assert (await stage.table()).awaited_computers
    await wait(stage, MINUTE)
    assert move.calls == 2
    assert (await stage.table()).awaited_persons == (0,)
    assert "places a stone on K4" in texts_of(boards(stage)[-1])


async def test_the_clock_wakes_computer_players_that_have_given_up(stage: Stage) -> None:
    """The store is out of reach for longer than they try."""
    await alone(stage)
    move = Failing(stage.bot.tables.move_for_computer, times=4)
    stage.bot.tables.move_for_computer = move  # type: ignore[method-assign]
    await place(stage, "Anna", "K4")
    await wait(stage, HOUR)
    assert (await stage.table()).awaited_persons == (0,)


async def test_computer_players_move_though_the_board_cannot_be_posted(stage: Stage) -> None:
    """And the board follows as soon as the bot may post again, without a restart."""
    await alone(stage)
    fault(stage)
    await place(stage, "Anna", "K4")
    await wait(stage, MINUTE)
    assert (await stage.table()).awaited_persons == (0,)
    assert len(boards(stage)) == 1
    stage.env.backend.faults.clear()
    await wait(stage, 15 * MINUTE)
    told = texts_of(boards(stage)[-1])
    assert "places a stone on K4" in told
    assert (await stage.table()).row.announced_ply == 2


# -------------------------------------------------------------------------- telling
async def test_a_move_counts_even_if_the_board_cannot_be_painted(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person is told so, not that nothing was changed; the board follows."""
    await stage.open("lancelot", 2, seating="joined", starter=1)

    def paint(painter: object, scene: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(type(PAINTERS["lancelot"]), "board", paint)
        told = answer_to(await place(stage, "Anna", "K4"))
    assert "Your move counts" in told
    assert "Nothing was changed" not in told
    await wait(stage, 15 * MINUTE)
    assert "places a stone on K4" in texts_of(boards(stage)[-1])
    assert controls(boards(stage)[-1])


# ---------------------------------------------------------------------------- the clock
async def test_a_failed_look_is_repeated_soon(stage: Stage) -> None:
    """The clock cannot be read when a reminder is due: it comes in seconds, not in an hour."""
    await stage.open("lancelot", 2, seating="joined", starter=1, pace="12h")
    await wait(stage, 6 * HOUR - MINUTE)
    clocks = stage.bot.store.clocks
    for name in ("claim", "next_due"):
        setattr(clocks, name, Failing(getattr(clocks, name)))
    await wait(stage, 2 * MINUTE)
    assert "half of your time" in texts_of(stage.channel.last_message)


# ---------------------------------------------------------------------------- votes
async def test_a_decision_that_could_not_be_carried_out_is_made_up_for(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever decided it is told that the answer counts, and it is carried out by itself."""
    await stage.open("lancelot", 2)
    table = await stage.table()
    await stage.people["Anna"].slash(stage.channel, "table end")
    monkeypatch.setattr(ending, "end_by_consent", Failing(ending.end_by_consent))
    asked = question(stage)
    told = answer_to(await press(stage, "Ben", asked, "Agree"))
    assert "Your answer counts" in told
    assert "othing was changed" not in told
    assert (await stage.bot.tables.get(table.id)).running
    await wait(stage, 15 * MINUTE)
    assert (await stage.bot.tables.get(table.id)).row.status is Status.ENDED
    assert await stage.bot.store.votes.unfinished() == []
    (settled,) = [m for m in stage.channel.history() if m.id == asked.id]
    assert "the match ends without a result" in texts_of(settled)


async def test_a_vote_that_fails_keeps_no_other_open(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time of two is up, and the first one cannot be judged: the second one closes at once,
    and so does the first one later.
    """
    channels = [stage.channel, stage.guild.create_text_channel("second")]
    for channel in channels:
        stage.channel = channel
        await stage.open("lancelot", 2)
        await stage.people["Anna"].slash(channel, "table end")
    await wait(stage, 2 * DAY)
    votes = stage.bot.ballots._votes
    monkeypatch.setattr(votes, "review", Failing(votes.review))
    await wait(stage, DAY)
    open_still = await stage.bot.store.votes.all_open()
    assert [vote.table_id for vote in open_still] == [1]
    await wait(stage, MINUTE)
    assert await stage.bot.store.votes.all_open() == []


# --------------------------------------------------------- tables that cannot be read
def raise_rules(monkeypatch: pytest.MonkeyPatch, game: str = "lancelot") -> None:
    """Let a game be played by new rules from now on."""
    kind = type(GAMES[game])
    monkeypatch.setattr(kind, "info", replace(kind.info, rules=kind.info.rules + 1))


async def test_a_table_of_other_rules_is_explained_and_can_be_ended(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    """In a sentence, wherever people meet it; its channel is free again once it has ended."""
    await stage.open("lancelot", 2, seating="joined", starter=1, pace="1d")
    table = await stage.table()
    raise_rules(monkeypatch)
    await stage.restart()
    anna = stage.people["Anna"]
    for what in ("table show", "table log", "table hint", "table undo"):
        told = answer_to(await anna.slash(stage.channel, what))
        assert f"Table {table.row.code} was begun by other rules" in told, what
    for verb in ("where", "text", "undo"):
        assert "was begun by other rules" in answer_to(await stage.press("Anna", verb, "board"))
    assert "was begun by other rules" in answer_to(await place(stage, "Anna", "K4"))
    assert "cannot go on" in answer_to(await anna.slash(stage.channel, "tables"))
    await anna.slash(stage.channel, "table end")
    await press(stage, "Ben", question(stage), "Agree")
    assert (await stage.bot.tables.get(table.id)).row.status is Status.ENDED
    assert "has ended without a result" in texts_of(stage.channel.last_message)
    await stage.open("lancelot", 2, seating="joined", starter=1)
    await place(stage, "Anna", "K4")
    assert "places a stone on K4" in texts_of(boards(stage)[-1])


async def test_a_lobby_from_before_new_rules_starts_under_them(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    """Nothing has been played by the old ones."""
    await stage.people["Anna"].slash(stage.channel, "lancelot new", seating="joined", starter=1)
    raise_rules(monkeypatch)
    await stage.restart()
    await stage.press("Ben", "join")
    await stage.press("Anna", "start")
    await stage.restart()
    await place(stage, "Anna", "K4")
    assert "places a stone on K4" in texts_of(boards(stage)[-1])


async def test_a_log_that_cannot_be_followed_disturbs_no_other_table(stage: Stage) -> None:
    """The clocks of all others go on after a start, and their tables are listed."""
    await stage.open("lancelot", 2, seating="joined", starter=1, pace="1d")
    bad = await stage.table()
    await stage.bot.store.append(
        bad.id,
        bad.row.ply,
        [(0, "ZZ99")],
        person_id=None,
        interaction_id=None,
        at=stage.env.now(),
        finished=None,
    )
    stage.channel = stage.guild.create_text_channel("second")
    await stage.open("lancelot", 2, seating="joined", starter=1, pace="1d")
    code = (await stage.table()).row.code
    await stage.restart()
    await wait(stage, DAY / 2 + MINUTE)
    assert "half of your time" in texts_of(stage.channel.last_message)
    listed = answer_to(await stage.people["Anna"].slash(stage.channel, "tables"))
    assert code in listed
    assert "cannot go on" in listed
    shown = await stage.people["Anna"].slash(stage.channel, "table show", table=bad.row.code)
    assert "I can no longer follow its moves" in answer_to(shown)
