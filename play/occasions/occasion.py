"""An occasion as one value, and what its kind defines.

An occasion is a table without a match: a state that commands change, a journal, times at which
something is due, and messages. Its kind defines the state and the consequences of each change.
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
    """What a kind knows of an occasion, as plain data: whatever pydantic reads back as it was.

    :param names: by id, all people that the occasion has to do with, whatever else it says of them.
        When a person is forgotten, another number and name take their place, here and wherever the
        number stands in the state or in the journal's texts.
    """

    names: Mapping[int, str] = field(default_factory=dict)


S = TypeVar("S", bound=OccasionState)

"""Lines of this kind say that the bot could not post in the channel."""

AGAIN: Final = timedelta(days=7)
"""How long before the same person is told again."""


@dataclass(frozen=True)
class Occasion(Aggregate, Generic[S]):
    """An occasion at one moment. Values are shared and never changed.

    :param people: the settings of the people it names, by id.
    """

    row: OccasionRow
    kind: OccasionKind[S] = field(compare=False, repr=False)
    state: S
    journal: tuple[OccasionLine, ...]
    people: Mapping[int, PersonRow] = field(default_factory=dict)
    server: ServerRow = field(default_factory=lambda: ServerRow(0))

    @property
    def name(self) -> str:
        """Unique among all aggregates."""
        return f"o{self.row.id}"

    @property
    def over(self) -> bool:
        """Whether nothing can happen any longer."""
        return self.row.over

    @property
    def gathering(self) -> bool:
        """Whether it waits for people, who join by its message."""
        return self.kind.GATHERS and not self.row.over

    @property
    def waits_for_message(self) -> bool:
        """Whether it continues by itself once a message of it has been posted."""
        return bool(self.kind.awaited(self))

    # -- the next value
    def changed(self, **changes: Any) -> Self:
        """The occasion with other values of its state's fields."""
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
        """The occasion with one more line in its journal.

        :param kind: one of ``OCCASION_LINES`` or of the kind's own ``LINES``.
        :param over: nothing will happen after it.
        :param changes: as in ``changed``.
        """
        require_kind(kind, {**OCCASION_LINES, **self.kind.LINES})
        at = at.replace(microsecond=0)
        line = OccasionLine(self.revision + 1, kind, person_id, text, at)
        row = replace(self.row, revision=line.number, changed_at=at, over=self.row.over or over)
        return replace(self.changed(**changes), row=row, journal=(*self.journal, line))


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A table that an occasion wants to be opened, with its people seated, and begun.

    :param slot: with the occasion its identity: it is opened once.
    :param people: by id, their names, in order of joining; the first one is the host.
    :param computers: the levels of computer players who sit down after them.
    :param options: as of ``TableRow``.
    :param guild_id: None: it is played in direct messages.
    :param thread: the name of a thread that is opened for it in the occasion's channel, if that is
        possible; empty: none.
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
    """How a table of an occasion stands.

    :param status: as of ``TableRow``.
    :param result: as of ``TableRow``; None while it is open.
    :param seats: by seat, the person who plays there; None: a computer player from the beginning.
        Empty until the match has begun.
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
    """What there is to say about all occasions of one kind. Everything here is pure.

    :cvar NAME: under which occasions of it are stored.
    :cvar STATE: the dataclass of their state.
    :cvar LINES: its own kinds of journal lines, and what each records.
    :cvar GATHERS: people come by their messages, which are looked for at once after a start.
    """

    NAME: ClassVar[str]
    STATE: ClassVar[type[OccasionState]]
    LINES: ClassVar[Mapping[str, str]]
    GATHERS: ClassVar[bool] = False

    def __init__(self) -> None:
        self._adapter: TypeAdapter[Any] = TypeAdapter(self.STATE)

    def written(self, state: S) -> str:
        """A state as JSON."""
        return self._adapter.dump_json(state).decode()

    def read(self, text: str) -> S:
        """Inverse of ``written``.

        :raises ValueError: it is no state of this kind.
        """
        state: S = self._adapter.validate_json(text)
        return state

    @abstractmethod
    def follow(self, occasion: Occasion[S], now: datetime) -> Occasion[S]:
        """The occasion after the next thing that follows from it by now; the same value if nothing
        does. Called repeatedly until nothing changes.
        """

    @abstractmethod
    def due(self, occasion: Occasion[S]) -> datetime | None:
        """When something will follow unasked; None: never."""

    @abstractmethod
    def leave(self, occasion: Occasion[S], person_id: int, now: datetime) -> Occasion[S]:
        """The occasion after a person has left it for good, as far as it goes on; the same value if
        the person has no part in what is to come.
        """

    def awaited(self, occasion: Occasion[S]) -> str:
        """The key of the message without which it does not go on; empty: there is none."""
        return ""

    def stands(self, occasion: Occasion[S], message_id: int) -> Command[Occasion[S]]:
        """What is to be done once that message stands.

        :raises NotImplementedError: the kind awaits none.
        """
        raise NotImplementedError

    def seatings(self, occasion: Occasion[S]) -> Sequence[PlannedTable]:
        """The tables that should be there for it and are not known to it yet."""
        return ()

    def settled(self, occasion: Occasion[S]) -> frozenset[str]:
        """The slots whose tables are over and known to it: of these nothing more is to be heard."""
        return frozenset()

    def trophies(self, occasion: Occasion[S]) -> Sequence[TrophyRow]:
        """What people have won in it, once it is over."""
        return ()

    def told(self, occasion: Occasion[S], news: TableNews, now: datetime) -> Occasion[S]:
        """The occasion after it has heard how a table of it stands; the same value if it knew."""
        return occasion


@dataclass(frozen=True, slots=True)
class Hinder(Command[Occasion[Any]]):
    """The bot could not post in its channel: tell the person who began it, once a week at most.
    Adds a journal line naming that person.
    """

    def effect(self, occasion: Occasion[Any], now: datetime) -> Occasion[Any]:
        """Nothing changes if nobody began it."""
        host = occasion.row.host_id
        last = occasion.last_line(HINDERED)
        if occasion.over or host is None or (last is not None and now - last.at < AGAIN):
            return occasion
        return occasion.add(HINDERED, now, host)


@dataclass(frozen=True, slots=True)
class Hear(Command[Occasion[Any]]):
    """A table of the occasion has been opened, or is over."""

    news: TableNews

    def effect(self, occasion: Occasion[Any], now: datetime) -> Occasion[Any]:
        """What the kind makes of it."""
        return occasion.kind.told(occasion, self.news, now)


@dataclass(frozen=True, slots=True)
class LeaveOccasion(Command[Occasion[Any]]):
    """A person leaves for good."""

    person_id: int

    def effect(self, occasion: Occasion[Any], now: datetime) -> Occasion[Any]:
        """What the kind makes of it."""
        return occasion.kind.leave(occasion, self.person_id, now)
