"""The seats' shields have their colours even if small, and colour-blind people can tell them
apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from render.canvas import Canvas, Sprite
from render.lancelot.ground import FieldGeometry
from render.lancelot.pieces import STUDDED, stone
from render.plates import device, token
from render.theme import SEATS, Palette
from scripts.sheets import DEUTERANOPIA, PROTANOPIA, TRITANOPIA, Matrix, seen_by
from tests.render.colours import Pixel, distance, opened, rgb

CLEAR, CLEAR_TO_ALL = 35, 15
"""The minimum distance between the colours of two seats, for most eyes and for eyes that lack a
kind of cone.
"""

FLAT = 0.75
"""The minimum fraction of a shield in the seat's colour, or covered by its device."""

ALIKE = 6
"""Two shades closer than this cannot be told apart at a glance."""

GAMES_SIZES = {"isolde": (28, 34, 36, 40), "isis": (28, 34, 40), "twilight": (28, 30, 38)}
LOOKS: dict[str, Matrix | None] = {
    "most": None,
    "red": PROTANOPIA,
    "green": DEUTERANOPIA,
    "blue": TRITANOPIA,
}

Draw = Callable[[int, int], Sprite]


def shields() -> list[tuple[str, Draw, int]]:
    """All cases: the game whose palette is used, the function that draws a seat there, and the
    size.
    """
    small = [(game, token, size) for game, sizes in GAMES_SIZES.items() for size in sizes]
    fields = [FieldGeometry(players, diagonals=False).stone for players in (2, 3, 4, 5)]
    return [*small, *(("lancelot", stone, size) for size in (*fields, 48))]


@dataclass(frozen=True)
class Shield:
    """The shield of a seat in a picture as sent.

    :ivar size: its diameter.
    :ivar disc: a mask of the shield.
    :ivar sign: a mask of its device.
    """

    size: int
    picture: Image.Image
    disc: Image.Image
    sign: Image.Image

    def pixels(self) -> Iterator[tuple[Pixel, int, int]]:
        """Each pixel with its levels in the masks."""
        red, green, blue = (band.tobytes() for band in self.picture.split())
        levels = zip(red, green, blue, strict=True)
        return zip(levels, self.disc.tobytes(), self.sign.tobytes(), strict=True)

    def colour(self, eyes: Matrix | None) -> Sequence[float]:
        """The visible colour around the device."""
        seen = self.picture if eyes is None else self.picture.filter(seen_by(eyes))
        return ImageStat.Stat(seen, ImageChops.subtract(self.disc, self.sign)).median


@pytest.fixture(params=shields(), ids=lambda case: f"{case[0]}-{case[1].__name__}-{case[2]}")
def drawn(request: pytest.FixtureRequest) -> list[Shield]:
    """The shield of each seat as sent."""
    game, draw, size = request.param
    return [_measured(Palette.of(game), partial(draw, seat, size), seat, size)
            for seat in range(len(SEATS))]  # fmt: skip


def _measured(palette: Palette, draw: Callable[[], Sprite], seat: int, size: int) -> Shield:
    picture, disc, sign = (
        Canvas(2 * size, 2 * size, ground) for ground in ("#F4ECD8", "#000", "#000")
    )
    middle = picture.box.centre
    picture.stamp(draw(), middle)
    disc.circle(middle, size / 2, "#FFFFFF")
    device(sign, seat, middle, size * 0.52, "#FFFFFF")
    black_and_white = Palette(("#000000", "#FFFFFF"))
    masks = [opened(each.png(black_and_white)).convert("L") for each in (disc, sign)]
    return Shield(size, opened(picture.png(palette)), *masks)


def test_most_of_a_shield_is_the_colour_of_its_seat(drawn: list[Shield]) -> None:
    if drawn[0].size >= STUDDED:
        pytest.skip("large enough for relief")
    for seat, shield in zip(SEATS, drawn, strict=True):
        found = Counter(
            bool(sign) or distance(pixel, rgb(seat.colour)) < ALIKE
            for pixel, disc, sign in shield.pixels()
            if disc
        )
        share = found[True] / found.total()
        assert share >= FLAT, f"{seat.shape}: {share:.0%}"


@pytest.mark.parametrize("look", LOOKS)
def test_two_seats_can_be_told_apart(drawn: list[Shield], look: str) -> None:
    least, eyes = CLEAR_TO_ALL, LOOKS[look]
    if eyes is None:
        least = CLEAR
    colours = [shield.colour(eyes) for shield in drawn]
    for (one, first), (other, second) in combinations(enumerate(colours), 2):
        apart = distance(first, second)
        assert apart >= least, f"{SEATS[one].shape} and {SEATS[other].shape}: {apart:.1f}"
