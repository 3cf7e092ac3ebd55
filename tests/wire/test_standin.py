"""The stand-in itself, tested with hikari, a client that parses strictly.

Most faults, and kills of the bot, are covered by the tests of the real bot.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import hikari
import pytest
from hikari.impl import config

from tests import refusals
from tests.wire.people import Person
from tests.wire.standin import StandIn
from tests.wire.world import Channel, Permission

PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000020000000108020000007b40e8dd"
    "0000000f49444154789c63f8cfc0c0f01f0005000201a5f645400000000049454e44ae426082"
)
"""A PNG of 2 x 1 pixels; only its header is read."""

COMMANDS = [
    ("speak", "Answer with a message"),
    ("ponder", "Answer later"),
    ("fill", "Answer with a form"),
    ("repeat", "Answer several times"),
]


class Hikari:
    """A hikari bot that answers interactions and records every event."""

    def __init__(self, discord: StandIn) -> None:
        self.app = hikari.GatewayBot(
            discord.token,
            banner=None,
            suppress_optimization_warning=True,
            force_color=False,
            logs="WARNING",
            rest_url=discord.url + "/api/v10",
            http_settings=config.HTTPSettings(enable_cleanup_closed=False),
        )
        self.told: list[hikari.Event] = []
        self.faults: list[object] = []
        self.app.subscribe(hikari.Event, self._hear)
        self.app.subscribe(hikari.ExceptionEvent, self._fail)
        self.app.subscribe(hikari.InteractionCreateEvent, self._answer)

    async def _hear(self, event: hikari.Event) -> None:
        self.told.append(event)

    async def _fail(self, event: hikari.ExceptionEvent[Any]) -> None:
        self.faults.append(event.exception)

    async def _answer(self, event: hikari.InteractionCreateEvent) -> None:
        match event.interaction:
            case hikari.CommandInteraction(command_name="ponder") as command:
                secret = bool(command.options and command.options[0].value == "secrets")
                await command.create_initial_response(
                    hikari.ResponseType.DEFERRED_MESSAGE_CREATE,
                    flags=hikari.MessageFlag.EPHEMERAL if secret else hikari.MessageFlag.NONE,
                )
                await command.execute("pondered", attachment=_picture())
                await command.execute("and followed up")
            case hikari.CommandInteraction(command_name="fill") as command:
                row = self.app.rest.build_modal_action_row().add_text_input("name", "Name")
                await command.create_modal_response("A form", "form", component=row)
            case hikari.CommandInteraction() as command:
                await command.create_initial_response(
                    hikari.ResponseType.MESSAGE_CREATE,
                    f"spoken ({command.locale})",
                    components=[self.menu_row()],
                )
            case hikari.AutocompleteInteraction() as typing:
                choice = hikari.impl.AutocompleteChoiceBuilder("Avalon", "avalon")
                await typing.create_response([choice])
            case hikari.ComponentInteraction() as press:
                await press.create_initial_response(
                    hikari.ResponseType.MESSAGE_UPDATE, f"chosen {list(press.values)}"
                )
                await press.edit_initial_response(f"chosen {list(press.values)}!")
            case hikari.ModalInteraction() as form:
                await form.create_initial_response(
                    hikari.ResponseType.MESSAGE_CREATE,
                    "filled in",
                    components=[self.menu_row()],
                    flags=hikari.MessageFlag.EPHEMERAL,
                )

    def menu_row(self) -> hikari.api.MessageActionRowBuilder:
        row = self.app.rest.build_message_action_row()
        row.add_text_menu("menu").add_option("One", "1").add_option("Two", "2")
        return row

    def heard(self, kind: type[hikari.Event]) -> list[Any]:
        return [event for event in self.told if isinstance(event, kind)]


def _picture() -> hikari.Bytes:
    return hikari.Bytes(PICTURE, "board.png", mimetype="image/png")


@pytest.fixture
def room(discord: StandIn) -> Channel:
    return discord.guild("Camelot").channel("games")


@pytest.fixture
def anna(discord: StandIn, room: Channel) -> Person:
    return discord.person("Anna")


@pytest.fixture
async def bot(discord: StandIn, room: Channel) -> AsyncIterator[Hikari]:
    """The bot, connected; fails if it received anything that it could not parse."""
    bot = Hikari(discord)
    # If hikari cannot parse something, it reports that to the event loop.
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: bot.faults.append(fault))
    await bot.app.start()
    await discord.world.until(lambda: bot.heard(hikari.GuildAvailableEvent))
    yield bot
    await bot.app.close()
    assert bot.faults == []


async def test_everything_about_a_guild_parses(bot: Hikari, room: Channel) -> None:
    (event,) = bot.heard(hikari.GuildAvailableEvent)
    assert room.guild is not None
    assert event.guild.name == "Camelot"
    assert [channel.name for channel in event.channels.values()] == ["games"]
    assert (await bot.app.rest.fetch_guild(room.guild.id)).name == "Camelot"
    assert (await bot.app.rest.fetch_channel(room.id)).name == "games"
    assert len(await bot.app.rest.fetch_guild_channels(room.guild.id)) == 1
    me = await bot.app.rest.fetch_my_user()
    assert (await bot.app.rest.fetch_member(room.guild.id, me.id)).id == me.id
    assert (await bot.app.rest.fetch_application()).id == me.id


async def test_messages_with_files_and_layout_parse(bot: Hikari, room: Channel) -> None:
    rest = bot.app.rest
    embed = hikari.Embed(title="Board").set_image(_picture())
    first = await rest.create_message(room.id, "one", embed=embed, component=bot.menu_row())
    assert first.embeds[0].image is not None
    assert await first.embeds[0].image.read() == PICTURE
    container = hikari.impl.ContainerComponentBuilder(accent_color=hikari.Color(0x0072B2))
    container.add_text_display("two")
    container.add_media_gallery(
        [hikari.impl.MediaGalleryItemBuilder(media=_picture(), description="a board")]
    )
    container.add_separator()
    container.add_component(bot.menu_row())
    second = await rest.create_message(
        room.id, component=container, flags=hikari.MessageFlag.IS_COMPONENTS_V2
    )
    assert isinstance(second.components[0], hikari.ContainerComponent)
    assert (await rest.edit_message(room.id, first.id, "uno")).content == "uno"
    assert (await rest.fetch_message(room.id, first.id)).edited_timestamp is not None
    assert [m.id for m in await rest.fetch_messages(room.id)] == [second.id, first.id]
    await rest.delete_message(room.id, first.id)
    assert [m.id for m in room.messages] == [second.id]
    with pytest.raises(hikari.NotFoundError):
        await rest.fetch_message(room.id, first.id)


async def test_direct_messages_and_threads_parse(bot: Hikari, room: Channel, anna: Person) -> None:
    user = await bot.app.rest.fetch_user(anna.user.id)
    assert (await user.send("psst")).content == "psst"
    anna.close_dms()
    with pytest.raises(hikari.ForbiddenError) as refused:
        await user.send("psst")
    assert refused.value.code == refusals.CLOSED_DMS.code
    anna.open_dms()
    await user.send("psst")
    thread = await bot.app.rest.create_thread(
        room.id, hikari.ChannelType.GUILD_PUBLIC_THREAD, "A game"
    )
    assert thread.parent_id == room.id
    await bot.app.rest.create_message(thread.id, anna.mention, user_mentions=True)
    (opened,) = room.threads
    assert (opened.name, opened.messages[0].pinged) == ("A game", [anna.user])


async def test_interactions_parse_and_are_answered(
    bot: Hikari, room: Channel, anna: Person
) -> None:
    await _register(bot)
    for place in (room, anna.dm):
        spoken = await (await anna.slash(place, "speak")).answer()
        assert (spoken.content, spoken.channel) == ("spoken (en-US)", place)
        await anna.choose(spoken, "menu", "Two")
        await place.wait_for(lambda m: m.content == "chosen ['2']!")
        assert spoken.edits == 2
        pondered = await anna.slash(place, "ponder", over="avalon")
        assert (await pondered.answer()).attachments[0].data == PICTURE
        await place.wait_for(lambda m: m.content == "and followed up")
        shown = await anna.slash(place, "fill")
        filled = await anna.submit(shown, name="Elaine")
        told = await filled.answer()
        assert told.is_ephemeral
        assert told not in place.messages
        assert await anna.suggestions(place, "ponder", "over", "a") == [("Avalon", "avalon")]


async def test_the_session_is_resumed(
    discord: StandIn, bot: Hikari, room: Channel, anna: Person
) -> None:
    """Asked to reconnect, hikari resumes its compressed session and misses nothing."""
    await _register(bot)
    discord.world.answer_within = 60
    await discord.gateway.ask_to_reconnect()
    await discord.world.until(lambda: not discord.gateway.connected)
    act = anna.slash(room, "speak")
    await discord.world.until(lambda: discord.gateway.resumed == 1)
    assert (await (await act).answer()).content == "spoken (en-US)"


@pytest.mark.parametrize("over", ["fruit", "secrets"])
async def test_a_deferred_answer_takes_the_place_of_thinking(
    discord: StandIn, bot: Hikari, room: Channel, anna: Person, over: str
) -> None:
    """Until the answer comes, the bot appears to think, and the channel has no message; whether
    everyone will see the answer is settled by the deferral.
    """
    await _register(bot)
    trap = discord.faults.trap("POST /webhooks/")
    act = await anna.slash(room, "ponder", over=over)
    await trap.sprung()
    assert act.original is not None
    assert act.original.is_loading
    assert room.messages == []
    trap.open()
    answer = await act.answer()
    assert answer is act.original
    assert answer.is_ephemeral is (over == "secrets")


async def test_people_do_only_what_their_client_lets_them(
    discord: StandIn, bot: Hikari, room: Channel, anna: Person
) -> None:
    await _register(bot)
    ben = discord.person("Ben", locale="de")
    with pytest.raises(LookupError, match="no /dance"):
        anna.slash(room, "dance")
    with pytest.raises(LookupError, match="volume"):
        anna.slash(room, "ponder", volume=3)
    with pytest.raises(ValueError, match="required"):
        anna.slash(room, "repeat")
    for ill in ("often", True):
        with pytest.raises(ValueError, match="times"):
            anna.slash(room, "repeat", times=ill)
    with pytest.raises(LookupError):
        await anna.suggestions(room, "repeat", "times", "1")
    spoken = await (await ben.slash(room, "speak")).answer()
    assert spoken.content == "spoken (de)"
    with pytest.raises(LookupError, match="menu"):
        anna.choose(spoken, "other", "Two")
    with pytest.raises(LookupError, match="option"):
        anna.choose(spoken, "menu", "Three")
    shown = await anna.slash(room, "fill")
    with pytest.raises(LookupError, match="age"):
        anna.submit(shown, age="7")
    secret = await (await anna.submit(shown, name="Elaine")).answer()
    with pytest.raises(LookupError, match="not see"):
        ben.choose(secret, "menu", "Two")


async def test_an_interaction_is_answered_once(
    discord: StandIn, bot: Hikari, room: Channel, anna: Person
) -> None:
    """Delivered twice, an interaction reaches the bot twice; the second answer is refused."""
    await _register(bot)
    discord.gateway.stutter()
    act = anna.slash(room, "speak")
    await discord.world.until(lambda: bot.faults)
    (fault,) = bot.faults
    assert isinstance(fault, hikari.BadRequestError)
    assert [fault.code] == act.refusals == [refusals.ALREADY_ACKNOWLEDGED.code]
    assert len(room.messages) == 1
    bot.faults.clear()


async def test_missing_permissions_are_refused(bot: Hikari, room: Channel) -> None:
    for denied, refusal in (
        (Permission.SEND_MESSAGES, refusals.MISSING_PERMISSIONS),
        (Permission.VIEW_CHANNEL, refusals.MISSING_ACCESS),
    ):
        room.deny(denied)
        with pytest.raises(hikari.ForbiddenError) as refused:
            await bot.app.rest.create_message(room.id, "hello")
        assert refused.value.code == refusal.code


async def test_messages_that_discord_would_refuse_are_refused(bot: Hikari, room: Channel) -> None:
    """``tests.limits`` defines the limits."""
    for text, refusal in (("x" * 2001, refusals.INVALID_FORM), ("", refusals.EMPTY_MESSAGE)):
        with pytest.raises(hikari.BadRequestError) as refused:
            await bot.app.rest.create_message(room.id, text)
        assert refused.value.code == refusal.code


async def test_an_enforced_nonce_writes_once_while_it_is_remembered(
    discord: StandIn, room: Channel
) -> None:
    for memory, standing in ((60, 1), (60, 1), (0, 2)):
        discord.world.nonce_memory = memory
        await _post(discord, room, "once", nonce="k", enforce_nonce=True)
        assert len(room.messages) == standing


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
async def test_a_request_is_lost_with_its_sender_unless_it_took_effect(
    discord: StandIn, room: Channel, late: bool
) -> None:
    trap = discord.faults.trap("POST /channels/", late=late)
    dying = asyncio.create_task(_post(discord, room, "last words"))
    await trap.sprung()
    dying.cancel()
    await asyncio.wait([dying])
    trap.open()
    await _post(discord, room, "the next one")
    words = ["last words"] if late else []
    assert [message.text for message in room.messages] == [*words, "the next one"]


async def test_a_request_may_arrive_long_after_its_sender_has_died(
    discord: StandIn, room: Channel
) -> None:
    discord.faults.straggle(0.1, random.Random(1))
    trap = discord.faults.trap("POST /channels/")
    dying = asyncio.create_task(_post(discord, room, "last words"))
    await trap.sprung()
    dying.cancel()
    await asyncio.wait([dying])
    trap.open()
    await _post(discord, room, "the next one")
    await discord.world.until(lambda: discord.faults.late, what="the late request")
    assert {message.text for message in room.messages} == {"last words", "the next one"}


async def _post(discord: StandIn, room: Channel, text: str, **more: Any) -> None:
    """Write a message without a client."""
    url = f"{discord.url}/api/v10/channels/{room.id}/messages"
    headers = {"Authorization": f"Bot {discord.token}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.post(url, json={"content": text, **more}) as response,
    ):
        assert response.ok


async def _register(bot: Hikari) -> None:
    builders = [bot.app.rest.slash_command_builder(*named) for named in COMMANDS]
    over = hikari.CommandOption(
        type=hikari.OptionType.STRING, name="over", description="What", autocomplete=True
    )
    builders[0].set_name_localizations({"de": "sprich"})
    builders[1].add_option(over)
    times = hikari.CommandOption(
        type=hikari.OptionType.INTEGER, name="times", description="How often", is_required=True
    )
    builders[3].add_option(times)
    me = bot.app.get_me()
    assert me is not None
    commands = await bot.app.rest.set_application_commands(me.id, builders)
    assert [command.name for command in commands] == [name for name, _ in COMMANDS]
    assert commands[0].name_localizations == {"de": "sprich"}
