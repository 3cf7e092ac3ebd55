"""A transfer copies everything from a file to a server or back, and resumes after interruptions."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from data import transfer
from data.store.migrate import read_migrations
from data.store.place import Place
from data.store.problems import TransferDiffers, TransferUnfinished
from data.store.riddles import PlayRow
from data.store.rows import PersonRow
from data.store.store import Store, open_backend
from play.matching import Seek
from play.occasions.occasions import Occasions
from play.occasions.seek import SeekMatch, seeks_of
from play.occasions.tournament import Format, Tournament, TournamentPlan
from play.occasions.tournament_acts import NAME, Correct, SignUp
from tests.data.samples import committed, forgotten, grown, move, opened, started
from tests.data.test_privacy import PERSON, fill
from tests.data.test_store_safety import ROOT
from tests.play.kinds import KINDS
from tests.play.occasions.tourneys import HOST, NOW
from tests.postgres import shared_server
from tests.stores import address, cells, looking_into

pytestmark = pytest.mark.slow("server")


@pytest.fixture
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """The target of the transfer: a server if the source is a file, and the other way round."""
    with ExitStack() as opened:
        to_server = request.getfixturevalue("place") == tmp_path / "house.sqlite3"
        bare = opened.enter_context(shared_server().bare()) if to_server else tmp_path / "target"
        yield bare


@pytest.fixture
async def source(place: Place) -> Place:
    """A closed database with rows in every table."""
    store = await Store.open(place)
    await fill(store)
    await store.privacy.begin(PERSON, "Unknown K7Q2")
    lobby = await opened(store, 503)
    await committed(store, lobby, grown(lobby, "away", barred=frozenset({7})))
    await store.settings.set_person(PERSON, zone="Europe/Vienna")
    await store.settings.change_server(900, lambda server: replace(server, channels=(500, 501)))
    await store.riddles.put({date(2026, 11, 23): ("isis", "{}")})
    await store.riddles.change_play(PlayRow(7, "2026-11-22", 1, "Eva"), lambda row: row)
    await forgotten(store, 7)
    await store.riddles.secret(date(2026, 11, 23), lambda: "5ec2e7")
    await store.icons.note(["tr_seat1_01234567"], [], *2 * [datetime(2026, 11, 24, tzinfo=UTC)])
    text = "Ütze\u2028\U0001f451 'a' 100% ?"
    table = await started(store, 502, host_name=text)
    for number in range(12):
        table = await move(store, table, text, interaction_id=2**62 + number)
    await store.close()
    return place


SEEK = Seek(
    number=0,
    person_id=5,
    name="Eva",
    tables=(("isis", 3),),
    paces=("1d",),
    near=False,
    language="de",
    guild_id=900,
    abroad=False,
    since=NOW,
    until=NOW,
)


def moved(source: Place, target: Place) -> int:
    """Run a transfer; return its exit status."""
    return transfer.main([address(source), address(target)])


def contents(place: Place) -> list[tuple[str, str, object]]:
    """All stored values, in an order that does not depend on the database."""
    return sorted(cells(place), key=repr)


async def test_everything_moves_and_play_continues(
    source: Place,
    target: Place,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A transfer in many small steps does not change the source, and ids continue from their last
    value.
    """
    monkeypatch.setattr(transfer, "BATCH", 2)
    before = contents(source)
    assert {table.name for table in every_relation()} == {cell[0] for cell in before}
    assert await asyncio.to_thread(moved, source, target) == 0
    assert contents(source) == contents(target) == before
    told = capsys.readouterr().out
    assert "journal: " in told
    assert "Name it as TAFELRUNDE_DATABASE" in told
    assert str(target) in told
    store = await Store.open(target)
    ids = await store.tables.open_ids()
    table = await started(store, 510)
    assert table.row.id > max(ids)
    await store.records.add(1, "another", table.row.moved_at)
    await forgotten(store, PERSON, "Unknown K7Q2")
    assert await store.standings.recompute() == 0
    await store.close()


def every_relation() -> list[transfer.Relation]:
    """All tables of the database."""
    return transfer.relations(read_migrations())


