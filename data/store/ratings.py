"""How ratings and statistics follow from finished matches.

Ratings follow Weng and Lin's model for matches of any number of players (openskill's
Plackett-Luce). A match of two or more counts if each seat was played by one person from beginning
to end, everyone moved at least twice, and it came to a result; resigning at a table of two is a
result. Everyone has a rating in each game on each server, one from the matches of all servers
together, and, where a server plays in seasons, one for each of them.

A season begins softly: everyone's skill is drawn half of the way to a newcomer's, and is as much
less sure. Skill is taken to have drifted as an autoregressive process of the first order does,
whose resting state is the model's newcomer: its mean is ``m + k (mu - m)`` and its variance
``k^2 sigma^2 + (1 - k^2) s^2``, where ``m`` and ``s`` are a newcomer's. So nobody becomes less sure
than a newcomer, a bound that Glickman sets to the drift between rating periods, too ("Parameter
estimation in large dynamic paired comparison experiments", 1999).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot, sqrt

from openskill.models import PlackettLuce, PlackettLuceRating

NEWCOMER = 1000
"""The rating of someone who has not played yet."""

POINTS = 40
"""Points of a rating for each of the model's units."""

EVERYWHERE = -1
"""In place of a server: all servers together."""

ALL_TIME = 0
"""In place of a season: all of them, and what was played between them."""

KEPT = 0.5
"""Share of a skill's distance from a newcomer's that a new season keeps (0..1)."""

_MODEL = PlackettLuce()


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """What ratings take from a finished match.

    :param guild_id: None: it was on no server.
    :param people: by seat; None: a computer player from the beginning.
    :param names: by seat, at the time.
    :param ranks: by seat, 1 is best; empty: there are none.
    :param by_people: each seat was played by one person from the beginning to the end.
    :param season: of the server, in which it was finished; ``ALL_TIME``: in none.
    :param brief: somebody moved less than twice.
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
        """Whether it changes ratings."""
        persons = len(self.people) - self.people.count(None)
        whole = self.by_people and not self.brief
        return whole and 1 < persons == len(self.people) == len(self.ranks)

    @property
    def places(self) -> tuple[Place, ...]:
        """Where it bears on ratings."""
        everywhere = EVERYWHERE, ALL_TIME
        if self.guild_id is None:
            return (everywhere,)
        seasons = dict.fromkeys((ALL_TIME, self.season))
        return (*((self.guild_id, season) for season in seasons), everywhere)


@dataclass(frozen=True, slots=True)
class RatingRow:
    """How a person stands in one game.

    :param guild_id: the server, or ``EVERYWHERE``.
    :param season: of the server, or ``ALL_TIME``.
    :param name: as at the latest table that was finished there.
    :param matches: how many counted.
    :param won: how many of them brought the first place, alone or shared.
    :param uncounted: how many others were finished.
    :param rating: a careful estimate: it rises with victories and with certainty.
    :param mu: the model's estimate of the person's skill; ``sigma``: its uncertainty.
    :param streak: the last so many of the matches that counted were won.
    :param longest: so many of them were won in a row at most.
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
"""Server and season, of which the latter may be ``ALL_TIME``, and the former ``EVERYWHERE``."""

Key = tuple[int, int, str, int]
"""Person, server, game and season: what tells one ``RatingRow`` from the others."""


def keys_of(match: FinishedMatch, places: Iterable[Place]) -> Iterator[Key]:
    """The ratings on which a match bears in some places."""
    for guild_id, season in places:
        for person_id in match.people:
            if person_id is not None:
                yield person_id, guild_id, match.game, season


def after(
    match: FinishedMatch, known: Mapping[Key, RatingRow], places: Sequence[Place] | None = None
) -> dict[Key, RatingRow]:
    """The ratings on which a match bears, as they are after it.

    :param known: as they were before; whoever is missing is a newcomer.
    :param places: those that are wanted; None: all of the match.
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
    """All ratings there are.

    :param matches: in the order in which they were finished.
    """
    rows: dict[Key, RatingRow] = {}
    for match in matches:
        rows |= after(match, rows)
    return rows


def courses(
    matches: Iterable[FinishedMatch], season: int = ALL_TIME
) -> dict[str, dict[int, list[int]]]:
    """By game and person, how the ratings of a server have changed by matches: the one at the
    beginning, then the one after each match of theirs that counted.

    :param matches: all of the server, in the order in which they were finished.
    :param season: whose ratings they are.
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
    """A rating before a match; the first one of a season follows from that of all time, which
    every match of the server has carried on.
    """
    person_id, guild_id, game, _ = key
    row = known.get(key)
    if row is None:
        ever = known.get((person_id, guild_id, game, ALL_TIME))
        row = RatingRow(*key) if ever is None else _softened(ever, RatingRow(*key))
    return row


def _softened(ever: RatingRow, newcomer: RatingRow) -> RatingRow:
    """What is left of a rating when a season begins."""
    mu = newcomer.mu + KEPT * (ever.mu - newcomer.mu)
    sigma = hypot(KEPT * ever.sigma, sqrt(1 - KEPT**2) * newcomer.sigma)
    rating = _points(_MODEL.rating(mu, sigma))
    return replace(newcomer, mu=mu, sigma=sigma, rating=rating)


def _points(skill: PlackettLuceRating) -> int:
    return NEWCOMER + round(POINTS * skill.ordinal())


def _rated(match: FinishedMatch, rows: Mapping[Key, RatingRow]) -> dict[Key, RatingRow]:
    """The ratings of all seats of a match, in their order, after it."""
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
