"""Tables before their match: opening, joining, leaving, starting, and rematches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

import discord
from discord.ext import commands

from cogs.features.acting import Acknowledge, Acting
from cogs.features.allowance import TABLES, Cost
from cogs.features.blocking import warn
from cogs.features.feature import (
    Feature,
    button,
    command,
    form,
    number_in,
    press,
    table_command,
)
from cogs.gateway.cards import Card
from cogs.gateway.components import Interaction, is_bot
from cogs.gateway.controls import Control
from cogs.gateway.failures import Failure
from cogs.gateway.forms import Form, FormField
from cogs.gateway.permissions import may_manage, may_manage_server, missing_permissions
from cogs.gateway.places import InteractionContext, chat_of, context_of
from cogs.gateway.replies import is_pressed, is_private
from cogs.gateway.texts import escape
from cogs.gateway.translator import L_, name_
from cogs.present import private
from cogs.present.choices import way_rows
from cogs.present.lobby import NO_COMPUTER
from cogs.present.people import place_in_words
from cogs.present.private import ADVICE, REMEDY
from cogs.present.setup import draft_of, label_of, value_meant, values_card
from data.store.rows import Opening, ServerRow
from data.texts import N_, texts
from games.fairness import WORD_LIMIT
from games.players import LEVELS
from play.aggregate import Command
from play.aggregates import Change
from play.ending import Ending, EndTable, ending
from play.ladder import STAND_IN
from play.lobby import (
    AddComputer,
    ChangeOptions,
    GiveWord,
    Invite,
    Join,
    Leave,
    RemoveComputer,
    SendAway,
    Start,
    chosen_pace,
)
from play.rematch import rematch
from play.seats import TakeSeat
from play.table import Refused, Table, refuse_if

TITLE_LIMIT: Final = 100
"""Maximum length of a thread's name, in characters."""

OPEN: Final = N_("Your table {code} is open: {place}. Start it when everybody is there.")
BEGINS: Final = N_("Your match begins at table {code}: {place}.")
ASKED: Final = N_(
    "You have asked {names} for a rematch: table {code}, {place}. It begins once everybody has"
    " accepted."
)


