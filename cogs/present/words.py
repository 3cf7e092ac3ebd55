"""The words of a game: codes and data of its engine as sentences, and legal moves as menus."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from cogs.gateway.cards import OPTIONS_IN_MENU
from cogs.gateway.texts import escape
from cogs.gateway.translator import Marked, name_
from data.texts import N_, SOURCE, Texts, texts
from games.engine import Fact, Move, Option, View
from games.house import START, starter_drawn

BUTTONS_AT_MOST = 15
"""Up to this many choices with short labels become buttons: one tap instead of two."""

SHORT_LABEL = 16
"""Characters of a label that is still a button where there are many: as long as a card's name."""

LONG_LABEL = 40
"""Characters of a label that is still a button where there are few of them."""

FEW = 3

ASK_ON = "?"
"""Ends the value of a choice that is a whole move already but shall not be played yet: what follows
it is asked first, be it only whether it is meant. No move ends with it.
"""


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry of a menu.

    :param value: a legal move, or the beginning of several; see ``ASK_ON`` for what is both.
    :param detail: a second line, shown where there is room.
    :param icon: the key of what is shown before the label; see ``render.icons``.
    """

    value: str
    label: str
    detail: str = ""
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Choices of one kind, shown as one menu or as rows of buttons."""

    placeholder: str
    choices: tuple[Choice, ...]

    @property
    def as_buttons(self) -> bool:
        """Whether the choices are few and short enough for buttons."""
        longest = max(len(choice.label) for choice in self.choices)
        allowed = SHORT_LABEL if len(self.choices) > FEW else LONG_LABEL
        return len(self.choices) <= BUTTONS_AT_MOST and longest <= allowed


@dataclass(frozen=True, slots=True)
class Menu:
    """What a person is asked next."""

    prompt: str
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class OptionWords:
    """The words of an option, in the lobby and in the command that opens a table.

    :param typed: what it is called in the command.
    :param help: what it does, in one line.
    :param choices: the names of its choices, unless they are numbers in the command.
    :param described: what the command says in place of ``help``.
    """

    typed: Marked
    label: str
    help: str
    choices: Mapping[str, str] = field(default_factory=dict)
    described: str = ""


@dataclass(frozen=True, slots=True)
class Preset:
    """Options of a game that go well together; all others are as if nothing had been said.

    :param players: how many are to play; None: as many as come.
    """

    label: str
    options: Mapping[str, bool | int | str] = field(default_factory=dict)
    players: int | None = None


PLAIN = Preset(N_("Standard rules"))
"""The preset that every game has."""


STARTING_PLAYER = OptionWords(
    name_("starter"),
    N_("Starting player"),
    N_("Which seat begins"),
    {
        "lot": N_("by lot"),
        "1": N_("seat 1"),
        "2": N_("seat 2"),
        "3": N_("seat 3"),
        "4": N_("seat 4"),
        "5": N_("seat 5"),
    },
    N_("Which seat begins; left out: by lot"),
)
"""The words of the option ``starter``."""


