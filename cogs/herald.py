"""The herald tells: lobby, boards, whose turn it is, private hands, results.

What has to be told is known from the store alone (``announced_ply < ply``), so a herald that was
struck down in the middle of a sentence says it again at the next start, once: a message that
Discord already has is recognised by its nonce.

A board is a new message when somebody new has to move, who is then pinged, once. Otherwise the
last board is changed in place: a second step of the same turn, a choice made in secret while
others still think, a computer player at work. An undo is a new board, unless somebody only opens
the own choice again while others still choose. The account of a hand or round is a message of its
own, which stays as it is; below it comes a new board.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import discord
import structlog

from cogs import board
from cogs.actions import attached
from cogs.door import Failure, Posted, Trouble
from cogs.following import tell_followers
from cogs.hands import only_sealed
from cogs.words import GameWords
from data.store import MessageRow, Status
from data.texts import Texts, texts
from data.undos import UndoRow
from games.engine import CHANCE, Fact, Match
from play.table import Refused, Table
from render import PAINTERS
from render.scene import Picture, Scene

if TYPE_CHECKING:
    from cogs.tafelrunde import Tafelrunde

log = structlog.get_logger()

RETRIES = (5.0, 30.0, 120.0, 600.0)
"""Seconds between attempts to tell something while Discord is out of reach."""

RESULTS_OWED = timedelta(days=7)
"""So long after its end a table may still be told its result."""

STORY_LIMIT = 2000
"""Characters of what happened, in the message of a board."""

PICTURES_AT_MOST = 10
"""Discord's limit for one message."""

TITLE_LIMIT = 100
"""Characters of a thread's name."""


