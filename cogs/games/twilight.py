"""Twilight on Discord: its words, its menus and its commands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from cogs.features.feature import Choices, choices, command
from cogs.games.game import GameCog
from cogs.gateway.components import Interaction
from cogs.gateway.texts import escape
from cogs.gateway.translator import L_, name_
from cogs.present.words import Choice, GameWords, Group, Menu, OptionWords, Preset
from data.texts import N_, Texts
from games.engine import Fact, Move, View
from games.twilight import CARDS
from play.table import Table
from render.icons import twilight_card
from render.twilight.words import (
    A_CARD,
    card_in_words,
    card_title,
    coded_card,
    due_cult,
    new_moon,
    opened_by_new_moon,
    request,
    side_in_words,
    who,
    with_those_concerned,
)

ORDER = "order:"
NEUMOND = "N"

NO_SUCH_BACK = {
    "moon": N_("The backs show that there is no Moon card in that hand."),
    "sun": N_("The backs show that there is no Sun card in that hand."),
}
"""Why a player cannot be ordered to give a card, by the cult of the card."""


class TwilightWords(GameWords):
    """The words of Twilight."""

    game = "twilight"
    title = N_("Twilight")
    summary = N_(
        "A trick-taking game of Sun against Moon: play a card, or order another player to give one"
        " for you."
    )
    pitch = N_("tricks and teams · some 100 cards each · medium")
    question = N_("Choose under “My hand”.")
    options: ClassVar = {
        "exact": OptionWords(
            name_("exact"),
            N_("333, 666, 999"),
            N_("Exactly 333, 666 or 999 points win as well"),
        ),
        "lone": OptionWords(
            name_("lone"),
            N_("Three players"),
            N_("Who plays alone in a match of three"),
            {
                "rotating": N_("everybody plays alone in turn, until somebody wins"),
                "rounds": N_("everybody plays alone in turn, in complete rounds"),
                "fixed": N_("fixed teams"),
            },
        ),
    }
    presets: ClassVar = (Preset(N_("Everything"), {"exact": True}),)
    refusals: ClassVar = {
        "unknown_card": N_(
            "“{text}” is not a card. Cards are called SP, SC1 to SC5, SL3 to SL7 and SH1 to SH3 for"
            " the Sun; those of the Moon start with M."
        ),
        "neumond_gives": N_("New Moon was ordered, so the card must come from the open hand."),
        "lone_gives": N_("You were ordered yourself, so the card must come from your own hand."),
        "no_such_place": N_("Nobody sits there."),
        "already_ordered": N_(
            "You have been ordered to give {card}; you cannot pass the order on."
        ),
        "own_order": N_("You cannot order yourself: just play {card}."),
        "neumond_plays": N_("You play New Moon's cards yourself: just choose one."),
    }
    reasons: ClassVar = {
        "goal": N_("The goal of 1,000 points was reached."),
        "exact": N_(
            "An exact goal was reached; if several were, the lowest of 333, 666 and 999 wins."
        ),
        "deals": N_("The last deal that a match can have is over; the most points win."),
    }

    tally = "totals"
    motives: ClassVar = {
        "corners": N_("{name} has only one card of this cult, and so no choice."),
        "feeds": N_("It adds to a trick that the other side can no longer win."),
        "last": N_("It is the only card you can play yourself."),
        "overtakes": N_("It beats the highest card of the trick so far."),
        "passable": N_("The other side still has higher cards."),
        "robs": N_("{name}, who plays against you, has to give the card."),
        "secures": N_("Whatever anyone plays next, the other side cannot win this trick."),
        "spares": N_("{name} gives the card, and you keep yours."),
        "spends": N_("It uses up your strongest card."),
        "strongest": N_("None of the cards you could play instead is stronger."),
        "stops": N_("Then nobody wins this trick: its cards stay on the table."),
        "weakest": N_("You keep your stronger cards."),
    }

    def refusal(self, code: str, data: Mapping[str, Any], say: Texts) -> str | None:
        """Explain the rule, naming the card or the cult."""
        cult = say(A_CARD[data["cult"]]) if "cult" in data else ""
        match code:
            case "which_player":
                people = zip(data["names"], data["numbers"], strict=True)
                fitting = [f"{escape(name)} ({number})" for name, number in people]
                return say(
                    "“{text}” could be {players}. Type more of the name, or the number.",
                    text=data["text"],
                    players=say.list(fitting, choice=True),
                )
            case "wrong_cult":
                card = card_in_words(data["card"], say)
                return say("“{given}” does not fit: {due} is due now.", given=card, due=cult)
            case "no_such_back":
                return say(NO_SUCH_BACK[data["cult"]])
            case "not_in_hand":
                return say("You do not hold “{card}”.", card=card_in_words(data["card"], say))
            case _:
                return super().refusal(code, {**data, "card": cult}, say)

    # -- reasons for a move
    def motive(self, fact: Fact, view: View, names: Sequence[str], say: Texts) -> str | None:
        """Put a reason for a move into a sentence. In addition to ``motives``, this covers cards
        from New Moon, reasons that contain a number, cards that count for nobody, and who wins the
        trick.
        """
        if fact.kind == "robs" and fact.data["seat"] is None:
            return say("The card comes from New Moon, who plays against you.")
        if fact.kind == "keeps":
            return say.plural(
                "You keep {n} stronger card.", "You keep {n} stronger cards.", fact.data["number"]
            )
        if fact.kind == "among":
            return say.plural(
                "{name} has {n} card of this cult to choose from.",
                "{name} has {n} cards of this cult to choose from.",
                fact.data["number"],
                name=names[fact.data["seat"]],
            )
        if fact.kind == "brings":
            return say.plural(
                "It adds {n} soul to the trick.",
                "It adds {n} souls to the trick.",
                fact.data["number"],
            )
        if fact.kind == "offers":
            return say("It adds a sanctuary to the trick (× {n}).", n=fact.data["number"])
        if fact.kind == "trick_lies":
            return say(self.motives["stops"])
        if fact.kind == "neutral":
            return self.tell(fact, names, say)
        if fact.kind != "trick_won":
            return super().motive(fact, view, names, say)
        places = view.public["places"]
        ours = places.index(fact.data["seat"]) % 2 == places.index(view.viewer) % 2
        if ours:
            return say("It wins the trick for your side.")
        return say("It leaves the trick to the other side.")

    # -- what happened
    def tell(self, fact: Fact, names: Sequence[str], say: Texts) -> str | None:
        """Put a fact into a sentence."""
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
                return say.plural(
                    "{n} card stays on the table and counts for nobody.",
                    "{n} cards stay on the table and count for nobody.",
                    len(data["cards"]),
                )
            case "scored":
                return side_in_words(data, names, say)
            case "totals":
                totals = zip(names, map(say.number, data["totals"]), strict=True)
                return say("Totals: {totals}.", totals=say.list([" ".join(t) for t in totals]))
            case _:
                return super().tell(fact, names, say)

    # -- moves
    def move_in_words(self, move: Move, names: Sequence[str], say: Texts) -> str:
        """Return the name of a card, or an order and the player who gets it."""
        if move in CARDS:
            return card_in_words(move, say)
        if move.startswith(ORDER):
            return say("order to {name}", name=_target(move, names, say))
        if move.startswith("lead:"):
            return say("{name} leads first", name=names[int(move.removeprefix("lead:")) - 1])
        return say("the cards are dealt")

    def coded(self, move: Move, names: Sequence[str], say: Texts) -> str:
        """Return a card's notation and name."""
        return coded_card(move, say) if move in CARDS else super().coded(move, names, say)

    def logged(self, move: Move, facts: Sequence[Fact], names: Sequence[str], say: Texts) -> str:
        """Return the card or order with the people involved, followed by any moves that were
        forced.
        """
        deeds = [_logged(fact, names, say) for fact in facts if fact.kind in ("played", "ordered")]
        return " · ".join(deeds or [self.coded(move, names, say)])

    def menu(
        self, view: View, legal: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
    ) -> Menu:
        """Offer every card that may be played or given, and every order."""
        cards = [
            Choice(move, self._label(move, say), icon=twilight_card(move))
            for move in legal
            if move in CARDS
        ]
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
        """Return a label short enough for a button; the question already names the cult."""
        factor = CARDS[card].factor
        return f"{card_title(card, say)} ×{factor}" if factor else card_title(card, say)

    def _order_label(self, view: View, move: Move, names: Sequence[str], say: Texts) -> str:
        """Name the player who would get the order, and how many cards that player could choose
        from.
        """
        seat = None if move == ORDER + NEUMOND else int(move.removeprefix(ORDER)) - 1
        place = view.public["places"].index(seat)
        count = view.public[due_cult(view)][place]
        return say("Order {name} ({n})", name=who(seat, names, say), n=count)

    def score(self, view: View, seat: int, say: Texts) -> str | None:
        """Return the points."""
        return say.plural("{n} point", "{n} points", view.public["totals"][seat])


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
        return opened_by_new_moon(say("{name} has to order {card} from {other}.", **words), say)
    return opened_by_new_moon(say("{name} orders {card} from {other}.", **words), say)


