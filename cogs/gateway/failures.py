"""The ways in which a call to Discord can fail in everyday operation, as values.

Closed direct messages, a revoked permission, a deleted channel, an answer that comes too late, an
outage at Discord: each is logged and becomes a ``Failure`` that the caller handles. Any other error
is a bug of ours and is not caught here.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from http import HTTPStatus
from types import TracebackType
from typing import Final, TypeVar

import aiohttp
import discord
import structlog

log = structlog.get_logger(__name__)

T = TypeVar("T")


class Trouble(Enum):
    """The expected failures, distinguished by what can be done about them."""

    CLOSED_DM = "closed_dm"  # the person takes no direct messages from the bot
    MISSING_PERMISSION = "missing_permission"  # a manager of the server has to grant it
    GONE = "gone"  # the channel, message or person no longer exists
    ARCHIVED = "archived"  # the thread is archived; unless it is locked, the bot can reopen it
    TOO_MANY_THREADS = "too_many_threads"  # the server has no room for another active thread
    TOO_LATE = "too_late"  # the interaction has expired; nobody waits for its answer
    ANSWERED = "answered"  # the interaction already has an answer
    TOO_FAST = "too_fast"  # Discord asks the bot to slow down
    ICON = "icon"  # Discord refused an emoji; the same message without emojis would pass
    UNAUTHORIZED = "unauthorized"  # Discord no longer accepts the bot's token
    WAITS = "waits"  # where the bot is not a member, it cannot post until someone acts
    UNREACHABLE = "unreachable"  # Discord, or the connection to it, is down
    STORE = "store"  # the store could not record the call
    FAULT = "fault"  # a bug of ours

    @property
    def passing(self) -> bool:
        """Whether the same call may succeed later without anyone's help."""
        return self in _PASSING


