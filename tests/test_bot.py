"""Starting the bot: settings, errors that prevent a start, and secrets that must never show."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest.mock import AsyncMock, Mock

import aiohttp
import discord
import pytest
from discord.ext import commands
from structlog.testing import capture_logs

import bot
from bot import Settings, main
from cogs.gateway.client import Client
from cogs.gateway.gateway import Gateway
from data import backup
from data.store.problems import StoreClosed
from data.store.rows import Opening
from data.store.store import Store
from games import GAMES
from play.lobby import Join
from play.table import Table
from scripts import check
from scripts.local_table import __main__ as local_table


class Knot:
    """An object that only garbage collection can free."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start in an empty working directory, without any settings."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    monkeypatch.setattr(bot, "set_up_logging", lambda _: None)


def test_settings_come_from_the_environment_and_from_a_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The environment takes precedence over .env, and both over the defaults."""
    Path(".env").write_text("DISCORD_TOKEN=from-file\nTAFELRUNDE_COMPUTER_WORKERS=3\n")
    monkeypatch.setenv("TAFELRUNDE_COMPUTER_WORKERS", "4")
    settings = Settings()
    assert settings.discord_token.get_secret_value() == "from-file"
    assert settings.computer_workers == 4
    assert settings.database == Path("tafelrunde.sqlite3")


def test_the_token_is_never_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "very-secret")
    assert "very-secret" not in repr(Settings())
    assert "very-secret" not in str(Settings())


def test_a_missing_token_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 2
    assert "DISCORD_TOKEN is not set" in capsys.readouterr().err


def not_text(file: Path) -> None:
    """Write the file in another encoding."""
    file.write_bytes("TAFELRUNDE_OPERATOR=José".encode("latin-1"))


def not_readable(file: Path) -> None:
    """Make the file impossible to read, even for root."""
    file.symlink_to("/proc/self/mem")


@pytest.mark.parametrize(
    ("make", "why"), [(not_text, "it is not UTF-8 text"), (not_readable, "Input/output error")]
)
@pytest.mark.parametrize("command", [main, check.main, local_table.main, backup.main])
def test_unreadable_settings_are_reported_in_a_sentence(
    command: Callable[[], int],
    make: Callable[[Path], None],
    why: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    make(Path(".env"))
    monkeypatch.setattr("sys.argv", ["command"])
    try:
        code: object = command()
    except SystemExit as end:
        code = end.code
    assert code == 2
    assert f"The file .env cannot be read: {why}\n" in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("refusal", "said"),
    [
        (discord.LoginFailure("Improper token"), "does not know this DISCORD_TOKEN"),
        (
            discord.ConnectionClosed(Mock(close_code=4004), shard_id=None),
            "no longer accepts this DISCORD_TOKEN",
        ),
    ],
    ids=["wrong", "revoked later"],
)
def test_a_token_that_discord_refuses_is_reported_in_one_sentence(
    refusal: Exception,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def login(_: Client, __: str) -> None:
        raise refusal

    monkeypatch.setenv("DISCORD_TOKEN", "x")
    monkeypatch.setattr(Client, "login", login)
    assert main() == 2
    assert said in capsys.readouterr().err


def test_the_bot_waits_longer_and_longer_for_discord(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each failure is one log line, and the pauses grow from a second to a minute with random
    jitter.
    """
    bad_day = Mock(status=503, reason="Service Unavailable")
    troubles = [
        aiohttp.ClientConnectionError("no network"),
        TimeoutError("no answer"),
        discord.DiscordServerError(bad_day, "upstream"),
    ] * 3
    failures = iter([*troubles, discord.LoginFailure("Improper token")])
    waited: list[float] = []

    async def login(_: commands.Bot, __: str) -> None:
        raise next(failures)

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setenv("DISCORD_TOKEN", "x")
    monkeypatch.setattr(commands.Bot, "login", login)
    monkeypatch.setattr("cogs.gateway.client.asyncio.sleep", sleep)
    with capture_logs() as lines:
        assert main() == 2
    told = [line for line in lines if line["event"] == "discord_unreachable"]
    assert len(told) == len(troubles)
    assert "no network" in told[0]["problem"]
    longest = [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert all(most / 2 <= each <= most for each, most in zip(waited, longest, strict=True))
    assert len(set(waited[-3:])) == 3
    assert "DISCORD_TOKEN" in capsys.readouterr().err


async def test_the_bot_waits_for_its_first_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    reset = OSError(54, "Connection reset by peer")
    troubles = [ConnectionRefusedError("refused"), reset, TimeoutError("no answer"), reset]
    failures = iter([*troubles, discord.LoginFailure("Improper token")])

    async def from_client(_: Client, **__: object) -> None:
        raise next(failures)

    monkeypatch.setattr(discord.client.DiscordWebSocket, "from_client", from_client)
    monkeypatch.setattr("cogs.gateway.client.asyncio.sleep", AsyncMock())
    with pytest.raises(discord.LoginFailure):
        await Client().connect()


def test_a_missing_server_has_another_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If the database server cannot be reached, the exit code is 75, after which a supervisor
    restarts the bot; after exit code 2 it does not.
    """
    monkeypatch.setenv("DISCORD_TOKEN", "x")
    monkeypatch.setenv("TAFELRUNDE_DATABASE", "postgresql:///none?host=/nowhere")
    monkeypatch.setattr(Store, "open", staticmethod(partial(Store.open, patience=0)))
    assert main() == 75
    assert "The server cannot be reached" in capsys.readouterr().err


def test_a_foreign_database_is_refused_untouched(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path("letters.txt")
    file.write_text("Dear Isolde, " * 100)
    monkeypatch.setenv("DISCORD_TOKEN", "x")
    monkeypatch.setenv("TAFELRUNDE_DATABASE", str(file))
    assert main() == 2
    assert "letters.txt" in capsys.readouterr().err
    assert file.read_text() == "Dear Isolde, " * 100


async def test_files_open_to_others_are_named_at_start_in_one_line(tmp_path: Path) -> None:
    database = tmp_path / "house.sqlite3"
    settings = Settings(computer_workers=0, database=database)
    for mode, named in ((0o644, [".env", str(database)]), (0o600, [])):
        for file in (Path(".env"), database):
            file.touch()
            file.chmod(mode)
        with capture_logs() as lines:
            made = await bot.create_bot(settings)
            await made.client.close()
        told = [line for line in lines if line["event"] == "files_open_to_others"]
        assert [line["files"] for line in told] == [named] * bool(named)
        assert all(line["remedy"] == "chmod 600" for line in told)


async def test_pictures_are_rehearsed_once_the_bot_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rehearsed: list[str] = []
    monkeypatch.setattr(bot, "rehearse", rehearsed.append)
    monkeypatch.setattr(bot, "BEFORE_REHEARSAL", 0)
    made = await bot.create_bot(Settings(computer_workers=0))
    ready = asyncio.Event()
    monkeypatch.setattr(made.client, "wait_until_ready", ready.wait)
    task = asyncio.create_task(bot.rehearse_pictures(made))
    await asyncio.sleep(0)
    assert rehearsed == []
    ready.set()
    await task
    assert rehearsed == list(GAMES)
    await made.client.close()


async def test_garbage_collection_skips_what_the_rehearsal_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Scanning the loaded objects would cause noticeable pauses; garbage left by the start is
    collected first.
    """
    made = await bot.create_bot(Settings(computer_workers=0))
    kept, lost = Knot(), weakref.ref(Knot())
    monkeypatch.setattr(bot, "rehearse", lambda _: None)
    monkeypatch.setattr(bot, "BEFORE_REHEARSAL", 0)
    monkeypatch.setattr(made.client, "wait_until_ready", partial(asyncio.sleep, 0))
    await bot.rehearse_pictures(made)
    assert lost() is None
    assert not any(each is kept for each in gc.get_objects())
    await made.client.close()


async def test_loaded_objects_are_exempted_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loaded objects are exempted during the start, so that no collection ever scans all of
    them.
    """
    made = await bot.create_bot(Settings(computer_workers=0))
    ready = asyncio.Event()
    monkeypatch.setattr(bot, "rehearse", lambda _: None)
    monkeypatch.setattr(bot, "BEFORE_REHEARSAL", 0)
    monkeypatch.setattr(bot, "SPARED_EVERY", 0.01)
    monkeypatch.setattr(made.client, "wait_until_ready", ready.wait)
    task = asyncio.create_task(bot.rehearse_pictures(made))
    for _ in range(3):
        loaded = Knot()
        async with asyncio.timeout(30):
            while any(each is loaded for each in gc.get_objects()):  # noqa: ASYNC110 - no event tells
                await asyncio.sleep(0.01)
    ready.set()
    await task
    await made.client.close()


async def test_closing_finishes_current_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing cancels background work, then closes the store; closing twice does no harm."""
    made = await bot.create_bot(Settings(computer_workers=0))
    posting = asyncio.Event()
    cancelled: list[str] = []

    async def post(*_: object, **__: object) -> None:
        posting.set()
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            cancelled.append("post")
            raise

    monkeypatch.setattr(Gateway, "post", post)
    table = await made.tables.open(Opening("lancelot", None, 1, 2, "Anna", "en", {}))
    await posting.wait()
    commit, writing = made.store.tables.commit, asyncio.Event()

    async def announced(before: Table, after: Table) -> bool:
        writing.set()
        return await commit(before, after)

    monkeypatch.setattr(made.store.tables, "commit", announced)
    joining = asyncio.create_task(made.tables.act(table.id, Join(3, "Ben")))
    await writing.wait()
    await made.client.close()
    await made.client.close()
    assert cancelled == ["post"]
    assert (await joining).after.names == ("Anna", "Ben")
    with pytest.raises(StoreClosed):
        await made.store.tables.open_ids()
    store = await Store.open(Settings().database)
    assert len((await store.tables.load(table.id)).stored.members) == 2
    await store.close()


def test_impossible_settings_are_named_without_their_values(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TAFELRUNDE_LOG_LEVEL", "LOUD")
    monkeypatch.setenv("TAFELRUNDE_COMPUTER_WORKERS", "-1")
    assert main() == 2
    told = capsys.readouterr().err
    assert "TAFELRUNDE_LOG_LEVEL: " in told
    assert "TAFELRUNDE_COMPUTER_WORKERS: " in told
    assert "LOUD" not in told


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("TAFELRUNDE_SHARDS", "0-3/16", "a process that runs only some of the shards needs"),
        ("TAFELRUNDE_COMPUTER_QUEUE", "true", "the queue for computer players needs"),
    ],
)
def test_conflicting_settings_are_reported_in_a_sentence(
    name: str,
    value: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """No single setting is wrong, so the message does not begin with the name of one."""
    monkeypatch.setenv(name, value)
    assert main() == 2
    assert f"\n{said}" in capsys.readouterr().err
