"""Fields, ports and tiles of Don Quixote.

The principality has 8 columns A to H and 3 rows 1 to 3 of upright fields; A1 is in the upper left
corner. A tile has two halves and six ports, the places on its edge where a road can leave::

            N
         +-----+
      NW |upper| NE
         |     |
      SW |lower| SE
         +-----+
            S

A way tile can be laid in two orientations, which makes it two *pieces*: ``KN03`` unturned, with its
symbol in the upper half, and ``KN03r`` after half a turn.
"""

from __future__ import annotations

from dataclasses import dataclass

COLUMNS = "ABCDEFGH"
ROWS = "123"

FIELDS = tuple(column + row for row in ROWS for column in COLUMNS)
"""All fields in reading order."""

PLACE = {name: (field % len(COLUMNS), field // len(COLUMNS)) for field, name in enumerate(FIELDS)}
"""Column and row of each field, counted from 0."""

PORTS = ("N", "NE", "SE", "S", "SW", "NW")
"""The ports, clockwise. Half a turn moves each port three places forward."""

HALF_TURN = {port: PORTS[(place + 3) % 6] for place, port in enumerate(PORTS)}

FACING = {
    "N": (0, -1, "S"),
    "NE": (1, 0, "NW"),
    "SE": (1, 0, "SW"),
    "S": (0, 1, "N"),
    "SW": (-1, 0, "SE"),
    "NW": (-1, 0, "NE"),
}
"""For each port, the offset of the neighbouring field, and the port it meets there."""

CHURCH, WINDMILL, KNIGHT, CASTLE, NOTHING = "church", "windmill", "knight", "castle", "nothing"

TURNED = "r"


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile as printed.

    :param upper: the ports where a road leaves the upper half; all roads within a half are
        connected.
    :param lower: the ports where a road leaves the lower half.
    :param linked: whether a road joins the two halves.
    :param worth: strength of a knight, value of a castle, otherwise 0.
    """

    name: str
    symbol: str
    upper: frozenset[str]
    lower: frozenset[str]
    linked: bool = True
    worth: int = 0


def _tile(
    name: str, symbol: str, upper: str, lower: str, worth: int = 0, linked: bool = True
) -> Tile:
    return Tile(name, symbol, frozenset(upper.split()), frozenset(lower.split()), linked, worth)


WAY_TILES = (
    _tile("CH1", CHURCH, "N", "S"),
    _tile("CH2", CHURCH, "NE", "SW"),
    _tile("CH3", CHURCH, "N NW", "", linked=False),
    _tile("CH4", CHURCH, "N", "SE SW"),
    _tile("CH5", CHURCH, "NE NW", "S"),
    _tile("CH6", CHURCH, "N NW", "SE S", linked=False),
    _tile("WM1", WINDMILL, "N", "S"),
    _tile("WM2", WINDMILL, "NW", "SE"),
    _tile("WM3", WINDMILL, "N NE", "", linked=False),
    _tile("WM4", WINDMILL, "N", "SE SW"),
    _tile("WM5", WINDMILL, "NE NW", "S"),
    _tile("WM6", WINDMILL, "N NE", "S SW", linked=False),
    _tile("KN01", KNIGHT, "N NE", "SE SW", 1),
    _tile("KN02", KNIGHT, "NE NW", "S", 1),
    _tile("KN03", KNIGHT, "N", "SE S", 1),
    _tile("KN04", KNIGHT, "N", "S", 2),
    _tile("KN05", KNIGHT, "NW", "S SW", 2),
    _tile("KN06", KNIGHT, "N NW", "SE SW", 2, linked=False),
    _tile("KN07", KNIGHT, "NE", "SE S", 2),
    _tile("KN08", KNIGHT, "N NE", "", 3, linked=False),
    _tile("KN09", KNIGHT, "NW", "S", 3),
    _tile("KN10", KNIGHT, "N", "SW", 3),
)
"""Each player's set. A windmill mirrors the church of the same number."""

CASTLES = (
    _tile("CA6", CASTLE, "N", "S", 6, linked=False),
    _tile("CA4", CASTLE, "NW", "SE", 4, linked=False),
)
"""The castles, in the order in which they are placed. Half a turn changes neither of them."""

SANCHO = _tile("SANCHO", NOTHING, "N NE NW", "S SE SW")
"""Each player's extra tile, if the option is on. Half a turn does not change it."""


@dataclass(frozen=True, slots=True)
class TurnedTile:
    """A tile in one of its two orientations.

    :param upper: the ports where a road leaves the half that is now on top.
    :param symbol_up: whether the symbol is in that half.
    """

    tile: Tile
    upper: frozenset[str]
    lower: frozenset[str]
    symbol_up: bool = True

    @property
    def name(self) -> str:
        """The notation: the tile's name, and ``r`` if it is turned."""
        return self.tile.name if self.symbol_up else self.tile.name + TURNED

    @property
    def exits(self) -> frozenset[str]:
        """All ports where a road leaves."""
        return self.upper | self.lower

    def half_turned(self) -> TurnedTile:
        """Return the same tile, turned by 180 degrees."""
        return TurnedTile(
            self.tile,
            frozenset(HALF_TURN[port] for port in self.lower),
            frozenset(HALF_TURN[port] for port in self.upper),
            not self.symbol_up,
        )


def _pieces() -> list[TurnedTile]:
    unturned = [TurnedTile(tile, tile.upper, tile.lower) for tile in (*WAY_TILES, *CASTLES, SANCHO)]
    turned = [piece.half_turned() for piece in unturned[: len(WAY_TILES)]]
    return unturned + turned


PIECES = {piece.name: piece for piece in _pieces()}
"""All pieces by name: way tiles in both orientations, castles and Sancho in only one."""


def neighbour(field: str, port: str) -> tuple[str, str] | None:
    """Return the field and port that a port faces; None if it faces out of the principality."""
    (column, row), (right, down, met) = PLACE[field], FACING[port]
    column, row = column + right, row + down
    if 0 <= column < len(COLUMNS) and 0 <= row < len(ROWS):
        return COLUMNS[column] + ROWS[row], met
    return None


def touching(field: str, other: str) -> bool:
    """Return whether two fields are equal or adjacent, including diagonally."""
    (column, row), (other_column, other_row) = PLACE[field], PLACE[other]
    return abs(column - other_column) <= 1 and abs(row - other_row) <= 1
