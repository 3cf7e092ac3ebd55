"""A table as one value, with the match that results from its journal."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import Any, Self, TypeVar

from data.store.marks import person_mark
from data.store.rows import (
    Line,
    MemberRow,
    OfferRow,
    PersonRow,
    ServerRow,
    Status,
    Stored,
    TableRow,
    TurnRow,
    VoteRow,
)
from games import GAMES
from games.absent import NO_GAME
from games.engine import CHANCE, EngineError, Fact, Game, IllegalMove, Match, Move, Step, View
from games.fairness import sealed
from play.aggregate import Aggregate, Command
from play.lines import TABLE_LINES, require_kind

R = TypeVar("R", MemberRow, TurnRow, VoteRow)

HINTS = "advice"
"""An option of every game: players may ask for hints. Its key is ``advice``, because one game has
an option of its own called ``hints``.
"""

PACE = "pace"
"""An option of every game: how much time people have. Without it, there is no limit."""

USUAL_PACE = "2d"
"""The pace of a new table whose host has not chosen one."""

NO_LIMIT = "none"
"""The value of ``PACE`` that asks for no limit; the options of the table then have no pace."""

STRICT = "strict"
"""An option of every game: the bot acts without asking when time is up."""

SEATING = "seating"
"""An option of every game: seats are drawn by lot, or taken in order of joining."""

HOUSE_OPTIONS = frozenset({SEATING, PACE, STRICT, HINTS})
"""The options that every game has and that its rules ignore."""

PLAYERS = "players"
"""The key under which options contain the number of players; its value None means any number that
the game allows.
"""

CALLS_REMEMBERED = 4096
"""How many calls are kept parsed. All calls of a table are needed again after each change to it."""

UNHEARD = " unheard"
"""Marks, at the end of a line's text, an invitation of which the guest is not notified."""

REMATCH_PATIENCE = timedelta(days=2)
"""How long a rematch keeps seats for people who have not answered."""

TAIL = 64
"""How many of the latest events keep their facts in memory; those of older events are computed
again when needed.
"""

ENDING_ACTS = frozenset({"move", "resign", "answer", "end", "close"})
"""The kinds of journal lines that can end a table."""

OVER = frozenset({Status.FINISHED, Status.ENDED})


class Refused(Exception):  # noqa: N818 - an answer, not an error
    """The command is not possible, and nothing was changed.

    ``code`` is a stable key into the catalogue of refusals; ``data`` holds the values for its text.
    """

    def __init__(self, code: str, /, **data: Any) -> None:
        super().__init__(code)
        self.code = code
        self.data: dict[str, Any] = data


def refuse_if(condition: object, code: str, /, **data: Any) -> None:
    """Raise ``Refused`` with the given code and data if the condition holds."""
    if condition:
        raise Refused(code, **data)


class RefusedByRules(Refused):
    """The rules of a game forbid the move or the options.

    :param names: the names by seat, for the text that explains the refusal; empty before the start.
    :param legal: the moves that are legal instead; empty if the refusal is not about a move.
    """

    def __init__(
        self, error: EngineError, game: str, names: Sequence[str] = (), legal: Sequence[Move] = ()
    ) -> None:
        super().__init__(error.code, **error.data)
        self.game = game
        self.names = tuple(names)
        self.legal = tuple(legal)


@dataclass(frozen=True, slots=True)
class Told:
    """An event of the match with its facts.

    :param line: the number of its journal line.
    :param seen: the move as spectators saw it; None if they did not.
    :param facts: all of them, including secret ones.
    """

    line: int
    seat: int
    move: Move = field(repr=False)
    seen: Move | None
    facts: tuple[Fact, ...]

    def known(self, viewer: int | None, over: bool) -> list[Fact]:
        """Return the facts that ``viewer`` (None: a spectator) may know."""
        return [fact for fact in self.facts if over or fact.known_to(viewer)]


