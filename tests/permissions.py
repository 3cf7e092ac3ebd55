"""Test who may do what: people in every role press every button and type every command.

``python -m tests.permissions`` rewrites the tables of ``docs/permissions.md``; review the changes
before you commit them. Commands to a table or a tournament are decided but not committed, so that
they do not affect the next attempt.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import discord
from discord import app_commands
from simcord.backend.errors import SetupError

from cogs.features import acting
from cogs.gateway.cards import Button
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.gateway.gateway import Gateway
from cogs.present import refusals
from cogs.present.private import buttons_card
from cogs.present.words import GameWords
from data.store.problems import Conflict
from data.store.rows import Opening
from data.texts import Texts, texts
from games import GAMES
from play.aggregate import Command
from play.aggregates import Change
from play.computers import NoAdvice
from play.decide import decide
from play.ending import EndTable, Resign
from play.lobby import AddComputer, Follow, Join, Park, SendAway, Start
from play.moves import finished
from play.occasions.occasion import Occasion
from play.occasions.occasions import decide as decide_occasion
from play.occasions.tournament import Format, Tournament, TournamentPlan
from play.occasions.tournament_acts import NAME, SignUp, Tourney
from play.records import RefusedRecord
from play.riddles.riddle import Riddle
from play.riddles.stock import game_of, shipped
from play.seats import HandOver, TakeSeat
from play.table import Refused, RefusedByRules, Table
from play.votes import YES, Answer, open_votes
from tests.stage import PATIENCE, Stage, answer_to, controls, stage_on

DOC = Path(__file__).resolve().parent.parent / "docs" / "permissions.md"

MENU = "Apps → "
"""The prefix of rows for commands in the context menu of a person."""

MAY, NOT_OFFERED = "✓", "–"

SITUATION = frozenset(
    {
        *("not_your_turn", "no_hands", "no_draws", "nothing_to_undo", "no_advice", "plan_now"),
        *("never_left", "not_following", "player_count", "draw_with_computers", "not_sure"),
        *("nothing_decided", "not_away", "blocked_already", "not_blocked"),
        *("tournament_closed", "tournament_not_running", "not_signed_up"),
        *("not_seeking", "seat_gone"),
    }
)
"""Refusals that depend on the situation, not on who asks. Like refusals by the rules, they count as
allowed.
"""

Cells = dict[str, dict[str, str]]
"""By row and column: ``MAY``, ``NOT_OFFERED``, or the text of the refusal."""


@dataclass(frozen=True, slots=True)
class Role:
    """A column of the tables: a person, and where they act.

    :param place: ``here``, ``abroad`` (another server, which the person may manage) or ``dm``.
    """

    name: str
    place: str = "here"


LOBBY = {
    "host": Role("Anna"),
    "guest": Role("Ben"),
    "guest who manages the server": Role("Mona"),
    "manager of the server": Role("Kay"),
    "manager elsewhere": Role("Mallory", "abroad"),
    "stranger": Role("Sam"),
    "follower": Role("Frida"),
    "sent away": Role("Rolf"),
    "guest by DM": Role("Ben", "dm"),
    "stranger by DM": Role("Sam", "dm"),
}
MATCH = {
    "host": Role("Anna"),
    "player": Role("Ben"),
    "player who manages the server": Role("Mona"),
    "manager of the server": Role("Kay"),
    "manager elsewhere": Role("Mallory", "abroad"),
    "stranger": Role("Sam"),
    "follower": Role("Frida"),
    "resigned": Role("Rolf"),
    "replaced": Role("Paul"),
    "player by DM": Role("Ben", "dm"),
    "stranger by DM": Role("Sam", "dm"),
}
ANYWHERE = {
    "anyone": Role("Sam"),
    "manager of the server": Role("Kay"),
    "by DM": Role("Sam", "dm"),
}


TOURNAMENT = {
    "organiser": Role("Anna"),
    "participant": Role("Ben"),
    "manager of the server": Role("Kay"),
    "manager elsewhere": Role("Mallory", "abroad"),
    "stranger": Role("Sam"),
    "participant by DM": Role("Ben", "dm"),
    "stranger by DM": Role("Sam", "dm"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A command or control, and the input with which to try it.

    :param given: options of the command, or fields of the form.
    :param argument: the argument of the control; ``VOTE`` and ``MOVE`` stand for a vote and a legal
        move at the table.
    :param game: the game at whose table it is tried.
    """

    argument: str = ""
    given: Mapping[str, Any] | None = None
    game: str = "isolde"


