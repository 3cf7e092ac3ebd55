"""Lancelot's close-up: what one more stone of a seat would take."""

from __future__ import annotations

from render.canvas import Canvas, fitted
from render.geometry import Box
from render.lancelot.field import FieldGeometry
from render.lancelot.figures import lists
from render.lancelot.ground import CAPTION, LIVERY, SIDE, draw_round_table, ground
from render.lancelot.leads import position_from_view, takes
from render.lancelot.marks import draw_leads, draw_prize
from render.lancelot.pieces import excalibur, pennant, stone
from render.lancelot.sides import COUNT, TOP
from render.names import printed_names
from render.plates import OAK, Plate, caption, draw_plate
from render.scene import Scene
from render.theme import Type

LEGEND = Type("text", 25)
QUIET = 0.4
"""Opacity of stones that are not in danger."""
_LISTS = 128
_ROW = 64


def threats(scene: Scene, seat: int) -> Canvas:
    """The field with the stones that ``seat`` could take, and the squares from which."""
    view, field, state = scene.view, FieldGeometry.of(scene), position_from_view(scene.view)
    public, taking = view.public, takes(state, seat)
    endangered = {square for taken in taking.values() for square in taken}
    canvas = ground(view.players).copy()
    draw_leads(canvas, field, state)
    for square, owner in public["board"].items():
        danger = square in endangered
        centre, sprite = field.centre(square), stone(owner, field.stone)
        canvas.stamp(sprite, centre, 1.0 if danger else QUIET)
        if danger:
            canvas.ring(centre, field.stone / 2 - 1)
    if public["excalibur"]:
        canvas.stamp(excalibur(round(field.cell * 0.94)), field.centre(public["excalibur"]))
    for square, taken in taking.items():
        draw_prize(canvas, field, field.centre(square), len(taken))
    _draw_side(canvas, scene, seat, len(endangered))
    caption(canvas, CAPTION, [scene.code], ground=OAK)
    return canvas


def _draw_side(canvas: Canvas, scene: Scene, seat: int, endangered: int) -> None:
    """The plate of who would take, and what the marks mean."""
    say = scene.say
    box = Box(SIDE.left, TOP, SIDE.right, TOP + 256)
    name = printed_names(scene.names, say)[seat]
    plate = Plate(seat, name, to_move=True, computer=seat in scene.computers)
    room = draw_plate(canvas, box, plate, livery=LIVERY)
    canvas.stamp(lists(round(room.width), _LISTS, seat), (room.centre[0], room.top + _LISTS / 2))
    words = say("could take {n}", n=endangered)
    canvas.text((room.centre[0], room.bottom - 20), words, COUNT)
    legend = _draw_legend(canvas, scene, seat, box.bottom + 20)
    draw_round_table(canvas, Box(SIDE.left, legend, SIDE.right, SIDE.bottom))


def _draw_legend(canvas: Canvas, scene: Scene, seat: int, top: float) -> float:
    """Draw it from ``top`` downwards.

    :return: where it ends.
    """
    say, other = scene.say, (seat + 1) % scene.view.players
    lines = (
        say("takes that many"),
        say("in danger"),
        say("leads by one"),
        say("leads by two: full"),
    )
    x = SIDE.left + 34
    for n, words in enumerate(lines):
        y = top + (n + 0.5) * _ROW
        if n == 0:
            draw_prize(canvas, FieldGeometry.of(scene), (x, y), 2)
        elif n == 1:
            canvas.stamp(stone(other, 48), (x, y))
            canvas.ring((x, y), 23)
        else:
            for aside in (0,) if n == 2 else (-16, 16):
                canvas.stamp(pennant(seat, 30, down=True), (x + aside, y))
        left = SIDE.left + 78
        canvas.text((left, y), fitted(words, LEGEND, SIDE.right - left), LEGEND, OAK.ink, "lm")
    return top + len(lines) * _ROW
