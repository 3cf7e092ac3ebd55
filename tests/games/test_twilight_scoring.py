"""Twilight: the points of a deal, and the end of a match."""

from __future__ import annotations

import pytest

from games.engine import Match, NotYourTurn, Outcome
from games.twilight import DEALS_MAX, account
from games.twilight.cards import MOON, SUN
from tests.games.twilight_table import (
    EXAMPLE_PILE,
    GAME,
    after_deal,
    finished,
    played,
    position,
    public,
    told,
)


# ------------------------------------------------------------------------------- scoring
@pytest.mark.rule("twilight", "5")
def test_t2_the_rulebooks_example_of_scoring() -> None:
    """T2: 17 souls times three for the Obelisk; the Temple of the Moon counts for nobody."""
    assert account(EXAMPLE_PILE, SUN) == (17, 3)
    assert account(EXAMPLE_PILE, SUN).points == 51


def test_t3_the_same_cards_for_the_moon() -> None:
    assert account(EXAMPLE_PILE, MOON).points == 34


@pytest.mark.rule("twilight", "5")
def test_t15_without_a_sanctuary_of_their_own_all_souls_are_lost() -> None:
    assert account(["SL7", "MH3"], SUN) == (7, 0)
    assert account(["SL7", "MH3"], SUN).points == 0


@pytest.mark.rule("twilight", "5")
@pytest.mark.parametrize(
    ("sanctuaries", "factor"),
    [("1", 1), ("2", 2), ("3", 3), ("1 2", 3), ("1 3", 4), ("2 3", 5), ("1 2 3", 6)],
)
def test_sanctuaries_add_up(sanctuaries: str, factor: int) -> None:
    """Section 5: the Altar counts souls once, the Temple twice, the Obelisk three times, and
    several add up.
    """
    pile = ["SL5", *(f"SH{n}" for n in sanctuaries.split())]
    assert account(pile, SUN).points == 5 * factor


@pytest.mark.rule("twilight", "5", "6")
def test_partners_share_their_points() -> None:
    state, facts = after_deal("SL7 ML3 MC5 MH2", "SC1 SL4 SH3 SH2")
    # The last trick adds two clerics, MC4 and SC5, and both altars to the Moon's pile.
    assert state.totals == [39, 25, 39, 25]
    scored = [fact.data for fact in facts if fact.kind == "scored"]
    assert scored[0] == {
        "cult": "moon",
        "seats": [0, 2],
        "cards": ["MC4", "MC5", "ML3", "MH2", "MH1", "SC5", "SL7", "SH1"],
        "souls": 13,
        "factor": 3,
        "points": 39,
    }
    assert scored[1]["points"] == 25
    assert public(state)["accounts"] == [
        {
            "lone": None,
            "moon": {"souls": 13, "factor": 3, "points": 39},
            "sun": {"souls": 5, "factor": 5, "points": 25},
        }
    ]


# ------------------------------------------------------------------------ 6 end of match
def moon_minus_two(moon: int, sun: int) -> list[int]:
    """Totals that become these once the Moon has two more points."""
    return [moon - 2, sun, moon - 2, sun]


@pytest.mark.rule("twilight", "6")
def test_a_team_wins_with_a_thousand() -> None:
    assert finished(moon_minus_two(999, 900)) is None
    outcome = finished(moon_minus_two(1000, 900))
    assert outcome == Outcome((1, 2, 1, 2), (1000.0, 900.0, 1000.0, 900.0), "goal")


@pytest.mark.rule("twilight", "6")
def test_the_higher_total_wins() -> None:
    """Section 6: it does not matter who reached the goal first."""
    outcome = finished(moon_minus_two(1000, 1040))
    assert outcome is not None
    assert outcome.winners() == (1, 3)


@pytest.mark.rule("twilight", "6")
def test_equal_teams_play_one_more_deal() -> None:
    assert finished(moon_minus_two(1010, 1010)) is None


@pytest.mark.rule("twilight", "8.13")
def test_reading_13_a_deal_is_played_to_its_end() -> None:
    state = position("MC1 MH3", "SC1 SL3", "ML7 ML3", "SL7 SH1", totals=[999] * 4)
    played(state, "MC1", "SL3", "ML7", "SL7")
    assert GAME.outcome(state) is None
    assert state.totals == [999] * 4


@pytest.mark.rule("twilight", "6")
@pytest.mark.parametrize(
    ("moon", "sun", "winner", "reason"),
    [
        (333, 376, "moon", "exact"),  # T21: how the author's first game ended
        (376, 333, "sun", "exact"),
        (333, 666, "moon", "exact"),
        (999, 666, "sun", "exact"),
        (999, 1200, "moon", "exact"),
        (1200, 333, "sun", "exact"),
        (1001, 1200, "sun", "goal"),
    ],
)
def test_the_variant_with_exact_goals(moon: int, sun: int, winner: str, reason: str) -> None:
    """Section 6: exactly 333 beats exactly 666, that beats 999, and that beats a thousand."""
    outcome = finished(moon_minus_two(moon, sun), exact=True)
    assert outcome is not None
    assert outcome.winners() == ((0, 2) if winner == "moon" else (1, 3))
    assert outcome.reason == reason


@pytest.mark.rule("twilight", "6")
def test_exact_goals_count_only_in_the_variant() -> None:
    assert finished(moon_minus_two(333, 376)) is None
    assert finished(moon_minus_two(334, 376), exact=True) is None


@pytest.mark.rule("twilight", "6")
def test_the_same_exact_goal_is_shared() -> None:
    outcome = finished(moon_minus_two(666, 666), exact=True)
    assert outcome == Outcome((1, 1, 1, 1), (666.0,) * 4, "exact")


@pytest.mark.rule("twilight", "6")
def test_a_match_ends_after_the_last_allowed_deal() -> None:
    """Section 9: at the limit, which no real match reaches, the higher total wins."""
    state, facts = after_deal("", "", totals=moon_minus_two(500, 400), deal=DEALS_MAX)
    assert GAME.outcome(state) == Outcome((1, 2, 1, 2), (500.0, 400.0, 500.0, 400.0), "deals")
    assert told(facts, "over")["winners"] == [0, 2]


@pytest.mark.rule("twilight", "6")
def test_after_the_end_no_one_acts() -> None:
    state, _ = after_deal("", "", totals=moon_minus_two(1000, 0))
    assert GAME.actors(state) == ()
    match = Match(GAME, GAME.setup(4))
    match.state = state
    with pytest.raises(NotYourTurn):
        match.play(0, ["MC1"])
