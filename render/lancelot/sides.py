"""The plates beside Lancelot's field: names, counters, knights, and what has just been won."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import ceil

from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Box
from render.lancelot.ground import BURGUNDY, LIVERY, SIDE, draw_round_table
from render.lancelot.marks import News
from render.lancelot.pieces import (
    HELM,
    THREAD,
    arms,
    crown,
    lists,
    mounted_knight,
    power,
    rays,
    trophy,
)
from render.names import printed_names
from render.plates import Plate, draw_plate, pointer, token
from render.scene import Scene
from render.theme import Type
from render.words import VICTORY, seat_to_move

COUNT = Type("strong", 28)
LARGE = Type("strong", 60)
HONOUR = Type("title", 34)
ONE_RANK = 10
"""More trophies than this stand in two ranks."""
TOP, GAP = SIDE.top + 56, 10
RESTING = {2: 276, 3: 242, 4: 186, 5: 160}
"""Height of a plate at rest by the number of players, if there is room."""
GROWN, TRIUMPH, SHRUNK = 236, 380, 118
"""A plate with news is at least so high, and higher if the others keep at least so much."""
COUNTERS = 76
"""Height of the counters below a name; what a plate has beyond that shows a knight or spoils."""


def plates(players: int, grown: Collection[int] = ()) -> list[Box]:
    """Where the plates lie, one below the other; those of the seats ``grown`` are larger."""
    room = SIDE.bottom - TOP - GAP * (players - 1)
    low = min(float(RESTING[players]), room / players)
    others = players - len(grown)
    if grown and others:
        if room - SHRUNK * others < GROWN * len(grown):
            return plates(players)
        low = max(SHRUNK, min(low, (room - TRIUMPH * len(grown)) / others))
    high = (room - low * others) / len(grown) if grown else low
    boxes, top = [], TOP
    for seat in range(players):
        height = high if seat in grown else low
        boxes.append(Box(SIDE.left, top, SIDE.right, top + height))
        top += height + GAP
    return boxes


def draw_side(canvas: Canvas, scene: Scene, news: News) -> None:
    """All that stands beside the field."""
    view, turn = scene.view, seat_to_move(scene.view)
    names = printed_names(scene.names, scene.say)
    winners = view.outcome.winners() if view.outcome else ()
    grown = winners if view.outcome or news.captor is None else (news.captor,)
    boxes = plates(view.players, grown)
    for seat, box in enumerate(boxes):
        plate = Plate(seat, names[seat], seat == turn, seat in scene.computers, seat in winners)
        room = draw_plate(canvas, box, plate, livery=LIVERY).inset(0, -4)
        above = Box(room.left, room.top + 4, room.right, room.bottom - COUNTERS)
        if above.height > COUNTERS:
            if seat in grown:
                canvas.stamp(_glory(round(above.width), round(above.height)), above.centre)
            if seat in winners:
                _draw_victory(canvas, above, seat, scene.say(VICTORY).upper())
            elif seat in grown:
                _draw_spoils(canvas, above, news.spoils)
            else:
                knight = lists(round(above.width), round(above.height), seat)
                canvas.stamp(knight, above.centre)
            room = Box(room.left, above.bottom + 6, room.right, room.bottom)
        _draw_counters(canvas, room, scene, seat)
        if plate.to_move:
            pointer(canvas, (box.left - 20, box.top + 27), seat)
    draw_round_table(canvas, Box(SIDE.left, boxes[-1].bottom, SIDE.right, SIDE.bottom))


def _draw_victory(canvas: Canvas, room: Box, seat: int, word: str) -> None:
    """The winner on horseback under a crown, the word below or, in a low room, the arms beside."""
    x, y = room.centre
    if room.height < 180:
        size = round(room.height - 40)
        canvas.text((room.right - (room.width - size) / 2, y), word, HONOUR, THREAD)
        x, y = room.left + 24 + size / 2, room.top + 28 + size / 2
        canvas.stamp(arms(seat, size), (x, y))
        crown(canvas, (x, y - size / 2 - size * 0.04), size * 0.22)
        return
    knight = mounted_knight(seat, round(min(room.height - 90, (room.width - 24) / 1.6)))
    width, height = knight.size
    y = (room.top + room.bottom) / 2 + 2
    canvas.stamp(knight, (x - 10, y))
    canvas.text((x, room.bottom - 30), word, HONOUR, THREAD)
    crown(canvas, (x - 10 + width * HELM, y - height / 2 - 4), 26)


def _draw_spoils(canvas: Canvas, room: Box, spoils: Sequence[int]) -> None:
    """The stones just taken as large shields, overlapping if they are many, and their number."""
    if room.height > 200:
        canvas.text((room.centre[0], room.bottom - 38), f"×{len(spoils)}", LARGE, THREAD)
        room = Box(room.left, room.top, room.right, room.bottom - 60)
    ranks = max(1, min(ceil(len(spoils) / 2), round(room.height / 130)))
    per_rank = ceil(len(spoils) / ranks)
    size = round(min(room.height / ranks - 6, 130 if per_rank > 1 else 190))
    for k, row in enumerate(room.rows(ranks)):
        rank = spoils[k * per_rank : (k + 1) * per_rank]
        step = min(size + 4, (room.width - size - 16) / max(1, len(rank) - 1))
        x, y = room.centre[0] - step * (len(rank) - 1) / 2, row.centre[1]
        for n, owner in enumerate(rank):
            tilt = (n - (len(rank) - 1) / 2) * 7
            canvas.stamp(_tilted(owner, size, tilt), (x + n * step, y))


@cached
def _tilted(seat: int, size: int, degrees: float) -> Sprite:
    return arms(seat, size).turned(degrees) if degrees else arms(seat, size)


@cached
def _glory(width: int, height: int) -> Sprite:
    """Burgundy cloth with light from its middle: behind what has just been won."""
    canvas = Canvas(width, height)
    canvas.rect(canvas.box, BURGUNDY.dark, radius=10)
    shine = Canvas(width, height, BURGUNDY.dark)
    rays(shine, shine.box.centre, width, BURGUNDY.light)
    canvas.inlay(shine, canvas.box, canvas.box.inset(6))
    canvas.rect(canvas.box, None, THREAD, 3, radius=8)
    return canvas.sprite()


def _draw_counters(canvas: Canvas, room: Box, scene: Scene, seat: int) -> None:
    """Trophies won and missing above; stock, King's power and the score below."""
    public, (upper, lower) = scene.view.public, room.rows(2)
    captured, goal = public["captured"][seat], public["goal"]
    _draw_trophies(canvas, upper, seat, captured, goal)
    y = lower.centre[1]
    canvas.stamp(token(seat, 28), (lower.left + 14, y))
    stock = canvas.text((lower.left + 36, y), str(public["stock"][seat]), COUNT, anchor="lm")
    if scene.view.options["king"]:
        canvas.stamp(power(34, public["power"][seat]), (stock.right + 34, y))
    canvas.text((lower.right, y), f"{captured}/{goal}", COUNT, anchor="rm")


def _draw_trophies(canvas: Canvas, room: Box, seat: int, captured: int, goal: int) -> None:
    """A small shield for each stone taken and an empty place for each that is missing."""
    places = max(captured, goal)
    ranks = room.rows(1 if places <= ONE_RANK else 2)
    per_rank = -(-places // len(ranks))
    step = min(38.0, room.width / per_rank)
    size = round(min(step * 0.86, ranks[0].height * 0.86))
    for n in range(places):
        rank = ranks[n // per_rank]
        centre = rank.left + size / 2 + n % per_rank * step, rank.centre[1]
        canvas.stamp(trophy(seat if n < captured else None, size), centre)