VOTE, MOVE = "{vote}", "{move}"

TODAY = date(2026, 1, 1)
"""The simulated date of every attempt."""

SOLUTION = Riddle.from_json(shipped(game_of(TODAY))[0]).solution
"""The solution of the first riddle of today's game."""


def plain(names: str) -> dict[str, Row]:
    """Rows for comma-separated commands and controls that need no options."""
    return {name: Row() for name in names.split(", ")}


LOBBY_ROWS = {
    **plain("/table leave, /table end"),
    "/table kick": Row(given={"person": None}),
    **plain("/table follow, /table unfollow, /table mute, /table show, /table verify"),
    **plain("[join], [leave], [start], [whom], [cancel], [guests]"),
    "[computer]": Row("novice"),
    "[option]": Row("players=4"),
    "[invite]": Row("1"),
    "/invite": Row(given={"person": None}),
    "[kick]": Row("1"),
    **plain("[word]"),
    "(lucky)": Row(given={"word": "Drache"}),
    **plain("[rules], [end], [follow], [unfollow]"),
    "[endnow]": Row("lobby"),
    "[endform]": Row("lobby"),
    "(endwhy)": Row("lobby", {"reason": "Enough."}),
}
MATCH_ROWS = {
    "/isolde keep": Row(MOVE),
    "/isolde play": Row(MOVE),
    "/isolde choose": Row(MOVE),
    **plain("/isolde look"),
    "/twilight play": Row(MOVE, game="twilight"),
    "/twilight order": Row(given={"who": "Ben"}, game="twilight"),
    "/donquixote lay": Row(MOVE, game="donquixote"),
    "/donquixote look": Row(game="donquixote"),
    "/isis move": Row(MOVE, game="isis"),
    "/isis turn": Row(given={"stone": "40"}, game="isis"),
    "/lancelot place": Row(given={"square": "K4"}, game="lancelot"),
    **plain("/table hand, /table show, /table log, /table hint, /table plan, /table undo"),
    "/table draw": Row(game="isis"),
    **plain("/table end, /table resign, /table replace, /table return, /table follow"),
    **plain("/table unfollow, /table mute, /table replay, /table animation, /table verify"),
    **plain("/table analyse, [analysis]"),
    "[go]": Row(MOVE),
    **plain("[hand], [text], [log], [more], [rules], [look], [replay]"),
    "[page]": Row("isolde.goal"),
    "[where]": Row(game="lancelot"),
    **plain("[animation], [hint], [plans], [planform], [dropplans]"),
    "(planned)": Row(given={"move": "keep:GRAL4", "answer_to": ""}),
    "[hurry]": Row("on"),
    **plain("[undo]"),
    "[draw]": Row(game="isis"),
    "[vote]": Row(VOTE, game="donquixote"),
    **plain("[end], [endnow], [endform]"),
    "(endwhy)": Row(given={"reason": "Enough."}),
    **plain("[mayresign], [resign], [replace]"),
    "[take]": Row("3", game="twilight"),
    **plain("[back], [follow], [unfollow], [join], [start], [movehere]"),
}
OVER_ROWS = {
    **plain("/table show, /table hand, /table log, /table replay, /table export"),
    **plain("/table verify, /table analyse, [analysis], /table end, /table follow"),
    **plain("[rematch], [replay], [proof], [export], [more], [endnow], [resign]"),
    "(endwhy)": Row(given={"reason": "Enough."}),
}
PARKED_ROWS = {
    **plain("/table show, /table hand, /table end, /table resign, [movehere], [end]"),
    **plain("[endnow], [endform], [back]"),
    "[take]": Row("3"),
    "(endwhy)": Row(given={"reason": "Enough."}),
}
ANYWHERE_ROWS = {
    **plain("/tables, /play"),
    "/join": Row(given={"code": "K7Q2"}),
    **plain("/help, [play]"),
    "[game]": Row("lancelot"),
    "[gamerules]": Row("lancelot"),
    "[openhere]": Row("lancelot"),
    "[learn]": Row("lancelot"),
    "[solve]": Row("lancelot.placing.H7"),
    "[firstmatch]": Row("lancelot"),
    **plain("/learn, /riddle, [riddle]"),
    "[riddlehint]": Row(f"{TODAY}.1"),
    "[guess]": Row(f"{TODAY}.{SOLUTION}"),
    **plain("/deal, [deal]"),
    "[lay]": Row(f"{TODAY}.KN99?"),
    "[sharedeal]": Row(f"{TODAY}"),
    **plain("[best]"),
    "[alone]": Row("lancelot.novice"),
    **{f"/{game} {name}": Row() for game in GAMES for name in ("new", "rules")},
    "/table import": Row(given={"file": ("record.txt", b"")}),
    **plain("/leaderboard, /stats, [alonestats]"),
    "[board]": Row("ever."),
    **plain("/profile"),
    f"{MENU}Profile": Row(),
    **plain("[shareprofile], /preferences show"),
    "/preferences zone": Row(given={"zone": "Europe/Berlin"}),
    "/preferences quiet": Row(given={"since": "22:00", "until": "7:00"}),
    **plain("/preferences away"),
    "/preferences calls": Row(given={"where": "dm"}),
    "/preferences coach": Row(given={"wanted": True}),
    **plain("/server show"),
    "/server language": Row(given={"language": "de"}),
    "/server channel": Row(given={"channel": None, "allowed": False}),
    **plain("/server opener"),
    "/server quiet": Row(given={"hours": 10}),
    "/server away": Row(given={"days": 14}),
    **plain("/server seek"),
    "/server seek_abroad": Row(given={"allowed": False}),
    **plain("/server tables"),
    "/server boards": Row(given={"kept": "keep"}),
    "/server threads": Row(given={"wanted": False}),
    "/server grandmasters": Row(given={"allowed": True}),
    "/server daily": Row(given={"wanted": False}),
    "/server season": Row(given={"length": "month"}),
    "/block add": Row(given={"person": None}),
    "/block remove": Row(given={"person": None}),
    **plain("/block list, /seek, [seeking], [seekstop]"),
    "[seeksit]": Row("1"),
    "[seekwish]": Row("any/0/any/0/0/12"),
    "[seekagain]": Row("any/0/any/0/0/12"),
    "[seekgo]": Row("any/0/any/0/0/12"),
    **plain("/privacy, [remember], [disclose], [askforget], [forget]"),
    "[unlist]": Row("on"),
}
TOURNAMENT_ROWS = {
    "/tournament new": Row(given={"title": "Cup", "game": "lancelot"}),
    **plain("/tournament join, /tournament leave, /tournament show, /tournament manage"),
    **plain("[toursign], [tourleave], [tourgone], [tourmine], [tourrules], [tourmanage]"),
    **plain("[tourbegin]"),
    "[tourfix]": Row("1.1"),
    "[touropt]": Row("goal=4"),
    "[tourout]": Row("remove.1"),
    "[tourwhy]": Row("pause"),
    "(tourdo)": Row("pause", {"reason": "Night."}),
}
SECTIONS: Mapping[str, tuple[Mapping[str, Role], Mapping[str, Row]]] = {
    "In the lobby": (LOBBY, LOBBY_ROWS),
    "While the match runs": (MATCH, MATCH_ROWS),
    "When the match is over": (MATCH, OVER_ROWS),
    "When the channel is lost": (MATCH, PARKED_ROWS),
    "At a tournament": (TOURNAMENT, TOURNAMENT_ROWS),
    "Without a table": (ANYWHERE, ANYWHERE_ROWS),
}
"""The tables of the page, by heading: their columns and rows.

Rows are called by the names that people and code use: ``/a command``, ``Apps → a command`` in a
person's context menu, ``[a button or menu]`` by its verb, ``(a form)`` likewise.
"""


