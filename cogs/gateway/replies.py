"""Answers to commands, buttons, menus and forms.

New messages are ephemeral. An answer can be the first one, replace "is thinking", or follow earlier
answers.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
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

PATIENCE: Final = 0.25
"""Seconds that a press may wait for its answer; after that, it is acknowledged without one."""

CROWD: Final = 8
"""If more presses than this are waiting for their answers, all are acknowledged at once, because
they are holding each other up.
"""

Content = Card | str
"""The content of a message; plain text is shown without a border."""

_THINKING: Final = "thinking"
"""Key in an interaction's extras: the first answer has to replace "is thinking"."""

_FOLLOWED: Final = "followed"
"""Key in an interaction's extras: the number of messages that followed the first answer."""

_ANSWERED: Final = "answered"
_SHOWN: Final = "shown"
_FIRST: Final = "first"
"""Keys in an interaction's extras. ``_ANSWERED``: Discord already has an answer that this process
does not know about, because the interaction was delivered twice or the confirmation was lost.
``_SHOWN``: ``show`` has already shown something. ``_FIRST``: the lock that lets only one answer be
the first.
"""

WAIT: Final = "…"
"""Sent instead of "is thinking" where Discord does not allow that."""

LIFE: Final = 14 * 60.0
"""The bot uses a token for this many seconds; Discord accepts it for 15 minutes."""

MOST: Final = 1000
"""How many tokens are kept; the oldest are dropped first."""


FOLLOW_UPS: Final = 5
"""How many messages may follow the first answer where the bot is not a member."""

KEPT_FOR_ANSWERS: Final = 1
"""How many of the ``FOLLOW_UPS`` are reserved for messages that only the person sees."""


@dataclass(frozen=True, slots=True)
class Lent:
    """The token of an interaction, used for one message.

    :param taken: when it was stored, in monotonic seconds.
    :param followed: True: the token posted the message. False: it comes from a press on the
        message.
    """

    taken: float
    interaction: Interaction
    message_id: int
    followed: bool

    async def edit(self, change: dict[str, Any]) -> None:
        """Change the message. If the press has no answer yet, this is its answer.

        :param change: made by ``edit_arguments``.
        """
        answer = self.interaction.response.edit_message
        if self.followed:
            await self.interaction.followup.edit_message(self.message_id, **change)
        elif not await answered_first(self.interaction, lambda: answer(**change)):
            await self.interaction.edit_original_response(**change)

    async def delete(self) -> None:
        """Delete the message. If the press has no answer yet, acknowledge it first."""
        if self.followed:
            await self.interaction.followup.delete_message(self.message_id)
            return
        await answered_first(self.interaction, self.interaction.response.defer)
        await self.interaction.delete_original_response()


async def answered_first(interaction: Interaction, answer: Callable[[], Awaitable[object]]) -> bool:
    """Send the first answer to an interaction, unless it has one.

    :returns: whether this was the first answer.
    """
    lock: asyncio.Lock = interaction.extras.setdefault(_FIRST, asyncio.Lock())
    async with lock:
        if _is_answered(interaction):
            return False
        await answer()
    return True


