"""A worker in which computer players think, as the bots of tests are started.

It has one process to think in, and works for the database of the setting.
"""

from __future__ import annotations

from cogs import worker


def main() -> int:
    """Run the worker."""
    return worker.main(["--processes", "1"])
