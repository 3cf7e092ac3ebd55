"""What must hold: of every change, after every undisturbed act, and at the end of a history.

What should stand is taken from the product. What belongs in whose sight, what was told and what
counts is found out anew from the journal and from what Discord has seen, so that a fault in the
product is not believed here, too.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping

from cogs.delivery.message import mark_for
from cogs.delivery.reconcile import ADVICE
from cogs.games import WORDS
from cogs.present.surfaces import Presenter, Surface
from data.store.rows import MessageRow
from games.fairness import seed_of
from play.analysis import analysis_of
from play.table import Table
from tests.simulation.discord import DM, World, verbs_of

PRESENTER = Presenter(WORDS)

TOLD_ONCE = ("note", "account", "result", "over")
"""The beginnings of keys of what is told once, and stays."""

CHANGES_HANDS = frozenset({"undo", "take", "back", "keep", "resign"})
"""Kinds of lines after which a seat may be awaited without having been called."""

STAYING = frozenset({"rematch", "game", "replay", "analysis", "proof", "export", "rules"})
"""What the controls of a result do; they stay for good."""


# ------------------------------------------------------------------------------ of a change
def check_step(before: Table, after: Table) -> None:
    """What a change may do."""
    _check_plans(before, after)
    _check_votes(before, after)


def _check_plans(before: Table, after: Table) -> None:
    """What is played unasked was planned, and each planned move is played once."""
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
    """What needs consent rests on a vote that says yes; each vote is settled once."""
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
    """The last call, if it came of an act that nothing has disturbed, was posted, and whom it calls
    was pinged.

    :param before: the revision before the act.
    """
    number, seats = next(table.calls(), (0, ()))
    if number <= before or not table.running:
        return
    mark = mark_for(table, f"{calling(table)}:{number}")
    posted = (table.row.channel_id, mark) in {(channel, mark) for channel, mark, _ in world.posted}
    # In a chat the board is edited: only people who are still to move are called by a message.
    if not table.chat or {*seats} & {*table.awaited_persons}:
        assert posted, f"{calling(table)}:{number} was not posted"
    called = _called(world, mark)
    for seat in set(seats) & {*table.awaited_persons}:
        person = table.members[seat].person_id or 0
        assert person in called, f"{person} was not called by line {number}"


# ------------------------------------------------------------------------------- at the end
def check_standing(world: World, table: Table, told: int, rows: Mapping[str, MessageRow]) -> None:
    """What should stand stands once, nothing else can be pressed, and nothing else is noted."""
    assert told == table.revision, f"told {told} of {table.revision}"
    keys = {key: row.told_from for key, row in rows.items()}
    wanted = PRESENTER.surfaces(table, told, lambda key: keys.get(key, told))
    live = {number for number, m in world.messages.items() if m.card.live}
    for surface in wanted:
        live.discard(_standing(world, table, surface, rows.get(surface.key)))
    over = {number for number in live if verbs_of(world.messages[number].card) <= STAYING}
    assert not live - over, f"left with controls: {sorted(live - over)}"
    known = {s.key for s in wanted} | {s.otherwise.key for s in wanted if s.otherwise is not None}
    known |= {f"account:{line}" for line in closings(table)[-1:] if table.running}
    known |= {"result"} if analysis_of(table) is None else set()
    left = {key for key in rows if key not in known and not key.startswith(ADVICE)}
    assert not left, f"still noted: {sorted(left)}"
    _check_notices(world, table, {surface.key for surface in wanted})
    _check_accounts(world, table)
    _check_result(world, table)


def calling(table: Table) -> str:
    """The beginning of the key of what calls people."""
    return "call" if table.chat else "board"


def check_chat(world: World, table: Table, told: int, rows: Mapping[str, MessageRow]) -> None:
    """Once somebody has acted there, what should stand in a chat stands, in its last message; what
    stood there before can only be left.
    """
    assert told == table.revision, f"told {told} of {table.revision}"
    keys = {key: row.told_from for key, row in rows.items()}
    for surface in PRESENTER.surfaces(table, told, lambda key: keys.get(key, told)):
        if surface.key.startswith("call:"):
            continue  # it is told once, and left as it was
        row = rows.get(surface.key)
        assert row is not None, f"{surface.key} is not known"
        assert row.message_id in world.messages, f"{surface.key} does not stand"
        shown = world.messages[row.message_id]
        assert shown.card == surface.card, f"{surface.key} shows something else"
        assert shown.channel_id == _place(table, surface), f"{surface.key} stands elsewhere"


def closings(table: Table) -> list[int]:
    """The lines that closed a hand or round."""
    kinds = table.game.info.accounts
    if not kinds or table.match is None:
        return []
    return [t.line for t in table.told_since(0) if any(fact.kind in kinds for fact in t.facts)]


def _check_accounts(world: World, table: Table) -> None:
    """Of all accounts at most the last one is a picture, while the match goes on; of those before
    a line is left, which tells of points.
    """
    lines = closings(table)
    marks = {mark_for(table, f"account:{line}"): line for line in lines}
    for shown in world.messages.values():
        line = marks.get(shown.mark or 0)
        if line is None or shown.channel_id in world.lost:
            continue
        drawn = any(not isinstance(part, str) for part in shown.card.parts)
        assert drawn == (table.running and line == lines[-1]), f"account:{line} is left as it was"
        assert drawn or any(letter.isdigit() for letter in str(shown.card.parts[0]).split("·")[-1])


def _check_result(world: World, table: Table) -> None:
    """The result, if it has not been deleted, shows what is known of the match."""
    wanted = PRESENTER.surfaces(table, 0, lambda _: 0)
    cards = {mark_for(table, s.key): s.card for s in wanted if s.key == "result"}
    for shown in world.messages.values():
        if shown.mark in cards and shown.channel_id not in world.lost:
            assert shown.card == cards[shown.mark], "the result shows something else"


def _standing(world: World, table: Table, surface: Surface, row: MessageRow | None) -> int:
    """The message that stands for a surface."""
    assert row is not None, f"{surface.key} is not known"
    assert row.message_id in world.messages, f"{surface.key} does not stand"
    shown = world.messages[row.message_id]
    assert shown.card == surface.card, f"{surface.key} shows something else"
    place = _place(table, surface)
    assert shown.channel_id == place, f"{surface.key} stands elsewhere"
    mark = mark_for(table, surface.key)
    marked = [m for m in world.messages.values() if (m.channel_id, m.mark) == (place, mark)]
    assert len(marked) == 1, f"{surface.key} stands {len(marked)} times"
    return shown.id


def _check_notices(world: World, table: Table, wanted: set[str]) -> None:
    """A reminder goes when it is out of date, and so does the call by direct message."""
    gone = {mark_for(table, key): key for key in _notices(table) if key not in wanted}
    standing = [gone[m.mark] for m in world.messages.values() if m.mark in gone]
    assert not standing, f"out of date: {standing}"


def _notices(table: Table) -> list[str]:
    """The keys of all reminders and calls by direct message that there may have been."""
    reminders = [line.number for line in table.journal if line.kind == "remind"]
    people = {line.person_id for line in table.journal} - {None}
    return [
        *(f"reminder:{number}{dm}" for number in reminders for dm in ("", ":dm")),
        *(f"turn:{person}:{number}" for number, _ in table.calls() for person in people),
    ]


def check_pinged(world: World, table: Table) -> None:
    """All who are still to move because of the last call were pinged by it."""
    number, seats = next(table.calls(), (0, ()))
    if not table.running or any(x.kind in CHANGES_HANDS for x in table.journal[number:]):
        return
    called = _called(world, mark_for(table, f"{calling(table)}:{number}"))
    for seat in set(seats) & {*table.awaited_persons}:
        person = table.members[seat].person_id or 0
        assert person in called, f"{person} was never called by line {number}"


def _called(world: World, mark: int) -> set[int]:
    """Whom a message has called."""
    return {person for _, marked, person in world.pings if marked == mark}


def check_told(world: World, table: Table) -> None:
    """Every line that calls for a note, an account or a result has had its message."""
    if table.row.channel_id in world.lost or not table.started:
        return
    marks = {mark for _, mark, _ in world.posted}
    for surface in PRESENTER.surfaces(table, 0, lambda _: 0):
        if surface.key.partition(":")[0] not in TOLD_ONCE:
            continue
        keys = [surface.key, *([surface.otherwise.key] if surface.otherwise else [])]
        told = any(mark_for(table, key) in marks for key in keys)
        assert told or surface.key.startswith("over"), f"{surface.key} was never told"


def check_posted(world: World, table: Table, deleted: Mapping[tuple[int, int | None], int]) -> None:
    """Nothing was posted twice in a channel unless it was deleted, and no one was pinged twice.

    Of the calls by direct message a second one is no harm if the first one was taken away while
    something else of the same table could not be told.
    """
    excused = {mark_for(table, key) for key in _notices(table) if key.startswith("turn")}
    times: dict[tuple[int, int | None], list[int]] = {}
    for channel, mark, before in world.posted:
        times.setdefault((channel, mark), []).append(before)
    for (channel, mark), failures in times.items():
        once = len(set(failures)) if mark in excused else 1
        twice = len(failures) - once
        assert twice <= deleted.get((channel, mark), 0), f"mark {mark} posted {len(failures)} times"
    # What was posted in a channel that is lost may never have been seen.
    seen = Counter((mark, person) for place, mark, person in world.pings if place not in world.lost)
    pinged = [ping for ping, count in seen.items() if count > 1]
    assert not pinged, f"pinged twice: {pinged}"


def check_lots(world: World, table: Table) -> None:
    """The lots of a match that has begun follow from the secret, the words of those who sat there
    at the start, and the message that was posted for the drawing before the match began.
    """
    if not table.started:
        return
    before, start = table.journal[: table.begun - 1], table.journal[table.begun - 1]
    numbers, words = {before[0].person_id: 0}, dict[int, str]()
    for line in before:
        if line.kind == "join":
            numbers[line.person_id] = int(line.text)
            words.pop(numbers[line.person_id], None)  # of somebody who has left
        elif line.kind == "word":
            words[numbers[line.person_id]] = line.text
    said = json.loads(start.text)
    given = [words.get(number, "") for number in sorted(said["seating"])]
    assert table.row.seed == seed_of(table.row.secret, said["message"], given)
    drawing = next(line.number for line in reversed(before) if line.kind == "lots")
    message = world.messages.get(said["message"])
    if message is not None:
        assert message.mark == mark_for(table, f"lots:{drawing}"), "drawn by another message"
        assert message.at <= start.at, "drawn before the message stood"


def check_counted(table: Table, acknowledged: Iterable[int]) -> None:
    """What was acknowledged counts, and counts once."""
    counted = [x.interaction_id for x in table.journal if x.interaction_id is not None]
    assert len(counted) == len(set(counted)), "an interaction counted twice"
    missing = set(acknowledged) - set(counted)
    assert not missing, f"acknowledged, but not counted: {missing}"
    numbers = [line.number for line in table.journal]
    assert numbers == list(range(1, len(numbers) + 1)), "the journal has gaps"


def _place(table: Table, surface: Surface) -> int:
    if surface.person is None:
        return table.row.channel_id
    return table.settings(surface.person).dm_channel or DM + surface.person
