"""Taking back: what may go, who is asked, what the log keeps, and that nothing stale counts."""

from __future__ import annotations

import random
from typing import Any

import pytest

from data.problems import AlreadyCounted, PlyTaken
from data.store import Store
from games import GAMES
from games.engine import CHANCE, Fact, Match
from play import undo
from play.plans import Plans
from play.table import Refused, Table
from play.tables import Tables
from play.votes import NO, YES, Rule, Votes
from tests.games.toys import Auction
from tests.play.conftest import NOON

ANNA, BEN, CLARA, STRANGER = 1, 2, 3, 99
PEOPLE = (ANNA, BEN, CLARA, 4, 5, 6, 7, 8)


async def started(
    tables: Tables, players: int = 2, game: str = "lancelot", **options: Any
) -> Table:
    """A running match, seats in order of joining: person n sits in seat n - 1."""
    if game == "lancelot":
        options = {"starter": "1", **options}
    table = await tables.open(
        game,
        guild_id=7,
        channel_id=500,
        host_id=ANNA,
        host_name="P1",
        language="en",
        options={"seating": "joined", **options},
    )
    for person in PEOPLE[1:players]:
        await tables.join(table.id, person, f"P{person}")
    return await tables.start(table.id, ANNA)


async def play(tables: Tables, table: Table, *moves: str) -> Table:
    """Let whoever is to move play these one after the other."""
    for move in moves:
        table = await tables.get(table.id)
        person = table.members[table.awaited[0]].person_id or 0
        table = (await tables.move(table.id, person, [move])).table
    return table


async def log(tables: Tables, table: Table) -> list[str]:
    """The moves that stand."""
    return [event.move for event in (await tables.get(table.id)).played.log]


def refused(refusal: pytest.ExceptionInfo[Refused]) -> str:
    return refusal.value.code


# ------------------------------------------------------------------------- alone, or asked
async def test_my_own_last_move_is_mine_while_nobody_has_moved(tables: Tables) -> None:
    """Free for the one who moved, nothing to take back for anybody else."""
    table = await play(tables, await started(tables), "K4")
    assert undo.undo_question(table, ANNA) is None
    with pytest.raises(Refused) as nothing:
        undo.undo_question(table, BEN)
    assert refused(nothing) == "nothing_to_undo"
    await undo.take_back(tables, table.id, ANNA)
    table = await tables.get(table.id)
    assert (table.played.log, table.awaited, table.row.undos) == ([], (0,), 1)
    await tables.move(table.id, ANNA, ["D4"])
    assert await log(tables, table) == ["D4"]


async def test_step_by_step_within_a_turn(tables: Tables) -> None:
    """Of a turn of two moves the second goes first, then the other."""
    table = await started(tables, king=True)
    await tables.move(table.id, BEN, ["X:G6"])
    await tables.move(table.id, ANNA, ["X:H9", "G8"])
    for left in (["X:G6", "X:H9"], ["X:G6"]):
        await undo.take_back(tables, table.id, ANNA)
        assert await log(tables, table) == left


@pytest.mark.parametrize("players", [2, 3])
async def test_after_others_have_moved_all_of_them_are_asked(tables: Tables, players: int) -> None:
    """One of two, both of three: everybody has to agree, and their moves go as well."""
    table = await play(tables, await started(tables, players), "K4", "D4")
    question = undo.undo_question(table, ANNA)
    assert question is not None
    assert (question.voters, question.rule) == (PEOPLE[1:players], Rule.ALL)
    assert question.subject["moves"] == [[0, "K4"], [1, "D4"]]
    for agreed in [(), (STRANGER,), PEOPLE[1 : players - 1]]:
        with pytest.raises(Refused) as overtaken:
            await undo.take_back(tables, table.id, ANNA, agreed)
        assert refused(overtaken) == "overtaken"
    await undo.take_back(tables, table.id, ANNA, PEOPLE[1:players])
    assert await log(tables, table) == []


async def test_computer_players_are_not_asked(tables: Tables) -> None:
    """Against computer players alone nobody has to agree; their moves go as well."""
    table = await tables.open(
        "lancelot",
        guild_id=7,
        channel_id=500,
        host_id=ANNA,
        host_name="Anna",
        language="en",
        options={"starter": "1", "seating": "joined"},
    )
    await tables.add_computer(table.id, ANNA, ["Merlin"], "novice")
    table = await tables.start(table.id, ANNA)
    await tables.move(table.id, ANNA, ["K4"])
    table = (await tables.move_for_computer(table.id, 1, "D4", 1)).table
    assert undo.undo_question(table, ANNA) is None
    await undo.take_back(tables, table.id, ANNA)
    assert await log(tables, table) == []


