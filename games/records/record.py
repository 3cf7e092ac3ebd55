"""What a match record holds, and what may be wrong with one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from games.engine import EngineError, Event, rng_for, shuffled

TITLE: Final = "Tafelrunde record"
VERSION: Final = 1
"""The version of the format, and of how the seed is made."""

SIZE_LIMIT: Final = 1_000_000
"""Largest file in bytes that is read; a real record has a few thousand."""

NAME_LIMIT: Final = 32
"""Longest name in characters: Discord's own limit."""

PLAYED: Final = "played"
"""The ending of a match that was played to its end by the rules."""

BY_LOT, AS_JOINED = "lot", "joined"
"""How seats are given: drawn from the seed, or in order of joining."""


class FaultyRecord(EngineError):  # noqa: N818 - named by what is wrong, as in the engine
    """A record that does not hold; ``code`` says why:

    ``too_large``, ``not_text``, ``not_a_record``, ``other_version``, ``expected`` (another line),
    ``bad_value``, ``unknown_game``, ``other_rules``, ``bad_setup``, ``seal_mismatch``,
    ``seed_mismatch``, ``seats_mismatch``, ``unreadable``, ``wrong_number``, ``not_their_turn``,
    ``illegal_move``, ``draw_mismatch``, ``after_the_end``, ``result_mismatch``, ``not_over``.

    :param line: the first line that does not hold, counted from 1.
    """

    def __init__(self, code: str, line: int, **data: Any) -> None:
        super().__init__(code, **data)
        self.line = line

    def __str__(self) -> str:
        details = ", ".join(f"{key}: {value}" for key, value in self.data.items())
        return f"line {self.line}: {self.code.replace('_', ' ')}" + f" ({details})" * bool(details)


@dataclass(frozen=True, slots=True)
class Record:
    """A match that is over, and everything there is to know about it.

    :param table: short code of the table.
    :param seating: ``BY_LOT`` or ``AS_JOINED``.
    :param joined: by seat, the place of its player in the order of joining, from 0.
    :param names: by seat, as ``plain_name`` gives them.
    :param computers: the seats of computer players.
    :param options: resolved, as the rules know them.
    :param seal: the SHA-256 of the secret.
    :param secret: what the seed was made from.
    :param message: the id of the message by which the lots were drawn.
    :param words: the lucky words in order of joining, empty where there was none.
    :param seed: all lots follow from it.
    :param how: ``PLAYED``, or one word for how else the match ended.
    :param ranks: by seat, 1 is best; empty: there is no result.
    :param scores: by seat; empty: none were counted.
    :param hints: how many each seat got; empty: there were none.
    """

    game: str
    rules: int
    table: str
    begun: date
    ended: date
    seating: str
    joined: tuple[int, ...]
    names: tuple[str, ...]
    computers: frozenset[int]
    options: Mapping[str, bool | int | str]
    seal: str
    secret: str
    message: int
    words: tuple[str, ...]
    seed: str
    how: str
    ranks: tuple[int, ...]
    scores: tuple[float, ...]
    events: tuple[Event, ...]
    hints: tuple[int, ...] = ()


def plain_name(name: str) -> str:
    """A name on one line, of visible characters only; may be empty."""
    visible = "".join(c if c.isprintable() else " " for c in name)
    return " ".join(visible.split())[:NAME_LIMIT].rstrip()


def seats_by_lot(seed: str, players: int) -> list[int]:
    """By seat, which player gets it, from 0 in the order of joining; drawn from the seed."""
    return shuffled(rng_for(seed, "seats"), range(players))
