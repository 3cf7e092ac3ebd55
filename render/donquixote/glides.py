"""What moves in the principalities."""

from __future__ import annotations

from collections.abc import Iterator

from games.donquixote.tiles import TURNED
from render.donquixote.board import lands
from render.donquixote.tiles import loose_tile
from render.scene import Glide, Scene


def glides(scene: Scene) -> Iterator[Glide]:
    """Tiles fall into their fields."""
    for fact in scene.facts:
        if fact.kind == "placed":
            data = fact.data
            land = lands(scene.view.players)[data["seat"]]
            piece = data["tile"] + (TURNED if data["turned"] else "")
            yield Glide(loose_tile(piece, land.tile), (land.field(data["field"]).centre,))
