"""The course of a match of Don Quixote: castles, hands, sealed placements, rounds, Sancho Pansa,
the end.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from games.donquixote import DonQuixote, QuixoteState, rating
from games.donquixote.principality import Points
from games.donquixote.tiles import FIELDS, PIECES, WAY_TILES, touching
from games.engine import (
    CHANCE,
    BadSetup,
    Event,
    Fact,
    IllegalMove,
    Match,
    Move,
    NotYourTurn,
    Outcome,
)

GAME = DonQuixote()

TILES = [tile.name for tile in WAY_TILES]

HAND_SIZES = (9, 7, 6)


# ----------------------------------------------------------------------- playing matches
def started(players: int = 2, seed: str = "0", **options: Any) -> Match[QuixoteState]:
    """A match with the first field drawn."""
    match = Match(GAME, GAME.setup(players, options, seed))
    match.advance()
    return match


def at_random(match: Match[QuixoteState], moves: int, seed: int = 0) -> None:
    """Play a number of random moves, without Sancho Pansa."""
    rng = random.Random(seed)
    for _ in range(moves):
        seat = rng.choice(match.actors)
        legal = [move for move in GAME.legal(match.state, seat) if move != "SANCHO"]
        match.play(seat, [rng.choice(legal)])


def in_round(round_: int, placed: int = 0, players: int = 2, **options: Any) -> Match[QuixoteState]:
    """A match after a number of placements in a round."""
    match = started(players, **options)
    at_random(match, players * (sum(HAND_SIZES[: round_ - 1]) + placed))
    assert (match.state.round, match.state.placed) == (round_, placed)
    return match


def positions(players: int, seed: int, **options: Any) -> Iterator[QuixoteState]:
    """All positions of one random match."""
    rng = random.Random(seed)
    state = GAME.start(GAME.setup(players, options))
    yield state
    while state.actors:
        seat = rng.choice(state.actors)
        draws = seat == CHANCE
        move = GAME.sample(state, rng) if draws else GAME.random_move(state, seat, rng)
        GAME.do(state, seat, move)
        yield state


def told(state: QuixoteState, *events: tuple[int, Move]) -> list[Fact]:
    """Apply events and return their facts."""
    facts: list[Fact] = []
    for seat, move in events:
        GAME.do(state, seat, move, facts)
    return facts


def scripted(*hands: str, field: str = "B2", **options: Any) -> QuixoteState:
    """A position with these first hands, the castles on A1 and H3, and a field drawn."""
    state = GAME.start(GAME.setup(len(hands), options))
    told(state, (CHANCE, "CA6:A1"), (CHANCE, "CA4:H3"))
    for seat, hand in enumerate(hands):
        told(state, (CHANCE, f"deal:{seat + 1}:{hand.replace(' ', ',')}"))
    told(state, (CHANCE, f"field:{field}"))
    return state


HAND = "CH1 CH2 CH3 WM1 WM2 WM3 KN01 KN02 KN03"
OTHER_HAND = "CH4 CH5 CH6 WM4 WM5 WM6 KN04 KN05 KN06"


def refusal(state: QuixoteState, text: str, seat: int = 0) -> tuple[str, dict[str, Any]]:
    """The code and the data of a refusal; checks that the refusal changes nothing."""
    before = state.clone()
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(state, seat, text)
    assert state == before
    return caught.value.code, caught.value.data


# ---------------------------------------------------------------------------- the castles
@pytest.mark.rule("donquixote", "2.1")
def test_the_first_castle_stands_anywhere() -> None:
    table = GAME.chance(GAME.start(GAME.setup(2)))
    assert table == [(f"CA6:{where}", 1.0) for where in FIELDS]


@pytest.mark.rule("donquixote", "2.1")
@pytest.mark.parametrize("first", FIELDS)
def test_castles_do_not_touch(first: str) -> None:
    """Castle 4 is on a field that does not touch castle 6, not even at a corner."""
    state = GAME.start(GAME.setup(2))
    told(state, (CHANCE, f"CA6:{first}"))
    apart = [where for where in FIELDS if not touching(where, first)]
    assert GAME.chance(state) == [(f"CA4:{where}", 1.0) for where in apart]


@pytest.mark.rule("donquixote", "2.1", "5.1")
def test_castles_are_on_the_same_fields_for_all() -> None:
    state = GAME.start(GAME.setup(3))
    facts = told(state, (CHANCE, "CA6:A2"), (CHANCE, "CA4:G2"))
    assert [land.board for land in state.lands] == [{"A2": "CA6", "G2": "CA4"}] * 3
    assert [(fact.kind, fact.data) for fact in facts] == [
        ("castle", {"castle": "CA6", "value": 6, "field": "A2"}),
        ("castle", {"castle": "CA4", "value": 4, "field": "G2"}),
    ]


# ------------------------------------------------------------------------------ the hands
@pytest.mark.rule("donquixote", "5.2")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_three_hands_make_the_whole_set(players: int) -> None:
    match = started(players)
    dealt: list[list[list[str]]] = []
    for size in HAND_SIZES:
        dealt.append([hand[:] for hand in match.state.hands])
        assert [len(hand) for hand in dealt[-1]] == [size] * players
        at_random(match, players * size)
    for hands in zip(*dealt, strict=True):
        assert sorted(tile for hand in hands for tile in hand) == sorted(TILES)
    assert match.outcome is not None


@pytest.mark.rule("donquixote", "5.1")
def test_hands_differ() -> None:
    hands = started(4).state.hands
    assert len({frozenset(hand) for hand in hands}) == 4


@pytest.mark.rule("donquixote", "5.1")
def test_with_the_option_all_are_dealt_the_same_hands() -> None:
    match = started(4, same_hands=True)
    for size in HAND_SIZES:
        hands = match.state.hands
        assert all(hand == hands[0] and hand is not hands[0] for hand in hands[1:])
        at_random(match, 4 * size)
    deals = [event for event in match.log if event.move.startswith("deal:")]
    assert [event.move.split(":")[1] for event in deals] == ["*"] * 3


def test_same_hands_needs_company() -> None:
    with pytest.raises(BadSetup) as caught:
        GAME.setup(1, {"same_hands": True})
    assert caught.value.code == "option_players"


def test_every_tile_is_dealt_as_often() -> None:
    """A first hand is a fair draw of 9 of the 22 tiles (each within five standard deviations)."""
    state = GAME.start(GAME.setup(1))
    told(state, (CHANCE, "CA6:A2"), (CHANCE, "CA4:G2"))
    rng = random.Random(7)
    deals = 2000
    counts = Counter(
        tile for _ in range(deals) for tile in GAME.sample(state, rng).split(":")[2].split(",")
    )
    share = 9 / 22
    slack = 5 * math.sqrt(deals * share * (1 - share))
    assert all(abs(counts[tile] - deals * share) < slack for tile in TILES), counts


def test_the_deal_is_reported() -> None:
    """Hands are open, so everyone sees the deal."""
    state = GAME.start(GAME.setup(2))
    told(state, (CHANCE, "CA6:A1"), (CHANCE, "CA4:H3"))
    (fact,) = told(state, (CHANCE, f"deal:1:{HAND.replace(' ', ',')}"))
    assert fact.kind == "dealt"
    assert fact.data == {"seats": [0], "tiles": HAND.split(), "locked": None, "round": 1}
    assert fact.to is None
    assert GAME.view(state, None).public["hands"] == [HAND.split(), []]


# -------------------------------------------------------------------------------- the fields
@pytest.mark.rule("donquixote", "5.2")
@pytest.mark.parametrize("players", [1, 3])
def test_position_cards_fill_every_field_once(players: int) -> None:
    match = started(players)
    at_random(match, 22 * players)
    drawn = [e.move.removeprefix("field:") for e in match.log if e.move.startswith("field:")]
    assert len(set(drawn)) == len(drawn) == 22
    for land in match.state.lands:
        assert sorted(land.board) == sorted(FIELDS)
        assert set(FIELDS) - set(drawn) == {w for w, n in land.board.items() if n[:2] == "CA"}


def test_a_position_card_is_any_that_is_left() -> None:
    for state in positions(2, seed=1):
        if state.phase == "field":
            free = [where for where in FIELDS if where not in state.lands[1].board]
            assert GAME.chance(state) == [(f"field:{where}", 1.0) for where in free]


def test_the_open_field_is_reported() -> None:
    match = in_round(2, placed=3)
    facts = [fact for _, _, fx in match.history(None) for fact in fx if fact.kind == "field"]
    field = match.state.field
    assert facts[-1].data == {"field": field, "round": 2, "number": 4, "of": 7}
    public = match.view(None).public
    assert (public["field"], public["placed"], public["hand_size"]) == (field, 3, 7)


def test_a_field_is_open_only_while_choices_are_due() -> None:
    for state in positions(2, seed=4):
        view = GAME.view(state, None)
        assert (view.public["field"] is not None) == (view.phase == "place")


# ------------------------------------------------------------------------------- placements
def both_turnings(tiles: list[str]) -> list[Move]:
    return [move for tile in tiles for move in (tile, tile + "r")]


@pytest.mark.rule("donquixote", "3.3", "5.2")
@pytest.mark.seeds(5)
def test_roads_never_forbid_a_placement(seed: int) -> None:
    """A placement is legal whatever is around the field; only the lock forbids one."""
    for state in positions(2, seed):
        for seat in state.actors:
            if seat != CHANCE:
                hand = state.hands[seat]
                locked = state.round == 3 and len(hand) > 1
                assert GAME.legal(state, seat) == both_turnings(hand[:-1] if locked else hand)


@pytest.mark.rule("donquixote", "5.2")
@pytest.mark.seeds(5)
def test_tiles_stay_where_they_are_placed(seed: int) -> None:
    before: list[dict[str, str]] = [{}, {}]
    for state in positions(2, seed):
        for was, land in zip(before, state.lands, strict=True):
            assert was.items() <= land.board.items()
        before = [land.board.copy() for land in state.lands]


@pytest.mark.seeds(5)
def test_tiles_are_conserved(seed: int) -> None:
    """Every tile of every player is in the stack, in the hand, in the country, or discarded."""
    for state in positions(3, seed, sancho=True):
        for seat, land in enumerate(state.lands):
            laid = [PIECES[piece].tile.name for piece in land.board.values()]
            left = [tile for tile in (state.left_over[seat],) if tile is not None]
            own = [tile for tile in laid if tile[:2] != "CA"] + ["SANCHO"] * state.sancho[seat]
            tiles = [*state.stacks[seat], *state.hands[seat], *left, *own]
            assert sorted(tiles) == sorted([*TILES, "SANCHO"])


def test_a_solo_player_places_at_once() -> None:
    match = started(1)
    field = match.state.field
    steps = match.play(0, ["KN01r" if "KN01" in match.state.hands[0] else match.state.hands[0][0]])
    assert [step.event.move.split(":")[0] for step in steps[1:]] == ["field"]
    assert [fact.kind for fact in steps[0].facts] == ["placed"]
    assert field in match.state.lands[0].board
    assert match.actors == (0,)


def test_nothing_is_laid_before_all_have_chosen() -> None:
    state = scripted(HAND, OTHER_HAND)
    (chosen,) = told(state, (1, "KN04r"))
    assert (chosen.kind, chosen.data) == ("chosen", {"seat": 1})
    assert state.actors == (0,)
    assert all("B2" not in land.board for land in state.lands)
    facts = told(state, (0, "CH2"))
    assert [fact.kind for fact in facts] == ["placed", "placed"]
    assert [dict(fact.data) for fact in facts] == [
        {"seat": 0, "field": "B2", "tile": "CH2", "turned": False},
        {"seat": 1, "field": "B2", "tile": "KN04", "turned": True},
    ]
    assert all(fact.reveals for fact in facts)
    assert [land.board["B2"] for land in state.lands] == ["CH2", "KN04r"]
    assert "CH2" not in state.hands[0]
    assert state.actors == (CHANCE,)


@pytest.mark.rule("donquixote", "5.2")
def test_a_choice_is_final() -> None:
    match = started(2)
    match.play(0, [match.state.hands[0][0]])
    with pytest.raises(NotYourTurn):
        match.play(0, [match.state.hands[0][1]])


def test_choices_race_without_harm() -> None:
    """A choice is accepted even if another seat has chosen since the position was shown."""
    match = started(3)
    seen = match.ply
    match.play(2, [match.state.hands[2][0]], seen_ply=seen)
    match.play(0, [match.state.hands[0][0]], seen_ply=seen)
    match.play(1, [match.state.hands[1][0]], seen_ply=seen)
    assert match.state.placed == 1


# --------------------------------------------------------------------------------- secrets
def test_a_choice_is_sealed() -> None:
    state = scripted(HAND, OTHER_HAND)
    before = GAME.view(state, None)
    told(state, (1, "KN04r"))
    assert GAME.view(state, 1).private == {"choice": "KN04r"}
    for viewer in (0, None):
        assert GAME.view(state, viewer).private == {}
    after = GAME.view(state, None)
    assert (before.actors, after.actors) == ((0, 1), (0,))
    assert after == replace(before, actors=(0,), ply=after.ply)


def test_others_see_a_sealed_choice_as_a_question_mark() -> None:
    """Everyone sees the last choice, because it reveals all choices."""
    state = scripted(HAND, OTHER_HAND)
    first, last = Event(1, "KN04r"), Event(0, "CH2")
    assert [GAME.observed(state, first, viewer) for viewer in (0, 1, None)] == ["?", "KN04r", "?"]
    told(state, (1, "KN04r"))
    assert [GAME.observed(state, last, viewer) for viewer in (0, 1, None)] == ["CH2"] * 3


def test_a_solo_player_has_no_secrets() -> None:
    state = scripted(HAND)
    assert GAME.observed(state, Event(0, "CH2r"), None) == "CH2r"


def test_everything_else_lies_open() -> None:
    for state in positions(3, seed=2, sancho=True):
        views = [GAME.view(state, viewer) for viewer in (0, 1, 2, None)]
        assert all(view.public == views[0].public for view in views)
        assert views[0].public["boards"] == [land.board for land in state.lands]
        assert views[0].public["hands"] == state.hands
        assert views[0].public["stacks"] == state.stacks


@pytest.mark.parametrize("round_", [1, 3])
def test_sampled_worlds_hold_possible_choices(round_: int) -> None:
    match = in_round(round_, placed=2, players=3)
    mine = match.state.hands[0][0] + "r"
    match.play(0, [mine])
    match.play(2, [match.state.hands[2][0]])
    guesses = set()
    for seed in range(200):
        world = GAME.determinize(match.view(0), random.Random(seed))
        assert world.choices[0] == mine
        guesses.add(world.choices[2])
    assert guesses == set(GAME.legal(match.state, 2))


def test_history_shows_when_choices_are_revealed() -> None:
    match = started(2)
    match.play(1, [match.state.hands[1][0]])
    laid = match.state.hands[0][0]
    match.play(0, [laid])
    moves = [(seat, move) for seat, move, _ in match.history(None) if seat != CHANCE]
    assert moves == [(1, "?"), (0, laid)]
    facts = [fact for _, _, fx in match.history(None) for fact in fx if fact.kind == "placed"]
    assert [fact.data["seat"] for fact in facts] == [0, 1]


# ------------------------------------------------------------------------- the locked tile
@pytest.mark.rule("donquixote", "5.2")
@pytest.mark.parametrize("placed", range(5))
def test_the_last_tile_dealt_in_round_three_is_locked(placed: int) -> None:
    """The rightmost tile of the third hand may not be placed while there are others."""
    state = in_round(3, placed=placed).state
    *others, last = state.hands[0]
    assert GAME.view(state, 0).public["locked"][0] == last
    assert refusal(state, last) == ("locked", {"tile": last})
    assert refusal(state, last + "r") == ("locked", {"tile": last})
    assert GAME.legal(state, 0) == both_turnings(others)


@pytest.mark.rule("donquixote", "5.2")
def test_the_locked_tile_is_laid_last_in_either_turning() -> None:
    state = in_round(3, placed=5).state
    (last,) = state.hands[0]
    assert GAME.view(state, 0).public["locked"] == [None, None]
    assert GAME.legal(state, 0) == [last, last + "r"]


@pytest.mark.parametrize("round_", [1, 2])
def test_no_tile_is_locked_before_round_three(round_: int) -> None:
    state = in_round(round_).state
    assert GAME.legal(state, 1) == both_turnings(state.hands[1])
    assert GAME.view(state, None).public["locked"] == [None, None]


def test_the_locked_tile_is_named_when_dealt() -> None:
    match = in_round(3)
    deals = [fact for _, _, fx in match.history(None) for fact in fx if fact.kind == "dealt"]
    assert [fact.data["locked"] for fact in deals] == [
        *[None] * 4,
        match.state.hands[0][-1],
        match.state.hands[1][-1],
    ]


# ---------------------------------------------------------------------------- Sancho Pansa
@pytest.mark.rule("donquixote", "5.4")
@pytest.mark.parametrize("round_", [1, 2, 3])
@pytest.mark.parametrize("early", [True, False])
def test_sancho_replaces_a_tile(round_: int, early: bool) -> None:
    """Sancho Pansa is placed once instead of a tile, so one tile, in round 3 the locked one, is
    discarded at the end of the round.
    """
    match = in_round(round_, placed=0 if early else HAND_SIZES[round_ - 1] - 1, sancho=True)
    locked = match.state.hands[0][-1]
    field = match.state.field
    assert GAME.legal(match.state, 0)[-1] == "SANCHO"
    match.play(0, ["SANCHO"])
    at_random(match, 1)
    assert match.state.lands[0].board[field] == "SANCHO"
    assert match.state.sancho == [False, True]
    at_random(match, 2 * (HAND_SIZES[round_ - 1] - match.state.placed) if early else 0)
    left = match.state.left_over[0]
    laid = {PIECES[piece].tile.name for piece in match.state.lands[0].board.values()}
    assert left is not None
    assert left not in laid
    assert match.state.left_over[1] is None
    if round_ == 3:
        assert left == locked
        assert match.outcome is not None
    facts = [fact for _, _, fx in match.history(None) for fact in fx if fact.kind == "left_over"]
    assert [dict(fact.data) for fact in facts] == [{"seat": 0, "tile": left}]


@pytest.mark.rule("donquixote", "5.4")
def test_sancho_comes_once() -> None:
    match = in_round(1, sancho=True)
    field = match.state.field
    match.play(0, ["SANCHO"])
    at_random(match, 1)
    assert refusal(match.state, "SANCHO") == ("already_placed", {"tile": "SANCHO", "field": field})
    assert "SANCHO" in GAME.legal(match.state, 1)


def test_sancho_may_stay_away() -> None:
    match = in_round(3, placed=5, sancho=True)
    assert len(GAME.legal(match.state, 0)) == 3
    at_random(match, 2)
    assert match.state.left_over == [None, None]
    assert match.outcome is not None


@pytest.mark.rule("donquixote", "5.4")
def test_a_tile_left_over_cannot_be_placed_in_a_later_round() -> None:
    match = in_round(1, placed=8, sancho=True)
    match.play(0, ["SANCHO"])
    at_random(match, 1)
    left = match.state.left_over[0]
    assert refusal(match.state, str(left)) == ("left_over", {"tile": left})


def test_without_the_option_there_is_no_sancho() -> None:
    state = scripted(HAND)
    assert refusal(state, "sancho") == ("no_sancho", {})
    assert GAME.view(state, None).public["sancho"] == [False]


# -------------------------------------------------------------------------------- notation
@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("KN03", "KN03"),
        ("kn03r", "KN03r"),
        (" KN 3 r ", "KN03r"),
        ("kn3 turned", "KN03r"),
        ("Kn03 gedreht", "KN03r"),
        ("ch2", "CH2"),
        ("CH02R", "CH2r"),
        ("wm1@b2", "WM1"),
        ("WM1r B2", "WM1r"),
        ("SANCHO", "SANCHO"),
        ("Sancho Pansa", "SANCHO"),
        ("sanchor", "SANCHO"),
    ],
)
def test_tiles_may_be_spelled_in_several_ways(text: str, move: Move) -> None:
    assert GAME.parse(scripted(HAND, sancho=True), 0, text) == move


@pytest.mark.parametrize(
    "text", ["", "r", "KN", "KN00", "KN11", "CH7", "CA6", "KN03x", "B2", "XX1"]
)
def test_texts_that_name_no_way_tile_are_refused(text: str) -> None:
    assert refusal(scripted(HAND), text) == ("unknown_tile", {"text": text})


def test_only_the_open_field_is_filled() -> None:
    assert refusal(scripted(HAND, field="B2"), "KN03@B3") == (
        "wrong_field",
        {"field": "B3", "due": "B2"},
    )


def test_a_tile_not_in_hand_is_refused_with_the_reason() -> None:
    state = scripted(HAND)
    assert refusal(state, "KN10r") == ("not_in_hand", {"tile": "KN10"})
    told(state, (0, "KN03r"), (CHANCE, "field:C2"))
    assert refusal(state, "KN03") == ("already_placed", {"tile": "KN03", "field": "B2"})


def test_a_tile_of_another_hand_is_refused() -> None:
    state = scripted(HAND, OTHER_HAND)
    assert GAME.parse(state, 1, "CH4") == "CH4"
    assert refusal(state, "CH4", seat=0) == ("not_in_hand", {"tile": "CH4"})


# ------------------------------------------------------------------------ a whole match
ROUND_1 = (
    "CH3 WM5 KN05 WM1 KN01 WM4 KN06 WM6 KN09",
    "KN06@C1 KN09r@H1 KN05r@E2 WM1r@D2 WM6@B3 CH3r@H3 WM5@G3 WM4r@C3 KN01@B1",
)
ROUND_2 = (
    "CH4 CH5 CH1 KN08 KN04 CH2 CH6",
    "KN08r@E3 CH1@G1 CH2@C2 KN04r@E1 CH6@D3 CH4r@F2 CH5r@F1",
)
ROUND_3 = (
    "WM2 KN07 KN02 WM3 KN10 KN03",
    "KN07@A1 WM3r@B2 KN10@F3 KN02r@D1 WM2@A3 KN03@H2",
)


def traced() -> list[Event]:
    """The log of the match above, with the castles on A2 and G2."""
    log = [Event(CHANCE, "CA6:A2"), Event(CHANCE, "CA4:G2")]
    for hand, placed in (ROUND_1, ROUND_2, ROUND_3):
        log.append(Event(CHANCE, f"deal:1:{hand.replace(' ', ',')}"))
        for move, where in (text.split("@") for text in placed.split()):
            log += [Event(CHANCE, f"field:{where}"), Event(0, move)]
    return log


def test_a_match_with_known_moves_scores_47_points() -> None:
    match = Match.replay(GAME, GAME.setup(1), traced())
    assert match.state.scored == [
        [
            Points(castle6=0, castle4=0, churches=0, windmills=2, defence=5, group=0),
            Points(castle6=0, castle4=4, churches=0, windmills=6, defence=5, group=0),
            Points(castle6=6, castle4=4, churches=0, windmills=8, defence=0, group=7),
        ]
    ]
    assert match.outcome == Outcome((1,), (47.0,), "points")
    assert match.view(None).public["scored"][0][1] == {
        "castle6": 0,
        "castle4": 4,
        "churches": 0,
        "windmills": 6,
        "defence": 5,
        "group": 0,
    }


def test_scorings_are_reported_in_full() -> None:
    history = Match.replay(GAME, GAME.setup(1), traced()).history(None)
    facts = [fact for _, _, fx in history for fact in fx if fact.kind == "scored"]
    assert [fact.data["points"] for fact in facts] == [7, 15, 25]
    assert [fact.data["total"] for fact in facts] == [7, 22, 47]
    third = facts[-1].data
    assert [len(castle["knights"]) for castle in third["castles"]] == [4, 3]
    assert [len(group["fields"]) for group in third["churches"]["groups"]] == [1] * 6
    assert [len(group["fields"]) for group in third["windmills"]["groups"]] == [4, 1, 1]
    assert (third["defence"]["strength"], third["defence"]["need"]) == (9, 12)
    strengths = [group["strength"] for group in third["group"]["groups"]]
    assert sorted(strengths, reverse=True) == [7, 6, 3, 3, 1]


# --------------------------------------------------------------------------------- the end
def finished(*totals: int) -> QuixoteState:
    """A finished match with these points."""
    *_, state = positions(len(totals), seed=3)
    state.scored = [[Points(0, 0, 0, 0, 0, total)] for total in totals]
    return state


@pytest.mark.rule("donquixote", "1", "5.3")
@pytest.mark.parametrize(
    ("totals", "ranks"),
    [
        ((30, 47), (2, 1)),
        ((47, 30, 47), (1, 3, 1)),
        ((10, 20, 20, 30), (4, 2, 2, 1)),
        ((5, 5, 5, 5), (1, 1, 1, 1)),
        ((12,), (1,)),
    ],
)
def test_the_highest_total_wins(totals: tuple[int, ...], ranks: tuple[int, ...]) -> None:
    """Players with equal points share the rank, and so the victory."""
    outcome = GAME.outcome(finished(*totals))
    assert outcome == Outcome(ranks, tuple(map(float, totals)), "points")


@pytest.mark.rule("donquixote", "5.2", "5.3")
def test_the_match_ends_with_the_third_scoring() -> None:
    match = in_round(3, placed=5, players=2)
    assert GAME.outcome(match.state) is None
    last = len(match.log)
    at_random(match, 2)
    assert match.outcome is not None
    facts = [fact for _, _, fx in match.history(None, since=last) for fact in fx]
    assert [fact.kind for fact in facts] == ["chosen", *["placed"] * 2, *["scored"] * 2, "over"]
    over = facts[-1].data
    assert over["totals"] == list(match.outcome.scores)
    assert over["winners"] == list(match.outcome.winners())
    assert over["rating"] is None


@pytest.mark.rule("donquixote", "5.4")
@pytest.mark.parametrize(
    ("points", "key"),
    [
        (0, "windmills"),
        (29, "windmills"),
        (30, "fair"),
        (39, "fair"),
        (40, "good"),
        (49, "good"),
        (50, "very_good"),
        (59, "very_good"),
        (60, "excellent"),
        (69, "excellent"),
        (70, "fantastic"),
        (120, "fantastic"),
    ],
)
def test_a_solo_player_is_rated_by_points(points: int, key: str) -> None:
    assert rating(points) == key


@pytest.mark.rule("donquixote", "5.4")
def test_the_end_reports_the_rating_of_a_solo_player() -> None:
    history = Match.replay(GAME, GAME.setup(1), traced()).history(None)
    assert history[-1][2][-1].data == {
        "reason": "points",
        "winners": [0],
        "totals": [47],
        "rating": "good",
    }


def test_a_damaged_draw_of_a_field_is_noticed() -> None:
    """The damage is noticed at once, not only after everyone has laid a tile."""
    match = started()
    assert match.log[-1].move.startswith("field:")
    damaged = [*match.log[:-1], Event(CHANCE, "field:Z9")]
    with pytest.raises(ValueError, match="draws no field"):
        Match.replay(GAME, match.setup, damaged)
