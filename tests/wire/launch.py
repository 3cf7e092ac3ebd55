"""Run a bot, unchanged, against a stand-in Discord instead of the real one.

    python -m tests.wire.launch bot http://127.0.0.1:4711
    python -m tests.wire.launch bot http://127.0.0.1:4711 --on-demand --blank

The first argument is the module whose ``main()`` runs the bot. With ``--on-demand`` the module is
imported once, and then every line on standard input starts a bot as a forked process of its own,
which saves the imports of a test that kills it fifty times: the answer is its process id, and
after its end its exit code (negative: the signal that ended it). With ``--blank`` its pictures are
blank.
"""

from __future__ import annotations

import functools
import gc
import importlib
import os
import sys
from collections.abc import Callable
from typing import Any

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.blank import draw_pixels

GUILD_READY_SECONDS = 0.05
"""discord.py announces READY this long after the last guild arrived; on Discord it takes 2 s."""


def point_discord_to(url: str) -> None:
    """Make discord.py find its API and gateway at ``url``."""
    Route.BASE = f"{url}/api/v10"
    gateway = yarl.URL(url).with_scheme("ws") / "gateway"
    DiscordWebSocket.DEFAULT_GATEWAY = gateway
    discord.asset.Asset.BASE = url


def hurry_discord() -> None:
    """Let discord.py not wait for guilds that will not come."""
    init = discord.Client.__init__

    @functools.wraps(init)
    def hurried(self: discord.Client, *args: Any, **options: Any) -> None:
        options.setdefault("guild_ready_timeout", GUILD_READY_SECONDS)
        init(self, *args, **options)

    discord.Client.__init__ = hurried  # type: ignore[method-assign]


def run_on_demand(main: Callable[[], int | None]) -> int | None:
    """Start a bot for every line on standard input, one after another.

    :returns: in a bot's own process, what its ``main`` returned.
    """
    gc.freeze()  # what is here already is not looked through by each bot anew
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(2, 1)
            return main()
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
    return 0


if __name__ == "__main__":
    point_discord_to(sys.argv[2])
    hurry_discord()
    if "--blank" in sys.argv:
        draw_pixels(False)
    bot_main = importlib.import_module(sys.argv[1]).main
    sys.exit(run_on_demand(bot_main) if "--on-demand" in sys.argv else bot_main())
