"""Rematches: offers, answers, and the messages that people get."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from play.table import Table
from tests.stage import Stage, answer_to, controls, private, texts_of, use, verb_of

pytestmark = pytest.mark.usefixtures("no_errors", "patient")

DAY = 24 * 3600


def with_control(messages: list[Any], verb: str) -> Any:
    return [m for m in messages if any(verb_of(c.custom_id)[0] == verb for c in controls(m))][-1]


async def over(stage: Stage, game: str = "lancelot", players: int = 2, **options: Any) -> Any:
    """End a match: Anna resigns, or everyone does if more than two play. Return the result
    message.
    """
    await stage.open(game, players, **options)
    for name in ("Anna", "Ben", "Clara")[: 1 if players == 2 else players]:
        await stage.resign(name)
    return with_control(stage.channel.history(), "rematch")


async def opened(stage: Stage) -> list[Table]:
    """All tables that are not over, oldest first."""
    people = [person.id for person in stage.people.values()]
    tables = [table for person in people for table in await stage.bot.tables.of_person(person)]
    return sorted({table.id: table for table in tables}.values(), key=lambda table: table.id)


def offer(stage: Stage) -> Any:
    """The lobby of the rematch."""
    return with_control(stage.channel.history(), "join")


def calls(stage: Stage, since: int) -> list[int]:
    """Everybody pinged by posts in channels after the first ``since`` posts."""
    return [person for pinged in stage.pings()[since:] for person in pinged]


async def test_a_rematch_asks_once_and_starts_by_itself(stage: Stage) -> None:
    result = await over(stage, seating="joined", starter=1)
    anna, ben = stage.people["Anna"], stage.people["Ben"]
    since, before = len(stage.pings()), len(stage.channel.history())
    told = answer_to(await use(anna, result, "rematch"))
    assert "You have asked Ben for a rematch" in told
    (lobby,) = stage.channel.history()[before:]
    text = texts_of(lobby)
    assert "**Anna** would like a rematch. It starts as soon as everybody has accepted." in text
    assert "**Ben** begins. Please answer by <t:" in text
    assert "1. Anna\n2. Ben · not answered yet" in text
    assert f"<@{ben.id}>" in text
    assert [c.label for c in controls(lobby)] == ["Accept", "Decline", "Lucky word…", "More…"]
    assert calls(stage, since) == [ben.id]
    told = answer_to(await use(ben, lobby, "join"))
    assert "Your match begins at table" in told
    (table,) = await opened(stage)
    assert table.running
    assert [table.members[seat].name for seat in table.awaited] == ["Ben"]
    assert lobby.id not in [m.id for m in stage.channel.history()], "the offer is gone"
    assert calls(stage, since) == [ben.id, ben.id], "asked once, and once it is his turn"


async def test_of_two_presses_at_once_one_asks_and_one_accepts(stage: Stage) -> None:
    result = await over(stage)
    anna, ben = stage.people["Anna"], stage.people["Ben"]
    presses, pressed = stage.bot.acting.presses, list[tuple[Interaction, Control]]()
    act = presses["rematch"]

    async def together(interaction: Interaction, control: Control) -> None:
        pressed.append((interaction, control))
        if len(pressed) == 2:
            await asyncio.gather(*(act(*press) for press in pressed))

    presses["rematch"] = together
    since = len(stage.pings())
    await use(anna, result, "rematch")
    await use(ben, result, "rematch")
    (table,) = await opened(stage)
    assert table.running
    assert len(calls(stage, since)) == 2, "one is asked, and one is to move"


async def test_pressing_rematch_second_accepts(stage: Stage) -> None:
    result = await over(stage, players=3, seating="joined")
    since = len(stage.pings())
    await use(stage.people["Anna"], result, "rematch")
    told = answer_to(await use(stage.people["Ben"], result, "rematch"))
    assert "You are back at table" in told
    text = texts_of(offer(stage))
    assert "2. Ben\n3. Clara · not answered yet" in text
    assert sorted(calls(stage, since)) == sorted(stage.people[n].id for n in ("Ben", "Clara"))
    await use(stage.people["Clara"], offer(stage), "join")
    (table,) = await opened(stage)
    assert table.running


async def test_a_double_click_asks_once(stage: Stage) -> None:
    result = await over(stage)
    since = len(stage.pings())
    await use(stage.people["Anna"], result, "rematch")
    told = answer_to(await use(stage.people["Anna"], result, "rematch"))
    assert "I am still waiting for Ben." in told
    assert len(await opened(stage)) == 1
    assert calls(stage, since) == [stage.people["Ben"].id]


async def test_a_result_tells_where_its_rematch_runs_and_then_offers_another(stage: Stage) -> None:
    result = await over(stage)
    anna, ben = stage.people["Anna"], stage.people["Ben"]
    await use(anna, result, "rematch")
    await use(ben, offer(stage), "join")
    (table,) = await opened(stage)
    told = answer_to(await use(anna, result, "rematch"))
    assert told == f"The rematch is already running, at table `{table.row.code}`."
    await stage.resign("Anna")
    await use(ben, result, "rematch")
    (again,) = await opened(stage)
    assert [again.row.host_id, *again.asked] == [ben.id, anna.id]


async def test_strangers_cannot_take_a_kept_seat(stage: Stage) -> None:
    result = await over(stage)
    await use(stage.people["Anna"], result, "rematch")
    told = answer_to(await use(stage.people["Clara"], offer(stage), "join"))
    assert "room for 2 players, and is full" in told


async def test_people_called_by_direct_message_are_asked_for_a_rematch_there(stage: Stage) -> None:
    result = await over(stage, "twilight", 3, seating="joined")
    since = len(stage.pings())
    await use(stage.people["Anna"], result, "rematch")
    assert f"<@{stage.people['Ben'].id}>" not in texts_of(offer(stage))
    letters = {name: with_control(stage.dms(name), "join") for name in ("Ben", "Clara")}
    for letter in letters.values():
        assert "**Anna** would like a rematch." in texts_of(letter)
        assert [c.label for c in controls(letter)] == ["Accept", "Decline"]
    told = answer_to(await use(stage.people["Ben"].user, letters["Ben"], "join"))
    assert "You are back at table" in told
    assert letters["Ben"].id not in [m.id for m in stage.dms("Ben")]
    told = answer_to(await use(stage.people["Clara"].user, letters["Clara"], "leave"))
    assert "You have declined the rematch at table" in told
    assert letters["Clara"].id not in [m.id for m in stage.dms("Clara")]
    assert calls(stage, since) == [], "a direct message contains no ping"


async def test_with_closed_direct_messages_the_offer_is_posted_in_the_channel(stage: Stage) -> None:
    result = await over(stage, "twilight", 3, seating="joined")
    stage.close_dms("Ben")
    since, before = len(stage.pings()), len(stage.channel.history())
    await use(stage.people["Anna"], result, "rematch")
    _, line = stage.channel.history()[before:]
    ben = stage.people["Ben"]
    assert f"<@{ben.id}>, **Anna** would like a rematch" in texts_of(line)
    assert calls(stage, since) == [ben.id]
    await use(ben, offer(stage), "join")
    assert line.id not in [m.id for m in stage.channel.history()]


async def test_the_others_can_go_on_without_somebody_who_declines(stage: Stage) -> None:
    result = await over(stage, players=3, seating="joined")
    anna, ben, clara = (stage.people[name] for name in ("Anna", "Ben", "Clara"))
    await use(anna, result, "rematch")
    told = answer_to(await use(clara, offer(stage), "leave"))
    assert "You have declined the rematch at table" in told
    lobby = offer(stage)
    assert f"<@{clara.id}> is not playing this time." in texts_of(lobby)
    assert "starts as soon as" not in texts_of(lobby)
    told = answer_to(await use(anna, lobby, "start"))
    assert (
        "I am still waiting for Ben. Seats of players who have not answered become free at <t:"
        in told
    )
    await use(ben, offer(stage), "join")
    (table,) = await opened(stage)
    assert not table.started
    assert "**Anna** can fill the free seats or start with fewer players." in texts_of(offer(stage))
    await use(anna, offer(stage), "start")
    (table,) = await opened(stage)
    assert (table.running, len(table.members)) == (True, 2)


async def test_after_two_days_the_seats_are_free(stage: Stage) -> None:
    result = await over(stage)
    anna, ben = stage.people["Anna"], stage.people["Ben"]
    since = len(stage.pings())
    await use(anna, result, "rematch")
    await stage.wait(2 * DAY + 60)
    lobby = offer(stage)
    assert f"<@{ben.id}> has not answered." in texts_of(lobby)
    assert "1. Anna" in texts_of(lobby)
    assert "2. Ben" not in texts_of(lobby)
    assert calls(stage, since) == [ben.id]
    await stage.pick("Anna", "computer", "novice", lobby)
    await use(anna, offer(stage), "start")
    (table,) = await opened(stage)
    assert (table.running, table.members[0].level or table.members[1].level) == (True, "novice")
    told = answer_to(await use(ben, result, "rematch"))
    assert "The rematch is already running" in told


async def test_a_late_answer_takes_the_free_seat(stage: Stage) -> None:
    result = await over(stage)
    await use(stage.people["Anna"], result, "rematch")
    await stage.wait(2 * DAY + 60)
    told = answer_to(await use(stage.people["Ben"], result, "rematch"))
    assert "You are at table" in told
    (table,) = await opened(stage)
    assert (table.started, len(table.members)) == (False, 2)
    await use(stage.people["Anna"], offer(stage), "start")
    (table,) = await opened(stage)
    assert table.running


async def test_an_offer_survives_a_restart(stage: Stage) -> None:
    result = await over(stage)
    since = len(stage.pings())
    await use(stage.people["Anna"], result, "rematch")
    await stage.restart()
    await use(stage.people["Ben"], offer(stage), "join")
    (table,) = await opened(stage)
    assert table.running
    assert calls(stage, since)[:1] == [stage.people["Ben"].id]
    assert len(calls(stage, since)) == 2


async def test_a_rematch_in_a_thread(stage: Stage) -> None:
    """The rematch is played in the same thread. The offer is in the channel, where it later becomes
    a line about the match's progress.
    """
    stage.allow_threads()
    anna, ben = stage.people["Anna"], stage.people["Ben"]
    await anna.slash(stage.channel, "lancelot new", seating="joined", starter=1)
    await use(ben, offer(stage), "join")
    await use(anna, offer(stage), "start")
    thread = stage.channel.threads[0]
    await use(anna, private(await anna.slash(thread, "table resign")), "resign")
    result = with_control(thread.history(), "rematch")
    await use(anna, result, "rematch")
    lobby = offer(stage)
    assert "**Anna** would like a rematch." in texts_of(lobby)
    assert thread.last_message.id == result.id
    await use(ben, lobby, "join")
    (table,) = await opened(stage)
    assert (table.row.channel_id, table.home_id) == (thread.id, stage.channel.id)
    (status,) = [m for m in stage.channel.history() if m.id == lobby.id]
    assert f"<#{thread.id}>" in texts_of(status)
    assert "To move: ● **Ben**." in texts_of(status)
    assert not controls(status)
    assert [t.id for t in stage.channel.threads] == [thread.id]


async def test_a_rematch_in_a_chat(stage: Stage) -> None:
    """There is one message, which the answer turns into the board."""
    stage.go_abroad()
    anna, ben = stage.people["Anna"], stage.people["Ben"]
    await anna.slash(stage.channel, "lancelot new", seating="joined", starter=1)
    await use(ben, offer(stage), "join")
    await use(anna, offer(stage), "start")
    await stage.resign("Anna")
    await use(anna, with_control(stage.channel.history(), "rematch"), "rematch")
    lobby = offer(stage)
    assert [user.id for user in lobby.mentions] == [ben.id]
    await use(ben, lobby, "join")
    (table,) = await opened(stage)
    assert (table.running, table.chat) == (True, "@me")
    assert with_control(stage.channel.history(), "where").id == lobby.id
    assert not stage.dms("Anna") + stage.dms("Ben")


async def test_a_person_who_has_blocked_the_host_is_not_asked(stage: Stage) -> None:
    """The person's seat is kept like everybody else's, so nobody can tell."""
    result = await over(stage, "twilight", 3, seating="joined")
    before = len(stage.dms("Ben"))
    await stage.slash("Ben", "block add", person=stage.people["Anna"].user)
    since = len(stage.pings())
    told = answer_to(await use(stage.people["Anna"], result, "rematch"))
    assert "You have asked Ben and Clara for a rematch" in told
    assert "2. Ben · not answered yet" in texts_of(offer(stage))
    assert len(stage.dms("Ben")) == before
    assert stage.people["Ben"].id not in calls(stage, since)


async def test_at_the_servers_limit_a_person_can_only_decline_a_rematch(stage: Stage) -> None:
    result = await over(stage)
    kay = stage.keeper()
    for name in ("Anna", "Ben"):
        await stage.slash(name, "isis new")
    await kay.slash(stage.channel, "server tables", limit=1)
    told = answer_to(await use(stage.people["Anna"], result, "rematch"))
    assert "up to 1 open table" in told
    await stage.command("Anna", "table leave")
    await use(stage.people["Anna"], result, "rematch")
    told = answer_to(await use(stage.people["Ben"], offer(stage), "join"))
    assert "up to 1 open table" in told
    told = answer_to(await use(stage.people["Ben"], offer(stage), "leave"))
    assert "declined" in told


async def test_a_rematch_against_a_computer_player_begins_at_once(stage: Stage) -> None:
    anna = stage.people["Anna"]
    await stage.alone("learner", seating="joined", starter=2)
    await stage.computers_have_moved()
    await stage.resign("Anna")
    result = with_control(stage.channel.history(), "rematch")
    assert "Your match begins" in answer_to(await use(anna, result, "rematch"))
    (table,) = await opened(stage)
    assert [table.members[seat].name for seat in table.awaited] == ["Anna"]
    assert {member.level for member in table.members} == {None, "learner"}
    assert table.played.ply == 0
    page = private(await use(anna, result, "game"))
    assert "With others, or right now against the computer?" in texts_of(page)
    assert "the record is valid" in answer_to(await use(stage.people["Clara"], result, "proof"))


async def test_an_offer_is_found_among_ones_tables(stage: Stage) -> None:
    result = await over(stage)
    await use(stage.people["Anna"], result, "rematch")
    assert "asks you for a rematch" in await stage.command("Ben", "tables")
    assert "asks you" not in await stage.command("Anna", "tables")


async def test_the_offer_is_silent_in_quiet_hours(stage: Stage) -> None:
    result = await over(stage, players=3, seating="joined")
    ben, clara = stage.people["Ben"], stage.people["Clara"]
    await stage.command("Ben", "preferences zone", zone="UTC")
    now = stage.now()
    until = (now.hour + 3) % 24
    await stage.command(
        "Ben", "preferences quiet", since=f"{now.hour:02}:00", until=f"{until:02}:00"
    )
    since = len(stage.pings())
    await use(stage.people["Anna"], result, "rematch")
    assert calls(stage, since) == [clara.id]
    assert f"<@{ben.id}>" in texts_of(offer(stage)), "the offer is posted anyway"
