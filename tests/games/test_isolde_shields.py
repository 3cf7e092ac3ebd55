"""Fair Isolde: the secret codex, the King, the quest of the Grail, and exchanging shields."""

from __future__ import annotations

import pytest

from tests.games.isolde_table import (
    GAME,
    asked,
    close,
    decide,
    give_shields,
    kinds,
    laid,
    place,
    positions,
    refused,
    score,
    table,
    told,
    turn,
    two_face_down,
    won,
)


# ---------------------------------------------------------------------------------- Kodex
@pytest.mark.rule("isolde", "8.6")
@pytest.mark.parametrize(("players", "shields"), [(5, [-3, -1, 0, 0, 0]), (3, [-3, -1, 0])])
def test_codex_example_27(players: int, shields: list[int]) -> None:
    """With five colours the codex has -3, -1 and three zeros, with three colours -3, -1 and one
    zero; all orders are equally likely.
    """
    state = GAME.start(GAME.setup(players, {"kodex": True, "starter": "1"}))
    assert GAME.view(state, None).phase == "lay"
    draws = GAME.chance(state)
    assert draws is not None
    assert len(draws) == players * (players - 1)
    for move, weight in draws:
        assert weight == 1.0
        assert sorted(map(int, move.removeprefix("lay:").split(","))) == sorted(shields)


@pytest.mark.rule("isolde", "8.6")
def test_codex_a_studien_card_looks_at_one_shield() -> None:
    """After a move with a Studien card, its player chooses a place in the codex, and only they see
    the value.
    """
    state = laid(4, "0,-3,-1,0")
    facts = turn(state, "B", "STUDIEN4")
    assert positions(state, "STUDIEN") == "B4 A0 C0 D0"
    assert GAME.legal(state, 1) == ["look:1", "look:2", "look:3", "look:4"]
    facts = decide(state, "look:2")
    assert [(fact.kind, fact.to, dict(fact.data)) for fact in facts] == [
        ("looked", None, {"colour": 1, "place": 2}),
        ("codex_seen", frozenset({1}), {"place": 2, "value": -3}),
    ]
    assert GAME.view(state, 1).private["codex"] == [None, -3, None, None]
    assert GAME.view(state, 0).private["codex"] == [None] * 4
    assert GAME.view(state, 0).public["boards"]["STUDIEN"]["places"][1]["known_by"] == [1]


@pytest.mark.rule("isolde", "8.6")
def test_codex_is_taken_in_the_order_of_the_board() -> None:
    """The colours that have moved take shields in order of their places, then the others do,
    beginning with the starter.
    """
    state = laid(4, "0,-3,-1,0", starter="D")
    place(state, "STUDIEN", "C5 B3")
    score(state, "STUDIEN")
    order = ""
    for move in ("take:1", "take:4", "take:2"):
        order += asked(state)
        facts = decide(state, move)
    assert order == "CBD"
    assert "forced" in kinds(facts)
    assert won(state, "STUDIEN") == {"D": [-3], "A": [-1]}
    (opened,) = told(facts, "codex_open")
    assert opened == {"zeros": [2, 1], "face_down": [3, 0]}
    assert GAME.view(state, None).public["boards"]["STUDIEN"]["places"] == []


@pytest.mark.rule("isolde", "8.6")
def test_codex_shields_stay_face_down() -> None:
    """The owner of a shield knows its value, and so that of the round's other shield; everyone else
    knows only the owners.
    """
    state = laid(4, "0,-3,-1,0")
    place(state, "STUDIEN", "A5 B4 C3 D2")
    score(state, "STUDIEN")
    decide(state, "take:2", "take:1", "take:4")
    public = GAME.view(state, None).public["shields"]
    hidden = {"board": "STUDIEN", "round": 1, "value": None, "known_by": [0, 3], "giver": None}
    assert public == [[hidden], [], [], [hidden]]
    both = [
        {"colour": 0, "round": 1, "value": -3},
        {"colour": 3, "round": 1, "value": -1},
    ]
    assert [GAME.view(state, seat).private["face_down"] for seat in range(4)] == [
        both,
        [],
        [],
        both,
    ]


