"""The conformance checks catch mutants of the toy game, each of which breaks one law."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from games.engine import (
    CHANCE,
    Event,
    Fact,
    GameInfo,
    IllegalMove,
    Match,
    Move,
    Outcome,
    Setup,
    View,
)
from tafelrunde.testing.laws import (
    LawBroken,
    check_match,
    check_secrets_vary,
    fingerprint,
    random_setup,
)
from tafelrunde.testing.odds import check_odds
from tests.games.toys import CARDS, Auction, AuctionState

ROOT = Path(__file__).parents[2]
SEEDS = range(6)
TICKS = itertools.count()
"""Different at each use: a stand-in for clocks and global generators."""


# --------------------------------------------------------------- L1 determinism
class StartsAnyhow(Auction):
    """Starts with a score from a global counter."""

    def start(self, setup: Setup) -> AuctionState:
        state = super().start(setup)
        state.scores[0] = next(TICKS)
        return state


class StartsWithOneState(Auction):
    """Returns the same initial state object for every match with the same seed."""

    only: ClassVar[dict[str, AuctionState]] = {}

    def start(self, setup: Setup) -> AuctionState:
        return self.only.setdefault(setup.seed, super().start(setup))


class ScoresAnyhow(Auction):
    """Awards points from a global counter, so that no two matches score alike."""

    def do(self, state: AuctionState, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        super().do(state, seat, move, fx)
        state.scores[0] += next(TICKS)


class TellsAnyhow(Auction):
    """Reports a fact differently each time."""

    def do(self, state: AuctionState, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        super().do(state, seat, move, fx)
        if fx is not None:
            fx.append(Fact("tick", {"n": next(TICKS)}))


class PlaysForThoseWhoListen(Auction):
    """Plays differently if facts are requested."""

    def do(self, state: AuctionState, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        super().do(state, seat, move, fx)
        state.scores[0] += fx is not None


class DrawsFromElsewhere(Auction):
    """Ignores the generator that it is given."""

    def sample(self, state: AuctionState, rng: random.Random) -> Move:
        return f"deal:{CARDS[next(TICKS) % len(CARDS)]}"


class LooksAnyhow(Auction):
    """Returns a view that differs each time."""

    def public(self, state: AuctionState) -> dict[str, Any]:
        return {**super().public(state), "at": next(TICKS)}


# ------------------------------------------------------------------- L2 closure
class StumblesOverItsOwnMoves(Auction):
    """Cannot play one of its listed moves."""

    def legal(self, state: AuctionState, seat: int) -> list[Move]:
        return [*super().legal(state, seat), "bid:none"][-len(CARDS) :]


class ForgetsToCount(Auction):
    """Does not count the plies of seat 0."""

    def do(self, state: AuctionState, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        super().do(state, seat, move, fx)
        state.ply -= seat == 0


class RandomlyIllegal(Auction):
    """Its ``random_move`` always bids 4, whatever card is held."""

    def random_move(self, state: AuctionState, seat: int, rng: random.Random) -> Move:
        return "bid:4"


# -------------------------------------------------------------- L3 no dead ends
class DeadEnd(Auction):
    """The holder of the lowest card must act, but has no move."""

    def legal(self, state: AuctionState, seat: int) -> list[Move]:
        return [move for move in super().legal(state, seat) if move != "bid:1"]


class NeverSaysItIsOver(Auction):
    """Nobody acts any more, but there is no outcome."""

    def outcome(self, state: AuctionState) -> Outcome | None:
        return None


class ChanceAmongSeats(Auction):
    """Lists CHANCE as an actor together with seats."""

    def actors(self, state: AuctionState) -> tuple[int, ...]:
        acting = super().actors(state)
        return (CHANCE, *acting) if acting and acting != (CHANCE,) else acting


class DescendingActors(Auction):
    """Lists the actors in descending order."""

    def actors(self, state: AuctionState) -> tuple[int, ...]:
        return super().actors(state)[::-1]


# -------------------------------------------------------------------- L4 purity
class ListingTakes(Auction):
    """Listing the moves lowers the seat's card."""

    def legal(self, state: AuctionState, seat: int) -> list[Move]:
        moves = super().legal(state, seat)
        state.hands[seat] = max(1, state.hands[seat] - 1)
        return moves


