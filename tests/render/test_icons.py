"""Icons stay within Discord's limits for emojis and can be told apart."""

from __future__ import annotations

import io
import re
from functools import cache

import pytest
from PIL import Image

from cogs.gateway.layouts import SEAT_ICONS
from render import icons
from render.icons import ICONS, LONGEST_KEY, MOST, MOST_BYTES, SIZE, icon
from render.theme import SEATS


@cache
def drawn(key: str) -> bytes:
    return icon(key)


@pytest.mark.parametrize("key", ICONS)
def test_an_icon_is_a_square_that_discord_accepts(key: str) -> None:
    png = drawn(key)
    assert len(png) <= MOST_BYTES
    image = Image.open(io.BytesIO(png))
    assert image.size == (SIZE, SIZE)
    assert image.mode == "RGBA"
    left, top, right, bottom = image.getchannel("A").getbbox() or (0, 0, 0, 0)
    assert max(right - left, bottom - top) >= 100


def test_there_are_no_more_icons_than_discord_accepts() -> None:
    assert len(ICONS) <= MOST
    assert all(re.fullmatch("[a-z0-9_]+", key) and len(key) <= LONGEST_KEY for key in ICONS)


@pytest.mark.slow("icons")
def test_no_two_icons_are_equal() -> None:
    assert len({drawn(key) for key in ICONS}) == len(ICONS)


@pytest.mark.full
def test_an_icon_is_always_the_same() -> None:
    """Otherwise every start would upload the icon again."""
    for key in list(ICONS)[::12]:
        assert icon(key) == drawn(key)


def test_the_signs_of_seats_stand_for_their_icons() -> None:
    """The sign that stands for a seat in texts without icons belongs to the icon of the same
    seat.
    """
    assert {style.sign: icons.seat(n) for n, style in enumerate(SEATS)} == SEAT_ICONS
