"""Blank pictures, for tests that are not about pictures.

Painters still run, place their texts and describe their pictures, but nothing is drawn on their
canvases, which share their pixels, and every picture is encoded as the same small one. That saves
most of the CPU time of a whole match. Drawing itself is tested in ``tests/render``, and by the
tests marked ``pixels``.
"""

from __future__ import annotations

import inspect
import sys
from functools import lru_cache
from math import ceil
from typing import Any

from PIL import Image

from render import canvas as canvases
from render import icons, light, rehearsal
from render.cache import CACHE
from render.canvas import Canvas, Packed, Sprite
from render.geometry import Box
from render.theme import Palette

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
    # Modules that import these two names later get the blank versions.
    _replace(icons, "icon", lambda _: png)
    _replace(rehearsal, "rehearse", lambda _: None)
    _replace(canvases, "Image", _Shared())
    _replace(Canvas, "cut", _cut)
    _replace(Canvas, "sprite", _sprite)
    _replace(Sprite, "turned", lambda sprite, _: sprite)
    _replace(Sprite, "packed", _packed)
    _replace(Packed, "sprite", lambda packed: _sprite_of(packed.mask.size, packed.read))
    _replace(Image.Image, "rotate", lambda image, *_, **__: image)
    lit = {light.relief: lambda sprite, *_, **__: sprite, light.raised: _raised}
    for name, module in list(sys.modules.items()):
        if name.startswith("render.") and module is not light:
            for function, blank in lit.items():
                if getattr(module, function.__name__, None) is function:
                    _replace(module, function.__name__, blank)


@lru_cache(maxsize=200)
def _pixels(mode: str, size: tuple[int, int]) -> Image.Image:
    """Return one shared image of this mode and size; nobody looks at its pixels."""
    return Image.new(mode, size, None)


class _Shared:
    """Pillow's module ``Image``, except that new images of the same size share their pixels."""

    def new(self, mode: str, size: tuple[int, int], _: object = None) -> Image.Image:
        return _pixels(mode, size)

    def __getattr__(self, name: str) -> Any:
        return getattr(Image, name)


def _cut(canvas: Canvas, window: Box) -> Canvas:
    left, top = round(window.left), round(window.top)
    part = Canvas(round(window.right) - left, round(window.bottom) - top, "#000000")
    part.texts = canvas.texts.moved(-left, -top)
    return part


def _sprite(canvas: Canvas) -> Sprite:
    canvas.texts.check()
    return _sprite_of((canvas.width, canvas.height), tuple(canvas.texts.read))


def _sprite_of(size: tuple[int, int], read: Any = ()) -> Sprite:
    return Sprite(_pixels("RGB", size), _pixels("L", size), (), read)


def _packed(sprite: Sprite, palette: Palette) -> Packed:
    return Packed(b"", palette, sprite.mask, (), sprite.read)


def _raised(sprite: Sprite, height: float, _: float = 0.5) -> Sprite:
    reach = ceil(height * 0.7 + 2 * height * 0.6)
    return _sprite_of((sprite.mask.width + 2 * reach, sprite.mask.height + 2 * reach))


def _replace(owner: Any, name: str, value: Any) -> None:
    _replaced.append((owner, name, getattr(owner, name)))
    setattr(owner, name, value)


def _forget_drawings() -> None:
    """Empty the caches, so that no picture mixes drawn and blank parts."""
    CACHE.clear()
    if drawings := sys.modules.get("cogs.present.drawings"):
        # The bot itself never mixes two ways of drawing, so it has nothing public for this.
        drawings._drawn.cache_clear()
