"""``docs/permissions.md`` agrees with what happens when people in every role try everything."""

from __future__ import annotations

from itertools import chain

import pytest

from tests import permissions
from tests.permissions import DOC, SECTIONS

TEXT = DOC.read_text("utf-8")
PAGE = permissions.read(TEXT)

HARDEST_FIRST = sorted(SECTIONS, key=lambda heading: len(SECTIONS[heading][1]), reverse=True)


async def test_every_command_and_control_has_a_row() -> None:
    """A new command or control needs a row on the page and an attempt."""
    told = set(chain.from_iterable(PAGE.values()))
    assert told == await permissions.inventory()
    assert {heading: list(rows) for heading, rows in PAGE.items()} == {
        heading: list(rows) for heading, (_, rows) in SECTIONS.items()
    }


@pytest.mark.blank
@pytest.mark.full
@pytest.mark.parametrize("heading", HARDEST_FIRST)
async def test_people_may_do_what_the_page_says(heading: str) -> None:
    """Every refusal is a sentence that the person reads, with a German translation."""
    found, problems = await permissions.tried(heading)
    assert problems == []
    told = PAGE[heading]
    wrong = [
        f"{row} by {column}: {cell!r}, but the page says {told[row][column]!r}"
        for row, cells in found.items()
        for column, cell in cells.items()
        if told[row][column] != cell
    ]
    assert wrong == []


def test_the_page_is_written_as_it_is_read() -> None:
    """Reading the page and writing it again changes nothing: refusals are numbered in order, and
    each is used.
    """
    assert permissions.written(TEXT, PAGE) == TEXT
