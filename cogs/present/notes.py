"""Single lines for a table and its players: news, seats on offer, reminders, calls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cogs.gateway.texts import escape
from cogs.present import refusals
from cogs.present.people import code_of, player_name
from cogs.present.times import deadline
from cogs.present.votes import settled, step_in_words
from cogs.present.words import GameWords
from data.store.rows import Alarm, Line, TurnRow
from data.texts import N_, Texts
from play.ending import Resigning, ending_record
from play.ladder import Rung
from play.plans import why_dropped
from play.table import Table

RESIGNED: Mapping[str, str] = {
    Resigning.LOSES: N_("{name} has resigned, so the other player wins."),
    Resigning.ENDS: N_("{name} has resigned. Nobody is left, so there is no result."),
    Resigning.REPLACED: N_("{name} has resigned; a computer player takes over the seat."),
}

TAKEN = N_("{name} has taken over the seat.")

REMINDERS: Mapping[Alarm, str] = {
    Alarm.HALF: N_("Half of the time is gone."),
    Alarm.SOON: N_("The time is nearly up."),
    Alarm.NUDGE: N_("No hurry, just a reminder."),
}

DROPPED = frozenset({"drop", "void"})
"""Kinds of journal lines which mean that a person's planned moves are dropped."""


def of_line(table: Table, line: Line, say: Texts) -> str | None:
    """Return what a journal line tells everybody; None if it tells them nothing."""
    match line.kind:
        case "resign":
            return say(RESIGNED[line.text], name=player_name(table, line.seat or 0))
        case "miss":
            return _missed(table, line, say)
        case "take":
            return say(TAKEN, name=player_name(table, line.seat or 0))
        case "settle":
            return settled(table, line, say)
        case "drop" | "void" if (member := table.member_of(line.person_id or 0)) is not None:
            name = player_name(table, member.seat or 0)
            return say("{name}'s planned moves have been dropped.", name=name)
        case _:
            return None


def stopped_in_words(table: Table, say: Texts) -> str:
    """Say how a match without a result ended, and what led to that."""
    how = (table.row.result or {}).get("how")
    if how == "resigned":
        return next(
            told
            for line in reversed(table.journal)
            if line.kind == "resign" and (told := of_line(table, line, say))
        )
    if how == "deserted":
        code = f"`{table.row.code}`"
        deserted = say("Nobody plays at table {code} in person any more.", code=code)
        return f"{deserted} {without_result(table, say)}"
    return without_result(table, say)


def without_result(table: Table, say: Texts) -> str:
    """Say that a match ended without a result; if one person ended it alone, name them and any
    reason they gave.
    """
    code, (person, reason) = f"`{table.row.code}`", ending_record(table)
    if person is None:
        return say("Table {code} has ended without a result.", code=code)
    if not reason:
        name = _name_of(table, person, say)
        return say("{name} has ended table {code} without a result.", name=name, code=code)
    return say(
        "{name} manages this server and has ended table {code} without a result: “{reason}”",
        name=_name_of(table, person, say),
        code=code,
        reason=escape(reason),
    )


def closed(table: Table, say: Texts) -> str:
    """Say that a table was closed before it started; if one person closed it, name them and any
    reason they gave.
    """
    person, reason = ending_record(table)
    if person is None:
        return say("This table was closed before it started.")
    name = _name_of(table, person, say)
    if not reason:
        return say("{name} has closed this table before it started.", name=name)
    return say(
        "{name} manages this server and has closed this table before it started: “{reason}”",
        name=name,
        reason=escape(reason),
    )


def _name_of(table: Table, person_id: int, say: Texts) -> str:
    """Return a person's name. If they are not at the table, return a mention instead, which shows
    the name without notifying them.
    """
    member = table.member_of(person_id)
    if member is not None:
        known = member.seat
        return f"**{escape(member.name)}**" if known is None else player_name(table, known)
    return f"<@{person_id}>" if person_id > 0 else say("Somebody")


