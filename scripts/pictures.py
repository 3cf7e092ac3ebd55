"""Draw the pictures of the README, contact sheets, or the pictures that tests compare with.

scripts/pictures [games...]
scripts/pictures --sheet FOLDER [games...]
scripts/pictures --goldens [games...]
scripts/pictures --profile
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import Any

from cogs.games import WORDS
from cogs.gateway.cards import Gallery
from cogs.present.front import gallery_card
from data.texts import texts
from games import GAMES
from games.engine import CHANCE, Fact, Match
from render import PAINTERS
from render.gallery import app_icon, banner
from render.scene import Scene
from scripts.goldens import FOLDER, accept, current_pictures
from scripts.matches import new_match
from scripts.sheets import write_sheets

TARGET = Path(__file__).parent.parent / "docs" / "pictures"
PROFILE = Path(__file__).parent.parent / "docs" / "discord-profile"
NAMES = ("Anna", "Ben", "Clara", "David", "Emil")
SEED = "round table"
SHARE = 0.6
"""How far into the match the picture is taken, as a share of its events."""


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="scripts/pictures", description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="game", help=f"of {', '.join(GAMES)}")
    way = parser.add_mutually_exclusive_group()
    way.add_argument(
        "--sheet", type=Path, metavar="FOLDER", help="every stage, as various people see it"
    )
    way.add_argument(
        "--goldens", action="store_true", help="accept the pictures as they are drawn now"
    )
    way.add_argument(
        "--profile", action="store_true", help="draw the pictures of the app's profile on Discord"
    )
    options = parser.parse_args()
    if options.profile:
        for name, drawn_as in {"icon.png": app_icon, "banner.png": banner}.items():
            write(PROFILE / name, drawn_as())
        return
    if not (options.games or options.sheet or options.goldens):
        write(TARGET / "games.png", gallery_of_all())
    for game_id in options.games or GAMES:
        if options.sheet:
            print(*write_sheets(game_id, options.sheet), sep="\n")
        elif options.goldens:
            accept(game_id, current_pictures(game_id))
            print(FOLDER / f"{game_id}.webp")
        else:
            write(TARGET / f"{game_id}.png", picture(game_id))


def write(target: Path, png: bytes) -> None:
    """Write a picture and print where."""
    target.write_bytes(png)
    print(target)


def gallery_of_all() -> bytes:
    """All games in one picture, as ``/play`` shows them."""
    shown = next(p for p in gallery_card(WORDS, texts("en")).parts if isinstance(p, Gallery))
    return shown.drawings[0].draw()[0].data


def picture(game_id: str) -> bytes:
    """The board of a match past its middle, with three players if possible, as it looks when people
    are called: of those who choose at the same time, nobody has chosen yet.
    """
    players = min(GAMES[game_id].info.players, key=lambda count: abs(count - 3))
    played = _played(game_id, players)
    match = Match(played.game, played.setup)
    match.advance()
    facts: list[Fact] = []
    moves: list[tuple[int, str]] = []
    for last in (event for event in played.log if event.seat != CHANCE):
        if all(match.opened(seat) == match.ply for seat in match.actors):
            if match.ply >= SHARE * played.ply:
                break
            facts, moves = [], []
        steps = match.play(last.seat, [last.move])
        facts += [fact for step in steps for fact in step.facts]
        moves.append((last.seat, last.move))
    scene = Scene(
        view=match.view(None),
        names=NAMES[:players],
        say=texts("en"),
        code="K7Q2",
        facts=tuple(fact for fact in facts if fact.known_to(None)),
        moves=tuple(moves),
    )
    return PAINTERS[game_id].board(scene).png


def _played(game_id: str, players: int) -> Match[Any]:
    match, rng = new_match(game_id, players, SEED), random.Random(SEED)
    while match.actors:
        seat = match.actors[0]
        match.play(seat, [match.game.random_move(match.state, seat, rng)])
    return match


if __name__ == "__main__":
    main()
