"""The built-in games. To add one, register it here, its painter in ``render``, and its words and
commands in ``cogs.games``.

Games from outside are added at the start of the program (``cogs.games.outside``).
"""

from __future__ import annotations

from typing import Any, Final

from games.absent import Absent
from games.donquixote import DonQuixote
from games.engine import Game
from games.isis import Isis
from games.isolde import Isolde
from games.lancelot import Lancelot
from games.twilight import Twilight


class Games(dict[str, Game[Any]]):
    """Games by id. An unknown id gives a stand-in that cannot be played."""

    def __missing__(self, game_id: str) -> Game[Any]:
        return Absent(game_id)


GAMES: Games = Games(
    {game.info.id: game for game in (Lancelot(), DonQuixote(), Isis(), Twilight(), Isolde())}
)
"""Every registered game by its id."""

GROUP: Final = "tafelrunde.games"
"""The entry point group in which packages register their games."""
