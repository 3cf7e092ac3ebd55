"""The games of the house. To add one, register it here; everything else follows."""

from __future__ import annotations

from typing import Any

from games.donquixote import DonQuixote
from games.engine import Game
from games.isis import Isis
from games.isolde import Isolde
from games.lancelot import Lancelot
from games.twilight import Twilight

GAMES: dict[str, Game[Any]] = {
    game.info.id: game for game in (Lancelot(), DonQuixote(), Isis(), Twilight(), Isolde())
}
"""Every registered game by its id."""
