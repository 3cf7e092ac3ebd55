"""Checks for every change, after every undisturbed act, and at the end of a history.

The bot's own code says which messages should exist. Who may see what, what was announced and what
counts is derived from the journal and from Discord's side, so that a bug is not repeated here.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from cogs.delivery.message import mark_for
from cogs.games import WORDS
from cogs.present.story import arrived
from cogs.present.surfaces import KEEP, Presenter, Surface
from data.store.rows import MessageRow
from games.engine import CHANCE
from games.fairness import seed_of
from play.table import Call, Table
from tests.simulation.discord import DM, World, verbs_of

PRESENTER = Presenter(WORDS)

CHANGES_HANDS = frozenset({"undo", "take", "back", "keep", "resign"})
"""Kinds of lines after which a seat may have to move without having been called."""

STAYING = frozenset({"rematch", "game", "replay", "analysis", "proof", "export", "rules"})
"""The verbs of a result's controls, which stay for good."""


# ------------------------------------------------------------------------------ of a change
def check_step(before: Table, after: Table) -> None:
    _check_plans(before, after)
    _check_votes(before, after)
    _check_calls(before, after)


def _check_calls(before: Table, after: Table) -> None:
    """Check that exactly those whose decision somebody else has opened are called, once."""
    new = [call for call in after.calls() if call.line > before.revision and not call.reminds]
    if after.unreadable or {line.kind for line in after.journal[before.revision :]} == {"call"}:
        return  # somebody not reached by direct message, see ``check_called_once``
    called = sorted(seat for call in new for seat in call.seats)
    opened = sorted(decisions_opened(before, after))
    assert called == opened, f"seats {called} were called, and {opened} have to decide"


def decisions_opened(before: Table, after: Table) -> Iterator[int]:
    """The seats of people who have to decide because of a change by somebody else, which at the
    start is the drawing of lots.
    """
    for seat in after.awaited_persons:
        line = after.opened(seat)
        if line > before.revision and not _opened_alone(before, after, seat, line):
            yield seat


def _opened_alone(before: Table, after: Table, seat: int, line: int) -> bool:
    """Return whether a seat's decision at a line was opened by its own act, other than a planned
    move.
    """
    cause = after.journal[line - 1]
    if cause.kind == "undo":
        return cause.seat == seat and "agreed" not in json.loads(cause.text)
    events = zip(after.lines, after.played.log, strict=True)
    acts = [event.seat for number, event in events if number <= line and event.seat != CHANCE]
    return acts[-1:] == [seat] and seat in before.awaited


def _check_plans(before: Table, after: Table) -> None:
    """Check that every automatic move was planned, and that no planned move is played twice."""
    new = after.journal[before.revision :]
    for seat in range(len(before.members) if before.match is not None else 0):
        person = before.members[seat].person_id
        if seat in before.awaited or person is None or person in before.hurried | after.hurried:
            continue
        unasked = sum((x.kind, x.seat, x.person_id) == ("move", seat, person) for x in new)
        left = {plan.number for plan in after.plans}
        mine = {plan.number for plan in before.plans if plan.person_id == person}
        assert unasked <= len(mine - left), f"{unasked} moves of {person} played unasked"


def _check_votes(before: Table, after: Table) -> None:
    """Check that each undo or draw that needs consent follows a vote in favour, and that no vote is
    settled twice.
    """
    votes = {vote.asked: vote for vote in after.votes}
    settled = list[str]()
    for line in after.journal[before.revision :]:
        if line.kind == "settle":
            asked, _, decision = line.text.partition(".")
            vote = votes[int(asked)]
            assert (vote.decision, vote.settled) == (decision, line.number), f"vote {asked} is open"
            settled.append(f"{vote.kind} {decision}")
        agreed = line.kind == "undo" and "agreed" in json.loads(line.text)
        drawn = line.kind == "finish" and (after.row.result or {}).get("how") == "drawn"
        assert not agreed or "undo yes" in settled, "an undo without its vote"
        assert not drawn or "draw yes" in settled, "a draw without its vote"
    twice = Counter(x.text.partition(".")[0] for x in after.journal if x.kind == "settle")
    assert max(twice.values(), default=1) == 1, "a vote was settled twice"


