"""Run bots, unchanged, against a stand-in Discord instead of the real one.

    python -m tests.wire.launch 7 --blank

A nursery: it imports the bot and reads its texts once, and then forks a launcher for every request
on the socket with the given number; a request passes the launcher's standard input, output and
error. For every line on its standard input, a launcher forks a bot and writes its process id, and
later its exit code (negative: the signal that ended it). No bot outlives its test: when its
standard input is closed, a launcher ends its bots, all processes they have started, and itself.
With ``--blank``, pictures are blank.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from cogs.delivery import reconcile
from data.texts import LANGUAGES, texts
from tests.blank import draw_pixels

GUILD_READY_SECONDS = 0.05
"""How many seconds after the last guild discord.py announces READY; its default is 2."""

NO_REHEARSAL = 3600.0
"""Seconds until a bot rehearses pictures and makes riddles, for both of which no test waits."""

READ_SIZE = 1 << 16
"""Bytes to read at a time."""

TASKS_SHOWN = "-- all tasks are shown --"
"""The last line that ``show_tasks`` writes."""

START = b"start\n"
"""Asks a launcher for a bot."""

READY = b"."
"""Answers a request once its launcher has been forked."""


def point_discord_to(url: str) -> None:
    """Make discord.py find its API and gateway at ``url``."""
    Route.BASE = f"{url}/api/v10"
    gateway = yarl.URL(url).with_scheme("ws") / "gateway"
    DiscordWebSocket.DEFAULT_GATEWAY = gateway
    discord.asset.Asset.BASE = url


def hurry_discord() -> None:
    """Shorten discord.py's wait for guilds, since no more will come."""
    init = discord.Client.__init__

    @functools.wraps(init)
    def hurried(self: discord.Client, *args: Any, **options: Any) -> None:
        options.setdefault("guild_ready_timeout", GUILD_READY_SECONDS)
        init(self, *args, **options)

    discord.Client.__init__ = hurried  # type: ignore[method-assign]


def settle_by(seconds: str) -> None:
    """Set how long the bot waits for late effects of its predecessors' calls.

    :param seconds: as in ``reconcile.LANDED``, separated by spaces.
    """
    reconcile.LANDED = tuple(map(float, seconds.split()))


def run_on_demand(main: Callable[[], int | None]) -> int | None:
    """Start a bot for every line on standard input, one after another. At the end of the input, end
    the running bot and all processes that any bot has started.

    :returns: in a bot's own process, what its ``main`` returned.
    """
    ended, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    child, groups = 0, list[int]()
    while True:
        ready, _, _ = select.select([0, ended], [], [])
        if ended in ready:
            os.read(ended, 1)
            if child and (status := os.waitpid(child, os.WNOHANG)) != (0, 0):
                child = 0
                print(os.waitstatus_to_exitcode(status[1]), flush=True)
        elif not os.read(0, len(START)):
            break
        else:
            child = os.fork()
            if child == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                signal.signal(signal.SIGUSR1, show_tasks)
                os.close(ended)
                os.close(wake)
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                os.dup2(2, 1)
                return main()
            os.setpgid(child, child)
            groups = [*(group for group in groups if _reached(group, 0)), child]
            print(child, flush=True)
    for group in groups:
        _reached(group, signal.SIGKILL)
    return 0


def _reached(group: int, number: int) -> bool:
    """Return whether a signal has reached any process of a group; signal 0 only checks. (The system
    may reuse the number of a group without processes.)
    """
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def show_tasks(*_: object) -> None:
    """Write the stack of each task of the running loop, outermost call first."""
    lines = []
    for task in asyncio.all_tasks():
        lines.append(task.get_name())
        awaited: Any = task.get_coro()
        while frame := getattr(awaited, "cr_frame", None):
            lines.append(f"    {frame.f_code.co_filename}:{frame.f_lineno} {frame.f_code.co_name}")
            awaited = awaited.cr_await
    sys.stderr.write("\n".join([*lines, TASKS_SHOWN, ""]))
    sys.stderr.flush()


def launch(module: str, url: str, environment: dict[str, str]) -> int | None:
    """Start bots on demand.

    :param module: the one whose ``main()`` runs the bot.
    :param url: the address of Discord.
    :param environment: the complete environment of the bot.
    """
    os.environ.clear()
    os.environ.update(environment)
    point_discord_to(url)
    hurry_discord()
    settle_by(environment.get("LANDED", "0.1"))
    return run_on_demand(importlib.import_module(module).main)


def nurse(requests: socket.socket) -> int | None:
    """Fork a launcher for every request until the socket is closed.

    :returns: in a bot's own process, what its ``main`` returned.
    """
    setattr(importlib.import_module("bot"), "BEFORE_REHEARSAL", NO_REHEARSAL)  # noqa: B010
    for language in LANGUAGES:
        texts(language).number(1)  # reads its texts and conventions: most of the time of a start
    gc.freeze()  # garbage collection in the bots need not scan what is loaded already
    while True:
        request, files, *_ = socket.recv_fds(requests, READ_SIZE, 3)
        while request and not request.endswith(b"\n"):
            request += requests.recv(READ_SIZE)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass  # a launcher that has ended
        if not request:
            return 0
        if os.fork() == 0:
            requests.close()
            for number, file in enumerate(files):
                os.dup2(file, number)
                os.close(file)
            return launch(**json.loads(request))
        for file in files:
            os.close(file)
        requests.sendall(READY)


if __name__ == "__main__":
    if "--blank" in sys.argv:
        draw_pixels(False)
    sys.exit(nurse(socket.socket(fileno=int(sys.argv[1]))))
