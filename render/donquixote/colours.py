"""The colours of Don Quixote: meadow, roads, walls, and what stands on them."""

from __future__ import annotations

from render.canvas import GHOST
from render.theme import (
    GOLD,
    HOUSE,
    HOUSE_EDGES,
    INK,
    LIGHT,
    PARCHMENT,
    SEAT_COLOURS,
    SEAT_EDGES,
    SEATS,
    Colour,
    Palette,
    mix,
)

MEADOW: Colour = "#8AA75A"
GRASS: Colour = "#759148"
SEAM: Colour = "#647E3C"
FALLOW: Colour = "#DDDDB6"
"""A field that is still to be filled."""
FURROW: Colour = "#C6C79A"
ROAD: Colour = "#FFF6DC"
VERGE: Colour = "#5E4A2B"
"""The edge of a road."""
WALL: Colour = "#7B7468"
"""The border of a principality."""

ROOF: Colour = "#A8402C"
TIMBER: Colour = "#6B4526"
STEEL: Colour = "#2E4A6B"
STONE: Colour = "#A79E90"
STONE_SHADE: Colour = "#857C6F"
PALE_STONE: Colour = "#D3CBBD"

TINTS: tuple[Colour, ...] = (
    "#FFD75E",
    "#A5D8FA",
    "#F9BDD2",
    "#F8B06F",
    "#D6BEF7",
    "#9BE8D2",
    "#E6E08A",
    "#CDD3DA",
)
"""Roads of one network in the account of a round: each network that counts has its own."""

PALETTE = Palette(
    [
        *HOUSE,
        *SEAT_COLOURS,
        *(MEADOW, GRASS, SEAM, FALLOW, FURROW, ROAD, VERGE, WALL),
        *(ROOF, TIMBER, STEEL, STONE, STONE_SHADE, PALE_STONE),
        *(mix(PARCHMENT, colour, GHOST) for colour in (MEADOW, ROAD, VERGE, INK, STEEL, ROOF)),
        *TINTS,
    ],
    [
        (ROAD, VERGE),
        (MEADOW, VERGE),
        (INK, ROAD),
        (INK, MEADOW),
        (INK, LIGHT),
        (INK, ROOF),
        (INK, STEEL),
        (LIGHT, STEEL),
        (INK, TIMBER),
        (INK, STONE),
        (MEADOW, GRASS),
        *HOUSE_EDGES,
        *SEAT_EDGES,
        *((tint, VERGE) for tint in TINTS),
        *((seat.colour, FALLOW) for seat in SEATS),
        (INK, FALLOW),
        (GOLD, MEADOW),
        (WALL, PARCHMENT),
        (INK, PALE_STONE),
        (GOLD, INK),
    ],
)
