"""Pins match the requirements: ``scripts/requirements --check`` reports each mismatch."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.supply import NAMES, ROOT, faults_in, source, target

GOOD_HASH = "    --hash=sha256:" + 64 * "a"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the project's requirements files."""
    (tmp_path / "requirements").mkdir()
    for name in NAMES:
        for file in (source(name), target(name)):
            shutil.copy(ROOT / file, tmp_path / file)
    return tmp_path


def test_pins_match_the_requirements(folder: Path) -> None:
    assert list(faults_in(folder)) == []


def without_hashes(text: str) -> str:
    """Remove the hashes of the first package."""
    first = text.index("==")
    end = text.index("    # via", first)
    return text[: text.index(" \\", first)] + "\n" + text[end:]


def with_a_stranger(text: str) -> str:
    """Add a package that nothing but itself requires."""
    return f"{text}stranger==1.0 \\\n{GOOD_HASH}\n    # via stranger\n"


DRIFTS: list[tuple[str, Callable[[str], str], str]] = [
    (
        "requirements/bot.in",
        lambda text: text + "requests ~= 2.0  # asks\n",
        "requirements.txt: requests is missing, which requirements/bot.in asks for",
    ),
    (
        "requirements/bot.in",
        lambda text: text.replace("aiohttp ~= 3.14.5", "aiohttp ~= 4.0"),
        "but requirements/bot.in asks for aiohttp~=4.0",
    ),
    (
        "requirements/bot.in",
        lambda text: "".join(line for line in text.splitlines(True) if "openskill" not in line),
        "requirements.txt: openskill is there, and nothing asks for it",
    ),
    (
        "requirements/bot.in",
        lambda text: text + "left-pad\n",
        "requirements/bot.in: no reason is given for left-pad",
    ),
    (
        "requirements/dev.in",
        lambda text: text + "left pad  # no name\n",
        "requirements/dev.in: not understood: left pad",
    ),
    (
        "requirements/dev.in",
        lambda text: text.replace("-r local.in\n", ""),
        "requirements/dev.txt: simcord is there, and nothing asks for it",
    ),
    ("requirements.txt", without_hashes, "requirements.txt: not a package with its hashes: "),
    (
        "requirements.txt",
        lambda text: text.replace("--hash=sha256:", "--hash=sha256:x", 1),
        "requirements.txt: not a package with its hashes: ",
    ),
    (
        "requirements.txt",
        lambda text: "--index-url https://packages.invalid/simple\n" + text,
        "requirements.txt: not a package with its hashes: --index-url",
    ),
    (
        "requirements.txt",
        lambda text: text.replace("yarl==", "yarl==9"),
        "requirements/local.txt: yarl is not what requirements.txt says",
    ),
    (
        "requirements/dev.txt",
        with_a_stranger,
        "requirements/dev.txt: stranger is there, and nothing asks for it",
    ),
    (
        "requirements/bench.txt",
        lambda text: text.replace("numpy==2", "numpy==1"),
        "but requirements/bench.in asks for numpy~=2.4",
    ),
]


@pytest.mark.parametrize(("file", "change", "fault"), DRIFTS)
def test_each_mismatch_is_named(
    folder: Path, file: str, change: Callable[[str], str], fault: str
) -> None:
    """Each case changes one file without regenerating the others."""
    before = (folder / file).read_text()
    (folder / file).write_text(change(before))
    assert (folder / file).read_text() != before
    assert any(fault in told for told in faults_in(folder))
