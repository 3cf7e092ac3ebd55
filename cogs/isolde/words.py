"""What is said about Die Holde Isolde: options, facts, refusals and rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from cogs.isolde.menus import label, menu_for
from cogs.words import (
    NO_STARTER,
    STARTER,
    STARTING_PLAYER,
    GameWords,
    Menu,
    OptionWords,
    starter_in_words,
)
from data.texts import N_, Texts
from games.engine import Fact, Move, View
from render.isolde.descriptions import cup_in_words
from render.isolde.standings import signed
from render.isolde.words import BOARDS, BONUSES, board_name, card_name, cards_in_words


class IsoldeWords(GameWords):
    """The words of the knights' academy."""

    game = "isolde"
    title = N_("Fair Isolde")
    summary = N_(
        "The academy of Camelot trains its knights: keep the best card and pass the others on, move"
        " ahead in seven disciplines, and win the princess's favour. Cards and races in six"
        " rounds, for two to five players."
    )
    options: ClassVar = {
        "duo": OptionWords(
            N_("Two players"),
            N_("How two people play"),
            {
                "parzival": N_("Parzival, with a neutral player"),
                "lancelot": N_("Lancelot, with two colours each"),
            },
        ),
        "galanterie": OptionWords(
            N_("Gallantry"), N_("Isolde grants five different bonuses instead of fields")
        ),
        "magie": OptionWords(
            N_("Magic"), N_("An eighth board, where any card can be played, moves all others")
        ),
        "turnier": OptionWords(
            N_("The Great Tournament"), N_("A white and a black knight fight for the chalice")
        ),
        "herausforderung": OptionWords(
            N_("Challenge"), N_("Bet on a discipline; Isolde rewards the cards you play there")
        ),
        "kodex": OptionWords(
            N_("Secret Codex"), N_("The bad marks of the Studies lie hidden, and may be peeked at")
        ),
        "koenig": OptionWords(
            N_("The King's scrolls"), N_("The King counts whenever somebody takes a scroll")
        ),
        "gral": OptionWords(
            N_("Quest for shields"), N_("The Grail pays by the shields that one has won elsewhere")
        ),
        "barm": OptionWords(
            N_("Exchange of shields"), N_("Charity lets the first swap shields with the last")
        ),
        "starter": STARTING_PLAYER,
    }
    refusals: ClassVar = {
        "unknown_card": N_("“{text}” is no card. Cards are called like GRAL4 or KAMPF5."),
        "unknown_board": N_("“{text}” is no board of this table."),
        "unknown_bonus": N_("“{text}” is no bonus."),
        "board_used": N_("There, points of magic have been used already."),
        "neutral_moves": N_("The neutral player takes this bonus; only how is your choice."),
        "bonus_taken": N_("Somebody has taken that bonus already."),
        "no_fifth_card": N_("With two colours each, no card is left over."),
        "half_needed": N_("List exactly {number} cards, with commas between them."),
        "no_such_pile": N_("There are piles 1 and 2."),
        "no_such_place": N_("Choose a place of the codex, from 1 to {places}, that is still free."),
        "no_partner": N_("You cannot exchange with them."),
        "no_such_shield": N_("There is no such shield."),
        "starter_seat": NO_STARTER,
    }
    close_up: ClassVar = N_("One board")
    reasons: ClassVar = {"points": N_("The six rounds are over; the most points win.")}

    # -- refusals
    def refusal(self, code: str, data: Mapping[str, Any], say: Texts) -> str | None:
        """Names the rule, with the cards and boards that it is about."""
        special = _REFUSALS.get(code)
        return super().refusal(code, data, say) if special is None else special(data, say)

    # -- what happened
    def owners(self, view: View) -> Sequence[int | None]:
        """Facts tell of colours: one for each seat, but for two people there are more."""
        owners: Sequence[int | None] = view.public["owners"]
        return owners

    def tell(self, fact: Fact, names: Sequence[str], say: Texts) -> str | None:
        """One sentence for each kind of fact; the points of a round stand on its sheet."""
        teller = _TELLERS.get(fact.kind)
        return None if teller is None else teller(fact.data, names, say)

    # -- looking
    def parts(self, view: View, names: Sequence[str], say: Texts) -> Sequence[str]:
        """Each board can be shown enlarged."""
        return [board_name(board, say) for board in view.public["boards"]]

    def own_part(self, seat: int | None) -> int:
        """The board that is scored first: nobody has one of his own."""
        return 0

    # -- what may be done
    def move_in_words(self, move: Move, names: Sequence[str], say: Texts) -> str:
        """A move in a few words."""
        if move.startswith(STARTER):
            return starter_in_words(move, names, say)
        verb, _, argument = move.partition(":")
        if verb in _DRAWS:
            return say(_DRAWS[verb])
        if argument == HIDDEN:
            return say("face down")
        what = label(move, None, names, say)
        return say(_LOGGED[verb], what=what) if verb in _LOGGED else what

    def menu(
        self, view: View, legal: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
    ) -> Menu:
        """One or two taps, by phase."""
        return menu_for(view, legal, prefix, names, say)

    def score(self, view: View, seat: int, say: Texts) -> str | None:
        """The points."""
        if view.outcome is None:
            return None
        n = int(view.outcome.scores[seat])
        return say.plural("{n} point", "{n} points", n).replace("-", "−")

    def rules(self, say: Texts) -> str:
        """Goal, a round, scoring, an example, two players, variants."""
        return "\n".join([f"### {say('Fair Isolde')}", *(say(rule) for rule in RULES)])