def test_codex_who_has_looked_knows_who_has_what() -> None:
    """A viewed shield stays known wherever it goes; viewing a zero reveals nothing more."""
    state = laid(4, "0,-3,-1,0")
    turn(state, "C", "STUDIEN4")
    decide(state, "look:2")
    turn(state, "B", "STUDIEN5")
    decide(state, "look:1")
    place(state, "STUDIEN", "B5 C4 A3 D2")
    score(state, "STUDIEN")
    decide(state, "take:1", "take:4", "take:2")
    assert GAME.view(state, None).public["shields"][0][0]["known_by"] == [0, 2, 3]


def test_codex_is_shown_at_the_end() -> None:
    state = laid(3, "0,-3,-1", round_=6)
    place(state, "STUDIEN", "A5 B4 C3")
    score(state, "STUDIEN")
    decide(state, "take:1", "take:2")
    close(state)
    public = GAME.view(state, None).public["shields"]
    assert [shields[0]["value"] for shields in public[1:]] == [-3, -1]
    assert [shields[0]["known_by"] for shields in public[1:]] == [None, None]


def test_codex_refuses_a_place_that_is_not_free() -> None:
    state = laid(3, "0,-3,-1")
    place(state, "STUDIEN", "A5 B4 C3")
    score(state, "STUDIEN")
    decide(state, "take:2")
    assert refused(state, 1, "take:2") == ("no_such_place", {"text": "2", "places": 3})
    assert refused(state, 1, "take:4")[0] == "no_such_place"


# --------------------------------------------------------------------------------- Koenig
@pytest.mark.rule("isolde", "8.7")
def test_king_example_28() -> None:
    """If scroll 6 is taken, the King is scored this round, and the scroll stays away; if scroll 12
    is taken, the King is scored, and both scrolls and all pieces go back.
    """
    state = table(4, koenig=True)
    turn(state, "A", "KOENIG4")
    facts = turn(state, "A", "KOENIG2")
    assert told(facts, "scroll") == [{"colour": 0, "field": 6}]
    place(state, "KOENIG", "A6 D5 B3")
    score(state, "KOENIG")
    assert won(state, "KOENIG") == {"A": [4], "B": [2], "D": [2]}
    close(state)
    assert positions(state, "KOENIG") == "A6 D5 B3 C0"
    assert GAME.view(state, None).public["boards"]["KOENIG"]["scrolls"] == [12]

    state.agenda.clear()
    assert not told(turn(state, "A", "KOENIG5"), "scroll")
    assert not told(score(state, "KOENIG"), "scoring")
    close(state)

    state.agenda.clear()
    turn(state, "D", "KOENIG4")
    assert told(turn(state, "D", "KOENIG4"), "scroll") == [{"colour": 3, "field": 12}]
    score(state, "KOENIG")
    assert won(state, "KOENIG") == {"A": [4, 6], "B": [2, 2], "D": [2, 8]}
    close(state)
    assert positions(state, "KOENIG") == "A0 B0 C0 D0"
    assert GAME.view(state, None).public["boards"]["KOENIG"]["scrolls"] == [6, 12]


@pytest.mark.rule("isolde", "8.7")
def test_king_both_scrolls_in_one_round_count_double() -> None:
    """Each prize is paid twice, as two shields; then all pieces start again."""
    state = table(4, round_=2, koenig=True)
    place(state, "KOENIG", "B10 C1")
    turn(state, "B", "KOENIG2")
    board = GAME.view(state, None).public["boards"]["KOENIG"]
    assert (board["scrolls"], board["taken"]) == ([], [6, 12])
    score(state, "KOENIG")
    assert won(state, "KOENIG") == {"B": [8, 8], "C": [1, 1]}
    close(state)
    assert positions(state, "KOENIG") == "A0 B0 C0 D0"