async def test_who_does_not_play_takes_nothing_back(tables: Tables) -> None:
    """Neither a stranger nor somebody who has resigned, nor anybody after the end."""
    table = await play(tables, await started(tables, 3), "K4", "D4")
    await tables.resign(table.id, BEN, "novice")
    table = await tables.get(table.id)
    for person in (BEN, STRANGER):
        with pytest.raises(Refused) as refusal:
            undo.undo_question(table, person)
        assert refused(refusal) == "not_a_member"
    await tables.end(table.id, STRANGER, may_manage=True)
    with pytest.raises(Refused) as over:
        await undo.take_back(tables, table.id, ANNA)
    assert refused(over) == "table_over"


async def test_the_move_that_finished_a_match_stays(tables: Tables) -> None:
    """A result is not taken back."""
    table = await started(tables, goal=1)
    table = await play(tables, table, "E5", "J5", "H5", "D11", "D5")
    with pytest.raises(Refused) as over:
        await undo.take_back(tables, table.id, ANNA)
    assert refused(over) == "table_over"


# ----------------------------------------------------------------------------- the question
async def test_moving_on_settles_an_undo(tables: Tables) -> None:
    """A move, or another undo, overtakes the question; agreeing to it changes nothing then."""
    table = await play(tables, await started(tables), "K4", "D4")
    votes = Votes(tables)
    question = undo.undo_question(table, ANNA)
    assert question is not None
    vote = await votes.ask(table.id, question, ANNA)
    assert not undo.is_overtaken(vote, await tables.get(table.id))
    table = await play(tables, table, "K6")
    assert undo.is_overtaken(vote, table)
    await undo.take_back(tables, table.id, ANNA)
    table = await tables.get(table.id)
    assert table.played.ply == question.subject["ply"]
    assert undo.is_overtaken(vote, table), "the same ply is not the same course of events"


@pytest.mark.parametrize(("answer", "decided"), [(YES, YES), (NO, NO)])
async def test_the_other_one_decides(tables: Tables, answer: str, decided: str) -> None:
    """Between two persons the answer of the other one is the decision."""
    table = await play(tables, await started(tables), "K4", "D4")
    votes = Votes(tables)
    question = undo.undo_question(table, ANNA)
    assert question is not None
    vote = await votes.ask(table.id, question, ANNA)
    assert (await votes.answer(vote.id, BEN, answer)).decision == decided


# ------------------------------------------------------------------------------ stale things
async def test_a_press_from_the_undone_course_is_refused(tables: Tables) -> None:
    """Plies are used again after an undo; a button that carries one from before does not count."""
    table = await play(tables, await started(tables), "K4", "D4", "K6")
    await undo.take_back(tables, table.id, ANNA)
    await undo.take_back(tables, table.id, BEN, [ANNA])
    assert (await tables.get(table.id)).played.ply == 1
    for undos in (0, 1):
        with pytest.raises(Refused) as stale:
            await tables.move(table.id, BEN, ["D6"], seen_ply=1, seen_undos=undos)
        assert refused(stale) == "stale"
    await tables.move(table.id, BEN, ["D6"], seen_ply=1, seen_undos=2)


async def test_what_a_computer_player_thought_of_before_an_undo_is_void(tables: Tables) -> None:
    """A move that was chosen in the undone course is not played in the new one."""
    table = await started(tables, 3)
    await tables.resign(table.id, BEN, "novice")
    await play(tables, table, "K4")
    await undo.take_back(tables, table.id, ANNA)
    await play(tables, table, "D11")
    with pytest.raises(Refused) as stale:
        await tables.move_for_computer(table.id, 1, "D4", 1, 0)
    assert refused(stale) == "stale"
    await tables.move_for_computer(table.id, 1, "D4", 1, 1)


async def test_an_interaction_counts_once_even_if_its_move_was_undone(tables: Tables) -> None:
    """Discord delivers a press again after its move was taken back: it has no effect."""
    table = await started(tables)
    await tables.move(table.id, ANNA, ["K4"], interaction_id=11)
    await undo.take_back(tables, table.id, ANNA)
    with pytest.raises(AlreadyCounted):
        await tables.move(table.id, ANNA, ["K4"], interaction_id=11)
    assert await log(tables, table) == []


