"""The packages that are installed: what the project asks for and why, and all that this needs.

``requirements/*.in`` name what the project itself imports or runs, with a reason beside each. uv
works out everything that these packages need, on every system and every Python from the oldest
supported one, and writes one version of each, with the hashes of its files, to a ``.txt`` file:
``requirements.txt`` for the bot on Discord, ``requirements/<name>.txt`` for the rest. What a file
includes by ``-r`` has the same versions in its ``.txt``.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).resolve().parent.parent
NAMES: Final = ("bot", "postgres", "local", "dev", "bench", "docs")
"""What there are requirements for, each after those that it includes."""

OLDEST: Final = "3.11"
"""The oldest supported Python."""

PINNED: Final = re.compile(
    r"^(?P<package>[a-z0-9-]+)==(?P<version>[^\s;]+)(?: ; (?P<marker>[^\\\n]+))? \\\n"
    r"(?P<hashes>(?:    --hash=sha256:[0-9a-f]{64} \\\n)*    --hash=sha256:[0-9a-f]{64}\n)"
    r"    # via (?P<reasons>.+)\n",
    re.MULTILINE,
)
"""One package as uv writes it: a version, hashes, and what asks for it."""


@dataclass(frozen=True, slots=True)
class Pin:
    """One version of a package that is installed.

    :param marker: the systems and Pythons that it is for; empty for all.
    :param hashes: of its files, as they stand in the file.
    :param reasons: packages that need it, or ``-r`` and the file that asks for it.
    """

    package: str
    version: str
    marker: str
    hashes: str
    reasons: tuple[str, ...]


def source(name: str) -> str:
    """The path of the file that says what is asked for."""
    return f"requirements/{name}.in"


def target(name: str) -> str:
    """The path of the file that pip installs: at the top for the bot, where everyone looks."""
    return "requirements.txt" if name == "bot" else f"requirements/{name}.txt"


def asked_for(folder: Path, name: str) -> tuple[list[tuple[str, Requirement]], list[str]]:
    """What an ``.in`` file and those that it includes ask for, and what is wrong with its lines.

    :returns: pairs of file and requirement; faults of this file alone.
    """
    found: list[tuple[str, Requirement]] = []
    faults: list[str] = []
    file = source(name)
    for smaller in included(folder, name):
        found += asked_for(folder, smaller)[0]
    for line in (folder / file).read_text().splitlines():
        asked, _, reason = (part.strip() for part in line.partition("#"))
        if asked and not asked.startswith("-r "):
            try:
                found.append((file, Requirement(asked)))
            except InvalidRequirement:
                faults.append(f"{file}: not understood: {asked}")
            if not reason:
                faults.append(f"{file}: no reason is given for {asked}")
    return found, faults


def included(folder: Path, name: str) -> list[str]:
    """The files that an ``.in`` file includes."""
    lines = (folder / source(name)).read_text().splitlines()
    return [line[3:].strip().removesuffix(".in") for line in lines if line.startswith("-r ")]


def pins_of(folder: Path, name: str) -> tuple[list[Pin], list[str]]:
    """What a ``.txt`` file installs, and what is wrong with its lines."""
    file = target(name)
    text = (folder / file).read_text()
    pins = [
        Pin(m["package"], m["version"], m["marker"] or "", m["hashes"], reasons_in(m["reasons"]))
        for m in PINNED.finditer(text)
    ]
    rest = [line for line in PINNED.sub("", text).splitlines() if not line.startswith("#")]
    return pins, [f"{file}: not a package with its hashes: {line}" for line in rest if line]


def reasons_in(text: str) -> tuple[str, ...]:
    """Why a package is installed; that a smaller file holds it, too, is no reason."""
    return tuple(reason for reason in text.split(", ") if not reason.startswith("-c "))


def faults_in(folder: Path) -> Iterator[str]:
    """Where what is installed is not what is asked for, a sentence each."""
    for name in NAMES:
        asked, faults = asked_for(folder, name)
        yield from faults
        pins, faults = pins_of(folder, name)
        yield from faults
        told = [*unanswered(asked, pins), *unasked(asked, pins)]
        for smaller in included(folder, name):
            told += differing(smaller, pins_of(folder, smaller)[0], pins)
        yield from (f"{target(name)}: {fault}" for fault in told)


def unanswered(asked: Iterable[tuple[str, Requirement]], pins: Sequence[Pin]) -> Iterator[str]:
    """What is asked for and not installed in a version that satisfies."""
    for file, wanted in asked:
        package = canonicalize_name(wanted.name)
        versions = [pin.version for pin in pins if pin.package == package]
        if not versions:
            yield f"{package} is missing, which {file} asks for"
        for version in versions:
            if not wanted.specifier.contains(version):
                yield f"{package} is {version}, but {file} asks for {wanted}"


def unasked(asked: Iterable[tuple[str, Requirement]], pins: Sequence[Pin]) -> Iterator[str]:
    """What is installed although nothing that is asked for needs it."""
    needed = {(f"-r {file}", canonicalize_name(wanted.name)) for file, wanted in asked}
    names = {pin.package for pin in pins if any((r, pin.package) in needed for r in pin.reasons)}
    while more := {pin.package for pin in pins if names.intersection(pin.reasons)} - names:
        names |= more
    for pin in pins:
        if pin.package not in names:
            yield f"{pin.package} is there, and nothing asks for it"


def differing(name: str, smaller: Iterable[Pin], pins: Iterable[Pin]) -> Iterator[str]:
    """What an included file, with this name, installs otherwise."""
    here = {(pin.package, pin.version, pin.marker, pin.hashes) for pin in pins}
    for pin in smaller:
        if (pin.package, pin.version, pin.marker, pin.hashes) not in here:
            yield f"{pin.package} is not what {target(name)} says"


def compile_all(folder: Path, options: Sequence[str]) -> None:
    """Work out the ``.txt`` files again; versions that still satisfy are kept.

    :param options: for uv, such as ``--upgrade``.
    :raises subprocess.CalledProcessError: uv found no solution, and has said why.
    """
    for name in NAMES:
        known = [f"--constraints={target(smaller)}" for smaller in included(folder, name)]
        command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", *options, *known]
        command += ["--universal", "--python-version", OLDEST, "--generate-hashes"]
        command += ["--no-emit-index-url", "--custom-compile-command", "scripts/requirements"]
        command += ["--annotation-style", "line", "--output-file", target(name), source(name)]
        subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True)  # noqa: S603


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description="Bring the .txt files in line with requirements/*.in. Other options go to "
        "uv: --upgrade takes the newest of all, --upgrade-package NAME of one."
    )
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 on any fault")
    options, for_uv = parser.parse_known_args()
    if not options.check:
        compile_all(ROOT, for_uv)
    faults = list(faults_in(ROOT))
    for fault in faults:
        sys.stdout.write(fault + "\n")
    return 1 if faults else 0
