"""The pages of a game's rules, each with a drawn example, matching the options of a table.

The pages are data, ``data/rules/<game>.toml``::

    [[pages]]
    key = "taking"                      # travels in ids
    title = "Taking"                    # texts in English; the catalogues have the others
    when = {diagonals = true}           # of the table; left out: always
    texts = ["…", {text = "…", when = {players = 3}}]
    example = "crossing"                # a step of the game's lesson, as its first answer leaves it
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from games.engine import GameInfo

RULES: Final = Path(__file__).resolve().parent.parent / "data" / "rules"
"""The folder of the rules of the built-in games."""

PLAYERS: Final = "players"
"""An additional key of the options: the number of players."""

When = Mapping[str, Any]
"""Values that options must have."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph of a page."""

    text: str
    when: When = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the rules.

    :param example: the key of a step of the game's lesson; empty: there is none.
    """

    key: str
    title: str
    paragraphs: tuple[Paragraph, ...]
    when: When = field(default_factory=dict)
    example: str = ""


def applies(when: When, options: Mapping[str, Any] | None) -> bool:
    """Whether a page or paragraph belongs to a table with these options.

    :param options: an option that is missing is undecided, so it excludes nothing; None: no table.
    """
    options = options or {}
    return all(key not in options or options[key] == value for key, value in when.items())


def settled_options(
    info: GameInfo, given: Mapping[str, Any], players: int | None
) -> dict[str, Any]:
    """The options that are settled for a table, in the form that ``applies`` takes. An option that
    was not chosen has its default.

    :param given: the options that were chosen.
    :param players: None: unknown, so options whose default depends on it are unsettled.
    """
    options = {
        option.key: given.get(
            option.key, option.default if players is None else option.default_at(players)
        )
        for option in info.options
        if option.key in given or players is not None or not option.default_for
    }
    return options if players is None else {**options, PLAYERS: players}


def pages_of(game_id: str, options: Mapping[str, Any] | None = None) -> Sequence[Page]:
    """The pages of a game's rules that apply to a table.

    :param options: see ``applies``.
    """
    return [page for page in known_pages().get(game_id, ()) if applies(page.when, options)]


@cache
def known_pages() -> dict[str, tuple[Page, ...]]:
    """The pages by game id. Games from outside add theirs to it, and remove them."""
    return {path.stem: read_pages(path) for path in sorted(RULES.glob("*.toml"))}


def read_pages(path: Path) -> tuple[Page, ...]:
    """The pages in a file of the format at the top of the module."""
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
