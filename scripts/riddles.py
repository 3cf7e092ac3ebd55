"""Add bundled riddles: ``python -m scripts.riddles [GAME ...] --riddles 80``.

Matches of computer players are searched until each game has this many riddles, at least a sixth of
them of each difficulty. ``data/riddles/<game>.jsonl`` is written after each new one, so an
interrupted run loses nothing. Riddles whose proof no longer holds are dropped.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from itertools import chain, count, zip_longest

from play.riddles.making import ROTATION, make
from play.riddles.proving import riddle_at
from play.riddles.riddle import Riddle
from play.riddles.stock import SHIPPED, shipped

STARS = (1, 2, 3)

PART = 6
"""Each difficulty makes up at least a sixth of a game's riddles."""


def gather(game_id: str, seed: str, wanted: int) -> None:
    """Search matches until there are enough riddles of each difficulty."""
    have = [Riddle.from_json(text) for text in shipped(game_id)]
    have = [riddle for riddle in have if riddle_at(riddle.match()) == riddle]
    for number in count():
        keep(game_id, have)
        stars = Counter(riddle.stars for riddle in have)
        missing = {each: max(0, wanted // PART - stars[each]) for each in STARS}
        left = max(wanted - len(have), sum(missing.values()))
        print(f"{game_id}: match {number}, have {sorted(stars.items())}", flush=True)
        if not left:
            return
        riddle = make(game_id, f"riddle {seed} {number}")
        if riddle is None or riddle in have:
            continue
        if missing[riddle.stars] or left > sum(missing.values()):
            have.append(riddle)


def keep(game_id: str, riddles: Sequence[Riddle]) -> None:
    """Write the riddles of a game: easy, medium and hard ones in turn while there are any."""
    by_stars = [[each for each in riddles if each.stars == stars] for stars in STARS]
    mixed = [each for each in chain(*zip_longest(*by_stars)) if each is not None]
    lines = "".join(f"{riddle.to_json()}\n" for riddle in mixed)
    (SHIPPED / f"{game_id}.jsonl").write_text(lines, "utf-8")


def main() -> None:
    """Read the command line and make riddles."""
    parser = argparse.ArgumentParser(prog="python -m scripts.riddles", description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*ROTATION, []], help="default: all")
    parser.add_argument("--seed", default="2", help="of the matches (default: 2)")
    parser.add_argument("--riddles", type=int, default=80, help="of each game (default: 80)")
    wanted = parser.parse_args()
    for game_id in wanted.games or ROTATION:
        gather(game_id, wanted.seed, wanted.riddles)


if __name__ == "__main__":
    main()
