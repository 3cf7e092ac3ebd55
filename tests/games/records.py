"""Records of random matches, for tests of code that handles records."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from games.engine import Game, Match
from games.fairness import sealed, seed_of
from games.records import AS_JOINED, BY_LOT, PLAYED, Record, seats_by_lot

NAMES = ("Anna", "Ben: der Erste", "Çağla #3", "", "seat 5: K4")
"""Names that would break a careless parser."""

WORDS = ("Drache", "", "Word 1: ß", "# Çağla 🐉", "5:x")
"""Lucky words that would break a careless parser."""


WON_TWICE = (
    "K7 G4 H9 G5 K10 J5 E7 J6 H8 I6 F9 D8 F8 D4 E8 I11 I10 D11 I4 K4 I5 K5 K11 H11 K6 F6 F5 I7 H7"
    " K9"
)
"""The first moves of a match of Lancelot for two, begun by the first seat. The last one wins by
force, but a search first proves that K8 does.
"""


@dataclass(frozen=True, slots=True)
class Origin:
    """The inputs from which a match's seed is derived."""

    secret: str
    message: int
    words: tuple[str, ...]

    @classmethod
    def plain(cls, players: int) -> Origin:
        return cls("5e" * 32, 1_367_900_000_000_000_123, ("",) * players)

    @classmethod
    def drawn(cls, rng: random.Random, players: int) -> Origin:
        words = tuple(rng.choice(WORDS) for _ in range(players))
        return cls(f"{rng.getrandbits(256):064x}", rng.randrange(1, 2**63), words)

    @property
    def seed(self) -> str:
        return seed_of(self.secret, self.message, self.words)


def played(
    game: Game[Any],
    players: int,
    seed: str | None = None,
    most: int = 10**6,
    options: Mapping[str, Any] | None = None,
) -> Match[Any]:
    """A match played at random.

    :param seed: None: the seed of the plain origin.
    :param most: stop after this many moves.
    :param options: None: the game's defaults.
    """
    seed = Origin.plain(players).seed if seed is None else seed
    rng = random.Random(seed)
    match = Match(game, game.setup(players, options or {}, seed))
    match.advance()
    while match.actors and most:
        seat = rng.choice(match.actors)
        match.play(seat, [game.random_move(match.state, seat, rng)])
        most -= 1
    return match


def record_of(match: Match[Any], origin: Origin | None = None, **changes: Any) -> Record:
    """The record of a match; if it is not over, seat 2 has resigned.

    :param origin: the origin of the seed; None: the plain origin.
    """
    setup, outcome = match.setup, match.outcome
    origin = Origin.plain(setup.players) if origin is None else origin
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
        "seal": sealed(origin.secret),
        "secret": origin.secret,
        "message": origin.message,
        "words": origin.words,
        "seed": setup.seed,
        "how": "resigned" if outcome is None else PLAYED,
        "ranks": (1, 2) if outcome is None else outcome.ranks,
        "scores": () if outcome is None else outcome.scores,
        "events": tuple(match.log),
    }
    return Record(**{**given, **changes})
