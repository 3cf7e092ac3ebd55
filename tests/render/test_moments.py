"""Nothing covers text in pictures, and the last board is complete."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from PIL import ImageChops

from data.texts import texts
from games import GAMES
from render import PAINTERS
from render.canvas import Canvas
from render.donquixote.board import lands
from render.geometry import Box
from render.isis.look import BOARD
from render.isolde.ground import tracks
from render.legibility import CoveredError
from render.theme import INK, LIGHT, Type
from scripts.matches import match_with_options, scene_at
from scripts.stages import NAMES
from tests.render.colours import opened
from tests.render.scenes import Case, cases
from tests.render.scenes import scene_at as scene_of

pytestmark = pytest.mark.pixels

MOMENTS = 21
"""How many positions of a match are drawn, from its beginning to its end."""

LETTERS = Type("strong", 40)


@pytest.fixture
def unencoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw pictures, but encode none of them: that would take most of the time."""
    monkeypatch.setattr(Canvas, "png", lambda canvas, *_: canvas.texts.check() or b"")


@pytest.mark.usefixtures("unencoded")
@pytest.mark.parametrize(
    ("game", "players"),
    [(game, players) for game in GAMES for players in GAMES[game].info.players],
)
def test_nothing_hides_a_text(game: str, players: int, rng: random.Random) -> None:
    """With long names and random options, pictures of a moment of a match never raise
    ``CoveredError``.
    """
    painter = PAINTERS[game]
    match = match_with_options(game, players, rng.randrange(10**6))
    viewer = rng.choice([None, *range(players)])
    scene = scene_at(match, rng.randrange(match.ply + 1), viewer)
    scene = replace(scene, say=texts("de"), names=NAMES[:players])
    painter.board(scene)
    if viewer is not None:
        painter.hand(scene)
        painter.close_up(scene, viewer)
    painter.results(scene)


@pytest.mark.long
@pytest.mark.usefixtures("unencoded")
@pytest.mark.parametrize("case", [case for game in GAMES for case in cases(game)], ids=str)
def test_nothing_hides_a_text_in_any_variant(case: Case) -> None:
    """A whole match is drawn at 21 moments: board, hands, close-up, accounts."""
    painter = PAINTERS[case.game]
    for n in range(MOMENTS):
        share = n / (MOMENTS - 1)
        scene = scene_of(case, share, language="de")
        painter.board(scene)
        painter.close_up(scene, 0)
        painter.results(scene)
        for seat in range(case.players):
            painter.hand(scene_of(case, share, seat, language="de"))


def test_a_text_may_not_even_be_touched() -> None:
    """A dot on the corner of a letter's box is an error; a dot next to the box is not."""
    touched, beside = (Canvas(200, 100, LIGHT) for _ in range(2))
    box = touched.text((50, 30), "10", LETTERS)
    touched.rect(Box(box.right - 1, box.bottom - 1, box.right + 9, box.bottom + 9), INK)
    with pytest.raises(CoveredError, match="'10' is covered"):
        touched.png(None)
    beside.text((50, 30), "10", LETTERS)
    beside.rect(Box(box.right, box.top, box.right + 9, box.bottom), INK)
    assert beside.png(None)


@pytest.mark.parametrize("deep", [False, True], ids=["on the picture", "on a sprite of it"])
def test_a_covered_text_raises(deep: bool) -> None:
    canvas, plate = Canvas(200, 100, LIGHT), Canvas(100, 60)
    (plate if deep else canvas).text((50, 30), "10", LETTERS)
    canvas.stamp(plate.sprite(), (50, 30))
    canvas.circle((62, 30), 14, INK)
    with pytest.raises(CoveredError, match="'10' is covered"):
        canvas.png(None)


def test_two_texts_never_run_together() -> None:
    """Two texts may touch, but not overlap."""
    apart, over = (Canvas(200, 100, LIGHT) for _ in range(2))
    first = apart.text((50, 30), "10", LETTERS)
    apart.text((first.right, 30), "4.", LETTERS, anchor="lm")
    assert apart.png(None)
    over.text((50, 30), "10", LETTERS)
    over.text((first.right - 3, 30), "4.", LETTERS, anchor="lm")
    with pytest.raises(CoveredError, match="'10' is covered"):
        over.png(None)


def test_a_text_may_be_written_again() -> None:
    """Text may be covered if it is written again on top, for example to put a bright background
    behind a number.
    """
    canvas = Canvas(200, 100, LIGHT)
    for ground in (LIGHT, INK):
        canvas.rect(Box(10, 10, 90, 50), ground)
        canvas.text((50, 30), "10", LETTERS)
    assert canvas.png(None)


def boards(game: str, players: int) -> list[Box]:
    """The areas of a picture that contain pieces."""
    match game:
        case "isis":
            return [BOARD]
        case "donquixote":
            return [land.box.inset(12) for land in lands(players)]
        case _:
            placed = tracks(
                tuple(scene_at(match_with_options(game, players, 0), 0).view.public["boards"])
            )
            return [track.square for track in placed.values()]


@pytest.mark.parametrize(("game", "players"), [("isis", 2), ("donquixote", 3), ("isolde", 4)])
def test_the_last_board_is_whole(game: str, players: int) -> None:
    match = match_with_options(game, players, seed=0)
    ended = scene_at(match, match.ply)
    assert ended.view.outcome is not None
    running = replace(ended, view=replace(ended.view, outcome=None))
    after, before = (opened(PAINTERS[game].board(scene).png) for scene in (ended, running))
    for box in boards(game, players):
        part = (round(box.left), round(box.top), round(box.right), round(box.bottom))
        assert ImageChops.difference(after.crop(part), before.crop(part)).getbbox() is None
    assert ImageChops.difference(after, before).getbbox() is not None
