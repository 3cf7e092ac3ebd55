"""The ladder chart: a strip for each game with a line for each player, strongest first, that shows
the rating and its interval.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PIL import Image, ImageDraw

from benchmarks.ladder import Rating
from render.theme import FONT_FILES, font

WIDTH, STRIP, NAMES, MARGIN, HEAD, FOOT = 900, 360, 190, 40, 140, 70
"""In pixels: width of the picture, height of a strip, width of the names on the left, side margins,
space above the first strip and below the last. Text is large enough to read on a phone.
"""

HEADING = 50
"""Pixels from the top of a strip to its first line."""

STEP = 500
"""Elo between grid lines."""

PAPER, INK, PALE, LINE = "#f6f1e6", "#2b2622", "#8a8178", "#dcd3c2"
LEVEL, OTHER = "#8c2f39", "#6f7d8c"

DOUBLE = 2
"""The chart is drawn this many times larger, then scaled down."""


def draw(games: Mapping[str, Mapping[str, Rating]], levels: frozenset[str], file: Path) -> None:
    """Draw the ratings.

    :param games: ratings by player, by heading of the strip.
    :param levels: the players that are levels of the bot.
    """
    every = [rated for players in games.values() for rated in players.values()]
    low = STEP * int(min(rated.low for rated in every) // STEP)
    high = STEP * int(max(rated.high for rated in every) // STEP + 1)
    height = HEAD + STRIP * len(games) + FOOT
    picture = Image.new("RGB", (DOUBLE * WIDTH, DOUBLE * height), PAPER)
    pen = _Pen(ImageDraw.Draw(picture), low, high)
    pen.write((MARGIN, 25), "How strong the computer players are", 40, INK, face="strong")
    pen.write((MARGIN, 80), "Elo with 95 % intervals; skilled has 1500", 28, PALE)
    for elo in range(low, high + 1, STEP):
        pen.rule(elo, HEAD, height - FOOT)
        pen.write((pen.at(elo), height - FOOT + 14), str(elo), 26, PALE, anchor="ma")
    for n, (heading, players) in enumerate(games.items()):
        top = HEAD + STRIP * n
        pen.write((MARGIN, top), heading, 30, INK, face="strong")
        line = (STRIP - 2 * HEADING) / len(players)
        strongest_first = sorted(players.items(), key=lambda player: -player[1].elo)
        for row, (name, rated) in enumerate(strongest_first):
            y = top + HEADING + line * row
            pen.write((MARGIN, y), name, 26, INK)
            pen.mark(rated, y + 17, LEVEL if name in levels else OTHER)
    file.parent.mkdir(parents=True, exist_ok=True)
    picture.resize((WIDTH, height), Image.Resampling.LANCZOS).quantize(64).save(file, optimize=True)


class _Pen:
    """Draws in pixels of the finished picture."""

    def __init__(self, pen: ImageDraw.ImageDraw, low: float, high: float) -> None:
        self._pen, self._low, self._high = pen, low, high

    def at(self, elo: float) -> float:
        """Return the x coordinate of a rating."""
        width = WIDTH - NAMES - 2 * MARGIN
        return NAMES + MARGIN + width * (elo - self._low) / (self._high - self._low)

    def rule(self, elo: float, top: float, bottom: float) -> None:
        """Draw a grid line."""
        x = DOUBLE * self.at(elo)
        self._pen.line([(x, DOUBLE * top), (x, DOUBLE * bottom)], LINE, DOUBLE)

    def mark(self, rated: Rating, y: float, colour: str) -> None:
        """Draw a rating with its interval."""
        y *= DOUBLE
        low, middle, high = (DOUBLE * self.at(elo) for elo in (rated.low, rated.elo, rated.high))
        self._pen.line([(low, y), (high, y)], colour, 3 * DOUBLE)
        radius = 8 * DOUBLE
        self._pen.ellipse((middle - radius, y - radius, middle + radius, y + radius), colour)

    def write(
        self,
        at: tuple[float, float],
        text: str,
        size: int,
        colour: str,
        *,
        face: str = "text",
        anchor: str = "la",
    ) -> None:
        """Write a line of text."""
        x, y = at
        letters = font(FONT_FILES["strong" if face == "strong" else "text"], DOUBLE * size)
        if anchor == "ma":
            half = letters.getlength(text) / DOUBLE / 2
            x = max(half, min(WIDTH - half, x))
        self._pen.text((DOUBLE * x, DOUBLE * y), text, colour, letters, anchor)
