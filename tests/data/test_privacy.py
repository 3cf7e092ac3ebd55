"""Once a person is forgotten, nothing of theirs remains, and other people's games stay complete."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from data.store import privacy
from data.store.journaled import CODE_LETTERS
from data.store.marks import mark_of_blocked, person_mark
from data.store.occasions import Convening
from data.store.place import Place
from data.store.privacy import RememberedCounts, pseudonym_code
from data.store.problems import StillAtTable
from data.store.riddles import AttemptRow, PlayRow
from data.store.rows import (
    MessageRow,
    OccasionLine,
    OfferRow,
    PersonRow,
    PlanRow,
    Status,
    Stored,
    TurnRow,
    VoteRow,
)
from data.store.store import Store
from data.store.trophies import TrophyRow
from tests.data.samples import (
    GUEST,
    HOST,
    NOON,
    THIRD,
    committed,
    ended,
    forgotten,
    grown,
    in_a_file,
    minutes,
    opened,
    started,
)
from tests.data.test_standings import WON, finished, matches
from tests.stores import cells, looking_into, schema


def traces(place: Place, person_id: int) -> set[tuple[str, str]]:
    """The database columns in which the person's id still occurs, alone or within a text."""
    return {
        (table, column)
        for table, column, value in cells(place)
        if value == person_id or (isinstance(value, str) and str(person_id) in value)
    }


PERSON = 271828182845904523
"""An id that cannot occur anywhere by accident."""


OF_OCCASIONS = {
    ("occasions", "host_id"),
    ("occasions", "state"),
    ("occasion_journal", "person_id"),
    ("occasion_journal", "text"),
    ("occasion_people", "person_id"),
    ("occasion_messages", "person_id"),
    ("occasion_messages", "key"),
    ("occasion_messages", "rest"),
}
"""Columns in which an occasion stores people."""


async def fill(store: Store) -> Stored:
    """Store a running match from which the person has resigned, and rows about the person in nearly
    every table of the database.
    """
    over = await started(store, 501)
    members = (over.members[0], replace(over.members[1], person_id=PERSON))
    over = await committed(store, over, grown(over, "join", members=members))
    over = await ended(store, over, Status.FINISHED, result=WON)
    over = await committed(store, over, grown(over, "invite", person_id=PERSON))
    await store.packing.pack(over.row.id, over.row.moved_at)
    table = await started(store)
    host, guest = table.members
    vote = VoteRow(
        asked=6,
        kind="undo",
        seat=0,
        subject={
            "person": PERSON,
            "others": [PERSON, GUEST],
            "position": 3,
            "moves": [[0, "K4"]],
        },
        rule="all",
        choices=("yes", "no"),
        fallback="no",
        asked_by=PERSON,
        asked_at=NOON,
        closes_at=None,
        answers=((PERSON, "yes"), (HOST, None)),
    )
    played = grown(
        table,
        "move",
        seat=0,
        person_id=PERSON,
        text=str(PERSON),  # moves never change, whatever they look like
        members=(host, replace(guest, person_id=PERSON, level="novice", resigned=True)),
        host_id=PERSON,
    )
    undone = grown(
        played,
        "undo",
        seat=0,
        person_id=PERSON,
        text=f'{{"out":[4],"moves":[[0,"K4"]],"agreed":[{PERSON},{HOST}],"reopened":[0]}}',
    )
    asked = grown(
        undone,
        "ask",
        person_id=PERSON,
        votes=(vote,),
        turns=(TurnRow(0, 3, PERSON, NOON, 60, minutes(1)),),
        plans=(PlanRow(6, PERSON, "K6", None),),
        offers=(OfferRow(0, 6, PERSON),),
        hurried=frozenset({PERSON}),
        followers=frozenset({PERSON}),
        muted=frozenset({PERSON}),
    )
    await committed(store, table, asked)
    await store.settings.change_person(PERSON, lambda _: PersonRow(PERSON, "de", True))
    await store.settings.set_person(GUEST, blocked_ids=(HOST, PERSON))
    hand = MessageRow(f"hand:{PERSON}:0", NOON, 1, PERSON, 2, pinged=True)
    text = json.dumps({"parts": [f"It is <@{PERSON}>'s turn: Ben."], "links": []})
    board = MessageRow("board:4", NOON, 3, message_id=4, rest=text, pinged=True)
    await store.messages.write(table.row.id, [hand, board], told=asked.row.revision)
    named = Convening(
        kind="toy",
        guild_id=7,
        channel_id=501,
        host_id=PERSON,
        language="en",
        state=json.dumps({"names": {str(PERSON): "Ben", str(HOST): "Anna"}, "first": PERSON}),
        people=[PERSON, HOST],
        interaction_id=99,
    )
    occasion = (await store.occasions.open(named, NOON)).row
    line = OccasionLine(2, "win", PERSON, f"[{PERSON}]", NOON, 100)
    await store.occasions.commit(occasion, replace(occasion, revision=2), [line], named.people)
    await store.occasion_messages.write(occasion.id, [hand, board], told=2)
    await store.records.add(PERSON, "a record", NOON)
    await store.lessons.solve(PERSON, "lancelot", "taking")
    await store.riddles.change_attempt(AttemptRow(PERSON, "2026-11-22", 1, "Ben"), lambda row: row)
    await store.riddles.change_play(PlayRow(PERSON, "2026-11-22", 1, "Ben"), lambda row: row)
    await store.standings.set_unlisted(PERSON, True)
    await store.seasons.play_in(9, "month", "UTC", NOON)
    await store.trophies.award([TrophyRow(PERSON, "season", "9.1", "", 9, 1, "2026-08", NOON)])
    return asked


