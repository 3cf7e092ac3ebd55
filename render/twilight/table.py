"""The public picture: a round table, half night and half day, with everything on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Box, Point, arc, star, trace
from render.letters import text_width, typeset
from render.light import raised, relief
from render.names import printed_names
from render.plates import CROWN, Plate, draw_plate, title, token
from render.scene import Glide, Scene
from render.theme import INK, LIGHT, MARGIN, WIDTH, Colour, Type
from render.twilight.cards import card_face, draw_backs, draw_counts, draw_framed, height_of
from render.twilight.colours import (
    BRASS,
    BRIGHT_BRASS,
    CULT_COLOURS,
    DARK_BRASS,
    DAY,
    LIVERY,
    MOON_COLOURS,
    RIM,
)
from render.twilight.corners import DEAL, LYING, SCORES, draw_corners
from render.twilight.signs import CRESCENT, draw_flame, draw_sign, draw_who, flame_medal, medal
from render.twilight.sky import plank, sky
from render.twilight.words import new_moon

# --------------------------------------------------------------------------------------- furniture
RADIUS = 282
"""Radius of the table without its rim."""
EDGE = 20
"""Width of the rim."""
MIDDLE = 132
"""Side of the Twilight card, in the middle of the table."""
_STARS = ((-0.06, 0.76, 8), (0.07, 0.72, 7), (0.045, 0.82, 6), (-0.08, 0.62, 6))
"""The inlays in each dark quarter: turns from its centre line, shares of the radius, and sizes."""
WAYS: tuple[Point, ...] = ((0, 1), (-1, 0), (0, -1), (1, 0))
"""The direction of each place from the centre: south, west, north, east."""


def draw_furniture(canvas: Canvas, centre: Point) -> None:
    """Draw the table around a point."""
    reach = RADIUS + EDGE
    canvas.shadow(Box.at(centre, 2 * reach), 16, radius=reach, opacity=0.55)
    _rim(canvas, centre)
    _quarters(canvas, centre)
    for place in range(4):
        (_phases, _sunburst)[place % 2](canvas, centre, place)
    _seams(canvas, centre)
    canvas.stamp(lit_twilight_card(MIDDLE), centre)


def _rim(canvas: Canvas, centre: Point) -> None:
    reach = RADIUS + EDGE
    ring = Canvas(2 * reach, 2 * reach)
    ring.cover(ring.box, RIM, radius=reach)
    canvas.stamp(relief(ring.sprite(), 5, 0.9), centre)
    canvas.circle(centre, RADIUS + 5, None, BRASS, 5)
    canvas.circle(centre, RADIUS + 1, None, INK, 2)


def _middle(place: int) -> float:
    """Return the centre line of a quarter, in turns clockwise from the top."""
    return (0.5, 0.75, 0.0, 0.25)[place]


def _quarters(canvas: Canvas, centre: Point) -> None:
    """Draw dark wood in front of the Moon's places, and bright wood in front of the Sun's."""
    for place in range(4):
        middle = _middle(place)
        edge = arc(centre, RADIUS, middle - 1 / 8, middle + 1 / 8)
        canvas.cover(canvas.box, CULT_COLOURS[place % 2].wood, outlines=[[centre, *edge]])


def _seams(canvas: Canvas, centre: Point) -> None:
    """Draw strips of brass between the quarters."""
    for corner in (1 / 8, 3 / 8, 5 / 8, 7 / 8):
        end, *_ = arc(centre, RADIUS, corner, corner + 0.01)
        canvas.line([(centre[0], centre[1] + 1.5), (end[0], end[1] + 1.5)], INK, 4, opacity=0.5)
        canvas.line([centre, end], BRASS, 3.5)


def _phases(canvas: Canvas, centre: Point, place: int) -> None:
    """Draw stars, and the phases of the Moon along the rim, inlaid in the wood."""
    inlay, middle = CULT_COLOURS[0].inlay, _middle(place)
    for n in (-3, -2, -1, 1, 2, 3):
        at, *_ = arc(centre, RADIUS * 0.92, middle + n / 30, middle + n / 30 + 0.01)
        if abs(n) == 3:
            canvas.path([star(4, 0.28)], inlay, centre=at, scale=9)
        elif abs(n) == 2:
            way = 1 if (n > 0) == (place == 0) else -1
            phase = [(x * way, y) for x, y in CRESCENT]
            canvas.path([phase], inlay, centre=at, scale=11)
        else:
            canvas.circle(at, 10, None, inlay, 2.5)
    for turn, share, size in _STARS:
        at, *_ = arc(centre, RADIUS * share, middle + turn, middle + turn + 0.01)
        canvas.path([star(4, 0.3)], inlay, centre=at, scale=size * 1.4)


def _sunburst(canvas: Canvas, centre: Point, place: int) -> None:
    """Draw rays along the rim, inlaid in the wood."""
    inlay, middle = CULT_COLOURS[1].inlay, _middle(place)
    for n in range(-7, 8):
        turn = middle + n / 66
        long = n % 2 == 0
        tip, *_ = arc(centre, RADIUS * (0.80 if long else 0.87), turn, turn + 0.01)
        foot = arc(centre, RADIUS * 0.96, turn - 0.005, turn + 0.005)
        canvas.polygon([tip, foot[0], foot[-1]], inlay)


@cached
def lit_twilight_card(side: int) -> Sprite:
    """Return the Twilight card with a tea light on it; each side shows the cult of the place it
    faces.
    """
    board = Canvas(side, side)
    board.rect(board.box, BRASS, radius=side * 0.08)
    lit = relief(board.sprite(), side * 0.03)
    canvas = Canvas(side, side)
    canvas.stamp(lit, canvas.box.centre)
    inner, centre = canvas.box.inset(side * 0.045), canvas.box.centre
    left, top, right, bottom = inner
    corners = [(right, bottom), (left, bottom), (left, top), (right, top), (right, bottom)]
    for place, sides in enumerate(pairwise(corners)):
        colours = CULT_COLOURS[place % 2]
        canvas.polygon([centre, *sides], colours.paper)
        x, y = WAYS[place]
        at = centre[0] + x * side * 0.36, centre[1] + y * side * 0.36
        draw_sign(canvas, place % 2, at, side * 0.2, colours.figure, side * 0.012)
    canvas.stamp(_tea_light(round(side * 0.52)), centre)
    return raised(canvas.sprite(), side * 0.05)


def _tea_light(size: int) -> Sprite:
    """Return a small burning brass lamp, seen from above."""
    canvas, middle, bowl = Canvas(size, size), (size / 2, size / 2), Canvas(size, size)
    bowl.circle(middle, size * 0.46, DARK_BRASS)
    bowl.circle(middle, size * 0.44, BRIGHT_BRASS)
    canvas.circle(middle, size / 2 - 1, INK)
    canvas.stamp(relief(bowl.sprite(), size * 0.04), middle)
    canvas.circle(middle, size * 0.36, "#6B2A08")
    canvas.circle(middle, size * 0.30, "#B2500F")
    draw_flame(canvas, 1, (middle[0], middle[1] - size * 0.03), size * 0.76, lit=True)
    return raised(canvas.sprite(), size * 0.06)


HEIGHT = 960
LEDGE = 890
"""Top of the wooden edge with the caption on it."""
CENTRE = (600.0, 438.0)
CARD = 142
"""Width of the cards in the trick."""
OPEN = 72
"""Width of New Moon's cards."""
HELD = 62
"""Width of the face-down cards in a hand."""
PLATE = (264, 64)
RISE = 48
"""How far the centre of a fan is above the centre of its plate."""

