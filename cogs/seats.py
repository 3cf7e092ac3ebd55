"""Seats that change hands: sending away from the lobby, handing over, taking, coming back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from cogs import actions, board, consent
from cogs.actions import Interaction
from cogs.controls import Control, Pick, Press
from cogs.door import Posted, escape
from cogs.votes import Motion
from data.store import MessageRow
from data.texts import Texts, texts
from data.votes import VoteRow
from play import seats
from play.table import Refused, Table
from play.votes import YES

if TYPE_CHECKING:
    from cogs.tafelrunde import Tafelrunde


# ----------------------------------------------------------------------------- the lobby
async def choose_whom_to_send_away(interaction: Interaction, table_id: int) -> None:
    """Show the host who could be sent away."""
    bot = interaction.client
    table = await bot.tables.get(table_id)
    table.require_lobby()
    if interaction.user.id != table.row.host_id:
        raise Refused("only_host")
    say = bot.say(interaction)
    options = [
        discord.SelectOption(label=member.name[:100], value=str(member.number))
        for member in table.members
        if member.person_id != table.row.host_id
    ]
    if not options:
        raise Refused("nobody_to_send_away")
    menu = Pick(Control(table.id, 0, "kick", "0"), say("Who shall leave?"), options)
    text = say("Whoever you send away cannot join this table again.")
    await actions.acknowledge_privately(interaction)
    await actions.show_privately(interaction, board.menus_view(text, [menu]), [])


async def send_away(interaction: Interaction, control: Control) -> None:
    """Send the chosen member away."""
    await actions.acknowledge_privately(interaction)
    await _send_away(interaction, control.table, int(control.argument))


async def send_person_away(
    interaction: Interaction, table_id: int, person: discord.abc.User
) -> None:
    """Send a person away."""
    bot = interaction.client
    await bot.door.defer(interaction)
    table = await bot.tables.get(table_id)
    member = table.member_of(person.id)
    if member is None:
        raise Refused("no_such_member")
    await _send_away(interaction, table_id, member.number)


async def _send_away(interaction: Interaction, table_id: int, number: int) -> None:
    bot = interaction.client
    before = await bot.tables.get(table_id)
    table = await seats.send_away(bot.tables, table_id, interaction.user.id, number)
    await bot.herald.show_lobby(table.id)
    gone = next(m for m in before.members if m.number == number)
    say = bot.say(interaction)
    text = say("{name} is not at the table any more.", name=escape(gone.name))
    await actions.show_privately(interaction, board.note_view(text), [])


# ------------------------------------------------------------------------- changing hands
class ReplaceMotion(Motion):
    """May a seat be offered to somebody else?"""

    kind = "replace"

    def __init__(self, bot: Tafelrunde) -> None:
        self._bot = bot

    def question(self, vote: VoteRow, table: Table, say: Texts) -> str:
        """Which seat, to whom, and how many it takes."""
        seat = board.player_name(table, vote.seat or 0)
        newcomer = vote.subject["to"]
        who = say("whoever comes first") if newcomer is None else f"<@{newcomer}>"
        return say(
            "The seat of {seat} shall be offered to {who}, who would go on in that position and"
            " get its result. That takes {needed} of the {total} who play.",
            seat=seat,
            who=who,
            needed=len(vote.answers) // 2 + 1,
            total=len(vote.answers),
        )

    def outcome(self, vote: VoteRow, table: Table, say: Texts) -> str:
        """Whether it is offered."""
        if vote.decision == YES:
            return say("Enough have agreed: the seat is offered.")
        return say("Not enough have agreed: the seat is not offered.")

    async def carry_out(self, vote: VoteRow, table: Table) -> None:
        """Offer the seat."""
        if vote.decision == YES:
            if seats.replacing_is_overtaken(vote, table):
                raise Refused("overtaken")
            await offer(self._bot, table, vote.seat or 0, vote.subject["to"])

    def lapsed(self, vote: VoteRow, table: Table) -> bool:
        """Overtaken when the seat has changed hands otherwise."""
        return seats.replacing_is_overtaken(vote, table)


async def replace(
    interaction: Interaction,
    table_id: int,
    newcomer: discord.abc.User | None = None,
    seat: int | None = None,
) -> None:
    """Offer one's own seat, or one that a computer player keeps, or ask the others for it.

    :param seat: counted from 0; None: the own.
    """
    bot = interaction.client
    await actions.acknowledge(interaction)
    table = await bot.tables.get(table_id)
    if seat is not None and not 0 <= seat < len(table.members):
        raise Refused("no_such_member")
    if newcomer is not None and newcomer.bot:
        raise Refused("bots_do_not_play")
    to = None if newcomer is None else newcomer.id
    question = seats.replace_question(table, interaction.user.id, seat, to)
    if question is not None:
        await consent.ask(interaction, table, question)
        return
    own = table.seat_to_move(interaction.user.id)
    await offer(bot, table, own if seat is None else seat, to)
    await bot.door.answer(interaction, bot.say(interaction)("The seat is offered."))


async def offer(bot: Tafelrunde, table: Table, seat: int, newcomer: int | None = None) -> None:
    """Offer a seat in the channel, to one person or to whoever comes first.

    Whether that is right, the players or the pace of the table have decided before.

    :raises Refused: ``table_over``, ``not_started``.
    """
    table = await seats.offer(bot.tables, table.id, seat, newcomer)
    say = texts(table.row.language)
    name = board.player_name(table, seat)
    if newcomer is None:
        text = say("The seat of {name} is free for whoever wants to go on in it.", name=name)
    else:
        text = say("<@{person}>, will you go on in the seat of {name}?", person=newcomer, name=name)
    button = Press(
        Control(table.id, 0, "take", str(seat)), say("Take the seat"), discord.ButtonStyle.primary
    )
    view = board.buttons_view(f"`{table.row.code}` · {text}", [button])
    mentions = [] if newcomer is None else [newcomer]
    await _close_offer(bot, table, seat)
    posted = await bot.door.post(table.row.channel_id, view, mentions=mentions)
    if isinstance(posted, Posted):
        place = (posted.channel_id, posted.message_id)
        await bot.store.remember_message(MessageRow(table.id, _kind(seat), *place))


async def take(interaction: Interaction, control: Control) -> None:
    """Sit down on an offered seat."""
    bot = interaction.client
    await bot.door.defer_update(interaction)
    user, seat = interaction.user, int(control.argument)
    table, before = await seats.take(bot.tables, control.table, seat, user.id, user.display_name)
    if before is not None:
        await bot.hands.close(table, before)
    say = texts(table.row.language)
    text = say("{name} goes on in this seat.", name=board.player_name(table, seat))
    await _close_offer(bot, table, seat, text)
    await bot.herald.refresh(table.id)


async def come_back(interaction: Interaction, table_id: int) -> None:
    """Play again in the own seat, which a computer player has kept."""
    bot = interaction.client
    await actions.acknowledge(interaction)
    table = await seats.come_back(bot.tables, table_id, interaction.user.id)
    await bot.door.answer(interaction, bot.say(interaction)("Welcome back: your seat is yours."))
    await _close_offer(bot, table, table.seat_to_move(interaction.user.id))
    await bot.herald.refresh(table_id)


async def _close_offer(bot: Tafelrunde, table: Table, seat: int, text: str = "") -> None:
    """Take the button off the offers of a seat that stand in the channel."""
    say = texts(table.row.language)
    text = text or say("This seat is not offered any more.")
    for message in await bot.store.messages(table.id, _kind(seat)):
        view = board.note_view(f"`{table.row.code}` · {text}")
        await bot.door.edit(message.channel_id, message.message_id, view)
        await bot.store.forget_message(message.message_id)


def _kind(seat: int) -> str:
    """Under which kind the message that offers a seat is remembered."""
    return f"offer.{seat}"


async def setup(bot: Tafelrunde) -> None:
    """Make the question and the buttons known."""
    bot.ballots.register(ReplaceMotion(bot))
    bot.presses |= {
        "whom": actions.on_table(choose_whom_to_send_away),
        "kick": send_away,
        "replace": actions.on_table(replace),
        "take": take,
        "back": actions.on_table(come_back),
    }
