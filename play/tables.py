"""The use cases of a table: open, join, start, move, resign, end.

Each returns what happened and posts nothing. A move travels like this: the table's lock is taken,
the engine judges it on a copy of the cached match, the events are stored in one transaction keyed
by (table, ply), and only then is the copy what everybody hears of: what is not stored did not
happen.
"""

from __future__ import annotations

import asyncio
import math
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from weakref import WeakValueDictionary

import structlog

from data.clocks import TurnRow
from data.store import ChannelTaken, MemberRow, Status, Store, TableFull, TableRow
from games import GAMES
from games.engine import (
    CHANCE,
    BadSetup,
    EngineError,
    Event,
    Game,
    Match,
    Outcome,
    Setup,
    Step,
)
from games.records import seats_by_lot
from play.clock import PACE, STRICT, pace_in
from play.table import HINTS, Played, Refused, RefusedByRules, Table, refused_move

log = structlog.get_logger()

MATCHES_KEPT = 256
"""Folded matches held in memory; any other is folded from its log in a millisecond or two."""

SEATING = "seating"
"""An option of every game: seats are drawn by lot, or taken in order of joining."""

SEATINGS = ("lot", "joined")

HOUSE_OPTIONS = frozenset({SEATING, PACE, STRICT, HINTS})
"""The options that all games share and no rule knows."""


