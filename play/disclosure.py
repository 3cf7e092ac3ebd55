"""All data stored about a person, as plain data for that person.

It contains what the person did, chose and planned, where the bot's messages to them are, and the
records of their matches that are over. For a running match it contains only the seat's knowledge:
not the seed, and nobody else's hand. Other people appear by their names at the table, not by their
ids, except in the person's own list of blocked people.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from data.store.rows import Line, Loaded, MessageRow, VoteRow
from games.records import written
from play.fold import table_of
from play.records import record_of
from play.table import Refused, Table
from play.tables import Tables

RECORDS_AT_MOST = 1000
"""How many of the person's latest tables are exported with the records of their matches. The other
records can be exported one by one.
"""

JSON_MOST = 2**53
"""The highest whole number that every JSON reader represents exactly."""

Plain = dict[str, Any]
"""JSON objects as Python values."""


async def disclosed(tables: Tables, person_id: int) -> Plain:
    """Return everything stored about a person. Discord's ids are strings, because JSON numbers lose
    digits.
    """
    store = tables.store
    found = [table_id async for table_id in store.privacy.tables_of(person_id)]
    at_tables = []
    for number, table_id in enumerate(reversed(found)):
        loaded = await store.tables.load(table_id)
        _, messages = await store.messages.all_of(table_id)
        in_full = number < RECORDS_AT_MOST
        # In a thread: folding a match takes time.
        at_tables.append(await asyncio.to_thread(_at_table, loaded, messages, person_id, in_full))
    attempts, plays = await store.riddles.of_person(person_id)
    return {
        "person": str(person_id),
        "as_of": _plain(tables.clock().replace(microsecond=0)),
        "settings": _row(asdict(await store.settings.person(person_id))),
        "statistics_hidden": person_id in await store.standings.unlisted(),
        "ratings": [_row(asdict(row)) for row in await store.standings.rows_of(person_id)],
        "trophies": [_row(asdict(row)) for row in await store.trophies.of_person(person_id)],
        "being_deleted": person_id in await store.privacy.begun(),
        "records_brought": [
            {"text": text, "last_looked_at": _plain(at)}
            for text, at in await store.records.of_person(person_id)
        ],
        "lessons": {
            game: sorted(steps)
            for game, steps in (await store.lessons.of_person(person_id)).items()
        },
        "riddles_of_the_day": [_row(asdict(attempt)) for attempt in attempts],
        "deals_of_the_day": [_row(asdict(play)) for play in plays],
        "occasions": [
            await _in_occasion(tables, number, person_id)
            for number in await store.privacy.occasions_of(person_id)
        ],
        "tables": at_tables,
    }


# ---------------------------------------------------------------------------- an occasion
async def _in_occasion(tables: Tables, number: int, person_id: int) -> Plain:
    """Return the data stored about a person in a tournament, seek or other occasion; others appear
    by name.
    """
    found = await tables.store.occasions.load(number)
    _, messages = await tables.store.occasion_messages.all_of(number)
    row, state = found.row, json.loads(found.row.state)
    names = {other: name for other, name in state["names"].items() if other != str(person_id)}
    if not row.over:
        state.pop("secret", None)  # nobody may know the lots beforehand
    return {
        "code": row.code,
        "kind": row.kind,
        "server": _number(row.guild_id),
        "channel": _number(row.channel_id),
        "you_are_the_host": row.host_id == person_id,
        "opened": _plain(row.created_at),
        "last_change": _plain(row.changed_at),
        "over": row.over,
        "state": _named(state, names),
        "what_you_did": [
            _named(_row(asdict(line)), names)
            for line in found.journal
            if line.person_id == person_id
        ],
        "messages_to_you": [
            _row(asdict(message)) for message in messages.values() if message.person_id == person_id
        ],
    }


def _key(key: str, value: Any, names: Mapping[str, str]) -> str:
    """Return the key under which to show a value: other people appear by name, not by id."""
    if key == "person_id" and str(value) in names:
        return "person"
    return str(_named(key, names))


def _named(value: Any, names: Mapping[str, str]) -> Any:
    """Return plain data with names in place of other people's ids."""
    if isinstance(value, dict):
        return {_key(key, inner, names): _named(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [_named(inner, names) for inner in value]
    if isinstance(value, str):
        for number, name in names.items():
            value = name.join(re.split(rf"(?<!\d){number}(?!\d)", value))
        return value
    if str(value) in names:
        return names[str(value)]
    return str(value) if isinstance(value, int) and value > JSON_MOST else value


# ------------------------------------------------------------------------------- a table
def _at_table(
    loaded: Loaded, messages: Mapping[str, MessageRow], person_id: int, in_full: bool
) -> Plain:
    """Return the data stored about a person at a table.

    :param in_full: whether to include the record of the match.
    """
    table = table_of(loaded)
    row, member = table.row, table.member_of(person_id)
    return {
        "code": row.code,
        "game": row.game,
        "status": row.status.value,
        "language": row.language,
        "server": _number(row.guild_id),
        "channel": _number(row.channel_id),
        "you_are_the_host": row.host_id == person_id,
        "opened": _plain(row.created_at),
        "last_change": _plain(row.moved_at),
        "options": dict(row.options),
        "players": list(table.names),
        "your_seat": None if member is None else _row(asdict(member)),
        "what_you_did": [_line(line, person_id) for line in _lines(table, person_id)],
        "votes": [_vote(vote, person_id) for vote in table.votes if _concerns(vote, person_id)],
        "your_clocks": [_row(asdict(turn)) for turn in table.turns if turn.person_id == person_id],
        "your_plans": [_row(asdict(plan)) for plan in table.plans if plan.person_id == person_id],
        "offered_to_you": [o.seat for o in table.offers if o.person_id == person_id],
        "you_may_not_sit_down": table.bars(person_id),
        "only_moves_are_played_for_you": person_id in table.hurried,
        "you_follow": person_id in table.followers,
        "you_have_muted_it": person_id in table.muted,
        "messages_to_you": [
            _row(asdict(message)) for message in messages.values() if message.person_id == person_id
        ],
        "what_you_know": _known(table, person_id),
        "result": dict(row.result or {}) if table.over else None,
        "record": _record(table) if in_full and member is not None else None,
    }


def _known(table: Table, person_id: int) -> Plain | None:
    """Return what a person's seat knows of an unfinished match: the board, and the person's own
    hand; None if the match is over, has not begun or is unreadable, or the person has no seat to
    move for.
    """
    seat = table.seat_of(person_id)
    if table.over or seat is None or table.match is None:
        return None
    view = table.match.view(seat)
    return {"board": dict(view.public), "hand": dict(view.private)}


def _record(table: Table) -> str | None:
    """Return the public record of a match that is over; None if it is not over, or cannot be
    replayed.
    """
    try:
        return written(record_of(table))
    except Refused:  # not over, or cannot be replayed
        return None


# ------------------------------------------------------------------------- parts of it
def _lines(table: Table, person_id: int) -> Iterator[Line]:
    """Yield the lines that name the person, such as their own acts, and the lines of undos that the
    person agreed to.
    """
    for line in table.journal:
        if line.person_id == person_id or person_id in _agreed(line):
            yield line


def _line(line: Line, person_id: int) -> Plain:
    if line.person_id != person_id:
        return {"number": line.number, "kind": line.kind, "at": _plain(line.at), "agreed": True}
    plain = _row(asdict(line))
    if line.kind == "undo":
        plain["text"] = {key: v for key, v in json.loads(line.text).items() if key != "agreed"}
    return plain


def _agreed(line: Line) -> list[int]:
    agreed: list[int] = json.loads(line.text).get("agreed", []) if line.kind == "undo" else []
    return agreed


def _concerns(vote: VoteRow, person_id: int) -> bool:
    asked = person_id in dict(vote.answers)
    return asked or vote.asked_by == person_id or person_id in vote.subject.values()


def _vote(vote: VoteRow, person_id: int) -> Plain:
    return {
        "asked": vote.asked,
        "about": vote.kind,
        "seat": vote.seat,
        "asked_by_you": vote.asked_by == person_id,
        "about_you": person_id in vote.subject.values(),
        "asked_at": _plain(vote.asked_at),
        "your_answer": dict(vote.answers).get(person_id),
        "decision": vote.decision,
    }


# ------------------------------------------------------------------------ plain values
def _row(row: Mapping[str, Any]) -> Plain:
    return {
        key: _number(value) if key.endswith(("_id", "_ids", "_channel")) else _plain(value)
        for key, value in row.items()
    }


def _number(value: int | tuple[int, ...] | None) -> str | list[str] | None:
    if isinstance(value, tuple):
        return [str(each) for each in value]
    return None if value is None else str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple):
        return [_plain(inner) for inner in value]
    return value