def _told_card(data: Mapping[str, Any], names: Sequence[str], say: Texts) -> str:
    words = {
        "giver": who(data["giver"], names, say),
        "name": who(data["seat"], names, say),
        "card": card_in_words(data["card"], say),
    }
    match data["seat"] == data["giver"], data["forced"]:
        case True, False:
            told = say("{name} plays {card}.", **words)
        case True, True:
            told = say("{name} has to play {card}.", **words)
        case False, False:
            told = say("{giver} gives {card} for {name}.", **words)
        case _:
            told = say("{giver} has to give {card} for {name}.", **words)
    return opened_by_new_moon(told, say)


def _logged(fact: Fact, names: Sequence[str], say: Texts) -> str:
    """Say what was done; name the person only if the log does not do so already."""
    data = fact.data
    if fact.kind == "played":
        words = coded_card(data["card"], say)
    else:
        words = say("order to {name}", name=who(data["target"], names, say))
    words = with_those_concerned(words, data, names, say)
    return f"{names[data['by']]}{say.colon} {words}" if data["forced"] else words


def _told_trick(fact: Fact, names: Sequence[str], say: Texts) -> str:
    name = who(fact.data["seat"], names, say)
    if fact.kind == "trick_lies":
        return say("The trick stays on the table; {name} leads next.", name=name)
    cards = fact.data["lying"]
    if cards > len(fact.data["cards"]):
        told = say("{name} wins the trick and all {n} cards on the table.", name=name, n=cards)
    else:
        told = say("{name} wins the trick.", name=name)
    return opened_by_new_moon(told, say)


