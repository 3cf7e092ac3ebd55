"""What looking back costs: proving a record, drawing an animation, rating a server's matches.

    python -m benchmarks.records [games...]

For each game a match of random play with as many seats as possible: its events, the size of its
record and the CPU time that proves it, the CPU time and size of its animation, and the CPU time
of one page of its replay with all hands. Then the CPU time that rates a match of two to five.
"""

from __future__ import annotations

import argparse
import io
import random
from time import process_time
from typing import Any

from PIL import Image

from data.store.ratings import FinishedMatch, from_scratch
from data.texts import texts
from games import GAMES
from games.engine import Match
from games.records import Record, read, written
from play.replays import Replay
from render import PAINTERS
from render.animation import animation, spread
from render.scene import Picture, Scene
from tests.games.records import played, record_of

NAMES = ("Anna", "Bernhard", "Cagla", "Dora", "Emil")
SEED = "roundtable"
KIB = 1024
MATCHES = 10_000


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=list(GAMES))
    options = parser.parse_args()
    heads = ("events", "KiB", "prove ms", "frames", "draw s", "GIF KiB", "page ms")
    print(f"{'':<16}" + "".join(f"{head:>10}" for head in heads))
    for game_id in options.games:
        print(f"{game_id:<16}" + "".join(f"{cell:>10}" for cell in measured(game_id)))
    print(f"{'a rated match':<16}{rated():>10} µs")


def measured(game_id: str) -> list[str]:
    """The figures of one game."""
    game = GAMES[game_id]
    match = played(game, max(game.info.players))
    record = record_of(match)
    text = written(record)
    start = process_time()
    read(text, GAMES)
    proved = process_time()
    film = animation(boards(replay_of(record, match)), texts("en"))
    drawn = process_time()
    replay_of(record, match).at(match.ply // 2)
    list(replay_of(record, match).moments(spread(match.ply + 1, 25)))
    paged = process_time()
    with Image.open(io.BytesIO(film.gif)) as opened:
        frames = getattr(opened, "n_frames", 1)
    return [
        str(match.ply),
        f"{len(text) / KIB:.1f}",
        f"{(proved - start) * 1000:.0f}",
        str(frames),
        f"{drawn - proved:.2f}",
        f"{len(film.gif) / KIB:.0f}",
        f"{(paged - drawn) * 1000:.1f}",
    ]


def replay_of(record: Record, match: Match[Any]) -> Replay:
    """The match to look back at."""
    return Replay(
        match.game, match.setup, record.events, "K7Q2", record.names, record.computers, True
    )


def boards(replay: Replay) -> list[Picture]:
    """The pictures of an animation."""
    painter = PAINTERS[replay.game.info.id]
    return [
        painter.board(Scene(moment.view, replay.names, texts("en"), "K7Q2", moment.facts))
        for moment in replay.moments(spread(replay.last + 1))
    ]


def rated() -> str:
    """CPU microseconds for each of many matches among fifty people."""
    rng = random.Random(SEED)
    rows = [
        FinishedMatch(
            number,
            None,
            "lancelot",
            tuple(rng.sample(range(1, 51), players)),
            NAMES[:players],
            tuple(range(1, players + 1)),
            True,
        )
        for number in range(MATCHES)
        for players in [rng.randint(2, 5)]
    ]
    start = process_time()
    from_scratch(rows)
    return f"{(process_time() - start) / MATCHES * 1e6:.0f}"


if __name__ == "__main__":
    main()
