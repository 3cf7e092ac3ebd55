"""The colours of Don Quixote: sky, clay, meadows, dusty roads, and the figures on them."""

from __future__ import annotations

from render.materials import Material
from render.plates import Ground, Livery
from render.theme import Colour, Palette

CLAY = Ground(
    Material("clay", "#733C25", "#844A30"),
    *("#54270F", "#FFF4DA", "#F8E6C8", "#F0D9B5", "#B9794A", "#A8623F", "#5C2C15"),
)
"""The table: fired clay."""

LIVERY = Livery(
    Material("wood", "#54321B", "#6B4526"),
    "#FFF4DA",
    Material("parchment", "#FFF6E2", "#FFF6E2"),
    "#2F1A0C",
)
"""The players' plates, which look like signboards by the road."""

TRAY = Material("clay", "#5F2F1A", "#6B3820")
"""The surface under the hand."""

# -- the panorama
SKY: Colour = "#A5CDE0"
HAZE: Colour = "#CFE0DD"
CLOUD: Colour = "#F6EFDC"
FAR_HILLS: Colour = "#A9A6AE"
HILLS: Colour = "#B5A15F"
NEAR_HILLS: Colour = "#7F8A44"
SUN: Colour = "#FBDD94"
SILHOUETTE: Colour = "#43291A"

# -- a principality
MEADOW = Material("grass", "#718F3F", "#86A552")
GRASS: Colour = "#6A883B"
QUIET = Material("grass", "#7C8668", "#868F72")
"""The meadow on tiles that do not score in an account, and on tiles that were not chosen."""
BLOOM: Colour = "#D9503B"
FALLOW = Material("grass", "#DCC997", "#E6D6AA")
"""An empty field."""
FURROW: Colour = "#BFA86F"
PLACE_NAME: Colour = "#6A5220"
"""The colour of the names of empty fields, less prominent than the tiles."""
WALL = Material("stone", "#BBAC8E", "#CFC1A4")
"""The border of a principality."""
JOINT: Colour = "#857A67"
ROAD: Colour = "#FFF0CC"
QUIET_ROAD: Colour = "#BDB498"
RUT: Colour = "#E3CB98"
VERGE: Colour = "#5A4526"
"""The edge of a road."""

# -- figures and buildings
ROOF: Colour = "#B5452C"
ROOF_SHADE: Colour = "#8C3220"
LIME: Colour = "#FFF8E6"
"""Whitewashed walls in the light."""
LIME_SHADE: Colour = "#D8CBB0"
SLATE: Colour = "#3D4F63"
TIMBER: Colour = "#6B4526"
STEEL: Colour = "#2C5586"
ARMOUR: Colour = "#C3CCD2"
STONE: Colour = "#BCB3A3"
STONE_SHADE: Colour = "#8F8677"
PALE_STONE: Colour = "#DDD0B6"

TINTS: tuple[Colour, ...] = (
    "#FFD34A",
    "#9AD4FC",
    "#FF72B8",
    "#DB84F5",
    "#E6FFB8",
    "#E08546",
    "#6FF0DD",
    "#5CC873",
)
"""Colours of roads in the account of a round: one for each network that counts; networks that count
for the same castle share one. They can also be told apart by colour-blind people.
"""

PALETTE = Palette.of("donquixote")
