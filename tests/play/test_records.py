"""Records of tables, and records uploaded by people."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from data.store.problems import NoSuchRecord
from data.store.records import KEPT_FOR
from data.store.store import Store
from games.records import AS_JOINED, BY_LOT, SIZE_LIMIT, written
from play.ending import EndAsManager, Resign
from play.lobby import Join, Leave
from play.records import Records, RefusedRecord, record_of
from play.table import Refused, Table
from play.tables import Tables
from tests.play.clock import NOON
from tests.play.house import ANNA, BEN, CLARA
from tests.play.test_tables import begun, moved, opened, started

MOVES = ((ANNA, "E5"), (BEN, "J5"), (ANNA, "H5"), (BEN, "D11"), (ANNA, "D5"))


async def finished(tables: Tables) -> Table:
    """A match that Anna has won."""
    table = await started(tables, goal=1)
    for person, move in MOVES:
        table = await moved(tables, table, person, move)
    return table


@pytest.fixture
def records(tables: Tables) -> Records:
    return Records(tables)


# ------------------------------------------------------------------------------- tables
async def test_a_record_contains_everything(tables: Tables) -> None:
    table = await finished(tables)
    record = record_of(table)
    assert (record.game, record.rules, record.table) == ("lancelot", 1, table.row.code)
    assert (record.begun, record.ended) == (NOON.date(), NOON.date())
    assert (record.seating, record.joined, record.names) == (AS_JOINED, (0, 1), ("Anna", "Ben"))
    assert record.options == {"goal": 1, "diagonals": False, "king": False, "starter": "1"}
    assert (record.how, record.ranks, record.scores) == ("played", (1, 2), (1.0, 0.0))
    assert [event.move for event in record.events] == [move for _, move in MOVES]


async def test_a_fair_table_is_proved(tables: Tables, records: Records) -> None:
    played = await finished(tables)
    resigned = await started(tables, channel=501)
    ended = await started(tables, channel=502, players=3)
    await tables.act(ended.id, EndAsManager(99, True, "Enough."))
    resigned = (await tables.act(resigned.id, Resign(BEN, "novice"))).after
    assert (await records.prove(played)).how == "played"
    assert (await records.prove(resigned)).how == "resigned"
    assert (await records.prove(await tables.get(ended.id))).how == "ended"


async def test_seats_by_lot_are_proved(tables: Tables, records: Records) -> None:
    """The proof holds even if somebody left the lobby, so that member numbers have gaps."""
    for channel in range(8):
        table = await opened(tables, channel, seating="lot", starter="lot")
        for person, name in ((BEN, "Ben"), (CLARA, "Clara"), (4, "David")):
            await tables.join(table.id, Join(person, name))
        await tables.act(table.id, Leave(BEN))
        await begun(tables, table.id)
        table = (await tables.act(table.id, EndAsManager(99, True, "Enough."))).after
        assert (await records.prove(table)).seating == BY_LOT


async def test_a_forged_table_is_found_out(tables: Tables, records: Records) -> None:
    table = await finished(tables)
    row = table.row
    assert row.result is not None
    swapped = tuple(replace(m, number=1 - m.number) for m in table.members)
    for forged, code in (
        (
            replace(table, row=replace(row, result={**row.result, "ranks": [2, 1]})),
            "result_mismatch",
        ),
        (replace(table, members=swapped), "seats_mismatch"),
        (replace(table, row=replace(row, rules=99)), "other_rules"),
    ):
        with pytest.raises(RefusedRecord) as refusal:
            await records.prove(forged)
        assert refusal.value.code == code


@pytest.mark.parametrize("stage", ["lobby", "running"])
async def test_there_is_no_record_before_the_end(
    tables: Tables, records: Records, stage: str
) -> None:
    """The seed is still secret."""
    table = await (opened if stage == "lobby" else started)(tables)
    with pytest.raises(Refused) as refusal:
        await records.prove(table)
    assert refusal.value.code == {"lobby": "not_started", "running": "not_over"}[stage]


# ------------------------------------------------------------------------- uploaded
async def test_a_record_is_brought_and_replayed(tables: Tables, records: Records) -> None:
    table = await finished(tables)
    number = await records.bring(CLARA, written(record_of(table)).encode())
    replay = await records.replay(number, CLARA)
    assert (replay.names, replay.table, replay.over) == (("Anna", "Ben"), table.row.code, True)
    assert replay.at(5).view == table.played.view(None)
    with pytest.raises(NoSuchRecord):
        await records.replay(number, ANNA)


async def test_a_brought_record_survives_a_restart_and_has_its_time(
    store: Store, tables: Tables, records: Records
) -> None:
    number = await records.bring(CLARA, written(record_of(await finished(tables))).encode())
    other = Records(Tables(store, lambda: NOON + KEPT_FOR))
    await other.replay(number, CLARA)
    later = Records(Tables(store, lambda: NOON + 2 * KEPT_FOR + timedelta(days=1)))
    await later.bring(CLARA, written(record_of(await finished_elsewhere(tables))).encode())
    with pytest.raises(NoSuchRecord):
        await later.replay(number, CLARA)


async def finished_elsewhere(tables: Tables) -> Table:
    table = await started(tables, channel=777)
    return (await tables.act(table.id, Resign(BEN, "novice"))).after


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not_a_record"),
        (b"\xff\xfe\x00", "not_text"),
        (b"x" * (SIZE_LIMIT + 1), "too_large"),
        (b"Tafelrunde record 7\n", "other_version"),
        (b"Tafelrunde record 1\nGame: chess\n", "unknown_game"),
        (b"Tafelrunde record 1\nGame: lancelot\nRules: 0\n", "other_rules"),
    ],
)
async def test_an_invalid_record_is_refused(
    store: Store, records: Records, data: bytes, code: str
) -> None:
    with pytest.raises(RefusedRecord) as refusal:
        await records.bring(CLARA, data)
    assert refusal.value.code == code
    assert refusal.value.data["line"] >= 1
    assert (await store.privacy.kept(CLARA)).records == 0


async def test_a_forbidden_move_names_its_rule(tables: Tables, records: Records) -> None:
    text = written(record_of(await finished(tables))).replace("seat 1: H5", "seat 1: A1")
    with pytest.raises(RefusedRecord) as refusal:
        await records.bring(CLARA, text.encode())
    assert refusal.value.cause is not None
    assert (refusal.value.cause.code, refusal.value.cause.game) == ("outside", "lancelot")
