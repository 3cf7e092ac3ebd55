"""Proves by exhaustive search that a position has exactly one solution.

* **Lancelot, Isis**, two players: exactly one move wins at once; or no move does, and exactly one
  allows a win with the next move, whatever the other player does in between.
* **Twilight**, the last tricks of a deal, and **Die Holde Isolde**, the last cards of the match:
  two sides play for the lead in points. In Isolde with more than two players, all others form one
  side, and the lead is counted over the best of them. Exactly one move leads to the best result
  against the best play of the other side, as if all hands were open. In Twilight, all positions
  that agree with the seat's knowledge are listed; if the same move is the only best one in each of
  them, hands stay hidden. Otherwise the riddle shows all hands, as it always does in Isolde.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from typing import Any, Final

from games import GAMES
from games.engine import CHANCE, Game, Match, Move
from games.house import NOBODY
from games.players import Budget, policy_for, search, search_untaught
from games.twilight import TwilightState
from games.twilight.cards import CARDS, in_order
from play.riddles.riddle import Riddle, Task, event_of, text_of

SIZE: Final = 40_000
"""The maximum number of positions to examine, over all worlds together."""

WORLDS: Final = 40
"""If more positions than this agree with a view, the riddle shows all hands."""

CHOICES: Final = 5
"""The minimum number of moves to choose from. With fewer, people could guess the solution."""

MEDIUM: Final = 1
HARD: Final = 3
"""If at least ``MEDIUM`` moves look better than the solution, a riddle is medium; if at least
``HARD`` do, it is hard.
"""

THOUGHTS: Final = 6
"""How many short searches look for a winning move."""

IN_TRICKS: Final = 20
"""Iterations of the short search that ranks the moves of Twilight."""

EASY: Final = 5
FOUND: Final = 2
"""If at least ``EASY`` of the ``THOUGHTS`` searches find the solution, a riddle is easy; if at
least ``FOUND`` do, it is medium.
"""

SHORT: Final = {"isis": (search, 25), "lancelot": (search_untaught, 100)}
"""By game: the short search that looks for a winning move, and its iterations."""

Worth = Callable[[Any, int], int]


class Unproven(Exception):  # noqa: N818 - named after the problem
    """Nothing can be proven: the possible continuations are too many to check, or unknown, or the
    proof does not apply here.
    """


def riddle_at(match: Match[Any]) -> Riddle | None:
    """Return the riddle in a position; None if there is none."""
    (seat, *others), game = match.actors, match.game
    if others or seat == CHANCE or len(game.legal(match.state, seat)) < CHOICES:
        return None
    try:
        proven = PROOFS[game.info.id](game, match.state, seat)
    except Unproven:
        return None
    if proven is None:
        return None
    task, shown, line, gain = proven
    riddle = Riddle(
        game.info.id,
        match.setup.players,
        match.setup.options,
        tuple(map(text_of, match.log)),
        seat,
        task,
        shown,
        line,
        stars_of(match, task, event_of(line[0]).move),
        gain,
    )
    return riddle if riddle.reasons() else None


Proven = tuple[Task, bool, tuple[str, ...], int]
"""The task, whether all hands are shown, the line of moves, and the solution's lead over the other
moves.
"""


def stars_of(match: Match[Any], task: Task, solution: Move) -> int:
    """Return how hard a riddle is: for a win, by how many short searches find it; for points, by
    how many moves look better at first sight.
    """
    game, (seat,) = match.game, match.actors
    if game.info.id == "twilight":  # a card shows no gain before the trick is complete
        advice = search_untaught(
            game, match.view(seat), random.Random(match.view(seat).to_json()), Budget(IN_TRICKS)
        )
        better = [ranked.move for ranked in advice.moves].index(solution)
        return 1 + (better >= MEDIUM) + (better >= HARD)
    if task is Task.MOST:
        policy = policy_for(game)
        seems = {
            move: policy.glance(match.state, seat, move) for move in game.legal(match.state, seat)
        }
        better = sum(seeming > seems[solution] for seeming in seems.values())
        return 1 + (better >= MEDIUM) + (better >= HARD)
    think, iterations = SHORT[game.info.id]
    view, budget = match.view(seat), Budget(iterations)
    found = sum(
        think(game, view, random.Random(number), budget).best == solution
        for number in range(THOUGHTS)
    )
    return 1 + (found < EASY) + (found < FOUND)


# -------------------------------------------------------------------- all lies open
def proven_win(game: Game[Any], state: Any, seat: int) -> Proven | None:
    """In a match of two, return the only move that wins at once or with the next move; None if
    there is no such move, or more than one.

    :raises Unproven: there are more players.
    """
    if game.view(state, None).players != 2:
        raise Unproven
    after = {move: _after(game, state, seat, move) for move in game.legal(state, seat)}
    wins = [move for move, then in after.items() if _has_won(game, then, seat)]
    if len(wins) == 1:
        return Task.ONE, False, (f"{seat} {wins[0]}",), 0
    if wins:
        return None
    forced = [move for move, then in after.items() if _is_forced(game, then, seat)]
    if len(forced) != 1:
        return None
    return Task.TWO, False, (f"{seat} {forced[0]}", *_defence(game, after[forced[0]], seat)), 0


def _after(game: Game[Any], state: Any, seat: int, move: Move) -> Any:
    after = state.clone()
    game.do(after, seat, move)
    return after


def _has_won(game: Game[Any], state: Any, seat: int) -> bool:
    outcome = game.outcome(state)
    return outcome is not None and game.utility(outcome)[seat] == 1


def _wins(game: Game[Any], state: Any, seat: int) -> list[Move]:
    moves = game.legal(state, seat)
    return [move for move in moves if _has_won(game, _after(game, state, seat, move), seat)]


def _can_win(game: Game[Any], state: Any, seat: int) -> bool:
    if game.actors(state) != (seat,):
        return False
    moves = game.legal(state, seat)
    return any(_has_won(game, _after(game, state, seat, move), seat) for move in moves)


def _is_forced(game: Game[Any], state: Any, seat: int) -> bool:
    """Return whether each reply to a move lets the seat win."""
    return (
        bool(actors := game.actors(state))
        and actors != (seat,)
        and all(
            _can_win(game, _after(game, state, actors[0], reply), seat)
            for reply in game.legal(state, actors[0])
        )
    )


def _defence(game: Game[Any], state: Any, seat: int) -> tuple[str, str]:
    """Return the reply that leaves the seat the fewest winning moves, and the first of those
    moves.
    """
    (other,) = game.actors(state)
    replies = {
        reply: _wins(game, _after(game, state, other, reply), seat)
        for reply in game.legal(state, other)
    }
    reply = min(replies, key=lambda each: len(replies[each]))
    return f"{other} {reply}", f"{seat} {replies[reply][0]}"


# --------------------------------------------------------------------- two sides, points
def twilight_lead(state: TwilightState, seat: int) -> int:
    """Return by how many points the seat's cult has won the finished deal.

    :raises Unproven: the match is over too, so the points of the deal do not decide.
    """
    if state.phase == "over":
        raise Unproven
    lone, moon, sun = state.accounts[-1]
    is_moon = seat == lone if lone != NOBODY else seat % 2 == 0
    lead: int = moon.points - sun.points
    return lead if is_moon else -lead


TALLY: Final = {
    card.name: card.souls + (card.factor << (10 * (1 + card.cult))) for card in CARDS.values()
}
"""For each card: its souls and its factor, packed into one number, with separate bits for
sanctuaries of the Moon and of the Sun.
"""


def twilight_key(state: TwilightState) -> Hashable:
    """Return everything that the rest of a deal depends on; that does not include the order in
    which cards were taken.
    """
    taken = [sum(map(TALLY.__getitem__, cards)) for cards in (state.pending, *state.piles)]
    hands = tuple(map(tuple, state.hands))
    return hands, tuple(state.table), state.lead, state.turn, state.ordered, *taken


def isolde_lead(state: Any, seat: int) -> int:
    """Return by how many points the seat is ahead of the best of the others at the end.

    :raises Unproven: the match is not over.
    """
    outcome = GAMES["isolde"].outcome(state)
    if outcome is None:
        raise Unproven
    scores = outcome.scores
    return int(scores[seat] - max(scores[:seat] + scores[seat + 1 :]))


class Remains:
    """Searches all continuations of some worlds for two sides, one of which wins what the other
    loses.

    :param worth: returns the lead of a seat's side once the round is over.
    """

    def __init__(self, game: Game[Any], worth: Worth, seat: int, players: int) -> None:
        self._game = game
        self._worth = worth
        self._seat = seat
        self._players = players
        self._left = SIZE
        self._known: dict[Hashable, Sequence[int]] = {}

    def leads(self, state: Any) -> dict[Move, int]:
        """Return, for each move of the seat, the lead that follows if both sides then play their
        best.

        :raises Unproven: there are more than ``SIZE`` positions, chance has to draw, or several
            seats act at the same time.
        """
        moves = self._game.legal(state, self._seat)
        return {
            move: self._leads(_after(self._game, state, self._seat, move), state.round)[self._seat]
            for move in moves
        }

    def best(self, state: Any) -> Iterator[str]:
        """Yield the best moves up to the end of the round; of equally good moves, the first."""
        round_, state = state.round, state.clone()
        while self._game.actors(state) and state.round == round_:
            (actor,) = self._game.actors(state)
            found = {
                move: self._leads(_after(self._game, state, actor, move), round_)[actor]
                for move in self._game.legal(state, actor)
            }
            move = max(found, key=found.__getitem__)
            yield f"{actor} {move}"
            self._game.do(state, actor, move)

    def _leads(self, state: Any, round_: int) -> Sequence[int]:
        actors = self._game.actors(state)
        if not actors or state.round > round_:
            return [self._worth(state, seat) for seat in range(self._players)]
        if len(actors) > 1 or actors[0] == CHANCE:
            raise Unproven
        same = twilight_key(state) if self._game.info.id == "twilight" else None
        if same in self._known:
            return self._known[same]
        self._left -= 1
        if self._left < 0:
            raise Unproven
        (actor,) = actors
        leads = max(
            (
                self._leads(_after(self._game, state, actor, move), round_)
                for move in self._game.legal(state, actor)
            ),
            key=lambda leads: leads[actor],
        )
        if same is not None:
            self._known[same] = leads
        return leads


def proven_most(
    game: Game[Any], state: Any, seat: int, worth: Worth, worlds: Sequence[Any] | None
) -> Proven | None:
    """Return the move that is strictly best in all worlds or, failing that, in the true position
    with all hands shown; None if there is none.

    :param worlds: all worlds that agree with the seat's knowledge; None: these are unknown, so all
        hands are shown.
    :raises Unproven: whatever ``Remains.leads`` raises.
    """
    remains = Remains(game, worth, seat, game.view(state, None).players)
    best, gain = _ahead(remains.leads(state))
    if best is None:
        return None
    shown, least = worlds is None, gain
    for world in worlds or ():
        move, by = _ahead(remains.leads(world))
        if move != best:
            shown = True
            break
        least = min(least, by)
    then = _after(game, state, seat, best)
    line = (f"{seat} {best}", *remains.best(then))
    return Task.MOST, shown, line, gain if shown else least


def _ahead(leads: Mapping[Move, int]) -> tuple[Move | None, int]:
    """Return the move that is ahead of all others, and by how much; None if two are equally
    good.
    """
    first, second = sorted(leads.values(), reverse=True)[:2]
    if first == second:
        return None, 0
    return next(move for move, lead in leads.items() if lead == first), first - second


def _twilight(game: Game[Any], state: TwilightState, seat: int) -> Proven | None:
    return proven_most(game, state, seat, twilight_lead, twilight_worlds(game, state, seat))


def twilight_worlds(
    game: Game[Any], state: TwilightState, seat: int
) -> Sequence[TwilightState] | None:
    """Return all positions that agree with a seat's knowledge; None if there are more than
    ``WORLDS``.

    The backs show the cult of every card, so the cards of each cult are dealt to the covered hands
    in all ways.
    """
    covered = [
        hand
        for hand in range(len(state.hands))
        if state.seating.seats[hand // 2] not in (seat, NOBODY)
    ]
    by_cult = [list(islice(_deals(state.hands, covered[cult::2]), WORLDS + 1)) for cult in range(2)]
    if len(by_cult[0]) * len(by_cult[1]) > WORLDS:
        return None
    known, worlds = game.view(state, seat), []
    for deals in product(*by_cult):
        world = state.clone()
        for hand, cards in (each for deal in deals for each in deal.items()):
            world.hands[hand] = list(cards)
        if game.view(world, seat) != known:
            raise ValueError("a view shows more than the backs")
        worlds.append(world)
    return worlds


def _deals(
    hands: Sequence[Sequence[str]], covered: Sequence[int]
) -> Iterator[dict[int, Sequence[str]]]:
    """Yield every way to deal the cards of the ``covered`` hands to these hands again, each in the
    order of the deck.
    """
    cards = in_order(card for hand in covered for card in hands[hand])

    def deal(left: Sequence[str], at: int) -> Iterator[dict[int, Sequence[str]]]:
        if at == len(covered):
            yield {}
            return
        for taken in combinations(left, len(hands[covered[at]])):
            rest = [card for card in left if card not in taken]
            for others in deal(rest, at + 1):
                yield {covered[at]: taken, **others}

    return deal(cards, 0)


def _isolde(game: Game[Any], state: Any, seat: int) -> Proven | None:
    def worth(at_end: Any, other: int) -> int:
        lead = isolde_lead(at_end, seat)
        return lead if other == seat else -lead

    return proven_most(game, state, seat, worth, None)


PROOFS: Mapping[str, Callable[[Game[Any], Any, int], Proven | None]] = {
    "lancelot": proven_win,
    "isis": proven_win,
    "twilight": _twilight,
    "isolde": _isolde,
}
"""By game, the function that proves a position's solution."""
