"""A position of the game, and the parts that it is played with: steps, boards, seatings, rules.

A position holds its rules, and these the parts, which in turn are asked with a position: they
refer to one another, so they stand together. The steps, boards and seatings that there are have
modules of their own.

What is moved and scored on its own is called a *colour*. With three to five players colour and
seat are the same; with two there is a neutral colour, or two for each person (``seatings``).
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import floor
from typing import Any, ClassVar, NamedTuple

from games.engine import Event, Fact, IllegalMove, Move, View
from games.house import NOBODY, or_none, tell
from games.isolde.cards import Card, Cards
from games.isolde.numbers import Numbers, Terms

Facts = list[Fact] | None
"""Where facts go; None if they are not wanted."""


@dataclass(frozen=True, slots=True)
class Due:
    """Something still to be done in this round: by which step, for which colour.

    :ivar shown: as views have it; they share it.
    """

    step: str
    colour: int = NOBODY
    data: tuple[Any, ...] = ()
    shown: list[Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        shown = [self.step, or_none(self.colour), list(self.data)]
        object.__setattr__(self, "shown", shown)


@lru_cache(maxsize=1 << 12)
def due_for(step: str, colour: int, data: tuple[Any, ...] = ()) -> Due:
    """Something due: equal ones are the same object."""
    return Due(step, colour, data)


class Shield(NamedTuple):
    """Points won.

    :param board: its board, which also says what kind of shield it is.
    :param round: in which it was won.
    :param known: the seats that know its value if it lies face down; None if everyone does.
    :param giver: the colour that it was won by, if it has changed hands, or NOBODY.
    """

    board: str
    round: int
    value: int
    known: tuple[int, ...] | None = None
    giver: int = NOBODY

    @property
    def label(self) -> str:
        """What everyone knows of it: its value, or ``?4`` if face down since round 4."""
        return str(self.value) if self.known is None else f"?{self.round}"


@lru_cache(maxsize=1 << 12)
def open_shield(board: str, round_: int, value: int) -> Shield:
    """A shield that lies face up with the colour that won it: equal ones are the same object."""
    return Shield(board, round_, value)


@dataclass(slots=True)
class IsoldeState:
    """A position. Lists are by colour unless said otherwise.

    :param agenda: what is still to be done in this round, the next thing last.
    :param actors: who has to act, CHANCE included.
    :param starter: the colour that starts this round.
    :param appointed: the colour that was named to start the next round, or NOBODY.
    :param positions: fields that each piece has moved since it last started anew, by board.
    :param order: the colours that have moved there, the first one first, by board. On the same
        field the last to arrive is ahead: that piece lies on top.
    :param notes: whatever else a board has to remember, by board.
    :param packs: cards to choose from, sorted (in the Lancelot game by seat).
    :param kept: cards taken for this round, in that order, those played since included.
    :param hands: cards still to be played, sorted.
    :param played: (card, board) played in this round, in that order.
    :param piles: the two open piles of each seat in the Lancelot game, else empty.
    :param sealed: moves that wait until all are in, by seat.
    :param last: the last event if everyone saw it, else empty. So the views after two different
        open events differ even where the boards start anew at once.
    """

    rules: Rules
    options: dict[str, Any]
    positions: list[list[int]]
    order: list[list[int]]
    notes: list[Any]
    shields: list[tuple[Shield, ...]]
    packs: list[list[Card]]
    kept: list[Cards]
    hands: list[list[Card]]
    played: list[tuple[tuple[Card, int], ...]]
    agenda: list[Due] = field(default_factory=list)
    actors: tuple[int, ...] = ()
    sealed: list[str | None] = field(default_factory=list)
    piles: tuple[tuple[Cards, Cards], ...] = ()
    last: str = ""
    starter: int = NOBODY
    appointed: int = NOBODY
    ply: int = 0
    round: int = 1

    def clone(self) -> IsoldeState:
        """A copy that shares nothing mutable but rules and options, which never change."""
        return IsoldeState(
            self.rules,
            self.options,
            [row[:] for row in self.positions],
            [row[:] for row in self.order],
            self.notes[:],
            self.shields[:],
            [pack[:] for pack in self.packs],
            self.kept[:],
            [hand[:] for hand in self.hands],
            self.played[:],
            self.agenda[:],
            self.actors,
            self.sealed[:],
            self.piles,
            self.last,
            self.starter,
            self.appointed,
            self.ply,
            self.round,
        )

    @property
    def players(self) -> int:
        """How many play."""
        return self.rules.players

    def decider(self, colour: int) -> int:
        """The seat that decides for a colour: its owner; for the neutral one the starter."""
        owner = self.rules.seating.owners[colour]
        return self.starter if owner is None else owner

    def then(self, *dues: Due) -> None:
        """Do these things next, in this order."""
        self.agenda.extend(reversed(dues))

    def move_piece(self, board: int, colour: int, fields: int) -> None:
        """Move a piece forward, on top of those that already lie where it lands."""
        row, order = self.positions[board], self.order[board]
        reached = row[colour]
        if reached:
            order.remove(colour)
        row[colour] = reached = reached + fields
        place = 0
        for other in order:
            if row[other] <= reached:
                break
            place += 1
        order.insert(place, colour)

    def award(self, colour: int, shield: Shield) -> None:
        """Give a colour a shield."""
        self.shields[colour] += (shield,)

    def learn(self, seat: int, round_: int) -> None:
        """Let a seat know the shields that lie face down since a round: a seat that knows one of
        these two knows the other.
        """
        for colour, shields in enumerate(self.shields):
            if any(shield.known is not None for shield in shields):
                self.shields[colour] = tuple(
                    shield._replace(known=tuple(sorted({*shield.known, seat})))
                    if shield.known is not None and shield.round == round_
                    else shield
                    for shield in shields
                )


# --------------------------------------------------------------------------- what is done
class AgendaStep(ABC):
    """One kind of thing to do; ``state.agenda[-1]`` says for whom.

    :cvar name: its key on the agenda, and the phase of a view while it awaits actors.
    :cvar verb: the beginning of its moves.
    :cvar secret: whether its moves are not for all to see.
    :cvar words: words in its moves that people may shorten, apart from boards and types of cards.
    :cvar refused: the code of a refusal that needs no more than what was typed.
    """

    name: ClassVar[str]
    verb: ClassVar[str] = ""
    secret: ClassVar[bool] = False
    words: ClassVar[tuple[str, ...]] = ()
    refused: ClassVar[str] = "no_such_move"

    @abstractmethod
    def open(self, state: IsoldeState, fx: Facts) -> tuple[int, ...]:
        """Who has to act. If no one has to, it has been done and is off the agenda."""

    def do(self, state: IsoldeState, seat: int, move: Move, fx: Facts) -> None:
        """Apply the move of an actor. Once no more actors are awaited, ``proceed`` goes on."""
        raise TypeError(f"{self.name} has no moves")

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """The moves of an acting seat."""
        return []

    def random_move(self, state: IsoldeState, seat: int, rng: random.Random) -> Move:
        """Any of the moves of an acting seat."""
        moves = self.legal(state, seat)
        return moves[floor(rng.random() * len(moves))]

    def chance(self, state: IsoldeState) -> Sequence[tuple[Move, float]] | None:
        """The draws of CHANCE, if it acts and they can be listed."""
        return None

    def sample(self, state: IsoldeState, rng: random.Random) -> Move | None:
        """A draw of CHANCE, or None to choose from those listed."""
        return None

    def observed(self, state: IsoldeState, event: Event, viewer: int | None) -> Move:
        """How a viewer who did not make the move himself sees it."""
        return f"{self.verb}:?" if self.secret else event.move

    def spelled(self, argument: str) -> str:
        """The canonical spelling of a move after its verb."""
        return argument

    def refusal(self, state: IsoldeState, seat: int, argument: str) -> IllegalMove:
        """Which rule forbids ``verb:argument``, which is not legal."""
        return IllegalMove(self.refused, text=argument)


# ----------------------------------------------------------------------- where it is done
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
    :cvar noted: the key under which views list what it has to remember, where that is a tuple.
    :ivar slot: its index in the lists of a position.
    :ivar large: whether the match has LARGE many colours.
    :ivar rounds: the rounds in which it is scored; empty if events decide.
    :ivar resets: the rounds after which its pieces start anew.
    :ivar prizes: what first, second and third get, as far as they get anything.
    :ivar printed: what views say of it that never changes; they share it.
    :ivar blank: what it has to remember, as it is at the start of the match; immutable.
    """

    id: ClassVar[str]
    place: ClassVar[int]
    terms: ClassVar[str]
    card_types: ClassVar[tuple[str, ...]]
    scores: ClassVar[bool] = True
    positive: ClassVar[bool] = False
    step_kinds: ClassVar[tuple[type[BoardStep], ...]] = ()
    noted: ClassVar[str] = ""

    blank: Any = None

    def __init__(self, slot: int, colours: int, numbers: Numbers) -> None:
        self.slot, self.colours, self.numbers = slot, colours, numbers
        self.large = colours >= LARGE
        terms: Terms = getattr(numbers, self.terms)
        self.rounds, self.resets = terms.scored, terms.resets
        self.prizes = self.awarded(terms.prizes)
        self.printed: dict[str, Any] = {
            "rounds": list(self.rounds),
            "resets": list(self.resets),
            "prizes": list(self.prizes),
        }

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
        """Score it; by default with a shield for each winner. Choices are put on the agenda."""
        for place, (colour, value) in enumerate(self.winners(state), 1):
            self.give_shield(state, colour, value, fx, "place", place)

    def close_round(self, state: IsoldeState, fx: Facts) -> None:
        """Called when all boards of the round have been scored."""
        if state.round in self.resets:
            self.reset(state, fx)

    def reset(self, state: IsoldeState, fx: Facts) -> None:
        """Put all pieces back to the start."""
        state.positions[self.slot] = [0] * self.colours
        state.order[self.slot] = []
        if fx is not None:
            tell(fx, "reset", board=self.id)

    # -- knowledge
    def public(self, state: IsoldeState) -> dict[str, Any]:
        """What everyone knows of it."""
        slot = self.slot
        positions, order = tuple(state.positions[slot]), tuple(state.order[slot])
        return _shown(self, positions, order, self.due(state), self.open_note(state))

    def open_note(self, state: IsoldeState) -> Any:
        """What everyone knows of it beyond its pieces, as immutable data; by default everything
        that it has to remember.
        """
        return state.notes[self.slot]

    def shown(self, open_note: Any) -> dict[str, Any]:
        """That note as views have it."""
        return {self.noted: list(open_note)} if self.noted else {}

    def private(self, state: IsoldeState, seat: int) -> dict[str, Any]:
        """What a seat alone knows."""
        return {}

    def restore(self, state: IsoldeState, view: View) -> None:
        """Set what it remembers as a view has it, and anything for what the view does not know."""
        if self.noted:
            state.notes[self.slot] = tuple(view.public["boards"][self.id][self.noted])

    def remember(self, state: IsoldeState, viewer: int | None) -> Any:
        """What ``imagine`` works out once for a view, after ``restore``."""
        return None

    def imagine(self, state: IsoldeState, memory: Any, rng: random.Random) -> None:
        """Draw what a viewer does not know of it.

        :param memory: what ``remember`` has given for the view.
        """

    # -- for the boards themselves
    def unmoved(self, state: IsoldeState) -> list[int]:
        """The colours that have not moved here; they all share the last place."""
        if len(state.order[self.slot]) == self.colours:
            return []
        row = state.positions[self.slot]
        return [colour for colour, position in enumerate(row) if not position]

    def winners(self, state: IsoldeState) -> list[tuple[int, int]]:
        """(colour, prize) from the first place on. A colour that has not moved wins nothing."""
        return list(zip(state.order[self.slot], self.prizes, strict=False))

    def give_penalties(self, state: IsoldeState, last: int, second_last: int, fx: Facts) -> None:
        """A shield for each of the last, and with four colours or more for the last but one."""
        order, unmoved = state.order[self.slot], self.unmoved(state)
        bottom = unmoved or order[-1:]
        above = order if unmoved else order[:-1]
        for colour in bottom:
            self.give_shield(state, colour, last, fx, "last")
        tied = len(bottom) > 1 and not self.numbers.second_last_with_tied_last
        if above and not tied and self.large:
            self.give_shield(state, above[-1], second_last, fx, "second_last")

    def give_shield(
        self,
        state: IsoldeState,
        colour: int,
        value: int,
        fx: Facts,
        why: str,
        which: int | None = None,
    ) -> None:
        """Give a colour a shield of this board and tell why.

        :param which: of the places or fields, if that is why.
        """
        state.shields[colour] += (open_shield(self.id, state.round, value),)
        if fx is not None:
            told = {"colour": colour, "board": self.id, "value": value, "why": why}
            if which is not None:
                told[why] = which
            fx.append(Fact("shield", told))

    def bonus_move(
        self, state: IsoldeState, colour: int, target: str, fields: int, fx: Facts
    ) -> None:
        """Move a piece on a board, as a prize of this one: no card is played there."""
        slot = state.rules.board[target].slot
        state.move_piece(slot, colour, fields)
        if fx is not None:
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


