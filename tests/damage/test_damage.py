"""Random damage is refused, explained in a sentence or harmless; it never crashes the bot."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.damage.houses import make_houses
from tests.damage.looking import Look
from tests.damage.trial import attempt, undamaged

pytestmark = pytest.mark.slow("damage")

Houses = tuple[list[Path], list[Look]]


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Houses:
    """The undamaged databases and what they contain."""
    folder = tmp_path_factory.mktemp("houses")
    made = make_houses(folder)
    return made, [undamaged(house, folder / f"sound{n}") for n, house in enumerate(made)]


def test_undamaged_databases_can_be_used(houses: Houses) -> None:
    """Nothing is refused, and every table can be read except the made-up ones."""
    for look, count in zip(houses[1], (50, 50, 2), strict=True):
        assert not look.refused
        assert len(look.seen) == count
        assert look.sentences <= {"unreadable"}
    assert not houses[1][0].sentences


@pytest.mark.seeds(30, always=15)
def test_damage_is_reported_or_harmless(houses: Houses, tmp_path: Path, seed: int) -> None:
    trial = attempt(*houses, tmp_path / "trial", seed)
    assert trial.outcome != "crashed", trial.what
