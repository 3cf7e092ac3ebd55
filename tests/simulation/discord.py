"""A Discord full of faults: calls fail before or after their effect, messages and channels vanish,
people close their direct messages, and the calling process may be killed at any call.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, ClassVar, TypeVar

from cogs.delivery.reconcile import LANDED
from cogs.gateway.cards import Button, Card, Gallery, Kept, Part, PersonSelect, Select
from cogs.gateway.failures import Failure, Trouble
from cogs.present.drawings import Drawing
from tests import limits, refusals

TOKENS_LAST = timedelta(seconds=limits.TOKEN_LIFE) - timedelta(minutes=1)
"""How long a token allows posts in a chat; the bot never uses the last minute."""

FOLLOW_UPS = limits.FOLLOW_UPS - 1
"""How many follow-ups a token allows; the last one is kept for a private answer."""

T = TypeVar("T")

REPLACED, SUCCESSORS = frozenset({"join", "more"}), frozenset({"more", "replay"})
"""The verbs by which to recognise lobbies and boards, and the messages that replace them."""

DM = 10**9
"""A person's id plus this is the id of the channel of their direct messages."""

PASSING = (
    Failure(Trouble.UNREACHABLE),
    Failure(Trouble.TOO_FAST, refusals.CHANNEL_WRITE_LIMIT.code),
)
FORBIDDEN = Failure(Trouble.MISSING_PERMISSION, refusals.MISSING_PERMISSIONS.code)
UNKNOWN_MESSAGE = Failure(Trouble.GONE, refusals.UNKNOWN_MESSAGE.code)
UNKNOWN_CHANNEL = Failure(Trouble.GONE, refusals.UNKNOWN_CHANNEL.code)
CLOSED = Failure(Trouble.CLOSED_DM, refusals.CLOSED_DMS.code)


LATE = 0.7
"""The share of calls cut off by a kill that take effect later."""


class Died(BaseException):
    """The process was killed here."""


@dataclass(slots=True)
class Message:
    """An existing message in a channel."""

    id: int
    channel_id: int
    mark: int | None
    card: Card
    nonce: str | None
    at: datetime


@dataclass(slots=True)
class World:
    """The state of Discord, and its behaviour.

    :param trouble: the share of calls that fail or kill the process.
    :param outage: whether every call fails.
    """

    now: datetime
    rng: random.Random = field(default_factory=random.Random)
    trouble: float = 0.0
    outage: bool = False
    forbidden: bool = False
    messages: dict[int, Message] = field(default_factory=dict)
    posted: list[tuple[int, int | None, int]] = field(default_factory=list)
    """Channel and mark of every message ever posted, with the number of failures before it."""
    pings: list[tuple[int, int | None, int]] = field(default_factory=list)
    """Channel, mark and person of every ping."""
    silent: set[tuple[int, int | None]] = field(default_factory=set)
    """Channel and mark of every message that was posted without a sound."""
    owners: dict[int, int | None] = field(default_factory=dict)
    """The owner of each seat's hand."""
    hidden: bool = False
    """Whether there are hands, which only their owners may see."""
    newest: int = 0
    """The last board or result, outside direct messages, that the living process knows of."""
    failures: int = 0
    """How many calls have failed so far, plus the number of kills. Calls refused because of closed
    direct messages or a missing message do not count.
    """
    faults: list[str] = field(default_factory=list)
    """What has happened although it must never happen."""
    kept: set[int] = field(default_factory=set)
    """Messages whose controls stay because a permission is missing; the bot does not try again."""
    lost: set[int] = field(default_factory=set)
    closed: set[int] = field(default_factory=set)
    lost_channels: list[int] = field(default_factory=list)
    """Lost channels that a caller knows of but has not handled yet."""
    dead: bool = False
    """Whether the process has been killed, and no longer has any effect."""
    ids: int = 0
    calls: int = 0
    hand_over: Callable[[], None] = lambda: None
    """Makes the other process take over."""
    tokens: dict[int, tuple[datetime, int]] = field(default_factory=dict)
    """For each chat: until when messages may follow the last act there, and how many."""
    held: dict[int, datetime] = field(default_factory=dict)
    """For each message of a chat, until when it can be changed."""
    until_hand_over: int = 0
    """Calls and writes left until ``hand_over``; 0 if none is planned."""
    late_rng: random.Random = field(default_factory=random.Random)
    """A separate generator for late effects, so that they do not change the rest of the history."""
    late: list[tuple[datetime, Callable[[], object]]] = field(default_factory=list)
    """Effects of calls whose process was killed, and when they come."""
    astray: set[int] = field(default_factory=set)
    """Messages that were posted late."""

    def clock(self) -> datetime:
        return self.now

    def carry_out_late(self, effect: Callable[[], object]) -> None:
        """After a kill during a call, sometimes let the call take effect later."""
        if self.late_rng.random() < LATE:
            wait = timedelta(seconds=self.late_rng.uniform(0, LANDED[-1] - 1))
            self.late.append((self.now + wait, effect))

    def land(self, *, all_: bool = False) -> None:
        """Carry out the late effects that are due.

        :param all_: whether to carry out the others too.
        """
        for when, effect in list(self.late):
            if all_ or when <= self.now:
                self.late.remove((when, effect))
                now, self.now = self.now, min(when, self.now)  # time may have jumped
                effect()
                self.now = now

    def lend(self, channel_id: int, pressed: int | None = None) -> None:
        """Have somebody act in a chat, on a message or with a command, which yields a token."""
        until = self.now + TOKENS_LAST
        self.tokens[channel_id] = until, FOLLOW_UPS
        if pressed is not None:
            self.held[pressed] = until

    async def dawdle(self, longest: int = 0) -> None:
        """Take a while, during which others may act and the other process may take over.

        :param longest: how much longer it may take if the other process takes over.
        """
        if self.until_hand_over:
            self.until_hand_over -= 1
            if not self.until_hand_over:
                self.hand_over()
                for _ in range(self.rng.choice([0, longest])):
                    await asyncio.sleep(0)
        for _ in range(self.rng.randrange(3)):
            await asyncio.sleep(0)

    def may_die(self, share: float) -> None:
        """Kill the process with some probability; a dead one stays dead."""
        if self.dead or self.rng.random() < self.trouble * share:
            self.dead = True
            self.failures += 1
            raise Died


