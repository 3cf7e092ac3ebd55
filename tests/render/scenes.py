"""Scenes of random matches of any game, for tests of painters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from data.texts import texts
from games import GAMES
from games.engine import Match, draw, rng_for
from render.scene import Scene

NAMES = ("Anna", "Bernhard von Löwenstein", "Çağla", "Dörte", "Šárka")


ENGLISH = re.compile(r"\b(and|are|for|from|has|have|is|no|not|of|the|to|with)\b")
"""English words that the German texts do not use."""


@dataclass(frozen=True)
class Case:
    """The parameters of a match, which name it in a failing test."""

    game: str
    players: int
    options: tuple[tuple[str, Any], ...]
    seed: str = "1"

    def __str__(self) -> str:
        options = "".join(f" {key}={value}" for key, value in self.options)
        return f"{self.game} {self.players}p{options} seed={self.seed}"


def cases(game: str) -> list[Case]:
    """All numbers of players, each with all combinations of the first three on-off options that it
    allows.
    """
    return list(_cases(game))


def _cases(game: str) -> Iterator[Case]:
    info = GAMES[game].info
    for players in info.players:
        switches = [o.key for o in info.options if o.kind == "bool" and o.usable(players)][:3]
        for values in product((False, True), repeat=len(switches)):
            yield Case(game, players, tuple(zip(switches, values, strict=True)))


@cache
def played(case: Case) -> Match[Any]:
    """A finished random match."""
    game = GAMES[case.game]
    match = Match(game, game.setup(case.players, dict(case.options), case.seed))
    match.advance()
    rng = rng_for(case.seed, "render")
    while match.actors:
        seat = match.actors[draw(rng, len(match.actors))]
        match.play(seat, [game.random_move(match.state, seat, rng)])
    return match


def scene_at(
    case: Case,
    share: float,
    viewer: int | None = None,
    language: str = "en",
    names: tuple[str, ...] = NAMES,
) -> Scene:
    """The scene when ``share`` (0..1) of a match has been played, with its last two events."""
    match = played(case)
    end = round(share * match.ply)
    at = Match.replay(match.game, match.setup, match.log[:end])
    told = at.history(viewer, max(0, end - 2))
    return Scene(
        view=at.view(viewer),
        names=names[: case.players],
        say=texts(language),
        code="K7Q2",
        facts=tuple(fact for _, _, facts in told for fact in facts),
        moves=tuple((seat, move) for seat, move, _ in told if move is not None),
        computers=frozenset({case.players - 1}),
    )


def english_in(words: str) -> list[str]:
    """The English words in a German text."""
    return ENGLISH.findall(words)
