"""The mutation driver changes one thing at a time and checks whether a room's tests notice."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import mutants
from benchmarks.changes import changes_of

SOURCE = '''
"""What is no code is left alone: 1 < 2."""

import structlog

log = structlog.get_logger()


@decorated(7)
def price(pieces: int, *, each: float = 1.5) -> float:
    """What some pieces cost."""
    if pieces < 0 or not each:
        raise ValueError(f"{pieces + 1} pieces")
    log.info("asked", pieces=3)
    return pieces * each
'''


def test_one_thing_is_changed_at_a_time() -> None:
    """Mutate operators, conditions, numbers and statements, but not texts, decorators or
    logging.
    """
    changes = changes_of(SOURCE.encode())
    assert [(change.line, change.before, change.after) for change in changes] == [
        (10, "1.5", "2.5"),
        (12, "pieces < 0", "(pieces <= 0)"),
        (12, "pieces < 0 or not each", "(pieces < 0 and (not each))"),
        (12, "0", "1"),
        (12, "not each", "(each)"),
        (13, 'raise ValueError(f"{pieces + 1} pieces")', "pass"),
        (15, "pieces * each", "(pieces + each)"),
        (15, "pieces * each", "None"),
    ]
    assert {change.function for change in changes} == {9}
    for change in changes:
        changed = change.applied(SOURCE.encode()).decode()
        compile(changed, "changed", "exec")
        assert changed != SOURCE


ROOM = """
def grace(days):
    while days > 7:
        days -= 7
    return days
"""

TESTS = """
from room import grace

def test_weeks():
    assert grace(15) == 1

def test_that_fails_anyhow():
    assert grace(3) == 4
"""


@pytest.mark.full
def test_what_no_test_notices_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Endless loops are cut off, a second run repeats nothing, and the checkout stays unchanged."""
    top = tmp_path / "checkout"
    for file, text in {"room.py": ROOM, "tests/test_room.py": TESTS}.items():
        (top / file).parent.mkdir(parents=True, exist_ok=True)
        (top / file).write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(Path(mutants.__file__).parents[1]))
    monkeypatch.setattr(mutants, "TESTS", {"room.py": ["tests/test_room.py"]})
    results = tmp_path / "results.jsonl"
    command = f"mutants room.py --sample 3 --seed 19 --limit 1 --results {results}"
    monkeypatch.setattr(sys, "argv", command.split())
    mutants.main(top)
    first = capsys.readouterr().out
    assert "1 tests pass unchanged" in first
    survivors = ["room.py:3: days > 7  ->  (days >= 7)"]
    assert first.partition("change nothing\n")[2].splitlines() == survivors
    verdicts = {line["after"]: line["verdict"] for line in mutants.read_results(results).values()}
    assert (verdicts["days += 7"], verdicts["None"]) == ("too long", "found")
    mutants.main(top)
    second = capsys.readouterr().out
    assert "unchanged" not in second
    assert second.partition("change nothing\n")[2].splitlines() == survivors
    assert (top / "room.py").read_text() == ROOM
