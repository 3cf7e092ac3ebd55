"""The private picture: a hand, the question to its owner, and everything else needed for the
choice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from games.engine import View
from games.twilight import CARDS, CULTS, TRICKS
from games.twilight.position import NEUMOND_SIGN, ORDER
from render.cache import cached
from render.canvas import Canvas, Sprite, write, write_lines
from render.geometry import Box, Point
from render.headline import open_hand
from render.letters import fitted, lines_of, text_width
from render.names import printed_names
from render.scene import Scene
from render.theme import MARGIN, WIDTH, Type
from render.twilight.cards import (
    card_face,
    dimmed_card,
    draw_counted_backs,
    draw_playable,
    fan,
    height_of,
    turned,
    turned_frame,
)
from render.twilight.colours import DARK, DAY, LEDGE, VELVET
from render.twilight.corners import (
    HEADING,
    TOTAL,
    account_scores,
    draw_owner,
    draw_trick,
)
from render.twilight.signs import draw_who, medal
from render.twilight.sky import BRINK, STRIPS, brink, plank, sky
from render.twilight.words import heading, is_lone, laid_by_seats, new_moon, playable
from render.words import drawn_heading

QUESTIONS = Type("strong", 38), Type("strong", 34), Type("strong", 28)
QUESTION_LEADING = 34
NUMBER = Type("strong", 28)
WITH = Type("text", 28)

HEAD = 100
"""Lower edge of the wood with the question on it."""
TRICK_TOP = 138
TRICK_CARD, LARGE_TRICK_CARD = 106, 132
"""Width of the cards of the trick: above a hand, and without one."""
FRAME = 8
"""Margin for the frame around the place where a card is due."""
BESIDE = Box(616, TRICK_TOP, WIDTH - MARGIN, 349)
"""The area of the other hands."""
DUSK = 0.5 - 3 / STRIPS
"""Where the night begins: to the left of the other hands, so that their names can be read."""
NEW_MOON_CARD = 58
TOP = 356
"""Top of the hand."""

CARD, LONE_CARD, OPEN_CARD = 214, 170, 142
"""Widths of cards: in a hand; in a hand shown together with New Moon's; in New Moon's hand."""
PAIRED, SEVENTH = 7, 146
"""A lone player's hand is beside New Moon's if they have at most this many cards together, and the
width of the cards if there are exactly as many.
"""
PAIRED_AT, PAIRED_GAP = TOP + 44, 12
"""Top of the cards of such hands, and the gap between them."""
FEW_CARDS = {1: 208, 2: 208, 3: 248}
"""Widths of cards when there are only a few, by their number: they are side by side and do not
overlap.
"""
SCARCE = 2
"""With at most this many cards, the trick is large, and the hand is beside it."""
SCARCE_AT: Point = (904.0, 260.0)
"""The centre of such a hand."""
SHOWN = 96
"""Width of the cards in a hand that is shown to others."""
EMPTY = 74
"""Distance from ``TOP`` to the wood below an empty hand."""
OTHERS = 3
"""How many hands there are besides the viewer's, New Moon's included."""
BACKS, LOW_BACKS, LARGE_BACKS = 66, 58, 72
"""Width of the cards that stand for other hands: in general, above New Moon's cards, and while the
viewer's own hand is empty.
"""
LIFT = 34
"""How far a playable card is pulled out of the fan."""
TURN, WHOLE = 1.6, 1.08
"""Degrees from one card to the next, and the height of a hand in which no card is raised, as a
multiple of the height of a card: even the outer cards are whole.
"""
RAIL, FOOT, SHELF = 44, 72, 100
"""Height of the wood above New Moon's cards, of the wood with accounts and tricks below the hand,
and of the wood with the other hands on it.
"""
REST = "#8F7A80"
"""The colour of cards that may not be played now."""


def draw_hand(scene: Scene) -> Canvas:
    """Draw the viewer's hand; if the viewer plays alone, draw New Moon's cards below it. Of a hand
    that is shown to others, draw only the cards.
    """
    view = scene.view
    if scene.shown and view.viewer is not None:
        held = [card_face(name, SHOWN) for name in view.private.get("hand", ())]
        return open_hand(scene, view.viewer, held)
    both, cards = is_lone(view), view.private.get("hand", ())
    scarce, pair = _is_scarce(view), _pair_width(view) if both else 0
    width = LONE_CARD if both else FEW_CARDS.get(len(cards), CARD)
    rail = TOP + LIFT + round(height_of(width) * WHOLE)
    if pair:
        rail = PAIRED_AT + height_of(pair) + 24
    elif scarce:
        rail = round(SCARCE_AT[1] + height_of(width) / 2) + 14
    elif not both and len(cards) in FEW_CARDS:
        rail = TOP + height_of(width) + 28
    elif not both and not cards:
        rail = TOP + EMPTY
    row = both and not pair
    end = rail + FOOT + (RAIL + height_of(OPEN_CARD) + 24) * row + SHELF * scarce
    canvas = hand_ground().cut(Box(0, 0, WIDTH, end + 10))
    names = printed_names(scene.names, scene.say)
    _draw_request(canvas, scene, names)
    _draw_trick(canvas, scene)
    if not scarce:
        _draw_others(canvas, scene, names)
    marked = marked_in(scene)
    if pair:
        _draw_pair(canvas, pair, scene, names, marked)
    else:
        draw_fan(canvas, width, cards, marked)
    canvas.stamp(brink(), (WIDTH / 2, rail - BRINK / 2))
    below = Box(0, rail, WIDTH, end + 10)
    canvas.inlay(_edge(rail, end, row), below, below)
    if row:
        _draw_row(canvas, rail, scene, marked)
    if scarce:
        _draw_shelf(canvas, Box(MARGIN, rail, WIDTH - MARGIN, rail + SHELF), scene, names)
    _draw_foot(canvas, scene, end - FOOT / 2)
    return canvas


def _pair_width(view: View) -> int:
    """Return the width of the cards if a lone player's hand is beside New Moon's, otherwise 0."""
    cards = len(view.private.get("hand", ())) + len(view.public["open"])
    return 0 if cards > PAIRED else SEVENTH if cards == PAIRED else LONE_CARD


def _is_scarce(view: View) -> bool:
    """Return whether the viewer's hand is small enough to lie beside the trick."""
    return not is_lone(view) and 0 < len(view.private.get("hand", ())) <= SCARCE


