"""``/seek``: finding others for a match, on one server or across servers."""

from __future__ import annotations

from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from cogs.features.acting import Acknowledge, Acting
from cogs.features.allowance import Cost
from cogs.features.feature import Feature, command, number_in, press
from cogs.features.lobby import Lobby
from cogs.gateway.cards import Card
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.gateway.translator import L_, name_
from cogs.present.seeking import (
    Wish,
    gathered_card,
    waiting_card,
    wish_card,
    wish_in,
)
from data.store.ratings import EVERYWHERE
from data.store.rows import Opening, ServerRow
from data.texts import N_
from play.matching import Seek
from play.occasions.occasion import Occasion
from play.occasions.seek import Seeking, SeekMatch, Seeks, SitDown, StopSeeking, seeks_of
from play.table import PACE, refuse_if


class SeekingCog(Feature, commands.Cog):
    """``/seek``, with its menus and buttons."""

    def __init__(self, acting: Acting, lobby: Lobby) -> None:
        super().__init__(acting)
        self._lobby = lobby
        self._words = acting.presenter.words

    @command(name_("seek"), L_("Find others for a match: I open a table when there are enough"))
    @app_commands.guild_only()
    async def seek(self, interaction: Interaction) -> None:
        """Show the person's seek, or the menus for choosing one."""
        await self._show(interaction)

    @press("seeking", Acknowledge.PRIVATELY)
    async def look_again(self, interaction: Interaction, _control: Control) -> None:
        """Show the current status."""
        await self._show(interaction)

    @press("seekwish", Acknowledge.PRIVATELY)
    async def choose(self, interaction: Interaction, control: Control) -> None:
        """Show the menus with what the person has chosen so far."""
        await self._ask(interaction, wish_in(control.argument))

    @press("seekagain", Acknowledge.PRIVATELY)
    async def change(self, interaction: Interaction, control: Control) -> None:
        """Ask again what this person wants to play, starting from their present choices."""
        await self._ask(interaction, wish_in(control.argument))

    @press("seekgo", Acknowledge.PRIVATELY)
    async def begin(self, interaction: Interaction, control: Control) -> None:
        """Start seeking, replacing any earlier seek."""
        wish = wish_in(control.argument)
        person, server = interaction.user.id, await self._server(interaction)
        channel = await self._channel(interaction, server)
        guild = None if wish.abroad else server.guild_id
        if wish.abroad:
            refuse_if(not server.seek_abroad, "not_abroad")
            refuse_if(not await self.acting.direct.reach(person), "needs_direct_messages")
            channel = 0
        await self._require_room(interaction, server, wish)
        for other in await self._places(interaction):
            if other.guild_id != guild and other.state.of(person) is not None:
                await self.occasions.act(other.id, StopSeeking(person))
        language = (await self.acting.server_texts(interaction)).language
        place = await seeks_of(self.occasions, guild, channel, language)
        seek = await self._seek_of(interaction, server.guild_id, wish)
        settings = await self.settings.person(person)
        await self.acting.act_in(
            interaction, place.id, SeekMatch(seek, settings, wish.hours, channel)
        )
        await self._show(interaction)

    @press("seeksit", Acknowledge.PRIVATELY)
    async def sit_down(self, interaction: Interaction, control: Control) -> None:
        """Join another person's seek."""
        number, person = number_in(control.argument), interaction.user.id
        refuse_if(not control.occasion, "stale")
        server = await self._server(interaction)
        await self._channel(interaction, server)
        await self._require_room(interaction, server, Wish())
        seek = await self._seek_of(interaction, server.guild_id, Wish())
        settings = await self.settings.person(person)
        await self.acting.act_in(interaction, control.occasion, SitDown(number, seek, settings))
        for other in await self._places(interaction):
            if other.id != control.occasion and other.state.of(person) is not None:
                await self.occasions.act(other.id, StopSeeking(person))
        await self._show(interaction)

    @press("seekstop", Acknowledge.PRIVATELY)
    async def stop(self, interaction: Interaction, _control: Control) -> None:
        """Stop seeking."""
        person = interaction.user.id
        places = [p for p in await self._places(interaction) if _has(p, person)]
        refuse_if(not places, "not_seeking")
        for place in places:
            await self.acting.act_in(interaction, place.id, StopSeeking(person))
        await self.acting.note(interaction, N_("You are no longer seeking a match."))

    # -- answers
    async def _show(self, interaction: Interaction) -> None:
        """Show what the person seeks here, or the menus if they seek nothing."""
        person, say = interaction.user.id, self.say(interaction)
        for place in await self._places(interaction):
            seek = place.state.of(person)
            if seek is not None:
                now = self.tables.clock()
                state = place.state
                card = waiting_card(seek, state.waiting, state.waits, self._words, say, now)
                await self.replies.show(interaction, card)
                return
            if _has(place, person):
                await self.replies.show(interaction, gathered_card(say))
                return
        await self._ask(interaction, Wish())

    async def _ask(self, interaction: Interaction, wish: Wish) -> None:
        """Show the menus with the current choices."""
        server = await self._server(interaction)
        wish = wish if server.seek_abroad else replace(wish, abroad=False)
        card: Card = wish_card(
            wish, self._words, self.say(interaction), may_abroad=server.seek_abroad
        )
        await self.replies.show(interaction, card)

    # -- lookups
    async def _server(self, interaction: Interaction) -> ServerRow:
        """Return the server's settings.

        :raises Refused: ``seek_on_server``: the person is not on a server.
        """
        refuse_if(interaction.guild_id is None, "seek_on_server")
        return await self.settings.server(interaction.guild_id or 0)

    async def _places(self, interaction: Interaction) -> list[Occasion[Seeks]]:
        """Return this server's occasion for seekers and the one across servers, each only if it
        names the person.
        """
        mine = await self.occasions.of_person(interaction.user.id)
        here = (None, interaction.guild_id)
        return [each for each in mine if each.row.kind == Seeking.NAME and each.guild_id in here]

    async def _channel(self, interaction: Interaction, server: ServerRow) -> int:
        """Return the channel where tables for seekers open: the server's choice, or this one; if
        this one is a thread, its parent.

        :raises Refused: whatever ``Lobby.welcoming_channel`` raises.
        """
        here = await self._lobby.welcoming_channel(interaction, in_thread=False)
        return server.seek_channel or getattr(interaction.channel, "parent_id", None) or here

    async def _require_room(self, interaction: Interaction, server: ServerRow, wish: Wish) -> None:
        """Make sure the person has not reached the server's limit of open tables, and charge their
        allowance for a seek.

        :raises Refused: ``too_much_at_once``, or whatever ``check_opening`` raises.
        """
        self.acting.allowance.spend(interaction.user.id, Cost.SEEK)
        game, players = wish.tables[0]
        user = interaction.user
        await self.tables.check_opening(
            Opening(
                game=game,
                guild_id=server.guild_id,
                channel_id=0,
                host_id=user.id,
                host_name=user.display_name,
                language="en",
                options={PACE: pace} if (pace := wish.paces[0]) else {},
                wanted_players=players,
            )
        )

    async def _seek_of(self, interaction: Interaction, guild_id: int, wish: Wish) -> Seek:
        """Return a new seek for the person's wish."""
        user, now = interaction.user, self.tables.clock()
        where = EVERYWHERE if wish.abroad else guild_id
        rows = await self.tables.store.standings.rows_of(user.id)
        return Seek(
            number=0,
            person_id=user.id,
            name=user.display_name,
            tables=wish.tables,
            paces=wish.paces,
            near=wish.near,
            language=self.say(interaction).language,
            guild_id=guild_id,
            abroad=wish.abroad,
            since=now,
            until=now,
            ratings={row.game: row.rating for row in rows if row.guild_id == where},
        )


def _has(place: Occasion[Seeks], person_id: int) -> bool:
    """Return whether the person is waiting there, or is being seated at a table right now."""
    state = place.state
    gathered = (seek for group in state.gathered for seek in group.seeks)
    return any(seek.person_id == person_id for seek in (*state.waiting, *gathered))
