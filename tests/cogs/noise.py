"""How noisy a whole match is: the people it pings, the messages it leaves, the requests it makes.

People play a match in the simulated Discord by pressing the controls they see. After each move,
once the bot is idle, everything sent to Discord is compared with the journal: decisions opened by
someone else's act, questions asked, matches ended. All results are counts, so the same seed gives
the same numbers.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal
from unittest.mock import patch

from simcord.enums import MessageType
from simcord.results import to_discord_message

from cogs.gateway.replies import LentTokens
from data.store.rows import Boards, CallAt
from games.engine import CHANCE
from play.table import Table
from play.votes import open_votes
from tests.limits import TOKEN_LIFE
from tests.simulation.checks import STAYING, decisions_opened
from tests.stage import PATIENCE, Stage, controls, private, stage_on, texts_of, use, verb_of

Place = Literal["channel", "thread", "direct", "chat", "abroad"]
"""In order: a server channel, a thread, direct messages with the bot and, where the bot is not a
member, a group chat and a server.
"""

SILENT: Final = 1 << 12
"""Discord's flag for a silent message."""

SHORT: Mapping[str, Mapping[str, Any]] = {"isis": {"turns": 60}}
"""Options for games that random moves would take too long to finish."""

FOLLOWER: Final = "Emil"
"""The person who follows a table in a channel or thread, if fewer than five people play."""

RESTING: Final = "Ben"
"""The person with quiet hours, on holiday, or with closed direct messages."""

BOARD: Final = "more"
"""The verb of a button that every board has."""

PRESSES_AT_MOST: Final = 8
"""The maximum number of presses for one move."""


@dataclass(frozen=True, slots=True)
class Case:
    """The kind of match to play.

    :param players: the number of players, including computer players.
    :param computers: how many of these are computer players, all novices.
    :param closed: whether ``RESTING`` accepts no direct messages.
    :param rest: why ``RESTING`` must not be disturbed.
    :param boards: which boards the server keeps in its channels.
    :param calls: where everybody wants to be called; None: the default.
    :param slow: whether the token of each press expires before the next move.
    :param goal: how many stones win at Lancelot; None: the default.
    :param most: after this many moves, all people resign.
    """

    game: str
    players: int = 2
    place: Place = "channel"
    computers: int = 0
    closed: bool = False
    rest: Literal["", "quiet hours", "holiday"] = ""
    boards: Boards = "clean"
    calls: CallAt | None = None
    slow: bool = False
    goal: int | None = None
    most: int = 2000

    def __str__(self) -> str:
        ways = [
            f"{self.game} {self.players}",
            *([self.place] if self.place != "channel" else []),
            *([f"{self.computers} by computer"] if self.computers else []),
            *(["closed"] if self.closed else []),
            *([self.rest] if self.rest else []),
            *([self.boards] if self.boards != "clean" else []),
            *([f"called {self.calls}"] if self.calls else []),
        ]
        return ", ".join(ways)


@dataclass(slots=True)
class Noise:
    """Counts of one match.

    :param moves: moves by everybody, including computer players, and resignations.
    :param decisions: decisions opened by somebody else's act for a person who does not rest.
    :param heard: notifications of these decisions, by place: ``dm`` or ``table``.
    :param wrong: sentences about missing or unexpected notifications of decisions, questions and
        the end.
    :param standing: the highest number of messages in the channel during the match; ``left``: how
        many are left afterwards.
    :param direct: the highest number of messages in one person's direct messages; ``direct_left``:
        how many are left afterwards.
    :param home: the highest number of messages in the channel where a thread was requested.
    :param dead: buttons that no longer did anything, during the match or afterwards.
    :param own: requests with the bot's own token since the match began; ``all``: all requests.
    :param by_token: messages deleted with the token of a press; ``by_bot``: with the bot's own.
    """

    moves: int = 0
    decisions: int = 0
    heard: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    standing: int = 0
    left: int = 0
    direct: int = 0
    direct_left: int = 0
    home: int = 0
    dead: list[str] = field(default_factory=list)
    own: int = 0
    all: int = 0
    by_token: int = 0
    by_bot: int = 0

    @property
    def a_decision(self) -> float:
        """Notifications per decision."""
        return self.heard.total() / max(1, self.decisions)

    @property
    def a_move(self) -> float:
        """Requests with the bot's own token per move."""
        return self.own / max(1, self.moves)

    @property
    def in_all(self) -> float:
        """Requests per move, including answers to presses."""
        return self.all / max(1, self.moves)


