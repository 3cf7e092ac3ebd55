"""Pictures: the kit for boards, and the parts for writing your own painter."""

from render.canvas import Canvas, Sprite
from render.geometry import Box, Point
from render.kit import (
    BoardSurface,
    Grid,
    Hexes,
    KitPainter,
    Laid,
    Piece,
    PlayingCard,
    Sheet,
    Spread,
    Track,
)
from render.letters import fitted, text_width
from render.materials import Material
from render.plates import (
    OAK,
    PAPER,
    Ground,
    Livery,
    Plate,
    Said,
    caption,
    card,
    draw_plate,
    title,
    token,
)
from render.scene import Painter, Picture, Scene, first_fitting
from render.theme import SEATS, Palette, Type

__all__ = [
    "OAK",
    "PAPER",
    "SEATS",
    "BoardSurface",
    "Box",
    "Canvas",
    "Grid",
    "Ground",
    "Hexes",
    "KitPainter",
    "Laid",
    "Livery",
    "Material",
    "Painter",
    "Palette",
    "Picture",
    "Piece",
    "Plate",
    "PlayingCard",
    "Point",
    "Said",
    "Scene",
    "Sheet",
    "Spread",
    "Sprite",
    "Track",
    "Type",
    "caption",
    "card",
    "draw_plate",
    "first_fitting",
    "fitted",
    "text_width",
    "title",
    "token",
]
