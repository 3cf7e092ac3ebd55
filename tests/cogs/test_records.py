"""Exported and imported records, and the proof that a match was fair."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import pytest

from cogs.present import refusals
from cogs.present.refusals import fault_in_words
from data.texts import LANGUAGES, texts
from games import GAMES
from games.records import SIZE_LIMIT, FaultyRecord, read, seats_by_lot
from tests.cogs.matches import won_by_anna
from tests.stage import Stage, answer_to, controls, private, texts_of

pytestmark = pytest.mark.usefixtures("no_errors")


async def exported(stage: Stage, name: str = "Clara") -> str:
    """Type ``/table export``; the text of the file."""
    result = await stage.people[name].slash(stage.channel, "table export")
    assert result.ephemeral
    (file,) = result.response.attachments
    data: bytes = await file.read()
    return data.decode()


async def brought(stage: Stage, data: bytes, name: str = "David") -> Any:
    """Type ``/table import`` with a file; the answer."""
    return await stage.people[name].slash(stage.channel, "table import", file=("record.txt", data))


# ------------------------------------------------------------------------------- export
async def test_a_match_is_taken_along(stage: Stage) -> None:
    """The file holds, and the button of the replay gives out the same."""
    table = await won_by_anna(stage)
    text = await exported(stage)
    record, match = read(text, GAMES)
    assert (record.table, record.names) == (table.row.code, ("Anna", "Ben"))
    assert match.state == table.played.state
    page = private(await stage.people["Clara"].slash(stage.channel, "table replay"))
    button = next(control for control in controls(page) if control.label == "Record")
    result = await stage.people["Clara"].click(page, custom_id=button.custom_id)
    (file,) = private(result).attachments
    assert (await file.read()).decode() == text


async def test_names_neither_ping_nor_break_a_line(stage: Stage) -> None:
    """Whatever people call themselves stands on one line and is read back."""
    name = "**@everyone**\u202e: 1. seat"
    guest = stage.guild.add_member(stage.env.create_user(name))
    await guest.slash(stage.channel, "lancelot new", seating="joined", starter=1)
    await stage.press("Ben", "join")
    lobby = await stage.message("lobby")
    start = next(c for c in controls(lobby) if c.label == "Start")
    await guest.click(lobby, custom_id=start.custom_id)
    await stage.resign("Ben")
    record, _ = read(await exported(stage), GAMES)
    assert record.names == ("**@everyone** : 1. seat", "Ben")
    page = private(await stage.people["Clara"].slash(stage.channel, "table replay"))
    assert "@everyone" not in texts_of(page)


async def test_a_running_match_is_not_taken_along(stage: Stage) -> None:
    """Its seed is a secret."""
    table = await won_by_anna(stage, most=2)
    result = await stage.people["Clara"].slash(stage.channel, "table export")
    assert "still running" in answer_to(result)
    assert table.row.seed not in str(stage.env.http_requests)


# ------------------------------------------------------------------------------- import
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("3. seat 1: H5", "3. seat 1: A1", r"Line 23: seat 1 may not play “A1”\. A1 lies outside"),
        ("3. seat 1: H5", "3. seat 2: H5", r"Line 23: it is not the turn of seat 2\."),
        ("3. seat 1: H5", "4. seat 1: H5", r"Line 23 has the number 4, but 3 is due\."),
        ("3. seat 1: H5", "**@everyone**", r"Line 23: I cannot read “\\\*\\\*@\u200beveryone"),
        ("Rules: 1", "Rules: 2", r"Line 3: .* by version 2 of the rules\. I play by version 1"),
        ("Game: lancelot", "Game: chess", r"Line 2: I do not know the game “chess”\."),
        ("Points: 1 0", "Points: 2 0", r"Line 19: the moves lead to another result\."),
        ("5. seat 1: D5\n", "", r"Line 25: the record ends before the match does\."),
    ],
)
async def test_the_first_fault_is_told(stage: Stage, old: str, new: str, told: str) -> None:
    """With its line and the rule, to the person alone; nothing is kept."""
    await won_by_anna(stage)
    text = await exported(stage)
    assert old in text
    result = await brought(stage, text.replace(old, new).encode())
    assert result.ephemeral
    assert re.search(told, answer_to(result)), answer_to(result)
    david = stage.people["David"].id
    assert (await stage.bot.store.privacy.kept(david)).records == 0


async def test_rubbish_is_refused(stage: Stage) -> None:
    """A picture, an empty file, and a file beyond the limit, which is not even fetched."""
    assert "Line 1: a match record begins" in answer_to(await brought(stage, b"\n"))
    picture = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 3000
    assert "Line 1 is not text" in answer_to(await brought(stage, picture))
    before = len(stage.env.http_requests)
    assert "larger than a megabyte" in answer_to(await brought(stage, b"x" * (SIZE_LIMIT + 1)))
    assert not [r for r in stage.env.http_requests[before:] if r.method == "GET"]


def test_every_fault_has_its_sentence() -> None:
    """In every language, with all that the fault tells."""
    told = (FaultyRecord.__doc__ or "").partition("says why:")[2].partition(":param")[0]
    codes = set(told.split("``")[1::2])
    assert codes | {"missing", "no_draw"} == set(refusals.FAULTS)
    data = {
        "line": 7, "text": "x", "key": "Game", "version": 2, "known": 1, "number": 1, "due": 2,
        "seat": 0, "limit": 1,
    }  # fmt: skip
    for language in LANGUAGES:
        sentences = {fault_in_words(code, data, texts(language)) for code in codes}
        assert len(sentences) == len(codes)


# ------------------------------------------------------------------------------- proofs
async def test_the_seal_is_told_before_and_the_proof_after(stage: Stage) -> None:
    """What is published at the start is what the seed gives in the end."""
    await won_by_anna(stage, most=3)
    clara = stage.people["Clara"]
    running = answer_to(await clara.slash(stage.channel, "table verify"))
    (seal,) = re.findall(r"`([0-9a-f]{64})`", running)
    assert any(seal in texts_of(message) for message in stage.channel.history())
    await stage.resign("Ben")
    over = answer_to(await clara.slash(stage.channel, "table verify"))
    (seed,) = re.findall(r"Seed: `([0-9a-f]{32})`", over)
    assert hashlib.sha256(seed.encode()).hexdigest() == seal
    assert "3 moves were legal" in over
    assert seal in over


async def test_a_forged_match_is_told(stage: Stage) -> None:
    """If the database is changed from outside, the first line that does not hold is named."""
    await won_by_anna(stage)
    seed = next(f"forged{n}" for n in range(99) if seats_by_lot(f"forged{n}", 2) == [1, 0])

    def forge(db: Any) -> None:
        db.execute("UPDATE tables SET seed = ?", [seed])
        db.execute("UPDATE tables SET options = replace(options, 'joined', 'lot')")

    await stage.bot.store.database.write(forge)
    await stage.restart()
    result = await stage.people["Clara"].slash(stage.channel, "table verify")
    assert "Line 8: by lot or order of joining" in answer_to(result)


@pytest.mark.speaks("de")
async def test_records_and_proofs_in_german(stage: Stage) -> None:
    """Export, import and proof speak German, with the commands' German names."""
    await won_by_anna(stage)
    clara = stage.people["Clara"]
    result = await clara.slash(stage.channel, "table export")
    assert "/tisch einlesen" in texts_of(result.response)
    proof = answer_to(await clara.slash(stage.channel, "table verify"))
    assert "5 Züge waren erlaubt" in proof
    assert "/tisch ausgeben" in proof
    text = await exported(stage)
    faulty = await brought(stage, text.replace("3. seat 1: H5", "3. seat 1: A1").encode())
    assert "Zeile 23: Platz 1 darf „A1“ nicht spielen. A1 liegt" in answer_to(faulty)
