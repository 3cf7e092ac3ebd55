"""Lancelot on Discord: its words, its menus and its commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Unpack

from discord import app_commands

from cogs.actions import Interaction
from cogs.game import GameCog, House, house_options
from cogs.meant import names_table
from cogs.tafelrunde import Tafelrunde
from cogs.translator import L_, name_
from cogs.words import (
    NO_STARTER,
    STARTER,
    STARTING_PLAYER,
    Choice,
    GameWords,
    Group,
    Menu,
    OptionWords,
    starter_in_words,
)
from data.texts import N_, Texts
from games.engine import Fact, Move, View

SWORD = "X:"


class LancelotWords(GameWords):
    """What is said about Lancelot."""

    game = "lancelot"
    title = N_("Lancelot")
    summary = N_(
        "Place your stones, lead a line by exactly two, and take every foreign stone on it. But"
        " beware: a knight never leads by more. For two to five players."
    )
    options: ClassVar = {
        "goal": OptionWords(N_("Stones to take"), N_("How many stones win the game")),
        "diagonals": OptionWords(
            N_("Diagonals"), N_("Diagonals of four squares or more count as lines too")
        ),
        "king": OptionWords(
            N_("The King's power"), N_("Excalibur stands on the field; once, it fights for you")
        ),
        "starter": STARTING_PLAYER,
    }
    refusals: ClassVar = {
        "unknown_square": N_("“{text}” is no square. Squares are called A1 to N14."),
        "sword_due": N_("Before the first turn, Excalibur has to be set."),
        "must_place": N_("You have to place a stone; only those who cannot, pass."),
        "no_power_module": N_("This table plays without the King's power."),
        "sword_already_moved": N_("Excalibur has moved; now place your stone."),
        "power_used": N_("You have called on the King's power already; it is granted once."),
        "sword_stays": N_("Excalibur stands on {square} already and has to move."),
        "no_stone_square": N_(
            "With Excalibur on {square} you could not place a stone anywhere, and you have to."
        ),
        "starter_seat": NO_STARTER,
    }
    reasons: ClassVar = {
        "goal": N_("The goal was reached."),
        "all_passed": N_("Nobody could place another stone; most stones taken wins."),
    }

    def refusal(self, code: str, data: Mapping[str, Any], say: Texts) -> str | None:
        """Names the rule with the line or square that it is about."""
        if code == "outside":
            first, last = data["corners"]
            return say(
                "{square} lies outside the field, which goes from {first} to {last}.",
                square=data["square"],
                first=first,
                last=last,
            )
        if code == "occupied":
            if data["owner"] is None:
                return say("Excalibur stands on {square}.", square=data["square"])
            return say("There is already a stone on {square}.", square=data["square"])
        if code == "chivalry":
            return self._unchivalrous(data, say)
        return super().refusal(code, data, say)

    def _unchivalrous(self, data: Mapping[str, Any], say: Texts) -> str:
        line = line_in_words(data["line"], data["name"], say)
        if data["piece"] == "sword":
            return say(
                "Commandment of chivalry: Excalibur on {square} would fight for you, and you would"
                " have {lead} stones more than all others together in {line}. Two is the limit.",
                square=data["square"],
                lead=data["lead"],
                line=line,
            )
        return say(
            "Commandment of chivalry: with a stone on {square} you would have {lead} stones more"
            " than all others together in {line}. Two is the limit.",
            square=data["square"],
            lead=data["lead"],
            line=line,
        )

    def tell(self, fact: Fact, names: Sequence[str], say: Texts) -> str | None:
        """One sentence for each kind of fact."""
        data = fact.data
        name = names[data["seat"]] if "seat" in data else ""
        match fact.kind:
            case "starter":
                return say("{name} begins.", name=name)
            case "sword_set":
                return say("{name} sets Excalibur on {square}.", name=name, square=data["square"])
            case "power_used":
                return say("{name} calls on the King's power.", name=name)
            case "sword_moved":
                return say(
                    "Excalibur moves from {origin} to {square}.",
                    origin=data["origin"],
                    square=data["square"],
                )
            case "placed":
                return say("{name} places a stone on {square}.", name=name, square=data["square"])
            case "captured":
                return say.plural(
                    "{name} takes {squares} in {lines}.",
                    "{name} takes {squares} in {lines}: {n} stones.",
                    len(data["squares"]),
                    name=name,
                    squares=say.list(data["squares"]),
                    lines=_lines_in_words(data["lines"], say),
                )
            case "blocks":
                return say(
                    "It keeps {name} from taking stones in {lines}.",
                    name=name,
                    lines=_lines_in_words(data["lines"], say),
                )
            case "ripens":
                return say(
                    "One more stone of {name}'s then takes whatever others have in {lines}.",
                    name=name,
                    lines=_lines_in_words(data["lines"], say),
                )
            case "passed":
                return self._passed(data["why"], name, say)
            case _:
                return None

    def _passed(self, why: str, name: str, say: Texts) -> str:
        if why == "no_stones":
            return say("{name} has no stones left and passes.", name=name)
        return say("{name} can place nowhere and passes.", name=name)

    def move_in_words(self, move: Move, names: Sequence[str], say: Texts) -> str:
        """A square, the square that Excalibur goes to, or who begins."""
        if move.startswith(STARTER):
            return starter_in_words(move, names, say)
        if move.startswith(SWORD):
            return say("Excalibur to {square}", square=move.removeprefix(SWORD))
        return move

    def menu(
        self, view: View, legal: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
    ) -> Menu:
        """First the column, then the row; the King's power beside the columns."""
        if view.phase == "sword":  # nothing else can be done, so nobody has to say it
            prefix = prefix or SWORD
        going_on = [move for move in legal if move.startswith(prefix)]
        if prefix in ("", SWORD):
            return self._columns(going_on, prefix, say)
        return self._rows(going_on, prefix, say)

    def _columns(self, moves: Sequence[Move], prefix: str, say: Texts) -> Menu:
        swords = [move for move in moves if move.startswith(SWORD)]
        squares = swords if prefix else [move for move in moves if not move.startswith(SWORD)]
        columns = sorted({move[: len(prefix) + 1] for move in squares})
        choices = tuple(Choice(column, column.removeprefix(prefix)) for column in columns)
        groups = [Group(say("Column"), choices)]
        if swords and not prefix:
            call = Choice(SWORD, say("Call on the King's power"))
            groups.append(Group(say("The King's power"), (call,)))
        prompt = (
            say("Where does Excalibur go?") if prefix else say("Where do you place your stone?")
        )
        return Menu(prompt, tuple(groups))

    def _rows(self, moves: Sequence[Move], prefix: str, say: Texts) -> Menu:
        choices = tuple(Choice(move, move.removeprefix(SWORD)) for move in moves)
        column = prefix.removeprefix(SWORD)
        return Menu(
            say("Which square in column {column}?", column=column),
            (Group(say("Square"), choices),),
        )

    def score(self, view: View, seat: int, say: Texts) -> str | None:
        """The stones taken."""
        n = view.public["captured"][seat]
        return say.plural("{n} stone taken", "{n} stones taken", n)

    def rules(self, say: Texts) -> str:
        """Goal, a turn, taking, the modules, an example."""
        return "\n".join(
            [
                f"### {say('Lancelot')}",
                say(
                    "**Goal.** Be the first to take seven foreign stones (eight, nine or ten with"
                    " three, four or five players), of whichever colours."
                ),
                say(
                    "**A turn.** Place one stone on a free square. It never moves again; it can"
                    " only be taken."
                ),
                say(
                    "**Commandment of chivalry.** After placing, you may have at most two stones"
                    " more than all others together in its row and in its column."
                ),
                say(
                    "**Taking.** If your stone makes it exactly two more, all foreign stones of"
                    " that line are yours. Row and column are judged at the same moment, so both"
                    " may be taken. Only your own placing takes: nobody is taken on entering a"
                    " line that you already lead."
                ),
                say(
                    "**Example.** In row 4 you have E4 and G4, another knight has I4. You place"
                    " K4: three against one, exactly two more, and I4 is taken."
                ),
                say(
                    "**Diagonals** (option). Diagonals of at least four squares count as lines"
                    " as well."
                ),
                say(
                    "**The King's power** (option). Excalibur stands on a square and counts as a"
                    " foreign stone for everybody; it cannot be taken. Once in the game you may"
                    " move it in your turn and place a stone besides: in that moment it counts as"
                    " your own, on its lines as well."
                ),
                say(
                    "**End.** Who reaches the goal wins at once. If nobody can place any more,"
                    " most stones taken wins."
                ),
            ]
        )


