"""Which small faults do the tests of a room find?

``python -m benchmarks.mutants ROOM [--sample 100] [--seed N] [--results FILE] [--limit 10]
[--fast]``

A room is a folder or a file of the product, such as ``games`` or ``cogs/delivery``. The tests of
the room first run unchanged, in a copy of the checkout, which shows how long each takes and which
of them call each function. Then one thing at a time is changed (see ``benchmarks.changes``), and
they run until one fails: those that call the changed function first, the cheapest at the front. A
change that no test notices has survived. Results are kept in a file, and another run continues from
there. With ``--fast``, only one case of every family of tests runs, so some survivors may be found
by other cases.

Some survivors change nothing that anyone could notice. Add ``"same"`` with the reason to their
lines in the file, and they are counted separately.

Why not a library: mutmut changes only the bodies of functions, but no constants, properties or
cached functions, and samples nothing. cosmic-ray runs one command for every change in its working
copy, whichever tests call the changed function; its only limit is on the clock, which means little
on a busy machine, and it samples nothing either. The code around either would be longer than this.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.changes import Change, changes_of
from benchmarks.intervals import wilson
from benchmarks.watched import TOO_LONG

TESTS: Final[Mapping[str, Sequence[str]]] = {
    "games": ["tests/games"],
    "play": ["tests/play"],
    "data": ["tests/data"],
    "render": ["tests/render"],
    "cogs": ["tests/cogs"],
    "cogs/delivery": ["tests/cogs", "tests/simulation"],
    "cogs/gateway": ["tests/cogs", "tests/wire"],
    "cogs/worker.py": ["tests/cogs", "tests/wire"],
    "tafelrunde": ["tests/games/test_conformance_bites.py", "tests/outside"],
    "bot.py": ["tests/test_bot.py", "tests/wire"],
    "check.py": ["tests/test_check.py"],
    "scripts": ["tests"],
}
"""The tests of each room; the longest matching name counts."""

RESULTS: Final = Path("benchmarks/mutants.jsonl")

FAILED: Final = {1: "found", 2: "found", 3: "found", 4: "found", TOO_LONG: "too long"}
"""Verdicts by exit code of pytest; 2 and 4 mean that the changed file cannot be imported."""

SURVIVED: Final = "survived"

Line = dict[str, Any]
"""A result: file, line, before, after, verdict, test, seconds, key and perhaps ``same``."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change in a file.

    :ivar file: its path from the top of the checkout.
    :ivar key: identifies the change in this version of the file.
    """

    file: str
    change: Change
    key: str


def tests_of(room: str) -> Sequence[str]:
    """The tests of a room.

    :raises ValueError: there is no such room.
    """
    fitting = [each for each in TESTS if room == each or room.startswith(f"{each}/")]
    if not fitting:
        raise ValueError(f"{room} has no tests; rooms are {', '.join(TESTS)}")
    return TESTS[max(fitting, key=len)]


def mutants_of(top: Path, room: str) -> Iterator[Mutant]:
    """All changes to the Python files of a room.

    :param top: the top of the checkout.
    """
    place = top / room
    for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
        source, file = path.read_bytes(), path.relative_to(top).as_posix()
        for change in changes_of(source):
            text = f"{file}:{change.start}:{change.end}:{change.after}".encode()
            yield Mutant(file, change, hashlib.sha256(text + source).hexdigest()[:16])


class Copy:
    """A copy of the checkout, in which files are changed and tests run.

    :param top: the top of the checkout.
    :param folder: an empty folder outside of the checkout.
    :param tests: files and folders of tests to run.
    :param options: further arguments of pytest.
    :param limit: the CPU seconds, and how many times its usual CPU time, that a test may take with
        a change: the first one to run also fills caches.
    """

    def __init__(
        self,
        top: Path,
        folder: Path,
        tests: Sequence[str],
        options: Sequence[str] = (),
        limit: float = 10,
    ) -> None:
        self._folder = folder / "copy"
        self._watched = folder / "watched.json"
        self._log = folder / "log.txt"
        self._tests = [*tests, *options]
        self._limit = limit
        self._touched = int(time.time())
        shutil.copytree(top, self._folder, ignore=shutil.ignore_patterns(".*", "__pycache__"))

    def watch(self) -> int:
        """Run the tests unchanged.

        :returns: how many pass; only those are used later.
        :raises RuntimeError: pytest could not run.
        """
        self._run("")
        if not self._watched.exists():
            raise RuntimeError(f"the tests cannot run:\n{self._log.read_text('utf-8')}")
        return len(json.loads(self._watched.read_text("utf-8"))["seconds"])

    def try_out(self, mutant: Mutant) -> Line:
        """Run the tests with a change, and undo it."""
        path, change = self._folder / mutant.file, mutant.change
        source, before = path.read_bytes(), os.times()
        self._write(path, change.applied(source))
        try:
            code = self._run(f"{mutant.file}:{change.function}")
        finally:
            self._write(path, source)
        after = os.times()
        log = self._log.read_text("utf-8", errors="replace")
        failed = [line for line in log.splitlines() if line.startswith(("FAILED ", "ERROR "))]
        spent = after.children_user + after.children_system
        return {
            "file": mutant.file,
            "line": change.line,
            "before": change.before,
            "after": change.after,
            "verdict": SURVIVED if code == 0 else FAILED.get(code, "too long"),
            "test": failed[0].partition(" - ")[0].partition(" ")[2] if failed else "",
            "seconds": round(spent - before.children_user - before.children_system, 1),
            "key": mutant.key,
        }

    def _write(self, path: Path, source: bytes) -> None:
        """Write a file with a time stamp of its own: Python compares compiled files by whole
        seconds.
        """
        path.write_bytes(source)
        self._touched += 1
        os.utime(path, (self._touched, self._touched))

    def _run(self, place: str) -> int:
        """Run pytest.

        :param place: the changed function.
        :returns: the exit code, negative after a signal.
        """
        environment = os.environ | {
            "TAFELRUNDE_WATCHED": str(self._watched),
            "TAFELRUNDE_CHANGED": place,
            "TAFELRUNDE_LIMIT": str(self._limit),
        }
        command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider"]
        command += ["-p", "benchmarks.watched", *(["-x"] if place else []), *self._tests]
        with self._log.open("w") as log:
            return subprocess.run(
                command, check=False, cwd=self._folder, env=environment, stdout=log, stderr=log
            ).returncode


def read_results(file: Path) -> dict[str, Line]:
    """The results in a file, by key."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return {line["key"]: line for line in map(json.loads, lines)}


