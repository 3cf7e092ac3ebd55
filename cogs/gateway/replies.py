"""Answers to commands, buttons, menus and forms.

New messages are ephemeral. Every answer works as the first one, for "is thinking", or as one more.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypedDict, Unpack

import discord
from discord import ui

from cogs.gateway.cards import Card, Kept, collapsed, with_pictures
from cogs.gateway.components import Interaction
from cogs.gateway.emojis import NO_ICONS, Emojis, Icons
from cogs.gateway.failures import Failure, Trouble, done, tried
from cogs.gateway.layouts import files_of, layout
from cogs.gateway.places import InteractionContext, context_of

Content = Card | str
"""A text is shown as it is, without a frame."""

_THINKING: Final = "thinking"
"""Key of an interaction's extras: its first answer has to replace "is thinking"."""

_FOLLOWED: Final = "followed"
"""Key of an interaction's extras: how many messages have followed its first answer."""

_ANSWERED: Final = "answered"
_SHOWN: Final = "shown"
"""Key of an interaction's extras: Discord has an answer already, though this process knows of none:
it is delivered a second time, or the confirmation of the answer was lost."""

WAIT: Final = "…"
"""What stands for "is thinking" where that cannot be shown."""

LIFE: Final = 14 * 60.0
"""Seconds for which a token is used; Discord takes it for 15 minutes."""

MOST: Final = 1000
"""How many tokens are held; those of the oldest presses go first."""


FOLLOW_UPS: Final = 5
"""Messages that may follow the first answer to an interaction where the bot is no member."""

KEPT_FOR_ANSWERS: Final = 1
"""So many of them are left to what only the person sees."""


@dataclass(frozen=True, slots=True)
class Lent:
    """The token of an interaction, for one message.

    :param taken: when it was lent, in seconds.
    :param followed: the message was posted by the token; else its control was pressed.
    """

    taken: float
    interaction: Interaction
    message_id: int
    followed: bool

    async def edit(self, change: dict[str, Any]) -> None:
        """Change the message as ``edit_arguments`` says."""
        if self.followed:
            await self.interaction.followup.edit_message(self.message_id, **change)
        else:
            await self.interaction.edit_original_response(**change)

    async def delete(self) -> None:
        """Remove the message."""
        if self.followed:
            await self.interaction.followup.delete_message(self.message_id)
        else:
            await self.interaction.delete_original_response()


