"""``scripts/run --check`` reports each problem in one line and changes nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from email.utils import formatdate
from pathlib import Path

import pytest
from discord.http import Route

from bot import Settings
from data.store.inspection import inspect
from data.store.place import Place, Server
from data.store.problems import StoreProblem
from data.store.store import Store
from scripts import check
from scripts.check import (
    Finding,
    clock,
    gateway,
    of_application,
    private_files,
    start_findings,
    versions,
)
from tests.wire.standin import StandIn

NOON = 1_800_000_000.0

pytestmark = pytest.mark.blank


@pytest.fixture(autouse=True)
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start in an empty working directory, with an unknown token and no Discord that answers."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", "unknown")
    monkeypatch.setattr(Route, "BASE", "http://127.0.0.1:9/api/v10")


@pytest.fixture
async def discord(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[StandIn]:
    """A stand-in Discord, with one server, that receives all requests."""
    async with StandIn() as standin:
        standin.guild("Camelot")
        monkeypatch.setattr(Route, "BASE", f"{standin.url}/api/v10")
        yield standin


async def wrong() -> dict[str, str]:
    """The problems, by subject."""
    return {each.subject: each.text async for each in start_findings(Settings()) if not each.good}


async def test_a_sound_installation_has_no_problems(
    discord: StandIn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The check creates no file and does not connect to the gateway."""
    monkeypatch.setenv("DISCORD_TOKEN", discord.token)
    assert await check.print_findings(Settings()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 10
    assert all(line.startswith("ok    ") for line in lines)
    told = "\n".join(lines)
    assert f"({discord.world.bot.id}), on 1 server\n" in told
    assert "permissions=" in told
    assert discord.token not in told
    assert not list(Path.cwd().iterdir())
    assert not discord.gateway.identified


async def test_a_refused_token_is_named(discord: StandIn) -> None:
    """A refused token is the only problem found: the checks before it do not need the token, and
    none follow it.
    """
    found = await wrong()
    assert found.keys() == {"token"}
    assert "Discord refuses it" in found["token"]


async def test_without_a_network_everything_else_is_checked() -> None:
    found = await wrong()
    assert found.keys() == {"discord"}
    assert "ClientConnectorError" in found["discord"]


def test_impossible_settings_have_a_code_of_their_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code is 2 here because the token would go unencrypted over the internet to a rate
    limiter, and because a shard number is too high.
    """
    monkeypatch.setenv("TAFELRUNDE_DISCORD_API", "http://limiter.example.org")
    monkeypatch.setenv("TAFELRUNDE_SHARDS", "9/2")
    assert check.main() == 2
    limiter, shards = capsys.readouterr().out.splitlines()
    assert limiter.startswith(
        "WRONG settings  TAFELRUNDE_DISCORD_API: the bot's token would cross another network"
    )
    assert shards.startswith("WRONG settings  TAFELRUNDE_SHARDS: shards count from 0")


@pytest.mark.parametrize(
    ("ours", "says"),
    [
        (NOON + 0.5, "correct to the second"),
        (NOON + 1.9, "correct to the second"),
        (NOON - 0.9, "correct to the second"),
        (NOON + 31.5, "30 s ahead of Discord's"),
        (NOON - 31.0, "31 s behind Discord's"),
    ],
)
def test_the_clock_may_be_off_by_a_second(ours: float, says: str) -> None:
    """Discord's Date header is truncated, so the clock may seem to be ahead by another second."""
    found = clock(formatdate(NOON, usegmt=True), ours - 0.1, ours)
    assert says in found.text
    assert found.good == (says == "correct to the second")


def test_a_slow_answer_does_not_blame_the_clock() -> None:
    """Discord may have written the date at any time between request and response."""
    assert clock(formatdate(NOON, usegmt=True), NOON - 15, NOON + 4).good


def test_files_that_others_can_read_are_named() -> None:
    Path(".env").write_text("DISCORD_TOKEN=x\n")
    Path(".env").chmod(0o644)
    assert private_files(Settings()) == Finding(
        "files", "others can read them: chmod 600 .env", good=False
    )


def test_an_untested_version_is_named(tmp_path: Path) -> None:
    """Pins may depend on the Python version; packages that are not installed are skipped."""
    pins = tmp_path / "requirements.txt"
    pins.write_text("pillow==0.1 \\\npillow==0.2 ; python_version < '3.12' \\\nnone==1.0 \\\n")
    found = versions(pins)
    assert not found.good
    assert found.text.startswith("pillow is ")
    assert ", not 0.1 or 0.2. Run" in found.text


def test_needless_intents_and_few_starts_are_reported() -> None:
    """Unneeded intents are not a problem; few remaining starts are one."""
    intents = list(of_application({"id": "4711", "name": "T", "flags": 1 << 19}))[1]
    assert intents.good
    assert "message content can be switched off" in intents.text
    few = gateway({"total": 1000, "remaining": 3, "reset_after": 4_000_000})
    assert (few.good, few.text) == (
        False,
        "3 of 1000 starts left today; all 1000 again within 2 h",
    )


def files(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.iterdir()}


async def test_a_database_is_checked_without_touching_it(tmp_path: Path) -> None:
    file = tmp_path / "tafelrunde.sqlite3"
    assert "does not exist yet" in inspect(file)
    store = await Store.open(file)
    assert "is in use by a running bot" in inspect(file)
    await store.close()
    before = files(tmp_path)
    assert "is sound" in inspect(file)
    assert files(tmp_path) == before
    assert before.keys() == {file}
    file.write_text("Dear Isolde, " * 100)
    places: tuple[Place, ...] = (
        file,
        tmp_path / "none" / "x.sqlite3",
        Server("postgresql:///x?host=/"),
    )
    for place in places:
        with pytest.raises(StoreProblem):
            inspect(place)
