"""A small emblem for each game, and the colour of its curves: the same in all pictures."""

from __future__ import annotations

from collections.abc import Callable

from games.donquixote.tiles import WINDMILL
from render.cache import cached
from render.canvas import Canvas, Sprite
from render.donquixote.figures import symbol
from render.geometry import arc
from render.isis.pieces import lotus
from render.isolde.devices import draw_device
from render.lancelot.pieces import excalibur
from render.theme import INK, LIGHT, Colour
from render.twilight.signs import draw_sign

GAME_COLOURS: dict[str, Colour] = {
    "lancelot": "#7D1B38",
    "isis": "#1C63A8",
    "twilight": "#D98A00",
    "donquixote": "#4B7F2A",
    "isolde": "#C2508F",
}
"""The colours of the games. They differ in brightness, so that colour-blind people can tell them
apart.
"""

NIGHT: Colour = "#2F2A55"
"""The colour of the Moon's half of Twilight's emblem."""


def _lancelot(canvas: Canvas, size: int) -> None:
    canvas.stamp(excalibur(round(size * 0.64)), canvas.box.centre)


def _isis(canvas: Canvas, size: int) -> None:
    x, y = canvas.box.centre
    canvas.stamp(lotus(round(size * 0.5)), (x, y - size * 0.01))


def _twilight(canvas: Canvas, size: int) -> None:
    x, y = canvas.box.centre
    canvas.polygon(arc((x, y), size * 0.43, 0.5, 1), NIGHT)
    draw_sign(canvas, 0, (x - size * 0.2, y), size * 0.4, LIGHT)
    draw_sign(canvas, 1, (x + size * 0.2, y), size * 0.4, LIGHT)


def _donquixote(canvas: Canvas, size: int) -> None:
    canvas.stamp(symbol(WINDMILL, 0, round(size * 0.7)), canvas.box.centre)


def _isolde(canvas: Canvas, size: int) -> None:
    draw_device(canvas, "ISOLDE", canvas.box.centre, size * 0.6, LIGHT)


_FIGURES: dict[str, Callable[[Canvas, int], None]] = {
    "lancelot": _lancelot,
    "isis": _isis,
    "twilight": _twilight,
    "donquixote": _donquixote,
    "isolde": _isolde,
}


@cached
def game_emblem(game: str, size: int) -> Sprite:
    """Return a disc in the colour of a game with a figure from it, ``size`` across.

    :param game: the id of a game in ``GAME_COLOURS``.
    """
    canvas = Canvas(size, size)
    x, y = canvas.box.centre
    canvas.circle((x, y), size / 2, INK)
    canvas.circle((x, y), size * 0.47, LIGHT)
    canvas.circle((x, y), size * 0.43, GAME_COLOURS[game])
    _FIGURES[game](canvas, size)
    return canvas.sprite()
