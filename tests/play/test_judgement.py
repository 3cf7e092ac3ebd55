"""Judgements: how moves are rated, and the reasons given for them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.critical import kept
from benchmarks.reasons import Claim, is_true
from games import GAMES
from games.engine import Fact, Match
from games.players import POLICIES, Advice, Budget, Ranked, policy_for, search
from games.players.advice import Proof, Stop
from games.players.policy import Policy
from play import judgement
from play.judgement import Judgement, Reasons, Verdict, judge, magnitude

LANCELOT = GAMES["lancelot"]


def judged(
    *values: tuple[Any, ...], game_id: str = "lancelot", stop: Stop = Stop.SPENT
) -> Judgement:
    """The judgement of moves with these values, visits, proofs and distances in a new match."""
    game = GAMES[game_id]
    players = game.info.players[-1] if game_id == "twilight" else 2
    match = Match(game, game.setup(players, {}, "5eed"))
    match.advance()
    seat = match.actors[0]
    legal = game.legal(match.state, seat)
    ranked = [Ranked(move, *value) for move, value in zip(legal, values, strict=False)]
    return judge(game, match.view(seat), Advice(tuple(ranked), 100, stop))


def verdicts(*values: tuple[Any, ...], **more: Any) -> Sequence[Verdict]:
    return [each.verdict for each in judged(*values, **more).recommended]


def each_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each move a reason that no other move has."""

    def motives(self: Policy[Any], state: Any, seat: int, move: str) -> list[Fact]:
        return [Fact("differs", {"move": move})]

    for policy in POLICIES.values():
        monkeypatch.setattr(policy, "motives", motives)


