"""The words of Die Holde Isolde: options, facts, refusals and moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from cogs.games.isolde.menus import label, menu_for
from cogs.gateway.translator import name_
from cogs.present.words import STARTING_PLAYER, Menu, OptionWords, Preset, StartingWords
from data.texts import N_, Texts
from games.engine import Fact, Move, View
from render.isolde.descriptions import cup_in_words
from render.isolde.standings import signed
from render.isolde.words import BOARDS, BONUSES, board_name, card_name, cards_in_words


class IsoldeWords(StartingWords):
    """The words of Die Holde Isolde."""

    game = "isolde"
    title = N_("Fair Isolde")
    summary = N_(
        "Keep a card, pass the others on, and race in seven disciplines for the princess's favour."
    )
    pitch = N_("drafting cards, seven races · some 50 choices each · demanding")
    question = N_("Choose under “My hand”.")
    said_once = ("passed_on",)
    options: ClassVar = {
        "duo": OptionWords(
            name_("duo"),
            N_("Two players"),
            N_("With two: a neutral player, or two colours each"),
            {
                "parzival": N_("Parzival, with a neutral player"),
                "lancelot": N_("Lancelot, with two colours each"),
            },
        ),
        "galanterie": OptionWords(
            name_("gallantry"),
            N_("Gallantry"),
            N_("Isolde grants a choice of bonuses instead of fields"),
        ),
        "magie": OptionWords(
            name_("magic"),
            N_("Magic"),
            N_("An eighth board, which takes any card and moves pieces on other boards"),
        ),
        "turnier": OptionWords(
            name_("tournament"),
            N_("The Great Tournament"),
            N_("A white and a black knight fight for the chalice"),
        ),
        "herausforderung": OptionWords(
            name_("challenge"),
            N_("Challenge"),
            N_("Bet on a discipline; Isolde rewards the cards you play there"),
        ),
        "kodex": OptionWords(
            name_("codex"),
            N_("Secret Codex"),
            N_("The negative shields of the Studies are hidden, and you may peek at some"),
        ),
        "koenig": OptionWords(
            name_("scrolls"),
            N_("The King's scrolls"),
            N_("The King is scored in rounds in which somebody takes a scroll"),
        ),
        "gral": OptionWords(
            name_("shields"),
            N_("Quest for shields"),
            N_("In the Grail Quest you win or lose points for shields won elsewhere"),
        ),
        "barm": OptionWords(
            name_("exchange"),
            N_("Exchange of shields"),
            N_("In Charity, those ahead exchange shields with those behind"),
        ),
        "starter": STARTING_PLAYER,
    }
    presets: ClassVar = (
        Preset(N_("Two players, two colours each"), {"duo": "lancelot"}, players=2),
        Preset(
            N_("Everything"),
            dict.fromkeys(
                ("galanterie", "magie", "turnier", "kodex", "koenig", "gral", "barm"), True
            ),
        ),
    )
    refusals: ClassVar = {
        "unknown_card": N_("“{text}” is not a card. Cards have names like GRAL4 or KAMPF5."),
        "unknown_board": N_("“{text}” is not a board at this table."),
        "unknown_bonus": N_("“{text}” is not a bonus."),
        "board_used": N_("You have already moved by magic there."),
        "neutral_moves": N_("The neutral player takes this bonus; you only choose how."),
        "bonus_taken": N_("Somebody has taken that bonus already."),
        "no_fifth_card": N_("With two colours each, no card is left over."),
        "half_needed": N_("List exactly {number} cards, separated by commas."),
        "no_such_pile": N_("The piles are 1 and 2."),
        "no_such_place": N_("Choose a place of the codex from 1 to {places} that is still free."),
        "no_partner": N_("You cannot exchange shields with that player."),
        "no_such_shield": N_("There is no such shield."),
        "not_now": N_("Due now: {what}."),
        "not_in_pack": N_("{card} is not in your pack."),
        "not_in_hand": N_("{card} is not in that hand."),
        "board_needed": N_("Say where to play {card}: {boards}."),
        "wrong_board": N_("{card} is played on {boards}."),
        "board_excluded": N_("That is not possible on this board: {board}."),
        "fields_needed": N_("Say how many fields, from 1 to {most}."),
        "bonus_target": N_("Say what the bonus is for: {targets}."),
        "variants_exclude": N_(
            "“{first}” and “{second}” cannot be combined: both change what Isolde grants."
        ),
    }
    close_up = N_("Look closer")
    reasons: ClassVar = {"points": N_("The six rounds are over; the most points win.")}

    told: ClassVar = {
        "piles": N_("The piles are face up."),
        "assigned": N_("Both have divided their cards between their colours."),
        "forced": N_("{name} has no other choice:"),
        "scroll": N_("{name} takes the scroll on field {field}."),
        "looked": N_("{name} looks at place {place} of the codex."),
        "declined": N_("{name} declines."),
        "codex_taken": N_("{name} takes the shield at place {place}."),
        "nothing_to_give": N_("{name} has no shield to give."),
        "nothing_to_claim": N_("{name} finds no shield to claim from {other}."),
        "bet": N_("{name} bets on {board}."),
        "played": N_("{name} plays {card}: {board}, field {field}."),
        "turned_up": N_("{name} turns up {card}."),
        "moved": N_("{name} moves to field {field}: {board}."),
        "bonus": N_("{name} takes the bonus “{bonus}”."),
        "reset": N_("Back to the start: {board}."),
    }
    motives: ClassVar = {
        "divides": N_("These cards add up to {these}, the others to {rest}."),
        "level": N_("On its own it brings you level with the leader: {board}."),
        "leads": N_("Enough to take the lead: {board}."),
        "climbs": N_("Enough for place {place}: {board}."),
        "lags": N_("Your piece then stays in last place: {board}."),
        "escapes": N_("Enough to leave last place: {board}."),
        "harmless": N_("You know that this shield costs nothing."),
        "still": N_("It moves no piece."),
    }

    # -- refusals
    def refusal(self, code: str, data: Mapping[str, Any], say: Texts) -> str | None:
        """Explain the rule, naming the cards and boards."""
        return super().refusal(code, self.in_words(data, (), say), say)

    # -- what happened
    def owners(self, view: View) -> Sequence[int | None]:
        """Return the owner of each colour: facts refer to colours rather than seats, and with two
        players there are more colours than seats.
        """
        owners: Sequence[int | None] = view.public["owners"]
        return owners

    def tell(self, fact: Fact, names: Sequence[str], say: Texts) -> str | None:
        """Put a fact into a sentence; for the points of a round, give only each colour's sum."""
        if fact.kind in _TELLERS:
            return _TELLERS[fact.kind](self.in_words(fact.data, names, say), names, say)
        return super().tell(fact, names, say)

    def motive(self, fact: Fact, view: View, names: Sequence[str], say: Texts) -> str | None:
        """Put a reason for a move into a sentence. In addition to ``motives``, this covers reasons
        in which a number decides the wording.
        """
        if fact.kind in _REASONS:
            return _REASONS[fact.kind](self.in_words(fact.data, names, say), say)
        return super().motive(fact, view, names, say)

    def in_words(self, data: Mapping[str, Any], names: Sequence[str], say: Texts) -> dict[str, Any]:
        """Return the data with names for people, boards, cards and the like.

        :param names: the names by colour; empty: people are not named.
        """
        words = dict(data)
        for key, name in (("seat", "name"), ("colour", "name"), ("partner", "other")):
            if names and key in data:
                words[name] = names[data[key]]
        if "phase" in data:
            words["what"] = say(PHASES[data["phase"]])
        for key, named in _NAMED.items():
            if key in data:
                words[key] = named(data[key], say)
        return words

    # -- looking
    def parts(self, view: View, names: Sequence[str], say: Texts) -> Sequence[str]:
        """Return all boards, because each can be shown enlarged."""
        return [board_name(board, say) for board in view.public["boards"]]

    def own_part(self, seat: int | None) -> int:
        """Return the first board to be scored, because no board belongs to a seat."""
        return 0

    # -- moves
    def move_in_words(self, move: Move, names: Sequence[str], say: Texts) -> str:
        """Return a move in a few words."""
        verb, _, argument = move.partition(":")
        if verb == "start":
            return super().move_in_words(move, names, say)
        if verb in _DRAWS:
            return say(_DRAWS[verb])
        if argument == HIDDEN:
            return say("face down")
        what = label(move, None, names, say)
        return say(_LOGGED[verb], what=what) if verb in _LOGGED else what

    def menu(
        self, view: View, legal: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
    ) -> Menu:
        """Return the menu of the phase, which leads to a move in one or two taps."""
        return menu_for(view, legal, prefix, names, say)

    def score(self, view: View, seat: int, say: Texts) -> str | None:
        """Return the final points; None while the match is running."""
        if view.outcome is None:
            return None
        n = int(view.outcome.scores[seat])
        return say.plural("{n} point", "{n} points", n)


