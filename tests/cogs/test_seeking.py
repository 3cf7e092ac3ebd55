"""Finding opponents, as people see it: menus, waiting, tables, notices."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord import UserHandle

from cogs.gateway.controls import Control
from data.store.rows import Opening, ServerRow, Status
from play.aggregate import Command
from play.aggregates import Aggregates
from play.clock import HOUR, MINUTE
from play.lobby import Begin
from play.occasions.occasion import Hear, Occasion
from play.occasions.occasions import Occasions
from play.occasions.seek import Seeks, seek_scope
from play.table import Table
from play.tables import Tables
from tests.cogs.test_blocking import block
from tests.cogs.test_hands import tries
from tests.data.samples import always
from tests.refusals import MISSING_PERMISSIONS, refuse
from tests.stage import Stage, answer_to, controls, private, texts_of, use, verb_of

pytestmark = pytest.mark.usefixtures("no_errors")


async def press_on(stage: Stage, name: str, card: Any, verb: str, label: str = "") -> Any:
    """Press a button of a private card; return the new card."""
    found = next(
        control
        for control in controls(card)
        if verb_of(control.custom_id)[0] == verb and control.label.startswith(label)
    )
    return private(await stage.people[name].click(card, custom_id=found.custom_id))


async def choose(stage: Stage, name: str, card: Any, label: str) -> Any:
    """Choose an entry in one of a private card's menus; return the new card."""
    for menu in controls(card):
        for value, entry in menu.options:
            if entry == label:
                result = await stage.people[name].select(card, [value], custom_id=menu.custom_id)
                return private(result)
    raise AssertionError(f"no entry {label}")


async def menus(stage: Stage, name: str) -> Any:
    """The answer to ``/seek``."""
    return private(await stage.slash(name, "seek"))


async def seek(stage: Stage, name: str, *labels: str) -> str:
    """Seek with the given entries and defaults for the rest; return the answer."""
    card = await menus(stage, name)
    for label in labels:
        card = await choose(stage, name, card, label)
    return texts_of(await press_on(stage, name, card, "seekgo"))


LANCELOT = ("Lancelot", "2 people", "1 day per turn")


async def place(stage: Stage, guild: int | None) -> Occasion[Seeks]:
    """The occasion of people who are seeking on a server; None: across servers."""
    scope, _ = seek_scope(guild, stage.now())
    found = await stage.bot.occasions.of_scope(scope)
    assert found is not None
    return await stage.bot.occasions.fresh(found.id)


async def tables_of(stage: Stage, name: str) -> list[Table]:
    return await stage.bot.tables.of_person(stage.people[name].id)


async def test_two_who_want_the_same_get_a_table(stage: Stage) -> None:
    told = await seek(stage, "Anna", *LANCELOT)
    assert "You are seeking\nLancelot · 2 people · 1 day per turn" in told
    assert "Nobody else is seeking a match like this" in told
    assert "nobody has found a match here" in told
    assert stage.channel.history() == []
    await stage.wait(20 * MINUTE)
    await seek(stage, "Ben", "Lancelot")
    (table,) = await tables_of(stage, "Anna")
    assert (await tables_of(stage, "Ben"))[0].id == table.id
    assert (table.row.status, table.row.options["pace"]) == (Status.RUNNING, "1d")
    for name, other in (("Anna", "Ben"), ("Ben", "Anna")):
        (message,) = stage.direct(name)
        assert f"Your table `{table.row.code}` is open, with **{other}**" in message
    assert (await place(stage, stage.guild.id)).state.waiting == ()
    told = await seek(stage, "Clara", "Lancelot")
    assert "waited 10 minutes or less" in told


async def test_many_wishes_make_one_table(stage: Stage) -> None:
    """A person without preferences joins two who want a third player; a fourth waits for others."""
    await seek(stage, "Anna", "Twilight", "3 people")
    told = await seek(stage, "Ben", "Twilight", "4 people", "12 hours per turn")
    assert "1 other person is seeking:\n- Twilight · 3 people · any pace (for" in told
    await seek(stage, "Clara", "Any game", "3 people")
    assert await tables_of(stage, "Anna") == []
    await seek(stage, "David")
    (table,) = await tables_of(stage, "David")
    assert (table.row.game, sorted(table.names)) == ("twilight", ["Anna", "Clara", "David"])
    assert await tables_of(stage, "Ben") == []
    waiting = (await place(stage, stage.guild.id)).state.waiting
    assert [each.name for each in waiting] == ["Ben"]


