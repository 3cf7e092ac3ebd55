"""A position of the game, and the interfaces of its parts: steps, boards, seatings, rules.

These classes share a module because they refer to one another: a position to its rules, the rules
to the parts, and the parts to positions. The concrete steps, boards and seatings are in other
modules.

A *colour* is what the rules call a player: it moves and scores on its own. With three to five
players, colours are seats; with two there is also a neutral colour, or two colours per player
(``seatings``).
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
"""Receives facts; None if they are not wanted."""


@dataclass(frozen=True, slots=True)
class Due:
    """An entry of the round's agenda: a step, for a colour.

    :ivar shown: the entry as views show it; they share this object.
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
    """Return an agenda entry, cached."""
    return Due(step, colour, data)


class Shield(NamedTuple):
    """Points won.

    :param board: the board that awarded it, which also determines the kind of shield.
    :param round: the round in which it was won.
    :param known: the seats that know its value if it lies face down; None if everyone does.
    :param giver: the colour that won it, if it has changed hands since; otherwise NOBODY.
    """

    board: str
    round: int
    value: int
    known: tuple[int, ...] | None = None
    giver: int = NOBODY

    @property
    def label(self) -> str:
        """The part that everyone knows: its value, or ``?4`` if it has been face down since round
        4.
        """
        return str(self.value) if self.known is None else f"?{self.round}"


@lru_cache(maxsize=1 << 12)
def open_shield(board: str, round_: int, value: int) -> Shield:
    """Return a face-up shield that has not changed hands, cached."""
    return Shield(board, round_, value)


@dataclass(slots=True)
class IsoldeState:
    """A position. Lists are indexed by colour unless stated otherwise.

    :param agenda: the rest of this round, the next entry last.
    :param actors: the seats that have to act, or CHANCE.
    :param starter: the colour that starts this round.
    :param appointed: the colour named to start the next round, or NOBODY.
    :param positions: how many fields each piece has moved since the last reset, by board.
    :param order: the colours that have moved, by board, the leader first. On the same field, the
        last piece to arrive is ahead, because it is on top.
    :param notes: other data that each board has to remember.
    :param packs: cards to choose from, each pack sorted; indexed by seat in the Lancelot game.
    :param kept: cards taken for this round, in order, including those played since.
    :param hands: cards still to be played, sorted.
    :param played: (card, board) played in this round, in order.
    :param piles: the two open piles of each seat in the Lancelot game, otherwise empty.
    :param sealed: moves that wait until everyone has chosen, by seat.
    :param last: the last event if everyone saw it, otherwise empty. It makes sure that views after
        different open events differ, even if a reset of the boards follows at once.
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
        """Return a copy that shares nothing mutable except rules and options, which never
        change.
        """
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
        """The number of players."""
        return self.rules.players

    def decider(self, colour: int) -> int:
        """Return the seat that decides for a colour: its owner, or the starter for the
        neutral one.
        """
        owner = self.rules.seating.owners[colour]
        return self.starter if owner is None else owner

    def then(self, *dues: Due) -> None:
        """Put these entries next on the agenda, in this order."""
        self.agenda.extend(reversed(dues))

    def move_piece(self, board: int, colour: int, fields: int) -> None:
        """Move a piece forward, on top of any pieces on its new field."""
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
        """Give a shield to a colour."""
        self.shields[colour] += (shield,)

    def learn(self, seat: int, round_: int) -> None:
        """Let a seat know the face-down shields of a round. There are two, and a seat that knows
        one can infer the other.
        """
        for colour, shields in enumerate(self.shields):
            if any(shield.known is not None for shield in shields):
                self.shields[colour] = tuple(
                    shield._replace(known=tuple(sorted({*shield.known, seat})))
                    if shield.known is not None and shield.round == round_
                    else shield
                    for shield in shields
                )


# --------------------------------------------------------------------------------- steps
class AgendaStep(ABC):
    """A kind of agenda entry; ``state.agenda[-1]`` says for which colour.

    :cvar name: its key on the agenda, and the phase of a view while it waits for actors.
    :cvar verb: the prefix of its moves.
    :cvar secret: whether its moves are hidden from others.
    :cvar words: words in its moves that people may shorten, apart from boards and types of cards.
    :cvar refused: the code of a refusal that only quotes the typed text.
    """

    name: ClassVar[str]
    verb: ClassVar[str] = ""
    secret: ClassVar[bool] = False
    words: ClassVar[tuple[str, ...]] = ()
    refused: ClassVar[str] = "no_such_move"

    @abstractmethod
    def open(self, state: IsoldeState, fx: Facts) -> tuple[int, ...]:
        """Begin the step and return its actors. If there are none, the step is finished and has
        been removed from the agenda.
        """

    def do(self, state: IsoldeState, seat: int, move: Move, fx: Facts) -> None:
        """Apply an actor's move. When no actors are left, ``proceed`` continues."""
        raise TypeError(f"{self.name} has no moves")

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """Return the moves of an acting seat."""
        return []

    def random_move(self, state: IsoldeState, seat: int, rng: random.Random) -> Move:
        """Return a random move of an acting seat."""
        moves = self.legal(state, seat)
        return moves[floor(rng.random() * len(moves))]

    def chance(self, state: IsoldeState) -> Sequence[tuple[Move, float]] | None:
        """Return the draws of CHANCE, if it acts and they can be listed; otherwise None."""
        return None

    def sample(self, state: IsoldeState, rng: random.Random) -> Move | None:
        """Return a draw of CHANCE, or None to draw one of those that ``chance`` lists."""
        return None

    def observed(self, state: IsoldeState, event: Event, viewer: int | None) -> Move:
        """Return a move made by someone else, as a viewer sees it."""
        return f"{self.verb}:?" if self.secret else event.move

    def spelled(self, argument: str) -> str:
        """Return the canonical spelling of a move after its verb."""
        return argument

    def refusal(self, state: IsoldeState, seat: int, argument: str) -> IllegalMove:
        """Return the rule that forbids ``verb:argument``, as a refusal."""
        return IllegalMove(self.refused, text=argument)