@dataclass(frozen=True, slots=True)
class Call:
    """A journal line that notified people of their turn.

    :param line: its number in the journal.
    :param table: seats that were mentioned at the table.
    :param dm: seats that were notified by direct message.
    :param reminds: whether it repeats an earlier call.
    """

    line: int
    table: tuple[int, ...]
    dm: tuple[int, ...]
    reminds: bool = False

    @property
    def seats(self) -> tuple[int, ...]:
        """All seats that were notified."""
        return tuple(sorted((*self.table, *self.dm)))


@lru_cache(maxsize=CALLS_REMEMBERED)
def _called(line: int, text: str) -> Call:
    told = json.loads(text)
    return Call(line, tuple(told["table"]), tuple(told["dm"]))


@dataclass(frozen=True)
class Table(Stored, Aggregate):
    """A table at one moment. Values are shared and never changed, including ``match``.

    Members are in seat order once the match has started; before that, in order of joining.

    :param people: the settings of members and followers, by id.
    :param match: the match folded from the journal; None if it has not started, or cannot be folded
        (see ``unreadable``).
    :param lines: for each event of the match, the number of its journal line.
    :param begun: the number of the line that started the match.
    :param reopened: for each seat, the line of the last undo that reopened its decision.
    :param tail: the last events with their facts, at most ``TAIL``.
    :param unreadable: why a started table has no match, as the code of a refusal.
    """

    people: Mapping[int, PersonRow] = field(default_factory=dict)
    server: ServerRow = field(default_factory=lambda: ServerRow(0))
    match: Match[Any] | None = None
    lines: tuple[int, ...] = ()
    begun: int = 0
    reopened: Mapping[int, int] = field(default_factory=dict)
    tail: tuple[Told, ...] = ()
    unreadable: str = ""

    # -- what it is
    @property
    def name(self) -> str:
        """A name unique among all aggregates: the names of occasions begin with a letter."""
        return str(self.row.id)

    @property
    def unplaced(self) -> bool:
        """Whether its channel is gone, so that it cannot be shown."""
        return self.row.status is Status.PARKED

    @property
    def gathering(self) -> bool:
        """Whether the table is a lobby, where people can join."""
        return self.row.status is Status.LOBBY

    @property
    def waits_for_message(self) -> bool:
        """Whether it is waiting for the message from which the lots are drawn."""
        return bool(self.drawing)

    @cached_property
    def chat(self) -> str:
        """The first part of links to the table if, in its channel, the bot can only respond to
        interactions: ``@me`` in private chats, otherwise the server's id; empty if the bot can
        post.
        """
        last = self.last_line("open", "unpark")
        return "" if last is None else last.text

    @property
    def home_id(self) -> int | None:
        """The channel in which it was requested, if it has a thread of its own."""
        return self.row.home_id

    @property
    def direct(self) -> bool:
        """Whether it is played in direct messages: its channel is one person's direct messages, and
        everyone else at the table gets copies.
        """
        return self.row.guild_id is None and not self.chat

    @property
    def game(self) -> Game[Any]:
        """The rules played here."""
        return GAMES[self.row.game]

    @property
    def damaged(self) -> bool:
        """Whether its rows do not fit its seats, so that it cannot be shown: they refer to seats
        that do not exist, or a seat has no member.
        """
        rows: list[VoteRow | TurnRow | OfferRow] = [*self.votes, *self.turns, *self.offers]
        named = {row.seat for row in rows} - {None}
        if self.row.players is None:
            return bool(rows)
        seats = set(range(self.row.players))
        return {member.seat for member in self.members} != seats or not named <= seats

    @property
    def started(self) -> bool:
        """Whether it has a match, running or over."""
        return self.row.players is not None

    @property
    def running(self) -> bool:
        """Whether its match has begun and is neither over nor parked."""
        return self.row.status is Status.RUNNING

    @property
    def over(self) -> bool:
        """Whether no further move can ever be made, so that nothing has to remain secret."""
        return self.row.status in OVER

    @property
    def names(self) -> tuple[str, ...]:
        """Everyone's name, by seat."""
        return tuple(member.name for member in self.members)

    @property
    def computers(self) -> frozenset[int]:
        """The seats that computer players play."""
        return frozenset(m.seat for m in self.members if m.level and m.seat is not None)

    @property
    def gives_hints(self) -> bool:
        """Whether players may ask for hints."""
        return bool(self.row.options.get(HINTS, True))

    # -- a rematch
    @cached_property
    def rematch_of(self) -> str:
        """The code of the match of which this is a rematch; empty if it is not one."""
        return str(self._rematch.get("of", ""))

    @cached_property
    def _rematch(self) -> Mapping[str, Any]:
        second = self.journal[1] if len(self.journal) > 1 else None
        return json.loads(second.text) if second is not None and second.kind == "rematch" else {}

    def asked_by_dm(self, person_id: int) -> bool:
        """Return whether a person is asked for the rematch by direct message rather than in the
        lobby.
        """
        return self.member(person_id).number in self._rematch["dm"]

    @cached_property
    def asked(self) -> tuple[int, ...]:
        """The people who have not yet answered whether they want a rematch; their seats are kept
        until ``asked_until``.
        """
        if not self.rematch_of or self.started or self.over:
            return ()
        answered = {line.person_id for line in self.journal if line.kind == "join"}
        answered |= {None, self.row.host_id}
        people = (member.person_id for member in self.members)
        return tuple(p for p in people if p is not None and p not in answered)

    @property
    def asked_until(self) -> datetime:
        """The deadline for answers; after it, the seats of people who have not answered become
        free.
        """
        return self.row.created_at + REMATCH_PATIENCE

    # -- the lots
    @property
    def seal(self) -> str:
        """The SHA-256 that commits the bot to its secret without revealing it."""
        return sealed(self.row.secret)

    @cached_property
    def drawing(self) -> int:
        """The number of the line that began the drawing of lots, while its message is awaited;
        otherwise 0. If someone leaves in the meantime, the table returns to its lobby.
        """
        if self.started or self.over:
            return 0
        last = self.last_line("lots", "leave")
        return last.number if last is not None and last.kind == "lots" else 0

    @property
    def drawn_by(self) -> int:
        """The id of the message from which the lots were drawn; 0 before the start."""
        start = self.last_line("start")
        return 0 if start is None else int(json.loads(start.text).get("message", 0))

    # -- the match
    @property
    def played(self) -> Match[Any]:
        """The match.

        :raises Refused: ``not_started``, or the code in ``unreadable``.
        """
        refuse_if(self.unreadable, self.unreadable, code=f"`{self.row.code}`")
        if self.match is None:
            raise Refused("not_started")
        return self.match

    @cached_property
    def public_view(self) -> View:
        """A spectator's view of the match.

        :raises Refused: whatever ``played`` raises.
        """
        return self.played.view(None)

    def legal(self, seat: int) -> list[Move]:
        """Return the legal moves of a seat that owes a decision.

        :raises Refused: whatever ``played`` raises.
        """
        return self.game.legal(self.played.state, seat)

    @property
    def position(self) -> int:
        """The number of the line that led to the position; it identifies the position among all
        those of the table.
        """
        undone = max(self.reopened.values(), default=0)
        return max(self.lines[-1] if self.lines else self.begun, undone)

    def decision(self, seat: int) -> int:
        """Return the line that opened the decision ``seat`` owes. It stays the same when an undo
        reopens the decision.
        """
        ply = self.played.opened(seat)
        return self.lines[ply - 1] if ply else self.begun

    def opened(self, seat: int) -> int:
        """Return the oldest revision whose buttons and menus still work for the decision that
        ``seat`` owes.
        """
        return max(self.decision(seat), self.reopened.get(seat, 0))

    @cached_property
    def sealed_choices(self) -> tuple[Told, ...]:
        """The last events, if they are choices that stay hidden from others until everyone who
        chooses at the same time has chosen.
        """
        if not self.running:
            return ()
        count = self.played.choosing_since
        since = self.told_since(self.lines[count - 1] if count else self.begun)
        return since if all(told.seen != told.move for told in since) else ()

    @property
    def covered(self) -> range:
        """The events that people may not look up, because the cards that they showed are now face
        down.
        """
        return self.game.covered(self.match.state) if self.match and self.running else range(0)

    def told_since(self, line: int) -> tuple[Told, ...]:
        """Return the events of the match after a journal line, except undone ones."""
        count = len(self.lines) - bisect_right(self.lines, line)
        if count <= len(self.tail):
            return self.tail[len(self.tail) - count :]
        match = self.played
        _, steps = Match.retrace(match.game, match.setup, match.log, tail=count)
        return told_of(steps, self.lines[-count:])

    def last_of(self, seat: int) -> int:
        """Return the journal line of a seat's last event; 0 if there is none."""
        events = zip(reversed(self.lines), reversed(self.played.log), strict=True)
        return next((line for line, event in events if event.seat == seat), 0)

    # -- who is awaited
    @property
    def awaited(self) -> tuple[int, ...]:
        """Seats that owe a decision, of both people and computer players."""
        if self.match is None or not self.running:
            return ()
        return tuple(seat for seat in self.match.actors if seat != CHANCE)

    @property
    def awaited_persons(self) -> tuple[int, ...]:
        """Seats of people that owe a decision."""
        return tuple(seat for seat in self.awaited if self.computer_at(seat) is None)

    @property
    def awaited_computers(self) -> tuple[int, ...]:
        """Seats for which a computer player has to decide now: its own, and those where it plays a
        turn for a person.
        """
        helped = {turn.seat for turn in self.clocks.values() if turn.helped}
        return tuple(
            seat for seat in self.awaited if seat in helped or self.computer_at(seat) is not None
        )

    @cached_property
    def clocks(self) -> Mapping[int, TurnRow]:
        """The running clocks, by seat."""
        return {turn.seat: turn for turn in self.turns if turn.time_left is None}

    def until(self, seat: int) -> datetime | None:
        """Return when the time of a seat is up; None: there is no limit, or a computer player makes
        this move for the person.
        """
        turn = self.clocks.get(seat)
        return None if turn is None or turn.helped or not turn.budget else turn.ends_at

    @property
    def choosers(self) -> tuple[int, ...]:
        """Seats of the people who are deciding: they owe a decision, or have made one that stays
        sealed until everyone has decided.
        """
        seats = {*self.awaited, *(told.seat for told in self.sealed_choices)}
        return tuple(seat for seat in sorted(seats) if self.computer_at(seat) is None)

    # -- calls: who was notified of their turn, and where
    def calls(self) -> Iterator[Call]:
        """Return every call and reminder, the latest first."""
        return iter(self._calls)

    @cached_property
    def _calls(self) -> tuple[Call, ...]:
        if self.unreadable == "unreadable":
            return ()  # the unreadable line may be a call
        found = []
        for line in reversed(self.journal):
            if line.kind == "call":
                found.append(_called(line.number, line.text))
            elif line.kind == "remind" and line.seat is not None:
                by_dm = bool(json.loads(line.text)["dm"])
                table, direct = ((), (line.seat,)) if by_dm else ((line.seat,), ())
                found.append(Call(line.number, table, direct, reminds=True))
        return tuple(found)

    def call_of(self, seat: int) -> Call | None:
        """Return the latest call of a seat; None if there was none."""
        return next((call for call in self.calls() if seat in call.seats), None)

    def prefers_dm(self, person_id: int) -> bool:
        """Return whether a person is notified by direct message rather than by a mention at the
        table.

        By default that is so in games with hidden hands. It is never so if the person cannot be
        reached, at a table in direct messages, whose boards notify people, or in a chat, where a
        message does. Reminders in a chat ignore this.
        """
        person = self.settings(person_id)
        if self.guild_id is None or self.chat or person.dm_closed:
            return False
        return self.game.info.hidden if person.call_at is None else person.call_at == "dm"

    def by_dm_last(self, seat: int) -> bool:
        """Return whether a seat's last call was a direct message, or its first one would be."""
        call = None if self.chat else self.call_of(seat)  # in a chat, only reminders are DMs
        if call is None:
            return self.prefers_dm(self.members[seat].person_id or 0)
        return seat in call.dm

    @property
    def ended_by(self) -> int | None:
        """The person whose act ended the table; None if nobody's did, or if it is not over."""
        end = self.last_line("finish", "end", "close")
        acts = [
            line
            for line in self.journal
            if line.kind in ENDING_ACTS and end is not None and line.at == end.at
        ]
        # A planned move does not count as an act of its owner. What counts is the act that led to
        # it: an interaction, or a move of a computer player.
        real = [
            line
            for line in acts
            if line.interaction_id is not None or (line.kind == "move" and line.person_id is None)
        ]
        last = next(reversed(real or acts), None)
        return None if last is None else last.person_id

    @cached_property
    def last_account(self) -> int:
        """The number of the latest line that ended a hand or round and was not undone; 0 if there
        is none.
        """
        for line in reversed(self.journal if self.game.info.accounts else ()):
            number = int(line.text) if line.kind == "account" and line.text.isdecimal() else 0
            if number and number in self.lines:
                return number
        return 0

    # -- people
    @property
    def persons(self) -> tuple[int, ...]:
        """Everyone who plays in person, except people with negative ids, whose data was deleted."""
        people = ((m.person_id or 0) for m in self.members if m.level is None)
        return tuple(person for person in people if person > 0)

    def others(self, person_id: int) -> tuple[int, ...]:
        """Return everyone else who plays in person: those who may have to agree."""
        return tuple(person for person in self.persons if person != person_id)

    def member_of(self, person_id: int) -> MemberRow | None:
        """Return the person's row, even while a computer player moves for them; None: not a
        member.
        """
        return next((m for m in self.members if m.person_id == person_id), None)

    def offer_to(self, person_id: int) -> OfferRow | None:
        """Return an offer of a seat to the person, or to anyone; None if there is none."""
        return next((o for o in self.offers if o.person_id in (None, person_id)), None)

    def seat_of(self, person_id: int) -> int | None:
        """Return the seat for which the person may move; None if there is none."""
        member = self.member_of(person_id)
        return None if member is None or member.level is not None else member.seat

    def computer_at(self, seat: int) -> str | None:
        """Return the level of the computer player that moves for ``seat``; None if a person
        does.
        """
        return self.members[seat].level

    @cached_property
    def invitations(self) -> Mapping[int, Line]:
        """In the lobby, the line of the latest invitation to each person who was told of one and is
        not barred.
        """
        invited: dict[int, Line] = {}
        if self.row.status is Status.LOBBY:
            for line in self.journal:
                heard = line.kind == "invite" and not line.text.endswith(UNHEARD)
                if heard and line.person_id is not None:
                    invited[line.person_id] = line
        return {person: line for person, line in invited.items() if not self.bars(person)}

    def bars(self, person_id: int) -> bool:
        """Return whether the person may not join here."""
        return person_mark(self.row.code, person_id) in self.barred

    @property
    def hints(self) -> Mapping[int, int]:
        """How many hints each seat was given, at most one for each decision."""
        given = {(line.seat, line.text) for line in self.journal if line.kind == "hint"}
        return Counter(seat for seat, _ in given if seat is not None)

    # -- what must hold
    def member(self, person_id: int) -> MemberRow:
        """Return the person's row.

        :raises Refused: ``not_a_member``.
        """
        member = self.member_of(person_id)
        if member is None:
            raise Refused("not_a_member")
        return member

    def seat_to_move(self, person_id: int) -> int:
        """Return the seat the person may move for.

        :raises Refused: whatever ``require_running`` or ``own_seat`` raises.
        """
        self.require_running()
        return self.own_seat(person_id)

    def own_seat(self, person_id: int) -> int:
        """Return the seat the person may move for.

        :raises Refused: the code in ``unreadable``, or whatever ``held_seat`` raises.
        """
        refuse_if(self.unreadable, self.unreadable, code=f"`{self.row.code}`")
        return self.held_seat(person_id)

    def held_seat(self, person_id: int) -> int:
        """Return the seat of a person who plays, even if the match cannot be continued.

        :raises Refused: ``not_a_member``; ``not_started``: seats have not been assigned; ``away``:
            a computer player keeps the seat.
        """
        seat = self.seat_of(person_id)
        if seat is not None:
            return seat
        refuse_if(self.row.status is Status.LOBBY, "not_started")
        member = self.member(person_id)
        kept = member.level is not None and not member.resigned
        raise Refused("away" if kept else "not_a_member")

    def require_lobby(self) -> None:
        """:raises Refused: ``not_in_lobby``: it has started, is parked, or is closed."""
        refuse_if(self.row.status is not Status.LOBBY, "not_in_lobby")

    def require_gathering(self) -> None:
        """:raises Refused: ``not_in_lobby``; ``seats_are_given``: the table belongs to an occasion;
        ``no_game``: the game is not installed; ``drawing``: the table is about to start.
        """
        self.require_lobby()
        refuse_if(self.row.occasion_id is not None, "seats_are_given")
        refuse_if(self.row.game not in GAMES, NO_GAME)
        refuse_if(self.drawing, "drawing")

    def require_running(self) -> None:
        """:raises Refused: ``not_started``, ``parked``, ``table_over``."""
        refuse_if(self.row.status is Status.LOBBY, "not_started")
        refuse_if(self.row.status is Status.PARKED, "parked")
        refuse_if(not self.running, "table_over")

    # -- the next value
    def changed(self, **changes: Any) -> Self:
        """Return the table with new values for fields of its own or of its row."""
        own = {name: changes.pop(name) for name in list(changes) if name not in _ROW_FIELDS}
        return replace(self, row=replace(self.row, **changes), **own)

    def add(
        self,
        kind: str,
        at: datetime,
        seat: int | None = None,
        person_id: int | None = None,
        text: str = "",
        **changes: Any,
    ) -> Self:
        """Return the table with one more line in its journal.

        :param kind: one of ``TABLE_LINES``.
        :param changes: see ``changed``.
        """
        require_kind(kind, TABLE_LINES)
        line = Line(self.revision + 1, kind, seat, person_id, text, at.replace(microsecond=0))
        return self.changed(journal=(*self.journal, line), revision=line.number, **changes)


