"""Two people playing Lancelot through the stand-in Discord, and the books kept about it.

The books have three sides: what the people did (``deeds``), what the bot's log holds (``log``),
and what the channel was told (``boards``). After any accident they have to agree.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from data.store import EventRow, Status, Store, TableRow
from games import GAMES
from games.engine import Event, Match, Setup
from tests.wire.people import Person
from tests.wire.process import BotProcess
from tests.wire.standin import StandIn
from tests.wire.world import PATIENCE, Channel, Interaction, Message

TITLE = re.compile(r"### Lancelot · `(\w+)` · move \d+")
PLACED = re.compile(r"places a stone on ([A-N]\d+)\.")


@dataclass
class Deed:
    """One attempt of a person to make a move."""

    act: Interaction
    person: Person
    move: str

    @property
    def confirmed(self) -> bool:
        """Whether the person was told that it counts: in words after a command; after a press the
        private menu goes, because the board says it all."""
        menu = self.act.source
        if menu is not None:
            return menu.deleted
        return any(message.text == f"Done: {self.move}." for message in self.act.messages)


@dataclass
class Record:
    """What the bot's database says about a table."""

    table: TableRow
    events: list[EventRow]

    @property
    def match(self) -> Match[Any]:
        """The match, folded anew and every event verified."""
        game = GAMES[self.table.game]
        keys = {option.key for option in game.info.options}
        options = {key: value for key, value in self.table.options.items() if key in keys}
        setup = Setup(self.table.players or 0, options, self.table.seed)
        log = [Event(event.seat, event.move) for event in self.events]
        return Match.replay(game, setup, log, verify=True)


