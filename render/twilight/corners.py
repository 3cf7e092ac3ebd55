"""The corners around the table: scores, the deal, its tricks, the last trick, unclaimed cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.engine import View
from games.twilight import EXACT_GOALS, GOAL, TRICKS
from render.canvas import Canvas
from render.geometry import Box, Point
from render.plates import token
from render.scene import Scene
from render.theme import INK, MARGIN, WIDTH, Type
from render.twilight.cards import card_face, height_of
from render.twilight.colours import CULT_COLOURS, DARK, DAY, NIGHT
from render.twilight.signs import draw_who, flame_medal, medal
from render.twilight.words import shown_last

SCORES = Box(MARGIN, MARGIN, 340, 366)
DEAL = Box(846, MARGIN, WIDTH - MARGIN, 340)
LAST = Box(MARGIN, 654, 429, 876)
LYING = Box(WIDTH - 429, 654, WIDTH - MARGIN, 876)

SMALL = 94
"""Width of the cards next to the table."""
A_LINE, LINE_STEP = 6, 58
"""How many unclaimed cards there are per line, and the distance between lines: ribbons with values
stay visible.
"""
TRICK, LARGE_TRICK = 38, 40
"""Size of medals, and of those for the tricks next to unclaimed cards."""
HUGE_TRICK = 66
"""Size of the medals for the tricks if there are no unclaimed cards beside them."""
CROWDED = 3
"""With this many accounts, the rows are shorter, because the lowest is beside the table's rim."""

PLAYER = 38
"""Size of the tokens below the last trick."""

DEAL_TITLE = Type("title", 36)
HEADING = Type("strong", 28)
TOTAL, LOW_TOTAL, LOW = Type("strong", 44), Type("strong", 34), 60
"""The types for the points of an account: in general, and in rows less than ``LOW`` pixels high."""


def draw_corners(canvas: Canvas, scene: Scene) -> None:
    """Draw the four corners, each only if it has something to show."""
    _draw_scores(canvas, scene)
    if scene.view.public["places"] is not None:
        _draw_deal(canvas, scene)
    _draw_last(canvas, scene)
    _draw_lying(canvas, scene)


@dataclass(frozen=True, slots=True)
class AccountScore:
    """The current score of an account.

    :param cult: the cult that its owners play for at the moment; None before the lots are drawn.
    """

    cult: int | None
    seats: Sequence[int]
    points: int


def _draw_scores(canvas: Canvas, scene: Scene) -> None:
    """Draw the accounts, and how far each has got towards the goal."""
    shown = account_scores(scene.view)
    right = SCORES.right - (48 if len(shown) >= CROWDED else 0)
    room = Box(SCORES.left, SCORES.top + 56, right, SCORES.bottom)
    height = min(96.0, room.height / len(shown))
    for n, score in enumerate(shown):
        row = Box(room.left, room.top + n * height, room.right, room.top + (n + 1) * height)
        draw_owner(canvas, (row.left, row.top + row.height * 0.34), score)
        points = scene.say.number(score.points)
        kind = TOTAL if height >= LOW else LOW_TOTAL
        canvas.text((row.right, row.top + row.height * 0.34), points, kind, DAY.ink, "rm")
        y = row.top + min(row.height * 0.68, row.height - 14)
        way = Box(row.left, y, row.right, y + 14)
        _draw_way(canvas, way, score, EXACT_GOALS if scene.view.options["exact"] else ())


def account_scores(view: View) -> list[AccountScore]:
    """Return the scores: of two teams, or of single players."""
    places, totals = view.public["places"], view.public["totals"]
    if places is None:
        return [AccountScore(None, [seat], total) for seat, total in enumerate(totals)]
    if view.options.get("lone") in (None, "fixed"):
        sides = [[seat for seat in places[cult::2] if seat is not None] for cult in (0, 1)]
        return [AccountScore(cult, side, totals[side[0]]) for cult, side in enumerate(sides)]
    return [
        AccountScore(places.index(seat) % 2, [seat], total) for seat, total in enumerate(totals)
    ]


def draw_owner(canvas: Canvas, at: Point, score: AccountScore) -> float:
    """Draw an account's cult and seats to the right of a point, and return where they end."""
    x, y = at[0] + 20, at[1]
    if score.cult is not None:
        canvas.stamp(medal(score.cult, TRICK), (x, y))
        x += 50
    for seat in score.seats:
        canvas.stamp(token(seat, 38), (x, y))
        x += 46
    return x - 20


def _draw_way(canvas: Canvas, bar: Box, score: AccountScore, goals: Sequence[int]) -> None:
    """Draw how far an account has got on the way to a thousand, with marks at the lower goals."""
    canvas.rect(bar, DAY.carved, radius=6)
    canvas.sink(bar, 2, radius=6)
    if score.points and score.cult is not None:
        filled = max(12.0, bar.width * min(1.0, score.points / GOAL))
        done = Box(bar.left, bar.top, bar.left + filled, bar.bottom)
        canvas.rect(done, (NIGHT, CULT_COLOURS[1].ribbon)[score.cult], radius=6)
    for goal in goals:
        x = bar.left + bar.width * goal / GOAL
        canvas.rect(Box(x - 2, bar.top - 3, x + 2, bar.bottom + 3), INK)


