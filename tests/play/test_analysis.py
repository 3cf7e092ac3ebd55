"""Analyses of matches: what they measure, and that each is made once, stored, and finished."""

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
from games.players import Budget, search
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
    worst_of,
    worst_turns,
)
from play.decide import decide
from play.judgement import CLOSE, WORTH_SAYING, Verdict
from play.table import Refused, Table
from play.weighing import Loss, Weighed
from tests.games.records import WON_TWICE, played
from tests.play.house import ANNA, BEN, House, started

PLAYERS = {"donquixote": 2, "isis": 3, "isolde": 3, "lancelot": 2, "twilight": 3}
SHORT = 0.01
FEW = 20
"""The iterations of each search."""


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace full searches with very short ones."""
    monkeypatch.setattr(analysis, "SHORTEST", SHORT)
    monkeypatch.setattr(analysis, "SECONDS", SHORT)
    monkeypatch.setattr(analysis, "AGAIN", SHORT)


def analysed(match: Match[Any], places: Sequence[int]) -> Analysis:
    """Analyse some decisions of a match briefly."""
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


@pytest.mark.full
@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("game_id", PLAYERS)
def test_every_game_can_be_analysed(game_id: str) -> None:
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


@pytest.mark.full
@pytest.mark.parametrize("game_id", ["lancelot", "isis"])
def test_losing_moves_are_found_and_winning_ones_not_blamed(
    game_id: str,
) -> None:
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


def test_no_other_winning_move_is_named_better_than_the_one_played() -> None:
    position = next(each for each in kept("lancelot") if len(each.wins) > 1)
    match = position.match()
    (seat,) = match.actors
    for move in position.wins:
        log, blamed = (*match.log, Event(seat, move)), Decision(len(match.log), seat, "", 1.0)
        again = looked_at_again("lancelot", match.setup, log, blamed, FEW).choice
        assert (again.good, again.best) == (True, move)


def won_twice(moves: int) -> Match[Any]:
    """A match of Lancelot after its first moves."""
    game = GAMES["lancelot"]
    match = Match(game, game.setup(2, {"starter": "1"}))
    for move in WON_TWICE.split()[:moves]:
        match.play(match.actors[0], [move])
    return match


@pytest.mark.full
def test_a_longer_proof_is_no_loss() -> None:
    """A move that wins by force lost nothing, even if the search first proves another win."""
    match = won_twice(30)
    _, choice = looked_at("lancelot", match.setup, match.log, 29, 12_000)
    assert choice is not None
    assert choice.lost >= WORTH_SAYING
    turn = looked_at_again("lancelot", match.setup, match.log, choice, 12_000)
    assert (turn.loss, turn.choice.good) == (Loss.NONE, True)


@pytest.mark.full
def test_with_hardly_better_chances_a_loss_is_unclear() -> None:
    """If a move loses by force, but even the best one leaves hardly better chances, it is unclear
    whether the move lost a lot.
    """
    match = won_twice(29)
    blamed = Decision(28, match.log[28].seat, "", 1.0)
    turn = looked_at_again("lancelot", match.setup, match.log, blamed, 12_000)
    assert (turn.loss, turn.choice.good) == (Loss.UNCLEAR, False)


@pytest.mark.parametrize(("place", "sure"), [(0, True), (-1, False)])
def test_a_search_may_cast_doubt_on_a_comparison(
    place: int, sure: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a comparison prefers a move that two searches find much weaker, the analysis is not
    sure.
    """
    game = GAMES["twilight"]
    match = played(game, 4)
    log = match.log[: planned(game, match.setup, match.log).measured[3]]
    view = Match.replay(game, match.setup, log).view(match.log[len(log)].seat)
    advice = search(game, view, random.Random(1), Budget(300))
    ranked = sorted(advice.moves, key=lambda each: -each.value)
    best = ranked[place].move
    monkeypatch.setattr(analysis, "weighed", lambda *_: Weighed(best, 0.0, True, advice.moves))
    _, found, _ = analysis.examined(game, view, best, random.Random(1), 1000)
    assert found.sure is sure


