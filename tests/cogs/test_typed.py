"""Typed moves: the notation shown is accepted, and garbled input is not guessed."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from cogs.games import WORDS
from cogs.present.refusals import explain
from data.texts import LANGUAGES, texts
from games import GAMES
from games.engine import CHANCE, Game, IllegalMove, Move
from games.isolde.notation import SIGNS
from games.spelling import plain
from play.table import RefusedByRules
from render.theme import SEATS
from tafelrunde.testing.laws import random_setup

SEED = os.environ.get("TAFELRUNDE_TEST_SEED", "typed")
NAMES = ("Anna", "Ben", "Clara", "David", "Emma")
HOUSE = ("donquixote", "isis", "isolde", "lancelot", "twilight")
GARBLED = 1000
ODD: list[str] = [
    *"abcdefgknrstwxyz0123456789 -:>+,.()/",
    "turned",
    "(r)",
    "(",
    ")",
    " 7",
    " und",
    "?",
    "ß",
]
"""Pieces to garble a text with."""


def positions(game: Game[Any], rng: random.Random, matches: int) -> Iterator[tuple[Any, int]]:
    """Positions of random matches, each with a seat to move."""
    for _ in range(matches):
        state = game.start(random_setup(game, rng.choice(game.info.players), rng))
        for _ in range(rng.randrange(20, 200)):
            actors = game.actors(state)
            if not actors:
                break
            seat = rng.choice(actors)
            if seat == CHANCE:
                game.do(state, seat, game.sample(state, rng))
            else:
                yield state, seat
                game.do(state, seat, game.random_move(state, seat, rng))


def parsed(game: Game[Any], state: Any, seat: int, text: str) -> Move | None:
    try:
        return game.parse(state, seat, game.typed(text, NAMES))
    except IllegalMove:
        return None


@pytest.fixture
def luck(request: pytest.FixtureRequest) -> random.Random:
    """A generator whose seed is printed."""
    print(f"TAFELRUNDE_TEST_SEED={SEED}")
    return random.Random(f"{SEED} {request.node.name}")


@pytest.mark.full
@pytest.mark.parametrize("game_id", HOUSE)
def test_every_shown_notation_is_understood(game_id: str, luck: random.Random) -> None:
    """Covers legal moves as written in notation and as named in refusals, in all languages, in
    upper and lower case.
    """
    game, words = GAMES[game_id], WORDS[game_id]
    met = set[str]()
    for state, seat in positions(game, luck, 4):
        legal = game.legal(state, seat)
        for move in luck.sample(legal, min(3, len(legal))):
            met.add(game.phase(state))
            assert parsed(game, state, seat, move) == move
            for language in LANGUAGES:
                text = words.coded(move, NAMES, texts(language))
                assert parsed(game, state, seat, text) == move, text
                assert parsed(game, state, seat, f" {text.upper()} ") == move, text
    assert met


def vocabulary(game_id: str) -> set[str]:
    """The words in the constants of a game's ``notation`` module."""
    module = GAMES[game_id].notation  # type: ignore[attr-defined]
    found = set[str]()
    for name, value in vars(module).items():
        if name.isupper() or name.startswith("_"):
            source = value.pattern if isinstance(value, re.Pattern) else repr(value)
            found |= set(re.findall(r"[a-z]+", plain(source)))
    return found


@pytest.mark.parametrize("game_id", HOUSE)
def test_garbled_moves_are_refused_or_mean_what_they_say(game_id: str, luck: random.Random) -> None:
    """A garbled text is refused, or parsed as a move with the same numbers in the same order. If it
    is parsed, each of its words is a word of the game or the beginning of one.
    """
    game, words = GAMES[game_id], WORDS[game_id]
    taken = 0
    texts_tried = 0
    known = vocabulary(game_id)
    for state, seat in positions(game, luck, 100):
        if texts_tried >= GARBLED:
            break
        legal = game.legal(state, seat)
        for move in luck.sample(legal, min(4, len(legal))):
            for language in LANGUAGES:
                texts_tried += 1
                said = luck.choice([move, words.coded(move, NAMES, texts(language))])
                text = garbled(said, luck)
                got = parsed(game, state, seat, text)
                if got is None:
                    continue
                taken += 1
                shown = [got, *(words.coded(got, NAMES, texts(each)) for each in LANGUAGES)]
                assert numbers(text) in map(numbers, shown), (text, got)
                whole = {"".join(re.findall("[a-z]+", plain(form))) for form in shown}
                every = known | whole | letters(*shown, *NAMES)
                assert any(
                    all(any(each.startswith(word) for each in every) for word in letters(spelling))
                    for spelling in (text, *fewer_blanks(text))
                ), (text, got)
    assert texts_tried >= GARBLED > taken > 0


