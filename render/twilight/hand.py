"""The private picture: a hand, what it is asked for, and all that a choice needs to be seen."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from games.engine import View
from render.canvas import Canvas, fitted, text_width
from render.geometry import Box
from render.names import printed_names
from render.scene import Scene
from render.theme import FAINT, INK, LIGHT, LINE, MARGIN, PANEL, SOFT, WIDTH, Type
from render.twilight.cards import card, draw_sign, draw_who, height_of, raised, resting
from render.twilight.colours import AMBER, NIGHT
from render.twilight.corners import HEADING
from render.twilight.table import NUMBER, draw_backs, paper
from render.twilight.words import heading

CARD = 150
STEP = CARD + 12
RISE = 18
"""How far a card is raised that may be played."""

QUESTION = Type("strong", 34)
SMALL_QUESTION = Type("strong", 28)
NAME = Type("strong", 26)

TRICK_CARD = 88
TRICK_TOP = 142
BESIDE = 500
"""Where the other hands begin, right of the trick."""
NEUMOND_CARD = 58

TOP = 358
"""Where the hand begins."""
ROW = height_of(CARD) + 64


def draw_hand(scene: Scene) -> Canvas:
    """The hand of the viewer; the lone player's has Neumond's below it."""
    view = scene.view
    both = _is_lone(view)
    canvas = paper(TOP + ROW * (2 if both else 1) - 32)
    names = printed_names(scene.names, scene.say)
    _draw_request(canvas, scene, names)
    _draw_trick(canvas, scene)
    _draw_others(canvas, scene, names)
    marked = playable(view)
    _draw_cards(canvas, TOP, view.private.get("hand", ()), marked)
    if both:
        y = TOP + height_of(CARD) + 34
        draw_sign(canvas, 0, (MARGIN + 12, y), 26, NIGHT)
        canvas.text((MARGIN + 36, y), scene.say("Neumond"), HEADING, SOFT, "lm")
        _draw_cards(canvas, TOP + ROW, view.public["open"], marked)
    return canvas


def playable(view: View) -> frozenset[str]:
    """The cards that the viewer may lay now."""
    public = view.public
    if view.viewer not in view.actors:
        return frozenset()
    hand, neumond = view.private["hand"], public["open"] or []
    ordered, cult = public["ordered"], public["turn"] % 2
    if ordered is not None:
        cards = neumond if public["places"][ordered] is None else hand
    else:
        cards = hand + neumond if _is_lone(view) else hand
    return frozenset(name for name in cards if name[0] == "MS"[cult])


def _is_lone(view: View) -> bool:
    return view.viewer is not None and view.viewer == view.public["lone"]


def _draw_request(canvas: Canvas, scene: Scene, names: Sequence[str]) -> None:
    """What is asked, with the sign of the cult that is due."""
    view = scene.view
    left, y, right = MARGIN, 62, WIDTH - MARGIN
    turn = view.public["turn"]
    if turn is not None:
        canvas.circle((left + 28, y), 28, INK)
        canvas.circle((left + 28, y), 26, LIGHT)
        draw_sign(canvas, turn % 2, (left + 28, y), 38, (NIGHT, AMBER)[turn % 2])
        left += 72
    words = heading(view, names, scene.say)
    kind = QUESTION if text_width(words, QUESTION) <= right - left else SMALL_QUESTION
    canvas.text((left, y), fitted(words, kind, right - left), kind, INK, "lm")
    canvas.rect(Box(MARGIN, 106, WIDTH - MARGIN, 108), LINE)


def _draw_trick(canvas: Canvas, scene: Scene) -> None:
    """The trick so far, or the last one while there is none."""
    public, say = scene.view.public, scene.say
    if public["table"] or not public["tricks"]:
        heading, laid, due = say("Trick {n}", n=len(public["tricks"]) + 1), _trick(public), True
    else:
        heading, laid, due = say("Last trick"), public["last"]["laid"], False
    if public["pending"]:
        lying = say.plural("{n} card lies", "{n} cards lie", len(public["pending"]))
        heading = f"{heading} · {lying}"
    canvas.text((MARGIN, TRICK_TOP - 12), heading, HEADING, SOFT, "lm")
    height = height_of(TRICK_CARD)
    for n, each in enumerate(laid):
        x = MARGIN + TRICK_CARD / 2 + n * (TRICK_CARD + 16)
        box = Box.at((x, TRICK_TOP + 12 + height / 2), TRICK_CARD, height)
        draw_who(canvas, (x, box.bottom + 26), each["seat"], 36)
        if each["card"]:
            canvas.stamp(card(each["card"], TRICK_CARD), box.centre)
            if each["giver"] != each["seat"]:
                draw_who(canvas, (box.right - 4, box.bottom - 6), each["giver"], 30)
        else:
            canvas.rect(box, PANEL, LINE, 2, radius=9)
            canvas.text(box.centre, str(n + 1), NUMBER, FAINT)
            due = due and _mark_due(canvas, box)


def _mark_due(canvas: Canvas, box: Box) -> bool:
    """Frame the card that is due; no other one will be."""
    canvas.frame(box, radius=9)
    return False


def _trick(public: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The four cards of the present trick as ``last`` tells them; those to come have no name."""
    places, laid = public["places"], public["table"]
    if places is None or public["lead"] is None:
        return []
    coming = [(public["lead"] + n) % 4 for n in range(len(laid), 4)]
    return [
        {"seat": places[each["place"]], "giver": places[each["giver"]], "card": each["card"]}
        for each in laid
    ] + [{"seat": places[place], "giver": places[place], "card": ""} for place in coming]


def _draw_others(canvas: Canvas, scene: Scene, names: Sequence[str]) -> None:
    """The backs of all other hands, clockwise, and Neumond's cards."""
    view = scene.view
    places = view.public["places"] or []
    own = places.index(view.viewer) if places else 0
    y = TRICK_TOP + 4.0
    for step in (1, 2, 3)[: len(places)]:
        place = (own + step) % 4
        seat = places[place]
        if seat is None and _is_lone(view):
            continue
        draw_who(canvas, (BESIDE + 20, y), seat, 38)
        if seat is None:
            canvas.text((BESIDE + 52, y), scene.say("Neumond"), NAME, INK, "lm")
            _draw_open(canvas, scene, y)
            y += 36
        else:
            canvas.text((BESIDE + 52, y), fitted(names[seat], NAME, 280), NAME, INK, "lm")
            draw_backs(canvas, (BESIDE + 350, y), view.public, place)
        y += 60


def _draw_open(canvas: Canvas, scene: Scene, y: float) -> None:
    """Neumond's cards beside his name."""
    for n, name in enumerate(scene.view.public["open"]):
        x = BESIDE + 215 + n * (NEUMOND_CARD + 6)
        canvas.stamp(card(name, NEUMOND_CARD), (x, y + 18))


def _draw_cards(canvas: Canvas, top: float, cards: Sequence[str], marked: Collection[str]) -> None:
    """A row of cards; those that may be played are raised, the others rest."""
    width = STEP * len(cards) - (STEP - CARD)
    left = (WIDTH - width) / 2 + CARD / 2
    for n, name in enumerate(cards):
        x, y = left + n * STEP, top + height_of(CARD) / 2
        if name in marked:
            canvas.stamp(raised(name, CARD), (x, y - RISE))
        else:
            canvas.stamp(resting(name, CARD) if marked else card(name, CARD), (x, y))
