"""What a bot does at its start and afterwards, without Discord, on any database file."""

from __future__ import annotations

import random
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cogs.games import WORDS
from cogs.present.surfaces import Presenter
from data.store.problems import Conflict, StoreProblem
from data.store.store import Store
from play.aggregate import Command
from play.moves import PlayForComputer, PlayMoves
from play.occasions.occasions import Occasions
from play.privacy import Privacy
from play.table import Refused, Table
from play.tables import Tables
from tests.play.kinds import KINDS

NOW = datetime(2027, 1, 1, tzinfo=UTC)
"""The time at which databases are read: long after the last entry, so that much is due."""

MOVES = 6
"""The number of tables at which to try a move."""


@dataclass
class Look:
    """What the bot could read.

    :param refused: the code of the problem for which the file was refused, if it was.
    :param sentences: the codes of later problems, each of which has a sentence for people.
    :param seen: the content of each table that could be read.
    """

    refused: str = ""
    sentences: set[str] = field(default_factory=set)
    seen: dict[int, object] = field(default_factory=dict)

    async def tried(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Await some work; return None if it fails with a known problem, and record the problem's
        code.
        """
        try:
            return await work
        except (StoreProblem, Conflict, Refused) as problem:
            self.sentences.add(problem.code)
            return None


async def look_at(file: Path, rng: random.Random) -> Look:
    """Open a database as the bot does, and use it.

    :param rng: chooses the moves.
    """
    look = Look()
    try:
        store = await Store.open(file, patience=0.1)
    except StoreProblem as problem:
        look.refused = problem.code
        return look
    try:
        await _use(store, look, rng)
    finally:
        await store.close()
    return look


async def table_ids(store: Store) -> list[int]:
    rows = await store.database.fetch("SELECT id FROM tables ORDER BY id")
    return [number for (number,) in rows]


def any_move(table: Table, rng: random.Random) -> Command[Table] | None:
    """A random move for the next seat; None if the table is unreadable or awaits no move."""
    if not table.running or table.unreadable or not table.awaited:
        return None
    match, seat = table.played, table.awaited[0]
    move = match.game.random_move(match.state, seat, rng)
    person = table.members[seat].person_id
    if seat in table.awaited_computers or person is None:
        return PlayForComputer(seat, move, table.opened(seat))
    return PlayMoves(person, (move,))


async def _use(store: Store, look: Look, rng: random.Random) -> None:
    tables = Tables(store, lambda: NOW)
    ids = await look.tried(table_ids(store)) or []
    people, servers = {0}, {0}
    found = []
    for table_id in ids:
        table = await look.tried(tables.fresh(table_id))
        if table is None:
            continue
        if table.unreadable:
            look.sentences.add(table.unreadable)
        found.append(table)
        look.seen[table_id] = (table.row, table.members, table.journal)
        people.update(member.person_id or 0 for member in table.members)
        servers.add(table.row.guild_id or 0)
        Presenter(WORDS).surfaces(table, 0, lambda key: 0)
        await look.tried(store.messages.all_of(table_id))
    await _look_at_lists(store, tables, look, people, servers)
    for table in rng.sample(found, min(MOVES, len(found))):
        await look.tried(tables.tick(table.id))
        now = await look.tried(tables.fresh(table.id))
        if now is not None and (command := any_move(now, rng)) is not None:
            await look.tried(tables.act(table.id, command))


async def _look_at_lists(
    store: Store, tables: Tables, look: Look, people: set[int], servers: set[int]
) -> None:
    """Run the queries that a start makes, and those across all tables."""
    asked: tuple[Callable[[], Coroutine[Any, Any, Any]], ...] = (
        lambda: store.tables.due(NOW),
        store.tables.next_due,
        lambda: store.tables.behind(NOW),
        store.tables.to_think,
        store.tables.open_ids,
        store.tables.places,
    )
    for ask in asked:
        await look.tried(ask())
    for server in sorted(servers):
        await look.tried(store.settings.server(server))
        await look.tried(store.standings.leaderboard(server, WORDS, 20, 0))
    for person in sorted(people):
        await look.tried(store.settings.person(person))
        await look.tried(store.privacy.kept(person))
        await look.tried(Privacy(tables, Occasions(store, tables.clock, KINDS)).departures(person))
