"""Write a package with a small game: ``python -m scripts.new_game NAME --in FOLDER``."""

from __future__ import annotations

import argparse
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from cogs.games.outside import GAME_ID
from games import GAMES

TEMPLATE: Final = Path(__file__).with_name("template")
"""The template of the package; ``newgame`` stands for its name, in files and paths."""

PLACEHOLDER: Final = "newgame"


def main(arguments: list[str] | None = None) -> int:
    """Run the command. Return 0 if the package was written, otherwise 2."""
    parser = argparse.ArgumentParser(prog="scripts.new_game", description=__doc__)
    parser.add_argument("name", help="the game's id: lower-case letters and digits")
    parser.add_argument("--in", dest="folder", type=Path, default=Path(), help="where to put it")
    options = parser.parse_args(arguments)
    name, target = options.name, options.folder / options.name
    if not GAME_ID.fullmatch(name):
        return _refused(f"{name!r} must be 2 to 16 lower-case letters and digits, a letter first.")
    if name in GAMES:
        return _refused(f"There is already a game {name!r}.")
    if find_spec(name) is not None:
        return _refused(f"There is already a module {name!r}.")
    if target.exists():
        return _refused(f"{target} already exists.")
    write_package(name, target)
    print(
        f"{target} is written. Install it next to the bot, and test it:\n"
        f"  .venv/bin/uv pip install --python .venv/bin/python --no-deps --editable {target}\n"
        f"  .venv/bin/python -m pytest -c {target}/pyproject.toml {target}"
    )
    return 0


def write_package(name: str, target: Path) -> None:
    """Write a package with this name into a new folder."""
    for source in sorted(TEMPLATE.rglob("*.in")):
        inside = source.relative_to(TEMPLATE).as_posix().removesuffix(".in")
        file = target / inside.replace(PLACEHOLDER, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text("utf-8").replace(PLACEHOLDER, name)
        text = re.sub(r"NewGame", name.capitalize(), text)
        file.write_text(text, "utf-8")


def _refused(why: str) -> int:
    print(why, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
