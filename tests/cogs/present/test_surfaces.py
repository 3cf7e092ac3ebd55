"""Which messages should stand for a table, through whole matches of all games."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from cogs.games import WORDS
from cogs.gateway.cards import Gallery
from cogs.present.surfaces import Presenter, Retire
from data.store.rows import Boards, Loaded, Stored
from games import GAMES
from play.aggregate import Tick
from play.decide import decide
from play.ending import EndAsManager, EndTable, OfferDraw, Resign
from play.fold import table_of
from play.lobby import Follow, Leave, MoveHere, Park
from play.moves import PlayMoves
from play.plans import Plan
from play.seats import ComeBack, HandOver, TakeSeat
from play.table import Table, stored_of
from play.undo import TakeBack
from play.votes import Answer
from tests.cogs.present.tables import (
    ANNA,
    BEN,
    CLARA,
    DAVID,
    NAMES,
    NOON,
    Channel,
    any_move,
    one_move,
    opened,
    started,
    text_of,
    with_settings,
)

MATCHES = [
    (game, players, computers)
    for game, info in ((game, GAMES[game].info) for game in GAMES)
    for players, computers in sorted({(max(info.players), 0), (2, 0), (1, 1)})
    if players + computers in info.players
]


@pytest.mark.parametrize(("game", "people", "computers"), MATCHES)
def test_whole_matches(game: str, people: int, computers: int, rng: random.Random) -> None:
    """Keys are single, boards follow calls, everyone called is pinged once, the end is told."""
    channel = Channel(opened(game, people, computers))
    channel.hear()
    channel.start()
    calls: list[tuple[str, tuple[int, ...]]] = []

    def look(wanted: object) -> None:
        keys = [surface.key for surface in channel.surfaces()]
        assert len(keys) == len(set(keys))
        boards = [key for key in keys if key.startswith("board:")]
        number = next(channel.table.calls())[0]
        if channel.table.running:
            assert boards == [f"board:{number}"]
        if not calls or calls[-1][0] != f"board:{number}":
            calls.append((f"board:{number}", next(channel.table.calls())[1]))

    channel.play_out(rng, look)
    assert {"result"} <= channel.stands.keys()
    assert [key for key in channel.stands if key.startswith("board:")][-1] == calls[-1][0]
    for key, pings in channel.pings:
        if key.startswith("board:"):
            number = int(key.removeprefix("board:"))
            seats = json.loads(channel.table.journal[number - 1].text)
            assert pings == tuple(channel.table.members[seat].person_id for seat in seats)
    assert channel.surfaces() == []


@pytest.mark.parametrize("game", ["isolde", "twilight", "donquixote"])
def test_accounts_are_told_once_each(game: str, rng: random.Random) -> None:
    """One for each hand or round, in order, with the picture of that one alone; what remains of it
    does not stand in what remains of a board.
    """
    channel = Channel(started(game, 4 if game == "twilight" else 2))
    channel.hear()
    accounts: list[str] = []
    channel.play_out(
        rng,
        lambda wanted: accounts.extend(s.key for s in wanted if s.key.startswith("account:")),
    )
    kinds = channel.table.game.info.accounts
    events = channel.table.told_since(0)
    closed = [e.line for e in events if any(fact.kind in kinds for fact in e.facts)]
    assert accounts == [f"account:{line}" for line in closed]
    assert accounts
    rests = [channel.stands[key].fold or text_of(channel.stands[key]) for key in accounts]
    lines = [rest.partition(" · ")[2] for rest in rests]
    boards = [it.fold for key, it in channel.stands.items() if key.startswith("board:")]
    assert all(lines)
    assert not [line for line in lines for board in boards if line in board]


def test_all_that_is_untold_is_told_at_once(rng: random.Random) -> None:
    """After an outage over a whole match: accounts and notes in order, then board and result."""
    channel = Channel(started("twilight", 4))
    table = channel.table
    while table.awaited:
        seat = rng.choice(table.awaited)
        move = table.game.random_move(table.played.state, seat, rng)
        table = decide(table, PlayMoves(seat + 1, (move,)), NOON)
    wanted = list(channel.hear(table))
    accounts = [key for key in wanted if key.startswith("account:")]
    assert wanted[:1] == ["lobby"]
    assert wanted[1 : 1 + len(accounts)] == accounts
    assert wanted[1 + len(accounts)].startswith("board:")
    assert wanted[2 + len(accounts)] == "result"
    assert text_of(channel.stands[wanted[1 + len(accounts)]]).count("…") >= 1


@pytest.mark.parametrize("boards", ["keep", "fold", "delete"])
def test_accounts_go_the_way_of_boards(boards: Boards, rng: random.Random) -> None:
    """Of those that are told too late a line is left with the points, unless the server wants them
    all, or none.
    """
    table = started("twilight", 4)
    table = replace(table, server=replace(table.server, boards=boards))
    while table.awaited:
        table = decide(table, any_move(table, rng), NOON)
    wanted = Presenter(WORDS).surfaces(table, 0, lambda _: 0)
    accounts = [surface for surface in wanted if surface.key.startswith("account:")]
    assert bool(accounts) == (boards != "delete")
    for surface in accounts:
        drawn = any(isinstance(part, Gallery) for part in surface.card.parts)
        assert drawn == (boards == "keep")
        assert ("`K7Q2` · Totals: " in text_of(surface)) == (boards == "fold")
        assert surface.final


def test_nothing_that_was_told_is_told_again() -> None:
    """Notes, the result and what was settled are bound to lines that are untold."""
    table = started("lancelot", 3)
    for command in (Resign(CLARA, "skilled"), EndTable(ANNA), Follow(9)):
        table = decide(table, command, NOON)
    table = decide(table, Answer(table.votes[0].asked, BEN, "yes"), NOON)
    presenter = Presenter(WORDS)
    for told in range(table.revision + 1):
        for surface in presenter.surfaces(table, told, lambda _: 0):
            kind, _, line = surface.key.partition(":")
            if kind in ("note", "account"):
                assert int(line) > told
            elif kind in ("result", "over"):
                assert told < table.revision
    assert presenter.surfaces(table, table.revision, lambda key: table.revision) == []


# ------------------------------------------------------------------------------ the lobby
def test_a_lobby_is_closed_once() -> None:
    channel = Channel(opened("lancelot", 2))
    assert list(channel.hear()) == ["lobby"]
    assert channel.stands["lobby"].card.live
    wanted = channel.start()
    assert wanted["lobby"].final
    assert not wanted["lobby"].card.live
    assert "The match has begun." in text_of(wanted["lobby"])
    assert "lobby" not in channel.hear()


def test_a_cancelled_lobby_says_so() -> None:
    channel = Channel(opened("isis", 2))
    channel.hear()
    wanted = channel.act(Leave(ANNA, sure=True))
    assert list(wanted) == ["lobby"]
    assert "**Anna** has closed this table before it started." in text_of(wanted["lobby"])
    assert channel.hear() == {}


# -------------------------------------------------------------------------------- boards
def test_the_first_board_bears_the_seal() -> None:
    """Also while it is changed in place; the next one does not repeat it."""
    channel = Channel(started("isolde", 3))
    first = next(key for key in channel.hear() if key.startswith("board:"))
    assert "Seal of all lots" in text_of(channel.stands[first])
    channel.act(one_move(channel.table, 0))
    assert "Seal of all lots" in text_of(channel.stands[first])
    channel.act(one_move(channel.table, 1), one_move(channel.table, 2))
    second = [key for key in channel.stands if key.startswith("board:")][-1]
    assert second != first
    assert "Seal of all lots" not in text_of(channel.stands[second])


def test_without_draws_the_seal_is_told_once() -> None:
    channel = Channel(started("lancelot", 2, starter="1"))
    channel.hear()
    assert "Seal of" in text_of(channel.stands[f"board:{channel.table.revision}"])
    channel.act(PlayMoves(ANNA, ("K4",)))
    assert "Seal of" not in text_of(channel.stands[f"board:{channel.table.revision}"])


def test_a_two_step_turn_keeps_the_move_before_it(rng: random.Random) -> None:
    """What the previous player did stays on the board while the next one takes several steps."""
    steps = 0
    for players in (4, 5):
        channel = Channel(started("isolde", players, magie=True))
        channel.hear()
        before: dict[str, str] = {}

        def look(
            wanted: object, channel: Channel = channel, before: dict[str, str] = before
        ) -> None:
            nonlocal steps
            key = f"board:{next(channel.table.calls())[0]}"
            text = text_of(channel.stands[key]).split("\n")
            story = next((line for line in text if "plays" in line), "")
            if key in before and before[key] and channel.table.running:
                told = before[key]
                assert story.startswith(told) or "…" in story
                steps += story != told
            before[key] = story

        channel.play_out(rng, look)
    assert steps


def test_an_undo_is_told_in_its_place() -> None:
    channel = Channel(started("lancelot", 2, starter="1"))
    channel.hear()
    wanted = channel.act(PlayMoves(ANNA, ("K4",)), TakeBack(ANNA))
    board = next(key for key in wanted if key.startswith("board:"))
    assert "▲ **Anna** takes back K4." in text_of(wanted[board])
    assert "places" not in text_of(wanted[board])


def test_what_was_undone_is_told_by_the_undo_alone() -> None:
    channel = Channel(started("lancelot", 2, starter="1"))
    channel.hear()
    channel.act(PlayMoves(ANNA, ("K4",)), PlayMoves(BEN, ("D4",)), TakeBack(ANNA))
    wanted = channel.act(Answer(channel.table.votes[0].asked, BEN, "yes"))
    board = next(surface for key, surface in wanted.items() if key.startswith("board:"))
    assert "takes back K4, and with it ● **Ben**: D4." in text_of(board)
    assert board.pings == (ANNA,)
    vote = next(surface for key, surface in wanted.items() if key.startswith("vote:"))
    assert vote.final
    assert "Everybody has agreed" in text_of(vote)


def test_a_hint_or_a_plan_leaves_all_as_it_was() -> None:
    """What no one else sees changes no message."""
    channel = Channel(started("lancelot", 3, starter="1"))
    before = {key: s.card.fingerprint for key, s in channel.hear().items() if key != "lobby"}
    wanted = channel.act(Plan(BEN, "D4"), Follow(9))
    after = {key: surface.card.fingerprint for key, surface in wanted.items()}
    assert {key: before.get(key) for key in after} == after


def test_computers_leave_the_board_until_someone_is_called(rng: random.Random) -> None:
    """Against a computer player there is one board for each turn of the person, which tells both
    moves.
    """
    channel = Channel(started("isis", 1, 1))
    channel.hear()
    for _ in range(60):
        if not channel.table.awaited:
            break
        channel.act(any_move(channel.table, rng))
    keys = [key for key in channel.stands if key.startswith("board:")]
    pinged = [key for key, pings in channel.pings if pings == (ANNA,)]
    assert len(keys) == len(set(keys)) >= 3
    assert set(pinged) <= set(keys)


# --------------------------------------------------------------------------------- votes
def test_a_vote_tells_the_threshold_that_holds() -> None:
    """Four play, Anna asks to end, David resigns: now two of three are needed, and David is not
    listed any more.
    """
    channel = Channel(started("lancelot", 4))
    channel.hear()
    wanted = channel.act(EndTable(ANNA))
    key = f"vote:{channel.table.votes[0].asked}"
    assert "3 of the 4 who play" in text_of(wanted[key])
    assert wanted[key].pings == (BEN, CLARA, DAVID)
    wanted = channel.act(Resign(DAVID, "skilled"))
    assert "2 of the 3 who play" in text_of(wanted[key])
    assert f"<@{DAVID}>" not in text_of(wanted[key])
    assert wanted[key].pings == (BEN, CLARA)
    wanted = channel.act(Answer(channel.table.votes[0].asked, BEN, "yes"))
    assert wanted[key].final
    assert "Enough have agreed" in text_of(wanted[key])
    assert not wanted[key].card.live
    assert key not in channel.hear()


def test_a_lapsed_vote_says_so() -> None:
    channel = Channel(started("lancelot", 2))
    channel.hear()
    channel.act(EndTable(ANNA))
    wanted = channel.act(Resign(BEN, "skilled"))
    vote = next(surface for key, surface in wanted.items() if key.startswith("vote:"))
    assert vote.final
    assert "overtaken by events" in text_of(vote)


def test_a_draw_is_told() -> None:
    channel = Channel(started("isis", 2))
    channel.hear()
    if not channel.table.game.info.draws:
        pytest.skip("knows no draws")
    wanted = channel.act(OfferDraw(ANNA))
    key = next(key for key in wanted if key.startswith("vote:"))
    wanted = channel.act(Answer(channel.table.votes[0].asked, BEN, "yes"))
    assert "the match is a draw" in text_of(wanted[key])
    assert "All have agreed on a draw." in text_of(wanted["result"])


# ---------------------------------------------------------------------------- seats, notes
def test_resigning_is_told_and_the_match_goes_on() -> None:
    channel = Channel(started("lancelot", 3))
    channel.hear()
    wanted = channel.act(Resign(CLARA, "skilled"))
    note = next(surface for key, surface in wanted.items() if key.startswith("note:"))
    assert note.final
    assert "goes on in that seat" in text_of(note)
    assert not any(key.startswith("back:") for key in wanted)


def test_resigning_as_one_of_two_ends_it_on_the_same_board() -> None:
    channel = Channel(started("lancelot", 2))
    channel.hear()
    wanted = channel.act(Resign(BEN, "skilled"))
    kinds = [key.partition(":")[0] for key in wanted]
    assert kinds == ["note", "board", "result"]
    board = next(surface for key, surface in wanted.items() if key.startswith("board:"))
    assert board.final
    assert not board.late
    assert not board.card.live
    assert channel.hear() == {}


def test_the_last_person_to_resign_is_told_of_by_one_note() -> None:
    channel = Channel(started("lancelot", 1, computers=2))
    channel.hear()
    wanted = channel.act(Resign(ANNA, "skilled"))
    (note,) = (surface for key, surface in wanted.items() if key.startswith("note:"))
    assert "Nobody is left, so the match ends without a result" in text_of(note)


def test_ending_is_told_once_and_takes_the_controls_off() -> None:
    channel = Channel(started("twilight", 4))
    channel.hear()
    wanted = channel.act(EndAsManager(9, True, "Enough of *this*"))
    kinds = [key.partition(":")[0] for key in wanted]
    assert kinds == ["note", "board"]
    code = channel.table.row.code
    told = f"<@9> manages this server and has ended table `{code}` without a result:"
    for surface in wanted.values():
        assert rf"{told} “Enough of \*this\*”" in text_of(surface)
        assert surface.pings == ()
    assert channel.hear() == {}


def test_a_seat_on_offer_and_taken() -> None:
    channel = Channel(started("lancelot", 1, 2))
    channel.hear()
    seat = 1
    wanted = channel.act(HandOver(ANNA, seat=seat, newcomer=9))
    key = f"offer:{seat}:{channel.table.offers[0].number}"
    assert wanted[key].pings == (9,)
    assert wanted[key].retire is Retire.FOLD
    assert "not offered any more" in wanted[key].fold
    wanted = channel.act(TakeSeat(9, seat, "Ida"))
    assert wanted[key].final
    assert "**Ida** goes on in this seat." in text_of(wanted[key])
    assert key not in channel.hear()


def test_an_offer_that_was_replaced_is_not_wanted() -> None:
    channel = Channel(started("lancelot", 1, 2))
    channel.hear()
    channel.act(HandOver(ANNA, seat=1, newcomer=9))
    wanted = channel.act(HandOver(ANNA, seat=1))
    assert sum(key.startswith("offer:") for key in wanted) == 1


def test_dropped_plans_are_told_to_their_owner_alone() -> None:
    channel = Channel(started("lancelot", 2, starter="1"))
    channel.table = with_settings(channel.table, BEN, language="de")
    channel.hear()
    wanted = channel.act(Plan(BEN, "K4"), PlayMoves(ANNA, ("K4",)))
    note = next(surface for key, surface in wanted.items() if key.startswith("note:"))
    assert note.person == BEN
    assert "deinen geplanten Zug" in text_of(note) or "geplant" in text_of(note)
    assert note.otherwise is not None
    assert note.otherwise.person is None
    assert f"<@{BEN}>, your planned moves were dropped." in text_of(note.otherwise)


# --------------------------------------------------------------------------------- time
def test_reminders_the_vote_and_the_way_back() -> None:
    """A reminder stands until the time is up, and is gone then; a seat that is kept has a way
    back.
    """
    channel = Channel(started("lancelot", 3, starter="1", pace="12h"))
    channel.table = with_settings(channel.table, ANNA, dm_too=True)
    wanted = channel.hear()
    call = next(channel.table.calls())[0]
    assert wanted[f"turn:{ANNA}:{call}"].retire is Retire.DELETE
    wanted = channel.act(Tick(), now=NOON + timedelta(hours=7))
    reminders = {key: s for key, s in wanted.items() if key.startswith("reminder:")}
    assert [surface.person for surface in reminders.values()] == [None, ANNA]
    assert [surface.soft for surface in reminders.values()] == [False, True]
    assert next(iter(reminders.values())).pings == (ANNA,)
    assert not any(key.startswith("turn:") for key in wanted)
    wanted = channel.act(Tick(), now=NOON + timedelta(hours=12, minutes=1))
    assert not any(key.startswith("reminder:") for key in wanted)
    vote = next(surface for key, surface in wanted.items() if key.startswith("vote:"))
    assert "The time of ▲ **Anna** is up." in text_of(vote)
    asked = channel.table.votes[0].asked
    later = NOON + timedelta(hours=13)
    wanted = channel.act(Answer(asked, BEN, "keep"), Answer(asked, CLARA, "keep"), now=later)
    back = next(surface for key, surface in wanted.items() if key.startswith("back:0:"))
    assert "can come back at any time" in text_of(back)
    assert not any(key.startswith("back:") for key in channel.act(ComeBack(ANNA), now=later))


def test_more_time_takes_an_old_reminder_away() -> None:
    channel = Channel(started("lancelot", 3, starter="1", pace="12h"))
    channel.hear()
    channel.act(Tick(), now=NOON + timedelta(hours=7))
    channel.act(Tick(), now=NOON + timedelta(hours=12, minutes=1))
    asked = channel.table.votes[0].asked
    later = NOON + timedelta(hours=13)
    wanted = channel.act(Answer(asked, BEN, "wait"), Answer(asked, CLARA, "wait"), now=later)
    assert not any(key.startswith("reminder:") for key in wanted)
    again = channel.act(Tick(), now=later + timedelta(hours=7))
    assert sum(key.startswith("reminder:") for key in again) == 1


def test_a_miss_without_a_vote_is_told() -> None:
    channel = Channel(started("lancelot", 3, starter="1", pace="12h", strict=True))
    channel.hear()
    wanted = channel.act(Tick(), now=NOON + timedelta(hours=12, minutes=1))
    note = next(surface for key, surface in wanted.items() if key.startswith("note:"))
    assert "A computer player moves for ▲ **Anna** this once." in text_of(note)


# ------------------------------------------------------------------------ parked, followers
def test_a_parked_table_wants_nothing_until_it_is_moved() -> None:
    channel = Channel(started("twilight", 4))
    channel.hear()
    assert channel.act(Park(700)) == {}
    wanted = channel.act(MoveHere(ANNA, 701, 70))
    assert any(key.startswith("board:") for key in wanted)


def test_followers_are_told_the_end() -> None:
    channel = Channel(started("lancelot", 2))
    channel.hear()
    channel.act(Follow(9))
    wanted = channel.act(Resign(BEN, "skilled"))
    assert wanted["over:9"].person == 9
    assert "Rematch" not in str(wanted["over:9"].card)
    assert channel.hear() == {}


# --------------------------------------------------------------------------------- hands
@pytest.mark.parametrize(("game", "people"), [("isolde", 5), ("donquixote", 4), ("twilight", 4)])
def test_hands_do_not_change_by_what_others_do(game: str, people: int, rng: random.Random) -> None:
    """A standing hand changes with its own seat's moves, the hand itself, or being asked."""
    channel = Channel(started(game, people))
    channel.hear()
    changed: Counter[str] = Counter()
    while channel.table.awaited:
        before = channel.table
        stood = dict(channel.stands)
        seat = rng.choice(before.awaited)
        move = before.game.random_move(before.played.state, seat, rng)
        wanted = channel.act(PlayMoves(seat + 1, (move,)))
        if not channel.table.running:
            break
        for key, surface in wanted.items():
            if not key.startswith("hand:") or key not in stood:
                continue
            own = channel.table.seat_of(surface.person or 0)
            same = surface.card.fingerprint == stood[key].card.fingerprint
            changed[f"{own == seat}/{same}"] += 1
            if own != seat and not same:
                assert own is not None
                held = [_held(table, own) for table in (before, channel.table)]
                asked = [own in table.awaited for table in (before, channel.table)]
                assert held[0] != held[1] or asked[0] != asked[1], move
    assert changed["False/True"]


