"""The examples, installed next to the bot and found by their entry points."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.new_game import __main__ as new_game
from tests.outside.environment import EXAMPLES, ROOT, called, made

LINES = {"tictactoe": 120, "foxes": 250}
"""The maximum number of lines of an example, including its texts and packaging."""

PLAYED = "tests/outside/played.py"

WRITTEN = "thaler"
"""The name of a package written by ``scripts.new_game``."""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the examples and a newly generated game."""
    folder = tmp_path_factory.mktemp("beside")
    assert new_game.main([WRITTEN, "--in", str(folder)]) == 0
    return made(folder / "venv", *EXAMPLES, folder / WRITTEN)


@pytest.mark.parametrize("name", LINES)
def test_an_example_is_short(name: str) -> None:
    files = (ROOT / "examples" / name).rglob("*.*")
    kept = [file for file in files if file.suffix in {".py", ".po", ".toml"}]
    assert sum(len(file.read_text("utf-8").splitlines()) for file in kept) <= LINES[name]


@pytest.mark.full
def test_the_examples_are_played_next_to_the_bot(python: Path) -> None:
    run = called(python, "pytest", PLAYED, "-q", "-p", "no:cacheprovider")
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.full
def test_games_from_outside_pass_the_suite(python: Path, tmp_path: Path) -> None:
    """One line runs the suite from a folder outside the project, for a newly generated game too."""
    games = [option for name in (*LINES, WRITTEN) for option in ("--game", name)]
    suite = ("pytest", "-p", "tafelrunde.testing", *games, "-q", "-p", "no:cacheprovider")
    run = called(python, *suite, cwd=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("name", ["X", "tic-tac", "lancelot", "json", "play", "there"])
def test_impossible_names_are_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is overwritten."""
    (tmp_path / "there").mkdir()
    assert new_game.main([name, "--in", str(tmp_path)]) == 2
    assert name in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["there"]
