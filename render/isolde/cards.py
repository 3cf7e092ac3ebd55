"""The cards: a value, a device and a part of the painting they are played on."""

from __future__ import annotations

from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Box
from render.isolde.colours import BOARDS, FOIL, INKS, RESTING
from render.isolde.devices import FIGURE, draw_device
from render.isolde.scenery import scenery
from render.light import raised, relief
from render.theme import INK, Type

CARD_WIDTH, CARD_HEIGHT = 100, 140


def height_of(width: float) -> int:
    """Height of a card of this width."""
    return round(width * CARD_HEIGHT / CARD_WIDTH)


@cached
def card_face(name: str, width: int) -> Sprite:
    """A card, face up: value and device on its banner, the painting below."""
    kind, value = name[:-1], name[-1]
    canvas = Canvas(width, height_of(width))
    scale = width / CARD_WIDTH
    inner = _blank(canvas, kind)
    side = round(inner.width)
    window = Box(inner.left, inner.bottom - side, inner.right, inner.bottom)
    painting = Canvas(canvas.width, canvas.height)
    painting.stamp(scenery(kind, side), window.centre)
    canvas.stamp(painting.sprite(), canvas.box.centre)
    canvas.rect(Box(inner.left, window.top - 2, inner.right, window.top), FOIL)
    figure = Type("title", max(24, round(42 * scale)))
    middle = (inner.top + window.top) / 2 - 1
    canvas.text((inner.left + 17 * scale, middle), value, figure, INKS[kind])
    draw_device(canvas, kind, (inner.right - 22 * scale, middle), 33 * scale, INKS[kind])
    return raised(canvas.sprite(), 4)


def played_card(name: str, width: int) -> Sprite:
    """A card that has been played."""
    return card_face(name, width).faded(RESTING)


def _blank(canvas: Canvas, kind: str) -> Box:
    """Edge, rim of gold and banner; what is left inside the rim."""
    radius, edge = canvas.width * 0.08, max(1.5, canvas.width * 0.015)
    rim = Canvas(canvas.width, canvas.height)
    canvas.rect(canvas.box, INK, radius=radius)
    rim.rect(canvas.box.inset(edge), FOIL, radius=radius - edge)
    canvas.stamp(relief(rim.sprite(), edge * 1.5), canvas.box.centre)
    inner = canvas.box.inset(round(edge + canvas.width * 0.035))
    canvas.rect(inner, BOARDS[kind])
    return inner


CHIP = (36, 48)
"""Size of a card that has been played, beside a name."""


@cached
def chip(kind: str, value: str, width: int = CHIP[0]) -> Sprite:
    """A card as small as a thumbnail: the device of a board or of its type, and its value."""
    scale = width / CHIP[0]
    height = round(CHIP[1] * scale)
    canvas, face = Canvas(width, height), Canvas(width, height)
    canvas.rect(canvas.box, INK, radius=5 * scale)
    face.rect(canvas.box.inset(1.5 * scale), BOARDS[kind], radius=4 * scale)
    canvas.stamp(relief(face.sprite(), 1.5 * scale, 0.7), canvas.box.centre)
    draw_device(canvas, kind, (width / 2, 13 * scale), 19 * scale, INKS[kind])
    figure = Type(FIGURE.face, round(FIGURE.size * scale))
    canvas.text((width / 2, 34 * scale), value, figure, INKS[kind])
    return canvas.sprite()
