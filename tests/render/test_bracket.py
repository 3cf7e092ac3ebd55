"""Pictures of tournaments."""

from __future__ import annotations

import io
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any
from unittest.mock import patch

import pytest
from PIL import Image

from data.texts import LANGUAGES, Texts, texts
from play.pairings.knockout import first_round, knockout_rounds, next_round
from play.pairings.meetings import Meeting, Round
from render.bracket import (
    COLUMN_GAP,
    FULL_ROWS,
    TALLEST,
    Bracket,
    BracketRow,
    Crosstable,
    Duel,
    Podium,
    bracket_drawn,
    bracket_in_words,
    podium_drawn,
    podium_in_words,
    standings_drawn,
    standings_in_words,
)
from render.canvas import Canvas
from render.geometry import Box
from render.scene import ALT_LIMIT, Picture
from render.theme import SEATS, WIDTH
from tests.render.colours import opened, rgb
from tests.render.test_contrast import all_is_read

NAMES = (
    *("Anna", "Ben Maximilian der Große", "Çağla", "*David*", "Emil", "Franziska von Stein", "李"),
    *("Gustav", "Hanna", "Ida", "Jonas", "Klara", "Leo", "Marie-Antoinette", "Noah", "Olga"),
)


def named(count: int) -> tuple[str, ...]:
    return tuple(f"{NAMES[n % len(NAMES)]}{n // len(NAMES) or ''}" for n in range(count))


def bracket(people: int, rounds: int | None = None, seed: int = 1) -> Bracket:
    """A random knock-out.

    :param rounds: the rounds paired so far, the last of them with about half of its results; None
        for the whole tournament, with all results.
    """
    rng = random.Random(seed)
    past: list[Round] = []
    of = knockout_rounds(people)
    for _ in range(of if rounds is None else rounds):
        meetings = next_round(past, lambda place: False) if past else first_round(people)
        past.append(
            tuple(
                m if m.over else Meeting(m.players, tuple(rng.sample((1, 2), 2))) for m in meetings
            )
        )
    if rounds is not None:
        past[-1] = tuple(
            Meeting(m.players) if n % 2 and not m.bye else m for n, m in enumerate(past[-1])
        )
    duels = tuple(
        tuple(Duel(m.players, m.winner() if m.over else None) for m in meetings)
        for meetings in past
    )
    return Bracket("Spring cup", "Round 2 of 4: 3 tables", named(people), duels, of)


def crosstable(people: int) -> Crosstable:
    rows = tuple(
        BracketRow(
            n + 1, name, "½ : ½ {names}", "12½", ("123½", "456¾", "9"), n % 7 == 3, others=(name,)
        )
        for n, name in enumerate(named(people))
    )
    heads = ("Name", "Last round", "Points", "BH", "SB", "Wins")
    return Crosstable("Autumn league", "Round 3 of 5: 4 tables are still playing.", heads, rows, 1)


PODIUMS = {
    "one each": Podium("Spring cup", (("Anna",), ("Ben",), ("Çağla",)), "Lancelot · 8 people"),
    "two thirds": Podium("A cup", (("Anna",), ("Ben",), ("Çağla", "李")), "Isis · 4 people"),
    "long": Podium("Cup " * 12, ((NAMES[1] * 2,), (NAMES[5] * 2,), ()), "Twilight " * 20),
}


def pictures(say: Texts) -> dict[str, Picture]:
    """Tournament pictures of all kinds, large and small."""
    found = {f"bracket {n}": bracket_drawn(bracket(n), say) for n in (5, 32)}
    found |= {"bracket running": bracket_drawn(bracket(4, 1), say)}
    found |= {f"table {n}": standings_drawn(crosstable(n), say) for n in (3, 32)}
    found |= {name: podium_drawn(podium, say) for name, podium in PODIUMS.items()}
    return found


@pytest.mark.full
def test_all_text_is_legible() -> None:
    with all_is_read():
        drawn = pictures(texts("de"))
    for name, picture in drawn.items():
        with Image.open(io.BytesIO(picture.png)) as image:
            assert image.width == WIDTH, name
        assert len(picture.png) < 150 * 1024, name


@pytest.mark.parametrize(
    ("language", "mark"), [("en", "; 2."), ("fr", "\N{NARROW NO-BREAK SPACE}; 2.")]
)
def test_semicolons_between_places_are_those_of_the_language(language: str, mark: str) -> None:
    say = texts(language)
    assert mark in standings_in_words(crosstable(3), say)
    assert mark in podium_in_words(next(iter(PODIUMS.values())), say)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_say_what_is_shown(language: str) -> None:
    """Descriptions stay within Discord's limit; that of a large bracket has at least the winner's
    name.
    """
    say = texts(language)
    told = {str(n): bracket_in_words(bracket(n), say) for n in (3, 5, 17, 32)}
    told |= {f"table {n}": standings_in_words(crosstable(n), say) for n in (3, 32)}
    told |= {name: podium_in_words(podium, say) for name, podium in PODIUMS.items()}
    assert all(len(words) <= ALT_LIMIT for words in told.values())
    winner = named(32)[bracket(32).rounds[-1][0].winner or 0]
    assert winner in told["32"]
    assert all(name.strip("*") in told["5"] for name in named(5))
    assert "1. Anna 12½" in told["table 3"]
    assert "3. Çağla" in told["two thirds"]
    assert "David" in told["table 32"]
    assert "*David*" not in told["table 32"]