class Ear:
    """Listens to Discord's notifications and to changes at tables.

    :ivar heard: for each person, the places of new messages that may have made a sound.
    :ivar named: how many new messages mentioned a person, loud or not, or were sent to them
        directly.
    :ivar due: how often each person should be notified.
    """

    def __init__(self, stage: Stage, noise: Noise) -> None:
        self._stage, self._backend, self._noise = stage, stage.env.backend, noise
        self.heard: dict[int, list[str]] = {}
        self.named: Counter[int] = Counter()
        self.due: Counter[int] = Counter()
        self.decisions: Counter[int] = Counter()
        self._tables: dict[int, Table] = {}
        self._public = set[int]()
        self._backend.subscribers.insert(0, self._hear)
        stage.bot.tables.listen(self._follow)

    def forget(self) -> None:
        self.heard.clear()
        for counter in (self.named, self.due, self.decisions):
            counter.clear()

    # -- Discord
    def _hear(self, event: str, payload: Any) -> None:
        if event == "MESSAGE_DELETE" and int(payload["id"]) in self._public:
            by_token = self._backend.http_requests[-1].path.startswith("/webhooks/")
            self._noise.by_token += by_token
            self._noise.by_bot += not by_token
        if event != "MESSAGE_CREATE":
            return
        channel = self._backend.channels[int(payload["channel_id"])]
        message = self._backend.messages[channel.id][int(payload["id"])]
        if message.author_id != self._backend.bot_user.id or message.is_ephemeral:
            return
        self._public.add(message.id)
        readers = {*channel.recipient_ids} - {message.author_id}
        text = texts_of(message)
        self.named.update(readers or {p.id for p in self._people if f"<@{p.id}>" in text})
        if not message.flags & SILENT:
            for person in readers or message.ping_user_ids:
                self.heard.setdefault(person, []).append("dm" if readers else "table")

    @property
    def _people(self) -> Iterator[Any]:
        yield from self._stage.people.values()

    # -- the tables
    def _follow(self, table: Table) -> None:
        """Count the people to notify of a change at a table."""
        before, self._tables[table.id] = self._tables.get(table.id), table
        if before is None or not table.started:
            return
        people = [table.members[seat].person_id or 0 for seat in decisions_opened(before, table)]
        self.decisions.update(people)
        self.due.update(people)
        asked = {vote.asked for vote in open_votes(before)}
        for vote in open_votes(table):
            if vote.asked not in asked:
                self.due.update(person for person, answer in vote.answers if answer is None)
        if table.over and not before.over:
            self.due.update({*table.persons, *table.followers} - {_ended_by(table)})


def _ended_by(table: Table) -> int | None:
    """The person who ended a table by resigning or, if nobody resigned, made the last move; None if
    that was a computer player.
    """
    resigned = [line.person_id for line in table.journal if line.kind == "resign"]
    if resigned or table.match is None:
        return resigned[-1] if resigned else None
    last = next(event.seat for event in reversed(table.match.log) if event.seat != CHANCE)
    return None if table.computer_at(last) else table.members[last].person_id


