"""The account of a deal, laid out as one would on paper: souls plus clerics, times sanctuaries; and
the totals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from games.engine import Fact, View
from games.twilight import CARDS, CULTS
from render.cache import cached
from render.canvas import Canvas, Sprite, write
from render.geometry import Box, Point, regular, star
from render.letters import lines_of_name, text_width
from render.light import raised, relief
from render.names import printed_names
from render.plates import CROWN, PAPER, Ground
from render.scene import Scene
from render.theme import GOLD, INK, LIGHT, LINE, MARGIN, SOFT, WIDTH, Colour, Type
from render.twilight.cards import card_face, dimmed_card, height_of
from render.twilight.colours import BRASS, BRIGHT_BRASS, CULT_COLOURS, DARK, DARK_BRASS, DAY
from render.twilight.corners import HEADING
from render.twilight.signs import draw_who, medal
from render.twilight.sky import sky
from render.twilight.table import lit_twilight_card
from render.twilight.words import CULT_NAMES, new_moon
from render.words import VICTORY

GROUNDS: tuple[Ground, Ground] = (DARK, DAY)
"""The background of each cult's account."""
LINE_HEIGHT, TEAM_HEIGHT = 54, 66
"""Height of a row of totals: of one person's, and of a team's, whose names may take two lines."""
COLUMN, GUTTER = 142, 26
"""Width of a column of totals, and how much wider the last one is."""
DEALS_SHOWN = 3
"""How many deals the score sheet shows at most; if there are more, it shows the latest."""
NAME = 80
"""Minimum width of a name on the sheet; if there is less room, only the token is shown."""
CROWNLESS = 80
"""Extra width for the name on an account that can never win."""
NEUTRAL_CARD = 54
SECOND = 0.76
"""How far down the second row of cards starts, in heights of a card: the ribbons of the first row
stay visible.
"""
SEAL = (1046.0, 232.0)
"""The centre of the seal with the better side's result."""
HEADINGS = Box(0, 0, WIDTH, 160)

TITLE = Type("title", 38)
SIDE = Type("title", 46)
SMALL_SIDE = Type("title", 32)
CELL = Type("text", 38)
LATEST = Type("strong", 44)
OWNER, LOW_OWNER = Type("strong", 32), Type("strong", 28)


@dataclass(frozen=True, slots=True)
class Size:
    """The sizes of a side's account.

    :param head: the height of the headings and numbers.
    :param card: the width of a card in two rows.
    :param number: the type for souls, clerics and the factor.
    :param points: the type for the result.
    """

    head: int
    card: int
    number: Type
    points: Type

    @property
    def pile(self) -> int:
        """Height of both rows of cards."""
        return round((1 + SECOND) * height_of(self.card))

    @property
    def height(self) -> int:
        """Height of both rows of cards, with the text above them."""
        return self.head + self.pile


LARGE = Size(102, 96, Type("strong", 64), Type("title", 104))
POINTS = Type("title", 70)
"""The type on the seal for results of three digits or more."""
SMALL = Size(86, 70, Type("strong", 48), Type("title", 64))
GROUP, SANCTUARIES = 290, 200
"""Width of a group of cards, and of the group of sanctuaries."""
WIDEST, FLAG, FLAG_SHARE = 0.7, 58, 0.48
"""The width of a card in one row, at most, as a share of a pile's height; and the minimum distance
between cards in one row, in pixels and as a share of a card's width, at which their ribbons stay
visible.
"""
TIGHT = {GROUP: 55, SANCTUARIES: 62}
"""The minimum distance between cards in two rows, by the width of their group."""
INDEX = 36
"""Minimum size of the numbers on the ribbons."""
GAP = 32

HEADED = 52
"""Height of the line with a side's name and partners on its panel."""
FIELD = HEADED + SMALL.height + 20
"""Height of the panel of a side."""


@dataclass(frozen=True, slots=True)
class DealAccount:
    """The facts of one deal.

    :param sides: the data of the ``scored`` facts, for the Moon and for the Sun.
    """

    round: int
    sides: tuple[Mapping[str, Any], ...]
    neutral: Sequence[str]


