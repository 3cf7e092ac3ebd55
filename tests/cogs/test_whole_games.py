"""Whole games of every registered game, played by people who press what they see.

Each game is interrupted: the bot is killed in the middle, another one takes over on the same
database, and the buttons of the old one go on working. Every request that the bot makes is held
against Discord's limits.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from cogs.games import WORDS
from data.store.rows import Status
from games import GAMES
from games.engine import Match, Setup
from play.table import engine_options
from render.scene import ALT_LIMIT
from tests import limits
from tests.cogs.matches import everything_is_told
from tests.stage import Stage, alts_of, answer_to, controls, stage_on

ALWAYS = {"donquixote": 3, "isis": 2, "isolde": 4, "lancelot": 3, "twilight": 4}
"""How many play in every run, by game: numbers that the games' own whole matches leave out."""

EVERY_COUNT = [
    pytest.param(
        game_id, players, marks=[] if players == ALWAYS.get(game_id) else [pytest.mark.long]
    )
    for game_id, game in GAMES.items()
    for players in game.info.players
]

SHORT: dict[str, dict[str, Any]] = {"isis": {"turns": 60}}
"""Options, as typed after ``new``, of games that random presses would not end for long."""


@pytest.mark.blank
@pytest.mark.slow("whole match")
@pytest.mark.parametrize(("game_id", "players"), EVERY_COUNT)
async def test_a_game_is_played_to_its_end_across_a_restart(
    game_id: str, players: int, tmp_path: Path, rng: random.Random
) -> None:
    """In German or in English, killed in the middle, and finished."""
    language = ("de", "en")[players % 2]
    async with stage_on(tmp_path / "house.sqlite3", language) as stage:
        await stage.open(game_id, players, **SHORT.get(game_id, {}))
        await stage.play_by_buttons(rng, most=rng.randrange(1, 12))
        await stage.restart()
        table = await stage.play_to_the_end(rng)
        assert table.row.status is Status.FINISHED
        await everything_is_told(stage)
        assert limits.check_requests(stage.env) == []
        _every_picture_is_described(stage)
        await _log_replays(stage)


def _every_picture_is_described(stage: Stage) -> None:
    for message in stage.channel.history():
        for alt in alts_of(message):
            assert 20 < len(alt) <= ALT_LIMIT, alt


async def _log_replays(stage: Stage) -> None:
    """What the store holds is a legal match, and its draws come from the published seed."""
    table = await stage.bot.tables.fresh((await stage.table()).id)
    setup = Setup(table.row.players or 0, engine_options(table.row.options), table.row.seed)
    replayed = Match.replay(table.game, setup, table.played.log, verify=True)
    assert replayed.outcome is not None
    assert f"`{table.row.secret}`" in await stage.proof()


@pytest.mark.slow("whole match")
@pytest.mark.parametrize(
    "game_id",
    [
        *("donquixote", "isis", "lancelot"),
        *(pytest.param(game_id, marks=pytest.mark.long) for game_id in ("isolde", "twilight")),
    ],
)
async def test_one_person_alone_can_try_a_game(
    game_id: str, stage: Stage, rng: random.Random
) -> None:
    """With computer players in all other seats a person plays a match to its end."""
    short = SHORT.get(game_id, {})
    await stage.slash("Anna", f"{game_id} new", **short)
    smallest = max(2, min(GAMES[game_id].info.players))
    for _ in range(smallest - 1):
        await stage.pick("Anna", "computer", "novice")
    await stage.press("Anna", "start")
    table = await stage.play_to_the_end(rng)
    assert table.row.status is Status.FINISHED


@pytest.mark.pixels
@pytest.mark.parametrize("game_id", list(GAMES))
async def test_every_game_can_be_looked_back_at(
    game_id: str, stage: Stage, rng: random.Random
) -> None:
    """Log and replay tell lots and moves in words, also those that no board has told so far."""
    await stage.open(game_id, max(2, min(GAMES[game_id].info.players)))
    await stage.play_by_buttons(rng, most=3)
    anna = stage.people["Anna"]
    log = answer_to(await anna.slash(stage.channel, "table log"))
    replay = (await anna.slash(stage.channel, "table replay")).response
    steps = [label for control in controls(replay) for _, label in control.options]
    assert len(steps) > 1
    for told in (log, *steps):
        assert "went wrong" not in told
        assert not re.search(r"[a-z]:[A-Z0-9]", told), f"a draw in notation, {told}"


async def test_every_game_has_words_pictures_and_commands(stage: Stage) -> None:
    """A registered game is known to every room."""
    for game_id, game in GAMES.items():
        assert set(WORDS[game_id].options) == {option.key for option in game.info.options}
        group = stage.bot.client.tree.get_command(game_id)
        assert group is not None
        assert {"new", "rules"} <= {command.name for command in group.commands}  # type: ignore[union-attr]
