"""Hands as others see them: backs, held like a fan."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from games.twilight import CULTS
from render.cache import cached
from render.canvas import Canvas, Sprite
from render.fan import fan
from render.geometry import Point
from render.theme import INK, Type
from render.twilight.cards import back, height_of
from render.twilight.colours import CULT_COLOURS

COUNT = Type("strong", 28)
BADGE = 38
STEP = 0.42
"""From one card to the next, in widths of a card."""
LARGEST = 60
"""Width of a card where there is room."""


def draw_backs(
    canvas: Canvas, at: Point, public: Mapping[str, Any], place: int, width: int
) -> None:
    """The fan of a hand around a point, its own cult on the left.

    :param width: of a card.
    """
    (_, own), (_, other) = _counts(public, place)
    if own or other:
        canvas.stamp(backs(place % 2, own, other, width), at)


def draw_counts(
    canvas: Canvas, at: Point, public: Mapping[str, Any], place: int, width: int
) -> None:
    """How many cards of each cult a hand has, at both ends of its fan."""
    counts = _counts(public, place)
    reach = (_spread(sum(count for _, count in counts), width) + width * 1.2) / 2
    for (cult, count), side in zip(counts, (-1, 1), strict=True):
        if count:
            middle = at[0] + side * reach, at[1]
            canvas.stamp(_badge(cult), middle)
            canvas.text(middle, str(count), COUNT, CULT_COLOURS[cult].ink)


def _counts(public: Mapping[str, Any], place: int) -> list[tuple[int, int]]:
    """Cults and how many cards of them a hand has, its own cult first."""
    own = place % 2
    return [(cult, public[CULTS[cult]][place]) for cult in (own, 1 - own)]


def _spread(cards: int, width: int) -> float:
    """Pixels from the middle of the first card of a fan to that of the last one."""
    return (cards - 1) * _step(width)


def _step(width: int) -> float:
    return width * STEP


def fan_width(public: Mapping[str, Any], place: int, room: float) -> int:
    """The width of cards with which the fan of a hand, with its counts, fits into ``room``."""
    cards = sum(count for _, count in _counts(public, place))
    return round(min(LARGEST, (room - BADGE) / (STEP * max(0, cards - 1) + 1.2)))


@cached
def backs(cult: int, own: int, other: int, width: int) -> Sprite:
    """A fan of ``own`` backs of a cult and ``other`` ones of the other cult, left to right."""
    cards = own + other
    reach = ceil(_spread(cards, width) + 2.2 * width)
    canvas = Canvas(reach, ceil(height_of(width) * 1.7))
    middle = canvas.box.centre
    for n, held in enumerate(fan(cards, _step(width), 7)):
        sprite = _turned_back(cult if n < own else 1 - cult, width, held.degrees)
        canvas.stamp(sprite, (middle[0] + held.x, middle[1] + held.y))
    return canvas.sprite()


@cached
def _turned_back(cult: int, width: int, degrees: float) -> Sprite:
    """A card of a fan; the turns are multiples of half that between two of its cards."""
    return back(cult, width).turned(degrees)


@cached
def _badge(cult: int) -> Sprite:
    canvas = Canvas(BADGE, BADGE)
    canvas.circle(canvas.box.centre, BADGE / 2, INK)
    canvas.circle(canvas.box.centre, BADGE / 2 - 2, CULT_COLOURS[cult].ribbon)
    return canvas.sprite()
