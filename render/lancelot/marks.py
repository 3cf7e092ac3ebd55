"""The marks on Lancelot's field: the moves since the last picture, the leaders of lines, and the
stones that a stone would take.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import permutations
from math import atan2, copysign, pi
from random import Random

from games.engine import Fact, View
from games.lancelot.game import Lancelot
from games.lancelot.position import LEAD_MAX, OVER, STONE, TURN, LancelotState
from render.canvas import Canvas, Sprite
from render.geometry import Point
from render.lancelot.ground import FieldGeometry
from render.lancelot.pieces import barrier, pennant, wax_seal
from render.scene import Scene
from render.theme import LIGHT, Type


@dataclass(slots=True)
class News:
    """The events a picture marks: the moves since the last picture.

    :param placed: the squares of new stones, newest last.
    :param latest: the squares that the last turn concerns: the one with its stone, and the one on
        which it put Excalibur, if it did.
    :param taken: for each stone taken, its square and its seat.
    :param captor: the last seat that took stones; None if no stones were taken.
    :param spoils: the seat of each stone that it took.
    :param lines: kind and name of each line on which stones were taken.
    :param sword_way: the squares that Excalibur left and reached.
    """

    placed: list[str] = field(default_factory=list)
    latest: list[str] = field(default_factory=list)
    taken: dict[str, int] = field(default_factory=dict)
    captor: int | None = None
    spoils: list[int] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)
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


PENNANTS = 20
"""Distance between the squares and the centres of the pennants."""
LARGE, CLOSED = 42, 46
"""Sizes of a pennant, and of the square for a line on which its leader may add no stone."""
NUMBER = Type("strong", 34)


def draw_leads(
    canvas: Canvas,
    field: FieldGeometry,
    state: LancelotState,
    touched: Collection[str] = (),
    of: int | None = None,
) -> None:
    """Draw the leader's pennant on the hem at the end of each line that is led, or a square for a
    lead of two or more, with which the leader may add no stone. Few diagonals have pennants, at
    both ends: those of all seats together would fill the hem.

    :param touched: the squares whose diagonals have pennants.
    :param of: the seat whose lines have pennants, with all its diagonals; None: all seats.
    """
    for line, seat, lead in led(state):
        if of is not None and seat != of:
            continue
        kind, name = field.lines.labels[line]
        closed = barrier(seat, CLOSED) if lead >= LEAD_MAX else None
        if kind == "diagonal":
            if of is None and not set(field.squares(kind, name)) & set(touched):
                continue
            for at, out in diagonal_ends(field, name):
                canvas.stamp(closed or _aslant(seat, out), at)
            continue
        down, place = kind == "column", line % field.size
        x, y = field.square(place if down else place * field.size).centre
        at = (x, field.box.top - PENNANTS) if down else (field.box.right + PENNANTS, y)
        canvas.stamp(closed or pennant(seat, LARGE, down), at)


def diagonal_ends(field: FieldGeometry, name: str) -> Iterator[tuple[Point, Point]]:
    """Yield, for each pennant of a diagonal, its place beside the corner of its last square and the
    direction in which the diagonal leaves the field there.
    """
    centre = field.box.centre
    reach = field.box.width / 2 - field.cell
    for (x, y), other in permutations(field.line("diagonal", name)):
        out = copysign(1, x - other[0]), copysign(1, y - other[1])
        aside = abs(x - centre[0]) > reach, abs(y - centre[1]) > reach
        shift = [field.cell / 2 + PENNANTS * over for over in aside]
        place = x + out[0] * shift[0], y + out[1] * shift[1]
        yield place, out


def _aslant(seat: int, out: Point) -> Sprite:
    """Return a pennant that points into the field."""
    eighths = round(atan2(out[0], -out[1]) / (pi / 4))
    return pennant(seat, LARGE, down=True, eighths=eighths)


def draw_prize(canvas: Canvas, field: FieldGeometry, centre: Point, taken: int) -> None:
    """Draw a burgundy disc with the number of stones that a stone placed here would take."""
    canvas.stamp(wax_seal(round(max(38.0, field.cell * 0.56))), centre)
    canvas.text(centre, f"{taken}", NUMBER, LIGHT)
