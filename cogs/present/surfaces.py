"""The messages that should exist in Discord for a table. They depend only on the table, and on how
much of it earlier messages have shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import takewhile
from typing import Final

from cogs.gateway.cards import Card, Gallery, Part, Style, collapsed
from cogs.present import notes
from cogs.present.absent import WAITING
from cogs.present.board import (
    board_card,
    ended_card,
    result_card,
    result_in_words,
    title_line,
    turn_line,
)
from cogs.present.choices import table_button, way_rows
from cogs.present.drawings import results_drawing
from cogs.present.lobby import (
    home_card,
    invitation_card,
    lobby_card,
    lots_card,
    rematch_card,
)
from cogs.present.private import hand_card
from cogs.present.story import arrived, rounds_in_short, since_call, story
from cogs.present.votes import vote_card
from cogs.present.words import GameWords
from data.store.rows import NOWHERE, Line, Status
from data.texts import Texts, texts
from games.absent import NO_GAME
from play.aggregate import Command
from play.analysis import analysis_of
from play.decide import CallAtTable
from play.lines import HINDERED
from play.lobby import DrawLots
from play.seats import is_called
from play.table import Table
from play.together import blocks
from play.votes import open_votes, tally

FINALE = frozenset({"finish", "end"})
"""Kinds of journal lines that end a table whose match has started."""

KEEP, LINES = "keep", "lines"
"""The values of ``ServerRow.boards`` other than ``clean``."""

ROUNDS_IN_TRAIL = 10
"""The maximum number of lines in a message that gains a line per round. Once it is full, the next
round starts a new message.
"""


class Retire(StrEnum):
    """What happens to a message once its surface is no longer wanted."""

    DELETE = "delete"
    STRIP = "strip"
    """Remove the message's controls."""
    STAY = "stay"
    """Leave the message as it is, controls included."""


@dataclass(frozen=True, slots=True)
class Way:
    """A link to another message of the table, in a chat.

    :param key: the key of the linked surface.
    """

    key: str
    label: str


KEYS: Final[Mapping[str, str]] = {
    # of a table
    "lobby": "the lobby; for a table in a thread, later the status and the winners",
    "lots": "announces the lots; its message id is part of the seed",
    "board": "the board with its controls; a call at the table posts it again",
    "chat": "lobby and board in one message, where the bot can only answer interactions",
    "call": "whose turn it is, in a chat, where an edit pings nobody",
    "hand": "a person's hand, by direct message; a call posts it again",
    "turn": "tells a person that it is their turn, by direct message",
    "plans": "why a person's planned moves are dropped, by direct message",
    "account": "how the last hand or round ended, as a picture",
    "trail": "a line for each round, if the server wants that",
    "result": "how the match ended",
    "vote": "an open question",
    "offer": "a seat that somebody may take",
    "invite": "invites a person to sit down, or asks for a rematch by direct message",
    "over": "tells a player or follower how the match ended, by direct message",
    "waiting": "the table waits because the package of its game is missing",
    # of an occasion
    "tournament": "a tournament: sign-up, then bracket or standings",
    "note": "news of a tournament: a round, a decision of its organisers",
    "podium": "the winners of a tournament",
    "season": "the final standings of a season",
    "seek": "somebody is seeking a table, with a button to sit down",
    "seated": "tells a person that a table was found",
    "expired": "tells a person that their search has ended",
    "recalled": "tells a person that their server no longer allows their search",
    "failed": "tells a person that their table could not be opened",
    "day": "the riddle and the deal of the day",
    HINDERED: "tells the person who last set up an occasion that the bot cannot post there",
}
"""What a message is for, by the first part of its surface's key. After a colon, a suffix
distinguishes several such messages: by journal line, by person, or by number; ``channel`` marks the
message that replaces a direct message. A copy for a person's direct messages ends with ``@`` and
that person's id.
"""


