"""The colours of Don Quixote: meadow, roads, walls, and what stands on them."""

from __future__ import annotations

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

MEADOW: Colour = "#93AE62"
GRASS: Colour = "#7C9850"
SEAM: Colour = "#6A8442"
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

TINTS: tuple[Colour, ...] = (
    "#F6C945",
    "#8FCBF2",
    "#F4A6C0",
    "#F29A4E",
    "#C7A5EF",
    "#7FDCC0",
    "#D9D26A",
    "#B9BFC7",
)
"""Roads of one network in the account of a round: each network that counts has its own."""

DULL: Colour = mix(MEADOW, PARCHMENT, 0.55)
"""The meadow of an account, which steps back behind the roads."""

PALETTE = Palette(
    [
        *HOUSE,
        *SEAT_COLOURS,
        *(MEADOW, GRASS, SEAM, FALLOW, FURROW, ROAD, VERGE, WALL),
        *(ROOF, TIMBER, STEEL, STONE, STONE_SHADE),
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
    ],
)
