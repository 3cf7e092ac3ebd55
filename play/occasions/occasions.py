"""All occasions: each is loaded, changed and committed as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from data.store.occasions import Convened, Convening
from data.store.problems import NoSuchOccasion
from data.store.store import Store
from play.aggregate import Command
from play.aggregates import Aggregates
from play.decision import decided
from play.occasions.occasion import Occasion, OccasionKind, OccasionState


class Occasions(Aggregates[Occasion[Any]]):
    """Everything that can be done with occasions."""

    MISSING = NoSuchOccasion

    def __init__(
        self, store: Store, clock: Callable[[], datetime], kinds: Iterable[OccasionKind[Any]]
    ) -> None:
        """:param clock: returns the current time, with its time zone.
        :param kinds: all kinds of occasions.
        """
        super().__init__(store, clock, store.occasions, store.occasion_messages)
        self._kinds = {kind.NAME: kind for kind in kinds}

    # -- looking
    async def of_scope(self, scope: str) -> Occasion[Any] | None:
        """Return the occasion with this scope; None if there is none."""
        number = await self.store.occasions.of_scope(scope)
        return None if number is None else await self.get(number)

    async def of_kind(self, kind: str, guild_id: int | None = None) -> list[Occasion[Any]]:
        """Return the occasions of a kind that are not over, oldest first; unreadable ones are left
        out.

        :param guild_id: the server; None: any server.
        """
        numbers = await self.store.occasions.of_kind(kind, guild_id)
        return [occasion async for occasion in self.each(numbers)]

    async def of_person(self, person_id: int) -> list[Occasion[Any]]:
        """Return the occasions that involve a person and are not over, latest change first."""
        numbers = await self.store.occasions.of_person(person_id)
        return [occasion async for occasion in self.each(numbers)]

    # -- doing
    async def open(
        self,
        kind: str,
        state: OccasionState,
        *,
        guild_id: int | None,
        channel_id: int,
        language: str,
        host_id: int | None = None,
        scope: str | None = None,
        interaction_id: int | None = None,
    ) -> Occasion[Any]:
        """Open an occasion. A scope has at most one occasion; if there is one, return it.

        :raises AlreadyCounted: the interaction was carried out before.
        """
        convening = Convening(
            kind=kind,
            guild_id=guild_id,
            channel_id=channel_id,
            host_id=host_id,
            language=language,
            state=self._kind_of(kind).written(state),
            people=[*state.names],
            scope=scope,
            interaction_id=interaction_id,
        )
        at = self.clock().replace(microsecond=0)
        opened = self._keep(self._occasion_of(await self.store.occasions.open(convening, at)))
        after = await self.tick(opened.id)  # apply its consequences at once
        return after if after.revision > opened.revision else self._tell(after)

    # -- inside
    async def _load(self, number: int) -> Occasion[Any]:
        return self._occasion_of(await self.store.occasions.load(number))

    async def _commit(self, before: Occasion[Any], after: Occasion[Any]) -> bool:
        lines, names = after.journal[before.revision :], [*after.state.names]
        won = after.kind.trophies(after) if after.over and not before.over else ()
        return await self.store.occasions.commit(before.row, after.row, lines, names, won)

    def _decide(self, value: Occasion[Any], command: Command[Occasion[Any]]) -> Occasion[Any]:
        return decide(value, command, self.clock())

    async def _completed(self, value: Occasion[Any]) -> Occasion[Any]:
        """Add the settings of people who are new to the occasion."""
        strangers = value.state.names.keys() - value.people.keys()
        if not strangers:
            return value
        settings = self.store.settings
        come = {person: await settings.person(person) for person in sorted(strangers)}
        return replace(value, people={**value.people, **come})

    def _occasion_of(self, found: Convened) -> Occasion[Any]:
        """Build an occasion from its stored rows.

        :raises ValueError: the kind is unknown, or the state is not of that kind.
        """
        kind = self._kind_of(found.row.kind)
        state = kind.read(found.row.state)
        return Occasion(found.row, kind, state, found.journal, found.people, found.server)

    def _kind_of(self, name: str) -> OccasionKind[Any]:
        """Return the kind with this name.

        :raises ValueError: the name is unknown; it may come from a later version.
        """
        if name not in self._kinds:
            raise ValueError(f"unknown kind of occasion: {name!r}")
        return self._kinds[name]


def decide(
    occasion: Occasion[Any], command: Command[Occasion[Any]], now: datetime
) -> Occasion[Any]:
    """Return the occasion after a command and all its consequences; the same object if nothing
    changes.

    :raises Refused: whatever ``decided`` raises.
    """
    return decided(occasion, command, now, settled)


def settled(before: Occasion[Any], after: Occasion[Any], now: datetime) -> Occasion[Any]:
    """Return a changed occasion with all its consequences; ``before`` if nothing has changed."""
    while not after.over and (following := after.kind.follow(after, now)) is not after:
        after = following
    due = None if after.over else after.kind.due(after)
    if after.revision == before.revision:
        if due == before.row.due_at and after.state == before.state:
            return before
        # Every change has a line, so other processes can tell their copy is stale.
        after = after.add("clock", now)
    return replace(after, row=replace(after.row, due_at=due, state=after.kind.written(after.state)))
