"""What speaks for an advised move, marked on the board."""

from __future__ import annotations

from collections.abc import Iterator

from games.engine import Fact
from games.isis import Isis, IsisState
from games.isis.board import UNDERWORLD
from render.canvas import Canvas
from render.isis.look import cell, stand
from render.isis.words import thrones_of
from render.scene import Scene
from render.theme import LIGHT, SEATS

TROUBLED = frozenset({"endangers", "halts", "hampers"})
"""Reasons that are about the own stone of another seat."""


def draw_reasons(canvas: Canvas, scene: Scene, position: IsisState) -> None:
    """A cross on each stone that the move locks in; frames around the stones of others that it
    troubles, and around the thrones that it opens or bars.
    """
    if not scene.advised:
        return
    after, facts = position.clone(), list[Fact]()
    Isis().do(after, position.turn, scene.advised, facts)
    locked = [square for fact in facts if fact.kind == "locked" for square in fact.data["squares"]]
    colour = SEATS[position.turn].colour
    for square in sorted({*locked, *_troubled(scene, position, after)}):
        canvas.rect(cell(square).inset(1), None, LIGHT, 10, radius=10)
        canvas.rect(cell(square).inset(3), None, colour, 6, radius=8)
    for square in locked:
        canvas.cross(stand(square), 48, LIGHT, 10)
        canvas.cross(stand(square), 48, colour, 6)


def _troubled(scene: Scene, position: IsisState, after: IsisState) -> Iterator[int]:
    """The squares that the reasons of the move are about."""
    for fact in scene.reasons:
        seat: int = fact.data.get("seat", position.turn)
        if fact.kind in TROUBLED and position.personal[seat] > UNDERWORLD:
            yield position.personal[seat]
        elif fact.kind == "aims":
            yield from thrones_of(after, seat)
        elif fact.kind == "parries":
            yield from thrones_of(position, seat)
