"""The pytest plugin of ``benchmarks.mutants``: ``-p benchmarks.watched``, with the name of a file
in ``TAFELRUNDE_MUTANTS`` (see ``Job``).

One process collects the tests and forks for everything else. The first fork runs them on the
unchanged code and records the CPU seconds of each and which of them execute the lines that will be
changed. Then each change gets a fork, in which the changed functions replace the functions in
memory, and only the tests that execute them run, the cheapest first, until one fails. That test
must also pass alone without the change. Code that Python executes during import and collection
cannot be replaced in memory, so each change to it runs in a new process.

Every test has a time limit that depends on its usual time, so that an endless loop ends soon. Every
change is limited in memory and CPU time.
"""

from __future__ import annotations

import ast
import gc
import json
import os
import resource
import signal
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, Final, TypedDict

import pytest

TOO_LONG: Final = 99
"""The exit code of a run in which a test took too long."""

PASSED: Final = frozenset({0, 5})
"""The exit codes of pytest if no test fails, or none is left."""

WALL_LIMIT: Final = 60
"""A test may take this many seconds on the clock, plus this many times its usual CPU time: the
machine may be busy, and some tests wait.
"""

START: Final = 60
"""The CPU seconds allowed for importing and collecting."""

MEMORY: Final = 6 << 30
"""The maximum address space of a process in bytes."""

JOB: Final = "TAFELRUNDE_MUTANTS"
CHOSEN: Final = "TAFELRUNDE_CHOSEN"
"""The environment variables that name files: the first one a ``Job``; the second one, in the
process of one change, its ``Chosen``.
"""


class Mutant(TypedDict):
    """A change to a file; see ``benchmarks.changes.Change``.

    ``what``: file, line, old and new code. ``place``: the line whose execution leads to the change,
    0 if Python executes the change on import. ``tests``: the files and folders of tests that may
    find it. ``always``: tests that run last, even if the record does not show that they execute
    the change, because an earlier test may have drawn and kept the same thing.
    """

    key: str
    what: str
    file: str
    start: int
    end: int
    after: str
    place: int
    tests: list[str]
    always: list[str]


class Job(TypedDict):
    """What to do.

    ``mutants``: the whole sample. ``wanted``: the keys of the changes to try. ``options``: the
    options of pytest. ``results``: the file to which a line is added for each mutant. ``watched``:
    the file that keeps the record of the unchanged run. ``limit``: with a change, a test may take
    this many CPU seconds plus this many times its usual CPU time. ``budget``: once the tests of a
    change usually take this many CPU seconds together, the more expensive ones are left out.
    """

    mutants: list[Mutant]
    wanted: list[str]
    options: list[str]
    results: str
    watched: str
    limit: float
    budget: float


class Watched(TypedDict):
    """The record of the unchanged run.

    ``seconds``: the CPU seconds of each test that passes. ``tests``: for each ``file:line`` that
    will be changed and for each file, the tests that execute it, as positions in ``seconds``.
    ``imported``: the places that Python executes before any test.
    """

    seconds: dict[str, float]
    tests: dict[str, list[int]]
    imported: list[str]


class Result(TypedDict):
    """The result of a mutant.

    ``code``: the exit code of pytest, negative after a signal. ``test``: the test that failed.
    ``tests``: how many were to run. ``seconds``: CPU seconds.
    """

    key: str
    what: str
    code: int
    test: str
    tests: int
    seconds: float


class Chosen(TypedDict):
    """The tests that run with a change.

    ``seconds``: the usual CPU seconds of each, in the order in which they run. ``limit``: see
    ``Job``. ``failed``: the file that gets the name of the test that is running.
    """

    seconds: dict[str, float]
    limit: float
    failed: str


