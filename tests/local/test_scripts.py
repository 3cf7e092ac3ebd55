"""The start-up scripts, in a project whose tools are stand-ins."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.local.conftest import ROOT

PYTHON = """\
case "$*" in
    *releaselevel*) echo "${0##*python3.} $0" ;;
    "-m venv"*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
    *hashlib*) echo stamp ;;
    *version_info*) exit 0 ;;
    *discord_token*) [ -n "${DISCORD_TOKEN-}" ] ;;
    *StoreSettings*) exit 1 ;;
    *cpu_count*) echo 3 ;;
    *) echo "${0#"$PWD/"} $*"; case "$0 $*" in *$BROKEN*) exit 1 ;; esac ;;
esac
"""
"""A stand-in that answers what the scripts ask a Python, prints all other calls, and fails at those
that match the pattern $BROKEN.
"""

TOOL = 'echo "${0##*/} $*"; case "${0##*/} $*" in *"$BROKEN"*) exit 1 ;; esac\n'

UTILITIES = ("cat", "cp", "dirname", "id", "mkdir", "rm", "sed", "sort", "tail", "tr")
"""The system tools that the scripts use, besides a Python."""

PYTEST = ".venv/bin/python -m pytest -n 3 --dist worksteal"
PYTEST_NEWEST = ".venv/python3.13/bin/python -m pytest -n 3 --dist worksteal --fast"

CHECKS = [
    "ruff check",
    "ruff format",
    "mypy",
    "lint-imports",
    "scripts/texts",
    "scripts/requirements",
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The scripts, a .venv of stand-ins that needs no installing, and a system without Python."""
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    tools = tmp_path / ".venv" / "bin"
    tools.mkdir(parents=True)
    for name in ("ruff", "mypy", "lint-imports"):
        write_tool(tools / name, TOOL)
    system = tmp_path / "bin"
    system.mkdir()
    for name in UTILITIES:
        (system / name).symlink_to(shutil.which(name) or name)
    write_tool(system / "chromium", TOOL)
    write_tool(tools / "python", PYTHON)
    (tmp_path / "requirements").mkdir()
    for name in ("requirements.txt", "requirements/local.txt", "requirements/dev.txt"):
        (tmp_path / name).touch()
        (tmp_path / ".venv" / f"{Path(name).name}.stamp").write_text("stamp\n")
    return tmp_path


def write_tool(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}")
    path.chmod(0o755)


