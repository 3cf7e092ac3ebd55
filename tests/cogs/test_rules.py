"""The rules in pages: complete, with examples, and specific to the options of the table."""

from __future__ import annotations

from typing import Any

import pytest

from cogs.features.feature import game_in
from cogs.games import WORDS
from cogs.gateway.cards import OPTIONS_IN_MENU, Gallery
from cogs.present.rules import rules_card
from data.texts import LANGUAGES, texts
from games import GAMES
from play.lessons import lesson_of
from play.rules import (
    PLAYERS,
    RULES,
    applies,
    known_of,
    named_values,
    pages_of,
    settled_options,
)
from play.table import SEATING, Refused
from tests.stage import PATIENCE, Stage, alts_of, controls, private, texts_of, verb_of

pytestmark = pytest.mark.usefixtures("no_errors")

HOUSE = sorted(path.stem for path in RULES.glob("*.toml"))

ROOM = 3500
"""The maximum number of characters of a page; a message with its frame holds 4,000."""


async def turned_to(person: Any, message: Any, page: str) -> Any:
    """The rules, opened at a page through their menu."""
    menu = next(c for c in controls(message) if c.options and verb_of(c.custom_id)[0] == "page")
    return private(await person.select(message, [page], custom_id=menu.custom_id))


def written(card: Any) -> str:
    """All texts of a card."""
    return "\n".join(part for part in card.parts if isinstance(part, str))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", HOUSE)
def test_every_page_fits(game: str, language: str) -> None:
    """Pages fit into a message and into the menu; keys differ, examples are steps of the lesson,
    and without a table no page is left out.
    """
    say, lesson = texts(language), lesson_of(game)
    assert lesson is not None
    pages = pages_of(game)
    assert len({page.key for page in pages}) == len(pages) <= OPTIONS_IN_MENU
    for page in pages:
        assert not page.example or lesson.step(page.example)
        card = rules_card(WORDS[game], say, "Zoë", page.key)
        assert len(written(card)) <= ROOM
        for paragraph in page.paragraphs:
            assert say(paragraph.told({}) or page.title) in written(card)
            assert paragraph.told({}) or paragraph.given, paragraph.text
        assert any(isinstance(part, Gallery) for part in card.parts) == bool(page.example)


def test_an_example_tells_what_the_right_answer_leads_to() -> None:
    """The first example in the rules of Lancelot places a stone."""
    (page, *_) = (page for page in pages_of("lancelot") if page.example)
    assert "places a stone on" in written(
        rules_card(WORDS["lancelot"], texts("en"), "Zoë", page.key)
    )


@pytest.mark.parametrize("game", HOUSE)
def test_conditions_name_existing_options_and_values(game: str) -> None:
    info = GAMES[game].info
    known = {option.key: option for option in info.options}
    for page in pages_of(game):
        for when in (page.when, *(paragraph.when for paragraph in page.paragraphs)):
            for key, value in when.items():
                if key == PLAYERS:
                    assert value in info.players
                else:
                    assert known[key].check(value) == value
        for paragraph in page.paragraphs:
            assert not named_values(paragraph.open)
            needed = {*paragraph.given, *named_values(paragraph.text)}
            for players in info.players:
                options = {SEATING: "lot", **settled_options(info, {}, players)}
                assert needed <= known_of(GAMES[game], options).keys()


def test_undecided_options_are_explained() -> None:
    """Until the number of players is known, rules for particular numbers are shown; options have
    their defaults.
    """
    info = GAMES["twilight"].info
    assert applies({PLAYERS: 3}, settled_options(info, {}, None))
    assert applies({PLAYERS: 3}, settled_options(info, {}, 3))
    assert not applies({PLAYERS: 3}, settled_options(info, {}, 4))
    assert not applies({"exact": True}, settled_options(info, {}, None))
    assert applies({"exact": True}, settled_options(info, {"exact": True}, 4))
    assert applies({"exact": True}, None)


def test_options_are_named_where_no_table_is_meant() -> None:
    say = texts("en")
    free = rules_card(WORDS["lancelot"], say, "Zoë", "diagonals")
    assert "Only with: Diagonals" in written(free)
    at_table = rules_card(WORDS["lancelot"], say, "Zoë", "diagonals", {"diagonals": True})
    assert "Only with" not in written(at_table)
    assert "Diagonals" not in written(rules_card(WORDS["lancelot"], say, "Zoë", "goal"))


