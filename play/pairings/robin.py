"""Round robin: everyone meets everyone once, by the tables that Johann Berger published in 1893."""

from __future__ import annotations

from play.pairings.meetings import Meeting, Round


def robin_rounds(places: int) -> int:
    """How many rounds it takes: of an odd number, each is free once."""
    return places - 1 + places % 2


def berger(places: int, number: int) -> Round:
    """A round, from 0. Two places meet in it whose numbers, counted from 1, have a certain sum;
    the last one meets whoever would meet itself. One sits first as often as last, or once more or
    less.

    :param places: 2 or more; if it is odd, whoever would meet the missing one is free.
    """
    even = places + places % 2
    circle, last = even - 1, even - 1
    meetings = []
    for low in range(circle):
        high = (number - low) % circle
        if high == low:
            # In the first round the last one sits last.
            pair = (last, low) if number % 2 else (low, last)
        elif low < high:
            pair = (low, high) if (high - low) % 2 else (high, low)
        else:
            continue
        if max(pair) < places:
            meetings.append(Meeting(pair))
    return tuple(meetings)