# ------------------------------------------------------------------------------ telling
Words = Mapping[str, Any]
"""The data of a fact or refusal, with names for people, boards and cards."""

Teller = Callable[[Words, Sequence[str], Texts], str | None]


def _target(target: Any, say: Texts) -> str:
    return board_name(target, say) if target in BOARDS else str(target)


def _option(option: str, say: Texts) -> str:
    return say(IsoldeWords.options[option].label)


_NAMED: Mapping[str, Callable[[Any, Texts], str]] = {
    "board": board_name,
    "boards": lambda boards, say: say.list([board_name(each, say) for each in boards], choice=True),
    "bonus": lambda bonus, say: say(BONUSES[bonus]),
    "card": card_name,
    "first": _option,
    "second": _option,
    "targets": lambda targets, say: say.list([_target(each, say) for each in targets], choice=True),
}


def _told_round(words: Words, names: Sequence[str], say: Texts) -> str:
    text = say("**Round {n}.** {name} starts.", n=words["round"], name=names[words["starter"]])
    if words["direction"] is None:
        return text
    way = list(names) if words["direction"] == "left" else list(reversed(names))
    return f"{text} {say('Packs are passed on: {way}.', way=' → '.join([*way, way[0]]))}"


def _told_passing(words: Words, names: Sequence[str], say: Texts) -> str:
    if words["last"]:
        return say("Everybody has five cards; now play begins.")
    return say("Everybody has kept a card and passed the others on.")


