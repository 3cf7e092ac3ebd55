"""Recognises people without storing who they are: people barred from a table, and people who have
deleted their data but had begun a day's riddle or deal, or are blocked by somebody.
"""

from __future__ import annotations

from hashlib import blake2b


def person_mark(code: str, person_id: int) -> int:
    """Return a person's mark at one table: a 32-bit hash, keyed with the table's code.

    A person has a different mark at every table. A mark does not reveal an id, but anyone who knows
    an id can check whether it fits. Never change this function: its results are stored.
    """
    digest = blake2b(str(person_id).encode(), digest_size=4, key=code.encode()).digest()
    return int.from_bytes(digest, "big")


def mark_of_day(name: str, day: str, person_id: int) -> int:
    """Return the mark that records that a person has started a day's riddle or deal; see
    ``person_mark``.

    :param name: the database table of attempts or plays.
    """
    return person_mark(f"{name} {day}", person_id)


def mark_of_blocked(owner: int, person_id: int) -> int:
    """Return the mark that takes a person's place in someone's list of blocked people when the
    person's data are deleted. It is negative, so it cannot be a Discord ID.
    """
    return -person_mark(str(owner), person_id)
