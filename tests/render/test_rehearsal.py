"""After a rehearsal, what all pictures of a game share is there."""

from __future__ import annotations

import pytest

from games import GAMES
from render import PAINTERS
from render.layers import LAYERS_MOST, Layers
from render.rehearsal import rehearse
from tests.render.scenes import cases, scene_at


@pytest.fixture
def layers(monkeypatch: pytest.MonkeyPatch) -> Layers:
    """No layer has been drawn yet."""
    empty = Layers(LAYERS_MOST)
    monkeypatch.setattr("render.layers._layers", empty)
    return empty


@pytest.mark.slow("rehearsal")
def test_the_layers_of_all_games_have_room_together(layers: Layers) -> None:
    """None is dropped while the last game is rehearsed."""
    there = set[object]()
    for game in GAMES:
        rehearse(game)
        there |= set(layers.keys())
    assert set(layers.keys()) == there
    assert layers.size <= LAYERS_MOST


@pytest.mark.slow("rehearsal")
@pytest.mark.parametrize("game", [*reversed(GAMES)])
def test_after_a_rehearsal_no_layer_is_missing(game: str, layers: Layers) -> None:
    """Whatever the number of players and the modules, hands included."""
    rehearse(game)
    there = set(layers.keys())
    assert there
    for case in cases(game):
        PAINTERS[game].board(scene_at(case, 0.1))
        PAINTERS[game].hand(scene_at(case, 0.1, viewer=0))
    assert set(layers.keys()) == there