# ------------------------------------------------------------------------- of one quiet act
def check_call(world: World, table: Table, before: int) -> None:
    """After an act that no fault disturbed, check that the last call has reached its people.

    :param before: the revision before the act.
    """
    call = next(table.calls(), None)
    if call is not None and call.line > before and table.running:
        for seat in {*call.seats} & {*table.awaited_persons}:
            _check_called(world, table, call, seat)


def _check_called(world: World, table: Table, call: Call, seat: int) -> None:
    """Check that one person was called, only where the journal says, and with a sound unless they
    have quiet hours.
    """
    person = table.members[seat].person_id or 0
    if seat in call.table:
        channel, kind = table.row.channel_id, "call" if table.chat else "board"
        later = [each.line for each in table.calls() if each.table and each.line >= call.line]
        keys = [f"{kind}:{line}" for line in later]  # later boards call those not reached before
    else:
        channel = table.settings(person).dm_channel or DM + person
        begun = max(call.line, arrived(table, seat))
        sent_hand = table.game.info.has_secrets and not table.chat
        keys = [f"hand:{person}:{begun}" if sent_hand else f"turn:{person}:{call.line}"]
    # Somebody called before the table moved is not called again where it is now.
    there = {m for c, m, _ in world.posted if c == channel or max(c, channel) < DM}
    marks = {mark_for(table, key) for key in keys} & there
    assert marks, f"none of {keys} was posted"
    rests = table.settings(person).quiet_from is not None
    if channel < DM:
        # In quiet hours, a message that calls several people pings the others.
        named = {mark: _called(world, mark) for mark in marks}
        marks = {mark for mark in marks if person in named[mark] or (rests and named[mark])}
        assert marks, f"{person} was not called by {keys}"
    silent = {mark for place, mark in world.silent if place == channel}
    assert rests or marks - silent, f"none of {keys} was heard"


# ------------------------------------------------------------------------------- at the end
def check_standing(world: World, table: Table, told: int, rows: Mapping[str, MessageRow]) -> None:
    """Check that, in all the table's channels, each wanted message exists once, and no others
    exist.
    """
    assert told == table.revision, f"delivered {told} of {table.revision}"
    began = {key: row.told_from for key, row in rows.items()}
    wanted = PRESENTER.surfaces(table, told, lambda key: began.get(key, told))
    expected = set[int]()
    for surface in wanted:
        row = rows.get(surface.key)
        if surface.person is None and table.over and table.row.channel_id in world.lost:
            continue
        if surface.person in world.closed and (row is None or row.message_id is None):
            continue
        if row is None and not surface.late:
            continue
        if surface.final and (row is None or row.final):
            expected |= {0 if row is None else row.message_id or 0}
        else:
            expected.add(_standing(world, table, surface, row))
    stay = {mark_for(table, key) for key in staying(table)}
    left = {m.id for m in world.messages.values() if m.mark not in stay}
    left -= expected | world.kept
    assert not left, f"left behind: {[world.messages[n].card.parts for n in sorted(left)]}"
    over = {m.id for m in world.messages.values() if verbs_of(m.card) <= STAYING}
    dead = {m.id for m in world.messages.values() if m.card.live} - over - expected - world.kept
    assert not dead, f"left with controls: {sorted(dead)}"
    known = {s.key for s in wanted} | {s.otherwise.key for s in wanted if s.otherwise is not None}
    assert rows.keys() <= known, f"still recorded: {sorted(rows.keys() - known)}"
    places = Counter((m.channel_id, m.mark) for m in world.messages.values())
    twice = [place for place, count in places.items() if count > 1]
    assert not twice, f"exists twice: {twice}"


def staying(table: Table) -> Iterator[str]:
    """The keys of messages that stay after the match."""
    for line in table.journal:
        yield f"lots:{line.number}"
        yield f"trail:{line.number - 1}"
    yield "result"
    yield from (f"over:{person}" for person in _told_as_followers(table))
    yield from (f"over:{member.person_id}" for member in table.members)
    if table.over:
        yield "lobby"
    if table.server.boards == KEEP:
        yield from (f"account:{line.number}" for line in table.journal)
        yield from (f"board:{line.number}" for line in table.journal)


def _told_as_followers(table: Table) -> set[int | None]:
    """The people who followed the table when it ended, or later."""
    people, ended = set[int | None](), False
    for line in table.journal:
        ended = ended or line.kind in ("finish", "end")
        if line.kind == "follow":
            people.add(line.person_id)
        elif line.kind == "unfollow" and not ended:
            people.discard(line.person_id)
    return people