async def test_two_processes_cannot_take_back_twice(tables: Tables, store: Store) -> None:
    """The store lets an undo in only at the position for which it was judged."""
    table = await play(tables, await started(tables), "K4")
    judged: dict[str, Any] = {
        "table_id": table.id,
        "first": 0,
        "last": 0,
        "seat": 0,
        "asked_by": ANNA,
    }
    judged |= {"agreed": (), "moves": [(0, "K4")], "at": NOON}
    await store.undos.take_back(**judged, ply=1, undos=0)
    await tables.move(table.id, ANNA, ["K4"])
    with pytest.raises(PlyTaken):
        await store.undos.take_back(**judged, ply=1, undos=0)
    assert await log(tables, table) == ["K4"]


async def test_another_process_folds_the_new_course(tables: Tables, store: Store) -> None:
    """A cached match of the undone course is not used, though its length is the same."""
    table = await play(tables, await started(tables), "K4", "D4")
    elsewhere = Tables(store, lambda: NOON)
    assert (await elsewhere.get(table.id)).played.ply == 2
    await undo.take_back(tables, table.id, BEN)
    await tables.move(table.id, BEN, ["D11"])
    assert await log(elsewhere, table) == ["K4", "D11"]
    await elsewhere.move(table.id, ANNA, ["K6"])
    assert await log(tables, table) == ["K4", "D11", "K6"]


async def test_what_was_planned_goes_with_an_undo(tables: Tables, store: Store) -> None:
    """Plans were made for another course of events; their owners are named to be told."""
    table = await play(tables, await started(tables, 3), "K4", "D4")
    await Plans(tables).add(table.id, ANNA, "K6")
    assert await undo.take_back(tables, table.id, BEN) == (ANNA,)
    assert await store.plans.of_person(table.id, ANNA) == []


# ------------------------------------------------------------------------------ what is kept
async def test_the_store_keeps_what_was_undone(tables: Tables, store: Store) -> None:
    """Who asked, who agreed, when, and which events."""
    table = await play(tables, await started(tables), "K4", "D4")
    await undo.take_back(tables, table.id, ANNA, [BEN])
    (kept,) = await store.undos.of_table(table.id)
    assert (kept.seat, kept.asked_by, kept.agreed, kept.at) == (0, ANNA, (BEN,), NOON)
    assert (kept.ply, kept.moves) == (0, ((0, "K4"), (1, "D4")))
    records = await store.database.fetch("SELECT undo, ply, seat, move FROM undone_events")
    assert [tuple(record) for record in records] == [(1, 0, 0, "K4"), (1, 1, 1, "D4")]


async def test_the_channel_is_owed_the_news_of_an_undo(tables: Tables, store: Store) -> None:
    """A crash after an undo leaves the table among those that are still to be announced."""
    table = await play(tables, await started(tables), "K4")
    await store.set_announced(table.id, 1)
    assert await store.unannounced() == []
    await undo.take_back(tables, table.id, ANNA)
    assert [row.id for row in await store.unannounced()] == [table.id]
    await store.undos.set_announced(table.id, 1)
    assert await store.unannounced() == []


async def test_news_of_an_undone_course_are_not_taken_for_the_present(
    tables: Tables, store: Store
) -> None:
    """A board that was on its way while its move was undone does not count as told."""
    table = await play(tables, await started(tables), "K4")
    await undo.take_back(tables, table.id, ANNA)
    await store.set_announced(table.id, 1, undos=0)
    assert (await store.table(table.id)).announced_ply == -1
    await store.set_announced(table.id, 0, undos=1)
    assert (await store.table(table.id)).announced_ply == 0