class FakeGateway:
    """Makes calls in a world, with the part of the interface of ``Gateway`` that delivery needs.

    :cvar LATE: whether calls may take effect after the death of the process that made them.
    """

    LATE: ClassVar[bool] = True

    def __init__(self, world: World) -> None:
        self._world = world

    async def post(
        self,
        channel_id: int,
        content: Card,
        *,
        nonce: str | None = None,
        pings: Sequence[int] = (),
        mark: int | None = None,
        silent: bool = False,
    ) -> int | Failure:
        """Post a message, or return the recent one with the same nonce."""

        def come() -> int:
            return self._come(channel_id, content, nonce, pings, mark, silent)

        failure = await self._before(channel_id, come)
        return self._after(come()) if failure is None else failure

    def _come(
        self,
        channel_id: int,
        content: Card,
        nonce: str | None,
        pings: Sequence[int],
        mark: int | None,
        silent: bool,
    ) -> int:
        world = self._world
        for message in world.messages.values():
            recent = world.now - message.at < timedelta(seconds=limits.NONCE_MEMORY)
            if nonce is not None and message.nonce == nonce and recent:
                self._succeed(message)
                return message.id
        world.ids += 1
        world.messages[world.ids] = Message(world.ids, channel_id, mark, content, nonce, world.now)
        self._see(channel_id, content)
        self._succeed(world.messages[world.ids])
        world.posted.append((channel_id, mark, world.failures))
        text = "\n".join(part for part in content.parts if isinstance(part, str))
        named = [person for person in pings if f"<@{person}>" in text]  # Discord pings no others
        world.pings += [(channel_id, mark, person) for person in named]
        if silent:
            world.silent.add((channel_id, mark))
        return world.ids

    async def edit(
        self, channel_id: int, message_id: int, content: Card, *, mark: int | None = None
    ) -> Failure | None:
        """Change a message; return the failure, if any."""

        def change() -> None:
            self._see(channel_id, content)
            edited = self._world.messages[message_id]
            edited.card, edited.mark = self._shown(edited.card, content), mark or edited.mark
            self._succeed(edited)

        failure = await self._before(channel_id, change, message_id)
        if failure is not None:
            if failure == FORBIDDEN and not content.live:
                self._world.kept.add(message_id)
            return failure
        change()
        return self._after(None)

    def awaits(self, channel_id: int, message_id: int) -> bool:
        """Pretend, at about every third delivery, that somebody has just pressed a control of the
        message.
        """
        return (message_id + len(self._world.messages)) % 3 == 0

    async def strip(self, channel_id: int, message_id: int) -> Failure | None:
        """Take the controls off a message; return the failure, if any."""

        def change() -> None:
            message = self._world.messages[message_id]
            message.card = Card(message.card.parts)

        failure = await self._before(channel_id, change, message_id)
        if failure is not None:
            if failure == FORBIDDEN:
                self._world.kept.add(message_id)
            return failure
        change()
        return self._after(None)

    async def delete(self, channel_id: int, message_id: int) -> Failure | None:
        """Remove a message; return the failure, if any."""

        def remove() -> None:
            gone = self._world.messages.pop(message_id)
            board = channel_id < DM and verbs_of(gone.card) & REPLACED
            replaced = board and message_id not in self._world.astray
            if replaced and self._world.newest <= message_id:
                self._world.faults.append("a board was deleted before its successor came")

        failure = await self._before(channel_id, remove, message_id, closed=False)
        if failure is not None:
            if failure == FORBIDDEN:
                self._world.kept.add(message_id)
            return failure
        remove()
        return self._after(None)

    async def exists(self, channel_id: int, message_id: int) -> bool | Failure:
        return await self._before(channel_id) or message_id in self._world.messages

    async def find(self, channel_id: int, mark: int, since: datetime) -> int | Failure | None:
        """The message with a mark; None if there is none."""
        failure = await self._before(channel_id, closed=False)
        if failure is not None:
            return failure
        messages = self._world.messages.values()
        found = [m for m in messages if (m.channel_id, m.mark) == (channel_id, mark)]
        if not found:
            return None
        self._succeed(found[-1])  # a dead process had posted it, and now the living one knows
        return found[-1].id

    async def open_dm(self, person_id: int) -> int | Failure:
        """The channel of direct messages with a person."""
        return await self._before(DM) or DM + person_id

    def _succeed(self, message: Message) -> None:
        """Once a board or a result has arrived, allow earlier ones to be deleted."""
        if message.channel_id < DM and verbs_of(message.card) & SUCCESSORS:
            self._world.newest = max(self._world.newest, message.id)

    # -- what people see
    def _shown(self, before: Card, content: Card) -> Card:
        """The message after an edit, which may keep its earlier pictures."""
        galleries = [part for part in before.parts if isinstance(part, Gallery)]
        standing: dict[Any, Part] = {gallery.names_and_alts: gallery for gallery in galleries}
        parts = [
            standing.get(part.names_and_alts, part) if isinstance(part, Kept) else part
            for part in content.parts
        ]
        return replace(content, parts=tuple(parts))

    def _see(self, channel_id: int, card: Card) -> None:
        """Check that private content reaches only its owner."""
        world = self._world
        galleries = [part for part in card.parts if isinstance(part, Gallery)]
        for drawing in [drawing for gallery in galleries for drawing in gallery.drawings]:
            assert isinstance(drawing, Drawing)
            view = drawing.scene.view
            viewer = view.viewer if view.private else None
            owner = None if viewer is None else DM + (world.owners.get(viewer) or 0)
            if world.owners and owner not in (None, channel_id):
                world.faults.append(f"the hand of seat {viewer} shown in {channel_id}")
        if world.hidden and channel_id < DM and "go" in verbs_of(card):
            world.faults.append("choices from a hand shown to all")

    # -- trouble
    async def _before(
        self,
        channel_id: int,
        effect: Callable[[], object] | None = None,
        message_id: int | None = None,
        *,
        closed: bool = True,
    ) -> Failure | None:
        """The failure of a call; None if it succeeds.

        :param effect: the effect of the call, which may come even if the process is killed here.
        :param message_id: the message that the call concerns.
        :param closed: whether closed direct messages refuse the call; they never refuse reading or
            deleting.
        """
        world = self._world
        await world.dawdle()
        world.land()
        world.calls += 1
        alive = not world.dead
        try:
            world.may_die(1 / 6)
        except Died:
            if alive and effect is not None and self.LATE:
                world.carry_out_late(partial(self._late, channel_id, effect, message_id, closed))
            raise
        failure = self._refusal(channel_id, closed)
        world.failures += failure not in (None, CLOSED)  # if CLOSED, the person is called elsewhere
        return failure or self._missing(message_id)

    def _late(
        self, channel_id: int, effect: Callable[[], object], message_id: int | None, closed: bool
    ) -> None:
        """Carry out a call whose process is dead, unless it would be refused by now."""
        world = self._world
        refused = channel_id in world.lost or (closed and channel_id - DM in world.closed)
        hindered = world.outage or (world.forbidden and channel_id < DM)
        if not (refused or hindered or self._missing(message_id)):
            newest, last = world.newest, world.ids
            posted, pings = len(world.posted), len(world.pings)
            effect()
            world.newest = newest  # the living process does not know of it
            world.astray.update(range(last + 1, world.ids + 1))
            known = {(place, mark) for place, mark, _ in world.posted[:posted]}
            if known & {(place, mark) for place, mark, _ in world.posted[posted:]}:
                # Another process had posted and deleted it: nothing can prevent that.
                del world.posted[posted:], world.pings[pings:]

    def _refusal(self, channel_id: int, closed: bool) -> Failure | None:
        world = self._world
        if world.outage:
            return PASSING[0]
        if world.rng.random() < world.trouble / 3:
            return world.rng.choice(PASSING)
        if channel_id in world.lost:
            world.lost_channels.append(channel_id)
            return UNKNOWN_CHANNEL
        if closed and channel_id - DM in world.closed:
            return CLOSED
        if world.forbidden and channel_id < DM:
            return FORBIDDEN
        return None

    def _after(self, result: T) -> T | Failure:
        self._world.may_die(1 / 6)
        if self._world.rng.random() < self._world.trouble / 3:
            self._world.failures += 1
            return PASSING[0]
        return result

    def _missing(self, message_id: int | None) -> Failure | None:
        known = message_id is None or message_id in self._world.messages
        return None if known else UNKNOWN_MESSAGE


