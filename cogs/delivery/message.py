"""One message for one surface: posting, updating and retiring it."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from cogs.gateway.cards import (
    Card,
    Pictures,
    card_from,
    keeping,
    pictures_of,
    rest_of,
    with_pictures,
)
from cogs.gateway.chats import Chats
from cogs.gateway.failures import Failure, Trouble
from cogs.gateway.gateway import Gateway
from cogs.present.surfaces import Retire, Surface
from data.store.rows import MessageRow
from data.store.store import Store
from play.aggregate import Aggregate
from play.clock import resting

NONCE_WINDOW = timedelta(minutes=2)
"""Discord is certain to remember a nonce for this long; it promises "a few minutes"."""

DELETED = '{"delete": true}'
STRIPPED = '{"strip": true}'
"""How to retire a message whose content is unknown: remove its controls and keep everything else.
"""

REMEMBERED = 1000
"""The pictures of this many recent messages are remembered, at a few kilobytes per message. Editing
any other message means sending its pictures again.
"""

CLOSED_FOR = timedelta(hours=6)
"""After Discord refuses a direct message to a person, send that person no new one for this long,
unless it turns out that they accept direct messages.
"""

Note = Callable[[MessageRow], Awaitable[None]]
"""Stores a message's row at once."""


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of handling a message.

    :param row: the row to store.
    :param failure: why the message is not as it should be.
    """

    row: MessageRow
    failure: Failure | None = None


class Messenger:
    """Posts, edits and deletes individual messages, so that each shows its surface."""

    def __init__(self, store: Store, gateway: Gateway, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._gateway = gateway
        self._clock = clock
        self._closed: dict[int, datetime] = {}
        """When Discord last refused a direct message to each person. Losing this costs one more
        attempt.
        """
        self._channels: dict[int, int] = {}
        """The channel for direct messages to each person."""
        self._pictures: dict[str, Pictures] = {}
        """The pictures in recent messages, by the fingerprint of their card."""

    def now(self) -> datetime:
        """Return the current time in whole seconds, the precision of the store."""
        return self._clock().replace(microsecond=0)

    def answers(self, surface: Surface, row: MessageRow) -> bool:
        """Return whether an edit of this message would answer somebody's press on it."""
        changes = row.message_id is not None and row.stands != surface.card.fingerprint
        return changes and self._gateway.awaits(row.channel_id or 0, row.message_id or 0)

    # -- making
    async def stand(
        self,
        owner: Aggregate,
        surface: Surface,
        row: MessageRow,
        *,
        fresh: bool,
        look: bool,
        note: Note,
    ) -> Result:
        """Show a surface in its message.

        :param fresh: the bot has not yet tried to post the message.
        :param look: check first whether the message still exists.
        :param note: stores the row before the message is posted again.
        """
        located = await self._located(owner, surface, row, fresh)
        if isinstance(located, Failure):
            return Result(row, located)
        was = row
        row, fresh = located
        place = row.channel_id or 0
        if self._is_out_of_reach(owner, surface, row):
            if not self._gateway.chats.can_post(place):
                return Result(row, Failure(Trouble.WAITS))
            if row.message_id is not None:
                row, fresh = replace(self._anew(row), channel_id=place), True
        found = await self._looked_up(owner, surface, row, fresh, look)
        if isinstance(found, Failure):
            return Result(row, found)
        row, fresh = found
        if row.message_id is not None:
            result = await self._edit(owner, surface, row)
            failure = result.failure
            if failure is None or failure.trouble is not Trouble.GONE or failure.lost_channel:
                return result
            row, fresh = replace(self._anew(row), channel_id=place), True
        if row.since != was.since:
            await note(row)
        return await self._post(owner, surface, row, fresh)

    async def _located(
        self, owner: Aggregate, surface: Surface, row: MessageRow, fresh: bool
    ) -> tuple[MessageRow, bool] | Failure:
        """Return the row with the channel where its message belongs. If the table has moved, retire
        the message in the old channel first, so that no controls are left there.

        :returns: the row, and whether the bot has yet to try to post the message in this channel.
        """
        place = await self._place(owner, surface, row)
        if isinstance(place, Failure):
            return await self._coped(surface, place)
        if row.channel_id not in (None, place):
            left = await self.rest(owner, row)
            if left is not None and left.trouble.passing:
                return left
            row, fresh = self._anew(row), True
        return replace(row, channel_id=place), fresh

    async def _looked_up(
        self, owner: Aggregate, surface: Surface, row: MessageRow, fresh: bool, look: bool
    ) -> tuple[MessageRow, bool] | Failure:
        """Check whether an earlier post succeeded and, if ``look``, whether the message still
        exists; return the row accordingly.

        :returns: the row, and whether the bot has yet to try to post the message.
        """
        place = row.channel_id or 0
        if row.message_id is None:
            if fresh or self._clock() - row.since < NONCE_WINDOW:
                return row, fresh
            mark = mark_for(owner, surface.key)
            found = await self._at(owner, row).find(place, mark, row.since)
            if isinstance(found, Failure):
                return found
            if found is None:
                return row, False
            return replace(row, message_id=found, pinged=True, stands=None), False
        # A message that is about to be edited needs no check: the edit itself shows whether it
        # exists.
        look = look and row.stands == surface.card.fingerprint
        if look and await self._at(owner, row).exists(place, row.message_id) is False:
            return replace(self._anew(row), channel_id=place), True
        return row, False

    async def _edit(self, owner: Aggregate, surface: Surface, row: MessageRow) -> Result:
        stands = surface.card.fingerprint
        if row.stands == stands:
            return Result(replace(row, final=surface.final))
        standing = self._pictures.get(row.stands or "", {})
        card, mark = (
            await with_pictures(keeping(surface.card, standing)),
            mark_for(owner, surface.key),
        )
        failure = await self._at(owner, row).edit(
            row.channel_id or 0, row.message_id or 0, card, mark=mark
        )
        if failure is not None:
            # The edit may have succeeded after all, with or without controls.
            return Result(replace(row, stands=None, rest=rest_unknown(surface)), failure)
        self._remember(surface.card, card)
        rest = _rest(surface, card)
        return Result(replace(row, stands=stands, rest=rest, final=surface.final))

    async def _post(
        self, owner: Aggregate, surface: Surface, row: MessageRow, fresh: bool
    ) -> Result:
        card = await with_pictures(surface.card)
        posted = await self._at(owner, row).post(
            row.channel_id or 0,
            card,
            nonce=_nonce(owner, row),
            pings=() if row.pinged else self._awake(owner, surface.pings),
            mark=mark_for(owner, surface.key),
            silent=surface.silent or self._all_rest(owner, surface),
        )
        if isinstance(posted, Failure):
            return Result(row, await self._coped(surface, posted))
        await self._reached(owner, surface.person, row.channel_id or 0)
        self._remember(surface.card, card)
        rest = _rest(surface, card)
        row = replace(row, message_id=posted, rest=rest, pinged=True)
        if not fresh:
            # Discord answers a repeated post with the existing message, which may be older.
            row = replace(row, stands=None, rest=rest_unknown(surface))
            return await self._edit(owner, surface, row)
        return Result(replace(row, stands=surface.card.fingerprint, final=surface.final))

    def _remember(self, card: Card, made: Card) -> None:
        if pictures := pictures_of(card, made):
            self._pictures[card.fingerprint] = pictures
            if len(self._pictures) > REMEMBERED:
                del self._pictures[next(iter(self._pictures))]

    # -- retiring
    async def rest(self, owner: Aggregate, row: MessageRow) -> Failure | None:
        """Retire a message whose surface is no longer wanted.

        :returns: why that failed; None if nothing is left to do.
        """
        if row.rest is None:
            return None
        found = await self._found(owner, row)
        if not isinstance(found, MessageRow):
            return _left(found, row)
        failure = await self._retired(owner, found)
        is_gone = failure is not None and failure.trouble is Trouble.GONE
        if is_gone and row.message_id is not None and row.stands is None:
            # A late call of another process may have posted the message again.
            return await self.rest(owner, replace(row, message_id=None))
        return _left(failure, row)

    async def _retired(self, owner: Aggregate, row: MessageRow) -> Failure | None:
        """Delete an existing message, or remove its controls; return why that failed."""
        channel_id, message_id = row.channel_id or 0, row.message_id or 0
        gateway = self._at(owner, row)
        if row.rest == DELETED:
            return await gateway.delete(channel_id, message_id)
        if row.rest in (STRIPPED, None):
            return await gateway.strip(channel_id, message_id)
        return await gateway.edit(channel_id, message_id, card_from(row.rest))

    async def traced(self, owner: Aggregate, row: MessageRow) -> MessageRow | Failure:
        """Return the row of a message that may have been posted: with its id or, if it was not
        posted, marked as needing no retirement. If there is no way to find out, return the row
        unchanged.
        """
        found = await self._found(owner, row)
        if isinstance(found, Failure):
            return found if found.trouble.passing else row
        return found or replace(row, rest=None)

    async def _found(self, owner: Aggregate, row: MessageRow) -> MessageRow | Failure | None:
        """Return the row with the id of its message, even if the process died before storing the
        id; None if there is no message.
        """
        if row.message_id is not None:
            return row
        place = row.channel_id
        if place is None and row.person_id is not None:
            place = await self._known_channel(owner, row.person_id)
        if place is None:
            return None
        found = await self._at(owner, row).find(place, mark_for(owner, row.key), row.since)
        if found is None or isinstance(found, Failure):
            return found
        return replace(row, channel_id=place, message_id=found)

    # -- places
    def _at(self, owner: Aggregate, row: MessageRow) -> Gateway | Chats:
        """Return the gateway that makes the calls for a message."""
        return self._gateway.chats if _in_chat(owner, row) else self._gateway

    def _is_out_of_reach(self, owner: Aggregate, surface: Surface, row: MessageRow) -> bool:
        """Return whether a message in a chat differs from its surface but cannot be edited: it has
        not been posted yet, or no token can change it any more.
        """
        if not _in_chat(owner, row) or row.stands == surface.card.fingerprint:
            return False
        place, message = row.channel_id or 0, row.message_id
        return message is None or not self._gateway.chats.can_edit(place, message)

    async def _place(self, owner: Aggregate, surface: Surface, row: MessageRow) -> int | Failure:
        person = surface.person
        if person is None:
            return public_place(owner, surface)
        known = row.channel_id or await self._known_channel(owner, person)
        if known is not None:
            return known
        opened = await self._gateway.open_dm(person)
        if not isinstance(opened, Failure):
            self._channels[person] = opened
            await self._store.settings.set_person(person, dm_channel=opened)
        return opened

    async def _known_channel(self, owner: Aggregate, person: int) -> int | None:
        known = self._channels.get(person) or owner.settings(person).dm_channel
        if known is None and person not in owner.people:  # such as people who have been invited
            known = (await self._store.settings.person(person)).dm_channel
        return known

    def given_up(self, person_id: int) -> bool:
        """Return whether a direct message to a person was refused recently."""
        refused = self._closed.get(person_id)
        return refused is not None and self._clock() - refused < CLOSED_FOR

    def note_reach(self, person_id: int, *, reached: bool) -> None:
        """Record whether this person can be reached by DM."""
        if reached:
            self._closed.pop(person_id, None)
        else:
            self._closed[person_id] = self._clock()

    async def _coped(self, surface: Surface, failure: Failure) -> Failure:
        person = surface.person
        if person is not None and failure.trouble is Trouble.CLOSED_DM:
            self.note_reach(person, reached=False)
            await self._store.settings.set_person(person, dm_closed=True)
        return failure

    async def _reached(self, owner: Aggregate, person: int | None, channel_id: int) -> None:
        if person is None:
            return
        self._closed.pop(person, None)
        self._channels[person] = channel_id
        if owner.settings(person).dm_closed:
            await self._store.settings.set_person(person, dm_closed=False)

    def _awake(self, owner: Aggregate, pings: Sequence[int]) -> Sequence[int]:
        """Return the people to ping. People in quiet hours or on holiday are left out, unless that
        leaves nobody.
        """
        return [person for person in pings if not self._is_quiet(owner, person)] or pings

    def _all_rest(self, owner: Aggregate, surface: Surface) -> bool:
        """Return whether everybody called by a message is in quiet hours or on holiday."""
        called = surface.pings if surface.person is None else (surface.person,)
        return bool(called) and all(self._is_quiet(owner, person) for person in called)

    def _is_quiet(self, owner: Aggregate, person: int | None) -> bool:
        rest = None if person is None else resting(owner.settings(person), owner.server)
        return rest is not None and rest.around(self._clock()) is not None

    def _anew(self, row: MessageRow) -> MessageRow:
        """Return the row for posting a message again. If the message has pinged people, it pings
        nobody this time.
        """
        # Within the same second, both posts would have the same nonce, and Discord would ignore the
        # new one.
        since = max(self.now(), row.since + timedelta(seconds=1))
        return replace(row, message_id=None, channel_id=None, stands=None, since=since)


