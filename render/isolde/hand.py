"""The private picture: the viewer's cards and all positions, as needed for the current decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor
from typing import NamedTuple

from render.canvas import Canvas, Sprite, write
from render.geometry import Box
from render.headline import open_hand
from render.isolde.colours import FOIL
from render.isolde.devices import FIGURE, bold_token, medallion, shield
from render.isolde.ground import lay_sheet
from render.isolde.scenery import card_face, height_of
from render.isolde.standings import ROMAN, BoardView, signed
from render.isolde.words import DRAFTING, heading, named_cards
from render.letters import text_width
from render.names import printed_names
from render.plates import OAK, cut_card
from render.scene import Scene
from render.theme import INK, LINE, MARGIN, PANEL, SOFT, WIDTH, Type
from render.words import CHOICE, drawn_heading

# ----------------------------------------------------------------------------------- all positions
FIELD = Type("strong", 46)
LABEL = Type("text", 32), Type("text", 28)
ROW = 60
HEAD = 64
WHO = 112


def matrix_height(scene: Scene) -> int:
    """Return the height of the table of all positions; 0 if it is left out."""
    if not shows_positions(scene):
        return 0
    return HEAD + ROW * len(scene.view.public["owners"])


def shows_positions(scene: Scene) -> bool:
    """Return whether there is a table of all positions: not before a piece has moved."""
    return any(any(here["positions"]) for here in scene.view.public["boards"].values())


def draw_positions(canvas: Canvas, box: Box, scene: Scene) -> None:
    """Draw a row for each colour and a column for each board, with the field in each cell."""
    boards: Mapping[str, BoardView] = scene.view.public["boards"]
    owners: Sequence[int | None] = scene.view.public["owners"]
    columns = Box(box.left + WHO, box.top, box.right, box.bottom).columns(len(boards))
    for colour, owner in enumerate(owners):
        row = _row(box, colour)
        if owner is not None and owner == scene.view.viewer:
            canvas.rect(Box(*map(round, row)), PANEL)
        canvas.rect(Box(row.left, round(row.top), row.right, round(row.top) + 2), LINE)
        canvas.stamp(bold_token(colour, 50), (box.left + WHO / 2, row.centre[1]))
    head = box.left + 12, box.top + HEAD / 2
    write(canvas, head, scene.say("Field"), LABEL[1:], WHO - 12, SOFT, "lm")
    targets = _targets(scene)
    for (board, here), column in zip(boards.items(), columns, strict=True):
        x, y = column.centre[0], box.top + HEAD / 2
        if board in targets:
            canvas.frame(column.inset(6, 2), radius=10)
        canvas.stamp(medallion(board, 56), (x, y))
        for colour in range(len(owners)):
            _draw_position(canvas, _row(column, colour), here, colour)


def _row_offers(scene: Scene) -> bool:
    """Return whether cards or shields may be chosen."""
    return any(row.offered for row in hand_rows(scene, SHOWN, SHOWN))


def _targets(scene: Scene) -> set[str]:
    """Return the boards on which the advised move moves pieces or on which legal moves may do so;
    none before cards are played, or while cards or shields may be chosen.
    """
    if scene.view.phase in DRAFTING or (not scene.focus and _row_offers(scene)):
        return set()
    arguments = [move.partition(":")[2] for move in scene.legal]
    parts = [part for argument in arguments for part in argument.split("+")]
    return {part.rpartition(">")[2].rstrip("0123456789") for part in parts}


def _row(box: Box, colour: int) -> Box:
    top = box.top + HEAD + ROW * colour
    return Box(box.left, top, box.right, top + ROW)


def _draw_position(canvas: Canvas, cell: Box, here: BoardView, colour: int) -> None:
    """Draw the field of a piece that has moved, on gold for first place."""
    field = here["positions"][colour]
    if not field:
        canvas.circle(cell.centre, 4, SOFT)
        return
    if here["order"][0] == colour:
        canvas.rect(Box.at(cell.centre, 84, ROW - 6), FOIL, INK, 2, radius=10)
    canvas.text(cell.centre, str(field), FIELD)


NUMERAL = Type("title", 30)
QUESTION = Type("strong", 38)
SMALL_QUESTION = Type("strong", 32), Type("strong", 28)

WIDTHS = ((216, 144), (204, 136), (176, 128), (160, 120), (144, 104), (128, 88))
"""Widths of the cards in a pack or a single hand, and of all other cards; the first pair that fits
is used.
"""
SHOWN = 104
"""Width of the cards in a hand that is shown to others."""
HIGHEST = 940
INDENT = 176
"""Width of the label of a row."""
ROOM = WIDTH - 2 * MARGIN - INDENT
"""Width of a row without its label."""
APART = 64
"""Gap between two rows that share a line."""
OWNER = 40
"""Size of the piece in front of a colour's cards, for people with two colours."""
FIRST, FOOT = 112, 36
"""Top of the rows, and height of the line that says what the frames mean."""
SHIELD, SMALLER = 100, 0.58
"""Size of face-down shields if there are no cards; otherwise, as a share of the cards' width."""


