"""How computer players do when many tables want a move at the same time.

``python -m benchmarks.thinkers [--tables N ...] [--pause S] [--workers N] [--seconds S]
[--level LEVEL ...] [--seed N] [--needs | --waits]``

At each table, with the games in turn, a computer player has to move again about ``--pause`` seconds
after its last move, in a random position of a random match. One line for each level and number of
tables shows: the shares of moves with full thought, with less, and only at a glance; thoughts per
second; how long tables waited for a move beyond the pause, in pauses; how evenly thoughts were
shared, as the smallest and the largest share of a table divided by the median; and how late the
event loop was. A thought is full if it gets the time with which the level's strength is measured.

``--needs`` measures the CPU time of full thoughts in positions of all games instead, and calculates
how many tables the workers can serve if their processors do nothing else. Further lines give the
mean, the median and the maximum by game. Each thought is repeated in several laps and the fastest
counts, so other work on the machine hardly matters.

``--waits`` measures how long a person waits between their own decisions: against one computer
player and against three, which think one after the other or, as in the bot, at the same time.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import math
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from statistics import fmean, median, quantiles

import structlog

from benchmarks.lag import lags
from data.store.rows import Opening
from data.store.store import Store
from games import GAMES
from games.engine import CHANCE, View
from games.players import LEVELS
from play.computers import SHORTEST, STRONGEST, Thinkers, think
from play.lobby import AddComputer, DrawLots, Start
from play.moves import PlayMoves
from play.opponents import Opponents
from play.table import Table
from play.tables import Tables

DISPERSION = (0.7, 1.3)
"""The shortest and the longest pause, as shares of the mean."""

POSITIONS, LAPS = 60, 4
"""How many positions ``--needs`` measures, and how often it measures each."""


TOGETHER = ("donquixote", "isolde")
"""The games of ``--waits``: in both, all players often choose at the same time."""

DECISIONS = 12
"""How many decisions the person makes at each table of ``--waits``."""


@dataclass(slots=True)
class Player:
    """A computer player that always has to move again after a pause."""

    table_id: int
    views: list[View]
    full: int = 0
    short: int = 0
    quick: int = 0
    waits: list[float] = field(default_factory=list)

    async def play(self, thinkers: Thinkers, level: str, pause: float) -> None:
        """Move until cancelled."""
        await asyncio.sleep(random.random() * pause)  # so that tables do not start together
        while True:
            await asyncio.sleep(pause * random.uniform(*DISPERSION))
            before = time.perf_counter()
            view = random.choice(self.views)
            choice = await thinkers.choose(view, level, table_id=self.table_id)
            self.waits.append(time.perf_counter() - before)
            self.quick += choice.quick
            self.full += choice.full
            self.short += not choice.quick and not choice.full


def decisions(number: int) -> list[View]:
    """Return all decisions of a random match, of two players where possible.

    :param number: the number of the match; consecutive ones take the games in turn.
    """
    game = list(GAMES.values())[number % len(GAMES)]
    rng = random.Random(f"decisions {number}")
    state = game.start(game.setup(max(2, game.info.players[0]), {}, str(number)))
    views = []
    while actors := game.actors(state):
        seat = actors[0]
        if seat == CHANCE:
            move = game.sample(state, rng)
        else:
            views.append(game.view(state, seat))
            move = game.random_move(state, seat, rng)
        game.do(state, seat, move)
    return views


# ---------------------------------------------------------------------------------- a crowd
async def measured(tables: int, level: str, options: argparse.Namespace) -> str:
    thinkers = Thinkers(options.workers)
    matches = [decisions(number) for number in range(min(tables, 2 * len(GAMES)))]
    players = [Player(number, matches[number % len(matches)]) for number in range(tables)]
    await asyncio.gather(
        *(thinkers.advise(matches[0][0], level) for _ in range(options.workers))
    )  # until the workers have started
    tasks = [asyncio.create_task(player.play(thinkers, level, options.pause)) for player in players]
    late = await lags(options.seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    thinkers.close()
    await asyncio.sleep(1)  # until the workers have ended
    full, short, quick = (
        sum(getattr(player, kind) for player in players) for kind in ("full", "short", "quick")
    )
    moves = full + short + quick
    cuts = quantiles([wait / options.pause for p in players for wait in p.waits], n=100)
    shares = sorted(player.full + player.short for player in players)
    middle = median(shares) or 1
    lag = quantiles(late, n=100)
    return (
        f"{level:<12}{tables:>6}  {full / moves:>6.0%}  {short / moves:>6.0%}"
        f"  {quick / moves:>6.0%}  {(full + short) / options.seconds:>8.1f}"
        f"  {cuts[49]:>6.2f}  {cuts[98]:>6.2f}  {shares[0] / middle:>6.2f}"
        f"  {shares[-1] / middle:>6.2f}  {1000 * lag[49]:>6.2f}  {1000 * lag[98]:>6.2f}"
    )


async def crowds(options: argparse.Namespace) -> None:
    print(f"{options.workers} workers, a pause of {options.pause:g} s, seed {options.seed}")
    print(
        "level       tables    full   short   quick  thoughts   waits (pauses)"
        "   share of a table    lag in ms"
    )
    print(f"{'':44}per sec.    p50     p99     least    most     p50     p99")
    for level in options.level:
        for tables in options.tables:
            print(await measured(tables, level, options), flush=True)


# --------------------------------------------------------------------------------- the needs
def needs(level: str, seed: int) -> list[tuple[str, float]]:
    """Return the CPU seconds of full thoughts in positions of all games, each with its game."""
    rng = random.Random(seed)
    views = [rng.choice(decisions(number)) for number in range(POSITIONS)]
    quietest = [math.inf] * POSITIONS
    for _ in range(LAPS):
        for number, view in enumerate(views):
            begin = time.process_time()
            think(view.to_json(), level, f"{seed}/{number}")
            quietest[number] = min(quietest[number], time.process_time() - begin)
    return [(view.game, seconds) for view, seconds in zip(views, quietest, strict=True)]


def shared_out(needed: Sequence[float], time_each: float) -> float:
    """Return the time limit for a single thought with which thoughts take the given time on
    average; time that short thoughts leave over goes to longer ones.
    """
    low, high = SHORTEST, max(needed)
    while high - low > SHORTEST / 100:
        middle = (low + high) / 2
        if fmean(min(need, middle) for need in needed) <= time_each:
            low = middle
        else:
            high = middle
    return high


def most_tables(needed: Sequence[float], cpu: float) -> int:
    """Return the most tables at which nine searches in ten can run to their end, with the rest cut
    off at the ninth decile.

    :param cpu: CPU seconds available for one move at every table.
    """
    enough = quantiles(needed, n=10)[-1]
    return int(cpu / fmean(min(need, enough) for need in needed))


def tell_needs(options: argparse.Namespace) -> None:
    print(f"{options.workers} processors, a pause of {options.pause:g} s, seed {options.seed}")
    print(
        "level         CPU ms: mean    p50    p90   90% full at   tables    full"
        "   longest thought in ms"
    )
    for level in options.level:
        by_game = needs(level, options.seed)
        needed = [seconds for _, seconds in by_game]
        cuts = quantiles(needed, n=10)
        most = most_tables(needed, options.workers * options.pause)
        for tables in options.tables:
            longest = shared_out(needed, options.workers * options.pause / tables)
            full = fmean(need <= longest for need in needed)
            print(
                f"{level:<14}{1000 * fmean(needed):>12.0f}{1000 * cuts[4]:>7.0f}"
                f"{1000 * cuts[8]:>7.0f}{most:>14,}{tables:>9}{full:>8.0%}{1000 * longest:>24.0f}",
                flush=True,
            )
        for game in GAMES:
            own = [1000 * seconds for each, seconds in by_game if each == game]
            print(f"  {game:<12}{fmean(own):>12.0f}{median(own):>7.0f}{max(own):>7.0f} at most")


# --------------------------------------------------------------------------------- the waits
class OneByOne(Opponents):
    """Computer players that think one after the other, for comparison."""

    @cached_property
    def _turn(self) -> asyncio.Lock:
        return asyncio.Lock()

    async def _work(self, job: tuple[int, int], /) -> None:
        async with self._turn:
            await super()._work(job)


async def waits(
    game: str, level: str, against: int, kind: type[Opponents], options: argparse.Namespace
) -> str:
    """Measure how long a person waits in a game against this many computer players of a level,
    which think one by one or together according to ``kind``; return the line.
    """
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(Path(folder) / "waits.sqlite3")
        tables = Tables(store, lambda: datetime.now(UTC), lambda: f"{options.seed:064x}")
        thinkers = Thinkers(options.workers, new_seed=lambda: str(rng.random()))
        players = kind(tables, thinkers, options.pause)
        waited = await _waits(tables, players, game, [level] * against, rng)
        await players.close()
        thinkers.close()
        await store.close()
    cuts = quantiles(waited, n=10)
    name = "one by one" if kind is OneByOne else "together"
    return f"{game:<12}{level:<12}{against:<9}{name:<12}{median(waited):>8.1f}{cuts[8]:>8.1f}"


async def _waits(
    tables: Tables, players: Opponents, game: str, levels: Sequence[str], rng: random.Random
) -> list[float]:
    """Return the seconds for which a person, who moves at random without delay, waits for each
    turn.
    """
    host, changed = 1, asyncio.Event()

    async def own(table: Table) -> Table:
        while not table.awaited_persons and not table.over:
            changed.clear()
            players.wake(table)
            await changed.wait()
            table = await tables.get(table.id)
        return table

    opening = Opening(game, None, 1, host, "Anna", "en", {"seating": "joined"})
    table = await tables.open(opening)
    for level in levels:
        await tables.act(table.id, AddComputer(host, level))
    drawing = (await tables.act(table.id, Start(host))).after.drawing
    tables.listen(lambda _: changed.set())
    table = await own((await tables.act(table.id, DrawLots(drawing, 1))).after)
    waited = list[float]()
    while len(waited) < DECISIONS and not table.over:
        move = table.game.random_move(table.played.state, 0, rng)
        table = (await tables.act(table.id, PlayMoves(host, (move,)))).after
        begin = time.perf_counter()
        table = await own(table)
        waited.append(time.perf_counter() - begin)
    return waited


async def tell_waits(options: argparse.Namespace) -> None:
    print(
        f"{options.workers} workers, a pause of {options.pause:g} s, seed {options.seed};"
        " seconds between decisions of a person"
    )
    print(f"{'game':<12}{'level':<12}{'against':<9}{'thinking':<12}{'p50':>8}{'p90':>8}")
    for level in options.level:
        for game in TOGETHER:
            for against, kind in ((1, Opponents), (3, OneByOne), (3, Opponents)):
                print(await waits(game, level, against, kind, options), flush=True)


def main() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[5, 20, 50, 200])
    parser.add_argument("--pause", type=float, default=6.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--level", choices=list(LEVELS), nargs="+", default=[STRONGEST])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--needs", action="store_true", help="measure what full thoughts need")
    parser.add_argument("--waits", action="store_true", help="measure how long a person waits")
    options = parser.parse_args()
    random.seed(options.seed)
    if options.needs:
        tell_needs(options)
    elif options.waits:
        asyncio.run(tell_waits(options))
    else:
        asyncio.run(crowds(options))


if __name__ == "__main__":
    main()
