"""What a move costs in the life of a table: requests, hops to the database, folds, time.

``python -m benchmarks.life [--moves N] [--runs N] [--game GAME ...] [--seed N] [--elsewhere]``

The real bot runs as its own process against a stand-in Discord over sockets. People press buttons,
on the board in the channel or, where hands are hidden, on their hands in direct messages, and each
waits until the bot is idle. Start-up work, such as uploading icons and rehearsing pictures, has
finished by then. Each run is a match. Except for ``answer``, figures are means per counted move; of
all figures, the medians over the runs are printed:

presses   presses by people
token     requests that count against the bot's own limits: all but answers to interactions
all       all requests, including answers to interactions
hops      calls into a database thread
folds     calls of ``Match.replay`` and ``Match.history``, each of which goes over a whole log
events    events applied to a state, by folds or by playing
cpu       milliseconds of CPU time of the bot's process
answer    median milliseconds until a press was acknowledged

Before the first table and after the last, a line shows how much memory the bot's processes hold.

With ``--elsewhere`` two processes share a PostgreSQL database. The first has all direct messages.
Each game with hidden hands is played on a server of the first process, and again, with the same
seed, on a server of the second, so that presses in direct messages cross from one process to the
other. Unless stated otherwise, figures cover both processes together. ``ratio`` compares their
processor time per move on the second server with that on the first; the figure after it is the
processor time per move of the first process alone while the table is on the second server.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import random
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import psutil  # type: ignore[import-untyped]

from data.store.place import Place
from data.store.shards import shard_of, shards_of
from games import GAMES
from tests.postgres import shared_server
from tests.stores import address, looking_into
from tests.wire.people import Person
from tests.wire.standin import StandIn
from tests.wire.world import Channel, Guild, Interaction, Message

ROOT = Path(__file__).parents[1]

TABLES = (
    ("lancelot", 2),
    ("lancelot", 4),
    ("isis", 2),
    ("isis", 4),
    ("twilight", 3),
    ("twilight", 4),
    ("donquixote", 1),
    ("donquixote", 2),
    ("donquixote", 4),
    ("isolde", 2),
    ("isolde", 3),
    ("isolde", 5),
)

PROCESSES = 2
"""How many processes share a database with ``--elsewhere``."""

NAMED = ("presses", "token", "all", "hops", "folds", "events", "cpu", "answer")
"""The printed figures, in order."""

FIRST = "cpu of the first"
"""The name of the figure for the processor time of the first process alone."""

NAMES = ("Anna", "Ben", "Clara", "David", "Emil")

WARM_UP = 3
"""Moves at the start that are not counted."""

MEBIBYTE = 1 << 20

STEP, STILL = 0.1, 2
"""Seconds between two checks, and how many checks in a row must find no new request and no work
before the bot counts as idle.
"""

STARTING = 60.0
"""Seconds within which the bot must have started."""

PREPARING = 300.0
"""Seconds within which the bot must have uploaded its icons and rehearsed its pictures."""

PATIENCE = 120.0
"""Seconds to wait for a button to press, enough for a busy machine."""

PREPARATIONS = 2
"""The number of start-up tasks: upload icons, rehearse pictures."""

STEPS_AT_MOST = 8
"""The maximum number of presses for a move."""

CONTROL = re.compile(r"s?t:\d+(?:\.\d+|:\d+(?:u\d+)?):(?P<verb>[a-z]+)(?::(?P<argument>.+))?")

PERSON = re.compile(r"<@(\d+)>")

Json = dict[str, Any]


Counts = Mapping[str, float]
"""Counts so far: ``moves``, and all figures of the module except ``answer``; ``cpu`` in seconds."""


def per_move(before: Counts, after: Counts, answers: Sequence[float]) -> dict[str, float]:
    """Return the figures of a match from two counts: ``moves``; the median ``answer``; everything
    else as the difference per move. Times are in milliseconds.

    :param answers: seconds until each press was acknowledged.
    """
    moves = after["moves"] - before["moves"]
    found = {name: (after[name] - before[name]) / moves for name in after}
    times = {name: 1000 * found[name] for name in ("cpu", FIRST)}
    return found | times | {"moves": moves, "answer": 1000 * median(answers)}


@dataclass
class Bot:
    """The bot's processes, the database that they share, and, for each process, the file to which
    it writes its counts.
    """

    processes: Mapping[Path, psutil.Process]
    database: Place

    async def counts(self) -> Counter[str]:
        """Return the counts so far, added up over all processes."""
        for file, process in self.processes.items():
            file.unlink(missing_ok=True)
            os.kill(process.pid, signal.SIGUSR1)
        async with asyncio.timeout(STARTING):
            while not all(file.exists() for file in self.processes):  # noqa: ASYNC110 - others' files
                await asyncio.sleep(0.005)
        each = [json.loads(file.read_text()) for file in self.processes]
        counts: Counter[str] = Counter({FIRST: each[0]["cpu"]})
        for found in each:
            counts.update(found)
        return counts

    def moves(self) -> int:
        """Return how many moves by people are in the database."""
        with looking_into(self.database) as db:
            sql = "SELECT count(*) FROM journal WHERE kind = 'move'"
            return int(db.execute(sql).fetchone()[0])

    def work(self) -> float:
        """Return the processor time so far in seconds, as precisely as the system counts it."""
        used = [process.cpu_times() for process in self.processes.values()]
        return sum(float(each.user + each.system) for each in used)

    def memory(self) -> float:
        """Return the bytes of memory that the bot's processes hold."""
        return float(sum(process.memory_info().rss for process in self.processes.values()))


