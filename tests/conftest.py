"""Shared set-up. In tests, drawing over a text raises an error (see ``render.legibility``).

Seeds of random tests are fixed by default, set or drawn by ``--seed``, and reported on failure.

``@pytest.mark.seeds(20)`` runs a test that takes ``seed`` with twenty consecutive seeds, which are
part of the tests' ids; with ``seeds(20, always=5)`` all but five need ``--long``. A test that takes
``rng`` gets its own generator. These seeds and generators, and the tests with Hypothesis, start at
seed 0, at the number given with ``--seed 4711``, or at a random one with ``--seed random``.

``--fast`` runs only the first case of each test. Of the tests in a file that use a stage or a
process, it runs only the first. Of slow tests with the same reason
(``@pytest.mark.slow("whole match")``), it runs only the last, so do not put the hardest one last.
It leaves out tests marked ``full``, which take about a fifth of a second of processor time or more.
Tests with Hypothesis try fewer examples (see ``tests/examples.py``).

``--rest`` leaves out what ``--fast`` runs, except the tests with Hypothesis: both together run
every case.

Tests marked ``blank``, and all tests on a stage, have blank pictures (see ``tests/blank.py``)
unless they are marked ``pixels``.

``--long`` adds the cases marked ``@pytest.mark.long``: more of what other cases already test, too
slow for every run.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Collection, Generator, Sequence
from typing import Any

import pytest
import structlog
from hypothesis import settings

from render.legibility import Legibility
from tests.blank import draw_pixels
from tests.examples import FEW, USUAL

# Tests outside tests/wire import these too, perhaps earlier.
pytest.register_assert_rewrite("tests.wire.books", "tests.wire.joust", "tests.wire.kills")

ALLOCATIONS = 20_000
"""Allocations between two garbage collections; many, because reference counting frees most
objects.
"""

DRAWN_MAX = 10**6
"""Random seeds are below this, so that they are easy to type again."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--seed", default="0", help="first seed of random tests: a number, or 'random' (default 0)"
    )
    parser.addoption(
        "--fast", action="store_true", help="one case of each test, one slow test of each kind"
    )
    parser.addoption("--rest", action="store_true", help="what --fast leaves out")
    parser.addoption("--long", action="store_true", help="also run what is too slow for every run")


@pytest.hookimpl(tryfirst=True)  # before Hypothesis reads its own seed
def pytest_configure(config: pytest.Config) -> None:
    """Draw the first seed if asked to; workers of xdist get the same one."""
    # By default rich, if installed, prints all local variables, which takes seconds.
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure([structlog.contextvars.merge_contextvars, plain])
    config.addinivalue_line("markers", "seeds(count, always): run with ``count`` seeds, see --seed")
    config.addinivalue_line("markers", "slow(kind): takes seconds; --fast runs one of each kind")
    config.addinivalue_line(
        "markers", "full: takes a fifth of a second or more; --fast leaves it out"
    )
    config.addinivalue_line("markers", "long: run only with --long")
    config.addinivalue_line("markers", "blank: the look of pictures does not matter")
    config.addinivalue_line("markers", "pixels: the look of pictures matters after all")
    handed = getattr(config, "workerinput", {}).get("seed")
    if handed is not None:
        config.option.seed = handed
    elif config.option.seed == "random":
        config.option.seed = str(random.SystemRandom().randrange(DRAWN_MAX))
    if not config.option.seed.isdecimal():
        raise pytest.UsageError(f"--seed wants a number or 'random', not {config.option.seed!r}")
    if getattr(config.option, "hypothesis_seed", None) is None:
        config.option.hypothesis_seed = config.option.seed
    settings.load_profile(FEW if config.option.fast else USUAL)
    Legibility.watched = True


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Pass the first seed to a worker of xdist."""
    node.workerinput["seed"] = node.config.option.seed


def pytest_report_header(config: pytest.Config) -> str:
    return f"random tests: --seed {config.option.seed}"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker("seeds")
    if marker is not None:
        first, (many,) = int(metafunc.config.option.seed), marker.args
        if not metafunc.config.option.long:
            many = marker.kwargs.get("always", many)
        metafunc.parametrize("seed", range(first, first + many))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Drop the items that this run leaves out; with ``--fast``, keep one item of every family."""
    if not config.option.long:
        _keep(config, items, [item for item in items if not item.get_closest_marker("long")])
    if config.option.fast:
        _keep(config, items, _one_of_each(items))
    elif config.option.rest:
        fast = {item for item in _one_of_each(items) if not _is_by_hypothesis(item)}
        _keep(config, items, [item for item in items if item not in fast])
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers > 1:
        items[:] = _longest_first(items, workers)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Exempt everything imported and collected from garbage collection: it stays in memory to the
    end.
    """
    gc.disable()
    collected = yield
    gc.freeze()
    gc.set_threshold(ALLOCATIONS)
    gc.enable()
    return collected


@pytest.hookimpl(tryfirst=True)  # before any fixture draws
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Draw pictures, or leave them blank."""
    stage = "stage" in getattr(item, "fixturenames", ())
    blank = stage or item.get_closest_marker("blank") is not None
    draw_pixels(not blank or item.get_closest_marker("pixels") is not None)


def _keep(config: pytest.Config, items: list[pytest.Item], some: Collection[pytest.Item]) -> None:
    kept = set(some)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def _longest_first(items: Sequence[pytest.Item], workers: int) -> list[pytest.Item]:
    """Start the share of every worker of xdist with slow tests, so that none of them runs alone at
    the end.
    """
    slow, quick = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        marked = any(map(item.get_closest_marker, ("slow", "full", "long")))
        (slow if marked else quick).append(item)
    shares = [
        part[len(part) * n // workers : len(part) * (n + 1) // workers]
        for n in range(workers)
        for part in (slow, quick)
    ]
    return [item for share in shares for item in share]


def _one_of_each(items: Sequence[pytest.Item]) -> Collection[pytest.Item]:
    chosen: dict[str, pytest.Item] = {}
    for item in items:
        if item.get_closest_marker("full"):
            continue
        slow = item.get_closest_marker("slow")
        if slow is not None:
            chosen[str(slow.args[0])] = item
        else:
            chosen.setdefault(_family(item), item)
    return chosen.values()


def _family(item: pytest.Item) -> str:
    """The name that a test shares with its other cases or, if it uses a stage or a process, with
    its whole file.
    """
    played = {"stage", "discord"} & set(getattr(item, "fixturenames", ()))
    return item.nodeid.partition("::" if played else "[")[0]


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """A generator that differs by test and by ``--seed``."""
    return random.Random(f"{request.node.name}/{request.config.option.seed}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report how to run a failed random test again."""
    report = yield
    if report.failed and _is_random(item):
        again = f"pytest '{item.nodeid}' --seed {item.config.option.seed}"
        report.sections.append(("Run this random test again", again))
    return report


def _is_random(item: pytest.Item) -> bool:
    """Return whether the test depends on ``--seed``."""
    if not isinstance(item, pytest.Function):
        return False
    drawn = "rng" in item.fixturenames or item.get_closest_marker("seeds") is not None
    return drawn or _is_by_hypothesis(item)


def _is_by_hypothesis(item: pytest.Item) -> bool:
    """Return whether Hypothesis chooses the examples of a test."""
    return bool(getattr(getattr(item, "obj", None), "is_hypothesis_test", False))