@pytest.mark.rule("isolde", "8.7")
@pytest.mark.parametrize(
    ("position", "points"),
    [(0, 0), (1, 1), (2, 1), (3, 2), (5, 2), (6, 4), (8, 4), (9, 6), (11, 6), (12, 8), (30, 8)],
)
def test_king_points_of_fields(position: int, points: int) -> None:
    state = table(4, koenig=True)
    place(state, "KOENIG", "A1")
    turn(state, "A", "KOENIG5")
    place(state, "KOENIG", f"B{position}" if position else "")
    score(state, "KOENIG")
    assert won(state, "KOENIG") == ({"B": [points]} if points else {})


@pytest.mark.rule("isolde", "8.7")
def test_king_example_30_bonus_moves_take_no_scroll() -> None:
    """A bonus move from field 5 to 7 takes no scroll; the next Koenig card that ends on 6 or more
    does.
    """
    state = table(4, koenig=True)
    place(state, "KOENIG", "A5 B3")
    place(state, "ISOLDE", "C9 A8")
    score(state, "ISOLDE", "KOENIG")
    facts = decide(state, "bonus:KOENIG", "bonus:-")
    assert not told(facts, "scroll")
    assert not told(facts, "scoring")
    assert positions(state, "KOENIG") == "A7 B3 C0 D0"
    other = state.clone()
    assert told(turn(state, "B", "KOENIG3"), "scroll") == [{"colour": 1, "field": 6}]
    assert told(turn(other, "A", "KOENIG2"), "scroll") == [{"colour": 0, "field": 6}]


@pytest.mark.rule("isolde", "8.7")
@pytest.mark.parametrize("round_", [3, 6])
def test_king_has_no_rounds_of_its_own(round_: int) -> None:
    """Without a scroll, rounds 3 and 6 score nothing, and round 3 resets nothing."""
    state = table(4, round_=round_, koenig=True)
    place(state, "KOENIG", "A5")
    assert not told(score(state, "KOENIG"), "scoring")
    close(state)
    assert positions(state, "KOENIG") == "A5 B0 C0 D0"


# ----------------------------------------------------------------------- Gralssuche, Barm
SIX_SHIELDS = (("LANZE", 3), ("TURNIER", 1), ("KOENIG", 12), ("KOENIG", 6), ("LANZE", 8))
WITH_OTHERS = (*SIX_SHIELDS, ("STUDIEN", -3), ("BARM", -10))


@pytest.mark.rule("isolde", "8.8")
def test_quest_counts_positive_shields() -> None:
    """The first gains a point for each positive shield, the second a point for every two, and the
    last loses a point for every two; the others get nothing.
    """
    state = table(4, round_=6, gral=True)
    for colour in "ABCD":
        give_shields(state, colour, *WITH_OTHERS)
    place(state, "GRAL", "A9 B8 C7 D6")
    facts = score(state, "GRAL")
    assert won(state, "GRAL") == {"A": [5], "B": [2], "D": [-2]}
    assert told(facts, "reckoned")[0] == {
        "colour": 0,
        "shields": 5,
        "value": 5,
        "why": "place",
        "place": 1,
    }


@pytest.mark.rule("isolde", "8.8")
def test_quest_all_who_have_not_moved_are_last() -> None:
    """Each colour that has not moved loses a point for every two of its positive shields."""
    state = table(4, round_=6, gral=True)
    give_shields(state, "A", *SIX_SHIELDS)
    give_shields(state, "C", *SIX_SHIELDS[:3])
    give_shields(state, "D", *SIX_SHIELDS[:1])
    place(state, "GRAL", "A9 B8")
    score(state, "GRAL")
    assert won(state, "GRAL") == {"A": [5], "C": [-1]}
    state = table(3, round_=6, gral=True)
    for colour in "ABC":
        give_shields(state, colour, *SIX_SHIELDS)
    score(state, "GRAL")
    assert won(state, "GRAL") == {"A": [-2], "B": [-2], "C": [-2]}


