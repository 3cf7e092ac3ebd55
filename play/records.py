"""Match records: exporting those of finished tables, and replaying imported ones."""

from __future__ import annotations

import asyncio
from typing import Any

from games import GAMES
from games.engine import Match
from games.records import (
    BY_LOT,
    PLAYED,
    FaultyRecord,
    Record,
    decoded,
    plain_name,
    read,
    written,
)
from play.replays import Replay
from play.table import SEATING, Refused, RefusedByRules, Table, refuse_if
from play.tables import Tables


class RefusedRecord(Refused):
    """A record is invalid. ``code`` and ``data`` describe what is wrong; ``data`` includes the
    ``line``.

    :ivar cause: the rule that the line breaks, if it breaks one.
    """

    def __init__(self, fault: FaultyRecord) -> None:
        super().__init__(fault.code, **fault.data, line=fault.line)
        cause = self.data.pop("cause", None)
        game = self.data.pop("game", "")
        self.cause = cause and RefusedByRules(cause, game)


class Records:
    """Everything that can be done with match records."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store.records

    async def bring(self, person_id: int, data: bytes) -> int:
        """Store the record that a file contains, so that a person can replay it.

        :returns: the number of the record.
        :raises RefusedRecord: names the first invalid line.
        """
        record, _ = await asyncio.to_thread(_read, data)
        return await self._store.add(person_id, written(record), self._tables.clock())

    async def replay(self, record_id: int, person_id: int) -> Replay:
        """Replay a record that the person imported.

        :raises NoSuchRecord: the person has no such record, or no longer has it.
        :raises RefusedRecord: the rules have changed since.
        """
        text = await self._store.text(record_id, person_id, self._tables.clock())
        record, match = await asyncio.to_thread(_read, text.encode())
        return Replay(
            game=match.game,
            setup=match.setup,
            log=record.events,
            table=record.table,
            names=record.names,
            computers=record.computers,
            over=True,
        )

    async def prove(self, table: Table) -> Record:
        """Check a finished table exactly as anyone could check its exported record.

        :raises Refused: whatever ``record_of`` raises.
        :raises RefusedRecord: it is invalid, or was played under another version of the rules.
        """
        record, _ = await asyncio.to_thread(_read, written(record_of(table)).encode())
        return record


def _read(data: bytes) -> tuple[Record, Match[Any]]:
    try:
        return read(decoded(data), GAMES)
    except FaultyRecord as fault:
        raise RefusedRecord(fault) from fault


def record_of(table: Table) -> Record:
    """Return the record of a table.

    :raises Refused: ``not_over``: the seed is still secret; or whatever ``Table.played`` raises.
    """
    match = table.played
    refuse_if(not table.over, "not_over")
    row = table.row
    result = row.result or {}
    words = {member.number: member.word for member in table.members}
    order = sorted(words)
    hints = tuple(table.hints.get(seat, 0) for seat in range(len(table.members)))
    return Record(
        game=row.game,
        rules=row.rules,
        table=row.code,
        begun=row.created_at.date(),
        ended=row.moved_at.date(),
        seating=row.options.get(SEATING, BY_LOT),
        joined=tuple(order.index(member.number) for member in table.members),
        names=tuple(plain_name(name) for name in table.names),
        computers=table.computers,
        options=match.setup.options,
        seal=table.seal,
        seed=row.seed,
        secret=row.secret,
        message=table.drawn_by,
        words=tuple(words[number] for number in order),
        how=result.get("how", PLAYED),
        ranks=tuple(result.get("ranks", ())),
        scores=tuple(result.get("scores", ())),
        events=tuple(match.log),
        hints=hints if any(hints) else (),
    )
