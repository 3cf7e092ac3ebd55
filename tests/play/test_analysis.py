"""Analyses of matches: what is measured of them, and that they are kept once and come to an end."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.critical import kept
from games import GAMES
from games.engine import CHANCE, Event, Match, Setup
from games.players.policy import Policy
from play import analysis
from play.analysis import (
    Analyses,
    Analysis,
    Decision,
    KeepAnalysis,
    TurningPoint,
    analysis_of,
    final,
    looked_at,
    looked_at_again,
    luck_of,
    measured_as,
    planned,
    told,
)
from play.decide import decide
from play.judgement import CLOSE, WORTH_SAYING, Verdict
from play.table import Refused, Table
from tests.games.records import played
from tests.play.house import ANNA, BEN, House, started

PLAYERS = {"donquixote": 2, "isis": 3, "isolde": 3, "lancelot": 2, "twilight": 3}
SHORT = 0.01
FEW = 20
"""Iterations."""


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thoughts that take no time, and are none too good."""
    monkeypatch.setattr(analysis, "SHORTEST", SHORT)
    monkeypatch.setattr(analysis, "SECONDS", SHORT)
    monkeypatch.setattr(analysis, "AGAIN", SHORT)


def analysed(match: Match[Any], places: Sequence[int]) -> Analysis:
    """A match of which some decisions are looked at for a moment."""
    game_id, log = match.game.info.id, tuple(match.log)
    plan = planned(match.game, match.setup, log)
    looks = [looked_at(game_id, match.setup, log, place, FEW) for place in places]
    choices = [choice for _, choice in looks if choice is not None]
    lots = plan.lots[:2]
    gains = [luck_of(game_id, match.setup, log, place, FEW) for place in lots]
    turns = [looked_at_again(game_id, match.setup, log, choice, FEW) for choice in choices[:1]]
    shortened = analysis.AnalysisPlan(tuple(places), lots)
    curve = [worth for worth, _ in looks]
    return told(match.game, match, shortened, curve, choices, turns, gains)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("game_id", PLAYERS)
def test_every_game_can_be_analysed(game_id: str) -> None:
    """Each seat has a number at each place, and what was found survives being kept."""
    players = PLAYERS[game_id]
    match = played(GAMES[game_id], players)
    places = planned(match.game, match.setup, match.log).measured[3::17][:4]
    found = analysed(match, places)
    assert all(len(at) == players for at in found.curve)
    assert len(found.places) == len(found.curve)
    assert found.luck == () or len(found.luck) == players
    assert Analysis.from_json(found.to_json()).to_json() == found.to_json()
    for choice in found.choices:
        assert match.log[choice.place].seat == choice.seat
        assert (choice.best == match.log[choice.place].move) is choice.good


@pytest.mark.parametrize("game_id", ["lancelot", "isis"])
def test_what_loses_is_found_and_what_wins_is_not_blamed(
    game_id: str,
) -> None:
    """In critical positions, of which the losing moves and the winning ones are known."""
    position = next(each for each in kept(game_id) if each.loses)
    match = position.match()
    (seat,) = match.actors
    log = (*match.log, Event(seat, min(position.loses)))
    _, choice = looked_at(game_id, match.setup, log, len(match.log), 2000)
    assert choice is not None
    assert choice.best not in position.loses
    assert choice.lost >= WORTH_SAYING
    assert looked_at_again(game_id, match.setup, log, choice, 2000).choice.lost >= CLOSE
    position = next(each for each in kept(game_id) if each.wins)
    match = position.match()
    (seat,) = match.actors
    log = (*match.log, Event(seat, min(position.wins)))
    _, choice = looked_at(game_id, match.setup, log, len(match.log), 2000)
    assert choice is None or choice.good


