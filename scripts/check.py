"""Check whether the bot can start, and change nothing: ``scripts/run --check``.

Prints one line for each result. The exit code is 0 if nothing is wrong, 1 if a check finds
something wrong, 2 if a setting is invalid.
"""

from __future__ import annotations

import asyncio
import math
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version
from typing import Any, Final

import aiohttp
import aiosqlite
import discord
from discord.http import Route
from pydantic import ValidationError

from bot import Settings, bring_games, build, secret_files
from cogs.gateway.client import is_in_clear, send_requests_to
from cogs.gateway.limits import check_tree
from cogs.gateway.permissions import WANTED, invitation
from data.private import open_to_others
from data.settings import in_words
from data.store.inspection import inspect
from data.store.problems import StoreProblem
from data.store.store import Store
from play.computers import Thinkers

SLOW: Final = 20.0
"""Seconds to wait for one answer from Discord."""

CLOCK_MAY_DIFFER: Final = 1.0
"""How many seconds the clock may be off: the age of a press is measured from Discord's
timestamp.
"""

STARTS_KEPT: Final = 10
"""A start is safe while at least this many connections to the gateway remain today."""

USER_AGENT: Final = f"DiscordBot (https://github.com/Rapptz/discord.py {discord.__version__})"
"""Discord requires the name of the library."""

PINNED: Final = re.compile(r"^([a-z0-9-]+)==([^\s;]+)", re.MULTILINE)

PRIVILEGED: Final = {
    "presence": 1 << 12 | 1 << 13,
    "server members": 1 << 14 | 1 << 15,
    "message content": 1 << 18 | 1 << 19,
}
"""For each privileged intent, the flags of an application that may use it, fully or in its limited
form."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check.

    :param subject: what was checked.
    :param text: the result, or what is wrong and what to do.
    """

    subject: str
    text: str
    good: bool = True

    def __str__(self) -> str:
        return f"{'ok   ' if self.good else 'WRONG'} {self.subject:<9} {self.text}"


async def start_findings(settings: Settings) -> AsyncIterator[Finding]:
    """Yield the results of all checks, one by one."""
    yield versions()
    yield private_files(settings)
    yield limiter(settings.discord_api)
    yield await database(settings)
    yield await command_limits()
    async for finding in discord_findings(settings):
        yield finding


def versions(pins: Path = Path(__file__).parents[1] / "requirements.txt") -> Finding:
    """Check whether the installed packages are the tested ones.

    :param pins: the file that names the tested versions; the container image lacks it.
    """
    tried: dict[str, set[str]] = {}
    for name, wanted in PINNED.findall(pins.read_text("utf-8")) if pins.exists() else ():
        tried.setdefault(name, set()).add(wanted)  # there may be a version for each Python
    wrong = [
        f"{name} is {there}, not {' or '.join(sorted(wanted))}"
        for name, wanted in tried.items()
        if (there := _installed(name)) and there not in wanted
    ]
    if wrong:
        return Finding("versions", f"{'; '.join(wrong)}. Run scripts/run once more", False)
    return Finding(
        "versions",
        f"Python {python_version()}, discord.py {discord.__version__},"
        f" SQLite {aiosqlite.sqlite_version}",
    )


def _installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:  # perhaps only other systems need it
        return None


def private_files(settings: Settings) -> Finding:
    """Check whether others on this machine can read the secrets."""
    if files := open_to_others(secret_files(settings)):
        return Finding(
            "files", f"others can read them: chmod 600 {' '.join(map(str, files))}", False
        )
    return Finding("files", "nobody else can read them")


def limiter(address: str) -> Finding:
    """Report where requests go. Settings with an unsafe address are refused earlier."""
    if not address:
        return Finding("limiter", "none; requests go to Discord")
    clear = " in clear: others on that network could read the token" if is_in_clear(address) else ""
    return Finding("limiter", f"requests go to {address}{clear}")


async def database(settings: Settings) -> Finding:
    """Check whether the database can be used."""
    try:
        return Finding("database", await asyncio.to_thread(inspect, settings.database))
    except StoreProblem as problem:
        return Finding("database", str(problem), False)


