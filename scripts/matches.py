"""Random matches and what their tables saw; the same in every run on any machine."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from itertools import chain
from random import Random
from typing import Any

from data.texts import texts
from games import GAMES
from games.engine import BadSetup, Game, Match, draw
from render.scene import Scene

NAMES = ("Anna", "Bernhard", "Cagla", "Dora", "Emil")


def all_modules(game: Game[Any], players: int) -> dict[str, bool]:
    """Return the on-off options to switch on: in the game's order, each that is compatible with
    those before it.
    """
    chosen: dict[str, bool] = {}
    for option in game.info.options:
        if option.kind == "bool" and option.usable(players):
            with suppress(BadSetup):
                game.setup(players, {**chosen, option.key: True})
                chosen[option.key] = True
    return chosen


def new_match(
    game_id: str, players: int, seed: str, options: Mapping[str, Any] | None = None
) -> Match[Any]:
    """Return a new match, after all draws before the first decision."""
    game = GAMES[game_id]
    match = Match(game, game.setup(players, options, seed))
    match.advance()
    return match


def match_with_options(game_id: str, players: int, seed: int) -> Match[Any]:
    """Return a finished random match with the on-off options that ``all_modules`` switches on."""
    game = GAMES[game_id]
    match = new_match(game_id, players, str(seed), all_modules(game, players))
    rng = Random(seed)
    while match.actors:
        seat = match.actors[draw(rng, len(match.actors))]
        match.play(seat, [game.random_move(match.state, seat, rng)])
    return match


def scene_at(match: Match[Any], end: int, viewer: int | None = None) -> Scene:
    """Return the scene that the table, or the seat ``viewer``, saw after ``end`` events."""
    at = Match.replay(match.game, match.setup, match.log[:end])
    told = at.history(viewer, max(0, end - 2))
    return Scene(
        view=at.view(viewer),
        names=NAMES[: match.setup.players],
        say=texts("en"),
        code="K7Q2",
        facts=tuple(chain.from_iterable(facts for _, _, facts in told)),
        moves=tuple((seat, move) for seat, move, _ in told if move is not None),
    )
