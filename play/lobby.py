"""Joining and leaving: the lobby and the start of the match, spectators, and moves to another
channel.

A table whose channel is lost is parked until it is moved. Anyone who has a place at the table and
has not resigned may move it, not just the host, because the channel is lost for all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from data.store.marks import person_mark
from data.store.rows import MemberRow, Status
from games.engine import BadSetup, Game, Match, Setup
from games.fairness import lucky_word, seed_of
from games.house import STARTER
from games.players import levels_of
from games.records import seats_by_lot
from play.aggregate import Command
from play.clock import pace_in
from play.ending import ended
from play.moves import with_steps
from play.table import (
    HINTS,
    NO_LIMIT,
    PACE,
    PLAYERS,
    SEATING,
    STRICT,
    UNHEARD,
    USUAL_PACE,
    Arrival,
    PersonCommand,
    Refused,
    RefusedByRules,
    Table,
    engine_options,
    refuse_if,
    swapped,
)
from play.together import may_sit_down

SEATINGS = ("lot", "joined")

COMPUTER_NAMES = (
    *("Merlin", "Morgana", "Gawain", "Nimue", "Parzival"),
    *("Enid", "Iwein", "Laudine", "Tristan", "Viviane"),
)
"""Names of computer players, in order of joining a table. There are more names than seats, in case
people already have some of them.
"""


@dataclass(frozen=True, slots=True)
class Join(Arrival):
    """Join a table that has not started, or accept a rematch there. Once everyone who was asked has
    accepted a rematch, and every seat is taken, the lots are drawn.
    """

    name: str

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``barred``, ``rematch_waits``, ``already_member``, ``table_full``, or
        whatever ``Table.require_gathering`` raises.
        """
        table.require_gathering()
        refuse_if(not may_sit_down(table, self.person_id), "barred")
        if self.person_id in table.asked:
            return self._accepted(table, now)
        member = table.member_of(self.person_id)
        refuse_if(member is not None and table.asked, "rematch_waits", **_waiting(table))
        refuse_if(member is not None, "already_member")
        joined = _with_newcomer(table, now, self.person_id, self.name, None)
        return replace(joined, people=self.people_with(table))

    def _accepted(self, table: Table, now: datetime) -> Table:
        member = table.member(self.person_id)
        members = swapped(table.members, member, name=self.name)
        people = self.people_with(table)
        accepted = table.add(
            "join", now, None, self.person_id, str(member.number), members=members, people=people
        )
        if accepted.asked or len(members) != table.row.wanted_players:
            return accepted
        try:
            return _drawing(accepted, now)
        except Refused:  # the rules have changed since; pressing Start says what is wrong
            return accepted


@dataclass(frozen=True, slots=True)
class AddComputer(PersonCommand):
    """Let a computer player join."""

    level: str

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``not_a_member``, ``no_such_level``, ``table_full``, or whatever
        ``Table.require_gathering`` raises.
        """
        table.require_gathering()
        table.member(self.person_id)
        refuse_if(self.level not in computer_levels(table), "no_such_level")
        name = free_name(COMPUTER_NAMES, [member.name for member in table.members])
        return _with_newcomer(table, now, None, name, self.level)


@dataclass(frozen=True, slots=True)
class RemoveComputer(PersonCommand):
    """Remove the computer player that joined last."""

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``not_a_member``, ``no_computer``, or whatever
        ``Table.require_gathering`` raises.
        """
        table.require_gathering()
        table.member(self.person_id)
        computers = [m for m in table.members if m.person_id is None]
        refuse_if(not computers, "no_computer")
        return vacated(table, computers[-1], "leave", now)


@dataclass(frozen=True, slots=True)
class Leave(PersonCommand):
    """Leave before the start. If the host leaves, the table closes; if someone else leaves while
    the lots are being drawn, the drawing is cancelled.

    :param sure: whether the host has confirmed this although others are at the table.
    """

    sure: bool = False

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``match_runs``, ``not_in_lobby``, ``not_a_member``, ``not_sure``."""
        refuse_if(table.running and table.seat_of(self.person_id) is not None, "match_runs")
        table.require_lobby()
        member = table.member(self.person_id)
        if self.person_id == table.row.host_id:
            refuse_if(table.others(self.person_id) and not self.sure, "not_sure")
            return ended(table, {"how": "cancelled"}, now, self.person_id)
        return vacated(table, member, "leave", now)


@dataclass(frozen=True, slots=True)
class SendAway(PersonCommand):
    """Send the member with this number away from the lobby; a person who was sent away may not join
    again.
    """

    number: int

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``only_host``, ``no_such_member``, ``host_stays``, or whatever
        ``Table.require_gathering`` raises.
        """
        table.require_gathering()
        refuse_if(self.person_id != table.row.host_id, "only_host")
        member = next((m for m in table.members if m.number == self.number), None)
        if member is None:
            raise Refused("no_such_member")
        refuse_if(member.person_id == self.person_id, "host_stays")
        after = vacated(table, member, "away", now)
        if member.person_id is None:
            return after
        mark = person_mark(table.row.code, member.person_id)
        return replace(after, barred=after.barred | {mark})


