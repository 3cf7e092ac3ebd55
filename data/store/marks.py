"""Recognise people without storing who they are: those barred from a table, and those who have
already played a day's riddle or deal.
"""

from __future__ import annotations

from hashlib import blake2b


def person_mark(code: str, person_id: int) -> int:
    """What is kept of a person at one table: 32 bits, keyed with the table's code.

    The same person has another mark at every table. Thousands of possible ids share each one, so
    that it confirms a suspicion but names no one. Stored marks depend on it: it never changes.
    """
    digest = blake2b(str(person_id).encode(), digest_size=4, key=code.encode()).digest()
    return int.from_bytes(digest, "big")


def mark_of_day(name: str, day: str, person_id: int) -> int:
    """The mark of a person who has begun a day's riddle or deal; see ``person_mark``.

    :param name: of the database's table of what people have made of it.
    """
    return person_mark(f"{name} {day}", person_id)


def mark_of_blocked(owner: int, person_id: int) -> int:
    """What stays in somebody's list of blocked people of one who had everything deleted: below
    zero, so that it is no one's number.
    """
    return -person_mark(str(owner), person_id)