async def test_a_seek_is_changed_and_stopped(stage: Stage) -> None:
    await seek(stage, "Anna", *LANCELOT)
    card = await menus(stage, "Anna")
    assert "You are seeking" in texts_of(card)
    again = await press_on(stage, "Anna", card, "seekagain")
    again = await choose(stage, "Anna", again, "Isis")
    await press_on(stage, "Anna", again, "seekgo")
    await seek(stage, "Ben", *LANCELOT)
    assert await tables_of(stage, "Ben") == []
    card, old, older = [await menus(stage, "Anna") for _ in range(3)]
    assert "Isis · 2 people" in texts_of(card)
    assert "are no longer seeking" in texts_of(await press_on(stage, "Anna", card, "seekstop"))
    assert "You are not seeking" in texts_of(await press_on(stage, "Anna", old, "seekstop"))
    assert "Who shall I find" in texts_of(await press_on(stage, "Anna", older, "seeking"))
    await seek(stage, "Clara", "Isis")
    assert await tables_of(stage, "Clara") == []


async def test_a_seek_ends_when_its_time_is_up(stage: Stage) -> None:
    await seek(stage, "Anna", *LANCELOT, "For 1 hour")
    await stage.wait(HOUR - MINUTE)
    assert stage.direct("Anna") == []
    await stage.wait(2 * MINUTE)
    (told,) = stage.direct("Anna")
    assert "I have found nobody for you.\nLancelot · 2 people · 1 day per turn" in told
    await stage.restart()
    assert len(stage.direct("Anna")) == 1
    await seek(stage, "Ben", *LANCELOT)
    assert await tables_of(stage, "Ben") == []


async def test_who_has_blocked_somebody_does_not_meet_them(stage: Stage) -> None:
    """A block counts even if it comes after the search has begun."""
    await seek(stage, "Anna", *LANCELOT)
    await block(stage, "Anna", "Ben")
    told = await seek(stage, "Ben", *LANCELOT)
    assert "You are seeking" in told
    assert "block" not in told
    assert await tables_of(stage, "Ben") == []
    await seek(stage, "Clara", *LANCELOT)
    (table,) = await tables_of(stage, "Clara")
    assert sorted(table.names) == ["Anna", "Clara"]


# ------------------------------------------------------------------------ a public line
async def shown(stage: Stage, **settings: Any) -> Any:
    """Make the server show the people who are seeking; return its manager."""
    olga = stage.keeper("Olga")
    await olga.slash(stage.channel, "server seek", channel=stage.channel)
    return olga


def lines(stage: Stage) -> list[Any]:
    """The public lines of people who are seeking."""
    return [message for message in stage.channel.history() if "is seeking:" in texts_of(message)]


async def test_a_public_line_has_a_seat_to_take(stage: Stage) -> None:
    await shown(stage)
    await seek(stage, "Anna", *LANCELOT)
    (line,) = lines(stage)
    assert "🪑 **Anna** is seeking: Lancelot · 2 people · 1 day per turn" in texts_of(line)
    assert line.flags.suppress_notifications
    sit = controls(line)[0].custom_id
    own = await stage.people["Anna"].click(line, custom_id=sit)
    assert "your own search" in answer_to(own)
    await stage.people["Ben"].click(line, custom_id=sit)
    assert len(await tables_of(stage, "Ben")) == 1
    assert lines(stage) == []


async def test_a_line_that_is_gone_seats_nobody(stage: Stage) -> None:
    """The person has stopped seeking, and their new search does not revive the old line."""
    await shown(stage)
    await seek(stage, "Anna", *LANCELOT)
    gone = Control(0, 0, "seeksit", "1", occasion=(await place(stage, stage.guild.id)).id)
    await press_on(stage, "Anna", await menus(stage, "Anna"), "seekstop")
    assert lines(stage) == []
    await seek(stage, "Anna", *LANCELOT)
    await stage.post(stage.channel.id, gone)
    late = await use(stage.people["Ben"], stage.channel.last_message, "seeksit")
    assert "is no longer seeking" in answer_to(late)
    assert await tables_of(stage, "Ben") == []


