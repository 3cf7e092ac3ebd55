"""The marks on Lancelot's field: the moves since the last picture, the leaders of lines, and the
stones that a stone would take.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from math import ceil, copysign
from random import Random

from games.engine import Fact, View
from games.lancelot.game import Lancelot
from games.lancelot.position import LEAD_MAX, OVER, STONE, TURN, LancelotState
from render.canvas import Canvas
from render.geometry import Point
from render.lancelot.ground import FieldGeometry
from render.lancelot.pieces import barrier, pennant, wax_seal
from render.scene import Scene
from render.theme import INK, LIGHT, SEATS, Type


@dataclass(slots=True)
class News:
    """The events a picture marks: the moves since the last picture.

    :param placed: the squares of new stones, newest last.
    :param latest: the squares that the last turn concerns: the one with its stone, and the one on
        which it put Excalibur, if it did.
    :param taken: for each stone taken, its square and its seat.
    :param captor: the last seat that took stones; None if no stones were taken.
    :param spoils: the seat of each stone that it took.
    :param lines: kind and name of each line on which the last turn took stones.
    :param older: the same of earlier turns.
    :param sword_way: the squares that Excalibur left and reached.
    """

    placed: list[str] = field(default_factory=list)
    latest: list[str] = field(default_factory=list)
    taken: dict[str, int] = field(default_factory=dict)
    captor: int | None = None
    spoils: list[int] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)
    older: list[tuple[str, str]] = field(default_factory=list)
    sword_way: tuple[str, str] | None = None

    @classmethod
    def of(cls, scene: Scene) -> News:
        """Collect the news from the facts and, in the middle of a turn in which Excalibur has
        moved, from the position.
        """
        news, public = cls(), scene.view.public
        if public["lifted"]:
            news.sword_way = public["lifted"], public["excalibur"]
            news.latest = [public["excalibur"]]
        mover = None
        for fact in scene.facts:
            if fact.kind in ("placed", "sword_set", "sword_moved"):
                if fact.data["seat"] != mover:
                    mover, news.latest = fact.data["seat"], []
                    news.older, news.lines = news.older + news.lines, []
                news._add_move(fact)
            elif fact.kind == "captured":
                news._add_capture(fact)
        return news

    def _add_move(self, fact: Fact) -> None:
        square = fact.data["square"]
        self.latest.append(square)
        self.taken.pop(square, None)
        if fact.kind == "placed":
            self.placed.append(square)
        elif fact.kind == "sword_moved":
            self.sword_way = fact.data["origin"], square

    def _add_capture(self, fact: Fact) -> None:
        data = fact.data
        self.captor, self.spoils = data["seat"], data["owners"]
        self.taken |= zip(data["squares"], data["owners"], strict=True)
        self.lines += [(line["line"], line["name"]) for line in data["lines"] if line["squares"]]


_GAME = Lancelot()


def position_from_view(view: View) -> LancelotState:
    """Return the position that a view shows; this works because Lancelot has no secrets."""
    return _GAME.determinize(view, Random(0))


def led(state: LancelotState) -> Iterator[tuple[int, int, int]]:
    """For each line that a seat leads, yield the line's number, the leader and the lead."""
    for line, pieces in enumerate(state.pieces):
        for seat, own in enumerate(state.own):
            if 2 * own[line] > pieces:
                yield line, seat, state.lead(seat, line)


def takes(state: LancelotState, seat: int) -> dict[str, list[str]]:
    """Return the stones that a single stone of ``seat`` would take, for each square on which it
    could be placed.

    Include only squares on which it may be placed and would take something. Assume that the King's
    power is not used; if the seat has just used it, count Excalibur as the seat's own.
    """
    found: dict[str, list[str]] = {}
    if state.phase == OVER or not state.stock[seat]:
        return found
    for square in state.field.pick(state.field.names, state.open_squares(seat)):
        trial, facts = state.clone(), list[Fact]()
        if seat != trial.turn and trial.phase == STONE:
            trial.phase = TURN
        trial.turn = seat
        _GAME.do(trial, seat, square, facts)
        if taken := [name for f in facts if f.kind == "captured" for name in f.data["squares"]]:
            found[square] = taken
    return found


PENNANTS = 21
"""Distance between the squares and the centres of the pennants."""
LARGE = 42
"""Width of a pennant, and of the bar that closes a line."""
NUMBER = Type("strong", 34)


def draw_leads(
    canvas: Canvas,
    field: FieldGeometry,
    state: LancelotState,
    touched: Collection[str] = (),
    of: int | None = None,
) -> None:
    """Draw which lines are led: for a column or row, the leader's pennant on the hem at its end, or
    a bar as wide as the line if the leader may add no stone; for a diagonal, a line across the
    field. Few diagonals are drawn: those of all seats together would fill the field.

    :param touched: the squares whose diagonals are drawn.
    :param of: the seat whose lines are marked, with all its diagonals; None: all seats.
    """
    for line, seat, lead in led(state):
        if of is not None and seat != of:
            continue
        kind, name = field.lines.labels[line]
        closed = lead >= LEAD_MAX
        if kind == "diagonal":
            if of is not None or set(field.squares(kind, name)) & set(touched):
                draw_diagonal(canvas, diagonal_of(field, name), seat, field.cell, closed=closed)
            continue
        down, place = kind == "column", line % field.size
        x, y = field.square(place if down else place * field.size).centre
        at = (x, field.box.top - PENNANTS) if down else (field.box.right + PENNANTS, y)
        mark = barrier(seat, field.cell - 8, LARGE, down) if closed else pennant(seat, LARGE, down)
        canvas.stamp(mark, at)


def diagonal_of(field: FieldGeometry, name: str) -> tuple[Point, Point]:
    """Return the ends of the line that marks a diagonal, inside its outer squares."""
    (x, y), (to_x, to_y) = field.line("diagonal", name)
    over = field.cell / 8
    right, down = copysign(over, to_x - x), copysign(over, to_y - y)
    return (x - right, y - down), (to_x + right, to_y + down)


def draw_diagonal(
    canvas: Canvas, line: tuple[Point, Point], seat: int, cell: float, *, closed: bool
) -> None:
    """Draw the line of a diagonal's leader, broken unless the leader may add no stone. It consists
    of equal pieces, which are drawn with the same small mask; every second one is between two
    squares, where no stone hides it. Both ends have dots, because several lines may end side by
    side.
    """
    stride = cell / 2
    (x, y), (to_x, to_y) = line
    right, down = copysign(1, to_x - x), copysign(1, to_y - y)
    length, piece = abs(to_x - x), stride if closed else stride / 2
    for width, colour in ((13, INK), (9, SEATS[seat].colour)):
        for number in range(ceil(length / stride)):
            start = number * stride
            ends = [(x + right * n, y + down * n) for n in (start, min(start + piece, length))]
            canvas.line(ends, colour, width)
    for end in line:
        canvas.circle(end, 11, SEATS[seat].colour, INK, 2)


def draw_prize(canvas: Canvas, field: FieldGeometry, centre: Point, taken: int) -> None:
    """Draw a burgundy disc with the number of stones that a stone placed here would take."""
    canvas.stamp(wax_seal(round(max(38.0, field.cell * 0.56))), centre)
    canvas.text(centre, f"{taken}", NUMBER, LIGHT)
