"""Where everything lies in the pictures of Isis, and in which colours."""

from __future__ import annotations

from games.isis.board import EXITS, HEAVEN, LANES, UNDERWORLD, column, row
from render.canvas import GHOST
from render.geometry import Box, Point
from render.theme import (
    GOLD,
    HOUSE,
    HOUSE_EDGES,
    INK,
    LIGHT,
    MARGIN,
    PARCHMENT,
    SEAT_COLOURS,
    SEAT_EDGES,
    SEATS,
    WIDTH,
    Colour,
    Palette,
    Type,
    mix,
)

# ------------------------------------------------------------------------------ measures
CELL = 71
"""Width of a square: sixteen of them fill the picture from margin to margin."""
RISE = 112
"""Height of a square: room for its number above and a stone below."""
COLUMNS, ROWS = 16, 4

HEADER = Box(MARGIN, 28, WIDTH - MARGIN, 92)
BOARD = Box(MARGIN, 116, MARGIN + COLUMNS * CELL, 116 + ROWS * RISE)
PLATES = Box(MARGIN, BOARD.bottom + 28, WIDTH - MARGIN, BOARD.bottom + 28 + 128)
CAPTION = Box(MARGIN, PLATES.bottom + 10, WIDTH - MARGIN, PLATES.bottom + 50)
HEIGHT = int(CAPTION.bottom + 20)

STONE = 60, 74
"""Width and height of a stone."""
_NUMBER = 21
_STAND = 70.5
"""Half a pixel, as in the width of a square: so lines of odd width have sharp edges both ways."""

NUMBER = Type("strong", 28)
STEPS = Type("strong", 48)
WORDS = Type("text", 26)

# ------------------------------------------------------------------------------- colours
NIGHT: Colour = "#1F3A5F"
NIGHT_DEEP: Colour = "#172C49"
NIGHT_WAVE: Colour = "#2C4C76"
SAND: Colour = "#EEDDB0"
SAND_SHADE: Colour = "#E6D19D"
SAND_LINE: Colour = "#C7AC70"
DUSK: Colour = "#4A3E70"
DUSK_SHADE: Colour = "#54477D"
DUSK_LINE: Colour = "#75679F"
STAR: Colour = "#D9AE45"
FAINT_STAR: Colour = mix(DUSK, STAR, 0.55)
LIMESTONE: Colour = "#F2E6C8"
LIMESTONE_SHADE: Colour = "#D3BE92"
LOTUS: Colour = "#2E8B84"
GROUNDS = (SAND, SAND_SHADE, DUSK, DUSK_SHADE, NIGHT)

PALETTE = Palette(
    [
        *HOUSE,
        *SEAT_COLOURS,
        *(NIGHT, NIGHT_DEEP, NIGHT_WAVE),
        *(SAND, SAND_SHADE, SAND_LINE),
        *(DUSK, DUSK_SHADE, DUSK_LINE, STAR, FAINT_STAR),
        *(LIMESTONE, LIMESTONE_SHADE, LOTUS),
        *(mix(ground, LIMESTONE, GHOST) for ground in (DUSK, DUSK_SHADE)),
        *(mix(ground, seat.colour, GHOST) for ground in (DUSK, DUSK_SHADE) for seat in SEATS[:4]),
    ],
    [
        *((INK, ground) for ground in GROUNDS),
        *HOUSE_EDGES,
        *SEAT_EDGES,
        *((LIGHT, ground) for ground in (DUSK, DUSK_SHADE, NIGHT, NIGHT_DEEP)),
        *((GOLD, ground) for ground in GROUNDS),
        *((FAINT_STAR, ground) for ground in (DUSK, DUSK_SHADE)),
        *((INK, colour) for colour in (LIMESTONE, LOTUS, LIMESTONE_SHADE)),
        (STAR, NIGHT),
        (NIGHT, PARCHMENT),
    ],
)


# -------------------------------------------------------------------------------- places
def cell(square: int) -> Box:
    """The box of a square, the underworld among them."""
    if square == UNDERWORLD:
        right = BOARD.left + len(LANES[0]) * CELL
        return Box(BOARD.left, BOARD.top + RISE, right, BOARD.bottom - RISE)
    left, top = BOARD.left + column(square) * CELL, BOARD.top + row(square) * RISE
    return Box(left, top, left + CELL, top + RISE)


def stand(square: int) -> Point:
    """Where the middle of a stone stands on a square in play."""
    box = cell(square)
    return box.centre[0], box.top + _STAND


def number_at(square: int) -> Point:
    """Where the number of a square in play is written."""
    box = cell(square)
    return box.centre[0], box.top + _NUMBER


Way = tuple[int, int]
"""A direction: how far to the right and how far down, each -1, 0 or 1."""


def door(square: int) -> tuple[Point, Way]:
    """Where the underworld opens towards a square, and which way one goes through."""
    below, (x, y) = cell(UNDERWORLD), stand(square)
    if square in EXITS:
        return (below.right, y), (-1, 0)
    return ((x, below.top), (0, -1)) if row(square) == 0 else ((x, below.bottom), (0, 1))


def behind(square: int) -> Point:
    """The place in the underworld right behind the door towards a square."""
    (x, y), (right, down) = door(square)
    depth = 30 if square in EXITS else -30
    return x + right * depth, y + down * depth


def ground_of(square: int) -> Colour:
    """The colour of a square in play, in a light chequer."""
    plain, shade = (DUSK, DUSK_SHADE) if square in HEAVEN else (SAND, SAND_SHADE)
    return shade if (row(square) + column(square)) % 2 else plain


def ink_of(square: int) -> Colour:
    """The colour of a square's number."""
    return LIGHT if square in HEAVEN or square == UNDERWORLD else INK


def berth(n: int, stones: int) -> Point:
    """Where the n-th of so many stones stands in the underworld, on the deck of the barque."""
    box = cell(UNDERWORLD)
    return box.centre[0] + (n - (stones - 1) / 2) * 60, box.bottom - 104
