"""Histories of occasions: whatever happens, they end correctly."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from cogs.delivery import message
from cogs.gateway.cards import Card
from cogs.present.occasions import OccasionPresenter
from data.store import hall_of_fame, standings
from data.store.ratings import after
from data.store.riddles import RiddleRepository
from data.store.rows import PersonRow
from play.aggregate import Command
from play.daily import day_of
from play.matching import Seek
from play.occasions.daily import ONE_DAY, Daily, DailyKind
from play.occasions.occasion import Occasion, OccasionKind, PlannedTable, TableNews
from play.occasions.occasions import Occasions
from play.occasions.season import SeasonKind
from play.occasions.seek import Seeking, SeekMatch, Seeks, StopSeeking, seek_scope
from play.occasions.tournament import Dropouts, Format, Tournament, TournamentPlan
from play.occasions.tournament_acts import NAME as TOURNAMENT
from play.occasions.tournament_acts import (
    BeginNow,
    ChooseOptions,
    Correct,
    Pause,
    Remove,
    SignUp,
    Tournaments,
    Withdraw,
)
from play.riddles.writer import Writer
from play.seasons import Seasons
from tests.cogs.test_occasions import surfaces
from tests.play.clock import NOON
from tests.play.relay import Enter, Relay, Relaying
from tests.simulation import company
from tests.simulation.company import CHANNEL, GUILD, PEOPLE, Company, Guests, histories
from tests.simulation.history import stub_drawn
from tests.simulation.regulars import Champions, Readers

HISTORIES = 12
"""The maximum number of histories in which a planted fault must be found. Without one, half of them
are played.
"""


class Runners(Guests):
    """People who come to relays."""

    async def begin(self, occasions: Occasions, rng: random.Random) -> Occasion[Any]:
        """Begin a relay of one to three legs."""
        return await occasions.open(
            Relay.NAME,
            Relaying({PEOPLE: "Anna"}, legs=rng.randint(1, 3)),
            guild_id=GUILD,
            channel_id=CHANNEL,
            language="en",
            host_id=PEOPLE,
        )

    def act(self, occasion: Occasion[Any], rng: random.Random) -> Command[Occasion[Any]] | None:
        """Have somebody enter, perhaps for a second time."""
        if len(occasion.state.names) == 2:
            return None
        return Enter(PEOPLE + rng.randrange(2), "Ben")


class Jousters(Guests):
    """People who join and leave tournaments, and their organiser."""

    async def begin(self, occasions: Occasions, rng: random.Random) -> Occasion[Any]:
        """Begin a tournament of three or four people, in pairs or at one table."""
        form = rng.choice([Format.KNOCKOUT, Format.ROBIN, Format.SWISS])
        plan = TournamentPlan(
            "Spring cup",
            "lancelot",
            form,
            seats=rng.choice([2, 2, 3]) if form is Format.SWISS else 2,
            rounds=2,
            most=rng.randint(3, 4),
            pace="3d",
            dropouts=rng.choice([*Dropouts]),
        )
        return await occasions.open(
            TOURNAMENT,
            Tournament(plan=plan, secret=f"{rng.getrandbits(256):064x}"),
            guild_id=GUILD,
            channel_id=CHANNEL,
            language="en",
            host_id=PEOPLE,
        )

    def act(self, occasion: Occasion[Any], rng: random.Random) -> Command[Occasion[Any]] | None:
        """Mostly sign up; otherwise leave, or act as the organiser."""
        person = PEOPLE + rng.randrange(6)
        acts: list[Command[Occasion[Any]]] = [SignUp(person, f"Person {person}", person)] * 12
        acts += [Withdraw(person), BeginNow(PEOPLE, False), Remove(PEOPLE, False, "", person)]
        acts += [Pause(PEOPLE, False, "Tea."), *[Pause(PEOPLE, False, paused=False)] * 2]
        acts += [ChooseOptions(PEOPLE, False, changes={"goal": rng.choice([None, 4, 5])})] * 2
        for slot, meeting in occasion.state.slots:
            ranks = tuple(rng.randint(1, 3) for _ in meeting.players)
            acts.append(Correct(PEOPLE, True, "Agreed.", slot=slot, ranks=ranks))
        return rng.choice(acts)

    async def check(self, company: Company, occasion: Occasion[Any]) -> None:
        """Check that the winners have their trophies once, and nobody had one before the end."""
        expected = occasion.kind.trophies(occasion)
        people = sorted(occasion.state.names)
        given = [row for each in people for row in await company.store.trophies.of_person(each)]
        assert sorted(given, key=repr) == sorted(expected, key=repr)


class Seekers(Guests):
    """People who seek a match, and some who change their minds."""

    async def begin(self, occasions: Occasions, rng: random.Random) -> Occasion[Any]:
        """Begin seeking on one server."""
        scope, closes = seek_scope(GUILD, occasions.clock())
        return await occasions.open(
            Seeking.NAME,
            Seeks(closes=closes),
            guild_id=GUILD,
            channel_id=CHANNEL,
            language="en",
            scope=f"{scope} {rng.random()}",
        )

    def act(self, occasion: Occasion[Any], rng: random.Random) -> Command[Occasion[Any]] | None:
        """Have somebody seek a match of one or two kinds, or stop seeking."""
        person = PEOPLE + rng.randrange(6)
        if rng.random() < 0.2:
            return StopSeeking(person)
        tables = tuple({(rng.choice(["lancelot", "isis"]), rng.choice([2, 3])) for _ in range(2)})
        seek = Seek(
            number=0,
            person_id=person,
            name=f"Person {person}",
            tables=tables,
            paces=("",),
            near=False,
            language="en",
            guild_id=GUILD,
            abroad=False,
            since=NOON,
            until=NOON,
        )
        return SeekMatch(seek, PersonRow(person), rng.choice([1, 12]), CHANNEL)


GUESTS: dict[type[OccasionKind[Any]], Guests] = {
    Relay: Runners(),
    Tournaments: Jousters(),
    Seeking: Seekers(),
    DailyKind: Readers(),
    SeasonKind: Champions(),
}


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace all drawings with empty ones, because pixels do not matter here."""
    monkeypatch.setattr(message, "with_pictures", stub_drawn)


