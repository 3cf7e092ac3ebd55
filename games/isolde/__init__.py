"""Die Holde Isolde."""

from games.isolde.game import Isolde
from games.isolde.numbers import NUMBERS, Numbers
from games.isolde.state import IsoldeState

__all__ = ["NUMBERS", "Isolde", "IsoldeState", "Numbers"]
