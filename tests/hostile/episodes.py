"""Episodes: people open a table, and usually start it; then anyone sends anything."""

from __future__ import annotations

import random
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from games import GAMES
from tests.hostile.checks import faults_of
from tests.hostile.house import House, house
from tests.hostile.inputs import Input, Scene
from tests.hostile.words import name
from tests.wire.world import NOTHING, Permission

EPISODE = 50
"""Inputs per episode."""

FAILURES_TOLD = 3
"""How many failures end an episode."""


@dataclass
class Report:
    """The outcome of the episodes.

    :ivar kinds: the number of inputs of each kind.
    """

    kinds: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


async def play(first: int, inputs: int) -> Report:
    """Play episodes on one bot.

    :param first: the seed of the first episode; each later episode's seed is one higher.
    """
    report = Report()
    with TemporaryDirectory() as directory:
        async with house(Path(directory), str(first)) as home:
            for seed in range(first, first + -(-inputs // EPISODE)):
                left = inputs - report.kinds.total()
                await Episode(home, seed, report).play(min(EPISODE, left))
    return report


class Episode:
    """One table and its people."""

    def __init__(self, home: House, seed: int, report: Report) -> None:
        self._home = home
        self._seed = seed
        self._report = report
        self._failures = 0
        rng = self._rng = random.Random(seed)
        discord = home.discord
        self.scene = Scene(home, rng, [], [])
        guild = discord.guild(name(rng, 2, 100), locale=rng.choice(("en-US", "de")))
        for number in range(5):
            person = discord.person("x", locale=rng.choice(("en-US", "de", "ja")))
            person.user.name = name(rng, 1, 32, person.user.id)
            manages = number == 3
            person.user.permissions = Permission.MANAGE_GUILD if manages else NOTHING
            person.user.dms_open = rng.random() < 0.8
            self.scene.people.append(person)
        self.scene.rooms += [guild.channel(name(rng, 1, 100)) for _ in range(2)]

    async def play(self, inputs: int) -> None:
        """Open a table, then send this many inputs."""
        try:
            await self.open()
            for _ in range(inputs):
                if self._failures >= FAILURES_TOLD:
                    return
                await self._take(await self.scene.next())
        except Exception:  # noqa: BLE001 - whatever it is, it is reported
            self._failed(f"the episode itself: {traceback.format_exc()}")

    async def open(self) -> None:
        """Have people with odd names open a table and, in most cases, start it."""
        scene, rng = self.scene, self._rng
        game = rng.choice(list(GAMES))
        room = scene.rooms[0]
        host, *others = scene.people[:3]
        await self._take(Input("new", host, host.slash(room, f"{game} new", thread=False)))
        lobby = next(m for m in reversed(room.messages) if m.buttons)
        players = max(2, min(GAMES[game].info.players))
        joining = next(b for b in lobby.buttons if b["custom_id"].endswith(":join"))
        starting = next(b for b in lobby.buttons if b["custom_id"].endswith(":start"))
        for person in others[: players - 1]:
            await self._take(Input("join", person, person.press(lobby, joining["custom_id"])))
        if rng.random() < 0.85:
            await self._take(Input("start", host, host.press(lobby, starting["custom_id"])))

    async def _take(self, given: Input) -> None:
        """Wait for an input's effects and check them."""
        home = self._home
        messages = home.discord.world.messages
        standing = [m for m in messages.values() if m.interaction is not given.act]
        before = {message.id for message in standing}
        told = {message.id: message.edits for message in standing}
        await home.quiet(given.act, known=given.known)
        self._report.kinds[given.what.split(" ")[0].split("/")[0] or "command"] += 1
        faults = faults_of(home, given, before, told)
        if given.act.modal is not None:
            self.scene.forms.append((given.person, given.act))
        if faults:
            self._failed(f"{given.what}\n  " + "\n  ".join(faults))

    def _failed(self, why: str) -> None:
        self._failures += 1
        self._report.failures.append(f"--seed {self._seed}: {why}")
