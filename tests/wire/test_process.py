"""The real bot as a process: killed at any moment, cut off, starved, asked to leave."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import random
import secrets
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any

import pytest

from data.store.rows import Status
from tests.wire.faults import Trap
from tests.wire.joust import Deed, Joust
from tests.wire.process import BotProcess
from tests.wire.rounds import Round
from tests.wire.standin import StandIn
from tests.wire.world import Message, UnansweredError

KILLS = {"bot": 50, "tests.wire.forgetful": 25}

KILLS_OF_HANDS = 16

LONGEST_MOVE = 0.3
"""Seconds within which a move is usually done: kills by time fall into them."""

REQUESTS_OF_A_MOVE = 8
"""Requests that the bot makes for a move, at most: kills by request fall between them."""

SHORT = {"goal": 1, "starter": 1}
"""Anna begins, and the first stone taken wins."""

OPENING = ("E5", "J5", "H5", "D10")
"""Anna, Ben, Anna, Ben: after these, ``WINNING`` takes J5 for Anna."""

WINNING = "K5"

BOARD_POST = r"POST /channels/\d+/messages$"

FORGETFUL = "tests.wire.forgetful"

either_way = pytest.mark.parametrize("module", ["bot", FORGETFUL], ids=["by_nonce", "by_mark"])
"""With posts known again by their nonces, and, as after a long outage, by their marks alone."""


pytestmark = pytest.mark.slow("process")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The bot's database file."""
    return tmp_path / "tafelrunde.sqlite3"


@pytest.fixture
def module() -> str:
    """What is run as the bot."""
    return "bot"


@pytest.fixture
async def bot(
    discord: StandIn, module: str, tmp_path: Path, database: Path
) -> AsyncIterator[BotProcess]:
    """The real bot, not started yet."""
    environment = {
        "DISCORD_TOKEN": discord.token,
        "TAFELRUNDE_DATABASE": str(database),
        "TAFELRUNDE_COMPUTER_PAUSE": "0",
    }
    async with BotProcess(discord, module, environment, tmp_path / "bot.log") as process:
        yield process
    print(process.output[-5000:])


@pytest.fixture
def forgetting(discord: StandIn, module: str) -> None:
    """Discord remembers no nonce, if the bot is the one that knows how to live with it."""
    if module == FORGETFUL:
        discord.world.nonce_memory = 0


@pytest.fixture
async def joust(discord: StandIn, bot: BotProcess, database: Path) -> Joust:
    """Anna and Ben in a channel, the bot listening."""
    joust = Joust(discord, database)
    await bot.start()
    return joust


# ---------------------------------------------------------------------------------- kills
@either_way
@pytest.mark.usefixtures("forgetting")
async def test_kills_at_random_moments_lose_and_double_nothing(
    discord: StandIn, bot: BotProcess, joust: Joust, module: str
) -> None:
    """Many kills in the midst of moves: whatever was confirmed counts, nothing counts twice, every
    move is told once, and the games end as their logs say."""
    seed = int(os.environ.get("WIRE_SEED", secrets.randbelow(2**32)))
    note = f"WIRE_SEED={seed}"
    print(note)
    chaos = random.Random(seed)
    kills = 0
    while kills < KILLS[module]:
        await joust.open(goal=4)
        while (match := (await joust.settled()).match).outcome is None:
            (seat,) = match.actors
            square = chaos.choice(match.game.legal(match.state, seat))
            moving = joust.place(joust.people[seat], square, by_buttons=chaos.random() < 0.5)
            if chaos.random() < 0.8:
                await _kill_in_the_midst(discord, bot, moving, chaos)
                kills += 1
                await bot.start()
            else:
                await moving
        await joust.check(note)


