"""Twilight on Discord: its words, its menus and its commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Unpack

from discord import app_commands

from cogs import actions
from cogs.actions import Interaction
from cogs.door import escape
from cogs.game import CHOICES_AT_MOST, GameCog, House, house_options
from cogs.meant import names_table
from cogs.tafelrunde import Tafelrunde
from cogs.translator import L_, name_
from cogs.words import Choice, GameWords, Group, Menu, OptionWords
from data.texts import N_, Texts
from games.engine import Fact, Move, View
from games.twilight import CARDS
from play.table import Refused, Table
from render.twilight.words import (
    A_CARD,
    card_title,
    coded_card,
    due_cult,
    request,
    side_in_words,
    who,
    with_those_concerned,
)

ORDER = "order:"
NEUMOND = "N"

MOTIVES = {
    "secures": N_("Whatever is still played, the other side cannot win this trick."),
    "feeds": N_("It adds to a trick that the other side cannot win any more."),
    "corners": N_("{name} has only one card of this cult, so no choice."),
}
"""Why a move may be a good one."""


class TwilightWords(GameWords):
    """What is said about Twilight."""

    game = "twilight"
    title = N_("Twilight")
    summary = N_(
        "Sun and Moon contend for human souls. Play a card, or order somebody to give one for"
        " you; build sanctuaries to multiply what you have won. A trick-taking game for three or"
        " four players."
    )
    options: ClassVar = {
        "exact": OptionWords(N_("333, 666, 999"), N_("Exactly 333, 666 or 999 points win as well")),
        "lone": OptionWords(
            N_("Three players"),
            N_("How three players take turns to play alone"),
            {
                "rotating": N_("everybody alone in turn, until somebody wins"),
                "rounds": N_("everybody alone in turn, in complete rounds"),
                "fixed": N_("fixed teams"),
            },
        ),
    }
    refusals: ClassVar = {
        "unknown_card": N_(
            "“{text}” is no card. Cards are called SP, SC1 to SC5, SL3 to SL7 and SH1 to SH3 for"
            " the Sun; those of the Moon begin with M."
        ),
        "neumond_gives": N_("Neumond was ordered, so the card has to come from the open hand."),
        "lone_gives": N_("You were ordered yourself, so the card has to come from your own hand."),
        "no_such_place": N_("Nobody sits there."),
    }
    reasons: ClassVar = {
        "goal": N_("The goal of 1000 points was reached."),
        "exact": N_(
            "An exact goal was reached: of 333, 666 and 999, the first in this order wins."
        ),
        "deals": N_("The last deal that a match may have was played; the most points win."),
    }

    def refusal(self, code: str, data: Mapping[str, Any], say: Texts) -> str | None:
        """Names the rule, with the card or the cult that it is about."""
        card = data.get("card")
        cult = say(A_CARD[data["cult"]]) if "cult" in data else ""
        match code:
            case "wrong_cult":
                return say(
                    "{given} does not fit: {due} is due now.",
                    given=coded_card(str(card), say),
                    due=cult,
                )
            case "not_in_hand":
                return say("You do not hold {card}.", card=coded_card(str(card), say))
            case "already_ordered":
                return say(
                    "You have been ordered to give {card}; you cannot pass it on.", card=cult
                )
            case "own_order":
                return say("You cannot order yourself: just play {card}.", card=cult)
            case "no_such_back":
                return say("The backs tell: there is not {card} in that hand.", card=cult)
            case _:
                return super().refusal(code, data, say)

    # -- what happened
    def tell(self, fact: Fact, names: Sequence[str], say: Texts) -> str | None:
        """One sentence for each kind of fact."""
        data = fact.data
        match fact.kind:
            case "dealt":
                return _told_deal(data, names, say)
            case "ordered":
                return _told_order(data, names, say)
            case "played":
                return _told_card(data, names, say)
            case "trick_won" | "trick_lies":
                return _told_trick(fact, names, say)
            case "neutral":
                n = len(data["cards"])
                return say.plural(
                    "{n} card stays on the table and counts for nobody.",
                    "{n} cards stay on the table and count for nobody.",
                    n,
                )
            case "scored":
                return side_in_words(data, names, say)
            case "totals":
                totals = [f"{name} {n}" for name, n in zip(names, data["totals"], strict=True)]
                return say("Totals: {totals}.", totals=say.list(totals))
            case kind if kind in MOTIVES:
                return say(MOTIVES[kind], name=names[data["seat"]])
            case _:
                return None

    # -- what may be done
    def move_in_words(self, move: Move, names: Sequence[str], say: Texts) -> str:
        """A card by notation and name, or an order with who is ordered."""
        if move in CARDS:
            return coded_card(move, say)
        if move.startswith(ORDER):
            return say("order to {name}", name=_target(move, names, say))
        if move.startswith("lead:"):
            return say("{name} leads first", name=names[int(move.removeprefix("lead:")) - 1])
        return say("the cards are dealt")

    def logged(self, move: Move, facts: Sequence[Fact], names: Sequence[str], say: Texts) -> str:
        """The card or order with those concerned, and whatever then left no choice."""
        deeds = [_logged(fact, names, say) for fact in facts if fact.kind in ("played", "ordered")]
        return " · ".join(deeds or [self.move_in_words(move, names, say)])

    def menu(
        self, view: View, legal: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
    ) -> Menu:
        """A button for each card and for each order."""
        cards = [Choice(move, self._label(move, say)) for move in legal if move in CARDS]
        orders = [
            Choice(move, self._order_label(view, move, names, say))
            for move in legal
            if move.startswith(ORDER)
        ]
        groups = []
        if cards:
            groups.append(Group(say("Card"), tuple(cards)))
        if orders:
            groups.append(Group(say("Order"), tuple(orders)))
        return Menu(request(view, [escape(name) for name in names], say), tuple(groups))

    def _label(self, card: Move, say: Texts) -> str:
        """Short enough for a button; the cult is plain from what is asked."""
        factor = CARDS[card].factor
        return f"{card_title(card, say)} ×{factor}" if factor else card_title(card, say)

    def _order_label(self, view: View, move: Move, names: Sequence[str], say: Texts) -> str:
        """Who is ordered, and of how many cards that person will choose."""
        seat = None if move == ORDER + NEUMOND else int(move.removeprefix(ORDER)) - 1
        place = view.public["places"].index(seat)
        count = view.public[due_cult(view)][place]
        return say("Order {name} ({n})", name=who(seat, names, say), n=count)

    def score(self, view: View, seat: int, say: Texts) -> str | None:
        """The points."""
        return say.plural("{n} point", "{n} points", view.public["totals"][seat])

    def rules(self, say: Texts) -> str:
        """Cards, a turn, tricks, scoring with an example, the end, three players, secrets."""
        return "\n".join([f"### {say('Twilight')}", *(say(rule) for rule in RULES)])


RULES = (
    N_(
        "**Sides.** Two play for the Moon, two for the Sun; partners sit opposite each other, by"
        " lot and for the whole match."
    ),
    N_(
        "**Cards.** Either cult has 14, from high to low: Purgatory; Hierarch I, High Priest II,"
        " Priest III, Adept IV, Novice V; souls 3 to 7, all equal; Altar, Temple and Obelisk, all"
        " equal. Of equals, the one played first is higher, whatever its cult."
    ),
    N_(
        "**A turn.** You need a card of your own cult. Play one, or order anybody who holds such"
        " cards, partner or opponent: that person chooses which one to give. It lies before you"
        " and counts for you alone. Then your left neighbour is on turn. What leaves no choice"
        " plays itself."
    ),
    N_(
        "**Tricks.** Four cards are a trick. The highest wins it for its side and leads on. If a"
        " Purgatory is the highest, nobody wins: the trick stays until somebody wins a later one,"
        " and the place the first Purgatory was played for leads. What lies after the seventh"
        " trick counts for nobody."
    ),
    N_(
        "**Points.** Count the souls in your tricks, of either cult: the number on soul cards, one"
        " for each cleric. Multiply them by your own sanctuaries: Altar 1, Temple 2, Obelisk 3,"
        " several added up. Foreign ones are worth nothing to you, but lost to the others. Without"
        " a sanctuary of your own you get no points."
    ),
    N_(
        "**Example.** The Sun has won souls 7, 3 and 4, three clerics, the Obelisk of the Sun and"
        " the Temple of the Moon: (7 + 3 + 4 + 1 + 1 + 1) × 3 = 51."
    ),
    N_(
        "**End.** After a deal in which a side has reached 1000 points, the higher total wins."
        " In the variant exactly 333, 666 or 999 win as well; if both sides reach a goal, 333"
        " comes before 666, 999 and 1000."
    ),
    N_(
        "**Three players.** One plays alone for the Moon, with a hidden hand and, opposite, the"
        " open hand of Neumond. Whenever one of the two is on turn, the lone player plays any"
        " Moon card of either hand, or orders. Ordered for the Sun, the lone player gives from the"
        " hand that was named."
        " Then the right neighbour plays alone. Everybody has an account: the lone player gets the"
        " Moon's points, either Sun player all of the Sun's. By agreement teams are fixed, or only"
        " complete rounds count."
    ),
    N_(
        "**Secrets.** The backs show how many cards of either cult everybody holds. Tricks lie"
        " face down; only the last one may be looked at. Partners must not talk about their cards,"
        " not a word and not a wink."
    ),
)
"""The rules, paragraph by paragraph."""


# ------------------------------------------------------------------------------ telling
def _told_deal(data: Mapping[str, Any], names: Sequence[str], say: Texts) -> str:
    people = {"dealer": names[data["dealer"]], "name": names[data["forehand"]]}
    if data["lone"] is None:
        return say("Deal {n}: {dealer} deals, {name} leads.", n=data["round"], **people)
    return say("Deal {n}: {dealer} deals, {name} plays alone and leads.", n=data["round"], **people)


def _told_order(data: Mapping[str, Any], names: Sequence[str], say: Texts) -> str:
    words = {
        "name": who(data["seat"], names, say),
        "card": say(A_CARD[data["cult"]]),
        "other": who(data["target"], names, say),
    }
    if data["forced"]:
        return say("{name} has to order {card} from {other}.", **words)
    return say("{name} orders {card} from {other}.", **words)


def _told_card(data: Mapping[str, Any], names: Sequence[str], say: Texts) -> str:
    words = {
        "giver": who(data["giver"], names, say),
        "name": who(data["seat"], names, say),
        "card": coded_card(data["card"], say),
    }
    match data["seat"] == data["giver"], data["forced"]:
        case True, False:
            return say("{name} plays {card}.", **words)
        case True, True:
            return say("{name} has to play {card}.", **words)
        case False, False:
            return say("{giver} gives {card} for {name}.", **words)
        case _:
            return say("{giver} has to give {card} for {name}.", **words)


def _logged(fact: Fact, names: Sequence[str], say: Texts) -> str:
    """What was done; who did it, if it was another one than the log names already."""
    data = fact.data
    if fact.kind == "played":
        words = coded_card(data["card"], say)
    else:
        words = say("order to {name}", name=who(data["target"], names, say))
    words = with_those_concerned(words, data, names, say)
    return f"{names[data['by']]}: {words}" if data["forced"] else words


def _told_trick(fact: Fact, names: Sequence[str], say: Texts) -> str:
    name = who(fact.data["seat"], names, say)
    if fact.kind == "trick_lies":
        return say("The trick stays on the table; {name} leads on.", name=name)
    if fact.data["lying"] > len(fact.data["cards"]):
        cards = fact.data["lying"]
        return say("{name} wins the trick and all {n} cards on the table.", name=name, n=cards)
    return say("{name} wins the trick.", name=name)


def _target(order: Move, names: Sequence[str], say: Texts) -> str:
    number = order.removeprefix(ORDER)
    return say("Neumond") if number == NEUMOND else names[int(number) - 1]


WORDS = TwilightWords()


# ----------------------------------------------------------------------------- commands
class TwilightCog(
    GameCog,
    group_name=name_("twilight"),
    group_description=L_("Twilight, tricks between Sun and Moon"),
):
    """``/twilight``."""

    game_id = "twilight"

    @app_commands.command(name=name_("new"), description=L_("Open a table for Twilight"))
    @app_commands.rename(exact=name_("exact"), lone=name_("lone"))
    @app_commands.describe(
        players=L_("How many will play; left out: three or four, as many as come"),
        exact=L_("Exactly 333, 666 or 999 points win as well"),
        lone=L_("With three players: how they take turns to play alone"),
    )
    @app_commands.choices(
        lone=[
            app_commands.Choice(name=L_("In turn, until somebody wins"), value="rotating"),
            app_commands.Choice(name=L_("In turn, in complete rounds"), value="rounds"),
            app_commands.Choice(name=L_("Fixed teams"), value="fixed"),
        ],
    )
    @house_options
    async def new(
        self,
        interaction: Interaction,
        players: app_commands.Range[int, 3, 4] | None = None,
        exact: bool = False,
        lone: str | None = None,
        **house: Unpack[House],
    ) -> None:
        """Open a table."""
        await self.open_table(interaction, players, house, exact=exact, lone=lone)

    @app_commands.command(
        name=name_("play"), description=L_("Play a card, or give the one that you were ordered")
    )
    @app_commands.rename(card=name_("card"))
    @app_commands.describe(card=L_("Which card, such as SL5"))
    @names_table
    async def play_card(
        self, interaction: Interaction, card: str, table: str | None = None
    ) -> None:
        """Play or give a card."""
        await self.play(interaction, [card], table)

    @app_commands.command(
        name=name_("order"), description=L_("Order somebody to give a card for you")
    )
    @app_commands.rename(who=name_("who"))
    @app_commands.describe(who=L_("Whom, by name"))
    @names_table
    async def order(self, interaction: Interaction, who: str, table: str | None = None) -> None:
        """Order a card."""

        async def action() -> None:
            meant = await self.table_meant(interaction, table)
            await actions.play(interaction, meant.id, [ordered(meant, who)])

        await self.bot.attempt(interaction, action())

    @play_card.autocomplete("card")
    async def _cards(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [
            app_commands.Choice(name=name, value=move)
            for move, name in await self._legal(interaction)
            if move in CARDS and typed.strip().casefold() in name.casefold()
        ][:CHOICES_AT_MOST]

    @order.autocomplete("who")
    async def _people(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [
            app_commands.Choice(name=name, value=move.removeprefix(ORDER))
            for move, name in await self._legal(interaction)
            if move.startswith(ORDER) and typed.strip().casefold() in name.casefold()
        ][:CHOICES_AT_MOST]

    async def _legal(self, interaction: Interaction) -> list[tuple[Move, str]]:
        """What the person may do now, each with a name to choose it by."""
        try:
            table = await self.table_meant(interaction, interaction.namespace.table)
        except Refused:
            return []
        seat = table.seat_of(interaction.user.id)
        if seat is None or seat not in table.awaited:
            return []
        say = self.bot.say(interaction)
        return [
            (move, coded_card(move, say) if move in CARDS else _target(move, table.names, say))
            for move in table.game.legal(table.played.state, seat)
        ]


def ordered(table: Table, text: str) -> Move:
    """The order to somebody who was picked from the list, or typed by name or number."""
    wanted = text.strip().casefold()
    seats = [seat for seat, name in enumerate(table.names) if name.strip().casefold() == wanted]
    if len(seats) == 1 and not wanted.isdecimal():
        return f"{ORDER}{seats[0] + 1}"
    return ORDER + wanted


async def setup(bot: Tafelrunde) -> None:
    """Add the commands to the bot."""
    await bot.add_cog(TwilightCog(bot))