def _target(order: Move, names: Sequence[str], say: Texts) -> str:
    number = order.removeprefix(ORDER)
    return say("New Moon") if number == NEUMOND else names[int(number) - 1]


WORDS = TwilightWords()


# ----------------------------------------------------------------------------- commands
class TwilightCog(
    GameCog,
    group_name=name_("twilight"),
    group_description=L_("Twilight, tricks between Sun and Moon"),
):
    """``/twilight``."""

    game_id = "twilight"

    @command(
        name_("play"),
        L_("Play a card, or give one if you were ordered to"),
        card=(name_("card"), L_("Which card, such as SL5")),
    )
    async def play_card(self, interaction: Interaction, table: Table, card: str) -> None:
        """Play or give a card."""
        await self.moves.play(interaction, table.id, [card])

    @play_card.autocomplete("card")
    async def _cards(self, interaction: Interaction, typed: str) -> Choices:
        legal = await self.legal_choices(interaction, typed)
        return [choice for choice in legal if choice.value in CARDS]

    @command(
        name_("order"),
        L_("Order another player to give a card for you"),
        who=(name_("who"), L_("The name of the player to order")),
    )
    async def order(self, interaction: Interaction, table: Table, who: str) -> None:
        """Order a card."""
        await self.moves.play(interaction, table.id, [ORDER + who])

    @order.autocomplete("who")
    async def _people(self, interaction: Interaction, typed: str) -> Choices:
        table = await self.named_table(interaction)
        if table is None:
            return []
        say = self.say(interaction)
        legal = await self.legal_moves(interaction, ORDER)
        targets = {
            who: new_moon(say) if who == NEUMOND else _target(ORDER + who, table.names, say)
            for who in legal
        }
        twice = [name for name, times in Counter(targets.values()).items() if times > 1]
        named = {who: f"{name} ({who})" if name in twice else name for who, name in targets.items()}
        return choices(named, typed)