@dataclass(frozen=True, slots=True)
class HandRow:
    """A row of sprites.

    :param colour: the colour they belong to, if the picture has to say so.
    :param below: the words under each sprite.
    :param framed: the indices of the sprites that the advised move or the viewer's sealed move
        names.
    :param offered: the indices of the sprites that may be chosen.
    """

    label: str
    sprites: tuple[Sprite, ...]
    colour: int | None = None
    below: tuple[str, ...] = ()
    framed: frozenset[int] = frozenset()
    offered: frozenset[int] = frozenset()

    @property
    def width(self) -> int:
        """Width without the label."""
        return sum(sprite.size[0] for sprite in self.sprites)

    @property
    def height(self) -> int:
        """Height, including the words below the sprites and a gap."""
        height: int = max(sprite.size[1] for sprite in self.sprites)
        return height + (34 if self.below else 0) + 8


class PlacedRow(NamedTuple):
    """Where a row is drawn: its left edge, the width of its label, and its top."""

    row: HandRow
    left: float
    indent: int
    top: float


def draw_hand(scene: Scene) -> Canvas:
    """Draw the question, everything that the viewer may look at, and all positions; of a hand that
    is shown to others, only the cards.
    """
    if scene.shown:
        colour = scene.view.public["owners"].index(scene.view.viewer)
        held = [sprite for row in hand_rows(scene, SHOWN, SHOWN) for sprite in row.sprites]
        return open_hand(scene, colour, held)
    free = not scene.focus and (_row_offers(scene) or bool(_targets(scene)))
    foot = 24 + (FOOT if free else 0)
    rows, height = arranged(fitting(scene, HIGHEST - FIRST - 20 - matrix_height(scene) - foot))
    top = FIRST + height
    sheet = Box(MARGIN, top + 8, WIDTH - MARGIN, top + 20 + matrix_height(scene))
    canvas = cut_card(round(sheet.bottom) + foot, OAK)
    if free:
        at = MARGIN, sheet.bottom + FOOT / 2 + 4
        canvas.text(at, scene.say(CHOICE), LABEL[1], OAK.soft, "lm")
    _draw_request(canvas, scene)
    for each in rows:
        _draw_row(canvas, each.left, each.indent, FIRST + each.top, each.row)
    if shows_positions(scene):
        lay_sheet(canvas, sheet)
        draw_positions(canvas, sheet.inset(8, 4), scene)
    return canvas


def fitting(scene: Scene, height: int) -> list[HandRow]:
    """Return the rows with the largest cards that fit; if none fit, with the smallest.

    :param height: the maximum height of all rows together.
    """
    for widths in WIDTHS:
        rows = list(hand_rows(scene, *widths))
        room = ROOM if len(rows) > 1 else ROOM + INDENT
        if arranged(rows)[1] <= height and all(row.width <= room for row in rows):
            break
    return rows