@cached
def _edge(rail: int, end: int, row: bool) -> Canvas:
    """Return everything from the edge of the table down.

    :param row: whether New Moon's cards lie between the edge and the foot.
    """
    whole = sky(end + 10, DUSK)
    plank(whole, rail, end)
    if row:
        velvet = Box(10, rail + RAIL, WIDTH - 10, end - FOOT)
        whole.cover(velvet, VELVET)
        for y in (velvet.top, velvet.bottom):
            whole.rect(Box(velvet.left, y, velvet.right, y + 2), LEDGE.line)
    edge = Canvas(WIDTH, end + 10 - rail, LEDGE.rim)
    edge.inlay(whole, whole.box.moved(0, -rail), edge.box)
    return edge


@cached
def hand_ground() -> Canvas:
    """Return day and night with the wood for the question at the top, high enough for any hand."""
    lone = TOP + LIFT + round(height_of(LONE_CARD) * WHOLE)
    height = lone + RAIL + height_of(OPEN_CARD) + 34 + FOOT
    canvas = sky(height, DUSK, quiet=(BESIDE.inset(-30),))
    plank(canvas, 10, HEAD)
    return canvas


def marked_in(scene: Scene) -> frozenset[str]:
    """Return the cards to be marked: the advised one, or all that may be played now."""
    if scene.advised:
        return frozenset({scene.advised} & set(CARDS))
    return playable(scene.view)


def _draw_request(canvas: Canvas, scene: Scene, names: Sequence[str]) -> None:
    """Draw the question; if it is the viewer's turn, with the sign of the cult to play."""
    view = scene.view
    left, y, right = MARGIN, 53, WIDTH - MARGIN
    turn = view.public["turn"]
    if turn is not None and view.viewer in view.actors:
        canvas.stamp(medal(turn % 2, 64), (left + 32, y))
        left += 82
    words, room = drawn_heading(scene, heading(scene, names)), right - left
    kind = next((each for each in QUESTIONS if text_width(words, each) <= room), QUESTIONS[-1])
    lines = lines_of(words, room, 2, kind)
    for n, line in enumerate(lines):
        at = left, y + QUESTION_LEADING * (n - (len(lines) - 1) / 2)
        canvas.text(at, line, kind, LEDGE.ink, "lm")


