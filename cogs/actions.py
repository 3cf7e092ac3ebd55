"""What people can do at a table, one function for each, for commands and buttons alike.

Each acknowledges the interaction first, calls a use case, and lets the herald tell the channel.
A refusal is raised here and answered in one place, ``Tafelrunde.attempt``.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import discord

from cogs import board
from cogs.controls import Control
from cogs.door import Attachment, fenced, missing_permissions
from cogs.words import ASK_ON
from data.store import Status
from games.players import LEVELS
from play.computers import STAND_IN, WEAKEST
from play.table import Played, Refused, Table
from render.scene import Picture

if TYPE_CHECKING:
    from cogs.tafelrunde import Tafelrunde

Interaction: TypeAlias = "discord.Interaction[Tafelrunde]"

COMPUTER_NAMES = (
    *("Merlin", "Morgana", "Gawain", "Nimue", "Parzival"),
    *("Enid", "Iwein", "Laudine", "Tristan", "Viviane"),
)
"""What computer players are called, in order of coming to a table: more than there are seats, so
that one is left if people are called like them.
"""

LONGEST_TEXT = 3900
"""Characters of a text that still fits into a message with its frame."""


# ------------------------------------------------------------------------------- lobby
async def open_table(
    interaction: Interaction,
    game_id: str,
    options: Mapping[str, Any],
    wanted_players: int | None,
    in_thread: bool,
) -> None:
    """Open a lobby in the channel, or in a thread of its own."""
    bot = interaction.client
    await bot.door.defer(interaction)
    place = await welcoming_channel(interaction, in_thread)
    say = await bot.server_texts(interaction)
    person, guild = interaction.user, interaction.guild_id
    if in_thread:
        # A thread would stay behind, were the table refused afterwards.
        await bot.tables.check_opening(game_id, person.id, guild, options, wanted_players)
        place = await bot.herald.open_thread(place, say(bot.words[game_id].title))
    table = await bot.tables.open(
        game_id,
        guild_id=guild,
        channel_id=place,
        host_id=person.id,
        host_name=person.display_name,
        language=say.language,
        options=options,
        wanted_players=wanted_players,
    )
    await bot.herald.show_lobby(table.id)
    await bot.door.answer(
        interaction,
        bot.say(interaction)(
            "Your table {code} is open: <#{place}>. Start it when everybody is there.",
            code=f"`{table.row.code}`",
            place=place,
        ),
    )
    await bot.hands.advise(interaction, table)


async def join(interaction: Interaction, table_id: int) -> None:
    """Sit down."""
    bot = interaction.client
    await bot.door.defer_update(interaction)
    table = await bot.tables.join(table_id, interaction.user.id, interaction.user.display_name)
    await bot.herald.show_lobby(table.id)
    await bot.hands.advise(interaction, table)


async def leave(interaction: Interaction, table_id: int) -> None:
    """Stand up before the start."""
    bot = interaction.client
    await acknowledge(interaction)
    table = await bot.tables.leave_lobby(table_id, interaction.user.id)
    await bot.herald.show_lobby(table.id)
    if not _pressed(interaction):
        say = bot.say(interaction)
        text = say("You have left table {code}.", code=f"`{table.row.code}`")
        await bot.door.answer(interaction, text)


async def cancel(interaction: Interaction, table_id: int) -> None:
    """Close a table that has not started."""
    bot = interaction.client
    await bot.door.defer_update(interaction)
    table = await bot.tables.get(table_id)
    if table.row.status is not Status.LOBBY:
        raise Refused("not_in_lobby")
    managed = may_manage_table(interaction, table)
    await bot.tables.end(table_id, interaction.user.id, managed)
    await bot.herald.show_lobby(table_id)


async def add_computer(interaction: Interaction, control: Control) -> None:
    """Let a computer player of the chosen level sit down."""
    bot = interaction.client
    await bot.door.defer_update(interaction)
    level = control.argument if control.argument in LEVELS else WEAKEST
    await bot.tables.add_computer(control.table, interaction.user.id, COMPUTER_NAMES, level)
    await bot.herald.show_lobby(control.table)


async def remove_computer(interaction: Interaction, table_id: int) -> None:
    """Send the computer player that came last away."""
    bot = interaction.client
    await bot.door.defer_update(interaction)
    await bot.tables.remove_computer(table_id, interaction.user.id)
    await bot.herald.show_lobby(table_id)


async def start(interaction: Interaction, table_id: int) -> None:
    """Begin the match."""
    bot = interaction.client
    await bot.door.defer_update(interaction)
    await bot.tables.start(table_id, interaction.user.id, interaction.id)
    await bot.herald.announce(table_id)


async def rematch(interaction: Interaction, table_id: int) -> None:
    """Open another table like this one in the same place, or join it if somebody has done so."""
    bot = interaction.client
    table = await bot.tables.get(table_id)
    if table.member_of(interaction.user.id) is None:
        raise Refused("not_a_member")
    newest = await bot.tables.in_channel(table.row.channel_id)
    if newest.row.status is Status.LOBBY and newest.row.game == table.row.game:
        await join(interaction, newest.id)
    else:
        # As many as before, because some options depend on the number of players.
        await open_table(
            interaction, table.row.game, table.row.options, len(table.members), in_thread=False
        )


# ------------------------------------------------------------------------------- moves
async def go(interaction: Interaction, control: Control) -> None:
    """Follow a choice: play it if it is a whole move, else ask for the rest of it."""
    bot = interaction.client
    table = await bot.tables.get(control.table)
    seat = table.own_seat(interaction.user.id)
    match = table.played
    if seat not in table.awaited:
        raise Refused("not_your_turn") if table.running else Refused("table_over")
    if control.undos != table.row.undos or control.ply < match.opened(seat):
        raise Refused("stale")
    chosen = control.argument.removesuffix(ASK_ON)
    if chosen == control.argument and chosen in match.game.legal(match.state, seat):
        await play(interaction, control.table, [chosen], control)
    else:
        await _ask_on(interaction, table, seat, chosen)


async def play(
    interaction: Interaction, table_id: int, texts: Sequence[str], seen: Control | None = None
) -> None:
    """Play one or more moves in a row and tell the channel.

    :param seen: what was pressed; None: the moves were typed, and count wherever the match stands.
    """
    bot = interaction.client
    pressed = _pressed(interaction)
    await acknowledge(interaction)
    await bot.herald.catch_up_with(table_id)
    played = await bot.tables.move(
        table_id,
        interaction.user.id,
        texts,
        seen_ply=None if seen is None else seen.ply,
        seen_undos=seen.undos if seen else 0,
        interaction_id=interaction.id,
    )
    failure = await bot.herald.announce(table_id)
    if failure is not None:
        await bot.door.answer(interaction, _untold(interaction))
    elif not pressed:
        await bot.door.answer(interaction, _done(interaction, played))
    elif is_private(interaction):
        await _close_or_continue(interaction, played)


async def _ask_on(interaction: Interaction, table: Table, seat: int, prefix: str) -> None:
    bot = interaction.client
    match = table.played
    if not any(move.startswith(prefix) for move in match.game.legal(match.state, seat)):
        raise Refused("stale")
    await acknowledge_privately(interaction)
    say = bot.say(interaction)
    picture = await bot.herald.focus_picture(table, seat, prefix, say)
    view = board.menu_view(table, bot.words_of(table), say, seat, prefix, picture)
    await show_privately(interaction, view, [picture] if picture else [])


async def _close_or_continue(interaction: Interaction, played: Played) -> None:
    """Replace the private menu by the next one, or by the choice that is sealed until all are in;
    if the turn is over, the board says it all.
    """
    table = played.table
    seat = table.seat_of(interaction.user.id)
    sealed = table.game.info.simultaneous and table.running
    if seat is None or (seat not in table.awaited and not sealed):
        await interaction.client.door.discard(interaction)
    elif table.game.info.hidden:
        await show_hand(interaction, table, seat)
    else:
        say = interaction.client.say(interaction)
        words = interaction.client.words_of(table)
        await show_privately(interaction, board.menu_view(table, words, say, seat, ""), [])


def _untold(interaction: Interaction) -> str:
    say = interaction.client.say(interaction)
    return say(
        "Your move counts, but I could not post the board. If I may not write in this channel any"
        " more, please ask somebody who manages the server; nothing is lost."
    )


def _done(interaction: Interaction, played: Played) -> str:
    """What the person has just played, in words."""
    bot = interaction.client
    say = bot.say(interaction)
    table = played.table
    names = board.safe_names(table)
    own = [step.event for step in played.steps if step.event.seat == played.steps[0].event.seat]
    moves = [bot.words_of(table).move_in_words(event.move, names, say) for event in own]
    return say("Done: {moves}.", moves=say.list(moves))


# ----------------------------------------------------------------------------- looking
async def where(interaction: Interaction, table_id: int) -> None:
    """Show the legal moves on the board, to the person alone."""
    bot = interaction.client
    table = await bot.tables.get(table_id)
    seat = table.own_seat(interaction.user.id)
    if seat not in table.awaited:
        raise Refused("not_your_turn")
    await bot.door.defer(interaction)
    say = bot.say(interaction)
    picture = await bot.herald.focus_picture(table, seat, "", say)
    view = board.menu_view(table, bot.words_of(table), say, seat, "", picture)
    await show_privately(interaction, view, [picture] if picture else [])


async def hand(interaction: Interaction, table_id: int) -> None:
    """Show the person's private hand, to the person alone."""
    bot = interaction.client
    table = await bot.tables.get(table_id)
    seat = table.own_seat(interaction.user.id)
    await bot.door.defer(interaction)
    if not table.game.info.hidden:
        raise Refused("no_hands")
    await show_hand(interaction, table, seat)


