"""The places of Camelot: a small painting for each board, which the board's cards show as well.

Most paintings have the figure on the left and less detail on the right, where prizes are drawn.
"""

from __future__ import annotations

from collections.abc import Callable

from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Box
from render.isolde import figures
from render.isolde.colours import BOARDS, FOIL, INKS
from render.isolde.devices import FIGURE, draw_device
from render.isolde.figures import Brush
from render.light import raised, relief
from render.theme import INK, Colour, Type


@cached
def scenery(place: str, size: int, lit: bool = True) -> Sprite:
    """Return the square painting of a board or a type of card. The card that serves two boards
    shows half of each board's painting.

    :param lit: whether figures have light and shade; a picture of all boards does without, because
        otherwise its file would be too large.
    """
    if place == "KAMPF":
        return _divided(scenery("LANZE", size), scenery("TURNIER", size))
    brush = Brush(size, "#000000", lit)
    _PLACES[place](brush)
    return brush.sprite()


def _divided(first: Sprite, second: Sprite) -> Sprite:
    """Return a painting whose upper left half comes from one painting and whose lower right half
    from another.
    """
    size = first.size[0]
    canvas, half = Canvas(size, size), Canvas(size, size)
    canvas.stamp(first, canvas.box.centre)
    half.polygon([(size + 1, -1), (size + 1, size + 1), (-1, size + 1)], "#000000")
    part = Sprite(second.colours, half.sprite().mask)
    canvas.stamp(part, canvas.box.centre)
    canvas.line([(0, size), (size, 0)], figures.GOLD, size / 40)
    return canvas.sprite()


# ------------------------------------------------------------------------------ outdoors
def _bower(brush: Brush) -> None:
    """Draw Isolde's balcony above the land in the evening, with roses on its arch."""
    brush.fade(0, 66, "#E9A98E", "#F8E3BE")
    brush.disc(80, 40, 9, "#FBEFC9")
    brush.shape("M 0 60 C 20 50 40 56 60 52 C 78 48 90 54 100 50 V 80 H 0 Z", "#C9A38A")
    brush.shape("M 66 54 V 42 H 69 V 38 H 72 V 42 H 76 V 46 H 84 V 40 H 88 V 54 Z", "#B58C7C")
    brush.shape("M 0 66 C 30 58 60 66 100 60 V 84 H 0 Z", "#8E9A6C")
    brush.box(0, 84, 100, 100, "#D9B9A6")
    brush.box(0, 84, 100, 86, "#F0D9C9")
    for x in range(2, 100, 12):
        brush.shape(
            f"M {x} 84 H {x + 6} L {x + 5} 80 C {x + 8} 76 {x + 7} 72 {x + 4.6} 70"
            f" H {x + 1.4} C {x - 1} 72 {x - 2} 76 {x + 1} 80 Z",
            "#E4C8B6",
        )
    brush.box(0, 66, 100, 70, "#EBD3C3")
    brush.box(0, 69, 100, 70.6, "#B48F7E")
    brush.shape("M 0 0 H 100 V 12 C 84 2 64 0 50 0 C 30 0 12 6 8 30 V 66 H 0 Z", "#C7A08D")
    brush.shape("M 100 0 V 66 H 94 V 30 C 92 12 76 3 62 0 Z", "#B58C7A")
    for x, y, r in ((3, 8, 6), (5, 20, 5), (2, 33, 5), (5, 46, 4), (14, 4, 6), (25, 2, 4),
                    (97, 10, 5), (98, 24, 4), (97, 38, 4), (88, 3, 5)):  # fmt: skip
        brush.disc(x, y, r, "#5F7A49")
    for x, y in ((3, 9), (7, 22), (2, 36), (13, 5), (97, 12), (98, 27), (88, 4)):
        brush.disc(x, y, 2.7, "#C23A60")
        brush.disc(x - 0.7, y - 0.8, 1.2, "#EE8AA0")
    figures.princess(brush)