class LookingTakes(Auction):
    """Viewing the table gives seat 0 a point."""

    def view(self, state: AuctionState, viewer: int | None) -> View:
        view = super().view(state, viewer)
        state.scores[0] += 1
        return view


class RefusalTakes(Auction):
    """A refused move costs a point."""

    def parse(self, state: AuctionState, seat: int, text: str) -> Move:
        try:
            return super().parse(state, seat, text)
        except IllegalMove:
            state.scores[seat] -= 1
            raise


# --------------------------------------------------------------------- L5 clone
@dataclass(slots=True)
class SharingState(AuctionState):
    """Its clone shares the scores."""

    def clone(self) -> SharingState:
        twin = AuctionState.clone(self)
        return SharingState(
            twin.options, self.scores, twin.hands, twin.bids, twin.shown, twin.ply, twin.round
        )


@dataclass(slots=True)
class ForgetfulState(AuctionState):
    """Its clone forgets the bids."""

    def clone(self) -> ForgetfulState:
        twin = AuctionState.clone(self)
        return ForgetfulState(
            twin.options, twin.scores, twin.hands, {}, twin.shown, twin.ply, twin.round
        )


@dataclass(slots=True)
class NoCloneState(AuctionState):
    """Its clone is the original."""

    def clone(self) -> NoCloneState:
        return self


class WithState(Auction):
    """The toy game with another class of states."""

    state_class: ClassVar[type[AuctionState]]

    def start(self, setup: Setup) -> AuctionState:
        return self.state_class(dict(setup.options), [0] * setup.players)

    def determinize(self, view: View, rng: random.Random) -> AuctionState:
        state = super().determinize(view, rng)
        return self.state_class(
            state.options,
            state.scores,
            state.hands,
            state.bids,
            state.shown,
            state.ply,
            state.round,
        )


class SharesScores(WithState):
    state_class = SharingState


class ForgetsBids(WithState):
    state_class = ForgetfulState


class ClonesNothing(WithState):
    state_class = NoCloneState


# ------------------------------------------------------------------ L6 notation
class ListsTwice(Auction):
    """Two moves have the same name."""

    info = replace(Auction.info, max_branching=5)

    def legal(self, state: AuctionState, seat: int) -> list[Move]:
        return [*super().legal(state, seat), "bid:1"]


class ListsInAnyOrder(Auction):
    """Lists moves in a different order each time."""

    def legal(self, state: AuctionState, seat: int) -> list[Move]:
        moves = super().legal(state, seat)
        turn = next(TICKS) % len(moves)
        return moves[turn:] + moves[:turn]


class ListsInOrderOfHashes(Auction):
    """Lists moves in an order that is stable within one process only."""

    def legal(self, state: AuctionState, seat: int) -> list[Move]:
        return list(set(super().legal(state, seat)))


class SpellsOtherwise(Auction):
    """Its canonical notation differs from that of its moves."""

    def canonical(self, state: AuctionState, seat: int, text: str) -> Move | None:
        return text.upper()


class SpellsByTheHand(Auction):
    """Recognises a move only while it is legal."""

    def canonical(self, state: AuctionState, seat: int, text: str) -> Move | None:
        return text if state.hands and text in self.legal(state, seat) else None


class ShowsWhatIsNoMove(Auction):
    """Shows a bid in a notation of its own."""

    def shown(self, fact: Fact) -> tuple[int, Move] | None:
        return (0, f"Bid {fact.data['bids'][0]}") if fact.kind == "sold" else None


class ShowsMovesOfNoSeat(Auction):
    """Shows a bid as made by chance."""

    def shown(self, fact: Fact) -> tuple[int, Move] | None:
        return (CHANCE, "bid:1") if fact.kind == "sold" else None


class WordyMoves(Auction):
    """Uses a notation too long for a button."""

    def legal(self, state: AuctionState, seat: int) -> list[Move]:
        return [move.replace("bid:", "bid:" + "0" * 40) for move in super().legal(state, seat)]


class BlankMoves(Auction):
    def legal(self, state: AuctionState, seat: int) -> list[Move]:
        return [move.replace(":", ": ") for move in super().legal(state, seat)]


class BlankDraws(Auction):
    def chance(self, state: AuctionState) -> list[tuple[Move, float]]:
        return [(move.replace(":", ": "), weight) for move, weight in super().chance(state)]


