"""The true course of a match is put together again from what version 6 had kept of it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.store.migrate import open_database, read_migrations
from data.store.migrations.history import History, courses
from tests.data.samples import GUEST, HOST
from tests.examples import examples

OLD = read_migrations()[:6]


# ------------------------------------------------------------- as version 6 had played it
@dataclass
class Bot:
    """A match as the bot of version 6 wrote it, beside what truly happened.

    :param log: (text, line) of the events in effect.
    :param rows: what was written into each table.
    :param truth: the lines that the journal must have.
    :param asked: (ply, undos, the line of the decision, the last line of the match).
    """

    log: list[tuple[str, int]] = field(default_factory=list)
    rows: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)
    truth: list[tuple[str, str]] = field(default_factory=lambda: [("open", ""), ("start", "")])
    asked: list[tuple[int, int, int, int]] = field(default_factory=list)
    undos: int = 0

    def play(self, text: str) -> None:
        """A move, or a draw."""
        self.truth.append(("draw" if text.startswith("d") else "move", text))
        self.log.append((text, len(self.truth)))

    def take_back(self, first: int, last: int) -> None:
        """An undo: the log is cut, and later events move up."""
        out = self.log[first : last + 1]
        del self.log[first : last + 1]
        self.undos += 1
        number = self.undos
        moves = [[0, text] for text, _ in out]
        row = (1, number, len(self.log), 0, HOST, f"[{GUEST}]", json.dumps(moves), 70, 1)
        self.rows.append(("undos", row))
        for ply, (text, _) in enumerate(out, start=first):
            self.rows.append(("undone_events", (1, number, ply, *self._event(text))))
        self.truth.append(("undo", json.dumps([line for _, line in out])))

    def ask(self, ply: int) -> None:
        """Note the point, and a decision that opened at a ply, as hints and votes did."""
        line = self.log[ply - 1][1] if ply else 2
        self.asked.append((ply, self.undos, line, len(self.truth)))

    def write(self, db: sqlite3.Connection) -> None:
        """Everything into a database of version 6."""
        db.execute(
            """INSERT INTO tables VALUES (1, 'K7Q2', 'isis', 1, 900, 500, ?, 'en', 'running', '{}',
                2, 's', NULL, ?, ?, NULL, 50, 60, ?)""",
            [HOST, len(self.log), len(self.log), self.undos],
        )
        for number, person in enumerate((HOST, GUEST)):
            db.execute(
                "INSERT INTO members VALUES (1, ?, ?, 'x', NULL, ?, 0)",
                [number, person, 1 - number],
            )
        self.rows += [("events", (1, ply, *self._event(t))) for ply, (t, _) in enumerate(self.log)]
        self.rows += [
            ("hints", row)
            for row in sorted({(1, 0, ply, undos) for ply, undos, _, _ in self.asked})
        ]
        for table, row in self.rows:
            db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608

    @staticmethod
    def _event(text: str) -> tuple[Any, ...]:
        return (-1 if text.startswith("d") else 0, text, 61, HOST, None)


@cache
def blank() -> bytes:
    """An empty database of version 6."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "blank.sqlite3"
        open_database(file, OLD).close()
        return file.read_bytes()


@contextmanager
def upgraded(bot: Bot) -> Iterator[sqlite3.Connection]:
    """The database of a match, brought up to date."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "house.sqlite3"
        file.write_bytes(blank())
        with closing(open_database(file, OLD)) as db:
            bot.write(db)
        with closing(open_database(file, read_migrations())) as db:
            yield db


def check(bot: Bot) -> None:
    """The journal of the upgraded database tells the truth."""
    with upgraded(bot) as db:
        lines = db.execute("SELECT * FROM journal ORDER BY number").fetchall()
    told = []
    for line in lines[: len(bot.truth)]:
        text = line["text"]
        if line["kind"] == "start":
            assert json.loads(text) == {"seating": [1, 0]}
            text = ""
        elif line["kind"] == "undo":
            said = json.loads(text)
            assert said["agreed"] == [GUEST]
            assert len(said["moves"]) == len(said["out"])
            text = json.dumps(said["out"])
        told.append((line["kind"], text))
    assert told == bot.truth
    hints = {(line["kind"], line["text"]) for line in lines[len(bot.truth) :]}
    assert hints == {("hint", str(decision)) for _, _, decision, _ in bot.asked}


@st.composite
def bots(draw: st.DrawFn) -> Bot:
    """Random matches: moves, draws, undos of the end or of a choice in the middle."""
    bot = Bot()
    for number in range(draw(st.integers(0, 30))):
        kind = draw(st.sampled_from("mmmdua"))
        if kind == "a":
            bot.ask(draw(st.integers(0, len(bot.log))))
        elif kind != "u" or not bot.log:
            bot.play(f"{kind}{number}")
        else:
            first = draw(st.integers(max(0, len(bot.log) - 4), len(bot.log) - 1))
            bot.take_back(first, draw(st.sampled_from([first, len(bot.log) - 1])))
    return bot


@pytest.mark.slow("histories")
@given(bots())
@examples(80)
def test_every_history_is_put_together_again(bot: Bot) -> None:
    """However often moves were taken back, and of those that replaced them."""
    check(bot)


def test_a_match_without_undos_is_its_log() -> None:
    """Line by line, after the opening and the start."""
    bot = Bot()
    for text in ("d1", "m2", "m3"):
        bot.play(text)
        bot.ask(len(bot.log))
    check(bot)


def test_what_replaced_an_undone_move_may_be_undone() -> None:
    """Three undos of the same ply: each finds its own move."""
    bot = Bot()
    bot.play("m0")
    for number in range(1, 4):
        bot.play(f"m{number}")
        bot.ask(1)
        bot.take_back(1, 1)
    check(bot)
    assert bot.log == [("m0", 3)]


def test_an_inner_choice_is_found_where_it_was() -> None:
    """A sealed choice that was opened again while later ones stayed."""
    bot = Bot()
    for text in ("m0", "m1", "m2"):
        bot.play(text)
    bot.take_back(1, 1)
    bot.play("m3")
    bot.take_back(1, 2)
    bot.play("m4")
    check(bot)
    assert [text for text, _ in bot.log] == ["m0", "m4"]


@given(bots())
@examples(200)
def test_points_of_a_match_are_found_again(bot: Bot) -> None:
    """By the numbers of events and undos: the line of the decision, and the last line before."""
    history = History(2)
    log: list[int] = []
    undos: list[tuple[int, int, list[int]]] = []
    for number, (kind, text) in enumerate(bot.truth[2:], start=3):
        if kind == "undo":
            out = json.loads(text)
            history.logs.append(list(log))
            first = log.index(out[0])
            log = [line for line in log if line not in out]
            undos.append((len(log), first, out))
            history.undos.append(number)
            history.left.append(len(log))
        else:
            log.append(number)
    history.logs.append(log)
    assert courses(log, undos) == history.logs
    for ply, count, decision, last in bot.asked:
        assert history.decision(ply, count) == decision
        log_then = history.logs[count]
        if ply == len([line for line in log_then if line <= last]):
            assert history.position(ply, count) == last


@pytest.mark.parametrize("ply", [0, 3, 99])
def test_points_beyond_a_log_are_its_end(ply: int) -> None:
    """What was noted for a ply that the log never had leads to its last line, or to the start."""
    history = History(2, logs=[[3, 4, 5]])
    assert history.decision(ply, 0) == {0: 2, 3: 5, 99: 5}[ply]
    assert history.decision(ply, 7) == history.decision(ply, 0)
