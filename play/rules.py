"""The rules of a game by pages, each with a drawn example, true to the options of a table.

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
"""The folder of the rules of the house's games."""

PLAYERS: Final = "players"
"""Beside the options: how many play."""

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
    """Whether something belongs to a table with these options.

    :param options: what is not in them is not decided yet; None: no table is meant.
    """
    options = options or {}
    return all(key not in options or options[key] == value for key, value in when.items())


def settled_options(
    info: GameInfo, given: Mapping[str, Any], players: int | None
) -> dict[str, Any]:
    """What is decided about a table, as ``applies`` takes it; what cannot be chosen is as it comes.

    :param given: the options that were chosen.
    :param players: None: not known yet, nor is an option that goes by their number.
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
    """The pages of a game's rules, without those that do not belong to a table.

    :param options: as for ``applies``.
    """
    return [page for page in known_pages().get(game_id, ()) if applies(page.when, options)]


@cache
def known_pages() -> dict[str, tuple[Page, ...]]:
    """The pages by the ids of their games; those of games from outside are put in and taken out."""
    return {path.stem: read_pages(path) for path in sorted(RULES.glob("*.toml"))}


def read_pages(path: Path) -> tuple[Page, ...]:
    """The pages in a file, as the top of the module says."""
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
