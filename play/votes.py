"""Votes: how the answers of people at a table become a decision.

Anyone who asks a question has voted yes. If the answers lead to no decision, for example because of
a tie, the question's fallback is the decision. People who no longer play in person have no vote. A
vote lapses when the table is over or parked, when the person who asked no longer plays in person,
or when events have made the question pointless or the decision impossible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from data.store.rows import VoteRow
from play.aggregate import Command
from play.table import Refused, Table, refuse_if, swapped


class Rule(StrEnum):
    """The rule that turns answers into a decision."""

    ALL = "all"
    """Everyone has to say yes; the first other answer settles it; silence counts as no."""
    MAJORITY = "majority"
    """The answer of more than half of those who have a vote. Silence counts for neither side, so
    silent people can prevent a decision.
    """
    ANSWERS = "answers"
    """The answer of more than half of those who have a vote; once time is up, of more than half of
    those who answered.
    """


YES, NO = "yes", "no"

LAPSED = "lapsed"
"""The decision of a vote that has lapsed."""

PATIENCE = timedelta(days=3)
"""How long a vote waits for people who do not answer, unless its question says otherwise."""


@dataclass(frozen=True, slots=True)
class Question:
    """The subject of a vote; see ``VoteRow`` for parameters not listed here.

    :param voters: the people who are asked, excluding the person who asks.
    :param subject: plain data: lists, not tuples.
    :param patience: how long the vote waits for people who do not answer; None: forever.
    """

    kind: str
    voters: tuple[int, ...]
    rule: Rule
    choices: tuple[str, ...] = (YES, NO)
    fallback: str = NO
    seat: int | None = None
    subject: Mapping[str, Any] = field(default_factory=dict)
    patience: timedelta | None = PATIENCE


@dataclass(frozen=True, slots=True)
class Tally:
    """The state of a vote, counted over those who still play.

    :param needed: how many equal answers decide it; for ``ANSWERS``, how many if everyone answers.
    """

    silent: tuple[int, ...]
    heard: tuple[int, ...]
    needed: int

    @property
    def total(self) -> int:
        """How many people have a vote."""
        return len(self.silent) + len(self.heard)


def ask(table: Table, question: Question, asked_by: int | None, now: datetime) -> Table:
    """Put a question to a vote; the person who asks votes yes.

    :param asked_by: None: the bot asks.
    :raises Refused: ``already_asked``: the same question is open; ``asked_before``: the answer was
        no, and nothing has changed since.
    """
    key = (question.kind, question.seat)
    refuse_if(key in {(vote.kind, vote.seat) for vote in open_votes(table)}, "already_asked")
    answers: dict[int, str | None] = dict.fromkeys(question.voters)
    if asked_by is not None:
        _refuse_repetition(table, question, asked_by)
        answers[asked_by] = YES
    vote = VoteRow(
        asked=table.revision + 1,
        kind=question.kind,
        seat=question.seat,
        subject=question.subject,
        rule=question.rule,
        choices=question.choices,
        fallback=question.fallback,
        asked_by=asked_by,
        asked_at=now,
        closes_at=None if question.patience is None else now + question.patience,
        answers=tuple(answers.items()),
    )
    return table.add("ask", now, question.seat, asked_by, question.kind, votes=(*table.votes, vote))


def vote_of(table: Table, asked: int) -> VoteRow:
    """Return the vote that a journal line opened.

    :raises Refused: ``no_such_vote``.
    """
    for vote in table.votes:
        if vote.asked == asked:
            return vote
    raise Refused("no_such_vote")


def open_votes(table: Table) -> tuple[VoteRow, ...]:
    """Return the votes without a decision, oldest first."""
    return tuple(vote for vote in table.votes if vote.decision is None)


@dataclass(frozen=True, slots=True)
class Answer(Command[Table]):
    """Answer a question, or change an earlier answer.

    :param asked: the number of the line that opened the vote.
    """

    asked: int
    person_id: int
    choice: str

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``no_such_vote``, ``vote_decided``, ``no_such_answer``, ``not_asked``,
        ``not_a_member``.
        """
        vote = vote_of(table, self.asked)
        refuse_if(self.choice not in vote.choices, "no_such_answer")
        refuse_if(vote.decision is not None, "vote_decided")
        refuse_if(self.person_id not in dict(vote.answers), "not_asked")
        refuse_if(table.seat_of(self.person_id) is None, "not_a_member")
        answers = tuple((p, self.choice if p == self.person_id else c) for p, c in vote.answers)
        if answers == vote.answers:
            return table
        votes = swapped(table.votes, vote, answers=answers)
        text = f"{vote.asked}.{self.choice}"
        return table.add("answer", now, vote.seat, self.person_id, text, votes=votes)


def tally(table: Table, vote: VoteRow) -> Tally:
    """Return the state of a vote among those who still play, for the decision and for display."""
    present = [(p, choice) for p, choice in vote.answers if table.seat_of(p) is not None]
    silent = tuple(person for person, choice in present if choice is None)
    heard = tuple(person for person, choice in present if choice is not None)
    needed = len(present) if vote.rule == Rule.ALL else len(present) // 2 + 1
    return Tally(silent, heard, needed)


def decision(table: Table, vote: VoteRow, now: datetime) -> str | None:
    """Return the decision of a vote; None if it is still open."""
    if not table.running or (vote.asked_by is not None and table.seat_of(vote.asked_by) is None):
        return LAPSED
    stand = tally(table, vote)
    closing = vote.closes_at is not None and vote.closes_at <= now
    choices = dict(vote.answers)
    given = [choice for person in stand.heard if (choice := choices[person]) is not None]
    complete = closing or not stand.silent
    if vote.rule == Rule.ALL:
        if any(choice != YES for choice in given):
            return vote.fallback
        unanimous = bool(given) and not stand.silent
        return YES if unanimous else vote.fallback if complete else None
    fewer = complete and vote.rule == Rule.ANSWERS
    needed = len(given) // 2 + 1 if fewer else stand.needed
    won = (choice for choice, count in Counter(given).items() if count >= needed)
    return next(won, vote.fallback if complete else None)


def _refuse_repetition(table: Table, question: Question, asked_by: int) -> None:
    """Keep people from pestering the others: a question that was answered with no may be asked
    again by the same person only after something has changed; a further move in the match is
    enough.

    :raises Refused: ``asked_before``.
    """
    same = [v for v in table.votes if (v.kind, v.asked_by) == (question.kind, asked_by)]
    if not same or same[-1].decision in (None, LAPSED, YES):
        return
    if (same[-1].seat, same[-1].subject) == (question.seat, question.subject):
        raise Refused("asked_before")
