"""Play whole matches of games from packages in the simulated Discord.

The tests run in an environment in which the packages are installed:
``tests/outside/test_examples.py`` makes one.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot import bring_games
from cogs.games import WORDS
from cogs.games.outside import load_rules
from data.jobs import Jobs
from data.store.place import Place
from data.store.rows import Status
from data.texts import texts
from games import GAMES
from games.engine import Match
from games.players import LEVELS
from games.records import read
from play.computers import Thinkers
from play.distant import DistantThinkers
from tests import limits
from tests.cogs.matches import everything_is_told
from tests.cogs.test_computers import alone
from tests.cogs.test_records import exported
from tests.games.test_verify import saved, verify
from tests.play.test_distant import worker
from tests.postgres import shared_server
from tests.stage import (
    PATIENCE,
    Stage,
    alts_of,
    answer_to,
    controls,
    make_bot,
    private,
    stage_on,
    texts_of,
    verb_of,
)

HOUSE = frozenset(GAMES)
FOUND = ("foxes", "tictactoe")
SHORT: dict[str, dict[str, Any]] = {"foxes": {"hands": 1}, "tictactoe": {}}
"""The options of the shortest match."""

HOURS = 3600

EITHER = pytest.mark.parametrize(
    ("game", "stage"), [("foxes", "de"), ("tictactoe", "en")], indirect=["stage"]
)
"""Each game and each language once."""

ONE = pytest.mark.parametrize(("game", "stage"), [("tictactoe", "de")], indirect=["stage"])
"""For what is the same in every game."""


@pytest.fixture(scope="session", autouse=True)
def found(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Have a bot find both games."""

    async def look() -> None:
        parts = await make_bot(tmp_path_factory.mktemp("look") / "x.sqlite3", random.Random(0))
        with capture_logs() as lines:
            await bring_games(parts)
        assert [line for line in lines if line["event"] == "game_left_out"] == []
        parts.thinkers.close()
        await parts.store.close()

    asyncio.run(look())


@pytest.fixture(params=["en", "de"])
async def stage(
    request: pytest.FixtureRequest, tmp_path: Path, rng: random.Random
) -> AsyncIterator[Stage]:
    """A stage in one of the languages, on a database file or server; check that its bot stays
    within Discord's limits.
    """
    with ExitStack() as places:
        place: Place = tmp_path / "house.sqlite3"
        if request.param == "de":
            place = places.enter_context(shared_server().house())
        async with stage_on(place, request.param, rng) as stage:
            stage.env.settle_timeout = PATIENCE
            yield stage
            assert limits.check_requests(stage.env) == []


def smallest(game: str) -> int:
    """The smallest number of players."""
    return min(GAMES[game].info.players)


async def page(stage: Stage, what: str, **options: Any) -> Any:
    """Type a ``/table`` command, and return the ephemeral message that Anna gets."""
    return private(await stage.slash("Anna", f"table {what}", **options))


async def press(stage: Stage, person: Any, verb: str) -> None:
    """Press the first button with this verb on the newest message that has one."""
    pressed = next(
        (message, control.custom_id)
        for message in reversed(stage.channel.history())
        for control in controls(message)
        if verb_of(control.custom_id)[0] == verb
    )
    result = await person.click(pressed[0], custom_id=pressed[1])
    assert result.acknowledged


def test_the_games_are_found() -> None:
    assert set(FOUND) <= set(GAMES) - HOUSE


@pytest.mark.pixels
@EITHER
async def test_a_match_ends_across_a_restart(
    game: str, stage: Stage, rng: random.Random, tmp_path: Path
) -> None:
    """Play by buttons and menus across a restart; then replay, animate, export and prove the
    match.
    """
    await stage.open(game, smallest(game), **SHORT[game])
    await stage.play_by_buttons(rng, most=3)
    await stage.restart()
    table = await stage.play_to_the_end(rng)
    assert table.row.status is Status.FINISHED
    await everything_is_told(stage)
    for message in stage.channel.history():
        assert all(len(alt) > 20 for alt in alts_of(message))
    told = [texts_of(message) for message in stage.channel.history()]
    title = WORDS[game].title
    german = stage.language == "de"
    assert (
        any({"Foxes": "Füchse", "Tic-tac-toe": "Tic-Tac-Toe"}[title] in t for t in told) is german
    )
    assert len((await page(stage, "replay")).attachments) == 1
    (film,) = (await page(stage, "animation")).attachments
    assert film.filename == f"{game}.gif"
    text = await exported(stage)
    record, match = read(text, GAMES)
    assert match.outcome == table.played.outcome
    assert record.game == game
    proven = texts_of(await page(stage, "verify"))
    assert (
        texts(stage.language)("Table {code}: the record is valid", code=f"`{table.row.code}`")
        in proven
    )
    (file,) = saved({"record.txt": text}, tmp_path)
    run = await asyncio.to_thread(verify, "--seed-only", file)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.blank
@pytest.mark.parametrize(("game", "level"), [("foxes", "learner"), ("tictactoe", "expert")])
async def test_computer_players_play_to_the_end(
    game: str, level: str, tmp_path: Path, rng: random.Random
) -> None:
    async with stage_on(tmp_path / "house.sqlite3", "en", rng) as stage:
        stage.env.settle_timeout = PATIENCE
        await alone(stage, game, level, seating="joined", **SHORT[game])
        await stage.computers_have_moved()
        hint = answer_to(await stage.slash("Anna", "table hint"))
        assert "hint" in hint
        assert "went wrong" not in hint
        table = await stage.play_to_the_end(rng)
        assert table.row.status is Status.FINISHED


