"""Die Holde Isolde on Discord: its words, its menus and its commands."""

from cogs.isolde.commands import setup
from cogs.isolde.words import IsoldeWords

WORDS = IsoldeWords()

__all__ = ["WORDS", "setup"]