@dataclass(frozen=True, slots=True)
class GiveWord(PersonCommand):
    """Set the member's lucky word, which goes into the draw; an empty word removes it."""

    text: str

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``not_a_member``, or whatever ``Table.require_gathering`` raises."""
        table.require_gathering()
        member = table.member(self.person_id)
        word = lucky_word(self.text)
        if word == member.word:
            return table
        members = swapped(table.members, member, word=word)
        return table.add("word", now, None, self.person_id, word, members=members)


@dataclass(frozen=True, slots=True)
class Invite(PersonCommand):
    """Invite somebody to join. Each invitation is announced to them once.

    :param heard: whether the guest gets the invitation. A guest who has blocked the inviting person
        does not get it, and the inviting person is not told.
    """

    guest: int
    heard: bool = True

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``not_a_member``, ``sits_already``, ``was_sent_away``,
        ``invited_already``, ``table_full``, or whatever ``Table.require_gathering`` raises.
        """
        table.require_gathering()
        host = table.member(self.person_id)
        refuse_if(table.member_of(self.guest) is not None, "sits_already")
        refuse_if(table.bars(self.guest), "was_sent_away")
        asked = (line.person_id for line in table.journal if line.kind == "invite")
        refuse_if(self.guest in asked, "invited_already")
        _require_chair(table)
        text = f"{host.number}{'' if self.heard else UNHEARD}"
        return table.add("invite", now, None, self.guest, text)


@dataclass(frozen=True, slots=True)
class ChangeOptions(PersonCommand):
    """Change the options of a table before it starts; everyone sees the change.

    :param changes: options of the game and shared ones, and ``PLAYERS``, by key; None restores the
        default.
    """

    changes: Mapping[str, Any]

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``only_host``, or whatever ``Table.require_gathering`` or
        ``with_options`` raises.
        """
        table.require_gathering()
        refuse_if(self.person_id != table.row.host_id, "only_host")
        options, players = with_options(table, self.changes)
        before = {**said(table.game, table.row.options), PLAYERS: table.row.wanted_players}
        after = {**options, PLAYERS: players}
        changed = {k: after.get(k) for k in {**before, **after} if before.get(k) != after.get(k)}
        if not changed:
            return table
        text = json.dumps(dict(sorted(changed.items())))
        return table.changed(options=options, wanted_players=players).add(
            "options", now, None, self.person_id, text
        )


def with_options(table: Table, changes: Mapping[str, Any]) -> tuple[dict[str, Any], int | None]:
    """Return the options of a table in its lobby after ``changes``, except those at their defaults,
    and the number of players.

    :raises Refused: ``too_few_seats``, or whatever ``check_options`` raises.
    """
    given = {**table.row.options, **changes}
    players = given.pop(PLAYERS, table.row.wanted_players)
    options = said(table.game, given)
    present = len(table.members)
    refuse_if(players is not None and players < present, "too_few_seats", present=present)
    check_options(table.game, options, players, present)
    return options, players


def chosen_pace(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a new table. If they name neither a pace nor ``NO_LIMIT``, add the
    usual pace.
    """
    chosen = {PACE: USUAL_PACE, **options}
    return {key: value for key, value in chosen.items() if (key, value) != (PACE, NO_LIMIT)}


def several_play(table: Table) -> bool:
    """Return whether a pace matters: it does not for one person who plays alone or against computer
    players.
    """
    computers = any(member.person_id is None for member in table.members)
    return len(table.persons) > 1 or not (computers or table.row.wanted_players == 1)


