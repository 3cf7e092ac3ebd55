"""The pages of a game's rules, adapted to the options of a table, with drawn examples.

The pages are data, ``data/rules/<game>.toml``::

    [rules]                             # our numbered reading of the rules, with short titles
    "3.1" = "taking"                    # shown to nobody; pages and tests cite the numbers
    [[pages]]
    key = "taking"                      # part of ids
    title = "Taking"                    # texts in English; the catalogues translate them
    when = {diagonals = true}           # options of the table; left out: always
    example = "crossing"                # a step of the game's lesson, as its first answer leaves it
    texts = [
        {text = "…", rules = "3.1 4"},              # the numbers of the rules it explains
        {text = "…", when = {players = 3}},
        {text = "Take {goal} stones.", open = "Take seven stones, or as many as agreed."},
        {text = "…", given = {third = false}},
    ]

Braces in a text name options of the table or facts of its match (``Game.facts``); ``given`` is a
condition on these. If one of them is unknown, because there is no table or its number of players is
still open, ``open`` is shown instead, or nothing if there is no ``open``.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from games.engine import Game, GameInfo

RULES: Final = Path(__file__).resolve().parent.parent / "data" / "rules"
"""The folder of the rules of the built-in games."""

PLAYERS: Final = "players"
"""The key under which options contain the number of players."""

When = Mapping[str, Any]
"""Values that options or facts must have."""

Known = Mapping[str, Any]
"""The known facts about a table: its options, the number of players, and the facts that follow from
them.
"""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of a page.

    :param when: options that the table must have.
    :param given: options or facts that must be known to have these values.
    :param open: shown instead if a value in the text or in ``given`` is unknown.
    :param rules: the numbers of the rules it explains, separated by spaces.
    """

    text: str
    when: When = field(default_factory=dict)
    given: When = field(default_factory=dict)
    open: str = ""
    rules: str = ""

    def told(self, known: Known) -> str:
        """Return the text to show, whose placeholders are all known; empty if the paragraph does
        not apply.
        """
        if not applies(self.when, known):
            return ""
        if not {*self.given, *named_values(self.text)} <= known.keys():
            return self.open
        return self.text if applies(self.given, known) else ""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the rules.

    :param example: the key of a step of the game's lesson; empty: no example.
    """

    key: str
    title: str
    paragraphs: tuple[Paragraph, ...]
    when: When = field(default_factory=dict)
    example: str = ""


def named_values(text: str) -> set[str]:
    """Return the names of the options and facts in a text: ``prizes`` for ``{prizes[0]}``."""
    names = (name for _, name, _, _ in string.Formatter().parse(text) if name)
    return {name.partition("[")[0] for name in names}


def applies(when: When, known: Known | None) -> bool:
    """Return whether a page or paragraph applies to a table.

    :param known: an option or fact missing here is undecided, so no condition on it excludes
        anything; None: no table.
    """
    known = known or {}
    return all(key not in known or known[key] == value for key, value in when.items())


def settled_options(
    info: GameInfo, given: Mapping[str, Any], players: int | None
) -> dict[str, Any]:
    """Return the options whose values are certain for a table, as ``applies`` takes them. An option
    that was not chosen has its default.

    :param given: the options that were chosen.
    :param players: None: unknown; options whose default depends on it are then left out, unless
        chosen.
    """
    options = dict[str, Any]()
    for option in info.options:
        if players is not None:
            chosen = given if option.usable(players) else {}
            options[option.key] = chosen.get(option.key, option.default_at(players))
        elif option.key in given or not option.default_for:
            options[option.key] = given.get(option.key, option.default)
    return options if players is None else {**options, PLAYERS: players}


def known_of(game: Game[Any], options: Mapping[str, Any] | None) -> Known:
    """Return the values of a table that pages may use.

    :param options: as returned by ``settled_options``; None: no particular table.
    """
    if options is None or PLAYERS not in options:
        return options or {}
    return {**options, **game.facts(options[PLAYERS], options)}


def pages_of(game_id: str, options: Mapping[str, Any] | None = None) -> Sequence[Page]:
    """Return the pages of a game's rules that apply to a table.

    :param options: see ``applies``.
    """
    return [page for page in known_pages().get(game_id, ()) if applies(page.when, options)]


@cache
def known_pages() -> dict[str, tuple[Page, ...]]:
    """Return the pages by game id. The pages of games from outside are added to this dict, and
    removed from it.
    """
    return {path.stem: read_pages(path) for path in sorted(RULES.glob("*.toml"))}


def read_pages(path: Path) -> tuple[Page, ...]:
    """Read the pages in a file; the module's docstring describes the format."""
    plain = tomllib.loads(path.read_text("utf-8"))
    return tuple(
        Page(
            page["key"],
            page["title"],
            tuple(
                Paragraph(text) if isinstance(text, str) else Paragraph(**text)
                for text in page["texts"]
            ),
            page.get("when", {}),
            page.get("example", ""),
        )
        for page in plain["pages"]
    )


def numbered_rules(path: Path) -> dict[str, str]:
    """Return the numbers of the rules in a file, with their titles."""
    titles: dict[str, str] = tomllib.loads(path.read_text("utf-8")).get("rules", {})
    return titles
