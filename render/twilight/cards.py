"""The cards: thick paper, a picture in relief, and a ribbon with rank and cult."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import ceil, cos, radians, sin
from typing import Any, NamedTuple, Self

from PIL import Image, ImageChops

from games.twilight import CARDS, CULTS, CultCard
from render.cache import cached
from render.canvas import Canvas, Packed, Sprite
from render.geometry import Box, Outline, Part, Point, placed
from render.letters import text_width
from render.light import raised
from render.plates import corner_ticks
from render.theme import INK, LIGHT, MIN_TEXT, Colour, Type
from render.twilight.colours import CULT_COLOURS, PALETTE, RESTING, Cult
from render.twilight.signs import FLOOR, Pen, air, draw_figure, draw_flame, draw_sign


class Held(NamedTuple):
    """The place of one card in a fan.

    :param x: horizontal distance from the centre of the fan to the centre of the card.
    :param y: vertical distance, downwards; the central card of a fan is at 0, and those at the ends
        are lower.
    :param degrees: how far the card is turned clockwise.
    """

    x: float
    y: float
    degrees: float

    def lifted(self, height: float) -> Point:
        """Return the card's centre when it is pulled ``height`` pixels out of the fan."""
        turn = radians(self.degrees)
        return self.x + height * sin(turn), self.y - height * cos(turn)


def fan(cards: int, step: float, degrees: float) -> Iterator[Held]:
    """Yield the places of this many ``cards``, from left to right.

    :param step: the distance between the centres of two cards, in pixels.
    :param degrees: the rotation from one card to the next; above 0.
    """
    radius = step / radians(degrees)
    for n in range(cards):
        turn = (n - (cards - 1) / 2) * degrees
        yield Held(radius * sin(radians(turn)), radius * (1 - cos(radians(turn))), turn)


CARD_WIDTH, CARD_HEIGHT = 100, 140
CORNERS = 10
"""Thickness of the corner marks on the frame of the card that was played last."""

ROMAN = ("", "I", "II", "III", "IV", "V")

RIBBON = 0.6
"""How much of the dimming is undone on the ribbon of a dimmed card."""
STEPS = 7
"""Number of tones in the sky of a picture."""


def height_of(width: float) -> int:
    """Return the height of a card of this width."""
    return round(width * CARD_HEIGHT / CARD_WIDTH)


@cached
def card_face(name: str, width: int, least: int = MIN_TEXT) -> Sprite:
    """Return a card, face up, with its shadow.

    :param least: minimum size of the number on its ribbon.
    """
    return raised(face(name, width, least), max(2.5, width * 0.035), 0.55)


def face(name: str, width: int, least: int = MIN_TEXT) -> Sprite:
    """Return a card, face up, exactly this wide and without a shadow."""
    canvas = Canvas(width, height_of(width))
    canvas.stamp(_sheet(name, width), canvas.box.centre)
    _draw_ribbon(canvas, CARDS[name], CULT_COLOURS[CARDS[name].cult], least)
    return canvas.sprite()


def _sheet(name: str, width: int) -> Sprite:
    """Return the paper with its picture."""
    what, colours = CARDS[name], CULT_COLOURS[CARDS[name].cult]
    canvas = Canvas(width, height_of(width))
    _paper(canvas, colours)
    pen = Pen(canvas, width / CARD_WIDTH)
    picture = Box(*map(round, (*pen.at(7, 7), *pen.at(93, FLOOR))))
    upper, lower = air(what, colours)
    drawn = Canvas(width, height_of(width))
    drawn.fade(picture, upper, lower, STEPS)
    draw_figure(Pen(drawn, pen.scale, (3 * pen.scale, 0)), what, colours)
    canvas.inlay(drawn, canvas.box, picture)
    line = max(1.2, 1.6 * pen.scale)
    canvas.rect(picture.inset(-line), None, colours.foil, line)
    canvas.sink(picture, max(1.5, 2.2 * pen.scale), opacity=0.5)
    return canvas.sprite()


