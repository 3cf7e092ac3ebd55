"""Draw pictures for the README, the app's profile or contact sheets, or for tests to compare with.

scripts/pictures [games...]
scripts/pictures --sheet FOLDER [games...]
scripts/pictures --goldens [games... house]
scripts/pictures --profile
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import Any

from data.texts import texts
from games import GAMES
from games.engine import CHANCE, Fact, Match
from render import PAINTERS
from render.animation import animation
from render.gallery import app_icon, banner
from render.scene import Scene
from scripts.goldens import FOLDER, accept, current_pictures
from scripts.house import HOUSE
from scripts.matches import new_match
from scripts.phone import phone
from scripts.sheets import write_sheets

TARGET = Path(__file__).parent.parent / "docs" / "pictures"
PROFILE = Path(__file__).parent.parent / "docs" / "discord-profile"
NAMES = ("Anna", "Ben", "Clara", "David", "Emil")
SEED = "round table"
MOVING, MOVES = "isis", 10
"""The game to animate, and the number of its moves to show."""
MOVING_PLAYERS = 3
HEAVIEST_MOVING = 2 * 1024 * 1024
SHARE = 0.6
"""How far into the match the picture is taken at the earliest, as a share of its events."""


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="scripts/pictures", description=__doc__.splitlines()[0])
    parser.add_argument(
        "games",
        nargs="*",
        metavar="game",
        help=f"of {', '.join(GAMES)}; with --goldens also {HOUSE}",
    )
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
            write_picture(PROFILE / name, drawn_as())
        return
    known = (*GAMES, *[HOUSE] * options.goldens)
    if unknown := set(options.games).difference(known):
        parser.error(f"{', '.join(sorted(unknown))}: not one of {', '.join(known)}")
    for game_id in options.games or known:
        if options.sheet:
            print(*write_sheets(game_id, options.sheet), sep="\n")
        elif options.goldens:
            accept(game_id, current_pictures(game_id))
            print(FOLDER / f"{game_id}.webp")
        else:
            write_picture(TARGET / f"{game_id}.png", picture(game_id))
    if not (options.sheet or options.goldens or options.games):
        for name, drawn in {"moves.gif": moving(), "phone.png": on_a_phone()}.items():
            write_picture(TARGET / name, drawn)


def write_picture(target: Path, png: bytes) -> None:
    """Write a picture and print where."""
    target.write_bytes(png)
    print(target)


def picture(game_id: str) -> bytes:
    """Return the board of a match in its second half, with three players if possible. Where all
    players choose at the same time, nobody has chosen yet.
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


def moving() -> bytes:
    """Return an animation of the last ten moves of a match, in which the stones move.

    :raises ValueError: it has more bytes than the README should load.
    """
    match = _played(MOVING, MOVING_PLAYERS)
    ends = [n for n, event in enumerate(match.log, 1) if event.seat != CHANCE]
    told = match.history(None)
    boards = []
    for end in ends[-MOVES - 1 :]:
        seat, move, facts = told[end - 1]
        view = Match.replay(match.game, match.setup, match.log[:end]).view(None)
        scene = Scene(
            view=view,
            names=NAMES[:MOVING_PLAYERS],
            say=texts("en"),
            code="K7Q2",
            facts=tuple(facts),
            moves=((seat, move or ""),),
        )
        boards.append(PAINTERS[MOVING].board(scene))
    gif = animation(boards, texts("en")).gif
    if len(gif) > HEAVIEST_MOVING:
        raise ValueError(f"{len(gif)} bytes")
    return gif


def on_a_phone() -> bytes:
    """Return the board of Lancelot in a message, on a phone."""
    return phone(
        picture("lancelot"),
        "round-table",
        ("Lancelot · K7Q2", "● Ben is to move by tomorrow 20:00."),
        ("Where can I go?", "Take back", "Possible captures", "More…"),
    )


def _played(game_id: str, players: int) -> Match[Any]:
    match, rng = new_match(game_id, players, SEED), random.Random(SEED)
    while match.actors:
        seat = match.actors[0]
        match.play(seat, [match.game.random_move(match.state, seat, rng)])
    return match


if __name__ == "__main__":
    main()
