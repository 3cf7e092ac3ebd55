"""Pictures: a painter takes a view of the position and returns an image with its description.
Nothing here depends on Discord or the database.
"""

from __future__ import annotations

from importlib import import_module

from games import GAMES
from render.scene import Painter

PAINTERS: dict[str, Painter] = {
    game_id: import_module(f"render.{game_id}").PAINTER for game_id in GAMES
}
"""The painter of each game, by the game's id."""
