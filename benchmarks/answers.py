"""How soon presses are acknowledged when many people press at once, compared with a bare bot.

``python -m benchmarks.answers [--people N] [--tables N] [--rounds N]``

The real bot, and a bot that only answers each press with a line, run in separate processes, each
against its own stand-in Discord over sockets. In each round all people press at once: first a
button of the bare bot, then, at their tables, the button that shows the legal moves. At each table
one person gets a picture of the legal moves; the others get a message that says why they cannot
move. It prints the milliseconds from the presses to the acknowledgements; an answer may itself be
the acknowledgement.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

import discord
from discord import ui

from benchmarks.life import NAMES, PATIENCE, ROOT, Life, controls, started
from tests.wire.launch import hurry_discord, point_discord_to
from tests.wire.people import Person
from tests.wire.standin import StandIn
from tests.wire.world import Channel, Message

PLAYERS = 2


# ------------------------------------------------------------------------------ the bare bot
class Bare(discord.Client):
    """Posts a message with a button in every channel, and answers each press with a line."""

    async def on_ready(self) -> None:
        """Post the message with the button."""
        for guild in self.guilds:
            for channel in guild.text_channels:
                view = ui.View(timeout=None)
                view.add_item(ui.Button(label="Press", custom_id="press"))
                await channel.send("Here", view=view)

    async def on_interaction(self, interaction: discord.Interaction[Bare]) -> None:
        """Answer the press."""
        await interaction.response.send_message("Hello", ephemeral=True)


def run_bare(url: str, token: str) -> None:
    point_discord_to(url)
    hurry_discord()
    Bare(intents=discord.Intents(guilds=True)).run(token, log_handler=None)


@asynccontextmanager
async def bare(standin: StandIn, room: Channel) -> AsyncIterator[None]:
    """Run the bare bot; its message is posted when the block begins."""
    command = (sys.executable, "-m", "benchmarks.answers", "--bare", standin.url, standin.token)
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT)
    try:
        await standin.world.until(lambda: room.messages, PATIENCE, "the bare bot")
        yield
    finally:
        process.terminate()
        await process.wait()


# -------------------------------------------------------------------------------- measuring
async def pressed_at_once(presses: Sequence[tuple[Person, Message, str]]) -> list[float]:
    """Make all these presses at once, and return the seconds until each was acknowledged."""
    begun = time.perf_counter()

    async def press(person: Person, message: Message, control: str) -> float:
        await person.press(message, control)
        return time.perf_counter() - begun

    return await asyncio.gather(*(press(*each) for each in presses))


def tell(name: str, rounds: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Print and return one bot's median and 99th percentile in milliseconds, each as the median of
    all rounds.
    """
    cuts = [quantiles(each, n=100) for each in rounds]
    p50, p99 = (1000 * median(cut[at] for cut in cuts) for at in (49, 98))
    print(f"{name:<10} p50 {p50:7.1f} ms   p99 {p99:7.1f} ms", flush=True)
    return p50, p99


async def measure(options: argparse.Namespace) -> None:
    ours: list[list[float]] = []
    theirs: list[list[float]] = []
    async with AsyncExitStack() as opened:
        folder = Path(opened.enter_context(TemporaryDirectory()))
        here = await opened.enter_async_context(StandIn())
        there = await opened.enter_async_context(StandIn())
        room = there.guild("Camelot").channel("room")
        here.world.answer_within = there.world.answer_within = PATIENCE  # the machine may be busy
        visitors = [there.person(f"Visitor {n}") for n in range(options.people)]
        await opened.enter_async_context(bare(there, room))

        bot = await opened.enter_async_context(started(here, folder, folder / "a.sqlite3", 1))
        camelot = here.guild("Camelot")
        presses = []
        for number in range(options.tables):
            players = [here.person(f"{name} {number}") for name in NAMES[:PLAYERS]]
            channel = camelot.channel(f"room-{number}")
            life = Life(here, bot, players, channel, random.Random(number))
            await life.open("lancelot")
            board = life.board
            assert board is not None
            where = controls(board, "where")[0]["custom_id"]
            onlookers = options.people // options.tables - PLAYERS
            others = [here.person(f"Onlooker {number}-{n}") for n in range(onlookers)]
            presses += [(person, board, where) for person in (*players, *others)]
        greeting = [(visitor, room.messages[-1], "press") for visitor in visitors]
        await pressed_at_once(greeting)  # to open connections before measuring
        await pressed_at_once(presses)
        await life.rest()
        for _ in range(options.rounds):
            theirs.append(await pressed_at_once(greeting[: len(presses)]))
            await life.rest()
            ours.append(await pressed_at_once(presses))
            await life.rest()
    print(f"{len(presses)} people at once, {options.tables} pictures; {options.rounds} rounds")
    bare_cuts, own_cuts = tell("bare", theirs), tell("the bot", ours)
    ratios = [own / its for own, its in zip(own_cuts, bare_cuts, strict=True)]
    print(f"ratios     p50 {ratios[0]:7.2f}      p99 {ratios[1]:7.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--bare", nargs=2, metavar=("URL", "TOKEN"), help="run the bare bot")
    options = parser.parse_args()
    if options.bare:
        run_bare(*options.bare)
    else:
        asyncio.run(measure(options))


if __name__ == "__main__":
    main()
