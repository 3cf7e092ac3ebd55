"""Twilight: who may know what, and what refusals reveal."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.engine import CHANCE, Event, IllegalMove, Match
from games.twilight import CARDS, TwilightState
from tests.games.twilight_table import (
    GAME,
    played,
    position,
    public,
    random_states,
    refusal,
    trio,
)


# -------------------------------------------------------------------- 7 hidden and public
@pytest.mark.rule("twilight", "7")
def test_a_hand_is_its_owners_alone() -> None:
    state = position("MC1 SC1", "MC2 SC2", "MC3 SC3", "MC4 SC4")
    for viewer in (0, 1, 2, 3, None):
        seen = GAME.view(state, viewer).to_json()
        for place in range(4):
            for card in (f"MC{place + 1}", f"SC{place + 1}"):
                assert (card in seen) == (viewer == place), (viewer, card)


@pytest.mark.rule("twilight", "7")
def test_open_cards_are_seen_by_all() -> None:
    """Section 7: the trick, who gave its cards, unclaimed cards, and the last trick are public."""
    state = position("MC1 ML3", "SP SL3", "MC2 ML4", "SC4 SL4", lying="MC5")
    played(state, "MC1", "SP", "MC2", "SC4", "order:4")
    seen = public(state)
    assert seen["table"] == [{"place": 1, "giver": 3, "card": "SL4"}]
    assert set(seen["pending"]) == {"MC5", "MC1", "SP", "MC2", "SC4"}
    assert [each["card"] for each in seen["last"]["laid"]] == ["MC1", "SP", "MC2", "SC4"]


@pytest.mark.rule("twilight", "7")
def test_tricks_taken_lie_face_down() -> None:
    """Section 7: a spectator's view names no cards of past tricks except the last."""
    state = position("MC1 MC2 ML3", "SL3 SL4 SL5", "ML4 ML5 ML6", "SL6 SL7 SH1")
    played(state, "MC1", "SL3", "ML4", "SL6", "MC2", "SL4", "ML5", "SL7")
    seen = GAME.view(state, None).to_json()
    assert all(card not in seen for card in ("MC1", "SL3", "ML4", "SL6"))
    assert all(card in seen for card in ("MC2", "SL4", "ML5", "SL7"))


@pytest.mark.rule("twilight", "7")
def test_complete_tricks_of_a_deal_may_not_be_looked_up() -> None:
    """Section 7: during a deal, its events up to the end of the last trick may not be shown again;
    after the deal, all may.
    """
    rng = random.Random(3)
    match = Match(GAME, GAME.setup(4))
    match.advance()
    dealt = match.ply
    while match.state.round == 1:
        (seat,) = match.actors
        tricks = len(match.state.winners)
        match.play(seat, [rng.choice(GAME.legal(match.state, seat))])
        covered = GAME.covered(match.state)
        if match.state.round == 1:
            assert covered.start == dealt
            assert bool(covered) == bool(match.state.winners)
            if len(match.state.winners) > tricks:
                assert covered.stop == match.ply
    assert list(covered) == []


def test_a_good_memory_knows_the_piles() -> None:
    """Players may remember cards they have seen, so a seat's view has them for the search."""
    state = position("MC1 ML3", "SL3 SL5", "ML4 ML6", "SL6 SH1")
    played(state, "MC1", "SL3", "ML4", "SL6")
    assert GAME.view(state, 3).private["taken"] == [["MC1", "ML4", "SL6", "SL3"], []]
    assert GAME.view(state, None).private == {}


@pytest.mark.rule("twilight", "7")
def test_each_player_sees_their_own_part_of_a_deal() -> None:
    """Section 7: everyone sees their own cards of a deal, and all see Neumond's."""
    four, three = (GAME.start(GAME.setup(n)) for n in (4, 3))
    deal = Event(CHANCE, "deal:" + "1234" * 7)
    GAME.do(four, CHANCE, "lead:1")
    GAME.do(three, CHANCE, "lead:2")
    assert GAME.observed(four, deal, 2) == "deal:" + "??3?" * 7
    assert GAME.observed(four, deal, None) == "deal:" + "????" * 7
    assert GAME.observed(three, deal, 1) == "deal:" + "1?3?" * 7
    assert GAME.observed(three, deal, 0) == "deal:" + "??34" * 7
    assert GAME.observed(three, deal, None) == "deal:" + "??3?" * 7


# ------------------------------------------------------------------ refusals and notation
@pytest.mark.parametrize("text", ["MC1", "mc1", " mc1 ", "m c1", "MC 1", "mc-1"])
def test_cards_may_be_typed_as_one_likes(text: str) -> None:
    assert GAME.parse(position("MC1 ML3"), 0, text) == "MC1"


@pytest.mark.parametrize("text", ["order:2", "Order 2", "ORDER:2", " order  2 "])
def test_orders_may_be_typed_as_one_likes(text: str) -> None:
    assert GAME.parse(position("MC1", "ML3"), 0, text) == "order:2"