@dataclass(frozen=True, slots=True)
class Finish(Command[Table]):
    def effect(self, table: Table, now: datetime) -> Table:
        return finished(table, {"how": "drawn", "ranks": [1] * len(table.members)}, now)


# -------------------------------------------------------------------------------- attempts
class Trial:
    """A stage with people in all roles, on which everything is tried."""

    def __init__(self, stage: Stage, heading: str) -> None:
        self.stage = stage
        self.heading = heading
        self.roles, self.rows = SECTIONS[heading]
        self.tables: dict[str, Table] = {}
        self.tourney: Tourney | None = None
        self.problems: list[str] = []
        self._refused: Refused | Conflict | None = None
        self._posted: dict[tuple[int, Control], tuple[int, str]] = {}
        keep = discord.Permissions(manage_guild=True)
        abroad = stage.env.create_guild()
        self._abroad = stage.new_channel("abroad", abroad)
        keeper = stage.guild.create_role("Keeper", permissions=keep)
        self.people: dict[str, Any] = dict(stage.people)
        for name in ("Mona", "Kay", "Sam", "Frida", "Rolf", "Paul"):
            roles = [keeper] if name in ("Mona", "Kay") else []
            self.people[name] = stage.guild.add_member(stage.env.create_user(name), roles=roles)
        role = abroad.create_role("Keeper", permissions=keep)
        self.people["Mallory"] = abroad.add_member(stage.env.create_user("Mallory"), roles=[role])

    async def cells(self) -> Cells:
        """The outcome of every row for everyone."""
        self._spare = await self._opened("isolde", self.stage.channel.id)
        for game in dict.fromkeys(row.game for row in self.rows.values()):
            if self.roles is LOBBY or self.roles is MATCH:
                self.tables[game] = await self._table(game)
        if self.roles is TOURNAMENT:
            self.tourney = await self._tournament()
        self._watch()
        found: Cells = {}
        for name, row in self.rows.items():
            found[name] = {}
            for column, role in self.roles.items():
                found[name][column] = await self._outcome(name, row, role)
        return found

    # -- the tables
    async def _table(self, game: str) -> Table:
        """Open a table of the game, with everyone in their role."""
        tables = self.stage.bot.tables
        ids = {name: person.id for name, person in self.people.items()}
        channel = self.stage.new_channel(game)
        table = await self._opened(game, channel.id)

        async def do(command: Command[Table]) -> Table:
            return (await tables.act(table.id, command)).after

        for name in ("Ben", "Mona"):
            await do(Join(ids[name], name))
        await do(Follow(ids["Frida"]))
        if self.heading == "In the lobby":
            rolf = (await do(Join(ids["Rolf"], "Rolf"))).members[-1]
            await do(SendAway(ids["Anna"], rolf.number))
            return await do(AddComputer(ids["Anna"], "novice"))
        await do(Join(ids["Paul"], "Paul"))
        await do(Start(ids["Anna"]))
        await self.stage.bot.table_delivery.bring(table.id)
        await self._agreed(table.id, HandOver(ids["Paul"]))
        await do(TakeSeat(ids["Rolf"], 3, "Rolf"))
        await do(Resign(ids["Rolf"], "novice"))
        if game == "twilight":
            await self._agreed(table.id, HandOver(ids["Anna"], 3))
        if self.heading == "When the match is over":
            return await do(Finish())
        if self.heading == "When the channel is lost":
            return await do(Park(channel.id))
        if game == "donquixote":
            await do(EndTable(ids["Anna"]))
        return await tables.get(table.id)

    async def _tournament(self) -> Tourney:
        """Have Anna announce a tournament; return it in its first round."""
        occasions = self.stage.bot.occasions
        plan = TournamentPlan(title="Cup", game="lancelot", format=Format.SWISS, most=4)
        tourney = await occasions.open(
            NAME,
            Tournament(plan=plan, secret="of the trial"),
            guild_id=self.stage.guild.id,
            channel_id=self.stage.channel.id,
            host_id=self.people["Anna"].id,
            language="en",
        )
        for name in ("Ben", "Mona", "Frida", "Paul"):
            sign_up = SignUp(self.people[name].id, name)
            tourney = (await occasions.act(tourney.id, sign_up)).after
        drawn: Tourney = (await occasions.act(tourney.id, tourney.kind.stands(tourney, 1))).after
        return drawn

    async def _opened(self, game: str, channel_id: int) -> Table:
        """Open a table as Anna."""
        opening = Opening(
            game=game,
            guild_id=self.stage.guild.id,
            channel_id=channel_id,
            host_id=self.people["Anna"].id,
            host_name="Anna",
            language="en",
            options={"seating": "joined"},
        )
        return await self.stage.bot.tables.open(opening)

    async def _agreed(self, table_id: int, command: Command[Table]) -> None:
        """Carry out a command that needs a vote, and have everyone agree."""
        tables = self.stage.bot.tables
        table = (await tables.act(table_id, command)).after
        for vote in open_votes(table):
            for person in table.persons:
                if open_votes(table):
                    answer = Answer(vote.asked, person, YES)
                    table = (await tables.act(table_id, answer)).after

    # -- one attempt
    def _watch(self) -> None:
        """From now on, commit nothing at tables or tournaments, and record refusals."""
        bot, tables = self.stage.bot, self.stage.bot.tables
        opened = bot.occasions.open

        async def act(table_id: int, command: Command[Table]) -> Change[Table]:
            table = await tables.get(table_id)
            return Change(table, decide(table, command, tables.clock()))

        async def act_in(number: int, command: Command[Occasion[Any]]) -> Change[Occasion[Any]]:
            occasion = await bot.occasions.get(number)
            return Change(occasion, decide_occasion(occasion, command, tables.clock()))

        async def convene(*given: Any, **named: Any) -> Any:
            return self.tourney or await opened(*given, **named)

        async def open_table(opening: Opening) -> Table:
            await tables.check_opening(opening)
            return self._spare

        async def advise(*_: Any, **__: Any) -> Any:
            raise NoAdvice

        async def form(interaction: Interaction, control: Control) -> None:
            verb, _, argument = control.argument.partition("|")
            sent = replace(control, verb=verb, argument=argument)
            await bot.acting.forms[verb](interaction, sent, self.rows[f"({verb})"].given or {})

        tables.act = act  # type: ignore[method-assign]
        tables.open = open_table  # type: ignore[method-assign]
        bot.occasions.act = act_in  # type: ignore[method-assign]
        bot.occasions.open = convene  # type: ignore[method-assign]
        bot.thinkers.advise = advise  # type: ignore[method-assign]
        bot.acting.presses["form"] = form

    def explain(
        self, refusal: Refused | Conflict, words: Mapping[str, GameWords], say: Texts
    ) -> str:
        """Explain a refusal as the bot does, and record it."""
        self._refused = refusal
        return refusals.explain(refusal, words, say)

    def _forget(self) -> None:
        self._refused = None

    async def _outcome(self, name: str, row: Row, role: Role) -> str:
        """The outcome of one attempt: a cell of the tables."""
        self._forget()
        person = self.people[role.name]
        actor = person.user if role.place == "dm" else person
        if role.place == "dm":
            channel = person.user.dm_channel
        else:
            channel = self._abroad if role.place == "abroad" else self.stage.channel
        table = self.tables.get(row.game)
        try:
            if name.startswith(MENU):
                if role.place == "dm":
                    return NOT_OFFERED
                other = self.people["Mallory" if role.place == "abroad" else "Ben"]
                result = await actor.context_menu(channel, name.removeprefix(MENU), other)
            elif name.startswith("/"):
                result = await self._type(name, row, actor, channel, role, table)
            else:
                result = await self._press(name, row, actor, channel, role, table)
        except SetupError:
            return NOT_OFFERED
        told, refusal = answer_to(result), self._refused
        where = f"{self.heading}: {name} by {role}"
        if refusal is None:
            if not result.acknowledged:
                self.problems.append(f"{where} was not acknowledged")
            return MAY
        words = self.stage.bot.acting.presenter.words
        english, german = (refusals.explain(refusal, words, texts(at)) for at in ("en", "de"))
        if english not in told or not german or german == english:
            self.problems.append(f"{where} was refused without words: {refusal.code}, {told!r}")
        by_match = isinstance(refusal, RefusedByRules | RefusedRecord)
        return MAY if by_match or refusal.code in SITUATION else english

    async def _type(
        self, name: str, row: Row, actor: Any, channel: Any, role: Role, table: Table | None
    ) -> Any:
        given = dict(row.given or {})
        if row.argument == MOVE and table is not None:
            given = self._move(name, table, role)
        if "person" in given:
            given["person"] = self.people["Mallory" if role.place == "abroad" else "Ben"]
        if "channel" in given:
            given["channel"] = self.stage.channel
        if table is not None:
            given["table"] = table.row.code
        what = name.removeprefix("/")
        if role.place == "dm":
            return await actor.slash(what, **given)
        return await actor.slash(channel, what, **given)

    async def _press(
        self, name: str, row: Row, actor: Any, channel: Any, role: Role, table: Table | None
    ) -> Any:
        verb, argument = name[1:-1], row.argument
        if argument == VOTE and table is not None:
            argument = f"{open_votes(table)[0].asked}.{YES}"
        elif argument == MOVE and table is not None:
            argument = self._moves(table, role)[0]
        if name.startswith("("):
            verb, argument = "form", f"{verb}|{argument}"
        number, revision = (0, 0) if table is None else (table.id, table.revision)
        control = Control(number, revision, verb, argument)
        if self.tourney is not None:
            control = replace(control, occasion=self.tourney.id)
        message, custom_id = await self._with_button(channel, control)
        return await actor.click(message, custom_id=custom_id)

    async def _with_button(self, channel: Any, control: Control) -> tuple[Any, str]:
        """A message in the channel with this button, and the id of the button; people share the
        message until a press replaces its button.
        """
        place = channel.id, control
        if place in self._posted:
            posted, custom_id = self._posted[place]
            message = self.stage.posted(channel, posted)
            if [each.custom_id for each in controls(message)] == [custom_id]:
                return message, custom_id
        card = buttons_card("Try", [Button(control, control.verb)])
        sent = await Gateway(self.stage.bot.client).post(channel.id, card)
        assert isinstance(sent, int)
        message = self.stage.posted(channel, sent)
        custom_id = controls(message)[0].custom_id
        self._posted[place] = sent, custom_id
        return message, custom_id

    def _moves(self, table: Table, role: Role) -> list[str]:
        """The moves open to the person or, when it is not their turn, to the first seat to move."""
        seat = table.seat_of(self.people[role.name].id)
        if seat not in table.awaited:
            seat = table.awaited[0]
        return list(table.game.legal(table.played.state, seat or 0))

    def _move(self, name: str, table: Table, role: Role) -> dict[str, str]:
        """The options of a command that plays a legal move."""
        move = self._moves(table, role)[0]
        match name:
            case "/isolde choose":
                return {"what": move}
            case "/isis move":
                stone, _, to = move.partition("-")
                return {"stone": stone, "to": to}
            case "/donquixote lay":
                return {"tile": move}
            case _:
                return {"card": move.partition(":")[2] or move}


