"""Logs show where an error occurred, but no secrets from the variables around it."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

TOKEN, SEED, HAND = "MTA-to-ken-9", "f00d5eed", "sword-of-Kay"
"""Secrets held in local variables when the error is logged."""

FAULTY = f"""
import asyncio, logging, os
import structlog
import bot

log = structlog.get_logger("ours")

def draw(parts):
    seed = "".join(["f00d", "5eed"])
    hand = {{"cards": ["-".join(["sword", "of", "Kay"])]}}
    assert (parts, seed, hand["cards"]) == (["MTA", "to", "ken", "9"], {SEED!r}, [{HAND!r}])
    raise LookupError("no such card")

def play():
    token = "-".join(["MTA", "to", "ken", "9"])
    assert token == {TOKEN!r}
    draw(token.split("-"))

async def forgotten():
    play()

async def lose_a_task():
    asyncio.get_running_loop().call_soon(play)
    task = asyncio.create_task(forgotten())
    await asyncio.wait([task])
    del task

in_json = os.fork() == 0
if in_json:
    os.dup2(os.open("in_json", os.O_CREAT | os.O_WRONLY), 2)
else:
    os.wait()
bot.set_up_logging(bot.Settings(log_json=in_json))
try:
    play()
except LookupError as fault:
    log.exception("said_by_us", table="lancelot-1")
    log.error("said_by_us_later", exc_info=fault)
    logging.getLogger("discord.client").exception("said by %s", "discord.py")
asyncio.run(lose_a_task())
log.info("said_without_a_fault")
"""
"""A program that logs an error by every route: structlog (twice), logging, the event loop (twice).
It logs for people and, in a second process, in JSON.
"""


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Both logs of ``FAULTY``, run as a process."""
    folder = tmp_path_factory.mktemp("logged")
    ended = subprocess.run(
        [sys.executable, "-c", FAULTY],
        env={"PYTHONPATH": str(ROOT), "COLUMNS": "200"},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return {"for people": ended.stderr, "in JSON": (folder / "in_json").read_text()}


@pytest.mark.full
@pytest.mark.parametrize("form", ["for people", "in JSON"])
def test_tracebacks_are_logged_without_local_variables(form: str, logged: dict[str, str]) -> None:
    assert importlib.util.find_spec("rich"), "install rich: it would print local variables"
    told = logged[form]
    for secret in (TOKEN, SEED, HAND):
        assert secret not in told
    assert told.count("Traceback (most recent call last)") == 5
    assert told.count("in draw") == 5
    assert told.count("LookupError: no such card") == 5
    assert "said by discord.py" in told
    assert "said_without_a_fault" in told
    if form == "in JSON":
        lines = [json.loads(line) for line in told.splitlines()]
        assert lines[0]["event"] == "said_by_us"
        assert lines[0]["table"] == "lancelot-1"
        assert ["in draw" in line.get("exception", "") for line in lines] == [True] * 5 + [False]
