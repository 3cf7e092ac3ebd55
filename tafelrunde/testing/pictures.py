"""Checks for every painter: picture size, file size, descriptions, texts."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, Final

from PIL import Image

from data.texts import texts
from games.engine import Game, Match, draw, rng_for
from render.scene import ALT_LIMIT, Painter, Picture, Scene
from render.theme import WIDTH

HEIGHTS: Final = (675, 1800)
"""The smallest and largest height of a board, in pixels. A phone can show the tallest without
scrolling.
"""

HEAVIEST: Final = 150 * 1024
"""The largest file size of a board, in bytes."""

NAMES: Final = ("Anna", "Bernhard von Löwenstein", "Çağla", "Dörte", "Šárka")

NASTY: Final = (
    "🦄🦄🦄",
    "\u202eevil\u202c *bold* __under__",
    "W" * 60,
    "`code` [text](https://example.org) ||spoiler||",
    "李小龙\n# heading\t\x00<@123>",
)
"""Names that people might have."""

FORMATS: Final = frozenset("*`|<>[]\n\t\x00\u202e\u202c")
"""Characters that format text, break lines or change the direction of writing."""


def random_match(game: Game[Any], players: int, seed: str) -> Match[Any]:
    """Play a whole match at random, with the default options."""
    match = Match(game, game.setup(players, seed=seed))
    match.advance()
    rng = rng_for(seed, "pictures")
    while match.actors:
        seat = match.actors[draw(rng, len(match.actors))]
        match.play(seat, [game.random_move(match.state, seat, rng)])
    return match


def scene_of(
    match: Match[Any],
    end: int,
    viewer: int | None = None,
    language: str = "en",
    names: Sequence[str] = NAMES,
) -> Scene:
    """Return the scene that a viewer sees after some events of a match.

    :param end: the number of events; the last two of them count as just played.
    :param viewer: a seat; None: a spectator.
    :param names: one for each seat; surplus names are ignored.
    """
    at = Match.replay(match.game, match.setup, match.log[:end])
    told = at.history(viewer, max(0, end - 2))
    return Scene(
        view=at.view(viewer),
        names=tuple(names[: match.setup.players]),
        say=texts(language),
        code="K7Q2",
        facts=tuple(fact for _, _, facts in told for fact in facts),
        moves=tuple((seat, move) for seat, move, _ in told if move is not None),
        computers=frozenset({match.setup.players - 1}),
    )


def check_board(painter: Painter, scene: Scene) -> Picture:
    """Check a board: its size in pixels, its palette, its file size, its file name, its
    description, and that it is not transparent.

    :raises AssertionError: a check fails.
    """
    picture = painter.board(scene)
    with Image.open(io.BytesIO(picture.png)) as image:
        lowest, highest = HEIGHTS
        assert image.width == WIDTH, f"a board is {WIDTH} wide, not {image.width}"
        assert lowest <= image.height <= highest, f"a board is {lowest} to {highest} high"
        assert image.mode == "P", "a board has a palette: Canvas.png gives it one"
        assert "transparency" not in image.info, "a board is opaque"
    assert len(picture.png) <= HEAVIEST, f"{len(picture.png)} bytes, allowed {HEAVIEST}"
    assert picture.name.isascii(), "the name of a file is ASCII"
    assert picture.name.endswith(".png"), "a picture is a PNG"
    check_description(picture)
    return picture


def check_description(picture: Picture) -> None:
    """Check that a description is one plain line of at most ``ALT_LIMIT`` characters.

    :raises AssertionError: a check fails.
    """
    alt = picture.alt
    assert 0 < len(alt) <= ALT_LIMIT, f"{len(alt)} characters, allowed {ALT_LIMIT}"
    assert not FORMATS & set(alt), "a description is one plain line: spoken_names() cleans names"
    assert "__" not in alt, "a description is plain"


def check_text(painter: Painter, scene: Scene) -> None:
    """Check that the text version of a position names the table and every player.

    :raises AssertionError: a check fails.
    """
    text = painter.text(scene)
    for words in (scene.code, *scene.names):
        assert words in text, f"the text of the position does not name {words!r}"