def public_place(owner: Aggregate, surface: Surface) -> int:
    """Return the channel of a message that is not for one person."""
    return (surface.home and owner.home_id) or owner.channel_id


def _in_chat(owner: Aggregate, row: MessageRow) -> bool:
    """Return whether this is a public message of a table in a chat, where the bot can only answer.
    This includes messages that the table left elsewhere when it moved; they cannot be edited any
    more.
    """
    return bool(owner.chat) and row.person_id is None


def rest_unknown(surface: Surface) -> str:
    """Return how to retire a message whose content is unknown: it may still have controls, even if
    its surface no longer has any.
    """
    return _rest(surface, None) or STRIPPED


def _left(failure: Failure | None, row: MessageRow) -> Failure | None:
    """Return the failure, unless the message is gone and nothing is left to do. Discord never
    deletes a channel for direct messages, so a message there is not gone with its channel.
    """
    if failure is None or failure.trouble is not Trouble.GONE:
        return failure
    return failure if failure.lost_channel and row.person_id is not None else None


def _rest(surface: Surface, card: Card | None) -> str | None:
    """Return how to retire a message once its surface is no longer wanted; None: it may stay as it
    is.

    :param card: the drawn card that the message shows; None: unknown.
    """
    if surface.retire is Retire.DELETE:
        return DELETED
    if surface.retire is not Retire.STRIP or not surface.card.live:
        return None
    return STRIPPED if card is None else rest_of(card)


def _nonce(owner: Aggregate, row: MessageRow) -> str:
    text = f"{owner.name}:{row.key}:{int(row.since.timestamp())}"
    return base64.b32encode(hashlib.sha256(text.encode()).digest()).decode()[:25]


def mark_for(owner: Aggregate, key: str) -> int:
    """Return a number from 1 to 2**31 - 1 that identifies a message among those of its owner."""
    digest = hashlib.sha256(f"{owner.name}:{key}".encode()).digest()
    return int.from_bytes(digest[:4], "big") % (2**31 - 1) + 1
