"""Replace a table with a twin that one viewer cannot tell from it."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from cogs.features import acting
from cogs.games import game
from data.store.rows import Loaded, Stored
from games.engine import Match
from play.fold import table_of
from play.table import Table, stored_of
from tests.stage import PATIENCE, Stage

ENOUGH = 4
"""The number of twins to compare a table with."""

ToldTo = Callable[[Stage, str, random.Random], Awaitable[list[Any]]]
"""Collects what a named person can see without moving; the generator picks samples."""


async def nothing_hidden_shows(
    stage: Stage,
    names: Sequence[str],
    twin: Callable[[Match[Any], int | None, random.Random], Match[Any] | None],
    told_to: ToldTo,
    rng: random.Random,
) -> None:
    """Fail if a person sees any difference at a twin of the table, in random play.

    :param names: the players and a spectator.
    :param twin: returns another match that looks the same to one viewer; None if there is none.
    """
    compared, stage.env.settle_timeout = 0, PATIENCE
    for turn in range(200):
        if compared >= ENOUGH:
            return
        table = await stage.table()
        for name in names if turn % 5 == 4 else ():
            other = twin(table.played, table.seat_of(stage.people[name].id), rng)
            if other is None:
                continue
            seed = rng.random()
            with unhurried():
                mine = await told_to(stage, name, random.Random(seed))
                with in_place_of(stage, table, other):
                    assert await told_to(stage, name, random.Random(seed)) == mine, (turn, name)
            compared += 1
        match = table.played
        seat = rng.choice(match.actors)
        await stage.move_unseen(seat, match.game.random_move(match.state, seat, rng))
    raise AssertionError(f"only {compared} twins came up")


@contextmanager
def unhurried() -> Iterator[None]:
    """Make autocompletion and forms wait for their content: on a busy machine they omit it
    after a second and a half, perhaps at only one of two twins.
    """
    with pytest.MonkeyPatch.context() as patch:
        for module in (acting, game):
            patch.setattr(module, "FORM_PATIENCE", PATIENCE)
        yield


@contextmanager
def in_place_of(stage: Stage, table: Table, twin: Match[Any]) -> Iterator[None]:
    """Replace a table's match with another one, wherever it is looked up.

    :param twin: another match with as many events, by the same seats.
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
    tables.forget(table.id)  # so that everything asks for it
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "get", looked_up)
        patch.setattr(tables, "fresh", looked_up)
        yield
