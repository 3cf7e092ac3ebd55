"""Each public class or function name has one meaning, wherever it is defined."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Final

from games import GAMES

ROOT: Final = Path(__file__).parent.parent

FOLDERS: Final = ("cogs", "data", "games", "play", "render", "scripts", "tafelrunde")

SHARED_ROLES: Final = {
    "decide": "decides a command: on a table, on an occasion",
    "main": "the command line of a program",
    "settled": "a changed value with all consequences: a table, an occasion",
}
"""Names that several modules outside the games' folders may define, with their shared meaning."""

GAME_ROLES: Final = {
    "News": "what the picture marks as new",
    "Prospects": "what a computer player hopes to win, in points",
    "Seating": "who sits where",
    "account_in_words": "the account of a scoring",
    "board_in_words": "the board",
    "card_face": "a card, face up",
    "description": "the whole position in words",
    "draw_account": "draws the account of a scoring",
    "draw_hand": "draws the private picture",
    "draw_table": "draws the table with all that changes",
    "glides": "what moves in the animation of a move",
    "ground": "the part of the picture that does not change during a match",
    "hand_in_words": "the private picture in words",
    "heading": "the heading of a private picture",
    "height_of": "the height of a card of some width",
    "named": "the move that a name means, as ``Notation`` has it",
    "position_as_text": "the position as a text file",
    "refusal": "the rule that forbids a move, as ``Notation`` has it",
    "request": "what the viewer is asked, or who is awaited",
    "seating_for": "the seating of some number of players",
    "understood": "the move that a text means, as ``Notation`` has it",
}
"""Names that each game may define once, with their shared meaning."""

DEFINED: Final = re.compile(r"^(?:class|(?:async )?def) ([^\W_]\w*)", re.MULTILINE)
"""Matches a public class or function at the top level; parsing would take fifty times as long."""

Names = Mapping[str, set[Path]]
"""Modules, relative to the root, by the public names that they define."""


def modules() -> Iterator[Path]:
    """All modules of the product, and the Python scripts without a suffix."""
    yield from ROOT.glob("*.py")
    for folder in FOLDERS:
        yield from (ROOT / folder).rglob("*.py")
    for path in (ROOT / "scripts").iterdir():
        if path.is_file() and not path.suffix and "python" in path.read_text().split("\n")[0]:
            yield path


def definitions(paths: Iterable[Path]) -> Names:
    """The public classes and functions at the top level of modules."""
    names = defaultdict(set)
    for path in paths:
        for name in DEFINED.findall(path.read_text("utf-8")):
            names[name].add(path.relative_to(ROOT))
    return names


def game_of(path: Path) -> str | None:
    """The game that a module belongs to; None if it is shared."""
    match path.with_suffix("").parts:
        case ("games", "players", game) | ("games" | "render", game, *_) if game in GAMES:
            return game
    return None


def clashes(names: Names) -> list[str]:
    """Names defined more than once without a shared role, with their modules."""
    found = []
    for name, paths in names.items():
        games = [game_of(path) for path in paths]
        shared, own = games.count(None), [game for game in games if game]
        if name in GAME_ROLES:
            fine = not shared and len(own) == len(set(own))
        elif name in SHARED_ROLES:
            fine = not own
        else:
            fine = len(paths) == 1
        if not fine:
            found.append(f"{name}: {', '.join(sorted(map(str, paths)))}")
    return found


def test_one_name_has_one_meaning() -> None:
    assert not clashes(definitions(modules()))


def test_listed_roles_are_needed() -> None:
    """Each listed name recurs; otherwise remove it from the list."""
    names = definitions(modules())
    assert not [name for name in chain(SHARED_ROLES, GAME_ROLES) if len(names.get(name, ())) < 2]
