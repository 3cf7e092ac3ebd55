"""Pictures: a view of the position in, an image and its description out. No Discord, no storage."""

from __future__ import annotations

from render.lancelot import LancelotPainter
from render.scene import Painter

PAINTERS: dict[str, Painter] = {"lancelot": LancelotPainter()}
"""The painter of each game, by the game's id."""
