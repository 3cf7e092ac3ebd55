"""How many moves a second one and two processes decide and deliver, in a file and at PostgreSQL.

``python -m benchmarks.scale [--tables N] [--moves N] [--runs N] [--stored N ...] [--seed N]``

The real bot runs as processes of its own against a stand-in Discord over sockets, which shares the
processors with it. At tables on servers of all shards people type their moves, each as soon as the
last one of the table is told. Figures are medians over the runs:

moves/s   moves that count, of all tables together
p50, p99  milliseconds until a command was acknowledged
cpu       milliseconds of processor time of the bot's processes a move
start     seconds from the start of a process, imports excepted, until it listens
ratio     of ``cpu``, to the first line

With ``--stored`` so many tables lie in the database before, one in twenty of them running.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

import psutil  # type: ignore[import-untyped]

from data.store.access import Database, Record
from data.store.place import Place
from tests.chaos import guild_of
from tests.postgres import shared_server
from tests.stores import looking_into, schema
from tests.wire.joust import Joust
from tests.wire.kills import process
from tests.wire.process import BotProcess
from tests.wire.standin import StandIn

RUNNING = 20
"""Of so many stored tables one is running."""

RESTING = 0.15
"""Seconds of processor time that processes use in a second at most while they rest."""

CHUNK = 1000
"""Tables that are written in one transaction."""

SETUPS = (("file", 1), ("server", 1), ("server", 2))
"""Where everything is kept, and by how many processes it is used."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one run; see the module."""

    moves: float
    p50: float
    p99: float
    cpu: float
    start: float


# ---------------------------------------------------------------------------------- setting up
@contextmanager
def place_for(kind: str, folder: Path) -> Iterator[Place]:
    """A new database."""
    if kind == "file":
        yield folder / "tafelrunde.sqlite3"
    else:
        with shared_server().house() as house:
            yield house


def fill(place: Place, count: int) -> None:
    """Store copies of the first table, and of all that belongs to it, under numbers of their own.

    They stand in other channels; one in ``RUNNING`` is running, and told.
    """
    with looking_into(place) as db:
        columns = schema(db)
        parts = {name: list(db.execute(f"SELECT * FROM {name}").fetchall()) for name in columns}  # noqa: S608
        template = next(row for row in parts["tables"])
        own = [name for name in columns if "table_id" in columns[name]]
        for first in range(1, count + 1, CHUNK):
            numbers = range(first, min(first + CHUNK, count + 1))
            db.execute("BEGIN")
            add(
                db,
                "tables",
                columns["tables"],
                [_table(template, n, columns["tables"]) for n in numbers],
            )
            for name in own:
                rows = [row for row in parts[name] if row["table_id"] == template["id"]]
                copies = [_part(row, n, columns[name]) for n in numbers for row in rows]
                add(db, name, columns[name], copies)
            db.execute("COMMIT")


OFFSET = 1_000_000


def _table(row: Record, number: int, columns: Sequence[str]) -> list[object]:
    running = number % RUNNING == 0
    changed = {
        "id": OFFSET + number,
        "code": f"X{number}",
        "status": "running" if running else "ended",
        "channel_id": OFFSET + number,
        "due_at": None,
        "told": row["revision"],
    }
    return [changed.get(column, row[column]) for column in columns]


def _part(row: Record, number: int, columns: Sequence[str]) -> list[object]:
    changed = {"table_id": OFFSET + number, "interaction_id": None}
    return [changed.get(column, row[column]) for column in columns]


