"""Exported and imported records, and the proof that a match was fair."""

from __future__ import annotations

import asyncio
import hashlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cogs.features.records import posted
from cogs.present import refusals
from cogs.present.refusals import fault_in_words
from data.texts import LANGUAGES, texts
from games import GAMES
from games.fairness import seed_of
from games.records import SIZE_LIMIT, FaultyRecord, read
from play.lobby import DrawLots, Start
from play.table import Table
from tests.cogs.matches import WINNING, won_by_anna
from tests.cogs.test_setbacks import raise_rules
from tests.refusals import MISSING_PERMISSIONS, refuse
from tests.stage import Stage, answer_to, controls, private, texts_of

SCRIPT = str(Path(__file__).parents[2] / "scripts" / "verify")

pytestmark = pytest.mark.usefixtures("no_errors")


async def exported(stage: Stage, name: str = "Clara") -> str:
    """Type ``/table export``; return the text of the file."""
    result = await stage.slash(name, "table export")
    assert result.ephemeral
    (file,) = result.response.attachments
    data: bytes = await file.read()
    return data.decode()


async def brought(stage: Stage, data: bytes, name: str = "David") -> Any:
    """Type ``/table import`` with a file; return the answer."""
    return await stage.slash(name, "table import", file=("record.txt", data))


# ------------------------------------------------------------------------------- export
async def test_the_command_and_the_replays_button_export_the_same_file(stage: Stage) -> None:
    table = await won_by_anna(stage)
    text = await exported(stage)
    record, match = read(text, GAMES)
    assert (record.table, record.names) == (table.row.code, ("Anna", "Ben"))
    assert match.state == table.played.state
    page = private(await stage.slash("Clara", "table replay"))
    button = next(control for control in controls(page) if control.label == "Record")
    result = await stage.people["Clara"].click(page, custom_id=button.custom_id)
    (file,) = private(result).attachments
    assert (await file.read()).decode() == text


async def test_names_neither_ping_nor_break_a_line(stage: Stage) -> None:
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
    page = private(await stage.slash("Clara", "table replay"))
    assert "@everyone" not in texts_of(page)


async def test_a_running_match_is_not_exported(stage: Stage) -> None:
    """The seed is still secret."""
    table = await won_by_anna(stage, most=2)
    result = await stage.slash("Clara", "table export")
    assert "still running" in answer_to(result)
    assert table.row.seed not in str(stage.env.http_requests)


# ------------------------------------------------------------------------------- import
async def test_the_first_fault_of_a_record_is_told_with_its_line_and_nothing_is_stored(
    stage: Stage,
) -> None:
    await won_by_anna(stage)
    text = await exported(stage)
    for old, new, told in (
        ("3. seat 1: H5", "3. seat 1: A1", r"Line 27: seat 1 may not play “A1”\. A1 is outside"),
        ("3. seat 1: H5", "3. seat 2: H5", r"Line 27: it is not seat 2's turn\."),
        ("3. seat 1: H5", "4. seat 1: H5", r"Line 27 has the number 4, but should have 3\."),
        ("3. seat 1: H5", "**@everyone**", r"Line 27: I cannot read “\\\*\\\*@\u200beveryone"),
        (
            "Rules: 1",
            "Rules: 2",
            r"Line 3: .* under version 2 of the rules\. I play under version 1",
        ),
        ("Game: lancelot", "Game: chess", r"Line 2: I do not know the game “chess”\."),
        ("Points: 1 0", "Points: 2 0", r"Line 23: the moves lead to another result\."),
        ("5. seat 1: D5\n", "", r"Line 29: the record ends before the match does\."),
    ):
        assert old in text
        result = await brought(stage, text.replace(old, new).encode())
        assert result.ephemeral
        assert re.search(told, answer_to(result)), answer_to(result)
    david = stage.people["David"].id
    assert (await stage.bot.store.privacy.kept(david)).records == 0


async def test_rubbish_is_refused(stage: Stage) -> None:
    """A file above the limit is not even downloaded."""
    assert "Line 1: a match record begins" in answer_to(await brought(stage, b"\n"))
    picture = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 3000
    assert "Line 1 is not text" in answer_to(await brought(stage, picture))
    before = len(stage.env.http_requests)
    assert "larger than a megabyte" in answer_to(await brought(stage, b"x" * (SIZE_LIMIT + 1)))
    assert not [r for r in stage.env.http_requests[before:] if r.method == "GET"]


def test_every_fault_has_a_sentence_of_its_own() -> None:
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


