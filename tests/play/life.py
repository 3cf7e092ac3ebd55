"""Everything that one person can leave behind: a row of every kind, at tables in every state."""

from __future__ import annotations

import json
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import Any

from data.store.riddles import AttemptRow, PlayRow
from data.store.rows import MessageRow, Opening
from data.store.trophies import TrophyRow
from play.ending import EndTable, Resign
from play.lobby import AddComputer, DrawLots, Follow, Join, Mute, Park, SendAway, Start
from play.moves import PlayMoves
from play.occasions.occasions import Occasions
from play.occasions.tournament import Format, Tournament, TournamentPlan
from play.occasions.tournament_acts import NAME as TOURNAMENT
from play.occasions.tournament_acts import SignUp
from play.plans import Hurry, Plan
from play.privacy import Pause, Privacy
from play.seats import HandOver
from play.table import Table
from play.tables import Tables
from play.undo import TakeBack
from play.votes import Answer
from tests.play.clock import NOON
from tests.play.house import ANNA, BEN, CLARA, name_of
from tests.play.kinds import KINDS
from tests.stores import cells


def privacy_of(tables: Tables, pause: Pause = lambda _: nullcontext()) -> Privacy:
    return Privacy(tables, Occasions(tables.store, tables.clock, KINDS), pause)


PERSON = 271828182845904523
"""An id that cannot occur anywhere by accident."""

NAME = "Zoë_Quill"

CHANNELS = count(1000)


async def gathered(
    tables: Tables, *people: int, game: str = "lancelot", computers: int = 0, **options: Any
) -> Table:
    """A lobby in a separate channel, hosted by the first of these people."""
    fixed = {"starter": "1"} if game == "lancelot" else {}
    host = people[0]
    opening = Opening(
        game=game,
        guild_id=900,
        channel_id=next(CHANNELS),
        host_id=host,
        host_name=called(host),
        language="en",
        options={"seating": "joined", **fixed, **options},
    )
    table = await tables.open(opening)
    for person in people[1:]:
        await tables.join(table.id, Join(person, called(person)))
    for _ in range(computers):
        await tables.act(table.id, AddComputer(host, "novice"))
    return await tables.get(table.id)


async def begun(tables: Tables, *people: int, **given: Any) -> Table:
    table = await gathered(tables, *people, **given)
    drawing = (await tables.act(table.id, Start(people[0]))).after.drawing
    return (await tables.act(table.id, DrawLots(drawing, 10**18))).after


def called(person: int) -> str:
    return NAME if person == PERSON else name_of(person)


async def a_life(tables: Tables) -> dict[str, Table]:
    """Store tables in every state with the person; return them by the person's role."""
    store = tables.store
    known = {
        "host": await gathered(tables, PERSON, ANNA),
        "guest": await gathered(tables, ANNA, PERSON),
        "away": await gathered(tables, ANNA, PERSON),
        "rival": await begun(tables, ANNA, PERSON, pace="1d"),
        "third": await begun(tables, ANNA, PERSON, BEN, pace="1d"),
        "hidden": await begun(tables, PERSON, ANNA, BEN, game="twilight"),
        "alone": await begun(tables, PERSON, computers=2),
        "parked": await begun(tables, ANNA, PERSON, CLARA),
        "follower": await begun(tables, ANNA, BEN),
        "wanted": await begun(tables, ANNA, computers=1),
        "winner": await begun(tables, PERSON, ANNA),
        "resigned": await begun(tables, ANNA, PERSON, CLARA),
    }
    commands = (
        ("away", SendAway(ANNA, 1)),
        ("rival", PlayMoves(ANNA, ("K4",))),
        ("rival", PlayMoves(PERSON, ("D4",))),
        ("rival", Plan(PERSON, "E5")),
        ("rival", Hurry(PERSON, True)),
        ("rival", Mute(PERSON, True)),
        ("rival", EndTable(ANNA)),
        ("third", PlayMoves(ANNA, ("K4",))),
        ("third", PlayMoves(PERSON, ("D4",))),
        ("third", TakeBack(ANNA)),
        ("parked", Park(known["parked"].row.channel_id)),
        ("follower", Follow(PERSON)),
        ("follower", HandOver(ANNA, newcomer=PERSON)),
        ("wanted", HandOver(ANNA, newcomer=PERSON)),
        ("winner", PlayMoves(PERSON, ("K4",))),
        ("winner", Resign(ANNA, "novice")),
        ("resigned", Resign(PERSON, "novice")),
    )
    for number, (place, command) in enumerate(commands):
        known[place] = (await tables.act(known[place].id, command)).after
        if isinstance(command, TakeBack):
            (vote,) = known[place].votes
            for person in (PERSON, BEN):
                known[place] = (
                    await tables.act(known[place].id, Answer(vote.asked, person, "yes"))
                ).after
        await _shown(tables, known[place], number)
    await tables.store.packing.pack(known["winner"].id, NOON)
    await store.settings.set_person(PERSON, language="de", zone="Europe/Vienna", dm_channel=7)
    await store.standings.set_unlisted(PERSON, True)
    await store.records.add(PERSON, f"Tafelrunde record 1, brought by {NAME}", NOON)
    await store.lessons.solve(PERSON, "isis", "steps")
    await store.riddles.change_attempt(AttemptRow(PERSON, "2026-11-22", 1, NAME), lambda row: row)
    await store.riddles.change_play(PlayRow(PERSON, "2026-11-22", 1, NAME), lambda row: row)
    await store.trophies.award([TrophyRow(PERSON, "season", "9.1", "", 9, 1, "2026-08", NOON)])
    await _a_tournament(tables)
    return known


async def _a_tournament(tables: Tables) -> None:
    """Store a tournament that the person has announced and takes part in."""
    occasions = Occasions(tables.store, tables.clock, KINDS)
    plan = TournamentPlan("Spring cup", "lancelot", Format.SWISS)
    cup = await occasions.open(
        TOURNAMENT,
        Tournament(plan=plan, secret="5ec2e7"),
        guild_id=1,
        channel_id=2,
        language="en",
        host_id=PERSON,
    )
    for person, name in ((PERSON, NAME), (ANNA, "Anna")):
        await occasions.act(cup.id, SignUp(person, name))
    told = MessageRow(f"dm:{PERSON}", NOON, 7, PERSON, 8, pinged=True)
    board = MessageRow("tournament", NOON, 2, None, 9, rest=f'{{"parts":["<@{PERSON}>"]}}')
    await tables.store.occasion_messages.write(cup.id, [told, board])


async def _shown(tables: Tables, table: Table, number: int) -> None:
    """Record messages that name the person, as a delivery does."""
    text = json.dumps({"parts": [f"<@{PERSON}>: **{NAME}** moves."]}, ensure_ascii=False)
    rows = [
        MessageRow(f"board:{number}", NOON, 1, None, 10 + number, rest=text),
        MessageRow(f"hand:{PERSON}:0", NOON, 2, PERSON, 900 + number, rest=text),
    ]
    await tables.store.messages.write(table.id, rows)


def traces(file: Path) -> set[tuple[str, str]]:
    """The database columns that still contain the person's id or name."""
    return {
        (table, column)
        for table, column, value in cells(file)
        if str(PERSON) in str(value) or NAME in str(value)
    }


def bytes_left(file: Path) -> list[str]:
    """The database files whose bytes still contain the id or the name, even in deleted content."""
    wanted = (NAME.encode(), str(PERSON).encode(), PERSON.to_bytes(8, "big"))
    files = sorted(file.parent.glob(f"{file.name}*"))
    return [path.name for path in files if any(each in path.read_bytes() for each in wanted)]