MOMENT = 152
"""Size of the medal for a trick that has just ended."""

BRASS_DISC = 340
"""Size of the disc that shows the winners."""

SOUTH, WEST, NORTH, EAST = range(4)
PLATES = (
    Box.at((600, 850), *PLATE),
    Box.at((164, CENTRE[1] + 58), *PLATE),
    Box.at((600, 118), *PLATE),
    Box.at((WIDTH - 164, CENTRE[1] + 58), *PLATE),
)
CAPTION = Box(MARGIN, LEDGE + 13, WIDTH - MARGIN, HEIGHT - 15)

NUMBER = Type("strong", 38)
SOURCE = Type("strong", 34), Type("strong", 28)
NEW_MOON = Type("strong", 28)


_CLOUD = (
    "M 0 8 C 16 6 22 1 34 3 C 44 -3 58 -2 66 3 C 78 2 86 7 100 8 C 84 11 66 10 52 13"
    " C 36 10 18 11 0 8 Z"
)
_CLOUDS: tuple[tuple[Point, float, Colour], ...] = (
    ((352, 44), 210, "#FFF0C4"),
    ((452, 118), 150, "#F6C98A"),
    ((640, 26), 230, "#E59A86"),
    ((690, 84), 160, "#8A5A92"),
    ((330, 802), 190, "#FFF0C4"),
    ((470, 866), 170, "#F6C98A"),
    ((664, 776), 190, "#B46E90"),
    ((724, 846), 150, "#5E4A8C"),
)
"""The clouds at dusk: their left ends, lengths and colours."""


