"""Every numbered rule is explained on a page in all languages, and has a test of the engine.

The numbers, with short titles, are in the table ``[rules]`` of ``data/rules/<game>.toml``.
Paragraphs of the game's pages name the rules that they explain, and tests name those they cover,
by ``@pytest.mark.rule("lancelot", "3.1", "5.4")``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from data.texts import LANGUAGES, SOURCE, texts
from play.rules import RULES, Paragraph, named_values, numbered_rules, pages_of

HERE = Path(__file__).parent
GAMES_TRACED = sorted(path.stem for path in RULES.glob("*.toml"))

BESIDE = {"about"}
"""Pages that do not explain rules."""


def numbers_of(game: str) -> list[str]:
    """The numbers of all rules of a game."""
    return list(numbered_rules(RULES / f"{game}.toml"))


def expanded(text: str) -> list[str]:
    """Expand abbreviated numbers: ``4 5.1-3`` gives 4, 5.1, 5.2 and 5.3."""
    numbers = []
    for word in text.split():
        whole, _, last = word.partition("-")
        section, _, first = whole.partition(".")
        if last:
            numbers += [f"{section}.{n}" for n in range(int(first), int(last) + 1)]
        else:
            numbers.append(whole)
    return numbers


READ = {
    "lancelot": "1 2 3 3.1-2 4 5.1-18",
    "isis": "1 2 3.1-5 4 5 7.1-22",
    "twilight": "1 2 3 4 5 6 7 8.1-15",
    "donquixote": "1 2 2.1 3.1-3 4.1-3 5.1-4 6 6.1-2",
    "isolde": "2.1-4 3 4.1-8 5 5.1 6 7.1-2 8.1-9",
}
"""The rules in the specifications of the games."""


def marked() -> Iterator[tuple[str, str, str]]:
    """All rule marks of tests: the test's name, the game, and a number."""
    for path in sorted(HERE.glob("test_*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for each in node.decorator_list:
                    if isinstance(each, ast.Call) and ast.unparse(each.func) == "pytest.mark.rule":
                        game, *numbers = [ast.literal_eval(argument) for argument in each.args]
                        yield from ((f"{path.name}::{node.name}", game, n) for n in numbers)


def paragraphs(game: str) -> Iterator[tuple[str, Paragraph]]:
    """All paragraphs with the keys of their pages."""
    for page in pages_of(game):
        yield from ((page.key, paragraph) for paragraph in page.paragraphs)


def test_all_rules_that_were_read_are_listed() -> None:
    assert sorted(READ) == GAMES_TRACED
    for game, numbers in READ.items():
        assert numbers_of(game) == expanded(numbers)
        assert all(numbered_rules(RULES / f"{game}.toml").values())


@pytest.mark.parametrize("game", GAMES_TRACED)
def test_every_rule_is_explained(game: str) -> None:
    told = {number for _, each in paragraphs(game) for number in each.rules.split()}
    assert told == {*numbers_of(game)}
    for language in (language for language in LANGUAGES if language != SOURCE):
        say = texts(language)
        for _, each in paragraphs(game):
            values = dict.fromkeys(named_values(each.text), "…")
            assert say(each.text, **values) != each.text.format(**values)
            assert not each.open or say(each.open) != each.open


@pytest.mark.parametrize("game", GAMES_TRACED)
def test_every_paragraph_rests_on_rules(game: str) -> None:
    """Every paragraph names its rules, except on pages without rules or if it only introduces a
    list.
    """
    for page, each in paragraphs(game):
        opens_list = each.text.endswith(":")
        assert bool(each.rules) != (page in BESIDE or opens_list), each.text


@pytest.mark.parametrize("game", GAMES_TRACED)
def test_every_rule_is_guarded_by_a_test(game: str) -> None:
    guarded = {number for _, marked_game, number in marked() if marked_game == game}
    assert guarded == {*numbers_of(game)}


def test_tests_name_games_that_have_rules() -> None:
    """A test that is marked with a game's rule is in a file of that game."""
    for test, game, _ in marked():
        assert game in GAMES_TRACED
        assert test.startswith(f"test_{game}"), test
