"""Votes: three rules, ties, missing answers, people who leave, and a single decision each."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pytest

from data.store.rows import Status, VoteRow
from play.aggregate import Command
from play.ending import EndAsManager, EndTable, Resign
from play.motions import MOTIONS, Motion
from play.table import Table, swapped
from play.turns import due_at
from play.votes import (
    LAPSED,
    NO,
    YES,
    Answer,
    Question,
    Rule,
    ask,
    decision,
    open_votes,
    tally,
)
from tests.play.clock import NOON
from tests.play.house import ANNA, BEN, CLARA, DAVID, STRANGER, started

PEOPLE = (ANNA, BEN, CLARA, DAVID)
WAIT, HELP, LEAVE = LADDER = ("wait", "help", "leave")


@dataclass(frozen=True, slots=True)
class Ask(Command[Table]):
    """Put any question to the vote."""

    question: Question
    by: int | None = None

    def effect(self, table: Table, now: datetime) -> Table:
        return ask(table, self.question, self.by, now)


@pytest.fixture(autouse=True)
def questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add two kinds of votes that have no effect."""
    nothing = Motion(lambda table, vote: False, lambda table, vote, now: table)
    for kind in ("nothing", "other"):
        monkeypatch.setitem(MOTIONS, kind, nothing)


def ladder(*voters: int, rule: Rule = Rule.ANSWERS, seat: int = 0) -> Question:
    """A question with three answers."""
    return Question("nothing", voters, rule, LADDER, WAIT, seat=seat)


def question(*voters: int, rule: Rule = Rule.ALL, **subject: object) -> Question:
    """A question with two answers."""
    return Question("other", voters, rule, subject=subject)


def voted(
    rule: Rule,
    given: list[str | None],
    closing: bool = False,
    fallback: str = NO,
    choices: tuple[str, ...] = (YES, NO),
) -> str | None:
    """The decision of a vote at a table of four after these answers; None while it is open."""
    table = SEATED
    answers = tuple(zip(PEOPLE, given, strict=False))
    closes_at = NOON if closing else None
    row = VoteRow(
        *(1, "other", None, {}, rule, choices, fallback, None, NOON, closes_at, answers, None, None)
    )
    return decision(table, row, NOON)


SEATED = started(4).table


# ------------------------------------------------------------------------------ the rules
@pytest.mark.parametrize(
    ("rule", "given", "closing", "decided"),
    [
        (Rule.ALL, [YES, YES, YES], False, YES),
        (Rule.ALL, [YES, YES, None], False, None),
        (Rule.ALL, [YES, YES, None], True, NO),
        (Rule.ALL, [NO, None, None], False, NO),
        (Rule.ALL, [None, None, None], True, NO),
        (Rule.MAJORITY, [YES, YES, None], False, YES),
        (Rule.MAJORITY, [YES, YES, None, None], False, None),
        (Rule.MAJORITY, [YES, YES, None, None], True, NO),
        (Rule.MAJORITY, [YES, YES, NO, NO], False, NO),
        (Rule.MAJORITY, [NO, NO, None], False, NO),
        (Rule.MAJORITY, [None, None], True, NO),
        (Rule.ANSWERS, [YES, None, None], False, None),
        (Rule.ANSWERS, [YES, None, None], True, YES),
        (Rule.ANSWERS, [YES, YES, None], False, YES),
        (Rule.ANSWERS, [YES, NO, None], True, NO),
        (Rule.ANSWERS, [YES, NO], False, NO),
        (Rule.ANSWERS, [None, None], True, NO),
    ],
)
def test_how_answers_become_a_decision(
    rule: Rule, given: list[str | None], closing: bool, decided: str | None
) -> None:
    """A vote follows one of three rules: unanimity, more than half of the voters, or more than half
    of the answers.
    """
    assert voted(rule, given, closing) == decided


def test_a_tie_among_three_answers_falls_back() -> None:
    """Without an absolute majority the fallback is chosen, even if it is one of the answers."""
    for given in itertools.permutations([WAIT, HELP, LEAVE]):
        assert voted(Rule.ANSWERS, list(given), fallback=WAIT, choices=LADDER) == WAIT
    assert voted(Rule.ANSWERS, [HELP, HELP, LEAVE], fallback=WAIT, choices=LADDER) == HELP