@pytest.mark.rule("isolde", "8.8")
def test_quest_of_three_has_a_second_and_a_last() -> None:
    """With three colours, the third place is also the last."""
    state = table(3, round_=6, gral=True)
    for colour in "ABC":
        give_shields(state, colour, *SIX_SHIELDS)
    place(state, "GRAL", "A9 B8 C7")
    score(state, "GRAL")
    assert won(state, "GRAL") == {"A": [5], "B": [2], "C": [-2]}


@pytest.mark.rule("isolde", "8.9")
def test_charity_exchange() -> None:
    """The first gives the last a negative shield, and takes two positive ones of up to 3 each."""
    state = table(4, round_=6, barm=True)
    give_shields(state, "A", ("STUDIEN", -1), ("STUDIEN", -3))
    give_shields(state, "D", ("LANZE", 3), ("TURNIER", 2), ("KOENIG", 6), ("LANZE", 1))
    give_shields(state, "B", ("STUDIEN", -3))
    give_shields(state, "C", ("TURNIER", 1), ("LANZE", 3), ("LANZE", 8))
    place(state, "BARM", "A9 B8 C7 D6")
    score(state, "BARM")
    assert GAME.legal(state, 0) == ["give:-1", "give:-3"]
    decide(state, "give:-3")
    assert GAME.legal(state, 0) == ["claim:3+2", "claim:3+1", "claim:2+1"]
    facts = decide(state, "claim:3+2")
    assert "forced" in kinds(facts)  # B has one shield to give
    assert GAME.legal(state, 1) == ["claim:3", "claim:1"]
    decide(state, "claim:3")
    assert GAME.actors(state) == ()
    assert won(state, "STUDIEN") == {"A": [-1], "C": [-3], "D": [-3]}
    assert won(state, "LANZE") == {"A": [3], "B": [3], "C": [8], "D": [1]}
    assert won(state, "TURNIER") == {"A": [2], "C": [1]}
    assert [shield.giver for shield in state.shields[0]] == [-1, 3, 3]


@pytest.mark.rule("isolde", "8.9")
def test_charity_of_three_is_one_exchange() -> None:
    state = table(3, round_=6, barm=True)
    give_shields(state, "A", ("STUDIEN", -1))
    give_shields(state, "B", ("STUDIEN", -1))
    give_shields(state, "C", ("LANZE", 3), ("LANZE", 3))
    place(state, "BARM", "A9 B8 C7")
    score(state, "BARM")
    assert won(state, "LANZE") == {"A": [3, 3]}
    assert won(state, "STUDIEN") == {"B": [-1], "C": [-1]}


@pytest.mark.rule("isolde", "8.9")
def test_charity_gives_what_there_is() -> None:
    """A player who lacks shields gives what they have; the other half of the exchange still
    happens.
    """
    state = table(4, round_=6, barm=True)
    give_shields(state, "D", ("LANZE", 1), ("KOENIG", 12))
    give_shields(state, "B", ("STUDIEN", -3))
    place(state, "BARM", "A9 B8 C7 D6")
    facts = score(state, "BARM")
    assert kinds(facts) == [
        "scoring",
        "forced",
        "partner",
        "nothing_to_give",
        "forced",
        "claimed",
        "forced",
        "partner",
        "forced",
        "given",
        "nothing_to_claim",
    ]
    assert won(state, "LANZE") == {"A": [1]}
    assert won(state, "KOENIG") == {"D": [12]}
    assert won(state, "STUDIEN") == {"C": [-3]}


@pytest.mark.rule("isolde", "8.9")
def test_charity_one_who_has_not_moved() -> None:
    """With four players, the only one that has not moved is last, and the lowest of the others is
    second to last.
    """
    state = table(4, round_=6, barm=True)
    place(state, "BARM", "C9 B8 A7")
    facts = score(state, "BARM")
    assert told(facts, "partner") == [{"colour": 2, "partner": 3}, {"colour": 1, "partner": 0}]


