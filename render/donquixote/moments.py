"""The great moment: the land of who has won, with the others in the shade."""

from __future__ import annotations

from render.cache import cached
from render.canvas import Canvas, Sprite
from render.donquixote.colours import CHANGE, CLAY
from render.donquixote.land import Land
from render.donquixote.situation import Situation
from render.geometry import regular
from render.light import raised
from render.plates import CROWN, token
from render.theme import GOLD, INK

SHADE = 0.4
"""How dark the lands of the others become."""
GLORY = 0.72
"""Height of the sun behind the winner, in heights of the land."""
RAYS = 24


def draw_ending(canvas: Canvas, land: Land, game: Situation, seat: int) -> None:
    """After the end: a crowned shield before the sun on a winner's land, shade on any other."""
    outcome = game.scene.view.outcome
    if outcome is None:
        return
    if seat in outcome.winners():
        canvas.stamp(_glory(seat, round(land.walled.height * GLORY)), land.box.centre)
        canvas.frame(land.walled, radius=8, weight=6)
    else:
        canvas.rect(land.walled, CLAY.rim, opacity=SHADE)


@cached
def _glory(seat: int, size: int) -> Sprite:
    """A shield with a crown before the sun."""
    canvas = Canvas(size, size)
    x, y = canvas.box.centre
    rim = regular(2 * RAYS)
    burst = [
        (x + dx * reach, y + dy * reach)
        for n, (dx, dy) in enumerate(rim)
        for reach in [size / 2 - 2 if n % 2 else size * 0.41]
    ]
    canvas.polygon(burst, CHANGE, INK, 2)
    shield = round(size * 0.52)
    canvas.stamp(raised(token(seat, shield), 5), (x, y + size * 0.1))
    canvas.path(CROWN, GOLD, INK, 2.5, (x, y - size * 0.25), size * 0.15)
    return raised(canvas.sprite(), 8)
