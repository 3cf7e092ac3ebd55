"""Votes: how the answers of people at a table become a decision.

A vote is put to some of the persons who play at a table; whoever asks for something has answered
by asking. Anybody may change an answer while the vote is open. There are three rules:

``ALL``       everybody has to say yes; the first other answer settles it, silence means no
``MAJORITY``  the answer of more than half of those asked; silence is no answer, so it blocks
``ANSWERS``   the answer of more than half of those who have answered when the time is up, or when
              all have answered; the silent do not block

Where the answers lead to no decision, by a tie or because nobody said a word, the fallback that
the question names is decided. Somebody who resigns or hands over the seat is no longer asked. A
vote lapses when the table is over, when whoever asked has left, or when what it asks about has
been overtaken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from data.votes import LAPSED, VoteDecided, VoteRow
from play.table import Refused, Table
from play.tables import Tables


class Rule(StrEnum):
    """How answers become a decision; see the module."""

    ALL = "all"
    MAJORITY = "majority"
    ANSWERS = "answers"


YES, NO = "yes", "no"

PATIENCE = timedelta(days=3)
"""How long a vote waits for the silent, unless its question says otherwise."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is put to the vote; parameters that are not explained here as in ``VoteRow``.

    :param voters: the persons who are asked, the one who asks not among them.
    :param subject: as plain data: lists, not tuples.
    :param patience: how long the silent have time; None: for ever.
    """

    kind: str
    voters: tuple[int, ...]
    rule: Rule
    choices: tuple[str, ...] = (YES, NO)
    fallback: str = NO
    seat: int | None = None
    subject: Mapping[str, Any] = field(default_factory=dict)
    patience: timedelta | None = PATIENCE


class Votes:
    """The use cases of a vote."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store.votes

    async def ask(
        self, table_id: int, question: Question, asked_by: int | None, answer: str = YES
    ) -> VoteRow:
        """Put a question to the vote. It may be decided at once, if nobody else is asked.

        :param asked_by: who asks; None: the house.
        :param answer: what the one who asks says to it.
        :raises Refused: ``asked_before``: the same question, to which the answer was no.
        :raises AlreadyAsked: the same question is open.
        """
        if asked_by is not None:
            await self._refuse_repetition(table_id, question, asked_by)
        now = self._tables.clock()
        answers: dict[int, str | None] = {} if asked_by is None else {asked_by: answer}
        vote = await self._store.open(
            table_id=table_id,
            kind=question.kind,
            seat=question.seat,
            subject=question.subject,
            rule=question.rule,
            choices=question.choices,
            fallback=question.fallback,
            asked_by=asked_by,
            asked_at=now,
            closes_at=None if question.patience is None else now + question.patience,
            answers={**dict.fromkeys(question.voters), **answers},
        )
        return await self.review(vote)

    async def answer(self, vote_id: int, person_id: int, choice: str) -> VoteRow:
        """Answer, or change one's answer.

        :raises Refused: ``no_such_answer``, ``not_a_member``.
        :raises Conflict: ``NotAsked``, ``VoteDecided``, ``NoSuchVote``.
        """
        vote = await self._store.get(vote_id)
        if choice not in vote.choices:
            raise Refused("no_such_answer")
        table = await self._tables.get(vote.table_id)
        if person_id in vote.answers and table.seat_of(person_id) is None:
            raise Refused("not_a_member")
        return await self._store.answer(vote_id, person_id, choice, self._decide(table))

    async def review(self, vote: VoteRow) -> VoteRow:
        """Decide an open vote if the hour, or somebody's leaving, has settled it."""
        table = await self._tables.get(vote.table_id)
        try:
            return await self._store.decide(vote.id, self._decide(table))
        except VoteDecided:
            return await self._store.get(vote.id)

    async def lapse(self, vote_id: int) -> VoteRow:
        """Close a vote because its question has been overtaken.

        :raises VoteDecided: it has been decided before.
        """
        return await self._store.decide(vote_id, lambda _vote: LAPSED)

    async def _refuse_repetition(self, table_id: int, question: Question, asked_by: int) -> None:
        """Let nobody pester the others: what was declined may be asked again when the subject has
        changed, be it only that the match has moved on.
        """
        last = await self._store.last(table_id, question.kind, asked_by)
        if last is None or last.decision in (None, LAPSED, YES):
            return
        if (last.seat, last.subject) == (question.seat, question.subject):
            raise Refused("asked_before")

    def _decide(self, table: Table) -> _Decide:
        return _Decide(table, self._tables.clock())


@dataclass(frozen=True, slots=True)
class _Decide:
    """Judges a vote as things stand at a table at a time."""

    table: Table
    now: datetime

    def __call__(self, vote: VoteRow) -> str | None:
        asker = vote.asked_by
        if not self.table.running or (asker is not None and self.table.seat_of(asker) is None):
            return LAPSED
        asked = [person for person in vote.answers if self.table.seat_of(person) is not None]
        closing = vote.closes_at is not None and vote.closes_at <= self.now
        return decision(vote, asked, closing)


def decision(vote: VoteRow, asked: Collection[int], closing: bool) -> str | None:
    """What a vote has decided, or None while it is open.

    :param asked: the persons whose answers count: those who still play at the table.
    :param closing: the time of the silent is up.
    """
    given = [choice for person, choice in vote.answers.items() if choice and person in asked]
    complete = closing or len(given) == len(asked)
    if vote.rule == Rule.ALL:
        if any(choice != YES for choice in given):
            return vote.fallback
        unanimous = bool(given) and len(given) == len(asked)
        return YES if unanimous else vote.fallback if complete else None
    electorate = len(given) if complete and vote.rule == Rule.ANSWERS else len(asked)
    for choice, count in Counter(given).items():
        if 2 * count > electorate:
            return choice
    return vote.fallback if complete else None
