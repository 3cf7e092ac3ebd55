"""What tables and occasions share: a row, a journal, a revision, and commands that change them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import Field, dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Generic, TypeVar

from data.store.rows import Line, OccasionLine, OccasionRow, PersonRow, ServerRow, TableRow


class Aggregate(ABC):
    """A value that is loaded whole, decided about, committed whole, and shown by messages.

    :ivar journal: what has happened, one line for each event; it only ever grows.
    :ivar people: the settings of the people it names, by id.
    :ivar server: the settings of the server it belongs to.
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
        """Unique among all aggregates of all kinds; messages are recognised by it."""

    @property
    def guild_id(self) -> int | None:
        """The server that it belongs to, if any."""
        return self.row.guild_id

    @property
    def channel_id(self) -> int:
        """The channel of its public messages."""
        return self.row.channel_id

    @property
    def home_id(self) -> int | None:
        """The channel in which it was asked for, if its own is a thread."""
        return None

    @property
    def chat(self) -> str:
        """The start of its message links if the bot can only answer there: ``@me`` in chats of
        people, otherwise the number of a server; empty if the bot can post.
        """
        return ""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether nothing can happen any longer."""

    @property
    def unplaced(self) -> bool:
        """Whether its channel is lost, so that it cannot be shown."""
        return False

    @property
    @abstractmethod
    def gathering(self) -> bool:
        """Whether it waits for people, who join by its message."""

    @property
    @abstractmethod
    def waits_for_message(self) -> bool:
        """Whether it continues by itself once a certain message has been posted."""

    def settings(self, person_id: int) -> PersonRow:
        """The settings of a person."""
        return self.people.get(person_id) or PersonRow(person_id)

    def last_line(self, *kinds: str) -> Line | OccasionLine | None:
        """The latest line of the journal that is of one of these kinds."""
        return next((line for line in reversed(self.journal) if line.kind in kinds), None)


A = TypeVar("A", bound=Aggregate)


@dataclass(frozen=True, slots=True)
class Command(ABC, Generic[A]):
    """A request to change a table or an occasion.

    :param interaction_id: the press or typed command behind it; it counts once, however often it
        is delivered.
    """

    interaction_id: int | None = field(default=None, kw_only=True)

    @abstractmethod
    def effect(self, value: A, now: datetime, /) -> A:
        """The value after the command itself, without its consequences; the same value if there is
        nothing to change. Every change has a line in the journal. Pure.

        :raises Refused: it is not possible.
        """


@dataclass(frozen=True, slots=True)
class Tick(Command[Any]):
    """Time has passed, or a setting has changed: apply all consequences."""

    def effect(self, value: A, now: datetime, /) -> A:
        """No effect of its own."""
        return value