def test_a_fault_quotes_what_a_line_has_instead() -> None:
    """An empty line has nothing to quote."""
    data = {"line": 7, "key": "Game"}
    told = [fault_in_words("expected", {**data, "text": text}, texts("en")) for text in ("x", "")]
    assert told == ["Line 7: expected “Game”, found “x”.", "Line 7: expected “Game”."]


# ------------------------------------------------------------------------------- proofs
async def give_word(stage: Stage, name: str, word: str) -> Any:
    """Press "Lucky word…" in the lobby, enter a word, and send the form."""
    form = await stage.press(name, "word")
    assert form.modal is not None
    return await stage.people[name].submit_modal(form, {"word": word})


async def with_words(stage: Stage, **words: str) -> Table:
    """Play a match that Anna wins, after people have given lucky words."""
    people = stage.people
    await stage.lobby("Ben", seating="joined", starter=1, goal=1)
    for name, word in words.items():
        await give_word(stage, name, word)
    await stage.press("Anna", "start")
    for name, square in WINNING:
        await people[name].slash(stage.channel, "lancelot place", square=square)
    return await stage.table()


def seals(text: str) -> list[str]:
    """The digests in a text."""
    return re.findall(r"`([0-9a-f]{64})`", text)


async def test_the_seal_stands_before_anyone_joins_and_the_proof_after(stage: Stage) -> None:
    """The lobby and the proof show the same seal, and the drawing message shows its beginning; a
    button below the result reveals the secret.
    """
    anna, clara = stage.people["Anna"], stage.people["Clara"]
    await anna.slash(stage.channel, "lancelot new", seating="joined", starter=1, goal=1)
    (seal,) = seals(texts_of(await stage.message("lobby")))
    waiting = answer_to(await clara.slash(stage.channel, "table verify"))
    assert seals(waiting) == [seal]
    await stage.press("Ben", "join")
    await stage.press("Anna", "start")
    (drawing,) = [m for m in stage.channel.history() if "Lots: drawn from" in texts_of(m)]
    assert f"Seal: `{seal[:16]}…`" in texts_of(drawing)
    running = answer_to(await clara.slash(stage.channel, "table verify"))
    assert "still running" in running
    assert seals(running) == [seal]
    table = await stage.table()
    assert table.row.secret not in str(stage.env.http_requests)
    assert table.row.seed not in str(stage.env.http_requests)
    for name, square in WINNING:
        await stage.slash(name, "lancelot place", square=square)
    over = answer_to(await clara.slash(stage.channel, "table verify"))
    (secret,) = re.findall(r"Secret: `([0-9a-f]{64})`", over)
    assert hashlib.sha256(secret.encode()).hexdigest() == seal
    assert seal in over
    assert "5 moves were legal" in over
    assert not any(seal in texts_of(message) for message in stage.channel.history())
    assert seal[:16] in texts_of(drawing)
    assert secret not in texts_of(stage.channel.last_message)
    assert await stage.proof() == over


async def test_the_proof_says_whether_the_moves_led_to_the_result(stage: Stage) -> None:
    played, stopped = "The result follows from the moves", "The match stopped early"
    await with_words(stage)
    assert played in (proof := await stage.proof())
    assert stopped not in proof
    stage.channel = stage.new_channel("other")
    await stage.lobby("Ben")
    await stage.press("Anna", "start")
    await stage.resign("Ben")
    assert stopped in (proof := await stage.proof())
    assert played not in proof


async def test_the_lots_are_drawn_by_the_message_that_stands_above_the_first_board(
    stage: Stage,
) -> None:
    table = await with_words(stage, Ben="*Drache* @everyone", Anna="Gral")
    (drawing,) = [m for m in stage.channel.history() if "Lots: drawn from" in texts_of(m)]
    assert drawing.id == table.drawn_by
    assert not controls(drawing)
    told = texts_of(drawing)
    assert "Lucky word of Anna: “Gral”" in told
    assert r"Lucky word of Ben: “\*Drache\* @" in told
    assert "@everyone" not in told
    boards = await stage.rows(table.id, "board")
    assert all(row.message_id is None or row.message_id > drawing.id for row in boards)
    record, _ = read(await exported(stage), GAMES)
    assert (record.message, record.words) == (drawing.id, ("Gral", "*Drache* @everyone"))
    assert record.seed == seed_of(record.secret, drawing.id, record.words) == table.row.seed


