"""Judgements: how good moves are called, and what is said for them."""

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
    """What is said of moves with these values, visits, proofs and distances, in a new match."""
    game = GAMES[game_id]
    players = game.info.players[-1] if game_id == "twilight" else 2
    match = Match(game, game.setup(players, {}, "5eed"))
    match.advance()
    seat = match.actors[0]
    legal = game.legal(match.state, seat)
    ranked = [Ranked(move, *value) for move, value in zip(legal, values, strict=False)]
    return judge(game, match.view(seat), Advice(tuple(ranked), 100, stop))


def verdicts(*values: tuple[Any, ...], **more: Any) -> Sequence[Verdict]:
    """Of the moves that are recommended."""
    return [each.verdict for each in judged(*values, **more).recommended]


def each_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let something speak for each move that speaks for no other."""

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
def test_moves_are_judged_beside_each_other(
    values: list[tuple[Any, ...]], told: list[Verdict], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three at most; what is much weaker, was hardly looked at, or loses, is no advice."""
    each_differs(monkeypatch)
    assert verdicts(*values) == told


@pytest.mark.parametrize("visits", [20, 900])
def test_what_samples_do_not_tell_for_sure_is_not_called_clear(visits: int) -> None:
    """The same gap says less after few visits."""
    expected = Verdict.BETTER if visits == 20 else Verdict.CLEAR
    assert verdicts((0.5, visits), (0.38, visits))[0] is expected


def test_all_other_moves_lose() -> None:
    """Only if that is proven of every one of them."""
    assert verdicts((-0.5, 50), *[LOST] * 99)[0] is Verdict.SAVES
    assert verdicts((-0.5, 50), *[LOST] * 20)[0] is Verdict.CLEAR


def test_where_all_was_looked_at_the_best_is_surely_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing that is worse for certain is recommended."""
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
def test_points_are_told_where_they_count(game_id: str) -> None:
    """By how many the best move is ahead of the next one; not among equals."""
    (fact,) = [
        f for f in judged((0.5, 900), (0.2, 900), game_id=game_id).best.reasons if f.kind == "gains"
    ]
    assert fact.data["points"] >= 1
    assert not [
        f for f in judged((0.5, 9), (0.5, 9), game_id=game_id).best.reasons if f.kind == "gains"
    ]


def test_what_adds_nothing_is_left_out_and_said_to_be_alike() -> None:
    """On an empty field, all moves bring about the same."""
    told = judged((0.5, 900), (0.5, 900), (0.5, 900), (0.49, 900))
    assert not told.near
    shared, alike = told.best.reasons
    assert shared.kind == "safe"
    legal = LANCELOT.legal(Match(LANCELOT, LANCELOT.setup(2, {"starter": "1"})).state, 0)
    assert (alike.kind, alike.data["moves"]) == ("alike", legal[1:3])


@pytest.mark.parametrize("game_id", GAMES)
def test_equal_moves_are_told_apart(game_id: str) -> None:
    """Each further move brings about what none before it does; nothing is only about as good."""
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


def test_it_is_told_why_not_the_obvious() -> None:
    """A capture that loses, or after which another one takes."""
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
"""What may be wrong with the move that seems best at a glance."""


@pytest.mark.parametrize("game_id", OBVIOUS)
def test_it_is_told_in_every_game_why_not_the_obvious(game_id: str) -> None:
    """The move that alone seems best at a glance; what is wrong with it is true, and it
    is not wrong with the best move.
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
            if fact.kind == "behind":  # the search says so
                continue
            assert is_true(Claim(game, match.state, seat, hint.declined.move, fact))
            assert fact not in policy_for(game).drawbacks(match.state, seat, hint.best.move)
            found.add(fact.kind)
        if found:
            break
    assert found
    assert found <= OBVIOUS[game_id]


# ------------------------------------------------------------------------------ the reasons
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game_id", GAMES)
def test_what_is_certain_comes_true(game_id: str, seed: int) -> None:
    """Whatever others hide, what is told of a move happens when it is played, or speaks for it in
    the position as it is; and the person learns of it.
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
    assert told, "nothing was told of any move"


@pytest.mark.parametrize("game_id", GAMES)
def test_reasons_distinguish_a_move(game_id: str) -> None:
    """None is brought about by half of the other moves, or says only what the move is."""
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
    """Whether a fact of the same kind and at least as large is among them."""
    return any(f.kind == fact.kind and magnitude(f) >= magnitude(fact) for f in facts)


def test_a_spectator_is_not_judged_for() -> None:
    """There is no move to judge."""
    match = Match(LANCELOT, LANCELOT.setup(2, {"starter": "1"}, "5eed"))
    with pytest.raises(ValueError, match="spectator"):
        Reasons(LANCELOT, match.view(None))


def test_how_many_moves_lose_is_said_where_it_is_no_small_part() -> None:
    """And not where all others do, or one alone."""
    (fact,) = [f for f in judged((0.5, 50), *[LOST] * 30).best.reasons if f.kind == "pitfalls"]
    assert (fact.data["number"], fact.data["of"]) == (30, 63)
    for losses in (1, 63):
        told = judged((0.5, 50), *[LOST] * losses).best.reasons
        assert "pitfalls" not in [fact.kind for fact in told]
