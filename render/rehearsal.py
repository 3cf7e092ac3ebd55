"""The first pictures of a game take several times as long as all later ones, which find layers and
pieces drawn and kept. A rehearsal draws the first ones before anyone waits for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from data.texts import SOURCE, texts
from games import GAMES
from games.engine import Game, Match, Setup
from render import PAINTERS
from render.scene import Scene

NAMES = ("Anna", "Ben", "Clara", "David", "Emil")


def rehearse(game_id: str) -> None:
    """Draw the openings of a game, boards and hands. From any thread."""
    game, painter = GAMES[game_id], PAINTERS[game_id]
    for setup in _setups(game):
        match = Match(game, setup)
        match.advance()
        names = NAMES[: setup.players]
        painter.board(Scene(match.view(None), names, texts(SOURCE)))
        painter.hand(Scene(match.view(0), names, texts(SOURCE)))


def _setups(game: Game[Any]) -> Iterator[Setup]:
    """Every number of players; for the largest, every module alone."""
    for players in game.info.players:
        yield game.setup(players, {}, "rehearsal")
    for option in game.info.options:
        if option.kind == "bool" and option.usable(players):
            yield game.setup(players, {option.key: True}, "rehearsal")
