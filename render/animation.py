"""A whole match as one moving picture: the boards of its plies in, a GIF and its description out.

GIF, because every Discord client plays it. Boards have few colours and change little from one to
the next, so that a match of a hundred moves takes about a megabyte.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from PIL import Image

from data.texts import Texts
from render.scene import Picture, first_fitting

WIDTH = 720
"""Pixels: large enough for a phone, small enough for a hundred pictures in memory at once."""

FRAMES_AT_MOST = 100
SIZE_LIMIT = 8 * 1024 * 1024
"""Bytes, below what Discord takes in every server."""

SHORTEST, LONGEST, LAST = 300, 900, 4000
"""Milliseconds that a picture is shown, and that the last one stays."""
WHOLE = 60_000
"""Milliseconds that an animation should take, if its pictures allow it."""

COLOURS = 255
"""One less than a GIF may have: the last one stands for "as before", which keeps files small."""


@dataclass(frozen=True, slots=True)
class Animation:
    """A finished animation.

    :param name: file name in ASCII (``"lancelot.gif"``).
    :param alt: what it shows, at most ``ALT_LIMIT`` characters.
    """

    name: str
    gif: bytes
    alt: str


def spread(count: int, most: int = FRAMES_AT_MOST) -> list[int]:
    """Up to ``most`` of the numbers 0..count-1, evenly spread, the first and the last included."""
    if count <= most:
        return list(range(count))
    return [round(k * (count - 1) / (most - 1)) for k in range(most)]


def animation(boards: Sequence[Picture], say: Texts) -> Animation:
    """Make an animation of boards; if it grows too large, every second one is left out.

    :param boards: at least one, in order.
    """
    kept = list(boards)
    gif = _encoded(kept)
    while len(gif) > SIZE_LIMIT and len(kept) > 1:
        kept = kept[::-1][::2][::-1]  # the last one stays
        gif = _encoded(kept)
    last = boards[-1]
    return Animation(PurePath(last.name).with_suffix(".gif").name, gif, _description(last, say))


def _description(last: Picture, say: Texts) -> str:
    whole = say("The course of the match as an animation. Its last picture: {alt}", alt=last.alt)
    return first_fitting([whole, say("The course of the match as an animation.")])


def _encoded(boards: Sequence[Picture]) -> bytes:
    height = max(map(_height, boards))
    palette = _palette(boards[0])
    frames = (_frame(board, height, palette) for board in boards)
    pause = min(LONGEST, max(SHORTEST, WHOLE // len(boards)))
    buffer = io.BytesIO()
    next(frames).save(
        buffer,
        "GIF",
        save_all=True,
        append_images=frames,
        duration=[pause] * (len(boards) - 1) + [LAST],
        loop=0,
        optimize=True,
    )
    return buffer.getvalue()


def _height(board: Picture) -> int:
    """The height that a board takes in the animation; its pixels are not decoded for that."""
    with Image.open(io.BytesIO(board.png)) as picture:
        return round(picture.height * WIDTH / picture.width)


def _palette(board: Picture) -> Image.Image:
    """The colours of a game's boards, which share one palette; room is left for one more."""
    palette = Image.new("P", (1, 1))
    with Image.open(io.BytesIO(board.png)) as picture:
        colours = picture.convert("P").getpalette() or []
    palette.putpalette(colours[: 3 * COLOURS])
    return palette


def _frame(board: Picture, height: int, palette: Image.Image) -> Image.Image:
    """A board at the size of the animation; below a lower one there is ground."""
    with Image.open(io.BytesIO(board.png)) as picture:
        fitting = (WIDTH, _height(board))
        reduced = picture.convert("RGB").resize(fitting, Image.Resampling.LANCZOS, reducing_gap=2)
    if fitting[1] < height:
        ground = Image.new("RGB", (WIDTH, height), reduced.getpixel((0, 0)))
        ground.paste(reduced)
        reduced = ground
    return reduced.quantize(palette=palette, dither=Image.Dither.NONE)