@asynccontextmanager
async def trial(heading: str) -> AsyncIterator[Trial]:
    """Prepare a stage on which everything under one heading can be tried."""
    with tempfile.TemporaryDirectory() as folder:
        async with _undriven(Path(folder) / "house.sqlite3") as stage:
            stage.env.settle_timeout = PATIENCE
            here = Trial(stage, heading)
            with patch.object(acting, "refusals", SimpleNamespace(explain=here.explain)):
                yield here


@asynccontextmanager
async def _undriven(place: Path) -> AsyncIterator[Stage]:
    """A stage on which changes are followed by no messages and no moves of computer players."""
    with patch("bot.drive"):
        async with stage_on(place) as stage:
            yield stage


async def tried(heading: str) -> tuple[Cells, list[str]]:
    """Everyone's outcomes under one heading, and the faults of the answers."""
    async with trial(heading) as here:
        return await here.cells(), here.problems


async def inventory() -> set[str]:
    """All existing commands, controls and forms, by the names of their rows."""
    async with trial("Without a table") as here:
        bot = here.stage.bot
        commands = {
            f"/{command.qualified_name}"
            for command in bot.client.tree.walk_commands()
            if not isinstance(command, app_commands.Group)
        }
        menus = bot.client.tree.get_commands(type=discord.AppCommandType.user)
        commands |= {f"{MENU}{menu.name}" for menu in menus}
        presses = {f"[{verb}]" for verb in bot.acting.presses}
        return commands | presses | {f"({verb})" for verb in bot.acting.forms}


