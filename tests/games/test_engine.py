"""The contract's own machinery: setups, matches, logs, histories, chance and results."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from games.engine import (
    CHANCE,
    MOVE_PATTERN,
    BadRecord,
    BadSetup,
    EngineError,
    Event,
    Fact,
    IllegalMove,
    Match,
    Move,
    NotYourTurn,
    Option,
    Outcome,
    StaleDecision,
    View,
    draw,
    rng_for,
    shuffled,
)
from games.isis import Isis
from games.lancelot import Lancelot, LancelotState
from tests.games.toys import Auction, AuctionState


def auction(players: int = 2, seed: str = "seed", **options: Any) -> Match[AuctionState]:
    """A match of the toy game after its first deal."""
    game = Auction()
    match = Match(game, game.setup(players, options, seed))
    match.advance()
    return match


def lancelot(**options: Any) -> Match[LancelotState]:
    """A match for two in which seat 0 begins and seat 1 has placed Excalibur on H7."""
    game = Lancelot()
    match = Match(game, game.setup(2, {"king": True, "starter": "1", **options}, "seed"))
    match.play(1, ["X:H7"])
    return match


def finished(seed: str = "seed") -> Match[AuctionState]:
    """A match of the toy game played to its end with the lowest bids."""
    match = auction(seed=seed)
    while match.actors:
        match.play(match.actors[0], ["bid:1"])
    return match


def everything(match: Match[Any]) -> tuple[Any, ...]:
    """Everything that a refused move must not change."""
    opened = [match.opened(seat) for seat in match.actors]
    return match.state.clone(), list(match.log), match.actors, opened


# ------------------------------------------------------------------------------ setups
def test_a_setup_holds_every_usable_option() -> None:
    """Missing options get the default for the number of players; options that do not apply are left
    out.
    """
    game = Auction()
    assert game.setup(2).options == {"rounds": 2, "tie": "nobody"}
    assert game.setup(3).options == {"rounds": 1, "double": False, "tie": "nobody"}
    assert game.setup(3, {"double": True}).options["double"] is True


@pytest.mark.parametrize(
    ("players", "options", "code"),
    [
        (1, {}, "player_count"),
        (4, {}, "player_count"),
        (2, {"colour": "red"}, "unknown_option"),
        (2, {"double": True}, "option_players"),
        (2, {"rounds": 0}, "option_value"),
        (2, {"rounds": 4}, "option_value"),
        (2, {"rounds": True}, "option_value"),
        (2, {"rounds": "2"}, "option_value"),
        (3, {"double": 1}, "option_value"),
        (2, {"tie": "all"}, "option_value"),
    ],
)
def test_a_bad_setup_is_refused(players: int, options: dict[str, Any], code: str) -> None:
    with pytest.raises(BadSetup) as refusal:
        Auction().setup(players, options)
    assert refusal.value.code == code


def test_the_edges_of_an_int_option_are_allowed() -> None:
    option = Option("n", "int", 2, lo=1, hi=3)
    assert [option.check(n) for n in (1, 3)] == [1, 3]


# ----------------------------------------------------------------------------- playing
def test_several_moves_are_played_in_a_row() -> None:
    match = lancelot()
    steps = match.play(0, ["x g6", "g8"])
    assert [step.event for step in steps] == [Event(0, "X:G6"), Event(0, "G8")]
    assert [fact.kind for fact in steps[0].facts] == ["power_used", "sword_moved"]
    assert [fact.kind for fact in steps[1].facts] == ["placed"]
    assert match.actors == (1,)
    assert match.ply == 3


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        (["X:G6", "H9", "H10"], "turn_is_over"),
        (["X:G6", "G6"], "occupied"),
        (["X:G6", "X:G7"], "sword_already_moved"),
        (["rubbish"], "unknown_square"),
    ],
)
def test_moves_in_a_row_are_played_all_or_none(texts: list[str], code: str) -> None:
    match = lancelot()
    before = everything(match)
    with pytest.raises(IllegalMove) as refusal:
        match.play(0, texts)
    assert refusal.value.code == code
    assert everything(match) == before


def test_a_seat_that_owes_nothing_is_refused() -> None:
    match = lancelot()
    before = everything(match)
    for seat in (1, CHANCE, 2):
        with pytest.raises(NotYourTurn):
            match.play(seat, ["D4"])
    assert everything(match) == before
    with pytest.raises(NotYourTurn):
        finished().play(0, ["bid:1"])


def test_no_one_plays_for_chance() -> None:
    game = Auction()
    match = Match(game, game.setup(2))
    assert match.actors == (CHANCE,)
    with pytest.raises(NotYourTurn):
        match.play(CHANCE, ["deal:4"])


def test_a_fault_of_the_engine_leaves_the_match_whole() -> None:
    class Faulty(Lancelot):
        def do(
            self, state: LancelotState, seat: int, move: Move, fx: list[Fact] | None = None
        ) -> None:
            super().do(state, seat, move, fx)
            if move == "G8":
                raise ZeroDivisionError

    match = lancelot()
    match.game = Faulty()
    before = everything(match)
    with pytest.raises(ZeroDivisionError):
        match.play(0, ["X:G6", "G8"])
    assert everything(match) == before


def test_draws_follow_at_once() -> None:
    """After the last bid, the same call makes the next deal."""
    match = auction()
    match.play(0, ["bid:1"])
    steps = match.play(1, ["bid:1"])
    assert [step.event.seat for step in steps] == [1, CHANCE, CHANCE]
    assert match.actors == (0, 1)


def test_advance_draws_from_the_seed() -> None:
    deals = {seed: tuple(auction(seed=seed).state.hands) for seed in "abcdefgh"}
    assert deals == {seed: tuple(auction(seed=seed).state.hands) for seed in "abcdefgh"}
    assert len(set(deals.values())) > 1
    assert auction().advance() == []


# ------------------------------------------------------------ continuing in a new match
def test_a_match_continues_in_a_new_one() -> None:
    """``played`` returns the same result as ``play``, but leaves the original match unchanged."""
    match = auction()
    before = everything(match)
    after, steps = match.played(0, ["bid:1"])
    assert everything(match) == before
    assert match.play(0, ["bid:1"]) == steps
    assert everything(match) == everything(after)
    last, steps = after.played(1, ["bid:1"])
    assert [step.event.seat for step in steps] == [1, CHANCE, CHANCE]
    assert everything(match) == everything(after)
    assert last.state.round == 2


def test_a_refused_move_makes_no_new_match() -> None:
    match = lancelot()
    before = everything(match)
    for seat, texts, seen, refusal in (
        (1, ["D4"], None, NotYourTurn),
        (CHANCE, ["D4"], None, NotYourTurn),
        (0, ["D4"], match.ply - 1, StaleDecision),
        (0, ["X:G6", "G6"], None, IllegalMove),
        (0, ["X:G6", "H9", "H10"], match.ply, IllegalMove),
    ):
        with pytest.raises(refusal):
            match.played(seat, texts, seen)
    assert everything(match) == before


def test_each_way_to_play_copies_the_position_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clones = []
    clone = LancelotState.clone

    def counted(state: LancelotState) -> LancelotState:
        clones.append(state.ply)
        return clone(state)

    match = lancelot()
    monkeypatch.setattr(LancelotState, "clone", counted)
    match.played(0, ["X:G6", "G8"])
    match.play(0, ["X:G6", "G8"])
    assert clones == [1, 1]


def test_the_first_draws_can_be_made_in_a_new_match() -> None:
    game = Auction()
    match = Match(game, game.setup(2, seed="seed"))
    after, steps = match.advanced()
    assert (match.ply, match.actors) == (0, (CHANCE,))
    assert [step.event for step in steps] == after.log
    assert everything(after) == everything(auction())


def test_a_step_tells_what_everyone_saw() -> None:
    match = auction()
    steps = match.play(0, ["bid:1"]) + match.play(1, ["bid:1"])
    assert [step.seen for step in steps] == ["bid:?", "bid:?", "deal:?", "deal:?"]
    assert [step.seen for step in lancelot().play(0, ["x g6", "g8"])] == ["X:G6", "G8"]


# --------------------------------------------------------------------------- staleness
def test_a_press_from_before_the_decision_is_stale() -> None:
    match = lancelot()
    shown = match.ply
    match.play(0, ["D4"], seen_ply=shown)
    match.play(1, ["E5"], seen_ply=match.ply)
    before = everything(match)
    with pytest.raises(StaleDecision):
        match.play(0, ["F6"], seen_ply=shown)
    assert everything(match) == before


def test_choices_made_at_the_same_time_do_not_outdate_each_other() -> None:
    match = auction()
    shown = match.ply
    match.play(0, ["bid:1"], seen_ply=shown)
    assert match.opened(1) == shown
    match.play(1, ["bid:1"], seen_ply=shown)
    assert match.state.round == 2


def test_the_second_half_of_a_turn_is_a_decision_of_its_own() -> None:
    match = lancelot()
    shown = match.ply
    match.play(0, ["X:G6"], seen_ply=shown)
    assert match.opened(0) == match.ply
    with pytest.raises(StaleDecision):
        match.play(0, ["G8"], seen_ply=shown)


# ----------------------------------------------------------------------------- records
def test_a_log_folds_to_the_same_match() -> None:
    match = finished()
    again = Match.replay(match.game, match.setup, match.log, verify=True)
    assert again.state == match.state
    assert again.outcome == match.outcome
    assert again.history(None) == match.history(None)


def test_a_running_match_can_go_on_after_a_replay() -> None:
    match = auction()
    match.play(0, ["bid:1"])
    again = Match.replay(match.game, match.setup, match.log)
    assert again.opened(1) == match.opened(1)
    assert again.play(1, ["bid:1"]) == match.play(1, ["bid:1"])


def test_the_end_of_a_log_is_reported_again() -> None:
    match = auction()
    steps = []
    while match.actors:
        steps += match.play(match.actors[0], ["bid:1"])
    for tail in range(match.ply + 3):
        again, told = Match.retrace(match.game, match.setup, match.log, tail)
        assert again.state == match.state
        assert again.log == match.log
        assert [step.event for step in told] == match.log[max(0, match.ply - tail) :]
        assert told[-len(steps) :] == steps[len(steps) - min(tail, len(steps)) :]


def test_events_are_taken_out_of_a_new_match() -> None:
    """The last events can be removed, or a sealed bid while another seat still chooses; the
    original match does not change.
    """
    match = auction(3, rounds=2)
    for seat in (2, 0):
        match.play(seat, ["bid:1"])
    before = everything(match)
    without = match.without({3})
    assert [event.seat for event in without.log] == [CHANCE] * 3 + [0]
    assert without.actors == (1, 2)
    assert match.without({3, 4}).log == match.log[:3]
    assert everything(match.without(())) == everything(match) == before


def test_nothing_is_taken_out_that_others_rest_on() -> None:
    match = finished()
    with pytest.raises(BadRecord):
        match.without({2})


def tampered(log: list[Event], at: int, event: Event | None) -> list[Event]:
    """The log with one event replaced or left out."""
    return [*log[:at], *([event] if event else []), *log[at + 1 :]]


@pytest.mark.parametrize(
    ("at", "event", "code"),
    [
        (0, Event(0, "bid:1"), "replay_illegal"),
        (2, Event(0, "bid:9"), "replay_illegal"),
        (2, Event(CHANCE, "deal:1"), "replay_mismatch"),
        (2, Event(5, "bid:1"), "replay_illegal"),
    ],
)
def test_a_tampered_log_is_found_out(at: int, event: Event, code: str) -> None:
    match = finished()
    with pytest.raises(BadRecord) as found:
        Match.replay(match.game, match.setup, tampered(match.log, at, event), verify=True)
    assert found.value.code == code
    assert found.value.data["at"] == at


def test_a_card_dealt_to_order_is_found_out() -> None:
    """Only the seed's own draw is valid, although others would be possible."""
    match = finished()
    for card in {1, 2, 3, 4} - {int(match.log[0].move[-1])}:
        log = tampered(match.log, 0, Event(CHANCE, f"deal:{card}"))
        with pytest.raises(BadRecord) as found:
            Match.replay(match.game, match.setup, log, verify=True)
        assert (found.value.code, found.value.data["at"]) == ("replay_mismatch", 0)


