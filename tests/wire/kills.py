"""Kill the bot in the middle of moves:
``python -m tests.wire.kills [kills] [--pause SECONDS] [--server]``.

The real bot runs as a separate process against the stand-in Discord, is killed with SIGKILL at a
random moment or at one of its requests, and is started again. After each match (in games other than
Lancelot, after each kill), what people were told is compared with the database and with the
existing messages. With ``--pause``, people play at seven tables instead, and every message is
checked after each ``BATCH`` kills. With ``--server``, the database is PostgreSQL.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import logging
import random
import secrets
import sys
import time
import traceback
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

from data.store.place import Place
from data.store.shards import ALL, shards_of
from games import GAMES
from tests.postgres import shared_server
from tests.stores import address
from tests.wire.faults import Trap
from tests.wire.hall import Hall
from tests.wire.joust import Joust, boards_doubled, boards_of, doubled, lost
from tests.wire.process import BotProcess
from tests.wire.rounds import Round
from tests.wire.standin import StandIn
from tests.wire.world import UnansweredError

FORGETFUL = "tests.wire.forgetful"
"""Runs the bot as after a long outage: it recognises posts by their marks, not by nonces."""

LONGEST_MOVE = 0.3
"""The time in seconds in which a move is usually done; kills at random moments come within this
time.
"""

REQUESTS_OF_A_MOVE = 8
"""The maximum number of requests for a move; kills by request come at one of them."""

BATCH = 25
"""Kills in each world, or between two final checks."""

WORLD = 250
"""Kills in a world with seven tables."""

LATE = 4.0
"""The maximum time, in seconds, until a request takes effect after its sender was killed."""

LANDED = f"2 {LATE + 2}"
"""Seconds after a start at which the bot checks for late effects; normally, 15 and 60."""

OUTPUT = 20_000
"""Characters of the bot's output that are shown after a failure."""

EARLY = 0.3
"""The share of kills that do not wait until the bot has started; most of these come while it
starts.
"""

DOWN = 0.3
"""The maximum number of seconds between a kill and the next start."""

JOUST = "lancelot"

BATCHES = (
    (JOUST, "bot"),
    ("donquixote", "bot"),
    (JOUST, FORGETFUL),
    ("twilight", "bot"),
    (JOUST, "bot"),
    ("isolde", FORGETFUL),
    (JOUST, FORGETFUL),
    ("donquixote", FORGETFUL),
)
"""Games and modules, used in turn; the module decides how posts are recognised."""


@dataclass
class Figures:
    """The counts of a run.

    :ivar acknowledged: moves that people were told count.
    :ivar lost: acknowledged moves that the journal lacks.
    :ivar doubled: moves that count twice.
    :ivar boards: messages with a position.
    :ivar boards_doubled: second messages with the same position.
    :ivar hands: comparisons of all messages with live buttons with those that should have them.
    :ivar stale: messages with live buttons that no longer work.
    :ivar early: kills of a bot that had not started yet.
    :ivar looks: final checks of everything.
    :ivar messages: how many messages these checks have covered.
    :ivar moves: moves stored meanwhile.
    :ivar late: requests that took effect after their sender was killed.
    :ivar failures: worlds in which something failed, for these or other reasons.
    """

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    boards: int = 0
    boards_doubled: int = 0
    hands: int = 0
    stale: int = 0
    early: int = 0
    looks: int = 0
    messages: int = 0
    moves: int = 0
    late: int = 0
    failures: int = 0

    def add(self, other: Figures) -> None:
        for each in fields(self):
            name = each.name
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def __str__(self) -> str:
        return (
            f"{self.kills} kills; {self.acknowledged} moves acknowledged, {self.lost} lost,"
            f" {self.doubled} doubled; {self.boards} boards, {self.boards_doubled} doubled;"
            f" {self.hands} checks of all live messages, {self.stale} stale;"
            f" {self.early} kills before the start, {self.moves} moves, {self.late} late requests,"
            f" {self.looks} final checks, {self.messages} messages;"
            f" {self.failures} failures"
        )


# ------------------------------------------------------------------------------ histories
async def in_jousts(
    bot: BotProcess,
    joust: Joust,
    kills: int,
    chaos: random.Random,
    figures: Figures,
    note: str,
    goal: int = 4,
) -> None:
    """Play matches of Lancelot, and kill the running bot several times in the middle of moves.

    :param goal: stones to take in a match.
    :raises AssertionError: people, journal and channel disagree.
    """
    while figures.kills < kills:
        await joust.open(goal=goal)
        while (match := (await joust.settled()).match).outcome is None:
            (seat,) = match.actors
            square = chaos.choice(match.game.legal(match.state, seat))
            moving = joust.place(joust.people[seat], square, by_buttons=chaos.random() < 0.5)
            if chaos.random() < 0.8:
                await kill_in_the_midst(joust.discord, bot, moving, chaos)
                figures.kills += 1
                await bot.start()
            else:
                await moving
        record = await joust.settled()
        figures.acknowledged += sum(deed.confirmed for deed in joust.deeds)
        figures.lost += len(lost(joust.deeds, record))
        figures.doubled += len(doubled(record))
        figures.boards += len(boards_of(record, joust.room))
        figures.boards_doubled += len(boards_doubled(record, joust.room))
        figures.hands += 1
        figures.stale += len(record.stale(joust.discord.world))
        await joust.check(note)


