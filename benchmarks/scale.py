"""How many moves per second several processes handle, with a file and with PostgreSQL.

``python -m benchmarks.scale [--tables N] [--moves N] [--runs N] [--stored N ...] [--running N]
[--servers N ...] [--only NAME] [--append FILE] [--seed N]``

The real bot runs in its own processes against a stand-in Discord over sockets on the same machine.
People type their moves at tables on servers of all shards, each move as soon as the table shows the
previous one. Figures are medians over the runs:

moves/s   counted moves of all tables together
p50, p99  milliseconds until a command was acknowledged
cpu       milliseconds of the bot's CPU time per move
start     seconds from the start of the slowest process, without imports, until it listens
memory    resident memory of all the bot's processes together, in MB
asks/s    requests a second in the first minute after a start with stored tables
ratio     ``cpu`` relative to the first line

``--stored`` puts this many tables into the database first, at most about ``--running`` of them
running, the others over and packed; ``--servers`` puts the bot on this many more servers.
``--append`` keeps the runs in a file and includes those already there, so that the benchmark can be
done in pieces; ``--only`` selects setups by a part of their name, such as ``server, 2 processes``.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

import psutil  # type: ignore[import-untyped]

from bot import BEFORE_REHEARSAL
from data.store.access import Database
from data.store.packing import packed
from data.store.place import Place
from data.store.rows import Line
from tests.chaos import guild_of
from tests.play.house import started as house_of
from tests.postgres import shared_server
from tests.stores import looking_into, schema
from tests.wire.joust import Joust
from tests.wire.kills import process
from tests.wire.process import BotProcess
from tests.wire.standin import StandIn
from tests.wire.world import Channel

RUNNING = 20
"""One stored table in this many is running, up to ``--running``."""

SHARING = 100
"""How many running tables share a channel."""

WATCHED = 60
"""Seconds after a start with stored tables during which requests are counted."""

EACH = 20
"""Stored tables per person."""

APART = 1_000_000_000
"""The distance between the ids of people at stored tables, and of their messages."""

RESTING = 0.15
"""The most CPU seconds per second that idle processes use."""

LONGEST = 120.0
"""Seconds within which Discord must have announced all servers to the bot."""

CHUNK = 50_000
"""Tables written in one transaction."""

SETUPS = (("file", 1), ("server", 1), ("server", 2), ("server", 4))
"""The kinds of databases, each with a number of processes."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one run; see the module."""

    moves: float
    p50: float
    p99: float
    cpu: float
    start: float
    memory: float
    asks: float


@dataclass(frozen=True, slots=True)
class Setup:
    """A setup to measure.

    :param kind: ``file`` or ``server``.
    :param stored: tables stored beforehand.
    :param servers: how many more servers the bot is on, where nobody plays.
    """

    kind: str
    processes: int = 1
    stored: int = 0
    running: int = 0
    servers: int = 0

    def __str__(self) -> str:
        told = [self.kind, f"{self.processes} process{'es' * (self.processes > 1)}"]
        if self.stored:
            told.append(
                f"{self.stored} stored, {min(self.running, self.stored // RUNNING)} running"
            )
        return ", ".join(told + [f"{self.servers} servers"] * bool(self.servers))


# ---------------------------------------------------------------------------------- setting up
@contextmanager
def place_for(kind: str, folder: Path) -> Iterator[Place]:
    if kind == "file":
        yield folder / "tafelrunde.sqlite3"
    else:
        with shared_server().house() as house:
            yield house


