"""Seasons of a server end automatically, exactly once, whatever happens in between."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from data.store.store import Store
from play.occasions.occasion import Occasion
from play.occasions.occasions import Occasions
from play.occasions.season import GRACE, ServerSeasons
from play.privacy import Privacy
from play.seasons import POINTS_AT_MOST, Seasons
from play.tables import Tables
from tests.data.samples import GUEST, HOST, THIRD
from tests.data.test_seasons import GUILD, won
from tests.play.clock import Clock
from tests.play.kinds import KINDS

BERLIN = "Europe/Berlin"
CHANNEL = 55


def nothing() -> None:
    """Ignore failures, because the tests would notice their effects."""


@pytest.fixture
def occasions(store: Store, clock: Clock) -> Occasions:
    return Occasions(store, clock, KINDS)


@pytest.fixture
def seasons(occasions: Occasions) -> Seasons:
    """The season keeper, without its own timer."""
    return Seasons(occasions, nothing)


async def ring(occasions: Occasions) -> list[Occasion[ServerSeasons]]:
    """Run the due occasions as the bot's clock does, and then the season keeper."""
    seasons = Seasons(occasions, nothing)
    due = await occasions.found.due(occasions.clock())
    for number in due:
        await occasions.tick(number)
    return [await seasons.look(number) for number in due]


async def playing(
    seasons: Seasons, length: str | None = "month", **more: Any
) -> Occasion[ServerSeasons]:
    """A server with seasons."""
    given: dict[str, Any] = {"zone": BERLIN, "channel_id": CHANNEL, "language": "en"}
    return await seasons.choose(GUILD, length, **given | more)


@pytest.mark.full
async def test_each_monthly_season_is_announced_once_soon_after_midnight(
    seasons: Seasons, occasions: Occasions, store: Store, clock: Clock
) -> None:
    """The bot looks every hour around the ends of months; a season without matches is not
    announced.
    """
    clock.now = datetime(2026, 1, 1, 12, tzinfo=UTC)
    await playing(seasons)
    told: dict[str, datetime] = {}
    quiet = 4
    while clock.now < datetime(2027, 1, 2, tzinfo=UTC):
        if clock.now.day in (3, 17) and clock.now.hour == 12 and clock.now.month != quiet:
            await won(store, clock.now, *((HOST, GUEST) if clock.now.day == 3 else (GUEST, HOST)))
        for each in await ring(occasions):
            for ended in each.state.ended:
                told.setdefault(ended.title, clock.now)
        clock.now += timedelta(hours=6 if 3 < clock.now.day < 28 else 1)
    months = [month for month in range(1, 13) if month != quiet]
    assert [*told] == [f"2026-{month:02}" for month in months]
    for title, at in told.items():
        local = at.astimezone(ZoneInfo(BERLIN))
        month = int(title[-2:])
        assert (local.month, local.day, local.hour) == (month % 12 + 1, 1, 1)
    fame = await store.seasons.hall_of_fame(GUILD, 99)
    assert [each.season.title for each in fame] == [*reversed(told)]
    assert len(await store.trophies.of_person(HOST)) == len(months)
    assert await store.standings.recompute() == 0
    occasion = await seasons.of_server(GUILD)
    assert occasion is not None
    assert [each.title for each in occasion.state.ended] == ["2026-12"]
    assert [line.text for line in occasion.journal if line.kind == "look"][-1] == "2026-12"


async def test_the_announcement_has_the_final_standings(
    seasons: Seasons, occasions: Occasions, store: Store, clock: Clock
) -> None:
    begun = await playing(seasons)
    assert begun.state.ends_at is not None
    assert begun.row.due_at == begun.state.ends_at + GRACE
    for _ in range(POINTS_AT_MOST + 5):
        clock.now += timedelta(seconds=5)
        await won(store, clock.now, HOST, GUEST)
    clock.now += timedelta(seconds=5)
    await won(store, clock.now, THIRD, HOST, game="isis")
    clock.now = begun.row.due_at
    (after,) = await ring(occasions)
    (ended,) = after.state.ended
    assert {ranking.game: ranking.people for ranking in ended.rankings} == {
        "lancelot": 2,
        "isis": 2,
    }
    lancelot = next(each for each in ended.rankings if each.game == "lancelot")
    first, second = lancelot.placed
    assert (first.person_id, first.place, first.longest) == (HOST, 1, POINTS_AT_MOST + 5)
    assert (first.course[0], len(first.course)) == (1000, POINTS_AT_MOST)
    assert first.course[-1] == first.rating > second.rating == second.course[-1]
    assert after.state.names == {HOST: "Ada", GUEST: "Ben", THIRD: "Cleo"}
    assert after.row.due_at is not None
    assert after.row.due_at > clock.now


