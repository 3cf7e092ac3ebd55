"""Contact sheets: all pictures of a game side by side, as various people see them."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter

from render.theme import FONT_FILES, font
from scripts.stages import Shown, shown

PHONE = 360
"""Width of a picture on a phone, in points."""

COLUMNS = 4
GAP = 12
LABEL = 18

Matrix = tuple[tuple[float, float, float], ...]

PROTANOPIA: Matrix = (
    (0.152286, 1.052583, -0.204868),
    (0.114503, 0.786281, 0.099216),
    (-0.003882, -0.048116, 1.051998),
)
DEUTERANOPIA: Matrix = (
    (0.367322, 0.860646, -0.227968),
    (0.280085, 0.672501, 0.047413),
    (-0.011820, 0.042940, 0.968881),
)
TRITANOPIA: Matrix = (
    (1.255528, -0.076749, -0.178779),
    (-0.078411, 0.930809, 0.147602),
    (0.004733, 0.691367, 0.303900),
)
"""Colour vision without one kind of cone, for linear light: G. M. Machado, M. M. Oliveira and L. A.
F. Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE
Transactions on Visualization and Computer Graphics 15 (2009), severity 1.0.
"""


def write_sheets(game_id: str, folder: Path) -> list[Path]:
    """Write every picture of a game, and a contact sheet for each way to see them.

    :returns: the sheets.
    """
    pictures = list(shown(game_id))
    own = folder / game_id
    own.mkdir(parents=True, exist_ok=True)
    for each in pictures:
        (own / f"{each.name}.png").write_bytes(each.picture.png)
    sheets = []
    for name, (width, look) in LOOKS.items():
        sheet = _sheet(pictures, width, look)
        sheets.append(folder / f"{game_id}-{name}.png")
        sheet.save(sheets[-1])
    return sheets


def open_picture(png: bytes) -> Image.Image:
    """Return a picture with its colours unchanged."""
    with Image.open(io.BytesIO(png)) as picture:
        return picture.convert("RGB")


def reduced(png: bytes, width: int) -> Image.Image:
    """Return a picture at another width."""
    whole = open_picture(png)
    height = round(whole.height * width / whole.width)
    return whole.resize((width, height), Image.Resampling.LANCZOS)


def _sheet(
    pictures: Sequence[Shown], width: int, look: Callable[[Image.Image], Image.Image]
) -> Image.Image:
    small = [look(reduced(each.picture.png, width)) for each in pictures]
    tall = max(picture.height for picture in small) + LABEL + GAP
    rows = -(-len(small) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * (width + GAP) + GAP, rows * tall + GAP), "#313338")
    pen = ImageDraw.Draw(sheet)
    for n, (each, picture) in enumerate(zip(pictures, small, strict=True)):
        x, y = GAP + n % COLUMNS * (width + GAP), GAP + n // COLUMNS * tall
        pen.text((x, y), each.name, "#DBDEE1", font(FONT_FILES["text"], 14))
        sheet.paste(picture, (x, y + LABEL))
    return sheet


@cache
def seen_by(matrix: Matrix) -> ImageFilter.Color3DLUT:
    """Return a filter that simulates vision without one kind of cone."""

    def seen(red: float, green: float, blue: float) -> tuple[float, float, float]:
        light = _linear(red), _linear(green), _linear(blue)
        mixed = (sum(a * b for a, b in zip(row, light, strict=True)) for row in matrix)
        r, g, b = (_encoded(min(1.0, max(0.0, channel))) for channel in mixed)
        return r, g, b

    return ImageFilter.Color3DLUT.generate(33, seen)


def _linear(channel: float) -> float:
    """Return the linear light of an sRGB value in 0..1 (IEC 61966-2-1)."""
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _encoded(light: float) -> float:
    """Return the inverse of ``_linear``."""
    return light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


LOOKS: dict[str, tuple[int, Callable[[Image.Image], Image.Image]]] = {
    "full": (1200, lambda picture: picture),
    "phone": (PHONE, lambda picture: picture),
    "grey": (PHONE, lambda picture: picture.convert("L").convert("RGB")),
    "deuteranopia": (PHONE, lambda picture: picture.filter(seen_by(DEUTERANOPIA))),
    "protanopia": (PHONE, lambda picture: picture.filter(seen_by(PROTANOPIA))),
    "tritanopia": (PHONE, lambda picture: picture.filter(seen_by(TRITANOPIA))),
}
"""Ways to see pictures: their width, and how their colours change."""
