"""The commands in ``data``."""

from __future__ import annotations

import runpy
import sys

import pytest

import data


@pytest.mark.parametrize("name", ["backup", "forget", "ratings", "restore", "transfer"])
def test_commands_run_as_modules(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    with pytest.raises(SystemExit, match=r"^0$"):
        runpy.run_path(f"{data.__path__[0]}/{name}.py", run_name="__main__")
    assert f"usage: python -m data.{name} " in capsys.readouterr().out
