"""The boards: what every board can be asked in a round, and the seven of the basic game.

A variant replaces a board by one of its own or adds one (``variants``). The round asks all boards
of the match in the order of their ``place``, and knows nothing else of them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, ClassVar

from games.engine import IllegalMove, Move, View
from games.isolde.cards import KAMPF
from games.isolde.numbers import Numbers, Terms
from games.isolde.state import Due, Facts, IsoldeState, Shield, tell
from games.isolde.steps import DECLINE, Choice, Step

LARGE = 4
"""From so many colours on there is a third prize, and something for the last but one."""


class Board:
    """One board of a match, without the pieces on it.

    :cvar id: its name in moves, views and facts.
    :cvar place: its place in the order of scoring.
    :cvar terms: the field of Numbers that says when it is scored, and its prizes.
    :cvar card_types: the types of cards that can be played on it.
    :cvar scores: whether points are won on it; else it moves pieces on the others.
    :cvar positive: whether its shields count as positive for the variants.
    :cvar step_kinds: the steps that it brings into the round.
    :ivar slot: its index in the lists of a position.
    :ivar large: whether the match has LARGE many colours.
    :ivar rounds: the rounds in which it is scored; empty if events decide.
    :ivar resets: the rounds after which its pieces start anew.
    :ivar prizes: what first, second and third get, as far as they get anything.
    :ivar blank: what it has to remember, as it is at the start of the match; immutable.
    """

    id: ClassVar[str]
    place: ClassVar[int]
    terms: ClassVar[str]
    card_types: ClassVar[tuple[str, ...]]
    scores: ClassVar[bool] = True
    positive: ClassVar[bool] = False
    step_kinds: ClassVar[tuple[type[BoardStep], ...]] = ()

    blank: Any = None

    def __init__(self, slot: int, colours: int, numbers: Numbers) -> None:
        self.slot, self.colours, self.numbers = slot, colours, numbers
        self.large = colours >= LARGE
        terms: Terms = getattr(numbers, self.terms)
        self.rounds, self.resets = terms.scored, terms.resets
        self.prizes = self.awarded(terms.prizes)

    def awarded(self, prizes: Sequence[int]) -> tuple[int, ...]:
        """Those of the prizes that are awarded with so many colours."""
        return tuple(prizes[: 3 if self.large else 2])

    # -- in the course of a round
    def before_deal(self) -> list[Due]:
        """What is to be done at the start of a round."""
        return []

    def after_deal(self, order: Sequence[int]) -> list[Due]:
        """What is to be done when all have looked at their cards.

        :param order: the colours in this round's order.
        """
        return []

    def card_played(self, state: IsoldeState, colour: int, value: int, fx: Facts) -> None:
        """Called after a card has moved a piece here."""

    def due(self, state: IsoldeState) -> bool:
        """Whether it is scored in this round."""
        return state.round in self.rounds

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """Score it. Choices are put on the agenda."""

    def close_round(self, state: IsoldeState, fx: Facts) -> None:
        """Called when all boards of the round have been scored."""
        if state.round in self.resets:
            self.reset(state, fx)

    def reset(self, state: IsoldeState, fx: Facts) -> None:
        """Put all pieces back to the start."""
        state.positions[self.slot] = [0] * self.colours
        state.order[self.slot] = []
        tell(fx, "reset", board=self.id)

    # -- knowledge
    def public(self, state: IsoldeState) -> dict[str, Any]:
        """What everybody knows of what it remembers."""
        return {}

    def private(self, state: IsoldeState, seat: int) -> dict[str, Any]:
        """What a seat alone knows."""
        return {}

    def restore(self, state: IsoldeState, view: View, rng: random.Random) -> None:
        """Set what it remembers as a view has it, and anything for what the view does not know."""

    # -- for the boards themselves
    def unmoved(self, state: IsoldeState) -> list[int]:
        """The colours that have not moved here; they all share the last place."""
        row = state.positions[self.slot]
        return [colour for colour, position in enumerate(row) if not position]

    def winners(self, state: IsoldeState) -> list[tuple[int, int]]:
        """(colour, prize) from the first place on. Who has not moved wins nothing."""
        return list(zip(state.order[self.slot], self.prizes, strict=False))

    def give_prizes(self, state: IsoldeState, fx: Facts) -> None:
        """A shield for each of the winners."""
        for place, (colour, value) in enumerate(self.winners(state), 1):
            self.give_shield(state, colour, value, fx, why="place", place=place)

    def give_penalties(self, state: IsoldeState, last: int, second_last: int, fx: Facts) -> None:
        """A shield for each of the last, and with four colours or more for the last but one."""
        order, unmoved = state.order[self.slot], self.unmoved(state)
        bottom = unmoved or order[-1:]
        above = order if unmoved else order[:-1]
        for colour in bottom:
            self.give_shield(state, colour, last, fx, why="last")
        tied = len(bottom) > 1 and not self.numbers.second_last_with_tied_last
        if above and not tied and self.large:
            self.give_shield(state, above[-1], second_last, fx, why="second_last")

    def give_shield(
        self, state: IsoldeState, colour: int, value: int, fx: Facts, **why: Any
    ) -> None:
        """Give a colour a shield of this board and tell why."""
        state.award(colour, Shield(self.id, state.round, value))
        tell(fx, "shield", colour=colour, board=self.id, value=value, **why)

    def bonus_move(
        self, state: IsoldeState, colour: int, target: str, fields: int, fx: Facts
    ) -> None:
        """Move a piece on a board, as a prize of this one: no card is played there."""
        slot = state.rules.board[target].slot
        state.move_piece(slot, colour, fields)
        field = state.positions[slot][colour]
        tell(
            fx,
            "moved",
            colour=colour,
            board=target,
            origin=field - fields,
            field=field,
            by=self.id,
        )


class BoardStep(Step):
    """A step that belongs to a board."""

    def __init__(self, board: Any) -> None:
        self.board = board


def reached(points: Sequence[tuple[int, int]], position: int) -> int:
    """The points of the first field in the list that the position has reached, or 0."""
    return next((value for field, value in points if position >= field), 0)


# -------------------------------------------------------------------------- Holde Isolde
class Bonus(BoardStep, Choice):
    """A winner on the Isolde board moves his piece on another board: ``bonus:GRAL``, or not.

    The neutral colour always moves; the starter only decides where.
    """

    name = "bonus"
    verb = "bonus"

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """All other boards, and ``bonus:-``."""
        boards = state.rules.boards
        moves = [f"bonus:{board.id}" for board in boards if board is not self.board]
        if state.rules.seating.may_decline(state.agenda[-1].colour):
            moves.append(f"bonus:{DECLINE}")
        return moves

    def choose(self, state: IsoldeState, due: Due, choice: str, fx: Facts) -> None:
        """Move the whole way on one board."""
        if choice == DECLINE:
            tell(fx, "declined", colour=due.colour, board=self.board.id)
        else:
            (fields,) = due.data
            self.board.bonus_move(state, due.colour, choice, fields, fx)

    def refusal(self, state: IsoldeState, seat: int, argument: str) -> IllegalMove:
        """The neutral colour stays, or there is no such other board."""
        if argument == DECLINE:
            return IllegalMove("neutral_moves")
        return state.rules.no_target(argument)


class Isolde(Board):
    """Whoever is ahead moves on other boards: the third first, the first last."""

    id = "ISOLDE"
    place = 10
    terms = "isolde"
    card_types = ("ISOLDE",)
    scores = False
    step_kinds: ClassVar[tuple[type[BoardStep], ...]] = (Bonus,)

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """Ask the winners of this moment, whatever their moves change."""
        for colour, fields in self.winners(state):  # the last one put on the agenda is first
            state.agenda.append(Due("bonus", colour, (fields,)))


# ------------------------------------------------- Lanzenstechen, Turnierkampf, Studien
class Lists(Board):
    """Prizes for those ahead. One type of cards serves both boards of this kind."""

    terms = "lists"
    card_types = (KAMPF,)
    positive = True

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """A shield for each winner."""
        self.give_prizes(state, fx)


class Lanzenstechen(Lists):
    """The black knights' lists."""

    id = "LANZE"
    place = 30