@lru_cache(maxsize=1 << 10)
def _shown(
    board: Board, positions: tuple[int, ...], order: tuple[int, ...], due: bool, open_note: Any
) -> dict[str, Any]:
    """What everyone knows of a board: the views of all who look at it share that."""
    pieces = {"positions": list(positions), "order": list(order), "due": due}
    return board.printed | pieces | board.shown(open_note)


class BoardStep(AgendaStep):
    """A step that belongs to a board."""

    def __init__(self, board: Any) -> None:
        self.board = board

    def decline(self, colour: int, fx: Facts) -> None:
        """Tell that a colour leaves a bonus of the board."""
        if fx is not None:
            tell(fx, "declined", colour=colour, board=self.board.id)


# --------------------------------------------------------------------- by whom it is done
class Seating(ABC):
    """A way to sit.

    :ivar owners: the seat that owns each colour; None for the neutral one.
    :ivar starters: the colours that can start a round.
    :ivar packs: how many packs are dealt.
    :ivar pack_size: cards in each.
    :ivar plays: cards that each colour plays in a round.
    :ivar fifth_card: whether each colour then has a card left.
    :ivar steps: those that deal out the hands.
    """

    owners: tuple[int | None, ...]
    starters: tuple[int, ...]
    packs: int
    pack_size: int
    plays: int
    fifth_card: bool
    steps: tuple[AgendaStep, ...]

    @property
    def neutral(self) -> int:
        """The neutral colour, or NOBODY."""
        return self.owners.index(None) if None in self.owners else NOBODY

    def may_decline(self, colour: int) -> bool:
        """Whether a bonus may be left: the neutral colour always takes its own."""
        return self.owners[colour] is not None

    def turn(self, colour: int) -> Due:
        """The turn of a colour."""
        return Due("play", colour)

    @abstractmethod
    def handing(self, order: Sequence[int]) -> list[Due]:
        """What turns the packs dealt into hands.

        :param order: the colours in this round's order.
        """

    # -- knowledge
    def direction(self, round_: int) -> str | None:
        """Where packs are passed in a round, ``left`` or ``right``, if they are."""
        return None

    def packs_seen(self, state: IsoldeState, seat: int) -> list[list[Card]]:
        """The packs that a seat has looked at in this round, the first one first."""
        return []

    def remember(self, state: IsoldeState, view: View) -> Any:
        """What ``imagine_cards`` works out once for a view; all fields are set but those that hold
        cards.
        """
        return None

    @abstractmethod
    def imagine_cards(
        self, state: IsoldeState, view: View, memory: Any, rng: random.Random
    ) -> None:
        """Fill the fields that hold cards in accord with a view; all others are set.

        :param memory: what ``remember`` has given for the view.
        """


