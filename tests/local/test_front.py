"""Who may reach the local table's page, and what it says if it cannot start."""

from __future__ import annotations

import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.local.conftest import ROOT, Serve


@pytest.mark.slow("process")
def test_a_taken_port_is_said_in_words(serve: Serve, tmp_path: Path) -> None:
    """A second table on the same port exits at once with a sentence and no traceback."""
    port = urlsplit(serve().url).port
    options = ["--no-browser", "--port", str(port), "--database", str(tmp_path / "other.sqlite3")]
    second = subprocess.run(
        [sys.executable, "-m", "scripts.local_table", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert second.returncode == 2
    assert "--port 0 takes another port" in second.stderr
    assert "Traceback" not in second.stderr


@pytest.mark.slow("process")
def test_only_this_computer_gets_in(serve: Serve) -> None:
    """A foreign page whose host name resolves to 127.0.0.1 gets nothing."""
    place = urlsplit(serve().url).netloc
    for host, status in ((place, 200), ("elsewhere.example", 403)):
        connection = HTTPConnection(place)
        connection.request("GET", "/table", headers={"Host": host})
        assert connection.getresponse().status == status
        connection.close()
