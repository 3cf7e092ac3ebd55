"""The messages that a table should have, through whole matches of all games."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from cogs.games import WORDS
from cogs.present.story import since_call, story
from cogs.present.surfaces import Presenter, Surface
from data.store.rows import Boards, CallAt, Loaded, Stored
from data.texts import texts
from games import GAMES
from games.engine import CHANCE
from play.aggregate import Tick
from play.decide import decide
from play.ending import EndAsManager, EndTable, Resign
from play.fold import table_of
from play.ladder import STAND_IN
from play.lobby import Follow, MoveHere, Park
from play.moves import PlayMoves
from play.plans import Plan
from play.seats import HandOver, TakeSeat
from play.table import Table, stored_of
from play.votes import Answer
from tests.cogs.present.tables import (
    ANNA,
    BEN,
    CLARA,
    DAVID,
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
    for players, computers in ((1, 1), (max(info.players), 0))
    if players + computers in info.players
]


@pytest.mark.parametrize(("game", "people", "computers"), MATCHES)
def test_whole_matches(game: str, people: int, computers: int, rng: random.Random) -> None:
    """At any time, there is one board, at most one account, and at most one hand for each player.
    Every decision notifies its person once. Afterwards, only the drawing message and the result
    remain in the channel.

    A hand changes only with its own seat's moves, with its contents, or when its owner has to
    choose or no longer has to. Accounts of deals or rounds are posted in order, without a sound.
    """
    channel = Channel(opened(game, people, computers))
    channel.hear()
    channel.start()
    by_dm, hands = GAMES[game].info.hidden, Hands(channel)

    def look(wanted: Sequence[Surface]) -> None:
        if not channel.table.running:
            return
        public = [key for key, s in channel.stands.items() if s.person is None]
        assert len([key for key in public if key.startswith("board:")]) == 1
        assert {key.partition(":")[0] for key in public} <= {"lots", "board", "account"}
        assert len(public) <= 3
        private = Counter(s.person for s in channel.stands.values() if s.person is not None)
        assert not private or max(private.values()) == 1
        assert bool(private) <= by_dm
        hands.look(wanted)

    channel.play_out(rng, look)
    assert bool(hands.unchanged) == by_dm
    called = [
        channel.table.members[seat].person_id
        for call in reversed(list(channel.table.calls()))
        for seat in call.seats
    ]
    told_of_end = [p for key, pings, silent in channel.posted if key == "result" for p in pings]
    assert Counter(channel.notified()) == Counter(called) + Counter(told_of_end)
    assert {s.key.partition(":")[0] for s in channel.stands.values() if s.person is None} == {
        "lots",
        "result",
    }
    ended = Counter(s.person for s in channel.stands.values() if s.person is not None)
    assert ended == (Counter(range(1, people + 1)) if by_dm else Counter())
    assert all(not s.card.live for s in channel.stands.values() if s.person is not None)
    kinds, events = channel.table.game.info.accounts, channel.table.told_since(0)
    closed = [e.line for e in events if any(fact.kind in kinds for fact in e.facts)]
    told = [(key, silent) for key, _, silent in channel.posted if key.startswith("account:")]
    assert (len(closed) > 1) == bool(kinds)
    # The last account also closes the match, so the result shows it.
    assert told == [(f"account:{line}", True) for line in closed[: len(told)]]
    assert len(closed) - 1 <= len(told) <= len(closed)


class Hands:
    """Follows the hands that other people's moves leave as they were.

    :ivar unchanged: how often somebody else's move changed nothing about a hand.
    """

    def __init__(self, channel: Channel) -> None:
        self.channel, self.unchanged = channel, 0
        self.before, self.stood = channel.table, dict(channel.stands)

    def look(self, wanted: Sequence[Surface]) -> None:
        """Compare the hands with those before the last move."""
        table = self.channel.table
        moved = next(e.seat for e in reversed(table.played.log) if e.seat != CHANCE)
        for surface in wanted:
            own = table.seat_of(surface.person or 0)
            stood = self.stood.get(surface.key)
            if not surface.key.startswith("hand:") or stood is None or own in (None, moved):
                continue
            if surface.card.fingerprint == stood.card.fingerprint:
                self.unchanged += 1
                continue
            assert own is not None
            held = [_held(each, own) for each in (self.before, table)]
            asked = [own in each.awaited for each in (self.before, table)]
            assert held[0] != held[1] or asked[0] != asked[1], table.played.log[-1]
        self.before, self.stood = table, dict(self.channel.stands)


def _held(table: Table, seat: int) -> object:
    view = table.played.view(seat)
    return view.private.get("hand") if table.row.game == "twilight" else view.private


@pytest.mark.full
def test_after_an_outage_only_the_end_is_posted(rng: random.Random) -> None:
    channel = Channel(started("twilight", 4))
    table = channel.table
    while table.awaited:
        table = decide(table, any_move(table, rng), NOON)
    wanted = [key for key in channel.hear(table) if not key.startswith("over:")]
    assert wanted == ["result"]


@pytest.mark.parametrize("boards", ["lines", "keep"])
@pytest.mark.parametrize("game", ["lancelot", "isolde"])
def test_the_messages_that_a_server_keeps(game: str, boards: Boards, rng: random.Random) -> None:
    """Instead of only the latest board, a server can keep all boards, or the latest board and a
    line for each round, ten lines to a message.
    """
    table = started(game, 3)
    table = replace(table, server=replace(table.server, boards=boards))
    channel = Channel(table)
    channel.hear()
    channel.play_out(rng)
    trail = [text_of(surface).split("\n") for surface in channel.of_kind("trail")]
    posts = [key for key, _, _ in channel.posted if key.startswith(("board:", "account:"))]
    kept = [key for key in posts if key in channel.stands]
    assert (kept == posts) == (boards == "keep")
    assert bool(kept) == (boards == "keep")
    assert bool(trail) == (boards == "lines")
    assert [key for key, _, _ in channel.posted if key.startswith("trail:")] == [
        surface.key for surface in channel.of_kind("trail")
    ]
    assert all(len(lines) == 10 for lines in trail[:-1])
    assert all(line.startswith("-# ") for lines in trail for line in lines)
    assert all(surface.silent for surface in channel.of_kind("trail"))
    assert all(len({*lines}) > 1 for lines in trail if len(lines) > 1), "each reports its own round"
    assert not any(channel.stands[key].card.live for key in kept)


# -------------------------------------------------------------------------------- boards
@pytest.mark.full
def test_a_board_tells_what_happened_since_its_reader_was_called(rng: random.Random) -> None:
    """The board lists the turns since then, one per line, at most three lines."""
    channel = Channel(started("lancelot", 3, starter="1"))
    channel.hear()
    channel.act(*(PlayMoves(p, (m,)) for p, m in [(ANNA, "K4"), (BEN, "D4"), (CLARA, "F6")]))
    (board,) = channel.of_kind("board")
    for name, square in (("Anna", "K4"), ("Ben", "D4"), ("Clara", "F6")):
        (line,) = (line for line in text_of(board).split("\n") if f"**{name}**" in line[:12])
        assert square in line
    five = Channel(started("lancelot", 5, starter="1"))
    five.hear()
    five.play_out(rng, lambda wanted: _at_most_three_lines(five))


def _at_most_three_lines(channel: Channel) -> None:
    table = channel.table
    if table.running:
        told = story(table, WORDS[table.row.game], texts("en"), since_call(table))
        assert told.count("\n") <= 2


def test_a_plan_or_a_new_follower_changes_no_message() -> None:
    channel = Channel(started("lancelot", 3, starter="1"))
    before = {key: s.card.fingerprint for key, s in channel.hear().items()}
    wanted = channel.act(Plan(BEN, "D4"), Follow(9))
    assert {key: surface.card.fingerprint for key, surface in wanted.items()} == before


def test_no_board_is_posted_for_a_computer_players_move(rng: random.Random) -> None:
    channel = Channel(started("isis", 1, 1))
    channel.hear()
    for _ in range(60):
        if not channel.table.awaited:
            break
        channel.act(any_move(channel.table, rng))
    boards = [pings for key, pings, _ in channel.posted if key.startswith("board:")]
    assert len(boards) >= 3
    assert all(pings == (ANNA,) for pings in boards[1:])


# --------------------------------------------------------------------------------- votes
def test_a_vote_shows_the_current_threshold() -> None:
    """With four players, Anna asks to end and David resigns: now two of three are needed, and David
    is no longer listed. The vote pings those who have to answer, and is deleted once settled.
    """
    channel = Channel(started("lancelot", 4))
    channel.hear()
    wanted = channel.act(EndTable(ANNA))
    key = f"vote:{channel.table.votes[0].asked}"
    assert "3 of 4 have to agree" in text_of(wanted[key])
    assert wanted[key].pings == (BEN, CLARA, DAVID)
    wanted = channel.act(Resign(DAVID, "skilled"))
    assert "2 of 3 have to agree" in text_of(wanted[key])
    assert f"<@{DAVID}>" not in text_of(wanted[key])
    wanted = channel.act(Answer(channel.table.votes[0].asked, BEN, "yes"))
    assert key not in channel.stands
    assert "has ended without a result" in text_of(channel.stands["result"])


def test_a_declined_question_is_on_the_board() -> None:
    channel = Channel(started("lancelot", 2))
    channel.hear()
    channel.act(EndTable(ANNA))
    channel.act(Answer(channel.table.votes[0].asked, BEN, "no"))
    (board,) = channel.of_kind("board")
    assert "Not enough have agreed: the match continues." in text_of(board)
    assert not channel.of_kind("vote")


# ---------------------------------------------------------------------------- seats, notes
def test_resigning_is_reported_and_the_match_continues() -> None:
    channel = Channel(started("lancelot", 3))
    channel.hear()
    channel.act(Resign(ANNA, "skilled"))
    (board,) = channel.of_kind("board")
    assert "**Anna** has resigned; a computer player takes over the seat" in text_of(board)


def test_resigning_as_one_of_two_ends_it() -> None:
    """The other player is notified, in one message."""
    channel = Channel(started("lancelot", 2))
    channel.hear()
    channel.act(Resign(BEN, "skilled"))
    assert list(channel.stands) == ["result"]
    assert channel.posted[-1] == ("result", (ANNA,), False)
    channel.hear()
    assert channel.posted[-1][0] == "result"


def test_if_the_last_person_resigns_there_is_no_result() -> None:
    channel = Channel(started("lancelot", 1, computers=2))
    channel.hear()
    channel.act(Resign(ANNA, "skilled"))
    told = text_of(channel.stands["result"])
    assert "Nobody is left, so there is no result" in told


def test_a_manager_who_ends_a_match_is_named_with_the_reason() -> None:
    """The manager does not sit at the table, so a mention shows their name."""
    channel = Channel(started("lancelot", 2))
    channel.hear()
    channel.act(EndAsManager(DAVID, manages=True, reason="spam"))
    told = text_of(channel.stands["result"])
    assert f"<@{DAVID}> manages this server and has ended table" in told
    assert "“spam”" in told


def test_a_new_player_gets_the_hand_without_a_sound(rng: random.Random) -> None:
    """The new player has just pressed the button; their next turn pings them."""
    channel = Channel(started("twilight", 1, 2))

    def wait_for_turn() -> None:
        while channel.table.awaited != (0,):
            channel.act(any_move(channel.table, rng))

    channel.hear()
    wait_for_turn()
    channel.act(HandOver(ANNA, seat=0, newcomer=9), TakeSeat(9, 0, "Ida"))
    (board,) = channel.of_kind("board")
    assert "**Ida** has taken over the seat" in text_of(board)
    hands = [silent for key, _, silent in channel.posted if key.startswith("hand:9:")]
    assert hands == [True]
    channel.act(any_move(channel.table, rng))
    wait_for_turn()
    assert channel.notified().count(9) == 2, "the offer, and the turn"


def test_an_offer_that_was_replaced_is_not_wanted() -> None:
    channel = Channel(started("lancelot", 1, 2))
    channel.hear()
    channel.act(HandOver(ANNA, seat=1, newcomer=9))
    wanted = channel.act(HandOver(ANNA, seat=1))
    assert sum(key.startswith("offer:") for key in wanted) == 1


def test_only_the_owner_is_told_why_plans_were_dropped() -> None:
    channel = Channel(started("lancelot", 2, starter="1"))
    channel.table = with_settings(channel.table, BEN, language="de")
    channel.hear()
    channel.act(Plan(BEN, "K4"), PlayMoves(ANNA, ("K4",)))
    (note,) = channel.of_kind("plans")
    assert (note.person, note.silent) == (BEN, True)
    assert "deinen geplanten Zug" in text_of(note) or "geplant" in text_of(note)
    (board,) = channel.of_kind("board")
    assert "● **Ben**'s planned moves have been dropped." in text_of(board)
    channel.act(PlayMoves(BEN, ("D4",)))
    assert not channel.of_kind("plans")


# --------------------------------------------------------------------------------- time
@pytest.mark.parametrize("where", ["dm", "table"])
def test_a_reminder_repeats_the_call(where: CallAt) -> None:
    """The reminder comes once, in the same place, and replaces the call; it says how much time is
    left.
    """
    channel = Channel(started("lancelot", 3, starter="1", pace="12h"))
    channel.table = with_settings(channel.table, ANNA, call_at=where)
    table = channel.table
    table = table.add("call", NOON, text=json.dumps({"table": [], "dm": [0]}))
    channel.hear(table if where == "dm" else channel.table)
    before = len(channel.posted)
    channel.act(Tick(), now=NOON + timedelta(hours=7))
    ((key, pings, silent),) = channel.posted[before:]
    kind = "turn" if where == "dm" else "board"
    assert (key.partition(":")[0], silent) == (kind, False)
    assert pings == (() if where == "dm" else (ANNA,))
    assert "Half of the time is gone." in text_of(channel.stands[key])
    assert len(channel.of_kind(kind)) == 1


def test_a_board_calls_everybody_whom_no_earlier_board_has_called() -> None:
    """Two people reminded at the same moment get two lines in the journal but one board; anyone
    called by the previous board is not called again.
    """
    channel = Channel(opened("donquixote", 3, pace="12h"))
    for person in (ANNA, BEN, CLARA):
        channel.table = with_settings(channel.table, person, call_at="table")
    channel.hear()
    channel.start()
    channel.act(one_move(channel.table, 0))
    before = len(channel.posted)
    channel.act(Tick(), now=NOON + timedelta(hours=7))
    ((key, pings, silent),) = channel.posted[before:]
    assert key.startswith("board:")
    assert (sorted(pings), silent) == ([BEN, CLARA], False)
    table = channel.table.add("call", NOON, text=json.dumps({"table": [2], "dm": []}))
    channel.hear(table)
    assert channel.posted[-1][1] == (CLARA,)


@pytest.mark.parametrize(
    ("language", "reminder", "question"),
    [
        ("en", "No hurry", "waiting for at least four weeks"),
        ("de", "Keine Eile", "wartet seit mindestens vier Wochen"),
    ],
)
def test_a_table_without_a_pace_reminds_and_then_asks(
    language: str, reminder: str, question: str
) -> None:
    table = started("lancelot", 2, starter="1")
    channel = Channel(replace(table, row=replace(table.row, language=language)))
    channel.hear()
    before = len(channel.posted)
    channel.act(Tick(), now=NOON + timedelta(days=3))
    ((key, pings, silent),) = channel.posted[before:]
    assert (key.partition(":")[0], pings, silent) == ("board", (ANNA,), False)
    assert reminder in text_of(channel.stands[key])
    channel.act(Tick(), now=NOON + timedelta(days=28))
    ((key, pings, silent),) = channel.posted[before + 1 :]
    assert (key.partition(":")[0], pings, silent) == ("vote", (ANNA, BEN), False)
    assert question in text_of(channel.stands[key])
    channel.act(Answer(channel.table.votes[0].asked, BEN, "yes"))
    channel.act(Tick(), now=NOON + timedelta(days=35))
    assert key not in channel.stands
    assert channel.table.over


def test_a_miss_without_a_vote_is_reported() -> None:
    channel = Channel(started("lancelot", 3, starter="1", pace="12h", strict=True))
    channel.hear()
    channel.act(Tick(), now=NOON + timedelta(hours=12, minutes=1))
    (board,) = channel.of_kind("board")
    assert "A computer player will move for ▲ **Anna** this once." in text_of(board)


# ------------------------------------------------------------------------ parked, followers
def test_a_parked_table_wants_nothing_until_it_is_moved() -> None:
    channel = Channel(started("twilight", 4))
    channel.hear()
    assert channel.act(Park(700)) == {}
    wanted = channel.act(MoveHere(ANNA, 701, 70))
    assert any(key.startswith("board:") for key in wanted)


def test_followers_are_told_once_of_the_end() -> None:
    channel = Channel(started("lancelot", 2))
    channel.hear()
    channel.act(Follow(9))
    wanted = channel.act(Resign(BEN, "skilled"))
    assert wanted["over:9"].person == 9
    assert "Rematch" not in repr(wanted["over:9"].card.rows)
    assert "over:9" not in channel.hear()


# --------------------------------------------------------------------------------- hands
def test_a_hand_comes_when_its_owner_is_called() -> None:
    channel = Channel(started("twilight", 4))
    channel.hear()
    seat = channel.table.awaited[0]
    (hand,) = channel.of_kind("hand")
    assert (hand.person, hand.silent, hand.card.live) == (seat + 1, False, True)
    assert channel.notified() == [seat + 1]
    (board,) = channel.of_kind("board")
    assert (board.pings, board.silent) == ((), True)
    channel.act(one_move(channel.table, seat))
    if seat not in channel.table.awaited:
        assert "It is not your turn." in text_of(channel.stands[hand.key])


def test_an_unreadable_table_posts_nothing() -> None:
    """Damage to the file can leave rows of another table, which make this one unreadable."""
    whole = started("lancelot", 2, pace="1d")
    for damaged in (
        replace(whole, members=whole.members[:1]),
        replace(whole, turns=(replace(whole.turns[0], seat=4),)),
    ):
        again = table_of(Loaded(Stored(**stored_of(damaged)), damaged.people, damaged.server))
        assert again.unreadable == "unreadable"
        assert {s.key for s in Presenter(WORDS).surfaces(again, 0, lambda key: 0)} <= {"lobby"}


def test_an_unreadable_call_does_not_hide_the_end() -> None:
    """Damage to the file can leave a call that cannot be read."""
    over = decide(started("lancelot", 2), Resign(ANNA, STAND_IN), NOON)
    damaged = replace(
        over,
        journal=tuple(
            replace(line, text="[") if line.kind == "call" else line for line in over.journal
        ),
    )
    again = table_of(Loaded(Stored(**stored_of(damaged)), damaged.people, damaged.server))
    assert again.unreadable == "unreadable"
    kinds = {s.key.partition(":")[0] for s in Presenter(WORDS).surfaces(again, 0, lambda key: 0)}
    assert "result" in kinds


def test_an_account_that_refers_to_nothing_is_not_posted() -> None:
    table = started("twilight", 3)
    line = replace(table.journal[-1], number=table.revision + 1, kind="account", text="8%")
    damaged = replace(table, journal=(*table.journal, line))
    keys = {surface.key for surface in Presenter(WORDS).surfaces(damaged, 0, lambda key: 0)}
    assert not any(key.startswith("account") for key in keys)
