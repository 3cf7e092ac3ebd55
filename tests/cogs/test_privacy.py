"""The data that the bot keeps about a person, and its deletion, as people see it."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import pytest

import cogs.features.privacy
from cogs.features.privacy import (
    NAMED_AT_MOST,
    OPERATOR_LIMIT,
    in_a_file,
    known_in_words,
    policy_in_words,
    warning_in_words,
)
from data.store.privacy import RememberedCounts
from data.store.rows import PersonRow, Status
from data.texts import LANGUAGES, texts
from play.privacy import LeavingEffect
from tests.cogs.matches import WINNING, won_by_anna
from tests.stage import Stage, answer_to, controls, private, texts_of

pytestmark = pytest.mark.usefixtures("no_errors")


async def privacy(stage: Stage, name: str) -> Any:
    """Type ``/privacy``; return the private answer."""
    result = await stage.slash(name, "privacy")
    assert result.ephemeral
    return private(result)


async def forget(stage: Stage, name: str) -> Any:
    """Have everything about a person deleted; return the last page."""
    page = await stage.turn_page(await privacy(stage, name), "Delete everything…", name)
    return await stage.turn_page(page, "Delete everything", name)


async def test_the_answer_lists_what_is_known(stage: Stage) -> None:
    await won_by_anna(stage)
    told = texts_of(await privacy(stage, "Anna"))
    assert f"`{stage.people['Anna'].id}`" in told
    assert "Language: English" in told
    assert "1 table, with your name" in told
    assert "3 moves" in told
    told = texts_of(await privacy(stage, "Clara"))
    assert f"`{stage.people['Clara'].id}`" in told
    assert not re.search(r"^- 0 ", told, re.MULTILINE)


async def test_settings_are_told(stage: Stage) -> None:
    anna = stage.people["Anna"].id
    row = PersonRow(anna, "de", True, "Europe/Vienna", 22 * 60, 7 * 60 + 30, "dm")
    await stage.bot.store.settings.change_person(anna, lambda _: row)
    told = texts_of(await privacy(stage, "Anna"))
    assert "Time zone: Vienna, where it is " in told
    assert "Quiet hours: from 22:00 to 07:30" in told
    assert "Your turn is announced: by direct message" in told
    assert "could not reach you" in told


async def test_one_button_hides_and_shows_statistics(stage: Stage) -> None:
    page = await stage.turn_page(await privacy(stage, "Anna"), "Hide my statistics", "Anna")
    assert "hidden from everybody else" in texts_of(page)
    page = await stage.turn_page(page, "Show my statistics", "Anna")
    assert "everybody may see them" in texts_of(page)


async def test_everything_is_given_as_a_file(stage: Stage) -> None:
    """The file is private; of a running match, it contains only the person's part and no seed."""
    table = await won_by_anna(stage, most=3)
    page = await privacy(stage, "Anna")
    given = await stage.turn_page(page, "Get it as a file", "Anna")
    assert given.ephemeral
    assert "Everything I know about you" in texts_of(given)
    (file,) = given.attachments
    assert file.filename == "tafelrunde.json"
    known = json.loads(await file.read())
    (told,) = known["tables"]
    assert (known["person"], told["code"]) == (str(stage.people["Anna"].id), table.row.code)
    moves = [line["text"] for line in told["what_you_did"] if line["kind"] == "move"]
    assert moves == ["E5", "H5"]
    assert table.row.seed not in json.dumps(known)


def test_a_large_file_is_compressed(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"tables": ["K4"] * 1000, "name": "Zoë"}
    plain = in_a_file(known)
    monkeypatch.setattr(cogs.features.privacy, "FILE_LIMIT", 1000)
    packed = in_a_file(known)
    assert (plain.name, packed.name) == ("tafelrunde.json", "tafelrunde.json.gz")
    assert len(packed.data) < 1000
    assert gzip.decompress(packed.data) == plain.data
    assert json.loads(plain.data) == known


