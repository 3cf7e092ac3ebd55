"""The picture of a result, for any number of winners and any names."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import pairwise
from math import pi, sin
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageColor

from cogs.games import WORDS
from data.texts import LANGUAGES, texts
from render import PAINTERS
from render.canvas import Canvas
from render.donquixote.words import RATINGS
from render.geometry import Box, Point
from render.heroes import DISC, SHIELDS
from render.letters import lines_of, set_in_box, set_in_lines
from render.names import in_one_face
from render.scene import ALT_LIMIT
from render.theme import SEATS, Type
from render.victory import (
    ALONE_BOX,
    BESIDE,
    FIGURE_GAP,
    FIGURES,
    HEIGHT,
    HERO,
    LABEL,
    LABEL_LINES,
    READ_WELL,
    SENTENCES,
    STANDING,
    VERDICT,
    VERDICTS,
    Figure,
    VictoryScene,
    victory,
)
from tafelrunde.testing.pictures import NASTY
from tests.render.scenes import cases, scene_at

KIB = 1024
SENTENCE = "Die Partie ist zu Ende, weil niemand mehr ziehen kann und alle Steine gesetzt sind."
FIGURE_LIST = (Figure("1.234", "Züge"), Figure("W" * 60, "x" * 90), Figure("K9: +3", "auf einmal"))


def ending(ranks: tuple[int, ...], drawn: bool = False) -> VictoryScene:
    """A result with long words."""
    scores = tuple(f"{n + 11} + 9 + 13 = {n + 33} Punkte" for n in range(len(ranks)))
    return VictoryScene("Die schöne Isolde", ranks, scores, SENTENCE, drawn, FIGURE_LIST)


@pytest.mark.parametrize("winners", SHIELDS)
def test_the_shields_of_several_winners_fit_on_the_medal(winners: int) -> None:
    size, reach = SHIELDS[winners]
    assert reach + size / 2 < DISC / 2
    assert 2 * reach * sin(pi / winners) > size


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", PAINTERS)
def test_the_reason_of_an_end_is_shown_in_full(game: str, language: str) -> None:
    for reason in WORDS[game].reasons.values():
        said = texts(language)(reason)
        lines, _ = set_in_lines(said, SENTENCES, HERO.width, 3)
        assert " ".join(lines) == said


LONG = ("Wolfgang-Maximilian zu Hohenlohe", "Ἀριστοτέλης ὁ Σταγειρίτης φιλοσ.")


@pytest.mark.blank
@pytest.mark.full
@pytest.mark.parametrize("game", ["twilight", "isolde"])
def test_no_winner_is_cut(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one or two winners who have the longest names, all names are complete in the ranking, on
    two lines if necessary; the winners' names are complete below the laurel, too.
    """
    written: list[str] = []

    def text(canvas: Canvas, at: Point, words: str, *args: Any, **kinds: Any) -> Box:
        written.append(words)
        return text_before(canvas, at, words, *args, **kinds)

    text_before = Canvas.text
    monkeypatch.setattr(Canvas, "text", text)
    case = max(cases(game), key=lambda each: each.players)
    names = (*LONG, "Bernhard von Löwenstein", "Çağla", "Šárka")[: case.players]
    scene = scene_at(case, 1.0, language="de", names=names)
    for winners in (1, 2):
        written.clear()
        ranks = tuple(1 if seat < winners else 3 for seat in range(case.players))
        scores = ("1.004 Punkte",) * case.players
        victory(scene, replace(ending(ranks), scores=scores))
        told = "".join(written).replace(" ", "").casefold()
        sought = [name.replace(" ", "").casefold() for name in names]
        assert all(name in told for name in sought)
        assert all(told.count(name) == 2 for name in sought[:winners])


APART = 32
"""Minimum distance in pixels at which two lines of 28 px are legible."""


