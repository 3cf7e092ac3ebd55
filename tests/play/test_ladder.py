"""The ladder: what is asked when somebody's time is up, and each of its steps."""

from __future__ import annotations

from datetime import timedelta

import pytest

from data.clocks import TurnRow
from data.store import NoSuchMember, Store
from data.votes import LAPSED, NotAsked, VoteRow
from games.engine import Move, View
from play import ladder, seats
from play.clock import HOUR, Pace, pace_in
from play.ladder import Rung
from play.table import Refused, Table
from play.tables import Tables
from play.timekeeping import Timekeeper
from play.votes import Question, Votes
from tests.play.clock import Clock
from tests.play.test_timekeeping import ANNA, BEN, CLARA, moved, started

WAIT, MOVE, KEEP, OFFER, END = Rung


@pytest.fixture
def clock() -> Clock:
    """Noon, to begin with."""
    return Clock()


@pytest.fixture
def tables(store: Store, clock: Clock) -> Tables:
    """The use cases with that clock."""
    return Tables(store, clock)


@pytest.fixture
def keeper(tables: Tables) -> Timekeeper:
    """The keeper of their time."""
    return Timekeeper(tables)


@pytest.fixture
def votes(tables: Tables) -> Votes:
    """The votes of those tables."""
    return Votes(tables)


def pace_of(table: Table) -> Pace:
    """The pace of a table that has one."""
    pace = pace_in(table.row.options)
    assert pace is not None
    return pace


async def asked(votes: Votes, table: Table) -> VoteRow:
    """The question about Anna, whose time is up."""
    question = ladder.next_step(table, table.clocks[0], pace_of(table), 1)
    assert isinstance(question, Question)
    return await votes.ask(table.id, question, None)


async def first_legal(view: View) -> Move:
    """A computer player without imagination, for Lancelot."""
    return next(
        square
        for square in ("K4", "D4", "E8", "F8", "G5", "H5")
        if square not in view.public.get("board", {})
    )


# ---------------------------------------------------------------------------- which step
async def test_the_others_are_asked(tables: Tables) -> None:
    """All who play in person but the one whose time is up; nobody is thrown out by a machine."""
    table = await started(tables, 3)
    for misses in (1, 2):
        step = ladder.next_step(table, table.clocks[0], pace_of(table), misses)
        assert isinstance(step, Question)
        assert step.voters == (BEN, CLARA)
        assert step.choices == (WAIT, MOVE, KEEP, OFFER, END)
        assert (step.fallback, step.seat) == (WAIT, 0)


async def test_a_strict_pace_asks_nobody(tables: Tables) -> None:
    """The host has chosen that a computer player moves at once."""
    table = await started(tables, 3, strict=True)
    assert ladder.next_step(table, table.clocks[0], pace_of(table), 1) is MOVE
    assert ladder.next_step(table, table.clocks[0], pace_of(table), 3) is KEEP


async def test_three_misses_in_a_row(tables: Tables) -> None:
    """A computer player keeps the seat at once, whatever the pace."""
    table = await started(tables, 3)
    assert ladder.next_step(table, table.clocks[0], pace_of(table), 3) is KEEP
    assert ladder.next_step(table, table.clocks[0], pace_of(table), 4) is KEEP


@pytest.mark.parametrize(("pace", "hours"), [("1h", 1), ("12h", 12), ("7d", 24), ("3d+6h", 6)])
async def test_the_question_is_open_for_a_turn_at_most_a_day(
    tables: Tables, pace: str, hours: int
) -> None:
    """The table is not kept waiting for those who do not answer either."""
    table = await started(tables, pace=pace)
    step = ladder.next_step(table, table.clocks[0], pace_of(table), 1)
    assert isinstance(step, Question)
    assert step.patience == timedelta(hours=hours)


# ---------------------------------------------------------------------------- the answers
async def test_of_two_the_other_decides(tables: Tables, votes: Votes) -> None:
    """One answer is more than half of one."""
    table = await started(tables, 2)
    vote = await asked(votes, table)
    assert (await votes.answer(vote.id, BEN, END)).decision == END


async def test_more_than_half_decide_at_once(tables: Tables, votes: Votes) -> None:
    """Two of two; after the first answer the question is open."""
    table = await started(tables, 3)
    vote = await asked(votes, table)
    assert (await votes.answer(vote.id, BEN, KEEP)).decision is None
    assert (await votes.answer(vote.id, CLARA, KEEP)).decision == KEEP


async def test_a_tie_means_to_wait(tables: Tables, votes: Votes) -> None:
    """Two answers that contradict each other."""
    table = await started(tables, 3)
    vote = await asked(votes, table)
    await votes.answer(vote.id, BEN, KEEP)
    assert (await votes.answer(vote.id, CLARA, END)).decision == WAIT


async def test_the_silent_do_not_block(tables: Tables, votes: Votes, clock: Clock) -> None:
    """When the time of the question is up, those who have answered decide."""
    table = await started(tables, 3)
    vote = await asked(votes, table)
    await votes.answer(vote.id, BEN, OFFER)
    clock.move(timedelta(hours=23))
    assert (await votes.review(vote)).decision is None
    clock.move(timedelta(hours=1))
    assert (await votes.review(vote)).decision == OFFER


async def test_everyone_silent_means_to_wait(tables: Tables, votes: Votes, clock: Clock) -> None:
    """Nobody has said a word."""
    table = await started(tables, 3)
    vote = await asked(votes, table)
    clock.move(timedelta(days=1))
    assert (await votes.review(vote)).decision == WAIT