class Lobby(Feature, commands.Cog):
    """Everything people do at tables that have not started, and ``/invite``.

    :param remediable: whether people who allow direct messages get them; False where the bot cannot
        send any.
    """

    def __init__(self, acting: Acting, *, remediable: bool = True) -> None:
        super().__init__(acting)
        self._remediable = remediable
        self._rematching = asyncio.Lock()

    # -- opening
    async def open(
        self,
        interaction: Interaction,
        game_id: str,
        options: Mapping[str, Any] = MappingProxyType({}),
        wanted_players: int | None = None,
        in_thread: bool | None = None,
        against: Sequence[str] = (),
    ) -> Table:
        """Open a lobby in the channel or in a new thread.

        :param in_thread: whether to use a new thread; None: if a thread is possible and the server
            wants one.
        :param against: the levels of computer players; if given, the match starts at once.
        """
        await self.replies.acknowledge_privately(interaction)
        await self._require_few(interaction.user.id)
        where = context_of(interaction)
        if where is not InteractionContext.SERVER:
            in_thread = False
        elif in_thread is None:
            in_thread = await self._threads_fit(interaction)
        opening = Opening(
            game=game_id,
            guild_id=interaction.guild_id if where is InteractionContext.SERVER else None,
            channel_id=await self.welcoming_channel(interaction, in_thread),
            host_id=interaction.user.id,
            host_name=interaction.user.display_name,
            language=(await self.acting.server_texts(interaction)).language,
            options=chosen_pace(options),
            wanted_players=wanted_players,
            chat=chat_of(interaction),
        )
        if in_thread:
            opening = await self._in_new_thread(opening)
        table = await self.tables.open(opening)
        await self._show(table)
        for level in against:
            await self.tables.act(table.id, AddComputer(table.row.host_id, level))
        if against:
            await self._begin(table)
        await self._tell_way(interaction, table, BEGINS if against else OPEN)
        await self._advise(interaction, table)
        return table

    async def _in_new_thread(self, opening: Opening) -> Opening:
        """Return the opening, moved to a new thread of its channel.

        :raises Refused: ``no_thread``, or whatever ``Tables.check_opening`` raises.
        """
        # Check before opening the thread: if the table were refused afterwards, an empty thread
        # would be left behind.
        await self.tables.check_opening(opening)
        title = texts(opening.language)(self.acting.presenter.words[opening.game].title)
        name = f"{title} · {opening.host_name}"[:TITLE_LIMIT]
        thread = await self.acting.gateway.open_thread(opening.channel_id, name)
        if isinstance(thread, Failure):
            raise Refused("no_thread")
        return replace(opening, channel_id=thread, home_id=opening.channel_id)

    async def _require_few(self, person_id: int) -> None:
        """Make sure the person may open another table, and charge their allowance for it.

        :raises Refused: ``too_many_open``, ``too_much_at_once``.
        """
        present = await self.tables.store.tables.of_person(person_id)
        refuse_if(len(present) >= TABLES, "too_many_open", limit=TABLES)
        self.acting.allowance.spend(person_id, Cost.TABLE)

    async def _begin(self, table: Table) -> None:
        """Start the match at once, as the host.

        :raises Refused: whatever ``Start`` or ``_draw`` raises.
        """
        await self.tables.act(table.id, Start(table.row.host_id))
        await self._draw(table.id)

    async def _tell_way(
        self, interaction: Interaction, table: Table, told: str, **details: Any
    ) -> None:
        """Show a person a private message about a table, with a link to it."""
        say = self.say(interaction)
        code, place = f"`{table.row.code}`", place_in_words(table, say)
        text = say(told, code=code, place=place, **details)
        await self.replies.show(interaction, Card((text,), way_rows(table, say)))

    # -- playing again
    @button("rematch")
    async def rematch(self, interaction: Interaction, table_id: int) -> None:
        """Offer the other players a rematch, or accept one already offered. If all others are
        computer players, the match starts at once.

        :raises Refused: ``rematch_runs``, or whatever ``rematch``, ``_ask_again`` or ``_sit_down``
            raises.
        """
        # people may have changed where they want to be notified
        table = await self.tables.fresh(table_id)
        opening = rematch(table, interaction.user.id)
        async with self._rematching:
            there = await self._rematch_of(table)
            if there is None:
                await self._ask_again(interaction, opening)
                return
        refuse_if(there.started, "rematch_runs", code=f"`{there.row.code}`")
        await self._confirm_seat(interaction, await self._sit_down(interaction, there.id))

    async def _ask_again(self, interaction: Interaction, opening: Opening) -> None:
        """Open a table for a rematch; its messages ask the other players. If all others are
        computer players, start the match.

        :raises Refused: whatever ``_require_few``, ``welcoming_channel``, ``Tables.open``,
            ``_show`` or ``_begin`` raises.
        """
        await self._require_few(interaction.user.id)
        place = await self.welcoming_channel(interaction, in_thread=False)
        opening = replace(opening, host_name=interaction.user.display_name)
        if opening.guild_id is None:  # use the host's direct messages
            opening = replace(opening, channel_id=place, language=self.say(interaction).language)
        table = await self.tables.open(opening)
        await self._show(table)
        if table.asked:
            names = [m.name for m in table.members if m.person_id in table.asked]
            told, named = ASKED, self.say(interaction).list([escape(name) for name in names])
            await self._tell_way(interaction, table, told, names=named)
        elif table.row.wanted_players is None:  # the other players have deleted their data
            await self._tell_way(interaction, table, OPEN)
        else:
            await self._begin(table)
            await self._tell_way(interaction, table, BEGINS)
        await warn(self, interaction, table)
        await self._advise(interaction, table)

    async def _rematch_of(self, table: Table) -> Table | None:
        """Return the rematch that somebody has already asked for, unless it is over or parked."""
        people = (member.person_id for member in table.members)
        for person in sorted(person for person in people if person is not None):
            for other in await self.tables.of_person(person):
                if other.rematch_of == table.row.code and not other.unplaced:
                    return other
        return None

    async def _threads_fit(self, interaction: Interaction) -> bool:
        """Return whether a table opened here gets its own thread by default."""
        if not isinstance(interaction.channel, discord.TextChannel):
            return False
        server = await self.settings.server(interaction.guild_id or 0)
        return server.threads and not missing_permissions(interaction, opening_thread=True)

    async def welcoming_channel(self, interaction: Interaction, in_thread: bool) -> int:
        """Return the channel for a table opened here: this one or, in direct messages, the person's
        own. On a server, make sure that the server wants tables here from this person, and that
        the bot can post here.

        :raises Refused: ``no_direct_messages``, ``channel_not_allowed``, ``role_needed``,
            ``no_thread``, ``bot_may_not``.
        """
        where = context_of(interaction)
        if where is InteractionContext.ELSEWHERE:
            return interaction.channel_id or 0
        if where is InteractionContext.DIRECT or interaction.guild_id is None:
            return await self._own_channel(interaction)
        _require_welcome(interaction, await self.settings.server(interaction.guild_id))
        if in_thread and not isinstance(interaction.channel, discord.TextChannel):
            raise Refused("no_thread")  # only text channels can have such threads
        missing = missing_permissions(interaction, opening_thread=in_thread)
        if missing:
            raise Refused("bot_may_not", missing=missing)
        return interaction.channel_id or 0

    async def _own_channel(self, interaction: Interaction) -> int:
        """Return the channel for direct messages with a person.

        :raises Refused: ``no_direct_messages``.
        """
        person = interaction.user.id
        if not await self.acting.direct.reach(person):
            raise Refused("no_direct_messages")
        channel = (await self.settings.person(person)).dm_channel
        refuse_if(channel is None, "no_direct_messages")
        return channel or 0

    # -- joining and leaving
    @command(
        name_("join"),
        L_("Join a table whose code you know"),
        code=(name_("code"), L_("The code of the table")),
    )
    async def join_by_code(self, interaction: Interaction, code: str) -> None:
        """Join the table with this code: in the lobby, or later in an offered seat."""
        table = await self.acting.table_meant(interaction, code)
        offer = table.offer_to(interaction.user.id)
        if offer is not None and table.direct:
            await self.replies.acknowledge(interaction)
            await self._own_channel(interaction)  # the match continues there
        seat = None if offer is None else offer.seat
        await self._confirm_seat(interaction, await self._sit_down(interaction, table.id, seat))

    @button("join")
    async def join(self, interaction: Interaction, table_id: int) -> None:
        """Join, or accept a rematch."""
        change = await self._sit_down(interaction, table_id)
        table = change.after
        here = interaction.channel_id in (table.channel_id, table.home_id)
        if not here or interaction.user.id in change.before.asked:
            await self._confirm_seat(interaction, change)  # the pressed invitation has been removed

    async def _confirm_seat(self, interaction: Interaction, change: Change[Table]) -> None:
        """Tell a person that they are at a table, with a link to it."""
        told = N_("You are at table {code}: {place}.")
        if interaction.user.id in change.before.asked:
            told = BEGINS if change.after.drawing else N_("You are back at table {code}: {place}.")
        await self._tell_way(interaction, change.after, told)

    async def _sit_down(
        self, interaction: Interaction, table_id: int, seat: int | None = None
    ) -> Change[Table]:
        """Join in the lobby, or take an offered seat. This may start a rematch.

        :raises Refused: whatever ``Tables.join`` or ``_draw`` raises.
        """
        await self.replies.acknowledge(interaction)
        user, number = interaction.user, interaction.id
        command = (
            Join(user.id, user.display_name, interaction_id=number)
            if seat is None
            else TakeSeat(user.id, seat, user.display_name, interaction_id=number)
        )
        change = await self.tables.join(table_id, command)
        if change.after.drawing:
            await self._draw(table_id)
        await warn(self, interaction, change.after)
        await self._advise(interaction, change.after)
        return change

    @table_command(name_("leave"), L_("Leave a table before it starts"))
    @button("leave")
    async def leave(self, interaction: Interaction, table_id: int) -> None:
        """Leave before the start. A host with others at the table is asked for confirmation first,
        because leaving closes the table.
        """
        change = await self._unless_others(interaction, table_id, Leave(interaction.user.id))
        if change is None:
            return
        table, code = change.after, f"`{change.after.row.code}`"
        if interaction.user.id in change.before.asked:
            declined = N_("You have declined the rematch at table {code}.")
            await self.acting.tell(interaction, declined, code=code)
        elif not is_pressed(interaction) or table.direct:  # the person sees no lobby
            await self.acting.tell(interaction, N_("You have left table {code}."), code=code)

    @button("cancel", Acknowledge.PRIVATELY)
    async def cancel(self, interaction: Interaction, table_id: int) -> None:
        """Close a table that has not started; if others are there, ask for confirmation."""
        table = await self.tables.get(table_id)
        manages = may_manage_server(interaction, table.row.guild_id)
        table, what = await self.acting.judged(interaction, table_id, in_lobby(manages))
        if what is Ending.MANAGES:
            person, say = interaction.user.id, self.say(interaction)
            await self.replies.show(interaction, private.end_card(table, person, what, say))
            return
        close = EndTable(interaction.user.id, only_lobby=True)
        if await self._unless_others(interaction, table_id, close) is not None:
            code = f"`{table.row.code}`"
            await self.acting.note(interaction, N_("Table {code} is closed."), code=code)

    async def _unless_others(
        self, interaction: Interaction, table_id: int, command: Command[Table]
    ) -> Change[Table] | None:
        """Carry out a command. If it would close a table where others are, ask for confirmation
        instead.

        :returns: the change; None if the person is being asked.
        """
        try:
            return await self.acting.act(interaction, table_id, command)
        except Refused as refusal:
            if refusal.code != "not_sure":
                raise
        table, person = await self.tables.get(table_id), interaction.user.id
        card = private.end_card(table, person, Ending.CLOSES, self.say(interaction))
        await self.replies.show(interaction, card)
        return None

    @press("computer")
    async def change_computers(self, interaction: Interaction, control: Control) -> None:
        """Add a computer player of the chosen level, or remove the last one."""
        person, level = interaction.user.id, control.argument
        command: Command[Table] = AddComputer(person, level if level in LEVELS else STAND_IN)
        if level == NO_COMPUTER:
            command = RemoveComputer(person)
        await self.acting.act(interaction, control.table, command)

    # -- options
    @press("option")
    async def change_option(self, interaction: Interaction, control: Control) -> None:
        """Apply a menu choice; if it names an option but no value, ask for the value first."""
        table, _ = await self.acting.judged(interaction, control.table, _require_host)
        words, say = self.words_of(table), self.say(interaction)
        draft = draft_of(table)
        key, meant = value_meant(draft, words, control.argument, say)
        if meant is None:
            await self.replies.show(interaction, values_card(draft, words, key, say))
            return
        change = await self.acting.act(
            interaction, table.id, ChangeOptions(interaction.user.id, meant.changes)
        )
        if change.after is change.before:
            await self.acting.tell(interaction, N_("That is already set."))
        elif is_private(interaction):
            what = label_of(words, key, say)
            await self.acting.note(
                interaction, N_("{option}: {value}"), option=what, value=meant.name
            )

    # -- inviting
    @button("guests", Acknowledge.PRIVATELY)
    async def choose_guests(self, interaction: Interaction, table_id: int) -> None:
        """Show a menu of people to invite."""
        table, _ = await self.acting.judged(interaction, table_id, _require_gathering)
        await self.replies.show(interaction, private.guests_card(table, self.say(interaction)))

    @press("invite", Acknowledge.PRIVATELY)
    async def invite_chosen(self, interaction: Interaction, control: Control) -> None:
        """Invite the chosen person."""
        guest = number_in(control.argument)
        await self._invite(interaction, control.table, guest, bot=is_bot(interaction, guest))

    @command(
        name_("invite"),
        L_("Invite somebody to your table"),
        person=(name_("person"), L_("Who should join")),
    )
    async def invite(self, interaction: Interaction, table_id: int, person: discord.User) -> None:
        """Invite a person."""
        await self._invite(interaction, table_id, person.id, bot=person.bot)

    async def _invite(
        self, interaction: Interaction, table_id: int, guest: int, *, bot: bool
    ) -> None:
        """Invite a person to join.

        :param bot: the person is a bot.
        :raises Refused: ``no_bot_guests``, ``too_much_at_once``, or whatever ``Tables.invite``
            raises.
        """
        await self.replies.acknowledge_privately(interaction)
        refuse_if(bot, "no_bot_guests")
        self.acting.allowance.spend(interaction.user.id, Cost.INVITATION)
        invite = Invite(interaction.user.id, guest, interaction_id=interaction.id)
        await self.tables.invite(table_id, invite)
        await self.delivery.bring(table_id)
        await self.acting.note(interaction, N_("<@{guest}> is invited."), guest=guest)

    @button("start")
    async def start(self, interaction: Interaction, table_id: int) -> None:
        """Draw the lots and start the match.

        :raises Refused: whatever ``Start`` or ``_draw`` raises.
        """
        await self.acting.act(interaction, table_id, Start(interaction.user.id))
        await self._draw(table_id)

    async def _draw(self, table_id: int) -> None:
        """Wait until the lots are drawn.

        :raises Refused: ``cannot_draw``, ``cannot_draw_yet``, ``no_direct_messages``.
        """
        failure = await self.delivery.bring(table_id)
        table = await self.tables.get(table_id)
        refuse_if(table.drawing and table.direct, "no_direct_messages")
        if failure is not None:
            code = "cannot_draw" if failure.hinders else "cannot_draw_yet"
            refuse_if(table.drawing, code, place=table.row.channel_id)

    # -- lucky words
    @button("word", Acknowledge.FORM)
    async def ask_for_word(self, interaction: Interaction, table_id: int) -> None:
        """Open the form for a lucky word."""
        table, _ = await self.acting.judged(interaction, table_id, _require_gathering)
        say = self.say(interaction)
        meaning = say("Everyone sees it; it goes into every random draw. Leave empty for no word")
        asked = FormField("word", say("Your lucky word"), meaning, WORD_LIMIT, required=False)
        control = Control(table.id, table.revision, "lucky")
        await self.replies.ask(interaction, Form(control, say("Lucky word"), [asked]))

    @form("lucky")
    async def give_word(
        self, interaction: Interaction, control: Control, written: Mapping[str, str]
    ) -> None:
        """Store a lucky word."""
        command = GiveWord(interaction.user.id, written["word"])
        table = (await self.acting.act(interaction, control.table, command)).after
        word = table.member(interaction.user.id).word
        message = (
            N_("Your lucky word is “{word}”.") if word else N_("You no longer have a lucky word.")
        )
        await self.acting.tell(interaction, message, word=escape(word))

    # -- sending away
    @button("whom", Acknowledge.PRIVATELY)
    async def choose_whom_to_send_away(self, interaction: Interaction, table_id: int) -> None:
        """Show the host a menu of members to send away."""
        table, _ = await self.acting.judged(interaction, table_id, _require_host)
        card = private.send_away_card(table, self.say(interaction))
        if card is None:
            raise Refused("nobody_to_send_away")
        await self.replies.acknowledge_privately(interaction)
        await self.replies.show(interaction, card)

    @press("kick", Acknowledge.PRIVATELY)
    async def send_chosen_away(self, interaction: Interaction, control: Control) -> None:
        """Send away the chosen member."""
        await self._send_away(interaction, control.table, number_in(control.argument))

    @table_command(
        name_("kick"),
        L_("Send somebody away before the start (host only)"),
        person=(name_("person"), L_("Who should leave")),
    )
    async def send_person_away(
        self, interaction: Interaction, table_id: int, person: discord.User
    ) -> None:
        """Send a person away."""
        member = (await self.tables.get(table_id)).member_of(person.id)
        if member is None:
            raise Refused("no_such_member")
        await self._send_away(interaction, table_id, member.number)

    async def _send_away(self, interaction: Interaction, table_id: int, number: int) -> None:
        await self.replies.acknowledge_privately(interaction)
        command = SendAway(interaction.user.id, number)
        before = (await self.acting.act(interaction, table_id, command)).before
        gone = next(member for member in before.members if member.number == number)
        message = N_("{name} has been sent away from the table.")
        await self.acting.note(interaction, message, name=escape(gone.name))

    # -- inside
    async def _show(self, table: Table) -> None:
        """Wait until a new table is visible in its channel; if that fails, close it again.

        :raises Refused: ``cannot_post``.
        """
        if await self.delivery.bring(table.id) is not None:
            close = EndTable(table.row.host_id, only_lobby=True, sure=True)
            await self.tables.act(table.id, close)
            raise Refused("cannot_post", place=table.row.channel_id)

    async def _advise(self, interaction: Interaction, table: Table) -> None:
        """If the game has hidden information and the table is not in a chat, check whether direct
        messages reach the person, store the result, and advise a person whom they do not reach.
        """
        person = interaction.user.id
        if table.chat or not table.game.info.hidden:
            return
        reached = await self.acting.direct.reach(person)
        self.delivery.note_reach(person, reached=reached)
        if reached is table.settings(person).dm_closed:
            await self.tables.tick(table.id)  # the loaded table still has the old settings
        if reached:
            return
        say = self.say(interaction)
        advice = [say(ADVICE), say(REMEDY)] if self._remediable else [say(ADVICE)]
        await self.replies.answer(interaction, " ".join(advice))


