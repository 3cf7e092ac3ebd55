"""Ways to damage the files of a database: flipped bits, lost ends, misplaced pages."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

PAGE = 4096
"""Bytes per page of the databases damaged here."""

HEADER = 100
"""The size of a database's header in bytes."""

Damage = Callable[[bytearray, random.Random], None]


def flip_bits(content: bytearray, rng: random.Random) -> None:
    """Flip one bit or a few, anywhere."""
    for _ in range(rng.choice((1, 1, 4, 32))):
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)


def change_text(content: bytearray, rng: random.Random) -> None:
    """Flip bits in bytes above 31, which are mostly the contents of rows."""
    used = [n for n in rng.sample(range(len(content)), min(len(content), 400)) if content[n] > 31]
    for place in used[: rng.choice((1, 3, 10))]:
        content[place] ^= 1 << rng.randrange(6)


def cut(content: bytearray, rng: random.Random) -> None:
    """Cut off the end, within a page or between two."""
    size = rng.randrange(len(content))
    del content[size - size % PAGE if rng.random() < 0.5 else size :]


def swap_pages(content: bytearray, rng: random.Random) -> None:
    one, other = (_page(content, rng) for _ in range(2))
    content[one], content[other] = content[other], content[one]


def repeat_page(content: bytearray, rng: random.Random) -> None:
    """Overwrite one page with another, as after a misdirected write."""
    content[_page(content, rng)] = content[_page(content, rng)]


def zero_page(content: bytearray, rng: random.Random) -> None:
    """Zero a page or the rest of one, as if it had never been written."""
    page = _page(content, rng)
    start = rng.choice((page.start, rng.randrange(page.start, page.stop)))
    content[start : page.stop] = bytes(page.stop - start)


def garble_page(content: bytearray, rng: random.Random) -> None:
    page = _page(content, rng)
    content[page] = rng.randbytes(page.stop - page.start)


def change_header(content: bytearray, rng: random.Random) -> None:
    """Change a byte in the header of the file or of a random page."""
    start = rng.choice((0, 0, 0, PAGE * rng.randrange(max(1, len(content) // PAGE))))
    content[min(len(content) - 1, start + rng.randrange(HEADER))] = rng.randrange(256)


DAMAGES: tuple[Damage, ...] = (
    flip_bits,
    change_text,
    cut,
    swap_pages,
    repeat_page,
    zero_page,
    garble_page,
    change_header,
)


def damage(file: Path, rng: random.Random) -> str:
    """Damage a database, its write-ahead log or that log's index.

    :returns: what was done.
    """
    endings = ["", "", "-wal", "-shm"]
    present = [path for ending in endings if (path := file.with_name(file.name + ending)).exists()]
    path = rng.choice([path for path in present if path.stat().st_size])
    what = rng.choice(DAMAGES)
    content = bytearray(path.read_bytes())
    what(content, rng)
    path.write_bytes(content)
    return f"{what.__name__} of {path.name}"


def _page(content: bytearray, rng: random.Random) -> slice:
    start = PAGE * rng.randrange(max(1, len(content) // PAGE))
    return slice(start, min(start + PAGE, len(content)))
