"""Lancelot: random matches, compared with the slow rules and checked for properties."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import (
    CHANCE,
    Match,
)
from games.lancelot import LancelotState
from tests.examples import examples
from tests.games.lancelot_table import (
    GAME,
    legal,
    played,
    position,
    public,
    taken,
)
from tests.games.slow_lancelot import SlowJudge


# ------------------------------------------------------------- the second implementation
def random_states(
    players: int, seed: int, every: int, **options: bool
) -> Iterator[tuple[LancelotState, random.Random]]:
    """Some positions of a random match, each at the start of a turn."""
    rng = random.Random(seed)
    state = GAME.start(GAME.setup(players, {"goal": 30, "starter": "1", **options}))
    while actors := GAME.actors(state):
        if state.phase == "turn" and state.ply % every == 0:
            yield state, rng
        moves = GAME.legal(state, actors[0])
        GAME.do(state, actors[0], rng.choice(moves))


@pytest.mark.parametrize("diagonals", [False, True])
@pytest.mark.parametrize("king", [False, True])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_placements_agree_with_the_slow_rules(players: int, king: bool, diagonals: bool) -> None:
    for state, _ in random_states(players, 1, every=61, king=king, diagonals=diagonals):
        judge = SlowJudge.of(GAME.view(state, None), state.turn)
        verdicts = {square: judge.turn(square) for square in judge.field}
        stones = [move for move in legal(state) if not move.startswith("X:")]
        assert stones == [square for square, loot in verdicts.items() if loot is not None]
        for square in stones:
            assert taken(played(state.clone(), square)) == verdicts[square], square


@pytest.mark.parametrize("diagonals", [False, True])
@pytest.mark.parametrize("players", [2, 3])
def test_turns_with_the_kings_power_agree_with_the_slow_rules(
    players: int, diagonals: bool
) -> None:
    for state, rng in random_states(players, 2, every=13, king=True, diagonals=diagonals):
        if not state.power[state.turn]:
            continue
        judge = SlowJudge.of(GAME.view(state, None), state.turn)
        moves = legal(state)
        for sword in rng.sample(judge.field, 6):
            verdicts = {square: judge.turn(square, sword) for square in judge.field}
            stones = [square for square, loot in verdicts.items() if loot is not None]
            assert (f"X:{sword}" in moves) == bool(stones), sword
            if not stones:
                continue
            called = state.clone()
            played(called, f"X:{sword}")
            assert legal(called) == stones, sword
            stone = rng.choice(stones)
            assert taken(played(called, stone)) == verdicts[stone], (sword, stone)


@pytest.mark.full
@pytest.mark.seeds(4, always=2)
def test_crowded_fields_agree_with_the_slow_rules(seed: int) -> None:
    """On an almost closed board, Excalibur may go to exactly those squares that still let a stone
    be placed.
    """
    rng = random.Random(seed)
    squares = position().field.names
    refused = 0
    for _ in range(6):
        own = rng.sample(squares, 30)
        enemy = rng.sample([s for s in squares if s not in own], 18)
        sword = rng.choice([s for s in squares if s not in (*own, *enemy)])
        state = position(" ".join(own), " ".join(enemy), excalibur=sword)
        judge = SlowJudge.of(GAME.view(state, None), 0)
        expected = [f"X:{x}" for x in squares if any(judge.turn(s, x) is not None for s in squares)]
        moves = legal(state)
        assert [move for move in moves if move.startswith("X:")] == expected, sword
        assert {move.removeprefix("X:") for move in expected} <= set(moves)
        refused += len(moves) - 2 * len(expected)
    assert refused > 0


# ---------------------------------------------------------------------------- properties
def random_match(players: int, options: Mapping[str, Any], seed: int) -> Match[LancelotState]:
    """A finished match of random moves."""
    match = Match(GAME, GAME.setup(players, options, str(seed)))
    match.advance()
    rng = random.Random(seed)
    while match.actors:
        (seat,) = match.actors
        match.play(seat, [rng.choice(GAME.legal(match.state, seat))])
    return match


MATCHES = st.fixed_dictionaries(
    {
        "players": st.integers(2, 5),
        "seed": st.integers(0, 10**6),
        "options": st.fixed_dictionaries(
            {"king": st.booleans(), "diagonals": st.booleans(), "goal": st.integers(1, 30)}
        ),
    }
)


@examples(20)
@given(MATCHES, st.integers(0, 4))
def test_the_names_of_the_seats_do_not_matter(drawn: dict[str, Any], shift: int) -> None:
    """Shifting all seats shifts the result and changes nothing else."""
    match = random_match(**drawn)
    players: int = drawn["players"]

    def moved(seat: int) -> int:
        return (seat + shift) % players

    state = GAME.start(match.setup)
    for event in match.log:
        if event.seat == CHANCE:
            starter = moved(int(event.move.removeprefix("start:")) - 1)
            GAME.do(state, CHANCE, f"start:{starter + 1}")
        else:
            assert GAME.actors(state) == (moved(event.seat),)
            GAME.do(state, moved(event.seat), event.move)
    before, after = public(match.state), public(state)
    assert after["board"] == {square: moved(seat) for square, seat in before["board"].items()}
    for entry in ("captured", "stock", "power"):
        assert [after[entry][moved(seat)] for seat in range(players)] == before[entry]


def test_random_moves_keep_the_kings_power() -> None:
    """A playout places Excalibur when that is due, but does not waste the power."""
    rng = random.Random(1)
    state = GAME.start(GAME.setup(2, {"king": True, "starter": "1"}))
    assert GAME.random_move(state, 1, rng).startswith("X:")
    GAME.do(state, 1, "X:H7")
    assert not any(GAME.random_move(state, 0, rng).startswith("X:") for _ in range(200))
