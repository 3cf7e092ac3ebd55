"""Variant "Studien": the secret codex, a card with a face-down shield for every colour."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import permutations
from typing import Any, NamedTuple

from games.engine import CHANCE, IllegalMove, Move, View, shuffled
from games.house import NOBODY, or_nobody, or_none, tell
from games.isolde.boards import Studien
from games.isolde.cards import less
from games.isolde.state import BoardStep, Due, Facts, IsoldeState, Shield, due_for
from games.isolde.steps import ColourChoice, Draw


class CodexPlace(NamedTuple):
    """A place on the codex.

    :param value: the value of the shield that is or was there.
    :param known: the seats that have seen it.
    :param taker: the colour that took it, or NOBODY.
    """

    value: int
    known: tuple[int, ...] = ()
    taker: int = NOBODY


class UnseenShields(NamedTuple):
    """The shields that a viewer has not seen.

    :param places: the places of those on the codex.
    :param values: the values of the shields on the codex, in any order.
    :param won: the face-down shields won earlier, by round: for each one the colour that has it,
        and its index among that colour's shields.
    """

    places: list[int]
    values: list[int]
    won: list[list[tuple[int, int]]]


class Lay(BoardStep, Draw):
    """The shields are shuffled and laid out: ``lay:0,-3,-1``."""

    name = "lay"
    verb = "lay"
    secret = True

    def chance(self, state: IsoldeState) -> list[tuple[Move, float]]:
        """Return the draws: every arrangement is equally likely."""
        return [(move, 1.0) for move in _arrangements(self.board.colours, self.board.numbers.codex)]

    def do(self, state: IsoldeState, seat: int, move: Move, fx: Facts) -> None:
        """Lay the shields down."""
        state.agenda.pop()
        state.actors = ()
        state.notes[self.board.slot] = _laid(move)


@cache
def _arrangements(colours: int, values: tuple[int, ...]) -> tuple[Move, ...]:
    """Return all draws of the codex: every way to place these values, with zeros elsewhere."""
    moves = []
    for places in permutations(range(colours), len(values)):
        laid = dict(zip(places, values, strict=True))
        laid_out = ",".join(str(laid.get(place, 0)) for place in range(colours))
        moves.append(f"{Lay.verb}:{laid_out}")
    return tuple(moves)


@lru_cache(maxsize=256)
def _laid(move: Move) -> tuple[CodexPlace, ...]:
    """Return the places after a draw."""
    return tuple(CodexPlace(int(value)) for value in move.partition(":")[2].split(","))


class _AtPlace(BoardStep, ColourChoice):
    """A move that names a place, counted from 1."""

    def __init__(self, board: Any) -> None:
        super().__init__(board)
        self.moves = [f"{self.verb}:{at + 1}" for at in range(board.colours)]

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """Return the places whose shields are still there."""
        places: tuple[CodexPlace, ...] = state.notes[self.board.slot]
        return [
            move for move, (_, _, taker) in zip(self.moves, places, strict=True) if taker == NOBODY
        ]

    def several(self, state: IsoldeState, due: Due) -> bool:
        """Return whether two shields or more are left."""
        return _left(state.notes[self.board.slot]) > 1

    def refusal(self, state: IsoldeState, seat: int, argument: str) -> IllegalMove:
        return IllegalMove("no_such_place", text=argument, places=len(state.notes[self.board.slot]))

    def shown(self, state: IsoldeState, at: int, colour: int, fx: Facts) -> CodexPlace:
        """Return a place after the owner of a colour has seen the shield there."""
        place: CodexPlace = state.notes[self.board.slot][at]
        seat = state.rules.seating.owners[colour]
        if seat is None:
            return place
        if fx is not None:
            tell(fx, "codex_seen", to=seat, reveals=True, place=at + 1, value=place.value)
        return place._replace(known=tuple(sorted({*place.known, seat})))

    def put(self, state: IsoldeState, at: int, place: CodexPlace) -> None:
        """Replace a place."""
        places = list(state.notes[self.board.slot])
        places[at] = place
        state.notes[self.board.slot] = tuple(places)


def _left(places: Sequence[CodexPlace]) -> int:
    """Return how many shields have not been taken."""
    return [taker for _, _, taker in places].count(NOBODY)


class Look(_AtPlace):
    """A player who has played a card here looks at a shield: ``look:2``."""

    name = "look"
    verb = "look"

    def choose(self, state: IsoldeState, due: Due, choice: str, fx: Facts) -> None:
        """Show the shield to the player."""
        if fx is not None:
            tell(fx, "looked", colour=due.colour, place=int(choice))
        at = int(choice) - 1
        self.put(state, at, self.shown(state, at, due.colour, fx))


class Take(_AtPlace):
    """A colour takes a face-down shield: ``take:2``. CHANCE decides for the neutral colour."""

    name = "take"
    verb = "take"

    def open(self, state: IsoldeState, fx: Facts) -> tuple[int, ...]:
        """If more than one shield is left, ask the owner, or let CHANCE draw for the neutral
        colour.
        """
        asked = super().open(state, fx)
        neutral = asked and not state.rules.owner_acts[state.agenda[-1].colour]
        return (CHANCE,) if neutral else asked

    def chance(self, state: IsoldeState) -> list[tuple[Move, float]]:
        """Return the draws: every remaining shield is equally likely."""
        return [(move, 1.0) for move in self.legal(state, CHANCE)]

    def choose(self, state: IsoldeState, due: Due, choice: str, fx: Facts) -> None:
        """Take the shield and look at it."""
        at, colour = int(choice) - 1, due.colour
        if fx is not None:
            tell(fx, "codex_taken", colour=colour, place=at + 1)
        value, known, _ = self.shown(state, at, colour, fx)
        self.put(state, at, CodexPlace(value, known, colour))
        if not _left(state.notes[self.board.slot]):
            self.board.turn_zeros_up(state, fx)


class Kodex(Studien):
    """The leader takes a shield first, perhaps one seen before; zeros are removed once all shields
    are taken.
    """

    step_kinds = (Lay, Look, Take)
    blank = ()

    def before_deal(self) -> list[Due]:
        """Return the entry that lays out the shields."""
        return [Due("lay")]

    def card_played(self, state: IsoldeState, colour: int, value: int, fx: Facts) -> None:
        """Let the player look at a shield, unless the neutral colour played the card."""
        if state.rules.seating.owners[colour] is not None:
            state.agenda.append(due_for("look", colour))

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """Let all colours take a shield. Those that have not moved come after the others, in the
        order of the round.
        """
        order = state.order[self.slot]
        unmoved = [c for c in state.rules.orders[state.starter] if c not in order]
        state.then(*[due_for("take", colour) for colour in (*order, *unmoved)])

    def turn_zeros_up(self, state: IsoldeState, fx: Facts) -> None:
        """Show and remove the zeros once everyone has taken a shield; the others stay with their
        owners.

        From now on, a seat that knows one of the remaining shields can infer the other.
        """
        places: tuple[CodexPlace, ...] = state.notes[self.slot]
        dark = [place for place in places if place.value]
        known = tuple(sorted({seat for place in dark for seat in place.known}))
        for place in dark:
            state.award(place.taker, Shield(self.id, state.round, place.value, known))
        if fx is not None:
            tell(
                fx,
                "codex_open",
                reveals=True,
                zeros=[place.taker for place in places if not place.value],
                face_down=[place.taker for place in dark],
            )
        state.notes[self.slot] = self.blank

    # -- knowledge
    def open_note(self, state: IsoldeState) -> tuple[tuple[tuple[int, ...], int], ...]:
        """Return what everyone knows about each place: who has seen the shield there, and which
        colour has taken it.
        """
        places: tuple[CodexPlace, ...] = state.notes[self.slot]
        return tuple([place[1:] for place in places])

    def shown(self, open_note: tuple[tuple[tuple[int, ...], int], ...]) -> dict[str, Any]:
        """Return ``places``: who knows the shield at each, and which colour has taken it."""
        return {
            "places": [
                {"known_by": list(known), "taker": or_none(taker)} for known, taker in open_note
            ]
        }

    def private(self, state: IsoldeState, seat: int) -> dict[str, Any]:
        """Return ``codex``: the known values, by place; and ``face_down``: known shields won
        earlier.
        """
        places: tuple[CodexPlace, ...] = state.notes[self.slot]
        return {
            "codex": [place.value if seat in place.known else None for place in places],
            "face_down": [
                {"colour": colour, "round": shield.round, "value": shield.value}
                for colour, shields in enumerate(state.shields)
                for shield in shields
                if shield.known is not None and seat in shield.known
            ],
        }

    def restore(self, state: IsoldeState, view: View) -> None:
        """Lay out the shields, and give the face-down shields won earlier their known values."""
        shown = view.public["boards"][self.id]["places"]
        values = view.private["codex"] if view.viewer is not None else [None] * len(shown)
        state.notes[self.slot] = tuple(
            CodexPlace(value or 0, tuple(place["known_by"]), or_nobody(place["taker"]))
            for value, place in zip(values, shown, strict=True)
        )
        known: dict[tuple[int, int], list[int]] = {}
        for face_down in view.private["face_down"] if view.viewer is not None else ():
            key = face_down["colour"], face_down["round"]
            known.setdefault(key, []).append(face_down["value"])
        for (colour, round_), won in known.items():
            state.shields[colour] = tuple(
                shield._replace(value=won.pop(0))
                if shield.known is not None and shield.round == round_
                else shield
                for shield in state.shields[colour]
            )

    def remember(self, state: IsoldeState, viewer: int | None) -> UnseenShields:
        """Return which shields the viewer has not seen."""
        places: tuple[CodexPlace, ...] = state.notes[self.slot]
        seen = [place.value for place in places if viewer in place.known]
        zeros = len(places) - len(self.numbers.codex)
        won: dict[int, list[tuple[int, int]]] = {}
        for colour, shields in enumerate(state.shields):
            for at, shield in enumerate(shields):
                if shield.known is not None and viewer not in shield.known:
                    won.setdefault(shield.round, []).append((colour, at))
        return UnseenShields(
            [at for at, place in enumerate(places) if viewer not in place.known],
            less((*self.numbers.codex, *[0] * zeros), seen) if places else [],
            list(won.values()),
        )

    def imagine(self, state: IsoldeState, memory: UnseenShields, rng: random.Random) -> None:
        """Place the unseen shields at random, and assign the two values of each earlier round at
        random to the shields won in it: the viewer knows either both or neither.
        """
        if memory.places:
            places = list(state.notes[self.slot])
            for at, value in zip(memory.places, shuffled(rng, memory.values), strict=True):
                _, known, taker = places[at]
                places[at] = CodexPlace(value, known, taker)
            state.notes[self.slot] = tuple(places)
        for won in memory.won:
            for (colour, at), value in zip(won, shuffled(rng, self.numbers.codex), strict=False):
                shields = state.shields[colour]
                board, round_, _, known, giver = shields[at]
                drawn = Shield(board, round_, value, known, giver)
                state.shields[colour] = (*shields[:at], drawn, *shields[at + 1 :])
