"""The layout and colours of the pictures of Isis."""

from __future__ import annotations

from games.isis.board import EXITS, HEAVEN, LANES, UNDERWORLD, column, row
from render.geometry import Box, Point
from render.materials import Material
from render.plates import Ground, Livery
from render.theme import INK, LIGHT, MARGIN, WIDTH, Colour, Palette, Type

# ------------------------------------------------------------------------------ measures
CELL = 70
"""Width of a square: sixteen of them fill the papyrus."""
RISE = 132
"""Height of a square, with room for its number at the top and a stone below."""
COLUMNS, ROWS = 16, 4
BORDER = 14
"""Width of the painted band around the squares."""

HEADER = Box(MARGIN, 24, WIDTH - MARGIN, 84)
BOARD = Box(40, 104, 40 + COLUMNS * CELL, 104 + ROWS * RISE)
PLATES = Box(MARGIN - 6, BOARD.bottom + 30, WIDTH - MARGIN + 6, BOARD.bottom + 30 + 180)
CAPTION = Box(MARGIN, PLATES.bottom + 8, WIDTH - MARGIN, PLATES.bottom + 48)
HEIGHT = int(CAPTION.bottom + 18)

STONE = 64
"""Width of a stone on the board."""
TALL = 1.4
"""Height of a stone as a multiple of its width."""
_NUMBER = 21
_STAND = 82

NUMBER = Type("strong", 28)
STEPS = Type("strong", 46)
WORDS = Type("text", 34)
SMALL_WORDS = Type("text", 28)

# ------------------------------------------------------------------------------- colours
TABLE = Ground(
    Material("stone", "#17233A", "#22314E"),
    *("#0F1829", "#FFF6E0", "#E2D8C2", "#B9BAC3", "#B08F45", "#34476B", "#101A2E"),
)
"""The stone table, dark blue like the night sky, under the papyrus."""

LIVERY = Livery(
    Material("stone", "#1B2F57", "#223965"),
    "#FFF6E0",
    Material("papyrus", "#F5EACB", "#F5EACB"),
    "#C79C3C",
)

BANK = Material("papyrus", "#D7CA98", "#ECE2BC"), Material("papyrus", "#D0C28C", "#E5DAB0")
SAND = Material("papyrus", "#E1CD9B", "#F3E5BF"), Material("papyrus", "#DBC58F", "#EDDDB3")
DUSK = Material("sky", "#382F63", "#4A417E"), Material("sky", "#32295A", "#443B75")
"""The two alternating shades of each zone: the banks of the underworld, the earth, and heaven. The
second is one tone darker than the first, so that both together need only five tones.
"""
SAND_INK: Colour = "#B0945A"
"""The colour of signs on sand, only a little darker than the sand itself."""
BANK_INK: Colour = "#9F935A"
LINE_OF_SAND: Colour = "#B89C61"
LINE_OF_DUSK: Colour = "#251F4A"

NIGHT: Colour = "#14243F"
DEEP: Colour = "#0E1A30"
WATERS: tuple[Colour, ...] = ("#1A3556", "#1F4168", "#254D79", "#2B5A8A")
"""The waves of the underworld from far to near."""
EMBER: Colour = "#7A2F28"
"""The colour of the sun at night."""
SERPENT: Colour = "#C4472F"
SERPENT_DARK: Colour = "#7E1F1A"
SERPENT_LIGHT: Colour = "#FFD9A8"

STAR: Colour = "#E0B54A"
"""Gold leaf."""
GILT_SHADE: Colour = "#9C6F1E"
GILT_LIGHT: Colour = "#F8E3A0"
LAPIS: Colour = "#24457F"
LIMESTONE: Colour = "#F4E9CF"
LIMESTONE_SHADE: Colour = "#D6C39A"
FAIENCE: Colour = "#2C9A92"
FAIENCE_SHADE: Colour = "#1C6F6C"
OCHRE: Colour = "#B5532F"
DAWN: Colour = "#FFF0C2"
"""The colour of highlighted ground, for example under a stone that has just arrived."""

PALETTE = Palette.of("isis")


# -------------------------------------------------------------------------------- places
def cell(square: int) -> Box:
    """Return the box of a square in play, or of the underworld."""
    if square == UNDERWORLD:
        right = BOARD.left + len(LANES[0]) * CELL
        return Box(BOARD.left, BOARD.top + RISE, right, BOARD.bottom - RISE)
    left, top = BOARD.left + column(square) * CELL, BOARD.top + row(square) * RISE
    return Box(left, top, left + CELL, top + RISE)


def stand(square: int) -> Point:
    """Return the centre of a stone on a square in play."""
    box = cell(square)
    return box.centre[0], box.top + _STAND


def number_at(square: int) -> Point:
    """Return the place for the number of a square in play."""
    box = cell(square)
    return box.centre[0], box.top + _NUMBER


LANE_SQUARES = frozenset(LANES[0] + LANES[1])
"""The squares along the underworld."""

Way = tuple[int, int]
"""A direction: right and down, each -1, 0 or 1."""


def door(square: int) -> tuple[Point, Way]:
    """Return the door of the underworld towards a square, and the direction through it."""
    below, (x, y) = cell(UNDERWORLD), stand(square)
    if square in EXITS:
        return (below.right, y), (-1, 0)
    return ((x, below.top), (0, -1)) if row(square) == 0 else ((x, below.bottom), (0, 1))


def behind(square: int) -> Point:
    """Return the place just behind the door to a square, on the side of the underworld."""
    (x, y), (right, down) = door(square)
    depth = 30 if square in EXITS else -30
    return x + right * depth, y + down * depth


def ground_of(square: int) -> Material:
    """Return the material of a square in play; the two shades alternate as on a chessboard."""
    zone = DUSK if square in HEAVEN else BANK if square in LANE_SQUARES else SAND
    return zone[(row(square) + column(square)) % 2]


def ink_of(square: int) -> Colour:
    """Return the colour of a square's number."""
    return LIGHT if square in HEAVEN or square == UNDERWORLD else INK


def berth(n: int, stones: int) -> Point:
    """Return the place of stone ``n``, counted from 0, if there are this many ``stones`` in the
    underworld; they are side by side on the deck of the barque.
    """
    return cell(UNDERWORLD).centre[0] + (n - (stones - 1) / 2) * 57, DECK - STONE * TALL / 2 + 3


DECK = cell(UNDERWORLD).bottom - 68
"""Vertical position of the barque's deck in the picture."""
