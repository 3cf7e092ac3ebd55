"""Fair Isolde for three to five players without variants: every rule and the worked examples."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from games.engine import CHANCE, BadSetup, IllegalMove, Match
from games.isolde import NUMBERS, Isolde
from games.isolde.cards import CARD, full_deck, names
from games.isolde.state import Due
from tests.games.isolde_table import (
    GAME,
    asked,
    close,
    dealt,
    decide,
    due,
    give_hand,
    give_shields,
    place,
    played,
    positions,
    score,
    table,
    told,
    turn,
    won,
)

BOARDS = ["ISOLDE", "LANZE", "TURNIER", "STUDIEN", "KOENIG", "GRAL", "BARM"]


# ------------------------------------------------------------------- deck, setup and deal
@pytest.mark.rule("isolde", "2.1")
def test_the_deck_has_52_cards() -> None:
    """The values of the cards add up to 191; Studien and Kampf have no 2."""
    deck = names(full_deck(NUMBERS.deck))
    assert len(deck) == 52
    assert sum(int(name[-1]) for name in deck) == 191
    assert Counter(name[:-1] for name in deck) == {
        "ISOLDE": 8,
        "KAMPF": 12,
        "STUDIEN": 8,
        "KOENIG": 8,
        "GRAL": 8,
        "BARM": 8,
    }
    assert not {"STUDIEN2", "KAMPF2"} & set(deck)


@pytest.mark.rule("isolde", "2.3")
def test_all_pieces_begin_at_the_start() -> None:
    public = GAME.view(GAME.start(GAME.setup(4)), None).public
    assert list(public["boards"]) == BOARDS
    assert all(board["positions"] == [0] * 4 for board in public["boards"].values())
    assert public["rounds"] == 6


@pytest.mark.rule("isolde", "3")
def test_the_starter_is_drawn_by_lot_or_fixed() -> None:
    state = GAME.start(GAME.setup(3))
    assert GAME.chance(state) == [("start:1", 1.0), ("start:2", 1.0), ("start:3", 1.0)]
    decide(state, "start:3")
    assert state.starter == 2
    assert GAME.start(GAME.setup(3, {"starter": "2"})).starter == 1


@pytest.mark.parametrize(
    ("players", "options", "code"),
    [
        (1, {}, "player_count"),
        (6, {}, "player_count"),
        (3, {"starter": "4"}, "starter_seat"),
        (3, {"duo": "parzival"}, "option_players"),
        (3, {"galanterie": True, "herausforderung": True}, "variants_exclude"),
    ],
)
def test_bad_setups_are_refused(players: int, options: dict[str, object], code: str) -> None:
    with pytest.raises(BadSetup) as refusal:
        GAME.setup(players, options)
    assert refusal.value.code == code


@pytest.mark.rule("isolde", "4.1")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_everyone_is_dealt_five_cards_of_the_whole_deck(players: int) -> None:
    _, log = played(players, seed=players)
    deck = Counter(names(full_deck(NUMBERS.deck)))
    deals = [event.move for event in log if event.move.startswith("deal:")]
    assert len(deals) == 6
    for deal in deals:
        state = GAME.start(GAME.setup(players, {"starter": "1"}))
        decide(state, deal)
        assert [len(pack) for pack in state.packs] == [5] * players
        assert not Counter(name for pack in state.packs for name in names(pack)) - deck


# -------------------------------------------------------------------------------- draft
PACKS = (
    "ISOLDE2 ISOLDE3 ISOLDE4 ISOLDE5 KAMPF3",
    "KOENIG2 KOENIG3 KOENIG4 KOENIG5 KAMPF4",
    "GRAL2 GRAL3 GRAL4 GRAL5 KAMPF5",
)


@pytest.mark.rule("isolde", "4.2")
@pytest.mark.parametrize(
    ("round_", "received"), [(1, ["GRAL", "ISOLDE", "KOENIG"]), (2, ["KOENIG", "GRAL", "ISOLDE"])]
)
def test_packs_go_left_in_odd_rounds_and_right_in_even_ones(
    round_: int, received: list[str]
) -> None:
    """Example 18: packs go from A to B to C to A in round 1, and the other way round in round 2."""
    state = table(3, round_)
    due(state, Due("deal"), Due("draft"))
    decide(state, dealt(*PACKS))
    for seat, card in enumerate(("KAMPF3", "KAMPF4", "KAMPF5")):
        GAME.do(state, seat, f"keep:{card}")
    assert [names(pack) for pack in state.packs] == [
        [f"{kind}{value}" for value in (2, 3, 4, 5)] for kind in received
    ]
    assert state.kept == [(CARD["KAMPF3"],), (CARD["KAMPF4"],), (CARD["KAMPF5"],)]


@pytest.mark.rule("isolde", "4.2")
def test_the_last_card_takes_itself() -> None:
    """Players pick four times; the fifth card is kept automatically, which makes five in hand."""
    match = Match(GAME, GAME.setup(3, seed="draft"))
    match.advance()
    picks = 0
    while match.view(None).phase == "draft":
        for seat in match.actors:
            match.play(seat, [GAME.legal(match.state, seat)[0]])
            picks += 1
    assert picks == 12
    assert [len(hand) for hand in match.state.hands] == [5, 5, 5]
    assert match.view(None).public["packs"] == [0, 0, 0]


def test_a_pack_of_equal_cards_still_has_to_be_chosen_from() -> None:
    """A player with equal cards is asked, too; otherwise the others would learn that they are
    equal.
    """
    state = table(3)
    due(state, Due("deal"), Due("draft"))
    decide(state, dealt("GRAL4 GRAL4", "BARM2 BARM3", "KOENIG2 KOENIG3"))
    assert GAME.actors(state) == (0, 1, 2)
    assert GAME.legal(state, 0) == ["keep:GRAL4"]


def test_picks_are_not_seen_before_all_are_in() -> None:
    match = Match(GAME, GAME.setup(3, seed="draft"))
    match.advance()
    before = match.view(1).public
    move = GAME.legal(match.state, 0)[0]
    match.play(0, [move])
    view = match.view(0)
    assert match.view(1).public == {**before, "last": None}
    assert view.private["sealed"] == move
    assert view.private["kept"][0] == []
    assert match.actors == (1, 2)


# --------------------------------------------------------------------------------- turns
@pytest.mark.rule("isolde", "4.3")
def test_cards_are_played_in_turn_and_the_fifth_is_left() -> None:
    state, _ = played(4, seed=1, until="play")
    order = []
    while GAME.view(state, None).phase == "play":
        (seat,) = GAME.actors(state)
        order.append(seat)
        GAME.do(state, seat, GAME.legal(state, seat)[0])
    first = state.starter
    assert order == [(first + turn) % 4 for turn in range(4)] * 4
    assert [len(hand) for hand in state.hands] == [1] * 4


@pytest.mark.rule("isolde", "4.3")
def test_a_card_moves_the_piece_by_its_value() -> None:
    state = table()
    facts = turn(state, "B", "GRAL4")
    assert positions(state, "GRAL") == "B4 A0 C0 D0"
    assert [fact.data for fact in facts] == [
        {"colour": 1, "by": 1, "card": "GRAL4", "board": "GRAL", "origin": 0, "field": 4}
    ]
    assert all(positions(state, board) == "A0 B0 C0 D0" for board in BOARDS if board != "GRAL")


@pytest.mark.rule("isolde", "4.3")
def test_a_kampf_card_goes_to_one_of_two_boards() -> None:
    """The player chooses Lanzenstechen or Turnierkampf, and moves the card's full value there."""
    state = table()
    turn(state, "A", "KAMPF4>LANZE")
    turn(state, "A", "KAMPF3>TURNIER")
    assert positions(state, "LANZE") == "A4 B0 C0 D0"
    assert positions(state, "TURNIER") == "A3 B0 C0 D0"


