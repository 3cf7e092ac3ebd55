"""Headlines above pictures, and pictures below each other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from data.texts import texts
from games import GAMES
from render import PAINTERS
from render.headline import HEIGHT, headed, stacked
from render.scene import ALT_LIMIT
from render.theme import WIDTH
from scripts.matches import match_with_options, scene_at
from tests.render.colours import opened
from tests.render.test_contrast import all_is_read

TASK = "Riddle: win in two moves"


@pytest.mark.parametrize("game_id", GAMES)
def test_a_headline_leaves_the_picture_below_as_it_is(game_id: str) -> None:
    match = match_with_options(game_id, GAMES[game_id].info.players[0], seed=0)
    say = texts("en")
    board = PAINTERS[game_id].board(scene_at(match, match.ply // 2))
    with all_is_read():
        picture = headed(board, TASK, say)
    below, whole = opened(board.png), opened(picture.png)
    assert whole.height == below.height + HEIGHT
    assert whole.crop((0, HEIGHT, *whole.size)).tobytes() == below.tobytes()
    assert picture.alt.startswith(f"{TASK}. ")
    assert len(picture.alt) <= ALT_LIMIT
    assert len(picture.png) <= 150 * 1024


def test_stacked_pictures_are_all_there() -> None:
    match, say = match_with_options("isolde", 3, seed=0), texts("en")
    hands = [
        hand
        for seat in range(3)
        if (hand := PAINTERS["isolde"].hand(scene_at(match, match.ply // 2, seat)))
    ]
    picture = stacked(hands, say)
    parts, top = [opened(hand.png) for hand in hands], 0
    for part in parts:
        shown = opened(picture.png).crop((0, top, part.width, top + part.height))
        assert shown.tobytes() == part.tobytes()
        top += part.height
    assert opened(picture.png).height == top
    assert len(picture.alt) <= ALT_LIMIT


@pytest.mark.parametrize("game_id", ["isolde", "twilight"])
def test_hands_shown_to_others_stand_side_by_side(game_id: str) -> None:
    match, say = match_with_options(game_id, 4, seed=0), texts("en")
    end = next(
        n
        for n in range(match.ply // 2, match.ply)
        if all(PAINTERS[game_id].hand(scene_at(match, n, seat)) for seat in range(4))
    )
    with all_is_read():
        hands = [
            hand
            for seat in range(4)
            if (hand := PAINTERS[game_id].hand(replace(scene_at(match, end, seat), shown=seat > 0)))
        ]
        picture = opened(stacked([*hands[1:], hands[0]], say).png)
    sizes = [opened(hand.png).size for hand in hands]
    assert picture.width == sizes[0][0] == WIDTH
    narrow = [size for size in sizes[1:] if size[0] < WIDTH]
    assert picture.height < sum(height for _, height in sizes) or not narrow
    assert all(hand.alt.startswith("The hand of ") for hand in hands[1:])
    assert all(len(hand.alt) < ALT_LIMIT / 3 for hand in hands[1:])
