"""The short form of ``python -m tests.chaos``."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.chaos import Figures, storm
from tests.postgres import TestServer

pytestmark = pytest.mark.slow("process")


async def test_processes_and_databases_that_die_lose_and_double_nothing() -> None:
    """People play while two processes are killed; meanwhile, the worker may be killed, the database
    stopped, and a connection to it cut or slowed.
    """
    seed = int(os.environ.get("WIRE_SEED", secrets.randbelow(2**32)))
    print(f"WIRE_SEED={seed}")
    with TemporaryDirectory(prefix="tafelrunde-own-") as folder:
        server = TestServer(Path(folder) / "data")
        try:
            await storm(2, 2, 1, seed, server, 1, Path(folder), figures := Figures(), goal=1)
        finally:
            server.remove()
    assert figures.kills == 2
    assert figures.acknowledged
    assert figures.tables
    assert not figures.bad
