"""A stand-in for a game that is not installed any more: its tables wait until it is installed
again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.engine import BadSetup, Event, Fact, Game, GameInfo, Move, Outcome, Setup

NO_GAME = "no_game"
"""The code of every refusal here: nothing works without the rules."""

ANY = (1, 2, 3, 4, 5)
"""Possible player counts: the real ones are unknown, so any of these may occur."""


class Absent(Game[Any]):
    """A game without rules: none of its matches can begin or continue."""

    def __init__(self, game_id: str) -> None:
        self.info = GameInfo(id=game_id, rules=0, players=ANY)  # type: ignore[misc]

    def setup(
        self, players: int, options: Mapping[str, Any] | None = None, seed: str = "0"
    ) -> Setup:
        """Refuse to set up a match.

        :raises BadSetup: ``no_game``.
        """
        raise BadSetup(NO_GAME)

    def actors(self, state: Any) -> tuple[int, ...]:
        """Return an empty tuple: nobody can act."""
        return ()

    def legal(self, state: Any, seat: int) -> list[Move]:
        """Return an empty list: there are no moves."""
        return []

    def do(self, state: Any, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        """Refuse every event.

        :raises BadSetup: ``no_game``.
        """
        raise BadSetup(NO_GAME, event=Event(seat, move))

    def outcome(self, state: Any) -> Outcome | None:
        """Return None: the outcome is unknown."""
        return None