def deals(facts: Sequence[Fact]) -> Iterator[DealAccount]:
    """Yield the deals that were scored, oldest first."""
    sides: list[Mapping[str, Any]] = []
    neutral: Sequence[str] = ()
    for fact in facts:
        match fact.kind:
            case "neutral":
                neutral = fact.data["cards"]
            case "scored":
                sides.append(fact.data)
            case "totals":
                yield DealAccount(fact.data["round"], tuple(sides), neutral)
                sides, neutral = [], ()


def draw_account(scene: Scene, deal: DealAccount) -> Canvas:
    """Draw the better side, large in its own sky, the other side below it, and then the score
    sheet. If the results are equal, both sides are drawn alike.
    """
    more, less = sorted(deal.sides, key=lambda side: -side["points"])
    even = more["points"] == less["points"]
    words = scene.say("Deal {n}", n=deal.round)
    first = 108 + (FIELD if even else LARGE.height)
    fields = [Box(24, first + 16, WIDTH - 24, first + 16 + FIELD)]
    if even:
        fields.insert(0, fields[0].moved(0, -fields[0].height - 12))
    rows = list(sheet(scene.view, deal.round))
    neutral = height_of(NEUTRAL_CARD) + 8 if deal.neutral else 0
    top = fields[-1].bottom + 12
    line = LINE_HEIGHT if rows[0].cult is None else TEAM_HEIGHT
    paper = Box(24, top, WIDTH - 24, top + neutral + LINE_HEIGHT + line * len(rows) + 16)
    height = round(paper.bottom + 20)
    canvas = _ground(height, None if even else CULTS.index(more["cult"]), paper)
    if even:
        canvas.stamp(lit_twilight_card(88), (WIDTH / 2, 62))
        _draw_even(canvas, scene, words)
    else:
        _draw_winner(canvas, Box(MARGIN, 108, WIDTH - MARGIN, first), scene, more, words)
    for field, side in zip(fields, (more, less)[-len(fields) :], strict=True):
        _draw_field(canvas, field, scene, side)
    if deal.neutral:
        _draw_neutral(canvas, top + 8, scene, deal.neutral)
    _draw_sheet(canvas, top + 8 + neutral, scene, rows, deal.round)
    return canvas


def _draw_even(canvas: Canvas, scene: Scene, words: str) -> None:
    """Announce a drawn deal; after the last deal, announce the winners of the match first."""
    outcome, x, y = scene.view.outcome, float(MARGIN), 62
    if outcome is None:
        canvas.text((x, y), words, TITLE, DAY.ink, "lm")
        canvas.text((WIDTH - MARGIN, y), scene.say("Equal points"), TITLE, DARK.ink, "rm")
        return
    for seat in outcome.winners():
        draw_who(canvas, (x + 26, y), seat, 52)
        x += 60
    canvas.text((x + 4, y), scene.say(VICTORY), TITLE, DAY.ink, "lm")
    told = f"{words} · {scene.say('Equal points')}"
    write(canvas, (WIDTH - MARGIN, y), told, (TITLE, SMALL_SIDE), 490, DARK.ink, "rm")


def _ground(height: int, cult: int | None, paper: Box) -> Canvas:
    """Return the background: a sheet of paper on the sky of the better side or, if the results are
    equal, on a sky of dusk.
    """
    dusk = 0.5 if cult is None else (-0.2, 1.2)[cult]
    canvas = sky(height, dusk, sun=None if cult is None else SEAL, quiet=(HEADINGS,))
    canvas.shadow(paper, 6, radius=8)
    canvas.cover(paper, PAPER.material, radius=8)
    return canvas


# ------------------------------------------------------------------------ what was taken
def _draw_winner(
    canvas: Canvas, box: Box, scene: Scene, side: Mapping[str, Any], words: str
) -> None:
    """Draw the better side: its name and partners, its account below them, and its result on a
    large brass seal.
    """
    cult = CULTS.index(side["cult"])
    ground = GROUNDS[cult]
    right = canvas.text((box.right, 60), words, TITLE, ground.soft, "rm").left
    canvas.stamp(medal(cult, 72), (box.left + 36, 60))
    name = scene.say(CULT_NAMES[side["cult"]])
    x = canvas.text((box.left + 90, 60), name, SIDE, ground.ink, "lm").right + 34
    _draw_partners(canvas, (x, 60), scene, side, ground, right - 24)
    _draw_sum(canvas, box, scene, side, LARGE, ground)
    canvas.stamp(_seal(cult, 244), SEAL)
    points, (x, y) = scene.say.number(side["points"]), SEAL
    kind = LARGE.points if len(points) < 3 else POINTS
    canvas.text((x, y - 10), points, kind, INK)
    canvas.text((x, y + 54), scene.say("Points"), HEADING, INK)


