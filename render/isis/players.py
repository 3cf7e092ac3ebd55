"""The head of the picture with the steps, and the plates of the players with what they have."""

from __future__ import annotations

from functools import lru_cache

from data.texts import Texts
from games.isis import IsisState
from games.isis.board import HEAVEN, UNDERWORLD
from render.canvas import Canvas, Sprite, fitted, text_width
from render.geometry import Box
from render.isis.look import (
    GILT_SHADE,
    HEADER,
    LIMESTONE,
    LIVERY,
    NIGHT,
    PLATES,
    SMALL_WORDS,
    STAR,
    STEPS,
    WORDS,
)
from render.isis.pieces import STAGES, jar, stage_sign, throne
from render.isis.words import drawn, personal
from render.names import printed_names
from render.plates import Plate, draw_plate
from render.scene import Scene
from render.theme import INK, LIGHT, LINE, SEAT_SHADES, Colour

JAR = 56
"""Width of the jar on a plate."""


def draw_steps(canvas: Canvas, position: IsisState, say: Texts) -> None:
    """How far stones have to go from below and in play: on every picture, above all else."""
    room = Box(HEADER.left + 220, HEADER.top, HEADER.right, HEADER.bottom)
    below, in_play = room.columns(2, gap=20)
    steps = position.steps(UNDERWORLD)
    words = say.plural("step from the underworld", "steps from the underworld", steps)
    _cartouche(canvas, below, str(steps), words, NIGHT, LIGHT)
    steps = position.in_play
    words = say.plural("step for stones in play", "steps for stones in play", steps)
    _cartouche(canvas, in_play, str(steps), words, LIMESTONE, INK)


def _cartouche(
    canvas: Canvas, box: Box, steps: str, words: str, colour: Colour, ink: Colour
) -> None:
    """A ring of gold rope around a number and its words, tied at its end as kings' names are."""
    canvas.stamp(_rope(round(box.width), round(box.height), colour), box.centre)
    y = box.centre[1]
    canvas.text((box.left + 46, y), steps, STEPS, ink)
    room = box.width - 84 - 22
    kind = WORDS if text_width(words, WORDS) <= room else SMALL_WORDS
    canvas.text((box.left + 84, y), fitted(words, kind, room), kind, ink, "lm")


@lru_cache(maxsize=4)
def _rope(width: int, height: int, colour: Colour) -> Sprite:
    """A cartouche without words."""
    canvas = Canvas(width + 24, height + 24)
    box, radius = canvas.box.inset(12), height / 2
    canvas.shadow(box, 5, radius=radius, opacity=0.6)
    canvas.rect(box, INK, radius=radius)
    canvas.rect(box.inset(2), STAR, radius=radius - 2)
    canvas.rect(box.inset(5.5), GILT_SHADE, radius=radius - 5.5)
    canvas.rect(box.inset(7), colour, radius=radius - 7)
    tie = Box(box.right - 8, box.top + 2, box.right, box.bottom - 2)
    canvas.rect(tie, STAR, INK, 2, radius=2)
    return canvas.sprite()


# ----------------------------------------------------------------------------- the players
def draw_players(canvas: Canvas, position: IsisState, scene: Scene) -> None:
    """A plate for each seat: its jar, and where it stands."""
    view = scene.view
    names = printed_names(scene.names, scene.say)
    winners = () if view.outcome is None or drawn(view) else view.outcome.winners()
    for seat, box in enumerate(PLATES.columns(view.players, gap=14)):
        computer = seat in scene.computers
        plate = Plate(seat, names[seat], seat in view.actors, computer, seat in winners)
        room = draw_plate(canvas, box, plate, livery=LIVERY)
        _draw_standing(canvas, room, position, seat, scene.say)


def _draw_standing(canvas: Canvas, room: Box, position: IsisState, seat: int, say: Texts) -> None:
    """The seat's own stone, unpainted as long as it is to be won, and where it is."""
    x, y = room.left + JAR / 2, room.centre[1]
    if seat in position.placed and not position.amulets[seat]:
        canvas.stamp(throne(JAR), (x, y))
    else:
        amulet = position.amulets[seat]
        canvas.stamp(jar(seat, amulet, JAR, bare=not amulet), (x, y))
    left = room.left + JAR + 18
    words, width = personal(position, seat, say), room.right - left
    if text_width(words, WORDS) > width:
        words = fitted(_standing(position, seat, say), WORDS, width)
    canvas.text((left, room.top + 22), words, WORDS, INK, "lm")
    _draw_journey(canvas, Box(left, room.top + 44, room.right, room.bottom), position, seat)


def _standing(position: IsisState, seat: int, say: Texts) -> str:
    """Where the seat's stone is, for a plate without room for more."""
    if not position.turned[seat]:
        return say("no stone yet")
    square = position.personal[seat]
    return say("underworld") if square == UNDERWORLD else say("square {n}", n=square)


def _draw_journey(canvas: Canvas, room: Box, position: IsisState, seat: int) -> None:
    """Underworld, earth, heaven, throne: four signs, lit as far as the stone has come."""
    step = min(84.0, (room.width - 38) / 3)
    left, y = room.left + 19, room.centre[1] + 2
    stage = _stage(position, seat)
    canvas.line([(left, y), (left + 3 * step, y)], LINE, 3)
    if stage:
        canvas.line([(left, y), (left + stage * step, y)], SEAT_SHADES[seat], 6)
    for n, name in enumerate(STAGES):
        canvas.stamp(stage_sign(name, stage is not None and n <= stage), (left + n * step, y))


def _stage(position: IsisState, seat: int) -> int | None:
    """How far the stone of a seat has come, as an index of ``STAGES``; None before it has one."""
    if seat in position.placed:
        return 3
    if not position.turned[seat]:
        return None
    square = position.personal[seat]
    return 0 if square == UNDERWORLD else 2 if square in HEAVEN else 1
