"""How loud whole matches are: whom they call, what they leave behind, what they ask of Discord.

``python -m benchmarks.noise [--game G] [--seed N] [--slow]``

People play in the simulated Discord of the tests, by pressing what they see; pictures are blank.
Each line is a match, of each game with all numbers of players, then in other places, with people
whom it is harder to call, and on servers that keep more. All figures are counts, so a seed always
has the same ones:

moves      of everybody, computer players included
decisions  that somebody else's act has opened for a person who may be called
each       notifications for each of those, at the table and by direct message; wanted is 1
table      how many of them were at the table
run        messages in the table's channel at most while the match ran, and ``left`` afterwards
dm         messages in the direct messages of one person at most, and ``left`` afterwards
own        requests on the bot's own token for each move
token      messages deleted by the token of a press, ``bot``: by the bot's own, for each move

What is wrong is told below the line: who was called too often or too rarely, and what button does
nothing any more. With ``--slow`` the tokens of all presses have expired before the next move.
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
"""Characters of what a case is called."""

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
"""How a match of each game is played, beside the usual way."""


def cases(game: str) -> Iterator[Case]:
    """All ways to play a game: with each number of players, then otherwise with the fewest."""
    players = GAMES[game].info.players
    for number in players:
        yield Case(game, number)
    usual = Case(game, max(2, players[0]))
    for way in OTHERWISE:
        yield replace(usual, **way)


def line(name: str, noise: Noise) -> str:
    """One match."""
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
    """Play, and print a line a match."""
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
