"""Every registered game obeys the laws of the contract.

So does the toy game, which has both secrets and sealed choices.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games import GAMES
from games.engine import Game, IllegalMove
from tafelrunde.testing.laws import check_match, check_secrets_vary, fingerprint, random_setup
from tafelrunde.testing.odds import check_odds
from tests.games.toys import Auction

ROOT = Path(__file__).parents[2]

MIXES, ALWAYS = 3, 1
"""How many random sets of options to try for each number of players: with ``--long``, and without.
"""

TABLES = [
    pytest.param(game, players, id=f"{game.info.id}-{players}")
    for game in (*GAMES.values(), Auction())
    for players in game.info.players
]


@pytest.mark.seeds(MIXES, always=ALWAYS)
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_random_match_obeys_every_law(game: Game[Any], players: int, seed: int) -> None:
    setup = random_setup(game, players, random.Random(f"{game.info.id}/{players}/{seed}"))
    check_match(game, setup, seed, every=30)


@pytest.mark.seeds(1)
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_secrets_vary(game: Game[Any], players: int, seed: int) -> None:
    """One seat's knowledge does not determine the others' secrets (L9)."""
    setups = [game.setup(players, seed=str(seed + n)) for n in range(3)]
    check_secrets_vary(game, setups, seed)


@pytest.mark.seeds(1)
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_worlds_come_up_as_often_as_they_should(game: Game[Any], players: int, seed: int) -> None:
    """If few worlds are possible for a seat, each is sampled with its exact probability (L9).

    ``test_odds`` covers games with too many deals to list here.
    """
    check_odds(game, game.setup(players, seed=str(seed)), seed % players, seed)


@pytest.mark.full
def test_games_behave_equally_in_another_process() -> None:
    """No behaviour depends on the iteration order of a set of strings, which differs by process
    (L1).
    """
    run = subprocess.run(
        [sys.executable, "-m", "tafelrunde.testing.laws"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        capture_output=True,
        check=True,
        text=True,
    )
    assert json.loads(run.stdout) == {name: fingerprint(game) for name, game in GAMES.items()}


@pytest.mark.parametrize("text", ["hello world", "Z99", "zz-no-such-move", "é"])
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_nonsense_is_refused_at_any_time(game: Game[Any], text: str) -> None:
    for players in game.info.players:
        state = game.start(game.setup(players))
        with pytest.raises(IllegalMove):
            game.check_notation(state, 0, text)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_options_are_declared_consistently(game: Game[Any]) -> None:
    """Each default is an allowed value for all numbers of players with that option."""
    keys = [option.key for option in game.info.options]
    assert len(set(keys)) == len(keys)
    for option in game.info.options:
        assert set(option.default_for) <= set(game.info.players)
        for players in game.info.players:
            if option.usable(players):
                assert option.check(option.default_at(players)) == option.default_at(players)
