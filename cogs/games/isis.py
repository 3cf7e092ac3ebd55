"""Isis on Discord: its words, its menus and its commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from cogs.features.feature import Choices, choices, command
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
from games.isis import position_of
from games.isis.board import PERSONAL, THRONES, TURN, UNDERWORLD
from play.table import Table
from render.icons import LOTUS, isis_stone
from render.isis.words import AMULET_NAMES, personal, square_in_words


class IsisWords(StartingWords):
    """The words of Isis."""

    game = "isis"
    title = N_("Isis")
    summary = N_(
        "Move stones from the underworld into heaven, make one your own, and take a throne with it."
    )
    pitch = N_("a race in exact steps · about 40 moves each · tricky")
    options: ClassVar = {
        "places": OptionWords(
            name_("places"),
            N_("Play on for places"),
            N_("After the first throne, the others play on"),
            described=N_("With three or four players: play on for second and third place"),
        ),
        "retreat": OptionWords(
            name_("retreat"),
            N_("Turning back in heaven"),
            N_("A stone that enters heaven may turn back there at once"),
        ),
        "hints": OptionWords(
            name_("warnings"),
            N_("Warnings"),
            N_("Pictures mark stones in danger"),
            described=N_("Show which stones are in danger of being locked in; default: yes"),
        ),
        "cap": OptionWords(
            name_("turns"),
            N_("Maximum turns"),
            N_("After this many turns the match is a draw"),
            described=N_("After this many turns the match is a draw; default: 300"),
        ),
        "starter": STARTING_PLAYER,
    }
    presets: ClassVar = (
        Preset(N_("Short"), {"cap": 100, "retreat": True}),
        Preset(N_("Everything"), {"places": True, "retreat": True}, players=4),
    )
    refusals: ClassVar = {
        "unknown_move": N_(
            "I do not understand “{text}”. Write 14-21, or P46-44 for your own stone, or turn 40."
        ),
        "unknown_square": N_("There is no square {square}. Squares are numbered 0 to 50."),
        "must_move": N_("You have to move; you may pass only if you have no move at all."),
        "own_stone": N_("The stone on {square} is your own. Write P{square} for it."),
        "foreign_stone": N_("The stone on {square} belongs to somebody else."),
        "no_personal": N_("You have no stone of your own yet."),
        "banned": N_("The player before you moved the stone on {square}, so you may not move it."),
        "banned_below": N_(
            "A neutral stone has just gone down, so no neutral stone may leave the underworld "
            "this turn."
        ),
        "occupied": N_("There is already a stone on {to}."),
        "throne_neutral": N_("{to} is a throne. Only a stone of your own may step on it."),
        "throne_from_earth": N_(
            "Only a stone that starts its move in heaven can take the throne {to}."
        ),
        "backward": N_("On earth, stones move forward or sideways: not from {square} to {to}."),
        "turned_back": N_(
            "A stone coming from earth cannot turn back in heaven within the same move: not from"
            " {square} to {to}."
        ),
        "descent_closed": N_(
            "Stones may go down into the underworld only while an opponent's own stone is in play."
        ),
        "turned_before": N_("You have already turned a stone over; each player does so only once."),
        "turn_heaven": N_("{square} is not in heaven. Only stones on 39 to 50 can be turned over."),
        "turn_neutral": N_("There is no neutral stone on {square}."),
        "turn_alone": N_(
            "The stone on {square} is alone in heaven; it needs company to be turned over."
        ),
        "no_stone": N_("There is no stone on {square}."),
        "personal_elsewhere": N_("Your own stone is on {square}."),
        "descent_from": N_(
            "No stone goes straight from heaven ({square}) down into the underworld."
        ),
    }
    reasons: ClassVar = {
        "throne": N_("The first throne has been taken."),
        "places": N_("All places have been taken."),
        "repetition": N_(
            "The same position came up for the third time: all players without a throne share a"
            " place."
        ),
        "cap": N_(
            "The agreed number of turns has been played: all players without a throne "
            "share a place."
        ),
    }
    told: ClassVar = {
        "starter": N_("{name} begins."),
        "placed": N_("{name} takes the throne on {square}: place {place}!"),
        "passed": N_("{name} has no move and passes."),
    }
    motives: ClassVar = {
        "aims": N_("Your own stone then has a clear way to a throne."),
        "ascends": N_("Your own stone reaches heaven, where the thrones are."),
        "denies": N_("{name} then cannot turn a stone over next turn."),
        "endangers": N_("{name}'s own stone is then in danger of being locked in."),
        "halts": N_("{name}'s own stone then has nowhere to go."),
        "frees": N_("Your own stone then has more moves."),
        "hampers": N_("{name}'s own stone then has fewer moves."),
        "leaves": N_("It takes a stone out of heaven."),
        "lets": N_("{name} could then take a throne."),
        "lifts": N_("It brings a stone into heaven, where it can be turned over."),
        "onwards": N_("Your own stone gets closer to heaven."),
        "parries": N_("It keeps {name}'s own stone from the throne within its reach."),
        "passed": N_("{name} then has no move and passes."),
        "prepares": N_("You can then turn a stone over next turn, unless somebody prevents it."),
        "risks": N_("Your own stone could then be locked in."),
        "shelters": N_("Your own stone is then no longer in danger of being locked in."),
        "stays": N_("The stone stays in its column, as near to heaven as before."),
        "turned": N_("It gives you a stone of your own."),
        "within": N_("The stone stays in heaven."),
    }

    def refusal(self, code: str, data: Mapping[str, Any], say: Texts) -> str | None:
        """Explain the rule, naming the squares and steps."""
        match code:
            case "no_stone" if data["square"] == UNDERWORLD:
                return say("There is no neutral stone in the underworld.")
            case "personal_elsewhere" if data["square"] == UNDERWORLD:
                return say("Your own stone is in the underworld. Write P0 for it.")
            case "descent_from" if data["square"] == UNDERWORLD:
                return say("This stone is already in the underworld.")
            case "steps":
                return say.plural(
                    "This stone must move exactly {n} square, and no path {way} has that length.",
                    "This stone must move exactly {n} squares, and no path {way} has that length.",
                    data["steps"],
                    way=way_in_words(data["square"], data["to"], say),
                )
            case "blocked":
                return self._blocked(data, say)
            case _:
                return super().refusal(code, data, say)

    def _blocked(self, data: Mapping[str, Any], say: Texts) -> str:
        return say.plural(
            "This stone must move exactly {n} square, and another stone blocks the path {way}.",
            "This stone must move exactly {n} squares, and other stones block every path {way}.",
            data["steps"],
            way=way_in_words(data["square"], data["to"], say),
        )

    def tell(self, fact: Fact, names: Sequence[str], say: Texts) -> str | None:
        """Put a fact into a sentence."""
        data = fact.data
        name = names[data["seat"]] if "seat" in data else ""
        match fact.kind:
            case "moved":
                return self._moved(data, name, say)
            case "turned":
                return say(
                    "{name} turns the stone on {square} over. Its amulet: {amulet}.",
                    name=name,
                    square=data["square"],
                    amulet=say(AMULET_NAMES[data["amulet"]]),
                )
            case "locked":
                return self._locked(data, names, say)
            case _:
                return super().tell(fact, names, say)

    def _moved(self, data: Mapping[str, Any], name: str, say: Texts) -> str:
        way = {"name": name, "origin": data["origin"], "square": data["square"]}
        if data["origin"] == UNDERWORLD and data["personal"]:
            return say("{name}'s own stone comes up to {square}.", **way)
        if data["origin"] == UNDERWORLD:
            return say("{name} brings a stone up to {square}.", **way)
        if data["square"] == UNDERWORLD:
            return say("{name} takes the stone on {origin} down into the underworld.", **way)
        if data["personal"]:
            return say("{name}'s own stone goes from {origin} to {square}.", **way)
        return say("{name} moves the stone on {origin} to {square}.", **way)

    def _locked(self, data: Mapping[str, Any], names: Sequence[str], say: Texts) -> str:
        stones = [
            say("the neutral stone on {square}", square=square)
            if owner is None
            else say("{name}'s stone on {square}", name=names[owner], square=square)
            for square, owner in zip(data["squares"], data["owners"], strict=True)
        ]
        return say("Locked in and sent back to the underworld: {stones}.", stones=say.list(stones))

    def motive(self, fact: Fact, view: View, names: Sequence[str], say: Texts) -> str | None:
        """Put a reason for a move into a sentence. In addition to ``motives``, this covers stones
        that the move locks in, unless one is the player's own, and reasons that contain a number.
        """
        if fact.kind == "locked":
            return (
                None if view.viewer in fact.data["owners"] else self._locked(fact.data, names, say)
            )
        if fact.kind == "restricts":
            name = names[fact.data["seat"]]
            return say("{name} then has {n} fewer moves.", name=name, n=fact.data["number"])
        if fact.kind == "nears":
            return say.plural(
                "It brings a stone {n} column nearer to heaven.",
                "It brings a stone {n} columns nearer to heaven.",
                fact.data["number"],
            )
        if fact.kind == "recedes":
            return say.plural(
                "It takes a stone {n} column farther from heaven.",
                "It takes a stone {n} columns farther from heaven.",
                fact.data["number"],
            )
        if fact.kind == "ways":
            return say.plural(
                "Your own stone then has {n} possible path.",
                "Your own stone then has {n} possible paths.",
                fact.data["number"],
            )
        return super().motive(fact, view, names, say)

    def move_in_words(self, move: Move, names: Sequence[str], say: Texts) -> str:
        """Return ``14 → 21``, ``own 46 → 44``, a stone to turn over, or the player who begins."""
        if move.startswith(TURN):
            return say("turn {square} over", square=move.removeprefix(TURN))
        stone, _, end = move.partition("-")
        if not end:
            return super().move_in_words(move, names, say)
        return f"{stone_in_words(stone, say)} → {square_in_words(int(end), say)}"

    def menu(
        self, view: View, legal: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
    ) -> Menu:
        """Ask which stone to move and then where to; if the player turns a stone over instead, ask
        which one.
        """
        if prefix == TURN:
            return self._turnings(legal, say)
        if prefix:
            return self._ends(view, [move for move in legal if move.startswith(prefix)], say)
        return self._stones(view, legal, say)

    def _stones(self, view: View, legal: Sequence[Move], say: Texts) -> Menu:
        moves = [move for move in legal if not move.startswith(TURN)]
        stones = dict.fromkeys(move.split("-")[0] for move in moves)
        choices = tuple(
            Choice(f"{stone}-", stone_in_words(stone, say), icon=_icon(stone, view))
            for stone in stones
        )
        groups = [Group(say("Stone"), choices)] if choices else []
        if len(moves) < len(legal):
            turning = Choice(TURN, say("Turn a stone over"))
            groups.append(Group(say("Something else"), (turning,)))
        steps = view.public["steps"]
        prompt = say(
            "Which stone? Steps: {below} from the underworld, otherwise {in_play}.",
            below=steps["below"],
            in_play=steps["in_play"],
        )
        return Menu(prompt, tuple(groups))

    def _turnings(self, legal: Sequence[Move], say: Texts) -> Menu:
        squares = [move.removeprefix(TURN) for move in legal if move.startswith(TURN)]
        choices = tuple(Choice(f"{TURN}{square}", square, icon=LOTUS) for square in squares)
        prompt = say(
            "Which stone becomes yours? You can do this only once, and it uses up your turn."
        )
        return Menu(prompt, (Group(say("Square"), choices),))

    def _ends(self, view: View, moves: Sequence[Move], say: Texts) -> Menu:
        choices = tuple(Choice(move, end_in_words(move.split("-")[1], say)) for move in moves)
        stone = moves[0].split("-")[0]
        below = stone.removeprefix(PERSONAL) == str(UNDERWORLD)
        steps = view.public["steps"]["below" if below else "in_play"]
        prompt = say.plural(
            "Where does the stone go ({stone}, {n} step)?",
            "Where does the stone go ({stone}, {n} steps)?",
            steps,
            stone=stone_in_words(stone, say),
        )
        return Menu(prompt, (Group(say("Square"), choices),))

    def score(self, view: View, seat: int, say: Texts) -> str | None:
        """Return "on the throne", or the seat's own stone and where it is, if it has one."""
        if seat in view.public["placed"]:
            return say("on the throne")
        return personal(position_of(view), seat, say)


