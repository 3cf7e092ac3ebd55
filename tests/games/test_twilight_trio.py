"""Twilight for three: the lone player, Neumond, and the accounts."""

from __future__ import annotations

import pytest

from games.engine import Outcome
from games.twilight import DEALS_MAX, TwilightState
from games.twilight.cards import MOON, SUN
from tests.games.twilight_table import (
    GAME,
    after_deal,
    finished,
    legal,
    played,
    position,
    public,
    told,
    trio,
)


# -------------------------------------------------------------------------- three players
@pytest.mark.rule("twilight", "2")
def test_three_players_sit_around_neumond() -> None:
    """Section 2: the places are those of the lone player, the left neighbour, Neumond opposite, and
    the right neighbour.
    """
    state = trio(lone=1)
    assert public(state)["places"] == [1, 2, None, 0]
    assert state.seating.side(MOON) == [1]
    assert state.seating.side(SUN) == [2, 0]


@pytest.mark.rule("twilight", "2", "7")
def test_neumonds_hand_lies_open_and_no_other() -> None:
    state = trio("MC1 SC1", "SC2", "MP SL3", "ML4")
    for viewer in (0, 1, 2, None):
        assert GAME.view(state, viewer).public["open"] == ["MP", "SL3"]
    assert GAME.view(state, 0).private["hand"] == ["MC1", "SC1"]
    assert "MC1" not in GAME.view(state, 1).to_json()


@pytest.mark.rule("twilight", "4", "8.12")
@pytest.mark.parametrize("lead", [0, 2])
def test_the_lone_player_chooses_from_both_hands(lead: int) -> None:
    """Section 4, readings 11 and 12: on their own turn and on Neumond's, the lone player may play
    any Moon card of either hand, or order a Sun player.
    """
    state = trio("MC1 SC1", "SC2 ML7", "MP ML3 SL3", "ML4", lead=lead)
    assert GAME.actors(state) == (0,)
    assert legal(state) == ["MC1", "MP", "ML3", "order:2", "order:3"]
    facts = played(state, "MP" if lead == 0 else "MC1")
    assert told(facts, "played")["seat"] == (0 if lead == 0 else None)
    assert told(facts, "played")["giver"] == (None if lead == 0 else 0)
    assert told(facts, "played")["by"] == 0
    assert public(state)["turn"] == lead + 1


def test_playing_an_open_card_reveals_nothing() -> None:
    state = trio("MC1 SC1", "SC2 ML7", "MP ML3 SL3", "ML4 SL4")
    (from_neumond,) = played(state.clone(), "MP")
    (from_hand,) = played(state, "MC1")
    assert not from_neumond.reveals
    assert from_hand.reveals


@pytest.mark.rule("twilight", "4")
def test_the_sun_orders_the_lone_player_and_neumond_apart() -> None:
    state = trio("SC1 SC3", "SC2", "SL3 SL4", "SL5", lead=1)
    assert legal(state) == ["SC2", "order:1", "order:N", "order:3"]
    ordered = state.clone()
    played(ordered, "order:1")
    assert GAME.actors(ordered) == (0,)
    assert legal(ordered) == ["SC1", "SC3"]
    played(state, "order:N")
    assert GAME.actors(state) == (0,)
    assert legal(state) == ["SL3", "SL4"]


@pytest.mark.rule("twilight", "8.10")
def test_neumond_can_win_a_trick() -> None:
    state = trio("ML3 SC2", "SL3 SL5", "MC1 MC2", "SL4 ML5")
    facts = played(state, "ML3", "SL3", "MC1", "SL4")
    assert told(facts, "trick_won")["seat"] is None
    assert state.piles[MOON] == ["ML3", "SL3", "MC1", "SL4"]
    assert state.lead == 2
    assert GAME.actors(state) == (0,)


def test_the_trick_before_is_shown_with_those_who_sat_there() -> None:
    state = trio("MC1", "SL3", "ML3", "SL4", lone=2, played=6)
    played(state, "MC1", "SL3")
    last = public(state)["last"]
    assert [each["seat"] for each in last["laid"]] == [2, 0, None, 1]
    assert last["winner"] == 0
    assert public(state)["places"] == [1, 2, None, 0]


@pytest.mark.rule("twilight", "6")
def test_individual_accounts() -> None:
    """Section 6: the lone player gets the Moon's points, and each Sun player all of the Sun's."""
    state, facts = after_deal("SL7 ML3 MC5 MH2", "SC1 SL4 SH3 SH2", players=3, forehand=1)
    assert state.totals == [25, 39, 25]
    assert public(state)["neumond"] == 39
    assert told(facts, "totals") == {"round": 1, "totals": [25, 39, 25], "neumond": 39}


@pytest.mark.rule("twilight", "6")
def test_neumond_cannot_win() -> None:
    state = position("MH1", "SH1", "MC4", "SC5", played=6, players=3)
    state.neumond = 1000
    played(state, "MH1", "SH1")
    assert GAME.outcome(state) is None
    assert state.neumond == 1002


@pytest.mark.rule("twilight", "2", "8.5")
def test_t19_the_lone_player_changes_to_the_right() -> None:
    """T19: in each of six deals, the lone player's right neighbour deals, and is alone next."""
    lone = []
    state = trio(lone=0)
    for _ in range(6):
        lone.append((state.seating.lone, state.seating.dealer))
        state = _next_deal(state)
    assert lone == [(0, 2), (2, 1), (1, 0)] * 2


def _next_deal(state: TwilightState) -> TwilightState:
    after, _ = after_deal("", "", players=3, forehand=state.seating.forehand)
    return after


@pytest.mark.rule("twilight", "6")
def test_single_players_may_share_the_victory() -> None:
    outcome = finished([998, 1000, 1000], players=3, forehand=1)
    assert outcome == Outcome((3, 1, 2), (998.0, 1002.0, 1000.0), "goal")
    outcome = finished([900, 1000, 1000], players=3, forehand=0)
    assert outcome == Outcome((3, 1, 1), (902.0, 1000.0, 1000.0), "goal")


@pytest.mark.rule("twilight", "8.14")
def test_reading_14_three_players_stop_at_once() -> None:
    assert finished([1000, 0, 0], players=3, deal=4) is not None


@pytest.mark.rule("twilight", "8.14")
@pytest.mark.parametrize(("deal", "over"), [(4, False), (5, False), (6, True)])
def test_option_complete_rounds(deal: int, over: bool) -> None:
    """Reading 14: with complete rounds, everyone has played alone equally often at the end."""
    outcome = finished([1000, 0, 0], players=3, deal=deal, lone="rounds")
    assert (outcome is not None) == over


def test_the_cap_ends_complete_rounds_too() -> None:
    assert DEALS_MAX % 3 == 0


@pytest.mark.rule("twilight", "8.15")
def test_option_fixed_teams() -> None:
    """Reading 15: the lone player stays the same, with two accounts as for four players."""
    state, _ = after_deal("", "", players=3, forehand=2, lone="fixed")
    assert state.seating.forehand == 2
    assert public(state)["lone"] == 2
    assert finished([1008, 1008, 1006], players=3, forehand=2, lone="fixed") is None
    outcome = finished([1008, 1008, 1016], players=3, forehand=2, lone="fixed")
    assert outcome == Outcome((2, 2, 1), (1008.0, 1008.0, 1018.0), "goal")


def test_options_for_three_do_not_exist_for_four() -> None:
    assert set(GAME.setup(4).options) == {"exact"}
    assert set(GAME.setup(3).options) == {"exact", "lone"}
