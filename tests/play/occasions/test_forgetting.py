"""A forgotten person leaves no trace in a tournament, and the tournament continues."""

from __future__ import annotations

from pathlib import Path

from data.store.store import Store
from play.occasions.occasions import Occasions
from play.occasions.tournament import Format, Phase, Tournament, TournamentPlan
from play.occasions.tournament_acts import NAME, SignUp, Tourney, Withdraw
from play.tables import Tables
from tests.play.clock import Clock
from tests.play.kinds import KINDS
from tests.play.life import NAME as PERSONS_NAME
from tests.play.life import PERSON, privacy_of
from tests.stores import cells


async def test_a_forgotten_person_leaves_no_trace(
    store: Store, clock: Clock, tables: Tables, tmp_path: Path
) -> None:
    occasions = Occasions(store, clock, KINDS)
    plan = TournamentPlan(title="Cup", game="lancelot", format=Format.ROBIN, most=4)
    tourney: Tourney = await occasions.open(
        NAME,
        Tournament(plan=plan, secret="of the test"),
        guild_id=7,
        channel_id=8,
        language="en",
        host_id=PERSON,
    )
    people = {PERSON: PERSONS_NAME, 2: "Ben", 3: "Clara", 4: "David"}
    for person, name in people.items():
        tourney = (await occasions.act(1, SignUp(person, name))).after
    await occasions.act(1, tourney.kind.stands(tourney, 1))
    await occasions.act(1, Withdraw(2))
    await privacy_of(tables).forget(PERSON, "Unknown K7Q2")
    found = [*cells(tmp_path / "house.sqlite3")]
    for trace in (str(PERSON), PERSONS_NAME):
        assert [(table, column) for table, column, value in found if trace in str(value)] == []
    occasions.forget_all()
    after: Tourney = await occasions.get(1)
    (place,) = (place for place in after.state.places if place.person_id < 0)
    assert place.gone
    assert after.state.names[place.person_id] == "Unknown K7Q2"
    assert after.state.phase is Phase.RUNNING
    assert all(min(seating.people) > 0 for seating in after.kind.seatings(after))
