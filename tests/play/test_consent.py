"""Ending by agreement, seats that change hands, planned moves, lost channels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from data.plans import PlansFull
from data.seats import NotOffered
from data.store import AlreadyMember, NoSuchMember, Status, Store
from games import GAMES
from play import ending, parking, seats
from play.plans import PLANS_AT_MOST, Plans
from play.table import Refused, RefusedByRules, Table
from play.tables import Tables
from play.votes import NO, YES, Rule, Votes
from tests.play.conftest import NOON

ANNA, BEN, CLARA, DAVID, STRANGER = 1, 2, 3, 4, 99
NAMES = {ANNA: "Anna", BEN: "Ben", CLARA: "Clara", DAVID: "David"}


async def opened(tables: Tables, players: int, channel: int = 500, **options: Any) -> Table:
    """A lobby of Lancelot with so many people."""
    table = await tables.open(
        "lancelot",
        guild_id=7,
        channel_id=channel,
        host_id=ANNA,
        host_name="Anna",
        language="en",
        options={"starter": "1", "seating": "joined", **options},
    )
    for person in (BEN, CLARA, DAVID)[: players - 1]:
        table = await tables.join(table.id, person, NAMES[person])
    return table


async def started(tables: Tables, players: int = 2, **options: Any) -> Table:
    """A running match; Anna is seat 0 and begins, then Ben, Clara, David."""
    return await tables.start((await opened(tables, players, **options)).id, ANNA)


async def kept_by_computer(tables: Tables, table: Table, person: int) -> Table:
    """A computer player keeps the seat of somebody who may come back."""
    member = table.member_of(person)
    assert member is not None
    await tables.store.set_member(
        table.id,
        member.number,
        person_id=person,
        name=member.name,
        level="novice",
        resigned=False,
    )
    return await tables.get(table.id)


def code(refusal: pytest.ExceptionInfo[Refused]) -> str:
    return refusal.value.code


# ------------------------------------------------------------------------------- draws
@pytest.fixture
def knows_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lancelot, as if its rules knew a draw."""
    info = replace(GAMES["lancelot"].info, draws=True)
    monkeypatch.setattr(type(GAMES["lancelot"]), "info", info)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.usefixtures("knows_draws")
async def test_a_draw_takes_everybody(tables: Tables, players: int) -> None:
    """All others are asked, all have to agree, and all share the first place."""
    table = await started(tables, players)
    question = ending.draw_question(table, ANNA)
    assert (question.voters, question.rule) == ((BEN, CLARA)[: players - 1], Rule.ALL)
    table = await ending.draw(tables, table.id)
    assert table.row.status is Status.FINISHED
    assert table.row.result == {"how": "drawn", "ranks": [1] * players}
    with pytest.raises(Refused) as over:
        await ending.draw(tables, table.id)
    assert code(over) == "table_over"


async def test_no_draw_where_the_game_knows_none(tables: Tables) -> None:
    """Lancelot always has a winner by its rules."""
    with pytest.raises(Refused) as refusal:
        ending.draw_question(await started(tables), ANNA)
    assert code(refusal) == "no_draws"


@pytest.mark.usefixtures("knows_draws")
async def test_no_draw_with_computer_players(tables: Tables) -> None:
    """Somebody who has resigned, and for whom a computer player goes on, cannot agree."""
    table = await started(tables, 3)
    table = await tables.resign(table.id, CLARA, "novice")
    with pytest.raises(Refused) as refusal:
        ending.draw_question(table, ANNA)
    assert code(refusal) == "draw_with_computers"


