"""Fair Isolde: gallantry, magic, tournament and challenge."""

from __future__ import annotations

import random

import pytest

from games.engine import CHANCE
from games.isolde.state import AgendaStep, Due
from tests.games.isolde_table import (
    GAME,
    asked,
    close,
    decide,
    due,
    give_hand,
    kinds,
    laid,
    place,
    positions,
    refused,
    score,
    table,
    told,
    turn,
    won,
)


# ----------------------------------------------------------------------------- Galanterie
@pytest.mark.rule("isolde", "8.2")
def test_gallantry_example_25_four() -> None:
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


@pytest.mark.rule("isolde", "8.2")
def test_gallantry_example_25_three() -> None:
    state = table(3, galanterie=True)
    place(state, "ISOLDE", "A9 B8 C7")
    score(state, "ISOLDE")
    decide(state, "bonus:START>1", "bonus:KOENIG2", "bonus:SCHWERT>TURNIER", "bonus:EINS>ISOLDE")
    assert GAME.actors(state) == ()
    assert positions(state, "ISOLDE") == "B9 A9 C7"


def test_gallantry_ranks_before_the_first_bonus() -> None:
    """A move on the Isolde board itself does not affect the current scoring."""
    state = table(4, galanterie=True)
    place(state, "ISOLDE", "A5 B5 C1")
    score(state, "ISOLDE")
    decide(state, "bonus:KOENIG2", "bonus:-")
    decide(state, "bonus:EINS>ISOLDE")
    assert positions(state, "ISOLDE") == "B6 A5 C1 D0"
    decide(state, "bonus:-")
    assert asked(state) == "C"


@pytest.mark.rule("isolde", "8.2")
def test_gallantry_may_be_left_alone() -> None:
    """Declining also gives up the second bonus; the next player may take two of the rest."""
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
    state = table(4, galanterie=True)
    place(state, "ISOLDE", "A9")
    for _ in range(2):
        score(state, "ISOLDE")
        decide(state, "bonus:KOENIG2", "bonus:-")
    assert positions(state, "KOENIG") == "A4 B0 C0 D0"


@pytest.mark.rule("isolde", "4.7", "8.2")
def test_gallantry_appoints_the_next_starter() -> None:
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
    """In the last round START has no effect, but once it is taken, nobody else can take it."""
    state = table(4, round_=6, galanterie=True)
    place(state, "ISOLDE", "A9 B8")
    score(state, "ISOLDE")
    decide(state, "bonus:START>4", "bonus:-")
    assert refused(state, 1, "START>1") == ("bonus_taken", {"bonus": "START"})


def test_gallantry_fifth_card_is_played_in_full() -> None:
    """The board for a Kampf card is chosen, the cup moves, and the boards scored afterwards include
    the card.
    """
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
    state = table(4, galanterie=True, koenig=True)
    place(state, "ISOLDE", "A9")
    place(state, "KOENIG", "A3")
    give_hand(state, "A", "KOENIG5")
    score(state, "ISOLDE", "KOENIG")
    facts = decide(state, "bonus:FUENFTE", "bonus:-")
    assert told(facts, "scroll") == [{"colour": 0, "field": 6}]
    assert won(state, "KOENIG") == {"A": [4]}


def test_gallantry_fifth_card_looks_at_the_codex() -> None:
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
def test_a_refused_bonus_of_gallantry_says_what_is_wrong(text: str, code: str) -> None:
    state = table(4, galanterie=True)
    place(state, "ISOLDE", "A9")
    score(state, "ISOLDE")
    assert refused(state, 0, text)[0] == code


# ---------------------------------------------------------------------------------- Magie
@pytest.mark.rule("isolde", "8.3")
def test_magic_example_22_four() -> None:
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


@pytest.mark.rule("isolde", "8.3")
def test_magic_example_22_three() -> None:
    state = table(3, round_=5, magie=True)
    place(state, "MAGIE", "A9 B7 C5")
    score(state, "MAGIE")
    assert asked(state) == "B"
    decide(state, "magic:GRAL+4")
    assert asked(state) == "A"
    decide(state, "magic:ISOLDE+6")
    assert positions(state, "ISOLDE") == "A6 B0 C0"


def test_magic_advances_each_board_once() -> None:
    """Each board is advanced once, by no more than the fields that are left; the player may stop
    early.
    """
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


@pytest.mark.rule("isolde", "8.3")
def test_magic_takes_any_card_without_its_other_effects() -> None:
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


@pytest.mark.rule("isolde", "8.3")
@pytest.mark.parametrize(("round_", "scored"), [(r, r in (2, 5)) for r in range(1, 7)])
def test_magic_rounds(round_: int, scored: bool) -> None:
    """In rounds 2 and 5, the Magic board is scored after Isolde; it is reset only after round 2."""
    state = table(4, round_=round_, magie=True)
    place(state, "MAGIE", "A4")
    assert state.rules.board["MAGIE"].due(state) == scored
    assert [board.id for board in state.rules.boards][:3] == ["ISOLDE", "MAGIE", "LANZE"]
    close(state)
    assert positions(state, "MAGIE") == ("A0 B0 C0 D0" if round_ == 2 else "A4 B0 C0 D0")