class Tables:
    """Everything that people can do with tables."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        """:param clock: tells the present time, with its time zone."""
        self.store = store
        self.clock = clock
        self._matches: OrderedDict[int, tuple[int, Match[Any]]] = OrderedDict()
        self._unreadable: set[int] = set()
        """Tables whose log does not fold, once that is known: it is logged once."""
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    # -- looking
    async def get(self, table_id: int) -> Table:
        """The table as it stands.

        :raises NoSuchTable: there is none.
        """
        return await self._table(await self.store.table(table_id))

    async def in_channel(self, channel_id: int) -> Table:
        """The table of a channel or thread: the open one, else the last one played there.

        :raises Refused: ``no_table_here``.
        """
        row = await self.store.table_in(channel_id)
        if row is None:
            raise Refused("no_table_here")
        return await self._table(row)

    async def by_code(self, code: str) -> Table:
        """The table with a short code, as people type it.

        :raises NoSuchTable: there is none.
        """
        return await self._table(await self.store.table_by_code(code.strip().upper()))

    async def of_person(self, person_id: int) -> list[Table]:
        """The person's open tables, those that wait for the person first, by their deadlines."""
        tables = [await self._table(row) for row in await self.store.tables_of(person_id)]
        return sorted(tables, key=lambda table: _urgency(table, person_id))

    async def stood_in(self, table: Table) -> frozenset[int]:
        """The events, by their places in the log, that a computer player chose in a seat which
        goes by a person's name: because time was up, before the person came or after it left.
        """
        return frozenset(
            event.ply
            for event in await self.store.events(table.id)
            if event.seat != CHANCE
            and event.person_id is None
            and table.members[event.seat].person_id is not None
        )

    # -- the lobby
    async def open(
        self,
        game_id: str,
        *,
        guild_id: int | None,
        channel_id: int,
        host_id: int,
        host_name: str,
        language: str,
        options: Mapping[str, Any],
        wanted_players: int | None = None,
    ) -> Table:
        """Open a table in a channel; the host sits down first.

        :param options: as chosen; what is missing takes its default when the match starts.
        :raises Refused: ``channel_taken``, ``too_many_tables``, or a pace as in ``read_pace``.
        :raises RefusedByRules: options that no player count allows.
        """
        await self.check_opening(game_id, host_id, guild_id, options, wanted_players)
        try:
            row = await self.store.open_table(
                game=game_id,
                rules=GAMES[game_id].info.rules,
                guild_id=guild_id,
                channel_id=channel_id,
                host_id=host_id,
                host_name=host_name,
                language=language,
                options=dict(options),
                wanted_players=wanted_players,
                seed=secrets.token_hex(16),
                at=self.clock(),
            )
        except ChannelTaken as taken:
            raise Refused("channel_taken", code=taken.table.code) from None
        return await self._table(row)

    async def check_opening(
        self,
        game_id: str,
        host_id: int,
        guild_id: int | None,
        options: Mapping[str, Any],
        wanted_players: int | None,
    ) -> None:
        """Go on only if the person could open such a table, given a free channel.

        :raises Refused: ``too_many_tables``, ``seating``, or a pace as in ``read_pace``.
        :raises RefusedByRules: options that no player count allows.
        """
        check_options(GAMES[game_id], options, wanted_players)
        await self.require_room(host_id, guild_id)

    async def join(self, table_id: int, person_id: int, name: str) -> Table:
        """Sit down at a table that has not started.

        :raises Refused: ``table_full``, ``barred``, ``too_many_tables``.
        :raises Conflict: ``AlreadyMember``, ``NotInLobby``.
        """
        async with self.lock(table_id):
            table = await self.get(table_id)
            if await self.store.seats.is_barred(table_id, person_id):
                raise Refused("barred")
            if table.member_of(person_id) is None:
                await self.require_room(person_id, table.row.guild_id)
            return await self._sit_down(table, person_id, name, None)

    async def require_room(self, person_id: int, guild_id: int | None) -> None:
        """Go on only if the server lets the person play at one more table.

        :raises Refused: ``too_many_tables``.
        """
        if guild_id is None:
            return
        limit = (await self.store.server(guild_id)).tables_limit
        if limit is not None and await self.store.count_tables(person_id, guild_id) >= limit:
            raise Refused("too_many_tables", limit=limit)

    async def add_computer(self, table_id: int, by: int, names: Iterable[str], level: str) -> Table:
        """Let a computer player sit down.

        :param names: what it may be called: the first of them that nobody at the table has.
        :raises Refused: ``not_a_member``, ``table_full``.
        :raises Conflict: ``NotInLobby``.
        """
        async with self.lock(table_id):
            table = await self.get(table_id)
            if table.member_of(by) is None:
                raise Refused("not_a_member")
            name = free_name(names, [member.name for member in table.members])
            return await self._sit_down(table, None, name, level)

    async def remove_computer(self, table_id: int, by: int) -> Table:
        """Send the computer player that came last away.

        :raises Refused: ``not_a_member``, ``no_computer``, ``not_in_lobby``.
        """
        async with self.lock(table_id):
            table = await self.get(table_id)
            table.require_lobby()
            if table.member_of(by) is None:
                raise Refused("not_a_member")
            computers = [m for m in table.members if m.person_id is None]
            if not computers:
                raise Refused("no_computer")
            await self.store.remove_member(table_id, computers[-1].number)
            return await self.get(table_id)

    async def leave_lobby(self, table_id: int, person_id: int) -> Table:
        """Stand up before the start. When the host goes, the table closes.

        :raises Refused: ``not_a_member``, ``not_in_lobby``.
        """
        async with self.lock(table_id):
            table = await self.get(table_id)
            table.require_lobby()
            member = table.member_of(person_id)
            if member is None:
                raise Refused("not_a_member")
            if person_id == table.row.host_id:
                await self.store.end(table_id, Status.ENDED, {"how": "cancelled"}, self.clock())
            else:
                await self.store.remove_member(table_id, member.number)
            return await self.get(table_id)

    async def start(self, table_id: int, by: int, interaction_id: int | None = None) -> Table:
        """Begin the match: draw the seats, then whatever chance decides first.

        :raises Refused: ``only_host``, ``not_in_lobby``, ``player_count``.
        :raises RefusedByRules: options that this number of players does not allow.
        """
        async with self.lock(table_id):
            table = await self.get(table_id)
            table.require_lobby()
            if by != table.row.host_id:
                raise Refused("only_host")
            setup = self._setup(table)
            seating = seat_order(table.members, table.row.options, table.row.seed)
            match = Match(table.game, setup)
            steps = match.advance()
            await self.store.start(
                table_id,
                rules=table.game.info.rules,
                options={**table.row.options, **setup.options},
                players=setup.players,
                seating=seating,
                events=_stored(steps),
                at=self.clock(),
                interaction_id=interaction_id,
            )
            self._keep(table.row, match)
            return await self.get(table_id)

    # -- the match
    async def move(
        self,
        table_id: int,
        person_id: int,
        texts: Sequence[str],
        *,
        seen_ply: int | None = None,
        seen_undos: int = 0,
        interaction_id: int | None = None,
    ) -> Played:
        """Play one or more moves in a row for the person's seat, all or none.

        :param seen_ply: the ply of the position that the person looked at; None: any.
        :param seen_undos: how many undos that course of events had had.
        :param interaction_id: counts at most once, however often it is delivered.
        :raises Refused: ``not_a_member``, ``not_started``, ``table_over``.
        :raises RefusedByRules: naming the rule.
        :raises Conflict: ``AlreadyCounted``, or ``PlyTaken`` by another process.
        """
        async with self.lock(table_id):
            table = await self.get(table_id)
            seat = table.seat_to_move(person_id)
            if seen_ply is not None:
                _refuse_undone(table, seen_undos)
            return await self._play(table, seat, texts, seen_ply, person_id, interaction_id)

    async def move_for_computer(
        self, table_id: int, seat: int, text: str, seen_ply: int, seen_undos: int = 0
    ) -> Played:
        """Play what a computer player chose, if its seat still owes that decision.

        :raises Refused: ``not_a_computer``, ``table_over``.
        :raises RefusedByRules: the position has moved on, or the move is illegal.
        """
        async with self.lock(table_id):
            table = await self.get(table_id)
            table.require_running()
            if table.computer_at(seat) is None:
                raise Refused("not_a_computer")
            _refuse_undone(table, seen_undos)
            return await self._play(table, seat, [text], seen_ply, None, None)

    async def move_in_absence(
        self, table_id: int, person_id: int, text: str, seen_ply: int, seen_undos: int
    ) -> Played:
        """Play what a computer player chose in place of a person whose time is up.

        :raises Refused: ``not_a_member``, ``not_started``, ``table_over``, ``stale``.
        :raises RefusedByRules: the position has moved on, or the move is illegal.
        """
        async with self.lock(table_id):
            table = await self.get(table_id)
            seat = table.seat_to_move(person_id)
            _refuse_undone(table, seen_undos)
            return await self._play(table, seat, [text], seen_ply, None, None)

    async def resign(self, table_id: int, person_id: int, level: str) -> Table:
        """Give up.

        With two seats the other one wins. With more, a computer player finishes the match for the
        seat. Once no person is left, the table ends without a result.

        :param level: of the computer player that takes over.
        :raises Refused: ``not_a_member``, ``not_started``, ``table_over``.
        """
        async with self.lock(table_id):
            table = await self.get(table_id)
            table.require_running()
            member = table.member_of(person_id)
            if member is None or member.seat is None or member.level is not None:
                raise Refused("not_a_member")
            await self.store.resign(
                table_id, member.number, level, _over_by_resigning(table, member), self.clock()
            )
            return await self.get(table_id)

    async def end(self, table_id: int, by: int, may_manage: bool) -> Table:
        """Stop a table without a result, alone; how the players end theirs is in ``play.ending``.

        :param may_manage: the person may manage the server, and thus end anybody's table.
        :raises Refused: ``only_host``, ``not_a_member``, ``table_over``; ``others_play``, who have
            to be asked.
        """
        async with self.lock(table_id):
            table = await self.get(table_id)
            if table.row.status not in (Status.LOBBY, Status.RUNNING, Status.PARKED):
                raise Refused("table_over")
            if not may_manage:
                _refuse_to_end(table, by)
            await self.store.end(table_id, Status.ENDED, {"how": "ended"}, self.clock())
            return await self.get(table_id)

    # -- inside
    async def _table(self, row: TableRow) -> Table:
        members = await self.store.members(row.id)
        if row.players is None:
            return Table(row, tuple(members), None)
        seated = sorted(members, key=lambda m: -1 if m.seat is None else m.seat)
        try:
            match = (await self._match(row)).copy()
        except Refused as refusal:
            return Table(row, tuple(seated), None, unreadable=refusal.code)
        over = row.status in (Status.FINISHED, Status.ENDED)
        hints = await self.store.hints.of_table(row.id) if over else {}
        return Table(row, tuple(seated), match, await self._clocks(row, match), hints)

    async def _clocks(self, row: TableRow, match: Match[Any]) -> dict[int, TurnRow]:
        """The clocks that run for decisions which are still owed."""
        if not row.options.get(PACE) or row.status is not Status.RUNNING:
            return {}
        return {
            turn.seat: turn
            for turn in await self.store.clocks.open_turns(row.id)
            if turn.seat in match.actors and turn.ply == match.opened(turn.seat)
        }

    async def _match(self, row: TableRow) -> Match[Any]:
        undos, match = self._matches.get(row.id, (row.undos, None))
        if match is None or (match.ply, undos) != (row.ply, row.undos):
            setup = Setup(row.players or 0, engine_options(row.options), row.seed)
            events = [Event(e.seat, e.move) for e in await self.store.events(row.id)]
            match = self._folded(row, setup, events[: row.ply])
        self._keep(row, match)
        return match

    def _folded(self, row: TableRow, setup: Setup, events: Sequence[Event]) -> Match[Any]:
        """The match of a log.

        :raises Refused: ``other_rules``: the log was written under others; ``unreadable``: it does
            not fold, by a fault of ours.
        """
        game = GAMES[row.game]
        if row.rules != game.info.rules:
            raise Refused("other_rules")
        try:
            return Match.replay(game, setup, events)
        except Exception:
            if row.id not in self._unreadable:
                self._unreadable.add(row.id)
                log.exception("log_unreadable", table=row.id)
            raise Refused("unreadable") from None

    def _keep(self, row: TableRow, match: Match[Any]) -> None:
        self._matches[row.id] = (row.undos, match)
        self._matches.move_to_end(row.id)
        while len(self._matches) > MATCHES_KEPT:
            self._matches.popitem(last=False)

    def lock(self, table_id: int) -> asyncio.Lock:
        """Held by whoever judges a table and then changes it."""
        return self._locks.setdefault(table_id, asyncio.Lock())

    async def _sit_down(
        self, table: Table, person_id: int | None, name: str, level: str | None
    ) -> Table:
        limit = table.row.wanted_players or max(table.game.info.players)
        try:
            await self.store.add_member(table.id, person_id, name, level, limit)
        except TableFull:
            raise Refused("table_full", limit=limit) from None
        return await self.get(table.id)

    def _setup(self, table: Table) -> Setup:
        wanted = table.row.wanted_players
        present = len(table.members)
        if wanted is not None and present != wanted:
            raise Refused("player_count", present=present, allowed=(wanted,))
        if present not in table.game.info.players:
            raise Refused("player_count", present=present, allowed=table.game.info.players)
        try:
            return table.game.setup(present, engine_options(table.row.options), table.row.seed)
        except BadSetup as error:
            raise RefusedByRules(error, table.row.game, (), ()) from error

    async def _play(
        self,
        table: Table,
        seat: int,
        texts: Sequence[str],
        seen_ply: int | None,
        person_id: int | None,
        interaction_id: int | None,
    ) -> Played:
        table.require_running()
        match = table.played
        ply = match.ply
        try:
            steps = match.play(seat, texts, seen_ply)
        except EngineError as error:
            raise refused_move(error, table, seat) from error
        outcome = match.outcome
        await self.store.append(
            table.id,
            ply,
            _stored(steps),
            person_id=person_id,
            interaction_id=interaction_id,
            at=self.clock(),
            finished=None if outcome is None else result_of(outcome),
        )
        self._keep(table.row, match)
        return Played(await self.get(table.id), tuple(steps))