@pytest.mark.rule("isolde", "4.3", "4.4")
def test_the_last_to_arrive_is_ahead() -> None:
    state = table()
    for colour in "ABC":
        turn(state, colour, "GRAL4")
    assert positions(state, "GRAL") == "C4 B4 A4 D0"


def test_leaving_a_stack_keeps_the_order_of_the_others() -> None:
    state = table()
    place(state, "GRAL", "C4 B4 A4")
    turn(state, "B", "GRAL2")
    assert positions(state, "GRAL") == "B6 C4 A4 D0"


@pytest.mark.rule("isolde", "2.2")
def test_laps_are_counted_on() -> None:
    """A piece that is a lap ahead leads every piece that is not."""
    state = table()
    place(state, "GRAL", "A19 B3")
    turn(state, "B", "GRAL5")
    turn(state, "A", "GRAL5")
    assert positions(state, "GRAL") == "A24 B8 C0 D0"


@pytest.mark.rule("isolde", "4.3")
def test_a_card_has_to_be_played() -> None:
    state = table()
    give_hand(state, "A", "GRAL4 BARM2")
    due(state, Due("play", 0))
    assert GAME.legal(state, 0) == ["play:GRAL4", "play:BARM2"]


# -------------------------------------------------------------------- ranking and prizes
@pytest.mark.rule("isolde", "5")
def test_example_1_prizes_of_four() -> None:
    state = table()
    for colour, card in ("A4", "B4", "C3"):
        turn(state, colour, f"KAMPF{card}>LANZE")
    score(state, "LANZE")
    assert won(state, "LANZE") == {"B": [3], "A": [2], "C": [1]}


