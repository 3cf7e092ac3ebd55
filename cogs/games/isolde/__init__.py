"""Die Holde Isolde on Discord: its words, its menus and its commands."""

from cogs.games.isolde.commands import IsoldeCog
from cogs.games.isolde.words import IsoldeWords

WORDS = IsoldeWords()

__all__ = ["WORDS", "IsoldeCog"]