class Party:
    """People playing a match, and the counts."""

    def __init__(self, stage: Stage, case: Case, rng: random.Random) -> None:
        self.stage, self.case = stage, case
        self.noise = Noise()
        self._rng = rng
        self._names = list(stage.people)[: case.players - case.computers]
        self.ear = Ear(stage, self.noise)
        self._table_id = self._resigned = 0
        self._requests = 0

    async def table(self) -> Table:
        return await self.stage.bot.tables.get(self._table_id)

    # -- before the match
    async def open(self) -> None:
        """Seat everybody and start the match."""
        await self._prepare()
        case, stage = self.case, self.stage
        host = self._actor(self._names[0])
        command = f"{case.game} new"
        options = {"seating": "joined", **SHORT.get(case.game, {})}
        if case.goal is not None:
            options["goal"] = case.goal
        if case.place == "direct":
            await host.slash(command, **options)
        else:
            await host.slash(stage.channel, command, **options)
        person = stage.people[self._names[0]].id
        (opened,) = await stage.bot.tables.of_person(person)
        self._table_id = opened.id
        for name in self._names[1:]:
            if case.place == "direct":
                await self._actor(name).slash("join", code=opened.row.code)
            else:
                await use(self._actor(name), await self._with("join"), "join")
        for _ in range(case.computers):
            lobby = await self._with("computer")
            menu = next(c for c in controls(lobby) if verb_of(c.custom_id)[0] == "computer")
            await host.select(lobby, ["novice"], custom_id=menu.custom_id)
        if case.place in ("channel", "thread") and FOLLOWER not in self._names:
            follower = stage.people[FOLLOWER]
            await follower.slash(stage.channel, "table follow", table=opened.row.code)
        self.ear.forget()
        await use(host, await self._with("start"), "start")
        self._requests = len(stage.env.http_requests)
        self.noise.by_token = self.noise.by_bot = 0
        await self.rest()

    async def _prepare(self) -> None:
        """Set up the server and the people for the case."""
        case, stage = self.case, self.stage
        stage.env.settle_timeout = PATIENCE
        if case.place == "thread":
            stage.allow_threads()
        if case.boards != "clean":
            kay = stage.keeper()
            await kay.slash(stage.channel, "server boards", kept=case.boards)
        for name in self._names if case.calls else ():
            await stage.command(name, "preferences calls", where=case.calls)
        if case.rest:
            await stage.command(RESTING, "preferences zone", zone="UTC")
        if case.rest == "quiet hours":
            await stage.command(RESTING, "preferences quiet", since="22:00", until="13:00")
        elif case.rest:
            await stage.command(RESTING, "preferences away", until="31.12.")
        if case.closed:
            stage.close_dms(RESTING)
        if case.place in ("chat", "abroad"):
            stage.go_abroad({"chat": "chat", "abroad": "server"}[case.place])

    # -- the match
    async def play(self, most: int | None = None) -> Noise:
        """Play until the match is over or, if ``most`` is given, until people have made this many
        moves.
        """
        for _ in range(self.case.most if most is None else most):
            table = await self.table()
            if not table.awaited_persons:
                break
            if self.case.slow:
                await self.stage.wait(TOKEN_LIFE + 1)
            seat = self._rng.choice(table.awaited_persons)
            await self.move(seat)
        if most is None:
            await self._resign()
        return self.count(await self.table())

    async def _resign(self) -> None:
        """Have people resign until the match is over."""
        for name in self._names:
            if (await self.table()).over:
                return
            person = self._actor(name)
            where = [] if self.case.place == "direct" else [self.stage.channel]
            await use(person, private(await person.slash(*where, "table resign")), "resign")
            self._resigned += 1
            await self.rest()

    async def move(self, seat: int) -> None:
        """Make a move for a person by pressing the controls they see."""
        table = await self.table()
        person = self.stage.person(table.members[seat].person_id or 0)
        place, ply = await self._place_to_move(person), table.played.ply
        for _ in range(PRESSES_AT_MOST):
            result = await self.stage.choose(person, place, self._rng)
            if (await self.table()).played.ply > ply:
                await self.rest()
                return
            place = private(result)
        raise AssertionError(f"no move after {PRESSES_AT_MOST} presses at {texts_of(place)}")

    async def _place_to_move(self, person: Any) -> Any:
        """Where the person chooses: a hand in direct messages, the board, or the message opened by
        its first button.
        """
        own = person.user.dm_channel
        hands = [] if own is None else [m for m in self.messages(own.id) if _offers_moves(m)]
        if hands and (self.case.place == "direct" or self._rng.random() < 0.5):
            return self._shown(hands[-1])
        board = await self._with(BOARD)
        if _offers_moves(board):
            return board
        first = controls(board)[0]
        result = await person.click(board, custom_id=first.custom_id)
        return private(result)

    async def rest(self) -> None:
        """Wait until the bot is idle, then check the notifications and count the messages."""
        for _ in range(500):
            await self.stage.env.settle()
            table = await self.table()
            if table.awaited_persons or table.over:
                break
        await self.stage.bot.table_delivery.bring(table.id)
        await self.stage.env.settle()
        table = await self.table()
        self.listen(table.played.ply)
        self.look(table)

    # -- counting
    def listen(self, ply: int) -> None:
        """Compare the notifications that people got with those that were due."""
        ear, noise = self.ear, self.noise
        noise.decisions += ear.decisions.total()
        for person in ear.due.keys() | ear.heard.keys():
            name = next(n for n, p in self.stage.people.items() if p.id == person)
            rests = bool(self.case.rest) and name == RESTING
            heard = ear.heard.get(person, [])
            if rests:
                noise.decisions -= ear.decisions[person]
                silently = ear.named[person]
                if heard or silently < ear.due[person]:
                    noise.wrong.append(
                        f"move {ply}: {name} rests, and heard {heard} of {silently} messages"
                    )
            elif len(heard) != ear.due[person]:
                noise.wrong.append(
                    f"move {ply}: {name} heard {heard} for {ear.due[person]} notifications"
                )
            noise.heard.update(heard[: ear.decisions[person]] if ear.decisions[person] else [])
        ear.forget()

    def look(self, table: Table) -> None:
        """Count the messages that exist now, and note buttons that no longer do anything."""
        noise, row = self.noise, table.row
        channel = len(self.messages(row.channel_id))
        homes = [] if row.home_id is None else self.messages(row.home_id)
        dms = [self._direct(person) for person in self.stage.people.values()]
        direct = 0 if table.direct else max(map(len, dms))
        if table.direct:
            channel = max(map(len, dms))
        noise.home = max(noise.home, len(homes))
        if table.over:
            noise.left, noise.direct_left = channel, direct
        else:
            noise.standing = max(noise.standing, channel)
            noise.direct = max(noise.direct, direct)
        places = [homes, *dms, *([] if table.direct else [self.messages(row.channel_id)])]
        for messages in places:
            noise.dead += [f"{texts_of(m)}: {c}" for m in messages for c in _dead(table, m)]
            boards = [m for m in messages if _is_board(m)]
            noise.dead += [f"{texts_of(m)}: an old board" for m in boards[:-1]]

    def count(self, table: Table) -> Noise:
        """All counts, requests included."""
        requests = self.stage.env.http_requests[self._requests :]
        by_token = ("/webhooks/", "/interactions/")
        self.noise.all = len(requests)
        self.noise.own = sum(not request.path.startswith(by_token) for request in requests)
        moves = sum(event.seat != CHANCE for event in table.played.log)
        self.noise.moves = moves + self._resigned
        return self.noise

    # -- messages
    def messages(self, channel_id: int) -> list[Any]:
        """The bot's public messages in a channel, oldest first."""
        there = self.stage.env.backend.messages[channel_id].values()
        bot = self.stage.env.backend.bot_user.id
        mine = (m for m in there if m.author_id == bot and not m.is_ephemeral)
        return [m for m in mine if m.type != MessageType.THREAD_CREATED]

    def _direct(self, person: Any) -> list[Any]:
        channel = person.user.dm_channel
        return [] if channel is None else self.messages(channel.id)

    async def _with(self, verb: str) -> Any:
        """The newest message of the table that has a button with this verb."""
        row = (await self.table()).row
        places = [row.channel_id, *([row.home_id] if row.home_id else [])]
        return self._shown(
            next(
                message
                for place in places
                for message in reversed(self.messages(place))
                if verb in [verb_of(c.custom_id)[0] for c in controls(message)]
            )
        )

    def _shown(self, message: Any) -> Any:
        return to_discord_message(self.stage.env, message)

    def _actor(self, name: str) -> Any:
        person = self.stage.people[name]
        return person.user if self.case.place == "direct" else person