KILLED = """
import os, signal, sys
from data import transfer

transfer.BATCH = 3
left, late = int(sys.argv[3]), sys.argv[4] == "True"
real = transfer._move

async def move(source, target, table):
    global left
    left -= 1
    if left == 0 and not late:
        target.write = lambda change: os.kill(os.getpid(), signal.SIGKILL)
    done = await real(source, target, table)
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return done

transfer._move = move
sys.exit(transfer.main(sys.argv[1:3]))
"""


def killed(command: list[str]) -> subprocess.CompletedProcess[bytes]:
    """Run a command that kills itself."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False)


async def test_a_transfer_that_is_killed_continues_where_it_was(
    source: Place, target: Place
) -> None:
    for steps, late in ((2, False), (8, True)):
        command = [sys.executable, "-c", KILLED, address(source), address(target)]
        done = await asyncio.to_thread(killed, [*command, str(steps), str(late)])
        assert done.returncode == -9, done.stderr
        with pytest.raises(
            TransferUnfinished, match=r"Run the same python -m data\.transfer again"
        ):
            await Store.open(target)
    assert await asyncio.to_thread(moved, source, target) == 0
    assert contents(target) == contents(source)
    await (await Store.open(target)).close()


async def test_a_database_with_content_is_not_filled(
    source: Place, target: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    store = await Store.open(target)
    await started(store)
    await store.close()
    before = contents(target)
    for given in ((source, target), (target, source)):
        assert await asyncio.to_thread(moved, *given) == 1
        assert "It is not empty" in capsys.readouterr().err
    assert contents(target) == before


async def test_a_difference_is_found(source: Place, target: Place) -> None:
    def tell(_: str) -> None:
        """Spoil the target as soon as its first table has been compared."""
        with looking_into(target) as db:
            db.execute("UPDATE members SET name = 'Eve' WHERE table_id = 1 AND number = 0")

    old, new = await open_backend(source, create=False), await open_backend(target, filling=True)
    with pytest.raises(TransferDiffers, match="members differs: "):
        await transfer.transfer(old, new, tell)
    for each in (old, new):
        await each.close()
    with pytest.raises(TransferUnfinished):
        await Store.open(target)


def test_a_missing_source_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert transfer.main([str(tmp_path / "nowhere"), str(tmp_path / "target")]) == 1
    assert "has not created it" in capsys.readouterr().err
    assert names_in(tmp_path) == []


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def test_tournaments_and_seeks_continue_after_the_transfer(
    place: Place, target: Place
) -> None:
    store = await Store.open(place)
    houses = Occasions(store, lambda: NOW, KINDS)
    plan = TournamentPlan("Spring cup", "lancelot", Format.KNOCKOUT, most=4, options={"goal": 4})
    state = Tournament(plan=plan, secret="of the tests")
    cup = await houses.open(NAME, state, guild_id=900, channel_id=500, language="de", host_id=HOST)
    for number in range(1, 5):
        cup = (await houses.act(cup.id, SignUp(number, f"Ütze {number}", 1000 + number))).after
    cup = (await houses.act(cup.id, cup.kind.stands(cup, 4711))).after
    cup = (await houses.act(cup.id, Correct(HOST, False, "", slot="1.1", ranks=(1, 2)))).after
    place_of = await seeks_of(houses, 900, 501, "de", HOST)
    seek = replace(SEEK, since=NOW, until=NOW)
    sought = (await houses.act(place_of.id, SeekMatch(seek, PersonRow(5), 12, 501))).after
    await store.close()
    before = contents(place)
    assert await asyncio.to_thread(moved, place, target) == 0
    assert contents(target) == before

    store = await Store.open(target)
    houses = Occasions(store, lambda: NOW, KINDS)
    assert (await houses.fresh(sought.id)).state == sought.state
    there = await houses.fresh(cup.id)
    assert (there.state, there.journal) == (cup.state, cup.journal)
    for slot in ("1.2", "2.1"):
        there = (await houses.act(cup.id, Correct(HOST, False, "", slot=slot, ranks=(1, 2)))).after
    assert there.over
    won = await store.trophies.of_person(there.state.places[there.state.ranks()[0][1]].person_id)
    assert [(row.place, row.title, row.source) for row in won] == [(1, "Spring cup", cup.row.code)]
    await store.close()