class Herald:
    """Tells the channels what happened at their tables."""

    def __init__(self, bot: Tafelrunde) -> None:
        self._bot = bot
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._caught_up: set[int] = set()

    # -- the lobby
    async def show_lobby(self, table_id: int) -> None:
        """Post the lobby, or bring the one that stands there up to date."""
        async with self._lock(table_id):
            await self._show_lobby(await self._bot.tables.get(table_id))

    async def _show_lobby(self, table: Table) -> None:
        say = texts(table.row.language)
        view = board.lobby_view(table, self._bot.words_of(table), say)
        standing = await self._bot.store.messages(table.id, "lobby")
        if standing:
            await self._bot.door.edit(standing[-1].channel_id, standing[-1].message_id, view)
            return
        posted = await self._bot.door.post(table.row.channel_id, view, nonce=f"{table.id}.lobby")
        if isinstance(posted, Failure):
            await self._bot.store.end(
                table.id, Status.ENDED, {"how": "unpostable"}, self._bot.tables.clock()
            )
            raise Refused("cannot_post", place=table.row.channel_id)
        await self._remember(table, "lobby", posted)

    async def open_thread(self, channel_id: int, title: str) -> int:
        """Open a thread for a table.

        :raises Refused: ``no_thread``.
        """
        thread = await self._bot.door.open_thread(channel_id, title[:TITLE_LIMIT])
        if isinstance(thread, Failure):
            raise Refused("no_thread")
        return thread

    # -- the match
    async def announce(self, table_id: int, attempt: int = 0) -> Failure | None:
        """Play what is planned, tell what the channel has not heard yet, then see what follows.

        It never raises: what is to be told has happened, whether it can be told or not.

        :param attempt: how often it was tried before.
        :returns: why the channel could not be told; it is tried again if that may help.
        """
        try:
            failure = await self._tell(table_id, attempt)
        except Exception:
            log.exception("announcing_failed", table=table_id)
            failure = Failure(Trouble.FAULT)
        if failure is not None:
            self._bot.try_later()
        self._bot.follow_up(table_id)
        return failure

    async def _tell(self, table_id: int, attempt: int) -> Failure | None:
        await self._bot.planner.play(table_id)
        async with self._lock(table_id):
            table = await self._bot.keeper.follow(table_id)
            undos = await self._bot.store.undos.unannounced(table_id)
            failure = None
            untold = undos or table.row.announced_ply < table.row.ply
            if untold and table.match is not None:
                failure = await self._announce(table, undos)
            if failure is not None:
                await self._cope(table, failure, attempt)
            return failure

    async def refresh(self, table_id: int) -> Failure | None:
        """Show the table as it stands where its last message is, or anew if it has none here:
        somebody else sits at it, or it was moved to another channel.
        """
        async with self._lock(table_id):
            table = await self._bot.keeper.follow(table_id)
            for message in await self._bot.store.messages(table_id):
                if message.person_id is None and message.channel_id != table.row.channel_id:
                    await self._bot.store.forget_message(message.message_id)
            if not table.started:
                await self._show_lobby(table)
                return None
            failure = await self._show_board(table)
        self._bot.follow_up(table.id)
        return failure

    async def refresh_all(self, tables: Iterable[Table]) -> None:
        """Show several tables as they stand, one after the other."""
        for table in tables:
            await self.refresh(table.id)

    async def catch_up(self) -> None:
        """After a start: tell what the last process could not, and go on where it stopped.

        No table keeps another one from being caught up with.
        """
        await self.tell_owed()
        recently = self._bot.tables.clock() - RESULTS_OWED
        for row in await self._bot.store.untold_results(recently):
            await self._bot.guarded(self._owed_result(row.id))
        for row in await self._bot.store.open_tables():
            await self._bot.guarded(self._go_on(row.id))

    async def tell_owed(self) -> None:
        """Tell all channels what they have not heard yet, unless it is long over."""
        recently = self._bot.tables.clock() - RESULTS_OWED
        for row in await self._bot.store.unannounced():
            if row.status is Status.RUNNING or row.moved_at >= recently:
                await self.announce(row.id)

    async def _owed_result(self, table_id: int) -> None:
        await self._tell_result(await self._bot.tables.get(table_id))

    async def _go_on(self, table_id: int) -> None:
        table = await self._bot.tables.get(table_id)
        if not table.started:
            await self.show_lobby(table.id)
        elif table.match is not None:
            await self._bot.hands.catch_up(table)
        self._bot.wake_computers(table_id)

    async def catch_up_with(self, table_id: int) -> None:
        """Before anything new happens at a table: tell what the last process left untold there."""
        if table_id not in self._caught_up:
            await self.announce(table_id)
            self._caught_up.add(table_id)

    async def tell_resigned(self, table: Table, person_id: int) -> None:
        """Tell the channel that somebody gave up, and what follows."""
        say = texts(table.row.language)
        member = table.member_of(person_id)
        name = (
            "" if member is None or member.seat is None else board.player_name(table, member.seat)
        )
        if table.running:
            note = say("{name} has resigned; a computer player goes on in that seat.", name=name)
        elif table.row.status is Status.FINISHED:
            note = say("{name} has resigned, and the other one wins.", name=name)
        else:
            note = say(
                "{name} has resigned. Nobody is left, so the match ends without a result.",
                name=name,
            )
        await self._bot.door.post(table.row.channel_id, board.note_view(note))
        self._bot.follow_up(table.id)
        if not table.running:
            await self._strip_boards(table)
        if table.row.status is Status.FINISHED:
            await self._tell_result(table)

    async def tell_finished(self, table: Table) -> None:
        """Tell the result of a match that was finished by agreement."""
        await self._strip_boards(table)
        await self._tell_result(table)
        self._bot.follow_up(table.id)

    async def tell_ended(self, table: Table) -> None:
        """Tell the channel that a table was stopped."""
        if not table.started:
            await self.show_lobby(table.id)
            return
        say = texts(table.row.language)
        await self._strip_boards(table)
        code = f"`{table.row.code}`"
        note = say("Table {code} has ended without a result.", code=code)
        if (table.row.result or {}).get("how") == "deserted":
            note = say("Nobody plays in person at table {code} any more.", code=code) + " " + note
        await self._bot.door.post(table.row.channel_id, board.note_view(note))
        await tell_followers(self._bot, table)
        self._bot.follow_up(table.id)

    # -- what private answers are made of
    async def board_pictures(
        self, table: Table, say: Texts, since: int | None = None
    ) -> list[Picture]:
        """The public board, with what happened since a ply marked on it."""
        scene = self._scene(table, None, say, since=table.played.ply if since is None else since)
        return [await asyncio.to_thread(PAINTERS[table.row.game].board, scene)]

    async def news(self, table: Table, seat: int | None, say: Texts) -> tuple[list[Picture], str]:
        """The public board and the story since the last move of a seat.

        :param seat: None: a spectator, who is told the last move.
        """
        match = table.played
        since = last_move(match, match.ply) if seat is None else last_of(match, seat)
        return await self.board_pictures(table, say, since), self.story(table, say, since)

    async def account_pictures(self, table: Table, say: Texts, since: int) -> list[Picture]:
        """What the facts since a ply call for beside the board."""
        scene = self._scene(table, None, say, since=since)
        return await asyncio.to_thread(PAINTERS[table.row.game].results, scene)

    async def focus_picture(
        self, table: Table, seat: int, prefix: str, say: Texts
    ) -> Picture | None:
        """The board, or the private hand where there is one, with the legal ways to go on from
        ``prefix``, for the person to move.
        """
        match = table.played
        legal = [m for m in match.game.legal(match.state, seat) if m.startswith(prefix)]
        scene = self._scene(table, seat, say, since=match.ply, focus=prefix, legal=legal)
        painter = PAINTERS[table.row.game]
        draw = painter.hand if match.game.info.hidden else painter.board
        return await asyncio.to_thread(draw, scene)

    async def hand_pictures(self, table: Table, seat: int, say: Texts) -> list[Picture]:
        """The private hand of a seat."""
        scene = self._scene(table, seat, say, since=table.played.ply)
        picture = await asyncio.to_thread(PAINTERS[table.row.game].hand, scene)
        return [] if picture is None else [picture]

    async def close_up_picture(self, table: Table, part: int, say: Texts) -> Picture | None:
        """A part of the table, enlarged."""
        scene = self._scene(table, None, say, since=table.played.ply)
        return await asyncio.to_thread(PAINTERS[table.row.game].close_up, scene, part)

    def position_text(self, table: Table, seat: int | None, say: Texts) -> str:
        """The whole position in words, as far as ``seat`` may know it."""
        scene = self._scene(table, seat, say, since=table.played.ply)
        return PAINTERS[table.row.game].text(scene)

    async def log_text(self, table: Table, seat: int | None, say: Texts) -> str:
        """The moves so far, numbered, as far as ``seat`` may know them, and what was undone."""
        words = self._bot.words_of(table)
        undone = await self._undone_by_ply(table, say)
        stood_in = await self._bot.tables.stood_in(table)
        lines = undone.get(0, [])
        for number, (who, move, facts) in enumerate(table.played.history(seat), 1):
            name = say("(lot)") if who == CHANCE else table.names[who]
            if number - 1 in stood_in:
                name = say("{name} (computer player)", name=name)
            shown = "–" if move is None else words.logged(move, facts, table.names, say)
            if number - 1 in table.covered:
                shown = say("(lies face down)")
            lines += [f"{number:3}  {name}: {shown}", *undone.get(number, [])]
        return "\n".join(lines) or say("Nothing has happened yet.")

    async def _undone_by_ply(self, table: Table, say: Texts) -> dict[int, list[str]]:
        """What was undone, in words, by the number of events that stand before it today."""
        words = self._bot.words_of(table)
        lines: dict[int, list[str]] = {}
        ply = table.played.ply
        for undo in reversed(await self._bot.store.undos.of_table(table.id)):
            ply = min(ply, undo.ply)  # a later undo may have cut deeper
            line = undone_in_words(undo, words, table.names, say)
            agreed = [m.name for m in table.members if m.person_id in undo.agreed]
            if agreed:
                line += " " + say("Agreed: {names}.", names=say.list(agreed))
            lines.setdefault(ply, []).insert(0, f"  ↶  {line}")
        return lines

    # -- inside
    def _scene(
        self,
        table: Table,
        viewer: int | None,
        say: Texts,
        *,
        since: int,
        focus: str = "",
        legal: Sequence[str] = (),
    ) -> Scene:
        told = table.played.history(viewer, since)
        return Scene(
            view=table.played.view(viewer),
            names=table.names,
            say=say,
            code=table.row.code,
            facts=tuple(fact for _, _, facts in told for fact in facts),
            moves=tuple((seat, move) for seat, move, _ in told if move is not None),
            focus=focus,
            legal=tuple(legal),
            computers=frozenset(m.seat for m in table.members if m.level and m.seat is not None),
        )

    async def _announce(self, table: Table, undos: Sequence[UndoRow]) -> Failure | None:
        if table.row.announced_ply < 0:
            await self._show_lobby(table)
        since = max(table.row.announced_ply, 0)
        say = texts(table.row.language)
        accounted = await self._post_accounts(table, say, since)
        if isinstance(accounted, Failure):
            return accounted
        called = newly_called(table, since, undos)
        last = await self._bot.store.messages(table.id, "board")
        fresh = called or accounted or _turn_was_lost(table, undos)
        change = bool(last and table.running and not fresh)
        told_from = story_begins(table.played, since)
        if last and not undos:
            told_from = min(told_from, unseen_from(table, last[-1].ply))
        pictures = await self.board_pictures(table, say, told_from)
        first = change and only_drawn(table.played, last[-1].ply)
        story = self.story(table, say, told_from, sealed=first)
        if undos:
            story = " ".join([*self._undone(table, undos, say), story]).rstrip()
        view = board.board_view(table, self._bot.words_of(table), say, pictures, story)
        changed = change and await self._change_board(last[-1], view, pictures)
        if not changed:
            failure = await self._post_board(table, view, pictures, called, last)
            if failure is not None:
                return failure
        await self._bot.store.set_announced(table.id, table.row.ply, table.row.undos)
        if undos:
            await self._bot.store.undos.set_announced(table.id, undos[-1].number)
        await self._bot.hands.send(table, called, None if undos else since)
        await self._bot.notices.call(table, called)
        if table.row.status is Status.FINISHED:
            await self._tell_result(table)
        return None

    def story(self, table: Table, say: Texts, since: int, *, sealed: bool = False) -> str:
        """What happened since a ply, as everybody may know it, in a few sentences.

        :param sealed: the board is the first one, which bears the seal, and is changed in place.
        """
        words = self._bot.words_of(table)
        names = board.figure_names(table.names, words.owners(table.played.view(None)), say)
        facts: list[Fact] = [f for _, _, told in table.played.history(None, since) for f in told]
        sentences = [words.tell(fact, names, say) for fact in facts]
        told = newest_of([sentence for sentence in sentences if sentence])
        opening = table.row.announced_ply < 0 or since == 0 < table.row.announced_ply
        return f"{told}\n{self._proof(table, say)}".lstrip() if opening or sealed else told

    def _proof(self, table: Table, say: Texts) -> str:
        """What binds the bot to its lots and draws before the first of them is known."""
        seal = f"`{table.played.setup.commitment()}`"
        return "-# " + say("Seal of all lots and draws (SHA-256 of the seed): {seal}", seal=seal)

    async def _post_accounts(self, table: Table, say: Texts, since: int) -> Failure | bool:
        """Post the pictures that account for a hand or round.

        :returns: whether one has ended, or why it could not be told.
        """
        pictures = (await self.account_pictures(table, say, since))[-PICTURES_AT_MOST:]
        if not pictures:
            return False
        title = board.title_line(table, self._bot.words_of(table), say)
        posted = await self._bot.door.post(
            table.row.channel_id,
            board.picture_view(pictures, title),
            attached(pictures),
            nonce=f"{table.id}.{table.stamp}.account",
        )
        return posted if isinstance(posted, Failure) else True

    async def _change_board(
        self, last: MessageRow, view: discord.ui.LayoutView, pictures: Sequence[Picture]
    ) -> bool:
        """Change the last board in place; false if it cannot be changed any more."""
        failure = await self._bot.door.edit(
            last.channel_id, last.message_id, view, attached(pictures)
        )
        return failure is None

    async def _post_board(
        self,
        table: Table,
        view: discord.ui.LayoutView,
        pictures: Sequence[Picture],
        called: Sequence[int],
        last: Sequence[MessageRow],
        nonce: str | None = None,
    ) -> Failure | None:
        persons = [table.members[seat].person_id for seat in called]
        posted = await self._bot.door.post(
            table.row.channel_id,
            view,
            attached(pictures),
            nonce=nonce or f"{table.id}.{table.stamp}",
            mentions=[person for person in persons if person is not None],
        )
        if isinstance(posted, Failure):
            return posted
        for old in last:
            if old.message_id != posted.message_id:
                await self._strip(old)
        await self._remember(table, "board", posted)
        return None

    async def _show_board(self, table: Table) -> Failure | None:
        """Change the board that stands in the table's channel, or post it there."""
        say = texts(table.row.language)
        since = last_move(table.played, table.played.ply)
        pictures = await self.board_pictures(table, say, since)
        story = self.story(table, say, since)
        view = board.board_view(table, self._bot.words_of(table), say, pictures, story)
        last = await self._bot.store.messages(table.id, "board")
        if not last or not await self._change_board(last[-1], view, pictures):
            nonce = f"{table.row.channel_id}.{table.row.ply}"
            failure = await self._post_board(table, view, pictures, (), last, nonce)
            if failure is not None:
                return failure
        await self._bot.hands.send(table, (), None)
        return None

    def _undone(self, table: Table, undos: Sequence[UndoRow], say: Texts) -> list[str]:
        """What was taken back, one sentence or more for each undo."""
        words = self._bot.words_of(table)
        names = board.player_names(table)
        return [undone_in_words(undo, words, names, say) for undo in undos]

    async def _tell_result(self, table: Table) -> None:
        say = texts(table.row.language)
        view = board.result_view(table, self._bot.words_of(table), say)
        posted = await self._bot.door.post(table.row.channel_id, view, nonce=f"{table.id}.result")
        if isinstance(posted, Posted):
            await self._remember(table, "result", posted)
        await tell_followers(self._bot, table)

    async def link(self, table: Table) -> str | None:
        """The way to the last board of a table."""
        boards = await self._bot.store.messages(table.id, "board")
        if not boards or table.row.guild_id is None:
            return None
        place = boards[-1]
        return (
            f"https://discord.com/channels/{table.row.guild_id}"
            f"/{place.channel_id}/{place.message_id}"
        )

    async def _remember(
        self, table: Table, kind: str, posted: Posted, person_id: int | None = None
    ) -> None:
        ply = 0 if table.match is None else table.match.ply
        await self._bot.store.remember_message(
            MessageRow(table.id, kind, posted.channel_id, posted.message_id, person_id, ply)
        )

    async def _strip_boards(self, table: Table) -> None:
        for kind in ("board", "hand"):
            for message in await self._bot.store.messages(table.id, kind):
                await self._strip(message)

    async def _strip(self, message: MessageRow) -> None:
        """Take the controls off an old message and forget it."""
        await self._bot.door.strip(message.channel_id, message.message_id)
        await self._bot.store.forget_message(message.message_id)

    def _lock(self, table_id: int) -> asyncio.Lock:
        """Held by whoever changes what a table's channel shows."""
        return self._locks.setdefault(table_id, asyncio.Lock())

    async def _cope(self, table: Table, failure: Failure, attempt: int) -> None:
        """What could not be told: try again later if that may help. A table that runs is parked
        when its channel is lost, by whoever hears of it; of one that is over, the rest is told.
        """
        if failure.trouble is Trouble.GONE and table.row.status is Status.FINISHED:
            await self._close_unheard(table)
        elif failure.trouble.passing and attempt < len(RETRIES):
            self._bot.later(self._announce_again(table.id, attempt))

    async def _close_unheard(self, table: Table) -> None:
        """The match is over and its channel lost: tell those whom a direct message reaches."""
        log.warning("ended_unheard", table=table.id, channel=table.row.channel_id)
        await self._bot.store.set_announced(table.id, table.row.ply, table.row.undos)
        for undo in await self._bot.store.undos.unannounced(table.id):
            await self._bot.store.undos.set_announced(table.id, undo.number)
        await self._bot.hands.send(table, (), None)
        await tell_followers(self._bot, table)

    async def _announce_again(self, table_id: int, attempt: int) -> None:
        await asyncio.sleep(RETRIES[attempt])
        await self.announce(table_id, attempt + 1)


