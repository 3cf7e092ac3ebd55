"""The knowledge of a viewer, as plain data, and positions sampled from it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

from games.engine import View
from games.house import or_nobody, or_none
from games.isolde.cards import CARD, NAME, Card, names
from games.isolde.state import IsoldeState, Rules, Shield, due_for, open_shield
from games.isolde.steps import Sealed


def new_state(rules: Rules, options: Mapping[str, Any]) -> IsoldeState:
    """Return a position before anything has happened, with an empty agenda."""
    colours, boards = rules.colours, rules.boards
    return IsoldeState(
        rules=rules,
        options=dict(options),
        positions=[[0] * colours for _ in boards],
        order=[[] for _ in boards],
        notes=[board.blank for board in boards],
        shields=[()] * colours,
        packs=[[] for _ in range(rules.seating.packs)],
        kept=[()] * colours,
        hands=[[] for _ in range(colours)],
        played=[()] * colours,
    )


# --------------------------------------------------------------------------------- views
def public_view(state: IsoldeState) -> dict[str, Any]:
    """Return what everyone knows."""
    rules = state.rules
    boards = rules.boards
    return {
        "owners": list(rules.seating.owners),
        "starter": or_none(state.starter),
        "appointed": or_none(state.appointed),
        "order": list(rules.orders.get(state.starter, ())),
        "direction": rules.seating.direction(state.round),
        "rounds": rules.numbers.rounds,
        "colour": or_none(state.agenda[-1].colour) if state.agenda else None,
        "last": state.last or None,
        "agenda": [due.shown for due in reversed(state.agenda)],
        "boards": {board.id: board.public(state) for board in boards},
        "shields": [_shields(won) for won in state.shields],
        "packs": [len(pack) for pack in state.packs],
        "kept": [len(kept) for kept in state.kept],
        "hands": [len(hand) for hand in state.hands],
        "played": [_played(rules, played) for played in state.played],
        "piles": [[names(pile) for pile in both] for both in state.piles],
        "open": list(map(names, state.packs)) if state.piles else [None] * len(state.packs),
    }


def private_view(state: IsoldeState, seat: int) -> dict[str, Any]:
    """Return what a seat knows beyond the public view."""
    seating = state.rules.seating
    private: dict[str, Any] = {
        "pack": names(state.packs[seat]),
        "kept": _own(state, state.kept, seat),
        "hands": _own(state, state.hands, seat),
        "seen": [names(pack) for pack in seating.packs_seen(state, seat)],
        "sealed": state.sealed[seat] if state.sealed else None,
    }
    for board in state.rules.secretive:
        private |= board.private(state, seat)
    return private


# The same shields are shown many times, so views share their data.
@lru_cache(maxsize=1 << 10)
def _shields(won: tuple[Shield, ...]) -> list[dict[str, Any]]:
    return list(map(_shield, won))


@lru_cache(maxsize=1 << 12)
def _shield(shield: Shield) -> dict[str, Any]:
    face_down = shield.known is not None
    return {
        "board": shield.board,
        "round": shield.round,
        "value": None if face_down else shield.value,
        "known_by": list(shield.known) if shield.known is not None else None,
        "giver": or_none(shield.giver),
    }


@lru_cache(maxsize=1 << 10)
def _played(rules: Rules, played: tuple[tuple[Card, int], ...]) -> list[list[str]]:
    return [[NAME[card], rules.boards[board].id] for card, board in played]


def _own(state: IsoldeState, hands: Sequence[Sequence[Card]], seat: int) -> list[list[str] | None]:
    """Return lists of cards by colour, with None for colours that the seat does not own."""
    own: list[list[str] | None] = [None] * len(hands)
    for colour in state.rules.owned[seat]:
        own[colour] = names(hands[colour])
    return own


# ----------------------------------------------------------------------- sampling from a view
Known = tuple[View, IsoldeState, Any, Sequence[Any]]
"""Everything that a view determines without a draw: the view itself; a position that lacks what is
drawn (unplayed cards, sealed moves and the secrets of boards); the seating's data; and the data of
each secretive board.
"""


def known(rules: Rules, view: View) -> Known:
    """Return everything that a view determines without a draw."""
    state = _known(rules, view)
    for board in rules.boards:
        board.restore(state, view)
    secrets = [board.remember(state, view.viewer) for board in rules.secretive]
    return view, state, rules.seating.remember(state, view), secrets


def imagine(known: Known, rng: random.Random) -> IsoldeState:
    """Return a random position consistent with the view."""
    view, state, memory, secrets = known
    state = state.clone()
    for board, secret in zip(state.rules.secretive, secrets, strict=True):
        board.imagine(state, secret, rng)
    state.rules.seating.imagine_cards(state, view, memory, rng)
    _seal(state, view, rng)
    return state


def _known(rules: Rules, view: View) -> IsoldeState:
    """Return the position without unplayed cards, sealed moves or the boards' notes. Face-down
    shields are worth 0.
    """
    public = view.public
    boards = [public["boards"][board.id] for board in rules.boards]
    state = new_state(rules, view.options)
    state.positions = [list(board["positions"]) for board in boards]
    state.order = [list(board["order"]) for board in boards]
    state.shields = [tuple(map(_won, won)) for won in public["shields"]]
    state.played = [
        tuple([(CARD[card], rules.board[board].slot) for card, board in played])
        for played in public["played"]
    ]
    state.agenda = [
        due_for(step, or_nobody(colour), tuple(data))
        for step, colour, data in reversed(public["agenda"])
    ]
    state.actors, state.ply, state.round = view.actors, view.ply, view.round
    state.starter, state.appointed = or_nobody(public["starter"]), or_nobody(public["appointed"])
    state.last = public["last"] or ""
    return state


_shield_shown = itemgetter("board", "round", "value", "known_by", "giver")


def _won(shown: dict[str, Any]) -> Shield:
    board, round_, value, known, giver = _shield_shown(shown)
    if known is None and giver is None:
        return open_shield(board, round_, value)
    known = None if known is None else tuple(known)
    return Shield(board, round_, value or 0, known, or_nobody(giver))


def _seal(state: IsoldeState, view: View, rng: random.Random) -> None:
    """Fill in a choice for each seat that has already chosen: the viewer's own, and random ones for
    the others.
    """
    step = state.rules.steps[state.agenda[-1].step] if state.agenda else None
    if not isinstance(step, Sealed):
        return
    state.sealed = [None] * view.players
    for seat in range(view.players):
        if seat == view.viewer:
            state.sealed[seat] = view.private["sealed"]
        elif seat not in view.actors:
            state.sealed[seat] = step.random_move(state, seat, rng)