def _draw_field(canvas: Canvas, box: Box, scene: Scene, side: Mapping[str, Any]) -> None:
    """Draw a smaller version of a side's account on its own panel."""
    cult = CULTS.index(side["cult"])
    ground = GROUNDS[cult]
    canvas.shadow(box, 6, radius=14)
    canvas.rect(box, CULT_COLOURS[cult].foil, radius=14)
    canvas.rect(box.inset(2), ground.material[1 + cult], radius=12)
    y = box.top + HEADED / 2 + 8
    canvas.stamp(medal(cult, 46), (MARGIN + 26, y))
    name = scene.say(CULT_NAMES[side["cult"]])
    x = canvas.text((MARGIN + 64, y), name, SMALL_SIDE, ground.ink, "lm").right + 30
    _draw_partners(canvas, (x, y), scene, side, ground, box.right - 16)
    inner = Box(MARGIN, box.top + HEADED + 14, box.right - 32, box.bottom - 10)
    _draw_sum(canvas, inner, scene, side, SMALL, ground)
    points = f"= {scene.say.number(side['points'])}"
    canvas.text((inner.right, inner.top + 12), scene.say("Points"), HEADING, ground.soft, "rm")
    canvas.text((inner.right, inner.top + 58), points, SMALL.points, ground.ink, "rm")


def _partners(scene: Scene, side: Mapping[str, Any]) -> list[int | None]:
    """Return the players of a side; a lone player has New Moon as partner."""
    seats: list[int | None] = list(side["seats"])
    return seats if len(seats) > 1 else [*seats, None]


def _draw_partners(
    canvas: Canvas, at: Point, scene: Scene, side: Mapping[str, Any], ground: Ground, right: float
) -> None:
    """Draw tokens and names in a line."""
    printed = printed_names(scene.names, scene.say)
    x, y = at
    seats = _partners(scene, side)
    names = [new_moon(scene.say) if seat is None else printed[seat] for seat in seats]
    rooms = _rooms(names, right - x - 56 * len(seats))
    for seat, name, room in zip(seats, names, rooms, strict=True):
        draw_who(canvas, (x + 19, y), seat, 38)
        x = write(canvas, (x + 46, y), name, OWNER, room, ground.ink, "lm").right + 20


def _rooms(names: Sequence[str], room: float) -> list[float]:
    """Share a width among names; what a short name does not need is left to the others."""
    widths = [text_width(name, OWNER) for name in names]
    rooms = [0.0] * len(names)
    for done, n in enumerate(sorted(range(len(names)), key=widths.__getitem__)):
        rooms[n] = min(widths[n], room / (len(names) - done))
        room -= rooms[n]
    return rooms


def _draw_sum(
    canvas: Canvas, box: Box, scene: Scene, side: Mapping[str, Any], size: Size, ground: Ground
) -> None:
    """Draw souls plus clerics, times sanctuaries, with a group of cards for each."""
    say, cult = scene.say, CULTS.index(side["cult"])
    taken: dict[str, list[str]] = {kind: [] for kind in ("souls", "cleric", "sanctuary")}
    for name in side["cards"]:
        taken.setdefault(CARDS[name].kind, []).append(name)
    souls = str(sum(CARDS[name].souls for name in taken["souls"]))
    clerics = str(len(taken["cleric"]))
    groups = (
        ("(", souls, say("Souls"), taken["souls"], GROUP),
        ("+", clerics, say("Clerics"), taken["cleric"], GROUP),
        ("×", str(side["factor"]), say("Sanctuaries"), taken["sanctuary"], SANCTUARIES),
    )
    # Souls and clerics have cards of one size.
    wide = min(_width(cards, size, room) for *_, cards, room in groups if room == GROUP)
    x, y = box.left + 20.0, box.top + size.head - 10 - size.number.size / 2
    for sign, number, label, cards, room in groups:
        canvas.text((x, box.top + 12), label, HEADING, ground.soft, "lm")
        canvas.text((x - 6, y), sign, size.number, ground.soft, "rm")
        end = canvas.text((x + 4, y), number, size.number, ground.ink, "lm").right
        if sign == "+":
            canvas.text((end + 10, y), ")", size.number, ground.soft, "lm")
        own = min(wide, _width(cards, size, room))
        _draw_group(canvas, (x, box.top + size.head), cards, cult, own, room)
        x += room + GAP
    if size == LARGE:
        canvas.text((x - 10, y), "=", size.number, ground.soft, "rm")


