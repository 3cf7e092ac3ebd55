"""The words of a game: sentences for the engine's codes and data, and menus for legal moves."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from cogs.gateway.cards import OPTIONS_IN_MENU
from cogs.gateway.texts import escape
from cogs.gateway.translator import Marked, name_
from data.texts import N_, SOURCE, Texts, texts
from games.engine import Fact, Move, Option, View
from games.house import START, starter_drawn

BUTTONS_AT_MOST = 15
"""Up to this many choices with short labels become buttons, which take one tap where a menu takes
two.
"""

SHORT_LABEL = 16
"""Maximum length of a button's label if there are many choices, in characters; enough for the name
of a card.
"""

LONG_LABEL = 40
"""Maximum length of a button's label if there are only a few choices, in characters."""

FEW = 3
"""The maximum number of choices that count as few."""
ASK_ON = "?"
"""Suffix for a choice that is a complete move, but leads to one more question, such as a
confirmation, before it is played. No move ends with it.
"""


@dataclass(frozen=True, slots=True)
class Choice:
    """An entry of a menu.

    :param value: a legal move, or the beginning of several; with ``ASK_ON`` if it is both.
    :param detail: a second line, shown in a menu but not on a button.
    :param icon: the key of an icon shown before the label; see ``render.icons``.
    """

    value: str
    label: str
    detail: str = ""
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Choices of one kind, shown as a menu or as rows of buttons."""

    placeholder: str
    choices: tuple[Choice, ...]

    @property
    def as_buttons(self) -> bool:
        """Whether there are few enough choices, with labels short enough, for buttons."""
        longest = max(len(choice.label) for choice in self.choices)
        allowed = SHORT_LABEL if len(self.choices) > FEW else LONG_LABEL
        return len(self.choices) <= BUTTONS_AT_MOST and longest <= allowed


@dataclass(frozen=True, slots=True)
class Menu:
    """The next question for a person."""

    prompt: str
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class OptionWords:
    """The words for an option, in the lobby and in the command that opens a table.

    :param typed: the option's name in the command.
    :param help: one line on what it does.
    :param choices: the names of its choices; numbers need none.
    :param described: its description in the command, if it differs from ``help``.
    """

    typed: Marked
    label: str
    help: str
    choices: Mapping[str, str] = field(default_factory=dict)
    described: str = ""


@dataclass(frozen=True, slots=True)
class Preset:
    """Options of a game that go well together; options not named here get their defaults.

    :param players: how many will play; None: as many as join.
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
    N_("Which seat begins; default: by lot"),
)


