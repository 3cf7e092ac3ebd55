"""The games on Discord: each game's words and commands."""

from __future__ import annotations

from typing import Final

from cogs.games import donquixote, isis, isolde, lancelot, twilight
from cogs.games.game import GameCog
from cogs.present.absent import AllWords

WORDS: Final = AllWords(
    {
        words.game: words
        for words in (lancelot.WORDS, donquixote.WORDS, isis.WORDS, twilight.WORDS, isolde.WORDS)
    }
)
"""The words of each game, by its id."""

COGS: Final[dict[str, type[GameCog]]] = {
    cog.game_id: cog
    for cog in (
        lancelot.LancelotCog,
        donquixote.DonQuixoteCog,
        isis.IsisCog,
        twilight.TwilightCog,
        isolde.IsoldeCog,
    )
}
"""The commands of each game, by its id."""
