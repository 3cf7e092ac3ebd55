"""Start the bot: settings, log, store, and off to Discord."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from typing import Literal

import aiohttp
import discord
import structlog
from pydantic import Field, SecretStr, ValidationError

from cogs.tafelrunde import Tafelrunde
from data.settings import StoreSettings
from data.store import Store, StoreProblem
from play.computers import Thinkers


class Settings(StoreSettings):
    """All settings, from the environment or ``.env``; names begin with ``TAFELRUNDE_``."""

    discord_token: SecretStr = Field(default=SecretStr(""), validation_alias="DISCORD_TOKEN")
    """The bot's token; kept secret."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"

    log_json: bool = False
    """Log in JSON, for machines; else for people."""

    computer_workers: int = Field(default=1, ge=0, le=16)
    """Processes in which computer players think; 0: a thread of this process."""

    computer_pause: float = Field(default=2.0, ge=0, le=60)
    """Seconds that a computer player waits before it moves."""


async def create_bot(settings: Settings) -> Tafelrunde:
    """Open the store and build the bot, ready to be started.

    :raises StoreProblem: the database cannot be used; it was not touched.
    """
    store = await Store.open(settings.database)
    return Tafelrunde(store, Thinkers(settings.computer_workers), settings.computer_pause)


def set_up_logging(settings: Settings) -> None:
    """Log everything, discord.py's lines too, in one form, to standard error."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.StackInfoRenderer(),
    ]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if settings.log_json
        else structlog.dev.ConsoleRenderer()
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
            foreign_pre_chain=shared,
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.log_level)


async def run(settings: Settings) -> None:
    """Run until Discord or the system says stop; then finish what is being written."""
    bot = await create_bot(settings)
    loop = asyncio.get_running_loop()
    for stop in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(stop, lambda: loop.create_task(bot.close()))
    async with bot:
        await bot.start(settings.discord_token.get_secret_value())


def main() -> int:
    """The command line: 0 if all went well, 2 if the bot could not start."""
    try:
        settings = Settings()
    except ValidationError as problem:
        return give_up(f"These settings are not possible:\n{in_words(problem)}")
    set_up_logging(settings)
    if not settings.discord_token.get_secret_value():
        return give_up("DISCORD_TOKEN is not set: put it into the environment or into .env.")
    try:
        asyncio.run(run(settings))
    except StoreProblem as problem:
        return give_up(str(problem))
    except discord.LoginFailure:
        return give_up(
            "Discord does not know this DISCORD_TOKEN. Copy it again from your bot's page."
        )
    except (aiohttp.ClientError, OSError) as problem:
        return give_up(f"Discord cannot be reached: {problem}.")
    return 0


def in_words(problem: ValidationError) -> str:
    """What is wrong with the settings, one to a line; without their values, which may be secret."""
    return "\n".join(
        f"- {'.'.join(map(str, fault['loc']))}: {fault['msg']}"
        for fault in problem.errors(include_input=False)
    )


def give_up(why: str) -> int:
    """Say why the bot does not start; the exit code for it."""
    print(why, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