class GameWords:
    """All words of one game. Texts are given in English and translated by ``say``. In every
    language a title has up to 32 characters, a summary 400, a pitch 100, the rules 3,500.
    """

    game: ClassVar[str]
    """``GameInfo.id`` of the game."""
    title: ClassVar[str]
    summary: ClassVar[str]
    """What the game is about, in a sentence or two."""
    pitch: ClassVar[str] = ""
    """What kind of game it is, how long it takes and how hard it is, in a few words."""
    question: ClassVar[str] = ""
    """The question on a board below which no choices are shown."""
    answer: ClassVar[str] = N_("Choose in private")
    """Label of the button that shows people their own choices; it is below the board in games
    without hidden hands where several people choose at the same time.
    """
    options: ClassVar[Mapping[str, OptionWords]]
    """The words of each option that ``GameInfo`` declares."""
    presets: ClassVar[Sequence[Preset]] = ()
    """Sets of options that the host can choose in one step, in addition to ``PLAIN``."""
    refusals: ClassVar[Mapping[str, str]]
    """Why a move or an option is refused, by the code of an ``IllegalMove`` or ``BadSetup``."""
    reasons: ClassVar[Mapping[str, str]]
    """How a match ended, by the reason of its ``Outcome``."""
    told: ClassVar[Mapping[str, str]] = {}
    """Sentences for facts, by kind. Their placeholders are the fact's data and the ``{name}`` of
    its ``seat``.
    """
    said_once: ClassVar[Collection[str]] = ()
    """Kinds of facts whose sentence is left out if it would repeat the one before it."""
    motives: ClassVar[Mapping[str, str]] = {}
    """Reasons for a move, by kind of fact, addressed to the person who may play it; with the same
    placeholders as ``told``.
    """
    tally: ClassVar[str] = ""
    """The key in ``View.public`` that lists what each seat has won so far; more is better."""
    rule_texts: ClassVar[Sequence[str]] = ()
    """The rules in our own words, one text per paragraph: the goal, a turn, the scoring, an
    example; up to 3,500 characters in total. Built-in games have pages in ``data/rules`` instead.
    """
    close_up: ClassVar[str | None] = None
    """Label of the button that enlarges a part of the table, if the game has such parts."""

    def tell(self, fact: Fact, names: Sequence[str], say: Texts) -> str | None:
        """Put a fact into a sentence; None if there is nothing to say. By default from ``told``.

        :param names: the names by figure (see ``owners``), escaped.
        """
        message = self.told.get(fact.kind)
        return None if message is None else say(message, **self.in_words(fact.data, names, say))

    def in_words(self, data: Mapping[str, Any], names: Sequence[str], say: Texts) -> dict[str, Any]:
        """Return the values for the placeholders in ``told`` and ``motives``; by default the fact's
        data and the ``name`` of its ``seat``.

        :param names: the names by figure, escaped.
        """
        return {**data, "name": names[data["seat"]] if "seat" in data else ""}

    def motive(self, fact: Fact, view: View, names: Sequence[str], say: Texts) -> str | None:
        """Put a fact into a sentence that tells the person to move (``view.viewer``) why a move is
        good; None if the fact is not a reason. By default from ``motives``, except for reasons that
        games have in common.

        :param names: the names by figure, escaped.
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
                "On average it is worth about {n} point less.",
                "On average it is worth about {n} points less.",
                data["points"],
            )
        if fact.kind == "alike":
            moves = [self.move_in_words(move, names, say) for move in data["moves"]]
            return say("Just as good: {moves}. I see no difference yet.", moves=say.list(moves))
        if fact.kind == "pitfalls":
            return say("{number} of the {of} other moves would lose.", **data)
        message = self.motives.get(fact.kind)
        return None if message is None else say(message, **self.in_words(data, names, say))

    def owners(self, view: View) -> Sequence[int | None]:
        """Return, for each figure, the seat that plays it; None: nobody does. By default, figures
        are seats.
        """
        return range(view.players)

    def parts(self, view: View, names: Sequence[str], say: Texts) -> Sequence[str]:
        """Return the names of the parts of the table that can be enlarged; by default, one part per
        seat, named after its player.

        :param names: the names by seat, unescaped.
        """
        return names

    def own_part(self, seat: int | None) -> int:
        """Return the part to show first; by default the person's own.

        :param seat: None: a spectator.
        """
        return seat or 0

    def rules(self, say: Texts) -> str:
        """Return the rules with the name of the game as a heading."""
        return "\n".join([f"### {say(self.title)}", *(say(text) for text in self.rule_texts)])

    def move_in_words(self, move: Move, names: Sequence[str], say: Texts) -> str:
        """Return a short name for a move, as people say it; by default its notation.

        :param names: the names by seat: escaped for a text, but unescaped for a label, which
            Discord does not format.
        """
        return move

    def advised_in_words(self, move: Move, view: View, names: Sequence[str], say: Texts) -> str:
        """Return a name for an advised move; if its name in a menu follows something that finds it
        in the picture, such as a number, that is included.

        :param names: see ``move_in_words``.
        """
        told = self.move_in_words(move, names, say)
        groups = self.menu(view, [move], "", names, say).groups
        labels = [choice.label for group in groups for choice in group.choices]
        return next((label for label in labels if told in label), told)

    def coded(self, move: Move, names: Sequence[str], say: Texts) -> str:
        """Return a move for the log and for typing: by default its name; a game may add a short
        code, such as a card's notation.

        :param names: see ``move_in_words``.
        """
        return self.move_in_words(move, names, say)

    def logged(self, move: Move, facts: Sequence[Fact], names: Sequence[str], say: Texts) -> str:
        """Return a move as the log shows it.

        :param facts: the facts that the reader may know.
        """
        return self.coded(move, names, say)

    def menu(
        self, view: View, legal: Sequence[Move], prefix: str, names: Sequence[str], say: Texts
    ) -> Menu:
        """Return the choices that continue ``prefix``. By default, these are whole moves; if they
        do not fit into a menu, the next steps of their notation (see ``next_steps``).

        :param names: the names by seat, unescaped; a prompt must escape them.
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
        """Return whether menus lead to ``prefix`` step by step, so that it has a menu of
        its own.
        """
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
        """Return a menu's label for the beginning of several moves; by default its notation without
        trailing punctuation.
        """
        return step.rstrip("+-:.,/>*=!^~_|")

    def score(self, view: View, seat: int, say: Texts) -> str | None:
        """Return the seat's score in a few words, for the result; None if the ranks say it all."""
        return None

    def verdict(self, view: View, say: Texts) -> str:
        """Rate the result of a solo match. Return an empty text if the game does not rate such
        matches; they then count as won.
        """
        return ""

    def standing(self, view: View) -> Sequence[float] | None:
        """Return what each seat has won so far, where more is better; None if the game counts
        nothing before the end. By default from ``tally``.
        """
        return view.public[self.tally] if self.tally else None

    def refusal(self, code: str, data: Mapping[str, Any], say: Texts) -> str | None:
        """Explain why a move was refused; None if this game does not know the code."""
        message = self.refusals.get(code)
        return None if message is None else say(message, **data)

    def reason(self, reason: str, say: Texts) -> str:
        """Say in a sentence how the match ended."""
        return say(self.reasons[reason])

    def option_in_words(self, option: Option, value: Any, say: Texts) -> str:
        """Describe an option and its value, as the lobby shows them; if it is on, say what it
        does.
        """
        words = self.options[option.key]
        if option.kind == "bool":
            shown = say(words.help) if value else say("no")
        elif option.kind == "choice" and value in words.choices:
            shown = say(words.choices[value])
        elif option.kind != "choice" and type(value) is int:
            shown = say.number(value)
        else:  # a value this bot would not have stored
            shown = escape(str(value))
        return say("{option}: {value}", option=say(words.label), value=shown)


