"""Encodes palette pictures as PNG, with compressors that are faster than Pillow's own.

A file consists of a signature and chunks: the size, the palette, the compressed rows, and the end
(PNG specification, third edition, sections 5.2, 5.6 and 11.2).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any, Final

from isal import isal_zlib
from PIL import Image
from zlib_ng import zlib_ng

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
DEPTH: Final = 8
"""Bits of an index into the palette."""
PALETTE_COLOUR: Final = 3
"""The PNG colour type of palette pictures."""

BAND: Final = 160
"""Rows that are compressed together. Smaller bands compress worse; larger ones take longer to
compress again.
"""
RAW: Final = -15
"""Bits of the largest window; it is negative because the stream is raw, without header and
checksum.
"""
HEAD: Final = b"\x78\x5e"
"""The header of a zlib stream (RFC 1950, section 2.2)."""
LAST: Final = b"\x03\x00"
"""An empty final block (RFC 1951, section 3.2)."""


def _packed(compressor: Callable[..., Any], level: int, band: bytes) -> bytes:
    """Compress a band so that another band can follow in the same stream."""
    packer = compressor(level, wbits=RAW)
    packed: bytes = packer.compress(band) + packer.flush(isal_zlib.Z_FULL_FLUSH)
    return packed


PACKERS: Final[tuple[Callable[[bytes], bytes], ...]] = (
    partial(_packed, isal_zlib.compressobj, 2),
    partial(_packed, zlib_ng.compressobj, 5),
    partial(_packed, zlib_ng.compressobj, 9),
)
"""The compressors, from the fastest to the strongest: on pictures of games, the second takes five
times as long as the first and makes files a fifth smaller; the third takes another five times as
long and is only for pictures that would still be too large.
"""


def encoded(picture: Image.Image, heaviest: int) -> bytes:
    """Encode a picture of mode ``P``; equal pictures give equal bytes.

    :param heaviest: size in bytes above which bands are compressed harder, starting with the
        largest, until the file fits or no packer is left.
    """
    width, height = picture.size
    # Each row begins with the number of its filter; 0 means that there is none. Cropping beyond the
    # left edge adds a column of zeros.
    rows = [(y, min(y + BAND, height)) for y in range(0, height, BAND)]
    bands = [picture.crop((-1, top, width, bottom)).tobytes() for top, bottom in rows]

    head = struct.pack(">IIBBBBB", width, height, DEPTH, PALETTE_COLOUR, 0, 0, 0)
    start = _chunk(b"IHDR", head) + _chunk(b"PLTE", bytes(picture.getpalette() or ()))
    check = struct.pack(">I", reduce(lambda sum_, band: zlib_ng.adler32(band, sum_), bands, 1))
    packed = [PACKERS[0](band) for band in bands]
    excess = len(_file(start, packed, check)) - heaviest
    for packer in PACKERS[1:]:
        for n in sorted(range(len(bands)), key=lambda n: -len(packed[n])):
            if excess > 0:
                closer = packer(bands[n])
                excess += len(closer) - len(packed[n])
                packed[n] = closer
    return _file(start, packed, check)


def _file(start: bytes, packed: Sequence[bytes], check: bytes) -> bytes:
    """Return the whole file.

    :param start: the chunks at its beginning.
    :param check: the checksum of the uncompressed data.
    """
    # ISA-L leaves wide registers in use, and all blending after that takes three times as long.
    # Computing the checksum with zlib-ng clears them.
    data = b"".join((HEAD, *packed, LAST, check))
    return b"".join((SIGNATURE, start, _chunk(b"IDAT", data), _chunk(b"IEND", b"")))


def _chunk(kind: bytes, data: bytes) -> bytes:
    """Return a PNG chunk: length, type, data, and a checksum of type and data."""
    checked = kind + data
    return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib_ng.crc32(checked))
