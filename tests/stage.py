"""A simulated Discord server with people who play; behaviour tests run on this stage.

People act as they would on a phone: they type commands, or press the buttons under the board.
Matches of any game are played by following the buttons and menus; a few shortcuts are only for
Lancelot: ``lancelot``, ``place``, ``lobby`` and ``alone``.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import discord
from simcord import UserHandle
from simcord.env import Env
from simcord.results import to_discord_message

from bot import OCCASIONS, Parts, build
from cogs.features.allowance import Allowance
from cogs.features.privacy import PrivacyCog
from cogs.gateway.cards import Button
from cogs.gateway.client import Client
from cogs.gateway.controls import CUSTOM_ID, Control
from cogs.gateway.gateway import Gateway
from cogs.present.private import buttons_card
from data.store.place import Place
from data.store.rows import MessageRow
from games.engine import Match
from play.aggregate import Command
from play.computers import Thinkers
from play.moves import PlayForComputer, PlayMoves
from play.table import Table
from play.tables import Tables
from tests.copies import copy_quickly
from tests.refusals import CLOSED_DMS, MISSING_ACCESS, refuse
from tests.stores import opened

PRESSED_FIRST, PRESSED_LAST = 4, 4
"""How many moves at the start and end of a long match are played by pressing buttons."""

WORTH_SKIPPING = 6
"""The middle of a match, between the first and the last moves, is not played by pressing if it has
more moves than this.
"""

PATIENCE = 60.0
"""Seconds after which an action counts as stuck, even on a busy machine."""

AT_ONCE = 4 * 3600.0
"""The most simulated time, in seconds, that passes in one step: on a busy machine, a simulated day
takes several real seconds.
"""

LOOK = 0.005
"""Seconds between two checks of whether the bot is idle."""

LOOKS_APART = 100.0
"""Simulated seconds between two background requests; no action waits that long."""

TIDY_MINUTES = 12 * 60.0
"""Simulated minutes between two deletions of what has expired; every ten minutes would mean 288 in
two days.
"""

NAMES = ("Anna", "Ben", "Clara", "David", "Emil")

copy_quickly()

KINDS = OCCASIONS
"""The kinds of occasions that the bot knows, each with the function that lists its messages."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A button or menu that a person sees.

    :param options: values and labels of a menu; empty for a button.
    """

    custom_id: str
    label: str
    options: tuple[tuple[str, str], ...] = ()
    disabled: bool = False

    @property
    def chooses(self) -> bool:
        """Whether it is a step towards a move, rather than back or elsewhere."""
        verb, argument = verb_of(self.custom_id)
        return verb == "go" and bool(argument)


class Hall(Env):
    """The simulated Discord, but it checks more often whether the bot is idle: work in a thread is
    often done long before the next regular check.
    """

    async def _settle_internal(self, *, idle: float = LOOK, **named: Any) -> None:
        await super()._settle_internal(idle=idle, **named)


class Stage:
    """One server, one channel, people, and the bot."""

    def __init__(
        self, env: Env, bot: Parts, place: Place, language: str, rng: random.Random
    ) -> None:
        self.env = env
        self.bot = bot
        self.language = language
        self.rng = rng
        self._place = place
        self._elsewhere = Tables(bot.store, bot.tables.clock)
        self.abroad = ""
        """``chat`` or ``server``: where everything happens if only people have installed the app;
        otherwise empty.
        """
        self.errors_expected = 0
        """How many errors of the bot a test has expected so far; any other error fails it."""
        self.guild = env.create_guild(preferred_locale=language)
        self.channel = self.new_channel("tafel")
        self.people: dict[str, Any] = {
            name: self.guild.add_member(env.create_user(name)) for name in NAMES
        }
        self._speak()

    # -- the server
    def new_channel(self, name: str, guild: Any = None) -> Any:
        """A channel of this or another server in which tables have no threads: everything is posted
        in the channel itself.
        """
        bot = UserHandle(self.env, self.env.backend.bot_user)
        no_threads = discord.PermissionOverwrite(create_public_threads=False)
        return (guild or self.guild).create_text_channel(name, overwrites={bot: no_threads})

    def allow_threads(self) -> None:
        """Continue in a channel where tables can have their own threads."""
        self.channel = self.guild.create_text_channel("threads")

    def person(self, person_id: int) -> Any:
        return next(p for p in self.people.values() if p.id == person_id)

    async def restart(self, *, direct: bool = True) -> None:
        """Kill the bot and start another one on the same database.

        :param direct: see ``bot.build``.
        """
        old = self.bot
        self.env.backend.subscribers[-1] = self._feed  # the killed bot gets no more events
        # Its pending retries die with it.
        ending = old.table_delivery, old.occasion_delivery, old.hosting, old.seasons
        await asyncio.gather(*(each.close() for each in ending))
        self.bot = await make_bot(self._place, self.rng, direct=direct)
        self._elsewhere = Tables(self.bot.store, self.bot.tables.clock)
        await self.env.restart_bot(self.bot.client)
        self._speak()
        await old.store.close()
        await self.env.settle()

    def _speak(self) -> None:
        """Set everyone's Discord to this language; by default the simulation is English."""
        locale = {"en": "en-US", "de": "de", "fr": "fr", "es": "es-ES"}[self.language]
        feed = self._feed = self.env.backend.subscribers[-1]

        def translated(event: str, payload: Any) -> None:
            if event == "INTERACTION_CREATE":
                payload = {**payload, "locale": locale, "guild_locale": locale}
                if self.abroad and int(payload["channel_id"]) == self.channel.id:
                    payload = _abroad(payload, self.abroad)
            feed(event, payload)

        self.env.backend.subscribers[-1] = translated

    def go_abroad(self, kind: str = "chat") -> None:
        """Continue where the bot is not a member: it can only answer interactions."""
        self.abroad = kind
        path = f"/channels/{self.channel.id}*"
        refuse(self.env, "*", path, MISSING_ACCESS)

    # -- the table
    async def table(self) -> Table:
        return await self.bot.tables.in_channel(self.channel.id)

    async def match(self) -> Match[Any]:
        return (await self.table()).played

    async def decider(self) -> str:
        """The name of the person to move; of several, the first."""
        table = await self.table()
        return table.members[table.awaited[0]].name

    async def open(self, game: str, players: int, **options: Any) -> Table:
        """Open a table for this many people, and start the match."""
        names = NAMES[:players]
        result = await self.people[names[0]].slash(self.channel, f"{game} new", **options)
        assert result.ephemeral, texts_of(result.response)
        for name in names[1:]:
            await self.press(name, "join")
        await self.press(names[0], "start")
        return await self.table()

    async def lobby(self, *guests: str, **options: Any) -> None:
        """Open a lobby of Lancelot as Anna, and have guests join."""
        await self.slash("Anna", "lancelot new", **options)
        for name in guests:
            await self.press(name, "join")

    async def alone(self, level: str = "novice", **options: Any) -> None:
        """Start a match of Lancelot against a computer player as Anna."""
        await self.lobby(**options)
        await self.pick("Anna", "computer", level)
        await self.press("Anna", "start")

    async def resign(self, name: str) -> None:
        """Resign by command, and confirm."""
        asked = private(await self.people[name].slash(self.channel, "table resign"))
        (button,) = controls(asked)
        await self.people[name].click(asked, custom_id=button.custom_id)

    async def proof(self) -> str:
        """The answer to the proof button of the last result."""
        for message in reversed(self.channel.history()):
            for control in controls(message):
                if verb_of(control.custom_id)[0] == "proof":
                    person = self.people["Anna"]
                    return answer_to(await person.click(message, custom_id=control.custom_id))
        raise AssertionError("no result has been posted")

    async def end(self, name: str, channel: Any = None, **options: Any) -> str:
        """End the table by command, and confirm; return the last answer."""
        person = self.people[name]
        asked = private(await person.slash(channel or self.channel, "table end", **options))
        (button,) = controls(asked)
        return answer_to(await person.click(asked, custom_id=button.custom_id))

    async def message(self, kind: str, person_id: int | None = None) -> Any:
        """The current message of a kind: ``lobby``, ``board``, or a person's ``hand``."""
        table = await self.table()
        if self.abroad and person_id is None:
            kind = "chat"  # one message is first the lobby, then the board
        row = [r for r in await self.rows(table.id, kind) if r.person_id == person_id][-1]
        channel = self.channel if person_id is None else self.person(person_id).user.dm_channel
        return self.posted(channel, row.message_id or 0)

    def posted(self, channel: Any, message_id: int) -> Any:
        """A message of a channel; reading the channel's history would build all of its messages."""
        return to_discord_message(self.env, self.env.backend.messages[channel.id][message_id])

    async def rows(self, table_id: int, kind: str) -> list[MessageRow]:
        """A table's current messages of a kind, oldest first."""
        _, rows = await self.bot.store.messages.all_of(table_id)
        found = [r for r in rows.values() if r.key.split(":")[0] == kind and r.message_id]
        return sorted(found, key=lambda row: row.message_id or 0)

    async def press(self, name: str, verb: str, kind: str = "") -> Any:
        """Press the button with this verb on the lobby or the board."""
        message = await self.message(kind or await self._standing())
        control = next(c for c in controls(message) if verb_of(c.custom_id)[0] == verb)
        result = await self.people[name].click(message, custom_id=control.custom_id)
        assert result.acknowledged
        return result

    async def pick(self, name: str, verb: str, value: str, message: Any = None) -> Any:
        """Choose a value in the menu with this verb, on the lobby unless a message is given."""
        place = message or await self.message("lobby")
        menu = next(c for c in controls(place) if c.options and verb_of(c.custom_id)[0] == verb)
        result = await self.people[name].select(place, [value], custom_id=menu.custom_id)
        assert result.acknowledged
        return result

    async def press_more(self, name: str, verb: str) -> Any:
        """Press **More…**, then the button with this verb."""
        shown = private(await self.press(name, "more"))
        control = next(c for c in controls(shown) if verb_of(c.custom_id)[0] == verb)
        result = await self.people[name].click(shown, custom_id=control.custom_id)
        assert result.acknowledged
        return result

    async def _standing(self) -> str:
        return "lobby" if (await self.table()).match is None else "board"

    # -- acting
    async def lancelot(self, players: int = 2, **options: Any) -> Table:
        """Start a table of Lancelot with seats in order of joining; Anna begins."""
        return await self.open("lancelot", players, seating="joined", starter=1, **options)

    async def place(self, name: str, square: str, **more: Any) -> Any:
        person = self.people[name]
        return await person.slash(self.channel, "lancelot place", square=square, **more)

    async def slash(self, name: str, command: str, **options: Any) -> Any:
        return await self.people[name].slash(self.channel, command, **options)

    async def command(self, name: str, what: str, **options: Any) -> str:
        """Type a command and read the private answer."""
        result = await self.people[name].slash(self.channel, what, **options)
        assert result.ephemeral
        return answer_to(result).replace("\\", "")

    async def tap(self, name: str, message: Any, label: str) -> Any:
        control = next(c for c in controls(message) if c.label == label)
        result = await self.people[name].click(message, custom_id=control.custom_id)
        assert result.acknowledged
        return result

    async def go(self, name: str, message: Any, choice: str = "") -> Any:
        """Choose the beginning of a move, by button or menu; if it is empty, go back."""
        for control in controls(message):
            if verb_of(control.custom_id) == ("go", choice) and not control.options:
                return await self.people[name].click(message, custom_id=control.custom_id)
            if control.chooses and choice in dict(control.options):
                person = self.people[name]
                return await person.select(message, [choice], custom_id=control.custom_id)
        raise AssertionError(f"no way to {choice!r} in {texts_of(message)}")

    async def turn_page(self, page: Any, label: str, name: str = "Clara") -> Any:
        """Press a button of a page; return the next page."""
        return private(await self.tap(name, page, label))

    async def wait(self, seconds: float) -> None:
        """Let time pass in steps, since each step must take only seconds of real time."""
        while seconds > 0:
            await self.env.advance_time(min(seconds, AT_ONCE))
            seconds -= AT_ONCE

    def keeper(self, name: str = "Kay", guild: Any = None) -> Any:
        """A person who may manage this server or another one."""
        guild = guild or self.guild
        role = guild.create_role("Keeper", permissions=discord.Permissions(manage_guild=True))
        user = self.people[name].user if name in self.people else self.env.create_user(name)
        return guild.add_member(user, roles=[role])

    async def post(self, channel_id: int, *controls: Control) -> None:
        """Post a table's buttons in a place where they do not belong."""
        buttons = [Button(control, control.verb) for control in controls]
        await Gateway(self.bot.client).post(channel_id, buttons_card("Forwarded", buttons))

    # -- what has been said
    def now(self) -> datetime:
        return self.env.now()

    def boards(self) -> list[Any]:
        """All boards, including folded ones, oldest first, except the picture at the end."""
        return [
            message
            for message in self.channel.history()
            if texts_of(message).startswith("-# ")
            or (message.attachments and not message.attachments[0].filename.endswith("-end.png"))
        ]

    def question(self) -> Any:
        """The last message of the channel that asks a question."""
        return next(
            m
            for m in reversed(self.channel.history())
            if any(verb_of(c.custom_id)[0] == "vote" for c in controls(m))
        )

    def direct(self, name: str) -> list[str]:
        """The texts of all direct messages to a person."""
        channel = self.people[name].user.dm_channel
        return [] if channel is None else [texts_of(message) for message in channel.history()]

    def last(self) -> str:
        """The texts of the channel's last message."""
        messages = self.env.backend.messages[self.channel.id].values()
        newest = max(message.id for message in messages if message.visible_to(None))
        return texts_of(self.posted(self.channel, newest))

    def said(self, part: str) -> int:
        """How many messages of the channel contain a text."""
        return sum(part in texts_of(message) for message in self.channel.history())

    def pings(self) -> list[list[int]]:
        """The people each posted message may ping."""
        posts = [r for r in self.env.http_requests if r.method == "POST" and "/channels/" in r.path]
        return [
            list(r.json["allowed_mentions"].get("users", []))
            for r in posts
            if r.path.endswith("/messages") and isinstance(r.json, dict) and "components" in r.json
        ]

    # -- direct messages
    def close_dms(self, *names: str) -> None:
        """Refuse direct messages to these people from now on."""
        for name in names:
            path = f"/channels/{self.people[name].user.dm_channel.id}/messages"
            refuse(self.env, "POST", path, CLOSED_DMS)

    def open_dms(self) -> None:
        """Let direct messages through again; this also clears every other fault."""
        self.env.backend.faults.clear()

    def dms(self, name: str) -> list[Any]:
        """A person's direct messages, oldest first."""
        messages: list[Any] = self.people[name].user.dm_channel.history()
        return messages

    # -- moving by buttons
    async def move_by_buttons(self, person: Any, rng: random.Random) -> None:
        """Follow random choices from the board, or from the hand, until the log has grown."""
        before = (await self.table()).played.ply
        place = await self._place_to_move(person, rng)
        for _ in range(8):
            result = await self.choose(person, place, rng)
            if (await self.table()).played.ply > before:
                return
            place = private(result)
        raise AssertionError(f"no move after eight choices at {place.components}")

    async def _place_to_move(self, person: Any, rng: random.Random) -> Any:
        """Where the person moves: on the board or, in games with private choices, in the hand, sent
        by direct message or shown privately in the channel.
        """
        table = await self.table()
        board = await self.message("board")
        if any(control.chooses for control in controls(board)):
            return board
        hands = await self.rows(table.id, "hand")
        if rng.random() < 0.5 and any(hand.person_id == person.id for hand in hands):
            message = await self.message("hand", person.id)
            if any(control.chooses for control in controls(message)):
                return message
        return private(await self.press(self._name(person), "hand", "board"))

    async def choose(self, person: Any, place: Any, rng: random.Random) -> Any:
        """Choose at random among the buttons and menus that lead to a move."""
        moves = [c for c in controls(place) if c.chooses and not c.disabled]
        assert moves, f"nothing to choose in {texts_of(place)}"
        control = rng.choice(moves)
        here = person.user if is_direct(place, person) else person
        if control.options:
            value, _ = rng.choice(control.options)
            result = await here.select(place, [value], custom_id=control.custom_id)
        else:
            result = await here.click(place, custom_id=control.custom_id)
        assert result.acknowledged
        return result

    def _name(self, person: Any) -> str:
        return next(name for name, p in self.people.items() if p is person)

    async def awaited(self) -> list[Any]:
        table = await self.table()
        return [self.person(table.members[seat].person_id or 0) for seat in table.awaited_persons]

    async def play_by_buttons(self, rng: random.Random, most: int = 2000) -> Table:
        """Play until the match is over, or for this many moves. No request fails here, so the limit
        for an action is long enough for a busy machine; elsewhere it is short, so that no action
        waits for a retry.
        """
        self.env.settle_timeout = PATIENCE
        for _ in range(most):
            people = await self.awaited()
            if not people:
                break
            await self.move_by_buttons(rng.choice(people), rng)
        return await self.table()

    async def play_to_the_end(self, rng: random.Random) -> Table:
        """Finish the match by buttons.

        In a long match, the middle is not played by pressing: the moves go straight to the use
        cases, and a restarted bot then posts them all at once, as after a long outage.
        """
        await self.play_by_buttons(rng, most=PRESSED_FIRST)
        table = await self.table()
        coming = random_moves(table.played, rng) if table.running else []
        if len(coming) > PRESSED_LAST + WORTH_SKIPPING:
            await self.moves_unseen(coming[:-PRESSED_LAST])
            await self.restart()
            await self.computers_have_moved()
        return await self.play_by_buttons(rng)

    async def computers_have_moved(self) -> None:
        """Wait until a person has to move, or the match is over."""
        for _ in range(500):
            table = await self.table()
            if table.awaited_persons or not table.running:
                return
            await asyncio.sleep(0.01)

    async def move_unseen(self, seat: int, move: str) -> None:
        """Make a move that is not announced in the channel for now."""
        await self.moves_unseen([(seat, move)])

    async def moves_unseen(self, moves: Sequence[tuple[int, str]]) -> Table:
        """Make moves that are not announced in the channel for now; return the table."""
        table = await self.table()
        for seat, move in moves:
            person = table.members[seat].person_id
            command: Command[Table] = (
                PlayForComputer(seat, move, table.opened(seat))
                if person is None or table.computer_at(seat) is not None
                else PlayMoves(person, (move,))
            )
            table = (await self._elsewhere.act(table.id, command)).after
        return await self.bot.tables.fresh(table.id)

    async def unheard(self, table: Table, command: Command[Table]) -> Table:
        """Carry out a command as another process would, so that it is not announced in the channel
        for now.
        """
        after = (await self._elsewhere.act(table.id, command)).after
        await self.bot.tables.fresh(table.id)
        return after


