"""Moves as typed by people, moves shown by facts, and facts that close a round."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games import GAMES
from games.engine import CHANCE, Match, Step
from tafelrunde.testing.laws import random_setup


def canonical(game: str, text: str, players: int = 3, **options: Any) -> str | None:
    """The canonical notation of a text typed by the first seat before the first event; None if it
    is not a move.
    """
    rules = GAMES[game]
    return rules.canonical(rules.start(rules.setup(players, options)), 0, text)


def random_steps(game: str, players: int, rng: random.Random) -> tuple[Match[Any], list[Step]]:
    rules = GAMES[game]
    match, steps = Match(rules, random_setup(rules, players, rng)).advanced()
    while match.actors:
        seat = rng.choice(match.actors)
        match, more = match.played(seat, [rng.choice(rules.legal(match.state, seat))])
        steps += more
    return match, steps


# ------------------------------------------------------------------ canonical notation
@pytest.mark.parametrize(
    ("game", "text", "move"),
    [
        ("lancelot", " k 4 ", "K4"),
        ("lancelot", "sword g6", "X:G6"),
        ("lancelot", "pass", None),
        ("lancelot", "zz", None),
        ("isis", "14 -> 21", None),
        ("isis", "14 → 21", "14-21"),
        ("isis", "P0 - 7", "P0-7"),
        ("isis", "turn 40", "turn:40"),
        ("isis", "99-1", None),
        ("twilight", "mc 4", "MC4"),
        ("twilight", "Order 2", "order:2"),
        ("twilight", "order neumond", "order:N"),
        ("twilight", "xx", None),
        ("donquixote", "kn 3 turned", "KN03r"),
        ("donquixote", "KN03r@B3", "KN03r"),
        ("donquixote", "sancho pansa", "SANCHO"),
        ("donquixote", "KN99", None),
        ("isolde", "gral 4", "play:GRAL4"),
        ("isolde", "Keep gr4", "keep:GRAL4"),
        ("isolde", "gral4 > gral", "play:GRAL4"),
        ("isolde", "kampf4 > Lanze", "play:KAMPF4>LANZE"),
        ("isolde", "Bonus König", "bonus:KOENIG"),
        ("isolde", "hello", None),
    ],
)
def test_what_people_type_has_one_canonical_notation(
    game: str, text: str, move: str | None
) -> None:
    assert canonical(game, text) == move


def test_a_players_own_stone_needs_no_sign_in_isis(rng: random.Random) -> None:
    rules = GAMES["isis"]
    match = Match(rules, rules.setup(2, {"starter": "1"}))
    match.state.below, match.state.neutral, match.state.personal = 0, [14], [20, 0]
    assert rules.canonical(match.state, 0, "20 24") == "P20-24"
    assert rules.canonical(match.state, 1, "20 24") == "20-24"
    assert rules.canonical(match.state, 0, "20-24") == "20-24"


# --------------------------------------------------------------------------- shown moves
@pytest.mark.parametrize("players", GAMES["twilight"].info.players)
def test_every_card_of_twilight_is_shown(players: int, rng: random.Random) -> None:
    match, steps = random_steps("twilight", players, rng)
    forced = 0
    for step in steps:
        shown = [move for fact in step.facts if (move := match.game.shown(fact))]
        if step.event.seat == CHANCE:
            assert not shown
            continue
        assert shown[0] == (step.event.seat, step.event.move)
        forced += len(shown) - 1
    assert forced > 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_tile_of_don_quixote_is_shown(players: int, rng: random.Random) -> None:
    match, steps = random_steps("donquixote", players, rng)
    chosen = [(e.seat, e.move) for e in match.log if e.seat != CHANCE]
    shown = [move for step in steps for fact in step.facts if (move := match.game.shown(fact))]
    assert sorted(shown) == sorted(chosen)
    for at in range(0, len(chosen), players):
        assert shown[at : at + players] == sorted(chosen[at : at + players])


@pytest.mark.parametrize("players", GAMES["isolde"].info.players)
def test_the_plays_of_isolde_are_shown(players: int, rng: random.Random) -> None:
    """Facts show each card played from a hand, including those played automatically; sealed choices
    stay hidden.
    """
    match, steps = random_steps("isolde", players, rng)
    for step in steps:
        shown = [move for fact in step.facts if (move := match.game.shown(fact))]
        verb = step.event.move.partition(":")[0]
        if step.event.seat != CHANCE and verb == "play":
            owner = next(f.data["by"] for f in step.facts if f.kind == "played")
            assert owner is None or shown[0] == (step.event.seat, step.event.move)
        assert not any(move.startswith(("keep", "split", "assign")) for _, move in shown)
    told = [fact for step in steps for fact in step.facts]
    for fact in told:
        if fact.kind == "forced":
            assert match.game.shown(fact) == (fact.data["by"], fact.data["move"])


@pytest.mark.parametrize("game", ["lancelot", "isis"])
def test_open_games_show_all_by_their_events(game: str, rng: random.Random) -> None:
    """Without sealed or forced moves, facts need not show moves, and all events are visible."""
    match, steps = random_steps(game, 3, rng)
    assert not any(match.game.shown(fact) for step in steps for fact in step.facts)
    assert all(step.seen == step.event.move for step in steps)


# ------------------------------------------------------------------------------ accounts
@pytest.mark.parametrize(
    ("game", "players", "rounds"),
    [("donquixote", 3, 3), ("isolde", 4, 6), ("twilight", 4, None), ("lancelot", 2, 0)],
)
def test_accounts_close_each_round(
    game: str, players: int, rounds: int | None, rng: random.Random
) -> None:
    match, steps = random_steps(game, players, rng)
    kinds = match.game.info.accounts
    closing = [[f for f in step.facts if f.kind in kinds] for step in steps]
    assert len([facts for facts in closing if facts]) == (
        match.state.round if rounds is None else rounds
    )
    assert all(fact.to is None for facts in closing for fact in facts)
