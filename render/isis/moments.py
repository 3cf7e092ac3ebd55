"""Great moments: a stone reaches heaven or is turned over there, a stone is in danger, a throne can
be taken.
"""

from __future__ import annotations

from games.isis.board import HEAVEN, THRONES
from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Box, arc
from render.isis.ground import HEAVENLY, draw_thrones, number
from render.isis.look import (
    DAWN,
    NUMBER,
    SERPENT_DARK,
    SERPENT_LIGHT,
    STAR,
    STONE,
    cell,
    number_at,
    stand,
)
from render.isis.pieces import throne
from render.isis.ways import News
from render.theme import INK, LIGHT

BURST = 132
"""Radius of the rays around an arrival."""


def draw_moment(canvas: Canvas, news: News, within_reach: list[int]) -> None:
    """Draw what goes below the stones: rays where a stone has reached heaven or a throne or was
    turned over, and a glow around thrones that can be taken now.
    """
    if news.celebrated and news.latest is not None:
        x, y = stand(news.latest)
        window = Canvas(round(HEAVENLY.width), round(HEAVENLY.height))
        window.stamp(_burst(), (x - HEAVENLY.left, y - HEAVENLY.top))
        canvas.stamp(window.sprite(), HEAVENLY.centre)
        draw_thrones(canvas)
        for square in set(HEAVEN) - set(THRONES):
            canvas.stamp(number(square), number_at(square))
    for square in within_reach:
        box = cell(square)
        room = Box(box.left + 6, box.top + 6, box.right, box.bottom - 6)
        canvas.rect(room, DAWN)
        canvas.halo(room.inset(4), STAR, radius=10, reach=20)
        canvas.rect(room.inset(8), DAWN, radius=8)
        canvas.stamp(throne(STONE - 6), (stand(square)[0] + 3, stand(square)[1]))
        canvas.text(number_at(square), str(square), NUMBER, INK)


def draw_dangers(canvas: Canvas, squares: list[int]) -> None:
    """Draw red ground under stones that could be locked in."""
    for square in squares:
        canvas.rect(cell(square).inset(2), SERPENT_DARK, SERPENT_LIGHT, 4, radius=8)
        canvas.text(number_at(square), str(square), NUMBER, LIGHT)


@cached
def _burst() -> Sprite:
    """Return golden rays all around, alternating between long and short."""
    canvas = Canvas(2 * BURST, 2 * BURST)
    middle = canvas.box.centre
    canvas.circle(middle, BURST * 0.72, STAR, opacity=0.3)
    for n in range(32):
        reach, half = (BURST, 0.3) if n % 2 else (BURST * 0.8, 0.22)
        (left, right) = arc(middle, BURST * 0.36, (n - half) / 32, (n + half) / 32)[::2]
        tip = arc(middle, reach, n / 32, n / 32)[0]
        canvas.polygon([middle, left, tip, right], STAR)
    return canvas.sprite()
