"""Compute ratings and statistics from finished matches.

Ratings use Weng and Lin's model for matches with any number of players (openskill's Plackett-Luce).
A match with two or more players counts if each seat was played by one person from beginning to end,
everyone moved at least twice, and there is a result. At a table of two, a resignation is a result.
In each game, everyone has one rating per server, one for all servers and direct messages together
and, if a server plays in seasons, one per season.

At the start of a season, each skill moves halfway towards a newcomer's, and becomes less certain
accordingly. Skill is assumed to drift like a first-order autoregressive process whose stationary
distribution is the model's newcomer: the mean is ``m + k (mu - m)`` and the variance ``k^2 sigma^2
+ (1 - k^2) s^2``, where ``m`` and ``s`` are a newcomer's ``mu`` and ``sigma``, and ``k`` is
``KEPT``. So nobody becomes less certain than a newcomer; Glickman limits the drift between rating
periods in the same way ("Parameter estimation in large dynamic paired comparison experiments",
1999).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot, sqrt

from openskill.models import PlackettLuce, PlackettLuceRating

NEWCOMER = 1000
"""The rating of a person who has not played yet."""

POINTS = 40
"""Rating points per unit of the model."""

EVERYWHERE = -1
"""The guild id that means all servers and direct messages together."""

ALL_TIME = 0
"""The season number that means all matches, whether in a season or not."""

KEPT = 0.5
"""How much of a skill's distance from a newcomer's remains in a new season (0..1)."""

_MODEL = PlackettLuce()


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """The facts about a finished match that ratings use.

    :param guild_id: the server where it was played; None: not on a server.
    :param people: the people by seat; None: a computer player from the beginning.
    :param names: their names by seat, at the time of the match.
    :param ranks: the ranks by seat, 1 is best; empty: the match had no ranks.
    :param by_people: whether each seat was played by one person from beginning to end.
    :param season: the server's season in which it was finished; ``ALL_TIME``: no season.
    :param brief: whether somebody made fewer than two moves.
    """

    table_id: int
    guild_id: int | None
    game: str
    people: tuple[int | None, ...]
    names: tuple[str, ...]
    ranks: tuple[int, ...]
    by_people: bool
    season: int = ALL_TIME
    brief: bool = False

    @property
    def counts(self) -> bool:
        """Whether the match changes ratings."""
        persons = len(self.people) - self.people.count(None)
        whole = self.by_people and not self.brief
        return whole and 1 < persons == len(self.people) == len(self.ranks)

    @property
    def places(self) -> tuple[Place, ...]:
        """The servers and seasons whose ratings and statistics the match affects."""
        everywhere = EVERYWHERE, ALL_TIME
        if self.guild_id is None:
            return (everywhere,)
        seasons = dict.fromkeys((ALL_TIME, self.season))
        return (*((self.guild_id, season) for season in seasons), everywhere)


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A person's rating and statistics in one game.

    :param guild_id: the server, or ``EVERYWHERE``.
    :param season: the server's season, or ``ALL_TIME``.
    :param name: the person's name in the last match they finished there.
    :param matches: finished matches that counted.
    :param won: first places among them, alone or shared.
    :param uncounted: finished matches that did not count.
    :param rating: a cautious estimate of skill, in points; it rises with victories and certainty.
    :param mu: the model's estimate of the person's skill.
    :param sigma: the uncertainty of that estimate.
    :param streak: how many matches in a row the person has won, up to now.
    :param longest: the most matches that the person has won in a row.
    """

    person_id: int
    guild_id: int
    game: str
    season: int = ALL_TIME
    name: str = ""
    matches: int = 0
    won: int = 0
    uncounted: int = 0
    rating: int = NEWCOMER
    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    streak: int = 0
    longest: int = 0


Place = tuple[int, int]
"""A server, or ``EVERYWHERE``, and a season, or ``ALL_TIME``."""

Key = tuple[int, int, str, int]
"""Person, server, game and season: the key of a ``RatingRow``."""


