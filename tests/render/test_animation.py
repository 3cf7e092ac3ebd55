"""Animations of matches."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import pairwise
from math import floor

import pytest
from PIL import Image, ImageChops, ImageStat

from data.texts import LANGUAGES, texts
from games import GAMES
from games.engine import Match
from render import PAINTERS
from render import animation as animations
from render.animation import FALL, FRAMES_AT_MOST, SIZE_LIMIT, STEPS, animation, reached, spread
from render.canvas import Canvas, Sprite
from render.geometry import Box
from render.scene import ALT_LIMIT, Glide, Picture, Scene
from tests.render.scenes import Case, cases, played, scene_at


def boards(case: Case, count: int) -> list[Picture]:
    """Boards from a whole match, the last one with its result."""
    shares = [n / (count - 1) for n in range(count)]
    return [PAINTERS[case.game].board(scene_at(case, share)) for share in shares]


def frames(gif: bytes) -> list[Image.Image]:
    """The frames of an animation as people see them."""
    with Image.open(io.BytesIO(gif)) as film:
        shown = []
        for number in range(getattr(film, "n_frames", 1)):
            film.seek(number)
            shown.append(film.convert("RGB"))
        return shown


def plain(width: int, height: int, shade: int) -> Picture:
    """A picture in one of ten colours, all with the same palette."""
    picture = Image.new("P", (width, height), shade)
    picture.putpalette([channel for n in range(10) for channel in (25 * n, 128, 64)])
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return Picture("plain.png", buffer.getvalue(), "nothing to see")


# ------------------------------------------------------------------------------- frames
def whole(board: Picture) -> bytes:
    """The pixels of a board."""
    with Image.open(io.BytesIO(board.png)) as picture:
        return picture.convert("RGB").tobytes()


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_animated(game: str) -> None:
    """The frames show each board that is as high as they are, in order and pixel for pixel."""
    case = cases(game)[0]
    given = boards(case, 3)
    made = animation(given, texts("en"))
    shown = frames(made.gif)
    assert made.name == f"{PAINTERS[game].board(scene_at(case, 1)).name.removesuffix('.png')}.gif"
    waiting = [
        whole(board)
        for board in given
        if Image.open(io.BytesIO(board.png)).height == shown[0].height
    ]
    assert waiting
    for frame in shown:
        if waiting and frame.tobytes() == waiting[0]:
            del waiting[0]
    assert not waiting


def piece(*places: tuple[int, int], glides: tuple[Glide, ...] = ()) -> Picture:
    """A blank board with a red square of 80 pixels at each of these places."""
    picture = Image.new("P", (1200, 900), 1)
    picture.putpalette([25, 128, 64, 200, 190, 160, 180, 30, 30])
    for x, y in places:
        picture.paste(2, (x, y, x + 80, y + 80))
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return Picture("plain.png", buffer.getvalue(), "nothing to see", glides)


def red() -> Sprite:
    canvas = Canvas(80, 80)
    canvas.rect(canvas.box, "#B41E1E")
    return canvas.sprite()


def squares(film: list[Image.Image]) -> list[tuple[int, int, int, int] | None]:
    """The box around everything red in each frame."""
    return [
        frame.getchannel("G").point(lambda level: 255 * (level == 30)).getbbox() for frame in film
    ]


def test_a_piece_that_moved_glides_to_its_place() -> None:
    way = Glide(red(), ((140, 240), (740, 540)), Box(100, 200, 180, 280))
    boards = [piece((100, 200)), piece((700, 500), glides=(way,))]
    film = frames(animation(boards, texts("en")).gif)
    found = squares(film)
    assert len(film) == 2 + STEPS[0]
    lefts = [box[0] for box in found if box]
    assert lefts[0] == 100
    assert lefts[-1] == 700
    assert lefts == sorted(lefts)
    ways = [b - a for a, b in pairwise(lefts)]
    assert ways[0] < max(ways) > ways[-1]
    assert all(box and box[2] - box[0] == 80 for box in found)


def test_a_new_piece_falls_into_its_place() -> None:
    boards = [piece(), piece((300, 300), glides=(Glide(red(), ((340, 340),)),))]
    found = squares(frames(animation(boards, texts("en")).gif))
    tops = [box[1] for box in found if box]
    assert tops[-1] == 300
    assert 300 - FALL < tops[0] < 300
    assert tops == sorted(tops)


def test_a_captured_piece_stays_until_the_captor_arrives() -> None:
    way = Glide(red(), ((140, 240), (140, 440)), Box(100, 200, 180, 280))
    boards = [piece((100, 200), (700, 500)), piece((100, 400), glides=(way,))]
    *moving, end = squares(frames(animation(boards, texts("en")).gif))
    assert all(box and box[2:] == (780, 580) for box in moving)
    assert end == (100, 400, 180, 480)


def test_without_a_moving_piece_boards_follow_directly() -> None:
    several = [piece(), piece((100, 100), (400, 400), (800, 100))]
    assert len(frames(animation(several, texts("en")).gif)) == 2


def test_a_path_is_followed_round_its_corners() -> None:
    """A position on a path with corners depends on the fraction of the whole length covered."""
    way = ((0, 0), (30, 0), (30, 0), (30, 10))
    shares = {0.0: (0, 0), 0.75: (30, 0), 0.875: (30, 5), 1.0: (30, 10)}
    for share, point in shares.items():
        assert reached(way, share) == pytest.approx(point)


def moment(case: Case, ply: int) -> Scene:
    """The scene after this many plies, with the effects of the last."""
    match = played(case)
    at = Match.replay(match.game, match.setup, match.log[:ply])
    ((_, _, facts),) = at.history(None, ply - 1)
    return replace(scene_at(case, 1), view=at.view(None), facts=tuple(facts), moves=())


def unlike(board: Picture, glide: Glide) -> float:
    """How much a piece differs from the board at its destination, on a scale from 0 to 255."""
    width, height = glide.sprite.size
    x, y = glide.way[-1]
    corner = floor(x - width / 2 + 0.5), floor(y - height / 2 + 0.5)
    with Image.open(io.BytesIO(board.png)) as picture:
        shown = picture.convert("RGB").crop((*corner, corner[0] + width, corner[1] + height))
    solid = glide.sprite.mask.point(lambda level: 255 * (level > 250))
    unlikeness = ImageChops.difference(shown, glide.sprite.colours)
    return sum(ImageStat.Stat(unlikeness, solid).mean) / 3


STAYS = {
    "lancelot": {"placed", "sword_set", "sword_moved"},
    "isis": {"moved"},
    "twilight": {"played"},
    "donquixote": {"placed"},
    "isolde": {"played"},
}
"""The kinds of facts that tell of a moved piece, by game."""


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_pieces_move_to_where_they_are(game: str) -> None:
    """Every move tried has a moving piece; in at least six of them, a piece ends up where the board
    shows it.
    """
    case = cases(game)[-1]
    match = played(case)
    _, steps = Match.retrace(match.game, match.setup, match.log, match.ply)
    told = [n for n, step in enumerate(steps) if {f.kind for f in step.facts} & STAYS[game]]
    near = 0
    for n in told[:: len(told) // 8]:
        board = PAINTERS[game].board(moment(case, n + 1))
        assert board.glides
        near += any(unlike(board, glide) < 40 for glide in board.glides)
    assert near >= 6  # other stones are captured or go below at once


def test_large_animations_move_in_fewer_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """If an animation is too large, its pieces first move in fewer steps, then not at all; both
    boards stay.
    """
    way = Glide(red(), ((140, 240), (740, 540)), Box(100, 200, 180, 280))
    boards = [piece((100, 200)), piece((700, 500), glides=(way,))]
    monkeypatch.setattr(animations, "SIZE_LIMIT", len(animation(boards, texts("en")).gif) - 1)
    fewer = animation(boards, texts("en")).gif
    assert len(frames(fewer)) == 2 + STEPS[1]
    monkeypatch.setattr(animations, "SIZE_LIMIT", len(fewer) - 1)
    assert len(frames(animation(boards, texts("en")).gif)) == 2


def test_the_last_picture_stays_longest() -> None:
    colours = [plain(1200, 900, shade) for shade in range(3)]
    with Image.open(io.BytesIO(animation(colours, texts("en")).gif)) as film:
        assert film.info["loop"] == 0
        pauses = []
        for number in range(3):
            film.seek(number)
            pauses.append(film.info["duration"])
    assert pauses[-1] > max(pauses[:-1])
    assert animations.SHORTEST <= pauses[0] <= animations.LONGEST


def test_boards_of_different_heights_share_a_frame() -> None:
    low, high = plain(1200, 600, 1), plain(1200, 900, 2)
    shown = frames(animation([low, high], texts("en")).gif)
    assert {frame.size for frame in shown} == {(1200, 900)}


def test_large_animations_lose_every_second_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no animation can be small enough, one frame remains."""
    colours = [plain(400, 300, shade) for shade in range(9)]
    whole = animation(colours, texts("en")).gif
    monkeypatch.setattr(animations, "SIZE_LIMIT", len(whole) - 1)
    smaller = animation(colours, texts("en")).gif
    assert len(smaller) < len(whole)
    assert len(frames(smaller)) == 5
    assert frames(smaller)[-1].tobytes() == frames(whole)[-1].tobytes()
    monkeypatch.setattr(animations, "SIZE_LIMIT", 1)
    assert len(frames(animation(colours, texts("en")).gif)) == 1


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_the_longest_animation_keeps_the_limit(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The size is estimated from a few boards of the most crowded table."""
    monkeypatch.setattr(animations, "STEPS", STEPS[-2:])
    case = max(cases(game), key=lambda case: (case.players, len(case.options)))
    middle = FRAMES_AT_MOST // 2
    plies = spread(played(case).ply + 1)[middle - 2 : middle + 2]
    few = [PAINTERS[game].board(moment(case, ply)) for ply in plies]
    first, whole = (len(animation(some, texts("en")).gif) for some in (few[:1], few))
    per_picture = (whole - first) / (len(few) - 1)
    assert first + per_picture * (FRAMES_AT_MOST - 1) < SIZE_LIMIT


# -------------------------------------------------------------------------- description
@pytest.mark.full
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_animation_is_described(language: str) -> None:
    """The description ends with the last position if that fits."""
    say = texts(language)
    case = cases("lancelot")[0]
    last = PAINTERS["lancelot"].board(scene_at(case, 1.0))
    assert animation([last], say).alt.endswith(last.alt)
    wordy = Picture(last.name, last.png, "x" * ALT_LIMIT)
    assert 20 < len(animation([wordy], say).alt) <= ALT_LIMIT


# ------------------------------------------------------------------------------- spread
def test_pictures_are_spread_evenly() -> None:
    for count in (1, 2, 99, 100, 101, 157, 1000):
        chosen = spread(count)
        gaps = {b - a for a, b in pairwise(chosen)}
        assert len(chosen) == min(count, FRAMES_AT_MOST)
        assert (chosen[0], chosen[-1]) == (0, count - 1)
        assert max(gaps, default=0) - min(gaps, default=0) <= 1
        assert min(gaps, default=1) >= 1


def test_matches_of_a_case_are_long_enough() -> None:
    """Boards from different moments must differ."""
    assert all(played(cases(game)[0]).ply > 6 for game in GAMES)
