"""Pictures with a palette as PNG, packed by libraries that are quicker than Pillow's own.

A file is a signature and chunks: the measures, the palette, the packed rows, the end (PNG
specification, third edition, sections 5.2, 5.6 and 11.2).
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import partial
from typing import Final

from isal import isal_zlib
from PIL import Image
from zlib_ng import zlib_ng

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
DEPTH: Final = 8
"""Bits of an index into the palette."""
PALETTE_COLOUR: Final = 3
"""The type of pictures whose pixels are such indices."""

PACKERS: Final[tuple[Callable[[bytes], bytes], ...]] = (
    partial(isal_zlib.compress, level=2),
    partial(zlib_ng.compress, level=3),
    partial(zlib_ng.compress, level=6),
)
"""From the quickest to the closest: on pictures of the games each takes two or three times as long
as the one before, and makes files a tenth or so smaller.
"""


def encoded(picture: Image.Image, heaviest: int) -> bytes:
    """A picture of mode ``P`` as a file; equal pictures give equal bytes.

    :param heaviest: bytes; what would have more is packed more closely, which takes longer.
    """
    width, height = picture.size
    # Each row begins with the number of its filter, of which 0 means none.
    rows = Image.new("P", (width + 1, height))
    rows.paste(picture, (1, 0))
    pixels = rows.tobytes()
    head = struct.pack(">IIBBBBB", width, height, DEPTH, PALETTE_COLOUR, 0, 0, 0)
    palette = bytes(picture.getpalette() or ())

    file = b""
    for packed in PACKERS:
        chunks = ((b"IHDR", head), (b"PLTE", palette), (b"IDAT", packed(pixels)), (b"IEND", b""))
        file = SIGNATURE + b"".join(_chunk(kind, data) for kind, data in chunks)
        if len(file) <= heaviest:
            break
    return file


def _chunk(kind: bytes, data: bytes) -> bytes:
    """A part of the file: its length, its kind, what it holds, and a checksum of both."""
    checked = kind + data
    return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib_ng.crc32(checked))
