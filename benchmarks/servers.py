"""How much memory a server takes, and how long garbage collection stops a starting bot.

``python -m benchmarks.servers [--servers N]``

A server has 40 channels (eight of them categories), 15 roles, 20 emojis, two threads and the bot as
a member; one in eight channels in categories has permissions that differ from its category's. It
prints three lines: one with discord.py's own cache, two with the bot's (``cogs.gateway.servers``).
For the first and the last line, objects are moved out of the collector's reach step by step, as in
the bot (``bot.sparing``); for the second, only at the end. The longest collection is in
milliseconds of processor time.
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

CHANNELS, CATEGORIES, ROLES, EMOJIS, OVERWRITES, THREADS = 40, 8, 15, 20, 3, 2
OWN_PERMISSIONS = 4
"""A channel has the permissions of its category, unless its number is divisible by this; half of
these channels have equal permissions anyway.
"""

BOT = 10**16
APART = 10**6
"""The distance between the ids of servers; those of channels, roles and emojis lie in between."""

FEATURES = ("COMMUNITY", "NEWS", "SOUNDBOARD", "INVITE_SPLASH", "ANIMATED_ICON", "WELCOME_SCREEN")

WAYS = {
    "plain": "kept by discord.py, spared little by little",
    "end": "kept by the bot, spared at the end",
    "little": "kept by the bot, spared little by little",
}


def server(number: int) -> dict[str, Any]:
    """Return a server as Discord describes it to the bot."""
    first = 10**17 + number * APART
    roles = [
        {"id": str(first + n), "name": f"Role {n} of {number}", "permissions": str(104324673 + n)}
        | {"position": n, "color": 0, "hoist": False, "managed": False, "mentionable": False}
        for n in range(ROLES)
    ]
    channels = [channel(number, n) for n in range(CHANNELS)]
    threads = [
        {"id": str(first + 3000 + n), "type": 11, "parent_id": channels[-1]["id"]}
        | {"owner_id": str(BOT), "name": f"Thread {n}", "message_count": 5, "member_count": 2}
        | {"thread_metadata": {"archived": False, "auto_archive_duration": 10080}}
        for n in range(THREADS)
    ]
    for each in threads:
        each["thread_metadata"]["archive_timestamp"] = "2026-11-01T12:00:00+00:00"
    emojis = [
        {"id": str(first + 2000 + n), "name": f"emoji_{n}", "roles": [], "animated": False}
        | {"require_colons": True, "managed": False, "available": True}
        for n in range(EMOJIS)
    ]
    own = {
        "user": {"id": str(BOT), "username": "Tafelrunde", "avatar": "a" * 32, "bot": True}
        | {"discriminator": "0001"},
        "roles": [str(first + 1)],
        "joined_at": "2026-01-01T12:00:00+00:00",
        "flags": 0,
    }
    return {
        "id": str(first),
        "name": f"Server {number}",
        "icon": f"{number:032x}",
        "features": list(FEATURES),
        "member_count": 100,
        "roles": roles,
        "channels": channels,
        "threads": threads,
        "emojis": emojis,
        "members": [own],
    }


def channel(number: int, n: int) -> dict[str, Any]:
    """Return one channel of a server; the first ones are categories."""
    first = 10**17 + number * APART
    category = n % CATEGORIES
    own = n if n % OWN_PERMISSIONS == 0 else category
    overwrites = [
        {"id": str(first + at), "type": 0, "allow": str(1024 << own % 16), "deny": "2048"}
        for at in range(OVERWRITES)
    ]
    return {
        "id": str(first + 1000 + n),
        "type": 4 if n < CATEGORIES else 0,
        "name": f"channel-{n}-of-{number}",
        "topic": f"What we talk about in {n}",
        "position": n,
        "nsfw": False,
        "parent_id": None if n < CATEGORIES else str(first + 1000 + category),
        "permission_overwrites": overwrites,
    }


def measure(count: int, way: str) -> None:
    """Hand servers to a client, and print the memory they take and the longest collection."""
    client = discord.Client(intents=discord.Intents(guilds=True)) if way == "plain" else Client()
    state: Any = client._connection
    state.user = discord.Object(BOT)
    sparing = way != "end"
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
        state._add_guild_from_data(server(number))
        if sparing and time.thread_time() - spared >= SPARED_EVERY:
            spare_what_stays()
            spared = time.thread_time()
    taken = process.memory_info().rss - before
    spare_what_stays()
    print(
        f"{count} servers, {WAYS[way]}: {taken / count / 1024:.1f} KiB each;"
        f" longest collection {1000 * longest:.0f} ms",
        flush=True,
    )


def main() -> None:
    """Measure each way in a process of its own."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--servers", type=int, default=5000)
    parser.add_argument("--way", choices=WAYS, help="this way only")
    chosen = parser.parse_args()
    if chosen.way is not None:
        measure(chosen.servers, chosen.way)
        return
    for way in WAYS:
        command = [sys.executable, "-m", "benchmarks.servers", "--way", way]
        subprocess.run([*command, "--servers", str(chosen.servers)], check=True)


if __name__ == "__main__":
    main()
