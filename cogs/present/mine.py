"""A person's own tables, one line each."""

from __future__ import annotations

from collections.abc import Mapping

from cogs.present.people import code_of, colour_of, place_in_words, player_name
from cogs.present.times import deadline
from cogs.present.words import GameWords
from data.store.rows import Status
from data.texts import Texts
from play.table import Table


def in_a_line(table: Table, person_id: int, words: Mapping[str, GameWords], say: Texts) -> str:
    """Describe a table in plain text, as one line of a list: ``🟦 K7Q2 · Lancelot · …``."""
    parts = [f"{colour_of(table)} {table.row.code}", say(words[table.row.game].title)]
    if table.seat_of(person_id) in table.awaited:
        parts.append(say("waiting for you"))
    elif table.row.status is Status.LOBBY:
        parts.append(say("not started yet"))
    return " · ".join(parts)


def table_line(table: Table, person_id: int, words: GameWords, say: Texts) -> str:
    """Describe a table: where it is, and what it is waiting for; if it is parked, say so
    instead.
    """
    title = say(words.title)
    if table.row.status is Status.PARKED:
        return f"**{title}** `{table.row.code}` · {say('has lost its channel')}"
    head = f"**{title}** {code_of(table)} · {place_in_words(table, say)}"
    muted = f" · 🔕 {say('muted')}" if person_id in table.muted else ""
    return f"{head} · {_state(table, person_id, say)}{muted}"


def _state(table: Table, person_id: int, say: Texts) -> str:
    """Say what a table is waiting for."""
    if person_id in table.asked:
        return f"**{say('asks you for a rematch')}**"
    if table.row.status is Status.LOBBY:
        return say("not started yet")
    if table.unreadable:
        return say("cannot continue")
    seat = table.seat_of(person_id)
    if seat in table.awaited:
        until = None if seat is None else table.until(seat)
        since = f"<t:{int(table.row.moved_at.timestamp())}:R>"
        time = f"({since})" if until is None else say("until {time}", time=deadline(until))
        return f"**{say('waiting for you')}** {time}"
    waiting = say.list([player_name(table, seat) for seat in table.awaited])
    return say("waiting for {names}", names=waiting)
