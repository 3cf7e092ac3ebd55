"""The people of Camelot, each in a square of 100 by 100. They stand on the line y = 98; most of
them are left of the middle.
"""

from __future__ import annotations

from render.canvas import Canvas, Sprite
from render.geometry import Box, Outline, placed, regular, star, trace
from render.light import relief
from render.materials import Material
from render.theme import Colour


# --------------------------------------------------------------------------------------- the brush
class Brush:
    """Draws on a square whose sides are 100 units long.

    :param size: the side of that square in pixels.
    :param ground: the background colour; None for a transparent one.
    :param relief: whether ``lit`` shapes have light and shade.
    """

    def __init__(self, size: int, ground: Colour | None = None, relief: bool = True) -> None:
        self._relief = relief
        self._canvas = Canvas(size, size, ground)
        self._unit = size / 100

    def shape(self, path: str, colour: Colour, opacity: float = 1.0) -> None:
        """Fill an SVG path, in the format that ``render.geometry.trace`` reads."""
        self._canvas.path(trace(path), colour, scale=self._unit, opacity=opacity)

    def lit(self, path: str, colour: Colour, depth: float) -> None:
        """Draw a shape with light and shade, its edges rounded off ``depth`` units inwards."""
        if not self._relief:
            self.shape(path, colour)
            return
        outlines = [placed(points, (0, 0), self._unit) for points in trace(path)]
        xs = [x for points in outlines for x, _ in points]
        ys = [y for points in outlines for _, y in points]
        left, top = int(min(xs)) - 1, int(min(ys)) - 1
        part = Canvas(int(max(xs)) + 3 - left, int(max(ys)) + 3 - top)
        part.path(outlines, colour, centre=(-left, -top))
        lit = relief(part.sprite(), depth * self._unit, 0.7)
        self._canvas.stamp(lit, (left + part.width / 2, top + part.height / 2))

    def box(self, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
        """Draw a rectangle."""
        self._canvas.rect(self._box(left, top, right, bottom), colour)

    def cover(
        self, left: float, top: float, right: float, bottom: float, material: Material
    ) -> None:
        """Draw a rectangle of a material."""
        self._canvas.cover(self._box(left, top, right, bottom), material)

    def fade(self, top: float, bottom: float, upper: Colour, lower: Colour, steps: int = 8) -> None:
        """Draw a gradient across the whole width, from one colour at the top to another at the
        bottom.
        """
        self._canvas.fade(self._box(0, top, 100, bottom), upper, lower, steps)

    def ellipse(self, x: float, y: float, across: float, down: float, colour: Colour) -> None:
        """Draw an upright ellipse with these radii."""
        ring = [(px * across, py * down) for px, py in _RING]
        self._canvas.polygon(placed(ring, (x * self._unit, y * self._unit), self._unit), colour)

    def disc(self, x: float, y: float, radius: float, colour: Colour, opacity: float = 1) -> None:
        """Draw a filled circle."""
        at = x * self._unit, y * self._unit
        self._canvas.circle(at, radius * self._unit, colour, opacity=opacity)

    def star(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """Draw a small four-pointed star."""
        at = x * self._unit, y * self._unit
        self._canvas.path([star(4, 0.35)], colour, centre=at, scale=radius * self._unit)

    def line(self, points: Outline, colour: Colour, width: float) -> None:
        """Draw straight lines from point to point."""
        self._canvas.line(placed(points, (0, 0), self._unit), colour, width * self._unit)

    def sprite(self) -> Sprite:
        """Return the drawing as a sprite."""
        return self._canvas.sprite()

    def _box(self, left: float, top: float, right: float, bottom: float) -> Box:
        edges = (round(edge * self._unit) for edge in (left, top, right, bottom))
        return Box(*edges)


_RING = regular(32)


# ------------------------------------------------------------------------------------------ people
SKIN: Colour = "#F0CBA4"
GOLD: Colour = "#DDB04A"
STEEL: Colour = "#AEBAC4"


def princess(brush: Brush) -> None:
    """Draw Isolde: long hair, a crown, a gown with a train, and a rose in her hand."""
    brush.lit(
        "M 36 16 C 24 16 22 29 23 41 C 22 53 19 62 14 71 C 23 71 28 66 30 59 L 42 59"
        " C 44 66 49 71 57 71 C 53 62 50 53 49 41 C 50 29 48 16 36 16 Z",
        "#C58A2C",
        2,
    )
    brush.shape("M 20 60 C 24 56 26 48 26 42 L 29 42 C 29 50 26 58 20 60 Z", "#E3B254")
    brush.lit("M 30 52 C 27 67 15 82 6 98 H 68 C 58 82 45 67 42 52 Z", "#A12C5B", 2.5)
    brush.shape("M 34 56 C 33 70 27 86 24 98 H 46 C 43 86 39 70 38 56 Z", "#F0D3C0")
    brush.shape("M 41 56 C 46 70 54 86 60 98 H 68 C 58 82 45 67 42 52 Z", "#7A1F46")
    brush.shape("M 34 56 C 33 70 27 86 24 98 H 27 C 30 86 35 70 36 57 Z", GOLD)
    brush.shape("M 38 56 C 39 70 43 86 46 98 H 43 C 40 86 37 70 36 57 Z", GOLD)
    brush.lit("M 28 39 C 31 36 41 36 44 39 L 42.5 54 H 29.5 Z", "#B63A68", 1.6)
    brush.shape("M 32.4 37 L 36 43 L 39.6 37 Z", SKIN)
    brush.shape("M 29 51.5 H 43 L 42.6 55 H 29.4 Z", GOLD)
    # The left sleeve hangs down; the right hand holds the rose in front of her.
    brush.lit("M 43.5 39.5 C 49 44 51 52 49 61 L 55 74 L 45 66 L 43 52 Z", "#B63A68", 1.4)
    brush.lit("M 28.5 39.5 C 23 44 21 51 24 57 L 20 70 L 29 61 L 29 52 Z", "#B63A68", 1.4)
    brush.shape("M 24.5 53 L 33 49.5 L 34 52 L 26 57 Z", SKIN)
    brush.shape("M 46.5 58 L 50 60 L 49 64 L 46 62.5 Z", SKIN)
    brush.line([(33, 51), (29, 41)], "#46663A", 1.2)
    brush.disc(28.4, 39, 2.9, "#D43F62")
    brush.disc(27.8, 38.2, 1.5, "#EE7F95")
    brush.box(33.6, 31, 38.4, 39, SKIN)
    brush.ellipse(36, 27, 6.3, 7.8, SKIN)
    brush.shape(
        "M 36 17.5 C 29 17.5 27.4 26 28.6 34 C 30.2 29 33 25.6 36 23 C 39 25.6 41.8 29 43.4 34"
        " C 44.6 26 43 17.5 36 17.5 Z",
        "#D9A341",
    )
    brush.lit("M 29 20 L 27.6 10.5 L 32.4 15 L 36 8 L 39.6 15 L 44.4 10.5 L 43 20 Z", GOLD, 1)
    brush.disc(36, 17.3, 1.3, "#B63A68")


def rider(brush: Brush, coat: Colour, cloth: Colour, trim: Colour) -> None:
    """Draw a knight on a horse covered with a cloth, riding to the right with his lance couched."""
    brush.line([(10, 45), (92, 33)], "#8A5A30", 2.6)
    brush.line([(60, 37.8), (92, 33)], "#C9955A", 1)
    for x, y in ((16, 94), (25, 97), (48, 95), (59, 88)):
        brush.shape(f"M {x} 78 L {x + 6} 78 L {x + 5} {y} L {x - 1} {y} Z", coat)
    brush.lit("M 13 62 C 4 64 2 76 4 88 C 9 84 12 76 16 70 Z", coat, 1.5)
    brush.lit(
        "M 12 62 C 16 55 30 57 40 57 C 47 55 50 47 55 40 L 60 33 L 64 39 C 71 43 76 48 77 53"
        " C 76 57 72 58 69 56 L 63 55 C 62 62 63 70 62 80 L 54 85 L 47 81 L 40 87 L 32 83"
        " L 24 88 L 15 84 L 10 85 C 9 76 9 68 12 62 Z",
        cloth,
        2.5,
    )
    brush.shape("M 69 56 C 73 58 77 56 77 53 C 76.6 51 75 49 73 47 L 70 51 Z", coat)
    brush.disc(66.5, 46, 1.2, trim)
    brush.shape(
        "M 10 80 L 15 79 L 24 83 L 32 78 L 40 82 L 47 76 L 54 80 L 62 75 L 62 80 L 54 85 L 47 81"
        " L 40 87 L 32 83 L 24 88 L 15 84 L 10 85 Z",
        trim,
    )
    for x, y in ((20, 68), (52, 66)):
        brush.shape(f"M {x} {y - 5} L {x + 4} {y} L {x} {y + 5} L {x - 4} {y} Z", trim)
    brush.lit("M 28 62 C 27 50 28 40 34 37 C 41 35 45 40 45 47 L 46 58 L 38 60 Z", STEEL, 2)
    brush.shape("M 33 58 L 41 57 L 45 72 L 51 74 L 51 77 L 41 76 Z", STEEL)
    brush.lit("M 36 40 L 52 38 C 54 48 50 56 45 60 C 39 57 36 49 36 40 Z", cloth, 1.4)
    brush.shape("M 42.5 40 L 46 39.6 L 46.4 58 L 45 60 L 43.4 58.6 Z", trim)
    brush.lit("M 29 36 C 28 27 31 22 37 22 C 43 22 45 27 44.6 36 Z", STEEL, 1.6)
    brush.box(36, 28.4, 45, 30.4, "#23262B")
    brush.lit("M 36 22 C 34 14 26 11 18 14 C 22 16 21 19 17 21 C 24 24 31 24 36 22 Z", trim, 1.2)


def champion(brush: Brush) -> None:
    """Draw the white knight on foot, with helmet, surcoat and shield, holding his sword upright."""
    brush.lit("M 60 18 L 62.5 14 L 65 18 L 64.6 58 H 60.4 Z", "#DCE5EC", 1)
    brush.box(54, 57, 71, 60, GOLD)
    brush.box(61, 60, 64, 69, "#6B4526")
    for x in (26, 38):
        brush.lit(f"M {x} 76 H {x + 9} L {x + 10} 98 H {x - 3} L {x} 92 Z", STEEL, 1.4)
    brush.lit("M 22 42 C 28 36 45 36 51 42 L 54 84 C 44 88 30 88 20 84 Z", "#F6F4EC", 2)
    brush.shape("M 42 38 C 46 38.6 49 40 51 42 L 54 84 C 51 85.4 48 86 45 86.6 Z", "#D6D4CC")
    brush.lit("M 50 41 C 56 44 60 51 64 60 L 60 66 L 50 56 Z", STEEL, 1.6)
    brush.shape("M 20.6 62 H 53 L 53.4 67 H 20.4 Z", "#6B4526")
    brush.lit("M 4 46 H 34 V 62 C 34 74 26 82 19 86 C 12 82 4 74 4 62 Z", "#3E7CB1", 2.4)
    brush.shape("M 16 46 H 22 V 84.6 L 19 86 L 16 84.6 Z M 4 56 H 34 V 62 H 4 Z", "#F6F4EC")
    brush.lit("M 25 38 V 22 C 25 12 47 12 47 22 V 38 C 41 42 31 42 25 38 Z", STEEL, 2.2)
    brush.box(26, 23.4, 46, 26.6, "#23262B")
    brush.box(34.6, 15, 37.4, 39, GOLD)
    brush.lit("M 36 14 C 32 6 38 2 46 3 C 43 6 45 9 49 11 C 45 15 40 16 36 14 Z", "#C43B3B", 1)


def scholar(brush: Brush) -> None:
    """Draw a hooded student at a desk, bent over a large book."""
    brush.lit("M 12 98 C 10 74 12 56 22 50 C 32 46 41 52 43 62 L 46 98 Z", "#6C3B22", 2.4)
    brush.shape("M 34 51 C 40 53 42 57 43 62 L 46 98 H 38 C 40 80 39 64 34 51 Z", "#4C2815")
    brush.ellipse(30, 41, 6.6, 7.6, SKIN)
    brush.lit(
        "M 19 50 C 15 36 22 28 31 30 C 36 31 38 34 38 36 C 31 34 27 40 28 50 Z", "#8A4D2C", 1.6
    )
    brush.lit("M 36 72 H 92 L 94 78 H 34 Z", "#8C5A2E", 1.2)
    brush.box(40, 78, 46, 98, "#6B4220")
    brush.box(83, 78, 89, 98, "#6B4220")
    brush.lit("M 58 70 C 52 65 46 64 41 66 L 43 55 C 48 53 54 55 59 60 Z", "#FFF8E6", 0.8)
    brush.lit("M 60 70 C 65 65 71 64 77 66 L 75 55 C 70 53 64 55 59 60 Z", "#EFE2C2", 0.8)
    for y in (58.5, 61.5):
        brush.line([(46, y), (55, y + 3.4)], "#9A8A6A", 0.9)
        brush.line([(72, y), (63, y + 3.4)], "#9A8A6A", 0.9)
    brush.shape("M 30 60 L 46 64 L 46 67.5 L 30 68 Z", "#8A4D2C")
    brush.disc(47.4, 66, 2.4, SKIN)


def king(brush: Brush) -> None:
    """Draw Arthur on his throne, with sceptre and orb."""
    brush.lit(
        "M 14 90 V 30 L 17 22 L 22 30 C 24 14 48 14 50 30 L 55 22 L 58 30 V 90 Z", "#7A4A22", 2.4
    )
    brush.shape("M 20 88 V 36 C 20 20 52 20 52 36 V 88 Z", "#8E2430")
    for x in (17, 55):
        brush.disc(x, 22, 3, GOLD)
    brush.lit("M 6 98 C 6 88 66 88 66 98 Z", "#7A4A22", 1)
    brush.lit("M 20 54 C 24 46 48 46 52 54 L 62 96 C 48 99 24 99 10 96 Z", "#2F5AA8", 2.4)
    brush.shape("M 46 49 C 49 50 51 52 52 54 L 62 96 C 58 97 54 97.6 50 98 Z", "#1F3F7C")
    brush.shape("M 24 49.4 C 31 46.4 41 46.4 48 49.4 L 45 57 C 40 60 32 60 27 57 Z", "#F5F0E2")
    brush.shape("M 31 58 L 36 60 L 41 58 L 44 97.6 L 36 98.4 L 28 97.6 Z", "#F5F0E2")
    for x, y in ((34, 68), (39, 76), (33, 84), (40, 91)):
        brush.shape(f"M {x - 1} {y} L {x} {y - 2} L {x + 1} {y} L {x} {y + 3} Z", "#2B2622")
    brush.ellipse(36, 36, 6.4, 7.6, SKIN)
    brush.lit("M 29.4 36 C 29 52 33 56 36 57 C 39 56 43 52 42.6 36 C 41 42 31 42 29.4 36 Z",
              "#D9D2C4", 1)  # fmt: skip
    brush.shape("M 33 40 C 34.6 38.6 37.4 38.6 39 40 L 36 41.6 Z", "#EFEADF")
    brush.lit("M 28 31 L 26.6 20 L 31.6 25 L 36 17 L 40.4 25 L 45.4 20 L 44 31 Z", GOLD, 1)
    brush.line([(60, 84), (66, 44)], GOLD, 2.2)
    brush.disc(66.4, 42, 3.4, GOLD)
    brush.disc(61.4, 76, 2.8, SKIN)
    brush.disc(13, 76, 4.6, GOLD)
    brush.disc(11.6, 74.4, 1.7, "#F3DB94")


def wizard(brush: Brush) -> None:
    """Draw Merlin in hat and robe, his staff alight."""
    for radius, opacity in ((15, 0.25), (10, 0.35)):
        brush.disc(60, 25, radius, "#FFE9A8", opacity)
    brush.line([(60, 30), (56, 97)], "#8A6236", 2.6)
    brush.disc(60, 25, 4.6, "#FFF6D0")
    brush.lit("M 24 52 C 30 46 40 46 46 52 L 56 98 H 8 C 14 82 20 66 24 52 Z", "#5A4AA0", 2.6)
    brush.shape("M 42 49 C 44 50 45 51 46 52 L 56 98 H 46 C 46 80 45 64 42 49 Z", "#3D3178")
    brush.lit("M 44 52 C 50 54 55 58 60 60 L 57 69 C 50 68 45 64 42 60 Z", "#5A4AA0", 1.6)
    brush.disc(58.4, 63, 3, SKIN)
    brush.ellipse(35, 40, 6.4, 7.2, SKIN)
    brush.lit(
        "M 28 40 C 27 58 31 70 35 78 C 40 70 43 58 42 40 C 40 47 30 47 28 40 Z", "#EDE8F4", 1.4
    )
    brush.lit("M 18 38 C 26 33 44 33 52 38 C 44 41 26 41 18 38 Z", "#3D3178", 1)
    brush.lit("M 25 36 C 28 24 32 14 44 5 C 41 14 43 26 45 36 C 38 34.4 31 34.4 25 36 Z",
              "#5A4AA0", 1.8)  # fmt: skip
    for x, y in ((33, 28), (39, 20), (26, 76), (44, 88), (19, 90)):
        brush.star(x, y, 2.6, "#F2D675")


def beggars(brush: Brush) -> None:
    """Draw an old man leaning on his stick, and a child next to him."""
    brush.lit("M 14 98 C 12 74 14 56 24 48 C 34 44 42 52 44 64 L 47 98 Z", "#6B5C49", 2.4)
    brush.shape("M 36 50 C 41 53 43 58 44 64 L 47 98 H 40 C 41 80 41 64 36 50 Z", "#4B3F31")
    brush.shape("M 20 74 L 28 72 L 29 81 L 21 82 Z", "#8B7A60")
    brush.ellipse(33, 39, 6, 7, SKIN)
    brush.shape("M 30 43 C 31 52 35 54 38 52 C 40 49 40 45 39 42 C 36 45 33 45 30 43 Z", "#E5DFD2")
    brush.lit(
        "M 20 50 C 15 34 24 25 34 28 C 38 29 40 32 39.6 35 C 33 32 28 38 30 51 Z", "#7E6D56", 1.6
    )
    brush.line([(50, 52), (53, 97)], "#7A4F2A", 2.4)
    brush.shape("M 38 58 L 50 60 L 50 65 L 37 66 Z", "#6B5C49")
    brush.disc(51, 62, 2.8, SKIN)
    brush.lit("M 58 98 C 57 82 59 73 65 70 C 72 70 75 80 76 98 Z", "#9A7B4F", 1.8)
    brush.ellipse(66, 64, 5, 5.8, SKIN)
    brush.lit("M 59.4 66 C 58 57 63 54.6 67 55.6 C 71 56.6 72 60 71.6 62 C 66 60 63 62 62.6 68 Z",
              "#B08F5E", 1)  # fmt: skip


def kneeling(brush: Brush) -> None:
    """Draw a knight who kneels on the right, facing the Grail on the left of the chapel."""
    brush.lit(
        "M 96 98 C 98 84 96 70 88 64 C 80 60 73 64 71 72 L 67 84 L 58 88 V 98 Z", "#8E2430", 2.2
    )
    brush.lit("M 86 66 C 80 63 73 66 72 72 L 74 82 L 88 84 Z", STEEL, 1.4)
    brush.shape("M 76 70 L 63 65 L 62 69 L 73 77 Z", STEEL)
    brush.disc(61.4, 66, 2.3, SKIN)
    brush.shape("M 74 84 L 62 84 L 59 98 H 66 L 67 90 Z", STEEL)
    brush.lit("M 86 64 V 54 C 86 47 73 47 73 54 V 64 C 77 67 82 67 86 64 Z", STEEL, 1.6)
    brush.box(73, 55, 80, 57, "#23262B")