def _require_welcome(interaction: Interaction, server: ServerRow) -> None:
    """Make sure the server wants tables here, and from this person.

    :raises Refused: ``channel_not_allowed``, ``role_needed``.
    """
    here = {interaction.channel_id, getattr(interaction.channel, "parent_id", None)}
    if server.channels and not here & set(server.channels):
        raise Refused("channel_not_allowed", channels=server.channels)
    roles = {role.id for role in getattr(interaction.user, "roles", ())}
    opener = server.opener_role
    if opener is not None and opener not in roles and not may_manage(interaction):
        raise Refused("role_needed", role=opener)


def in_lobby(manages: bool) -> Callable[[Table, int], Ending]:
    """Return a function that tells what closing a table that has not started would mean; see
    ``ending``.
    """

    def judge(table: Table, person_id: int) -> Ending:
        table.require_lobby()
        return ending(table, person_id, manages=manages)

    return judge


def _require_host(table: Table, person_id: int) -> None:
    """Make sure the table is in its lobby and the person is the host.

    :raises Refused: ``not_in_lobby``, ``only_host``.
    """
    table.require_lobby()
    if person_id != table.row.host_id:
        raise Refused("only_host")


def _require_gathering(table: Table, person_id: int) -> None:
    """Make sure the lots have not been drawn yet and the person is at the table.

    :raises Refused: ``not_in_lobby``, ``drawing``, ``not_a_member``.
    """
    table.require_gathering()
    table.member(person_id)
