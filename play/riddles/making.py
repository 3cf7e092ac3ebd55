"""Makes riddles by searching matches for positions with one solution."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from games import GAMES
from games.engine import CHANCE, Match
from games.players import Budget, search
from games.twilight.position import GIVE, PLAY
from play.riddles.proving import riddle_at
from play.riddles.riddle import SEED, Riddle, event_of, hardest

ROTATION: Final = ("lancelot", "twilight", "isis", "isolde")
"""The games of the riddles, one per day in turn."""

PLAYING: Final = Budget(10)
"""The budget of the players: small, so that they make mistakes that can be punished."""

SETUPS: Final[Mapping[str, Sequence[tuple[int, Mapping[str, Any]]]]] = {
    "isis": ((2, {}), (2, {"retreat": True})),
    "isolde": ((2, {"duo": "parzival"}), (2, {"duo": "lancelot"}), (3, {}), (4, {})),
    "lancelot": ((2, {}), (2, {"diagonals": True}), (2, {"goal": 4})),
    "twilight": ((4, {}), (3, {})),
}
"""By game: numbers of players with options; one entry is drawn at random."""

OPENING: Final = 8
"""In Lancelot and Isis, positions up to this ply are not checked."""

CARDS: Final = {"twilight": 11, "isolde": 6}
"""Positions with at most this many cards in all hands are checked for riddles."""


def make(game_id: str, seed: str) -> Riddle | None:
    """Play a match until the end of the first round that contains riddles, and return the hardest
    of them; None if the whole match contains none. The same seed gives the same result.

    :param game_id: a game of ``ROTATION``.
    """
    rng = random.Random(seed)
    players, options = rng.choice(SETUPS[game_id])
    game = GAMES[game_id]
    match = Match(game, game.setup(players, options, seed))
    match.advance()
    found: list[Riddle] = []
    round_ = match.state.round
    while match.outcome is None and not (found and match.state.round > round_):
        round_ = match.state.round
        if _is_late(match):
            riddle = riddle_at(match)
            if riddle is not None:
                found.append(riddle)
        seat = match.actors[0]
        match.play(seat, [search(game, match.view(seat), rng, PLAYING).best])
    return hardest(found)


def found_in(
    game_id: str, players: int, options: Mapping[str, Any], log: Sequence[str]
) -> Riddle | None:
    """Return the hardest riddle in a match that was played; None if there is none.

    :param game_id: a game of ``ROTATION``.
    :param log: its events, as in a ``Riddle``.
    """
    game = GAMES[game_id]
    setup, events = game.setup(players, options, SEED), [event_of(text) for text in log]
    found = []
    for end in range(len(events)):
        match = Match.replay(game, setup, events[:end])
        if match.actors and match.actors[0] != CHANCE and _is_late(match):
            riddle = riddle_at(match)
            if riddle is not None:
                found.append(riddle)
    return hardest(found)


def _is_late(match: Match[Any]) -> bool:
    """Return whether a position is late enough to be checked for a riddle."""
    state = match.state
    match match.game.info.id:
        case "twilight":
            return state.phase in (PLAY, GIVE) and _cards(state) <= CARDS["twilight"]
        case "isolde":
            return bool(
                state.round == state.rules.numbers.rounds
                and any(state.played)
                and _cards(state) <= CARDS["isolde"]
            )
        case _:
            return match.ply > OPENING


def _cards(state: Any) -> int:
    return sum(map(len, state.hands))
