"""What moves on Lancelot's field."""

from __future__ import annotations

from collections.abc import Iterator

from render.lancelot.field import FieldGeometry
from render.lancelot.pieces import excalibur, stone
from render.scene import Glide, Scene


def glides(scene: Scene) -> Iterator[Glide]:
    """Stones fall into their places; Excalibur is carried."""
    field = FieldGeometry.of(scene)
    for fact in scene.facts:
        if fact.kind == "placed":
            at = field.centre(fact.data["square"])
            yield Glide(stone(fact.data["seat"], field.stone), (at,))
        elif fact.kind == "sword_set":
            yield Glide(excalibur(field.sword), (field.centre(fact.data["square"]),))
        elif fact.kind == "sword_moved":
            origin, square = fact.data["origin"], fact.data["square"]
            way = field.centre(origin), field.centre(square)
            yield Glide(excalibur(field.sword), way, field.named(origin))
