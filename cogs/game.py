"""What the commands of all games share; each game's cog adds its options and its verbs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypedDict, TypeVar, get_type_hints

from discord import app_commands
from discord.ext import commands

from cogs import actions
from cogs.actions import Interaction
from cogs.meant import table_meant
from cogs.tafelrunde import Tafelrunde
from cogs.times import pace_choices
from cogs.translator import L_, name_
from data.store import Conflict
from games.engine import Move
from play.table import Refused, Table

CHOICES_AT_MOST = 25
"""Discord's limit for autocompletion."""

Callback = TypeVar("Callback", bound=Callable[..., Any])


class House(TypedDict):
    """The options of ``new`` that are the same in all games."""

    seating: str
    thread: bool
    advice: bool | None
    pace: str | None
    strict: bool


HOUSE: Mapping[str, object] = {
    "seating": "lot",
    "thread": False,
    "advice": None,
    "pace": None,
    "strict": False,
}
"""What they are where they are left out."""


async def _paces(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Paces to choose from, or the one that was typed."""
    say = interaction.client.say(interaction)
    return [app_commands.Choice(name=words, value=text) for text, words in pace_choices(typed, say)]


def house_options(new: Callback) -> Callback:
    """Show Discord what the command ``new`` of every game has in common: what ``players`` is called
    and, behind the options of the game, those that it takes as ``**house``.
    """
    signature = inspect.signature(new)
    own = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
    house = [
        inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=HOUSE[key], annotation=kind)
        for key, kind in get_type_hints(House).items()
    ]
    new.__signature__ = signature.replace(parameters=[*own, *house])  # type: ignore[attr-defined]
    for decorate in (
        app_commands.rename(
            players=name_("players"),
            seating=name_("seating"),
            thread=name_("thread"),
            advice=name_("hints"),
            pace=name_("pace"),
            strict=name_("strict"),
        ),
        app_commands.describe(
            seating=L_("How the seats are given out"),
            thread=L_("Open a thread for this table"),
            advice=L_("Whoever is to move may ask for hints, which are counted; left out: yes"),
            pace=L_("How long a turn may take, or “3d+6h” for a bank; left out: no limit"),
            strict=L_("When time is up, a computer player moves at once and nobody is asked"),
        ),
        app_commands.choices(
            seating=[
                app_commands.Choice(name=L_("Seats by lot"), value="lot"),
                app_commands.Choice(name=L_("Seats in order of joining"), value="joined"),
            ]
        ),
        app_commands.autocomplete(pace=_paces),
    ):
        new = decorate(new)
    return new


class GameCog(commands.GroupCog):
    """The commands of one game."""

    game_id: ClassVar[str]

    def __init__(self, bot: Tafelrunde) -> None:
        self.bot = bot

    @app_commands.command(
        name=name_("rules"), description=L_("The rules of the game in a nutshell")
    )
    async def rules(self, interaction: Interaction) -> None:
        """Explain the game."""
        await self.bot.attempt(interaction, actions.rules(interaction, self.game_id))

    async def open_table(
        self, interaction: Interaction, players: int | None, house: House, **own: Any
    ) -> None:
        """Open a table with the options that were given (None: not given).

        :param own: options of the game.
        """
        given = {
            key: value
            for key, value in {**own, **house}.items()
            if value is not None and key != "thread"
        }
        action = actions.open_table(interaction, self.game_id, given, players, house["thread"])
        await self.bot.attempt(interaction, action)

    async def play(
        self, interaction: Interaction, texts: Sequence[str], table_code: str | None
    ) -> None:
        """Play one or more moves in a row at the table meant."""

        async def action() -> None:
            table = await self.table_meant(interaction, table_code)
            await actions.play(interaction, table.id, texts)

        await self.bot.attempt(interaction, action())

    async def table_meant(self, interaction: Interaction, code: str | None) -> Table:
        """The table with this code, else the one in the channel, else the one that waits for me.

        :raises Refused: ``other_game``, ``no_table_here``, ``which_table``.
        """
        table = await table_meant(interaction, code, self.game_id)
        if table.row.game != self.game_id:
            raise Refused("other_game", code=table.row.code)
        return table

    async def awaited_seat(
        self, interaction: Interaction, code: str | None
    ) -> tuple[Table, int] | None:
        """The table meant and the person's seat, if a move of theirs is awaited there."""
        try:
            table = await self.table_meant(interaction, code)
        except (Refused, Conflict):
            return None
        seat = table.seat_of(interaction.user.id)
        return None if seat is None or seat not in table.awaited else (table, seat)

    async def legal_moves(self, interaction: Interaction, code: str | None = None) -> list[Move]:
        """What the person may play at the table meant; nothing if no move is awaited."""
        awaited = await self.awaited_seat(interaction, code)
        if awaited is None:
            return []
        table, seat = awaited
        return table.game.legal(table.played.state, seat)

    async def legal_choices(
        self, interaction: Interaction, typed: str, prefix: str, code: str | None = None
    ) -> list[app_commands.Choice[str]]:
        """Legal moves that begin with ``prefix`` and go on as typed, the best match first."""
        legal = await self.legal_moves(interaction, code)
        return [
            app_commands.Choice(name=move.removeprefix(prefix), value=move.removeprefix(prefix))
            for move in best_matches(legal, typed, prefix)
        ]


def best_matches(legal: Sequence[Move], typed: str, prefix: str) -> list[Move]:
    """Up to 25 moves: first those that begin as typed, then those that contain it."""
    wanted = typed.strip().casefold()
    tails = {
        move: move.removeprefix(prefix).casefold() for move in legal if move.startswith(prefix)
    }
    beginning = [move for move, tail in tails.items() if tail.startswith(wanted)]
    containing = [move for move, tail in tails.items() if wanted in tail and move not in beginning]
    return (
        sorted(beginning, key=len)[:CHOICES_AT_MOST]
        + containing[: max(0, CHOICES_AT_MOST - len(beginning))]
    )