def _abroad(payload: Any, kind: str) -> Any:
    """An interaction from a ``chat`` or ``server`` that the bot is not a member of."""
    person = (payload.get("user") or payload["member"]["user"])["id"]
    payload = {**payload, "authorizing_integration_owners": {"1": person}, "context": 0}
    if kind == "chat":
        payload |= {"context": 2, "user": payload["member"]["user"]}
        for key in ("guild_id", "guild", "guild_locale", "member"):
            payload.pop(key, None)
        payload["channel"] = {"id": payload["channel_id"], "type": 3, "recipients": []}
    return payload


def random_moves(
    match: Match[Any], rng: random.Random, until: Callable[[Match[Any]], bool] = lambda ahead: False
) -> list[tuple[int, str]]:
    """Random moves up to the end of a match, or until a condition holds, with their seats."""
    moves = []
    ahead = Match.replay(match.game, match.setup, match.log)
    while ahead.actors and not until(ahead):
        seat = rng.choice(ahead.actors)
        move = ahead.game.random_move(ahead.state, seat, rng)
        ahead.play(seat, [move])
        moves.append((seat, move))
    return moves


# -------------------------------------------------------------------------------- acting
async def use(person: Any, message: Any, verb: str, argument: str = "") -> Any:
    """Press the button with this verb and an argument that begins with this text."""
    control = next(
        c
        for c in controls(message)
        if verb_of(c.custom_id)[0] == verb and verb_of(c.custom_id)[1].startswith(argument)
    )
    result = await person.click(message, custom_id=control.custom_id)
    assert result.acknowledged
    return result


