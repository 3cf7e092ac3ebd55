"""A victory changes the composition: who has won is large, in the midst of the game's world."""

from __future__ import annotations

import pytest
from PIL import ImageColor

from games import GAMES
from render import PAINTERS
from render.donquixote.board import lands
from render.geometry import Box
from render.isolde.ground import tracks
from render.theme import SEATS
from render.twilight.table import CENTRE
from scripts.matches import match_with_options, scene_at
from tests.render.colours import opened

LARGE = 1_500
"""Pixels in the winner's colour: far more than a piece or a name plate's token has."""


def stage(game: str, winner: int, players: int) -> Box:
    """Where the victory of a seat is shown."""
    match game:
        case "twilight":
            return Box.at(CENTRE, 340)
        case "donquixote":
            return Box.at(lands(players)[winner].box.centre, 140)
        case _:
            return tracks(("LANZE", "ISOLDE", "MAGIE", "TURNIER"))["MAGIE"].box


@pytest.mark.parametrize(
    ("game", "players"),
    [
        (game, players)
        for game in ("donquixote", "isolde", "twilight")
        for players in GAMES[game].info.players
        if players > 1
    ],
)
def test_the_end_shows_who_has_won(game: str, players: int) -> None:
    """In the winner's own colour, and not before the end."""
    played = match_with_options(game, players, seed=0)
    assert played.outcome is not None
    for winner in played.outcome.winners():
        assert shown(game, played.ply, winner, players) >= LARGE
        assert shown(game, played.ply // 2, winner, players) < LARGE


def shown(game: str, ply: int, winner: int, players: int) -> int:
    """How many pixels of the stage have the colour of a seat."""
    scene = scene_at(match_with_options(game, players, seed=0), ply)
    picture = opened(PAINTERS[game].board(scene).png)
    part = picture.crop(stage(game, winner, players))
    colour = ImageColor.getrgb(SEATS[winner].colour)
    return sum(n for n, pixel in part.getcolors(part.width * part.height) or () if pixel == colour)