@pytest.mark.rule("isolde", "8.9")
def test_charity_partners_are_chosen_among_several_last() -> None:
    """If several colours share last place, the first chooses a partner among them, then the second
    among the rest.
    """
    state = table(5, round_=6, barm=True)
    place(state, "BARM", "C9 B8")
    score(state, "BARM")
    assert (asked(state), GAME.legal(state, 2)) == ("C", ["partner:1", "partner:4", "partner:5"])
    decide(state, "partner:4")
    assert (asked(state), GAME.legal(state, 1)) == ("B", ["partner:1", "partner:5"])
    assert refused(state, 1, "partner:4") == ("no_partner", {"text": "4"})
    decide(state, "partner:5")
    assert GAME.view(state, None).public["boards"]["BARM"]["partners"] == [3, 4]


@pytest.mark.parametrize(
    ("pieces", "exchanges"), [("", []), ("A1", [(0, 1)]), ("A2 B1", [(0, 2), (1, 3)])]
)
def test_charity_needs_a_first_and_a_second(pieces: str, exchanges: list[tuple[int, int]]) -> None:
    """Each colour that has moved, two at most, exchanges with one that has not."""
    state = table(4, round_=6, barm=True)
    place(state, "BARM", pieces)
    facts = score(state, "BARM")
    while GAME.actors(state):
        facts += decide(state, GAME.legal(state, GAME.actors(state)[0])[0])
    partners = [(data["colour"], data["partner"]) for data in told(facts, "partner")]
    assert partners == exchanges


@pytest.mark.rule("isolde", "4.5", "8.9")
def test_charity_after_the_quest() -> None:
    state = table(4, round_=6, gral=True, barm=True)
    give_shields(state, "A", ("STUDIEN", -1))
    give_shields(state, "D", ("LANZE", 3), ("LANZE", 3))
    place(state, "GRAL", "D9 C8 B7 A6")
    place(state, "BARM", "A9 B8 C7 D6")
    score(state, "GRAL", "BARM")
    assert won(state, "GRAL") == {"D": [2]}
    assert won(state, "LANZE") == {"A": [3, 3]}


def test_charity_with_the_codex_keeps_shields_face_down() -> None:
    state = laid(4, "0,-3,-1,0", round_=6, barm=True)
    place(state, "STUDIEN", "B5 C4 A3 D2")
    place(state, "BARM", "A9 B8 C7 D6")
    score(state, "STUDIEN", "BARM")
    decide(state, "take:1", "take:4")
    facts = decide(state, "take:2")  # A has -3, D -1; A has nothing else to give
    assert told(facts, "given") == [{"colour": 0, "partner": 3, "round": 6, "value": None}]
    (seen,) = [fact for fact in facts if fact.kind == "shield_seen"]
    assert (seen.to, seen.data["value"]) == (frozenset({3}), -3)
    shields = GAME.view(state, None).public["shields"][3]
    assert [(s["value"], s["known_by"], s["giver"]) for s in shields] == [
        (None, [0, 3], None),
        (None, [0, 3], 0),
    ]


def test_charity_names_shields_that_lie_face_down_by_their_round() -> None:
    """Of two face-down shields one must be chosen, even if their owner knows that they are
    equal.
    """
    state = two_face_down()
    assert GAME.legal(state, 0) == ["give:?2", "give:?4"]
    assert refused(state, 0, "give:-3") == ("no_such_shield", {"text": "-3"})
    decide(state, "give:?4")
    assert [(shield.round, shield.value) for shield in state.shields[3]] == [(4, -3)]
    # D has received it, and so knows the value of that round's other shield, too.
    assert GAME.view(state, 3).private["face_down"] == [
        {"colour": 2, "round": 4, "value": -1},
        {"colour": 3, "round": 4, "value": -3},
    ]
