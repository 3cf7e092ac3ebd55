"""``/isolde``."""

from __future__ import annotations

from typing import Unpack

from discord import app_commands

from cogs import actions
from cogs.actions import Interaction
from cogs.game import GameCog, House, best_matches, house_options
from cogs.isolde.menus import label
from cogs.meant import names_table
from cogs.tafelrunde import Tafelrunde
from cogs.translator import L_, name_
from data.store import Conflict
from games.engine import IllegalMove
from play.table import Refused, RefusedByRules, Table


class IsoldeCog(
    GameCog,
    group_name=name_("isolde"),
    group_description=L_("Fair Isolde, the knights' academy"),
):
    """The commands of Die Holde Isolde."""

    game_id = "isolde"

    @app_commands.command(name=name_("new"), description=L_("Open a table for Fair Isolde"))
    @app_commands.rename(
        duo=name_("duo"),
        galanterie=name_("gallantry"),
        magie=name_("magic"),
        turnier=name_("tournament"),
        herausforderung=name_("challenge"),
        kodex=name_("codex"),
        koenig=name_("scrolls"),
        gral=name_("shields"),
        barm=name_("exchange"),
        starter=name_("starter"),
    )
    @app_commands.describe(
        players=L_("How many will play; left out: as many as come, two to five"),
        duo=L_("With two: a neutral player, or two colours each"),
        galanterie=L_("Isolde grants five different bonuses instead of fields"),
        magie=L_("An eighth board, where any card can be played, moves all others"),
        turnier=L_("A white and a black knight fight for the chalice"),
        herausforderung=L_("Bet on a discipline; Isolde rewards the cards you play there"),
        kodex=L_("The bad marks of the Studies lie hidden, and may be peeked at"),
        koenig=L_("The King counts whenever somebody takes a scroll"),
        gral=L_("The Grail pays by the shields that one has won elsewhere"),
        barm=L_("Charity lets the first swap shields with the last"),
        starter=L_("Which seat begins; left out: by lot"),
    )
    @app_commands.choices(
        duo=[
            app_commands.Choice(name=L_("Parzival, with a neutral player"), value="parzival"),
            app_commands.Choice(name=L_("Lancelot, with two colours each"), value="lancelot"),
        ],
    )
    @house_options
    async def new(
        self,
        interaction: Interaction,
        players: app_commands.Range[int, 2, 5] | None = None,
        duo: str | None = None,
        galanterie: bool = False,
        magie: bool = False,
        turnier: bool = False,
        herausforderung: bool = False,
        kodex: bool = False,
        koenig: bool = False,
        gral: bool = False,
        barm: bool = False,
        starter: app_commands.Range[int, 1, 5] | None = None,
        **house: Unpack[House],
    ) -> None:
        """Open a table."""
        await self.open_table(
            interaction,
            players,
            house,
            duo=duo,
            galanterie=galanterie,
            magie=magie,
            turnier=turnier,
            herausforderung=herausforderung,
            kodex=kodex,
            koenig=koenig,
            gral=gral,
            barm=barm,
            starter=None if starter is None else str(starter),
        )

    @app_commands.command(name=name_("keep"), description=L_("Keep a card of the pack"))
    @app_commands.rename(card=name_("card"))
    @app_commands.describe(card=L_("Which card, such as GRAL4"))
    @names_table
    async def keep(self, interaction: Interaction, card: str, table: str | None = None) -> None:
        """Keep a card."""
        await self.play(interaction, [f"keep:{card}"], table)

    @app_commands.command(name=name_("play"), description=L_("Play a card"))
    @app_commands.rename(card=name_("card"), board=name_("board"))
    @app_commands.describe(
        card=L_("Which card, such as KAMPF4"),
        board=L_("On which board, if the card does not say it"),
    )
    @names_table
    async def play_card(
        self,
        interaction: Interaction,
        card: str,
        board: str | None = None,
        table: str | None = None,
    ) -> None:
        """Play a card."""
        target = f">{board}" if board else ""
        await self.play(interaction, [f"play:{card}{target}"], table)

    @app_commands.command(
        name=name_("choose"), description=L_("Decide whatever is due: bonus, bet, pile, shield …")
    )
    @app_commands.rename(what=name_("what"))
    @app_commands.describe(what=L_("Your choice; the list shows what is possible"))
    @names_table
    async def choose(self, interaction: Interaction, what: str, table: str | None = None) -> None:
        """Decide what is due."""
        await self.play(interaction, [what], table)

    @app_commands.command(name=name_("look"), description=L_("Look closer at one board"))
    @app_commands.rename(board=name_("board"))
    @app_commands.describe(board=L_("Which one"))
    @names_table
    async def look(
        self, interaction: Interaction, board: str | None = None, table: str | None = None
    ) -> None:
        """Show a board enlarged, the first one if none is named."""

        async def action() -> None:
            meant = await self.table_meant(interaction, table)
            await self.bot.door.defer(interaction)
            part = None if board is None else self._part(meant, board, interaction)
            await actions.show_close_up(interaction, meant, part)

        await self.bot.attempt(interaction, action())

    @look.autocomplete("board")
    async def _boards(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        try:
            table = await self.table_meant(interaction, interaction.namespace.table)
        except (Refused, Conflict):
            return []
        names = self._parts(table, interaction)
        return [
            app_commands.Choice(name=name, value=name) for name in best_matches(names, typed, "")
        ]

    def _parts(self, table: Table, interaction: Interaction) -> list[str]:
        """The names of the boards at a table that has started."""
        if table.match is None:
            return []
        words, view = self.bot.words_of(table), table.played.view(None)
        return list(words.parts(view, table.names, self.bot.say(interaction)))

    def _part(self, table: Table, typed: str, interaction: Interaction) -> int:
        """The number of the board with a name.

        :raises RefusedByRules: ``unknown_board``.
        """
        names = [name.casefold() for name in self._parts(table, interaction)]
        wanted = typed.strip().casefold()
        if wanted in names:
            return names.index(wanted)
        raise RefusedByRules(IllegalMove("unknown_board", text=typed), self.game_id, (), ())

    @keep.autocomplete("card")
    async def _pack(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self._named(interaction, typed, "keep:")

    @play_card.autocomplete("card")
    async def _hand(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self._named(interaction, typed, "play:")

    @choose.autocomplete("what")
    async def _due(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self._named(interaction, typed, "")

    async def _named(
        self, interaction: Interaction, typed: str, prefix: str
    ) -> list[app_commands.Choice[str]]:
        """Legal moves in words, for those who are to move."""
        awaited = await self.awaited_seat(interaction, interaction.namespace.table)
        if awaited is None:
            return []
        table, seat = awaited
        say = self.bot.say(interaction)
        view = table.played.view(seat)
        legal = table.game.legal(table.played.state, seat)
        by_name = {
            label(move, view, table.names, say): move for move in legal if move.startswith(prefix)
        }
        return [
            app_commands.Choice(name=name[:100], value=by_name[name].removeprefix(prefix))
            for name in best_matches(list(by_name), typed, "")
        ]


async def setup(bot: Tafelrunde) -> None:
    """Add the commands to the bot."""
    await bot.add_cog(IsoldeCog(bot))
