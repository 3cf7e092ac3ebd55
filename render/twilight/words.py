"""Twilight in words: the names of cards, the questions to players, and descriptions of pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from data.texts import N_, Texts, series
from games.engine import Fact, View
from games.twilight import CARDS, CULTS
from render.names import short_names, spoken_names
from render.scene import Scene, first_fitting
from render.words import SEAT_LOOKS, over_hand, standing, title_words

CLERICS = {
    1: N_("Hierarch"),
    2: N_("High Priest"),
    3: N_("Priest"),
    4: N_("Adept"),
    5: N_("Novice"),
}
SANCTUARIES = {1: N_("Altar"), 2: N_("Temple"), 3: N_("Obelisk")}

CULT_NAMES = {"moon": N_("Moon"), "sun": N_("Sun")}
OF_THE_CULT = {"moon": N_("{card} of the Moon"), "sun": N_("{card} of the Sun")}
A_CARD = {"moon": N_("a Moon card"), "sun": N_("a Sun card")}
YOUR_TURN = {
    "either": N_("It is your turn: play {card}, or order one."),
    "play": N_("It is your turn: play {card}."),
    "order": N_("It is your turn: order {card}."),
}
NEW_MOONS_TURN = {
    "either": N_("New Moon's turn: play {card} from either hand, or order one."),
    "play": N_("New Moon's turn: play {card} from either hand."),
    "order": N_("New Moon's turn: order {card}."),
}


# ------------------------------------------------------------------------------- cards
def card_title(name: str, say: Texts) -> str:
    """Return a card without its cult: ``Hierarch``, ``5 souls``, ``Obelisk``."""
    card = CARDS[name]
    match card.kind:
        case "cleric":
            return say(CLERICS[card.number])
        case "souls":
            return say.plural("{n} soul", "{n} souls", card.number)
        case "sanctuary":
            return say(SANCTUARIES[card.number])
        case _:
            return say("Purgatory")


def card_in_words(name: str, say: Texts) -> str:
    """Return a card with its cult: ``5 souls of the Sun``."""
    return say(OF_THE_CULT[CULTS[CARDS[name].cult]], card=card_title(name, say))


def who(seat: int | None, names: Sequence[str], say: Texts) -> str:
    """Return the name of a seat, or of New Moon."""
    return say("New Moon") if seat is None else names[seat]


def new_moon(say: Texts) -> str:
    """Return New Moon's name with a capital letter, for headings; in some languages, it begins with
    an article.
    """
    name = say("New Moon")
    return name[:1].upper() + name[1:]


def opened_by_new_moon(sentence: str, say: Texts) -> str:
    """Return a sentence, capitalised if it begins with New Moon's name."""
    name = say("New Moon")
    rest = sentence.removeprefix(name)
    return sentence if rest == sentence else new_moon(say) + rest


# ------------------------------------------------------------------------- what is asked
def due_cult(view: View) -> str:
    """Return the cult whose card is due."""
    return CULTS[view.public["turn"] % 2]


def playable(view: View) -> frozenset[str]:
    """Return the cards that the viewer may play now."""
    public = view.public
    if view.viewer not in view.actors:
        return frozenset()
    hand, neumond = view.private["hand"], public["open"] or []
    ordered, cult = public["ordered"], public["turn"] % 2
    if ordered is not None:
        cards = neumond if public["places"][ordered] is None else hand
    else:
        cards = hand + neumond if is_lone(view) else hand
    return frozenset(name for name in cards if name[0] == "MS"[cult])


def is_lone(view: View) -> bool:
    """Return whether the viewer plays alone, with New Moon."""
    return view.viewer is not None and view.viewer == view.public["lone"]


def _ways(view: View) -> str:
    """Return what the viewer can do on their turn: ``play``, ``order`` or ``either``."""
    own, all_there = len(playable(view)), sum(view.public[due_cult(view)])
    return "order" if not own else "either" if own < all_there else "play"


def heading(scene: Scene, names: Sequence[str]) -> str:
    """Return the heading of a private picture.

    :param names: as for ``request``.
    """
    return over_hand(scene, names, request(scene.view, names, scene.say))


def request(view: View, names: Sequence[str], say: Texts) -> str:
    """Return the question to the viewer; if it is not the viewer's turn, say who has to move.

    :param names: the names by seat, cleaned for the place where the sentence will be shown.
    """
    if view.viewer is None or view.viewer not in view.actors:
        return awaited(view, names, say)
    public = view.public
    card = say(A_CARD[due_cult(view)])
    for_whom = public["places"][public["turn"]]
    if public["ordered"] is None:
        asked = (NEW_MOONS_TURN if for_whom is None else YOUR_TURN)[_ways(view)]
        return say(asked, card=card)
    orderer = who(for_whom, names, say)
    if public["places"][public["ordered"]] is None:
        asked = say("{name} orders {card} from New Moon. Choose it.", name=orderer, card=card)
    else:
        asked = say("{name} orders {card} from you. It counts for {name}.", name=orderer, card=card)
    return opened_by_new_moon(asked, say)


