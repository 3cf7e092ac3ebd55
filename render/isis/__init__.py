"""The pictures of Isis."""

from __future__ import annotations

from render.isis.look import PALETTE, SERPENT_DARK, STAR
from render.isis.table import draw_table, glides
from render.isis.words import description, text
from render.scene import Painter


class IsisPainter(Painter):
    """Draws the table; there are no hands, because nothing in Isis is hidden."""

    kept = (SERPENT_DARK, STAR)
    palette = PALETTE

    draw = staticmethod(draw_table)
    describe = staticmethod(description)
    glides = staticmethod(glides)
    text = staticmethod(text)


PAINTER = IsisPainter()