def draw_framed(canvas: Canvas, name: str, width: int, middle: Point) -> None:
    """Draw a card with the golden frame and corners that mark the card played last."""
    plain = card_face(name, width)
    canvas.stamp(plain, middle)
    canvas.stamp(_frame(width, plain.size, ticks=True), middle)


@cached
def _frame(width: int, size: tuple[int, int], ticks: bool) -> Sprite:
    """Return the frame of a card whose picture, with its shadow, measures ``size`` pixels; with
    corner marks if ``ticks`` is set.
    """
    canvas = Canvas(*size)
    box = Box.at(canvas.box.centre, width, height_of(width))
    canvas.frame(box, radius=_radius(width))
    if ticks:
        corners = corner_ticks(round(box.width) + 16, round(box.height) + 16, CORNERS)
        canvas.stamp(corners, box.centre)
    return canvas.sprite()


def draw_playable(canvas: Canvas, name: str, width: int, middle: Point) -> None:
    """Draw a card with the golden frame that marks playable cards."""
    plain = card_face(name, width)
    canvas.stamp(plain, middle)
    canvas.stamp(_frame(width, plain.size, ticks=False), middle)


def dimmed_card(name: str, width: int, ground: Colour) -> Sprite:
    """Return a card that may not be played now or is worth nothing: dimmed with the colour
    ``ground``, except for its ribbon, which can still be read.
    """
    return _dimmed(card_face(name, width), name, width, 0, ground)


def turned(name: str, width: int, degrees: float, ground: Colour | None = None) -> Sprite:
    """Return a card rotated as in a fan.

    :param degrees: the rotation, clockwise.
    :param ground: the colour with which to dim the card, as for ``dimmed_card``; None: do not dim
        it.
    """
    sprite = _turned(name, width, degrees).sprite()
    return sprite if ground is None else _dimmed(sprite, name, width, degrees, ground)


@cached
def _turned(name: str, width: int, degrees: float) -> Packed:
    """Return a rotated card that is not dimmed."""
    mask, solid = _turned_shape(width, degrees)
    # A dark shadow surrounds the card, so its colours can be rotated on their own, without the
    # mask.
    colours = _rotated(card_face(name, width).colours, degrees)
    return Sprite(colours, mask, solid).packed(PALETTE)


def _rotated(image: Image.Image, degrees: float) -> Image.Image:
    return image.rotate(-degrees, Image.Resampling.BILINEAR, expand=True)


def _dimmed(sprite: Sprite, name: str, width: int, degrees: float, ground: Colour) -> Sprite:
    """Return a card, which may be rotated, dimmed with a colour except for its ribbon."""
    colours = sprite.colours.convert("RGB")
    tails = _Ribbon.of(CARDS[name], width, MIN_TEXT).tails
    colours.paste(ground, mask=_rotated_dimming(tails, width, degrees))
    return replace(sprite, colours=colours)


@cached
def _rotated_dimming(tails: Outline, width: int, degrees: float) -> Image.Image:
    """Return how opaque the colour of a dimmed card is, rotated.

    :param tails: the outline of the card's ribbon.
    """
    size = card_face(next(iter(CARDS)), width).size
    card, ribbon = Canvas(*size), Canvas(*size)
    box = Box.at(card.box.centre, width, height_of(width))
    card.rect(box, INK, radius=_radius(width), opacity=1 - RESTING)
    ribbon.polygon(placed(tails, (box.left, box.top), 1), INK, opacity=RIBBON)
    unread = ImageChops.invert(ribbon.sprite().mask)
    return _rotated(ImageChops.multiply(card.sprite().mask, unread), degrees)


@cached
def _turned_shape(width: int, degrees: float) -> tuple[Image.Image, Part | None]:
    """Return the shape that all cards of this width and rotation share: the mask and its solid
    part.
    """
    turned = card_face(next(iter(CARDS)), width).turned(degrees)
    return turned.mask, turned.solid


@cached
def turned_frame(width: int, degrees: float) -> Packed:
    """Return the frame of a card rotated as in a fan."""
    size = card_face(next(iter(CARDS)), width).size
    return _frame(width, size, ticks=False).turned(degrees).packed(PALETTE)


