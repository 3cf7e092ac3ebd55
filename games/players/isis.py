"""Isis for computer players: who has a personal stone, its progress, and thrones in reach.

A throne can be taken when a free path to it has exactly as many steps as there are stones in play.
Every stone that is moved up or locked in changes this number for all, so long-term plans are
useless. Looking ahead is left to the search; this module only supplies the value of a stone on each
square.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from math import floor

from games.engine import Fact, Move
from games.isis.board import HEAVEN, MEANING, PERSONAL, THRONES, TURN, UNDERWORLD, Reach, column
from games.isis.danger import dangers
from games.isis.position import NOWHERE, IsisState
from games.players.policy import Policy

TURNING, OWN_STONE, OTHER_STONE = 3.0, 1.5, 1.0
"""Weights of the kinds of moves. A personal stone is the first step to a throne."""

BELOW, ON_EARTH, IN_HEAVEN, BEFORE_THRONE = 0.1, 0.25, 0.45, 0.75
"""The value of a seat's own stone, by where it is; the last one applies if its path to a throne is
free.
"""

ONWARDS = 0.003
"""The value of each further square on earth."""

CERTAINTY = 0.9
"""A lead in value is multiplied by this: below 1, because no position is certain before the end."""

EAGERNESS = 0.7
"""How likely a playout is to consider only turning a stone over, if it can."""

NOTABLE = 3
"""A move is worth mentioning if it leaves an opponent with at least this many fewer moves."""


class IsisPolicy(Policy[IsisState]):
    """Recognises a throne in reach."""

    playout = 12

    def weights(self, state: IsisState, seat: int, moves: Sequence[Move]) -> list[float]:
        """Weight moves by their kind."""
        return [
            TURNING
            if move.startswith(TURN)
            else OWN_STONE
            if move.startswith(PERSONAL)
            else OTHER_STONE
            for move in moves
        ]

    def decisive(self, state: IsisState, seat: int) -> Move | None:
        """Return the move that takes a throne; None if there is none."""
        return throne_in_reach(state, seat)

    def pick(self, state: IsisState, seat: int, rng: random.Random) -> Move:
        """Return a move that takes a throne; if there is none, usually one that turns a stone over,
        otherwise any move.
        """
        throne = throne_in_reach(state, seat)
        if throne is not None:
            return throne
        moves: Sequence[Move] = state.turnings(seat)
        if not moves or rng.random() > EAGERNESS:
            moves = self.game.legal(state, seat)
        return moves[floor(rng.random() * len(moves))]

    def glance(self, state: IsisState, seat: int, move: Move) -> float:
        """Judge a move by the square of the seat's own stone afterwards, ignoring later moves."""
        after = state.clone()
        self.game.do(after, seat, move)
        outcome = self.game.outcome(after)
        if outcome is not None:
            return self.game.utility(outcome)[seat]
        return _standing(after.personal[seat])

    def values(self, state: IsisState) -> Sequence[float]:
        """Return the value of each seat's own stone, minus the average of the others'; once the
        match is over, the value of its result.
        """
        outcome = self.game.outcome(state)
        if outcome is not None:
            return self.game.utility(outcome)
        worths = [_worth(state, seat) for seat in range(len(state.personal))]
        whole, others = sum(worths), len(worths) - 1
        return [CERTAINTY * (worth - (whole - worth) / others) for worth in worths]

    def motives(self, state: IsisState, seat: int, move: Move) -> list[Fact]:
        """Return the motives for a move. ``aims``: the seat's own stone could take a throne next.
        ``parries``: it stops an opponent who could have taken a throne next. ``shelters``: the
        seat's own stone can no longer be locked in next. ``endangers``: an opponent's own stone can
        now be locked in. For more, see ``_own_way`` and ``_in_the_way``.
        """
        after = state.clone()
        self.game.do(after, seat, move)
        return [*_aimed(state, after, seat), *_effects(state, after, seat, move)]

    def traits(self, state: IsisState, seat: int, move: Move) -> list[Fact]:
        """Return the traits of a move. ``nears``: by how many columns a neutral stone gets nearer
        to heaven; ``recedes``: by how many it gets farther away; ``stays``: it stays in its column.
        ``within``: it stays in heaven; ``leaves``: it leaves heaven. ``ways``: how many moves the
        seat's own stone then has.
        """
        origin, square = MEANING.get(move, (NOWHERE, NOWHERE))
        after = state.clone()
        self.game.do(after, seat, move)
        if move.startswith(PERSONAL):
            ways = _ways(after, seat)
            return [Fact("ways", {"seat": seat, "number": ways})] if ways else []
        if origin == NOWHERE or square == UNDERWORLD:
            return []
        if origin in HEAVEN:
            return [Fact("within" if square in HEAVEN else "leaves", {"seat": seat})]
        if square in HEAVEN:
            return []
        nearer = column(square) - column(origin)
        kind = "nears" if nearer > 0 else "recedes" if nearer else "stays"
        return [Fact(kind, {"seat": seat, "number": abs(nearer)})]

    def drawbacks(self, state: IsisState, seat: int, move: Move) -> list[Fact]:
        """Return the drawbacks of a move. ``lets``: another seat can then take a throne. ``risks``:
        the seat's own stone can then be locked in.
        """
        after = state.clone()
        self.game.do(after, seat, move)
        if after.turn == NOWHERE:
            return []
        others = (other for other in range(len(state.personal)) if other != seat)
        told = [Fact("lets", {"seat": other}) for other in others if throne_in_reach(after, other)]
        if any(danger.owner == seat for danger in dangers(after)):
            told.append(Fact("risks", {"seat": seat}))
        return told