RULES = (
    N_("**Goal.** The most points from shields after six rounds."),
    N_(
        "**Draft.** Everybody gets five cards, keeps one in secret and passes the others on: to the"
        " left in rounds 1, 3 and 5, else to the right. So on until everybody has kept five."
    ),
    N_(
        "**Play.** In turn, everybody plays four of them, one at a time: your piece on the board of"
        " the card moves on by its value. A combat card is for Jousting or the Tournament, as you"
        " like. Who comes to an occupied field stands on top; the topmost is ahead. The fifth card"
        " is put away."
    ),
    N_(
        "**Princess Isolde** is scored first, every round: the third, then the second, then the"
        " first may move one piece on another board by 1, 2 or 3 fields."
    ),
    N_("**Jousting, Tournament**, every round: 3, 2 and 1 points for the first three."),
    N_("**Studies**, every round: the last loses 3 points, the last but one loses 1."),
    N_("**The King**, in rounds 3 and 6: 6 points from field 6 on, 12 from field 12 on."),
    N_("**Grail Quest**, at the end: 17, 10 and 4 points."),
    N_("**Charity**, at the end: the last loses 10 points, the last but one loses 5."),
    N_(
        "After round 3 all pieces go back to the start, except on the Grail and Charity. Whoever"
        " has not moved on a board shares its last place and never wins a prize. With three"
        " players only the first two and the last count."
    ),
    N_(
        "**Example.** Jousting: Anna plays a 4, Ben a 4, Clara a 3. Ben came last to field 4 and"
        " stands on Anna: 3 points for Ben, 2 for Anna, 1 for Clara."
    ),
    N_(
        "**Two players.** *Parzival*: a neutral player takes part; who starts the round decides"
        " for it. *Lancelot*: two colours each; split six cards into two piles, exchange one, and"
        " deal three to each of your colours."
    ),
    N_(
        "**Variants** can be combined: Gallantry, Magic, The Great Tournament, Challenge, Secret"
        " Codex, scrolls, shields, exchange. The command for a new table explains each in a line;"
        " only Gallantry and Challenge exclude each other."
    ),
)
"""The rules, paragraph by paragraph."""


# ------------------------------------------------------------------------------ telling
Data = Mapping[str, Any]
Teller = Callable[[Data, Sequence[str], Texts], str | None]


def _told_round(data: Data, names: Sequence[str], say: Texts) -> str:
    text = say("**Round {n}.** {name} starts.", n=data["round"], name=names[data["starter"]])
    if data["direction"] is None:
        return text
    way = list(names) if data["direction"] == "left" else list(reversed(names))
    return f"{text} {say('Packs are passed on: {way}.', way=' → '.join([*way, way[0]]))}"


