"""Stand-in for a game that is no longer installed: its tables wait until it is back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.engine import BadSetup, Event, Fact, Game, GameInfo, Move, Outcome, Setup

NO_GAME = "no_game"
"""The refusal of everything that needs the rules."""

ANY = (1, 2, 3, 4, 5)
"""The player counts: unknown, so any."""


class Absent(Game[Any]):
    """A game without rules: no match of it can begin or continue."""

    def __init__(self, game_id: str) -> None:
        self.info = GameInfo(id=game_id, rules=0, players=ANY)  # type: ignore[misc]

    def setup(
        self, players: int, options: Mapping[str, Any] | None = None, seed: str = "0"
    ) -> Setup:
        """:raises BadSetup: ``no_game``."""
        raise BadSetup(NO_GAME)

    def actors(self, state: Any) -> tuple[int, ...]:
        """Nobody."""
        return ()

    def legal(self, state: Any, seat: int) -> list[Move]:
        """Nothing."""
        return []

    def do(self, state: Any, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        """:raises BadSetup: ``no_game``."""
        raise BadSetup(NO_GAME, event=Event(seat, move))

    def outcome(self, state: Any) -> Outcome | None:
        """Unknown."""
        return None
