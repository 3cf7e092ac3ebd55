"""A painter that draws the layout given by a game."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, product
from math import ceil, sqrt
from typing import Final

from data.texts import Texts
from games.engine import CHANCE
from render.canvas import Canvas, Sprite, write
from render.geometry import Box, Point
from render.kit.cards import Laid, PlayingCard, draw_row
from render.kit.sheet import Sheet
from render.kit.surfaces import BoardSurface
from render.names import printable, printed_names, spoken_names
from render.plates import (
    EDGE,
    HEADER,
    OAK,
    PAPER,
    Ground,
    Plate,
    Said,
    caption,
    card,
    draw_plate,
    said_of,
    title,
    token,
)
from render.scene import Painter, Picture, Scene, first_fitting
from render.theme import (
    GOLD,
    HOUSE,
    INK,
    LIGHT,
    LINE,
    MIN_TEXT,
    PANEL,
    SEAT_COLOURS,
    SEAT_SHADES,
    SEATS,
    SHADOW,
    Colour,
    Palette,
    Type,
    mix,
)
from render.words import NOT_YOUR_TURN, SEAT_LOOKS, VICTORY, over_hand, standing, turn_words

HEIGHT: Final = 860
HAND_HEIGHT: Final = 480
TITLE: Final = Box(40, 24, 1160, 80)
TABLE: Final = Box(32, 92, 800, 784)
"""The area for a surface or for rows of cards."""
SIDE: Final = Box(824, 96, 1160, 776)
"""The area for the name plates."""
CAPTION: Final = Box(40, 796, 1160, 840)
NOTE: Final = Type("text", 28)
LINE_HEIGHT: Final = 34
HEADING: Final = Type("text", MIN_TEXT)
SMALLEST_DISC: Final = 44
"""A piece without a seat that is narrower than this has no disc, only its label."""
LABEL_SHARE: Final = 0.5
"""Height of a label as a share of the width of its piece."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on a place of the surface.

    :param seat: its owner; the piece is drawn as that seat's shield, unless it has a ``sprite``.
    :param label: the text on a piece without an owner, up to three characters.
    :param sprite: the piece's picture, which is drawn at its own size.
    :param words: its name in descriptions; not needed for a seat's shield.
    :param sign: its character in texts; by default, its seat's sign or the first character of its
        label.
    """

    place: str
    seat: int | None = None
    label: str = ""
    sprite: Sprite | None = None
    words: str = ""
    sign: str = ""

    @property
    def character(self) -> str:
        """The piece as a character in a text."""
        shape = "" if self.seat is None else SEATS[self.seat].sign
        return self.sign or shape or self.label[:1] or "?"


@dataclass(frozen=True, slots=True)
class Spread:
    """The layout of a table.

    :param surface: the board with its places, if there is one.
    :param rows: rows of cards, drawn below the surface if there is one.
    :param notes: for each seat, up to three short lines on its name plate, in the picture's
        language.
    """

    surface: BoardSurface | None = None
    pieces: Sequence[Piece] = ()
    rows: Sequence[Laid] = ()
    notes: Mapping[int, Sequence[str]] = field(default_factory=dict)


class KitPainter(Painter):
    """Draws a table from its ``Spread``, with hands and account sheets if the game has them. It
    marks the places where the last moves ended and where legal moves would end.

    :cvar title: the name of the game, marked for the catalogues.
    :cvar ground: the background of the board.
    """

    title: str
    ground: Ground = OAK

    # -- implemented by a game
    @abstractmethod
    def spread(self, scene: Scene) -> Spread:
        """Return the layout of the table, using nothing but ``scene.view.public``."""

    def held_cards(self, scene: Scene) -> Sequence[PlayingCard] | None:
        """Return the hand of ``scene.view.viewer``; None, the default, if the game has no hands."""
        return None

    def account(self, scene: Scene) -> Sheet | None:
        """Return the account for ``scene.facts``; None, the default, if there is none."""
        return None

    # -- pictures
    def draw(self, scene: Scene) -> Canvas:
        """Draw the surface with its pieces, the rows of cards, name plates and caption."""
        spread, say = self.spread(scene), scene.say
        canvas = card(HEIGHT, self.ground)
        title(canvas, TITLE, say(self.title), self.ground)
        table, below = TABLE, TABLE
        if spread.surface is not None:
            if spread.rows:
                table = Box(*TABLE[:3], TABLE.bottom - 190)
                below = Box(TABLE.left, table.bottom, *TABLE[2:])
            self._draw_surface(canvas, table, spread, scene)
            self._draw_targets(canvas, table, spread.surface, scene)
        self._draw_rows(canvas, below, spread.rows)
        self._draw_plates(canvas, scene, spread)
        caption(canvas, CAPTION, self._said(scene), _status(scene), self.ground)
        return canvas

    def describe(self, scene: Scene) -> str:
        """Return the positions of pieces and cards in words, in as much detail as fits."""
        return first_fitting(self._descriptions(scene, self.spread(scene)), scene.say)

    def hand(self, scene: Scene) -> Picture | None:
        """Draw the viewer's cards, under the heading from ``over_hand``."""
        cards = self.held_cards(scene)
        if cards is None:
            return None
        say = scene.say
        mine = scene.view.viewer in scene.view.actors
        asked = say("It is your turn.") if mine else say(NOT_YOUR_TURN)
        told = over_hand(scene, printed_names(scene.names, say), asked)
        canvas = card(HAND_HEIGHT, self.ground)
        title(canvas, TITLE, say(self.title), self.ground)
        canvas.text((600, 108), told, NOTE, self.ground.soft)
        draw_row(canvas, Box(48, 136, 1152, 448), cards)
        held = say("You hold: {cards}.", cards=_listed(cards, scene))
        return self._picture(canvas, scene, "-hand", [f"{say(self.title)}. {told} {held}"])

    def results(self, scene: Scene) -> list[Picture]:
        """Return the account, if there is one."""
        sheet = self.account(scene)
        if sheet is None:
            return []
        return [self._picture(sheet.draw(scene), scene, "-account", [sheet.words(scene)])]

    def text(self, scene: Scene) -> str:
        """Return the surface, the cards, and a line for each seat."""
        spread, say = self.spread(scene), scene.say
        names = spoken_names(scene.names, say)
        lines = [f"{say(self.title)} · {scene.code}", standing(scene.view, names, say), ""]
        if spread.surface is not None:
            signs = {piece.place: piece.character for piece in spread.pieces}
            lines += [*spread.surface.text(signs), ""]
        lines += [f"{row.heading}{say.colon} {_listed(row.cards, scene)}" for row in spread.rows]
        lines += [
            ", ".join([f"{SEATS[seat].sign} {name}", *spread.notes.get(seat, ())])
            for seat, name in enumerate(names)
        ]
        held = self.held_cards(scene) if scene.view.viewer is not None else None
        if held is not None:
            lines.append(say("You hold: {cards}.", cards=_listed(held, scene)))
        return "\n".join(lines)

    # -- parts
    def _picture(
        self, canvas: Canvas, scene: Scene, kind: str, descriptions: Iterable[str]
    ) -> Picture:
        png = canvas.png(self.palette)
        words = first_fitting(descriptions, scene.say)
        return Picture(f"{scene.view.game}{kind}.png", png, words)

    @cached_property
    def palette(self) -> Palette:  # type: ignore[override]
        """The kit's colours, the blends at its soft edges, and the game's own colours."""
        grounds = [*_tones(self.ground), *_tones(PAPER)]
        inks = (INK, LIGHT, *(seat.colour for seat in SEATS), *SEAT_SHADES, GOLD, SHADOW)
        flat = (LIGHT, PANEL, self.ground.material.light, INK, LINE)
        soft = (
            mix(under, ink, share)
            for share in (0.5, 0.25, 0.75)
            for ink, under in product((*self.kept, *inks), flat)
        )
        colours = dict.fromkeys(chain(HOUSE, SEAT_COLOURS, self.kept, grounds, soft))
        return Palette(list(colours)[: Palette.SLOTS])

    def _draw_surface(self, canvas: Canvas, box: Box, spread: Spread, scene: Scene) -> None:
        surface = spread.surface
        if surface is None:
            return
        surface.draw(canvas, box, self.ground.soft)
        there: dict[str, list[Piece]] = defaultdict(list)
        for piece in spread.pieces:
            there[piece.place].append(piece)
        for place, together in there.items():
            marked = any(ends_at(move, place) for _, move in scene.moves)
            side = ceil(sqrt(len(together)))
            size = surface.room(box) / side
            x, y = surface.centre(place, box)
            for n, piece in enumerate(together):
                line, column = divmod(n, side)
                off = (side - 1) / 2
                at = x + (column - off) * size, y + (line - off) * size
                _draw_piece(canvas, at, piece, int(size))
                if marked:
                    canvas.ring(at, size / 2)

    def _draw_targets(self, canvas: Canvas, box: Box, surface: BoardSurface, scene: Scene) -> None:
        """Draw a dot on each place where a legal move that begins with ``scene.focus`` ends."""
        ends = [move for move in scene.legal if move.startswith(scene.focus)]
        seat = next(iter(scene.view.actors), 0)
        for place in surface.places:
            if any(ends_at(move, place) for move in ends):
                centre = surface.centre(place, box)
                canvas.circle(centre, surface.room(box) / 8, SEATS[seat].colour, INK, 2)

    def _draw_rows(self, canvas: Canvas, box: Box, rows: Sequence[Laid]) -> None:
        for part, row in zip(box.rows(max(1, len(rows)), gap=8), rows, strict=False):
            at = part.left + 8, part.top + 16
            write(canvas, at, row.heading, HEADING, part.width, self.ground.soft, "lm")
            draw_row(canvas, Box(part.left, part.top + 32, part.right, part.bottom), row.cards)

    def _draw_plates(self, canvas: Canvas, scene: Scene, spread: Spread) -> None:
        view, names = scene.view, printed_names(scene.names, scene.say)
        winners = view.outcome.winners() if view.outcome else ()
        for seat, box in enumerate(SIDE.rows(max(3, view.players), gap=12)[: view.players]):
            notes = spread.notes.get(seat, ())
            height = HEADER + 2 * EDGE + (16 + LINE_HEIGHT * len(notes) if notes else 0)
            low = Box(*box[:3], min(box.bottom, box.top + height))
            plate = Plate(
                seat, names[seat], seat in view.actors, seat in scene.computers, seat in winners
            )
            room = draw_plate(canvas, low, plate)
            for n, line in enumerate(notes[: int(room.height / LINE_HEIGHT)]):
                at = room.left, room.top + (n + 0.5) * LINE_HEIGHT
                write(canvas, at, line, NOTE, room.width, INK, "lm")

    def move_in_caption(self, move: str, say: Texts) -> str:
        """Return a move as it is written in the caption; by default, its notation in capitals."""
        return move.upper()

    def _said(self, scene: Scene) -> list[str | Said]:
        moves = [(seat, self.move_in_caption(move, scene.say)) for seat, move in scene.moves]
        return [scene.code, *(Said(seat, words) for seat, words in moves if seat != CHANCE)]

    # -- words
    def _descriptions(self, scene: Scene, spread: Spread) -> Iterator[str]:
        """Yield descriptions, from the longest to the shortest."""
        yield " ".join(self._sentences(scene, spread))
        yield " ".join(self._sentences(scene, replace(spread, pieces=())))
        yield " ".join(self._sentences(scene, Spread()))

    def _sentences(self, scene: Scene, spread: Spread) -> Iterator[str]:
        say, names = scene.say, spoken_names(scene.names, scene.say)
        yield f"{say(self.title)}, {scene.code}."
        yield standing(scene.view, names, say)
        for seat, name in enumerate(names):
            look = say(SEAT_LOOKS[seat])
            own = [piece for piece in spread.pieces if piece.seat == seat]
            told = [piece.words or piece.place.upper() for piece in own]
            told += spread.notes.get(seat, ())
            if told:
                yield say("{name} ({look}): {told}.", name=name, look=look, told=", ".join(told))
            else:
                yield f"{name} ({look})."
        for piece in spread.pieces:
            if piece.seat is None:
                yield f"{piece.place.upper()}{say.colon} {piece.words or piece.label}."
        for row in spread.rows:
            yield f"{row.heading}{say.colon} {_listed(row.cards, scene)}."


