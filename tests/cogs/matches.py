"""Matches played to the end, or part of the way, for tests of what follows."""

from __future__ import annotations

import random
from collections.abc import Sequence

from games import GAMES
from play.table import Table
from tests.stage import Stage, random_moves

WINNING = (("Anna", "E5"), ("Ben", "J5"), ("Anna", "H5"), ("Ben", "D11"), ("Anna", "D5"))
"""Five moves of Lancelot in which Anna takes one stone, which is enough with ``goal=1``."""

MISSING = (
    *(("Anna", "D10"), ("Ben", "F10"), ("Anna", "I11"), ("Ben", "K10"), ("Anna", "D11")),
    *(("Ben", "D4"), ("Anna", "D5")),
)
"""Seven moves with the same result. With the sixth, Ben misses a win and lets Anna win."""


async def won_by_anna(
    stage: Stage, most: int | None = None, moves: Sequence[tuple[str, str]] = WINNING
) -> Table:
    """Play a short match of Lancelot between Anna and Ben, or its beginning."""
    await stage.lancelot(goal=1)
    for name, square in moves[:most]:
        person = stage.people[name]
        await person.slash(stage.channel, "lancelot place", square=square)
    return await stage.table()


async def played_at_random(stage: Stage, game: str, rng: random.Random, most: int = 10**6) -> Table:
    """Play a random match, or its beginning, with as few people as the game allows, but at least
    two; the moves are not reported in the channel.
    """
    table = await stage.open(game, max(2, min(GAMES[game].info.players)))
    return await stage.moves_unseen(random_moves(table.played, rng)[:most])


async def everything_is_told(stage: Stage) -> None:
    """Fail unless everything about the channel's table has been reported."""
    table = await stage.table()
    assert await stage.bot.table_delivery.bring(table.id) is None
    told, _ = await stage.bot.store.messages.all_of(table.id)
    assert told == table.revision
