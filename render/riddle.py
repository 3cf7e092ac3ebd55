"""The result card of the daily deal, for sharing. It reveals nothing about the deal."""

from __future__ import annotations

from dataclasses import dataclass

from data.texts import Texts
from render.canvas import write
from render.geometry import trace
from render.laurel import LEAF
from render.names import printed_names, spoken_names
from render.plates import card
from render.scene import ALT_LIMIT, Picture
from render.theme import WIDTH, Type
from render.victory import EMBLEMS, WORLDS

HEIGHT = 675
TITLE = Type("title", 40)
NAME = Type("strong", 44)
POINTS = Type("title", 200)
UNIT = Type("text", 34)
LINE = Type("strong", 34)
GAME = "donquixote"


@dataclass(frozen=True, slots=True)
class RiddleResult:
    """The texts of the card.

    :param day: the date.
    :param name: of the person, as typed.
    :param lines: the rating, places and streak; four at most.
    """

    day: str
    name: str
    points: int
    lines: tuple[str, ...]


def result_picture(result: RiddleResult, say: Texts) -> Picture:
    """Draw the card."""
    ground = WORLDS[GAME]
    canvas = card(HEIGHT, ground)
    for x in (180, WIDTH - 180):
        canvas.path(trace(EMBLEMS[GAME]), ground.line, centre=(x, 320), scale=1.0, opacity=0.35)
    heading = say("The deal of the day · {day}", day=result.day)
    middle = WIDTH / 2
    write(canvas, (middle, 76), heading, TITLE, WIDTH - 160, ground.soft)
    (shown,), (told,) = printed_names([result.name], say), spoken_names([result.name], say)
    write(canvas, (middle, 150), shown, NAME, WIDTH - 160, ground.ink)
    canvas.text((middle, 292), say.number(result.points), POINTS, LEAF)
    unit = say.plural("point", "points", result.points)
    canvas.text((middle, 414), unit, UNIT, ground.soft)
    for number, line in enumerate(result.lines):
        write(canvas, (middle, 472 + 50 * number), line, LINE, WIDTH - 160, ground.ink)
    points = say.plural("{n} point", "{n} points", result.points)
    alt = f"{heading}. {told}{say.colon} {points}. {'. '.join(result.lines)}."
    return Picture("deal.png", canvas.png(None), alt[:ALT_LIMIT])
