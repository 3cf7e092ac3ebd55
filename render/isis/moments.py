"""Great moments: a stone reaches heaven, one falls, a throne is within reach, a throne is taken."""

from __future__ import annotations

from games.isis.board import HEAVEN, THRONES
from render.cache import cached
from render.canvas import Canvas, Sprite, write
from render.geometry import Box, Point, arc, curve, tapered
from render.isis.ground import HEAVENLY, draw_thrones, number
from render.isis.look import (
    BOARD,
    DAWN,
    DEEP,
    FAIENCE,
    GILT_SHADE,
    LAPIS,
    NUMBER,
    OCHRE,
    SERPENT_DARK,
    SERPENT_LIGHT,
    STAR,
    STONE,
    cell,
    number_at,
    stand,
)
from render.isis.pieces import jar, throne
from render.isis.ways import News
from render.light import relief
from render.theme import INK, LIGHT, Type, has_glyph, mix

BURST = 132
"""How far the light of an arrival reaches."""
VICTOR, PLAIN_VICTOR = Type("title", 44), Type("strong", 42)
GLOW = "#9A5A2C"


def draw_moment(canvas: Canvas, news: News, within_reach: list[int]) -> None:
    """What lies below the stones: rays where one has come to heaven or to a throne, and the glow of
    thrones that can be taken now.
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
    """Red ground under stones that could be locked in."""
    for square in squares:
        canvas.rect(cell(square).inset(2), SERPENT_DARK, SERPENT_LIGHT, 4, radius=8)
        canvas.text(number_at(square), str(square), NUMBER, LIGHT)


@cached
def _burst() -> Sprite:
    """Rays of gold all around, long and short by turns."""
    canvas = Canvas(2 * BURST, 2 * BURST)
    middle = canvas.box.centre
    canvas.circle(middle, BURST * 0.72, STAR, opacity=0.3)
    for n in range(32):
        reach, half = (BURST, 0.3) if n % 2 else (BURST * 0.8, 0.22)
        (left, right) = arc(middle, BURST * 0.36, (n - half) / 32, (n + half) / 32)[::2]
        tip = arc(middle, reach, n / 32, n / 32)[0]
        canvas.polygon([middle, left, tip, right], STAR)
    return canvas.sprite()


# ------------------------------------------------------------------------------ the throne
STAGE = Box(BOARD.left, BOARD.top, HEAVENLY.left - 2, BOARD.bottom)
"""Where victory is shown: all but heaven, in which the throne itself can be seen."""


def draw_victory(canvas: Canvas, seat: int, amulet: str, name: str) -> None:
    """Cover the earth with night and show the winner's jar on a great throne."""
    canvas.stamp(_hall(), STAGE.centre)
    x, y = STAGE.centre
    canvas.stamp(jar(seat, amulet, 134), (x + 31, y - 122))
    kind = face_of(name)
    write(canvas, (STAGE.centre[0], STAGE.bottom - 44), name, kind, STAGE.width - 80, LIGHT)


def face_of(name: str) -> Type:
    """Capitals for the winner's name, or plain letters if the capitals lack some of it."""
    return VICTOR if all(has_glyph(VICTOR.face, letter) for letter in name) else PLAIN_VICTOR


@cached
def _hall() -> Sprite:
    """Night, rays, the sun, the throne between the wings of Isis."""
    canvas = Canvas(round(STAGE.width), round(STAGE.height))
    canvas.rect(canvas.box, DEEP, opacity=0.92)
    x, y = STAGE.width / 2, STAGE.height / 2 - 34
    rays: list[Point] = []
    for n in range(24):
        rays += [(x, y), *arc((x, y), 520, (n + 0.25) / 24, (n + 0.75) / 24)]
    canvas.polygon(rays, GLOW, opacity=0.3)
    canvas.circle((x, y), 214, STAR, opacity=0.35)
    canvas.circle((x, y), 190, STAR)
    canvas.circle((x, y), 176, DAWN)
    wing, aside = _wing(), WING.width / 2 + 96
    canvas.stamp(wing, (x - aside, y + 26))
    canvas.stamp(wing.mirrored(), (x + aside, y + 26))
    canvas.stamp(throne(250), (x, y + 22))
    return canvas.sprite()


WING = Box(0, 0, 330, 330)
_TIERS = ((300, 24, LAPIS, 12), (205, 24, FAIENCE, 11), (112, 24, OCHRE, 9))
"""The feathers of a wing, from behind: length of the outermost, breadth, colour and number."""


def _wing() -> Sprite:
    """A wing of Isis, spread to the left."""
    canvas = Canvas(round(WING.width), round(WING.height))
    shoulder, tip = (318.0, 92.0), (60.0, 26.0)
    for length, broad, colour, count in _TIERS:
        for n in range(count):
            share = n / (count - 1)
            x = tip[0] + (shoulder[0] - tip[0]) * share
            y = tip[1] + (shoulder[1] - tip[1]) * share**2
            reach = length * (1 - 0.52 * share)
            lean = 0.42 - 0.3 * share
            end = max(14.0, x - reach * lean), min(316.0, y + reach * (1 - lean * 0.4))
            canvas.line([(x, y), end], GILT_SHADE, broad)
            canvas.line([(x, y), end], colour, broad - 5)
            canvas.line([(x, y), end], mix(colour, LIGHT, 0.35), 3)
    arm = curve([(tip[0] - 24, tip[1] + 34), (40, 0), (210, -14), shoulder], 16)
    canvas.polygon(tapered(arm, 22, 46), INK)
    canvas.polygon(tapered(arm, 16, 40), STAR)
    return relief(canvas.sprite(), 4, 0.6)