@pytest.mark.parametrize("rule", Rule)
def test_an_early_decision_is_the_one_that_would_come_anyway(rule: Rule) -> None:
    for size in (1, 2, 3, 4):
        for given in itertools.product([YES, NO, None], repeat=size):
            early = voted(rule, list(given))
            if early is None:
                continue
            for rest in itertools.product([YES, NO], repeat=given.count(None)):
                said = iter(rest)
                full: list[str | None] = [answer or next(said) for answer in given]
                assert voted(rule, full, closing=True) == early, given


def test_people_who_have_left_are_not_counted() -> None:
    answers = ((ANNA, YES), (BEN, None), (CLARA, NO))
    row = VoteRow(1, "k", None, {}, Rule.ALL, (YES, NO), NO, None, NOON, None, answers)
    majority = replace(row, rule=Rule.MAJORITY)
    assert decision(without_people(BEN, CLARA), row, NOON) == YES
    assert decision(without_people(CLARA), row, NOON) is None
    assert decision(without_people(ANNA, BEN, CLARA), majority, NOON) == NO
    left = tally(without_people(CLARA), row)
    assert (left.total, left.needed, left.silent, left.heard) == (2, 2, (BEN,), (ANNA,))
    assert tally(without_people(CLARA), majority).needed == 2
    assert tally(without_people(BEN, CLARA), majority).needed == 1


def without_people(*gone: int) -> Table:
    """Four seats, some with computer players."""
    members = tuple(
        replace(member, level="novice") if member.person_id in gone else member
        for member in SEATED.members
    )
    return replace(SEATED, members=members)


# ---------------------------------------------------------------------------- the course
def test_the_asker_has_answered() -> None:
    """Asking counts as voting yes, so at a table of four, two others make a majority."""
    house = started(4)
    house.do(EndTable(ANNA))
    assert dict(house.vote.answers) == {BEN: None, CLARA: None, DAVID: None, ANNA: YES}
    house.agree(BEN)
    assert house.vote.decision is None
    house.agree(DAVID)
    assert [vote.decision for vote in house.table.votes] == [YES]


def test_no_one_else_to_ask_decides_at_once() -> None:
    house = started(4)
    house.do(Ask(question(), ANNA))
    assert [vote.decision for vote in house.table.votes] == [YES]
    assert house.kinds()[-2:] == ["ask", "settle"]


def test_an_answer_may_be_changed_while_the_vote_is_open() -> None:
    house = started(4)
    house.do(Ask(ladder(BEN, CLARA, DAVID)))
    asked = house.vote.asked
    for choice, changes in ((HELP, 1), (HELP, 0), (LEAVE, 1)):
        revision = house.table.revision
        house.do(Answer(asked, BEN, choice))
        assert house.table.revision == revision + changes
        assert house.vote.decision is None
    house.do(Answer(asked, CLARA, LEAVE))
    (vote,) = house.table.votes
    assert (vote.decision, vote.settled) == (LEAVE, house.table.revision)
    assert house.code(Answer(asked, BEN, WAIT)) == "vote_decided"


def test_strangers_and_nonsense_are_refused() -> None:
    house = started(4)
    house.do(Ask(ladder(BEN, CLARA)))
    asked = house.vote.asked
    for person in (ANNA, STRANGER):
        assert house.code(Answer(asked, person, HELP)) == "not_asked"
    assert house.code(Answer(asked, BEN, "burn")) == "no_such_answer"
    assert house.code(Answer(4711, BEN, HELP)) == "no_such_vote"
    assert dict(house.vote.answers) == {BEN: None, CLARA: None}


def test_the_same_question_is_not_asked_twice_at_a_time() -> None:
    house = started(4)
    house.do(Ask(ladder(BEN)))
    assert house.code(Ask(ladder(CLARA))) == "already_asked"
    house.do(Ask(ladder(CLARA, seat=1)))
    assert [vote.seat for vote in open_votes(house.table)] == [0, 1]


def test_a_declined_question_is_not_repeated() -> None:
    """The same person may not repeat a question until its subject has changed; others may ask
    it.
    """
    house = started(4)
    house.do(Ask(question(BEN, position=0), ANNA))
    house.agree(BEN, choice=NO)
    assert house.code(Ask(question(BEN, position=0), ANNA)) == "asked_before"
    house.do(Ask(question(BEN, position=0), CLARA))
    house.agree(BEN, choice=NO)
    house.do(Ask(question(BEN, position=1), ANNA))
    votes = swapped(house.table.votes, house.vote, decision=LAPSED)
    house.table = replace(house.table, votes=votes)
    house.do(Ask(question(BEN, position=1), ANNA))


