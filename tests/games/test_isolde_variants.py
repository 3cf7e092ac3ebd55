"""The eight variants of Die Holde Isolde: every rule, the worked examples, and combinations."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.engine import CHANCE, IllegalMove
from games.isolde.state import Due
from tests.games.isolde_table import (
    GAME,
    asked,
    close,
    decide,
    due,
    give_hand,
    give_shields,
    kinds,
    place,
    positions,
    score,
    table,
    told,
    turn,
    two_face_down,
    won,
)


def refused(state: Any, seat: int, text: str) -> tuple[str, dict[str, Any]]:
    """Why a text is refused."""
    with pytest.raises(IllegalMove) as refusal:
        GAME.parse(state, seat, text)
    return refusal.value.code, refusal.value.data


def laid(players: int, values: str, **options: Any) -> Any:
    """A position with the codex laid out."""
    state = table(players, kodex=True, **options)
    due(state, Due("lay"))
    decide(state, f"lay:{values}")
    return state


# ----------------------------------------------------------------------------- Galanterie
def test_gallantry_example_25_four() -> None:
    """A takes START and KOENIG2, B takes SCHWERT and EINS, C has only FUENFTE left to take."""
    state = table(4, galanterie=True)
    place(state, "ISOLDE", "A9 B8 C7 D6")
    give_hand(state, "C", "GRAL4")
    score(state, "ISOLDE")
    order = ""
    for move in ("START>3", "KOENIG2", "SCHWERT>LANZE", "EINS>GRAL", "FUENFTE"):
        order += asked(state)
        decide(state, f"bonus:{move}")
    assert order == "AABBC"
    assert state.appointed == 2
    assert positions(state, "KOENIG") == "A2 B0 C0 D0"
    assert positions(state, "LANZE") == "B2 A0 C0 D0"
    assert positions(state, "GRAL") == "C4 B1 A0 D0"
    assert GAME.actors(state) == ()


def test_gallantry_example_25_three() -> None:
    """N = 3: the third gets nothing."""
    state = table(3, galanterie=True)
    place(state, "ISOLDE", "A9 B8 C7")
    score(state, "ISOLDE")
    decide(state, "bonus:START>1", "bonus:KOENIG2", "bonus:SCHWERT>TURNIER", "bonus:EINS>ISOLDE")
    assert GAME.actors(state) == ()
    assert positions(state, "ISOLDE") == "B9 A9 C7"


def test_gallantry_ranks_before_the_first_bonus() -> None:
    """A move on the Isolde board itself changes nothing in the scoring that is going on."""
    state = table(4, galanterie=True)
    place(state, "ISOLDE", "A5 B5 C1")
    score(state, "ISOLDE")
    decide(state, "bonus:KOENIG2", "bonus:-")
    decide(state, "bonus:EINS>ISOLDE")
    assert positions(state, "ISOLDE") == "B6 A5 C1 D0"
    decide(state, "bonus:-")
    assert asked(state) == "C"


def test_gallantry_may_be_left_alone() -> None:
    """Declining gives up the second bonus, too; the next player may take two of the rest."""
    state = table(4, galanterie=True)
    place(state, "ISOLDE", "A9 B8 C7")
    score(state, "ISOLDE")
    facts = decide(state, "bonus:-")
    assert told(facts, "declined") == [{"colour": 0, "board": "ISOLDE"}]
    assert asked(state) == "B"
    decide(state, "bonus:KOENIG2", "bonus:-")
    assert asked(state) == "C"
    decide(state, "bonus:START>1", "bonus:EINS>BARM")
    assert GAME.actors(state) == ()


def test_gallantry_bonuses_return_each_round() -> None:
    """All five are available again in the next scoring."""
    state = table(4, galanterie=True)
    place(state, "ISOLDE", "A9")
    for _ in range(2):
        score(state, "ISOLDE")
        decide(state, "bonus:KOENIG2", "bonus:-")
    assert positions(state, "KOENIG") == "A4 B0 C0 D0"


def test_gallantry_appoints_the_next_starter() -> None:
    """START decides who starts the next round; without it the next seat does."""
    state = table(4, galanterie=True)
    place(state, "ISOLDE", "A9")
    score(state, "ISOLDE")
    decide(state, "bonus:START>4", "bonus:-")
    close(state)
    assert state.starter == 3
    state.agenda.clear()
    close(state)
    assert state.starter == 0


def test_gallantry_start_may_be_taken_in_the_last_round() -> None:
    """It has no effect then, but is gone for the others."""
    state = table(4, round_=6, galanterie=True)
    place(state, "ISOLDE", "A9 B8")
    score(state, "ISOLDE")
    decide(state, "bonus:START>4", "bonus:-")
    assert refused(state, 1, "START>1") == ("bonus_taken", {"bonus": "START"})


def test_gallantry_sword_leaves_the_cup() -> None:
    """A bonus moves two fields on one knight's board, and not the cup."""
    state = table(4, galanterie=True, turnier=True)
    place(state, "ISOLDE", "A9")
    score(state, "ISOLDE")
    decide(state, "bonus:SCHWERT>TURNIER", "bonus:-")
    assert positions(state, "TURNIER") == "A2 B0 C0 D0"
    assert GAME.view(state, None).public["boards"]["TURNIER"]["cup"] == 0