class FakeChats(FakeGateway):
    """Makes calls where the bot can only answer, with the interface of ``Chats``."""

    LATE = False  # a second message would look like the first one

    def can_post(self, channel_id: int) -> bool:
        """Return whether the bot could post now; if not, that counts as a failure."""
        until, left = self._world.tokens.get(channel_id, (self._world.now, 0))
        possible = until > self._world.now and left > 0
        self._world.failures += not possible
        return possible

    def can_edit(self, channel_id: int, message_id: int) -> bool:
        """Return whether a message could be changed now."""
        return self._world.held.get(message_id, self._world.now) > self._world.now

    async def post(
        self,
        channel_id: int,
        content: Card,
        *,
        nonce: str | None = None,
        pings: Sequence[int] = (),
        mark: int | None = None,
        silent: bool = False,
    ) -> int | Failure:
        """Post a follow-up of an interaction; a repeated one is a second message."""
        if not self.can_post(channel_id):
            return Failure(Trouble.WAITS)
        until, left = self._world.tokens[channel_id]
        self._world.tokens[channel_id] = until, left - 1
        posted = await super().post(channel_id, content, pings=pings, mark=mark, silent=silent)
        if isinstance(posted, int):
            self._world.held[posted] = until
        return posted

    async def edit(
        self, channel_id: int, message_id: int, content: Card, *, mark: int | None = None
    ) -> Failure | None:
        """Change a message, if it was pressed or posted recently."""
        if not self.can_edit(channel_id, message_id):
            return UNKNOWN_MESSAGE
        return await super().edit(channel_id, message_id, content, mark=mark)

    async def strip(self, channel_id: int, message_id: int) -> Failure | None:
        """Do nothing: messages in chats cannot be read."""
        return UNKNOWN_MESSAGE

    async def delete(self, channel_id: int, message_id: int) -> Failure | None:
        """Remove a message, if it was pressed or posted recently."""
        if not self.can_edit(channel_id, message_id):
            return UNKNOWN_MESSAGE
        return await super().delete(channel_id, message_id)

    async def exists(self, channel_id: int, message_id: int) -> bool | Failure:
        """Always True: messages in chats cannot be read."""
        return True

    async def find(self, channel_id: int, mark: int, since: datetime) -> int | Failure | None:
        """Always None: messages in chats cannot be read."""
        return None


def verbs_of(card: Card) -> set[str]:
    """The verbs of a card's controls."""
    verbs = set[str]()
    for row in card.rows:
        controls = (row,) if isinstance(row, Select | PersonSelect) else row
        verbs |= {each.control.verb for each in controls if isinstance(each, Button | Select)}
    return verbs
