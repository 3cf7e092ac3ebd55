"""The card with a result in the daily deal, for sharing. It reveals nothing about the deal."""

from __future__ import annotations

from dataclasses import dataclass

from data.texts import Texts
from render.canvas import write, write_lines
from render.donquixote import colours
from render.donquixote.country import vista
from render.geometry import Box, placed, regular
from render.laurel import LEAF
from render.names import printed_names, spoken_names
from render.plates import card
from render.scene import ALT_LIMIT, Picture
from render.theme import LIGHT, Palette, Type, mix
from render.victory import WORLDS

HEIGHT = 800
PLATE = Box(40, 40, 500, HEIGHT - 40)
"""The area of the picture of Don Quixote; the picture is framed like a printed plate."""
TEXT = Box(540, 48, 1152, HEIGHT - 40)
"""The area for the result, to the right of that picture."""
TITLE = tuple(Type("title", size) for size in (44, 38, 32))
NAME = tuple(Type("strong", size) for size in (52, 44, 36))
POINTS = Type("title", 208)
UNIT = Type("title", 44)
GILT = mix(LEAF, LIGHT, 0.1)
"""The colour of the points: like the laurel, but a little lighter, so that they can be read."""
VERDICT = tuple(Type("strong", size) for size in (44, 38, 32))
LINE = tuple(Type("text", size) for size in (34, 30, 28))
GAME = "donquixote"
SCENERY = (
    colours.SKY,
    colours.SUN,
    mix(colours.SKY, colours.SUN, 0.5),
    colours.CLOUD,
    colours.HAZE,
)
PALETTE = Palette((*Palette.of(GAME).colours, *Palette.of(f"{GAME}-end").colours, *SCENERY))


@dataclass(frozen=True, slots=True)
class RiddleResult:
    """The texts of the card.

    :param name: the person's name as typed.
    :param lines: the rating, the places and the streak; at most four lines.
    """

    day: str
    name: str
    points: int
    lines: tuple[str, ...]


def result_picture(result: RiddleResult, say: Texts) -> Picture:
    """Draw the card."""
    ground, down = WORLDS[GAME], 22 * max(0, 4 - len(result.lines))
    canvas = card(HEIGHT, ground)
    canvas.stamp(vista(round(PLATE.width) - 12, round(PLATE.height) - 12), PLATE.centre)
    middle = TEXT.centre[0]
    heading = say("The deal of the day · {day}", day=result.day)
    (shown,), (told,) = printed_names([result.name], say), spoken_names([result.name], say)
    at = middle, 76 + down / 2
    write(canvas, at, say("The deal of the day"), TITLE, TEXT.width, ground.soft)
    write(canvas, (middle, at[1] + 50), result.day, TITLE[1:], TEXT.width, ground.soft)
    write_lines(canvas, (middle, 206 + down), shown, NAME, (TEXT.width, 100), ground.ink)
    canvas.text((middle, 356 + down), say.number(result.points), POINTS, GILT)
    unit = say.plural("point", "points", result.points)
    below = canvas.text((middle, 474 + down), unit.upper(), UNIT, GILT)
    for start, end in ((TEXT.left, below.left - 28), (TEXT.right, below.right + 28)):
        canvas.line([(start, 474 + down), (end, 474 + down)], ground.line, 2)
        canvas.polygon(placed(regular(4), (end, 474 + down), 7), ground.line)
    rating, *lines = (line[:1].upper() + line[1:] for line in result.lines)
    at = middle, 548 + down
    foot = write_lines(canvas, at, rating, VERDICT, (TEXT.width, 84), ground.ink).bottom
    for number, line in enumerate(lines):
        write(canvas, (middle, foot + 44 + 50 * number), line, LINE, TEXT.width, ground.ink)
    points = say.plural("{n} point", "{n} points", result.points)
    alt = f"{heading}. {told}{say.colon} {points}. {'. '.join(result.lines)}."
    return Picture("deal.png", canvas.png(PALETTE), alt[:ALT_LIMIT])