class GameWords:
    """Everything that is said about one game. Messages are given in English and said by ``say``.
    In every language a title has up to 32 characters, a summary 400, a pitch 100, the rules 3,500.
    """

    game: ClassVar[str]
    """``GameInfo.id`` of the game."""
    title: ClassVar[str]
    summary: ClassVar[str]
    """What the game is, in a sentence or two, and for how many."""
    pitch: ClassVar[str] = ""
    """What it is, how long it takes and how hard it is, in a few words."""
    question: ClassVar[str] = ""
    """What a board asks whoever is to move, if the choices do not stand below it."""
    answer: ClassVar[str] = N_("Choose in private")
    """Label of the button below a board that leads to one's own choices, where several people
    choose at the same time and no hand is hidden."""
    options: ClassVar[Mapping[str, OptionWords]]
    """The words of each option that ``GameInfo`` declares."""
    presets: ClassVar[Sequence[Preset]] = ()
    """What the host may choose at one go, beside ``PLAIN``."""
    refusals: ClassVar[Mapping[str, str]]
    """Why a move or an option is refused, by the code of ``IllegalMove`` or ``BadSetup``."""
    reasons: ClassVar[Mapping[str, str]]
    """How a match ended, by the reason of its ``Outcome``."""
    told: ClassVar[Mapping[str, str]] = {}
    """Facts by their kind, each a sentence about its data and the ``{name}`` of its ``seat``."""
    motives: ClassVar[Mapping[str, str]] = {}
    """What speaks for a move, by the kind of fact, to the one who may play it; as ``told``."""
    tally: ClassVar[str] = ""
    """Where ``View.public`` lists what each seat has won so far, the more the better."""
    rule_texts: ClassVar[Sequence[str]] = ()
    """The rules in our own words, by paragraph: goal, a turn, scoring, an example; up to 3,500
    characters in all. Games of the house have pages in ``data/rules`` instead.
    """
    close_up: ClassVar[str | None] = None
    """Label of the button that shows one part of the table enlarged, if the game has that."""

    def tell(self, fact: Fact, names: Sequence[str], say: Texts) -> str | None:
        """A fact as a sentence, or None if it needs none; by default as ``told`` says.

        :param names: by figure (see ``owners``), safe to be put into a message.
        """
        message = self.told.get(fact.kind)
        return None if message is None else say(message, **self.in_words(fact.data, names, say))

    def in_words(self, data: Mapping[str, Any], names: Sequence[str], say: Texts) -> dict[str, Any]:
        """The data of a fact as the sentences in ``told`` and ``motives`` take it; by default with
        the ``name`` of its ``seat``.

        :param names: as in ``tell``.
        """
        return {**data, "name": names[data["seat"]] if "seat" in data else ""}

    def motive(self, fact: Fact, view: View, names: Sequence[str], say: Texts) -> str | None:
        """What a fact says for a move, as a sentence to the one who may play it (``view.viewer``);
        None if it says nothing for it. By default as ``motives`` says.

        :param names: as in ``tell``.
        """
        data = fact.data
        if fact.kind == "gains":
            than = self.move_in_words(data["than"], names, say)
            if not data["points"]:
                return say("On average it is worth a little more than {move}.", move=than)
            return say.plural(
                "On average it is worth about {n} point more than {move}.",
                "On average it is worth about {n} points more than {move}.",
                data["points"],
                move=than,
            )
        if fact.kind == "behind":
            return say.plural(
                "On average it brings about {n} point less.",
                "On average it brings about {n} points less.",
                data["points"],
            )
        if fact.kind == "alike":
            moves = [self.move_in_words(move, names, say) for move in data["moves"]]
            return say("Just as good: {moves}. I see no difference yet.", moves=say.list(moves))
        if fact.kind == "pitfalls":
            return say("Of the {of} other moves, {number} lose.", **data)
        message = self.motives.get(fact.kind)
        return None if message is None else say(message, **self.in_words(data, names, say))

    def owners(self, view: View) -> Sequence[int | None]:
        """The seat behind each figure in facts, or None; by default the figures are the seats."""
        return range(view.players)

    def parts(self, view: View, names: Sequence[str], say: Texts) -> Sequence[str]:
        """What can be shown enlarged, by number; by default what lies before each seat.

        :param names: by seat, as people typed them.
        """
        return names

    def own_part(self, seat: int | None) -> int:
        """What a person (``seat``; None: a spectator) is shown first; by default their own part."""
        return seat or 0

    def rules(self, say: Texts) -> str:
        """The rules under the name of the game."""
        return "\n".join([f"### {say(self.title)}", *(say(text) for text in self.rule_texts)])

    def move_in_words(self, move: Move, names: Sequence[str], say: Texts) -> str:
        """A short name of a move as people say it; by default its notation.

        :param names: by seat; as people typed them for labels, which Discord does not format.
        """
        return move

    def coded(self, move: Move, names: Sequence[str], say: Texts) -> str:
        """A move for the log and for typing, with its notation if people say it otherwise.

        :param names: as people typed them.
        """
        return self.move_in_words(move, names, say)

    def logged(self, move: Move, facts: Sequence[Fact], names: Sequence[str], say: Texts) -> str:
        """A move as the log lists it; facts are those the reader may know."""
        return self.coded(move, names, say)

    def menu(
        self, view: View, legal: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
    ) -> Menu:
        """The choices that continue ``prefix``. By default all legal moves, or where they are more
        than a menu holds, step by step as their notation is made: see ``next_steps``.

        :param names: by seat, as people typed them; a prompt must escape them.
        """
        ways = [move for move in legal if move.startswith(prefix)]
        choices = tuple(
            Choice(step, self.move_in_words(step, names, say))
            if step in ways
            else Choice(step, f"{self.step_in_words(step.removesuffix(ASK_ON), say)} …")
            for step in next_steps(ways, prefix)
        )
        return Menu(say("Which move do you play?"), (Group(say("Choose a move"), choices),))

    def asks_on(self, view: View, legal: Sequence[Move], prefix: str) -> bool:
        """Whether menus lead to ``prefix``, one after the other, so that there is one for it."""
        say, names = texts(SOURCE), ("",) * view.players
        before = ""
        while before != prefix:
            groups = self.menu(view, legal, before, names, say).groups
            values = [choice.value for group in groups for choice in group.choices]
            begun = [value.removesuffix(ASK_ON) for value in values if value not in legal]
            further = [
                each for each in begun if prefix.startswith(each) and len(each) > len(before)
            ]
            if not further:
                return False
            before = min(further, key=len)
        return True

    def step_in_words(self, step: str, say: Texts) -> str:
        """The beginning of several moves, as a menu names it; by default its notation without the
        punctuation at its end.
        """
        return step.rstrip("+-:.,/>*=!^~_|")

    def score(self, view: View, seat: int, say: Texts) -> str | None:
        """The seat's standing in a few words for the result, or None if ranks say it all."""
        return None

    def verdict(self, view: View, say: Texts) -> str:
        """How good the result of somebody is who played alone; empty: it counts as a victory."""
        return ""

    def standing(self, view: View) -> Sequence[float] | None:
        """What each seat has won so far, the more the better; None if the game does not count
        before its end. By default as ``tally`` says.
        """
        return view.public[self.tally] if self.tally else None

    def refusal(self, code: str, data: Mapping[str, Any], say: Texts) -> str | None:
        """Why a move was refused, or None if this game does not know the code."""
        message = self.refusals.get(code)
        return None if message is None else say(message, **data)

    def reason(self, reason: str, say: Texts) -> str:
        """How the match ended, as a sentence."""
        return say(self.reasons[reason])

    def option_in_words(self, option: Option, value: Any, say: Texts) -> str:
        """An option and its value, as the lobby shows them; of what is on, what it does."""
        words = self.options[option.key]
        if option.kind == "bool":
            shown = say(words.help) if value else say("no")
        elif option.kind == "choice" and value in words.choices:
            shown = say(words.choices[value])
        elif option.kind != "choice" and type(value) is int:
            shown = say.number(value)
        else:  # nothing that this bot would have stored
            shown = escape(str(value))
        return say("{option}: {value}", option=say(words.label), value=shown)