@pytest.mark.full
@pytest.mark.parametrize("kind", GUESTS, ids=lambda kind: kind.NAME)
@pytest.mark.usefixtures("undrawn")
async def test_after_any_history_everything_is_right(
    kind: type[OccasionKind[Any]], tmp_path: Path
) -> None:
    await histories(tmp_path, GUESTS[kind], range(HISTORIES // 2))


class Forgetful(Relay):
    """Forgets which tables exist, so that each is requested again."""

    def seatings(self, occasion: Occasion[Relaying]) -> Sequence[PlannedTable]:
        """Request all tables, as if there were none."""
        found = super().seatings(occasion.changed(opened=()))
        return [] if occasion.over else found

    def told(self, occasion: Occasion[Relaying], news: TableNews, now: Any) -> Occasion[Relaying]:
        """Process the news of a table every time."""
        return occasion.add("table", now, text=news.code) if not occasion.over else occasion


@pytest.mark.slow("planted faults")
@pytest.mark.usefixtures("undrawn")
async def test_tables_opened_twice_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The checks fail if an occasion requests its tables again."""
    monkeypatch.setattr(company, "KINDS", {Forgetful(): surfaces})
    with pytest.raises(AssertionError, match="history 0"):
        await histories(tmp_path, Runners(), [0])


# Each of the following functions plants a fault, so that a test can prove that the checks find it.
def forgets_what_was_posted(broken: pytest.MonkeyPatch) -> None:
    """Forget the last post whenever the hour is changed."""
    begun = Daily.begun
    broken.setattr(Daily, "begun", lambda it, now: replace(begun(it, now), told=before(now)))


def before(now: datetime) -> str:
    """The day before, in stored form."""
    return (day_of(now) - ONE_DAY).isoformat()


def writes_nothing_after_a_start(broken: pytest.MonkeyPatch) -> None:
    """Leave everything undone that was due when the process died."""
    broken.setattr(Writer, "wake_all", idle)


async def idle(*_: Any) -> None:
    pass


def calls_people(broken: pytest.MonkeyPatch) -> None:
    """Ping people in the daily post."""
    real = OccasionPresenter.surfaces
    broken.setattr(
        OccasionPresenter,
        "surfaces",
        lambda *given: [
            replace(each, card=Card((f"<@{PEOPLE}>", *each.card.parts)), pings=(PEOPLE,))
            for each in real(*given)
        ],
    )


def names_the_best_of_all_servers(broken: pytest.MonkeyPatch) -> None:
    """Name the best people of all servers in the post of one."""
    best = RiddleRepository.best_plays
    broken.setattr(
        RiddleRepository, "best_plays", lambda it, day, _, most: best(it, day, None, most)
    )


def looks_at_no_season(broken: pytest.MonkeyPatch) -> None:
    """Never check seasons, neither when one ends nor after a start."""
    broken.setattr(Seasons, "wake", lambda *_: None)


def counts_matches_twice(broken: pytest.MonkeyPatch) -> None:
    broken.setattr(standings, "after", lambda match, known: after(match, after(match, known)))


def honours_two_places(broken: pytest.MonkeyPatch) -> None:
    """Honour two places instead of three."""
    broken.setattr(hall_of_fame, "PLACES", 2)


def tells_of_all_seasons_again(broken: pytest.MonkeyPatch) -> None:
    """Announce all seasons again whenever one is over."""
    closed = hall_of_fame.SeasonRepository.closed
    broken.setattr(
        hall_of_fame.SeasonRepository, "closed", lambda it, guild, _: closed(it, guild, 0)
    )


def shows_no_season(broken: pytest.MonkeyPatch) -> None:
    """Never announce a season in the channel."""
    broken.setattr(OccasionPresenter, "surfaces", lambda *_: [])


@pytest.mark.parametrize(
    ("fault", "kind", "found"),
    [
        (forgets_what_was_posted, DailyKind, "posted twice"),
        (writes_nothing_after_a_start, DailyKind, "was left out"),
        (calls_people, DailyKind, "pinged"),
        (names_the_best_of_all_servers, DailyKind, "wrong best deals"),
        (looks_at_no_season, SeasonKind, "was not closed"),
        (counts_matches_twice, SeasonKind, "not counted once"),
        (honours_two_places, SeasonKind, "wrong hall of fame"),
        (tells_of_all_seasons_again, SeasonKind, "not announced once"),
        (shows_no_season, SeasonKind, "was not shown"),
    ],
)
@pytest.mark.usefixtures("undrawn")
async def test_a_fault_is_found(
    fault: Callable[[pytest.MonkeyPatch], None],
    kind: type[OccasionKind[Any]],
    found: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fault(monkeypatch)
    with pytest.raises(AssertionError, match=found):
        await histories(tmp_path, GUESTS[kind], range(HISTORIES))
