"""What is asked in each phase, and the choices: never more than two taps from a move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from cogs.gateway.texts import escape
from cogs.present.words import ASK_ON, Choice, Group, Menu
from data.texts import Texts
from games.engine import Move, View
from render.isolde.words import BONUSES, CARD, board_name, card_name, colour_names, request
from render.theme import SEATS

DECLINE = "-"


def menu_for(
    view: View, legal: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
) -> Menu:
    """The choices that go on from ``prefix``."""
    prefix = prefix.removesuffix(ASK_ON)
    ways = [move for move in legal if move.startswith(prefix)]
    prompt = request(view, [escape(name) for name in names], say)
    grouping = _GROUPINGS.get(view.phase, _plain)
    return Menu(prompt, grouping(view, ways, prefix, names, say))


# --------------------------------------------------------------------------- groupings
Grouping = Callable[[View, Sequence[Move], str, Sequence[str], Texts], tuple[Group, ...]]


def _plain(
    view: View, ways: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
) -> tuple[Group, ...]:
    """Every move at once."""
    choices = tuple(Choice(move, label(move, view, names, say)) for move in ways)
    return (Group(say("Choose"), choices),)


def _cards(
    view: View, ways: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
) -> tuple[Group, ...]:
    """A card first; then its board, if it has a choice."""
    by_card: dict[str, list[Move]] = {}
    for move in ways:
        by_card.setdefault(_card_of(move), []).append(move)
    if len(by_card) == 1 and prefix:
        choices = tuple(Choice(move, _route(move, view, say)) for move in ways)
        return (Group(say("Board"), choices),)
    choices = tuple(
        Choice(
            moves[0] if len(moves) == 1 else f"{_verb(moves[0])}:{card}{ASK_ON}",
            card_name(card, say),
        )
        for card, moves in by_card.items()
    )
    return (Group(say("Card"), choices),)


def _gallantry(
    view: View, ways: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
) -> tuple[Group, ...]:
    """A bonus first; then whom or what it is for, if it needs that."""
    by_bonus: dict[str, list[Move]] = {}
    for move in ways:
        by_bonus.setdefault(move.split(">")[0], []).append(move)
    if len(by_bonus) == 1 and prefix:
        choices = tuple(Choice(move, _target(move, view, names, say)) for move in ways)
        return (Group(say("For"), choices),)
    choices = tuple(
        Choice(moves[0] if len(moves) == 1 else f"{bonus}>", _bonus_label(bonus, say))
        for bonus, moves in by_bonus.items()
    )
    return (Group(say("Bonus"), choices),)


def _magic(
    view: View, ways: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
) -> tuple[Group, ...]:
    """A board first, then how many fields."""
    by_board: dict[str, list[Move]] = {}
    for move in ways:
        by_board.setdefault(move.split("+")[0], []).append(move)
    if len(by_board) == 1 and prefix:
        choices = tuple(Choice(move, f"+{move.split('+')[1]}") for move in ways)
        return (Group(say("Fields"), choices),)
    choices = tuple(
        Choice(
            moves[0] if moves[0].endswith(DECLINE) else f"{start}+", label(start, view, names, say)
        )
        for start, moves in by_board.items()
    )
    return (Group(say("Board"), choices),)


_GROUPINGS: Mapping[str, Grouping] = {
    "play": _cards,
    "route": _cards,
    "gallantry": _gallantry,
    "magic": _magic,
}


# ------------------------------------------------------------------------------- labels
def label(move: Move, view: View | None, names: Sequence[str], say: Texts) -> str:
    """A move, or the beginning of one, in a few words."""
    verb, _, argument = move.partition(":")
    if argument == DECLINE:
        return say("no more") if verb == "magic" else say("decline")
    return _LABELS[verb](argument, view, names, say)


def _card_label(argument: str, view: View | None, names: Sequence[str], say: Texts) -> str:
    card, _, board = argument.partition(">")
    if not board:
        return card_name(card, say)
    return say("{card} on {board}", card=card_name(card, say), board=board_name(board, say))


def _cards_label(argument: str, view: View | None, names: Sequence[str], say: Texts) -> str:
    return " · ".join(card_name(card, say) for card in argument.split(","))


def _board_label(argument: str, view: View | None, names: Sequence[str], say: Texts) -> str:
    board, _, fields = argument.partition("+")
    name = board_name(board, say)
    return f"{name} +{fields}" if fields else name


def _bonus(argument: str, view: View | None, names: Sequence[str], say: Texts) -> str:
    bonus, _, target = argument.partition(">")
    if bonus not in BONUSES:
        return board_name(bonus, say)
    if not target:
        return say(BONUSES[bonus])
    aim = _colour(target, view, names, say) if target.isdigit() else board_name(target, say)
    return f"{say(BONUSES[bonus])}: {aim}"


def _number_label(argument: str, view: View | None, names: Sequence[str], say: Texts) -> str:
    return argument


def _pile_label(argument: str, view: View | None, names: Sequence[str], say: Texts) -> str:
    if view is None:
        return say("pile {n}", n=argument)
    owner = 1 - (view.viewer or 0) if view.viewer is not None else 0
    pile = view.public["piles"][owner][int(argument) - 1]
    return " · ".join(card_name(card, say) for card in pile)


def _colour(argument: str, view: View | None, names: Sequence[str], say: Texts) -> str:
    """The colour with a number counted from 1; without a view it is not known whose it is."""
    colour = int(argument) - 1
    if view is None:
        return SEATS[colour].sign
    return f"{SEATS[colour].sign} {colour_names(view, names, say)[colour]}"


def _give_label(argument: str, view: View | None, names: Sequence[str], say: Texts) -> str:
    if argument.startswith("?"):
        return say("the hidden one of round {n}", n=argument[1:])
    return argument.replace("-", "−")


_LABELS: Mapping[str, Callable[[str, View | None, Sequence[str], Texts], str]] = {
    "keep": _card_label,
    "play": _card_label,
    "split": _cards_label,
    "assign": _cards_label,
    "bet": _board_label,
    "magic": _board_label,
    "bonus": _bonus,
    "pile": _pile_label,
    "look": _number_label,
    "take": _number_label,
    "partner": _colour,
    "give": _give_label,
    "claim": _number_label,
}


def _verb(move: Move) -> str:
    return move.partition(":")[0]


def _card_of(move: Move) -> str:
    match = CARD.match(move.partition(":")[2])
    return move if match is None else match[0]


def _route(move: Move, view: View, say: Texts) -> str:
    """The board that a play goes to."""
    card, _, board = move.partition(":")[2].partition(">")
    return board_name(board or card[:-1], say)


def _target(move: Move, view: View, names: Sequence[str], say: Texts) -> str:
    target = move.partition(">")[2]
    return _colour(target, view, names, say) if target.isdigit() else board_name(target, say)


def _bonus_label(start: str, say: Texts) -> str:
    bonus = start.partition(":")[2]
    return say("decline") if bonus == DECLINE else say(BONUSES[bonus])
