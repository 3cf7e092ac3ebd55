"""What people type: in any case, with blanks, shortened, the verb left out where it is clear.

Refusals of ``parse``:

===================  ==========================================================================
``not_now``          verb, phase: that move belongs to another phase
``unknown_card``     text
``unknown_board``    text
``unknown_bonus``    text
``not_in_pack``      card, pack
``not_in_hand``      card, hand
``board_needed``     card, boards: the card alone does not say where it is played
``wrong_board``      card, board, boards: it is not played there
``board_excluded``   board: a bonus or bet cannot be used there
``board_used``       board: the points of Magie have been used there already
``fields_needed``    board, most: how many fields to move there, from 1
``neutral_moves``    the neutral colour takes its bonus, only how is chosen
``bonus_taken``      bonus
``bonus_target``     bonus, targets: what may stand after ``>``
``no_fifth_card``    in the Lancelot game no card is left over
``half_needed``      number: so many cards have to be listed
``no_such_pile``     text
``no_such_place``    text, places: a free place on the codex, from 1
``no_partner``       text: the exchange is with another colour
``no_such_shield``   text
===================  ==========================================================================
"""

from __future__ import annotations

import re

from games.engine import PLAYER_MOVE_MAX, IllegalMove, Move
from games.isolde.cards import CARD
from games.isolde.state import IsoldeState

PLAY = "play"

_WORD = re.compile(r"[A-Z]+")
_WITH_VERB = re.compile(r"(?P<verb>[a-z]+)(?:\s*:\s*|\s+)(?P<argument>.*)", re.DOTALL)
_BETWEEN_PARTS = re.compile(r"[>,+]")
_NUMBER = re.compile(r"[-?]?\d*")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def parse(state: IsoldeState, seat: int, text: str) -> Move:
    """Accepts ``keep:GRAL4``, ``Keep gral 4``, ``gr4``, ``König5``, ``kampf4 > lanze``.

    :raises IllegalMove: naming the rule, see the list above.
    """
    phase = state.agenda[-1].step
    step = state.rules.steps[phase]
    verb, argument = _verb_and_argument(state, text)
    if verb and verb != step.verb:
        raise IllegalMove("not_now", verb=verb, phase=phase)
    argument = step.spelled(_complete(argument, state.rules.words))
    move = f"{step.verb}:{argument}"
    if move not in step.legal(state, seat):
        raise step.refusal(state, seat, argument[:PLAYER_MOVE_MAX])
    return move


def canonical(state: IsoldeState, text: str) -> Move | None:
    """The move that a text means in any phase; None if it can be none.

    Without a verb, a card is one that is played: what else is done with cards is sealed, and never
    shown to others. Anything else belongs to the phase.
    """
    try:
        check(state, text)
    except IllegalMove:
        return None
    steps = state.rules.steps
    verb, argument = _verb_and_argument(state, text)
    argument = _complete(argument, state.rules.words)
    if not verb:
        is_card = _BETWEEN_PARTS.split(argument)[0] in CARD
        verb = PLAY if is_card or not state.agenda else steps[state.agenda[-1].step].verb
    spelled = next(step.spelled for step in steps.values() if step.verb == verb)
    return f"{verb}:{spelled(argument)}"


def check(state: IsoldeState, text: str) -> None:
    """Whether a text can be a move of any phase.

    :raises IllegalMove: ``unknown_card``, ``unknown_board`` after ``>``.
    """
    words = state.rules.words
    _, argument = _verb_and_argument(state, text)
    completed = _complete(argument, words)
    for part in _BETWEEN_PARTS.split(completed):
        if part not in CARD and part not in words and not _NUMBER.fullmatch(part):
            code = "unknown_board" if f">{part}" in completed else "unknown_card"
            raise IllegalMove(code, text=part[:PLAYER_MOVE_MAX])


def _verb_and_argument(state: IsoldeState, text: str) -> tuple[str, str]:
    """The two parts of a move; the verb may be missing."""
    spelling = text.strip().casefold().translate(_UMLAUTS)
    match = _WITH_VERB.fullmatch(spelling)
    verbs = {step.verb for step in state.rules.steps.values()}
    if match and match["verb"] in verbs:
        return match["verb"], _squeezed(match["argument"])
    return "", _squeezed(spelling)


def _squeezed(argument: str) -> str:
    return "".join(argument.split()).upper()


def _complete(argument: str, words: tuple[str, ...]) -> str:
    """Replace every word that means one of the game's words without doubt by that word: ``GR`` and
    ``GRALSSUCHE`` mean ``GRAL``.
    """

    def completed(match: re.Match[str]) -> str:
        typed = match[0]
        meant = {word for word in words if word.startswith(typed) or typed.startswith(word)}
        return meant.pop() if len(meant) == 1 and typed not in words else typed

    return _WORD.sub(completed, argument)
