"""Guests of the recurring occasions: daily posts and seasons."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any, ClassVar, Final

from cogs.delivery.message import mark_for
from data.store.access import Database
from data.store.hall_of_fame import PLACES
from data.store.ratings import from_scratch
from data.store.riddles import AttemptRow, PlayRow
from data.store.seasons import MONTHS, SEASONS, SeasonRow
from data.store.standings import finished_matches
from data.store.store import Store
from play.aggregate import Command
from play.daily import day_of
from play.occasions.daily import ONE_DAY, Arrange, Daily, DailyKind, daily_scope
from play.occasions.occasion import Occasion
from play.occasions.occasions import Occasions
from play.occasions.season import GRACE, Choose, ServerSeasons
from play.riddles.stock import shipped
from play.riddles.writer import NAMED
from play.seasons import Seasons
from tests.data.test_seasons import won
from tests.simulation.company import CHANNEL, PEOPLE, Company, Guests

ZONES: Final = ("Europe/Berlin", "America/New_York", "Pacific/Apia", "Asia/Kathmandu", "UTC")

BEGINNINGS: Final = (
    datetime(2026, 3, 26, 9, tzinfo=UTC),  # Berlin's clocks go forward on the 29th
    datetime(2026, 10, 22, 9, tzinfo=UTC),  # and back on the 25th
    datetime(2026, 12, 28, 9, tzinfo=UTC),
    datetime(2028, 2, 26, 9, tzinfo=UTC),  # a leap year
)


class Readers(Guests):
    """People on a server with posts of the daily riddle and deal."""

    LEAPS: ClassVar = (1, 60, 300, 700, 3000)
    HASTE: ClassVar = 0.5

    def start(self, rng: random.Random) -> datetime:
        """Start a few days before a clock change, the end of a year, or a leap day."""
        return rng.choice(BEGINNINGS)

    async def begin(self, occasions: Occasions, rng: random.Random) -> Occasion[Any]:
        """Use a new server in each history, and riddles that are cheap to make."""
        self._server = rng.getrandbits(40)
        self._deals: dict[tuple[str, int], int] = {}
        self._solved: dict[tuple[str, int], int] = {}
        today, text = day_of(occasions.clock()), shipped("lancelot")[0]
        days = (today + timedelta(days=n) for n in range(-1, 60))
        await occasions.store.riddles.put(dict.fromkeys(days, ("lancelot", text)))
        state = Daily(zone=rng.choice(ZONES), minutes=rng.randrange(24 * 60))
        return await occasions.open(
            DailyKind.NAME,
            state.begun(occasions.clock()),
            guild_id=self._server,
            channel_id=CHANNEL,
            language="en",
            scope=daily_scope(self._server),
        )

    def act(self, occasion: Occasion[Any], rng: random.Random) -> Command[Occasion[Any]] | None:
        """In one of five steps, change the hour or the time zone, or stop the posts for a while."""
        if rng.random() < 0.8:
            return None
        minutes, wanted = rng.randrange(24 * 60), rng.random() < 0.7
        return Arrange(PEOPLE, CHANNEL, rng.choice(ZONES), minutes, wanted)

    async def live(self, store: Store, now: datetime, rng: random.Random) -> None:
        """Have somebody play the day's deal and solve its riddle, here or elsewhere, unless they
        already have.
        """
        day, person = day_of(now).isoformat(), self._server + rng.randrange(5)
        here = rng.random() < 0.6
        begun = person, day, self._server if here else 9, f"Person {person}"
        points = rng.randint(20, 60)
        play = await store.riddles.change_play(
            PlayRow(*begun),
            lambda row: row if row.points else replace(row, points=points),
        )
        attempt = await store.riddles.change_attempt(
            AttemptRow(*begun),
            lambda row: row if row.solved else replace(row, solved=True, points=points % 5 + 1),
        )
        if play.guild_id == self._server:
            self._deals.setdefault((day, person), play.points or 0)
        if attempt.guild_id == self._server:
            self._solved.setdefault((day, person), attempt.points or 0)

    async def check(self, company: Company, occasion: Occasion[Any]) -> None:
        """Check that each day is posted once, in time, without a ping, with yesterday's best."""
        state, now, world = occasion.state, company.world.now, company.world
        posts = [line for line in occasion.journal if line.kind == "post"]
        days = [line.text for line in posts]
        assert [day for day, times in Counter(days).items() if times > 1] == [], "posted twice"
        for line in posts:
            assert day_of(line.at).isoformat() == line.text, "posted after its day"
        assert not (state.wanted and state.due), f"{state.due} was not posted"
        assert not state.wanted or state.at(state.next()) > now, "its hour has passed"
        lines = [line for line in occasion.journal if line.kind in ("post", "skip", "arrange")]
        for line in lines:
            assert line.kind != "skip" or line.at in company.nights, f"{line.text} was left out"
        for one, other in pairwise(lines):
            if one.kind == other.kind == "post":
                following = date.fromisoformat(one.text) + ONE_DAY
                assert following.isoformat() == other.text, f"{following} was left out"
        assert world.pings == [], "somebody was pinged"
        for day in days:
            standing = company.standing(occasion, f"day:{day}")
            assert len(standing) <= 1, f"{day} was posted {len(standing)} times"
            assert day == days[-1] or not any(each.card.rows for each in standing), (
                "an old post has buttons"
            )
        if state.post is not None:
            before = (date.fromisoformat(state.post.day) - ONE_DAY).isoformat()
            assert best(self._deals, before) == named(state.post.deals), "wrong best deals"
            assert best(self._solved, before) == named(state.post.solvers), "wrong solvers"