# ------------------------------------------------------------------------------ the time
def test_everyone_silent_falls_back_when_the_time_is_up() -> None:
    house = started(4)
    unasked = house.table.row.due_at
    house.do(Ask(replace(ladder(BEN, CLARA), patience=timedelta(hours=6))))
    until = house.clock.now + timedelta(hours=6)
    assert house.table.row.due_at == due_at(house.table) == until
    before = house.table
    assert house.wait(hours=5, minutes=59, seconds=59) is before
    house.wait(seconds=1)
    assert [vote.decision for vote in house.table.votes] == [WAIT]
    assert house.table.row.due_at == unasked


def test_one_answer_is_enough_where_the_silent_do_not_block() -> None:
    house = started(4)
    house.do(Ask(ladder(BEN, CLARA, DAVID)))
    house.agree(CLARA, choice=HELP)
    house.wait(days=3)
    assert [vote.decision for vote in house.table.votes] == [HELP]


def test_an_answer_after_the_time_still_counts_if_no_one_has_looked() -> None:
    """The bot was offline at the deadline: the first answer after it settles the vote."""
    house = started(4)
    house.do(Ask(ladder(BEN, CLARA, DAVID)))
    house.clock.move(timedelta(days=9))
    house.agree(BEN, choice=LEAVE)
    assert [vote.decision for vote in house.table.votes] == [LEAVE]


def test_a_question_may_wait_for_ever() -> None:
    house = started(4)
    unasked = house.table.row.due_at
    house.do(Ask(replace(question(BEN), patience=None), ANNA))
    assert house.table.row.due_at == unasked
    house.wait(days=900)
    assert house.table.votes[0].decision is None


# --------------------------------------------------------------------- leaving and ending
def test_resigning_settles_what_only_waited_for_the_one_who_left() -> None:
    house = started(3)
    house.do(Ask(question(BEN, CLARA), ANNA))
    asked = house.vote.asked
    house.agree(BEN)
    assert tally(house.table, house.vote).total == 3
    house.do(Resign(CLARA, "novice"))
    assert [vote.decision for vote in house.table.votes] == [YES]
    house.do(Ask(question(BEN, position=1), ANNA))
    assert house.code(Answer(asked, CLARA, NO)) == "vote_decided"
    assert house.code(Answer(house.vote.asked, CLARA, NO)) == "not_asked"


def test_people_who_have_left_do_not_answer() -> None:
    house = started(4)
    house.do(Ask(question(BEN, CLARA, DAVID), ANNA))
    house.do(Resign(CLARA, "novice"))
    assert house.code(Answer(house.vote.asked, CLARA, NO)) == "not_a_member"


def test_the_shown_threshold_is_the_one_that_decides() -> None:
    """Of four players, one asks to end and one resigns: the vote shows and needs two of three."""
    house = started(4)
    house.do(EndTable(ANNA))
    assert (tally(house.table, house.vote).needed, tally(house.table, house.vote).total) == (3, 4)
    house.do(Resign(DAVID, "novice"))
    stand = tally(house.table, house.vote)
    assert (stand.needed, stand.total, stand.silent) == (2, 3, (BEN, CLARA))
    house.agree(BEN)
    assert house.table.row.status is Status.ENDED


def test_a_vote_lapses_when_the_asker_leaves() -> None:
    house = started(3)
    house.do(Ask(question(BEN, CLARA), ANNA))
    house.do(Resign(ANNA, "novice"))
    assert [vote.decision for vote in house.table.votes] == [LAPSED]


def test_a_vote_lapses_with_its_table() -> None:
    house = started(4)
    house.do(Ask(ladder(BEN, CLARA)))
    house.do(EndAsManager(STRANGER, True, "Enough."))
    assert [vote.decision for vote in house.table.votes] == [LAPSED]


def test_several_votes_are_settled_in_one_change() -> None:
    house = started(4)
    house.do(EndTable(ANNA))
    house.do(Ask(ladder(BEN, CLARA, DAVID)))
    revision = house.table.revision
    asked = house.table.votes[0].asked
    for person in (BEN, CLARA):
        house.do(Answer(asked, person, YES))
    assert house.kinds(revision)[-3:] == ["settle", "end", "settle"]
    assert [vote.decision for vote in house.table.votes] == [YES, LAPSED]
