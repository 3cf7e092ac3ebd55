"""The colours of night and day, and the materials of table and cards."""

from __future__ import annotations

from dataclasses import dataclass

from render.materials import Material
from render.plates import Ground, Livery
from render.theme import INK, Colour, Palette


@dataclass(frozen=True, slots=True)
class Cult:
    """The colours of a cult: dark cards with silver for the Moon, light cards with amber for the
    Sun, so that they can be told apart even without colour.

    :param paper: the paper of its cards.
    :param edge: the side of the paper, in the shade.
    :param foil: the line around its picture.
    :param ribbon: the ribbon in the corner of a card.
    :param ink: the text on the ribbon.
    :param high: the top of the background of a card's picture.
    :param low: the bottom of that background.
    :param glow: the glow around anything that shines.
    :param figure: the bright part of the drawing.
    :param shade: the dark part of the drawing.
    :param face: a person's face.
    :param wood: the wood of its quarters of the table.
    :param inlay: the inlay in that wood.
    """

    paper: Colour
    edge: Colour
    foil: Colour
    ribbon: Colour
    ink: Colour
    high: Colour
    low: Colour
    glow: Colour
    figure: Colour
    shade: Colour
    face: Colour
    wood: Material
    inlay: Colour


MOON_COLOURS = Cult(
    paper="#3B3561",
    edge="#17132F",
    foil="#A9A5D0",
    ribbon="#ECEBF8",
    ink="#2A2450",
    high="#1B1740",
    low="#4A4384",
    glow="#5C5599",
    figure="#E4E3F5",
    shade="#8F8ABF",
    face="#B9B6DA",
    wood=Material("wood", "#2C2138", "#42324C"),
    inlay="#6E6088",
)
SUN_COLOURS = Cult(
    paper="#FFF6DC",
    edge="#B98B3A",
    foil="#D98E00",
    ribbon="#8A4400",
    ink="#FFF6DC",
    high="#F5B83A",
    low="#FFE7A3",
    glow="#FFF0BF",
    figure="#C46F00",
    shade="#7E3F00",
    face="#F0BC78",
    wood=Material("wood", "#D9A04C", "#EDBE70"),
    inlay="#F9DA98",
)
CULT_COLOURS = (MOON_COLOURS, SUN_COLOURS)

EMBER: Colour = "#D55E00"
FLAME: Colour = "#FFB000"
FROST: Colour = "#7FA8E8"
FLAMES: tuple[tuple[Colour, Colour, Colour], ...] = (
    (FROST, "#CFE0FA", "#FBFAFF"),
    (EMBER, FLAME, "#FFF3CF"),
)
"""The colours of each cult's flame in purgatory: outside, middle, heart."""
PITS: tuple[tuple[Colour, Colour], ...] = (("#0E1B3C", "#2F568F"), ("#4A1208", "#B23A0A"))
"""The background of each cult's purgatory: the colours at the top and at the bottom."""

BRASS: Colour = "#C79A3E"
BRIGHT_BRASS: Colour = "#E8C878"
DARK_BRASS: Colour = "#8A6420"
RIM = Material("wood", "#3A2115", "#54341F")

RESTING = 0.5
"""Opacity of the picture on a card that may not be played now or is worth nothing."""

# -- day and night
NIGHT: Colour = "#3B3561"
SKY: tuple[tuple[float, Colour], ...] = (
    (0.0, "#F7D88F"),
    (0.32, "#F7D88F"),
    (0.42, "#F2B267"),
    (0.50, "#C9736A"),
    (0.58, "#6F4679"),
    (0.68, "#251F4B"),
    (1.0, "#251F4B"),
)
"""The sky from day to night: shares of the width, and the colours there."""

GLEAM: Colour = "#FBE8B4"
DIM: Colour = "#39316A"
"""The colours of the large sun and of the large moon in the sky, behind everything else."""

DAY = Ground(
    Material("sky", "#F7D88F", "#FBE6B0"),
    *("#B07A2C", INK, "#4E4234", "#5A4C3B", "#B98B3A", "#FFF3CF", "#D9A85A"),
)
DARK = Ground(
    Material("sky", "#251F4B", "#2F2859"),
    *("#14102C", "#FBFAFF", "#D5D2EE", "#B9B6DA", "#7C75B0", "#5C5599", "#17132F"),
)
LEDGE = Ground(RIM, *("#20120A", "#FFF4DA", "#E8D6B2", "#D6C29E", BRASS, "#6B482E", "#20120A"))
"""The edge of the table, with the caption on it."""

VELVET = Material("twill", "#2A2138", "#31273F")
"""The cloth under New Moon's cards, in front of whoever plays alone."""

LIVERY = Livery(RIM, "#FFF4DA", RIM, BRASS)

PALETTE = Palette.of("twilight")