def awaited(view: View, names: Sequence[str], say: Texts) -> str:
    """Say who has to do what, using nothing but what everyone may know."""
    public = view.public
    if public["turn"] is None or not view.actors:
        return standing(view, names, say)
    card = say(A_CARD[due_cult(view)])
    places = public["places"]
    actor, turn = names[view.actors[0]], places[public["turn"]]
    if public["ordered"] is None:
        if turn is None:
            return say("{name} is to play or order {card} for New Moon.", name=actor, card=card)
        return say("{name} is to play or order {card}.", name=actor, card=card)
    for_whom = who(turn, names, say)
    if places[public["ordered"]] is None:
        return say(
            "{name} is to give {card} from New Moon's hand for {other}.",
            name=actor,
            card=card,
            other=for_whom,
        )
    return say("{name} is to give {card} for {other}.", name=actor, card=card, other=for_whom)


def shown_last(view: View) -> Mapping[str, Any] | None:
    """Return the last trick if it belongs to this deal; after a new deal, its cards are back in
    people's hands.
    """
    if view.public["tricks"] or view.outcome:
        last: Mapping[str, Any] | None = view.public["last"]
        return last
    return None


def laid_by_seats(public: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the current trick in the form of ``last``: by seat instead of by place."""
    places = public["places"]
    return [
        {"seat": places[each["place"]], "giver": places[each["giver"]], "card": each["card"]}
        for each in public["table"]
    ]


# ----------------------------------------------------------------------- the table in words
CardName = Callable[[str, Texts], str]
Due = Callable[[View, Sequence[str], Texts], str]


def coded_card(name: str, say: Texts) -> str:
    """Return a card with its notation: ``SL5 (5 souls of the Sun)``."""
    return f"{name} ({card_in_words(name, say)})"


def bare_card(name: str, say: Texts) -> str:
    """Return the notation of a card."""
    return name


def table_in_words(scene: Scene) -> str:
    """Describe the public picture; if there is not enough room, give cards in notation only, and
    then shorten names.
    """
    names = spoken_names(scene.names, scene.say)
    short = short_names(names)
    looks = [scene.say(look) for look in SEAT_LOOKS]
    attempts = (
        table_sentences(scene, names, looks, coded_card, awaited),
        table_sentences(scene, names, looks, bare_card, awaited),
        table_sentences(scene, short, looks, bare_card, awaited),
    )
    return first_fitting(map(" ".join, attempts), scene.say)


def hand_in_words(scene: Scene) -> str:
    """Describe the private picture: the question, the viewer's hand, the cards on the table, and
    New Moon's cards; of a hand that is shown to others, only the cards.
    """
    names = spoken_names(scene.names, scene.say)
    if scene.shown:
        return f"{heading(scene, names)} {own_hand(scene, coded_card)}"
    attempts = (
        [
            heading(scene, names),
            own_hand(scene, named),
            *_lying_sentences(scene, names, named),
            *_open_sentences(scene, named),
        ]
        for named in (coded_card, bare_card)
    )
    return first_fitting(map(" ".join, attempts), scene.say)


def table_sentences(
    scene: Scene, names: Sequence[str], looks: Sequence[str], named: CardName, due: Due
) -> Iterator[str]:
    """Yield sentences about everything on the table, and about who has to do what.

    :param looks: what each seat's token looks like.
    :param due: what to say about the next move: ``awaited`` for everyone, ``request`` for the
        viewer.
    """
    view, say = scene.view, scene.say
    public = view.public
    yield title_words("Twilight", scene)
    if view.options["exact"]:
        yield say("Exactly 333, 666 or 999 points win as well") + "."
    if public["places"] is None:
        yield standing(view, names, say)
        return
    yield say("Deal {n}; {name} deals.", n=view.round, name=names[public["dealer"]])
    if public["lone"] is not None:
        yield say("{name} plays alone with New Moon.", name=names[public["lone"]])
    yield due(view, names, say)
    yield from _lying_sentences(scene, names, named)
    yield from _seat_sentences(scene, names, looks)
    yield from _open_sentences(scene, named)
    won = [None if place is None else CULTS[place % 2] for place in public["tricks"]]
    yield say("Tricks: Moon {moon}, Sun {sun}.", moon=won.count("moon"), sun=won.count("sun"))


def own_hand(scene: Scene, named: CardName) -> str:
    """Return the viewer's cards."""
    cards = [named(name, scene.say) for name in scene.view.private.get("hand", ())]
    return scene.say("Your hand: {cards}.", cards=scene.say.list(cards) or scene.say("no cards"))


def _lying_sentences(scene: Scene, names: Sequence[str], named: CardName) -> Iterator[str]:
    """Yield sentences about the trick, the last trick, and the unclaimed cards."""
    public, say = scene.view.public, scene.say
    if public["table"]:
        cards = _laid_in_words(laid_by_seats(public), names, named, say)
        yield say("The trick: {cards}.", cards=cards)
    last = shown_last(scene.view)
    told = {each["card"] for each in last["laid"]} if last is not None else set()
    lying = [named(name, say) for name in public["pending"] if name not in told]
    if lying:
        yield say("Still on the table: {cards}.", cards=say.list(lying))
    if last is not None:
        yield _last_trick(last, names, named, say)


def _last_trick(last: Mapping[str, Any], names: Sequence[str], named: CardName, say: Texts) -> str:
    cards = _laid_in_words(last["laid"], names, named, say)
    if last["winner"] is None:
        return say("Last trick, left on the table: {cards}.", cards=cards)
    winner = who(last["laid"][last["winner"]]["seat"], names, say)
    return say("Last trick, won by {name}: {cards}.", name=winner, cards=cards)


def _laid_in_words(
    laid: Sequence[Mapping[str, Any]], names: Sequence[str], named: CardName, say: Texts
) -> str:
    """Return cards in the order in which they were played, each with the seat for which it counts
    and the seat that gave it.
    """
    words = []
    for each in laid:
        card = say(
            "{what} for {name}", what=named(each["card"], say), name=who(each["seat"], names, say)
        )
        if each["giver"] != each["seat"]:
            card = say("{what} from {name}", what=card, name=who(each["giver"], names, say))
        words.append(card)
    return series(words, say)


def _seat_sentences(scene: Scene, names: Sequence[str], looks: Sequence[str]) -> Iterator[str]:
    """Yield each seat's cult, points, and number of cards."""
    public, say = scene.view.public, scene.say
    for place, seat in enumerate(public["places"]):
        if seat is not None:
            yield say(
                "{name} ({look}, {cult}): {points}; in hand {moon} Moon, {sun} Sun.",
                name=names[seat],
                look=looks[seat],
                cult=say(CULT_NAMES[CULTS[place % 2]]),
                points=say.plural("{n} point", "{n} points", public["totals"][seat]),
                moon=public["moon"][place],
                sun=public["sun"][place],
            )


def _open_sentences(scene: Scene, named: CardName) -> Iterator[str]:
    """Yield sentences about New Moon's cards, if he plays."""
    public, say = scene.view.public, scene.say
    if public["open"] is not None:
        cards = [named(name, say) for name in public["open"]]
        yield say("New Moon's open hand: {cards}.", cards=say.list(cards) or say("no cards"))


# ---------------------------------------------------------------------- a deal in words
def account_in_words(deal: Sequence[Mapping[str, Any]], neutral: int, scene: Scene) -> str:
    """Describe the account of a deal: both sides, the cards that nobody took, and the totals.

    :param deal: the data of the ``scored`` facts, for the Moon and for the Sun.
    """
    names, say = spoken_names(scene.names, scene.say), scene.say
    sentences = [side_in_words(side, names, say) for side in deal]
    if neutral:
        sentences.append(say.plural("{n} card is neutral.", "{n} cards are neutral.", neutral))
    totals = [f"{name} {n}" for name, n in zip(names, scene.view.public["totals"], strict=True)]
    sentences.append(say("Totals: {totals}.", totals=say.list(totals)))
    return first_fitting([" ".join(sentences)], say)


def side_in_words(side: Mapping[str, Any], names: Sequence[str], say: Texts) -> str:
    """Return a side's account: ``Moon (Anna and Clara): 17 souls × 3 = 51 points.``"""
    return say.plural(
        "{cult} ({names}): {souls} souls × {factor} = {n} point.",
        "{cult} ({names}): {souls} souls × {factor} = {n} points.",
        side["points"],
        cult=say(CULT_NAMES[side["cult"]]),
        names=say.list([names[seat] for seat in side["seats"]]),
        souls=side["souls"],
        factor=side["factor"],
    )


# ------------------------------------------------------------------------------ captions
class CaptionMove(NamedTuple):
    """A decision for a caption: who decided, what, and the other seat concerned, if any."""

    by: int
    what: str
    to: int | None


def told_in_caption(fact: Fact, say: Texts) -> CaptionMove | None:
    """Return the card that was played, or the order given; None for any other fact."""
    data = fact.data
    if fact.kind == "ordered":
        words, target = say("wants a card from"), data["target"]
    elif fact.kind == "played":
        words, target = card_in_words(data["card"], say), data["seat"]
        if target == data["by"]:
            return CaptionMove(data["by"], words, None)
        words += " →"
    else:
        return None
    return CaptionMove(
        data["by"], words if target is not None else f"{words} {new_moon(say)}", target
    )


def with_those_concerned(
    deed: str, data: Mapping[str, Any], names: Sequence[str], say: Texts
) -> str:
    """Return a card or an order, with the seat for which it counts and with the card's owner,
    except where that is the seat that decided.

    :param data: the data of the ``played`` or ``ordered`` fact.
    """
    by, seat = data["by"], data["seat"]
    giver = data.get("giver", by)
    if giver is None and seat is None:
        return say("{what} from and for New Moon", what=deed)
    if seat != by:
        deed = say("{what} for {name}", what=deed, name=who(seat, names, say))
    if giver != by:
        deed = say("{what} from {name}", what=deed, name=who(giver, names, say))
    return deed