class Turnierkampf(Lists):
    """The white knights' lists."""

    id = "TURNIER"
    place = 40


class Studien(Board):
    """Negative shields for those behind, every round."""

    id = "STUDIEN"
    place = 50
    terms = "studien"
    card_types = ("STUDIEN",)

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """A shield for each of the last."""
        numbers = self.numbers
        self.give_penalties(state, numbers.studien_last, numbers.studien_second_last, fx)


# ------------------------------------------------------ Koenig, Gralssuche, Barmherzigkeit
class Koenig(Board):
    """Points for the fields reached, whoever is ahead."""

    id = "KOENIG"
    place = 60
    terms = "koenig"
    card_types = ("KOENIG",)
    positive = True

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """One shield for all who have come far enough."""
        for colour, position in enumerate(state.positions[self.slot]):
            value = reached(self.numbers.koenig_points, position)
            if value:
                self.give_shield(state, colour, value, fx, why="field", field=position)


class Gralssuche(Board):
    """High prizes at the end of the match. Pieces never start anew."""

    id = "GRAL"
    place = 70
    terms = "gral"
    card_types = ("GRAL",)

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """A shield for each winner."""
        self.give_prizes(state, fx)


class Barmherzigkeit(Board):
    """Heavy penalties at the end of the match. Pieces never start anew."""

    id = "BARM"
    place = 80
    terms = "barm"
    card_types = ("BARM",)

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """A shield for each of the last."""
        numbers = self.numbers
        self.give_penalties(state, numbers.barm_last, numbers.barm_second_last, fx)


BASIC_BOARDS: tuple[type[Board], ...] = (
    Isolde,
    Lanzenstechen,
    Turnierkampf,
    Studien,
    Koenig,
    Gralssuche,
    Barmherzigkeit,
)
