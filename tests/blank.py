"""Blank pictures, for tests that are not about pictures.

Painters still run and describe their pictures, but nothing is drawn on their canvases, and every
picture is encoded as the same small one. That saves 60% of the CPU time of a whole match. Drawing
itself is tested in ``tests/render``, and by the tests marked ``pixels``.
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
"""What to restore to draw pixels again: owner, attribute, value."""


def draw_pixels(wanted: bool) -> None:
    """Turn drawing on or off."""
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
    # Also for modules imported later.
    _replace(icons, "icon", lambda _: png)
    _replace(rehearsal, "rehearse", lambda _: None)
    _replace(Sprite, "turned", lambda sprite, _: sprite)


def _replace(owner: Any, name: str, value: Any) -> None:
    _replaced.append((owner, name, getattr(owner, name)))
    setattr(owner, name, value)


def _forget_drawings() -> None:
    """Empty the caches, so that no picture mixes drawn and blank parts."""
    CACHE.clear()
    if drawings := sys.modules.get("cogs.present.drawings"):
        drawings._drawn.cache_clear()