def test_gallantry_fifth_card_is_played_in_full() -> None:
    """The board of a Kampf card is chosen; the cup moves; the other boards are scored with it."""
    state = table(4, round_=2, galanterie=True, turnier=True)
    place(state, "ISOLDE", "A9")
    give_hand(state, "A", "KAMPF4")
    score(state, "ISOLDE", "LANZE", "TURNIER")
    facts = decide(state, "bonus:FUENFTE")
    assert told(facts, "turned_up") == [{"colour": 0, "card": "KAMPF4"}]
    assert GAME.legal(state, 0) == ["play:KAMPF4>LANZE", "play:KAMPF4>TURNIER"]
    decide(state, "play:KAMPF4>TURNIER", "bonus:-")
    assert won(state, "TURNIER") == {"A": [8]}


def test_gallantry_fifth_card_takes_a_scroll() -> None:
    """A Koenig card takes it as on a turn, and the King is scored in this round."""
    state = table(4, galanterie=True, koenig=True)
    place(state, "ISOLDE", "A9")
    place(state, "KOENIG", "A3")
    give_hand(state, "A", "KOENIG5")
    score(state, "ISOLDE", "KOENIG")
    facts = decide(state, "bonus:FUENFTE", "bonus:-")
    assert told(facts, "scroll") == [{"colour": 0, "field": 6}]
    assert won(state, "KOENIG") == {"A": [4]}


def test_gallantry_fifth_card_looks_at_the_codex() -> None:
    """A Studien card lets its player look as on a turn."""
    state = laid(4, "-3,-1,0,0", galanterie=True)
    place(state, "ISOLDE", "B8")
    give_hand(state, "B", "STUDIEN4")
    score(state, "ISOLDE")
    decide(state, "bonus:FUENFTE")
    assert GAME.view(state, None).phase == "look"
    assert GAME.actors(state) == (1,)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("SCHWERT>GRAL", "bonus_target"),
        ("START", "bonus_target"),
        ("KOENIG2>GRAL", "bonus_target"),
        ("GRAL", "unknown_bonus"),
    ],
)
def test_gallantry_refusals(text: str, code: str) -> None:
    """Each refusal names what is wrong with the bonus."""
    state = table(4, galanterie=True)
    place(state, "ISOLDE", "A9")
    score(state, "ISOLDE")
    assert refused(state, 0, text)[0] == code


