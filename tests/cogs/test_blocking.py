"""Holidays, muted tables and blocked people, as people see them."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from cogs.present.blocking import blocked_in_words, here_in_words
from data.store.rows import PersonRow
from data.texts import texts
from play.clock import DAY, HOUR
from tests.cogs.present.tables import ANNA, BEN, CLARA, started, with_settings
from tests.cogs.test_clocks import times_in
from tests.stage import Stage, answer_to, private, texts_of

pytestmark = pytest.mark.usefixtures("no_errors")


def in_days(stage: Stage, days: int) -> str:
    """The date this many days from now, in a format that people may type."""
    return f"{stage.now() + timedelta(days=days):%Y-%m-%d}"


async def leave_for(stage: Stage, name: str, days: int) -> str:
    """Set someone's time zone to UTC and send them on holiday; return the answer."""
    await stage.command(name, "preferences zone", zone="UTC")
    return await stage.command(name, "preferences away", until=in_days(stage, days))


# ------------------------------------------------------------------------------ holidays
@pytest.mark.full
async def test_the_host_sees_who_is_away_before_the_start(stage: Stage) -> None:
    """The lobby marks guests who were away before they joined or who go on holiday afterwards, and
    removes the mark when they are back.
    """
    await leave_for(stage, "Clara", 1)
    await stage.lobby("Ben", "Clara")
    assert "Holidays: until <t:" in await leave_for(stage, "Ben", 2)
    lobby = texts_of(await stage.message("lobby"))
    assert [line.partition(" <t:")[0] for line in lobby.splitlines() if "🏖️" in line] == [
        "2. Ben · 🏖️ away until",
        "3. Clara · 🏖️ away until",
    ]
    assert "Holidays: no\n" in await stage.command("Ben", "preferences away")
    assert "2. Ben\n" in texts_of(await stage.message("lobby"))
    assert "You are not away" in await stage.command("Ben", "preferences away")
    await stage.wait(DAY)
    assert "🏖️" not in texts_of(await stage.message("lobby"))


@pytest.mark.full
async def test_the_board_says_who_is_away_and_the_clock_rests(stage: Stage) -> None:
    """No reminder is sent while somebody is away; the clock resumes if the person returns early."""
    await stage.lancelot(pace="12h")
    assert stage.env.now().hour == 0
    await stage.wait(HOUR)
    await leave_for(stage, "Anna", 5)
    board = texts_of(stage.boards()[-1])
    assert "🏖️ ▲ **Anna** is away until <t:" in board
    told = len(stage.pings())
    await stage.wait(DAY)
    assert (len(stage.pings()), stage.said("half of your time")) == (told, 0)
    await stage.command("Anna", "preferences away")
    assert "away" not in texts_of(stage.boards()[-1])
    (until,) = times_in(stage.boards()[-1])
    assert abs(until - stage.now().timestamp() - 11 * HOUR) <= 60
    await stage.place("Anna", "K4")


async def test_a_server_limits_holidays(stage: Stage) -> None:
    """The limit takes effect at once, even at running tables."""
    await stage.lancelot(pace="12h")
    await leave_for(stage, "Anna", 20)
    begin = stage.now().timestamp()
    (until,) = times_in(stage.boards()[-1])
    assert abs(until - begin - 14.5 * DAY) <= 60
    owner = stage.keeper("Olga")
    told = answer_to(await owner.slash(stage.channel, "server away", days=2))
    assert "Longest clock pause on holiday: 2 days" in told
    (until,) = times_in(stage.boards()[-1])
    assert abs(until - begin - 2.5 * DAY) <= 60


async def test_days_are_offered_and_wrong_ones_refused(stage: Stage) -> None:
    """Days are offered in words while typing; a time zone is needed first, and days before tomorrow
    are refused.
    """
    anna = stage.people["Anna"]
    assert "tell me your time zone" in await stage.command(
        "Anna", "preferences away", until="3.12."
    )
    await stage.command("Anna", "preferences zone", zone="UTC")
    tomorrow = stage.now().date() + timedelta(days=1)

    async def offered(typed: str) -> list[tuple[str, str]]:
        choices = await anna.autocomplete(stage.channel, "preferences away", "until", typed)
        return [(choice["name"], choice["value"]) for choice in choices]

    assert (await offered(""))[0] == (f"{tomorrow:%A, %-d %B %Y}", f"{tomorrow}")
    name = f"{tomorrow + timedelta(days=40):%-d %B}"
    assert [value for _, value in await offered(name)] == [f"{tomorrow + timedelta(days=40)}"]
    assert (await offered("24.12."))[0][1].endswith("-12-24")
    assert "I do not know the day" in await stage.command("Anna", "preferences away", until="soon")
    past = in_days(stage, 0)
    assert f"{past}" not in [value for _, value in await offered(f"{past}")]
    assert "has to be in the future" in await stage.command("Anna", "preferences away", until=past)


