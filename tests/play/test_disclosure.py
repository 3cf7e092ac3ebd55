"""Data disclosure: a person gets everything about themselves, but no secret of a running match."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from play import disclosure
from play.disclosure import disclosed
from play.moves import PlayMoves
from play.table import Table
from play.tables import Tables
from tests.play.house import ANNA
from tests.play.life import PERSON, a_life, begun, traces

DISCLOSED = {
    ("people", "person_id"): "settings",
    ("unlisted", "person_id"): "statistics_hidden",
    ("ratings", "person_id"): "ratings",
    ("ratings", "name"): "ratings",
    ("records", "person_id"): "records_brought",
    ("records", "text"): "records_brought",
    ("lessons", "person_id"): "lessons",
    ("members", "person_id"): "your_seat",
    ("members", "name"): "your_seat",
    ("tables", "host_id"): "you_are_the_host",
    ("journal", "person_id"): "what_you_did",
    ("journal", "text"): "what_you_did",
    ("packed", "lines"): "what_you_did",
    ("votes", "asked_by"): "votes",
    ("votes", "subject"): "votes",
    ("votes", "answers"): "votes",
    ("turns", "person_id"): "your_clocks",
    ("plans", "person_id"): "your_plans",
    ("offers", "person_id"): "offered_to_you",
    ("hurried", "person_id"): "only_moves_are_played_for_you",
    ("followers", "person_id"): "you_follow",
    ("muted", "person_id"): "you_have_muted_it",
    ("messages", "person_id"): "messages_to_you",
    ("messages", "key"): "messages_to_you",
    ("messages", "rest"): "messages_to_you",
    ("attempts", "person_id"): "riddles_of_the_day",
    ("attempts", "name"): "riddles_of_the_day",
    ("plays", "person_id"): "deals_of_the_day",
    ("plays", "name"): "deals_of_the_day",
    ("trophies", "person_id"): "trophies",
    ("occasions", "host_id"): "occasions",
    ("occasions", "state"): "occasions",
    ("occasion_journal", "person_id"): "occasions",
    ("occasion_people", "person_id"): "occasions",
    ("occasion_messages", "person_id"): "occasions",
    ("occasion_messages", "key"): "occasions",
    ("occasion_messages", "rest"): "occasions",
}
"""Database columns that identify people, and the keys under which they are disclosed."""

LEFT_OUT = {
    ("forgetting", "person_id"): "as “being_deleted”; pseudonym and number lead to nobody else",
}
"""Database columns that identify people but are not disclosed as such, and why."""


async def test_every_column_about_people_is_disclosed(tables: Tables, tmp_path: Path) -> None:
    file = tmp_path / "house.sqlite3"
    await a_life(tables)
    with closing(sqlite3.connect(file)) as db:
        named = {
            (table, column)
            for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            for (_, column, *_) in db.execute(f"PRAGMA table_info({table})")
            if "person" in column or column in {"host_id", "asked_by"}
        }
    assert named | traces(file) == DISCLOSED.keys() | LEFT_OUT.keys()
    assert not DISCLOSED.keys() & LEFT_OUT.keys()
    known = await disclosed(tables, PERSON)
    for key in set(DISCLOSED.values()):
        assert known.get(key) or any(table[key] for table in known["tables"]), key


async def test_the_persons_part_in_each_table_is_disclosed(tables: Tables) -> None:
    known = await a_life(tables)
    told = {table["code"]: table for table in (await disclosed(tables, PERSON))["tables"]}
    by_place = {place: told[table.row.code] for place, table in known.items()}
    rival, third = by_place["rival"], by_place["third"]
    assert [plan["move"] for plan in rival["your_plans"]] == ["E5"]
    assert [line["kind"] for line in rival["what_you_did"]] == [
        "join",
        "move",
        "plan",
        "hurry",
        "mute",
    ]
    assert [vote["your_answer"] for vote in third["votes"]] == ["yes"]
    assert third["what_you_did"][-1]["agreed"]
    assert by_place["winner"]["record"].startswith("Tafelrunde record")
    assert by_place["winner"]["result"]["ranks"] == [1, 2]
    assert by_place["away"]["you_may_not_sit_down"]
    assert by_place["follower"]["you_follow"]
    assert by_place["wanted"]["offered_to_you"] == [0]
    for place in ("rival", "hidden", "parked", "follower", "resigned"):
        assert by_place[place]["record"] is None


async def test_only_the_persons_own_hand_is_disclosed(tables: Tables) -> None:
    known = await a_life(tables)
    told = {table["code"]: table for table in (await disclosed(tables, PERSON))["tables"]}
    hidden = known["hidden"]
    view = hidden.played.view(0)
    assert told[hidden.row.code]["what_you_know"] == json.loads(
        json.dumps({"board": view.public, "hand": view.private})
    )
    assert view.private
    for place in ("resigned", "follower"):
        assert told[known[place].row.code]["what_you_know"] is None


async def test_no_seed_of_a_running_match_and_no_draw(tables: Tables) -> None:
    known = await a_life(tables)
    secret: Table = await begun(tables, ANNA, PERSON, 3, game="twilight")
    known["more"] = secret
    text = json.dumps(await disclosed(tables, PERSON))
    for place, table in known.items():
        assert (table.row.secret in text) == (place == "winner"), place
        assert not table.started or (table.row.seed in text) == (place == "winner"), place
    data = json.loads(text)
    lines = [line for table in data["tables"] for line in table["what_you_did"]]
    assert "draw" not in {line["kind"] for line in lines}
    assert {line.get("person_id", str(PERSON)) for line in lines} == {str(PERSON)}
    people = {value for key, value in _pairs(data) if key == "person_id"}
    assert people == {str(PERSON)}
    assert not any("agreed" in (line.get("text") or "") for line in lines)


def _pairs(value: Any) -> Iterator[tuple[str, Any]]:
    """All keys and values of plain data, including nested ones."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, dict):
        yield from value.items()
    for each in inner:
        yield from _pairs(each)


async def test_the_number_of_records_is_bounded(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = await a_life(tables)
    monkeypatch.setattr(disclosure, "RECORDS_AT_MOST", 1)
    table = await begun(tables, PERSON, ANNA)
    await tables.act(table.id, PlayMoves(PERSON, ("K4",)))
    told = {table["code"]: table for table in (await disclosed(tables, PERSON))["tables"]}
    winner = told[known["winner"].row.code]
    assert winner["record"] is None
    assert winner["result"]["ranks"] == [1, 2]


async def test_nothing_is_known_of_a_stranger(tables: Tables) -> None:
    await a_life(tables)
    known = await disclosed(tables, 161803398874989484)
    assert known["tables"] == []
    assert known["records_brought"] == []
    assert known["settings"]["language"] is None
