"""Don Quixote on Discord: its words, its menus and its commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from cogs.features.feature import Choices, choices, command
from cogs.games.game import GameCog
from cogs.gateway.components import Interaction
from cogs.gateway.translator import L_, name_
from cogs.present.words import Choice, GameWords, Group, Menu, OptionWords, Preset
from data.texts import N_, Texts
from games.donquixote import rating
from games.donquixote.game import EVERYBODY, SEALED
from games.donquixote.tiles import (
    CHURCH,
    KNIGHT,
    NOTHING,
    PIECES,
    SANCHO,
    TURNED,
    WINDMILL,
)
from games.engine import Fact, Move, View
from play.table import Refused, Table
from render.donquixote.words import RATINGS, piece_in_words, points_now, symbol_in_words
from render.icons import quixote_tile

DEAL = "deal:"

CONNECTED = {
    CHURCH: N_("It connects {number} churches."),
    WINDMILL: N_("It connects {number} windmills."),
}
"""The sentence that says how many buildings a tile connects, by kind of building."""

LAID = {
    CHURCH: N_("{name} lays a church."),
    WINDMILL: N_("{name} lays a windmill."),
    KNIGHT: N_("{name} lays a knight of strength {strength}."),
    NOTHING: N_("{name} lays Sancho Pansa."),
}
"""The log's sentence about a placed tile, by the symbol on it; the picture shows its roads."""