async def test_the_script_proves_what_was_exported(stage: Stage, tmp_path: Path) -> None:
    table = await with_words(stage, Ben="Drache")
    seal = table.seal
    file = tmp_path / "record.txt"
    file.write_text(await exported(stage), "utf-8")
    command = [sys.executable, "-I", SCRIPT, str(file), "--seal", seal]
    run = await asyncio.to_thread(
        subprocess.run, command, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert "Lucky words, in order of joining: “Drache”." in run.stdout
    assert f"Message: {table.drawn_by}, posted at 2026-01-01" in run.stdout


async def test_a_lucky_word_is_in_the_lobby_at_once(stage: Stage) -> None:
    """The owner can remove the word; a word given after the start is refused."""
    anna = stage.people["Anna"]
    await stage.lobby("Ben")
    told = answer_to(await give_word(stage, "Ben", "  Drache\u202e 7 "))
    assert told == "Your lucky word is “Drache 7”."
    assert "2. Ben · “Drache 7”" in texts_of(await stage.message("lobby"))
    await give_word(stage, "Ben", "")
    assert "Drache" not in texts_of(await stage.message("lobby"))
    form = await stage.press("Ben", "word")
    table = await stage.unheard(await stage.table(), Start(anna.id))
    await stage.unheard(table, DrawLots(table.drawing, 10**18))
    late = await stage.people["Ben"].submit_modal(form, {"word": "late"})
    assert "already started" in answer_to(late)
    assert [member.word for member in (await stage.table()).members] == ["", ""]


async def test_the_start_waits_until_the_drawing_can_be_posted(stage: Stage) -> None:
    ben = stage.people["Ben"]
    await stage.lobby("Ben", seating="joined", starter=1)
    path = f"/channels/{stage.channel.id}/messages"
    refuse(stage.env, "POST", path, MISSING_PERMISSIONS)
    refused = answer_to(await stage.press("Anna", "start"))
    assert "could not post in" in refused
    table = await stage.table()
    assert (table.drawing > 0, table.started) == (True, False)
    assert "lots are already being drawn" in answer_to(await stage.press("Clara", "join"))
    await stage.restart()
    assert not (await stage.table()).started
    stage.env.backend.faults.clear()
    await stage.press("Anna", "start")
    assert (await stage.table()).running
    assert ben.id in (await stage.table()).persons
    drawn = [m for m in stage.channel.history() if "Lots: drawn from" in texts_of(m)]
    assert [message.id for message in drawn] == [(await stage.table()).drawn_by]


async def test_a_forged_match_is_reported(stage: Stage) -> None:
    await won_by_anna(stage)
    for forgery, told in (
        ("UPDATE members SET word = 'Drache' WHERE number = 1", "do not give this seed"),
        ("UPDATE tables SET secret = replace(secret, substr(secret, 1, 1), '0')", "do not give"),
        (
            "UPDATE tables SET seed = 'forged'",
            "Line 20: “forged” is not a possible value for “Seed”.",
        ),
    ):
        await stage.bot.store.database.write(lambda db, forgery=forgery: db.execute(forgery))  # type: ignore[misc]
        await stage.restart()
        result = await stage.slash("Clara", "table verify")
        assert told in answer_to(result)


async def test_the_proof_works_after_the_rules_have_changed(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await won_by_anna(stage)
    result = stage.channel.last_message
    raise_rules(monkeypatch)
    await stage.restart()
    button = next(control for control in controls(result) if control.label == "Proof")
    told = answer_to(await stage.people["Clara"].click(result, custom_id=button.custom_id))
    assert "the moves cannot be checked" in told
    secret = table.row.secret
    assert seals(told) == [secret, table.row.seed, hashlib.sha256(secret.encode()).hexdigest()]


async def test_a_running_match_that_cannot_be_followed_keeps_its_secret(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await won_by_anna(stage, most=2)
    raise_rules(monkeypatch)
    await stage.restart()
    told = answer_to(await stage.slash("Clara", "table verify"))
    assert "still running" in told
    assert posted(table.drawn_by) in told
    assert seals(told) == [table.seal]


@pytest.mark.speaks("de")
async def test_records_and_proofs_in_german(stage: Stage) -> None:
    await won_by_anna(stage)
    clara = stage.people["Clara"]
    result = await clara.slash(stage.channel, "table export")
    assert "/tisch einlesen" in texts_of(result.response)
    proof = answer_to(await clara.slash(stage.channel, "table verify"))
    assert "5 Züge waren erlaubt" in proof
    assert "/tisch ausgeben" in proof
    text = await exported(stage)
    faulty = await brought(stage, text.replace("3. seat 1: H5", "3. seat 1: A1").encode())
    assert "Zeile 27: Platz 1 darf „A1“ nicht spielen. A1 liegt" in answer_to(faulty)
