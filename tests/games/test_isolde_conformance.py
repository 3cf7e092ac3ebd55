"""Die Holde Isolde keeps the laws of the engine, until registration enrols it with the others."""

from __future__ import annotations

import random

import pytest

from games.isolde import Isolde
from tests.games.conformance import check_match, check_secrets_vary, fingerprint, random_setup

GAME = Isolde()
TABLES = [
    *((2, {"duo": "parzival"}), (2, {"duo": "lancelot"})),
    *((players, {}) for players in (3, 4, 5)),
]
MIXES = 6


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_keeps_the_laws_with_its_default_options(players: int, options: dict[str, str]) -> None:
    """A random match of the basic game keeps every law at every position."""
    check_match(GAME, GAME.setup(players, options, seed="default"), seed=players)


@pytest.mark.parametrize("mix", range(MIXES))
@pytest.mark.parametrize("players", GAME.info.players)
def test_keeps_the_laws_with_any_options(players: int, mix: int) -> None:
    """A random match with a random mix of variants keeps every law at every position."""
    setup = random_setup(GAME, players, random.Random(f"isolde/{players}/{mix}"))
    check_match(GAME, setup, seed=mix, every=9)


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_secrets_vary(players: int, options: dict[str, str]) -> None:
    """What one seat knows does not fix the secrets of another (L9)."""
    setups = [GAME.setup(players, options, seed=str(n)) for n in range(3)]
    check_secrets_vary(GAME, setups, seed=players)


def test_same_behaviour_each_time() -> None:
    """Two passes over random matches give the same digest (L1)."""
    assert fingerprint(GAME) == fingerprint(Isolde())
