"""An occasion as one value, and the interface of its kind.

An occasion is like a table without a match: it has a state that commands change, a journal, a due
time, and messages. Its kind defines the state and the consequences of each change.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

from pydantic import TypeAdapter

from data.store.rows import OccasionLine, OccasionRow, PersonRow, ServerRow
from data.store.trophies import TrophyRow
from play.aggregate import Aggregate, Command
from play.lines import HINDERED, OCCASION_LINES, require_kind


@dataclass(frozen=True)
class OccasionState:
    """The state of an occasion, as defined by its kind: plain data that pydantic restores exactly.

    :param names: the names of everyone involved, by id. When a person is deleted, another id and
        name replace theirs, here and wherever the id appears in the state or in the journal's
        texts.
    """

    names: Mapping[int, str] = field(default_factory=dict)


S = TypeVar("S", bound=OccasionState)

AGAIN: Final = timedelta(days=7)
"""The minimum time between two notices that the bot cannot post in an occasion's channel."""


@dataclass(frozen=True)
class Occasion(Aggregate, Generic[S]):
    """An occasion at one moment. Values are shared and never changed.

    :param people: the settings of the people it refers to, by id.
    """

    row: OccasionRow
    kind: OccasionKind[S] = field(compare=False, repr=False)
    state: S
    journal: tuple[OccasionLine, ...]
    people: Mapping[int, PersonRow] = field(default_factory=dict)
    server: ServerRow = field(default_factory=lambda: ServerRow(0))

    @property
    def name(self) -> str:
        """A name unique among all aggregates."""
        return f"o{self.row.id}"

    @property
    def over(self) -> bool:
        """Whether it is over."""
        return self.row.over

    @property
    def gathering(self) -> bool:
        """Whether it is waiting for people, who join through its message."""
        return self.kind.GATHERS and not self.row.over

    @property
    def waits_for_message(self) -> bool:
        """Whether it continues by itself as soon as a certain message has been posted."""
        return bool(self.kind.awaited(self))

    # -- the next value
    def changed(self, **changes: Any) -> Self:
        """Return the occasion with new values for fields of its state."""
        return replace(self, state=replace(self.state, **changes))

    def add(
        self,
        kind: str,
        at: datetime,
        person_id: int | None = None,
        text: str = "",
        *,
        over: bool = False,
        **changes: Any,
    ) -> Self:
        """Return the occasion with one more line in its journal.

        :param kind: the kind of line: one of ``OCCASION_LINES``, or of the ``LINES`` of this kind
            of occasion.
        :param over: whether the occasion ends with this line.
        :param changes: see ``changed``.
        """
        require_kind(kind, {**OCCASION_LINES, **self.kind.LINES})
        at = at.replace(microsecond=0)
        line = OccasionLine(self.revision + 1, kind, person_id, text, at)
        row = replace(self.row, revision=line.number, changed_at=at, over=self.row.over or over)
        return replace(self.changed(**changes), row=row, journal=(*self.journal, line))


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A table to be opened for an occasion: its people join, and the match starts.

    :param slot: identifies the table within the occasion, so that it is opened only once.
    :param people: names by id, in order of joining; the first one is the host.
    :param computers: the levels of computer players who join after them.
    :param options: see ``TableRow``.
    :param guild_id: None: it is played in direct messages.
    :param thread: the name of the thread to open for it in the occasion's channel, where possible;
        empty: no thread.
    """

    slot: str
    game: str
    people: Mapping[int, str]
    options: Mapping[str, Any]
    guild_id: int | None
    language: str
    computers: tuple[str, ...] = ()
    thread: str = ""


@dataclass(frozen=True, slots=True)
class TableNews:
    """The state of a table that an occasion has opened, or could not open.

    :param table_id: 0: the table could not be opened.
    :param status: see ``TableRow``.
    :param result: see ``TableRow``; None while the table is open.
    :param seats: the person who plays each seat; None: a computer player from the start. Empty
        until the match starts.
    :param resigned: the people who have resigned.
    """

    slot: str
    table_id: int
    code: str
    channel_id: int
    status: str
    result: Mapping[str, Any] | None = None
    seats: tuple[int | None, ...] = ()
    resigned: frozenset[int] = frozenset()


class OccasionKind(ABC, Generic[S]):
    """The rules of one kind of occasion. Everything here is pure.

    :cvar NAME: the name under which its occasions are stored.
    :cvar STATE: the dataclass of their state.
    :cvar LINES: its own kinds of journal lines, with their meaning.
    :cvar GATHERS: whether people join through its messages.
    """

    NAME: ClassVar[str]
    STATE: ClassVar[type[OccasionState]]
    LINES: ClassVar[Mapping[str, str]]
    GATHERS: ClassVar[bool] = False

    def __init__(self) -> None:
        self._adapter: TypeAdapter[Any] = TypeAdapter(self.STATE)

    def written(self, state: S) -> str:
        """Return a state as JSON."""
        return self._adapter.dump_json(state).decode()

    def read(self, text: str) -> S:
        """Read the JSON that ``written`` returns.

        :raises ValueError: the text is not a state of this kind.
        """
        state: S = self._adapter.validate_json(text)
        return state

    @abstractmethod
    def follow(self, occasion: Occasion[S], now: datetime) -> Occasion[S]:
        """Return the occasion after the next consequence that is due; the same object if there is
        none. This is called repeatedly until nothing changes.
        """

    @abstractmethod
    def due(self, occasion: Occasion[S]) -> datetime | None:
        """Return when something will happen without anyone acting; None: never."""

    @abstractmethod
    def leave(self, occasion: Occasion[S], person_id: int, now: datetime) -> Occasion[S]:
        """Return the occasion after a person has left it for good; the same object if nothing in it
        concerns that person.
        """

    def awaited(self, occasion: Occasion[S]) -> str:
        """Return the key of the message that it waits for; empty if it waits for none."""
        return ""

    def stands(self, occasion: Occasion[S], message_id: int) -> Command[Occasion[S]]:
        """Return the command to carry out once the message that it waits for (see ``awaited``) has
        been posted.

        :raises NotImplementedError: this kind waits for no message.
        """
        raise NotImplementedError

    def seatings(self, occasion: Occasion[S]) -> Sequence[PlannedTable]:
        """Return the tables that still have to be opened for it."""
        return ()

    def settled(self, occasion: Occasion[S]) -> frozenset[str]:
        """Return the slots whose tables need no further attention."""
        return frozenset()

    def trophies(self, occasion: Occasion[S]) -> Sequence[TrophyRow]:
        """Return the trophies that people have won, once it is over."""
        return ()

    def told(self, occasion: Occasion[S], news: TableNews, now: datetime) -> Occasion[S]:
        """Return the occasion updated with news of one of its tables; the same object if nothing
        changes.
        """
        return occasion


@dataclass(frozen=True, slots=True)
class Hinder(Command[Occasion[Any]]):
    """Record that the bot could not post in the channel, so that the person who began the occasion,
    or last chose its channel, is notified, at most once a week. This adds a journal line that
    refers to that person.
    """

    def effect(self, occasion: Occasion[Any], now: datetime) -> Occasion[Any]:
        """Return the occasion with that line; unchanged if it is over, if there is no such person,
        or if the last such line is less than ``AGAIN`` old.
        """
        host = occasion.row.host_id
        last = occasion.last_line(HINDERED)
        if occasion.over or host is None or (last is not None and now - last.at < AGAIN):
            return occasion
        return occasion.add(HINDERED, now, host)


@dataclass(frozen=True, slots=True)
class Hear(Command[Occasion[Any]]):
    """Handle the news that a table of the occasion has been opened, could not be opened, or has
    ended.
    """

    news: TableNews

    def effect(self, occasion: Occasion[Any], now: datetime) -> Occasion[Any]:
        """See ``OccasionKind.told``."""
        return occasion.kind.told(occasion, self.news, now)


@dataclass(frozen=True, slots=True)
class LeaveOccasion(Command[Occasion[Any]]):
    """Remove a person who leaves the bot for good."""

    person_id: int

    def effect(self, occasion: Occasion[Any], now: datetime) -> Occasion[Any]:
        """See ``OccasionKind.leave``."""
        return occasion.kind.leave(occasion, self.person_id, now)
