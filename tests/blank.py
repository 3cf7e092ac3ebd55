"""Blank pictures, for tests in which pictures are not the point.

Painters run, and say what they say; but their canvases stay blank, and whatever is encoded is one
and the same small picture. That saves 60 % of the processor time of a whole match. What is drawn,
and how, is tried in ``tests/render``, and by the tests that are marked as ``pixels``.
"""

from __future__ import annotations

import inspect
import sys
from typing import Any

from render import icons, rehearsal
from render.cache import CACHE
from render.canvas import Canvas, Sprite

REAL_PNG = Canvas.png

_replaced: list[tuple[Any, str, Any]] = []
"""What to restore when pixels are wanted again: owner, name, value."""


def draw_pixels(wanted: bool) -> None:
    """Draw from now on, or leave all blank."""
    if wanted != bool(_replaced):
        return
    if wanted:
        while _replaced:
            setattr(*_replaced.pop())
    else:
        _leave_blank()
    _forget_drawings()


def _leave_blank() -> None:
    png = REAL_PNG(Canvas(16, 9, "#000000"), None)
    for name, method in inspect.getmembers(Canvas, inspect.isfunction):
        if name != "__init__" and method.__annotations__["return"] == "None":
            _replace(Canvas, name, lambda *_, **__: None)
    _replace(Canvas, "png", lambda *_: png)
    # For later imports.
    _replace(icons, "icon", lambda _: png)
    _replace(rehearsal, "rehearse", lambda _: None)
    _replace(Sprite, "turned", lambda sprite, _: sprite)


def _replace(owner: Any, name: str, value: Any) -> None:
    _replaced.append((owner, name, getattr(owner, name)))
    setattr(owner, name, value)


def _forget_drawings() -> None:
    """Let nothing that was drawn in the other way be drawn on."""
    CACHE.clear()
    if drawings := sys.modules.get("cogs.present.drawings"):
        drawings._drawn.cache_clear()
