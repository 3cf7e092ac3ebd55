"""Votes: three rules, ties, the silent, those who leave, and each decided once."""

from __future__ import annotations

import asyncio
import itertools
from datetime import timedelta

import pytest

from data.store import Store
from data.votes import LAPSED, AlreadyAsked, NoSuchVote, NotAsked, VoteDecided, VoteRow
from play.table import Refused, Table
from play.tables import Tables
from play.votes import NO, YES, Question, Rule, Votes, decision
from tests.play.clock import Clock
from tests.play.conftest import NOON

ANNA, BEN, CLARA, DAVID, STRANGER = 1, 2, 3, 4, 99
NAMES = {ANNA: "Anna", BEN: "Ben", CLARA: "Clara", DAVID: "David"}

WAIT, HELP, LEAVE = LADDER = ("wait", "help", "leave")


@pytest.fixture
def clock() -> Clock:
    """Noon, to begin with."""
    return Clock()


@pytest.fixture
def tables(store: Store, clock: Clock) -> Tables:
    """The use cases with that clock."""
    return Tables(store, clock)


async def started(tables: Tables, players: int = 4) -> Table:
    """A running table of Lancelot for so many; Anna is seat 0."""
    table = await tables.open(
        "lancelot",
        guild_id=7,
        channel_id=500,
        host_id=ANNA,
        host_name="Anna",
        language="en",
        options={"starter": "1", "seating": "joined"},
    )
    for person in (BEN, CLARA, DAVID)[: players - 1]:
        await tables.join(table.id, person, NAMES[person])
    return await tables.start(table.id, ANNA)


def ladder(*voters: int, rule: Rule = Rule.ANSWERS) -> Question:
    """What the house asks when somebody's time is up."""
    return Question("late", voters, rule, LADDER, WAIT, seat=0)


def row(rule: Rule, answers: dict[int, str | None], fallback: str = NO) -> VoteRow:
    """A vote that has come so far."""
    return VoteRow(
        1, 1, "k", None, {}, rule, (YES, NO), fallback, None, NOON, None, answers, None, False
    )


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
    """Unanimity, more than half of those asked, more than half of those who answer."""
    answers = dict(enumerate(given))
    assert decision(row(rule, answers), list(answers), closing) == decided


def test_a_tie_among_three_answers_falls_back() -> None:
    """Where no answer has more than half, the fallback is decided, be it among the answers."""
    for given in itertools.permutations([WAIT, HELP, LEAVE]):
        vote = row(Rule.ANSWERS, dict(enumerate(given)), fallback=WAIT)
        assert decision(vote, range(3), closing=False) == WAIT
    vote = row(Rule.ANSWERS, {0: HELP, 1: HELP, 2: LEAVE}, fallback=WAIT)
    assert decision(vote, range(3), closing=False) == HELP


@pytest.mark.parametrize("rule", Rule)
def test_an_early_decision_is_the_one_that_would_come_anyway(rule: Rule) -> None:
    """Whatever the silent would say, a vote decided before the end is decided as at the end;
    with unanimity that holds for a refusal.
    """
    for size in (1, 2, 3, 4):
        for given in itertools.product([YES, NO, None], repeat=size):
            early = decision(row(rule, dict(enumerate(given))), range(size), closing=False)
            if early is None:
                continue
            for rest in itertools.product([YES, NO], repeat=given.count(None)):
                said = iter(rest)
                full = {n: answer or next(said) for n, answer in enumerate(given)}
                assert decision(row(rule, dict(full)), range(size), closing=True) == early, given


def test_who_has_left_is_not_counted() -> None:
    """Neither the silence nor the answer of somebody who does not play any more matters."""
    answers: dict[int, str | None] = {0: YES, 1: None, 2: NO}
    assert decision(row(Rule.ALL, answers), [0], closing=False) == YES
    assert decision(row(Rule.ALL, answers), [0, 1], closing=False) is None
    assert decision(row(Rule.MAJORITY, answers), [], closing=False) == NO


