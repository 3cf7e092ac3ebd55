"""The coach: when it checks a move, and what it reports."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchmarks.critical import kept
from games import GAMES
from games.engine import Match
from play.coach import Coach, looked_over, wanted
from play.computers import NoAdvice, Thinkers
from play.hints import CountHint
from play.table import Table
from tests.games.records import WON_TWICE
from tests.play.house import ANNA, BEN, House, started


def with_coach(table: Table, person: int = ANNA) -> Table:
    people = {**table.people, person: replace(table.settings(person), coach=True)}
    return replace(table, people=people)


def against_computers() -> House:
    """Anna and Ben against a computer player."""
    return started(2, computers=1)


def test_the_coach_looks_once_at_a_decision() -> None:
    house = against_computers()
    table = with_coach(house.table)
    assert wanted(table, ANNA, 0)
    assert not wanted(house.table, ANNA, 0)
    assert not wanted(with_coach(table, BEN), BEN, 1), "it is not Ben's turn"
    house.do(CountHint(ANNA, house.table.decision(0)))
    assert not wanted(with_coach(house.table), ANNA, 0)


def test_there_is_no_coach_in_rated_matches_nor_without_hints() -> None:
    """Rated matches measure how well people play without help."""
    assert not wanted(with_coach(started(2).table), ANNA, 0)
    assert wanted(with_coach(started(1, "donquixote").table), ANNA, 0), "solo play is not rated"
    house = against_computers()
    without = replace(house.table.row, options={**house.table.row.options, "advice": False})
    assert not wanted(with_coach(replace(house.table, row=without)), ANNA, 0)


@pytest.mark.parametrize("game_id", ["lancelot", "isis"])
def test_the_coach_warns_of_losing_moves_only(game_id: str) -> None:
    position = kept(game_id)[3]  # where not all moves lose
    match = position.match()
    view = match.view(match.actors[0])
    move = min(position.loses)
    caution = looked_over(view.to_json(), move)
    assert caution is not None
    assert (caution.seat, caution.move) == (match.actors[0], move)
    assert caution.reply is not None
    after = Match.replay(match.game, match.setup, match.log)
    after.play(caution.seat, [move])
    seat, reply, _ = caution.reply
    assert seat in after.actors
    assert reply in match.game.legal(after.state, seat)
    position = next(each for each in kept(game_id) if each.wins)
    match = position.match()
    assert looked_over(match.view(match.actors[0]).to_json(), min(position.wins)) is None


def test_the_coach_does_not_warn_of_a_win_that_takes_longer() -> None:
    """The move wins by force, too, although the search proves another win sooner."""
    game = GAMES["lancelot"]
    match = Match(game, game.setup(2, {"starter": "1"}))
    *moves, last = WON_TWICE.split()
    for move in moves:
        match.play(match.actors[0], [move])
    assert looked_over(match.view(match.actors[0]).to_json(), last) is None


async def test_without_time_a_move_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    async def crowded(*_: Any, **__: Any) -> None:
        raise NoAdvice

    thinkers = Thinkers(workers=0)
    monkeypatch.setattr(thinkers, "work", crowded)
    table = with_coach(against_computers().table)
    assert await Coach(thinkers).warning(table, ANNA, "K4") is None
    assert await Coach(thinkers).warning(table, ANNA, "nonsense") is None
