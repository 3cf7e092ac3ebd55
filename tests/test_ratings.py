"""The rating scale for computer players, and the sequential test that decides which changes to
keep.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from benchmarks import ladder, strength
from benchmarks.ladder import expected_score
from benchmarks.matches import Chooser, Terms
from benchmarks.trials import BOUND, Trial

TRUE = {"random": 1100.0, "novice": 1300.0, "skilled": 1500.0, "master": 1750.0}


def tournament(rng: random.Random, pairs: int) -> ladder.Scores:
    """The scores of players with known strengths against each other."""
    scores: ladder.Scores = {}
    for one, below in TRUE.items():
        for other, above in TRUE.items():
            if below < above:
                share = expected_score(above - below)
                won = [(rng.random() < share) + (rng.random() < share) for _ in range(pairs)]
                scores[one, other] = [number / 2 for number in won]
    return scores


def test_known_strengths_are_found(rng: random.Random) -> None:
    rated = ladder.ratings(tournament(rng, 400), 2, "seed")
    assert rated["skilled"].elo == pytest.approx(1500)
    for name, elo in TRUE.items():
        assert rated[name].elo == pytest.approx(elo, abs=60)
        assert rated[name].low - 20 < elo < rated[name].high + 20


def test_a_player_who_never_loses_has_a_rating(rng: random.Random) -> None:
    rated = ladder.ratings({("random", "skilled"): [1.0] * 20}, 2, "seed")
    assert 300 < rated["skilled"].elo - rated["random"].elo < 1000
    assert rated["random"].high > rated["random"].low


def test_a_rating_lies_in_its_interval() -> None:
    """Few and one-sided matches are covered; for two players, the interval matches the one that
    Jeffreys' prior gives for their score.
    """
    few = {("random", "script1"): [1.0], ("script1", "learner"): [1.0] * 3}
    for rating in ladder.ratings(few, 2, "seed").values():
        assert rating.low <= rating.elo <= rating.high
    even = ladder.ratings({("random", "skilled"): [0.5] * 8}, 2, "seed")["random"]
    # The 95% interval of the beta distribution with parameters 8.5 and 8.5 is 0.2747 to 0.7253.
    assert even.low == pytest.approx(1500 - 168.7, abs=10)
    assert even.high == pytest.approx(1500 + 168.7, abs=10)


def test_ratings_are_relative_to_the_weakest_where_no_level_plays() -> None:
    """Among players that differ only in thinking time, the weakest is the reference, whichever pair
    met first.
    """
    scores = {("1s", "4s"): [0.5] * 4, ("0.25s", "1s"): [1.0, 0.5], ("0.25s", "4s"): [1.0]}
    rated = ladder.ratings(scores, 2, "seed")
    assert (rated["0.25s"].low, rated["0.25s"].high) == (1500, 1500)
    assert rated["1s"].elo > 1500


def test_a_game_that_no_one_has_played_has_no_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "thought.jsonl"
    file.write_text('{"game": "isis", "players": ["1s", "4s"], "scores": [0.5], "seconds": 9}\n')
    command = f"strength --ladder --players 1s 4s --minutes 0 --results {file} lancelot isis"
    monkeypatch.setattr(sys, "argv", command.split())
    strength.main()
    rows = capsys.readouterr().out.splitlines()[2:]
    assert [row.split("|")[1].strip() for row in rows] == ["isis", "isis"]


def test_all_pairs_play_equally_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second run adds no matches, and joining the lines of each pair in the file leaves the
    scores unchanged.
    """
    played: list[int] = []

    def pair(terms: Terms, number: int, ours: Chooser, theirs: Chooser) -> float:
        played.append(number)
        return 0.5

    monkeypatch.setattr(ladder, "pair", pair)
    file = tmp_path / "ladder.jsonl"
    for _ in range(2):
        ladder.play("isis", ["random", "script1", "novice"], file, 3, 1, "seed")
        assert sorted(played) == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    before = ladder.scores_in(file, "isis")
    assert {len(each) for each in before.values()} == {3}
    ladder.join_lines(file)
    assert ladder.scores_in(file, "isis") == before
    assert len(file.read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("elo", "verdict"), [(80.0, "not worse by 30"), (-80.0, "not better by 30")]
)
def test_a_trial_ends_with_the_right_verdict(elo: float, verdict: str, rng: random.Random) -> None:
    """A trial without a verdict has not reached its bound."""
    trial = Trial()
    share = expected_score(elo)
    while not trial.verdict:
        assert abs(trial.ratio) < BOUND
        trial.scores.append(((rng.random() < share) + (rng.random() < share)) / 2)
    assert trial.verdict == verdict


def test_two_equal_sides_are_seldom_distinguished(rng: random.Random) -> None:
    undecided = 0
    for _ in range(50):
        trial = Trial()
        for _ in range(30):
            trial.scores.append(((rng.random() < 0.5) + (rng.random() < 0.5)) / 2)
        undecided += not trial.verdict
    assert undecided > 30