class StartingWords(GameWords):
    """The words of a game in which a lot, or the option ``starter``, says who begins."""

    def refusal(self, code: str, data: Mapping[str, Any], say: Texts) -> str | None:
        """Also that nobody sits where the starter should."""
        if code == "starter_seat":
            return say("There is no seat {starter} at a table of {players}.", **data)
        return super().refusal(code, data, say)

    def move_in_words(self, move: Move, names: Sequence[str], say: Texts) -> str:
        """Who begins, for the lot."""
        if move.startswith(START):
            return say("{name} begins", name=names[starter_drawn(move)])
        return super().move_in_words(move, names, say)


STEP = re.compile(r"[A-Za-z]+[^A-Za-z0-9]*|[0-9]+[^A-Za-z0-9]*|[^A-Za-z0-9]+")
"""One step of a notation: letters or digits, and the punctuation behind them."""


def next_steps(ways: Sequence[Move], prefix: str) -> list[str]:
    """How a choice among moves goes on after ``prefix``: the moves themselves if a menu holds them,
    else their beginnings, as short as there are several; what is a whole move as well has
    ``ASK_ON`` behind it.

    :param ways: moves that begin with ``prefix``.
    """
    length = len(prefix)
    while len(ways) > OPTIONS_IN_MENU:
        ends = {way: match.end() for way in ways if (match := STEP.match(way, length))}
        steps = list(dict.fromkeys(way[: ends.get(way, len(way))] for way in ways))
        if len(steps) == len(ways):
            break  # they have nothing more in common
        if len(steps) > 1:
            return [step + ASK_ON if _is_both(step, ways) else step for step in steps]
        length = len(steps[0])
    return list(ways)


def _is_both(step: str, ways: Sequence[Move]) -> bool:
    """Whether a beginning of several moves is one of them."""
    return step in ways and any(way.startswith(step) and way != step for way in ways)


def moves_in_words(
    moves: Sequence[Sequence[int | str | None]],
    words: GameWords,
    names: Sequence[str],
    say: Texts,
) -> str:
    """Moves that go together: the first one's own, the others' with their names.

    :param moves: (seat, move) as everyone may know it; None: not at all.
    :param names: by seat.
    """
    own, *others = (
        say("a sealed choice") if move is None else words.move_in_words(str(move), names, say)
        for _, move in moves
    )
    if not others:
        return own
    seats = [names[int(seat or 0)] for seat, _ in moves[1:]]
    listed = say.list([f"{name}: {move}" for name, move in zip(seats, others, strict=True)])
    return say("{move}, and with it {moves}", move=own, moves=listed)