def _held(table: Table, seat: int) -> object:
    view = table.played.view(seat)
    return view.private.get("hand") if table.row.game == "twilight" else view.private


def test_a_hand_is_new_when_its_owner_is_called() -> None:
    channel = Channel(started("twilight", 4))
    wanted = channel.hear()
    seat = channel.table.awaited[0]
    call = next(channel.table.calls())[0]
    assert f"hand:{seat + 1}:{call}" in wanted
    others = [key for key in wanted if key.startswith("hand:") and key.endswith(":0")]
    assert len(others) == 3
    asked = wanted[f"hand:{seat + 1}:{call}"]
    assert asked.card.live
    assert asked.person == seat + 1
    assert asked.otherwise is not None
    assert asked.otherwise.key == f"advice:{seat + 1}"
    waiting = wanted[others[0]]
    assert not waiting.card.live
    assert "It is not your turn." in text_of(waiting)
    assert "move 1" not in text_of(waiting)


def test_the_hands_say_when_it_is_over(rng: random.Random) -> None:
    channel = Channel(started("twilight", 4))
    channel.hear()
    last: dict[str, str] = {}

    def look(wanted: object) -> None:
        last.clear()
        last.update({key: text_of(s) for key, s in channel.stands.items() if s.final})

    channel.play_out(rng, look)
    over = [text for key, text in last.items() if key.startswith("hand:")]
    assert len(over) == len(NAMES[:4])
    assert all("The match is over." in text for text in over)


def test_nothing_is_told_of_seats_that_there_are_not() -> None:
    """Rows of another table, as damage to the file can leave them: it is unreadable, and quiet."""
    whole = started("lancelot", 2, pace="1d")
    for damaged in (
        replace(whole, members=whole.members[:1]),
        replace(whole, turns=(replace(whole.turns[0], seat=4),)),
    ):
        again = table_of(Loaded(Stored(**stored_of(damaged)), damaged.people, damaged.server))
        assert again.unreadable == "unreadable"
        assert {s.key for s in Presenter(WORDS).surfaces(again, 0, lambda key: 0)} <= {"lobby"}
