"""The pictures of Don Quixote: all principalities, a person's own with the hand, the accounts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.donquixote import account
from games.donquixote.tiles import TURNED
from render.canvas import Canvas, layer
from render.donquixote.colours import PALETTE
from render.donquixote.land import Land, Marks, draw_ground, draw_land
from render.donquixote.sheet import NOTE, draw_entries, entries
from render.donquixote.tiles import tile, tile_height
from render.donquixote.words import board_in_words, hand_in_words, position_as_text
from render.geometry import Box
from render.names import printed_names
from render.plates import Plate, Said, caption, card, draw_plate, title
from render.scene import Painter, Picture, Scene
from render.theme import INK, LIGHT, MARGIN, SOFT, WIDTH, Type
from render.words import TO_MOVE, VICTORY

HEIGHT = 896
CAPTION = Box(MARGIN, HEIGHT - 52, WIDTH - MARGIN, HEIGHT - 16)
TOP = 24
BOTTOM = CAPTION.top - 4
COUNTER = Type("strong", 30)


class DonQuixotePainter(Painter):
    """Draws tables, hands and scorings."""

    def board(self, scene: Scene) -> Picture:
        """All principalities, the totals and what the round asks for."""
        game = Table(scene)
        if len(game.boards) > 2:
            canvas = _grid(game)
        elif len(game.boards) == 2:
            canvas = _pair(game)
        else:
            canvas = _single(game, 0)
        caption(canvas, CAPTION, _caption(game), _status(game))
        return Picture("donquixote.png", canvas.png(PALETTE), board_in_words(scene))

    def hand(self, scene: Scene) -> Picture | None:
        """The viewer's principality and hand."""
        game = Table(scene)
        assert scene.view.viewer is not None
        canvas = _single(game, scene.view.viewer)
        caption(canvas, CAPTION, _caption(game), _status(game))
        return Picture("hand.png", canvas.png(PALETTE), hand_in_words(scene, scene.view.viewer))

    def text(self, scene: Scene) -> str:
        """Everything in words."""
        return "\n".join(position_as_text(scene))


@dataclass(frozen=True)
class Table:
    """A scene read once."""

    scene: Scene

    @property
    def public(self) -> Any:
        return self.scene.view.public

    @property
    def boards(self) -> Sequence[Any]:
        boards: Sequence[Any] = self.public["boards"]
        return boards

    @cached_property
    def names(self) -> list[str]:
        return printed_names(self.scene.names, self.scene.say)

    def plate(self, seat: int) -> Plate:
        view = self.scene.view
        winners = view.outcome.winners() if view.outcome else ()
        awaited = seat in self.public["awaited"]
        return Plate(seat, self.names[seat], awaited, seat in self.scene.computers, seat in winners)

    def marks(self, seat: int) -> Marks:
        latest = [
            fact.data["field"]
            for fact in self.scene.facts
            if fact.kind == "placed" and fact.data["seat"] == seat
        ]
        return Marks(due=self.public["field"], latest=latest)

    def account(self, seat: int) -> dict[str, Any]:
        return account(self.boards[seat], self.scene.view.round)


# ------------------------------------------------------------------------------- layouts
@layer
def _ground(lands: tuple[Land, ...]) -> Canvas:
    canvas = card(HEIGHT)
    return canvas


def _grid(game: Table) -> Canvas:
    """Three or four principalities, two in a row."""
    canvas = card(HEIGHT)
    cells = _cells()
    for seat, cell in enumerate(cells[: len(game.boards)]):
        draw_plate(canvas, cell, game.plate(seat))
        land = Land.centred(Box(cell.left + 2, cell.top + 56, cell.right - 2, cell.bottom - 2))
        draw_ground(canvas, land)
        draw_land(canvas, land, game.boards[seat], game.marks(seat), seat)
        _draw_counter(canvas, cell, game, seat)
    title(canvas, Box(MARGIN, TOP, MARGIN + 380, TOP + 44), "Don Quixote")
    return canvas


