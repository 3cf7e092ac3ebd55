"""The public picture: a round table, half night and half day, with all that lies on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from games.twilight import CULTS
from render.canvas import Canvas, Sprite, layer, text_width
from render.geometry import Box, Point, arc, star
from render.names import printed_names
from render.plates import Plate, draw_plate, title
from render.plates import card as blank
from render.scene import Scene
from render.theme import (
    FAINT,
    GOLD,
    INK,
    LIGHT,
    LINE,
    MARGIN,
    SOFT,
    WIDTH,
    Type,
)
from render.twilight.cards import back, card, draw_light, draw_sign, draw_who, height_of, raised
from render.twilight.colours import CULT_COLOURS, NIGHT
from render.twilight.corners import HEADING, SCORES, draw_corners

HEIGHT = 900
CENTRE = (600.0, 426.0)
RADIUS = 276
MIDDLE = 132
"""Side of the Twilight card."""
CARD = 126
"""Width of the cards of the trick."""
OPEN = 58
"""Width of Neumond's cards."""
PLATE = (264, 104)

SOUTH, WEST, NORTH, EAST = range(4)
WAYS: tuple[Point, ...] = ((0, 1), (-1, 0), (0, -1), (1, 0))
"""Where each place lies, from the middle."""

PLATES = (
    Box.at((600, 768), *PLATE),
    Box.at((164, CENTRE[1]), *PLATE),
    Box.at((600, 84), *PLATE),
    Box.at((WIDTH - 164, CENTRE[1]), *PLATE),
)
CAPTION = Box(MARGIN, 832, WIDTH - MARGIN, 868)

NUMBER = Type("strong", 28)
TAB = Type("strong", 24)


# --------------------------------------------------------------------------- the ground
paper = layer(blank)
"""An empty picture of some height, drawn once."""


@layer
def ground() -> Canvas:
    """All that does not change: the table with the Twilight card."""
    canvas = paper(HEIGHT)
    title(canvas, Box(SCORES.left, SCORES.top, SCORES.right, SCORES.top + 40), "Twilight")
    _table(canvas)
    _twilight_card(canvas)
    return canvas


def _table(canvas: Canvas) -> None:
    """Night before the places of the Moon, day before those of the Sun."""
    canvas.circle(CENTRE, RADIUS + 12, INK)
    canvas.circle(CENTRE, RADIUS + 9, GOLD)
    canvas.circle(CENTRE, RADIUS + 3, INK)
    for place in range(4):
        colours = CULT_COLOURS[place % 2]
        middle = (0.5, 0.75, 0.0, 0.25)[place]
        for share, colour in ((1.0, colours.far), (0.82, colours.sky), (0.6, colours.near)):
            edge = arc(CENTRE, RADIUS * share, middle - 1 / 8, middle + 1 / 8)
            canvas.polygon([CENTRE, *edge], colour)
    _stars(canvas)
    _rays(canvas)
    for corner in (1 / 8, 3 / 8, 5 / 8, 7 / 8):
        (end, *_) = arc(CENTRE, RADIUS, corner, corner + 0.01)
        canvas.line([CENTRE, end], GOLD, 3)


_STARS = (
    (-128, -200, 7),
    (118, -214, 5),
    (-92, -238, 4),
    (150, -178, 4),
    (88, -170, 3),
    (-100, -150, 3),
)


def _stars(canvas: Canvas) -> None:
    for x, y, size in _STARS:
        for way in (1, -1):
            at = CENTRE[0] + way * x, CENTRE[1] + way * y
            canvas.path([star(4, 0.3)], CULT_COLOURS[0].figure, centre=at, scale=size)


def _rays(canvas: Canvas) -> None:
    for side in (0.25, 0.75):
        for n in (-3, -2, -1, 0, 1, 2, 3):
            turn = side + n / 32
            (inner, *_) = arc(CENTRE, RADIUS * 0.86, turn, turn + 0.01)
            (outer, *_) = arc(CENTRE, RADIUS * 0.96, turn, turn + 0.01)
            canvas.line([inner, outer], CULT_COLOURS[1].glow, 5)


def _twilight_card(canvas: Canvas) -> None:
    """Its sides show to everyone for which cult they play; a tea light stands on it."""
    box = Box.at(CENTRE, MIDDLE)
    canvas.rect(box.inset(-3), INK, radius=12)
    canvas.rect(box, GOLD, radius=10)
    inner = box.inset(4)
    corners = [
        (inner.left, inner.bottom),
        (inner.left, inner.top),
        (inner.right, inner.top),
        (inner.right, inner.bottom),
    ]
    for place, (first, second) in enumerate(((3, 0), (0, 1), (1, 2), (2, 3))):
        colours = CULT_COLOURS[place % 2]
        canvas.polygon([CENTRE, corners[first], corners[second]], colours.ground)
        x, y = WAYS[place]
        at = CENTRE[0] + x * MIDDLE * 0.345, CENTRE[1] + y * MIDDLE * 0.345
        draw_sign(canvas, place % 2, at, 26, colours.figure)
    canvas.circle(CENTRE, 27, INK)
    canvas.circle(CENTRE, 24.5, CULT_COLOURS[1].glow)
    draw_light(canvas, 1, CENTRE, 42)


