"""Histories: random acts, passing time and faults at one table, with the checks afterwards.

A history is a list of steps, each with a kind and a seed that determines everything else about it.
A history can therefore be written in a few lines, and any sublist of its steps is a history, too,
so a failing one can be shortened by leaving out steps.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from cogs.delivery.message import mark_for
from cogs.gateway.cards import Attachment, Card, Gallery, Part
from data.store.rows import Boards, CallAt, MemberRow, Opening, PersonRow, Status
from data.store.store import Store
from games import GAMES
from games.engine import CHANCE
from games.players import LEVELS
from play.aggregate import Command
from play.analysis import Analysis, KeepAnalysis
from play.ending import EndAsManager, EndTable, OfferDraw, Resign
from play.hints import CountHint
from play.lobby import (
    AddComputer,
    ChangeOptions,
    Follow,
    GiveWord,
    Invite,
    Join,
    Leave,
    MoveHere,
    RemoveComputer,
    SendAway,
    Start,
    Unfollow,
)
from play.moves import PlayMoves
from play.plans import DropPlans, Hurry, Plan
from play.seats import ComeBack, HandOver, TakeSeat
from play.table import HINTS, PACE, Table
from play.undo import TakeBack
from play.votes import Answer, open_votes
from tests.simulation.checks import (
    check_asked,
    check_called_once,
    check_chat,
    check_counted,
    check_heard,
    check_lots,
    check_pinged,
    check_posted,
    check_standing,
    check_told,
)
from tests.simulation.discord import Died, World
from tests.simulation.house import House
from tests.stores import opened

NOTHING_FOUND = Analysis(False, (), (), (), ())

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
PEOPLE = 7
CHANNEL = 500
GUILD = 900
TROUBLE = 0.06
REMATCHES = 0.25
"""The share of histories that begin as a rematch."""
ACTS_AT_MOST = 10
"""After this many acts in a chat, everything must be delivered."""
BOARDS: tuple[Boards, ...] = ("clean", "clean", "clean", "lines", "keep")
"""The servers' settings for boards in their channels."""

PACES: tuple[dict[str, Any], ...] = (
    {},
    {},
    {"pace": "12h"},
    {"pace": "1d+6h"},
    {"pace": "6h", "strict": True},
)


@dataclass(frozen=True, slots=True)
class Step:
    """One event of a history.

    :param seed: determines everything else about it, together with the table.
    """

    kind: str
    seed: int

    def __str__(self) -> str:
        return f"{self.kind}:{self.seed}"


KINDS = {
    "join": 6,
    "computer": 2,
    "uncomputer": 1,
    "leave": 1,
    "kick": 1,
    "word": 1,
    "start": 3,
    "move": 60,
    "rounds": 6,
    "illegal": 4,
    "stale": 4,
    "undo": 6,
    "draw": 1,
    "end": 1,
    "resign": 1,
    "answer": 10,
    "plan": 5,
    "unplan": 1,
    "hurry": 2,
    "hint": 2,
    "replace": 4,
    "take": 4,
    "back": 3,
    "follow": 2,
    "unfollow": 1,
    "wait": 5,
    "ring": 6,
    "delete": 4,
    "lose": 1,
    "movehere": 4,
    "close": 2,
    "open": 2,
    "forbid": 1,
    "allow": 2,
    "outage": 2,
    "kill": 3,
    "look": 3,
    "twice": 4,
}
"""The kinds of steps, and their relative frequencies."""

IN_LOBBY = ("invite", "options")
"""Each history has two steps of these kinds before its start; its last step is ``analyse``."""


