"""The privacy pages name everything that is stored, in every language, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from data.jobs import SCHEMA, Jobs
from data.restore import restore
from data.store.store import Store
from tests.data.later import NEXT, know
from tests.data.samples import started
from tests.play.test_distant import serving
from tests.postgres import shared_server
from tests.stores import looking_into

DOCS = Path(__file__).parent.parent / "docs"

PAGES = {path.name: path for path in sorted(DOCS.glob("privacy*.md"))}
"""The pages on privacy, by file: ``privacy.md`` in English, ``privacy.<language>.md`` in others."""

WHERE = re.compile(r"`([\w.]+)`: ((?:`\w+`(?:, )?)+)$")
"""The last cell of a row: a table of the database and its columns; the schema precedes the name of
a table of the queue.
"""


def rows(page: str) -> list[list[str]]:
    """The body rows of a page's tables, as lists of cells."""
    lines = [line for line in page.splitlines() if line.startswith("| ") and "---" not in line]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if "`" in row[0] or "`" in row[-1]]


@pytest.mark.parametrize("page", PAGES)
async def test_every_column_is_named_with_its_reason(page: str, tmp_path: Path) -> None:
    store = await Store.open(tmp_path / "house.sqlite3")
    names = await store.database.fetch("SELECT name FROM sqlite_master WHERE type = 'table'")
    schema = {
        name: [column[1] for column in await store.database.fetch(f"PRAGMA table_info({name})")]
        for (name,) in names
    }
    await store.close()
    named = named_on(PAGES[page])
    assert {table: named[table] for table in named if "." not in table} == schema


@pytest.mark.slow("server")
@pytest.mark.parametrize("page", PAGES)
async def test_every_column_of_the_queue_is_named(page: str) -> None:
    with shared_server().house() as house:
        jobs = Jobs(house)
        async with serving(house, "Ada", []):
            await jobs.ask("hello", 20)
        await jobs.close()
        with looking_into(house) as db:
            found = db.execute(
                """SELECT table_name, column_name FROM information_schema.columns
                WHERE table_schema = ? ORDER BY table_name, ordinal_position""",
                [SCHEMA],
            ).fetchall()
    schema: dict[str, list[str]] = {}
    for table, column in found:
        schema.setdefault(f"{SCHEMA}.{table}", []).append(column)
    named = named_on(PAGES[page])
    assert {table: named[table] for table in named if "." in table} == schema != {}


def named_on(page: Path) -> dict[str, list[str]]:
    """The tables that a page names with their columns."""
    named: dict[str, list[str]] = {}
    for row in rows(page.read_text("utf-8")):
        if place := WHERE.fullmatch(row[-1]):
            assert len(row) == 4
            assert all(row)
            assert place[1] not in named
            named[place[1]] = re.findall(r"`(\w+)`", place[2])
    return named


@pytest.mark.parametrize("page", PAGES)
async def test_every_file_is_named(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files appear next to the database when the bot runs, is upgraded, or goes back to a copy."""
    file = tmp_path / "tafelrunde.sqlite3"
    seen = set()
    await (await Store.open(file)).close()
    know(monkeypatch, NEXT)
    store = await Store.open(file)
    await started(store, 77)
    await store.backup(tmp_path / "copy")
    seen |= files(tmp_path)
    await store.close()
    restore(tmp_path / "copy", file)
    seen |= files(tmp_path)
    named = {
        name
        for row in rows(PAGES[page].read_text("utf-8"))
        for name in re.findall(r"`(tafelrunde\.sqlite3\S*?)`", row[0])
    }
    assert any("backup" in name for name in seen)
    assert any("replaced" in name for name in seen)
    assert seen - {"copy", file.name} <= {kind(name) for name in named}


def files(folder: Path) -> set[str]:
    """The kinds of files in a directory."""
    return {kind(path.name) for path in folder.iterdir()}


def kind(file: str) -> str:
    """The name of a file, with 0 for a version or date."""
    return re.sub(r"(?<=\.v)\d+|\d+-\d+-\d+", "0", file)


@pytest.mark.parametrize("name", ["privacy", "terms"])
def test_all_languages_have_the_same_content(name: str) -> None:
    """The pages have equal numbers of sections, table rows and list items, and all relative
    links lead somewhere.
    """
    pages = [path.read_text("utf-8") for path in sorted(DOCS.glob(f"{name}*.md"))]
    assert len(pages) == len(PAGES) > 1
    marks = [re.findall(r"^(?:#+|\||-|\d+\.)(?= )", page, re.MULTILINE) for page in pages]
    assert all(found == marks[0] for found in marks)
    for page in pages:
        for target in re.findall(r"\]\((?!https:)([^)]+)\)", page):
            assert (DOCS / target.partition("#")[0]).exists()
