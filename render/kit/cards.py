"""Cards, face up or face down, in rows on the table and in hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from render.cache import cached
from render.canvas import Canvas, Sprite, write
from render.geometry import Box, Point, placed, regular
from render.light import raised
from render.names import printable
from render.plates import token
from render.theme import GOLD, INK, LIGHT, LINE, MIN_TEXT, PANEL, Colour, Type

RATIO: Final = 1.4
"""Height of a card as a multiple of its width."""

OVERLAP: Final = 0.55
"""Minimum share of a card that stays visible in a crowded row."""


@dataclass(frozen=True, slots=True)
class PlayingCard:
    """A card on a table or in a hand.

    :param label: the text on its face, up to four characters; empty: face down.
    :param colour: the colour of the band at its top, to tell suits apart; something other than
        colour must tell them apart, too.
    :param seat: the seat that is shown as its owner, if any.
    :param words: its name in descriptions, if that is not its label.
    :param marked: whether it was played last.
    :param shaded: whether it may not be played now.
    """

    label: str = ""
    colour: Colour = LINE
    seat: int | None = None
    words: str = ""
    marked: bool = False
    shaded: bool = False


@dataclass(frozen=True, slots=True)
class Laid:
    """A row of cards with its heading, such as a trick.

    :param heading: the heading, in the language of the picture.
    """

    heading: str
    cards: Sequence[PlayingCard]


def draw_row(canvas: Canvas, box: Box, cards: Sequence[PlayingCard]) -> None:
    """Draw cards side by side in the middle of a box, as large as possible; if there are many, they
    overlap.
    """
    if not cards:
        return
    height = min(box.height - 12, 260)
    width = int(height / RATIO)
    step = min(width + 18.0, (box.width - width) / max(1, len(cards) - 1))
    if step < width * OVERLAP:
        width = int(box.width / (1 + OVERLAP * (len(cards) - 1)))
        step = width * OVERLAP
    x, y = box.centre
    left = x - step * (len(cards) - 1) / 2
    seen = min(1.0, step / width)
    for n, card in enumerate(cards):
        draw_card(canvas, (left + n * step, y), card, width, seen)


def draw_card(
    canvas: Canvas, centre: Point, card: PlayingCard, width: int, seen: float = 1.0
) -> None:
    """Draw one card.

    :param width: the width in pixels.
    :param seen: the share of the card, from its left edge, that the next card does not cover.
    """
    canvas.stamp(_sprite(card.label, card.colour, width, card.shaded, seen), centre)
    box = Box.at(centre, width, round(width * RATIO))
    if card.seat is not None:
        at = box.left + width * seen / 2, box.bottom - width / 5
        canvas.stamp(token(card.seat, max(28, width // 4)), at)
    if card.marked:
        canvas.frame(box, radius=width / 12)


@cached
def _sprite(label: str, colour: Colour, width: int, shaded: bool, seen: float) -> Sprite:
    height = round(width * RATIO)
    canvas = Canvas(width, height)
    box, radius = canvas.box, width / 12
    canvas.rect(box, INK, radius=radius)
    inner = box.inset(2)
    if not label:
        canvas.rect(inner, PANEL, radius=radius)
        canvas.rect(inner.inset(width / 14), None, GOLD, 3, radius=radius)
        canvas.polygon(placed(regular(4), box.centre, width / 4), None, GOLD, 3)
        return raised(canvas.sprite(), 4)
    canvas.rect(inner, PANEL if shaded else LIGHT, radius=radius)
    upper = Box(inner.left, inner.top, inner.right, inner.top + 2 * radius)
    canvas.rect(upper, colour, radius=radius)
    canvas.rect(Box(inner.left, inner.top + radius, inner.right, height * 0.18), colour)
    kind = Type("strong", max(MIN_TEXT, round(width * (0.5 if len(label) < 3 else 0.3))))
    write(canvas, (width * seen / 2, height * 0.48), printable(label), kind, width * seen - 8, INK)
    return raised(canvas.sprite(), 4)
