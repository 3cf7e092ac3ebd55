"""The gallery and the bot's emblem use the seats' colours and are small in bytes."""

from __future__ import annotations

import io
from itertools import combinations

import pytest
from PIL import Image

from data.texts import texts
from games import GAMES
from render.canvas import HEAVIEST, Canvas
from render.gallery import BANNER, ICON, app_icon, banner, gallery, painting
from render.theme import INK, LIGHT, SEATS
from tests.render.colours import Pixel, distance, opened, pixels_of, rgb

SMALLEST = 32
"""The side in pixels of the icon next to a message on a small screen."""


def _colours(png: bytes) -> set[Pixel]:
    with Image.open(io.BytesIO(png)) as picture:
        counted = picture.convert("RGB").getcolors(1 << 22) or ()
        return {colour for _, colour in counted if isinstance(colour, tuple)}


def _pixel(picture: Image.Image, at: tuple[int, int]) -> Pixel:
    value = picture.getpixel(at)
    assert isinstance(value, tuple)
    return value


@pytest.mark.full
def test_the_gallery_has_the_colours_of_the_seats_and_is_small() -> None:
    titles = dict.fromkeys(GAMES, "Title")
    for language in ("de", "en"):
        picture = gallery(titles, titles, "", texts(language))
        assert len(picture.png) <= HEAVIEST
        assert {rgb(seat.colour) for seat in SEATS} <= _colours(picture.png)


def test_the_gallery_shows_the_painting_of_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    titles = dict.fromkeys(GAMES, "Title")

    def shown(bright: str) -> bytes:
        monkeypatch.setattr(
            "render.gallery.painting",
            lambda game, width, height: Canvas(width, height, LIGHT if game == bright else INK),
        )
        return gallery(titles, titles, "", texts("en")).png

    assert len({shown(game) for game in ("", *GAMES)}) == 1 + len(GAMES)


@pytest.mark.full
@pytest.mark.parametrize("size", [(364, 273), (236, 432)])
def test_every_painting_has_many_colours(size: tuple[int, int]) -> None:
    for game in GAMES:
        colours = pixels_of(painting(game, *size)).getcolors(size[0] * size[1])
        assert colours is None or len(colours) > 1000, game


@pytest.mark.parametrize("size", [(364, 273), (236, 432)])
@pytest.mark.parametrize("game", GAMES)
def test_no_letter_touches_the_edge_of_a_painting(game: str, size: tuple[int, int]) -> None:
    canvas = painting(game, *size)
    inner = canvas.box.inset(6)
    for read in canvas.sprite().read:
        left, top, right, bottom = read.box
        assert inner.left <= left < right <= inner.right, read
        assert inner.top <= top < bottom <= inner.bottom, read


@pytest.mark.full
def test_the_icon_can_be_read_where_it_is_smallest() -> None:
    icon = opened(app_icon()).resize((SMALLEST, SMALLEST), Image.Resampling.LANCZOS)
    rim = [(20, 4), (28, 17), (16, 28), (4, 20), (9, 5)]
    colours = [_pixel(icon, at) for at in rim]
    assert all(distance(a, b) > 20 for a, b in combinations(colours, 2)), colours
    cup, table = _pixel(icon, (16, 11)), _pixel(icon, (8, 16))
    assert distance(cup, table) > 30
    assert len(app_icon()) <= HEAVIEST


@pytest.mark.full
def test_icon_and_banner_are_as_large_as_discord_wants_them() -> None:
    assert opened(app_icon()).size == (ICON, ICON)
    assert opened(banner()).size == BANNER
