"""The words for a game that is not there any more."""

from __future__ import annotations

from typing import ClassVar

from cogs.present.words import GameWords
from data.texts import N_, NN_, Texts

WAITING = N_(
    "The game of this table is not there at the moment. The table waits until it is back; if it is"
    " not over, “/table end” ends it."
)
"""What is said at a table whose game is not there."""


class AbsentWords(GameWords):
    """What can be said of a game that nobody knows here: its id, and that its tables wait."""

    summary = N_("This game is not there at the moment. The table waits until it is back.")
    options: ClassVar = {}
    refusals: ClassVar = {}
    reasons: ClassVar = {}
    rule_texts = NN_("This game is not there at the moment, so I do not know its rules.")

    def __init__(self, game_id: str) -> None:
        self.game = game_id  # type: ignore[misc]
        self.title = game_id  # type: ignore[misc]

    def reason(self, reason: str, say: Texts) -> str:
        """Only the game could tell."""
        return ""


class AllWords(dict[str, GameWords]):
    """The words of all games, by id; those of any other say that it is not there."""

    def __missing__(self, game_id: str) -> GameWords:
        return AbsentWords(game_id)