@pytest.mark.usefixtures("knows_draws")
async def test_who_leaves_while_a_draw_is_asked_for_spoils_it(tables: Tables) -> None:
    """The others agree, but a computer player sits at the table by then."""
    table = await started(tables, 3)
    votes = Votes(tables)
    vote = await votes.ask(table.id, ending.draw_question(table, ANNA), ANNA)
    await votes.answer(vote.id, BEN, YES)
    await tables.resign(table.id, CLARA, "novice")
    assert (await votes.review(vote)).decision == YES
    with pytest.raises(Refused) as refusal:
        await ending.draw(tables, table.id)
    assert code(refusal) == "draw_with_computers"
    assert (await tables.get(table.id)).running


@pytest.mark.usefixtures("knows_draws")
async def test_a_draw_stands_until_somebody_who_was_asked_moves(tables: Tables) -> None:
    """The one who offers may move first, as at chess; the others decline by moving."""
    table = await started(tables)
    vote = await Votes(tables).ask(table.id, ending.draw_question(table, ANNA), ANNA)
    table = (await tables.move(table.id, ANNA, ["K4"])).table
    assert not ending.draw_is_overtaken(vote, table)
    table = (await tables.move(table.id, BEN, ["D4"])).table
    assert ending.draw_is_overtaken(vote, table)


# --------------------------------------------------------------------- ending by agreement
@pytest.mark.parametrize(("players", "needed"), [(2, 2), (3, 2), (4, 3)])
async def test_ending_takes_more_than_half(tables: Tables, players: int, needed: int) -> None:
    """Of two both, of three two, of four three have to want it."""
    table = await started(tables, players)
    votes = Votes(tables)
    question = ending.end_question(table, ANNA)
    assert question is not None
    vote = await votes.ask(table.id, question, ANNA)
    agreed = 1
    for person in (BEN, CLARA, DAVID)[: players - 1]:
        if vote.decision is None:
            vote = await votes.answer(vote.id, person, YES)
            agreed += 1
    assert (vote.decision, agreed) == (YES, needed)
    table = await ending.end_by_consent(tables, table.id)
    assert (table.row.status, table.row.result) == (Status.ENDED, {"how": "ended"})


async def test_half_is_not_enough(tables: Tables) -> None:
    """Two of four want to end, two do not: the match goes on."""
    table = await started(tables, 4)
    votes = Votes(tables)
    question = ending.end_question(table, ANNA)
    assert question is not None
    vote = await votes.ask(table.id, question, ANNA)
    for person, answer in ((BEN, YES), (CLARA, NO), (DAVID, NO)):
        vote = await votes.answer(vote.id, person, answer)
    assert vote.decision == NO


async def test_who_plays_with_computers_only_ends_alone(tables: Tables) -> None:
    """Nobody is left to be asked."""
    table = await started(tables, 3)
    for person in (BEN, CLARA):
        table = await tables.resign(table.id, person, "novice")
    assert ending.end_question(table, ANNA) is None
    table = await tables.end(table.id, ANNA, may_manage=False)
    assert table.row.status is Status.ENDED


# --------------------------------------------------------------------------- the lobby
async def test_the_host_sends_people_away_for_good(tables: Tables) -> None:
    """Whoever was sent away cannot join again; computer players are sent away likewise."""
    table = await opened(tables, 2)
    table = await tables.add_computer(table.id, ANNA, ["Merlin"], "novice")
    for person in (BEN, STRANGER):
        with pytest.raises(Refused) as refusal:
            await seats.send_away(tables, table.id, person, 2)
        assert code(refusal) == "only_host"
    with pytest.raises(Refused) as host:
        await seats.send_away(tables, table.id, ANNA, 0)
    assert code(host) == "host_stays"
    table = await seats.send_away(tables, table.id, ANNA, 1)
    table = await seats.send_away(tables, table.id, ANNA, 2)
    assert [member.name for member in table.members] == ["Anna"]
    with pytest.raises(NoSuchMember):
        await seats.send_away(tables, table.id, ANNA, 2)
    with pytest.raises(Refused) as barred:
        await tables.join(table.id, BEN, "Ben")
    assert code(barred) == "barred"
    await tables.join(table.id, CLARA, "Clara")