def _told_play(data: Data, names: Sequence[str], say: Texts) -> str:
    return say(
        "{name} plays {card}: {board}, field {field}.",
        name=names[data["colour"]],
        card=card_name(data["card"], say),
        board=board_name(data["board"], say),
        field=data["field"],
    )


def _told_bonus(data: Data, names: Sequence[str], say: Texts) -> str:
    return say(
        "{name} takes the bonus “{bonus}”.",
        name=names[data["colour"]],
        bonus=say(BONUSES[data["bonus"]]),
    )


def _told_move(data: Data, names: Sequence[str], say: Texts) -> str:
    return say(
        "{name} moves to field {field}: {board}.",
        name=names[data["colour"]],
        field=data["field"],
        board=board_name(data["board"], say),
    )


def _told_codex(data: Data, names: Sequence[str], say: Texts) -> str:
    kept = say.list([names[colour] for colour in data["face_down"]])
    return say("Shields worth nothing are opened; {names} keep theirs face down.", names=kept)


def _told_challenge(data: Data, names: Sequence[str], say: Texts) -> str | None:
    """Only a bet in vain; else the move tells enough."""
    if data["fields"]:
        return None
    board = board_name(data["board"], say)
    return say(
        "{name} has played no card on the bet: {board}.", name=names[data["colour"]], board=board
    )


def _told_reckoning(data: Data, names: Sequence[str], say: Texts) -> str:
    return say(
        "Grail Quest: {points} for {name}, who has {n} good shields.",
        points=signed(data["value"]),
        name=names[data["colour"]],
        n=data["shields"],
    )


def _told_gift(data: Data, names: Sequence[str], say: Texts) -> str:
    value = data["value"]
    words = {"name": names[data["colour"]], "other": names[data["partner"]]}
    if value is None:
        return say("{name} gives {other} a shield that lies face down.", **words)
    return say("{name} gives {other} a shield of {value}.", value=signed(value), **words)


def _told_claim(data: Data, names: Sequence[str], say: Texts) -> str:
    return say(
        "{name} claims shields of {values} from {other}.",
        name=names[data["colour"]],
        other=names[data["partner"]],
        values=say.list([signed(value) for value in data["values"]]),
    )


def _told_pay(data: Data, names: Sequence[str], say: Texts) -> str:
    board = board_name(data["board"], say)
    return say.plural(
        "Enough for {n} point: {board}.",
        "Enough for {n} points: {board}.",
        data["points"],
        board=board,
    )


def _told_shields(data: Data, names: Sequence[str], say: Texts) -> str | None:
    """Sums by colour; what lies face down is only counted."""
    sums: Counter[int] = Counter()
    hidden: Counter[int] = Counter()
    for shield in data["won"]:
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
    return say("Points of this round: {points}.", points=say.list(parts))


def _simple(message: str) -> Teller:
    """A sentence about one colour."""

    def tell(data: Data, names: Sequence[str], say: Texts) -> str:
        return say(message, name=names[data["colour"]])

    return tell


