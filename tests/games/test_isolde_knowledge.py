"""Public and hidden knowledge in Fair Isolde, and worlds consistent with it."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from games.engine import CHANCE, Event, Match, View
from games.isolde import IsoldeState
from tests.games.isolde_table import GAME, dealt, played, random_event

WORLDS = 30


def worlds(view: View, number: int = WORLDS) -> list[IsoldeState]:
    """Sampled positions consistent with a view."""
    return [GAME.determinize(view, random.Random(seed)) for seed in range(number)]


# ------------------------------------------------------------------------- views
def test_a_deal_is_seen_by_its_receivers_only() -> None:
    state = GAME.start(GAME.setup(3, {"starter": "1"}))
    move = dealt("GRAL4 GRAL3", "BARM2 BARM3", "KAMPF4 KOENIG5")
    event = Event(CHANCE, move)
    assert GAME.observed(state, event, 0) == "deal:GR3GR4/?/?"
    assert GAME.observed(state, event, 2) == "deal:?/?/KA4KO5"
    assert GAME.observed(state, event, None) == "deal:?/?/?"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_events_of_the_draft_are_not_seen_by_others(players: int) -> None:
    match = Match(GAME, GAME.setup(players, seed="draft"))
    match.advance()
    while match.view(None).phase == "draft":
        seat = match.actors[-1]
        match.play(seat, [GAME.legal(match.state, seat)[0]])
    for viewer in (*range(players), None):
        for seat, move, facts in match.history(viewer):
            if seat not in (viewer, CHANCE):
                assert move in ("keep:?", None)
            assert move is None or not move.startswith("pick:") or move == "pick:?"
            assert all(fact.known_to(viewer) for fact in facts)


def test_everything_private_is_ones_own() -> None:
    state, _ = played(4, seed=2, until="play")
    for seat in range(4):
        private = GAME.view(state, seat).private
        for cards in (private["hands"], private["kept"]):
            assert [hand is None for hand in cards] == [colour != seat for colour in range(4)]
    assert GAME.view(state, None).private == {}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_player_remembers_the_packs_that_were_passed_on(players: int) -> None:
    """``seen`` lists each pack as received; minus the card kept, that is what the next player
    got.
    """
    match = Match(GAME, GAME.setup(players, seed="memory"))
    match.advance()
    came: list[list[list[str]]] = [[] for _ in range(players)]
    while match.view(None).phase == "draft":
        if len(match.actors) == players:
            for seat in range(players):
                came[seat].append(match.view(seat).private["pack"])
        seat = match.actors[0]
        match.play(seat, [GAME.legal(match.state, seat)[-1]])
    for seat in range(players):
        private = match.view(seat).private
        assert private["seen"][:4] == came[seat]
        assert private["seen"][4] == [private["kept"][seat][4]]


def test_newly_seen_cards_count_as_revealed() -> None:
    """Playing a card, looking at a shield and taking one reveal something; bonuses and magic do
    not; keeping a card does, but only when the packs are passed on.
    """
    revealing: dict[str, set[bool]] = {}
    for seed, players in enumerate((2, 3, 4)):
        match = Match(GAME, GAME.setup(players, {"kodex": True, "magie": True}, str(seed)))
        match.advance()
        rng = random.Random(seed)
        while match.actors:
            seat = rng.choice(match.actors)
            (first, *_) = match.play(seat, [rng.choice(GAME.legal(match.state, seat))])
            verb = first.event.move.partition(":")[0]
            if match.actors and verb != "keep":
                reveals = any(fact.reveals for fact in first.facts)
                revealing.setdefault(verb, set()).add(reveals)
            elif verb == "keep":
                complete = any(fact.kind == "passed_on" for fact in first.facts)
                assert complete == any(fact.reveals for fact in first.facts)
    assert revealing["play"] == revealing["look"] == revealing["take"] == {True}
    assert revealing["bonus"] == revealing["magic"] == {False}


# ------------------------------------------------------------- consistent worlds


def test_cards_played_are_in_the_hands_they_came_from() -> None:
    """In every world, all colours have kept the cards that they have played since."""
    state, _ = played(5, seed=7, until="bonus")
    for viewer in (0, 3, None):
        for world in worlds(GAME.view(state, viewer)):
            for kept, shown in zip(world.kept, world.played, strict=True):
                assert not Counter(card for card, _ in shown) - Counter(kept)


def test_a_last_card_that_is_asked_for_can_go_to_several_boards() -> None:
    for seed in range(40):
        state, _ = played(2, seed, until="play", duo="lancelot")
        rng = random.Random(seed)
        while GAME.view(state, None).phase == "play":
            colour = state.agenda[-1].colour
            (seat,) = GAME.actors(state)
            if len(state.hands[colour]) == 1:
                for world in worlds(GAME.view(state, 1 - seat), 5):
                    assert len(GAME.legal(world, seat)) > 1
                return
            GAME.do(state, seat, rng.choice(GAME.legal(state, seat)))
    raise AssertionError("no last card was asked for")


def fourth_codex(seed: int) -> IsoldeState:
    """A position with the codex, in which the shields of round 4 are about to be taken."""
    rng = random.Random(seed)
    state = GAME.start(GAME.setup(4, {"kodex": True}))
    while (state.round, GAME.view(state, None).phase) != (4, "take"):
        event = random_event(state, rng)
        GAME.do(state, event.seat, event.move)
    return state


def test_worlds_keep_the_codex_as_far_as_it_is_known() -> None:
    """Known values stay, others vary; of each earlier round there is one shield of -3 and one of
    -1.
    """
    varied = set()
    for seed in range(5):
        state = fourth_codex(seed)
        true = state.notes[state.rules.board["STUDIEN"].slot]
        for viewer in range(4):
            view = GAME.view(state, viewer)
            for world in worlds(view, 10):
                places = world.notes[world.rules.board["STUDIEN"].slot]
                varied.add((seed, viewer, tuple(place.value for place in places)))
                for place, original in zip(places, true, strict=True):
                    if viewer in original.known:
                        assert place == original
                for round_ in (1, 2, 3):
                    values = sorted(
                        shield.value
                        for shields in world.shields
                        for shield in shields
                        if shield.known is not None and shield.round == round_
                    )
                    assert values == [-3, -1]
    assert len(varied) > 2 * 5 * 4


def test_shields_face_down_vary_for_those_who_do_not_know_them() -> None:
    """In a spectator's worlds, either of two colours may have the shield of -3 from round 1."""
    state = fourth_codex(1)
    holders = Counter(
        colour
        for world in worlds(GAME.view(state, None), 60)
        for colour, shields in enumerate(world.shields)
        for shield in shields
        if shield.round == 1 and shield.value == -3 and shield.board == "STUDIEN"
    )
    assert len(holders) == 2
    assert min(holders.values()) > 10
