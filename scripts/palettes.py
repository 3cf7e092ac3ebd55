"""Choose the colours of each game's pictures, and write them into ``render/palettes``.

    python -m scripts.palettes [games...]

A picture has at most 255 colours. Run this after a change to materials, light or colours: it draws
positions of random matches and finds the colours that fit best. The colours of text, seats and the
house are kept exactly, as are the tones of materials and the colours that a painter names.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from unittest.mock import patch

from PIL import Image

from data.texts import texts
from games import GAMES
from games.engine import Match
from render import PAINTERS
from render.gallery import app_icon, banner, gallery
from render.laurel import LAUREL, LEAF, METALS, PLAIN
from render.materials import Material
from render.plates import OAK
from render.theme import HOUSE, PALETTES, SEAT_COLOURS, Colour, Palette
from render.victory import WORLDS, VictoryScene, victory
from scripts.matches import match_with_options, scene_at

POSITIONS = 8
"""Positions to draw for each number of players, spread over a match."""

COLOURS = 104
"""Colours in addition to the tones of materials: with 256, files would be 50% larger."""

SHEET = 256
"""The side of a square of material, large enough to contain all of its tones."""

AT_THE_END = 94
"""``COLOURS`` for the picture of the result."""

ROOM = {"donquixote": 84, "isolde": 64, "lancelot": 84}
"""``COLOURS`` for unusual games: Don Quixote and Isolde have tall pictures, and Lancelot's have a
lot of grain."""

Draw = Callable[[Match[Any], int], None]
"""Draws the pictures of a match after a number of events."""

RARE = 0.6
"""The weight of a colour is its number of pixels to this power: small things keep their colours.
"""


def main() -> None:
    """Write the palettes of the named games; if none is named, of all games and of the gallery."""
    PALETTES.mkdir(exist_ok=True)
    if not sys.argv[1:]:
        write_gallery()
    for game_id in sys.argv[1:] or GAMES:
        tones: set[Colour] = set()
        fixed = [*HOUSE, *SEAT_COLOURS, *PAINTERS[game_id].kept]
        pictures = sampled_pictures(game_id, draw_all, tones)
        write_palette(game_id, nearest(pictures, fixed, tones, ROOM.get(game_id, COLOURS)))
        world = WORLDS[game_id]
        wood = (world.rim, world.ink, world.soft, world.line)
        fixed = [*HOUSE, *SEAT_COLOURS, *LAUREL, *METALS, PLAIN, *wood]
        ground = set(map(_hex, colour_counts(world.material.sheet(SHEET, SHEET))))
        pictures = sampled_pictures(game_id, draw_end, set())
        write_palette(f"{game_id}-end", nearest(pictures, fixed, ground, AT_THE_END))


def write_gallery() -> None:
    """Write the palette of the gallery, the icon and the banner."""
    pictures: list[Image.Image] = []
    apply = Palette.apply

    def keep(palette: Palette, picture: Image.Image) -> Image.Image:
        pictures.append(picture.copy())
        return apply(palette, picture)

    with patch.object(Palette, "apply", keep):
        gallery(dict.fromkeys(GAMES, "A"), dict.fromkeys(GAMES, "A"), "", texts("en"))
        app_icon()
        banner()
    grounds = (OAK, WORLDS["isis"], WORLDS["twilight"])
    sheets = (ground.material.sheet(SHEET, SHEET) for ground in grounds)
    tones = {_hex(colour) for sheet in sheets for colour in colour_counts(sheet)}
    write_palette("gallery", nearest(pictures, [*HOUSE, *SEAT_COLOURS, LEAF], tones, COLOURS))


def write_palette(name: str, chosen: list[Colour]) -> None:
    """Write a palette."""
    (PALETTES / f"{name}.txt").write_text("\n".join(chosen) + "\n")
    print(f"{name}: {len(chosen)} colours")


def sampled_pictures(game_id: str, draw: Draw, tones: set[Colour]) -> Iterator[Image.Image]:
    """Yield the pictures of positions of random matches, before their palette is applied.

    :param tones: filled with the tones of the materials that are used.
    """
    pictures: list[Image.Image] = []
    apply, sheet = Palette.apply, Material.sheet

    def keep(palette: Palette, picture: Image.Image) -> Image.Image:
        pictures.append(picture.copy())
        return apply(palette, picture)

    def note(material: Material, width: int, height: int) -> Image.Image:
        surface = sheet(material, width, height)
        tones.update(map(_hex, colour_counts(surface)))
        return surface

    with patch.object(Palette, "apply", keep), patch.object(Material, "sheet", note):
        for players in GAMES[game_id].info.players:
            match = match_with_options(game_id, players, seed=0)
            for step in range(1, POSITIONS + 1):
                draw(match, round(match.ply * step / POSITIONS))
                yield from pictures
                pictures.clear()


def draw_all(match: Match[Any], end: int) -> None:
    """Draw every kind of picture of a position."""
    painter, scene = PAINTERS[match.game.info.id], scene_at(match, end)
    painter.board(scene)
    painter.results(scene)
    for seat in range(match.setup.players):
        painter.close_up(scene, seat)
        painter.hand(scene_at(match, end, seat))


def draw_end(match: Match[Any], end: int) -> None:
    """Draw the picture of the result, which is the same for every ``end``."""
    outcome = match.outcome
    if outcome is not None:
        nothing = ("",) * len(outcome.ranks)
        victory(scene_at(match, end), VictoryScene(match.game.info.id, outcome.ranks, nothing, ""))


def nearest(
    pictures: Iterable[Image.Image], fixed: list[Colour], tones: Iterable[Colour], room: int
) -> list[Colour]:
    """Return the fixed colours, the tones, and the colours that best fit everything else.

    :param room: the maximum number of colours in addition to the tones.
    """
    pixels: Counter[tuple[int, int, int]] = Counter()
    for picture in pictures:
        pixels.update(colour_counts(picture))
    weighed = [colour for colour, n in pixels.items() for _ in range(1 + round(n**RARE / 20))]
    sample = Image.new("RGB", (len(weighed), 1))
    sample.putdata(weighed)
    exact = dict.fromkeys([*fixed, *sorted(tones)])
    room -= len(set(fixed))
    flat = sample.quantize(room, Image.Quantize.MEDIANCUT, kmeans=4).getpalette() or []
    found = (flat[n : n + 3] for n in range(0, 3 * room, 3))
    return list(dict.fromkeys([*exact, *map(_hex, found)]))


def colour_counts(picture: Image.Image) -> dict[tuple[int, int, int], int]:
    """Return how many pixels each colour of an RGB picture has."""
    counts = picture.getcolors(picture.width * picture.height) or ()
    return {(r, g, b): count for count, (r, g, b) in counts}  # type: ignore[misc]  # RGB


def _hex(colour: Iterable[int]) -> Colour:
    return "#{:02X}{:02X}{:02X}".format(*colour)


if __name__ == "__main__":
    main()
