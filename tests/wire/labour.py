"""A worker that thinks for computer players, started like the bots of tests.

It has one process to search in, and uses the database named by the setting.
"""

from __future__ import annotations

from cogs import worker


def main() -> int:
    """Run the worker."""
    return worker.main(["--processes", "1"])