def _told_pile(words: Words, names: Sequence[str], say: Texts) -> str:
    cards = cards_in_words(words["cards"], say)
    return say("{name} takes {cards}.", name=words["name"], cards=cards)


def _told_codex(words: Words, names: Sequence[str], say: Texts) -> str:
    kept = say.list([names[colour] for colour in words["face_down"]])
    return say("Shields worth nothing are revealed; {names} keep theirs face down.", names=kept)


def _told_challenge(words: Words, names: Sequence[str], say: Texts) -> str | None:
    """Report only a lost bet; if the bet was won, the move of the piece is reported instead."""
    if words["fields"]:
        return None
    return say("{name} bet on {board} but played no card there.", **words)


def _told_reckoning(words: Words, names: Sequence[str], say: Texts) -> str:
    message = N_("Grail Quest: {points} for {name}; positive shields: {n}.")
    return say(message, points=signed(words["value"]), name=words["name"], n=words["shields"])


def _told_gift(words: Words, names: Sequence[str], say: Texts) -> str:
    if words["value"] is None:
        return say("{name} gives {other} a shield, face down.", **words)
    message = N_("{name} gives {other} a shield of {value}.")
    return say(message, **{**words, "value": signed(words["value"])})


def _told_claim(words: Words, names: Sequence[str], say: Texts) -> str:
    values = say.list([signed(value) for value in words["values"]])
    return say("Shields that {name} claims from {other}: {values}.", **{**words, "values": values})


def _told_shields(words: Words, names: Sequence[str], say: Texts) -> str | None:
    """Add up the shields of each colour; for face-down shields, show only how many there are."""
    sums: Counter[int] = Counter()
    hidden: Counter[int] = Counter()
    for shield in words["won"]:
        if shield["value"] is None:
            hidden[shield["colour"]] += 1
        else:
            sums[shield["colour"]] += shield["value"]
    if not sums and not hidden:
        return None
    parts = [
        f"{name} {signed(sums[colour])}" + (" + ?" * hidden[colour])
        for colour, name in enumerate(names)
        if colour in sums or colour in hidden
    ]
    return say("Points this round: {points}.", points=say.list(parts))


_TELLERS: Mapping[str, Teller] = {
    "round": _told_round,
    "passed_on": _told_passing,
    "pile_taken": _told_pile,
    "cup": lambda words, names, say: cup_in_words(words["field"], say),
    "challenge": _told_challenge,
    "codex_open": _told_codex,
    "reckoned": _told_reckoning,
    "given": _told_gift,
    "claimed": _told_claim,
    "round_over": _told_shields,
}
"""The functions that put facts into words, by kind of fact. Other kinds only need their data
inserted into a sentence.
"""