# ------------------------------------------------------------------------------- looking
def parts(message: Any) -> Iterator[dict[str, Any]]:
    """All components of a message, nested ones too, as in Discord's JSON."""
    waiting = [c if isinstance(c, dict) else c.to_dict() for c in message.components]
    while waiting:
        part = waiting.pop(0)
        yield part
        waiting = [*part.get("components", []), *waiting]


def verb_of(custom_id: str) -> tuple[str, str]:
    """The verb and the argument of a control."""
    match = re.fullmatch("s?" + CUSTOM_ID, custom_id)
    return ("", "") if match is None else (match["verb"], match["argument"] or "")


def controls(message: Any) -> list[Shown]:
    """The buttons and menus of a message, disabled ones included; links are left out."""
    return [
        Shown(
            part["custom_id"],
            part.get("label", part.get("placeholder", "")),
            tuple((o["value"], o["label"]) for o in part.get("options", [])),
            part.get("disabled", False),
        )
        for part in parts(message)
        if "custom_id" in part
    ]


def is_direct(message: Any, person: Any) -> bool:
    """Return whether a message or an answer is in a person's direct messages."""
    channel = message.channel_id if hasattr(message, "channel_id") else message.channel.id
    return bool(channel == person.user.dm_channel.id)


def texts_of(message: Any) -> str:
    return "\n".join(part["content"] for part in parts(message) if "content" in part)


