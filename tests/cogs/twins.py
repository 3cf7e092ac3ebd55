"""Tables that one viewer cannot tell apart, in place of each other."""

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

ENOUGH = 12
"""Twins with which a table is compared."""

ToldTo = Callable[[Stage, str, random.Random], Awaitable[list[Any]]]
"""All that a person, by name, can get to see and hear without moving; what to try is drawn."""


async def nothing_hidden_shows(
    stage: Stage,
    names: Sequence[str],
    twin: Callable[[Match[Any], int | None, random.Random], Match[Any] | None],
    told_to: ToldTo,
    rng: random.Random,
) -> None:
    """Fail if somebody is told anything else at a twin of the table, in random play.

    :param names: of players and of somebody who looks on.
    :param twin: a match that one viewer cannot tell apart; None: there is none.
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
    """Let autocompletion and forms wait for what they show: on a busy machine they leave it out
    after a second and a half, at one of two twins as it happens.
    """
    with pytest.MonkeyPatch.context() as patch:
        for module in (acting, game):
            patch.setattr(module, "FORM_PATIENCE", PATIENCE)
        yield


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
