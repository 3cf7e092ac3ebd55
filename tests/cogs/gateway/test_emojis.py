"""Icons as emojis: brought once, never needed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import discord
import pytest

from cogs.gateway.cards import Button, Card, Entry, Select
from cogs.gateway.controls import Control
from cogs.gateway.emojis import OURS, Emojis
from cogs.gateway.layouts import TEXT_IN_MESSAGE, layout
from render.icons import ICONS, icon
from tests.cogs.gateway.stage import Bot
from tests.wire.standin import StandIn

CONTROL = Control(7, 12, "go")


@pytest.fixture
async def bot(standin: StandIn) -> AsyncIterator[Bot]:
    """A client that has logged in, but hears nothing."""
    async with Bot() as bot:
        await bot.login(standin.token)
        yield bot


def names(standin: StandIn) -> set[str]:
    """The emojis that Discord has."""
    return {emoji["name"] for emoji in standin.world.emojis.values()}


def pictures(version: int) -> dict[str, bytes]:
    """Three icons; the second one differs between versions."""
    return {"seat1": icon("seat1"), "seat2": icon(f"seat{1 + version}"), "seat3": icon("seat3")}


async def brought(bot: Bot, icons: dict[str, bytes]) -> Emojis:
    """The emojis after a start."""
    emojis = Emojis(tuple(icons), icons.__getitem__)
    await emojis.bring(bot, pause=0)
    return emojis


async def test_only_what_changed_is_brought(standin: StandIn, bot: Bot) -> None:
    """A second start brings nothing; another picture replaces its own; what is not ours stays."""
    await bot.create_application_emoji(name="somebody_elses", image=icon("seat5"))
    first = await brought(bot, pictures(1))
    there = dict(standin.world.emojis)
    assert set(first.known) == {"seat1", "seat2", "seat3"}
    assert (await brought(bot, pictures(1))).known == first.known
    assert standin.world.emojis == there
    second = await brought(bot, pictures(2))
    assert second.known["seat2"] != first.known["seat2"]
    assert second.known["seat1"] == first.known["seat1"]
    ours = {name for name in names(standin) if OURS.fullmatch(name)}
    assert {emoji.name for emoji in second.known.values()} == ours
    assert "somebody_elses" in names(standin)


@pytest.mark.slow("icons")
async def test_every_icon_is_taken(standin: StandIn, bot: Bot) -> None:
    """The names and pictures of all of them keep Discord's limits."""
    emojis = Emojis(ICONS, icon)
    await emojis.bring(bot, pause=0)
    assert set(emojis.known) == set(ICONS)


@pytest.mark.parametrize("what", ["GET", "POST"])
async def test_nothing_fails_where_discord_refuses(standin: StandIn, bot: Bot, what: str) -> None:
    """What is there already is used; the rest stays text."""
    await brought(bot, {"seat1": icon("seat1")})
    standin.faults.fail(f"{what} .*emojis", 403, times=9)
    emojis = await brought(bot, pictures(1))
    assert set(emojis.known) == ({"seat1"} if what == "POST" else set())


# ------------------------------------------------------------------------------- shown
def known(*keys: str) -> dict[str, discord.PartialEmoji]:
    """Emojis that can be shown."""
    return {key: discord.PartialEmoji(name=f"tr_{key}_01234567", id=99) for key in keys}


def components(card: Card, *keys: str) -> list[dict[str, Any]]:
    """What Discord is sent, the frame taken off."""
    (frame,) = layout(card, icons=known(*keys)).to_components()
    inner: list[dict[str, Any]] = frame["components"]
    return inner


def test_buttons_and_entries_show_their_icons() -> None:
    """Where they are there; else nothing."""
    entries = (Entry("A", "a", icon="seat1"), Entry("B", "b"))
    card = Card(("x",), ((Button(CONTROL, "Go", icon="seat1"),), Select(CONTROL, "", entries)))
    _, buttons, menu = components(card, "seat1")
    assert buttons["components"][0]["emoji"]["name"] == "tr_seat1_01234567"
    first, second = menu["components"][0]["options"]
    assert first["emoji"]["id"] in (99, "99")
    assert "emoji" not in second
    _, buttons, menu = components(card)
    assert "emoji" not in buttons["components"][0]
    assert all("emoji" not in option for option in menu["components"][0]["options"])


def test_signs_before_names_become_icons() -> None:
    """Not those in code or in what people typed; and none if the message would be too long."""
    text = "▲ **Anna** and ● <@5> play; `▲ K7Q2`, ▲ alone"
    (shown,) = components(Card((text,)), "seat1", "seat2")
    emoji = "<:tr_seat1_01234567:99>"
    wanted = text.replace("▲ **", f"{emoji} **").replace("● <", "<:tr_seat2_01234567:99> <")
    assert shown["content"] == wanted
    assert components(Card((text,)), "seat2")[0]["content"].startswith("▲ **Anna**")
    long = "▲ **Anna** " * (TEXT_IN_MESSAGE // 11)
    assert components(Card((long,)), "seat1")[0]["content"] == long


def test_a_card_is_the_same_with_and_without_emojis() -> None:
    """What tells cards apart does not know which emojis there are: none is edited for them."""
    card = Card(("x",), ((Button(CONTROL, "Go", icon="seat1"),),))
    before = card.fingerprint
    components(card, "seat1")
    assert card.fingerprint == before
