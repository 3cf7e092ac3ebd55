"""The great moment: the princess receives who has won her favour."""

from __future__ import annotations

from render.cache import cached
from render.canvas import Canvas, Sprite, write
from render.geometry import Box, regular
from render.isolde.colours import BOARDS, DEEP, FOIL, STONE
from render.isolde.ground import HEIGHT, LEFT, TOP, tracks
from render.isolde.scenery import scenery
from render.isolde.standings import winners
from render.isolde.words import colour_names
from render.light import raised, relief
from render.names import printed_names
from render.plates import CROWN, token
from render.scene import Scene
from render.theme import INK, LIGHT, WIDTH, Type
from render.words import VICTORY

LEAF, ROSE, PETAL = "#5F7A49", "#C23A60", "#EE8AA0"
CRY = Type("title", 38)
NAMES = Type("strong", 34), Type("strong", 26)
STAGE_WIDTH = 572
"""As wide as two boards."""
SHADE = 0.3
"""How dark the boards become around the moment."""
_ABOVE = 10
"""What is left out above the princess, in hundredths of the stage's width."""


def draw_victory(canvas: Canvas, scene: Scene) -> None:
    """Dim the boards; where the princess is at home, show her large, and who has won beside her."""
    boards = tuple(scene.view.public["boards"])
    home = tracks(boards)["ISOLDE"].box
    left = home.left if "MAGIE" in boards else (WIDTH - STAGE_WIDTH) / 2
    stage = Box(left, home.top, left + STAGE_WIDTH, home.bottom)
    canvas.rect(Box(LEFT - 8, TOP - 4, WIDTH - LEFT + 8, HEIGHT - 58), STONE.rim, opacity=SHADE)
    canvas.stamp(_bower(round(stage.width), round(stage.height)), stage.centre)
    x, shown = stage.left + stage.width * 0.74, winners(scene.view)
    size = min(124, round(340 / len(shown)) - 12)
    y = stage.top + 118
    for n, colour in enumerate(shown):
        at = x + (n - (len(shown) - 1) / 2) * (size + 12), y
        canvas.stamp(_honoured(colour, size), at)
    plate = Box(x - 132, stage.bottom - 108, x + 132, stage.bottom - 18)
    canvas.rect(plate, BOARDS["ISOLDE"], FOIL, 3, radius=12)
    canvas.text((x, plate.top + 30), scene.say(VICTORY).upper(), CRY, LIGHT)
    names = colour_names(scene.view, printed_names(scene.names, scene.say), scene.say)
    words, room = scene.say.list([names[colour] for colour in shown]), plate.width - 24
    write(canvas, (x, plate.bottom - 26), words, NAMES, room, LIGHT)


@cached
def _bower(width: int, height: int) -> Sprite:
    """The princess on her balcony, half-length, in a frame of gold."""
    painting = scenery("ISOLDE", width)
    view, frame = Canvas(width, height, DEEP["ISOLDE"]), Canvas(width, height)
    view.stamp(painting, (width / 2, width / 2 - _ABOVE * width / 100 + 36))
    frame.rect(frame.box, None, FOIL, 8, radius=4)
    view.stamp(relief(frame.sprite(), 3), view.box.centre)
    view.rect(view.box, None, INK, 2)
    return raised(view.sprite(), 10, 0.7)


@cached
def _honoured(colour: int, size: int) -> Sprite:
    """A disc in a garland of roses, under a crown."""
    canvas = Canvas(size + 60, size + 72)
    x, y = canvas.width / 2, canvas.height - size / 2 - 20
    garland = Canvas(canvas.width, canvas.height)
    for n, (dx, dy) in enumerate(regular(18)):
        at = x + dx * (size / 2 + 8), y + dy * (size / 2 + 8)
        garland.circle(at, 11, LEAF)
        if n % 2:
            garland.circle(at, 8, ROSE)
            garland.circle((at[0] - 2, at[1] - 2), 3.4, PETAL)
    canvas.stamp(relief(garland.sprite(), 2, 0.7), canvas.box.centre)
    canvas.stamp(raised(token(colour, size), 5), (x, y))
    canvas.path(CROWN, FOIL, INK, 2.5, (x, y - size / 2 - 20), size * 0.24)
    return raised(canvas.sprite(), 4)
