"""The question and the choices of each phase; every move takes at most two taps."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from cogs.gateway.texts import escape
from cogs.present.words import ASK_ON, Choice, Group, Menu
from data.texts import Texts
from games.engine import Move, View
from render.icons import isolde_board, isolde_card
from render.isolde.standings import signed
from render.isolde.words import BOARDS, BONUSES, CARD, board_name, card_name, colour_names, request
from render.theme import SEATS

DECLINE = "-"

_WORD = re.compile("[A-Z]+")
_OF_A_CARD = "keep", "play"
"""Verbs of moves that name a single card."""


def menu_for(
    view: View, legal: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
) -> Menu:
    """Return the choices that continue ``prefix``."""
    prefix = prefix.removesuffix(ASK_ON)
    ways = [move for move in legal if move.startswith(prefix)]
    prompt = request(view, [escape(name) for name in names], say, prefix)
    grouping = _GROUPINGS.get(view.phase, _plain)
    return Menu(prompt, grouping(view, ways, prefix, names, say))


# --------------------------------------------------------------------------- groupings
Grouping = Callable[[View, Sequence[Move], str, Sequence[str], Texts], tuple[Group, ...]]


def _plain(
    view: View, ways: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
) -> tuple[Group, ...]:
    """Offer every move at once."""
    return _group(say("Choose"), {move: label(move, view, names, say) for move in ways})


def _cards(
    view: View, ways: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
) -> tuple[Group, ...]:
    """Ask for the card first, then for the board if the card fits several."""
    steps = _beginnings(ways, _card_of)
    if len(steps) == 1 and prefix:
        return _boards(view, ways, prefix, names, say)
    asked = {
        moves[0] if len(moves) == 1 else f"{_verb(moves[0])}:{card}{ASK_ON}": card_name(card, say)
        for card, moves in steps.items()
    }
    return _group(say("Card"), asked)


def _boards(
    view: View, ways: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
) -> tuple[Group, ...]:
    """Offer the boards for the chosen card."""
    boards = {move: board_of(move) for move in ways}
    return _group(
        say("Board"),
        {move: board_name(board, say) for move, board in boards.items()},
        {move: isolde_board(board) for move, board in boards.items()},
    )


def _gallantry(
    view: View, ways: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
) -> tuple[Group, ...]:
    """Ask for the bonus first, then for its target if it needs one."""
    steps = _beginnings(ways, lambda move: move.partition(">")[0])
    if len(steps) == 1 and prefix:
        return _group(say("For"), {move: _target(move, view, names, say) for move in ways})
    asked = {
        moves[0] if len(moves) == 1 else f"{start}>": label(start, view, names, say)
        for start, moves in steps.items()
    }
    return _group(say("Bonus"), asked)


def _magic(
    view: View, ways: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
) -> tuple[Group, ...]:
    """Ask for the board first, then for the number of fields."""
    steps = _beginnings(ways, lambda move: move.partition("+")[0])
    if len(steps) == 1 and prefix:
        return _group(say("Fields"), {move: f"+{move.partition('+')[2]}" for move in ways})
    asked = {
        start if start in ways else f"{start}+": label(start, view, names, say) for start in steps
    }
    return _group(say("Board"), asked)


def _beginnings(ways: Sequence[Move], begin: Callable[[Move], str]) -> dict[str, list[Move]]:
    """Group moves by how they begin.

    :param begin: returns the part of a move by which to group.
    """
    found: dict[str, list[Move]] = {}
    for move in ways:
        found.setdefault(begin(move), []).append(move)
    return found


def _group(
    placeholder: str, labels: Mapping[str, str], icons: Mapping[str, str] | None = None
) -> tuple[Group, ...]:
    """Return the choices as a single group.

    :param labels: the labels of the choices, by value.
    :param icons: the icons of the choices, by value; None: derived from each value.
    """
    choices = (
        Choice(value, words, icon=_icon(value) if icons is None else icons[value])
        for value, words in labels.items()
    )
    return (Group(placeholder, tuple(choices)),)


def _icon(value: str) -> str:
    """Return the icon of the card to keep or play, or of the first board that a move mentions."""
    verb, _, what = value.removesuffix(ASK_ON).partition(":")
    if verb in _OF_A_CARD and CARD.fullmatch(what):
        return isolde_card(what)
    boards = (isolde_board(word) for word in _WORD.findall(value) if word in BOARDS)
    return next(boards, "")


_GROUPINGS: Mapping[str, Grouping] = {
    "play": _cards,
    "route": _boards,
    "gallantry": _gallantry,
    "magic": _magic,
}


# ------------------------------------------------------------------------------- labels
def label(move: Move, view: View | None, names: Sequence[str], say: Texts) -> str:
    """Describe a move, or the beginning of one, in a few words.

    :param view: the view of the person who may play it; None: use only what everyone may know.
    """
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
    return f"{say(BONUSES[bonus])}{say.colon} {aim}"


def _number_label(argument: str, view: View | None, names: Sequence[str], say: Texts) -> str:
    return argument


def _pile_label(argument: str, view: View | None, names: Sequence[str], say: Texts) -> str:
    if view is None:
        return say("pile {n}", n=argument)
    owner = 1 - (view.viewer or 0) if view.viewer is not None else 0
    pile = view.public["piles"][owner][int(argument) - 1]
    return " · ".join(card_name(card, say) for card in pile)


def _colour(argument: str, view: View | None, names: Sequence[str], say: Texts) -> str:
    """Name a colour by its number, counted from 1; without a view, return only its sign."""
    colour = int(argument) - 1
    if view is None:
        return SEATS[colour].sign
    return f"{SEATS[colour].sign} {colour_names(view, names, say)[colour]}"


def _give_label(argument: str, view: View | None, names: Sequence[str], say: Texts) -> str:
    if not argument.startswith("?"):
        return argument.replace("-", "−")
    value = None if view is None else _hidden_value(view, int(argument[1:]))
    if value is None:
        return say("the hidden one of round {n}", n=argument[1:])
    return say("the hidden {value} of round {n}", value=signed(value), n=argument[1:])


def _hidden_value(view: View, round_: int) -> int | None:
    """Return the value of the shield that the acting colour laid face down in a round, if it is
    known.
    """
    for each in view.private.get("face_down", ()):
        if each["colour"] == view.public["colour"] and each["round"] == round_:
            value: int = each["value"]
            return value
    return None


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


def board_of(move: Move) -> str:
    """Return the board that a card is played on; the move may come without its verb."""
    card, _, board = move.rpartition(":")[2].partition(">")
    return board or card[:-1]


def _target(move: Move, view: View, names: Sequence[str], say: Texts) -> str:
    target = move.partition(">")[2]
    return _colour(target, view, names, say) if target.isdigit() else board_name(target, say)
