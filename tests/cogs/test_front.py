"""The first minutes: greeting, gallery, help, and the way to the first move."""

from __future__ import annotations

from unittest.mock import patch

import discord
import pytest

from cogs.features.front import FrontCog
from games import GAMES
from tests.stage import Stage, alts_of, answer_to, controls, private, texts_of, use, verb_of

pytestmark = pytest.mark.usefixtures("no_errors", "patient")


async def test_a_server_is_greeted_once(stage: Stage) -> None:
    await invited(stage)
    (greeting,) = stage.channel.history()
    assert "I am Tafelrunde" in texts_of(greeting)
    assert "Boards: Lancelot, Don Quixote, Isis, Twilight and Fair Isolde." in alts_of(greeting)[0]
    assert [verb_of(c.custom_id) for c in controls(greeting)] == [("game", g) for g in GAMES]
    await stage.restart()
    assert len(stage.channel.history()) == 1


@pytest.mark.parametrize("told", [True, False], ids=["told", "not told"])
async def test_without_a_channel_for_newcomers_the_person_who_invited_the_bot_is_greeted(
    stage: Stage, told: bool
) -> None:
    """If Discord does not say who that was, nobody is greeted."""
    guild, anna = stage.bot.client.get_guild(stage.guild.id), stage.people["Anna"]
    front = stage.bot.client.get_cog("FrontCog")
    assert guild is not None
    assert isinstance(front, FrontCog)
    if told:
        added = discord.AuditLogAction.bot_add.value
        stage.env.backend.record_audit_log(guild.id, added, target_id=guild.me.id, user_id=anna.id)
    await front.on_guild_join(guild)
    await stage.env.settle()
    assert stage.channel.history() == []
    assert ["I am Tafelrunde" in words for words in stage.direct("Anna")] == [True] * told
    assert stage.direct("Ben") == []


async def invited(stage: Stage) -> None:
    """Add the bot to a server that announces newcomers in the channel."""
    guild = stage.bot.client.get_guild(stage.guild.id)
    front = stage.bot.client.get_cog("FrontCog")
    assert guild is not None
    assert isinstance(front, FrontCog)
    announcing = guild.get_channel(stage.channel.id)
    with patch.object(type(guild), "system_channel", announcing):
        await front.on_guild_join(guild)
        await stage.env.settle()


async def test_the_gallery_replaces_a_games_page_in_the_same_message(stage: Stage) -> None:
    ben = stage.people["Ben"]
    gallery = private(await ben.slash(stage.channel, "play"))
    shown = texts_of(gallery), [each.custom_id for each in controls(gallery)]
    page = private(await use(ben, gallery, "game", "isis"))
    assert texts_of(page) != shown[0]
    back = private(await use(ben, page, "play"))
    assert back.id == page.id
    assert (texts_of(back), [each.custom_id for each in controls(back)]) == shown


@pytest.mark.parametrize("game", GAMES)
async def test_each_games_page_leads_to_its_rules_and_opens_a_table(
    stage: Stage, game: str
) -> None:
    ben = stage.people["Ben"]
    gallery = private(await ben.slash(stage.channel, "play"))
    page = private(await use(ben, gallery, "game", game))
    rules = await use(ben, page, "gamerules")
    assert answer_to(rules) != texts_of(page)
    assert answer_to(rules).startswith(texts_of(page).splitlines()[0])
    opened = private(await use(ben, page, "openhere"))
    assert "is open" in texts_of(opened)
    table = await stage.table()
    assert (table.row.game, table.row.host_id) == (game, ben.id)


async def test_help_leads_to_ones_own_tables(stage: Stage) -> None:
    await stage.open("lancelot", 2)
    told = private(await stage.slash("Anna", "help"))
    assert "`/play` shows all games" in texts_of(told)
    assert "`/learn` teaches each game" in texts_of(told)
    assert "`/seek` finds people" in texts_of(told)
    assert (await stage.table()).row.code in texts_of(told)
    page = private(await use(stage.people["Anna"], told, "play"))
    assert "What shall we play?" in texts_of(page)


@pytest.mark.speaks("de")
async def test_the_first_pages_are_german(stage: Stage) -> None:
    anna = stage.people["Anna"]
    gallery = private(await anna.slash(stage.channel, "play"))
    assert "Was spielen wir?" in texts_of(gallery)
    page = private(await use(anna, gallery, "game", "isolde"))
    assert "gleich gegen den Computer" in texts_of(page)
    assert "`/suchen` findet Leute" in texts_of(private(await anna.slash(stage.channel, "help")))