# ---------------------------------------------------------------------------- the motives
def _aimed(state: IsisState, after: IsisState, seat: int) -> Iterator[Fact]:
    if not throne_in_reach(state, seat) and throne_in_reach(after, seat):
        yield Fact("aims", {"seat": seat})
    for other in range(len(state.personal)):
        threatened = other != seat and throne_in_reach(state, other)
        if threatened and not throne_in_reach(after, other):
            yield Fact("parries", {"seat": other})


def _effects(state: IsisState, after: IsisState, seat: int, move: Move) -> Iterator[Fact]:
    """Yield the effects of a move on the seat's own stone and on the other seats' stones."""
    running = after.turn != NOWHERE
    before = {danger.owner for danger in dangers(state)}
    then = {danger.owner for danger in dangers(after)} if running else set()
    yield from _own_way(state, after, seat, move)
    if seat in before - then and after.personal[seat] > UNDERWORLD:
        yield Fact("shelters", {"seat": seat})
    for other in range(len(state.personal)):
        if other != seat and running:
            yield from _in_the_way(state, after, other)
            if other in then - before:
                yield Fact("endangers", {"seat": other})


def _own_way(state: IsisState, after: IsisState, seat: int, move: Move) -> Iterator[Fact]:
    """Yield the motives for a move. ``ascends``: the seat's own stone reaches heaven. ``onwards``:
    by how many columns it gets nearer to heaven. ``lifts``: a neutral stone reaches heaven.
    ``frees``: how many more moves the seat's own stone has. ``prepares``: the seat can turn a stone
    over next.
    """
    origin, square = MEANING.get(move, (NOWHERE, NOWHERE))
    if origin != NOWHERE and origin < HEAVEN.start <= square:
        yield Fact("ascends" if move.startswith(PERSONAL) else "lifts", {"seat": seat})
    elif (
        move.startswith(PERSONAL)
        and origin > UNDERWORLD
        and column(origin) < column(square)
        and square < HEAVEN.start
    ):
        yield Fact("onwards", {"seat": seat, "number": column(square) - column(origin)})
    elif _ways(after, seat) > _ways(state, seat):
        number = _ways(after, seat) - _ways(state, seat)
        yield Fact("frees", {"seat": seat, "number": number})
    if not state.turnings(seat) and after.turnings(seat):
        yield Fact("prepares", {"seat": seat})


def _in_the_way(state: IsisState, after: IsisState, other: int) -> Iterator[Fact]:
    """Yield the motives for a move. ``denies``: the opponent can no longer turn a stone over next.
    ``halts``: the opponent's own stone has no move left; ``hampers``: how many fewer it has.
    ``restricts``: how many fewer moves the opponent has.
    """
    before, then = _on_turn(state, other), _on_turn(after, other)
    if before.turnings(other) and not then.turnings(other):
        yield Fact("denies", {"seat": other})
    ways = _ways(state, other) - _ways(after, other)
    if ways > 0:
        kind = "hampers" if _ways(after, other) else "halts"
        yield Fact(kind, {"seat": other, "number": ways})
    fewer = sum(map(len, before.choices(other))) - sum(map(len, then.choices(other)))
    if fewer >= NOTABLE:
        yield Fact("restricts", {"seat": other, "number": fewer})


def _on_turn(state: IsisState, seat: int) -> IsisState:
    """Return the position as if it were the seat's turn. The ban is lifted, unless it really is the
    seat's turn.
    """
    if seat == state.turn or state.ban == NOWHERE:
        return state
    world = state.clone()
    world.ban = NOWHERE
    return world


def _ways(state: IsisState, seat: int) -> int:
    """Return how many moves a seat's own stone would have if it were the seat's turn."""
    square = state.personal[seat]
    return 0 if square == NOWHERE else len(state.moves_of(square, True, state.may_descend(seat)))


# ------------------------------------------------------------------------------ the stones
def throne_in_reach(state: IsisState, seat: int) -> Move | None:
    """Return the move that would take a throne if it were the seat's turn; None if there is
    none.
    """
    square, occupied = state.personal[seat], state.occupied
    if square <= UNDERWORLD:
        return None
    for move, paths in _ways_to_thrones(state.board.ways[True][square, occupied.bit_count()]):
        for squares in paths:
            if not squares & occupied:
                return move
    return None


@cache
def _ways_to_thrones(way: Reach) -> tuple[tuple[Move, tuple[int, ...]], ...]:
    """Return the moves that end on a throne, each with the squares of every path that it
    may take.
    """
    return tuple((move, paths) for move, paths in way.ends if MEANING[move][1] in THRONES)


def _worth(state: IsisState, seat: int) -> float:
    if throne_in_reach(state, seat):
        return BEFORE_THRONE
    return _standing(state.personal[seat])


def _standing(square: int) -> float:
    """Return the value of a seat's own stone on a square, regardless of its moves."""
    if square == NOWHERE:
        return 0.0
    if square == UNDERWORLD:
        return BELOW
    return IN_HEAVEN if square >= HEAVEN.start else ON_EARTH + ONWARDS * square