# ---------------------------------------------------------------------------------- mute
async def test_a_muted_table_is_silent(stage: Stage) -> None:
    """There are no pings or direct messages; the clock still runs, and another ``/table mute``
    unmutes the table.
    """
    await stage.lancelot(pace="12h")
    await stage.command("Ben", "preferences calls", where="dm")
    assert "is muted" in await stage.command("Ben", "table mute")
    ben, told = stage.people["Ben"].id, len(stage.direct("Ben"))
    await stage.place("Anna", "K4")
    await stage.wait(7 * HOUR)
    assert not any(ben in users for users in stage.pings())
    assert stage.said("Half of the time") == 1, "on the board, without a ping"
    assert len(stage.direct("Ben")) == told
    assert "🔕 muted" in await stage.command("Ben", "tables")
    assert "is no longer muted" in await stage.command("Ben", "table mute")
    await stage.wait(4 * HOUR)
    assert "The time is nearly up." in stage.direct("Ben")[-1]
    await stage.wait(2 * HOUR)
    assert "'s time is up" in "".join(texts_of(m) for m in stage.channel.history()) or stage.said(
        "wait longer"
    )


async def test_a_muted_hand_is_not_sent(stage: Stage) -> None:
    """The hand is shown on request; the others get theirs."""
    await stage.slash("Anna", "twilight new")
    for name in ("Ben", "Clara"):
        await stage.press(name, "join")
    await stage.command("Ben", "table mute")
    await stage.press("Anna", "start")
    for seed in range(3):
        name = await stage.decider()
        assert len(stage.direct(name)) == (name != "Ben")
        await stage.move_by_buttons(stage.people[name], random.Random(seed))
    assert private(await stage.press("Ben", "hand")).components
    await stage.command("Ben", "table mute")
    assert len(stage.direct("Ben")) == 1


async def test_a_stranger_cannot_mute_a_table(stage: Stage) -> None:
    await stage.open("lancelot", 2)
    assert "I send you nothing about it" in await stage.command("Clara", "table mute")
    await stage.command("Clara", "table follow")
    assert "is muted" in await stage.command("Clara", "table mute")
    await stage.resign("Ben")
    assert stage.direct("Clara") == []


# --------------------------------------------------------------------------------- block
async def block(stage: Stage, name: str, other: str, what: str = "add") -> str:
    """Block a person, or unblock them."""
    return await stage.command(name, f"block {what}", person=stage.people[other])


async def test_blocking_is_private_and_can_be_undone(stage: Stage) -> None:
    assert f"<@{stage.people['Ben'].id}>" in await block(stage, "Anna", "Ben")
    assert "already blocked this person" in await block(stage, "Anna", "Ben")
    assert "cannot block yourself" in await block(stage, "Anna", "Anna")
    assert f"<@{stage.people['Ben'].id}>" in await stage.command("Anna", "block list")
    assert "Nobody." in await stage.command("Ben", "block list")
    assert "1 person blocked" in await stage.command("Anna", "privacy")
    assert "Nobody." in await block(stage, "Anna", "Ben", "remove")
    assert "have not blocked" in await block(stage, "Anna", "Ben", "remove")
    assert stage.direct("Ben") == []
    assert stage.channel.history() == []


def test_blocked_people_who_are_forgotten_are_counted() -> None:
    """Their data was deleted, so nobody can say who they were."""
    told = blocked_in_words(PersonRow(1, blocked_ids=(5, -1, -2)), texts("en"))
    assert told.splitlines()[1:3] == ["- <@5>", "- 2 people I no longer know anything about"]


def test_only_blocked_people_at_a_table_are_named() -> None:
    table = with_settings(started("lancelot", 3), ANNA, blocked_ids=(CLARA,))
    told = "**Clara**, whom you have blocked, sits at this table."
    assert here_in_words(table, ANNA, texts("en")) == told
    assert here_in_words(table, BEN, texts("en")) == ""


async def test_a_blocked_person_cannot_join_the_others_table(stage: Stage) -> None:
    """A blocked person gets the same answer as someone who was removed. A person who blocked
    another may join, and learns in private that the other is there.
    """
    await block(stage, "Anna", "Ben")
    await stage.slash("Anna", "lancelot new")
    refused = answer_to(await stage.press("Ben", "join"))
    assert refused == "You cannot sit down at this table. “/play” opens one of your own."
    await stage.press("David", "join")
    await stage.slash("Anna", "table kick", person=stage.people["David"])
    assert answer_to(await stage.press("David", "join")) == refused
    await block(stage, "Anna", "Ben", "remove")
    assert answer_to(await stage.press("Ben", "join")) == ""
    await block(stage, "Clara", "Ben")
    assert "**Ben**, whom you have blocked" in answer_to(await stage.press("Clara", "join"))
    assert [stage.direct(name) for name in ("Anna", "Ben", "Clara")] == [[], [], []]
    assert stage.said("blocked") == 0


async def test_invitations_of_blocked_people_do_not_arrive(stage: Stage) -> None:
    """The person who was blocked gets the usual answer to every invitation they send."""
    await block(stage, "Ben", "Anna")
    told = []
    for times in (2, 1, 1, 1):
        await stage.slash("Anna", "lancelot new")
        invite = {"table": (await stage.table()).row.code, "person": stage.people["Ben"]}
        told += [await stage.command("Anna", "invite", **invite) for _ in range(times)]
    assert "is invited" in told[0]
    assert "already been invited" in told[1]
    assert told[0] == told[2] == told[3]
    assert "not pass on any more invitations to that person" in told[4]
    assert stage.direct("Ben") == []
    assert (await stage.table()).invitations == {}
    invite["person"] = stage.people["Clara"]
    await stage.command("Anna", "invite", **invite)
    assert len(stage.direct("Clara")) == 1
