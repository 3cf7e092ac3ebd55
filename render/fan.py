"""A fan of cards: where each lies, and how far it is turned."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, radians, sin
from typing import NamedTuple

from render.geometry import Point


class Held(NamedTuple):
    """The place of a card in a fan.

    :param x: from the middle of the fan to that of the card.
    :param y: likewise; the middle card of a fan lies at 0, those at its ends lower.
    :param degrees: how far the card is turned clockwise.
    """

    x: float
    y: float
    degrees: float

    def lifted(self, height: float) -> Point:
        """Its middle if it is drawn ``height`` pixels out of the fan."""
        turn = radians(self.degrees)
        return self.x + height * sin(turn), self.y - height * cos(turn)


def fan(cards: int, step: float, degrees: float) -> Iterator[Held]:
    """The places of ``cards`` from left to right, each over the one before it.

    :param step: pixels between the middles of two cards.
    :param degrees: turn between two cards; above 0.
    """
    radius = step / radians(degrees)
    for n in range(cards):
        turn = (n - (cards - 1) / 2) * degrees
        yield Held(radius * sin(radians(turn)), radius * (1 - cos(radians(turn))), turn)
