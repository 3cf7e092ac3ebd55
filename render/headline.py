"""What is added to finished pictures: a headline that says what to do, and other people's hands.

The headline of a riddle is its task; that of a hint is the advised move.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace

from PIL import Image

from data.texts import Texts
from render.canvas import HEAVIEST, Canvas, Sprite, write, write_lines
from render.geometry import Box, placed, regular
from render.names import printed_names
from render.plates import OAK, cut_card, token
from render.png import encoded
from render.scene import Picture, Scene, first_fitting
from render.theme import BRIGHT_GOLD, INK, PANEL, WIDTH, Palette, Type

HEIGHT = 88
WORDS = tuple(Type("strong", size) for size in (46, 40, 34, 28))
MARGIN = 76
"""Room for an ornament at either end."""
NAME = Type("strong", 32), Type("strong", 28)
TOKEN, EDGE, CARDS_AT, CARD_GAP = 44, 24, 196, 8
"""In an open hand: size of the token, margin, least distance from the left edge to the cards, and
the gap between them.
"""
SEEN = 0.55
"""Minimum share of the width of all cards that remains if they overlap."""


def headed(picture: Picture, words: str, say: Texts) -> Picture:
    """Return a picture with a headline above it, in the picture's own colours."""
    canvas = Canvas(WIDTH, HEIGHT, INK)
    canvas.rect(canvas.box.inset(5), PANEL, BRIGHT_GOLD, 5, radius=14)
    for x in (MARGIN / 2 + 4, WIDTH - MARGIN / 2 - 4):
        canvas.polygon(placed(regular(4), (x, HEIGHT / 2), 13), BRIGHT_GOLD, INK, 3)
    write(canvas, canvas.box.centre, words, WORDS, WIDTH - 2 * MARGIN, INK)
    board = _opened(picture.png)
    strip = _opened(canvas.png(_palette_of(board)))
    alt = first_fitting([f"{words.rstrip('.')}. {picture.alt}"], say)
    return replace(picture, png=_joined([strip, board]), alt=alt, glides=())


def open_hand(scene: Scene, seat: int, cards: Sequence[Sprite]) -> Canvas:
    """Draw the cards of somebody else in a row, with their name at the left. The picture is as wide
    as its share if all people but one have such a picture and ``stacked`` puts them side by side,
    unless the cards would then overlap too much.

    :param seat: the seat whose token is drawn.
    """
    viewer = scene.view.viewer or 0
    name = printed_names(scene.names, scene.say)[viewer]
    wide = sum(card.size[0] + CARD_GAP for card in cards)
    width = WIDTH // max(1, scene.view.players - 1)
    if (width - EDGE - CARDS_AT) < SEEN * wide:
        width = WIDTH
    height = max((card.size[1] for card in cards), default=TOKEN) + 2 * EDGE
    whole, canvas = cut_card(height, OAK), Canvas(width, height, OAK.rim)
    left, right = Box(0, 0, width - EDGE, height), Box(width - EDGE, 0, width, height)
    canvas.inlay(whole, whole.box, left)
    canvas.inlay(whole, whole.box.moved(width - WIDTH, 0), right)
    y = height / 2
    canvas.stamp(token(seat, TOKEN), (EDGE + TOKEN / 2, y))
    at = EDGE + TOKEN + 12
    write_lines(canvas, (at, y), name, NAME, (CARDS_AT - at - 8, height - EDGE), OAK.ink, "lm")
    room = width - EDGE - CARDS_AT
    x: float = width - EDGE - min(room, wide - CARD_GAP)
    last = cards[-1].size[0] if cards else 0
    step = min(1.0, (room - last) / max(1, wide - last - CARD_GAP))
    for card in cards:
        canvas.stamp(card, (x + card.size[0] / 2, y))
        x += (card.size[0] + CARD_GAP) * step
    return canvas


def stacked(pictures: Sequence[Picture], say: Texts) -> Picture:
    """Return pictures of one game as a single picture: side by side if they are narrow, otherwise
    one below the other.
    """
    png = _joined([_opened(picture.png) for picture in pictures])
    alt = first_fitting([" ".join(picture.alt for picture in pictures)], say)
    return Picture(pictures[-1].name, png, alt)


def _opened(png: bytes) -> Image.Image:
    with Image.open(io.BytesIO(png)) as picture:
        picture.load()
        return picture


def _palette_of(picture: Image.Image) -> Palette:
    channels = bytes(picture.getpalette() or ())
    return Palette(f"#{channels[at : at + 3].hex()}" for at in range(0, len(channels), 3))


def _joined(parts: Sequence[Image.Image]) -> bytes:
    """Encode pictures that share a palette as a single one."""
    corners, left, top, low = list[tuple[int, int]](), 0, 0, 0
    for part in parts:
        if left + part.width > WIDTH:
            left, top = 0, low
        corners.append((left, top))
        left, low = left + part.width, max(low, top + part.height)
    # What remains free beside narrow pictures is as dark as their rim.
    whole = Image.new("P", (WIDTH, low), parts[0].getpixel((0, 0)))
    whole.putpalette(parts[0].getpalette() or [])
    for part, corner in zip(parts, corners, strict=True):
        whole.paste(part, corner)
    return encoded(whole, HEAVIEST)
