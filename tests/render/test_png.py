"""Pictures as files: what a reader of PNG finds in them is what was drawn."""

from __future__ import annotations

import io
import random

import pytest
from PIL import Image

from render.png import encoded

NO_LIMIT = 10**9


def speckled(width: int, height: int, colours: int, rng: random.Random) -> Image.Image:
    """A picture of random pixels."""
    picture = Image.new("P", (width, height))
    picture.putpalette(rng.randbytes(3 * colours))
    picture.putdata([rng.randrange(colours) for _ in range(width * height)])
    return picture


@pytest.mark.parametrize("size", [(1, 1), (7, 5), (300, 2)])
@pytest.mark.parametrize("colours", [1, 2, 17, 256])
def test_a_reader_finds_every_pixel(
    size: tuple[int, int], colours: int, rng: random.Random
) -> None:
    """Whatever the size and the number of colours; every part has its right checksum."""
    picture = speckled(*size, colours, rng)
    png = encoded(picture, NO_LIMIT)
    with Image.open(io.BytesIO(png)) as checked:
        checked.verify()
    with Image.open(io.BytesIO(png)) as opened:
        assert (opened.format, opened.mode, opened.size) == ("PNG", "P", size)
        assert opened.convert("RGB").tobytes() == picture.convert("RGB").tobytes()
