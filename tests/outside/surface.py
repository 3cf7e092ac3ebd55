"""The public surface of ``tafelrunde``: every name that external games may use, one per line."""

from __future__ import annotations

import ast
import hashlib
import inspect
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import cached_property
from importlib import import_module
from textwrap import dedent
from typing import Any, Final

MODULES: Final = ("tafelrunde", "tafelrunde.engine", "tafelrunde.render", "tafelrunde.words")
"""Modules whose ``__all__`` makes up the public surface."""

ROOMS: Final = frozenset({"cogs", "data", "games", "play", "render"})
"""The rooms whose classes are listed with their members; classes of other rooms are listed by name
alone.
"""


def digest() -> str:
    """A digest of the public names and signatures."""
    lines = [line for module in MODULES for line in _module(module)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _module(name: str) -> Iterator[str]:
    module = import_module(name)
    yield f"## {name}"
    for each in sorted(module.__all__, key=str.casefold):
        yield from _named(each, getattr(module, each))


def _named(name: str, value: Any) -> Iterator[str]:
    if inspect.isclass(value) and value.__module__.split(".")[0] in ROOMS:
        yield f"### `{name}{_parameters(value)}`"
        yield from _members(value)
    elif inspect.isfunction(inspect.unwrap(value)):
        yield f"### `{name}{_signature(value)}`"
    else:
        yield f"### `{name}`"


def _parameters(kind: type) -> str:
    """The parameters of a class that games instantiate."""
    if not is_dataclass(kind):
        return ""
    shown = []
    for each in filter(lambda each: each.init, fields(kind)):
        given = each.default is MISSING and each.default_factory is MISSING
        shown.append(f"{each.name}: {each.type}" + ("" if given else " = …"))
    return f"({', '.join(shown)})"


def _members(kind: type) -> Iterator[str]:
    """The members of a class, except those inherited from a base that is itself public."""
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
            yield f"- `{name}`"
        elif inspect.isfunction(function):
            yield f"- `{name}{_signature(function)}`"


def _attributes(kind: type) -> Iterator[str]:
    """The attributes that a class declares."""
    nodes = ast.walk(ast.parse(dedent(inspect.getsource(kind))))
    definition = next(node for node in nodes if isinstance(node, ast.ClassDef))
    for node in definition.body:
        if isinstance(node, ast.AnnAssign) and not ast.unparse(node.target).startswith("_"):
            yield f"- `{ast.unparse(node)}`"


def _signature(function: Any) -> str:
    try:
        shown = str(inspect.signature(function))
    except ValueError:
        return "(…)"
    return re.sub(r"<[^>]* object at 0x[0-9a-f]+>", "…", shown).replace("'", "")
