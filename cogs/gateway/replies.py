"""Answers to commands, buttons, menus and forms.

New messages are ephemeral. Every answer works as the first one, for "is thinking", or as one more.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Final

import discord
from discord import ui

from cogs.gateway.cards import Card, Kept, drawn, folded
from cogs.gateway.components import Interaction
from cogs.gateway.emojis import Icons
from cogs.gateway.failures import Failure, Trouble, done, tried
from cogs.gateway.layouts import NO_ICONS, files_of, layout

Content = Card | str
"""A text is shown as it is, without a frame."""

_THINKING: Final = "thinking"
"""Key of an interaction's extras: its first answer has to replace "is thinking"."""

_ANSWERED: Final = "answered"
_SHOWN: Final = "shown"
"""Key of an interaction's extras: Discord has an answer already, though this process knows of none:
it is delivered a second time, or the confirmation of the answer was lost."""

LIFE: Final = 14 * 60.0
"""Seconds for which a token is used; Discord takes it for 15 minutes."""

MOST: Final = 1000
"""How many tokens are held; those of the oldest presses go first."""


class LentTokens:
    """Remembers by which interaction a message can be changed.

    For a quarter of an hour after a press, the message can be changed by the token of the
    interaction, which costs nothing of the bot's own limit.

    :param clock: seconds that never go back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._held: OrderedDict[tuple[int, int], tuple[float, Interaction]] = OrderedDict()
        """By channel and message, those of the oldest presses first."""

    def take(self, interaction: Interaction) -> None:
        """Remember an interaction whose original response is the message that was pressed.

        Private messages are left out: they are never edited but by an answer.
        """
        message = interaction.message
        if message is None or message.flags.ephemeral:
            return
        place = message.channel.id, message.id
        self._held.pop(place, None)
        self._held[place] = self._clock(), interaction
        while len(self._held) > MOST or self._is_old(next(iter(self._held.values()))[0]):
            self._held.popitem(last=False)

    def find(self, channel_id: int, message_id: int) -> Interaction | None:
        """The interaction by which a message can still be changed."""
        taken, interaction = self._held.get((channel_id, message_id), (0.0, None))
        if interaction is None or self._is_old(taken):
            return None
        return interaction

    def drop(self, channel_id: int, message_id: int) -> None:
        """Forget the token of a message."""
        self._held.pop((channel_id, message_id), None)

    def __len__(self) -> int:
        return len(self._held)

    def _is_old(self, taken: float) -> bool:
        return self._clock() - taken >= LIFE


class Replies:
    """Answers interactions; failures are values.

    :param lent: gets the tokens of acknowledged presses.
    :param icons: those that can be shown; they may become more.
    """

    def __init__(self, lent: LentTokens, icons: Icons = NO_ICONS) -> None:
        self._lent = lent
        self._icons = icons

    # -- contents
    async def answer(self, interaction: Interaction, content: Content) -> Failure | None:
        """Tell the person something that only they see; works at any time."""
        card = await drawn(as_card(content))

        async def attempt() -> None:
            if interaction.extras.pop(_THINKING, False):
                await interaction.edit_original_response(**changes(card, icons=self._icons))
                return
            message: dict[str, Any] = {
                "view": layout(card, icons=self._icons),
                "files": files_of(card),
                "ephemeral": True,
                "allowed_mentions": only(()),
            }
            if _is_answered(interaction):
                await interaction.followup.send(**message)
            else:
                await interaction.response.send_message(**message)

        return await tried("answer", attempt, interaction=interaction.id)

    async def announce(self, interaction: Interaction, content: Content) -> Failure | None:
        """Say something that everybody sees who sees the place of the interaction, after an answer
        to the person. It takes one of five messages where the bot is no member.
        """
        card = await drawn(as_card(content))

        async def attempt() -> None:
            await interaction.followup.send(
                view=layout(card, icons=self._icons),
                files=files_of(card),
                ephemeral=False,
                allowed_mentions=only(()),
            )

        return await tried("announce", attempt, interaction=interaction.id)

    async def update(self, interaction: Interaction, content: Content) -> Failure | None:
        """Change the message whose button or menu was used.

        Works as the first answer and after ``defer_update``. After ``defer`` or ``answer`` it would
        change what those have shown instead.
        """
        card = await drawn(as_card(content))

        async def attempt() -> None:
            change = changes(card, icons=self._icons)
            if _is_answered(interaction):
                await interaction.edit_original_response(**change)
            else:
                await interaction.response.edit_message(**change)
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

        async def attempt() -> None:
            await interaction.response.defer(ephemeral=True, thinking=True)
            interaction.extras[_THINKING] = True

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
    return folded(content) if isinstance(content, str) else content


def only(people: Sequence[int]) -> discord.AllowedMentions:
    """Permission to ping these people and no others."""
    return discord.AllowedMentions(
        everyone=False,
        roles=False,
        replied_user=False,
        users=[discord.Object(person) for person in people],
    )


def changes(card: Card, mark: int | None = None, icons: Icons = NO_ICONS) -> dict[str, Any]:
    """What an edit is to change, as discord.py wants it told; good for one call.

    The files of the card replace those of the message, unless it shows what stands there already.
    """
    change: dict[str, Any] = {"view": layout(card, mark, icons), "allowed_mentions": only(())}
    if not any(isinstance(part, Kept) for part in card.parts):
        change["attachments"] = files_of(card)
    return change