_TELLERS: Mapping[str, Teller] = {
    "round": _told_round,
    "bet": lambda data, names, say: say(
        "{name} bets on {board}.",
        name=names[data["colour"]],
        board=board_name(data["board"], say),
    ),
    "passed_on": lambda data, names, say: (
        say("Everybody has five cards; now they are played.")
        if data["last"]
        else say("Everybody has kept a card and passed the others on.")
    ),
    "piles": lambda data, names, say: say("The piles lie open."),
    "pile_taken": lambda data, names, say: say(
        "{name} takes {cards}.",
        name=names[data["seat"]],
        cards=cards_in_words(data["cards"], say),
    ),
    "assigned": lambda data, names, say: say("Both have dealt their cards to their colours."),
    "played": _told_play,
    "turned_up": lambda data, names, say: say(
        "{name} turns up {card}.",
        name=names[data["colour"]],
        card=card_name(data["card"], say),
    ),
    "forced": _simple(N_("{name} has no other choice:")),
    "cup": lambda data, names, say: cup_in_words(data["field"], say),
    "scroll": lambda data, names, say: say(
        "{name} takes the scroll on field {field}.",
        name=names[data["colour"]],
        field=data["field"],
    ),
    "looked": lambda data, names, say: say(
        "{name} looks at place {place} of the codex.",
        name=names[data["colour"]],
        place=data["place"],
    ),
    "moved": _told_move,
    "declined": _simple(N_("{name} declines.")),
    "bonus": _told_bonus,
    "challenge": _told_challenge,
    "codex_taken": lambda data, names, say: say(
        "{name} takes the shield on place {place}.",
        name=names[data["colour"]],
        place=data["place"],
    ),
    "codex_open": _told_codex,
    "reckoned": _told_reckoning,
    "given": _told_gift,
    "claimed": _told_claim,
    "nothing_to_give": _simple(N_("{name} has no shield to give.")),
    "nothing_to_claim": lambda data, names, say: say(
        "{name} finds no shield to claim from {other}.",
        name=names[data["colour"]],
        other=names[data["partner"]],
    ),
    "round_over": _told_shields,
    "reset": lambda data, names, say: say(
        "Back to the start: {board}.", board=board_name(data["board"], say)
    ),
    "leads": lambda data, names, say: say(
        "Enough for the lead: {board}.", board=board_name(data["board"], say)
    ),
    "escapes": lambda data, names, say: say(
        "Enough to leave the last place: {board}.", board=board_name(data["board"], say)
    ),
    "pays": _told_pay,
}
"""Facts that are worth a sentence."""


# ----------------------------------------------------------------------------- the log
_DRAWS: Mapping[str, str] = {
    "lay": N_("the codex is laid out"),
    "deal": N_("the cards are dealt"),
    "pick": N_("the neutral player keeps a card"),
    "draw": N_("the neutral player turns up a card"),
}


HIDDEN = "?"
"""What stands for a choice that others may not know."""

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
"""A move as the log lists it."""


# ---------------------------------------------------------------------------- refusals
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
    "magic": N_("points of magic"),
    "take": N_("a shield of the codex"),
    "partner": N_("a partner for the exchange"),
    "give": N_("a shield to give"),
    "claim": N_("shields to claim"),
}


def _boards(boards: Sequence[str], say: Texts) -> str:
    return say.list([board_name(board, say) for board in boards], choice=True)


_REFUSALS: Mapping[str, Callable[[Data, Texts], str]] = {
    "not_now": lambda data, say: say("Now {what} is due.", what=say(PHASES[data["phase"]])),
    "not_in_pack": lambda data, say: say(
        "{card} is not in the pack that you hold.", card=card_name(data["card"], say)
    ),
    "not_in_hand": lambda data, say: say(
        "{card} is not in that hand.", card=card_name(data["card"], say)
    ),
    "board_needed": lambda data, say: say(
        "Say where {card} is played: {boards}.",
        card=card_name(data["card"], say),
        boards=_boards(data["boards"], say),
    ),
    "wrong_board": lambda data, say: say(
        "{card} is played on {boards}.",
        card=card_name(data["card"], say),
        boards=_boards(data["boards"], say),
    ),
    "board_excluded": lambda data, say: say(
        "That is not possible on this board: {board}.", board=board_name(data["board"], say)
    ),
    "fields_needed": lambda data, say: say(
        "Say how many fields, from 1 to {most}.", most=data["most"]
    ),
    "bonus_target": lambda data, say: say(
        "Say what the bonus is for: {targets}.",
        targets=say.list([_named_target(target, say) for target in data["targets"]], choice=True),
    ),
    "variants_exclude": lambda data, say: say(
        "“{first}” and “{second}” exclude each other: both change what Isolde grants.",
        first=say(IsoldeWords.options[data["first"]].label),
        second=say(IsoldeWords.options[data["second"]].label),
    ),
}


def _named_target(target: Any, say: Texts) -> str:
    return board_name(target, say) if target in BOARDS else str(target)
