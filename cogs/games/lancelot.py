"""Lancelot on Discord: its words, its menus and its commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from cogs.features.feature import Choices, command
from cogs.games.game import GameCog
from cogs.gateway.components import Interaction
from cogs.gateway.translator import L_, name_
from cogs.present.words import (
    STARTING_PLAYER,
    Choice,
    Group,
    Menu,
    OptionWords,
    Preset,
    StartingWords,
)
from data.texts import N_, Texts
from games.engine import Fact, Move, View
from games.lancelot.notation import with_sword
from play.table import Table
from render.icons import POWER
from render.lancelot.words import line_in_words

SWORD = "X:"


class LancelotWords(StartingWords):
    """The words of Lancelot."""

    game = "lancelot"
    title = N_("Lancelot")
    summary = N_(
        "Lead a line by exactly two to take every opposing stone on it. No stone may give you "
        "a larger lead!"
    )
    pitch = N_("stones on an open board · 15–30 moves each · learned in a minute")
    options: ClassVar = {
        "goal": OptionWords(
            name_("goal"),
            N_("Stones to take"),
            N_("Stones to take to win: 7, 8, 9 or 10 by default, depending on how many play"),
            described=N_(
                "Stones to take to win; default: 7, 8, 9 or 10, depending on how many play"
            ),
        ),
        "diagonals": OptionWords(
            name_("diagonals"),
            N_("Diagonals"),
            N_("Diagonals of four squares or more count as lines too"),
        ),
        "king": OptionWords(
            name_("king"),
            N_("King's power"),
            N_("Excalibur is on the field, and fights for you once"),
        ),
        "starter": STARTING_PLAYER,
    }
    presets: ClassVar = (
        Preset(N_("Short"), {"goal": 4}),
        Preset(N_("Everything"), {"diagonals": True, "king": True}),
    )
    refusals: ClassVar = {
        "unknown_square": N_(
            "“{text}” is not a square here. Squares are called {first} to {last}."
        ),
        "outside": N_("{square} is outside the field, which goes from {first} to {last}."),
        "sword_due": N_(
            "Excalibur has to be placed before the first turn: type “X:G6”, or use the option"
            " “sword”."
        ),
        "must_place": N_("You have to place a stone; you may pass only if you cannot."),
        "no_power_module": N_("This table plays without the King's power."),
        "sword_already_moved": N_("Excalibur has moved; now place your stone."),
        "power_used": N_("You have already called on the King's power; you can do so only once."),
        "sword_stays": N_("Excalibur is already on {square} and has to move."),
        "no_stone_square": N_(
            "With Excalibur on {square} you would have nowhere to place a stone, and you must place"
            " one."
        ),
    }
    reasons: ClassVar = {
        "goal": N_("The goal was reached."),
        "all_passed": N_("No more stones could be placed. The player with the most captures wins."),
    }
    told: ClassVar = {
        "starter": N_("{name} begins."),
        "sword_set": N_("{name} places Excalibur on {square}."),
        "power_used": N_("{name} calls on the King's power."),
        "sword_moved": N_("Excalibur moves from {origin} to {square}."),
        "placed": N_("{name} places a stone on {square}."),
    }
    motives: ClassVar = {
        "backs": N_("This turn, it counts as a stone of yours in {lines}."),
        "blocks": N_("It keeps {name} from taking stones in {lines}."),
        "apart": N_("No other stone is in line with it yet."),
        "counters": N_("There it counts against everybody in {lines}."),
        "exposes": N_("{name} could then take stones of yours in {lines}."),
        "evens": N_("{name} then no longer leads {lines}."),
        "opposes": N_("There it counts against others in {lines}."),
        "ripens": N_("One more stone of yours then takes all the stones of others in {lines}."),
        "passed": N_("{name} then has nowhere to place a stone and passes."),
        "safe": N_("Then nobody can take a stone of yours next turn."),
    }
    close_up = N_("Possible captures")
    tally = "captured"

    def refusal(self, code: str, data: Mapping[str, Any], say: Texts) -> str | None:
        """Explain the rule, naming the line or square."""
        if "corners" in data:
            first, last = data["corners"]
            data = {**data, "first": first, "last": last}
        if code == "occupied":
            if data["owner"] is None:
                return say("Excalibur is already on {square}.", **data)
            return say("There is already a stone on {square}.", **data)
        if code == "chivalry":
            return self._unchivalrous(data, say)
        return super().refusal(code, data, say)

    def _unchivalrous(self, data: Mapping[str, Any], say: Texts) -> str:
        words = {**data, "line": line_in_words(data["line"], data["name"], say)}
        if data["piece"] == "sword":
            return say(
                "Chivalry: with Excalibur on {square} you would lead {line} by {lead}; two is the"
                " limit.",
                **words,
            )
        return say(
            "Chivalry: with a stone on {square} you would lead {line} by {lead}; two is the limit.",
            **words,
        )

    def tell(self, fact: Fact, names: Sequence[str], say: Texts) -> str | None:
        """Put a fact into a sentence."""
        words = self.in_words(fact.data, names, say)
        match fact.kind:
            case "captured":
                return say.plural(
                    "{name} takes {squares} in {lines}.",
                    "{name} takes {squares} in {lines}: {n} stones.",
                    len(fact.data["squares"]),
                    **words,
                )
            case "passed" if fact.data["why"] == "no_stones":
                return say("{name} has no stones left and passes.", **words)
            case "passed":
                return say("{name} has nowhere to place a stone and passes.", **words)
            case _:
                return super().tell(fact, names, say)

    def motive(self, fact: Fact, view: View, names: Sequence[str], say: Texts) -> str | None:
        """Put a reason for a move into a sentence. In addition to ``motives``, this covers the
        stones that the move takes, and how many of the player's own stones the new one lines up
        with.
        """
        if fact.kind == "captured":
            return say.plural(
                "You take {squares} in {lines}.",
                "You take {squares} in {lines}: {n} stones.",
                len(fact.data["squares"]),
                **self.in_words(fact.data, names, say),
            )
        if fact.kind == "passed" and fact.data["why"] == "no_stones":
            return None  # others run out of stones by their own moves, not because of this move
        if fact.kind == "joins":
            return say.plural(
                "It is in line with {n} stone of yours, where nobody else leads.",
                "It is in line with {n} stones of yours, where nobody else leads.",
                fact.data["number"],
            )
        return super().motive(fact, view, names, say)

    def in_words(self, data: Mapping[str, Any], names: Sequence[str], say: Texts) -> dict[str, Any]:
        """Return the data with the names of squares and lines."""
        lines = [line_in_words(each["line"], each["name"], say) for each in data.get("lines", ())]
        squares = say.list(data.get("squares", ()))
        return {**super().in_words(data, names, say), "lines": say.list(lines), "squares": squares}

    def move_in_words(self, move: Move, names: Sequence[str], say: Texts) -> str:
        """Return a square, the square that Excalibur moves to, or the player who begins."""
        if move.startswith(SWORD):
            return say("Excalibur to {square}", square=move.removeprefix(SWORD))
        return super().move_in_words(move, names, say)

    def menu(
        self, view: View, legal: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
    ) -> Menu:
        """Ask for the column first, then for the row; the King's power is offered next to the
        columns.
        """
        if view.phase == "sword":  # Excalibur must be placed first, so nothing else is offered
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
            call = Choice(SWORD, say("Call on the King's power"), icon=POWER)
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
        """Return the number of stones taken."""
        n = view.public["captured"][seat]
        return say.plural("{n} stone taken", "{n} stones taken", n)


WORDS = LancelotWords()


class LancelotCog(
    GameCog,
    group_name=name_("lancelot"),
    group_description=L_("Lancelot, the royal game of the Round Table"),
):
    """``/lancelot``."""

    game_id = "lancelot"

    @command(
        name_("place"),
        L_("Place a stone; use the King's power first if you like"),
        square=(name_("square"), L_("Where your stone goes, such as K4")),
        sword=(
            name_("sword"),
            L_("Where Excalibur goes first, such as G6, if you call on the King's power"),
        ),
    )
    async def place(
        self,
        interaction: Interaction,
        table: Table,
        square: str | None = None,
        sword: str | None = None,
    ) -> None:
        """Place a stone, move Excalibur, or both."""
        moves = [] if sword is None else [with_sword(sword)]
        if square is not None:
            moves.append(square)
        await self.moves.play(interaction, table.id, moves)

    @place.autocomplete("square")
    async def _squares(self, interaction: Interaction, typed: str) -> Choices:
        legal = await self.legal_choices(interaction, typed)
        return [choice for choice in legal if not choice.value.startswith(SWORD)]

    @place.autocomplete("sword")
    async def _swords(self, interaction: Interaction, typed: str) -> Choices:
        return await self.legal_choices(interaction, typed, SWORD)