@cached
def back(cult: int, width: int) -> Sprite:
    """Return a card, face down, so that only its cult shows."""
    colours = CULT_COLOURS[cult]
    canvas = Canvas(width, height_of(width))
    _paper(canvas, colours)
    edge = max(2.0, width * 0.05)
    canvas.rect(
        canvas.box.inset(edge), None, colours.figure, max(1.5, width * 0.03), _radius(width) * 0.7
    )
    draw_sign(canvas, cult, canvas.box.centre, width * 0.6, colours.figure, width * 0.02)
    return raised(canvas.sprite(), max(2.0, width * 0.04), 0.5)


def _radius(width: float) -> float:
    return width * 0.07


def _paper(canvas: Canvas, colours: Cult) -> None:
    """Draw the paper itself: a rim of ink, the side of the paper below it, and the light on its
    edge.
    """
    radius, thick = _radius(canvas.width), max(1.5, canvas.width * 0.02)
    canvas.rect(canvas.box, INK, radius=radius)
    sheet = canvas.box.inset(max(1.0, canvas.width * 0.01))
    canvas.rect(sheet, colours.edge, radius=radius)
    upper = Box(sheet.left, sheet.top, sheet.right - thick * 0.6, sheet.bottom - thick)
    canvas.rect(upper, LIGHT if colours.edge > "#8" else colours.glow, radius=radius)
    upper = Box(upper.left + thick * 0.6, upper.top + thick * 0.6, upper.right, upper.bottom)
    canvas.rect(upper, colours.paper, radius=radius * 0.9)


@dataclass(frozen=True, slots=True)
class _Ribbon:
    """The layout of the ribbon of a card.

    :ivar middle: the centre of its width.
    :ivar rank: the centre of the number: rank, souls or factor.
    :ivar sign: the centre of the sign; the sign is ``size`` high.
    """

    words: str
    kind: Type
    tails: Outline
    middle: float
    rank: float
    sign: float
    size: float

    @classmethod
    def of(cls, what: CultCard, width: int, least: int) -> Self:
        """Return the layout for a card of this width."""
        scale = width / CARD_WIDTH
        size = max(least, round(27 * scale))
        words, kind = _index(what, size)
        across = max(29 * scale, text_width(words, kind) + 8, size * 1.1)
        left, top = 5 * scale, 2 * scale
        sign = size * 0.86
        below = top + size * 1.08 + sign
        end = below + 3
        middle = left + across / 2
        tails = (
            (left, top), (left + across, top), (left + across, end + size * 0.3),
            (middle, end), (left, end + size * 0.3),
        )  # fmt: skip
        return cls(words, kind, tails, middle, top + size * 0.58, below - sign / 2, sign)


def _draw_ribbon(canvas: Canvas, what: CultCard, colours: Cult, least: int) -> None:
    """Draw a ribbon that hangs from the upper edge: rank, souls or factor, with the cult below."""
    scale = canvas.width / CARD_WIDTH
    ribbon = _Ribbon.of(what, canvas.width, least)
    shade = [(x + max(1, scale * 1.4), y + max(1, scale * 1.6)) for x, y in ribbon.tails]
    canvas.polygon(shade, INK, opacity=0.4)
    Pen(canvas, 1.0).shape(ribbon.tails, colours.ribbon, max(1.0, scale))
    x = ribbon.middle
    if what.kind == "purgatory":
        draw_flame(canvas, what.cult, (x, ribbon.rank), ribbon.kind.size * 0.95)
    else:
        canvas.text((x, ribbon.rank), ribbon.words, ribbon.kind, colours.ink)
    draw_sign(canvas, what.cult, (x, ribbon.sign), ribbon.size, colours.ink)


def _index(what: CultCard, size: int) -> tuple[str, Type]:
    """Return the number on a card (rank, souls or factor; empty for purgatory), and its type."""
    match what.kind:
        case "cleric":
            return ROMAN[what.number], Type("title", size)
        case "souls":
            return str(what.number), Type("strong", size)
        case "purgatory":
            return "", Type("strong", size)
        case _:
            return f"×{what.number}", Type("strong", size)


