"""What moves on the board of Isis."""

from __future__ import annotations

from collections.abc import Iterator

from games.isis import IsisState
from games.isis.board import STONES, UNDERWORLD
from render.geometry import Box, rounded
from render.isis.look import STONE, TALL, berth, cell
from render.isis.pieces import jar, lotus
from render.isis.ways import ROUND, path_points
from render.scene import Glide, Scene


def glides(scene: Scene, position: IsisState) -> Iterator[Glide]:
    """A stone walks its way, through the doors of the underworld as well."""
    for fact in scene.facts:
        if fact.kind == "moved":
            seat, path = fact.data["seat"], fact.data["path"]
            own = fact.data["personal"]
            sprite = jar(seat, position.amulets[seat], STONE) if own else lotus(STONE)
            left = deck() if path[0] == UNDERWORLD else cell(path[0])
            yield Glide(sprite, rounded(path_points(path), ROUND), left)


def deck() -> Box:
    """Where the stones in the underworld stand."""
    (left, y), (right, _) = berth(0, STONES), berth(STONES - 1, STONES)
    return Box.at(((left + right) / 2, y), right - left + STONE + 12, STONE * TALL + 12)
