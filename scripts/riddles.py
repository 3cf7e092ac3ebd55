"""Make the riddles that are shipped: ``python -m scripts.riddles [GAME ...] --riddles 12``.

Matches of computer players are searched until each game has so many riddles, and
``data/riddles/<game>.jsonl`` is written anew. Takes some minutes a game.
"""

from __future__ import annotations

import argparse
from itertools import count

from play.riddles.making import ROTATION, make
from play.riddles.stock import SHIPPED


def main() -> None:
    """Read the command line and make riddles."""
    parser = argparse.ArgumentParser(prog="python -m scripts.riddles", description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*ROTATION, []], help="default: all")
    parser.add_argument("--seed", type=int, default=1, help="of the matches (default: 1)")
    parser.add_argument("--riddles", type=int, default=12, help="of each game (default: 12)")
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}")
    for game_id in wanted.games or ROTATION:
        found: dict[str, None] = {}
        for number in count():
            riddle = make(game_id, f"riddle {wanted.seed} {number}")
            if riddle is not None:
                found[riddle.to_json()] = None
                what = f"{riddle.task.value} {'*' * riddle.stars}"
                print(f"{game_id}: match {number}, riddle {len(found)}: {what}", flush=True)
            if len(found) == wanted.riddles:
                break
        SHIPPED.mkdir(exist_ok=True)
        lines = "".join(f"{text}\n" for text in found)
        (SHIPPED / f"{game_id}.jsonl").write_text(lines, "utf-8")


if __name__ == "__main__":
    main()
