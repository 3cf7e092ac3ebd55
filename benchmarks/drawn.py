"""What the picture cache holds, how often it was hit, and how much time that saved.

``python -m benchmarks.drawn [games...] [--budget MIB] [--tables N]``

Tables of each game and number of players are played side by side from the first move to the last;
after every move, the board, the accounts, and the hands of all who are to move are drawn. As in the
bot, all games are rehearsed first. For each cached function one line shows:

entries   results cached at the end
KiB       size of their pixels
hits      cache hits, not counting the rehearsal
misses    cache misses, not counting the rehearsal
ms        mean CPU time of a miss
saved     seconds saved by the hits, at that mean

The line ``all`` is the total; below it is the mean CPU time of a move in each game.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import astuple, replace
from time import process_time

from games import GAMES
from games.engine import CHANCE
from render import PAINTERS
from render.cache import BUDGET, CACHE, Usage
from render.rehearsal import rehearse
from scripts.matches import match_with_options, scene_at

MEBIBYTE = 1 << 20
KIBIBYTE = 1 << 10


def course(game_id: str, players: int, seed: int) -> Iterator[float]:
    """Draw the pictures of one table, move by move.

    :returns: CPU seconds of each move.
    """
    painter, match = PAINTERS[game_id], match_with_options(game_id, players, seed)
    for end in range(match.ply + 1):
        scene = scene_at(match, end)
        hands = [scene_at(match, end, seat) for seat in scene.view.actors if seat != CHANCE]
        begin = process_time()
        painter.board(scene)
        painter.results(scene)
        for hand in hands:
            painter.hand(hand)
        yield process_time() - begin


def line(usage: Usage) -> str:
    each = 1000 * usage.seconds / max(1, usage.misses)
    return (
        f"{usage.name:<42}{usage.entries:>8}{usage.size // KIBIBYTE:>8}{usage.hits:>9}"
        f"{usage.misses:>8}{each:>9.2f}{usage.saved:>8.1f}"
    )


def since(before: Usage, after: Usage) -> Usage:
    """Return the difference between two snapshots of a function's figures."""
    return replace(
        after,
        hits=after.hits - before.hits,
        misses=after.misses - before.misses,
        seconds=after.seconds - before.seconds,
    )


def whole(usages: list[Usage]) -> Usage:
    """Return the total of all functions; savings of nested functions count more than once."""
    return Usage("all", *map(sum, zip(*(astuple(usage)[1:] for usage in usages), strict=True)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("games", nargs="*", default=list(PAINTERS))
    parser.add_argument("--budget", type=int, default=BUDGET // MEBIBYTE, help="in MiB")
    parser.add_argument("--tables", type=int, default=1, help="of each number of players")
    options = parser.parse_args()
    CACHE.budget = options.budget * MEBIBYTE
    for game_id in PAINTERS:
        rehearse(game_id)
    before = list(CACHE.usages())
    tables = [
        (game_id, course(game_id, players, seed))
        for seed in range(options.tables)
        for game_id in options.games
        for players in GAMES[game_id].info.players
    ]
    times: dict[str, list[float]] = {game_id: [] for game_id in options.games}
    while tables:
        for table in tuple(tables):
            game_id, moves = table
            time = next(moves, None)
            if time is None:
                tables.remove(table)
            else:
                times[game_id].append(time)
    usages = [since(*both) for both in zip(before, CACHE.usages(), strict=True)]
    print(f"{'':<42}{'entries':>8}{'KiB':>8}{'hits':>9}{'misses':>8}{'ms':>9}{'saved':>8}")
    for usage in sorted(usages, key=lambda each: -each.saved):
        print(line(usage))
    print(line(whole(usages)))
    for game_id, seconds in times.items():
        print(f"{game_id:<12}{1000 * sum(seconds) / len(seconds):>8.1f} ms a move")


if __name__ == "__main__":
    main()