@dataclass(frozen=True, slots=True)
class Surface:
    """A message that should exist.

    :param key: identifies the message within its table or occasion; a new key means a new message,
        which may ping. Its first part is one of ``KEYS``.
    :param person: the reader of a direct message; None: the message is in a channel.
    :param home: whether to post it in the parent channel instead of the table's thread.
    :param pings: people the message pings when it is posted.
    :param retire: what to do with the message once it is no longer wanted.
    :param final: never edit it once posted.
    :param late: True: post it if it does not exist yet. False: only edit an existing message.
    :param silent: post it without a notification sound.
    :param otherwise: post this instead if the person does not accept direct messages.
    :param way: a link to another message of the table, shown below this one.
    """

    key: str
    card: Card
    person: int | None = None
    home: bool = False
    pings: tuple[int, ...] = ()
    retire: Retire = Retire.STRIP
    final: bool = False
    late: bool = True
    silent: bool = False
    otherwise: Surface | None = None
    way: Way | None = None

    def __post_init__(self) -> None:
        """:raises ValueError: the key does not begin with any of ``KEYS``."""
        if self.key.partition("@")[0].partition(":")[0] not in KEYS:
            raise ValueError(f"no such surface: {self.key!r}")


class Presenter:
    """Lists the messages that should exist for each table.

    :param words: the words of each game, by id.
    """

    def __init__(self, words: Mapping[str, GameWords]) -> None:
        self.words = words

    def words_of(self, table: Table) -> GameWords:
        """Return the words of a table's game."""
        return self.words[table.row.game]

    def surfaces(self, table: Table, told: int, told_from: Callable[[str], int]) -> list[Surface]:
        """Return all messages that should exist for a table, in posting order. Pure.

        :param told: every message shows the table up to this line of its journal.
        :param told_from: see ``cogs.delivery.delivery.Showing``.
        """
        return list(_Wanted(table, self.words, told, told_from).all())

    def next_command(
        self, table: Table, message_of: Callable[[str], int | None]
    ) -> Command[Table] | None:
        """Return the command that draws the lots; None if the message that determines them does not
        exist yet, or no lots are due.

        :param message_of: returns the id of an existing message, by key.
        """
        message_id = message_of(f"lots:{table.drawing}")
        return None if message_id is None else DrawLots(table.drawing, message_id)

    def when_hindered(self, table: Table) -> Command[Table] | None:
        """Return None: players will notice at the next move."""
        return None

    def when_unreached(self, table: Table, person_id: int) -> Command[Table] | None:
        """Return the command that calls a person at the table after a direct message has failed to
        reach them; None unless this person was called by direct message and is still to move.
        """
        seat = table.seat_of(person_id)
        call = None if seat is None or not table.running else table.call_of(seat)
        if seat is None or call is None or seat not in call.dm:
            return None
        return CallAtTable(seat, call.line) if seat in table.awaited_persons else None