def test_an_order_may_name_a_player() -> None:
    """The beginning of a name is enough, unless it stands for Neumond; a whole name is always
    enough.
    """
    assert GAME.typed("order an", ("Ben", "Anna")) == "order:2"
    assert GAME.typed("order n", ("Ben", "Nina")) == "order n"
    assert GAME.typed("order n", ("Ben", "N")) == "order:2"


def test_neumond_is_called_by_name() -> None:
    state = trio("", "SC1", "SL3", lead=1)
    assert GAME.parse(state, 1, "order neumond") == GAME.parse(state, 1, "order:n") == "order:N"


@pytest.mark.parametrize("text", ["", "C1", "XC1", "MC6", "ML2", "zz", "MC1 SC1"])
def test_a_text_that_is_neither_card_nor_order_is_unknown(text: str) -> None:
    error = refusal(position("MC1", "ML3"), text)
    assert error.code == "unknown_card"
    assert error.data == {"text": text}


@pytest.mark.parametrize("text", ["order", "order 5", "order Anna"])
def test_an_order_goes_to_someone_who_sits_there(text: str) -> None:
    """Seats are numbered from 1; only the table knows people's names."""
    error = refusal(position("MC1", "ML3"), text)
    assert (error.code, error.data) == ("no_such_place", {"text": text})


def test_the_text_of_a_refusal_is_cut() -> None:
    assert len(refusal(position("MC1", "ML3"), "K" * 3000).data["text"]) == 40


@pytest.mark.rule("twilight", "8.2")
@pytest.mark.parametrize(
    ("text", "code", "data"),
    [
        ("SC1", "wrong_cult", {"card": "SC1", "cult": "moon"}),
        ("SC5", "wrong_cult", {"card": "SC5", "cult": "moon"}),
        ("MC5", "not_in_hand", {"card": "MC5"}),
        ("ML3", "not_in_hand", {"card": "ML3"}),
        ("order:1", "own_order", {"cult": "moon"}),
        ("order:3", "no_such_back", {"target": 2, "cult": "moon"}),
        ("order:N", "no_such_place", {"text": "order:N"}),
    ],
)
def test_a_refusal_names_the_rule(text: str, code: str, data: dict[str, Any]) -> None:
    """Each reason has its code; a card in another hand is refused like any card not held."""
    error = refusal(position("MC1 SC1", "ML3", "SL3", "MC4"), text)
    assert (error.code, error.data) == (code, data)


@pytest.mark.rule("twilight", "4")
def test_an_order_cannot_be_passed_on() -> None:
    state = position("SC1", "MC2 MC3", "MC4", "SL3")
    played(state, "order:2")
    error = refusal(state, "order:3")
    assert (error.code, error.data) == ("already_ordered", {"cult": "moon"})
    assert refusal(state, "SC5").code == "wrong_cult"
    assert refusal(state, "MC4").code == "not_in_hand"


@pytest.mark.rule("twilight", "4")
def test_the_two_hands_of_the_lone_player_are_kept_apart_for_the_sun() -> None:
    """Section 4: ordered in person, the lone player cannot give Neumond's cards; ordered as
    Neumond, they cannot give their own.
    """
    state = trio("SC1 SC3", "SC2", "SL3 SL4", "SL5", lead=1)
    ordered = state.clone()
    played(ordered, "order:1")
    assert refusal(ordered, "SL3").code == "lone_gives"
    assert refusal(ordered, "SL5").code == "not_in_hand"
    played(state, "order:N")
    assert refusal(state, "SC1").code == "neumond_gives"
    assert refusal(state, "SL5").code == "neumond_gives"


@pytest.mark.rule("twilight", "8.11")
def test_neumond_is_not_ordered_by_the_lone_player() -> None:
    state = trio("MC1", "SC2 ML3", "MC4", "ML5")
    assert refusal(state, "order:N").code == "neumond_plays"
    assert refusal(state, "order:1").code == "own_order"


@pytest.mark.parametrize("players", [3, 4])
def test_refusals_do_not_tell_where_a_card_is(players: int) -> None:
    """In a world that a seat cannot tell from the true one, a text gets the same refusal."""
    rng = random.Random(players)
    texts = [*CARDS, "order:1", "order:2", "order:3", "order:4", "order:N", "nonsense"]
    for state in random_states(players, seed=7):
        if state.phase not in ("play", "give") or rng.random() < 0.8:
            continue
        (seat,) = state.actors
        world = GAME.determinize(GAME.view(state, seat), rng)
        for text in texts:
            assert _verdict(state, seat, text) == _verdict(world, seat, text), text


def _verdict(state: TwilightState, seat: int, text: str) -> object:
    try:
        return GAME.parse(state, seat, text)
    except IllegalMove as error:
        return error.code, error.data