async def show_hand(interaction: Interaction, table: Table, seat: int) -> None:
    """Put the private hand where only this person sees it."""
    bot = interaction.client
    say = bot.say(interaction)
    pictures = await bot.herald.hand_pictures(table, seat, say)
    view = board.hand_view(table, bot.words_of(table), say, seat, pictures, None)
    await show_privately(interaction, view, pictures)


async def text(interaction: Interaction, table_id: int) -> None:
    """Give the whole position in words, to the person alone."""
    bot = interaction.client
    table = await bot.tables.get(table_id)
    await bot.door.defer(interaction)
    say = bot.say(interaction)
    await _answer_long(
        interaction, bot.herald.position_text(table, table.seat_of(interaction.user.id), say)
    )


async def show(interaction: Interaction, table_id: int) -> None:
    """Show the table as it stands, to the person alone."""
    bot = interaction.client
    table = await bot.tables.get(table_id)
    await bot.door.defer(interaction)
    say = bot.say(interaction)
    pictures, story = await bot.herald.news(table, table.seat_of(interaction.user.id), say)
    view = board.board_view(table, bot.words_of(table), say, pictures, story)
    await show_privately(interaction, view, pictures)


async def look_closer(interaction: Interaction, control: Control) -> None:
    """Show a part of the table enlarged, to begin with the person's own one."""
    table = await interaction.client.tables.get(control.table)
    await acknowledge_privately(interaction)
    await show_close_up(interaction, table, int(control.argument) if control.argument else None)


