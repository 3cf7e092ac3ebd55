"""No picture changes unnoticed: each is compared with the accepted one."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from games import GAMES
from scripts.goldens import (
    FOLDER,
    WIDTH,
    GoldenChange,
    accept,
    accepted,
    current_pictures,
    golden_changes,
)
from scripts.house import HOUSE
from tests.render.test_contrast import all_is_read

MIB = 1024 * 1024


@pytest.mark.slow("pictures of all stages")
@pytest.mark.parametrize("game", [*GAMES, HOUSE])
def test_pictures_are_as_they_were_accepted(game: str, tmp_path: Path) -> None:
    """A picture that differs is saved together with the accepted one. All text is legible."""
    with all_is_read():
        current = current_pictures(game)
    found = list(golden_changes(game, accepted(game), current))
    for change in found:
        change.side_by_side().save(tmp_path / f"{change.name.replace('/', '-')}.png")
    names = ", ".join(change.name for change in found)
    assert not found, f"{names}: see {tmp_path}; scripts/pictures --goldens {game} accepts them"


def test_accepted_pictures_stay_small() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) <= 1.5 * MIB


def sample() -> Image.Image:
    """A picture as wide as the goldens."""
    return Image.new("RGB", (WIDTH, 90), "#8A7F72")


def test_a_small_change_is_noticed(tmp_path: Path) -> None:
    accept("game", {"a": sample(), "b": sample()}, tmp_path)
    before = accepted("game", tmp_path)
    assert list(golden_changes("game", before, {"a": sample(), "b": sample()})) == []
    large = sample().resize((10 * WIDTH, 900))
    ImageDraw.Draw(large).rectangle((604, 404, 606, 406), "#2B2622")
    dotted = large.reduce(10)
    (change,) = golden_changes("game", before, {"a": sample(), "b": dotted})
    assert change.name == "game/b"
    assert change.side_by_side().width == 9 * WIDTH
    taller = {"a": sample(), "b": sample().resize((WIDTH, 91))}
    assert [change.name for change in golden_changes("game", before, taller)] == ["game/b"]


def test_new_and_lost_pictures_are_changes() -> None:
    found = list(golden_changes("game", {"old": sample()}, {"new": sample()}))
    assert [(c.name, c.before is None, c.after is None) for c in found] == [
        ("game/old", False, True),
        ("game/new", True, False),
    ]
    assert all(isinstance(change, GoldenChange) and change.side_by_side() for change in found)