def line_in_words(kind: str, name: str, say: Texts) -> str:
    """A line as it is spoken of: row 7, column K, diagonal D4–K11."""
    match kind:
        case "row":
            return say("row {name}", name=name)
        case "column":
            return say("column {name}", name=name)
        case _:
            return say("diagonal {name}", name=name.replace("-", "–"))


def _lines_in_words(lines: Sequence[Mapping[str, str]], say: Texts) -> str:
    return say.list([line_in_words(line["line"], line["name"], say) for line in lines])


WORDS = LancelotWords()


class LancelotCog(
    GameCog,
    group_name=name_("lancelot"),
    group_description=L_("Lancelot, the royal game of the Round Table"),
):
    """``/lancelot``."""

    game_id = "lancelot"

    @app_commands.command(name=name_("new"), description=L_("Open a table for Lancelot"))
    @app_commands.rename(
        goal=name_("goal"),
        diagonals=name_("diagonals"),
        king=name_("king"),
        starter=name_("starter"),
    )
    @app_commands.describe(
        players=L_("How many will play; left out: as many as come, two to five"),
        goal=L_("How many stones win; left out: 7, 8, 9 or 10 by the number of players"),
        diagonals=L_("Diagonals of four squares or more count as lines too"),
        king=L_("Excalibur stands on the field; once in the game, it fights for you"),
        starter=L_("Which seat begins; left out: by lot"),
    )
    @house_options
    async def new(
        self,
        interaction: Interaction,
        players: app_commands.Range[int, 2, 5] | None = None,
        goal: app_commands.Range[int, 1, 30] | None = None,
        diagonals: bool = False,
        king: bool = False,
        starter: app_commands.Range[int, 1, 5] | None = None,
        **house: Unpack[House],
    ) -> None:
        """Open a table."""
        await self.open_table(
            interaction,
            players,
            house,
            goal=goal,
            diagonals=diagonals,
            king=king,
            starter=None if starter is None else str(starter),
        )

    @app_commands.command(
        name=name_("place"), description=L_("Place a stone, with the King's power if you like")
    )
    @app_commands.rename(square=name_("square"), sword=name_("sword"))
    @app_commands.describe(
        square=L_("Where your stone goes, such as K4"),
        sword=L_("Where Excalibur goes first, such as G6, if you call on the King's power"),
    )
    @names_table
    async def place(
        self,
        interaction: Interaction,
        square: str | None = None,
        sword: str | None = None,
        table: str | None = None,
    ) -> None:
        """Place a stone, move Excalibur, or both."""
        moves = [] if sword is None else [sword if sword.startswith(SWORD) else SWORD + sword]
        if square is not None:
            moves.append(square)
        await self.play(interaction, moves, table)

    @place.autocomplete("square")
    async def _squares(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        legal = await self.legal_choices(interaction, typed, "", interaction.namespace.table)
        return [choice for choice in legal if not choice.value.startswith(SWORD)]

    @place.autocomplete("sword")
    async def _sword_squares(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        return await self.legal_choices(interaction, typed, SWORD, interaction.namespace.table)


async def setup(bot: Tafelrunde) -> None:
    """Add the commands to the bot."""
    await bot.add_cog(LancelotCog(bot))