# -------------------------------------------------------------------------------- boards
LARGE = 4
"""The third prize, the penalty for second-last place, and that place's exchange of shields need at
least this many colours.
"""


class Board:
    """One board of a match, without the pieces on it.

    :cvar id: its name in moves, views and facts.
    :cvar place: its place in the order of scoring.
    :cvar terms: the field of Numbers with its scoring rounds and its prizes.
    :cvar card_types: the types of cards that can be played on it.
    :cvar scores: whether it awards points; otherwise it moves pieces on the other boards.
    :cvar positive: whether its shields count as positive in the variants.
    :cvar step_kinds: the steps that it adds to the round.
    :cvar noted: the key under which views list its note; empty if they do not.
    :ivar slot: its index in the lists of a position.
    :ivar large: whether the match has at least LARGE colours.
    :ivar rounds: the rounds in which it is scored; empty if events decide.
    :ivar resets: the rounds after which its pieces return to the start.
    :ivar prizes: the prizes for first, second and perhaps third place.
    :ivar printed: the part of views of it that never changes; views share this object.
    :ivar blank: its note at the start of the match; immutable.
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
        """Return the prizes that are awarded with as many colours as the match has."""
        return tuple(prizes[: 3 if self.large else 2])

    # -- in the course of a round
    def before_deal(self) -> list[Due]:
        """Return agenda entries to insert at the start of a round."""
        return []

    def after_deal(self, order: Sequence[int]) -> list[Due]:
        """Return agenda entries to insert once everyone has seen their cards.

        :param order: the colours in this round's order.
        """
        return []

    def card_played(self, state: IsoldeState, colour: int, value: int, fx: Facts) -> None:
        """React to a card that has moved a piece here. A hook."""

    def due(self, state: IsoldeState) -> bool:
        """Return whether the board is scored in this round."""
        return state.round in self.rounds

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """Score the board; by default give a shield to each winner. Choices go on the agenda."""
        for place, (colour, value) in enumerate(self.winners(state), 1):
            self.give_shield(state, colour, value, fx, "place", place)

    def close_round(self, state: IsoldeState, fx: Facts) -> None:
        """Reset the board if that is due. Called after all boards of the round have been scored."""
        if state.round in self.resets:
            self.reset(state, fx)

    def reset(self, state: IsoldeState, fx: Facts) -> None:
        """Move all pieces back to the start."""
        state.positions[self.slot] = [0] * self.colours
        state.order[self.slot] = []
        if fx is not None:
            tell(fx, "reset", board=self.id)

    # -- knowledge
    def public(self, state: IsoldeState) -> dict[str, Any]:
        """Return what everyone knows about the board."""
        slot = self.slot
        positions, order = tuple(state.positions[slot]), tuple(state.order[slot])
        return _shown(self, positions, order, self.due(state), self.open_note(state))

    def open_note(self, state: IsoldeState) -> Any:
        """Return the public part of its note, as immutable data; by default the whole note."""
        return state.notes[self.slot]

    def shown(self, open_note: Any) -> dict[str, Any]:
        """Return the public part of the note in the form in which views show it."""
        return {self.noted: list(open_note)} if self.noted else {}

    def private(self, state: IsoldeState, seat: int) -> dict[str, Any]:
        """Return what this seat knows about the board beyond ``public``."""
        return {}

    def restore(self, state: IsoldeState, view: View) -> None:
        """Set its note from a view; unknown parts get arbitrary values."""
        if self.noted:
            state.notes[self.slot] = tuple(view.public["boards"][self.id][self.noted])

    def remember(self, state: IsoldeState, viewer: int | None) -> Any:
        """Return data for ``imagine``, computed once per view, after ``restore``."""
        return None

    def imagine(self, state: IsoldeState, memory: Any, rng: random.Random) -> None:
        """Sample the parts that a viewer does not know.

        :param memory: the result of ``remember`` for the view.
        """

    # -- for subclasses
    def unmoved(self, state: IsoldeState) -> list[int]:
        """Return the colours that have not moved here; they share last place."""
        if len(state.order[self.slot]) == self.colours:
            return []
        row = state.positions[self.slot]
        return [colour for colour, position in enumerate(row) if not position]

    def winners(self, state: IsoldeState) -> list[tuple[int, int]]:
        """Return (colour, prize), from first place on. A colour that has not moved wins nothing."""
        return list(zip(state.order[self.slot], self.prizes, strict=False))

    def give_penalties(self, state: IsoldeState, last: int, second_last: int, fx: Facts) -> None:
        """Give a shield to each colour in last place and, if ``large``, to the one in second-last
        place. If several share last place, see ``second_last_with_tied_last``.
        """
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
        """Give a shield of this board to a colour, and report why.

        :param which: the place or field that earned it; None unless ``why`` is one of the two.
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
        """Move a piece on another board, as a prize from this one; the move does not count as a
        card.
        """
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
    """Return the part of a view that shows a board; views share this object."""
    pieces = {"positions": list(positions), "order": list(order), "due": due}
    return board.printed | pieces | board.shown(open_note)


