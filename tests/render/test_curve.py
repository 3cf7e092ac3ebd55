"""The picture of an analysis."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from unittest.mock import patch

import pytest
from PIL import Image

from data.texts import LANGUAGES, texts
from render.canvas import Canvas
from render.curve import PLOT, SIGNS, Curves, Missed, curves_drawn, curves_in_words
from render.scene import ALT_LIMIT
from render.theme import INK, SEATS, WIDTH
from tests.render.test_bracket import texts_of
from tests.render.test_contrast import all_is_read

NAMES = ("Anna", "Ben Maximilian der Große", "Çağla", "*David*", "Emil")


def curves(players: int, *, points: bool) -> Curves:
    """Crossing curves; if they show points, the first two are equal."""
    values = [[(7 * n * (seat + 2)) % 23 - 5.0 for seat in range(players)] for n in range(30)]
    if points:
        values = [[at[0], at[0], *at[2:]] for at in values]
    else:
        values = [[(v + 6) / sum(w + 6 for w in at) for v in at] for at in values]
    moves, marks = tuple(range(30)), (4, 17, 28)
    movers = tuple(n % players for n in range(len(marks)))
    rows = tuple(tuple(at) for at in values)
    missed: tuple[Missed, ...] = ("win", "rescue", "better")
    return Curves("Winning chances", NAMES[:players], rows, moves, marks, movers, missed, points)


@pytest.mark.full
@pytest.mark.parametrize("points", [False, True])
@pytest.mark.parametrize("players", [2, 5])
def test_every_curve_is_visible_and_all_text_is_legible(players: int, points: bool) -> None:
    """Two equal curves are both visible."""
    with all_is_read():
        picture = curves_drawn(curves(players, points=points), texts("de"))
    with Image.open(io.BytesIO(picture.png)) as opened:
        image = opened.convert("RGB")
    assert image.width == WIDTH
    assert len(picture.png) < 150 * 1024
    plot = image.crop(PLOT.inset(4))
    colours: set[tuple[int, ...]] = set(zip(*[iter(plot.tobytes())] * 3, strict=True))
    for seat in range(players):
        wanted = bytes.fromhex(SEATS[seat].colour[1:])
        near = [sum(abs(a - b) for a, b in zip(wanted, each, strict=True)) for each in colours]
        assert min(near) < 30, f"seat {seat} is invisible"


def test_the_lines_to_names_have_edges_like_the_curves() -> None:
    """On paper, a light colour is invisible without an edge."""
    with patch.object(Canvas, "line", autospec=True, side_effect=Canvas.line) as drawn:
        curves_drawn(curves(5, points=True), texts("de"))
    lines = [(tuple(call.args[1]), call.args[2]) for call in drawn.call_args_list]
    for seat in SEATS:
        if seat.device == INK:
            own = [way for way, colour in lines if colour == seat.colour]
            assert len(own) == 2
            for way in own:
                assert len([colour for points, colour in lines if points == way]) >= 2


def test_the_result_of_a_match_does_not_flatten_the_chances_before_it() -> None:
    """The scale fits the chances, and the names stand beside the last of them."""
    rows = ((0.25, 0.25, 0.25, 0.25), (0.3, 0.2, 0.3, 0.2), (0.31, 0.22, 0.27, 0.2))
    drawn = Curves("Chances", NAMES[:4], (*rows, (0, 0, 1, 0)), (0, 1, 2, 3), (), (), (), False)
    written = texts_of(lambda: curves_drawn(drawn, texts("en")))
    assert {"31%", "22%", "27%"} <= {*written}
    assert not {"0%", "100%"} & {*written}
    assert drawn.winners == (2,)
    assert replace(drawn, values=rows).winners == ()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [1, 5])
def test_the_words_name_players_and_say_what_was_missed_at_turning_points(
    players: int, language: str
) -> None:
    told = curves_in_words(curves(players, points=players == 1), texts(language))
    assert len(told) <= ALT_LIMIT
    for name in ("Anna", "Emil")[: 1 + (players == 5)]:
        assert re.search(rf"{name}\s?: ", told)
    for number, (_, words) in enumerate(SIGNS.values(), 1):
        assert re.search(rf" {number}\s?: ", told)
        assert texts(language)(words) in told
