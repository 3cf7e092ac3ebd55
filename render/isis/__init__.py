"""The pictures of Isis."""

from __future__ import annotations

from render.isis.look import PALETTE
from render.isis.table import draw_table
from render.isis.words import description, text
from render.scene import Painter, Picture, Scene


class IsisPainter(Painter):
    """Draws the table; nothing in Isis is hidden, so there are no hands."""

    def board(self, scene: Scene) -> Picture:
        """The board, the plates and what has happened."""
        return Picture("isis.png", draw_table(scene).png(PALETTE), description(scene))

    def text(self, scene: Scene) -> str:
        """The plan in figures, then everything in words, with the legal moves."""
        return text(scene)


PAINTER = IsisPainter()