def test_events_left_out_or_added_are_found_out() -> None:
    match = finished()
    for log in (
        tampered(match.log, 0, None),
        tampered(match.log, 2, None),
        [*match.log, Event(0, "bid:1")],
        [*match.log, Event(CHANCE, "deal:1")],
    ):
        with pytest.raises(BadRecord):
            Match.replay(match.game, match.setup, log, verify=True)


def test_a_draw_that_is_not_due_is_found_out() -> None:
    match = auction()
    card = match.game.sample(match.state, rng_for(match.setup.seed, match.ply))
    log = [*match.log, Event(CHANCE, card)]
    with pytest.raises(BadRecord) as found:
        Match.replay(match.game, match.setup, log, verify=True)
    assert found.value.code == "replay_mismatch"


def test_another_seed_does_not_fit_the_log() -> None:
    match = finished()
    with pytest.raises(BadRecord):
        Match.replay(match.game, replace(match.setup, seed="other"), match.log, verify=True)


# --------------------------------------------------------------------------- histories
def test_history_hides_what_was_secret() -> None:
    match = auction()
    match.play(0, ["bid:1"])
    card = match.state.hands[0]
    seen = {viewer: [move for _, move, _ in match.history(viewer)] for viewer in (0, 1, None)}
    assert seen[0] == [f"deal:{card}", "deal:?", "bid:1"]
    assert seen[1] == ["deal:?", f"deal:{match.state.hands[1]}", "bid:?"]
    assert seen[None] == ["deal:?", "deal:?", "bid:?"]


