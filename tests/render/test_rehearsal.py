"""After a rehearsal, everything shared by a game's pictures is cached."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from hashlib import sha256

import pytest

from games import GAMES
from render import PAINTERS, rehearsal
from render.cache import BUDGET, CACHE, Cache, size_of
from render.canvas import Canvas
from tests.render.colours import pixels_of
from tests.render.scenes import cases, scene_at

SHARED = (
    "donquixote.country.heavens",
    "isis.ground.ground",
    "isolde.ground.ground",
    "isolde.ground._low_walls",
    "lancelot.ground.ground",
    "plates._tallest",
    "twilight.hand.hand_ground",
    "twilight.table.ground",
)
"""The functions that draw layers which never change during a match."""


@pytest.fixture
def roomy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cache]:
    """An empty cache with enough space for everything drawn, for a rehearsal of fewer moves whose
    pictures are not encoded.
    """
    CACHE.clear()
    monkeypatch.setattr(CACHE, "budget", 1 << 40)
    monkeypatch.setattr(rehearsal, "LATER", 4)
    monkeypatch.setattr(Canvas, "png", lambda *_: b"")
    yield CACHE
    CACHE.clear()


def layers() -> dict[tuple[str, Hashable], Canvas]:
    """The cached layers; none is compressed."""
    found: dict[tuple[str, Hashable], Canvas] = {}
    for function in CACHE.functions:
        if function.name.removeprefix("render.") in SHARED:
            for key, entry in function.entries.items():
                assert isinstance(entry.value, Canvas)
                found[function.name, key] = entry.value
    return found


def seen(canvas: Canvas) -> str:
    """A fingerprint of a canvas as it is now."""
    return sha256(pixels_of(canvas).tobytes()).hexdigest()


@pytest.mark.full
def test_a_rehearsal_leaves_every_layer(roomy: Cache) -> None:
    """Before they are compressed, the layers of all games take at most half of the budget."""
    held, names = 0, set[str]()
    for game in GAMES:
        roomy.clear()
        rehearsal.rehearse(game)
        there = {key: seen(canvas) for key, canvas in layers().items()}
        held += sum(size_of(canvas) for canvas in layers().values())
        names |= {name.removeprefix("render.") for name, _ in there}
        for case in {*cases(game)[::4], cases(game)[-1]}:
            PAINTERS[game].board(scene_at(case, 0.1))
            PAINTERS[game].hand(scene_at(case, 0.1, viewer=0))
        assert {key: seen(canvas) for key, canvas in layers().items()} == there, game
    assert names == set(SHARED)
    assert held <= BUDGET / 2
