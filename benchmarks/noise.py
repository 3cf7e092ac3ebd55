"""How noisy whole matches are: notifications, messages left behind, requests made.

``python -m benchmarks.noise [--game G] [--seed N] [--slow]``

People play in the tests' simulated Discord by pressing what they see; pictures are blank. Each game
is played once with every number of players, then once in each way listed in ``OTHERWISE``; each
line is a match. All figures are computed from counts, so the same seed gives the same figures:

moves      moves by everyone, including computer players
decisions  decisions opened by someone else's act, for a person who may be notified
each       notifications per such decision, at the table and by direct message; should be 1
table      how many of these notifications were at the table
run        the most messages in the table's channel during the match; ``left``: afterwards
dm         the most direct messages with one person; ``left``: afterwards
own        requests with the bot's own token per move
token      messages deleted per move with the token of a press; ``bot``: with the bot's own

Faults are listed below the line: people notified too often or too rarely, and dead buttons. With
``--slow``, the tokens of all presses expire before the next move.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog

from games import GAMES
from tests.blank import draw_pixels
from tests.cogs.noise import Case, Noise, noise_of

WIDTH = 32
"""Width of the name of a case, in characters."""

COLUMNS = (
    ("moves", 7, "d"),
    ("decisions", 11, "d"),
    ("each", 7, ".3f"),
    ("table", 7, "d"),
    ("run", 5, "d"),
    ("left", 6, "d"),
    ("dm", 4, "d"),
    ("left", 6, "d"),
    ("own", 7, ".2f"),
    ("token", 7, ".2f"),
    ("bot", 6, ".2f"),
)
"""Names, widths and formats of the figures."""

OTHERWISE = (
    {"place": "thread"},
    {"place": "direct"},
    {"place": "chat"},
    {"place": "abroad"},
    {"computers": 1},
    {"closed": True},
    {"rest": "quiet hours"},
    {"rest": "holiday"},
    {"calls": "dm"},
    {"calls": "table"},
    {"boards": "lines"},
    {"boards": "keep"},
)
"""Other ways to play a match of each game."""


def cases(game: str) -> Iterator[Case]:
    """Yield all cases of a game: each number of players, then each other way with the fewest
    players, but at least two.
    """
    players = GAMES[game].info.players
    for number in players:
        yield Case(game, number)
    usual = Case(game, max(2, players[0]))
    for way in OTHERWISE:
        yield replace(usual, **way)


def line(name: str, noise: Noise) -> str:
    figures = (
        noise.moves,
        noise.decisions,
        noise.a_decision,
        noise.heard["table"],
        noise.standing,
        noise.left,
        noise.direct,
        noise.direct_left,
        noise.a_move,
        noise.by_token / noise.moves,
        noise.by_bot / noise.moves,
    )
    told = zip(figures, COLUMNS, strict=True)
    return f"{name:<{WIDTH}}" + "".join(f"{each:{w}{kind}}" for each, (_, w, kind) in told)


async def main(games: list[str], seed: int, slow: bool) -> None:
    print(f"seed {seed}{', slow' if slow else ''}")
    print(" " * WIDTH + "".join(f"{name:>{width}}" for name, width, _ in COLUMNS), flush=True)
    for case in (each for game in games for each in cases(game)):
        with TemporaryDirectory() as folder:
            noise = await noise_of(Path(folder), replace(case, slow=slow), seed)
        print(line(str(case), noise), flush=True)
        for told in (*noise.wrong, *noise.dead):
            print(f"    {told.splitlines()[0]}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", choices=list(GAMES), action="append", help="these games only")
    parser.add_argument("--seed", type=int, default=0, help="of the people (%(default)s)")
    parser.add_argument("--slow", action="store_true", help="let tokens expire between moves")
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    draw_pixels(False)
    asyncio.run(main(options.game or list(GAMES), options.seed, options.slow))