def alts_of(message: Any) -> list[str]:
    """The descriptions of a message's pictures."""
    return [
        item["description"] for part in parts(message) for item in part.get("items", []) if item
    ]


def private(result: Any) -> Any:
    """The last ephemeral follow-up or, if there is none, the response."""
    return next((m for m in reversed(result.followups) if m.ephemeral), result.response)


def answer_to(result: Any) -> str:
    """The texts of all ephemeral answers to the person."""
    told: Sequence[Any] = [*result.followups, result.response]
    return "\n".join(texts_of(message) for message in told if message and message.ephemeral)


# ------------------------------------------------------------------------------ building
async def make_bot(place: Place, rng: random.Random, *, direct: bool = True) -> Parts:
    """The bot as ``bot.py`` builds it, except that computer players think in this process and do
    not pause, people may act without limits, and background work is rarer.

    :param rng: draws the secrets of its tables.
    """
    store = await opened(place)
    thoughts = random.Random(0)
    parts = build(
        store,
        Thinkers(workers=0, new_seed=lambda: f"{thoughts.getrandbits(64):016x}"),
        pause=0,
        direct=direct,
        kinds=KINDS,
        new_secret=lambda: f"{rng.getrandbits(256):064x}",
    )
    parts.acting.allowance = Allowance(math.inf)
    _describe_once(parts.client)
    # One check a minute would mean 2,880 checks in two simulated days.
    parts.deadlines.latest = AT_ONCE
    for cog in parts.client.waiting_cogs:
        if isinstance(cog, PrivacyCog):
            cog.tidy.change_interval(minutes=TIDY_MINUTES)
    parts.budget.every = LOOKS_APART
    return parts


