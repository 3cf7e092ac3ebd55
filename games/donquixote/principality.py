"""A principality: its pieces, its road networks, its score.

Sets of halves are ints: bit ``f`` is the upper half of field ``f``, bit ``24 + f`` the lower half.
A set of ports is an int that consists of three such sets: the short edge of each half (N or S), its
right edge (NE or SE) and its left edge (NW or SW). So the half of a port follows from its bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from games.donquixote.tiles import (
    CASTLE,
    CASTLES,
    CHURCH,
    FIELDS,
    KNIGHT,
    NOTHING,
    PIECES,
    PORTS,
    WINDMILL,
    TurnedTile,
    neighbour,
)

GROUP_POINTS = (0, 0, 2, 6, 8, 10, 12)
"""Points by the number of connected churches or windmills: 2 for a pair, and 2 for each building of
a larger group.
"""

KNIGHTS_NEEDED = (1, 2, 3)
"""The number of knights that a castle needs, by round."""

STRENGTH_NEEDED = (4, 8, 12)
"""The strength that the national defence needs, by round."""

DEFENCE_POINTS = 5

LAST_ROUND = 3
"""The round that also scores the largest group of knights."""

UPPER, LOWER = "u", "l"
HALVES = tuple(name + half for half in (UPPER, LOWER) for name in FIELDS)
"""Names of all halves, by number: ``A1u``, ``B1u``, ..., ``H3l``."""

STRETCH = len(HALVES)

ALL_HALVES = (1 << len(HALVES)) - 1

EDGES = {"N": 0, "S": 0, "NE": 1, "SE": 1, "NW": 2, "SW": 2}

# The marks of a half. A knight of strength 3 has three marks, so counting marks gives the strength
# of any set of halves.
CHURCHES, WINDMILLS, KNIGHTS, STRONGER, STRONGEST, CASTLE_6, CASTLE_4 = range(7)
MARKS = 7

# Whether a knight defends the country: DEFENDS, or the first of three conditions that is not met.
INSIDE, INNER_HALF, NO_DIRECT_ROAD, DEFENDS = (
    "not_on_border_field",
    "inner_half",
    "no_direct_road",
    "defends",
)


class Points(NamedTuple):
    """The points of a scoring, by category."""

    castle6: int
    castle4: int
    churches: int
    windmills: int
    defence: int
    group: int


# ------------------------------------------------------------------- a piece on a field
@dataclass(frozen=True, slots=True)
class LaidTile:
    """A piece on a field, with all its properties that do not depend on other pieces.

    :param roads: for each separate road, its halves and the ports that its exits face.
    :param exits: ports where its roads leave the tile.
    :param around: ports of neighbouring fields that face it.
    :param marks: its marks, each with its halves.
    :param guard: the strength it adds to the national defence.
    """

    roads: tuple[tuple[int, int], ...]
    exits: int
    around: int
    marks: tuple[tuple[int, int], ...]
    guard: int


@cache
def laid(name: str, where: str) -> LaidTile:
    """Return the piece ``name`` on the field ``where``."""
    piece = PIECES[name]
    roads = [ports for ports in (piece.upper, piece.lower) if ports]
    if piece.tile.linked:
        roads = [piece.exits]
    return LaidTile(
        roads=tuple((_halves_of(where, ports), _faced(where, ports)) for ports in roads),
        exits=sum(_port_bit(where, port) for port in piece.exits),
        around=_faced(where, PORTS),
        marks=tuple((mark, _marked_halves(piece, where)) for mark in _marks_of(piece)),
        guard=piece.tile.worth if defence_status(name, where) == DEFENDS else 0,
    )


def _half(where: str, upper: bool) -> int:
    return FIELDS.index(where) + (0 if upper else len(FIELDS))


def _port_bit(where: str, port: str) -> int:
    return 1 << EDGES[port] * len(HALVES) + _half(where, upper="N" in port)


def _halves_of(where: str, ports: Iterable[str]) -> int:
    return sum(1 << half for half in {_half(where, upper="N" in port) for port in ports})


def _faced(where: str, ports: Iterable[str]) -> int:
    neighbours = (neighbour(where, port) for port in ports)
    return sum(_port_bit(*there) for there in neighbours if there is not None)


def _marks_of(piece: TurnedTile) -> tuple[int, ...]:
    return {
        CHURCH: (CHURCHES,),
        WINDMILL: (WINDMILLS,),
        KNIGHT: (KNIGHTS, STRONGER, STRONGEST)[: piece.tile.worth],
        CASTLE: (CASTLE_6 if piece.tile == CASTLES[0] else CASTLE_4,),
        NOTHING: (),
    }[piece.tile.symbol]


def _marked_halves(piece: TurnedTile, where: str) -> int:
    """Return the half with the symbol. For a castle, return both halves, because its symbol is
    between its roads.
    """
    if piece.tile.symbol == CASTLE:
        return _halves_of(where, piece.exits)
    return 1 << _half(where, piece.symbol_up)


def defence_status(name: str, where: str) -> str | None:
    """Return whether a knight on this field defends the country, or the first condition that is not
    met.

    The half with the knight must be on the border, and a road of that half must lead out of the
    principality.

    :returns: DEFENDS, INSIDE, INNER_HALF or NO_DIRECT_ROAD; None if the piece is not a knight.
    """
    piece = PIECES[name]
    if piece.tile.symbol != KNIGHT:
        return None
    outside = {port for port in EDGES if neighbour(where, port) is None}
    if not outside:
        return INSIDE
    if not any(("N" in port) == piece.symbol_up for port in outside):
        return INNER_HALF
    own = piece.upper if piece.symbol_up else piece.lower
    return DEFENDS if own & outside else NO_DIRECT_ROAD


# ----------------------------------------------------------------------- the principality
@dataclass(slots=True)
class Principality:
    """A principality being built. Everything else follows from ``board``, and is kept up to date.

    :param board: field -> piece.
    :param exits: ports where a road leaves a tile.
    :param covered: ports that face a piece.
    :param guard: total strength of the knights that defend the country.
    :param marks: the halves of each mark.
    :param networks: sets of halves joined by road, in no particular order.
    """

    board: dict[str, str] = field(default_factory=dict)
    exits: int = 0
    covered: int = 0
    guard: int = 0
    marks: list[int] = field(default_factory=lambda: [0] * MARKS)
    networks: list[int] = field(default_factory=list, compare=False)

    @classmethod
    def of(cls, board: Mapping[str, str]) -> Principality:
        """Return the principality with these pieces."""
        land = cls()
        for where, name in board.items():
            land.lay(name, where)
        return land

    def clone(self) -> Principality:
        """Return a copy that shares nothing mutable."""
        return Principality(
            self.board.copy(),
            self.exits,
            self.covered,
            self.guard,
            self.marks[:],
            self.networks[:],
        )

    def lay(self, name: str, where: str) -> None:
        """Place a piece on a free field; any piece is allowed there."""
        piece = laid(name, where)
        self.board[where] = name
        for halves, faced in piece.roads:
            self._join(halves, faced & self.exits)
        self.exits |= piece.exits
        self.covered |= piece.around
        self.guard += piece.guard
        for mark, halves in piece.marks:
            self.marks[mark] |= halves

    def _join(self, halves: int, met: int) -> None:
        """Add a road, which joins all networks that it meets at these ports."""
        if met:
            touched = (met | met >> STRETCH | met >> 2 * STRETCH) & ALL_HALVES
            apart = []
            for network in self.networks:
                if network & touched:
                    halves |= network
                else:
                    apart.append(network)
            self.networks = apart
        self.networks.append(halves)

    def free_fields(self) -> list[str]:
        """Return the empty fields, in reading order."""
        return [where for where in FIELDS if where not in self.board]

    # -- scoring
    def score(self, round_: int) -> Points:
        """Return the points of the scoring of a round (1 to 3)."""
        marks = self.marks
        return Points(
            castle6=self.castle_points(CASTLE_6, round_),
            castle4=self.castle_points(CASTLE_4, round_),
            churches=self.group_points(marks[CHURCHES]),
            windmills=self.group_points(marks[WINDMILLS]),
            defence=DEFENCE_POINTS if self.guard >= STRENGTH_NEEDED[round_ - 1] else 0,
            group=self.largest_group() if round_ == LAST_ROUND else 0,
        )

    def castle_points(self, castle: int, round_: int) -> int:
        """Return the castle's value if enough knights are connected to it, otherwise 0."""
        knights = self.halves_at_castle(castle) & self.marks[KNIGHTS]
        enough = knights.bit_count() >= KNIGHTS_NEEDED[round_ - 1]
        return CASTLES[castle - CASTLE_6].worth if enough else 0

    def halves_at_castle(self, castle: int) -> int:
        """Return all halves connected to a castle by either of its two roads."""
        roads = self.marks[castle]
        reached = 0
        for network in self.networks:
            if network & roads:
                reached |= network
        return reached

    def group_points(self, buildings: int) -> int:
        """Return the points for buildings of one kind: every group of at least two counts."""
        points = 0
        for network in self.networks:
            points += GROUP_POINTS[(network & buildings).bit_count()]
        return points

    def largest_group(self) -> int:
        """Return the strength of the strongest group of connected knights; a single knight is a
        group.
        """
        knights = self.marks[KNIGHTS]
        groups = [network for network in self.networks if network & knights]
        return max(map(self.strength, groups), default=0)

    def strength(self, halves: int) -> int:
        """Return the total strength of the knights on these halves."""
        _, _, knights, stronger, strongest, _, _ = self.marks
        return (
            (halves & knights).bit_count()
            + (halves & stronger).bit_count()
            + (halves & strongest).bit_count()
        )
