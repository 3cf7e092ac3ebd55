"""Reads typed moves: in capitals or not, with spaces, abbreviated, and without the verb if the rest
makes it clear.

Refusals:

===================  ==========================================================================
``not_now``          verb, phase: that move belongs to another phase
``unknown_card``     text
``unknown_board``    text
``unknown_bonus``    text
``not_in_pack``      card, pack
``not_in_hand``      card, hand
``board_needed``     card, boards: the card alone does not say where it is played
``wrong_board``      card, board, boards: it cannot be played there
``board_excluded``   board: this bonus or bet does not allow it
``board_used``       board: Magie has moved the piece there before
``fields_needed``    board, most: how many fields to move there, from 1
``neutral_moves``    the neutral colour may not decline its bonus
``bonus_taken``      bonus
``bonus_target``     bonus, targets: what may follow ``>``
``no_fifth_card``    there is no card left over in the Lancelot game
``half_needed``      number: how many cards have to be listed
``no_such_pile``     text
``no_such_place``    text, places: a free place on the codex, from 1
``no_partner``       text: not a colour with which to exchange
``no_such_shield``   text
===================  ==========================================================================
"""

from __future__ import annotations

import re

from games.engine import PLAYER_MOVE_MAX, IllegalMove, Move
from games.isolde.cards import CARD
from games.isolde.state import IsoldeState
from games.spelling import plain

PLAY = "play"

VERBS = {
    "bet on": "bet",
    "blick auf platz": "look",
    "cede": "give",
    "defi": "bet",
    "echange avec": "partner",
    "erste farbe": "assign",
    "erster stapel": "split",
    "exchange with": "partner",
    "first colour": "assign",
    "first pile": "split",
    "garder": "keep",
    "gift": "give",
    "abgegeben": "give",
    "genommen": "claim",
    "herausforderung": "bet",
    "jouer": "play",
    "look at place": "look",
    "magie": "magic",
    "platz": "take",
    "premiere couleur": "assign",
    "premiere pile": "split",
    "prendre la place": "take",
    "prendre pile": "pile",
    "pris": "claim",
    "regarder la place": "look",
    "take pile": "pile",
    "take place": "take",
    "tausch mit": "partner",
    "a cambio": "claim",
    "apostar por": "bet",
    "bonificacion": "bonus",
    "intercambio con": "partner",
    "magia": "magic",
    "mirar el lugar": "look",
    "primer color": "assign",
    "primer monton": "split",
    "quedarse con": "keep",
    "regalo": "give",
    "tomar el lugar": "take",
    "tomar": "pile",
}
"""How sentences about a move begin in all languages, each with the verb of the notation."""

ENDINGS = {" behalten": "keep", " nehmen": ""}
"""How German sentences about a move end, each with the verb of the notation."""

CALLED = {
    "5. karte": "fuenfte",
    "5e carte": "fuenfte",
    "anywhere +1": "eins",
    "au choix +1": "eins",
    "beliebig +1": "eins",
    "charite": "barm",
    "charity": "barm",
    "combat": "kampf",
    "commencer": "start",
    "decline": "-",
    "du codex": "",
    "epee +2": "schwert",
    "etudes": "studien",
    "fifth card": "fuenfte",
    "graal": "gral",
    "grail quest": "gral",
    "grail": "gral",
    "holde isolde": "isolde",
    "iseut": "isolde",
    "jousting": "lanze",
    "joute": "lanze",
    "king +2": "koenig2",
    "koenig +2": "koenig2",
    "le roi": "koenig",
    "magic": "magie",
    "next starter": "start",
    "nichts mehr": "-",
    "no more": "-",
    "princess isolde": "isolde",
    "princesse iseut": "isolde",
    "quete du graal": "gral",
    "renoncer": "-",
    "rien de plus": "-",
    "roi +2": "koenig2",
    "roi": "koenig",
    "schwert +2": "schwert",
    "startspieler": "start",
    "studies": "studien",
    "sword +2": "schwert",
    "the king": "koenig",
    "king": "koenig",
    "tournament": "turnier",
    "tournoi": "turnier",
    "verzichten": "-",
    "the hidden one of round": "?",
    "der verdeckte aus runde": "?",
    "of the codex": "",
    "des kodex": "",
    "stapel": "",
    "5.a carta": "fuenfte",
    "bella isolda": "isolde",
    "busca del grial": "gral",
    "busqueda del grial": "gral",
    "caridad": "barm",
    "combate": "kampf",
    "del codice": "",
    "el rey": "koenig",
    "el oculto de la ronda": "?",
    "espada +2": "schwert",
    "estudios": "studien",
    "grial": "gral",
    "justa": "lanze",
    "libre +1": "eins",
    "magia": "magie",
    "monton": "",
    "nada mas": "-",
    "princesa isolda": "isolde",
    "isolda": "isolde",
    "quien empieza": "start",
    "renunciar": "-",
    "rey +2": "koenig2",
    "rey": "koenig",
    "torneo": "turnier",
}
"""Names of cards, boards and bonuses, and other words of a move, in all languages, with their
notation; empty if the notation leaves them out.
"""

LONG = {
    "BARM": ("BARMHERZIGKEIT",),
    "GRAL": ("GRALSSUCHE", "GRALSUCHE"),
    "KAMPF": ("KAMPFKARTE",),
    "LANZE": ("LANZENSTECHEN",),
    "TURNIER": ("TURNIERKAMPF",),
}
"""Longer names of some words of the notation."""