class Joust:
    """A channel in which Anna and Ben play one game after another."""

    def __init__(self, discord: StandIn, bot: BotProcess, database: Path) -> None:
        self.discord = discord
        self.bot = bot
        self.database = database
        self.room: Channel = discord.guild("Camelot").channel("joust")
        self.anna = discord.person("Anna")
        self.ben = discord.person("Ben")
        self.people = (self.anna, self.ben)
        self.deeds: list[Deed] = []
        self.code = ""

    # -- acting
    async def open(self, **options: Any) -> None:
        """Open a table with new books, seat both people, and start; Anna has seat 0.

        Whatever of this has happened already, before an accident, is not done again.
        """
        answer = "nothing"
        if self.entrance is None:
            act = await self.anna.slash(self.room, "lancelot new", **options, seating="joined")
            answer = (await act.answer()).text
        entrance = await self.discord.world.until(
            lambda: self.entrance, what=f"a lobby or a board, having read {answer!r}"
        )
        if f"`{self.code}`" not in entrance.text:
            self.code, self.deeds = entrance.text.split("`")[1], []
        if self.lobby is entrance and "Ben" not in entrance.text:
            await self._press_until(entrance, self.ben, "Join", lambda: "Ben" in entrance.text)
        if self.lobby is entrance:
            await self._press_until(entrance, self.anna, "Start", lambda: self.boards)
        await self.discord.world.until(lambda: self.boards, what="the first board")

    async def _press_until(
        self, lobby: Message, person: Person, button: str, done: Callable[[], object]
    ) -> None:
        """Press a button of the lobby and wait for its effect, or for a refusal."""
        act = await person.press(lobby, button)
        await self.discord.world.until(lambda: done() or act.messages, what=f"{button} to work")

    @property
    def entrance(self) -> Message | None:
        """The message by which people can take part: a lobby, or a board with controls."""
        boards = [m for m in self.room.messages if TITLE.search(m.text) and m.buttons]
        return self.lobby or (boards[-1] if boards else None)

    @property
    def lobby(self) -> Message | None:
        """The lobby that stands in the channel, open to everybody."""
        lobbies = [m for m in self.room.messages if any(b["label"] == "Join" for b in m.buttons)]
        return lobbies[-1] if lobbies else None

    async def place(self, person: Person, square: str, *, by_buttons: bool = False) -> Deed:
        """Place a stone and wait for the confirmation."""
        if by_buttons:
            asked = await person.press(self.boards[-1], square[0])
            menu = await asked.answer()
            act = person.press(menu, square)
        else:
            act = person.slash(self.room, "lancelot place", square=square)
        deed = Deed(act, person, square)
        self.deeds.append(deed)
        await act
        await self.discord.world.until(lambda: deed.confirmed, what=f"a confirmation of {square}")
        return deed

    # -- the books
    @property
    def boards(self) -> list[Message]:
        """The board messages of the present table, oldest first."""
        return [m for m in self.room.messages if (t := TITLE.search(m.text)) and t[1] == self.code]

    @property
    def told(self) -> list[str]:
        """The squares of which the channel was told that a stone was placed there, in order."""
        return [square for board in self.boards for square in PLACED.findall(board.text)]

    @property
    def results(self) -> list[Message]:
        """The result messages of the present table."""
        return [m for m in self.room.messages if f"`{self.code}` · Result" in m.text]

    async def board_of(self, ply: int) -> Message:
        """The board after ``ply`` events, once it stands in the channel."""
        return await self.discord.world.until(
            lambda: next((board for board in self.boards if ply_of(board) == ply), None),
            what=f"the board of ply {ply}",
        )

    async def record(self) -> Record:
        """What the database says now."""
        async with self._store() as store:
            table = await store.table_by_code(self.code)
            return Record(table, await store.events(table.id))

    async def until_logged(self, ply: int) -> None:
        """Wait until the log holds that many events."""
        async with asyncio.timeout(PATIENCE):
            while (await self.record()).table.ply < ply:  # noqa: ASYNC110 - another process's file
                await asyncio.sleep(0.01)

    @asynccontextmanager
    async def _store(self) -> AsyncIterator[Store]:
        # Opened for a moment only: a file that is in use would spare the bot its recovery.
        store = await Store.open(self.database)
        try:
            yield store
        finally:
            await store.close()

    # -- agreement
    async def settled(self) -> Record:
        """Wait until the channel has heard of everything in the log."""
        record = await self.record()
        await self.board_of(record.table.ply)
        if record.table.status is Status.FINISHED:
            await self.discord.world.until(lambda: self.results, what="the result")
        return record

    async def check(self, note: str) -> None:
        """Compare deeds, log and channel.

        :param note: goes into the message of a failure.
        """
        record = await self.settled()
        self._check_deeds(record, note)
        self._check_channel(record, note)
        if record.table.status is Status.FINISHED:
            self._check_outcome(record, note)

    def _check_deeds(self, record: Record, note: str) -> None:
        """No confirmed move is lost, none counts twice, nothing counts that nobody did."""
        counted = {e.interaction_id: e for e in record.events if e.person_id is not None}
        moves = [e for e in record.events if e.seat >= 0]
        assert len(counted) == len(moves), note
        deeds = {deed.act.id: deed for deed in self.deeds}
        for interaction_id, event in counted.items():
            deed = deeds[interaction_id or 0]
            assert (deed.move, deed.person.user.id) == (event.move, event.person_id), note
        lost = [d for d in self.deeds if d.confirmed and d.act.id not in counted]
        assert [deed.move for deed in lost] == [], note

    def _check_channel(self, record: Record, note: str) -> None:
        """Every move is told exactly once, no board stands twice, one board has controls."""
        assert self.told == [e.move for e in record.events if e.seat >= 0], note
        plies = [ply_of(board) for board in self.boards]
        assert [ply for ply, n in Counter(plies).items() if n > 1] == [], note
        assert plies == sorted(plies), note
        with_controls = [ply_of(board) for board in self.boards if board.buttons]
        running = record.table.status is Status.RUNNING
        assert self.lobby is None, note
        assert with_controls == ([record.table.ply] if running else []), note

    def _check_outcome(self, record: Record, note: str) -> None:
        """The result follows from the log and was told once, with the winner first."""
        outcome = record.match.outcome
        assert outcome is not None, note
        assert record.table.result is not None, note
        assert tuple(record.table.result["ranks"]) == outcome.ranks, note
        (result,) = self.results
        first = next(line for line in result.text.splitlines() if line.startswith("1. "))
        names = ("Anna", "Ben")
        assert any(names[seat] in first for seat in outcome.winners()), note


def ply_of(board: Message) -> int:
    """The ply that a board message was posted for, by its nonce: ``table.ply``."""
    assert board.nonce is not None
    return int(board.nonce.split(".")[1])
