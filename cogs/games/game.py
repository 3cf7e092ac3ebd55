"""The commands that all games share. A game's own cog adds commands of its own; a game that has no
cog of its own gets ``move``, which accepts every move.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final

from discord import app_commands
from discord.ext import commands

from cogs.features.acting import FORM_PATIENCE, Acting
from cogs.features.feature import (
    Choices,
    CommandOption,
    Feature,
    choices,
    command,
    index_of_name,
    made_of,
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

SHARED_OPTIONS: Final = {
    "seating": CommandOption(
        (
            name_("seating"),
            L_("How seats are assigned"),
            {"lot": L_("By lot"), "joined": L_("In order of joining")},
        ),
        str,
        "lot",
    ),
    "thread": CommandOption(
        (
            name_("thread"),
            L_("Open a thread for this table; default: if the server wants one and it is possible"),
        ),
        bool | None,
    ),
    "advice": CommandOption(
        (
            name_("hints"),
            L_("The player to move may ask for hints, which are counted; default: yes"),
        ),
        bool | None,
    ),
    "pace": CommandOption(
        (
            name_("pace"),
            L_("How long a turn may take, or “3d+6h” for a time bank; default: two days"),
            offer_paces_or_none,
        ),
        str | None,
    ),
    "strict": CommandOption(
        (
            name_("strict"),
            L_("When time is up, a computer player moves at once, without asking anyone"),
        ),
        bool,
        default=False,
    ),
}
"""The options that every game has."""

RESERVED_KEYS: Final = frozenset({"interaction", "players", "preset", *SHARED_OPTIONS})
"""Keys that an option of a game must not use."""


def command_option(option: Option, words: OptionWords) -> CommandOption:
    """Return the command option for a game's option. If a person omits it, the value in the chosen
    preset applies, or else the default of the game's option.
    """
    meaning = Marked(words.described or words.help)
    numbers = [int(choice) for choice in option.choices if choice.isdecimal()]
    if option.kind == "bool":
        return CommandOption((words.typed, meaning), bool | None)
    if option.kind == "choice" and not numbers:
        names = {choice: Marked(words.choices[choice]) for choice in option.choices}
        return CommandOption((words.typed, meaning, names), str | None)
    return CommandOption(
        (words.typed, meaning), _optional_number(numbers or (option.lo, option.hi))
    )


def _preset_option(presets: Mapping[str, Preset]) -> dict[str, CommandOption]:
    """Return the option for choosing a preset; empty if there are no presets."""
    if not presets:
        return {}
    meaning = L_("Options that go well together; what you set yourself takes precedence")
    names = {number: Marked(preset.label) for number, preset in presets.items()}
    return {"preset": CommandOption((name_("preset"), meaning, names), str, "")}


def _optional_number(allowed: Sequence[int]) -> Any:
    """Return the type of an optional number.

    :param allowed: the numbers allowed; only the lowest and the highest matter.
    """
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
        """Return the command ``new``. Its options are the number of players, the preset, the game's
        own options and those that all games have, in this order.
        """
        info, words = self.game.info, self.acting.presenter.words[self.game_id]
        presets = {str(n): preset for n, preset in enumerate(words.presets, start=1)}
        options = {
            "players": CommandOption(
                (
                    name_("players"),
                    L_(
                        "How many will play; default: as many as join, unless the preset sets a "
                        "number"
                    ),
                ),
                _optional_number(info.players),
            ),
            **_preset_option(presets),
            **{
                option.key: command_option(option, words.options[option.key])
                for option in info.options
            },
            **SHARED_OPTIONS,
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
        """Open a table with these options. Options that the person omitted (None) come from the
        preset.
        """
        chosen = {key: value for key, value in given.items() if value is not None}
        options = {**preset.options, **chosen}
        players, thread = options.pop("players", preset.players), options.pop("thread", None)
        for option in self.game.info.options:
            if option.kind == "choice" and option.key in options:
                options[option.key] = str(options[option.key])
            elif option.kind == "bool" and options.get(option.key) == option.default:
                del options[option.key]  # the option may not exist for this many players
        await self.lobby.open(interaction, self.game_id, options, players, thread)

    # -- playing
    @command(name_("rules"), L_("The rules of the game in brief"))
    async def rules(self, interaction: Interaction) -> None:
        """Show the rules of the game."""
        await self.looking.rules(interaction, self.game_id)

    async def table_meant(self, interaction: Interaction, code: str | None) -> Table:
        """Return the table that a command is about, as ``Acting.table_meant`` does.

        :raises Refused: ``other_game``: a table of another game is meant; or whatever
            ``Acting.table_meant`` raises.
        """
        table = await self.acting.table_meant(interaction, code, self.game_id)
        if table.row.game != self.game_id:
            raise Refused("other_game", code=table.row.code)
        return table

    # -- what may be typed
    async def named_table(self, interaction: Interaction) -> Table | None:
        """Return the table that the command would use, judging by what has been typed so far; None
        if there is none, or finding it takes too long.
        """
        try:
            # Autocompletion cannot be acknowledged in advance, and late suggestions are useless.
            async with asyncio.timeout(FORM_PATIENCE):
                return await self.table_meant(interaction, interaction.namespace.table)
        except (Refused, Conflict, TimeoutError):
            return None

    async def awaited_seat(self, interaction: Interaction) -> tuple[Table, int] | None:
        """Return the table and the person's seat, if they owe a move there; otherwise None."""
        table = await self.named_table(interaction)
        seat = None if table is None else table.seat_of(interaction.user.id)
        return None if table is None or seat not in table.awaited else (table, seat)

    async def legal_moves(self, interaction: Interaction, prefix: str = "") -> Sequence[Move]:
        """Return the person's legal moves at ``named_table``; empty if it is not their turn.

        :param prefix: keep only moves that begin with this, and strip it.
        """
        awaited = await self.awaited_seat(interaction)
        if awaited is None:
            return []
        table, seat = awaited
        return [move.removeprefix(prefix) for move in table.legal(seat) if move.startswith(prefix)]

    async def legal_choices(
        self, interaction: Interaction, typed: str, prefix: str = ""
    ) -> Choices:
        """Return the person's legal moves as choices in words, the best match for ``typed``
        first.

        :param prefix: keep only moves that begin with this, and strip it.
        """
        awaited = await self.awaited_seat(interaction)
        if awaited is None:
            return []
        table, seat = awaited
        name = self.namer(table, seat, self.say(interaction))
        legal = [move for move in table.legal(seat) if move.startswith(prefix)]
        return choices({move.removeprefix(prefix): name(move) for move in legal}, typed)

    def namer(self, table: Table, seat: int, say: Texts) -> Callable[[Move], str]:
        """Return a function that names a seat's moves for ``legal_choices``; by default, it names
        them as the log does.
        """
        words = self.words_of(table)
        return lambda move: words.coded(move, table.names, say)

    # -- looking closer
    async def look_closer(
        self, interaction: Interaction, table: Table, typed: str | None, unknown: Refused
    ) -> None:
        """Show one of ``GameWords.parts`` enlarged.

        :param typed: the part's name; None: the person's own part, or the first if they have none.
        """
        parts = self._parts(table, interaction)
        part = None if typed is None else index_of_name(parts, typed)
        if typed is not None and part is None and parts:
            raise unknown
        await self.looking.close_up(interaction, table, part)

    async def part_choices(self, interaction: Interaction, typed: str) -> Choices:
        """Return the names of the parts that ``look_closer`` can show."""
        table = await self.named_table(interaction)
        names = [] if table is None else self._parts(table, interaction)
        return choices({name: name for name in names}, typed)

    def _parts(self, table: Table, interaction: Interaction) -> Sequence[str]:
        """Return the names of the parts; empty before the match starts."""
        if table.match is None:
            return []
        return self.words_of(table).parts(table.public_view, table.names, self.say(interaction))


def cog_of(words: GameWords) -> type[GameCog]:
    """Return the commands of a game that has no cog of its own: ``new``, ``rules`` and ``move``."""

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
            L_("Play a move; the list shows your options"),
            move=(name_("move"), L_("Your move, in the notation of the board and the log")),
        )
        async def move(self, interaction: Interaction, table: Table, move: str) -> None:
            """Play a move."""
            await self.moves.play(interaction, table.id, [move])

        @move.autocomplete("move")
        async def _moves(self, interaction: Interaction, typed: str) -> Choices:
            return await self.legal_choices(interaction, typed)

    return AnyGameCog