@pytest.mark.rule("isolde", "4.4", "5")
def test_example_3_two_prizes_for_three() -> None:
    state = table(3)
    place(state, "LANZE", "B4 A4 C3")
    score(state, "LANZE")
    assert won(state, "LANZE") == {"B": [3], "A": [2]}


@pytest.mark.rule("isolde", "4.4")
def test_example_4_colours_that_have_not_moved_win_nothing() -> None:
    state = table()
    place(state, "TURNIER", "A4")
    score(state, "TURNIER")
    assert won(state, "TURNIER") == {"A": [3]}


@pytest.mark.rule("isolde", "4.4")
@pytest.mark.parametrize(
    ("players", "pieces", "expected"),
    [
        pytest.param(4, "A7 C5 B5", {"D": [-3], "B": [-1]}, id="example 5"),
        pytest.param(3, "A5 C3 B3", {"B": [-3]}, id="example 7"),
        pytest.param(4, "", {c: [-3] for c in "ABCD"}, id="example 8"),
        pytest.param(4, "A7 B6 C5 D4", {"D": [-3], "C": [-1]}, id="all have moved"),
        pytest.param(4, "A7 B6", {"C": [-3], "D": [-3]}, id="two have not: no second last"),
        pytest.param(5, "A1", {c: [-3] for c in "BCDE"}, id="four have not"),
        pytest.param(3, "A1", {"B": [-3], "C": [-3]}, id="two of three have not"),
    ],
)
def test_penalties_of_studien(players: int, pieces: str, expected: dict[str, list[int]]) -> None:
    """Each colour in last place gets -3; with four or more colours, the second to last gets -1."""
    state = table(players)
    place(state, "STUDIEN", pieces)
    score(state, "STUDIEN")
    assert won(state, "STUDIEN") == expected


def test_second_to_last_next_to_a_tie_for_last_is_a_number() -> None:
    """If several colours share last place, by default nobody is second to last; other numbers can
    change that.
    """
    game = Isolde(replace(NUMBERS, second_last_with_tied_last=True))
    state = table()
    state.rules = game.start(game.setup(4)).rules
    place(state, "STUDIEN", "A7 B6")
    score(state, "STUDIEN")
    assert won(state, "STUDIEN") == {"C": [-3], "D": [-3], "B": [-1]}


@pytest.mark.rule("isolde", "5")
def test_example_10_king_by_fields() -> None:
    state = table(5, round_=3)
    place(state, "KOENIG", "E12 D11 C6 B5")
    score(state, "KOENIG")
    assert won(state, "KOENIG") == {"C": [6], "D": [6], "E": [12]}
    place(state, "KOENIG", "A17")
    score(state, "KOENIG")
    assert won(state, "KOENIG")["A"] == [12]