def fill(place: Place, count: int, running: int) -> None:
    """Store this many copies of the first table in other channels with other people: some are
    running and shown; the others are over, each with the packed journal of a whole match.
    """
    journal = whole_match()
    every = spacing(count, running)
    with looking_into(place) as db:
        if isinstance(place, Path):
            db.execute("PRAGMA synchronous = OFF")
        columns = schema(db)
        ((first,),) = db.execute("SELECT min(id) FROM tables").fetchall()
        for start in range(1, count + 1, CHUNK):
            last = min(start + CHUNK - 1, count)
            numbers = f"""WITH RECURSIVE numbers (n) AS
                (SELECT {start} UNION ALL SELECT n + 1 FROM numbers WHERE n < {last})"""  # noqa: S608
            runs, over = f"n % {every} = 0", f"n % {every} <> 0"
            table = {
                "id": f"{OFFSET} + n",
                "code": "'X' || n",
                "status": f"CASE WHEN {runs} THEN 'running' ELSE 'finished' END",
                "channel_id": f"{OFFSET} + n / {every * SHARING}",
                "due_at": "NULL",
                "revision": f"CASE WHEN {runs} THEN revision ELSE {len(journal)} END",
                "packed_to": f"CASE WHEN {runs} THEN 0 ELSE {len(journal)} END",
                "told": f"CASE WHEN {runs} THEN revision ELSE {len(journal)} END",
                "moved_at": "moved_at - n",
            }
            person = f"person_id + CAST({APART} AS BIGINT) * (1 + n / {EACH})"
            part = {"table_id": f"{OFFSET} + n", "interaction_id": "NULL", "person_id": person}
            db.execute("BEGIN")
            copy(db, numbers, "tables", columns["tables"], table, f"id = {first}")
            for name in columns:
                if "table_id" in columns[name] and name not in ("packed", "finished"):
                    which = f"table_id = {first}" + ("" if name == "members" else f" AND {runs}")
                    changed = dict(part)
                    if name == "messages":
                        changed["message_id"] = f"message_id + {APART} * n"
                        changed["channel_id"] = table["channel_id"]
                    copy(db, numbers, name, columns[name], changed, which)
            db.execute(
                f"""INSERT INTO packed (table_id, lines) {numbers}
                SELECT {OFFSET} + n, ? FROM numbers WHERE {over}""",  # noqa: S608
                [packed(journal)],
            )
            db.execute("COMMIT")
        if not isinstance(place, Path):
            db.execute("ANALYZE")  # a running server does this by itself
    if isinstance(place, Path):
        with place.open("rb") as file:
            os.fsync(file)  # so that no move has to wait for these writes