def engine_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that the rules know, without those of the table."""
    return {key: value for key, value in options.items() if key not in HOUSE_OPTIONS}


def check_options(game: Game[Any], options: Mapping[str, Any], players: int | None) -> None:
    """Refuse options at the time the table is opened, not weeks later at its start.

    :param players: the number the host asked for; None: any number must be able to start.
    :raises Refused: ``seating``, or a pace as in ``read_pace``.
    :raises RefusedByRules: no allowed number of players could start with these options.
    """
    pace_in(options)
    if options.get(SEATING, SEATINGS[0]) not in SEATINGS:
        raise Refused("seating", value=options[SEATING])
    counts = game.info.players if players is None else (players,)
    refusals = []
    for count in counts:
        try:
            game.setup(count, engine_options(options))
        except BadSetup as refusal:
            refusals.append(refusal)
    if len(refusals) == len(counts):
        raise RefusedByRules(refusals[0], game.info.id, (), ())


def free_name(names: Iterable[str], taken: Iterable[str]) -> str:
    """The first of the names that nobody has, however it is written."""
    present = {name.casefold() for name in taken}
    return next(name for name in names if name.casefold() not in present)


def seat_order(members: Sequence[MemberRow], options: Mapping[str, Any], seed: str) -> list[int]:
    """Member numbers in order of seats: by lot, provably from the seed, or as they joined."""
    numbers = [member.number for member in members]
    if options.get(SEATING) == "joined":
        return numbers
    return [numbers[n] for n in seats_by_lot(seed, len(numbers))]


def result_of(outcome: Outcome) -> dict[str, Any]:
    """An outcome as it is stored with the table."""
    return {
        "how": "played",
        "ranks": list(outcome.ranks),
        "scores": list(outcome.scores),
        "reason": outcome.reason,
    }


def _over_by_resigning(table: Table, member: MemberRow) -> tuple[Status, dict[str, Any]] | None:
    """How a table ends when this member resigns, or None if the others go on."""
    if len(table.members) == 2:
        ranks = [2 if other == member else 1 for other in table.members]
        result = {"how": "resigned", "by": member.seat, "ranks": ranks}
        return Status.FINISHED, result
    if all(other == member or other.level is not None for other in table.members):
        return Status.ENDED, {"how": "resigned", "by": member.seat}
    return None


def _refuse_to_end(table: Table, by: int) -> None:
    """Refuse somebody who may not end the table without asking anybody."""
    if not table.running:
        if by != table.row.host_id:
            raise Refused("only_host")
    elif by not in table.persons:
        raise Refused("not_a_member")
    elif table.others(by):
        raise Refused("others_play")


def _refuse_undone(table: Table, seen_undos: int) -> None:
    """Refuse what was chosen in a course of events that has been undone since: plies are used
    again, so the ply alone does not tell.
    """
    if seen_undos != table.row.undos:
        raise Refused("stale")


def _urgency(table: Table, person_id: int) -> tuple[bool, float]:
    """What comes first among a person's tables: those that wait, by the end of their time."""
    seat = table.seat_of(person_id)
    if seat is None or seat not in table.awaited:
        return True, math.inf
    until = table.until(seat)
    return False, math.inf if until is None else until.timestamp()


def _stored(steps: Sequence[Step]) -> list[tuple[int, str]]:
    return [(step.event.seat, step.event.move) for step in steps]
