"""The stock of riddles: one for each of the next thirty days, made in advance.

The bundled riddles (``data/riddles``) fill the stock of a new installation at once. Later, new ones
are made by searching matches in separate low-priority processes.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import date, datetime, timedelta
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Final

import structlog
from prometheus_client import Gauge

from data.store.riddles import RiddleRepository
from play.computers import NoAdvice, Thinkers
from play.daily import day_of
from play.guard import guarded
from play.riddles.making import ROTATION, make
from play.riddles.riddle import Riddle

log = structlog.get_logger()

SHIPPED: Final = Path(__file__).resolve().parent.parent.parent / "data" / "riddles"
"""The folder of the bundled riddles: a file for each game, with one riddle per line."""

DAYS: Final = 30
"""How many days, including today, should have a riddle."""

SHORT: Final = 10
"""With fewer days in stock, log a warning, so that the operator can look for the cause."""

MATCHES: Final = 20
"""The maximum number of matches searched in a row for one riddle."""

LONGEST: Final = 300.0
"""Seconds of real time that the search of one match may take."""

APART: Final = 3600.0
"""Seconds between two checks of the stock."""

STOCK: Final = Gauge("tafelrunde_riddles_in_stock", "Days from today on that have a riddle.")

Maker = Callable[[str], Awaitable[Riddle | None]]
"""Makes a riddle for a game, or returns None."""


def game_of(day: date) -> str:
    """Return the game of a day's riddle."""
    return ROTATION[day.toordinal() % len(ROTATION)]


@cache
def shipped(game_id: str) -> Sequence[str]:
    """Return the bundled riddles of a game, as texts."""
    return (SHIPPED / f"{game_id}.jsonl").read_text("utf-8").splitlines()


@lru_cache(maxsize=8)
def riddle_from(text: str) -> Riddle:
    """Return a stored riddle."""
    return Riddle.from_json(text)


Search = Callable[[], Riddle | None]
"""Searches one match for a riddle; it can be pickled."""


async def search_apart(search: Search) -> Riddle | None:
    """Search a match for a riddle, in a process that exists only for this search.

    :returns: None: there is no riddle, or the search did not finish.
    """
    thinkers = Thinkers(1, patience=LONGEST)
    try:
        return await thinkers.work(search, LONGEST)
    except NoAdvice:
        return None
    finally:
        thinkers.close()


async def make_apart(game_id: str) -> Riddle | None:
    """In a separate process, play a match and search it for a riddle; None if none was found."""
    seed = secrets.token_hex(8)
    log.debug("riddle_sought", game=game_id, seed=seed)
    return await search_apart(partial(make, game_id, seed))


class Stock:
    """Keeps riddles in stock for the coming days.

    :param make: makes new ones once all bundled ones have been used.
    """

    def __init__(self, store: RiddleRepository, make: Maker = make_apart) -> None:
        self._store = store
        self._make = make

    async def of_day(self, day: date) -> Riddle:
        """Return the riddle of a day, the same for everybody at any time."""
        text = await self._store.of_day(day)
        if text is None:
            used = await self._store.used()
            riddle = _unused(day, set(used)) or _oldest(day, used)
            await self._store.put({day: (game_of(day), riddle)})
            text = await self._store.of_day(day)
        if text is None:
            raise LookupError(f"{day}: the riddle is gone")
        return riddle_from(text)

    async def fill(self, today: date) -> int:
        """Fill the stock, as far as riddles can be found.

        :returns: how many days have a riddle.
        """
        days = [today + timedelta(days=n) for n in range(DAYS)]
        missing = await self._missing(days)
        if missing:
            used = set(await self._store.used())
            found: dict[date, tuple[str, str]] = {}
            for day in missing:
                if (text := _unused(day, used)) is not None:
                    used.add(text)
                    found[day] = game_of(day), text
            await self._store.put(found)
            for day in missing:
                if day not in found and (text := await self._made(day, used)) is not None:
                    used.add(text)
                    await self._store.put({day: (game_of(day), text)})
        count = len(days) - len(await self._missing(days))
        STOCK.set(count)
        if count < SHORT:
            log.warning("riddles_short", days=count, wanted=DAYS)
        return count

    async def keep(self, clock: Callable[[], datetime]) -> None:
        """Fill the stock again and again, until cancelled."""
        while True:
            with guarded("riddles_not_filled"):
                await self.fill(day_of(clock()))
            await asyncio.sleep(APART)

    async def _missing(self, days: Sequence[date]) -> list[date]:
        have = await self._store.stock(days[0])
        return [day for day in days if day not in have]

    async def _made(self, day: date, used: Collection[str]) -> str | None:
        for _ in range(MATCHES):
            riddle = await self._make(game_of(day))
            if riddle is not None and (text := riddle.to_json()) not in used:
                return text
        return None


def _unused(day: date, used: Collection[str]) -> str | None:
    """Return the first bundled riddle that has not been used; None if all have been."""
    return next((text for text in shipped(game_of(day)) if text not in used), None)


def _oldest(day: date, used: Sequence[str]) -> str:
    """Return the bundled riddle that was used longest ago: repeating one is better than having
    none.
    """
    return min(shipped(game_of(day)), key=lambda text: _last(used, text))


def _last(used: Sequence[str], text: str) -> int:
    return max((n for n, each in enumerate(used) if each == text), default=-1)