# ---------------------------------------------------------------------------------- Magie
def test_magic_example_22_four() -> None:
    """N = 4, round 2: C has 2 fields, then B 4, then A 6, split as they like."""
    state = table(4, round_=2, magie=True)
    place(state, "MAGIE", "A9 B7 C5")
    score(state, "MAGIE")
    assert (asked(state), "magic:GRAL+2" in GAME.legal(state, 2)) == ("C", True)
    assert "magic:GRAL+3" not in GAME.legal(state, 2)
    decide(state, "magic:GRAL+2")
    assert asked(state) == "B"
    decide(state, "magic:LANZE+4")
    assert asked(state) == "A"
    decide(state, "magic:GRAL+4", "magic:LANZE+2")
    assert positions(state, "GRAL") == "A4 C2 B0 D0"
    assert positions(state, "LANZE") == "B4 A2 C0 D0"
    assert GAME.actors(state) == ()


def test_magic_example_22_three() -> None:
    """N = 3: only B with 4 and then A with 6."""
    state = table(3, round_=5, magie=True)
    place(state, "MAGIE", "A9 B7 C5")
    score(state, "MAGIE")
    assert asked(state) == "B"
    decide(state, "magic:GRAL+4")
    assert asked(state) == "A"
    decide(state, "magic:ISOLDE+6")
    assert positions(state, "ISOLDE") == "A6 B0 C0"


def test_magic_order_matters_on_a_stack() -> None:
    """Each board is moved on once, in the order named; the rest may be left."""
    state = table(4, round_=2, magie=True)
    place(state, "MAGIE", "A9")
    score(state, "MAGIE")
    decide(state, "magic:GRAL+1")
    assert refused(state, 0, "GRAL+1") == ("board_used", {"board": "GRAL"})
    assert refused(state, 0, "BARM+6") == ("fields_needed", {"board": "BARM", "most": 5})
    assert refused(state, 0, "BARM") == ("fields_needed", {"board": "BARM", "most": 5})
    assert refused(state, 0, "MAGIE+1") == ("board_excluded", {"board": "MAGIE"})
    assert refused(state, 0, "BURG+1") == ("unknown_board", {"text": "BURG"})
    decide(state, "magic:-")
    assert positions(state, "GRAL") == "A1 B0 C0 D0"
    assert GAME.actors(state) == ()


def test_magic_takes_any_card_without_its_other_effects() -> None:
    """Any card moves on MAGIE; no look, no cup, no scroll, no card for a bet."""
    state = table(4, magie=True, kodex=True, turnier=True, koenig=True, herausforderung=True)
    place(state, "KOENIG", "A5")
    for card in ("STUDIEN5", "KAMPF4", "KOENIG5"):
        facts = turn(state, "A", f"{card}>MAGIE")
        assert kinds(facts) == ["played"]
    assert positions(state, "MAGIE") == "A14 B0 C0 D0"
    give_hand(state, "B", "GRAL4 BARM2")
    due(state, Due("play", 1))
    assert GAME.legal(state, 1) == [
        "play:GRAL4",
        "play:GRAL4>MAGIE",
        "play:BARM2",
        "play:BARM2>MAGIE",
    ]


@pytest.mark.parametrize(("round_", "scored"), [(r, r in (2, 5)) for r in range(1, 7)])
def test_magic_rounds(round_: int, scored: bool) -> None:
    """Scored in rounds 2 and 5 after Isolde; starts anew after round 2 only."""
    state = table(4, round_=round_, magie=True)
    place(state, "MAGIE", "A4")
    assert state.rules.board["MAGIE"].due(state) == scored
    assert [board.id for board in state.rules.boards][:3] == ["ISOLDE", "MAGIE", "LANZE"]
    close(state)
    assert positions(state, "MAGIE") == ("A0 B0 C0 D0" if round_ == 2 else "A4 B0 C0 D0")


def test_magic_is_open_to_bonuses_of_isolde() -> None:
    """The Isolde bonus may be used on MAGIE, and counts at once."""
    state = table(4, round_=2, magie=True)
    place(state, "ISOLDE", "A3")
    score(state, "ISOLDE", "MAGIE")
    decide(state, "bonus:MAGIE")
    assert GAME.view(state, None).phase == "magic"
    assert asked(state) == "A"


