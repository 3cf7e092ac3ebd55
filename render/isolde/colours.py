"""The colours of the eight scrolls and of the shields, and the palette of all pictures."""

from __future__ import annotations

from render.theme import (
    GOLD,
    HOUSE,
    HOUSE_EDGES,
    INK,
    LIGHT,
    LINE,
    PANEL,
    PARCHMENT,
    SEAT_COLOURS,
    SEAT_EDGES,
    Colour,
    Palette,
    mix,
)

SCROLLS: dict[str, Colour] = {
    "ISOLDE": "#98335A",
    "MAGIE": "#5B3F86",
    "LANZE": "#3C434C",
    "TURNIER": "#5F87A6",
    "STUDIEN": "#A4622B",
    "KOENIG": "#2C4F8C",
    "GRAL": "#A32A2A",
    "BARM": "#6B6660",
    "KAMPF": "#4C6377",
}
"""Of each board, and of the type of cards that serves two of them."""

ROLLS: dict[str, Colour] = {board: mix(colour, INK, 0.4) for board, colour in SCROLLS.items()}
"""The dark side of the rolled ends of a scroll."""

SKY: Colour = "#9CC9E6"

SHIELDS: dict[str, tuple[Colour, Colour]] = {
    "LANZE": (SKY, INK),
    "TURNIER": (SKY, INK),
    "STUDIEN": ("#B8702E", LIGHT),
    "KOENIG": (SCROLLS["KOENIG"], LIGHT),
    "GRAL": (SCROLLS["GRAL"], LIGHT),
    "BARM": (SCROLLS["BARM"], LIGHT),
}
"""Ground and figures of the shields of a board."""

BACK: Colour = "#4A3B52"
"""Of what lies face down."""

CARD_GROUNDS: dict[str, Colour] = {
    board: mix(LIGHT, colour, 0.16) for board, colour in SCROLLS.items()
}
RESTING = 0.4
"""Opacity of what is no longer there."""

PALETTE = Palette(
    [
        *HOUSE,
        *SEAT_COLOURS,
        *SCROLLS.values(),
        *ROLLS.values(),
        SKY,
        SHIELDS["STUDIEN"][0],
        BACK,
        *CARD_GROUNDS.values(),
        *(mix(PARCHMENT, colour, RESTING) for colour in (INK, *SCROLLS.values())),
    ],
    [
        *HOUSE_EDGES,
        *((colour, LIGHT) for colour in SCROLLS.values()),
        (INK, SKY),
        (BACK, LIGHT),
        (SHIELDS["STUDIEN"][0], LIGHT),
        *SEAT_EDGES,
        *((SCROLLS[kind], ground) for kind, ground in CARD_GROUNDS.items()),
        (LINE, PANEL),
        (GOLD, PANEL),
    ],
)
