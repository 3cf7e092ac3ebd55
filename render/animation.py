"""A whole match as an animation: a GIF made from its boards in the order of play, with a
description.

Every Discord client plays GIFs; only some play animated WebP. The boards are shown as they are,
without scaling or new colours. Consecutive boards differ little, so the file holds only what
changes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import dist
from pathlib import PurePath

from PIL import GifImagePlugin, Image, ImageChops

from data.texts import Texts
from render.canvas import Sprite
from render.geometry import Point
from render.scene import Glide, Picture, first_fitting
from render.theme import Palette

FRAMES_AT_MOST = 95
SIZE_LIMIT = 8 * 1024 * 1024
"""Maximum size in bytes, below the upload limit of every Discord server."""

SHORTEST, LONGEST, LAST = 300, 900, 4000
"""The shortest and longest time for which a board is shown, and the time for the last one, in
milliseconds.
"""
WHOLE = 60_000
"""Target length of an animation in milliseconds, excluding the movement between its boards."""

STEPS = 4, 2, 0
"""How many frames show moved pieces on their way from one board to the next. If the file gets too
large, the next number is tried.
"""
STEP = 60
"""Duration of each frame that shows movement, in milliseconds."""

FALL = 48
"""How far a piece from outside the board falls into place, in pixels."""

AS_BEFORE = Palette.SLOTS
"""The palette index that marks unchanged pixels; no colour has it."""


@dataclass(frozen=True, slots=True)
class Animation:
    """A finished animation.

    :param name: file name in ASCII (``"lancelot.gif"``).
    :param alt: the description, at most ``ALT_LIMIT`` characters.
    """

    name: str
    gif: bytes
    alt: str


def spread(count: int, most: int = FRAMES_AT_MOST) -> list[int]:
    """Return up to ``most`` numbers from 0 to count - 1, evenly spread, always including the first
    and the last.
    """
    if count <= most:
        return list(range(count))
    return [round(k * (count - 1) / (most - 1)) for k in range(most)]


def animation(boards: Sequence[Picture], say: Texts) -> Animation:
    """Animate boards, so that moved pieces glide to their places. If the file is too large, they
    glide in fewer steps and finally jump; if that is not enough, every second board is left out,
    repeatedly if necessary.

    :param boards: at least one, in order; all of the same game, so that they share a palette.
    """
    kept = list(boards)
    for steps in STEPS:
        gif = _encoded(kept, steps)
        if len(gif) <= SIZE_LIMIT:
            break
    while len(gif) > SIZE_LIMIT and len(kept) > 1:
        kept = kept[::-1][::2][::-1]  # keeps the last board, too
        gif = _encoded(kept, steps)
    last = boards[-1]
    whole = say("The course of the match as an animation. Its last picture: {alt}", alt=last.alt)
    alt = first_fitting([whole, say("The course of the match as an animation.")], say)
    return Animation(PurePath(last.name).with_suffix(".gif").name, gif, alt)


# ------------------------------------------------------------------------------ the file
def _encoded(boards: Sequence[Picture], steps: int) -> bytes:
    """Encode the file frame by frame, with only a few frames in memory at once."""
    height = max(map(_height, boards))
    pause = min(LONGEST, max(SHORTEST, WHOLE // len(boards)))
    before = _frame(boards[0], height)
    file = io.BytesIO()
    for block in GifImagePlugin.getheader(before, info={"loop": 0, "duration": pause})[0]:
        file.write(block)
    _write(file, before, (0, 0), pause if len(boards) > 1 else LAST)
    for n, board in enumerate(boards[1:], 2):
        after = _frame(board, height)
        seen = before
        for step in _between(before, after, board.glides, steps):
            _write_change(file, seen, step, STEP)
            seen = step
        _write_change(file, seen, after, LAST if n == len(boards) else pause)
        before = after
    file.write(b";")
    return file.getvalue()


def _write_change(file: io.BytesIO, before: Image.Image, after: Image.Image, pause: int) -> None:
    """Write only the pixels that changed."""
    changed = _changed(before, after)
    left, top, right, bottom = changed.getbbox() or (0, 0, 1, 1)
    box = (left, top, right, bottom)
    part = after.crop(box)
    part.paste(AS_BEFORE, mask=ImageChops.invert(changed.crop(box)))
    _write(file, part, (left, top), pause, transparency=AS_BEFORE)


def _write(
    file: io.BytesIO, frame: Image.Image, at: tuple[int, int], pause: int, **more: int
) -> None:
    frame.encoderinfo = {"optimize": False}
    file.writelines(GifImagePlugin.getdata(frame, at, duration=pause, disposal=1, **more))


def _height(board: Picture) -> int:
    with Image.open(io.BytesIO(board.png)) as picture:
        return picture.height


def _frame(board: Picture, height: int) -> Image.Image:
    """Return a board as the indices of its colours, its background extended downwards if it is less
    than ``height`` pixels high.
    """
    with Image.open(io.BytesIO(board.png)) as picture:
        picture.load()
        if picture.height == height:
            return picture.copy()
        frame = Image.new("P", (picture.width, height), picture.getpixel((0, 0)))
        frame.putpalette(picture.getpalette() or [])
        frame.paste(picture)
        return frame


# ------------------------------------------------------------------------------ movement
def _between(
    before: Image.Image, after: Image.Image, glides: Sequence[Glide], steps: int
) -> Iterator[Image.Image]:
    """Yield the frames between two boards: all moved pieces glide at the same time, and nothing
    else changes yet.
    """
    if not glides or not steps:
        return
    base = before.copy()
    for glide in glides:
        if glide.left is not None:
            left = tuple(map(round, glide.left))
            base.paste(after.crop(left), left)  # type: ignore[arg-type]  # four of them
    for step in range(1, steps + 1):
        frame = base.copy()
        for glide in glides:
            _stamp(frame, glide.sprite, reached(glide.way, _eased(step / (steps + 1))))
        yield frame


def _stamp(frame: Image.Image, sprite: Sprite, at: Point) -> None:
    """Put a sprite on a board, using the board's palette."""
    width, height = sprite.size
    left, top = round(at[0] - width / 2), round(at[1] - height / 2)
    area = left, top, left + width, top + height
    part = frame.crop(area).convert("RGB")
    part.paste(sprite.colours, mask=sprite.mask)
    frame.paste(part.quantize(palette=frame, dither=Image.Dither.NONE), area)


def reached(way: Sequence[Point], share: float) -> Point:
    """Return the point on a path at this share (0..1) of the path's length."""
    if len(way) == 1:
        way = [(way[0][0], way[0][1] - FALL), way[0]]
    due = share * sum(dist(a, b) for a, b in pairwise(way))
    for (x, y), (to_x, to_y) in pairwise(way):
        length = dist((x, y), (to_x, to_y))
        if length and due <= length:
            return x + (to_x - x) * due / length, y + (to_y - y) * due / length
        due -= length
    return way[-1]


def _eased(share: float) -> float:
    """Return the share of the way covered after a share of the time: slow at both ends."""
    return share * share * (3 - 2 * share)


def _changed(before: Image.Image, after: Image.Image) -> Image.Image:
    """Return a mask of the pixels in which two boards differ."""
    indices = [Image.frombytes("L", board.size, board.tobytes()) for board in (before, after)]
    return ImageChops.difference(*indices).point(lambda level: 255 if level else 0)