@either_way
@pytest.mark.usefixtures("forgetting")
@pytest.mark.parametrize("game", ["donquixote", "isolde"])
async def test_kills_leave_one_hand_with_buttons_to_each(
    discord: StandIn, bot: BotProcess, database: Path, game: str
) -> None:
    """Killed in the midst of moves from hands in direct messages: of all that was ever posted, only
    what serves now can be pressed, and it stands once."""
    seed = int(os.environ.get("WIRE_SEED", secrets.randbelow(2**32)))
    note = f"WIRE_SEED={seed}"
    print(note)
    chaos = random.Random(seed)
    await bot.start()
    table = Round(discord, database, 2, chaos)
    await table.open(game)
    for _ in range(KILLS_OF_HANDS):
        if (await table.books.told(table.code)).table.over:
            await table.open(game)
        await _kill_in_the_midst(discord, bot, table.move(), chaos)
        await bot.start()
        if chaos.random() < 0.5:
            await table.move()  # before the bot has looked round
        (await table.books.told(table.code)).check_live(discord.world, note)


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
async def test_a_kill_at_any_request_of_the_winning_move_loses_nothing(
    discord: StandIn, bot: BotProcess, joust: Joust, late: bool
) -> None:
    """Killed at the first, second, … last request of a move, before or after it took effect: the
    board and the result are told once all the same."""
    for skip in itertools.count():
        await joust.open(**SHORT)
        for person, square in zip(itertools.cycle(joust.people), OPENING, strict=False):
            await joust.place(person, square)
        trap = discord.faults.trap(late=late, skip=skip)
        struck = await _kill_when(trap, bot, joust.place(joust.anna, WINNING))
        discord.faults.clear()
        await bot.start()
        record = await joust.settled()
        if record.status is Status.RUNNING:
            await joust.place(joust.anna, WINNING)
        await joust.check(f"request {skip}")
        if not struck:
            break
    assert skip >= 4, "a move takes an acknowledgement, a board, a result and a confirmation"


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
async def test_a_kill_at_any_request_of_the_opening_leaves_a_usable_table(
    discord: StandIn, bot: BotProcess, joust: Joust, late: bool
) -> None:
    """Killed while a table is opened, joined or started: people can go on from what they see."""
    for skip in itertools.count():
        trap = discord.faults.trap(late=late, skip=skip)
        struck = await _kill_when(trap, bot, joust.open(**SHORT))
        discord.faults.clear()
        await bot.start()
        await joust.open(**SHORT)
        await joust.place(joust.anna, OPENING[0])
        await joust.check(f"request {skip}")
        await joust.end()
        if not struck:
            break
    assert skip >= 6, "opening, joining and starting take an acknowledgement and a message each"


async def test_a_move_before_the_bot_has_caught_up_is_told_after_what_was_untold(
    discord: StandIn, bot: BotProcess, joust: Joust
) -> None:
    """A board whose posting a kill has cut off, and the move after it, are told once each, although
    the second comes before the restarted bot has looked round."""
    await joust.open(**SHORT)
    for late in (False, True):
        (mover, first), (follower, second) = (
            zip(joust.people, OPENING[:2], strict=True)
            if not late
            else zip(joust.people, OPENING[2:], strict=True)
        )
        trap = discord.faults.trap(BOARD_POST, late=late)
        assert await _kill_when(trap, bot, joust.place(mover, first))
        discord.faults.clear()
        await bot.start()
        await joust.place(follower, second)
        await joust.check(f"late={late}")


async def test_a_kill_leaves_no_process_behind(
    discord: StandIn, bot: BotProcess, joust: Joust
) -> None:
    """The processes in which computer players think end with the bot, however that ends."""
    for end in (bot.kill, bot.terminate):
        lobby = await _open_with_computer(discord, joust)
        await joust.anna.press(lobby, "Start")
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
async def test_a_dropped_connection_is_resumed_and_play_goes_on(
    discord: StandIn, joust: Joust
) -> None:
    """What people press while the connection is torn is played after the bot has resumed."""
    await joust.open(**SHORT)
    for person, square in zip(itertools.cycle(joust.people), (*OPENING, WINNING), strict=False):
        discord.gateway.drop()
        await joust.place(person, square)
    await joust.check("dropped")
    assert discord.gateway.identified == 1
    assert discord.gateway.resumed == len(OPENING) + 1


async def test_an_invalid_session_is_begun_anew(discord: StandIn, joust: Joust) -> None:
    """When Discord forgets the session, the bot identifies again and play goes on."""
    await joust.open(**SHORT)
    await discord.gateway.invalidate()
    await discord.world.until(lambda: discord.gateway.identified == 2)
    await joust.place(joust.anna, OPENING[0])
    await joust.check("invalidated")