def test_history_tells_facts_to_those_who_may_know_them() -> None:
    match = auction()
    told = {
        viewer: [fact.kind for _, _, facts in match.history(viewer) for fact in facts]
        for viewer in (0, 1, None)
    }
    assert told == {0: ["dealt"], 1: ["dealt"], None: []}


def test_history_opens_when_the_match_is_over() -> None:
    match = finished()
    open_history = [(event.seat, event.move) for event in match.log]
    for viewer in (0, 1, None):
        history = match.history(viewer)
        assert [(seat, move) for seat, move, _ in history] == open_history
        dealt = [fact for _, _, facts in history for fact in facts if fact.kind == "dealt"]
        assert len(dealt) == 4


def test_history_since_a_ply_is_the_tail_of_the_whole() -> None:
    match = finished()
    for since in range(match.ply + 1):
        assert match.history(None, since) == match.history(None)[since:]


def test_a_fact_is_known_to_its_addressees() -> None:
    """A fact without addressees is public; spectators are never addressees."""
    assert all(Fact("x").known_to(viewer) for viewer in (0, 1, None))
    secret = Fact("x", to=frozenset({1}))
    assert [secret.known_to(viewer) for viewer in (0, 1, None)] == [False, True, False]


def test_the_canonical_notation_is_forgiving() -> None:
    """By default, case, blanks and current legality do not matter."""
    match = auction()
    for text in ("bid:9", " BID : 9 ", "Bid:9"):
        assert match.game.canonical(match.state, 0, text) == "bid:9"
    for text in ("", "  ", "ä", "b" * 300):
        assert match.game.canonical(match.state, 0, text) is None


