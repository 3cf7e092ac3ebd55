"""The suite that every game has to pass, as a plugin of pytest. One line runs it::

    pytest -p tafelrunde.testing --game NAME

or, in the ``pyproject.toml`` of a package, for every run of pytest::

    [tool.pytest.ini_options]
    addopts = "-p tafelrunde.testing --game NAME"

The game is found by its entry point, as the bot finds it. What fails says what to do, and with
which seed it is seen again. ``tafelrunde.testing.laws`` and ``.pictures`` hold the checks.
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
from cogs.games.outside import bring
from cogs.gateway.components import Interaction
from cogs.present.surfaces import Presenter
from games import GAMES

SUITE = Path(__file__).with_name("suite.py")

__all__ = ["pytest_addoption", "pytest_configure", "pytest_generate_tests"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the suite."""
    group = parser.getgroup("tafelrunde")
    group.addoption("--game", action="append", default=[], help="the id of a game to be tested")
    group.addoption("--first-seed", type=int, default=0, help="of random matches (default 0)")


def pytest_configure(config: pytest.Config) -> None:
    """Find the games, and add the suite to what is run."""
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
    """Where random matches begin."""
    return f"tafelrunde: --first-seed {config.option.first_seed}"


async def _bring() -> list[str]:
    """Take the games, and make their commands as far as they can be made without a bot."""
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))

    async def own_tables(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return []

    acting = MagicMock(presenter=Presenter(WORDS), own_tables=own_tables)

    def make(kind: type[GameCog]) -> GameCog:
        return kind(acting, MagicMock(), MagicMock(), MagicMock())

    return (await bring(tree, [], make))[1]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test of the suite with every game that is tested, and all its numbers of players."""
    if not {"tested", "players"} & set(metafunc.fixturenames):
        return
    games = metafunc.config.option.game
    if "players" in metafunc.fixturenames:
        tables = [(game, n) for game in games for n in GAMES[game].info.players]
        metafunc.parametrize(("tested", "players"), tables)
    else:
        metafunc.parametrize("tested", games)
