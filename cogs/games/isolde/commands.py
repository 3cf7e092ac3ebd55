"""``/isolde``."""

from __future__ import annotations

from collections.abc import Callable

from cogs.features.feature import Choices, choices, command
from cogs.games.game import GameCog
from cogs.games.isolde.menus import board_of, label
from cogs.gateway.components import Interaction
from cogs.gateway.translator import L_, name_
from data.texts import Texts
from games.engine import IllegalMove, Move
from play.table import RefusedByRules, Table
from render.isolde.words import board_name


class IsoldeCog(
    GameCog,
    group_name=name_("isolde"),
    group_description=L_("Fair Isolde, the knights' academy"),
):
    """The commands of Die Holde Isolde."""

    game_id = "isolde"

    @command(
        name_("keep"),
        L_("Keep a card from your pack"),
        card=(name_("card"), L_("Which card, such as GRAL4")),
    )
    async def keep(self, interaction: Interaction, table: Table, card: str) -> None:
        """Keep a card."""
        await self.moves.play(interaction, table.id, [_with_verb("keep", card)])

    @command(
        name_("play"),
        L_("Play a card"),
        card=(name_("card"), L_("Which card, such as GRAL4")),
        board=(name_("board"), L_("On which board, if the card leaves a choice")),
    )
    async def play_card(
        self, interaction: Interaction, table: Table, card: str, board: str | None = None
    ) -> None:
        """Play a card."""
        target = f">{board}" if board else ""
        await self.moves.play(interaction, table.id, [_with_verb("play", card + target)])

    @command(
        name_("choose"),
        L_("Make the decision that is due: bonus, bet, pile, shield …"),
        what=(name_("what"), L_("Your choice; the list shows your options")),
    )
    async def choose(self, interaction: Interaction, table: Table, what: str) -> None:
        """Make the decision that is due."""
        await self.moves.play(interaction, table.id, [what])

    @command(
        name_("look"),
        L_("Take a closer look at one board"),
        board=(name_("board"), L_("Which board; default: the first one")),
    )
    async def look(self, interaction: Interaction, table: Table, board: str | None = None) -> None:
        """Show a board enlarged; if none is named, the first one."""
        unknown = IllegalMove("unknown_board", text=board)
        await self.look_closer(interaction, table, board, RefusedByRules(unknown, self.game_id))

    @look.autocomplete("board")
    async def _boards(self, interaction: Interaction, typed: str) -> Choices:
        return await self.part_choices(interaction, typed)

    @keep.autocomplete("card")
    async def _pack(self, interaction: Interaction, typed: str) -> Choices:
        return await self.legal_choices(interaction, typed, "keep:")

    @play_card.autocomplete("card")
    async def _hand(self, interaction: Interaction, typed: str) -> Choices:
        return await self.legal_choices(interaction, typed, "play:")

    @play_card.autocomplete("board")
    async def _targets(self, interaction: Interaction, typed: str) -> Choices:
        """Return the boards on which cards in the hand can be played."""
        legal = await self.legal_moves(interaction, "play:")
        say = self.say(interaction)
        named = {board: board_name(board, say) for board in dict.fromkeys(map(board_of, legal))}
        return choices(named, typed)

    @choose.autocomplete("what")
    async def _due(self, interaction: Interaction, typed: str) -> Choices:
        return await self.legal_choices(interaction, typed)

    def namer(self, table: Table, seat: int, say: Texts) -> Callable[[Move], str]:
        """Return a function that names moves as the menus do, using everything the seat knows."""
        view = table.played.view(seat)
        return lambda move: label(move, view, table.names, say)


def _with_verb(verb: str, card: str) -> str:
    """Return the move for a card; a text that is already a move is returned as it is."""
    return card if ":" in card else f"{verb}:{card}"