async def test_a_deletion_is_carried_on_after_a_restart(stage: Stage) -> None:
    """The process dies just after storing the request to delete."""
    table = await won_by_anna(stage, most=2)
    anna = stage.people["Anna"].id
    await stage.bot.store.privacy.begin(anna, "Unknown K7Q2")
    page = await privacy(stage, "Anna")
    assert "I am deleting everything about you" in texts_of(page)
    assert controls(page) == []
    await stage.restart()
    after = await stage.bot.tables.fresh(table.id)
    assert after.names == ("Unknown K7Q2", "Ben")
    assert after.row.status is Status.FINISHED
    told = "\n".join(texts_of(message) for message in stage.channel.history())
    assert "has resigned" in told
    assert "1 table" not in texts_of(await privacy(stage, "Anna"))


async def test_nothing_is_delivered_while_messages_are_changed(stage: Stage) -> None:
    """Delivery waits until the change is over and then reads its messages again, because those in
    memory may still contain a name.
    """
    table = await won_by_anna(stage, most=2)
    store, delivery = stage.bot.store.messages, stage.bot.table_delivery
    (board,) = await stage.rows(table.id, "board")
    async with delivery.paused(table.id):
        waiting = asyncio.create_task(delivery.look(table.id))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        await store.write(table.id, [], removed=[board.key])
    await waiting
    (fresh,) = await stage.rows(table.id, "board")
    assert fresh.message_id != board.message_id


NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_fits_into_a_message(language: str) -> None:
    person = PersonRow(2**63, "de", True, "America/Argentina/ComodRivadavia", 1, 2, "dm")
    say = texts(language)
    lines = [
        *known_in_words(
            person, RememberedCounts(*[10**9] * len(fields(RememberedCounts))), True, say, NOW
        ),
        *policy_in_words("ä" * OPERATOR_LIMIT, say),
    ]
    assert len("\n".join(lines)) < 3000


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("tables", "table, with your name"),
        ("moves", "move"),
        ("plans", "planned move"),
        ("messages", "message to you"),
        ("followed", "table that you follow"),
        ("records", "record that you uploaded"),
        ("steps", "lesson step solved"),
        ("riddles", "riddle of the day tried"),
        ("deals", "deal of the day played"),
        ("occasions", "tournament or other event, with your name"),
        ("trophies", "trophy"),
    ],
)
def test_a_kind_of_data_is_named_only_if_there_is_some(kind: str, told: str) -> None:
    kept = RememberedCounts(
        **{each.name: int(each.name == kind) for each in fields(RememberedCounts)}
    )
    lines = list(known_in_words(PersonRow(1), kept, False, texts("en"), NOW))
    assert [line for line in lines if re.match("- [0-9]", line)] == [f"- 1 {told}"]


def test_the_operator_is_named() -> None:
    say = texts("de")
    assert "Mich betreibt Ada, ada@example.org." in "\n".join(
        policy_in_words("Ada, ada@example.org", say)
    )
    assert not any("Mich betreibt" in line for line in policy_in_words("", say))


async def test_deleting_is_asked_for_and_can_be_dropped(stage: Stage) -> None:
    await won_by_anna(stage, most=2)
    page = await stage.turn_page(await privacy(stage, "Anna"), "Delete everything…", "Anna")
    table = await stage.table()
    assert f"Lancelot `{table.row.code}`: you resign, and your opponent wins." in texts_of(page)
    page = await stage.turn_page(page, "No, keep it", "Anna")
    assert "What I know about you" in texts_of(page)
    assert (await stage.table()).running
    assert (await stage.table()).names == ("Anna", "Ben")


async def test_a_person_is_forgotten(stage: Stage) -> None:
    """The person resigns from the running match and gets a made-up name there; the store keeps
    nothing else about them.
    """
    table = await won_by_anna(stage, most=2)
    done = await forget(stage, "Anna")
    assert "I have deleted your data" in texts_of(done)
    told = "\n".join(texts_of(message) for message in stage.channel.history())
    assert "▲ **Anna** has resigned" in told
    after = await stage.bot.tables.get(table.id)
    assert after.row.status is Status.FINISHED
    assert after.names[0].startswith("Unknown ")
    assert after.names[1] == "Ben"
    page = private(await stage.slash("Ben", "table replay"))
    assert "Anna" not in texts_of(page)
    nothing = RememberedCounts(*[0] * len(fields(RememberedCounts)))
    assert await stage.bot.store.privacy.kept(stage.people["Anna"].id) == nothing