# -------------------------------------------------------------------------------- the page
REFUSALS = "Refusals"
"""The heading of the last section, which lists the texts of refusals."""


def read(text: str) -> dict[str, Cells]:
    """The tables of the page by heading, with refusals in place of their numbers."""
    legend = dict(re.findall(r"^(\d+)\. (.+)$", text, re.MULTILINE))
    found: dict[str, Cells] = {}
    for section in text.split("\n## ")[1:]:
        heading, *lines = section.splitlines()
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if "|" in line]
        if not rows:
            continue
        columns = rows[0][1:]
        found[heading] = {
            row[0].strip("`"): {
                column: legend.get(cell, cell)
                for column, cell in zip(columns, row[1:], strict=True)
            }
            for row in rows[2:]
        }
    return found


def written(text: str, tables: Mapping[str, Cells]) -> str:
    """The page with new tables, each below the introduction of its heading."""
    numbers: dict[str, str] = {}
    head, *sections = text.split("\n## ")
    for place, section in enumerate(sections):
        heading = section.partition("\n")[0]
        if heading not in tables:
            continue
        columns = list(SECTIONS[heading][0])
        lines = [f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
        for name, row in tables[heading].items():
            cells = [
                cell if cell in (MAY, NOT_OFFERED) else _number(numbers, cell)
                for cell in row.values()
            ]
            lines.append(f"| `{name}` | {' | '.join(cells)} |")
        said = [line for line in section.splitlines() if line and not line.startswith("|")]
        paragraph = "\n".join(said[1:])
        parts = [said[0], *([paragraph] if paragraph else []), "\n".join(lines)]
        sections[place] = "\n\n".join(parts) + "\n"
    legend = [f"{number}. {sentence}" for sentence, number in numbers.items()]
    sections[-1] = "\n".join([REFUSALS, "", *legend, ""])
    return "\n## ".join([head, *sections])


def _number(numbers: dict[str, str], sentence: str) -> str:
    return numbers.setdefault(sentence, str(len(numbers) + 1))


async def _write() -> None:
    found = {heading: await tried(heading) for heading in SECTIONS}
    tables = {heading: cells for heading, (cells, _) in found.items()}
    DOC.write_text(written(DOC.read_text("utf-8"), tables), "utf-8")
    for _, problems in found.values():
        print("\n".join(problems))


if __name__ == "__main__":
    asyncio.run(_write())