@cached
def ground() -> Canvas:
    """Return the parts that never change: day and night, and the table with the Twilight card."""
    canvas = sky(HEIGHT, quiet=(DEAL.inset(-30), LYING.inset(-30)))
    for (x, y), long, colour in _CLOUDS:
        canvas.path(trace(_CLOUD), colour, centre=(x, y), scale=long / 100, opacity=0.5)
    plank(canvas, LEDGE, HEIGHT - 10)
    title(canvas, Box(SCORES.left, SCORES.top, SCORES.right, SCORES.top + 40), "Twilight", DAY)
    draw_furniture(canvas, CENTRE)
    return canvas


# ---------------------------------------------------------------------------- the table
def draw_table(canvas: Canvas, scene: Scene) -> None:
    """Draw everything that changes, except the caption."""
    public = scene.view.public
    names = printed_names(scene.names, scene.say)
    if public["places"] is not None:
        _draw_trick(canvas, scene)
        _draw_plates(canvas, scene, names)
    if scene.view.outcome:
        _draw_victors(canvas, scene.view.outcome.winners())
    draw_corners(canvas, scene)


def slot(place: int) -> Box:
    """Return the box for a place's card, on that place's side of the Twilight card."""
    x, y = WAYS[place]
    height = height_of(CARD)
    reach = MIDDLE / 2 + 7
    at = CENTRE[0] + x * (reach + CARD / 2), CENTRE[1] + y * (reach + height / 2)
    return Box.at(at, CARD, height)


def held_at(place: int) -> Point:
    """Return the centre of the fan held at a place."""
    x, y = PLATES[place].centre
    return x, y - RISE


def _draw_trick(canvas: Canvas, scene: Scene) -> None:
    """Draw the cards of the trick, each in front of its place, and mark where a card is due."""
    public = scene.view.public
    laid = public["table"]
    if not laid:
        _draw_taken(canvas, scene)
    if public["turn"] is not None:
        canvas.stamp(_gap(public["turn"] % 2), slot(public["turn"]).centre)
    for number, each in enumerate(laid, 1):
        box = slot(each["place"])
        if number == len(laid):
            draw_framed(canvas, each["card"], CARD, box.centre)
        else:
            canvas.stamp(card_face(each["card"], CARD), box.centre)
        giver = None if each["giver"] == each["place"] else each["giver"]
        _draw_signs(canvas, scene, each["place"], number, giver)
    if public["turn"] is not None:
        _draw_signs(canvas, scene, public["turn"], len(laid) + 1, public["ordered"])


