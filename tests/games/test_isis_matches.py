"""Whole matches of Isis: compared with a second implementation, checked for invariants, and played
purposefully.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from games.engine import Fact, Match, Move
from games.isis import Danger, Isis, IsisState, dangers
from tests.games.isis_table import played, position
from tests.games.slow_isis import SlowJudge

GAME = Isis()
TABLES = [
    (players, {"retreat": retreat, **({"places": True} if players > 2 else {})})
    for players in (2, 3, 4)
    for retreat in (False, True)
]


def matches(players: int, options: dict[str, Any], count: int) -> Iterator[Match[IsisState]]:
    """Matches before their first move."""
    for seed in range(count):
        match = Match(GAME, GAME.setup(players, options, str(seed)))
        match.advance()
        yield match


def random_states(
    players: int, options: dict[str, Any], count: int
) -> Iterator[tuple[str, IsisState]]:
    """Every position of random matches, the last ones included, each with its origin."""
    for match in matches(players, options, count):
        rng = random.Random(f"{match.setup.seed}/{players}/{options}")
        state = match.state
        origin = f"{players} players, {options}, seed {match.setup.seed}"
        yield f"{origin}, ply {state.ply}", state
        while actors := GAME.actors(state):
            GAME.do(state, actors[0], rng.choice(GAME.legal(state, actors[0])))
            yield f"{origin}, ply {state.ply}", state


def unfinished_states(
    players: int, options: dict[str, Any], count: int
) -> Iterator[tuple[str, IsisState]]:
    """The positions of random matches in which somebody has to move, with their origins."""
    return (
        (at, state) for at, state in random_states(players, options, count) if GAME.actors(state)
    )


# ---------------------------------------------------------------------- the second implementation
@pytest.mark.full
@pytest.mark.parametrize(("players", "options"), TABLES, ids=str)
def test_the_slow_judge_agrees(players: int, options: dict[str, Any]) -> None:
    for where, state in unfinished_states(players, options, 1):
        judge = SlowJudge.of(GAME.view(state, None))
        assert set(GAME.legal(state, state.turn)) == judge.moves(state.turn), where


@pytest.mark.full
@pytest.mark.parametrize(("players", "options"), TABLES, ids=str)
def test_i34_i35_i36_invariants(players: int, options: dict[str, Any]) -> None:
    """The stone just moved is never locked in, no stone is locked in after a move unless a throne
    ends the match, and there are always seven stones (I34-36).
    """
    for where, state in random_states(players, options, 2):
        below = state.below + state.personal.count(0)
        assert state.occupied.bit_count() + below == 7, where
        if state.reason not in {"throne", "places"}:
            assert not SlowJudge.of(GAME.view(state, None)).locked(), where
        if not GAME.actors(state):
            continue
        move = GAME.legal(state, state.turn)[state.ply % len(GAME.legal(state, state.turn))]
        facts: list[Fact] = []
        GAME.do(state.clone(), state.turn, move, facts)
        for fact in facts:
            if fact.kind == "locked":
                assert facts[0].data["square"] not in fact.data["squares"], where


@pytest.mark.full
@pytest.mark.parametrize(("players", "options"), TABLES, ids=str)
def test_the_reported_path_is_possible(players: int, options: dict[str, Any]) -> None:
    for where, state in unfinished_states(players, options, 1):
        judge = SlowJudge.of(GAME.view(state, None))
        for move in GAME.legal(state, state.turn):
            if move.startswith("turn:"):
                continue
            path = state.path(move)
            start, *way = path
            assert len(way) == state.steps(start), where
            assert not set(way) & set(judge.on_board), where
            if way[-1] == 0:
                assert way[-2] in (16, 17), where
                continue
            for here, to in zip(path, way, strict=False):
                assert to in judge.steps_from(start, here, move.startswith("P")), (where, move)


# -------------------------------------------------------------------------------- danger
def test_danger_by_a_block_and_by_more_steps() -> None:
    """The stone on 48 is in danger as in the rulebook's examples, and the one on 47 because the one
    on 42 could move to 39.
    """
    assert dangers(position("48 42 47")) == [Danger(47, None, (0, 1)), Danger(48, None, (0, 1))]


def test_a_players_own_moves_are_no_danger_to_their_stone() -> None:
    state = position("42 47", 48, None)
    assert Danger(48, 0, (1,)) in dangers(state)


def test_the_ban_keeps_only_the_mover_from_locking_in() -> None:
    """The player to move cannot lock others in with a banned stone; the next player can."""
    state = position("42 47 1 2 3 4", 48, None, ban=42)
    for danger in dangers(state):
        assert danger.by == (1,)


@pytest.mark.full
@pytest.mark.parametrize("players", [2, 4])
def test_every_danger_is_real(players: int) -> None:
    """The stones that the seat to move endangers are exactly those that one of its moves locks in,
    except its own.
    """
    for where, state in unfinished_states(players, {}, 1):
        locked: set[int] = set()
        for move in GAME.legal(state, state.turn):
            facts: list[Fact] = []
            GAME.do(state.clone(), state.turn, move, facts)
            for fact in facts:
                if fact.kind == "locked":
                    locked |= set(fact.data["squares"])
        warned = {danger.square for danger in dangers(state) if state.turn in danger.by}
        assert warned == locked - {state.personal[state.turn]}, where


# ----------------------------------------------------------------- purposeful play
def purposeful_move(state: IsisState, rng: random.Random) -> Move:
    """Search one ply: take a throne, keep others from taking one, turn a stone over, or reach
    heaven.
    """
    seat = state.turn

    def worth(move: Move) -> float:
        after = state.clone()
        GAME.do(after, seat, move)
        if len(after.placed) > len(state.placed):
            return 100.0
        danger = 20.0 * (after.turn >= 0 and after.turn != seat and _wins(after, after.turn))
        own = (
            5.0 * after.turned[seat] + 3.0 * (after.personal[seat] >= 39) + 2.0 * _wins(after, seat)
        )
        return own + sum(after.neutral) / 200 + rng.random() - danger

    return max(GAME.legal(state, seat), key=worth)


def _wins(state: IsisState, seat: int) -> bool:
    """Return whether the seat could take a throne if it were its turn."""
    own = state.personal[seat]
    if own < 39 or seat in state.placed:
        return False
    moves = state.moves_of(own, personal=True, descending=False)
    return any(move.endswith(("-44", "-45")) for move in moves)


@pytest.mark.parametrize(("players", "options"), TABLES, ids=str)
def test_purposeful_players_end_within_the_cap(players: int, options: dict[str, Any]) -> None:
    """Players who aim for a throne reach it long before the limit, and rarely draw."""
    ended = []
    for match in matches(players, options, 5):
        rng = random.Random(match.setup.seed)
        while match.actors:
            (seat,) = match.actors
            match.play(seat, [purposeful_move(match.state, rng)])
        ended.append((match.state.reason, match.state.turns))
    assert sum(reason in ("throne", "places") for reason, _ in ended) >= 4, ended
    assert max(turns for _, turns in ended) < 200, ended


@pytest.mark.parametrize("players", [3, 4])
def test_playing_on_gives_every_place(players: int) -> None:
    """Thrones are taken until only the last place is left."""
    match = next(matches(players, {"places": True}, 1))
    rng = random.Random(match.setup.seed)
    while match.actors:
        match.play(match.actors[0], [purposeful_move(match.state, rng)])
    assert match.outcome
    assert match.outcome.reason == "places"
    assert sorted(match.outcome.ranks) == list(range(1, players + 1))
    assert len(match.state.placed) == players - 1


def test_the_stone_of_the_winner_comes_up_again() -> None:
    """The winner's stone is neutral again, and the next player may move it at once."""
    state = position("2 4 10", 46, players=3, places=True)
    played(state, "P46-44")
    assert "0-7" in GAME.legal(state, 1)