class LentTokens:
    """Keeps the tokens of recent interactions.

    For a quarter of an hour after a press, the interaction's token can edit the pressed message,
    and these edits do not count towards the bot's rate limit. Where the bot is not a member, the
    token can also post follow-up messages.

    :param clock: returns monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._held: OrderedDict[tuple[int, int], Lent] = OrderedDict()
        """The tokens by channel and message, oldest press first."""
        self._open: dict[tuple[int, int], Lent] = {}
        """The tokens of presses that have no answer yet, by channel and message."""
        self._newest: OrderedDict[int, tuple[float, Interaction]] = OrderedDict()
        """The last interaction of each channel, oldest first."""

    def hear(self, interaction: Interaction) -> None:
        """Store an interaction that has been acknowledged or answered."""
        place = interaction.channel_id or 0
        self._newest.pop(place, None)
        self._newest[place] = self._clock(), interaction
        while len(self._newest) > MOST or self._is_old(next(iter(self._newest.values()))[0]):
            self._newest.popitem(last=False)

    def take(self, interaction: Interaction) -> None:
        """Store an interaction whose original response is the message that was pressed.

        Skip private messages: the bot only edits them to answer a press.
        """
        message = interaction.message
        if message is None or message.flags.ephemeral:
            return
        self._hold(message.channel.id, Lent(self._clock(), interaction, message.id, False))

    def expect(self, interaction: Interaction) -> None:
        """Let an edit of the pressed message be the answer to this press."""
        message = interaction.message
        if message is not None and not message.flags.ephemeral:
            lent = Lent(self._clock(), interaction, message.id, False)
            self._open[message.channel.id, message.id] = lent

    def expects(self, interaction: Interaction) -> bool:
        """Return whether an edit of the pressed message may be the answer to this press."""
        message = interaction.message
        lent = None if message is None else self._open.get((message.channel.id, message.id))
        return lent is not None and lent.interaction is interaction

    def settle(self, interaction: Interaction) -> bool:
        """Stop expecting an edit.

        :returns: whether an edit was expected until now.
        """
        expected = self.expects(interaction)
        if expected and interaction.message is not None:
            del self._open[interaction.message.channel.id, interaction.message.id]
        return expected

    def awaits(self, channel_id: int, message_id: int) -> bool:
        """Return whether somebody has pressed a control of this message and has no answer yet."""
        lent = self._open.get((channel_id, message_id))
        return lent is not None and not _is_answered(lent.interaction)

    def follow(self, interaction: Interaction, message_id: int) -> None:
        """Record that the token of a channel's last interaction posted this message."""
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
        """Return the token that can still change a message; None if there is none."""
        place = channel_id, message_id
        lent = self._open.get(place) or self._held.get(place)
        return None if lent is None or self._is_old(lent.taken) else lent

    def newest(self, channel_id: int) -> Interaction | None:
        """Return the interaction whose token can post another message in this channel, if any."""
        taken, interaction = self._newest.get(channel_id, (0.0, None))
        if interaction is None or self._is_old(taken):
            return None
        left = FOLLOW_UPS - KEPT_FOR_ANSWERS - interaction.extras.get(_FOLLOWED, 0)
        return interaction if left > 0 else None

    def drop(self, channel_id: int, message_id: int) -> None:
        """Forget a message's token."""
        self._open.pop((channel_id, message_id), None)
        self._held.pop((channel_id, message_id), None)

    def spend(self, channel_id: int) -> None:
        """Stop posting messages with the token of a channel's last interaction."""
        self._newest.pop(channel_id, None)

    def __len__(self) -> int:
        return len(self._held)

    def _is_old(self, taken: float) -> bool:
        return self._clock() - taken >= LIFE


def note_follow_up(interaction: Interaction) -> None:
    """Count a message sent after the first answer to an interaction."""
    interaction.extras[_FOLLOWED] = interaction.extras.get(_FOLLOWED, 0) + 1


