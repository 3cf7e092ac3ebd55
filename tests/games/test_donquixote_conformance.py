"""Don Quixote held against the laws until the registry enrols it; then this file goes."""

from __future__ import annotations

import random

import pytest

from games.donquixote import DonQuixote
from tests.games.conformance import check_match, check_secrets_vary, random_setup

GAME = DonQuixote()

PLAYERS = pytest.mark.parametrize("players", GAME.info.players)


@PLAYERS
def test_keeps_the_laws_with_its_default_options(players: int) -> None:
    """A random match with the default options keeps every law at every position."""
    check_match(GAME, GAME.setup(players, seed="default"), seed=players)


@pytest.mark.parametrize("mix", range(4))
@PLAYERS
def test_keeps_the_laws_with_any_options(players: int, mix: int) -> None:
    """A random match with a random mix of options keeps every law at every position."""
    setup = random_setup(GAME, players, random.Random(f"donquixote/{players}/{mix}"))
    check_match(GAME, setup, seed=mix, every=9)


@PLAYERS
def test_secrets_vary(players: int) -> None:
    """What one seat knows does not fix the secrets of another."""
    check_secrets_vary(GAME, [GAME.setup(players, seed=str(n)) for n in range(3)], seed=players)
