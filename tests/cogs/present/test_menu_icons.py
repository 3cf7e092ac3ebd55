"""Every icon in a menu exists."""

from __future__ import annotations

import random

import pytest

from cogs.games import WORDS
from cogs.present.choices import menu_of
from data.texts import texts
from games import GAMES
from play.decide import decide
from render.icons import ICONS
from tests.cogs.present.tables import any_move, started

SAY = texts("en")
PIECES = {
    "isis": "isis_",
    "twilight": "twilight_",
    "donquixote": "quixote_",
    "isolde": "isolde_",
}
"""Games in which stones, cards, tiles or boards are chosen, each with the prefix of its icons'
keys.
"""


@pytest.mark.parametrize("game", GAMES)
def test_icons_in_menus_exist(game: str, rng: random.Random) -> None:
    table, offered = started(game, GAMES[game].info.players[-1]), set[str]()
    for _ in range(60):
        for seat in table.awaited:
            menu = menu_of(table, WORDS[game], SAY, seat, table.played.view(seat))
            offered |= {choice.icon for group in menu.groups for choice in group.choices}
        if table.awaited:
            table = decide(table, any_move(table, rng), table.row.moved_at)
    assert offered <= {"", *ICONS}
    if game in PIECES:
        assert any(icon.startswith(PIECES[game]) for icon in offered)