class BoardStep(AgendaStep):
    """A step that belongs to a board."""

    def __init__(self, board: Any) -> None:
        self.board = board

    def decline(self, colour: int, fx: Facts) -> None:
        """Report that a colour declines a bonus of the board."""
        if fx is not None:
            tell(fx, "declined", colour=colour, board=self.board.id)


# ------------------------------------------------------------------------------- seatings
class Seating(ABC):
    """The seating: which player has which colours, and how hands are formed.

    :ivar owners: the seat that owns each colour; None for the neutral colour.
    :ivar starters: the colours that can start a round.
    :ivar packs: how many packs are dealt.
    :ivar pack_size: cards in each pack.
    :ivar plays: how many cards each colour plays in a round.
    :ivar fifth_card: whether each colour has one card left after its plays.
    :ivar steps: the steps that turn packs into hands.
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
        """Return whether a colour may decline a bonus: only the neutral one may not."""
        return self.owners[colour] is not None

    def turn(self, colour: int) -> Due:
        """Return the agenda entry for a colour's turn."""
        return Due("play", colour)

    @abstractmethod
    def handing(self, order: Sequence[int]) -> list[Due]:
        """Return the agenda entries that turn the dealt packs into hands.

        :param order: the colours in this round's order.
        """

    # -- knowledge
    def direction(self, round_: int) -> str | None:
        """Return which way packs are passed in a round, ``left`` or ``right``; None if they are not
        passed.
        """
        return None

    def packs_seen(self, state: IsoldeState, seat: int) -> list[list[Card]]:
        """Return the packs that a seat has looked at in this round, in order."""
        return []

    def remember(self, state: IsoldeState, view: View) -> Any:
        """Return data for ``imagine_cards``, computed once per view. All fields of the state are
        set except those with cards.
        """
        return None

    @abstractmethod
    def imagine_cards(
        self, state: IsoldeState, view: View, memory: Any, rng: random.Random
    ) -> None:
        """Fill the fields that hold cards, consistently with a view; all other fields are set.

        :param memory: the result of ``remember`` for the view.
        """


# ---------------------------------------------------------------------------------- rules
@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """The rules of a match. There is one instance per (players, variants, numbers); see
    ``rules_for``.

    :param variants: all options except the starter.
    :param colours: the number of colours; at least the number of players.
    :param boards: in the order of scoring.
    :param board: the boards by id.
    :param steps: the steps by name.
    :param routes: the boards on which each card can be played.
    :param play_moves: the moves that play each card, in the order of ``routes``.
    :param plays: move -> (card, board).
    :param follow_ups: for each board, the function to call after a card was played there, or None.
    :param secretive: the boards about which some seats may know more than others.
    :param everyone: all seats.
    :param owned: the colours of each seat.
    :param owner_acts: (owner,) for each colour; empty for the neutral one.
    :param orders: the colours in playing order, by starter.
    :param closing: the boards that have something to do at the end of each round.
    :param schedules: the agenda of a whole round, by starter.
    :param words: the words that people may shorten when they type.
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
        """Return the refusal of a board on which this bonus or bet is not possible."""
        if board in self.board:
            return IllegalMove("board_excluded", board=board)
        return IllegalMove("unknown_board", text=board)
