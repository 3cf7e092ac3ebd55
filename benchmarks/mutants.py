"""Which small faults do the tests of a room find?

``python -m benchmarks.mutants ROOM... [--sample 100] [--seed N] [--again] [--fast]
[--tests PATH...] [--results FILE] [--limit 5] [--budget 120]``

A room is a folder or a file of the product, such as ``games`` or ``cogs/delivery``. The tests of
the rooms first run on the unchanged code, in a copy of the checkout, which shows how long each
takes and which of them execute the code that will be changed. Then one thing at a time is changed
(see ``benchmarks.changes``), and the tests of its room that execute it run, the cheapest first,
until one fails (see ``benchmarks.watched``). For a change to ``render``, the pictures are also
compared with the accepted ones. A change that no test notices has survived. Results are kept in a
file, and a later run continues from there; ``--again`` tries survivors again.

If other lines of the product are edited, the results of a sample stay valid, and the sample stays
the same unless changes to the edited lines get into it. With ``--fast``, only one case of every
family of tests runs, so other cases may find some of the survivors. With ``--tests``, only those
files or folders of tests run. A test that starts the bot as a separate process is only tried on
code that the test's own process executes.

Some survivors change nothing that anyone could notice. They are listed with the reason in
``benchmarks/equivalent.toml`` and counted separately.

Why not a library: mutmut changes no module constants, properties or cached functions. cosmic-ray
runs one command for every change, whichever tests execute it, and limits only the time on the
clock, which means little on a busy machine. Neither takes samples.
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
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType
from typing import Final

from benchmarks.changes import Change, changes_of
from benchmarks.intervals import wilson
from benchmarks.watched import JOB, PASSED, Job, Mutant, Result
from games import GAMES
from scripts.house import HOUSE

TESTS: Final[Mapping[str, Sequence[str]]] = {
    "games": ["tests/games"],
    "play": ["tests/play"],
    "data": ["tests/data"],
    "data/jobs.py": ["tests/play/test_distant.py"],
    "data/store/inspection.py": ["tests/data", "tests/test_check.py"],
    "data/settings.py": ["tests/data", "tests/test_bot.py"],
    "data/texts/visible.py": ["tests/data", "tests/cogs/gateway/test_texts.py"],
    "render": ["tests/render"],
    "cogs": ["tests/cogs"],
    "cogs/delivery": ["tests/cogs", "tests/simulation"],
    "cogs/gateway": [
        "tests/cogs",
        "tests/test_bot.py",
        "tests/test_limits.py",
        "tests/test_permissions.py",
        "tests/wire/test_limiter.py",
    ],
    "cogs/worker.py": ["tests/cogs", "tests/wire"],
    "tafelrunde": ["tests/games/test_conformance_bites.py", "tests/outside"],
    "bot.py": ["tests/test_bot.py", "tests/wire"],
    "check.py": ["tests/test_check.py"],
    "scripts": ["tests"],
}
"""The tests of each room or file; the longest name that matches a file counts."""

ACCEPTED: Final = "tests/render/test_goldens.py::test_pictures_are_as_they_were_accepted[{}]"
"""The test that compares the pictures of a game, or of the house, with the accepted ones."""

RESULTS: Final = Path(".mutants/results.jsonl")

EQUIVALENT: Final = Path("benchmarks/equivalent.toml")
"""For each file, the changes that nobody could notice: the first line of the changed code, the code
before and after, and the reason.
"""

ROUND: Final = 25
"""How many changes of a room are tried before moving on to the next room."""

COMMAND: Final = ["-q", "--tb=no", "-p", "no:cacheprovider", "-p", "benchmarks.watched"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A change that may be in a sample.

    :ivar file: the path of the changed file from the top of the checkout.
    :ivar place: see ``benchmarks.watched.Mutant``.
    :ivar key: identifies the change as long as its line, the replaced code and its replacement stay
        the same.
    """

    file: str
    change: Change
    place: int
    key: str

    @property
    def what(self) -> str:
        """File, line, old and new code."""
        before, after = (" ".join(each.split()) for each in (self.change.before, self.change.after))
        return f"{self.file}:{self.change.line}: {before}  ->  {after}"

    @property
    def named(self) -> tuple[str, ...]:
        """The names under which ``EQUIVALENT`` lists the change."""
        return self.file, self.change.text, self.change.before, self.change.after