class AcceptsAnything(Auction):
    """Takes any text for a bid of one."""

    def parse(self, state: AuctionState, seat: int, text: str) -> Move:
        return text if text in self.legal(state, seat) else "bid:1"


class AcceptsIllegalBids(Auction):
    """Accepts bids above the card."""

    def parse(self, state: AuctionState, seat: int, text: str) -> Move:
        return text if text == "bid:4" else super().parse(state, seat, text)


class Misunderstands(Auction):
    """Mistakes a two for a one."""

    def parse(self, state: AuctionState, seat: int, text: str) -> Move:
        return super().parse(state, seat, text).replace("2", "1")


# ----------------------------------------------------------------- L7 commuting
class KnowsOnlyCardsDealt(Auction):
    """Does not recognise a bid on a card that has not been dealt yet."""

    def check_notation(self, state: AuctionState, seat: int, text: str) -> None:
        if text not in [f"bid:{card}" for card in state.hands]:
            raise IllegalMove("no_such_move", text=text)


class FirstComeFirstServed(Auction):
    """The first to bid gets an extra point."""

    def do(self, state: AuctionState, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        if seat != CHANCE and not state.bids:
            state.scores[seat] += 1
        super().do(state, seat, move, fx)


class OpenBids(Auction):
    """Shows the bids at once."""

    def public(self, state: AuctionState) -> dict[str, Any]:
        return {**super().public(state), "bids": [[s, b] for s, b in sorted(state.bids.items())]}

    def determinize(self, view: View, rng: random.Random) -> AuctionState:
        state = super().determinize(view, rng)
        state.bids = dict(view.public["bids"])
        return state


# --------------------------------------------------------------------- L8 views
class ViewOfTuples(Auction):
    """Returns data that JSON changes."""

    def public(self, state: AuctionState) -> dict[str, Any]:
        return {**super().public(state), "scores": tuple(state.scores)}


class ViewOfNumberedKeys(Auction):
    """Uses keys that JSON turns into strings."""

    def public(self, state: AuctionState) -> dict[str, Any]:
        return {**super().public(state), "by_seat": dict(enumerate(state.scores))}


class ViewOfSets(Auction):
    """Returns data that JSON cannot encode."""

    def public(self, state: AuctionState) -> dict[str, Any]:
        return {**super().public(state), "committed": set(state.bids)}


class SpectatorWithSecrets(Auction):
    """Gives spectators a private part."""

    def view(self, state: AuctionState, viewer: int | None) -> View:
        view = super().view(state, viewer)
        return view if viewer is not None else replace(view, private={"hands": state.hands[:]})


class PublicForSome(Auction):
    """Shows seat 0 a different public part."""

    def view(self, state: AuctionState, viewer: int | None) -> View:
        view = super().view(state, viewer)
        return replace(view, public={**view.public, "you": viewer == 0})


class ViewOfAnotherPly(Auction):
    def view(self, state: AuctionState, viewer: int | None) -> View:
        return replace(super().view(state, viewer), ply=state.ply + 1)

    def determinize(self, view: View, rng: random.Random) -> AuctionState:
        return super().determinize(replace(view, ply=view.ply - 1), rng)


class UsesViewsUp(Auction):
    """Consumes data from the view."""

    def determinize(self, view: View, rng: random.Random) -> AuctionState:
        state = super().determinize(view, rng)
        view.public["scores"].pop()
        return state


# ------------------------------------------------------------------- L9 no leak
class HandsInPrivate(Auction):
    """Shows every seat all cards, and uses them when sampling."""

    def private(self, state: AuctionState, viewer: int) -> dict[str, Any]:
        return {**super().private(state, viewer), "all": state.hands[:]}

    def determinize(self, view: View, rng: random.Random) -> AuctionState:
        state = super().determinize(view, rng)
        if "all" in view.private:
            state.hands = list(view.private["all"])
        return state


class HandsInPublic(Auction):
    """Shows all cards to everyone, but samples different ones."""

    def public(self, state: AuctionState) -> dict[str, Any]:
        return {**super().public(state), "hands": state.hands[:]}


class Cheats(Auction):
    """Samples the real world, remembered outside the view."""

    real: ClassVar[list[AuctionState]] = []

    def view(self, state: AuctionState, viewer: int | None) -> View:
        self.real[:] = [state.clone()]
        return super().view(state, viewer)

    def determinize(self, view: View, rng: random.Random) -> AuctionState:
        return self.real[0].clone()


class SamplesBadly(Auction):
    """Samples worlds in which everyone holds the lowest card."""

    def determinize(self, view: View, rng: random.Random) -> AuctionState:
        state = super().determinize(view, rng)
        state.hands = [1 for _ in state.hands]
        return state


class SamplesWithoutBids(Auction):
    """Samples worlds in which the other seats' bids are missing and still to be made."""

    def determinize(self, view: View, rng: random.Random) -> AuctionState:
        state = super().determinize(view, rng)
        state.bids = {seat: bid for seat, bid in state.bids.items() if seat == view.viewer}
        return state


class ImaginesOneWorld(Auction):
    """Uses its own generator, so that each view has only one world."""

    def determinize(self, view: View, rng: random.Random) -> AuctionState:
        return super().determinize(view, random.Random(5))


class ExpectsHighCards(Auction):
    """Samples two worlds and takes the one with the higher cards."""

    def determinize(self, view: View, rng: random.Random) -> AuctionState:
        one, other = super().determinize(view, rng), super().determinize(view, rng)
        return max(one, other, key=lambda state: state.hands)


class CountsBidsAsWorlds(Auction):
    """Treats all pairs of card and bid as equally likely, so high cards occur too often."""

    def determinize(self, view: View, rng: random.Random) -> AuctionState:
        while True:
            state = super().determinize(view, rng)
            for seat in set(state.bids) - {view.viewer}:
                state.bids[seat] = rng.choice(CARDS)
            if all(bid <= state.hands[seat] for seat, bid in state.bids.items()):
                return state


class ForgetsACard(Auction):
    """Never samples the lowest card, although it is possible."""

    def determinize(self, view: View, rng: random.Random) -> AuctionState:
        while True:
            state = super().determinize(view, rng)
            if all(card > 1 for n, card in enumerate(state.hands) if n != view.viewer):
                return state


class MovesThatTell(Auction):
    """Lists the moves in an order that reveals the other seat's card."""

    def legal(self, state: AuctionState, seat: int) -> list[Move]:
        moves = super().legal(state, seat)
        return moves[::-1] if state.hands[seat - 1] > 2 else moves


# ---------------------------------------------------------------- L10 redaction
class ShowsDeals(Auction):
    def observed(self, state: AuctionState, event: Event, viewer: int | None) -> Move | None:
        return event.move


class TellsBids(Auction):
    """Its facts reveal sealed bids."""

    def do(self, state: AuctionState, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        super().do(state, seat, move, fx)
        if fx is not None and seat != CHANCE:
            fx.append(Fact("bids", {"move": move}))


# -------------------------------------------------------------- L11 termination
class Endless(Auction):
    """Never reaches the last round."""

    def score(self, state: AuctionState, facts: list[Fact]) -> None:
        super().score(state, facts)
        state.round = 1


# ------------------------------------------------------------------ L12 outcome
class RanksBackwards(Auction):
    """Has a last rank, but no first."""

    def outcome(self, state: AuctionState) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, ranks=tuple(rank + 1 for rank in outcome.ranks))


class ForgetsASeat(Auction):
    """Scores all seats except the last."""

    def outcome(self, state: AuctionState) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, scores=outcome.scores[:-1])


