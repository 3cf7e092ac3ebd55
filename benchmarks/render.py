"""What a picture costs: CPU time and size per game, compared with a plain drawing in the same run.

    python -m benchmarks.render [games...] [--positions 30]

The yardstick draws 201 shapes on 1000 by 1000 pixels at double size with plain Pillow and encodes
them with an adaptive palette, as one would without our canvas; ``share`` is how long a board takes
compared with it. Times and sizes are medians and maxima over positions from random play; ``words``
is the length of the longest description in characters. As in the bot, each game is rehearsed first;
that time, and the first picture after it, are printed separately.
"""

from __future__ import annotations

import argparse
import gc
import io
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import cos, pi, sin
from random import Random
from statistics import median
from time import process_time
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from games import GAMES
from games.engine import draw
from render import PAINTERS
from render.rehearsal import rehearse
from render.scene import Picture, Scene
from render.theme import FONT_FILES, FONTS
from scripts.matches import match_with_options, scene_at

KIB = 1024
EVERY = 3
"""The yardstick is drawn once for this many positions, because the speed of machines varies."""


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU milliseconds of some work, and its result. Garbage is not collected meanwhile,
    as in ``timeit``: a collection takes as long as three pictures, and belongs to none of them.
    """
    gc.disable()
    start = process_time()
    result = work()
    spent = process_time() - start
    gc.enable()
    return spent * 1000, result


# -------------------------------------------------------------------------- the yardstick
def plain_drawing() -> bytes:
    """Draw 60 hexagons, 60 discs, 41 lines, 20 boxes and 20 words at double size, scaled down."""
    rng = Random(7)
    sheet = Image.new("RGB", (2000, 2000), "#F4ECD8")
    pen = ImageDraw.Draw(sheet)
    words = ImageFont.truetype(str(FONTS / FONT_FILES["text"]), 48)
    for n in range(60):
        x, y = 160 + n % 8 * 240, 160 + n // 8 * 240
        corners = [(x + 110 * cos(k * pi / 3), y + 110 * sin(k * pi / 3)) for k in range(6)]
        pen.polygon(corners, _colour(rng), "#2B2622", 4)
    for n in range(60):
        x, y = 160 + n % 8 * 240, 160 + n // 8 * 240
        pen.ellipse((x - 50, y - 50, x + 50, y + 50), _colour(rng), "#2B2622", 4)
    for _ in range(41):
        pen.line([(draw(rng, 2000), draw(rng, 2000)) for _ in range(2)], "#2B2622", 6)
    for n in range(20):
        x, y = 60 + n % 5 * 390, 60 + n // 5 * 480
        pen.rounded_rectangle((x, y, x + 220, y + 80), 16, "#E6D9BC", "#2B2622", 3)
        pen.text((x + 110, y + 40), f"Field {n}", "#2B2622", words, "mm")
    small = sheet.reduce(2).quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    small.save(buffer, "PNG", compress_level=6)
    return buffer.getvalue()


def _colour(rng: Random) -> tuple[int, int, int]:
    return draw(rng, 256), draw(rng, 256), draw(rng, 256)


# ------------------------------------------------------------------------------ pictures
def positions(game_id: str, players: int, count: int) -> Iterator[Scene]:
    """Yield scenes spread evenly over random matches with all switches on, each with its last two
    events.
    """
    per_match = 10
    for seed in range(-(-count // per_match)):
        match = match_with_options(game_id, players, seed)
        for step in range(per_match):
            yield scene_at(match, round(match.ply * (step + 1) / per_match))


def row(
    title: str, ms: str, share: str, most: str, first: str, sizes: Sequence[int], alt: str
) -> str:
    kib = [size / KIB for size in sizes]
    return (
        f"{title:<16} {ms:>8} {share:>8} {most:>8} {first:>8} "
        f"{median(kib):>8.1f} {max(kib):>8.1f} {alt:>8}"
    )


def measure(game_id: str, players: int, count: int) -> str:
    """Draw the positions of one game and player count; return the line of the report."""
    scenes = list(positions(game_id, players, count))
    painter = PAINTERS[game_id]
    first, _ = timed(partial(painter.board, scenes[0]))
    plain, times, pictures = list[float](), list[float](), list[Picture]()
    for number, scene in enumerate(scenes):
        if number % EVERY == 0:
            plain.append(timed(plain_drawing)[0])
        time, picture = timed(partial(painter.board, scene))
        times.append(time)
        pictures.append(picture)
    return row(
        f"{game_id} {players}",
        f"{median(times):.1f}",
        f"{median(times) / median(plain):.2f}",
        f"{max(times):.1f}",
        f"{first:.1f}",
        [len(picture.png) for picture in pictures],
        str(max(len(picture.alt) for picture in pictures)),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=list(PAINTERS))
    parser.add_argument("--positions", type=int, default=30, help="per game and player count")
    options = parser.parse_args()
    heads = ("ms", "share", "max", "first", "KiB", "max", "words")
    print(f"{'':<16}", *(f"{head:>8}" for head in heads))
    for game_id in options.games:
        rehearsal, _ = timed(partial(rehearse, game_id))
        print(f"{game_id + ', rehearsed':<34} {rehearsal:>8.0f}")
        for players in GAMES[game_id].info.players:
            print(measure(game_id, players, options.positions))


if __name__ == "__main__":
    main()
