"""A bot as a process of its own: start it, kill it, look what it left."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import psutil  # type: ignore[import-untyped]

from data.store.shards import ALL, Shards
from tests.wire.standin import StandIn

ROOT = Path(__file__).parents[2]
START_SECONDS = 60.0
END_SECONDS = 30.0


class BotProcess:
    """One bot that can be started again and again.

    :param module: the module whose ``main()`` runs the bot.
    :param environment: the bot's settings, beside those of this process.
    :param log: where its output goes.
    :param shards: that it listens to.
    :param pixels: False: its pictures are blank.
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
        self._options = ["--on-demand", *([] if pixels else ["--blank"])]
        self._launcher: asyncio.subprocess.Process | None = None
        self.pid = 0
        self._groups: list[int] = []

    async def __aenter__(self) -> Self:
        """Start the launcher, which imports the bot and waits."""
        with self._log.open("ab") as log:
            self._launcher = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "tests.wire.launch",
                self._module,
                self._discord.url,
                *self._options,
                cwd=ROOT,
                env=self._environment,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
            )
        return self

    async def __aexit__(self, *exc: object) -> None:
        assert self._launcher is not None
        assert self._launcher.stdin is not None
        if self.pid:
            await self.kill()
        for group in self._groups:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        self._launcher.stdin.close()
        await self._launcher.wait()

    @property
    def output(self) -> str:
        """Everything the bot has written so far."""
        return self._log.read_text(errors="replace")

    async def start(self) -> None:
        """Start the bot and wait until it has registered its commands and listens.

        :raises TimeoutError: with the end of its output.
        """
        identified = self._discord.gateway.identified
        await self.begin()
        try:
            await self._discord.world.until(
                lambda: self._discord.gateway.identified > identified,
                START_SECONDS,
                "the bot to identify",
            )
        except TimeoutError as error:
            raise TimeoutError(f"{error}; its output ends with:\n{self.output[-3000:]}") from error

    async def begin(self) -> None:
        """Start the bot and wait for nothing."""
        assert not self.pid, "it runs already"
        self.pid = int(await self._ask(b"start\n"))
        self._groups.append(self.pid)

    async def kill(self) -> None:
        """End the bot at once, as a crash does. What it has started is left to itself."""
        os.kill(self.pid, signal.SIGKILL)
        await self.ended()

    async def terminate(self) -> int:
        """Ask the bot to leave; returns its exit code (negative: the signal that ended it)."""
        os.kill(self.pid, signal.SIGTERM)
        return await self.ended()

    def descendants(self) -> list[psutil.Process]:
        """The processes that the running bot has started."""
        children: list[psutil.Process] = psutil.Process(self.pid).children(recursive=True)
        return children

    async def ended(self) -> int:
        """Wait for the end of the bot; its exit code."""
        self.pid = 0
        code = int(await asyncio.wait_for(self._read(), END_SECONDS))
        await self._discord.world.until(
            lambda: not self._discord.gateway.listens(self._shards),
            END_SECONDS,
            "the bot's connection to end",
        )
        return code

    async def _ask(self, line: bytes) -> bytes:
        assert self._launcher is not None
        assert self._launcher.stdin is not None
        self._launcher.stdin.write(line)
        return await asyncio.wait_for(self._read(), START_SECONDS)

    async def _read(self) -> bytes:
        assert self._launcher is not None
        assert self._launcher.stdout is not None
        line = await self._launcher.stdout.readline()
        if not line:
            raise EOFError(f"the launcher has ended; its output:\n{self.output[-3000:]}")
        return line
