"""Fills the cache before anybody waits for a picture.

The first pictures of a game take several times as long as later ones, for which layers and pieces
are already cached. A rehearsal draws the pictures of openings, with every number of players and
with every yes/no option; it also plays random matches and draws some of their pictures, from the
first moves to the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from data.texts import SOURCE, texts
from games import GAMES
from games.engine import CHANCE, Game, Match, Setup, rng_for
from render import PAINTERS
from render.scene import Painter, Scene
from render.victory import VictoryScene, victory

SEED = "rehearsal"
LATER = 30
"""After this many events, most pieces have appeared in a match."""
NAMES = ("Anna", "Ben", "Clara", "David", "Emil")


def rehearse(game_id: str) -> None:
    """Draw the board and the first seat's hand in the openings; then, in a random match for every
    number of players, the hands and some boards of the first moves, the first account, a later
    position, and the end. Thread-safe.
    """
    game, painter = GAMES[game_id], PAINTERS[game_id]
    for setup in _setups(game):
        match = Match(game, setup)
        match.advance()
        _draw_both(painter, match)
    for players in game.info.players:
        _draw_course(painter, Match(game, game.setup(players, {}, SEED)))


def _draw_course(painter: Painter, match: Match[Any]) -> None:
    """Play a random match, and draw its pictures now and then and at the end."""
    match.advance()
    rng, due = rng_for(SEED, match.setup.players), {*match.game.info.accounts}
    while match.actors:
        seat = match.actors[0]
        told = match.play(seat, [match.game.random_move(match.state, seat, rng)])
        facts = tuple(fact for step in told for fact in step.facts if fact.known_to(None))
        scene = replace(_scene(match, None), facts=facts)
        if due & {fact.kind for fact in facts}:
            due.clear()
            painter.results(scene)
        if match.ply == LATER:
            painter.close_up(scene, 0)
            _draw_both(painter, match)
        if match.ply < LATER:
            for held in {seat, *match.actors} - {CHANCE}:
                painter.hand(_scene(match, held))
            if match.ply % match.setup.players == 0:
                painter.board(scene)
    painter.board(scene)
    if match.outcome is not None:
        ranks = match.outcome.ranks
        victory(scene, VictoryScene(match.game.info.id, ranks, ("",) * len(ranks), ""))


def _draw_both(painter: Painter, match: Match[Any]) -> None:
    painter.board(_scene(match, None))
    painter.hand(_scene(match, 0))


def _scene(match: Match[Any], viewer: int | None) -> Scene:
    return Scene(match.view(viewer), NAMES[: match.setup.players], texts(SOURCE))


def _setups(game: Game[Any]) -> Iterator[Setup]:
    """Yield setups for every number of players; for the largest number, also yield one for each
    yes/no option.
    """
    for players in game.info.players:
        yield game.setup(players, {}, SEED)
    for option in game.info.options:
        if option.kind == "bool" and option.usable(players):
            yield game.setup(players, {option.key: True}, SEED)
