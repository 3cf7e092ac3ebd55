"""Don Quixote on Rocinante and Sancho Pansa on his donkey, in flat tones with relief.

Both ride to the right. They stand on the line y = 150 of a field 150 units wide.
"""

from __future__ import annotations

from render.canvas import Canvas, Sprite
from render.donquixote.colours import (
    ARMOUR,
    LIME,
    ROOF,
    ROOF_SHADE,
    SILHOUETTE,
    SLATE,
    STONE,
    STONE_SHADE,
    TIMBER,
)
from render.geometry import Point, placed, trace
from render.light import raised, relief
from render.theme import GOLD, INK, Colour

FIELD = 150
SKIN: Colour = "#E3B48A"
HIDE, HIDE_SHADE = "#E6D9BC", "#B39C78"
"""Rocinante, and his legs on the far side."""
COAT: Colour = "#C08A3A"

Part = tuple[str, Colour, float]
"""An outline, its colour, and how far its edges are rounded."""

_QUIXOTE: tuple[Part, ...] = (
    ("M 42 104 L 47 124 L 42 147 L 49 149 L 53 125 L 52 104 Z", HIDE_SHADE, 0),
    ("M 90 100 L 100 120 L 108 140 L 115 140 L 107 118 L 100 98 Z", HIDE_SHADE, 0),
    ("M 27 87 C 15 89 11 105 14 126 C 19 120 24 108 31 101 Z", SILHOUETTE, 1),
    ("M 31 94 L 35 122 L 28 147 L 36 150 L 43 123 L 46 98 Z", HIDE, 1.5),
    ("M 84 96 L 83 122 L 84 148 L 91 150 L 92 123 L 101 90 Z", HIDE, 1.5),
    (("M 26 88 C 28 79 44 79 58 81 C 70 83 80 80 86 72 C 91 63 95 56 99 48 C 101 43 104 40 108 40"
     " L 109 33 L 114 40 C 120 47 127 56 131 65 C 130 70 125 71 121 69 L 111 61 C 107 68 105 76 102"
     " 85 C 100 95 96 102 88 104 C 78 108 70 101 58 102 C 48 104 40 110 33 105 C 26 101 24 94 26 88"
     " Z"), HIDE, 2.5),
    ("M 100 46 C 93 55 88 64 83 74 L 90 75 C 95 68 100 60 105 52 Z", SILHOUETTE, 0),
    ("M 119 66 C 123 71 129 71 131 66 L 128 60 Z", HIDE_SHADE, 0),
    ("M 48 79 C 58 76 72 76 80 78 L 80 98 L 70 92 L 62 100 L 54 92 L 47 97 Z", ROOF, 2),
    ("M 58 78 H 74 L 79 104 L 84 120 L 93 122 L 93 127 L 78 127 L 67 106 Z", SLATE, 2),
    ("M 57 80 C 54 63 56 50 64 46 C 72 44 77 49 77 58 L 76 80 Z", ARMOUR, 2.5),
    ("M 57 72 H 77 V 77 H 57 Z", TIMBER, 0),
    ("M 58 49 C 62 44 74 44 78 49 C 74 54 62 54 58 49 Z", LIME, 1),
    ("M 62 44 C 59 34 62 27 69 27 C 75 27 78 31 78 36 L 82 39 L 78 41 C 78 46 72 48 68 48 Z",
     SKIN, 1),
    ("M 68 43 L 79 42 C 79 48 77 55 73 60 C 71 54 69 50 68 43 Z", STONE_SHADE, 0),
    ("M 54 31 C 60 27 80 27 88 31 C 84 34 60 34 54 31 Z M 61 29 C 61 17 79 17 79 29 Z", GOLD, 2),
)  # fmt: skip
_LANCE: tuple[Point, Point] = (52, 96), (136, 2)
_FIST: tuple[Part, ...] = (
    ("M 62 53 C 57 64 64 76 82 70 L 81 64 C 72 67 69 62 71 53 Z", ARMOUR, 2),
    ("M 79 62 C 86 60 89 66 85 71 C 80 73 77 68 79 62 Z", SKIN, 0),
)
_SQUIRE: tuple[Part, ...] = (
    ("M 36 118 L 38 149 H 44 L 46 118 Z", STONE_SHADE, 0),
    ("M 76 116 L 80 149 H 86 L 86 114 Z", STONE_SHADE, 0),
    ("M 22 106 C 16 110 14 122 17 132 C 20 126 22 120 28 116 Z", SILHOUETTE, 0),
    ("M 27 108 L 27 149 H 34 L 40 112 Z", STONE, 1.5),
    ("M 66 110 L 68 149 H 75 L 80 106 Z", STONE, 1.5),
    (("M 22 108 C 23 97 36 97 52 99 C 64 99 72 94 77 84 L 82 72 L 78 54 L 84 52 L 88 68 L 93 55"
     " L 98 57 L 95 73 C 102 80 106 88 108 96 C 106 101 100 101 96 98 L 88 93 C 86 104 82 114 74"
     " 119 C 62 124 38 124 27 119 C 22 117 21 112 22 108 Z"), STONE, 2.5),
    ("M 98 98 C 102 102 107 101 108 96 L 104 90 Z", LIME, 0),
    ("M 34 98 C 46 94 60 94 68 98 L 68 112 H 34 Z", ROOF_SHADE, 1.5),
    ("M 50 96 L 66 99 L 66 124 L 75 127 L 75 132 L 58 132 L 54 112 Z", TIMBER, 2),
    ("M 34 102 C 28 78 36 62 50 61 C 64 61 71 78 67 99 C 56 109 42 109 34 102 Z", COAT, 3),
    ("M 32 92 C 44 98 58 97 69 90 L 68.5 96 C 58 103 44 104 33 98 Z", TIMBER, 0),
    ("M 43 56 C 42 44 48 40 55 40 C 63 40 66 46 66 51 L 69 54 L 66 57 C 65 63 58 66 52 65 Z",
     SKIN, 1),
    ("M 50 55 L 67 56 C 66 66 58 70 52 67 C 49 64 49 60 50 55 Z", SILHOUETTE, 0),
    ("M 34 46 C 42 41 68 41 76 46 C 70 50 42 50 34 46 Z M 43 44 C 43 29 67 29 67 44 Z", TIMBER, 2),
    ("M 41 72 C 37 86 50 96 72 90 L 71 84 C 58 87 51 82 52 71 Z", COAT, 2),
    ("M 70 82 C 76 81 78 87 74 91 C 70 92 68 87 70 82 Z", SKIN, 0),
)  # fmt: skip


