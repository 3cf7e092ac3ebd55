"""``/profile``, also found in a person's menu: ratings, games, streaks, trophies."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from cogs.features.acting import Acknowledge, Acting
from cogs.features.feature import Feature, command, menu, press
from cogs.gateway.cards import Button, Card, Gallery, Row, with_pictures
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.gateway.failures import Failure
from cogs.gateway.permissions import may_write
from cogs.gateway.texts import escape
from cogs.gateway.translator import L_, name_
from cogs.present.drawings import Painted
from cogs.present.profile import ServerProfile, profile_drawing
from data.texts import N_, Texts
from play.privacy import Privacy
from play.table import refuse_if

Person = discord.User | discord.Member


class ProfileCog(Feature, commands.Cog):
    """``/profile``, and *Profile* in the menu of a person."""

    def __init__(self, acting: Acting) -> None:
        super().__init__(acting)
        self._words = acting.presenter.words
        self._store = acting.tables.store
        self._privacy = Privacy(acting.tables, acting.occasions)

    @command(
        name_("profile"),
        L_("Ratings, favourite games, streaks and trophies as a picture"),
        person=(name_("person"), L_("Whose profile; default: your own")),
    )
    @app_commands.guild_only()
    async def profile(self, interaction: Interaction, person: discord.User | None = None) -> None:
        """Show a profile."""
        await self._show(interaction, person or interaction.user)

    @menu(name_("Profile"))
    async def profile_of(self, interaction: Interaction, person: discord.User) -> None:
        """Show the profile of the person whose menu was opened."""
        await self._show(interaction, person)

    async def _show(self, interaction: Interaction, asked: Person) -> None:
        say = self.say(interaction)
        own = asked.id == interaction.user.id
        hidden = await self._privacy.is_unlisted(asked.id)
        refuse_if(hidden and not own, "unlisted")
        text = ""
        rows: tuple[Row, ...] = ()
        if hidden:
            text = "-# " + say("Only you see this: you have hidden your statistics.")
        elif own:
            text = "-# " + say("Others do not see your results against computer players.")
            share = Button(Control.apart("shareprofile"), say("Share"))
            rows = ((share,),)
        picture = Gallery((await self._drawing(interaction, asked, say, own=own),))
        await self.replies.answer(interaction, Card((picture, text) if text else (picture,), rows))

    @press("shareprofile", Acknowledge.PRIVATELY)
    async def share(self, interaction: Interaction, _control: Control) -> None:
        """Post the person's own profile for everyone in the channel."""
        person = interaction.user
        refuse_if(interaction.guild_id is None, "stale")
        refuse_if(not may_write(interaction), "not_allowed")
        refuse_if(await self._privacy.is_unlisted(person.id), "unlisted")
        everyone = await self.acting.server_texts(interaction)
        picture = Gallery((await self._drawing(interaction, person, everyone, own=True),))
        whose = everyone("The profile of {name}.", name=f"**{escape(person.display_name)}**")
        card = await with_pictures(Card((picture, whose)))
        # One post per answer, however often its button is pressed.
        nonce = f"p{interaction.message.id}" if interaction.message else None
        place = interaction.channel_id or 0
        posted = await self.acting.gateway.post(place, card, nonce=nonce)
        refuse_if(isinstance(posted, Failure), "not_posted", channel=place)
        await self.acting.note(interaction, N_("I have posted it in the channel."))

    async def _drawing(
        self, interaction: Interaction, person: Person, say: Texts, *, own: bool
    ) -> Painted:
        """Return the picture of a profile.

        :param own: include what others see only if the person shares it.
        """
        server, standings = interaction.guild_id or 0, self._store.standings
        trophies = await self._store.trophies.of_person(person.id)
        known = ServerProfile(
            await standings.of_person(person.id, server),
            await standings.course(person.id, server),
            [each for each in trophies if each.guild_id in (None, server)],
            await standings.since(person.id, server),
            await standings.alone(person.id) if own else None,
        )
        return profile_drawing(person.display_name, known, self._words, say)
