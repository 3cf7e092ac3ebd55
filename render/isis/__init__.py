"""The pictures of Isis."""

from __future__ import annotations

from collections.abc import Iterator

from games.isis import position_of
from render.canvas import Canvas
from render.isis.look import PALETTE, SERPENT_DARK, STAR
from render.isis.table import draw_table, glides
from render.isis.words import description, text
from render.scene import Glide, Painter, Scene


class IsisPainter(Painter):
    """Draws the table; nothing in Isis is hidden, so there are no hands."""

    kept = (SERPENT_DARK, STAR)
    palette = PALETTE

    def draw(self, scene: Scene) -> Canvas:
        """The board, the plates and what has happened."""
        return draw_table(scene)

    def describe(self, scene: Scene) -> str:
        """Where all stones stand, and what has happened."""
        return description(scene)

    def glides(self, scene: Scene) -> Iterator[Glide]:
        """The stone that was moved."""
        return glides(scene, position_of(scene.view))

    def text(self, scene: Scene) -> str:
        """The plan in figures, then everything in words, with the legal moves."""
        return text(scene)


PAINTER = IsisPainter()
