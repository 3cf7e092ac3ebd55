"""The content of a match record, and what may be wrong with one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from games.engine import EngineError, Event, rng_for, shuffled

TITLE: Final = "Tafelrunde record"
VERSION: Final = 1
"""The version of the format, including how the seed is made."""

SIZE_LIMIT: Final = 1_000_000
"""The largest file that is read, in bytes; a real record has a few thousand."""

NAME_LIMIT: Final = 32
"""The longest name in characters: Discord's limit."""

PLAYED: Final = "played"
"""The value of ``how`` for a match that ended according to the rules."""

BY_LOT, AS_JOINED = "lot", "joined"
"""How seats are assigned: drawn from the seed, or in order of joining."""


class FaultyRecord(EngineError):  # noqa: N818 - named after the problem, as in the engine
    """An invalid record; ``code`` says why:

    ``too_large``, ``not_text``, ``not_a_record``, ``other_version``, ``expected`` (another line),
    ``bad_value``, ``unknown_game``, ``other_rules``, ``bad_setup``, ``seal_mismatch``,
    ``seed_mismatch``, ``seats_mismatch``, ``unreadable``, ``wrong_number``, ``not_their_turn``,
    ``illegal_move``, ``draw_mismatch``, ``after_the_end``, ``result_mismatch``, ``not_over``.

    :param line: the first faulty line, counted from 1.
    """

    def __init__(self, code: str, line: int, **data: Any) -> None:
        super().__init__(code, **data)
        self.line = line

    def __str__(self) -> str:
        details = ", ".join(f"{key}: {value}" for key, value in self.data.items())
        return f"line {self.line}: {self.code.replace('_', ' ')}" + f" ({details})" * bool(details)


@dataclass(frozen=True, slots=True)
class Record:
    """A match that is over, with everything known about it.

    :param table: the short code of the table.
    :param seating: ``BY_LOT`` or ``AS_JOINED``.
    :param joined: for each seat, the place of its player in the order of joining, from 0.
    :param names: the names by seat, as ``plain_name`` returns them.
    :param computers: the seats of computer players.
    :param options: resolved, as the rules know them.
    :param seal: the SHA-256 of the secret.
    :param secret: the secret from which the seed was made.
    :param message: the id of the message from which the lots were drawn.
    :param words: the lucky words in order of joining, empty for players without one.
    :param seed: determines all lots.
    :param how: ``PLAYED``, or a word for another kind of end.
    :param ranks: the ranks by seat, 1 is best; empty if there is no result.
    :param scores: the scores by seat; empty if none were counted.
    :param hints: how many hints each seat got; empty if there were none.
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
    """Return a name on one line, with only visible characters and at most ``NAME_LIMIT`` of them;
    it may be empty.
    """
    visible = "".join(c if c.isprintable() else " " for c in name)
    return " ".join(visible.split())[:NAME_LIMIT].rstrip()


def seats_by_lot(seed: str, players: int) -> list[int]:
    """Return which player gets each seat, numbered from 0 in order of joining; drawn from the
    seed.
    """
    return shuffled(rng_for(seed, "seats"), range(players))
