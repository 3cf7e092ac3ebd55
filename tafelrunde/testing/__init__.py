"""The conformance suite that every game must pass, as a pytest plugin. Run it with::

    pytest -p tafelrunde.testing --game NAME

or include it in every run of pytest, in the ``pyproject.toml`` of a package::

    [tool.pytest.ini_options]
    addopts = "-p tafelrunde.testing --game NAME"

The suite finds the game by its entry point, as the bot does. If a game breaks a law, the error says
how to fix that and which seed reproduces it. Most checks are in ``tafelrunde.testing.laws``,
``.odds`` and ``.pictures``.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from unittest.mock import MagicMock

import discord
import pytest
from discord import app_commands

from cogs.games import WORDS
from cogs.games.game import GameCog
from cogs.games.outside import load_games
from cogs.gateway.components import Interaction
from cogs.present.surfaces import Presenter
from games import GAMES

SUITE = Path(__file__).with_name("suite.py")

__all__ = ["pytest_addoption", "pytest_configure", "pytest_generate_tests"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the suite's options to pytest."""
    group = parser.getgroup("tafelrunde")
    group.addoption("--game", action="append", default=[], help="the id of a game to test")
    group.addoption(
        "--first-seed", type=int, default=0, help="the seed of the first random match (default 0)"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Load the installed games; if ``--game`` names any, add the suite to this run.

    :raises pytest.UsageError: a game named by ``--game`` is not installed or cannot be loaded.
    """
    wanted = config.option.game
    left_out = asyncio.run(_bring())
    for sentence in left_out:
        config.issue_config_time_warning(UserWarning(sentence), stacklevel=2)
    unknown = [game for game in wanted if game not in GAMES]
    if unknown:
        raise pytest.UsageError(" ".join([f"No such game: {', '.join(unknown)}.", *left_out]))
    if wanted:
        config.args.append(str(SUITE))


def pytest_report_header(config: pytest.Config) -> str:
    """Show the seed of the first random match."""
    return f"tafelrunde: --first-seed {config.option.first_seed}"


async def _bring() -> list[str]:
    """Load the installed games and make their commands, as far as possible without a bot.

    :returns: a sentence about each game that was left out, saying why.
    """
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))

    async def own_tables(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return []

    acting = MagicMock(presenter=Presenter(WORDS), own_tables=own_tables)

    def make(kind: type[GameCog]) -> GameCog:
        return kind(acting, MagicMock(), MagicMock(), MagicMock())

    return (await load_games(tree, [], make))[1]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test of the suite for every tested game; a test that takes ``players``, with each of
    the game's player counts.
    """
    if not {"tested", "players"} & set(metafunc.fixturenames):
        return
    games = metafunc.config.option.game
    if "players" in metafunc.fixturenames:
        tables = [(game, n) for game in games for n in GAMES[game].info.players]
        metafunc.parametrize(("tested", "players"), tables)
    else:
        metafunc.parametrize("tested", games)
