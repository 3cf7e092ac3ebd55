"""Helpers that set up positions of Fair Isolde; colours are called A to E, as on paper."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from games.engine import CHANCE, Event, Fact, IllegalMove
from games.isolde import Isolde, IsoldeState
from games.isolde.cards import cards_named, in_brief
from games.isolde.state import Due, Shield
from games.isolde.steps import proceed

GAME = Isolde()
COLOURS = "ABCDE"


def table(players: int = 4, round_: int = 1, starter: str = "A", **options: Any) -> IsoldeState:
    """A position within a round with no pending steps, ready for ``score``, ``turn`` or
    ``close``.
    """
    state = GAME.start(GAME.setup(players, {**options, "starter": "1"}))
    state.agenda.clear()
    state.actors = ()
    state.round = round_
    state.starter = COLOURS.index(starter)
    return state


def place(state: IsoldeState, board: str, pieces: str) -> None:
    """Place pieces on a board, ``"B4 A4 C3"``, first place first; all others are at the start."""
    slot = state.rules.board[board].slot
    state.positions[slot] = [0] * state.rules.colours
    state.order[slot] = []
    for piece in pieces.split():
        colour = COLOURS.index(piece[0])
        state.positions[slot][colour] = int(piece[1:])
        state.order[slot].append(colour)


def give_shields(state: IsoldeState, colour: str, *shields: tuple[str, int]) -> None:
    """Give a colour face-up shields, each as (board, value), from rounds 1, 2, ..."""
    for round_, (board, value) in enumerate(shields, 1):
        state.award(COLOURS.index(colour), Shield(board, round_, value))


def give_hand(state: IsoldeState, colour: str, cards: str) -> None:
    """Replace a colour's hand with these cards, ``"GRAL4 BARM3"``."""
    hand = cards_named(cards.split())
    state.kept[COLOURS.index(colour)] = tuple(hand)
    state.hands[COLOURS.index(colour)] = sorted(hand)


def due(state: IsoldeState, *dues: Due) -> list[Fact]:
    """Schedule these steps, and advance to the next decision."""
    facts: list[Fact] = []
    state.actors = ()
    state.then(*dues)
    proceed(state, facts)
    return facts


def score(state: IsoldeState, *boards: str) -> list[Fact]:
    """Score these boards, up to the next decision."""
    return due(state, *(Due("score", data=(board,)) for board in boards))


def close(state: IsoldeState) -> list[Fact]:
    """End the round and start the next one."""
    return due(state, Due("close"))


def decide(state: IsoldeState, *moves: str) -> list[Fact]:
    """Play these moves and draws, each by the only actor."""
    facts: list[Fact] = []
    for move in moves:
        (seat,) = GAME.actors(state)
        text = move if seat == CHANCE else GAME.parse(state, seat, move)
        GAME.do(state, seat, text, facts)
    return facts


def turn(state: IsoldeState, colour: str, card: str, *others: str) -> list[Fact]:
    """Give a colour a card and have it play that card: ``turn(state, "A", "KAMPF4>LANZE")``.

    :param others: further cards for its hand.
    """
    give_hand(state, colour, " ".join((card.partition(">")[0], *others, "BARM2", "GRAL2")))
    facts = due(state, Due("play", COLOURS.index(colour)))
    return facts + decide(state, f"play:{card}")


def two_face_down(first: str = "-3,-1,0,0", second: str = "-3,-1,0,0") -> IsoldeState:
    """Colour A must give away one of two face-down shields, from rounds 2 and 4.

    :param first: the codex of round 2; A took the first of its four shields, C the second.
    :param second: the codex of round 4.
    """
    state = table(4, round_=6, barm=True, kodex=True)
    for round_, values in ((2, first), (4, second)):
        state.round = round_
        due(state, Due("lay"))
        decide(state, f"lay:{values}")
        place(state, "STUDIEN", "A5 B4 C3 D2")
        score(state, "STUDIEN")
        decide(state, "take:1", "take:3", "take:2")
    state.round = 6
    place(state, "BARM", "A9 B8 C7 D6")
    score(state, "BARM")
    return state


def positions(state: IsoldeState, board: str) -> str:
    """The pieces on a board, first place first, then those at the start: ``"B4 A4 C3 D0"``."""
    known = state.rules.board[board]
    row = state.positions[known.slot]
    colours = [*state.order[known.slot], *known.unmoved(state)]
    return " ".join(f"{COLOURS[colour]}{row[colour]}" for colour in colours)


def won(state: IsoldeState, board: str) -> dict[str, list[int]]:
    """The values of a board's shields, by colour, for colours that have any."""
    return {
        COLOURS[colour]: [shield.value for shield in shields if shield.board == board]
        for colour, shields in enumerate(state.shields)
        if any(shield.board == board for shield in shields)
    }


def asked(state: IsoldeState) -> str:
    """The colour to decide."""
    return COLOURS[state.agenda[-1].colour]


def kinds(facts: list[Fact]) -> list[str]:
    return [fact.kind for fact in facts]


def told(facts: list[Fact], kind: str) -> list[Mapping[str, Any]]:
    """The data of all facts of a kind."""
    return [fact.data for fact in facts if fact.kind == kind]


# ------------------------------------------------------------------------ whole matches
def dealt(*packs: str) -> str:
    """The event that deals these packs, each as in ``"GRAL4 BARM3 ..."``."""
    return "deal:" + "/".join(in_brief(sorted(cards_named(pack.split()))) for pack in packs)


def played(
    players: int, seed: int, until: str = "", **options: Any
) -> tuple[IsoldeState, list[Event]]:
    """A match with random moves, up to its end or to the first position in a phase."""
    rng = random.Random(seed)
    state = GAME.start(GAME.setup(players, options, str(seed)))
    log: list[Event] = []
    while GAME.actors(state) and GAME.view(state, None).phase != until:
        log.append(random_event(state, rng))
        GAME.do(state, log[-1].seat, log[-1].move)
    return state, log


def random_event(state: IsoldeState, rng: random.Random) -> Event:
    """A possible next event: a draw, or a move by any actor."""
    seat = rng.choice(GAME.actors(state))
    if seat == CHANCE:
        return Event(CHANCE, GAME.sample(state, rng))
    return Event(seat, rng.choice(GAME.legal(state, seat)))


def refused(state: Any, seat: int, text: str) -> tuple[str, dict[str, Any]]:
    """The code and the data with which a text is refused."""
    with pytest.raises(IllegalMove) as refusal:
        GAME.parse(state, seat, text)
    return refusal.value.code, refusal.value.data


def laid(players: int, values: str, **options: Any) -> Any:
    """A position with the codex laid out."""
    state = table(players, kodex=True, **options)
    due(state, Due("lay"))
    decide(state, f"lay:{values}")
    return state