# ---------------------------------------------------------------------------- the course
async def test_the_asker_has_answered(tables: Tables) -> None:
    """Who asks agrees by asking; two more of four make a majority."""
    table = await started(tables)
    votes = Votes(tables)
    vote = await votes.ask(table.id, Question("end", (BEN, CLARA, DAVID), Rule.MAJORITY), ANNA)
    assert vote.answers == {BEN: None, CLARA: None, DAVID: None, ANNA: YES}
    vote = await votes.answer(vote.id, BEN, YES)
    assert vote.decision is None
    vote = await votes.answer(vote.id, DAVID, YES)
    assert vote.decision == YES


async def test_nobody_else_to_ask_decides_at_once(tables: Tables) -> None:
    """A question without voters is decided by its asker."""
    table = await started(tables)
    vote = await Votes(tables).ask(table.id, Question("end", (), Rule.ALL), ANNA)
    assert vote.decision == YES


async def test_an_answer_may_be_changed_while_the_vote_is_open(tables: Tables) -> None:
    """The last answer of a person counts, and the same one twice counts once."""
    table = await started(tables)
    votes = Votes(tables)
    vote = await votes.ask(table.id, ladder(BEN, CLARA, DAVID), None)
    for choice in (HELP, HELP, LEAVE):
        vote = await votes.answer(vote.id, BEN, choice)
        assert vote.decision is None
    vote = await votes.answer(vote.id, CLARA, LEAVE)
    assert vote.decision == LEAVE
    with pytest.raises(VoteDecided):
        await votes.answer(vote.id, BEN, WAIT)


async def test_strangers_and_nonsense_are_refused(tables: Tables) -> None:
    """Only those who were asked answer, only with an answer that exists, only a vote that does."""
    table = await started(tables)
    votes = Votes(tables)
    vote = await votes.ask(table.id, ladder(BEN, CLARA), None)
    for person in (ANNA, STRANGER):
        with pytest.raises(NotAsked):
            await votes.answer(vote.id, person, HELP)
    with pytest.raises(Refused) as nonsense:
        await votes.answer(vote.id, BEN, "burn")
    assert nonsense.value.code == "no_such_answer"
    with pytest.raises(NoSuchVote):
        await votes.answer(4711, BEN, HELP)
    assert (await tables.store.votes.get(vote.id)).answers == {BEN: None, CLARA: None}


async def test_the_same_question_is_not_asked_twice_at_a_time(tables: Tables) -> None:
    """While one is open about a seat, another about it is refused; about another seat it is not."""
    table = await started(tables)
    votes = Votes(tables)
    await votes.ask(table.id, ladder(BEN), None)
    with pytest.raises(AlreadyAsked):
        await votes.ask(table.id, ladder(CLARA), None)
    await votes.ask(table.id, Question("late", (CLARA,), Rule.ANSWERS, LADDER, WAIT, seat=1), None)


async def test_what_was_declined_is_not_asked_again_and_again(tables: Tables) -> None:
    """The same person may not repeat a question until its subject has changed; others may ask."""
    table = await started(tables)
    votes = Votes(tables)
    question = Question("draw", (BEN,), Rule.ALL, subject={"ply": 0})
    vote = await votes.ask(table.id, question, ANNA)
    await votes.answer(vote.id, BEN, NO)
    with pytest.raises(Refused) as again:
        await votes.ask(table.id, question, ANNA)
    assert again.value.code == "asked_before"
    later = Question("draw", (BEN,), Rule.ALL, subject={"ply": 1})
    assert (await votes.ask(table.id, later, ANNA)).decision is None
    await votes.lapse((await tables.store.votes.open_at(table.id))[0].id)
    assert (await votes.ask(table.id, later, ANNA)).decision is None


# ------------------------------------------------------------------------------ the time
async def test_everyone_silent_falls_back_when_the_time_is_up(
    tables: Tables, store: Store, clock: Clock
) -> None:
    """A vote of which nobody takes notice is due after its patience, not a second before."""
    table = await started(tables)
    votes = Votes(tables)
    question = Question(
        "late", (BEN, CLARA), Rule.ANSWERS, LADDER, WAIT, patience=timedelta(hours=6)
    )
    vote = await votes.ask(table.id, question, None)
    clock.move(timedelta(hours=5, minutes=59, seconds=59))
    assert await store.votes.due(clock()) == []
    assert (await votes.review(vote)).decision is None
    clock.move(timedelta(seconds=1))
    (due,) = await store.votes.due(clock())
    assert (await votes.review(due)).decision == WAIT
    assert await store.votes.due(clock()) == []