def _offers_moves(message: Any) -> bool:
    return any(control.chooses and not control.disabled for control in controls(message))


def _is_board(message: Any) -> bool:
    return any(verb_of(control.custom_id)[0] == BOARD for control in controls(message))


def _dead(table: Table, message: Any) -> Iterator[str]:
    """The labels of buttons whose press would certainly be refused."""
    for control in controls(message):
        verb, _ = verb_of(control.custom_id)
        revision = int(control.custom_id.split(":")[1].partition(".")[2])
        if verb == "go" and not table.over:
            opened = [table.opened(seat) for seat in table.awaited_persons]
            late = not opened or revision < min(opened)
        else:
            late = table.over and verb not in STAYING
        if late:
            yield control.label


@asynccontextmanager
async def party(folder: Path, case: Case, seed: int) -> Any:
    """People at a running table, in their own simulated Discord."""
    rng = random.Random(f"{case} {seed}")

    def lent() -> LentTokens:
        """The tokens of presses, which age by the simulated clock."""
        return LentTokens(lambda: stage.env.now().timestamp())

    with patch("cogs.gateway.gateway.LentTokens", lent):
        async with stage_on(folder / "tables.sqlite3", "en", rng) as stage:
            people = Party(stage, case, rng)
            await people.open()
            yield people


async def noise_of(folder: Path, case: Case, seed: int) -> Noise:
    """Play a whole match.

    :param folder: an empty folder.
    """
    async with party(folder, case, seed) as people:
        noise: Noise = await people.play()
        return noise
