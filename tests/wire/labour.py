"""A worker that thinks for computer players, started like the bots of tests.

It has one process to think in, and works for the database of the setting.
"""

from __future__ import annotations

from cogs import worker


def main() -> int:
    """Run the worker."""
    return worker.main(["--processes", "1"])