async def test_nothing_is_left_of_a_person(store: Store, place: Place) -> None:
    """The database no longer contains the person's id, except in a move that looks like it."""
    table = await fill(store)
    columns = (*privacy.RENUMBERED, *((table, column) for table, column, _ in privacy.WRITTEN))
    everywhere = set(columns)
    everywhere |= OF_OCCASIONS
    everywhere |= {(t, "person_id") for t in (*privacy.OF_A_TABLE, *privacy.OF_NO_TABLE)}
    everywhere |= {(t, "person_id") for t in privacy.OF_THE_PAST}
    everywhere |= {("messages", "key"), ("messages", "rest"), ("people", "blocked_ids")}
    everywhere |= {("packed", "lines")}
    assert traces(place, PERSON) == everywhere
    await forgotten(store, PERSON)
    assert traces(place, PERSON) == {("journal", "text")}
    assert all("Ben" not in str(value) for _, _, value in cells(place))
    assert await store.standings.recompute() == 0
    after = (await store.tables.load(table.row.id)).stored
    blocked_ids = (HOST, mark_of_blocked(GUEST, PERSON))
    assert (await store.settings.person(GUEST)).blocked_ids == blocked_ids
    host, stranger = after.members
    assert (host.person_id, host.name) == (HOST, "Ada")
    assert stranger.name == "Unknown K7Q2"
    number = stranger.person_id
    assert after.journal[3].text == str(PERSON)
    assert json.loads(after.journal[4].text)["agreed"] == [number, HOST]
    (vote,) = after.votes
    assert (vote.subject["person"], vote.subject["others"]) == (number, [number, GUEST])
    assert vote.answers == ((number, "yes"), (HOST, None))


async def test_a_process_that_holds_a_changed_table_notices(store: Store) -> None:
    table, other = await fill(store), await started(store, 501)
    await store.messages.write(other.row.id, [], told=1)
    await forgotten(store, PERSON)
    after = (await store.tables.load(table.row.id)).stored
    assert after.row.revision == table.row.revision + 1
    line = after.journal[-1]
    assert (line.kind, line.person_id, line.text, line.at) == (
        *("forget", None, ""),
        table.row.moved_at,
    )
    assert (await store.messages.all_of(table.row.id))[0] == after.row.revision
    assert not await store.tables.commit(table, grown(table, "move"))
    assert (await store.tables.load(other.row.id)).stored == other
    assert (await store.messages.all_of(other.row.id))[0] == 1


