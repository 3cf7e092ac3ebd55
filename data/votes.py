"""What the store remembers of votes: questions put to people at a table, and their answers.

A vote goes through three states, each reached in one transaction: it is *open* while answers come
in; it is *decided* by the answer, the hour or the event that settles it; it is *done* once the
decision has been carried out and told. What is decided and could not be carried out, be it that
the process died, is carried out later.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from data.access import Access, Database, Record
from data.columns import json_text, moment, seconds
from data.problems import Conflict


class NoSuchVote(Conflict):
    """No vote has this id."""

    code = "no_such_vote"


class AlreadyAsked(Conflict):
    """The same question about the same seat is open at the table."""

    code = "already_asked"


class NotAsked(Conflict):
    """The person is not among those who were asked."""

    code = "not_asked"


class VoteDecided(Conflict):
    """The vote has been decided before."""

    code = "vote_decided"


@dataclass(frozen=True, slots=True)
class VoteRow:
    """A question put to people at a table.

    :param kind: what it is about; one vote of a kind and seat is open at a table at a time.
    :param seat: the seat that it concerns, if any.
    :param subject: what else the question needs to be carried out, as plain data.
    :param rule: how answers become a decision.
    :param choices: the possible answers.
    :param fallback: the decision where answers lead to none.
    :param asked_by: the person who asked; None: the house.
    :param closes_at: when those who are silent have had their time; None: never.
    :param answers: by person, in the order in which they were asked; None: silent so far.
    :param decision: one of ``choices``, ``LAPSED``, or None while the vote is open.
    """

    id: int
    table_id: int
    kind: str
    seat: int | None
    subject: Mapping[str, Any]
    rule: str
    choices: tuple[str, ...]
    fallback: str
    asked_by: int | None
    asked_at: datetime
    closes_at: datetime | None
    answers: Mapping[int, str | None]
    decision: str | None
    done: bool


LAPSED = "lapsed"
"""The decision of a vote whose question was overtaken by events."""

Decide = Callable[[VoteRow], str | None]
"""The decision that a vote has reached, or None."""


class Votes:
    """The votes of all tables. Every method may raise ``StoreProblem``."""

    def __init__(self, database: Access) -> None:
        self._database = database

    async def open(
        self,
        *,
        table_id: int,
        kind: str,
        seat: int | None,
        subject: Mapping[str, Any],
        rule: str,
        choices: Sequence[str],
        fallback: str,
        asked_by: int | None,
        asked_at: datetime,
        closes_at: datetime | None,
        answers: Mapping[int, str | None],
    ) -> VoteRow:
        """Ask; those who have an answer already, as the one who asks, answer at once.

        :raises AlreadyAsked: the same question about the same seat is open.
        """

        def change(db: Database) -> VoteRow:
            if any((v.kind, v.seat) == (kind, seat) for v in _open_at(db, table_id)):
                raise AlreadyAsked(kind)
            vote_id = db.execute(
                """INSERT INTO votes (table_id, kind, seat, subject, rule, choices, fallback,
                    asked_by, asked_at, closes_at, done)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
                RETURNING id""",
                [
                    *(table_id, kind, seat, json_text(subject), rule, json_text(list(choices))),
                    *(fallback, asked_by, seconds(asked_at)),
                    None if closes_at is None else seconds(closes_at),
                ],
            ).fetchone()[0]
            db.executemany(
                """INSERT INTO answers (vote_id, number, person_id, choice)
                VALUES (?, ?, ?, ?)""",
                [
                    (vote_id, number, person_id, choice)
                    for number, (person_id, choice) in enumerate(answers.items())
                ],
            )
            return _vote(db, vote_id)

        return await self._database.write(change)

    async def get(self, vote_id: int) -> VoteRow:
        """One vote.

        :raises NoSuchVote: there is none.
        """
        return await self._database.read(lambda db: _vote(db, vote_id))

    async def answer(self, vote_id: int, person_id: int, choice: str, decide: Decide) -> VoteRow:
        """Take a person's answer, in place of an earlier one, and decide if that settles it.

        :raises Conflict: ``NoSuchVote``, ``VoteDecided`` or ``NotAsked``.
        """

        def change(db: Database) -> VoteRow:
            vote = _require_open(db, vote_id)
            if person_id not in vote.answers:
                raise NotAsked(person_id)
            db.execute(
                "UPDATE answers SET choice = ? WHERE vote_id = ? AND person_id = ?",
                [choice, vote_id, person_id],
            )
            return _decide(db, _vote(db, vote_id), decide)

        return await self._database.write(change)

    async def decide(self, vote_id: int, decide: Decide) -> VoteRow:
        """Decide a vote if something else than an answer has settled it.

        :raises Conflict: ``NoSuchVote`` or ``VoteDecided``.
        """
        return await self._database.write(
            lambda db: _decide(db, _require_open(db, vote_id), decide)
        )

    async def set_done(self, vote_id: int) -> None:
        """Note that the decision has been carried out and told."""

        def change(db: Database) -> None:
            db.execute("UPDATE votes SET done = 1 WHERE id = ?", [vote_id])

        await self._database.write(change)

    async def open_at(self, table_id: int) -> list[VoteRow]:
        """The open votes of a table, oldest first."""
        return await self._database.read(lambda db: _open_at(db, table_id))

    async def all_open(self) -> list[VoteRow]:
        """The open votes of all tables, oldest first."""
        return await self._database.read(lambda db: _votes(db, "decision IS NULL"))

    async def last(self, table_id: int, kind: str, asked_by: int) -> VoteRow | None:
        """The latest vote of a kind for which a person has asked at a table."""
        votes = await self._database.read(
            lambda db: _votes(
                db, "table_id = ? AND kind = ? AND asked_by = ?", table_id, kind, asked_by
            )
        )
        return votes[-1] if votes else None

    async def due(self, at: datetime) -> list[VoteRow]:
        """Open votes whose time is up."""
        return await self._database.read(
            lambda db: _votes(db, "decision IS NULL AND closes_at <= ?", seconds(at))
        )

    async def next_closing(self) -> datetime | None:
        """When the time of the next open vote is up; None: none has a time."""
        ((closes_at,),) = await self._database.fetch(
            "SELECT min(closes_at) FROM votes WHERE decision IS NULL"
        )
        return None if closes_at is None else moment(closes_at)

    async def unfinished(self) -> list[VoteRow]:
        """Decided votes that have not been carried out, or not been told."""
        return await self._database.read(lambda db: _votes(db, "decision IS NOT NULL AND done = 0"))


# ------------------------------------------------------------- parts of the transactions
def _votes(db: Database, condition: str, *values: Any) -> list[VoteRow]:
    records = db.execute(f"SELECT * FROM votes WHERE {condition} ORDER BY id", values)  # noqa: S608
    return [_vote_row(db, record) for record in records.fetchall()]


def _vote(db: Database, vote_id: int) -> VoteRow:
    found = _votes(db, "id = ?", vote_id)
    if not found:
        raise NoSuchVote(vote_id)
    return found[0]


def _open_at(db: Database, table_id: int) -> list[VoteRow]:
    return _votes(db, "table_id = ? AND decision IS NULL", table_id)


def _require_open(db: Database, vote_id: int) -> VoteRow:
    vote = _vote(db, vote_id)
    if vote.decision is not None:
        raise VoteDecided(vote_id)
    return vote


def _decide(db: Database, vote: VoteRow, decide: Decide) -> VoteRow:
    decision = decide(vote)
    db.execute("UPDATE votes SET decision = ? WHERE id = ?", [decision, vote.id])
    return replace(vote, decision=decision)


def _vote_row(db: Database, record: Record) -> VoteRow:
    answers = db.execute(
        "SELECT person_id, choice FROM answers WHERE vote_id = ? ORDER BY number", [record["id"]]
    ).fetchall()
    columns = dict(record)
    columns["subject"] = json.loads(record["subject"])
    columns["choices"] = tuple(json.loads(record["choices"]))
    columns["asked_at"] = moment(record["asked_at"])
    columns["closes_at"] = None if record["closes_at"] is None else moment(record["closes_at"])
    columns["done"] = bool(record["done"])
    return VoteRow(**columns, answers=dict(answers))
