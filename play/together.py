"""Blocking keeps people apart from those whom they have blocked: always where the bot seats people
who seek a match, and in a tournament as far as the format allows.

Nobody learns that they are blocked, or by whom. An invitation from a blocked person is recorded,
and counts for that person like any other, but is not delivered. A blocked person cannot join a
table where the other one plays; the refusal reads as if they had been sent away. People may still
join the table of someone they have blocked; the bot then warns them in private.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations

from data.store.marks import mark_of_blocked
from data.store.rows import PersonRow
from play.table import Table, refuse_if

BLOCKED_AT_MOST = 100


def may_sit_together(people: Iterable[PersonRow]) -> bool:
    """Return whether people may be put at one table: none of them has blocked another."""
    return not any(blocks(one, other.person_id) for one, other in permutations(people, 2))


def blocks(person: PersonRow, other: int) -> bool:
    """Return whether a person has blocked another."""
    known = {other, mark_of_blocked(person.person_id, other)}
    return not known.isdisjoint(person.blocked_ids)


def may_sit_down(table: Table, person_id: int) -> bool:
    """Return whether a person may join: they are not barred from the table, and nobody who plays
    there has blocked them.
    """
    there = [each for each in table.others(person_id) if each not in table.asked]
    welcome = not any(blocks(table.settings(each), person_id) for each in there)
    return welcome and not table.bars(person_id)


def blocked(person: PersonRow, other: int) -> PersonRow:
    """Return the person, with somebody blocked.

    :raises Refused: ``blocks_self``, ``blocked_already``, ``too_many_blocked``.
    """
    refuse_if(person.person_id == other, "blocks_self")
    refuse_if(blocks(person, other), "blocked_already")
    refuse_if(len(person.blocked_ids) >= BLOCKED_AT_MOST, "too_many_blocked", limit=BLOCKED_AT_MOST)
    return replace(person, blocked_ids=(*person.blocked_ids, other))


def unblocked(person: PersonRow, other: int) -> PersonRow:
    """Return the person, with somebody unblocked.

    :raises Refused: ``not_blocked``.
    """
    refuse_if(not blocks(person, other), "not_blocked")
    gone = {other, mark_of_blocked(person.person_id, other)}
    kept = tuple(each for each in person.blocked_ids if each not in gone)
    return replace(person, blocked_ids=kept)