async def in_rounds(
    bot: BotProcess,
    table: Round,
    game: str,
    kills: int,
    chaos: random.Random,
    figures: Figures,
    note: str,
) -> None:
    """Play a game other than Lancelot, and kill the running bot several times in the middle of
    moves.

    :raises AssertionError: the messages with usable controls are not exactly the right ones.
    """
    await table.open(game)
    for _ in range(kills):
        if (await table.books.told(table.code)).table.over:
            await table.open(game)
        await kill_in_the_midst(table.discord, bot, table.move(), chaos)
        figures.kills += 1
        await bot.start()
        if chaos.random() < 0.5:
            await table.move()  # before the bot has caught up
        record = await table.books.told(table.code)
        figures.hands += 1
        figures.stale += len(record.stale(table.discord.world))
        record.check_live(table.discord.world, note)


async def in_hall(
    bot: BotProcess,
    hall: Hall,
    discord: StandIn,
    kills: int,
    pause: float,
    chaos: random.Random,
    figures: Figures,
    note: str,
) -> None:
    """Kill a bot again and again while people play at all tables; then check every message.

    :param pause: the maximum number of seconds between a start and the next kill; usually counted
        from the moment the bot is connected.
    :raises AssertionError: a message is wrong, missing or unwanted.
    """
    await bot.start()
    await hall.open()
    while figures.kills < kills:
        hall.play()
        discord.faults.straggle(LATE, chaos)
        for _ in range(min(BATCH, kills - figures.kills)):
            if chaos.random() > EARLY:
                await bot.until_it_listens()
            await asyncio.sleep(chaos.uniform(0, pause))
            figures.early += not discord.gateway.listens(ALL.numbers)
            await bot.kill()
            figures.kills += 1
            await asyncio.sleep(chaos.uniform(0, DOWN))
            await bot.begin()
        await hall.rest()
        figures.moves, figures.late = hall.moves(), discord.faults.late
        figures.messages += await hall.check(note)
        figures.looks += 1


# ---------------------------------------------------------------------------------- kills
async def kill_in_the_midst(
    discord: StandIn, bot: BotProcess, doing: Coroutine[Any, Any, object], chaos: random.Random
) -> None:
    """Kill the bot while someone moves: at a random moment, or at one of its requests, before or
    after it took effect."""
    if chaos.random() < 0.3:
        await kill_when(chaos.uniform(0, LONGEST_MOVE), bot, doing)
    else:
        skip = chaos.randrange(REQUESTS_OF_A_MOVE)
        trap = discord.faults.trap(late=chaos.random() < 0.5, skip=skip)
        await kill_when(trap, bot, doing)
    discord.faults.clear()


async def kill_when(
    moment: Trap | float, bot: BotProcess, doing: Coroutine[Any, Any, object]
) -> bool:
    """Kill the bot when a trap springs or after some seconds, but no later than when the action is
    done.

    :returns: whether the bot was killed before the action was done.
    """
    waiting = asyncio.create_task(
        moment.sprung() if isinstance(moment, Trap) else asyncio.sleep(moment)
    )
    done = asyncio.create_task(doing)
    await asyncio.wait([waiting, done], return_when=asyncio.FIRST_COMPLETED)
    struck = not done.done()
    await bot.kill()
    await given_up(waiting)
    await given_up(done)
    return struck


async def given_up(task: asyncio.Task[Any]) -> None:
    """Cancel a person's action unless it is done."""
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError, UnansweredError):
        await task


