"""``docs/inventory.md``: slash commands, commands of ``play``, journal lines and surface keys.

python -m scripts.inventory            writes it
python -m scripts.inventory --check    exits with 1 if it does not match the code
"""

from __future__ import annotations

import asyncio
import inspect
import sys
import tempfile
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, Final

from discord import app_commands

import play
from bot import OCCASIONS, build
from cogs.present.surfaces import KEYS
from data.store.store import Store
from play.aggregate import Command
from play.computers import Thinkers
from play.lines import OCCASION_LINES, TABLE_LINES

DOC: Final = Path(__file__).resolve().parent.parent / "docs" / "inventory.md"

HEAD: Final = """# Inventory

All commands, all kinds of journal lines, and all kinds of messages.
`python -m scripts.inventory` writes this page from the code.
[Architecture](architecture.md) shows how the parts work together.
"""


def main() -> int:
    """Run the command. Return 1 if ``--check`` finds a difference, otherwise 0."""
    page = inventory_page()
    if "--check" in sys.argv[1:]:
        return int(DOC.read_text("utf-8") != page)
    DOC.write_text(page, "utf-8")
    return 0


def inventory_page() -> str:
    """Return the page."""
    parts = [
        HEAD,
        *_section(
            "Slash commands",
            "The commands that people type. Everyone sees them in their own language; these are"
            " the English names.",
            asyncio.run(slash_commands()),
        ),
        *_section(
            "Commands of play",
            "The commands that change a table or an occasion: subclasses of"
            " `play.aggregate.Command`.",
            commands_of_play(),
        ),
        *_section("Journal lines of tables", "The lines that a table may have.", TABLE_LINES),
        *_section(
            "Journal lines of occasions", "The lines that every occasion may have.", OCCASION_LINES
        ),
    ]
    for kind in sorted(OCCASIONS, key=lambda kind: kind.NAME):
        parts += _section(
            f"Journal lines of the kind `{kind.NAME}`", first_paragraph(type(kind)), kind.LINES
        )
    parts += _section(
        "Keys of surfaces",
        "The messages in Discord: the first part of each key, and what the message is for.",
        KEYS,
    )
    return "\n".join(parts)


def _section(title: str, text: str, entries: Mapping[str, str]) -> Iterator[str]:
    yield f"## {title}\n"
    yield f"{text}\n"
    yield "| name | meaning |"
    yield "|---|---|"
    for name, meaning in entries.items():
        yield f"| `{name}` | {meaning} |"
    yield ""


async def slash_commands() -> dict[str, str]:
    """Return the description of each command of the bot, as Discord shows it, by name."""
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(Path(folder) / "house.sqlite3")
        parts = build(store, Thinkers(workers=0))
        client = parts.client
        try:
            for cog in client.waiting_cogs:
                await client.add_cog(cog)
            return dict(sorted(_described([*client.tree.get_commands(), *parts.acting.menus])))
        finally:
            await client.close()


def _described(commands: list[Any]) -> Iterator[tuple[str, str]]:
    for command in commands:
        if isinstance(command, app_commands.Group):
            yield from _described(command.commands)
        elif isinstance(command, app_commands.Command):
            options = [each.display_name for each in command.parameters]
            listed = f" ({', '.join(options)})" if options else ""
            yield f"/{command.qualified_name}", f"{command.description}{listed}"
        else:
            yield f"Apps → {command.name}", "In the menu of a person."


def commands_of_play() -> dict[str, str]:
    """Return the meaning of each command of ``play``, by module and name."""
    for module in walk_packages(play.__path__, "play."):
        import_module(module.name)
    found = {
        f"{kind.__module__.removeprefix('play.')}.{kind.__name__}": first_paragraph(kind)
        for kind in set(_subclasses(Command))
        if kind.__module__.startswith("play.") and not inspect.isabstract(kind)
    }
    return dict(sorted(found.items()))


def first_paragraph(value: Any) -> str:
    """Return the first paragraph of a docstring, on one line."""
    return " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split()).replace("``", "`")


def _subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    for each in type.__subclasses__(kind):
        yield each
        yield from _subclasses(each)


if __name__ == "__main__":
    sys.exit(main())