def keys_of(match: FinishedMatch, places: Iterable[Place]) -> Iterator[Key]:
    """Yield the keys of the ratings that a match affects in some places."""
    for guild_id, season in places:
        for person_id in match.people:
            if person_id is not None:
                yield person_id, guild_id, match.game, season


def after(
    match: FinishedMatch, known: Mapping[Key, RatingRow], places: Sequence[Place] | None = None
) -> dict[Key, RatingRow]:
    """Update the ratings that a match affects.

    :param known: the ratings before the match; a person without one is a newcomer.
    :param places: update the ratings of these places only; None: all places that the match affects.
    :returns: the ratings after the match.
    """
    wanted = match.places if places is None else places
    named = dict(zip(match.people, match.names, strict=True))
    rows = {key: replace(_before(key, known), name=named[key[0]]) for key in keys_of(match, wanted)}
    if not match.counts:
        return {key: replace(row, uncounted=row.uncounted + 1) for key, row in rows.items()}
    changed: dict[Key, RatingRow] = {}
    for place in wanted:
        changed |= _rated(match, {k: row for k, row in rows.items() if (k[1], k[3]) == place})
    return changed


def from_scratch(matches: Iterable[FinishedMatch]) -> dict[Key, RatingRow]:
    """Compute all ratings.

    :param matches: all matches, in the order in which they were finished.
    """
    rows: dict[Key, RatingRow] = {}
    for match in matches:
        rows |= after(match, rows)
    return rows


def courses(
    matches: Iterable[FinishedMatch], season: int = ALL_TIME
) -> dict[str, dict[int, list[int]]]:
    """Return the ratings on a server over time, by game and person: the initial rating, then the
    rating after each of their matches that counted.

    :param matches: all matches of the server, in the order in which they were finished.
    :param season: the season whose ratings to return.
    """
    rows: dict[Key, RatingRow] = {}
    found: dict[str, dict[int, list[int]]] = {}
    for match in matches:
        if not match.counts:
            continue
        here = [place for place in match.places if place[0] == match.guild_id]
        changed = after(match, rows, here)
        for key, row in changed.items():
            person_id, _, game, of = key
            if of == season:
                course = found.setdefault(game, {}).setdefault(person_id, [])
                if not course:
                    course.append(_before(key, rows).rating)
                course.append(row.rating)
        rows |= changed
    return found


def _before(key: Key, known: Mapping[Key, RatingRow]) -> RatingRow:
    """Return a rating before a match. A person's first rating in a season is derived from their
    all-time rating on the server.
    """
    person_id, guild_id, game, _ = key
    row = known.get(key)
    if row is None:
        ever = known.get((person_id, guild_id, game, ALL_TIME))
        row = RatingRow(*key) if ever is None else _softened(ever, RatingRow(*key))
    return row


def _softened(ever: RatingRow, newcomer: RatingRow) -> RatingRow:
    """Return the initial rating of a season, derived from the all-time rating."""
    mu = newcomer.mu + KEPT * (ever.mu - newcomer.mu)
    sigma = hypot(KEPT * ever.sigma, sqrt(1 - KEPT**2) * newcomer.sigma)
    rating = _points(_MODEL.rating(mu, sigma))
    return replace(newcomer, mu=mu, sigma=sigma, rating=rating)


def _points(skill: PlackettLuceRating) -> int:
    return NEWCOMER + round(POINTS * skill.ordinal())


def _rated(match: FinishedMatch, rows: Mapping[Key, RatingRow]) -> dict[Key, RatingRow]:
    """Return the ratings of all seats after a match.

    :param rows: the ratings before the match, in the order of seats.
    """
    skills = [[_MODEL.rating(row.mu, row.sigma)] for row in rows.values()]
    rated = _MODEL.rate(skills, ranks=list(match.ranks))
    return {
        key: replace(
            row,
            matches=row.matches + 1,
            won=row.won + (rank == 1),
            rating=_points(skill),
            mu=skill.mu,
            sigma=skill.sigma,
            streak=row.streak + 1 if rank == 1 else 0,
            longest=max(row.longest, row.streak + 1) if rank == 1 else row.longest,
        )
        for (key, row), (skill,), rank in zip(rows.items(), rated, match.ranks, strict=True)
    }
