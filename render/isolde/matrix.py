"""A table of boards and colours: in short on a hand, in full as the sheet of a round."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from render.canvas import Canvas
from render.geometry import Box
from render.isolde.devices import medallion
from render.isolde.standings import BoardView
from render.isolde.words import DRAFTING
from render.plates import token
from render.scene import Scene
from render.theme import INK, LINE, PANEL, SOFT, Type

FIELD = Type("strong", 28)
PLACE = Type("text", 24)
ROW = 46
HEAD = 52
WHO = 60


def matrix_height(scene: Scene) -> int:
    """Height of the table of all positions."""
    return HEAD + ROW * len(scene.view.public["owners"])


def draw_positions(canvas: Canvas, box: Box, scene: Scene) -> None:
    """A row for each colour, a column for each board: the field, and the place behind it."""
    boards: Mapping[str, BoardView] = scene.view.public["boards"]
    owners: Sequence[int | None] = scene.view.public["owners"]
    columns = Box(box.left + WHO, box.top, box.right, box.bottom).columns(len(boards))
    for colour, owner in enumerate(owners):
        row = _row(box, colour)
        if owner is not None and owner == scene.view.viewer:
            canvas.rect(Box(*map(round, row)), PANEL)
        canvas.rect(Box(row.left, round(row.top), row.right, round(row.top) + 2), LINE)
        canvas.stamp(token(colour, 36), (box.left + WHO / 2, row.centre[1]))
    advised = _advised(scene)
    for (board, here), column in zip(boards.items(), columns, strict=True):
        if board in advised:
            canvas.frame(column.inset(6, 2), radius=10)
        canvas.stamp(medallion(board, 40), (column.centre[0], box.top + HEAD / 2))
        for colour in range(len(owners)):
            _draw_position(canvas, _row(column, colour), here, colour)


def _advised(scene: Scene) -> set[str]:
    """The boards on which an advised move moves."""
    if scene.view.phase in DRAFTING:
        return set()
    _, _, argument = scene.advised.partition(":")
    return {part.rstrip("0123456789") for part in re.split("[>+]", argument)}


def _row(box: Box, colour: int) -> Box:
    top = box.top + HEAD + ROW * colour
    return Box(box.left, top, box.right, top + ROW)


def _draw_position(canvas: Canvas, cell: Box, here: BoardView, colour: int) -> None:
    """The field; who has moved has a place as well."""
    field = here["positions"][colour]
    x, y = cell.centre
    if not field:
        canvas.text((x, y), "0", PLACE, SOFT)
        return
    place = here["order"].index(colour) + 1
    right = canvas.text((x - 8, y), str(field), FIELD, INK).right
    canvas.text((right + 8, y), f"{place}.", PLACE, SOFT, "lm")
