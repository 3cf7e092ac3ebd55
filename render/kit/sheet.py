"""Account sheets: a table with everyone's results in a hand or a round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from render.canvas import Canvas, write
from render.geometry import Box
from render.names import printed_names, spoken_names
from render.plates import PAPER, card, title, token
from render.scene import Scene
from render.theme import MIN_TEXT, PANEL, Type

ROW: Final = 64
NAME: Final = Type("strong", 28)
CELL: Final = Type("text", 28)
HEAD: Final = Type("text", MIN_TEXT)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The content of an account sheet.

    :param heading: the name of the hand or round.
    :param columns: the headings of the columns, up to six.
    :param rows: by seat, one value for each column, in words.
    """

    heading: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    def draw(self, scene: Scene) -> Canvas:
        """Draw the sheet."""
        canvas = card(200 + ROW * (len(self.rows) + 1))
        area = canvas.box.inset(48, 40)
        title(canvas, Box(area.left, area.top, area.right, area.top + 56), self.heading)
        names = printed_names(scene.names, scene.say)
        table = Box(area.left, area.top + 80, area.right, area.top + 80 + ROW * (1 + len(names)))
        head, *rows = table.rows(1 + len(names))
        cells = Box(table.left + 380, 0, table.right, ROW).columns(len(self.columns), gap=8)
        for cell, label in zip(cells, self.columns, strict=True):
            write(canvas, (cell.centre[0], head.centre[1]), label, HEAD, cell.width, PAPER.soft)
        for seat, (row, values) in enumerate(zip(rows, self.rows, strict=True)):
            canvas.rect(row.inset(0, 4), PANEL, radius=10)
            y = row.centre[1]
            canvas.stamp(token(seat, 38), (row.left + 32, y))
            write(canvas, (row.left + 64, y), names[seat], NAME, 300, anchor="lm")
            for cell, value in zip(cells, values, strict=True):
                write(canvas, (cell.centre[0], y), value, CELL, cell.width)
        return canvas

    def words(self, scene: Scene) -> str:
        """Return the sheet in words."""
        colon = scene.say.colon
        lines = []
        for name, values in zip(spoken_names(scene.names, scene.say), self.rows, strict=True):
            told = ", ".join(f"{c} {v}" for c, v in zip(self.columns, values, strict=True))
            lines.append(f"{name}{colon} {told}.")
        return f"{self.heading}{colon} {' '.join(lines)}"