def arranged(rows: Sequence[HandRow]) -> tuple[list[PlacedRow], float]:
    """Return the places of all rows, and their height together: to the right of a few cards, which
    then need no label, all other rows are one above the other; if they do not fit there, they are
    in lines. A row alone needs no label either, and is in the middle.
    """
    placed, top = list[PlacedRow](), 0.0
    if len(rows) > 1 and all(row.colour is None for row in rows):
        cards, *others = rows
        label = max(_labelled(row) for row in others)
        left = MARGIN + cards.width + APART
        high, room = sum(row.height for row in others), WIDTH - MARGIN - left - label
        free = room - max(row.width for row in others)
        if high <= cards.height and free >= 0:
            placed.append(PlacedRow(replace(cards, label=""), MARGIN + free / 2, 0, 0))
            top = (cards.height - high) / 2
            for row in others:
                placed.append(PlacedRow(row, left + free / 2, label, top))
                top += row.height
            return placed, cards.height
    if len(rows) == 1:
        alone = replace(rows[0], label="")
        return [PlacedRow(alone, (WIDTH - alone.width) / 2, 0, 0)], alone.height
    for line in in_lines(rows):
        left, height = MARGIN, _line_height(line)
        indents = _indents(line)
        if len(line) == 1 and line[0].colour is None:  # in the middle of the room beside its label
            indents = [round(INDENT + (ROOM - line[0].width) / 2)]
        for row, indent in zip(line, indents, strict=True):
            placed.append(PlacedRow(row, left, indent, top + (height - row.height) / 2))
            left += indent + row.width + APART
        top += height
    return placed, top


def in_lines(rows: Sequence[HandRow]) -> list[list[HandRow]]:
    """Distribute rows over lines: rows that belong to no colour share a line if they fit."""
    lines: list[list[HandRow]] = []
    for row in rows:
        beside = [*lines[-1], row] if lines else []
        wide = sum(_indents(beside)) + sum(each.width + APART for each in beside) - APART
        if beside and wide <= INDENT + ROOM and all(each.colour is None for each in beside):
            lines[-1].append(row)
        else:
            lines.append([row])
    return lines


def _indents(line: Sequence[HandRow]) -> list[int]:
    """Return the room for each label: the first ones of all lines are equally wide."""
    return [INDENT, *map(_labelled, line[1:])]


def _labelled(row: HandRow) -> int:
    """Return the room that the label of a row needs."""
    return round(text_width(row.label, LABEL[0])) + 24


def _line_height(line: Sequence[HandRow]) -> int:
    return max(row.height for row in line)


def _draw_request(canvas: Canvas, scene: Scene) -> None:
    words = drawn_heading(scene, heading(scene, printed_names(scene.names, scene.say)))
    own = scene.view.private
    if words == scene.say("Your hand") and not any([*own["hands"], *own["kept"]]):
        words = scene.say("Shields you know")
    room, onward = WIDTH - 2 * MARGIN, _next_to(scene)
    if onward is not None:
        canvas.arrow((WIDTH - MARGIN - 124, 58), (WIDTH - MARGIN - 60, 58), OAK.soft)
        canvas.stamp(bold_token(onward, 48), (WIDTH - MARGIN - 26, 58))
        room -= 140
    write(canvas, (MARGIN, 58), words, (QUESTION, *SMALL_QUESTION), room, OAK.ink, "lm")
    canvas.rect(Box(MARGIN, 94, WIDTH - MARGIN, 96), OAK.line)