@pytest.mark.full
@pytest.mark.blank
@pytest.mark.parametrize("score", ["1.004 Punkte", "2 Wappensteine im Ziel, 1 auf dem Feld, 3 da"])
def test_no_line_of_a_place_touches_another(score: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """There are five people, four of them with long names, one of which is written from right to
    left, and scores of one or two lines.
    """
    lines: list[float] = []

    def text(canvas: Canvas, at: Point, words: str, *args: Any, **kinds: Any) -> Box:
        if STANDING.left < at[0] < STANDING.centre[0] and STANDING.top < at[1] < STANDING.bottom:
            lines.append(at[1])
        return text_before(canvas, at, words, *args, **kinds)

    text_before = Canvas.text
    monkeypatch.setattr(Canvas, "text", text)
    case = max(cases("lancelot"), key=lambda case: case.players)
    arabic = "عبد الرحمن بن محمد القرطبي الأندلسي"
    scene = scene_at(case, 1.0, language="de", names=(*LONG, arabic, LONG[0], "Šárka"))
    victory(scene, replace(ending((1, 2, 3, 4, 5)), scores=(score,) * 5))
    assert len(lines) > case.players
    assert all(below - above >= APART for above, below in pairwise(lines))


@pytest.mark.parametrize("name", ["Šárka", "Çağla", "Łukasz", "Ștefan"])
def test_a_winner_with_accents_is_called_in_the_face_of_titles(name: str) -> None:
    assert in_one_face(name.upper(), "title")


@pytest.mark.full
@pytest.mark.parametrize("game", PAINTERS)
def test_every_end_is_drawn_at_the_promised_size_and_weight(game: str) -> None:
    by_players = {case.players: case for case in cases(game)}
    for players, case in by_players.items():
        scene = scene_at(case, 1.0, language="de")
        for winners in {1, players}:
            ranks = tuple(1 if seat < winners else winners + 1 for seat in range(players))
            picture = victory(scene, ending(ranks, drawn=winners == players > 1))
            image = Image.open(io.BytesIO(picture.png))
            assert image.size == (1200, HEIGHT)
            assert len(picture.png) <= 150 * KIB, (players, winners)
            assert len(picture.alt) <= ALT_LIMIT
            assert picture.name == f"{game}-end.png"


@pytest.mark.blank
@pytest.mark.full
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_breaks_an_end(language: str) -> None:
    case = max(cases("lancelot"), key=lambda case: case.players)
    scene = scene_at(case, 1.0, language=language, names=NASTY)
    for ranks in ((1, 2, 3, 4, 5), (2, 1, 1, 4, 5), (1, 1, 1, 1, 1)):
        alt = victory(scene, ending(ranks)).alt
        assert not set("*`|<>[]\n\t\x00\u202e\u202c") & set(alt)
        assert len(alt) <= ALT_LIMIT
        assert f"Auf einmal{texts(language).colon} K9: +3." in alt, "one sentence per figure"


@pytest.mark.full
def test_another_winner_changes_the_picture() -> None:
    case = cases("lancelot")[0]
    scene = scene_at(case, 1.0)
    first, second = (victory(scene, ending(ranks)) for ranks in ((1, 2), (2, 1)))
    assert first.png != second.png
    assert f"{scene.names[0]} has won." in first.alt
    assert f"{scene.names[1]} has won." in second.alt


@pytest.mark.full
@pytest.mark.parametrize("game", PAINTERS)
def test_a_large_figure_has_the_colour_of_the_winner(game: str) -> None:
    """In the area of the winners, the box around the winner's colour is over 60 pixels wide and
    high.
    """
    case = cases(game)[-1]
    scene = scene_at(case, 1.0)
    ranks = (2,) * (case.players - 1) + (1,)
    whole = Image.open(io.BytesIO(victory(scene, ending(ranks)).png)).convert("RGB")
    hero = whole.crop(tuple(map(round, HERO)))  # type: ignore[arg-type]  # four of them
    own = ImageColor.getrgb(SEATS[case.players - 1].colour)
    bands = [
        band.point([255 * (abs(level - wanted) < 24) for level in range(256)])
        for band, wanted in zip(hero.split(), own, strict=True)
    ]
    shield = ImageChops.darker(ImageChops.darker(*bands[:2]), bands[2])
    left, top, right, bottom = shield.getbbox() or (0, 0, 0, 0)
    assert min(right - left, bottom - top) > 60


def test_equal_ends_are_equal_pictures() -> None:
    scene = scene_at(cases("isis")[0], 1.0)
    assert victory(scene, ending((1, 2))) == victory(scene, ending((1, 2)))


@pytest.mark.parametrize(
    ("ranks", "drawn", "cry"),
    [((1, 2), False, "victory"), ((1, 1), False, "Shared victory"), ((1, 1), True, "A draw")],
)
def test_the_exclamation_of_an_end(ranks: tuple[int, ...], drawn: bool, cry: str) -> None:
    assert ending(ranks, drawn).cry() == cry


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "label",
    [
        "biggest gain: {name}",
        "last move: {name}",
        "turning point ({n}): {name}",
        "best move ({n}): {name}",
    ],
)
def test_below_a_figure_there_is_room_for_a_name(label: str, language: str) -> None:
    said = texts(language)(label, n=123, name="Parzival")
    column = FIGURES.columns(3, gap=FIGURE_GAP)[0]
    assert " ".join(lines_of(said, column.width, LABEL_LINES, LABEL)) == said