def _cells() -> list[Box]:
    area = Box(MARGIN, TOP + 52, WIDTH - MARGIN, BOTTOM)
    return [cell for row in area.rows(2, 10) for cell in row.columns(2, 20)]


def _draw_counter(canvas: Canvas, cell: Box, game: Table, seat: int) -> None:
    box = Box(cell.right - 150, cell.top + 10, cell.right - 10, cell.top + 46)
    canvas.rect(box, LIGHT, INK, 2, radius=10)
    now = game.account(seat)["points"]
    canvas.text(
        (box.left + 12, box.centre[1]), str(game.public["totals"][seat]), COUNTER, anchor="lm"
    )
    canvas.text((box.right - 12, box.centre[1]), f"+{now}", NOTE, SOFT, "rm")


def _pair(game: Table) -> Canvas:
    """Two principalities, one above the other, each with its sheet beside it."""
    canvas = card(HEIGHT)
    rooms = Box(MARGIN, TOP + 4, MARGIN + 670, BOTTOM).rows(2, 8)
    for seat, room in enumerate(rooms):
        land = Land.centred(room)
        draw_ground(canvas, land)
        draw_land(canvas, land, game.boards[seat], game.marks(seat), seat)
        side = Box(MARGIN + 670 + 24, room.top + 80, WIDTH - MARGIN, room.bottom)
        _draw_sheet(canvas, side, game, seat)
    title(canvas, Box(MARGIN + 694, TOP + 8, WIDTH - MARGIN, TOP + 60), "Don Quixote")
    return canvas


def _draw_sheet(canvas: Canvas, box: Box, game: Table, seat: int) -> None:
    room = draw_plate(canvas, box, game.plate(seat))
    reasons = game.account(seat)
    total = game.public["totals"][seat]
    draw_entries(canvas, room, entries(reasons), f"{total} + {reasons['points']}")


def _single(game: Table, seat: int) -> Canvas:
    """One principality with its sheet beside it and the hand below."""
    canvas = card(HEIGHT)
    land = Land(MARGIN + 10, TOP + 20, 100)
    draw_ground(canvas, land)
    draw_land(canvas, land, game.boards[seat], game.marks(seat), seat)
    left = land.box.right + land.wall + 20
    title(canvas, Box(left, TOP + 8, WIDTH - MARGIN, TOP + 60), "Don Quixote")
    _draw_sheet(canvas, Box(left, TOP + 80, WIDTH - MARGIN, land.box.bottom + 10), game, seat)
    _draw_hand(canvas, Box(MARGIN, land.box.bottom + 24, WIDTH - MARGIN, BOTTOM), game, seat)
    return canvas


def _draw_hand(canvas: Canvas, room: Box, game: Table, seat: int) -> None:
    hand = game.public["hands"][seat]
    if not hand:
        return
    width = 84
    height = tile_height(width)
    for number, (name, column) in enumerate(
        zip(hand, room.columns(max(9, len(hand))), strict=False), 1
    ):
        x = column.centre[0]
        canvas.stamp(tile(name, width), (x, room.top + height / 2))
        canvas.stamp(tile(name + TURNED, width), (x, room.top + height * 1.5 + 6))
        canvas.text((x, room.bottom - 16), f"{number} {name}", NOTE, INK)


def _caption(game: Table) -> list[str | Said]:
    return [game.scene.code]


def _status(game: Table) -> list[Said]:
    view, say = game.scene.view, game.scene.say
    if view.outcome:
        *others, last = view.outcome.winners()
        return [*(Said(seat, "") for seat in others), Said(last, say(VICTORY))]
    awaited = game.public["awaited"]
    return [
        *(Said(seat, "") for seat in awaited[:-1]),
        *(Said(seat, say(TO_MOVE)) for seat in awaited[-1:]),
    ]
