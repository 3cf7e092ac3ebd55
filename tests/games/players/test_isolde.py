"""Computer players of Fair Isolde know the value of a place, and use only their own view."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.engine import CHANCE, Match
from games.isolde import IsoldeState
from games.isolde.cards import cards_named, less, names
from games.isolde.state import Due
from games.isolde.variants.kodex import CodexPlace
from games.players import Advice, Budget, search
from games.players.isolde import IsoldePolicy
from tests.games.isolde_table import (
    COLOURS,
    GAME,
    dealt,
    due,
    give_hand,
    give_shields,
    place,
    table,
)

POLICY = IsoldePolicy(GAME)


def advice(state: IsoldeState, iterations: int = 100, seed: int = 1) -> Advice:
    """The advice for the only seat to act."""
    (seat,) = GAME.actors(state)
    return search(GAME, GAME.view(state, seat), random.Random(seed), Budget(iterations))


def last_play(colour: str, hand: str, round_: int = 6) -> IsoldeState:
    """A position with three players, one of whom plays the last card before the scoring."""
    state = table(3, round_)
    for other, cards in (
        ("A", "KOENIG2 KOENIG3"),
        ("B", "KOENIG2 KOENIG4"),
        ("C", "KOENIG5 GRAL3"),
    ):
        give_hand(state, other, hand if other == colour else cards)
    scorings = [Due("score", data=(board.id,)) for board in state.rules.boards]
    due(state, Due("play", COLOURS.index(colour)), *scorings, Due("close"))
    return state


def motives(state: IsoldeState, move: str) -> list[tuple[str, str]]:
    """The kinds and boards of the motives for a move by the seat to act."""
    seat = GAME.actors(state)[0]
    return [(fact.kind, fact.data["board"]) for fact in POLICY.motives(state, seat, move)]


# ------------------------------------------------------------- decisions without piece moves
def decisions(step: str, **options: Any) -> list[tuple[IsoldeState, int]]:
    """Positions with this step pending, from two matches played without a search."""
    found = []
    for seed in range(2):
        rng = random.Random(seed)
        match = Match(GAME, GAME.setup(2, options, str(seed)))
        match.advance()
        while match.outcome is None:
            state, seat = match.state, match.actors[0]
            if state.agenda[-1].step == step:
                found.append((state.clone(), seat))
            match.play(seat, [POLICY.pick(state, seat, rng)])
    assert found
    return found


def picks(state: IsoldeState, seat: int) -> list[str]:
    """The picks with ten seeds, without the verb."""
    moves = [POLICY.pick(state, seat, random.Random(seed)) for seed in range(10)]
    return [move.partition(":")[2] for move in moves]


def test_no_shield_that_is_known_to_cost_is_taken() -> None:
    """With the variant Kodex, a shield known to cost three points is left as long as there is
    another one, which may be better.
    """
    tried = 0
    for state, seat in decisions("take", kodex=True):
        (places,) = (note for note in state.notes if note and hasattr(note[0], "taker"))
        left = {
            str(n): p for n, p in enumerate(places, 1) if f"take:{n}" in GAME.legal(state, seat)
        }
        known = {n: p.value for n, p in left.items() if seat in p.known}
        if min(known.values(), default=0) == -3 and len(left) > 1:
            tried += 1
            assert all(known.get(n) != -3 for n in picks(state, seat))
    assert tried


def test_the_shield_that_is_left_is_known_to_be_the_best() -> None:
    """Kodex: a player who knows both negative shields takes the third."""
    state, seat = decisions("take", kodex=True)[0]
    (slot,) = (n for n, note in enumerate(state.notes) if note and hasattr(note[0], "taker"))
    seen = [place._replace(known=(seat,) if place.value else ()) for place in state.notes[slot]]
    state.notes[slot] = seen
    (free,) = (str(n) for n, place in enumerate(seen, 1) if not place.value)
    assert set(picks(state, seat)) == {free}


def test_no_shield_is_looked_at_twice() -> None:
    """With the variant Kodex, nobody looks at a shield again while there are others that they have
    not seen.
    """
    for state, seat in decisions("look", kodex=True):
        (places,) = (note for note in state.notes if note and hasattr(note[0], "taker"))
        unseen = {str(n) for n, place in enumerate(places, 1) if seat not in place.known}
        assert not unseen or unseen.issuperset(picks(state, seat))


def test_bets_are_made_where_cards_may_go() -> None:
    """With the variant Herausforderung, a player bets for their own colour on a board where cards
    of the pack can be played.
    """
    for state, seat in decisions("bet", herausforderung=True):
        rules = state.rules
        slots = {slot for card in state.packs[seat] for slot in rules.routes[card]}
        owned = rules.seating.owners[state.agenda[-1].colour] == seat
        assert not owned or all(rules.board[board].slot in slots for board in picks(state, seat))


def test_a_split_is_worth_what_the_other_person_leaves() -> None:
    """When two play Isolde as Lancelot, a split weighs the same whichever pile is named first, but
    not all splits weigh the same.
    """
    for state, seat in decisions("split", duo="lancelot"):
        moves = GAME.legal(state, seat)
        weights = dict(zip(moves, POLICY.weights(state, seat, moves), strict=True))
        assert len({round(weight, 6) for weight in weights.values()}) > 1
        pack = state.packs[seat]
        for move, weight in weights.items():
            other = less(pack, cards_named(move.partition(":")[2].split(",")))
            assert weights["split:" + ",".join(names(other))] == pytest.approx(weight)


def test_the_better_pile_is_taken() -> None:
    (state, seat), *_ = decisions("pile", duo="lancelot")
    poor, rich = (
        cards_named(["GRAL2", "KOENIG2", "STUDIEN3"]),
        cards_named(["GRAL5", "KOENIG5", "STUDIEN5"]),
    )
    state.piles = tuple((tuple(poor), tuple(rich)) for _ in state.piles)
    assert set(picks(state, seat)) == {"2"}


# ------------------------------------------------------------------------ obvious moves
def test_the_last_card_is_played_where_it_wins() -> None:
    """The card is played on the Tournament, the only board where it wins another shield."""
    state = last_play("A", "KAMPF4 BARM2")
    for board in ("GRAL", "BARM", "STUDIEN"):
        place(state, board, "A9 B8 C7")
    place(state, "LANZE", "B19 C18 A1")
    place(state, "TURNIER", "B15 C4 A3")
    give_shields(state, "B", ("KOENIG", 12))
    assert advice(state).best == "play:KAMPF4>TURNIER"


def test_the_last_place_of_charity_is_left() -> None:
    """The last card is used to leave last place on Charity, because ten points outweigh any prize
    on the two jousting boards.
    """
    state = last_play("C", "BARM5 KAMPF5")
    place(state, "BARM", "A9 B7 C4")
    for board in ("LANZE", "TURNIER", "GRAL"):
        place(state, board, "A5 B4 C3")
    assert advice(state).best == "play:BARM5"


@pytest.mark.parametrize(("fields", "best"), [(3, "bonus:GRAL"), (1, "bonus:STUDIEN")])
def test_a_bonus_goes_where_it_is_worth_most(fields: int, best: str) -> None:
    """Three fields win first place on the Grail; a single field is enough only on Studies."""
    state = table(3, 6)
    place(state, "GRAL", "B12 A10 C2")
    place(state, "STUDIEN", "B12 C3 A2")
    for board in ("LANZE", "TURNIER", "BARM"):
        place(state, board, "B19 A12 C2")
    scorings = [Due("score", data=(board,)) for board in ("STUDIEN", "GRAL")]
    due(state, Due("bonus", 0, (fields,)), *scorings, Due("close"))
    assert advice(state).best == best


def test_the_card_that_matters_is_kept() -> None:
    """In the last draft, only the high card of the Grail can still change a rank."""
    state = GAME.start(GAME.setup(3, {"starter": "1"}))
    state.round = 6
    place(state, "GRAL", "B20 A16 C2")
    place(state, "KOENIG", "A20 B20 C20")
    place(state, "BARM", "A70 B60 C50")
    for board in ("ISOLDE", "LANZE", "TURNIER", "STUDIEN"):
        place(state, board, "B70 A40 C9")
    packs = (
        "BARM2 BARM3 GRAL5 ISOLDE2 KOENIG5",
        "BARM4 ISOLDE3 KOENIG2 KOENIG3 KAMPF3",
        "BARM5 ISOLDE4 KOENIG4 KAMPF3 STUDIEN3",
    )
    GAME.do(state, CHANCE, dealt(*packs))
    told = search(GAME, GAME.view(state, 0), random.Random(1), Budget(100))
    assert told.best == "keep:GRAL5"


def test_no_one_declines_a_gift() -> None:
    """With the variant Magie, all six fields are used one after the other."""
    state = table(4, 5, magie=True)
    place(state, "GRAL", "B12 A10 C4 D2")
    due(state, Due("magic", 0, (6,)), Due("close"))
    while state.agenda and state.agenda[-1].step == "magic":
        best = advice(state).best
        assert best != "magic:-"
        GAME.do(state, 0, best)
    assert sum(row[0] for row in state.positions) == 10 + 6


# ------------------------------------------------------------------ the value of a position
def test_being_ahead_is_worth_more() -> None:
    """The sooner a board is scored, the more a lead is worth."""
    for board in ("ISOLDE", "LANZE", "STUDIEN", "KOENIG", "GRAL", "BARM"):
        worth = []
        for pieces in ("B5 C2 A1", "B5 A4 C2", "A6 B5 C2"):
            state = table(3, 3)
            place(state, board, pieces)
            state.agenda.append(Due("close"))
            worth.append(POLICY.values(state)[0])
        assert worth == sorted(set(worth)), board
    leads = []
    for round_ in (1, 4, 6):
        state = table(3, round_)
        place(state, "GRAL", "A6 B5")
        state.agenda.append(Due("close"))
        leads.append(POLICY.values(state)[0])
    assert leads == sorted(set(leads))


def test_in_the_end_only_points_count() -> None:
    """Ranks and fields that will not be scored again are worth nothing."""
    state = table(3, 6)
    give_shields(state, "B", ("LANZE", 3))
    place(state, "GRAL", "A30 B2")
    values = POLICY.values(state)
    assert values[1] > 0 > values[0] == values[2]


def test_two_colours_are_worth_what_both_have() -> None:
    """When two play Isolde as Lancelot, a person has the points of both of their colours; as
    Parzival, the neutral colour's points count for nobody.
    """
    state = table(2, 6, duo="lancelot")
    give_shields(state, "A", ("LANZE", 3))
    give_shields(state, "C", ("LANZE", 2))
    give_shields(state, "B", ("LANZE", 5))
    assert POLICY.values(state) == [0.0, 0.0]
    state = table(2, 6, duo="parzival")
    give_shields(state, "C", ("LANZE", 3))
    assert POLICY.values(state) == [0.0, 0.0]


# -------------------------------------------------------------------------------- motives
def test_motives_for_playing_a_card() -> None:
    """The card gains a better rank or points of the King, or escapes last place."""
    state = last_play("A", "KAMPF4 BARM4 KOENIG2 GRAL2")
    place(state, "LANZE", "B4 C2")
    place(state, "TURNIER", "B5 C2")
    place(state, "BARM", "B4 C3")
    place(state, "KOENIG", "A4")
    place(state, "GRAL", "B5 C3 A2")
    assert motives(state, "play:KAMPF4>LANZE") == [("leads", "LANZE")]
    assert motives(state, "play:KAMPF4>TURNIER") == [("climbs", "TURNIER")]
    assert motives(state, "play:BARM4") == [("escapes", "BARM")]
    (climbs,) = POLICY.motives(state, 0, "play:GRAL2")
    assert (climbs.kind, climbs.data["place"]) == ("climbs", 2)
    (pays,) = POLICY.motives(state, 0, "play:KOENIG2")
    assert (pays.kind, pays.data["points"]) == ("pays", 6)


def test_motives_for_keeping_a_card() -> None:
    """The motives name what the card can gain on each board; there are none for a board that will
    not be scored again.
    """
    state = table(4, 6, magie=True)
    place(state, "LANZE", "B4 C2")
    place(state, "TURNIER", "B3 A1")
    place(state, "BARM", "A1")
    state.packs[0] = cards_named(["BARM2", "KAMPF3"])
    state.agenda.append(Due("draft"))
    state.actors = (0,)
    assert motives(state, "keep:KAMPF3") == [("climbs", "LANZE"), ("leads", "TURNIER")]
    assert motives(state, "keep:BARM2") == []


def test_motives_for_a_bonus() -> None:
    """Covers Isolde, Galanterie and Magie; the neutral colour has no motive."""
    state = table(3, 3)
    place(state, "LANZE", "B4 A2")
    due(state, Due("bonus", 0, (2,)))
    assert motives(state, "bonus:LANZE") == [("leads", "LANZE")]
    assert motives(state, "bonus:-") == []
    state = table(3, 3, galanterie=True)
    place(state, "LANZE", "B4 A2")
    place(state, "KOENIG", "A4")
    give_hand(state, "A", "KAMPF3")
    due(state, Due("gallantry", 0))
    assert motives(state, "bonus:SCHWERT>LANZE") == [("leads", "LANZE")]
    assert motives(state, "bonus:KOENIG2") == [("pays", "KOENIG")]
    assert motives(state, "bonus:EINS>LANZE") == []
    assert motives(state, "bonus:FUENFTE") == [("leads", "LANZE"), ("leads", "TURNIER")]
    assert motives(state, "bonus:START>1") == []
    state = table(3, 2, magie=True)
    place(state, "GRAL", "B4 A2")
    due(state, Due("magic", 0, (6,)))
    assert motives(state, "magic:GRAL+2") == [("leads", "GRAL")]
    assert motives(state, "magic:GRAL+1") == []
    state = table(2, 3, duo="parzival")
    due(state, Due("bonus", 2, (2,)))
    assert motives(state, "bonus:LANZE") == []


# ------------------------------------------------------------ moves that advance no piece
def traits(state: IsoldeState, move: str) -> list[tuple[str, dict[str, Any]]]:
    """The kinds and data of the traits of a move by the seat to act."""
    facts = POLICY.traits(state, GAME.actors(state)[0], move)
    return [(fact.kind, dict(fact.data)) for fact in facts]


def test_bets_by_the_cards_dealt() -> None:
    """The reason for a bet is how many of the cards dealt fit the board; for the neutral colour, it
    is where its piece is.
    """
    state = table(2, herausforderung=True, duo="parzival")
    state.packs[0] = cards_named(["GRAL2", "GRAL4", "KAMPF3", "BARM2", "BARM3"])
    due(state, Due("bet", 0))
    (gral,) = POLICY.motives(state, 0, "bet:GRAL")
    assert (gral.kind, gral.data["number"]) == ("fits", 2)
    (lists,) = POLICY.motives(state, 0, "bet:TURNIER")
    assert lists.data["number"] == 1
    assert POLICY.motives(state, 0, "bet:KOENIG") == []
    ((kind, data),) = traits(state, "bet:KOENIG")
    assert (kind, data["number"]) == ("fits", 0)
    place(state, "GRAL", "C7")
    due(state, Due("bet", 2))
    assert traits(state, "bet:GRAL") == [("stands", {"colour": 2, "board": "GRAL", "field": 7})]


def test_what_is_known_of_shields() -> None:
    """Of a shield that the seat has not seen, it knows only how many of the unseen ones cost
    points; once it has seen the two that do, the others are known to cost nothing.
    """
    board = next(board for board in table(4, kodex=True).rules.boards if board.id == "STUDIEN")
    state = table(4, kodex=True)
    state.notes[board.slot] = tuple(
        CodexPlace(value, known) for value, known in ((0, ()), (-3, (0,)), (0, ()), (-1, (1,)))
    )
    due(state, Due("take", 0))
    assert traits(state, "take:1") == [("unseen", {"number": 1, "of": 3})]
    assert traits(state, "take:2") == [("costs", {"points": 3})]
    assert POLICY.motives(state, 0, "take:1") == []
    state.notes[board.slot] = tuple(
        place._replace(known=(0,)) if place.value else place for place in state.notes[board.slot]
    )
    assert [fact.kind for fact in POLICY.motives(state, 0, "take:1")] == ["harmless"]
    assert traits(state, "take:3") == [("harmless", {})]
    assert traits(state, "take:4") == [("costs", {"points": 1})]


def test_what_piles_and_claims_are_worth() -> None:
    """The reason for a pile is the total of its cards and that of the other pile; for a claim, the
    value of its shields; for a partner, that of the best claim.
    """
    state, _ = decisions("pile", duo="lancelot")[0]
    low, high = cards_named(["GRAL2", "BARM2", "GRAL3"]), cards_named(["GRAL5", "BARM5", "KAMPF4"])
    state.piles = tuple((tuple(low), tuple(high)) for _ in state.piles)
    assert traits(state, "pile:2") == [("divides", {"these": 14, "rest": 7})]
    state = table(4, 6, barm=True)
    give_shields(state, "B", ("LANZE", 3), ("LANZE", 2), ("TURNIER", 1), ("GRAL", 17))
    due(state, Due("partner", 0, (2, 1, 2)))
    claimable = {"colour": 0, "partner": 1, "points": 5}
    assert traits(state, "partner:2") == [("claimable", claimable)]
    assert traits(state, "partner:3") == [("claimable", claimable | {"partner": 2, "points": 0})]
    due(state, Due("claim", 0, (1, 2)))
    assert [f.data for f in POLICY.motives(state, 0, "claim:3+1")] == [{"points": 4}]


def test_what_moves_no_piece() -> None:
    state = table(3, 3, galanterie=True)
    due(state, Due("gallantry", 0))
    assert traits(state, "bonus:START>1") == traits(state, "bonus:-") == [("still", {})]
    assert [kind for kind, _ in traits(state, "bonus:EINS>LANZE")] == ["ahead"]