class _Trace:
    """Records which of the given lines are executed, and which files of the checkout.

    :param places: the lines of each file.
    """

    def __init__(self, places: Mapping[str, Collection[int]]) -> None:
        self._places = places
        self._here = f"{Path.cwd()}{os.sep}"
        self._known: dict[int, tuple[CodeType, str, frozenset[int]]] = {}
        self._left: dict[int, set[int]] = {}
        """The lines of each called code object, by its id, that have not been executed yet."""
        self.hits: set[str] = set()

    def start(self) -> None:
        """Trace this thread and those that start later."""
        sys.settrace(self._called)
        threading.settrace(self._called)

    @staticmethod
    def stop() -> None:
        sys.settrace(None)
        threading.settrace(None)

    def clear(self) -> None:
        self._left.clear()
        self.hits.clear()

    def _called(self, frame: FrameType, _event: str, _arg: Any) -> Any:
        left = self._left.get(id(frame.f_code))
        if left is None:
            left = self._left[id(frame.f_code)] = self._first_called(frame.f_code)
        if not left:
            return None
        frame.f_trace_lines = True
        self._passed(frame, "line", None)
        return self._passed

    def _first_called(self, code: CodeType) -> set[int]:
        known = self._known.get(id(code))
        if known is None:
            file = code.co_filename.removeprefix(self._here)
            inside = file != code.co_filename
            lines = {line for *_, line in code.co_lines() if line is not None}
            wanted = lines.intersection(self._places.get(file, ()) if inside else ())
            # Keep a reference to the code, so that its id is not used again.
            known = self._known[id(code)] = (code, file if inside else "", frozenset(wanted))
        _, file, wanted_lines = known
        if file:
            self.hits.add(file)
        return {*wanted_lines}

    def _passed(self, frame: FrameType, event: str, _arg: Any) -> Any:
        left = self._left.get(id(frame.f_code))  # None once another test has begun
        if event == "line" and left and frame.f_lineno in left:
            left.discard(frame.f_lineno)
            self.hits.add(f"{self._known[id(frame.f_code)][1]}:{frame.f_lineno}")
            frame.f_trace_lines = bool(left)
        return self._passed


class _Watch:
    """Records which lines and files each test executes."""

    def __init__(self, file: Path, trace: _Trace) -> None:
        self._file, self._trace, self._imported = file, trace, sorted(trace.hits)
        self._seconds: dict[str, float] = {}
        self._failed: set[str] = set()
        self._tests: defaultdict[str, set[str]] = defaultdict(set)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._trace.clear()
        before = spent()
        self._trace.start()
        try:
            return (yield)
        finally:
            self._trace.stop()
            self._seconds[item.nodeid] = round(spent() - before, 3)
            for place in self._trace.hits:
                self._tests[place].add(item.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome != "passed":
            self._failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        seconds = {test: each for test, each in self._seconds.items() if test not in self._failed}
        numbers = {test: number for number, test in enumerate(seconds)}
        found = Watched(
            seconds=seconds,
            tests={
                place: sorted(numbers[test] for test in tests if test in numbers)
                for place, tests in self._tests.items()
            },
            imported=self._imported,
        )
        self._file.write_text(json.dumps(found), "utf-8")


class _Limits:
    """Selects, orders and limits the tests that run with a change."""

    def __init__(self, chosen: Chosen) -> None:
        self._seconds, self._limit = chosen["seconds"], chosen["limit"]
        self._failed = Path(chosen["failed"])
        usual = len(self._seconds) + sum(self._seconds.values())
        seconds = int(spent() + START + self._limit * usual)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        for number in (signal.SIGPROF, signal.SIGALRM):
            signal.signal(number, _give_up)

    @pytest.hookimpl(trylast=True)  # after conftest.py has applied --fast
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        known = {item.nodeid: item for item in items}
        items[:] = [known[test] for test in self._seconds if test in known]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._failed.write_text(item.nodeid, "utf-8")
        usual = self._seconds[item.nodeid]
        for which, limit in ((signal.ITIMER_PROF, self._limit), (signal.ITIMER_REAL, WALL_LIMIT)):
            signal.setitimer(which, limit * (1 + usual))
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)

    def pytest_unconfigure(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, WALL_LIMIT)  # in case the process does not end


