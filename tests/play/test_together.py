"""Blocking: which people must not share a table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.store.marks import mark_of_blocked
from data.store.rows import PersonRow
from play.table import Refused
from play.together import BLOCKED_AT_MOST, blocked, blocks, may_sit_together, unblocked

people = st.integers(1, 2**62)


@given(st.lists(people, min_size=2, max_size=5, unique=True))
def test_one_who_blocks_another_keeps_both_apart(ids: list[int]) -> None:
    rows = [PersonRow(person) for person in ids]
    assert may_sit_together(rows)
    angry = blocked(rows[0], ids[-1])
    assert not may_sit_together([angry, *rows[1:]])
    assert not may_sit_together([*rows[1:], angry])
    assert may_sit_together([angry, *rows[1:-1]])
    assert may_sit_together([unblocked(angry, ids[-1]), *rows[1:]])


def test_blocking_lasts_when_the_other_one_is_forgotten() -> None:
    """A mark remains that still identifies the person, and the block can be removed."""
    person = PersonRow(7, blocked_ids=(mark_of_blocked(7, 8), 9))
    assert blocks(person, 8)
    assert not blocks(person, 10)
    assert not blocks(PersonRow(6, blocked_ids=person.blocked_ids), 8)
    assert unblocked(person, 8).blocked_ids == (9,)


def test_what_cannot_be_blocked() -> None:
    full = PersonRow(1, blocked_ids=tuple(range(2, BLOCKED_AT_MOST + 2)))
    cases = (
        (blocked, PersonRow(1), 1, "blocks_self"),
        (blocked, PersonRow(1, blocked_ids=(2,)), 2, "blocked_already"),
        (blocked, full, 500, "too_many_blocked"),
        (unblocked, PersonRow(1), 2, "not_blocked"),
    )
    for change, person, other, code in cases:
        with pytest.raises(Refused) as refusal:
            change(person, other)
        assert refusal.value.code == code