async def test_nobody_is_sent_away_from_a_match(tables: Tables) -> None:
    """Once the match runs, a seat is given away by agreement only."""
    table = await started(tables)
    with pytest.raises(Refused) as refusal:
        await seats.send_away(tables, table.id, ANNA, 1)
    assert code(refusal) == "not_in_lobby"


# ------------------------------------------------------------------------ changing hands
async def test_handing_over_takes_more_than_half_and_somebody_who_takes(tables: Tables) -> None:
    """The others are asked; only the person named takes the seat, with everything in it."""
    table = await started(tables)
    await tables.move(table.id, ANNA, ["K4"])
    question = seats.replace_question(await tables.get(table.id), ANNA, newcomer=DAVID)
    assert question is not None
    assert (question.voters, question.rule, question.seat) == ((BEN,), Rule.MAJORITY, 0)
    with pytest.raises(NotOffered):
        await seats.take(tables, table.id, 0, DAVID, "David")
    await seats.offer(tables, table.id, 0, DAVID)
    with pytest.raises(NotOffered):
        await seats.take(tables, table.id, 0, CLARA, "Clara")
    table, before = await seats.take(tables, table.id, 0, DAVID, "David")
    assert before == ANNA
    assert (table.names, table.row.host_id) == (("David", "Ben"), DAVID)
    with pytest.raises(NotOffered):
        await seats.take(tables, table.id, 0, CLARA, "Clara")
    await tables.move(table.id, BEN, ["D4"])
    with pytest.raises(Refused) as stranger:
        await tables.move(table.id, ANNA, ["K6"])
    assert code(stranger) == "not_a_member"
    await tables.move(table.id, DAVID, ["K6"])


async def test_whose_seat_may_be_offered(tables: Tables) -> None:
    """The own one and one that a computer player keeps; never that of somebody who plays."""
    table = await started(tables, 3)
    with pytest.raises(Refused) as in_person:
        seats.replace_question(table, ANNA, seat=1)
    assert (code(in_person), in_person.value.data["name"]) == ("plays_in_person", "Ben")
    with pytest.raises(AlreadyMember):
        seats.replace_question(table, ANNA, newcomer=CLARA)
    with pytest.raises(Refused) as stranger:
        seats.replace_question(table, STRANGER)
    assert code(stranger) == "not_a_member"
    table = await tables.resign(table.id, BEN, "novice")
    question = seats.replace_question(table, ANNA, seat=1)
    assert question is not None
    assert question.voters == (CLARA,)


async def test_nobody_sits_twice_and_who_was_sent_away_stays_away(tables: Tables) -> None:
    """An offered seat is not for those who have one, nor for those who may not join."""
    table = await opened(tables, 4)
    await seats.send_away(tables, table.id, ANNA, 3)
    table = await tables.start(table.id, ANNA)
    await seats.offer(tables, table.id, 0, None)
    with pytest.raises(AlreadyMember):
        await seats.take(tables, table.id, 0, BEN, "Ben")
    with pytest.raises(Refused) as barred:
        await seats.take(tables, table.id, 0, DAVID, "David")
    assert code(barred) == "barred"
    await seats.take(tables, table.id, 0, STRANGER, "Kay")


async def test_an_agreement_is_overtaken_by_the_return_of_the_owner(tables: Tables) -> None:
    """A seat that a computer player kept is not given away once its owner is back."""
    table = await kept_by_computer(tables, await started(tables, 3), BEN)
    question = seats.replace_question(table, ANNA, seat=1)
    assert question is not None
    vote = await Votes(tables).ask(table.id, question, ANNA)
    assert not seats.replacing_is_overtaken(vote, table)
    await seats.offer(tables, table.id, 1, None)
    table = await seats.come_back(tables, table.id, BEN)
    assert seats.replacing_is_overtaken(vote, table)
    with pytest.raises(NotOffered):
        await seats.take(tables, table.id, 1, DAVID, "David")