_PASSING: Final = frozenset(
    {
        Trouble.TOO_FAST,
        Trouble.UNREACHABLE,
        Trouble.TOO_MANY_THREADS,
        Trouble.ICON,
        Trouble.STORE,
    }
)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a call failed.

    :param code: Discord's error code; 0 if it gave none.
    :param wait: seconds to wait before trying the call again, as Discord asked; 0 if it did not
        ask.
    """

    trouble: Trouble
    code: int = 0
    wait: float = 0.0

    @property
    def hinders(self) -> bool:
        """Whether the bot may be unable to post until someone on the server acts."""
        return self.trouble in (Trouble.MISSING_PERMISSION, Trouble.GONE, Trouble.ARCHIVED)

    @property
    def lost_channel(self) -> bool:
        """Whether Discord no longer knows the channel or its server."""
        return self.code in _LOST

    @property
    def lost_person(self) -> bool:
        """Whether Discord no longer knows the person."""
        return self.code == _UNKNOWN_USER


REMEDY: Final = (
    "Discord no longer accepts this DISCORD_TOKEN. Copy the new one from your bot's page, and start"
    " the bot again."
)

EXPECTED: Final = (
    discord.DiscordException,
    aiohttp.ClientError,
    OSError,
    KeyError,
    TypeError,
    RuntimeError,
)
"""Exceptions that ``trouble_of`` may recognise."""


async def tried(call: str, attempt: Callable[[], Awaitable[T]], **where: int) -> T | Failure:
    """Make a call. An expected failure is logged and returned as a value.

    :param call: the call's name in the log.
    :param where: the ids of the channel, message or person concerned, for the log.
    :raises discord.DiscordException: Discord refused the call because of a bug of ours.
    """
    try:
        return await attempt()
    except EXPECTED as error:
        trouble = trouble_of(error)
        if trouble is None:
            raise
        code = getattr(error, "code", 0)
        wait = error.retry_after if isinstance(error, discord.RateLimited) else 0.0
        if trouble is Trouble.UNAUTHORIZED:
            log.error("token_refused", call=call, remedy=REMEDY, **where)
        else:
            log.warning(
                "discord_refused", call=call, trouble=trouble.value, code=code, wait=wait, **where
            )
        return Failure(trouble, code, wait)


async def done(call: Awaitable[object]) -> None:
    """Make a call whose result does not matter."""
    await call


_UNKNOWN_USER: Final = 10013

_TROUBLES: Final = {
    10003: Trouble.GONE,  # unknown channel
    10004: Trouble.GONE,  # unknown server
    10008: Trouble.GONE,  # unknown message
    _UNKNOWN_USER: Trouble.GONE,
    10015: Trouble.TOO_LATE,  # unknown webhook: the interaction's token has expired
    10062: Trouble.TOO_LATE,  # unknown interaction
    20028: Trouble.TOO_FAST,  # too many messages in the channel
    30046: Trouble.TOO_FAST,  # too many edits of messages older than an hour
    40003: Trouble.TOO_FAST,  # opening direct messages too fast
    40060: Trouble.ANSWERED,
    40094: Trouble.TOO_LATE,  # no more messages may follow the interaction
    50001: Trouble.MISSING_PERMISSION,  # the channel is not visible
    50007: Trouble.CLOSED_DM,
    50013: Trouble.MISSING_PERMISSION,
    50027: Trouble.TOO_LATE,  # invalid token of an interaction
    50033: Trouble.CLOSED_DM,  # nobody in the channel can receive a direct message
    50083: Trouble.ARCHIVED,
    50278: Trouble.CLOSED_DM,  # no server in common
    160005: Trouble.MISSING_PERMISSION,  # the thread is locked
    160006: Trouble.TOO_MANY_THREADS,
}

_LOST: Final = frozenset({10003, 10004})  # unknown channel, unknown server

_INVALID_FORM: Final = 50035

_EMOJI_REFUSED: Final = re.compile(r"^In (\S+\.)?emoji(\.\w+)?: ", re.MULTILINE)
"""How discord.py reports a refused emoji: by its position in the request."""

_READERS_OF_429: Final = frozenset({"discord.http", "discord.webhook.async_"})


def trouble_of(error: BaseException) -> Trouble | None:
    """Return the kind of an expected failure; None for any other exception."""
    match error:
        case discord.HTTPException():
            return _trouble_of_answer(error)
        case discord.RateLimited():
            return Trouble.TOO_FAST
        case aiohttp.ClientError() | OSError():
            return Trouble.UNREACHABLE
        case RuntimeError() if str(error) == "Session is closed":  # the bot is shutting down
            return Trouble.UNREACHABLE
        case discord.InteractionResponded():
            return Trouble.ANSWERED
        case KeyError() | TypeError() if _in_discords_answer(error.__traceback__):
            return Trouble.TOO_FAST
    return None


def _trouble_of_answer(error: discord.HTTPException) -> Trouble | None:
    """Return the kind of failure that Discord's answer describes; None if it points to a bug of
    ours.
    """
    if error.code in _TROUBLES:
        return _TROUBLES[error.code]
    if error.code == _INVALID_FORM and _EMOJI_REFUSED.search(error.text):
        return Trouble.ICON
    if error.status == HTTPStatus.NOT_FOUND and not error.code:  # a file; other objects have codes
        return Trouble.GONE
    if error.status == HTTPStatus.UNAUTHORIZED:
        return Trouble.UNAUTHORIZED
    if error.status == HTTPStatus.TOO_MANY_REQUESTS:
        return Trouble.TOO_FAST
    return Trouble.UNREACHABLE if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR else None


def _in_discords_answer(trace: TracebackType | None) -> bool:
    """Return whether discord.py failed to read Discord's answer: it assumes that every 429 says how
    long to wait.
    """
    if trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    frame = trace.tb_frame
    module = frame.f_globals.get("__name__")
    return module in _READERS_OF_429 and frame.f_code.co_name == "request"