class RanksTooFar(Auction):
    """Assigns ranks that no seat can have."""

    def outcome(self, state: AuctionState) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, ranks=tuple(7 * rank - 6 for rank in outcome.ranks))


# ------------------------------------------------------------------------- info
class ClaimsNoChance(Auction):
    """Declares that nothing is drawn."""

    info: ClassVar[GameInfo] = replace(Auction.info, chance="none")


class ClaimsTurns(Auction):
    """Declares that one seat acts at a time."""

    info: ClassVar[GameInfo] = replace(Auction.info, simultaneous=False)


class ClaimsFewMoves(Auction):
    """Declares at most two moves."""

    info: ClassVar[GameInfo] = replace(Auction.info, max_branching=2)


class DrawsTheUnlisted(Auction):
    """Draws values that its table does not list."""

    def chance(self, state: AuctionState) -> list[tuple[Move, float]]:
        return super().chance(state)[:-1]

    def sample(self, state: AuctionState, rng: random.Random) -> Move:
        return "deal:4"


class ClaimsNoSecrets(Auction):
    """Declares that only sealed choices are hidden."""

    info: ClassVar[GameInfo] = replace(Auction.info, hidden=False)


MUTANTS: Mapping[str, Sequence[type[Auction]]] = {
    "L1": (
        StartsAnyhow,
        StartsWithOneState,
        ScoresAnyhow,
        TellsAnyhow,
        PlaysForThoseWhoListen,
        DrawsFromElsewhere,
        LooksAnyhow,
    ),
    "L2": (StumblesOverItsOwnMoves, ForgetsToCount, RandomlyIllegal),
    "L3": (DeadEnd, NeverSaysItIsOver, ChanceAmongSeats, DescendingActors),
    "L4": (ListingTakes, LookingTakes, RefusalTakes),
    "L5": (SharesScores, ForgetsBids, ClonesNothing),
    "L6": (
        ListsTwice,
        ListsInAnyOrder,
        SpellsOtherwise,
        SpellsByTheHand,
        ShowsWhatIsNoMove,
        ShowsMovesOfNoSeat,
        WordyMoves,
        BlankMoves,
        BlankDraws,
        AcceptsAnything,
        AcceptsIllegalBids,
        Misunderstands,
        KnowsOnlyCardsDealt,
    ),
    "L7": (FirstComeFirstServed, OpenBids),
    "L8": (
        ViewOfTuples,
        ViewOfNumberedKeys,
        ViewOfSets,
        SpectatorWithSecrets,
        PublicForSome,
        ViewOfAnotherPly,
        UsesViewsUp,
        ClaimsNoSecrets,
    ),
    "L9": (
        HandsInPrivate,
        HandsInPublic,
        Cheats,
        SamplesBadly,
        SamplesWithoutBids,
        ImaginesOneWorld,
        ExpectsHighCards,
        CountsBidsAsWorlds,
        ForgetsACard,
        MovesThatTell,
    ),
    "L10": (ShowsDeals, TellsBids),
    "L11": (Endless,),
    "L12": (RanksBackwards, ForgetsASeat, RanksTooFar),
    "info": (ClaimsNoChance, ClaimsTurns, ClaimsFewMoves, DrawsTheUnlisted),
}


