"""What a server takes in discord.py's memory, and how long garbage collection stops the bot while
it hears of all of them.

``python -m benchmarks.servers [--servers N]``

A server has 40 channels, 15 roles and 20 emojis. Two lines give the longest collection in
milliseconds of processor time: one at the end, as Python does by itself, and spared little by
little, as the bot does (``bot.sparing``).
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
import time
from typing import Any

import discord
import psutil  # type: ignore[import-untyped]

from bot import SPARED_EVERY, spare_what_stays
from cogs.gateway.client import Client

CHANNELS, ROLES, EMOJIS, OVERWRITES = 40, 15, 20, 3

APART = 10**6
"""Numbers of servers lie this far apart; those of channels, roles and emojis lie between."""


def server(number: int) -> dict[str, Any]:
    """A server as Discord describes it to the bot."""
    first = 10**17 + number * APART
    roles = [
        {"id": str(first + n), "name": f"Role {n} of {number}", "permissions": str(104324673 + n)}
        | {"position": n, "color": 0, "hoist": False, "managed": False, "mentionable": False}
        for n in range(ROLES)
    ]
    overwrites = [
        {"id": str(first + n), "type": 0, "allow": "1024", "deny": "2048"}
        for n in range(OVERWRITES)
    ]
    channels = [
        {"id": str(first + 1000 + n), "type": 0, "name": f"channel-{n}-of-{number}"}
        | {"topic": f"What we talk about in {n}", "position": n, "nsfw": False, "parent_id": None}
        | {"permission_overwrites": [dict(each) for each in overwrites]}
        for n in range(CHANNELS)
    ]
    emojis = [
        {"id": str(first + 5000 + n), "name": f"emoji_{n}", "roles": [], "animated": False}
        | {"require_colons": True, "managed": False, "available": True}
        for n in range(EMOJIS)
    ]
    return {"id": str(first), "name": f"Server {number}", "members": [], "threads": []} | {
        "roles": roles,
        "channels": channels,
        "emojis": emojis,
    }


def measure(count: int, *, sparing: bool) -> None:
    """Hear of servers, and print what that took."""
    state: Any = Client()._connection
    longest, begun = 0.0, 0.0

    def note(phase: str, _: object) -> None:
        nonlocal longest, begun
        if phase == "start":
            begun = time.thread_time()
        else:
            longest = max(longest, time.thread_time() - begun)

    if sparing:
        spare_what_stays()
    gc.callbacks.append(note)
    process = psutil.Process(os.getpid())
    before, spared = process.memory_info().rss, time.thread_time()
    for number in range(count):
        state._add_guild(discord.Guild(data=server(number), state=state))  # type: ignore[arg-type]
        if sparing and time.thread_time() - spared >= SPARED_EVERY:
            spare_what_stays()
            spared = time.thread_time()
    taken = process.memory_info().rss - before
    spare_what_stays()
    how = "little by little" if sparing else "at the end"
    print(
        f"{count} servers, {taken / count / 1024:.1f} KiB each; spared {how}:"
        f" longest collection {1000 * longest:.0f} ms",
        flush=True,
    )


def main() -> None:
    """Measure each way in a process of its own."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--servers", type=int, default=5000)
    parser.add_argument("--way", choices=["end", "little"], help="this way only")
    chosen = parser.parse_args()
    if chosen.way is not None:
        measure(chosen.servers, sparing=chosen.way == "little")
        return
    for way in ("end", "little"):
        command = [sys.executable, "-m", "benchmarks.servers", "--way", way]
        subprocess.run([*command, "--servers", str(chosen.servers)], check=True)


if __name__ == "__main__":
    main()