@pytest.mark.blank
def test_a_long_label_ends_above_the_edge(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[float] = []

    def text(canvas: Canvas, at: Point, words: str, kind: Type, *more: Any, **kinds: Any) -> Box:
        if kind == LABEL:
            lines.append(at[1])
        return text_before(canvas, at, words, kind, *more, **kinds)

    text_before = Canvas.text
    monkeypatch.setattr(Canvas, "text", text)
    figures = (Figure("7", f"turning point (123): {LONG[0]}"),) * 3
    case = cases("lancelot")[0]
    victory(scene_at(case, 1.0), replace(ending((1,) * case.players), figures=figures))
    assert lines
    assert max(lines) < FIGURES.bottom


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_verdict_is_given_in_full(language: str) -> None:
    for verdict in RATINGS.values():
        said = texts(language)(verdict)
        lines, kind = set_in_box(said, VERDICTS, ALONE_BOX.width - 4 * BESIDE, VERDICT)
        assert " ".join(lines) == said
        assert kind.size >= READ_WELL


@pytest.mark.parametrize(
    ("score", "figure", "rest"),
    [
        ("15 points", "15", ""),
        ("1\u202f004 points", "1\u202f004", ""),
        ("\u22121 Punkt", "\u22121", ""),
        ("8 + 2 + 5 = 15 Punkte", "15", "8 + 2 + 5"),
        ("papyrus stem on 28", None, "papyrus stem on\u00a028"),
        ("2 im Ziel, 1 auf dem Feld", None, "2 im Ziel, 1 auf dem Feld"),
    ],
)
def test_a_score_that_is_a_number_is_a_figure(
    score: str, figure: str | None, rest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The figure is at least as large as the name; the rest of the score is written separately."""
    written: dict[str, int] = {}

    def text(canvas: Canvas, at: Point, words: str, kind: Type, *more: Any, **kinds: Any) -> Box:
        if at[0] > STANDING.left and STANDING.top < at[1] < STANDING.bottom:
            written[words] = kind.size
        return text_before(canvas, at, words, kind, *more, **kinds)

    text_before = Canvas.text
    monkeypatch.setattr(Canvas, "text", text)
    case = max(cases("twilight"), key=lambda each: each.players)
    scene = scene_at(case, 1.0, names=("Anna", "Ben", "Clara", "David")[: case.players])
    ranks = tuple(range(1, case.players + 1))
    victory(scene, replace(ending(ranks), scores=(score,) * case.players))
    if figure is not None:
        assert written[figure] >= written["Anna"]
        assert score not in written
    assert not rest or rest in written


def test_a_long_noun_stands_once_above_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    written: dict[str, list[int]] = {}

    def text(canvas: Canvas, at: Point, words: str, kind: Type, *more: Any, **kinds: Any) -> Box:
        if at[0] > STANDING.left and at[1] < STANDING.bottom:
            written.setdefault(words, []).append(kind.size)
        return text_before(canvas, at, words, kind, *more, **kinds)

    text_before = Canvas.text
    monkeypatch.setattr(Canvas, "text", text)
    case = max(cases("lancelot"), key=lambda each: each.players)
    names = (
        "Anna",
        "Bernhard von Löwenstein",
        "Clara",
        "David",
        "Wolfgang-Maximilian zu Hohenlohe",
    )
    scene = scene_at(case, 1.0, names=names)
    scores = ("1 Wappenstein geschlagen", *(f"{n} Wappensteine geschlagen" for n in (12, 7, 4, 0)))
    victory(scene, replace(ending((1, 2, 3, 4, 5)), scores=scores))
    assert len(written["Wappensteine geschlagen"]) == 1
    assert not [words for words in written if words.startswith("Wappenstein ")]
    assert written["Anna"] == [READ_WELL]
    assert written["Bernhard von"] == [READ_WELL]