def test_a_busy_machine_comes_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search is measured in iterations, so the speed of the machine makes no difference."""
    match = kept("lancelot")[3].match()
    log = tuple(match.log)
    found = [looked_at("lancelot", match.setup, log, len(log) - 1, 300)]
    clock = itertools.count(step=10.0)
    for name in ("thread_time", "monotonic"):
        monkeypatch.setattr(f"games.players.advice.time.{name}", lambda: next(clock))
    found.append(looked_at("lancelot", match.setup, log, len(log) - 1, 300))
    assert found[0] == found[1]


def test_where_several_are_about_as_good_none_is_named_better() -> None:
    game = GAMES["lancelot"]
    setup = game.setup(2, {"starter": "1"}, "s")
    log = (Event(0, "D4"),)
    _, choice = looked_at("lancelot", setup, log, 0, 300)
    assert choice is not None
    assert (choice.good, choice.best) == (True, "D4")
    unsure = replace(choice, sure=False)
    assert Analysis(False, (0,), ((0.5, 0.5),), (choice, unsure), ()).unsure == 1


def test_chances_add_up_and_two_differ_by_their_value() -> None:
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


@pytest.mark.parametrize(
    ("losses", "shown"),
    [
        pytest.param((0.9, 0.8, 0.5, 0.45, 0.3), 4, id="one more is about as bad"),
        pytest.param((0.45, 0.44, 0.43, 0.42, 0.41, 0.4), 5, id="never more than five"),
        pytest.param((0.9, 0.4), 2, id="two"),
        pytest.param((), 0, id="none"),
    ],
)
def test_losses_about_as_bad_as_the_third_are_turning_points_too(
    losses: Sequence[float], shown: int
) -> None:
    """With another seed, another of these losses might be the third."""
    turns = [
        TurningPoint(Decision(place, 0, "A1", lost), Verdict.CLEAR)
        for place, lost in enumerate(losses)
    ]
    found = [turn.choice.place for turn in worst_turns(turns)]
    assert found == list(range(shown))


def test_unclear_turning_points_are_listed_separately() -> None:
    match = played(GAMES["lancelot"], 2)
    losses = (0.3, 0.9, 0.4, 0.8, 0.5, 0.6, 0.4)
    kinds = (*[Loss.CLEAR] * 5, Loss.UNCLEAR, Loss.NONE)
    choices = [
        Decision(place, match.log[place].seat, "A1", lost) for place, lost in enumerate(losses, 2)
    ]
    turns = [
        TurningPoint(choice, Verdict.CLEAR, loss=loss)
        for choice, loss in zip(choices, kinds, strict=True)
    ]
    unseen = Decision(12, match.log[12].seat, "A1", WORTH_SAYING)
    found = told(
        match.game, match, analysis.AnalysisPlan((), ()), (), [*choices, unseen], turns, ()
    )
    assert [turn.choice.place for turn in found.turns] == [3, 5, 6]
    assert (found.others, found.unclear) == ((2, 4), (7, 12))
    again = Analysis.from_json(found.to_json())
    assert (again.others, again.unclear) == (found.others, found.unclear)


def test_what_may_have_lost_most_is_looked_at_again() -> None:
    lost = [Decision(place, 0, "A1", 0.0, most=place / 10) for place in range(25)]
    again = [choice.place for choice in worst_of(lost)]
    assert again == list(range(24, 4, -1))
    assert worst_of([Decision(0, 0, "A1", 0.2, most=0.24)]) == []


@pytest.mark.full
def test_a_second_look_clears_a_move_that_bad_luck_had_blamed() -> None:
    game = GAMES["lancelot"]
    setup = game.setup(2, {"starter": "1"}, "s")
    blamed = Decision(0, 0, "E5", 0.4, most=0.7)
    again = looked_at_again("lancelot", setup, (Event(0, "D4"),), blamed, 600)
    assert again.loss is Loss.NONE
    assert (again.choice.best, again.choice.good) == ("D4", True)


def test_lots_favour_nobody_where_the_samples_scatter() -> None:
    match = played(GAMES["twilight"], 3)
    plan = analysis.AnalysisPlan((), ())
    unsure = [((30.0, 400.0), (90.0, 400.0), (-90.0, 400.0))]
    assert told(match.game, match, plan, (), (), (), unsure).luck == (0.0, 90.0, -90.0)


def test_luck_is_what_a_draw_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    match = played(GAMES["donquixote"], 2)
    log = tuple(match.log)
    place = next(place for place, event in enumerate(log) if event.seat == CHANCE)
    before = analysis.position_before("donquixote", match.setup, log, place)

    def drawn(_policy: Any, state: Any, *_more: Any) -> list[tuple[float, ...]]:
        return [(float(state != before), 0.5)]

    monkeypatch.setattr(analysis, "played_on", drawn)
    (gain, _), (other, _) = luck_of("donquixote", match.setup, log, place, FEW)
    assert gain > 0 == other


# ----------------------------------------------------------------------------- stored
def over() -> Table:
    house = started(2, goal=4)
    rng = random.Random(1)
    while house.table.awaited:
        (seat,) = house.table.awaited
        house.play(seat + 1, house.table.game.random_move(house.table.played.state, seat, rng))
    return house.table


class Kept:
    """A stand-in for the tables that holds a single table."""

    def __init__(self, table: Table) -> None:
        self.table = table

    async def act(self, table_id: int, command: Any) -> None:
        self.table = decide(self.table, command, House.__dict__.get("now", self.table.row.moved_at))


class Instantly:
    """Evaluates every position as even and every move as good, once its gate is open."""

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


async def test_an_interrupted_analysis_starts_again() -> None:
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


async def test_haste_shortens_all_searches_by_the_same_factor() -> None:
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
    house = started(2)
    with pytest.raises(Refused, match="not_over"):
        Analyses(Kept(house.table), Instantly()).begin(house.table, 1)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="not_over"):
        house.do(KeepAnalysis("{}"))


def test_noting_favours_the_move_asked_about_and_records_values() -> None:
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


def test_the_best_move_is_the_good_one_that_gained_most() -> None:
    choices = tuple(
        Decision(place, place % 2, "x", lost) for place, lost in enumerate((0.0, 0.3, 0.0, 0.0))
    )
    curve = ((0.5, 0.5), (0.55, 0.45), (0.3, 0.7), (0.5, 0.5), (0.1, 0.9))
    found = Analysis(False, (0, 1, 2, 3, 5), curve, choices, ())
    assert found.best == (choices[2], 0.3, 0.5)
    assert replace(found, curve=((0.5, 0.5),) * 5).best is None
    assert replace(found, points=True).best is None