async def show_close_up(interaction: Interaction, table: Table, part: int | None) -> None:
    """Show a part of the table enlarged, and the way to the others.

    :param part: its number, see ``GameWords.parts``; None: the one that the person sees first.
    """
    bot = interaction.client
    words, say = bot.words_of(table), bot.say(interaction)
    shown = words.own_part(table.seat_of(interaction.user.id)) if part is None else part
    picture = await bot.herald.close_up_picture(table, shown, say)
    if picture is not None:
        parts = words.parts(table.played.view(None), table.names, say)
        view = board.close_up_view(table, parts, shown, picture)
        await show_privately(interaction, view, [picture])


async def rules(interaction: Interaction, game_id: str) -> None:
    """Explain a game in our own words, to the person alone."""
    bot = interaction.client
    await bot.door.answer(interaction, bot.words[game_id].rules(bot.say(interaction)))


async def rules_of_table(interaction: Interaction, table_id: int) -> None:
    """Explain the game of a table."""
    table = await interaction.client.tables.get(table_id)
    await rules(interaction, table.row.game)


async def log(interaction: Interaction, table_id: int) -> None:
    """List the moves so far as this person may know them, the latest last."""
    bot = interaction.client
    table = await bot.tables.get(table_id)
    await bot.door.defer(interaction)
    seat = table.seat_of(interaction.user.id)
    await _answer_long(interaction, await bot.herald.log_text(table, seat, bot.say(interaction)))


# ------------------------------------------------------------------------------ ending
async def resign(interaction: Interaction, table_id: int) -> None:
    """Give up a match."""
    bot = interaction.client
    await bot.door.defer(interaction)
    table = await bot.tables.resign(table_id, interaction.user.id, STAND_IN)
    await bot.door.answer(interaction, bot.say(interaction)("You have resigned."))
    await bot.herald.tell_resigned(table, interaction.user.id)


async def end(interaction: Interaction, table_id: int) -> None:
    """Stop a table without a result."""
    bot = interaction.client
    await bot.door.defer(interaction)
    managed = may_manage_table(interaction, await bot.tables.get(table_id))
    table = await bot.tables.end(table_id, interaction.user.id, managed)
    await bot.herald.tell_ended(table)
    await bot.door.answer(
        interaction,
        bot.say(interaction)("Table {code} has ended.", code=f"`{table.row.code}`"),
    )