async def test_a_worker_process_finds_the_games_and_searches_for_moves() -> None:
    thinkers = Thinkers(workers=1, prepare=load_rules)
    try:
        for game in FOUND:
            await fully_thought(thinkers, game)
    finally:
        thinkers.close()


async def test_a_worker_on_another_machine_finds_the_games_installed_there() -> None:
    with shared_server().house() as place:
        jobs = Jobs(place)
        async with worker(place):
            for game in FOUND:
                await fully_thought(DistantThinkers(jobs, patience=50), game)
        await jobs.close()


async def fully_thought(thinkers: Thinkers, game: str) -> None:
    """Have a computer player choose its first move, and fail unless it was found by a search."""
    match = Match(GAMES[game], GAMES[game].setup(smallest(game)))
    match.advance()
    seat = match.actors[0]
    choice = await thinkers.choose(match.view(seat), next(iter(LEVELS)))
    assert not choice.quick
    assert choice.move in match.game.legal(match.state, seat)


@EITHER
async def test_move_suggests_and_plays_legal_moves_and_refuses_others(
    game: str, stage: Stage
) -> None:
    table = await stage.open(game, smallest(game))
    (person,) = await stage.awaited()
    offered = await person.autocomplete(stage.channel, f"{game} move", "move", "")
    (seat,) = table.awaited
    assert [choice["value"] for choice in offered] == table.legal(seat)
    refused = await person.slash(stage.channel, f"{game} move", move="zz")
    assert "zz" in answer_to(refused)
    await person.slash(stage.channel, f"{game} move", move=offered[0]["value"])
    table = await stage.table()
    assert (seat, offered[0]["value"]) in [(event.seat, event.move) for event in table.played.log]
    text = answer_to(await person.slash(stage.channel, "table show", text=True))
    assert table.row.code in text
    log = answer_to(await person.slash(stage.channel, "table log"))
    assert "deal:" not in log


@ONE
async def test_a_move_is_taken_back_by_vote(game: str, stage: Stage, rng: random.Random) -> None:
    """The opponent has already moved, so consent is needed."""
    await stage.open(game, smallest(game))
    await stage.play_by_buttons(rng, most=1)
    table = await stage.table()
    mover = next(event.seat for event in reversed(table.played.log) if event.seat >= 0)
    (other,) = table.awaited_persons
    await stage.play_by_buttons(rng, most=1)
    before = (await stage.table()).played.ply
    me = stage.person(table.members[mover].person_id or 0)
    await me.slash(stage.channel, "table undo")
    await press(stage, stage.person(table.members[other].person_id or 0), "vote")
    assert (await stage.table()).played.ply < before


@ONE
async def test_a_seat_changes_hands_and_the_match_ends_by_consent(
    game: str, stage: Stage, rng: random.Random
) -> None:
    anna, ben, clara = (stage.people[name] for name in ("Anna", "Ben", "Clara"))
    say = texts(stage.language)
    table = await stage.open(game, smallest(game))
    offered = await anna.slash(stage.channel, "table replace", person=clara.user)
    assert offered.acknowledged
    await press(stage, ben, "vote")
    await press(stage, clara, "take")
    assert set((await stage.table()).persons) == {ben.id, clara.id}
    await stage.play_by_buttons(rng, most=2)
    moved = [line.person_id for line in (await stage.table()).journal if line.kind == "move"]
    assert clara.id in moved
    await stage.end("Clara")
    assert (await stage.table()).running
    await press(stage, ben, "vote")
    assert (await stage.bot.tables.get(table.id)).row.status is Status.ENDED
    told = "\n".join(texts_of(message) for message in stage.channel.history())
    assert say("Table {code} has ended without a result.", code=f"`{table.row.code}`") in told


@EITHER
async def test_a_hint_has_buttons_that_play_its_moves(game: str, stage: Stage) -> None:
    table = await stage.open(game, smallest(game))
    (person,) = await stage.awaited()
    (seat,) = table.awaited
    say = texts(stage.language)
    hint = private(await person.slash(stage.channel, "table hint"))
    told = texts_of(hint)
    first = {"en": "Your first hint", "de": "Dein erster Tipp"}
    assert first[stage.language] in told
    words = {WORDS[game].move_in_words(move, table.names, say) for move in table.legal(seat)}
    labels = [control.label for control in controls(hint)]
    assert labels
    assert set(labels) <= words
    await person.click(hint, custom_id=controls(hint)[0].custom_id)
    played = (await stage.table()).played.log
    assert [event.seat for event in played].count(seat) == 1


@ONE
async def test_a_computer_player_moves_for_a_person_whose_time_has_run_out(
    game: str, stage: Stage
) -> None:
    await stage.open(game, smallest(game), pace="2h", strict=True)
    before = (await stage.table()).played.ply
    for _ in range(4):
        await stage.env.advance_time(HOURS)
    await stage.computers_have_moved()
    assert (await stage.table()).played.ply > before


@pytest.fixture(autouse=True)
def no_errors(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Check that no error is logged: discord.py swallows exceptions raised by buttons."""
    yield
    assert [r.getMessage() for r in caplog.get_records("call") if r.levelno >= 40] == []
