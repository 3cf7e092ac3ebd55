"""Tournaments as values for tests: announced, changed by commands, and played with random
results.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from data.store.rows import OccasionRow
from play.aggregate import Command, Tick
from play.occasions.occasion import Hear, Occasion, TableNews
from play.occasions.occasions import decide
from play.occasions.tournament import Format, Phase, Tournament, TournamentPlan
from play.occasions.tournament_acts import (
    NAME,
    DrawPlaces,
    SignUp,
    Tournaments,
    Tourney,
    drawing_of,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOST = 900


def announced(game: str = "lancelot", **plan: Any) -> Tourney:
    """A tournament without any sign-ups."""
    given: dict[str, Any] = {"title": "Spring cup", "format": Format.SWISS, **plan}
    state = Tournament(plan=TournamentPlan(game=game, **given), secret="of the tests")
    row = OccasionRow(
        id=1,
        code="T7K2",
        kind=NAME,
        scope=None,
        guild_id=5,
        channel_id=6,
        host_id=HOST,
        language="en",
        state="",
        over=False,
        created_at=NOW,
        changed_at=NOW,
        revision=0,
    )
    return Occasion(row, Tournaments(), state, ()).add("open", NOW, HOST)


def act(tourney: Tourney, command: Command[Occasion[Any]], now: datetime = NOW) -> Tourney:
    """The tournament after a command, as read back from the store."""
    after = decide(tourney, command, now)
    assert after.kind.read(after.kind.written(after.state)) == after.state
    return after


def signed(people: int, tourney: Tourney | None = None, **plan: Any) -> Tourney:
    """A tournament with sign-ups of people 101, 102 and so on, the last rated best."""
    tourney = tourney or announced(**plan)
    for number in range(1, people + 1):
        tourney = act(tourney, SignUp(100 + number, f"Person {number}", 1000 + number))
    return tourney


def started(people: int, **plan: Any) -> Tourney:
    """A tournament with its first round."""
    tourney = signed(people, most=people, **plan)
    assert tourney.state.phase is Phase.DRAWING
    return act(tourney, DrawPlaces(drawing_of(tourney), 4711))


def news(tourney: Tourney, slot: str, status: str = "running", **result: Any) -> TableNews:
    """The state of a tournament's table, with its people in order of seats."""
    found = tourney.state.meeting(slot)
    assert found is not None
    seats = tuple(tourney.state.places[place].person_id for place in found[2].players)
    resigned = frozenset(result.pop("resigned", ()))
    return TableNews(slot, 1, f"C{slot}", 60, status, result or None, seats, resigned)


def opened(tourney: Tourney) -> Tourney:
    """The tournament after its tables have been opened."""
    for seating in tourney.kind.seatings(tourney):
        tourney = act(tourney, Hear(news(tourney, seating.slot)))
    return tourney


def results(tourney: Tourney, rng: random.Random, draws: float = 0.1) -> Tourney:
    """The tournament after all tables of the round have ended, in any order."""
    tourney = opened(tourney)
    waiting = [slot for slot, meeting in tourney.state.slots if not meeting.over]
    for slot in rng.sample(waiting, len(waiting)):
        found = tourney.state.meeting(slot)
        assert found is not None
        seats = len(found[2].players)
        ranks = rng.sample(range(1, seats + 1), seats)
        if rng.random() < draws:
            tourney = act(tourney, Hear(news(tourney, slot, "ended", how="ended")))
        else:
            tourney = act(tourney, Hear(news(tourney, slot, "finished", ranks=ranks)))
    return tourney


def played_out(tourney: Tourney, rng: random.Random) -> Tourney:
    """The tournament after its last round."""
    for _ in range(40):
        if tourney.over:
            return tourney
        tourney = results(tourney, rng)
    raise AssertionError("it does not end")


def later(tourney: Tourney, **time: float) -> Tourney:
    return act(tourney, Tick(), NOW + timedelta(**time))
