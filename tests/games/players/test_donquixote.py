"""Computer players of Don Quixote make obvious moves, and search only their own land."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from games.donquixote import DonQuixote, QuixoteState
from games.donquixote.principality import (
    CASTLE_4,
    CASTLE_6,
    CHURCHES,
    KNIGHTS,
    WINDMILLS,
    Principality,
)
from games.donquixote.tiles import FIELDS, PIECES, neighbour
from games.engine import CHANCE, Fact, Match, View
from games.players import Advice, Budget, search
from games.players.donquixote import DonQuixotePolicy, Site, ports_at, prospects

GAME = DonQuixote()
POLICY = DonQuixotePolicy(GAME)

SETUPS = [
    (players, {"sancho": sancho} | ({"same_hands": same} if players > 1 else {}))
    for players, sancho, same in product((1, 2, 3, 4), (False, True), (False, True))
    if players > 1 or not same
]


def board(text: str) -> dict[str, str]:
    """A board given as ``piece@field`` words, as in the rules."""
    pairs = (word.split("@") for word in text.split())
    return {where: piece for piece, where in pairs}


def begun(players: int = 1, seed: int = 1, **options: Any) -> Match[QuixoteState]:
    """A match with the first position card drawn."""
    match = Match(GAME, GAME.setup(players, options, str(seed)))
    match.advance()
    return match


def placing(
    laid: str, hand: str, field: str, round_: int = 1, players: int = 1, placed: int = 0
) -> QuixoteState:
    """A position in which the first seat has this land and hand."""
    state = begun(players).state.clone()
    state.lands[0] = Principality.of(board(laid))
    state.hands[0] = hand.split()
    state.field, state.round, state.placed = field, round_, placed
    return state


def advice(state: QuixoteState, iterations: int = 60, seed: int = 1) -> Advice:
    """The advice for the first seat."""
    return search(GAME, GAME.view(state, 0), random.Random(seed), Budget(iterations))


def motives(state: QuixoteState, move: str) -> dict[str, Mapping[str, Any]]:
    """The data of the facts in favour of the first seat's move, by kind."""
    return {fact.kind: fact.data for fact in POLICY.motives(state, 0, move)}


def at_a_glance(state: QuixoteState) -> str:
    """The move that the first seat plays without searching."""
    return POLICY.pick(state, 0, random.Random(1))


# ------------------------------------------------------------------------ obvious moves
LAST_FIELD_OF_ROUND_3 = (
    "CA6@G3 CA4@B2 CH5@A1 KN04@B1 WM3@C1 WM5@D1 WM4r@E1 KN07@F1 KN05@G1 KN09@H1 CH6@A2 KN06@C2"
    " KN01@D2 CH1r@E2 WM6r@F2 WM1@G2 KN08@H2 CH3r@A3 CH2@B3 WM2@C3 CH4@D3 KN02r@E3 KN03r@H3"
)
"""The final scoring example of the rules, without KN10 on F3."""


def test_the_last_tile_is_turned_the_way_that_scores_most() -> None:
    """Unturned, the tile becomes the third knight of a group and the third at castle 4."""
    state = placing(LAST_FIELD_OF_ROUND_3, "KN10", "F3", round_=3, placed=5)
    assert at_a_glance(state) == "KN10"
    assert advice(state).best == "KN10"


def points_of(land: Principality, before: Principality, piece: str, where: str) -> float:
    """The heuristic value of a land, recomputed from its whole board."""
    empty = [field for field in FIELDS if field not in land.board]
    here = prospects(len(empty))
    open_ports = land.exits & sum(ports_at(field) for field in empty)

    def chance(halves: int) -> int:
        return min(3, (halves * (1 | 1 << 48 | 1 << 96) & open_ports).bit_count())

    def count(halves: int, mark: int) -> int:
        return (halves & land.marks[mark]).bit_count()

    worth = here.guard[land.guard] + (land.largest_group() if here.group else 0)
    for network in land.networks:
        worth += here.buildings[count(network, CHURCHES)][chance(network)]
        worth += here.buildings[count(network, WINDMILLS)][chance(network)]
        worth += here.knights[count(network, KNIGHTS)][chance(network)]
    for value, castle in ((6, CASTLE_6), (4, CASTLE_4)):
        reach = land.halves_at_castle(castle)
        worth += value * here.castle[count(reach, KNIGHTS)][chance(reach)]
    for port in PIECES[piece].exits:
        there = neighbour(where, port)
        if there is not None and there[0] in before.board:
            meets = there[1] in PIECES[before.board[there[0]]].exits
            worth += here.met if meets else here.missed
    return worth