# ------------------------------------------------------------------------------ the deal
def _draw_deal(canvas: Canvas, scene: Scene) -> None:
    """Draw the number of the deal, the dealer, the winners of the tricks and, unless the accounts
    show them, the partners. After the end, draw only the number.
    """
    view, say = scene.view, scene.say
    y = DEAL.top + 18
    canvas.text((DEAL.right, y), say("Deal {n}", n=view.round), DEAL_TITLE, DARK.ink, "rm")
    if view.outcome:  # there is no next deal
        return
    y += 62
    if len(account_scores(view)) > 2:
        for cult, cell in enumerate(DEAL.columns(2, 12)):
            _draw_partners(canvas, scene, (cell.left, y + 4), cult)
        y += 70
    canvas.stamp(token(view.public["dealer"], 38), (DEAL.right - 19, y))
    canvas.text((DEAL.right - 50, y), say("Dealer"), HEADING, DARK.soft, "rm")
    if _unclaimed(view):
        draw_tricks(canvas, scene, (DEAL.right, LYING.top - 86), TRICKS, LARGE_TRICK)
    else:
        draw_tricks(canvas, scene, (DEAL.right, LYING.top + 14), 4, HUGE_TRICK)


def _draw_partners(canvas: Canvas, scene: Scene, at: Point, cult: int) -> None:
    """Draw a cult and its two players, to the right of a point."""
    x, y = at
    canvas.stamp(medal(cult, 56), (x + 28, y))
    for n, seat in enumerate(scene.view.public["places"][cult::2]):
        draw_who(canvas, (x + 84 + 48 * n, y), seat, 44)


def draw_tricks(canvas: Canvas, scene: Scene, at: Point, in_row: int, size: int = TRICK) -> None:
    """Draw the tricks of the deal in rows below a point, which marks their right end.

    :param size: the size of a medal.
    """
    right, y = at
    canvas.text((right, y), scene.say("Tricks"), HEADING, DARK.soft, "rm")
    step = size + max(4, size // 8)
    for n in range(TRICKS):
        row, column = divmod(n, in_row)
        at = right - size / 2 - (in_row - 1 - column) * step, y + 22 + size / 2 + row * step
        draw_trick(canvas, scene, n, at, size)


def draw_trick(canvas: Canvas, scene: Scene, n: int, at: Point, size: int) -> None:
    """Draw the medal of the cult that won a trick of the deal; a flame if nobody took it; the
    number of the trick if it is not over yet.
    """
    tricks = scene.view.public["tricks"]
    if n >= len(tricks):
        canvas.circle(at, size / 2 - 2, DARK.carved, DARK.line, 2)
        canvas.text(at, str(n + 1), TOTAL if size == HUGE_TRICK else HEADING, DARK.faint)
    elif tricks[n] is None:
        canvas.stamp(flame_medal(size), at)
    else:
        canvas.stamp(medal(tricks[n] % 2, size), at)


# ------------------------------------------------------------------- cards next to the table
def _draw_last(canvas: Canvas, scene: Scene) -> None:
    """Draw the last trick, the only one that players may still look at."""
    last = shown_last(scene.view)
    if last is None:
        return
    lying = set(scene.view.public["pending"]) == {each["card"] for each in last["laid"]}
    words = _lying_in_words(scene) if lying else scene.say("Last trick")
    canvas.text((LAST.left, LAST.top + 12), words, HEADING, DAY.soft, "lm")
    step = SMALL + 12
    for n, each in enumerate(last["laid"]):
        x = LAST.left + SMALL / 2 + n * step
        box = Box.at((x, LAST.top + 36 + height_of(SMALL) / 2), SMALL, height_of(SMALL))
        if n == last["winner"]:
            canvas.stamp(card_face(each["card"], SMALL), box.centre)
            canvas.frame(box.inset(2), radius=6, weight=4)
        else:
            canvas.stamp(card_face(each["card"], SMALL), box.centre)
        _draw_way_of_card(canvas, (x, box.bottom + 26), each["giver"], each["seat"])


def _draw_way_of_card(canvas: Canvas, at: Point, giver: int | None, seat: int | None) -> None:
    """Draw the seat for which a card was played; if another seat gave the card, draw that seat
    first, then an arrow.
    """
    x, y = at
    if giver == seat:
        draw_who(canvas, at, seat, PLAYER)
        return
    draw_who(canvas, (x - 29, y), giver, PLAYER)
    canvas.arrow((x - 9, y), (x + 10, y), INK, 5)
    draw_who(canvas, (x + 29, y), seat, PLAYER)


def _draw_lying(canvas: Canvas, scene: Scene) -> None:
    """Draw the open cards of the tricks that nobody has won yet, except those of the last trick,
    which is on the other side.
    """
    if not (cards := _unclaimed(scene.view)):
        return
    words = _lying_in_words(scene)
    canvas.text((LYING.right, LYING.top + 12), words, HEADING, DARK.soft, "rm")
    lines = [cards[n : n + A_LINE] for n in range(0, len(cards), A_LINE)]
    for line, names in enumerate(lines):
        y = LYING.top + 36 + line * LINE_STEP + height_of(SMALL) / 2
        step = (LYING.width - SMALL) / max(3, len(names) - 1)
        for n, name in enumerate(names):
            x = LYING.right - SMALL / 2 - (len(names) - 1 - n) * step
            canvas.stamp(card_face(name, SMALL), (x, y))


def _unclaimed(view: View) -> list[str]:
    """Return the open cards that nobody has won yet, except those of the last trick."""
    last = shown_last(view)
    shown = {each["card"] for each in last["laid"]} if last else set()
    return [card for card in view.public["pending"] if card not in shown]


def _lying_in_words(scene: Scene) -> str:
    cards = len(scene.view.public["pending"])
    return scene.say.plural("{n} card on the table", "{n} cards on the table", cards)
