"""People play whole matches of every game by pressing the controls they see, across a restart."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from cogs.games import WORDS
from data.store.rows import Status
from data.texts import Texts, texts
from games import GAMES
from games.engine import Match, Setup
from play.table import Table, engine_options
from render.scene import ALT_LIMIT
from tests import limits
from tests.cogs.matches import everything_is_told
from tests.stage import Stage, alts_of, stage_on, texts_of

ALWAYS: list[tuple[str, int, dict[str, Any], bool]] = [
    ("donquixote", 3, {"same-hands": True, "sancho": True}, True),
    ("isis", 2, {"turns": 60}, False),
    ("isolde", 2, {"duo": "lancelot"}, True),
    (
        "isolde",
        5,
        dict.fromkeys(
            ("magic", "tournament", "challenge", "codex", "scrolls", "shields", "exchange"), True
        ),
        False,
    ),
    ("twilight", 4, {"exact": True}, False),
    ("lancelot", 3, {}, False),
]
"""Games, numbers of players, options as typed after ``new``, and whether direct messages are
closed.
"""

OTHERS: list[tuple[str, int, dict[str, Any], bool]] = [
    *(
        (game_id, players, {"turns": 60} if game_id == "isis" else {}, players % 2 == 0)
        for game_id, game in GAMES.items()
        for players in game.info.players
    ),
    ("isolde", 2, {"gallantry": True, "magic": True}, False),
    ("isolde", 3, {"tournament": True, "shields": True}, True),
    ("twilight", 3, {"lone": "fixed"}, False),
    ("twilight", 3, {"lone": "rounds"}, True),
]


@pytest.mark.blank
@pytest.mark.slow("whole match")
@pytest.mark.parametrize(
    ("game_id", "players", "options", "closed"),
    [*ALWAYS, *(pytest.param(*case, marks=pytest.mark.long) for case in OTHERS)],
)
async def test_a_game_is_played_to_its_end_across_a_restart(
    game_id: str,
    players: int,
    options: dict[str, Any],
    closed: bool,
    tmp_path: Path,
    rng: random.Random,
) -> None:
    """Each match is in German or in English. The bot is killed in the middle of it, if possible
    when only some people have chosen. At the end, the channel has only the drawing message and the
    result, with everybody's score.
    """
    language = ("de", "en")[players % 2]
    async with stage_on(tmp_path / "house.sqlite3", language) as stage:
        if closed:
            stage.close_dms(*stage.people)
        await stage.open(game_id, players, **options)
        await stage.play_by_buttons(rng, most=rng.randrange(1, 12))
        await _some_are_awaited(stage, rng)
        before = (await stage.match()).view(None)
        await stage.restart()
        assert (await stage.match()).view(None) == before
        table = await stage.play_to_the_end(rng)
        assert table.row.status is Status.FINISHED
        await everything_is_told(stage)
        assert limits.check_requests(stage.env) == []
        assert bool(stage.dms("Anna")) == (table.game.info.hidden and not closed)
        _every_picture_is_described(stage)
        _the_result_is_told(stage, table, texts(language))
        await _log_replays(stage)


async def _some_are_awaited(stage: Stage, rng: random.Random) -> None:
    """In a game with simultaneous choices, play on until some people have chosen."""
    for _ in range(30):
        match = await stage.match()
        if not match.game.info.simultaneous or len(match.actors) < match.setup.players:
            return
        await stage.play_by_buttons(rng, most=1)


def _the_result_is_told(stage: Stage, table: Table, say: Texts) -> None:
    lots, result = stage.channel.history()
    assert lots.id == table.drawn_by
    assert result.attachments
    told, view = texts_of(result), table.played.view(None)
    for total in view.public.get("totals", ()):
        assert say.number(total) in told
    for seat, name in enumerate(table.names):
        assert f"**{name}** – " in told
        assert (WORDS[table.row.game].score(view, seat, say) or "") in told


def _every_picture_is_described(stage: Stage) -> None:
    for message in stage.channel.history():
        for alt in alts_of(message):
            assert 20 < len(alt) <= ALT_LIMIT, alt


async def _log_replays(stage: Stage) -> None:
    """Check that the store contains a legal match whose random draws follow from the published
    seed.
    """
    table = await stage.bot.tables.fresh((await stage.table()).id)
    setup = Setup(table.row.players or 0, engine_options(table.row.options), table.row.seed)
    replayed = Match.replay(table.game, setup, table.played.log, verify=True)
    assert replayed.outcome is not None
    assert f"`{table.row.secret}`" in await stage.proof()


async def test_every_game_has_words_for_its_options_and_its_commands(stage: Stage) -> None:
    for game_id, game in GAMES.items():
        assert set(WORDS[game_id].options) == {option.key for option in game.info.options}
        group = stage.bot.client.tree.get_command(game_id)
        assert group is not None
        assert {"new", "rules"} <= {command.name for command in group.commands}  # type: ignore[union-attr]
