"""How much one person who presses as fast as Discord allows slows down the others.

``python -m benchmarks.crowd [--tables N] [--rounds N] [--seconds S] [--windows N] [--seed N]``

The real bot runs as its own process against a stand-in Discord over sockets on the same machine. At
some tables people type a move now and then. They alternate between having the bot to themselves and
sharing it with someone at another table who requests replay pages, boards and hints in several
windows, pressing again soon after the last press in that window is acknowledged. The usual limits
apply to everyone. For the others' commands, with and without company, it prints the milliseconds
until they were acknowledged and until the board showed the move, and the ratios of the 99th
percentiles.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from benchmarks.scale import rested
from tests.wire.joust import Joust
from tests.wire.kills import process
from tests.wire.people import Person
from tests.wire.standin import StandIn
from tests.wire.world import Interaction, Message, UnansweredError

PAUSE = (0.3, 0.9)
"""Seconds between two moves at a table."""

SQUARES = ("K4", "D4", "E8", "F8", "G5", "H5")
"""The moves at the busy person's table, so that there is a match to replay."""

BLINK = 0.2
"""Seconds from an acknowledgement to the next press in a window: the round trip through Discord and
a person's reaction time.
"""

ACKNOWLEDGED, SHOWN = 2.0, 3.0
"""The highest acceptable ratios."""

Press = Callable[[], Interaction]


@dataclass(slots=True)
class Waits:
    """How many seconds people waited, either with the bot to themselves or while the busy person
    pressed.

    :ivar presses: how often the busy person pressed.
    """

    acknowledged: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    presses: int = 0


# ----------------------------------------------------------------------------------- others
async def play(joust: Joust, waits: Waits, chaos: random.Random) -> None:
    """Move at a table until cancelled."""
    while True:
        match = (await joust.settled()).match
        while match.outcome is None:
            await asyncio.sleep(chaos.uniform(*PAUSE))
            (seat,) = match.actors
            square = chaos.choice(match.game.legal(match.state, seat))
            begun = time.monotonic()
            await joust.people[seat].slash(joust.room, "lancelot place", square=square)
            acknowledged = time.monotonic() - begun
            match.play(seat, (square,))
            await joust.discord.world.until(
                lambda square=square: (  # type: ignore[misc]
                    joust.told[-1:] == [square] or joust.results
                ),
                what="the board",
            )
            waits.acknowledged.append(acknowledged)
            waits.shown.append(time.monotonic() - begun)
        await joust.open()


# ------------------------------------------------------------------------------ who presses
async def again_and_again(press: Press, waits: Waits) -> None:
    """Press again and again, each time BLINK seconds after the last press is acknowledged."""
    while True:
        with suppress(UnansweredError, LookupError):
            await press()
            waits.presses += 1
        await asyncio.sleep(BLINK)


async def windows_of(joust: Joust, each: int) -> list[Press]:
    """Return the presses that Anna makes at a table: one for each window.

    :param each: the number of windows of each kind.
    """
    windows = list[Press]()
    for _ in range(each):
        page = await (await joust.anna.slash(joust.room, "table replay")).answer()
        windows += [turning(joust.anna, page), lambda: look(joust)]
        windows += [lambda: joust.anna.slash(joust.room, "table hint")]
    return windows


def turning(person: Person, page: Message) -> Press:
    """Return presses that turn the pages of a replay back and forth."""
    labels = cycle(("◀ Back", "Next ▶"))
    return lambda: person.press(page, next(labels))


def look(joust: Joust) -> Interaction:
    """Ask for the board with the legal moves."""
    board = joust.boards[-1]
    where = next(each for each in board.buttons if ":where" in each["custom_id"])
    return joust.anna.press(board, where["custom_id"])


# -------------------------------------------------------------------------------- measuring
async def stretch(acts: Sequence[Awaitable[None]], seconds: float) -> None:
    """Have people act for this many seconds."""
    tasks = [asyncio.ensure_future(act) for act in acts]
    done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


async def measured(options: argparse.Namespace) -> tuple[Waits, Waits]:
    """Measure how long others waited: alone, and while the busy person presses."""
    chaos, alone, beside = random.Random(options.seed), Waits(), Waits()
    async with AsyncExitStack() as opened:
        folder = Path(opened.enter_context(TemporaryDirectory()))
        discord = await opened.enter_async_context(StandIn())
        bot, place = await opened.enter_async_context(process(discord, "bot", folder, pixels=True))
        await bot.start()
        jousts = [Joust(discord, place) for _ in range(1 + options.tables)]
        for joust in jousts:
            await joust.open(starter=1)
        presser, *others = jousts
        for number, square in enumerate(SQUARES):
            await presser.place(presser.people[number % 2], square)
        await rested([bot], discord)
        windows = await windows_of(presser, options.windows)
        for _ in range(options.rounds):
            await stretch([play(each, alone, chaos) for each in others], options.seconds)
            acts = [again_and_again(press, beside) for press in windows]
            acts += [play(each, beside, chaos) for each in others]
            await stretch(acts, options.seconds)
    return alone, beside


def tell(name: str, waits: Waits) -> None:
    told = ""
    for seconds in (waits.acknowledged, waits.shown):
        cuts = [1000 * cut for cut in quantiles(seconds, n=100)]
        told += f"{cuts[49]:>10.1f}{cuts[98]:>10.1f}"
    print(f"{name:<8}{len(waits.shown):>7}{told}{waits.presses:>9}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--windows", type=int, default=2, help="of each kind")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    options = parser.parse_args()
    print(f"--seed {options.seed}; {options.tables} tables, {options.windows} windows of each kind")
    alone, beside = asyncio.run(measured(options))
    print("          moves   ack p50       p99 board p50       p99  presses")
    tell("alone", alone)
    tell("beside", beside)
    for what, most, before, after in (
        ("acknowledgement", ACKNOWLEDGED, alone.acknowledged, beside.acknowledged),
        ("board", SHOWN, alone.shown, beside.shown),
    ):
        ratio = quantiles(after, n=100)[98] / quantiles(before, n=100)[98]
        print(f"p99 until {what}: {ratio:.2f} times as long; at most {most:g} are allowed")


if __name__ == "__main__":
    main()
