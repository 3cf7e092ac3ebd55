"""The colours of night and day, and the palette of all pictures of Twilight."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from itertools import chain

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

NIGHT: Colour = "#3B3561"
AMBER: Colour = "#E69F00"


@dataclass(frozen=True, slots=True)
class Cult:
    """The colours of a cult: dark cards with silver for the Moon, light ones with amber for the
    Sun, so that even without colour no one takes one for the other.

    :param ground: of its cards.
    :param frame: around them, and of its backs.
    :param ink: what is written on its cards.
    :param figure: what is drawn on them; ``shade`` is its dark part, ``face`` that of a person.
    :param glow: around what shines.
    :param code: of the notation.
    :param sky: its quarter of the table, ``far`` out at the rim and ``near`` the middle.
    """

    ground: Colour
    frame: Colour
    ink: Colour
    figure: Colour
    shade: Colour
    face: Colour
    glow: Colour
    code: Colour
    far: Colour
    sky: Colour
    near: Colour


MOON_COLOURS = Cult(
    ground="#3B3561",
    frame="#A9A5D0",
    ink="#FBFAFF",
    figure="#E4E3F5",
    shade="#8F8ABF",
    face="#B9B6DA",
    glow="#575089",
    code="#B9B6DA",
    far="#221E42",
    sky="#2B2650",
    near="#3B3561",
)
SUN_COLOURS = Cult(
    ground="#FFF3CF",
    frame="#E69F00",
    ink="#2B2622",
    figure="#C46F00",
    shade="#8A4B00",
    face="#FFE9B5",
    glow="#FFD978",
    code="#8A4B00",
    far="#F2B632",
    sky="#F7C95A",
    near="#FBDD8D",
)
CULT_COLOURS = (MOON_COLOURS, SUN_COLOURS)

EMBER: Colour = "#D55E00"
FLAME: Colour = "#FFB000"
FROST: Colour = "#7FA8E8"
FLAMES: tuple[tuple[Colour, Colour, Colour], ...] = (
    (FROST, "#E4E3F5", "#FBFAFF"),
    (EMBER, FLAME, "#FFF3CF"),
)
"""Of either purgatory: outside, middle, heart."""
LIGHTS: tuple[tuple[Colour, Colour], ...] = (("#A9A5D0", "#FBFAFF"), (EMBER, FLAME))
"""Of the souls of either cult: flame and heart."""

RESTING = 0.45
"""Opacity of cards that may not be played now."""

_CARD_COLOURS = [*chain.from_iterable(map(astuple, CULT_COLOURS)), EMBER, FLAME, FROST]

PALETTE = Palette(
    [
        *HOUSE,
        *SEAT_COLOURS,
        *_CARD_COLOURS,
        *(mix(PARCHMENT, colour, RESTING) for colour in [INK, *dict.fromkeys(_CARD_COLOURS)]),
    ],
    [
        *HOUSE_EDGES,
        *((cult.ink, cult.ground) for cult in CULT_COLOURS),
        *((cult.figure, cult.ground) for cult in CULT_COLOURS),
        *((cult.frame, cult.ground) for cult in CULT_COLOURS),
        *((cult.shade, cult.ground) for cult in CULT_COLOURS),
        *((cult.glow, cult.ground) for cult in CULT_COLOURS),
        *((cult.shade, cult.figure) for cult in CULT_COLOURS),
        *((cult.glow, cult.figure) for cult in CULT_COLOURS),
        *((INK, cult.frame) for cult in CULT_COLOURS),
        *((INK, cult.sky) for cult in CULT_COLOURS),
        *((INK, cult.near) for cult in CULT_COLOURS),
        *((cult.frame, PARCHMENT) for cult in CULT_COLOURS),
        *((cult.frame, LIGHT) for cult in CULT_COLOURS),
        *((cult.ground, PARCHMENT) for cult in CULT_COLOURS),
        (NIGHT, LIGHT),
        (EMBER, FLAME),
        (EMBER, SUN_COLOURS.ground),
        (FROST, NIGHT),
        *SEAT_EDGES,
        (GOLD, NIGHT),
        (LINE, PANEL),
    ],
)