@dataclass
class Life:
    """People at one table.

    :param answers: seconds until each press was acknowledged.
    """

    discord: StandIn
    bot: Bot
    people: Sequence[Person]
    room: Channel
    rng: random.Random
    presses: int = 0
    answers: list[float] = field(default_factory=list)

    # -- looking
    async def rest(self) -> None:
        """Wait until the bot has nothing to do."""
        still, seen = 0, (-1, 0.0)
        while still < STILL:
            await asyncio.sleep(STEP)
            now = (len(self.discord.faults.requests), self.bot.work())
            still = still + 1 if now[0] == seen[0] and now[1] - seen[1] <= 0.01 else 0
            seen = now

    async def counts(self) -> Counts:
        """Return all counts so far."""
        own = await self.bot.counts()
        requests = self.discord.faults.requests
        of_interactions = [r for r in requests if re.match(r"\w+ /(interactions|webhooks)/", r)]
        return {
            "presses": self.presses,
            "moves": self.bot.moves(),
            "token": len(requests) - len(of_interactions),
            "all": len(requests),
            **{name: own[name] for name in ("hops", "folds", "events", "cpu", FIRST)},
        }

    @property
    def board(self) -> Message | None:
        """Return the latest board with usable controls; None before the match and after it."""
        boards = [m for m in self.room.messages if controls(m, "go", "hand")]
        return boards[-1] if boards else None

    # -- acting
    async def open(self, game: str) -> None:
        """Open a table and start its match."""
        host, *others = self.people
        await host.slash(self.room, f"{game} new", seating="joined", thread=False)
        await self._until(lambda: self.room.messages)
        lobby = self.room.messages[-1]
        for person in others:
            await self.press(person, lobby, controls(lobby, "join")[0])
        await self.press(host, lobby, controls(lobby, "start")[0])
        await self._until(lambda: self.board)

    async def _until(self, ready: Callable[[], object]) -> None:
        """Wait for something that may take a while on a busy machine."""
        async with asyncio.timeout(PATIENCE):
            while not ready():
                await self.rest()

    async def press(self, person: Person, message: Message, control: Json) -> Interaction:
        """Press a button, or choose any option of a menu, and wait until the bot is idle."""
        begun = time.perf_counter()
        if "options" in control:
            value = self.rng.choice(control["options"])["value"]
            act = person.choose(message, control["custom_id"], value)
        else:
            act = person.press(message, control["custom_id"])
        await act
        self.presses += 1
        self.answers.append(time.perf_counter() - begun)
        await self.rest()
        return act

    async def move(self) -> bool:
        """Make a move for a person whose turn it is; return False if the match is over."""
        board = self.board
        if board is None:
            return False
        awaited = [p for p in self.people if str(p.user.id) in PERSON.findall(board.text)]
        person = self.rng.choice(awaited)
        before, text = self.bot.moves(), board.text
        place = await self._place(person, board)
        for _ in range(STEPS_AT_MOST):
            async with asyncio.timeout(PATIENCE):
                while not choices(place):  # the bot is just slow
                    await self.rest()
                    if (self.board, board.text) != (board, text):  # the board was out of date
                        return await self.move()
            act = await self.press(person, place, self.rng.choice(choices(place)))
            if self.bot.moves() > before:
                return True
            place = next((m for m in reversed(act.messages) if not m.deleted), place)
        raise AssertionError(f"no move after {STEPS_AT_MOST} presses at {place.text}")

    async def _place(self, person: Person, board: Message) -> Message:
        """Return the message with the person's choices: the board, the hand, or the answer to “My
        hand”.
        """
        if choices(board):
            return board
        hands = [message for message in person.dm.messages if choices(message)]
        if hands:
            return hands[-1]
        act = await self.press(person, board, controls(board, "hand")[0])
        return await act.answer()


