"""An occasion as one value, what a command to it is, and what its kind has to say.

An occasion is what a table is without a match: a state that commands change, a journal of what has
happened, times at which something is due, and messages. What its state is, and what follows from
what, is a matter of its kind.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

from pydantic import TypeAdapter

from data.store.rows import OccasionLine, OccasionRow, PersonRow, ServerRow
from data.store.trophies import TrophyRow


@dataclass(frozen=True)
class State:
    """What a kind knows of an occasion, as plain data: whatever pydantic reads back as it was.

    :param names: by id, all people that the occasion has to do with, whatever else it says of them.
        When a person is forgotten, another number and name take their place, here and wherever the
        number stands in the state or in the journal's texts.
    """

    names: Mapping[int, str] = field(default_factory=dict)


S = TypeVar("S", bound=State)

HINDERED: Final = "hindered"
"""Lines of this kind say that the channel could not be told."""

AGAIN: Final = timedelta(days=7)
"""Who has heard of that hears it again after so long."""


@dataclass(frozen=True)
class Occasion(Generic[S]):
    """An occasion at one moment. Values are shared and never changed.

    :param people: the settings of those whom it names, by id.
    """

    row: OccasionRow
    state: S
    journal: tuple[OccasionLine, ...]
    people: Mapping[int, PersonRow] = field(default_factory=dict)
    server: ServerRow = field(default_factory=lambda: ServerRow(0))

    @property
    def id(self) -> int:
        """The number under which the store knows the occasion."""
        return self.row.id

    @property
    def revision(self) -> int:
        """The number of the journal's last line: every change raises it."""
        return self.row.revision

    @property
    def name(self) -> str:
        """What tells the occasion apart from all else that is told by messages."""
        return f"o{self.row.id}"

    @property
    def guild_id(self) -> int | None:
        """The server that it belongs to, if any."""
        return self.row.guild_id

    @property
    def channel_id(self) -> int:
        """Where its messages stand that are not for one person."""
        return self.row.channel_id

    @property
    def chat(self) -> str:
        """Empty: the bot can post wherever an occasion is told."""
        return ""

    @property
    def over(self) -> bool:
        """Whether nothing will happen any more."""
        return self.row.over

    @property
    def unplaced(self) -> bool:
        """Whether nothing can be told: never."""
        return False

    @property
    def gathering(self) -> bool:
        """Whether people are waited for who come by its message."""
        return self.kind.GATHERS and not self.row.over

    @property
    def waits_for_message(self) -> bool:
        """Whether it goes on by itself once a message of it stands."""
        return bool(self.kind.awaited(self))

    @cached_property
    def kind(self) -> Kind[S]:
        """What the occasion is."""
        return kind_of(self.row.kind)

    def settings(self, person_id: int) -> PersonRow:
        """How a person wants things."""
        return self.people.get(person_id) or PersonRow(person_id)

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

        :param over: nothing will happen after it.
        :param changes: as in ``changed``.
        """
        at = at.replace(microsecond=0)
        line = OccasionLine(self.revision + 1, kind, person_id, text, at)
        row = replace(self.row, revision=line.number, changed_at=at, over=self.row.over or over)
        return replace(self.changed(**changes), row=row, journal=(*self.journal, line))


@dataclass(frozen=True, slots=True)
class Act(ABC, Generic[S]):
    """A command to an occasion.

    :param interaction_id: the press or typed command behind it; it counts once, however often it
        is delivered.
    """

    interaction_id: int | None = field(default=None, kw_only=True)

    @abstractmethod
    def effect(self, occasion: Occasion[S], now: datetime) -> Occasion[S]:
        """The occasion after the command itself, without what follows from it; the same value if
        there is nothing to change. Whatever changes has a line in the journal. Pure.

        :raises Refused: it is not possible.
        """


@dataclass(frozen=True, slots=True)
class Seating:
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
class News:
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


class Kind(ABC, Generic[S]):
    """What there is to say about all occasions of one kind. Everything here is pure.

    :cvar NAME: under which occasions of it are stored.
    :cvar STATE: the dataclass of their state.
    :cvar GATHERS: people come by their messages, which are looked for at once after a start.
    """

    NAME: ClassVar[str]
    STATE: ClassVar[type[State]]
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
        does. It is asked until nothing does.
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

    def stands(self, occasion: Occasion[S], message_id: int) -> Act[S]:
        """What is to be done once that message stands.

        :raises NotImplementedError: the kind awaits none.
        """
        raise NotImplementedError

    def seatings(self, occasion: Occasion[S]) -> Sequence[Seating]:
        """The tables that should be there for it and are not known to it yet."""
        return ()

    def settled(self, occasion: Occasion[S]) -> frozenset[str]:
        """The slots whose tables are over and known to it: of these nothing more is to be heard."""
        return frozenset()

    def trophies(self, occasion: Occasion[S]) -> Sequence[TrophyRow]:
        """What people have won in it, once it is over."""
        return ()

    def told(self, occasion: Occasion[S], news: News, now: datetime) -> Occasion[S]:
        """The occasion after it has heard how a table of it stands; the same value if it knew."""
        return occasion


KINDS: dict[str, Kind[Any]] = {}
"""All kinds of occasions, by name."""


def kind_of(name: str) -> Kind[Any]:
    """The kind of a name.

    :raises ValueError: there is none; a later version may know it.
    """
    if name not in KINDS:
        raise ValueError(f"no kind of occasion is called {name}")
    return KINDS[name]


@dataclass(frozen=True, slots=True)
class Pass(Act[Any]):
    """Time has passed: whatever follows from that, follows."""

    def effect(self, occasion: Occasion[Any], now: datetime) -> Occasion[Any]:
        """Nothing by itself."""
        return occasion


@dataclass(frozen=True, slots=True)
class Hinder(Act[Any]):
    """Its channel could not be told: whoever has begun it hears of that, and not again for a week.
    It has a line, which names whom.
    """

    def effect(self, occasion: Occasion[Any], now: datetime) -> Occasion[Any]:
        """Nothing changes where nobody has begun it."""
        host = occasion.row.host_id
        last = next((line.at for line in reversed(occasion.journal) if line.kind == HINDERED), None)
        if occasion.over or host is None or (last is not None and now - last < AGAIN):
            return occasion
        return occasion.add(HINDERED, now, host)


@dataclass(frozen=True, slots=True)
class Hear(Act[Any]):
    """A table of the occasion has been opened, or is over."""

    news: News

    def effect(self, occasion: Occasion[Any], now: datetime) -> Occasion[Any]:
        """What the kind makes of it."""
        return occasion.kind.told(occasion, self.news, now)


@dataclass(frozen=True, slots=True)
class Leave(Act[Any]):
    """A person leaves for good."""

    person_id: int

    def effect(self, occasion: Occasion[Any], now: datetime) -> Occasion[Any]:
        """What the kind makes of it."""
        return occasion.kind.leave(occasion, self.person_id, now)