class LentTokens:
    """Remembers by which interaction a message can be changed, and by which one more can be posted
    where the bot is no member.

    For a quarter of an hour after a press, the message can be changed by the token of the
    interaction, which costs nothing of the bot's own limit.

    :param clock: seconds that never go back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._held: OrderedDict[tuple[int, int], Lent] = OrderedDict()
        """By channel and message, those of the oldest presses first."""
        self._newest: OrderedDict[int, tuple[float, Interaction]] = OrderedDict()
        """By channel the last interaction, the oldest first."""

    def hear(self, interaction: Interaction) -> None:
        """Remember an interaction that has been acknowledged."""
        place = interaction.channel_id or 0
        self._newest.pop(place, None)
        self._newest[place] = self._clock(), interaction
        while len(self._newest) > MOST or self._is_old(next(iter(self._newest.values()))[0]):
            self._newest.popitem(last=False)

    def take(self, interaction: Interaction) -> None:
        """Remember an interaction whose original response is the message that was pressed.

        Private messages are left out: they are never edited but by an answer.
        """
        message = interaction.message
        if message is None or message.flags.ephemeral:
            return
        self._hold(message.channel.id, Lent(self._clock(), interaction, message.id, False))

    def follow(self, interaction: Interaction, message_id: int) -> None:
        """Remember that a message was posted by the token of the last interaction of a channel."""
        place = interaction.channel_id or 0
        taken, newest = self._newest.get(place, (0.0, None))
        if newest is interaction:
            self._hold(place, Lent(taken, interaction, message_id, True))

    def _hold(self, channel_id: int, lent: Lent) -> None:
        place = channel_id, lent.message_id
        self._held.pop(place, None)
        self._held[place] = lent
        while len(self._held) > MOST or self._is_old(next(iter(self._held.values())).taken):
            self._held.popitem(last=False)

    def find(self, channel_id: int, message_id: int) -> Lent | None:
        """By what a message can still be changed."""
        lent = self._held.get((channel_id, message_id))
        return None if lent is None or self._is_old(lent.taken) else lent

    def newest(self, channel_id: int) -> Interaction | None:
        """The interaction that one more message in a channel can follow."""
        taken, interaction = self._newest.get(channel_id, (0.0, None))
        if interaction is None or self._is_old(taken):
            return None
        left = FOLLOW_UPS - KEPT_FOR_ANSWERS - interaction.extras.get(_FOLLOWED, 0)
        return interaction if left > 0 else None

    def drop(self, channel_id: int, message_id: int) -> None:
        """Forget the token of a message."""
        self._held.pop((channel_id, message_id), None)

    def spend(self, channel_id: int) -> None:
        """Post no more by the last interaction of a channel."""
        self._newest.pop(channel_id, None)

    def __len__(self) -> int:
        return len(self._held)

    def _is_old(self, taken: float) -> bool:
        return self._clock() - taken >= LIFE


def note_follow_up(interaction: Interaction) -> None:
    """Count a message that follows the first answer to an interaction."""
    interaction.extras[_FOLLOWED] = interaction.extras.get(_FOLLOWED, 0) + 1


class Replies:
    """Answers interactions; failures are values.

    :param lent: gets the tokens of acknowledged presses.
    :param emojis: those that can be shown.
    """

    def __init__(self, lent: LentTokens, emojis: Emojis) -> None:
        self._lent = lent
        self._emojis = emojis

    # -- contents
    async def answer(self, interaction: Interaction, content: Content) -> Failure | None:
        """Tell the person something that only they see; works at any time."""
        card = await with_pictures(as_card(content))

        async def attempt() -> None:
            if interaction.extras.pop(_THINKING, False):
                edit = interaction.edit_original_response
                await self._emojis.sent(lambda icons: edit(**edit_arguments(card, icons=icons)))
                return
            answered = _is_answered(interaction)
            post: Callable[..., Awaitable[object]] = (
                interaction.followup.send if answered else interaction.response.send_message
            )
            if answered:
                note_follow_up(interaction)
            await self._emojis.sent(lambda icons: post(**new_message(card, icons), ephemeral=True))
            if not answered:
                self._lent.hear(interaction)

        return await tried("answer", attempt, interaction=interaction.id)

    async def update(self, interaction: Interaction, content: Content) -> Failure | None:
        """Change the message whose button or menu was used.

        Works as the first answer and after ``defer_update``. After ``defer`` or ``answer`` it would
        change what those have shown instead.
        """
        card = await with_pictures(as_card(content))

        async def attempt() -> None:
            answered = _is_answered(interaction)
            edit: Callable[..., Awaitable[object]] = (
                interaction.edit_original_response
                if answered
                else interaction.response.edit_message
            )
            await self._emojis.sent(lambda icons: edit(**edit_arguments(card, icons=icons)))
            if not answered:
                self._lent.hear(interaction)
                self._lent.take(interaction)

        return await tried("update", attempt, interaction=interaction.id)

    async def show(self, interaction: Interaction, content: Content) -> Failure | None:
        """Show the person something, in place of the private message that was pressed, or of what
        has been shown already.
        """
        in_place = is_private(interaction) or interaction.extras.get(_SHOWN, False)
        interaction.extras[_SHOWN] = True
        return await (self.update if in_place else self.answer)(interaction, content)

    async def ask(self, interaction: Interaction, form: ui.Modal) -> Failure | None:
        """Open a form; only possible as the first answer to a command or a button."""
        call = interaction.response.send_modal
        return await tried("ask", lambda: done(call(form)), interaction=interaction.id)

    async def discard(self, interaction: Interaction) -> Failure | None:
        """Remove the private message whose button was pressed, after ``defer_update``."""
        return await tried(
            "discard", interaction.delete_original_response, interaction=interaction.id
        )

    # -- acknowledging; what is acknowledged already stays so
    async def defer(self, interaction: Interaction) -> Failure | None:
        """Gain time for an ``answer``: the person alone sees that the bot is thinking."""
        if _is_answered(interaction):
            return None
        elsewhere = context_of(interaction) is InteractionContext.ELSEWHERE
        if elsewhere and interaction.message is not None and not is_private(interaction):
            return await self.defer_update(interaction)  # it lends the token for the message

        async def attempt() -> None:
            if elsewhere:
                # What all see must not take the place of "is thinking", as what follows it would.
                wait = layout(as_card(WAIT))
                await interaction.response.send_message(view=wait, ephemeral=True)
            else:
                await interaction.response.defer(ephemeral=True, thinking=True)
            interaction.extras[_THINKING] = True
            self._lent.hear(interaction)

        failure = await tried("defer", attempt, interaction=interaction.id)
        if _note_answered(interaction, failure):
            interaction.extras[_THINKING] = True
        return failure

    async def defer_update(self, interaction: Interaction) -> Failure | None:
        """Gain time for an ``update``, or acknowledge a button without a word."""
        if _is_answered(interaction):
            return None

        async def attempt() -> None:
            await interaction.response.defer()
            self._lent.hear(interaction)
            self._lent.take(interaction)

        failure = await tried("defer_update", attempt, interaction=interaction.id)
        _note_answered(interaction, failure)
        return failure

    async def acknowledge(self, interaction: Interaction) -> Failure | None:
        """Gain time, whether a command was typed or a button pressed."""
        gain = self.defer_update if is_pressed(interaction) else self.defer
        return await gain(interaction)

    async def acknowledge_privately(self, interaction: Interaction) -> Failure | None:
        """Gain time for ``show``, which takes no other acknowledgement."""
        gain = self.defer_update if is_private(interaction) else self.defer
        return await gain(interaction)


def _is_answered(interaction: Interaction) -> bool:
    return interaction.response.is_done() or interaction.extras.get(_ANSWERED, False)


def _note_answered(interaction: Interaction, failure: Failure | None) -> bool:
    """Remember if an acknowledgement was refused because there is one: what follows builds on it.

    :returns: whether that is so.
    """
    if failure is None or failure.trouble is not Trouble.ANSWERED:
        return False
    interaction.extras[_ANSWERED] = True
    return True


def is_pressed(interaction: Interaction) -> bool:
    """Whether a button or menu was used, not a command typed."""
    return interaction.type is discord.InteractionType.component


def is_private(interaction: Interaction) -> bool:
    """Whether the pressed message is one that only this person sees, made for one choice."""
    return interaction.message is not None and interaction.message.flags.ephemeral


# ----------------------------------------------------------------------------- messages
def as_card(content: Content) -> Card:
    """A text as a card of its own."""
    return collapsed(content) if isinstance(content, str) else content


def only(people: Sequence[int]) -> discord.AllowedMentions:
    """Permission to ping these people and no others."""
    return discord.AllowedMentions(
        everyone=False,
        roles=False,
        replied_user=False,
        users=[discord.Object(person) for person in people],
    )


class Posting(TypedDict, total=False):
    """How a message is posted.

    :param nonce: up to 25 characters; Discord answers a repeated post of the last few minutes with
        the message that it already has.
    :param pings: the people whom the message may ping, if it names them.
    :param mark: from 1 to 2**31 - 1; ``Gateway.find`` knows the message by it again.
    :param silent: it does not sound or vibrate.
    """

    nonce: str | None
    pings: Sequence[int]
    mark: int | None
    silent: bool


def new_message(card: Card, icons: Icons = NO_ICONS, **how: Unpack[Posting]) -> dict[str, Any]:
    """What a new message is to hold, as discord.py wants it told; good for one call.

    Its nonce is left out: interactions have none.
    """
    return {
        "view": layout(card, how.get("mark"), icons),
        "files": files_of(card),
        "allowed_mentions": only(how.get("pings", ())),
        "silent": how.get("silent", False),
    }


def edit_arguments(card: Card, mark: int | None = None, icons: Icons = NO_ICONS) -> dict[str, Any]:
    """What an edit is to change, as discord.py wants it told; good for one call.

    The files of the card replace those of the message, unless it shows what stands there already.
    """
    change: dict[str, Any] = {"view": layout(card, mark, icons), "allowed_mentions": only(())}
    if not any(isinstance(part, Kept) for part in card.parts):
        change["attachments"] = files_of(card)
    return change
