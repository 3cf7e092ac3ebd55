"""Seeks in words: what a person is looking for, who else is waiting, and how long a search usually
takes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from cogs.gateway.cards import Button, Card, Entry, Link, Row, Select, Style
from cogs.gateway.controls import Control
from cogs.gateway.texts import escape
from cogs.present.surfaces import Retire, Surface
from cogs.present.times import about, moment, pace_in_words
from cogs.present.words import GameWords
from data.texts import Texts, texts
from games import GAMES
from play.clock import read_pace
from play.matching import Seek, similar, usual_wait
from play.occasions.occasion import Occasion
from play.occasions.seek import Notice, Seeks
from play.table import Refused, refuse_if

ANY = "any"
"""Any game, or any pace."""

PACES = ("6h", "12h", "1d", "2d", "3d+6h", "")
"""The paces that people can seek; only a few, so that people find each other."""

USUAL_FIRST = tuple(sorted(PACES, key=lambda pace: pace != "1d"))
"""The paces that ``ANY`` stands for: all of them, starting with one day per turn."""

HOURS = (1, 3, 6, 12, 24, 48)
"""How long a person can seek, in hours."""

SIMILAR_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Wish:
    """A person's choices in the menus, stored in the menus' entries and the button's id.

    :param game: a game's id, or ``ANY``.
    :param players: the number of people at the table; 0: any number.
    :param pace: one of ``PACES``, or ``ANY``.
    :param near: whether to play only with people of similar strength.
    :param abroad: whether people on other servers are welcome.
    :param hours: how long to seek, in hours.
    """

    game: str = ANY
    players: int = 0
    pace: str = ANY
    near: bool = False
    abroad: bool = False
    hours: int = 12

    @property
    def text(self) -> str:
        """The wish as a text that ``wish_in`` can read."""
        fields = (self.game, self.players, self.pace, int(self.near), int(self.abroad), self.hours)
        return "/".join(map(str, fields))

    @property
    def tables(self) -> tuple[tuple[str, int], ...]:
        """The games and their numbers of players, as in a ``Seek``."""
        games = [self.game] if self.game != ANY else [*GAMES]
        return tuple(
            (game, count)
            for game in games
            for count in GAMES[game].info.players
            if count > 1 and self.players in (0, count)
        )

    @property
    def paces(self) -> tuple[str, ...]:
        """The wanted paces, as in a ``Seek``."""
        return USUAL_FIRST if self.pace == ANY else (self.pace,)


_WISH = re.compile(r"([^/]+)/(\d)/([^/]*)/([01])/([01])/(\d{1,2})")


def wish_in(argument: str) -> Wish:
    """Return the wish in a control's argument.

    :raises Refused: ``stale``: the text is not a wish, or the wish is no longer possible.
    """
    found = _WISH.fullmatch(argument)
    if found is None:
        raise Refused("stale")
    game, players, pace, near, abroad, hours = found.groups()
    wish = Wish(game, int(players), pace, near == "1", abroad == "1", int(hours))
    known = game in {ANY, *GAMES} and pace in {ANY, *PACES} and wish.hours in HOURS
    refuse_if(not known or not wish.tables, "stale")
    return wish


def wish_of(seek: Seek) -> Wish:
    """Return the menu choices that a seek corresponds to."""
    games, counts = set(seek.games), {count for _, count in seek.tables}
    hours = round((seek.until - seek.since).total_seconds() / 3600)
    return Wish(
        seek.games[0] if len(games) == 1 else ANY,
        counts.pop() if len(counts) == 1 else 0,
        seek.paces[0] if len(seek.paces) == 1 else ANY,
        seek.near,
        seek.abroad,
        min(HOURS, key=lambda known: abs(known - hours)),
    )


# ------------------------------------------------------------------------------ choosing
def wish_card(wish: Wish, words: Mapping[str, GameWords], say: Texts, *, may_abroad: bool) -> Card:
    """Return the menus for choosing what to seek.

    :param may_abroad: whether the server allows matches with people on other servers.
    """
    text = "\n".join(
        [
            f"### {say('Who shall I find for you?')}",
            say(
                "I will look for others who want the same, and open a table as soon as there are"
                " enough."
            ),
        ]
    )
    menus = [
        _menu(number, title, entries, wish)
        for number, (title, entries) in enumerate(_choices(wish, words, say, may_abroad))
    ]
    seek = Button(Control.apart("seekgo", wish.text), say("Seek"), Style.SUCCESS)
    return Card((text,), (*menus, (seek,)))


def _menu(number: int, title: str, entries: Sequence[tuple[str, Wish]], chosen: Wish) -> Select:
    return Select(
        Control.apart("seekwish", str(number)),
        title,
        tuple(Entry(label, wish.text, chosen=wish == chosen) for label, wish in entries),
    )


def _choices(
    wish: Wish, words: Mapping[str, GameWords], say: Texts, may_abroad: bool
) -> Iterator[tuple[str, list[tuple[str, Wish]]]]:
    """Yield each menu's title and entries; each entry comes with the wish that results from
    choosing it.
    """
    games = [(say("Any game"), ANY), *((say(words[game].title), game) for game in GAMES)]
    yield say("Game"), [(label, _fitting(replace(wish, game=game))) for label, game in games]
    counts = sorted({count for _, count in replace(wish, players=0).tables})
    numbers = [(say("Any number of people"), replace(wish, players=0))]
    for count in counts:
        label = say.plural("{n} person", "{n} people", count)
        numbers.append((label, replace(wish, players=count)))
    yield say("How many"), numbers
    paces = [(say("Any pace"), replace(wish, pace=ANY))]
    paces += [(_pace_in_words(pace, say), replace(wish, pace=pace)) for pace in PACES]
    yield say("Pace"), paces
    yield (
        say("Strength"),
        [
            (say("People of any strength"), replace(wish, near=False)),
            (say("People about as strong as me"), replace(wish, near=True)),
        ],
    )
    if may_abroad:
        yield (
            say("Where"),
            [
                (say("On this server"), replace(wish, abroad=False)),
                (say("On other servers, too, by direct message"), replace(wish, abroad=True)),
            ],
        )
    times = [
        (say.plural("For {n} hour", "For {n} hours", n), replace(wish, hours=n)) for n in HOURS
    ]
    yield say("How long"), times


def _fitting(wish: Wish) -> Wish:
    """Return the wish. If the game does not allow the wanted number of players, change it to any
    number.
    """
    return wish if wish.tables else replace(wish, players=0)


def _pace_in_words(pace: str, say: Texts) -> str:
    return pace_in_words(read_pace(pace) if pace else None, say)


# ------------------------------------------------------------------------------- telling
def wish_in_words(wish: Wish, words: Mapping[str, GameWords], say: Texts) -> str:
    """Describe a wish in one line: ``Lancelot · 2 people · 1 day per turn``."""
    parts = [
        say("any game") if wish.game == ANY else say(words[wish.game].title),
        say.plural("{n} person", "{n} people", wish.players)
        if wish.players
        else say("any number of people"),
        say("any pace") if wish.pace == ANY else _pace_in_words(wish.pace, say),
    ]
    if wish.near:
        parts.append(say("similar strength"))
    if wish.abroad:
        parts.append(say("across servers"))
    return " · ".join(parts)


def waiting_card(
    seek: Seek,
    others: Sequence[Seek],
    waits: Sequence[tuple[str, int]],
    words: Mapping[str, GameWords],
    say: Texts,
    now: datetime,
) -> Card:
    """Show the status of a seek: when it began, who else is seeking, and how long others have
    waited.

    :param others: all seeks in the same place; if the person's own is among them, it is not shown.
    :param waits: how long people have waited, as for ``usual_wait``.
    """
    lines = [
        f"### {say('You are seeking')}",
        wish_in_words(wish_of(seek), words, say),
        say(
            "Since {since}, until {until}. I will tell you by direct message as soon as your table"
            " is open.",
            since=f"<t:{int(seek.since.timestamp())}:R>",
            until=moment(seek.until),
        ),
        *_others_in_words(seek, others, words, say, now),
        _usual_in_words(usual_wait(waits, seek.games), say),
    ]
    buttons: Row = (
        Button(Control.apart("seeking"), say("Look again")),
        Button(Control.apart("seekagain", wish_of(seek).text), say("Change…")),
        Button(Control.apart("seekstop"), say("Stop seeking"), Style.DANGER),
    )
    return Card(("\n".join(lines),), (buttons,))


def _others_in_words(
    seek: Seek, others: Sequence[Seek], words: Mapping[str, GameWords], say: Texts, now: datetime
) -> Iterator[str]:
    """List, without names, others who are seeking one of the same games."""
    alike = similar(seek, others)
    if not alike:
        yield say("Nobody else is seeking a match like this at the moment.")
        return
    yield say.plural("{n} other person is seeking:", "{n} others are seeking:", len(alike))
    for other in alike[:SIMILAR_SHOWN]:
        waited = about(int((now - other.since).total_seconds()), say)
        wish = wish_in_words(wish_of(other), words, say)
        yield "- " + say("{wish} (for {time})", wish=wish, time=waited)


def _usual_in_words(seconds: int | None, say: Texts) -> str:
    if seconds is None:
        return "-# " + say("I cannot say how long it will take: nobody has found a match here yet.")
    time = about(seconds, say)
    return "-# " + say("Half of those who found a match here waited {time} or less.", time=time)


def gathered_card(say: Texts) -> Card:
    """Return the card a person sees while their table is being opened."""
    return Card((say("Your table is being opened. I will tell you where it is."),))


# ---------------------------------------------------------------------------- surfaces
class SeekPresenter:
    """Lists the messages for people who seek.

    :param words: the words of each game, by id.
    """

    def __init__(self, words: Mapping[str, GameWords]) -> None:
        self._words = words

    def surfaces(
        self, occasion: Occasion[Seeks], told: int, told_from: Callable[[str], int]
    ) -> list[Surface]:
        """Return all messages that should exist; parameters as in
        ``OccasionPresenter.surfaces``.
        """
        return [*self._open_seats(occasion), *self._notices(occasion, told)]

    def _open_seats(self, occasion: Occasion[Seeks]) -> Iterator[Surface]:
        """Yield a message for each seek, if the server has chosen a channel for them."""
        if occasion.guild_id is None or occasion.server.seek_channel is None:
            return
        say = texts(occasion.row.language)
        for seek in occasion.state.waiting:
            wish = wish_in_words(wish_of(seek), self._words, say)
            text = say("🪑 **{name}** is seeking: {wish}", name=escape(seek.name), wish=wish)
            control = Control(0, 0, "seeksit", f"{seek.number}", occasion=occasion.id)
            sit = Button(control, say("Sit down"), Style.PRIMARY)
            key = f"seek:{seek.number}"
            yield Surface(key, Card((text,), ((sit,),)), retire=Retire.DELETE, silent=True)

    def _notices(self, occasion: Occasion[Seeks], told: int) -> Iterator[Surface]:
        """Yield messages to individual people, each sent once."""
        for notice in occasion.state.notices:
            if notice.line > told:
                yield self._notice(occasion, notice)

    def _notice(self, occasion: Occasion[Seeks], notice: Notice) -> Surface:
        person, guild = notice.seek.person_id, occasion.guild_id
        say = texts(occasion.settings(person).language or notice.seek.language)
        key = f"{notice.what}:{notice.line}:{person}"
        if notice.what != "seated":
            return Surface(key, self._over_card(notice, say), person=person, final=True)
        code = f"`{notice.table}`"
        others = [
            f"**{escape(other.seek.name)}**"
            for other in occasion.state.notices
            if other.line == notice.line and other.seek.person_id != person
        ]
        text = say(
            "Your table {code} is open, with {names}. The match begins.",
            code=code,
            names=say.list(others),
        )
        if guild is None:
            return Surface(key, Card((text,)), person=person, final=True)
        way = Link(say("To the table"), f"https://discord.com/channels/{guild}/{notice.place}")
        public = texts(occasion.row.language)(
            "<@{person}>, your table {code} is open: <#{place}>",
            person=person,
            code=code,
            place=notice.place,
        )
        instead = Surface(f"{key}:channel", Card((public,)), pings=(person,), final=True)
        return Surface(key, Card((text,), ((way,),)), person=person, final=True, otherwise=instead)

    def _over_card(self, notice: Notice, say: Texts) -> Card:
        """Say why the person's search has ended without a match."""
        wish = wish_in_words(wish_of(notice.seek), self._words, say)
        told = {
            "expired": say("Your search has ended, and I have found nobody for you."),
            "recalled": say("Your server no longer lets people seek on other servers."),
            "failed": say("I could not open a table with you, because I cannot write to you."),
        }[notice.what]
        return Card((f"{told}\n{wish}\n{say('To try again: `/seek` on your server.')}",))