def ends_at(move: str, place: str) -> bool:
    """Return whether a move's last word names a place: ``a1-b2`` ends at ``b2``."""
    return re.split(r"[^A-Za-z0-9]+", move)[-1].casefold() == place.casefold()


def _draw_piece(canvas: Canvas, centre: Point, piece: Piece, size: int) -> None:
    if piece.sprite is not None:
        canvas.stamp(piece.sprite, centre)
    elif piece.seat is not None:
        canvas.stamp(token(piece.seat, size), centre)
    else:
        if size >= SMALLEST_DISC:
            canvas.circle(centre, size / 2, LIGHT, INK, 3)
        kind = Type("strong", max(MIN_TEXT, int(size * LABEL_SHARE)))
        write(canvas, centre, printable(piece.label), kind, size * 1.2, INK)


def _status(scene: Scene) -> list[Said]:
    """Return who has to move, or who has won."""
    view, say = scene.view, scene.say
    seats = view.outcome.winners() if view.outcome else [seat for seat in view.actors if seat >= 0]
    return said_of(seats, say(VICTORY if view.outcome else turn_words(view)))


def _listed(cards: Sequence[PlayingCard], scene: Scene) -> str:
    """List cards in words, with their owners."""
    say, names = scene.say, spoken_names(scene.names, scene.say)
    told = []
    for each in cards:
        words = each.words or each.label or say("face down")
        told.append(words if each.seat is None else f"{words} ({names[each.seat]})")
    return ", ".join(told) or say("nothing")


def _tones(ground: Ground) -> list[Colour]:
    """Return the colours of a ground: the tones of its material, and its inks."""
    dark, light = ground.material.dark, ground.material.light
    tones = [mix(dark, light, step / 3) for step in range(4)]
    return [*tones, ground.rim, ground.ink, ground.soft, ground.faint, ground.line]