async def test_without_a_channel_nothing_is_kept_to_be_told(
    seasons: Seasons, occasions: Occasions, store: Store, clock: Clock
) -> None:
    begun = await playing(seasons, channel_id=0)
    clock.now += timedelta(hours=1)
    await won(store, clock.now, HOST, GUEST)
    assert begun.row.due_at is not None
    clock.now = begun.row.due_at
    (after,) = await ring(occasions)
    assert (after.state.ended, after.state.names) == ((), {})
    assert len(await store.trophies.of_person(HOST)) == 1
    chosen = await playing(seasons)
    assert (chosen.channel_id, chosen.state.ended) == (CHANNEL, ())


async def test_seasons_stop_and_begin_again(
    seasons: Seasons, occasions: Occasions, store: Store, clock: Clock
) -> None:
    await playing(seasons)
    clock.now += timedelta(days=2)
    await won(store, clock.now, HOST, GUEST)
    stopped = await playing(seasons, None)
    assert stopped.row.due_at == clock.now.replace(microsecond=0) + GRACE + timedelta(seconds=1)
    clock.now += timedelta(minutes=5)
    (after,) = await ring(occasions)
    assert len(after.state.ended) == 1
    assert after.row.due_at is None
    clock.now += timedelta(days=50)
    assert await ring(occasions) == []
    again = await playing(seasons, "quarter")
    assert again.id == after.id
    clock.now += timedelta(days=1)
    await won(store, clock.now, GUEST, HOST)
    assert again.row.due_at is not None
    clock.now = again.row.due_at
    (after,) = await ring(occasions)
    assert [ended.title[4:6] for ended in after.state.ended] == ["-Q"]
    assert len(await store.seasons.hall_of_fame(GUILD, 9)) == 2


async def test_a_kill_at_any_step_loses_nothing(
    seasons: Seasons,
    occasions: Occasions,
    store: Store,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await playing(seasons)
    steps = ("play_in", "close", "closed")
    for number, step in enumerate(steps, 1):
        clock.now += timedelta(days=1)
        await won(store, clock.now, HOST, GUEST)
        occasion = await seasons.of_server(GUILD)
        assert occasion is not None
        assert occasion.row.due_at is not None
        clock.now = occasion.row.due_at
        await occasions.tick(occasion.id)

        async def die(*_: Any, step: str = step) -> Any:
            await getattr(type(store.seasons), step)(store.seasons, *_)
            raise asyncio.CancelledError

        with monkeypatch.context() as patched:
            patched.setattr(store.seasons, step, die)
            with pytest.raises(asyncio.CancelledError):
                await seasons.look(occasion.id)
        reborn = Seasons(Occasions(store, clock, KINDS), nothing)
        await reborn.wake_all()
        while tasks := reborn.tasks:
            await asyncio.gather(*tasks)
        occasions.forget_all()
        after = await occasions.get(occasion.id)
        assert not after.state.look
        assert len(after.state.ended) == 1
        assert len(await store.trophies.of_person(HOST)) == number


async def test_two_processes_roll_over_once(
    seasons: Seasons, occasions: Occasions, elsewhere: Occasions, store: Store, clock: Clock
) -> None:
    await playing(seasons)
    for _ in range(3):
        clock.now += timedelta(days=1)
        await won(store, clock.now, HOST, GUEST)
        known = await seasons.of_server(GUILD)
        assert known is not None
        occasion = await occasions.fresh(known.id)
        assert occasion.row.due_at is not None
        clock.now = occasion.row.due_at
        await asyncio.gather(ring(occasions), ring(elsewhere))
        after = await occasions.fresh(occasion.id)
        new = [line.kind for line in after.journal[occasion.revision :]]
        assert new == ["end", "look"]
        assert len(after.state.ended) == 1
    assert len(await store.seasons.hall_of_fame(GUILD, 9)) == 3


async def test_a_forgotten_person_is_renamed_in_announcements(
    seasons: Seasons, occasions: Occasions, tables: Tables, store: Store, clock: Clock
) -> None:
    begun = await playing(seasons)
    clock.now += timedelta(hours=1)
    await won(store, clock.now, HOST, GUEST)
    assert begun.row.due_at is not None
    clock.now = begun.row.due_at
    await ring(occasions)
    await Privacy(tables, occasions).forget(HOST, "Unknown K7Q2")
    occasions.forget_all()
    after = await seasons.of_server(GUILD)
    assert after is not None
    assert sorted(after.state.names.values()) == ["Ben", "Unknown K7Q2"]
    placed = after.state.ended[0].rankings[0].placed[0]
    assert after.state.names[placed.person_id] == "Unknown K7Q2"
    assert placed.person_id < 0