class StartingWords(GameWords):
    """The words of a game in which a lot or the option ``starter`` decides who begins."""

    def refusal(self, code: str, data: Mapping[str, Any], say: Texts) -> str | None:
        """Explain why a move or an option was refused, such as a starting player's seat that does
        not exist.
        """
        if code == "starter_seat":
            return say("There is no seat {starter} at a table of {players}.", **data)
        return super().refusal(code, data, say)

    def move_in_words(self, move: Move, names: Sequence[str], say: Texts) -> str:
        """Return a short name for a move, or for the draw of the starting player."""
        if move.startswith(START):
            return say("{name} begins", name=names[starter_drawn(move)])
        return super().move_in_words(move, names, say)


STEP = re.compile(r"[A-Za-z]+[^A-Za-z0-9]*|[0-9]+[^A-Za-z0-9]*|[^A-Za-z0-9]+")
"""One step of a notation: letters or digits, and the punctuation after them."""


def next_steps(ways: Sequence[Move], prefix: str) -> list[str]:
    """Return what can follow ``prefix`` in choosing one of several moves: the moves themselves if
    they fit into a menu or already differ in their next step, otherwise their beginnings up to the
    first step in which some of them differ. A beginning that is also a complete move gets
    ``ASK_ON`` appended.

    :param ways: moves that begin with ``prefix``.
    """
    length = len(prefix)
    while len(ways) > OPTIONS_IN_MENU:
        ends = {way: match.end() for way in ways if (match := STEP.match(way, length))}
        steps = list(dict.fromkeys(way[: ends.get(way, len(way))] for way in ways))
        if len(steps) == len(ways):
            break  # every move would have a step of its own, so show the moves themselves
        if len(steps) > 1:
            return [step + ASK_ON if _is_both(step, ways) else step for step in steps]
        length = len(steps[0])
    return list(ways)


def _is_both(step: str, ways: Sequence[Move]) -> bool:
    """Return whether a text is both a complete move and the beginning of others."""
    return step in ways and any(way.startswith(step) and way != step for way in ways)


def moves_in_words(
    moves: Sequence[Sequence[int | str | None]],
    words: GameWords,
    names: Sequence[str],
    say: Texts,
) -> str:
    """List moves that belong together: the first on its own, the others with their players' names.

    :param moves: (seat, move) as shown to everyone; a move of None is secret.
    :param names: the names by seat.
    """
    own, *others = (
        say("a sealed choice") if move is None else words.move_in_words(str(move), names, say)
        for _, move in moves
    )
    if not others:
        return own
    seats = [names[int(seat or 0)] for seat, _ in moves[1:]]
    told = [f"{name}{say.colon} {move}" for name, move in zip(seats, others, strict=True)]
    return say("{move}, and with it {moves}", move=own, moves=say.list(told))