WON = (1.0, 9, Proof.WIN, 3)
LOST = (-1.0, 9, Proof.LOSS, 2)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([(0.5, 900), (0.38, 900)], [Verdict.CLEAR, Verdict.WEAKER]),
        ([(0.5, 900), (0.1, 900)], [Verdict.CLEAR]),
        ([(0.5, 900), (0.43, 900)], [Verdict.BETTER, Verdict.CLOSE]),
        ([(0.5, 900), (0.49, 900), (0.5, 900), (0.5, 900)], ["equal", "equal", "equal"]),
        ([(0.5, 900), (0.38, 800), (0.43, 700)], ["better", "close", "weaker"]),
        ([(0.5, 900), (-0.1, 3)], [Verdict.CLEAR]),
        ([(0.5, 900), (0.4, 3)], [Verdict.BETTER]),
        ([(0.5, 900), (0.5, 3)], [Verdict.BETTER]),
        ([(0.5, 900), (0.5, 1)], [Verdict.CLEAR]),
        ([(-0.9, 900), (-0.95, 900)], [Verdict.CLEAR, Verdict.WEAKER]),
        ([(1.0, 0, Proof.WIN, 1)], [Verdict.WINS]),
        ([WON, (0.99, 900)], [Verdict.FORCES]),
        ([WON, WON, (0.99, 900)], [Verdict.FORCES, Verdict.FORCES]),
        ([LOST, LOST, LOST], [Verdict.LOST]),
        ([(-0.99, 900), LOST], [Verdict.CLEAR]),
        ([(-0.99, 900), LOST, (-0.99, 900)], [Verdict.EQUAL, Verdict.EQUAL]),
    ],
)
def test_moves_are_judged_against_each_other(
    values: list[tuple[Any, ...]], told: list[Verdict], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most three moves are recommended, but none that is much weaker or rarely visited, and none
    that loses unless all do.
    """
    each_differs(monkeypatch)
    assert verdicts(*values) == told


@pytest.mark.parametrize("visits", [20, 900])
def test_a_gap_within_the_sampling_error_is_not_called_clear(visits: int) -> None:
    expected = Verdict.BETTER if visits == 20 else Verdict.CLEAR
    assert verdicts((0.5, visits), (0.38, visits))[0] is expected


def test_all_other_moves_are_said_to_lose_only_if_that_is_proven() -> None:
    assert verdicts((-0.5, 50), *[LOST] * 99)[0] is Verdict.SAVES
    assert verdicts((-0.5, 50), *[LOST] * 20)[0] is Verdict.CLEAR


def test_after_an_exhaustive_search_the_best_move_is_certain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    each_differs(monkeypatch)
    best, worse, open_ = (0.5, 30, Proof.BEST), (0.4, 30, Proof.WORSE), (0.43, 30)
    sure = judged(best, worse, worse, game_id="donquixote", stop=Stop.SOLVED)
    assert [each.verdict for each in sure.recommended] == [Verdict.SURE]
    assert sure.certain
    assert len(sure.loses) == 2
    told = judged((0.5, 30), worse, open_, game_id="donquixote", stop=Stop.SOLVED)
    assert [each.verdict for each in told.recommended] == [Verdict.BETTER, Verdict.CLOSE]
    assert not told.certain


@pytest.mark.parametrize("game_id", ["donquixote", "isolde", "twilight"])
def test_points_are_given_where_they_count(game_id: str) -> None:
    (fact,) = [
        f for f in judged((0.5, 900), (0.2, 900), game_id=game_id).best.reasons if f.kind == "gains"
    ]
    assert fact.data["points"] >= 1
    assert not [
        f for f in judged((0.5, 9), (0.5, 9), game_id=game_id).best.reasons if f.kind == "gains"
    ]


def test_no_points_are_given_where_none_count() -> None:
    """In Lancelot, only the number of stones taken counts."""
    reasons = judged((0.5, 900), (0.2, 900)).best.reasons
    assert "gains" not in {fact.kind for fact in reasons}


def test_a_lead_in_points_is_not_all_that_is_said_of_a_move() -> None:
    told = [fact.kind for fact in judged((0.5, 900), (0.1, 900), game_id="twilight").best.reasons]
    assert told[0] == "gains"
    assert {"among", "brings", "offers"} & {*told}


def test_effects_that_all_moves_share_are_left_out() -> None:
    """On an empty board, all moves have the same effects."""
    told = judged((0.5, 900), (0.5, 900), (0.5, 900), (0.49, 900))
    assert not told.near
    shared, alike = told.best.reasons
    assert shared.kind == "safe"
    legal = LANCELOT.legal(Match(LANCELOT, LANCELOT.setup(2, {"starter": "1"})).state, 0)
    assert (alike.kind, alike.data["moves"]) == ("alike", legal[1:3])


@pytest.mark.parametrize("game_id", GAMES)
def test_equal_moves_are_told_apart(game_id: str) -> None:
    """Each further move that does not win has an effect that none before it has."""
    game, compared = GAMES[game_id], 0
    for seed in range(4):
        match = Match(game, game.setup(game.info.players[-1], {}, str(seed)))
        match.advance()
        rng = random.Random(seed)
        for _ in range(9):
            seat = match.actors[0]
            match.play(seat, [game.random_move(match.state, seat, rng)])
        view = match.view(match.actors[0])
        hint = judge(game, view, search(game, view, rng, Budget(40)))
        compared += len(hint.near) + (hint.best.verdict is Verdict.EQUAL)
        kinds = {fact.kind for each in hint.recommended for fact in each.reasons}
        assert hint.best.verdict is not Verdict.EQUAL or kinds - {"alike"}, f"seed {seed}"
        said = list(hint.best.reasons)
        for each in hint.near:
            if each.verdict not in (Verdict.WINS, Verdict.FORCES):
                assert [fact for fact in each.reasons if fact not in said], f"seed {seed}"
            said += each.reasons
    assert compared


def test_a_best_move_without_a_reason_is_described_beside_one_that_has_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def motives(self: Policy[Any], state: Any, seat: int, move: str) -> list[Fact]:
        return [Fact("differs", {})] if move == game.legal(state, seat)[2] else []

    game = GAMES["donquixote"]
    monkeypatch.setattr(POLICIES["donquixote"], "motives", motives)
    hint = judged((0.5, 900), (0.5, 900), (0.44, 900), game_id="donquixote")
    assert [fact.kind for fact in hint.best.reasons] == ["opens", "alike"]
    assert [fact.kind for fact in hint.near[0].reasons] == ["differs"]


def test_the_judgement_explains_what_is_wrong_with_the_obvious_move() -> None:
    """Here the obvious move is a capture. It is said to lose if and only if it does, and its
    drawbacks are real.
    """
    found = set()
    for position in kept("lancelot-4")[:8]:
        match = position.match()
        seat = match.actors[0]
        view = match.view(seat)
        advice = search(LANCELOT, view, random.Random(1), Budget(200))
        move = judge(LANCELOT, view, advice).declined
        if move is None:
            continue
        assert move.move not in [each.move for each in judge(LANCELOT, view, advice).recommended]
        assert any(fact.kind == "captured" for fact in move.brings)
        assert (move.verdict is Verdict.LOST) is (move.move in position.loses)
        found.add(move.verdict)
        for fact in move.drawbacks:
            claim = Claim(LANCELOT, match.state, seat, move.move, fact)
            assert is_true(claim)
    assert Verdict.LOST in found


OBVIOUS = {
    "donquixote": {"ends", "seals"},
    "isis": {"lets", "risks"},
    "isolde": {"lags"},
    "twilight": {"passable", "spends"},
}
"""The possible kinds of faults of the move that looks best at a glance, by game."""


@pytest.mark.full
@pytest.mark.parametrize("game_id", OBVIOUS)
def test_every_game_explains_what_is_wrong_with_the_obvious_move(game_id: str) -> None:
    """If the move that looks best at a glance is declined, its faults are real, and the best move
    does not share them.
    """
    game, found = GAMES[game_id], set()
    for seed in range(60):
        players = 4 if game_id == "twilight" else 2
        match = Match(game, game.setup(players, {}, str(seed)))
        match.advance()
        rng = random.Random(seed)
        for _ in range(8 + seed % 24):
            if match.outcome is None:
                seat = match.actors[0]
                match.play(seat, [game.random_move(match.state, seat, rng)])
        if match.outcome is not None:
            continue
        seat = match.actors[0]
        view = match.view(seat)
        hint = judge(game, view, search(game, view, rng, Budget(60)))
        if hint.declined is None:
            continue
        assert hint.declined.move not in [each.move for each in hint.recommended]
        for fact in hint.declined.drawbacks:
            if fact.kind == "behind":  # according to the search
                continue
            assert is_true(Claim(game, match.state, seat, hint.declined.move, fact))
            assert fact not in policy_for(game).drawbacks(match.state, seat, hint.best.move)
            found.add(fact.kind)
        if found:
            break
    assert found
    assert found <= OBVIOUS[game_id]


# ------------------------------------------------------------------------------ the reasons
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("game_id", GAMES)
def test_stated_effects_come_true(game_id: str, seed: int) -> None:
    """Whatever is hidden, a stated effect occurs when the move is played, or the reason already
    holds in the position; in both cases, the person can see it.
    """
    game = GAMES[game_id]
    rng = random.Random(seed)
    match = Match(game, game.setup(game.info.players[-1], {}, str(seed)))
    match.advance()
    told = 0
    for _ in range(30):
        if match.outcome is not None:
            break
        seat = rng.choice(match.actors)
        move = game.random_move(match.state, seat, rng)
        reasons = Reasons(game, match.view(seat))
        certain = reasons.certain(move)
        motives = policy_for(game).motives(match.state, seat, move)
        happened = match.play(seat, [move])[0].facts
        for fact in certain:
            assert fact in happened or fact in motives, f"{game_id}, seed {seed}, {move}"
            assert fact.known_to(seat), f"{game_id}, seed {seed}, {move}"
            told += fact in happened
    assert told, "no move had a reason"


@pytest.mark.full
@pytest.mark.parametrize("game_id", GAMES)
def test_reasons_distinguish_a_move(game_id: str) -> None:
    """No reason applies to many of the other moves, or merely repeats the move."""
    game = GAMES[game_id]
    rng = random.Random(1)
    match = Match(game, game.setup(game.info.players[-1], {}, "1"))
    match.advance()
    told = 0
    for _ in range(24):
        if match.outcome is not None:
            break
        seat = rng.choice(match.actors)
        reasons = Reasons(game, match.view(seat))
        for move in reasons.moves[:8]:
            others = [other for other in reasons.moves if other != move]
            for fact in reasons.of(move):
                told += 1
                assert fact.kind not in judgement.RESTATES
                alike = [o for o in others if brings(reasons.certain(o), fact)]
                if len(others) < judgement.FEW:
                    assert not alike
                elif len(others) < judgement.OTHERS:
                    assert len(alike) < judgement.RARE * len(others)
        match.play(seat, [game.random_move(match.state, seat, rng)])
    assert told or game_id == "isolde"


def brings(facts: Sequence[Fact], fact: Fact) -> bool:
    """Return whether one of the facts has the same kind and is at least as large."""
    return any(f.kind == fact.kind and magnitude(f) >= magnitude(fact) for f in facts)


def test_a_spectator_is_not_judged_for() -> None:
    match = Match(LANCELOT, LANCELOT.setup(2, {"starter": "1"}, "5eed"))
    with pytest.raises(ValueError, match="spectator"):
        Reasons(LANCELOT, match.view(None))


def test_the_number_of_losing_moves_is_given_if_it_is_large() -> None:
    """The number of losing moves is omitted if all other moves lose, or only one does."""
    (fact,) = [f for f in judged((0.5, 50), *[LOST] * 30).best.reasons if f.kind == "pitfalls"]
    assert (fact.data["number"], fact.data["of"]) == (30, 63)
    for losses in (1, 63):
        told = judged((0.5, 50), *[LOST] * losses).best.reasons
        assert "pitfalls" not in [fact.kind for fact in told]