def test_three_players_read_the_rules_for_three() -> None:
    """In Twilight, partners (for four players) and exact goals (unless used) are left out; other
    rules depend on how long one person plays alone.
    """
    rules = {
        lone: _all_rules("twilight", {PLAYERS: 3, "lone": lone, "exact": False})
        for lone in ("rotating", "rounds", "fixed")
    }
    for lone, text in rules.items():
        assert "partners sit opposite" not in text
        assert "333" not in text
        assert ("Everyone scores separately" in text) == (lone != "fixed")
        assert ("Players with equal totals share the victory" in text) == (lone != "fixed")
        assert ("play another deal" in text) == (lone == "fixed")
    assert "only after a complete round of three deals" in rules["rounds"]
    assert "partners sit opposite" in _all_rules("twilight", {PLAYERS: 4, "lone": "rotating"})


def test_prizes_that_a_variant_replaces_are_not_mentioned() -> None:
    info = GAMES["isolde"].info
    assert "17, 10" in _all_rules("isolde", settled_options(info, {}, 4))
    assert "17, 10" not in _all_rules("isolde", settled_options(info, {"gral": True}, 4))


def _all_rules(game: str, options: dict[str, Any]) -> str:
    say = texts("en")
    keys = [page.key for page in pages_of(game, options)]
    cards = [rules_card(WORDS[game], say, "Zoë", key, options) for key in keys]
    return "\n".join(written(card) for card in cards)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", HOUSE)
def test_each_item_of_a_list_has_a_line_of_its_own(game: str, language: str) -> None:
    """Within a line, Discord would show the dashes of later items as plain text."""
    say = texts(language)
    for page in pages_of(game):
        options = settled_options(GAMES[game].info, {}, GAMES[game].info.players[-1])
        known = known_of(GAMES[game], {SEATING: "lot", **options})
        values = {name: known[name] for each in page.paragraphs for name in named_values(each.text)}
        items = [say(each.text, **values) for each in page.paragraphs]
        assert not any(item.startswith("- ") and " - " in item for item in items)


def test_the_first_page_has_the_options_of_the_table() -> None:
    """The number of stones is shown once it is known: it depends on the number of players."""
    say, info = texts("en"), GAMES["lancelot"].info
    told = "**At this table:** Stones to take: 4 · Diagonals · Starting player: by lot"
    chosen = settled_options(info, {"goal": 4, "diagonals": True}, 2)
    assert told in written(rules_card(WORDS["lancelot"], say, "Zoë", "", chosen))
    assert "At this table" not in written(rules_card(WORDS["lancelot"], say, "Zoë", "turn", chosen))
    for players, stones in ((2, "7 ·"), (5, "10 ·")):
        card = rules_card(WORDS["lancelot"], say, "Zoë", "", settled_options(info, {}, players))
        assert f"Stones to take: {stones}" in written(card)
    for options in (settled_options(info, {}, None), None):
        card = rules_card(WORDS["lancelot"], say, "Zoë", "", options)
        assert "Stones to take" not in written(card)


async def test_a_table_shows_its_own_rules(stage: Stage) -> None:
    stage.env.settle_timeout = PATIENCE
    anna = stage.people["Anna"]
    await anna.slash(stage.channel, "isis new", players=2, retreat=True)
    rules = private(await stage.press_more("Anna", "rules"))
    page = await turned_to(anna, rules, "isis.directions")
    assert "may go backwards there in the same move" in texts_of(page)
    assert "does not turn back" not in texts_of(page)
    assert alts_of(page)
    ending = await turned_to(anna, page, "isis.end")
    assert "You play on for places" not in texts_of(ending)


async def test_a_lobby_tells_how_its_seats_are_given(stage: Stage) -> None:
    stage.env.settle_timeout = PATIENCE
    await stage.people["Anna"].slash(stage.channel, "twilight new", seating="joined")
    rules = private(await stage.press_more("Anna", "rules"))
    assert "the first and the third play together" in texts_of(rules)
    assert "Partners are drawn at random" not in texts_of(rules)
    assert "Only with: 4 players" in texts_of(rules)


@pytest.mark.parametrize("game", HOUSE)
def test_authors_are_named(game: str) -> None:
    about = written(rules_card(WORDS[game], texts("en"), "Zoë", "about"))
    assert AUTHORS[game] in about


AUTHORS = {
    "donquixote": "Reinhard Staupe and was published by Pegasus Spiele in 2010",
    "isis": "Horst Alexander Renz and was published by PHARAO-Brettspiele",
    "isolde": "Nicolas Poncin and was published by Schmidt Spiele in 2015",
    "lancelot": "Roland Siegers and was published by Mattel in 1990",
    "twilight": "Wolfgang Werner, with art by Robert Korschofski, and was published by Bambus",
}


@pytest.mark.parametrize("argument", ["", "chess", "{0}"])
def test_the_rules_of_an_unknown_game_are_stale(argument: str) -> None:
    with pytest.raises(Refused) as refusal:
        game_in(argument)
    assert refusal.value.code == "stale"
