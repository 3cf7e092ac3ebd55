"""Tables that one viewer cannot tell apart, in place of each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from data.store.rows import Loaded, Stored
from games.engine import Match
from play.fold import table_of
from play.table import Table, stored_of
from tests.stage import Stage


@contextmanager
def in_place_of(stage: Stage, table: Table, twin: Match[Any]) -> Iterator[None]:
    """Let the house take another match for that of a table, wherever it looks it up.

    :param twin: with as many events, of the same seats.
    """
    moves = dict(zip(table.lines, (event.move for event in twin.log), strict=True))
    journal = tuple(replace(line, text=moves.get(line.number, line.text)) for line in table.journal)
    stored = Stored(**{**stored_of(table), "journal": journal})
    other = table_of(Loaded(stored, table.people, table.server))
    assert other.played.state == twin.state

    async def looked_up(table_id: int) -> Table:
        assert table_id == table.id
        return other

    tables = stage.bot.tables
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(tables._held, table.id, other)
        patch.setattr(tables, "get", looked_up)
        patch.setattr(tables, "fresh", looked_up)
        yield