_ROW_FIELDS = frozenset(field.name for field in fields(TableRow))


@dataclass(frozen=True, slots=True)
class PersonCommand(Command[Table]):
    """A person's command to a table."""

    person_id: int


@dataclass(frozen=True, slots=True)
class Arrival(PersonCommand):
    """A command by which someone joins or follows a table. ``Tables`` fills in ``settings``."""

    settings: PersonRow | None = field(default=None, kw_only=True)

    def people_with(self, table: Table) -> dict[int, PersonRow]:
        """Return the settings of everyone at the table and of the person who gives the command."""
        person = self.person_id
        return {**table.people, person: self.settings or table.settings(person)}


def engine_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that the game's rules use, excluding those that every game has."""
    return {key: value for key, value in options.items() if key not in HOUSE_OPTIONS}


def swapped(rows: Iterable[R], old: R, **changes: Any) -> tuple[R, ...]:
    """Return rows of a table with one of them changed."""
    return tuple(replace(row, **changes) if row == old else row for row in rows)


def told_of(steps: Sequence[Step], lines: Sequence[int]) -> tuple[Told, ...]:
    """Return steps of a match, with the numbers of their journal lines."""
    return tuple(
        Told(line, step.event.seat, step.event.move, step.seen, step.facts)
        for step, line in zip(steps, lines, strict=True)
    )


def refused_move(error: EngineError, table: Table, seat: int) -> RefusedByRules:
    """Return the refusal of a move by the rules, with the moves that are legal instead."""
    illegal = isinstance(error, IllegalMove) and seat in table.played.actors
    legal = table.legal(seat) if illegal else ()
    return RefusedByRules(error, table.row.game, table.names, legal)


def stored_of(table: Stored) -> dict[str, Any]:
    """Return the stored part of a table, by field."""
    return {each.name: getattr(table, each.name) for each in fields(Stored)}
