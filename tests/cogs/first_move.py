"""A newcomer's path from first seeing the bot to the first move."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any, Final

from games.engine import CHANCE
from play.table import Table
from tests.cogs.test_front import invited
from tests.stage import Stage, controls, private, use

PLACES: Final = ("server", "direct", "chat")
"""A server that the bot has just joined, direct messages with the bot, and a group chat."""


@dataclass(frozen=True, slots=True)
class Way:
    """How much effort it took to reach the first move.

    :param typed: the number of commands typed; everything else was tapped.
    :param seconds: processor time for all answers, including the simulation's own.
    """

    taps: int
    typed: int
    seconds: float


async def first_move(stage: Stage, place: str) -> Way:
    """Have Anna look at the games, begin a match of Lancelot against the computer, and move."""
    anna = stage.people["Anna"]
    await invited(stage)
    greeting, typed = stage.channel.last_message, 0
    began = time.process_time()
    if place == "chat":
        stage.go_abroad()
    if place != "server":
        anna = anna.user if place == "direct" else anna
        told = anna.slash("play") if place == "direct" else anna.slash(stage.channel, "play")
        greeting, typed = private(await told), 1
    page = private(await use(anna, greeting, "game", "lancelot"))
    await use(anna, page, "alone", "lancelot.novice")
    taps, person = 2, stage.people["Anna"]
    table = await _awaited(stage, person.id)
    shown = await _board(stage, place, table)
    while not _has_moved(table, person.id):
        shown = private(await stage.choose(person, shown, random.Random(0))) or shown
        taps += 1
        table = await stage.bot.tables.get(table.id)
    return Way(taps, typed, time.process_time() - began)


async def _awaited(stage: Stage, person_id: int) -> Table:
    """The person's table, once it is their turn."""
    for _ in range(500):
        await stage.env.settle()
        (table,) = await stage.bot.tables.of_person(person_id)
        if table.awaited_persons:
            return table
    raise AssertionError("the computer player does not move")


async def _board(stage: Stage, place: str, table: Table) -> Any:
    """The board in the place where the person sees it."""
    await stage.bot.table_delivery.bring(table.id)
    seen = stage.dms("Anna") if place == "direct" else stage.channel.history()
    return next(m for m in reversed(seen) if any(c.chooses for c in controls(m)))


def _has_moved(table: Table, person_id: int) -> bool:
    seat = table.seat_of(person_id)
    return seat != CHANCE and any(event.seat == seat for event in table.played.log)