def check_all(game: Auction) -> None:
    """Run all checks on a handful of matches."""
    for seed in SEEDS:
        for players in game.info.players:
            check_match(game, random_setup(game, players, random.Random(seed)), seed, every=1)
    for players in game.info.players:
        setups = [game.setup(players, seed=str(seed)) for seed in range(20)]
        check_secrets_vary(game, setups, seed=1)
        check_odds(game, setups[0], viewer=0, seed=1)
        check_odds(game, setups[0], viewer=1, seed=1)


@pytest.mark.full
def test_the_correct_toy_passes() -> None:
    check_all(Auction())


@pytest.mark.parametrize(
    ("law", "mutant"),
    [(law, mutant) for law, mutants in MUTANTS.items() for mutant in mutants],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_each_mutant_is_caught_by_its_law(law: str, mutant: type[Auction]) -> None:
    with pytest.raises(LawBroken) as caught:
        check_all(mutant())
    assert caught.value.law == law, str(caught.value)


@pytest.mark.full
def test_order_of_hashes_is_caught_by_another_process() -> None:
    code = (
        "from tafelrunde.testing.laws import fingerprint\n"
        "from tests.games.test_conformance_bites import ListsInOrderOfHashes\n"
        "print(fingerprint(ListsInOrderOfHashes()))"
    )
    own = fingerprint(ListsInOrderOfHashes())

    def printed(seed: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout.strip()

    assert any(printed(seed) != own for seed in ("1", "2"))  # this process may have one of them


def test_the_fingerprint_of_the_correct_toy_is_stable() -> None:
    assert fingerprint(Auction()) == fingerprint(Auction())
    assert fingerprint(Auction()) != fingerprint(Auction(), seed=1)


def test_the_log_of_the_toy_proves_itself() -> None:
    """``Match`` accepts the first deals as the draws of their seed."""
    game = Auction()
    match = Match(game, game.setup(2, seed="s"))
    match.advance()
    assert Match.replay(game, match.setup, match.log, verify=True).state == match.state
