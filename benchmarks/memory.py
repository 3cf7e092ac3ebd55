"""How much memory the bot holds after thousands of matches.

``python -m benchmarks.memory [matches] [--every N] [--at-once N]``

The real bot runs as its own process against a stand-in Discord over sockets. At several tables at
once, new people play short matches of Lancelot to the end; now and then they start a match of
another game, make some moves and resign. At the start, after every ``--every`` matches and at the
end it prints a line:

matches   matches played so far
rss       resident memory of the bot's process, in MiB
threads   its threads
files     its open files, including sockets
tasks     tasks in its event loop
cpu       CPU seconds per match since the last line
seconds   seconds since the first line
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import re
import socket
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil  # type: ignore[import-untyped]

from data.store.place import Place
from games import GAMES
from tests.wire.joust import Joust
from tests.wire.kills import JOUST, process
from tests.wire.people import Person
from tests.wire.rounds import Round, labels
from tests.wire.standin import StandIn
from tests.wire.world import Channel

MOVES = (("anna", "E5"), ("ben", "J5"), ("anna", "H5"), ("ben", "D10"), ("anna", "K5"))
"""A match in which the first stone taken wins."""

OTHERS = tuple(game for game in GAMES if game != JOUST)

OTHER_EVERY = 20
"""One match in this many is of another game."""

MOVES_OF_OTHERS = 6

MEBIBYTE = 1 << 20

PATIENCE = 60.0
"""Seconds within which the bot must acknowledge something: speed does not matter here."""


class Soak:
    """Plays matches.

    :param matches: how many to play.
    """

    def __init__(self, discord: StandIn, database: Place, matches: int) -> None:
        self.done = 0
        self._discord = discord
        self._database = database
        self._left: Iterator[int] = iter(range(matches))
        self._others = itertools.cycle(OTHERS)
        self._rounds = {game: Round(discord, database, 0, random.Random(game)) for game in OTHERS}
        self._busy = {game: asyncio.Lock() for game in OTHERS}

    async def play(self) -> None:
        """Play one match after another at one table, until all have been played."""
        joust = Joust(self._discord, self._database)
        for number in self._left:
            if number % OTHER_EVERY == OTHER_EVERY - 1:
                await self._other(next(self._others), number)
            else:
                await self._lancelot(joust, number)
            self.done += 1

    async def _lancelot(self, joust: Joust, number: int) -> None:
        joust.anna = self._discord.person(f"Anna{number}")
        joust.ben = self._discord.person(f"Ben{number}")
        joust.people = (joust.anna, joust.ben)
        await joust.open(goal=1, starter=1)
        for name, square in MOVES:
            await joust.place(getattr(joust, name), square)
        await self._discord.world.until(lambda: joust.results, what="the result")
        self._forget(joust.room, joust.people)

    async def _other(self, game: str, number: int) -> None:
        table = self._rounds[game]
        async with self._busy[game]:
            assert table.room.guild is not None
            table.room = table.room.guild.channel(f"{game}{number}")
            table.people = [
                self._discord.person(f"Guest{number}x{each}") for each in range(_fewest(game))
            ]
            await table.open(game)
            for _ in range(MOVES_OF_OTHERS):
                with suppress(LookupError):  # the message has just been replaced
                    await table.move()
            for person in table.people:
                asked = await (await person.slash(table.room, "table resign")).answer()
                if asked.buttons:
                    await person.press(asked, labels(asked)[0])
            self._forget(table.room, table.people)

    def _forget(self, room: Channel, people: Sequence[Person]) -> None:
        """Drop the stand-in's own records of a match."""
        world = self._discord.world
        users = {person.user for person in people}
        for message in list(world.messages.values()):
            if message.channel is room or message.channel.recipient in users:
                del world.messages[message.id]
                for attachment in message.attachments:
                    world.files.pop(attachment.id, None)
        for token, act in list(world.interactions.items()):
            if act.user in users:
                del world.interactions[token]
        self._discord.faults.requests.clear()


def _fewest(game: str) -> int:
    """Return the minimum number of players for a match between people."""
    return max(2, min(GAMES[game].info.players))


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def tasks_at(port: int) -> int:
    """Return the number of tasks of the bot whose monitoring listens on this port."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        text = answer.read().decode()
    found = re.search(r"^tafelrunde_tasks (\S+)$", text, re.MULTILINE)
    assert found is not None
    return int(float(found[1]))


async def soak(matches: int, every: int, at_once: int) -> None:
    with TemporaryDirectory() as directory:
        async with (
            StandIn() as discord,
            process(
                discord,
                "bot",
                Path(directory),
                pixels=True,
                settings={"TAFELRUNDE_METRICS": str(port := free_port())},
            ) as (bot, file),
        ):
            discord.world.answer_within = PATIENCE
            await bot.start()
            watched = psutil.Process(bot.pid)
            played = Soak(discord, file, matches)
            tables = [asyncio.create_task(played.play()) for _ in range(at_once)]
            print(
                f"{'matches':>9}{'rss':>9}{'threads':>9}{'files':>9}{'tasks':>9}{'cpu':>9}{'seconds':>9}"
            )
            used, began, told = 0.0, time.monotonic(), 0
            while True:
                finished = all(table.done() for table in tables)
                if played.done >= told + every or finished or not told:
                    cpu = sum(watched.cpu_times()[:2])
                    each = (cpu - used) / max(1, played.done - told)
                    rss = watched.memory_info().rss / MEBIBYTE
                    seconds = time.monotonic() - began
                    print(
                        f"{played.done:>9}{rss:>9.1f}{watched.num_threads():>9}{watched.num_fds():>9}"
                        f"{await asyncio.to_thread(tasks_at, port):>9}{each:>9.2f}{seconds:>9.0f}",
                        flush=True,
                    )
                    used, told = cpu, max(1, played.done)
                if finished:
                    break
                await asyncio.wait(tables, timeout=0.2, return_when=asyncio.FIRST_EXCEPTION)
                if failed := next((t for t in tables if t.done() and t.exception()), None):
                    failed.result()
            await asyncio.gather(*tables)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("matches", type=int, nargs="?", default=1000)
    parser.add_argument("--every", type=int, default=1000, help="matches between two lines")
    parser.add_argument("--at-once", type=int, default=4, help="tables at once")
    options = parser.parse_args()
    asyncio.run(soak(options.matches, options.every, options.at_once))


if __name__ == "__main__":
    main()