def steps_of(seed: int) -> list[Step]:
    rng = random.Random(f"history {seed}")
    first = ["join"] * rng.randint(0, 4) + ["computer"] * rng.randint(0, 2) + ["word", "start"]
    kinds = first + rng.choices(list(KINDS), list(KINDS.values()), k=rng.randint(15, 60))
    steps = [Step(kind, rng.randrange(10**6)) for kind in kinds]
    lobby = random.Random(f"lobby {seed}")
    place = lobby.randrange(len(first))
    chosen = lobby.choices(IN_LOBBY, k=2)
    steps[place:place] = [Step(k, lobby.randrange(10**6)) for k in chosen]
    return [*steps, Step("analyse", lobby.randrange(10**6))]


def raced(seed: int) -> list[Step]:
    """The steps of a history, with two processes that keep taking over from each other."""
    rng = random.Random(f"race {seed}")
    hand_over = [Step("hand_over", rng.randrange(10**6)) for _ in range(40)]
    return [each for step in steps_of(seed) for each in (rng.choice(hand_over), step)]


def people_of(seed: int) -> range:
    """The people of a history: nobody is in two histories, because settings last."""
    return range(seed * 10 + 1, seed * 10 + 1 + PEOPLE)


NOT_IN_CHATS = frozenset({"lose", "movehere", "forbid", "delete"})
"""Kinds of steps that need a channel whose messages the bot can see."""


def in_chat(seed: int) -> list[Step]:
    """The steps of a history that can happen in a chat."""
    return [step for step in steps_of(seed) if step.kind not in NOT_IN_CHATS]


async def happen(store: Store, seed: int, steps: Sequence[Step], *, chat: str = "") -> House:
    """Play a history at a new table, then check it.

    :param chat: see ``Table.chat``.
    :raises AssertionError: a check failed.
    """
    rng = random.Random(f"table {seed}")
    world = World(NOON, random.Random(f"world {seed}"), late_rng=random.Random(f"late {seed}"))
    house = House(store, world)
    asyncio.get_running_loop().set_exception_handler(_told_of_errors)
    try:
        for person in people_of(seed):
            await store.settings.change_person(person, partial(_settings, rng.random()))
        boards = random.Random(f"server {seed}").choice(BOARDS)
        await store.settings.change_server(GUILD, lambda server: replace(server, boards=boards))
        game = rng.choice(list(GAMES))
        channel = CHANNEL + 10 * (seed + 1)
        opening = Opening(
            game=game,
            guild_id=None if chat else GUILD,
            chat=chat,
            channel_id=channel,
            home_id=None if chat or rng.random() < 0.5 else channel + 1,
            host_id=people_of(seed)[0],
            host_name="Anna",
            language=rng.choice(["en", "de"]),
            options={"seating": rng.choice(["lot", "joined"]), **rng.choice(PACES)},
        )
        again = random.Random(f"rematch {seed}")
        if again.random() < REMATCHES:
            opening = _rematch(opening, people_of(seed), again)
        table = await house.process.tables.open(opening)
        house.begin_with(table)
        history = History(house, table.id, channel, people_of(seed))
        await house.settle()
        world.trouble = TROUBLE
        for step in steps:
            world.rng = random.Random(f"{seed} {step}")
            await history.take(step)
        await history.check()
        if not table.chat:
            check_asked(world, table, table.asked)
        return house
    finally:
        await house.process.end()
        await house.other.end()
        house.leave()


def _rematch(opening: Opening, people: range, rng: random.Random) -> Opening:
    """The same table, opened as a rematch: one or two more people are asked, each at the table or
    by direct message, and perhaps a computer player sits there.
    """
    guests = [
        MemberRow(n, person, f"P{person}")
        for n, person in enumerate(people[1 : rng.randint(2, 3)], 1)
    ]
    by_dm = [guest.number for guest in guests if rng.random() < 0.5 and not opening.chat]
    if rng.random() < 0.3:
        guests.append(MemberRow(len(guests) + 1, None, "Merlin", "novice"))
    players = len(guests) + 1
    return replace(
        opening,
        guests=tuple(guests),
        wanted_players=players if players in GAMES[opening.game].info.players else None,
        rematch=json.dumps({"of": "K7Q2", "dm": by_dm}),
    )


