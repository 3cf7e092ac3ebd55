"""The bot, unchanged but for two numbers: what another process leaves is taken on at once.

Tests cannot wait until a process is taken to be gone for good.
"""

from __future__ import annotations

import bot
from cogs.features import serving
from data.store import leases


def main() -> int:
    """Run the bot."""
    serving.BEAT = 0.2
    leases.UNSERVED = 0.4
    return bot.main()