@pytest.mark.rule("isolde", "5")
def test_example_14_the_boards_of_round_6() -> None:
    state = table(5, round_=6)
    for board in ("GRAL", "BARM"):
        place(state, board, "A30 B21 C21 E5")
    score(state, "GRAL", "BARM")
    assert won(state, "GRAL") == {"A": [17], "B": [10], "C": [4]}
    assert won(state, "BARM") == {"D": [-10], "E": [-5]}


@pytest.mark.rule("isolde", "4.4", "5")
def test_three_have_two_quest_prizes_and_one_penalty() -> None:
    state = table(3, round_=6)
    place(state, "GRAL", "A9 B8 C7")
    place(state, "BARM", "A9 B8 C7")
    score(state, "GRAL", "BARM")
    assert won(state, "GRAL") == {"A": [17], "B": [10]}
    assert won(state, "BARM") == {"C": [-10]}


@pytest.mark.rule("isolde", "4.8")
@pytest.mark.parametrize("round_", range(1, 7))
def test_which_board_is_scored_when(round_: int) -> None:
    """Isolde, both jousting boards and Studien are scored in every round, Koenig in rounds 3 and 6,
    and Gral and Barm in round 6, in this order.
    """
    expected = BOARDS[:4] + BOARDS[4:5] * (round_ in (3, 6)) + BOARDS[5:] * (round_ == 6)
    state = table(round_=round_)
    facts = score(state, *BOARDS)
    assert [data["board"] for data in told(facts, "scoring")] == expected
    scored = [board.id for board in state.rules.boards if board.due(state)]
    assert scored == expected


# -------------------------------------------------------------------------------- Isolde
@pytest.mark.rule("isolde", "5.1")
def test_example_11_bonuses_from_the_third_to_the_first() -> None:
    """C, B and A in turn use their bonus on LANZE, each moving on top of the others, so the ranking
    there is A, B, C, D.
    """
    state = table()
    place(state, "ISOLDE", "A10 B8 C5")
    place(state, "LANZE", "D7 C6 B5 A4")
    score(state, "ISOLDE", "LANZE")
    for colour in "CBA":
        assert asked(state) == colour
        decide(state, "bonus:LANZE")
    assert positions(state, "LANZE") == "A7 B7 C7 D7"
    assert won(state, "LANZE") == {"A": [3], "B": [2], "C": [1]}


@pytest.mark.rule("isolde", "5.1")
def test_example_13_only_one_has_moved() -> None:
    state = table()
    place(state, "ISOLDE", "D1")
    score(state, "ISOLDE")
    assert GAME.actors(state) == (3,)
    decide(state, "bonus:GRAL")
    assert positions(state, "GRAL") == "D3 A0 B0 C0"
    assert GAME.actors(state) == ()


@pytest.mark.rule("isolde", "5.1")
def test_two_bonuses_for_three() -> None:
    """With three colours, second place moves two fields, then first place moves three."""
    state = table(3)
    place(state, "ISOLDE", "A3 B2 C1")
    score(state, "ISOLDE")
    decide(state, "bonus:GRAL", "bonus:GRAL")
    assert positions(state, "GRAL") == "A3 B2 C0"


@pytest.mark.rule("isolde", "5.1")
def test_a_bonus_moves_on_any_other_board_or_not_at_all() -> None:
    state = table()
    place(state, "ISOLDE", "A3")
    score(state, "ISOLDE")
    assert GAME.legal(state, 0) == [*(f"bonus:{board}" for board in BOARDS[1:]), "bonus:-"]
    facts = decide(state, "bonus:-")
    assert told(facts, "declined") == [{"colour": 0, "board": "ISOLDE"}]
    assert all(positions(state, board) == "A0 B0 C0 D0" for board in BOARDS[1:])


