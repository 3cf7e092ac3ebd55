"""From the journal to the match: the moves and draws that were not undone are folded in order."""

from __future__ import annotations

import json
import traceback
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import structlog

from data.store.rows import Line, Loaded
from games import GAMES
from games.absent import NO_GAME
from games.engine import CHANCE, Event, Match, Setup
from play.table import TAIL, Refused, Table, engine_options, refuse_if, stored_of, told_of

log = structlog.get_logger()


def table_of(loaded: Loaded, known: Table | None = None) -> Table:
    """Return the table with its match. If the rows or the journal make no match, ``unreadable``
    says why.

    :param known: an earlier state of the table; if possible, only later lines are folded.
    """
    table = Table(**stored_of(loaded.stored), people=loaded.people, server=loaded.server)
    if table.damaged:
        log.error("seats_do_not_fit", table=table.id)
        return replace(table, unreadable="unreadable")
    if table.row.players is None:
        return table
    members = sorted(table.members, key=lambda m: -1 if m.seat is None else m.seat)
    table = replace(table, members=tuple(members))
    try:
        return folded(table, known)
    except Refused as refusal:
        return replace(table, unreadable=refusal.code)


def folded(table: Table, known: Table | None = None) -> Table:
    """Return a started table with its match folded from the journal.

    :param known: an earlier state of the table; if possible, only later lines are folded.
    :raises Refused: ``no_game``: the game is not installed; ``other_rules``: the journal was
        written by another version of the rules; ``unreadable``: it cannot be folded, because of a
        bug or damage.
    """
    refuse_if(table.row.game not in GAMES, NO_GAME)
    refuse_if(table.row.rules != table.game.info.rules, "other_rules")
    try:
        after = (None if known is None else _grown(table, known)) or _whole(table)
        after.calls()  # raises if lines about calls are damaged
    except Exception as fault:  # noqa: BLE001 - logged without its message, which may quote moves
        trace = "".join(traceback.format_tb(fault.__traceback__))
        log.error("journal_unreadable", table=table.id, fault=type(fault).__name__, trace=trace)
        raise Refused("unreadable") from None
    return after


def _whole(table: Table) -> Table:
    """Return the table with its match, folded from the first line on."""
    begun, lines = effective(table.journal)
    setup = Setup(table.row.players or 0, engine_options(table.row.options), table.row.seed)
    match, steps = Match.retrace(
        table.game, setup, [event_of_line(line) for line in lines], tail=TAIL
    )
    match.verify_choices()
    numbers = tuple(line.number for line in lines)
    return replace(
        table,
        match=match,
        lines=numbers,
        begun=begun,
        reopened=reopened(table.journal),
        tail=told_of(steps, numbers[len(numbers) - len(steps) :]),
        unreadable="",
    )


def _grown(table: Table, known: Table) -> Table | None:
    """Return the table with its match, folded from the end of an earlier state.

    :returns: None if that is not possible, so that the journal has to be folded from the first line
        on.
    """
    count = len(known.journal)
    later = table.journal[count:]
    if known.match is None or table.journal[:count] != known.journal:
        return None
    if len(known.tail) < min(TAIL, len(known.lines)) or any(line.kind == "undo" for line in later):
        return None
    lines = [line for line in later if line.kind in ("move", "draw")]
    match, steps = known.match.extended(map(event_of_line, lines)) if lines else (known.match, [])
    numbers = tuple(line.number for line in lines)
    return replace(
        table,
        match=match,
        lines=(*known.lines, *numbers),
        begun=known.begun,
        reopened=known.reopened,
        tail=(*known.tail, *told_of(steps, numbers))[-TAIL:],
        unreadable="",
    )


def event_of_line(line: Line) -> Event:
    """Return the event of a line that is a move or a draw."""
    return Event(CHANCE if line.seat is None else line.seat, line.text)


def effective(journal: tuple[Line, ...]) -> tuple[int, list[Line]]:
    """Return the number of the line that started the match, and the moves and draws that count."""
    begun, lines = 0, list[Line]()
    for line in journal:
        if line.kind == "start":
            begun = line.number
        elif line.kind in ("move", "draw"):
            lines.append(line)
        elif line.kind == "undo":
            out = set(undo_of_line(line)["out"])
            lines = [kept for kept in lines if kept.number not in out]
    return begun, lines


def reopened(journal: tuple[Line, ...]) -> dict[int, int]:
    """Return, by seat, the line of the last undo that reopened its decision."""
    found: dict[int, int] = {}
    for line in journal:
        if line.kind == "undo":
            found.update(dict.fromkeys(undo_of_line(line)["reopened"], line.number))
    return found


def undo_of_line(line: Line) -> Mapping[str, Any]:
    """Return the data of an undo line: the lines it took back, their moves as everyone saw them,
    who agreed, and the seats whose decisions it reopened.
    """
    said: Mapping[str, Any] = json.loads(line.text)
    return said
