"""A worker that thinks for computer players, started like the bots of tests.

It searches in one process, and uses the database in ``TAFELRUNDE_DATABASE``.
"""

from __future__ import annotations

from cogs import worker


def main() -> int:
    return worker.main(["--processes", "1"])