def test_a_busy_machine_comes_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slowly the clocks of a thought go on: it is measured in iterations."""
    match = kept("lancelot")[3].match()
    log = tuple(match.log)
    found = [looked_at("lancelot", match.setup, log, len(log) - 1, 300)]
    clock = itertools.count(step=10.0)
    for name in ("thread_time", "monotonic"):
        monkeypatch.setattr(f"games.players.advice.time.{name}", lambda: next(clock))
    found.append(looked_at("lancelot", match.setup, log, len(log) - 1, 300))
    assert found[0] == found[1]


def test_where_several_are_about_as_good_none_is_named_best() -> None:
    """A better move is named only where it is better by more than a little; it says so if not."""
    game = GAMES["lancelot"]
    setup = game.setup(2, {"starter": "1"}, "s")
    log = (Event(0, "D4"),)
    _, choice = looked_at("lancelot", setup, log, 0, 300)
    assert choice is not None
    assert (choice.good, choice.sure, choice.best) == (True, False, "D4")
    assert Analysis(False, (0,), ((0.5, 0.5),), (choice,), ()).unsure == 1


def test_chances_add_up_and_two_differ_by_their_value() -> None:
    """With two, a value is the difference of the chances; the end is certain."""
    for value in (-1.0, -0.4, 0.0, 0.7):
        mine, theirs = measured_as("lancelot", (value, -value))
        assert mine + theirs == pytest.approx(1)
        assert mine - theirs == pytest.approx(value, abs=0.01)
    match = played(GAMES["isis"], 3)
    end = final(match.game, match)
    assert end is not None
    assert sum(end) == pytest.approx(1)
    assert match.outcome is not None
    assert {seat for seat, chance in enumerate(end) if chance} == set(match.outcome.winners())


def test_the_turning_points_are_the_worst_choices_in_order() -> None:
    """At most three, the worst of all, told as they came; what gave away little is none."""
    match = played(GAMES["lancelot"], 2)
    losses = (0.3, 0.9, 0.2, 0.8, 0.5, 0.01)
    choices = [
        Decision(place, match.log[place].seat, "A1", lost) for place, lost in enumerate(losses, 2)
    ]
    plan = analysis.AnalysisPlan((), ())
    turns = [TurningPoint(choice, Verdict.CLEAR) for choice in choices]
    found = told(match.game, match, plan, (), choices, turns, ())
    assert [turn.choice.lost for turn in found.turns] == [0.9, 0.8, 0.5]
    good = sum(found.accuracy(seat)[0] for seat in range(2))
    assert (good, len(found.choices)) == (1, len(losses))


def test_lots_favour_nobody_where_the_samples_scatter() -> None:
    """What may be scatter is no luck; what is beyond it counts."""
    match = played(GAMES["twilight"], 3)
    plan = analysis.AnalysisPlan((), ())
    unsure = [((30.0, 400.0), (90.0, 400.0), (-90.0, 400.0))]
    assert told(match.game, match, plan, (), (), (), unsure).luck == (0.0, 90.0, -90.0)


# ----------------------------------------------------------------------------- kept
def over() -> Table:
    """A match that was played to its end."""
    house = started(2, goal=4)
    rng = random.Random(1)
    while house.table.awaited:
        (seat,) = house.table.awaited
        house.play(seat + 1, house.table.game.random_move(house.table.played.state, seat, rng))
    return house.table


class Kept:
    """Tables of which there is one."""

    def __init__(self, table: Table) -> None:
        self.table = table

    async def act(self, table_id: int, command: Any) -> None:
        self.table = decide(self.table, command, House.__dict__.get("now", self.table.row.moved_at))


class Instantly:
    """Thinks nothing, at once: each position is even, each move the best."""

    def __init__(self) -> None:
        self.works = 0
        self.iterations: list[int] = []
        self.gate = asyncio.Event()

    async def work(self, work: Any, longest: float, *, table_id: int, person_id: int) -> Any:
        self.works += 1
        assert longest == analysis.STUCK
        self.iterations.append(work.args[-1])
        await self.gate.wait()
        _, setup, log, place, _ = work.args
        return (1 / setup.players,) * setup.players, Decision(place, log[place].seat, "A1", 0.0)


async def test_a_match_is_thought_about_once_however_many_ask() -> None:
    """The second one who asks joins the first; what is kept stays as it is."""
    tables, thinkers = Kept(over()), Instantly()
    analyses = Analyses(tables, thinkers)  # type: ignore[arg-type]
    first, second = analyses.begin(tables.table, 1), analyses.begin(tables.table, 2)
    assert first is second
    thinkers.gate.set()
    assert first.task is not None
    await first.task
    found = analysis_of(tables.table)
    assert found is not None
    moves = sum(event.seat != CHANCE for event in tables.table.played.log)
    assert (thinkers.works, len(found.choices)) == (moves, moves)
    revision = tables.table.revision
    await tables.act(1, KeepAnalysis(found.to_json()))
    assert tables.table.revision == revision


async def test_each_person_has_one_analysis_at_a_time() -> None:
    """Others may have theirs, and anybody may join what is under way."""
    thinkers = Instantly()
    analyses = Analyses(Kept(over()), thinkers)  # type: ignore[arg-type]
    one, two, three = (over().changed(id=number) for number in (1, 2, 3))
    begun = [analyses.begin(one, ANNA), analyses.begin(two, BEN)]
    with pytest.raises(Refused, match="analysis_under_way"):
        analyses.begin(three, ANNA)
    assert analyses.begin(two, ANNA) is begun[1]
    assert not analyses.is_new(two, ANNA)
    thinkers.gate.set()
    await asyncio.gather(*(each.task for each in begun if each.task is not None))
    assert analyses.is_new(three, ANNA)


async def test_what_was_cut_short_begins_anew() -> None:
    """Nothing is kept of it; asked for again, it comes to its end."""
    tables, thinkers = Kept(over()), Instantly()
    analyses = Analyses(tables, thinkers)  # type: ignore[arg-type]
    cut = analyses.begin(tables.table, 1)
    await asyncio.sleep(0)
    analyses.close()
    assert cut.task is not None
    with pytest.raises(asyncio.CancelledError):
        await cut.task
    assert analysis_of(tables.table) is None
    await asyncio.sleep(0)
    thinkers.gate.set()
    again = analyses.begin(tables.table, 1)
    assert again.task is not None
    await again.task
    assert analysis_of(tables.table) is not None


async def test_in_haste_less_is_thought() -> None:
    """Of each thought the same share."""
    iterations = []
    for haste in (1.0, 10.0):
        thinkers = Instantly()
        thinkers.gate.set()
        analyses = Analyses(Kept(over()), thinkers, haste)  # type: ignore[arg-type]
        task = analyses.begin(over(), 1).task
        assert task is not None
        await task
        iterations.append(thinkers.iterations)
    assert iterations[0] == pytest.approx([10 * each for each in iterations[1]])


async def test_only_a_match_that_is_over_is_analysed() -> None:
    """While it runs, its hands are secret."""
    house = started(2)
    with pytest.raises(Refused, match="not_over"):
        Analyses(Kept(house.table), Instantly()).begin(house.table, 1)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="not_over"):
        house.do(KeepAnalysis("{}"))


def test_noting_changes_no_policy() -> None:
    """The move that is asked about is looked at; all else is as it was taught."""
    game = GAMES["lancelot"]
    match: Match[Any] = Match(game, Setup(2, game.setup(2, {"starter": "1"}).options, "s"))
    match.advance()
    noting = analysis.Noting(Policy(game), "K4", match.state.ply)
    moves = game.legal(match.state, 0)
    asked, *others = sorted(noting.weights(match.state, 0, moves), reverse=True)
    assert asked == pytest.approx(analysis.ATTENTION * sum(others))
    assert set(others) == {1.0}
    noting.values(match.state)
    noting.values(match.state)
    assert (noting.times, noting.noted) == (2, [0.0, 0.0])


def test_the_best_move_of_a_match() -> None:
    """The good one by which most was won; what gave something away, or came with a lot, is none."""
    choices = tuple(
        Decision(place, place % 2, "x", lost) for place, lost in enumerate((0.0, 0.3, 0.0, 0.0))
    )
    curve = ((0.5, 0.5), (0.55, 0.45), (0.3, 0.7), (0.5, 0.5), (0.1, 0.9))
    found = Analysis(False, (0, 1, 2, 3, 5), curve, choices, ())
    assert found.best == (choices[2], 0.3, 0.5)
    assert replace(found, curve=((0.5, 0.5),) * 5).best is None
    assert replace(found, points=True).best is None
