"""The reasons given with hints are true: a sample of the checks in ``python -m
benchmarks.reasons``.
"""

from __future__ import annotations

import pytest

from benchmarks.reasons import CHECKS, is_true, reasons

HINTS = {"donquixote": 20, "isis": 12, "isolde": 24, "lancelot": 12, "twilight": 15}
"""The number of hints to check."""


@pytest.mark.full
@pytest.mark.parametrize("game_id", CHECKS)
def test_no_reason_is_false(game_id: str) -> None:
    """All reasons in a sample of hints are true."""
    claims = list(reasons(game_id, "1", HINTS[game_id]))
    assert len({claim.fact.kind for claim in claims}) > 3
    false = [(claim.move, claim.fact) for claim in claims if not is_true(claim)]
    assert false == []