# ----------------------------------------------------------------------------- in words
def way_in_words(square: int, to: int, say: Texts) -> str:
    """Return a move from one square to another, with an arrow."""
    return f"{square_in_words(square, say)} → {square_in_words(to, say)}"


def stone_in_words(stone: str, say: Texts) -> str:
    """Name the stone that moves: ``14``, ``underworld``, ``own 46``."""
    if stone.startswith(PERSONAL):
        return say("own {square}", square=stone.removeprefix(PERSONAL))
    return square_in_words(int(stone), say)


def end_in_words(square: str, say: Texts) -> str:
    """Name where a stone can go; thrones are named as such."""
    if int(square) in THRONES:
        return say("throne {square}", square=square)
    return square_in_words(int(square), say)


def _icon(stone: str, view: View) -> str:
    """Return the icon of the stone that moves. It can be another player's stone, because lessons
    also offer illegal moves.
    """
    seat, owners = view.public["turn"], view.public["personal"]
    if not stone.startswith(PERSONAL):
        if stone == str(UNDERWORLD) or int(stone) not in owners:
            return LOTUS
        seat = owners.index(int(stone))
    return isis_stone(seat, view.public["amulets"][seat])


WORDS = IsisWords()


# ------------------------------------------------------------------------------ commands
class IsisCog(
    GameCog,
    group_name=name_("isis"),
    group_description=L_("Isis, the race of the stones to the thrones of heaven"),
):
    """``/isis``."""

    game_id = "isis"

    @command(
        name_("move"),
        L_("Move a stone"),
        stone=(
            name_("stone"),
            L_("Where the stone is: 14, 0 for the underworld, P46 for your own"),
        ),
        to=(name_("to"), L_("Where it goes; the list shows your options")),
    )
    async def move(self, interaction: Interaction, table: Table, stone: str, to: str) -> None:
        """Move a neutral stone or the player's own."""
        await self.moves.play(interaction, table.id, [f"{stone} {to}"])

    @move.autocomplete("stone")
    async def _stones(self, interaction: Interaction, typed: str) -> Choices:
        """Return the stones that can be moved."""
        legal = await self.legal_moves(interaction)
        stones = dict.fromkeys(move.split("-")[0] for move in legal if not move.startswith(TURN))
        say = self.say(interaction)
        return choices({stone: stone_in_words(stone, say) for stone in stones}, typed)

    @move.autocomplete("to")
    async def _ends(self, interaction: Interaction, typed: str) -> Choices:
        """Suggest where the stone chosen in the other option can go."""
        legal = await self.legal_moves(interaction)
        stone = str(interaction.namespace.stone or "").strip().upper()
        named = f"{stone}-", f"{PERSONAL}{stone}-"
        ends = [move.split("-")[1] for move in legal if move.startswith(named)]
        say = self.say(interaction)
        return choices({end: end_in_words(end, say) for end in ends}, typed)

    @command(
        name_("turn"),
        L_("Turn a neutral stone in heaven into your own"),
        stone=(name_("stone"), L_("The square of the stone, 39 to 50")),
    )
    async def turn(self, interaction: Interaction, table: Table, stone: str) -> None:
        """Turn a stone over."""
        await self.moves.play(interaction, table.id, [f"turn {stone}"])

    @turn.autocomplete("stone")
    async def _upper(self, interaction: Interaction, typed: str) -> Choices:
        """Return the stones that can be turned over."""
        return await self.legal_choices(interaction, typed, TURN)