@pytest.mark.seeds(30)
def test_the_gain_of_a_tile_is_the_difference_of_the_lands_values(seed: int) -> None:
    """The values of two moves differ as much around the field as on the whole board."""
    rng = random.Random(seed)
    match = begun(seed=seed, sancho=True)
    for _ in range(3 + seed % 30 // 2):
        match.play(0, [GAME.random_move(match.state, 0, rng)])
    state = match.state
    land, where = state.lands[0], state.field
    pieces = [*GAME.legal(state, 0), "WM6", "CH6r", "KN06"]
    added, whole = Site(land, where).worths(pieces), []
    for piece in pieces:
        after = land.clone()
        after.lay(piece, where)
        whole.append(points_of(after, land, piece, where))
    assert [worth - added[0] for worth in added] == pytest.approx(
        [worth - whole[0] for worth in whole]
    )


def test_a_glance_at_the_last_field_is_the_scoring_itself() -> None:
    """With the land full, the values of moves differ exactly by their points."""
    state = placing(LAST_FIELD_OF_ROUND_3, "KN10", "F3", round_=3, placed=5)
    totals = {}
    for move in GAME.legal(state, 0):
        after = state.clone()
        GAME.do(after, 0, move)
        totals[move] = after.total(0)
    unturned, turned = Site(state.lands[0], "F3").worths(["KN10", "KN10r"])
    assert unturned - turned == totals["KN10"] - totals["KN10r"] > 0


def test_a_church_joins_two_churches() -> None:
    """A church between two others makes a group of three, worth six points at once."""
    state = placing("CA6@H3 CA4@F1 CH1@B1 CH4@B3", "WM2 CH1 KN09", "B2", placed=6)
    assert at_a_glance(state) in {"CH1", "CH1r"}
    assert advice(state).best in {"CH1", "CH1r"}


def test_the_fourth_point_of_strength_is_taken_before_the_scoring() -> None:
    """On the last field of the round, the knight is turned the only way in which it defends the
    land.
    """
    state = placing("CA6@D3 CA4@F1 KN01@B1", "KN10 KN10", "A1", placed=8)
    state.hands[0] = ["KN10"]
    assert at_a_glance(state) == "KN10"
    assert advice(state).best == "KN10"


def test_a_connection_is_worth_more_the_more_scorings_are_to_come() -> None:
    """A connection counts three times in the first round and once in the third, plus what may still
    be added.
    """
    pair = [prospects(left).buildings[2] for left in (21, 12, 5)]
    assert [worths[0] for worths in pair] == [6, 4, 2]
    assert all(worths == sorted(worths) for worths in pair)
    assert prospects(0).buildings[2] == [2] * 4


# ---------------------------------------------------------------------- one's own land alone
def test_others_are_of_no_concern() -> None:
    """The advice for a land and hand is the same with two other players at the table."""
    alone = begun(1).state
    together = begun(3).state.clone()
    together.field = alone.field
    together.lands[1] = alone.lands[0].clone()
    together.hands[1], together.stacks[1] = alone.hands[0][:], alone.stacks[0][:]
    views = GAME.view(alone, 0), GAME.view(together, 1)
    budget = Budget(40)
    one, other = (search(GAME, view, random.Random(3), budget) for view in views)
    assert one == other


@pytest.mark.parametrize(("players", "options"), SETUPS)
def test_a_seat_is_seen_as_if_it_were_alone(players: int, options: dict[str, Any]) -> None:
    """A view reduced to one seat has the same decision, and nothing of the other seats."""
    match = begun(players, **options)
    for seat in range(players):
        view = GAME.view(match.state, seat)
        own = POLICY.view(view)
        assert (own.players, own.viewer, own.actors) == (1, 0, (0,))
        assert own.public["boards"] == [view.public["boards"][seat]]
        state = GAME.determinize(own, random.Random(1))
        assert GAME.legal(state, 0) == GAME.legal(match.state, seat)
        assert View.from_json(own.to_json()) == own
        assert view == GAME.view(match.state, seat)


def test_a_spectator_decides_nothing() -> None:
    """A spectator's view is not reduced."""
    view = GAME.view(begun(2).state, None)
    assert POLICY.view(view) is view


# ------------------------------------------------------------------------------- values
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_values_follow_the_points(players: int) -> None:
    state = begun(players).state.clone()
    assert list(POLICY.values(state)) == [-1.0] * players
    rng = random.Random(5)
    while actors := GAME.actors(state):
        seat = actors[0]
        chance = seat == CHANCE
        move = GAME.sample(state, rng) if chance else POLICY.pick(state, seat, rng)
        GAME.do(state, seat, move)
    values = POLICY.values(state)
    assert len(values) == players
    assert all(-1 <= value <= 1 for value in values)
    assert sorted(range(players), key=lambda seat: values[seat]) == sorted(
        range(players), key=state.total
    )


# ------------------------------------------------------------------------------ motives
def test_a_motive_counts_connected_churches() -> None:
    """The count includes the tile itself if it is a church; a tile that connects no churches has no
    such motive.
    """
    state = placing("CA6@H3 CA4@F1 CH1@B1 CH4@B3", "CH1 WM1 WM2", "B2")
    church = {"seat": 0, "symbol": "church"}
    assert motives(state, "CH1")["connects"] == {**church, "number": 3}
    assert motives(state, "WM1")["connects"] == {**church, "number": 2}
    assert "connects" not in motives(state, "WM2")


def test_knights_reach_a_castle() -> None:
    """Connecting a knight with a castle is a motive: castle 6 on D2 has its upper road towards
    D1.
    """
    state = placing("CA6@D2 CA4@A1", "KN04 KN09", "D1", round_=2)
    garrison = {"seat": 0, "value": 6, "number": 1, "need": 2}
    assert motives(state, "KN04")["garrisons"] == garrison
    assert "garrisons" not in motives(state, "KN09r")


def test_a_knight_guards_the_country() -> None:
    """In row 1, the road must leave at the top from the knight's own half."""
    state = placing("CA6@D3 CA4@F1 KN01@B1", "KN10 CH1", "D1")
    assert motives(state, "KN10")["guards"] == {"seat": 0, "strength": 4, "need": 4}
    assert motives(state, "KN10r") == {}
    assert motives(state, "CH1") == {}


def test_motives_are_of_the_seats_own_land_and_change_nothing() -> None:
    match = begun(3, sancho=True)
    state = match.state
    before = state.clone()
    for seat in range(3):
        for move in GAME.legal(state, seat):
            for fact in POLICY.motives(state, seat, move):
                assert isinstance(fact, Fact)
                assert fact.data["seat"] == seat
    assert state == before