# ------------------------------------------------------------------------ sealed at one time
@pytest.fixture
async def auction(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> Table:
    """Three persons with a card each, who bid at the same time."""
    monkeypatch.setitem(GAMES, "auction", Auction())
    return await started(tables, 3, "auction", rounds=2)


async def bid(tables: Tables, table: Table, person: int) -> None:
    """The lowest bid there is."""
    await tables.move(table.id, person, ["bid:1"])


async def test_a_sealed_choice_is_free_until_all_are_in(tables: Tables, auction: Table) -> None:
    """Though others have chosen after it, it alone is opened again, and they are not asked."""
    for person in (ANNA, BEN):
        await bid(tables, auction, person)
    table = await tables.get(auction.id)
    taken = undo.undo_of(table, 0)
    assert (taken.free, taken.first, taken.last) == (True, 3, 3)
    assert taken.moves == ((0, None),)
    await undo.take_back(tables, table.id, ANNA)
    table = await tables.get(table.id)
    assert table.awaited == (0, 2)
    assert [(e.seat, e.move) for e in table.played.log[3:]] == [(1, "bid:1")]
    await bid(tables, table, CLARA)
    await tables.move(table.id, ANNA, ["bid:1"])
    assert (await tables.get(table.id)).played.view(None).round == 2


async def test_once_all_are_in_nothing_is_taken_back(tables: Tables, auction: Table) -> None:
    """The last choice reveals all: not even consent brings it back."""
    for person in (ANNA, BEN, CLARA):
        await bid(tables, auction, person)
    table = await tables.get(auction.id)
    for person in (ANNA, BEN, CLARA):
        with pytest.raises(Refused) as refusal:
            undo.undo_question(table, person)
        assert refused(refusal) == "undo_drawn"


async def test_a_choice_before_a_crash_can_be_opened_after_it(
    tables: Tables, store: Store, auction: Table
) -> None:
    """The rest of the log keeps its order and replays."""
    for person in (BEN, ANNA):
        await bid(tables, auction, person)
    await undo.take_back(tables, auction.id, BEN)
    others = Tables(store, lambda: NOON)
    table = await others.get(auction.id)
    assert table.awaited == (1, 2)
    assert [event.ply for event in await store.events(table.id)] == [0, 1, 2, 3]


# -------------------------------------------------------------------------- in every game
def follow(match: Match[Any], first: int) -> list[Fact]:
    """All facts from an event on, told by a fold of its own."""
    state = match.game.start(match.setup)
    told: list[Fact] = []
    for ply, event in enumerate(match.log):
        facts: list[Fact] = []
        match.game.do(state, event.seat, event.move, facts)
        told += facts if ply >= first else []
    return told


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game_id", sorted(GAMES))
async def test_undo_in_every_game(tables: Tables, game_id: str, seed: int) -> None:
    """In random play every undo is refused exactly where something was drawn or revealed since,
    and else leads to a position from which the same moves lead back, draws included.
    """
    rng = random.Random(f"{game_id}/{seed}")
    game = GAMES[game_id]
    players = rng.choice(game.info.players)
    table = await started(tables, players, game_id)
    allowed = refusals = 0
    for _ in range(60):
        table = await tables.get(table.id)
        if not table.running:
            break
        seat = rng.choice(table.awaited)
        move = game.random_move(table.played.state, seat, rng)
        await tables.move(table.id, PEOPLE[seat], [move])
        table = await tables.get(table.id)
        if not table.running:
            break
        asker = rng.randrange(players)
        if await undone_as_it_should(tables, table, asker):
            allowed += 1
        else:
            refusals += 1
    context = f"{game_id}, seed {seed}, {players} players: {allowed} undone, {refusals} refused"
    assert allowed, context


async def undone_as_it_should(tables: Tables, table: Table, seat: int) -> bool:
    """Take a seat's last move back and play on as before; false if that is refused."""
    match = table.played
    own = [ply for ply, event in enumerate(match.log) if event.seat == seat]
    first = own[-1] if own else len(match.log)
    barred = any(event.seat == CHANCE for event in match.log[first:]) or any(
        fact.reveals for fact in follow(match, first)
    )
    if barred or not own:
        with pytest.raises(Refused) as refusal:
            undo.undo_of(table, seat)
        assert (refused(refusal) == "nothing_to_undo") == (not own)
        return False
    taken = undo.undo_of(table, seat)
    others = [e for e in match.log[first + 1 :] if e.seat != seat]
    assert taken.free or others, "asking nobody's leave is for those whom nobody has followed"
    gone = match.log[taken.first : taken.last + 1]
    await undo.take_back(tables, table.id, PEOPLE[seat], PEOPLE)
    after = (await tables.get(table.id)).played
    assert seat in after.actors
    assert after.log == match.log[: taken.first] + match.log[taken.last + 1 :]
    fold = Match.replay(match.game, match.setup, after.log, verify=True)
    assert (fold.state, fold.actors) == (after.state, after.actors)
    for event in gone:
        await tables.move(table.id, PEOPLE[event.seat], [event.move])
    assert (await tables.get(table.id)).played.state == match.state
    return True