def _draw_taken(canvas: Canvas, scene: Scene) -> None:
    """Draw a large medal over the Twilight card after a trick: that of the winner's cult with the
    winner's token, or a flame if the trick was left lying.
    """
    ended = [fact for fact in scene.facts if fact.kind in ("trick_won", "trick_lies")]
    if not ended or scene.view.public["turn"] is None:
        return
    if ended[-1].kind == "trick_lies":
        canvas.stamp(great_medal(None), CENTRE)
        return
    seat = ended[-1].data["seat"]
    place = scene.view.public["places"].index(seat)
    canvas.stamp(great_medal(place % 2), CENTRE)
    draw_who(canvas, (CENTRE[0] + 54, CENTRE[1] - 54), seat, 52)


def _draw_victors(canvas: Canvas, seats: Sequence[int]) -> None:
    """Draw the winners with crowns, on a large disc over the empty table."""
    size = 190 if len(seats) == 1 else 128
    canvas.stamp(_brass(BRASS_DISC), CENTRE)
    step = size + 14
    for n, seat in enumerate(seats):
        x = CENTRE[0] + (n - (len(seats) - 1) / 2) * step
        canvas.stamp(raised(token(seat, size), 6), (x, CENTRE[1] + 22))
        canvas.stamp(_victors_crown(size), (x, CENTRE[1] - 4 - size * 0.62))


@cached
def _victors_crown(size: int) -> Sprite:
    wide = round(size * 0.62)
    metal, canvas = Canvas(wide, wide), Canvas(wide, wide)
    metal.path(CROWN, BRIGHT_BRASS, centre=metal.box.centre, scale=size * 0.26)
    canvas.stamp(relief(metal.sprite(), size * 0.03, 0.8), canvas.box.centre)
    canvas.path(CROWN, None, INK, 3, canvas.box.centre, size * 0.26)
    return raised(canvas.sprite(), 5)


@cached
def _brass(size: int) -> Sprite:
    """Return a dark disc with a brass rim and pale rays."""
    canvas, rim = Canvas(size, size), Canvas(size, size)
    centre = canvas.box.centre
    rim.circle(centre, size / 2, BRASS)
    canvas.stamp(relief(rim.sprite(), 6), centre)
    canvas.circle(centre, size / 2 - 14, MOON_COLOURS.low, DARK_BRASS, 3)
    for n in range(24):
        edge = arc(centre, size / 2 - 18, (n - 0.25) / 24, (n + 0.25) / 24)
        canvas.polygon([centre, *edge], MOON_COLOURS.face, opacity=0.5)
    return raised(canvas.sprite(), 10)


@cached
def great_medal(cult: int | None) -> Sprite:
    """Return a large medal, of a cult or of the flame, for the end of a trick."""
    return raised(flame_medal(MOMENT) if cult is None else medal(cult, MOMENT), 8)


@cached
def _gap(cult: int) -> Sprite:
    """Return the empty place where a card of a cult is due."""
    colours, glow = CULT_COLOURS[cult], 12
    canvas = Canvas(CARD + 2 * glow, height_of(CARD) + 2 * glow)
    box = canvas.box.inset(glow)
    canvas.halo(box, LIGHT, radius=12, reach=glow)
    canvas.rect(box, colours.low, radius=12)
    inner = box.inset(7)
    corners = [(inner.left, inner.top), (inner.right, inner.top)]
    corners += [(inner.right, inner.bottom), (inner.left, inner.bottom), corners[0]]
    canvas.dashes(corners, colours.figure, 3, dash=9)
    draw_sign(canvas, cult, box.centre, 64, colours.figure)
    return canvas.sprite()


COIN = 56
"""Size of the coins with the order of play."""
ASIDE: tuple[Point, ...] = ((-112, 226), (-210, -138), (112, -226), (210, 138))
"""The place of the coin of each place's card, from the centre of the table: before the card,
clockwise.
"""


