"""Sampled worlds have the right probabilities (L9). Tests use small instances of Fair Isolde and
the last cards of a deal of Twilight, because full deals are too many to list.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest

from games.engine import Move
from games.isolde import Isolde
from games.isolde.cards import VALUE, Card, Cards, in_brief, less
from games.isolde.numbers import NUMBERS
from games.isolde.state import IsoldeState
from games.twilight import CARDS, TwilightState
from tafelrunde.testing.laws import LawBroken, VisitedPosition, random_positions
from tafelrunde.testing.odds import Worlds, check_odds, compare, probability
from tests.games.twilight_table import GAME as TWILIGHT


# ------------------------------------------------------------------------------- the test statistic
def test_counts_by_chance_are_probable() -> None:
    rng = random.Random(1)
    faces = "abcdef"
    fair = dict.fromkeys(faces, 200.0)
    for _ in range(200):
        rolled = rng.choices(faces, k=1200)
        assert probability({face: rolled.count(face) for face in faces}, fair) > 1e-5
    loaded = {**fair, "a": 300, "f": 100}
    assert probability({face: int(many) for face, many in loaded.items()}, fair) < 1e-12


def test_rare_worlds_are_counted_together() -> None:
    expected = {"a": 970.0, "b": 10.0, "c": 10.0, "d": 10.0}
    assert probability({"a": 970, "b": 30, "c": 0, "d": 0}, expected) > 0.5
    assert probability({"a": 900, "b": 80, "c": 10, "d": 10}, expected) < 1e-9


# ---------------------------------------------------------------------------------------- Isolde
DECK = (
    ("ISOLDE", (1, 1, 0, 0)),
    ("KAMPF", (0, 1, 1, 0)),
    ("STUDIEN", (0, 0, 1, 1)),
    ("KOENIG", (1, 0, 0, 1)),
    ("GRAL", (0, 1, 1, 0)),
    ("BARM", (0, 0, 0, 0)),
)
"""Ten different cards."""


@cache
def deals(deck: Cards, packs: int, size: int) -> list[tuple[str, ...]]:
    """All ways to deal packs of this size."""
    if not packs:
        return [()]
    return [
        (in_brief(pack), *others)
        for pack in combinations(deck, size)
        for others in deals(tuple(less(deck, pack)), packs - 1, size)
    ]


class SmallIsolde(Isolde):
    """One round with ten cards, so that all deals can be listed."""

    def __init__(self) -> None:
        small = replace(NUMBERS, deck=DECK, hand=3, plays=2, rounds=1, lancelot_hand=4)
        super().__init__(small)

    def chance(self, state: IsoldeState) -> Sequence[tuple[Move, float]] | None:
        if state.agenda[-1].step != "deal":
            return super().chance(state)
        seating = state.rules.seating
        dealt = deals(state.rules.deck, seating.packs, seating.pack_size)
        return [("deal:" + "/".join(packs), 1.0) for packs in dealt]


def cards_of(state: IsoldeState) -> str:
    """The location of every card, including those of the neutral colour."""
    return repr((state.packs, state.kept, state.hands, state.sealed))


@pytest.mark.full
@pytest.mark.seeds(2, always=1)
@pytest.mark.parametrize("viewer", [0, 1])
@pytest.mark.parametrize(
    ("players", "options"),
    [(3, {}), (2, {"duo": "parzival"}), (2, {"duo": "lancelot"})],
    ids=["persons", "parzival", "lancelot"],
)
def test_worlds_of_isolde(players: int, options: dict[str, Any], viewer: int, seed: int) -> None:
    """Worlds are compared in positions from the deal to the last card, with all three seatings."""
    game = SmallIsolde()
    setup = game.setup(players, {"starter": "1", **options}, seed=str(seed))
    assert check_odds(game, setup, viewer, seed, secrets=cards_of)


@pytest.mark.full
def test_a_neutral_pick_weighs_by_its_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    """When two play Isolde as Parzival and two cards tie for the highest, each is picked only half
    the time; the sampled worlds must respect that.
    """

    def possible(card: Card, others: Iterable[Card]) -> float:
        return float(all(VALUE[other] <= VALUE[card] for other in others))

    monkeypatch.setattr("games.isolde.worlds.pick_odds", possible)
    game = SmallIsolde()
    setup = game.setup(2, {"starter": "1", "duo": "parzival"}, seed="0")
    with pytest.raises(LawBroken, match="wrong odds"):
        check_odds(game, setup, 0, 0, secrets=cards_of)


# -------------------------------------------------------------------------------------- Twilight
NAMES = tuple(CARDS)


def late_positions(players: int, seed: int) -> Iterator[VisitedPosition]:
    """Positions before a trick, so late in the first deal that few deals are possible."""
    setup = TWILIGHT.setup(players, seed=str(seed))
    for position in random_positions(TWILIGHT, setup, seed):
        state = position.state
        if state.round > 1:
            return
        if len(state.winners) > players and state.phase == "play" and not state.table:
            yield replace(position, state=state.clone())


def arrangements(places: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """All different orders of places."""
    if not places:
        yield ()
    for place in sorted(set(places)):
        rest = list(places)
        rest.remove(place)
        yield from ((place, *more) for more in arrangements(rest))


def possible_deals(state: TwilightState, viewer: int, dealt: str) -> Iterator[Move]:
    """All deals that look alike to the viewer: hidden cards with the same back may be swapped."""
    seats = state.seating.seats
    hidden = {
        card for n, hand in enumerate(state.hands) if 0 <= seats[n // 2] != viewer for card in hand
    }
    places = list(dealt)
    swapped = [
        [at for at, name in enumerate(NAMES) if name in hidden and CARDS[name].cult == cult]
        for cult in (0, 1)
    ]
    orders = [list(arrangements([places[at] for at in part])) for part in swapped]
    for moon, sun in product(*orders):
        for at, place in zip([*swapped[0], *swapped[1]], [*moon, *sun], strict=True):
            places[at] = place
        yield "deal:" + "".join(places)


def compared_in(players: int, seed: int) -> int:
    """Compare all seats' worlds in the late positions of a match; return the number of
    comparisons.
    """
    compared = 0
    for position, viewer in product(late_positions(players, seed), range(players)):
        dealt = next(e.move for e in position.log if e.move.startswith("deal:"))
        moves = [*possible_deals(position.state, viewer, dealt.removeprefix("deal:"))]

        def draws(state: TwilightState, moves: list[Move] = moves) -> Any:
            return [(m, 1.0) for m in moves] if state.phase == "deal" else TWILIGHT.chance(state)

        worlds = Worlds(TWILIGHT, position.setup, viewer, draws)
        state = TWILIGHT.start(position.setup)
        for event in position.log:
            before = state.clone()
            TWILIGHT.do(state, event.seat, event.move)
            worlds.see(event, before, state)
        assert worlds.odds
        compared += compare(position, viewer, worlds.odds)
    return compared


@pytest.mark.full
@pytest.mark.seeds(2, always=1)
@pytest.mark.parametrize("players", [3, 4])
def test_worlds_of_twilight_are_equally_likely(players: int, seed: int) -> None:
    assert any(compared_in(players, 100 * seed + n) for n in range(20))
