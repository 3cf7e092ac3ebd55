"""Compares the messages of a table or an occasion with its surfaces, and updates the messages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from cogs.delivery.message import DELETED, Messenger, Result, public_place, rest_unknown
from cogs.gateway.cards import Link
from cogs.gateway.failures import Failure, Trouble
from cogs.present.surfaces import Retire, Surface
from data.store.messages import MessageRepository
from data.store.problems import ServedElsewhere
from data.store.rows import MessageRow
from data.store.shards import Shards
from play.aggregate import Aggregate

LANDED: tuple[float, ...] = (15.0, 60.0)
"""Seconds after which to check whether a call took effect although its process was killed or its
connection was lost. Discord may carry it out late, but not after the last of these checks.
"""

ONCE = ("turn:", "plans:")
"""Prefixes of the keys of direct messages that only notify somebody. These messages are posted only
once.
"""


def all_landed(since: datetime) -> datetime:
    """Return the time by which a call made at ``since`` takes effect, if it ever does."""
    return since + timedelta(seconds=LANDED[-1])


def next_look(settles: datetime, now: datetime) -> float:
    """Return the seconds until the next check for the effect of late calls.

    :param settles: the time by which all of them have taken effect.
    """
    left = (settles - now).total_seconds()
    looks = (left - LANDED[-1] + seconds for seconds in LANDED)
    return min(next((seconds for seconds in looks if seconds > 0), 0.0), LANDED[-1])


@dataclass(slots=True)
class Memory:
    """What the process knows about an owner's messages.

    :param told: every message shows the owner up to this revision.
    :param term: the term of the shards (see ``Shards``) in which this was read.
    :param settles: the time by which the last call that may still be in progress will have taken
        effect; None: there is no such call. Until then no message is final and the owner does not
        count as delivered.
    :ivar inherited: the keys of messages that another process's calls may affect.
    :ivar unanswered: the time of the last post that got no answer, by key.
    :ivar rested: the keys of messages that were retired or not found, but that a late call may
        bring back, so they are checked again.
    """

    told: int
    rows: dict[str, MessageRow] = field(default_factory=dict)
    term: int = 0
    settles: datetime | None = None
    inherited: frozenset[str] = frozenset()
    unanswered: dict[str, datetime] = field(default_factory=dict)
    rested: set[str] = field(default_factory=set)

    def inherit(self, settles: datetime) -> None:
        """Record that another process's calls may take effect until this time."""
        self.settles, self.inherited = settles, frozenset(self.rows)

    def may_come_back(self, row: MessageRow, now: datetime) -> bool:
        """Return whether a late call could still bring back a message that has to be retired."""
        if row.rest is None:
            return False
        tried = self.unanswered.get(row.key)
        late = tried is not None and now < all_landed(tried)
        return late or (self.settles is not None and row.key in self.inherited)

    def look_again(self, key: str) -> None:
        """Check again later whether a message exists, because a late call may bring it back."""
        self.rested.add(key)
        if self.settles is None:
            self.settles = all_landed(self.unanswered[key])

    def doubt(self) -> None:
        """Assume nothing about the content of the messages, because a late call may have changed
        them.
        """
        self.rows = {key: replace(row, stands=None) for key, row in self.rows.items()}
        self.rested.clear()

    def told_from(self, key: str) -> int:
        """Return the journal line that messages had reached when the message with this key was
        created.

        If there is no such message, return the last line that all messages show. If a delivery
        failed midway, another message of the same kind may have reached a later line: the number in
        its key if it has been posted, otherwise the line from which it was created. In that case,
        return the latest such line.
        """
        row = self.rows.get(key)
        if row is not None:
            return row.told_from
        kind = key.partition(":")[0]
        others = [row for row in self.rows.values() if row.key.partition(":")[0] == kind]
        return max([self.told, *(_told_by(row) for row in others)])

    def message_of(self, key: str) -> int | None:
        """Return the id of the message with this key, if it exists."""
        row = self.rows.get(key)
        return None if row is None else row.message_id

    def uncertain(self, wanted: Sequence[Surface]) -> list[MessageRow]:
        """Return channel messages that are no longer wanted and may or may not have been posted."""
        keys = {surface.key for surface in wanted}
        return [
            row
            for key, row in self.rows.items()
            if key not in keys | self.rested
            if row.message_id is None and row.person_id is None and row.rest
        ]


