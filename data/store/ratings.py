"""How ratings and statistics follow from finished matches.

Ratings follow Weng and Lin's model for matches of any number of players (openskill's
Plackett-Luce). A match of two or more counts if each seat was played by one person from beginning
to end and it came to a result; resigning at a table of two is a result. Everyone has a rating in
each game on each server, and one from the matches of all servers together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from openskill.models import PlackettLuce

NEWCOMER = 1000
"""The rating of someone who has not played yet."""

POINTS = 40
"""Points of a rating for each of the model's units."""

EVERYWHERE = -1
"""In place of a server: all servers together."""

_MODEL = PlackettLuce()


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """What ratings take from a finished match.

    :param guild_id: None: it was on no server.
    :param people: by seat; None: a computer player from the beginning.
    :param names: by seat, at the time.
    :param ranks: by seat, 1 is best; empty: there are none.
    :param by_people: each seat was played by one person from the beginning to the end.
    """

    table_id: int
    guild_id: int | None
    game: str
    people: tuple[int | None, ...]
    names: tuple[str, ...]
    ranks: tuple[int, ...]
    by_people: bool

    @property
    def counts(self) -> bool:
        """Whether it changes ratings."""
        persons = len(self.people) - self.people.count(None)
        return self.by_people and 1 < persons == len(self.people) == len(self.ranks)

    @property
    def places(self) -> tuple[int, ...]:
        """The servers on whose ratings it bears."""
        return (EVERYWHERE,) if self.guild_id is None else (self.guild_id, EVERYWHERE)


@dataclass(frozen=True, slots=True)
class RatingRow:
    """How a person stands in one game.

    :param guild_id: the server, or ``EVERYWHERE``.
    :param name: as at the latest table that was finished there.
    :param matches: how many counted.
    :param won: how many of them brought the first place, alone or shared.
    :param uncounted: how many others were finished.
    :param rating: a careful estimate: it rises with victories and with certainty.
    :param mu: the model's estimate of the person's skill; ``sigma``: its uncertainty.
    """

    person_id: int
    guild_id: int
    game: str
    name: str = ""
    matches: int = 0
    won: int = 0
    uncounted: int = 0
    rating: int = NEWCOMER
    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma


Key = tuple[int, int, str]
"""Person, server and game: what tells one ``RatingRow`` from the others."""


def keys_of(match: FinishedMatch) -> Iterator[Key]:
    """The ratings on which a match bears."""
    for guild_id in match.places:
        for person_id in match.people:
            if person_id is not None:
                yield person_id, guild_id, match.game


def after(match: FinishedMatch, known: Mapping[Key, RatingRow]) -> dict[Key, RatingRow]:
    """The ratings on which a match bears, as they are after it.

    :param known: as they were before; whoever is missing is a newcomer.
    """
    named = dict(zip(match.people, match.names, strict=True))
    rows = {
        key: replace(known.get(key) or RatingRow(*key), name=named[key[0]])
        for key in keys_of(match)
    }
    if not match.counts:
        return {key: replace(row, uncounted=row.uncounted + 1) for key, row in rows.items()}
    changed: dict[Key, RatingRow] = {}
    for guild_id in match.places:
        changed |= _rated(match, {k: row for k, row in rows.items() if k[1] == guild_id})
    return changed


def from_scratch(matches: Iterable[FinishedMatch]) -> dict[Key, RatingRow]:
    """All ratings there are.

    :param matches: in the order in which they were finished.
    """
    rows: dict[Key, RatingRow] = {}
    for match in matches:
        rows |= after(match, rows)
    return rows


def course(matches: Iterable[FinishedMatch], person_id: int) -> dict[str, list[int]]:
    """By game, how the rating of a person has changed by matches: that of a newcomer, then the one
    after each match of theirs that counted.

    :param matches: all of one server, or of all servers together, in the order in which they were
        finished.
    """
    rows: dict[Key, RatingRow] = {}
    courses: dict[str, list[int]] = {}
    for match in matches:
        if match.counts:
            rows |= after(replace(match, guild_id=None), rows)  # one place is enough
            if person_id in match.people:
                rating = rows[person_id, EVERYWHERE, match.game].rating
                courses.setdefault(match.game, [NEWCOMER]).append(rating)
    return courses


def _rated(match: FinishedMatch, rows: Mapping[Key, RatingRow]) -> dict[Key, RatingRow]:
    """The ratings of all seats of a match, in their order, after it."""
    skills = [[_MODEL.rating(row.mu, row.sigma)] for row in rows.values()]
    rated = _MODEL.rate(skills, ranks=list(match.ranks))
    return {
        key: replace(
            row,
            matches=row.matches + 1,
            won=row.won + (rank == 1),
            rating=NEWCOMER + round(POINTS * skill.ordinal()),
            mu=skill.mu,
            sigma=skill.sigma,
        )
        for (key, row), (skill,), rank in zip(rows.items(), rated, match.ranks, strict=True)
    }
