"""Writes a match record as text; equal records give equal texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.engine import CHANCE
from games.records.record import TITLE, VERSION, Record


def written(record: Record) -> str:
    """Write the record as text; ``reading.read`` restores it exactly."""
    return "\n".join([*_header(record), "", *_log(record), ""])


def points_text(scores: Iterable[float]) -> str:
    """Write points, by seat."""
    return " ".join(f"{score:.10g}" for score in scores)


def counted_text(from_zero: Iterable[int]) -> str:
    """Write numbers of seats or people, counted from 1."""
    return " ".join(str(number + 1) for number in from_zero)


def _header(record: Record) -> Iterator[str]:
    yield f"{TITLE} {VERSION}"
    yield f"Game: {record.game}"
    yield f"Rules: {record.rules}"
    yield f"Table: {record.table}"
    yield f"Begun: {record.begun.isoformat()}"
    yield f"Ended: {record.ended.isoformat()}"
    yield f"Seats: {record.seating}"
    yield f"Joined: {counted_text(record.joined)}"
    for seat, name in enumerate(record.names, 1):
        yield f"Seat {seat}: {name}".rstrip()
    if record.computers:
        yield f"Computers: {counted_text(sorted(record.computers))}"
    if any(record.hints):
        yield f"Hints: {' '.join(map(str, record.hints))}"
    for key, value in sorted(record.options.items()):
        yield f"Option {key}: {('no', 'yes')[value] if isinstance(value, bool) else value}"
    yield f"Seal: {record.seal}"
    yield f"Secret: {record.secret}"
    yield f"Message: {record.message}"
    for place, word in enumerate(record.words, 1):
        yield f"Word {place}: {word}".rstrip()
    yield f"Seed: {record.seed}"
    yield f"Result: {record.how}"
    if record.ranks:
        yield f"Places: {' '.join(map(str, record.ranks))}"
    if record.scores:
        yield f"Points: {points_text(record.scores)}"


def _log(record: Record) -> Iterator[str]:
    for number, event in enumerate(record.events, 1):
        who = "lot" if event.seat == CHANCE else f"seat {event.seat + 1}"
        yield f"{number}. {who}: {event.move}"