async def test_every_column_about_people_is_known(store: Store, place: Place) -> None:
    """A new column for people needs a way to forget them."""
    with looking_into(place) as db:
        columns = {
            (table, column)
            for table, names in schema(db).items()
            for column in names
            if column in {"person_id", "host_id", "asked_by"} or "person" in column
        }
    deleted = (
        *privacy.OF_A_TABLE,
        *privacy.OF_NO_TABLE,
        *privacy.OF_THE_PAST,
        "forgetting",
    )
    of_occasions = {each for each in OF_OCCASIONS if each[1] in {"person_id", "host_id"}}
    known = {*privacy.RENUMBERED, *((table, "person_id") for table in deleted)}
    assert columns == known | of_occasions


async def test_a_removal_outlasts_the_deletion(store: Store, place: Place) -> None:
    """The mark of a person who was removed from a lobby stays, but reveals neither their id nor
    that the marks at two tables are the same person's.
    """
    marks = []
    for channel in (500, 501):
        lobby = await opened(store, channel)
        mark = person_mark(lobby.row.code, PERSON)
        await committed(store, lobby, grown(lobby, "away", barred=frozenset({mark})))
        marks.append(mark)
    await forgotten(store, PERSON)
    assert traces(place, PERSON) == set()
    ids = [await store.tables.in_channel(channel) or 0 for channel in (500, 501)]
    kept = [(await store.tables.load(table_id)).stored.barred for table_id in ids]
    assert kept == [{mark} for mark in marks]
    assert len(set(marks)) == 2


async def test_a_forgotten_person_takes_no_other_seat_of_a_running_match(store: Store) -> None:
    """This applies until the match is over, whether the person handed over a seat in it or still
    holds one.
    """
    handed_over = await started(store, 500)
    await committed(store, handed_over, grown(handed_over, "move", seat=0, person_id=PERSON))
    parked = await ended(store, await started(store, 501), Status.PARKED)
    owned = (parked.members[0], replace(parked.members[1], person_id=PERSON))
    await committed(store, parked, grown(parked, "take", members=owned))
    invited = await started(store, 502)
    await committed(store, invited, grown(invited, "offer", seat=0, person_id=PERSON))
    over = await started(store, 503)
    over = await committed(store, over, grown(over, "move", seat=0, person_id=PERSON))
    await ended(store, over, Status.ENDED)
    await forgotten(store, PERSON)
    barred = {}
    for table in (handed_over, parked, invited, over):
        after = (await store.tables.load(table.row.id)).stored
        barred[table.row.channel_id] = after.barred
    marks = {
        table.row.channel_id: {person_mark(table.row.code, PERSON)}
        for table in (handed_over, parked)
    }
    assert barred == {**marks, 502: frozenset(), 503: frozenset()}


async def test_the_games_of_others_stay_whole(store: Store) -> None:
    """In all matches, the person has the name and id of the same stranger; other people do not
    change.
    """
    for channel in (500, 501):
        await finished(store, channel)
    before = await matches(store)
    await forgotten(store, GUEST)
    after = await matches(store)
    strangers = {row.people[0] for row in after}
    assert len(strangers) == 1
    assert all(stranger is not None and stranger < 0 for stranger in strangers)
    assert {row.names for row in after} == {("Unknown K7Q2", "Ada")}
    assert [(r.ranks, r.by_people, r.people[1]) for r in after] == [
        (r.ranks, r.by_people, r.people[1]) for r in before
    ]


async def test_a_process_that_knows_a_table_forgets_its_people_too(store: Store) -> None:
    """It reads the whole journal again, not only what is new."""
    table = await finished(store)
    before = (await store.tables.load(table.row.id)).stored
    await forgotten(store, GUEST)
    after = (await store.tables.load(table.row.id, before)).stored
    assert after == (await store.tables.load(table.row.id)).stored
    assert GUEST not in {line.person_id for line in after.journal}


def journal_size(file: Path) -> int:
    """The size in bytes of the journal beside a database."""
    return Path(f"{file}-wal").stat().st_size


