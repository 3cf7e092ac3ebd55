"""People who play any game through the stand-in Discord, by whatever they find to press."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from data.store.place import Place
from tests.stores import looking_into
from tests.wire.books import Books
from tests.wire.people import Person
from tests.wire.standin import StandIn
from tests.wire.world import Channel, Interaction, Message

NAMES = ("Anna", "Ben", "Clara", "David")

CHOICE = re.compile(r"s?t:\d+\.\d+:go:.+")
"""Ids of controls that lead on towards a move."""

COMPUTERS = "Add a computer player …"
"""The lobby's menu of computer players."""

PRESSES = 8
"""So many a move may take."""


class Round:
    """A channel in which people play."""

    def __init__(self, discord: StandIn, database: Place, players: int, rng: random.Random) -> None:
        self.discord = discord
        self.books = Books(database)
        self.room: Channel = discord.guild("Camelot").channel("round")
        self.people: Sequence[Person] = [discord.person(name) for name in NAMES[:players]]
        self.code = ""
        self._database = database
        self._rng = rng

    async def open(self, game: str, *levels: str) -> None:
        """Open a table and start it.

        :param levels: of the computer players that join.
        """
        host, *others = self.people
        await (await host.slash(self.room, f"{game} new", thread=False)).answer()
        lobby = await self.room.wait_for(lambda message: "Join" in labels(message))
        self.code = lobby.text.split("`")[1]
        for person in others:
            await person.press(lobby, "Join")
            await self.discord.world.until(lambda name=person.user.name: name in lobby.text)  # type: ignore[misc]
        for level in levels:
            edits = lobby.edits
            await host.choose(lobby, COMPUTERS, f"Computer player: {level}")
            await self.discord.world.until(lambda edits=edits: lobby.edits > edits)  # type: ignore[misc]
        await host.press(lobby, "Start")
        await self.books.until_played(self.code, 0)
        await self.discord.world.until(lambda: "Start" not in labels(lobby), what="the start")

    async def move(self) -> None:
        """Let someone press on from the board, or from their hand, until a move is stored."""
        before = self.moves()
        places = self._places()
        if not places:
            return  # what they could press is still to come
        person, place = self._rng.choice(places)
        for _ in range(PRESSES):
            edits = place.edits
            act = self._use(person, place)
            await act
            await self.discord.world.until(
                lambda edits=edits, act=act, place=place: (  # type: ignore[misc]
                    self.moves() > before or place.edits > edits or _shown(act)
                ),
                what=f"something to come of {act.data}",
            )
            place = _shown(act) or place
            if self.moves() > before or not choices(place):
                return

    def moves(self) -> int:
        """How many moves are stored."""
        with looking_into(self._database) as db:
            sql = "SELECT count(*) FROM journal WHERE kind = 'move'"
            return int(db.execute(sql).fetchone()[0])

    def _places(self) -> list[tuple[Person, Message]]:
        """Where people can begin a move."""
        boards = [message for message in self.room.messages if choices(message)]
        places = [(person, board) for board in boards for person in self.people]
        return places + [
            (person, hand) for person in self.people for hand in person.dm.messages if choices(hand)
        ]

    def _use(self, person: Person, place: Message) -> Interaction:
        control = self._rng.choice(choices(place))
        if "options" in control:
            value = self._rng.choice(control["options"])["value"]
            return person.choose(place, control["custom_id"], value)
        return person.press(place, control["custom_id"])


def choices(message: Message) -> list[dict[str, Any]]:
    """The controls of a message that lead on towards a move."""
    controls = (*message.buttons, *message.menus)
    return [
        control
        for control in controls
        if CHOICE.fullmatch(control.get("custom_id", "")) and not control.get("disabled")
    ]


def labels(message: Message) -> list[str]:
    """What stands on the buttons of a message."""
    return [button.get("label", "") for button in message.buttons]


def _shown(act: Interaction) -> Message | None:
    """The last private message that came of what a person did."""
    shown = (m for m in reversed(act.messages) if not m.is_loading and not m.deleted)
    return next(shown, None)
