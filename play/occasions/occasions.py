"""All occasions: each is loaded whole, decided about, and committed whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from data.store.occasions import Convened, Convening
from data.store.problems import NoSuchOccasion
from data.store.store import Store
from play.aggregates import Aggregates
from play.occasions.occasion import Act, Occasion, Pass, State, kind_of
from play.table import Refused

Changed = tuple[Occasion[Any], Occasion[Any]]
"""An occasion before and after a command; the same value if that did nothing."""


class Occasions(Aggregates[Occasion[Any], Act[Any]]):
    """Everything that can be done with occasions."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        """:param clock: tells the present time, with its time zone."""
        super().__init__(store, clock, store.occasions, store.occasion_messages)

    # -- looking
    async def by_code(self, code: str) -> Occasion[Any]:
        """The occasion with a short code, as people type it.

        :raises NoSuchOccasion: there is none.
        """
        if not code.isascii():  # lone surrogates, for one, could not even be looked for
            raise NoSuchOccasion(code)
        return await self.get(await self.store.occasions.id_of(code.strip().upper()))

    async def of_scope(self, scope: str) -> Occasion[Any] | None:
        """The occasion of a scope, if there is one."""
        number = await self.store.occasions.of_scope(scope)
        return None if number is None else await self.get(number)

    async def of_kind(self, kind: str, guild_id: int | None = None) -> list[Occasion[Any]]:
        """The occasions of a kind that are not over, oldest first; those that cannot be read are
        left out.

        :param guild_id: on this server; None: anywhere.
        """
        numbers = await self.store.occasions.of_kind(kind, guild_id)
        return [occasion async for occasion in self.each(numbers)]

    async def of_person(self, person_id: int) -> list[Occasion[Any]]:
        """The occasions that name a person and are not over, latest change first."""
        numbers = await self.store.occasions.of_person(person_id)
        return [occasion async for occasion in self.each(numbers)]

    # -- doing
    async def open(
        self,
        kind: str,
        state: State,
        *,
        guild_id: int | None,
        channel_id: int,
        language: str,
        host_id: int | None = None,
        scope: str | None = None,
        interaction_id: int | None = None,
    ) -> Occasion[Any]:
        """Begin an occasion. Of a scope there is one: the one that is there already is given.

        :raises AlreadyCounted: the interaction has had its effect before.
        """
        convening = Convening(
            kind=kind,
            guild_id=guild_id,
            channel_id=channel_id,
            host_id=host_id,
            language=language,
            state=kind_of(kind).written(state),
            people=[*state.names],
            scope=scope,
            interaction_id=interaction_id,
        )
        at = self.clock().replace(microsecond=0)
        opened = self._keep(_occasion_of(await self.store.occasions.open(convening, at)))
        after = await self.tick(opened.id)  # what follows from it follows at once
        return after if after.revision > opened.revision else self._tell(after)

    async def act(self, number: int, command: Act[Any]) -> Changed:
        """Carry out a command with all that follows from it: decide, commit, tell the listeners.

        :raises Refused: it is not possible; nothing was changed.
        :raises Conflict: ``NoSuchOccasion``, ``AlreadyCounted``.
        """
        return await self._carry_out(number, command)

    # -- inside
    async def _load(self, number: int) -> Occasion[Any]:
        return _occasion_of(await self.store.occasions.load(number))

    async def _commit(self, before: Occasion[Any], after: Occasion[Any]) -> bool:
        lines, names = after.journal[before.revision :], [*after.state.names]
        won = after.kind.trophies(after) if after.over and not before.over else ()
        return await self.store.occasions.commit(before.row, after.row, lines, names, won)

    def _decide(self, value: Occasion[Any], command: Act[Any]) -> Occasion[Any]:
        return decide(value, command, self.clock())

    async def _completed(self, value: Occasion[Any]) -> Occasion[Any]:
        """With the settings of people who have come."""
        strangers = value.state.names.keys() - value.people.keys()
        if not strangers:
            return value
        settings = self.store.settings
        come = {person: await settings.person(person) for person in sorted(strangers)}
        return replace(value, people={**value.people, **come})

    def _tick(self) -> Act[Any]:
        return Pass()


def decide(occasion: Occasion[Any], command: Act[Any], now: datetime) -> Occasion[Any]:
    """The occasion after a command and all that follows from it; the same value if that is nothing.

    :raises Refused: the command is not possible; ``already_counted``: it has had its effect.
    """
    now = now.replace(microsecond=0)  # as it is stored
    once = command.interaction_id
    if once is not None and any(line.interaction_id == once for line in occasion.journal):
        raise Refused("already_counted")
    after = command.effect(occasion, now)
    while not after.over and (following := after.kind.follow(after, now)) is not after:
        after = following
    due = None if after.over else after.kind.due(after)
    if after.revision == occasion.revision:
        if due == occasion.row.due_at and after.state == occasion.state:
            return occasion
        # Whatever changes has a line: by it others know that their memory is old.
        after = after.add("clock", now)
    if once is not None:
        journal = list(after.journal)
        journal[occasion.revision] = replace(journal[occasion.revision], interaction_id=once)
        after = replace(after, journal=tuple(journal))
    return replace(after, row=replace(after.row, due_at=due, state=after.kind.written(after.state)))


def _occasion_of(found: Convened) -> Occasion[Any]:
    """The value that is stored.

    :raises ValueError: its kind is not known, or its state is not one of its kind.
    """
    kind = kind_of(found.row.kind)
    state = kind.read(found.row.state)
    return Occasion(found.row, state, found.journal, found.people, found.server)
