"""The daily posts of servers, through clock changes and kills."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from data.store.riddles import AttemptRow, PlayRow
from data.store.store import Store
from play.daily import day_of
from play.occasions.daily import Arrange, Daily, DailyKind, Post, Write, daily_scope
from play.occasions.occasion import Occasion
from play.occasions.occasions import Occasions
from play.riddles.writer import Writer
from tests.play.clock import Clock
from tests.play.house import ANNA, BEN
from tests.play.kinds import KINDS
from tests.stores import opened

SERVER = 7


async def begun(occasions: Occasions, zone: str, minutes: int) -> Occasion[Daily]:
    """Enable the daily posts of a server from now on."""
    return await occasions.open(
        DailyKind.NAME,
        Daily(zone=zone, minutes=minutes).begun(occasions.clock()),
        guild_id=SERVER,
        channel_id=8,
        language="en",
        host_id=ANNA,
        scope=daily_scope(SERVER),
    )


class Process:
    """A process that posts until it is killed."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.occasions = Occasions(store, clock, KINDS)
        self.writer = Writer(self.occasions, lambda: None)

    async def ring(self, *, dies: str = "") -> None:
        """Handle everything that is due, and write the pending posts.

        :param dies: ``before`` both steps, or ``between`` them.
        """
        if dies == "before":
            return
        for number in await self.occasions.found.due(self.occasions.clock()):
            await self.occasions.tick(number)
        if dies:
            return
        await self.write()

    async def write(self) -> None:
        """Write the pending posts, as at a start."""
        await self.writer.wake_all()
        await asyncio.gather(*self.writer.tasks)


@pytest.fixture
async def second(tmp_path: Path, store: Store, clock: Clock) -> AsyncIterator[Process]:
    """Another process on the same store."""
    other = await opened(tmp_path / "house.sqlite3")
    yield Process(other, clock)
    await other.close()


@pytest.mark.full
@pytest.mark.parametrize(
    ("zone", "minutes", "begin"),
    [
        ("Europe/Berlin", 150, date(2026, 3, 1)),
        ("America/New_York", 19 * 60 + 30, date(2026, 10, 1)),
        pytest.param("Europe/Berlin", 150, date(2026, 10, 1), marks=pytest.mark.long),
        pytest.param("America/New_York", 19 * 60 + 30, date(2026, 3, 1), marks=pytest.mark.long),
    ],
)
async def test_every_day_is_posted_once_despite_kills_and_clock_changes(
    store: Store,
    clock: Clock,
    second: Process,
    rng: random.Random,
    zone: str,
    minutes: int,
    begin: date,
) -> None:
    clock.now = datetime.combine(begin, datetime.min.time(), UTC)
    process = Process(store, clock)
    posts = await begun(process.occasions, zone, minutes)
    last = begin + timedelta(days=35)
    while (due := await process.occasions.found.next_due()) and day_of(due) <= last:
        end = datetime.combine(day_of(due), datetime.max.time(), UTC)
        late = timedelta(minutes=rng.choice([0, 0, 0, 1, 90]))
        clock.now = min(due + late, end).replace(microsecond=0)
        dies = rng.choice(["", "", "before", "between"])
        await asyncio.gather(process.ring(dies=dies), second.ring() if not dies else done())
        if dies:
            process = Process(store, clock)
            await process.ring()
        await process.write()
    found = await process.occasions.fresh(posts.id)
    written = [line for line in found.journal if line.kind == "post"]
    days = [date.fromisoformat(line.text) for line in written]
    assert [line.kind for line in found.journal].count("skip") == 0
    assert days == [days[0] + timedelta(days=n) for n in range(len(days))]
    assert len(days) >= 35
    off = 0
    for day, line in zip(days, written, strict=True):
        assert day_of(line.at) == day
        assert line.at >= found.state.at(day)
        local = found.state.at(day).astimezone(ZoneInfo(zone))
        off += 60 * local.hour + local.minute != minutes
    assert off <= 1


async def done() -> None:
    pass


async def test_days_without_a_bot_are_left_out(store: Store, clock: Clock) -> None:
    process = Process(store, clock)
    posts = await begun(process.occasions, "Europe/Berlin", 480)
    clock.move(timedelta(days=4))
    await process.ring()
    found = await process.occasions.fresh(posts.id)
    assert [line.text for line in found.journal if line.kind == "post"] == ["2026-05-05"]
    assert found.row.due_at == found.state.at(date(2026, 5, 6))


