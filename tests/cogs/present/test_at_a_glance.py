"""How much a person has to look through: controls below boards, long lines, and codes."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from statistics import median

import pytest

from cogs.games import WORDS
from cogs.gateway.cards import Card, PersonSelect, Select
from cogs.present.board import CONTROLS, board_card
from cogs.present.private import hand_card, more_card
from data.texts import LANGUAGES, Texts, texts
from games import GAMES
from play.decide import decide
from play.table import Table
from scripts.matches import all_modules
from tests.cogs.present.tables import ANNA, NAMES, NOON, Channel, any_move, opened, started, text_of

LINE = 80
"""Characters of the median line."""

CODE = re.compile(
    r"\b(?:[SM](?:P|C[1-5]|L[3-7]|H[1-3])|(?:CH|WM)[1-6]r?|KN(?:0[1-9]|10)r?|[A-Z]{4,}[2-5])\b"
)
"""How cards and tiles are typed."""

SETUPS = [
    pytest.param(game_id, players, bare, id=f"{game_id}-{players}-{'bare' if bare else 'all'}")
    for game_id, game in GAMES.items()
    for players in game.info.players
    for bare in (True, False)
]


def controls_of(card: Card) -> int:
    """Buttons and menus below a message."""
    return sum(1 if isinstance(row, Select | PersonSelect) else len(row) for row in card.rows)


def match(game_id: str, players: int, bare: bool, rng: random.Random) -> Iterator[Table]:
    """A table of people from the start to the end of random play."""
    table = started(game_id, players, **({} if bare else all_modules(GAMES[game_id], players)))
    yield table
    while table.awaited:
        table = decide(table, any_move(table, rng), NOON)
        yield table


@pytest.mark.parametrize(("game_id", "players", "bare"), SETUPS)
def test_a_board_has_at_most_eight_controls_and_no_codes(
    game_id: str, players: int, bare: bool, rng: random.Random
) -> None:
    """For everyone, and for a person in direct messages, who chooses below it. What a move is
    called, in answers, hints and questions and on buttons, is no code, and tells it from others.
    """
    words, most = WORDS[game_id], 0
    for table in match(game_id, players, bare, rng):
        say = texts(rng.choice(sorted(LANGUAGES)))
        for own in (None, *table.awaited[:1]):
            count = controls_of(board_card(table, words, say, table.revision, own))
            assert count <= CONTROLS, (say.language, own, count)
            most = max(most, count)
        for seat in table.awaited[:1]:
            legal = table.legal(seat)
            menu = words.menu(table.played.view(seat), legal, "", NAMES, say)
            named = [words.move_in_words(move, NAMES, say) for move in legal]
            labels = [choice.label for group in menu.groups for choice in group.choices]
            assert [text for text in (*named, *labels, menu.prompt) if CODE.search(text)] == []
            assert len({*named}) == len(named), sorted(named)
    assert most > 2


def lines_of(text: str) -> list[str]:
    """Its lines as people see them: with names for mentions and a moment for a time."""
    text = re.sub(r"<@(\d+)>", lambda found: f"@{NAMES[int(found[1]) - 1]}", text)
    return [line for line in re.sub(r"<t:[^>]*>", "in 2 days", text).splitlines() if line]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", GAMES)
def test_lines_are_short_and_have_no_codes(game_id: str, language: str, rng: random.Random) -> None:
    """In all that stands in a whole match, from the lobby to the result, and in the hands."""
    say, lines = texts(language), list[str]()
    for players in (min(GAMES[game_id].info.players), max(GAMES[game_id].info.players)):
        options = all_modules(GAMES[game_id], players)
        channel = Channel(opened(game_id, players, language=language, **options))
        shown = {text_of(surface) for surface in channel.hear().values()}
        wanted = channel.start()
        while channel.table.awaited:
            table = channel.table
            shown |= {text_of(surface) for surface in wanted.values()}
            shown |= set(_private(table, say))
            wanted = channel.act(any_move(table, rng))
        shown |= {text_of(surface) for surface in wanted.values()}
        lines += [line for text in shown for line in lines_of(text)]
    assert median(map(len, lines)) <= LINE
    assert [line for line in lines if CODE.search(line)] == []


def _private(table: Table, say: Texts) -> Iterator[str]:
    """The hand of each player and what else one may ask for."""
    words = WORDS[table.row.game]
    cards = [more_card(table, ANNA, say)]
    if table.game.info.hidden:
        cards += [hand_card(table, words, say, seat) for seat in range(len(table.members))]
    for card in cards:
        yield "\n".join(part for part in card.parts if isinstance(part, str))