def quixote(size: int) -> Sprite:
    """The Knight of the Sad Countenance: lean horse, lance, a barber's basin for a helmet."""
    canvas, scale = Canvas(size, size), size / FIELD
    _draw(canvas, _QUIXOTE)
    canvas.circle((112 * scale, 50 * scale), 1.8 * scale, INK)
    for width, colour in ((5, INK), (3, TIMBER)):
        canvas.line(placed(_LANCE, (0, 0), scale), colour, width * scale)
    _draw(canvas, _FIST)
    return raised(canvas.sprite(), max(2.0, size * 0.015), 0.4)


def squire(size: int) -> Sprite:
    """Sancho Pansa, round and calm."""
    canvas, scale = Canvas(size, size), size / FIELD
    _draw(canvas, _SQUIRE)
    canvas.circle((95 * scale, 82 * scale), 1.8 * scale, INK)
    canvas.line(placed(((73, 88), (102, 94)), (0, 0), scale), INK, 1.4 * scale)
    return raised(canvas.sprite(), max(2.0, size * 0.015), 0.4)


def _draw(canvas: Canvas, parts: tuple[Part, ...]) -> None:
    scale = canvas.width / FIELD
    for path, colour, depth in parts:
        piece = Canvas(canvas.width, canvas.height)
        piece.path(trace(path), colour, INK, max(1.0, 0.9 * scale), scale=scale)
        sprite = piece.sprite()
        canvas.stamp(relief(sprite, depth * scale, 0.7) if depth else sprite, canvas.box.centre)
