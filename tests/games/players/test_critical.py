"""In critical positions, players avoid losses, find wins, and recommend no losing moves.

This is a sample of the positions in ``python -m benchmarks.critical``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from benchmarks.critical import BUDGET, SETUPS, Position, check, judged_openly, kept
from benchmarks.matches import chooser
from games import GAMES
from games.engine import Match
from games.players import LEVELS, Budget, search, search_untaught
from games.players.advice import Proof
from play.judgement import Verdict, judge

LANCELOT = GAMES["lancelot"]

FEW = Budget(BUDGET.iterations // 8)
"""With more iterations, a search finds these moves even if its values or proofs are wrong."""

EVERY = dict.fromkeys(SETUPS, 80) | {
    "donquixote": 20,
    "isis": 40,
    "isolde": 120,
    "isolde-3": 300,
    "isolde-4": 300,
    "twilight": 150,
    "twilight-4": 150,
}
"""One in this many positions is tested."""

THE_LEADER_WINS_NEXT = {
    "four, goal 5": (
        4,
        {"goal": 5, "starter": "1"},
        (
            "K12 F12 K3 D9 F4 D2 G10 G12 D3 H6 H9 M11 M3 L3 L6 K9 M12 E5 M13 I8 C7 M4 L12 F9 B3 "
            "J6 L7 K7 M5 I6 I5 D10 H7 J9 C2 J11 E2 G7 H4 M8 C11 J7 E6 G2 C10 H3 D7 F10 E13 K8 E3 "
            "H8 L5 I10 J3 G5 H11 E10 "
        ),
        7,
    ),
    "five, goal 6, diagonals": (
        5,
        {"goal": 6, "diagonals": True, "starter": "2"},
        (
            "F8 G13 C7 E3 D3 H13 E2 C14 B2 M5 N11 F1 E9 D13 H9 J2 B5 H3 A2 H7 I11 L3 G8 K10 B11 "
            "E11 C3 E14 M6 F9 D12 A5 C8 G14 M9 H2 G5 E8 G2 C6 C3 B7 B3 E9 F5 I2 K6 C10 M1 F13 A1 "
            "K1 B14 D2 D5 C13 "
        ),
        30,
    ),
}
"""Players, options, moves so far, and how many of the legal moves let the next player win at
once.
"""


def positions(game_id: str) -> Sequence[Position]:
    return kept(game_id)[:: EVERY[game_id]]


@pytest.mark.full
@pytest.mark.parametrize("game_id", SETUPS)
def test_nothing_is_lost_that_can_be_kept(game_id: str) -> None:
    """The choice neither allows an immediate loss, nor gives away certain points, nor misses a win
    in two; and no hint loses.
    """
    checked = [check(position, FEW) for position in positions(game_id)]
    assert [(each.move, each.faults) for each in checked if each.faults] == []
    assert [each.hinted for each in checked if "loses" in each.hinted] == []


@pytest.mark.parametrize("game_id", SETUPS)
def test_losing_and_winning_moves_of_the_positions_are_legal(game_id: str) -> None:
    for position in positions(game_id):
        match = position.match()
        legal = set(match.game.legal(match.state, match.actors[0]))
        for group in filter(None, (position.loses, position.wins)):
            assert group < legal
        assert position.loses or position.wins


def test_players_who_overlook_threats_lose() -> None:
    """A very short search without knowledge of the game loses in at least one position."""
    found = 0
    for position in kept("lancelot")[::5]:
        match = position.match()
        view = match.view(match.actors[0])
        move = search_untaught(LANCELOT, view, random.Random(1), Budget(4)).best
        found += move in position.loses
    assert found


@pytest.mark.full
@pytest.mark.parametrize("name", THE_LEADER_WINS_NEXT)
def test_nobody_is_advised_to_let_the_next_player_win(name: str) -> None:
    """Second place is no better than last."""
    players, options, moves, losing = THE_LEADER_WINS_NEXT[name]
    match = Match(LANCELOT, LANCELOT.setup(players, options))
    for move in moves.split():
        match.play(match.actors[0], [move])
    judged = judged_openly(LANCELOT, match.state, match.actors[0])
    assert judged is not None
    assert len(judged[0]) == losing
    view = match.view(match.actors[0])
    for budget in (LEVELS["learner"].budget_in("lancelot"), BUDGET):
        advice = search(LANCELOT, view, random.Random(0), Budget(budget.iterations))
        recommended = judge(LANCELOT, view, advice).recommended
        assert not judged[0] & {each.move for each in recommended}


@pytest.mark.parametrize(("name", "number"), [("isolde", 2), ("isolde", 4), ("isolde-4", 8)])
def test_masters_of_isolde_give_nothing_away_with_the_last_cards(name: str, number: int) -> None:
    """The masters' few iterations do not limit the exhaustive search."""
    position = kept(name)[number]
    match = position.match()
    move = chooser("master")(match, match.actors[0], random.Random(1))
    assert list(position.faults(move)) == []


@pytest.mark.parametrize("number", [82, 163, 170])
def test_a_move_that_loses_like_all_others_does_not_save(number: int) -> None:
    """All moves are proven to lose, and the one that holds out longest comes first."""
    position = kept("lancelot")[number]
    match = position.match()
    view = match.view(match.actors[0])
    advice = search(LANCELOT, view, random.Random(1), BUDGET)
    assert {ranked.proof for ranked in advice.moves} == {Proof.LOSS}
    assert advice.moves[0].distance == max(ranked.distance for ranked in advice.moves)
    assert judge(LANCELOT, view, advice).best.verdict is Verdict.LOST