# -------------------------------------------------------------------- Das grosse Turnier
def test_tournament_example_19() -> None:
    """A 5 to white, B 4 to white, C 3 and D 4 to black: black wins."""
    state = table(4, round_=2, turnier=True)
    for colour, card in (
        ("A", "KAMPF5>TURNIER"),
        ("B", "KAMPF4>TURNIER"),
        ("C", "KAMPF3>LANZE"),
        ("D", "KAMPF4>LANZE"),
    ):
        turn(state, colour, card)
    score(state, "LANZE", "TURNIER")
    assert won(state, "LANZE") == {"D": [8], "C": [5]}
    assert won(state, "TURNIER") == {"A": [5], "B": [3]}


def test_tournament_example_21() -> None:
    """White 5, white 4, black 5, black 4: the cup stands on 5, 6, 1, -3."""
    state = table(4, turnier=True)
    cups = []
    for card in ("KAMPF5>TURNIER", "KAMPF4>TURNIER", "KAMPF5>LANZE", "KAMPF4>LANZE"):
        (cup,) = told(turn(state, "A", card), "cup")
        cups.append(cup["field"])
    assert cups == [5, 6, 1, -3]


def test_tournament_prizes() -> None:
    """8, 5, 2 on the victor's side, 5, 3, 1 on the other; the third only with four colours."""
    state = table(4, round_=4, turnier=True)
    turn(state, "A", "KAMPF3>TURNIER")
    place(state, "LANZE", "B5 C4 D3 A2")
    place(state, "TURNIER", "A5 B4 C3 D2")
    score(state, "LANZE", "TURNIER")
    assert won(state, "TURNIER") == {"A": [8], "B": [5], "C": [2]}
    assert won(state, "LANZE") == {"B": [5], "C": [3], "D": [1]}
    state = table(3, round_=4, turnier=True)
    turn(state, "A", "KAMPF3>LANZE")
    place(state, "LANZE", "B5 C4 A2")
    place(state, "TURNIER", "A5 B4 C3")
    score(state, "LANZE", "TURNIER")
    assert won(state, "LANZE") == {"B": [8], "C": [5]}
    assert won(state, "TURNIER") == {"A": [5], "B": [3]}


def test_tournament_without_a_victor() -> None:
    """With the cup in the middle both sides have the prizes of the defeated."""
    state = table(4, round_=6, turnier=True)
    place(state, "LANZE", "A5")
    place(state, "TURNIER", "B5")
    score(state, "LANZE", "TURNIER")
    assert (won(state, "LANZE"), won(state, "TURNIER")) == ({"A": [5]}, {"B": [5]})


@pytest.mark.parametrize("round_", range(1, 7))
def test_tournament_rounds(round_: int) -> None:
    """Scored in rounds 2, 4 and 6; pieces and cup start anew after 2 and 4, not after 3."""
    state = table(4, round_=round_, turnier=True)
    turn(state, "A", "KAMPF3>LANZE")
    facts = score(state, "LANZE", "TURNIER")
    assert bool(told(facts, "scoring")) == (round_ in (2, 4, 6))
    close(state)
    fresh = round_ in (2, 4)
    assert positions(state, "LANZE") == ("A0 B0 C0 D0" if fresh else "A3 B0 C0 D0")
    board = GAME.view(state, None).public["boards"]["LANZE"]
    assert board["cup"] == (0 if fresh else -3)


def test_tournament_cup_is_moved_by_cards_only() -> None:
    """A bonus moves the piece, not the cup."""
    state = table(4, turnier=True)
    place(state, "ISOLDE", "A3")
    score(state, "ISOLDE")
    facts = decide(state, "bonus:LANZE")
    assert kinds(facts) == ["moved"]