def controls(message: Message, *verbs: str) -> list[Json]:
    """Return a message's enabled buttons and menus with one of these verbs."""
    return [
        control
        for control in (*message.buttons, *message.menus)
        if _meaning(control)[0] in verbs and not control.get("disabled")
    ]


def choices(message: Message) -> list[Json]:
    """Return the controls that lead towards a move rather than back."""
    return [control for control in controls(message, "go") if _meaning(control)[1]]


def _meaning(control: Json) -> tuple[str, str]:
    """Return the verb and the argument of a control; two empty strings if it does nothing at a
    table.
    """
    found = CONTROL.fullmatch(control.get("custom_id", ""))
    return (found["verb"], found["argument"] or "") if found else ("", "")


@asynccontextmanager
async def started(
    discord: StandIn, directory: Path, place: Place, count: int
) -> AsyncIterator[Bot]:
    """Start the bot as this many processes, and wait until their start-up work is done."""
    processes: dict[Path, psutil.Process] = {}
    async with AsyncExitStack() as opened:
        for shard in range(count):
            file = directory / f"counts-{shard}"
            running = process(discord, directory, place, f"{shard}/{count}", file)
            processes[file] = await opened.enter_async_context(running)
        bot = Bot(processes, place)
        prepared = PREPARATIONS - 1 + count  # only the first process uploads the icons
        async with asyncio.timeout(PREPARING):
            while (await bot.counts())["prepared"] < prepared:  # noqa: ASYNC110
                await asyncio.sleep(STEP)
        yield bot


@asynccontextmanager
async def process(
    discord: StandIn, directory: Path, place: Place, shards: str, file: Path
) -> AsyncIterator[psutil.Process]:
    """Start one process of the bot, and wait until it listens."""
    log = directory / f"bot-{shards.replace('/', '-')}.log"
    environment = {
        **os.environ,
        "DISCORD_TOKEN": discord.token,
        "TAFELRUNDE_DATABASE": address(place),
        "TAFELRUNDE_LOG_LEVEL": "WARNING",
        "TAFELRUNDE_SHARDS": shards,
    }
    command = (sys.executable, "-m", "benchmarks.counted", discord.url, str(file))
    with log.open("wb") as output:
        bot = await asyncio.create_subprocess_exec(
            *command, cwd=ROOT, env=environment, stderr=output
        )
    try:
        numbers = shards_of(shards).numbers
        await discord.world.until(lambda: discord.gateway.listens(numbers), STARTING, "the bot")
        yield psutil.Process(bot.pid)
    finally:
        with contextlib.suppress(ProcessLookupError):
            bot.terminate()
        if await bot.wait():
            print(log.read_text(errors="replace")[-3000:], file=sys.stderr)


