"""The words for a game that is no longer installed."""

from __future__ import annotations

from typing import ClassVar

from cogs.present.words import GameWords
from data.texts import N_, NN_, Texts

WAITING = N_(
    "The game of this table is not installed at the moment. The table waits until the game is "
    "back; if the match is not over, “/table end” ends it."
)


class AbsentWords(GameWords):
    """Words for a missing game: its id as the title, and a note that its tables wait."""

    summary = N_("This game is not installed at the moment. The table waits until it is back.")
    options: ClassVar = {}
    refusals: ClassVar = {}
    reasons: ClassVar = {}
    rule_texts = NN_("This game is not installed at the moment, so I do not know its rules.")

    def __init__(self, game_id: str) -> None:
        self.game = game_id  # type: ignore[misc]
        self.title = game_id  # type: ignore[misc]

    def reason(self, reason: str, say: Texts) -> str:
        """Return an empty text: only the game itself can put its reasons into words."""
        return ""


class AllWords(dict[str, GameWords]):
    """The words of all games, by id; unknown ids get ``AbsentWords``."""

    def __missing__(self, game_id: str) -> GameWords:
        return AbsentWords(game_id)
