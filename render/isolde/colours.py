"""The colours of Camelot: its eight boards, their cards and shields, and the stone around them."""

from __future__ import annotations

from render.materials import Material
from render.plates import Ground, Livery
from render.theme import INK, LIGHT, SHADOW, Colour, Palette, mix

BOARDS: dict[str, Colour] = {
    "ISOLDE": "#8E2C55",
    "MAGIE": "#4E3A7C",
    "LANZE": "#363C45",
    "TURNIER": "#B4C7D6",
    "STUDIEN": "#D29A45",
    "KOENIG": "#2A5296",
    "GRAL": "#8C1D25",
    "BARM": "#776B58",
    "KAMPF": "#4C6377",
}
"""The colour of each board, and of the type of card that serves two boards. Colours that
colour-blind people might confuse differ in brightness.
"""

INKS: dict[str, Colour] = {
    board: INK if board in ("TURNIER", "STUDIEN") else LIGHT for board in BOARDS
}
"""The ink for text on the colour of a board."""

DEEP: dict[str, Colour] = {board: mix(colour, SHADOW, 0.4) for board, colour in BOARDS.items()}
"""The colour of each board where it lies in shade."""

PATHS: dict[str, Material] = {
    "ISOLDE": Material("stone", "#EFDCD3", "#EFDCD3"),
    "MAGIE": Material("stone", "#DDD6EA", "#DDD6EA"),
    "LANZE": Material("stone", "#EBDDB8", "#EBDDB8"),
    "TURNIER": Material("grass", "#D0DEB2", "#D0DEB2"),
    "STUDIEN": Material("wood", "#DFC191", "#EAD1A8"),
    "KOENIG": Material("stone", "#D6DFF0", "#D6DFF0"),
    "GRAL": Material("stone", "#EADCD4", "#EADCD4"),
    "BARM": Material("stone", "#DED2BE", "#DED2BE"),
}
"""The material of the path around each board. All except the wooden one have a single tone, because
grain would cost more bytes than it is worth.
"""

JOINTS: dict[str, Colour] = {
    board: mix(path.dark, DEEP[board], 0.34) for board, path in PATHS.items()
}
"""The colour of the lines between the fields of a board."""

TOWERS: dict[str, Material] = {
    board: Material(
        path.grain, mix(path.dark, JOINTS[board], 0.42), mix(path.light, JOINTS[board], 0.42)
    )
    for board, path in PATHS.items()
}
"""The material of the corners of a board, every fifth field."""

STONE = Ground(
    Material("stone", "#403C37", "#403C37"),
    *("#25221F", "#FFF4DA", "#EBDCBB", "#D3C4A2", "#6A6156", "#5B544B", "#2B2825"),
)
"""The walls of the castle."""

FOIL: Colour = "#E0B54A"
"""Gold leaf, as on the rims of shields."""

LAKE = Ground(
    Material("sky", "#22405A", "#22405A"),
    *("#25221F", "#FFF4DA", "#EBDCBB", "#D3C4A2", "#37597A", "#5F8BA8", "#17304A"),
)
"""The moat of the castle."""

LIVERY = Livery(
    Material("wood", "#3B2718", "#523822"),
    "#FFF4DA",
    Material("parchment", "#F7EEDA", "#F7EEDA"),
    FOIL,
    device=0.7,
)

SHIELDS: dict[str, tuple[Colour, Colour]] = {
    "LANZE": ("#9CC9E6", INK),
    "TURNIER": ("#9CC9E6", INK),
    "STUDIEN": ("#E0A85A", INK),
    "KOENIG": (BOARDS["KOENIG"], LIGHT),
    "GRAL": ("#A3252D", LIGHT),
    "BARM": ("#5F584F", LIGHT),
}
"""The colours of a board's shields: the background and the figures."""

LOSS: Colour = "#9C1C26"
"""The colour of the figures on shields that cost points."""

BACK: Colour = "#4A3B52"
"""The colour of shields that are face down."""

RESTING = 0.4
"""The opacity of cards that have been played, and of the devices of boards that are not scored any
more.
"""

PALETTE = Palette.of("isolde")