# -------------------------------------------------------------- end of a round and a match
@pytest.mark.rule("isolde", "4.6")
def test_example_16_reset_at_half_time() -> None:
    """After round 3, the pieces on all boards except Gral and Barm return to the start, and none of
    them counts as moved.
    """
    state = table(round_=3)
    for board in BOARDS:
        place(state, board, "A4 B3 C2 D1")
    close(state)
    for board in BOARDS[:5]:
        assert positions(state, board) == "A0 B0 C0 D0"
    for board in BOARDS[5:]:
        assert positions(state, board) == "A4 B3 C2 D1"
    score(state, "STUDIEN")
    assert won(state, "STUDIEN") == {c: [-3] for c in "ABCD"}


@pytest.mark.rule("isolde", "4.6")
@pytest.mark.parametrize("round_", [1, 2, 4, 5])
def test_no_reset_after_other_rounds(round_: int) -> None:
    state = table(round_=round_)
    for board in BOARDS:
        place(state, board, "A4 B3")
    close(state)
    assert all(positions(state, board) == "A4 B3 C0 D0" for board in BOARDS)


@pytest.mark.rule("isolde", "4.5")
def test_full_scoring_of_a_third_round() -> None:
    state = table(round_=3)
    place(state, "ISOLDE", "B6 D4 A2")
    place(state, "LANZE", "A9 B9 C3")
    place(state, "TURNIER", "D5")
    place(state, "STUDIEN", "C8 B6 A3")
    place(state, "KOENIG", "C13 D7 A5")
    score(state, *BOARDS)
    # A moves one field on Koenig to reach 6, D two on Studien but stays last, and B three on Lanze.
    decide(state, "bonus:KOENIG", "bonus:STUDIEN", "bonus:LANZE")
    assert won(state, "LANZE") == {"B": [3], "A": [2], "C": [1]}
    assert won(state, "TURNIER") == {"D": [3]}
    assert won(state, "STUDIEN") == {"D": [-3], "A": [-1]}
    assert won(state, "KOENIG") == {"A": [6], "C": [12], "D": [6]}
    assert not won(state, "GRAL")
    close(state)
    assert state.round == 4


@pytest.mark.rule("isolde", "4.7")
def test_the_starter_changes_clockwise() -> None:
    state = table(starter="D")
    close(state)
    assert state.starter == 0
    assert state.round == 2


def test_a_round_begins_without_cards() -> None:
    """Cards left in hand are discarded face down, and new cards are dealt."""
    state = table()
    give_hand(state, "A", "GRAL4")
    state.played[0] = ((CARD["BARM2"], 6),)
    facts = close(state)
    assert not any((*state.hands, *state.played, *state.kept))
    assert GAME.actors(state) == (CHANCE,)
    (over,) = told(facts, "round_over")
    assert over["round"] == 1
    assert over["won"] == []


@pytest.mark.rule("isolde", "6")
def test_the_match_ends_after_six_rounds() -> None:
    """All shields are added up, including negative ones; the most points win."""
    state = table(3, round_=6)
    give_shields(state, "A", ("GRAL", 17), ("STUDIEN", -3))
    give_shields(state, "B", ("GRAL", 10), ("LANZE", 3))
    give_shields(state, "C", ("BARM", -10))
    facts = close(state)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.scores == (14.0, 13.0, -10.0)
    assert outcome.ranks == (1, 2, 3)
    assert told(facts, "over")[0]["winners"] == [0]
    assert GAME.view(state, None).phase == "over"


@pytest.mark.rule("isolde", "6")
def test_example_35_a_shared_victory() -> None:
    state = table(3, round_=6)
    give_shields(state, "A", ("GRAL", 17), ("KOENIG", 12), ("LANZE", 2))
    give_shields(state, "B", ("GRAL", 10), ("KOENIG", 12), ("KOENIG", 6), ("LANZE", 3))
    give_shields(state, "C", ("KOENIG", 12), ("KOENIG", 6))
    close(state)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.ranks == (1, 1, 3)
    assert outcome.winners() == (0, 1)


