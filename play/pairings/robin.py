"""Round robin: everyone meets everyone once, following the tables that Johann Berger published in
1893.
"""

from __future__ import annotations

from play.pairings.meetings import Meeting, Round


def robin_rounds(places: int) -> int:
    """Return the number of rounds needed; with an odd number of places, each has one bye."""
    return places - 1 + places % 2


def berger(places: int, number: int) -> Round:
    """Return a round, numbered from 0. Two places meet if their sum is ``number``, modulo the
    number of rounds; the last place meets the one that would meet itself. Each place sits first as
    often as last, give or take one.

    :param places: 2 or more; if odd, the opponent of the missing place has a bye.
    """
    even = places + places % 2
    circle, last = even - 1, even - 1
    meetings = []
    for low in range(circle):
        high = (number - low) % circle
        if high == low:
            # In the first round the last place sits last.
            pair = (last, low) if number % 2 else (low, last)
        elif low < high:
            pair = (low, high) if (high - low) % 2 else (high, low)
        else:
            continue
        if max(pair) < places:
            meetings.append(Meeting(pair))
    return tuple(meetings)