def texts_of(draw: Callable[[], Picture]) -> list[str]:
    """The lines of text written in a picture."""
    written: list[str] = []
    real = Canvas.text

    def text(canvas: Canvas, at: Any, words: str, *args: Any, **more: Any) -> Box:
        written.append(words)
        return real(canvas, at, words, *args, **more)

    with patch.object(Canvas, "text", text), patch.object(Canvas, "png", lambda *_: b""):
        draw()
    return written


@pytest.mark.parametrize("people", [2, 3, 9, 16])
def test_everybody_has_a_plate_in_the_bracket(people: int) -> None:
    """People have a plate with their seed where they enter, and one for each match won."""
    shown = replace(bracket(people), names=tuple(f"N{n}" for n in range(people)))
    written = Counter(texts_of(lambda: bracket_drawn(shown, texts("en"))))
    for place in range(people):
        duels = [duel for each in shown.rounds for duel in each if place in duel.places]
        won = sum(duel.winner == place for duel in duels if len(duel.places) > 1)
        assert written[str(place + 1)] >= 1
        assert written[f"N{place}"] == 1 + won


@pytest.mark.parametrize("people", [14, 16])
def test_a_bracket_of_many_fits_on_a_screen(people: int) -> None:
    """With many people, the lanes become narrower."""
    image = opened(bracket_drawn(bracket(people), texts("en")).png)
    assert image.height <= TALLEST


@pytest.mark.full
@pytest.mark.parametrize(("people", "rounds", "first"), [(32, 1, 0), (32, 2, 1), (17, None, 1)])
def test_many_players_begin_with_the_second_round(people: int, rounds: int, first: int) -> None:
    """With more than sixteen players, the first round is left out once the second is paired; the
    description still has it.
    """
    played = replace(bracket(people, rounds), names=tuple(f"N{n}" for n in range(people)))
    written = texts_of(lambda: bracket_drawn(played, texts("en")))
    seen = {place for duel in played.rounds[first] for place in duel.places}
    assert {int(words[1:]) for words in written if words.startswith("N")} == seen
    assert "Round 1: " in bracket_drawn(played, texts("en")).alt


@pytest.mark.parametrize(
    ("people", "rounds", "names"),
    [
        (2, None, ["Final"]),
        (16, None, ["Last 16", "Quarter-finals", "Semi-finals", "Final"]),
        (32, None, ["Last 16", "Quarter-finals", "Semi-finals", "Final"]),
        (32, 1, ["Last 32"]),
        (16, 1, ["Last 16", "Quarter-finals", "Semi-finals", "Final"]),
    ],
)
def test_rounds_are_named_where_there_is_room(
    people: int, rounds: int | None, names: list[str]
) -> None:
    shown = replace(bracket(people, rounds), names=tuple(f"N{n}" for n in range(people)))
    written = texts_of(lambda: bracket_drawn(shown, texts("en")))
    assert [words for words in written if words.startswith(("Last", "Quarter", "Semi", "Fin"))] == (
        names
    )


@pytest.mark.parametrize(("people", "rounds"), [(2, None), (8, None), (16, None), (32, 1)])
def test_a_long_name_takes_two_lines_of_the_bracket(people: int, rounds: int | None) -> None:
    name = "Wolfgang-Maximilian zu Hohenlohe"
    shown = replace(bracket(people, rounds), names=(name,) * people)
    written = texts_of(lambda: bracket_drawn(shown, texts("de")))
    assert not [words for words in written if words.endswith("…")]
    pieces = {piece for words in written for piece in words.replace("-", "- ").split()}
    assert {"Wolfgang-", "Maximilian", "zu", "Hohenlohe"} <= pieces


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("people", [8, 32])
def test_no_heading_of_the_standings_touches_another(people: int, language: str) -> None:
    say, boxes = texts(language), dict[str, Box]()
    heads = tuple(map(say, ("Name", "Last round", "Points", "BH", "SB", "Wins")))
    real = Canvas.text

    def text(canvas: Canvas, at: Any, words: str, *args: Any, **more: Any) -> Box:
        boxes[words] = real(canvas, at, words, *args, **more)
        return boxes[words]

    with patch.object(Canvas, "text", text):
        standings_drawn(replace(crosstable(people), heads=heads), say)
    numbers = [boxes[head] for head in heads[2:]]
    names = heads[0] if people > FULL_ROWS else f"{heads[0]} · {heads[1]}"
    row = [boxes[names], *numbers]
    assert all(after.left - before.right >= COLUMN_GAP / 2 for before, after in pairwise(row))


def test_a_long_table_tells_the_last_round_where_there_is_room() -> None:
    table = crosstable(32)
    one, *others = table.rows
    long = replace(one, name="Wolfgang-Maximilian zu Hohenlohe", others=("Franziska von Stein",))
    shown = replace(table, rows=(replace(one, others=("Emil",)), long, *others[1:]))
    written = texts_of(lambda: standings_drawn(shown, texts("en")))
    assert "½ : ½ Emil" in written
    assert "½ : ½ Franziska von Stein" not in written
    assert long.name in written


@pytest.mark.parametrize("which", PODIUMS)
def test_no_colour_of_a_seat_is_on_a_podium(which: str) -> None:
    picture = opened(podium_drawn(PODIUMS[which], texts("en")).png)
    colours = {colour for _, colour in picture.getcolors(1 << 22) or ()}
    assert colours.isdisjoint(rgb(seat.colour) for seat in SEATS)
