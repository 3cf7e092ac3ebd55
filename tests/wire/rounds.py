"""People who play any game through the stand-in Discord, using any controls they find."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from data.store.place import Place
from data.store.rows import Status
from tests.stores import looking_into
from tests.wire.books import Books
from tests.wire.joust import Deed
from tests.wire.people import Person
from tests.wire.standin import StandIn
from tests.wire.world import Channel, Guild, Interaction, Message

NAMES = ("Anna", "Ben", "Clara", "David")

IN_PRIVATE = "Lay a tile"
"""Label of the button below a board that opens the hand of whoever presses it."""

CHOICE = re.compile(r"s?t:\d+\.\d+:go:.+")
"""Ids of controls that are a step towards a move."""

COMPUTERS = "Add a computer player…"
"""The placeholder of the lobby's menu of computer players."""

PRESSES = 8
"""The maximum number of presses for a move."""


class Round:
    """A channel in which people play.

    :param players: how many people.
    :param guild: the guild of the channel; None for a new one.
    :ivar deeds: people's actions at the current table that may have been moves.
    """

    def __init__(
        self,
        discord: StandIn,
        database: Place,
        players: int,
        rng: random.Random,
        guild: Guild | None = None,
    ) -> None:
        self.discord = discord
        self.books = Books(database)
        self.room: Channel = (guild or discord.guild("Camelot")).channel("round")
        self.people: Sequence[Person] = [discord.person(name) for name in NAMES[:players]]
        self.deeds: list[Deed] = []
        self.code = ""
        self._database = database
        self._rng = rng

    def use(self, database: Place) -> None:
        """Continue with another database, to which everything has been moved."""
        self._database, self.books = database, Books(database)

    async def open(self, game: str, *levels: str) -> None:
        """Open a table and start its match, forgetting the deeds at the last one. If called again
        after a failure, skip the steps already done.

        :param levels: the levels of the computer players that join.
        """
        host, *others = self.people
        if not (code := await self.books.open_in(self.room.id)):
            answer = await (await host.slash(self.room, f"{game} new", thread=False)).answer()
            if not (code := await self.books.open_in(self.room.id)):
                raise TimeoutError(f"no table, but {answer.text!r}")
        if code != self.code:
            self.code, self.deeds = code, []
        table = (await self.books.told(code)).table
        if table.row.status is not Status.LOBBY:
            return
        until = self.discord.world.until
        lobby = await until(lambda: self._lobby, what="the lobby")
        for person in others:
            if person.user.name not in lobby.text:
                await person.press(lobby, "Join")
                await until(lambda name=person.user.name: name in lobby.text)  # type: ignore[misc]
        for level in levels[sum(member.level is not None for member in table.members) :]:
            edits = lobby.edits
            await host.choose(lobby, COMPUTERS, f"Computer player: {level}")
            await until(lambda edits=edits: lobby.edits > edits)  # type: ignore[misc]
        await host.press(lobby, "Start")
        await until(lambda: lobby.deleted, what="the start")

    async def move(self) -> None:
        """Have someone press controls, beginning at the board or at their hand, until a move is
        stored or the message is deleted.
        """
        before = self.moves()
        places = self._places()
        if not places:
            return  # the controls have not been posted yet
        person, place = self._rng.choice(places)
        for _ in range(PRESSES):
            edits = place.edits
            act = self._use(person, place)
            deed = Deed(act, person)
            self.deeds.append(deed)
            await act
            await self.discord.world.until(
                lambda edits=edits, act=act, place=place: (  # type: ignore[misc]
                    self.moves() > before or place.edits > edits or place.deleted or _shown(act)
                ),
                what=f"an effect of {act.data}",
            )
            if not (place.deleted or self.moves() > before):
                self.deeds.remove(deed)  # it was only a step towards a move, or was refused
            place = _shown(act) or place
            if place.deleted or self.moves() > before or not choices(place):
                return

    def moves(self) -> int:
        """How many moves of the current table are stored."""
        with looking_into(self._database) as db:
            sql = """SELECT count(*) FROM journal JOIN tables ON tables.id = table_id
                WHERE kind = 'move' AND code = ?"""
            return int(db.execute(sql, [self.code]).fetchone()[0])

    @property
    def _lobby(self) -> Message | None:
        """The lobby of the current table, open to everyone; None if there is none."""
        lobbies = [m for m in self.room.messages if "Join" in labels(m)]
        return next((m for m in lobbies if f"`{self.code}`" in m.text), None)

    def _places(self) -> list[tuple[Person, Message]]:
        """The messages at which people can begin a move."""
        boards = [m for m in self.room.messages if choices(m) or IN_PRIVATE in labels(m)]
        places = [(person, board) for board in boards for person in self.people]
        return places + [
            (person, hand) for person in self.people for hand in person.dm.messages if choices(hand)
        ]

    def _use(self, person: Person, place: Message) -> Interaction:
        if not choices(place):
            return person.press(place, IN_PRIVATE)
        control = self._rng.choice(choices(place))
        if "options" in control:
            value = self._rng.choice(control["options"])["value"]
            return person.choose(place, control["custom_id"], value)
        return person.press(place, control["custom_id"])


def choices(message: Message) -> list[dict[str, Any]]:
    """The controls of a message that are a step towards a move."""
    controls = (*message.buttons, *message.menus)
    return [
        control
        for control in controls
        if CHOICE.fullmatch(control.get("custom_id", "")) and not control.get("disabled")
    ]


def labels(message: Message) -> list[str]:
    return [button.get("label", "") for button in message.buttons]


def _shown(act: Interaction) -> Message | None:
    """The last private message in answer to a person; None if there is none."""
    shown = (m for m in reversed(act.messages) if not m.is_loading and not m.deleted)
    return next(shown, None)
