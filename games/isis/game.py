"""The rules of Isis; the package describes notation, views and facts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain
from typing import Any

from games.engine import CHANCE, Fact, GameInfo, Move, Option, Outcome, Setup, View
from games.house import (
    LOT,
    NOBODY,
    TakingTurns,
    or_nobody,
    or_none,
    starter_drawn,
    starter_of,
    starter_option,
    tell,
)
from games.isis import notation
from games.isis.board import MEANING, PERSONAL, STONES, THRONES, TURN, UNDERWORLD, board_for, set_of
from games.isis.position import DUE, NOWHERE, OVER, IsisState

REPEATED = 3
"""A situation that occurs this many times ends the match."""


class Isis(TakingTurns[IsisState]):
    """Move stones from the underworld into heaven; take a throne with your own."""

    info = GameInfo(
        id="isis",
        rules=1,
        players=(2, 3, 4),
        options=(
            Option("places", "bool", default=False, players=frozenset({3, 4})),
            Option("retreat", "bool", default=False),
            Option("hints", "bool", default=True),
            Option("cap", "int", 300, lo=60, hi=500),
            starter_option(4),
        ),
        draws=True,
        chance="enumerable",
        max_branching=256,
        max_events=501,  # the lot, and one event for each turn up to the highest cap
    )

    notation = notation

    # -- the course of a match
    def start(self, setup: Setup) -> IsisState:
        """Return the position with all stones in the underworld. The lot comes first unless the
        starter is fixed.
        """
        state = IsisState(
            board=board_for(setup.options["retreat"]),
            options=dict(setup.options),
            phase=LOT,
            turn=NOBODY,
            starter=NOBODY,
            neutral=[],
            below=STONES,
            personal=[NOWHERE] * setup.players,
            turned=[False] * setup.players,
            amulets=[""] * setup.players,
            occupied=0,
            ban=NOWHERE,
            placed=[],
            turns=0,
            seen={},
        )
        starter = starter_of(setup)
        if starter is not None:
            _appoint(state, starter)
        return state

    def legal(self, state: IsisState, seat: int) -> list[Move]:
        """Return moves of neutral stones, first out of the underworld, then by square; moves of the
        seat's own stone; then moves that turn a stone over.
        """
        return list(chain.from_iterable(state.choices(seat)))

    def do(self, state: IsisState, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        """Play a move or apply the lot, and pass for seats that cannot act."""
        state.ply += 1
        meant = MEANING.get(move)
        if meant is not None:
            _move(state, seat, move, *meant, fx)
        elif seat == CHANCE:
            starter = starter_drawn(move)
            tell(fx, "starter", reveals=True, seat=starter)
            _appoint(state, starter)
        else:
            _turn_over(state, seat, int(move.removeprefix(TURN)), fx)

    def outcome(self, state: IsisState) -> Outcome | None:
        """Return the ranking: those who took a throne, in order; everyone else shares the next
        place.
        """
        if state.phase != OVER:
            return None
        players = range(len(state.personal))
        last = len(state.placed) + 1
        ranks = tuple(
            state.placed.index(seat) + 1 if seat in state.placed else last for seat in players
        )
        thrones = tuple(float(seat in state.placed) for seat in players)
        return Outcome(ranks, thrones, state.reason)

    # -- knowledge
    def public(self, state: IsisState) -> dict[str, Any]:
        """Return the whole position, because nothing is hidden."""
        return {
            "neutral": state.neutral[:],
            "below": state.below,
            "personal": [or_none(square) for square in state.personal],
            "turned": state.turned[:],
            "amulets": state.amulets[:],
            "ban": or_none(state.ban),
            "steps": {"below": state.steps(UNDERWORLD), "in_play": state.in_play},
            "placed": state.placed[:],
            "turns": state.turns,
            "starter": or_none(state.starter),
            "turn": or_none(state.turn),
            "seen": list(state.seen.values()),
        }

    def determinize(self, view: View, rng: random.Random) -> IsisState:
        """Return the position that the view describes."""
        return position_of(view)

    # -- notation
    def typed(self, text: str, names: Sequence[str]) -> str:
        """Let ``46-44`` mean a stone of any kind, because people think of squares rather than
        notation.
        """
        return notation.of_any_stone(text)


def position_of(view: View) -> IsisState:
    """Return the position that a view describes."""
    public = view.public
    personal = [or_nobody(square) for square in public["personal"]]
    outcome = view.outcome
    return IsisState(
        board=board_for(view.options["retreat"]),
        options=dict(view.options),
        phase=view.phase,
        turn=or_nobody(public["turn"]),
        starter=or_nobody(public["starter"]),
        neutral=list(public["neutral"]),
        below=public["below"],
        personal=personal,
        turned=list(public["turned"]),
        amulets=list(public["amulets"]),
        occupied=set_of(sq for sq in (*public["neutral"], *personal) if sq > UNDERWORLD),
        ban=or_nobody(public["ban"]),
        placed=list(public["placed"]),
        turns=public["turns"],
        seen={tuple(seen[:-1]): seen for seen in public["seen"]},
        reason=outcome.reason if outcome else "",
        ply=view.ply,
        round=view.round,
    )


# -------------------------------------------------------------------------- the events
def _appoint(state: IsisState, starter: int) -> None:
    state.phase, state.starter, state.turn = DUE, starter, starter
    _count_situation(state)


def _move(
    state: IsisState, seat: int, move: Move, origin: int, square: int, fx: list[Fact] | None
) -> None:
    """Move a stone. Unless it took a throne, send down to the underworld every stone that the move
    locked in.
    """
    personal = move[0] == PERSONAL
    if fx is not None:  # playouts call this a million times, and need no path
        path = list(state.path(move))
        tell(fx, "moved", seat=seat, personal=personal, origin=origin, square=square, path=path)
    if personal:
        state.move_personal(seat, square)
        state.ban = NOWHERE
    else:
        state.move_neutral(origin, square)
        state.ban = square
    if square in THRONES:
        _place(state, seat, square, fx)
        return
    _lock_in(state, fx)
    _hand_on(state, fx)


def _turn_over(state: IsisState, seat: int, square: int, fx: list[Fact] | None) -> None:
    """Turn a neutral stone into a personal one. This takes the whole turn."""
    state.turn_over(seat, square)
    state.ban = NOWHERE
    state.seen.clear()
    tell(fx, "turned", seat=seat, square=square, amulet=state.amulets[seat])
    _hand_on(state, fx)


def _lock_in(state: IsisState, fx: list[Fact] | None) -> None:
    """Send all locked stones to the underworld at once.

    This cannot lock in further stones: with fewer stones in play, each has to make fewer steps and
    has more room.
    """
    locked = state.locked()
    if not locked:
        return
    owners = [state.owner(square) for square in locked]
    for square, owner in zip(locked, owners, strict=True):
        if owner is None:
            state.move_neutral(square, UNDERWORLD)
        else:
            state.move_personal(owner, UNDERWORLD)
    if fx is not None:
        tell(fx, "locked", squares=locked, owners=owners)


def _place(state: IsisState, seat: int, throne: int, fx: list[Fact] | None) -> None:
    """Give the seat its place. If others play on, its stone becomes neutral again."""
    state.placed.append(seat)
    tell(fx, "placed", seat=seat, square=throne, place=len(state.placed))
    playing_on = state.options.get("places", False)
    if playing_on and len(state.placed) < len(state.personal) - 1:
        state.turn_back(seat)
        state.seen.clear()
        _hand_on(state, fx)
    else:
        _end(state, "places" if playing_on else "throne", fx)


def _hand_on(state: IsisState, fx: list[Fact] | None) -> None:
    """Give the turn to the next seat that can act; the seats in between pass."""
    cap: int = state.options["cap"]
    _next_turn(state)
    while state.turns < cap and not state.can_act(state.turn):
        state.ban = NOWHERE  # after a pass nothing is banned
        tell(fx, "passed", seat=state.turn)
        _next_turn(state)
    if state.turns >= cap:
        _end(state, "cap", fx)
    elif _count_situation(state) >= REPEATED:
        _end(state, "repetition", fx)


def _next_turn(state: IsisState) -> None:
    state.turns += 1
    players, placed = len(state.personal), state.placed
    state.turn = (state.turn + 1) % players
    while state.turn in placed:
        state.turn = (state.turn + 1) % players


def _count_situation(state: IsisState) -> int:
    """Count the current situation.

    :returns: how often it has occurred.
    """
    situation, seen = state.situation(), state.seen
    times = seen[situation][-1] + 1 if situation in seen else 1
    seen[situation] = [*situation, times]
    return times


def _end(state: IsisState, reason: str, fx: list[Fact] | None) -> None:
    state.phase, state.turn, state.reason = OVER, NOBODY, reason
    tell(fx, "over", reason=reason)
