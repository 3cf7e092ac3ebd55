"""What tables and occasions have in common: a row, a journal, a revision, and commands that change
them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import Field, dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Generic, TypeVar

from data.store.rows import Line, OccasionLine, OccasionRow, PersonRow, ServerRow, TableRow


class Aggregate(ABC):
    """A value that is loaded, changed and committed as a whole, and shown by messages.

    :ivar journal: its history, one line for each event; it only ever grows.
    :ivar people: the settings of the people it refers to, by id.
    :ivar server: the settings of its server.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]  # all subclasses are dataclasses

    row: TableRow | OccasionRow
    journal: tuple[Line | OccasionLine, ...]
    people: Mapping[int, PersonRow]
    server: ServerRow

    @property
    def id(self) -> int:
        """Its primary key in the store."""
        return self.row.id

    @property
    def revision(self) -> int:
        """The number of the journal's last line: every change raises it."""
        return self.row.revision

    @property
    @abstractmethod
    def name(self) -> str:
        """A name unique among aggregates of all kinds, by which messages refer to their
        aggregate.
        """

    @property
    def guild_id(self) -> int | None:
        """The server it belongs to; None: direct messages, a chat without a server, or several
        servers.
        """
        return self.row.guild_id

    @property
    def channel_id(self) -> int:
        """The channel of its public messages."""
        return self.row.channel_id

    @property
    def home_id(self) -> int | None:
        """The channel in which it was requested, if it has a thread of its own."""
        return None

    @property
    def chat(self) -> str:
        """The first part of links to its messages, if in its channel the bot can only respond to
        interactions: ``@me`` in private chats, otherwise the server's id; empty if the bot can
        post.
        """
        return ""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether it is over."""

    @property
    def unplaced(self) -> bool:
        """Whether its channel is gone, so that it cannot be shown."""
        return False

    @property
    @abstractmethod
    def gathering(self) -> bool:
        """Whether it is waiting for people, who join through its message."""

    @property
    @abstractmethod
    def waits_for_message(self) -> bool:
        """Whether it continues by itself as soon as a certain message has been posted."""

    def settings(self, person_id: int) -> PersonRow:
        """Return a person's settings, or the defaults if the person has none."""
        return self.people.get(person_id) or PersonRow(person_id)

    def last_line(self, *kinds: str) -> Line | OccasionLine | None:
        """Return the journal's latest line of one of these kinds; None if there is none."""
        return next((line for line in reversed(self.journal) if line.kind in kinds), None)


A = TypeVar("A", bound=Aggregate)


@dataclass(frozen=True, slots=True)
class Command(ABC, Generic[A]):
    """A request to change a table or an occasion.

    :param interaction_id: the id of the Discord interaction behind it. Discord may deliver an
        interaction twice; it counts once.
    """

    interaction_id: int | None = field(default=None, kw_only=True)

    @abstractmethod
    def effect(self, value: A, now: datetime, /) -> A:
        """Apply the command itself, without its consequences. Pure. Every change adds a line to the
        journal.

        :returns: the next value; the same object if nothing changes.
        :raises Refused: the command is not possible.
        """


@dataclass(frozen=True, slots=True)
class Tick(Command[Any]):
    """Apply everything that has become due, or that follows from a changed setting."""

    def effect(self, value: A, now: datetime, /) -> A:
        """Return the value unchanged: only the consequences matter."""
        return value
