"""Decides whether a move was the best one: yes, no, or undecided.

A result that is proven, or comes from a complete search, decides by itself. Otherwise the move and
the most promising others are compared in the same worlds (``games.players.comparison``) until the
answer is clear, or the maximum number of playouts is reached.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from games.engine import CHANCE, Game, Move, View
from games.players import policy_for
from games.players.advice import Advice, Budget, Proof, Ranked, Stop
from games.players.comparison import Comparison
from games.players.search import Search
from play.judgement import CLOSE, JUDGED, WORTH_SAYING, Scale, scatter

RIVALS: Final = 5
"""How many other moves a move is compared with."""

BATCH: Final = 24
"""In how many worlds moves are played out between two looks at the results."""

ERRORS: Final = 2.75
"""A difference counts if it is at least this many standard errors. A single look would need fewer,
but the comparison looks repeatedly and ends at the first clear result.
"""

PRICED: Final = 2
"""How many alternatives are compared with a move that may have lost a lot."""

LIMIT: Final = 1.5 * CLOSE
"""A move was not the best one if another is certainly better by at least this much; it was good
enough if no other one can be that much better. Otherwise the question stays open. Both answers use
the same limit, so that different seeds hardly ever give opposite answers.
"""


@dataclass(frozen=True, slots=True)
class Weighed:
    """The result of weighing a move.

    :param best: the best move: the weighed move itself, unless another one was found to be
        noticeably better.
    :param lost: how much the weighed move loses, as ``Scale.gap`` measures it; less than ``CLOSE``
        if it counts as the best.
    :param sure: whether it is clear that the weighed move is good enough, or which other one is
        better.
    :param moves: all moves that were considered, the best first.
    :param most: the most by which another move may be better.
    """

    best: Move
    lost: float
    sure: bool
    moves: tuple[Ranked, ...]
    most: float = 0.0


def weighed(
    game: Game[Any], view: View, move: Move, advice: Advice, rng: random.Random, playouts: int
) -> Weighed:
    """Weigh a move of ``view.viewer`` against the others.

    :param advice: the result of a search from this view.
    :param playouts: the maximum number of playouts, except that one batch is always played.
    """
    scale, best = Scale(game.info.id), advice.moves[0]
    comparison = Comparison(policy_for(game), view, rng)
    known = next((ranked for ranked in advice.moves if ranked.move == move), None)
    rivals = [each.move for each in advice.moves if each.move != move and each.proof is None]
    rivals = rivals[:RIVALS]
    if best.proof is not None or advice.stop is Stop.SOLVED:
        (own,) = (known,) if known else comparison.compare([move], BATCH)
        lost = 0.0 if own.proof is best.proof is Proof.WIN else scale.gap(best, own)
        moves = advice.moves if known else (*advice.moves, own)
        return _answer(best.move, move, lost, True, moves)
    if known is not None and known.proof is Proof.LOSS:
        among = _compared(comparison, scale, rivals[0], rivals[1:], playouts)
        lost = scale.gap(among.moves[0], known)
        return _answer(among.best, move, lost, among.sure, (*among.moves, *_proven(advice)))
    found = _compared(comparison, scale, move, rivals, playouts)
    return replace(found, moves=(*found.moves, *_proven(advice)))


def followed(
    game: Game[Any], view: View, ranked: Ranked, rng: random.Random, iterations: int
) -> Ranked:
    """In a game where everything is open, search the position after a move, and return the move
    with what this shows about it. Forced moves are made first.
    """
    seat, state = view.viewer or 0, game.determinize(view, rng)
    moves = [ranked.move]
    while len(moves) == 1 and (actors := game.actors(state)):
        game.do(state, actors[0], moves[0])
        actors = game.actors(state)
        moves = game.legal(state, actors[0]) if actors and actors[0] != CHANCE else []
    outcome = game.outcome(state)
    if outcome is not None:
        return _known(ranked, game.utility(outcome)[seat], game.utility(outcome)[seat])
    if not moves:
        return ranked
    searching = Search(policy_for(game), game.view(state, actors[0]), rng)
    best, bounds = searching.run(Budget(iterations)).moves[0], searching.root.bounds
    own = actors[0] == seat
    if own or view.players == 2:
        ranked = replace(ranked, value=best.value if own else -best.value)
    if bounds is not None:
        return _known(ranked, bounds.low[seat], bounds.high[seat])
    if best.proof is Proof.WIN:  # a move there wins at once
        return _known(ranked, *((1.0, 1.0) if own else (-1.0, -1.0)))
    return ranked


def _known(ranked: Ranked, low: float, high: float) -> Ranked:
    """Return a move with what is proven about it.

    :param low: its lowest possible value.
    :param high: its highest possible value.
    """
    proof = Proof.WIN if low == 1 else Proof.LOSS if high < 0 else None
    return replace(ranked, value=min(max(ranked.value, low), high), proof=proof)


def verified(
    game: Game[Any], view: View, move: Move, found: Weighed, rng: random.Random, iterations: int
) -> tuple[Weighed, Loss]:
    """Check a large loss if another move is proven to win, or this one to lose: the same may be
    true of a move without a proof, because longer proofs take longer to find. So the positions
    after such moves are searched.

    A loss is clear only if the plain difference in value is large, because near certainty
    ``Scale.gap`` is large even if the chances hardly differ.
    """
    scale = Scale(game.info.id)
    best, *others = found.moves
    own = next(each for each in found.moves if each.move == move)
    if best.proof is Proof.WIN:
        own = followed(game, view, own, rng, iterations)
        others = [own, *(each for each in others if each.move != move)]
    else:
        others = [each for each in found.moves if each.move != move]
        tried = [followed(game, view, each, rng, iterations) for each in others[:PRICED]]
        tried.sort(key=lambda each: each.proof is Proof.LOSS)
        best, *others = *tried, *others[PRICED:], own
    lost = scale.gap(best, own)
    sure = best.proof is not Proof.LOSS or all(each.proof is Proof.LOSS for each in others)
    told = Weighed(move if lost < CLOSE else best.move, lost, sure, (best, *others), lost)
    if best.value - own.value >= WORTH_SAYING:
        return told, Loss.CLEAR
    return told, Loss.UNCLEAR if lost >= WORTH_SAYING else Loss.NONE


def doubted(game_id: str, advice: Advice, move: Move, rival: Move | None = None) -> bool:
    """Return whether a search clearly contradicts a comparison. A comparison chooses further moves
    at a glance, so it may misjudge a move that needs a plan.

    :param move: the move that the comparison found best.
    :param rival: the move that the search has to prefer, by any margin; None: any move, by more
        than a little.
    """
    own = next((each for each in advice.moves if each.move == move), None)
    if own is None or own.proof is not None or advice.stop is Stop.SOLVED:
        return False
    rivals = [each for each in advice.moves if each.visits >= JUDGED and rival in (None, each.move)]
    best = max(rivals, key=lambda each: each.value, default=own)
    gap = Scale(game_id).gap(best, own) - ERRORS * scatter(advice, own)
    return gap >= LIMIT if rival is None else gap > 0


def settled(advice: Advice, move: Move) -> bool:
    """Return whether advice settles the question about a move without a comparison: the search was
    complete, or the result of the move or of the best move is proven.
    """
    known = advice.moves[0], *(each for each in advice.moves if each.move == move)
    return advice.stop is Stop.SOLVED or any(each.proof is not None for each in known)


class Loss(StrEnum):
    """Whether a move lost a lot: yes, no, or undecided."""

    CLEAR = "clear"
    NONE = "none"
    UNCLEAR = "unclear"


def priced(
    game: Game[Any],
    view: View,
    move: Move,
    rivals: Sequence[Move],
    rng: random.Random,
    playouts: int,
) -> tuple[Weighed, Loss]:
    """Return how much better the best alternative is than the move played, and whether that is a
    lot: at least ``WORTH_SAYING``, even allowing for chance in the comparison.

    The moves are compared in new worlds, because luck may have favoured the rivals in the worlds in
    which they were found.
    """
    scale, comparison = Scale(game.info.id), Comparison(policy_for(game), view, rng)
    moves = [move, *rivals]
    ranked = comparison.compare(moves, max(BATCH, playouts // len(moves)))
    played = next(each for each in ranked if each.move == move)
    rival = next(each for each in ranked if each.move != move)
    best, other = sorted((rival, played), key=lambda each: -each.value)
    gap, error = _gap(comparison, scale, best, other)
    gap = gap if best is rival else -gap
    loss = Loss.UNCLEAR
    if gap - error >= WORTH_SAYING:
        loss = Loss.CLEAR
    elif gap + error < WORTH_SAYING:
        loss = Loss.NONE
    chosen = rival.move if gap >= CLOSE else move
    return Weighed(chosen, max(0.0, gap), True, ranked, gap + error), loss


def _answer(best: Move, move: Move, lost: float, sure: bool, moves: tuple[Ranked, ...]) -> Weighed:
    return Weighed(move if lost < CLOSE else best, lost, sure, moves, lost)


def _proven(advice: Advice) -> tuple[Ranked, ...]:
    return tuple(ranked for ranked in advice.moves if ranked.proof is not None)


def _compared(
    comparison: Comparison[Any], scale: Scale, move: Move, rivals: Sequence[Move], playouts: int
) -> Weighed:
    """Compare a move with others, dropping those that are clearly behind."""
    moves, dropped = [move, *rivals], list[Ranked]()
    while True:
        ranked = comparison.compare(moves, BATCH)
        playouts -= BATCH * len(moves)
        best, *others = ranked
        gaps = {each.move: _gap(comparison, scale, best, each) for each in others}
        behind = [m for m, (gap, error) in gaps.items() if m != move and gap >= error]
        moves = [m for m in moves if m not in behind]
        dropped += [each for each in others if each.move in behind]
        best_move, lost, sure = _told(best.move, move, gaps, moves)
        if sure or playouts < BATCH * len(moves):
            kept = (each for each in ranked if each.move in moves)
            dropped.sort(key=lambda each: -each.value)
            return Weighed(best_move, lost, sure, (*kept, *dropped), _most(move, gaps, moves))


def _gap(
    comparison: Comparison[Any], scale: Scale, best: Ranked, other: Ranked
) -> tuple[float, float]:
    """Return how much better a move is than another one, and how far this figure may be off."""
    gap, difference = scale.gap(best, other), best.value - other.value
    stretch = gap / difference if difference > 0 else 1.0
    return gap, ERRORS * stretch * comparison.error(best.move, other.move)


def _most(move: Move, gaps: dict[Move, tuple[float, float]], left: Sequence[Move]) -> float:
    """Return the most by which another move may be better; parameters as for ``_told``."""
    if move in gaps:
        return sum(gaps[move])
    doubts = (error - gap for other, (gap, error) in gaps.items() if other in left)
    return max(doubts, default=0.0)


def _told(
    best: Move, move: Move, gaps: dict[Move, tuple[float, float]], left: Sequence[Move]
) -> tuple[Move, float, bool]:
    """Return the fields ``best``, ``lost`` and ``sure`` of ``Weighed`` for a move.

    :param gaps: the difference between the best move and each other one, with its possible error.
    :param left: the moves that are not clearly behind.
    """
    rivals = [gaps[other] for other in left if other not in (best, move)]
    if best == move:
        return move, 0.0, all(error - gap < LIMIT for gap, error in rivals)
    gap, error = gaps[move]
    if gap - error >= LIMIT:
        return best, gap, not rivals
    return move, 0.0, gap + error < LIMIT