# ------------------------------------------------------------------------ hands as others see them
COUNT = Type("strong", 36)
BADGE = 48
STEP = 0.42
"""Distance from one card to the next, as a multiple of a card's width."""


def draw_backs(
    canvas: Canvas, at: Point, public: Mapping[str, Any], place: int, width: int
) -> None:
    """Draw the fan of a hand around a point, with the cards of the seat's own cult on the left.

    :param width: the width of a card.
    """
    (_, own), (_, other) = _counts(public, place)
    if own or other:
        canvas.stamp(backs(place % 2, own, other, width), at)


def draw_counts(
    canvas: Canvas, at: Point, public: Mapping[str, Any], place: int, width: int
) -> None:
    """Draw how many cards of each cult a hand has, one number at each end of its fan."""
    counts = _counts(public, place)
    reach = (_spread(sum(count for _, count in counts), width) + width * 1.2) / 2
    for (cult, count), side in zip(counts, (-1, 1), strict=True):
        if count:
            middle = at[0] + side * reach, at[1]
            canvas.stamp(_badge(cult), middle)
            canvas.text(middle, str(count), COUNT, CULT_COLOURS[cult].ink)


def _counts(public: Mapping[str, Any], place: int) -> list[tuple[int, int]]:
    """Return how many cards of each cult a hand has, the seat's own cult first."""
    own = place % 2
    return [(cult, public[CULTS[cult]][place]) for cult in (own, 1 - own)]


def _spread(cards: int, width: int) -> float:
    """Return the distance in pixels between the centres of the first and the last card in a fan."""
    return (cards - 1) * width * STEP


def draw_counted_backs(
    canvas: Canvas, at: Point, public: Mapping[str, Any], place: int, width: int
) -> None:
    """Draw a face-down card for each cult in a hand, with the number of the hand's cards of that
    cult on it, side by side around a point.
    """
    held = [(cult, count) for cult, count in _counts(public, place) if count]
    for n, (cult, count) in enumerate(held):
        middle = at[0] + (n - (len(held) - 1) / 2) * (width + 8), at[1]
        canvas.stamp(_low_back(cult, width), middle)
        number = middle[0], middle[1] + height_of(width) * 0.2
        colours = CULT_COLOURS[cult]
        ink = colours.ribbon if cult else colours.figure
        canvas.text(number, str(count), ON_BACK, ink)


ON_BACK = Type("strong", 44)


@cached
def _low_back(cult: int, width: int) -> Sprite:
    """Return a face-down card with its sign at the top, so that there is room for a number."""
    colours = CULT_COLOURS[cult]
    canvas = Canvas(width, height_of(width))
    _paper(canvas, colours)
    at = canvas.box.centre[0], canvas.height * 0.25
    draw_sign(canvas, cult, at, width * 0.46, colours.figure, width * 0.02)
    return raised(canvas.sprite(), max(2.0, width * 0.04), 0.5)


@cached
def backs(cult: int, own: int, other: int, width: int) -> Sprite:
    """Return a fan of cards, face down: ``own`` cards of one cult, then ``other`` cards of the
    other cult, from left to right.
    """
    cards = own + other
    reach = ceil(_spread(cards, width) + 2.2 * width)
    canvas = Canvas(reach, ceil(height_of(width) * 1.7))
    middle = canvas.box.centre
    for n, held in enumerate(fan(cards, width * STEP, 7)):
        sprite = _turned_back(cult if n < own else 1 - cult, width, held.degrees)
        canvas.stamp(sprite, (middle[0] + held.x, middle[1] + held.y))
    return canvas.sprite()


@cached
def _turned_back(cult: int, width: int, degrees: float) -> Sprite:
    """Return a card of a fan, face down. Few different rotations are needed: all are multiples of
    half the angle between two cards.
    """
    return back(cult, width).turned(degrees)


@cached
def _badge(cult: int) -> Sprite:
    canvas = Canvas(BADGE, BADGE)
    canvas.circle(canvas.box.centre, BADGE / 2, INK)
    canvas.circle(canvas.box.centre, BADGE / 2 - 2, CULT_COLOURS[cult].ribbon)
    return canvas.sprite()
