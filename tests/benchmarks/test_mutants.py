"""The mutation driver changes one thing at a time and checks whether a room's tests notice."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import mutants
from benchmarks.changes import changes_of
from benchmarks.watched import TOO_LONG
from games import GAMES

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


@pytest.mark.full
def test_one_thing_is_changed_at_a_time() -> None:
    """Texts, decorators and logging are left alone."""
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
    assert [change.function for change in changes] == [0, 9, 9, 9, 9, 9, 9, 9]
    assert changes[4].text == "if pieces < 0 or not each:"
    for change in changes:
        changed = change.applied(SOURCE.encode()).decode()
        compile(changed, "changed", "exec")
        assert changed != SOURCE


ROOM = """
LONGEST = 7

def grace(days):
    while days > LONGEST:
        days -= LONGEST
    return days

def unused():
    return 1 + 1

def doubled(days):
    return days * 2

def dates(days):
    return [*(day for day in days)]

TABLE = [doubled(LONGEST)]
"""

TESTS = """
from room import TABLE, dates, grace

def test_weeks():
    assert grace(15) == 1

def test_table():
    assert TABLE[0] in (14, 16)

def test_dates():
    dates([1])

def test_that_fails_anyhow():
    assert grace(3) == 4
"""


LIST = """
"room.py" = [
    ["while days > LONGEST:", "days > LONGEST", "(days >= LONGEST)", "a week is a week"],
]
"""


def test_changes_to_pictures_meet_the_accepted_ones() -> None:
    for file, names in {
        "render/isis/ways.py": ["house", "isis"],
        "render/canvas.py": ["house", *GAMES],
        "play/table.py": [],
    }.items():
        assert mutants.accepted_for(file) == [mutants.ACCEPTED.format(name) for name in names]


@pytest.mark.full
def test_survivors_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Changes are tried whether the code is executed on import or by a test, and endless loops are
    cut off. A stopped run is completed without watching the tests again, and the checkout stays as
    it was.
    """
    top = tmp_path / "checkout"
    files = {"room.py": ROOM, "tests/test_room.py": TESTS, "benchmarks/equivalent.toml": LIST}
    for file, text in files.items():
        (top / file).parent.mkdir(parents=True, exist_ok=True)
        (top / file).write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(Path(mutants.__file__).parents[1]))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # no plugins are needed here
    monkeypatch.setattr(mutants, "TESTS", {"room.py": ["tests/test_room.py"]})
    results = tmp_path / "results.jsonl"
    command = f"mutants room.py --sample 100 --seed 19 --limit 1 --results {results}"
    monkeypatch.setattr(sys, "argv", command.split())
    mutants.main(top)
    first = capsys.readouterr().out
    verdicts = {
        line["what"].partition(": ")[2]: (line["code"], line["test"].partition("::")[2])
        for line in mutants.read_results(results).values()
    }
    assert verdicts == {
        "1  ->  2": (0, ""),
        "1 + 1  ->  (1 - 1)": (0, ""),
        "1 + 1  ->  None": (0, ""),
        "2  ->  3": (1, "test_table"),
        "7  ->  8": (1, "test_weeks"),
        "days  ->  None": (1, "test_weeks"),
        "days * 2  ->  (days + 2)": (1, "test_table"),
        "days * 2  ->  None": (1, "test_table"),
        "[*(day for day in days)]  ->  None": (0, ""),
        "days -= LONGEST  ->  days += LONGEST": (TOO_LONG, "test_weeks"),
        "days > LONGEST  ->  (days >= LONGEST)": (0, ""),
    }
    assert "| room.py | 12 | 6 | 1 | 5 | 55% (28% to 79%) |\n" in first
    assert "room.py:10: 1 + 1  ->  None\n" in first
    assert "room.py:5: days > LONGEST  ->  (days >= LONGEST)  # a week is a week\n" in first
    lines = results.read_text().splitlines(keepends=True)
    results.write_text("".join(lines[:-1]))  # as if it had been stopped
    mutants.main(top)
    assert capsys.readouterr().out == first
    assert len(results.read_text().splitlines()) == 12
    assert len([*tmp_path.glob("watched-*.json")]) == 1
    assert (top / "room.py").read_text() == ROOM