def tests_of(file: str) -> Sequence[str]:
    """Return the tests of a file.

    :raises ValueError: the file is in no room that has tests.
    """
    fitting = [each for each in TESTS if file == each or file.startswith(f"{each}/")]
    if not fitting:
        raise ValueError(f"{file} has no tests; rooms are {', '.join(TESTS)}")
    return TESTS[max(fitting, key=len)]


def accepted_for(file: str) -> list[str]:
    """Return the tests of the accepted pictures that a change to a file may affect: those of the
    house, and those of the file's game, or of all games if it belongs to none. Files outside
    ``render`` affect no pictures.
    """
    room, _, rest = file.partition("/")
    game = rest.partition("/")[0]
    shown = [HOUSE, *([game] if game in GAMES else GAMES)]
    return [ACCEPTED.format(each) for each in shown] if room == "render" else []


def candidates_of(top: Path, room: str) -> Iterator[Candidate]:
    """Yield all possible changes to the Python files of a room.

    :param top: the top of the checkout.
    """
    place = top / room
    for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
        source, file = path.read_bytes(), path.relative_to(top).as_posix()
        codes = list(_codes(compile(source, file, "exec", dont_inherit=True)))
        seen: Counter[str] = Counter()
        for change in changes_of(source):
            text = "\0".join((file, change.text, change.before, change.after))
            key = hashlib.sha256(f"{text}\0{seen[text]}".encode()).hexdigest()[:16]
            seen[text] += 1
            yield Candidate(file, change, _place(change, codes), key)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _place(change: Change, codes: Sequence[CodeType]) -> int:
    """Return the last executable line at or before a change in its function: tests that execute
    this line reach the change. 0 if Python executes the change on import.
    """
    lines = {
        line
        for code in codes
        if change.function and code.co_firstlineno == change.function
        for inner in _codes(code)
        for *_, line in inner.co_lines()
        if line is not None and line <= change.line
    }
    return max(lines, default=0)


def sample_of(top: Path, room: str, size: int, seed: int) -> list[Candidate]:
    """Return a random sample of the possible changes to a room. If other lines are edited, it stays
    the same unless changes to the edited lines get into it.

    :param size: the number of changes; a larger sample begins with the smaller ones.
    """

    def drawn(candidate: Candidate) -> bytes:
        return hashlib.sha256(f"{seed}/{candidate.key}".encode()).digest()

    return sorted(candidates_of(top, room), key=drawn)[:size]