def newest_of(sentences: Sequence[str]) -> str:
    """As many of the last sentences as a message has room for: there are more if a channel could
    not be told anything for long.
    """
    room, told = STORY_LIMIT, list[str]()
    for sentence in reversed(sentences):
        room -= len(sentence) + 1
        if room < 0:
            told.append("…")
            break
        told.append(sentence)
    return " ".join(reversed(told))


def last_move(match: Match[Any], before: int) -> int:
    """The ply of the last event before a ply that was no draw; 0 if there was none."""
    moves = (ply for ply in range(before - 1, -1, -1) if match.log[ply].seat != CHANCE)
    return next(moves, 0)


def story_begins(match: Match[Any], since: int) -> int:
    """The ply from which a board tells.

    That is ``since``, unless choices have only been sealed: they take nothing away from what the
    board told when it called for them, from the move on that brought the decision about.
    """
    if not only_sealed(match, since):
        return since
    opened = min(match.opened(seat) for seat in match.actors if match.opened(seat) <= since)
    return last_move(match, opened)


def unseen_from(table: Table, posted: int) -> int:
    """The ply from which something may have happened that only the standing board has told.

    While nobody is called, as when computer players move one after the other, that board is changed
    in place. The next one tells it again, from the last move of those who are to move now, or, as
    long as computer players are to move, from the last one of any person.

    :param posted: the ply at which the standing board was posted.
    """
    persons = [seat for seat in range(len(table.members)) if table.computer_at(seat) is None]
    awaited = table.awaited_persons
    own = [last_of(table.played, seat) for seat in awaited or persons]
    return max(posted, min(own) if awaited else max(own, default=0))