async def test_lines_move_to_a_new_channel_or_are_deleted_when_the_setting_changes(
    stage: Stage,
) -> None:
    keeper = await shown(stage)
    await seek(stage, "Anna", *LANCELOT)
    other = stage.new_channel("other")
    await keeper.slash(stage.channel, "server seek", channel=other)
    assert lines(stage) == []
    assert "is seeking:" in texts_of(other.last_message)
    await keeper.slash(stage.channel, "server seek")
    assert not [m for m in other.history() if "is seeking:" in texts_of(m)]


# ------------------------------------------------------------------------- across servers
async def abroad(stage: Stage, *names: str) -> tuple[Any, dict[str, Any]]:
    """Add a second server with these people, and let both servers' people play across servers."""
    guild = stage.env.create_guild()
    for each in (guild, stage.guild):
        await stage.bot.store.settings.change_server(
            each.id, always(ServerRow(each.id, seek_abroad=True))
        )
    people = {name: guild.add_member(stage.env.create_user(name)) for name in names}
    return stage.new_channel("abroad", guild), people


WIDE = "On other servers, too, by direct message"


async def test_people_of_two_servers_meet_in_direct_messages(stage: Stage) -> None:
    """Both people must have chosen to play across servers."""
    channel, people = await abroad(stage, "Xenia", "Yves")
    await seek(stage, "Anna", *LANCELOT, WIDE)
    stage.people |= people
    home, stage.channel = stage.channel, channel
    await seek(stage, "Yves", *LANCELOT)
    assert await tables_of(stage, "Yves") == []
    await seek(stage, "Xenia", *LANCELOT, WIDE)
    (table,) = await tables_of(stage, "Xenia")
    assert (table.row.guild_id, sorted(table.names)) == (None, ["Anna", "Xenia"])
    for name in ("Anna", "Xenia"):
        assert any("Your table" in told for told in stage.direct(name))
        assert any("is to move" in told for told in stage.direct(name))
    assert home.history() == channel.history() == []


async def test_a_server_forbids_seeking_abroad(stage: Stage) -> None:
    assert not any(WIDE in dict(c.options).values() for c in controls(await menus(stage, "Anna")))
    await abroad(stage)
    card = await menus(stage, "Ben")
    for label in (*LANCELOT, WIDE):
        card = await choose(stage, "Ben", card, label)
    await seek(stage, "Anna", *LANCELOT, WIDE)
    await stage.keeper("Olga").slash(stage.channel, "server seek_abroad", allowed=False)
    (told,) = stage.direct("Anna")
    assert "no longer lets people seek on other servers" in told
    assert (await place(stage, None)).state.waiting == ()
    assert "does not allow matches" in texts_of(await press_on(stage, "Ben", card, "seekgo"))


async def test_a_person_with_closed_direct_messages_can_seek_only_on_the_server(
    stage: Stage,
) -> None:
    await abroad(stage)
    stage.close_dms("Anna", "Ben")
    assert "direct messages" in await seek(stage, "Anna", *LANCELOT, WIDE)
    await seek(stage, "Anna", *LANCELOT)
    await seek(stage, "Ben", *LANCELOT)
    (table,) = await tables_of(stage, "Anna")
    assert stage.said(f"your table `{table.row.code}` is open") == 2


async def test_closed_direct_messages_are_tried_once_in_six_hours(stage: Stage) -> None:
    """In between, people are called in the channel at once."""
    stage.close_dms("Anna", "Ben")
    for hours, tried in ((0, 2), (0, 2), (6, 4)):
        await stage.wait(hours * HOUR)
        await seek(stage, "Anna", *LANCELOT)
        await seek(stage, "Ben", *LANCELOT)
        assert tries(stage, "Anna", "Ben") == tried
    assert stage.said("is open") == 6


# ---------------------------------------------------------------------------- wrong ways
async def test_a_person_at_the_servers_limit_of_tables_cannot_seek(stage: Stage) -> None:
    await stage.bot.store.settings.change_server(
        stage.guild.id, always(ServerRow(stage.guild.id, tables_limit=1))
    )
    await stage.slash("Anna", "lancelot new")
    assert "table" in await seek(stage, "Anna", *LANCELOT)
    with pytest.raises(AssertionError):
        await place(stage, stage.guild.id)


