"""A bot as a process: start it, kill it, inspect its output."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Self

import psutil  # type: ignore[import-untyped]

from data.store.shards import ALL, Shards
from tests.wire.launch import READY, START, TASKS_SHOWN
from tests.wire.standin import StandIn

ROOT = Path(__file__).parents[2]
START_SECONDS = 60.0
END_SECONDS = 30.0
STEP = 0.1


class BotProcess:
    """One bot that can be started again and again.

    :param module: the module whose ``main()`` runs the bot.
    :param environment: the bot's settings, in addition to those of this process.
    :param log: where its output goes.
    :param shards: the shards it runs.
    :param pixels: whether its pictures are drawn; otherwise, they are blank.
    """

    def __init__(
        self,
        discord: StandIn,
        module: str,
        environment: Mapping[str, str],
        log: Path,
        shards: Shards = ALL,
        *,
        pixels: bool = False,
    ) -> None:
        self._discord = discord
        self._module = module
        self._environment = {**os.environ, **environment}
        self._log = log
        self._shards = shards.numbers
        self._pixels = pixels
        self.pid = 0

    async def __aenter__(self) -> Self:
        """Fork a launcher, which waits."""
        own_input, self._commands = os.pipe()
        answers, own_output = os.pipe()
        with self._log.open("ab") as log:
            request = {
                "module": self._module,
                "url": self._discord.url,
                "environment": self._environment,
            }
            ask_nursery(request, [own_input, own_output, log.fileno()], blank=not self._pixels)
        os.close(own_input)
        os.close(own_output)
        self._answers = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(self._answers)
        loop = asyncio.get_running_loop()
        self._reading, _ = await loop.connect_read_pipe(lambda: protocol, os.fdopen(answers, "rb"))
        return self

    async def __aexit__(self, *exc: object) -> None:
        """End the bot and everything it has started, whatever is under way."""
        os.close(self._commands)
        await self._answers.read()
        self._reading.close()

    @property
    def output(self) -> str:
        """Everything the bot has written so far."""
        return self._log.read_text(errors="replace")

    async def start(self) -> None:
        """Start the bot and wait until it has registered its commands and is connected.

        :raises TimeoutError: it is not connected in time, or has ended; the message shows the end
            of its output.
        """
        await self.begin()
        await self.until_it_listens()

    async def until_it_listens(self) -> None:
        """Wait until a starting bot has registered its commands and is connected.

        :raises TimeoutError: as ``start``.
        """
        gateway = self._discord.gateway
        try:
            await self._discord.world.until(
                lambda: gateway.listens(self._shards) or not psutil.pid_exists(self.pid),
                START_SECONDS,
                "the bot to identify",
            )
            if not gateway.listens(self._shards):
                raise TimeoutError("the bot has ended")
        except TimeoutError as error:
            raise TimeoutError(f"{error}; its output ends with:\n{self.output[-3000:]}") from error

    async def begin(self) -> None:
        """Start the bot without waiting."""
        assert not self.pid, "the bot is already running"
        self.pid = int(await self._ask(START))

    async def kill(self) -> None:
        """Kill the bot, as a crash does, unless it has already ended. The processes that it has
        started are not killed.
        """
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        await self.ended()

    def freeze(self) -> None:
        """Suspend the bot, as when its machine sleeps."""
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    async def show_tasks(self) -> None:
        """Have the running bot write the stacks of its tasks into its output."""
        shown = self.output.count(TASKS_SHOWN)
        os.kill(self.pid, signal.SIGUSR1)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS):
                while self.output.count(TASKS_SHOWN) == shown:  # noqa: ASYNC110 - another process
                    await asyncio.sleep(STEP)

    async def terminate(self) -> int:
        """Ask the bot to stop; return its exit code (negative: the signal that ended it)."""
        os.kill(self.pid, signal.SIGTERM)
        return await self.ended()

    def descendants(self) -> list[psutil.Process]:
        """The processes that the running bot has started."""
        children: list[psutil.Process] = psutil.Process(self.pid).children(recursive=True)
        return children

    async def ended(self) -> int:
        """Wait for the end of the bot; return its exit code."""
        self.pid = 0
        code = int(await asyncio.wait_for(self._read(), END_SECONDS))
        await self._discord.world.until(
            lambda: not self._discord.gateway.listens(self._shards),
            END_SECONDS,
            "the bot's connection to end",
        )
        return code

    async def _ask(self, line: bytes) -> bytes:
        os.write(self._commands, line)
        return await asyncio.wait_for(self._read(), START_SECONDS)

    async def _read(self) -> bytes:
        line = await self._answers.readline()
        if not line:
            raise EOFError(f"the launcher has ended; its output:\n{self.output[-3000:]}")
        return line


@cache
def nursery(*, blank: bool) -> socket.socket:
    """The socket of a process that forks launchers until this one ends.

    :param blank: whether its bots' pictures are blank.
    """
    ours, theirs = socket.socketpair()
    number = theirs.fileno()
    options = [str(number), *(["--blank"] if blank else [])]
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.wire.launch", *options],
            cwd=ROOT,
            pass_fds=[number],
            stdin=subprocess.DEVNULL,
        )

    def end() -> None:
        ours.close()
        process.terminate()
        process.wait()

    atexit.register(end)
    return ours


def ask_nursery(request: Mapping[str, Any], files: Sequence[int], *, blank: bool) -> None:
    """Ask the nursery to fork a launcher.

    :param files: the launcher's standard input, output and error.
    :raises EOFError: the nursery has ended.
    """
    way = nursery(blank=blank)
    text = json.dumps(request).encode() + b"\n"
    sent = socket.send_fds(way, [text], files)
    way.sendall(text[sent:])
    if way.recv(len(READY)) != READY:
        raise EOFError("the nursery has ended")
