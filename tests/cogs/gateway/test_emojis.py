"""Icons as emojis: uploaded once and never required."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import discord
import pytest

from cogs.gateway.cards import Button, Card, Entry, Select
from cogs.gateway.controls import Control
from cogs.gateway.emojis import OURS, EmojiKeeper
from cogs.gateway.failures import Failure, Trouble
from cogs.gateway.gateway import Gateway
from cogs.gateway.layouts import layout
from data.store.store import Store
from render.icons import ICONS, icon
from tests.cogs.gateway.stage import Bot
from tests.refusals import MISSING_PERMISSIONS
from tests.stores import opened
from tests.wire.standin import StandIn

CONTROL = Control(7, 12, "go")

CARD = Card(("Your move",), ((Button(CONTROL, "Go", icon="seat2"),),))

DAY = timedelta(days=1)

Start = Callable[..., EmojiKeeper]


@pytest.fixture
async def bot(standin: StandIn) -> AsyncIterator[Bot]:
    """A client that has logged in but receives no events."""
    async with Bot() as bot:
        await bot.login(standin.token)
        yield bot


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """The store that a bot's processes share."""
    store = await opened(tmp_path / "house.sqlite3")
    yield store
    await store.close()


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 24, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def start(bot: Bot, store: Store, clock: Clock) -> Start:
    """A function that starts a process whose icons are not uploaded yet."""

    def started(icons: dict[str, bytes]) -> EmojiKeeper:
        return EmojiKeeper(bot, store.icons, tuple(icons), icons.__getitem__, clock)

    return started


def names(standin: StandIn) -> set[str]:
    """The names of the emojis that Discord has."""
    return {emoji["name"] for emoji in standin.world.emojis.values()}


def pictures(version: int) -> dict[str, bytes]:
    """Three icons; the second one differs between versions."""
    return {"seat1": icon("seat1"), "seat2": icon(f"seat{1 + version}"), "seat3": icon("seat3")}


async def test_only_changed_pictures_are_uploaded(standin: StandIn, bot: Bot, start: Start) -> None:
    """A second start uploads nothing; a changed picture is uploaded in addition to the old one."""
    await bot.create_application_emoji(name="somebody_elses", image=icon("seat5"))
    first, again, second = start(pictures(1)), start(pictures(1)), start(pictures(2))
    await first.bring(pause=0)
    there = dict(standin.world.emojis)
    assert set(first.emojis.known) == {"seat1", "seat2", "seat3"}
    await again.bring(pause=0)
    assert again.emojis.known == first.emojis.known
    assert standin.world.emojis == there
    await second.bring(pause=0)
    assert second.emojis.known["seat2"] != first.emojis.known["seat2"]
    assert second.emojis.known["seat1"] == first.emojis.known["seat1"]
    ours = {name for name in names(standin) if OURS.fullmatch(name)}
    assert ours == {e.name for each in (first, second) for e in each.emojis.known.values()}
    assert "somebody_elses" in names(standin)


@pytest.mark.full
async def test_an_emoji_stays_for_a_day_after_its_last_use(
    standin: StandIn, start: Start, clock: Clock
) -> None:
    """Two versions run at the same time, beside a process that uploads nothing. The old emoji is
    deleted a day after its last use; emojis in use stay.
    """
    old, new, beside = start(pictures(1)), start(pictures(2)), start({})
    for _ in range(48):
        await old.bring(pause=0)
        await beside.bring(pause=0, upload=False)
        await new.bring(pause=0)
        clock.now += timedelta(hours=1)
    assert old.emojis.known["seat2"] != new.emojis.known["seat2"]
    assert beside.emojis.known == new.emojis.known
    assert len(names(standin)) == 4
    clock.now += DAY - timedelta(hours=1)
    await new.bring(pause=0)
    assert len(names(standin)) == 4
    clock.now += timedelta(hours=2)
    await new.bring(pause=0)
    assert names(standin) == {emoji.name for emoji in new.emojis.known.values()}


