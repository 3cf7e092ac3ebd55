"""A temporary environment with packages installed next to the bot; nothing is downloaded."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = (ROOT / "examples" / "tictactoe", ROOT / "examples" / "foxes")


def made(folder: Path, *packages: Path) -> Path:
    """Make an environment with this one's packages, this checkout, and further packages.

    :param folder: where to make it; must not exist yet.
    :returns: its Python interpreter.
    """
    _uv("venv", "--python", sys.executable, str(folder))
    python = folder / "bin" / "python"
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "beside.pth").write_text(sysconfig.get_path("purelib"))
    _uv("pip", "install", "--no-deps", "--python", str(python), "--editable", str(ROOT))
    _uv("pip", "install", "--no-deps", "--python", str(python), *map(str, packages))
    return python


def _uv(*command: str) -> None:
    run = [sys.executable, "-m", "uv", "--offline", "--no-config", "--quiet", *command]
    subprocess.run(run, check=True, env={**os.environ, "UV_NO_CACHE": "1"})


def called(python: Path, *command: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a module with an environment's Python and capture its output."""
    run = [str(python), "-m", *command]
    return subprocess.run(run, cwd=cwd, capture_output=True, text=True, check=False)
