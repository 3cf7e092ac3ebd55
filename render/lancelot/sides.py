"""The plates below Lancelot's field: names, counters, knights, and the stones just taken."""

from __future__ import annotations

from collections.abc import Sequence

from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Box
from render.lancelot.ground import BURGUNDY, LIVERY, STRIP
from render.lancelot.marks import News
from render.lancelot.pieces import (
    THREAD,
    arms,
    crown,
    lists,
    power,
    rays,
    trophy,
)
from render.letters import text_width
from render.names import printed_names
from render.plates import Plate, draw_plate, token
from render.scene import Scene
from render.theme import GOLD, LIGHT, Type, mix
from render.words import VICTORY, seat_to_move

COUNT = Type("strong", 40)
SMALL_COUNT = Type("strong", 32)
"""The type in which stock and score fit on one line even if their numbers have two digits."""
LARGE_COUNT = Type("strong", 48)
GILDED = mix(LIGHT, GOLD, 0.35)
HONOUR = Type("title", 34)
ONE_RANK = 5
"""With more trophies and empty places than this, a narrow plate has two rows of them."""
KING = 28
"""Room for the crown of a used King's power, which hangs over the corner of a plate."""
GAP = 6
COUNTERS = 188
"""Width of a plate's counters; if there is room next to them, the plate also shows a knight or the
spoils.
"""
SCENE, WIDEST_SCENE = 130, 200
"""Minimum and maximum width of the knight or the spoils."""
SHIELD = 44
"""Maximum distance between two trophies in a row."""


def plates(players: int) -> list[Box]:
    """Return the boxes of the plates, side by side."""
    return [Box(*map(round, box)) for box in STRIP.columns(players, GAP)]


def draw_side(canvas: Canvas, scene: Scene, news: News) -> None:
    """Draw the plates."""
    view, turn = scene.view, seat_to_move(scene.view)
    names = printed_names(scene.names, scene.say)
    winners = view.outcome.winners() if view.outcome else ()
    for seat, box in enumerate(plates(view.players)):
        plate = Plate(seat, names[seat], seat == turn, seat in scene.computers, seat in winners)
        used = view.options["king"] and not (view.outcome or view.public["power"][seat])
        room = draw_plate(canvas, box, plate, KING if used else 0, LIVERY).inset(0, -2)
        if used:
            canvas.stamp(power(38, used=True), (box.right - 14, box.top + 14))
        if seat in winners and room.width < COUNTERS + 24 + SCENE:
            _draw_winner(canvas, room, scene, seat)
            continue
        taken = len(news.spoils) if seat == news.captor else 0
        left = max(room.left + COUNTERS + 24, room.right - WIDEST_SCENE)
        beside = Box(left, room.top, room.right, room.bottom)
        if beside.width < SCENE:
            _draw_figures(canvas, room, scene, seat, taken)
            continue
        _draw_scene(canvas, beside, scene, seat, news if taken else None)
        room = Box(room.left, room.top, beside.left - 16, room.bottom)
        _draw_counters(canvas, room, scene, seat, taken)


def _draw_scene(canvas: Canvas, room: Box, scene: Scene, seat: int, news: News | None) -> None:
    """Draw a seat's knight; instead, draw its arms if it has won the match, or the stones that it
    has just taken, if any.
    """
    width, height = round(room.width), round(room.height)
    outcome = scene.view.outcome
    if outcome and seat in outcome.winners():
        canvas.stamp(_glory(width, height), room.centre)
        _draw_victory(canvas, room, seat, scene.say(VICTORY).upper())
    elif news and not outcome:
        canvas.stamp(_glory(width, height), room.centre)
        _draw_spoils(canvas, room, news.spoils)
    else:
        canvas.stamp(lists(width, height, seat), room.centre)


def _draw_winner(canvas: Canvas, room: Box, scene: Scene, seat: int) -> None:
    """Draw a winner's arms under a crown in place of the stock, beside the trophies and the
    score.
    """
    public = scene.view.public
    captured, goal = public["captured"][seat], public["goal"]
    size, y = round(min(room.height - 22, room.width * 0.36)), room.centre[1]
    x = room.left - 6 + size / 2
    canvas.stamp(arms(seat, size), (x, y + 10))
    crown(canvas, (x, y + 8 - size / 2), size * 0.24)
    upper = Box(x + size / 2 + 8, room.top, room.right, room.bottom - 48)
    _draw_trophies(canvas, upper, seat, captured, goal, 0)
    canvas.text((room.right, room.bottom - 22), f"{captured}/{goal}", COUNT, anchor="rm")


