"""Who may reach the local table's page, what the table says if it cannot start, and what a closed
tab does.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.local.conftest import PATIENCE, ROOT, Serve


@pytest.mark.slow("process")
def test_a_taken_port_is_reported_in_words(serve: Serve, tmp_path: Path) -> None:
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
    """A page of another site whose host name resolves to 127.0.0.1 gets nothing."""
    place = urlsplit(serve().url).netloc
    for host, status in ((place, 200), ("elsewhere.example", 403)):
        connection = HTTPConnection(place)
        connection.request("GET", "/table", headers={"Host": host})
        assert connection.getresponse().status == status
        connection.close()


@pytest.mark.slow("process")
def test_a_tab_closed_during_a_request_harms_nobody(
    serve: Serve, capfd: pytest.CaptureFixture[str]
) -> None:
    """While the tab's request is incomplete, others can act; when the tab is closed, the terminal
    stays quiet.
    """
    table = serve()
    address = urlsplit(table.url)
    head = f"POST /api/action HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Length: 100\r\n\r\n{{"
    with closing(socket.create_connection((address.hostname, address.port))) as tab:
        tab.sendall(head.encode())
        assert answer(address.netloc, "/") == 302
    assert answer(address.netloc, "/table") == 200
    assert table.stop() == 0
    assert capfd.readouterr().err == ""


def answer(place: str, path: str) -> int:
    """The status of a page."""
    with closing(HTTPConnection(place, timeout=PATIENCE / 1000)) as connection:
        connection.request("GET", path)
        return connection.getresponse().status
