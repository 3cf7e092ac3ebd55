"""The kit for boards: turns the layout that a game provides into pictures, descriptions and texts.

A painter derives from ``KitPainter`` and returns a ``Spread``: a surface (``Grid``, ``Hexes`` or
``Track``) with pieces, rows of cards, and notes for the name plates. The kit takes care of sizes,
contrast, the mark of the last move, the description and the position as text.
"""

from render.kit.cards import Laid, PlayingCard
from render.kit.painter import KitPainter, Piece, Spread
from render.kit.sheet import Sheet
from render.kit.surfaces import BoardSurface, Grid, Hexes, Track

__all__ = [
    "BoardSurface",
    "Grid",
    "Hexes",
    "KitPainter",
    "Laid",
    "Piece",
    "PlayingCard",
    "Sheet",
    "Spread",
    "Track",
]