# ------------------------------------------------------------------------------- inside
def may_manage(interaction: Interaction) -> bool:
    """Whether the person may manage the server in which this happens."""
    return interaction.guild_id is not None and interaction.permissions.manage_guild


def may_manage_table(interaction: Interaction, table: Table) -> bool:
    """Whether the person may manage the table's server, and acts there: what anybody may do on
    another server gives no right over this one.
    """
    return table.row.guild_id == interaction.guild_id and may_manage(interaction)


def attached(pictures: Sequence[Picture]) -> list[Attachment]:
    """Pictures as files of a message."""
    return [Attachment(picture.name, picture.png, picture.alt) for picture in pictures]


def is_private(interaction: Interaction) -> bool:
    """Whether the pressed message is one that only this person sees, made for one choice."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def _pressed(interaction: Interaction) -> bool:
    """Whether a button or menu was pressed, not a command typed."""
    return interaction.type is discord.InteractionType.component


async def acknowledge(interaction: Interaction) -> None:
    """Gain time, whether a command was typed or a button pressed."""
    door = interaction.client.door
    if _pressed(interaction):
        await door.defer_update(interaction)
    else:
        await door.defer(interaction)


async def acknowledge_privately(interaction: Interaction) -> None:
    """Acknowledge: change a private message in place, answer a public one with a new private."""
    door = interaction.client.door
    if is_private(interaction):
        await door.defer_update(interaction)
    else:
        await door.defer(interaction)


async def show_privately(
    interaction: Interaction, view: discord.ui.LayoutView, pictures: Sequence[Picture]
) -> None:
    """Put a view where only this person sees it, in place of the one that was pressed there."""
    door = interaction.client.door
    if is_private(interaction):
        await door.update(interaction, view, attached(pictures))
    else:
        await door.answer(interaction, view, attached(pictures))


async def _answer_long(interaction: Interaction, text: str) -> None:
    """Answer with a monospaced text of any length; a long one goes along as a file."""
    door = interaction.client.door
    if len(text) <= LONGEST_TEXT:
        await door.answer(interaction, fenced(text))
    else:
        file = Attachment("table.txt", text.encode())
        await door.answer(interaction, board.file_view(file.name), [file])


async def welcoming_channel(interaction: Interaction, in_thread: bool) -> int:
    """The channel, if the server wants tables there and the bot can post.

    :raises Refused: ``only_in_servers``, ``channel_not_allowed``, ``role_needed``,
        ``no_thread``, ``bot_may_not``.
    """
    bot = interaction.client
    if interaction.guild_id is None or interaction.channel_id is None:
        raise Refused("only_in_servers")
    server = await bot.store.server(interaction.guild_id)
    channel = interaction.channel
    here = {interaction.channel_id, getattr(channel, "parent_id", None)}
    if server.channels and not here & set(server.channels):
        raise Refused("channel_not_allowed", channels=server.channels)
    roles = {role.id for role in getattr(interaction.user, "roles", ())}
    opener = server.opener_role
    if opener is not None and opener not in roles and not may_manage(interaction):
        raise Refused("role_needed", role=opener)
    if in_thread and not isinstance(channel, discord.TextChannel):
        raise Refused("no_thread")  # threads and the chats of voice channels have none
    missing = missing_permissions(interaction, opening_thread=in_thread)
    if missing:
        raise Refused("bot_may_not", missing=missing)
    return interaction.channel_id


# ------------------------------------------------------------------------------ presses
OnPress = Callable[[Interaction, Control], Coroutine[Any, Any, None]]
"""What a verb of a control does; cogs add theirs to ``bot.presses``."""


def on_table(action: Callable[[Interaction, int], Coroutine[Any, Any, None]]) -> OnPress:
    """A button that does something at its table, whatever else its control says."""

    async def press(interaction: Interaction, control: Control) -> None:
        await action(interaction, control.table)

    return press


PRESSES: Mapping[str, OnPress] = {
    "join": on_table(join),
    "leave": on_table(leave),
    "cancel": on_table(cancel),
    "computer": add_computer,
    "nocomputer": on_table(remove_computer),
    "start": on_table(start),
    "rematch": on_table(rematch),
    "rules": on_table(rules_of_table),
    "hand": on_table(hand),
    "where": on_table(where),
    "text": on_table(text),
    "look": look_closer,
    "go": go,
}
"""What each verb of a control does."""