# ------------------------------------------------------------------------ Herausforderung
def test_challenge_example_23() -> None:
    """Three GRAL cards and the second place on Isolde: six fields on GRAL."""
    state = table(4, herausforderung=True)
    due(state, Due("bet", 0), Due("bet", 1), Due("bet", 2), Due("bet", 3))
    decide(state, "bet:GRAL", "bet:GRAL", "bet:BARM", "bet:KOENIG")
    for card in ("GRAL2", "GRAL3", "GRAL4"):
        turn(state, "A", card)
    turn(state, "B", "BARM4")
    place(state, "ISOLDE", "B9 A8 C7 D6")
    facts = score(state, "ISOLDE")
    assert GAME.actors(state) == ()
    assert positions(state, "GRAL") == "A15 B0 C0 D0"
    assert [data["fields"] for data in told(facts, "challenge")] == [0, 6, 0]
    assert [data["colour"] for data in told(facts, "challenge")] == [2, 0, 1]


def test_challenge_bets_are_open_and_in_order() -> None:
    """After the deal and before the draft all bet, the starter first; the same board may be bet."""
    state = table(4, starter="C", herausforderung=True)
    close(state)  # begins a round with D as starter
    decide(state, GAME.sample(state, random.Random(1)))
    order = ""
    while GAME.view(state, None).phase == "bet":
        order += asked(state)
        decide(state, "bet:BARM")
    assert order == "DABC"
    assert GAME.view(state, None).public["boards"]["ISOLDE"]["bets"] == ["BARM"] * 4
    assert GAME.view(state, None).phase == "draft"


def test_challenge_boards() -> None:
    """Neither Isolde nor Magie can be bet on."""
    state = table(4, herausforderung=True, magie=True)
    due(state, Due("bet", 0))
    assert GAME.legal(state, 0) == [
        f"bet:{board}" for board in ("LANZE", "TURNIER", "STUDIEN", "KOENIG", "GRAL", "BARM")
    ]
    assert refused(state, 0, "MAGIE") == ("board_excluded", {"board": "MAGIE"})


def test_challenge_counts_the_board_played_on() -> None:
    """A Kampf card counts where it was used; bonus moves do not count; two prizes for three."""
    state = table(3, herausforderung=True)
    due(state, Due("bet", 0), Due("bet", 1), Due("bet", 2))
    decide(state, "bet:LANZE", "bet:TURNIER", "bet:GRAL")
    turn(state, "A", "KAMPF3>LANZE")
    turn(state, "A", "KAMPF3>TURNIER")
    turn(state, "C", "GRAL5")
    place(state, "ISOLDE", "A5 B4 C3")
    score(state, "ISOLDE")
    assert positions(state, "LANZE") == "A6 B0 C0"
    assert positions(state, "GRAL") == "C5 A0 B0"
    assert GAME.view(state, None).public["boards"]["ISOLDE"]["bets"] == [None] * 3


# ---------------------------------------------------------------------------------- Kodex
@pytest.mark.parametrize(("players", "shields"), [(5, [-3, -1, 0, 0, 0]), (3, [-3, -1, 0])])
def test_codex_example_27(players: int, shields: list[int]) -> None:
    """N = 5: -3, -1 and three zeros; N = 3: -3, -1 and one; all arrangements are equally likely."""
    state = GAME.start(GAME.setup(players, {"kodex": True, "starter": "1"}))
    assert GAME.view(state, None).phase == "lay"
    draws = GAME.chance(state)
    assert draws is not None
    assert len(draws) == players * (players - 1)
    for move, weight in draws:
        assert weight == 1.0
        assert sorted(map(int, move.removeprefix("lay:").split(","))) == sorted(shields)


def test_codex_a_studien_card_looks_at_one_shield() -> None:
    """After the move its player looks at a place of their choice, and alone sees the value."""
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


def test_codex_is_taken_in_the_order_of_the_board() -> None:
    """From the first place on, then those who have not moved from the starter on."""
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