async def test_rate_limits_delay_but_lose_nothing(discord: StandIn, joust: Joust) -> None:
    """Every kind of request of a move is rate limited once; each board still comes once."""
    await joust.open(**SHORT)
    limits = [
        discord.faults.rate_limit(pattern, retry_after=0.05)
        for pattern in (r"/callback$", BOARD_POST, r"PATCH /channels/", r"PATCH /webhooks/")
    ]
    for person, square in zip(joust.people, OPENING[:2], strict=True):
        await joust.place(person, square)
    assert [limit.hits for limit in limits] == [1] * len(limits)
    await joust.check("rate limited")


async def test_a_server_error_after_the_effect_doubles_nothing(
    discord: StandIn, joust: Joust
) -> None:
    """Discord stores the board but answers 500: the bot repeats, and the board stands once."""
    await joust.open(**SHORT)
    error = discord.faults.fail(BOARD_POST, late=True)
    await joust.place(joust.anna, OPENING[0])
    assert error.hits == 1
    await joust.check("server error")


@pytest.mark.parametrize("module", [FORGETFUL])
@pytest.mark.usefixtures("forgetting")
async def test_an_outage_longer_than_the_memory_for_nonces_doubles_nothing(
    discord: StandIn, joust: Joust
) -> None:
    """Discord stores a board, then is out of reach until it has forgotten the nonce: the bot finds
    the board by its mark."""
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
    """While a board is still on its way, the next person may move by command: both moves are told,
    each once."""
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
    """A stuttering gateway plays no move twice."""
    await joust.open(**SHORT)
    for person, square in zip(joust.people, OPENING[:2], strict=True):
        discord.gateway.stutter()
        await joust.place(person, square)
    await joust.check("stutter")
    assert len((await joust.record()).moves) == 2


async def test_a_late_interaction_leaves_books_that_agree(discord: StandIn, joust: Joust) -> None:
    """A move that reaches the bot after its time fails for the person, but the board shows that it
    counts, and play goes on."""
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


# ---------------------------------------------------------------------------------- leaving
async def test_the_bot_leaves_when_asked(discord: StandIn, bot: BotProcess, joust: Joust) -> None:
    """SIGTERM in the midst of a move: code 0, connection closed, and the books agree afterwards."""
    await joust.open(**SHORT)
    trap = discord.faults.trap(BOARD_POST)
    moving = asyncio.create_task(joust.place(joust.anna, OPENING[0]))
    await trap.sprung()
    assert await bot.terminate() == 0
    discord.faults.clear()
    await _given_up(moving)
    assert not discord.gateway.connected
    await bot.start()
    await joust.settled()
    await joust.place(joust.ben, OPENING[1])
    await joust.check("terminated")
    assert "Traceback" not in bot.output


# ----------------------------------------------------------------------------------- inside
async def _kill_in_the_midst(
    discord: StandIn, bot: BotProcess, doing: Coroutine[Any, Any, object], chaos: random.Random
) -> None:
    """Kill the bot while someone moves: at a moment, or at one of its requests, before or after
    that took effect."""
    if chaos.random() < 0.3:
        await _kill_when(chaos.uniform(0, LONGEST_MOVE), bot, doing)
    else:
        skip = chaos.randrange(REQUESTS_OF_A_MOVE)
        trap = discord.faults.trap(late=chaos.random() < 0.5, skip=skip)
        await _kill_when(trap, bot, doing)
    discord.faults.clear()


async def _kill_when(
    moment: Trap | float, bot: BotProcess, doing: Coroutine[Any, Any, object]
) -> bool:
    """Kill the bot when a trap springs, or after some seconds, in any case when all is done.

    :returns: whether the bot was killed before all was done.
    """
    waiting = asyncio.create_task(
        moment.sprung() if isinstance(moment, Trap) else asyncio.sleep(moment)
    )
    done = asyncio.create_task(doing)
    await asyncio.wait([waiting, done], return_when=asyncio.FIRST_COMPLETED)
    struck = not done.done()
    await bot.kill()
    await _given_up(waiting)
    await _given_up(done)
    return struck


async def _given_up(task: asyncio.Task[Any]) -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError, UnansweredError):
        await task


async def _open_with_computer(discord: StandIn, joust: Joust) -> Message:
    await joust.anna.slash(joust.room, "lancelot new", goal=9, starter=1, seating="joined")
    lobby = await discord.world.until(lambda: joust.lobby)
    joust.code = lobby.text.split("`")[1]
    await joust.anna.press(lobby, "Computer: novice")
    await discord.world.until(lambda: "Merlin" in lobby.text)
    return lobby
