"""Every numbered rule is told on a page of the rules, and a test holds the engine to it.

The rules are numbered as in the specifications that the games were written from: sections, and the
readings of what the rulebooks leave open. ``trace/<game>.toml`` has a row for each.
"""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from play.rules import RULES, pages_of

HERE = Path(__file__).parent
TRACES = {
    path.stem: tomllib.loads(path.read_text("utf-8"))
    for path in sorted((HERE / "trace").glob("*.toml"))
}


def numbered(text: str) -> list[str]:
    """Numbers in short: ``4 5.1-3`` for 4, 5.1, 5.2 and 5.3."""
    numbers = []
    for word in text.split():
        whole, _, last = word.partition("-")
        section, _, first = whole.partition(".")
        if last:
            numbers += [f"{section}.{n}" for n in range(int(first), int(last) + 1)]
        else:
            numbers.append(whole)
    return numbers


NUMBERED = {
    "lancelot": numbered("1 2 3 3.1-2 4 5.1-18"),
    "isis": numbered("1 2 3.1-5 4 5 7.1-22"),
    "twilight": numbered("1 2 3 4 5 6 7 8.1-15"),
    "donquixote": numbered("1 2 2.1 3.1-3 4.1-3 5.1-4 6 6.1-2"),
    "isolde": numbered("2.1-4 3 4.1-8 5 5.1 6 7.1-2 8.1-9"),
}
"""The numbers of all rules, by game."""

GAMES_TRACED = sorted(NUMBERED)


@cache
def named_in(game: str) -> set[str]:
    """The names of all tests of a game's rules."""
    names: set[str] = set()
    for path in HERE.glob(f"test_{game}*.py"):
        nodes = ast.parse(path.read_text("utf-8")).body
        names |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
        names |= {node.name for node in nodes if isinstance(node, ast.AsyncFunctionDef)}
    return names


def test_every_game_with_rules_is_traced() -> None:
    """None is left out."""
    assert GAMES_TRACED == sorted(TRACES) == sorted(path.stem for path in RULES.glob("*.toml"))


@pytest.mark.parametrize("game", GAMES_TRACED)
def test_every_rule_has_its_page_and_its_test(game: str) -> None:
    """Its number is listed once, in order; the page and the test are there."""
    trace: dict[str, Any] = TRACES[game]
    assert list(trace) == NUMBERED[game]
    pages = {page.key for page in pages_of(game)}
    for number, row in trace.items():
        assert row["about"], number
        assert row["page"] in pages, number
        assert row["test"] in named_in(game), number


@pytest.mark.parametrize("game", GAMES_TRACED)
def test_every_page_tells_a_rule(game: str) -> None:
    """But those about the picture, the authors, and what knights in a group bring."""
    told = {row["page"] for row in TRACES[game].values()}
    untold = {page.key for page in pages_of(game)} - told
    assert {key for key in untold if not re.fullmatch("about|picture", key)} <= BESIDE[game]


BESIDE = {
    "lancelot": set(),
    "isis": {"thrones"},
    "twilight": {"points"},
    "donquixote": {"group"},
    "isolde": {"studies"},
}
"""Pages that tell a part of a rule whose number is traced to another one."""
