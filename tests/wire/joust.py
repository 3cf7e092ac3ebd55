"""Two people playing Lancelot through the stand-in Discord, with records to compare.

There are three records: what people did (``deeds``), the bot's journal (``books``), and what was
posted in the channel (``boards``). After any failure they have to agree.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from data.store.place import Place
from data.store.rows import Status
from tests.wire.books import Books, Record
from tests.wire.people import Person
from tests.wire.standin import StandIn
from tests.wire.world import Channel, Guild, Interaction, Message

TITLE = re.compile(r"### Lancelot · \S+ `(\w+)` · move \d+", re.MULTILINE)
"""The title of a board, with the code of its table."""
PLACED = re.compile(r"places a stone on ([A-N]\d+)\.")


@dataclass
class Deed:
    """A person's attempt to make a move.

    :param move: the move the journal should hold; empty for any.
    """

    act: Interaction
    person: Person
    move: str = ""

    @property
    def confirmed(self) -> bool:
        """Whether the person was told that the move counts: in an answer after a command; after a
        press, in place of the private menu.
        """
        menu = self.act.source
        told = [*self.act.messages]
        if menu is not None and menu.seen_by is not None:
            told.append(menu)
        return any(message.text.startswith("Done: ") for message in told)


def lost(deeds: Sequence[Deed], record: Record) -> list[Deed]:
    """Confirmed moves that the journal lacks."""
    counted = {line.interaction_id for line in record.moves}
    return [deed for deed in deeds if deed.confirmed and deed.act.id not in counted]


def doubled(record: Record) -> list[str]:
    """Moves that count although the same act has counted before."""
    acts = [line.interaction_id for line in record.moves]
    return [line.text for n, line in enumerate(record.moves) if acts[n] and acts[n] in acts[:n]]


def boards_of(record: Record, room: Channel) -> list[int]:
    """The lines of all boards of a table ever posted in its channel, oldest message first."""
    marks = record.boards
    posted = (m for m in room.world.messages.values() if m.channel is room and m.seen_by is None)
    return [marks[m.mark] for m in posted if m.mark in marks]


def boards_doubled(record: Record, room: Channel) -> list[int]:
    """Lines whose board was posted more than once."""
    return [line for line, count in Counter(boards_of(record, room)).items() if count > 1]


class Joust:
    """A channel in which Anna and Ben play one match after another."""

    def __init__(self, discord: StandIn, database: Place, guild: Guild | None = None) -> None:
        self.discord = discord
        self.books = Books(database)
        self.room: Channel = (guild or discord.guild("Camelot")).channel("joust")
        self.anna = discord.person("Anna")
        self.ben = discord.person("Ben")
        self.people = (self.anna, self.ben)
        self.deeds: list[Deed] = []
        self.code = ""

    # -- acting
    async def open(self, **options: Any) -> None:
        """Open a table, forgetting the deeds at the last one, seat both people, and start; Anna has
        seat 0. If called again after a failure, skip the steps already done.
        """
        answer = "nothing"
        if self.entrance is None and not await self.books.open_in(self.room.id):
            act = await self.anna.slash(
                self.room, "lancelot new", **options, seating="joined", thread=False
            )
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

    async def end(self) -> None:
        """Have Anna end the match without a result, with Ben's consent if he plays, and wait until
        the channel shows it.
        """
        asked = await (await self.anna.slash(self.room, "table end")).answer()
        label = asked.buttons[0]["label"]
        await (await self.anna.press(asked, label)).answer()
        if label == "Ask the others":
            question = await self.discord.world.until(lambda: self.question, what="the question")
            await self.ben.press(question, "Agree")
        await self.discord.world.until(lambda: not self.entrance, what="the end of the match")

    async def _press_until(
        self, lobby: Message, person: Person, button: str, done: Callable[[], object]
    ) -> None:
        """Press a button of the lobby and wait for its effect, or for a refusal."""
        act = await person.press(lobby, button)
        await self.discord.world.until(lambda: done() or act.messages, what=f"{button} to work")

    @property
    def entrance(self) -> Message | None:
        """The message that lets people take part: a lobby, or a board with controls; None if there
        is none.
        """
        boards = [m for m in self.room.messages if TITLE.search(m.text) and m.buttons]
        return self.lobby or (boards[-1] if boards else None)

    @property
    def question(self) -> Message | None:
        """The last open question to the people at the table, if any."""
        asked = [m for m in self.room.messages if any(b["label"] == "Agree" for b in m.buttons)]
        return asked[-1] if asked else None

    @property
    def lobby(self) -> Message | None:
        """The lobby in the channel, open to everyone; None if there is none."""
        lobbies = [m for m in self.room.messages if any(b["label"] == "Join" for b in m.buttons)]
        return lobbies[-1] if lobbies else None

    async def place(
        self, person: Person, square: str, *, by_buttons: bool = False, where: Channel | None = None
    ) -> Deed:
        """Place a stone and wait for the confirmation.

        :param where: the channel to type in; None for the table's.
        """
        if by_buttons:
            asked = await person.take(self.boards[-1], square[0])
            act = person.take(await asked.answer(), square)
        else:
            code = {} if where is None else {"table": self.code}
            act = person.slash(where or self.room, "lancelot place", square=square, **code)
        deed = Deed(act, person, square)
        self.deeds.append(deed)
        await act
        await self.discord.world.until(lambda: deed.confirmed, what=f"a confirmation of {square}")
        return deed

    # -- the books
    @property
    def boards(self) -> list[Message]:
        """The board of the current table; for a moment, the previous one may exist too."""
        return [m for m in self.room.messages if (t := TITLE.search(m.text)) and t[1] == self.code]

    @property
    def told(self) -> list[str]:
        """The squares on which stones were placed according to the boards, in order."""
        return [square for board in self.boards for square in PLACED.findall(board.text)]

    @property
    def results(self) -> list[Message]:
        """The result messages of the current table."""
        return [m for m in self.room.messages if f"`{self.code}` · Result" in m.text]

    async def record(self) -> Record:
        """The current table as stored."""
        return await self.books.read(self.code)

    # -- agreement
    async def settled(self) -> Record:
        """Wait until everything in the journal has been posted in the channel."""
        record = await self.books.told(self.code)
        if record.status is Status.FINISHED:
            await self.discord.world.until(lambda: self.results, what="the result")
        else:
            last = record.last_call
            await self.discord.world.until(
                lambda: any(record.boards.get(board.mark or 0) == last for board in self.boards),
                what=f"the board of line {last}",
            )
        return record

    async def check(self, note: str) -> None:
        """Compare deeds, journal and channel.

        :param note: goes into the message of a failure.
        """
        record = await self.settled()
        self._check_deeds(record, note)
        self._check_channel(record, note)
        if record.status is Status.FINISHED:
            self._check_outcome(record, note)

    def _check_deeds(self, record: Record, note: str) -> None:
        """Check that no confirmed move is lost or doubled, and that somebody made every move."""
        assert doubled(record) == [], note
        deeds = {deed.act.id: deed for deed in self.deeds}
        for line in record.moves:
            deed = deeds[line.interaction_id or 0]
            assert (deed.move, deed.person.user.id) == (line.text, line.person_id), note
        assert lost(self.deeds, record) == [], note

    def _check_channel(self, record: Record, note: str) -> None:
        """Check that a running match has one board with the last moves, that none was posted twice,
        and that nothing else can be pressed.
        """
        moves, told = [line.text for line in record.moves], self.told
        assert told == moves[len(moves) - len(told) :], note
        assert boards_doubled(record, self.room) == [], note
        assert self.lobby is None, note
        record.check_live(self.discord.world, note)
        running = record.status is Status.RUNNING
        assert [bool(board.control_ids) for board in self.boards] == [True] * running, note
        assert bool(told) == (running and bool(moves)), note

    def _check_outcome(self, record: Record, note: str) -> None:
        """Check that the result follows from the journal and was posted once, winner first."""
        outcome = record.match.outcome
        assert outcome is not None, note
        assert record.table.row.result is not None, note
        assert tuple(record.table.row.result["ranks"]) == outcome.ranks, note
        (result,) = self.results
        first = next(line for line in result.text.splitlines() if line.startswith(r"1\. "))
        names = ("Anna", "Ben")
        assert any(names[seat] in first for seat in outcome.winners()), note
