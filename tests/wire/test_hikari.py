"""The stand-in under another team's client: hikari parses strictly what discord.py only skims."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import hikari
import pytest
from hikari.impl import config

from tests.wire.people import Person
from tests.wire.standin import StandIn
from tests.wire.trial_bot import PICTURE
from tests.wire.world import Channel

COMMANDS = [
    ("speak", "Answer with a message"),
    ("ponder", "Answer later"),
    ("fill", "Answer with a form"),
]


class Hikari:
    """A bot on hikari that answers interactions, and keeps everything that it was told."""

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
                await command.create_initial_response(hikari.ResponseType.DEFERRED_MESSAGE_CREATE)
                await command.edit_initial_response("pondered", attachment=_picture())
                await command.execute("and followed up")
            case hikari.CommandInteraction(command_name="fill") as command:
                row = self.app.rest.build_modal_action_row().add_text_input("name", "Name")
                await command.create_modal_response("A form", "form", component=row)
            case hikari.CommandInteraction() as command:
                await command.create_initial_response(
                    hikari.ResponseType.MESSAGE_CREATE, "spoken", components=[self.menu_row()]
                )
            case hikari.AutocompleteInteraction() as typing:
                choice = hikari.impl.AutocompleteChoiceBuilder("Avalon", "avalon")
                await typing.create_response([choice])
            case hikari.ComponentInteraction() as press:
                await press.create_initial_response(
                    hikari.ResponseType.MESSAGE_UPDATE, f"chosen {list(press.values)}"
                )
            case hikari.ModalInteraction() as form:
                await form.create_initial_response(
                    hikari.ResponseType.MESSAGE_CREATE, "filled in", flags=64
                )

    def menu_row(self) -> hikari.api.MessageActionRowBuilder:
        """A row with a menu of two."""
        row = self.app.rest.build_message_action_row()
        row.add_text_menu("menu").add_option("One", "1").add_option("Two", "2")
        return row

    def heard(self, kind: type[hikari.Event]) -> list[Any]:
        """All events of one kind so far."""
        return [event for event in self.told if isinstance(event, kind)]


def _picture() -> hikari.Bytes:
    return hikari.Bytes(PICTURE, "board.png", mimetype="image/png")


@pytest.fixture
def room(discord: StandIn) -> Channel:
    """A channel of a server."""
    return discord.guild("Camelot").channel("games")


@pytest.fixture
def anna(discord: StandIn, room: Channel) -> Person:
    """A person in that server."""
    return discord.person("Anna")


@pytest.fixture
async def bot(discord: StandIn, room: Channel) -> AsyncIterator[Hikari]:
    """The bot, connected; nothing that it was sent may have been beyond its parsers."""
    bot = Hikari(discord)
    # What hikari cannot parse, it reports to the event loop.
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: bot.faults.append(fault))
    await bot.app.start()
    await discord.world.until(lambda: bot.heard(hikari.GuildAvailableEvent))
    yield bot
    await bot.app.close()
    assert bot.faults == []


async def test_everything_about_a_guild_parses(bot: Hikari, room: Channel) -> None:
    """The announced guild, and guild, channel, member, user and application when fetched."""
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
    """A message with picture, embed and controls, one with Components V2; created, fetched,
    edited, listed and deleted."""
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
    """A conversation opened, written in and closed; a thread created."""
    user = await bot.app.rest.fetch_user(anna.user.id)
    assert (await user.send("psst")).content == "psst"
    anna.close_dms()
    with pytest.raises(hikari.ForbiddenError) as refused:
        await user.send("psst")
    assert refused.value.code == 50007
    thread = await bot.app.rest.create_thread(
        room.id, hikari.ChannelType.GUILD_PUBLIC_THREAD, "A game"
    )
    assert thread.parent_id == room.id


async def test_interactions_parse_and_are_answered(
    bot: Hikari, room: Channel, anna: Person
) -> None:
    """Command, menu, deferral with file and followup, form and autocompletion, in guild and DM."""
    await _register(bot)
    for place in (room, anna.dm):
        spoken = await (await anna.slash(place, "speak")).answer()
        assert spoken.content == "spoken"
        await anna.choose(spoken, "menu", "Two")
        assert spoken.content == "chosen ['2']"
        pondered = await anna.slash(place, "ponder", over="avalon")
        assert (await pondered.answer()).attachments[0].data == PICTURE
        await place.wait_for(lambda m: m.content == "and followed up")
        shown = await anna.slash(place, "fill")
        filled = await anna.submit(shown, name="Elaine")
        assert (await filled.answer()).is_ephemeral
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
    assert (await (await act).answer()).content == "spoken"


async def _register(bot: Hikari) -> None:
    builders = [bot.app.rest.slash_command_builder(*named) for named in COMMANDS]
    over = hikari.CommandOption(
        type=hikari.OptionType.STRING, name="over", description="What", autocomplete=True
    )
    builders[1].add_option(over)
    me = bot.app.get_me()
    assert me is not None
    commands = await bot.app.rest.set_application_commands(me.id, builders)
    assert [command.name for command in commands] == [name for name, _ in COMMANDS]
