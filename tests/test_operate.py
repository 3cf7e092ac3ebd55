"""The commands of ``docs/operate.md`` for copies, people and moves, run in a fresh folder."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import textwrap
from pathlib import Path

import pytest

from data.store.store import Store

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "operate.md").read_text("utf-8")


def commands(heading: str) -> str:
    """The blocks of shell commands of a section."""
    section = re.split(r"^##+ ", GUIDE.partition(f"# {heading}\n")[2], flags=re.MULTILINE)[0]
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```", section, re.DOTALL | re.MULTILINE)
    return textwrap.dedent("".join(textwrap.dedent(block) for block in blocks))


async def make_database(file: Path) -> None:
    """An empty one, as the first start makes it."""
    store = await Store.open(file)
    await store.close()


@pytest.mark.parametrize(
    ("heading", "says", "left"),
    [
        ("A rehearsal", "database  rehearsed.sqlite3 is sound", []),
        ("Delete a person", "the bot deletes everything at its next start", []),
        ("Move house", "tafelrunde.sqlite3: restored from moving.sqlite3", ["moving.sqlite3"]),
    ],
)
def test_the_commands_work_as_they_stand(
    tmp_path: Path, heading: str, says: str, left: list[str]
) -> None:
    """Each ends well and leaves what the page says; the check alone misses a token."""
    asyncio.run(make_database(tmp_path / "tafelrunde.sqlite3"))
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    lines = commands(heading).replace("scripts/run --check", ".venv/bin/python -m scripts.check")
    done = subprocess.run(
        ["sh", "-c", lines],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert says in done.stdout, done.stderr
    assert "Traceback" not in done.stderr
    found = {path.name for path in tmp_path.iterdir()} - {".venv", "tafelrunde.sqlite3"}
    assert {name for name in found if not name.startswith("tafelrunde.sqlite3-")} == set(left)
