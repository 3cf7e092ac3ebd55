"""The reasons given with hints are true: a sample of the checks in ``python -m
benchmarks.reasons``.
"""

from __future__ import annotations

import pytest

from benchmarks.reasons import CHECKS, VARIED, is_bare, is_true, judged
from games import GAMES

HINTS = {"donquixote": 7, "isis": 9, "isolde": 12, "lancelot": 9, "twilight": 11}
"""The number of hints to check, by game."""


@pytest.mark.full
@pytest.mark.parametrize(
    ("game_id", "varied"),
    [*((each, False) for each in CHECKS), *((each, True) for each in VARIED)],
)
def test_no_reason_is_false(game_id: str, varied: bool) -> None:
    """All reasons in a sample of hints are true; hints without reasons have verdicts that need
    none.
    """
    told = list(judged(game_id, "1", HINTS[game_id], varied=varied))
    claims = [claim for _, claims in told for claim in claims]
    assert len({claim.fact.kind for claim in claims}) > 3
    false = [(claim.move, claim.fact) for claim in claims if not is_true(claim)]
    assert false == []
    assert [hint.best for hint, _ in told if is_bare(hint, GAMES[game_id])] == []