@in_a_file
async def test_the_journal_beside_the_file_is_emptied_after_a_deletion(
    store: Store, place: Path
) -> None:
    """Otherwise it would still contain what the file no longer does."""
    await finished(store)
    await forgotten(store, GUEST)
    assert journal_size(place) == 0


async def test_a_person_who_plays_is_not_forgotten(store: Store) -> None:
    for channel, begin in ((500, opened), (501, started)):
        table = await begin(store, channel)
        with pytest.raises(StillAtTable):
            await forgotten(store, HOST)
        assert (await store.tables.load(table.row.id)).stored == table
        await ended(store, table, Status.ENDED)
    await forgotten(store, HOST)


async def test_a_parked_table_gets_a_computer_player(store: Store) -> None:
    """The match may continue one day."""
    table = await ended(store, await started(store), Status.PARKED)
    await forgotten(store, GUEST, "Unknown")
    host, guest = (await store.tables.load(table.row.id)).stored.members
    assert (guest.level, guest.resigned, guest.name) == ("novice", True, "Unknown")
    assert (host.person_id, host.level) == (HOST, None)


async def test_stored_data_is_counted(store: Store) -> None:
    assert await store.privacy.kept(PERSON) == RememberedCounts(*[0] * 11)
    await fill(store)
    assert await store.privacy.kept(PERSON) == RememberedCounts(2, *[1] * 10)


def test_each_pseudonym_is_drawn_at_random() -> None:
    codes = {pseudonym_code() for _ in range(50)}
    assert len(codes) > 45
    assert all(set(code) <= set(CODE_LETTERS) for code in codes)


LETTERS = 314159265358979323
"""The channel of the person's direct messages."""


async def test_no_channel_of_direct_messages_is_left(store: Store, place: Place) -> None:
    """A running table in a person's direct messages moves to those of another player, or waits to
    be moved; a finished one no longer has a channel. The id of the message that determined the lots
    is kept for as long as other people can verify them.
    """
    await store.settings.set_person(PERSON, dm_channel=LETTERS)
    await store.settings.set_person(HOST, dm_channel=700)
    lots, own = 141421356237309504, 173205080756887729
    there: dict[str, Any] = {"guild_id": None, "host_id": PERSON}
    runs, waits, over, alone, chat = [
        await started(store, LETTERS, **there, **more) for more in ({}, {}, {}, {}, {"chat": "@me"})
    ]
    moderator = replace(runs.members[0], person_id=HOST, name="Ada")
    left = replace(runs.members[1], person_id=PERSON, level="novice", resigned=True)
    unknown, computer = replace(moderator, person_id=THIRD), replace(moderator, person_id=None)
    for table, host, number, status in (
        (runs, moderator, lots, Status.RUNNING),
        (waits, unknown, lots, Status.RUNNING),
        (over, moderator, lots, Status.ENDED),
        (alone, computer, own, Status.ENDED),
        (chat, moderator, lots, Status.ENDED),
    ):
        members = (host, left)
        text = json.dumps({"seating": [1, 0], "message": number})
        begun = grown(table, "start", text=text, members=members, status=status)
        await committed(store, table, begun)
        board = MessageRow("board:4", NOON, LETTERS, message_id=own)
        await store.messages.write(table.row.id, [board], told=1)
    state = json.dumps({"names": {str(PERSON): "Ben"}, "tables": [{"place": LETTERS}]})
    seek = Convening("toy", None, 0, PERSON, "en", state, [PERSON], interaction_id=98)
    number = (await store.occasions.open(seek, NOON)).row.id
    await forgotten(store, PERSON)
    assert traces(place, LETTERS) == traces(place, PERSON) == traces(place, own) == set()
    after = [(await store.tables.load(t.row.id)).stored for t in (runs, waits, over, alone, chat)]
    assert [(t.row.channel_id, t.row.status.value) for t in after] == [
        (700, "running"),
        (0, "parked"),
        *[(0, "ended")] * 3,
    ]
    texts = [json.loads(t.journal[-2].text) for t in after]
    assert [text.get("message") for text in texts] == [lots, lots, lots, None, lots]
    found = (await store.occasions.load(number)).row
    assert json.loads(found.state)["tables"] == [{"place": 0}]
