"""The log of a whole run with faults contains no token, seed or hand, at any level."""

from __future__ import annotations

import asyncio
import json
import random
import re
import sqlite3
import time
from collections.abc import Coroutine, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from games.engine import CHANCE, Match
from play.table import Table
from tests.wire.process import BotProcess
from tests.wire.rounds import Round
from tests.wire.standin import StandIn
from tests.wire.world import UnansweredError

pytestmark = pytest.mark.slow("process")

FAULTS = (
    "Exception in callback",
    "Task exception was never retrieved",
    "action_failed",
    "delivery_failed",
    "discord_refused",
    "database is locked",
    "thinker_failed",
    "thinker_died",
)
"""Log lines that appear once each part has failed."""

LONGEST_TRY = 2.0
"""Seconds for an attempt in which anything may fail."""

PATIENCE = 180.0
"""Seconds for a run."""

TELLING = 12
"""Texts of at least this length count as secret: they cannot be in the log by chance."""


async def logged(
    discord: StandIn, folder: Path, game: str, rng: random.Random, **environment: str
) -> tuple[str, dict[str, set[str]]]:
    """Run the careless bot in a faulty Discord; return its output, and its secrets by kind.

    Two people play with a computer player. At the end the deals are damaged and read once more.
    """
    database = folder / "tafelrunde.sqlite3"
    settings = {
        "DISCORD_TOKEN": discord.token,
        "TAFELRUNDE_DATABASE": str(database),
        "TAFELRUNDE_COMPUTER_PAUSE": "0",
        "TAFELRUNDE_LOG_LEVEL": "DEBUG",
    }
    log = folder / "bot.log"
    async with BotProcess(discord, "tests.wire.careless", settings | environment, log) as bot:
        await bot.start()
        table = Round(discord, database, 2, rng)
        await table.open(game, "novice")
        missing, late = set(FAULTS), time.monotonic() + PATIENCE
        while missing:
            assert time.monotonic() < late, missing
            disturb(discord, rng)
            await attempt(table.move())
            await attempt(show(table))
            output = bot.output
            missing = {fault for fault in missing if fault not in output}
        discord.faults.clear()
        stored = (await table.books.read(table.code)).table
        assert await bot.terminate() == 0
        damage(database)
        await bot.start()
        await show(table)
        assert await bot.terminate() == 0
    return log.read_text(), secrets_of(discord, table, stored)


async def attempt(doing: Coroutine[Any, Any, None]) -> None:
    """Do something in which anything may fail."""
    with suppress(UnansweredError, TimeoutError):
        await asyncio.wait_for(doing, LONGEST_TRY)


async def show(table: Round) -> None:
    """Have someone ask for the table, which updates it."""
    await (await table.people[0].slash(table.room, "table show")).answer()


def disturb(discord: StandIn, rng: random.Random) -> None:
    """Most of the time, make something fail on Discord's side."""
    match rng.randrange(4):
        case 0:
            discord.faults.fail("POST /channels/", status=404)
        case 1:
            discord.faults.rate_limit("PATCH ", retry_after=0.05)
        case 2:
            discord.gateway.drop()


def damage(database: Path) -> None:
    """Make the random draws in the journal impossible but still readable."""
    with closing(sqlite3.connect(database)) as db, db:
        db.execute("UPDATE journal SET text = replace(text, ':', ':?') WHERE kind = 'draw'")


# ------------------------------------------------------------------------------ the secrets
def secrets_of(discord: StandIn, round_: Round, table: Table) -> dict[str, set[str]]:
    """Everything that no log may contain, in the form it would have there."""
    hands = {*stored_hands(table.played), *shown_hands(round_)}
    secrets = {
        "token": {discord.token},
        "lent token": set(discord.world.interactions),
        "seed": {table.row.seed, table.row.secret},
        "hand": {hand for hand in hands if len(hand) >= TELLING},
    }
    assert all(secrets.values())
    return secrets


def stored_hands(match: Match[Any]) -> Iterator[str]:
    """A match's deals and each seat's private knowledge, formatted as Python and as JSON."""
    for ply, event in enumerate(match.log):
        before = Match.replay(match.game, match.setup, match.log[:ply])
        if event.seat == CHANCE and before.game.observed(before.state, event, None) != event.move:
            yield event.move.partition(":")[2]
        for seat in range(match.setup.players):
            for known in lists_in(before.view(seat).private):
                yield from (str(known), json.dumps(known), json.dumps(known, separators=(",", ":")))


def lists_in(value: Any) -> Iterator[list[Any]]:
    """All lists of names in plain data."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        if value and all(isinstance(each, str) for each in value):
            yield value
        for each in value:
            yield from lists_in(each)


def shown_hands(table: Round) -> Iterator[str]:
    """The texts of direct messages, including descriptions of pictures, split at the
    characters that log writers escape, each in its own way.
    """
    for person in table.people:
        for message in person.dm.messages:
            alts = [file.description or "" for file in message.attachments]
            for words in (message.text, *alts):
                yield from re.findall(rf"[ -!#-\[\]-~]{{{2 * TELLING},}}", words)


def leaks(text: str, secrets: dict[str, set[str]]) -> dict[str, str]:
    """A secret of each kind that is found in a text, even if escaped."""
    plain = text.replace('\\"', '"')
    found = {
        kind: next((each for each in each_kind if each in plain), "")
        for kind, each_kind in secrets.items()
    }
    return {kind: each for kind, each in found.items() if each}


# --------------------------------------------------------------------------------- the tests
@pytest.mark.parametrize(("game", "in_json"), [("twilight", "false"), ("isolde", "true")])
async def test_no_secret_is_ever_logged(
    discord: StandIn, tmp_path: Path, rng: random.Random, game: str, in_json: str
) -> None:
    """Each part of the bot fails, and the log reports it."""
    text, secrets = await logged(discord, tmp_path, game, rng, TAFELRUNDE_LOG_JSON=in_json)
    assert leaks(text, secrets) == {}
    for said in (*FAULTS, "committed", "journal_unreadable", "Traceback (most recent call last)"):
        assert said in text, said


@pytest.mark.parametrize("in_json", ["false", "true"])
async def test_a_secret_that_is_logged_is_found(
    discord: StandIn, tmp_path: Path, rng: random.Random, in_json: str
) -> None:
    environment = {"TAFELRUNDE_LOG_JSON": in_json, "CARELESS": "blabbing"}
    text, secrets = await logged(discord, tmp_path, "twilight", rng, **environment)
    assert {"token", "seed", "hand"} <= set(leaks(text, secrets))