async def test_whoever_is_late_has_no_voice(tables: Tables, votes: Votes) -> None:
    """The person may move, but not answer."""
    table = await started(tables, 2)
    vote = await asked(votes, table)
    with pytest.raises(NotAsked):
        await votes.answer(vote.id, ANNA, WAIT)
    assert (await votes.review(vote)).decision is None


async def test_a_move_overtakes_the_question(
    tables: Tables, votes: Votes, keeper: Timekeeper
) -> None:
    """Also when an undo has opened the same decision again: that has time of its own."""
    table = await started(tables, 2)
    vote = await asked(votes, table)
    assert not ladder.is_overtaken(vote, table)
    table = await moved(keeper, tables, table, ANNA, "K4")
    assert ladder.is_overtaken(vote, table)
    assert (await votes.lapse(vote.id)).decision == LAPSED


async def test_a_seat_that_changes_hands_overtakes_the_question(
    tables: Tables, votes: Votes, keeper: Timekeeper
) -> None:
    """A computer player, or somebody else, has it."""
    table = await started(tables, 3)
    vote = await asked(votes, table)
    await seats.offer(tables, table.id, 0, None)
    await seats.take(tables, table.id, 0, 77, "Zoe")
    assert ladder.is_overtaken(vote, await keeper.follow(table.id))


# ------------------------------------------------------------------------------ the steps
async def turn(tables: Tables, table: Table, seat: int = 0) -> TurnRow:
    """The running clock of a seat."""
    return (await tables.get(table.id)).clocks[seat]


async def test_a_computer_player_moves_once(tables: Tables, keeper: Timekeeper) -> None:
    """The seat stays the person's, and the log does not say that the person moved."""
    table = await started(tables, 2)
    table = await ladder.move_for(tables, await turn(tables, table), first_legal)
    assert table.awaited == (1,)
    assert table.seat_of(ANNA) == 0
    (event,) = await tables.store.events(table.id)
    assert (event.seat, event.move, event.person_id) == (0, "K4", None)


async def test_a_computer_player_finishes_the_turn(tables: Tables, keeper: Timekeeper) -> None:
    """Where a turn takes several decisions, it makes them all, and no more."""
    table = await started(tables, 2, king=True)
    table = await moved(keeper, tables, table, BEN, "X:G6")

    async def choose(view: View) -> Move:
        """Call on the King's power, and then place a stone."""
        present = await tables.get(table.id)
        legal = table.game.legal(present.played.state, 0)
        return next((move for move in legal if move.startswith("X:")), legal[0])

    after = await ladder.move_for(tables, await turn(tables, table), choose)
    assert [event.seat for event in after.played.log] == [1, 0, 0]
    assert after.awaited == (1,)


async def test_whoever_moves_in_time_is_not_moved_for(tables: Tables, keeper: Timekeeper) -> None:
    """The person moves while the computer player thinks: that move counts."""
    table = await started(tables, 2)
    late = await turn(tables, table)

    async def slowly(view: View) -> Move:
        await tables.move(table.id, ANNA, ["E8"])
        return "K4"

    with pytest.raises(Refused):
        await ladder.move_for(tables, late, slowly)
    table = await keeper.follow(table.id)
    assert [event.move for event in table.played.log] == ["E8"]
    with pytest.raises(Refused, match="overtaken"):
        await ladder.move_for(tables, late, first_legal)
    with pytest.raises(Refused, match="overtaken"):
        await ladder.keep_seat(tables, late, "novice")


async def test_a_kept_seat_is_the_persons_again_at_once(tables: Tables, keeper: Timekeeper) -> None:
    """It is kept, not resigned: coming back takes one step, and the clock runs again."""
    table = await started(tables, 2)
    table = await ladder.keep_seat(tables, await turn(tables, table), "novice")
    assert (table.members[0].level, table.members[0].resigned) == ("novice", False)
    assert (await keeper.follow(table.id)).clocks == {}
    await seats.come_back(tables, table.id, ANNA)
    assert list((await keeper.follow(table.id)).clocks) == [0]
    with pytest.raises(Refused, match="never_left"):
        await seats.come_back(tables, table.id, ANNA)


async def test_coming_back_alone_forgets_no_misses(
    tables: Tables, keeper: Timekeeper, clock: Clock
) -> None:
    """Only a move does: whoever lets the time run out once more is replaced at once again."""
    table = await started(tables, 2)
    for _ in range(3):
        late = await turn(tables, table)
        clock.move(timedelta(days=1))
        misses = await keeper.miss(late)
        await keeper.extend(table, late)
    assert misses == 3
    await ladder.keep_seat(tables, late, "novice")
    await keeper.follow(table.id)
    await seats.come_back(tables, table.id, ANNA)
    table = await keeper.follow(table.id)
    assert ladder.next_step(table, table.clocks[0], pace_of(table), 4) is KEEP
    assert await keeper.miss(table.clocks[0]) == 4


async def test_more_time_is_that_of_a_turn_or_the_increment(
    tables: Tables, keeper: Timekeeper, clock: Clock
) -> None:
    """A bank gives no more than what a turn adds to it."""
    table = await started(tables, 2, pace="2d+5h")
    clock.move(timedelta(days=2, hours=1))
    await keeper.extend(table, await turn(tables, table))
    assert (await turn(tables, table)).ends_at == clock.now + timedelta(hours=5)
    assert pace_of(table).more == 5 * HOUR


async def test_nobody_comes_back_to_a_seat_that_was_resigned(tables: Tables) -> None:
    """A seat that is kept and one that was given up are not the same."""
    table = await started(tables, 3)
    await tables.resign(table.id, ANNA, "novice")
    with pytest.raises((Refused, NoSuchMember), match="resigned"):
        await seats.come_back(tables, table.id, ANNA)
