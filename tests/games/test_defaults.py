"""The contract's defaults for a game that implements only its rules."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from games.absent import ANY, Absent
from games.engine import (
    BadSetup,
    Fact,
    Game,
    GameInfo,
    IllegalMove,
    Match,
    Move,
    Outcome,
    Position,
    View,
)
from tafelrunde.testing.laws import REMEDIES, LawBroken, check_match


@dataclass(slots=True)
class Pile(Position):
    """Counters in a row of piles, and how many each player took in each turn."""

    piles: list[int] = field(default_factory=lambda: [2, 3])
    taken: dict[str, list[int]] = field(default_factory=dict)


class Piles(Game[Pile]):
    """Take any number of counters from one pile; the player who takes the last one wins."""

    info = GameInfo("piles", rules=1, players=(2,), max_branching=5, max_events=5)
    position = Pile

    def actors(self, state: Pile) -> tuple[int, ...]:
        return (state.ply % 2,) if any(state.piles) else ()

    def legal(self, state: Pile, seat: int) -> list[Move]:
        return [f"{n}x{k}" for n, pile in enumerate(state.piles) for k in range(1, pile + 1)]

    def do(self, state: Pile, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        pile, count = map(int, move.split("x"))
        state.piles[pile] -= count
        state.taken.setdefault(str(seat), []).append(count)
        state.ply += 1

    def outcome(self, state: Pile) -> Outcome | None:
        if any(state.piles):
            return None
        winner = (state.ply - 1) % 2
        return Outcome((1 + winner, 2 - winner), (1.0 - winner, 0.0 + winner), "last")


class HidingPiles(Piles):
    """Declares hidden information without defining it."""

    info = GameInfo("hiding", rules=1, players=(2,), hidden=True)


class SealingPiles(Piles):
    """Declares sealed choices without defining who knows them."""

    info = GameInfo("sealing", rules=1, players=(2,), simultaneous=True)


@pytest.mark.seeds(5)
def test_rules_alone_keep_all_laws(seed: int) -> None:
    check_match(Piles(), Piles().setup(2, seed=str(seed)), seed, every=1)


def test_the_default_view_is_the_whole_position() -> None:
    match = Match(Piles(), Piles().setup(2))
    match.play(0, ["1x2"])
    view = match.view(None)
    assert view.public == {"piles": [2, 1], "taken": {"0": [2]}}
    assert (view.game, view.players, view.actors, view.ply, view.phase) == (
        *("piles", 2, (1,), 1),
        "play",
    )
    match.play(1, ["0x2"])
    assert view.public["piles"] == [2, 1]
    again = Piles().determinize(View.from_json(view.to_json()), random.Random(0))
    assert again.piles == [2, 1]
    assert again.piles is not view.public["piles"]


def test_a_clone_shares_nothing() -> None:
    """A clone shares no list, not even one within a dict."""
    one = Pile(2, {}, taken={"0": [1]})
    other = one.clone()
    assert other == one
    other.taken["0"].append(2)
    other.piles.clear()
    assert (one.taken, one.piles) == ({"0": [1]}, [2, 3])


@pytest.mark.parametrize("game", [HidingPiles(), SealingPiles()])
def test_hidden_parts_have_no_default(game: Piles) -> None:
    """A game that forgets to define its secrets must not show everything."""
    state = game.start(game.setup(2))
    with pytest.raises(TypeError, match="must override public"):
        game.view(state, None)
    view = Piles().view(Piles().start(Piles().setup(2)), 0)
    with pytest.raises(TypeError, match="must override determinize"):
        game.determinize(view, random.Random(0))


@pytest.mark.parametrize(
    ("text", "fits"), [("0x1", True), ("0 X 1", True), ("é", False), ("", False)]
)
def test_by_default_a_text_that_cannot_be_a_move_is_refused(text: str, fits: bool) -> None:
    game = Piles()
    state = game.start(game.setup(2))
    if fits:
        game.check_notation(state, 0, text)
    else:
        with pytest.raises(IllegalMove):
            game.check_notation(state, 0, text)


class CountsTwice(Piles):
    def do(self, state: Pile, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        super().do(state, seat, move, fx)
        state.ply += 1


def test_a_broken_law_says_what_to_do_and_how_to_see_it_again() -> None:
    game = CountsTwice()
    with pytest.raises(LawBroken) as broken:
        check_match(game, game.setup(2, seed="7"), 3, every=1)
    told = str(broken.value)
    assert REMEDIES[broken.value.law] in told
    assert "again: check_match(game, game.setup(2, {}, '7'), 3)" in told


def test_nothing_is_played_without_its_game() -> None:
    game = Absent("gone")
    assert game.info.id == "gone"
    for players in ANY:
        with pytest.raises(BadSetup, match="no_game"):
            game.setup(players, {"goal": 7})
    with pytest.raises(BadSetup, match="no_game"):
        game.do(None, 0, "a1")