def test_magic_is_open_to_bonuses_of_isolde() -> None:
    state = table(4, round_=2, magie=True)
    place(state, "ISOLDE", "A3")
    score(state, "ISOLDE", "MAGIE")
    decide(state, "bonus:MAGIE")
    assert GAME.view(state, None).phase == "magic"
    assert asked(state) == "A"


# -------------------------------------------------------------------- Das grosse Turnier
def test_tournament_example_19() -> None:
    """A plays 5 and B 4 for white, C 3 and D 4 for black, and black wins."""
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
    """Cards of 5 and 4 for white, then 5 and 4 for black, move the cup to 5, 6, 1 and -3."""
    state = table(4, turnier=True)
    cups = []
    for card in ("KAMPF5>TURNIER", "KAMPF4>TURNIER", "KAMPF5>LANZE", "KAMPF4>LANZE"):
        (cup,) = told(turn(state, "A", card), "cup")
        cups.append(cup["field"])
    assert cups == [5, 6, 1, -3]


@pytest.mark.rule("isolde", "8.4")
def test_tournament_prizes() -> None:
    """The prizes are 8, 5 and 2 for the winning side, and 5, 3 and 1 for the other; third prizes
    need four colours.
    """
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


@pytest.mark.rule("isolde", "8.4")
def test_tournament_without_a_victor() -> None:
    """With the cup in the centre, both sides get the losers' prizes."""
    state = table(4, round_=6, turnier=True)
    place(state, "LANZE", "A5")
    place(state, "TURNIER", "B5")
    score(state, "LANZE", "TURNIER")
    assert (won(state, "LANZE"), won(state, "TURNIER")) == ({"A": [5]}, {"B": [5]})


@pytest.mark.rule("isolde", "8.4")
@pytest.mark.parametrize("round_", range(1, 7))
def test_tournament_rounds(round_: int) -> None:
    """The Tournament is scored in rounds 2, 4 and 6; pieces and cup are reset after 2 and 4, not
    after 3.
    """
    state = table(4, round_=round_, turnier=True)
    turn(state, "A", "KAMPF3>LANZE")
    facts = score(state, "LANZE", "TURNIER")
    assert bool(told(facts, "scoring")) == (round_ in (2, 4, 6))
    close(state)
    fresh = round_ in (2, 4)
    assert positions(state, "LANZE") == ("A0 B0 C0 D0" if fresh else "A3 B0 C0 D0")
    board = GAME.view(state, None).public["boards"]["LANZE"]
    assert board["cup"] == (0 if fresh else -3)


@pytest.mark.rule("isolde", "8.4")
def test_tournament_cup_is_moved_by_cards_only() -> None:
    state = table(4, turnier=True)
    place(state, "ISOLDE", "A3")
    score(state, "ISOLDE")
    facts = decide(state, "bonus:LANZE")
    assert kinds(facts) == ["moved"]


# ------------------------------------------------------------------------ Herausforderung
@pytest.mark.rule("isolde", "8.5")
def test_challenge_example_23() -> None:
    """A has bet on GRAL, has played three cards there, and is second on Isolde, so A moves six
    fields on GRAL.
    """
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


@pytest.mark.rule("isolde", "8.5")
def test_challenge_bets_are_open_and_in_order() -> None:
    """Bets come after the deal and before the draft, the starter first; boards may repeat."""
    state = table(4, starter="C", herausforderung=True)
    close(state)  # starts a round with D as starter
    decide(state, GAME.sample(state, random.Random(1)))
    order = ""
    while GAME.view(state, None).phase == "bet":
        order += asked(state)
        decide(state, "bet:BARM")
    assert order == "DABC"
    assert GAME.view(state, None).public["boards"]["ISOLDE"]["bets"] == ["BARM"] * 4
    assert GAME.view(state, None).phase == "draft"


@pytest.mark.rule("isolde", "8.5")
def test_challenge_bets_exclude_isolde_and_magie() -> None:
    state = table(4, herausforderung=True, magie=True)
    due(state, Due("bet", 0))
    assert GAME.legal(state, 0) == [
        f"bet:{board}" for board in ("LANZE", "TURNIER", "STUDIEN", "KOENIG", "GRAL", "BARM")
    ]
    assert refused(state, 0, "MAGIE") == ("board_excluded", {"board": "MAGIE"})


@pytest.mark.rule("isolde", "8.5")
def test_challenge_counts_the_board_played_on() -> None:
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


@pytest.mark.parametrize("step_name", ["magic", "gallantry"])
def test_a_random_bonus_is_one_of_those_listed(step_name: str) -> None:
    """With the same random numbers, a random bonus equals a choice from the list."""
    rng, met = random.Random(1), 0
    for players in (2, 5):
        state = GAME.start(GAME.setup(players, {"magie": True, "galanterie": True}))
        while actors := GAME.actors(state):
            step = state.rules.steps[state.agenda[-1].step]
            if step.name == step_name:
                met += 1
                luck = rng.random()
                listed = AgendaStep.random_move(step, state, actors[0], random.Random(luck))
                assert step.random_move(state, actors[0], random.Random(luck)) == listed
            chance = actors[0] == CHANCE
            choose = GAME.sample(state, rng) if chance else GAME.random_move(state, actors[0], rng)
            GAME.do(state, actors[0], choose)
    assert met > 10