class Replies:
    """Answers interactions. Failures are returned as values.

    :param lent: receives the tokens of acknowledged presses.
    :param emojis: the emojis that messages may use.
    """

    def __init__(self, lent: LentTokens, emojis: Emojis) -> None:
        self._lent = lent
        self._emojis = emojis
        self._waiting: set[asyncio.Event] = set()
        """One event for each press that waits for its answer; set it to acknowledge the press."""

    # -- contents
    async def answer(self, interaction: Interaction, content: Content) -> Failure | None:
        """Show something that only the person sees, before or after any other answer."""
        card = await with_pictures(as_card(content))
        if context_of(interaction) is InteractionContext.DIRECT and self._lent.expects(interaction):
            # The person who pressed is the only reader of this message; its next edit can use the
            # token.
            await self.defer_update(interaction)

        async def first(icons: Icons) -> None:
            async def send() -> None:
                # From here on, the token may belong to the new message, even if the confirmation
                # is lost.
                self._lent.settle(interaction)
                message = new_message(card, icons)
                await interaction.response.send_message(**message, ephemeral=True)

            if await answered_first(interaction, send):
                self._lent.hear(interaction)
            else:
                await later(icons)

        async def later(icons: Icons) -> None:
            if interaction.extras.get(_THINKING, False):
                await interaction.edit_original_response(**edit_arguments(card, icons=icons))
                del interaction.extras[_THINKING]
                return
            await interaction.followup.send(**new_message(card, icons), ephemeral=True)
            note_follow_up(interaction)

        async def attempt() -> None:
            await self._emojis.sent(first)

        failure = await tried("answer", attempt, interaction=interaction.id)
        _note_answered(interaction, failure)
        return failure

    async def update(self, interaction: Interaction, content: Content) -> Failure | None:
        """Change the message whose button or menu was used.

        This works as the first answer and after ``defer_update``. After ``defer`` or ``answer``, it
        would change the message that those methods showed.
        """
        card = await with_pictures(as_card(content))

        async def change(icons: Icons) -> None:
            arguments = edit_arguments(card, icons=icons)
            answer = interaction.response.edit_message
            if await answered_first(interaction, lambda: answer(**arguments)):
                self._lent.hear(interaction)
                self._lent.take(interaction)
            else:
                await interaction.edit_original_response(**arguments)

        async def attempt() -> None:
            await self._emojis.sent(change)

        failure = await tried("update", attempt, interaction=interaction.id)
        _note_answered(interaction, failure)
        return failure

    async def show(self, interaction: Interaction, content: Content) -> Failure | None:
        """Show the person something: in place of the pressed message if that is private, or in
        place of what this method showed before; otherwise as a new private message.
        """
        in_place = is_private(interaction) or interaction.extras.get(_SHOWN, False)
        interaction.extras[_SHOWN] = True
        return await (self.update if in_place else self.answer)(interaction, content)

    async def ask(self, interaction: Interaction, form: ui.Modal) -> Failure | None:
        """Open a form. Discord allows that only as the first answer to a command or button."""
        call = interaction.response.send_modal
        return await tried("ask", lambda: done(call(form)), interaction=interaction.id)

    # -- acknowledging; a second acknowledgement has no effect
    @asynccontextmanager
    async def answering(
        self, interaction: Interaction, gain: Callable[[Interaction], Awaitable[object]]
    ) -> AsyncIterator[None]:
        """If the answer to a press is ready within ``PATIENCE``, let it be the first answer; this
        saves a request. Otherwise acknowledge the press once that time is up, or when the block
        ends if that is earlier. Where the bot is not a member, acknowledge it at once.

        :param gain: acknowledges the press. If that is ``acknowledge`` or ``defer_update``, an edit
            of the pressed message within the block counts as an answer, too.
        """
        if context_of(interaction) is InteractionContext.ELSEWHERE:
            await gain(interaction)  # messages can follow only after this
            yield
            return
        if gain in (self.acknowledge, self.defer_update):
            self._lent.expect(interaction)
        over = asyncio.Event()
        self._waiting.add(over)
        if len(self._waiting) > CROWD:
            for each in self._waiting:
                each.set()

        async def acknowledge() -> None:
            with suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    await over.wait()
            self._waiting.discard(over)
            await gain(interaction)

        acknowledging = asyncio.create_task(acknowledge())
        try:
            yield
        finally:
            over.set()
            try:
                await acknowledging
            finally:
                if self._lent.settle(interaction):
                    self._lent.hear(interaction)
                    self._lent.take(interaction)

    async def defer(self, interaction: Interaction) -> Failure | None:
        """Gain time for an ``answer``; only the person sees that the bot is thinking."""
        if _is_answered(interaction):
            return None
        elsewhere = context_of(interaction) is InteractionContext.ELSEWHERE
        if elsewhere and interaction.message is not None and not is_private(interaction):
            return await self.defer_update(interaction)  # this also yields the message's token

        async def think() -> None:
            if elsewhere:
                # A public follow-up would replace "is thinking", so avoid that.
                wait = layout(as_card(WAIT))
                await interaction.response.send_message(view=wait, ephemeral=True)
            else:
                await interaction.response.defer(ephemeral=True, thinking=True)
            interaction.extras[_THINKING] = True

        async def attempt() -> None:
            if await answered_first(interaction, think):
                self._lent.hear(interaction)

        failure = await tried("defer", attempt, interaction=interaction.id)
        if _note_answered(interaction, failure):
            interaction.extras[_THINKING] = True
        return failure

    async def defer_update(self, interaction: Interaction) -> Failure | None:
        """Gain time for an ``update``, or acknowledge a press without showing anything."""
        if _is_answered(interaction):
            return None

        async def attempt() -> None:
            if await answered_first(interaction, interaction.response.defer):
                self._lent.hear(interaction)
                self._lent.take(interaction)

        failure = await tried("defer_update", attempt, interaction=interaction.id)
        _note_answered(interaction, failure)
        return failure

    async def acknowledge(self, interaction: Interaction) -> Failure | None:
        """Gain time, whether a command was typed or a button was pressed."""
        gain = self.defer_update if is_pressed(interaction) else self.defer
        return await gain(interaction)

    async def acknowledge_privately(self, interaction: Interaction) -> Failure | None:
        """Gain time for ``show``, which allows no other acknowledgement."""
        gain = self.defer_update if is_private(interaction) else self.defer
        return await gain(interaction)


