"""What stands beside the table: scores, the deal and its tricks, the last trick, what lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine import View
from games.twilight import EXACT_GOALS, GOAL, TRICKS
from render.canvas import Canvas, fitted, text_width
from render.geometry import Box
from render.plates import token
from render.scene import Scene
from render.theme import INK, LIGHT, LINE, MARGIN, PANEL, SOFT, WIDTH, Type
from render.twilight.cards import card, draw_flame, draw_sign, draw_who, height_of
from render.twilight.colours import AMBER, CULT_COLOURS, NIGHT
from render.twilight.words import shown_last

SCORES = Box(MARGIN, MARGIN, 340, 270)
DEAL = Box(WIDTH - 372, MARGIN, WIDTH - MARGIN, 270)
LAST = Box(MARGIN, 604, 372, 812)
LYING = Box(WIDTH - 372, 604, WIDTH - MARGIN, 812)

SMALL = 72
"""Width of the cards that lie beside the table."""

DEAL_TITLE = Type("title", 36)
HEADING = Type("strong", 24)
TOTAL = Type("strong", 40)


def draw_corners(canvas: Canvas, scene: Scene, names: Sequence[str]) -> None:
    """All four, as far as there is something to show."""
    _draw_scores(canvas, scene)
    if scene.view.public["places"] is not None:
        _draw_deal(canvas, scene, names)
    _draw_last(canvas, scene)
    _draw_lying(canvas, scene)


@dataclass(frozen=True, slots=True)
class Score:
    """An account as it stands.

    :param cult: for which its owners play now; None before the lot.
    """

    cult: int | None
    seats: Sequence[int]
    points: int


def _draw_scores(canvas: Canvas, scene: Scene) -> None:
    """The accounts with their way to the goal."""
    scores = _scores(scene.view)
    room = Box(SCORES.left, SCORES.top + 56, SCORES.right, SCORES.bottom)
    height = min(84.0, room.height / len(scores))
    for n, score in enumerate(scores):
        row = Box(room.left, room.top + n * height, room.right, room.top + (n + 1) * height)
        _draw_owner(canvas, row, score)
        points = scene.say.number(score.points)
        canvas.text((row.right, row.top + row.height * 0.4), points, TOTAL, anchor="rm")
        way = Box(row.left, row.bottom - 14, row.right, row.bottom - 2)
        _draw_way(canvas, way, score, EXACT_GOALS if scene.view.options["exact"] else ())


def _scores(view: View) -> list[Score]:
    """Those of two teams, or of single players."""
    places, totals = view.public["places"], view.public["totals"]
    if places is None:
        return [Score(None, [seat], total) for seat, total in enumerate(totals)]
    if view.options.get("lone") in (None, "fixed"):
        sides = [[seat for seat in places[cult::2] if seat is not None] for cult in (0, 1)]
        return [Score(cult, side, totals[side[0]]) for cult, side in enumerate(sides)]
    return [Score(places.index(seat) % 2, [seat], total) for seat, total in enumerate(totals)]


def _draw_owner(canvas: Canvas, row: Box, score: Score) -> None:
    """The cult and the seats of an account."""
    x, y = row.left + 18, row.top + row.height * 0.4
    if score.cult is not None:
        draw_sign(canvas, score.cult, (x, y), 36, (NIGHT, AMBER)[score.cult])
        x += 50
    for seat in score.seats:
        canvas.stamp(token(seat, 36), (x, y))
        x += 44


def _draw_way(canvas: Canvas, bar: Box, score: Score, goals: Sequence[int]) -> None:
    """How far an account is on its way to a thousand, with marks at goals before that."""
    canvas.rect(bar, PANEL, radius=6)
    if score.points and score.cult is not None:
        filled = max(12.0, bar.width * min(1.0, score.points / GOAL))
        done = Box(bar.left, bar.top, bar.left + filled, bar.bottom)
        canvas.rect(done, (NIGHT, AMBER)[score.cult], radius=6)
    for goal in goals:
        x = bar.left + bar.width * goal / GOAL
        canvas.rect(Box(x - 2, bar.top - 3, x + 2, bar.bottom + 3), INK)


def _draw_deal(canvas: Canvas, scene: Scene, names: Sequence[str]) -> None:
    """Which deal it is, who deals, and who won its tricks."""
    view, say = scene.view, scene.say
    y = DEAL.top + 20
    canvas.text((DEAL.right, y), say("Deal {n}", n=view.round), DEAL_TITLE, anchor="rm")
    lines = [(say("Dealer"), view.public["dealer"])]
    if view.public["lone"] is not None:
        lines.insert(0, (say("Alone"), view.public["lone"]))
    for word, seat in lines:
        y += 46
        _right_line(canvas, y, word, seat, names[seat])
    _draw_tricks(canvas, view.public, y + 52)


def _right_line(canvas: Canvas, y: float, word: str, seat: int, name: str) -> None:
    room = DEAL.width - text_width(word, HEADING) - 60
    name = fitted(name, HEADING, room)
    left = canvas.text((DEAL.right, y), name, HEADING, anchor="rm").left
    canvas.stamp(token(seat, 28), (left - 22, y))
    canvas.text((left - 46, y), word, HEADING, SOFT, "rm")


def _draw_tricks(canvas: Canvas, public: Mapping[str, Any], y: float) -> None:
    """The tricks of the deal in a row: who won each, a flame where one was left lying."""
    tricks = public["tricks"]
    step = 46
    for n in range(TRICKS):
        at = DEAL.right - 20 - (TRICKS - 1 - n) * step, y
        if n >= len(tricks):
            canvas.circle(at, 17, PANEL, LINE, 2)
        elif tricks[n] is None:
            canvas.circle(at, 19, INK)
            canvas.circle(at, 17, LIGHT)
            draw_flame(canvas, 1, at, 26)
        else:
            cult = tricks[n] % 2
            canvas.circle(at, 20, INK)
            canvas.circle(at, 18, CULT_COLOURS[cult].ground)
            draw_sign(canvas, cult, at, 26, CULT_COLOURS[cult].figure)


def _draw_last(canvas: Canvas, scene: Scene) -> None:
    """The last trick, the only one that may be looked at again."""
    last = shown_last(scene.view)
    if last is None:
        return
    canvas.text((LAST.left, LAST.top + 12), scene.say("Last trick"), HEADING, SOFT, "lm")
    step = SMALL + 12
    for n, each in enumerate(last["laid"]):
        x = LAST.left + SMALL / 2 + n * step
        box = Box.at((x, LAST.top + 36 + height_of(SMALL) / 2), SMALL, height_of(SMALL))
        if n == last["winner"]:
            canvas.frame(box, radius=7)
        canvas.stamp(card(each["card"], SMALL), box.centre)
        draw_who(canvas, (x, box.bottom + 28), each["seat"], 36)
        if each["giver"] != each["seat"]:
            draw_who(canvas, (box.right - 4, box.bottom - 6), each["giver"], 28)


def _draw_lying(canvas: Canvas, scene: Scene) -> None:
    """Cards of tricks that no one has won yet; they lie open."""
    cards = scene.view.public["pending"]
    if not cards:
        return
    words = scene.say.plural("{n} card lies", "{n} cards lie", len(cards))
    canvas.text((LYING.right, LYING.top + 12), words, HEADING, SOFT, "rm")
    step = (LYING.width - SMALL) / max(3, len(cards) - 1)
    for n, name in enumerate(cards):
        x = LYING.right - SMALL / 2 - (len(cards) - 1 - n) * step
        canvas.stamp(card(name, SMALL), (x, LYING.top + 36 + height_of(SMALL) / 2))
