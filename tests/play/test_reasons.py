"""Reasons of hints are true: a part of what ``python -m benchmarks.reasons`` goes through."""

from __future__ import annotations

import pytest

from benchmarks.reasons import CHECKS, is_true, reasons

HINTS = {"donquixote": 20, "isis": 12, "isolde": 24, "lancelot": 12, "twilight": 15}
"""How many hints are looked at."""


@pytest.mark.parametrize("game_id", CHECKS)
def test_no_reason_is_false(game_id: str) -> None:
    """With the King's power, and whatever the others could do with it, too."""
    claims = list(reasons(game_id, "1", HINTS[game_id]))
    assert len({claim.fact.kind for claim in claims}) > 3
    false = [(claim.move, claim.fact) for claim in claims if not is_true(claim)]
    assert false == []
