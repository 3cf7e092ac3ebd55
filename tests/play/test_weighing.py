"""Weighing a move: another one is better, none is, or the result is unclear."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from games import GAMES
from games.engine import Match, Move, Setup, View
from games.players.advice import Advice, Proof, Ranked, Stop
from games.players.comparison import Comparison
from games.players.policy import Policy
from play import weighing
from play.judgement import CLOSE
from play.weighing import Loss, Weighed, priced, weighed

GAME = GAMES["lancelot"]
WORTHS = {"D4": 0.0, "E5": 0.3, "F6": 0.31, "G7": -0.6}


ALL = tuple(Ranked(move, 0.0, 9) for move in WORTHS)


class Lottery(Policy[Any]):
    """A policy that values each first stone at its worth plus luck, some of it shared by all moves,
    some separate for each.

    :param shared, own: the size of the shared and of the separate luck.
    """

    playout = 1

    def __init__(self, worths: Mapping[str, float], shared: float, own: float = 0.0) -> None:
        super().__init__(GAME)
        self.worths, self.shared, self.own = worths, shared, own
        self.alone = random.Random(1)
        self.luck = 0.0

    def pick(self, state: Any, seat: int, rng: random.Random) -> Move:
        """Draw the luck of this world, and play any move."""
        self.luck = rng.uniform(-1, 1) * self.shared + self.alone.uniform(-1, 1) * self.own
        return str(GAME.legal(state, seat)[-1])

    def values(self, state: Any) -> Sequence[float]:
        """Return the stone's worth plus the luck, which the other seat loses."""
        others = GAME.legal(state, 1)
        value = next(worth for move, worth in self.worths.items() if move not in others)
        return [value + self.luck, -value - self.luck]


def opening() -> View:
    """The first decision of a match."""
    match: Match[Any] = Match(GAME, Setup(2, GAME.setup(2, {"starter": "1"}).options, "s"))
    match.advance()
    return match.view(0)


def weigh(
    move: str,
    policy: Policy[Any],
    monkeypatch: pytest.MonkeyPatch,
    moves: Sequence[Ranked] = ALL,
    stop: Stop = Stop.SPENT,
    playouts: int = 2000,
) -> Weighed:
    """Weigh a first stone against all those with a worth."""
    monkeypatch.setattr(weighing, "policy_for", lambda _: policy)
    advice = Advice(tuple(moves), 9, stop)
    return weighed(GAME, opening(), move, advice, random.Random(2), playouts)


def test_luck_that_all_moves_share_cancels_out() -> None:
    """Each move has the same luck in the same world."""
    comparison = Comparison(Lottery(WORTHS, shared=0.3), opening(), random.Random(3))
    ranked = comparison.compare(["D4", "E5"], 20)
    assert [each.move for each in ranked] == ["E5", "D4"]
    assert ranked[0].value - ranked[1].value == pytest.approx(0.3)
    assert comparison.error("E5", "D4") == pytest.approx(0, abs=1e-9)
    assert comparison.compare(["D4", "E5"], 20)[0].visits == 40


def test_a_clearly_better_move_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    found = weigh("G7", Lottery({**WORTHS, "E5": 0.0}, 0.3), monkeypatch)
    assert (found.best, found.sure) == ("F6", True)
    assert found.lost > 0.8
    assert found.moves[0].move == "F6"
    assert {each.move for each in found.moves} == set(WORTHS)


def test_a_move_nearly_as_good_as_the_best_is_not_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = weigh("E5", Lottery(WORTHS, 0.3), monkeypatch)
    assert (found.best, found.sure) == ("E5", True)
    assert found.lost < CLOSE


