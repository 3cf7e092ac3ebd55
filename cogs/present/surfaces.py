"""What should stand in Discord for a table: a pure function of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Final

from cogs.gateway.cards import Card, Gallery, Style, collapsed
from cogs.present import notes
from cogs.present.absent import WAITING
from cogs.present.board import (
    board_card,
    folded_account,
    folded_board,
    result_card,
    title_line,
    turn_line,
)
from cogs.present.choices import table_button, way_rows
from cogs.present.drawings import results_drawing
from cogs.present.lobby import invitation_card, lobby_card, lots_card
from cogs.present.people import player_mention, player_name
from cogs.present.private import cannot_send, hand_card
from cogs.present.story import before_call, hand_begun, last_call
from cogs.present.votes import vote_card
from cogs.present.words import GameWords
from data.store.rows import Line, MemberRow, OfferRow, Status
from data.texts import Texts, texts
from games.absent import NO_GAME
from play.aggregate import Command
from play.analysis import KIND as ANALYSIS
from play.analysis import analysis_of
from play.lines import HINDERED
from play.lobby import DrawLots
from play.seats import is_called
from play.table import Table
from play.together import blocks
from play.votes import tally

FINALE = frozenset({"finish", "end"})
"""Kinds of lines that end a table whose match has started."""


class Retire(StrEnum):
    """What becomes of a message whose surface is wanted no longer."""

    STRIP = "strip"
    """Its controls are taken off."""
    FOLD = "fold"
    """One line of text remains."""
    DELETE = "delete"
    STAY = "stay"
    """All of it stays, with its controls."""


BOARDS = {"keep": Retire.STRIP, "fold": Retire.FOLD, "delete": Retire.DELETE}
"""What becomes of a board or an account when the next one stands, as the server wants it."""


@dataclass(frozen=True, slots=True)
class Way:
    """A link to another message of the table, in a chat.

    :param key: of the surface that it leads to.
    """

    key: str
    label: str


KEYS: Final[Mapping[str, str]] = {
    # of a table
    "lobby": "the lobby, until the match begins or the table is closed",
    "lots": "announces the lots; its message number is part of the seed",
    "board": "a board with its controls, one for each call",
    "chat": "lobby and board in one message, where the bot can only answer",
    "call": "whose turn it is, in a chat, where an edit pings nobody",
    "hand": "a person's hidden hand, by direct message",
    "turn": "tells a person that it is their turn, by direct message",
    "reminder": "reminds a person of a clock, in the channel or by direct message",
    "account": "how a hand or round ended, as a picture",
    "note": "a line of the journal in words, such as a resignation",
    "result": "how the match ended",
    "vote": "an open question, and what was decided",
    "offer": "a seat that somebody may take",
    "back": "the way back to a seat that a computer player keeps",
    "invite": "invites a person to sit down",
    "blocked": "tells a person that somebody they have blocked has sat down",
    "over": "tells a follower how the match ended",
    "waiting": "the table waits because the package of its game is missing",
    "advice": "how to see a table without direct messages",
    # of an occasion
    "tournament": "a tournament: sign-up, then bracket or standings",
    "podium": "the winners of a tournament",
    "season": "the final standings of a season",
    "seek": "somebody seeks a table, with a button to sit down",
    "seated": "tells a person that a table was found",
    "expired": "tells a person that their search has ended",
    "recalled": "tells a person that their server no longer allows their search",
    "failed": "tells a person that their table could not be opened",
    "day": "the riddle and the deal of the day",
    HINDERED: "tells the person who began an occasion that the bot cannot post in its channel",
}
"""The first part of every key of a surface, and what such a message is for. What follows a colon
tells several of them apart: the line of the journal, the person, ``channel`` or ``dm``. A copy for
a person's direct messages ends with ``@`` and that person.
"""


@dataclass(frozen=True, slots=True)
class Surface:
    """A message that should stand.

    :param key: with the table its identity; a new one is a new message, which may ping. Its first
        part is one of ``KEYS``.
    :param person: the reader of a direct message; None: it stands in the table's channel.
    :param pings: people whom the message calls when it is posted.
    :param fold: with FOLD: the text that remains.
    :param final: it never changes again once it stands.
    :param late: a final one is posted even if no message stands yet.
    :param soft: silent in the person's quiet hours and holidays.
    :param silent: does not sound at all.
    :param otherwise: posted instead where the person takes no direct messages.
    :param way: a link below it to a message that stands already.
    """

    key: str
    card: Card
    person: int | None = None
    pings: tuple[int, ...] = ()
    retire: Retire = Retire.STRIP
    fold: str = ""
    final: bool = False
    late: bool = True
    soft: bool = False
    silent: bool = False
    otherwise: Surface | None = None
    way: Way | None = None

    def __post_init__(self) -> None:
        """:raises ValueError: nothing is known of such a key."""
        if self.key.partition("@")[0].partition(":")[0] not in KEYS:
            raise ValueError(f"no such surface: {self.key!r}")


class Presenter:
    """Knows what should stand for each table, with the words of every game by its id."""

    def __init__(self, words: Mapping[str, GameWords]) -> None:
        self.words = words

    def words_of(self, table: Table) -> GameWords:
        """The words of a table's game."""
        return self.words[table.row.game]

    def surfaces(self, table: Table, told: int, told_from: Callable[[str], int]) -> list[Surface]:
        """All messages that should stand for a table, in the order in which to post them. Pure.

        :param told: all lines of the journal up to this one have been told.
        :param told_from: by key, how far had been told when a message was begun, or else ``told``.
        """
        return list(_Wanted(table, self.words, told, told_from).all())

    def next_command(
        self, table: Table, message_of: Callable[[str], int | None]
    ) -> Command[Table] | None:
        """The drawing of the lots, once the message stands by which they are drawn.

        :param message_of: by key, the id of a message that stands.
        """
        message_id = message_of(f"lots:{table.drawing}")
        return None if message_id is None else DrawLots(table.drawing, message_id)

    def when_hindered(self, table: Table) -> Command[Table] | None:
        """Nothing: whoever plays hears of it at the next move."""
        return None


