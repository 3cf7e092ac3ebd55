"""The bot with counters around its store and its rules, for ``benchmarks.life``.

``python -m benchmarks.counted URL FILE``

It runs the bot against a stand-in Discord at ``URL``. Whenever the process gets
``SIGUSR1``, the counts so far are written to ``FILE`` as JSON, atomically.
"""

from __future__ import annotations

import functools
import json
import resource
import signal
import sys
from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from types import FrameType
from typing import Any

import bot
from cogs.gateway.emojis import EmojiKeeper
from data.store.access import Access
from games import GAMES
from games.engine import Match
from tests.wire.launch import hurry_discord, point_discord_to

COUNTS: Counter[str] = Counter()

_inside: ContextVar[bool] = ContextVar("inside", default=False)
"""Whether a counted call is running: a call that it makes in turn is not counted again."""


def count_hops() -> None:
    """Count calls into the database thread, changes and queries alike."""
    for name in ("read", "write"):
        setattr(Access, name, _counted_hop(getattr(Access, name)))


def _counted_hop(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    async def counted(*args: Any, **options: Any) -> Any:
        if _inside.get():
            return await method(*args, **options)
        COUNTS["hops"] += 1
        token = _inside.set(True)
        try:
            return await method(*args, **options)
        finally:
            _inside.reset(token)

    return counted


def count_folds() -> None:
    """Count folds of a whole log, and events applied to a state, in folds and elsewhere."""
    replay = Match.replay.__func__  # type: ignore[attr-defined]
    Match.replay = classmethod(_counted("folds", replay))  # type: ignore[assignment, method-assign]
    Match.history = _counted("folds", Match.history)  # type: ignore[method-assign]
    for kind in {type(game) for game in GAMES.values()}:
        kind.do = _counted("events", kind.do)  # type: ignore[method-assign]


def _counted(what: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def counted(*args: Any, **options: Any) -> Any:
        COUNTS[what] += 1
        return function(*args, **options)

    return counted


def count_preparations() -> None:
    """Count the start-up tasks that have finished, and upload icons without pauses."""
    bring = functools.partialmethod(_counted_at_end(EmojiKeeper.bring), pause=0)
    EmojiKeeper.bring = bring  # type: ignore[assignment]
    bot.rehearse_pictures = _counted_at_end(bot.rehearse_pictures)


def _counted_at_end(work: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(work)
    async def counted(*args: Any, **options: Any) -> None:
        await work(*args, **options)
        COUNTS["prepared"] += 1

    return counted


def write_counts_to(file: Path) -> None:
    """Write the counts and this process's CPU time on each ``SIGUSR1``."""

    def write(_signal: int, _frame: FrameType | None) -> None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        counts = {**COUNTS, "cpu": used.ru_utime + used.ru_stime}
        part = file.with_suffix(".part")
        part.write_text(json.dumps(counts))
        part.rename(file)

    signal.signal(signal.SIGUSR1, write)


def main() -> int:
    url, file = sys.argv[1:]
    point_discord_to(url)
    hurry_discord()
    count_hops()
    count_folds()
    count_preparations()
    write_counts_to(Path(file))
    return bot.main()


if __name__ == "__main__":
    sys.exit(main())
