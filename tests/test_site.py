"""The site has every game's rules and lesson in every language, and builds without errors."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from importlib import import_module
from itertools import product
from pathlib import Path

import pytest

from cogs.present.lessons import title_of
from data.texts import LANGUAGES, texts
from games import GAMES
from play.lessons import lesson_of
from play.rules import pages_of
from scripts.site import pages as pages_of_the_site
from scripts.site.pages import CONFIG, ROOT, file_of, lay_out
from tests.outside.surface import MODULES

PYTHON = ROOT / ".venv" / "docs" / "bin" / "python"

pytestmark = pytest.mark.blank

INVENTORY = (ROOT / "docs" / "inventory.md").read_text("utf-8")

ELSEWHERE = re.compile(
    r"""<(?:script|link|img|iframe)[^>]*(?:src|href)=["']?(?:https?:)?//[^>]*>"""
)
"""Matches anything that a browser would fetch from another server."""


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the prepared files as ``scripts/docs`` does."""
    if not PYTHON.exists():
        assert not os.environ.get("CI"), "scripts/test installs MkDocs"
        pytest.skip("MkDocs is not installed: run scripts/docs once")
    command = [
        str(PYTHON),
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "--config-file",
        f"{folder}/mkdocs.yml",
    ]
    settings = {"PROJECT": str(ROOT), "NO_MKDOCS_2_WARNING": "1", "PATH": os.environ["PATH"]}
    settings["SEARCH"] = "false"  # the index takes a fifth of the time, and nobody searches
    return subprocess.run(command, env=settings, capture_output=True, text=True, check=False)


def check_game(folder: Path, game_id: str, language: str) -> None:
    """Check that all rules and steps are present with their titles and described pictures."""
    say, lesson = texts(language), lesson_of(game_id)
    assert lesson is not None
    titles = {
        "rules": [say(page.title) for page in pages_of(game_id)],
        "lesson": [title_of(step, say) for step in lesson.steps],
    }
    for part, expected in titles.items():
        page = (folder / file_of(f"{game_id}-{part}", language)).read_text("utf-8")
        assert set(expected) <= set(re.findall(r"^##+ (.+)$", page, re.MULTILINE))
        pictures = re.findall(r"^ *!\[(.+)\]\((pictures/\w+\.png)\)", page, re.MULTILINE)
        assert len(pictures) >= len(expected) // 2
        assert all((folder / file).exists() for _, file in pictures)
    assert page.count("??? success") == len(lesson.steps)


@pytest.mark.full
@pytest.mark.parametrize(
    "languages", [("en", "fr"), pytest.param(("de", "es"), marks=pytest.mark.long)]
)
def test_the_site_builds(
    languages: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The site has all games in these languages, without dead links or missing pictures, and a
    browser fetches nothing from other servers.
    """
    monkeypatch.setattr(pages_of_the_site, "LANGUAGES", {key: LANGUAGES[key] for key in languages})
    lay_out(tmp_path)
    play = tmp_path / "pages" / "play"
    for game_id, language in product(GAMES, languages):
        check_game(play, game_id, language)
    parts = ["README", *("-".join(each) for each in product(GAMES, ("rules", "lesson")))]
    for name, language in product(parts, LANGUAGES.keys() - languages):
        (play / file_of(name, language)).write_text("# Elsewhere\n", "utf-8")
    done = build(tmp_path)
    assert done.returncode == 0, done.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 50
    for page in pages:
        assert not ELSEWHERE.findall(page.read_text("utf-8")), page
    reference = (tmp_path / "site/docs/games/reference.html").read_text("utf-8")
    named = {f"{module}.{name}" for module in MODULES for name in import_module(module).__all__}
    assert named | {"tafelrunde.engine.Game.legal"} <= set(re.findall(r' id="([^"]+)"', reference))


@pytest.mark.full
def test_a_dead_link_is_an_error(tmp_path: Path) -> None:
    """A missing picture or anchor, or a page that is not in the navigation, is an error, too."""
    shutil.copyfile(CONFIG, tmp_path / CONFIG.name)
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "lost.md").write_text(
        "[nothing](nothing.md) ![none](none.png) [no part](lost.md#no-such-part)", "utf-8"
    )
    done = build(tmp_path)
    assert done.returncode == 1
    for fault in (
        "'nothing.md'",
        "'none.png'",
        "'lost.md#no-such-part'",
        'not included in the "nav"',
    ):
        assert fault in done.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_read_about_existing_commands(language: str) -> None:
    """Pages use the command names of the reader's language."""
    say = texts(language)
    page = (ROOT / "docs" / file_of("players", language)).read_text("utf-8")
    commands = set(re.findall(r"`/([\w -]+?)(?: \w+:\S+)?`", page))
    english = (line.split("`")[1] for line in INVENTORY.splitlines() if line.startswith("| `/"))
    known = {" ".join(say.named(word) for word in name[1:].split()) for name in english}
    assert len(commands) > 15
    assert commands <= known