def test_a_move_that_certainly_loses_a_little_more_is_blamed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A difference of twice ``CLOSE`` is a loss."""
    found = weigh("F6", Lottery({**WORTHS, "E5": 2 * CLOSE, "F6": 0.0}, 0.1), monkeypatch)
    assert (found.best, found.sure) == ("E5", True)


def test_moves_whose_results_scatter_too_much_are_not_blamed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    policy = Lottery(dict.fromkeys(WORTHS, 0.0), 0, 0.9)
    found = weigh("D4", policy, monkeypatch, playouts=200)
    assert (found.best, found.lost, found.sure) == ("D4", 0.0, False)


@pytest.mark.parametrize(
    ("better", "own", "loss"),
    [
        pytest.param("E5", 0.1, Loss.CLEAR, id="clear"),
        pytest.param("D4", 0.1, Loss.NONE, id="as good"),
        pytest.param("G7", 0.1, Loss.NONE, id="worse"),
        pytest.param("E5", 0.9, Loss.UNCLEAR, id="may be luck"),
    ],
)
def test_a_loss_is_clear_only_beyond_what_luck_can_do(
    better: str, own: float, loss: Loss, monkeypatch: pytest.MonkeyPatch
) -> None:
    worths = {"F6": 0.0, "E5": 0.45, "D4": 0.05, "G7": -0.4}
    monkeypatch.setattr(weighing, "policy_for", lambda _: Lottery(worths, 0.1, own))
    found, said = priced(GAME, opening(), "F6", [better], random.Random(2), 48)
    assert said is loss
    assert {each.move for each in found.moves} == {"F6", better}
    assert found.lost >= 0
    assert found.best == ("F6" if found.lost < CLOSE else better)


def test_luck_counts_for_more_near_a_sure_win(monkeypatch: pytest.MonkeyPatch) -> None:
    """Near a sure win, the same difference is worth more, even if it comes from luck."""
    for height, loss in ((0.0, Loss.NONE), (0.8, Loss.UNCLEAR)):
        policy = Lottery({**WORTHS, "E5": height + 0.1, "F6": height}, 0, 0.1)
        monkeypatch.setattr(weighing, "policy_for", lambda _, policy=policy: policy)
        assert priced(GAME, opening(), "F6", ["E5"], random.Random(2), 48)[1] is loss


def test_a_loss_is_what_the_best_of_the_others_brings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The order in which the others are named does not matter."""
    monkeypatch.setattr(weighing, "policy_for", lambda _: Lottery(WORTHS, 0.1))
    for rivals in (["E5", "D4"], ["D4", "E5"]):
        found, loss = priced(GAME, opening(), "G7", rivals, random.Random(2), 100)
        assert (found.best, loss) == ("E5", Loss.CLEAR)
        assert [each.move for each in found.moves] == ["E5", "D4", "G7"]


def test_the_most_that_a_move_may_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound is close to the loss if results scatter little, and far above it if they scatter a
    lot.
    """
    sure = weigh("G7", Lottery({**WORTHS, "E5": 0.0}, 0.3), monkeypatch)
    assert sure.lost <= sure.most < sure.lost + 0.1
    blameless = weigh("F6", Lottery(WORTHS, 0.3), monkeypatch)
    assert blameless.most < CLOSE
    policy = Lottery(dict.fromkeys(WORTHS, 0.0), 0, 0.9)
    assert weigh("D4", policy, monkeypatch, playouts=200).most > CLOSE


def test_two_better_moves_of_which_none_is_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """The move clearly loses much, but it is unclear which other one is best."""
    worths = {"D4": -0.5, "E5": 0.3, "F6": 0.3, "G7": -0.5}
    found = weigh("D4", Lottery(worths, 0.1, 0.1), monkeypatch)
    assert found.best in ("E5", "F6")
    assert found.lost > 0.5
    assert not found.sure


def test_what_is_proven_needs_no_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = Lottery(WORTHS, 0.3)
    wins = Ranked("G7", 1.0, 9, Proof.WIN, 3)
    both = [wins, Ranked("D4", 1.0, 9, Proof.WIN, 5)]
    assert weigh("D4", policy, monkeypatch, both).lost == 0
    assert weigh("E5", policy, monkeypatch, [wins]).best == "G7"
    loses = Ranked("G7", -1.0, 9, Proof.LOSS, 2)
    found = weigh("G7", policy, monkeypatch, [Ranked("D4", 0, 9), Ranked("F6", 0, 9), loses])
    assert (found.best, found.sure) == ("F6", True)
    assert found.lost > 1
    solved = [Ranked("D4", 0.2, 30), Ranked("F6", 0.0, 30)]
    found = weigh("F6", policy, monkeypatch, solved, Stop.SOLVED)
    assert (found.best, found.sure) == ("D4", True)
    assert found.lost == pytest.approx(0.2, abs=0.01)
