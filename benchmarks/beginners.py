"""Simple scripts: they count what a beginner would count, and look one or two plies ahead.

A script plays the move with the highest count: right after the move, or after the best reply of the
next player, who counts the same way. It imagines a single position that is consistent with what it
knows. No computer player uses these counts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from games.engine import CHANCE, Game, Match, Move
from games.house import NOBODY
from games.isolde.cards import CARD, VALUE, Card
from games.isolde.draft import DraftCard
from games.isolde.rounds import totals
from games.players import policy_for
from games.twilight.cards import CARDS, MOON, RANK
from games.twilight.position import OVER

SCRIPTS: Final = {"script1": 1, "script2": 2}
"""How many plies each script looks ahead."""

WON: Final = 1000.0
"""The score of a won match, above any other count."""

SANCTUARY: Final = 5.0
"""Twilight: how many souls each point of a sanctuary's factor is worth."""

Count = Callable[[Any, int], float]
"""Counts what a seat has in a position, in the game's own units."""


# ------------------------------------------------------------------ what beginners count
def _lancelot(state: Any, seat: int) -> float:
    """Return the stones taken, less those taken by the best opponent."""
    taken = state.captured
    return float(taken[seat] - max(taken[:seat] + taken[seat + 1 :]))


def _isis(state: Any, seat: int) -> float:
    """Return how far the seat's own stone has come, less the best opponent's progress."""
    return _way(state, seat) - max(
        _way(state, other) for other in range(state.players) if other != seat
    )


def _way(state: Any, seat: int) -> float:
    """Return the number of the square of the seat's own stone, plus one if the seat has turned a
    stone over.
    """
    return float(state.turned[seat] + max(0, state.personal[seat]))


def _twilight(state: Any, seat: int) -> float:
    """Return the souls and sanctuaries of the seat's side less the other side's; an incomplete
    trick counts for the side that is winning it. After the deal, return the difference in points.
    """
    if not state.piles[0] and not state.piles[1] and not state.table and state.accounts:
        deal = state.accounts[-1]
        return float(_side(state, seat) * (deal.moon.points - deal.sun.points))
    piles = [list(pile) for pile in state.piles]
    if state.table:
        best = max(range(len(state.table)), key=lambda n: RANK[state.table[n]])
        piles[(state.lead + best) % 2] += [*state.table, *state.pending]
    moon, sun = (
        sum(
            CARDS[card].souls + SANCTUARY * CARDS[card].factor * (CARDS[card].cult == cult)
            for card in pile
        )
        for cult, pile in enumerate(piles)
    )
    return _side(state, seat) * (moon - sun)


def _side(state: Any, seat: int) -> int:
    lone = state.seating.lone
    is_moon = seat % 2 == MOON if lone == NOBODY else seat == lone
    return 1 if is_moon else -1


def _donquixote(state: Any, seat: int) -> float:
    """Return the points so far, plus those that a scoring would give now."""
    if not state.actors or state.phase == OVER:
        return float(state.total(seat))
    return float(state.total(seat) + sum(state.lands[seat].score(state.round)))


def _isolde(state: Any, seat: int) -> float:
    """Return the lead that the seat would have over the best opponent if the cards kept or chosen
    in the draft moved their pieces and all boards that award points were scored now; each field
    also counts a little.
    """
    world = state.clone()
    for colour, cards in _taken(state):
        for card in cards:
            world.move_piece(world.rules.routes[card][0], colour, VALUE[card])
    if world.agenda:
        for board in world.rules.boards:
            if board.scores:
                board.score(world, None)
    points = [0.0] * world.rules.players
    for colour, owner in enumerate(world.rules.seating.owners):
        if owner is not None:
            fields = sum(row[colour] for row in world.positions)
            points[owner] += totals(world)[colour] + fields / 10
    return points[seat] - max(points[:seat] + points[seat + 1 :])


def _taken(state: Any) -> Iterator[tuple[int, Sequence[Card]]]:
    """During the draft, yield each colour with the cards it has kept or chosen."""
    if not state.agenda or state.agenda[-1].step != DraftCard.name:
        return
    yield from enumerate(state.kept)
    for seat, move in enumerate(state.sealed):
        if move is not None:
            yield seat, [CARD[move.partition(":")[2]]]


COUNTS: Final[Mapping[str, Count]] = {
    "donquixote": _donquixote,
    "isis": _isis,
    "isolde": _isolde,
    "lancelot": _lancelot,
    "twilight": _twilight,
}


# --------------------------------------------------------------------------- the scripts
def by_script(plies: int) -> Callable[[Match[Any], int, random.Random], Move]:
    def choose(match: Match[Any], seat: int, rng: random.Random) -> Move:
        view = policy_for(match.game).view(match.view(seat))  # Don Quixote: the seat's board
        world = match.game.determinize(view, rng)
        return rng.choice(best_moves(match.game, world, view.viewer or 0, plies, rng))

    return choose


def best_moves(
    game: Game[Any], state: Any, seat: int, plies: int, rng: random.Random
) -> list[Move]:
    worths = {}
    for move in game.legal(state, seat):
        after = _played(game, state, seat, move)
        worths[move] = _answered(game, after, seat, rng) if plies > 1 else _count(game, after, seat)
    most = max(worths.values())
    return [move for move, worth in worths.items() if worth == most]


def _played(game: Game[Any], state: Any, seat: int, move: Move) -> Any:
    after = state.clone()
    game.do(after, seat, move)
    return after


def _answered(game: Game[Any], state: Any, seat: int, rng: random.Random) -> float:
    """Return a seat's count after the reply that gives the next player the highest count."""
    round_ = state.round
    while game.actors(state) == (CHANCE,) and state.round == round_:
        game.do(state, CHANCE, game.sample(state, rng))
    if not (actors := game.actors(state)) or actors[0] == CHANCE:
        return _count(game, state, seat)
    other = actors[0]
    answers = (_played(game, state, other, move) for move in game.legal(state, other))
    return max((_count(game, then, other), _count(game, then, seat)) for then in answers)[1]


def _count(game: Game[Any], state: Any, seat: int) -> float:
    outcome = game.outcome(state)
    if outcome is not None and game.info.id in {"isis", "lancelot"}:
        return WON * game.utility(outcome)[seat]
    return COUNTS[game.info.id](state, seat)
