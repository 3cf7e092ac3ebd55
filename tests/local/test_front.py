"""Who may reach the local table's page, what the table says if it cannot start, and what a closed
tab does.
"""

from __future__ import annotations

import socket
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from scripts.local_table import __main__ as local_table
from tests.local.conftest import Served, answer


def test_a_taken_port_is_reported_in_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table says so before it does anything else."""
    database = tmp_path / "tables.sqlite3"
    monkeypatch.setattr(local_table, "set_up_logging", lambda _: None)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        options = ["--no-browser", "--port", str(taken.getsockname()[1]), "--database", database]
        monkeypatch.setattr("sys.argv", ["scripts/run", *map(str, options)])
        assert local_table.main() == 2
    assert "--port 0 takes another port" in capsys.readouterr().err
    assert not database.exists()


@pytest.mark.slow("process")
def test_only_this_computer_gets_in_and_a_closed_tab_harms_nobody(table: Served) -> None:
    """A page of another site whose host name resolves to 127.0.0.1 gets nothing. While a tab's
    request is incomplete, others can act; when the tab is closed, the terminal stays quiet.
    """
    address = urlsplit(table.url)
    assert answer(address.netloc, "/table", Host="elsewhere.example") == 403
    head = f"POST /api/action HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Length: 100\r\n\r\n{{"
    with closing(socket.create_connection((address.hostname, address.port))) as tab:
        tab.sendall(head.encode())
        assert answer(address.netloc, "/") == 302
    assert answer(address.netloc, "/table") == 200
    assert table.stop() == 0
    assert table.errors == ""