def _pavilion(brush: Brush, x: float, top: float, cloth: Colour, stripe: Colour) -> None:
    """Draw a round tent with a pennant, 30 units wide."""
    base = 66.0
    eaves = top + 18
    brush.line([(x, top), (x, top - 8)], "#6B4526", 1)
    brush.shape(f"M {x} {top - 8} L {x + 9} {top - 6} L {x} {top - 3} Z", stripe)
    brush.lit(f"M {x - 15} {eaves} L {x - 13} {base} H {x + 13} L {x + 15} {eaves} Z", cloth, 1.4)
    for left in (x - 10, x + 4):
        brush.shape(
            f"M {left} {eaves} L {left + 1} {base} H {left + 5} L {left + 6} {eaves} Z", stripe
        )
    brush.lit(f"M {x} {top} C {x + 4} {top + 10} {x + 12} {eaves - 2} {x + 17} {eaves}"
              f" L {x + 13} {eaves + 4} L {x + 8} {eaves} L {x + 4} {eaves + 4} L {x} {eaves}"
              f" L {x - 4} {eaves + 4} L {x - 8} {eaves} L {x - 13} {eaves + 4} L {x - 17} {eaves}"
              f" C {x - 12} {eaves - 2} {x - 4} {top + 10} {x} {top} Z", stripe, 1.4)  # fmt: skip


def _lists(brush: Brush) -> None:
    """Draw the barrier of the lists, two tents, and the Black Knight charging."""
    brush.fade(0, 60, "#A9C9DC", "#E6EEE6")
    brush.shape("M 0 52 C 24 42 50 54 100 44 V 70 H 0 Z", "#A9BF94")
    _pavilion(brush, 84, 22, "#E9E2D0", "#3B4049")
    _pavilion(brush, 14, 26, "#C8452F", "#7E2418")
    brush.box(0, 64, 100, 100, "#DCC48D")
    brush.shape("M 0 64 H 100 V 67 H 0 Z", "#B99D64")
    figures.rider(brush, "#25282E", "#3A3F48", "#D0A33C")
    for x in range(2, 106, 14):
        brush.box(x, 82, x + 2, 100, "#7B5530")
    brush.box(0, 85, 100, 96, "#F2E7CC")
    for x in range(-3, 100, 14):
        brush.shape(f"M {x} 85 H {x + 7} L {x + 14} 96 H {x + 7} Z", "#B53A2C")
    brush.box(0, 84, 100, 85.6, "#7B5530")


def _tournament(brush: Brush) -> None:
    """Draw a meadow of tents and banners, and the White Knight on foot."""
    brush.fade(0, 60, "#9CC6E4", "#E4F0EE")
    brush.shape("M 0 20 C 6 16 12 16 16 20 C 22 17 26 20 28 22 H 0 Z", "#F4F7F2")
    brush.shape("M 62 12 C 68 8 76 9 80 12 C 86 9 92 12 94 15 H 60 Z", "#F4F7F2")
    brush.shape("M 0 54 C 20 46 40 52 60 48 C 76 46 90 50 100 48 V 74 H 0 Z", "#8FB27C")
    _pavilion(brush, 80, 30, "#F4EEDC", "#3E7CB1")
    _pavilion(brush, 7, 34, "#F4EEDC", "#C43B3B")
    for x, top, colour in ((54, 20, "#C43B3B"), (97, 22, "#D9A93C")):
        brush.line([(x, 70), (x, top)], "#6B4526", 1.4)
        brush.shape(f"M {x} {top} L {x + 12} {top + 2} L {x + 8} {top + 6} L {x + 12} {top + 10}"
                    f" L {x} {top + 11} Z", colour)  # fmt: skip
    brush.shape("M 0 66 C 30 62 70 68 100 64 V 100 H 0 Z", "#7BA35E")
    brush.shape("M 0 82 C 30 78 70 86 100 80 V 100 H 0 Z", "#6B9450")
    for x, y in ((8, 92), (70, 76), (84, 90), (92, 78), (66, 94), (77, 84)):
        brush.disc(x, y, 1.2, "#F4EFD4")
    figures.champion(brush)