def _settings(number: float, settings: PersonRow) -> PersonRow:
    """Random preferences of a person."""
    call_at: CallAt | None = "dm" if number < 0.15 else "table" if number < 0.3 else None
    settings = replace(settings, call_at=call_at)
    if not 0.2 < number < 0.4:
        return settings
    return replace(settings, zone="Europe/Berlin", quiet_from=22 * 60, quiet_to=7 * 60)


def _told_of_errors(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report errors that nobody awaited, but not deaths."""
    if not isinstance(context.get("exception"), Died):
        loop.default_exception_handler(context)


class History:
    def __init__(self, house: House, table_id: int, channel: int, people: range) -> None:
        self._house = house
        self._world = house.world
        self._id = table_id
        self._channel = channel
        self._people = people
        self._interactions = 0
        self.deleted: Counter[tuple[int, int | None]] = Counter()

    async def take(self, step: Step) -> None:
        rng = random.Random(step.seed)
        self._world.now += timedelta(seconds=rng.randint(1, 90))
        self._world.land()
        in_the_world = getattr(self, f"_{step.kind}", None)
        if in_the_world is not None:
            await in_the_world(rng)
            return
        command = await self._command(step.kind, rng)
        if command is not None:
            await self._act(command, rng)

    async def _act(self, command: Command[Table], rng: random.Random) -> None:
        """Carry out a command, sometimes in the other process, and sometimes twice."""
        await self._lend(rng)
        for _ in range(2 if rng.random() < 0.1 else 1):
            await self._house.act(self._id, command, other=rng.random() < 0.2)

    async def _lend(self, rng: random.Random) -> None:
        """In a chat, have an act provide a token: usually a press on the last message, otherwise a
        command.
        """
        if (await self._house.process.tables.get(self._id)).chat:
            there = [m.id for m in self._world.messages.values() if m.channel_id == self._channel]
            pressed = max(there) if there and rng.random() < 0.7 else None
            self._world.lend(self._channel, pressed)

    async def _table(self) -> Table:
        return await self._house.process.tables.fresh(self._id)

    def _once(self) -> int:
        self._interactions += 1
        return self._id * 10_000 + self._interactions

    # -- what people do
    async def _command(self, kind: str, rng: random.Random) -> Command[Table] | None:
        table = await self._table()
        person = rng.choice(self._people)
        if rng.random() < 0.7 and table.persons:
            person = rng.choice(table.persons)
        seats = max(1, len(table.members))
        once = self._once()
        makers: dict[str, Callable[[], Command[Table] | None]] = {
            "join": lambda: Join(rng.choice(self._people), f"P{person}", interaction_id=once),
            "computer": lambda: AddComputer(
                self._people[0], rng.choice(list(LEVELS)), interaction_id=once
            ),
            "uncomputer": lambda: RemoveComputer(person, interaction_id=once),
            "leave": lambda: Leave(rng.choice(self._people[1:]), interaction_id=once),
            "kick": lambda: SendAway(self._people[0], rng.randrange(1, 6), interaction_id=once),
            "word": lambda: GiveWord(
                person, rng.choice(["", "grail", f"word {once}"]), interaction_id=once
            ),
            "invite": lambda: Invite(person, rng.choice(self._people), interaction_id=once),
            "options": lambda: ChangeOptions(
                self._people[0],
                {PACE: rng.choice([None, "12h"]), HINTS: rng.random() < 0.5},
                interaction_id=once,
            ),
            "start": lambda: Start(self._people[0], interaction_id=once),
            "move": lambda: self._a_move(table, rng, once),
            "illegal": lambda: PlayMoves(person, ("nonsense",), interaction_id=once),
            "undo": lambda: TakeBack(person, interaction_id=once),
            "draw": lambda: OfferDraw(person, interaction_id=once),
            "end": lambda: (
                EndAsManager(person, True, "Enough.", interaction_id=once)
                if rng.random() < 0.1
                else EndTable(person, sure=True, interaction_id=once)
            ),
            "resign": lambda: Resign(person, "skilled", interaction_id=once),
            "answer": lambda: self._an_answer(table, rng, once),
            "plan": lambda: self._a_plan(table, person, rng, once),
            "unplan": lambda: DropPlans(person, interaction_id=once),
            "hurry": lambda: Hurry(person, rng.random() < 0.7, interaction_id=once),
            "hint": lambda: self._a_hint(table, rng, once),
            "replace": lambda: HandOver(
                person,
                rng.choice([None, rng.randrange(seats)]),
                rng.choice([None, rng.choice(self._people)]),
                interaction_id=once,
            ),
            "take": lambda: TakeSeat(
                person, rng.randrange(seats), f"P{person}", interaction_id=once
            ),
            "back": lambda: ComeBack(person, interaction_id=once),
            "follow": lambda: Follow(person, interaction_id=once),
            "unfollow": lambda: Unfollow(person, interaction_id=once),
            "movehere": lambda: MoveHere(
                person, self._new_channel(rng), GUILD, interaction_id=once
            ),
            "analyse": lambda: KeepAnalysis(NOTHING_FOUND.to_json()) if table.over else None,
        }
        return makers[kind]()

    def _a_move(self, table: Table, rng: random.Random, once: int) -> Command[Table] | None:
        if not table.awaited_persons:
            return None
        seat = rng.choice(table.awaited_persons)
        move = table.game.random_move(table.played.state, seat, rng)
        seen = rng.choice([None, table.revision])
        return PlayMoves(table.members[seat].person_id or 0, (move,), seen, interaction_id=once)

    def _an_answer(self, table: Table, rng: random.Random, once: int) -> Command[Table] | None:
        votes = open_votes(table)
        if not votes:
            return None
        vote = rng.choice(votes)
        silent = [person for person, choice in vote.answers if choice is None]
        person = rng.choice(silent or [person for person, _ in vote.answers])
        choices = [*vote.choices, *vote.choices[:1] * 3]
        return Answer(vote.asked, person, rng.choice(choices), interaction_id=once)

    def _a_plan(
        self, table: Table, person: int, rng: random.Random, once: int
    ) -> Command[Table] | None:
        if table.match is None or not table.match.actors or table.match.actors == (CHANCE,):
            return None
        moves = table.game.legal(table.match.state, table.match.actors[0])
        answer_to = rng.choice(["", "", rng.choice(moves)])
        return Plan(person, rng.choice(moves), answer_to, interaction_id=once)

    def _a_hint(self, table: Table, rng: random.Random, once: int) -> Command[Table] | None:
        if not table.awaited_persons:
            return None
        seat = rng.choice(table.awaited_persons)
        person = table.members[seat].person_id or 0
        return CountHint(person, table.decision(seat), interaction_id=once)

    def _new_channel(self, rng: random.Random) -> int:
        self._channel = 500 + 10 * (self._id * 50 + rng.randrange(50)) + 1
        return self._channel

    # -- what happens in the world
    async def _rounds(self, rng: random.Random) -> None:
        """Make several moves in a row."""
        for _ in range(rng.randint(2, 6)):
            command = self._a_move(await self._table(), rng, self._once())
            if command is not None:
                await self._act(command, rng)

    async def _stale(self, rng: random.Random) -> None:
        """Press a control made for an earlier decision, which must not count."""
        table = await self._table()
        if not table.awaited_persons:
            return
        seat = rng.choice(table.awaited_persons)
        move = table.game.random_move(table.played.state, seat, rng)
        seen = max(0, table.opened(seat) - rng.randint(1, 3))
        person = table.members[seat].person_id or 0
        press = PlayMoves(person, (move,), seen, interaction_id=self._once())
        change = await self._house.act(self._id, press, other=rng.random() < 0.2)
        assert change is None, f"a press made for line {seen} counted at {table.opened(seat)}"

    async def _twice(self, rng: random.Random) -> None:
        """Make two moves that were chosen in the same position, in two processes."""
        table = await self._table()
        first, second = (self._a_move(table, rng, self._once()) for _ in range(2))
        if first is not None and second is not None:
            await self._house.act(self._id, first)
            await self._house.act(self._id, second, other=True)

    async def _wait(self, rng: random.Random) -> None:
        """Let time pass and everything due happen."""
        self._world.now += timedelta(minutes=rng.choice([3, 30, 60 * 7, 60 * 30]))
        await self._house.ring()

    async def _ring(self, rng: random.Random) -> None:
        """Jump to the next deadline."""
        due = await self._house.store.tables.next_due()
        if due is not None and due < self._world.now + timedelta(days=9):
            self._world.now = max(self._world.now, due + timedelta(seconds=rng.randint(0, 60)))
        await self._house.ring()

    async def _delete(self, rng: random.Random) -> None:
        """Delete a message that the bot knows of."""
        _, rows = await self._house.store.messages.all_of(self._id)
        known = [row.message_id for row in rows.values() if row.message_id and not row.person_id]
        there = [number for number in known if number in self._world.messages]
        if there:
            self._world.land(all_=True)  # so that no late copy of the deleted message appears
            gone = self._world.messages.pop(rng.choice(there))
            self.deleted[gone.channel_id, gone.mark] += 1

    async def _lose(self, rng: random.Random) -> None:
        """Delete the table's channel, with or without an event for the bot."""
        table = await self._table()
        self._world.lost.add(table.row.channel_id)
        self._world.newest = sys.maxsize  # the table starts again in another channel
        for number, message_ in list(self._world.messages.items()):
            if message_.channel_id == table.row.channel_id:
                del self._world.messages[number]
        if rng.random() < 0.5:
            self._world.lost_channels.append(table.row.channel_id)
            await self._house.settle()

    async def _close(self, rng: random.Random) -> None:
        """Close someone's direct messages."""
        self._world.closed.add(rng.choice(self._people))

    async def _open(self, rng: random.Random) -> None:
        """Open someone's direct messages again."""
        self._world.closed.discard(rng.choice(self._people))

    async def _forbid(self, rng: random.Random) -> None:
        """Take away the bot's permission to write in channels."""
        self._world.forbidden = True

    async def _allow(self, rng: random.Random) -> None:
        """Give back the bot's permission to write in channels."""
        self._world.forbidden = False

    async def _outage(self, rng: random.Random) -> None:
        """Make Discord unreachable for a while, often for longer than it remembers nonces."""
        self._world.outage = True
        for _ in range(rng.randint(1, 3)):
            command = self._a_move(await self._table(), rng, self._once())
            if command is not None:
                await self._act(command, rng)
        self._world.now += timedelta(minutes=rng.choice([1, 10, 600]))
        self._world.outage = False

    async def _kill(self, rng: random.Random) -> None:
        """Kill the process and start it again."""
        await self._house.restart()
        await self._house.settle()

    async def _hand_over(self, rng: random.Random) -> None:
        """Let the other process take over: at once, or at one of the next calls or writes."""
        self._world.until_hand_over = rng.randrange(8)
        if not self._world.until_hand_over:
            self._house.hand_over()
            await self._house.settle()

    async def _look(self, rng: random.Random) -> None:
        """Have someone ask for the table."""
        try:
            await self._house.process.delivery.look(self._id)
        except BaseException:  # noqa: BLE001 - the process may be killed in it
            await self._house.restart()
        await self._house.settle()

    # -- what must hold
    async def check(self) -> None:
        """Check everything once nothing is under way."""
        world, house = self._world, self._house
        world.trouble, world.outage, world.forbidden = 0.0, False, False
        if (await self._table()).direct:
            world.closed.clear()
        await house.restart()
        await house.settle()
        await house.land()
        await self._check_made_up_for()
        for _ in range(3):
            world.now += timedelta(hours=7)
            world.rng = random.Random(0)
            await house.restart()
            await house.ring()
            await house.process.delivery.look(self._id)
            await house.settle()
            await house.land()
        assert not world.faults, world.faults[0]
        table = await self._table()
        told, rows = await house.store.messages.all_of(self._id)
        if table.chat:
            await self._check_chat(table)
        elif table.row.status is not Status.PARKED:
            check_standing(world, table, told, rows)
            check_pinged(world, table)
            check_told(world, table)
            check_called_once(world, table)
            check_heard(world, table)
        if not table.chat:
            check_posted(world, table, self.deleted)
        check_lots(world, table)
        check_counted(table, house.acknowledged.get(self._id, []))

    async def _check_made_up_for(self) -> None:
        """Check that a restart delivers everything that failed before, without checking messages.
        Deleted messages are excepted, because only such a check finds them, and closed direct
        messages, because nothing reaches them.
        """
        await self._house.settle()
        table = await self._table()
        _, rows = await self._house.store.messages.all_of(self._id)
        deleted = {mark for _, mark in self.deleted}
        unposted = [
            key
            for key, row in rows.items()
            if row.message_id is None and row.rest and row.person_id not in self._world.closed
            if mark_for(table, key) not in deleted
        ]
        if not table.chat and table.row.status is not Status.PARKED and not table.over:
            assert not unposted, f"not posted after a start: {unposted}"

    async def _check_chat(self, table: Table) -> None:
        """Check that everything waiting is delivered once somebody acts in a chat."""
        world, house = self._world, self._house
        for _ in range(ACTS_AT_MOST):
            world.lend(self._channel)
            await house.process.delivery.look(self._id)
            await house.settle()
            await house.land()
            told, rows = await house.store.messages.all_of(self._id)
            if told == table.revision:
                break
        table = await self._table()
        check_chat(world, table, told, rows)
        check_pinged(world, table)
        check_told(world, table)


# ----------------------------------------------------------------------------- running
async def stub_drawn(card: Card) -> Card:
    """Replace pictures with empty ones: the simulation compares drawings as data, not their
    pixels.
    """

    def stub(part: Part) -> Part:
        if not isinstance(part, Gallery):
            return part
        names = [f"{drawing.fingerprint[:8]}.png" for drawing in part.drawings]
        return replace(part, files=tuple(Attachment(name, b"", "alt") for name in names))

    return replace(card, parts=tuple(stub(part) for part in card.parts))


async def failure_of(store: Store, seed: int, steps: Sequence[Step], *, chat: str = "") -> str:
    """The failure of a history; an empty string if there is none."""
    try:
        await happen(store, seed, steps, chat=chat)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is returned
        return f"{type(error).__name__}: {error}"
    return ""


async def smallest(file: Path, seed: int, steps: Sequence[Step]) -> tuple[list[Step], str]:
    """Shorten a failing history as far as possible by leaving out steps."""
    left, why = list(steps), ""
    size = max(1, len(left) // 2)
    attempt = 0
    while True:
        shorter = None
        for start in range(0, len(left), size):
            trial = left[:start] + left[start + size :]
            attempt += 1
            store = await opened(file.with_name(f"{file.stem}-{attempt}.sqlite3"))
            try:
                why_now = await failure_of(store, seed, trial)
            finally:
                await store.close()
            if why_now:
                shorter, why = trial, why_now
                break
        if shorter is not None:
            left = shorter
        elif size == 1:
            return left, why
        else:
            size = max(1, size // 2)
        if attempt > 400:
            return left, why


def told(seed: int, steps: Sequence[Step], why: str) -> str:
    """A failing history as text, with its seed and failure."""
    return f"seed {seed}: {why}\n" + json.dumps([str(step) for step in steps])