async def test_refused_emojis_are_checked_once(standin: StandIn, bot: Bot, start: Start) -> None:
    """Somebody deletes all emojis. However many messages lose their icons, the bot checks once and
    uploads the missing emojis; later messages have their icons again.
    """
    room = standin.guild("Camelot").channel("games")
    keeper = start(pictures(1))
    await keeper.bring(pause=0)
    gateway = Gateway(bot, keeper.emojis)
    standin.world.emojis.clear()
    posted = await asyncio.gather(*(gateway.post(room.id, CARD) for _ in range(20)))
    assert all(isinstance(each, int) for each in posted)
    assert not any("emoji" in message.buttons[0] for message in room.messages)
    looks = standin.faults.requests.count
    look = f"GET /applications/{bot.application_id}/emojis"
    assert looks(look) == 1
    keeping = asyncio.create_task(keeper.keep())
    await standin.world.until(lambda: standin.world.emojis, what="the first emoji")
    await asyncio.gather(*(gateway.post(room.id, CARD) for _ in range(20)))
    keeping.cancel()
    assert looks(look) == 2
    await keeper.bring(pause=0)
    posted_last = await gateway.post(room.id, CARD)
    assert "emoji" in room.messages[-1].buttons[0]
    standin.world.emojis_refused = 1
    assert await gateway.edit(room.id, int(str(posted_last)), CARD) is None
    assert "emoji" not in room.messages[-1].buttons[0]


async def test_a_refusal_for_another_reason_keeps_the_icons(
    standin: StandIn, bot: Bot, start: Start
) -> None:
    """The message is not sent once more without icons."""
    room = standin.guild("Camelot").channel("games")
    keeper = start(pictures(1))
    await keeper.bring(pause=0)
    gateway = Gateway(bot, keeper.emojis)
    standin.faults.refuse(f"POST /channels/{room.id}/messages", MISSING_PERMISSIONS)
    refused = await gateway.post(room.id, CARD)
    assert isinstance(refused, Failure)
    assert refused.trouble is Trouble.MISSING_PERMISSION
    assert not keeper.emojis.doubted.is_set()
    assert room.messages == []


@pytest.mark.slow("icons")
async def test_discord_takes_the_names_and_pictures_of_all_icons(
    standin: StandIn, bot: Bot, store: Store
) -> None:
    keeper = EmojiKeeper(bot, store.icons, ICONS, icon)
    await keeper.bring(pause=0)
    assert set(keeper.emojis.known) == set(ICONS)


@pytest.mark.parametrize("what", ["GET", "POST"])
async def test_emojis_that_cannot_be_uploaded_stay_text(
    standin: StandIn, start: Start, what: str
) -> None:
    """Existing emojis are used if they can be listed; everything else stays text."""
    await start({"seat1": icon("seat1")}).bring(pause=0)
    standin.faults.fail(f"{what} .*emojis", 403, times=9)
    keeper = start(pictures(1))
    await keeper.bring(pause=0)
    assert set(keeper.emojis.known) == ({"seat1"} if what == "POST" else set())


# ------------------------------------------------------------------------------- shown
def known(*keys: str) -> dict[str, discord.PartialEmoji]:
    """Emojis that can be shown."""
    return {key: discord.PartialEmoji(name=f"tr_{key}_01234567", id=99) for key in keys}


def components(card: Card, *keys: str) -> list[dict[str, Any]]:
    """The components sent to Discord, without the frame."""
    (frame,) = layout(card, icons=known(*keys)).to_components()
    inner: list[dict[str, Any]] = frame["components"]
    return inner


def test_buttons_and_entries_show_the_icons_that_exist() -> None:
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
    """Signs in code or on their own stay, and so do all signs if the icons would make the message
    too long.
    """
    text = "▲ **Anna** and ● <@5> play; `▲ K7Q2`, ▲ alone"
    (shown,) = components(Card((text,)), "seat1", "seat2")
    emoji = "<:tr_seat1_01234567:99>"
    wanted = text.replace("▲ **", f"{emoji} **").replace("● <", "<:tr_seat2_01234567:99> <")
    assert shown["content"] == wanted
    assert components(Card((text,)), "seat2")[0]["content"].startswith("▲ **Anna**")
    longest = "▲ **Anna** ".ljust(4000 - len(emoji) + 1, "x")
    assert components(Card((longest,)), "seat1")[0]["content"].startswith(emoji)
    assert components(Card((longest + "x",)), "seat1")[0]["content"] == longest + "x"


def test_a_card_is_the_same_with_and_without_emojis() -> None:
    """A fingerprint does not depend on which emojis exist, so no message is edited for them."""
    card = Card(("x",), ((Button(CONTROL, "Go", icon="seat1"),),))
    before = card.fingerprint
    components(card, "seat1")
    assert card.fingerprint == before
