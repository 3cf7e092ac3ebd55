"""A whole match as one moving picture: the boards of its plies in, a GIF and its description out.

Every Discord client plays GIFs; animated WebP moves in some only. Boards are shown as they are, to
the pixel. They change little from one to the next, so a match of a hundred moves takes a few
megabytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import PurePath

from PIL import GifImagePlugin, Image, ImageChops, ImageStat

from data.texts import Texts
from render.scene import Picture, first_fitting

FRAMES_AT_MOST = 100
SIZE_LIMIT = 8 * 1024 * 1024
"""Bytes, below what Discord takes in every server."""

SHORTEST, LONGEST, LAST = 300, 900, 4000
"""Milliseconds that a picture is shown, and that the last one stays."""
WHOLE = 60_000
"""Milliseconds that an animation should take, if its pictures allow it."""

STEPS = 4
"""Pictures between two boards in which the piece that moved is on its way."""
STEP = 60
"""Milliseconds of each."""

BLOCK = 10
"""Pixels across of the blocks in which changes are looked for."""
SMALLEST, LARGEST = 40, 240
"""Pixels across of a piece that is seen to move."""
ALIKE = 24
"""Levels of 255 by which a piece may look different where it comes from, on the average."""
FALL = 48
"""Pixels that a piece falls which comes from outside the board."""

AS_BEFORE = 255
"""The index of what has not changed; a palette leaves it free."""


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
    """Make an animation of boards, in which pieces that moved are seen to move. If it grows too
    large, they jump; if it still is, every second board is left out.

    :param boards: at least one, in order; all of one game, whose palette they share.
    """
    kept = list(boards)
    gif = _encoded(kept, moving=True)
    moving = len(gif) <= SIZE_LIMIT
    if not moving:
        gif = _encoded(kept, moving)
    while len(gif) > SIZE_LIMIT and len(kept) > 1:
        kept = kept[::-1][::2][::-1]  # the last one stays
        gif = _encoded(kept, moving)
    last = boards[-1]
    return Animation(PurePath(last.name).with_suffix(".gif").name, gif, _description(last, say))


def _description(last: Picture, say: Texts) -> str:
    whole = say("The course of the match as an animation. Its last picture: {alt}", alt=last.alt)
    return first_fitting([whole, say("The course of the match as an animation.")])


# ------------------------------------------------------------------------------ the file
def _encoded(boards: Sequence[Picture], moving: bool) -> bytes:
    """The file, frame by frame: no more than three of them are in memory."""
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
        for step in _between(before, after) if moving else ():
            _write_change(file, seen, step, STEP)
            seen = step
        _write_change(file, seen, after, LAST if n == len(boards) else pause)
        before = after
    file.write(b";")
    return file.getvalue()


def _write_change(file: io.BytesIO, before: Image.Image, after: Image.Image, pause: int) -> None:
    """Write what has changed; what has not is left as it was."""
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
    """A board by the indices of its colours; below a lower one there is ground."""
    with Image.open(io.BytesIO(board.png)) as picture:
        picture.load()
        if picture.height == height:
            return picture.copy()
        frame = Image.new("P", (picture.width, height), picture.getpixel((0, 0)))
        frame.putpalette(picture.getpalette() or [])
        frame.paste(picture)
        return frame


# ------------------------------------------------------------------------------ movement
Area = tuple[int, int, int, int]


def _between(before: Image.Image, after: Image.Image) -> Iterator[Image.Image]:
    """The pictures on the way from one board to the next: a piece that left one place and is at
    another one glides there, one that is new falls into its place; all else waits. None where it
    cannot be told what has moved.
    """
    changed = _changed(before, after)
    places = [area for area in _areas(changed) if _is_piece(area, changed)]
    found = _moved(before, after, places)
    if found is None and len(places) != 1:
        return
    start, end = found or (None, places[0])
    piece, shape = after.crop(end), changed.crop(end)
    base = before.copy()
    if start is None:
        way = 0.0, float(-FALL)
    else:
        base.paste(after.crop(start), start)
        way = float(start[0] - end[0]), float(start[1] - end[1])
    for step in range(1, STEPS + 1):
        left = 1 - _eased(step / (STEPS + 1))
        frame = base.copy()
        frame.paste(piece, (end[0] + round(way[0] * left), end[1] + round(way[1] * left)), shape)
        yield frame


def _eased(share: float) -> float:
    """Slow at both ends."""
    return share * share * (3 - 2 * share)


def _changed(before: Image.Image, after: Image.Image) -> Image.Image:
    """Where two boards differ, as a mask."""
    indices = [Image.frombytes("L", board.size, board.tobytes()) for board in (before, after)]
    return ImageChops.difference(*indices).point(lambda level: 255 if level else 0)


def _areas(changed: Image.Image) -> Iterator[Area]:
    """The separate areas that have changed."""
    blocks = changed.reduce(BLOCK)
    wide, level = blocks.width, blocks.tobytes()
    left = {n for n, value in enumerate(level) if value}
    while left:
        waiting = [left.pop()]
        xs, ys = set[int](), set[int]()
        while waiting:
            n = waiting.pop()
            xs.add(n % wide)
            ys.add(n // wide)
            near = {n - 1, n + 1, n - wide, n + wide, n - wide - 1, n + wide + 1} & left
            left -= near
            waiting += near
        blocky = min(xs), min(ys), max(xs) + 1, max(ys) + 1
        area = changed.crop(tuple(BLOCK * n for n in blocky)).getbbox()  # type: ignore[arg-type]
        if area is not None:
            x, y = BLOCK * blocky[0], BLOCK * blocky[1]
            yield x + area[0], y + area[1], x + area[2], y + area[3]


def _is_piece(area: Area, changed: Image.Image) -> bool:
    """Whether an area is as large as a piece and all of it has changed, unlike a ring or words."""
    width, height = area[2] - area[0], area[3] - area[1]
    if not (SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST):
        return False
    return changed.crop(area).histogram()[255] > width * height / 2


def _moved(
    before: Image.Image, after: Image.Image, places: Sequence[Area]
) -> tuple[Area, Area] | None:
    """From where to where a piece has moved: the two places that look most alike."""
    found = []
    for start, end in permutations(places, 2):
        if abs((end[2] - end[0]) - (start[2] - start[0])) <= BLOCK:
            size = end[2] - end[0], end[3] - end[1]
            was = before.crop(start).convert("RGB").resize(size)
            unlike = ImageStat.Stat(ImageChops.difference(was, after.crop(end).convert("RGB")))
            found.append((sum(unlike.mean) / 3, start, end))
    if not found:
        return None
    unlikeness, start, end = min(found)
    return (start, end) if unlikeness <= ALIKE else None
