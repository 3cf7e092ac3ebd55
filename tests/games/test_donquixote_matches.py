"""Whole matches of Don Quixote: seats do not influence each other."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import pytest

from games.donquixote import DonQuixote, QuixoteState
from games.engine import CHANCE, Event, Match, Move

GAME = DonQuixote()

Chooser = Callable[[QuixoteState, int, random.Random], Move]


def played(players: int, seed: int, choose: Chooser = GAME.random_move) -> Match[QuixoteState]:
    """A whole match with Sancho Pansa."""
    rng = random.Random(seed)
    match = Match(GAME, GAME.setup(players, {"sancho": True}, str(seed)))
    match.advance()
    while match.actors:
        seat = rng.choice(match.actors)
        match.play(seat, [choose(match.state, seat, rng)])
    return match


# --------------------------------------------------------------------------- independence
def as_seen_from(log: list[Event], seats: Mapping[int, int]) -> list[Event]:
    """The log with these seats renamed, without events that concern only other seats."""
    told = []
    for event in log:
        what, _, rest = event.move.partition(":")
        if what == "deal":
            receiver, _, tiles = rest.partition(":")
            if int(receiver) - 1 in seats:
                told.append(Event(CHANCE, f"deal:{seats[int(receiver) - 1] + 1}:{tiles}"))
        elif event.seat == CHANCE:
            told.append(event)
        elif event.seat in seats:
            told.append(Event(seats[event.seat], event.move))
    return told


@pytest.mark.seeds(5)
def test_countries_do_not_touch_each_other(seed: int) -> None:
    """Each seat scores the same as if it had played alone with the same cards and tiles."""
    match = played(4, seed)
    for seat in range(4):
        alone = GAME.setup(1, {"sancho": True})
        state = Match.replay(GAME, alone, as_seen_from(match.log, {seat: 0})).state
        assert state.scored == [match.state.scored[seat]]
        assert state.lands == [match.state.lands[seat]]


@pytest.mark.seeds(5)
def test_orders_of_choosing_do_not_matter(seed: int) -> None:
    match = played(4, seed)
    log = match.log[:]
    rng = random.Random(seed)
    first = 0
    while first < len(log):
        last = first
        while last < len(log) and log[last].seat != CHANCE:
            last += 1
        log[first:last] = rng.sample(log[first:last], last - first)
        first = last + 1
    assert log != match.log
    assert Match.replay(GAME, match.setup, log).state == match.state