def _width(cards: Sequence[str], size: Size, room: int) -> int:
    """Return the width of cards of one kind: large in one row or, if they are too many, smaller in
    two rows, by cult.
    """
    wide = int(min(size.pile * WIDEST, _widest(len(cards), room)))
    if wide >= size.card:
        return wide
    most = max(sum(CARDS[name].cult == cult for name in cards) for cult in (0, 1))
    return int(min(size.card, room - TIGHT[room] * (most - 1)))


def _widest(cards: int, room: int) -> float:
    """Return the maximum width of cards in one row."""
    more = max(0, cards - 1)
    return min(room - FLAG * more, room / (1 + FLAG_SHARE * more))


def _draw_group(
    canvas: Canvas, at: Point, cards: Sequence[str], cult: int, wide: int, room: int
) -> None:
    """Draw cards of one kind in one row if they fit, otherwise in two; those of the side's own cult
    are first. Sanctuaries of the other cult are worth nothing and are drawn pale, with a cross.
    """
    rows = [[name for name in cards if CARDS[name].cult == of] for of in (cult, 1 - cult)]
    if wide <= _widest(len(cards), room):
        rows = [rows[0] + rows[1]]
    for row, names in enumerate(filter(None, rows)):
        y = at[1] + height_of(wide) * SECOND * row
        _draw_row(canvas, (at[0], y), names, cult, wide, room)


def _draw_row(
    canvas: Canvas, at: Point, names: Sequence[str], cult: int, width: int, room: float
) -> None:
    height = height_of(width)
    step = min(width + 8, (room - width) / max(1, len(names) - 1))
    for n, name in enumerate(names):
        x, y = at[0] + n * step, at[1] + height / 2
        if CARDS[name].cult == cult or CARDS[name].kind != "sanctuary":
            canvas.stamp(card_face(name, width, INDEX), (x + width / 2, y))
            continue
        canvas.stamp(dimmed_card(name, width, WORTHLESS), (x + width / 2, y))
        seen = width if n == len(names) - 1 else min(step, width)
        centre, side = (x + seen / 2, y + height * 0.24), min(seen, height * 0.4) * 0.66
        canvas.cross(centre, side, LIGHT, 13)
        canvas.cross(centre, side, INK, 7)


WORTHLESS: Colour = "#8F8583"


def _draw_neutral(canvas: Canvas, top: float, scene: Scene, cards: Sequence[str]) -> None:
    """Draw the cards that nobody took."""
    y = top + height_of(NEUTRAL_CARD) / 2
    words = scene.say("Neutral")
    x = canvas.text((MARGIN + 8, y), words, HEADING, SOFT, "lm").right + 24
    for n, name in enumerate(cards):
        sprite = dimmed_card(name, NEUTRAL_CARD, WORTHLESS)
        canvas.stamp(sprite, (x + NEUTRAL_CARD / 2 + n * (NEUTRAL_CARD + 6), y))


@cached
def _seal(cult: int, size: int) -> Sprite:
    """Return a large brass seal: with rays for the Sun, with a garland of stars for the Moon."""
    canvas, middle = Canvas(size, size), (size / 2, size / 2)
    back, disc, field = Canvas(size, size), Canvas(size, size), Canvas(size, size)
    if cult:
        back.path([star(24, 0.8)], BRASS, centre=middle, scale=size * 0.5)
    else:
        for x, y in regular(14):
            spot = middle[0] + x * size * 0.45, middle[1] + y * size * 0.45
            back.path([star(5)], BRASS, centre=spot, scale=size * 0.05)
    disc.circle(middle, size * 0.39, DARK_BRASS)
    disc.circle(middle, size * 0.385, BRASS)
    field.circle(middle, size * 0.34, BRIGHT_BRASS)
    canvas.stamp(relief(back.sprite(), 2.5), middle)
    canvas.stamp(relief(disc.sprite(), 5), middle)
    canvas.stamp(relief(field.sprite(), 3, 0.5), middle)
    return raised(canvas.sprite(), 7)


