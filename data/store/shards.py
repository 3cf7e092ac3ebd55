"""Discord's shards: which servers are whose, where several processes share the work.

Discord divides all servers among the shards of a bot; direct messages belong to the first one.
A process *serves* a shard if it does what is to be done at the shard's tables unasked: it delivers
them, lets their clocks ring, and drives their computer players.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

MOST = 1 << 14
"""No bot has more shards; a lock's number holds the count and a shard."""


@dataclass(frozen=True, slots=True)
class Shards:
    """Some of a bot's shards.

    :param numbers: which ones, from 0.
    :param count: of all shards.
    :param term: of those that a process serves: it grows whenever the process has lost some, so
        that what it knew of them counts no more, even if it serves them again.
    """

    numbers: frozenset[int] = frozenset({0})
    count: int = 1
    term: int = 0

    @property
    def all_of_them(self) -> bool:
        """Whether no shard is left for others."""
        return len(self.numbers) == self.count

    def has(self, guild_id: int | None) -> bool:
        """Whether the tables of a server are among these; None: of direct messages."""
        return self.all_of_them or shard_of(guild_id, self.count) in self.numbers

    def condition(self) -> str:
        """The same in SQL, of a row with the column ``guild_id``."""
        if self.all_of_them:
            return "0 = 0"
        numbers = ", ".join(map(str, sorted(self.numbers))) or "NULL"
        return f"(COALESCE(guild_id, 0) >> 22) % {self.count} IN ({numbers})"

    def more(self, numbers: Collection[int]) -> Shards:
        """These and others, in the same term."""
        return replace(self, numbers=self.numbers.union(numbers))

    def less(self, numbers: Collection[int]) -> Shards:
        """These without some, in a new term."""
        return replace(self, numbers=self.numbers.difference(numbers), term=self.term + 1)


ALL = Shards()
"""All of a bot that counts no shards."""


def shard_of(guild_id: int | None, count: int) -> int:
    """The shard of a server, or (None) of direct messages; see Discord's documentation."""
    return 0 if guild_id is None else (guild_id >> 22) % count


def shards_of(given: str | Shards) -> Shards:
    """The shards that a setting names: ``0-3/16`` are the first four of sixteen, ``5/16`` is one.

    :raises ValueError: it names none.
    """
    if isinstance(given, Shards):
        return given
    found = re.fullmatch(r"(\d+)(?:-(\d+))?/(\d+)", given.strip())
    if found is None:
        raise ValueError("shards are written like 0-3/16")
    first, last, count = int(found[1]), int(found[2] or found[1]), int(found[3])
    if not first <= last < count <= MOST:
        raise ValueError("there are no such shards")
    return Shards(frozenset(range(first, last + 1)), count)


def changed(kind: str, number: int) -> str:
    """The news that a table or an occasion has changed, for the process that serves it.

    :param kind: ``table`` or ``occasion``.
    """
    return f"{kind} {number}"