def _draw_signs(canvas: Canvas, scene: Scene, place: int, number: int, giver: int | None) -> None:
    """Draw a card's number in the trick on a coin beside it and, if the card comes from another
    hand, whose, at its foot.
    """
    at = CENTRE[0] + ASIDE[place][0], CENTRE[1] + ASIDE[place][1]
    canvas.stamp(_coin(), at)
    canvas.text(at, str(number), NUMBER)
    if giver is not None:
        box = slot(place)
        foot = Box(box.left + 5, box.bottom - 52, box.right - 5, box.bottom - 5)
        _draw_source(canvas, foot, scene.say("from"), scene.view.public["places"][giver])


@cached
def _coin() -> Sprite:
    """Return a brass coin for a number."""
    canvas = Canvas(COIN, COIN)
    canvas.circle(canvas.box.centre, COIN / 2, INK)
    canvas.circle(canvas.box.centre, COIN / 2 - 2, BRIGHT_BRASS)
    return raised(relief(canvas.sprite(), 2), 3)


def _draw_source(canvas: Canvas, box: Box, word: str, seat: int | None) -> None:
    """Draw a label at the foot of a card that says whose hand the card comes from."""
    canvas.rect(box, INK, radius=6)
    canvas.rect(box.inset(2), LIGHT, radius=5)
    y = box.centre[1]
    words, kind = typeset(word, SOURCE, box.width - 62)
    left = box.centre[0] - (text_width(words, kind) + 50) / 2
    canvas.text((left, y), words, kind, INK, "lm")
    draw_who(canvas, (left + text_width(words, kind) + 30, y), seat, 40)


# ------------------------------------------------------------------------------- plates
def _draw_plates(canvas: Canvas, scene: Scene, names: Sequence[str]) -> None:
    """Draw the plates, with each player's name under the fan of their hand."""
    view = scene.view
    winners = view.outcome.winners() if view.outcome else ()
    for place, seat in enumerate(view.public["places"]):
        if seat is None:
            _draw_new_moon(canvas, scene)
            continue
        box = PLATES[place]
        held = held_at(place)
        draw_backs(canvas, held, view.public, place, HELD)
        plate = Plate(
            seat, names[seat], seat in view.actors, seat in scene.computers, seat in winners
        )
        draw_plate(canvas, box, plate, livery=LIVERY)
        draw_counts(canvas, (held[0], box.top - 22), view.public, place, HELD)


def _draw_new_moon(canvas: Canvas, scene: Scene) -> None:
    x, y = PLATES[NORTH].centre[0], 38.0
    words = new_moon(scene.say)
    half = text_width(words, NEW_MOON) / 2 + 32
    tag = Box(x - half, y - 20, x + half, y + 20)
    canvas.rect(tag, MOON_COLOURS.figure, radius=20)
    canvas.rect(tag.inset(2), MOON_COLOURS.paper, radius=18)
    draw_sign(canvas, 0, (tag.left + 26, y), 24, MOON_COLOURS.figure)
    canvas.text((tag.left + 46, y), words, NEW_MOON, MOON_COLOURS.ribbon, "lm")
    cards = scene.view.public["open"]
    step = OPEN - 6
    left = x - step * (len(cards) - 1) / 2
    for n, name in enumerate(cards):
        canvas.stamp(card_face(name, OPEN), (left + n * step, y + 26 + height_of(OPEN) / 2))


# --------------------------------------------------------------------------------------- animation
def glides(scene: Scene) -> Iterator[Glide]:
    """Yield the cards that glide from the hand they came from to the place for which they are
    played.
    """
    places = scene.view.public["places"]
    for fact in scene.facts:
        if fact.kind == "played" and places is not None:
            giver, place = (places.index(fact.data[who]) for who in ("giver", "seat"))
            yield Glide(card_face(fact.data["card"], CARD), (held_at(giver), slot(place).centre))