# ------------------------------------------------------------------------------ the trick
def _draw_trick(canvas: Canvas, scene: Scene) -> None:
    """Draw the current trick; between tricks, draw the last one."""
    public, say = scene.view.public, scene.say
    if public["table"] or not public["tricks"]:
        words, laid, due = say("Trick {n}", n=len(public["tricks"]) + 1), _trick(public), True
    else:
        words, laid, due = say("Last trick"), public["last"]["laid"], False
    if public["pending"]:
        lying = say.plural(
            "{n} card on the table", "{n} cards on the table", len(public["pending"])
        )
        words = f"{words} · {lying}"
    canvas.text((MARGIN, TRICK_TOP - 8), words, HEADING, DAY.soft, "lm")
    large = _is_scarce(scene.view) or not (scene.view.private.get("hand") or is_lone(scene.view))
    wide = LARGE_TRICK_CARD if large else TRICK_CARD
    height = height_of(wide)
    for n, each in enumerate(laid):
        x = MARGIN + wide / 2 + n * (wide + 14)
        box = Box.at((x, TRICK_TOP + 18 + height / 2), wide, height)
        if each["card"]:
            canvas.stamp(card_face(each["card"], wide), box.centre)
            if each["giver"] != each["seat"]:
                draw_who(canvas, (box.right - 6, box.bottom - 8), each["giver"], 32)
        else:
            canvas.stamp(_place(wide, due), box.centre)
            canvas.text(box.centre, str(n + 1), TOTAL if large else NUMBER, DAY.ink)
            due = False
        draw_who(canvas, (x, box.bottom + 26), each["seat"], 38)


@cached
def _place(width: int, due: bool) -> Sprite:
    """Return the place for a card; if it has to be filled next, with a frame."""
    canvas = Canvas(width + 2 * FRAME, height_of(width) + 2 * FRAME)
    box = canvas.box.inset(FRAME)
    canvas.rect(box, DAY.carved, radius=8)
    canvas.sink(box, 3, radius=8)
    if due:
        canvas.frame(box, radius=8)
    return canvas.sprite()