def call(project: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run one of the project's scripts with a clean environment."""
    kept = {"PATH": str(project / "bin"), "BROKEN": "nothing"}
    return subprocess.run(
        [str(project / "scripts" / command[0]), *command[1:]],
        env={**kept, **environment},
        capture_output=True,
        text=True,
        cwd=project,
        check=False,
    )


def test_without_a_token_the_local_table_starts(project: Path) -> None:
    """A fresh clone has no token."""
    assert call(project, "run").stdout == ".venv/bin/python -m scripts.local_table\n"


def test_with_a_token_the_bot_goes_to_discord(project: Path) -> None:
    """``--local`` overrides the token."""
    assert call(project, "run", DISCORD_TOKEN="secret").stdout == ".venv/bin/python bot.py\n"
    local = call(project, "run", "--local", "--port", "0", DISCORD_TOKEN="secret")
    assert local.stdout == ".venv/bin/python -m scripts.local_table --port 0\n"


@pytest.mark.parametrize("token", ["secret", ""])
def test_a_check_starts_nothing(project: Path, token: str) -> None:
    told = call(project, "run", "--check", DISCORD_TOKEN=token).stdout
    assert told == ".venv/bin/python -m scripts.check\n"


@pytest.mark.parametrize("script", ["run", "test"])
def test_an_old_python_is_named(project: Path, script: str) -> None:
    shutil.rmtree(project / ".venv")
    write_tool(project / "bin/python3", '[ "$1" = --version ] && echo Python 3.9.1')
    result = call(project, script)
    assert result.returncode == 2
    assert "Python 3.11 or newer is needed; here is Python 3.9.1." in result.stderr


@pytest.mark.parametrize("place", ["bin", "pyenv/versions/3.14.2/bin"])
def test_any_new_python_does_and_the_oldest_is_taken(project: Path, place: str) -> None:
    """A Python on the path or in pyenv will do; packages must match the recorded hashes."""
    shutil.rmtree(project / ".venv")
    (project / place).mkdir(parents=True, exist_ok=True)
    for name in ("python3.14", "python3.20"):
        write_tool(project / place / name, PYTHON)
    result = call(project, "run", PYENV_ROOT=str(project / "pyenv"))
    assert result.returncode == 0, result.stderr
    assert f"Making .venv with {place}/python3.14 --version" in result.stderr
    installs = [line for line in result.stderr.splitlines() if " -m pip install " in line]
    assert [line.split()[-1] for line in installs] == ["requirements.txt", "requirements/local.txt"]
    assert all("--require-hashes --only-binary :all:" in line for line in installs)


def test_changed_requirements_are_installed_again(project: Path) -> None:
    (project / ".venv/requirements.txt.stamp").write_text("another\n")
    for installs in (1, 0):
        assert call(project, "run").stderr.count(" -m pip install ") == installs


def test_an_environment_is_made_without_running_anything(project: Path) -> None:
    """The environment is for development unless a requirements file is named."""
    (project / "requirements/bench.txt").touch()
    shutil.rmtree(project / ".venv")
    write_tool(project / "bin/python3.14", PYTHON)
    for arguments, file in (([], "dev"), (["bench"], "bench")):
        result = call(project, "setup", *arguments)
        assert result.returncode == 0, result.stderr
        (install,) = [line for line in result.stderr.splitlines() if " -m pip install " in line]
        assert install.endswith(f" --requirement requirements/{file}.txt")
    unknown = call(project, "setup", "bensh")
    assert unknown.returncode == 2
    assert unknown.stderr == "There is no requirements/bensh.txt.\n"


@pytest.mark.full
def test_the_newest_python_runs_a_part_of_the_tests(project: Path) -> None:
    """This part runs in its own environment, before the rest of the suite."""
    for name in ("python3.12", "python3.13"):
        write_tool(project / "bin" / name, PYTHON)
    told = call(project, "test").stdout.splitlines()
    assert [line for line in told if " -m pytest " in line] == [PYTEST_NEWEST, f"{PYTEST} --rest"]
    for arguments in (["--fast"], ["tests/games"]):
        assert PYTEST_NEWEST not in call(project, "test", *arguments).stdout
    failing = call(project, "test", BROKEN="python3.13/*pytest")
    assert failing.returncode == 1
    assert "FAILED: tests on the newest Python;" in failing.stdout
    assert failing.stdout.splitlines()[-1] == f"{PYTEST} --rest"


def test_without_a_newer_python_the_tests_say_so(project: Path) -> None:
    """The tests also skip a newer Python for which packages cannot be installed."""
    assert "no newer Python is available here" in call(project, "test").stdout
    write_tool(project / "bin/python3.13", PYTHON)
    result = call(project, "test", BROKEN="python3.13/*pip install")
    assert "the packages cannot be installed for Python 3.13: not tested on it" in result.stdout
    assert result.stdout.splitlines()[-1] == PYTEST
    assert result.returncode == 0


def test_the_script_succeeds_if_every_check_and_test_does(project: Path) -> None:
    """The tests come last and get the given options."""
    result = call(project, "test", "tests/games", "-x")
    assert result.returncode == 0, result.stdout
    assert result.stdout.splitlines()[-1] == f"{PYTEST} tests/games -x"
    assert "FAILED" not in result.stdout


@pytest.mark.parametrize("broken", CHECKS)
def test_each_failing_check_fails_the_whole(project: Path, broken: str) -> None:
    result = call(project, "test", BROKEN=broken)
    assert result.returncode == 1
    assert f"FAILED: {broken};" in result.stdout
    assert result.stdout.splitlines()[-1] == PYTEST


def test_failing_tests_fail_the_whole(project: Path) -> None:
    assert call(project, "test", BROKEN="pytest").returncode == 1