# ----------------------------------------------------------------- views and outcomes
def test_a_view_survives_json() -> None:
    for match in (auction(), finished()):
        for viewer in (0, None):
            view = match.view(viewer)
            assert View.from_json(view.to_json()) == view
            assert View.from_json(view.to_json()).to_json() == view.to_json()


@pytest.mark.parametrize(
    ("ranks", "by_places", "by_winning"),
    [
        ((1,), (0.0,), (0.0,)),
        ((1, 2), (1.0, -1.0), (1.0, -1.0)),
        ((1, 1), (0.0, 0.0), (0.0, 0.0)),
        ((2, 1, 3), (0.0, 1.0, -1.0), (-1.0, 1.0, -1.0)),
        ((1, 1, 3), (0.5, 0.5, -1.0), (0.5, 0.5, -1.0)),
        ((1, 2, 2, 2), (1.0, -1.0, -1.0, -1.0), (1.0, -1.0, -1.0, -1.0)),
        ((1, 2, 3, 3, 5), (1.0, 0.5, -0.25, -0.25, -1.0), (1.0, -1.0, -1.0, -1.0, -1.0)),
    ],
)
def test_what_a_result_is_worth(
    ranks: tuple[int, ...], by_places: tuple[float, ...], by_winning: tuple[float, ...]
) -> None:
    """The number of seats beaten counts only if the rules rank the losers."""
    outcome = Outcome(ranks, tuple(0.0 for _ in ranks), "test")
    assert Isis().utility(outcome) == by_places
    assert Lancelot().utility(outcome) == by_winning
    assert outcome.winners() == tuple(seat for seat, rank in enumerate(ranks) if rank == 1)


