"""What games from outside import: the contract, the kit, the words, and the suite.

``tafelrunde.engine``   the rules' side: ``Game``, ``Position``, ``GameInfo`` …
``tafelrunde.render``   the pictures' side: ``KitPainter``, or a painter of one's own
``tafelrunde.words``    what is said: ``GameWords``, ``N_`` …, and commands of one's own
``tafelrunde.testing``  the suite, as a plugin of pytest

What these modules list in ``__all__`` is public, and nothing else; what a game relies on changes
only with ``CONTRACT``.
"""

from cogs.games.outside import GamePackage
from games.engine import CONTRACT

__all__ = ["CONTRACT", "GamePackage"]