def last_of(match: Match[Any], seat: int) -> int:
    """The ply of the last event of a seat; 0 if there was none."""
    own = (ply for ply in range(match.ply - 1, -1, -1) if match.log[ply].seat == seat)
    return next(own, 0)


def only_drawn(match: Match[Any], before: int) -> bool:
    """Whether only chance has had its say before a ply."""
    return all(event.seat == CHANCE for event in match.log[:before])


def undone_in_words(undo: UndoRow, words: GameWords, names: Sequence[str], say: Texts) -> str:
    """What somebody took back, and what went with it.

    :param names: by seat.
    """
    moves = board.moves_in_words(undo.moves, words, names, say)
    return say("{name} takes back {moves}.", name=names[undo.seat], moves=moves)


def _turn_was_lost(table: Table, undos: Sequence[UndoRow]) -> bool:
    """Whether an undo took the turn from somebody, or went further back than one's own choice."""
    return any(undo.agreed or set(table.awaited) <= {undo.seat} for undo in undos)


def newly_called(table: Table, since: int, undos: Sequence[UndoRow] = ()) -> list[int]:
    """The seats of persons who have to move and have not been called for this decision yet.

    After an undo to which others have agreed, all who have to move are called: it may be long
    since it was asked for.

    Not called again is who owed a decision at ``since`` already, unless somebody else has moved
    after that person's own last move.
    """
    match = table.played
    if table.row.announced_ply < 0 or any(undo.agreed for undo in undos):
        return list(table.awaited_persons)
    before = Match.replay(match.game, match.setup, match.log[:since]).actors
    movers = [event.seat for event in match.log[since:] if event.seat != CHANCE]
    return [
        seat
        for seat in table.awaited_persons
        if seat not in before or (seat in movers and movers[-1] != seat)
    ]
