"""How much a person has to read: lines are mostly short, and there are no codes."""

from __future__ import annotations

import random
import re
from statistics import median

import pytest

from cogs.present.private import more_card
from data.texts import LANGUAGES, texts
from games import GAMES
from scripts.matches import all_modules
from tests.cogs.present.tables import ANNA, CODE, NAMES, Channel, any_move, opened, text_of

LINE = 80
"""The maximum median length of a line, in characters."""


def lines_of(text: str) -> list[str]:
    """The lines of a text as people see them, with mentions and timestamps filled in."""
    text = re.sub(r"<@(\d+)>", lambda found: f"@{NAMES[int(found[1]) - 1]}", text)
    return [line for line in re.sub(r"<t:[^>]*>", "in 2 days", text).splitlines() if line]


@pytest.mark.full
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", GAMES)
def test_lines_are_short_and_have_no_codes(game_id: str, language: str, rng: random.Random) -> None:
    """Covers everything shown during a whole match, from the lobby to the result: messages in the
    channel, hands by direct message, and what “More…” offers.
    """
    say, lines = texts(language), list[str]()
    for players in (min(GAMES[game_id].info.players), max(GAMES[game_id].info.players)):
        options = all_modules(GAMES[game_id], players)
        channel = Channel(opened(game_id, players, language=language, **options))
        shown = {text_of(surface) for surface in channel.hear().values()}
        wanted = channel.start()
        while channel.table.awaited:
            table = channel.table
            shown |= {text_of(surface) for surface in wanted.values()}
            more = more_card(table, ANNA, say)
            shown.add("\n".join(part for part in more.parts if isinstance(part, str)))
            wanted = channel.act(any_move(table, rng))
        shown |= {text_of(surface) for surface in wanted.values()}
        lines += [line for text in shown for line in lines_of(text)]
    assert median(map(len, lines)) <= LINE
    assert [line for line in lines if CODE.search(line)] == []
