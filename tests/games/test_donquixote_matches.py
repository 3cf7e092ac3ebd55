"""Whole matches of Don Quixote: seats do not influence each other, and points are as expected."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Mapping

import pytest

from games.donquixote import DonQuixote, QuixoteState
from games.donquixote.tiles import PIECES, PORTS, neighbour
from games.engine import CHANCE, Event, Match, Move

GAME = DonQuixote()

Chooser = Callable[[QuixoteState, int, random.Random], Move]


def played(players: int, seed: int, choose: Chooser = GAME.random_move) -> Match[QuixoteState]:
    """A finished match."""
    rng = random.Random(seed)
    match = Match(GAME, GAME.setup(players, {"sancho": True}, str(seed)))
    match.advance()
    while match.actors:
        seat = rng.choice(match.actors)
        match.play(seat, [choose(match.state, seat, rng)])
    return match


# --------------------------------------------------------------------------- independence
def as_seen_from(log: list[Event], seats: Mapping[int, int]) -> list[Event]:
    """The log with these seats renamed; what concerns other seats alone is left out."""
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
def test_seats_are_equal(seed: int) -> None:
    """With the seats renamed, the same match gives the same to the renamed seats."""
    match = played(3, seed)
    seats = {0: 2, 1: 0, 2: 1}
    other = Match.replay(GAME, match.setup, as_seen_from(match.log, seats))
    for seat, renamed in seats.items():
        assert other.state.scored[renamed] == match.state.scored[seat]
        assert other.state.lands[renamed] == match.state.lands[seat]


@pytest.mark.seeds(5)
def test_countries_do_not_touch_each_other(seed: int) -> None:
    """Each seat scores as if it had played alone with the same cards and tiles."""
    match = played(4, seed)
    for seat in range(4):
        alone = GAME.setup(1, {"sancho": True})
        state = Match.replay(GAME, alone, as_seen_from(match.log, {seat: 0})).state
        assert state.scored == [match.state.scored[seat]]
        assert state.lands == [match.state.lands[seat]]


@pytest.mark.seeds(5)
def test_orders_of_choosing_do_not_matter(seed: int) -> None:
    """The order in which seats choose for a field does not change the match."""
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


# --------------------------------------------------------------------- what points to expect
def greedy(state: QuixoteState, seat: int, rng: random.Random) -> Move:
    """The most points if scored now, then the better fit to the neighbours' roads."""
    board = state.lands[seat].board

    def worth(move: Move) -> float:
        land = state.lands[seat].clone()
        land.lay(move, state.field)
        return sum(land.score(state.round)) + 0.05 * fit(move, board, state.field)

    return max(GAME.legal(state, seat), key=lambda move: (worth(move), rng.random()))


def fit(move: Move, board: Mapping[str, str], where: str) -> int:
    """The number of roads that meet, minus those that end at a neighbour."""
    total = 0
    for port in PORTS:
        there = neighbour(where, port)
        if there is not None and there[0] in board:
            ends = [port in PIECES[move].exits, there[1] in PIECES[board[there[0]]].exits]
            total += 1 if all(ends) else -1 if any(ends) else 0
    return total


def end_alone(seed: int, choose: Chooser) -> QuixoteState:
    """The last position of a match of one player."""
    rng = random.Random(seed)
    state = GAME.start(GAME.setup(1))
    while state.actors:
        draws = state.actors == (CHANCE,)
        move = GAME.sample(state, rng) if draws else choose(state, 0, rng)
        GAME.do(state, state.actors[0], move)
    return state


EARLIER = 10_000
"""Matches of an independent simulation from which the expected means were taken."""


def differs(sample: list[float], expected: float, rounding: float) -> str:
    """What is wrong with the mean of a sample, if anything.

    Allowed are the rounding of the expected mean and four standard errors of the difference.
    """
    mean = statistics.fmean(sample)
    error = statistics.stdev(sample) * math.sqrt(1 / len(sample) + 1 / EARLIER)
    return "" if abs(mean - expected) <= rounding + 4 * error else f"{mean:.3f}, not {expected}"


@pytest.mark.slow("points of many matches")
def test_points_of_greedy_play() -> None:
    """Greedy placements bring 43.0 points, and in every category and round what they should."""
    ends = [end_alone(seed, greedy) for seed in range(1000)]
    assert not differs([float(state.total(0)) for state in ends], 43.0, rounding=0.05)
    shares = {  # of matches in which it scored
        "castle6": (6, (0.44, 0.36, 0.39)),
        "castle4": (4, (0.44, 0.37, 0.39)),
        "defence": (5, (0.45, 0.31, 0.14)),
    }
    means = {"churches": (0.7, 2.9, 6.0), "windmills": (0.7, 3.0, 6.0), "group": (0, 0, 7.2)}
    wrong = []
    for round_ in (0, 1, 2):
        scored = [state.scored[0][round_]._asdict() for state in ends]
        for category, (worth, expected) in shares.items():
            sample = [points[category] / worth for points in scored]
            wrong.append(differs(sample, expected[round_], rounding=0.005))
        for category, mean in means.items():
            sample = [float(points[category]) for points in scored]
            wrong.append(differs(sample, mean[round_], rounding=0.05))
    assert not any(wrong), wrong


@pytest.mark.slow("points of many matches")
def test_points_of_random_play() -> None:
    """Random placements bring 14.4 points, with a standard deviation of 7.0."""
    totals = [float(end_alone(seed, GAME.random_move).total(0)) for seed in range(2000)]
    assert not differs(totals, 14.4, rounding=0.05)
    # the deviation of a sample of this size errs by less than 3 %; four times that are allowed
    assert statistics.stdev(totals) == pytest.approx(7.0, rel=0.12)