def best(made: dict[tuple[str, int], int], day: str) -> list[tuple[int, int]]:
    """The best people of a day, and their points."""
    of_day = [(person, points) for (when, person), points in made.items() if when == day]
    return sorted(of_day, key=lambda each: (-each[1], each[0]))[:NAMED]


def named(told: Any) -> list[tuple[int, int]]:
    """The people a post names, and their points."""
    return [(each.person_id, each.points) for each in told]


class Champions(Guests):
    """People on a server with seasons."""

    LEAPS: ClassVar = (1, 60, 700, 9 * 24 * 60, 20 * 24 * 60)
    HASTE: ClassVar = 0.3

    def start(self, rng: random.Random) -> datetime:
        """Start like ``Readers``."""
        return rng.choice(BEGINNINGS)

    async def begin(self, occasions: Occasions, rng: random.Random) -> Occasion[Any]:
        """Use a new server in each history."""
        self._server = rng.getrandbits(40)
        seasons = Seasons(occasions, lambda: None)
        zone = rng.choice(ZONES)
        return await seasons.choose(self._server, "month", zone, CHANNEL, "en")

    def act(
        self, occasion: Occasion[ServerSeasons], rng: random.Random
    ) -> Command[Occasion[Any]] | None:
        """In one of five steps, change the length of seasons, or end them."""
        if rng.random() < 0.8:
            return None
        return Choose(rng.choice([*MONTHS, None]), rng.choice(ZONES), CHANNEL)

    async def live(self, store: Store, now: datetime, rng: random.Random) -> None:
        people = rng.sample(range(PEOPLE, PEOPLE + 5), rng.choice([2, 2, 3]))
        await won(store, now, *people, game=rng.choice(["lancelot", "isis"]), guild=self._server)

    async def check(self, company: Company, occasion: Occasion[ServerSeasons]) -> None:
        """Check that seasons do not overlap, and each is announced once with the right winners."""
        store, now, server = company.store, company.world.now, self._server
        seasons, right = await store.database.read(lambda db: recomputed(db, server))
        assert await store.standings.recompute() == 0, "matches were not counted once"
        assert [each.number for each in seasons] == [*range(1, len(seasons) + 1)]
        for one, other in pairwise(seasons):
            assert one.ends_at <= other.begins_at, "seasons overlap"
        for each in seasons:
            assert each.closed or each.ends_at + GRACE > now, f"{each.title} was not closed"
        fame = await store.seasons.hall_of_fame(server, len(seasons))
        shown = {
            (each.season.number, game, honour.row.person_id, honour.place)
            for each in fame
            for game, honours in each.honours.items()
            for honour in honours
        }
        assert shown == right, "wrong hall of fame"
        told = [line.text.split() for line in occasion.journal if line.kind == "look"]
        titles = [each.season.title for each in reversed(fame)]
        assert [title for each in told for title in each] == titles, "not announced once"
        here = [ping for ping in company.world.pings if ping[0] == occasion.row.channel_id]
        assert here == [], "somebody was pinged"
        ever = {mark for _, mark, _ in company.world.posted}
        for ended in occasion.state.ended:
            key = f"season:{ended.number}"
            assert mark_for(occasion, key) in ever, f"{ended.title} was not shown"
            assert len(company.standing(occasion, key)) <= 1, f"{ended.title} was shown twice"


def recomputed(db: Database, server: int) -> tuple[list[SeasonRow], set[tuple[int, str, int, int]]]:
    """The seasons of a server, and, from its matches alone, who has a place in the hall of fame:
    season, game, person and place.
    """
    seasons = SEASONS.find(db, "guild_id = ? ORDER BY number", server)
    over = {each.number for each in seasons if each.closed}
    rows = from_scratch(finished_matches(db, "WHERE tables.guild_id = ?", server)).values()
    tables: dict[tuple[int, str], list[tuple[int, int]]] = {}
    for row in rows:
        if row.guild_id == server and row.season in over and row.matches:
            tables.setdefault((row.season, row.game), []).append((row.rating, row.person_id))

    def honoured() -> Iterator[tuple[int, str, int, int]]:
        for (season, game), placed in tables.items():
            for rating, person in placed:
                place = 1 + sum(other > rating for other, _ in placed)
                if place <= PLACES:
                    yield season, game, person, place

    return seasons, {*honoured()}