@dataclass(frozen=True)
class _Wanted:
    """The surfaces of one table at one moment; parameters as in ``Presenter.surfaces``."""

    table: Table
    words_by_game: Mapping[str, GameWords]
    told: int
    told_from: Callable[[str], int]

    @cached_property
    def say(self) -> Texts:
        """Texts in the language of the table's channel."""
        return texts(self.table.row.language)

    @cached_property
    def words(self) -> GameWords:
        return self.words_by_game[self.table.row.game]

    @cached_property
    def untold(self) -> tuple[Line, ...]:
        """The journal lines that the channel does not show yet."""
        return self.table.journal[self.told :]

    @cached_property
    def finale(self) -> Line | None:
        """The new line that ended a table whose match had started; None if there is none."""
        return next((line for line in self.untold if line.kind in FINALE), None)

    @property
    def goes_on(self) -> bool:
        """Whether a match is running and its game is installed."""
        return self.table.running and self.table.match is not None

    @property
    def boards(self) -> str:
        """Which boards the server wants to keep in its channels; see ``ServerRow.boards``."""
        return self.table.server.boards

    def personal(self, person_id: int) -> Texts:
        """Return texts in one person's language."""
        return texts(self.table.settings(person_id).language or self.table.row.language)

    def all(self) -> Iterator[Surface]:
        """Yield all surfaces, in posting order. At a table in direct messages, each player gets a
        copy of every public message except ``lots``.
        """
        for surface in self.of_table():
            if self.has_reader(surface):
                yield from self.unless_muted(self.unless_uncalled(surface))
            if surface.person is None and not surface.key.startswith("lots:"):
                for copy in filter(self.has_reader, self.copies(surface)):
                    yield from self.unless_muted(copy)

    def has_reader(self, surface: Surface) -> bool:
        """Return whether there is anybody to read the surface. People who have deleted their data
        have negative ids, and a table that was played in their direct messages has the channel
        ``NOWHERE``.
        """
        reader = self.table.channel_id if surface.person is None else surface.person
        return reader > NOWHERE

    def unless_muted(self, surface: Surface) -> Iterator[Surface]:
        """Yield the surface, unless its reader has muted the table. Muting stops direct messages
        and pings; at a table in direct messages, it makes messages silent instead.
        """
        table, muted = self.table, self.table.muted
        direct = table.direct
        reader = surface.person
        if direct and reader is None:
            reader = self.channel_reader
        if reader not in muted:
            otherwise = surface.otherwise
            if otherwise is not None:
                otherwise = next(self.unless_muted(otherwise), None)
            pings = tuple(person for person in surface.pings if person not in muted)
            yield replace(surface, pings=pings, otherwise=otherwise)
        elif direct:
            yield replace(surface, pings=(), silent=True)

    def unless_uncalled(self, surface: Surface) -> Surface:
        """Return the surface, made silent if the table's channel is one person's direct messages
        and the surface does not call that person.
        """
        if surface.person is not None or not self.table.direct:
            return surface
        pings = tuple(person for person in surface.pings if person == self.channel_reader)
        return replace(surface, pings=pings, silent=surface.silent or not pings)

    def copies(self, surface: Surface) -> Iterator[Surface]:
        """Yield a copy of a public message for every player except the one whose direct messages
        are the table's channel.
        """
        table = self.table
        if not table.direct:
            return
        for member in table.members:
            person = member.person_id
            if person is None or person == self.channel_reader:
                continue
            if person in table.asked and person not in self.asked():
                continue  # they have blocked the host
            silent = surface.silent or person not in surface.pings
            yield replace(surface, key=f"{surface.key}@{person}", person=person, silent=silent)

    @cached_property
    def channel_reader(self) -> int | None:
        """The person whose direct messages serve as the table's channel."""
        table = self.table
        people = (member.person_id for member in table.members if member.person_id)
        here = (p for p in people if table.settings(p).dm_channel == table.row.channel_id)
        return next(here, None)

    def of_table(self) -> Iterator[Surface]:
        """Yield the messages in the table's channel, and those to individual people."""
        table = self.table
        if table.row.status is Status.PARKED:
            return
        yield from self.lobby()
        yield from self.rematch_offers()
        yield from self.invitations()
        if table.drawing:
            card = lots_card(table, self.say)
            yield Surface(f"lots:{table.drawing}", card, retire=Retire.STAY, silent=True)
        if table.unreadable == NO_GAME and table.running:
            yield Surface("waiting", Card((self.say(WAITING),)), retire=Retire.DELETE)
        if table.started and not table.damaged:
            if table.chat:
                yield from self.chat()
            else:
                yield from self.account()
                yield from self.trail()
                yield from self.board()
                yield from self.hands()
            yield from self.calls()
            yield from self.dropped_plans()
            yield from self.result()
            yield from self.votes()
            yield from self.offers()
            yield from self.endings()

    # -- before the start
    def lobby(self) -> Iterator[Surface]:
        """Yield the message where people join until the match begins or the table closes. If the
        table has a thread of its own, this message stays in the parent channel and shows the
        table's status.
        """
        table = self.table
        waiting, home = table.row.status is Status.LOBBY, table.row.home_id is not None
        closed = table.over and not table.started
        if waiting or closed:
            card = lobby_card(table, self.words, self.say)
        elif home and not table.damaged:
            card = home_card(table, self.words, self.say)
        else:
            return
        key = "chat" if table.chat else "lobby"
        late = waiting or (home and not table.over)
        retire = Retire.STAY if table.over else Retire.DELETE
        pings = tuple(person for person in self.asked() if not table.asked_by_dm(person))
        if pings and not table.direct:  # only people who are mentioned can be pinged
            named = " ".join(f"<@{person}>" for person in pings)
            card = replace(card, parts=(*card.parts, f"-# {named}"))
        yield Surface(
            key,
            card,
            home=home,
            pings=pings,
            retire=retire,
            final=table.over,
            late=late,
            silent=not waiting,
        )

    def asked(self) -> Iterator[int]:
        """Yield the people to ask for a rematch, except those who have blocked the host."""
        table = self.table
        for person in table.asked if table.gathering else ():
            if not blocks(table.settings(person), table.row.host_id):
                yield person

    def rematch_offers(self) -> Iterator[Surface]:
        """Yield rematch offers to people who prefer direct messages."""
        table = self.table
        for person in self.asked():
            if table.asked_by_dm(person):
                short = notes.rematch_offered(table, person, self.say)
                yield self._invitation(
                    f"invite:rematch:{person}",
                    person,
                    rematch_card(table, self.words, self.personal(person)),
                    short,
                )

    def invitations(self) -> Iterator[Surface]:
        """Yield invitations to join, each with a button that works where the person reads the
        invitation.
        """
        for person, line in self.table.invitations.items():
            since = self.table.journal[line.number :]
            accepted = any(each.kind == "join" and each.person_id == person for each in since)
            if accepted or self.table.member_of(person) is not None:
                continue  # the lobby shows them, or they have left and are no longer invited
            key = f"invite:{line.number}"
            host = next((m for m in self.table.members if str(m.number) == line.text), None)
            name = self.table.members[0].name if host is None else host.name
            short = notes.invited(self.table, person, name, self.say)
            card = invitation_card(self.table, line, self.words, self.personal(person))
            yield self._invitation(key, person, card, short)

    def _invitation(self, key: str, person: int, card: Card, short: str) -> Surface:
        """Return an invitation by direct message; if it cannot be delivered, a line in the channel
        replaces it.
        """
        otherwise = Surface(
            f"{key}:channel",
            Card((short,)),
            home=self.table.row.home_id is not None,
            pings=(person,),
            retire=Retire.DELETE,
        )
        return Surface(key, card, person=person, retire=Retire.DELETE, otherwise=otherwise)

    # -- a chat, where the bot can only answer
    def chat(self) -> Iterator[Surface]:
        """Yield the one message that is updated at every press, and a message for the latest call,
        because an edit pings nobody. A button on the board shows hands.
        """
        table = self.table
        if table.match is None or not (table.running or self.finale):
            return
        card = board_card(table, self.words, self.say, since_call(table))
        yield Surface("chat", card, final=not table.running, retire=Retire.STAY)
        line = next((call.line for call in table.calls() if call.table), table.begun)
        called = self.called(f"call:{line}")
        if called:
            told = story(table, self.words, self.say, since_call(table))
            text = f"{told}\n{turn_line(table, self.say)}".lstrip()
            way = Way("chat", self.say("To the board"))
            yield Surface(
                f"call:{line}",
                Card((text,)),
                pings=called,
                retire=Retire.DELETE,
                final=True,
                late=line > self.told,
                way=way,
            )

    # -- the channel
    def called(self, key: str) -> tuple[int, ...]:
        """Return the people to move whom this message calls at the table: everyone called there
        after the last line that earlier messages show.
        """
        table, told = self.table, self.told_from(key)
        calls = takewhile(lambda call: call.line > told, table.calls())
        seats = {seat for call in calls for seat in call.table}
        found = (table.members[seat].person_id for seat in table.awaited_persons if seat in seats)
        return tuple(person for person in found if person is not None)

    def account(self) -> Iterator[Surface]:
        """Yield the account of the last hand or round until the next one ends. If the server keeps
        every board, accounts stay, too.
        """
        table, line = self.table, self.table.last_account
        if not line or not self.goes_on:
            return
        retire = Retire.STRIP if self.boards == KEEP else Retire.DELETE
        parts: tuple[Part, ...] = (title_line(table, self.words, self.say, line),)
        # a picture that has been delivered stays, and would be expensive to draw again
        if line > self.told:
            parts = (Gallery((results_drawing(table, self.say, line),)), *parts)
        late = any(each.kind == "account" for each in self.untold)
        yield Surface(
            f"account:{line}", Card(parts), retire=retire, final=True, late=late, silent=True
        )

    def trail(self) -> Iterator[Surface]:
        """Yield a line for each round, if the server wants that. A message gains lines until it is
        full; then another one starts.
        """
        table = self.table
        if self.boards != LINES or table.match is None or not (table.running or self.finale):
            return
        told = rounds_in_short(table, self.words, self.say, ROUNDS_IN_TRAIL)
        for number, line, lines in told:
            full = len(lines) == ROUNDS_IN_TRAIL
            yield Surface(
                f"trail:{number}",
                collapsed("\n".join(f"-# {each}" for each in lines)),
                retire=Retire.STAY if full or table.over else Retire.DELETE,
                final=table.over,
                late=line > self.told,
                silent=True,
            )

    def board(self) -> Iterator[Surface]:
        """Yield the board. Calls and reminders at the table post the board again, below everything
        else; any other change edits it. In direct messages, everybody has a board of their own.
        """
        table = self.table
        shown = table.running or (self.boards == KEEP and self.finale)
        if table.match is None or not shown:
            return
        since = since_call(table)
        if not table.direct:
            line = next((call.line for call in table.calls() if call.table), table.begun)
            card = board_card(table, self.words, self.say, since)
            yield self._board(f"board:{line}", card, self.called(f"board:{line}"), line)
            return
        for seat, member in enumerate(table.members):
            person = member.person_id
            if person is not None:
                own = seat if table.seat_of(person) == seat else None
                call = None if own is None else table.call_of(own)
                line = table.begun if call is None else call.line
                card = board_card(table, self.words, self.personal(person), since, own)
                key = f"board:{line}@{person}"
                called = (person,) if person in self.called(key) else ()
                yield self._board(key, card, called, line, person)

    def _board(
        self, key: str, card: Card, pings: tuple[int, ...], line: int, person: int | None = None
    ) -> Surface:
        """Return a board; each call posts a new one.

        :param line: the journal line of that call, or of the start.
        """
        running = self.table.running
        return Surface(
            key,
            card,
            person=person,
            pings=pings,
            retire=Retire.STRIP if self.boards == KEEP else Retire.DELETE,
            final=not running,
            late=running or line > self.told,
            silent=not pings,
        )

    def result(self) -> Iterator[Surface]:
        """Yield how a match ended. The message is edited once the match has been analysed. It pings
        the people who were called at the table or, if the table is in direct messages, everybody;
        but never the person who ended the match.
        """
        table = self.table
        if not table.over or not table.started or (table.chat and self.finale is None):
            return
        seats = range(len(table.members))
        told = [table.members[seat].person_id for seat in seats if not table.by_dm_last(seat)]
        others = {*table.persons} - {table.ended_by}
        pings = tuple(person for person in told if person in others)
        if table.row.status is Status.FINISHED:
            card = result_card(table, self.words, self.say)
        else:
            card = ended_card(table, self.words, self.say)
        if pings and not table.direct:  # only people who are mentioned can be pinged
            named = " ".join(f"<@{person}>" for person in pings)
            card = replace(card, parts=(*card.parts, f"-# {named}"))
        final = table.row.status is not Status.FINISHED or analysis_of(table) is not None
        yield Surface(
            "result",
            card,
            pings=pings,
            retire=Retire.STAY,
            final=final,
            late=self.finale is not None,
            silent=not pings,
        )

    def votes(self) -> Iterator[Surface]:
        """Yield open questions, which ping people who have not answered. The board shows the
        outcome.
        """
        for vote in open_votes(self.table) if self.table.running else ():
            silent = tally(self.table, vote).silent
            card = vote_card(self.table, vote, self.words, self.say)
            key = f"vote:{vote.asked}"
            surface = Surface(key, card, pings=silent, retire=Retire.DELETE)
            yield surface
            if self.table.chat and vote.asked_by is None:
                # Nobody has acted just now, so the bot may be unable to post this in the chat for a
                # long time. It asks people by direct message as well.
                for person, _ in vote.answers:
                    yield replace(surface, key=f"{key}@{person}", person=person, pings=())

    def offers(self) -> Iterator[Surface]:
        """Yield the seats on offer."""
        for offer in self.table.offers if self.goes_on else ():
            seat = offer.seat
            take = table_button(
                self.table, "take", self.say("Take the seat"), Style.PRIMARY, str(seat)
            )
            called = offer.person_id and is_called(self.table, offer)
            yield Surface(
                f"offer:{seat}:{offer.number}",
                Card(
                    (notes.offered_note(self.table, seat, offer.person_id, self.say),), ((take,),)
                ),
                pings=(offer.person_id,) if called and offer.person_id else (),
                retire=Retire.DELETE,
            )

    # -- people
    def hands(self) -> Iterator[Surface]:
        """For each person called by direct message, yield a message with their hand; every call
        posts it again.
        """
        table = self.table
        if not self.goes_on or not table.game.info.has_secrets or table.direct:
            return
        for seat, member in enumerate(table.members):
            person, call = member.person_id, table.call_of(seat)
            if person is None or member.level is not None or call is None or seat not in call.dm:
                continue
            since = arrived(table, seat)
            yield Surface(
                f"hand:{person}:{max(call.line, since)}",
                hand_card(table, self.words, self.personal(person), seat, direct=True),
                person=person,
                retire=Retire.DELETE,
                # also silent if the person has only just sat down
                silent=seat not in table.awaited or since > call.line,
            )

    def calls(self) -> Iterator[Surface]:
        """Yield direct messages to people who are to move but get no message with their hand."""
        table = self.table
        sent_hands = table.game.info.has_secrets and not table.chat
        if not self.goes_on or sent_hands or table.direct:
            return
        for seat in table.awaited_persons:
            person, call = table.members[seat].person_id, table.call_of(seat)
            if person is None or call is None or seat not in call.dm:
                continue
            key = f"turn:{person}:{call.line}"
            if self.told_from(key) < call.line:  # do not repeat a call already sent
                say = self.personal(person)
                text = notes.called(table, seat, self.words, say)
                card = Card((text,), way_rows(table, say))
                yield Surface(key, card, person, retire=Retire.DELETE)

    def dropped_plans(self) -> Iterator[Surface]:
        """Tell a person, in private, why their planned moves were dropped; the message stays until
        their next move.
        """
        table = self.table
        if not self.goes_on:
            return
        latest = {line.person_id: line for line in table.journal if line.kind in notes.DROPPED}
        for person, line in latest.items():
            seat = None if person is None else table.seat_of(person)
            if person is None or seat is None or table.last_of(seat) > line.number:
                continue
            key = f"plans:{person}:{line.number}"
            if self.told_from(key) < line.number:
                text = notes.dropped(table, line, self.words_by_game, self.personal(person))
                yield Surface(
                    key,
                    Card((text,)),
                    person=person,
                    retire=Retire.DELETE,
                    final=True,
                    silent=True,
                )

    def endings(self) -> Iterator[Surface]:
        """Tell followers, and players who were called by direct message, how the match ended."""
        if self.finale is None:
            return
        table = self.table
        for seat, member in enumerate(table.members):
            person = member.person_id
            if person in table.persons and person is not None and table.by_dm_last(seat):
                say = self.personal(person)
                text = result_in_words(table, self.words, say)
                yield Surface(
                    f"over:{person}",
                    Card((text,), way_rows(table, say)),
                    person=person,
                    retire=Retire.STAY,
                    final=True,
                    silent=person == table.ended_by,
                )
        for person in sorted(table.followers):
            say = self.personal(person)
            if self.finale.kind == "finish":
                card = result_card(table, self.words, say, for_players=False)
            else:
                card = Card((notes.without_result(table, say),))
            yield Surface(f"over:{person}", card, person=person, retire=Retire.STAY, final=True)