async def test_one_answer_is_enough_where_the_silent_do_not_block(
    tables: Tables, clock: Clock
) -> None:
    """When the time is up, the majority of those who answered decides."""
    table = await started(tables)
    votes = Votes(tables)
    vote = await votes.ask(table.id, ladder(BEN, CLARA, DAVID), None)
    await votes.answer(vote.id, CLARA, HELP)
    clock.move(timedelta(days=3))
    assert (await votes.review(vote)).decision == HELP


async def test_an_answer_after_the_time_still_counts_if_nobody_has_looked(
    tables: Tables, clock: Clock
) -> None:
    """The bot was away when the time was up: the first answer after it settles the vote."""
    table = await started(tables)
    votes = Votes(tables)
    vote = await votes.ask(table.id, ladder(BEN, CLARA, DAVID), None)
    clock.move(timedelta(days=9))
    assert (await votes.answer(vote.id, BEN, LEAVE)).decision == LEAVE


# --------------------------------------------------------------------- who leaves, what ends
async def test_resigning_settles_what_only_waited_for_the_one_who_left(tables: Tables) -> None:
    """Who has resigned is not asked any more: the others' agreement is enough."""
    table = await started(tables, 3)
    votes = Votes(tables)
    vote = await votes.ask(table.id, Question("undo", (BEN, CLARA), Rule.ALL), ANNA)
    await votes.answer(vote.id, BEN, YES)
    await tables.resign(table.id, CLARA, "novice")
    with pytest.raises(Refused) as refusal:
        await votes.answer(vote.id, CLARA, NO)
    assert refusal.value.code == "not_a_member"
    assert (await votes.review(vote)).decision == YES


async def test_a_vote_lapses_with_whoever_asked(tables: Tables) -> None:
    """Who has resigned wants nothing any more."""
    table = await started(tables, 3)
    votes = Votes(tables)
    vote = await votes.ask(table.id, Question("undo", (BEN, CLARA), Rule.ALL), ANNA)
    await tables.resign(table.id, ANNA, "novice")
    assert (await votes.review(vote)).decision == LAPSED


async def test_a_vote_lapses_with_its_table(tables: Tables) -> None:
    """Whatever was asked at a table that is over is not decided any more."""
    table = await started(tables)
    votes = Votes(tables)
    vote = await votes.ask(table.id, ladder(BEN, CLARA), None)
    await tables.end(table.id, STRANGER, may_manage=True)
    assert (await votes.review(vote)).decision == LAPSED


# ------------------------------------------------------------------------- crash and race
async def test_a_vote_outlives_the_process(tables: Tables, store: Store, clock: Clock) -> None:
    """Answers given before a restart count after it, and what was decided is found unfinished."""
    table = await started(tables)
    vote = await Votes(tables).ask(table.id, ladder(BEN, CLARA, DAVID), None)
    await Votes(tables).answer(vote.id, BEN, HELP)
    others = Votes(Tables(store, clock))
    vote = await others.answer(vote.id, CLARA, HELP)
    assert vote.decision == HELP
    assert [v.id for v in await store.votes.unfinished()] == [vote.id]
    await store.votes.set_done(vote.id)
    assert await store.votes.unfinished() == []


async def test_of_many_answers_at_once_exactly_one_decides(tables: Tables, store: Store) -> None:
    """Two processes count the answers at the same time: one of them is told of the decision."""
    table = await started(tables)
    here, there = Votes(tables), Votes(Tables(store, tables.clock))
    vote = await here.ask(table.id, ladder(BEN, CLARA, DAVID), None)
    results = await asyncio.gather(
        *(
            votes.answer(vote.id, person, LEAVE)
            for person in (BEN, CLARA, DAVID)
            for votes in (here, there)
        ),
        return_exceptions=True,
    )
    deciding = [r for r in results if isinstance(r, VoteRow) and r.decision is not None]
    assert len(deciding) == 1
    assert all(isinstance(r, VoteRow | VoteDecided) for r in results)