def spacing(count: int, running: int) -> int:
    """Return how far apart running tables are among ``count`` stored ones."""
    return max(RUNNING, count // running)


def show(room: Channel, count: int, running: int) -> None:
    """Put into Discord what ``fill`` stores: the channels, and for each running table copies of the
    messages of a room.
    """
    assert room.guild is not None
    world, every, messages = room.world, spacing(count, running), room.messages
    for n in range(every, count + 1, every):
        number = OFFSET + n // (every * SHARING)
        if number not in world.channels:
            world.channels[number] = replace(room, id=number)
            room.guild.channels.append(world.channels[number])
        channel = world.channels[number]
        for message in messages:
            twin = replace(message, id=message.id + APART * n, channel=channel)
            world.messages[twin.id] = twin


def copy(
    db: Database,
    numbers: str,
    name: str,
    columns: Sequence[str],
    changed: Mapping[str, str],
    which: str,
) -> None:
    """Insert copies of some rows of a table: for each number, one copy of each row.

    :param changed: other values for some columns.
    """
    values = ", ".join(changed.get(column, column) for column in columns)
    db.execute(
        f"""INSERT INTO {name} ({", ".join(columns)}) {numbers}
        SELECT {values} FROM numbers CROSS JOIN {name} WHERE {which}"""  # noqa: S608
    )


def whole_match() -> tuple[Line, ...]:
    """Return the journal of a match of Lancelot."""
    house = house_of(2, careful=False)
    house.moves_at_random(2000, random.Random(0))
    assert house.table.over
    return house.table.journal


OFFSET = 1_000_000
"""The ids of stored tables follow this number."""


# ----------------------------------------------------------------------------------- measuring
async def run(setup: Setup, tables: int, moves: int, seed: int) -> Figures:
    async with AsyncExitStack() as opened:
        folder = Path(opened.enter_context(TemporaryDirectory()))
        place = opened.enter_context(place_for(setup.kind, folder))
        discord = await opened.enter_async_context(StandIn())
        processes, stored = setup.processes, setup.stored
        for _ in range(setup.servers):
            discord.guild("Camelot")
        bots = [
            (
                await opened.enter_async_context(
                    process(discord, "bot", folder, place, f"{shard}/{processes}", pixels=True)
                )
            )[0]
            for shard in range(processes)
        ]
        for bot in bots:
            await bot.start()
        if setup.servers:
            await rested(bots, discord)  # so that they know all servers
        jousts = [
            Joust(discord, place, guild_of(discord, n % processes, processes))
            for n in range(tables)
        ]
        for joust in jousts:
            await joust.open(starter=1)
        if stored:
            for bot in bots:
                await bot.terminate()
            await asyncio.to_thread(fill, place, stored, setup.running)
            show(jousts[0].room, stored, setup.running)
        starts = [await started(bot, again=bool(stored)) for bot in bots]
        asks = await asked(discord) if stored else 0.0
        return await measured(bots, jousts, moves, random.Random(seed), max(starts), asks)


async def started(bot: BotProcess, *, again: bool) -> float:
    """Start a process again, and return the seconds that this takes.

    :param again: whether it has been ended already.
    """
    if not again:
        await bot.terminate()
    begun = time.monotonic()
    await bot.start()
    return time.monotonic() - begun


async def asked(discord: StandIn) -> float:
    """Return how many requests a second arrive in the next ``WATCHED`` seconds."""
    before = len(discord.faults.requests)
    await asyncio.sleep(WATCHED)
    return (len(discord.faults.requests) - before) / WATCHED


async def measured(
    bots: Sequence[BotProcess],
    jousts: Sequence[Joust],
    moves: int,
    chaos: random.Random,
    start: float,
    asks: float,
) -> Figures:
    answers: list[float] = []
    left = itertools.count()

    async def play(joust: Joust) -> None:
        match = matches[joust]
        while next(left) < moves and match.outcome is None:
            (seat,) = match.actors
            square = chaos.choice(match.game.legal(match.state, seat))
            act = joust.people[seat].slash(joust.room, "lancelot place", square=square)
            begun = time.monotonic()
            await act
            answers.append(time.monotonic() - begun)
            match.play(seat, (square,))
            await joust.discord.world.until(
                lambda square=square: (  # type: ignore[misc]
                    joust.told[-1:] == [square] or joust.results
                ),
                what="the board",
            )

    matches = {joust: (await joust.settled()).match for joust in jousts}
    await rested(bots, jousts[0].discord)
    work = cpu(bots)
    begun = time.monotonic()
    await asyncio.gather(*map(play, jousts))
    seconds = time.monotonic() - begun
    spent = cpu(bots) - work
    cuts = quantiles(answers, n=100)
    done = len(answers)
    memory = sum(psutil.Process(bot.pid).memory_info().rss for bot in bots) / 1e6
    return Figures(
        done / seconds, 1000 * cuts[49], 1000 * cuts[98], 1000 * spent / done, start, memory, asks
    )


async def rested(bots: Sequence[BotProcess], discord: StandIn) -> None:
    """Wait until processes have caught up after their start and rehearsed their pictures."""
    await discord.world.until(lambda: discord.gateway.delivered, LONGEST, "all servers to be told")
    await asyncio.sleep(BEFORE_REHEARSAL + 1)
    work = -1.0
    while cpu(bots) - work > RESTING:
        work = cpu(bots)
        await asyncio.sleep(1)


def cpu(bots: Sequence[BotProcess]) -> float:
    """Return the CPU seconds used by processes."""
    return sum(sum(psutil.Process(bot.pid).cpu_times()[:2]) for bot in bots)


def setups(stored: Sequence[int], running: int, servers: Sequence[int]) -> list[Setup]:
    """Return all setups to measure, the reference first."""
    return [
        *(Setup(kind, count) for kind, count in SETUPS),
        *(Setup(kind, 1, count, running) for kind in ("file", "server") for count in stored),
        *(Setup("file", servers=count) for count in servers),
    ]


def report(runs: Sequence[tuple[str, Figures]]) -> None:
    print(
        f"{'':<44}runs   moves/s    p50 ms    p99 ms    cpu ms   start s    memory    asks/s   "
        "ratio"
    )
    base = 0.0
    for name in dict.fromkeys(name for name, _ in runs):
        of_it = [figures for each, figures in runs if each == name]
        each = [median(getattr(run, field.name) for run in of_it) for field in fields(Figures)]
        base = base or each[3]
        numbers = "".join(f"{number:>10.1f}" for number in each)
        print(f"{name:<44}{len(of_it):>4}{numbers}{each[3] / base:>8.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--moves", type=int, default=200)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--stored", type=int, nargs="*", default=[10, 10_000])
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    parser.add_argument("--running", type=int, default=100)
    parser.add_argument("--servers", type=int, nargs="*", default=[])
    parser.add_argument("--only", help="part of the names of setups")
    parser.add_argument("--append", type=Path, help="add to this file, and print all its runs")
    chosen = parser.parse_args()
    runs: list[tuple[str, Figures]] = []
    if chosen.append and chosen.append.exists():
        for name, figures in map(json.loads, chosen.append.read_text().splitlines()):
            runs.append((name, Figures(**figures)))
    print(f"--seed {chosen.seed}; {chosen.tables} tables, {chosen.moves} moves a run", flush=True)
    for setup in setups(chosen.stored, chosen.running, chosen.servers):
        for number in range(chosen.runs):
            if chosen.only and chosen.only not in str(setup):
                continue
            figures = asyncio.run(run(setup, chosen.tables, chosen.moves, chosen.seed + number))
            runs.append((str(setup), figures))
            if chosen.append:
                with chosen.append.open("a") as file:
                    print(json.dumps([str(setup), asdict(figures)]), file=file)
    report(runs)


if __name__ == "__main__":
    main()