def told(room: str, lines: Sequence[Line]) -> Iterator[str]:
    """The share found with its 95 % interval, and the survivors."""
    same = [line for line in lines if "same" in line]
    counted = [line for line in lines if "same" not in line]
    survived = [line for line in counted if line["verdict"] == SURVIVED]
    if counted:
        share = 1 - len(survived) / len(counted)
        low, high = wilson(share, len(counted))
        yield (
            f"{room}: {len(counted) - len(survived)} of {len(counted)} found, {share:.0%} "
            f"({low:.0%} to {high:.0%}), {len(same)} more change nothing"
        )
    for line in sorted([*survived, *same], key=lambda each: (each["file"], each["line"])):
        reason = f"  # {line['same']}" if "same" in line else ""
        before, after = (" ".join(str(line[each]).split()) for each in ("before", "after"))
        yield f"{line['file']}:{line['line']}: {before}  ->  {after}{reason}"


def main(top: Path = Path()) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("room")
    parser.add_argument("--sample", type=int, default=100, help="changes that are tried")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--limit", type=float, default=10, help="of a test, see ``Copy``")
    parser.add_argument("--fast", action="store_true", help="one case of every family of tests")
    options = parser.parse_args()
    room = options.room.rstrip("/")
    every = list(mutants_of(top, room))
    sample = random.Random(options.seed).sample(every, min(options.sample, len(every)))
    print(f"{room}: {len(sample)} of {len(every)} changes, --seed {options.seed}", flush=True)
    results = read_results(options.results)
    if any(mutant.key not in results for mutant in sample):
        with TemporaryDirectory() as folder:
            copy = Copy(top, Path(folder), tests_of(room), ["--fast"] * options.fast, options.limit)
            print(f"{copy.watch()} tests pass unchanged", flush=True)
            for mutant in sample:
                if mutant.key not in results:
                    results[mutant.key] = line = copy.try_out(mutant)
                    with options.results.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(line) + "\n")
                    print(f"{line['verdict']:<9}{line['seconds']:>7} s {line['file']}", flush=True)
    print(*told(room, [results[mutant.key] for mutant in sample]), sep="\n")


if __name__ == "__main__":
    main()