def _draw_row(canvas: Canvas, left: float, indent: int, top: float, row: HandRow) -> None:
    x, y = left + indent, top + (row.height - 8) / 2
    room = indent - 12
    if row.colour is not None:
        canvas.stamp(bold_token(row.colour, 36), (left + 18, y))
        left, room = left + 46, room - 46
    if row.label:
        write(canvas, (left, y), row.label, LABEL, room, OAK.soft, "lm")
    for n, sprite in enumerate(row.sprites):
        width, height = sprite.size
        middle = y - (17 if row.below else 0)
        canvas.stamp(sprite, (x + width / 2, middle))
        if n in row.framed | row.offered:
            upper = floor(middle - height / 2 + 0.5)  # where the sprite is drawn, in whole pixels
            canvas.frame(
                Box(x, upper, x + width, upper + height).inset(5 if row.below else 7),
                radius=8,
                weight=6,
            )
        if row.below and row.below[n]:
            at = x + width / 2, middle + height / 2 + 14
            words = row.below[n]
            # Roman numerals need serifs, because without them the numeral I would look like a
            # stroke.
            canvas.text(at, words, NUMERAL if words in ROMAN else FIGURE, OAK.soft)
        x += width


# -------------------------------------------------------------------------------- rows
def hand_rows(scene: Scene, large: int, small: int) -> Iterator[HandRow]:
    """Yield the rows that are shown now: pack or piles, cards, codex, face-down shields.

    :param large: the width of the cards in a pack or, while cards are played, in the hand of a
        single colour.
    :param small: the width of all other cards.
    """
    view, say = scene.view, scene.say
    private = view.private
    drafting = view.phase in DRAFTING
    if view.phase == "pile":
        yield from _piles(scene, small)
    elif drafting:
        names = private["pack"]
        pack = tuple(card_face(name, large) for name in names)
        if pack:
            framed, offers = _named(names, scene), _offered(names, scene)
            yield HandRow(say("Pack"), pack, framed=framed, offered=offers)
    own = [colour for colour, owner in enumerate(view.public["owners"]) if owner == view.viewer]
    shown: list[Sprite] = []
    named, offered = set[int](), set[int]()
    width = small if drafting or len(own) > 1 else large
    for colour in own:
        cards = private["kept" if drafting else "hands"][colour]
        if cards and len(own) > 1:
            shown.append(bold_token(colour, OWNER))
        if not drafting:
            named |= {len(shown) + place for place in _named(cards, scene)}
            offered |= {len(shown) + place for place in _offered(cards, scene)}
        shown += [card_face(name, width) for name in cards]
    if shown:
        label = say("Kept") if drafting else say("Hand")
        yield HandRow(label, tuple(shown), framed=frozenset(named), offered=frozenset(offered))
    if not drafting:
        size = round(small * SMALLER)
        yield from _codex(scene, size)
        yield from _face_down(scene, size, alone=not shown)


def _named(cards: Sequence[str], scene: Scene) -> frozenset[int]:
    """Return the indices of the cards that the advised or begun move names or, without one, the
    viewer's sealed move; if it names a card twice, include two copies.
    """
    named = named_cards(scene.focus or scene.view.private["sealed"] or "")
    places = set()
    for place, name in enumerate(cards):
        if name in named:
            named.remove(name)
            places.add(place)
    return frozenset(places)


def _offered(cards: Sequence[str], scene: Scene) -> frozenset[int]:
    """Return the indices of the cards of which the viewer may choose one: none if only boards are
    left to choose, or if a move has been begun or is advised.
    """
    named = {name for move in scene.legal for name in named_cards(move)}
    if scene.focus or len(named) < 2:
        return frozenset()
    return frozenset(place for place, name in enumerate(cards) if name in named)


def _next_to(scene: Scene) -> int | None:
    """Return the first colour of the player to whom the viewer will pass the pack; None if it is
    not passed on, or if the viewer has chosen a card.
    """
    view, own = scene.view, scene.view.private
    way = {"left": 1, "right": -1}.get(view.public["direction"])
    if way is None or view.viewer is None or len(own["pack"]) < 2 or own["sealed"]:
        return None
    owners: Sequence[int | None] = view.public["owners"]
    return owners.index((view.viewer + way) % view.players)