async def test_a_double_press_counts_once(stage: Stage) -> None:
    cards = [await menus(stage, "Anna") for _ in range(3)]
    for label in LANCELOT:
        cards = [await choose(stage, "Anna", card, label) for card in cards]
    for card in cards[:2]:
        await press_on(stage, "Anna", card, "seekgo")
    assert len((await place(stage, stage.guild.id)).state.waiting) == 1
    await seek(stage, "Ben", *LANCELOT)
    assert len(await tables_of(stage, "Anna")) == 1
    await press_on(stage, "Anna", cards[2], "seekgo")
    assert len(await tables_of(stage, "Anna")) == 1


async def test_a_forgotten_person_seeks_no_more(stage: Stage) -> None:
    await seek(stage, "Anna", *LANCELOT)
    card = private(await stage.slash("Anna", "privacy"))
    asked = await press_on(stage, "Anna", card, "askforget")
    await press_on(stage, "Anna", asked, "forget")
    state = (await place(stage, stage.guild.id)).state
    assert (state.waiting, dict(state.names)) == ((), {})
    await seek(stage, "Ben", *LANCELOT)
    assert await tables_of(stage, "Ben") == []


def die_at(
    patch: pytest.MonkeyPatch,
    where: type[Aggregates[Any]],
    kind: type[Command[Any]],
    killed: Exception,
) -> None:
    """Be killed just before any command of a kind is carried out."""
    act = where.act

    async def dying(self: Any, number: int, command: Any, /) -> Any:
        if isinstance(command, kind):
            raise killed
        return await act(self, number, command)

    patch.setattr(where, "act", dying)


LONG = [pytest.param(step, marks=pytest.mark.long) for step in ("before", "begun")]


@pytest.mark.parametrize("step", ["opened", "told", *LONG])
async def test_a_kill_opens_no_table_twice(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, step: str
) -> None:
    """Whenever the process is killed, both people share one table after the next start, and get one
    message each.
    """
    await seek(stage, "Anna", *LANCELOT)

    async def dying(*_: Any) -> Any:
        raise RuntimeError("killed")

    async def opening(tables: Tables, given: Opening) -> Any:
        await opened(tables, given)
        raise RuntimeError("killed")

    opened = Tables.open
    with monkeypatch.context() as patch:
        match step:
            case "before":
                patch.setattr(Tables, "open", dying)
            case "opened":
                patch.setattr(Tables, "open", opening)
            case "begun":
                die_at(patch, Tables, Begin, RuntimeError("killed"))
            case "told":
                die_at(patch, Occasions, Hear, RuntimeError("killed"))
        told = await seek(stage, "Ben", *LANCELOT)
        assert "table is being opened" in told or "Who shall I" in told
        await stage.env.settle()
    await stage.restart()
    await stage.env.settle()
    caplog.clear()
    for name in ("Anna", "Ben"):
        (table,) = await tables_of(stage, name)
        assert table.row.status is Status.RUNNING
        assert len([t for t in stage.direct(name) if "Your table" in t]) == 1


async def test_a_channel_in_which_the_bot_may_not_post_is_not_taken(stage: Stage) -> None:
    keeper = await shown(stage)
    me = UserHandle(stage.env, stage.env.backend.bot_user)
    closed = discord.PermissionOverwrite(send_messages=False)
    other = stage.guild.create_text_channel("closed", overwrites={me: closed})
    told = answer_to(await keeper.slash(stage.channel, "server seek", channel=other))
    assert told == f"I may not post pictures in <#{other.id}>."
    assert (await stage.bot.store.settings.server(stage.guild.id)).seek_channel == stage.channel.id


async def test_the_person_who_chose_a_closed_channel_is_told_once(stage: Stage) -> None:
    keeper = await shown(stage)
    other = stage.new_channel("other")
    await keeper.slash(stage.channel, "server seek", channel=other)
    path = f"/channels/{other.id}/messages"
    refuse(stage.env, "*", path, MISSING_PERMISSIONS)
    for name in ("Anna", "Ben"):
        await seek(stage, name, *(["Isis", "3 people"] if name == "Ben" else LANCELOT))
    heard = [texts_of(message) for message in keeper.user.dm_channel.history()]
    assert len(heard) == 1
    assert f"I can no longer post in <#{other.id}>" in heard[0]
    assert "View Channel, Send Messages and Attach Files" in heard[0]
    await stage.restart()
    await stage.env.advance_time(HOUR)
    assert len(keeper.user.dm_channel.history()) == 1
    stage.env.backend.faults.clear()
    await stage.env.advance_time(HOUR)
    await stage.env.settle()
    assert len([m for m in other.history() if "is seeking:" in texts_of(m)]) == 2