async def test_when_a_person_is_forgotten_the_others_play_on(stage: Stage) -> None:
    await stage.lancelot(3)
    await forget(stage, "Anna")
    table = await stage.table()
    assert table.computer_at(0) is not None
    assert table.names[0].startswith("Unknown ")
    for name in ("Ben", "Clara"):
        table = await stage.table()
        (seat,) = table.awaited
        square = table.game.legal(table.played.state, seat)[0]
        await stage.slash(name, "lancelot place", square=square)
    after = await stage.table()
    assert after.played.ply >= 4
    assert after.running


async def test_a_guest_who_deletes_everything_leaves_the_lobby_and_a_host_closes_it(
    stage: Stage,
) -> None:
    await stage.lobby("Ben")
    await forget(stage, "Ben")
    assert "Ben" not in texts_of(await stage.message("lobby"))
    page = await stage.turn_page(await privacy(stage, "Anna"), "Delete everything…", "Anna")
    assert "so it closes" in texts_of(page)
    await stage.turn_page(page, "Delete everything", "Anna")
    assert "closed this table before it started" in texts_of(stage.channel.last_message)


async def test_ratings_of_the_others_stay(stage: Stage) -> None:
    await won_by_anna(stage)
    ben = stage.people["Ben"]
    before = answer_to(await ben.slash(stage.channel, "stats"))
    await forget(stage, "Anna")
    after = answer_to(await ben.slash(stage.channel, "stats"))
    assert after == before.replace("place 2", "place 1")
    board = answer_to(await ben.slash(stage.channel, "leaderboard"))
    assert "Anna" not in board
    assert "Unknown" not in board


async def test_after_being_forgotten_a_person_starts_afresh(stage: Stage) -> None:
    await won_by_anna(stage)
    await forget(stage, "Anna")
    other = stage.new_channel("elsewhere")
    await stage.people["Anna"].slash(other, "lancelot new")
    assert "1 table, with your name" in texts_of(await privacy(stage, "Anna"))
    assert "No finished match" in answer_to(await stage.slash("Anna", "stats"))


@pytest.mark.speaks("de")
async def test_the_language_is_forgotten_and_recorded_again(stage: Stage) -> None:
    """A cached language can still be deleted, and is recorded again at the next command."""
    settings, anna = stage.bot.store.settings, stage.people["Anna"].id
    await won_by_anna(stage)
    assert (await settings.person(anna)).language == "de"
    page = await stage.turn_page(await privacy(stage, "Anna"), "Alles löschen …", "Anna")
    await stage.turn_page(page, "Alles löschen", "Anna")
    assert (await settings.person(anna)).language is None
    await privacy(stage, "Anna")
    await stage.bot.acting.finish(5)
    assert (await settings.person(anna)).language == "de"


@pytest.mark.speaks("de")
async def test_privacy_in_german(stage: Stage) -> None:
    await won_by_anna(stage, most=len(WINNING) - 1)
    page = await privacy(stage, "Anna")
    assert "Sprache: Deutsch" in texts_of(page)
    page = await stage.turn_page(page, "Alles löschen …", "Anna")
    assert "Du gibst auf, und dein Gegenüber gewinnt." in texts_of(page)
    page = await stage.turn_page(page, "Alles löschen", "Anna")
    assert "Deine Daten sind gelöscht." in texts_of(page)
    assert (await stage.table()).names[0].startswith("Unbekannt ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_question_fits_into_a_message_however_many_tables_there_are(language: str) -> None:
    departures = [("Die Holde Isolde `K7Q2`", LeavingEffect.REPLACED)] * 300
    warning = "\n".join(warning_in_words(departures, texts(language)))
    assert len(warning) < 4000
    assert warning.count("`K7Q2`") == NAMED_AT_MOST
    assert str(300 - NAMED_AT_MOST) in warning
