"""The disk fails while people play: people are told, nothing is half-done, and play resumes as soon
as the disk works again, without a restart.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from cogs.present.refusals import explain
from data.store import database, sqlite
from data.store.problems import CommitUnknown, DiskFull, StoreBusy, StoreProblem
from data.texts import texts
from play.table import Refused
from tests.cogs.test_setbacks import HOUR, MINUTE, Failing
from tests.stage import Stage, answer_to, private, texts_of

TOLD = (
    "I cannot access my records, so nothing was changed. Please try again later; my log says why."
)

NO_ROOM = "I have no space left to record this, so nothing was changed. Please try again later."

TROUBLES = [
    pytest.param(text, code, problem, language, id=problem, marks=pytest.mark.speaks(language))
    for text, code, problem, language in (
        ("database or disk is full", sqlite3.SQLITE_FULL, "disk_full", "en"),
        ("attempt to write a readonly database", sqlite3.SQLITE_READONLY, "store_unwritable", "de"),
        ("disk I/O error", sqlite3.SQLITE_IOERR, "disk_failure", "en"),
    )
]


@dataclass
class Disk:
    """A disk under a store; while it is faulty, commits fail."""

    wrong: sqlite3.OperationalError | None = None

    def fail(self, text: str = "database or disk is full", code: int = sqlite3.SQLITE_FULL) -> None:
        self.wrong = sqlite3.OperationalError(text)
        self.wrong.sqlite_errorcode = code

    def heal(self) -> None:
        self.wrong = None

    @contextmanager
    def transaction(self, db: sqlite3.Connection) -> Iterator[None]:
        """The store's own method, unless the disk is faulty."""
        with database.transaction(db):
            yield
            if self.wrong is not None:
                raise self.wrong


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """The disk under all stores of a test."""
    disk = Disk()
    monkeypatch.setattr(sqlite, "transaction", disk.transaction)
    return disk


@pytest.fixture(autouse=True)
def lines() -> Iterator[list[Any]]:
    with capture_logs() as lines:
        yield lines


def told_of_the_store(lines: list[Any]) -> list[Any]:
    return [line for line in lines if line["event"].startswith("store_")]


@pytest.mark.parametrize(("text", "code", "problem", "language"), TROUBLES)
async def test_people_are_told_and_the_operator_too(
    stage: Stage, disk: Disk, lines: list[Any], text: str, code: int, problem: str, language: str
) -> None:
    await stage.lancelot()
    anna, before = stage.people["Anna"], await stage.table()
    disk.fail(text, code)
    told = [answer_to(await stage.place("Anna", "K4"))]
    for command, options in (
        ("preferences zone", {"zone": "Berlin"}),
        ("isolde new", {}),
    ):
        told.append(answer_to(await anna.slash(stage.channel, command, **options)))
    shown = await stage.message("board")
    for _ in range(2):  # the column, then the square
        shown = private(await stage.choose(anna, shown, random.Random(0)))
    told.append(texts_of(shown))
    sentence = NO_ROOM if problem == "disk_full" else TOLD
    assert told == [texts(language)(sentence)] * len(told)
    (line,) = told_of_the_store(lines)
    assert (line["event"], line["code"], line["log_level"]) == ("store_problem", problem, "error")
    assert text in line["problem"]
    assert await stage.table() == before
    disk.heal()
    await stage.place("Anna", "K4")
    assert [line["event"] for line in told_of_the_store(lines)[1:]] == ["store_works_again"]
    (board,) = stage.boards()
    assert "K4" in texts_of(board)


async def test_a_problem_that_comes_back_is_logged_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, lines: list[Any]
) -> None:
    """Reading fails twice, works, and fails twice with the same text; then writing does the same.
    The log has one line for each of the four faults.
    """
    database = stage.bot.store.database
    for work, request in (("read", database.answers), ("write", partial(database.tell, "news"))):
        for _ in range(2):
            failing = Failing(getattr(database.backend, work), times=2)
            with monkeypatch.context() as patch:
                patch.setattr(database.backend, work, failing)
                for _ in range(2):
                    with pytest.raises(StoreBusy):
                        await request()
                await request()
    told = [line["event"] for line in told_of_the_store(lines)]
    assert told == ["store_problem"] * 2 + ["store_problem", "store_works_again"] * 2


async def test_reading_works_while_the_disk_is_faulty(stage: Stage, disk: Disk) -> None:
    await stage.lancelot()
    disk.fail()
    for command in ("table log", "lancelot rules", "tables"):
        told = answer_to(await stage.slash("Ben", command))
        assert told
        assert NO_ROOM not in told


async def test_a_board_that_could_not_be_recorded_follows(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fails just after the move was stored: its board is posted once, soon after the disk
    works again.
    """
    await stage.lancelot()
    (before,) = stage.boards()
    messages = stage.bot.store.messages
    failing = Failing(messages.write, times=3, error=DiskFull(Path("house")))
    monkeypatch.setattr(messages, "write", failing)
    assert "Your move counts" in answer_to(await stage.place("Anna", "K4"))
    assert [board.id for board in stage.boards()] == [before.id]
    await stage.wait(3 * MINUTE)
    (board,) = stage.boards()
    assert board.id != before.id
    assert "places a stone on K4" in texts_of(board)
    told, _ = await messages.all_of((await stage.table()).id)
    assert told == (await stage.table()).revision


async def test_a_reminder_due_during_a_fault_comes_within_a_minute_of_recovery(
    stage: Stage, disk: Disk
) -> None:
    await stage.lancelot(pace="12h")
    disk.fail()
    await stage.wait(6 * HOUR + MINUTE)
    assert "Half of the time" not in texts_of(stage.channel.last_message)
    disk.heal()
    await stage.wait(MINUTE)
    assert "Half of the time" in texts_of(stage.channel.last_message)


@pytest.mark.parametrize("problem", StoreProblem.__subclasses__())
def test_every_problem_but_an_unknown_commit_says_that_nothing_was_changed(
    problem: type[StoreProblem],
) -> None:
    english, german = (explain(Refused(problem.code), {}, texts(each)) for each in ("en", "de"))
    assert ("nothing was changed" in english) == (problem is not CommitUnknown)
    assert ("nichts geändert" in german) == (problem is not CommitUnknown)


async def test_a_move_that_may_or_may_not_be_stored(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database server is lost just after storing the move: the person is told that the outcome
    is unknown. Anyone who looks later sees the move, and its board is posted.
    """
    await stage.lancelot()
    tables = stage.bot.store.tables
    commit = tables.commit

    async def lost(*given: Any) -> bool:
        monkeypatch.undo()
        await commit(*given)
        raise CommitUnknown(Path("house"))

    monkeypatch.setattr(tables, "commit", lost)
    told = answer_to(await stage.place("Anna", "K4"))
    assert "I do not know yet whether that counts" in told
    shown = answer_to(await stage.slash("Anna", "table show", text=True))
    assert "K4" in shown
    await stage.wait(10 * MINUTE)
    (board,) = stage.boards()
    assert "places a stone on K4" in texts_of(board)
