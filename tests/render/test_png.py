"""PNG files contain exactly the pixels drawn."""

from __future__ import annotations

import io
import random

import pytest
from PIL import Image

from render.png import BAND, encoded

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
    picture = speckled(*size, colours, rng)
    png = encoded(picture, NO_LIMIT)
    with Image.open(io.BytesIO(png)) as checked:
        checked.verify()
    with Image.open(io.BytesIO(png)) as opened:
        assert (opened.format, opened.mode, opened.size) == ("PNG", "P", size)
        assert opened.convert("RGB").tobytes() == picture.convert("RGB").tobytes()


def grained(height: int, rng: random.Random) -> Image.Image:
    """A picture with nearly equal rows."""
    row = [rng.randrange(16) for _ in range(300)]
    picture = Image.new("P", (300, height))
    picture.putpalette(rng.randbytes(3 * 16))
    picture.putdata([(level + rng.randrange(2)) % 16 for _ in range(height) for level in row])
    return picture


def test_large_files_are_packed_more_closely(rng: random.Random) -> None:
    """One packer after another is tried; the last one's file is used, however large it is."""
    picture = grained(200, rng)

    files = [encoded(picture, NO_LIMIT)]
    while len(closer := encoded(picture, len(files[-1]) - 1)) < len(files[-1]):
        files.append(closer)

    assert len(files) > 1
    for png in (*files, closer):
        with Image.open(io.BytesIO(png)) as opened:
            assert opened.convert("RGB").tobytes() == picture.convert("RGB").tobytes()


def test_only_as_much_as_necessary_is_packed_again(rng: random.Random) -> None:
    """If a picture is a little too large, only its largest band is packed again."""
    picture = grained(3 * BAND, rng)
    row = picture.crop((0, 0, 300, 1))
    for y in (*range(BAND - 20), *range(2 * BAND + 20, 3 * BAND)):
        picture.paste(row, (0, y))
    light = encoded(picture, NO_LIMIT)
    closer = encoded(picture, len(light) - 1)
    before, after = (png.partition(b"IDAT")[2] for png in (light, closer))
    assert len(closer) < len(light)
    assert after[:40] == before[:40]
    # the file ends with two checksums, a length and the empty last chunk
    assert after[-60:-20] == before[-60:-20]
