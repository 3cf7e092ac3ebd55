"""Seasons, as the people of a server see them."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import discord
import pytest
from simcord import UserHandle

from cogs.gateway.cards import Button
from cogs.gateway.controls import Control
from cogs.gateway.gateway import Gateway
from cogs.present.private import buttons_card
from tests.cogs.matches import won_by_anna
from tests.stage import Stage, alts_of, answer_to, controls, private, texts_of, use, verb_of

BEGUN = datetime(2025, 12, 31, tzinfo=UTC)
"""A day before the simulation begins."""

pytestmark = pytest.mark.usefixtures("no_errors")


NOTHING = "There is nothing from past seasons here yet."


async def in_seasons(stage: Stage, length: str = "month") -> None:
    """Make the server play in seasons from now on."""
    await stage.bot.store.seasons.play_in(stage.guild.id, length, "UTC", BEGUN)


async def board(stage: Stage, name: str = "Clara", **options: object) -> Any:
    """The leaderboard that someone requests."""
    return private(await stage.slash(name, "leaderboard", **options))


def pages(message: Any) -> list[tuple[str, bool]]:
    """The available pages, and whether each is the current one."""
    found = [(verb_of(each.custom_id), each) for each in controls(message)]
    return [(name[1].split(".")[0], it.disabled) for name, it in found if name[0] == "board"]


async def test_without_seasons_there_are_no_pages(stage: Stage) -> None:
    await won_by_anna(stage)
    assert controls(await board(stage)) == []


async def test_the_season_comes_first(stage: Stage) -> None:
    await won_by_anna(stage)
    await in_seasons(stage)
    shown = await board(stage)
    assert pages(shown) == [("season", True), ("ever", False), ("fame", False)]
    assert re.search(r"## Season \w+ \d{4}\nIt ends <t:\d+:f>", texts_of(shown))
    assert "Nobody has finished a match that counts here yet." in texts_of(shown)
    await won_by_anna(stage)
    shown = await board(stage, game="lancelot")
    (alt,) = alts_of(shown)
    assert re.match(
        r"Season .* Lancelot\. 2 people played\. 1\. Anna: rating 1,\d\d\d, 1 match", alt
    )
    assert "**Anna** · 1" in texts_of(shown)
    clara = stage.people["Clara"]
    ever = private(await use(clara, shown, "board", "ever.lancelot"))
    assert "2 matches, 2 won" in texts_of(ever)
    assert pages(ever) == [("season", False), ("ever", True), ("fame", False)]
    fame = private(await use(clara, ever, "board", "fame"))
    assert NOTHING in texts_of(fame)


async def test_an_empty_hall_of_fame_does_not_deny_a_past_season(stage: Stage) -> None:
    """A past season is shown only for the games that were played in it."""
    await in_seasons(stage)
    await won_by_anna(stage)
    await stage.bot.store.seasons.close(stage.guild.id, BEGUN + timedelta(days=70))
    for game, empty in (("lancelot", False), ("isis", True)):
        shown = await board(stage, game=game)
        fame = private(await use(stage.people["Clara"], shown, "board", f"fame.{game}"))
        assert (NOTHING in texts_of(fame)) == empty


async def test_the_hall_of_fame_has_pages(stage: Stage) -> None:
    """Five seasons fill two pages; unlisted people are missing."""
    store, server = stage.bot.store, stage.guild.id
    await in_seasons(stage)
    await won_by_anna(stage)
    await store.seasons.close(server, BEGUN + timedelta(days=70))
    rows = "SELECT person_id, guild_id, game, season FROM ratings WHERE season = 1"
    assert len(await store.database.fetch(rows)) == 2
    for number in (2, 3, 4, 5):  # pretend that later seasons had the same results
        await copy_season(stage, number)
    shown = await board(stage)
    fame = private(await use(stage.people["Clara"], shown, "board", "fame"))
    told = texts_of(fame)
    assert told.count("🥇 **Anna** · 1") == told.count("🥈 **Ben** · ") == 3
    earlier = private(await use(stage.people["Clara"], fame, "board", "fame.."))
    assert texts_of(earlier).count("🥇 **Anna**") == 2
    assert [page for page, _ in pages(earlier)][-1] == "fame"
    await store.standings.set_unlisted(stage.people["Anna"].id, True)
    shown = await board(stage)
    hidden = texts_of(private(await use(stage.people["Clara"], shown, "board", "fame")))
    assert "Anna" not in hidden
    assert "🥈 **Ben**" in hidden


async def copy_season(stage: Stage, number: int) -> None:
    """Add a season with the same results as the first one."""
    await stage.bot.store.database.write(
        lambda db: [
            db.execute(
                """INSERT INTO seasons
                SELECT guild_id, ?, length, zone, begins_at, ends_at, final, 1
                FROM seasons WHERE number = 1 ON CONFLICT DO NOTHING""",
                [number],
            ),
            db.execute("UPDATE seasons SET closed = 1 WHERE number = ?", [number]),
            db.execute(
                """INSERT INTO ratings SELECT person_id, guild_id, game, ?, name, matches, won,
                    uncounted, rating, mu, sigma, streak, longest FROM ratings WHERE season = 1""",
                [number],
            ),
            db.execute(
                """INSERT INTO trophies SELECT person_id, kind, ?, game, guild_id, place, title, at
                FROM trophies WHERE source = ?""",
                [f"{stage.guild.id}.{number}", f"{stage.guild.id}.1"],
            ),
        ]
    )


@pytest.mark.speaks("de")
async def test_seasons_in_german(stage: Stage) -> None:
    await in_seasons(stage, "quarter")
    assert re.search(r"## Saison \d\. Quartal \d{4}\nSie endet", texts_of(await board(stage)))


async def test_forged_pages_are_refused(stage: Stage) -> None:
    await in_seasons(stage)
    for argument in ("nowhere.", "fame.chess", "fame..x", "fame..1.2"):
        button = Button(Control.apart("board", argument), "Try")
        await Gateway(stage.bot.client).post(stage.channel.id, buttons_card("Try", [button]))
        result = await use(stage.people["Clara"], stage.channel.history()[-1], "board")
        assert "earlier position" in answer_to(result)


# ----------------------------------------------------------------------- /server season
async def choose(stage: Stage, length: str, **options: Any) -> str:
    """Type ``/server season`` as a manager; return the answer."""
    manager = stage.keeper()
    return answer_to(await manager.slash(stage.channel, "server season", length=length, **options))


async def later(stage: Stage, days: int = 40, *, told: bool = True) -> None:
    """Set the clock of occasions, but no other, to this many days after ``BEGUN``.

    :param told: whether the channel gets the messages.
    """
    occasions, now = stage.bot.occasions, BEGUN + timedelta(days=days)
    occasions.clock = lambda: now
    for number in await occasions.found.due(now):
        await occasions.tick(number)
        await asyncio.gather(*stage.bot.seasons.tasks)
        if told:
            await stage.bot.occasion_delivery.bring(number)


async def test_a_season_is_announced_once_in_the_chosen_channel(stage: Stage) -> None:
    place = stage.new_channel("fame")
    told = await choose(stage, "month", zone="Berlin", channel=place)
    assert re.search(
        r"Seasons: a month, by the calendar of Berlin; the current one until <t:", told
    )
    assert f"shown in <#{place.id}>" in told
    await stage.env.advance_time(5)
    await won_by_anna(stage)
    await later(stage)
    (message,) = place.history()
    assert re.match(
        r"## Season \w+ 2026 is over\n\*\*Lancelot\*\* · 🥇 \*\*Anna\*\*", texts_of(message)
    )
    assert "🥈 **Ben**\n-# The next season has begun." in texts_of(message)
    assert not message.mentions
    (alt,) = alts_of(message)
    assert "1. Anna: rating" in alt
    fame = private(await use(stage.people["Ben"], message, "board", "fame"))
    assert "🥇 **Anna**" in texts_of(fame)
    await stage.restart()
    await later(stage, 41)
    assert len(place.history()) == 1
    await later(stage, 80)  # there were no matches
    assert len(place.history()) == 1
    (alt,) = alts_of(private(await stage.slash("Anna", "profile")))
    assert "Trophies: 1 gold, 0 silver, 0 bronze." in alt


async def test_after_a_kill_the_next_process_announces_a_season_once(stage: Stage) -> None:
    place = stage.new_channel("fame")
    await choose(stage, "month", channel=place)
    await stage.env.advance_time(5)
    await won_by_anna(stage)
    await stage.bot.occasion_delivery.close()
    await later(stage, told=False)
    assert place.history() == []
    for _ in range(2):
        await stage.restart()
        assert len(place.history()) == 1


async def test_without_a_chosen_channel_a_season_ends_silently(stage: Stage) -> None:
    told = await choose(stage, "quarter")
    assert "shown in" not in told
    assert "by the calendar of UTC" in told
    await stage.env.advance_time(5)
    await won_by_anna(stage)
    before = len(stage.channel.history())
    await later(stage, 100)
    assert len(stage.channel.history()) == before
    assert len(await stage.bot.store.seasons.hall_of_fame(stage.guild.id, 9)) == 1
    assert "Seasons: no" in await choose(stage, "off")


async def test_seasons_are_refused_where_they_cannot_be_shown(stage: Stage) -> None:
    bot = UserHandle(stage.env, stage.env.backend.bot_user)
    silent = discord.PermissionOverwrite(attach_files=False)
    place = stage.guild.create_text_channel("silent", overwrites={bot: silent})
    told = await choose(stage, "year", channel=place)
    assert told == f"I may not post pictures in <#{place.id}>."
    assert "I do not know the time zone" in await choose(stage, "year", zone="Camelot")
    assert await stage.bot.store.seasons.running(stage.guild.id, BEGUN) is None
