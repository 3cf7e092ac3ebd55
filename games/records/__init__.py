"""Match records: a whole match as plain text that people can read and programs can check.

A record is a header, an empty line, and one line for each event::

    Tafelrunde record 1
    Game: lancelot
    Rules: 1
    Table: K7Q2
    Begun: 2026-05-01
    Ended: 2026-05-09
    Seats: lot
    Joined: 2 1
    Seat 1: Ben
    Seat 2: Anna
    Hints: 0 3
    Option goal: 7
    Option king: no
    Seal: 3f1c…
    Secret: 77e0…
    Message: 1367900000000000123
    Word 1: dragon
    Word 2:
    Seed: 9ab3…
    Result: played
    Places: 1 2
    Points: 7 4

    1. seat 1: K4
    2. seat 2: D6

Seats are counted from 1. ``Joined`` gives for each seat the position of its player in the order of
joining, and ``Hints``, if there were any, the number of hints that each seat got. Lucky words are
in order of joining. ``docs/fairness.md`` specifies how the seed follows from secret, message and
words. A draw is written ``3. lot: deal:3``. Empty lines, and lines that begin with ``#``, are
allowed anywhere below the first line.

``record``   the content of a record, and the faults it may have
``writing``  from a record to text
``reading``  from text to a record, verified line by line
"""

from games.records.reading import decoded, read
from games.records.record import (
    AS_JOINED,
    BY_LOT,
    PLAYED,
    SIZE_LIMIT,
    FaultyRecord,
    Record,
    plain_name,
    seats_by_lot,
)
from games.records.writing import written

__all__ = [
    "AS_JOINED",
    "BY_LOT",
    "PLAYED",
    "SIZE_LIMIT",
    "FaultyRecord",
    "Record",
    "decoded",
    "plain_name",
    "read",
    "seats_by_lot",
    "written",
]