def garbled(text: str, rng: random.Random) -> str:
    """A text with something inserted, removed, swapped or appended."""
    at = rng.randrange(len(text) + 1)
    match rng.randrange(4):
        case 0:
            put_in: str = rng.choice(ODD)
            return text[:at] + put_in + text[at:]
        case 1:
            return text[:at] + text[at + 1 :]
        case 2:
            return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]
        case _:
            behind: str = rng.choice(["(xyz)", "(7)", "x", "9", "(", "turned twice", "r r"])
            return f"{text} {behind}"


def fewer_blanks(text: str) -> Iterator[str]:
    """The text without one of its blanks, and without any: blanks never matter."""
    yield text.replace(" ", "")
    yield from (text[: m.start()] + text[m.end() :] for m in re.finditer(" ", text))


def numbers(text: str) -> list[str]:
    """The numbers in a text, without leading zeros; a colour's sign counts as its number."""
    signed = text.translate({ord(sign): str(n) for n, sign in enumerate(SIGNS, 1)})
    return [str(int(each)) for each in re.findall(r"\d+", plain(signed))]


def letters(*said: str) -> set[str]:
    """The words of these texts."""
    return {word for text in said for word in re.findall(r"[a-z]+", plain(text))}


# ------------------------------------------------------------------------------ by example
@pytest.mark.parametrize("turned", ["(umgedreht)", "(r)", "(rotated)", "(Ritter 2, gedreht)", "r"])
def test_a_tile_is_turned_in_any_words(turned: str) -> None:
    game = GAMES["donquixote"]
    assert game.canonical(game.start(game.setup(1)), 0, f"KN04 {turned}") == "KN04r"


@pytest.mark.parametrize(
    ("game_id", "text"),
    [
        ("donquixote", "KN04 (hello)"),
        ("donquixote", "KN04 ()"),
        ("donquixote", "KN04 (knight 3)"),
        ("donquixote", "KN04 turned twice"),
        ("twilight", "SL5 (6 souls of the Sun)"),
        ("twilight", "SL5 (hello)"),
        ("twilight", "SL5 ()"),
        ("twilight", "sun moon 5 souls"),
        ("isolde", "GRALHELLO4"),
        ("isolde", "GRAL4 (hello)"),
        ("isis", "14-21 (hello)"),
        ("lancelot", "K4 (hello)"),
    ],
)
def test_superfluous_text_is_refused(game_id: str, text: str) -> None:
    game = GAMES[game_id]
    state = game.start(game.setup(game.info.players[-1]))
    assert game.canonical(state, 0, text) is None


def test_colours_have_the_same_signs_in_texts_and_pictures() -> None:
    assert "".join(seat.sign for seat in SEATS) == SIGNS


@pytest.mark.parametrize("game_id", HOUSE)
def test_an_unknown_move_is_refused_with_examples(game_id: str, luck: random.Random) -> None:
    game, say = GAMES[game_id], texts("en")
    state, seat = next(
        (state, seat)
        for state, seat in positions(game, luck, 100)
        if len(game.legal(state, seat)) > 8
    )
    for text in ("hello", "99-1"):
        with pytest.raises(IllegalMove) as refusal:
            game.parse(state, seat, game.typed(text, NAMES))
        refused = RefusedByRules(refusal.value, game_id, NAMES, tuple(game.legal(state, seat)))
        assert "Examples of moves: “" in explain(refused, WORDS, say), refusal.value