def _is_answered(interaction: Interaction) -> bool:
    return interaction.response.is_done() or interaction.extras.get(_ANSWERED, False)


def _note_answered(interaction: Interaction, failure: Failure | None) -> bool:
    """If an answer or acknowledgement failed because the interaction already has one, record that.

    :returns: whether that was why it failed.
    """
    if failure is None or failure.trouble is not Trouble.ANSWERED:
        return False
    interaction.extras[_ANSWERED] = True
    return True


def is_pressed(interaction: Interaction) -> bool:
    """Return whether a button or menu was used."""
    return interaction.type is discord.InteractionType.component


def is_private(interaction: Interaction) -> bool:
    """Return whether the pressed message is visible to this person only."""
    return interaction.message is not None and interaction.message.flags.ephemeral


# ----------------------------------------------------------------------------- messages
def as_card(content: Content) -> Card:
    """Return the content as a card; plain text becomes a card without a border."""
    return collapsed(content) if isinstance(content, str) else content


def only(people: Sequence[int]) -> discord.AllowedMentions:
    """Return the setting that lets a message ping these people and nobody else."""
    return discord.AllowedMentions(
        everyone=False,
        roles=False,
        replied_user=False,
        users=[discord.Object(person) for person in people],
    )


class Posting(TypedDict, total=False):
    """Settings for posting a message.

    :param nonce: up to 25 characters; if it repeats within a few minutes, Discord returns the
        message it already has instead of posting another.
    :param pings: the people whom the message may ping, if it mentions them.
    :param mark: a number from 1 to 2**31 - 1 that lets ``Gateway.find`` find the message.
    :param silent: the message makes no notification sound.
    """

    nonce: str | None
    pings: Sequence[int]
    mark: int | None
    silent: bool


def new_message(card: Card, icons: Icons = NO_ICONS, **how: Unpack[Posting]) -> dict[str, Any]:
    """Return discord.py's arguments for sending a new message; valid for one call.

    The nonce is not included, because answers to interactions have none.
    """
    return {
        "view": layout(card, how.get("mark"), icons),
        "files": files_of(card),
        "allowed_mentions": only(how.get("pings", ())),
        "silent": how.get("silent", False),
    }


def edit_arguments(card: Card, mark: int | None = None, icons: Icons = NO_ICONS) -> dict[str, Any]:
    """Return discord.py's arguments for editing a message; valid for one call.

    The card's files replace the message's files, unless it keeps the existing ones.
    """
    change: dict[str, Any] = {"view": layout(card, mark, icons), "allowed_mentions": only(())}
    if not any(isinstance(part, Kept) for part in card.parts):
        change["attachments"] = files_of(card)
    return change
