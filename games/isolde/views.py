"""What a viewer knows, as plain data, and positions made from nothing else."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from games.engine import View
from games.isolde.cards import CARD, NAME, Hand, names
from games.isolde.state import Board, Due, IsoldeState, Rules, Shield, or_nobody, or_none
from games.isolde.steps import Sealed


def new_state(rules: Rules, options: Mapping[str, Any]) -> IsoldeState:
    """A position before anything has happened, without an agenda."""
    colours, boards = rules.colours, rules.boards
    return IsoldeState(
        rules=rules,
        options=dict(options),
        positions=[[0] * colours for _ in boards],
        order=[[] for _ in boards],
        notes=[board.blank for board in boards],
        shields=[()] * colours,
        packs=[()] * rules.seating.packs,
        kept=[()] * colours,
        hands=[()] * colours,
        played=[()] * colours,
    )


# --------------------------------------------------------------------------------- views
def public_view(state: IsoldeState) -> dict[str, Any]:
    """What everyone knows."""
    rules = state.rules
    return {
        "owners": list(rules.seating.owners),
        "starter": or_none(state.starter),
        "appointed": or_none(state.appointed),
        "order": list(rules.orders.get(state.starter, ())),
        "direction": rules.seating.direction(state.round),
        "rounds": rules.numbers.rounds,
        "colour": or_none(state.agenda[-1].colour) if state.agenda else None,
        "last": state.last or None,
        "agenda": [
            [due.step, or_none(due.colour), list(due.data)] for due in reversed(state.agenda)
        ],
        "boards": {board.id: _board(state, board) for board in rules.boards},
        "shields": [
            [
                {
                    "board": shield.board,
                    "round": shield.round,
                    "value": shield.value if shield.known is None else None,
                    "known_by": None if shield.known is None else list(shield.known),
                    "giver": or_none(shield.giver),
                }
                for shield in shields
            ]
            for shields in state.shields
        ],
        "packs": [len(pack) for pack in state.packs],
        "kept": [len(kept) for kept in state.kept],
        "hands": [len(hand) for hand in state.hands],
        "played": [
            [[NAME[card], rules.boards[board].id] for card, board in played]
            for played in state.played
        ],
        "piles": [[names(pile) for pile in both] for both in state.piles],
        "open": [names(pack) if state.piles else None for pack in state.packs],
    }


def private_view(state: IsoldeState, seat: int) -> dict[str, Any]:
    """What a seat knows in addition."""
    seating = state.rules.seating
    private: dict[str, Any] = {
        "pack": names(state.packs[seat]),
        "kept": _own(state, state.kept, seat),
        "hands": _own(state, state.hands, seat),
        "seen": [names(pack) for pack in seating.packs_seen(state, seat)],
        "sealed": state.sealed[seat] if state.sealed else None,
    }
    for board in state.rules.boards:
        private |= board.private(state, seat)
    return private


def _own(state: IsoldeState, hands: list[Hand], seat: int) -> list[list[str] | None]:
    """The cards of a seat's own colours."""
    owners = state.rules.seating.owners
    return [
        names(hand) if owner == seat else None for hand, owner in zip(hands, owners, strict=True)
    ]


def _board(state: IsoldeState, board: Board) -> dict[str, Any]:
    return {
        "positions": state.positions[board.slot][:],
        "order": state.order[board.slot][:],
        "due": board.due(state),
        "rounds": list(board.rounds),
        "resets": list(board.resets),
        "prizes": list(board.prizes),
        **board.public(state),
    }


# ------------------------------------------------------------------------- back from a view
def imagine(rules: Rules, view: View, rng: random.Random) -> IsoldeState:
    """A position that agrees with the view; what the view does not know is drawn."""
    state = _known(rules, view)
    for board in rules.boards:
        board.restore(state, view, rng)
    rules.seating.imagine_cards(state, view, rng)
    _seal(state, view, rng)
    return state


def _known(rules: Rules, view: View) -> IsoldeState:
    """Everything but notes of boards, cards and sealed moves. Face down shields count 0."""
    public = view.public
    state = new_state(rules, view.options)
    for board in rules.boards:
        state.positions[board.slot] = list(public["boards"][board.id]["positions"])
        state.order[board.slot] = list(public["boards"][board.id]["order"])
    state.shields = [
        tuple(
            Shield(
                shield["board"],
                shield["round"],
                shield["value"] or 0,
                None if shield["known_by"] is None else tuple(shield["known_by"]),
                or_nobody(shield["giver"]),
            )
            for shield in shields
        )
        for shields in public["shields"]
    ]
    state.played = [
        tuple((CARD[card], rules.board[board].slot) for card, board in played)
        for played in public["played"]
    ]
    state.agenda = [
        Due(step, or_nobody(colour), tuple(data))
        for step, colour, data in reversed(public["agenda"])
    ]
    state.actors = view.actors
    state.starter = or_nobody(public["starter"])
    state.appointed = or_nobody(public["appointed"])
    state.last = public["last"] or ""
    state.ply, state.round = view.ply, view.round
    return state


def _seal(state: IsoldeState, view: View, rng: random.Random) -> None:
    """Give those who have chosen already some choice, and the viewer the real one."""
    step = state.rules.steps[state.agenda[-1].step] if state.agenda else None
    if not isinstance(step, Sealed):
        return
    state.sealed = [None] * view.players
    for seat in range(view.players):
        if seat == view.viewer:
            state.sealed[seat] = view.private["sealed"]
        elif seat not in view.actors:
            moves = step.legal(state, seat)
            state.sealed[seat] = moves[int(rng.random() * len(moves))]
