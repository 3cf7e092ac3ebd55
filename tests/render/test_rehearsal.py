"""After a rehearsal, what all pictures of a game share is there."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from hashlib import sha256
from typing import TypeVar

import pytest

from games import GAMES
from render import PAINTERS
from render.cache import BUDGET, CACHE, Cache, Cached, size_of
from render.canvas import Canvas
from render.rehearsal import rehearse
from tests.render.scenes import cases, scene_at

R = TypeVar("R")

SHARED = (
    "donquixote.country.backdrop",
    "isis.ground.ground",
    "isolde.ground.ground",
    "isolde.ground.walls",
    "lancelot.ground.ground",
    "plates._tallest",
    "twilight.hand.hand_ground",
    "twilight.table.ground",
)
"""What draws the layers that never change during a match."""


@pytest.fixture
def roomy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cache]:
    """The cache of all pictures, empty, with room for all that is drawn."""
    CACHE.clear()
    monkeypatch.setattr(CACHE, "budget", 1 << 40)
    yield CACHE
    CACHE.clear()


def layers() -> dict[tuple[str, Hashable], Canvas]:
    """The layers that are held."""
    return {
        (function.name, key): entry.value
        for function in CACHE.functions
        if function.name.removeprefix("render.") in SHARED
        for key, entry in function.entries.items()
    }


def seen(canvas: Canvas) -> str:
    """A fingerprint of a canvas as it is now."""
    return sha256(canvas._image.tobytes()).hexdigest()


@pytest.mark.slow("rehearsal")
def test_rehearsals_of_all_games_stay_within_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much they draw; the layers of all games take half of it, and the rest is for what
    lies on them.
    """
    drawn: dict[tuple[str, Hashable], int] = {}
    made = CACHE.made

    def noted(function: Cached[..., R], key: Hashable, draw: Callable[[], R]) -> R:
        value = made(function, key, draw)
        if function.name.removeprefix("render.") in SHARED:
            drawn[function.name, key] = size_of(value)
        return value

    monkeypatch.setattr(CACHE, "made", noted)
    CACHE.clear()
    for game in PAINTERS:
        rehearse(game)
        assert CACHE.size <= CACHE.budget == BUDGET
    assert sum(usage.misses - usage.entries for usage in CACHE.usages()) > 0
    assert sum(drawn.values()) <= BUDGET / 2
    assert {name for name, _ in drawn} == {f"render.{name}" for name in SHARED}


@pytest.mark.slow("rehearsal")
@pytest.mark.parametrize("game", [*reversed(GAMES)])
def test_after_a_rehearsal_no_layer_is_missing(game: str, roomy: Cache) -> None:
    """Whatever the number of players and the modules, hands included; and none is drawn on."""
    rehearse(game)
    there = {key: seen(canvas) for key, canvas in layers().items()}
    assert there
    for case in cases(game):
        PAINTERS[game].board(scene_at(case, 0.1))
        PAINTERS[game].hand(scene_at(case, 0.1, viewer=0))
    assert {key: seen(canvas) for key, canvas in layers().items()} == there
