"""The accepted pictures, reduced, so that no change to a picture goes unnoticed."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageChops

from scripts.house import HOUSE, house_pictures
from scripts.sheets import reduced
from scripts.stages import shown

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "render" / "goldens"

WIDTH = 120
"""The width of an accepted picture in pixels: a tenth of a board's."""

TOLERANCE = 4
"""How far a channel of a reduced pixel may differ, out of 255: other builds of the libraries round
differently. A dot of ink two pixels wide makes a larger difference.
"""


@dataclass(frozen=True, slots=True)
class GoldenChange:
    """A picture that differs from the accepted one.

    :param name: game and picture (``"lancelot/3-middle"``).
    :param before: the accepted picture; None if the picture is new.
    :param after: the current picture; None if it is no longer drawn.
    """

    name: str
    before: Image.Image | None
    after: Image.Image | None

    def side_by_side(self) -> Image.Image:
        """Return the old picture, the new one, and eight times their difference, all enlarged."""
        size = next(image.size for image in (self.before, self.after) if image is not None)
        empty = Image.new("RGB", size)
        before, after = (image or empty for image in (self.before, self.after))
        if before.size != after.size:
            before = before.resize(after.size)
        difference = ImageChops.difference(before, after).point(lambda level: min(255, 8 * level))
        sheet = Image.new("RGB", (3 * after.width, after.height))
        for n, image in enumerate((before, after, difference)):
            sheet.paste(image, (n * after.width, 0))
        return sheet.resize((3 * sheet.width, 3 * sheet.height), Image.Resampling.NEAREST)


def current_pictures(game_id: str) -> dict[str, Image.Image]:
    """Return the current pictures of a game or of the house, reduced, by name."""
    pictures = house_pictures() if game_id == HOUSE else shown(game_id, all_counts=False)
    return {each.name: reduced(each.picture.png, WIDTH) for each in pictures}


def accepted(game_id: str, folder: Path = FOLDER) -> dict[str, Image.Image]:
    """Return the accepted pictures of a game or of the house; one file holds them all, one above
    the other.
    """
    file = folder / f"{game_id}.webp"
    if not file.exists():
        return {}
    names = (folder / f"{game_id}.txt").read_text().split()
    with Image.open(file) as strip:
        whole = strip.convert("RGB")
    pictures, top = {}, 0
    for line in names:
        name, height = line.split(":")
        pictures[name] = whole.crop((0, top, WIDTH, top + int(height)))
        top += int(height)
    return pictures


def accept(game_id: str, pictures: dict[str, Image.Image], folder: Path = FOLDER) -> None:
    """Accept these pictures of a game."""
    folder.mkdir(parents=True, exist_ok=True)
    strip = Image.new("RGB", (WIDTH, sum(picture.height for picture in pictures.values())))
    top = 0
    for picture in pictures.values():
        strip.paste(picture, (0, top))
        top += picture.height
    buffer = io.BytesIO()
    strip.save(buffer, "WEBP", lossless=True, quality=100, method=6)
    (folder / f"{game_id}.webp").write_bytes(buffer.getvalue())
    listed = (f"{name}:{picture.height}\n" for name, picture in pictures.items())
    (folder / f"{game_id}.txt").write_text("".join(listed))


def golden_changes(
    game_id: str, before: dict[str, Image.Image], after: dict[str, Image.Image]
) -> Iterator[GoldenChange]:
    """Yield the differences between the accepted and the current pictures of a game."""
    for name in {**before, **after}:
        old, new = before.get(name), after.get(name)
        if old is None or new is None or _differ(old, new):
            yield GoldenChange(f"{game_id}/{name}", old, new)


def _differ(old: Image.Image, new: Image.Image) -> bool:
    if old.size != new.size:
        return True
    bands = ImageChops.difference(old, new).split()
    return any(sum(band.histogram()[TOLERANCE + 1 :]) for band in bands)
