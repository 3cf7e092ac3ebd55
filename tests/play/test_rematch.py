"""Rematches: who is asked, for how long, when they start automatically, and who begins."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from data.store.rows import Line, Loaded, MemberRow, ServerRow, Status, Stored
from games.house import STARTER, first_of
from play.fold import table_of
from play.lobby import AddComputer, DrawLots, GiveWord, Join, Leave, SendAway, Start
from play.rematch import rematch
from play.table import Table
from play.tables import Tables
from tests.play.clock import Clock
from tests.play.house import ANNA, BEN, CLARA, GUILD, MESSAGE, House, lobby, name_of, started
from tests.play.life import begun

HAVE_STARTERS = ("isis", "isolde", "lancelot")
HAVE_NONE = ("donquixote", "twilight")


def offered(table: Table, by: int = ANNA) -> House:
    """The lobby of a rematch that somebody has just asked for."""
    opening = rematch(table, by)
    base = lobby(opening.game).row
    row = replace(
        base,
        id=2,
        code="AGN2",
        host_id=by,
        options=opening.options,
        wanted_players=opening.wanted_players,
        revision=2,
    )
    lines = (
        Line(1, "open", None, by, "", row.created_at),
        Line(2, "rematch", None, by, opening.rematch, row.created_at),
    )
    members = (MemberRow(0, by, opening.host_name), *opening.guests)
    return House(table_of(Loaded(Stored(row, members, lines), {}, ServerRow(GUILD))))


def names(table: Table) -> list[str]:
    return [member.name for member in table.members]


def asked(house: House) -> list[str]:
    """The names of people who have not answered yet."""
    return [name_of(person) for person in house.table.asked]


def accept(house: House, *people: int) -> Table:
    for person in people:
        house.do(Join(person, name_of(person)))
    return house.table


def drawn(house: House) -> Table:
    """The match once the message that determines its lots has been posted."""
    return house.do(DrawLots(house.table.drawing, MESSAGE))


# ----------------------------------------------------------------------------- who begins
@pytest.mark.parametrize("people", [2, 3])
@pytest.mark.parametrize("game", HAVE_STARTERS)
@pytest.mark.parametrize("starter", ["lot", "2"])
def test_the_start_passes_to_the_next_seat(game: str, people: int, starter: str) -> None:
    table = started(people, game, starter=starter, seating="lot", careful=False).table
    circle = [member.person_id for member in table.members]
    first = first_of(table.played)
    assert first is not None
    begins = circle[first]
    for turn in range(2 * people):
        host = circle[turn % people] or 0
        house = offered(table, host)
        others = [person for person in circle if person not in (None, host)]
        accept(house, *[person for person in others if person is not None])
        table = drawn(house)
        seats = [member.person_id for member in table.members]
        at = seats.index(circle[0])
        assert [*seats[at:], *seats[:at]] == circle, "the order around the table stays"
        first = first_of(table.played)
        assert first is not None
        expected = circle[(circle.index(begins) + 1) % people]
        assert seats[first] == expected
        begins = expected


@pytest.mark.parametrize("game", HAVE_NONE)
@pytest.mark.parametrize("seating", ["lot", "joined"])
def test_games_without_a_starter_keep_their_seating(game: str, seating: str) -> None:
    table = started(3, game, seating=seating, careful=False).table
    options = rematch(table, BEN).options
    assert options.get("seating", "lot") == seating
    assert STARTER not in options


def test_the_options_are_the_same() -> None:
    table = started(2, goal=3, pace="12h", strict=True, advice=False).table
    opening = rematch(table, BEN)
    given = {**table.row.options, STARTER: opening.options[STARTER]}
    assert opening.options == given
    assert opening.wanted_players == 2
    assert (opening.channel_id, opening.guild_id) == (table.row.channel_id, GUILD)
    assert json.loads(opening.rematch) == {"of": table.row.code, "dm": []}


# -------------------------------------------------------------------------- who is asked
def test_it_starts_by_itself_once_all_have_accepted() -> None:
    house = offered(started(3).table, BEN)
    assert names(house.table) == ["Ben", "Clara", "Anna"]
    assert asked(house) == ["Clara", "Anna"]
    accept(house, ANNA)
    assert asked(house) == ["Clara"]
    assert "lots" not in house.kinds()
    accept(house, CLARA)
    assert house.kinds() == ["open", "rematch", "join", "join", "lots"]
    assert drawn(house).running


def test_an_answer_counts_once() -> None:
    """People who have already answered, or who asked for the rematch, only learn who has yet to
    answer.
    """
    house = offered(started(3).table)
    accept(house, BEN)
    for person in (ANNA, BEN):
        refusal = house.refused(Join(person, name_of(person)))
        assert refusal.code == "rematch_waits"
        assert refusal.data["names"] == ["Clara"]
    house.do(Leave(CLARA))
    assert house.code(Join(BEN, "Ben")) == "already_member"


def test_seats_are_kept_for_two_days() -> None:
    house = offered(started(3).table)
    until = house.clock() + timedelta(days=2)
    house.do(GiveWord(ANNA, "grail"))
    assert house.table.row.due_at == until, "the seats must still be kept"
    accept(house, BEN)
    house.wait(days=2, seconds=-1)
    assert house.code(AddComputer(ANNA, "novice")) == "table_full"
    assert house.code(Join(4, "David")) == "table_full"
    refusal = house.refused(Start(ANNA))
    assert (refusal.code, refusal.data["until"]) == ("rematch_waits", until)
    house.wait(seconds=1)
    assert names(house.table) == ["Anna", "Ben"]
    assert house.kinds()[-1] == "lapse"
    (row, drawing) = (house.table.row, house.table.drawing)
    assert (row.due_at, drawing) == (None, 0), "the host decides from now on"


def test_after_two_days_the_host_starts_with_fewer() -> None:
    house = offered(started(3).table)
    accept(house, BEN)
    house.wait(days=2)
    house.do(Start(ANNA))
    table = drawn(house)
    assert sorted(names(table)) == ["Anna", "Ben"]
    assert table.row.options[STARTER] == "lot"


def test_after_two_days_others_may_take_the_seats() -> None:
    house = offered(started(3).table)
    accept(house, BEN)
    house.wait(days=2)
    house.do(AddComputer(ANNA, "novice"))
    house.do(Join(CLARA, "Clara"))
    assert names(house.table) == ["Anna", "Ben", "Merlin", "Clara"]
    assert not house.table.drawing
    house.do(Start(ANNA))
    assert drawn(house).running


def test_with_nobody_left_a_rematch_waits_for_others() -> None:
    house = offered(started(2).table)
    house.wait(days=3)
    assert names(house.table) == ["Anna"]
    assert house.code(Start(ANNA)) == "player_count"
    accept(house, BEN)
    house.do(Start(ANNA))
    assert drawn(house).running


def test_when_somebody_declines_the_host_starts_the_match() -> None:
    house = offered(started(3).table)
    house.do(Leave(CLARA))
    assert asked(house) == ["Ben"]
    assert house.table.row.wanted_players is None
    assert house.code(Start(ANNA)) == "rematch_waits"
    accept(house, BEN)
    assert not house.table.drawing
    house.do(AddComputer(ANNA, "novice"))
    house.do(Start(ANNA))
    assert drawn(house).running


def test_when_somebody_who_accepted_leaves_it_no_longer_starts_by_itself() -> None:
    house = offered(started(3).table)
    accept(house, BEN)
    house.do(Leave(BEN))
    accept(house, CLARA)
    assert (house.table.drawing, asked(house)) == (0, [])


def test_a_person_sent_away_before_answering_may_not_return() -> None:
    house = offered(started(3).table)
    house.do(SendAway(ANNA, house.table.member(BEN).number))
    assert asked(house) == ["Clara"]
    assert house.code(Join(BEN, "Ben")) == "barred"


def test_without_its_host_a_rematch_is_off() -> None:
    house = offered(started(2).table)
    assert house.code(Leave(ANNA)) == "not_sure"
    house.do(Leave(ANNA, sure=True))
    assert house.table.row.status is Status.ENDED
    assert asked(house) == []
    assert house.code(Join(BEN, "Ben")) == "not_in_lobby"


# ------------------------------------------------------------------------ who is not asked
def test_computer_players_sit_there_already() -> None:
    """The levels of computer players stay, or follow the server's current limit; a kept seat goes
    back to its person.
    """
    table = started(2, computers=2).table
    changes: dict[int, dict[str, Any]] = {1: {"level": "skilled"}, 2: {"level": "grandmaster"}}
    members = tuple(replace(m, **changes.get(n, {})) for n, m in enumerate(table.members))
    house = offered(replace(table, members=members))
    assert [member.level for member in house.table.members] == [None, None, "master", "novice"]
    assert asked(house) == ["Ben"]


def test_a_person_who_was_forgotten_is_not_asked() -> None:
    table = started(3).table
    members = tuple(replace(m, person_id=-7) if m.person_id == CLARA else m for m in table.members)
    house = offered(replace(table, members=members))
    assert names(house.table) == ["Anna", "Ben"]
    assert STARTER not in house.table.row.options
    accept(house, BEN)
    assert not house.table.drawing
    house.do(Start(ANNA))
    assert drawn(house).running


async def test_only_those_who_played_can_ask(tables: Tables, rng: random.Random) -> None:
    """A stored rematch lists the people asked, so it works after a restart, too."""
    table = await begun(tables, ANNA, BEN)
    opening = rematch(table, BEN)
    again = await tables.open(opening)
    assert (again.rematch_of, again.asked) == (table.row.code, (ANNA,))
    assert await tables.fresh(again.id) == again
    with pytest.raises(Exception, match="not_a_member"):
        rematch(table, CLARA)


async def test_two_days_pass_although_nobody_does_anything(tables: Tables, clock: Clock) -> None:
    again = await tables.open(rematch(await begun(tables, ANNA, BEN), ANNA))
    clock.move(timedelta(days=2, seconds=-1))
    assert again.id not in await tables.found.due(clock())
    clock.move(timedelta(seconds=1))
    assert again.id in await tables.found.due(clock())
    table = await tables.tick(again.id)
    assert [line.kind for line in table.journal] == ["open", "rematch", "lapse"]
    assert table.row.due_at is None


async def test_a_kept_seat_counts_towards_the_limit_of_tables(tables: Tables, clock: Clock) -> None:
    server = 900
    table = await begun(tables, ANNA, BEN)
    again = await tables.open(rematch(table, ANNA))

    async def limit(count: int) -> None:
        await tables.store.settings.change_server(
            server, lambda known: replace(known, tables_limit=count)
        )

    await limit(1)
    with pytest.raises(Exception, match="too_many_tables"):
        await tables.join(again.id, Join(BEN, "Ben"))
    await limit(2)
    assert (await tables.join(again.id, Join(BEN, "Ben"))).after.drawing
    clock.move(timedelta(days=3))
    assert (await tables.tick(again.id)).drawing, "nobody can be late now"