# ------------------------------------------------------------------------ the whole of it
@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """One instance per (players, variants, numbers), see ``rules_for``.

    :param variants: all options except the starter.
    :param colours: what is moved and scored on its own; at least as many as players.
    :param boards: in the order of scoring.
    :param board: by id.
    :param steps: by name.
    :param routes: by card, the boards it can be played on.
    :param play_moves: by card, the moves that play it, in the order of ``routes``.
    :param plays: move -> (card, board).
    :param follow_ups: by board, what it does after a card, or None.
    :param secretive: the boards of which some may know more than others.
    :param everyone: all seats.
    :param owned: by seat, its colours.
    :param owner_acts: by colour, (owner,); empty for the neutral one.
    :param orders: by starter, the colours in playing order.
    :param closing: by round, the boards that have something to do when it is closed.
    :param schedules: by starter, the agenda of a whole round.
    :param words: what people may shorten when they type.
    """

    players: int
    variants: Mapping[str, Any]
    numbers: Numbers
    seating: Seating
    colours: int
    deck: Cards
    boards: tuple[Board, ...]
    board: dict[str, Board]
    steps: dict[str, AgendaStep]
    routes: tuple[tuple[int, ...], ...]
    play_moves: tuple[tuple[Move, ...], ...]
    plays: dict[Move, tuple[Card, int]]
    follow_ups: tuple[Callable[[IsoldeState, int, int, Facts], None] | None, ...]
    secretive: tuple[Board, ...]
    everyone: tuple[int, ...]
    owned: tuple[tuple[int, ...], ...]
    owner_acts: tuple[tuple[int, ...], ...]
    orders: dict[int, tuple[int, ...]]
    closing: dict[int, tuple[Board, ...]]
    schedules: dict[int, tuple[Due, ...]]
    words: tuple[str, ...]

    def no_target(self, board: str) -> IllegalMove:
        """Why a bonus cannot move a piece on a board."""
        if board in self.board:
            return IllegalMove("board_excluded", board=board)
        return IllegalMove("unknown_board", text=board)