def _gate(brush: Brush) -> None:
    """Draw the road to the town gate, people waiting there, and a bowl of coins in front of
    them.
    """
    brush.fade(0, 60, "#C2CCD0", "#EFE6D2")
    brush.shape("M 0 60 C 20 50 36 54 56 52 L 100 50 V 76 H 0 Z", "#AEB189")
    brush.shape("M 52 62 V 30 H 56 V 26 H 60 V 30 H 64 V 26 H 68 V 30 H 84 V 26 H 88 V 30 H 92"
                " V 26 H 96 V 30 H 100 V 62 Z", "#A39683")  # fmt: skip
    brush.shape("M 56 62 V 30 H 59 V 62 Z", "#B8AC99")
    brush.shape("M 68 62 V 48 C 68 38 86 38 86 48 V 62 Z", "#4F463B")
    for x in (72, 77, 82):
        brush.line([(x, 43), (x, 62)], "#7F7261", 0.9)
    brush.shape("M 0 66 C 30 58 60 62 100 60 V 100 H 0 Z", "#B7A67F")
    brush.shape("M 70 61 H 86 C 84 72 88 84 96 100 H 8 C 40 92 66 80 70 61 Z", "#D8C69C")
    brush.shape("M 84 61 H 86 C 84 72 88 84 96 100 H 90 C 84 86 81 72 84 61 Z", "#C0AC7E")
    brush.line([(4, 66), (4, 30)], "#6B4F35", 3)
    for x, y, r in ((4, 24, 11), (14, 30, 8), (-2, 34, 8)):
        brush.disc(x, y, r, "#7D8A55")
    brush.disc(2, 21, 6, "#93A066")
    figures.beggars(brush)
    brush.lit("M 78 88 H 96 C 96 95 92 98.6 87 98.6 C 82 98.6 78 95 78 88 Z", "#8A5A30", 1.2)
    for x, y in ((83, 87), (88, 85), (92, 87)):
        brush.disc(x, y, 2.6, figures.GOLD)


# ------------------------------------------------------------------------------- indoors
_BOOKS: tuple[Colour, ...] = ("#8E2F2B", "#C08A3A", "#3F5E4E", "#4A5B80", "#A8683A", "#6B3A52")


def _library(brush: Brush) -> None:
    """Draw a student among shelves full of books, a window and a candle."""
    brush.box(0, 0, 100, 100, "#8A6038")
    for shelf, top in enumerate((4, 24, 44, 64)):
        brush.box(0, top, 100, top + 18, "#5E3E22")
        x, n = 1.0, shelf * 5
        while x < 98:
            width = 3.2 + (n * 7 % 4) * 0.8
            height = 12 + (n * 5 % 4) * 1.3
            brush.box(x, top + 18 - height, x + width, top + 18, _BOOKS[(n * 5 + shelf) % 6])
            x, n = x + width + (3.4 if n % 7 == 6 else 0.5), n + 1
        brush.box(0, top + 18, 100, top + 20, "#A97B48")
    brush.box(0, 84, 100, 100, "#7A5330")
    brush.shape("M 60 62 V 24 C 60 10 80 4 80 4 C 80 4 100 10 100 24 V 62 Z", "#B58B55")
    brush.shape("M 64 60 V 26 C 64 14 80 8 80 8 C 80 8 96 14 96 26 V 60 Z", "#F5E3B0")
    brush.shape("M 78.8 8 H 81.2 V 60 H 78.8 Z M 64 34 H 96 V 36 H 64 Z", "#B58B55")
    figures.scholar(brush)
    brush.box(84, 62, 88, 72, "#FFF6DC")
    brush.disc(86, 58, 6, "#FFE7A0", 0.35)
    brush.shape("M 86 54 C 88.4 57 88 61 86 62 C 84 61 83.6 57 86 54 Z", "#F2A93B")


