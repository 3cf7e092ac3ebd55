"""All text is legible: WCAG 2.2 requires a contrast of 4.5:1.

``test_goldens`` reads the text of every kind of picture.
"""

from __future__ import annotations

import pkgutil
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from typing import Any
from unittest.mock import patch

import pytest
from PIL import Image

import render
from games import GAMES
from games.engine import CHANCE, Match
from render import PAINTERS
from render.canvas import Anchor, Canvas
from render.geometry import Box, Point
from render.legibility import Legibility
from render.plates import Ground
from render.theme import INK, Colour, Type
from render.victory import WORLDS
from tests.render.colours import contrast
from tests.render.scenes import cases, played, scene_at

LEAST = 4.5
"""WCAG 2.2, success criterion 1.4.3, for text of normal size; required here for text of any size.
"""

COVERED = 0.02
"""The fraction of the background of a text that may have less contrast: edges and single grains."""


def test_the_formula_is_that_of_wcag() -> None:
    """Black on white is 21:1; #767676 is the lightest grey that reaches 4.5:1 on white."""
    white = (255, 255, 255)
    assert contrast((0, 0, 0), white) == pytest.approx(21)
    assert contrast((0x76,) * 3, white) >= LEAST > contrast((0x77,) * 3, white)


# ------------------------------------------------------------------------------ declared
def grounds() -> Iterator[tuple[str, Ground]]:
    """Every background declared in a module of ``render``, alone or in a collection."""
    for found in pkgutil.walk_packages(render.__path__, "render."):
        for name, value in vars(import_module(found.name)).items():
            for n, ground in enumerate(_grounds_in(value)):
                yield f"{found.name}.{name}{n or ''}", ground


def _grounds_in(value: Any) -> list[Ground]:
    if isinstance(value, Ground):
        return [value]
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return [ground for ground in value if isinstance(ground, Ground)]
    return []


GROUNDS = dict(grounds())


@pytest.mark.parametrize("name", GROUNDS)
def test_the_inks_of_every_ground_are_read_on_both_its_tones(name: str) -> None:
    ground = GROUNDS[name]
    for ink in (ground.ink, ground.soft, ground.faint):
        for tone in (ground.material.dark, ground.material.light):
            assert contrast(ink, tone) >= LEAST, (ink, tone)


def test_all_games_end_on_a_declared_ground() -> None:
    assert set(WORLDS) == set(GAMES)


# ------------------------------------------------------------------------------- written
def worst(under: Image.Image, ink: Colour) -> float:
    """The lowest contrast of an ink with its background, ignoring a fraction of ``COVERED``."""
    colours = under.getcolors(under.width * under.height) or []
    rated = sorted((contrast(ink, colour), n) for n, colour in colours)  # type: ignore[arg-type]
    spare = COVERED * under.width * under.height
    for ratio, n in rated:
        spare -= n
        if spare < 0:
            return ratio
    return 21.0


class Reader:
    """Writes like a canvas, and records illegible texts."""

    def __init__(self) -> None:
        self.faults: dict[str, float] = defaultdict(lambda: 21.0)
        self.written: list[str] = []
        self._write = Canvas.text

    def text(
        self,
        canvas: Canvas,
        at: Point,
        text: str,
        kind: Type,
        colour: Colour = INK,
        anchor: Anchor = "mm",
        *,
        under: bool = False,
    ) -> Box:
        self.written.append(text)
        box = self._write(Canvas(1, 1), at, text, kind, colour, anchor, under=under)
        if box.width > 0 and box.left >= 0 and box.top >= 0 and box.right <= canvas.width:
            self._check(canvas.cut(box), text, colour)
        return self._write(canvas, at, text, kind, colour, anchor, under=under)

    def _check(self, under: Canvas, text: str, colour: Colour) -> None:
        """Check a text against the part of a canvas below it; text on a sprite without a background
        is not checked.
        """
        under.texts = Legibility()  # only its colours matter here
        ground = under.sprite()
        if ground.mask.getextrema()[0] == 255:
            ratio = worst(ground.colours, colour)
            if ratio < LEAST:
                key = f"{colour} {text!r}"
                self.faults[key] = min(ratio, self.faults[key])


@contextmanager
def all_is_read() -> Iterator[Reader]:
    """Fail if a text written within the block is illegible."""
    reader = Reader()

    def text(canvas: Canvas, *args: Any, **kinds: Any) -> Box:
        return reader.text(canvas, *args, **kinds)

    with patch.object(Canvas, "text", text):
        yield reader
    assert not reader.faults, dict(reader.faults)


@pytest.mark.slow("pictures of all stages")
@pytest.mark.parametrize("game", GAMES)
def test_text_on_choices_is_legible(game: str) -> None:
    painter = PAINTERS[game]
    case = cases(game)[-1]
    match = played(case)
    at = Match.replay(match.game, match.setup, match.log[: match.ply // 2])
    while at.actors and at.actors[0] == CHANCE:
        at.advance()
    seat = at.actors[0]
    legal = tuple(match.game.legal(at.state, seat))

    with all_is_read():
        for ways, focus in ((legal, ""), (legal[:1], legal[0])):
            scene = replace(scene_at(case, 0.5), view=at.view(seat), legal=ways, focus=focus)
            assert (painter.hand if match.game.info.has_secrets else painter.board)(scene)