# ------------------------------------------------------------------------ the score sheet
@dataclass(frozen=True, slots=True)
class AccountLine:
    """A row of the score sheet.

    :param cult: the cult of a team; None for a single player.
    :param seats: the owners of the account; empty for New Moon.
    :param totals: the total after each deal.
    """

    cult: int | None
    seats: tuple[int, ...]
    totals: tuple[int, ...]


def sheet(view: View, deals_played: int) -> Iterator[AccountLine]:
    """Yield the accounts up to a deal: two teams, or each player and New Moon."""
    public = view.public
    accounts = public["accounts"][:deals_played]
    if view.options.get("lone") in (None, "fixed"):
        for cult, name in enumerate(CULTS):
            seats = tuple(seat for seat in public["places"][cult::2] if seat is not None)
            gained = (account[name]["points"] for account in accounts)
            yield AccountLine(cult, seats, tuple(accumulate(gained)))
        return
    for seat in range(view.players):
        cults = ["moon" if account["lone"] == seat else "sun" for account in accounts]
        gained = (acc[cult]["points"] for acc, cult in zip(accounts, cults, strict=True))
        yield AccountLine(None, (seat,), tuple(accumulate(gained)))
    gained = (account["moon"]["points"] for account in accounts)
    yield AccountLine(None, (), tuple(accumulate(gained)))


def _draw_sheet(
    canvas: Canvas, top: float, scene: Scene, rows: Sequence[AccountLine], deals_played: int
) -> None:
    """Draw the totals after each of the latest deals; the newest is last, in the largest type."""
    names = printed_names(scene.names, scene.say)
    shown = range(max(0, deals_played - DEALS_SHOWN), deals_played)
    last = WIDTH - MARGIN - 8
    rights = [last - COLUMN * n - (GUTTER if n else 0) for n in reversed(range(len(shown)))]
    y = top + LINE_HEIGHT / 2
    canvas.text((MARGIN + 8, y), scene.say("Totals"), HEADING, SOFT, "lm")
    for right, deal in zip(rights, shown, strict=True):
        words = scene.say("Deal {n}", n=deal + 1) if deal == shown[0] else str(deal + 1)
        canvas.text((right, y), words, HEADING, PAPER.faint, "rm")
    y += LINE_HEIGHT / 2
    for line in rows:
        canvas.rect(Box(MARGIN + 8, y, WIDTH - MARGIN - 8, y + 2), LINE)
        high = LINE_HEIGHT if line.cult is None else TEAM_HEIGHT
        y += high / 2
        _draw_owner(canvas, y, scene, line, names, rights[0] - COLUMN - 20)
        for right, deal in zip(rights, shown, strict=True):
            latest = deal == deals_played - 1
            kind, colour = (LATEST, INK) if latest else (CELL, SOFT)
            canvas.text((right, y), scene.say.number(line.totals[deal]), kind, colour, "rm")
        y += high / 2


def _draw_owner(
    canvas: Canvas, y: float, scene: Scene, line: AccountLine, names: Sequence[str], right: float
) -> None:
    """Draw the owners of an account, with a crown if they have won."""
    x = MARGIN + 26.0
    if line.cult is not None:
        canvas.stamp(medal(line.cult, 40), (x + 2, y))
        x += 46
    seats: tuple[int | None, ...] = line.seats or (None,)
    room = right - x - 60 * len(seats)
    # New Moon's account never gets a crown, so the name may use the room for one.
    told = [new_moon(scene.say) if seat is None else names[seat] for seat in seats]
    rooms = _rooms(told, room if line.seats else room + CROWNLESS)
    for seat, name, wide in zip(seats, told, rooms, strict=True):
        draw_who(canvas, (x, y), seat, 36)
        if room < NAME * len(seats):
            x += 42
            continue
        lines, kind = [name], OWNER
        if text_width(name, OWNER) > wide:
            lines, kind = lines_of_name(name, wide, 2, LOW_OWNER), LOW_OWNER
        left, top = x + 26, y - 15 * (len(lines) - 1)
        written = [
            canvas.text((left, top + 30 * n), words, kind, INK, "lm")
            for n, words in enumerate(lines)
        ]
        x = max(box.right for box in written) + 36
    outcome = scene.view.outcome
    if outcome and line.seats and line.seats[0] in outcome.winners():
        canvas.path(CROWN, GOLD, INK, 2.5, centre=(x, y), scale=16)
