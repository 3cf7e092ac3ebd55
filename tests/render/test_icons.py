"""Icons stay within Discord's limits for emojis and can be told apart."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from cogs.gateway.layouts import SEAT_ICONS
from render import icons
from render.icons import ICONS, LONGEST_KEY, MOST, MOST_BYTES, SIZE, icon
from render.theme import SEATS


@pytest.mark.slow("icons")
def test_icons_are_different_squares_that_discord_accepts() -> None:
    """They are always the same: otherwise every start would upload them again."""
    pngs = {key: icon(key) for key in ICONS}
    for key, png in pngs.items():
        assert len(png) <= MOST_BYTES, key
        image = Image.open(io.BytesIO(png))
        assert image.size == (SIZE, SIZE), key
        assert image.mode == "RGBA", key
        left, top, right, bottom = image.getchannel("A").getbbox() or (0, 0, 0, 0)
        assert max(right - left, bottom - top) >= 100, key
    assert len({*pngs.values()}) == len(pngs)
    for key in list(ICONS)[::12]:
        assert icon(key) == pngs[key], key


def test_there_are_no_more_icons_than_discord_accepts() -> None:
    assert len(ICONS) <= MOST
    assert all(re.fullmatch("[a-z0-9_]+", key) and len(key) <= LONGEST_KEY for key in ICONS)


def test_the_signs_of_seats_stand_for_their_icons() -> None:
    """The sign that stands for a seat in texts without icons belongs to the icon of the same
    seat.
    """
    assert {style.sign: icons.seat(n) for n, style in enumerate(SEATS)} == SEAT_ICONS
