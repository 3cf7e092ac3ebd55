"""What every painter owes: size, weight, silence about secrets, words that fit."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, Final

from PIL import Image

from data.texts import texts
from games.engine import Game, Match, draw, rng_for
from render.scene import ALT_LIMIT, Painter, Picture, Scene
from render.theme import WIDTH

HEIGHTS: Final = (675, 900)
"""The lowest and the highest board: landscape, so that a phone shows all of it."""

HEAVIEST: Final = 150 * 1024
"""Bytes of a board at most."""

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
"""Characters that format a text, break its line or turn its direction."""


def random_match(game: Game[Any], players: int, seed: str) -> Match[Any]:
    """A match with the default options, played at random to its end."""
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
    """What ``viewer`` sees after ``end`` events, the last two of them just played."""
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
    """The board is 1200 wide, landscape, opaque and light, with a description that fits.

    :return: the board.
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
    """A description is one plain line of at most ``ALT_LIMIT`` characters."""
    alt = picture.alt
    assert 0 < len(alt) <= ALT_LIMIT, f"{len(alt)} characters, allowed {ALT_LIMIT}"
    assert not FORMATS & set(alt), "a description is one plain line: spoken_names() cleans names"
    assert "__" not in alt, "a description is plain"


def check_text(painter: Painter, scene: Scene) -> None:
    """The position as text names the table and every player."""
    text = painter.text(scene)
    for words in (scene.code, *scene.names):
        assert words in text, f"the text of the position does not name {words!r}"