class DonQuixoteWords(GameWords):
    """The words of Don Quixote."""

    game = "donquixote"
    title = N_("Don Quixote")
    summary = N_(
        "Build a principality: a card names the field, and you choose the tile. Score what roads "
        "connect."
    )
    pitch = N_("simultaneous tile-laying · 22 tiles each · easy")
    question = N_("Which tile do you lay, and which way up?")
    answer = N_("Lay a tile")
    options: ClassVar = {
        "same_hands": OptionWords(
            name_("same-hands"),
            N_("Same hands"),
            N_("Everybody is dealt the same tiles in the same order"),
        ),
        "sancho": OptionWords(
            name_("sancho"),
            N_("Sancho Pansa"),
            N_("Once, you may lay a crossroads instead of a tile from your hand"),
        ),
    }
    presets: ClassVar = (
        Preset(N_("Alone"), players=1),
        Preset(N_("A duel with the same tiles"), {"same_hands": True}, players=2),
        Preset(N_("Everything"), {"same_hands": True, "sancho": True}),
    )
    refusals: ClassVar = {
        "unknown_tile": N_(
            "“{text}” is not a tile. Tiles are called CH1 to CH6, WM1 to WM6 and KN01 to KN10; add"
            " an r to turn one, as in KN04r."
        ),
        "which_tile": N_("“{text}” could be {tiles}."),
        "wrong_field": N_(
            "Everybody fills {due} now; the position cards decide when {field} comes up."
        ),
        "no_sancho": N_("This table plays without Sancho Pansa."),
        "already_placed": N_("“{tile}” is already on {field}, and tiles never move."),
        "locked": N_(
            "In the third round, the last tile you were dealt ({tile}) has to be laid last."
        ),
        "left_over": N_("“{tile}” left the game when Sancho Pansa took its place."),
        "not_in_hand": N_("“{tile}” is not in your hand yet; it comes in a later round."),
    }
    close_up = N_("Look closer")
    reasons: ClassVar = {"points": N_("All fields are filled, and the third scoring is over.")}
    tally = "totals"
    told: ClassVar = {
        "castle": N_("Castle {value} is on {field}."),
        "left_over": N_("{name} has one tile left over ({tile}), which leaves the game."),
    }
    motives: ClassVar = {
        "guards": N_(
            "Knights of total strength {strength} then defend the country; this round needs {need}."
        ),
    }

    def tell(self, fact: Fact, names: Sequence[str], say: Texts) -> str | None:
        """Put a fact into a sentence; sealed choices are not mentioned."""
        data = fact.data
        name = names[data["seat"]] if "seat" in data else ""
        match fact.kind:
            case "field" if data["number"] == 1:
                return say(
                    "**Round {round}**, {of} tiles each. First field: **{field}**.",
                    **data,
                )
            case "field":
                return say("Next field: **{field}** ({number} of {of}).", **data)
            case "placed":
                tile = PIECES[data["tile"]].tile
                return say(LAID[tile.symbol], name=name, strength=tile.worth)
            case "scored":
                return say.plural(
                    "{name} scores {n} point and has {total}.",
                    "{name} scores {n} points and has {total}.",
                    data["points"],
                    name=name,
                    total=data["total"],
                )
            case _:
                return super().tell(fact, names, say)

    def refusal(self, code: str, data: Mapping[str, Any], say: Texts) -> str | None:
        """Explain why a move was refused; if a text could mean several tiles, name them."""
        if code == "which_tile":
            data = {**data, "tiles": say.list(data["tiles"], choice=True)}
        return super().refusal(code, self.in_words(data, (), say), say)

    def in_words(self, data: Mapping[str, Any], names: Sequence[str], say: Texts) -> dict[str, Any]:
        """Return the data with a description of the tile."""
        words = super().in_words(data, names, say)
        if "tile" not in data:
            return words
        return {**words, "tile": self.move_in_words(data["tile"], names, say)}

    def motive(self, fact: Fact, view: View, names: Sequence[str], say: Texts) -> str | None:
        """Put a reason for a move into a sentence. In addition to ``motives``, this covers what the
        tile connects or garrisons, and how many roads meet or end.
        """
        data = fact.data
        match fact.kind:
            case "connects":
                return say(CONNECTED[data["symbol"]], **data)
            case "meets":
                return say.plural(
                    "{n} of its roads joins a road of yours.",
                    "{n} of its roads join roads of yours.",
                    data["number"],
                )
            case "ends":
                return say.plural(
                    "{n} of its roads ends at the edge of another tile.",
                    "{n} of its roads end at the edges of other tiles.",
                    data["number"],
                )
            case "seals":
                return say.plural(
                    "{n} of your roads ends at it.",
                    "{n} of your roads end at it.",
                    data["number"],
                )
            case "opens" if not data["number"]:
                return say("None of its roads leads to an empty field.")
            case "opens":
                return say.plural(
                    "{n} of its roads leads to an empty field.",
                    "{n} of its roads lead to empty fields.",
                    data["number"],
                )
            case "garrisons":
                return say.plural(
                    "Castle {value} then has {n} knight; it needs {need} this round.",
                    "Castle {value} then has {n} knights; it needs {need} this round.",
                    data["number"],
                    **data,
                )
            case _:
                return super().motive(fact, view, names, say)

    def move_in_words(self, move: Move, names: Sequence[str], say: Texts) -> str:
        """Describe the tile's symbol and where its roads lead: ``knight 2 ↑ ↓, turned``."""
        if move == SANCHO.name:
            return say("Sancho Pansa")
        if move == SEALED:
            return say("a sealed choice")
        if move not in PIECES:
            return self._draw_in_words(move, names, say)
        return piece_in_words(move, say)

    def advised_in_words(self, move: Move, view: View, names: Sequence[str], say: Texts) -> str:
        """Return the tile's number in the hand, its symbol, and the field."""
        if move not in PIECES or move == SANCHO.name or view.viewer is None:
            return super().advised_in_words(move, view, names, say)
        tile = PIECES[move].tile
        kind = symbol_in_words(tile, say)
        return say(
            "tile {number} ({kind}) on {field}",
            number=view.public["hands"][view.viewer].index(tile.name) + 1,
            kind=say("{kind}, turned", kind=kind) if move != tile.name else kind,
            field=view.public["field"],
        )

    def coded(self, move: Move, names: Sequence[str], say: Texts) -> str:
        """Return the tile's name and description: ``KN04 (knight 2, turned)``; for a deal, all
        tiles.
        """
        if move.startswith(DEAL):
            tiles = move.rpartition(":")[2].replace(",", " ")
            return f"{self.move_in_words(move, names, say)}{say.colon} {tiles}"
        if move not in PIECES or move == SANCHO.name:
            return super().coded(move, names, say)
        tile = PIECES[move].tile
        kind = symbol_in_words(tile, say)
        return f"{tile.name} ({say('{kind}, turned', kind=kind) if move != tile.name else kind})"

    def _draw_in_words(self, move: Move, names: Sequence[str], say: Texts) -> str:
        """Describe what was drawn: a field, a castle's place, or a hand."""
        what, *rest = move.split(":")
        if what == "field":
            return say("field {field}", field=rest[0])
        if move.startswith(DEAL):
            name = say("everybody") if rest[0] == EVERYBODY else names[int(rest[0]) - 1]
            return say("deal to {name}", name=name)
        return say("castle {value} on {field}", value=PIECES[what].tile.worth, field=rest[0])

    def menu(
        self, view: View, legal: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
    ) -> Menu:
        """Offer the legal tiles both ways up, in the order of the hand, each with the points that
        it would add if scored now.
        """
        field = view.public["field"]
        prompt = say("Which tile do you lay on **{field}**, and which way up?", field=field)
        choices = tuple(self._choice(view, move, say) for move in legal)
        return Menu(prompt, (Group(say("Choose a tile"), choices),))

    def _choice(self, view: View, move: Move, say: Texts) -> Choice:
        public, seat = view.public, view.viewer or 0
        board = public["boards"][seat]
        then = points_now({**board, public["field"]: move}, view.round)
        gain = then - points_now(board, view.round)
        label = say("Sancho Pansa")
        if move != SANCHO.name:
            number = public["hands"][seat].index(move.removesuffix(TURNED)) + 1
            label = f"{number} · {piece_in_words(move, say)}"
        detail = say.plural(
            "If scored now, it would be worth {n} more point.",
            "If scored now, it would be worth {n} more points.",
            gain,
        )
        return Choice(move, label, detail if gain else "", icon=quixote_tile(move))

    def score(self, view: View, seat: int, say: Texts) -> str | None:
        """Return the points per round and in total; in solo play, with a rating."""
        total = view.public["totals"][seat]
        rounds = [str(sum(scoring.values())) for scoring in view.public["scored"][seat]]
        points = say.plural("{n} point", "{n} points", total)
        if len(rounds) > 1:
            points = f"{' + '.join(rounds)} = {points}"
        verdict = self.verdict(view, say)
        return f"{points}{say.colon} {verdict}" if verdict else points

    def verdict(self, view: View, say: Texts) -> str:
        """Rate the points of a solo match; empty for other matches."""
        return say(RATINGS[rating(view.public["totals"][0])]) if view.players == 1 else ""