def add(db: Database, name: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Insert rows."""
    marks = ", ".join("?" * len(columns))
    if rows:
        db.executemany(f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({marks})", rows)  # noqa: S608


# ----------------------------------------------------------------------------------- measuring
async def run(
    kind: str, processes: int, tables: int, moves: int, stored: int, seed: int
) -> Figures:
    """Play so many moves at so many tables."""
    async with AsyncExitStack() as opened:
        folder = Path(opened.enter_context(TemporaryDirectory()))
        place = opened.enter_context(place_for(kind, folder))
        discord = await opened.enter_async_context(StandIn())
        bots = [
            (
                await opened.enter_async_context(
                    process(discord, "bot", folder, place, f"{shard}/{processes}")
                )
            )[0]
            for shard in range(processes)
        ]
        for bot in bots:
            await bot.start()
        jousts = [
            Joust(discord, place, guild_of(discord, n % processes, processes))
            for n in range(tables)
        ]
        for joust in jousts:
            await joust.open(starter=1)
        if stored:
            for bot in bots:
                await bot.terminate()
            await asyncio.to_thread(fill, place, stored)
        starts = [await started(bot, again=bool(stored)) for bot in bots]
        return await measured(bots, jousts, moves, random.Random(seed), max(starts))


async def started(bot: BotProcess, *, again: bool) -> float:
    """Seconds that a process takes to start; it is started anew."""
    if not again:
        await bot.terminate()
    begun = time.monotonic()
    await bot.start()
    return time.monotonic() - begun


async def measured(
    bots: Sequence[BotProcess],
    jousts: Sequence[Joust],
    moves: int,
    chaos: random.Random,
    start: float,
) -> Figures:
    """Play, and look at the clocks."""
    answers: list[float] = []
    left = itertools.count()

    async def play(joust: Joust) -> None:
        record = await joust.settled()
        match = record.match
        while next(left) < moves and match.outcome is None:
            (seat,) = match.actors
            square = chaos.choice(match.game.legal(match.state, seat))
            act = joust.people[seat].slash(joust.room, "lancelot place", square=square)
            begun = time.monotonic()
            await act
            answers.append(time.monotonic() - begun)
            match.play(seat, (square,))
            boards = len(match.log)
            await joust.discord.world.until(
                lambda boards=boards: len(joust.told) >= boards,  # type: ignore[misc]
                what="the board",
            )

    await rested(bots)
    work = cpu(bots)
    begun = time.monotonic()
    await asyncio.gather(*map(play, jousts))
    seconds = time.monotonic() - begun
    spent = cpu(bots) - work
    cuts = quantiles(answers, n=100)
    done = len(answers)
    return Figures(done / seconds, 1000 * cuts[49], 1000 * cuts[98], 1000 * spent / done, start)


async def rested(bots: Sequence[BotProcess]) -> None:
    """Wait until processes have caught up after their start."""
    work = -1.0
    while cpu(bots) - work > RESTING:
        work = cpu(bots)
        await asyncio.sleep(1)


def cpu(bots: Sequence[BotProcess]) -> float:
    """Seconds of processor time that processes have used."""
    return sum(sum(psutil.Process(bot.pid).cpu_times()[:2]) for bot in bots)


def main() -> None:
    """Measure everything, and print a line each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--moves", type=int, default=200)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--stored", type=int, nargs="*", default=[10, 10_000])
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    chosen = parser.parse_args()
    print(f"--seed {chosen.seed}; {chosen.tables} tables, {chosen.moves} moves a run")
    print(f"{'':<28}moves/s    p50 ms    p99 ms    cpu ms   start s   ratio")
    setups = [(kind, n, 0) for kind, n in SETUPS]
    setups += [(kind, 1, stored) for kind in ("file", "server") for stored in chosen.stored]
    base = 0.0
    for kind, processes, stored in setups:
        runs = [
            asyncio.run(
                run(kind, processes, chosen.tables, chosen.moves, stored, chosen.seed + number)
            )
            for number in range(chosen.runs)
        ]
        each = [
            median(getattr(figures, name) for figures in runs)
            for name in ("moves", "p50", "p99", "cpu", "start")
        ]
        base = base or each[3]
        name = f"{kind}, {processes} process{'es' * (processes > 1)}, {stored} stored"
        numbers = "".join(f"{number:>10.1f}" for number in each)
        print(f"{name:<28}{numbers}{each[3] / base:>8.2f}", flush=True)


if __name__ == "__main__":
    main()