@dataclass(frozen=True, slots=True)
class Undone:
    """The work that a delivery could not complete.

    :param channel: why the table's channel is not up to date.
    :param tried_again: the first failure of any kind, including failures to send a direct message
        or to retire a message. While this is set, the table does not count as delivered.
    :param unreached: people who do not accept the direct message meant for them.
    """

    channel: Failure | None = None
    tried_again: Failure | None = None
    unreached: tuple[int, ...] = ()

    @classmethod
    def all_of_it(cls, failure: Failure) -> Undone:
        """Return the result of a delivery that failed as a whole."""
        return cls(failure, failure)


@dataclass(slots=True)
class Reconciliation:
    """Brings the messages of a table or an occasion in line with its surfaces.

    :param served: returns the shards that this process serves now.
    :param wanted: the surfaces, in posting order.
    :param look: check first whether existing messages are still there.
    :param called_elsewhere: returns whether a person who cannot be reached by direct message will
        now be called in another way. Nothing counts as delivered until that is stored, because the
        process may be killed.
    """

    served: Callable[[], Shards]
    messages: MessageRepository
    messenger: Messenger
    owner: Aggregate
    memory: Memory
    wanted: Sequence[Surface]
    look: bool
    called_elsewhere: Callable[[int], bool]
    _fresh: set[str] = field(default_factory=set)
    _changed: dict[str, MessageRow] = field(default_factory=dict)
    _removed: set[str] = field(default_factory=set)
    _unreached: list[int] = field(default_factory=list)
    _is_lost: bool = False
    """Whether the channel is gone, so that nothing more can be posted there."""

    async def make(self) -> Undone:
        """Post, edit and delete messages, then store the result."""
        due = [surface for surface in self.wanted if self._is_due(surface)]
        await self._note_beginning(due)
        told = None
        try:
            channel: list[Failure | None] = []
            others: list[Failure | None] = []
            home: list[Failure | None] = []
            # Answers to presses come first, because people are waiting for them.
            answers = [surface for surface in due if self._answers(surface)]
            for part in (answers, [surface for surface in due if surface not in answers]):
                channel += await self._stand_in_channel(part)
                others += await self._stand_directly(part)
                home += await self._stand_at_home(part)
            if self.owner.gathering:  # nobody could join without this message
                channel += home
            failures = [*channel, *others, *home, *await self._retire(due)]
            undone = Undone(_first(channel), _first(failures), tuple(self._unreached))
            # Once the awaited message is known, or somebody is called elsewhere, more commands
            # follow.
            waits = self.owner.waits_for_message or self.memory.settles is not None
            waits = waits or any(map(self.called_elsewhere, self._unreached))
            if undone.tried_again is None and not waits:
                self._forget_finals()
                told = self.owner.revision
        finally:
            # Even if this is cancelled, what was posted must be stored.
            await asyncio.shield(self._write(told))
        return undone

    # -- before
    def _is_due(self, surface: Surface) -> bool:
        row = self.memory.rows.get(surface.key)
        if row is None:
            return surface.late
        return not row.final

    async def _note_beginning(self, due: Sequence[Surface]) -> None:
        """Store a record of each new message before posting it."""
        now = self.messenger.now()
        for surface in due:
            if surface.key not in self.memory.rows and not self._is_given_up(surface):
                self._fresh.add(surface.key)
                row = MessageRow(
                    surface.key,
                    now,
                    channel_id=None if surface.person else public_place(self.owner, surface),
                    person_id=surface.person,
                    rest=rest_unknown(surface),
                    told_from=self.memory.told_from(surface.key),
                )
                self._set(row)
        await self._write(None)

    def _answers(self, surface: Surface) -> bool:
        """Return whether an edit of the surface's message would answer a press."""
        row = self.memory.rows.get(surface.key)
        return row is not None and self.messenger.answers(surface, row)

    # -- the difference
    async def _stand_in_channel(self, due: Sequence[Surface]) -> list[Failure | None]:
        """Bring the channel's messages up to date, one at a time."""
        here = (surface for surface in due if surface.person is None and not surface.home)
        return [await self._make(surface) for surface in here]

    async def _stand_at_home(self, due: Sequence[Surface]) -> list[Failure | None]:
        """For a table with its own thread, bring messages in the parent channel up to date."""
        return [await self._make(surface) for surface in due if surface.home]

    async def _stand_directly(self, due: Sequence[Surface]) -> list[Failure | None]:
        """Bring direct messages up to date: in order for each person, and for all people
        concurrently.
        """
        people: dict[int, list[Surface]] = {}
        for surface in due:
            if surface.person is not None:
                people.setdefault(surface.person, []).append(surface)
        made = await asyncio.gather(*(self._make_all(mine) for mine in people.values()))
        return [failure for failures in made for failure in failures]

    async def _make_all(self, surfaces: Sequence[Surface]) -> list[Failure | None]:
        return [await self._make(surface) for surface in surfaces]

    async def _make(self, surface: Surface) -> Failure | None:
        if self.served().term != self.memory.term:
            raise ServedElsewhere(self.owner.id)  # the stored rows may have changed
        row = self.memory.rows.get(surface.key)
        if row is None or (row.message_id is None and self._is_given_up(surface)):
            return await self._unheard(surface, row)
        result = await self.messenger.stand(
            self.owner,
            self._with_way(surface),
            row,
            fresh=surface.key in self._fresh,
            look=self.look,
            note=self._note,
        )
        settled = self.memory.settles is None
        self._set(result.row if settled else replace(result.row, final=False))
        self._note_unanswered(result)
        return await self._judged(surface, result)

    def _may_come_back(self, row: MessageRow) -> bool:
        return self.memory.may_come_back(row, self.messenger.now())

    def _note_unanswered(self, result: Result) -> None:
        """Record a post that may take effect although its call failed."""
        row, failure = result.row, result.failure
        unanswered = failure is not None and failure.trouble is Trouble.UNREACHABLE
        if unanswered and row.message_id is None:
            self.memory.unanswered[row.key] = self.messenger.now()

    def _with_way(self, surface: Surface) -> Surface:
        """Return the surface, with its link to another message of the table if that message
        exists.
        """
        to = None if surface.way is None else self.memory.rows.get(surface.way.key)
        if surface.way is None or to is None or to.message_id is None:
            return surface
        url = f"https://discord.com/channels/{self.owner.chat}/{to.channel_id}/{to.message_id}"
        rows = (*surface.card.rows, (Link(surface.way.label, url),))
        return replace(surface, card=replace(surface.card, rows=rows))

    async def _note(self, row: MessageRow) -> None:
        self._set(row)
        await self._write(None)

    async def _judged(self, surface: Surface, result: Result) -> Failure | None:
        """Return the failure if it keeps the table from counting as delivered. A refused direct
        message first gets its fallback.
        """
        failure = result.failure
        if failure is None:
            return None
        if surface.person is None and failure.trouble is not Trouble.CLOSED_DM:
            # If the channel is gone when the match is over, the last messages go out by direct
            # message only.
            unheard = failure.trouble is Trouble.GONE and self.owner.over
            self._is_lost |= unheard and not surface.home
            # An earlier post may exist, with controls, although it cannot be looked up now.
            known = surface.key in self._fresh or result.row.message_id is not None
            passing = failure.trouble.passing or self.owner.gathering
            missed = surface.home and known and not passing
            return None if unheard or missed else failure
        if failure.trouble is Trouble.CLOSED_DM:
            if result.row.message_id is not None:
                return None  # it has been posted, but cannot be edited now
            return await self._unheard(surface, result.row)
        return None if failure.lost_person else failure

    async def _unheard(self, surface: Surface, row: MessageRow | None) -> Failure | None:
        """Use the fallback of a refused direct message, unless an earlier process posted the
        message and died before recording that.
        """
        if row is not None and surface.key not in self._fresh | self.memory.rested:
            found = await self.messenger.traced(self.owner, row)
            if isinstance(found, Failure):
                return found
            if found.message_id is not None:
                self._set(found)
                return None
        if row is None or surface.key in self._fresh or not self._may_come_back(row):
            self._remove(surface.key)
        else:
            self.memory.look_again(surface.key)
        if surface.person is not None:
            self._unreached.append(surface.person)
        return await self._otherwise(surface)

    def _is_given_up(self, surface: Surface) -> bool:
        """Return whether this direct message's recipient has recently refused one."""
        return surface.person is not None and self.messenger.given_up(surface.person)

    async def _otherwise(self, surface: Surface) -> Failure | None:
        """Post a message in the channel, once, in place of a direct message that did not arrive."""
        instead = surface.otherwise
        if instead is None:
            return None
        row = self.memory.rows.get(instead.key)
        if row is not None and row.final:
            return None
        await self._note_beginning([instead])
        return await self._make(instead)

    async def _retire(self, due: Sequence[Surface]) -> list[Failure | None]:
        """Retire messages that are no longer wanted. Where a new message has yet to be posted, keep
        the old ones, unless nothing more can be posted there. Check a message again later if a late
        call may bring it back. If Discord refuses to change a message, do not try again.
        """
        wanted = {surface.key for surface in self.wanted}
        wanted |= {surface.otherwise.key for surface in self.wanted if surface.otherwise}
        lacking = {s.person for s in due if not s.home and not self._exists(s)}
        lacking -= {*self._unreached, *((None,) if self._is_lost else ())}
        failures: list[Failure | None] = []
        for key, row in list(self.memory.rows.items()):
            if key in wanted or row.person_id in lacking:
                continue
            if key in self.memory.rested:
                continue
            settled = row.final and row.rest != DELETED
            failure = None if settled else await self.messenger.rest(self.owner, row)
            if failure is not None and not self._is_final(failure, row):
                failures.append(failure)
                if row.rest == DELETED and self._may_come_back(row):
                    # The message may be gone, or a late call may post it again, in which case it
                    # will be found by its mark.
                    self._set(self._gone(row))
            elif self._may_come_back(row):
                self.memory.look_again(key)
                if row.rest == DELETED:
                    self._set(self._gone(row))
            elif key.startswith(ONCE) and self.memory.settles is not None:
                self._set(replace(self._gone(row), rest=None))
                self.memory.rested.add(key)
            else:
                self._remove(key)
        return failures

    def _is_final(self, failure: Failure, row: MessageRow) -> bool:
        """Return whether Discord's refusal to change a message is final: it is unless the bot's
        token was refused, the message is a direct one, or the bot may not even see whether a post
        exists.
        """
        hindered = failure.hinders and (row.person_id is not None or row.message_id is None)
        return not (failure.trouble.passing or failure.trouble is Trouble.UNAUTHORIZED or hindered)

    def _gone(self, row: MessageRow) -> MessageRow:
        """Return the row of a message that is gone, without the message's id. A message that is
        posted only once must not count as new if it is wanted again because a move was taken back
        before the table counted as delivered.
        """
        once = row.key.startswith(ONCE)
        told_from = self.owner.revision if once else row.told_from
        return replace(row, message_id=None, told_from=told_from)

    def _exists(self, surface: Surface) -> bool:
        row = self.memory.rows.get(surface.key)
        return row is not None and row.message_id is not None

    # -- after
    def _forget_finals(self) -> None:
        """Forget messages that never change again and need not be deleted later."""
        for surface in self.wanted:
            row = self.memory.rows.get(surface.key)
            settled = row is None or row.final or row.message_id is None
            if surface.final and surface.retire is not Retire.DELETE and settled:
                self._remove(surface.key)
                if surface.otherwise is not None:
                    self._remove(surface.otherwise.key)

    def _set(self, row: MessageRow) -> None:
        if self.memory.rows.get(row.key) != row:
            self.memory.rows[row.key] = row
            self._changed[row.key] = row

    def _remove(self, key: str) -> None:
        self.memory.unanswered.pop(key, None)
        if self.memory.rows.pop(key, None) is not None:
            self._changed.pop(key, None)
            self._removed.add(key)

    async def _write(self, told: int | None) -> None:
        changed, removed = list(self._changed.values()), set(self._removed)
        self._changed.clear()
        self._removed.clear()
        if changed or removed or told is not None:
            await self.messages.write(self.owner.id, changed, removed, told, self.memory.term)
        if told is not None:
            self.memory.told = max(self.memory.told, told)


def _first(failures: Sequence[Failure | None]) -> Failure | None:
    return next((failure for failure in failures if failure is not None), None)


def _told_by(row: MessageRow) -> int:
    number = row.key.partition(":")[2]
    stands = row.message_id is not None and number.isdecimal()
    return int(number) if stands else row.told_from
