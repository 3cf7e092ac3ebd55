"""The limits that Discord sets for commands.

discord.py checks only some of them; Discord checks the others when all commands are sent.
``check_tree`` finds violations earlier.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from discord import Locale

Payload = Mapping[str, Any]


CHAT, ON_USER, ON_MESSAGE = 1, 2, 3
SUBCOMMAND, GROUP, STRING, INTEGER, NUMBER = 1, 2, 3, 4, 10

COMMANDS_MAX: Final = {CHAT: 100, ON_USER: 15, ON_MESSAGE: 15}
LOCALES: Final = frozenset(locale.value for locale in Locale)


def check_tree(tree: Sequence[Payload]) -> list[str]:
    """List everything that Discord would refuse in a tree of commands.

    :param tree: the commands, in the form in which they are sent to ``PUT
        /applications/*/commands``.
    """
    faults = Faults()
    kinds = Counter(command.get("type", CHAT) for command in tree)
    for kind, most in COMMANDS_MAX.items():
        faults.amount(f"commands of type {kind}", kinds[kind], 0, most)
    for kind in kinds:
        _siblings([it for it in tree if it.get("type", CHAT) == kind], "the tree", faults)
    for command in tree:
        _command(command, faults)
    return faults


def _command(command: Payload, faults: Faults) -> None:
    where = f"/{command.get('name')}"
    if command.get("type", CHAT) == CHAT:
        _named(command, where, faults)
        _options(command, where, faults, depth=0)
    else:
        faults.text(f"{where} name", command.get("name"), 1, 32)
        if command.get("description") or command.get("options"):
            faults.append(f"{where}: a context menu has neither description nor options")
    faults.amount(f"{where} characters", _characters(command), 0, 8000)


def _named(part: Payload, where: str, faults: Faults) -> None:
    """Check the name and description of a command or an option in every language."""
    for locale, name in _every_language(part, "name", where, faults):
        faults.text(f"{where} name {locale}", name, 1, 32)
        if not _is_name(str(name)):
            faults.append(f"{where} name {locale}: {name!r} is not a lowercase word")
    for locale, description in _every_language(part, "description", where, faults):
        faults.text(f"{where} description {locale}", description, 1, 100)


def _every_language(
    part: Payload, key: str, where: str, faults: Faults
) -> Iterator[tuple[str, object]]:
    yield "", part.get(key)
    for locale, text in (part.get(f"{key}_localizations") or {}).items():
        if locale not in LOCALES:
            faults.append(f"{where}: Discord knows no locale {locale!r}")
        yield locale, text


def _is_name(name: str) -> bool:
    return name == name.lower() and all(
        letter in "-_'" or unicodedata.category(letter)[0] in "LN" for letter in name
    )


def _options(holder: Payload, where: str, faults: Faults, depth: int) -> None:
    options = holder.get("options") or []
    faults.amount(f"{where} options", len(options), 0, 25)
    _siblings(options, where, faults)
    nested = [option["type"] in {SUBCOMMAND, GROUP} for option in options]
    if any(nested) and not all(nested):
        faults.append(f"{where}: subcommands next to options")
    required = [bool(option.get("required")) for option in options]
    if required != sorted(required, reverse=True):
        faults.append(f"{where}: a required option after an optional one")
    for option in options:
        _option(option, f"{where} {option.get('name')}", faults, depth + 1)


def _option(option: Payload, where: str, faults: Faults, depth: int) -> None:
    kind = option["type"]
    _named(option, where, faults)
    if kind not in range(1, 12):
        faults.append(f"{where}: there is no type {kind}")
    if kind in {SUBCOMMAND, GROUP}:
        if depth > (1 if kind == GROUP else 2):
            faults.append(f"{where}: nested too deeply")
        if kind == GROUP and any(it["type"] != SUBCOMMAND for it in option.get("options") or []):
            faults.append(f"{where}: a group can only hold subcommands")
        _options(option, where, faults, depth)
        return
    choices = option.get("choices") or []
    faults.extend(f"{where} {fault}" for fault in check_choices(choices))
    if (choices or option.get("autocomplete")) and kind not in {STRING, INTEGER, NUMBER}:
        faults.append(f"{where}: type {kind} cannot have choices")
    if choices and option.get("autocomplete"):
        faults.append(f"{where}: fixed choices and autocompletion exclude each other")
    faults.number(f"{where} min_length", option.get("min_length"), 0, 6000)
    faults.number(f"{where} max_length", option.get("max_length"), 1, 6000)


def _siblings(parts: Sequence[Payload], where: str, faults: Faults) -> None:
    """Check that names are distinct in every language. Where a name is missing, the English one is
    used.
    """
    names = [part.get("name_localizations") or {} for part in parts]
    for locale in {"", *(locale for known in names for locale in known)}:
        shown = Counter(
            known.get(locale, part.get("name")) for known, part in zip(names, parts, strict=True)
        )
        faults.extend(
            f"{where}: {count} are called {name!r} {locale}".rstrip()
            for name, count in shown.items()
            if count > 1
        )


def _characters(part: Payload) -> int:
    """Count the characters of names, descriptions and values, in the longest language of each."""
    total = len(str(part.get("value", "")))
    for key in ("name", "description"):
        versions = [part.get(key) or "", *(part.get(f"{key}_localizations") or {}).values()]
        total += max(map(len, versions))
    return total + sum(
        map(_characters, [*(part.get("options") or []), *(part.get("choices") or [])])
    )


def check_choices(choices: Sequence[Payload]) -> list[str]:
    """List everything that Discord would refuse in a list of choices, whether fixed or from
    autocompletion.
    """
    faults = Faults()
    faults.amount("choices", len(choices), 0, 25)
    for choice in choices:
        where = f"choice {choice.get('name')!r}"
        for locale, name in _every_language(choice, "name", where, faults):
            faults.text(f"{where} name {locale}", name, 1, 100)
        if isinstance(choice.get("value"), str):
            faults.text(f"{where} value", choice["value"], 1, 100)
        else:
            faults.number(f"{where} value", choice.get("value"), -(2**53), 2**53)
    return faults


# -------------------------------------------------------------------------------- faults
class Faults(list[str]):
    """Collects violations. Each method adds a violation if its check fails."""

    def text(self, what: str, value: object, least: int, most: int) -> None:
        """Require a text with a number of characters in this range."""
        if not isinstance(value, str):
            self.append(f"{what}: {value!r} is not a text")
        elif not least <= len(value) <= most:
            self.append(f"{what}: {len(value)} characters, allowed {least} to {most}")

    def amount(self, what: str, number: int, least: int, most: int) -> None:
        """Require a number within this range."""
        if not least <= number <= most:
            self.append(f"{what}: {number}, allowed {least} to {most}")

    def number(self, what: str, value: object, least: int, most: int) -> None:
        """Require a number within this range, unless the value is None."""
        if value is None:
            return
        if not isinstance(value, int | float) or not least <= value <= most:
            self.append(f"{what}: {value!r}, allowed {least} to {most}")

    def unique(self, what: str, values: Sequence[object]) -> None:
        """Require that no value occurs twice."""
        self.extend(
            f"{what}: {value!r} {count} times"
            for value, count in Counter(values).items()
            if count > 1
        )