def _missed(table: Table, line: Line, say: Texts) -> str | None:
    """Say what was done, without a vote, because a person's time was up."""
    said = json.loads(line.text)
    if said["step"] is None:
        return None
    name = player_name(table, line.seat or 0)
    why = say.plural(
        "{name}'s time is up.",
        "{name}'s time has run out {n} times in a row.",
        said["misses"],
        name=name,
    )
    return f"{why} {step_in_words(Rung(said['step']), name, None, say)}"


def dropped(table: Table, line: Line, words: Mapping[str, GameWords], say: Texts) -> str:
    """Tell a person, in private, why their planned move was dropped.

    :param line: a line whose kind is in ``DROPPED``.
    """
    place = f"`{table.row.code}` · <#{table.row.channel_id}>"
    if line.kind == "void":
        return f"{place}\n{say('A move was taken back, so your planned moves have been dropped.')}"
    said: Mapping[str, Any] = json.loads(line.text)
    told = say("I did not play your planned move {move}.", move=escape(said["move"]))
    if said["why"] is None:
        reason = say(
            "It was meant as an answer to {move}, which nobody played.",
            move=escape(said["answer_to"] or ""),
        )
    else:
        reason = refusals.explain(why_dropped(table, said["why"]), words, say)
    return f"{place}\n{told} {reason}"


def invited(table: Table, person_id: int, name: str, say: Texts) -> str:
    """Return an invitation in the channel, for a person who cannot be reached by direct message."""
    told = say(
        "<@{person}>, **{name}** invites you to this table: press “Join” in the lobby.",
        person=person_id,
        name=escape(name),
    )
    return _here(table, told)


def rematch_offered(table: Table, person_id: int, say: Texts) -> str:
    """Return a rematch offer in the channel, for a person who cannot be reached by direct
    message.
    """
    told = say(
        "<@{person}>, **{name}** would like a rematch: press “Accept” in the lobby.",
        person=person_id,
        name=escape(table.members[0].name),
    )
    return _here(table, told)


# ------------------------------------------------------------------------------- seats
def offered_note(table: Table, seat: int, newcomer: int | None, say: Texts) -> str:
    """Offer a seat, to one person or to anyone."""
    name = player_name(table, seat)
    if newcomer is None:
        text = say("{name}'s seat is free for anyone who would like to take it over.", name=name)
    else:
        text = say("<@{person}>, would you take over {name}'s seat?", person=newcomer, name=name)
    if table.direct:  # only people at the table see the button
        text = f"{text} {say('Take it with `/join` and the code of this table.')}"
    return _here(table, text)


def _here(table: Table, text: str) -> str:
    return f"{code_of(table)} · {text}"


# ---------------------------------------------------------------------------- reminders
def reminder_of(table: Table, turn: TurnRow) -> Alarm | None:
    """Return the last reminder for the current turn; None if there has been none since the clock
    started, or if time is up.
    """
    if turn.budget and Alarm.END not in turn.alarms:
        return None
    for line in reversed(table.journal[turn.decision :]):
        if line.seat == turn.seat and line.kind in ("miss", "extend"):
            return None
        if (line.seat, line.kind, line.person_id) == (turn.seat, "remind", turn.person_id):
            said = json.loads(line.text)
            current = said["decision"] == turn.decision and line.at >= turn.opened_at
            return Alarm(said["alarm"]) if current else None
    return None


def reminder(table: Table, turn: TurnRow, say: Texts) -> str:
    """Return the last reminder a person got for this turn; empty if they got none."""
    found = reminder_of(table, turn)
    return "" if found is None else say(REMINDERS[found])


def called(table: Table, seat: int, words: GameWords, say: Texts) -> str:
    """Say that it is a person's turn, and when their time is up."""
    told = [say("It is your turn in {game}.", game=_title(table, words, say))]
    if (turn := table.clocks.get(seat)) is not None:
        told.append(reminder(table, turn, say))
    if (until := table.until(seat)) is not None:
        told.append(say("You have until {time}.", time=deadline(until)))
    return " ".join(filter(None, told))


def _title(table: Table, words: GameWords, say: Texts) -> str:
    return f"{say(words.title)} `{table.row.code}`"
