"""The look that all pictures share: paper, ink, seat colours, type and sizes.

All lengths are in pixels of the finished picture, which is 1200 wide unless it is an icon or a
banner.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from PIL import Image, ImageColor, ImageFont, features

Colour = str
"""``#RRGGBB``."""

WIDTH = 1200
MARGIN = 32
MIN_TEXT = 28
"""Smallest type size: on a phone 360 points wide, its capitals are 6 points high."""

# ---------------------------------------------------------------------- paper and ink
PARCHMENT: Colour = "#F4ECD8"
LIGHT: Colour = "#FFFBF0"
PANEL: Colour = "#E6D9BC"
LINE: Colour = "#C9B890"
FAINT: Colour = "#665C50"
SOFT: Colour = "#5F564C"
INK: Colour = "#2B2622"
GOLD: Colour = "#B8860B"
BRIGHT_GOLD: Colour = "#FFC42E"
"""The colour of marks such as that of the last move; it is bright on meadows and dark wood, too."""
SHADOW: Colour = "#1E140A"
"""The colour of all shadows: warm and not quite black."""
HOUSE: tuple[Colour, ...] = (PARCHMENT, INK, LIGHT, PANEL, LINE, FAINT, SOFT, GOLD, BRIGHT_GOLD)
"""Colours that every fixed palette contains."""


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Return ``first`` mixed with a ``share`` (0..1) of ``second``."""
    pairs = zip(ImageColor.getrgb(first), ImageColor.getrgb(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


# ------------------------------------------------------------------------------ seats
Shape = Literal["triangle", "disc", "square", "diamond", "cross"]


@dataclass(frozen=True, slots=True)
class SeatStyle:
    """The look of a seat in all games.

    The colours are Okabe and Ito's, which most colour-blind people can tell apart; the shapes tell
    the seats apart without colour.

    :param sign: the shape as a single character, for texts.
    :param device: the colour of the shape on a background of ``colour``.
    """

    colour: Colour
    shape: Shape
    sign: str
    device: Colour


SEATS: tuple[SeatStyle, ...] = (
    SeatStyle("#0072B2", "triangle", "▲", LIGHT),
    SeatStyle("#D55E00", "disc", "●", LIGHT),
    SeatStyle("#009E73", "square", "■", LIGHT),
    SeatStyle("#F0E442", "diamond", "◆", INK),
    SeatStyle("#CC79A7", "cross", "✚", INK),
)
"""The colour and shape of each seat, the same in all games."""


SEAT_SHADES: tuple[Colour, ...] = tuple(mix(seat.colour, INK, 0.22) for seat in SEATS)
"""A darker shade of each seat's colour, for example for the rim of its shield."""
SEAT_COLOURS: tuple[Colour, ...] = (*(seat.colour for seat in SEATS), *SEAT_SHADES)


# ------------------------------------------------------------------------------- type
Face = Literal["title", "text", "strong"]
FONTS = Path(__file__).resolve().parent.parent / "data" / "fonts"
FONT_FILES: dict[Face, str] = {
    "title": "Cinzel-Bold.woff2",
    "text": "Inter-Medium.otf",
    "strong": "Inter-SemiBold.otf",
}


@dataclass(frozen=True, slots=True)
class Type:
    """A face in a certain size.

    ``title`` is for headings in capitals and for some figures, ``text`` and ``strong`` for
    everything else.

    :raises ValueError: the size is below ``MIN_TEXT``.
    """

    face: Face
    size: int

    def __post_init__(self) -> None:
        if self.size < MIN_TEXT:
            raise ValueError(f"type of {self.size} px is smaller than {MIN_TEXT} px")


FALLBACKS: tuple[str, ...] = (
    "fallback/NotoSansHebrew-Bold.ttf",
    "fallback/NotoSansArabic-Bold.ttf",
    "fallback/NotoSansDevanagari-Bold.ttf",
    "fallback/NotoSansThai-Bold.ttf",
    "fallback/NotoSansArmenian-Bold.ttf",
    "fallback/NotoSansGeorgian-Bold.ttf",
    "fallback/NotoSansCJKsc-Bold.otf",
    "fallback/NotoEmoji-Bold.ttf",
    "fallback/NotoSansSymbols2-Regular.ttf",
)
"""Fallback fonts in order of preference, as made by ``scripts/fonts``."""

JOINED: frozenset[str] = frozenset(FALLBACKS[1:3])
"""The fallback fonts of those scripts in which joiners matter."""

BLANKS = " \u00a0"

SHAPES = features.check("raqm")
"""Whether Pillow can join letters, place marks, write from right to left and use font features; it
needs the system's FriBiDi for that.
"""


def font(file: str, size: int) -> ImageFont.FreeTypeFont:
    """Return a bundled font; ``size`` is in pixels of the image to be drawn on."""
    return _fallback(file, size) if file in FALLBACKS else _own(file, size)


def _opened(file: str, size: int) -> ImageFont.FreeTypeFont:
    engine = ImageFont.Layout.RAQM if SHAPES else ImageFont.Layout.BASIC
    return ImageFont.truetype(str(FONTS / file), size, layout_engine=engine)


_own = cache(_opened)
_fallback = lru_cache(maxsize=20)(_opened)  # these are rarely needed, and take up to 1.4 MiB each


@lru_cache(maxsize=8192)  # names may contain any Unicode character
def has_glyph(file: str, character: str) -> bool:
    """Return whether a bundled font has a glyph for a character; if not, it would show an empty
    box.
    """
    shape = _glyph(file, character)
    return shape != _glyph(file, "\U0010fffe") and (bool(shape) or character in BLANKS)


def _glyph(file: str, character: str) -> bytes:
    mask, _ = font(file, 32).getmask2(character, mode="1")
    return bytes(mask)


# ---------------------------------------------------------------------------- palette
PALETTES = Path(__file__).resolve().parent / "palettes"


class Palette:
    """The fixed colours of some pictures, such as a game's, at most 255, so that the encoder need
    not choose any. The last index stays free, because animations mark unchanged pixels with it.

    ``scripts/palettes.py`` chooses the colours for games and for the gallery from their pictures.

    :raises ValueError: more than 255 colours.
    """

    SLOTS = 255

    def __init__(self, colours: Iterable[Colour]) -> None:
        self.colours: tuple[Colour, ...] = tuple(dict.fromkeys(colours))
        if len(self.colours) > self.SLOTS:
            raise ValueError(f"{len(self.colours)} colours do not fit a palette")
        self._channels = bytes(
            channel for colour in self.colours for channel in ImageColor.getrgb(colour)
        )
        self._image = Image.new("P", (1, 1))
        self._image.putpalette(self._channels)
        # Pillow would do this when it is first needed, and would crash if two threads did it at the
        # same time.
        self._image.load()

    @classmethod
    def of(cls, game_id: str) -> Palette:
        """Return the palette of a game; the shared one if none has been chosen for the game."""
        file = PALETTES / f"{game_id}.txt"
        return cls(file.read_text().split() if file.exists() else (*HOUSE, *SEAT_COLOURS))

    def apply(self, picture: Image.Image) -> Image.Image:
        """Replace every pixel with the index of the nearest colour."""
        return picture.quantize(palette=self._image, dither=Image.Dither.NONE)

    def picture(self, pixels: bytes, size: tuple[int, int]) -> Image.Image:
        """Return the picture whose pixels are these indices of colours."""
        picture = Image.frombytes("P", size, pixels)
        picture.putpalette(self._channels)
        return picture