async def run(tables: Sequence[tuple[str, int]], moves: int, runs: int, seed: int) -> None:
    """Measure all tables with one process of the bot, and print a line for each."""
    tell_names()
    with TemporaryDirectory() as name:
        directory = Path(name)
        async with StandIn() as discord:
            camelot = discord.guild("Camelot")
            people = [discord.person(each) for each in NAMES]
            async with started(discord, directory, directory / "life.sqlite3", 1) as bot:
                tell_memory("rehearsed", bot)
                for number, (game, players) in enumerate(tables):
                    figures = []
                    for match in range(runs):
                        room = camelot.channel(f"{game}-{players}-{match}")
                        rng = random.Random(seed + number + 100 * match)
                        life = Life(discord, bot, people[:players], room, rng)
                        figures.append(await measure(life, game, moves))
                    tell(f"{game} {players}", figures)
                tell_memory("at the end", bot)


async def run_elsewhere(
    tables: Sequence[tuple[str, int]], moves: int, runs: int, seed: int
) -> None:
    """Measure each table with hidden hands twice: served by the process that has the direct
    messages, and by another one.
    """
    tell_names()
    with TemporaryDirectory() as name, shared_server().house() as place:
        async with StandIn() as discord:
            guilds = [guild_of(discord, shard) for shard in range(PROCESSES)]
            people = [discord.person(each) for each in NAMES]
            async with started(discord, Path(name), place, PROCESSES) as bot:
                tell_memory("rehearsed", bot)
                for number, (game, players) in enumerate(tables):
                    if not GAMES[game].info.hidden:
                        continue
                    figures: list[list[dict[str, float]]] = [[] for _ in guilds]
                    for match, (shard, guild) in itertools.product(range(runs), enumerate(guilds)):
                        room = guild.channel(f"{game}-{players}-{match}")
                        rng = random.Random(seed + number + 100 * match)
                        life = Life(discord, bot, people[:players], room, rng)
                        figures[shard].append(await measure(life, game, moves))
                    here, there = (
                        tell(f"{game} {players} {where}", each)
                        for where, each in zip(("here", "there"), figures, strict=True)
                    )
                    first = median(one[FIRST] for one in figures[1])
                    print(
                        f"{'':<20}  ratio {there / here:.2f}; there, the first process takes"
                        f" {first:.1f} ms",
                        flush=True,
                    )
                tell_memory("at the end", bot)


def guild_of(discord: StandIn, shard: int) -> Guild:
    """Return a server that belongs to a shard."""
    while True:
        guild = discord.guild("Camelot")
        if shard_of(guild.id, PROCESSES) == shard:
            return guild


async def measure(life: Life, game: str, moves: int) -> dict[str, float]:
    """Play at one table, and return its figures."""
    await life.rest()
    await life.open(game)
    for _ in range(WARM_UP):
        await life.move()
    life.answers.clear()
    before = await life.counts()
    for _ in range(moves):
        if not await life.move():
            break
    return per_move(before, await life.counts(), life.answers)


def tell_names() -> None:
    print(f"{'per move':<20}{'moves':>7}" + "".join(f"{name:>9}" for name in NAMED), flush=True)


def tell(table: str, runs: Sequence[Mapping[str, float]]) -> float:
    """Print the medians of the runs at a table; return the processor time."""
    figures = {name: median(one[name] for one in runs) for name in NAMED}
    moves = sum(one["moves"] for one in runs)
    told = "".join(f"{each:>9.1f}" for each in figures.values())
    print(f"{table:<20}{moves:>7.0f}{told}", flush=True)
    return figures["cpu"]


def tell_memory(when: str, bot: Bot) -> None:
    print(f"{when:<20}{bot.memory() / MEBIBYTE:>7.0f} MiB", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--moves", type=int, default=30, help="at each table")
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--game", choices=list(GAMES), action="append", help="these games only")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--elsewhere", action="store_true", help="two processes; see above")
    options = parser.parse_args()
    tables = [table for table in TABLES if not options.game or table[0] in options.game]
    play = run_elsewhere if options.elsewhere else run
    asyncio.run(play(tables, options.moves, options.runs, options.seed))


if __name__ == "__main__":
    main()
