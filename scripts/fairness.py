"""Check on your own machine that a match was played fairly.

Give it the file that ``/table export`` made. It replays the match by the rules and checks that
the seal belongs to the seed, that seats by lot, lots and draws follow from the seed, that every
move was legal, and that the result is what the moves lead to. The seal itself was published with
the first board; compare it, or let it be compared with --seal.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from games import GAMES
from games.engine import CHANCE
from games.records import BY_LOT, FaultyRecord, Record, decoded, read

SOUND, UNSOUND, UNREADABLE = 0, 1, 2
"""Exit codes; argparse, too, ends a wrong command line with 2."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="scripts/verify", description=__doc__)
    parser.add_argument("file", type=Path, help="the record")
    parser.add_argument("--seal", help="the seal that was published with the first board")
    given = parser.parse_args(arguments)
    try:
        data = given.file.read_bytes()
    except OSError as error:
        print(f"{given.file}: {error.strerror}", file=sys.stderr)
        return UNREADABLE
    try:
        record, _ = read(decoded(data), GAMES)
    except FaultyRecord as fault:
        print(f"{given.file}: {fault}")
        return UNSOUND
    if given.seal is not None and given.seal.strip().lower() != record.seal:
        print(f"{given.file}: this match has another seal: {record.seal}")
        return UNSOUND
    print("\n".join(findings(record)))
    return SOUND


def findings(record: Record) -> list[str]:
    """What was found to be true of a record that holds, one sentence a line."""
    draws = sum(event.seat == CHANCE for event in record.events)
    seats = "were drawn from the seed" if record.seating == BY_LOT else "go by order of joining"
    return [
        f"Table {record.table}, {record.game}: {', '.join(record.names)}.",
        f"The seed {record.seed} gives the seal {record.seal}.",
        f"The seats {seats}.",
        f"Lots and draws, all as the seed gives them: {draws}.",
        f"Moves, all legal: {len(record.events) - draws}.",
        f"The match ended thus: {record.how}.",
    ]


if __name__ == "__main__":
    sys.exit(main())