def _throne(brush: Brush) -> None:
    """Draw the King in his hall, with columns, blue hangings and a red carpet."""
    brush.box(0, 0, 100, 100, "#C9BEAA")
    for x in (64, 82):
        brush.shape(f"M {x} 70 V 26 C {x} 16 {x + 7} 12 {x + 7} 12 C {x + 7} 12 {x + 14} 16"
                    f" {x + 14} 26 V 70 Z", "#9FB6CC")  # fmt: skip
        brush.line([(x + 7, 14), (x + 7, 70)], "#C9BEAA", 1.4)
        brush.line([(x, 40), (x + 14, 40)], "#C9BEAA", 1.4)
    brush.shape("M 4 0 H 68 V 78 C 60 74 58 60 58 50 L 14 50 C 14 60 12 74 4 78 Z", "#2B4F8E")
    brush.shape("M 4 0 H 14 C 12 30 14 60 4 78 Z M 68 0 H 58 C 60 30 58 60 68 78 Z", "#3F69AE")
    brush.box(0, 0, 100, 5, "#8A6A33")
    for x in (24, 48):
        for y in (14, 32):
            brush.shape(f"M {x} {y - 5} L {x + 3} {y} L {x} {y + 5} L {x - 3} {y} Z", figures.GOLD)
    for x in (-5, 96):
        brush.lit(f"M {x} 4 H {x + 9} V 90 H {x} Z", "#DDD3C0", 1.6)
    brush.box(0, 84, 100, 100, "#A79B86")
    brush.shape("M 14 88 H 58 L 78 100 H -6 Z", "#A0262E")
    brush.shape("M 54 88 H 58 L 78 100 H 72 Z M 14 88 H 18 L 0 100 H -6 Z", figures.GOLD)
    figures.king(brush)


def _chapel(brush: Brush) -> None:
    """Draw the chapel with the Grail shining on the altar, and a kneeling knight."""
    brush.fade(0, 100, "#5B3A44", "#8A5A58", 6)
    brush.shape("M 18 76 V 30 C 18 12 40 2 40 2 C 40 2 62 12 62 30 V 76 Z", "#3E2730")
    brush.shape("M 22 74 V 31 C 22 16 40 7 40 7 C 40 7 58 16 58 31 V 74 Z", "#E9B65E")
    for path, colour in (
        ("M 22 31 C 22 22 29 14 38.6 8 V 30 H 22 Z", "#B8434A"),
        ("M 41.4 8 C 51 14 58 22 58 31 V 30 H 41.4 Z", "#3F6FA8"),
        ("M 22 33 H 38.6 V 52 H 22 Z", "#F3D58A"),
        ("M 41.4 33 H 58 V 52 H 41.4 Z", "#F7E0A0"),
    ):
        brush.shape(path, colour)
    brush.shape("M 38.6 8 L 40 7 L 41.4 8 V 74 H 38.6 Z M 22 30 H 58 V 32.4 H 22 Z", "#3E2730")
    for points, opacity in (
        ("M 40 50 L -4 0 H 14 Z", 0.22),
        ("M 40 50 L 100 2 V 26 Z", 0.22),
        ("M 40 50 L 0 64 V 44 Z", 0.22),
        ("M 40 50 L 100 66 V 46 Z", 0.22),
    ):
        brush.shape(points, "#FFE9A8", opacity)
    for radius, opacity in ((24, 0.3), (16, 0.45)):
        brush.disc(40, 52, radius, "#FFF1C0", opacity)
    brush.box(0, 88, 100, 100, "#5A3C3C")
    brush.lit("M 20 74 H 60 V 79 H 57 V 92 H 23 V 79 H 20 Z", "#EFE6D6", 1.6)
    brush.shape("M 20 74 H 60 V 77 L 56 80 L 52 77 L 48 80 L 44 77 L 40 80 L 36 77 L 32 80 L 28 77"
                " L 24 80 L 20 77 Z", "#FFFBF0")  # fmt: skip
    brush.shape("M 39 82 H 41 V 84 H 43.4 V 86 H 41 V 91 H 39 V 86 H 36.6 V 84 H 39 Z", "#B8860B")
    brush.lit("M 30 40 H 50 C 50 53 46 58 42 60 L 42 66 C 46 68 48 70 48 73.6 H 32"
              " C 32 70 34 68 38 66 L 38 60 C 34 58 30 53 30 40 Z", "#E2B23C", 2)  # fmt: skip
    brush.ellipse(40, 40, 10, 2.4, "#FFF3C4")
    figures.kneeling(brush)


