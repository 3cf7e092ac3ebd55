"""What is marked on Lancelot's field: who leads a line, and what a stone would take."""

from __future__ import annotations

from games.lancelot.position import LEAD_MAX, LancelotState
from render.canvas import Canvas
from render.geometry import Point
from render.lancelot.field import FieldGeometry
from render.lancelot.leads import led
from render.lancelot.pieces import pennant, wax_seal
from render.theme import LIGHT, Type

PENNANTS = 24
"""How far from the squares the middles of the pennants lie."""
NUMBER = Type("strong", 24)


def draw_leads(canvas: Canvas, field: FieldGeometry, state: LancelotState) -> None:
    """On the hem at the end of each row and column that is led: the leader's pennant, two of them
    for a lead of two or more, to which its leader cannot add.
    """
    size = min(36, field.cell - 14)
    for line, seat, lead in led(state):
        kind, _ = field.lines.labels[line]
        if kind == "diagonal":
            continue
        down, n = kind == "column", line % field.size
        x, y = field.square(n if down else n * field.size).centre
        x, y = (x, field.box.top - PENNANTS) if down else (field.box.right + PENNANTS, y)
        apart = min(size + 1, field.cell - size + 2) if lead >= LEAD_MAX else 0
        for aside in (-apart / 2, apart / 2) if apart else (0.0,):
            # A device that the next pennant would cover is left out.
            plain = aside < 0 and apart < size
            at = (x + aside, y) if down else (x, y + aside)
            canvas.stamp(pennant(seat, size, down, plain), at)


def draw_prize(canvas: Canvas, field: FieldGeometry, centre: Point, taken: int) -> None:
    """A burgundy disc with the number of stones that a stone placed here would take."""
    canvas.stamp(wax_seal(round(max(38.0, field.cell * 0.56))), centre)
    canvas.text(centre, f"{taken}", NUMBER, LIGHT)