class _Driver:
    """Runs the tests without changes, and then with each change."""

    def __init__(self, config: pytest.Config, job: Job) -> None:
        self._config, self._job = config, job
        self._watched = Path(job["watched"])
        self._failed = self._watched.with_name("failed.txt")
        self._touched = int(time.time())
        self._sound: set[str] = set()
        self._existing: Mapping[str, Sequence[FunctionType]] = {}
        places: defaultdict[str, set[int]] = defaultdict(set)
        for mutant in job["mutants"]:
            places[mutant["file"]].add(mutant["place"])
        self._trace = _Trace(places)
        self._trace.start()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Fork for each run; the forks return None, and then pytest runs their tests."""
        self._trace.stop()
        self._existing = _existing()
        if not self._watched.exists():
            watch = _Watch(self._watched, self._trace)
            if not (child := _forked()):
                self._config.pluginmanager.register(watch)
                return None
            _ended(child)
        watched: Watched = json.loads(self._watched.read_text("utf-8"))
        wanted = {*self._job["wanted"]}
        for mutant in self._job["mutants"]:
            if mutant["key"] not in wanted:
                continue
            line = self._tried(session, mutant, watched)
            if line is None:
                return None
            with Path(self._job["results"]).open("a", encoding="utf-8") as results:
                results.write(json.dumps(line) + "\n")
        return True

    def _tried(self, session: pytest.Session, mutant: Mutant, watched: Watched) -> Result | None:
        """Return the result of a mutant; None in a fork."""
        place = f"{mutant['file']}:{mutant['place']}"
        early = not mutant["place"] or place in watched["imported"]
        seconds = self._tests_for(mutant, watched, early)
        while True:
            ended = self._run(session, mutant, seconds, early) if seconds else (0, 0.0)
            if ended is None:
                return None
            code, spent_there = ended
            test = "" if code in PASSED else self._failed.read_text("utf-8")
            if test and test not in self._sound:
                unchanged = self._run(session, None, {test: seconds[test]}, early=False)
                if unchanged is None:
                    return None
                if unchanged[0] not in PASSED:
                    del seconds[test]
                    continue
                self._sound.add(test)
            return Result(
                key=mutant["key"], what=mutant["what"], code=code, test=test,
                tests=len(seconds), seconds=round(spent_there, 1),
            )  # fmt: skip

    def _tests_for(self, mutant: Mutant, watched: Watched, early: bool) -> dict[str, float]:
        """Return the tests that execute a change, the cheapest first, and how long each takes.

        :param early: whether Python executes the change before any test; if so, return the tests
            that execute anything in its file, or in a file that imports it.
        """
        places = [f"{mutant['file']}:{mutant['place']}"]
        if early:
            places += [mutant["file"], *_importers().get(mutant["file"], ())]
        numbers = {number for place in places for number in watched["tests"].get(place, ())}
        every = list(watched["seconds"].items())
        left = self._job["budget"]
        chosen: dict[str, float] = {}
        for test, seconds in sorted((every[each] for each in numbers), key=lambda each: each[1]):
            if test.startswith(tuple(mutant["tests"])) and left > 0:
                chosen[test] = seconds
                left -= seconds
        for test in mutant["always"]:
            if test in watched["seconds"]:
                chosen.setdefault(test, watched["seconds"][test])
        return chosen

    def _run(
        self,
        session: pytest.Session,
        mutant: Mutant | None,
        seconds: dict[str, float],
        early: bool,
    ) -> tuple[int, float] | None:
        """Fork and run tests.

        :returns: the exit code and the CPU seconds; None in the fork.
        """
        self._failed.write_text("", "utf-8")
        chosen = Chosen(seconds=seconds, limit=self._job["limit"], failed=f"{self._failed}")
        if mutant is None:
            child = _forked()
        else:
            path = Path(mutant["file"])
            source = path.read_bytes()
            changed = source[: mutant["start"]] + mutant["after"].encode() + source[mutant["end"] :]
            self._write(path, changed)
            child = _forked()
            file = f"{path.absolute()}"
            if not child and (
                early or not _replaced(file, source, changed, self._existing.get(file, ()))
            ):
                self._start(chosen)
        if child:
            ended = _ended(child)
            if mutant is not None:
                self._write(path, source)
            return ended
        session.config.option.maxfail = 1
        limits = _Limits(chosen)
        limits.pytest_collection_modifyitems(session.items)
        self._config.pluginmanager.register(limits)
        return None

    def _start(self, chosen: Chosen) -> None:
        """Replace this fork with a new process that runs the tests."""
        file = self._watched.with_name("chosen.json")
        file.write_text(json.dumps(chosen), "utf-8")
        os.environ[CHOSEN] = f"{file}"
        files = sorted({test.partition("::")[0] for test in chosen["seconds"]})
        command = [sys.executable, "-m", "pytest", "-x", *self._job["options"], *files]
        os.execv(sys.executable, command)  # noqa: S606 - no shell is wanted

    def _write(self, path: Path, source: bytes) -> None:
        """Write a file with a new time stamp: Python compares only whole seconds to see whether a
        compiled file is current.
        """
        path.write_bytes(source)
        self._touched += 1
        os.utime(path, (self._touched, self._touched))


def spent() -> float:
    """Return the CPU seconds of this process and of finished child processes."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _forked() -> int:
    """Fork this process; the fork gets its own process group.

    :returns: the process id of the fork; 0 in the fork.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if not child:
        os.setsid()
    return child


def _ended(child: int) -> tuple[int, float]:
    """Wait until a fork ends, and end what it leaves running.

    :returns: its exit code, negative after a signal, and its CPU seconds.
    """
    _, status, used = os.wait4(child, 0)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime


def _existing() -> Mapping[str, Sequence[FunctionType]]:
    """Return the functions in memory, by file. Call this before any fork, because a fork that looks
    at every object copies the whole memory.
    """
    found: defaultdict[str, list[FunctionType]] = defaultdict(list)
    gc.unfreeze()
    for each in gc.get_objects():
        if isinstance(each, FunctionType):
            found[each.__code__.co_filename].append(each)
    gc.freeze()
    return found


def _replaced(file: str, source: bytes, changed: bytes, existing: Sequence[FunctionType]) -> bool:
    """Replace the functions of a file in memory.

    :param existing: the functions of the file in memory.
    :returns: whether this has the same effect as importing the changed file.
    """
    old, new = (
        _functions(compile(each, file, "exec", dont_inherit=True)) for each in (source, changed)
    )
    if [*old] != [*new]:  # a lambda or comprehension was added or removed
        return False
    differing = [(old[name], new[name]) for name in old if old[name] != new[name]]
    codes = {(before.co_qualname, before.co_firstlineno): after for before, after in differing}
    if len(codes) < len(differing):
        return False
    try:
        for each in existing:
            if after := codes.get((each.__code__.co_qualname, each.__code__.co_firstlineno)):
                each.__code__ = after
    except ValueError:  # the new code captures a different number of variables
        return False
    return bool(existing)


def _functions(code: CodeType, name: str = "") -> dict[str, CodeType]:
    """Return the functions in a module, class or function."""
    found: dict[str, CodeType] = {}
    for number, each in enumerate(each for each in code.co_consts if isinstance(each, CodeType)):
        inner = f"{name}.{number}.{each.co_name}"
        found |= {inner: each} if each.co_flags & CO_OPTIMIZED else {}
        found |= _functions(each, inner)
    return found


@cache
def _importers() -> Mapping[str, Sequence[str]]:
    """Return, for each file of the checkout, the files that may import it with ``from``."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for file in Path().rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.ImportFrom):
                parent = Path(*str(node.module).split("."))
                for path in (parent, *(parent / alias.name for alias in node.names)):
                    found[f"{path}.py"].add(f"{file}")
                    found[f"{path}/__init__.py"].add(f"{file}")
    return {file: sorted(importers) for file, importers in found.items()}


def _give_up(_number: int, _frame: FrameType | None) -> None:
    os._exit(TOO_LONG)


@pytest.hookimpl(tryfirst=True)  # before conftest.py imports anything
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    plugins = early_config.pluginmanager
    if chosen := os.environ.get(CHOSEN):
        plugins.register(_Limits(json.loads(Path(chosen).read_text("utf-8"))))
    else:
        job = json.loads(Path(os.environ[JOB]).read_text("utf-8"))
        plugins.register(_Driver(early_config, job))