SIGNS = "▲●■◆✚"
"""The symbols by which people tell colours apart, starting with the first colour's."""

_SIGNED = str.maketrans({sign: str(number) for number, sign in enumerate(SIGNS, 1)})
_STARTER = re.compile(r"(?<=\bstart) (?=\d$)")
"""Matches the space that people may type, instead of a colon, between the bonus and the colour that
starts next.
"""

_WORD = re.compile(r"[A-Z]+")
_WITH_VERB = re.compile(r"(?P<verb>[a-z]+)(?:\s*:\s*|\s+)(?P<argument>.*)", re.DOTALL)
_BETWEEN_PARTS = re.compile(r"[>,+]")
_NUMBER = re.compile(r"[-?]?\d*")
_CALLED = re.compile(rf"(?<![a-z])(?:{'|'.join(map(re.escape, CALLED))})(?![a-z0-9])")
_ON = re.compile(r"\s(?:on|onto|auf|sur|en)\s|\s?(?:→|->)\s?|(?<=[a-z0-9])\s?: ")
_AND = re.compile(r"\s*·\s*")


def understood(state: IsoldeState, seat: int, text: str) -> Move:
    """Return the move that a text means, legal or not: ``keep:GRAL4``, ``Keep gral 4``, ``gr4``,
    ``König5``, ``kampf4 > lanze``, ``Grail 4``, ``Combat 4 on Jousting``, ``Combat 4 → Joute``.

    :raises IllegalMove: ``not_now``.
    """
    phase = state.agenda[-1].step
    step = state.rules.steps[phase]
    bare = plain(text)
    verbs = {each.verb for each in state.rules.steps.values()} - {step.verb, ""}
    if bare in verbs and bare.upper() not in state.rules.words:
        raise IllegalMove("not_now", verb=bare, phase=phase)
    verb, argument = _verb_and_argument(state, text)
    if verb and verb != step.verb:
        raise IllegalMove("not_now", verb=verb, phase=phase)
    return f"{step.verb}:{step.spelled(_complete(argument, state.rules.words))}"


def refusal(state: IsoldeState, seat: int, move: Move) -> IllegalMove:
    """Return the rule that forbids a move, as a refusal."""
    step = state.rules.steps[state.agenda[-1].step]
    return step.refusal(state, seat, move.partition(":")[2][:PLAYER_MOVE_MAX])


def named(state: IsoldeState, seat: int, text: str) -> Move:
    """Return the move that a text means in any phase.

    Without a verb, a card means playing it, because every other choice of cards is sealed. Any
    other text belongs to the current phase.

    :raises IllegalMove: ``unknown_card``, ``unknown_board`` after ``>``.
    """
    words, steps = state.rules.words, state.rules.steps
    verb, argument = _verb_and_argument(state, text)
    argument = _complete(argument, words)
    parts = _BETWEEN_PARTS.split(argument)
    for part in parts:
        if part not in CARD and part not in words and not _NUMBER.fullmatch(part):
            code = "unknown_board" if f">{part}" in argument else "unknown_card"
            raise IllegalMove(code, text=part[:PLAYER_MOVE_MAX])
    if not verb:
        is_card = parts[0] in CARD
        verb = PLAY if is_card or not state.agenda else steps[state.agenda[-1].step].verb
    spelled = next(step.spelled for step in steps.values() if step.verb == verb)
    return f"{verb}:{spelled(argument)}"


def _verb_and_argument(state: IsoldeState, text: str) -> tuple[str, str]:
    """Return the two parts of a move; the verb may be missing."""
    spelling = plain(text).translate(_SIGNED)
    for ending, verb in ENDINGS.items():
        if spelling.endswith(ending):
            spelling = f"{verb} {spelling.removesuffix(ending)}".strip()
    for words, verb in VERBS.items():
        if spelling.startswith((f"{words} ", f"{words}:")):
            spelling = f"{verb}:{spelling.removeprefix(words).lstrip(' :')}"
            break
    match = _WITH_VERB.fullmatch(spelling)
    verbs = {step.verb for step in state.rules.steps.values()}
    if match and match["verb"] in verbs:
        argument = match["argument"]
        if match["verb"] == "magic":
            argument = argument.replace(" +", "+")  # fields on the King's board, not the bonus
        return match["verb"], _squeezed(argument)
    return "", _squeezed(spelling)


def _squeezed(argument: str) -> str:
    """Return an argument as the notation spells it: without spaces, and with the names that the
    notation uses.
    """
    called = _CALLED.sub(lambda match: CALLED[match[0]], argument)
    parted = _AND.sub(",", _ON.sub(">", _STARTER.sub(">", called)))
    return "".join(parted.split()).upper()


def _complete(argument: str, words: tuple[str, ...]) -> str:
    """Complete each abbreviation that fits only one of the game's words, and replace longer names:
    ``GR`` and ``GRALSSUCHE`` become ``GRAL``.
    """

    def completed(match: re.Match[str]) -> str:
        typed = match[0]
        meant = {
            word
            for word in words
            if any(name.startswith(typed) for name in (word, *LONG.get(word, ())))
        }
        return meant.pop() if len(meant) == 1 and typed not in words else typed

    return _WORD.sub(completed, argument)