def check_chat(world: World, table: Table, told: int, rows: Mapping[str, MessageRow]) -> None:
    """After somebody has acted in a chat, check that the wanted messages exist there with the right
    content. Older messages do not count: the bot can no longer change them.
    """
    assert told == table.revision, f"delivered {told} of {table.revision}"
    keys = {key: row.told_from for key, row in rows.items()}
    for surface in PRESENTER.surfaces(table, told, lambda key: keys.get(key, told)):
        if surface.key.startswith("call:"):
            continue  # it is posted once and never changed
        row = rows.get(surface.key)
        assert row is not None, f"{surface.key} is not known"
        assert row.message_id in world.messages, f"{surface.key} does not exist"
        shown = world.messages[row.message_id]
        assert shown.card == surface.card, f"{surface.key} shows something else"
        assert shown.channel_id == _place(table, surface), f"{surface.key} is elsewhere"


def _standing(world: World, table: Table, surface: Surface, row: MessageRow | None) -> int:
    """Check the message of a surface; return its id."""
    assert row is not None, f"{surface.key} is not known"
    assert row.message_id in world.messages, f"{surface.key} does not exist"
    shown = world.messages[row.message_id]
    refuses = shown.channel_id - DM in world.closed
    assert shown.card == surface.card or refuses, f"{surface.key} shows something else"
    place = _place(table, surface)
    assert shown.channel_id == place, f"{surface.key} is elsewhere"
    mark = mark_for(table, surface.key)
    marked = [m for m in world.messages.values() if (m.channel_id, m.mark) == (place, mark)]
    assert len(marked) == 1, f"{surface.key} exists {len(marked)} times"
    return shown.id


def check_pinged(world: World, table: Table) -> None:
    """Check that everybody who still has to move was called, unless seats have changed hands."""
    for seat in table.awaited_persons if table.running else ():
        call = table.call_of(seat)
        if call is None or any(x.kind in CHANGES_HANDS for x in table.journal[call.line :]):
            continue
        _check_called(world, table, call, seat)


def check_called_once(world: World, table: Table) -> None:
    """Check that nobody was called twice for a decision, unless the first call did not arrive."""
    posted = {mark for _, mark, _ in world.posted}
    last: dict[int, Call] = {}
    for call in reversed([call for call in table.calls() if not call.reminds]):
        for seat in call.seats:
            before, last[seat] = last.get(seat), call
            person = table.members[seat].person_id
            between = table.journal[before.line : call.line] if before else ()
            acted = any(x.kind in CHANGES_HANDS or x.seat == seat for x in between)
            if before is None or acted or table.chat:
                continue
            keys = (f"hand:{person}:{before.line}", f"turn:{person}:{before.line}")
            arrived_there = {mark_for(table, key) for key in keys} & posted
            told = seat in before.table or arrived_there
            assert not told, f"seat {seat} was called by {before.line} and by {call.line}"


def check_heard(world: World, table: Table) -> None:
    """Check that no messages make a sound except lobbies, calls, invitations, questions, offers and
    results.
    """
    calls = [table.begun, *(call.line for call in table.calls())]
    lines = [line.number for line in table.journal]
    direct = ("hand:{person}:{call}", "turn:{person}:{call}")
    public = [f"{kind}:{call}" for kind in ("board", "call") for call in calls]
    told = [f"{kind}:{line}" for kind in ("vote", "invite") for line in lines]
    told += [f"invite:{line}:channel" for line in lines]
    people = {line.person_id for line in table.journal} | {*table.persons}
    told += [f"invite:rematch:{person}{at}" for person in people for at in ("", ":channel")]
    told += [f"offer:{seat}:{line}" for seat in range(len(table.members)) for line in lines]
    marks = {mark_for(table, key) for key in ("lobby", "result", *public, *told)}
    for channel, mark, _ in world.posted:
        if channel < DM or (channel, mark) in world.silent:
            continue
        person = channel - DM
        own = [key.format(person=person, call=call) for key in direct for call in calls]
        known = marks | {mark_for(table, key) for key in (f"over:{person}", *own)}
        assert mark in known, f"{person} was notified by a message that did not call them"
    for channel, mark, person in world.pings:
        heard = (channel, mark) not in world.silent
        assert not heard or mark in marks, (
            f"{person} was pinged by a message that did not call them"
        )


