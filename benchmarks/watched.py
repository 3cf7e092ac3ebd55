"""The pytest plugin of ``benchmarks.mutants``: ``-p benchmarks.watched``, with the name of a file
in ``TAFELRUNDE_WATCHED``.

If that file does not exist, the run writes it: as JSON, the CPU seconds of each test that passed
and the tests that call each function. If it does, the tests that call the changed function run
first, the cheapest at the front. Each test is limited to a multiple of its usual time, so that an
endless loop ends soon, and the process is limited in memory and total CPU time.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import threading
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TypedDict

import pytest

TOO_LONG = 99
"""The exit code of a run in which a test took too long."""

WALL_LIMIT = 60
"""A test may take this many seconds on the clock, plus this many times its usual CPU time: the
machine may be busy, and some tests wait.
"""

START = 60
"""CPU seconds for importing and collecting."""

MEMORY = 6 << 30
"""The most bytes of address space of a process."""


class Watched(TypedDict):
    """The results of the unchanged run.

    ``seconds``: the CPU seconds of each test. ``callers``: for ``file:first line`` of each
    function, the tests that call it, as positions in ``seconds``.
    """

    seconds: dict[str, float]
    callers: dict[str, list[int]]


class _Watch:
    """Records which test calls which function."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._seconds: dict[str, float] = {}
        self._failed: set[str] = set()
        self._callers: defaultdict[CodeType, set[str]] = defaultdict(set)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        called: set[CodeType] = set()

        def note(frame: FrameType, _event: str, _arg: Any) -> None:
            called.add(frame.f_code)

        before = spent()
        sys.settrace(note)
        threading.settrace(note)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)
            self._seconds[item.nodeid] = spent() - before
            for code in called:
                self._callers[code].add(item.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        seconds = {test: each for test, each in self._seconds.items() if test not in self._failed}
        numbers = {test: number for number, test in enumerate(seconds)}
        callers: defaultdict[str, set[int]] = defaultdict(set)
        here = f"{Path.cwd()}{os.sep}"
        for code, tests in self._callers.items():
            if code.co_filename.startswith(here):
                place = f"{code.co_filename.removeprefix(here)}:{code.co_firstlineno}"
                callers[place].update(numbers[test] for test in tests if test in numbers)
        found = Watched(
            seconds=seconds, callers={place: sorted(tests) for place, tests in callers.items()}
        )
        self._file.write_text(json.dumps(found), "utf-8")


class _Limits:
    """Selects, orders and limits the tests."""

    def __init__(self, watched: Watched, place: str, limit: float) -> None:
        self._seconds, self._limit = watched["seconds"], limit
        tests = list(self._seconds)
        self._first = {tests[number] for number in watched["callers"].get(place, ())}

    @pytest.hookimpl(trylast=True)  # after the checkout's own choice with --fast
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        kept = [item for item in items if item.nodeid in self._seconds]
        items[:] = sorted(
            kept, key=lambda item: (item.nodeid not in self._first, self._seconds[item.nodeid])
        )

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        usual = self._seconds[item.nodeid]
        for which, limit in ((signal.ITIMER_PROF, self._limit), (signal.ITIMER_REAL, WALL_LIMIT)):
            signal.setitimer(which, limit * (1 + usual))
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)


def spent() -> float:
    """The CPU seconds of this process and of finished child processes."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _give_up(_number: int, _frame: FrameType | None) -> None:
    os._exit(TOO_LONG)


def pytest_configure(config: pytest.Config) -> None:
    file = Path(os.environ["TAFELRUNDE_WATCHED"])
    if not file.exists():
        config.pluginmanager.register(_Watch(file))
        return
    limit = float(os.environ["TAFELRUNDE_LIMIT"])
    watched: Watched = json.loads(file.read_text("utf-8"))
    seconds = int(limit * (START + sum(watched["seconds"].values())))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, _give_up)
    signal.signal(signal.SIGALRM, _give_up)
    place = os.environ["TAFELRUNDE_CHANGED"]
    config.pluginmanager.register(_Limits(watched, place, limit))
