"""The private picture: the viewer's cards and all standings, as needed for the decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from render.canvas import Canvas, Sprite, fitted, layer, text_width
from render.geometry import Box
from render.isolde import matrix
from render.isolde.devices import FIGURE, card, height_of, resting, shield
from render.isolde.words import DRAFTING, heading
from render.names import printed_names
from render.plates import card as blank
from render.plates import token
from render.scene import Scene
from render.theme import INK, LINE, MARGIN, SOFT, WIDTH, Type

QUESTION = Type("strong", 32)
SMALL_QUESTION = Type("strong", 26)
LABEL = Type("text", 26)

LARGE, SMALL = 144, 96
"""Widths of the cards that are to be chosen from, and of the others."""
INDENT = 190
"""Room for the label of a row."""
FIRST = 116

paper = layer(blank)
"""An empty picture of some height, drawn once."""


@dataclass(frozen=True, slots=True)
class Row:
    """Things side by side.

    :param colour: whose they are, if that has to be said.
    """

    label: str
    sprites: tuple[Sprite, ...]
    colour: int | None = None
    below: tuple[str, ...] = ()

    @property
    def height(self) -> int:
        """Height with some air."""
        height: int = max(sprite.size[1] for sprite in self.sprites)
        return height + (34 if self.below else 0) + 16


def draw_hand(scene: Scene) -> Canvas:
    """What is asked, all that the viewer may look at, and all positions."""
    rows = list(rows_of(scene))
    top = FIRST + sum(row.height for row in rows)
    canvas = paper(top + 16 + matrix.height_of(scene) + 24)
    _draw_request(canvas, scene)
    y = FIRST
    for row in rows:
        _draw_row(canvas, y, row)
        y += row.height
    canvas.rect(Box(MARGIN, top + 4, WIDTH - MARGIN, top + 6), LINE)
    matrix.draw_positions(canvas, Box(MARGIN, top + 12, WIDTH - MARGIN, 0), scene)
    return canvas


def _draw_request(canvas: Canvas, scene: Scene) -> None:
    words = heading(scene.view, printed_names(scene.names, scene.say), scene.say)
    room = WIDTH - 2 * MARGIN
    kind = QUESTION if text_width(words, QUESTION) <= room else SMALL_QUESTION
    canvas.text((MARGIN, 60), fitted(words, kind, room), kind, INK, "lm")
    canvas.rect(Box(MARGIN, 96, WIDTH - MARGIN, 98), LINE)


def _draw_row(canvas: Canvas, top: int, row: Row) -> None:
    x, y = MARGIN + INDENT, top + (row.height - 16) / 2
    left = MARGIN
    if row.colour is not None:
        canvas.stamp(token(row.colour, 36), (left + 18, y))
        left += 46
    canvas.text((left, y), fitted(row.label, LABEL, MARGIN + INDENT - left - 12), LABEL, SOFT, "lm")
    for n, sprite in enumerate(row.sprites):
        width, height = sprite.size
        canvas.stamp(sprite, (x + width / 2, top + height / 2))
        if row.below:
            canvas.text((x + width / 2, top + height + 18), row.below[n], FIGURE, SOFT)
        x += width + 10


# -------------------------------------------------------------------------------- rows
def rows_of(scene: Scene) -> Iterator[Row]:
    """Packs, piles and hands, the codex: whatever there is at the moment."""
    view, say = scene.view, scene.say
    private = view.private
    drafting = view.phase in DRAFTING
    if view.phase == "pile":
        yield from _piles(scene)
    elif drafting:
        yield Row(say("Pack"), tuple(card(name, LARGE) for name in private["pack"]))
    own = [colour for colour, owner in enumerate(view.public["owners"]) if owner == view.viewer]
    for colour in own:
        cards = private["kept"][colour]
        if not cards:
            continue
        shown = _kept(cards, private["hands"][colour], drafting)
        label = say("Kept") if drafting else say("Hand")
        yield Row(label, shown, colour if len(own) > 1 else None)
    if not drafting:
        yield from _codex(scene)


def _kept(cards: Sequence[str], hand: Sequence[str], drafting: bool) -> tuple[Sprite, ...]:
    """The cards kept; those that have been played are pale."""
    if drafting:
        return tuple(card(name, SMALL) for name in cards)
    left = list(hand)
    width = 112
    sprites = [card(name, width) for name in left]
    played = list(cards)
    for name in left:
        played.remove(name)
    return (*sprites, *(resting(name, width) for name in played))


def _piles(scene: Scene) -> Iterator[Row]:
    """The two open piles of each person, numbered."""
    names = printed_names(scene.names, scene.say)
    for owner, piles in enumerate(scene.view.public["piles"]):
        sprites = [numbered(number, pile) for number, pile in enumerate(piles, 1)]
        if sprites:
            yield Row(names[owner], tuple(sprites), owner)


def numbered(number: int, pile: Sequence[str]) -> Sprite:
    """A pile fanned out behind its number."""
    width, height = 112, height_of(112)
    step = width + 6
    canvas = Canvas(44 + step * len(pile) + 24, height)
    canvas.text((20, height / 2), str(number), QUESTION, INK)
    for n, name in enumerate(pile):
        canvas.stamp(card(name, width), (44 + step * n + width / 2, height / 2))
    return canvas.sprite()


def _codex(scene: Scene) -> Iterator[Row]:
    """The shields of the codex that the viewer knows, each above its place."""
    places = scene.view.public["boards"]["STUDIEN"].get("places")
    if not places:
        return
    known = scene.view.private["codex"]
    sprites = tuple(
        shield("STUDIEN", "?" if value is None else str(value).replace("-", "−"), 56)
        for value in known
    )
    numbers = tuple(str(n) for n in range(1, len(places) + 1))
    yield Row(scene.say("Codex"), sprites, below=numbers)
