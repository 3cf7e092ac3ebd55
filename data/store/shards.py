"""Discord's shards: how several processes divide the servers among themselves.

Discord divides all servers among the shards of a bot; direct messages belong to the first shard. A
process *serves* a shard if it does the background work for the shard's tables: it delivers their
messages, runs their clocks and drives their computer players.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

MOST = 1 << 14
"""The maximum number of shards: the second number of a lock has to hold both this count and the
number of one shard.
"""


@dataclass(frozen=True, slots=True)
class Shards:
    """Some of a bot's shards.

    :param numbers: the numbers of these shards, from 0.
    :param count: how many shards the bot has.
    :param term: for shards that a process serves: a number that grows whenever the process loses
        some. What the process knows about their tables is then stale, even if it serves them again
        later.
    """

    numbers: frozenset[int] = frozenset({0})
    count: int = 1
    term: int = 0

    @property
    def all_of_them(self) -> bool:
        """Whether these are all shards of the bot."""
        return len(self.numbers) == self.count

    def has(self, guild_id: int | None) -> bool:
        """Return whether a server (None: direct messages) belongs to one of these shards."""
        return self.all_of_them or shard_of(guild_id, self.count) in self.numbers

    def condition(self) -> str:
        """Return ``has`` as an SQL condition on the column ``guild_id``."""
        if self.all_of_them:
            return "0 = 0"
        numbers = ", ".join(map(str, sorted(self.numbers))) or "NULL"
        return f"(COALESCE(guild_id, 0) >> 22) % {self.count} IN ({numbers})"

    def more(self, numbers: Collection[int]) -> Shards:
        """Return these shards together with others, in the same term."""
        return replace(self, numbers=self.numbers.union(numbers))

    def less(self, numbers: Collection[int]) -> Shards:
        """Return these shards without the given ones, in a new term."""
        return replace(self, numbers=self.numbers.difference(numbers), term=self.term + 1)


ALL = Shards()
"""The one shard of a bot that is not divided into several."""


def shard_of(guild_id: int | None, count: int) -> int:
    """Return the shard of a server (None: of direct messages); see "Sharding" in Discord's
    documentation.

    :param count: how many shards the bot has.
    """
    return 0 if guild_id is None else (guild_id >> 22) % count


def shards_of(given: str | Shards) -> Shards:
    """Read a setting: ``0-3/16`` means the first four of sixteen shards, ``5/16`` a single one.

    :raises ValueError: the setting is malformed, or there are no such shards.
    """
    if isinstance(given, Shards):
        return given
    found = re.fullmatch(r"(\d+)(?:-(\d+))?/(\d+)", given.strip())
    if found is None:
        raise ValueError("shards are written like 0-3/16")
    first, last, count = int(found[1]), int(found[2] or found[1]), int(found[3])
    if not first <= last < count <= MOST:
        raise ValueError(f"shards count from 0, and there are at most {MOST}: 0-3/16, 15/16")
    return Shards(frozenset(range(first, last + 1)), count)


MESSAGES = "messages"
"""The last word of the news if the records of messages may have changed too."""


def changed(kind: str, number: int, guild_id: int | None, *, messages: bool = False) -> str:
    """Return the news that a table or an occasion has changed. All processes get it; the one that
    serves the server acts on it.

    :param kind: ``table`` or ``occasion``.
    :param number: the id of the table or occasion.
    :param guild_id: the server of the table or occasion; None: it is on no server.
    :param messages: whether the records of its messages may have changed too.
    """
    news = f"{kind} {number} {guild_id or 0}"
    return f"{news} {MESSAGES}" if messages else news
