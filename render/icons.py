"""Seats, cards, tiles and pieces as small square pictures, for menus, buttons and texts.

They are sprites from the games' own pictures. Each icon has a key of letters, digits and
underscores, at most ``LONGEST_KEY`` characters.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial
from typing import Final

from PIL import Image

from games.donquixote.tiles import PIECES
from games.isis import AMULETS, Isis
from games.isolde.cards import NAME as ISOLDE_CARDS
from games.twilight.cards import CARDS
from render.canvas import Sprite
from render.donquixote.tiles import RATIO, tile
from render.isis.look import TALL
from render.isis.pieces import jar, lotus
from render.isolde.devices import medallion
from render.isolde.scenery import CHIP, chip
from render.isolde.words import BOARDS
from render.lancelot.pieces import excalibur, power
from render.plates import token
from render.theme import SEATS
from render.twilight import cards as twilight

SIZE: Final = 128
"""Height and width in pixels; Discord recommends this size for emojis."""

MOST_BYTES: Final = 256 * 1024
"""Discord's limit for one emoji, in bytes."""

MOST: Final = 2000
"""Discord's limit for the emojis of one application."""

LONGEST_KEY: Final = 20

_HEIGHT = 124
_CARD_WIDTH = 86


def seat(number: int) -> str:
    """Return the key of a seat's shield."""
    return f"seat{number + 1}"


def twilight_card(name: str) -> str:
    """Return the key of a card of Twilight, by its notation."""
    return f"twilight_{name.lower()}"


def quixote_tile(name: str) -> str:
    """Return the key of a tile of Don Quixote, by its notation; each orientation has its own
    key.
    """
    return f"quixote_{name.lower()}"


def isis_stone(owner: int, amulet: str) -> str:
    """Return the key of a seat's own stone in Isis, by its amulet."""
    return f"isis_{owner + 1}_{amulet}"


def isolde_card(name: str) -> str:
    """Return the key of a card of Fair Isolde, by its notation."""
    return f"isolde_{name.lower()}"


def isolde_board(board: str) -> str:
    """Return the key of a board of Fair Isolde, by its notation."""
    return f"isolde_{board.lower()}"


SWORD: Final = "lancelot_sword"
POWER: Final = "lancelot_power"
LOTUS: Final = "isis_lotus"
"""A neutral stone in Isis."""


def _icons() -> dict[str, Callable[[], Sprite]]:
    seats = range(len(SEATS))
    icons: dict[str, Callable[[], Sprite]] = {
        SWORD: partial(excalibur, _HEIGHT),
        POWER: partial(power, _HEIGHT),
    }
    icons |= {seat(n): partial(token, n, _HEIGHT) for n in seats}
    icons |= {twilight_card(name): partial(twilight.card_face, name, _CARD_WIDTH) for name in CARDS}
    wide = int(_HEIGHT / RATIO)
    icons |= {quixote_tile(name): partial(tile, name, wide) for name in PIECES}
    stone = int(_HEIGHT / TALL)
    icons[LOTUS] = partial(lotus, stone)
    owners = range(max(Isis.info.players))
    icons |= {isis_stone(n, name): partial(jar, n, name, stone) for n in owners for name in AMULETS}
    narrow = round(_HEIGHT * CHIP[0] / CHIP[1])
    icons |= {
        isolde_card(name): partial(chip, name[:-1], name[-1], narrow, _HEIGHT)
        for name in ISOLDE_CARDS
    }
    icons |= {isolde_board(name): partial(medallion, name, _HEIGHT) for name in BOARDS}
    return icons


ICONS: Final = _icons()


def icon(key: str) -> bytes:
    """Draw an icon as a PNG with soft edges; equal keys give equal bytes. Thread-safe.

    :raises KeyError: no icon has this key.
    """
    sprite = ICONS[key]()
    whole = sprite.colours.copy()
    whole.putalpha(sprite.mask)
    whole.thumbnail((SIZE, SIZE), Image.Resampling.LANCZOS)
    square = Image.new("RGBA", (SIZE, SIZE))
    square.paste(whole, ((SIZE - whole.width) // 2, (SIZE - whole.height) // 2))
    buffer = io.BytesIO()
    square.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()
