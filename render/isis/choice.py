"""What a person who chooses wants to see: stones, turnings, and the ways of the chosen stone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from games.isis import IsisState
from games.isis.board import PERSONAL, TURN, Path
from render.scene import Scene

ROUNDS = 3
"""How often the paths that a picture shows are fitted to each other."""


@dataclass(frozen=True, slots=True)
class ChoiceHighlights:
    """What a person who chooses wants to see.

    :param stones: squares of the stones that may be moved or turned over; the chosen one alone
        once it is chosen.
    :param turnings: squares of those that may be turned over.
    :param paths: one path to each destination of the chosen stone.
    """

    stones: tuple[int, ...] = ()
    turnings: tuple[int, ...] = ()
    paths: tuple[Path, ...] = ()

    @classmethod
    def of(cls, scene: Scene, position: IsisState) -> ChoiceHighlights:
        """The legal moves of the scene that begin with its focus."""
        moves = [move for move in scene.legal if move.startswith(scene.focus)]
        chosen = bool(scene.focus) and not scene.focus.startswith(TURN)
        return cls(
            stones=tuple(dict.fromkeys(map(_origin, moves))),
            turnings=tuple(_origin(move) for move in moves if move.startswith(TURN)),
            paths=_gathered(position, moves) if chosen else (),
        )


def _gathered(position: IsisState, moves: Sequence[str]) -> tuple[Path, ...]:
    """One path for each move, chosen so that together they look like a tree: as far as it can be,
    each square is reached from one side only, and so every destination by one visible way.
    """
    free = {move: list(position.paths(move)) for move in moves}
    chosen = {move: paths[0] for move, paths in free.items()}
    for _ in range(ROUNDS):
        for move in moves:
            del chosen[move]
            others = {step for path in chosen.values() for step in pairwise(path)}
            chosen[move] = min(free[move], key=partial(_untidiness, others))
    return tuple(chosen.values())


def _untidiness(others: set[tuple[int, int]], path: Path) -> tuple[int, int]:
    """How many of its squares a path reaches from another side than others do, and how many of
    its steps no other way uses.
    """
    own = set(pairwise(path))
    ends = {end for _, end in own - others}
    return sum(end in ends for _, end in others), len(own - others)


def _origin(move: str) -> int:
    return int(move.removeprefix(TURN).removeprefix(PERSONAL).split("-")[0])