def read_results(file: Path) -> dict[str, Result]:
    """Read a file of results; return the latest result of each change, by key."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return {line["key"]: line for line in map(json.loads, lines)}


def read_equivalent(file: Path) -> dict[tuple[str, ...], str]:
    """Return the reason why nobody could notice each change, by file, line, and code before and
    after.
    """
    lists = tomllib.loads(file.read_text("utf-8")) if file.exists() else {}
    return {
        (changed, *change): reason
        for changed, changes in lists.items()
        for *change, reason in changes
    }


def try_out(
    top: Path,
    mutants: Sequence[Mutant],
    wanted: Sequence[str],
    tests: Sequence[str],
    options: argparse.Namespace,
) -> None:
    """Try changes in a copy of the checkout.

    :param mutants: the whole sample, because the record of the unchanged run covers all of it, so
        that a later run can reuse the record.
    :param wanted: the keys of the changes to try.
    :param tests: files and folders of tests.
    :raises RuntimeError: pytest could not run.
    """
    results = options.results.absolute()
    results.parent.mkdir(parents=True, exist_ok=True)
    arguments = [*COMMAND, *["--fast"] * options.fast]
    with TemporaryDirectory() as folder:
        copy = Path(folder).resolve() / "copy"
        shutil.copytree(top, copy, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        seen = hashlib.sha256("".join(each["key"] for each in mutants).encode())
        for part in (*map(str.encode, (*arguments, *tests)), *_sources(copy)):
            seen.update(part)
        job = Job(
            mutants=list(mutants),
            wanted=list(wanted),
            options=[*arguments, "--basetemp", f"{folder}/tests"],
            results=f"{results}",
            watched=f"{results.parent}/watched-{seen.hexdigest()[:16]}.json",
            limit=options.limit,
            budget=options.budget,
        )
        file, log = Path(folder) / "job.json", results.parent / "log.txt"
        file.write_text(json.dumps(job), "utf-8")
        command = [sys.executable, "-m", "pytest", *job["options"], *tests]
        with log.open("w") as output:
            code = subprocess.run(
                command, check=False, cwd=copy, env=os.environ | {JOB: f"{file}"},
                stdout=output, stderr=output,
            ).returncode  # fmt: skip
    if code not in PASSED:
        raise RuntimeError(f"the tests cannot run; see {log}")


def _sources(top: Path) -> Iterator[bytes]:
    yield from (path.read_bytes() for path in sorted(top.rglob("*.py")))


def told(
    room: str,
    sample: Sequence[Candidate],
    results: Mapping[str, Result],
    equivalent: Mapping[tuple[str, ...], str],
) -> Iterator[str]:
    """Yield a row of the table, with the 95% interval of the share found, then the survivors,
    sorted; those in ``equivalent`` with the reason.
    """
    found, same, survivors = 0, [], []
    for each in sample:
        reason = equivalent.get(each.named)
        if results[each.key]["code"] not in PASSED:
            found += 1
        elif reason is not None:
            same.append(f"{each.what}  # {reason}")
        else:
            survivors.append(each.what)
    if counted := found + len(survivors):
        low, high = wilson(found / counted, counted)
        yield (
            f"| {room} | {len(sample)} | {found} | {len(same)} | {len(survivors)} | "
            f"{found / counted:.0%} ({low:.0%} to {high:.0%}) |"
        )
    yield from sorted((*survivors, *same))


def _wanted(
    candidate: Candidate,
    results: Mapping[str, Result],
    equivalent: Mapping[tuple[str, ...], str],
    again: bool,
) -> bool:
    known = results.get(candidate.key)
    survived = known is not None and known["code"] in PASSED
    return known is None or (again and survived and candidate.named not in equivalent)


def _mutant(candidate: Candidate, tests: Sequence[str]) -> Mutant:
    change = candidate.change
    return Mutant(
        key=candidate.key,
        what=candidate.what,
        file=candidate.file,
        start=change.start,
        end=change.end,
        after=change.after,
        place=candidate.place,
        tests=[*tests],
        always=accepted_for(candidate.file),
    )


def main(top: Path = Path()) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("rooms", nargs="+")
    parser.add_argument("--sample", type=int, default=100, help="changes that are tried, by room")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--again", action="store_true", help="try survivors again")
    parser.add_argument("--fast", action="store_true", help="one case of every family of tests")
    parser.add_argument("--tests", nargs="+", help="instead of the tests of the rooms")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--limit", type=float, default=5, help="of a test, see ``Job``")
    parser.add_argument("--budget", type=float, default=120, help="of a change, see ``Job``")
    options = parser.parse_args()
    rooms = [room.rstrip("/") for room in options.rooms]
    samples = {room: sample_of(top, room, options.sample, options.seed) for room in rooms}
    print(f"--sample {options.sample} --seed {options.seed}", flush=True)
    results, equivalent = read_results(options.results), read_equivalent(top / EQUIVALENT)
    order = [
        each
        for start in range(0, options.sample, ROUND)
        for sample in samples.values()
        for each in sample[start : start + ROUND]
    ]
    wanted = [each.key for each in order if _wanted(each, results, equivalent, options.again)]
    if wanted:
        mutants = [_mutant(each, options.tests or tests_of(each.file)) for each in order]
        tests = sorted({test for mutant in mutants for test in mutant["tests"]})
        try_out(top, mutants, wanted, tests, options)
        results = read_results(options.results)
    for room, sample in samples.items():
        print(*told(room, sample, results, equivalent), sep="\n")


if __name__ == "__main__":
    main()
