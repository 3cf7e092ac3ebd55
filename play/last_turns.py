"""Decides who may use a shared resource next, such as time for thinking or drawing. The order is
fair between people, and between the tables of one person.
"""

from __future__ import annotations

from collections import OrderedDict
from itertools import count

KNOWN = 20_000
"""How many people and tables, taken together, are remembered."""


class LastTurns:
    """Remembers the order in which people and tables had turns."""

    def __init__(self) -> None:
        self._last: OrderedDict[tuple[int, ...], int] = OrderedDict()
        self._turns = count(1)

    def rank(self, person_id: int, table_id: int) -> tuple[int, int]:
        """Return the sort key of a request, lowest first: the person whose last turn was longest
        ago comes first, then the table.

        :param person_id: 0: no person, so the table counts on its own.
        :param table_id: 0: no table.
        """
        person, table = _keys(person_id, table_id)
        return self._last.get(person, 0), self._last.get(table, 0)

    def note(self, person_id: int, table_id: int) -> None:
        """Record a turn; parameters as for ``rank``."""
        turn = next(self._turns)
        for key in _keys(person_id, table_id):
            self._last[key] = turn
            self._last.move_to_end(key)
        while len(self._last) > KNOWN:
            self._last.popitem(last=False)


def payer(person_id: int, table_id: int) -> tuple[int, ...]:
    """Return who is charged for a turn: the person, or the table if there is no person."""
    return _keys(person_id, table_id)[0]


def _keys(person_id: int, table_id: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return (person_id,) if person_id else (0, table_id), (person_id, table_id)
