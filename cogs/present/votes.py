"""Votes in words: the question, the names of the answers, and the outcome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from cogs.gateway.cards import Card, rows_of
from cogs.present.choices import table_button
from cogs.present.people import code_of, player_mention, player_name, player_names
from cogs.present.times import deadline, moment
from cogs.present.words import GameWords, moves_in_words
from data.store.rows import Line, VoteRow
from data.texts import N_, Texts
from play.idle import IDLE
from play.ladder import Rung
from play.table import Table
from play.votes import LAPSED, NO, YES, tally


def vote_card(table: Table, vote: VoteRow, words: GameWords, say: Texts) -> Card:
    """Return an open question with its answers."""
    lines = [f"{code_of(table)} · {_question(table, vote, words, say)}"]
    lines += _state_of(vote, table, say)
    buttons = [
        table_button(table, "vote", say(_ANSWERS[choice]), argument=f"{vote.asked}.{choice}")
        for choice in vote.choices
    ]
    return Card(("\n".join(lines),), rows_of(buttons))


def settled(table: Table, line: Line, say: Texts) -> str | None:
    """Say what a vote has decided; None if that no longer matters."""
    asked = int(line.text.partition(".")[0])
    vote = next((vote for vote in table.votes if vote.asked == asked), None)
    if vote is None or vote.decision in (None, LAPSED):
        return None
    return _outcome(table, vote, say)


def step_in_words(rung: Rung, name: str, until: datetime | None, say: Texts) -> str:
    """Say what was done for a person whose time is up.

    :param until: the extended deadline.
    """
    time = "–" if until is None else deadline(until)
    match rung:
        case Rung.WAIT:
            return say("We will keep waiting for {name} until {time}.", name=name, time=time)
        case Rung.MOVE:
            return say("A computer player will move for {name} this once.", name=name)
        case Rung.KEEP:
            return say("A computer player will keep the seat until {name} is back.", name=name)
        case Rung.OFFER:
            return say(
                "{name}'s seat is on offer. We will wait until {time}.", name=name, time=time
            )
        case Rung.END:
            return say("The match ends without a result.")


def _state_of(vote: VoteRow, table: Table, say: Texts) -> Iterator[str]:
    """Yield a line for the people who have not voted, one for those who have, and the deadline."""
    stand = tally(table, vote)
    mentions = {m.person_id: player_mention(table, m.seat or 0) for m in table.members}
    if stand.silent:
        yield say(
            "Not answered yet: {names}.",
            names=say.list([mentions[person] for person in stand.silent]),
        )
    if heard := [mentions[person] for person in stand.heard if person != vote.asked_by]:
        yield say("Answered: {names}.", names=say.list(heard))
    if vote.closes_at is not None:
        yield say("Open until {time}.", time=moment(vote.closes_at))


# ----------------------------------------------------------------------------- questions
_QUESTIONS: Mapping[str, str] = {
    "undo": N_(
        "{name} would like to take back {moves}. Everyone has to agree; making a move counts as a"
        " no."
    ),
    "draw": N_(
        "{name} offers a draw: all would share first place. Everyone has to agree; making a move"
        " counts as a no."
    ),
    "end": N_(
        "{name} would like to end the match without a result. {needed} of {total} have to agree."
    ),
    IDLE: N_(
        "This match has been waiting for at least four weeks. End it without a result? A "
        "majority decides; if somebody moves, the match continues."
    ),
    "replace": N_(
        "Offer {seat}'s seat, with its result, to {who}? {needed} of {total} have to agree."
    ),
    "late": N_(
        "{name}'s time is up. What now? A majority decides; without one we wait. If {name} moves,"
        " the question is closed."
    ),
}
"""The question for each kind of vote (see ``play.motions``), and what agreeing would do to the
match and its result.
"""


def _question(table: Table, vote: VoteRow, words: GameWords, say: Texts) -> str:
    stand, subject = tally(table, vote), vote.subject
    name = seat = player_name(table, vote.seat or 0)
    if vote.kind in ("draw", "end"):
        asker = table.member_of(vote.asked_by or 0)
        name = player_name(table, asker.seat or 0) if asker else "–"
    values = {"name": name, "seat": seat, "needed": stand.needed, "total": stand.total}
    if vote.kind == "undo":
        values["moves"] = moves_in_words(subject["moves"], words, player_names(table), say)
    elif vote.kind == "replace":
        newcomer = subject["to"]
        values["who"] = (
            say("the first person who wants it") if newcomer is None else f"<@{newcomer}>"
        )
    return say(_QUESTIONS[vote.kind], **values)


# ------------------------------------------------------------------------------- answers
_ANSWERS: Mapping[str, str] = {
    YES: N_("Agree"),
    NO: N_("Decline"),
    Rung.WAIT: N_("Wait longer"),
    Rung.MOVE: N_("A computer moves once"),
    Rung.KEEP: N_("A computer plays until they are back"),
    Rung.OFFER: N_("Offer the seat"),
    Rung.END: N_("End without a result"),
}
"""The labels of the buttons."""

_OUTCOMES: Mapping[str, tuple[str, str]] = {
    "undo": (
        N_("Everybody has agreed: the moves are taken back."),
        N_("Not everybody has agreed: the moves stand."),
    ),
    "draw": (
        N_("Everybody has agreed: the match is a draw."),
        N_("Not everybody has agreed: the match continues."),
    ),
    "end": (
        N_("Enough have agreed: the match ends without a result."),
        N_("Not enough have agreed: the match continues."),
    ),
    IDLE: (
        N_("Enough have agreed: the match ends without a result."),
        N_("Not enough have agreed: the match continues."),
    ),
    "replace": (
        N_("Enough have agreed: the seat is offered."),
        N_("Not enough have agreed: the seat is not offered."),
    ),
}
"""What happens if people agree, and if they decline."""


def _outcome(table: Table, vote: VoteRow, say: Texts) -> str | None:
    """Say what was decided, and what happens next; None if a longer wait is over by now."""
    if vote.kind in _OUTCOMES:
        agreed, declined = _OUTCOMES[vote.kind]
        return say(agreed if vote.decision == YES else declined)
    rung, seat = Rung(vote.decision or Rung.WAIT), vote.seat or 0
    until = _extended_until(table, vote)
    if rung in (Rung.WAIT, Rung.OFFER) and until is None:
        return None
    return step_in_words(rung, player_name(table, seat), until, say)


def _extended_until(table: Table, vote: VoteRow) -> datetime | None:
    """Return the deadline up to which a vote about a person's lateness has made the table wait;
    None if the person has moved, or if that time is up as well.
    """
    seat = vote.seat or 0
    turn = table.clocks.get(seat)
    if turn is None or turn.decision != vote.subject["decision"] or turn.missed_at == turn.ends_at:
        return None
    later = [other for other in table.votes if other.asked > vote.asked and other.decision]
    if any((other.kind, other.seat) == (vote.kind, seat) for other in later):
        return None
    return table.until(seat)
