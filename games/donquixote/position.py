"""A position of Don Quixote: the principalities, the hands, and the next decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.donquixote.principality import Points, Principality
from games.engine import Move

CASTLES_DUE, DEAL, FIELD, PLACE, OVER = "castles", "deal", "field", "place", "over"
"""The phases; see the package."""

HAND_SIZES = (9, 7, 6)
"""For each round, the number of tiles in a hand, and so the number of placements."""

ROUNDS = len(HAND_SIZES)

NOWHERE = ""
"""No field."""


@dataclass(slots=True)
class QuixoteState:
    """A position; lists and ``choices`` are indexed by seat. Future draws are not part of it.

    :param actors: CHANCE, the seats that have not chosen yet, or nobody.
    :param hands: the tiles of each hand, in the order dealt.
    :param stacks: tiles not dealt yet, in the order of the tile list.
    :param sancho: whether Sancho Pansa can still be laid.
    :param left_over: the tile that was left over because Sancho Pansa was laid, or None.
    :param choices: the sealed moves so far.
    :param scored: the scorings so far.
    :param field: the field to fill, or NOWHERE.
    :param placed: placements of this round so far.
    """

    options: dict[str, Any]
    phase: str
    actors: tuple[int, ...]
    lands: list[Principality]
    hands: list[list[str]]
    stacks: list[list[str]]
    sancho: list[bool]
    left_over: list[str | None]
    choices: dict[int, Move]
    scored: list[list[Points]]
    field: str = NOWHERE
    placed: int = 0
    ply: int = 0
    round: int = 1

    def clone(self) -> QuixoteState:
        """Return a copy that shares nothing mutable except the options, which never change."""
        return QuixoteState(
            self.options,
            self.phase,
            self.actors,
            [land.clone() for land in self.lands],
            [hand[:] for hand in self.hands],
            [stack[:] for stack in self.stacks],
            self.sancho[:],
            self.left_over[:],
            self.choices.copy(),
            [points[:] for points in self.scored],
            self.field,
            self.placed,
            self.ply,
            self.round,
        )

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.lands)

    @property
    def hand_size(self) -> int:
        """The number of placements in this round."""
        return HAND_SIZES[self.round - 1]

    def locked(self, seat: int) -> str | None:
        """Return the last tile dealt, if it has to be placed last and others remain; otherwise
        None.
        """
        hand = self.hands[seat]
        return hand[-1] if self.round == ROUNDS and len(hand) > 1 else None

    def total(self, seat: int) -> int:
        """Return the seat's points so far."""
        return sum(map(sum, self.scored[seat]))
