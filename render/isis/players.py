"""The head of the picture with the steps, and the plates of the players with what they have."""

from __future__ import annotations

from dataclasses import dataclass

from data.texts import Texts
from games.isis import IsisState
from games.isis.board import HEAVEN, UNDERWORLD
from render.cache import cached
from render.canvas import Canvas, Sprite, text_width, write
from render.geometry import Box
from render.isis.ground import ground
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
from render.isis.words import is_drawn, personal
from render.names import printed_names
from render.plates import GLOW, Plate, draw_plate
from render.scene import Scene
from render.theme import INK, LIGHT, LINE, SEAT_SHADES, WIDTH, Colour

JAR = 56
"""Width of the jar on a plate."""

HEAD = Box(0, 0, WIDTH, HEADER.bottom + 12)
"""Everything above the board: the cartouches with their shadows."""

FOOT = Box(0, PLATES.top - GLOW, WIDTH, PLATES.bottom + GLOW)
"""Everything from the board to the caption: the plates with their glow."""


def draw_steps(canvas: Canvas, position: IsisState, say: Texts) -> None:
    """How far stones have to go from below and in play: on every picture, above all else."""
    below, in_play = position.steps(UNDERWORLD), position.in_play
    told = (
        (below, say.plural("step from the underworld", "steps from the underworld", below)),
        (in_play, say.plural("step for stones in play", "steps for stones in play", in_play)),
    )
    canvas.inlay(_head(told), HEAD, HEAD)


@cached
def _head(told: tuple[tuple[int, str], ...]) -> Canvas:
    """The upper end of the picture with its two cartouches: a number in each, and its words."""
    canvas = ground(awake=False).cut(HEAD)
    room = Box(HEADER.left + 220, HEADER.top, HEADER.right, HEADER.bottom)
    for box, (steps, words), (colour, ink) in zip(
        room.columns(2, gap=20), told, ((NIGHT, LIGHT), (LIMESTONE, INK)), strict=True
    ):
        _cartouche(canvas, box, str(steps), words, colour, ink)
    return canvas


def _cartouche(
    canvas: Canvas, box: Box, steps: str, words: str, colour: Colour, ink: Colour
) -> None:
    """A ring of gold rope around a number and its words, tied at its end as kings' names are."""
    canvas.stamp(_rope(round(box.width), round(box.height), colour), box.centre)
    y = box.centre[1]
    canvas.text((box.left + 46, y), steps, STEPS, ink)
    room = box.width - 84 - 22
    write(canvas, (box.left + 84, y), words, (WORDS, SMALL_WORDS), room, ink, "lm")


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
@dataclass(frozen=True, slots=True)
class StoneStatus:
    """What a plate tells of the stone of its seat.

    :param amulet: what it shows; empty as long as it is to be won, and of a stone that has gone.
    :param stage: how far it has come, as an index of ``STAGES``; None before the seat has one.
    :param words: where it is.
    :param short: the same for a plate without room for more.
    """

    amulet: str
    stage: int | None
    words: str
    short: str


def draw_players(canvas: Canvas, position: IsisState, scene: Scene) -> None:
    """A plate for each seat: its jar, and where it stands."""
    view = scene.view
    names = printed_names(scene.names, scene.say)
    winners = () if view.outcome is None or is_drawn(view) else view.outcome.winners()
    told = tuple(
        (
            Plate(seat, names[seat], seat in view.actors, seat in scene.computers, seat in winners),
            _standing(position, seat, scene.say),
        )
        for seat in range(view.players)
    )
    canvas.inlay(_plates(told), FOOT, FOOT)


@cached
def _plates(told: tuple[tuple[Plate, StoneStatus], ...]) -> Canvas:
    """The strip below the board with all plates: a picture of a choice has the same as the board
    before it.
    """
    canvas = ground(awake=False).cut(FOOT)
    row = PLATES.moved(0, -FOOT.top)
    for (plate, standing), box in zip(told, row.columns(len(told), gap=14), strict=True):
        _draw_standing(canvas, draw_plate(canvas, box, plate, livery=LIVERY), plate.seat, standing)
    return canvas


def _draw_standing(canvas: Canvas, room: Box, seat: int, standing: StoneStatus) -> None:
    """The seat's own stone, unpainted as long as it is to be won, and where it is."""
    at, amulet = (room.left + JAR / 2, room.centre[1]), standing.amulet
    on_throne = standing.stage == STAGES.index("throne") and not amulet
    canvas.stamp(throne(JAR) if on_throne else jar(seat, amulet, JAR, bare=not amulet), at)
    left = room.left + JAR + 18
    fits = text_width(standing.words, WORDS) <= room.right - left
    words = standing.words if fits else standing.short
    write(canvas, (left, room.top + 22), words, WORDS, room.right - left, INK, "lm")
    journey = Box(left, room.top + 44, room.right, room.bottom)
    _draw_journey(canvas, journey, seat, standing.stage)


def _standing(position: IsisState, seat: int, say: Texts) -> StoneStatus:
    """What there is to be told of a seat."""
    square, short = position.personal[seat], say("no stone yet")
    if position.turned[seat]:
        short = say("underworld") if square == UNDERWORLD else say("square {n}", n=square)
    words = personal(position, seat, say)
    return StoneStatus(position.amulets[seat], _stage(position, seat), words, short)


def _draw_journey(canvas: Canvas, room: Box, seat: int, stage: int | None) -> None:
    """Underworld, earth, heaven, throne: four signs, lit as far as the stone has come."""
    step = min(84.0, (room.width - 38) / 3)
    left, y = room.left + 19, room.centre[1] + 2
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
