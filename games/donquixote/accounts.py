"""Explains a scoring in plain data, for pictures, texts and previews."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.donquixote.principality import (
    CASTLE_4,
    CASTLE_6,
    CHURCHES,
    GROUP_POINTS,
    HALVES,
    KNIGHTS,
    KNIGHTS_NEEDED,
    LAST_ROUND,
    STRENGTH_NEEDED,
    WINDMILLS,
    Principality,
    defence_status,
)
from games.donquixote.tiles import CASTLES, FIELDS, PIECES


def scoring_account(board: Mapping[str, str], round_: int) -> dict[str, Any]:
    """Compute and explain a scoring, which may be only a preview.

    Groups on the most fields come first; a single building or knight is a group of one; fields are
    in reading order.

    :param board: field -> piece, as in a view.
    :param round_: the round (1 to 3) to score.
    :returns: the data described in the package's docstring.
    """
    land = Principality.of(board)
    networks = sorted(land.networks, key=lambda halves: halves & -halves)
    points = land.score(round_)
    return {
        "round": round_,
        "points": sum(points),
        "networks": [list(_names(network)) for network in networks],
        "castles": [
            _castle_account(land, networks, castle, round_) for castle in (CASTLE_6, CASTLE_4)
        ],
        "churches": _buildings_account(land, networks, CHURCHES),
        "windmills": _buildings_account(land, networks, WINDMILLS),
        "defence": {
            "points": points.defence,
            "strength": land.guard,
            "need": STRENGTH_NEEDED[round_ - 1],
            "knights": list(_guards(land)),
        },
        "group": _knights_account(land, networks) if round_ == LAST_ROUND else None,
    }


def _castle_account(
    land: Principality, networks: list[int], castle: int, round_: int
) -> dict[str, Any]:
    tile = CASTLES[castle - CASTLE_6]
    roads = land.marks[castle]
    return {
        "castle": tile.name,
        "field": next((where for where, name in land.board.items() if name == tile.name), None),
        "points": land.castle_points(castle, round_),
        "value": tile.worth,
        "need": KNIGHTS_NEEDED[round_ - 1],
        "knights": _fields(land.halves_at_castle(castle) & land.marks[KNIGHTS]),
        "networks": [number for number, network in enumerate(networks) if network & roads],
    }


def _buildings_account(land: Principality, networks: list[int], mark: int) -> dict[str, Any]:
    groups = [
        {"network": number, "fields": fields, "points": GROUP_POINTS[len(fields)]}
        for number, fields in _groups(networks, land.marks[mark])
    ]
    return {"points": land.group_points(land.marks[mark]), "groups": groups}


def _knights_account(land: Principality, networks: list[int]) -> dict[str, Any]:
    groups = [
        {"network": number, "fields": fields, "strength": land.strength(networks[number])}
        for number, fields in _groups(networks, land.marks[KNIGHTS])
    ]
    return {"points": land.largest_group(), "groups": groups}


def _groups(networks: list[int], marked: int) -> list[tuple[int, list[str]]]:
    """For each group of marked halves, return the number of its network and its fields; the group
    on the most fields comes first.
    """
    groups = [
        (number, _fields(network & marked))
        for number, network in enumerate(networks)
        if network & marked
    ]
    return sorted(groups, key=lambda group: -len(group[1]))


def _guards(land: Principality) -> Iterator[dict[str, Any]]:
    """Yield every knight, and whether it defends the country."""
    for where in FIELDS:
        name = land.board.get(where)
        status = name and defence_status(name, where)
        if name and status:
            yield {"field": where, "strength": PIECES[name].tile.worth, "status": status}


def _names(halves: int) -> Iterator[str]:
    while halves:
        lowest = halves & -halves
        yield HALVES[lowest.bit_length() - 1]
        halves ^= lowest


def _fields(halves: int) -> list[str]:
    """Return the fields of a set of halves, which contains at most one half of each field."""
    return sorted((name[:-1] for name in _names(halves)), key=FIELDS.index)
