"""``docs/games/reference.md``: everything that games from packages may use, with signatures.

python -m scripts.reference            writes it
python -m scripts.reference --check    says whether it matches the code
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from types import GenericAlias
from typing import Any, Final

from games.engine import CONTRACT

DOC: Final = Path(__file__).resolve().parent.parent / "docs" / "games" / "reference.md"

MODULES: Final = ("tafelrunde", "tafelrunde.engine", "tafelrunde.render", "tafelrunde.words")
"""The modules whose ``__all__`` is the public interface."""

ROOMS: Final = frozenset({"cogs", "data", "games", "play", "render"})
"""The packages whose classes the page describes; others are only named."""

HEAD: Final = f"""# Reference

All that a game from outside may use, contract {CONTRACT}. [The guide](README.md) tells how.

`python -m scripts.reference` writes this page from the code.
"""


def main() -> int:
    """The command line: returns 0, or 1 if the page does not match the code."""
    return keep(DOC, reference_page())


def keep(file: Path, page: str) -> int:
    """Write a page or, with ``--check``, compare it: returns 1 if it is out of date."""
    if "--check" in sys.argv[1:]:
        return int(file.read_text("utf-8") != page)
    file.write_text(page, "utf-8")
    return 0


def reference_page() -> str:
    """The page."""
    return "\n".join([HEAD, *(line for module in MODULES for line in _module(module))])


def surface() -> str:
    """A digest of all public names and signatures; it changes when a game might notice."""
    lines = [
        line for line in reference_page().splitlines() if line.startswith(("## ", "### ", "- `"))
    ]
    signatures = [line.split(" – ")[0] for line in lines]
    return hashlib.sha256("\n".join(signatures).encode()).hexdigest()[:16]


def _module(name: str) -> Iterator[str]:
    module = import_module(name)
    yield f"## {name}\n"
    yield f"{first_paragraph(module)}\n"
    for each in sorted(module.__all__, key=str.casefold):
        yield from _named(each, getattr(module, each))


def _named(name: str, value: Any) -> Iterator[str]:
    if inspect.isclass(value) and value.__module__.split(".")[0] in ROOMS:
        yield f"### `{name}{_parameters(value)}`\n"
        yield f"{_paragraphs(value)}\n"
        members = list(_members(value))
        yield from [*members, ""] if members else []
    elif inspect.isfunction(inspect.unwrap(value)):
        yield f"### `{name}{_signature(value)}`\n"
        yield f"{_paragraphs(value)}\n"
    else:
        yield f"### `{name}`\n"
        told = inspect.isclass(value) or isinstance(value, GenericAlias | str | int)
        yield f"The same as `{_bare(value)}`.\n" if told else f"A `{type(value).__name__}`.\n"


def _bare(value: Any) -> str:
    """The source of a type or a constant."""
    return value.__name__ if inspect.isclass(value) else str(value)


def _parameters(kind: type) -> str:
    """The constructor of a class that games create."""
    if not is_dataclass(kind):
        return ""
    shown = []
    for each in filter(lambda each: each.init, fields(kind)):
        given = each.default is MISSING and each.default_factory is MISSING
        shown.append(f"{each.name}: {each.type}" + ("" if given else " = …"))
    return f"({', '.join(shown)})"


def _members(kind: type) -> Iterator[str]:
    """The members of a class, each with the first paragraph of its description; members of a public
    base class are described there.
    """
    if not is_dataclass(kind):
        yield from _attributes(kind)
    public = [
        getattr(module, name) for module in map(import_module, MODULES) for name in module.__all__
    ]
    hidden = [
        base
        for base in kind.__mro__[1:]
        if base not in public and base.__module__.split(".")[0] in ROOMS
    ]
    inherited = {name: member for base in reversed(hidden) for name, member in vars(base).items()}
    for name, member in {**inherited, **vars(kind)}.items():
        function = getattr(member, "__func__", member)
        if name.startswith("_"):
            continue
        if isinstance(member, property | cached_property):
            yield f"- `{name}` – {first_paragraph(member)}"
        elif inspect.isfunction(function):
            yield f"- `{name}{_signature(function)}` – {first_paragraph(function)}"


def _attributes(kind: type) -> Iterator[str]:
    """The fields of a class, each with the docstring after it."""
    nodes = ast.walk(ast.parse(dedent(inspect.getsource(kind))))
    definition = next(node for node in nodes if isinstance(node, ast.ClassDef))
    for node, behind in pairwise([*definition.body, ast.Pass()]):
        if not isinstance(node, ast.AnnAssign) or ast.unparse(node.target).startswith("_"):
            continue
        match behind:
            case ast.Expr(ast.Constant(str(text))):
                yield f"- `{ast.unparse(node)}` – {_paragraph(text)}"
            case _:
                yield f"- `{ast.unparse(node)}`"


def _signature(function: Any) -> str:
    try:
        shown = str(inspect.signature(function))
    except ValueError:
        return "(…)"
    return re.sub(r"<[^>]* object at 0x[0-9a-f]+>", "…", shown).replace("'", "")


def _paragraphs(value: Any) -> str:
    """The docstring with its parameters as a list."""
    text = inspect.getdoc(value) or ""
    text = re.sub(r"^:(?:param|ivar|cvar) (\w+): ?", r"- *\1*: ", text, flags=re.MULTILINE)
    text = re.sub(r"^:(return|raises)s? ?([^:]*): ?", r"- *\1 \2*: ", text, flags=re.MULTILINE)
    text = re.sub(r"^(L\d+) +", r"- **\1** ", text, flags=re.MULTILINE)
    text = re.sub(r"(?<=[^\n])\n(?!\n|- )\s*", " ", text)
    return text.replace("``", "`").replace(" *:", "*:")


def first_paragraph(value: Any) -> str:
    """The first paragraph of a docstring."""
    return _paragraph(inspect.getdoc(value) or "")


def _paragraph(text: str) -> str:
    """The first paragraph of a text, on one line."""
    return " ".join(text.split("\n\n")[0].split()).replace("``", "`")


if __name__ == "__main__":
    sys.exit(main())
