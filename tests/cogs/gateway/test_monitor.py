"""What the bot reports to monitoring, over real sockets, while people play."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families
from pydantic import ValidationError

from bot import Settings
from cogs.gateway import monitor
from cogs.gateway.monitor import Address, CannotListen, Monitor
from cogs.gateway.traffic import age_of, route_of
from data.store.problems import StoreBusy
from data.store.rows import Status
from play.table import OVER
from tests.hostile.house import House, house
from tests.wire.joust import Joust

Sample = Callable[..., float]


@asynccontextmanager
async def watched(home: House) -> AsyncIterator[Callable[[str], Any]]:
    """A function that queries a bot's monitor."""
    parts = home.bot
    monitor = Monitor(parts.client, parts.store, parts.table_delivery.waiting)
    async with (
        monitor.listening(Address("127.0.0.1", 0)) as address,
        aiohttp.ClientSession() as session,
    ):
        assert address is not None

        async def ask(path: str) -> tuple[int, str]:
            async with session.get(f"http://{address.host}:{address.port}{path}") as answer:
                return answer.status, await answer.text()

        yield ask


async def sampled(ask: Callable[[str], Any]) -> Sample:
    """All current counts by name and labels; missing ones are 0."""
    status, text = await ask("/metrics")
    assert status == 200
    samples = {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    return lambda n, **labels: samples.get((f"tafelrunde_{n}", frozenset(labels.items())), 0.0)


@pytest.mark.slow("monitor")
async def test_what_people_do_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Covers presses and their acknowledgement, requests by route and outcome, rate limits,
    deliveries, changes to the database, tables by state, and whether people are served.
    """
    async with house(tmp_path, "0") as home, watched(home) as ask:
        assert await ask("/healthz") == (200, "ok\n")
        joust = Joust(home.discord, tmp_path / "house.sqlite3")
        before = await sampled(ask)
        await joust.open(goal=1, starter=1)
        home.discord.faults.rate_limit(r"POST /channels/\d+/messages$", retry_after=0.01)
        await joust.place(joust.anna, "E5")
        await home.quiet(joust.deeds[-1].act, known=True)
        after = await sampled(ask)

        def grown(name: str, **labels: str) -> float:
            return after(name, **labels) - before(name, **labels)

        post = {"method": "POST", "route": "/channels/{id}/messages"}
        callback = {"method": "POST", "route": "/interactions/{id}/{token}/callback"}
        acts = grown("action_seconds_count", outcome="done")
        assert acts == 4, "new, Join, Start and a move"
        assert grown("acknowledgement_seconds_count") == acts
        assert 0 <= grown("acknowledgement_seconds_sum") < 60 * acts
        assert grown("discord_request_seconds_count", **post, status="200") >= 3
        assert grown("discord_request_seconds_count", **post, status="429") == 1
        assert grown("discord_request_seconds_count", **callback, status="200") == acts
        assert grown("discord_rate_limited_total", scope="user") == 1
        assert grown("delivery_seconds_count") >= 3
        assert grown("database_seconds_count", kind="change") > acts
        assert after("tables", state="running") == 1
        assert after("tables", state="lobby") == 0
        assert after("shard_up", shard="0") == after("database_up") == after("servers") == 1
        assert after("deliveries_waiting") == after("delivery_oldest_seconds") == 0

        status, text = await ask("/readyz")
        assert (status, text) == (200, '{"ready": true, "database": true, "discord": true}')

        async def fails(*_: object) -> None:
            raise StoreBusy(tmp_path)

        monkeypatch.setattr(home.bot.store.database, "read", fails)
        assert (await ask("/readyz"))[0] == 503
        assert (await sampled(ask))("database_up") == 0
        assert await ask("/healthz") == (200, "ok\n")
        assert home.heard.errors == []


@pytest.mark.slow("monitor")
async def test_finished_tables_are_counted_seldom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There may be millions of finished tables, so the readiness check does not count them, and the
    metrics do so only once in a while.
    """
    async with house(tmp_path, "0") as home, watched(home) as ask:
        counted = list[set[Status]]()
        by_status = home.bot.store.tables.by_status

        async def noted(statuses: Collection[Status]) -> dict[str, int]:
            counted.append({*statuses})
            return await by_status(statuses)

        monkeypatch.setattr(home.bot.store.tables, "by_status", noted)
        assert (await ask("/readyz"))[0] == 200
        assert counted == []
        for _ in range(3):
            await sampled(ask)
        assert [each >= OVER for each in counted].count(True) == 1
        assert {*Status} - OVER in counted
        monkeypatch.setattr(monitor, "RECOUNTED", 0.0)
        await sampled(ask)
        assert [each >= OVER for each in counted].count(True) == 2


@pytest.mark.slow("monitor")
async def test_undelivered_tables_are_seen_to_wait(tmp_path: Path) -> None:
    """While Discord is down, a table's waiting time grows, and the failure is counted."""
    async with house(tmp_path, "0") as home, watched(home) as ask:
        joust = Joust(home.discord, tmp_path / "house.sqlite3")
        await joust.open(goal=1, starter=1)
        before = await sampled(ask)
        home.discord.faults.fail(r"POST /channels/\d+/messages$", status=503)
        act = joust.anna.slash(joust.room, "lancelot place", square="E5")
        await (await act).answer()
        waits = [await sampled(ask), await sampled(ask)]
        assert [sample("deliveries_waiting") for sample in waits] == [1, 1]
        first, second = (sample("delivery_oldest_seconds") for sample in waits)
        assert 0 < first < second
        failed = [of("delivery_failures_total", trouble="unreachable") for of in (before, waits[1])]
        assert failed[1] == failed[0] + 1


def test_a_route_names_nothing_that_identifies() -> None:
    """Routes contain no ids or tokens, so there are few routes, and anyone may read them."""
    token = "aW50ZXJhY3Rpb246MTIz"
    paths = {
        f"/api/v10/interactions/1234567890123/{token}/callback": (
            "/interactions/{id}/{token}/callback"
        ),
        f"/api/v10/webhooks/1234567890123/{token}": "/webhooks/{id}/{token}",
        f"/api/v10/webhooks/1234567890123/{token}/messages/@original": (
            "/webhooks/{id}/{token}/messages/@original"
        ),
        "/api/v9/channels/1234567890123/messages/2345678901234": "/channels/{id}/messages/{id}",
        "/attachments/1234567890123/2345678901234/match.txt": "other",
    }
    assert {path: route_of(path) for path in paths} == paths


def test_an_id_contains_the_time_when_it_was_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """The example from Discord's documentation: 175928847299117063 is from 2016-04-30 11:18:25.796
    UTC.
    """
    made = 1462015105.796
    monkeypatch.setattr("cogs.gateway.traffic.time.time", lambda: made + 2)
    assert age_of(175928847299117063) == pytest.approx(2)
    monkeypatch.setattr("cogs.gateway.traffic.time.time", lambda: made - 2)
    assert age_of(175928847299117063) == 0, "a clock that is wrong"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("", None),
        ("9464", Address("127.0.0.1", 9464)),
        ("0.0.0.0:9464", Address("0.0.0.0", 9464)),  # noqa: S104
        ("[::1]:9464", Address("::1", 9464)),
        ("bot.example:80", Address("bot.example", 80)),
    ],
)
def test_a_place_to_listen_is_a_port_or_an_address(
    text: str, address: Address | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAFELRUNDE_METRICS", text)
    assert Settings().metrics == address


@pytest.mark.parametrize("text", ["x", "9464:", "70000", "-1", "²"])
def test_an_impossible_place_to_listen_is_refused(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAFELRUNDE_METRICS", text)
    with pytest.raises(ValidationError, match="expected a port"):
        Settings()


async def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    taken = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = taken.sockets[0].getsockname()[1]
    nothing: Any = None
    with pytest.raises(CannotListen, match=f"127.0.0.1:{port}: "):
        async with Monitor(nothing, nothing, list).listening(Address("127.0.0.1", port)):
            pass
    taken.close()
    await taken.wait_closed()
