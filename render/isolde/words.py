"""Die Holde Isolde in words: the names of boards, cards and colours, deeds, questions and rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from data.texts import N_, Texts
from games.engine import Move, View
from games.isolde.state import LARGE
from render.isolde.standings import on_lap
from render.scene import Scene
from render.theme import SEATS
from render.words import over_hand, standing

BOARDS = {
    "ISOLDE": N_("Princess Isolde"),
    "MAGIE": N_("Magic"),
    "LANZE": N_("Jousting"),
    "TURNIER": N_("Tournament"),
    "STUDIEN": N_("Studies"),
    "KOENIG": N_("The King"),
    "GRAL": N_("Grail Quest"),
    "BARM": N_("Charity"),
}
"""The boards, in the order in which they are scored."""

CARDS = {
    "ISOLDE": N_("Isolde"),
    "KAMPF": N_("Combat"),
    "STUDIEN": N_("Studies"),
    "KOENIG": N_("King"),
    "GRAL": N_("Grail"),
    "BARM": N_("Charity"),
}
"""The types of cards, short enough for a button."""

BONUSES = {
    "START": N_("Next starter"),
    "SCHWERT": N_("Sword +2"),
    "FUENFTE": N_("Fifth card"),
    "KOENIG2": N_("King +2"),
    "EINS": N_("Anywhere +1"),
}
"""The bonuses of the variant Galanterie, short enough for a button."""

MOVING_NOTHING = ("START", "FUENFTE")
"""The bonuses that move no piece. The move that follows any other bonus tells enough."""

CARD = re.compile(r"(?P<type>[A-Z]+)(?P<value>\d)")


def board_name(board: str, say: Texts) -> str:
    """Return the name of a board."""
    return say(BOARDS[board])


def card_name(card: str, say: Texts) -> str:
    """Return the name of a card, such as ``Grail 4``."""
    match = CARD.fullmatch(card)
    if match is None:
        raise ValueError(f"{card!r} is not a card")
    return f"{say(CARDS[match['type']])} {match['value']}"


def cards_in_words(cards: Sequence[str], say: Texts) -> str:
    """Return a list of cards, in words."""
    return say.list([card_name(card, say) for card in cards])


def named_cards(move: Move) -> list[str]:
    """Return the cards that a move names; empty for a bonus, which names boards in the same
    form.
    """
    verb, _, argument = move.partition(":")
    return [] if verb == "bonus" else re.findall(r"[A-Z]+\d", argument)


def colour_names(view: View, names: Sequence[str], say: Texts) -> list[str]:
    """Return names by colour.

    :param names: the names by seat, cleaned for the place where they will be shown.
    """
    neutral = say("neutral player")
    return [neutral if owner is None else names[owner] for owner in view.public["owners"]]


def field_in_words(field: int, say: Texts) -> str:
    """Return a field, with its laps."""
    if not field:
        return say("not moved")
    laps, on_track = on_lap(field)
    if not laps:
        return str(field)
    return say.plural(
        "{field} ({n} lap + {rest})",
        "{field} ({n} laps + {rest})",
        laps,
        field=field,
        rest=on_track,
    )


# ---------------------------------------------------------------------- what has happened
TOLD = 3
"""How many of the latest events a picture shows."""


class Deed(NamedTuple):
    """Something that a colour did or that happened to its piece, in two short lines."""

    colour: int
    what: str
    how: str


def deeds(scene: Scene) -> Iterator[Deed]:
    """Yield what has happened since the last picture, oldest first; scorings have their own
    sheet.
    """
    say = scene.say
    for fact in scene.facts:
        data = fact.data
        match fact.kind:
            case "played" | "moved":
                fields = data["field"] - data["origin"]
                what = f"{board_name(data['board'], say)} +{fields}"
                yield Deed(data["colour"], what, f"{data['origin']} → {data['field']}")
            case "looked":
                how = _bound(say("looks at shield {place}", place=data["place"]))
                yield Deed(data["colour"], board_name("STUDIEN", say), how)
            case "codex_taken":
                how = _bound(say("takes shield {place}", place=data["place"]))
                yield Deed(data["colour"], board_name("STUDIEN", say), how)
            case "bonus" if data["bonus"] in MOVING_NOTHING:
                yield Deed(data["colour"], say(BONUSES[data["bonus"]]), board_name("ISOLDE", say))


def _bound(sentence: str) -> str:
    """Return a sentence that no line break divides between a word and the number after it."""
    return re.sub(r" (?=\d)", "\u00a0", sentence)


# ---------------------------------------------------------------------- what is asked
DRAFTING = ("bet", "draft", "split", "pile", "assign")
"""The phases of a round before its first card is played."""

PROMPTS = {
    "bet": N_("On which discipline do you bet? Isolde rewards the cards you play there."),
    "draft": N_("Keep one card; pass on the rest."),
    "split": N_("Make two piles of three: choose the first. Both will be face up."),
    "pile": N_("Which of the two piles do you take?"),
    "assign": N_("Which three cards does your first colour get?"),
    "play": N_("Play a card."),
    "look": N_("Which shield of the codex do you look at?"),
    "gallantry": N_("Choose a bonus."),
    "take": N_("Which shield of the codex do you take, face down?"),
    "partner": N_("With whom do you exchange shields?"),
    "give": N_("Which shield do you give away?"),
    "claim": N_("Which shields do you claim?"),
}
"""The questions of the phases that always ask the same question."""


def heading(scene: Scene, names: Sequence[str]) -> str:
    """Return the heading of a private picture.

    :param names: the names by seat, cleaned for the place where they will be shown.
    """
    view, say = scene.view, scene.say
    sealed = named_cards(view.private["sealed"] or "")
    if sealed and not scene.shown:
        cards = cards_in_words(sealed, say)
        return say("You have chosen {cards}; nobody else sees it yet.", cards=cards)
    begun = "" if scene.advised else scene.focus
    return over_hand(scene, names, request(view, names, say, begun))


def request(view: View, names: Sequence[str], say: Texts, begun: str = "") -> str:
    """Return the question to the viewer; if somebody else has to move, say who.

    :param names: the names by seat, cleaned for the place where the words will be shown.
    :param begun: the beginning of a move that is not complete yet.
    """
    if view.viewer not in view.actors:
        return standing(view, names, say)
    asked = _question_of_the_rest(begun, say) if begun else _question(view, say)
    return _for_whom(view, names, say) + asked


def _question(view: View, say: Texts) -> str:
    _, _, details = view.public["agenda"][0]
    match view.phase:
        case "bonus":
            return say.plural(
                "Isolde's favour: move forward by {n} field. On which board?",
                "Isolde's favour: move forward by {n} fields. On which board?",
                details[0],
            )
        case "magic":
            return say.plural(
                "Magic: {n} field is left. On which board?",
                "Magic: {n} fields are left. On which board?",
                details[0],
            )
        case "route":
            return say("Where is {card} played?", card=card_name(details[0], say))
        case phase:
            return say(PROMPTS[phase])


def _question_of_the_rest(begun: str, say: Texts) -> str:
    verb, _, what = begun.partition(":")
    what = what.rstrip(">+")
    if verb == "play":
        return say("On which board do you play {card}?", card=card_name(what, say))
    if verb == "magic":
        return say("Magic, {board}: by how many fields?", board=board_name(what, say))
    if what == "START":
        return say("Who starts the next round?")
    return say("{bonus}: on which board?", bonus=say(BONUSES[what]))


def _for_whom(view: View, names: Sequence[str], say: Texts) -> str:
    """If a person decides for more than one colour, name the colour."""
    colour, owners = view.public["colour"], view.public["owners"]
    if colour is None or len(owners) == view.players:
        return ""
    return f"{SEATS[colour].sign} {colour_names(view, names, say)[colour]}{say.colon} "


# ------------------------------------------------------------------- the rule of a board
RULES = {
    "ISOLDE": N_(
        "Scored first in every round: third, second and first, in this order, move one of their"
        " pieces on another board by 1, 2 and 3 fields."
    ),
    "MAGIE": N_(
        "Takes any card. Scored in rounds 2 and 5: third, second and first move their pieces on"
        " other boards by 2, 4 and 6 fields in all."
    ),
    "LANZE": N_("Scored in every round: 3, 2 and 1 points for first, second and third."),
    "TURNIER": N_("Scored in every round: 3, 2 and 1 points for first, second and third."),
    "STUDIEN": N_("Scored in every round: last place loses 3 points, second to last loses 1."),
    "KOENIG": N_(
        "Scored in rounds 3 and 6: 6 points for all from field 6 on, 12 points from field 12 on."
    ),
    "GRAL": N_("Scored in round 6, never reset: 17, 10 and 4 points."),
    "BARM": N_(
        "Scored in round 6, never reset: last place loses 10 points, second to last loses 5."
    ),
}
"""The rule of each board."""

VARIANT_RULES = {
    ("galanterie", "ISOLDE"): N_(
        "Scored first in every round: from the first place on, each takes up to two of five"
        " bonuses (★): next starting player, 2 fields in Jousting or the Tournament, the fifth"
        " card, 2 fields on the King's board, 1 field anywhere."
    ),
    ("herausforderung", "ISOLDE"): N_(
        "Scored first in every round: third, second and first move in the discipline of their "
        "bet, by 1, 2 and 3 fields for each card they have played there in this round."
    ),
    ("turnier", "LANZE"): N_(
        "The Black Knight of Jousting and the White Knight of the Tournament, scored in rounds 2,"
        " 4 and 6: 8, 5 and 2 points on the side of the chalice, otherwise 5, 3 and 1. Every card"
        " pulls the chalice by its value."
    ),
    ("kodex", "STUDIEN"): N_(
        "Play here to look at a shield of the codex. In every round all take a shield, first"
        " place first: one costs 3 points, one costs 1, the others nothing."
    ),
    ("koenig", "KOENIG"): N_(
        "Scored when a card takes a scroll, on 6 or 12: 1, 2, 4, 6 and 8 points from fields 1, "
        "3, 6, 9 and 12 on; doubled if both are taken in one round. Once the one on 12 is taken, "
        "everyone starts again."
    ),
    ("gral", "GRAL"): N_(
        "Scored in round 6, for shields from Jousting, the Tournament and the King: the"
        " first gets 1 point for each, the second 1 for every two, the last loses 1 for every two."
    ),
    ("barm", "BARM"): N_(
        "Scored at the very end: first place swaps a bad shield for two good ones from last "
        "place, of at most 3 each; with four or more players, second place swaps one for one "
        "with second to last."
    ),
}
"""The rules of boards that differ in a variant."""

FEW_RULES = {
    "ISOLDE": N_(
        "Scored first in every round: second and first, in this order, move one of their pieces on"
        " another board by 2 and 3 fields."
    ),
    "MAGIE": N_(
        "Takes any card. Scored in rounds 2 and 5: second and first move their pieces on other"
        " boards by 4 and 6 fields in all."
    ),
    "LANZE": N_("Scored in every round: 3 and 2 points for first and second."),
    "TURNIER": N_("Scored in every round: 3 and 2 points for first and second."),
    "STUDIEN": N_("Scored in every round: last place loses 3 points."),
    "GRAL": N_("Scored in round 6, never reset: 17 and 10 points."),
    "BARM": N_("Scored in round 6, never reset: last place loses 10 points."),
}
"""The rules of boards that differ with three colours."""

FEW_VARIANT_RULES = {
    ("galanterie", "ISOLDE"): N_(
        "Scored first in every round: the first, then the second takes up to two of five bonuses"
        " (★): next starting player, 2 fields in Jousting or the Tournament, the fifth card, 2"
        " fields on the King's board, 1 field anywhere."
    ),
    ("herausforderung", "ISOLDE"): N_(
        "Scored first in every round: second and first move in the discipline of their bet, by 2 "
        "and 3 fields for each card they have played there in this round."
    ),
    ("turnier", "LANZE"): N_(
        "The Black Knight of Jousting and the White Knight of the Tournament, scored in rounds 2,"
        " 4 and 6: 8 and 5 points on the side of the chalice, otherwise 5 and 3. Every card pulls"
        " the chalice by its value."
    ),
}
"""The rules of boards that differ in a variant and with three colours."""


def board_rule(board: str, view: View, say: Texts) -> str:
    """Return the rule of a board at this table."""
    few = len(view.public["owners"]) < LARGE
    rules = RULES | FEW_RULES if few else RULES
    variants = VARIANT_RULES | FEW_VARIANT_RULES if few else VARIANT_RULES
    for (variant, changed), rule in variants.items():
        if view.options[variant] and changed == {"TURNIER": "LANZE"}.get(board, board):
            return say(rule)
    return say(rules[board])