def _trick(public: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the four cards of the current trick in the form of ``last``; cards not played yet have
    no name.
    """
    places = public["places"]
    if places is None or public["lead"] is None:
        return []
    coming = [places[(public["lead"] + n) % 4] for n in range(len(public["table"]), 4)]
    due = [{"seat": seat, "giver": seat, "card": ""} for seat in coming]
    return laid_by_seats(public) + due


# -------------------------------------------------------------------------- other hands
def _other_places(view: View) -> list[int]:
    """Return the places of the other seats with a hand, clockwise."""
    places = view.public["places"] or []
    own = places.index(view.viewer) if places else 0
    others = [(own + step) % 4 for step in (1, 2, 3)] if places else []
    return [place for place in others if places[place] is not None]


def _draw_others(canvas: Canvas, scene: Scene, names: Sequence[str]) -> None:
    """Draw all other hands, clockwise; below them, draw New Moon's cards if he plays with somebody
    else.
    """
    view = scene.view
    places, shown = view.public["places"], _other_places(view)
    own = places.index(view.viewer) if places else 0
    open_too = bool(places) and len(shown) < OTHERS and not is_lone(view)
    with_you = scene.say("plays with you")
    boxes = list(BESIDE.columns(max(2, len(shown)), gap=16))
    width = LOW_BACKS if open_too else BACKS if view.private.get("hand") else LARGE_BACKS
    y = BESIDE.top + (8 if open_too else 54)
    for box, place in zip(boxes, shown, strict=False):
        x, below = box.centre[0], y + (62 if open_too else 82)
        draw_counted_backs(canvas, (x, y), view.public, place, width)
        seat = places[place]
        name = fitted(names[seat], HEADING, box.width - 42)
        left = x - (text_width(name, HEADING) + 38) / 2
        draw_who(canvas, (left + 15, below), seat, 30)
        canvas.text((left + 38, below), name, HEADING, DARK.ink, "lm")
        partner = (place - own) % 4 == 2
        if scene.advised == f"{ORDER}{seat + 1}":
            low = below + (62 if partner else 24)
            half = (
                max(box.width + 10, 2 * width + 32, text_width(with_you, WITH) * partner + 20) / 2
            )
            canvas.frame(Box(x - half, BESIDE.top - 14, x + half, low), radius=12)
        if partner:
            canvas.text((x, below + 31), with_you, WITH, DARK.faint)
    if open_too:
        _draw_open(canvas, scene)


def _draw_shelf(canvas: Canvas, shelf: Box, scene: Scene, names: Sequence[str]) -> None:
    """Draw all other hands side by side on the wood below a small hand, New Moon's last."""
    view, y = scene.view, shelf.centre[1]
    places, shown = view.public["places"], _other_places(view)
    canvas.rect(Box(10, shelf.bottom, WIDTH - 10, shelf.bottom + 2), LEDGE.line)
    columns = _shelf_columns(shelf, scene, names)
    for column, place in zip(columns, shown, strict=False):
        seat, x = places[place], column.left
        held = sum(view.public[cult][place] > 0 for cult in CULTS)
        wide = held * (SHELF_BACKS + 8)
        draw_counted_backs(canvas, (x + wide / 2, y), view.public, place, SHELF_BACKS)
        x += wide + 8
        partner = (place - places.index(view.viewer)) % 4 == 2
        high, lines = (y - 17, 1) if partner else (y, 2)
        draw_who(canvas, (x + 15, high), seat, 30)
        space = column.right - x - 38, 40 * lines
        write_lines(canvas, (x + 38, high), names[seat], HEADING, space, LEDGE.ink, "lm")
        if partner:
            room = column.right - x
            write(canvas, (x, y + 18), scene.say("plays with you"), WITH, room, LEDGE.soft, "lm")
        if scene.advised == f"{ORDER}{seat + 1}":
            canvas.frame(column.inset(-10, 5), radius=12)
    if len(shown) == OTHERS:
        return
    x, cards = columns[-1].left, view.public["open"]
    draw_who(canvas, (x + 15, y), None, 30)
    words = canvas.text((x + 38, y), new_moon(scene.say), HEADING, LEDGE.ink, "lm")
    step = min(SHELF_BACKS + 6, (columns[-1].right - words.right - 14) / max(1, len(cards)))
    for n, card in enumerate(cards):
        at = words.right + 14 + SHELF_BACKS / 2 + n * step, y
        canvas.stamp(card_face(card, SHELF_BACKS), at)
    if scene.advised == ORDER + NEUMOND_SIGN:
        canvas.frame(columns[-1].inset(-10, 5), radius=12)


def _shelf_columns(shelf: Box, scene: Scene, names: Sequence[str]) -> list[Box]:
    """Return a column for each other hand and, if there is one, New Moon's: as wide as each needs
    if there is room for all, otherwise equally wide.
    """
    view, equal = scene.view, list(shelf.columns(OTHERS, gap=SHELF_GAP))
    places = view.public["places"]
    widths = []
    for place in _other_places(view):
        held = sum(view.public[cult][place] > 0 for cult in CULTS)
        said = text_width(names[places[place]], HEADING) + 38
        if (place - places.index(view.viewer)) % 4 == 2:
            said = max(said, text_width(scene.say("plays with you"), WITH))
        widths.append(held * (SHELF_BACKS + 8) + 8 + said)
    widths += [round(equal[0].width)] * (OTHERS - len(widths))
    spare = (shelf.width - SHELF_GAP * (OTHERS - 1) - sum(widths)) / OTHERS
    if spare < 0:
        return equal
    columns, left = [], shelf.left
    for width in widths:
        columns.append(Box(left, shelf.top, left + width + spare, shelf.bottom))
        left += width + spare + SHELF_GAP
    return columns


SHELF_GAP = 24
"""Minimum gap between the hands on the shelf."""
SHELF_BACKS = 56
"""Width of the cards on the shelf."""


def _draw_open(canvas: Canvas, scene: Scene) -> None:
    """Draw New Moon's cards next to his name."""
    y = BESIDE.bottom - height_of(NEW_MOON_CARD) / 2
    cards, step = scene.view.public["open"], NEW_MOON_CARD - 6
    left = BESIDE.right - step * (len(cards) - 1) - NEW_MOON_CARD
    words = canvas.text((left - 16, y), new_moon(scene.say), HEADING, DARK.ink, "rm")
    draw_who(canvas, (words.left - 24, y), None, 30)
    if scene.advised == ORDER + NEUMOND_SIGN:
        canvas.frame(Box(words.left - 48, y - 26, words.right + 8, y + 26), radius=12)
    for n, name in enumerate(cards):
        canvas.stamp(card_face(name, NEW_MOON_CARD), (left + NEW_MOON_CARD / 2 + n * step, y))


# ------------------------------------------------------------------------------ own cards
def draw_fan(canvas: Canvas, width: int, cards: Sequence[str], marked: Collection[str]) -> None:
    """Draw the hand as a fan; where cards overlap, each covers part of the one before it."""
    stack = []
    for name, (middle, degrees) in zip(cards, hand_layout(width, cards, marked), strict=True):
        ground = REST if marked and name not in marked else None
        stack.append((turned(name, width, degrees, ground), middle))
        if name in marked:
            stack.append((turned_frame(width, degrees).sprite(), middle))
    canvas.stack(stack)


def hand_layout(
    width: int, cards: Sequence[str], marked: Collection[str]
) -> Iterator[tuple[Point, float]]:
    """Yield the centre and rotation of each card in the hand; marked cards are raised, unless there
    are only a few cards.
    """
    few = len(cards) in FEW_CARDS
    lift = 0 if few else LIFT
    x, y = (
        WIDTH / 2,
        TOP + height_of(width) / 2 + (6 if few else LIFT),
    )
    if few and len(cards) <= SCARCE:
        x, y = SCARCE_AT
    places = fan(len(cards), _step(len(cards), width), TURN)
    for name, held in zip(cards, places, strict=True):
        dx, dy = held.lifted(lift if name in marked else 0)
        yield (x + dx, y + dy), held.degrees


def _step(cards: int, width: int) -> float:
    """Return the distance from one card in the hand to the next; if there are only a few, they do
    not overlap.
    """
    room = WIDTH - 2 * MARGIN - width * 1.25
    return min(width * (1.06 if cards in FEW_CARDS else 0.86), room / max(1, cards - 1))


def _draw_foot(canvas: Canvas, scene: Scene, y: float) -> None:
    """Draw the accounts side by side on the wood, and the tricks at its right end."""
    x = float(MARGIN)
    for score in account_scores(scene.view):
        left = draw_owner(canvas, (x, y), score)
        x = canvas.text((left + 2, y), scene.say.number(score.points), TOTAL, LEDGE.ink, "lm").right
        x += 34
    step = 42
    for n in range(TRICKS):
        at = WIDTH - MARGIN - step * (TRICKS - n - 0.5), y
        draw_trick(canvas, scene, n, at, step - 2)


def _draw_pair(
    canvas: Canvas, width: int, scene: Scene, names: Sequence[str], marked: Collection[str]
) -> None:
    """Draw a lone player's hand at the left and New Moon's at the right, side by side."""
    view, y, step = scene.view, TOP + 18, width + PAIRED_GAP
    hand, cards = view.private.get("hand", ()), view.public["open"]
    if hand:
        draw_who(canvas, (MARGIN + 16, y), view.viewer, 32)
        name = fitted(names[view.viewer or 0], HEADING, BESIDE.left - MARGIN - 60)
        canvas.text((MARGIN + 42, y), name, HEADING, DAY.ink, "lm")
    right, said = WIDTH - MARGIN, scene.say("plays with you")
    left = canvas.text((right, y), said, WITH, DARK.ink, "rm").left - 14
    left = canvas.text((left, y), new_moon(scene.say), HEADING, DARK.ink, "rm").left - 26
    draw_who(canvas, (left, y), None, 32)
    middle, start = PAIRED_AT + height_of(width) / 2, right - width / 2 - step * (len(cards) - 1)
    _draw_flat(canvas, hand, width, (MARGIN + width / 2, middle), step, marked)
    _draw_flat(canvas, cards, width, (start, middle), step, marked)


def _draw_row(canvas: Canvas, rail: float, scene: Scene, marked: Collection[str]) -> None:
    """Draw New Moon's cards, face up on the table."""
    cards, y = scene.view.public["open"], rail + 26
    draw_who(canvas, (MARGIN + 16, y), None, 32)
    name = canvas.text((MARGIN + 42, y), new_moon(scene.say), HEADING, LEDGE.ink, "lm")
    canvas.text((name.right + 14, y), scene.say("plays with you"), WITH, LEDGE.soft, "lm")
    step = OPEN_CARD + 14
    first = (WIDTH - step * (len(cards) - 1)) / 2, rail + RAIL + 14 + height_of(OPEN_CARD) / 2
    _draw_flat(canvas, cards, OPEN_CARD, first, step, marked)


def _draw_flat(
    canvas: Canvas,
    cards: Sequence[str],
    width: int,
    first: Point,
    step: float,
    marked: Collection[str],
) -> None:
    """Draw cards side by side, the first one at ``first``."""
    for n, name in enumerate(cards):
        centre = first[0] + n * step, first[1]
        if name in marked:
            draw_playable(canvas, name, width, centre)
        else:
            shown = dimmed_card(name, width, REST) if marked else card_face(name, width)
            canvas.stamp(shown, centre)
