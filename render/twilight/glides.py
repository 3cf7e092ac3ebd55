"""What moves on the table of Twilight."""

from __future__ import annotations

from collections.abc import Iterator

from render.scene import Glide, Scene
from render.twilight.cards import card_face
from render.twilight.table import CARD, held_at, slot


def glides(scene: Scene) -> Iterator[Glide]:
    """Cards go from the hand that gave them to the place for which they are played."""
    places = scene.view.public["places"]
    for fact in scene.facts:
        if fact.kind == "played" and places is not None:
            giver, place = (places.index(fact.data[who]) for who in ("giver", "seat"))
            yield Glide(card_face(fact.data["card"], CARD), (held_at(giver), slot(place).centre))