async def test_coming_back(tables: Tables) -> None:
    """Open to whom a computer player has kept the seat; not to those who never left or gave up."""
    table = await kept_by_computer(tables, await started(tables, 3), ANNA)
    assert table.awaited_computers == (0,)
    table = await seats.come_back(tables, table.id, ANNA)
    assert table.awaited_persons == (0,)
    await tables.resign(table.id, CLARA, "novice")
    for person, refused_as in (
        (ANNA, "never_left"),
        (CLARA, "resigned"),
        (STRANGER, "not_a_member"),
    ):
        with pytest.raises(Refused) as refusal:
            await seats.come_back(tables, table.id, person)
        assert code(refusal) == refused_as


# --------------------------------------------------------------------------- planned moves
async def test_planned_moves_are_played_one_a_turn(tables: Tables, store: Store) -> None:
    """Two planned moves answer the next two turns, and then nothing is planned any more."""
    table = await started(tables)
    plans = Plans(tables)
    await plans.add(table.id, BEN, " d4 ")
    assert [p.move for p in await plans.add(table.id, BEN, "D6")] == ["d4", "D6"]
    for move, log in (("K4", ["K4", "D4"]), ("K6", ["K4", "D4", "K6", "D6"])):
        await tables.move(table.id, ANNA, [move])
        assert await plans.play(table.id) == []
        assert [e.move for e in (await tables.get(table.id)).played.log] == log
    assert await store.plans.of_person(table.id, BEN) == []
    assert await plans.play(table.id) == []
    event = (await store.events(table.id))[-1]
    assert (event.person_id, event.interaction_id) == (BEN, None)


async def test_an_illegal_plan_is_dropped_with_what_was_to_follow(tables: Tables) -> None:
    """The square is taken when the turn has come: nothing is played, and the rule is named."""
    table = await started(tables)
    plans = Plans(tables)
    await plans.add(table.id, BEN, "K4")
    await plans.add(table.id, BEN, "D6")
    await tables.move(table.id, ANNA, ["K4"])
    (dropped,) = await plans.play(table.id)
    assert dropped.plan.move == "K4"
    assert isinstance(dropped.why, RefusedByRules)
    assert dropped.why.code == "occupied"
    table = await tables.get(table.id)
    assert (table.awaited, table.played.ply) == ((1,), 1)
    assert await plans.play(table.id) == []


async def test_an_answer_waits_for_its_question(tables: Tables) -> None:
    """A plan that is to answer a certain move is played after it and dropped after any other."""
    table = await started(tables, 3)
    plans = Plans(tables)
    await plans.add(table.id, CLARA, "F6", "k4")
    await tables.move(table.id, ANNA, ["K4"])
    await tables.move(table.id, BEN, ["D4"])
    assert await plans.play(table.id) == []
    assert (await tables.get(table.id)).played.log[-1].move == "F6"
    await plans.add(table.id, CLARA, "F8", "K6")
    await tables.move(table.id, ANNA, ["K8"])
    await tables.move(table.id, BEN, ["D6"])
    (dropped,) = await plans.play(table.id)
    assert (dropped.plan.move, dropped.why) == ("F8", None)
    assert (await tables.get(table.id)).awaited == (2,)


@pytest.mark.parametrize(
    ("person", "move", "answer_to", "refused_as"),
    [
        (ANNA, "K4", "", "plan_now"),
        (STRANGER, "K4", "", "not_a_member"),
        (BEN, "  ", "", "no_plan"),
        (BEN, "K4" * 21, "", "no_plan"),
        (BEN, "K4\nK5", "", "no_plan"),
        (BEN, "K4", "x" * 41, "no_plan"),
        (BEN, "Z99", "", "unknown_square"),
        (BEN, "O4", "", "unknown_square"),
        (BEN, "pass", "", "must_place"),
        (BEN, "K4", "hello world", "unknown_square"),
    ],
)
async def test_what_cannot_be_planned(
    tables: Tables, person: int, move: str, answer_to: str, refused_as: str
) -> None:
    """Not at one's own turn, not by strangers, and nothing that no position allows."""
    table = await started(tables)
    with pytest.raises(Refused) as refusal:
        await Plans(tables).add(table.id, person, move, answer_to)
    assert code(refusal) == refused_as


