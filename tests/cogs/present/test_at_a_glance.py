"""How much a person has to read: lines are mostly short, and there are no codes."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from statistics import median

import pytest

from cogs.present.private import more_card
from cogs.present.surfaces import Surface
from data.texts import LANGUAGES, Texts, texts
from games import GAMES
from scripts.matches import all_modules
from tests.cogs.present.tables import ANNA, CODE, NAMES, Channel, opened, text_of

LINE = 80
"""The maximum median length of a line, in characters."""


def lines_of(text: str) -> list[str]:
    """The lines of a text as people see them, with mentions and timestamps filled in."""
    text = re.sub(r"<@(\d+)>", lambda found: f"@{NAMES[int(found[1]) - 1]}", text)
    return [line for line in re.sub(r"<t:[^>]*>", "in 2 days", text).splitlines() if line]


def shown_in(channel: Channel, say: Texts, rng: random.Random) -> set[str]:
    """The texts of everything shown before, during and after a match played at random."""

    def look(wanted: Iterable[Surface]) -> None:
        shown.update(map(text_of, wanted))
        more = more_card(channel.table, ANNA, say)
        shown.add("\n".join(part for part in more.parts if isinstance(part, str)))

    shown = {text_of(surface) for surface in channel.hear().values()}
    look(channel.start().values())
    channel.play_out(rng, look, share=0.25)
    return shown


@pytest.mark.full
@pytest.mark.parametrize(
    "language",
    [
        each if each == "de" else pytest.param(each, marks=pytest.mark.long)  # the longest lines
        for each in LANGUAGES
    ],
)
@pytest.mark.parametrize("game_id", GAMES)
def test_lines_are_short_and_have_no_codes(game_id: str, language: str, rng: random.Random) -> None:
    """Covers what is shown during a whole match, from the lobby to the result: messages in the
    channel, hands by direct message, and what “More…” offers.
    """
    lines = list[str]()
    for players in (min(GAMES[game_id].info.players), max(GAMES[game_id].info.players)):
        options = all_modules(GAMES[game_id], players)
        channel = Channel(opened(game_id, players, language=language, **options))
        for text in shown_in(channel, texts(language), rng):
            lines += lines_of(text)
    assert median(map(len, lines)) <= LINE
    assert [line for line in lines if CODE.search(line)] == []