def _describe_once(client: Client) -> None:
    """Reuse the descriptions of another client with the same commands."""
    describe: Callable[[], Awaitable[Any]] = client.described_commands

    async def described() -> Any:
        names = tuple(command.name for command in client.tree.get_commands())
        if names not in _described:
            # Plain values, without enumerations, are quick to copy.
            _described[names] = json.loads(json.dumps(await describe()))
        return _described[names]

    client.described_commands = described  # type: ignore[method-assign]


_described: dict[tuple[str, ...], list[Any]] = {}
"""The descriptions of all commands for Discord, which are slow to translate, by the commands'
names.
"""


@asynccontextmanager
async def stage_on(
    place: Place, language: str = "en", rng: random.Random | None = None
) -> AsyncIterator[Stage]:
    """A stage whose bot stores its tables at ``place``.

    :param rng: draws the secrets of its tables; if None, they are the same in every run.
    """
    rng = rng or random.Random(0)
    bot = await make_bot(place, rng)
    env = Hall(bot.client)
    stage = None
    try:
        await env.start()
        stage = Stage(env, bot, place, language, rng)
        yield stage
        if errors := env.errors_since(stage.errors_expected):
            raise BaseExceptionGroup("errors of the bot", errors)
    finally:
        await env.shutdown()
        await (stage.bot if stage else bot).client.close()