# ---------------------------------------------------------------------------- the table
def draw_table(canvas: Canvas, scene: Scene) -> None:
    """Everything that changes: cards, plates, scores, tricks."""
    public = scene.view.public
    names = printed_names(scene.names, scene.say)
    if public["places"] is not None:
        _draw_trick(canvas, scene)
        _draw_plates(canvas, scene, names)
    draw_corners(canvas, scene, names)


def _slot(place: int) -> Box:
    """Where the card of a place lies, at its side of the Twilight card."""
    x, y = WAYS[place]
    height = height_of(CARD)
    reach = MIDDLE / 2 + 7
    at = CENTRE[0] + x * (reach + CARD / 2), CENTRE[1] + y * (reach + height / 2)
    return Box.at(at, CARD, height)


def _draw_trick(canvas: Canvas, scene: Scene) -> None:
    """The cards of the trick, each before its place, and the side where one is due."""
    public = scene.view.public
    laid = public["table"]
    for number, each in enumerate(laid, 1):
        box = _slot(each["place"])
        newest = number == len(laid)
        canvas.stamp((raised if newest else card)(each["card"], CARD), box.centre)
        giver = None if each["giver"] == each["place"] else each["giver"]
        _draw_signs(canvas, scene, each["place"], number, giver)
    if public["turn"] is not None:
        canvas.stamp(_gap(public["turn"] % 2), _slot(public["turn"]).centre)
        _draw_signs(canvas, scene, public["turn"], len(laid) + 1, public["ordered"])


@lru_cache(maxsize=2)
def _gap(cult: int) -> Sprite:
    """Where a card of a cult is due."""
    colours, glow = CULT_COLOURS[cult], 12
    canvas = Canvas(CARD + 2 * glow, height_of(CARD) + 2 * glow)
    box = canvas.box.inset(glow)
    canvas.halo(box, LIGHT, radius=12, reach=glow)
    canvas.rect(box, colours.sky, radius=12)
    inner = box.inset(7)
    corners = [(inner.left, inner.top), (inner.right, inner.top)]
    corners += [(inner.right, inner.bottom), (inner.left, inner.bottom), corners[0]]
    canvas.dashes(corners, colours.figure, 3, dash=9)
    draw_sign(canvas, cult, box.centre, 64, colours.figure)
    return canvas.sprite()


def _draw_signs(canvas: Canvas, scene: Scene, place: int, number: int, giver: int | None) -> None:
    """The order of play in a corner, and a tab if the card comes from another hand."""
    box = _slot(place)
    corner = (
        box.right - 2 if place == EAST else box.left + 2,
        box.bottom - 2 if place == SOUTH else box.top + 2,
    )
    canvas.circle(corner, 20, INK)
    canvas.circle(corner, 18, LIGHT)
    canvas.text(corner, str(number), NUMBER)
    if giver is not None:
        y = box.top - 13 if place == NORTH else box.bottom + 14
        right = box.right + (20 if place % 2 == 0 else 6)
        _tab(canvas, (right, y), scene.say("from"), scene.view.public["places"][giver])


def _tab(canvas: Canvas, at: Point, word: str, seat: int | None) -> None:
    """A small tab that ends at a point: from whose hand a card comes."""
    right, y = at
    box = Box(right - text_width(word, TAB) - 62, y - 18, right, y + 18)
    canvas.rect(box, INK, radius=18)
    canvas.rect(box.inset(2), LIGHT, radius=16)
    canvas.text((box.left + 14, y), word, TAB, SOFT, "lm")
    draw_who(canvas, (box.right - 21, y), seat, 30)


# ------------------------------------------------------------------------------- plates
def _draw_plates(canvas: Canvas, scene: Scene, names: Sequence[str]) -> None:
    view = scene.view
    winners = view.outcome.winners() if view.outcome else ()
    for place, seat in enumerate(view.public["places"]):
        if seat is None:
            _draw_neumond(canvas, scene)
            continue
        plate = Plate(
            seat, names[seat], seat in view.actors, seat in scene.computers, seat in winners
        )
        room = draw_plate(canvas, PLATES[place], plate)
        draw_backs(canvas, (room.left - 6, room.centre[1]), view.public, place)


def draw_backs(canvas: Canvas, at: Point, public: Mapping[str, Any], place: int) -> None:
    """The backs of a hand, the own cult first, with their numbers."""
    own = place % 2
    x, y = at
    for cult in (own, 1 - own):
        count = public[CULTS[cult]][place]
        number = canvas.text((x, y), str(count), NUMBER, INK if count else FAINT, "lm")
        x = number.right + 8
        if not count:
            draw_sign(canvas, cult, (x + 12, y), 24, LINE)
            x += 26
        for _ in range(count):
            canvas.stamp(back(cult, 27), (x + 13.5, y))
            x += 20
        x += 20


def _draw_neumond(canvas: Canvas, scene: Scene) -> None:
    """Neumond's cards lie open."""
    public = scene.view.public
    x, y = PLATES[NORTH].centre
    heading = scene.say("Neumond")
    box = canvas.text((x + 14, MARGIN + 8), heading, HEADING)
    draw_sign(canvas, 0, (box.left - 22, MARGIN + 8), 24, NIGHT)
    cards = public["open"]
    step = OPEN + 4
    left = x - step * (len(cards) - 1) / 2
    for n, name in enumerate(cards):
        canvas.stamp(card(name, OPEN), (left + n * step, y + 12))