async def test_a_post_names_yesterdays_best_of_this_server_except_the_hidden(
    store: Store, clock: Clock
) -> None:
    yesterday = "2026-05-01"
    people = {ANNA: (SERVER, 40), BEN: (SERVER, 60), 77: (SERVER, 70), 78: (9, 80)}
    for person, (server, points) in people.items():
        play = PlayRow(person, yesterday, server, f"name {person}", (), points)
        await store.riddles.change_play(play, lambda row: row)
    solved = AttemptRow(ANNA, yesterday, SERVER, "Anna", solved=True, points=4)
    await store.riddles.change_attempt(solved, lambda row: row)
    await store.standings.set_unlisted(77, True)
    process = Process(store, clock)
    posts = await begun(process.occasions, "UTC", 480)
    clock.move(timedelta(days=1))
    await process.ring()
    state = (await process.occasions.fresh(posts.id)).state
    assert state.post.day == "2026-05-02"
    assert [(best.person_id, best.points) for best in state.post.deals] == [(BEN, 60), (ANNA, 40)]
    assert [(best.person_id, best.points) for best in state.post.solvers] == [(ANNA, 4)]
    assert state.names.keys() == {ANNA, BEN}
    assert state.post.secret == await store.riddles.secret(date(2026, 5, 1), lambda: "new")


async def test_changed_settings_take_effect(store: Store, clock: Clock) -> None:
    process = Process(store, clock)
    posts = await begun(process.occasions, "UTC", 13 * 60)
    clock.move(timedelta(hours=1))
    await process.ring()
    await process.occasions.act(posts.id, Arrange(ANNA, 9, "UTC", 15 * 60))
    found = await process.occasions.get(posts.id)
    assert found.channel_id == 9
    assert found.row.due_at == datetime(2026, 5, 2, 15, tzinfo=UTC)
    await process.occasions.act(posts.id, Arrange(ANNA, 9, "UTC", 15 * 60, wanted=False))
    assert (await process.occasions.get(posts.id)).row.due_at is None
    clock.move(timedelta(days=5))
    await process.occasions.act(posts.id, Arrange(ANNA, 9, "UTC", 15 * 60))
    found = await process.occasions.get(posts.id)
    assert found.row.due_at == datetime(2026, 5, 6, 15, tzinfo=UTC)
    assert [line.text for line in found.journal if line.kind == "post"] == ["2026-05-01"]


async def test_only_the_day_that_is_due_is_written(store: Store, clock: Clock) -> None:
    process = Process(store, clock)
    posts = await begun(process.occasions, "UTC", 13 * 60)

    async def write(day: str) -> Any:
        post = Post(day, "", "", "")
        change = await process.occasions.act(posts.id, Write(post, {}))
        return change.before, change.after

    before, after = await write("2026-05-01")
    assert before is after
    clock.move(timedelta(hours=1))
    await process.ring(dies="between")
    before, after = await write("2026-05-02")
    assert before is after
    before, after = await write("2026-05-01")
    assert after.state.post == Post("2026-05-01", "", "", "")
    before, after = await write("2026-05-01")
    assert before is after


async def test_a_day_that_is_over_is_not_written(store: Store, clock: Clock) -> None:
    process = Process(store, clock)
    posts = await begun(process.occasions, "UTC", 23 * 60)
    clock.now = datetime(2026, 5, 1, 23, 30, tzinfo=UTC)
    await process.ring(dies="between")
    clock.move(timedelta(hours=1))
    await Process(store, clock).write()
    found = await process.occasions.fresh(posts.id)
    assert [(line.kind, line.text) for line in found.journal][-1] == ("skip", "2026-05-01")
    assert (found.state.due, found.state.post) == ("", None)
    clock.now = datetime(2026, 5, 2, 23, 0, tzinfo=UTC)
    await process.ring()
    found = await process.occasions.fresh(posts.id)
    assert found.state.post.day == "2026-05-02"


async def test_a_post_is_wanted_until_the_next_is_due(store: Store, clock: Clock) -> None:
    process = Process(store, clock)
    posts = await begun(process.occasions, "UTC", 13 * 60)
    clock.move(timedelta(hours=1))
    await process.ring()
    clock.move(timedelta(days=3))
    await process.ring(dies="between")
    assert (await process.occasions.fresh(posts.id)).state.post is None
