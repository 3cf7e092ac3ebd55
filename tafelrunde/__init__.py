"""The public API for games from outside.

``tafelrunde.engine``   the rules: ``Game``, ``Position``, ``GameInfo`` …
``tafelrunde.render``   pictures: ``KitPainter``, or the base of your own painter
``tafelrunde.words``    texts: ``GameWords``, ``N_`` …, and the base of your own commands
``tafelrunde.testing``  the conformance suite, as a pytest plugin

Only the names in these modules' ``__all__`` are public. Incompatible changes raise ``CONTRACT``.
"""

from cogs.games.outside import GamePackage
from games.engine import CONTRACT

__all__ = ["CONTRACT", "GamePackage"]
