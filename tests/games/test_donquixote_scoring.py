"""Don Quixote's tiles and scorings: worked examples, every rule, and properties."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.donquixote import scoring_account
from games.donquixote.principality import Principality, defence_status
from games.donquixote.tiles import (
    CASTLES,
    CHURCH,
    FIELDS,
    HALF_TURN,
    KNIGHT,
    PIECES,
    PORTS,
    SANCHO,
    WAY_TILES,
    WINDMILL,
    TurnedTile,
    neighbour,
    touching,
)
from tests.examples import examples
from tests.games.slow_donquixote import PICTURE, picture, slow_score

BORDER = {field for field in FIELDS if any(neighbour(field, port) is None for port in PORTS)}


# ------------------------------------------------------------------------------- the tiles
@pytest.mark.rule("donquixote", "4.1")
def test_the_set_of_tiles() -> None:
    """Each player has 22 different tiles: 6 churches, 6 windmills, and knights of total strength
    20.
    """
    assert len({tile.name for tile in WAY_TILES}) == 22
    symbols = Counter(tile.symbol for tile in WAY_TILES)
    assert symbols == {CHURCH: 6, WINDMILL: 6, KNIGHT: 10}
    strengths = Counter(tile.worth for tile in WAY_TILES if tile.symbol == KNIGHT)
    assert strengths == {1: 3, 2: 4, 3: 3}
    assert [castle.worth for castle in CASTLES] == [6, 4]


@pytest.mark.rule("donquixote", "4.2")
def test_every_tile_has_two_to_four_exits() -> None:
    """Tiles have two to four exits, their symbol is on a road, and castles have exactly two
    exits.
    """
    exits = Counter(len(tile.upper | tile.lower) for tile in WAY_TILES)
    assert exits == {2: 10, 3: 8, 4: 4}
    assert all(tile.upper for tile in WAY_TILES)
    assert [len(castle.upper | castle.lower) for castle in CASTLES] == [2, 2]


def ports_drawn(piece: str) -> set[str]:
    """The ports at which a stroke of the picture reaches the edge."""
    lines = picture(piece)
    edge = {"N": (2, 0), "NE": (4, 1), "SE": (4, 3), "S": (2, 4), "SW": (0, 3), "NW": (0, 1)}
    return {port for port, (x, y) in edge.items() if lines[y][x] != " "}


@pytest.mark.rule("donquixote", "4.3")
@pytest.mark.parametrize("name", PIECES)
def test_tiles_are_as_drawn(name: str) -> None:
    piece, lines = PIECES[name], picture(name)
    assert set(piece.exits) == ports_drawn(name)
    assert piece.tile.linked == (lines[2][2] == "|")
    drawn = {CHURCH: "C", WINDMILL: "W"}.get(piece.tile.symbol, str(piece.tile.worth or "+"))
    row = 2 if piece.tile in CASTLES else 1 if piece.symbol_up else 3
    assert lines[row][2] == drawn


def test_every_picture_has_its_tile() -> None:
    assert {piece.tile.name for piece in PIECES.values()} == set(PICTURE)


@pytest.mark.rule("donquixote", "2")
@pytest.mark.parametrize("name", PIECES)
def test_two_half_turns_change_nothing(name: str) -> None:
    piece = PIECES[name]
    turned = piece.half_turned()
    assert turned.half_turned() == piece
    assert turned.symbol_up != piece.symbol_up
    assert turned.upper == {HALF_TURN[port] for port in piece.lower}


@pytest.mark.rule("donquixote", "2", "3.2")
@pytest.mark.parametrize(
    ("exits", "turned"),
    [("NE SW", "NE SW"), ("N NW", "S SE"), ("N S", "S N"), ("NE NW S", "SW SE N")],
)
def test_half_a_turn_moves_every_exit_to_the_opposite_port(exits: str, turned: str) -> None:
    assert {HALF_TURN[port] for port in exits.split()} == set(turned.split())


@pytest.mark.parametrize("tile", [*CASTLES, SANCHO], ids=lambda tile: tile.name)
def test_castles_and_sancho_need_no_turning(tile: Any) -> None:
    piece = TurnedTile(tile, tile.upper, tile.lower)
    assert piece.half_turned().exits == piece.exits


@pytest.mark.rule("donquixote", "4.2")
def test_every_knight_can_defend_somewhere() -> None:
    for tile in WAY_TILES:
        if tile.symbol == KNIGHT:
            lands = [
                Principality.of({where: name})
                for where in FIELDS
                for name in (tile.name, tile.name + "r")
            ]
            assert {land.guard for land in lands} == {0, tile.worth}, tile.name


# ---------------------------------------------------------------------------- the geometry
@pytest.mark.rule("donquixote", "3.2")
def test_facing_is_mutual() -> None:
    for where in FIELDS:
        for port in PORTS:
            there = neighbour(where, port)
            assert there is None or neighbour(*there) == (where, port)
    assert len(BORDER) == 18
    assert set(FIELDS) - BORDER == {"B2", "C2", "D2", "E2", "F2", "G2"}


@pytest.mark.rule("donquixote", "3.2")
@pytest.mark.parametrize(
    ("field", "other", "touch"),
    [
        ("B2", "B2", True),
        ("B2", "A2", True),
        ("B2", "C3", True),
        ("B2", "D2", False),
        ("A1", "A3", False),
        ("H1", "A2", False),
    ],
)
def test_fields_touch_along_edges_and_at_corners(field: str, other: str, touch: bool) -> None:
    assert touching(field, other) == touching(other, field) == touch


# ------------------------------------------------------------------------- worked examples
@dataclass(frozen=True)
class Example:
    """A principality with its expected scorings.

    :param points: by round: castle 6, castle 4, churches, windmills, defence, group.
    :param churches: the sizes of the groups of churches, largest first; ``windmills`` likewise.
    :param groups: the strengths of the groups of knights, strongest first.
    :param knights: knights at castle 6 and at castle 4.
    """

    name: str
    placed: str
    points: Mapping[int, tuple[int, ...]]
    churches: tuple[int, ...] = ()
    windmills: tuple[int, ...] = ()
    groups: tuple[int, ...] = ()
    knights: tuple[int, int] = (0, 0)
    guard: int = 0
    status: Mapping[str, str] = field(default_factory=dict)

    @property
    def board(self) -> dict[str, str]:
        """The pieces, by field."""
        return {where: piece for piece, where in (p.split("@") for p in self.placed.split())}


INSIDE, INNER, NO_ROAD, DEFENDS = (
    "not_on_border_field",
    "inner_half",
    "no_direct_road",
    "defends",
)

EXAMPLES = [
    Example(
        "a pair of churches brings 2 together",
        "CA6@H3 CA4@F1 CH1@B1 CH4@B2",
        {1: (0, 0, 2, 0, 0, 0), 3: (0, 0, 2, 0, 0, 0)},
        churches=(2,),
    ),
    Example(
        "three windmills bring 2 each",
        "CA6@H3 CA4@A1 WM1@D1 WM4@D2 WM5r@E2",
        {1: (0, 0, 0, 6, 0, 0)},
        windmills=(3,),
    ),
    Example(
        "churches and windmills do not mix, but roads run through them",
        "CA6@H3 CA4@F1 CH1@B1 WM1@B2 CH4@B3",
        {1: (0, 0, 2, 0, 0, 0)},
        churches=(2,),
        windmills=(1,),
    ),
    Example(
        "road ends that do not meet connect nothing",
        "CA6@H3 CA4@F1 CH1@B1 CH2@B2",
        {1: (0, 0, 0, 0, 0, 0)},
        churches=(1, 1),
    ),
    Example(
        "knights on both roads of a castle add up, but make no common group",
        "CA6@D2 CA4@G2 KN04@D1 KN03@D3",
        {1: (6, 0, 0, 0, 0, 0), 2: (6, 0, 0, 0, 0, 0), 3: (0, 0, 0, 0, 0, 2)},
        groups=(2, 1),
        knights=(2, 0),
        guard=2,
        status={"D1": DEFENDS, "D3": INNER},
    ),
    Example(
        "a castle separates its two roads",
        "CA6@D2 CA4@G2 CH1@D1 CH4@D3",
        {2: (0, 0, 0, 0, 0, 0)},
        churches=(1, 1),
    ),
    Example(
        "the same knights serve both castles",
        "CA6@C2 CA4@E2 KN02@C1 WM5@D1 KN08@D2",
        {2: (6, 4, 0, 0, 0, 0), 3: (0, 0, 0, 0, 0, 4)},
        windmills=(1,),
        groups=(4,),
        knights=(2, 2),
        status={"C1": NO_ROAD, "D2": INSIDE},
    ),
    Example(
        "all reasons why a knight may not defend",
        "CA6@E3 CA4@A3 KN04@C2 WM3@D1 KN05@E1 KN03@H2 KN09r@B1 KN10@F3 KN01@G1 KN07@H3",
        {1: (0, 0, 0, 0, 0, 0)},
        windmills=(1,),
        guard=3,
        status={
            "C2": INSIDE,
            "E1": NO_ROAD,
            "H2": NO_ROAD,
            "B1": INNER,
            "F3": INNER,
            "G1": DEFENDS,
            "H3": DEFENDS,
        },
        groups=(3, 3, 2, 2, 2, 1, 1),
    ),
    Example(
        "the rulebook's second scoring",
        "CA6@F3 CA4@D3 WM5@C1 KN06@D1 WM1r@F1 CH5@G1 CH4r@H1 KN08@A2 KN10r@D2 KN07@F2 CH2@G2"
        " KN03r@H2 WM4r@A3 KN01r@B3 WM6@C3 KN04@E3 KN05r@G3 CH6@H3",
        {2: (6, 0, 8, 0, 0, 0)},
        churches=(4,),
        windmills=(1, 1, 1, 1),
        knights=(3, 0),
        guard=3,
        status={
            "D1": DEFENDS,
            "A2": NO_ROAD,
            "D2": INSIDE,
            "F2": INSIDE,
            "H2": NO_ROAD,
            "B3": DEFENDS,
            "E3": INNER,
            "G3": NO_ROAD,
        },
        groups=(5, 3, 3, 2, 2, 1),
    ),
    Example(
        "the rulebook's final scoring",
        "CA6@G3 CA4@B2 CH5@A1 KN04@B1 WM3@C1 WM5@D1 WM4r@E1 KN07@F1 KN05@G1 KN09@H1 CH6@A2"
        " KN06@C2 KN01@D2 CH1r@E2 WM6r@F2 WM1@G2 KN08@H2 CH3r@A3 CH2@B3 WM2@C3 CH4@D3 KN02r@E3"
        " KN10@F3 KN03r@H3",
        {3: (0, 4, 10, 10, 0, 6)},
        churches=(4, 2),
        windmills=(5, 1),
        groups=(6, 5, 4, 2, 2, 1),
        knights=(2, 3),
        guard=6,
        status={
            "B1": DEFENDS,
            "F1": NO_ROAD,
            "G1": NO_ROAD,
            "H1": NO_ROAD,
            "C2": INSIDE,
            "D2": INSIDE,
            "H2": DEFENDS,
            "E3": NO_ROAD,
            "F3": INNER,
            "H3": DEFENDS,
        },
    ),
    Example(
        "castles alone bring nothing",
        "CA6@A3 CA4@C3",
        {1: (0,) * 6, 2: (0,) * 6, 3: (0,) * 6},
    ),
]

EACH = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)


@EACH
def test_example_scores_its_points(example: Example) -> None:
    land = Principality.of(example.board)
    for round_, points in example.points.items():
        assert tuple(land.score(round_)) == points, round_


@EACH
def test_example_read_off_its_drawing(example: Example) -> None:
    """The second implementation gets the same points."""
    for round_, points in example.points.items():
        assert slow_score(example.board, round_) == points, round_


@EACH
def test_example_is_explained(example: Example) -> None:
    told = scoring_account(example.board, 3)
    assert [knights_at(castle) for castle in told["castles"]] == list(example.knights)
    assert sizes(told["churches"]) == list(example.churches)
    assert sizes(told["windmills"]) == list(example.windmills)
    strengths = sorted((group["strength"] for group in told["group"]["groups"]), reverse=True)
    assert strengths == list(example.groups)
    assert told["defence"]["strength"] == example.guard
    assert {k["field"]: k["status"] for k in told["defence"]["knights"]} == example.status


def knights_at(castle: Mapping[str, Any]) -> int:
    return len(castle["knights"])


def sizes(buildings: Mapping[str, Any]) -> list[int]:
    return [len(group["fields"]) for group in buildings["groups"]]


def test_account_of_the_rulebooks_final_scoring() -> None:
    example = next(e for e in EXAMPLES if e.name == "the rulebook's final scoring")
    told = scoring_account(example.board, 3)
    assert told["points"] == 30
    six, four = told["castles"]
    assert (six["field"], six["points"], six["need"], six["knights"]) == ("G3", 0, 3, ["F1", "G1"])
    assert (four["field"], four["points"], four["value"]) == ("B2", 4, 4)
    assert four["knights"] == ["D2", "E3", "F3"]
    at_castle = {half for number in four["networks"] for half in told["networks"][number]}
    assert {"B2u", "B2l", "D2u", "E3u", "F3u", "A3l"} <= at_castle
    assert not {"A1l", "B1u", "G2u", "H1u"} & at_castle
    churches = [(group["fields"], group["points"]) for group in told["churches"]["groups"]]
    assert churches == [(["E2", "A3", "B3", "D3"], 8), (["A1", "A2"], 2)]
    windmills = [(group["fields"], group["points"]) for group in told["windmills"]["groups"]]
    assert windmills == [(["C1", "D1", "E1", "F2", "C3"], 10), (["G2"], 0)]
    best = max(told["group"]["groups"], key=lambda group: group["strength"])
    assert (best["fields"], best["strength"], told["group"]["points"]) == (["H1", "H2"], 6, 6)
    assert set(told["networks"][best["network"]]) == {"H1u", "H1l", "H2u"}
    assert told["defence"]["points"] == 0
    assert (told["defence"]["strength"], told["defence"]["need"]) == (6, 12)


# ------------------------------------------------------------------------------ the rules
def joined(**pieces: str) -> Principality:
    """A principality with these pieces and Sancho Pansa on all other fields: a single network,
    except where the pieces themselves cut it.
    """
    return Principality.of(dict.fromkeys(FIELDS, SANCHO.name) | pieces)


@pytest.mark.rule("donquixote", "6.1")
@pytest.mark.parametrize(("count", "worth"), list(enumerate([0, 0, 2, 6, 8, 10, 12])))
@pytest.mark.parametrize("round_", [1, 2, 3])
def test_points_of_a_group_of_buildings(round_: int, count: int, worth: int) -> None:
    fields = ("B2", "D2", "F2", "C1", "E1", "G3")[:count]
    churches = joined(**{where: f"CH{n + 1}" for n, where in enumerate(fields)})
    assert churches.score(round_) == (0, 0, worth, 0, 0, 0)
    windmills = joined(**{where: f"WM{n + 1}" for n, where in enumerate(fields)})
    assert windmills.score(round_) == (0, 0, 0, worth, 0, 0)


@pytest.mark.rule("donquixote", "6", "6.1")
def test_every_group_of_buildings_counts() -> None:
    land = Principality.of({"A1": "CH1", "A2": "CH4", "C1": "CH1", "C2": "CH5r", "H3": "CH3"})
    assert land.score(1).churches == 4


@pytest.mark.rule("donquixote", "6.1")
def test_kinds_of_buildings_do_not_help_each_other() -> None:
    assert joined(B1="CH1", D1="WM1").score(1) == (0, 0, 0, 0, 0, 0)


@pytest.mark.rule("donquixote", "6")
@pytest.mark.parametrize("round_", [1, 2, 3])
@pytest.mark.parametrize("knights", range(5))
def test_castles_need_knights(round_: int, knights: int) -> None:
    """Each castle needs 1, 2, 3 knights of any strength in rounds 1, 2, 3; a knight may serve both
    castles, and counts once even if connected with both roads of a castle.
    """
    laid = {"C1": "KN04", "D3": "KN02r", "F3": "KN10r", "G1": "KN01"}
    land = joined(B2="CA6", E2="CA4", **dict(list(laid.items())[:knights]))
    enough = knights >= round_
    assert land.score(round_)[:2] == ((6, 4) if enough else (0, 0))


@pytest.mark.rule("donquixote", "6")
@pytest.mark.parametrize("round_", [1, 2, 3])
@pytest.mark.parametrize("strength", range(16))
def test_defence_needs_strength(round_: int, strength: int) -> None:
    """Defenders with a total strength of 4, 8, 12 in rounds 1, 2, 3 score 5; more strength adds
    nothing.
    """
    border = [(where, "KN03") for where in FIELDS[:8]] + [(w, "KN03r") for w in FIELDS[16:]]
    land = Principality.of(dict(border[:strength]))
    assert land.score(round_).defence == (5 if strength >= 4 * round_ else 0)


@pytest.mark.rule("donquixote", "3.1")
@pytest.mark.parametrize(
    ("piece", "field", "status"),
    [
        ("KN08", "B2", INSIDE),
        ("KN08", "B1", DEFENDS),
        ("KN08r", "B1", INNER),
        ("KN08", "B3", INNER),
        ("KN08r", "B3", DEFENDS),
        ("KN09", "C1", NO_ROAD),
        ("KN09", "A2", DEFENDS),
        ("KN09r", "A2", NO_ROAD),
        ("KN09r", "H2", DEFENDS),
        ("KN09", "H2", NO_ROAD),
        ("KN08r", "A1", DEFENDS),
        ("KN08", "A3", NO_ROAD),
        ("KN06", "H2", NO_ROAD),
        ("CH1", "B1", None),
        ("CA6", "B1", None),
    ],
)
def test_who_defends(piece: str, field: str, status: str | None) -> None:
    """A knight on a border field defends if its own half is on the outside and has a road outwards.

    In columns A and H both halves are on the outside.
    """
    assert defence_status(piece, field) == status
    worth = PIECES[piece].tile.worth
    assert Principality.of({field: piece}).guard == (worth if status == DEFENDS else 0)


@pytest.mark.rule("donquixote", "6.2")
def test_the_way_out_over_another_tile_is_not_direct() -> None:
    """A knight does not defend through an exit of a neighbouring tile, or of its own tile's other
    half.
    """
    assert Principality.of({"D1": "WM3", "E1": "KN05"}).guard == 0
    assert Principality.of({"H2": "KN03"}).guard == 0


@pytest.mark.rule("donquixote", "6")
def test_the_largest_group_counts_in_round_three_only() -> None:
    land = joined(B1="KN01", D2="KN04")
    assert [land.score(round_).group for round_ in (1, 2, 3)] == [0, 0, 3]


@pytest.mark.rule("donquixote", "6.1")
def test_the_largest_group_is_the_strongest() -> None:
    pair = {"B1": "KN03", "B2": "KN03"}
    assert Principality.of(pair).score(3).group == 2
    assert Principality.of(pair | {"H1": "KN08"}).score(3).group == 3


@pytest.mark.rule("donquixote", "2.1", "6.1")
def test_a_castle_divides_a_group() -> None:
    """Knights on different roads of a castle are connected with it, but not with each other."""
    land = Principality.of({"D1": "KN04", "D2": "CA6", "D3": "KN04"})
    assert land.score(2).castle6 == 6
    assert land.score(3).group == 2


@pytest.mark.rule("donquixote", "6.1")
def test_a_knight_serves_castle_group_and_defence_at_once() -> None:
    land = joined(B2="CA6", **dict.fromkeys(("C1", "D1", "E1", "F1", "G1", "H1"), "KN04"))
    assert land.score(3) == (6, 0, 0, 0, 5, 12)


@pytest.mark.rule("donquixote", "3.3")
def test_unlinked_halves_are_separate() -> None:
    board = {"C1": "CH1", "C2": "CH6", "C3": "CH1"}
    assert Principality.of(board).score(1).churches == 2
    assert Principality.of(board | {"C2": "CH4r"}).score(1).churches == 2
    assert Principality.of(board | {"C2": "CH1"}).score(1).churches == 6


@pytest.mark.rule("donquixote", "5.4")
def test_sancho_connects_and_scores_nothing() -> None:
    """Sancho Pansa has all six exits and no symbol."""
    board = {"B2": "CH1", "C2": "SANCHO", "D2": "CH2r", "C1": "CH1r", "C3": "CH1"}
    assert Principality.of(board).score(3) == (0, 0, 6, 0, 0, 0)
    assert Principality.of({"C2": "SANCHO"}).score(3) == (0, 0, 0, 0, 0, 0)
    (network,) = scoring_account({"C2": "SANCHO"}, 1)["networks"]
    assert network == ["C2u", "C2l"]


# ------------------------------------------------------------------------------ properties
def random_board(seed: int, tiles: int | None = None) -> dict[str, str]:
    """A principality with castles that do not touch, and any number of different tiles."""
    rng = random.Random(seed)
    fields = rng.sample(FIELDS, len(FIELDS))
    first = fields.pop()
    second = rng.choice([where for where in fields if not touching(where, first)])
    fields.remove(second)
    board = {first: "CA6", second: "CA4"}
    names = rng.sample([*WAY_TILES, SANCHO], rng.randrange(23) if tiles is None else tiles)
    for tile, where in zip(names, fields, strict=False):
        board[where] = tile.name if tile == SANCHO else tile.name + rng.choice(["", "r"])
    return board


boards = st.builds(random_board, st.integers(0, 2**32))
rounds = st.integers(1, 3)


@given(boards, rounds)
@examples(250)
def test_both_implementations_agree(board: dict[str, str], round_: int) -> None:
    assert tuple(Principality.of(board).score(round_)) == slow_score(board, round_)


@given(boards, rounds)
@examples(100)
def test_the_account_agrees_with_the_score(board: dict[str, str], round_: int) -> None:
    score = Principality.of(board).score(round_)
    told = scoring_account(board, round_)
    assert told["points"] == sum(score)
    assert [castle["points"] for castle in told["castles"]] == [score.castle6, score.castle4]
    for kind, worth in (("churches", score.churches), ("windmills", score.windmills)):
        assert told[kind]["points"] == worth
        assert sum(group["points"] for group in told[kind]["groups"]) == worth
    guards = [k["strength"] for k in told["defence"]["knights"] if k["status"] == DEFENDS]
    assert sum(guards) == told["defence"]["strength"]
    assert told["defence"]["points"] == score.defence
    if round_ == 3:
        strengths = [group["strength"] for group in told["group"]["groups"]]
        assert max(strengths, default=0) == told["group"]["points"] == score.group
    else:
        assert told["group"] is None


@pytest.mark.rule("donquixote", "3.3")
@given(boards)
@examples(100)
def test_networks_share_out_all_halves_with_roads(board: dict[str, str]) -> None:
    halves = [half for network in scoring_account(board, 1)["networks"] for half in network]
    assert len(set(halves)) == len(halves)
    expected = set()
    for where, name in board.items():
        piece = PIECES[name]
        expected |= {where + "u"} if piece.upper else set()
        expected |= {where + "l"} if piece.lower else set()
    assert set(halves) == expected


@given(boards, st.randoms(use_true_random=False))
@examples(100)
def test_the_order_of_laying_does_not_matter(board: dict[str, str], rng: random.Random) -> None:
    land = Principality()
    order = list(board.items())
    rng.shuffle(order)
    for where, name in order:
        land.lay(name, where)
    other = Principality.of(board)
    assert land == other
    assert sorted(land.networks) == sorted(other.networks)
