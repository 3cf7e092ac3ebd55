"""The account of a deal as one would write it on paper: souls times sanctuaries, and totals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from games.engine import Fact, View
from games.twilight import CARDS, CULTS
from render.canvas import Canvas, fitted
from render.geometry import Box
from render.names import printed_names
from render.plates import CROWN
from render.scene import Scene
from render.theme import FAINT, GOLD, INK, LINE, MARGIN, SOFT, WIDTH, Type
from render.twilight.cards import card, draw_sign, draw_who, resting
from render.twilight.colours import AMBER, NIGHT
from render.twilight.corners import HEADING
from render.twilight.table import paper
from render.twilight.words import CULT_NAMES

SIDES = Box(MARGIN, 92, WIDTH - MARGIN, 574)
CARD = 58
ROW = 92
LABELS = 156
"""Room for the labels of the rows."""
NUMBERS = 84
"""Room for the numbers at their ends."""
LINE_HEIGHT = 46
COLUMN = 94
DEALS_SHOWN = 9
"""The score sheet shows so many deals at most, the latest ones."""

TITLE = Type("title", 38)
SIDE = Type("title", 32)
NUMBER = Type("strong", 34)
POINTS = Type("title", 52)
CELL = Type("text", 28)
LATEST = Type("strong", 30)
OWNER = Type("strong", 26)


@dataclass(frozen=True, slots=True)
class Deal:
    """What the facts of one deal tell.

    :param sides: data of the facts ``scored``, of the Moon and of the Sun.
    """

    round: int
    sides: tuple[Mapping[str, Any], ...]
    neutral: Sequence[str]


def deals(facts: Sequence[Fact]) -> Iterator[Deal]:
    """The deals that were counted, oldest first."""
    sides: list[Mapping[str, Any]] = []
    neutral: Sequence[str] = ()
    for fact in facts:
        match fact.kind:
            case "neutral":
                neutral = fact.data["cards"]
            case "scored":
                sides.append(fact.data)
            case "totals":
                yield Deal(fact.data["round"], tuple(sides), neutral)
                sides, neutral = [], ()


def draw_account(scene: Scene, deal: Deal) -> Canvas:
    """Both sides next to each other, what no one took, and the score sheet of the match."""
    rows = list(sheet(scene.view, deal.round))
    top = SIDES.bottom + 24 + (ROW if deal.neutral else 0)
    canvas = paper(round(top + LINE_HEIGHT * (len(rows) + 1) + 40))
    _draw_title(canvas, scene.say("Deal {n}", n=deal.round))
    for box, side in zip(SIDES.columns(2, gap=64), deal.sides, strict=True):
        _draw_side(canvas, box, scene, side)
    canvas.line([(WIDTH / 2, SIDES.top), (WIDTH / 2, SIDES.bottom)], LINE, 2)
    if deal.neutral:
        _draw_neutral(canvas, SIDES.bottom + 24, scene, deal.neutral)
    _draw_sheet(canvas, top, scene, rows, deal.round)
    return canvas


def _draw_title(canvas: Canvas, words: str) -> None:
    x, y = WIDTH / 2, 58.0
    half = canvas.text((x, y), words, TITLE).width / 2 + 20
    canvas.line([(MARGIN, y), (x - half, y)], LINE, 2)
    canvas.line([(x + half, y), (WIDTH - MARGIN, y)], LINE, 2)


# ------------------------------------------------------------------------ what was taken
def _draw_side(canvas: Canvas, box: Box, scene: Scene, side: Mapping[str, Any]) -> None:
    """The cards of one side by kinds, and what they make."""
    say, cult = scene.say, CULTS.index(side["cult"])
    _draw_heading(canvas, box, scene, side)
    taken: dict[str, list[str]] = {kind: [] for kind in ("souls", "cleric", "sanctuary")}
    for name in side["cards"]:
        taken.setdefault(CARDS[name].kind, []).append(name)
    souls = sum(CARDS[name].souls for name in taken["souls"])
    clerics = len(taken["cleric"])
    own = [name for name in taken["sanctuary"] if CARDS[name].cult == cult]
    foreign = [name for name in taken["sanctuary"] if CARDS[name].cult != cult]
    y = box.top + 68
    _draw_row(canvas, box, y, say("Souls"), taken["souls"], str(souls))
    _draw_row(canvas, box, y + ROW, say("Clerics"), taken["cleric"], f"+ {clerics}")
    y += 2 * ROW + 2
    _draw_sum(canvas, box, y, str(side["souls"]), NUMBER)
    y += 52
    factor = f"× {side['factor']}"
    _draw_row(canvas, box, y, say("Sanctuaries"), own, factor, worthless=foreign)
    y += ROW + 2
    _draw_sum(canvas, box, y, say.number(side["points"]), POINTS)
    canvas.text((box.left, y + 32), say("Points"), HEADING, SOFT, "lm")


def _draw_heading(canvas: Canvas, box: Box, scene: Scene, side: Mapping[str, Any]) -> None:
    """The cult, and who plays for it."""
    cult, y = CULTS.index(side["cult"]), box.top + 24
    draw_sign(canvas, cult, (box.left + 20, y), 40, (NIGHT, AMBER)[cult])
    words = scene.say(CULT_NAMES[side["cult"]])
    x = canvas.text((box.left + 54, y), words, SIDE, INK, "lm").right + 36
    for seat in side["seats"]:
        draw_who(canvas, (x, y), seat, 38)
        x += 48


def _draw_row(
    canvas: Canvas,
    box: Box,
    top: float,
    label: str,
    cards: Sequence[str],
    result: str,
    worthless: Sequence[str] = (),
) -> None:
    """Cards of one kind and what they add, then those that add nothing, pale."""
    y = top + ROW / 2
    canvas.text((box.left, y), label, HEADING, SOFT, "lm")
    canvas.text((box.right, y), result, NUMBER, INK, "rm")
    room = box.width - LABELS - NUMBERS - CARD
    sprites = [card(name, CARD) for name in cards] + [resting(name, CARD) for name in worthless]
    step = min(CARD + 6.0, room / max(1, len(sprites) - 1))
    for n, sprite in enumerate(sprites):
        canvas.stamp(sprite, (box.left + LABELS + CARD / 2 + n * step, y))


def _draw_sum(canvas: Canvas, box: Box, y: float, result: str, kind: Type) -> None:
    """A line under the numbers and what they make."""
    canvas.line([(box.right - NUMBERS - 24, y), (box.right, y)], INK, 2.5)
    canvas.text((box.right, y + (32 if kind is POINTS else 28)), result, kind, INK, "rm")


def _draw_neutral(canvas: Canvas, top: float, scene: Scene, cards: Sequence[str]) -> None:
    """The cards that were left lying in the end."""
    y = top + ROW / 2
    words = scene.say("Neutral")
    canvas.text((MARGIN, y), words, HEADING, SOFT, "lm")
    for n, name in enumerate(cards):
        canvas.stamp(resting(name, CARD), (MARGIN + LABELS + CARD / 2 + n * (CARD + 6), y))


# ------------------------------------------------------------------------ the score sheet
@dataclass(frozen=True, slots=True)
class Line:
    """An account over the deals.

    :param cult: of a team; None for a single player.
    :param seats: who owns it; empty for Neumond.
    :param totals: after each deal.
    """

    cult: int | None
    seats: tuple[int, ...]
    totals: tuple[int, ...]


def sheet(view: View, deals_played: int) -> Iterator[Line]:
    """The accounts up to a deal: two teams, or each player and Neumond."""
    public = view.public
    accounts = public["accounts"][:deals_played]
    if view.options.get("lone") in (None, "fixed"):
        for cult, name in enumerate(CULTS):
            seats = tuple(seat for seat in public["places"][cult::2] if seat is not None)
            yield Line(cult, seats, _running(account[name]["points"] for account in accounts))
        return
    for seat in range(view.players):
        cults = ["moon" if account["lone"] == seat else "sun" for account in accounts]
        gained = (acc[cult]["points"] for acc, cult in zip(accounts, cults, strict=True))
        yield Line(None, (seat,), _running(gained))
    yield Line(None, (), _running(account["moon"]["points"] for account in accounts))


def _running(gained: Iterable[int]) -> tuple[int, ...]:
    return tuple(accumulate(gained))


def _draw_sheet(
    canvas: Canvas, top: float, scene: Scene, rows: Sequence[Line], deals_played: int
) -> None:
    """The totals after each of the latest deals, the newest last and largest."""
    names = printed_names(scene.names, scene.say)
    shown = range(max(0, deals_played - DEALS_SHOWN), deals_played)
    rights = [WIDTH - MARGIN - COLUMN * (len(shown) - 1 - n) for n in range(len(shown))]
    y = top + LINE_HEIGHT / 2
    canvas.text((MARGIN, y), scene.say("Totals"), HEADING, SOFT, "lm")
    for right, deal in zip(rights, shown, strict=True):
        words = scene.say("Deal {n}", n=deal + 1) if deal == shown[0] else str(deal + 1)
        canvas.text((right, y), words, HEADING, FAINT, "rm")
    for line in rows:
        y += LINE_HEIGHT
        canvas.rect(Box(MARGIN, y - LINE_HEIGHT / 2, WIDTH - MARGIN, y - LINE_HEIGHT / 2 + 2), LINE)
        _draw_owner(canvas, y, scene, line, names)
        for right, deal in zip(rights, shown, strict=True):
            latest = deal == deals_played - 1
            kind, colour = (LATEST, INK) if latest else (CELL, SOFT)
            canvas.text((right, y), str(line.totals[deal]), kind, colour, "rm")


def _draw_owner(canvas: Canvas, y: float, scene: Scene, line: Line, names: Sequence[str]) -> None:
    """Whose account it is, with a crown for who has won."""
    x = MARGIN + 18.0
    if line.cult is not None:
        draw_sign(canvas, line.cult, (x, y), 32, (NIGHT, AMBER)[line.cult])
        x += 44
    for seat in line.seats or (None,):
        draw_who(canvas, (x, y), seat, 34)
        x += 42
    if line.cult is None:
        name = names[line.seats[0]] if line.seats else scene.say("Neumond")
        colour = INK if line.seats else SOFT
        x = canvas.text((x - 12, y), fitted(name, OWNER, 150), OWNER, colour, "lm").right + 30
    outcome = scene.view.outcome
    if outcome and line.seats and line.seats[0] in outcome.winners():
        canvas.path(CROWN, GOLD, INK, 2.5, centre=(x, y), scale=16)
