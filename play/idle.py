"""If a table without a pace has waited for weeks, its people are asked whether to end the match.

Everyone who plays in person is asked, including those whose turn it is. A majority of those who
answer within a week decides, so somebody who has left for good cannot hold up the others. Without
an answer the match continues. A move or an undo ends the vote.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from data.store.rows import VoteRow
from play.clock import UNTIL_ASKED
from play.table import Table
from play.votes import Question, Rule, ask

IDLE = "idle"
"""The kind of this vote."""

PATIENCE = timedelta(days=7)
"""How long the question stays open."""


def ask_whether_to_end(table: Table, now: datetime) -> Table:
    """Return the table, with the question put to everyone who plays in person."""
    subject = {"position": table.position}
    question = Question(IDLE, table.persons, Rule.ANSWERS, subject=subject, patience=PATIENCE)
    return ask(table, question, None, now)


def asked_lately(table: Table, now: datetime) -> bool:
    """Return whether the table was asked less than ``UNTIL_ASKED`` ago."""
    since = now - timedelta(seconds=UNTIL_ASKED)
    return any(vote.kind == IDLE and vote.asked_at > since for vote in table.votes)


def idle_is_overtaken(table: Table, vote: VoteRow) -> bool:
    """Return whether the match no longer runs, or a move was made or undone since the table was
    asked.
    """
    return not table.running or table.position != vote.subject["position"]