WORDS = DonQuixoteWords()


class DonQuixoteCog(
    GameCog,
    group_name=name_("donquixote"),
    group_description=L_("Don Quixote, a principality of roads, knights and windmills"),
):
    """``/donquixote``."""

    game_id = "donquixote"

    @command(
        name_("lay"),
        L_("Lay a tile on the field of the position card"),
        tile=(name_("tile"), L_("One of your tiles, such as KN04")),
        turned=(name_("turned"), L_("Turn it upside down")),
    )
    async def lay(
        self, interaction: Interaction, table: Table, tile: str, turned: bool = False
    ) -> None:
        """Choose a tile and which way up to place it."""
        move = f"{tile} {TURNED}" if turned else tile
        await self.moves.play(interaction, table.id, [move])

    @lay.autocomplete("tile")
    async def _tiles(self, interaction: Interaction, typed: str) -> Choices:
        """Suggest the tiles that the person may place; they are found by name or description."""
        legal = await self.legal_moves(interaction)
        say = self.say(interaction)
        tiles = dict.fromkeys(move.removesuffix(TURNED) for move in legal)
        return choices({tile: WORDS.coded(tile, (), say) for tile in tiles}, typed)

    @command(
        name_("look"),
        L_("Take a close look at a principality, your own or another player's"),
        player=(name_("player"), L_("Whose principality; default: your own")),
    )
    async def look(self, interaction: Interaction, table: Table, player: str | None = None) -> None:
        """Show a principality and the open hand in front of it."""
        await self.look_closer(interaction, table, player, Refused("no_such_member"))

    @look.autocomplete("player")
    async def _players(self, interaction: Interaction, typed: str) -> Choices:
        return await self.part_choices(interaction, typed)