def test_codex_shields_stay_face_down() -> None:
    """The owner knows the shield, and so the other one; others know only who has one."""
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
    """A shield looked at is known wherever it goes; a zero looked at tells nothing more."""
    state = laid(4, "0,-3,-1,0")
    turn(state, "C", "STUDIEN4")
    decide(state, "look:2")
    turn(state, "B", "STUDIEN5")
    decide(state, "look:1")
    place(state, "STUDIEN", "B5 C4 A3 D2")
    score(state, "STUDIEN")
    decide(state, "take:1", "take:4", "take:2")
    assert GAME.view(state, None).public["shields"][0][0]["known_by"] == [0, 2, 3]


def test_codex_is_shown_in_the_end() -> None:
    """When the match is over all shields are turned up."""
    state = laid(3, "0,-3,-1", round_=6)
    place(state, "STUDIEN", "A5 B4 C3")
    score(state, "STUDIEN")
    decide(state, "take:1", "take:2")
    close(state)
    public = GAME.view(state, None).public["shields"]
    assert [shields[0]["value"] for shields in public[1:]] == [-3, -1]
    assert [shields[0]["known_by"] for shields in public[1:]] == [None, None]


def test_codex_is_laid_out_anew_each_round() -> None:
    """The next round begins with a full codex."""
    state = laid(3, "0,-3,-1")
    place(state, "STUDIEN", "A5 B4 C3")
    score(state, "STUDIEN")
    decide(state, "take:2", "take:1")
    close(state)
    assert GAME.view(state, None).phase == "lay"
    assert GAME.actors(state) == (CHANCE,)


def test_codex_refuses_a_place_that_is_not_free() -> None:
    """Places are numbered, and can be taken once."""
    state = laid(3, "0,-3,-1")
    place(state, "STUDIEN", "A5 B4 C3")
    score(state, "STUDIEN")
    decide(state, "take:2")
    assert refused(state, 1, "take:2") == ("no_such_place", {"text": "2", "places": 3})
    assert refused(state, 1, "take:4")[0] == "no_such_place"


# --------------------------------------------------------------------------------- Koenig
def test_king_example_28() -> None:
    """Scroll 6 scores this round and stays away; scroll 12 scores its round and brings all back."""
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


def test_king_both_scrolls_in_one_round_count_double() -> None:
    """Everyone gets two shields of the field's points; then all start anew."""
    state = table(4, round_=2, koenig=True)
    place(state, "KOENIG", "B10 C1")
    turn(state, "B", "KOENIG2")
    board = GAME.view(state, None).public["boards"]["KOENIG"]
    assert (board["scrolls"], board["taken"]) == ([], [6, 12])
    score(state, "KOENIG")
    assert won(state, "KOENIG") == {"B": [8, 8], "C": [1, 1]}
    close(state)
    assert positions(state, "KOENIG") == "A0 B0 C0 D0"


@pytest.mark.parametrize(
    ("position", "points"),
    [(0, 0), (1, 1), (2, 1), (3, 2), (5, 2), (6, 4), (8, 4), (9, 6), (11, 6), (12, 8), (30, 8)],
)
def test_king_points_of_fields(position: int, points: int) -> None:
    """The points of the fields when a scroll has been taken."""
    state = table(4, koenig=True)
    place(state, "KOENIG", "A1")
    turn(state, "A", "KOENIG5")
    place(state, "KOENIG", f"B{position}" if position else "")
    score(state, "KOENIG")
    assert won(state, "KOENIG") == ({"B": [points]} if points else {})


def test_king_example_30_bonus_moves_take_no_scroll() -> None:
    """From 5 to 7 by a bonus: nothing; the next Koenig card that is on 6 or more takes it."""
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


@pytest.mark.parametrize("round_", [3, 6])
def test_king_has_no_rounds_of_its_own(round_: int) -> None:
    """Without a scroll nothing is scored in rounds 3 and 6, and nothing reset after 3."""
    state = table(4, round_=round_, koenig=True)
    place(state, "KOENIG", "A5")
    assert not told(score(state, "KOENIG"), "scoring")
    close(state)
    assert positions(state, "KOENIG") == "A5 B0 C0 D0"