def _draw_victory(canvas: Canvas, room: Box, seat: int, word: str) -> None:
    """Draw the winner's arms under a crown, with the word next to them if there is room."""
    size, word_width = round(room.height - 36), text_width(word, HONOUR)
    (x, y), beside = room.centre, room.width - room.height - word_width - 24
    if beside > 0:
        x = room.left + beside / 2 + size / 2 + 12
        canvas.text((x + size / 2 + 18, y), word, HONOUR, THREAD, "lm")
    canvas.stamp(arms(seat, size), (x, y + 12))
    crown(canvas, (x, y + 8 - size / 2), size * 0.24)


def _draw_spoils(canvas: Canvas, room: Box, spoils: Sequence[int]) -> None:
    """Draw the stones just taken as large shields, overlapping if there are many."""
    size = round(room.height - 16)
    step = min(size + 4, (room.width - size - 16) / max(1, len(spoils) - 1))
    x, y = room.centre[0] - step * (len(spoils) - 1) / 2, room.centre[1]
    for n, owner in enumerate(spoils):
        tilt = (n - (len(spoils) - 1) / 2) * 5
        canvas.stamp(_tilted(owner, size, tilt), (x + n * step, y))


@cached
def _tilted(seat: int, size: int, degrees: float) -> Sprite:
    return arms(seat, size).turned(degrees) if degrees else arms(seat, size)


@cached
def _glory(width: int, height: int) -> Sprite:
    """Return burgundy cloth with rays from its centre, as a background for spoils and victories."""
    canvas = Canvas(width, height)
    canvas.rect(canvas.box, BURGUNDY.dark, radius=10)
    shine = Canvas(width, height, BURGUNDY.dark)
    rays(shine, shine.box.centre, width, BURGUNDY.light)
    canvas.inlay(shine, canvas.box, canvas.box.inset(6))
    canvas.rect(canvas.box, None, THREAD, 3, radius=8)
    return canvas.sprite()


def _draw_figures(canvas: Canvas, room: Box, scene: Scene, seat: int, taken: int) -> None:
    """Draw the score and the stock of a narrow plate in large figures, with gold behind the score
    if stones were just ``taken``.
    """
    public, (upper, lower) = scene.view.public, room.rows(2)
    if taken:
        canvas.rect(upper.inset(-8, 1), GILDED, GOLD, 3, radius=8)
    score = f"{public['captured'][seat]}/{public['goal']}"
    for row, sign, figure in (
        (upper, trophy(seat, 48), score),
        (lower, token(seat, 44), str(public["stock"][seat])),
    ):
        y = row.centre[1]
        canvas.stamp(sign, (row.left + 24, y))
        canvas.text((row.right, y), figure, LARGE_COUNT, anchor="rm")


def _draw_counters(canvas: Canvas, room: Box, scene: Scene, seat: int, taken: int) -> None:
    """Draw the trophies that have been won and those still missing, with gold behind those just
    ``taken``; below them, the stock and the score.
    """
    public, lower = scene.view.public, Box(room.left, room.bottom - 44, room.right, room.bottom)
    captured, goal = public["captured"][seat], public["goal"]
    upper = Box(room.left, room.top, room.right, lower.top - 4)
    _draw_trophies(canvas, upper, seat, captured, goal, taken)
    y = lower.centre[1]
    canvas.stamp(token(seat, 34), (lower.left + 17, y))
    stock, score = str(public["stock"][seat]), f"{captured}/{goal}"
    room_left = lower.width - 40 - 2 * GAP
    kind = COUNT if text_width(stock + score, COUNT) <= room_left else SMALL_COUNT
    canvas.text((lower.left + 40, y), stock, kind, anchor="lm")
    canvas.text((lower.right, y), score, kind, anchor="rm")


def _draw_trophies(
    canvas: Canvas, room: Box, seat: int, captured: int, goal: int, taken: int
) -> None:
    """Draw a small shield for each stone taken, and an empty place for each one still missing."""
    places = max(captured, goal)
    ranks = room.rows(1 if room.width >= places * SHIELD or places <= ONE_RANK else 2)
    per_rank = -(-places // len(ranks))
    step = min(SHIELD, room.width / per_rank)
    size = round(min(step * 0.9, ranks[0].height * 0.94))
    for n in range(places):
        rank = ranks[n // per_rank]
        centre = rank.left + size / 2 + n % per_rank * step, rank.centre[1]
        if captured - taken <= n < captured:
            canvas.rect(Box.at(centre, size + 4), GOLD, radius=6)
        canvas.stamp(trophy(seat if n < captured else None, size), centre)
