"""The pages of an analysis, in all games and languages."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from cogs.games import WORDS
from cogs.gateway.cards import BUTTONS_IN_ROW, Button, Card, Gallery
from cogs.present.analysis import beside_move, overview_card, progress_text, turn_card
from data.texts import LANGUAGES, texts
from games.engine import CHANCE
from play.analysis import TURNS_AT_MOST, Analysis, Decision, TurningPoint, position_before
from play.decide import decide
from play.judgement import POINTS, Verdict
from play.replays import replay_of
from play.table import Table
from tests.cogs.present.tables import NOON, any_move, started

pytestmark = pytest.mark.blank

PLAYERS = {"donquixote": 2, "isis": 3, "isolde": 3, "lancelot": 2, "twilight": 4}


def found_in(table: Table, rng: random.Random) -> Analysis:
    """A made-up analysis: every choice lost something, and the last five were turning points."""
    game, match = table.game, table.played
    places = [place for place, event in enumerate(match.log) if event.seat != CHANCE]
    choices = []
    for place in places:
        event = match.log[place]
        state = position_before(table.row.game, match.setup, match.log, place)
        others = [move for move in game.legal(state, event.seat) if move != event.move]
        if others:
            choices.append(Decision(place, event.seat, rng.choice(others), 0.4))
    seats = len(table.members)
    points = table.row.game in POINTS
    curve = tuple((1 / seats,) * seats for _ in places)
    turns = tuple(TurningPoint(choice, Verdict.CLEAR) for choice in choices[-TURNS_AT_MOST:])
    luck = (12.4, -12.4, *[0.0] * (seats - 2)) if game.info.hidden else ()
    return Analysis(points, tuple(places), curve, tuple(choices), turns, luck)


def text(card: Card) -> str:
    return "\n".join(part for part in card.parts if isinstance(part, str))


def drawings(card: Card) -> list[str]:
    """The descriptions of all pictures of a card."""
    galleries = [part for part in card.parts if isinstance(part, Gallery)]
    return [file.alt for part in galleries for each in part.drawings for file in each.draw()]


@pytest.mark.full
@pytest.mark.parametrize("game_id", PLAYERS)
def test_each_page_says_in_words_what_it_shows(game_id: str, rng: random.Random) -> None:
    """The overview names the players; the page of a turning point names the move and the better
    one.
    """
    table, words = started(game_id, PLAYERS[game_id]), WORDS[game_id]
    for _ in range(12):
        table = decide(table, any_move(table, rng), NOON)
    found = found_in(table, rng)
    for language in LANGUAGES:
        say = texts(language)
        overview = overview_card(table, words, found, say)
        assert all(name in text(overview) for name in table.names)
        (alt,) = drawings(overview)
        assert all(name in alt for name in table.names)
        assert say("{value} after move {n}", value="", n=len(found.places) - 1) in alt
        assert len(alt) <= 1024
        for number, turn in enumerate(found.turns, 1):
            page = turn_card(table, words, found, number, say)
            assert all(len(row) <= BUTTONS_IN_ROW for row in page.rows if isinstance(row, tuple))
            buttons = [each for row in page.rows if isinstance(row, tuple) for each in row]
            ways = [each.control for each in buttons if isinstance(each, Button)]
            (there,) = (way for way in ways if way.verb == "replay")
            assert there.argument.startswith(f"{turn.choice.place + 1}."), "after the move"
            for move in (turn.choice.best, table.played.log[turn.choice.place].move):
                assert words.move_in_words(move, table.names, say) in text(page)
        assert all(len(alt) > 20 for alt in drawings(page))


@pytest.mark.parametrize("language", LANGUAGES)
def test_doubts_about_turning_points_are_told(language: str, rng: random.Random) -> None:
    """Further costly moves and a few doubtful ones are listed by number; if there are many, they
    are only counted. If any are doubtful, the page does not say that there was no turning point.
    """
    table, words, say = started("lancelot", 2), WORDS["lancelot"], texts(language)
    for _ in range(12):
        table = decide(table, any_move(table, rng), NOON)
    found = replace(found_in(table, rng), turns=())
    places = found.places
    none = text(overview_card(table, words, found, say))
    doubtful = text(overview_card(table, words, replace(found, unclear=places[:1]), say))
    both = text(overview_card(table, words, replace(found, others=places[7:9]), say))
    (said,) = set(none.splitlines()) - set(doubtful.splitlines())
    assert said in both
    (doubt,) = set(doubtful.splitlines()) - set(none.splitlines())
    assert re.findall(r"\d+", doubt) == ["1"]
    many = text(overview_card(table, words, replace(found, unclear=places[:9]), say))
    (number,) = set(many.splitlines()) - set(none.splitlines())
    assert re.findall(r"\d+", number) == ["9"]
    (further,) = set(both.splitlines()) - set(none.splitlines())
    assert re.findall(r"\d+", further) == ["8", "9"]
    many = text(overview_card(table, words, replace(found, others=places[2:9]), say))
    (number,) = set(many.splitlines()) - set(none.splitlines())
    assert re.findall(r"\d+", number) == ["7"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_replay_comments_on_each_choice(language: str, rng: random.Random) -> None:
    """A comment says what would have been better or that the choice was good; draws by lot get no
    comment.
    """
    table, words, say = started("twilight", 4), WORDS["twilight"], texts(language)
    for _ in range(6):
        table = decide(table, any_move(table, rng), NOON)
    found = found_in(table, rng)
    good = replace(found, choices=tuple(replace(each, lost=0.0) for each in found.choices))
    replay = replay_of(table)
    by_place = {choice.place: choice for choice in found.choices}
    for moment in replay.moments(range(1, replay.last + 1)):
        choice = by_place.get(moment.ply - 1)
        told = beside_move(found, moment, words, table.names, say)
        assert bool(told) == (choice is not None)
        if choice is not None:
            assert words.move_in_words(choice.best, table.names, say) in told
            assert beside_move(good, moment, words, table.names, say) != told
            ordered = replace(found, choices=(replace(choice, best="order:1", lost=0.5),))
            starred = ("**Anna**", *table.names[1:])
            assert "****" not in beside_move(ordered, moment, words, starred, say)


@pytest.mark.parametrize(
    ("game_id", "sentences"),
    [
        (
            "lancelot",
            {
                "en": "-# Analysis: **K4** would have been better.",
                "de": "-# Analyse: **K4** wäre besser gewesen.",
            },
        ),
        (
            "twilight",
            {
                "en": "-# Analysis: **order to Ben** would have been better."
                " It gave away about 12 points.",
                "de": "-# Analyse: **Anweisung an Ben** wäre besser gewesen."
                " Das hat etwa 12 Punkte verschenkt.",
            },
        ),
    ],
)
def test_the_replay_says_what_a_move_cost(
    game_id: str, sentences: dict[str, str], rng: random.Random
) -> None:
    table, words = started(game_id, PLAYERS[game_id]), WORDS[game_id]
    table = decide(table, any_move(table, rng), NOON)
    place = len(table.played.log) - 1
    better, lost = ("K4", 0.4) if game_id == "lancelot" else ("order:2", 0.1)
    choice = Decision(place, table.played.log[place].seat, better, lost)
    found = Analysis(game_id in POINTS, (place,), ((0.5, 0.5),), (choice,), ())
    (moment,) = replay_of(table).moments([place + 1])
    for language, sentence in sentences.items():
        assert beside_move(found, moment, words, table.names, texts(language)) == sentence


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            [
                "one of several moves that are about equally good",
                "'s chances: about 58% after **K4**, about 39% after **",
            ],
        ),
        (
            "de",
            [
                "einer von mehreren etwa gleich guten Zügen",
                ": etwa 58 % nach **K4**, etwa 39 % nach **",
            ],
        ),
    ],
)
def test_a_turning_point_says_what_it_cost(
    language: str, told: list[str], rng: random.Random
) -> None:
    """A page compares the chances after the better move with those after the one played, and says
    that other moves are about as good as the better one. All of this survives being stored.
    """
    table = started("lancelot", 2)
    table = decide(table, any_move(table, rng), NOON)
    place = len(table.played.log) - 1
    choice = Decision(place, table.played.log[place].seat, "K4", 0.4)
    turn = TurningPoint(choice, Verdict.EQUAL, chances=(0.5812, 0.3904))
    found = Analysis(False, (place,), ((0.5, 0.5),), (choice,), (turn,))
    again = Analysis.from_json(found.to_json())
    page = text(turn_card(table, WORDS["lancelot"], again, 1, texts(language)))
    assert all(each in page for each in told)


def test_where_the_best_move_is_unknown_the_replay_says_so(rng: random.Random) -> None:
    """Then the move played is not said to be as good as the best."""
    table = started("lancelot", 2)
    table = decide(table, any_move(table, rng), NOON)
    place = len(table.played.log) - 1
    played = table.played.log[place]
    choice = Decision(place, played.seat, played.move, 0.0, sure=False)
    found = Analysis(False, (place,), ((0.5, 0.5),), (choice,), ())
    (moment,) = replay_of(table).moments([place + 1])
    told = beside_move(found, moment, WORDS["lancelot"], table.names, texts("en"))
    assert told == "-# Analysis: I cannot tell which move was best."


def test_the_progress_bar_goes_from_empty_to_full() -> None:
    say = texts("en")
    assert progress_text(0, 7, say).startswith("▱" * 12)
    assert progress_text(7, 7, say).startswith("▰" * 12 + " 100%")
