"""Prepare a process that only chooses moves. Importing this module is quick: a process that only
runs computer players loads neither discord.py nor the pictures.
"""

from __future__ import annotations

from importlib.metadata import entry_points

from games import GROUP


def load_packaged_rules() -> None:
    """Load the rules of games from packages, if there are any."""
    if entry_points(group=GROUP):
        # Import this only if needed: it imports discord.py and the pictures, which takes seconds.
        from cogs.games.outside import load_rules

        load_rules()