# -------------------------------------------------------------------------------- command
@asynccontextmanager
async def process(
    discord: StandIn,
    module: str,
    directory: Path,
    place: Place | None = None,
    shards: str = "0/1",
    *,
    pixels: bool = False,
    queue: bool = False,
    landed: str = "0.1",
    settings: Mapping[str, str] = MappingProxyType({}),
) -> AsyncIterator[tuple[BotProcess, Place]]:
    """The bot, not started yet, and its database.

    :param place: the database; if None, a file in the directory.
    :param pixels: see ``BotProcess``.
    :param module: the module to run as the bot; with the forgetful one, Discord is forgetful too.
    :param shards: as in ``TAFELRUNDE_SHARDS``.
    :param queue: whether computer players think in workers.
    :param landed: see ``tests.wire.launch.settle_by``.
    :param settings: further settings, by the names of their environment variables.
    """
    database = place or directory / "tafelrunde.sqlite3"
    environment = {
        "DISCORD_TOKEN": discord.token,
        "TAFELRUNDE_DATABASE": address(database),
        "TAFELRUNDE_COMPUTER_PAUSE": "0",
        "TAFELRUNDE_SHARDS": shards,
        "TAFELRUNDE_COMPUTER_QUEUE": str(queue),
        "LANDED": landed,
        **settings,
    }
    if module == FORGETFUL:
        discord.world.nonce_memory = 0
    log = directory / f"bot-{shards.replace('/', '-')}.log"
    listened = shards_of(shards)
    async with BotProcess(discord, module, environment, log, listened, pixels=pixels) as bot:
        yield bot, database


async def batch(
    game: str, module: str, kills: int, seed: int, figures: Figures, *, server: bool
) -> None:
    """Kill a bot several times in a new world."""
    chaos = random.Random(seed)
    note = f"seed {seed}"
    with TemporaryDirectory() as directory, ExitStack() as opened:
        place = opened.enter_context(shared_server().house()) if server else None
        running = process(discord := StandIn(), module, Path(directory), place, pixels=True)
        async with discord, running as (bot, file):
            if game == JOUST:
                joust = Joust(discord, file)
                await bot.start()
                await in_jousts(bot, joust, kills, chaos, figures, note)
            else:
                await bot.start()
                players = max(2, min(GAMES[game].info.players))
                table = Round(discord, file, players, chaos)
                await in_rounds(bot, table, game, kills, chaos, figures, note)
            assert discord.rest.unknown_requests == [], note


async def hall(kills: int, pause: float, seed: int, figures: Figures, *, server: bool) -> None:
    """Kill a bot several times in one world with seven tables."""
    chaos = random.Random(seed)
    with TemporaryDirectory() as directory, ExitStack() as opened:
        place = opened.enter_context(shared_server().house()) if server else None
        running = process(discord := StandIn(), "bot", Path(directory), place, landed=LANDED)
        async with discord, running as (bot, file):
            tables = Hall(discord, file, chaos)
            try:
                await in_hall(bot, tables, discord, kills, pause, chaos, figures, f"seed {seed}")
            except Exception:
                await bot.show_tasks()
                print(bot.output[-OUTPUT:])
                raise
            assert discord.rest.unknown_requests == [], f"seed {seed}"


async def soak(kills: int, pause: float, seed: int, total: Figures, *, server: bool) -> None:
    """Kill bots in several worlds with seven tables each."""
    for number in itertools.count():
        if total.kills >= kills or total.failures:
            break
        figures = Figures()
        try:
            most = min(WORLD, kills - total.kills)
            await hall(most, pause, seed + number, figures, server=server)
        except Exception:  # noqa: BLE001 - it is printed
            figures.failures += 1
            traceback.print_exc(file=sys.stdout)
        total.add(figures)
        print(f"seed {seed + number}: {total}", file=sys.stderr, flush=True)


def main() -> int:
    """Return 0 if nothing failed, and nothing was lost, doubled or left behind."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kills", type=int, nargs="?", default=100)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    parser.add_argument("--pause", type=float, help="maximum seconds from start to kill")
    parser.add_argument("--server", action="store_true", help="store on a PostgreSQL server")
    options = parser.parse_args()
    # Uploads that are cut off would be logged as errors.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    began, total = time.monotonic(), Figures()
    if options.pause is not None:
        asyncio.run(soak(options.kills, options.pause, options.seed, total, server=options.server))
    batches = itertools.cycle(BATCHES) if options.pause is None else ()
    for number, (game, module) in enumerate(batches):
        seed = options.seed + number
        figures = Figures()
        kills = min(BATCH, options.kills - total.kills)
        try:
            asyncio.run(batch(game, module, kills, seed, figures, server=options.server))
        except Exception:  # noqa: BLE001 - it is printed, and the next batch may say more
            figures.failures += 1
            print(f"{game}, {module}, batch {number}, seed {seed}:", flush=True)
            traceback.print_exc(file=sys.stdout)
        total.add(figures)
        seconds = time.monotonic() - began
        print(f"{seconds:.0f} s, {game}, {module}: {total}", file=sys.stderr, flush=True)
        if total.kills >= options.kills or total.failures > len(BATCHES):
            break
    print(f"--seed {options.seed}: {total}, {time.monotonic() - began:.0f} s")
    return 1 if total.failures or total.lost or total.doubled or total.stale else 0


if __name__ == "__main__":
    sys.exit(main())
