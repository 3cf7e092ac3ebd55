"""The stored form of a table folds to exactly what was decided, whatever happened there."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from data.store.rows import Line
from games import GAMES
from play.aggregate import Command
from play.ending import EndTable, Resign
from play.fold import effective, reopened
from play.hints import CountHint
from play.ladder import STAND_IN
from play.lobby import Follow, MoveHere, Park, Unfollow
from play.moves import PlayForComputer, PlayMoves
from play.plans import DropPlans, Hurry, Plan
from play.seats import ComeBack, HandOver, TakeSeat
from play.table import TAIL, Refused, Table
from play.undo import TakeBack
from play.votes import Answer, open_votes
from tests.play.clock import NOON
from tests.play.house import CHANNEL, GUILD, STRANGER, House, check_fold, reloaded, started

Maker = Callable[[House, random.Random], Command[Table]]


# ------------------------------------------------------------------------ random histories
def anyone(house: House, rng: random.Random) -> int:
    """Somebody with or without a seat."""
    people = [member.person_id for member in house.table.members if member.person_id is not None]
    return rng.choice([*people, STRANGER])


def a_move(house: House, rng: random.Random) -> Command[Table]:
    if not house.table.awaited:
        return PlayMoves(anyone(house, rng), ("K4",))
    seat, move = house.random_move(rng)
    if seat in house.table.awaited_computers:
        return PlayForComputer(seat, move, house.table.opened(seat))
    return PlayMoves(house.table.members[seat].person_id or 0, (move,))


def an_answer(house: House, rng: random.Random) -> Command[Table]:
    """A random answer to an open vote, mostly one that lets matches continue."""
    votes = open_votes(house.table)
    if not votes:
        return Answer(1, anyone(house, rng), "yes")
    vote = rng.choice(votes)
    person = rng.choice([person for person, _ in vote.answers])
    if vote.kind == "end":
        return Answer(vote.asked, person, "no")
    choices = [choice for choice in vote.choices if choice != "end"]
    return Answer(vote.asked, person, rng.choice([*choices, choices[0]]))


def a_plan(house: House, rng: random.Random) -> Command[Table]:
    """A plan, by anyone, for a move that is legal for somebody now and may later be legal for the
    planner.
    """
    move = house.random_move(rng)[1] if house.table.awaited else "K4"
    answer_to = rng.choice(("", "", move))
    return Plan(anyone(house, rng), move, answer_to)


def a_hint(house: House, rng: random.Random) -> Command[Table]:
    seat = rng.choice(house.table.awaited or (0,))
    person = house.table.members[seat].person_id or 0
    decision = house.table.decision(seat) if house.table.awaited else 0
    return CountHint(person, decision)


MAKERS: dict[Maker, int] = {
    a_move: 30,
    an_answer: 14,
    a_plan: 4,
    a_hint: 2,
    lambda house, rng: TakeBack(anyone(house, rng)): 8,
    lambda house, rng: Hurry(anyone(house, rng), rng.random() < 0.5): 1,
    lambda house, rng: DropPlans(anyone(house, rng)): 1,
    lambda house, rng: HandOver(anyone(house, rng), rng.choice((None, 0, 1))): 2,
    lambda house, rng: TakeSeat(90 + rng.randrange(9), rng.randrange(2), "New"): 2,
    lambda house, rng: ComeBack(anyone(house, rng)): 3,
    lambda house, rng: EndTable(anyone(house, rng)): 1,
    lambda house, rng: Park(CHANNEL): 1,
    lambda house, rng: MoveHere(anyone(house, rng), CHANNEL, GUILD): 4,
    lambda house, rng: Follow(anyone(house, rng)): 1,
    lambda house, rng: Unfollow(anyone(house, rng)): 1,
}


@pytest.mark.full
@pytest.mark.seeds(8, always=1)
@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_random_histories_fold_to_what_was_decided(game_id: str, seed: int) -> None:
    """See ``house.check_change`` for what is compared after each change."""
    rng = random.Random(f"history {game_id} {seed}")
    players = rng.choice([n for n in GAMES[game_id].info.players if n > 1])
    computers = rng.choice((0, 0, 1)) if players > 2 else 0
    pace = {"pace": rng.choice(("2h", "1d+1h")), "strict": rng.random() < 0.3}
    house = started(players - computers, game_id, computers, secret=str(seed), **pace)
    done = set[str]()
    for _ in range(200):
        if rng.random() < 0.2:
            house.wait(minutes=rng.randrange(90))
        (maker,) = rng.choices(list(MAKERS), list(MAKERS.values()))
        try:
            house.do(maker(house, rng))
        except Refused:
            continue
        done |= {line.kind for line in house.table.journal}
        if house.table.over:
            break
    assert {"start", "move", "call"} <= done


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_whole_matches_fold_to_what_was_decided(game_id: str) -> None:
    players = max(2, GAMES[game_id].info.players[0])
    house = started(players, game_id, careful=False)
    house.moves_at_random(2000, random.Random(game_id))
    assert house.table.over
    check_fold(house.table)


def test_a_resigned_match_folds() -> None:
    house = started(3)
    house.do(Resign(1, STAND_IN))
    house.moves("K4", "D4")
    assert reloaded(house.table).awaited_persons == house.table.awaited_persons


# ------------------------------------------------------------------------------- by hand
def line(number: int, kind: str, text: str = "", seat: int | None = 0) -> Line:
    return Line(number, kind, seat, 1, text, NOON)


def test_undone_lines_are_left_out_wherever_they_stand() -> None:
    """An undo names the lines that it removes, so it can remove one from the middle; later undos do
    not restore it.
    """
    journal = (
        *(line(1, "open"), line(2, "start"), line(3, "move", "a"), line(4, "call")),
        *(line(5, "move", "b"), line(6, "undo", '{"out": [3], "moves": [], "reopened": [0]}')),
        *(line(7, "move", "c"), line(8, "undo", '{"out": [5, 7], "moves": [], "reopened": [1]}')),
        line(9, "draw", "d", -1),
    )
    begun, lines = effective(journal)
    assert (begun, [each.text for each in lines]) == (2, ["d"])
    assert reopened(journal) == {0: 6, 1: 8}


def test_a_damaged_account_is_passed_over() -> None:
    house = started(2, game="donquixote")
    table = house.table.add("account", house.clock(), text="6").add("take", house.clock(), text="5")
    assert table.add("account", house.clock(), text="?").last_account == 6


def test_a_journal_that_does_not_fold_is_unreadable() -> None:
    house = started(2)
    house.moves("K4")
    broken = replace(house.table.journal[-2], text="Z99")
    table = replace(house.table, journal=(*house.table.journal[:-2], broken))
    again = reloaded(table)
    assert (again.match, again.unreadable, again.awaited) == (None, "unreadable", ())
    with pytest.raises(Refused, match="unreadable"):
        _ = again.played


def test_a_choice_that_waits_for_others_is_looked_at() -> None:
    """A sealed choice must be a legal move even before it takes effect."""
    house = started(2, "isolde")
    house.move_of(*house.random_move(random.Random(1)))
    number = house.table.lines[-1]
    broken = replace(house.table.journal[number - 1], text="oeep:GRAL4")
    journal = (*house.table.journal[: number - 1], broken, *house.table.journal[number:])
    assert reloaded(house.table).unreadable == ""
    assert reloaded(replace(house.table, journal=journal)).unreadable == "unreadable"


# ---------------------------------------------------------------------------- known facts
def test_older_events_are_known_beyond_the_tail() -> None:
    """Events older than those in memory are folded again, with equal results."""
    house = started(3, "isolde", careful=False)
    told = list(house.table.told_since(house.table.begun))
    rng = random.Random(2)
    while len(told) < 2 * TAIL and house.table.awaited:
        revision = house.table.revision
        house.move_of(*house.random_move(rng))
        told += house.table.told_since(revision)
    assert len(told) > TAIL == len(house.table.tail)
    assert list(house.table.told_since(house.table.begun)) == told
    assert house.table.told_since(house.table.revision) == ()


def test_undone_events_are_not_listed() -> None:
    house = started(2)
    house.moves("K4", "D4")
    house.do(TakeBack(2))
    house.moves("D6")
    told = house.table.told_since(house.table.begun)
    assert [event.move for event in told] == ["K4", "D6"]
    assert house.table.last_of(1) == told[-1].line
    assert house.table.position == told[-1].line