# ----------------------------------------------------------------------- Gralssuche, Barm
SIX_SHIELDS = (("LANZE", 3), ("TURNIER", 1), ("KOENIG", 12), ("KOENIG", 6), ("LANZE", 8))
WITH_OTHERS = (*SIX_SHIELDS, ("STUDIEN", -3), ("BARM", -10))


def test_quest_counts_positive_shields() -> None:
    """First +1 for each, second +1 for two, last -1 for two, rounded down; others do not count."""
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


def test_quest_all_who_have_not_moved_are_last() -> None:
    """Each of them loses a point for every two of their own shields."""
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


def test_quest_of_three_has_a_second_and_a_last() -> None:
    """N = 3: first, second and last, who is the third."""
    state = table(3, round_=6, gral=True)
    for colour in "ABC":
        give_shields(state, colour, *SIX_SHIELDS)
    place(state, "GRAL", "A9 B8 C7")
    score(state, "GRAL")
    assert won(state, "GRAL") == {"A": [5], "B": [2], "C": [-2]}


def test_charity_exchange() -> None:
    """The first gives the last a negative shield, and picks two positive ones up to 3 for it."""
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


def test_charity_of_three_is_one_exchange() -> None:
    """N = 3: only the first and the last exchange."""
    state = table(3, round_=6, barm=True)
    give_shields(state, "A", ("STUDIEN", -1))
    give_shields(state, "B", ("STUDIEN", -1))
    give_shields(state, "C", ("LANZE", 3), ("LANZE", 3))
    place(state, "BARM", "A9 B8 C7")
    score(state, "BARM")
    assert won(state, "LANZE") == {"A": [3, 3]}
    assert won(state, "STUDIEN") == {"B": [-1], "C": [-1]}


def test_charity_gives_what_there_is() -> None:
    """A player who lacks shields gives what there is; the other half still happens."""
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


def test_charity_one_who_has_not_moved() -> None:
    """N = 4: that player is last, and the hindmost of the others last but one."""
    state = table(4, round_=6, barm=True)
    place(state, "BARM", "C9 B8 A7")
    facts = score(state, "BARM")
    assert told(facts, "partner") == [{"colour": 2, "partner": 3}, {"colour": 1, "partner": 0}]


def test_charity_partners_are_chosen_among_several_last() -> None:
    """The first chooses, then the second among the rest."""
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
    """There are as many exchanges as have moved, two at most, with those who have not."""
    state = table(4, round_=6, barm=True)
    place(state, "BARM", pieces)
    facts = score(state, "BARM")
    while GAME.actors(state):
        facts += decide(state, GAME.legal(state, GAME.actors(state)[0])[0])
    partners = [(data["colour"], data["partner"]) for data in told(facts, "partner")]
    assert partners == exchanges


def test_charity_after_the_quest() -> None:
    """With both variants the quest is counted before shields change hands."""
    state = table(4, round_=6, gral=True, barm=True)
    give_shields(state, "A", ("STUDIEN", -1))
    give_shields(state, "D", ("LANZE", 3), ("LANZE", 3))
    place(state, "GRAL", "D9 C8 B7 A6")
    place(state, "BARM", "A9 B8 C7 D6")
    score(state, "GRAL", "BARM")
    assert won(state, "GRAL") == {"D": [2]}
    assert won(state, "LANZE") == {"A": [3, 3]}


def test_charity_with_the_codex_keeps_shields_face_down() -> None:
    """A shield that changes hands face down is known to its giver and its receiver only."""
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
    """Two shields face down have to be chosen from even if their owner knows them to be alike."""
    state = two_face_down()
    assert GAME.legal(state, 0) == ["give:?2", "give:?4"]
    assert refused(state, 0, "give:-3") == ("no_such_shield", {"text": "-3"})
    decide(state, "give:?4")
    assert [(shield.round, shield.value) for shield in state.shields[3]] == [(4, -3)]
    # D has received it, and so knows which of the two others of that round is which.
    assert GAME.view(state, 3).private["face_down"] == [
        {"colour": 2, "round": 4, "value": -1},
        {"colour": 3, "round": 4, "value": -3},
    ]