# ------------------------------------------------------------------- chance and texts
def test_the_generators_of_events_are_independent_and_lasting() -> None:
    """The draws of a seed never change, because old logs must stay valid in newer versions."""
    assert rng_for("Avalon", 0).random() == rng_for("Avalon", 0).random()
    assert len({rng_for(seed, n).random() for seed in "ab" for n in range(5)}) == 10
    assert [draw(rng_for("Avalon", n), 6) for n in range(8)] == [1, 1, 1, 5, 2, 4, 4, 5]
    assert shuffled(rng_for("Avalon", 0), range(8)) == [3, 7, 2, 5, 4, 6, 0, 1]


def test_shuffled_keeps_the_items_and_its_source() -> None:
    items = tuple(range(20))
    mixed = shuffled(random.Random(1), items)
    assert tuple(mixed) != items
    assert tuple(sorted(mixed)) == items


def test_draw_reaches_every_number_and_no_other() -> None:
    rng = random.Random(1)
    assert {draw(rng, 5) for _ in range(200)} == set(range(5))


def test_sample_follows_the_weights() -> None:
    class Loaded(Auction):
        def chance(self, state: AuctionState) -> list[tuple[Move, float]]:
            return [("deal:1", 0.0), ("deal:2", 3.0), ("deal:3", 1.0)]

    game = Loaded()
    state = game.start(game.setup(2))
    rng = random.Random(1)
    draws = [game.sample(state, rng) for _ in range(400)]
    assert "deal:1" not in draws
    assert draws.count("deal:2") > 2 * draws.count("deal:3") > 0


def test_sampled_chance_without_a_sampler_is_a_fault() -> None:
    """A game that cannot list its draws must sample them itself."""

    class Silent(Auction):
        def chance(self, state: AuctionState) -> list[tuple[Move, float]]:
            return []

    game = Silent()
    with pytest.raises(TypeError, match="sample"):
        game.sample(game.start(game.setup(2)), random.Random(1))


@pytest.mark.parametrize("text", ["BID:1", " bid:1 ", "Bid:1"])
def test_parse_forgives_case_and_blanks(text: str) -> None:
    match = auction()
    assert match.game.parse(match.state, 0, text) == "bid:1"


def test_parse_refuses_with_the_text_cut_short() -> None:
    """A refusal quotes no more characters than the longest move of a seat may have."""
    match = auction()
    with pytest.raises(IllegalMove) as refusal:
        match.game.parse(match.state, 0, "x" * 500)
    assert refusal.value.code == "no_such_move"
    assert len(refusal.value.data["text"]) == 40


@pytest.mark.parametrize("move", ["", "a b", "é", "a\n", "x" * 201])
def test_the_move_pattern_refuses_what_cannot_travel(move: str) -> None:
    """Notation is ASCII without blanks and of limited length."""
    assert not MOVE_PATTERN.match(move)


def test_a_refusal_prints_its_code_and_data() -> None:
    assert str(EngineError("stale")) == "stale"
    assert str(EngineError("outside", square="A1")) == "outside {'square': 'A1'}"
