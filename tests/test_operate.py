"""Every command of ``docs/operate.md``, and every command of the README up to a first match, works
as written in a copy of the project.

Real: the scripts of the project, its backup tools, PostgreSQL and its tools, and the reading of
``compose.yaml``. Stand-ins: Discord, and everything that needs root, systemd, a container engine or
a network.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import shutil
import stat
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from data.store.store import Store
from tests.postgres import shared_server
from tests.wire.standin import StandIn

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
GUIDE = (ROOT / "docs" / "operate.md").read_text("utf-8")

PARTS = ("bot.py", "cogs", "data", "deploy", "games", "play", "render", "scripts", "tafelrunde")

SAYS: dict[str, tuple[str, ...]] = {
    "Operating": (),
    "Check": ("ok    database  ", "ok    invite "),
    "Install as a service": (
        "-- Move .env to",
        "-- Write ",
        "curl http://127.0.0.1:9464/readyz",
    ),
    "Install in containers": (
        "docker compose up --detach --build",
        "docker compose run --rm --entrypoint python -m scripts.check bot",
    ),
    "PostgreSQL": ("answers, PostgreSQL 18", "holds all of tafelrunde.sqlite3"),
    "Back up and restore": (
        "systemctl stop tafelrunde",
        "restored from copy.sqlite3",
        "systemctl start tafelrunde",
    ),
    "Rehearse": ("rehearsed.sqlite3 is sound", "answers, PostgreSQL 18"),
    "Upgrade and go back": ("git pull", "git checkout git rev-parse HEAD", "Done."),
    "Watch": ("journalctl -u tafelrunde",),
    "What to do when": ("journalctl -u tafelrunde",),
    "Delete a person": (
        "the bot deletes everything at its next start",
        "systemctl restart tafelrunde",
    ),
    "Move to another machine": ("restored from moving.sqlite3",),
}
"""Some of what the commands below each heading print, in this order."""

CHECK = "scripts/run --check\n"
"""Run below the heading "Check" only, and not again where the same bot is checked."""

STAND_INS = {
    "sudo": 'exec "$@"',
    "systemctl": 'echo "systemctl $*"',
    "curl": 'echo "curl $*"',
    "git": 'echo "git $*"',
    "journalctl": """echo '{"event": "store_problem", "interaction": 123}' "journalctl $*" """,
    # Reads the same files with the same settings; only a container engine could run the command.
    "docker": 'shift; docker-compose config --quiet && echo "docker compose $*"',
}


def sections(page: str) -> dict[str, str]:
    """The shell commands below each heading that has some."""
    found = {}
    for section in re.split(r"^#+ ", page, flags=re.MULTILINE)[1:]:
        blocks = re.findall(r"^ *```sh\n(.*?)^ *```", section, re.DOTALL | re.MULTILINE)
        if blocks:
            found[section.partition("\n")[0]] = "".join(map(textwrap.dedent, blocks))
    return found


def make_folder(folder: Path) -> None:
    """Copy the project as it is after the first start, without its repository."""
    for name in (*PARTS, "requirements", "requirements.txt"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    (folder / ".venv").mkdir()
    for file in Path(sys.prefix).iterdir():
        (folder / ".venv" / file.name).symlink_to(file)
    pinned = [folder / "requirements.txt", *sorted((folder / "requirements").glob("*.txt"))]
    installed = hashlib.sha256(b"".join(file.read_bytes() for file in pinned)).hexdigest()
    for name in ("requirements.txt", "postgres.txt"):
        stamp = folder / ".venv" / f"{name}.stamp"
        stamp.unlink(missing_ok=True)
        stamp.write_text(f"{installed}\n")
    (folder / "bin").mkdir()
    for name, line in STAND_INS.items():
        (folder / "bin" / name).write_text(f"#!/bin/sh\n{line}\n")
        (folder / "bin" / name).chmod(0o755)
    (folder / "etc").mkdir()


def write_settings(file: Path, token: str) -> None:
    file.unlink(missing_ok=True)
    file.touch(mode=0o600)
    file.write_text(f"DISCORD_TOKEN={token}\n")


async def run(lines: str, folder: Path, settings: Mapping[str, str]) -> str:
    """Run commands in a shell that stops at the first failure; return the output."""
    process = await asyncio.create_subprocess_exec(
        *("sh", "-euc", lines),
        cwd=folder,
        env=settings,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, f"{lines}\n{output.decode()}"
    return output.decode()


def test_each_heading_with_commands_says_what_they_print() -> None:
    assert sections(GUIDE).keys() == SAYS.keys()


@pytest.mark.full
async def test_the_commands_work_as_they_are_written(tmp_path: Path) -> None:
    await asyncio.to_thread(make_folder, tmp_path)
    store = await Store.open(tmp_path / "tafelrunde.sqlite3")
    await store.close()
    server = shared_server()
    place = conninfo_to_dict(server.url("postgres"))
    tools = f"{tmp_path}/bin:{server.tools}:{sys.prefix}/bin:{os.environ['PATH']}"
    async with StandIn() as discord:
        discord.guild("Camelot")
        settings = {
            "PATH": tools,
            "HOME": str(tmp_path),
            "PGHOST": str(place["host"]),
            "PGUSER": str(place["user"]),
            "TAFELRUNDE_DISCORD_API": discord.url,
            "DESTDIR": str(tmp_path),
        }
        first_steps = sections(README)["A first match on your own server"]
        first_steps = first_steps.removesuffix(f"{CHECK}scripts/run\n")
        first_steps = first_steps.replace("your token", discord.token)
        assert "-rw-------" in await run(f"{first_steps}ls -l .env", tmp_path, settings)
        guide = sections(GUIDE)
        guide["Move to another machine"] = guide["Move to another machine"].removesuffix(CHECK)
        for heading, lines in guide.items():
            write_settings(tmp_path / ".env", discord.token)
            write_settings(tmp_path / "etc" / "tafelrunde.env", discord.token)
            if heading == "Install as a service":
                (tmp_path / "etc" / "tafelrunde.env").unlink()
            if heading != "PostgreSQL":
                settings["TAFELRUNDE_DATABASE"] = str(tmp_path / "tafelrunde.sqlite3")
            output = await run(lines.replace(" /etc/", f" {tmp_path}/etc/"), tmp_path, settings)
            settings.pop("TAFELRUNDE_DATABASE", None)
            place_in_output = 0
            for said in SAYS[heading]:
                assert said in output[place_in_output:], f"{heading}:\n{output}"
                place_in_output = output.index(said, place_in_output) + len(said)
        await run("! ls rehears*", tmp_path, settings)


@pytest.mark.full
def test_the_installer_does_what_its_dry_run_says(tmp_path: Path) -> None:
    """The dry run changes nothing and does not say that anything is done. After a real run, only
    the owner of the file with the token can read it, and the unit names the folder.
    """
    asyncio.run(asyncio.to_thread(make_folder, tmp_path))
    write_settings(tmp_path / ".env", "secret")
    settings = {"PATH": os.environ["PATH"], "DESTDIR": str(tmp_path / "system")}
    planned = asyncio.run(run("deploy/install --dry-run", tmp_path, settings))
    assert not (tmp_path / "system").exists()
    done = asyncio.run(run("deploy/install", tmp_path, settings))
    assert done.removeprefix(planned).startswith("Done.")
    kept = tmp_path / "system" / "etc" / "tafelrunde.env"
    assert kept.read_text() == "DISCORD_TOKEN=secret\n"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert not (tmp_path / ".env").exists()
    unit = (tmp_path / "system/etc/systemd/system/tafelrunde.service").read_text()
    assert f"ExecStart={tmp_path}/.venv/bin/python bot.py\n" in unit
    assert "/opt/tafelrunde" not in unit
    again = asyncio.run(run("deploy/install", tmp_path, settings))
    assert "Move .env" not in again
    if verify := shutil.which("systemd-analyze"):
        file = tmp_path / "system/etc/systemd/system/tafelrunde.service"
        assert asyncio.run(run(f"{verify} verify {file}", tmp_path, settings)) == ""
