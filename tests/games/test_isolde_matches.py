"""Whole matches of Fair Isolde: compared with a slow second implementation, and invariants."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from games.engine import Event, Setup
from games.isolde import NUMBERS, Isolde, IsoldeState
from games.isolde.cards import full_deck
from games.isolde.numbers import Terms
from tafelrunde.testing.laws import random_setup
from tests.games.isolde_table import GAME, random_event
from tests.games.slow_isolde import SlowIsolde

DECK = Counter(full_deck(NUMBERS.deck))


def played_through(setup: Setup, rng: random.Random) -> tuple[IsoldeState, list[Event]]:
    state = GAME.start(setup)
    log: list[Event] = []
    while GAME.actors(state):
        log.append(random_event(state, rng))
        GAME.do(state, log[-1].seat, log[-1].move)
    return state, log


def agree_with_the_slow_rules(setup: Setup, seed: int) -> None:
    """Play a random match and replay its log by the slow rules: both must agree on shields,
    positions and scores, with every event due and none missing.
    """
    state, log = played_through(setup, random.Random(seed))
    where = f"{setup.players} players, {dict(setup.options)}, seed {seed}"
    slow = SlowIsolde(setup.players, setup.options, log)
    slow.play()
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert slow.scores() == list(outcome.scores), where
    boards = state.rules.boards
    assert slow.positions() == {b.id: state.positions[b.slot] for b in boards}, where
    for slow_shields, shields in zip(slow.shields, state.shields, strict=True):
        held = [(shield.board, shield.round, shield.value) for shield in shields]
        assert sorted(slow_shields) == sorted(held), where


@pytest.mark.seeds(150)
def test_agrees_with_the_slow_rules(seed: int) -> None:
    rng = random.Random(seed)
    agree_with_the_slow_rules(random_setup(GAME, rng.choice((2, 2, 3, 4, 5)), rng), seed)


@pytest.mark.seeds(20)
def test_no_card_is_lost_or_doubled(seed: int) -> None:
    rng = random.Random(seed)
    setup = random_setup(GAME, 2 + seed % 4, rng)
    state = GAME.start(setup)
    in_play: Counter[int] = Counter()
    while GAME.actors(state):
        event = random_event(state, rng)
        GAME.do(state, event.seat, event.move)
        piles = [pile for both in state.piles for pile in both]
        if state.piles:  # Lancelot: the piles are the dealt cards, whoever has them now
            cards = Counter(card for pile in piles for card in pile)
        else:
            cards = Counter(card for hand in (*state.packs, *state.kept) for card in hand)
        if event.move.startswith("deal:"):
            in_play = cards
            assert not cards - DECK, f"seed {seed}"
        if GAME.actors(state) and sum(cards.values()):
            assert cards == in_play, f"seed {seed}, ply {state.ply}"
        for kept, hand, shown in zip(state.kept, state.hands, state.played, strict=True):
            if hand or shown:
                assert Counter(kept) == Counter(hand) + Counter(card for card, _ in shown)


# -------------------------------------------------------------------------------- numbers
def test_numbers_can_be_replaced() -> None:
    numbers = replace(NUMBERS, magic=Terms(scored=(1,), resets=(), prizes=(5, 3, 1)))
    game = Isolde(numbers)
    view = game.view(game.start(game.setup(4, {"magie": True})), None)
    assert view.public["boards"]["MAGIE"]["prizes"] == [5, 3, 1]
    assert view.public["boards"]["MAGIE"]["rounds"] == [1]
    default = GAME.view(GAME.start(GAME.setup(4, {"magie": True})), None)
    assert default.public["boards"]["MAGIE"]["prizes"] == [6, 4, 2]


def test_a_match_is_shorter_than_promised() -> None:
    options = {"galanterie": True, "magie": True, "kodex": True, "barm": True}
    longest = max(
        len(played_through(GAME.setup(5, options, str(seed)), random.Random(seed))[1])
        for seed in range(10)
    )
    assert 200 < longest < GAME.info.max_events / 1.5