# -------------------------------------------------------------------- reasons with numbers
def _card_fits(words: Words, say: Texts) -> str:
    if not words["number"]:
        return say("No card dealt to you can be played there: {board}.", **words)
    return say.plural(
        "{n} card dealt to you can be played there: {board}.",
        "{n} cards dealt to you can be played there: {board}.",
        words["number"],
        **words,
    )


def _neutral_stands(words: Words, say: Texts) -> str:
    if not words["field"]:
        return say("The neutral player's piece is still at the start there: {board}.", **words)
    return say("The neutral player's piece is on field {field} there: {board}.", **words)


def _bet_moves(words: Words, say: Texts) -> str:
    if not words["fields"]:
        return say("{name} bet on {board} but played no card there.", **words)
    return say.plural(
        "The bet then moves {name} {n} field: {board}.",
        "The bet then moves {name} {n} fields: {board}.",
        words["fields"],
        **words,
    )


def _can_be_claimed(words: Words, say: Texts) -> str:
    if not words["points"]:
        return say("{name} finds no shield to claim from {other}.", **words)
    return say.plural(
        "Shields worth {n} point can then be claimed from {other}.",
        "Shields worth {n} points can then be claimed from {other}.",
        words["points"],
        **words,
    )


_REASONS: Mapping[str, Callable[[Words, Texts], str]] = {
    "ahead": lambda words, say: say.plural(
        "On its own it puts you {n} field ahead: {board}.",
        "On its own it puts you {n} fields ahead: {board}.",
        words["number"],
        **words,
    ),
    "behind_first": lambda words, say: say.plural(
        "On its own it brings you within {n} field of the leader: {board}.",
        "On its own it brings you within {n} fields of the leader: {board}.",
        words["number"],
        **words,
    ),
    "challenge": _bet_moves,
    "claimable": _can_be_claimed,
    "claims": lambda words, say: say.plural(
        "The claim is worth {n} point.",
        "The claim is worth {n} points.",
        words["points"],
    ),
    "costs": lambda words, say: say.plural(
        "You know that this shield costs {n} point.",
        "You know that this shield costs {n} points.",
        words["points"],
    ),
    "fits": _card_fits,
    "neutral": lambda words, say: say.plural(
        "It moves the neutral player's piece {n} field: {board}.",
        "It moves the neutral player's piece {n} fields: {board}.",
        words["number"],
        **words,
    ),
    "pays": lambda words, say: say.plural(
        "Enough for {n} point: {board}.",
        "Enough for {n} points: {board}.",
        words["points"],
        **words,
    ),
    "stands": _neutral_stands,
    "unseen": lambda words, say: say.plural(
        "You have not seen this shield; of the {of} you have not seen, {n} costs points.",
        "You have not seen this shield; of the {of} you have not seen, {n} cost points.",
        words["number"],
        **words,
    ),
}
"""The functions that word reasons in which a number decides the wording, by kind of reason."""


# ----------------------------------------------------------------------------- the log
_DRAWS: Mapping[str, str] = {
    "lay": N_("the codex is laid out"),
    "deal": N_("the cards are dealt"),
    "pick": N_("the neutral player keeps a card"),
    "draw": N_("the neutral player turns up a card"),
}

HIDDEN = "?"
"""Replaces a choice that others may not know."""

_LOGGED: Mapping[str, str] = {
    "bet": N_("bet on {what}"),
    "keep": N_("keep {what}"),
    "split": N_("first pile: {what}"),
    "pile": N_("take {what}"),
    "assign": N_("first colour: {what}"),
    "look": N_("look at place {what} of the codex"),
    "bonus": N_("bonus: {what}"),
    "magic": N_("magic: {what}"),
    "take": N_("take place {what} of the codex"),
    "partner": N_("exchange with {what}"),
    "give": N_("gift: {what}"),
    "claim": N_("claim: {what}"),
}
"""The log's text for a move, by verb."""

PHASES: Mapping[str, str] = {
    "bet": N_("a bet"),
    "draft": N_("a card to keep"),
    "split": N_("the first of your two piles"),
    "pile": N_("a pile to take"),
    "assign": N_("the cards of your first colour"),
    "play": N_("a card to play"),
    "route": N_("the board for the card"),
    "look": N_("a place of the codex to look at"),
    "bonus": N_("Isolde's favour"),
    "gallantry": N_("a bonus"),
    "magic": N_("a move by magic"),
    "take": N_("a shield of the codex"),
    "partner": N_("a partner for the exchange"),
    "give": N_("a shield to give"),
    "claim": N_("shields to claim"),
}
"""The decision that is due, by phase; see the refusal ``not_now``."""
