"""The rules of Don Quixote; the package describes notation, views and facts."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from games.donquixote import notation
from games.donquixote.accounts import scoring_account
from games.donquixote.position import (
    CASTLES_DUE,
    DEAL,
    FIELD,
    HAND_SIZES,
    NOWHERE,
    OVER,
    PLACE,
    ROUNDS,
    QuixoteState,
)
from games.donquixote.principality import Points, Principality
from games.donquixote.tiles import CASTLES, FIELDS, PIECES, SANCHO, TURNED, WAY_TILES, touching
from games.engine import (
    CHANCE,
    Event,
    Fact,
    GameInfo,
    Move,
    Option,
    Outcome,
    Setup,
    View,
    draw,
    shuffled,
)
from games.house import HouseGame, tell

RATINGS = (
    (70, "fantastic"),
    (60, "excellent"),
    (50, "very_good"),
    (40, "good"),
    (30, "fair"),
    (0, "windmills"),
)
"""Solo play: the minimum points for each rating, and its key."""

FIELD_DRAW = "field:"
EVERYBODY = "*"
SEALED = "?"
"""What the others see of a choice before everyone has chosen."""


# --------------------------------------------------------------------------- the rules
class DonQuixote(HouseGame[QuixoteState]):
    """Lay tiles so that roads connect churches, windmills, knights and castles."""

    info = GameInfo(
        id="donquixote",
        rules=1,
        players=(1, 2, 3, 4),
        options=(
            Option("same_hands", "bool", default=False, players=frozenset({2, 3, 4})),
            Option("sancho", "bool", default=False),
        ),
        places=False,  # the rulebook only names a winner
        simultaneous=True,
        chance="sampled",
        accounts=frozenset({"scored"}),
        max_branching=2 * max(HAND_SIZES) + 1,
        max_events=len(CASTLES) + (1 + 4) * len(WAY_TILES) + 4 * ROUNDS,
    )

    notation = notation

    # -- the course of a match
    def start(self, setup: Setup) -> QuixoteState:
        """Return the position with empty principalities, before the castles are placed."""
        players = range(setup.players)
        return QuixoteState(
            options=dict(setup.options),
            phase=CASTLES_DUE,
            actors=(CHANCE,),
            lands=[Principality() for _ in players],
            hands=[[] for _ in players],
            stacks=[[tile.name for tile in WAY_TILES] for _ in players],
            sancho=[setup.options["sancho"] for _ in players],
            left_over=[None for _ in players],
            choices={},
            scored=[[] for _ in players],
        )

    def legal(self, state: QuixoteState, seat: int) -> list[Move]:
        """Return every unlocked tile in the hand, in both orientations, and Sancho Pansa if it can
        still be laid.
        """
        hand = state.hands[seat]
        if state.locked(seat):
            hand = hand[:-1]
        moves = [move for tile in hand for move in (tile, tile + TURNED)]
        if state.sancho[seat]:
            moves.append(SANCHO.name)
        return moves

    def do(self, state: QuixoteState, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        """Record a choice, or apply a draw."""
        state.ply += 1
        if seat != CHANCE:
            _choose(state, seat, move, fx)
        elif state.phase == FIELD:
            _open_field(state, move, fx)
        elif state.phase == DEAL:
            _deal(state, move, fx)
        else:
            _set_castle(state, move, fx)

    def outcome(self, state: QuixoteState) -> Outcome | None:
        """Return the ranking by points; equal points share a place."""
        if state.phase != OVER:
            return None
        totals = _totals(state)
        ranks = tuple(1 + sum(other > mine for other in totals) for mine in totals)
        return Outcome(ranks, tuple(map(float, totals)), "points")

    # -- chance
    def chance(self, state: QuixoteState) -> list[tuple[Move, float]] | None:
        """Return the fields where a castle may be placed or that a position card may name; None for
        hands, because there are too many to list.
        """
        if state.phase == DEAL:
            return None
        what, fields = _fields_to_draw(state)
        return [(what + where, 1.0) for where in fields]

    def sample(self, state: QuixoteState, rng: random.Random) -> Move:
        """Draw a field or deal a hand."""
        if state.phase == DEAL:
            return _sampled_deal(state, rng)
        what, fields = _fields_to_draw(state)
        return what + fields[draw(rng, len(fields))]

    # -- knowledge
    def public(self, state: QuixoteState) -> dict[str, Any]:
        """Return everything except choices before everyone has chosen."""
        return {
            "boards": [land.board.copy() for land in state.lands],
            "hands": [hand[:] for hand in state.hands],
            "locked": [state.locked(seat) for seat in range(state.players)],
            "stacks": [stack[:] for stack in state.stacks],
            "sancho": state.sancho[:],
            "left_over": state.left_over[:],
            "field": state.field or None,
            "placed": state.placed,
            "hand_size": state.hand_size,
            "totals": _totals(state),
            "scored": [[points._asdict() for points in each] for each in state.scored],
        }

    def private(self, state: QuixoteState, seat: int) -> dict[str, Any]:
        """Return the seat's own choice before everyone has chosen."""
        return {"choice": state.choices[seat]} if seat in state.choices else {}

    def determinize(self, view: View, rng: random.Random) -> QuixoteState:
        """Return the position that the view describes, with random choices for the other seats that
        have chosen.

        Future draws need not be guessed, because they are not part of a position.
        """
        public = view.public
        state = QuixoteState(
            options=dict(view.options),
            phase=view.phase,
            actors=view.actors,
            lands=[Principality.of(board) for board in public["boards"]],
            hands=[list(hand) for hand in public["hands"]],
            stacks=[list(stack) for stack in public["stacks"]],
            sancho=list(public["sancho"]),
            left_over=list(public["left_over"]),
            choices={},
            scored=[[Points(**points) for points in each] for each in public["scored"]],
            field=public["field"] or NOWHERE,
            placed=public["placed"],
            ply=view.ply,
            round=view.round,
        )
        if view.phase == PLACE:
            for seat in range(view.players):
                if seat not in view.actors:
                    mine = seat == view.viewer
                    choice = view.private["choice"] if mine else self.random_move(state, seat, rng)
                    state.choices[seat] = choice
        return state

    def observed(self, state: QuixoteState, event: Event, viewer: int | None) -> Move:
        """Return the event as a viewer sees it: another player's choice is sealed, unless it is the
        last one, which reveals all.
        """
        sealed = event.seat != CHANCE and event.seat != viewer and len(state.actors) > 1
        return SEALED if sealed else event.move

    def shown(self, fact: Fact) -> tuple[int, Move] | None:
        """Return the choice that a fact reveals; None if it reveals none."""
        if fact.kind != "placed":
            return None
        return fact.data["seat"], fact.data["tile"] + (TURNED if fact.data["turned"] else "")

    def facts(self, players: int, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return ``alone``, whether one person plays, and the minimum points for each rating of a
        solo match.
        """
        ratings = {key: least for least, key in RATINGS}
        return {**super().facts(players, options), "alone": players == 1, **ratings}


# -------------------------------------------------------------------------------- draws
def _fields_to_draw(state: QuixoteState) -> tuple[str, Sequence[str]]:
    """Return what is drawn next (a castle's place or a position card), and all fields that may be
    drawn.
    """
    land = state.lands[0]
    if state.phase == FIELD:
        return FIELD_DRAW, land.free_fields()
    castle = CASTLES[len(land.board)]
    return castle.name + ":", _castle_fields(*land.board)


@cache
def _castle_fields(*taken: str) -> tuple[str, ...]:
    """Return the fields where a castle may be placed: never one that touches the other castle, not
    even diagonally.

    A position card that names a forbidden field is replaced with another, so all remaining fields
    are equally likely.
    """
    return tuple(where for where in FIELDS if not any(touching(where, other) for other in taken))


def _sampled_deal(state: QuixoteState, rng: random.Random) -> Move:
    seat = state.hands.index([])
    receiver = EVERYBODY if state.options.get("same_hands") else seat + 1
    tiles = shuffled(rng, state.stacks[seat])[: state.hand_size]
    return f"deal:{receiver}:{','.join(tiles)}"


def _set_castle(state: QuixoteState, move: Move, fx: list[Fact] | None) -> None:
    castle, where = move.split(":")
    for land in state.lands:
        land.lay(castle, where)
    tell(fx, "castle", reveals=True, castle=castle, value=PIECES[castle].tile.worth, field=where)
    if len(state.lands[0].board) == len(CASTLES):
        state.phase = DEAL


def _deal(state: QuixoteState, move: Move, fx: list[Fact] | None) -> None:
    """Deal a hand to one seat, or the same hand to all. Position cards follow once every seat has a
    hand.
    """
    _, receiver, listed = move.split(":")
    seats = range(len(state.hands)) if receiver == EVERYBODY else (int(receiver) - 1,)
    tiles = listed.split(",")
    for seat in seats:
        state.hands[seat] = tiles[:]
        state.stacks[seat] = [tile for tile in state.stacks[seat] if tile not in tiles]
    tell(
        fx,
        "dealt",
        reveals=True,
        seats=list(seats),
        tiles=tiles,
        locked=state.locked(seats[0]),
        round=state.round,
    )
    if all(state.hands):
        state.phase = FIELD


def _open_field(state: QuixoteState, move: Move, fx: list[Fact] | None) -> None:
    """Turn up a position card: everyone has to fill this field."""
    state.field = move.removeprefix(FIELD_DRAW)
    if state.field not in FIELDS:  # a damaged record would otherwise fail much later
        raise ValueError(f"{move} draws no field")
    state.phase = PLACE
    state.actors = tuple(range(len(state.lands)))
    if fx is not None:
        tell(
            fx,
            "field",
            reveals=True,
            field=state.field,
            round=state.round,
            number=state.placed + 1,
            of=state.hand_size,
        )


# ------------------------------------------------------------------- placing and scoring
def _choose(state: QuixoteState, seat: int, move: Move, fx: list[Fact] | None) -> None:
    state.choices[seat] = move
    if len(state.choices) == len(state.lands):
        _place_all(state, fx)
    else:
        state.actors = tuple(other for other in state.actors if other != seat)
        tell(fx, "chosen", seat=seat)


def _place_all(state: QuixoteState, fx: list[Fact] | None) -> None:
    for seat, move in sorted(state.choices.items()):
        _place(state, seat, move, fx)
    state.choices = {}
    state.field = NOWHERE
    state.placed += 1
    state.actors = (CHANCE,)
    if state.placed < state.hand_size:
        state.phase = FIELD
    else:
        _end_round(state, fx)


def _place(state: QuixoteState, seat: int, move: Move, fx: list[Fact] | None) -> None:
    tile = move.removesuffix(TURNED)
    state.lands[seat].lay(move, state.field)
    if tile == SANCHO.name:
        state.sancho[seat] = False
    else:
        state.hands[seat].remove(tile)
    if fx is not None:
        tell(
            fx,
            "placed",
            reveals=len(state.lands) > 1,
            seat=seat,
            field=state.field,
            tile=tile,
            turned=move != tile,
        )


def _end_round(state: QuixoteState, fx: list[Fact] | None) -> None:
    for seat, hand in enumerate(state.hands):
        if hand:  # Sancho Pansa was laid instead
            state.left_over[seat] = hand.pop()
            tell(fx, "left_over", seat=seat, tile=state.left_over[seat])
    for seat, land in enumerate(state.lands):
        state.scored[seat].append(land.score(state.round))
        if fx is not None:
            reasons = scoring_account(land.board, state.round)
            tell(fx, "scored", seat=seat, total=state.total(seat), **reasons)
    if state.round < ROUNDS:
        state.round += 1
        state.placed = 0
        state.phase = DEAL
    else:
        _end(state, fx)


def _end(state: QuixoteState, fx: list[Fact] | None) -> None:
    state.phase, state.actors = OVER, ()
    totals = _totals(state)
    best = max(totals)
    tell(
        fx,
        "over",
        reason="points",
        winners=[seat for seat, total in enumerate(totals) if total == best],
        totals=totals,
        rating=rating(best) if len(totals) == 1 else None,
    )


def _totals(state: QuixoteState) -> list[int]:
    return [state.total(seat) for seat in range(len(state.lands))]


def rating(points: int) -> str:
    """Return the rating of a solo result: a key of RATINGS."""
    return next(key for least, key in RATINGS if points >= least)