def said(game: Game[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the game's options and the shared options, except those at their defaults.

    :param options: a value of None means the default.
    """
    unsaid = {option.key: option.default for option in game.info.options if not option.default_for}
    unsaid |= {SEATING: SEATINGS[0], HINTS: True, STRICT: False}
    return {k: v for k, v in options.items() if v is not None and unsaid.get(k) != v}


@dataclass(frozen=True, slots=True)
class Start(PersonCommand):
    """Begin to draw the lots. From then on nobody can join, and leaving cancels the drawing. The
    match begins as soon as the message that decides the lots is posted.
    """

    def effect(self, table: Table, now: datetime) -> Table:
        """Return the table with the drawing begun; unchanged while lots are being drawn, so that a
        failed drawing can be tried again.

        :raises Refused: ``not_in_lobby``, ``only_host``, ``rematch_waits``, ``player_count``.
        :raises RefusedByRules: options that this number of players does not allow.
        """
        table.require_lobby()
        refuse_if(self.person_id != table.row.host_id, "only_host")
        refuse_if(table.asked, "rematch_waits", **_waiting(table))
        return _drawing(table, now, self.person_id)


@dataclass(frozen=True, slots=True)
class Begin(Command[Table]):
    """Begin to draw the lots at a table that an occasion has opened. If it cannot start, for
    example because one of its players has left, it closes.
    """

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``not_in_lobby``."""
        table.require_lobby()
        try:
            return _drawing(table, now)
        except Refused:
            return ended(table, {"how": "cancelled"}, now)


@dataclass(frozen=True, slots=True)
class DrawLots(Command[Table]):
    """Begin the match: draw the seats, then everything that chance decides before the first move.

    :param drawing: the journal line that began the drawing.
    :param message_id: the id of the message that was posted for it.
    """

    drawing: int
    message_id: int

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``not_in_lobby``, ``player_count``; ``stale``: the drawing was
            cancelled.
        :raises RefusedByRules: options that this number of players does not allow.
        """
        table.require_lobby()
        refuse_if(table.drawing != self.drawing, "stale")
        words = [member.word for member in table.members]
        setup = _setup(table, seed_of(table.row.secret, self.message_id, words))
        seating = _seat_order(table, setup.seed)
        members = {member.number: member for member in table.members}
        match, steps = Match(table.game, setup).advanced()
        begun = table.changed(
            members=tuple(replace(members[n], seat=seat) for seat, n in enumerate(seating)),
            begun=table.revision + 1,
            status=Status.RUNNING,
            rules=table.game.info.rules,
            options={**_options_at_start(table), **setup.options},
            players=setup.players,
            seed=setup.seed,
        )
        text = json.dumps({"seating": seating, "message": self.message_id})
        begun = begun.add("start", now, text=text)
        return with_steps(begun, match, steps, now, None)


# ------------------------------------------------------------------- spectators and channels
@dataclass(frozen=True, slots=True)
class Follow(Arrival):
    """Follow a table; following it again changes nothing."""

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``table_over``, ``member_follows``."""
        refuse_if(table.over, "table_over")
        member = table.member_of(self.person_id)
        refuse_if(member is not None and not member.resigned, "member_follows")
        if self.person_id in table.followers:
            return table
        followers, people = table.followers | {self.person_id}, self.people_with(table)
        return table.add(
            "follow", now, person_id=self.person_id, followers=followers, people=people
        )


@dataclass(frozen=True, slots=True)
class Unfollow(PersonCommand):
    """Stop following a table."""

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``not_following``."""
        refuse_if(self.person_id not in table.followers, "not_following")
        followers = table.followers - {self.person_id}
        return table.add("unfollow", now, person_id=self.person_id, followers=followers)


@dataclass(frozen=True, slots=True)
class Mute(PersonCommand):
    """Mute a table for a person, or unmute it."""

    wanted: bool

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``table_over``, ``nothing_to_mute``."""
        refuse_if(table.over, "table_over")
        concerned = table.member_of(self.person_id) or self.person_id in table.followers
        refuse_if(not concerned, "nothing_to_mute")
        if (self.person_id in table.muted) == self.wanted:
            return table
        muted = table.muted ^ {self.person_id}
        return table.add("mute", now, None, self.person_id, muted=muted)


@dataclass(frozen=True, slots=True)
class Park(Command[Table]):
    """Park a table whose channel is lost.

    :param channel_id: the channel; a table that has been moved since is left alone.
    """

    channel_id: int

    def effect(self, table: Table, now: datetime) -> Table:
        """Return the table parked; unchanged if it is over, already parked, in another channel, or
        in a chat, which the bot cannot see.
        """
        open_here = table.row.status in (Status.LOBBY, Status.RUNNING) and not table.chat
        if not open_here or table.row.channel_id != self.channel_id:
            return table
        return table.add("park", now, status=Status.PARKED, moved_at=now)


@dataclass(frozen=True, slots=True)
class Unpark(Command[Table]):
    """Continue a parked table in its channel, which has been found again.

    :param channel_id: the channel; a table that has been moved since is left alone.
    """

    channel_id: int

    def effect(self, table: Table, now: datetime) -> Table:
        """Return the table with its status restored; unchanged if it is not parked, or is in
        another channel.
        """
        if table.row.status is not Status.PARKED or table.row.channel_id != self.channel_id:
            return table
        return table.add("unpark", now, status=_unparked(table))


@dataclass(frozen=True, slots=True)
class MoveHere(PersonCommand):
    """Continue a parked table in another channel, whether it is in its lobby or running.

    :param chat: see ``Table.chat``.
    """

    channel_id: int
    guild_id: int | None
    chat: str = ""

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``not_a_member``, ``resigned``, ``not_parked``."""
        refuse_if(table.member(self.person_id).resigned, "resigned")
        refuse_if(table.row.status is not Status.PARKED, "not_parked")
        where = {"channel_id": self.channel_id, "guild_id": self.guild_id}
        moved = table.changed(status=_unparked(table), **where)
        moved = moved.changed(home_id=None)
        return moved.add("unpark", now, person_id=self.person_id, text=self.chat)


# --------------------------------------------------------------------------------- inside
def _unparked(table: Table) -> Status:
    """Return the status of a parked table once it has a channel."""
    return Status.RUNNING if table.started else Status.LOBBY


def check_options(
    game: Game[Any], options: Mapping[str, Any], players: int | None, present: int = 0
) -> None:
    """Refuse invalid options when they are chosen, not weeks later at the start.

    :param players: the number the host asked for; None: it is enough if the match could start with
        one of the numbers that the game allows.
    :param present: how many are at the table already.
    :raises Refused: ``seating``, or whatever ``read_pace`` raises.
    :raises RefusedByRules: with these options, the match could not start with any allowed number of
        players.
    """
    pace_in(options)
    seating = options.get(SEATING, SEATINGS[0])
    refuse_if(seating not in SEATINGS, "seating", value=seating)
    counts = game.info.players if players is None else (players,)
    counts = tuple(count for count in counts if count >= present) or counts
    refusals = []
    for count in counts:
        try:
            game.setup(count, engine_options(options))
        except BadSetup as refusal:
            refusals.append(refusal)
    if len(refusals) == len(counts):
        raise RefusedByRules(refusals[0], game.info.id)


def _options_at_start(table: Table) -> dict[str, Any]:
    """Return the options of a table, without a pace if only one person plays."""
    needless = {PACE, STRICT} if len(table.persons) < 2 else set[str]()
    return {key: value for key, value in table.row.options.items() if key not in needless}


def computer_levels(table: Table) -> list[str]:
    """Return the levels of computer players that may join a table, the weakest first."""
    return levels_of(table.row.game, grandmasters=table.server.grandmasters)


def free_name(names: Iterable[str], taken: Iterable[str]) -> str:
    """Return the first of the names that nobody has, regardless of case."""
    present = {name.casefold() for name in taken}
    return next(name for name in names if name.casefold() not in present)


def _with_newcomer(
    table: Table, now: datetime, person_id: int | None, name: str, level: str | None
) -> Table:
    _require_chair(table)
    given = {int(line.text) for line in table.journal if line.kind == "join"}
    number = 1 + max(given | {member.number for member in table.members}, default=-1)
    newcomer = MemberRow(number, person_id, name, level)
    members = (*table.members, newcomer)
    return table.add("join", now, None, person_id, str(number), members=members)


def _drawing(table: Table, now: datetime, person_id: int | None = None) -> Table:
    """Return the table with the drawing of lots begun; the same value if they are already being
    drawn.

    :raises Refused: ``player_count``.
    :raises RefusedByRules: options that this number of players does not allow.
    """
    if table.drawing:
        return table
    _setup(table, seed="")
    return table.add("lots", now, person_id=person_id)


def _require_chair(table: Table) -> None:
    limit = table.row.wanted_players or max(table.game.info.players)
    refuse_if(len(table.members) >= limit, "table_full", limit=limit)


def vacated(table: Table, member: MemberRow, kind: str, now: datetime) -> Table:
    """Return the lobby without a member. A rematch is then open to any number of players that the
    game allows, and a lot decides who begins.

    :param kind: the kind of the journal line.
    """
    members = tuple(other for other in table.members if other.number != member.number)
    after = table.add(kind, now, None, member.person_id, str(member.number), members=members)
    if not table.rematch_of:
        return after
    options = {key: value for key, value in table.row.options.items() if key != STARTER}
    return after.changed(wanted_players=None, options=options)


def _waiting(table: Table) -> dict[str, Any]:
    """Return the names of the people who still have to answer whether they want a rematch, and
    their deadline.
    """
    names = [m.name for m in table.members if m.person_id in table.asked]
    return {"names": names, "until": table.asked_until}


def _setup(table: Table, seed: str) -> Setup:
    wanted, present = table.row.wanted_players, len(table.members)
    allowed = table.game.info.players if wanted is None else (wanted,)
    refuse_if(present not in allowed, "player_count", present=present, allowed=allowed)
    try:
        return table.game.setup(present, engine_options(table.row.options), seed)
    except BadSetup as error:
        raise RefusedByRules(error, table.row.game) from error


def _seat_order(table: Table, seed: str) -> Sequence[int]:
    """Return member numbers in order of seats: by lot, verifiably from the seed, or in order of
    joining.
    """
    numbers = [member.number for member in table.members]
    if table.row.options.get(SEATING) == "joined":
        return numbers
    return [numbers[n] for n in seats_by_lot(seed, len(numbers))]
