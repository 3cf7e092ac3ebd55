"""The course of a match as version 6 had stored it, put together again.

At an undo the log was cut, and what was cut was kept apart. Undo by undo, backwards, it is put back
where it was; what stands after an undo and not before the next was played between the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class History:
    """The lines of a match in their true order.

    :param start: the number of the line that begins it.
    :param undos: numbers of the lines of its undos.
    :param logs: numbers of the lines in effect right before each undo, and at the end.
    :param left: how many of them were left after each undo.
    """

    start: int
    undos: list[int] = field(default_factory=list)
    logs: list[list[int]] = field(default_factory=list)
    left: list[int] = field(default_factory=list)

    @property
    def effective(self) -> list[int]:
        """The numbers of the lines in effect at the end."""
        return self.logs[-1]

    def decision(self, ply: int, undos: int) -> int:
        """The line after which a decision opened, by the numbers of events and undos then."""
        log = self.logs[min(undos, len(self.logs) - 1)]
        return log[min(ply, len(log)) - 1] if ply and log else self.start

    def position(self, ply: int, undos: int) -> int:
        """The last line of the match at a point, an undo's among them; parameters as above."""
        if 0 < undos <= len(self.undos) and ply <= self.left[undos - 1]:
            return self.undos[undos - 1]
        return self.decision(ply, undos)


def courses(
    events: Sequence[Any], undos: Sequence[tuple[int, int, Sequence[Any]]]
) -> list[list[Any]]:
    """The log as it stood right before each undo, and at the end.

    :param events: the log at the end.
    :param undos: of each undo in order: the events that it left, the place of the first that it
        took out, and those that it took out.
    """
    found = [list(events)]
    for left, first, out in reversed(undos):
        after = found[0][:left]
        found.insert(0, [*after[:first], *out, *after[first:]])
    return found
