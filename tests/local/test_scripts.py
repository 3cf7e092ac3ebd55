"""The two scripts to start with, in a project whose tools are stand-ins."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.local.conftest import ROOT

PYTHON = """\
case "$*" in
    *hashlib*) echo stamp ;;
    *version_info*) exit 0 ;;
    *discord_token*) [ -n "${DISCORD_TOKEN-}" ] ;;
    *) echo "python $*"; case "$*" in *"$BROKEN"*) exit 1 ;; esac ;;
esac
"""
"""Answers what the scripts ask a Python, says what else it is asked, fails at $BROKEN."""

TOOL = 'echo "${0##*/} $*"; case "${0##*/} $*" in *"$BROKEN"*) exit 1 ;; esac\n'

PYTEST = "python -m pytest -n auto --dist worksteal"

CHECKS = ["ruff check", "ruff format", "mypy", "lint-imports", "scripts/texts"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The scripts, and a .venv of stand-ins in which nothing is left to install."""
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    tools = tmp_path / ".venv" / "bin"
    tools.mkdir(parents=True)
    for name in ("ruff", "mypy", "lint-imports", "chromium"):
        write_tool(tools / name, TOOL)
    write_tool(tools / "python", PYTHON)
    for kind in ("", "-local", "-dev"):
        (tmp_path / f"requirements{kind}.txt").touch()
        (tmp_path / ".venv" / f"requirements{kind}.txt.stamp").write_text("stamp\n")
    return tmp_path


def write_tool(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}")
    path.chmod(0o755)


def call(project: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run one of the project's scripts without any settings."""
    kept = {"PATH": f"{project / '.venv/bin'}:{os.environ['PATH']}", "BROKEN": "nothing"}
    return subprocess.run(
        [str(project / "scripts" / command[0]), *command[1:]],
        env={**kept, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_a_token_the_local_table_is_laid(project: Path) -> None:
    """A fresh clone is played in the browser."""
    assert call(project, "run").stdout == "python -m scripts.local_table\n"


def test_with_a_token_the_bot_goes_to_discord(project: Path) -> None:
    """The token alone decides; --local overrules it."""
    assert call(project, "run", DISCORD_TOKEN="secret").stdout == "python bot.py\n"
    local = call(project, "run", "--local", "--port", "0", DISCORD_TOKEN="secret")
    assert local.stdout == "python -m scripts.local_table --port 0\n"


@pytest.mark.parametrize("script", ["run", "test"])
def test_an_old_python_is_named(project: Path, script: str) -> None:
    """With only an old Python, the message says which one, and which is needed."""
    shutil.rmtree(project / ".venv")
    old = project / "bin"
    old.mkdir()
    for name in ("python3.11", "python3.12", "python3.13", "python"):
        write_tool(old / name, "exit 127")
    write_tool(old / "python3", '[ "$1" = --version ] && echo Python 3.9.1')
    result = call(project, script, PATH=f"{old}:{os.environ['PATH']}")
    assert result.returncode == 2
    assert "Python 3.11 or newer is needed; here is Python 3.9.1." in result.stderr


def test_all_is_well_if_every_check_and_test_is(project: Path) -> None:
    """The tests come last, with the options given."""
    result = call(project, "test", "tests/games", "-x")
    assert result.returncode == 0, result.stdout
    assert result.stdout.splitlines()[-1] == f"{PYTEST} tests/games -x"
    assert "FAILED" not in result.stdout


@pytest.mark.parametrize("broken", CHECKS)
def test_each_failing_check_fails_the_whole(project: Path, broken: str) -> None:
    """One check fails: it is named, the tests are run, their words are last, the code is 1."""
    result = call(project, "test", BROKEN=broken)
    assert result.returncode == 1
    assert f"FAILED: {broken};" in result.stdout
    assert result.stdout.splitlines()[-1] == PYTEST


def test_failing_tests_fail_the_whole(project: Path) -> None:
    """The exit code is pytest's own."""
    assert call(project, "test", BROKEN="pytest").returncode == 1
