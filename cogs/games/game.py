"""What the commands of all games share. A game's own cog adds its verbs; a game without one has
``move``, which takes any of its moves.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from discord import app_commands
from discord.ext import commands

from cogs.features.acting import FORM_PATIENCE, Acting
from cogs.features.feature import (
    Choices,
    Feature,
    Shown,
    choices,
    command,
    made_of,
    number_of,
    offer_paces_or_none,
)
from cogs.features.lobby import Lobby
from cogs.features.looking import Looking
from cogs.features.moves import Moves
from cogs.gateway.components import Interaction
from cogs.gateway.translator import L_, Marked, name_
from cogs.present.words import PLAIN, GameWords, OptionWords, Preset
from data.store.problems import Conflict
from data.texts import Texts
from games import GAMES
from games.engine import Move, Option
from play.table import Refused, Table


@dataclass(frozen=True, slots=True)
class Asked:
    """An option of the command that opens a table.

    :param type: of its values, as discord.py wants it told.
    """

    shown: Shown
    type: Any
    default: str | bool | None = None

    def parameter(self, key: str) -> inspect.Parameter:
        """The parameter of a function that discord.py calls for the command."""
        kind = inspect.Parameter.KEYWORD_ONLY
        return inspect.Parameter(key, kind, default=self.default, annotation=self.type)


HOUSE: Final = {
    "seating": Asked(
        (
            name_("seating"),
            L_("How the seats are given out"),
            {"lot": L_("Seats by lot"), "joined": L_("Seats in order of joining")},
        ),
        str,
        "lot",
    ),
    "thread": Asked(
        (name_("thread"), L_("Open a thread for this table; left out: if that is possible here")),
        bool | None,
    ),
    "advice": Asked(
        (
            name_("hints"),
            L_("Whoever is to move may ask for hints, which are counted; left out: yes"),
        ),
        bool | None,
    ),
    "pace": Asked(
        (
            name_("pace"),
            L_("How long a turn may take, or “3d+6h” for a bank; left out: two days"),
            offer_paces_or_none,
        ),
        str | None,
    ),
    "strict": Asked(
        (
            name_("strict"),
            L_("When time is up, a computer player moves at once and nobody is asked"),
        ),
        bool,
        default=False,
    ),
}
"""The options that are the same in all games."""

NOT_OPTIONS: Final = frozenset({"interaction", "players", "preset", *HOUSE})
"""Keys that no option of a game may have."""


def asked(option: Option, words: OptionWords) -> Asked:
    """An option of a game as the command asks for it; left out, the game has its own default."""
    meaning = Marked(words.described or words.help)
    numbers = [int(choice) for choice in option.choices if choice.isdecimal()]
    if option.kind == "bool":
        return Asked((words.typed, meaning), bool | None)
    if option.kind == "choice" and not numbers:
        names = {choice: Marked(words.choices[choice]) for choice in option.choices}
        return Asked((words.typed, meaning, names), str | None)
    return Asked((words.typed, meaning), _number(numbers or (option.lo, option.hi)))


def _preset(presets: Mapping[str, Preset]) -> dict[str, Asked]:
    """The option that takes one of the presets, if there are any."""
    if not presets:
        return {}
    meaning = L_("Options that go well together; what you choose yourself comes first")
    names = {number: Marked(preset.label) for number, preset in presets.items()}
    return {"preset": Asked((name_("preset"), meaning, names), str, "")}


def _number(allowed: Sequence[int]) -> Any:
    """The type of a number that may be left out."""
    return app_commands.Range[int, min(allowed), max(allowed)] | None


class GameCog(Feature, commands.GroupCog):
    """The commands of one game."""

    game_id: ClassVar[str]

    def __init__(self, acting: Acting, moves: Moves, lobby: Lobby, looking: Looking) -> None:
        super().__init__(acting)
        self.moves = moves
        self.lobby = lobby
        self.looking = looking
        self.game = GAMES[self.game_id]
        if self.app_command is not None:
            self.app_command.add_command(self._opening_command())

    # -- opening
    def _opening_command(self) -> app_commands.Command[Any, ..., None]:
        """The command ``new``, with the presets and options of the game and behind them those of
        the house.
        """
        info, words = self.game.info, self.acting.presenter.words[self.game_id]
        presets = {str(n): preset for n, preset in enumerate(words.presets, start=1)}
        options = {
            "players": Asked(
                (name_("players"), L_("How many will play; left out: as many as come")),
                _number(info.players),
            ),
            **_preset(presets),
            **{option.key: asked(option, words.options[option.key]) for option in info.options},
            **HOUSE,
        }

        async def new(interaction: Interaction, preset: str = "", **given: Any) -> None:
            await self._open(interaction, presets.get(preset, PLAIN), given)

        return made_of(
            self,
            name_("new"),
            L_("Open a table for this game"),
            [each.parameter(key) for key, each in options.items()],
            {key: each.shown for key, each in options.items()},
            new,
        )

    async def _open(self, interaction: Interaction, preset: Preset, given: dict[str, Any]) -> None:
        """Open a table with the options that were given (None: not given), the others as the preset
        has them.
        """
        chosen = {key: value for key, value in given.items() if value is not None}
        options = {**preset.options, **chosen}
        players, thread = options.pop("players", preset.players), options.pop("thread", None)
        for option in self.game.info.options:
            if option.kind == "choice" and option.key in options:
                options[option.key] = str(options[option.key])
            elif option.kind == "bool" and options.get(option.key) == option.default:
                del options[option.key]  # also where so few play that there is no such option
        await self.lobby.open(interaction, self.game_id, options, players, thread)

    # -- playing
    @command(name_("rules"), L_("The rules of the game in a nutshell"))
    async def rules(self, interaction: Interaction) -> None:
        """Explain the game."""
        await self.looking.rules(interaction, self.game_id)

    async def table_meant(self, interaction: Interaction, code: str | None) -> Table:
        """The table with this code, else the one in the channel, else the one that waits for me.

        :raises Refused: ``other_game``, ``no_table_here``, ``which_table``.
        """
        table = await self.acting.table_meant(interaction, code, self.game_id)
        if table.row.game != self.game_id:
            raise Refused("other_game", code=table.row.code)
        return table

    # -- what may be typed
    async def named_table(self, interaction: Interaction) -> Table | None:
        """The table that is meant by what has been typed so far, if there is one."""
        try:
            # Nothing can be acknowledged here: what comes too late is of no use.
            async with asyncio.timeout(FORM_PATIENCE):
                return await self.table_meant(interaction, interaction.namespace.table)
        except (Refused, Conflict, TimeoutError):
            return None

    async def awaited_seat(self, interaction: Interaction) -> tuple[Table, int] | None:
        """The table meant and the person's seat, if a move of theirs is awaited there."""
        table = await self.named_table(interaction)
        seat = None if table is None else table.seat_of(interaction.user.id)
        return None if table is None or seat not in table.awaited else (table, seat)

    async def legal_moves(self, interaction: Interaction, prefix: str = "") -> Sequence[Move]:
        """What the person may play at the table meant; nothing if no move is awaited.

        :param prefix: only moves that begin with it, and these without it.
        """
        awaited = await self.awaited_seat(interaction)
        if awaited is None:
            return []
        table, seat = awaited
        return [move.removeprefix(prefix) for move in table.legal(seat) if move.startswith(prefix)]

    async def legal_choices(
        self, interaction: Interaction, typed: str, prefix: str = ""
    ) -> Choices:
        """Legal moves that begin with ``prefix``, without it and in words, the best match for what
        was typed first.
        """
        awaited = await self.awaited_seat(interaction)
        if awaited is None:
            return []
        table, seat = awaited
        name = self.namer(table, seat, self.say(interaction))
        legal = [move for move in table.legal(seat) if move.startswith(prefix)]
        return choices({move.removeprefix(prefix): name(move) for move in legal}, typed)

    def namer(self, table: Table, seat: int, say: Texts) -> Callable[[Move], str]:
        """What ``legal_choices`` calls the legal moves of a seat; by default as the log does."""
        words = self.words_of(table)
        return lambda move: words.coded(move, table.names, say)

    # -- looking closer
    async def look_closer(
        self, interaction: Interaction, table: Table, typed: str | None, unknown: Refused
    ) -> None:
        """Show one of ``GameWords.parts`` enlarged.

        :param typed: its name; None: the person's own, or the first one.
        :param unknown: raised if there is none of this name.
        """
        parts = self._parts(table, interaction)
        part = None if typed is None else number_of(parts, typed)
        if typed is not None and part is None and parts:
            raise unknown
        await self.looking.close_up(interaction, table, part)

    async def part_choices(self, interaction: Interaction, typed: str) -> Choices:
        """The names of what ``look_closer`` can show at the table meant."""
        table = await self.named_table(interaction)
        names = [] if table is None else self._parts(table, interaction)
        return choices({name: name for name in names}, typed)

    def _parts(self, table: Table, interaction: Interaction) -> Sequence[str]:
        """Nothing at a table that has not started."""
        if table.match is None:
            return []
        return self.words_of(table).parts(table.public_view, table.names, self.say(interaction))


def cog_of(words: GameWords) -> type[GameCog]:
    """The commands of a game that has no verbs of its own: ``new``, ``rules`` and ``move``."""

    class AnyGameCog(
        GameCog,
        name=words.game,
        group_name=name_(words.game),
        group_description=Marked(words.title),
    ):
        """The commands of the game."""

        game_id = words.game

        @command(
            name_("move"),
            L_("Play a move; the list shows what is possible"),
            move=(name_("move"), L_("Your move, as the board and the log write it")),
        )
        async def move(self, interaction: Interaction, table: Table, move: str) -> None:
            """Play a move."""
            await self.moves.play(interaction, table.id, [move])

        @move.autocomplete("move")
        async def _moves(self, interaction: Interaction, typed: str) -> Choices:
            return await self.legal_choices(interaction, typed)

    return AnyGameCog