def _called(world: World, mark: int) -> set[int]:
    """The people called by a message."""
    return {person for _, marked, person in world.pings if marked == mark}


def check_asked(world: World, table: Table, people: Iterable[int]) -> None:
    """Check that everybody asked for a rematch was called once, in one place."""
    for person in people:
        letter = mark_for(table, f"invite:rematch:{person}")
        marks = {mark_for(table, key) for key in ("lobby", "chat")}
        marks.add(mark_for(table, f"invite:rematch:{person}:channel"))
        pings = [mark for _, mark, called in world.pings if called == person and mark in marks]
        letters = [mark for _, mark, _ in world.posted if mark == letter]
        assert len(pings + letters) == 1, f"{person} was asked {len(pings + letters)} times"


def check_told(world: World, table: Table) -> None:
    """Check that the result of a finished match was posted."""
    if table.row.channel_id in world.lost or not table.started or not table.over:
        return
    marks = {mark for _, mark, _ in world.posted}
    assert mark_for(table, "result") in marks, "the result was never posted"


def check_posted(world: World, table: Table, deleted: Mapping[tuple[int, int | None], int]) -> None:
    """Check that nothing was posted twice unless somebody deleted it, and nobody was pinged twice.

    A second notice by direct message is allowed if the first one was deleted while another message
    of the table could not be delivered. The line of a round is deleted when the round is taken
    back, and posted again later.
    """
    excused = {mark_for(table, key) for key in _notices(table)}
    trail = {mark_for(table, f"trail:{line.number - 1}") for line in table.journal}
    times: dict[tuple[int, int | None], list[int]] = {}
    for channel, mark, before in world.posted:
        times.setdefault((channel, mark), []).append(before)
    for (channel, mark), failures in times.items():
        if mark in trail:
            continue
        once = len(set(failures)) if mark in excused else 1
        twice = len(failures) - once
        assert twice <= deleted.get((channel, mark), 0), f"mark {mark} posted {len(failures)} times"
    # What was posted in a channel that is lost may never have been seen.
    seen = Counter((mark, person) for place, mark, person in world.pings if place not in world.lost)
    pinged = [ping for ping, count in seen.items() if count > 1]
    assert not pinged, f"pinged twice: {pinged}"


def _notices(table: Table) -> list[str]:
    """The keys of all notices that may have been sent by direct message."""
    people = {line.person_id for line in table.journal} - {None}
    calls = [f"turn:{person}:{call.line}" for call in table.calls() for person in people]
    return [*calls, *(f"plans:{line.person_id}:{line.number}" for line in table.journal)]


def check_lots(world: World, table: Table) -> None:
    """Check that the lots of a match follow from the secret, the lucky words of the people seated
    at the start, and the message posted for the drawing before the match began.
    """
    if not table.started:
        return
    before, start = table.journal[: table.begun - 1], table.journal[table.begun - 1]
    people, words = {0: before[0].person_id}, dict[int | None, str]()
    for line in before:
        if line.kind == "join":
            people[int(line.text)] = line.person_id
        elif line.kind == "word":
            words[line.person_id] = line.text
        elif line.kind in ("leave", "away", "lapse"):
            words.pop(line.person_id, None)
    said = json.loads(start.text)
    given = [words.get(people.get(number), "") for number in sorted(said["seating"])]
    assert table.row.seed == seed_of(table.row.secret, said["message"], given)
    drawing = next(line.number for line in reversed(before) if line.kind == "lots")
    message = world.messages.get(said["message"])
    if message is not None:
        assert message.mark == mark_for(table, f"lots:{drawing}"), "drawn by another message"
        assert message.at <= start.at, "drawn before the message existed"


def check_counted(table: Table, acknowledged: Iterable[int]) -> None:
    """Check that everything acknowledged counts exactly once, and that the journal has no gaps."""
    counted = [x.interaction_id for x in table.journal if x.interaction_id is not None]
    assert len(counted) == len(set(counted)), "an interaction counted twice"
    missing = set(acknowledged) - set(counted)
    assert not missing, f"acknowledged, but not counted: {missing}"
    numbers = [line.number for line in table.journal]
    assert numbers == list(range(1, len(numbers) + 1)), "the journal has gaps"


def _place(table: Table, surface: Surface) -> int:
    if surface.person is None:
        return table.row.home_id if surface.home and table.row.home_id else table.row.channel_id
    return table.settings(surface.person).dm_channel or DM + surface.person
