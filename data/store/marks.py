"""Recognise people without storing who they are: people barred from a table, people who have
already begun a day's riddle or deal, and blocked people whose data was deleted.
"""

from __future__ import annotations

from hashlib import blake2b


def person_mark(code: str, person_id: int) -> int:
    """Return a person's mark at one table: a 32-bit hash, keyed with the table's code.

    A person has a different mark at every table. Thousands of possible ids share each mark, so it
    can confirm a suspicion but identifies nobody. Never change this function, because marks are
    stored.
    """
    digest = blake2b(str(person_id).encode(), digest_size=4, key=code.encode()).digest()
    return int.from_bytes(digest, "big")


def mark_of_day(name: str, day: str, person_id: int) -> int:
    """Return the mark of a person who has begun a day's riddle or deal; see ``person_mark``.

    :param name: the database table of attempts or plays.
    """
    return person_mark(f"{name} {day}", person_id)


def mark_of_blocked(owner: int, person_id: int) -> int:
    """Return the mark that replaces a person in someone's list of blocked people when the person's
    data is deleted. It is negative, so it cannot be a Discord ID.
    """
    return -person_mark(str(owner), person_id)
