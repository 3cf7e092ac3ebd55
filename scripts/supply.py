"""The packages to install: direct requirements with reasons, and everything that these need.

``requirements/*.in`` name the packages that the project imports or runs, each with a reason. uv
resolves their dependencies for every system and every supported Python, and writes each package's
version (or versions, if they depend on the Python) and the hashes of its files to a ``.txt`` file:
``requirements.txt`` for the bot on Discord, ``requirements/<name>.txt`` for the rest. Files
included by ``-r`` have the same versions in their ``.txt``.
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
"""The sets of requirements, each after those that it includes."""

OLDEST: Final = "3.11"
"""The oldest supported Python."""

PINNED: Final = re.compile(
    r"^(?P<package>[a-z0-9-]+)==(?P<version>[^\s;]+)(?: ; (?P<marker>[^\\\n]+))? \\\n"
    r"(?P<hashes>(?:    --hash=sha256:[0-9a-f]{64} \\\n)*    --hash=sha256:[0-9a-f]{64}\n)"
    r"    # via (?P<reasons>.+)\n",
    re.MULTILINE,
)
"""A package as uv writes it: version, hashes, and the packages that need it."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A package that a ``.txt`` file installs, in one version.

    :param marker: the systems and Pythons that it is for; empty for all.
    :param hashes: the hashes of its files, as in the ``.txt`` file.
    :param reasons: packages that need it, or ``-r`` and the file that names it.
    """

    package: str
    version: str
    marker: str
    hashes: str
    reasons: tuple[str, ...]


def source(name: str) -> str:
    """Return the path of the file with the direct requirements."""
    return f"requirements/{name}.in"


def target(name: str) -> str:
    """Return the path of the file that pip installs: the bot's is at the top, where everyone
    looks.
    """
    return "requirements.txt" if name == "bot" else f"requirements/{name}.txt"


def asked_for(folder: Path, name: str) -> tuple[list[tuple[str, Requirement]], list[str]]:
    """Return the requirements of an ``.in`` file and of those that it includes.

    :returns: pairs of file and requirement; and the faults of this file alone.
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
    """Return which of ``NAMES`` an ``.in`` file includes."""
    lines = (folder / source(name)).read_text().splitlines()
    return [line[3:].strip().removesuffix(".in") for line in lines if line.startswith("-r ")]


def pins_of(folder: Path, name: str) -> tuple[list[Pin], list[str]]:
    """Return the packages that a ``.txt`` file installs, and the faults of its lines."""
    file = target(name)
    text = (folder / file).read_text()
    pins = [
        Pin(m["package"], m["version"], m["marker"] or "", m["hashes"], reasons_in(m["reasons"]))
        for m in PINNED.finditer(text)
    ]
    rest = [line for line in PINNED.sub("", text).splitlines() if not line.startswith("#")]
    return pins, [f"{file}: not a package with its hashes: {line}" for line in rest if line]


def reasons_in(text: str) -> tuple[str, ...]:
    """Return the reasons for which a package is installed, without references to included files."""
    return tuple(reason for reason in text.split(", ") if not reason.startswith("-c "))


def faults_in(folder: Path) -> Iterator[str]:
    """Yield what is wrong with the ``.in`` and ``.txt`` files, alone or compared with each other,
    one sentence per fault.
    """
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
    """Yield a fault for each requirement that the versions of a ``.txt`` file do not satisfy."""
    for file, wanted in asked:
        package = canonicalize_name(wanted.name)
        versions = [pin.version for pin in pins if pin.package == package]
        if not versions:
            yield f"{package} is missing, which {file} asks for"
        for version in versions:
            if not wanted.specifier.contains(version):
                yield f"{package} is {version}, but {file} asks for {wanted}"


def unasked(asked: Iterable[tuple[str, Requirement]], pins: Sequence[Pin]) -> Iterator[str]:
    """Yield a fault for each package of a ``.txt`` file that no requirement needs."""
    needed = {(f"-r {file}", canonicalize_name(wanted.name)) for file, wanted in asked}
    names = {pin.package for pin in pins if any((r, pin.package) in needed for r in pin.reasons)}
    while more := {pin.package for pin in pins if names.intersection(pin.reasons)} - names:
        names |= more
    for pin in pins:
        if pin.package not in names:
            yield f"{pin.package} is there, and nothing asks for it"


def differing(name: str, smaller: Iterable[Pin], pins: Iterable[Pin]) -> Iterator[str]:
    """Yield a fault for each package that an included file installs in another version, or for
    other systems or with other hashes.
    """
    here = {(pin.package, pin.version, pin.marker, pin.hashes) for pin in pins}
    for pin in smaller:
        if (pin.package, pin.version, pin.marker, pin.hashes) not in here:
            yield f"{pin.package} is not what {target(name)} says"


def compile_all(folder: Path, options: Sequence[str]) -> None:
    """Regenerate the ``.txt`` files, keeping versions that still fit.

    :param options: options for uv, such as ``--upgrade``.
    :raises subprocess.CalledProcessError: uv found no solution and has printed why.
    """
    for name in NAMES:
        known = [f"--constraints={target(smaller)}" for smaller in included(folder, name)]
        command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", *options, *known]
        command += ["--universal", "--python-version", OLDEST, "--generate-hashes"]
        command += ["--no-emit-index-url", "--custom-compile-command", "scripts/requirements"]
        command += ["--annotation-style", "line", "--output-file", target(name), source(name)]
        subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True)  # noqa: S603


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        description="Bring the .txt files in line with requirements/*.in. Other options go to "
        "uv: --upgrade takes the newest versions, --upgrade-package NAME that of one package."
    )
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 on any fault")
    options, for_uv = parser.parse_known_args()
    if not options.check:
        compile_all(ROOT, for_uv)
    faults = list(faults_in(ROOT))
    for fault in faults:
        sys.stdout.write(fault + "\n")
    return 1 if faults else 0