def _piles(scene: Scene, width: int) -> Iterator[HandRow]:
    """Yield the two open piles of each person, numbered."""
    names = printed_names(scene.names, scene.say)
    for owner, piles in enumerate(scene.view.public["piles"]):
        sprites = tuple(numbered(number, pile, width) for number, pile in enumerate(piles, 1))
        advised = frozenset[int]()
        if owner != scene.view.viewer and scene.advised.startswith("pile:"):
            advised = frozenset({int(scene.advised.removeprefix("pile:")) - 1})
        if sprites:
            yield HandRow(names[owner], sprites, owner, framed=advised)


def numbered(number: int, pile: Sequence[str], width: int) -> Sprite:
    """Return the cards of a pile side by side, with the pile's number in front."""
    height = height_of(width)
    step = width + 6
    canvas = Canvas(44 + step * len(pile) + 24, height)
    canvas.text((20, height / 2), str(number), QUESTION, OAK.ink)
    for n, name in enumerate(pile):
        canvas.stamp(card_face(name, width), (44 + step * n + width / 2, height / 2))
    return canvas.sprite()


def _codex(scene: Scene, size: int) -> Iterator[HandRow]:
    """Yield a row with the shields of the codex, each with its number below; shields that the
    viewer does not know are face down.
    """
    places = scene.view.public["boards"]["STUDIEN"].get("places")
    if not places:
        return
    known = scene.view.private["codex"]
    sprites = tuple(
        shield("STUDIEN", "?" if value is None else str(value).replace("-", "−"), size)
        for value in known
    )
    numbers = tuple(str(n) for n in range(1, len(places) + 1))
    verb, _, place = scene.advised.partition(":")
    advised = frozenset({int(place) - 1} if verb in ("look", "take") else ())
    moves = set() if scene.focus else {*scene.legal}
    offered = frozenset(int(n) - 1 for n in numbers if {f"look:{n}", f"take:{n}"} & moves)
    yield HandRow(scene.say("Codex"), sprites, None, numbers, advised, offered)


def _face_down(scene: Scene, size: int, *, alone: bool) -> Iterator[HandRow]:
    """Yield a row with the face-down shields that the viewer knows, the viewer's own first: each
    with the colour that holds it, and its round below.

    :param size: the height of the shields.
    :param alone: whether there are no cards, so that the shields can be large.
    """
    view = scene.view
    owners = view.public["owners"]
    known = sorted(
        view.private.get("face_down", ()),
        key=lambda each: (owners[each["colour"]] != view.viewer, each["round"]),
    )
    if not known:
        return
    rounds = tuple(scene.say("Round {n}", n=ROMAN[each["round"]]) for each in known)
    apart = max(text_width(round_, FIGURE) for round_ in rounds) + 24
    large = tuple(_held(each["value"], each["colour"], SHIELD, apart) for each in known)
    if alone and sum(sprite.size[0] for sprite in large) <= ROOM:
        yield HandRow(scene.say("Face down"), large, below=rounds)
        return
    small = tuple(_held(each["value"], each["colour"], size) for each in known)
    yield HandRow(scene.say("Face down"), small, below=tuple(ROMAN[e["round"]] for e in known))


def _held(value: int, colour: int, size: int, least: int = 0) -> Sprite:
    """Return a shield together with the colour that holds it.

    :param size: the height of the shield.
    :param least: the minimum width of the sprite.
    """
    sign, piece = shield("STUDIEN", signed(value), size), round(size * 0.54)
    width, height = sign.size
    canvas = Canvas(max(least, width + piece), height)
    left = (canvas.width - width - piece * 0.84) / 2
    canvas.stamp(sign, (left + width / 2, height / 2))
    canvas.stamp(bold_token(colour, piece), (left + width + piece * 0.34, height / 2 + 6))
    return canvas.sprite()
