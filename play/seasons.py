"""How the ratings of a season stand, and what it was like."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from data.store.standings import Standing
from data.store.store import Store

PEOPLE_AT_MOST = 1000
"""So many are counted in a game."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The table of a season in one game.

    :param standings: the best first, at least one.
    :param courses: by person, the ratings at the beginning and after each match that counted.
    :param people: how many have played.
    """

    standings: tuple[Standing, ...]
    courses: dict[int, tuple[int, ...]]
    people: int


async def rankings(
    store: Store, guild_id: int, season: int, games: Iterable[str], most: int
) -> dict[str, Ranking]:
    """By game, how a season stands; games that nobody has played are left out.

    :param most: people in a table.
    """
    boards = await store.standings.leaderboard(guild_id, games, PEOPLE_AT_MOST, 0, season)
    if not boards:
        return {}
    courses = await store.standings.season_courses(guild_id, season)
    found = {}
    for game, listed in boards.items():
        known = courses.get(game, {})
        shown = [each.row.person_id for each in listed[:most]]
        ways = {person: tuple(known.get(person, ())) for person in shown}
        found[game] = Ranking(tuple(listed[:most]), ways, len(listed))
    return found
