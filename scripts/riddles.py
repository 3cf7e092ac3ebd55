"""Make the riddles that are shipped: ``python -m scripts.riddles [GAME ...] --riddles 60``.

Matches of computer players are searched until each game has so many riddles, a sixth of them of
each difficulty at least, and ``data/riddles/<game>.jsonl`` is written anew. That takes some minutes
a game. What was found is kept in a folder, and another run goes on where this one has ended.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from itertools import chain, count, zip_longest
from pathlib import Path
from tempfile import gettempdir

from play.riddles.making import ROTATION, make
from play.riddles.riddle import Riddle
from play.riddles.stock import SHIPPED

FOUND = Path(gettempdir()) / "riddles"

STARS = (1, 2, 3)


def gathered(game_id: str, seed: int, wanted: int, found: Path) -> list[Riddle]:
    """Search matches until there are enough riddles of each difficulty.

    :param found: the file of what each match has brought.
    """
    lines = found.read_text("utf-8").splitlines() if found.exists() else []
    chosen = dict[str, Riddle]()
    for number in count():
        if number < len(lines):
            riddle = Riddle.from_json(lines[number]) if lines[number] != "null" else None
        else:
            riddle = make(game_id, f"riddle {seed} {number}")
            with found.open("a", encoding="utf-8") as file:
                file.write(f"{riddle.to_json() if riddle else json.dumps(None)}\n")
        if riddle is None:
            continue
        have = Counter(each.stars for each in chosen.values())
        missing = sum(max(0, wanted // 6 - have[stars]) for stars in STARS)
        if have[riddle.stars] < wanted // 6 or missing < wanted - len(chosen):
            chosen[riddle.to_json()] = riddle
            told = " ".join(f"{'*' * stars} {have[stars]}" for stars in STARS)
            print(f"{game_id}: match {number}, {told}", flush=True)
        if len(chosen) == wanted:
            return list(chosen.values())
    raise AssertionError("count() ends")


def mixed(riddles: list[Riddle]) -> list[Riddle]:
    """Easy, medium and hard ones in turn, as long as there are such."""
    by_stars = [[each for each in riddles if each.stars == stars] for stars in STARS]
    return [each for each in chain(*zip_longest(*by_stars)) if each is not None]


def main() -> None:
    """Read the command line and make riddles."""
    parser = argparse.ArgumentParser(prog="python -m scripts.riddles", description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*ROTATION, []], help="default: all")
    parser.add_argument("--seed", type=int, default=1, help="of the matches (default: 1)")
    parser.add_argument("--riddles", type=int, default=60, help="of each game (default: 60)")
    parser.add_argument("--found", type=Path, default=FOUND, help="the folder")
    wanted = parser.parse_args()
    wanted.found.mkdir(parents=True, exist_ok=True)
    for game_id in wanted.games or ROTATION:
        found = wanted.found / f"{game_id} {wanted.seed}.jsonl"
        riddles = gathered(game_id, wanted.seed, wanted.riddles, found)
        SHIPPED.mkdir(exist_ok=True)
        lines = "".join(f"{riddle.to_json()}\n" for riddle in mixed(riddles))
        (SHIPPED / f"{game_id}.jsonl").write_text(lines, "utf-8")


if __name__ == "__main__":
    main()