@pytest.mark.rule("isolde", "2.4")
def test_every_shield_is_reported_with_its_reason() -> None:
    match = Match(GAME, GAME.setup(4, seed="told"))
    told_shields: Counter[tuple[int, str]] = Counter()
    summed: Counter[tuple[int, str]] = Counter()
    match.advance()
    while match.actors:
        seat = match.actors[0]
        for step in match.play(seat, [GAME.legal(match.state, seat)[0]]):
            for fact in step.facts:
                if fact.kind == "shield":
                    told_shields[fact.data["colour"], fact.data["board"]] += fact.data["value"]
                    assert fact.data["why"] in {"place", "last", "second_last", "field"}
                if fact.kind == "round_over":
                    for shield in fact.data["won"]:
                        summed[shield["colour"], shield["board"]] += shield["value"]
    held = Counter[tuple[int, str]]()
    for colour, shields in enumerate(match.view(None).public["shields"]):
        for shield in shields:
            held[colour, shield["board"]] += shield["value"]
    assert told_shields == summed == held
    assert match.outcome is not None
    assert sum(held.values()) == sum(match.outcome.scores)


# ----------------------------------------------------------------- notation and refusals
@pytest.mark.parametrize(
    "text", ["play:KAMPF4>LANZE", "KAMPF4>LANZE", "kampf 4 > lanze", "Play kampf4>la", "ka4>lanz"]
)
def test_spellings_of_a_card(text: str) -> None:
    state = table()
    give_hand(state, "A", "KAMPF4 GRAL3")
    due(state, Due("play", 0))
    assert GAME.parse(state, 0, text) == "play:KAMPF4>LANZE"


@pytest.mark.parametrize("text", ["König 5", "koenig5", "KÖ5", "play könig 5"])
def test_umlauts_are_understood(text: str) -> None:
    state = table()
    give_hand(state, "A", "KOENIG5 GRAL3")
    due(state, Due("play", 0))
    assert GAME.parse(state, 0, text) == "play:KOENIG5"


@pytest.mark.parametrize(
    ("text", "code", "data"),
    [
        ("GRAL5", "not_in_hand", {"card": "GRAL5", "hand": ["KAMPF4", "GRAL3"]}),
        ("GRAL9", "unknown_card", {"text": "GRAL9"}),
        ("KAMPF4", "board_needed", {"card": "KAMPF4", "boards": ["LANZE", "TURNIER"]}),
        (
            "KAMPF4>GRAL",
            "wrong_board",
            {"card": "KAMPF4", "board": "GRAL", "boards": ["LANZE", "TURNIER"]},
        ),
        ("KAMPF4>MAGIE", "unknown_board", {"text": "MAGIE"}),
        ("keep:GRAL3", "not_now", {"verb": "keep", "phase": "play"}),
        ("Bonus", "not_now", {"verb": "bonus", "phase": "play"}),
    ],
)
def test_a_refusal_of_a_card_names_its_rule(text: str, code: str, data: dict[str, object]) -> None:
    state = table()
    give_hand(state, "A", "KAMPF4 GRAL3")
    due(state, Due("play", 0))
    with pytest.raises(IllegalMove) as refusal:
        GAME.parse(state, 0, text)
    assert (refusal.value.code, refusal.value.data) == (code, data)


@pytest.mark.parametrize(
    ("text", "code"), [("GRAL5", "not_in_pack"), ("X", "unknown_card"), ("", "unknown_card")]
)
def test_only_a_card_of_the_pack_can_be_kept(text: str, code: str) -> None:
    state = table(3)
    due(state, Due("deal"), Due("draft"))
    decide(state, dealt(*PACKS))
    with pytest.raises(IllegalMove) as refusal:
        GAME.parse(state, 0, text)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    ("text", "code"), [("ISOLDE", "board_excluded"), ("MAGIE", "unknown_board")]
)
def test_a_bonus_goes_to_another_board_of_the_match(text: str, code: str) -> None:
    state = table()
    place(state, "ISOLDE", "A3")
    score(state, "ISOLDE")
    with pytest.raises(IllegalMove) as refusal:
        GAME.parse(state, 0, text)
    assert refusal.value.code == code
