"""The public API for games from outside.

- ``tafelrunde.engine``: the rules, with ``Game``, ``Position``, ``GameInfo`` …
- ``tafelrunde.render``: pictures, with ``KitPainter``, or the base of your own painter
- ``tafelrunde.words``: texts, with ``GameWords``, ``N_`` …, and the base of your own commands
- ``tafelrunde.testing``: the conformance suite, as a pytest plugin

Only the names in ``__all__``, here and in these modules, are public. Every incompatible change
increases ``CONTRACT``.
"""

from cogs.games.outside import GamePackage
from games.engine import CONTRACT

__all__ = ["CONTRACT", "GamePackage"]