async def test_plans_have_a_limit(tables: Tables) -> None:
    """Five moves at a table, no more."""
    table = await started(tables)
    plans = Plans(tables)
    for _ in range(PLANS_AT_MOST):
        await plans.add(table.id, BEN, "D4")
    with pytest.raises(PlansFull):
        await plans.add(table.id, BEN, "D4")


async def test_an_only_move_is_played_for_those_who_want_it(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one legal move it is played at once, with two it is not, and only for the hurried."""
    table = await started(tables)
    plans = Plans(tables)
    lancelot = GAMES["lancelot"]
    everything = lancelot.legal
    only = {"moves": 1}
    monkeypatch.setattr(
        lancelot, "legal", lambda state, seat: everything(state, seat)[: only["moves"]]
    )
    await plans.play(table.id)
    assert (await tables.get(table.id)).played.ply == 0
    await store.plans.set_hurried(table.id, ANNA, hurried=True)
    only["moves"] = 2
    await plans.play(table.id)
    assert (await tables.get(table.id)).played.ply == 0
    only["moves"] = 1
    await plans.play(table.id)
    assert (await tables.get(table.id)).awaited == (1,)
    await store.plans.set_hurried(table.id, ANNA, hurried=False)
    assert await store.plans.hurried(table.id) == frozenset()


async def test_a_plan_that_two_processes_find_is_played_once(tables: Tables, store: Store) -> None:
    """Whoever strikes the plan off plays it."""
    table = await started(tables)
    await Plans(tables).add(table.id, BEN, "D4")
    (plan,) = await store.plans.of_person(table.id, BEN)
    assert await store.plans.take(plan.id)
    assert not await store.plans.take(plan.id)


async def test_a_seat_that_changes_hands_takes_no_plans_along(tables: Tables, store: Store) -> None:
    """What the one before had planned is not played for the one after."""
    table = await started(tables)
    await Plans(tables).add(table.id, BEN, "D4")
    await store.plans.set_hurried(table.id, BEN, hurried=True)
    await seats.offer(tables, table.id, 1, None)
    await seats.take(tables, table.id, 1, DAVID, "David")
    assert await store.plans.of_person(table.id, BEN) == []
    assert await store.plans.hurried(table.id) == frozenset()


# ------------------------------------------------------------------------- lost channels
@pytest.mark.parametrize("running", [False, True])
async def test_a_parked_table_goes_on_elsewhere(
    tables: Tables, store: Store, running: bool
) -> None:
    """Any of its players moves it, to a channel that is free; then it is what it was before."""
    table = await (started if running else opened)(tables, 2)
    with pytest.raises(Refused) as in_place:
        await parking.move_here(tables, table.id, BEN, 501, 7)
    assert code(in_place) == "not_parked"
    await store.end(table.id, Status.PARKED, None, NOON)
    await opened(tables, 2, channel=501)
    for person, channel, refused_as in (
        (STRANGER, 502, "not_a_member"),
        (BEN, 501, "channel_taken"),
    ):
        with pytest.raises(Refused) as refusal:
            await parking.move_here(tables, table.id, person, channel, 7)
        assert code(refusal) == refused_as
    if running:
        with pytest.raises(Refused) as parked:
            await tables.move(table.id, ANNA, ["K4"])
        assert code(parked) == "parked"
    table = await parking.move_here(tables, table.id, BEN, 502, 8)
    assert (table.row.channel_id, table.row.guild_id) == (502, 8)
    assert table.row.status is (Status.RUNNING if running else Status.LOBBY)