async def command_limits() -> Finding:
    """Check whether Discord would accept the commands, including those of games from packages."""
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(Path(folder) / "empty.sqlite3")
        parts = build(store, Thinkers(workers=0))
        try:
            await bring_games(parts)
            await parts.client.register_commands()
            described = await parts.client.described_commands()
        finally:
            await parts.client.close()
    if faults := check_tree(described):
        return Finding("commands", "; ".join(faults), False)
    return Finding("commands", f"{len(described)}, within Discord's limits")


async def discord_findings(settings: Settings) -> AsyncIterator[Finding]:
    """Yield the results of the checks that need Discord. If Discord does not answer, one line says
    so.
    """
    token = settings.discord_token.get_secret_value().strip()  # as discord.py does
    if not token:
        yield Finding("token", "DISCORD_TOKEN is not set: put it into .env", False)
        return
    if settings.discord_api:
        send_requests_to(settings.discord_api)
    headers = {"Authorization": f"Bot {token}", "User-Agent": USER_AGENT}
    timeout = aiohttp.ClientTimeout(total=SLOW)
    try:
        async with aiohttp.ClientSession(headers=headers, timeout=timeout) as session:
            asked = time.time()
            async with session.get(f"{Route.BASE}/applications/@me") as answer:
                answered = time.time()
                yield clock(answer.headers.get("Date", ""), asked, answered)
                if answer.status == 401:
                    yield Finding(
                        "token", "Discord refuses it. Copy it again from your bot's page", False
                    )
                    return
                answer.raise_for_status()
                application = await answer.json()
            async with session.get(f"{Route.BASE}/gateway/bot") as answer:
                answer.raise_for_status()
                starts = (await answer.json())["session_start_limit"]
    except (aiohttp.ClientError, TimeoutError) as error:
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        yield Finding(
            "discord",
            f"does not answer properly ({what}). Check the network and the limiter",
            False,
        )
        return
    for finding in of_application(application):
        yield finding
    yield gateway(starts)


def clock(date: str, asked: float, answered: float) -> Finding:
    """Check whether this machine's clock is right.

    :param date: the ``Date`` header: the whole second in which Discord answered.
    :param asked: when the request was sent, by this machine's clock, in seconds of Unix time, like
        ``answered``.
    """
    if not date:
        return Finding("clock", "unknown: Discord's answer had no date")
    theirs = parsedate_to_datetime(date).timestamp()
    # Discord answered within [theirs, theirs + 1), and between our own two times.
    off = max(asked - (theirs + 1), theirs - answered, 0.0)
    if off > CLOCK_MAY_DIFFER:
        way = "ahead of" if asked > theirs else "behind"
        return Finding("clock", f"{off:.0f} s {way} Discord's. Synchronise it by NTP", good=False)
    return Finding("clock", "correct to the second")


def of_application(application: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the bot's name and number of servers, its intents, and its invitation."""
    number = int(application["id"])
    servers = application.get("approximate_guild_count", "?")
    noun = "server" if servers == 1 else "servers"
    yield Finding("token", f"{application['name']} ({number}), on {servers} {noun}")
    flags = int(application.get("flags") or 0)
    needless = [name for name, bits in PRIVILEGED.items() if flags & bits]
    also = f"; {', '.join(needless)} can be switched off" if needless else ""
    yield Finding("intents", f"no privileged one is needed{also}")
    yield Finding("invite", f"{invitation(number)} (permissions {WANTED.value})")


def gateway(starts: Mapping[str, Any]) -> Finding:
    """Check whether enough starts are left today; Discord limits their number per day."""
    left, total = starts["remaining"], starts["total"]
    hours = math.ceil(starts["reset_after"] / 3_600_000)
    again = f"; all {total} again within {hours} h" if left < total else ""
    return Finding("gateway", f"{left} of {total} starts left today{again}", left >= STARTS_KEPT)


async def print_findings(settings: Settings) -> int:
    """Print each result as it comes.

    :returns: the exit code.
    """
    good = True
    async for finding in start_findings(settings):
        good &= finding.good
        print(finding, flush=True)
    return 0 if good else 1


def main() -> int:
    """Run the command."""
    try:
        settings = Settings()
    except ValidationError as problem:
        for line in in_words(problem).splitlines():
            print(Finding("settings", line, good=False))
        return 2
    return asyncio.run(print_findings(settings))


if __name__ == "__main__":
    sys.exit(main())