@dataclass(frozen=True)
class _Wanted:
    """The surfaces of one table at one moment; parameters as in ``Presenter.surfaces``."""

    table: Table
    words_by_game: Mapping[str, GameWords]
    told: int
    told_from: Callable[[str], int]

    @cached_property
    def say(self) -> Texts:
        """The language of the table's channel."""
        return texts(self.table.row.language)

    @cached_property
    def words(self) -> GameWords:
        return self.words_by_game[self.table.row.game]

    @cached_property
    def untold(self) -> tuple[Line, ...]:
        """What has happened since the channel was told last."""
        return self.table.journal[self.told :]

    @cached_property
    def finale(self) -> Line | None:
        """The untold line that ended the table after its start."""
        return next((line for line in self.untold if line.kind in FINALE), None)

    @property
    def goes_on(self) -> bool:
        """Whether there is a match that can be shown and played."""
        return self.table.running and self.table.match is not None

    def personal(self, person_id: int) -> Texts:
        """The language of one person."""
        return texts(self.table.settings(person_id).language or self.table.row.language)

    def all(self) -> Iterator[Surface]:
        """In the order in which to post them. At a table in direct messages, all who sit there have
        what would stand in a channel in their own.
        """
        for surface in self.of_table():
            yield from self.unless_muted(surface)
            if surface.person is None and not surface.key.startswith("lots:"):
                for copy in self.copies(surface):
                    yield from self.unless_muted(copy)

    def unless_muted(self, surface: Surface) -> Iterator[Surface]:
        """The message, if nobody has muted the table: to those who have it neither goes by direct
        message nor does it ping them. Where the table itself is direct messages, it is silent.
        """
        table, muted = self.table, self.table.muted
        direct = table.direct
        reader = surface.person
        if direct and reader is None:
            reader = next((person for person in muted if self.reads_channel(person)), None)
        if reader not in muted:
            otherwise = surface.otherwise
            if otherwise is not None:
                otherwise = next(self.unless_muted(otherwise), None)
            pings = tuple(person for person in surface.pings if person not in muted)
            yield replace(surface, pings=pings, otherwise=otherwise)
        elif direct:
            yield replace(surface, pings=(), silent=True)

    def copies(self, surface: Surface) -> Iterator[Surface]:
        """A public message for everyone whose direct messages are not the table's channel."""
        if not self.table.direct:
            return
        for member in self.table.members:
            person = member.person_id
            if person is None or self.reads_channel(person):
                continue
            key = f"{surface.key}@{person}"
            silent = person not in surface.pings
            otherwise = self.unreached(person) if surface.key.startswith("board:") else None
            yield replace(surface, key=key, person=person, silent=silent, otherwise=otherwise)

    def reads_channel(self, person_id: int) -> bool:
        """Whether the table's channel is a person's direct messages."""
        return self.table.settings(person_id).dm_channel == self.table.row.channel_id

    def unreached(self, person_id: int) -> Surface | None:
        """What is said where a table in direct messages does not reach somebody any more: to whose
        direct messages are the channel, or if those are the ones, to somebody else.
        """
        seat, reader = self.table.seat_of(person_id), None
        if self.reads_channel(person_id):
            others = (person for person in self.table.persons if person != person_id)
            reader = next(others, None)
            if reader is None:
                return None
        say = self.say if reader is None else self.personal(reader)
        text = notes.unreached(self.table, seat or 0, say)
        return Surface(f"advice:{person_id}", Card((text,)), person=reader, final=True)

    def of_table(self) -> Iterator[Surface]:
        """The messages of the table's channel, and those to single people."""
        if self.table.row.status is Status.PARKED:
            return
        if self.table.chat:
            yield from self.chat()
        else:
            yield from self.lobby()
        yield from self.invitations()
        yield from self.arrivals()
        if self.table.drawing:
            yield Surface(f"lots:{self.table.drawing}", lots_card(self.table, self.say))
        if self.table.unreadable == NO_GAME and self.table.running:
            yield Surface("waiting", Card((self.say(WAITING),)), retire=Retire.DELETE)
        if self.table.started and not self.table.damaged:
            yield from self.lines()
            if not self.table.chat:
                yield from self.board()
            yield from self.result()
            yield from self.votes()
            yield from self.seats()
            yield from self.turns()
            if self.table.chat:
                yield from self.next_call()
            else:
                yield from self.hands()
            yield from self.followers()

    # -- a chat, in which the bot can only answer
    def chat(self) -> Iterator[Surface]:
        """The one message that every press brings up to date: the lobby, then the board."""
        table = self.table
        if table.started:
            if table.match is not None and not table.damaged and (table.running or self.finale):
                card = board_card(table, self.words, self.say, before_call(table))
                yield Surface("chat", card, final=not table.running)
            return
        for surface in self.lobby():
            yield replace(surface, key="chat")

    def next_call(self) -> Iterator[Surface]:
        """Who is to move, with what happened, in a message of its own: an edit pings nobody. The
        hands are behind the button of the board.
        """
        number, called = self.called()
        if self.goes_on and called:
            told = folded_board(self.table, self.words, self.say, before_call(self.table))
            text = f"{told}\n{turn_line(self.table, self.say)}"
            way = Way("chat", self.say("To the board"))
            late = number > self.told
            key = f"call:{number}"
            yield Surface(key, Card((text,)), pings=called, final=True, late=late, way=way)

    # -- the channel
    def called(self) -> tuple[int, tuple[int, ...]]:
        """The line of the last call, and the people who are called by it and still to move."""
        table = self.table
        number, seats = next(table.calls(), (0, ()))
        called = [table.members[seat].person_id for seat in seats if seat in table.awaited_persons]
        return number, tuple(person for person in called if person is not None)

    def lobby(self) -> Iterator[Surface]:
        """Open until the match begins or the table is closed."""
        waiting = self.table.row.status is Status.LOBBY
        if waiting or any(line.kind in ("start", "close") for line in self.untold):
            card = lobby_card(self.table, self.words, self.say)
            yield Surface("lobby", card, final=not waiting, late=False)

    def invitations(self) -> Iterator[Surface]:
        """To those who are asked to sit down, with a button that works where they read it."""
        for person, line in self.table.invitations.items():
            if self.table.row.guild_id is None and self.table.member_of(person) is not None:
                continue  # who sits there has the lobby itself
            key = f"invite:{line.number}"
            host = next((m for m in self.table.members if str(m.number) == line.text), None)
            name = self.table.members[0].name if host is None else host.name
            short = notes.invited(self.table, person, name, self.say)
            yield Surface(
                key,
                invitation_card(self.table, line, self.words, self.personal(person)),
                person=person,
                otherwise=Surface(
                    f"{key}:channel", Card((short,)), pings=(person,), final=True, late=False
                ),
            )

    def arrivals(self) -> Iterator[Surface]:
        """To those who have blocked somebody who has sat down."""
        table = self.table
        for line in () if table.over else self.untold:
            newcomer = line.person_id
            if line.kind not in ("join", "take") or newcomer not in table.persons:
                continue
            for person in table.persons:
                if blocks(table.settings(person), newcomer):
                    say = self.personal(person)
                    text = notes.sits_there(table, newcomer, self.words, say)
                    card = Card((text,), way_rows(table, say))
                    yield Surface(f"blocked:{person}:{line.number}", card, person, final=True)

    def lines(self) -> Iterator[Surface]:
        """Notes and accounts, in the order of the journal."""
        accounts = self.accounts()
        newest = max(accounts, default=0) if self.table.running else 0
        for line in self.untold:
            if line.kind in notes.DROPPED and line.person_id is not None:
                yield self.plans_dropped(line, line.person_id)
            note = notes.channel_note(self.table, line, self.say)
            if note is not None:
                yield Surface(f"note:{line.number}", Card((note,)), final=True)
            if line.number in accounts:
                yield from self.account(line.number, stays=line.number == newest)

    def account(self, line: int, *, stays: bool) -> Iterator[Surface]:
        """How a hand or round ended: a picture until the next account is told or the match is over,
        and the line that is left of it if that has happened meanwhile.
        """
        key, retire = f"account:{line}", BOARDS[self.table.server.boards]
        told = folded_account(self.table, self.words, self.say, line)
        if stays or retire is Retire.STRIP:
            drawing = results_drawing(self.table, self.say, line)
            title = title_line(self.table, self.words, self.say, line)
            card = Card((Gallery((drawing,)), title))
            yield Surface(key, card, retire=retire, fold=told, final=not stays)
        elif retire is Retire.FOLD:
            yield Surface(key, collapsed(told), final=True)

    def accounts(self) -> frozenset[int]:
        """The untold events that closed a hand or round."""
        kinds = self.table.game.info.accounts
        if not kinds or self.table.match is None:
            return frozenset()
        events = self.table.told_since(self.told)
        return frozenset(e.line for e in events if any(fact.kind in kinds for fact in e.facts))

    def plans_dropped(self, line: Line, person: int) -> Surface:
        """Why someone's planned moves are gone, for that person."""
        text = notes.dropped(self.table, line, self.words_by_game, self.personal(person))
        short = notes.dropped_in_short(person, self.say)
        key = f"note:{line.number}"
        return Surface(
            key,
            Card((text,)),
            person=person,
            final=True,
            otherwise=Surface(f"{key}:channel", Card((short,)), final=True),
        )

    def board(self) -> Iterator[Surface]:
        """One board for each call; those before keep what they have told, at least in words."""
        table = self.table
        if table.match is None or not (table.running or self.finale):
            return
        number, called = self.called()
        key = f"board:{number}"
        host = next((person for person in table.persons if self.reads_channel(person)), None)
        since = min(self.told_from(key), before_call(table))
        yield Surface(
            key,
            board_card(table, self.words, self.say, since),
            retire=BOARDS[table.server.boards],
            fold=folded_board(table, self.words, self.say, since),
            pings=called,
            final=not table.running,
            late=number > self.told,
            otherwise=None if host is None else self.unreached(host),
        )

    def result(self) -> Iterator[Surface]:
        """How a match ended that has a result; once more when it has been analysed."""
        ends = self.finale is not None and self.finale.kind == "finish"
        finished = self.table.row.status is Status.FINISHED
        if ends or (finished and any(line.kind == ANALYSIS for line in self.untold)):
            card = result_card(self.table, self.words, self.say)
            analysed = analysis_of(self.table) is not None
            yield Surface("result", card, retire=Retire.STAY, final=analysed, late=ends)

    def votes(self) -> Iterator[Surface]:
        """Open questions, and what was decided."""
        for vote in self.table.votes:
            settled = vote.settled is not None and vote.settled > self.told
            if settled or (vote.decision is None and self.table.running):
                silent = () if settled else tally(self.table, vote).silent
                card = vote_card(self.table, vote, self.words, self.say)
                key = f"vote:{vote.asked}"
                surface = Surface(key, card, pings=silent, final=settled, late=False)
                yield surface
                if self.table.chat and vote.asked_by is None:
                    # Nobody need have acted: the chat may hear of it much later.
                    for person, _ in vote.answers:
                        yield replace(surface, key=f"{key}@{person}", person=person, pings=())

    # -- seats that change hands
    def seats(self) -> Iterator[Surface]:
        """Seats on offer, seats that were taken, and the way back to those that are kept."""
        table = self.table
        for line in self.untold:
            if line.kind == "take" and line.seat is not None:
                card = Card((notes.of_seat(table, line.seat, notes.TAKEN, self.say),))
                key = f"offer:{line.seat}:{line.text}"
                yield Surface(key, card, final=True, late=False)
        if self.goes_on:
            for offer in table.offers:
                yield self.offer(offer)
            for member in table.members:
                yield from self.way_back(member)

    def offer(self, offer: OfferRow) -> Surface:
        """A seat that someone may take."""
        seat = offer.seat
        take = table_button(self.table, "take", self.say("Take the seat"), Style.PRIMARY, str(seat))
        return Surface(
            f"offer:{seat}:{offer.number}",
            Card((notes.offered_note(self.table, seat, offer.person_id, self.say),), ((take,),)),
            pings=(offer.person_id,) if offer.person_id and is_called(self.table, offer) else (),
            retire=Retire.FOLD,
            fold=notes.of_seat(self.table, seat, notes.WITHDRAWN, self.say),
        )

    def way_back(self, member: MemberRow) -> Iterator[Surface]:
        """How someone returns to a seat that a computer player only keeps."""
        if member.level is None or member.person_id is None or member.resigned:
            return
        kept = ("keep", member.seat)
        for line in reversed(self.table.journal):
            if (line.kind, line.seat) == kept:
                back = table_button(self.table, "back", self.say("I am back"), Style.SUCCESS)
                text = notes.of_seat(self.table, member.seat or 0, notes.KEPT, self.say)
                yield Surface(f"back:{member.seat}:{line.number}", Card((text,), ((back,),)))
                return

    # -- whose turn it is
    def turns(self) -> Iterator[Surface]:
        """Reminders, and calls to those who want them by direct message, too."""
        if not self.goes_on:
            return
        reminded = set[int]()
        for turn in self.table.clocks.values():
            found = notes.reminder_of(self.table, turn)
            if found is None or turn.person_id in self.table.muted:
                continue
            number, alarm = found
            reminded.add(turn.seat)
            key = f"reminder:{number}"
            text = notes.reminder(self.table, turn, alarm, self.words, self.say)
            who = player_mention(self.table, turn.seat)
            public = self.linked(key, f"{who}: {text}", pings=(turn.person_id,))
            if not self.table.chat:
                yield public
            if self.table.chat or self.table.settings(turn.person_id).dm_too:
                say = self.personal(turn.person_id)
                text = notes.reminder(self.table, turn, alarm, self.words, say)
                direct = self.linked(f"{key}:dm", text, person=turn.person_id)
                yield replace(direct, otherwise=public) if self.table.chat else direct
        if self.table.chat or not self.table.game.info.hidden:
            yield from self.calls(reminded)

    def calls(self, reminded: set[int]) -> Iterator[Surface]:
        """Direct messages to people who are to move; a reminder replaces them."""
        for seat in self.table.awaited_persons:
            person = self.table.members[seat].person_id
            if person is None or seat in reminded or not self.table.settings(person).dm_too:
                continue
            number = last_call(self.table, seat)
            key = f"turn:{person}:{number}"
            if self.told_from(key) < number:  # a call that has gone does not come again
                text = notes.called(self.table, seat, self.words, self.personal(person))
                yield self.linked(key, text, person=person)

    def linked(
        self, key: str, text: str, person: int | None = None, pings: tuple[int, ...] = ()
    ) -> Surface:
        """A notice with the way to the table, which goes when it is out of date."""
        say = self.say if person is None else self.personal(person)
        return Surface(
            key,
            Card((text,), way_rows(self.table, say)),
            person=person,
            pings=pings,
            retire=Retire.DELETE,
            soft=person is not None,
        )

    # -- people
    def hands(self) -> Iterator[Surface]:
        """The private hands, each for its owner; at the end of a match they say so."""
        over = self.finale is not None and self.finale.kind == "finish"
        shown = self.table.match is not None and (self.goes_on or over)
        if not self.table.game.info.hidden or not shown:
            return
        for seat, member in enumerate(self.table.members):
            if member.person_id is not None and member.level is None:
                yield self.hand(seat, member.person_id)

    def hand(self, seat: int, person: int) -> Surface:
        """One person's hand."""
        advice = Card((cannot_send(player_name(self.table, seat), self.say),))
        otherwise = Surface(f"advice:{person}", advice, final=True)
        return Surface(
            f"hand:{person}:{hand_begun(self.table, seat)}",
            hand_card(self.table, self.words, self.personal(person), seat, direct=True),
            person=person,
            final=not self.table.running,
            late=False,
            otherwise=self.unreached(person) if self.table.direct else otherwise,
        )

    def followers(self) -> Iterator[Surface]:
        """How it ended, for those who follow the table."""
        if self.finale is None:
            return
        for person in sorted(self.table.followers):
            say = self.personal(person)
            if self.finale.kind == "finish":
                card = result_card(self.table, self.words, say, for_players=False)
            else:
                card = Card((notes.without_result(self.table, say),))
            yield Surface(f"over:{person}", card, person=person, final=True)
