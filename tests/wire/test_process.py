"""The real bot as a process: killed at any moment, disconnected, short of disk space, asked to
stop.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import random
import re
import resource
import secrets
import sqlite3
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from data.store.rows import Status
from tests.postgres import shared_server
from tests.wire.joust import Deed, Joust
from tests.wire.kills import FORGETFUL, Figures, given_up, in_jousts, in_rounds, kill_when, process
from tests.wire.process import BotProcess
from tests.wire.rounds import COMPUTERS, Round
from tests.wire.standin import StandIn
from tests.wire.world import Message, Permission, UnansweredError

KILLS = {"bot": 15, FORGETFUL: 8}

KILLS_AT_A_SERVER = 3

KILLS_OF_HANDS = 5

SHORT = {"goal": 1, "starter": 1}
"""Anna begins, and the first stone taken wins."""

OPENING = ("E5", "J5", "H5", "D10")
"""Moves by Anna and Ben in turn; after these, ``WINNING`` takes J5 for Anna."""

WINNING = "K5"

BOARD_POST = r"POST /channels/\d+/messages$"

RESTARTED = "I am restarting; nothing was changed. Please try again in a minute."

either_way = pytest.mark.parametrize("module", ["bot", FORGETFUL], ids=["by_nonce", "by_mark"])
"""Recognise posts by their nonces or, as after a long outage, by their marks alone."""


ADMINISTRATOR = Permission(1 << 3)
"""Includes all other permissions."""

PATIENCE = 10.0
"""The maximum number of seconds to wait for a line of the log."""

pytestmark = pytest.mark.slow("process")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "tafelrunde.sqlite3"


@pytest.fixture
def module() -> str:
    return "bot"


@pytest.fixture
async def bot(discord: StandIn, module: str, tmp_path: Path) -> AsyncIterator[BotProcess]:
    """The real bot, not started yet."""
    async with process(discord, module, tmp_path) as (bot, _):
        yield bot
    print(bot.output[-5000:])


@pytest.fixture
async def joust(discord: StandIn, bot: BotProcess, database: Path) -> Joust:
    """Anna and Ben in a channel, with the bot connected."""
    joust = Joust(discord, database)
    await bot.start()
    return joust


async def test_the_start_logs_the_bot_an_invitation_and_missing_permissions(
    bot: BotProcess, discord: StandIn
) -> None:
    discord.guild("Camelot")
    discord.guild("Avalon").deny(Permission.ATTACH_FILES | ADMINISTRATOR)
    await bot.start()
    async with asyncio.timeout(PATIENCE):
        while "permissions_missing" not in bot.output:  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.01)
    told = re.sub(r"\x1b\[[0-9;]*m", "", bot.output)
    assert re.search(rf"on_discord .*id={discord.world.bot.id} servers=2", told)
    assert re.search(r"invite_the_bot .*link=.https://\S+ permissions=\d+", told)
    (missing,) = [line for line in told.splitlines() if "permissions_missing" in line]
    assert "Avalon" in missing
    assert "Attach Files" in missing
    assert "Camelot" not in missing
    assert await bot.terminate() == 0


# ---------------------------------------------------------------------------------- kills
@either_way
async def test_kills_at_random_moments_lose_and_double_nothing(
    discord: StandIn, bot: BotProcess, joust: Joust, module: str
) -> None:
    seed = int(os.environ.get("WIRE_SEED", secrets.randbelow(2**32)))
    note = f"WIRE_SEED={seed}"
    print(note)
    chaos = random.Random(seed)
    figures = Figures()
    await in_jousts(bot, joust, KILLS[module], chaos, figures, note)
    assert figures.kills >= KILLS[module]
    assert figures.acknowledged
    assert figures.boards


async def test_kills_lose_and_double_nothing_that_is_kept_at_a_server(
    discord: StandIn, tmp_path: Path
) -> None:
    """The short form of ``python -m tests.wire.kills --server``."""
    seed = int(os.environ.get("WIRE_SEED", secrets.randbelow(2**32)))
    note = f"WIRE_SEED={seed}"
    print(note)
    figures = Figures()
    with shared_server().house() as house:
        async with process(discord, "bot", tmp_path, house) as (bot, _):
            joust = Joust(discord, house)
            await bot.start()
            await in_jousts(bot, joust, KILLS_AT_A_SERVER, random.Random(seed), figures, note, 1)
            print(bot.output[-5000:])
    assert figures.kills >= KILLS_AT_A_SERVER
    assert figures.acknowledged


@pytest.mark.parametrize(
    ("game", "module"),
    [
        pytest.param("donquixote", FORGETFUL, id="donquixote-by_mark", marks=pytest.mark.long),
        pytest.param("isolde", "bot", id="isolde-by_nonce", marks=pytest.mark.long),
        pytest.param("donquixote", "bot", id="donquixote-by_nonce"),
        pytest.param("isolde", FORGETFUL, id="isolde-by_mark"),
    ],
)
async def test_kills_leave_one_hand_with_buttons_to_each(
    discord: StandIn, bot: BotProcess, database: Path, game: str
) -> None:
    """The kills come during moves from hands, private or in direct messages: each current message
    exists once, and no older one has usable buttons.
    """
    seed = int(os.environ.get("WIRE_SEED", secrets.randbelow(2**32)))
    note = f"WIRE_SEED={seed}"
    print(note)
    chaos = random.Random(seed)
    await bot.start()
    table = Round(discord, database, 2, chaos)
    figures = Figures()
    await in_rounds(bot, table, game, KILLS_OF_HANDS, chaos, figures, note)
    assert figures.hands == KILLS_OF_HANDS


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
async def test_a_kill_at_any_request_of_the_winning_move_loses_nothing(
    discord: StandIn, bot: BotProcess, joust: Joust, late: bool
) -> None:
    """The bot still posts the result once, and no board twice."""
    for skip in itertools.count():
        await joust.open(**SHORT)
        for person, square in zip(itertools.cycle(joust.people), OPENING, strict=False):
            await joust.place(person, square)
        trap = discord.faults.trap(late=late, skip=skip)
        struck = await kill_when(trap, bot, win(joust))
        discord.faults.clear()
        await bot.start()
        record = await joust.settled()
        if record.status is Status.RUNNING:
            await joust.place(joust.anna, WINNING)
        await joust.check(f"request {skip}")
        if not struck:
            break
    # Acknowledge, post the result, delete the board, confirm: these are all the requests.
    assert skip >= 4 - late


async def win(joust: Joust) -> None:
    """Make the winning move, and wait until the board is deleted."""
    await joust.place(joust.anna, WINNING)
    await joust.discord.world.until(lambda: not joust.boards, what="the last board to go")


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
async def test_a_kill_at_any_request_of_the_opening_leaves_a_usable_table(
    discord: StandIn, bot: BotProcess, joust: Joust, late: bool
) -> None:
    for skip in itertools.count():
        trap = discord.faults.trap(late=late, skip=skip)
        struck = await kill_when(trap, bot, joust.open(**SHORT))
        discord.faults.clear()
        await bot.start()
        await joust.open(**SHORT)
        await joust.place(joust.anna, OPENING[0])
        await joust.check(f"request {skip}")
        await joust.end()
        if not struck:
            break
    assert skip >= 6, "opening, joining and starting each take an acknowledgement and a message"


async def test_a_move_before_the_bot_has_caught_up_is_reported_last(
    discord: StandIn, bot: BotProcess, joust: Joust
) -> None:
    await joust.open(**SHORT)
    for late in (False, True):
        (mover, first), (follower, second) = (
            zip(joust.people, OPENING[:2], strict=True)
            if not late
            else zip(joust.people, OPENING[2:], strict=True)
        )
        trap = discord.faults.trap(BOARD_POST, late=late)
        assert await kill_when(trap, bot, joust.place(mover, first))
        discord.faults.clear()
        await bot.start()
        await joust.place(follower, second)
        await joust.check(f"late={late}")


async def test_no_worker_process_outlives_the_bot_however_it_ends(
    discord: StandIn, bot: BotProcess, joust: Joust
) -> None:
    for end in (bot.kill, bot.terminate):
        lobby = await _open_with_computer(discord, joust)
        await joust.anna.press(lobby, "Start")
        await discord.world.until(lambda: joust.boards, what="the lots to be drawn")
        await joust.place(joust.anna, "E5")
        await discord.world.until(
            lambda: len(set(joust.told)) == 2, what="the computer player's move"
        )
        thinkers = bot.descendants()
        assert thinkers
        await end()
        await discord.world.until(
            lambda thinkers=thinkers: not any(p.is_running() for p in thinkers),  # type: ignore[misc]
            what=f"{thinkers} to end",
        )
        await bot.start()
        await joust.end()


# ----------------------------------------------------------------------------- disturbances
async def test_no_bot_outlives_whoever_started_it(discord: StandIn, tmp_path: Path) -> None:
    """When the test closes its pipe to the launcher, the launcher kills the bot, even if the bot
    has not connected yet.
    """
    async with process(discord, "bot", tmp_path) as (bot, _):
        await bot.begin()
        pid = bot.pid
        assert psutil.pid_exists(pid)
    await discord.world.until(lambda: not psutil.pid_exists(pid), what="the bot's end")


async def test_a_dropped_connection_is_resumed_and_play_continues(
    discord: StandIn, joust: Joust
) -> None:
    """Moves made while the bot was disconnected are handled after it has resumed."""
    await joust.open(**SHORT)
    for person, square in zip(itertools.cycle(joust.people), (*OPENING, WINNING), strict=False):
        discord.gateway.drop()
        await joust.place(person, square)
    await joust.check("dropped")
    assert discord.gateway.identified == 1
    assert discord.gateway.resumed == len(OPENING) + 1


async def test_an_invalid_session_is_replaced(discord: StandIn, joust: Joust) -> None:
    await joust.open(**SHORT)
    await discord.gateway.invalidate()
    await discord.world.until(lambda: discord.gateway.identified == 2)
    await joust.place(joust.anna, OPENING[0])
    await joust.check("invalidated")


async def test_rate_limits_delay_but_lose_nothing(discord: StandIn, joust: Joust) -> None:
    """Every kind of request in a move is rate limited once; each board is still posted once."""
    await joust.open(**SHORT)
    limits = [
        discord.faults.rate_limit(pattern, retry_after=0.05)
        for pattern in (r"/callback$", BOARD_POST, r"DELETE /channels/", r"PATCH /webhooks/")
    ]
    for person, square in zip(joust.people, OPENING[:2], strict=True):
        await joust.place(person, square)
    assert [limit.hits for limit in limits] == [1] * len(limits)
    await joust.check("rate limited")


async def test_a_rate_limit_that_names_no_time_is_a_failure_like_others(
    discord: StandIn, bot: BotProcess, joust: Joust
) -> None:
    """A limited board follows later; a limited acknowledgement does not stop the move from
    counting; a limited confirmation affects nothing else.
    """
    await joust.open(**SHORT)
    discord.faults.rate_limit(BOARD_POST, retry_after=None)
    first = joust.anna.slash(joust.room, "lancelot place", square=OPENING[0])
    joust.deeds.append(Deed(first, joust.anna, OPENING[0]))
    assert "could not post the board" in (await first.answer()).text
    await joust.settled()
    for person, square, pattern in (
        (joust.ben, OPENING[1], r"/callback$"),
        (joust.anna, OPENING[2], r"PATCH /webhooks/.*@original"),
    ):
        limit = discord.faults.rate_limit(pattern, retry_after=None)
        act = person.slash(joust.room, "lancelot place", square=square)
        joust.deeds.append(Deed(act, person, square))
        await discord.world.until(lambda limit=limit: limit.hits)  # type: ignore[misc]
        await joust.books.until_played(joust.code, OPENING.index(square) + 1)
    await joust.place(joust.ben, OPENING[3])
    await joust.check("no time named")
    assert "Traceback" not in bot.output


async def test_a_long_rate_limit_frees_the_table(
    discord: StandIn, bot: BotProcess, joust: Joust
) -> None:
    """Discord accepts no board for an hour: the bot asks once; people learn how long this lasts,
    keep playing, and delay neither each other nor a shutdown. The next process posts the delayed
    boards.
    """
    await joust.open(**SHORT)
    limit = discord.faults.rate_limit(BOARD_POST, retry_after=3600, times=99)
    first = joust.anna.slash(joust.room, "lancelot place", square=OPENING[0])
    joust.deeds.append(Deed(first, joust.anna, OPENING[0]))
    told = (await first.answer()).text
    assert "Your move counts, but I could not post the board. Discord is holding back" in told
    assert "holding back" in (await joust.ben.slash(joust.room, "table show").answer()).text
    second = joust.ben.slash(joust.room, "lancelot place", square=OPENING[1])
    joust.deeds.append(Deed(second, joust.ben, OPENING[1]))
    assert "Your move counts" in (await second.answer()).text
    assert limit.hits == 1
    assert await bot.terminate() == 0
    assert "farewell_cut_short" not in bot.output
    discord.faults.clear()
    await bot.start()
    await joust.settled()
    assert "holding back" not in (await joust.ben.slash(joust.room, "table show").answer()).text
    await joust.place(joust.anna, OPENING[2])
    await joust.check("long rate limit")


async def test_a_permission_given_back_takes_effect_within_seconds(
    discord: StandIn, joust: Joust
) -> None:
    """The bot may not write because of the channel, its role or a time-out, and the person who
    moves learns why. Discord reports the change, and the board appears without another press.
    """
    await joust.open(**SHORT)
    room, server = joust.room, joust.room.guild
    assert server is not None
    silent, all_back = Permission.SEND_MESSAGES, Permission(0)
    hindrances = (
        (partial(room.deny, silent), partial(room.deny, all_back)),
        (partial(server.deny, silent), partial(server.deny, all_back)),
        (partial(server.time_out, True), partial(server.time_out, False)),
    )
    moves = zip(itertools.cycle(joust.people), OPENING, hindrances, strict=False)
    for person, square, (take, give_back) in moves:
        take()
        act = person.slash(joust.room, "lancelot place", square=square)
        joust.deeds.append(Deed(act, person, square))
        told = (await act.answer()).text
        assert "I lack these permissions: " in told
        assert "Send Messages" in told
        give_back()
        await joust.settled()
    await joust.check("hindered")


async def test_a_locked_thread_continues_once_it_is_open_again(
    discord: StandIn, joust: Joust
) -> None:
    """The bot may not open the thread. A move from elsewhere counts, its player learns why the
    board is missing, and the board follows without another press.
    """
    parent, joust.room = joust.room, joust.room.thread("joust")
    parent.deny(Permission.MANAGE_THREADS)
    await joust.open(**SHORT)
    joust.room.lock(True)
    act = joust.anna.slash(parent, "lancelot place", square=OPENING[0], table=joust.code)
    joust.deeds.append(Deed(act, joust.anna, OPENING[0]))
    assert "thread is closed" in (await act.answer()).text
    joust.room.lock(False)
    await joust.settled()
    await joust.check("locked")


async def test_a_bot_that_is_invited_again_continues_in_its_channels(
    discord: StandIn, joust: Joust
) -> None:
    await joust.open(**SHORT)
    server = joust.room.guild
    assert server is not None
    server.throw_out()
    await joust.books.until(joust.code, lambda record: record.status is Status.PARKED)
    server.invite()
    await joust.books.until(joust.code, lambda record: record.status is Status.RUNNING)
    await joust.place(joust.anna, OPENING[0], by_buttons=True)
    await joust.check("invited again")


async def test_a_server_error_after_the_effect_doubles_nothing(
    discord: StandIn, joust: Joust
) -> None:
    """Discord stores the board but answers 500."""
    await joust.open(**SHORT)
    error = discord.faults.fail(BOARD_POST, late=True)
    await joust.place(joust.anna, OPENING[0])
    assert error.hits == 1
    await joust.check("server error")


@pytest.mark.parametrize("module", [FORGETFUL])
async def test_an_outage_longer_than_the_memory_for_nonces_doubles_nothing(
    discord: StandIn, joust: Joust
) -> None:
    """Discord stores a board but reports an error, and fails again when the bot looks for the
    board. The nonce counts as forgotten, so the bot goes by the mark.
    """
    await joust.open(**SHORT)
    discord.faults.fail(BOARD_POST, status=503, late=True)
    act = joust.anna.slash(joust.room, "lancelot place", square=OPENING[0])
    joust.deeds.append(Deed(act, joust.anna, OPENING[0]))
    assert "could not post the board" in (await act.answer()).text
    outage = discord.faults.fail("GET .*/messages", status=503)
    await discord.world.until(lambda: outage.hits, what="the bot to look for the board")
    await joust.place(joust.ben, OPENING[1])
    await joust.check("outage")


async def test_a_slow_board_is_overtaken_by_the_next_move(discord: StandIn, joust: Joust) -> None:
    await joust.open(**SHORT)
    trap = discord.faults.trap(BOARD_POST)
    first = asyncio.create_task(joust.place(joust.anna, OPENING[0]))
    await trap.sprung()
    second = asyncio.create_task(joust.place(joust.ben, OPENING[1]))
    await discord.world.until(lambda: len(joust.deeds) == 2 and joust.deeds[1].act.acknowledged)
    await joust.books.until_played(joust.code, 2)
    trap.open()
    await asyncio.gather(first, second)
    await joust.check("slow")


async def test_an_interaction_delivered_twice_counts_once(discord: StandIn, joust: Joust) -> None:
    await joust.open(**SHORT)
    for person, square in zip(joust.people, OPENING[:2], strict=True):
        discord.gateway.stutter()
        await joust.place(person, square)
    await joust.check("stutter")
    assert len((await joust.record()).moves) == 2


async def test_an_acknowledgement_whose_answer_is_lost_is_built_upon(
    discord: StandIn, joust: Joust
) -> None:
    """Discord accepts the acknowledgement but answers 500; the repetition is refused."""
    await joust.open(**SHORT)
    discord.faults.fail(r"/callback$", late=True)
    await joust.place(joust.anna, OPENING[0])
    await joust.check("lost")


async def test_a_late_interaction_leaves_books_that_agree(discord: StandIn, joust: Joust) -> None:
    """The move arrives too late and fails for the person, but the board shows that it counts, and
    the match continues.
    """
    await joust.open(**SHORT)
    discord.world.answer_within = 0.01
    discord.gateway.hold()
    with pytest.raises(UnansweredError):
        await joust.place(joust.anna, OPENING[0])
    discord.gateway.release()
    await discord.world.until(lambda: joust.deeds[0].act.refusals == [10062])
    discord.world.answer_within = 3.0
    await joust.books.until_played(joust.code, 1)
    await joust.settled()
    await joust.place(joust.ben, OPENING[1])
    await joust.check("late")


async def test_a_full_disk_refuses_and_recovers(
    discord: StandIn, bot: BotProcess, joust: Joust, database: Path
) -> None:
    """For a while, the write-ahead log of the database may not grow."""
    await joust.open(**SHORT)
    size = database.with_name(f"{database.name}-wal").stat().st_size
    no_limit = resource.RLIM_INFINITY
    resource.prlimit(bot.pid, resource.RLIMIT_FSIZE, (size, no_limit))
    for _ in range(2):
        act = joust.anna.slash(joust.room, "lancelot place", square=OPENING[0])
        joust.deeds.append(Deed(act, joust.anna, OPENING[0]))
        assert "I cannot access my records" in (await act.answer()).text
    resource.prlimit(bot.pid, resource.RLIMIT_FSIZE, (no_limit, no_limit))
    await joust.place(joust.anna, OPENING[0])
    await joust.check("limited")
    events = [word for word in plain(bot.output).split() if word.startswith("store_")]
    assert events == ["store_problem", "store_works_again"]
    assert "Traceback" not in bot.output


# ---------------------------------------------------------------------------------- leaving
async def test_the_bot_leaves_when_asked(discord: StandIn, bot: BotProcess, joust: Joust) -> None:
    """SIGTERM comes during a move."""
    await joust.open(**SHORT)
    trap = discord.faults.trap(BOARD_POST)
    moving = asyncio.create_task(joust.place(joust.anna, OPENING[0]))
    await trap.sprung()
    assert await bot.terminate() == 0
    discord.faults.clear()
    await given_up(moving)
    assert not discord.gateway.connected
    await bot.start()
    await joust.settled()
    await joust.place(joust.ben, OPENING[1])
    await joust.check("terminated")
    assert "Traceback" not in bot.output


async def test_acts_during_a_shutdown_are_done_or_refused_in_words(
    discord: StandIn, bot: BotProcess, joust: Joust
) -> None:
    """Anna's move has been stored but its board is stuck: she learns that it counts. Ben and Anna
    act while the bot waits for the board: they learn that the bot is restarting. Afterwards all
    records agree.
    """
    await joust.open(**SHORT)
    trap = discord.faults.trap(BOARD_POST)
    first = joust.anna.slash(joust.room, "lancelot place", square=OPENING[0])
    joust.deeds.append(Deed(first, joust.anna, OPENING[0]))
    await trap.sprung()
    leaving = asyncio.create_task(bot.terminate())
    while (await joust.anna.press(joust.boards[-1], "More…").answer()).text != RESTARTED:
        assert not leaving.done()
    act = joust.ben.slash(joust.room, "lancelot place", square=OPENING[1])
    joust.deeds.append(Deed(act, joust.ben, OPENING[1]))
    assert (await act.answer()).text == RESTARTED
    assert "That counts, but" in (await first.answer()).text
    assert await leaving == 0
    discord.faults.clear()
    assert "Traceback" not in bot.output
    await bot.start()
    await joust.settled()
    await joust.place(joust.ben, OPENING[1])
    await joust.check("left")


async def test_a_storm_of_presses_leaves_no_trace_of_an_error(
    discord: StandIn, bot: BotProcess, joust: Joust
) -> None:
    await joust.open(**SHORT)
    leaving = asyncio.create_task(bot.terminate())
    while not leaving.done():
        joust.anna.press(joust.boards[-1], "More…")
        await asyncio.sleep(0.005)
    assert await leaving == 0
    assert "Traceback" not in bot.output
    assert "[error" not in plain(bot.output)


@pytest.mark.parametrize("stuck", ["goodbye", "lock", "thinker"])
async def test_nothing_delays_the_exit(
    discord: StandIn, bot: BotProcess, joust: Joust, database: Path, stuck: str
) -> None:
    """Discord no longer confirms that connections end, another program has locked the file while a
    move is being stored, or the worker process is frozen. The bot still exits when asked.
    """
    if stuck == "thinker":
        lobby = await _open_with_computer(discord, joust)
        await joust.anna.press(lobby, "Start")
        await discord.world.until(lambda: joust.boards, what="the lots to be drawn")
        await joust.place(joust.anna, "E5")
        await discord.world.until(lambda: len(set(joust.told)) == 2)
        for thinker in bot.descendants():
            thinker.suspend()
        free = next(square for square in ("J5", "J6") if square not in joust.told)
        await joust.place(joust.anna, free)
    else:
        await joust.open(**SHORT)
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as other:
        if stuck == "lock":
            other.execute("BEGIN IMMEDIATE")
            joust.anna.slash(joust.room, "lancelot place", square=OPENING[0])
            await asyncio.sleep(0.2)
        if stuck == "goodbye":
            discord.gateway.ignore_goodbyes()
        thinkers = bot.descendants()
        assert await bot.terminate() == 0
    await discord.world.until(lambda: not any(p.is_running() for p in thinkers))
    assert "Traceback" not in bot.output


# ------------------------------------------------------------------------------- arriving
async def test_the_bot_waits_for_discord(discord: StandIn, bot: BotProcess, database: Path) -> None:
    """Discord is unreachable during login and again during registration of the commands: each
    failed attempt logs one line, and then the bot connects.
    """
    for request in ("GET /users/@me$", "PUT /applications/.*/commands"):
        discord.faults.fail(request, status=503)
    await bot.start()
    lines = plain(bot.output).splitlines()
    assert sum("discord_unreachable" in line for line in lines) == 2
    assert "Traceback" not in bot.output
    joust = Joust(discord, database)
    await joust.open(**SHORT)


async def test_the_bot_waits_for_the_gateway(discord: StandIn, bot: BotProcess) -> None:
    discord.faults.fail("GET /gateway/?$", status=503, times=2)
    await bot.start()
    assert discord.gateway.connected
    assert "voice" not in bot.output


async def test_a_bot_that_waits_for_discord_leaves_at_once(
    discord: StandIn, bot: BotProcess
) -> None:
    """The bot is pausing, or in the middle of an attempt to log in."""
    for disturb in (partial(discord.faults.fail, status=503), discord.faults.trap):
        fault = disturb("GET /users/@me$")
        await bot.begin()
        await discord.world.until(lambda fault=fault: fault.hits)  # type: ignore[misc]
        assert await bot.terminate() == 0
        discord.faults.clear()
    assert "Traceback" not in bot.output


async def test_a_wrong_token_is_reported(
    discord: StandIn, bot: BotProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    discord.world.token = "another"
    await bot.begin()
    assert await bot.ended() == 2
    assert "does not know this DISCORD_TOKEN" in bot.output


def plain(output: str) -> str:
    """The bot's log without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", output)


async def _open_with_computer(discord: StandIn, joust: Joust) -> Message:
    options = {"goal": 9, "starter": 1, "seating": "joined", "thread": False}
    await joust.anna.slash(joust.room, "lancelot new", **options)
    lobby = await discord.world.until(lambda: joust.lobby)
    joust.code = lobby.text.split("`")[1]
    await joust.anna.choose(lobby, COMPUTERS, "Computer player: novice")
    await discord.world.until(lambda: "Merlin" in lobby.text)
    return lobby
