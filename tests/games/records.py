"""Records of matches played at random, for the tests of whatever handles records."""

from __future__ import annotations

import random
from datetime import date
from typing import Any

from games.engine import Game, Match
from games.records import AS_JOINED, BY_LOT, PLAYED, Record, seats_by_lot

NAMES = ("Anna", "Ben: der Erste", "Çağla #3", "", "seat 5: K4")
"""Names that a careless reader would stumble over."""


def played(game: Game[Any], players: int, seed: str = "5eed", most: int = 10**6) -> Match[Any]:
    """A match with the default options, played at random to its end or for so many moves."""
    rng = random.Random(seed)
    match = Match(game, game.setup(players, {}, seed))
    match.advance()
    while match.actors and most:
        seat = rng.choice(match.actors)
        match.play(seat, [game.random_move(match.state, seat, rng)])
        most -= 1
    return match


def record_of(match: Match[Any], **changes: Any) -> Record:
    """The record of a match; one that is not over was resigned by seat 2."""
    setup, outcome = match.setup, match.outcome
    by_lot = changes.get("seating", BY_LOT) == BY_LOT
    joined = seats_by_lot(setup.seed, setup.players) if by_lot else range(setup.players)
    given: dict[str, Any] = {
        "game": match.game.info.id,
        "rules": match.game.info.rules,
        "table": "K7Q2",
        "begun": date(2026, 5, 1),
        "ended": date(2026, 5, 9),
        "seating": BY_LOT if by_lot else AS_JOINED,
        "joined": tuple(joined),
        "names": NAMES[: setup.players],
        "computers": frozenset(),
        "options": setup.options,
        "seal": setup.commitment(),
        "seed": setup.seed,
        "how": "resigned" if outcome is None else PLAYED,
        "ranks": (1, 2) if outcome is None else outcome.ranks,
        "scores": () if outcome is None else outcome.scores,
        "events": tuple(match.log),
    }
    return Record(**{**given, **changes})
