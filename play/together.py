"""Who may be put together: people block others, with whom the house never seats them.

Nobody is told by whom they are blocked, or that they are. Whoever is blocked cannot sit down beside
the one who has blocked them, in the same words as somebody who was sent away. Whoever has blocked
another may still sit down beside them, and is told so in private.
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
    """Whether the house may put people at one table: nobody among them has blocked another."""
    return not any(blocks(one, other.person_id) for one, other in permutations(people, 2))


def blocks(person: PersonRow, other: int) -> bool:
    """Whether a person has blocked another one."""
    known = {other, mark_of_blocked(person.person_id, other)}
    return not known.isdisjoint(person.blocked_ids)


def may_sit_down(table: Table, person_id: int) -> bool:
    """Whether a person may come to a table: nobody who plays there has sent them away or blocked
    them.
    """
    there = [each for each in table.others(person_id) if each not in table.asked]
    welcome = not any(blocks(table.settings(each), person_id) for each in there)
    return welcome and not table.bars(person_id)


def blocked(person: PersonRow, other: int) -> PersonRow:
    """The person, who has blocked somebody.

    :raises Refused: ``blocks_self``, ``blocked_already``, ``too_many_blocked``.
    """
    refuse_if(person.person_id == other, "blocks_self")
    refuse_if(blocks(person, other), "blocked_already")
    refuse_if(len(person.blocked_ids) >= BLOCKED_AT_MOST, "too_many_blocked", limit=BLOCKED_AT_MOST)
    return replace(person, blocked_ids=(*person.blocked_ids, other))


def unblocked(person: PersonRow, other: int) -> PersonRow:
    """The person, who has blocked somebody no longer.

    :raises Refused: ``not_blocked``.
    """
    refuse_if(not blocks(person, other), "not_blocked")
    gone = {other, mark_of_blocked(person.person_id, other)}
    kept = tuple(each for each in person.blocked_ids if each not in gone)
    return replace(person, blocked_ids=kept)