def _tower_room(brush: Brush) -> None:
    """Draw Merlin in his tower, under the stars."""
    brush.fade(0, 100, "#231E4A", "#4B4088", 8)
    brush.disc(82, 22, 13, "#F7EBC0")
    brush.disc(77, 19, 12, "#2B2557")
    for x, y, r in ((10, 12, 2.4), (24, 30, 1.8), (66, 8, 2.6), (92, 48, 2.2), (70, 52, 1.8),
                    (8, 50, 1.8), (55, 12, 1.6), (84, 70, 1.8)):  # fmt: skip
        brush.star(x, y, r * 1.3, "#FBEFC0")
    brush.line([(66, 8), (92, 48), (70, 52), (84, 70)], "#7C71B4", 0.7)
    brush.shape("M 0 100 V 88 H 100 V 100 Z", "#6A5F8E")
    brush.box(0, 86, 100, 89, "#8D83B0")
    brush.shape("M 72 86 H 92 L 89 78 H 75 Z", "#3A2F63")
    brush.disc(82, 72, 8.4, "#9FD4E8")
    brush.disc(82, 72, 6, "#C9EAF4")
    brush.disc(79, 69, 2.2, "#FFFFFF")
    figures.wizard(brush)


_PLACES: dict[str, Callable[[Brush], None]] = {
    "ISOLDE": _bower,
    "MAGIE": _tower_room,
    "LANZE": _lists,
    "TURNIER": _tournament,
    "STUDIEN": _library,
    "KOENIG": _throne,
    "GRAL": _chapel,
    "BARM": _gate,
}


# ------------------------------------------------------------------------------------------- cards
CARD_WIDTH, CARD_HEIGHT = 100, 140


def height_of(width: float) -> int:
    """Return the height of a card of this width."""
    return round(width * CARD_HEIGHT / CARD_WIDTH)


@cached
def card_face(name: str, width: int) -> Sprite:
    """Return a card, face up: its value and device on a banner, with the painting below."""
    kind, value = name[:-1], name[-1]
    canvas = Canvas(width, height_of(width))
    scale = width / CARD_WIDTH
    inner = _blank(canvas, kind)
    side = round(inner.width)
    window = Box(inner.left, inner.bottom - side, inner.right, inner.bottom)
    painting = Canvas(canvas.width, canvas.height)
    painting.stamp(scenery(kind, side), window.centre)
    canvas.stamp(painting.sprite(), canvas.box.centre)
    canvas.rect(Box(inner.left, window.top - 2, inner.right, window.top), FOIL)
    figure = Type("title", max(28, round(42 * scale)))
    middle = (inner.top + window.top) / 2 - 1
    canvas.text((inner.left + 17 * scale, middle), value, figure, INKS[kind])
    draw_device(canvas, kind, (inner.right - 22 * scale, middle), 33 * scale, INKS[kind])
    return raised(canvas.sprite(), 4)


def _blank(canvas: Canvas, kind: str) -> Box:
    """Draw the edge, the golden rim and the banner, and return the area inside the rim."""
    radius, edge = canvas.width * 0.08, max(1.5, canvas.width * 0.015)
    rim = Canvas(canvas.width, canvas.height)
    canvas.rect(canvas.box, INK, radius=radius)
    rim.rect(canvas.box.inset(edge), FOIL, radius=radius - edge)
    canvas.stamp(relief(rim.sprite(), edge * 1.5), canvas.box.centre)
    inner = canvas.box.inset(round(edge + canvas.width * 0.035))
    canvas.rect(inner, BOARDS[kind])
    return inner


CHIP = (50, 60)
"""Size of the picture of a played card below a plate."""


@cached
def chip(kind: str, value: str, width: int = CHIP[0], height: int = CHIP[1]) -> Sprite:
    """Return a thumbnail of a card: its value, and the device of a board or of the card's type."""
    scale = height / 50  # in which all measures below are given
    canvas = Canvas(width, height)
    canvas.rect(canvas.box, INK, radius=5 * scale)
    canvas.rect(canvas.box.inset(1.5 * scale), BOARDS[kind], radius=4 * scale)
    size = min(23 * scale, width - 4 * scale)
    draw_device(canvas, kind, (width / 2, 13.5 * scale), size, INKS[kind])
    figure = Type(FIGURE.face, round(FIGURE.size * scale))
    canvas.text((width / 2, 37 * scale), value, figure, INKS[kind])
    return canvas.sprite()
